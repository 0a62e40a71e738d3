"""A person's editor on a draft: a temporary file, the editor's own command line, no shell."""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from memdesk.core.errors import MemdeskError

if TYPE_CHECKING:
    from memdesk.core.config import Settings
    from memdesk.tui.app import Workbench


def edit_text(draft: str, settings: Settings) -> str | None:
    """What the editor leaves of `draft`, or None where it left it as it was. Raises MemdeskError where it fails; the text
    that was typed is then kept in the temporary file, which the message names."""
    handle, path = tempfile.mkstemp(prefix="memdesk-", suffix=".md")
    with os.fdopen(handle, "wb") as file:
        file.write(draft.encode("utf-8", "surrogateescape"))
    open_at(path, 1, settings)
    with open(path, "rb") as file:
        data = file.read()
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise MemdeskError(f"What the editor left is not UTF-8 (byte {error.start}); it is kept in {path}.") from None
    os.unlink(path)
    return None if text == draft else text


def open_at(path: str, line: int, settings: Settings) -> None:
    """Opens a file at a line and waits. Raises MemdeskError where the editor can't be started or reports a failure."""
    from memdesk.core.editor import command

    argv = command(path, line, os.environ, settings.editor.command)
    try:
        code = subprocess.run(argv, check=False).returncode
    except OSError as error:
        raise MemdeskError(
            f"The editor {argv[0]!r} can't be started: {error.strerror}.", remedy="Set $VISUAL or $EDITOR."
        ) from None
    if code != 0:
        raise MemdeskError(f"The editor {argv[0]!r} ended with {code}; what it wrote is in {path}.")


def open_in_editor(bench: Workbench, path: str, line: int) -> None:
    """A file of the workspace in the person's editor, the workbench out of the way meanwhile; then what changed is read."""
    place = os.path.join(bench.desk.root, path)
    try:
        if not os.path.lexists(place):
            raise MemdeskError("The file is gone.", path=path, remedy="Read again (ctrl+r) and look where it went.")
        with out_of_the_way(bench):
            open_at(place, line, bench.desk.settings)
    except MemdeskError as error:
        bench.show_error(error, f"open {path}")
    bench.reread(None)


def edited_outside(bench: Workbench, draft: str) -> str | None:
    """A text as the person's editor leaves it; None where it was left as it was, or where that failed (a dialog says why)."""
    try:
        with out_of_the_way(bench):
            return edit_text(draft, bench.desk.settings)
    except MemdeskError as error:
        bench.show_error(error, "edit the text")
        return None


@contextmanager
def out_of_the_way(bench: Workbench) -> Iterator[None]:
    """The terminal belongs to someone else inside the block. Raises MemdeskError where it cannot be given away."""
    from textual.app import SuspendNotSupported

    if bench.is_headless:  # no terminal to give away
        yield
        return
    try:
        with bench.suspend():
            yield
    except SuspendNotSupported:
        raise MemdeskError("This terminal cannot be given to an editor.", remedy="Open the file beside memdesk: it sees the change.") from None
    bench.refresh(layout=True)
