"""Another state of the workspace: as it is in a commit, under the settings that are in that commit."""

from __future__ import annotations

from memdesk.core import config, workspace
from memdesk.core.lean import TYPE_CHECKING

if TYPE_CHECKING:
    from memdesk.core.config import Settings
    from memdesk.core.git import Git
    from memdesk.core.model import Workspace


class Revision:
    """The workspace in a commit (a full hash), to be used in a `with`: git's helper process ends with it, and what has been
    read of the documents by then stays."""

    def __init__(
        self, root: str, git: Git, commit: str, beside: Workspace | None = None, *, user: str | None = None,
        explicit: str | None = None,
    ) -> None:
        """`beside`: another state, whose documents are kept where they are the same. `user` and `explicit`: the settings files
        that count besides, as for `config.load`. Raises GitError; StoreError as `config.load` and `open_workspace` do."""
        files = git.revision_tree(commit)
        try:
            self.settings: Settings = config.load(root, files, user, explicit)
            self._tree = files.ignoring(workspace.ignored(self.settings))
        finally:
            files.close()
        try:
            self.workspace: Workspace = workspace.open_workspace(self._tree, self.settings, beside)
        except BaseException:
            self._tree.close()
            raise

    def __enter__(self) -> Revision:
        return self

    def __exit__(self, *_: object) -> None:
        self._tree.close()
