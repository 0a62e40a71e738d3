"""A record gets another number: its file, its title, and what refers to it in memory, all at once (docs/records.md)."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING
from urllib.parse import unquote

from memdesk.core.errors import MemdeskError, ReadOnly, Refused
from memdesk.core.layouts.base import Renumbered
from memdesk.core.layouts.records import free, links, numbers, statuses, statuslines
from memdesk.core.layouts.texts import named
from memdesk.core.lean import NamedTuple
from memdesk.core.worktree import WorkTree

if TYPE_CHECKING:
    from memdesk.core.draft import Draft
    from memdesk.core.layouts.records.links import Ref
    from memdesk.core.model import Document, Entry, Store

MOST = 99_999  # five digits: more are no number of a record
LARGEST = 1024 * 1024  # bytes of a file outside of memory that is looked through
MOST_BYTES = 64 * 1024 * 1024  # and of all of them


class Move(NamedTuple):
    """A record on its way from one number to another."""

    old: str  # its path
    new: str
    before: int
    after: int
    digits: str  # of the new file's name

    @property
    def stems(self) -> tuple[str, str]:
        """The names of its file without ending, before and after."""
        return tuple(path.rpartition("/")[2].removesuffix(".md") for path in (self.old, self.new))  # type: ignore[return-value]


def renumber(draft: Draft, store: Store, entry: Entry, to: str) -> Renumbered:
    """Moves a record to a number (`to`: digits, "" for the next free one), in its title and in all that refers to it. Raises
    Refused for what has no number, and for a number that is taken or none."""
    document = entry.document
    if entry.role != "record" or entry.number is None:
        raise Refused("Only a decision record has a number.", path=entry.path, line=entry.line)
    move = _move(draft, store, document, entry.number, to)
    texts = [other for other in draft.workspace.documents.values() if other is not document]
    records = [other for other in draft.workspace.documents.values() if other.place.role == "record"]
    left: list[str] = []
    made = draft.move(document, move.new)
    _title(draft, made, move)
    for other in (made, *texts):
        left += _follow(draft, document, other, move, records)
    warnings = []
    if left:
        warnings.append(f"These may mean this record and stay as they are: {named(left)}.")
    outside, all_seen = _outside(draft, move)
    if outside:
        warnings.append(f"Outside of memory these name it, and are not changed: {named(outside)}.")
    if not all_seen:
        warnings.append(f"Only the first {MOST_BYTES >> 20} MB outside of memory were looked through for its old name.")
    return Renumbered(move.new, tuple(warnings))


def _move(draft: Draft, store: Store, document: Document, before: int, to: str) -> Move:
    tree, base = free.names(draft, store)
    digits = free.next_number(tree, base)
    if to:
        bare = re.sub(r"\A(?:adr)?[ #-]*", "", to.strip(), flags=re.IGNORECASE)
        if not (bare.isascii() and bare.isdigit() and 1 <= len(bare) <= 5 and int(bare)):
            raise Refused(f"{to!r} is no number of a record.", field="to", remedy=f"Give one from 1 to {MOST}.")
        others = [numbers.digits(path) for path in (*tree, *base) if path != document.path]
        digits = free.padded(int(bare), filter(None, others or [numbers.digits(document.path)]))
        taken = {numbers.number(path): f"{path} on the default branch" for path in base}
        taken |= {numbers.number(path): path for path in tree}
        if int(bare) in taken:
            what = "It has that number." if int(bare) == before else f"{taken[int(bare)]} has that number."
            remedy = f"The next free one is {int(free.next_number(tree, base))}."
            raise Refused(what, path=document.path, field="to", remedy=remedy)
    if int(digits) > MOST:
        raise Refused("There is no free number left above the highest.", field="to", remedy="Give a free one with --to.")
    folder, slash, name = document.path.rpartition("/")
    new = folder + slash + digits + name[len(numbers.digits(name)) :]
    return Move(document.path, new, before, int(digits), digits)


_TITLE = re.compile(
    r"(?P<adr>ADR[ -]?#?)?(?P<number>[0-9]{1,5})(?P<mark>[ \t]*[.:)]|[ \t]*[-\u2013\u2014](?=\s))?(?![\w])", re.IGNORECASE
)
_KEY = re.compile(r"^(?:number|id|adr):[ \t]*[\"']?(?P<number>[0-9]{1,5})[\"']?[ \t]*\r?$", re.MULTILINE)


def _title(draft: Draft, made: Document, move: Move) -> None:
    """The number in a record's own title, and as a key of its front matter."""
    page = made.page
    heading = _heading(made)
    spans = []
    if heading is not None:
        match = _TITLE.match(page.data[slice(*heading)].decode("utf-8", "surrogateescape"))
        if match is not None and int(match["number"]) == move.before and (match["adr"] or match["mark"]):
            spans.append((heading[0] + match.start("number"), heading[0] + match.end("number"), match["number"]))
    if page.front is not None:
        for match in _KEY.finditer(page.text, *page.front):
            if int(match["number"]) == move.before:
                spans.append((*match.span("number"), match["number"]))
    for start, end, written in spans:
        draft.patch(made, start, end, _like(written, move), made.entries[0] if made.entries else None)


def _heading(document: Document) -> tuple[int, int] | None:
    """The span of the text of a record's title."""
    return next((block.inner for block in document.page.blocks if block.kind == "heading" and not block.depth), None)


def _follow(draft: Draft, moved: Document, document: Document, move: Move, records: list[Document]) -> list[str]:
    """Makes what a document says of the record name it anew; the places that stay as they are."""
    text = document.data.decode("utf-8", "surrogateescape")
    found = [] if not _may_name(text, move) else [
        *_references(moved, document, text, move, records), *_relations(moved, document, text, move, records),
    ]
    left = []
    own = document.path == move.new
    title = _heading(document) if own else None
    for start, end, new, sure in found:
        low, high = len(_raw(text[:start])), len(_raw(text[:end]))
        if title is not None and title[0] <= low < title[1]:
            continue
        entry = next((one for one in document.entries if one.start <= low < one.end), None)
        place = f"{document.path}:{document.page.line_of(low)}"
        frozen = document.place.tier in ("archive", "log") or (entry is not None and entry.struck and entry.kind != "file")
        if not sure or frozen:
            left.append(place)
            continue
        try:
            draft.patch(document, low, high, new, entry)
        except (Refused, ReadOnly):
            left.append(place)
    return left


Found = Iterator[tuple[int, int, str, bool]]  # start and end in the text, the new text, whether it is sure


def _references(moved: Document, document: Document, text: str, move: Move, records: list[Document]) -> Found:
    for ref in links.references(text):
        said = text[ref.start : ref.end]
        if ref.path is not None and ref.number is not None:
            meant = _meant(document, ref, moved, move, records)
        elif ref.path is not None:
            continue
        else:
            meant = _by_number(document, ref.number, moved, move, records)
        new = _renamed(said, move)
        if meant is not None and new != said:
            yield ref.start, ref.end, new, meant


def _meant(document: Document, ref: Ref, moved: Document, move: Move, records: list[Document]) -> bool | None:
    """Whether a path is the record's: True, None for another's; False where it can't be told."""
    path = unquote(ref.path or "")
    path = path if path.endswith(".md") else path + ".md"
    here = posixpath.dirname(document.path)
    ways = {posixpath.normpath(posixpath.join(here, path)), posixpath.normpath(path.lstrip("/")), moved.store.join(path)}
    if move.old in ways:
        return True
    if path.rpartition("/")[2] != move.old.rpartition("/")[2]:
        return None
    same = [record for record in records if record.path.rpartition("/")[2] == path.rpartition("/")[2]]
    if ways & {record.path for record in same}:
        return None
    return len(same) == 1


def _by_number(document: Document, number: int | None, moved: Document, move: Move, records: list[Document]) -> bool | None:
    """The same of a number alone: that of a record of the document's own store, else of any."""
    if number != move.before:
        return None
    same = [record for record in records if numbers.number(record.path) == number]
    own = [record for record in same if record.store is document.store] or same
    if moved not in own:
        return None
    return len(own) == 1


def _relations(moved: Document, document: Document, text: str, move: Move, records: list[Document]) -> Found:
    """The bare numbers of relation lines: `Superseded by 0007`."""
    if document.place.role not in ("record", "design"):
        return
    spans = [(ref.start, ref.end) for ref in links.references(text)]
    meant = _by_number(document, move.before, moved, move, records)
    if meant is None:
        return
    for line in statuslines.find(document).lines:
        if line.kind == "date":
            continue
        label = line.kind if line.label and line.kind != "status" else None
        low, high = line.value
        start = len(document.data[:low].decode("utf-8", "surrogateescape"))
        said = document.data[low:high].decode("utf-8", "surrogateescape")
        known = statuses.relations(said, label)
        for match in re.finditer(r"(?<![\w./-])0*([0-9]{1,5})(?![\w/])", said):
            at = start + match.start()
            if int(match[1]) != move.before or any(one <= at < other for one, other in spans):
                continue
            new = _like(match[0], move)
            if statuses.relations(said[: match.start()] + new + said[match.end() :], label) != known:
                yield at, start + match.end(), new, meant


def _renamed(said: str, move: Move) -> str:
    """A reference with the new number: in the file's name, and in words such as `ADR-0007`."""
    named = re.compile(
        r"(?:ADRs?|[Aa]drs?|[Dd]ecisions?(?: [Rr]ecords?)?|[Rr]ecords?)[ -]?(?:[Nn]o\.? ?)?#?"
        rf"(?P<one>0*{move.before})(?![0-9])"
        rf"|\[#?(?P<two>0*{move.before})(?=[.:)\]])"
    )

    def other(match: re.Match[str]) -> str:
        group = "one" if match["one"] else "two"
        low, high = match.start(group) - match.start(), match.end(group) - match.start()
        return match[0][:low] + _like(match[group], move) + match[0][high:]

    old, new = move.stems
    return new.join(named.sub(other, part) for part in said.split(old))


def _like(written: str, move: Move) -> str:
    """The new number as the old one was written: `0007` is `0009`, `7` is `9`."""
    return re.sub(r"[0-9]+", lambda match: move.digits if match[0][0] == "0" else str(move.after), written)


def _may_name(text: str, move: Move) -> bool:
    """Whether a text can refer to the record at all: spares the reading of the others."""
    return str(move.before) in text


def _outside(draft: Draft, move: Move) -> tuple[list[str], bool]:
    """Places in files that are no memory and name the record, the first of each, and whether all files were looked through."""
    known = draft.workspace.documents
    paths = [path for path in draft.workspace.tree.walk() if path not in known and not _PASSED_OVER.search(path)]
    tree = draft.workspace.tree
    if isinstance(tree, WorkTree):
        tree = tree.fresh()  # a tree keeps what it read: this one can go
    named = re.compile(re.escape(_raw(move.stems[0])) + rb"|\bADRs?[ _-]?#?0*%d(?![0-9])" % move.before, re.IGNORECASE)
    found: list[str] = []
    total = 0
    for path in paths:
        try:
            size = tree.size(path) if tree.kind(path) == "file" else LARGEST + 1
            if size > LARGEST:
                continue
            total += size
            if total > MOST_BYTES:
                return found, False
            data = tree.read(path)
        except MemdeskError:
            continue
        match = named.search(data)
        if match is not None:
            found.append(f"{path}:{data.count(10, 0, match.start()) + 1}")
    return found, True


# Binary files, and what tools keep in hidden folders; a code host's own settings are text that people read.
_PASSED_OVER = re.compile(
    r"(?:\A|/)\.(?!git(?:hub|lab)/)[^/]+/"
    r"|\.(?:png|jpe?g|gif|ico|webp|pdf|zip|gz|xz|bz2|whl|jar|so|dll|exe|woff2?|ttf|mp[34])\Z", re.IGNORECASE
)


def _raw(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")
