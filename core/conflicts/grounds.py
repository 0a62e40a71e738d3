"""Memory that rests on what no longer stands: an entry that names a superseded or rejected record as its ground."""

from __future__ import annotations

from collections.abc import Iterator

from memdesk.core import layouts, ranking
from memdesk.core.conflicts.conflict import Conflict, whole
from memdesk.core.conflicts.library import record_name
from memdesk.core.layouts.base import Version
from memdesk.core.lean import TYPE_CHECKING

if TYPE_CHECKING:
    from memdesk.core.conflicts.library import Library, Meant
    from memdesk.core.layouts.claims import Ground
    from memdesk.core.model import Document, Entry


def grounds(library: Library) -> Iterator[Conflict]:
    """One conflict for each entry and record. Exact where the form says that the record is the ground and no other record
    could be meant; a record that is only named is possible. An entry that also names what came in the record's place, or
    tells of it as history, knows: none."""
    if not any(record.struck for record in library.records):
        return
    for document in library.memory:
        yield from _in(document, library)


def _in(document: Document, library: Library) -> Iterator[Conflict]:
    named: dict[Entry, list[tuple[Ground, Meant]]] = {}
    for ground in layouts.get(document.store.layout).grounds(document):
        meant = library.named(ground.entry, ground.number, ground.path)
        if meant is not None:
            named.setdefault(ground.entry, []).append((ground, meant))
    for entry, refs in named.items():
        known = {meant.record for _, meant in refs}
        dead = [(ground, meant) for ground, meant in refs if meant.record.struck]
        for record in dict.fromkeys(meant.record for _, meant in dead):
            mine = [(ground, meant) for ground, meant in dead if meant.record is record]
            after = library.successors(record)
            if any(ground.neutral for ground, _ in mine) or any(one in known for one in after):
                continue
            stone = ranking.kind(entry) == "tombstone"
            if stone and record.status == "rejected":
                continue  # what was rejected is just what it rejects
            firm = next(((ground, meant) for ground, meant in mine if ground.firm and meant.sure), None)
            ground, meant = firm or mine[0]
            exact = firm is not None and not stone
            standing = next((one for one in after if library.stands(one)), None)
            yield _conflict(entry, record, standing, ground, exact)


def _conflict(entry: Entry, record: Entry, standing: Entry | None, ground: Ground, exact: bool) -> Conflict:
    name = record_name(record)
    state = record.status or "closed"
    by = f" by {record_name(standing)}" if standing is not None and state == "superseded" else ""
    says = f"names {name} as its ground" if ground.firm else f"mentions {name}"
    reason = f"it {says}, which is {state}{by}"
    sides = (whole(record), Version(entry, ground.line, entry.text))
    return Conflict("ground", exact, reason, sides if standing is None else (*sides, whole(standing)), name)
