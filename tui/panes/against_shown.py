"""What stands beside the lists of what differs: a task in short, or one change in full, before and after. No widget here."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from memdesk.core.lean import NamedTuple
from memdesk.tui import wordiff
from memdesk.tui.panes import against_rows as rows
from memdesk.tui.panes.against_found import LEFT
from memdesk.tui.panes.against_rows import EntryRow, FileRow, SaidRow
from memdesk.tui.widgets.paint import Piece
from memdesk.tui.widgets.reading import Para, markdown, rule
from memdesk.tui.widgets.sides import Side, mark, plain

if TYPE_CHECKING:
    from memdesk.core.packdiff import Difference
    from memdesk.tui.panes.against_found import Found

DIFFERS = "differs"
ACROSS = Para(rule=True)
WHOLE = 12  # changes that stand in full below what is said of a task: more take a key longer than a frame


class Shown(NamedTuple):
    """What the reading pane shows: lines, then texts beside each other; `stacked` where there is no room for that."""

    above: tuple[Para, ...]
    sides: tuple[Side, ...] = ()
    stacked: tuple[Para, ...] = ()


def summary(one: Difference, found: Found, items: Sequence[object], key: str) -> list[Para]:
    """A task: how much its pack gains and loses, what it says of itself, what to know before it is believed; and the first of
    the changes in full. `items`: those of its account; `key`: that of another base."""
    base, made = found.base, found.made
    assert base is not None
    assert made is not None
    lines = [Para((Piece(base.words, "strong"), Piece(" → the working tree", "dim")), hang=2)]
    alone = f" {base.name}{LEFT} compares with where this left it." if made.gone_on else ""
    lines += [Para((Piece("! ", "warn"), Piece(words + alone)), hang=2) for words in made.warnings]
    lines.append(Para())
    by = one.tokens_after - one.tokens_before
    size = f"{one.tokens_before} → {one.tokens_after} tokens ({by:+d})" if by else f"{one.tokens_after} tokens, as before"
    lines.append(Para((Piece(one.module or one.task, "heading"), Piece(f"  {size}")), hang=2))
    for kind, number in rows.counts(one):
        lines.append(Para((Piece(f"{kind.sign} ", kind.role), Piece(f"{number} {kind.word}", kind.role)), hang=2))
    if one.empty and not one.failures:
        lines.append(Para((Piece("= ", "good"), Piece(f"An agent reads the same for it as at {base.name}.")), hang=2))
        if all(other.empty and not other.failures for other in made.differences):
            lines += [Para(), Para((Piece(
                f"No task and no module reads otherwise. {key} compares with another revision, such as HEAD~1 or a tag."
            ),))]
    for word, paths in (("loads now", one.files_added), ("no longer loads", one.files_removed)):
        lines += [Para((Piece(f"{word}: ", "strong"), Piece(path)), hang=2) for path in paths]
    said = [item for item in items if isinstance(item, SaidRow)]
    if said:
        lines += [Para(), rule("of the pack as a whole"), *(_said(item) for item in said)]
    entries = [item for item in items if isinstance(item, EntryRow)]
    for item in entries[:WHOLE]:
        bodies = texts(item)
        short = not wordiff.long([plain(paras) for paras in bodies])
        whole = entry(item, base.name, bodies, spans_of(bodies) if short else None)
        head, *rest = whole.stacked or whole.above
        lines += [Para(), rule("".join(piece.text for piece in head.pieces), "heading"), *rest]
    if len(entries) > WHOLE:
        lines += [Para(), Para((Piece(f"{len(entries) - WHOLE} more: the account lists all.", "dim"),))]
    return lines


def _said(item: SaidRow) -> Para:
    return Para((Piece(f"{item.sign} {item.word} · ", item.role), Piece(item.words)), hang=2)


def texts(item: EntryRow) -> list[list[Para]]:
    """The lines of what is compared: of a changed entry before and after."""
    if item.kind == "changed" and item.before is not None and item.after is not None:
        return [markdown(item.before.text), markdown(item.after.text)]
    return []


def spans_of(found: Sequence[Sequence[Para]]) -> list[wordiff.Spans]:
    """What differs in each of these texts. May take long: see `wordiff.long`."""
    return wordiff.differences([plain(paras) for paras in found])


def entry(
    item: EntryRow, base: str, found: Sequence[Sequence[Para]], spans: Sequence[wordiff.Spans] | None
) -> Shown:
    """One change in full. `found`: `texts` of it; `spans`: what differs there, None as long as that isn't known."""
    kind = rows.KINDS[item.kind]
    above = [Para((
        Piece(f"{kind.sign} {kind.word}", kind.role), Piece(f" · {rows.where(item, base)}"),
        Piece(f" · {rows.tokens(item)} tokens", "dim"),
    ), hang=2)]
    if item.why:
        above.append(Para((Piece(f"{item.why}."),)))
    if item.here is not None:
        path, line = item.here
        above.append(Para((Piece("The same text is here at "), Piece(f"{path}:{line}", "strong"), Piece("."))))
    elif item.after is None:
        above.append(Para((Piece(f"It is only in {base}."),)))
    if item.before is None or item.after is None or item.kind != "changed":
        return Shown((*above, Para(), *markdown(item.seen.text)))
    if spans is not None and not any(spans):
        above.append(Para((Piece("· ", "dim"), Piece("Only blanks and line ends differ.")), hang=2))
    bodies = [mark(paras, [] if spans is None else spans[number], DIFFERS) for number, paras in enumerate(found)]
    before, after = (Para((Piece(word, "strong"),)) for word in (f"before, in {base}:", "after, here:"))
    sides = (Side((before, ACROSS), tuple(bodies[0])), Side((after, ACROSS), tuple(bodies[1])))
    return Shown(tuple(above), sides, (*above, before, *bodies[0], after, *bodies[1]))


def file(item: FileRow, base: str, entries: Sequence[EntryRow]) -> list[Para]:
    """What became of a file as a whole, and of its `entries`."""
    lines = [Para((Piece(item.path, "strong"), Piece(f" · {item.words}" if item.words else "", item.role)), hang=2)]
    if not item.here:
        lines.append(Para((Piece(f"It is only in {base}.", "dim"),)))
    if item.route is not None:
        for word, reason in ((f"before, in {base}", item.route.before), ("after, here", item.route.after)):
            lines += [Para(), rule(word), Para((Piece(reason or "there is no such file"),))]
    lines += [Para()] if entries else []
    for each in entries:
        kind = rows.KINDS[each.kind]
        lines.append(Para((
            Piece(f"{kind.sign} {kind.word}", kind.role), Piece(f"  {rows.title(each.seen)}"),
            Piece(f"  {rows.tokens(each)}", "dim"),
        ), hang=2))
    return lines


def said(item: SaidRow) -> list[Para]:
    """A line about the pack as a whole, in full."""
    lines = [_said(item)]
    if item.word == "note":
        lines += [Para(), Para((Piece("No agent reads this: it doesn't change the pack.", "dim"),))]
    return lines
