"""What decides that a file doesn't load at the start: the boot files that `memory-lint.json` names."""

from __future__ import annotations

import json

from memdesk.core.errors import MemdeskError
from memdesk.core.layouts.agent_memory import located
from memdesk.core.layouts.agent_memory.lint import FILE, Lint
from memdesk.core.layouts.agent_memory.read import BOOT, BOOT_CHARS, read
from memdesk.core.layouts.base import Advice
from memdesk.core.lean import TYPE_CHECKING

if TYPE_CHECKING:
    from memdesk.core.config import Settings
    from memdesk.core.layouts.agent_memory.located import Node
    from memdesk.core.layouts.base import LoadRequest
    from memdesk.core.model import Document, Store, Workspace

MOST_BRACES = 200  # on one line, in a file that nobody made for people to edit


def advice(
    workspace: Workspace, store: Store, request: LoadRequest, document: Document, settings: Settings
) -> Advice | None:
    """A line of the boot files for a note or a durable file. What is archived is frozen, and advised to stay where it is."""
    lint: Lint = store.settings
    inner = store.inner(document.path)
    if document.place.tier == "archive" or inner is None:
        return None
    # Once a file beside the index is named, the usual instruction files are boot files no more but for being named too.
    named = [path for path in lint.boot if path != lint.index_file]
    present = [] if named else [
        store.named(other.path) for other in workspace.documents_of(store) if other.place.role == "instructions"
    ]
    files: dict[str, dict[str, int]] = {name: {} for name in (*present, inner)}
    if lint.file is None:
        index = {lint.index_file: dict(zip(("maxChars", "maxLines"), BOOT, strict=True))}
        made = {"tiers": {"rom": {"files": {**index, **files}, "totalMaxChars": BOOT_CHARS}}}
        return Advice(store.join(FILE), 0, "new", json.dumps(made, ensure_ascii=False))
    try:
        text = workspace.tree.read(lint.file).decode("utf-8-sig")
        root = located.parse(text)
    except (MemdeskError, UnicodeDecodeError, located.Malformed):
        return None  # said as what is wrong with the store
    return _inserted(lint, text, root, files, [*lint.boot, *files]) or Advice(
        lint.file, root.line, "see", f"name {json.dumps(inner, ensure_ascii=False)} in `files` of `rom`"
    )


def _inserted(lint: Lint, text: str, root: Node, files: dict[str, dict[str, int]], wanted: list[str]) -> Advice | None:
    """The first member of the innermost object that is there, with those that are missing around the files."""
    node, missing = root, ["tiers", "rom", "files"]
    while missing and isinstance(node.value, dict) and missing[0] in node.value:
        node = node.value[missing.pop(0)]
    if not isinstance(node.value, dict):
        return None
    member: dict[str, object] = dict(files)
    if missing:  # where boot files are not named the index is one, with its usual caps where nothing is said of the tier
        caps = dict(zip(("maxChars", "maxLines"), BOOT, strict=True)) if "rom" in missing else {}
        member = {"files": {lint.index_file: caps, **files}}
        if "rom" in missing:
            member = {"rom": {**member, "totalMaxChars": BOOT_CHARS}}
        if "tiers" in missing:
            member = {"tiers": member}
    new = json.dumps(member, ensure_ascii=False)[1:-1]
    lines = text.split("\n")
    now = lines[node.line - 1].rstrip("\r")
    rest = ", " if node.value else ""
    if node.value and now.rstrip().endswith("{") and node.line < len(lines):
        below = lines[node.line]
        added = below[: len(below) - len(below.lstrip())] + new + ","
        if _names(lint, [*lines[: node.line], added, *lines[node.line :]], wanted):
            return Advice(lint.file or FILE, node.line, "below", added, now)
    braces = [at for at, char in enumerate(now) if char == "{"]
    for at in braces[:MOST_BRACES]:
        changed = now[: at + 1] + new + rest + now[at + 1 :].lstrip()
        if _names(lint, [*lines[: node.line - 1], changed, *lines[node.line :]], wanted):
            return Advice(lint.file or FILE, node.line, "instead", changed, now)
    return None


def _names(lint: Lint, lines: list[str], wanted: list[str]) -> bool:
    """Whether such a file names these boot files, and says the same as before of all else."""
    try:
        made = read(lint.file or FILE, "\n".join(lines).encode())
    except MemdeskError:
        return False
    same = made._replace(boot={}, patterns=()) == lint._replace(boot={}, patterns=())
    return same and sorted(made.boot) == sorted(dict.fromkeys(wanted))
