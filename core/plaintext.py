"""Bytes of memory as text to read and compare: line endings and the blank lines around it are nobody's words."""

from __future__ import annotations

from memdesk.core.patterns import lazy

_ENDINGS = lazy(r"\r\n?")


def plain(raw: bytes) -> str:
    """Bytes as text to read and compare: UTF-8 with replacement, LF endings, outer blank lines off."""
    text = raw.decode("utf-8", "replace")
    if "\r" not in text:  # the usual case, without patterns: nothing blank outside but one line end
        bare = text[:-1] if text.endswith("\n") else text
        if bare and bare[0] not in " \t\n" and bare[-1] not in " \t\n":
            return bare
    return without_outer_blanks(_ENDINGS.sub("\n", text))


def without_outer_blanks(text: str) -> str:
    """Text (LF endings) without the blank lines before and behind it; its first line keeps its indentation, its last what
    stands at its end. No pattern: one that looks for the end from each line break takes hours over a million of them."""
    start = text.rfind("\n", 0, len(text) - len(text.lstrip(" \t\n"))) + 1
    end = text.find("\n", max(start, len(text.rstrip(" \t\n"))))
    return text[start:] if end < 0 else text[start:end]
