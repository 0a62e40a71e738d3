"""The screen of a compaction: the account of entries on one side, the draft of the memory on the other, a line above that sums
it up, and a button that says what accepting will do. What a person does with it: `compacting.Compacting`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, cast

from textual import on
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.screen import ModalScreen
from textual.widgets import Button, Static

from memdesk.core.compacting.account import CARRIED, FOLDED, LEFT
from memdesk.core.compacting.prompting import unwrapped
from memdesk.core.errors import MemdeskError
from memdesk.core.lean import NamedTuple
from memdesk.tui import text
from memdesk.tui.dialogs import compact_rows as looks
from memdesk.tui.dialogs import compact_sheet as sheets
from memdesk.tui.dialogs.compact_command import Drafting
from memdesk.tui.dialogs.compact_sheet import Sheet, Wanted
from memdesk.tui.widgets.diffview import refusal_lines
from memdesk.tui.widgets.finder import Finder, Texts
from memdesk.tui.widgets.lines import Lines
from memdesk.tui.widgets.lines import Row as Listed
from memdesk.tui.widgets.reading import Para, Reading

if TYPE_CHECKING:
    from memdesk.core.compacting.account import Row
    from memdesk.core.model import Entry, Store
    from memdesk.tui.app import Workbench

KEYS = "⏎ accept · x leave out · i take in · e edit · d by command · m without · n problem · Tab · Esc"
FEW_KEYS = "⏎ accept · x out · i in · e edit · d command · m without · n problem"
NARROW, TINY = 100, 60  # columns below which little is said of what could be said in full
TICK = 1.0  # seconds between two looks at how a command gets on


class Look(NamedTuple):
    """A draft with all that is drawn of it, made in a worker."""

    shown: Sheet
    rows: list[Listed]
    drawn: looks.Drawn


class Frame(ModalScreen[None]):
    """The account and the draft, made anew when files change. What was written here is kept while the workbench is open."""

    def __init__(self, store: Store, feature: str) -> None:
        super().__init__()
        self._store, self._feature = store, feature
        self._look: Look | None = None
        self._problem = -1  # the one that was gone to last
        self._above = 0  # lines above the draft's own and its problems
        self._notes: list[Para] = []  # why the last draft came to nothing
        self._drafting: Drafting | None = None
        texts = Texts(empty="There is nothing to compact.")
        self.finder = Finder(looks.draw, looks.haystack, texts=texts, id="compact-account")
        self.entry = Reading(id="compact-entry", classes="framed")
        self.draft = Reading(id="compact-draft", classes="framed")
        self.finder.lines.at_move = self._selected

    @property
    def bench(self) -> Workbench:
        return cast("Workbench", self.app)

    @property
    def lines(self) -> Lines:
        return self.finder.lines

    @property
    def shown(self) -> Sheet | None:
        """The draft that is on screen."""
        return None if self._look is None else self._look.shown

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog compacting") as box:
            box.border_subtitle = text.content_line(KEYS if self.app.size.width >= NARROW else FEW_KEYS)
            yield Static(text.content_line(f"Compact · {self._feature}"), classes="dialog-title")
            yield Static("Reading…", id="compact-state")
            with Horizontal(id="compact-body"):
                with Vertical(id="compact-left"):
                    yield self.finder
                    yield self.entry
                yield self.draft
            with Horizontal(classes="dialog-buttons"):
                yield Button("Reading…", id="compact-yes", variant="primary", disabled=True, compact=True)
                yield Button("Cancel (Esc)", id="compact-no", compact=True)

    def on_mount(self) -> None:
        self._drafting = Drafting(self.bench, self._drafted, self._not_drafted, "what the fragments say")
        self.set_interval(TICK, self._tick)
        self.lines.focus()
        self._make(lambda: self._kept)

    def on_unmount(self) -> None:
        if self._drafting is not None:
            self._drafting.stop()

    # The draft.

    @property
    def _place(self) -> tuple[str, str, str]:
        return self._store.path, self._store.layout, self._feature

    @property
    def _kept(self) -> Wanted:
        """The draft as it was left, when this was open before; without a text of its own it is one of all that is there now."""
        kept = self.bench.drafts.get(self._place, Wanted())
        return kept._replace(read="") if kept.text is None else kept

    def stores_changed(self) -> None:
        """The files were read again: the same draft over what is there now."""
        shown = self.shown
        if shown is not None:
            self._make(lambda: shown.wanted)

    def _make(self, wanted: Callable[[], Wanted]) -> None:
        """Make a draft and show it, at the instant of the first one: what is looked at is what is written."""
        desk, store, feature = self.bench.desk, self._store, self._feature
        before = self.shown
        stamp = before.stamp if before is not None else desk.clock.stamp()

        def make() -> Look:
            shown = sheets.sheet(desk, store, feature, wanted(), stamp)
            return Look(shown, looks.rows_of(shown), looks.draft_of(shown))

        self.bench.work(make, self._show, doing="draft", group="compact", exclusive=True, otherwise=self._not_made)

    def _show(self, look: Look) -> None:
        if not self.is_attached:
            return
        before, self._look = self.shown, look
        shown = look.shown
        if before is None or (before.text, before.problems) != (shown.text, shown.problems):
            self._problem = -1
        self.bench.drafts[self._place] = shown.wanted
        self.finder.set_rows(look.rows)
        self.lines.clear_marks()
        self._tell()
        self._selected()

    def _not_made(self, error: Exception) -> bool:
        if not isinstance(error, MemdeskError):
            self.dismiss(None)
            return False
        if self._look is None:
            self.draft.show(refusal_lines(error), "refused")
            self.query_one("#compact-state", Static).update(text.content_line("There is no draft."))
            self.query_one("#compact-yes", Button).label = text.content_line("It cannot be done")
            self.finder.set_rows([])
        else:
            self._notes = refusal_lines(error)
            self._selected()
        return True

    def _drafted(self, given: str) -> None:
        """The command gave a text: it is a draft like any other, checked and shown."""
        shown = self.shown
        if shown is not None and self.is_attached:
            self._notes = []
            self._make(lambda: sheets.edited(shown, unwrapped(given), "drafted by the command"))

    def _not_drafted(self, error: Exception) -> bool:
        if not isinstance(error, MemdeskError):
            return False
        if self.is_attached:
            self._notes = refusal_lines(error)
            self._tell()
            self._selected()
            self.draft.action_scroll_home()
        return True

    def _tell(self) -> None:
        """The line above both sides, the titles and the button."""
        shown = self.shown
        drafting = self._drafting
        if shown is None or drafting is None:
            return
        state = self.query_one("#compact-state", Static)
        button = self.query_one("#compact-yes", Button)
        account, materials = shown.checked.account, shown.materials
        if drafting.running:
            state.update(text.content_line(drafting.words))
        else:
            told = len(materials.warnings)
            warned = [f"! {told} warning{'' if told == 1 else 's'} above the draft"] if told else []
            parts = [_counted(shown), *warned, shown.wanted.maker]
            if shown.files:
                came = "1 fragment came" if shown.files == 1 else f"{shown.files} fragments came"
                parts.insert(0, f"+ {came}: not in this draft; t takes {'it' if shown.files == 1 else 'them'} in")
            state.update(text.content_line(" · ".join(parts)))
        state.set_class(bool(shown.files) and not drafting.running, "-new")
        self.finder.border_title = text.content_line(f"Entries · {len(account.rows)}")
        self.draft.border_title = text.content_line(materials.store.named(materials.path))
        troubles = len(shown.problems) + len(shown.stale)
        if drafting.running:
            words = "A draft is being made"
        elif troubles:
            words = f"{troubles} problem{'' if troubles == 1 else 's'} first (n goes to the next)"
        elif materials.empty:
            words = "There is nothing to compact"
        else:
            name = materials.store.named(materials.path)
            wide = self.app.size.width
            words = f"{_what(shown)} into {name if wide >= NARROW else name.rpartition('/')[2]}… (⏎)"
            words = words if wide >= TINY else "Accept… (⏎)"
        button.label = text.content_line(words)
        button.refresh(layout=True)
        button.disabled = bool(troubles) or materials.empty or drafting.running

    def _tick(self) -> None:
        if self._drafting is not None and self._drafting.running:
            self._tell()

    def _selected(self) -> None:
        """The entry in full, and its place in the draft."""
        look = self._look
        if look is None:
            return
        item = self.lines.item
        row = item.row if isinstance(item, looks.Told) else None
        entry: Entry | None = row.entry if row is not None else item
        self.entry.display = self.app.size.width >= NARROW or (entry is not None and (row is None or row.state == LEFT))
        shown = look.shown
        above = [*self._notes, *looks.warning_lines(shown.materials.warnings)]
        lines = looks.marked(look.drawn, shown, row)
        above += [Para()] if above and above[-1].pieces else []
        self._above = len(above)
        self.draft.show([*above, *lines], "draft")
        for line in looks.lines_of(shown, row)[:1]:
            self.bring(line)
        if entry is None:
            self.entry.show(looks.task_lines(shown.materials), "")
        else:
            self.entry.border_title = text.content_line(_from(row))
            self.entry.show(looks.entry_lines(entry, row, item.where if isinstance(item, looks.Told) else ""), entry.id)

    def bring(self, line: int) -> None:
        """A line of the draft (from 1) on screen, with two above it."""
        index = None if self._look is None else self._look.drawn.at.get(line)
        if index is not None:
            self.draft.scroll_to_para(max(self._above + index - 2, 0))

    @on(Lines.Moved)
    @on(Lines.Marked)
    def _moved(self, event: Lines.Moved | Lines.Marked) -> None:
        event.stop()


def _counted(shown: Sheet) -> str:
    account = shown.checked.account
    words: Sequence[tuple[str, str]] = ((CARRIED, "✓"), (FOLDED, "="), (LEFT, "✕"))
    return " · ".join(f"{glyph} {len(account.of(state))} {state}" for state, glyph in words)


def _what(shown: Sheet) -> str:
    number = len(shown.materials.fragments)
    notes = sum(1 for noted in shown.materials.entries if noted.note)
    parts = [f"{number} fragment{'' if number == 1 else 's'}"] if number else []
    parts += [f"{notes} note{'' if notes == 1 else 's'}"] if notes else []
    return f"Compact {' and '.join(parts)}"


def _from(row: Row | None) -> str:
    noted = None if row is None else row.noted
    return " · ".join(part for part in (noted.task, noted.section) if part) if noted is not None else ""
