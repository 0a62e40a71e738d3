"""The rules of this layout (docs/agent-memory.md)."""

from __future__ import annotations

from memdesk.core.lean import TYPE_CHECKING

if TYPE_CHECKING:
    from memdesk.core.checks.rule import Rule

RULES: tuple[Rule, ...] = ()
