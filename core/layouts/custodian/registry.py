"""The registry of subjects as it is read, `subjects.md`: what entries are about has one id there, whatever it is called."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

from memdesk.core import fields
from memdesk.core.errors import Refused
from memdesk.core.layouts import texts
from memdesk.core.lean import NamedTuple

if TYPE_CHECKING:
    from memdesk.core.model import Entry, Store, Workspace

FILE = "subjects.md"
_LIKE = str.maketrans(
    "\u0430\u0435\u043e\u0440\u0441\u0443\u0445\u0456\u0455\u0458\u04bb\u0501\u051b\u051d\u043a\u043c\u043d\u0442\u0432"
    "\u03b1\u03b5\u03b9\u03ba\u03bd\u03bf\u03c1\u03c4\u03c5\u03c7\u0131",
    "aeopcyxisjhdqwkmhtb" "aeikvoptuxi",
)  # Cyrillic, then Greek, then the dotless i


class Subject(NamedTuple):
    """`reference` is what entries name it by: its id, or its title where the registry gives it none."""

    reference: str
    title: str
    names: frozenset[str]  # all that it is called, normal
    active: bool
    into: str  # the subject that it was merged into, or ""
    entry: Entry


class Registry:
    """All subjects of a store, in the registry's order, looked up by any of their names."""

    def __init__(self, subjects: list[Subject]) -> None:
        self._all = subjects
        self._ids: dict[str, list[Subject]] = {}
        self._names: dict[str, list[Subject]] = {}
        self._ends: dict[str, Subject | None] = {}
        for subject in subjects:
            self._ids.setdefault(normal(subject.reference), []).append(subject)
            for name in subject.names:
                self._names.setdefault(name, []).append(subject)

    def __iter__(self) -> Iterator[Subject]:
        return iter(self._all)

    def find(self, name: str) -> Subject | None:
        """The subject of that id, title, alias or reference; of one that was merged, the one that it went into. Raises Refused
        where several are called so."""
        wanted = normal(name)
        found = self._ids.get(wanted) or self._names.get(wanted, [])
        found = [one for one in found if one.active] or found
        if len(found) > 1:
            raise Refused(
                f"Several subjects are called {name[:60]!r}: {texts.named(one.reference for one in found)}.", field="subject",
                remedy="Name one by its id.",
            )
        return self._end(found[0]) if found else None

    def canonical(self, name: str) -> str:
        """What a subject is compared by, as an entry names it."""
        found = self._one(name.strip("`.*"))
        return normal(name.strip("`.*")) if found is None else normal(found.reference)

    def called(self, name: str) -> str:
        """A subject's title, for people; the name itself where nothing is registered under it."""
        found = self._one(name)
        return name if found is None else found.title

    def choices(self) -> tuple[str, ...]:
        """What a person picks from: the titles of active subjects; their ids where a title is another's too."""
        active = [subject for subject in self._all if subject.active]
        often = Counter(normal(subject.title) for subject in active)
        return tuple(one.title if often[normal(one.title)] == 1 else one.reference for one in active)

    def picked(self, name: str) -> str:
        """The one of `choices` that a name or id stands for; the name itself where it is none."""
        found = self._one(name)
        offered = self.choices()
        if found is None:
            return name
        return next((one for one in (found.title, found.reference) if one in offered), name)

    def _end(self, subject: Subject) -> Subject | None:
        """Where a subject went in the end; the last of a chain that leads back. Each chain is gone along once."""
        passed: dict[str, None] = {}
        at: Subject | None = subject
        while at is not None and at.into and at.reference not in passed and at.reference not in self._ends:
            passed[at.reference] = None
            at = next(iter(self._ids.get(normal(at.into), ())), at)  # one that went nowhere ends where it is
        end = at if at is None else self._ends.get(at.reference, at)
        self._ends.update(dict.fromkeys(passed, end))
        return end

    def _one(self, name: str) -> Subject | None:
        try:
            return self.find(name)
        except Refused:
            return None


def registry(workspace: Workspace, store: Store) -> Registry:
    """The registry of a store; an empty one where it has none."""
    document = workspace.documents.get(store.join(FILE))
    entries = [] if document is None else [entry for entry in document.entries if entry.kind == "section"]
    return Registry([subject(entry) for entry in entries])


def subject(entry: Entry) -> Subject:
    """What an entry of the registry says."""
    title = texts.flat(entry.fields.get("title") or entry.heading)
    ident = entry.fields.get("id", "")
    aliases = fields.items(entry.fields.get("aliases", ""))
    names = frozenset(normal(name) for name in (title, entry.fields.get("canonical-ref", ""), *aliases) if name.strip())
    into = entry.fields.get("merged-into", "").strip("` ")
    active = not into and not entry.struck and entry.status in (None, "active")
    return Subject(ident or title, title, names, active, into, entry)


def looks(name: str) -> str:
    """What a name looks like: letters of other scripts that look like Latin ones count as these."""
    return normal(name).translate(_LIKE)


def normal(name: str) -> str:
    """A name to compare by: case, width and white space set aside, nothing else."""
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split()).strip("`")
