"""Rules over what facts say of themselves. Only a person can settle them, so all they report is possible."""

from __future__ import annotations

import re
from collections.abc import Iterator

from memdesk.core.checks.rule import CheckContext, Checked, Rule
from memdesk.core.layouts.agent_memory import facts
from memdesk.core.layouts.agent_memory.detect import NAME
from memdesk.core.layouts.texts import shown
from memdesk.core.lean import TYPE_CHECKING
from memdesk.core.patterns import lazy

if TYPE_CHECKING:
    from memdesk.core.model import Document


def figure_undated(context: CheckContext) -> Checked:
    """Figures in durable facts that no date says when they were seen."""
    found = []
    checked = 0
    for document, fact in _facts(context, frozenset({"durable"})):
        checked += 1
        figure = facts.figure(fact.text)
        if figure is None or facts.dated(fact.text):
            continue
        message = f"The figure {figure!r} has no date on which it was seen: {shown(fact.text)!r}."
        found.append(FIGURE_UNDATED.finding(document.path, fact.line, message, possible=True))
    return Checked(checked, found)


def stated_proposal(context: CheckContext) -> Checked:
    """Facts tagged as stated whose own words call them a proposal."""
    found = []
    checked = 0
    for document, fact in _facts(context, frozenset({"durable", "working", "index"}), b"[stated]"):
        if "stated" not in fact.tags:
            continue
        checked += 1
        word = _PROPOSED.search(facts.outside(fact.text))
        if word is not None:
            message = f"It is tagged as stated, and says {word[0]!r}: {shown(fact.text)!r}."
            found.append(STATED_PROPOSAL.finding(document.path, fact.line, message, possible=True))
    return Checked(checked, found)


_PROPOSED = lazy(
    r"\b(?:propos(?:ed?|es|als?|ing)|suggest(?:ed|s|ions?|ing)?|recommend(?:ed|s|ations?|ing)?|sounds good)\b", re.IGNORECASE
)


def _facts(context: CheckContext, tiers: frozenset[str], holding: bytes = b"") -> Iterator[tuple[Document, facts.Fact]]:
    """The current facts of the documents of some tiers, by the strict reading."""
    for document in context.readable:
        if document.place.tier in tiers and holding in document.data:
            for fact in facts.of(context, document):
                if not fact.struck:
                    yield document, fact


FIGURE_UNDATED = Rule(
    "figure-undated", "warning", "a figure in a durable fact without the date on which it was observed (possible)",
    "Add the date, as in `(observed 2026-04-12)`, or say it without the figure.", "facts", figure_undated, NAME,
)
STATED_PROPOSAL = Rule(
    "stated-proposal", "warning", "a fact tagged `[stated]` whose text says that it was proposed (possible)",
    "Tag it `[suggested]` unless a person's own words state it.", "stated facts", stated_proposal, NAME,
)
RULES = (FIGURE_UNDATED, STATED_PROPOSAL)
