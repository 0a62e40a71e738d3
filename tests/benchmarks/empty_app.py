"""The least that a Textual app can be: a line that says how many keys were pressed. The workbench is measured beside it."""

from __future__ import annotations

from textual.app import App, ComposeResult
from textual.content import Content
from textual.events import Key
from textual.widgets import Static


class Empty(App[None]):
    """One line."""

    ENABLE_COMMAND_PALETTE = False
    keys = 0

    def compose(self) -> ComposeResult:
        yield Static(Content("pressed:0;"))

    def on_key(self, event: Key) -> None:
        if event.key == "q":
            self.exit()
        self.keys += 1
        self.query_one(Static).update(Content(f"pressed:{self.keys};"))


if __name__ == "__main__":
    Empty().run()
