"""When an entry is gone: whose text is where, what it may be now (UX.md, Verdicts), or that its file can't be read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memdesk.core.errors import StoreError, UnknownEntry

if TYPE_CHECKING:
    from collections.abc import Iterable

    from memdesk.core.model import Workspace
    from memdesk.core.plan import Request


def gone(request: Request, shown: Workspace, fresh: Workspace, error: UnknownEntry) -> UnknownEntry:
    """The error for a request on an entry that the reading `shown` has and `fresh` has no more; else `error` itself.

    Its candidates are the entries that are new in the same file: one of them may be the entry, changed.
    """
    for ident in (*request.ids, request.words.get("into", "")):
        try:
            entry = shown.find(ident)
        except UnknownEntry:
            continue
        document = fresh.documents.get(entry.path)
        if document is not None and entry.id in document.ids:
            continue
        known = set(entry.document.ids)
        others = () if document is None else tuple(ident for ident in document.ids if ident not in known)
        what = "removed with its file" if document is None else "changed or removed"
        return UnknownEntry(
            f"{entry.path}:{entry.line}: \u201c{entry.heading}\u201d was {what} by someone else meanwhile. Nothing was "
            "written: their text is in the file, yours is kept here.", others[:5],
        )
    return error


def unread(ids: Iterable[str], workspace: Workspace) -> StoreError | None:
    """Why the entries with these ids cannot be found, where it is that their file, or a folder above it, cannot be read."""
    paths = {ident.rpartition("#")[0] for ident in ids}
    for error in workspace.unreadable():
        place = error.path or "."
        if place == "." or any(path == place or path.startswith(place + "/") for path in paths):
            remedy = error.remedy or "See that it can be read, then try again."
            return StoreError(f"{error.message} Nothing was written.", path=error.path, line=error.line, remedy=remedy)
    return None
