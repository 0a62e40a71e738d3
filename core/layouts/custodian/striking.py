"""Struck in place: what no longer holds stays as history, with the date and what came instead (verbs.md)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memdesk.core.errors import Refused
from memdesk.core.layouts import shape, spans, striking, texts
from memdesk.core.layouts.base import Change
from memdesk.core.layouts.custodian import forms

if TYPE_CHECKING:
    from memdesk.core.draft import Draft
    from memdesk.core.model import Entry


def supersede(draft: Draft, entry: Entry, change: Change) -> None:
    """Strikes an entry and puts its replacement in: a section's above it, a bullet's below. Raises Refused for a decision
    without a reason."""
    striking.unstruck(entry)
    words = change.words
    day = change.today.isoformat()
    reason = words.get("reason", "")
    shape.words(reason, "reason")
    if entry.kind == "bullet":
        one_line = is_one_line(entry)
        if one_line:
            _reason(entry, reason)
        remark = f"superseded {day}" + (f": {texts.flat(reason)}" if reason.strip() and not one_line else "")
        striking.bullet(draft, entry, remark)
        marker = spans.marker(entry.document.page, entry.start)
        if one_line:
            text = forms.one_line_decision(change.text, words, change.today, marker)
        else:
            text = forms.line(change.text, {**words, "reason": ""}, marker)  # the reason stands with what is struck
        draft.insert(entry.document, entry.end, text, loose=False, entry=True)
        return
    title = words.get("title") or texts.title_of(change.text)
    if entry.role == "do-not-use":
        text = forms.tombstone(title, {**words, "reason": reason or change.text}, change.today)
        if reason and title != texts.flat(change.text).rstrip("."):  # what else was said stays too
            shape.words(change.text, "with")
            text = shape.section(f"{text}\n\n{change.text}", "with")
    elif _is_decision(entry):
        _reason(entry, reason)
        text = forms.decision(title, change.text, words, change.today)
    else:
        shape.words(change.text, "with")
        parts = [forms.heading(title), forms.tagged(change.text, words)]
        parts += [f"{key.capitalize()}:\n{words[key]}" for key in ("reason", "scope", "source") if words.get(key)]
        text = shape.section("\n\n".join(parts), "with")
    striking.section(draft, entry, f'Superseded: {day} by "{texts.flat(title)}"')
    dated = _is_decision(entry) or entry.role == "do-not-use"
    offset = spans.before_sections(entry.document.page).offset if dated else entry.start
    draft.insert(entry.document, min(offset, entry.start), text, loose=True, entry=True)


def is_one_line(entry: Entry) -> bool:
    """Whether it is a decision in the form `- YYYY-MM-DD | text. Reason: text`."""
    return entry.kind == "bullet" and entry.role in ("decisions", "area") and "decision" in entry.fields


def _is_decision(entry: Entry) -> bool:
    return entry.role in ("decisions", "area")


def _reason(entry: Entry, reason: str) -> None:
    if not reason.strip():
        raise Refused(
            "A decision without its reason can't be re-evaluated.", path=entry.path, line=entry.line,
            remedy="Say why the new one holds (--reason).", field="reason",
        )
