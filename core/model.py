"""The values that everything else passes around, in the words of the design.

Workspace > Store > Document > Entry, all read from a Tree and never written back: a change is a Plan (`plan.py`).
NamedTuples and slotted classes instead of dataclasses: importing `dataclasses` alone costs the headless check 12 ms.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property

from memdesk.core.errors import StoreError
from memdesk.core.lean import TYPE_CHECKING, NamedTuple
from memdesk.core.plaintext import plain

if TYPE_CHECKING:
    from typing import Any

    from memdesk.core.errors import MemdeskError
    from memdesk.core.markdown import Page
    from memdesk.core.tree import Tree


class Cap(NamedTuple):
    """A limit on one document. `unit`: "tokens", "chars" (UTF-16 code units) or "lines". `origin` says who set it."""

    unit: str
    limit: int | None
    origin: str


class Place(NamedTuple):
    """What a path is in its store: its role ("decisions", "inbox", "manifest", ...), tier and cap.

    Tiers: "index", "working", "durable", "log", "archive".
    """

    role: str
    tier: str
    cap: Cap | None = None
    scope: str = ""  # "" for the whole project, else such as "area:storage"
    more: tuple[Cap, ...] = ()  # further limits, each in another unit

    @property
    def caps(self) -> tuple[Cap, ...]:
        """All its limits."""
        return self.more if self.cap is None else (self.cap, *self.more)


class Problem(NamedTuple):
    """Why a document is shown but never written: the rule that reports it, 1-based line, and words for a person."""

    rule: str
    line: int | None
    message: str


class Budget(NamedTuple):
    """A document's use against its cap, in the cap's unit."""

    path: str
    unit: str
    used: int
    cap: int | None

    def state(self, near: float = 0.8) -> str:
        """One of "none" (no cap), "ok", "near" (at `near` of it or more) or "over"."""
        if self.cap is None:
            return "none"
        if self.used > self.cap:
            return "over"
        return "near" if self.used >= near * self.cap else "ok"


class Entry:
    """A complete semantic unit of one document; never split, never truncated.

    `start` and `end` are byte offsets into `document.data`; the span is whole lines and ends with the last non-blank
    line, its line ending included (none at the end of a file without one). `line` and `end_line` are 1-based.
    """

    __slots__ = (
        "candidate", "date", "document", "end", "end_line", "fields", "heading", "heading_path", "index", "kind", "line",
        "number", "relations", "source", "start", "status", "struck", "tag",
    )

    def __init__(
        self, document: Document, *, kind: str, start: int, end: int, line: int, end_line: int, heading: str,
        heading_path: tuple[str, ...] = (), struck: bool = False, candidate: bool = False, tag: str | None = None,
        date: str | None = None, source: str | None = None, status: str | None = None, number: int | None = None,
        fields: Mapping[str, str] | None = None, relations: tuple[tuple[str, str], ...] = (),
    ) -> None:
        self.document = document
        self.index = -1  # position in document.entries; set by Document
        self.kind = kind  # "section", "bullet", "body" or "file"
        self.start = start
        self.end = end
        self.line = line
        self.end_line = end_line
        self.heading = heading  # without bullet, hashes and strike; without heading: the first line, cut at 80 characters
        self.heading_path = heading_path  # titles of the headings above it
        self.struck = struck
        self.candidate = candidate
        self.tag = tag  # "stated", "observed", "inferred", "suggested"
        self.date = date  # YYYY-MM-DD, its newest own date or that of the section that dates it
        self.source = source
        self.status = status
        self.number = number
        self.fields = fields or {}  # lower-case label -> text: "decision", "reason", "scope", "reconsider", ...
        self.relations = relations  # (kind, target)

    @property
    def path(self) -> str:
        return self.document.path

    @property
    def role(self) -> str:
        return self.document.place.role

    @property
    def tier(self) -> str:
        return self.document.place.tier

    @property
    def layout(self) -> str:
        return self.document.store.layout

    @property
    def store(self) -> str:
        return self.document.store.path

    @property
    def raw(self) -> bytes:
        """Its exact bytes, whole lines."""
        return self.document.data[self.start : self.end]

    @property
    def text(self) -> str:
        """Its text for reading and comparing: UTF-8, LF endings, outer blank lines off."""
        return plain(self.raw)

    @property
    def id(self) -> str:
        """`PATH#HASH` as CLI.md defines it."""
        return self.document.ids[self.index]

    def moved(self, document: Document, by: int, lines: int) -> Entry:
        """The same entry in another reading, in which it stands so many bytes and lines further down."""
        made = Entry.__new__(Entry)
        for name in _KEPT:
            setattr(made, name, getattr(self, name))
        made.document = document
        made.start, made.end = self.start + by, self.end + by
        made.line, made.end_line = self.line + lines, self.end_line + lines
        return made

    def __repr__(self) -> str:
        return f"<Entry {self.path}:{self.line} {self.heading!r}>"


_KEPT = tuple(name for name in Entry.__slots__ if name not in ("document", "start", "end", "line", "end_line"))


class Document:
    """One memory file as it was read. Parsing is lazy: a list of stores reads no Markdown."""

    def __init__(
        self, path: str, store: Store, place: Place, data: bytes, reader: Callable[[Document], list[Entry]], *,
        aliases: tuple[str, ...] = (), problem: Problem | None = None,
    ) -> None:
        self.path = path
        self.store = store
        self.place = place
        self.data = data
        self.aliases = aliases  # other paths in the workspace that reach the same file
        self.problem = problem  # not None: shown, reported and read-only
        self.drafted: Document | None = None  # as it would be after the newest plan for it: what is planned is soon read
        self.known: Document | None = None  # an earlier reading, whose entries can be taken over where the text is the same
        self._reader = reader

    def after(self, data: bytes) -> Document:
        """The document as it would be read with these bytes; parsed once, however often it is asked for."""
        known = self.drafted
        if known is None or known.data != data:
            known = self.drafted = Document(self.path, self.store, self.place, data, self._reader, aliases=self.aliases)
            known.follow(self)
        return known

    def follow(self, other: Document) -> None:
        """Says that `other` is an earlier reading of the same file. Where nobody looked at that one, the one before it is."""
        self.known = other if "entries" in other.__dict__ else other.known

    @cached_property
    def page(self) -> Page:
        """Its blocks (see `markdown.py`). Of a document that cannot be parsed: a page without blocks."""
        from memdesk.core import markdown

        return markdown.parse(b"" if self.problem and self.problem.rule in UNPARSED else self.data)

    @cached_property
    def entries(self) -> list[Entry]:
        """Its entries in source order, by the rules of its layout."""
        found = self._reader(self)
        self.known = None
        for index, entry in enumerate(found):
            entry.index = index
        return found

    @cached_property
    def ids(self) -> list[str]:
        """The ids of `entries`, in their order."""
        from memdesk.core.ids import entry_ids

        return entry_ids(self)

    @cached_property
    def used_tokens(self) -> int:
        """The token estimate of its whole text (custodian.md, Token estimate)."""
        from memdesk.core.tokens import count

        return count(self.data.decode("utf-8", "replace"))

    def budgets(self) -> list[Budget]:
        """Its use against each of its caps; none where its place has no cap."""
        if not self.place.caps:
            return []
        from memdesk.core.tokens import measure

        text = self.data.decode("utf-8", "replace")
        return [
            Budget(self.path, cap.unit, self.used_tokens if cap.unit == "tokens" else measure(text, cap.unit), cap.limit)
            for cap in self.place.caps
        ]


UNREADABLE = "unreadable"  # what opening the workspace says of a file or folder that cannot be read
UNPARSED = frozenset({"encoding", "file-size", "link-outside", UNREADABLE})


class Store:
    """One memory system on disk: its layout's name, its folder (workspace-relative, "." for the root) and why it is one.

    `settings` is the layout's own reading of its manifest or configuration. `read_only` says why it cannot be written.
    `marker`: something on disk names it a store (a manifest); False where only its shape was recognised. `fault`: why its
    own settings could not be read; a check of it then exits with 2, and other stores are none the worse.
    """

    __slots__ = ("fault", "layout", "marker", "path", "read_only", "reason", "settings")

    def __init__(
        self, layout: str, path: str, reason: str, settings: Any = None, read_only: str | None = None, *, marker: bool = True,
        fault: MemdeskError | None = None,
    ) -> None:
        self.layout = layout
        self.path = path
        self.reason = reason
        self.settings = settings
        self.read_only = read_only
        self.marker = marker
        self.fault = fault

    def join(self, name: str) -> str:
        """The workspace-relative path of a file of this store."""
        return name if self.path == "." else f"{self.path}/{name}"

    def inner(self, path: str) -> str | None:
        """A workspace-relative path as the store has it; None for one that lies outside of its folder."""
        if self.path == ".":
            return path
        return path[len(self.path) + 1 :] if path.startswith(self.path + "/") else None

    def named(self, path: str) -> str:
        """A workspace-relative path as people say it: from the store's folder where it lies in there."""
        inner = self.inner(path)
        return path if inner is None else inner

    def __repr__(self) -> str:
        return f"<Store {self.layout} {self.path}>"


class NearMiss(NamedTuple):
    """A folder that looks like a store and isn't one, with what is missing."""

    path: str
    why: str


class Workspace:
    """A repository root with its stores, read from one Tree. A value: refreshing makes a new one (`workspace.py`)."""

    def __init__(
        self, tree: Tree, stores: list[Store], documents: Mapping[str, Document], near_misses: list[NearMiss],
        problems: list[Finding], reading: Any = None,
    ) -> None:
        self.tree = tree
        self.stores = stores
        self.documents = documents  # keyed by path, in path order; memory files of all stores
        self.near_misses = near_misses
        self.problems = problems  # findings of opening it: ties, links out of the repository, names that clash
        self.reading = reading  # what `workspace.refresh` needs to know of this reading
        self.beside: Callable[[str], Sequence[str]] = _nowhere  # the names in a folder on the default branch (fork.Beside)
        self.ancestor: Callable[[Document], bytes | None] = _nothing  # what a marked file's sides come from (unmerged.Ancestor)

    def follow(self, other: Workspace) -> Workspace:
        """This reading, which asks where an earlier one of the same folder did."""
        self.beside, self.ancestor = other.beside, other.ancestor
        return self

    def documents_of(self, store: Store) -> list[Document]:
        return [document for document in self.documents.values() if document.store is store]

    def store_name(self, store: Store) -> str:
        """What names a store among those here: its path; where several lie at one path, `PATH:LAYOUT`."""
        alone = all(other is store or other.path != store.path for other in self.stores)
        return store.path if alone else f"{store.path}:{store.layout}"

    def stores_named(self, name: str) -> list[Store]:
        """The stores that a name can mean: those at that path, the one of that layout at it (`PATH:LAYOUT`), else those of
        that layout. A path with bytes that are no text goes by what is shown of it too."""
        found = [store for store in self.stores if name in _spellings(store)]
        found = found or [store for store in self.stores if name in (f"{one}:{store.layout}" for one in _spellings(store))]
        return found or [store for store in self.stores if store.layout == name]

    def entries(self) -> Iterator[Entry]:
        """Every entry of all stores, by path and line."""
        for document in self.documents.values():
            yield from document.entries

    def candidates(self) -> list[Entry]:
        return [entry for entry in self.entries() if entry.candidate]

    def find(self, ident: str) -> Entry:
        """The entry that an id names. Raises UnknownEntry for one that is stale, ambiguous or malformed."""
        from memdesk.core.ids import find

        return find(self, ident)

    def unreadable(self) -> list[StoreError]:
        """The files and folders that could not be read at all, as errors that name them: what is in them nobody knows."""
        found = [
            StoreError(item.message, path=item.path, line=item.line, remedy=item.hint)
            for item in self.problems if item.rule == UNREADABLE
        ]
        return found + [
            StoreError(document.problem.message, path=document.path)
            for document in self.documents.values() if document.problem is not None and document.problem.rule == UNREADABLE
        ]

    def looked_at(self) -> str:
        """Where there is no store: what is none, and why, and what cannot be read and so may be one; "" for nothing."""
        missed = [f"{miss.path}: {miss.why.rstrip('.')}" for miss in self.near_misses]
        missed += [f"{error.path}: {error.message.rstrip('.')}" for error in self.unreadable()]
        return f" Looked at: {'; '.join(missed)}." if missed else ""

    def budgets(self, store: Store | None = None) -> list[Budget]:
        """The meters, in the order of the documents, then those of whole stores; those without a cap are left out."""
        from memdesk.core.layouts import get

        chosen = self.documents.values() if store is None else self.documents_of(store)
        found = [budget for document in chosen for budget in document.budgets()]
        for one in self.stores if store is None else (store,):
            found += get(one.layout).meters(self, one)
        return [budget for budget in found if budget.cap is not None]


def _nowhere(folder: str) -> Sequence[str]:
    return ()


def _nothing(document: Document) -> bytes | None:
    return None


class Finding(NamedTuple):
    """What a rule of the check reports. `severity`: "error" or "warning"; `possible` marks what only meaning can settle.

    `about`: the text that it is about, where that isn't its line's: what tells it from others at its place, and stays while
    lines move (see `checks/fingerprint.py`). It is never shown.
    """

    rule: str
    severity: str
    path: str
    line: int | None
    message: str
    hint: str = ""
    possible: bool = False
    about: str = ""


def _spellings(store: Store) -> tuple[str, str]:
    return store.path, _shown(store.path)


def _shown(path: str) -> str:
    return path.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
