"""A draft: the changes that an action makes, gathered over what was read, before any of it is written.

Layouts write into a Draft; `actions.py` makes the plan of it. A Draft keeps what the plan is bound to (invariant 6): the
bytes of each document that it changes, and the digests, absences and folder listings of all else that it looked at.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from itertools import pairwise
from typing import TYPE_CHECKING

from memdesk.core import edits, layouts
from memdesk.core.edits import ADDED, STRUCTURE, Applied, Edit
from memdesk.core.errors import ReadOnly, Refused, StoreError
from memdesk.core.model import UNREADABLE, Document, Entry, Store, Workspace
from memdesk.core.plan import Step
from memdesk.core.tree import Item

if TYPE_CHECKING:
    from memdesk.core.tree import Tree


_BULLET = re.compile(rb" {0,3}(?:[-*+]|[0-9]{1,9}[.)])[ \t]")


class Work:
    """One document in a draft. `before` is None for one that the draft makes; its `document` then holds the first bytes."""

    def __init__(self, document: Document, before: bytes | None) -> None:
        self.document = document
        self.before = before
        self.edits: list[Edit] = []
        self.cuts: list[tuple[int, int]] = []
        self.gone: set[int] = set()  # indices of entries that leave
        self.made: list[int] = []  # positions in `edits` of insertions that are one new entry each
        self.becomes: list[tuple[int, int]] = []  # spans that were no entry, and are one once their bullets have gone
        self.removed = False  # the whole file goes
        self.spaced: bool | None = None  # whether its bullets have blank lines between them; None: nobody looked yet

    @property
    def changed(self) -> bool:
        return self.before is None or self.removed or bool(self.edits or self.cuts)

    def apply(self) -> Applied:
        """The bytes after all edits; `places` covers `edits`, in their order."""
        document = self.document
        newline = document.page.newline
        return edits.apply(document.data, [*self.edits, *edits.removals(document.data, self.cuts)], newline)

    def after_bytes(self) -> bytes | None:
        """What the file holds after; None for one that goes."""
        return None if self.removed else self.apply().after

    def after(self, data: bytes) -> Document:
        """The document as it would be read with these bytes."""
        return self.document.after(data)


class Draft:
    """What an action changes. Its methods raise Refused, naming file and line, for what must not be edited."""

    def __init__(self, workspace: Workspace) -> None:
        self.workspace = workspace
        self.works: dict[str, Work] = {}  # in the order in which steps are made: files before the rows that point at them
        self.reads: dict[str, str | None] = {}
        self.moves: dict[str, str] = {}  # old path -> new path of documents that move whole

    # Reading

    def look(self, path: str) -> Document | None:
        """The document at a path, one made by this draft included; its bytes, or its absence, bind the plan."""
        document = self.workspace.documents.get(path) or self._aliased(path)
        work = self.works.get(path if document is None else document.path)
        if work is not None:
            return work.document
        if document is None:
            self.reads[path] = self.workspace.tree.digest(path)
            return None
        from hashlib import sha256

        self.reads[document.path] = sha256(document.data).hexdigest()
        return document

    def names(self, folder: str) -> list[str]:
        """The names in a folder; the listing binds the plan."""
        self.reads[folder] = self.workspace.tree.digest(folder)
        return [item.name for item in self.workspace.tree.list(folder)]

    # Changing

    def make(self, store: Store, path: str, first: bytes) -> Document:
        """The document at a path, made with `first` as its bytes where there is none."""
        document = self.look(path)
        if document is not None:
            return document
        writable(store)
        layout = layouts.get(store.layout)
        place = layout.classify(store, path)
        if place is None:
            raise Refused(f"{path} would be no memory file of this store.", path=path, remedy="Choose another name.")
        if self.workspace.tree.kind(path) != "none":
            raise Refused("What is there is no memory file that can be edited.", path=path, remedy="Move it away first.")
        made = Document(path, store, place, first, layout.entries)
        self.works[path] = Work(made, None)
        self.reads.pop(path, None)
        return made

    def move(self, document: Document, path: str) -> Document:
        """Moves a document whole, to the byte, to where nothing is yet. Raises Refused where something is."""
        if self.look(path) is not None:
            raise Refused(f"{path} is there already.", path=path, remedy="Move or rename one of the two by hand first.")
        writable(document.store)
        made = self.make(document.store, path, document.data)
        self.delete(document)
        self.moves[document.path] = path
        return made

    def delete(self, document: Document) -> None:
        """Takes a document out whole. Its bytes are not looked into: one that can't be edited can still go."""
        writable(document.store)
        work = self.works.setdefault(document.path, Work(document, document.data))
        work.removed = True
        self.reads.pop(document.path, None)

    def cut(self, entry: Entry) -> None:
        """Takes an entry out, whole."""
        work = self._work(entry.document, entry.start, entry.end)
        work.cuts.append((entry.start, entry.end))
        work.gone.add(entry.index)

    def cut_lines(self, document: Document, start: int, end: int) -> None:
        """Takes whole lines out that are no entry: a heading that dated what left, a placeholder."""
        self._work(document, start, end).cuts.append((start, end))

    def absorb(self, entry: Entry) -> None:
        """Says that an entry is none any more once something stands below it: a dated heading that was left behind."""
        self._work(entry.document, entry.end, entry.end).gone.add(entry.index)

    def becomes(self, document: Document, start: int, end: int) -> None:
        """Says that text which is no entry now will be read as one when what leaves has left."""
        self._work(document, end, end).becomes.append((start, end))

    def insert(self, document: Document, offset: int, text: str, *, loose: bool, entry: bool = False) -> None:
        """Puts lines in at the start of a line; `loose`: with a blank line on each side. `entry`: they are one new entry.

        Bullets that go in behind each other at one offset are one list: `loose` says how that stands in the text.
        """
        work = self._work(document, offset, offset)
        new = edits.lines(text, document.page.newline)
        last = work.edits[-1] if work.edits else None
        close = entry and last is not None and last.start == offset and last.owner == ADDED
        close = close and all(_BULLET.match(piece) for piece in (new, last.new if last else b""))
        gap = "close" if close and not self._spaced(work) else "loose" if loose else "tight"
        if entry:
            work.made.append(len(work.edits))
        work.edits.append(Edit(offset, offset, new, gap, ADDED if entry else STRUCTURE))

    def _spaced(self, work: Work) -> bool:
        """Whether the bullets of a document have blank lines between them."""
        if work.spaced is None:
            bullets = [entry for entry in work.document.entries if entry.kind == "bullet"]
            gaps = [work.document.data[one.end : two.start] for one, two in pairwise(bullets)]
            work.spaced = bool(gaps) and all(gap and not gap.strip() for gap in gaps)
        return work.spaced

    def patch(self, document: Document, start: int, end: int, text: str, entry: Entry | None = None) -> None:
        """Replaces a span by text, as it is; `entry` is the one that it is inside of."""
        work = self._work(document, start, end)
        new = text.replace("\n", document.page.newline).encode("utf-8", "surrogateescape")
        work.edits.append(Edit(start, end, new, "", STRUCTURE if entry is None else entry.index))

    def below(self, entry: Entry, offset: int, text: str, *, loose: bool) -> None:
        """Puts lines into an entry, at the start of one of its lines or at its end."""
        document = entry.document
        work = self._work(document, offset, offset)
        new = edits.lines(text, document.page.newline)
        work.edits.append(Edit(offset, offset, new, "loose" if loose else "tight", entry.index))

    def rewrite(self, entry: Entry, text: str) -> None:
        """Makes an entry's text another one; lines that stay keep their bytes."""
        document = entry.document
        found = edits.changed_lines(entry.raw, text, entry.start, document.page.newline, entry.index)
        if found:
            self._work(document, entry.start, entry.end).edits.extend(found)

    # What comes of it

    def steps(self) -> tuple[Step, ...]:
        """The steps, folders first; a document whose bytes end up equal gives none."""
        steps: list[Step] = []
        folders: set[str] = set()
        for path, work in self.works.items():
            if work.removed:
                steps.append(Step("delete", path, work.before, None))
                continue
            after = work.apply().after
            if work.before is None:
                steps += self._folders(path, folders)
                steps.append(Step("create", path, None, after))
            elif after != work.before:
                steps.append(Step("replace", path, work.before, after, self.workspace.tree.mode(path)))
        return tuple(steps)

    def bound(self) -> dict[str, str | None]:
        """What else the plan was made from: path -> digest; None for an absence."""
        changed = {path for path, work in self.works.items() if work.changed and work.after_bytes() != work.before}
        return {path: digest for path, digest in sorted(self.reads.items()) if path not in changed}

    def overlay(self) -> OverlayTree:
        """The tree as it would be after."""
        return OverlayTree(self.workspace.tree, {path: work.after_bytes() for path, work in self.works.items()})

    def _aliased(self, path: str) -> Document | None:
        """The document that a path reaches by a link or a second name."""
        return next((document for document in self.workspace.documents.values() if path in document.aliases), None)

    def _work(self, document: Document, start: int, end: int) -> Work:
        """The work on a document, once it is sure that the span may be edited."""
        work = self.works.get(document.path)
        if work is not None and work.before is None:
            return work
        editable(document, start, end)
        if work is None:
            work = self.works[document.path] = Work(document, document.data)
            self.reads.pop(document.path, None)
        return work

    def _folders(self, path: str, seen: set[str]) -> list[Step]:
        """Steps that make the folders of a new file which are not there."""
        made: list[Step] = []
        folder = path.rpartition("/")[0]
        while folder and folder not in seen and self.workspace.tree.kind(folder) == "none":
            seen.add(folder)
            made.append(Step("mkdir", folder))
            folder = folder.rpartition("/")[0]
        return made[::-1]


class OverlayTree:
    """A Tree with drafts over it: `changes` maps a path to its bytes, or to None for one that is deleted."""

    def __init__(self, base: Tree, changes: Mapping[str, bytes | None] | None = None) -> None:
        self.base = base
        self.changes: dict[str, bytes | None] = dict(changes or {})

    def walk(self) -> list[str]:
        """The base's paths, with what is made and without what is deleted."""
        made = {path for path, data in self.changes.items() if data is not None}
        return sorted((set(self.base.walk()) | made) - {path for path, data in self.changes.items() if data is None})

    def list(self, folder: str) -> list[Item]:
        """The base's items, with what is made and without what is deleted; folders of new files appear."""
        items = {item.name: item for item in self.base.list(folder)}
        prefix = "" if folder == "." else f"{folder}/"
        for path, data in self.changes.items():
            if not path.startswith(prefix):
                continue
            name, slash, _ = path[len(prefix) :].partition("/")
            if data is None:
                if not slash:
                    items.pop(name, None)
            elif slash:
                items.setdefault(name, Item(name, "folder"))
            elif name not in items or items[name].kind != "link":
                items[name] = Item(name, "file")
        return sorted(items.values())

    def kind(self, path: str) -> str:
        if path in self.changes:
            return "none" if self.changes[path] is None else "file"
        kind = self.base.kind(path)
        if kind == "none" and any(made.startswith(f"{path}/") for made, data in self.changes.items() if data is not None):
            return "folder"
        return kind

    def resolve(self, path: str) -> str:
        return path if self.changes.get(path) is not None else self.base.resolve(path)

    def read(self, path: str) -> bytes:
        """The drafted bytes, or the base's. Raises StoreError as the base does, and for what is deleted."""
        if path not in self.changes:
            return self.base.read(path)
        data = self.changes[path]
        if data is None:
            raise StoreError("There is no such file.", path=path)
        return data

    def size(self, path: str) -> int:
        return len(self.read(path)) if path in self.changes else self.base.size(path)

    def mode(self, path: str) -> int | None:
        if path not in self.changes:
            return self.base.mode(path)
        return None if self.changes[path] is None else self.base.mode(path)

    def digest(self, path: str) -> str | None:
        """sha256 in hex of what would be read; of a folder: over its item names; None where nothing is."""
        from hashlib import sha256

        data = self.changes.get(path)
        if data is not None:
            return sha256(data).hexdigest()
        if path in self.changes:
            return None
        prefix = "" if path == "." else f"{path}/"
        if not any(changed.startswith(prefix) for changed in self.changes):
            return self.base.digest(path)
        return names_digest(self.list(path))


def names_digest(items: Iterable[Item]) -> str:
    """The digest of a folder: over the names of its items."""
    from hashlib import sha256

    return sha256("\0".join(item.name for item in items).encode("utf-8", "surrogateescape")).hexdigest()


def writable(store: Store) -> None:
    """Raises ReadOnly, with the reason, for a store that must not be written."""
    if store.read_only:
        raise ReadOnly(f"This store is read-only: {store.read_only}", path=store.path)


def editable(document: Document, start: int, end: int) -> None:
    """Raises Refused where a document, or this span of it, may not be edited."""
    writable(document.store)
    problem = document.problem
    if problem is not None:
        remedy = "Mend the file by hand first; memdesk does not write to it as it is."
        if problem.rule == UNREADABLE:
            raise Refused(problem.message, path=document.path, remedy="See that it can be read, then try again.")
        raise Refused(f"The file is read-only: {problem.message}", path=document.path, line=problem.line, remedy=remedy)
    unclosed = document.page.unclosed
    if unclosed is not None and end >= unclosed.start:
        raise Refused(
            f"The {unclosed.kind} that begins here never closes, so nothing after it can be told apart or edited.",
            path=document.path, line=unclosed.line, remedy="Close it, then try again.",
        )
    for low, high in document.page.locked:
        if (start < high and end > low) or low < start == end < high:
            raise Refused(
                "It nests too deeply to be edited safely.", path=document.path, line=document.page.line_of(low),
                remedy="Flatten the list or quote by hand first.",
            )
