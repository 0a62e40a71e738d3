"""What `memory-lint.json` says of a store: its index, its tags, and which tier each path is in."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from memdesk.core.fields import TAGS
from memdesk.core.lean import NamedTuple
from memdesk.core.model import Cap

FILE = "memory-lint.json"


class Lint(NamedTuple):
    """The settings of one store; paths are relative to the store's root, folders without a slash at their end.

    `file` is the workspace-relative path of the file that was read, or None where the defaults stand. `patterns` say of a
    store-relative path whether it is a working note.
    """

    index_file: str = "MEMORY.md"
    tags: tuple[str, ...] = TAGS
    boot: Mapping[str, tuple[Cap, ...]] = {}  # rom: file -> its caps in characters and lines
    boot_chars: int | None = None  # of all boot files together, UTF-16 code units
    working: tuple[str, ...] = ()  # ram: folders
    patterns: tuple[Callable[[str], bool], ...] = ()
    working_chars: int | None = None  # of each working file
    durable: tuple[str, ...] = ()  # disk: folders
    archive: tuple[str, ...] = ()  # tape: folders
    file: str | None = None
