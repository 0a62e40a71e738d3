"""How a strike is written: its tildes, and the remark behind them or below (verbs.md); what every layout shares."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memdesk.core import fields, strikes
from memdesk.core.errors import Refused
from memdesk.core.layouts import shape, spans, texts

if TYPE_CHECKING:
    from collections.abc import Callable

    from memdesk.core.draft import Draft
    from memdesk.core.model import Entry


def strike(draft: Draft, entry: Entry, remark: str, reason: str) -> None:
    """Strikes an entry without a replacement. A bullet: `- ~~text~~ struck DATE: reason`; a section: its heading, and below
    it `Struck: DATE. reason`."""
    unstruck(entry)
    shape.words(reason, "reason")
    reason = texts.flat(reason)
    if entry.kind == "bullet":
        bullet(draft, entry, remark + (f": {reason}" if reason else ""))
        return
    date = remark.rpartition(" ")[2]
    section(draft, entry, f"Struck: {date}." + (f" {texts.sentence(reason)}" if reason else ""))


def bullet(draft: Draft, entry: Entry, remark: str) -> None:
    """Strikes a bullet's first paragraph and puts the remark behind it: `- ~~text~~ struck DATE`. Raises Refused."""
    document = entry.document
    span = spans.first_paragraph(document.page, entry)
    if span is None:
        raise Refused(
            "It doesn't begin with a paragraph, so there is no text to strike.", path=entry.path, line=entry.line,
            remedy="Edit it so that it begins with words.",
        )
    check(entry, document.data[slice(*span)].decode("utf-8", "surrogateescape"), fields.strike)
    draft.patch(document, span[0], span[0], "~~", entry)
    draft.patch(document, span[1], span[1], f"~~ {remark}", entry)


def inline(draft: Draft, entry: Entry, remark: str, reason: str) -> None:
    """Strikes a bullet, a paragraph or a heading with the remark and reason right behind it. Raises Refused."""
    if entry.struck:
        raise Refused("It is struck already.", path=entry.path, line=entry.line, remedy="Edit it if the remark is wrong.")
    shape.words(reason, "reason")
    remark += f": {texts.flat(reason)}" if reason.strip() else ""
    document = entry.document
    if entry.kind == "bullet":
        bullet(draft, entry, remark)
        return
    if entry.kind == "section":
        heading = spans.entry_heading(document.page, entry)
        if heading is None:  # pragma: no cover - a section begins with its heading
            raise Refused("It has no heading to strike.", path=entry.path, line=entry.line)
        start, end = heading.inner
    else:
        found = paragraph(entry)
        if found is None:
            raise Refused(
                "It doesn't begin with a paragraph, so there is no text to strike.", path=entry.path, line=entry.line,
                remedy="Edit it so that it begins with words.",
            )
        start, end = found
    rule = strikes.strike_title if entry.kind == "section" else strikes.strike
    check(entry, document.data[start:end].decode("utf-8", "surrogateescape"), rule)
    draft.patch(document, start, start, "~~", entry)
    draft.patch(document, end, end, f"~~ {remark}", entry)


def paragraph(entry: Entry) -> tuple[int, int] | None:
    """The span of the paragraph that an entry begins with which is neither bullet nor heading, without the blanks around it;
    None where it begins with something else."""
    document = entry.document
    data = document.data
    block = document.page.blocks[spans.first_block(document.page, entry.start)]
    if block.kind != "paragraph":
        return None
    start, end = block.start, block.end
    while start < end and data[start : start + 1] in (b" ", b"\t"):
        start += 1
    while end > start and data[end - 1 : end] in (b" ", b"\t", b"\r", b"\n"):
        end -= 1
    return start, end


def check(entry: Entry, text: str, rule: Callable[[str], str]) -> None:
    """Whether a text can be struck; the refusal says where."""
    try:
        rule(text.replace("\r\n", "\n"))
    except Refused as error:
        raise Refused(error.message, path=entry.path, line=entry.line, remedy=error.remedy, field=error.field) from None
    if strikes.struck_span(f"~~{text.strip()}~~") is None:
        raise Refused("It can't be struck as it stands.", path=entry.path, line=entry.line, remedy="Edit it first.")


def section(draft: Draft, entry: Entry, line: str) -> None:
    """Strikes a section's heading and puts the line below it. Raises Refused."""
    document = entry.document
    page = document.page
    heading = spans.entry_heading(page, entry)
    if heading is None or heading.inner[0] >= heading.inner[1]:
        raise Refused("Its heading is empty, so there is nothing to strike.", path=entry.path, line=entry.line)
    start, end = heading.inner
    check(entry, document.data[start:end].decode("utf-8", "surrogateescape"), fields.strike_title)
    draft.patch(document, start, start, "~~", entry)
    draft.patch(document, end, end, "~~", entry)
    offset = heading.end
    rest = document.data[offset : entry.end]
    first = rest.split(b"\n", 1)[0]
    if rest and not first.strip():  # the file's own habit: a blank line below a heading
        offset += len(first) + 1
    draft.below(entry, offset, line, loose=True)


def unstruck(entry: Entry) -> None:
    """Raises Refused for what is struck already, or is no bullet and no section."""
    if entry.struck:
        raise Refused("It is struck already.", path=entry.path, line=entry.line, remedy="Edit it if the remark is wrong.")
    if entry.kind not in ("bullet", "section"):
        raise Refused(
            "Plain text without a heading or bullet can't be struck as an entry.", path=entry.path, line=entry.line,
            remedy="Edit it instead.",
        )
