"""While another memdesk holds the lock: a line on stderr that says who, and that Ctrl-C gives up."""

from __future__ import annotations

from memdesk.core.lean import TYPE_CHECKING
from memdesk.tui.cli.output import say

if TYPE_CHECKING:
    from memdesk.core.transaction import Holder


class Told:
    """A waiter for commands. Ctrl-C ends the wait like everything else (exit 130); a script waits only so long."""

    endless = False

    def waits(self, holder: Holder | None) -> None:
        say(f"memdesk: waiting for {holder or 'another memdesk that left no name'}; Ctrl-C gives up, and nothing is written.")

    def ends(self) -> None:
        """What comes next speaks for itself."""

    def cancelled(self) -> bool:
        return False
