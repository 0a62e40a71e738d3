"""The rules over the log: a file a day, and nothing in it changes but by lines at its end."""

from __future__ import annotations

from memdesk.core.checks.rule import CheckContext, Checked, Rule
from memdesk.core.errors import GitError, MemdeskError
from memdesk.core.fork import Fork, fork
from memdesk.core.gitdiff import FileChange, before, whole
from memdesk.core.layouts.texts import shown
from memdesk.core.layouts.tiers.detect import classify
from memdesk.core.layouts.tiers.kept import NAME, Kept
from memdesk.core.layouts.tiers.read import day_of
from memdesk.core.lean import TYPE_CHECKING

if TYPE_CHECKING:
    from memdesk.core.model import Finding


def log_append_only(context: CheckContext) -> Checked:
    """Log files that the change alters in another way than by lines at their end, deletes or renames: against the commit that
    is checked out, and against where the branch began."""
    if context.change is None:
        return context.without_change()
    try:
        forked = _since(context)
    except GitError as error:
        return Checked(0, skipped=str(error), failed=True)
    changes = list(forked.change.files)
    if context.change.base is None:  # with a base, its own newest lines are no deed of this branch
        changes = [*context.change.files, *(change for change in changes if change not in context.change.files)]
    found: dict[str, Finding] = {}
    looked: set[str] = set()
    for change in changes:
        path = change.old_path or change.path
        if change.status in ("added", "mode", "submodule", "unmerged") or not _is_log(context, path):
            continue
        looked.add(path)
        finding = _judged(context, change)
        if finding is not None:
            found.setdefault(path, finding)
    documents = [document for document in context.documents if document.place.role == "log"]
    checked = len(looked | {document.path for document in documents})
    note = f" ({forked.note})" if forked.note else ""
    return Checked(checked, list(found.values()), also=f"against {forked.since}{note}")


def log_name(context: CheckContext) -> Checked:
    """Log files whose name is no date, or one that is still to come."""
    found: list[Finding] = []
    documents = [document for document in context.documents if document.place.role == "log"]
    for document in documents:
        day = day_of(document.path)
        if day is None:
            found.append(LOG_NAME.finding(document.path, None, "The name of this log file is no date."))
        elif day > context.today().isoformat():
            found.append(LOG_NAME.finding(document.path, None, f"The date of this log file is still to come: {day}."))
    return Checked(len(documents), found)


def _since(context: CheckContext) -> Fork:
    """What changed in the log and the archive since the branch began; asked of git once in a check. Raises GitError."""
    kept: Kept = context.store.settings
    specs = [f":(literal){context.store.join(folder)}" for folder in (kept.log, kept.archive)]
    assert context.change is not None
    try:
        return fork(context.git, context.change, specs)
    except GitError as error:
        context.shared.setdefault("failures", []).append(str(error))
        raise


def _is_log(context: CheckContext, path: str) -> bool:
    place = classify(context.store, path)
    return place is not None and place.role == "log"


def _judged(context: CheckContext, change: FileChange) -> Finding | None:
    path = change.old_path or change.path
    after = _data(context, change.path)
    old = _bare(before(change, after))
    if change.status in ("deleted", "renamed", "retyped"):
        if _archived(context, path, old):
            return None
        if change.status == "renamed":
            if change.path == path:
                return None
            now = context.store.named(change.path)
            kind = classify(context.store, change.path)
            what = f"is renamed to {now}" if kind is None or kind.role != "archive" else f"is archived as {now}, and changed"
            return LOG_APPEND_ONLY.finding(change.path, None, f"A log file {what} (it was {context.store.named(path)}).", _BACK)
        what = "is deleted" if change.status == "deleted" else "is no file any more"
        return LOG_APPEND_ONLY.finding(path, None, f"A log file {what}.", _BACK)
    new = [] if after is None else [text for _, text in whole(path, after).added]
    for number, text in enumerate(old):
        if number >= len(new) or new[number] != text:
            return LOG_APPEND_ONLY.finding(path, min(number + 1, max(len(new), 1)), _told(old, new, number))
    return None


def _told(old: list[str], new: list[str], at: int) -> str:
    """What differs at the first line that does, in words."""
    if at >= len(new):
        return f"A line of the log went: {shown(old[at], 60)!r}."
    if old[at] in new[at : at + 200]:
        return f"A line came in above others of the log: {shown(new[at], 60)!r}."
    if new[at] in old[at + 1 : at + 200] or not new[at].strip():
        return f"A line of the log went: {shown(old[at], 60)!r}."
    return f"A line of the log changed: {shown(old[at], 60)!r} became {shown(new[at], 60)!r}."


def _archived(context: CheckContext, path: str, old: list[str]) -> bool:
    """Whether a file of the archive has the name and the lines of a log that went."""
    if _data(context, path) is not None:
        return False
    name = path.rpartition("/")[2]
    for document in context.documents:
        if document.place.role == "archive" and document.path.rpartition("/")[2] == name:
            lines = _bare([text for _, text in whole(document.path, document.data).added])
            if lines == old:
                return True
    return False


def _bare(lines: list[str]) -> list[str]:
    """Lines without blank ones at their end: where the file ends is no part of what it says."""
    while lines and not lines[-1].strip():
        lines.pop()
    return lines


def _data(context: CheckContext, path: str) -> bytes | None:
    document = context.workspace.documents.get(path)
    try:
        if document is not None:
            return document.data
        return context.workspace.tree.read(path) if context.workspace.tree.kind(path) == "file" else None
    except MemdeskError:
        return None


_BACK = "Bring it back. An old log can go to the archive, as it is and under its name."
LOG_APPEND_ONLY = Rule(
    "log-append-only", "error",
    "a log file that changed other than by lines added at its end, or was deleted or renamed (moved into the archive as it is: "
    "fine)", "Put it back as it was, and add a line at its end that says what was wrong.", "log files", log_append_only, NAME,
    of_change=True,
)
LOG_NAME = Rule(
    "log-name", "error", "a log file whose name is no date, or a date that is still to come",
    "Name it after its day: YYYY-MM-DD.md.", "log files", log_name, NAME,
)
RULES = (LOG_APPEND_ONLY, LOG_NAME)
