"""Which command the words of a command line name. Kept apart from argparse, which `--check` never imports."""

from __future__ import annotations

from collections.abc import Sequence

COMMAND_NAMES = frozenset({
    "check", "pack", "guide", "stores", "entries", "inbox", "add", "promote", "strike", "reject", "merge", "edit", "snooze",
    "archive", "forget", "undo", "history", "recover", "init", "config", "doctor",
})

_TAKES_VALUE = frozenset({
    "--root", "--store", "--config", "--format", "--now", "--pane", "--base", "--only", "--skip", "--baseline",
    "--write-baseline", "--explain",
})


def first_word(argv: Sequence[str]) -> str | None:
    """The command among the words, or None for the workbench. A command's name wins over a folder of that name."""
    position = command_position(argv)
    return None if position is None else argv[position]


def command_position(argv: Sequence[str]) -> int | None:
    """The index of the command, or None where the first word that is no option names none."""
    skip = False
    for index, word in enumerate(argv):
        if skip:
            skip = False
        elif word == "--":
            return None
        elif word.startswith("-") and word != "-":
            skip = word in _TAKES_VALUE
        else:
            return index if word in COMMAND_NAMES else None
    return None
