"""Memory that is committed but not on disk: what a sparse checkout leaves out must not be taken for deleted, or for checked."""

from __future__ import annotations

import os
from collections.abc import Iterable

from memdesk.core.errors import GitError
from memdesk.core.lean import TYPE_CHECKING

if TYPE_CHECKING:
    from memdesk.core.config import Settings
    from memdesk.core.git import Git
    from memdesk.core.model import Store


def left_out(git: Git, stores: Iterable[Store], settings: Settings) -> GitError | None:
    """That memory files of these stores are not checked out, with the command that does it; None where all are, which in a
    plain checkout starts no process. Raises GitError."""
    if not git.sparse:
        return None
    from shlex import quote

    from memdesk.core.gitdiff import name
    from memdesk.core.globs import Ignore
    from memdesk.core.ownership import assign
    from memdesk.core.workspace import ignored

    ignore = Ignore(ignored(settings))
    records = git.run(["ls-files", "-t", "-z"]).split(b"\0")
    absent = [name(record[2:]) for record in records if record.startswith(b"S ")]
    absent = [path for path in absent if not ignore.path(path) and not os.path.lexists(os.path.join(git.root, path))]
    paths = sorted(assign(sorted(absent), list(stores), settings, []))
    if not paths:
        return None
    folders = sorted({path.rpartition("/")[0] for path in paths})
    cone = git.answer(["config", "--get", "--bool", "core.sparseCheckoutCone"]) == "true"
    command = "disable" if not cone or "" in folders else f"add {' '.join(map(quote, folders))}"
    more = f" and {len(paths) - 1} more" if len(paths) > 1 else ""
    return GitError(
        f"A sparse checkout leaves memory out, which was not looked at: {paths[0]}{more}.",
        remedy=f"Check it out: git sparse-checkout {command}",
    )
