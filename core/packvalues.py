"""What a comparison of two packs says: the values of `packdiff.py`."""

from __future__ import annotations

from memdesk.core.lean import NamedTuple
from memdesk.core.packseen import Seen


class Pair(NamedTuple):
    """One entry before and after."""

    before: Seen
    after: Seen


class RouteChange(NamedTuple):
    """Why a memory file loads or stays out, before and after; None where there is no such file."""

    path: str
    before: str | None
    after: str | None


class Difference(NamedTuple):
    """What one task's pack gains and loses, or that of one module that can be asked for (`module`: "area:storage", and `task`
    is then ""). Each piece of a text is named once: an entry that a budget leaves out now is `newly_omitted` and not lost, one
    that is new and left out at once isn't gained.

    `moved`: the same text in another file or at another place of its file. `reordered`: files that load at another place.
    `framing`: what the pack says beside its entries and says otherwise now: how much is omitted, what is missing, its notes.
    `notes`: what no agent reads. `incomplete`: the pack lacks something after. `failures`: why a side has no such pack.
    """

    store: str
    task: str
    module: str
    tokens_before: int
    tokens_after: int
    gained: tuple[Seen, ...] = ()
    lost: tuple[Seen, ...] = ()
    changed: tuple[Pair, ...] = ()
    moved: tuple[Pair, ...] = ()
    newly_omitted: tuple[Seen, ...] = ()
    no_longer_omitted: tuple[Seen, ...] = ()
    files_added: tuple[str, ...] = ()
    files_removed: tuple[str, ...] = ()
    routes: tuple[RouteChange, ...] = ()
    reordered: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    framing: tuple[str, ...] = ()
    incomplete: bool = False
    failures: tuple[str, ...] = ()

    @property
    def empty(self) -> bool:
        """Whether an agent reads the same; why it does, and what nobody reads, may differ."""
        return not any((
            self.gained, self.lost, self.changed, self.moved, self.newly_omitted, self.no_longer_omitted, self.files_added,
            self.files_removed, self.reordered, self.framing,
        ))
