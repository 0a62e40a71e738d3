"""Results on stdout, diagnostics on stderr, UTF-8 whatever the locale; a terminal gets outside text made inert."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping

from memdesk.core.lean import TYPE_CHECKING
from memdesk.core.patterns import lazy

if TYPE_CHECKING:
    from typing import Any

    from memdesk.core.model import Entry


def utf8() -> None:
    """Makes the streams UTF-8 with `\\n` endings. What no UTF-8 can hold is replaced, so that a name never ends the program.

    A stream that the caller closed is nothing to write to or read from, not a crash.
    """
    if sys.stdin is None or sys.stdout is None or sys.stderr is None:
        _reopen()
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(encoding="utf-8", errors="replace", **({} if stream is sys.stdin else {"newline": "\n"}))


def result(text: str) -> None:
    """One result on stdout, with a final newline. Exact when piped, inert on a terminal (invariant 9)."""
    _write(text)


def readable(text: str) -> None:
    """One result for people, which a step of CI may print into its log: off a terminal no line in it is a command there (see
    `say`)."""
    if ("::" in text or "##" in text) and not sys.stdout.isatty():
        text = "\n".join(map(_uncommanding, text.split("\n")))
    _write(text)


def row(*cells: str) -> None:
    """One line of a list on stdout, whatever the cells hold: a name with a line break makes no second line."""
    _write("  ".join(cell(text) for text in cells if text))


def say(*lines: str) -> None:
    """Diagnostics on stderr, each on one line whatever a name in it holds, and inert wherever they go: a log is read on a
    terminal in the end. What runs a step of CI takes lines that begin with `::`, and what follows `##[` in any, for commands to
    itself: in a log none is one."""
    from memdesk.tui.inert import inert

    for text in lines:
        first, *more = inert(shown(text)).split("\n")
        line = " ".join([first, *filter(None, map(str.strip, more))])
        sys.stderr.write((line if sys.stderr.isatty() else _uncommanding(line)) + "\n")


def json_result(value: Mapping[str, Any]) -> None:
    """One JSON document on stdout, and nothing else there. On a terminal what could steer it, or that no eye would see, is
    written as `\\uXXXX`."""
    import json

    text = json.dumps(_valid(value), ensure_ascii=False, indent=2)
    if sys.stdout.isatty():
        from memdesk.core.checks.invisible import hidden

        unseen = {each.at for each in hidden(text)}  # fillers and selectors, which Python calls printable
        kept = (at not in unseen and (char.isprintable() or char == "\n") for at, char in enumerate(text))
        text = "".join(char if keep else json.dumps(char)[1:-1] for char, keep in zip(text, kept, strict=True))
    sys.stdout.write(text + "\n")


def shown(name: str) -> str:
    """A path for people and JSON: bytes that are not UTF-8 become replacement characters."""
    if name.isascii():
        return name
    try:
        return name.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    except UnicodeEncodeError:  # half a pair that stands for no byte
        return "".join("\ufffd" if "\ud800" <= char <= "\udfff" else char for char in name)


def cell(text: str) -> str:
    """Outside text on one line of a list (see `inert.cell`)."""
    from memdesk.tui import inert

    return inert.cell(shown(text))


def masked(text: str) -> str:
    """Text with secrets and example values masked, for lists and listings."""
    from memdesk.core.checks.secrets import mask

    return mask(text)


def headed(entry: Entry) -> str:
    """An entry's heading for lists, masked even where it is cut in the middle of a value."""
    from memdesk.core.checks.secrets import heading

    return heading(entry)


def diffs(found: Iterable[tuple[str, str]], *, on_stderr: bool = False) -> None:
    """The exact diffs, with a warning on stderr where they hold what lists would mask (CLI.md, JSON)."""
    for path, diff in found:
        if on_stderr:
            say(*diff.removesuffix("\n").split("\n"))
        else:
            result(diff)
        warn_of_values(path, diff)


def warn_of_values(path: str, text: str) -> None:
    """Says on stderr what a text that is printed exactly holds, without repeating it."""
    from memdesk.core.checks.secrets import scan

    for kind in dict.fromkeys(hit.kind for hit in scan(text)):
        say(f"memdesk: warning: {cell(path)} holds what looks like a secret or example value ({kind}), printed here as it is.")


def _uncommanding(line: str) -> str:
    """A line in which no runner of CI finds a command."""
    line = _COMMAND.sub("## ", line)
    bare = line.lstrip()
    return line if not bare.startswith("::") else line[: len(line) - len(bare)] + ": " + bare[1:]


_COMMAND = lazy(r"##(?=[A-Za-z]{0,20}\[)")  # GitHub's old form, Azure's `##vso[`, TeamCity's


def _write(text: str) -> None:
    text = shown(text)
    if sys.stdout.isatty():
        from memdesk.tui.inert import inert

        text = "\n".join(inert(line) for line in text.split("\n"))
    sys.stdout.write(text if text.endswith("\n") else text + "\n")


def _reopen() -> None:
    """Puts /dev/null where a stream was closed, and under its number too, so that no file that is opened later takes it."""
    import os

    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is None:
            handle = os.open(os.devnull, os.O_RDONLY if number == 0 else os.O_WRONLY)
            if handle != number:
                os.dup2(handle, number)
                os.close(handle)
            setattr(sys, name, open(number, "r" if number == 0 else "w", encoding="utf-8", closefd=False))  # noqa: SIM115


def _valid(value: Any) -> Any:
    """The same value with every string valid UTF-8 (lone surrogates stand for the bytes of a name)."""
    if isinstance(value, str):
        return shown(value)
    if isinstance(value, Mapping):
        return {key: _valid(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_valid(item) for item in value]
    return value
