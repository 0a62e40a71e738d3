"""Link reference definitions at the start of a paragraph, as CommonMark reads them."""

from __future__ import annotations

import re

from memdesk.core.patterns import lazy

_LABEL = lazy(r"\[((?:[^\[\]\\]|\\.){1,999}+)\]:", re.DOTALL)
_GAP = lazy(r"[ \t]*+(?:\n[ \t]*+)?")
_POINTED = lazy(r"<(?:[^<>\n\\]|\\[^\n])*+>")
_TITLE = lazy(r'"(?:[^"\\]|\\.)*+"|' r"'(?:[^'\\]|\\.)*+'" r"|\((?:[^()\\]|\\.)*+\)", re.DOTALL)
_REST = lazy(r"[ \t]*+(?:\n|\Z)")
_PARENTHESES = 32  # nested ones in a bare destination, as other implementations limit them


def definitions(text: str) -> list[tuple[int, int, str]]:
    """The definitions that a paragraph begins with: (start, end, label), whole lines, end after the line's ending.

    `text` is the paragraph's content: its lines without what their containers and indentation put before them, joined by
    one line feed each.
    """
    found = []
    at = 0
    while text.startswith("[", at):
        end = _definition(text, at)
        if end is None:
            break
        label = _LABEL.match(text, at)
        assert label is not None
        found.append((at, end, label[1].strip(" \t\n")))
        at = end
    return found


def _definition(text: str, at: int) -> int | None:
    """Where the definition at `at` ends, or None: there is none."""
    label = _LABEL.match(text, at)
    if label is None or not label[1].strip(" \t\n"):
        return None
    after = _destination(text, _gap(text, label.end()))
    if after is None:
        return None
    gap = _gap(text, after)
    title = _TITLE.match(text, gap) if gap > after else None
    if title:
        rest = _REST.match(text, title.end())
        if rest:
            return rest.end()
    rest = _REST.match(text, after)  # a title that isn't one, on a line of its own, leaves a definition without
    return rest.end() if rest else None


def _gap(text: str, at: int) -> int:
    match = _GAP.match(text, at)
    return match.end() if match else at


def _destination(text: str, at: int) -> int | None:
    if text.startswith("<", at):
        pointed = _POINTED.match(text, at)
        return pointed.end() if pointed else None
    depth = 0
    index = at
    while index < len(text):
        char = text[index]
        if char <= " " or char == "\x7f":
            break
        if char == "\\" and index + 1 < len(text) and text[index + 1] > " ":
            index += 1
        elif char == "(":
            depth += 1
            if depth > _PARENTHESES:
                return None
        elif char == ")":
            if depth == 0:
                break
            depth -= 1
        index += 1
    return index if index > at and depth == 0 else None
