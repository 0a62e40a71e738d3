"""A recall as CLI.md's JSON, and as the text that agents get and the workbench shows.

Every text in it is whole and exact, under a header of our own with path and line. The header's bar is longer than any that
a returned text has at the start of a line, so that no text can pass for a header.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from memdesk.core import layouts, ranking
from memdesk.core.checks.secrets import heading, mask
from memdesk.core.recall import asked
from memdesk.tui.inert import cell, inert

if TYPE_CHECKING:
    from collections.abc import Iterable

    from memdesk.core.layouts.base import Version
    from memdesk.core.model import Entry
    from memdesk.core.recall import Recall

WIDTH = 80  # code points of a text that is only named
SHOWN = 20  # conflicts that are told of one by one, exact ones first


def as_json(recall: Recall) -> dict[str, Any]:
    """`memdesk.recall/1`."""
    return {
        "schema": "memdesk.recall/1", "query": recall.query, "standing": list(recall.standing),
        "scope": {name: value or None for name, value in zip(("feature", "task_id", "phase"), recall.within, strict=True)},
        "conflicts": [
            {
                "id": clash.id, "kind": clash.kind, "exact": clash.exact, "reason": mask(clash.reason),
                "entries": [entry.id for entry in clash.entries],
            }
            for clash in recall.conflicts
        ],
        "binding": [_place(entry) | {"id": entry.id, "kind": ranking.kind(entry)} for entry in recall.binding],
        "sources": [
            _place(source.entry) | {
                "id": source.entry.id, "layout": source.entry.layout, "kind": ranking.kind(source.entry),
                "tag": source.entry.tag, "date": source.entry.date, "timestamp": timestamp(source.entry),
                "under": [cell(mask(title)) for title in source.entry.heading_path], "source": source.entry.source,
                "freshness": source.freshness, "struck": source.entry.struck, "text": source.entry.text,
                "history": [{"line": past.line, "text": past.text, "date": past.date} for past in source.history],
            }
            for source in recall.sources
        ],
        "left_out": [
            _place(item.entry) | {"chars": item.chars, "reason": item.reason} for item in recall.left_out
        ],
        "more": recall.more,
    }


def text(recall: Recall) -> str:
    """The recall for agents and people: standing lines, conflicts, what binds, the sources, what was left out."""
    parts = list(recall.standing)
    scope = [
        f"{name} {cell(value)}" for name, value in zip(("feature", "task", "phase"), recall.within, strict=True) if value
    ]
    if scope:
        others = ": what is of other features is left out" if recall.within.feature else ""
        parts.append(f"Asked from {', '.join(scope)}{others}.")
    if not recall.found:
        words = ", ".join(cell(word) for word in asked(recall.query))
        return "\n\n".join([*parts, f"Nothing in memory holds a word of this query ({words})."]) + "\n"
    for clash in recall.conflicts[:SHOWN]:
        wins = [weight.wins for weight in clash.weights()]
        sides = [f"- {_side(side, won)}" for side, won in zip(clash.sides, wins, strict=True)]
        kind = "CONFLICT" if clash.exact else "POSSIBLE CONFLICT"
        verdict = "" if any(wins) else " None outranks another: a person must settle which holds."
        parts.append("\n".join([f"{kind}: {cell(mask(clash.reason))}.{verdict}", *sides]))
    if len(recall.conflicts) > SHOWN:
        parts.append(f"And {len(recall.conflicts) - SHOWN} more conflicts: memdesk conflicts.")
    if recall.binding:
        named = [f"- {_where(entry)} · {ranking.rank(entry).name}: {_heading(entry)}" for entry in recall.binding]
        parts.append("\n".join(["BINDING, though not returned below:", *named]))
    bar = _bar(recall)
    for source in recall.sources:
        for past in source.history:
            date = f" · {past.date}" if past.date else ""
            parts.append(f"{bar} {_where(past)} · struck{date} · history of line {source.entry.line} {bar}")
            parts.append(past.text)
        parts += [f"{bar} {_header(source.entry, source.freshness)} {bar}", source.entry.text]
    if not recall.sources:
        parts.append("No source is returned: none fits the bounds whole.")
    if recall.left_out:
        named = [
            f"- {_where(item.entry)} · {item.chars} characters · {item.reason}: {_heading(item.entry)}"
            for item in recall.left_out
        ]
        named += [f"- and {recall.more} more, all of them worse matches"] if recall.more else []
        parts.append("\n".join([f"LEFT OUT ({len(recall.left_out) + recall.more}):", *named]))
    return "\n\n".join(parts) + "\n"


def exact(recall: Recall) -> Iterable[tuple[str, str]]:
    """The (path, text) pairs that are printed as they are."""
    for source in recall.sources:
        for entry in (*source.history, source.entry):
            yield entry.path, entry.text


def timestamp(entry: Entry) -> str | None:
    """When an entry was written, as exactly as is known: an instant in UTC where its date is only that of a file whose name
    says more, else its date."""
    stamp = entry.fields.get("stamp", "")
    return stamp if entry.date and stamp.startswith(entry.date) else entry.date


def headers(recall: Recall, whole: str) -> frozenset[str]:
    """The lines of its text (`whole`) that are headers of our own: no line of a returned text begins with their bar."""
    bar = _bar(recall)
    return frozenset(line for line in whole.split("\n") if line.startswith(bar + " "))


def _bar(recall: Recall) -> str:
    return "=" * max(5, 1 + max((len(run) for _, body in exact(recall) for run in _BAR.findall(body)), default=0))


def _header(entry: Entry, freshness: str) -> str:
    tag = f"[{entry.tag}]" if entry.tag else "untagged"
    state = _ended(entry) if entry.struck else freshness
    source = f" · from {cell(entry.source)}" if entry.source else ""
    section = layouts.get(entry.layout).scope_of(entry).section
    under = f" · under {named(section)}" if section else ""
    moment = timestamp(entry) or "undated"
    return f"{_where(entry)}{under} · {ranking.rank(entry).name} · {tag} · {moment} · {state}{source}"


def _ended(entry: Entry) -> str:
    """How an entry that counts no more ended: a record says what came in its place, by number or by its file."""
    if entry.status is None:
        return "struck, nothing came in its place"
    width = len(entry.fields.get("number", ""))
    said = [target for kind, target in entry.relations if kind == "superseded-by"]
    after = [f"ADR-{target.zfill(width)}" if target.isdigit() else target for target in said]
    return cell(f"{entry.status} by {', '.join(after)}" if after else entry.status)


def _side(side: Version, wins: bool) -> str:
    entry = side.entry
    tag = f" · [{entry.tag}]" if entry.tag else ""
    date = f" · {entry.date}" if entry.date else ""
    mark = " · outranks the rest" if wins else ""
    return f"{cell(entry.path)}:{side.line} · {ranking.rank(entry).name}{tag}{date}{mark}: {named(side.text)}"


def named(body: str) -> str:
    """A text on one line, masked and cut: to name it, not to hold it."""
    line = " ".join(mask(inert(body)).split())
    return line if len(line) <= WIDTH else line[: WIDTH - 1] + "…"


def _place(entry: Entry) -> dict[str, Any]:
    return {"path": entry.path, "line": entry.line, "heading": heading(entry)}


def _where(entry: Entry) -> str:
    return f"{cell(entry.path)}:{entry.line}"


def _heading(entry: Entry) -> str:
    return cell(heading(entry))


_BAR = re.compile(r"^={5,}(?= )", re.MULTILINE)
