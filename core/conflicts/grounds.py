"""Memory that rests on what no longer stands: an entry that names a superseded or rejected record as its ground."""

from __future__ import annotations

from collections.abc import Iterator

from memdesk.core import layouts, ranking
from memdesk.core.conflicts.conflict import Conflict, whole
from memdesk.core.conflicts.library import record_name
from memdesk.core.layouts.base import Version
from memdesk.core.lean import TYPE_CHECKING

if TYPE_CHECKING:
    from memdesk.core.conflicts.library import Library
    from memdesk.core.layouts.claims import Ground
    from memdesk.core.model import Document, Entry

MOST = 30  # times that one entry names one record and is looked at for it


def grounds(library: Library) -> Iterator[Conflict]:
    """One conflict for each entry and record. Exact where the form says that the record is the ground and no other record
    could be meant; a record that is only named is possible. An entry that also names what came in the record's place, or
    tells of it as history, knows: none."""
    if not any(record.struck for record in library.records):
        return
    for document in library.memory:
        yield from _in(document, library)


def _in(document: Document, library: Library) -> Iterator[Conflict]:
    named: dict[Entry, dict[Entry, list[tuple[Ground, bool]]]] = {}  # entry -> record -> where, and whether it is sure
    for ground in layouts.get(document.store.layout).grounds(document):
        meant = library.named(ground.entry, ground.number, ground.path)
        if meant is not None:
            refs = named.setdefault(ground.entry, {}).setdefault(meant.record, [])
            if len(refs) < MOST:
                refs.append((ground, meant.sure))
    for entry, known in named.items():
        stone = ranking.kind(entry) == "tombstone"
        for record, refs in known.items():
            if not record.struck or (stone and record.status == "rejected"):
                continue  # it stands; or it was rejected, and the tombstone says just that
            after = library.successors(record)
            if any(one in known for one in after):
                continue
            weighed = [(ground, sure, *ground.weighed()) for ground, sure in refs]
            if any(neutral for *_, neutral in weighed):
                continue
            ground, sure, firm, _ = max(weighed, key=lambda one: (one[2] and one[1], one[2]))
            standing = next((one for one in after if library.stands(one)), None)
            yield _conflict(entry, record, standing, ground, firm and sure and not stone, firm=firm)


def _conflict(
    entry: Entry, record: Entry, standing: Entry | None, ground: Ground, exact: bool, *, firm: bool
) -> Conflict:
    name = record_name(record)
    state = record.status or "closed"
    by = f" by {record_name(standing)}" if standing is not None and state == "superseded" else ""
    says = f"names {name} as its ground" if firm else f"mentions {name}"
    reason = f"it {says}, which is {state}{by}"
    sides = (whole(record), Version(entry, ground.line, entry.text))
    return Conflict("ground", exact, reason, sides if standing is None else (*sides, whole(standing)), name)
