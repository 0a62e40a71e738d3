"""What the app does for actions that belong to no single pane: undo, copy, help, palette, theme, quit."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from textual import on
from textual.message_pump import MessagePump

from memdesk.tui import messages, text, themes

if TYPE_CHECKING:
    from memdesk.core.plan import Receipt
    from memdesk.tui.app import Workbench


class Acts(MessagePump):
    """Actions of the workbench, mixed into the app so that `app.py` stays the frame."""

    @property
    def _bench(self) -> Workbench:
        return cast("Workbench", self)

    @on(messages.VerdictAsked)
    def _verdict_asked(self, event: messages.VerdictAsked) -> None:
        from memdesk.tui.dialogs.verdict import open_verdict

        open_verdict(self._bench, event.verb, event.ids)

    @on(messages.Committed)
    def _committed(self, event: messages.Committed) -> None:
        self.after_commit(event.receipt)

    def after_commit(self, receipt: Receipt) -> None:
        """Panes show the new state, and a toast says what was done and how to take it back."""
        bench = self._bench
        bench.refresh_panes()
        if receipt.id is not None:
            bench.say(receipt.plan.summary + ("" if receipt.plan.undoes else "  u undoes it."))
        else:
            bench.say("Nothing had to be written.")

    def do_undo(self) -> None:
        """Undo the newest action that is not undone, after the same look under the lock as any."""
        bench = self._bench
        desk = bench.desk

        def undo() -> Receipt:
            return desk.commit(desk.undo(None), desk.who())

        bench.work(undo, self.after_commit, doing="undo")

    def do_refresh(self) -> None:
        bench = self._bench
        bench.work(lambda: bench.desk.refresh(None), lambda differs: bench.refresh_panes(), doing="read the files again")

    @on(messages.StoreChanged)
    def _store_changed(self, event: messages.StoreChanged) -> None:
        bench = self._bench

        def show(differs: bool) -> None:
            if differs:
                bench.refresh_panes()

        bench.work(lambda: bench.desk.refresh(event.paths), show, doing="read what changed")

    @on(messages.CopyText)
    def _copy(self, event: messages.CopyText) -> None:
        self._bench.copy_to_clipboard(event.text)
        self._bench.say(f"Copied {event.what}.")

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
        bench.say(f"Theme: {text.line(bench.theme)}")

    def do_quit(self) -> None:
        """Leave once the work at hand is done: a commit is never cut off."""
        bench = self._bench

        def leave(nothing: None) -> None:
            bench.exit(0)

        bench.work(lambda: None, leave, doing="leave", group="quit")
