"""A line as bash takes it apart, up to the cursor, and words as bash wants them in it. Nothing in it is ever expanded."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

_IN_DOUBLE = '"\\$`'  # what a backslash quotes between double quotes
_SAFE = frozenset("%+,-./:=@_#^")  # beside letters and digits: what bash takes as it is, in the middle of a word


class Line(NamedTuple):
    """The words before the one at the cursor and that one, all without quotes; `parts` are the characters of the last, each
    with whether it was quoted; `quote`: the quote that is open there, or ""."""

    words: tuple[str, ...]
    parts: tuple[tuple[str, bool], ...]
    quote: str

    @property
    def current(self) -> str:
        return "".join(char for char, _ in self.parts)


def split(text: str) -> Line:
    """The words of a line that may end anywhere, in the middle of a quote too."""
    words: list[str] = []
    parts: list[tuple[str, bool]] = []
    begun, quote, at = False, "", 0
    while at < len(text):
        char = text[at]
        at += 1
        if char == quote:
            quote = ""
        elif quote == "'":
            parts.append((char, True))
        elif char == "\\" and at < len(text) and (not quote or text[at] in _IN_DOUBLE):
            parts.append((text[at], True))
            begun, at = True, at + 1
        elif quote:
            parts.append((char, True))
        elif char in "'\"":
            begun, quote = True, char
        elif char in " \t\n":
            if begun or parts:
                words.append("".join(part for part, _ in parts))
            begun, parts = False, []
        else:
            parts.append((char, False))
    return Line(tuple(words), tuple(parts), quote)


def replies(line: Line, breaks: str, found: Iterable[str]) -> list[str]:
    """What bash shall put in, for each word that could stand at the cursor. It replaces what follows the last of its `breaks`
    (COMP_WORDBREAKS) that isn't quoted. In open quotes only what needs no other quoting is offered."""
    ends = [at for at, (char, quoted) in enumerate(line.parts) if not quoted and char in breaks]
    kept = ends[-1] + 1 if ends else 0
    rest = [word[kept:] for word in found]
    if line.quote:
        bad = "'" if line.quote == "'" else _IN_DOUBLE + "!"
        return [word for word in rest if not any(char in bad for char in word)]
    return [escaped(word, first=kept == 0) for word in rest]


def escaped(word: str, *, first: bool = True) -> str:
    """A word with a backslash before whatever bash would not take as it is. `first`: nothing stands before it."""
    out = []
    for at, char in enumerate(word):
        safe = char.isalnum() or char in _SAFE or not char.isascii()
        out.append(char if safe and not (at == 0 and first and char in "#^") else "\\" + char)
    return "".join(out)
