"""What is wrong with a file's bytes before anyone parses them: whole-file screens, each one pass in C.

A file with a problem is shown and reported, and never written (DESIGN.md, The Markdown reader; formats/common.md).
"""

from __future__ import annotations

import re

from memdesk.core.lean import TYPE_CHECKING
from memdesk.core.model import Problem

if TYPE_CHECKING:
    from memdesk.core.tree import Tree

_UTF16 = (b"\xff\xfe", b"\xfe\xff")
_LONGEST_LINK = 1024  # bytes


def problem(data: bytes) -> Problem | None:
    """The first reason why these bytes must not be edited, or None: `encoding`, then `conflict-marker`."""
    return _encoding(data) or _conflict(data)


def link_as_text(tree: Tree, path: str, data: bytes) -> Problem | None:
    """Whether a file is what git leaves where it cannot make a link: the link's target as its whole text.

    A text that merely looks like a path is none: the path must lead to something.
    """
    if len(data) > _LONGEST_LINK or not data.endswith(b".md") or b"\n" in data or b" " in data:
        return None
    target = data.decode("utf-8", "surrogateescape")
    parts = [] if target.startswith("/") else path.split("/")[:-1]
    for part in target.split("/"):
        if part == "..":
            if not parts:
                return None
            parts.pop()
        elif part not in ("", "."):
            parts.append(part)
    if "/".join(parts) == path or tree.kind("/".join(parts) or ".") not in ("file", "link"):
        return None
    return Problem("link-outside", 1, f"Its whole text is the path {target!r}: a link that was checked out as text.")


def _encoding(data: bytes) -> Problem | None:
    if data.startswith(_UTF16):
        return Problem("encoding", 1, "It is UTF-16, not UTF-8.")
    at = data.find(b"\0")
    if at >= 0:
        return Problem("encoding", _line(data, at), "It holds a NUL byte: this is no text, or not UTF-8.")
    if not data.isascii():
        try:
            data.decode("utf-8")
        except UnicodeDecodeError as error:
            return Problem("encoding", _line(data, error.start), f"It is not UTF-8: byte 0x{data[error.start]:02x}.")
    if b"\r" in data and data.count(b"\r") != data.count(b"\r\n"):
        match = re.search(rb"\r(?!\n)", data)
        at = match.start() if match else 0
        return Problem("encoding", _line(data, at), "It holds a carriage return without a line feed.")
    return None


def _conflict(data: bytes) -> Problem | None:
    if b">>>>>>>" not in data and b"|||||||" not in data:
        return None  # an opening marker alone is text
    from memdesk.core.markers import reported

    line = next((line for line, _ in reported(data)), None)
    return None if line is None else Problem("conflict-marker", line, "It holds a merge conflict that is not resolved.")


def _line(data: bytes, at: int) -> int:
    return data.count(b"\n", 0, at) + 1
