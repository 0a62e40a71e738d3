"""A person's editor on a draft: a temporary file, the editor's own command line, no shell."""

from __future__ import annotations

import os
import subprocess
import tempfile
from typing import TYPE_CHECKING

from memdesk.core.errors import MemdeskError

if TYPE_CHECKING:
    from memdesk.core.config import Settings


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
