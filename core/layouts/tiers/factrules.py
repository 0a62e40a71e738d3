"""The rules over facts: one a file, described, with its reason, overwritten and not added to, few, and reviewed in time."""

from __future__ import annotations

import re

from memdesk.core import fields
from memdesk.core.checks.rule import CheckContext, Checked, Rule
from memdesk.core.layouts.texts import flat, item_text, shown
from memdesk.core.layouts.tiers import facts
from memdesk.core.layouts.tiers.kept import NAME, Kept
from memdesk.core.lean import TYPE_CHECKING
from memdesk.core.patterns import lazy

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memdesk.core.markdown import Page, Section
    from memdesk.core.model import Document, Finding


def fact_frontmatter(context: CheckContext) -> Checked:
    """Facts whose front matter is missing, broken or without a description of one line."""
    found: list[Finding] = []
    documents = facts_of(context)
    for document in documents:
        wrong = front_fault(document.page)
        if wrong is not None:
            line, message, hint = wrong
            found.append(FACT_FRONTMATTER.finding(document.path, line, message, hint))
    return Checked(len(documents), found)


def fact_single(context: CheckContext) -> Checked:
    """Files that hold several facts: titles of level 1, or dated decisions below each other."""
    found: list[Finding] = []
    documents = facts_of(context)
    for document in documents:
        page = document.page
        titles = [block for block in page.blocks if block.kind == "heading" and not block.depth and block.level == 1]
        if len(titles) > 1:
            message = f"{len(titles)} facts in one file by their titles; the second is {shown(page.title(titles[1]), 60)!r}."
            found.append(FACT_SINGLE.finding(document.path, titles[1].line, message))
            continue
        dated = [section.heading for section in page.sections(2) if _decides(page, section)]
        if len(dated) > 1:
            message = f"{len(dated)} dated decisions in one file; the second is {shown(page.title(dated[1]), 60)!r}."
            found.append(FACT_SINGLE.finding(document.path, dated[1].line, message, severity="warning"))
    return Checked(len(documents), found)


def fact_appended(context: CheckContext) -> Checked:
    """Facts that seem to keep what they said before: dated versions below each other, or an update that was appended."""
    found: list[Finding] = []
    documents = facts_of(context)
    for document in documents:
        line = next(updates(document), None)
        if line is not None:
            number, text = line
            message = f"Something was appended to the fact, it seems: {shown(text, 60)!r}."
            found.append(FACT_APPENDED.finding(document.path, number, message, possible=True))
            continue
        versions = _versions(document)
        if len(versions) > 1:
            lines = ", ".join(str(number) for number in versions[:10]) + (" ..." if len(versions) > 10 else "")
            message = f"The fact carries a list of dated versions, it seems (lines {lines})."
            found.append(FACT_APPENDED.finding(document.path, versions[1], message, possible=True))
    return Checked(len(documents), found)


def fact_why(context: CheckContext) -> Checked:
    """Decisions without a reason."""
    found: list[Finding] = []
    checked = 0
    for document in facts_of(context):
        if facts.fact_of(document).type.casefold() != "decision":
            continue
        checked += 1
        if not facts.why_of(document):
            line = facts.line_of(document.page, "type")
            found.append(FACT_WHY.finding(document.path, line, "The decision gives no reason."))
    return Checked(checked, found)


def fact_count(context: CheckContext) -> Checked:
    """Whether there are more facts than a store should have."""
    kept: Kept = context.store.settings
    count = sum(document.place.role == "fact" for document in context.documents)
    if count <= kept.max_facts:
        return Checked(count, also=f"of {kept.max_facts}")
    origin = context.settings.origin("tiers.max_facts")
    source = "the layout's default" if origin == "default" else f"set in {origin}"
    message = f"{count} facts; {kept.max_facts} are the most that are kept ({source})."
    return Checked(count, [FACT_COUNT.finding(context.store.join(kept.index), None, message)], also=f"of {kept.max_facts}")


def review_due(context: CheckContext) -> Checked:
    """Facts whose own day of review has passed."""
    found: list[Finding] = []
    checked = 0
    for document in facts_of(context):
        day = facts.fact_of(document).review_by
        if not day:
            continue
        checked += 1
        line = facts.line_of(document.page, "review_by")
        if not fields.is_date(day[:10]):
            hint = "Write it as YYYY-MM-DD."
            found.append(REVIEW_DUE.finding(document.path, line, f"review_by is no date: {shown(day, 40)!r}.", hint))
        elif day[:10] < context.today().isoformat():
            found.append(REVIEW_DUE.finding(document.path, line, f"The fact was to be reviewed by {day[:10]}."))
    return Checked(checked, found)


def facts_of(context: CheckContext) -> list[Document]:
    """The facts of the store whose text can be looked at."""
    return [document for document in context.readable if document.place.role == "fact"]


_FORM = "Begin the file with `---`, `description: ...` on one line, `---`; the index shows that line."
_KEY = lazy(r"^description[ \t]*+:[ \t]*+(?P<value>[^\r\n]*+)(?P<more>(?:\r?\n(?:[ \t]+[^\r\n]*+|(?=\r?\n)))*+)", re.MULTILINE)
_UPDATE = lazy(
    r"[ \t]*+(?:#{1,6}[ \t]++)?(?:[-*+][ \t]++)?(?:\*\*|__|\*|_)?(?:update|edit|correction|erratum|addendum)"
    r"(?:[ \t]*+\(?[0-9]{4}-[0-9]{2}-[0-9]{2}\)?|[ \t]++[0-9]{1,2})?(?:\*\*|__|\*|_)?[ \t]*+:", re.IGNORECASE,
)
_UPDATED = lazy(
    r"[ \t]*+#{1,6}[ \t]++(?:update|edit|correction)s?(?:[ \t]*+[(]?[0-9]{4}-[0-9]{2}-[0-9]{2}[)]?)?[ \t\r]*\Z", re.IGNORECASE
)
_DATED = lazy(
    r"(?:\*\*|__|`|\(|\[)?(?:(?:as of|since|until|from|before|on)[ \t]++)?[0-9]{4}-[0-9]{2}-[0-9]{2}(?:\*\*|__|`|\)|\])?"
    r"[ \t]*+(?:[:|,\u2013\u2014\u2192-]|\Z)", re.IGNORECASE,
)


def front_fault(page: Page) -> tuple[int, str, str] | None:
    """What is wrong with a fact's front matter: line, message and what to do."""
    from memdesk.core import frontmatter

    fault = frontmatter.fault(page, "The fact has no front matter, and so no description.")
    if fault is not None:
        return fault[0], fault[1], fault[2] or _FORM
    said = frontmatter.read(page)
    description = said.get("description")
    line = facts.line_of(page, "description")
    if description is None or description == "":
        return line, "The front matter has no description.", _FORM
    if not isinstance(description, str) or not description.strip():
        return line, "The description is no text.", _FORM
    if "\n" in description.strip() or _spans_lines(page):
        return line, "The description is longer than a line.", "Say in one line what the fact is about; the rest is its text."
    return None


def _spans_lines(page: Page) -> bool:
    """Whether the description is written over several lines, though it be read as one."""
    assert page.front is not None
    match = _KEY.search(page.text, *page.front)
    if match is None:
        return False
    value = match["value"].split(" #")[0].strip()
    own = bool(value) and value[0] not in "|>#"
    return own + sum(bool(row.strip()) for row in match["more"].split("\n")) > 1


def _decides(page: Page, section: Section) -> bool:
    """Whether a section reads as a dated decision: a date and words in its title, or in its fields a date and what was
    decided."""
    date, rest = fields.split_date(page.title(section.heading).strip())
    if date is not None:
        return bool(rest.strip())
    text = page.data[section.heading.end : section.end].decode("utf-8", "replace").replace("\r\n", "\n")
    if "ecision" not in text:
        return False
    known = fields.labelled(text)
    return "decision" in known and bool(fields.dates(known.get("date", "") + " " + known["decision"]))


def updates(document: Document) -> Iterator[tuple[int, str]]:
    """(line, text) of lines of prose that begin with a word for an update."""
    page = document.page
    low = page.text.lower()
    if not any(word in low for word in ("update", "edit", "correction", "erratum", "addendum")):
        return
    for block in page.blocks:
        if block.kind not in ("paragraph", "heading"):
            continue
        text = page.data[block.start : block.end].decode("utf-8", "replace")
        for offset, row in enumerate(text.split("\n")):
            if _UPDATE.match(row) or (block.kind == "heading" and _UPDATED.match(row)):
                yield block.line + offset, row.strip()


def _versions(document: Document) -> list[int]:
    """The lines of the bullets of one list, or of headings of one level, that begin with dates of their own."""
    page = document.page
    groups: dict[tuple[str, int, int], list[int]] = {}
    section = 0
    for index, block in enumerate(page.blocks):
        if block.kind == "heading" and not block.depth:
            if block.level > 1 and _DATED.match(page.title(block).strip()) and fields.dates(page.title(block)):
                groups.setdefault(("heading", block.level, 0), []).append(block.line)
            section = index
        elif block.kind == "item":
            text = flat(item_text(document, block).partition("\n")[0])
            if _DATED.match(text) and fields.dates(text):
                groups.setdefault(("item", block.parent, section), []).append(block.line)
    return next((lines for lines in groups.values() if len(lines) > 1), [])


FACT_FRONTMATTER = Rule(
    "fact-frontmatter", "error", "a fact without front matter, with broken YAML in it, or without a description of one line",
    _FORM, "facts", fact_frontmatter, NAME,
)
FACT_SINGLE = Rule(
    "fact-single", "error",
    "a file with more than one fact: several level-1 titles (or dated decisions in sections: a warning)",
    "Give each fact a file of its own, and a line in the index.", "facts", fact_single, NAME,
)
FACT_APPENDED = Rule(
    "fact-appended", "warning", "a fact with dated versions, or a line that begins Update:, Edit: or Correction: (possible)",
    "Corrections overwrite here: say what holds now, and let git and the log keep what was said before.", "facts",
    fact_appended, NAME,
)
FACT_WHY = Rule(
    "fact-why", "warning", "a fact of type decision without its reason",
    "Add the reason (Why: ...), so that it can be judged again when things change.", "decisions", fact_why, NAME,
)
FACT_COUNT = Rule(
    "fact-count", "warning", "more facts than tiers.max_facts, 300 by default",
    "Most of so many are not durable: archive what no longer matters, and merge what says the same.", "facts", fact_count, NAME,
)
REVIEW_DUE = Rule(
    "review-due", "warning", "a fact whose review_by has passed",
    "See whether it still holds: correct it or archive it, or set a later review_by.", "review dates",
    review_due, NAME,
)
RULES = (FACT_FRONTMATTER, FACT_SINGLE, FACT_APPENDED, FACT_WHY, FACT_COUNT)
