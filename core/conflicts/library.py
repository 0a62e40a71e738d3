"""The records, design records and glossaries of a workspace, and which of them hold for an entry of memory.

Which document is which, the layouts say by the rank of its role. A package's glossary and records hold for what lies in the
package, the root's for everything; a number is looked up where the entry lies, outwards.
"""

from __future__ import annotations

import posixpath

from memdesk.core import layouts
from memdesk.core.conflicts.within import SOURCES, readable
from memdesk.core.fields import normal_title
from memdesk.core.lean import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from memdesk.core.layouts.claims import Definition
    from memdesk.core.model import Document, Entry, Store, Workspace


class Meant(NamedTuple):
    """The record that a reference means. `sure`: no other could be meant."""

    record: Entry
    sure: bool


class Library:
    """Read once for one reading of a workspace."""

    def __init__(self, workspace: Workspace) -> None:
        self.records: list[Entry] = []
        self.designs: list[Entry] = []
        self.terms: dict[str, list[Entry]] = {}  # normalised term -> its definitions
        self.memory: list[Document] = []
        self._paths: dict[str, Entry] = {}
        self._names: dict[str, list[str]] = {}  # file name -> the paths of records that end in it
        self._normal: dict[str, str] = {}
        self._defined: dict[Document, Sequence[Definition]] = {}
        self._numbers: dict[int, list[Entry]] = {}
        self._after: dict[Entry, list[Entry]] | None = None
        for document in readable(workspace.documents.values()):
            kind = role_rank(document)
            if kind == "term":
                for entry in document.entries:
                    if not (entry.candidate or entry.struck):
                        self.terms.setdefault(normal_title(entry.fields.get("term") or entry.heading), []).append(entry)
            elif kind in SOURCES:
                (self.records if kind == "record" else self.designs).extend(document.entries)
                if document.entries:
                    self._paths[document.path] = document.entries[0]
                    self._names.setdefault(posixpath.basename(document.path), []).append(document.path)
            elif document.place.role not in layouts.get(document.store.layout).repeats:  # a day's notes are what was, then
                self.memory.append(document)
        for record in self.records:
            if record.number is not None:
                self._numbers.setdefault(record.number, []).append(record)

    @property
    def silent(self) -> bool:
        """Whether there is nothing here that memory could disagree with."""
        return not (self.records or self.designs or self.terms)

    def entries(self) -> Iterator[Entry]:
        """The current entries of memory."""
        for document in self.memory:
            for entry in document.entries:
                if not (entry.struck or entry.candidate):
                    yield entry

    def normal(self, title: str) -> str:
        """A title to compare by, made once: one and the same is looked up as a term, as an alias and as a title."""
        found = self._normal.get(title)
        if found is None:
            found = self._normal[title] = normal_title(title)
        return found

    def definitions(self, document: Document) -> Sequence[Definition]:
        """What a document of memory defines, read once."""
        found = self._defined.get(document)
        if found is None:
            found = self._defined[document] = layouts.get(document.store.layout).definitions(document)
        return found

    def stands(self, record: Entry) -> bool:
        """Whether a record is accepted and not superseded."""
        return not (record.struck or record.candidate) and layouts.get(record.layout).rank(record) == "record"

    def named(self, entry: Entry, number: int | None, path: str | None) -> Meant | None:
        """The record that a reference in an entry means: by its path where one is given and leads there, else by its number
        in the nearest records. None where none can be told."""
        if path is not None:
            found = self._at(entry, path)
            if found is not None:
                return Meant(found, True)
        every = self._numbers.get(number, []) if number is not None else []
        if len(every) < 2:
            return Meant(every[0], True) if every else None
        around = [one for one in every if covers(home(one.document.store), entry.path)]
        if not around:
            return None
        nearest = max(len(home(one.document.store)) for one in around)
        own = [one for one in around if len(home(one.document.store)) == nearest]
        return Meant(own[0], False) if len(own) == 1 else None

    def related(self, entry: Entry, target: str) -> Entry | None:
        """The record that a relation of a record names; None where none or several could be meant."""
        if target.isascii() and target.isdigit():
            every = self._numbers.get(int(target), [])
            own = [one for one in every if one.document.store is entry.document.store] or every
            return own[0] if len(own) == 1 else None
        return self._at(entry, target)

    def successors(self, record: Entry) -> list[Entry]:
        """The records that came in the place of one that no longer stands, the last first: those it names, and those that
        name it."""
        if self._after is None:
            self._after = {}
            for one in self.records:
                for kind, target in one.relations:
                    other = self.related(one, target) if kind in ("supersedes", "superseded-by") else None
                    if other is not None and other is not one:
                        old, new = (other, one) if kind == "supersedes" else (one, other)
                        self._after.setdefault(old, []).append(new)
        found: list[Entry] = []
        waiting = [record]
        while waiting:
            for new in self._after.get(waiting.pop(), ()):
                if new not in found and new is not record:
                    found.append(new)
                    waiting.append(new)
        return found[::-1]

    def _at(self, entry: Entry, path: str) -> Entry | None:
        path = path.partition("#")[0].strip("<>")
        if not path or path.startswith("/") or "://" in path:
            return None
        folder = posixpath.dirname(entry.path)
        for base in dict.fromkeys((folder, home(entry.document.store), "")):
            found = self._paths.get(posixpath.normpath(posixpath.join("" if base == "." else base, path)))
            if found is not None:
                return found
        tail = "/" + posixpath.normpath(path).lstrip("./")
        ending = [known for known in self._names.get(posixpath.basename(path), ()) if ("/" + known).endswith(tail)]
        return self._paths[ending[0]] if len(ending) == 1 else None


def role_rank(document: Document) -> str:
    """What the role of a document ranks as, whatever its entries are; "" for none."""
    return layouts.get(document.store.layout).ranks.get(document.place.role, "")


def home(store: Store) -> str:
    """The folder whose memory a store is: what its layout's usual place lies in, else the store itself."""
    usual = layouts.get(store.layout).init_path
    if usual != "." and (store.path == usual or store.path.endswith("/" + usual)):
        return store.path[: -len(usual)].rstrip("/") or "."
    return store.path


def covers(folder: str, path: str) -> bool:
    """Whether a path lies in a folder, or is it."""
    return folder == "." or path == folder or path.startswith(folder + "/")


def record_name(record: Entry) -> str:
    """How people call a record: `ADR-0007`; one without a number by its file's name."""
    number = record.fields.get("number") or ("" if record.number is None else str(record.number))
    return f"ADR-{number}" if number else record.path.rpartition("/")[2]
