"""Stores that a change takes out of sight: their files are still there, and nothing looks at them any more. A check that has
nothing to report of them has not looked, so it must not pass."""

from __future__ import annotations

from memdesk.core import config, layouts
from memdesk.core.errors import StoreError
from memdesk.core.lean import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memdesk.core.config import Settings
    from memdesk.core.git import Change, Git
    from memdesk.core.gitdiff import FileChange
    from memdesk.core.model import Workspace

_GONE = frozenset({"deleted", "renamed", "retyped", "submodule"})


def vanished(
    root: str, git: Git, change: Change, now: Workspace, settings: Settings, explicit: str | None = None
) -> list[str]:
    """What to say of each store that was there before the change, isn't any more, and has left files behind. A folder that the
    settings call "none" by its own name was taken out on purpose. Raises GitError."""
    if change.skipped or (change.base is None and git.head is None) or not _may(change.files, now):
        return []
    from memdesk.core.packing import document_at

    present = {(store.path, store.layout) for store in now.stores}
    found = []
    for path, layout, paths in _before(root, git, change.base, now, explicit):
        if (path, layout) in present or settings.stores.layout.get(path) == "none":
            continue
        left = [one for one in paths if document_at(now, one) is None and now.tree.kind(one) in ("file", "link")]
        if left:
            files = "a file" if len(left) == 1 else f"{len(left)} files"
            message = f"The change takes this store ({layout}) out of sight: nothing looks at {files} of it now ({left[0]})."
            remedy = (
                "Restore what makes it a store (`memdesk stores` says what is missing), delete its files too, or say that it is"
                f' none: [stores.layout] "{path}" = "none" in {config.WORKSPACE_FILE}.'
            )
            found.append(str(StoreError(message, path=path, remedy=remedy)))
    return found


def _may(files: Sequence[FileChange], now: Workspace) -> bool:
    """Whether a change can take a store out of sight: it does something to the settings, or a file is gone that would be none
    of a present store's. Only then is the state before it looked at."""
    return any(
        file.path in (config.WORKSPACE_FILE, config.PROJECT_FILE)
        or (file.status in _GONE and not _owned(now, file.old_path or file.path))
        for file in files
    )


def _owned(now: Workspace, path: str) -> bool:
    return any(
        store.inner(path) is not None and layouts.get(store.layout).classify(store, path) is not None for store in now.stores
    )


def _before(
    root: str, git: Git, base: str | None, now: Workspace, explicit: str | None
) -> list[tuple[str, str, list[str]]]:
    """The stores of the state before, each with its path, layout and files; none where it can't be opened."""
    from memdesk.core.revision import Revision

    commit = git.verify(base or "HEAD")
    try:
        with Revision(root, git, commit, now, user=config.user_path(), explicit=explicit) as state:
            opened = state.workspace
    except StoreError:
        return []
    return [(store.path, store.layout, [one.path for one in opened.documents_of(store)]) for store in opened.stores]
