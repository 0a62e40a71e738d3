"""Layout `records`: the words of a domain in CONTEXT.md and numbered decision records (docs/records.md).

The class only hands each question to the module that knows, as the other layouts do.

Roles of its documents: "glossary" (CONTEXT.md), "map" (CONTEXT-MAP.md), "record" (a numbered decision record), "design" (a
design record of work in progress) and "terms" (words that await the glossary).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from memdesk.core.layouts.base import Layout, late
from memdesk.core.lean import TYPE_CHECKING

if TYPE_CHECKING:
    from memdesk.core.checks.rule import Rule
    from memdesk.core.model import Entry, Store

VERBS = frozenset({"add", "promote", "strike", "reject", "merge", "edit", "snooze", "renumber", "undo", "init"})


class Records(Layout):
    """The rules of glossaries and decision records; see `memdesk.core.layouts.base.Layout` for what each method answers."""

    name = "records"
    title = "glossary and decision records"
    verbs = VERBS
    init_path = "."
    marks = (".adr-dir",)
    standing = "records"
    pruned = ""
    kinds = frozenset({"adr", "term"})
    general = frozenset({"glossary", "record", "design"})
    ranks: Mapping[str, str] = {"glossary": "term", "record": "record", "design": "design", "terms": "note", "map": "note"}

    detect = late("detect")
    classify = late("detect")
    entries = late("read")
    load = late("boot")
    advice = late("advising")
    destinations = late("asks")
    asks = late("asks")
    destination = late("asks", "resolve")
    said = late("asks")
    merged = late("asks")
    remarks = late("asks")
    add = late("writes")
    take = late("writes")
    put = late("writes")
    amend = late("writes")
    renumber = late("renumber")
    mends = late("pruning")
    proposals = late("pruning")
    guide = late("guide")
    template = late("starter")
    fresh = late("starter")

    def rank(self, entry: Entry) -> str:
        from memdesk.core.layouts.records.statuses import rank

        return rank(entry.role, entry.status)

    def tasks(self, store: Store) -> tuple[str, ...]:
        return ("boot",)

    def rules(self) -> Sequence[Rule]:
        from memdesk.core.layouts.records.rules import RULES

        return RULES


LAYOUT = Records()
