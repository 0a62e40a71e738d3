"""Which feature is compacted: that of the selected candidate, the only one that waits, or one that a person names."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Static

from memdesk.core import layouts
from memdesk.tui import text
from memdesk.tui.panes.inbox_rows import Feature, features
from memdesk.tui.widgets.lines import Lines, Row
from memdesk.tui.widgets.paint import Piece

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memdesk.core.model import Entry
    from memdesk.tui.app import Workbench


class Features(ModalScreen[Feature | None]):
    """The features by name; Enter chooses one."""

    BINDINGS = [Binding("escape,q", "leave", "Cancel")]

    def __init__(self, features: Sequence[Feature], title: str, counted: tuple[str, str]) -> None:
        """`counted`: what each has so many of, for one and for more."""
        super().__init__()
        self._features, self._title, self._counted = features, title, counted
        self._several = len({one.where for one in features}) > 1
        self.lines = Lines(self._draw, id="features")

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog small"):
            yield Static(text.content_line(self._title), classes="dialog-title")
            yield self.lines

    def on_mount(self) -> None:
        self.lines.styles.height = min(len(self._features), 12)
        self.lines.set_rows([Row(f"{one.store.path}\n{one.name}", one) for one in self._features])
        self.lines.focus()

    def _draw(self, one: Any, width: int) -> list[Piece]:
        many = f"{one.waiting} {self._counted[one.waiting != 1]}"
        where = f"  {text.line(one.where)}" if self._several else ""
        room = max(width - 16 - text.width(where), 8)
        return [Piece(text.fit(text.line(one.name), room), "strong"), Piece(f"  {many}{where}", "dim")]

    @on(Lines.Opened)
    def _opened(self, event: Lines.Opened) -> None:
        event.stop()
        self.dismiss(self.lines.item)

    def action_leave(self) -> None:
        self.dismiss(None)


def open_compacting(bench: Workbench, entry: Entry | None = None) -> None:
    """Compact the feature of a candidate; without one, or where none of its fragments waits, one that the person names."""
    workspace = bench.desk.workspace
    found = features(workspace)
    group = () if entry is None else layouts.get(entry.layout).group(entry)
    mine = [one for one in found if entry is not None and one.store is entry.document.store and (one.name,) == group[:1]]

    def chosen(one: Feature | None) -> None:
        if one is not None:
            from memdesk.tui.dialogs.compacting import Compacting

            bench.push_screen(Compacting(one.store, one.name))

    if mine:
        chosen(mine[0])
    elif not found:
        bench.say("No fragment waits: there is nothing to compact.")
    elif len(found) == 1:
        chosen(found[0])
    else:
        bench.push_screen(Features(found, "Compact: which feature?", ("fragment", "fragments")), chosen)
