"""What a complete entry says apart from its form, and how another text is worked into it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from memdesk.core import fields
from memdesk.core.layouts.base import Said
from memdesk.core.layouts.custodian import places
from memdesk.core.layouts.custodian import scopes as plain_scopes
from memdesk.core.layouts.custodian.complete import evidence, kinds, rendering
from memdesk.core.layouts.custodian.complete.vouching import REQUIRES
from memdesk.core.layouts.custodian.entries import BODIES
from memdesk.core.layouts.texts import flat

if TYPE_CHECKING:
    from memdesk.core.model import Entry


def said(entry: Entry) -> Said:
    """Title, text and what it says of itself: reason, scope, kind, subject, facet, and of its evidence what admits an entry;
    what only let a candidate wait stays behind, as a tag does. An entry without an id says what it says elsewhere."""
    if not entry.fields.get("id"):
        return places.said(entry)
    found = entry.fields
    words = {name: found[name] for name in ("reason", "scope", "subject", "facet") if found.get(name)}
    for name in ("subject", "facet"):
        if found.get(f"provisional-{name}"):
            words[name] = found[f"provisional-{name}"]
    if found.get("for"):
        words["kind"] = found["for"]
    items = evidence.admitting(evidence.own(entry))
    if items:
        words["evidence"] = "\n".join(items)
    elif entry.source:
        words["source"] = entry.source
    if entry.candidate and found.get("promotion-requirement"):
        words[REQUIRES] = found["promotion-requirement"]
    title = found.get("title") or entry.heading
    return Said(title, text(entry) or title, words)


def text(entry: Entry) -> str:
    """The body of an entry with an id, without its tag; its other text where it has none."""
    found = entry.fields
    bodies = dict.fromkeys(rendering.unmoved(found[name]) for name in ("", *BODIES) if found.get(name))
    return fields.split_tag("\n\n".join(bodies))[1]


def merged(into: Entry, more: str) -> str:
    """An entry's text with another at the end of its body, as a first draft for the editor."""
    kind = kinds.of_entry(into)
    if kind is None:
        return places.merged(into, more)
    if flat(text(into)).casefold() == flat(more).casefold():
        return into.text
    rows = into.text.split("\n")
    seen = rendering.shown(rows)
    start = next((at for at, row in enumerate(rows) if seen[at] and _labels(row, kind.label)), None)
    if start is None:
        return f"{into.text}\n\n{rendering.body(more)}"
    stop = next((at for at in range(start + 1, len(rows)) if seen[at] and rendering.label_of(rows[at])), len(rows))
    head, tail = "\n".join(rows[:stop]).rstrip("\n"), "\n".join(rows[stop:])
    return f"{head}\n\n{rendering.body(more)}" + (f"\n\n{tail}" if tail else "")


def grounded(into: Entry, text: str, candidates: Sequence[Entry]) -> str:
    """A merged text with the evidence of the candidates behind the entry's own, of which each item stands once. What says the
    same leaves the entry as it is."""
    own = evidence.own(into)
    more = [item for one in candidates if one.fields.get("id") for item in evidence.admitting(evidence.own(one))]
    more = [item for item in dict.fromkeys(more) if item not in own]
    rows = text.split("\n")
    seen = rendering.shown(rows)
    start = next((at for at, row in enumerate(rows) if seen[at] and _labels(row, "Evidence")), None)
    if text == into.text or not more or start is None:
        return text
    stop = start + 1
    while stop < len(rows) and rows[stop].startswith("- "):
        stop += 1
    return "\n".join([*rows[:stop], *(f"- {item}" for item in more), *rows[stop:]])


def scoped(entry: Entry, scope: str) -> str:
    """An entry's text with a scope below its status; "" where it names one."""
    if not entry.fields.get("id"):
        return plain_scopes.scoped(entry, scope)
    if entry.fields.get("scope"):
        return ""
    rows = entry.text.split("\n")
    at = next((number for number, row in enumerate(rows) if _labels(row, "Status")), None)
    return "" if at is None else "\n".join([*rows[: at + 1], f"Scope: {scope}", *rows[at + 1 :]])


def _labels(row: str, label: str) -> bool:
    return rendering.label_of(row) == label.casefold()
