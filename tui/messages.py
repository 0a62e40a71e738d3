"""Messages between workers, panes and the app. A widget's own messages are nested in its class."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from textual.message import Message

if TYPE_CHECKING:
    from memdesk.core.plan import Receipt


class Finished(Message):
    """A worker's result, handed to the handler that asked for it; only the app's handlers touch widgets."""

    def __init__(self, then: Callable[[Any], object], result: Any) -> None:
        super().__init__()
        self.then = then
        self.result = result


class Failed(Message):
    """A worker's failure. `doing` completes "Could not ..."; `otherwise` handles it instead of the app's error dialog."""

    def __init__(self, error: Exception, doing: str, otherwise: Callable[[Exception], bool] | None = None) -> None:
        super().__init__()
        self.error = error
        self.doing = doing
        self.otherwise = otherwise


class VerdictAsked(Message):
    """A pane asks for the dialog of a verb over entries."""

    def __init__(self, verb: str, ids: tuple[str, ...]) -> None:
        super().__init__()
        self.verb = verb
        self.ids = ids


class Committed(Message):
    """A plan was carried out."""

    def __init__(self, receipt: Receipt) -> None:
        super().__init__()
        self.receipt = receipt


class StoreChanged(Message):
    """Files changed from outside; `paths` relative to the root, or None for any. Bursts collapse into one."""

    def __init__(self, paths: frozenset[str] | None = None) -> None:
        super().__init__()
        self.paths = paths

    def can_replace(self, message: Message) -> bool:
        return isinstance(message, StoreChanged) and (self.paths is None or message.paths == self.paths)


class OpenPath(Message):
    """Open a file of the workspace at a line in the person's editor."""

    def __init__(self, path: str, line: int = 1) -> None:
        super().__init__()
        self.path = path
        self.line = line


class CopyText(Message):
    """Copy text to the clipboard; `what` completes "Copied ..."."""

    def __init__(self, text: str, what: str) -> None:
        super().__init__()
        self.text = text
        self.what = what


class SituationChanged(Message):
    """What is selected or possible changed: the footer looks again."""

    def can_replace(self, message: Message) -> bool:
        return isinstance(message, SituationChanged)
