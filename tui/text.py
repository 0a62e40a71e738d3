"""The one gate by which outside text enters the screen: made inert, then `Content` or `Text`, never a bare string.

Textual passes ESC, NUL, C1 controls and bidi overrides on to the terminal, and reads a plain `str` as markup in nearly
every widget. So everything that comes from a file, a name, a path, git or an error goes through here: what a terminal
would act on, or what an eye would not see, becomes a visible symbol; what is shown stays what was written.
"""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING

from rich.cells import cell_len, chop_cells, set_cell_size

if TYPE_CHECKING:
    from rich.text import Text
    from textual.content import Content

ELLIPSIS = "…"


def inert(value: str) -> str:
    """Text that can do nothing to a terminal. Newlines and tabs stay; `\\r\\n` becomes `\\n`.

    C0 controls and DEL become control pictures (`␛`), C1 controls, bidi controls, tags, fillers and joiners outside
    their legitimate use become `‹U+202E›`, and bytes that were not UTF-8 become `‹\\x9b›`.
    """
    if value.isascii():
        return value if value.isprintable() else _ascii(value)
    value = value.replace("\r\n", "\n")
    if _SUSPECT.search(value):
        value = _SUSPECT.sub(_shown, value)
    return "◌" + value if value and unicodedata.category(value[0]) in {"Mn", "Me"} else value


def line(value: str) -> str:
    """One line of inert text: newlines, tabs and runs of blanks become one blank each, outer blanks go."""
    return " ".join(inert(value).split())


def content(value: str) -> Content:
    """Inert text as Content, its brackets literal."""
    from textual.content import Content

    return Content(inert(value))


def content_line(value: str) -> Content:
    """One inert line as Content, for titles, toasts and labels."""
    from textual.content import Content

    return Content(line(value))


def rich(value: str) -> Text:
    """Inert text as a Rich Text, for the few widgets that want one."""
    from rich.text import Text

    return Text(inert(value))


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

    Nothing is dropped but the blanks at which the line was broken.
    """
    cells = max(cells, 2)
    if len(value) <= cells and value.isascii():
        return [(0, len(value))]
    spans: list[tuple[int, int]] = []
    room, start, used = cells, 0, 0
    for match in _WORDS.finditer(value):
        part = match.group()
        bare = part.rstrip(" ")
        size = len(part) if part.isascii() else cell_len(part)
        need = size - (len(part) - len(bare))
        if used + need <= room:
            used += size
            continue
        at = match.start()
        if used:
            spans.append((start, start + len(value[start:at].rstrip(" "))))
            room = max(cells - hang, 2)
        start, used = at, size
        if need > room:
            for piece in _chopped(bare, max(cells - hang, 2)):
                if at > start:
                    spans.append((start, at))
                    room = max(cells - hang, 2)
                start, at = at, at + len(piece)
            used = cell_len(value[start : match.end()])
    spans.append((start, start + len(value[start:].rstrip(" "))) if spans else (start, len(value)))
    return spans


def _chopped(word: str, cells: int) -> list[str]:
    if word.isascii():
        return [word[i : i + cells] for i in range(0, len(word), cells)]
    return chop_cells(word, cells)


def _ascii(value: str) -> str:
    return value.replace("\r\n", "\n").translate(_ASCII)


def _shown(match: re.Match[str]) -> str:
    character = match.group()
    code = ord(character)
    if code < 0x20:
        return chr(0x2400 + code)
    if code == 0x7F:
        return "␡"
    if 0xDC80 <= code <= 0xDCFF:
        return f"‹\\x{code - 0xDC00:02x}›"
    if _legitimate(match.string, match.start(), code):
        return character
    return f"‹U+{code:04X}›"


def _legitimate(value: str, index: int, code: int) -> bool:
    """Whether an invisible character does here what it is for: joins an emoji or letters of a script that joins, chooses a
    glyph after a base, or marks direction beside right-to-left text."""
    before = value[index - 1] if index else ""
    after = value[index + 1] if index + 1 < len(value) else ""
    if not before:
        return False
    if code == 0x200D:
        return (_pictograph(before) and _pictograph(after)) or (_joins(before) and (_joins(after) or not after.isalnum()))
    if code == 0x200C:
        return _joins(before) and _joins(after)
    if 0xFE00 <= code <= 0xFE0F:
        if code >= 0xFE0E:
            return _pictograph(before) or before in "0123456789#*" or unicodedata.category(before) in {"So", "Sm", "Po"}
        return unicodedata.category(before) in {"Lo", "Sm", "So"}
    if 0xE0100 <= code <= 0xE01EF:
        return unicodedata.category(before) == "Lo" and unicodedata.name(before, "").startswith("CJK")
    if code in (0x200E, 0x200F, 0x061C):
        return any(unicodedata.bidirectional(near) in {"R", "AL"} for near in value[max(0, index - 2) : index + 3] if near)
    return False


def _pictograph(character: str) -> bool:
    if not character:
        return False
    code = ord(character)
    return (
        0x1F000 <= code <= 0x1FAFF or 0x2190 <= code <= 0x2BFF or code in (0xFE0F, 0x200D, 0xA9, 0xAE, 0x3030, 0x303D)
        or 0x1F3FB <= code <= 0x1F3FF
    )


def _joins(character: str) -> bool:
    """Whether a character belongs to a script whose letters join, or whose clusters a joiner shapes."""
    if not character:
        return False
    code = ord(character)
    return any(low <= code <= high for low, high in _JOINING)


_JOINING = (
    (0x0600, 0x08FF), (0x0900, 0x0DFF), (0x0F00, 0x109F), (0x1780, 0x18AF), (0x1B00, 0x1BFF), (0xA840, 0xA87F),
    (0xA8E0, 0xA8FF), (0xA980, 0xA9FF), (0xFB50, 0xFDFF), (0xFE70, 0xFEFE), (0x10A00, 0x10EFF), (0x11000, 0x11DFF),
    (0x1E900, 0x1E95F),
)
_ASCII = {code: chr(0x2400 + code) for code in range(0x20) if code not in (0x09, 0x0A)} | {0x7F: "␡"}
_WORDS = re.compile(r" *[^ ]+ *")
# Everything that a terminal acts on or that an eye cannot see; joiners and selectors are looked at where they stand.
_SUSPECT = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f"
    "\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\ud800-\udfff\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
