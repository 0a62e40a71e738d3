"""What may speak for an inferred lesson: like lines in the dated notes. Whether they are independent the person says."""

from __future__ import annotations

from collections import Counter
from datetime import date
from weakref import WeakKeyDictionary

from memdesk.core.gate import Gate, Signal
from memdesk.core.layouts.agent_memory.entries import note_date
from memdesk.core.lean import TYPE_CHECKING
from memdesk.core.words import words

if TYPE_CHECKING:
    from memdesk.core.model import Entry, Store, Workspace

MOST = 20  # signals offered for one lesson
LIKE = 0.5  # share of the shorter line's words that both have
GATED = "inferred"


def gate(workspace: Workspace, store: Store, entry: Entry, today: date) -> Gate | None:
    """The gate before an inferred candidate, the likest lines first; None for any other entry."""
    if not entry.candidate or entry.tag != GATED:
        return None
    found = _like(workspace, store, entry)
    limits = workspace.reading.settings.gate
    own = signal(entry)
    offered = [made for other in found if (made := signal(other)) is not None]
    return Gate.by(limits, [*(() if own is None else (own,)), *offered], None if own is None else own.id, today)


def signal(entry: Entry) -> Signal | None:
    """An entry as a signal; None for one that no dated note holds. A session is a note, or the headed part of one."""
    dated = note_date(entry.path)
    if entry.role != "note" or dated is None:
        return None
    part = entry.heading_path[1] if len(entry.heading_path) > 1 else ""
    return Signal(entry.id, entry.path, entry.line, date.fromisoformat(dated), f"{entry.path}#{part}", entry.fields["text"])


def _like(workspace: Workspace, store: Store, entry: Entry) -> list[Entry]:
    lines = _Lines.of(workspace, store)
    own = words(entry.fields["text"])
    shared: Counter[int] = Counter()
    for word in own:
        shared.update(lines.places.get(word, ()))
    found = []
    for index, count in shared.items():
        other = lines.entries[index]
        least = min(len(own), len(lines.words[index]))
        if other is not entry and count >= min(2, least) and count >= LIKE * least:
            found.append((-count / least, other.path, other.line, other))
    found.sort(key=lambda item: item[:3])
    return [item[-1] for item in found[:MOST]]


class _Lines:
    """The inferred lines of a store's dated notes, by their words; made once for a reading."""

    def __init__(self, entries: list[Entry]) -> None:
        self.entries = entries
        self.words = [words(entry.fields["text"]) for entry in entries]
        self.places: dict[str, list[int]] = {}
        for index, found in enumerate(self.words):
            for word in found:
                self.places.setdefault(word, []).append(index)

    @classmethod
    def of(cls, workspace: Workspace, store: Store) -> _Lines:
        known = _known.setdefault(workspace, {})
        lines = known.get(store.path)
        if lines is None:
            lines = known[store.path] = cls([
                entry for document in workspace.documents_of(store) if document.place.role == "note"
                for entry in document.entries if entry.tag == GATED and not entry.struck
            ])
        return lines


_known: WeakKeyDictionary[Workspace, dict[str, _Lines]] = WeakKeyDictionary()
