"""An entry as the reading pane shows it: where it is, the whole text, what speaks for it, and what is near it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from memdesk.core.checks.secrets import heading, mask
from memdesk.tui import text
from memdesk.tui.widgets.paint import Piece
from memdesk.tui.widgets.reading import Para, markdown, rule

if TYPE_CHECKING:
    from memdesk.core.model import Entry
    from memdesk.core.near import Match


def entry_lines(
    entry: Entry, age: str = "", near: Sequence[Match] | None = None, highlight: Sequence[str] = (),
    holds: Sequence[str] = (), opposed: str = "",
) -> list[Para]:
    """The lines of an entry. `near` None: not looked for yet. `holds`: the kinds of secrets and example values in it;
    `opposed`: why it would be in conflict if it held."""
    from memdesk.core.tokens import count

    facts = [f"{entry.path}:{entry.line}"]
    if entry.tag:
        facts.append(entry.tag)
    if entry.date:
        facts.append(f"added {entry.date}" + (f" ({age} ago)" if age and age != "soon" else ""))
    if entry.source:
        facts.append(f"from {entry.source}")
    if entry.struck:
        facts.append("struck")
    facts.append(f"{count(entry.text)} tokens")
    lines = [Para((Piece(" · ".join(facts), "dim"),)), Para()]
    if entry.document.problem is not None:
        problem = entry.document.problem
        lines[1:1] = [Para((Piece("! read-only: ", "warn"), Piece(problem.message)))]
    if holds:
        lines[1:1] = [Para((Piece("◈ holds ", "bad"), Piece(", ".join(holds) + ": it can't be promoted like this.")), hang=2)]
    if opposed:
        lines[1:1] = [Para((Piece("✕ conflict ", "bad"), Piece(f"if it held: {opposed}.")), hang=2)]
    lines += markdown(entry.text, highlight)
    if near:
        lines += [Para(), rule("near")]
        for match in near:
            role = {"equal": "warn", "tombstone": "bad"}.get(match.kind, "dim")
            glyph = {"equal": "=", "tombstone": "⚑"}.get(match.kind, "≈")
            where = f"{match.entry.path.rsplit('/', 1)[-1]}:{match.entry.line}"
            lines.append(
                Para(
                    (Piece(f"{glyph} {match.kind:<9} ", role), Piece(f"{where}  ", "dim"), Piece(heading(match.entry))), hang=12
                )
            )
    return lines


def title(entry: Entry) -> str:
    """An entry's heading without the tag that has a column of its own and without an id before its title, secrets and example
    values masked. An entry without one is named by its text as it stands."""
    own = entry.fields.get("title", "") if entry.fields.get("id") else ""
    if own and entry.heading.endswith(own):
        return text.line(mask(own))
    named = text.line(heading(entry).removeprefix(f"[{entry.tag}] ") if entry.tag else heading(entry))
    return named or text.line(mask(entry.text)[:200])
