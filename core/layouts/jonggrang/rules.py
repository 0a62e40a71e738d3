"""The rules of this layout (docs/jonggrang.md), in the order of the report."""

from __future__ import annotations

from memdesk.core.layouts.jonggrang import fragmentrules, gitrules, memoryrules

RULES = (*gitrules.RULES, *memoryrules.RULES, *fragmentrules.RULES)
