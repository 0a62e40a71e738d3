"""The verb `resolve`: git's conflict markers in a memory file, taken apart entry by entry as a person chose.

The sides are rebuilt from the markers, and merged by the one engine (`merging`). What it settles by entry is not asked; what
is left are the parts. A marked file is read-only to every other verb: this one writes it anew, and reads it again first.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from memdesk.core import compose, edits, layouts, markers, merging, resolved, stops
from memdesk.core.draft import writable
from memdesk.core.errors import Refused, UsageError
from memdesk.core.lean import NamedTuple
from memdesk.core.model import Document, Entry
from memdesk.core.partplaces import Finder
from memdesk.core.plan import BudgetChange, Plan, Request, Step
from memdesk.core.resolved import Piece

if TYPE_CHECKING:
    from memdesk.core.markers import Region, Sides
    from memdesk.core.model import Workspace

MARKED = "conflict-marker"  # the rule, and the problem of a document that holds markers
CHOICES = ("ours", "theirs", "both", "edited")


class Part(NamedTuple):
    """What a person has to choose: one entry in two versions, or a stretch of text between entries.

    `number` counts from 1 and is the key of the request's word; `heading` is the entry's, "" for no entry; `line` is where it
    begins in the marked file (1-based). A side that is empty has no such text. `base` None: nobody knows what there was.
    `close`: both together need no blank line between them.
    """

    number: int
    heading: str
    line: int
    ours: bytes
    theirs: bytes
    base: bytes | None
    ours_label: str
    theirs_label: str
    close: bool = True

    def both(self, ending: bytes = b"\n") -> tuple[bytes, bytes]:
        """Ours and theirs as they stand one after the other."""
        first = self.ours if self.ours.endswith(b"\n") else self.ours + ending
        if not self.close and not first.endswith((b"\n\n", b"\n\r\n")) and self.theirs[:1] not in (b"\n", b"\r"):
            first += ending
        return first, self.theirs


class Marked(NamedTuple):
    """A marked file, taken apart. `decided`: of git's conflicts, how many need no decision, since by entry there is none.
    `digest` names these very parts: a request that was made for others can say so (the word `of`)."""

    path: str
    parts: tuple[Part, ...]
    conflicts: int
    decided: int
    digest: str


class _Read(NamedTuple):
    marked: Marked
    pieces: tuple[bytes | Part, ...]  # in order
    ours: Document  # the merged text with every part decided for one side
    theirs: Document


def marked(workspace: Workspace) -> list[Document]:
    """The memory files that hold conflict markers."""
    return [
        document for document in workspace.documents.values()
        if document.problem is not None and document.problem.rule == MARKED
    ]


def parts(workspace: Workspace, path: str) -> Marked:
    """A marked file's parts. Raises Refused for a file without markers, StoreError (with its line) for broken ones."""
    return _read(workspace, _document(workspace, path)).marked


def plan(workspace: Workspace, request: Request, words: Mapping[str, str]) -> Plan:
    """The file as a person chose it. `words`: for each part's number "ours", "theirs", "both" (ours, then theirs) or
    "edited" with the text in `textN`; `of`, where given, is `Marked.digest`.

    Raises Refused (a part without an answer; a choice after which the file would not say what was chosen), UsageError (a
    word that is no answer), StoreError (broken markers).
    """
    if len(request.ids) != 1:
        raise UsageError("resolve takes one file at a time.")
    document = _document(workspace, request.ids[0])
    writable(document.store)
    read = _read(workspace, document)
    if words.get("of", read.marked.digest) != read.marked.digest:
        raise Refused("Its conflicts are others by now.", path=document.path, remedy="Look at them again, and choose.")
    made = _made(read, _answers(read.marked, words), words, document.page.newline)
    after = b"".join(piece.data for piece in made)
    result = _reader(document)(after)
    chosen = resolved.reread(result, read.ours, read.theirs, made, request.person)
    count = compose.count(len(read.marked.parts) or read.marked.conflicts, "conflict", "conflicts")
    name = document.store.named(document.path)
    rest = read.marked.decided if read.marked.parts else 0
    more = f" ({rest} more {'is' if rest == 1 else 'are'} none by entry)" if rest else ""
    bound = request._replace(words={**request.words, "of": read.marked.digest})
    return Plan(
        bound, f"Resolved {count} in {name}{more}.", f"Resolve {count} in {name}",
        (Step("replace", document.path, document.data, after, workspace.tree.mode(document.path)),),
        budgets=tuple(_budgets(document, result)), warnings=tuple(_warnings(result, chosen)),
        new_ids=tuple(result.entries[entry.index].id for entry in chosen),
    )


# Below: taking it apart


def _document(workspace: Workspace, path: str) -> Document:
    found = workspace.documents.get(path)
    found = found or next((one for one in workspace.documents.values() if path in one.aliases), None)
    if found is None:
        raise Refused("This is no memory file.", path=path, remedy="`memdesk conflicts` lists those with conflict markers.")
    if found.problem is None or found.problem.rule != MARKED:
        why = "It holds no conflict markers." if found.problem is None else found.problem.message
        raise Refused(why, path=path, line=None if found.problem is None else found.problem.line)
    return found


def _reader(document: Document) -> Callable[[bytes], Document]:
    """Reads bytes as the memory file that a document is; the same bytes once."""
    layout = layouts.get(document.store.layout)
    known: dict[bytes, Document] = {}

    def read(data: bytes) -> Document:
        if data not in known:
            made = Document(document.path, document.store, document.place, data, layout.entries, aliases=document.aliases)
            if known:
                made.follow(next(iter(known.values())))  # most entries are alike: they are taken over
            known[data] = made
        return known[data]

    return read


def _read(workspace: Workspace, document: Document) -> _Read:
    """The file taken apart; done once for each reading of it, since a preview, the plan and what is shown all ask."""
    regions = markers.regions(document.data, document.path)
    sides = markers.sides(document.data, document.path)
    base = workspace.ancestor(document) if sides.base is None else sides.base
    known = _known.get(document)
    if known is None or known[0] != base:
        known = _known[document] = (base, _taken(document, regions, sides._replace(base=base)))
    return known[1]


_known: WeakKeyDictionary[Document, tuple[bytes | None, _Read]] = WeakKeyDictionary()


def _taken(document: Document, regions: Sequence[Region], sides: Sides) -> _Read:
    reader = _reader(document)
    merged = merging.merge(reader, sides.base, sides.ours, sides.theirs)
    finder = Finder(document, regions, reader(sides.ours), reader(sides.theirs))
    pieces: list[bytes | Part] = []
    asked: list[Part] = []
    hit: set[int] = set()
    for piece in merged.parts:
        if isinstance(piece, bytes):
            pieces.append(piece)
            continue
        place = finder.find(piece.ours, piece.theirs)
        region = regions[place.region]
        part = Part(
            len(asked) + 1, place.heading, place.line, piece.ours, piece.theirs, piece.base,
            region.ours_label or "ours", region.theirs_label or "theirs", place.close,
        )
        hit.update(place.regions)
        asked.append(part)
        pieces.append(part)
    found = Marked(document.path, tuple(asked), len(regions), len(regions) - len(hit), _digest(document, asked))
    return _Read(found, tuple(pieces), reader(_settled(pieces, "ours")), reader(_settled(pieces, "theirs")))


def _settled(pieces: Sequence[bytes | Part], side: str) -> bytes:
    return b"".join(piece if isinstance(piece, bytes) else getattr(piece, side) for piece in pieces)


def _digest(document: Document, asked: Sequence[Part]) -> str:
    from hashlib import sha256

    said = [document.data, *(side for part in asked for side in (part.ours, part.theirs))]
    return sha256(b"\0".join(sha256(one).digest() for one in said)).hexdigest()[:16]


# Below: putting it together


def _answers(marked: Marked, words: Mapping[str, str]) -> dict[int, str]:
    known = {str(part.number) for part in marked.parts}
    for key, value in words.items():
        if key.isdecimal() and key not in known:
            raise UsageError(f"There is no conflict {key} in {marked.path}.", remedy=f"It has {len(known)} to decide.")
        if key in known and value not in CHOICES:
            raise UsageError(f"{value!r} is no answer to a conflict.", remedy=f"Known: {', '.join(CHOICES)}.")
    missing = [part for part in marked.parts if str(part.number) not in words]
    if missing:
        listed = ", ".join(_named(part) for part in missing[:5]) + (", ..." if len(missing) > 5 else "")
        number = f"{len(missing)} of {len(marked.parts)}" if len(missing) < len(marked.parts) else str(len(missing))
        raise Refused(
            f"{number} {'conflict is' if len(missing) == 1 else 'conflicts are'} not decided: {listed}.", path=marked.path,
            line=missing[0].line, field=str(missing[0].number), remedy="Say for each: ours, theirs, both or edited.",
        )
    return {part.number: words[str(part.number)] for part in marked.parts}


def heading(part: Part) -> str:
    """A part's heading, masked. One that was cut may end in the middle of a value: what that is, only its whole line says."""
    from memdesk.core.checks.secrets import CUT, mask

    masked = mask(part.heading)
    if len(part.heading) < CUT:
        return masked
    text = (part.ours if part.ours.strip() else part.theirs).decode("utf-8", "replace")
    whole = next((line for line in text.split("\n") if part.heading in line), part.heading)
    return masked if mask(whole) == whole else mask(whole)[:CUT]


def _named(part: Part) -> str:
    title = compose.short(heading(part)) if part.heading else "text between entries"
    return f"{part.number} (line {part.line}, {title})"


def _made(read: _Read, answers: Mapping[int, str], words: Mapping[str, str], newline: str) -> list[Piece]:
    """The pieces of the new file, in order; each but the last ends its line."""
    ending = newline.encode("ascii")
    made: list[Piece] = []
    our_at = their_at = 0
    in_ours, in_theirs = resolved.Stretches(read.ours), resolved.Stretches(read.theirs)
    for piece in read.pieces:
        if isinstance(piece, bytes):
            made.append(Piece(piece))
            our_at, their_at = our_at + len(piece), their_at + len(piece)
            continue
        choice = answers[piece.number]
        our_end, their_end = our_at + len(piece.ours), their_at + len(piece.theirs)
        ours = Piece(piece.ours, piece.number, "ours", in_ours.within(our_at, our_end))
        theirs = Piece(piece.theirs, piece.number, "theirs", in_theirs.within(their_at, their_end))
        our_at, their_at = our_end, their_end
        if choice == "edited":
            made.append(_edited(read, piece, (ours, theirs), words, newline))
        elif choice == "both":
            made += _both(read, piece, (ours, theirs), ending)
        else:
            made.append(ours if choice == "ours" else theirs)
    out: list[Piece] = []
    for index, one in enumerate(made):
        data = one.data
        if data and not data.endswith(b"\n") and any(other.data for other in made[index + 1 :]):
            data += ending
        out.append(one._replace(data=data))
    return _closed(out)


def _closed(made: list[Piece]) -> list[Piece]:
    """Where a side without the text was chosen, one of the blank lines around it goes too."""
    out: list[Piece] = []
    empty = False
    above = b""
    for piece in made:
        data = piece.data
        if not data:
            empty = empty or piece.number > 0
            out.append(piece)
            continue
        first = data.find(b"\n") + 1
        if empty and first and not data[:first].strip() and (not above or not above.rsplit(b"\n", 2)[-2].strip()):
            data = data[first:]
        empty = False
        above = data or above
        out.append(piece._replace(data=data))
    return _ended(out) if empty else out


def _ended(made: list[Piece]) -> list[Piece]:
    """Without the blank lines that stood before what was last and isn't there any more."""
    text = b"".join(piece.data for piece in made)
    keep = len(text.rstrip(b"\r\n"))
    keep = text.find(b"\n", keep) + 1 or len(text)
    out = []
    for piece in made:
        out.append(piece._replace(data=piece.data[:keep]))
        keep -= len(out[-1].data)
    return out


def _edited(read: _Read, part: Part, sides: tuple[Piece, Piece], words: Mapping[str, str], newline: str) -> Piece:
    """A person's text in place of a part, with the blank lines around it that the part has."""
    key, path = f"text{part.number}", read.marked.path
    text = words.get(key, "")
    if not text.strip():
        raise Refused(
            f"There is no text for conflict {_named(part)}.", path=path, line=part.line, field=key,
            remedy="Give one, or take the side that has none.",
        )
    stops.values([(path, text)], key)
    like = part.ours if part.ours.strip() else part.theirs
    body = like.strip(b"\r\n")
    at = like.find(body)
    rest = like[at + len(body) :]
    data = like[:at] + edits.lines(text, newline) + rest[rest.find(b"\n") + 1 :]
    known = [entry for side in sides for entry in side.expected or ()]
    expected = None if None in (sides[0].expected, sides[1].expected) else tuple(known)
    return Piece(data, part.number, "edited", expected, frozenset(entry.tag for entry in known))


def _both(read: _Read, part: Part, sides: tuple[Piece, Piece], ending: bytes) -> list[Piece]:
    """Ours, then theirs. Raises Refused where one of them has nothing."""
    if not (part.ours.strip() and part.theirs.strip()):
        side = "ours" if part.ours.strip() else "theirs"
        raise Refused(
            f"Conflict {_named(part)} can't keep both: only {side} has a text.", path=read.marked.path, line=part.line,
            field=str(part.number), remedy=f"Choose {side}, or the other to leave it out.",
        )
    return [sides[0]._replace(data=part.both(ending)[0]), sides[1]]


def _budgets(before: Document, after: Document) -> list[BudgetChange]:
    old = {budget.unit: budget.used for budget in before.budgets()}
    return [
        BudgetChange(after.path, budget.unit, old.get(budget.unit, 0), budget.used, budget.cap)
        for budget in after.budgets() if budget.cap is not None
    ]


def _warnings(after: Document, chosen: Sequence[Entry]) -> Iterator[str]:
    """What the check would say of the new file, and a person may want."""
    from memdesk.core.checks import secrets

    for budget in after.budgets():
        if budget.cap is not None and budget.used > budget.cap:
            yield f"{after.store.named(after.path)} is over its budget: {budget.used} of {budget.cap} {budget.unit}."
    titles = Counter(" ".join(entry.heading.split()).casefold() for entry in after.entries if not entry.struck)
    twice = [entry for entry in chosen if not entry.struck and titles[" ".join(entry.heading.split()).casefold()] > 1]
    for title in dict.fromkeys(compose.short(secrets.heading(entry)) for entry in twice):
        yield f"\u201c{title}\u201d now stands there more than once: supersede one of them."
