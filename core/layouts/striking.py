"""How a strike is written into a paragraph: its tildes, and the remark behind them (verbs.md); what every layout shares."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memdesk.core import fields, strikes
from memdesk.core.errors import Refused
from memdesk.core.layouts import spans

if TYPE_CHECKING:
    from collections.abc import Callable

    from memdesk.core.draft import Draft
    from memdesk.core.model import Entry


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


def check(entry: Entry, text: str, rule: Callable[[str], str]) -> None:
    """Whether a text can be struck; the refusal says where."""
    try:
        rule(text.replace("\r\n", "\n"))
    except Refused as error:
        raise Refused(error.message, path=entry.path, line=entry.line, remedy=error.remedy, field=error.field) from None
    if strikes.struck_span(f"~~{text.strip()}~~") is None:
        raise Refused("It can't be struck as it stands.", path=entry.path, line=entry.line, remedy="Edit it first.")
