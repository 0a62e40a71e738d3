"""Which of several stores an action is about."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Static

from memdesk.core import layouts
from memdesk.tui import text
from memdesk.tui.widgets.lines import Lines, Row
from memdesk.tui.widgets.paint import Piece

if TYPE_CHECKING:
    from memdesk.core.model import Store
    from memdesk.tui.app import Workbench
    from memdesk.tui.verbs import Verb


class Which(ModalScreen["Store | None"]):
    """The stores by name; Enter chooses one."""

    BINDINGS = [Binding("escape,q", "leave", "Cancel")]

    def __init__(self, title: str, stores: Sequence[tuple[str, Store]]) -> None:
        super().__init__()
        self._title, self._stores = title, stores
        self.lines = Lines(_draw, id="which-stores")

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog small"):
            yield Static(text.content_line(self._title), classes="dialog-title")
            yield self.lines

    def on_mount(self) -> None:
        self.lines.styles.height = min(len(self._stores), 12)
        self.lines.set_rows([Row(name, (name, store)) for name, store in self._stores])
        self.lines.focus()

    @on(Lines.Opened)
    def _opened(self, event: Lines.Opened) -> None:
        event.stop()
        self.dismiss(self.lines.item[1])

    def action_leave(self) -> None:
        self.dismiss(None)


def ask_which(bench: Workbench, verb: Verb, then: Callable[[Store], None]) -> None:
    """Go on with the store that an action is about: the only one that knows it, that of what is selected, or one that the
    person names."""
    workspace = bench.desk.workspace
    known = [store for store in workspace.stores if verb.id in layouts.get(store.layout).verbs]
    spot = bench.pane.spot if bench.pane else None
    document = workspace.documents.get(spot[0]) if spot is not None else None
    here = [store for store in known if document is not None and document.store is store]
    found = here or known
    if len(found) == 1:
        then(found[0])
        return

    def chosen(store: Store | None) -> None:
        if store is not None:
            bench.call_later(then, store)

    named = [(workspace.store_name(store), store) for store in found]
    bench.push_screen(Which(f"{verb.label.rstrip('…')}: in which store?", named), chosen)


def _draw(item: Any, width: int) -> list[Piece]:
    name, store = item
    kind = layouts.get(store.layout).title
    return [Piece(text.fit(text.line(name), max(width - 30, 8)), "strong"), Piece(f"  {kind}", "dim")]
