"""What an open workspace says of its conflicts: which there are, what people decided about them, how each can be settled.

Every front end asks here, so that what is dismissed for one is dismissed for all.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memdesk.core.conflicts import Conflict
    from memdesk.core.conflicts.differs import Differing
    from memdesk.core.errors import StoreError
    from memdesk.core.judgments import Judgment
    from memdesk.core.model import Entry, Store, Workspace
    from memdesk.core.settling import Choice

TRACKED = (".memdesk/judgments.toml", ".memdesk/sessions.toml")  # of judgments and of sessions


class Disputed:
    """A part of `opened.Opened`. The conflicts are kept for one reading."""

    workspace: Workspace
    _conflicts: tuple[Workspace, list[Conflict]] | None = None
    _seen: tuple[bytes | None, ...] = ()  # the files of `TRACKED`, as they were looked at last

    def store(self, path: str | None) -> Store:
        raise NotImplementedError

    def conflicts(self, store: str | None = None, *, alike: bool = False) -> list[Conflict]:
        """Entries that cannot all be current, dismissed ones too; with a store, those with a side in it. `alike`: those too
        whose texts have to be compared for it (see `differing`), which can take seconds. Raises UsageError."""
        from memdesk.core.conflicts import find

        if self._conflicts is None or self._conflicts[0] is not self.workspace:
            self._conflicts = (self.workspace, find(self.workspace))
        found = self._conflicts[1]
        if alike:
            found = [*found, *self.differing().conflicts]
        if store is None:
            return found
        own = self.store(store)
        return [clash for clash in found if any(entry.document.store is own for entry in clash.entries)]

    def differing(
        self, progress: Callable[[int, int], object] | None = None, stopped: Callable[[], bool] | None = None
    ) -> Differing:
        """Entries of nearly the same words that differ in a number, a date or a "not", and what was not compared for it. Done
        once for a reading; `stopped` ends it early (see `alike.alike`)."""
        from memdesk.core.conflicts.differs import differing

        return differing(self.workspace, self.conflicts(), progress=progress, stopped=stopped)

    def conflict(self, ident: str) -> Conflict:
        """The conflict of an id, whatever it takes to find it. Raises UnknownEntry."""
        from memdesk.core.conflicts import named

        found = next((clash for clash in self.conflicts() if clash.id == ident), None)
        return found if found is not None else named(self.conflicts(alike=True), ident)

    def judgment(self, conflict: Conflict) -> Judgment | None:
        """What a person decided about a conflict, where it still speaks of exactly these texts. Raises StoreError for a file
        of judgments that can't be read."""
        from memdesk.core import judgments

        return judgments.find(judgments.read(self.workspace.tree), conflict.subject, conflict.digests)

    def opposed(self, candidates: Sequence[Entry]) -> dict[str, str]:
        """Id -> why, of the candidates that would be in exact conflict with a record or a term if they held."""
        from memdesk.core.opposing import opposed

        return opposed(self.workspace, candidates)

    def judgments_fault(self) -> StoreError | None:
        """Why what people decided can't be read: then nothing counts as dismissed."""
        from memdesk.core.judgments import held

        return held(self.workspace.tree)[1]

    def judged(self, store: str | None = None, *, alike: bool = False) -> list[tuple[Conflict, Judgment | None]]:
        """The conflicts, each with what a person decided about it. `alike` as for `conflicts`. Raises UsageError."""
        return self.judge(self.conflicts(store, alike=alike))

    def judge(self, found: Sequence[Conflict]) -> list[tuple[Conflict, Judgment | None]]:
        """Conflicts, each with what a person decided about it; where the judgments can't be read, none has one."""
        from memdesk.core.judgments import held

        known = {(one.kind, one.digests): one for one in held(self.workspace.tree)[0]} if found else {}  # the newest wins
        return [(clash, known.get((clash.subject, clash.digests)) if known else None) for clash in found]

    def open_conflicts(self, store: str | None = None) -> list[Conflict]:
        """Those that nobody dismissed; all of them, where the judgments can't be read. Raises UsageError."""
        return [clash for clash, judgment in self.judged(store) if judgment is None]

    def choices(self, conflict: Conflict) -> list[Choice]:
        """How a person can settle a conflict, what its ranking says first (see `settling.Choice`)."""
        from memdesk.core.settling import choices

        return choices(self.workspace, conflict)

    def judged_anew(self, look: bool = False) -> bool:
        """Whether one of the files of `TRACKED`, where people's decisions stand, is another one than at the last call; `look`
        leaves that as it was."""
        from memdesk.core import tracked
        from memdesk.core.errors import StoreError

        found: list[bytes | None] = []
        for path in TRACKED:
            try:
                found.append(tracked.data(self.workspace.tree, path))
            except StoreError as error:
                found.append(str(error).encode())
        differs = tuple(found) != self._seen
        if not look:
            self._seen = tuple(found)
        return differs
