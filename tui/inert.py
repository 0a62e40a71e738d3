"""Outside text that can do nothing to a terminal: the first half of the gate (`tui/text.py`), which the command line uses too.

No import of Rich or Textual: headless commands print through here.
"""

from __future__ import annotations

import re
import unicodedata

from memdesk.core.checks.invisible import hidden

MARKS = 8  # on one letter: a Tibetan stack has that many
JOINS = 3  # in one sign: the longest emoji sequences have that many


def inert(value: str) -> str:
    """Text that can do nothing to a terminal. Newlines and tabs stay; `\\r\\n` becomes `\\n`.

    C0 controls and DEL become control pictures (`␛`), C1 controls, bidi controls, tags, fillers and joiners outside
    their legitimate use become `‹U+202E›`, and bytes that were not UTF-8 become `‹\\x9b›`. So do more marks on one letter
    and longer chains of joiners than any script has: they would take no room, or all of it.
    """
    if value.isascii():
        return value if value.isprintable() else _ascii(value)
    value = value.replace("\r\n", "\n")
    value = _REST.sub(lambda match: _symbol(ord(match[0])), value)
    found = hidden(value)  # the one definition of what may be invisible where, shared with the check
    if found:
        parts, at = [], 0
        for each in found:
            parts += [value[at : each.at], _symbol(ord(value[each.at]))]
            at = each.at + 1
        value = "".join([*parts, value[at:]])
    value = _TONE.sub(lambda match: _symbol(ord(match[0])), value)
    value = _UNWORDED.sub(_heaped, value)
    if "\u200d" in value:
        value = _CHAIN.sub(_chained, value)
    return "◌" + value if value and unicodedata.category(value[0]) in {"Mn", "Me"} else value


def line(value: str) -> str:
    """One line of inert text: newlines, tabs and runs of blanks become one blank each, outer blanks go."""
    return " ".join(inert(value).split())


def cell(value: str) -> str:
    """Inert text on one line as it is: line breaks and tabs are symbols, blanks stay, so that ids can be used."""
    return inert(value).replace("\n", "␊").replace("\t", "␉")


def literal(value: str) -> str:
    """Text in which Markdown has nothing to say. It is not made inert here."""
    return "".join(f"\\{char}" if char in "\\`*_{}[]<>#|~&" else char for char in value)


def _ascii(value: str) -> str:
    return value.replace("\r\n", "\n").translate(_ASCII)


def _heaped(match: re.Match[str]) -> str:
    count, parts = 0, []
    for char in match[0]:
        count = count + 1 if unicodedata.category(char) in {"Mn", "Mc", "Me"} else 0
        parts.append(char if count <= MARKS else _symbol(ord(char)))
    return "".join(parts)


def _chained(match: re.Match[str]) -> str:
    parts = match[0].split("\u200d")
    return "".join(
        part + ("" if number == len(parts) else "\u200d" if number % (JOINS + 1) else _symbol(0x200D))
        for number, part in enumerate(parts, 1)
    )


def _symbol(code: int) -> str:
    if code < 0x20:
        return chr(0x2400 + code)
    if code == 0x7F:
        return "␡"
    if 0xDC80 <= code <= 0xDCFF:
        return f"‹\\x{code - 0xDC00:02x}›"
    return f"‹U+{code:04X}›"


_ASCII = {code: chr(0x2400 + code) for code in range(0x20) if code not in (0x09, 0x0A)} | {0x7F: "␡"}
# What `invisible` leaves to others: carriage returns, bytes that were no UTF-8, a byte order mark at the start, and what
# Unicode says will never be a character.
_NONE = "".join(chr(plane << 16 | low) for plane in range(17) for low in (0xFFFE, 0xFFFF))
_REST = re.compile(f"\r|[\ud800-\udfff\ufdd0-\ufdef{_NONE}]|\\A\ufeff")
# A skin tone that is not on a pictograph: Rich counts no cell for it, terminals show it in two.
_TONE = re.compile("(?<![\u2190-\u2bff\U0001f000-\U0001f3fa\U0001f400-\U0001faff\ufe0f])[\U0001f3fb-\U0001f3ff]")
_UNWORDED = re.compile(rf"[^\w\s\x00-\u02ff]{{{MARKS + 1},}}")  # where a heap of marks can be: no mark is a word's letter
_CHAIN = re.compile(f"(?:[^\u200d\n]{{1,4}}\u200d){{{JOINS + 1},}}")
