"""What entries are of, for a recall, and what each phase of the work looks for first (docs/jonggrang.md, Recall)."""

from __future__ import annotations

from collections.abc import Collection

from memdesk.core.layouts.base import Scope
from memdesk.core.layouts.jonggrang import sections
from memdesk.core.lean import TYPE_CHECKING
from memdesk.core.patterns import lazy

if TYPE_CHECKING:
    from memdesk.core.model import Entry


def scope_of(entry: Entry) -> Scope:
    """An entry's feature and section, and the task that found it: a line that was compacted names it as its source."""
    known = entry.fields
    feature = entry.document.place.scope.removeprefix("feature:")
    task = known.get("task", "")
    if feature and not task and entry.source and (match := _TASK.search(entry.source)):
        task = match[0]
    return Scope(feature, task, known.get("section", ""))


def favours(phase: str) -> Collection[str]:
    """The sections of memories and fragments that count for more in a phase; () for one that isn't known."""
    return _FAVOURS.get(phase, ())


_TASK = lazy(r"(?<![\w-])task-[0-9]++(?![\w-])")
# Names of a feature's sections, and of those that a project's memory begins with.
_FAVOURS = {
    "plan": frozenset({sections.CONTEXT, sections.FACTS, sections.DONE, "Architectural Decisions"}),
    "work": frozenset({sections.LESSONS, sections.FACTS, "Conventions", "Known Pitfalls", "Repeated Lessons"}),
    "review": frozenset({sections.LESSONS, sections.OPEN, "Conventions", "Repeated Lessons"}),
}
