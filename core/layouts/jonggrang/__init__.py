"""Layout `jonggrang`: fragments that agents leave, compacted into a feature's memory, of which the project's takes what lasts
(docs/jonggrang.md).

The class only hands each question to the module that knows, as the other layouts do.

Roles of its documents: "project" and "feature" (memories), "progress" (a feature's notes), "fragment", "archive" (fragments
that were compacted).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from memdesk.core.layouts.base import Layout, late
from memdesk.core.lean import TYPE_CHECKING

if TYPE_CHECKING:
    from memdesk.core.checks.rule import Rule
    from memdesk.core.model import Entry, Store

VERBS = frozenset({
    "add", "promote", "strike", "reject", "merge", "edit", "snooze", "forget", "compact", "undo", "init", "clear",
})


class Jonggrang(Layout):
    """The rules of fragments, features and project; see `memdesk.core.layouts.base.Layout` for what each method answers."""

    name = "jonggrang"
    title = "fragments, features, project"
    verbs = VERBS
    init_path = ".jonggrang"
    unseen = ("**/.jonggrang/locks/**",)
    cleared = frozenset({"archive"})
    singly = frozenset({"promote"})
    apart = frozenset({"add"})
    by_feature = True
    repeats = frozenset({"fragment", "progress", "archive"})
    ranks: Mapping[str, str] = {
        "project": "fact", "feature": "fact", "progress": "note", "fragment": "note", "archive": "note",
    }

    detect = late("detect")
    classify = late("detect")
    folders = late("detect")
    pathspecs = late("detect")
    locks = late("locks")
    entries = late("read")
    unpromoted = late("read")
    load = late("boot")
    rank = late("keeping")
    order = late("keeping")
    identity = late("keeping")
    resolve = late("linking")
    proposals = late("pruning")
    destinations = late("places")
    asks = late("places")
    destination = late("places", "resolve")
    said = late("places")
    merged = late("places")
    add = late("writes")
    take = late("writes")
    put = late("writes")
    amend = late("writes")
    waiting = late("compacted")
    features = late("compacted")
    compaction = late("compacted")
    scope_of = late("recalling")
    favours = late("recalling")
    guide = late("guide")
    template = late("starter")

    def promotable(self, entry: Entry) -> bool:
        from memdesk.core.layouts.jonggrang.places import promotable

        return promotable(entry)

    def instead(self, verb: str, entry: Entry) -> str:
        return "compact" if verb == "promote" and entry.role == "fragment" else super().instead(verb, entry)

    def group(self, entry: Entry) -> tuple[str, ...]:
        """By feature and task; of a memory by its section."""
        known = entry.fields
        feature = known.get("feature", "")
        return (feature, known.get("task") or known.get("section", "")) if feature else ()

    def merges(self, entry: Entry) -> bool:
        return entry.role != "fragment"

    def tasks(self, store: Store) -> tuple[str, ...]:
        return ("boot",)

    def leaves(self, entry: Entry) -> str:
        return "" if entry.role in ("progress", "archive") else super().leaves(entry)

    def rules(self) -> Sequence[Rule]:
        from memdesk.core.layouts.jonggrang.rules import RULES

        return RULES


LAYOUT = Jonggrang()
