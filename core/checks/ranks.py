"""The rule over sources that disagree: memory against accepted records, design records and the glossary (records.md).

What is exact is an error, what only meaning can settle is possible. What the rules of a single store tell, is not told again.
"""

from __future__ import annotations

from memdesk.core import conflicts, layouts
from memdesk.core.checks import judging
from memdesk.core.checks.rule import CheckContext, Checked, Rule
from memdesk.core.layouts.texts import titled
from memdesk.core.lean import TYPE_CHECKING

if TYPE_CHECKING:
    from memdesk.core.conflicts import Conflict
    from memdesk.core.layouts.base import Version
    from memdesk.core.model import Document, Finding


def rank_conflicts(context: CheckContext) -> Checked:
    """The conflicts across sources whose lower side is of this store."""
    found: list[Finding] = []
    judged = judging.of(context)
    clashes: list[Conflict] | None = context.shared.get("across")
    if clashes is None:
        clashes = context.shared["across"] = conflicts.across(context.workspace, context.shared.setdefault("titles", {}))
    mine = [(clash, side) for clash in clashes if (side := _lower(clash)).entry.document.store is context.store]
    sides = dict(mine)
    for clash in judged.left(clash for clash, _ in mine):
        side = sides[clash]
        others = [other for other in clash.sides if other is not side]
        where = ", ".join(dict.fromkeys(f"{other.entry.path}:{other.line}" for other in others))
        title = titled(side.entry, 60)
        reason = clash.reason[0].upper() + clash.reason[1:]
        message = f"{reason} ({where}): {title!r}."
        about = "\n".join((clash.kind, clash.about, *sorted(map(titled, clash.entries))))
        found.append(RANK_CONFLICT.finding(side.entry.path, side.line, message, possible=not clash.exact, about=about))
    checked = sum(
        not (entry.struck or entry.candidate) for document in _compared(context) for entry in document.entries
    )
    return Checked(checked, found, also=judged.said())


def _compared(context: CheckContext) -> list[Document]:
    """The documents that are held against others, where there is something that they could disagree with: memory, a day's
    notes aside, and design records."""
    quiet = layouts.get(context.store.layout).repeats
    sources = any(_rank(document) in conflicts.SOURCES for document in context.workspace.documents.values())
    documents = conflicts.readable(context.documents)
    return [
        document for document in documents
        if sources and _rank(document) not in ("record", "term") and document.place.role not in quiet
    ]


def _rank(document: Document) -> str:
    return layouts.get(document.store.layout).ranks.get(document.place.role, "")


def _lower(clash: Conflict) -> Version:
    """The side that a finding stands at: the one that has to give way, as the kinds order them; a tombstone against a record
    comes first, and gives way to it."""
    first, second = clash.sides[:2]
    return first if clash.kind == "tombstone" and _rank(second.entry.document) == "record" else second


RANK_CONFLICT = Rule(
    "rank-conflict", "error",
    "memory, or a design record, that disagrees with an accepted record or the glossary (where only meaning can tell: "
    "possible)",
    "`memdesk conflicts` shows both texts and the ways to settle it: follow the higher source, supersede it, or dismiss it "
    "with a reason.", "entries", rank_conflicts,
)
RULES = (RANK_CONFLICT,)
