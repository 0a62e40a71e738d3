"""Clearing working state: one file after the other, each with all that it holds. What is worth keeping can be promoted first;
what was named for clearing is shown once more as a diff, and goes in one action that undo takes back."""

from __future__ import annotations

import time
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, cast

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal, Vertical
from textual.screen import ModalScreen
from textual.widgets import Button, Static

from memdesk.core.clearing import working
from memdesk.core.plan import Request
from memdesk.tui import text, verbs
from memdesk.tui.dialogs.planned import Planned
from memdesk.tui.dialogs.verdict import open_verdict
from memdesk.tui.dialogs.which import ask_which
from memdesk.tui.panes.entry_text import title
from memdesk.tui.widgets.lines import Lines, Row
from memdesk.tui.widgets.paint import Piece
from memdesk.tui.widgets.reading import Para, Reading, markdown, rule

if TYPE_CHECKING:
    from memdesk.core.model import Document, Entry, Store
    from memdesk.core.plan import Receipt
    from memdesk.tui.app import Workbench

MOST = 6  # candidates of a file that are in sight at once


class Clearing(ModalScreen[tuple[str, ...] | None]):
    """The working files of a store, one by one. Dismissed with the paths that are to be cleared, or None where the person
    left: then all stays."""

    BINDINGS = [
        Binding("escape", "leave", "Cancel"), Binding("c", "answer(True)", "Clear it"),
        Binding("n", "answer(False)", "Keep it"), Binding("p", "promote", "Promote"),
        Binding("left,up", "app.focus_previous", show=False), Binding("right,down", "app.focus_next", show=False),
        Binding("pagedown", "page(1)", show=False), Binding("pageup", "page(-1)", show=False),
    ]

    def __init__(self, store: Store) -> None:
        super().__init__()
        self._store = store
        self._at = 0
        self._paths: tuple[str, ...] = ()
        self._chosen: list[str] = []
        self._shown_at = float("inf")  # monotonic time at which the file that is asked about was on screen
        self.reading = Reading(id="clearing-text")
        self.lines = Lines(_draw, id="clearing-candidates")

    @property
    def bench(self) -> Workbench:
        return cast("Workbench", self.app)

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog large clearing") as box:
            box.border_subtitle = "c clear it · n keep it · p promote first · Esc cancel, all stays"
            yield Static("", classes="dialog-title")
            yield self.reading
            yield self.lines
            with Horizontal(classes="dialog-buttons"):
                yield Button("Cancel (Esc)", id="clearing-no", compact=True)
                yield Button("Keep it (n)", id="clearing-keep", compact=True)
                yield Button("Clear it (c)", id="clearing-yes", variant="primary", compact=True)

    def on_mount(self) -> None:
        self._paths = tuple(one.document.path for one in working(self.bench.desk.workspace, self._store))
        self.query_one("#clearing-no", Button).focus()
        self._show()

    def stores_changed(self) -> None:
        """The files were read again: one that is gone is not asked about."""
        self._show()

    @property
    def document(self) -> Document | None:
        """The file that is asked about now."""
        return self.bench.desk.workspace.documents.get(self._paths[self._at]) if self._at < len(self._paths) else None

    def _show(self) -> None:
        while self._at < len(self._paths) and self.document is None:
            self._at += 1
        document = self.document
        if document is None:
            self.dismiss(tuple(path for path in self._chosen if path in self.bench.desk.workspace.documents))
            return
        place = f"{self._at + 1} of {len(self._paths)}"
        self.query_one(".dialog-title", Static).update(
            text.content_line(f"Clear working state · {place} · {self._store.named(document.path)}")
        )
        waiting = [entry for entry in document.entries if entry.candidate]
        self.lines.set_rows([Row(entry.id, entry) for entry in waiting])
        self.lines.display = bool(waiting)
        self.lines.styles.height = min(len(waiting), MOST) + 1
        self.lines.border_title = text.content_line(f"{_count(len(waiting))} · p promotes the selected one first")
        self.reading.show(_lines(document), document.path)
        self._shown_at = float("inf")
        self.call_after_refresh(self._painted)

    def _painted(self) -> None:
        self._shown_at = time.monotonic()

    def action_answer(self, clear: bool) -> None:
        """Clear the file, or keep it, and go on to the next."""
        document = self.document
        if document is not None and self.bench.key_time >= self._shown_at:  # not pressed before it was on screen
            self._chosen += [document.path] if clear else []
            self._at += 1
            self.query_one("#clearing-no", Button).focus()
            self._show()

    def action_promote(self) -> None:
        """Promote the selected candidate; the file is shown anew afterwards."""
        entry: Entry | None = self.lines.item
        if entry is None:
            self.bench.say("No candidate is left in it.", "warning")
        else:
            open_verdict(self.bench, "promote", (entry.id,))

    def action_page(self, by: int) -> None:
        self.reading.action_page_down() if by > 0 else self.reading.action_page_up()

    def action_leave(self) -> None:
        self.dismiss(None)

    @on(Reading.Left)
    def _left(self) -> None:
        self.action_leave()

    @on(Button.Pressed)
    def _pressed(self, event: Button.Pressed) -> None:
        event.stop()
        if event.button.id == "clearing-no":
            self.action_leave()
        else:
            self.action_answer(event.button.id == "clearing-yes")


def open_clearing(bench: Workbench) -> None:
    """Go through the working files of a store, then show what would go."""
    ask_which(bench, verbs.BY_ID["clear"], partial(_open, bench))


def _open(bench: Workbench, store: Store) -> None:
    if not working(bench.desk.workspace, store):
        bench.say("There is no working state to clear.")
        return

    def chosen(paths: tuple[str, ...] | None) -> None:
        if paths:
            bench.call_later(partial(_confirm, bench, store, paths))
        elif paths is not None:
            bench.say("Every working file stays.")

    bench.push_screen(Clearing(store), chosen)


def _confirm(bench: Workbench, store: Store, paths: Sequence[str]) -> None:
    desk = bench.desk
    asked = Request("clear", words={"paths": "\n".join(paths)}, store=store.path, person=True)

    def closed(receipt: Receipt | None) -> None:
        if receipt is not None:
            bench.after_commit(receipt)

    what = store.named(paths[0]) if len(paths) == 1 else f"{len(paths)} working files"
    bench.push_screen(Planned(f"Clear · {what}", "clear it", lambda: desk.plan(asked), start="cancel"), closed)


def _lines(document: Document) -> list[Para]:
    """All that a file holds."""
    if document.problem is not None:
        return [Para((Piece("✕ ", "bad"), Piece(document.problem.message)), hang=2)]
    words = document.data.decode("utf-8", "surrogateescape").replace("\r\n", "\n").rstrip("\n")
    return markdown(words) if words.strip() else [rule("it is empty")]


def _draw(item: Any, width: int) -> list[Piece]:
    entry: Entry = item
    return [Piece(f"{entry.tag or '·':<9} ", "tag" if entry.tag else "dim"), Piece(title(entry))]


def _count(number: int) -> str:
    return f"{number} candidate{'' if number == 1 else 's'}"
