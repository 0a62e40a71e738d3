"""Conflicts as CLI.md's JSON, as a list for people, and as Markdown."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from memdesk.core import ranking
from memdesk.core.checks.secrets import mask
from memdesk.tui.inert import cell, inert
from memdesk.tui.report.recall import named

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from memdesk.core.conflicts import Conflict
    from memdesk.core.layouts.base import Version


def as_json(found: Sequence[Conflict]) -> dict[str, Any]:
    """`memdesk.conflicts/1`. `line` and `text` are those that clash: of versions inside one entry, each its own."""
    return {"schema": "memdesk.conflicts/1", "conflicts": [
        {
            "id": clash.id, "kind": clash.kind, "exact": clash.exact, "reason": mask(clash.reason), "dismissed": False,
            "entries": [
                {
                    "id": side.entry.id, "layout": side.entry.layout, "path": side.entry.path, "line": side.line,
                    "text": mask(side.text), "tag": side.entry.tag, "date": side.entry.date,
                    "rank": ranking.rank(side.entry).level, "wins": wins,
                }
                for side, wins in _sides(clash)
            ],
        }
        for clash in found
    ]}


def lines(found: Sequence[Conflict]) -> Iterator[tuple[str, ...]]:
    """A row for each conflict, and below it one for each side."""
    for clash in found:
        yield clash.id, clash.kind, "exact" if clash.exact else "possible", mask(clash.reason)
        for side, wins in _sides(clash):
            yield f"    {side.entry.path}:{side.line}", _facts(side), "wins" if wins else "", named(side.text)


def markdown(found: Sequence[Conflict]) -> str:
    """A section for each conflict with its sides whole, in fences that no text can close."""
    parts = ["## Conflicts", f"{len(found)} found; none is dismissed." if found else "None."]
    for clash in found:
        kind = "exact" if clash.exact else "possible"
        parts.append(f"### {_plain(clash.reason)}\n\n`{clash.id}` · {clash.kind} · {kind}")
        for side, wins in _sides(clash):
            body = inert(mask(side.text))
            fence = "`" * max(3, 1 + max(map(len, re.findall("`+", body)), default=0))
            win = " · **wins**" if wins else ""
            parts.append(f"- {_plain(f'{side.entry.path}:{side.line}')} · {_facts(side)}{win}")
            parts.append("\n".join("  " + line for line in (f"{fence}markdown", *body.split("\n"), fence)))
    return "\n\n".join(parts) + "\n"


def _sides(clash: Conflict) -> Iterator[tuple[Version, bool]]:
    yield from zip(clash.sides, ranking.winners([side.entry for side in clash.sides]), strict=True)


def _facts(side: Version) -> str:
    entry = side.entry
    return " · ".join(part for part in (ranking.rank(entry).name, f"[{entry.tag}]" if entry.tag else "", entry.date) if part)


def _plain(value: str) -> str:
    """Outside text on one line in which Markdown has nothing to say."""
    return "".join(f"\\{char}" if char in "\\`*_{}[]<>#|~&" else char for char in cell(mask(value)))
