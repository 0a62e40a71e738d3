"""What decides that a file doesn't load at the start: the boot files that `memory-lint.json` names."""

from __future__ import annotations

import json

from memdesk.core.errors import MemdeskError
from memdesk.core.layouts.agent_memory import located
from memdesk.core.layouts.agent_memory.lint import FILE, Lint
from memdesk.core.layouts.agent_memory.read import BOOT, BOOT_CHARS
from memdesk.core.layouts.base import Advice
from memdesk.core.layouts.values import quoted
from memdesk.core.lean import TYPE_CHECKING

if TYPE_CHECKING:
    from memdesk.core.config import Settings
    from memdesk.core.layouts.agent_memory.located import Node
    from memdesk.core.layouts.base import LoadRequest
    from memdesk.core.model import Document, Store, Workspace


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
        index = {lint.index_file: dict(zip(_CAPS, BOOT, strict=True))}
        made = {"tiers": {"rom": {"files": {**index, **files}, "totalMaxChars": BOOT_CHARS}}}
        return Advice(store.join(FILE), 0, "new", json.dumps(made, ensure_ascii=False))
    try:
        text = workspace.tree.read(lint.file).decode("utf-8-sig")
        root = located.parse(text)
    except (MemdeskError, UnicodeDecodeError, located.Malformed):
        return None  # said as what is wrong with the store
    return _added(lint, root, files)


def _added(lint: Lint, root: Node, files: dict[str, dict[str, int]]) -> Advice | None:
    """What the innermost object that is there lacks: the files, with the objects around them that are missing."""
    node, name, missing = root, "the file", ["tiers", "rom", "files"]
    while missing and isinstance(node.value, dict) and missing[0] in node.value:
        name = missing.pop(0)
        node = node.value[name]
    if not isinstance(node.value, dict):
        return None
    member: dict[str, object] = dict(files)
    if missing:  # where boot files are not named the index is one, with its usual caps where nothing is said of the tier
        index: dict[str, int] = dict(zip(_CAPS, BOOT, strict=True)) if "rom" in missing else {}
        member = {"files": {lint.index_file: index, **files}}
        if "rom" in missing:
            member = {"rom": {**member, "totalMaxChars": BOOT_CHARS}}
        if "tiers" in missing:
            member = {"tiers": member}
    where = quoted(name) if name != "the file" else name
    return Advice(lint.file or FILE, node.line, "see", f"to {where} add {quoted(json.dumps(member, ensure_ascii=False)[1:-1])}")


_CAPS = ("maxChars", "maxLines")
