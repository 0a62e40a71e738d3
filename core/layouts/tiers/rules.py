"""The rules of this layout (docs/tiers.md), in the order of the report."""

from __future__ import annotations

from memdesk.core.layouts.tiers import factrules, indexrules, linkrules, logrules

RULES = (
    *factrules.RULES, *indexrules.RULES, linkrules.LINK_DEAD, *logrules.RULES, linkrules.WORKING_TRACKED, factrules.REVIEW_DUE,
)
