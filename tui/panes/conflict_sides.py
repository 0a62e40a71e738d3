"""The two or more texts of a conflict as the pane shows them: above each what it is, in it what differs, below what can be
done. No widget here, so that all of it can be made in a thread."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from memdesk.core.lean import NamedTuple
from memdesk.tui import text, wordiff
from memdesk.tui.panes.conflict_marks import File, Part, one_sided, why_not
from memdesk.tui.panes.conflict_rows import GROUPS, Clash, state
from memdesk.tui.verbs import BY_ID
from memdesk.tui.widgets.paint import Piece
from memdesk.tui.widgets.reading import Para, markdown, rule
from memdesk.tui.widgets.sides import Side, mark, plain

if TYPE_CHECKING:
    from memdesk.core.blame import Blame
    from memdesk.core.model import Entry
    from memdesk.core.settling import Choice

DIFFERS = "differs"
ACROSS = Para(rule=True)
VERB_OF = {"narrow": "both", "merge": "merge-sides"}  # the action of the registry for a choice's key, where it has another name


class Line(NamedTuple):
    """A line of the choices: the action it stands for, and why that can't be done ("" where it can)."""

    ident: str
    label: str
    consequence: str
    why_not: str = ""
    choice: Choice | None = None


Spans = Sequence[wordiff.Spans]


def bodies(item: Clash | Part) -> list[list[Para]]:
    """The lines of each side's text."""
    if isinstance(item, Part):
        return [_body(item.ours), _body(item.theirs)]
    return [_body(side.text) for side in item.conflict.sides]


def spans_of(texts: Sequence[Sequence[Para]]) -> list[wordiff.Spans]:
    """What differs in each of these texts, for `sides`. May take long: see `wordiff.long`."""
    return wordiff.differences([plain(paras) for paras in texts])


def above(item: Clash | Part, file: File | None = None) -> list[Para]:
    """What the conflict is, why it is one, and who wins."""
    if isinstance(item, Part):
        return _above_part(item, file)
    conflict = item.conflict
    glyph, role, word = GROUPS["exact" if conflict.exact else "possible"]
    lines = [Para((
        Piece(f"{glyph} {word.lower()}", role), Piece(f" · {conflict.kind} · "), Piece(_masked(conflict.reason), "strong")
    ), hang=2)]
    judgment = item.judgment
    if judgment is not None:
        glyph, role, word = GROUPS[state(item)]
        said = f": {judgment.reason}" if judgment.reason else ""
        lines.append(Para(
            (Piece(f"{glyph} {word.lower()} {judgment.date} by {judgment.by}", "strong"), Piece(said)), hang=2,
        ))
    weights = conflict.weights()
    winner = next((side for side, weight in zip(conflict.sides, weights, strict=True) if weight.wins), None)
    if winner is None:
        lines.append(Para((Piece("= ", "warn"), Piece("No side wins by its rank: a person has to settle it.")), hang=2))
    else:
        why = next(weight.why for weight in weights if weight.wins)
        name = brief(f"{winner.entry.path}:{winner.line} wins", item)
        lines.append(Para((Piece("✓ ", "good"), Piece(name, "strong"), Piece(f": {why}.")), hang=2))
    return lines


def sides(
    item: Clash | Part, texts: Sequence[Sequence[Para]], spans: Spans | None, active: int,
    blames: Mapping[tuple[str, int], Blame | None],
) -> list[Side]:
    """Each side with its head, its text marked where it differs (`spans` None: not known yet)."""
    marked = [
        mark(paras, [] if spans is None else spans[number], DIFFERS) for number, paras in enumerate(texts)
    ]
    if isinstance(item, Part):
        labels = (("ours", item.ours_label), ("theirs", item.theirs_label))
        return [
            Side((_name(f"{word}{f': {label}' if label else ''}", number == active), ACROSS), tuple(body))
            for number, ((word, label), body) in enumerate(zip(labels, marked, strict=True))
        ]
    weights = item.conflict.weights()
    found = []
    for number, (side, weight, body) in enumerate(zip(item.conflict.sides, weights, marked, strict=True)):
        entry = side.entry
        written = _written(blames.get((entry.path, side.line)))
        facts = [f"rank {weight.rank.level}, {weight.rank.name}", *_facts(entry), *([written] if written else [])]
        head = [
            _name(f"{entry.path}:{side.line}", number == active),
            Para((Piece("✓ wins · " if weight.wins else "  ", "good"), Piece(" · ".join(facts), "dim")), hang=2),
        ]
        rest: list[Para] = []
        if side.text.strip() != entry.text.strip():
            rest = [Para(), rule("in its entry"), *markdown(entry.text)]
        found.append(Side((*head, ACROSS), (*body, *rest)))
    return found


def below(item: Clash | Part) -> list[Para]:
    """What stands under the sides: of git's conflicts the text before both, and what the entry will be."""
    if not isinstance(item, Part):
        return []
    lines: list[Para] = []
    if item.base is not None:
        lines += [rule("before both (base)"), *(_body(item.base))]
    result = item.result
    if result is not None and item.answer is not None:
        lines += [Para()] if lines else []
        lines += [rule(f"the result: {item.answer.word}", "heading"), *_body(result)]
    return lines


def choices_of_part(file: File, part: Part) -> list[Line]:
    """What can become of an entry with markers, and of its file."""
    left = why_not(file)
    now = part.answer.word if part.answer is not None else ""
    return [
        Line("ours", _labelled("Ours", part.ours_label), _size(part.ours, now == "ours")),
        Line("theirs", _labelled("Theirs", part.theirs_label), _size(part.theirs, now == "theirs")),
        Line("both", "Keep both", f"{_size(part.both, now == 'both')}, ours first", one_sided(part)),
        Line("amend", "Edit", "Opens what is chosen, or both, in the editor" + (", chosen" if now == "edited" else "")),
        *choices_of_file(file, left),
    ]


def choices_of_file(file: File, left: str = "") -> list[Line]:
    """What can be done with a whole file: `left` says what is still to be answered."""
    return [] if file.problem else [
        Line("resolve", "Resolve the file", f"Shows the diff, then writes {file.path} without markers", left),
    ]


def choices_of(item: Clash, choices: Sequence[Choice], active: Entry) -> list[Line]:
    """The choices as lines, one for each key: of several the one that keeps the side that is chosen. That side's text can be
    edited in any case."""
    lines: list[Line] = []
    taken: set[str] = set()
    for choice in choices:
        ident = VERB_OF.get(choice.key, choice.key)
        if ident in taken:
            continue
        taken.add(ident)
        same = [each for each in choices if each.key == choice.key]
        if len(same) > 1:
            at = item.conflict.entries.index(active)
            choice = same[min(at, len(same) - 1)]  # one for each side, in their order
        more = " (x: the other side)" if len(same) > 1 else ""
        why = "" if choice.possible else brief(choice.why_not, item)
        lines.append(Line(ident, brief(choice.label, item) + more, brief(choice.consequence, item), why, choice))
    if lines and "amend" not in taken:
        lines.insert(len(lines) - 1, _amend(item, active))
    return lines


def _amend(item: Clash, entry: Entry) -> Line:
    from memdesk.core.settling import Choice, blocked, place

    why = blocked(entry, "edit")
    label, consequence = f"Edit {place(entry)}", "Opens the chosen side's own text; what it says then is yours to say."
    choice = Choice("amend", label, consequence, "edit", (entry.id,), {}, not why, why)
    return Line("amend", brief(label, item), consequence, brief(why, item), choice)


def choice_paras(lines: Sequence[Line], keys: Mapping[str, str], read_only: str = "") -> list[Para]:
    """Choices as a person reads them: key, what to do, what will be written; what can't be done says why."""
    paras = []
    for line in lines:
        key = f"{keys.get(line.ident, line.ident):>2}  "
        why = line.why_not or read_only
        pieces = (
            (Piece(key, "dim"), Piece(line.label, "dim"), Piece(f" – not now: {why}", "dim"))
            if why else (Piece(key, "key"), Piece(line.label, "strong"), Piece(f" · {line.consequence}"))
        )
        paras.append(Para(pieces, hang=4))
    return paras


def choices_in_short(lines: Sequence[Line], keys: Mapping[str, str], read_only: str = "") -> Para:
    """The choices that there are, on a line: key and word. What can't be done has no key."""
    pieces: list[Piece] = []
    for line in lines:
        label = BY_ID[line.ident].label
        if line.why_not or read_only:
            pieces.append(Piece(f"– {label}  ", "dim"))
        else:
            pieces += [Piece(keys.get(line.ident, line.ident), "key"), Piece(f" {label}  ", "strong")]
    return Para(tuple(pieces))


def brief(words: str, item: Clash | Part) -> str:
    """Words of ours with the names of the sides' files alone, where these tell them apart: the sides say the rest above."""
    if isinstance(item, Part):
        return words
    paths = {entry.path: entry.path.rsplit("/", 1)[-1] for entry in item.conflict.entries}
    if len(set(paths.values())) == len(paths):
        for path in sorted(paths, key=len, reverse=True):
            words = words.replace(path, paths[path])
    return words


def _above_part(part: Part, file: File | None) -> list[Para]:
    count = f" · entry {part.number} of {len(file.parts)}" if file is not None else ""
    answer = part.answer
    state = Piece("○ open", "warn") if answer is None else Piece(f"✓ {answer.word}", "good")
    return [Para((Piece("⎇ git conflict", "bad"), Piece(f" · {part.path}:{part.line}{count} · "), state), hang=2)]


def _body(source: str) -> list[Para]:
    return markdown(source.strip("\n")) if source.strip() else [Para((Piece("(nothing)", "dim"),))]


def _name(name: str, active: bool) -> Para:
    # With blanks that do not break a line: a long path begins beside its sign.
    return Para((Piece("▸\u00a0" if active else "\u00a0\u00a0", "accent"), Piece(name, "strong")), hang=2)


def _facts(entry: Entry) -> list[str]:
    facts = [entry.date or "undated"]
    if entry.tag:
        facts.append(f"[{entry.tag}]")
    if entry.status:
        facts.append(entry.status)
    if entry.candidate:
        facts.append("candidate")
    return facts


def _written(blame: Blame | None) -> str:
    if blame is None:
        return ""
    if not blame.commit:
        return "not committed yet"
    return f"by {blame.author}, {blame.date}, {blame.commit[:9]}"


def _labelled(word: str, label: str) -> str:
    return f"{word} ({text.line(label)})" if label else word


def _size(value: str, chosen: bool) -> str:
    lines = len(value.strip("\n").split("\n")) if value.strip() else 0
    size = f"{lines} line{'' if lines == 1 else 's'}" if lines else "Nothing stays here"
    return size + (", chosen" if chosen else "")


def _masked(value: str) -> str:
    from memdesk.core.checks.secrets import mask

    return mask(text.line(value))


def of_file(file: File) -> list[Para]:
    """A file of which no entry is asked: its markers can't be taken apart (where, why, what to do), or need no decision."""
    error = file.problem
    where = f"{file.path}:{error.line}" if error is not None and error.line else file.path
    lines = [Para((Piece("⎇ git conflict", "bad"), Piece(f" · {where}", "dim")), hang=2)]
    if error is None:
        words = "Entry by entry both sides fit together: nothing is left to decide, and the file can be resolved."
        return [*lines, Para((Piece("✓ ", "good"), Piece(words)), hang=2)]
    lines.append(Para((Piece("✕ ", "bad"), Piece(error.message, "strong")), hang=2))
    if error.remedy:
        lines.append(Para((Piece("→ ", "accent"), Piece(error.remedy)), hang=2))
    return lines
