"""Keys that are typed while a dialog opens: kept in order, and given to it once it can take them.

Each key waits until the dialog has answered the one before: Enter confirms no plan that is not on screen. What is left
when the dialog closes is dropped, since it was typed for an entry that is gone from the screen.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, cast

from textual import events
from textual.message_pump import MessagePump
from textual.widgets import Input, TextArea

from memdesk.tui import keymaps, verbs

if TYPE_CHECKING:
    from memdesk.tui.app import Workbench

SOON = 1.0  # seconds in which a dialog opens; without one the keys go where they would have gone
PATIENCE = 3.0  # seconds that a dialog may take to answer; then its keys go their usual way again
STEP = 0.01  # seconds between two looks whether the dialog can take a key


class Ahead(MessagePump):
    """Type-ahead, mixed into the app. A dialog that takes it says by `settled` whether it answered what came so far."""

    _ahead: list[events.Key] | None = None  # None: keys go their usual way
    _from = 1  # how many screens there were when it began
    _opened = False
    _until = 0.0
    _busy = 0.0  # until when the key given last may still be under way

    @property
    def _app(self) -> Workbench:
        return cast("Workbench", self)

    def keeps(self, event: events.Event) -> bool:
        """Whether a key was put aside for the dialog that opens."""
        if self._ahead is None or not isinstance(event, events.Key) or event.is_forwarded or event.key == keymaps.ALWAYS_QUIT:
            return False
        if event.key == "escape" and self._opened:
            self._ahead = None  # whoever leaves need not wait, and wants nothing of what was typed
            return False
        self._ahead.append(event)
        return True

    def opens(self, event: events.Event) -> bool:
        """Whether a key is one that opens a verdict's dialog where the focus is now."""
        bench = self._app
        if not isinstance(event, events.Key) or event.is_forwarded or isinstance(bench.focused, (Input, TextArea)):
            return False
        where = getattr(bench.screen, "verbs_of", bench.current if len(bench.screen_stack) == 1 else "")
        return any(
            verb.group == "Verdicts" and where in verb.panes and event.key in keymaps.keys(verb, bench.keymap_).split(",")
            for verb in verbs.VERBS
        )

    def hold_keys(self) -> None:
        """Put keys aside from now, for the dialog that is about to open."""
        if self._ahead is None:
            self._ahead, self._opened, self._busy = [], False, 0.0
            self._from, self._until = len(self._app.screen_stack), time.monotonic() + SOON
            self._app.set_timer(STEP, self._give)

    def let_keys_go(self) -> None:
        """No dialog opens: the keys go where they would have gone."""
        kept, self._ahead = self._ahead, None
        for key in kept or ():
            self.post_message(key)

    async def _give(self) -> None:
        if self._ahead is None:
            return
        bench = self._app
        now = time.monotonic()
        if len(bench.screen_stack) <= self._from:
            if self._opened:
                self._ahead = None
                return
            if now > self._until:
                self.let_keys_go()
                return
        else:
            self._opened = True
            settled = getattr(bench.screen, "settled", None)
            if settled is None or (settled and not self._ahead and now > self._busy):
                self._ahead = None  # a message about a failure takes no keys that were meant for something else
                return
            if settled is False and now > self._until + PATIENCE:
                self.let_keys_go()
                return
            if settled and now > self._busy:
                self._until = now
                await self._give_some()
        bench.set_timer(STEP, self._give)

    async def _give_some(self) -> None:
        """One key, or as many as make one run of text."""
        bench = self._app
        while self._ahead:
            key = self._ahead.pop(0)
            target = bench.focused or bench.screen
            key.time = bench.key_time = time.monotonic()  # what it answers is on screen by now
            self._busy = bench.key_time + SOON
            await bench.deliver(key)
            if not (self._ahead and isinstance(target, (Input, TextArea)) and key.is_printable and self._ahead[0].is_printable):
                break
        target.call_later(self._taken)

    def _taken(self) -> None:
        """The widget is done with the key; what follows from it is seen by `settled`, a moment later."""
        self._busy = time.monotonic() + STEP
