"""Front matter as people usually write it, read without YAML: a key and a plain value, a quoted one or a short list on a line.

It says nothing about what it does not know; what it reads, YAML would read just so.
"""

from __future__ import annotations

from memdesk.core.patterns import lazy

Value = str | list[str]

_LINE = lazy(r"(?P<key>[A-Za-z_][A-Za-z0-9_.-]*+):(?: ++(?P<value>.*+))?")
_LIST = lazy(r"\[(?: *+[A-Za-z0-9_./][A-Za-z0-9_./ @+-]*+(?:, *+[A-Za-z0-9_./][A-Za-z0-9_./ @+-]*+)*+| *+)\]")
_NOT_PLAIN = frozenset("-?:,[]{}#&*!|>'\"%@` ")  # what no plain value begins with


def read(block: str) -> dict[str, Value] | None:
    """The fields of what stands between the fence lines, every scalar a string; None where YAML has to be asked."""
    found: dict[str, Value] = {}
    for row in block.split("\n"):
        row = row.removesuffix("\r").rstrip(" ")
        if not row or row[0] == "#":
            if not row.isprintable():
                return None
            continue
        match = _LINE.fullmatch(row)
        if match is None or not row.isprintable() or match["key"] in found:
            return None
        value = _value(match["value"] or "")
        if value is None:
            return None
        found[match["key"]] = value
    return found or None


def _value(text: str) -> Value | None:
    """A value as it is meant; None for one that is written in another way."""
    if not text:
        return ""
    first = text[0]
    if first not in _NOT_PLAIN:
        return None if ": " in text or " #" in text or text[-1] == ":" else text
    if first == '"':
        inner = text[1:-1]
        return None if len(text) < 2 or text[-1] != '"' or '"' in inner or "\\" in inner else inner
    if first == "'":
        inner = text[1:-1].replace("''", "\0")
        return None if len(text) < 2 or text[-1] != "'" or "'" in inner else inner.replace("\0", "'")
    if first == "[" and _LIST.fullmatch(text):
        return [part.strip(" ") for part in text[1:-1].split(",")] if text[1:-1].strip(" ") else []
    return None
