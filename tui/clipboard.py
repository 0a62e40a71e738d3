"""The system's clipboard, beside the terminal's own (OSC 52): which program reaches it here, and how."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable, Mapping

SECONDS = 2.0  # a clipboard program that takes longer hangs on a display that is gone

# (what must be in the environment, "" for nothing; the command)
PROGRAMS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("WAYLAND_DISPLAY", ("wl-copy",)),
    ("DISPLAY", ("xclip", "-selection", "clipboard")),
    ("DISPLAY", ("xsel", "--clipboard", "--input")),
    ("", ("pbcopy",)),
    ("WSL_DISTRO_NAME", ("clip.exe",)),
)


def program(environ: Mapping[str, str], which: Callable[[str], str | None] = shutil.which) -> tuple[str, ...] | None:
    """The command that takes the clipboard's text on its standard input, or None where there is none."""
    for needed, command in PROGRAMS:
        if (not needed or environ.get(needed)) and which(command[0]):
            return command
    return None


def copy(text: str, environ: Mapping[str, str]) -> str:
    """Put text on the system's clipboard; the name of the program that did it, "" where none could."""
    command = program(environ)
    if command is None:
        return ""
    try:
        done = subprocess.run(
            command, input=text.encode("utf-8", "surrogateescape"), timeout=SECONDS, check=False,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return command[0] if done.returncode == 0 else ""
