"""The rules over caps: boot files, which harnesses cut, and working files, which have to be trimmed when they are touched.

Characters are UTF-16 code units, since the harnesses that cut boot files count so; lines are as editors count them.
"""

from __future__ import annotations

from memdesk.core.checks.rule import CheckContext, Checked, Rule
from memdesk.core.errors import MemdeskError
from memdesk.core.layouts.agent_memory.detect import NAME, is_working
from memdesk.core.layouts.agent_memory.lint import Lint
from memdesk.core.lean import TYPE_CHECKING
from memdesk.core.tokens import measure

if TYPE_CHECKING:
    from memdesk.core.model import Finding

_WORDS = {"chars": "characters", "lines": "lines"}


def rom_caps(context: CheckContext) -> Checked:
    """Each boot file against its characters and lines, and all together against the total."""
    lint: Lint = context.store.settings
    found: list[Finding] = []
    total = checked = 0
    for name, caps in lint.boot.items():
        path = context.store.join(name)
        text = text_of(context, path)
        if text is None:
            message = "This boot file is not there (or cannot be read), so no agent starts with it."
            hint = f"Restore it, or take it out of {lint.file}." if lint.file else "Write it: pointers to what each file holds."
            found.append(ROM_CAPS.finding(path, None, message, hint, severity="warning", about="missing"))
            continue
        checked += 1
        total += measure(text, "chars")
        for cap in caps:
            used = measure(text, cap.unit)
            if cap.limit is not None and used > cap.limit:
                message = f"{used:,} of {cap.limit:,} {_WORDS[cap.unit]}: {used - cap.limit:,} over{_set_by(lint)}."
                found.append(ROM_CAPS.finding(path, None, message, about=cap.unit))
    if lint.boot_chars is not None and total > lint.boot_chars:
        over = f"{total:,} of {lint.boot_chars:,} characters: {total - lint.boot_chars:,} over{_set_by(lint)}."
        where = context.store.join(lint.index_file)
        found.append(ROM_CAPS.finding(where, None, f"All boot files together have {over}", about="all"))
    of = "" if lint.boot_chars is None else f" of {lint.boot_chars:,}"
    return Checked(checked, found, also=f"{total:,}{of} characters")


def ram_caps(context: CheckContext) -> Checked:
    """Each working file against its cap: an error where the change touches it."""
    lint: Lint = context.store.settings
    found: list[Finding] = []
    change = context.change
    touched = frozenset() if change is None else {file.path for file in change.files if file.status != "deleted"}
    checked = 0
    for document in context.readable:
        if not is_working(lint, context.store.named(document.path)):
            continue
        checked += 1
        if lint.working_chars is None or len(document.data) <= lint.working_chars:
            continue  # a code unit takes at least one byte
        used = measure(document.data.decode("utf-8", "replace"), "chars")
        if used > lint.working_chars:
            over = f"{used:,} of {lint.working_chars:,} characters: {used - lint.working_chars:,} over{_set_by(lint)}."
            if document.path in touched:
                found.append(RAM_CAPS.finding(document.path, None, over, about="touched"))
            else:
                found.append(RAM_CAPS.finding(document.path, None, f"{over} This change doesn't touch it.", severity="warning"))
    return Checked(checked, found, also=f"{len(found)} over cap")


def text_of(context: CheckContext, path: str) -> str | None:
    document = context.workspace.documents.get(path)
    if document is not None and (document.problem is None or document.data):
        return document.data.decode("utf-8", "replace")
    try:
        return context.workspace.tree.read(path).decode("utf-8", "replace")
    except MemdeskError:
        return None


def _set_by(lint: Lint) -> str:
    return f" (set in {lint.file})" if lint.file else ""


ROM_CAPS = Rule(
    "rom-caps", "error",
    "a boot file over its characters or lines, or all together over their total (a warning for one that is missing)",
    "Move detail to the file that owns it and leave a pointer: what is past the cap is not read.", "boot files", rom_caps, NAME,
)
RAM_CAPS = Rule(
    "ram-caps", "error", "a working file over its cap that the change touches (a warning for one that it doesn't)",
    "Trim it: promote what lasts, and take out what is done.", "working files", ram_caps, NAME,
)
RULES = (ROM_CAPS, RAM_CAPS)
