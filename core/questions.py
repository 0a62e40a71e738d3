"""The questions that promoting puts to a person (verbs.md): whether a text is worth keeping is for them to judge.

They are offered, not forced, and no answer is remembered; but an answer that says no, or unsure, stops the promotion.
"""

from __future__ import annotations

from collections.abc import Mapping

from memdesk.core.errors import Refused
from memdesk.core.layouts.base import Ask

DOUBTS = ("too broad", "too narrow", "incomplete", "contradictory", "no reason given")  # why a candidate is left or snoozed


AGAINST = {  # question -> the answer that speaks against promoting, and why
    "lasting": ("no", "it won't guide anyone for long"), "needed": ("no", "nobody would need it"),
    "derivable": ("yes", "code or git says it already"),
}


def asks(span: str = "weeks", *, shown: bool = False, filters: bool = False) -> tuple[Ask, ...]:
    """The two questions of every promotion; why, and in what scope, each place asks for itself. `span`: of the layout;
    `shown`: in sight though no answer is needed. `filters`: with what else a layout asks before anything lasts, whether someone
    would need it; that and the first are in sight then (tiers.md, Writes)."""
    answers = ("yes", "no", "unsure")
    found = [
        Ask("lasting", f"Still guiding a capable colleague {span} on?", choices=answers, shown=shown or filters),
        Ask("derivable", "Could it be worked out again from code or git?", choices=("no", "yes", "unsure"), shown=shown),
    ]
    if filters:
        found.insert(1, Ask("needed", "Would someone need it?", choices=answers, shown=True))
    return tuple(found)


def stop(words: Mapping[str, str], to: str = "", passing: str = "") -> None:
    """Raises Refused, with the way on, where the answers say that the text should not be promoted. `passing`: where the layout
    keeps what won't last; nothing stops what goes `to` there."""
    if passing and to == passing:
        return
    for field, (against, why) in AGAINST.items():
        answer = words.get(field, "")
        if answer == against:
            other = f"Put it into the {passing} (--to {passing}), reject it," if passing else "Reject it,"
            raise Refused(f"By your answer {why}.", remedy=f"{other} or leave it where it is.", field=field)
        if answer == "unsure":
            raise Refused(
                "Unsure: then it isn't ready to be relied on.", field=field,
                remedy=f"Snooze it, or leave it and say why: {', '.join(DOUBTS)}.",
            )
