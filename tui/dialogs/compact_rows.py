"""How a compaction looks: the account, entry by entry, and the draft with a number before each line and its problems on top."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, Any

from memdesk.core.compacting.account import CARRIED, FOLDED, Row
from memdesk.core.lean import NamedTuple
from memdesk.tui import text
from memdesk.tui.dialogs.compact_sheet import where
from memdesk.tui.panes.entry_text import title
from memdesk.tui.widgets import lines as listed
from memdesk.tui.widgets.paint import Piece
from memdesk.tui.widgets.reading import Para, markdown, rule

if TYPE_CHECKING:
    from memdesk.core.compacting.materials import Materials
    from memdesk.core.model import Entry
    from memdesk.tui.dialogs.compact_sheet import Sheet

GLYPHS = {CARRIED: ("✓", "good"), FOLDED: ("=", "dim")}
STATE = 11  # cells of glyph and word
PLACE = 24  # cells that say where an entry went, at most
GUTTER = 5  # cells of a line's number
GONE, CAME = "gone from the memory", "came since: not in this draft"


class Told(NamedTuple):
    """An entry as the list shows it."""

    row: Row
    title: str
    where: str


class Above(NamedTuple):
    """The line above the entries of one file."""

    words: str
    size: int


class Drawn(NamedTuple):
    """The draft's lines on screen, and which of them shows which line of the draft (1-based)."""

    paras: tuple[Para, ...]
    at: dict[int, int]


def rows_of(shown: Sheet) -> list[listed.Row]:
    """The account under the files that its entries are from; then what came since and is not in the draft."""
    found: list[listed.Row] = []
    groups: dict[str, list[Row]] = {}
    names = _files(shown.materials)
    for row in shown.rows:
        groups.setdefault(names.get(row.entry.path, "") if row.noted is not None else GONE, []).append(row)
    parts = list(shown.materials.form.parts(shown.checked.document.page))
    for words, rows in groups.items():
        found.append(listed.Row("", Above(words, len(rows))))
        found += [listed.Row(row.entry.id, Told(row, title(row.entry), where(row, parts))) for row in rows]
    if shown.arrived:
        found.append(listed.Row("", Above(CAME, len(shown.arrived))))
        found += [listed.Row(entry.id, entry) for entry in shown.arrived]
    return found


def draw(item: Any, width: int) -> list[Piece]:
    """A line of the list: what became of the entry, where it went, and what it says."""
    if isinstance(item, Above):
        return [Piece(f"{text.line(item.words)} · {item.size}", "dim")]
    if not isinstance(item, Told):
        return [Piece(text.fit("+ new", STATE + 1), "new"), Piece(title(item))]
    row = item.row
    glyph, role = _glyph(row)
    if width < 30:
        return [Piece(f"{glyph} ", role), Piece(item.title)]
    place = text.line(item.where)
    room = min(max(width - STATE - 14, 8), PLACE, max(text.width(place), 8))
    size = max(width - STATE - room - 3, 4)
    return [
        Piece(text.fit(f"{glyph} {row.state}", STATE) + " ", role), Piece(text.fit(item.title, size)), Piece("  "),
        Piece(text.clip(place, room), "bad" if row.unexplained else "dim"),
    ]


def haystack(item: Any) -> str:
    if isinstance(item, Told):
        return f"{item.row.entry.text}\n{item.row.state} {item.where}".lower()
    return "" if isinstance(item, Above) else str(item.text).lower()


def draft_of(shown: Sheet) -> Drawn:
    """The draft, whole, as it would be written, below its problems."""
    paras = problem_lines(shown)
    if paras:
        paras.append(Para())
    wrong = {problem.line for problem in shown.problems if problem.line is not None}
    rows = markdown(shown.text.removesuffix("\n"))
    wide = max(GUTTER, len(str(len(rows))) + 2)
    at = {}
    for number, para in enumerate(rows, 1):
        at[number] = len(paras)
        mark = Piece("✕", "bad") if number in wrong else Piece(" ")
        paras.append(Para((mark, Piece(f"{number:>{wide - 2}} ", "dim"), *para.pieces), hang=wide + para.hang))
    return Drawn(tuple(paras), at)


def marked(drawn: Drawn, shown: Sheet, row: Row | None) -> list[Para]:
    """The draft with the lines of an entry standing out."""
    paras = list(drawn.paras)
    for line in lines_of(shown, row):
        index = drawn.at.get(line)
        if index is not None:
            para = paras[index]
            mark = para.pieces[0] if para.pieces[0].text != " " else Piece("▌", "accent")
            body = (Piece(piece.text, f"{piece.role} strong".strip()) for piece in para.pieces[1:])
            paras[index] = para._replace(pieces=(mark, *body))
    return paras


def lines_of(shown: Sheet, row: Row | None) -> range:
    """The lines of the draft in which an entry stands, from 1."""
    if row is None or row.line is None:
        return range(0)
    whole = next((one for one in shown.checked.document.entries if one.line == row.line), None)
    return range(row.line, row.line + 1 if whole is None else whole.end_line + 1)


def problem_lines(shown: Sheet) -> list[Para]:
    """What keeps the draft from being accepted, each with its line and the way out."""
    lines = []
    for path in shown.stale:
        remedy = "t takes in what is there now; the text stays."
        lines.append(_problem("", f"{path} changed since this text was written.", remedy))
    for problem in shown.problems:
        place = f"line {problem.line}: " if problem.line is not None else ""
        lines.append(_problem(place, problem.message, problem.remedy))
    return lines


def entry_lines(entry: Entry, row: Row | None, words: str) -> list[Para]:
    """One entry in full, below where it is from and what became of it."""
    state = [Piece("+ new", "new")]
    if row is not None:
        glyph, role = _glyph(row)
        state = [Piece(f"{glyph} {row.state}", role), Piece(f" · {words}", "dim")]
    name = entry.path.rpartition("/")[2]
    return [Para((*state, Piece(f" · {name}:{entry.line}", "dim")), hang=2), *markdown(entry.text)]


def warning_lines(warnings: Collection[str]) -> list[Para]:
    """What a person should know before the draft is accepted."""
    return [Para((Piece("! ", "warn"), Piece(warning)), hang=2) for warning in warnings]


def task_lines(materials: Materials) -> list[Para]:
    """The feature's tasks, for what there is nothing else to show."""
    if not materials.tasks:
        return []
    return [rule("tasks"), *(Para((Piece(f"{task.id}  ", "dim"), Piece(task.title)), hang=10) for task in materials.tasks)]


def _files(materials: Materials) -> dict[str, str]:
    """Each file that entries are from, as a person knows it: the task, when it was written, the task's title."""
    titles = {task.id: task.title for task in materials.tasks}
    found = {} if materials.notes is None else {materials.notes.path: "progress notes"}
    for fragment in materials.fragments:
        path = fragment.document.path
        stamp = "" if fragment.stamp is None else f"{fragment.stamp:%Y-%m-%d %H:%M}"
        parts = [fragment.task or path.rpartition("/")[2], stamp, titles.get(fragment.task, "")]
        found[path] = " · ".join(part for part in parts if part)
    return found


def _glyph(row: Row) -> tuple[str, str]:
    return GLYPHS.get(row.state, ("✕", "bad" if row.unexplained else "warn"))


def _problem(place: str, message: str, remedy: str) -> Para:
    pieces = [Piece("✕ ", "bad"), Piece(place, "dim"), Piece(message, "strong")]
    return Para((*pieces, Piece(f"  → {remedy}", "accent")) if remedy else tuple(pieces), hang=2)
