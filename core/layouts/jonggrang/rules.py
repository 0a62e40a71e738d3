"""The rules of this layout (docs/jonggrang.md), in the order of the report."""

from __future__ import annotations

from memdesk.core.lean import TYPE_CHECKING

if TYPE_CHECKING:
    from memdesk.core.checks.rule import Rule

RULES: tuple[Rule, ...] = ()
