"""What a compaction is made of: the memory, the entries of fragments, and the progress notes that are not in it yet."""

from __future__ import annotations

import json
from collections.abc import Mapping
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from memdesk.core import judgments, layouts
from memdesk.core.compacting import keys
from memdesk.core.compacting.form import Form, Found, Fragment, Task
from memdesk.core.errors import Refused, UsageError
from memdesk.core.lean import NamedTuple

if TYPE_CHECKING:
    from datetime import date

    from memdesk.core.model import Document, Entry, Store, Workspace


class Noted(NamedTuple):
    """An entry that has to be accounted for. `number` counts from 1; `section` is one of the form's, "" for none, and `title`
    that of another one; `under`: the headings below it (without a section: all of them), in one; `task` and `day` (YYYY-MM-DD)
    are "" where nothing says; `note`: from progress notes."""

    number: int
    entry: Entry
    key: str
    section: str
    title: str
    under: str
    task: str
    day: str
    note: bool

    def source(self, *, titled: bool = True) -> str:
        """Where it is from, as it stands behind the entry in the memory. `titled`: with the title of a section that the memory
        hasn't got."""
        under = " / ".join(part for part in (self.title if titled else "", self.under) if part)
        return keys.source(self.task, self.day, under, note=self.note)


class Materials(NamedTuple):
    """All in order. `memory` is None where there is none yet; it goes to `path`. `warnings`: what a person should know of
    before the draft is accepted; `changed`: what is no longer what was read first; `read` binds a request to all of it."""

    store: Store
    feature: str
    path: str
    memory: Document | None
    fragments: tuple[Fragment, ...]
    notes: Document | None
    entries: tuple[Noted, ...]
    tasks: tuple[Task, ...]
    form: Form
    read: str
    changed: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    found: Found | None = None

    @property
    def empty(self) -> bool:
        """Whether there is nothing to compact."""
        return not self.fragments and not self.entries

    def archived(self, document: Document, today: date) -> str:
        """Where a fragment goes when it is archived."""
        assert self.found is not None
        return self.found.archived(document, today)


def features(workspace: Workspace, store: Store) -> tuple[str, ...]:
    """The features of a store that a compaction can be about."""
    return tuple(layouts.get(store.layout).features(workspace, store))


def gather(workspace: Workspace, store: Store, feature: str, read: str = "") -> Materials:
    """The materials of a feature. `read`: `Materials.read` of an earlier gathering: what came since is left alone, and named
    in the warnings. Raises UsageError (an unknown feature, with those known), Refused (a `read` that is none)."""
    known = features(workspace, store)
    if feature not in known:
        there = f"Known: {', '.join(known)}." if known else "There is none yet: `memdesk add TEXT --feature F --task-id T`."
        raise UsageError(f"There is no feature {feature!r}.", remedy=there)
    found = layouts.get(store.layout).compaction(workspace, store, feature)
    warnings = list(found.faults)
    fragments = []
    for fragment in found.fragments:
        problem = fragment.document.problem
        if problem is not None:
            warnings.append(f"{store.named(fragment.document.path)} stays where it is: {problem.message}")
            continue
        unclosed = fragment.document.page.unclosed
        if unclosed is not None:
            where = f"{store.named(fragment.document.path)}:{unclosed.line}"
            warnings.append(f"{where}: a {unclosed.kind} begins here that never closes; what is in it is one text, or none.")
        fragments.append(fragment)
    notes = found.notes
    if notes is not None and notes.problem is not None:
        warnings.append(f"{store.named(notes.path)} is not read: {notes.problem.message}")
        notes = None
    memory = found.memory
    changed: list[str] = []
    limit = None if notes is None else len(notes.data)
    if read:
        bound = _parsed(read)
        fragments, arrived, changed = _bound(fragments, bound)
        warnings += [f"{store.named(path)} came since, and stays where it is." for path in arrived]
        if _digest(memory) != bound["memory"]:
            changed.append(found.path)
        limit, digest = bound["notes"]
        if limit and (notes is None or sha256(notes.data[:limit]).hexdigest() != digest):
            changed.append(found.path if notes is None else notes.path)
    judged, error = judgments.held(workspace.tree)
    if error is not None:
        warnings.append(f"What was left out earlier can't be told: {error}")
    entries = _entries(found._replace(fragments=tuple(fragments), notes=notes), limit or 0, _left_before(judged, feature))
    return Materials(
        store, feature, found.path, memory, tuple(fragments), notes, tuple(entries), found.tasks, found.form,
        _read(memory, fragments, notes, limit or 0), tuple(changed), tuple(warnings), found,
    )


def subject(feature: str) -> str:
    """The kind of the judgments on what a compaction of a feature left out."""
    return f"compact {feature}"


def _left_before(judged: list[judgments.Judgment], feature: str) -> set[str]:
    wanted = subject(feature)
    return {digest for judgment in judged if judgment.kind == wanted for digest in judgment.digests}


def _entries(found: Found, limit: int, left: set[str]) -> list[Noted]:
    form = found.form
    listed: list[Noted] = []
    for fragment in found.fragments:
        day = "" if fragment.stamp is None else fragment.stamp.date().isoformat()
        for entry in fragment.document.entries:
            listed.append(Noted(len(listed) + 1, entry, keys.key_of(entry), *_headings(form, entry), fragment.task, day, False))
    if found.notes is not None:
        had = {} if found.memory is None or found.memory.problem is not None else keys.index(found.memory).every
        for entry in found.notes.entries:
            key = keys.key_of(entry)
            if entry.end > limit or key in had or judgments.digest(key) in left:
                continue
            task = entry.fields.get("task", "")
            listed.append(Noted(len(listed) + 1, entry, key, "", "", "", task, entry.date or "", True))
    return listed


def _headings(form: Form, entry: Entry) -> tuple[str, str, str]:
    """The section of an entry, or the title of another one, and the headings above it below that."""
    section = entry.fields.get("section", "")
    titles = list(entry.heading_path)
    at = max((at for at, title in enumerate(titles) if section and section in (title, form.section_of(title))), default=None)
    below = titles if at is None else titles[at + 1 :]  # where nothing says what section it is, a title says what it is about
    known = section in form.sections
    return section if known else "", "" if known else section, " / ".join(below)


def _bound(fragments: list[Fragment], bound: Mapping[str, Any]) -> tuple[list[Fragment], list[str], list[str]]:
    """The fragments that were read, those that came since, and the paths of those that changed or went."""
    known: Mapping[str, str] = bound["fragments"]
    here = {fragment.document.path: fragment for fragment in fragments}
    changed = [path for path, digest in known.items() if path not in here or _digest(here[path].document) != digest]
    return [here[path] for path in here if path in known], [path for path in here if path not in known], changed


def _digest(document: Document | None) -> str | None:
    return None if document is None else sha256(document.data).hexdigest()


def _read(memory: Document | None, fragments: list[Fragment], notes: Document | None, limit: int) -> str:
    told = [limit, sha256(notes.data[:limit]).hexdigest() if notes is not None and limit else ""]
    listed = {fragment.document.path: _digest(fragment.document) for fragment in fragments}
    return json.dumps({"fragments": listed, "memory": _digest(memory), "notes": told}, sort_keys=True)


def _parsed(read: str) -> Mapping[str, Any]:
    try:
        found = json.loads(read)
        limit, digest = found["notes"]
        if isinstance(found["fragments"], dict) and isinstance(limit, int) and isinstance(digest, str) and "memory" in found:
            return dict(found)
    except (ValueError, KeyError, TypeError, RecursionError):
        pass
    raise Refused("This says in no known form what the draft was made from.", remedy="Draft again.", field="read")
