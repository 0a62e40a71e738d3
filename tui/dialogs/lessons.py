"""What a command proposes for the project's memory from a feature's: a list of which nothing is chosen. Each that can be taken
opens the ordinary dialog of a promotion, filled in; whether the feature's review has passed is said there."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, cast

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal, Vertical
from textual.screen import ModalScreen
from textual.widgets import Button, Static

from memdesk.core import layouts
from memdesk.core.checks.secrets import mask
from memdesk.core.compacting import distilling
from memdesk.core.errors import MemdeskError, UnknownEntry
from memdesk.core.lean import NamedTuple
from memdesk.tui import text
from memdesk.tui.dialogs.compact_command import Drafting
from memdesk.tui.dialogs.features import Features
from memdesk.tui.dialogs.verdict import Verdict
from memdesk.tui.panes.inbox_rows import COMPACT, Feature
from memdesk.tui.widgets.diffview import refusal_lines
from memdesk.tui.widgets.lines import Lines, Row
from memdesk.tui.widgets.paint import Piece
from memdesk.tui.widgets.reading import Para, Reading, markdown, plain, rule

if TYPE_CHECKING:
    from memdesk.core.compacting.distilling import Distilled, Drafted, Source
    from memdesk.core.model import Entry
    from memdesk.core.plan import Receipt
    from memdesk.tui.app import Workbench

TICK = 0.5  # seconds between two looks at a command that drafts
STATES = {"": ("○ proposed", "strong"), "problem": ("✕ can't be taken", "bad"), "taken": ("✓ promoted", "good")}
GIVEN = "what the feature's memory and the project's say"  # what the command gets to read
STATE = 17  # cells of a state


class Lessons(NamedTuple):
    """An answer as it is on screen: what it was drawn from, and the numbers of the proposals that were promoted."""

    source: Source
    drafted: Drafted
    taken: frozenset[int] = frozenset()

    def state(self, one: Distilled) -> str:
        return "taken" if one.number in self.taken else "problem" if one.problems else ""


class Distilling(ModalScreen[None]):
    """The proposals for one feature. What a command gave is there again while the workbench is open."""

    BINDINGS = [
        Binding("escape", "leave", "Cancel"), Binding("p", "promote", "Promote"), Binding("d", "command", "Draft anew"),
        Binding("tab", "app.focus_next", show=False), Binding("shift+tab", "app.focus_previous", show=False),
    ]

    def __init__(self, feature: Feature) -> None:
        super().__init__()
        self._feature = feature
        self._drafting: Drafting | None = None
        self._failure: MemdeskError | None = None
        self.lines = Lines(self._draw, id="lessons-list", classes="framed")
        self.reading = Reading(id="lessons-text", classes="framed")
        self.lines.at_move = self._selected

    @property
    def bench(self) -> Workbench:
        return cast("Workbench", self.app)

    @property
    def shown(self) -> Lessons | None:
        """The answer that is on screen."""
        return self.bench.lessons.get(self._place)

    @property
    def _place(self) -> tuple[str, str, str]:
        return self._feature.store.path, self._feature.store.layout, self._feature.name

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog compacting") as box:
            box.border_subtitle = "⏎ promote… · d draft anew · Esc leave"
            yield Static(text.content_line(f"Project lessons · {self._feature.name}"), classes="dialog-title")
            yield Static("", id="compact-state")
            yield self.lines
            yield self.reading
            with Horizontal(classes="dialog-buttons"):
                yield Button("Leave (Esc)", id="compact-no", compact=True)

    def on_mount(self) -> None:
        self._drafting = Drafting(self.bench, self._drafted, self._not_drafted, GIVEN)
        self.set_interval(TICK, self._tick)
        self.lines.focus()
        self._show()
        if self.shown is None:
            self.action_command()

    def on_unmount(self) -> None:
        if self._drafting is not None:
            self._drafting.stop()

    # The command.

    def action_command(self) -> None:
        """Have the command propose; what it proposed before stays until it answers."""
        drafting, desk, feature = self._drafting, self.bench.desk, self._feature
        if drafting is None or self._busy():
            return

        def begin(source: Source) -> None:
            self._source = source
            drafting.start(lambda: distilling.prompt(source), self._tell)

        def gather() -> Source:
            store = next((one for one in desk.workspace.stores if (one.path, one.layout) == self._place[:2]), feature.store)
            return distilling.gather(desk.workspace, store, feature.name)

        self.bench.work(gather, begin, doing="read the feature", group="lessons", otherwise=self._not_drafted)

    def _drafted(self, given: str) -> None:
        source = self._source

        def done(found: Drafted) -> None:
            self._failure = None
            self.bench.lessons[self._place] = Lessons(source, found)
            self._show()

        self.bench.work(lambda: distilling.drafted(given, source), done, doing="read the answer", group="lessons")

    def _not_drafted(self, error: Exception) -> bool:
        if not isinstance(error, MemdeskError):
            return False
        if self.is_attached:
            self._failure = error
            self._show()
        return True

    def _busy(self) -> bool:
        if self._drafting is not None and self._drafting.running:
            self.bench.say("A draft is being made; Esc calls it off.", "warning")
            return True
        return False

    # What is on screen.

    def _show(self) -> None:
        shown = self.shown
        if self.is_attached:
            self.lines.set_rows([Row(str(one.number), one) for one in shown.drafted.proposals] if shown is not None else [])
            self._tell()
            self._selected()

    def _tell(self) -> None:
        shown, drafting = self.shown, self._drafting
        if drafting is not None and drafting.running:
            words = drafting.words
        elif shown is None:
            words = "There is no draft (d makes one)."
        else:
            number, besides = len(shown.drafted.proposals), len(shown.drafted.passed)
            words = f"{number} proposal{'' if number == 1 else 's'}, none chosen: a person decides on each"
            words += f" · ! {besides} other part{'' if besides == 1 else 's'} of the answer below" if besides else ""
        self.query_one("#compact-state", Static).update(text.content_line(words))

    def _tick(self) -> None:
        if self._drafting is not None and self._drafting.running:
            self._tell()

    def _draw(self, one: Any, width: int) -> list[Piece]:
        shown = self.shown
        words, role = STATES["" if shown is None else shown.state(one)]
        said = text.line(mask(f"{one.section}: {one.text}"))
        return [Piece(text.fit(words, STATE), role), Piece(text.fit(said, max(width - STATE, 1)))]

    def _selected(self) -> None:
        """The proposal in full, why it can't be taken, what it rests on; then what the answer says besides."""
        shown, one = self.shown, self.lines.item
        lines = refusal_lines(self._failure) if self._failure is not None else []
        if one is not None:
            lines += [
                Para((Piece("✕ ", "bad"), Piece(text.line(mask(problem)))), hang=2) for problem in one.problems
            ]
            lines += [Para(), rule(f"for {one.section}" if one.section else "for no section"), *markdown(mask(one.text))]
            for entry in one.rests:
                lines += [Para(), rule(f"from {entry.path}:{entry.line}"), *markdown(mask(entry.text))]
        for passed in shown.drafted.passed if shown is not None else ():
            lines += [Para(), rule(f"line {passed.line} of the answer, no proposal"), *plain(mask(passed.text))]
        self.reading.show(lines, "" if one is None else f"{one.number}")

    @on(Lines.Moved)
    @on(Lines.Marked)
    def _moved(self, event: Lines.Moved | Lines.Marked) -> None:
        event.stop()

    # What a person does.

    def action_promote(self) -> None:
        """The dialog of a promotion, with the proposal's section and text; what it asks besides the person says."""
        shown, one = self.shown, self.lines.item
        if shown is None or one is None or self._busy():
            return
        state = shown.state(one)
        entry = self._entry(one)
        if state == "taken":
            self.bench.say("It was promoted.", "warning")
        elif state == "problem":
            self.bench.say(mask(one.problems[0]), "warning")
        elif entry is None:
            self.bench.say("What it rests on has changed or was promoted since: d drafts anew.", "warning")
        else:
            words = {"section": one.section, "text": one.text}
            self.bench.push_screen(Verdict("promote", (entry.id,), words), partial(self._promoted, one.number))

    def _entry(self, one: Distilled) -> Entry | None:
        """What a proposal is promoted by, as far as it is still there."""
        for entry in [one.entry, *one.rests] if one.entry is not None else []:
            try:
                found = self.bench.desk.workspace.find(entry.id)
            except UnknownEntry:
                continue
            if layouts.get(found.layout).promotable(found):
                return found
        return None

    def _promoted(self, number: int, receipt: Receipt | None) -> None:
        shown = self.shown
        if receipt is not None and shown is not None:
            self.bench.lessons[self._place] = shown._replace(taken=shown.taken | {number})
            self.bench.after_commit(receipt)
            self._show()

    def action_leave(self) -> None:
        """Call the command off where one runs; else close."""
        drafting = self._drafting
        if drafting is not None and drafting.running:
            drafting.stop()
            self._tell()
        else:
            self.dismiss(None)

    @on(Lines.Opened)
    def _opened(self, event: Lines.Opened) -> None:
        event.stop()
        self.action_promote()

    @on(Reading.Left)
    def _left(self) -> None:
        self.action_leave()

    @on(Button.Pressed)
    def _pressed(self, event: Button.Pressed) -> None:
        event.stop()
        self.action_leave()


def open_lessons(bench: Workbench, entry: Entry | None = None) -> None:
    """The lessons of an entry's feature; without one, those of the only feature that has any, or of one that a person names."""
    workspace = bench.desk.workspace
    stores = [store for store in workspace.stores if COMPACT in layouts.get(store.layout).verbs]
    found = [
        Feature(store, name, number, workspace.store_name(store))
        for store in stores for name, number in distilling.distillable(workspace, store).items()
    ]
    group = () if entry is None else layouts.get(entry.layout).group(entry)
    mine = [one for one in found if entry is not None and one.store is entry.document.store and (one.name,) == group[:1]]

    def chosen(one: Feature | None) -> None:
        if one is not None:
            bench.push_screen(Distilling(one))

    if mine or len(found) == 1:
        chosen((mine or found)[0])
    elif not found:
        bench.say("No feature's memory has anything that could be promoted.")
    else:
        bench.push_screen(Features(found, "Project lessons: of which feature?", ("entry", "entries")), chosen)
