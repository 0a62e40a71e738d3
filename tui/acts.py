"""What the app does for actions that belong to no single pane: undo, copy, help, palette, theme, quit."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from textual import on
from textual.message_pump import MessagePump

from memdesk.core.errors import UnknownEntry
from memdesk.core.lean import NamedTuple
from memdesk.tui import messages, text, themes
from memdesk.tui.panes.base import Pane

if TYPE_CHECKING:
    from memdesk.core.plan import Receipt
    from memdesk.core.transaction import Transaction
    from memdesk.tui.app import Workbench

GRACE = 5.0  # seconds to leave in order after a hang-up


class Given(NamedTuple):
    """A verdict of this session: its transaction's id ("" for a snooze) and the entries, or the proposal, that it was about."""

    ident: str
    ids: tuple[str, ...]
    proposal: bool = False  # a proposal of a prune session was snoozed


class Acts(MessagePump):
    """Actions of the workbench, mixed into the app so that `app.py` stays the frame."""

    @property
    def _bench(self) -> Workbench:
        return cast("Workbench", self)

    @on(messages.VerdictAsked)
    def _verdict_asked(self, event: messages.VerdictAsked) -> None:
        from memdesk.tui.dialogs.verdict import open_verdict, open_verdicts

        bench = self._bench
        ids = bench.desk.subjects(event.ids)
        if event.verb == "promote" and bench.desk.instead("promote", ids) == "compact":
            self.do_compact()
        elif len(ids) > 1 and bench.desk.singly(event.verb, ids):
            open_verdicts(bench, event.verb, ids)
        else:
            open_verdict(bench, event.verb, ids)

    @on(messages.Committed)
    def _committed(self, event: messages.Committed) -> None:
        self.after_commit(event.receipt)

    def after_commit(self, receipt: Receipt) -> None:
        """Panes show the new state, and a toast says what was done and how to take it back."""
        bench = self._bench
        bench.refresh_panes()
        if receipt.id is not None:
            undoes = receipt.plan.undoes
            if undoes is None:
                bench.given.append(Given(receipt.id, tuple(receipt.plan.request.ids)))
            else:
                bench.given = [each for each in bench.given if each.ident != undoes]
            bench.say(receipt.plan.summary + ("" if receipt.plan.undoes else "  u undoes it."))
        else:
            bench.say("Nothing had to be written.")

    def do_undo(self) -> None:
        """Take back this session's last verdict, a snooze too. Without one: another's, but only after a look at it."""
        bench = self._bench
        desk = bench.desk
        if not bench.given:
            self._undo_another()
            return
        given = bench.given.pop()

        def not_done(error: Exception) -> bool:
            bench.given.append(given)  # it still is the last: another try takes back this one and no earlier
            return False

        if not given.ident:
            from memdesk.tui.dialogs.snooze import take_up, wake

            if given.proposal:
                take_up(bench, given.ids[0], not_done)
                return
            wake(bench, given.ids, "Snoozed no more.", not_done)
            return

        def undo() -> Receipt:
            return desk.commit(desk.undo(given.ident), desk.who())

        def done(receipt: Receipt) -> None:
            self.select_again(given.ids)
            self.after_commit(receipt)

        bench.work(undo, done, doing="undo", otherwise=not_done)

    def select_again(self, ids: Sequence[str]) -> None:
        """Let the inbox, the conflicts or the proposals select what came back, once it is there."""
        for pane in self._bench.screen_stack[0].query("#pane-inbox, #pane-conflicts, #pane-prune").results(Pane):
            if ids:
                pane.return_to(ids[0])

    def _undo_another(self) -> None:
        """The exact inverse of the newest action that someone else, or an earlier session, left; to be confirmed."""
        from memdesk.tui.dialogs.planned import Planned

        bench = self._bench
        desk = bench.desk

        def ask(found: Transaction | None) -> None:
            if found is None:
                bench.say("Nothing to undo.", "warning")
                return
            title = f"Undo, not of this session · by {found.by or 'unknown'} · {found.summary}"
            bench.push_screen(Planned(title, "undo it", lambda: desk.undo(found.id)), closed)

        def closed(receipt: Receipt | None) -> None:
            if receipt is not None:
                self.after_commit(receipt)

        bench.work(
            lambda: next((each for each in desk.history() if each.undoable and each.undoes is None), None), ask, doing="undo"
        )

    def do_refresh(self) -> None:
        """Read all files again, and let every pane look again, at git's history too."""
        bench = self._bench

        def read(differs: bool) -> None:
            if not differs:
                bench.refresh_panes()
                bench.say("No file differs from what was read.")

        bench.reread(None, read)

    @on(messages.CopyText)
    def _copy(self, event: messages.CopyText) -> None:
        """By the terminal (OSC 52) and by the system's clipboard, whichever of them works here."""
        from memdesk.tui import clipboard

        bench = self._bench
        bench.copy_to_clipboard(event.text)

        def say(program: str) -> None:
            bench.say(f"Copied {event.what} ({'by ' + program + ' and ' if program else ''}by the terminal).")

        bench.work(lambda: clipboard.copy(event.text, bench.environ), say, doing="copy it", group="clipboard")

    # From an entry to its file, its history, and what loads it.

    @on(messages.OpenPath)
    def _open_path(self, event: messages.OpenPath) -> None:
        from memdesk.tui.editing import open_in_editor

        open_in_editor(self._bench, event.path, event.line)

    def do_loads(self) -> None:
        spot = self._bench.pane.spot if self._bench.pane else None
        if spot is not None:
            from memdesk.tui.dialogs.loads import Loads

            self._bench.push_screen(Loads(*spot))

    def do_timeline(self) -> None:
        pane = self._bench.pane
        if pane is not None and pane.selection:
            from memdesk.tui.dialogs.timeline import open_timeline

            open_timeline(self._bench, self._bench.desk.subjects(pane.selection[:1])[0])

    # What is done to a store.

    def do_reindex(self) -> None:
        from memdesk.tui.dialogs.reindexing import open_reindexing

        open_reindexing(self._bench)

    def do_clear(self) -> None:
        from memdesk.tui.dialogs.clearing import open_clearing

        open_clearing(self._bench)

    def do_compact(self) -> None:
        from memdesk.tui.dialogs.features import open_compacting

        bench, found = self._bench, None
        if bench.pane is not None and bench.pane.selection:
            with contextlib.suppress(UnknownEntry):
                found = bench.desk.workspace.find(bench.pane.selection[0])
        open_compacting(bench, found)

    def do_distil(self) -> None:
        from memdesk.tui.dialogs.lessons import open_lessons

        bench, found = self._bench, None
        if bench.pane is not None and bench.pane.selection:
            with contextlib.suppress(UnknownEntry):
                found = bench.desk.workspace.find(bench.pane.selection[0])
        open_lessons(bench, found)

    def do_search(self) -> None:
        from memdesk.tui.dialogs.search import open_search

        open_search(self._bench)

    # What was done, and what was left half done.

    def do_commit(self) -> None:
        from memdesk.tui.dialogs.commit import open_commit

        open_commit(self._bench)

    def do_recover(self) -> None:
        from memdesk.tui.dialogs.recover import open_recover

        open_recover(self._bench)

    def do_help(self) -> None:
        from memdesk.tui.dialogs.help import Help

        self._bench.push_screen(Help(self._bench.current, self._bench.keymap_))

    def do_palette(self) -> None:
        from textual.command import CommandPalette

        from memdesk.tui.dialogs.palette import Verbs

        self._bench.push_screen(CommandPalette(providers=[Verbs], placeholder="Every action, by name"))

    def do_theme(self) -> None:
        bench = self._bench
        names = themes.NAMES
        bench.theme = names[(names.index(bench.theme) + 1) % len(names)] if bench.theme in names else names[0]
        bench.clear_notifications()  # of several presses the last counts
        bench.say(f"Theme: {text.line(bench.theme)}")

    def obey_signals(self) -> None:
        """A terminal that goes away, or a polite kill, ends the workbench in order: commits end, the demo is removed."""
        import asyncio
        import signal
        from contextvars import copy_context

        loop, context = asyncio.get_running_loop(), copy_context()

        def interrupted(number: int, _frame: object) -> None:
            with contextlib.suppress(RuntimeError):  # the loop has ended, and so do we
                loop.call_soon_threadsafe(self.do_quit, 128 + number, context=context)

        # No handler of the loop's: it would hear a Ctrl-C in the editor too, once the editor has gone (tui/editing.py).
        signal.signal(signal.SIGINT, interrupted)
        loop.add_signal_handler(signal.SIGTERM, self.do_quit, 128 + signal.SIGTERM)
        loop.add_signal_handler(signal.SIGHUP, self._hung_up, 128 + signal.SIGHUP)

    def _hung_up(self, code: int) -> None:
        """The work at hand ends, what has to go is removed, and the process with it. Where the terminal is gone Textual's own
        way out waits for ever, for a thread that writes to it; where it is still there it is left as it was found."""
        import os
        import threading
        import time

        bench = self._bench
        there = os.isatty(0)
        if there:
            self.do_quit(code)

        def end() -> None:
            if there:
                time.sleep(GRACE)  # the terminal may go while we leave
            with bench.turn:
                for clean in bench.at_hangup:
                    clean()
                os._exit(code)

        threading.Thread(target=end, name="hang-up", daemon=there).start()

    def do_quit(self, code: int = 0) -> None:
        """Leave once the work at hand is done: a commit is never cut off."""
        bench = self._bench
        bench.waiter.leave()

        def leave(nothing: None) -> None:
            bench.exit(code, return_code=code)

        bench.work(lambda: None, leave, doing="leave", group="quit")
