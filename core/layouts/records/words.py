"""The rules over the glossary: one meaning for one word, and a use for each."""

from __future__ import annotations

from memdesk.core.checks.rule import CheckContext, Checked, Rule
from memdesk.core.layouts.records.kept import NAME
from memdesk.core.layouts.texts import shown
from memdesk.core.lean import TYPE_CHECKING

if TYPE_CHECKING:
    from memdesk.core.model import Entry, Finding


def term_duplicate(context: CheckContext) -> Checked:
    """A term that is defined twice in one glossary, or that another term says to avoid."""
    found: list[Finding] = []
    terms = [
        entry for document in context.readable if document.place.role == "glossary" for entry in document.entries
    ]
    first: dict[str, Entry] = {}
    for entry in terms:
        other = first.setdefault(normal(entry.heading), entry)
        if other is not entry:
            message = f"{shown(entry.heading)!r} is defined in line {other.line} of {other.path} already."
            found.append(TERM_DUPLICATE.finding(entry.path, entry.line, message))
    for entry in terms:
        for alias in aliases(entry):
            same = first.get(normal(alias))
            if same is not None and same is not entry:
                message = f"{shown(entry.heading)!r} says to avoid {shown(alias)!r}, which line {same.line} defines."
                found.append(TERM_DUPLICATE.finding(entry.path, entry.line, message))
    return Checked(len(terms), found)


def aliases(entry: Entry) -> list[str]:
    """The words that a term says to avoid."""
    return [alias.strip(" \t*_`.\"'") for alias in entry.fields.get("avoid", "").split(",") if alias.strip(" \t*_`.\"'")]


def normal(word: str) -> str:
    """A word to compare: without case, emphasis and doubled blanks."""
    return " ".join(word.replace("`", "").replace("*", "").casefold().split())


TERM_DUPLICATE = Rule(
    "term-duplicate", "error", "a term that is defined twice, or is another's alias to avoid",
    "Keep one definition; a word to avoid is no term.", "terms", term_duplicate, NAME,
)
RULES = (TERM_DUPLICATE,)
