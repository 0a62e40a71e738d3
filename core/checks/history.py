"""Rules over the change: struck history may move between durable places, never vanish; what is archived stays."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from memdesk.core import fields
from memdesk.core.checks.rule import CheckContext, Checked, Rule
from memdesk.core.layouts.texts import shown
from memdesk.core.lean import TYPE_CHECKING
from memdesk.core.model import Finding
from memdesk.core.patterns import lazy

if TYPE_CHECKING:
    from memdesk.core.gitdiff import FileChange, Line

KEEPING = frozenset({"durable", "archive"})  # tiers that count as places for struck text


def struck_lost(context: CheckContext) -> Checked:
    """Struck texts that the change takes out and doesn't put back elsewhere, each as often as it was there."""
    if context.change is None:
        return context.without_change()
    kept: Counter[str] | None = context.shared.get("struck kept")
    if kept is None:
        kept = context.shared["struck kept"] = Counter(
            text for change in context.change.files if _tier(context, change.path) in KEEPING
            for _, text in _struck(change.added)
        )
    found: list[Finding] = []
    checked = 0
    for change in context.change.files:
        path = change.old_path or change.path
        if _tier(context, path, own=True) not in KEEPING:
            continue
        for line, text in _struck(change.removed):
            checked += 1
            if kept[text] > 0:
                kept[text] -= 1
                continue
            message = f"The change takes out a struck text (line {line} before it): {shown(text)!r}."
            found.append(STRUCK_LOST.finding(change.path, None, message))
    return Checked(checked, found)


def archive_changed(context: CheckContext) -> Checked:
    """Archived files that the change edits, moves or deletes. Today's own archive file still takes entries."""
    if context.change is None:
        return context.without_change()
    found: list[Finding] = []
    checked = 0
    for change in context.change.files:
        path = change.old_path or change.path
        if _tier(context, path, own=True) != "archive":
            continue
        checked += 1
        if change.status == "added" or (change.status == "modified" and not change.removed and _of_today(context, path)):
            continue
        if change.status != "mode":
            line = change.added[0][0] if change.added else None
            found.append(ARCHIVE_CHANGED.finding(change.path, line, f"The change {_deed(change)}."))
    return Checked(checked, found)


def _deed(change: FileChange) -> str:
    if change.status == "deleted":
        return "deletes an archived file"
    if change.status == "renamed":
        return f"renames an archived file (it was {change.old_path})"
    if change.status == "retyped":
        return "makes a link of an archived file, or the reverse"
    return f"edits an archived file: {len(change.added)} lines added, {len(change.removed)} removed"


def _of_today(context: CheckContext, path: str) -> bool:
    return path.endswith(f"-{context.today().isoformat()}.md")


def _tier(context: CheckContext, path: str, own: bool = False) -> str:
    """The tier of a path in the store that it belongs to, present or not; "" for what is no memory. `own`: of this store."""
    from memdesk.core import layouts

    for store in (context.store,) if own else context.workspace.stores:
        document = context.workspace.documents.get(path)
        if document is not None and document.store is store:
            return document.place.tier
        if document is None and store.inner(path) is not None:
            place = layouts.get(store.layout).classify(store, path)
            if place is not None:
                return place.tier
    return ""


_MARKER = lazy(r"\s*+(?:[-*+]|\d{1,9}[.)]|#{1,6}+)?\s*+(?=~~)")


def _struck(lines: Iterable[Line]) -> Iterator[tuple[int, str]]:
    """(line, text) of each struck heading, item or paragraph in lines of a diff; one may go over several of them."""
    if not isinstance(lines, tuple):
        lines = tuple(lines)
    for index, (number, line) in enumerate(lines):
        marker = _MARKER.match(line)
        if marker is None:
            continue
        text = line[marker.end() :]
        last = number
        for after, more in lines[index + 1 : index + 40]:
            if fields.is_struck(text) or after != last + 1 or not more.strip():
                break
            text, last = f"{text}\n{more.strip()}", after
        span = fields.struck_span(text)
        if span is not None:
            yield number, " ".join(text[span[0] : span[1]].split())


STRUCK_LOST = Rule(
    "struck-lost", "error", "a struck text gone from the durable and archive files in the change",
    "Put it back, or move the whole entry to the archive. If it had to go, allow it inline in that file, with the reason.",
    "struck texts", struck_lost, of_change=True,
)
ARCHIVE_CHANGED = Rule(
    "archive-changed", "error", "an archived file that the change edits, renames or deletes",
    "Restore it: what is archived is frozen. If it had to change, allow it inline in that file, with the reason.", "files",
    archive_changed, of_change=True,
)
RULES = (STRUCK_LOST, ARCHIVE_CHANGED)
