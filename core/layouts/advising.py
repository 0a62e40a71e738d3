"""Where a setting would have to be changed, for layouts in which one decides what loads."""

from __future__ import annotations

import re

from memdesk.core.config import PROJECT_FILE, WORKSPACE_FILE
from memdesk.core.errors import MemdeskError
from memdesk.core.layouts.values import Advice
from memdesk.core.lean import TYPE_CHECKING

if TYPE_CHECKING:
    from memdesk.core.config import Settings
    from memdesk.core.model import Document
    from memdesk.core.tree import Tree


def setting(tree: Tree, settings: Settings, key: str, value: str) -> Advice:
    """How a setting (a number, by its dotted key) comes to another value: its line, or the place of a new one."""
    section, _, name = key.partition(".")
    row = f"{name} = {value}"
    place = settings.place(key)
    file = place.file if place else next((one for one in reversed(settings.files)), WORKSPACE_FILE)
    if not settings.files:
        return Advice(WORKSPACE_FILE, 0, "new", f"[{section}]\n{row}")
    prefix = {WORKSPACE_FILE: (), PROJECT_FILE: ("tool", "memdesk")}.get(file)
    text = None if prefix is None else _text(tree, file)
    if prefix is None or text is None:  # the user's own file, or one that is named on the command line
        return Advice(file, (place and place.line) or 0, "see", f"`{row}` in `[{section}]`")
    lines = text.split("\n")
    if place is not None and place.line is not None:
        now = lines[place.line - 1].rstrip("\r")
        new = re.sub(rf"(\b{name}\b[\"']?[ \t]*=[ \t]*)[0-9_+]+", rf"\g<1>{value}", now, count=1)
        return Advice(file, place.line, *(("instead", new, now) if new != now else ("see", f"`{row}`", now)))
    header = ".".join((*prefix, section))
    at = next((at for at, line in enumerate(lines, 1) if re.match(rf"\s*\[\s*{re.escape(header)}\s*\]", line)), None)
    if at is not None:
        return Advice(file, at, "below", row, lines[at - 1].rstrip("\r"))
    last = text.rstrip().count("\n") + 1
    if not text.strip():
        return Advice(file, 1, "instead", f"[{header}]\n{row}")
    return Advice(file, last, "below", f"[{header}]\n{row}", lines[last - 1].rstrip("\r"))


def line_of(document: Document, number: int) -> str:
    """A line of a document as it reads, by its 1-based number; without its ending and a byte order mark."""
    lines = document.data.split(b"\n")
    if not 1 <= number <= len(lines):
        return ""
    return lines[number - 1].decode("utf-8-sig" if number == 1 else "utf-8", "replace").rstrip("\r")


def _text(tree: Tree, path: str) -> str | None:
    try:
        return tree.read(path).decode("utf-8", "replace")
    except MemdeskError:
        return None
