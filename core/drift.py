"""When an entry is gone: whose text is where, what it may be now (UX.md, Verdicts), or that its file can't be read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memdesk.core.errors import StoreError, UnknownEntry

if TYPE_CHECKING:
    from collections.abc import Iterable

    from memdesk.core.model import Document, Entry, Workspace
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
        document = _document(fresh, entry.path)
        if document is not None and entry.id in document.ids:
            continue
        known = set(entry.document.ids)
        others = () if document is None else tuple(ident for ident in document.ids if ident not in known)
        if document is None or document.problem is not None:
            kept = "yours is kept here."
            what = f"cannot be found: {_lost(fresh, entry)}"
        elif document.path != entry.path:
            kept = "yours is kept here."
            what = f"was moved by someone else meanwhile: its file is {document.path} now."
        else:
            kept = "their text is in the file, yours is kept here."
            what = "was changed or removed by someone else meanwhile."
        return UnknownEntry(
            f"{entry.path}:{entry.line}: \u201c{entry.heading}\u201d {what} Nothing was written: {kept}", others[:5]
        )
    return error


def _document(workspace: Workspace, path: str) -> Document | None:
    """The document at a path, also where that is another name of it by now."""
    found = workspace.documents.get(path)
    return found or next((document for document in workspace.documents.values() if path in document.aliases), None)


def _lost(fresh: Workspace, entry: Entry) -> str:
    """What became of an entry's file."""
    document, tree = fresh.documents.get(entry.path), fresh.tree
    if document is not None and document.problem is not None:
        return document.problem.message
    folder = entry.path
    while folder := folder.rpartition("/")[0]:
        if tree.kind(folder) == "link":
            return f"{folder} is a link now, and what is behind it is not read."
    kind = tree.kind(entry.path)
    if kind in ("file", "link"):
        return f"its file belongs to no store any more.{fresh.looked_at()}"
    what = {"folder": "is a folder now", "other": "is no regular file now"}.get(kind, "was removed")
    return f"its file {what}."


def unread(ids: Iterable[str], workspace: Workspace) -> StoreError | None:
    """Why the entries with these ids cannot be found, where it is that their file, or a folder above it, cannot be read."""
    paths = {ident.rpartition("#")[0] for ident in ids}
    for error in workspace.unreadable():
        place = error.path or "."
        if place == "." or any(path == place or path.startswith(place + "/") for path in paths):
            remedy = error.remedy or "See that it can be read, then try again."
            return StoreError(f"{error.message} Nothing was written.", path=error.path, line=error.line, remedy=remedy)
    return None
