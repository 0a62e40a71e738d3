"""Proposals of a prune session as CLI.md's JSON, as a list for people, and as Markdown for a pull request: what each rests on,
what accepting it would come to, its exact diff."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from memdesk.core.checks.secrets import mask
from memdesk.core.lean import NamedTuple
from memdesk.core.prune.proposal import KINDS
from memdesk.tui.inert import cell, inert
from memdesk.tui.report.comment import LONGEST, code, fenced, html

if TYPE_CHECKING:
    from datetime import date

    from memdesk.core.prune.drawn import Drawn
    from memdesk.core.prune.proposal import Proposal


class Listed(NamedTuple):
    """All that is proposed. `overdue`: the cadence is set and the last session is older; `last`: when it ended; `judged`: how
    many were rejected before."""

    shown: Sequence[tuple[Proposal, Drawn]]
    overdue: bool = False
    last: date | None = None
    left: Sequence[str] = ()
    judged: int = 0


def as_json(listed: Listed) -> dict[str, Any]:
    """`memdesk.prune/1`. Beyond the contract: `title`, how many of the entries change, why it can't be carried out, and what
    was not compared."""
    return {
        "schema": "memdesk.prune/1", "overdue": listed.overdue,
        "last_session": None if listed.last is None else listed.last.isoformat(),
        "proposals": [
            {
                "id": proposal.id, "kind": proposal.kind, "exact": proposal.exact, "label": drawn.label,
                "entries": [entry.id for entry in proposal.entries], "paths": [path for path, _ in drawn.diff],
                "frees": dict(drawn.frees), "evidence": "\n".join(proposal.evidence),
                "diff": "".join(diff for _, diff in drawn.diff), "title": proposal.title, "changes": proposal.changes,
                "refused": drawn.refused or None,
            }
            for proposal, drawn in listed.shown
        ],
        "not_compared": list(listed.left), "judged": listed.judged,
    }


def text(listed: Listed) -> str:
    """The proposals by kind: each with its evidence, and its diff behind a bar that no text can pass for a line of our own."""
    return "\n\n".join(
        "\n".join([f"{KINDS[kind]} ({len(several)})", *(row for pair in several for row in _rows(*pair))])
        for kind, several in _kinds(listed.shown)
    )


def _rows(proposal: Proposal, drawn: Drawn) -> Iterator[str]:
    yield f"  {proposal.id}  {_exact(proposal)}  {cell(drawn.label)}"
    yield from (f"    {cell(evidence)}" for evidence in proposal.evidence)
    if drawn.refused:
        yield f"    Can't be carried out: {cell(mask(drawn.refused))}"
    for _, diff in drawn.diff:
        yield from (f"    │ {row}".rstrip() for row in inert(diff).rstrip("\n").split("\n"))


def markdown(listed: Listed) -> str:
    """A report by kind, the diffs folded. All outside text stands in code, where nothing of it is read as Markdown or HTML, and
    no host makes a mention, a reference or an address of it; values are masked, in the diffs too. What doesn't fit into a
    comment is left out whole, and counted."""
    parts = [_head(listed)]
    room = LONGEST - len(parts[0]) - sum(len(row) + 10 for row in listed.left)
    made, unlisted, folded = _fitting(listed.shown, room)
    for kind, several in _kinds([pair for pair in listed.shown if pair[0].id in made]):
        parts.append(f"### {KINDS[kind]} ({len(several)}, {_exact(several[0][0])})")
        parts += (made[proposal.id] for proposal, _ in several)
    if unlisted or folded:
        gone = [_count(unlisted, "proposal", "proposals")] if unlisted else []
        gone += [f"the diffs of {_count(folded, 'proposal', 'proposals')}"] if folded else []
        parts.append(f"Left out, so that this fits into a comment: {' and '.join(gone)}. `memdesk prune` prints all of it.")
    if listed.left:
        parts.append("Not compared:\n\n" + "\n".join(f"- {code(mask(row))}" for row in listed.left))
    return "\n\n".join(parts) + "\n"


def _fitting(shown: Sequence[tuple[Proposal, Drawn]], room: int) -> tuple[dict[str, str], int, int]:
    """Proposals by their id as far as there is room: each without its diffs first, then with them. How many are left out, and
    the diffs of how many."""
    made: dict[str, str] = {}
    for pair in shown:
        short = _folded(*pair, False)
        if len(short) + 2 > room:
            break
        room -= len(short) + 2
        made[pair[0].id] = short
    folded = 0
    for pair in shown:
        if pair[0].id in made and pair[1].diff:
            whole = _folded(*pair, True)
            more = len(whole) - len(made[pair[0].id])
            if more > room:
                folded += 1
            else:
                room -= more
                made[pair[0].id] = whole
    return made, len(shown) - len(made), folded


def _head(listed: Listed) -> str:
    count = len(listed.shown)
    said = f"{_count(count, 'proposal', 'proposals')}; nothing was changed." if count else "Nothing is proposed."
    if listed.judged:
        said += f" {listed.judged} rejected before and left out."
    when = "none is on record" if listed.last is None else f"the last one ended on {listed.last.isoformat()}"
    due = f"**A prune session is overdue**: {when}." if listed.overdue else f"Prune sessions: {when}."
    return f"## Prune\n\n{said} {due}"


def _folded(proposal: Proposal, drawn: Drawn, whole: bool) -> str:
    """One proposal; `whole`: with its diffs. A summary is HTML, where Markdown is not read."""
    logs = frozenset() if drawn.plan is None else drawn.plan.log_only  # a session counts no log either
    freed = sum(count for path, count in drawn.frees.items() if path not in logs)
    facts = [f"`{proposal.id}`", _exact(proposal)] + ([f"frees {freed} tokens"] if freed > 0 else [])
    rows = [f"<details>\n<summary>{html(mask(drawn.label))}</summary>", " · ".join(facts)]
    rows.append("\n".join(f"- {code(evidence)}" for evidence in proposal.evidence))
    if drawn.refused:
        rows.append(f"Can't be carried out: {code(mask(drawn.refused))}")
    for _, diff in drawn.diff if whole else ():
        rows.append(fenced(mask(diff), "diff"))
    return "\n\n".join([*(row for row in rows if row), "</details>"])


def _count(number: int, one: str, several: str) -> str:
    return f"{number} {one if number == 1 else several}"


def _kinds(shown: Sequence[tuple[Proposal, Drawn]]) -> Iterator[tuple[str, list[tuple[Proposal, Drawn]]]]:
    """By kind, in their order."""
    for kind in KINDS:
        several = [pair for pair in shown if pair[0].kind == kind]
        if several:
            yield kind, several


def _exact(proposal: Proposal) -> str:
    return "exact" if proposal.exact else "possible"
