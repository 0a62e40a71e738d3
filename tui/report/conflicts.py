"""Conflicts as CLI.md's JSON, as a list for people, and as Markdown: sides whole, their ranks, and how each can be settled."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from memdesk.core import ranking
from memdesk.core.checks.secrets import mask
from memdesk.core.lean import NamedTuple
from memdesk.tui.inert import cell, inert, literal

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from memdesk.core.conflicts import Conflict
    from memdesk.core.judgments import Judgment
    from memdesk.core.layouts.base import Version
    from memdesk.core.ranking import Weight
    from memdesk.core.settling import Choice


class Shown(NamedTuple):
    """A conflict with what a person decided about it, if anything, and the ways to settle it."""

    conflict: Conflict
    judgment: Judgment | None = None
    choices: Sequence[Choice] = ()


def as_json(found: Sequence[Shown], left: Sequence[str] = ()) -> dict[str, Any]:
    """`memdesk.conflicts/1`. `line` and `text` are those that clash: of versions inside one entry, each its own. `left`: what
    was not compared, in sentences."""
    return {"schema": "memdesk.conflicts/1", "conflicts": [
        {
            "id": clash.id, "kind": clash.kind, "exact": clash.exact, "reason": mask(clash.reason),
            "dismissed": judgment is not None, "judgment": None if judgment is None else {
                "reason": mask(judgment.reason), "by": judgment.by, "date": judgment.date,
            },
            "entries": [
                {
                    "id": side.entry.id, "layout": side.entry.layout, "path": side.entry.path, "line": side.line,
                    "text": mask(side.text), "tag": side.entry.tag, "date": side.entry.date,
                    "rank": weight.rank.level, "wins": weight.wins, "why": weight.why,
                }
                for side, weight in _sides(clash)
            ],
            "choices": [
                {
                    "key": choice.key, "label": mask(choice.label), "consequence": mask(choice.consequence),
                    "verb": choice.verb, "ids": list(choice.ids), "possible": choice.possible, "why_not": mask(choice.why_not),
                }
                for choice in choices
            ],
        }
        for clash, judgment, choices in found
    ], "not_compared": list(left)}


def text(found: Sequence[Shown]) -> str:
    """Each conflict with its sides whole, behind a bar that no text can pass for a line of our own; then the choices."""
    return "\n\n".join("\n".join(_lines(one)) for one in found)


def _lines(one: Shown) -> Iterator[str]:
    clash, judgment, choices = one
    yield "  ".join((clash.id, clash.kind, _exact(clash), cell(mask(clash.reason))))
    if judgment is not None:
        yield f"  dismissed by {cell(judgment.by)} on {cell(judgment.date)}: {cell(mask(judgment.reason))}"
    for side, weight in _sides(clash):
        yield f"  {cell(side.entry.path)}:{side.line}{_facts(side)}{' · WINS' if weight.wins else ''}"
        yield f"    {cell(weight.why)}"
        for row in inert(mask(side.text)).split("\n"):
            yield f"    │ {row}".rstrip()
    for choice in choices:
        yield f"  {choice.key}: {cell(mask(choice.label))}"
        yield f"    {_outcome(choice)}"


def markdown(found: Sequence[Shown], hidden: int = 0, left: Sequence[str] = ()) -> str:
    """A section for each conflict with its sides whole, in fences that no text can close. `hidden`: dismissed ones that are
    not among them. `left`: what was not compared, in sentences."""
    dismissed = sum(one.judgment is not None for one in found)
    count = f"{len(found)} found" if found else "None"
    if hidden:
        count += f"; {hidden} dismissed and left out" if found else f" but {hidden} dismissed"
    elif found:
        count += f"; {dismissed} of them dismissed" if dismissed else "; none is dismissed"
    parts = ["## Conflicts", f"{count}."]
    for clash, judgment, choices in found:
        parts.append(f"### {_plain(clash.reason)}\n\n`{clash.id}` · {clash.kind} · {_exact(clash)}")
        if judgment is not None:
            parts.append(f"Dismissed by {_plain(judgment.by)} on {_plain(judgment.date)}: {_plain(judgment.reason)}")
        for side, weight in _sides(clash):
            body = inert(mask(side.text))
            fence = "`" * max(3, 1 + max(map(len, re.findall("`+", body)), default=0))
            win = " · **wins**" if weight.wins else ""
            parts.append(f"- {_plain(f'{side.entry.path}:{side.line}')}{_facts(side)}{win} ({_plain(weight.why)})")
            parts.append("\n".join("  " + line for line in (f"{fence}markdown", *body.split("\n"), fence)))
        if choices:
            rows = [f"- **{choice.key}**: {_plain(choice.label)}. {_plain(_outcome(choice))}" for choice in choices]
            parts.append("To settle it:\n\n" + "\n".join(rows))
    parts += [f"Not compared: {_plain(sentence)}" for sentence in left]
    return "\n\n".join(parts) + "\n"


def _sides(clash: Conflict) -> Iterator[tuple[Version, Weight]]:
    yield from zip(clash.sides, clash.weights(), strict=True)


def _exact(clash: Conflict) -> str:
    return "exact" if clash.exact else "possible"


def _facts(side: Version) -> str:
    entry = side.entry
    parts = (ranking.rank(entry).name, f"[{entry.tag}]" if entry.tag else "", entry.date)
    return "".join(f" · {cell(part)}" for part in parts if part)


def _outcome(choice: Choice) -> str:
    return cell(mask(choice.consequence if choice.possible else f"Not possible: {choice.why_not}"))


def _plain(value: str) -> str:
    """Outside text on one line in which Markdown has nothing to say."""
    return literal(cell(mask(value)))
