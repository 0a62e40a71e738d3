"""Compacting a feature's fragments: on one side what became of each entry, on the other the draft of the memory, whole.

Nothing is left out in silence: an entry is carried, folded into what says the same, or left out with a reason that a person
gave. Accepting opens the exact diff, to be confirmed like any plan; until then nothing is written.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from textual import on
from textual.binding import Binding
from textual.widgets import Button

from memdesk.core.compacting.account import FOLDED, LEFT, Row
from memdesk.core.compacting.prompting import prompt
from memdesk.tui import text
from memdesk.tui.dialogs import compact_rows as looks
from memdesk.tui.dialogs import compact_sheet as sheets
from memdesk.tui.dialogs.asking import Asking
from memdesk.tui.dialogs.compact_frame import Frame
from memdesk.tui.dialogs.compact_sheet import Sheet, Wanted
from memdesk.tui.dialogs.confirm import Confirm
from memdesk.tui.dialogs.reason import Reason
from memdesk.tui.widgets.lines import Lines
from memdesk.tui.widgets.reading import Reading

if TYPE_CHECKING:
    from memdesk.core.plan import Plan, Receipt

YOURS = "edited by you"


class Compacting(Frame):
    """What a person does with a draft. It is dropped once it is accepted, and kept where the screen is left."""

    BINDINGS = [
        Binding("escape", "leave", "Cancel"), Binding("ctrl+s", "accept", "Accept"),
        Binding("x", "leave_out", "Leave out"), Binding("i", "take_in", "Take in"), Binding("space", "mark", "Mark"),
        Binding("e", "edit", "Edit"), Binding("d", "command", "By command"), Binding("m", "plain", "Without"),
        Binding("t", "arrived", "Take in what came"), Binding("n", "problem(1)", "Next problem"),
        Binding("N", "problem(-1)", "Last problem", show=False), Binding("slash", "filter", "Filter", show=False),
        Binding("tab", "app.focus_next", show=False), Binding("shift+tab", "app.focus_previous", show=False),
    ]

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
        begin = partial(drafting.start, lambda: prompt(shown.materials, shown.stamp), self._tell)
        self._replacing(begin) if shown.wanted.maker == YOURS else begin()

    def _replacing(self, then: Callable[[], object]) -> None:
        """Ask before a text goes that somebody wrote."""
        words = "The draft as it is now goes. Reasons for what is left out stay."

        def answered(yes: bool | None) -> None:
            if yes:
                self._notes = []
                then()

        self.bench.push_screen(Confirm("Make another draft?", words, "Make it", start="cancel"), answered)

    def action_problem(self, by: int) -> None:
        """Go to the next problem: the entry that it is about, and its line in the draft."""
        look = self._look
        if look is None or not look.shown.problems:
            self.bench.say("There is no problem.")
            return
        self._problem = (self._problem + by) % len(look.shown.problems) if self._problem >= 0 or by > 0 else -1
        problem = look.shown.problems[self._problem]
        about = problem.row or next((row for row in look.shown.rows if problem.line in looks.lines_of(look.shown, row)), None)
        if about is not None:
            self.lines.select(about.entry.id)
        if problem.line is not None:
            self.bring(problem.line)
            self.bench.say(f"Line {problem.line}: {problem.message} {problem.remedy}".strip(), "warning")
        else:
            self.draft.action_scroll_home()  # it stands on top

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
