"""Rules over what facts say of themselves. Only a person can settle them, so all they report is possible."""

from __future__ import annotations

import re
from collections.abc import Iterator

from memdesk.core import fields
from memdesk.core.checks.rule import CheckContext, Checked, Rule
from memdesk.core.layouts.agent_memory import facts
from memdesk.core.layouts.agent_memory.detect import NAME
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
        if _DIGIT.search(fact.text) is None or _YEAR.search(fact.text) or fields.dates(fact.text):
            continue
        figure = _FIGURE.search(facts.outside(fact.text))
        if figure is None:
            continue
        message = f"The figure {figure[0].strip()!r} has no date on which it was seen: {_shown(fact)!r}."
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
            message = f"It is tagged as stated, and says {word[0]!r}: {_shown(fact)!r}."
            found.append(STATED_PROPOSAL.finding(document.path, fact.line, message, possible=True))
    return Checked(checked, found)


_DIGIT = lazy("[0-9]")
_FIGURE = lazy(
    r"[$€£¥]\s?[0-9][0-9.,]*|(?<![\w.#/-])[0-9][0-9.,]*\s?(?:%|percent\b|(?:[kKMGT]i?B|[mµn]?s|sec|min|Hz|rps|qps|req/s|fps|USD|EUR|GBP)\b"
    r"|(?:thousand|million|billion)\b|(?:users?|customers?|requests?|files?|lines?|rows?|records?|entries|people|employees|stars|"
    r"downloads?|seats?|tests?|errors?|engineers?|developers?|tokens?|characters?)\b)"
    r"|(?<![\w.#/-])[0-9]{1,3}(?:,[0-9]{3})+(?![\w-])",
    re.IGNORECASE,
)
_YEAR = lazy(r"(?<![\w.,-])(?:19|20)[0-9]{2}(?![\w,.]?[0-9])")
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


def _shown(fact: facts.Fact) -> str:
    text = " ".join(fact.text.split())
    return text if len(text) <= 80 else text[:79] + "…"


FIGURE_UNDATED = Rule(
    "figure-undated", "warning", "a figure in a durable fact without the date on which it was observed (possible)",
    "Add the date, as in `(observed 2026-04-12)`, or say it without the figure.", "facts", figure_undated, NAME,
)
STATED_PROPOSAL = Rule(
    "stated-proposal", "warning", "a fact tagged `[stated]` whose text says that it was proposed (possible)",
    "Tag it `[suggested]` unless a person's own words state it.", "stated facts", stated_proposal, NAME,
)
RULES = (FIGURE_UNDATED, STATED_PROPOSAL)
