"""The one gate by which outside text enters the screen: made inert, then `Content`, never a bare string.

Textual passes ESC, NUL, C1 controls and bidi overrides on to the terminal, and reads a plain `str` as markup in nearly
every widget. So everything that comes from a file, a name, a path, git or an error goes through here: what a terminal
would act on, or what an eye would not see, becomes a visible symbol; what is shown stays what was written.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from rich.cells import cell_len, set_cell_size, split_graphemes

from memdesk.tui.anchor import DOUBTFUL, widest
from memdesk.tui.inert import inert, line

if TYPE_CHECKING:
    from textual.content import Content

__all__ = [
    "ELLIPSIS", "clip", "content", "content_line", "fit", "inert", "line", "width", "wrap", "wrap_spans",
]

ELLIPSIS = "…"


def content(value: str) -> Content:
    """Inert text as Content, its brackets literal."""
    from textual.content import Content

    return Content(inert(value))


def content_line(value: str) -> Content:
    """One inert line as Content, for titles, toasts and labels."""
    from textual.content import Content

    return Content(line(value))


def width(value: str) -> int:
    """Cells that a line takes; the one measure that everything here goes by."""
    return cell_len(value)


def clip(value: str, cells: int) -> str:
    """A line cut to at most `cells`, an ellipsis at its end where something was cut. For rows, never for reading."""
    if cells <= 0:
        return ""
    # A cell holds at least one character but for combining ones: cut first, so that a huge line costs nothing.
    if len(value) > cells * 8:
        value = value[: cells * 8]
        if cell_len(value) <= cells:
            return set_cell_size(value, cells - 1).rstrip(" ") + ELLIPSIS
    if cell_len(value) <= cells:
        return value
    return set_cell_size(value, cells - 1).rstrip(" ") + ELLIPSIS


def fit(value: str, cells: int) -> str:
    """A line cut or padded to exactly `cells`."""
    clipped = clip(value, cells)
    return clipped + " " * (cells - cell_len(clipped))


def wrap(value: str, cells: int) -> list[str]:
    """A line broken at blanks into lines of at most `cells`; a word that is longer is broken by cell width."""
    return [value[start:end] for start, end in wrap_spans(value, cells)]


def wrap_spans(value: str, cells: int, hang: int = 0) -> list[tuple[int, int]]:
    """Where `wrap` breaks a line: offsets of each part. Lines after the first are `hang` cells narrower.

    Nothing is dropped but the blanks at which the line was broken. Signs count as the terminal has them that gives them
    most cells: none is drawn beyond the room, whatever the terminal.
    """
    cells = max(cells, 2)
    if len(value) <= cells and value.isascii():
        return [(0, len(value))]
    measure = widest if DOUBTFUL.search(value) else cell_len
    far = cells * SIGN

    def size_of(part: str) -> int:
        return len(part) if len(part) > far or part.isascii() else measure(part)

    if not value.strip(" "):
        return [(0, min(len(value), cells))]  # blanks at the end of a line go; a pattern would look from each one on
    spans: list[tuple[int, int]] = []
    room, start, used = cells, 0, 0
    for match in _WORDS.finditer(value):
        part = match.group()
        bare = part.rstrip(" ")
        size = size_of(part)
        need = size - (len(part) - len(bare))
        if used + need <= room:
            used += size
            continue
        at = match.start()
        if need > room and not part.isascii() and room - used >= 4:
            # Scripts without blanks break anywhere: the rest of the line is filled first.
            first = len(_chopped(bare[:far], room - used, measure)[0])
            spans.append((start, at + first))
            room = max(cells - hang, 2)
            start = at = at + first
            bare, used = bare[first:], 0
            if size_of(bare) <= room:
                used = size_of(value[start : match.end()])
                continue
        elif used:
            spans.append((start, start + len(value[start:at].rstrip(" "))))
            room = max(cells - hang, 2)
        start, used = at, size
        if size_of(bare) > room:
            for piece in _chopped(bare, max(cells - hang, 2), measure):
                if at > start:
                    spans.append((start, at))
                    room = max(cells - hang, 2)
                start, at = at, at + len(piece)
            used = size_of(value[start : match.end()])
    spans.append((start, start + len(value[start:].rstrip(" "))) if spans else (start, len(value)))
    return spans


def _chopped(word: str, cells: int, measure: Callable[[str], int]) -> list[str]:
    if word.isascii():
        return [word[i : i + cells] for i in range(0, len(word), cells)]
    parts, start, used = [], 0, 0
    for at, end, size in split_graphemes(word)[0]:
        if measure is widest:
            size = widest(word[at:end])
        if used + size > cells and at > start:
            parts.append(word[start:at])
            start, used = at, 0
        used += size
    return [*parts, word[start:]]


SIGN = 40  # characters that one sign of inert text can have at most: so many for each cell are too long without a count
_WORDS = re.compile(r" *[^ ]+ *")
