"""Where sources disagree: the texts beside each other, which one wins and why, and every way to settle it by one key.

Conflicts of git in memory files stand first, entry by entry; the file is written once all its entries are answered.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Container

from memdesk.core.lean import NamedTuple
from memdesk.tui import keymaps, messages, text, verbs
from memdesk.tui.allowed import Situation
from memdesk.tui.panes import conflict_rows as rows
from memdesk.tui.panes import conflict_sides as shown
from memdesk.tui.panes.conflict_alike import Compares
from memdesk.tui.panes.conflict_looks import Looks
from memdesk.tui.panes.conflict_marks import Answer, Answers, File, Part, files, waiting
from memdesk.tui.panes.conflict_rows import Clash
from memdesk.tui.panes.listing import ListPane
from memdesk.tui.widgets.finder import Finder, Texts
from memdesk.tui.widgets.options import Options
from memdesk.tui.widgets.reading import Para, rule
from memdesk.tui.widgets.sides import WIDE, Sides

if TYPE_CHECKING:
    from memdesk.core.desk import Desk
    from memdesk.core.layouts.base import Version
    from memdesk.core.model import Entry

LOW = 30  # lines of the screen from which on there is room for the choices in full
NO_STORE = "There is no store here.\n\nmemdesk init makes one."


class Found(NamedTuple):
    """What a reading of the stores has; `trouble`: why what people decided can't be read, or ""."""

    files: list[File]
    clashes: list[Clash]
    trouble: str


class ConflictsPane(ListPane):
    """The list of conflicts, the sides of the selected one, and the choices."""

    name_ = "conflicts"
    BINDINGS = [
        *keymaps.bindings("conflicts"),
        Binding("right", "side(1)", "Other side", show=False), Binding("left", "side(-1)", "Other side", show=False),
    ]
    texts = Texts(
        empty="✓ No two sources disagree.\n\nWhat waits is in the Inbox (1), what the check finds in Health (5).",
        loading="Looking for conflicts…",
        filtered="No conflict holds these words.\n\nEscape shows all again.",
    )

    def __init__(self) -> None:
        super().__init__()
        self._found = Found([], [], "")
        self._answers = Answers()
        self._with_dismissed = False
        self._place_wanted = ""
        self._came: dict[str, str] = {}  # an entry that a way to settle changed -> the conflict that it was chosen for
        self._side = 0
        self._subject = ""  # the key of what is shown
        self._options: list[shown.Line] = []
        self.looks = Looks(self._told)
        self._compares = Compares(self._compared, self._titles)
        self.finder = Finder(rows.draw, rows.haystack, texts=self.texts, id="conflicts-list")
        self.reading: Sides = Sides(id="conflicts-sides", classes="framed")
        self.options = Options(id="conflicts-options")
        self.finder.border_title = "Conflicts"
        self.lines.at_move = self._selected

    def compose(self) -> ComposeResult:
        with Container(id="conflicts-body"):
            yield self.finder
            with Container(id="conflicts-right"):
                yield self.reading
                yield self.options

    # What the app asks.

    @property
    def item(self) -> Clash | Part | File | None:
        """What is selected."""
        found: Clash | Part | File | None = self.lines.item
        return found

    @property
    def entry(self) -> Entry | None:
        """The entry of the side that is chosen."""
        item = self.item
        return self._chosen_side(item).entry if isinstance(item, Clash) else None

    def _chosen_side(self, item: Clash) -> Version:
        return item.conflict.sides[min(self._side, len(item.conflict.sides) - 1)]

    @property
    def selection(self) -> tuple[str, ...]:
        entry = self.entry
        return (entry.id,) if entry is not None else ()

    @property
    def spot(self) -> tuple[str, int] | None:
        item = self.item
        if isinstance(item, Clash):
            side = self._chosen_side(item)
            return side.entry.path, side.line
        if isinstance(item, Part):
            return item.path, item.line
        return (item.path, getattr(item.problem, "line", None) or 1) if isinstance(item, File) else None

    @property
    def count(self) -> int | None:
        """Those that wait for someone: open conflicts, and entries with git's markers."""
        if not self.finder.loaded:
            return None
        return waiting(self._found.files) + sum(1 for clash in self._clashes if clash.judgment is None)

    @property
    def _clashes(self) -> list[Clash]:
        return [*self._found.clashes, *self._compares.found.clashes]

    def situation(self) -> Situation:
        offered = {line.ident: line.why_not for line in self._options}
        return super().situation()._replace(place=self.spot is not None, offered=offered)

    def painted_at(self) -> float:
        return self.lines.painted_at

    def place(self) -> Any:
        return self.lines.key

    def return_to(self, place: Any) -> None:
        """To a conflict by its id, or to one in which an entry of that id takes part."""
        self._place_wanted = str(place)
        self._go_back()

    def _go_back(self) -> None:
        wanted = self._place_wanted
        if not wanted or self.lines.select(self._came.get(wanted, wanted)):
            self._place_wanted = ""
            return
        for row in self.lines.rows:
            if isinstance(row.item, Clash) and any(entry.id == wanted for entry in row.item.conflict.entries):
                self.lines.select(row.key)
                self._place_wanted = ""
                return

    def refresh_from(self, desk: Desk) -> None:
        self.bench.work(
            lambda: read(desk), self._show, doing="look for conflicts", group="conflicts", exclusive=True,
            otherwise=self._failed,
        )

    def _failed(self, error: Exception) -> bool:
        self.finder.fail(f"The conflicts could not be looked for.\n\n{self.failure(error)}")
        return True

    def _show(self, found: Found) -> None:
        self._found = found
        self._compares.begin(self.bench)
        self._compared()

    def _compared(self) -> None:
        """What was found, as far as the comparison of all entries is."""
        self.finder.texts = self.texts._replace(empty=self._nothing())
        self._arrange()
        self._go_back()
        if self._compares.share is None:
            self._place_wanted = ""

    def _nothing(self) -> str:
        """What to say where the list is empty."""
        if not self.bench.desk.workspace.stores:
            return self.nowhere() or NO_STORE
        words = self.nowhere() or (self.texts.empty if self._compares.share is None else self.texts.loading)
        hidden = sum(1 for clash in self._clashes if clash.judgment is not None)
        if hidden:
            key = keymaps.shown_key(verbs.BY_ID["dismissed"], self.bench.keymap_)
            words += f"\n\n{hidden} dismissed: {key} shows {'it' if hidden == 1 else 'them'}."
        return words

    def _arrange(self) -> None:
        """The list anew, from what was found, what was answered and what is to be shown."""
        answered = [self._answers.of(file) for file in self._found.files]
        self._found = self._found._replace(files=answered)
        self.finder.set_rows(rows.rows_of(answered, self._clashes, dismissed=self._with_dismissed))
        self._titles()
        self._selected()
        self.changed()

    def _titles(self) -> None:
        found, compares = self._found, self._compares
        open_ = sum(1 for clash in self._clashes if clash.judgment is None)
        words = f"{open_} open"
        if found.files:
            words = f"{waiting(found.files)} of git · {words}"
        hidden = len(self._clashes) - open_
        if hidden:
            words += f" · {hidden} dismissed"
        if self.lines.filter_words:
            words = f"{self.lines.count} shown of {words}"
        self.finder.border_title = text.content_line(f"Conflicts · {words}")
        said = f"✕ {found.trouble}" if found.trouble else compares.words
        self.finder.border_subtitle = text.content_line(said) if said else None

    # The sides.

    def on_resize(self) -> None:
        """In another size the choices may stand elsewhere."""
        if self.finder.loaded:
            self._paint()

    def _selected(self) -> None:
        """Another conflict is selected, or what is known of it is another: its sides, then what takes time."""
        key, item = self.lines.key, self.item
        if key != self._subject:
            self._subject, self._side = key, 0
        self.looks.take(self.bench, item if isinstance(item, Clash | Part) else None)
        self._paint()

    def _told(self) -> None:
        self._paint()
        self.changed()

    def _paint(self) -> None:
        looks, item, file = self.looks, self.looks.item, self._file
        if item is None:
            self.reading.border_title = text.content_line(file.path) if file is not None else None
            self.reading.show_sides(shown.of_file(file) if file is not None else (), (), (), self._subject)
            self._options = shown.choices_of_file(file) if file is not None else []
            self._show_options()
            return
        self.reading.border_title = text.content_line(item.title if isinstance(item, Part) else item.name)
        if isinstance(item, Part):
            self._options = shown.choices_of_part(file, item) if file is not None else []
        else:
            self._options = shown.choices_of(item, looks.choices or (), self._chosen_side(item).entry)
        below = shown.below(item)
        if self._low and self._options:
            below += [*([Para()] if below else []), rule("ways to settle it"), *self._choices()]
        self.reading.show_sides(
            shown.above(item, file), shown.sides(item, looks.texts, looks.spans, self._side, looks.blames), below, self._subject
        )
        self._show_options()

    @property
    def _low(self) -> bool:
        """Whether there is no room for the choices in full: they then stand below the texts, and in short where they stood."""
        return self.app.size.width < WIDE or self.app.size.height < LOW

    def _choices(self) -> list[Para]:
        return shown.choice_paras(self._options, self._keys(), self.bench.read_only)

    def _keys(self) -> dict[str, str]:
        keymap = self.bench.keymap_
        return {line.ident: keymaps.shown_key(verbs.BY_ID[line.ident], keymap) for line in self._options}

    def _show_options(self) -> None:
        if self._low:
            short = shown.choices_in_short(self._options, self._keys(), self.bench.read_only)
            self.options.show_options([short] if self._options else [], (), self._subject)
        else:
            self.options.show_options(self._choices(), self._options, self._subject)

    @property
    def _file(self) -> File | None:
        """The file with markers that is selected, or whose entry is."""
        item = self.item
        path = item.path if isinstance(item, Part | File) else None
        return next((file for file in self._found.files if file.path == path), None)

    def action_side(self, by: int) -> None:
        """To another side: what `o`, `h`, `w` and `y` speak of, and what is kept where either could be."""
        count = len(self.looks.texts)
        if count:
            self._side = (self._side + by) % count
            self._paint()
            self.changed()

    def do_side(self) -> None:
        self.action_side(1)

    # Settling.

    @on(Options.Chosen)
    def _clicked(self, event: Options.Chosen) -> None:
        event.stop()
        self.bench.run_verb(event.ident)

    def _settle(self, ident: str) -> None:
        line = next((line for line in self._options if line.ident == ident), None)
        if line is not None and line.choice is not None:
            from memdesk.tui.dialogs.verdict import open_verdict

            choice = line.choice
            self._came |= dict.fromkeys(choice.ids, self.lines.key)
            open_verdict(self.bench, choice.verb, choice.ids, choice.words, choice.store)

    def _answer(self, word: str, edited: str = "") -> None:
        item, file = self.item, self._file
        if not isinstance(item, Part) or file is None:
            return
        self.bench.let_keys_go()  # no dialog opens that they could wait for
        self._answers.give(file, item, Answer(word, edited))
        self._arrange()
        file = self._file
        left = next((part for part in file.parts if part.answer is None), None) if file is not None else None
        if left is not None:
            self.lines.select(left.key)

    def do_follow(self) -> None:
        self._settle("follow")

    def do_supersede(self) -> None:
        self._settle("supersede")

    def do_merge_sides(self) -> None:
        self._settle("merge-sides")

    def do_dismiss(self) -> None:
        self._settle("dismiss")

    def do_both(self) -> None:
        if isinstance(self.item, Part):
            self._answer("both")
        else:
            self._settle("both")

    def do_amend(self) -> None:
        item = self.item
        if not isinstance(item, Part):
            self._settle("amend")
            return
        from memdesk.tui.editing import edited_outside

        edited = edited_outside(self.bench, (item.both if item.result is None else item.result).strip("\n") + "\n")
        if edited is not None:
            self._answer("edited", edited)

    def do_ours(self) -> None:
        self._answer("ours")

    def do_theirs(self) -> None:
        self._answer("theirs")

    def do_resolve(self) -> None:
        file = self._file
        if file is not None:
            from memdesk.tui.dialogs.resolving import open_resolve

            open_resolve(self.bench, file, self._answers)

    # Other actions.

    def do_dismissed(self) -> None:
        self._with_dismissed = not self._with_dismissed
        self._arrange()

    def do_read(self) -> None:
        if self.item is not None:
            super().do_read()

    def do_copy(self) -> None:
        item = self.item
        if isinstance(item, Clash):
            side = self._chosen_side(item)
            self.post_message(messages.CopyText(side.text, f"{side.entry.path}:{side.line}"))
        elif isinstance(item, Part):
            value = (item.ours, item.theirs)[self._side % 2]
            self.post_message(messages.CopyText(value, ("ours", "theirs")[self._side % 2]))

    def do_copy_all(self) -> None:
        self.post_message(messages.CopyText(self.reading.plain, "both sides, as shown"))


def read(desk: Desk) -> Found:
    """What is in conflict in the reading at hand. For a worker."""
    fault = desk.judgments_fault()
    return Found(files(desk), rows.clashes(desk, desk.conflicts()), str(fault) if fault is not None else "")
