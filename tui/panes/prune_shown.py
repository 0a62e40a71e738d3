"""What the Prune pane says beside its list: a proposal in full, and above both how the session and the scan stand. No widget
here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from memdesk.core.lean import NamedTuple
from memdesk.core.prune.ending import freed_words
from memdesk.core.prune.proposal import EXACT, KINDS
from memdesk.core.prune.session import ACCEPTED, REJECTED, SNOOZED
from memdesk.tui.panes.prune_rows import LEFT, STATES, Case
from memdesk.tui.widgets.diffview import budget_line, diff_lines
from memdesk.tui.widgets.paint import Piece
from memdesk.tui.widgets.reading import Para, rule
from memdesk.tui.widgets.tally import Line, bar

if TYPE_CHECKING:
    from memdesk.core.model import Entry
    from memdesk.core.prune.drawn import Drawn
    from memdesk.core.prune.session import Session
    from memdesk.tui.panes.prune_looks import Found

BAR = 12


class Progress(NamedTuple):
    """How far a scan is: the kind that is looked at, and how much of it."""

    kind: str
    done: int
    total: int


def reading(case: Case, drawn: Drawn | None, chosen: Entry | None, near: float, trouble: str = "") -> list[Para]:
    """A proposal in full: what it is, what speaks for it, what accepting it would write. `drawn` None: not known yet, or with
    `trouble` why it can't be. `chosen`: the entry that open, copy and history speak of."""
    glyph, role, word = STATES[case.state]
    if case.kind == LEFT:
        return [Para((Piece(f"{glyph} {word}", role),)), Para(), Para((Piece(case.title),))]
    sort = "exact" if case.exact else "possible"
    head = [Piece(f"{glyph} {word}", role)]
    if case.state != sort:
        head.append(Piece(f" · {sort}"))
    head += [Piece(f" · {KINDS.get(case.kind, case.kind)}"), Piece(f" · {case.word}" if case.word else "", "strong")]
    lines = [Para(tuple(head), hang=2)]
    if case.stale:
        lines.append(Para((Piece("~ ", "warn"), Piece(case.stale, "strong")), hang=2))
    proposal = case.proposal
    if proposal is None:
        return lines
    if case.open:
        lines += _consequence(drawn, near, trouble)
    if proposal.evidence:
        lines += [Para(), rule("what speaks for it")]
        lines += [Para((Piece("· ", "dim"), Piece(line)), hang=2) for line in proposal.evidence]
    several = len(proposal.entries) > 1
    lines += [Para(), rule("entries")] if several else []
    for number, entry in enumerate(proposal.entries if several else ()):
        here = entry is chosen
        what = "" if number < proposal.changes else "  stays"
        mark = Piece("▸\u00a0" if here else "\u00a0\u00a0", "accent")
        lines.append(Para((mark, Piece(f"{entry.path}:{entry.line}", "strong" if here else ""), Piece(what, "dim")), hang=2))
    if case.open and drawn is not None:
        for path, diff in drawn.diff:
            lines += [Para(), *diff_lines(path, diff)]
    return lines


def _consequence(drawn: Drawn | None, near: float, trouble: str) -> list[Para]:
    """What accepting it comes to: its label, the meters before and after, what it frees, what it warns of."""
    if trouble:
        return [Para((Piece("✕ ", "bad"), Piece(trouble, "strong")), hang=2)]
    if drawn is None:
        return [Para((Piece("⋯ making the diff", "dim"),))]
    if drawn.refused:
        return [Para((Piece("✕ ", "bad"), Piece(f"Not now: {drawn.refused}", "strong")), hang=2)]
    lines = [Para((Piece("→ ", "accent"), Piece(drawn.label, "strong")), hang=2)]
    plan = drawn.plan
    if plan is not None:
        lines += [Para((Piece("! ", "warn"), Piece(warning)), hang=2) for warning in plan.warnings]
        lines += [budget_line(change, near) for change in plan.budgets]
    lines += [Para((Piece(freed(drawn.frees), "dim"),))] if drawn.frees else []
    return lines


def freed(frees: Mapping[str, int]) -> str:
    """What is freed, by file: `frees 272 tokens: decisions.md 272`; what grows stands apart."""
    less = {path: count for path, count in frees.items() if count > 0}
    more = {path: -count for path, count in frees.items() if count < 0}
    parts = [
        f"{word} {_tokens(sum(found.values()))}: {', '.join(f'{_name(path)} {count}' for path, count in found.items())}"
        for word, found in (("frees", less), ("adds", more)) if found
    ]
    return " · ".join(parts)


def session_line(session: Session, left: int, begun: str) -> Line:
    """How the session stands: since when, what was decided, what is left, what it freed. `begun`: local time."""
    counts = {said: len(session.of(said)) for said in (ACCEPTED, REJECTED, SNOOZED)}
    freed = sum(session.frees.values())
    long = [Piece(f"Session of {begun}" if begun else "No session yet: the first verdict begins one", "strong")]
    short = [Piece(begun[5:], "strong")] if begun else []
    for said, count in counts.items():
        glyph, role, word = STATES[said]
        if count:
            long += [Piece(" · ", "dim"), Piece(f"{glyph} ", role), Piece(f"{count} {word}")]
            short += [Piece(f" {glyph}", role), Piece(str(count))]
    long += [Piece(" · ", "dim"), Piece(f"{left} left")]
    short += [Piece(f" {left} left")]
    if freed:
        words, role = freed_words(freed), "good" if freed > 0 else ""
        long += [Piece(" · ", "dim"), Piece(words, role)]
        short += [Piece(f" {words}", role)]
    return [long, short]


def progress_line(at: Progress) -> Line:
    """A scan under way."""
    what = KINDS.get(at.kind, at.kind)
    count = f"{at.done}/{at.total}" if at.total else ""
    lead = [Piece("⋯ ", "warn"), Piece(f"looking: {what}"), Piece(f"  {count} " if count else " ")]
    stop = [Piece(" Esc", "key"), Piece(" stops", "dim")]
    return [[*lead, *bar(at.done, at.total, BAR), *stop], [*lead, *stop], [Piece("⋯ ", "warn"), Piece(f"{what} {count}")]]


def note_line(glyph: str, role: str, words: str, short: str = "") -> Line:
    """A note of one line."""
    return [[Piece(f"{glyph} ", role), Piece(words)], [Piece(f"{glyph} ", role), Piece(short or words)]]


def notes(found: Found | None, again: str, show: str, *, stopped: bool, failed: bool) -> list[Line]:
    """What is to be known of a scan that ended: that it was stopped, or failed, or what it left out. `again`,
    `show`: the keys that look again, and that show all."""
    if stopped:
        whole = ": not all of it was looked at" if found is not None and found.cases else ""
        return [note_line("!", "warn", f"Stopped{whole}. {again} looks again.")]
    if found is None:
        return []
    if failed:
        return [note_line("✕", "bad", f"Not looked through again; this is older than the files. {again} tries again.")]
    if found.not_compared:
        count = len(found.not_compared)
        words = f"{count} left out ({show} shows {'it' if count == 1 else 'them'})"
        return [note_line("!", "warn", f"{words}: {found.not_compared[0]}")]
    return []


def nothing(words: str, keys: Sequence[str], *, stopped: bool, decided: bool, judged: int) -> str:
    """What stands in the place of an empty list. `words`: where there never was anything; `keys`: those that look again, end
    the session, and show what was decided."""
    again, end, show = keys
    if stopped:
        return f"Stopped before anything was found.\n\n{again} looks again."
    if decided:
        words = f"✓ All is decided.\n\n{end} ends the session with its report, {show} shows what was decided."
    return words + (f"\n\n{judged} rejected before: not shown until a text changes." if judged else "")


def further(decided: int, left: int) -> str:
    """What was put behind the list, which may lie below what is seen. `left`: what the scan left out."""
    some = [f"{decided} decided"] * bool(decided) + [f"{left} left out"] * bool(left)
    return f"Below the list: {', '.join(some)}." if some else "Nothing was decided or left out yet."


def together(case: Case) -> str:
    """Why the proposals of this one's kind can't be accepted together, or ""."""
    return "" if case.kind in EXACT else "Only exact kinds are accepted together: look at each of these by itself."


def _tokens(count: int) -> str:
    return f"{count} token{'' if count == 1 else 's'}"


def _name(path: str) -> str:
    return path.rsplit("/", 1)[-1]

