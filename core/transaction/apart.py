"""Files that are made without the lock: each its own, whole or not at all, and in nobody's place (CLI.md, add).

Many may come at once, also while a long transaction holds the lock. Nothing of it is in the history: there is nothing that it
could take back but the file itself.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable

from memdesk.core.errors import Refused
from memdesk.core.plan import Plan, Receipt
from memdesk.core.transaction import targets
from memdesk.core.transaction.ground import ASIDE, Ground
from memdesk.core.transaction.problems import Foreign, failure

TRIES = 100  # how often a plan is made anew where its file's name was taken meanwhile
MODE = 0o666  # less what the user's mask takes


def make(ground: Ground, replan: Callable[[], Plan]) -> Receipt:
    """Makes the one file of the plan that `replan` makes, which chooses another name where another process took that one.
    Raises Refused, WriteFailed (nothing was written)."""
    path = ""
    for _ in range(TRIES):
        plan = replan()
        path = plan.paths[0]
        try:
            _make(ground, plan)
            return Receipt(None, plan)
        except (Foreign, FileExistsError):
            continue
        except OSError as error:
            raise failure(error, path, "Nothing was written.") from error
    raise Refused("Others keep taking the names of new files.", path=path, remedy="Try again in a moment.")


def _make(ground: Ground, plan: Plan) -> None:
    files = ground.files
    (change,), folders = targets.changes(ground, plan)
    assert change.before is None
    assert change.after is not None
    for folder in folders:
        with contextlib.suppress(FileExistsError):
            files.mkdir(ground.target(folder))
    target = ground.target(change.real)
    folder, _, name = target.rpartition("/")
    staged = f"{folder}/{ASIDE}{os.getpid()}-{name[-40:]}.new"
    with contextlib.suppress(FileNotFoundError):
        files.unlink(staged)
    files.write(staged, change.after, MODE)
    try:
        files.fsync(staged)
        files.rename_new(staged, target)
    except BaseException:
        with contextlib.suppress(OSError):
            files.unlink(staged)
        raise
    files.fsync_dir(folder)
