"""The questions that promoting puts to a person (verbs.md): whether a text is worth keeping is for them to judge.

They are offered, not forced, and no answer is remembered; but an answer that says no, or unsure, stops the promotion.
"""

from __future__ import annotations

from collections.abc import Mapping

from memdesk.core.errors import Refused
from memdesk.core.layouts.base import Ask

DOUBTS = ("too broad", "too narrow", "incomplete", "contradictory", "no reason given")  # why a candidate is left or snoozed


def asks(span: str = "weeks", *, shown: bool = False) -> tuple[Ask, ...]:
    """The two questions of every promotion; why, and in what scope, each place asks for itself. `span`: of the layout;
    `shown`: in sight though no answer is needed."""
    return (
        Ask("lasting", f"Still guiding a capable colleague {span} on?", choices=("yes", "no", "unsure"), shown=shown),
        Ask("derivable", "Could it be worked out again from code or git?", choices=("no", "yes", "unsure"), shown=shown),
    )


def stop(words: Mapping[str, str], to: str = "", passing: str = "") -> None:
    """Raises Refused, with the way on, where the answers say that the text should not be promoted. `passing`: where the layout
    keeps what won't last; nothing stops what goes `to` there."""
    if passing and to == passing:
        return
    for field, against in (("lasting", "no"), ("derivable", "yes")):
        answer = words.get(field, "")
        if answer == against:
            why = "it won't guide anyone for long" if field == "lasting" else "code or git says it already"
            other = f"Put it into the {passing} (--to {passing}), reject it," if passing else "Reject it,"
            raise Refused(f"By your answer {why}.", remedy=f"{other} or leave it where it is.", field=field)
        if answer == "unsure":
            raise Refused(
                "Unsure: then it isn't ready to be relied on.", field=field,
                remedy=f"Snooze it, or leave it and say why: {', '.join(DOUBTS)}.",
            )
