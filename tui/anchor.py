"""Signs on whose width terminals disagree can not shift what stands to their right.

Rich counts cells as terminals do that know graphemes; xterm, VTE, tmux and others count each character by itself. A joined
emoji is 2 cells wide for the one and 8 for the other, and everything behind it in the row would be drawn 6 cells further
on: text from memory would stand in the pane beside its own. So each such sign is drawn on blanks of the width that was
counted, and the cursor is put where it has to be, whatever the terminal made of the sign (DECSC, DECRC, CUF).
"""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING

from rich.cells import split_graphemes

if TYPE_CHECKING:
    from textual.driver import Driver


def anchored(data: str) -> str:
    """Output for a terminal in which each doubtful sign takes just the cells that were counted for it."""
    if DOUBTFUL.search(data) is None:
        return data
    return _RUN.sub(_anchor, data)


def driver(of: type[Driver]) -> type[Driver]:
    """A driver like `of` whose output is anchored."""

    class Anchored(of):  # type: ignore[valid-type, misc]
        def write(self, data: str) -> None:
            super().write(anchored(data))

    return Anchored


def widest(value: str) -> int:
    """The cells that a text takes in the terminal that gives it most of them."""
    if DOUBTFUL.search(value) is None:
        from rich.cells import cell_len

        return cell_len(value)
    return sum(max(size, sum(map(_alone, value[start:end]))) for start, end, size in split_graphemes(value)[0])


def _anchor(match: re.Match[str]) -> str:
    if match.lastgroup != "signs":
        return match[0]
    run = match[0]
    parts = []
    for start, end, size in split_graphemes(run)[0]:
        sign = run[start:end]
        if DOUBTFUL.search(sign) is None:
            parts.append(sign)
        elif size:
            parts.append(f"\x1b7{' ' * size}\x1b8{sign}\x1b8\x1b[{size}C")
        else:
            parts.append(f"\x1b7{sign}\x1b8")
    return "".join(parts)


def _alone(character: str) -> int:
    """The cells of one character by itself, as wcwidth(3) has them."""
    if unicodedata.category(character) in ("Mn", "Me", "Cf") or "\u1160" <= character <= "\u11ff":
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


# Scripts with spacing marks, jamo, pictographs, selectors and joiners, what is new or private: all that wcwidth, tables of
# other versions of Unicode and grapheme clusters give different widths. Letters and ideographs are not among it.
_SIGNS = (
    "\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u0900-\u0dff\u0e33\u0eb3\u0f00-\u109f\u1160-\u11ff\u1700-\u1cff\u200c-\u200f"
    "\u20e3\u231a\u231b\u23e9-\u23f3\u25fd\u25fe\u2600-\u27bf\u2b00-\u2bff\u302e\u302f\u4dc0-\u4dff\ua800-\uabff\ud7b0-\uf8ff"
    "\ufe00-\ufe0f\U00010000-\U0001ffff\U00030000-\U0010ffff"
)
DOUBTFUL = re.compile(f"[{_SIGNS}]")
# An escape sequence is passed over, so that its last letter is not taken for what a mark stands on.
_RUN = re.compile(
    "\x1b(?:\\[[0-?]*[ -/]*[@-~]|[\\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\\\)|.)"
    f"|(?P<signs>(?:[^\x00-\x1f\x7f-\x9f{_SIGNS}][\u0300-\u036f]*)?[{_SIGNS}][{_SIGNS}\u0300-\u036f\u20d0-\u20ff]*)",
    re.DOTALL,
)
