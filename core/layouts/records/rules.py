"""The rules of this layout (docs/records.md), in the order of the report."""

from __future__ import annotations

from memdesk.core.checks.rule import CheckContext, Checked, Rule
from memdesk.core.layouts.records import immutable, numbered, ruled, supersession, sweep, words


def _guarded(rule: Rule) -> Rule:
    """A rule that does not judge a store by settings that could not be read. The check exits with 2 in any case."""
    run = rule.run

    def judged(context: CheckContext) -> Checked:
        if context.store.fault is not None:
            return Checked(0, skipped="records.statuses cannot be read")
        return run(context)

    return rule._replace(run=judged)


RULES: tuple[Rule, ...] = tuple(
    _guarded(rule)
    for rule in (*numbered.RULES, *ruled.RULES, *supersession.RULES, *immutable.RULES, *words.RULES, *sweep.RULES)
)
