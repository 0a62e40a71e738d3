"""The token estimate of custodian.md, and the other units that a budget can be counted in.

All over decoded text. White space is what `str.isspace` says: Unicode white space, and the four separator controls
U+001C to U+001F with it.
"""

from __future__ import annotations

from memdesk.core.errors import UsageError

UNITS = ("tokens", "chars", "lines")


def count(text: str) -> int:
    """The estimate: maximal runs of ASCII letters, digits and underscores, and every other character that is not white
    space. `src/app.py` is 5; each CJK character is 1."""
    if not text.isascii():
        for space in _OTHER_SPACES:
            text = text.replace(space, " ")
    # Each character becomes one byte that says what it is, and these are counted: ten times as fast as matching tokens.
    kinds = text.encode("utf-8", "surrogatepass").translate(_KINDS, _CONTINUED)
    return kinds.count(b".") + kinds.count(b" a") + kinds.count(b".a") + kinds.startswith(b"a")


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


_OTHER_SPACES = "\x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000" + "".join(map(chr, range(0x2000, 0x200B)))
_CONTINUED = bytes(range(0x80, 0xC0))  # bytes that continue a character in UTF-8


def _kind(code: int) -> str:
    """What a byte that begins a character counts as: "a" in a word, " " white space, "." a token by itself."""
    char = chr(code)
    if code >= 0x80 or not (char.isalnum() or char == "_" or char.isspace()):
        return "."
    return " " if char.isspace() else "a"


_KINDS = "".join(map(_kind, range(256))).encode("ascii")
