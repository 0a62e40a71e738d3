"""Results on stdout, diagnostics on stderr, UTF-8 whatever the locale; a terminal gets outside text made inert."""

from __future__ import annotations

import sys
from collections.abc import Mapping

from memdesk.core.lean import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any, TextIO


def utf8() -> None:
    """Makes both streams UTF-8 with `\\n` endings. What no UTF-8 can hold is replaced, so that a name never ends the program."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(encoding="utf-8", errors="replace", newline="\n")


def result(text: str) -> None:
    """One result on stdout, with a final newline. Exact when piped, inert on a terminal (invariant 9)."""
    _write(sys.stdout, text if text.endswith("\n") else text + "\n")


def say(text: str) -> None:
    """One diagnostic on stderr."""
    _write(sys.stderr, text if text.endswith("\n") else text + "\n")


def json_result(value: Mapping[str, Any]) -> None:
    """One JSON document on stdout, and nothing else there."""
    import json

    sys.stdout.write(json.dumps(_valid(value), ensure_ascii=False, indent=2) + "\n")


def shown(name: str) -> str:
    """A path for people and JSON: bytes that are not UTF-8 become replacement characters."""
    return name.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def masked(text: str) -> str:
    """Text with secrets and example values masked, for lists and listings."""
    from memdesk.core.checks.secrets import mask

    return mask(text)


def _write(stream: TextIO, text: str) -> None:
    text = shown(text)
    if stream.isatty():
        from memdesk.tui.text import inert

        text = "\n".join(inert(line) for line in text.split("\n"))
    stream.write(text)


def _valid(value: Any) -> Any:
    """The same value with every string valid UTF-8 (lone surrogates stand for the bytes of a name)."""
    if isinstance(value, str):
        return shown(value)
    if isinstance(value, Mapping):
        return {key: _valid(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_valid(item) for item in value]
    return value
