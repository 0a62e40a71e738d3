"""The registry of memory systems. One more is one more line here, and nothing else outside its own folder."""

from __future__ import annotations

from memdesk.core.errors import UsageError
from memdesk.core.lean import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from memdesk.core.layouts.base import Layout

# Name -> the module that holds it as LAYOUT. In the order in which they are asked; nothing is imported before that.
LAYOUTS: dict[str, str] = {
    "custodian": "memdesk.core.layouts.custodian",
    "agent-memory": "memdesk.core.layouts.agent_memory",
    "records": "memdesk.core.layouts.records",
    "tiers": "memdesk.core.layouts.tiers",
    "jonggrang": "memdesk.core.layouts.jonggrang",
}


def names() -> tuple[str, ...]:
    """The names of all layouts, in the order in which they are asked."""
    return tuple(LAYOUTS)


def get(name: str) -> Layout:
    """The layout of that name. Raises UsageError for an unknown one, with the nearest."""
    module = LAYOUTS.get(name)
    if module is None:
        from difflib import get_close_matches

        near = get_close_matches(name, LAYOUTS, n=1)
        known = "Known: " + ", ".join(LAYOUTS) + "."
        raise UsageError(f"There is no layout {name!r}.", remedy=f"Did you mean {near[0]}? {known}" if near else known)
    return cast("Layout", __import__(module, fromlist=["LAYOUT"]).LAYOUT)  # importlib itself takes longer
