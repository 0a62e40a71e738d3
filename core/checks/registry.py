"""Every rule there is: those that each layout gets, then those of the layouts, in the order of the report."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from memdesk.core import layouts
from memdesk.core.checks import agents, allow, budgets, entries, history, ranks, screens, sensitive
from memdesk.core.checks.rule import Rule
from memdesk.core.errors import UsageError

COMMON: tuple[Rule, ...] = (
    *screens.RULES, *entries.RULES, *ranks.RULES, *sensitive.RULES, *budgets.RULES, *history.RULES, *agents.RULES, *allow.RULES,
)

# What no rule can judge, said in every report: a pass doesn't mean that these are in order (invariant 4).
NOT_CHECKED: tuple[str, ...] = (
    "whether a tag is honest (stated, observed, inferred, suggested)",
    "whether a reason is a good one, or a scope the right one",
    "whether an entry is true, and still true",
    "whether entries contradict each other in meaning",
    "whether a text, a comment among them, tries to instruct the agent that reads it",
    "secrets that have no shape of their own, and all that git's history holds",
)


def rules(layout: str | None = None) -> list[Rule]:
    """All rules, or those that a store of one layout gets. Raises UsageError for an unknown layout."""
    if layout is None:
        return [*COMMON, *(rule for name in layouts.names() for rule in layouts.get(name).rules())]
    own = layouts.get(layout)
    return [*(rule for rule in COMMON if rule.name not in own.covers), *own.rules()]


def find(name: str) -> Rule:
    """The rule of that name. Raises UsageError for an unknown one, with the nearest."""
    for layout in ("", *layouts.names()):  # one after the other: a layout's rules are loaded where they are asked for
        for rule in layouts.get(layout).rules() if layout else COMMON:
            if rule.name == name:
                return rule
    raise _unknown(name, [rule.name for rule in rules()])


def is_rule(name: str) -> bool:
    """Whether a rule bears that name."""
    try:
        find(name)
    except UsageError:
        return False
    return True


def known(names: Sequence[str]) -> frozenset[str]:
    """The names as a set. Raises UsageError for the first that is no rule."""
    for name in names:
        find(name)
    return frozenset(names)


def _unknown(name: str, every: Iterable[str]) -> UsageError:
    from difflib import get_close_matches

    known = list(every)
    near = get_close_matches(name, known, n=1, cutoff=0.8) or get_close_matches(name, known, n=3)  # a slip, or a part of a name
    hint = f"Did you mean {' or '.join(near)}? " if near else ""
    return UsageError(f"There is no rule {name!r}.", remedy=f"{hint}`memdesk --check --list-rules` lists them.")
