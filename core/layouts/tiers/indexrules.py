"""The rule over the index: a line for each fact, with the fact's own description, and a fact for each line."""

from __future__ import annotations

from memdesk.core.checks.rule import CheckContext, Checked, Rule
from memdesk.core.layouts.texts import shown
from memdesk.core.layouts.tiers import crosslinks, facts, indexlines
from memdesk.core.layouts.tiers.factrules import facts_of
from memdesk.core.layouts.tiers.kept import NAME, Kept
from memdesk.core.lean import TYPE_CHECKING

if TYPE_CHECKING:
    from memdesk.core.model import Finding


def index_complete(context: CheckContext) -> Checked:
    """Facts without a line, lines that lead nowhere, facts with two lines, and descriptions that differ."""
    kept: Kept = context.store.settings
    path = context.store.join(kept.index)
    index = context.workspace.documents.get(path)
    documents = facts_of(context)
    if index is None:
        message = f"The index is not there, so nobody finds the {len(documents)} facts."
        return Checked(0, [INDEX_COMPLETE.finding(path, None, message, "`memdesk reindex` makes it.")])
    if index not in context.readable:
        return Checked(0, skipped=f"{path} cannot be read")
    names = crosslinks.names_of(context.workspace, context.store)
    known = {document.path: document for document in documents}
    first: dict[str, int] = {}
    found: list[Finding] = []
    for line in (lines := indexlines.lines(index)):
        to = names.line(index, line)
        if to is None:
            message = f"This line points at nothing: {shown(line.target, 60)}."
            hint = "Take the line out, or correct where it points."
            found.append(INDEX_COMPLETE.finding(path, line.line, message, hint))
            continue
        if to not in known:
            continue
        if to in first:
            message = f"{context.store.named(to)} has a line already, line {first[to]}."
            found.append(INDEX_COMPLETE.finding(path, line.line, message, "Keep one of them."))
            continue
        first[to] = line.line
        said = facts.fact_of(known[to]).description
        if said and line.description != said:
            what = f"says {shown(line.description, 60)!r}" if line.description else "gives no description"
            message = f"This line {what}, and {context.store.named(to)} describes itself as {shown(said, 60)!r}."
            hint = "`memdesk reindex` takes the fact's own description."
            found.append(INDEX_COMPLETE.finding(path, line.line, message, hint))
    for document in documents:
        if document.path not in first:
            message = f"{context.store.named(path)} has no line for this fact, so nobody finds it."
            hint = "`memdesk reindex` adds it."
            found.append(INDEX_COMPLETE.finding(document.path, 1, message, hint))
    return Checked(len(documents), found, also=f"{len(lines)} lines")


INDEX_COMPLETE = Rule(
    "index-complete", "error",
    "a fact that the index has no line for, a line that leads nowhere, two lines for one fact, or another description than the "
    "fact's own", "Run `memdesk reindex`: it writes the index's lines from the facts.", "facts", index_complete, NAME,
)
RULES = (INDEX_COMPLETE,)
