"""Compacting a feature's fragments: on one side what became of each entry, on the other the draft of the memory, whole.

Nothing is left out in silence: an entry is carried, folded into what says the same, or left out with a reason that a person
gave. Accepting opens the exact diff, to be confirmed like any plan; until then nothing is written.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, cast

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal, Vertical
from textual.screen import ModalScreen
from textual.widgets import Button, Static

from memdesk.core.compacting.account import CARRIED, FOLDED, LEFT, Row
from memdesk.core.errors import MemdeskError
from memdesk.core.lean import NamedTuple
from memdesk.tui import text
from memdesk.tui.dialogs import compact_rows as looks
from memdesk.tui.dialogs import compact_sheet as sheets
from memdesk.tui.dialogs.asking import Asking
from memdesk.tui.dialogs.compact_command import Drafting
from memdesk.tui.dialogs.compact_sheet import Sheet, Wanted
from memdesk.tui.dialogs.confirm import Confirm
from memdesk.tui.dialogs.reason import Reason
from memdesk.tui.widgets.diffview import refusal_lines
from memdesk.tui.widgets.finder import Finder, Texts
from memdesk.tui.widgets.lines import Lines
from memdesk.tui.widgets.lines import Row as Listed
from memdesk.tui.widgets.reading import Para, Reading

if TYPE_CHECKING:
    from memdesk.core.model import Entry, Store
    from memdesk.core.plan import Plan, Receipt
    from memdesk.tui.app import Workbench

KEYS = "⏎ accept · x leave out · i take in · e edit · d by command · m without · n problem · Tab · Esc"
FEW_KEYS = "⏎ accept · x out · i in · e edit · d command · m without · n problem"
NARROW = 100  # columns below which few keys are named
YOURS = "edited by you"
TICK = 1.0  # seconds between two looks at how a command gets on


class Look(NamedTuple):
    """A draft with all that is drawn of it, made in a worker."""

    shown: Sheet
    rows: list[Listed]
    drawn: looks.Drawn


class Compacting(ModalScreen[None]):
    """The account and the draft. What was written here is kept while the workbench is open, and dropped once it is accepted."""

    BINDINGS = [
        Binding("escape", "leave", "Cancel"), Binding("ctrl+s", "accept", "Accept"),
        Binding("x", "leave_out", "Leave out"), Binding("i", "take_in", "Take in"), Binding("space", "mark", "Mark"),
        Binding("e", "edit", "Edit"), Binding("d", "command", "By command"), Binding("m", "plain", "Without"),
        Binding("t", "arrived", "Take in what came"), Binding("n", "problem(1)", "Next problem"),
        Binding("N", "problem(-1)", "Last problem", show=False), Binding("slash", "filter", "Filter", show=False),
        Binding("tab", "app.focus_next", show=False), Binding("shift+tab", "app.focus_previous", show=False),
    ]

    def __init__(self, store: Store, feature: str) -> None:
        super().__init__()
        self._store, self._feature = store, feature
        self._look: Look | None = None
        self._problem = -1  # the one that was gone to last
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
        self._drafting = Drafting(self.bench, self._drafted, self._not_drafted)
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
        """The draft as it was left, when this was open before."""
        return self.bench.drafts.get(self._place, Wanted())

    def stores_changed(self) -> None:
        """The files were read again: the same draft over what is there now."""
        shown = self.shown
        if shown is not None:
            self._make(lambda: shown.wanted, shown)

    def _make(self, wanted: Callable[[], Wanted], same: Sheet | None = None) -> None:
        """Make a draft and show it. `same`: the one that it is to be like; then its instant stays."""
        desk, store, feature = self.bench.desk, self._store, self._feature
        before = self.shown
        stamp = same.stamp if same is not None else before.stamp if before is not None else desk.clock.stamp()

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
            parts = [_counted(shown), shown.wanted.maker]
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
            words = f"{_what(shown)} into {materials.store.named(materials.path)}… (⏎)"
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
        shown = look.shown
        above = [*self._notes, *looks.warning_lines(shown.materials.warnings)]
        lines = looks.marked(look.drawn, shown, row)
        self.draft.show([*above, *([Para()] if above else []), *lines], "draft")
        spot = next((look.drawn.at[line] for line in looks.lines_of(shown, row) if line in look.drawn.at), None)
        if spot is not None:
            self._bring(len(above) + bool(above) + spot)
        if entry is None:
            self.entry.show(looks.task_lines(shown.materials), "")
        else:
            self.entry.border_title = text.content_line(_from(row))
            self.entry.show(looks.entry_lines(entry, row, item.where if isinstance(item, looks.Told) else ""), entry.id)

    def _bring(self, index: int) -> None:
        """A line of the draft on screen, with what stands above it."""
        self.draft.scroll_to_para(max(index - 2, 0))

    # What a person does with it.

    def _rows(self) -> list[Row]:
        """The entries that are marked, else the selected one; without those that came since."""
        chosen = set(self.lines.chosen)
        return [row.item.row for row in self.lines.rows if row.key in chosen and isinstance(row.item, looks.Told)]

    def action_mark(self) -> None:
        self.lines.toggle_mark()

    def action_leave_out(self) -> None:
        """Leave entries out, with a reason; of one that is left out already, another reason."""
        shown, rows = self.shown, self._rows()
        if shown is None or self._busy() or not rows:
            return
        fixed = next((row for row in rows if row.noted is not None and row.entry.struck), None)
        if fixed is not None:
            self.bench.say("It was rejected in its fragment, which says why.", "warning")
            return
        if any(row.state == FOLDED for row in rows):
            self.bench.say("It says what another one says: leave that out, or both.", "warning")
            return
        whose = f"“{text.clip(self._title(rows[0]), 40)}”" if len(rows) == 1 else f"{len(rows)} entries"
        default = rows[0].reason if len({row.reason for row in rows}) == 1 else ""

        def given(reason: str | None) -> None:
            if reason:
                self._make(lambda: sheets.without(shown, rows, reason))

        hint = "Kept with the verdict: whoever comes next reads it."
        self.bench.push_screen(Reason(f"Leave out {whose}: why?", default, hint), given)

    def action_take_in(self) -> None:
        """Take entries back in that are left out; those that came since with their fragment."""
        shown, rows = self.shown, [row for row in self._rows() if row.state == LEFT]
        if shown is None or self._busy():
            return
        if not rows:
            if not isinstance(self.lines.item, looks.Told) and shown.arrived:
                self.action_arrived()
            else:
                self.bench.say("It is in the draft.", "warning")
        elif any(row.entry.struck for row in rows):
            self.bench.say("It was rejected in its fragment: undo that to have it carried.", "warning")
        elif any(row.noted is None for row in rows):
            self.bench.say("It stood in the memory: edit the draft to put it back, or say why it goes (x).", "warning")
        else:
            self._make(lambda: sheets.with_again(shown, rows))

    def action_arrived(self) -> None:
        """Take in what came since, and what changed."""
        shown, desk = self.shown, self.bench.desk
        if shown is None or self._busy():
            return
        if shown.arrived or shown.files or shown.stale:
            self._make(lambda: sheets.taken_in(desk, shown))
        else:
            self.bench.say("Nothing came since.")

    def action_edit(self) -> None:
        """The draft in the person's editor; the account is made anew of what comes back."""
        from memdesk.tui.editing import edited_outside

        shown = self.shown
        if shown is None or self._busy():
            return
        edited = edited_outside(self.bench, shown.text)
        if edited is not None:
            self._notes = []
            self._make(lambda: sheets.edited(shown, edited, YOURS))

    def action_plain(self) -> None:
        """The draft without a model again; edits are asked about first."""
        shown = self.shown
        if shown is None or self._busy():
            return
        if shown.wanted.text is None:
            self.bench.say("It is made without a model.")
            return
        self._replacing(lambda: self._make(lambda: Wanted(left=shown.wanted.left)))

    def action_command(self) -> None:
        """A draft by the command of the settings."""
        shown, drafting = self.shown, self._drafting
        if shown is None or drafting is None or self._busy():
            return
        if shown.materials.empty:
            self.bench.say("There is nothing to draft from.", "warning")
            return
        begin = partial(drafting.start, shown, self._tell)
        self._replacing(begin) if shown.wanted.maker == YOURS else begin()

    def _replacing(self, then: Callable[[], object]) -> None:
        """Ask before a text goes that somebody wrote."""
        words = "The draft as it is now goes. Reasons for what is left out stay."

        def answered(yes: bool | None) -> None:
            if yes:
                self._notes = []
                then()

        self.bench.push_screen(Confirm("Make another draft?", words, "Make it", start="cancel"), answered)

    def _drafted(self, given: str) -> None:
        """The command gave a text: it is a draft like any other, checked and shown."""
        shown = self.shown
        if shown is not None and self.is_attached:
            self._notes = []
            self._make(lambda: sheets.edited(shown, given, "drafted by the command"))

    def _not_drafted(self, error: Exception) -> bool:
        if not isinstance(error, MemdeskError):
            return False
        if self.is_attached:
            self._notes = refusal_lines(error)
            self._tell()
            self._selected()
            self.draft.action_scroll_home()
        return True

    def action_problem(self, by: int) -> None:
        """Go to the next problem: its line in the draft, or the entry that it is about."""
        look = self._look
        if look is None or not look.shown.problems:
            self.bench.say("There is no problem.")
            return
        self._problem = (self._problem + by) % len(look.shown.problems) if self._problem >= 0 or by > 0 else -1
        problem = look.shown.problems[self._problem]
        if problem.row is not None:
            self.lines.select(problem.row.entry.id)
            self.draft.action_scroll_home()
        elif problem.line in look.drawn.at:
            self._bring(look.drawn.at[problem.line] + (len(self.draft._paras) - len(look.drawn.paras)))
        else:
            self.draft.action_scroll_home()
        self.bench.say(f"{problem.message} {problem.remedy}".strip(), "warning")

    def action_filter(self) -> None:
        self.finder.open_filter()

    def action_accept(self) -> None:
        """The exact diff, to be confirmed."""
        shown = self.shown
        if shown is None or self._busy():
            return
        if shown.problems or shown.stale:
            self.action_problem(1) if shown.problems else self.bench.say("The files changed: t takes that in.", "warning")
            return
        if shown.materials.empty:
            self.bench.say("There is nothing to compact.")
            return
        self.bench.push_screen(Accept(shown), self._accepted)

    def _accepted(self, receipt: Receipt | None) -> None:
        if receipt is not None:
            self.bench.drafts.pop(self._place, None)
            bench = self.bench
            self.dismiss(None)
            bench.after_commit(receipt)

    def action_leave(self) -> None:
        """Call the command off where one runs; else close, and keep what was written for the next time."""
        drafting = self._drafting
        if drafting is not None and drafting.running:
            drafting.stop()
            self._tell()
            return
        self.dismiss(None)

    def _busy(self) -> bool:
        """Whether a command drafts: then nothing else is begun."""
        if self._drafting is not None and self._drafting.running:
            self.bench.say("A draft is being made; Esc calls it off.", "warning")
            return True
        return False

    def _title(self, row: Row) -> str:
        return next((one.item.title for one in self.lines.rows if one.key == row.entry.id), "")

    @on(Lines.Moved)
    @on(Lines.Marked)
    def _moved(self, event: Lines.Moved | Lines.Marked) -> None:
        event.stop()

    @on(Lines.Opened)
    def _opened(self, event: Lines.Opened) -> None:
        event.stop()
        self.action_accept()

    @on(Reading.Left)
    def _left(self) -> None:
        self.action_leave()

    @on(Button.Pressed)
    def _pressed(self, event: Button.Pressed) -> None:
        event.stop()
        self.action_leave() if event.button.id == "compact-no" else self.action_accept()


class Accept(Asking):
    """The plan of a draft: its exact diff, and a yes."""

    def __init__(self, shown: Sheet) -> None:
        super().__init__(f"Compact · {shown.materials.feature}", "compact", lambda: self.making()())
        self._sheet = shown

    def making(self) -> Callable[[], Plan]:
        desk, asked = self.bench.desk, sheets.request(self._sheet)
        asked = asked._replace(answers=self.questions.words())
        return lambda: desk.plan(asked)


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
    noted: Any = None if row is None else row.noted
    return " · ".join(part for part in (noted.task, noted.section) if part) if noted is not None else ""
