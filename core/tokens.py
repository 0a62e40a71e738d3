"""The token estimate of custodian.md, and the other units that a budget can be counted in.

All over decoded text. White space is what `str.isspace` says: Unicode white space, and the four separator controls
U+001C to U+001F with it.
"""

from __future__ import annotations

import re

from memdesk.core.errors import UsageError

_TOKEN = re.compile(r"[A-Za-z0-9_]+|[^\sA-Za-z0-9_]")
_PIECE = 1 << 16  # one match call holds the interpreter; the workbench answers keys in between

UNITS = ("tokens", "chars", "lines")


def count(text: str) -> int:
    """The estimate: maximal runs of ASCII letters, digits and underscores, and every other character that is not white
    space. `src/app.py` is 5; each CJK character is 1."""
    if len(text) <= _PIECE:
        return len(_TOKEN.findall(text))
    total = start = 0
    while start < len(text):
        end = start + _PIECE
        while end < len(text) and _in_word(text[end - 1]) and _in_word(text[end]):  # a run is counted in one piece
            end += 1
        total += len(_TOKEN.findall(text, start, end))
        start = end
    return total


def measure(text: str, unit: str) -> int:
    """The size of a text in `unit`: "tokens" (see `count`), "chars" (UTF-16 code units, as the harnesses that truncate
    boot files count) or "lines" (as editors do: a final newline starts no line). Raises UsageError for another unit."""
    if unit == "tokens":
        return count(text)
    if unit == "chars":
        return len(text.encode("utf-16-le", "surrogatepass")) // 2
    if unit == "lines":
        return text.count("\n") + bool(text and not text.endswith("\n"))
    raise UsageError(f"{unit!r} is no unit.", remedy="Use one of: " + ", ".join(UNITS) + ".")


def _in_word(char: str) -> bool:
    return char == "_" or (char.isascii() and char.isalnum())
