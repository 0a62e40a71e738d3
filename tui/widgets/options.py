"""Choices in lines below a reading pane: as high as they are, up to a limit; a click chooses one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol

from textual import events
from textual.message import Message

from memdesk.tui.widgets.reading import Para, Reading


class Option(Protocol):
    """What a line stands for: `ident` names its action."""

    @property
    def ident(self) -> str: ...


class Options(Reading):
    """Lines that each stand for an action."""

    class Chosen(Message):
        """A line was clicked."""

        def __init__(self, ident: str) -> None:
            super().__init__()
            self.ident = ident

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._idents: tuple[str, ...] = ()

    def show_options(self, paras: Iterable[Para], options: Sequence[Option], subject: str = "") -> None:
        """A paragraph for each option, in their order; without options they stand for nothing."""
        shown = list(paras)
        self._idents = tuple(option.ident for option in options)
        self.show(shown, subject)
        self.display = bool(shown)

    def _lay(self, top: int) -> None:
        super()._lay(top)
        if self.is_mounted:
            self.styles.height = max(len(self._laid), 1)

    def on_click(self, event: events.Click) -> None:
        offset = event.get_content_offset(self)
        if offset is None:
            return
        line = offset.y + self.scroll_offset.y
        if 0 <= line < len(self._origin) and self._origin[line] < len(self._idents):
            self.post_message(self.Chosen(self._idents[self._origin[line]]))
