"""Layout `tiers`: three tiers by lifespan, one fact a file, beside an index that is always loaded (docs/tiers.md).

The class only hands each question to the module that knows, as the other layouts do.

Roles of its documents: "index", "fact" (durable), "log" (dated, append-only), "working" (scratch), "inbox", "archive".
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from memdesk.core.layouts.base import Layout, late
from memdesk.core.lean import TYPE_CHECKING

if TYPE_CHECKING:
    from memdesk.core.checks.rule import Rule
    from memdesk.core.model import Entry, Store, Workspace

VERBS = frozenset({
    "add", "promote", "strike", "reject", "merge", "edit", "snooze", "archive", "forget", "undo", "init", "correct", "reindex",
    "clear",
})


class Tiers(Layout):
    """The rules of three tiers; see `memdesk.core.layouts.base.Layout` for what each method answers."""

    name = "tiers"
    title = "three tiers by lifespan"
    verbs = VERBS
    init_path = "memory"
    logged = frozenset({"promote", "reject", "correct"})
    passing = "log"
    cleared = frozenset({"working"})
    daily = True
    repeats = frozenset({"log", "working"})
    whole = True
    wiki = True
    ranks: Mapping[str, str] = {
        "fact": "fact", "log": "note", "working": "note", "inbox": "note", "index": "note", "archive": "note",
    }

    detect = late("detect")
    classify = late("detect")
    folders = late("detect")
    entries = late("read")
    load = late("boot")
    advice = late("advising")
    meters = late("boot")
    rank = late("keeping")
    order = late("keeping")
    identity = late("keeping")
    resolve = late("crosslinks")
    proposals = late("pruning")
    destinations = late("places")
    asks = late("places")
    destination = late("places", "resolve")
    said = late("places")
    merged = late("places")
    remarks = late("places")
    add = late("writes")
    take = late("writes")
    put = late("writes")
    amend = late("writes")
    note = late("logging")
    reindex = late("indexing")
    guide = late("guide")
    template = late("starter")

    def promotable(self, entry: Entry) -> bool:
        return entry.candidate or entry.role == "log"

    def instead(self, verb: str, entry: Entry) -> str:
        if verb in ("strike", "restore") and entry.role == "fact":
            return "correct"
        return super().instead(verb, entry)

    def subject(self, workspace: Workspace, entry: Entry) -> Entry:
        """Of the index's line the fact that it names."""
        if entry.role != "index":
            return entry
        from memdesk.core.layouts.tiers.crosslinks import fact_of_line

        return fact_of_line(workspace, entry) or entry

    def tasks(self, store: Store) -> tuple[str, ...]:
        return ("boot",)

    def rules(self) -> Sequence[Rule]:
        from memdesk.core.layouts.tiers.rules import RULES

        return RULES


LAYOUT = Tiers()
