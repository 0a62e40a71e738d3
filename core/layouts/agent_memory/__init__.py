"""Layout `agent-memory`: editing rules over tiers, an index `MEMORY.md` beside `memory/` (docs/agent-memory.md).

The class only hands each question to the module that knows, as the other layouts do.

Roles of its documents: "index", "instructions" (files that agents read at the start), "people", "projects", "decisions"
and "facts" (durable folders by their name), "note" (dated), "context" (working, undated) and "archive".
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from memdesk.core.layouts.base import Layout, late
from memdesk.core.lean import TYPE_CHECKING

if TYPE_CHECKING:
    from memdesk.core.checks.rule import Rule
    from memdesk.core.model import Store

VERBS = frozenset({"add", "promote", "strike", "reject", "merge", "edit", "snooze", "archive", "forget", "undo", "init"})


class AgentMemory(Layout):
    """The rules of memory by editing rules; see `memdesk.core.layouts.base.Layout` for what each method answers."""

    name = "agent-memory"
    title = "memory by editing rules"
    verbs = VERBS
    init_path = "."
    marks = ("memory-lint.json",)
    covers = frozenset({"struck-lost", "archive-changed", "over-cap"})
    repeats = frozenset({"note", "context"})
    pruned = "strike"
    whole = True
    subjects = frozenset({"people", "projects", "decisions"})
    ranks: Mapping[str, str] = {
        "instructions": "fact", "decisions": "decision", "people": "fact", "projects": "fact", "facts": "fact",
        "note": "note", "context": "note", "archive": "note",
    }

    detect = late("detect")
    classify = late("detect")
    entries = late("entries")
    load = late("boot")
    advice = late("advising")
    meters = late("boot")
    pathspecs = late("detect")
    versions = late("history")
    successors = late("history")
    mentions = late("mentions")
    unreached = late("pointers")
    destinations = late("places")
    asks = late("places")
    destination = late("places", "resolve")
    said = late("places")
    merged = late("places")
    gate = late("signals")
    remarks = late("places")
    add = late("writes")
    take = late("writes")
    put = late("writes")
    amend = late("writes")
    guide = late("guide")
    template = late("starter")

    def tasks(self, store: Store) -> tuple[str, ...]:
        return ("boot",)

    def folders(self, store: Store) -> tuple[str, ...]:
        lint = store.settings
        return tuple(store.join(folder) for folder in (*lint.durable, *lint.working, *lint.archive))

    def rules(self) -> Sequence[Rule]:
        from memdesk.core.layouts.agent_memory.rules import RULES

        return RULES


LAYOUT = AgentMemory()
