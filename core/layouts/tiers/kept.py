"""What a store of this layout is read by: where each tier is kept, and the limits that the settings give."""

from __future__ import annotations

from memdesk.core.lean import NamedTuple

NAME = "tiers"
INDEXES = ("INDEX.md", "MEMORY.md")  # the first is the usual one


class Kept(NamedTuple):
    """Folders and files, all relative to the store's folder. `facts`: the folder of the facts; "" where they lie beside the
    index. `more`: further folders that the index's lines lead to facts in. `log_days`: days of log that load, today's among
    them; `max_facts`: more are said to be too many."""

    index: str = "INDEX.md"  # type: ignore[assignment]  # nobody looks for the place of a value in this tuple
    facts: str = "facts"
    log: str = "log"
    working: str = "working"
    inbox: str = "inbox.md"
    archive: str = "archive"
    log_days: int = 7
    max_facts: int = 300
    more: tuple[str, ...] = ()

    @property
    def home(self) -> str:
        """The index's folder, relative to the store; "" for the store's own."""
        return self.index.rpartition("/")[0]


def within(inner: str, folder: str) -> bool:
    """Whether a store-relative path lies in a folder of the store."""
    return inner.startswith(folder + "/")
