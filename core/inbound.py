"""Links to what an action moves or takes out: those to a file that moved lead to where it is now, in the same plan; of the
others, and of those in what stays as it was written, the plan says where they stand.

What is written is the target alone, to the byte; a `[[name]]` that still leads to the file stays as it is.
"""

from __future__ import annotations

import posixpath
import re
from bisect import bisect_right
from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from memdesk.core import layouts
from memdesk.core.edits import Spans
from memdesk.core.errors import MemdeskError, ReadOnly, Refused
from memdesk.core.layouts.texts import named
from memdesk.core.lean import NamedTuple
from memdesk.core.links import anchor_of, destination
from memdesk.core.model import Workspace

if TYPE_CHECKING:
    from memdesk.core.draft import Draft, Work
    from memdesk.core.links import Link
    from memdesk.core.model import Document, Entry

ENTRY_FILES = ("AGENTS.md", "CLAUDE.md", "GEMINI.md", "README.md")  # what people and agents read first: never changed by this
LARGEST = 1 << 20  # bytes of such a file that is looked through


class _Gone(NamedTuple):
    """What links may have led to: paths that files moved from (with where to), paths that are gone, and by path the anchors of
    headings that are no longer in a file."""

    moved: Mapping[str, str]
    gone: frozenset[str]
    anchors: Mapping[str, frozenset[str]]

    @property
    def paths(self) -> frozenset[str]:
        return frozenset({*self.moved, *self.gone, *self.anchors})


def follow(draft: Draft, told: str = "") -> list[str]:
    """Makes links to files that the draft moves lead to them, and gives what a person should know of those that stay: in logs,
    archives, struck text, accepted records and entry files, to what is gone, and to headings that are. `told`: what was said
    already; a place that is named in it is not named again."""
    lost = _lost(draft)
    return _Following(draft, lost, told).run() if lost.paths else []


def _lost(draft: Draft) -> _Gone:
    removed = {path for path, work in draft.works.items() if work.removed}
    moved = {old: new for old, new in draft.moves.items() if old in removed}
    changed = {path: work for path, work in draft.works.items() if work.before is not None and not work.removed}
    anchors = {path: left for path, work in changed.items() if (left := _left(work))}
    return _Gone(moved, frozenset(removed - moved.keys()), anchors)


def _left(work: Work) -> frozenset[str]:
    """The anchors of headings that an edit takes out of a document, or makes others."""
    if not work.cuts and all(edit.start == edit.end for edit in work.edits):
        return frozenset()
    pages = work.document.page, work.after(work.apply().after).page
    before, after = ({anchor_of(page.title(block)) for block in page.blocks if block.kind == "heading"} for page in pages)
    return frozenset(before - after - {""})


class _Following:
    """One draft's links, from what they led to before to what they lead to after."""

    def __init__(self, draft: Draft, lost: _Gone, told: str) -> None:
        self.draft = draft
        self.before = draft.workspace
        self.lost = lost
        self.told = told
        self.places: dict[str, list[str]] = {}  # what is said -> the places that it is said of
        self.targets: dict[tuple[str, str, bool, bool], str] = {}
        documents = self.before.documents.values()
        self.known = {alias: document.path for document in documents for alias in document.aliases}
        paths = [*lost.paths, *(alias for alias, path in self.known.items() if path in lost.paths)]
        self.names = {posixpath.basename(path) for path in paths}
        runs = [max(re.findall(r"[A-Za-z0-9]+", name.removesuffix(".md")), key=len, default="") for name in self.names]
        self.runs = [run.encode("ascii") for run in runs]

    def run(self) -> list[str]:
        for document in self.before.documents.values():
            work = self.draft.works.get(document.path)
            if work is not None and work.removed:
                self._from(document)
            elif self._may(document) and not self.lost.paths.isdisjoint(self._named(document)):
                self._in(document, work)
        self._outside()
        return [f"{what}: {named(places)}." for what, places in self.places.items()]

    @cached_property
    def after(self) -> Workspace:
        """The workspace as it would be."""
        works = self.draft.works.items()
        changed = {path: work.after(work.apply().after) for path, work in works if work.changed and not work.removed}
        kept = {path: document for path, document in self.before.documents.items() if not self._is_removed(path)}
        before = self.before
        tree = self.draft.overlay()
        return Workspace(tree, before.stores, dict(sorted({**kept, **changed}.items())), before.near_misses, before.problems)

    def _may(self, document: Document) -> bool:
        """Whether a document can link to what is lost at all: spares the reading of the others."""
        data = document.data
        if document.path in self.lost.anchors and b"](#" in data:
            return True
        if not (self.lost.moved or self.lost.gone) and b".md#" not in data:
            return False
        wiki = b"[[" in data and layouts.get(document.store.layout).wiki
        return wiki or any(run in data for run in self.runs)

    def _named(self, document: Document) -> frozenset[str]:
        """The memory files that the links of a document lead to: looked up once for a reading of the workspace, since a list of
        proposals asks for each of them."""
        known = _LED.setdefault(self.before, {})
        found = known.get(document.path)
        if found is None:
            layout = layouts.get(document.store.layout)
            one_of = {(link.target, link.wiki): link for link, _ in layout.mentions(document)}
            to = (self._to(document, link) for link in one_of.values())
            found = known[document.path] = frozenset(path for path in to if path is not None)
        return found

    def _in(self, document: Document, work: Work | None) -> None:
        layout = layouts.get(document.store.layout)
        spoken = Spans([] if work is None else [*work.cuts, *((edit.start, edit.end) for edit in work.edits)])
        places = _Places(document)
        for link, struck in layout.mentions(document):
            to = self._to(document, link) if self._is_near(link) else None
            if to is None or to not in self.lost.paths or spoken.meets(link.start, link.end):
                continue
            place = f"{document.path}:{link.line}"
            if to in self.lost.gone:
                self._say(f"These link to {to}, which is gone then", place)
            elif to in self.lost.anchors:
                if link.anchor in self.lost.anchors[to]:
                    self._say(f"These link to a heading that is no longer in {to} then", place)
            elif struck or places.stays(link.start) or not self._leads(document, link, places.entry(link.start), to):
                self._say(f"These link to {to}, which is {self.lost.moved[to]} then, and stay as they are", place)

    def _to(self, document: Document, link: Link) -> str | None:
        """The path of the memory file that a link leads to."""
        if not link.path:
            return document.path if link.target.startswith("#") else None
        to = layouts.get(document.store.layout).resolve(self.before, document.store, document, link)
        return None if to is None else self.known.get(to, to)

    def _is_near(self, link: Link) -> bool:
        """Whether a link can lead to what is lost, by its name."""
        return link.wiki or not link.path or posixpath.basename(link.path) in self.names

    def _leads(self, document: Document, link: Link, entry: Entry | None, to: str) -> bool:
        """Makes a link lead to where its file is then; whether it does."""
        key = posixpath.dirname(document.path), link.target, link.wiki, link.angled
        target = self.targets.get(key)
        if target is None:
            target = self.targets[key] = self._target(document, link, to)
        if target == link.target:
            return True
        if not target:
            return False
        start, end, text = (link.start, link.end, f"[{link.text}]({target})") if link.wiki else (link.low, link.high, target)
        try:
            self.draft.patch(document, start, end, text, entry)
        except (Refused, ReadOnly):
            return False
        return True

    def _target(self, document: Document, link: Link, to: str) -> str:
        """The target by which a link leads to where a file is then: its own where that does; relative to what it was relative
        to, else to its file's folder; "" for none."""
        new = self.lost.moved[to]
        resolve = layouts.get(document.store.layout).resolve
        store = document.store
        if resolve(self.after, store, document, link) == new:
            return link.target
        own = posixpath.dirname(document.path) or "."
        ways = [("/", ".")] if link.path.startswith("/") else [("", own)]
        if not (link.wiki or ways[0][0] or self._led(own, link) == to):  # it is written as the store, or the workspace, sees it
            ways = [*(("", at) for at in (store.path, ".") if self._led(at, link) == to), ("", own)]
        rest = link.target[len(link.written) :]
        for prefix, folder in ways:
            path = posixpath.relpath(new, folder)
            if folder != own and path.startswith("../"):
                continue
            dotted = "./" if link.written.startswith("./") and not path.startswith("../") else prefix
            target = destination(dotted + path, angled=link.angled) + rest
            if resolve(self.after, store, document, link._replace(target=target, wiki=False)) == new:
                return target
        return ""

    def _led(self, folder: str, link: Link) -> str:
        """The file that a link means if it is read from a folder, by the path that it is known by."""
        path = posixpath.normpath(posixpath.join(folder, link.path))
        return self.known.get(path, path)

    def _from(self, document: Document) -> None:
        """What a file that moves links to itself: its text stays as it is."""
        new = self.lost.moved.get(document.path)
        made = None if new is None else self.draft.works[new].document
        if made is None or (b"](" not in document.data and b"[[" not in document.data):
            return
        layout = layouts.get(document.store.layout)
        for link, struck in layout.mentions(document):
            if struck or not link.path or layout.resolve(self.before, document.store, document, link) is None:
                continue
            if layout.resolve(self.after, made.store, made, link) is None:
                self._say(f"Links in {new} lead nowhere from there, and stay as they are", f"line {link.line} ({link.target})")

    def _outside(self) -> None:
        """Where the files that people and agents read first name what is lost; memory documents among them were looked at."""
        tree = self.before.tree
        for name in ENTRY_FILES:
            if name in self.before.documents or tree.kind(name) != "file":
                continue
            try:
                data = tree.read(name) if tree.size(name) <= LARGEST else b""
            except MemdeskError:
                continue
            for path in sorted({*self.lost.moved, *self.lost.gone}):
                found = re.search(rb"(?<![\w./-])(?:\./|/)?" + re.escape(_raw(path)) + rb"(?![\w/-])", data)
                if found is not None:
                    then = f"is {self.lost.moved[path]} then" if path in self.lost.moved else "is gone then"
                    line = data.count(b"\n", 0, found.start()) + 1
                    self._say(f"Outside of memory these name {path}, which {then}, and are not changed", f"{name}:{line}")

    def _say(self, what: str, place: str) -> None:
        if not self.told or re.search(re.escape(place) + r"(?![0-9])", self.told) is None:
            self.places.setdefault(what, []).append(place)

    def _is_removed(self, path: str) -> bool:
        work = self.draft.works.get(path)
        return work is not None and work.removed


_LED: WeakKeyDictionary[Workspace, dict[str, frozenset[str]]] = WeakKeyDictionary()  # document -> what its links lead to


class _Places:
    """Where a document may be written to."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._layout = layouts.get(document.store.layout)
        self._whole = document.place.tier in ("log", "archive") or posixpath.basename(document.path) in ENTRY_FILES

    def entry(self, offset: int) -> Entry | None:
        """The entry that an offset is in."""
        entries = self._document.entries
        at = bisect_right(self._starts, offset) - 1
        return entries[at] if at >= 0 and offset < entries[at].end else None

    def stays(self, offset: int) -> bool:
        """Whether what stands there stays as it was written: a log, the archive, what is struck or was decided; and a heading
        that other entries stand under."""
        if self._whole:
            return True
        entry = self.entry(offset)
        if entry is not None and entry.struck and entry.kind != "file":
            return True
        if entry is not None and entry.tier != "index" and not self._layout.mends(entry):
            return True
        heading = self._headings.holding(offset)
        return heading is not None and (entry is None or entry.start != heading[0]) and (entry is None or entry.kind != "file")

    @cached_property
    def _starts(self) -> list[int]:
        return [entry.start for entry in self._document.entries]

    @cached_property
    def _headings(self) -> Spans:
        return Spans((block.start, block.end) for block in self._document.page.blocks if block.kind == "heading")


def _raw(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")
