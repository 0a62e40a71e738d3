"""The line of front matter that only says when a file was changed last: each change sets it, and none of them owns it.

Of two changes the older could else never be taken back: the newer wrote over its line. It keeps the value that is there.
"""

from __future__ import annotations

import re

LARGEST = 1 << 16  # bytes of front matter that are looked at


def aligned(before: bytes, after: bytes, now: bytes) -> tuple[bytes, bytes]:
    """`before` and `after` with the value of such a line as it is `now`, where it was changed since; else as they are."""
    old, made, present = _line(before), _line(after), _line(now)
    if old is None or made is None or present is None or old[0] == made[0] or made[0] == present[0]:
        return before, after
    return level(before, now), level(after, now)


def level(data: bytes, now: bytes) -> bytes:
    """A text with that line as it is `now`, where both have one: what else differs is what was changed."""
    own, present = _line(data), _line(now)
    return data if own is None or present is None else data[: own.start()] + present[0] + data[own.end() :]


_OPEN = re.compile(rb"(?:\xef\xbb\xbf)?---[ \t]*\r?\n")
_CLOSE = re.compile(rb"^(?:---|\.\.\.)[ \t]*\r?$", re.MULTILINE)
_LINE = re.compile(
    rb"^updated(?:_at)?:[ \t]+[\"']?[0-9]{4}-[0-9]{2}-[0-9]{2}(?:[T ][0-9:.]{4,20}(?:Z|[+-][0-9:]{4,6})?)?[\"']?[ \t]*\r?$",
    re.MULTILINE,
)


def _line(data: bytes) -> re.Match[bytes] | None:
    """The line in a text's front matter; None for none."""
    opener = _OPEN.match(data)
    closer = None if opener is None else _CLOSE.search(data, opener.end(), opener.end() + LARGEST)
    if opener is None or closer is None:
        return None
    return _LINE.search(data, opener.end(), closer.start())
