"""A person's editor on a draft: a temporary file, the editor's own command line, no shell."""

from __future__ import annotations

import os
import signal
import subprocess
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from memdesk.core.errors import MemdeskError

if TYPE_CHECKING:
    from memdesk.core.config import Settings
    from memdesk.tui.app import Workbench


def edit_text(draft: str, settings: Settings) -> str | None:
    """What the editor leaves of `draft`, or None where it left it as it was. Raises MemdeskError where it fails; a text
    that was typed is then kept in the temporary file, which the message names."""
    handle, path = tempfile.mkstemp(prefix="memdesk-", suffix=".md")
    before = draft.encode("utf-8", "surrogateescape")
    with os.fdopen(handle, "wb") as file:
        file.write(before)
    try:
        open_at(path, 1, settings)
    except MemdeskError as error:
        if _left(path, before) == before:
            _remove(path)
            raise MemdeskError(error.message, remedy="" if path in error.remedy else error.remedy) from None
        raise MemdeskError(error.message, remedy=f"What was typed is kept in {path}.") from None
    data = _left(path, before)
    text = None if data == before else _decoded(data, path)
    _remove(path)
    return text


def open_at(path: str, line: int, settings: Settings) -> None:
    """Opens a file at a line and waits. Raises MemdeskError where the editor can't be started or reports a failure.

    Ctrl-C belongs to the editor meanwhile, as it does under git.
    """
    from memdesk.core.editor import command

    argv = command(path, line, os.environ, settings.editor.command)
    try:
        with _interrupts_left_alone():  # from before it starts: one that comes while it does is the editor's too
            code = subprocess.Popen(argv).wait()
    except OSError as error:
        raise MemdeskError(
            f"The editor {argv[0]!r} can't be started: {error.strerror}.", remedy="Set $VISUAL or $EDITOR."
        ) from None
    if code != 0:
        raise MemdeskError(f"The editor {argv[0]!r} ended with {code}.", remedy=f"What it wrote is in {path}.")


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
        remedy = "Open the file beside memdesk: it sees the change."
        raise MemdeskError("This terminal cannot be given to an editor.", remedy=remedy) from None
    bench.refresh(layout=True)


@contextmanager
def _interrupts_left_alone() -> Iterator[None]:
    """SIGINT ends the editor if it likes, not us. Only the main thread may say so; elsewhere it does not arrive."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    # A handler that does nothing, and not SIG_IGN: a program that is started inherits the one as the default, the other as is.
    before = signal.signal(signal.SIGINT, lambda number, frame: None)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _left(path: str, before: bytes) -> bytes:
    """What is in the file now; one that the editor took away says nothing new."""
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError:
        return before


def _decoded(data: bytes, path: str) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        message = f"What the editor left is not UTF-8 (byte {error.start})."
        raise MemdeskError(message, remedy=f"It is kept in {path}.") from None


def _remove(path: str) -> None:
    with suppress(OSError):
        os.unlink(path)
