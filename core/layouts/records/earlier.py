"""Records as they were where the branch began, from the change since then."""

from __future__ import annotations

from memdesk.core.checks.rule import CheckContext, Checked
from memdesk.core.errors import GitError, MemdeskError
from memdesk.core.fork import Fork, fork
from memdesk.core.git import MEMORY
from memdesk.core.gitdiff import FileChange, before
from memdesk.core.layouts.records import numbers
from memdesk.core.layouts.records.detect import classify
from memdesk.core.layouts.records.kept import USUAL
from memdesk.core.layouts.records.read import entries
from memdesk.core.model import UNREADABLE, Document, Place, Store

RECORDS = ("[0-9][0-9][0-9]*.md", "*/[0-9][0-9][0-9]*.md")  # pathspecs: a record's name, in any folder


def since(context: CheckContext) -> Fork:
    """What changed since the branch began; asked of git once in a check. Raises GitError.

    With `--base` it holds all of memory's files, else the records alone: so much is looked at.
    """
    known = context.shared.get("since the fork")
    if known is None:
        assert context.change is not None
        try:
            known = fork(context.git, context.change, MEMORY if context.change.mode == "base" else RECORDS)
        except GitError as error:
            known = error
            context.shared.setdefault("failures", []).append(str(error))
        context.shared["since the fork"] = known
    if isinstance(known, GitError):
        raise known
    found: Fork = known
    return found


def failed(error: GitError) -> Checked:
    """What a rule says that could not look back."""
    return Checked(0, skipped=str(error), failed=True)


def against(found: Fork) -> str:
    """With what a rule compared, for its line of the report."""
    return f"against {found.since}{f' ({found.note})' if found.note else ''}"


def is_record(store: Store, path: str) -> bool:
    """Whether a path is, or was, that of a record of this store: its folder may have none by now."""
    place = classify(store, path)
    if place is not None:
        return place.role == "record"
    inner = store.inner(path)
    return inner is not None and inner.rpartition("/")[0] in USUAL and bool(numbers.digits(inner))


def old(context: CheckContext, change: FileChange) -> Document:
    """A changed file as the record that it was before."""
    lines = before(change, data(context, change.path))
    return record(context.store, change.old_path or change.path, "\n".join(lines).encode("utf-8", "surrogateescape"))


def data(context: CheckContext, path: str) -> bytes | None:
    """The bytes of a file now; None where there is none, or a link that leads to none."""
    document = context.workspace.documents.get(path)
    try:
        if document is not None:
            lost = document.problem is not None and document.problem.rule in (UNREADABLE, "link-outside")
            return None if lost else document.data
        return context.workspace.tree.read(path) if context.workspace.tree.kind(path) == "file" else None
    except MemdeskError:
        return None


def record(store: Store, path: str, text: bytes) -> Document:
    """A text read as a record, whatever it is by now."""
    return Document(path, store, Place("record", "durable"), text, entries)
