"""While another memdesk holds the lock: a line that says who, over every screen, and Escape gives up.

The desk's turn is let go of meanwhile, so that the panes go on reading. What was typed in a dialog stays there.
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, cast

from textual import events, on
from textual.message import Message
from textual.message_pump import MessagePump
from textual.widgets import Static

from memdesk.tui import text

if TYPE_CHECKING:
    from memdesk.core.transaction import Holder
    from memdesk.tui.app import Workbench


class WaitChanged(Message):
    """Who is waited for now, or ""; posted by the thread that waits."""

    def __init__(self, words: str) -> None:
        super().__init__()
        self.words = words


class WaitLine(Static):
    """The line itself, over the last one of the screen."""


class Waiter:
    """What the desk tells of its waits, in the threads of the workers that wait."""

    endless = True  # a person sees it, and can give up

    def __init__(self, bench: Workbench) -> None:
        self._bench = bench
        self._guard = threading.Lock()
        self._waiting: dict[int, bool] = {}  # by thread: whether it had the desk's turn
        self._off: set[int] = set()  # threads whose wait is called off
        self._leaving = False

    @property
    def told(self) -> bool:
        """Whether a wait is on screen."""
        return bool(self._waiting)

    def call_off(self) -> None:
        """Every wait that is on screen ends, with nothing written."""
        with self._guard:
            self._off |= set(self._waiting)

    def leave(self) -> None:
        """Nobody waits for a lock any more: the workbench ends. What has the lock already is carried through."""
        self._leaving = True

    def waits(self, holder: Holder | None) -> None:
        me = threading.get_ident()
        if me not in self._waiting:
            had = True
            try:
                self._bench.turn.release()
            except RuntimeError:
                had = False
            with self._guard:
                self._waiting[me] = had
        self._bench.post_message(WaitChanged(str(holder or "another memdesk that left no name")))

    def ends(self) -> None:
        me = threading.get_ident()
        with self._guard:
            had = self._waiting.pop(me, False)
            self._off.discard(me)
            others = bool(self._waiting)
        if not others:
            self._bench.post_message(WaitChanged(""))
        if had:
            self._bench.turn.acquire()

    def cancelled(self) -> bool:
        return self._leaving or threading.get_ident() in self._off


class Waits(MessagePump):
    """The wait for the lock on screen, mixed into the app so that `app.py` stays the frame."""

    _awaited = ""  # who is waited for, or ""

    @property
    def _place(self) -> Workbench:
        return cast("Workbench", self)

    def calls_off(self, event: events.Event) -> bool:
        """Whether a key gave up a wait: then it is nobody else's."""
        bench = self._place
        if not bench.waiter.told or not isinstance(event, events.Key) or event.is_forwarded or event.key != "escape":
            return False
        bench.waiter.call_off()
        return True

    @on(WaitChanged)
    def _wait_changed(self, event: WaitChanged) -> None:
        self._awaited = event.words
        self.show_wait()

    def show_wait(self) -> None:
        """The line on every screen, or on none; also on one that is pushed meanwhile."""
        words = text.content_line(f"⋯ Waiting for {self._awaited}. Esc gives up; nothing is written.")
        for screen in self._place.screen_stack:
            line = next(iter(screen.query(WaitLine)), None)
            if line is None and self._awaited:
                screen.mount(WaitLine(words))
            elif line is not None and self._awaited:
                line.update(words)
            elif line is not None:
                line.remove()
