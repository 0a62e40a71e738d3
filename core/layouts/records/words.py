"""The rules over the glossary: one meaning for one word, and a use for each."""

from __future__ import annotations

from memdesk.core.checks.rule import CheckContext, Checked, Rule
from memdesk.core.layouts.records.kept import NAME
from memdesk.core.layouts.texts import shown, to_avoid
from memdesk.core.lean import TYPE_CHECKING

if TYPE_CHECKING:
    from memdesk.core.model import Entry, Finding


def term_duplicate(context: CheckContext) -> Checked:
    """A term that is defined twice in one glossary, or that another term says to avoid."""
    found: list[Finding] = []
    terms = [
        entry for document in context.readable if document.place.role == "glossary"
        for entry in document.entries if not entry.struck
    ]
    first: dict[str, Entry] = {}
    for entry in terms:
        other = first.setdefault(normal(entry.heading), entry)
        if other is not entry:
            message = f"{shown(entry.heading)!r} is defined in line {other.line} already."
            found.append(TERM_DUPLICATE.finding(entry.path, entry.line, message, about=normal(entry.heading)))
    for entry in terms:
        for alias in to_avoid(entry.fields.get("avoid", "")):
            same = first.get(normal(alias))
            if same is not None and same is not entry:
                message = f"{shown(entry.heading)!r} says to avoid {shown(alias)!r}, which line {same.line} defines."
                about = f"{normal(entry.heading)}\n{normal(alias)}"
                found.append(TERM_DUPLICATE.finding(entry.path, entry.line, message, about=about))
    return Checked(len(terms), found)


def term_unused(context: CheckContext) -> Checked:
    """A term that no source file, record or design record uses. Off where the settings name no sources."""
    sources = context.settings.records.sources
    if not sources:
        return Checked(0, skipped="records.sources names no source folders")
    from memdesk.core.layouts.records import uses

    known: uses.Uses | None = context.shared.get("term-uses")
    if known is None:
        terms = [
            entry.heading for document in context.workspace.documents.values()
            if document.place.role == "glossary" and document.store.layout == NAME
            for entry in document.entries if not entry.struck
        ]
        known = context.shared["term-uses"] = uses.find(terms, context.workspace, sources)
    found: list[Finding] = []
    place = context.settings.place("records.sources")
    for folder in known.missing:
        message = f"records.sources names {shown(folder)!r}, and there is no such folder."
        hint = "Correct it: a word that is used there alone counts as unused."
        found.append(TERM_UNUSED.finding(place.file if place else ".", place.line if place else None, message, hint))
    checked = 0
    for document in context.readable:
        for entry in document.entries if document.place.role == "glossary" else ():
            if entry.struck:
                continue
            checked += 1
            if not known.stopped and entry.heading in known.unused:
                found.append(TERM_UNUSED.finding(entry.path, entry.line, f"Nothing uses {shown(entry.heading)!r}."))
    also = f"in {known.files} files"
    if known.left:
        also += f", {known.left} left out (binary, a link or over 1 MB)"
    if known.stopped:
        also += ", then stopped: the sources hold more than 64 MB, so no term is called unused"
    return Checked(checked, found, also=also)


def normal(word: str) -> str:
    """A word to compare: without case, emphasis and doubled blanks."""
    return " ".join(word.replace("`", "").replace("*", "").casefold().split())


TERM_DUPLICATE = Rule(
    "term-duplicate", "error", "a term that is defined twice, or is another's alias to avoid",
    "Keep one definition; a word to avoid is no term.", "terms", term_duplicate, NAME,
)
TERM_UNUSED = Rule(
    "term-unused", "warning", "a term that no source file, record or design record uses (off without records.sources)",
    "Take it out, or use the word where it is meant.", "terms", term_unused, NAME,
)
RULES = (TERM_DUPLICATE, TERM_UNUSED)
