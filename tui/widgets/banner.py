"""A line across the top that stays until its cause is gone: read-only, an interrupted transaction, a change outside."""

from __future__ import annotations

from textual.widgets import Static

from memdesk.tui import text


class Banner(Static):
    """A notice with a glyph, hidden while it has nothing to say."""

    def on_mount(self) -> None:
        self.display = False

    def say(self, words: str, level: str = "warning") -> None:
        """Show words, or with "" hide. `level`: "info", "warning" or "error"."""
        self.display = bool(words)
        self.set_classes(f"banner -{level}")
        glyph = {"info": "· ", "warning": "! ", "error": "✕ "}[level]
        self.update(text.content_line(glyph + words))
