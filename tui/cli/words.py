"""Which command the words of a command line name. Kept apart from argparse, which `--check` never imports."""

from __future__ import annotations

from collections.abc import Sequence

COMMAND_NAMES = frozenset({
    "check", "pack", "guide", "stores", "entries", "inbox", "add", "promote", "strike", "reject", "merge", "edit", "snooze",
    "resolve",
    "archive", "forget", "undo", "history", "recover", "init", "config", "doctor", "recall", "conflicts",
    "prune", "merge-driver", "renumber", "correct", "reindex", "clear", "compact", "completion",
})

# Options that may stand before a command's name and take the next word; a test compares them with the parsers'.
TAKES_VALUE = frozenset({
    "--root", "--store", "--config", "--format", "--now", "--pane", "--base", "--only", "--skip", "--baseline",
    "--write-baseline", "--explain", "--as", "--answer", "--task", "--area", "--module-rule", "--rule", "--profile", "--path",
    "--layout", "--role", "--grep", "--tag", "--kind", "--reason", "--source", "--to", "--title", "--scope", "--with",
    "--reconsider", "--into", "--text", "--until", "--mode", "--show", "--forget", "--choose", "--why",
    "--max-sources", "--max-chars", "--feature", "--task-id", "--phase", "--section", "--observed", "--when", "--fixed",
    "--signal", "--owns", "--read-when", "--change", "--take", "--part", "--dismiss", "--context", "--options",
    "--consequences", "--supersedes", "--status", "--avoid", "--description", "--type", "--tags", "--owner", "--review-by",
    "--draft", "--leave", "--subject", "--facet", "--evidence", "--head",
})


def place(path: str) -> str:
    """A path of the command line as the system's calls take it, in a locale that is not UTF-8 too."""
    import os

    return os.fsdecode(path.encode("utf-8", "surrogateescape"))


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
            skip = word in TAKES_VALUE
        else:
            return index if word in COMMAND_NAMES else None
    return None
