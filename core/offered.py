"""What verbs offer for entries of an open workspace: where these can go, and what a person is asked first."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from memdesk.core.errors import UnknownEntry, UsageError
from memdesk.core.opened import Opened

if TYPE_CHECKING:
    from memdesk.core.gate import Gate
    from memdesk.core.layouts.base import Ask, Destination
    from memdesk.core.model import Entry


class Offered(Opened):
    """A part of `desk.Desk`."""

    def destinations(self, ids: Sequence[str]) -> list[Destination]:
        """Where all of these can go, in the first one's order, its own store's places before those of others; a default is
        proposed where it is that of all, so that no entry's reason goes to another. Raises UnknownEntry."""
        from memdesk.core import across

        common: list[Destination] | None = None
        for entry in self._entries(ids):
            found = [goal.destination for goal in across.goals(self.workspace, entry)]
            others = {destination.id: destination for destination in found}
            common = found if common is None else [_agreed(one, others[one.id]) for one in common if one.id in others]
        return common or []

    def passing(self, ident: str) -> dict[str, str]:
        """For each destination of a candidate the one of the same store that takes what won't last. Raises UnknownEntry."""
        from memdesk.core import across

        return across.passing(self.workspace, self.workspace.find(ident))

    def gate(self, entry: Entry) -> Gate | None:
        """The recurrence gate before a candidate, with the signals that may speak for it; None where none stands there."""
        from memdesk.core import layouts

        store = entry.document.store
        return layouts.get(store.layout).gate(self.workspace, store, entry, self.clock.today())

    def asks(self, verb: str, ids: Sequence[str]) -> tuple[Ask, ...]:
        """The fields that a verb's dialog asks for: what any of these entries needs. Raises UnknownEntry, UsageError."""
        from memdesk.core import layouts

        asks: dict[str, Ask] = {}
        for entry in self._entries(ids):
            store = entry.document.store
            layout = layouts.get(store.layout)
            if verb not in layout.verbs:
                raise UsageError(f"The layout {layout.name} does not know {verb!r}.")
            for ask in layout.informed(self.workspace, verb, entry, layout.asks(store, verb, entry)):
                known = asks.get(ask.field)
                asks[ask.field] = ask if known is None or (ask.required and not known.required) else known
        return tuple(asks.values())

    def subjects(self, ids: Sequence[str]) -> tuple[str, ...]:
        """What verdicts on these are about: a line of an index that names a fact stands for the fact."""
        from memdesk.core import asked

        return tuple(asked.subjects(self.workspace, ids))

    def instead(self, verb: str, ids: Sequence[str]) -> str:
        """The verb whose dialog answers a person's key for these entries: a strike may be a correction. For none, or for what
        is no entry any more, it is the same verb."""
        from memdesk.core import asked

        try:
            return asked.instead(verb, [self.workspace.find(ident) for ident in ids])
        except UnknownEntry:
            return verb

    def ends(self, ids: Sequence[str]) -> str:
        """The verb by which these go where nothing new is said instead of them; "" where they differ. Raises UnknownEntry."""
        from memdesk.core import layouts

        found = {layouts.get(entry.layout).ends(self.workspace, entry) for entry in self._entries(ids)}
        return found.pop() if len(found) == 1 else ""

    def singly(self, verb: str, ids: Sequence[str]) -> bool:
        """Whether a verb takes these one after the other, by the layout of any of them, or since what a person has to answer
        before it is not the same for all. Raises UnknownEntry."""
        from memdesk.core import layouts

        entries = [self.workspace.find(ident) for ident in ids]
        if any(verb in layouts.get(entry.layout).singly for entry in entries):
            return True
        before = {layouts.get(entry.layout).vouched(entry) for entry in entries if entry.candidate}
        return verb in ("promote", "merge") and len(before - {()}) > 1

    def promotable(self, ids: Sequence[str]) -> bool:
        """Whether all of these can be promoted: candidates, and what else their layout lets be taken up."""
        from memdesk.core import layouts

        try:
            entries = [self.workspace.find(ident) for ident in ids]
        except UnknownEntry:
            return False
        return all(layouts.get(entry.layout).promotable(entry) for entry in entries)

    def _entries(self, ids: Sequence[str]) -> list[Entry]:
        if not ids:
            raise UsageError("No entry is chosen.")
        try:
            return [self.workspace.find(ident) for ident in ids]
        except UnknownEntry as error:
            from memdesk.core.drift import unread

            raise unread(ids, self.workspace) or error from None


def _agreed(one: Destination, other: Destination) -> Destination:
    """A destination whose fields propose only what both entries have."""
    defaults = {ask.field: ask.default for ask in other.asks}
    asks = tuple(ask if defaults.get(ask.field) == ask.default else ask._replace(default="") for ask in one.asks)
    return one._replace(asks=asks, fits=one.fits and other.fits)
