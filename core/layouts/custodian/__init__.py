"""Layout `custodian`: manifest-routed memory, a folder under `docs/` that holds `manifest.md` (docs/custodian.md).

The class only hands each question to the module that knows: importing it costs nothing, and `memdesk --check` loads no
code of the writing side.

Roles of its documents: "manifest", "brief", "decisions", "constraints", "do-not-use", "preferences", "inbox",
"changelog", "subjects", "rule", "profile", "area", "archive", and "other" (a file that only the manifest knows).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from memdesk.core.layouts.base import Layout, late
from memdesk.core.lean import TYPE_CHECKING

if TYPE_CHECKING:
    from memdesk.core.checks.rule import Rule
    from memdesk.core.layouts.base import Module
    from memdesk.core.model import Store

VERBS = frozenset({"add", "promote", "strike", "reject", "merge", "edit", "snooze", "archive", "forget", "undo", "init"})


class Custodian(Layout):
    """The rules of manifest-routed memory; see `memdesk.core.layouts.base.Layout` for what each method answers."""

    name = "custodian"
    title = "manifest-routed memory"
    verbs = VERBS
    init_path = "docs/memory"
    by_path = True
    ranks: Mapping[str, str] = {
        "constraints": "constraint", "rule": "constraint", "do-not-use": "tombstone", "decisions": "decision",
        "area": "decision", "preferences": "preference", "profile": "preference", "inbox": "note",
    }

    detect = late("detect")
    classify = late("detect")
    entries = late("entries")
    load = late("route")
    advice = late("advising")
    room = late("advising")
    versions = late("history")
    owned = late("scopes")
    scoped = late("writing")
    successors = late("history")
    leaves = late("writing")
    ends = late("writing")
    unreached = late("pruning")
    destinations = late("writing")
    asks = late("writing")
    informed = late("writing")
    vouched = late("writing")
    destination = late("places", "resolve")
    said = late("writing")
    merged = late("writing")
    grounded = late("writing")
    remarks = late("writing")
    add = late("writing")
    take = late("writing")
    put = late("writing")
    amend = late("writing")
    stays = late("leaving")
    order = late("keeping")
    note = late("writes")
    guide = late("guide")
    template = late("starter")

    def tasks(self, store: Store) -> tuple[str, ...]:
        from memdesk.core.layouts.custodian.manifest import TASKS

        return tuple(TASKS)

    def modules(self, store: Store) -> Sequence[Module]:
        from memdesk.core.layouts.base import Module

        return [
            Module(module.kind, module.name, store.join(module.path), module.when, module.globs)
            for kind in ("areas", "rules", "profiles") for module in store.settings.enabled(kind)
        ]

    def rules(self) -> Sequence[Rule]:
        from memdesk.core.layouts.custodian.rules import RULES

        return RULES


LAYOUT = Custodian()
