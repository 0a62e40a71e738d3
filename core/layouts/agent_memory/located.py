"""JSON with the line of every value, so that what is wrong with a settings file can be shown where it stands.

The standard reader keeps no places, lets a key come twice, and takes NaN.
"""

from __future__ import annotations

import re

from memdesk.core.lean import TYPE_CHECKING, NamedTuple
from memdesk.core.patterns import lazy

if TYPE_CHECKING:
    from typing import Any

DEEPEST = 50  # values within each other


class Node(NamedTuple):
    """A value and the 1-based line that it begins on. An object's `value` maps keys to nodes, a list's is a list of nodes;
    any other is a str, int, float, bool or None."""

    value: Any
    line: int


class Malformed(ValueError):
    """Text that is no JSON, or holds a key twice; `line` is 1-based."""

    def __init__(self, message: str, line: int) -> None:
        super().__init__(message)
        self.message = message
        self.line = line


def parse(text: str) -> Node:
    """The one value in a text. Raises Malformed."""
    reader = _Reader(text)
    node = reader.value(0)
    if reader.peek():
        raise reader.wrong("there is more text after the end")
    return node


_SPACE = lazy(r"[ \t\r\n]*")
_STRING = lazy(r'"((?:[^"\\\x00-\x1f]|\\["\\/bfnrt]|\\u[0-9a-fA-F]{4})*)"')
_NUMBER = lazy(r"-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?(?![\w.])", re.ASCII)
_WORD = lazy(r"true\b|false\b|null\b", re.ASCII)
_ESCAPE = lazy(r"((?:\\u[0-9a-fA-F]{4})+)|\\(.)")
_ESCAPES = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
_WORDS = {"true": True, "false": False, "null": None}


class _Reader:
    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0

    def peek(self) -> str:
        """The next character that is no white space; "" at the end."""
        match = _SPACE.match(self.text, self.at)
        self.at = match.end() if match else self.at
        return self.text[self.at : self.at + 1]

    def line(self) -> int:
        return self.text.count("\n", 0, self.at) + 1

    def wrong(self, message: str) -> Malformed:
        return Malformed(message, self.line())

    def value(self, depth: int) -> Node:
        char = self.peek()
        line = self.line()
        if depth > DEEPEST:
            raise self.wrong(f"there are more than {DEEPEST} values within each other")
        if char == "{":
            return Node(self.members(depth), line)
        if char == "[":
            return Node(self.items(depth), line)
        if char == '"':
            return Node(self.string(), line)
        word = _WORD.match(self.text, self.at)
        if word:
            self.at = word.end()
            return Node(_WORDS[word[0]], line)
        number = _NUMBER.match(self.text, self.at)
        if number is None:
            raise self.wrong(f"a value is expected, not {char!r}" if char else "it ends too early")
        self.at = number.end()
        if number[1] or number[2]:
            return Node(float(number[0]), line)
        if len(number[0]) > 18:
            raise Malformed("the number is too large", line)
        return Node(int(number[0]), line)

    def members(self, depth: int) -> dict[str, Node]:
        found: dict[str, Node] = {}
        self.at += 1
        if self.peek() == "}":
            self.at += 1
            return found
        while True:
            if self.peek() != '"':
                raise self.wrong("a key in double quotes is expected")
            line = self.line()
            key = self.string()
            if key in found:
                raise Malformed(f"the key {key!r} is there twice", line)
            if self.peek() != ":":
                raise self.wrong(f"a colon is expected after the key {key!r}")
            self.at += 1
            found[key] = self.value(depth + 1)
            if self.ends("}"):
                return found

    def items(self, depth: int) -> list[Node]:
        found: list[Node] = []
        self.at += 1
        if self.peek() == "]":
            self.at += 1
            return found
        while True:
            found.append(self.value(depth + 1))
            if self.ends("]"):
                return found

    def ends(self, closer: str) -> bool:
        char = self.peek()
        if char not in (",", closer) or not char:
            raise self.wrong(f"a comma or {closer!r} is expected" + (f", not {char!r}" if char else ""))
        self.at += 1
        return char == closer

    def string(self) -> str:
        match = _STRING.match(self.text, self.at)
        if match is None:
            raise self.wrong("a text is not closed on its line, or holds an unknown escape")
        self.at = match.end()
        return match[1] if "\\" not in match[1] else _ESCAPE.sub(_unescaped, match[1])


def _unescaped(match: re.Match[str]) -> str:
    if match[1]:  # neighbours together: two of them can be one character
        units = b"".join(int(code, 16).to_bytes(2, "little") for code in match[1].split("\\u")[1:])
        return units.decode("utf-16-le", "surrogatepass")
    return _ESCAPES.get(match[2], match[2])
