"""The demo: each layout's example store, copied to a temporary repository that is removed at the end."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from importlib import import_module

from memdesk.core.errors import MemdeskError
from memdesk.core.layouts import LAYOUTS


@contextmanager
def copy_of_examples() -> Iterator[str]:
    """A folder with the examples of all layouts, committed to git where there is git; gone when the block ends."""
    base = tempfile.mkdtemp(prefix="memdesk-demo-")
    folder = os.path.join(base, "demo")
    try:
        copy_examples(folder)
        first_commit(folder)
        yield folder
    except OSError as error:
        raise MemdeskError(f"The demo could not be made: {error.strerror or error}.", path=error.filename) from error
    finally:
        remove(folder)


def remove(folder: str) -> None:
    """Remove the folder that `copy_of_examples` gave, and the temporary one around it."""
    shutil.rmtree(os.path.dirname(folder), ignore_errors=True)


def copy_examples(folder: str, only: Collection[str] = LAYOUTS) -> None:
    """Copy the `example/` of these layouts (every one's) into one folder, on top of each other: each has its own place in a
    repository."""
    os.makedirs(folder, exist_ok=True)
    for module in (LAYOUTS[name] for name in only):
        example = os.path.join(os.path.dirname(import_module(module).__file__ or ""), "example")
        if os.path.isdir(example):
            shutil.copytree(example, folder, dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__", "*.pyc"))


def first_commit(folder: str, when: str = "") -> None:
    """Make it a repository with one commit; without git the demo is a plain folder. `when`: the commit's time ("" for now)."""
    environ = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    environ |= {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    if when:
        environ |= {"GIT_AUTHOR_DATE": when, "GIT_COMMITTER_DATE": when}
    identity = ("-c", "user.name=memdesk demo", "-c", "user.email=demo@memdesk.invalid", "-c", "core.hooksPath=" + os.devnull)
    for words in (
        ("init", "-q", "-b", "main"), ("config", "user.name", "memdesk demo"), ("config", "user.email", "demo@memdesk.invalid"),
        ("add", "-A"), (*identity, "commit", "-q", "--no-gpg-sign", "-m", "The example store"),
    ):
        try:
            done = subprocess.run(["git", *words], cwd=folder, env=environ, capture_output=True, check=False)
        except OSError:
            return
        if done.returncode:
            return
