"""Rules over budgets and caps: a document's use against its limit."""

from __future__ import annotations

from memdesk.core.checks.rule import CheckContext, Checked, Rule
from memdesk.core.model import Budget, Document, Finding

PACKED = "tokens"  # the unit of a packing target; any other unit is a cap at which readers cut


def over_budget(context: CheckContext) -> Checked:
    """Files over their packing budget; the hint says what a pack leaves out."""
    return _over(context, OVER_BUDGET, packed=True)


def over_cap(context: CheckContext) -> Checked:
    """Files over a hard cap, in characters or lines."""
    return _over(context, OVER_CAP, packed=False)


def near_budget(context: CheckContext) -> Checked:
    """Files at the warning share (`budget.near`) of their budget or cap, and not over it."""
    share = context.settings.budget.near
    meters = _meters(context)
    found = [
        NEAR_BUDGET.finding(
            document.path, None, f"{budget.used} of {budget.cap} {budget.unit}, {budget.used * 100 // (budget.cap or 1)} %.",
            about=budget.unit,
        )
        for document, budget in meters if budget.state(share) == "near"
    ]
    return Checked(len(meters), found)


def _over(context: CheckContext, rule: Rule, *, packed: bool) -> Checked:
    found: list[Finding] = []
    meters = [(document, budget) for document, budget in _meters(context) if (budget.unit == PACKED) == packed]
    for document, budget in meters:
        if budget.state() != "over":
            continue
        over = budget.used - (budget.cap or 0)
        origin = next((cap.origin for cap in document.place.caps if cap.unit == budget.unit), "default")
        source = "the layout's default" if origin == "default" else f"set in {origin}"
        message = f"{budget.used} of {budget.cap} {budget.unit}: {over} over ({source})."
        hint = _omitted(document, rule) if packed else ""
        found.append(rule.finding(document.path, None, message, hint, about=budget.unit))
    return Checked(len(meters), found)


def _meters(context: CheckContext) -> list[tuple[Document, Budget]]:
    """Every capped document with its use. Counted once in a check; a file too small to reach its budget isn't counted at
    all, since a token takes at least one byte."""
    key = f"meters {context.store.path} {context.store.layout}"
    meters: list[tuple[Document, Budget]] | None = context.shared.get(key)
    if meters is None:
        meters = []
        near = context.settings.budget.near
        for document in context.readable:
            caps = [cap for cap in document.place.caps if cap.limit is not None]
            if caps and all(cap.unit == PACKED and at_most(document.data) < near * (cap.limit or 0) for cap in caps):
                meters += [(document, Budget(document.path, cap.unit, 0, cap.limit)) for cap in caps]
            elif caps:
                meters += [(document, budget) for budget in document.budgets() if budget.cap is not None]
        context.shared[key] = meters
    return meters


_WORDS_AND_SPACE = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz \t\n\r"


def at_most(data: bytes) -> int:
    """A bound above the token estimate that costs a tenth of it: each sign is a token and can cut one word in two."""
    return len(data.split()) + 2 * len(data.translate(None, _WORDS_AND_SPACE))


def _omitted(document: Document, rule: Rule) -> str:
    """What a pack would leave out of an oversized file."""
    from memdesk.core import packing

    cap = document.place.cap
    taken = packing.take(packing.split(document), packing.stripped(document.data), cap.limit if cap else None)
    if not taken.omitted:
        return f"A pack keeps its one unit whole, over the budget. {rule.remedy}"
    names = [f"{unit.heading!r} (line {unit.line})" for unit in taken.omitted]
    shown = ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")
    return f"A pack leaves out {shown}. {rule.remedy}"


OVER_BUDGET = Rule(
    "over-budget", "error", "a file over its token budget: a pack leaves out what doesn't fit",
    "Archive or shorten old entries, or raise the budget on purpose.", "files", over_budget,
)
OVER_CAP = Rule(
    "over-cap", "error", "a file over its cap in characters or lines: what is past it is not read",
    "Move entries out until it fits.", "files", over_cap,
)
NEAR_BUDGET = Rule(
    "near-budget", "warning", "a file at 80 % of its budget or cap (budget.near)",
    "Archive or shorten before the next entry doesn't fit.", "files", near_budget,
)
RULES = (OVER_BUDGET, OVER_CAP, NEAR_BUDGET)
