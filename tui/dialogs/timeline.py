"""The timeline of an entry: every text that it had in git, with date and author; each can be brought back by an edit."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, cast

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Container, Vertical
from textual.screen import ModalScreen
from textual.widgets import Static

from memdesk.core.errors import MemdeskError
from memdesk.tui import messages, text, verbs
from memdesk.tui.panes.entry_text import title
from memdesk.tui.widgets.diffview import diff_lines
from memdesk.tui.widgets.lines import Lines, Row
from memdesk.tui.widgets.paint import Piece
from memdesk.tui.widgets.reading import Para, Reading, markdown, rule

if TYPE_CHECKING:
    from memdesk.core.model import Entry
    from memdesk.core.timeline import Stage
    from memdesk.tui.app import Workbench


class Timeline(ModalScreen["str | None"]):
    """Versions, newest first, and the selected one in full with what it differs in from now. Dismissed with the text to
    bring back, or None."""

    BINDINGS = [
        Binding("escape,q,h", "close", "Close"),
        Binding("r", "restore", "Restore"),
        Binding("y", "copy", "Copy"),
        Binding("w", "loads", "What loads this"),
        Binding("tab", "turn", show=False),
    ]

    def __init__(self, entry: Entry) -> None:
        super().__init__()
        self._entry = entry
        self.lines = Lines(self._draw, id="timeline-versions")
        self.reading = Reading(id="timeline-reading")

    @property
    def bench(self) -> Workbench:
        return cast("Workbench", self.app)

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog search"):
            yield Static(text.content_line(f"History of {title(self._entry)}"), classes="dialog-title")
            yield Static("Reading git's history…", id="timeline-state")
            with Container(id="search-body"):
                yield self.lines
                yield self.reading

    def on_mount(self) -> None:
        desk, entry = self.bench.desk, self._entry
        self.lines.focus()
        self.bench.work(
            lambda: desk.timeline(entry),
            self._show,
            doing="read its history",
            group="timeline",
            exclusive=True,
            otherwise=self._failed,
            turn=False,
        )

    def _failed(self, error: Exception) -> bool:
        if not isinstance(error, MemdeskError):
            self.dismiss(None)
            return False
        self.query_one("#timeline-state", Static).update(text.content_line(f"✕ {error.message} {error.remedy}"))
        return True

    def _show(self, stages: list[Stage]) -> None:
        if not self.is_attached:
            return
        self.lines.set_rows([Row(str(len(stages) - number), stage) for number, stage in enumerate(stages)])
        what = "It has one version." if len(stages) == 1 else f"{len(stages)} versions, newest first."
        self.query_one("#timeline-state", Static).update(
            text.content_line(f"{what}  r brings one back, y copies it, Esc closes.")
        )
        self._read()

    def _draw(self, item: Any, width: int) -> list[Piece]:
        stage: Stage = item
        day = stage.date or "not committed"
        return [
            Piece(f"{day:<11}", "strong"),
            Piece(f"{text.fit(text.line(stage.author), 14)} " if width >= 40 else "", "dim"),
            Piece("struck " if stage.struck else "", "dim"),
            Piece(stage.subject or "only in the working tree", "" if stage.subject else "dim"),
        ]

    def _read(self) -> None:
        stage: Stage | None = self.lines.item
        self.reading.show([] if stage is None else stage_lines(stage, self._entry.text), self.lines.key)

    @on(Lines.Moved)
    def _moved(self, event: Lines.Moved) -> None:
        event.stop()
        self._read()

    @on(Lines.Opened)
    def _opened(self, event: Lines.Opened) -> None:
        event.stop()
        self.reading.focus()

    @on(Reading.Left)
    def _left(self) -> None:
        self.lines.focus()

    def action_turn(self) -> None:
        (self.reading if self.lines.has_focus else self.lines).focus()

    def action_close(self) -> None:
        self.dismiss(None)

    def action_loads(self) -> None:
        from memdesk.tui.dialogs.loads import Loads

        self.bench.push_screen(Loads(self._entry.path, self._entry.line))

    def action_copy(self) -> None:
        stage: Stage | None = self.lines.item
        if stage is not None:
            self.post_message(messages.CopyText(stage.text, f"the text of {stage.date or 'now'}"))

    def action_restore(self) -> None:
        """Close, and open the edit dialog with the old text: an action like any other."""
        stage: Stage | None = self.lines.item
        if stage is None:
            return
        why = verbs.BY_ID["edit"].refuse(self.bench.situation()._replace(selected=1))
        if why:
            self.bench.say(why, "warning")
        elif stage.text == self._entry.text:
            self.bench.say("That is the text as it is now.")
        else:
            self.dismiss(stage.text)


def stage_lines(stage: Stage, now: str) -> list[Para]:
    """A version: where it comes from, its text, and what bringing it back would change."""
    from memdesk.core.diff import unified

    where = f"{stage.rev[:9]} · {stage.date} · {stage.author}" if stage.rev else "not committed"
    lines = [
        Para((Piece(f"{where} · {stage.path}", "dim"),)),
        Para((Piece(stage.subject, "strong"),)),
        Para(),
        *markdown(stage.text),
    ]
    if stage.text != now:
        diff = unified(
            "now, and with this text",
            (now + "\n").encode("utf-8", "surrogateescape"),
            (stage.text + "\n").encode("utf-8", "surrogateescape"),
        )
        lines += [Para(), *diff_lines("now → this text", diff)]
    else:
        lines += [Para(), rule("this is the text as it is now")]
    return lines


def open_timeline(bench: Workbench, ident: str) -> None:
    """Show an entry's versions; one that is chosen goes through the edit dialog."""
    try:
        entry = bench.desk.workspace.find(ident)
    except MemdeskError as error:
        bench.show_error(error, "find the entry")
        return

    def closed(old: str | None) -> None:
        if old is not None:
            from memdesk.tui.dialogs.verdict import open_verdict

            verb = bench.desk.instead("restore", (ident,))
            words = {"with" if verb == "correct" else "text": old}
            bench.call_later(partial(open_verdict, bench, verb, (ident,), words))

    bench.push_screen(Timeline(entry), closed)
