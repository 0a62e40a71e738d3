"""The lines of the Conflicts pane's list: git's conflicts by file and entry, then exact ones, possible ones, dismissed ones."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from memdesk.core.lean import NamedTuple
from memdesk.tui import text
from memdesk.tui.panes.conflict_marks import File, Part
from memdesk.tui.widgets.lines import Row
from memdesk.tui.widgets.paint import Piece

if TYPE_CHECKING:
    from memdesk.core.conflicts import Conflict
    from memdesk.core.desk import Desk
    from memdesk.core.judgments import Judgment

WORDY = 44  # cells from which on a line has room for the word beside its glyph


class Clash(NamedTuple):
    """A conflict as the list shows it: `ident` is its id, `name` what it is about, `places` where its sides stand."""

    conflict: Conflict
    ident: str
    name: str
    places: str
    judgment: Judgment | None = None


class Head(NamedTuple):
    """The line above a group: glyph, word, and how many."""

    glyph: str
    role: str
    title: str
    words: str = ""


GROUPS = {
    "exact": ("✕", "bad", "Exact"),
    "possible": ("?", "warn", "Possible"),
    "dismissed": ("–", "dim", "Dismissed"),
}


def state(clash: Clash) -> str:
    """Which group a conflict is in."""
    return "dismissed" if clash.judgment is not None else "exact" if clash.conflict.exact else "possible"


def clashes(desk: Desk, conflicts: Sequence[Conflict]) -> list[Clash]:
    """Conflicts as the list shows them, dismissed ones too. For a worker."""
    from memdesk.core.checks.secrets import mask

    found = []
    for conflict, judgment in desk.judge(conflicts):
        named = text.line(conflict.about) or _title(conflict)
        places = " ≠ ".join(f"{side.entry.path.rsplit('/', 1)[-1]}:{side.line}" for side in conflict.sides)
        found.append(Clash(conflict, conflict.id, mask(named), text.line(places), judgment))
    return found


def _title(conflict: Conflict) -> str:
    from memdesk.tui.panes.entry_text import title

    entry = conflict.sides[-1].entry
    return text.line(entry.fields.get("title", "")) or title(entry)


def rows_of(files: Sequence[File], found: Iterable[Clash], *, dismissed: bool = False) -> list[Row]:
    """The list. `dismissed`: with those that a person dismissed."""
    rows: list[Row] = []
    for file in files:
        words = f"{file.answered} of {len(file.parts)} answered" if file.parts else ""
        rows.append(Row("", Head("⎇ git", "bad", file.path.rsplit("/", 1)[-1], words)))
        rows += [Row(part.key, part) for part in file.parts] or [Row(file.key, file)]
    groups: dict[str, list[Clash]] = {"exact": [], "possible": [], "dismissed": []}
    for clash in found:
        groups[state(clash)].append(clash)
    seen: set[str] = set()
    for name, (glyph, role, title) in GROUPS.items():
        group = groups[name]
        if not group or (name == "dismissed" and not dismissed):
            continue
        rows.append(Row("", Head(glyph, role, title, str(len(group)))))
        for clash in group:
            key = clash.ident
            while key in seen:  # one text twice in two pairs of the same texts
                key += "+"
            seen.add(key)
            rows.append(Row(key, clash))
    return rows


def draw(item: object, width: int) -> list[Piece]:
    """A line of the list."""
    if isinstance(item, Head):
        return [Piece(f"{item.glyph} ", item.role), Piece(text.line(item.title), "heading"), Piece(f"  {item.words}", "dim")]
    if isinstance(item, Part):
        return _part(item, width)
    if isinstance(item, File):
        if item.problem is not None:
            return [Piece("! ", "bad"), Piece(text.line(str(item.problem)))]
        return [Piece("✓ ", "good"), Piece("entry by entry both sides fit: resolve it")]
    if isinstance(item, Clash):
        return _clash(item, width)
    return []


def _clash(item: Clash, width: int) -> list[Piece]:
    name = state(item)
    glyph, role, word = GROUPS[name]
    lead = f"{glyph} {word.lower():<9} " if width >= WORDY else f"{glyph} "
    kind = f"{item.conflict.kind:<9} "
    return [
        Piece(lead, role), Piece(kind, "dim" if name == "dismissed" else "tag"),
        Piece(item.name, "dim" if name == "dismissed" else ""), Piece(f"  {item.places}", "dim"),
    ]


def _part(item: Part, width: int) -> list[Piece]:
    answer = item.answer
    glyph, role, word = ("○", "warn", "open") if answer is None else ("✓", "good", answer.word)
    lead = f"{glyph} {word:<9} " if width >= WORDY else f"{glyph} {word:<7}"
    return [Piece(lead, role), Piece(text.line(item.title)), Piece(f"  line {item.line}", "dim")]


def haystack(item: object) -> str:
    """What the filter looks in."""
    if isinstance(item, Clash):
        texts = "\n".join(f"{side.entry.path} {side.text}" for side in item.conflict.sides)
        return f"{state(item)} {item.conflict.kind} {item.name} {item.conflict.reason}\n{texts}".lower()
    if isinstance(item, Part):
        return f"git {item.path} {item.title}\n{item.ours}\n{item.theirs}".lower()
    return f"git {item.path} {item.problem}".lower() if isinstance(item, File) else ""
