"""The rule over numbers: one record, one number, in the tree and between the tree and the base of a change."""

from __future__ import annotations

from memdesk.core.checks.rule import CheckContext, Checked, Rule
from memdesk.core.errors import GitError
from memdesk.core.layouts.records import numbers
from memdesk.core.lean import TYPE_CHECKING

if TYPE_CHECKING:
    from memdesk.core.model import Document, Finding


def adr_number(context: CheckContext) -> Checked:
    """Two records that carry one number. What git can't tell of the base fails the rule; the tree is judged all the same."""
    records = [document for document in context.documents if document.place.role == "record"]
    found = in_tree(records)
    if context.change is None or context.change.base is None:
        return Checked(len(records), found)
    from memdesk.core.layouts.records import basenumbers, earlier

    try:
        clashes = basenumbers.collisions(context)
        since = earlier.since(context)
    except GitError as error:
        return Checked(len(records), found, skipped=str(error), failed=True)
    for clash in clashes:
        message = f"Number {clash.number} is that of {clash.other} on {clash.base} too."
        found.append(ADR_NUMBER.finding(clash.path, None, message, _OURS))
    return Checked(len(records), found, also=earlier.against(since))


def in_tree(records: list[Document]) -> list[Finding]:
    """The findings about records of one tree: each later one of a number names the first."""
    found = []
    first: dict[int, Document] = {}
    for document in records:
        number = numbers.number(document.path)
        if number is None:
            continue
        other = first.setdefault(number, document)
        if other is not document:
            found.append(ADR_NUMBER.finding(document.path, None, f"Number {number} is that of {other.path} too."))
    return found


_OURS = "Renumber this one, with what links to it: `memdesk renumber`."
ADR_NUMBER = Rule(
    "adr-number", "error", "two records that carry one number, in the tree or between the tree and --base",
    "Renumber the newer one, with what links to it: `memdesk renumber`.", "records", adr_number, "records",
)
RULES = (ADR_NUMBER,)
