"""What a branch adds to and takes from every task's pack: in the Context pane, in the place of the pack.

Left the tasks and the account of the selected one, beside them what is selected in full. Nothing here is written.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from textual import events, on
from textual.app import ComposeResult
from textual.containers import Container
from textual.message import Message
from textual.widgets import Input, Static

from memdesk.tui import keymaps, text, verbs, wordiff
from memdesk.tui.panes import against_rows as rows
from memdesk.tui.panes import against_shown as shown
from memdesk.tui.panes.against_found import Found
from memdesk.tui.panes.against_looks import Looks
from memdesk.tui.panes.against_rows import EntryRow, FileRow, SaidRow, TaskRow
from memdesk.tui.panes.base import Pane
from memdesk.tui.widgets.finder import Finder, Texts
from memdesk.tui.widgets.form import OneLine
from memdesk.tui.widgets.lines import Lines
from memdesk.tui.widgets.reading import Para, Reading
from memdesk.tui.widgets.sides import Sides, plain

if TYPE_CHECKING:
    from memdesk.core.packdiff import Difference
    from memdesk.tui.app import Workbench

SLOW = 0.2  # seconds after which it says that it compares, and what stops it (UX.md)
POLL = 2.0  # seconds between two looks at where git's branches are: nothing tells of a commit
NO_STORE = "There is no store here, nor was one at {base}.\n\nmemdesk init makes one; then come back."


class Against(Container):
    """One comparison at a time. `begin` begins it; it goes on by itself as files and branches change."""

    class Closed(Message):
        """Escape in a list: back to the pack."""

    def __init__(self, task: str = "") -> None:
        super().__init__(id="context-against")
        self.looks = Looks(self._show, self._failed)
        self._wanted = task  # the task to select once it is there
        self._asking = False  # another base is asked for as soon as it is shown
        self._typed: str | None = None  # what was typed and is being compared with
        self._shown = ""  # the task whose account is shown
        self._of_task = True  # the task is shown in full, and not what is selected in the account
        self._texts: list[list[Para]] = []
        self._spans: list[wordiff.Spans] | None = None
        self.tasks = Finder(
            rows.draw_task, rows.haystack, id="against-tasks",
            texts=Texts(loading="Comparing the packs…", filtered="No task or module holds these words.\n\nEscape shows all."),
        )
        self.account = Finder(
            rows.draw_account, rows.haystack, id="against-account",
            texts=Texts(empty="", loading="", filtered="No file or entry holds these words.\n\nEscape shows all."),
        )
        self.tasks.border_title, self.account.border_title = "Against main", "What changes"
        self.tasks.lines.at_move, self.account.lines.at_move = self._task_moved, self._paint
        self.reading = Sides(id="against-reading", classes="framed")
        self._why = Static("", id="against-why")
        self._base = OneLine(placeholder="a branch, a tag or a commit", compact=True, id="against-base")

    def compose(self) -> ComposeResult:
        with Container(id="against-left"):
            with Container(id="against-lists"):
                yield self.tasks
                yield self.account
            yield self._why
            yield self._base
        yield self.reading

    def on_mount(self) -> None:
        self._base.display = False
        self.set_interval(POLL, self._look)
        self.take_focus()
        self.begin()
        if self._asking:
            self._open_base()

    @property
    def bench(self) -> Workbench:
        return cast("Workbench", self.app)

    # What the pane asks.

    @property
    def found(self) -> Found | None:
        """The newest comparison."""
        return self.looks.found

    @property
    def difference(self) -> Difference | None:
        """What is selected among the tasks."""
        item = self.tasks.lines.item
        return item.one if isinstance(item, TaskRow) else None

    @property
    def item(self) -> EntryRow | FileRow | SaidRow | None:
        """What is selected in the account, while that or the reading pane has the focus."""
        item = self.account.lines.item
        return None if self._of_task or not isinstance(item, EntryRow | FileRow | SaidRow) else item

    @property
    def ident(self) -> str:
        """The id of the selected entry, where it is in the working tree; else ""."""
        item = self.item
        return item.after.id if isinstance(item, EntryRow) and item.after is not None else ""

    @property
    def spot(self) -> tuple[str, int] | None:
        """Where what is selected is in the working tree."""
        item = self.item
        if isinstance(item, EntryRow):
            return item.here if item.after is None else (item.after.path, item.after.line)
        return (item.path, 1) if isinstance(item, FileRow) and item.here else None

    @property
    def gone(self) -> str:
        """Why what is selected can't be gone to: "" where it can."""
        item = self.item
        if self.spot is not None or not isinstance(item, EntryRow | FileRow):
            return ""
        where = rows.place(item.seen) if isinstance(item, EntryRow) else item.path
        return f"It is only in {self._called}: {where} is not what it was here."

    @property
    def copied(self) -> tuple[str, str] | None:
        """The text of what is selected, and what it is called."""
        item = self.item
        if isinstance(item, EntryRow):
            return item.seen.text, f"“{rows.title(item.seen)}”" + ("" if item.after else f" as it is in {self._called}")
        words = rows.explained(self.tasks.lines.item if self._of_task else item, self._called)
        return (words, "the line") if words else None

    @property
    def _called(self) -> str:
        return self.found.base.name if self.found is not None and self.found.base is not None else "the base"

    def take_focus(self) -> None:
        self.tasks.take_focus()

    # Comparing.

    def begin(self, asked: str | None = None) -> None:
        """Compare with what is asked, or once more with what was; what is shown stays until it is done."""
        self.looks.begin(self.bench, asked)
        self.set_timer(SLOW, self._titles)

    def _look(self) -> None:
        """Nothing tells of a commit: now and then it is looked whether a branch moved since it was compared."""
        if self.is_attached and self.bench.screen is self.screen and self.size.width:
            self.looks.look(self.bench)

    def open(self, task: str) -> None:
        """Shown again, with another task selected; what was compared stands there until it is compared anew."""
        self._wanted = task
        self.take_focus()
        self.begin()

    def close(self) -> None:
        """Nothing is compared any more while the pack is shown."""
        self.looks.stop()
        self._close_base()

    def _stop(self) -> bool:
        """Calls off what is under way; False where nothing is."""
        if not self.looks.stop():
            return False
        if self.found is None:
            self.tasks.fail(f"Stopped before anything was compared.\n\n{self._key('refresh')} compares again.")
        self._titles()
        return True

    def _failed(self, asked: str, error: Exception) -> None:
        """Why there is none: beside what was typed, which stays; else in the place of the list."""
        if not self.is_attached:
            return
        words = Pane.failure(error)
        if self._typed == asked:
            self._typed = None
            self._say(" ".join(words.split("\n\n")))
        else:
            self.tasks.set_rows([])
            self.tasks.fail(words)
        self._titles()

    def _show(self, found: Found) -> None:
        if not self.is_attached:
            return
        if self._typed == found.asked:
            self._close_base()
        made = found.made
        nothing = found.nothing or (
            NO_STORE.format(base=self._called) if made is not None and not made.differences else ""
        )
        if found.nothing:
            nothing += f"\n\n{self._key('base')} names a branch, a tag or a commit to compare with."
        self.tasks.texts = self.tasks.texts._replace(empty=nothing)
        self.set_class(bool(nothing), "-nothing")
        self.tasks.set_rows([] if made is None else rows.task_rows(made.differences))
        if self._wanted:
            wanted, self._wanted = self._wanted, ""
            for row in self.tasks.lines.rows:
                if isinstance(row.item, TaskRow) and row.item.name == wanted:
                    self.tasks.lines.select(row.key)
                    break
        self._task_moved()
        self.changed()

    def _task_moved(self) -> None:
        """Another task is selected, or what is known of it is another."""
        one, found = self.difference, self.found
        if one is None or found is None:
            self.account.texts = self.account.texts._replace(empty="")
            self.account.set_rows([])
        else:
            same = f"= The same as at {self._called}." if one.empty else "See beside."
            self.account.texts = self.account.texts._replace(empty=same)
            self.account.set_rows(found.accounts[rows.task_key(one)])
            if rows.task_key(one) != self._shown:
                self._shown = rows.task_key(one)
                first = next((row.key for row in self.account.lines.shown if isinstance(row.item, EntryRow)), "")
                self.account.lines.select(first)
        self._titles()
        self._paint()

    # What is shown.

    def _titles(self) -> None:
        if not self.is_attached:
            return
        found, one = self.found, self.difference
        base = found.base.words if found is not None and found.base is not None else ""
        self.tasks.border_title = text.content_line(f"Against {base}" if base else "Against main")
        said = "⋯ comparing · Esc stops" if self.looks.busy else ""
        if self.looks.stopped and found is not None:
            said = f"! stopped: {self._key('refresh')} compares again"
        self.tasks.border_subtitle = text.content_line(said) if said else None
        self.account.border_title = text.content_line(f"What changes · {one.module or one.task}" if one else "What changes")

    def _paint(self) -> None:
        """The reading pane and the line of words, as what is selected has it."""
        found, item, one = self.found, self.item, self.difference
        if found is None or found.base is None or one is None:
            self.reading.border_title = None
            self.reading.show([], "nothing")
            if not self._base.display:
                self._say("")
            return
        base, subject = found.base.name, f"{rows.task_key(one)}\n{self.account.lines.key if item else ''}"
        if not self._base.display:
            self._say(rows.explained(item or self.tasks.lines.item, base))
        if isinstance(item, EntryRow):
            self.reading.border_title = text.content_line(rows.title(item.seen))
            self._compare(item)
            whole = shown.entry(item, base, self._texts, self._spans)
            self.reading.show_sides(whole.above, whole.sides, (), subject, whole.stacked or whole.above)
            return
        self.reading.border_title = text.content_line(
            item.name if isinstance(item, FileRow) else item.word if item is not None else one.module or one.task
        )
        if isinstance(item, FileRow):
            entries = [row.item for row in self.account.lines.rows if isinstance(row.item, EntryRow)]
            self.reading.show(shown.file(item, base, [each for each in entries if each.seen.path == item.path]), subject)
        elif item is not None:
            self.reading.show(shown.said(item), subject)
        else:
            items = [row.item for row in self.account.lines.rows]
            self.reading.show(shown.summary(one, found, items, self._key("base")), subject)

    def _compare(self, item: EntryRow) -> None:
        """What differs between the texts of a changed entry; of long ones in a thread."""
        texts = shown.texts(item)
        if texts == self._texts:
            return
        self._texts, self._spans = texts, None
        if not wordiff.long([plain(paras) for paras in texts]):
            self._spans = shown.spans_of(texts)
            return

        def compared(spans: list[wordiff.Spans]) -> None:
            if texts is self._texts and self.is_attached:
                self._spans = spans
                self._paint()

        self.bench.work(
            lambda: shown.spans_of(texts), compared, doing="compare the texts", group="differences", exclusive=True, turn=False
        )

    def _say(self, words: str) -> None:
        self._why.update(text.content_line(words))
        self._why.display = bool(words)

    def _key(self, ident: str) -> str:
        return keymaps.shown_key(verbs.BY_ID[ident], self.bench.keymap_)

    def changed(self) -> None:
        """Tell the footer that what is selected is another."""
        from memdesk.tui.messages import SituationChanged

        self.post_message(SituationChanged())

    # The lists.

    @on(events.DescendantFocus)
    def _focused(self, event: events.DescendantFocus) -> None:
        of_task = self._of_task
        if self.tasks.has_focus_within:
            self._of_task = True
        elif self.account.has_focus_within:
            self._of_task = False
        if of_task != self._of_task:
            self._paint()

    @on(Lines.Moved)
    def _moved(self, event: Lines.Moved) -> None:
        event.stop()
        self.changed()

    @on(Finder.Changed)
    def _filtered(self, event: Finder.Changed) -> None:
        event.stop()
        self._task_moved() if event.finder is self.tasks else self._paint()

    @on(Lines.Opened)
    def _opened(self, event: Lines.Opened) -> None:
        event.stop()
        if event.lines is self.tasks.lines and self.account.lines.count:
            self.account.take_focus()
        else:
            self.bench.run_verb("read")

    @on(Reading.Left)
    def _left_reading(self, event: Reading.Left) -> None:
        event.stop()
        cast("Container", self.parent).remove_class("-reading")
        (self.tasks if self._of_task else self.account).take_focus()

    def on_key(self, event: events.Key) -> None:
        if event.key != "escape":
            return
        event.stop()
        if self._base.has_focus:
            self._close_base()
            self.take_focus()
        elif not self._stop():
            self.post_message(self.Closed())

    @property
    def list_(self) -> Finder:
        """The list that keys for lists go to."""
        return self.tasks if self._of_task else self.account

    def next_task(self) -> None:
        """To the next task that differs."""
        shown = [(row.key, row.item.one) for row in self.tasks.lines.shown if isinstance(row.item, TaskRow)]
        at = next((at for at, (key, _) in enumerate(shown) if key == self.tasks.lines.key), -1)
        differ = [key for key, one in (*shown[at + 1 :], *shown[: at + 1]) if not one.empty or one.failures]
        if differ:
            self.tasks.lines.select(differ[0])
        else:
            self.bench.say(f"Every task reads the same as at {self._called}.")

    # Another base.

    def ask_base(self) -> None:
        """A line for another revision; what was typed stands there."""
        if self.is_mounted:
            self._open_base()
        else:
            self._asking = True

    def _open_base(self) -> None:
        self._base.value = self.looks.asked
        self._base.display = True
        self.add_class("-asking")
        self._base.focus()
        self._say("A branch, tag or commit; REV... is where this left REV. Empty: the main branch. Esc keeps what is shown.")

    @on(Input.Submitted, "#against-base")
    def _base_typed(self, event: Input.Submitted) -> None:
        event.stop()
        self._typed = self._base.value.strip()
        self.begin(self._typed)

    def _close_base(self) -> None:
        had = self._base.has_focus
        self._typed = None
        self._base.display = False
        self.remove_class("-asking")
        if had:
            self.take_focus()
        self._paint()
