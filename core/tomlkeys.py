"""On which line of a TOML text a key stands: what `tomllib` does not tell, for messages that name the line.

The text has been read by `tomllib` already, so this only has to follow valid TOML: it skips values and keeps keys.
"""

from __future__ import annotations

import re

from memdesk.core.lean import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import TypeAlias

Key: TypeAlias = "tuple[str | int, ...]"  # ("stores", "layout", "docs/x"); an array of tables adds its index

_BARE = re.compile(r"[A-Za-z0-9_-]+")
_SPACE = re.compile(r"[ \t]*")
_BLANK = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")
_BASIC = re.compile(r'"((?:[^"\\\n]|\\.)*)"')
_LITERAL = re.compile(r"'([^'\n]*)'")
_LONG_BASIC = re.compile(r'"""(?:[^"\\]|\\[\s\S]|"(?!""))*"{3,5}')
_LONG_LITERAL = re.compile(r"'''(?:[^']|'(?!''))*'{3,5}")
_PLAIN = re.compile(r"[^,\]}#\n]*")  # numbers, dates, booleans
_ESCAPE = re.compile(r"\\(?:u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|(.))", re.DOTALL)
_ESCAPES = {"b": "\b", "t": "\t", "n": "\n", "f": "\f", "r": "\r", "e": "\x1b"}


def key_lines(text: str) -> dict[Key, int]:
    """The 1-based line (counted at `\\n`) of every table header and key, by its whole path; the first where it recurs."""
    return _Scan(text).run()


class _Scan:
    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.line = 1
        self._counted = 0
        self.found: dict[Key, int] = {}
        self.lists: dict[Key, int] = {}  # how many tables of an array were opened

    def run(self) -> dict[Key, int]:
        table: Key = ()
        while self._skip(_BLANK) < len(self.text):
            if self.text[self.at] == "[":
                double = self.text.startswith("[[", self.at)
                line = self._line()
                self.at += 2 if double else 1
                table = self._header(self._key(), double, line)
                self.at += 2 if double else 1
            elif not self._pair(table):
                break  # no TOML after all: what was found so far is right
        return self.found

    def _header(self, names: list[str], double: bool, line: int) -> Key:
        path: Key = ()
        for depth, name in enumerate(names):
            path = (*path, name)
            last = depth == len(names) - 1
            if last and double:
                self.found.setdefault(path, line)
                self.lists[path] = self.lists.get(path, 0) + 1
            if path in self.lists:
                path = (*path, self.lists[path] - 1)
            self.found.setdefault(path, line)
        return path

    def _pair(self, table: Key) -> bool:
        line = self._line()
        names = self._key()
        if not names or not self.text.startswith("=", self.at):
            return False
        path = table
        for name in names:
            path = (*path, name)
            self.found.setdefault(path, line)
        self.at += 1
        self._skip(_SPACE)
        self._value(path)
        return True

    def _key(self) -> list[str]:
        names: list[str] = []
        while True:
            self._skip(_SPACE)
            if match := _BARE.match(self.text, self.at):
                names.append(match[0])
            elif match := _BASIC.match(self.text, self.at):
                names.append(_unescape(match[1]))
            elif match := _LITERAL.match(self.text, self.at):
                names.append(match[1])
            else:
                return names
            self.at = match.end()
            self._skip(_SPACE)
            if not self.text.startswith(".", self.at):
                return names
            self.at += 1

    def _value(self, path: Key) -> None:
        """Step over a value; arrays and inline tables without recursion, as deep as they are nested."""
        open_: list[tuple[str, Key, int]] = []  # (closing bracket, path, index of the element)
        while True:
            for pattern in (_LONG_BASIC, _LONG_LITERAL, _BASIC, _LITERAL):
                if match := pattern.match(self.text, self.at):
                    self.at = match.end()
                    break
            else:
                character = self.text[self.at : self.at + 1]
                if character == "[":
                    self.at += 1
                    open_.append(("]", path, 0))
                    path = (*path, 0)
                elif character == "{":
                    self.at += 1
                    open_.append(("}", path, 0))
                elif not open_ or character not in (open_[-1][0], ",", "#", "\n", "\r", " ", "\t"):
                    self._skip(_PLAIN)
            if not open_ or self.at >= len(self.text):
                return
            while open_:
                self._skip(_BLANK)
                closing, owner, index = open_[-1]
                if self.text.startswith(closing, self.at):
                    self.at += 1
                    open_.pop()
                    path = owner
                    if not open_:
                        return
                    continue
                if self.text.startswith(",", self.at):
                    self.at += 1
                    index += 1
                    open_[-1] = (closing, owner, index)
                    continue
                if closing == "]":
                    path = (*owner, index)
                    self.found.setdefault(path, self._line())
                    break
                line = self._line()
                names = self._key()
                if not names or not self.text.startswith("=", self.at):
                    self.at = len(self.text)
                    return
                path = owner
                for name in names:
                    path = (*path, name)
                    self.found.setdefault(path, line)
                self.at += 1
                self._skip(_SPACE)
                break

    def _skip(self, pattern: re.Pattern[str]) -> int:
        match = pattern.match(self.text, self.at)
        self.at = self.at if match is None else match.end()
        return self.at

    def _line(self) -> int:
        self.line += self.text.count("\n", self._counted, self.at)
        self._counted = self.at
        return self.line


def _unescape(text: str) -> str:
    def one(match: re.Match[str]) -> str:
        if match[3]:
            return _ESCAPES.get(match[3], match[3])
        return chr(int(match[1] or match[2], 16))

    return _ESCAPE.sub(one, text) if "\\" in text else text
