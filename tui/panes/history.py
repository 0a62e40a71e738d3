"""What was done: every transaction with its diff, what can still be undone, and why the rest cannot."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from textual.app import ComposeResult
from textual.containers import Container

from memdesk.core.errors import MemdeskError
from memdesk.core.lean import NamedTuple
from memdesk.tui import keymaps, messages, text
from memdesk.tui.allowed import Situation
from memdesk.tui.panes.listing import ListPane
from memdesk.tui.widgets.diffview import DiffView, diff_lines
from memdesk.tui.widgets.finder import Finder, Texts
from memdesk.tui.widgets.lines import Row
from memdesk.tui.widgets.paint import Piece
from memdesk.tui.widgets.reading import Para

if TYPE_CHECKING:
    from memdesk.core.desk import Desk
    from memdesk.core.transaction import Kept, Transaction


class Done(NamedTuple):
    """A transaction as the list shows it. `ours`: of this session; `undone_by`: the id of what took it back, or ""."""

    transaction: Transaction
    at: str
    ours: bool
    undone_by: str


class HistoryPane(ListPane):
    """Transactions, newest first, and the diff of the selected one."""

    name_ = "history"
    BINDINGS = keymaps.bindings("history")
    texts = Texts(
        empty="Nothing was done yet.\n\nEvery verdict stands here once it is given, with its diff, and can be undone.",
        loading="Reading the history…",
        filtered="No action holds these words.\n\nEscape shows all.",
    )

    def __init__(self) -> None:
        super().__init__()
        self._diffs: dict[str, tuple[Para, ...]] = {}  # by id: what was done does not change (but for a purge)
        self.finder = Finder(self._draw, _haystack, texts=self.texts, id="history-list")
        self.finder.border_title = "History"
        self.lines.at_move = self._selected
        self.reading = DiffView(id="history-reading", classes="framed")

    def compose(self) -> ComposeResult:
        with Container(id="history-body"):
            yield self.finder
            yield self.reading

    # What the app asks.

    @property
    def transaction(self) -> Transaction | None:
        """The selected one."""
        item = self.lines.item
        return item.transaction if isinstance(item, Done) else None

    @property
    def spot(self) -> tuple[str, int] | None:
        chosen = self.transaction
        return (chosen.paths[0], 1) if chosen is not None and chosen.paths else None

    def situation(self) -> Situation:
        chosen = self.transaction
        return super().situation()._replace(place=self.spot is not None, undoable=chosen is not None)

    def painted_at(self) -> float:
        return self.lines.painted_at

    def refresh_from(self, desk: Desk) -> None:
        self.bench.work(
            lambda: rows_of(desk), self._show, doing="read the history", group="history", exclusive=True, otherwise=self._failed
        )

    def _failed(self, error: Exception) -> bool:
        self.finder.fail(self.failure(error))
        return True

    def _show(self, rows: list[Row]) -> None:
        self._diffs.clear()
        self.finder.set_rows(rows)
        self._titles()
        self._selected()
        self.changed()

    def _titles(self) -> None:
        total = self.lines.total
        self.finder.border_title = text.content_line(
            f"History · {total} action{'' if total == 1 else 's'}" if total else "History"
        )

    def _draw(self, item: Any, width: int) -> list[Piece]:
        done = item.transaction
        glyph, role, note = state_of(item)
        when = item.at if width >= 60 else item.at[5:]
        tail = f" {note}" if note and width >= 50 else ""
        lead = f"{when}  "
        room = max(width - len(lead) - 2 - text.width(tail), 1)
        return [
            Piece(glyph + " ", role),
            Piece(lead, "strong" if item.ours else "dim"),
            Piece(text.fit(text.line(done.summary or done.verb), room), "struck" if item.undone_by else ""),
            Piece(tail, role or "dim"),
        ]

    def _selected(self) -> None:
        item = self.lines.item
        if not isinstance(item, Done):
            self.reading.border_title = None
            self.reading.show([])
            return
        ident = item.transaction.id
        self.reading.border_title = text.content_line(ident)
        known = self._diffs.get(ident)
        self.reading.show(
            [*head_lines(item), *(known if known is not None else (Para((Piece("Reading its diff…", "dim"),)),))], ident
        )
        if known is None:
            desk = self.bench.desk

            def show(found: tuple[Para, ...]) -> None:
                self._diffs[ident] = found
                if self.lines.key == ident:
                    self._selected()

            def failed(error: Exception) -> bool:
                show(
                    (
                        Para(
                            (Piece("✕ ", "bad"), Piece(error.message if isinstance(error, MemdeskError) else str(error))),
                            hang=2,
                        ),
                    )
                )
                return True

            self.bench.work(
                lambda: diff_of(desk, ident), show, doing="read its diff", group="diff", exclusive=True, otherwise=failed
            )

    # Actions.

    def do_undo(self) -> None:
        """The exact inverse of the selected one, to be confirmed; or why there is none."""
        chosen = self.transaction
        if chosen is None:
            return
        ident, desk = chosen.id, self.bench.desk
        if not chosen.undoable:  # looked at by itself it also says what to undo first
            self.bench.work(
                lambda: desk.show(ident).reason or chosen.reason,
                lambda why: self.bench.say(f"It cannot be undone: {why}", "warning"), doing="undo",
            )
            return
        from memdesk.tui.dialogs.planned import Planned

        def closed(receipt: Any) -> None:
            if receipt is not None:
                self.bench.after_commit(receipt)

        self.bench.push_screen(Planned(f"Undo · {chosen.summary}", "undo it", lambda: desk.undo(ident)), closed)

    def do_copy(self) -> None:
        self.post_message(messages.CopyText(self.reading.plain, "the action and its diff"))

    def do_copy_all(self) -> None:
        self.do_copy()

def rows_of(desk: Desk) -> list[Row]:
    """The transactions, newest first, with what undid them."""
    history = desk.history()
    undone = {item.undoes: item.id for item in reversed(history) if item.undoes is not None and item.outcome == "committed"}
    ours = set(desk.session)
    return [
        Row(item.id, Done(item, local(item.at), item.id in ours, "" if item.undoable else undone.get(item.id, "")))
        for item in history
    ]


def diff_of(desk: Desk, ident: str) -> tuple[Para, ...]:
    """What it keeps of others, then the diffs of its files, exact."""
    lines: list[Para] = []
    for item in desk.show(ident).kept:
        lines += [Para(), *kept_lines(desk, item)]
    for path, diff in desk.transactions.diffs(ident):
        lines.append(Para())
        lines += diff_lines(path, diff) if diff else [Para((Piece(path, "heading"), Piece("  its text was purged", "dim")))]
    return tuple(lines[1:])


def kept_lines(desk: Desk, item: Kept) -> list[Para]:
    """A text of someone else: which file, when, where it lies, what it changed, and how to let go of it."""
    words = (
        f"Someone saved {item.path} at {local(item.at)}, but to the file that memdesk was just replacing, or had replaced. "
        f"That text is kept in {desk.transactions.kept_file(item)}. This is what it changed:"
    )
    return [
        Para((Piece("! ", "warn"), Piece(words)), hang=2),
        *diff_lines(item.path, desk.transactions.kept_text(item).diff),
        Para((Piece(f"  memdesk history --forget {item.id} lets go of it, and of this action's undo.", "dim"),), hang=2),
    ]


def state_of(item: Done) -> tuple[str, str, str]:
    """Glyph, role and word for how a transaction stands."""
    done = item.transaction
    if done.outcome != "committed":
        return "!", "warn", done.outcome
    if done.kept:
        return "!", "warn", "undone, keeps a text" if item.undone_by else "keeps a text"
    if item.undone_by:
        return "↶", "dim", "undone"
    if done.undoes is not None:
        return "↷" if done.undoable else "·", "" if done.undoable else "dim", "an undo"
    return ("✓", "good", "") if done.undoable else ("·", "dim", "past undo")


def head_lines(item: Done) -> list[Para]:
    """What the reading pane says above the diff."""
    done = item.transaction
    lines = [
        Para((Piece(done.summary or done.verb, "strong"),)),
        Para(
            (Piece(f"{item.at} · by {done.by or 'unknown'} · {done.verb}" + (" · this session" if item.ours else ""), "dim"),)
        ),
    ]
    if done.undoes is not None:
        lines.append(Para((Piece(f"It took back {done.undoes}.", "dim"),)))
    if done.outcome != "committed":
        lines.append(Para((Piece("! ", "warn"), Piece(f"It was interrupted; recovery ended it as: {done.outcome}.")), hang=2))
    if done.undoable:
        lines.append(Para((Piece("u", "key"), Piece(" takes it back, after a look at the exact inverse.", "dim"))))
    else:
        lines.append(Para((Piece("It cannot be undone: ", "warn"), Piece(done.reason or "it is not in effect."))))
    return [*lines, Para()]


def local(stamp: str) -> str:
    """A UTC timestamp in local time, to the minute; as it is where it cannot be read."""
    try:
        moment = datetime.strptime(stamp, "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=UTC)
    except ValueError:
        return stamp or "?"
    return moment.astimezone().strftime("%Y-%m-%d %H:%M")


def _haystack(item: Any) -> str:
    done = item.transaction
    return f"{item.at} {done.id} {done.by} {done.verb} {done.summary} {' '.join(done.paths)} {state_of(item)[2]}".lower()
