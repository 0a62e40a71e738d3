"""`memdesk merge-driver %O %A %B %P %L`: what git calls. It says nothing, and never leaves a file half merged."""

from __future__ import annotations

import os
from collections.abc import Sequence

from memdesk.core.errors import UsageError

COMMAND = "merge-driver"


def is_call(words: Sequence[str]) -> bool:
    """Whether these are git's words: taken as they are, since a path may look like an option."""
    return len(words) in (5, 6) and words[0] == COMMAND


def run(words: Sequence[str]) -> int:
    """Merges one file: 0 for a clean merge, 1 for one with markers. Raises UsageError for words that aren't git's."""
    from memdesk.core import mergedriver

    *files, path = (os.fsdecode(word.encode("utf-8", "surrogateescape")) for word in words[1:5])
    size = words[5] if len(words) > 5 else str(mergedriver.SIZE)
    if not (size.isascii() and size.isdecimal() and 1 <= int(size) <= 1000):
        raise UsageError(f"{size!r} is no size of a marker.", remedy="git calls it: memdesk merge-driver %O %A %B %P %L.")
    call = mergedriver.Call(files[0], files[1], files[2], path, int(size))
    return mergedriver.drive(call, os.getcwd(), dict(os.environ))
