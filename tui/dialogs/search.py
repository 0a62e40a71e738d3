"""Search over every entry of all stores, struck ones and candidates too, opening at the hit."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, cast

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Container, Vertical
from textual.screen import ModalScreen
from textual.widgets import Input, Static

from memdesk.core.checks.secrets import heading
from memdesk.core.search import terms
from memdesk.tui import keymaps, messages, text, verbs
from memdesk.tui.allowed import Situation
from memdesk.tui.panes.base import named_anew
from memdesk.tui.panes.entry_text import entry_lines, title
from memdesk.tui.panes.inbox import current_text
from memdesk.tui.widgets.form import OneLine
from memdesk.tui.widgets.lines import Lines, Row
from memdesk.tui.widgets.paint import Piece
from memdesk.tui.widgets.reading import Para, Reading

if TYPE_CHECKING:
    from memdesk.core.model import Entry
    from memdesk.tui.app import Workbench

HOW = 'Every word must occur; "words in quotes" as they stand. Enter goes to the hits, Enter again opens one.'


class Search(ModalScreen[str | None]):
    """A line to type in, the hits, and the selected one in full. Verdicts work on it as in a pane. Dismissed with the id
    of a candidate to go to in the inbox, or None."""

    BINDINGS = [
        *keymaps.bindings("search"),
        Binding("escape", "back", "Close"),
        Binding(verbs.BY_ID["palette"].key, "app.verb('palette')", "Palette", id="palette", show=False),
    ]
    verbs_of = "search"  # whose actions its keys are

    def __init__(self) -> None:
        super().__init__()
        self._query = ""
        self._shown = ""  # the words whose hits are listed
        self._input = OneLine(placeholder="Search everything", compact=True, id="search-words")
        self.lines = Lines(self._draw, id="search-hits")
        self.reading = Reading(id="search-reading")
        self._state = Static(text.content(HOW), classes="state", id="search-state")

    @property
    def bench(self) -> Workbench:
        return cast("Workbench", self.app)

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog search"):
            yield Static("Search everything  (Esc closes)", classes="dialog-title")
            yield self._input
            yield self._state
            with Container(id="search-body"):
                yield self.lines
                yield self.reading

    def on_mount(self) -> None:
        self.query_one("#search-body").display = False
        self._input.focus()

    # Finding.

    @on(Input.Changed, "#search-words")
    def _typed(self, event: Input.Changed) -> None:
        event.stop()
        self._query = event.value
        self._find()

    def stores_changed(self) -> None:
        """The files were read again: search again; the selection stays."""
        self._find()

    def _find(self) -> None:
        desk, words = self.bench.desk, self._query
        if not terms(words):
            self._show("", [])
            return
        self.bench.work(
            lambda: [Row(entry.id, entry) for entry in desk.search(words)],
            partial(self._show, words),
            doing="search",
            group="search",
            exclusive=True,
        )

    def _show(self, words: str, rows: Sequence[Row]) -> None:
        if not self.is_attached or words.strip() != self._query.strip():
            return
        self.lines.set_rows(rows)
        if words != self._shown:
            self._shown = words
            self.lines.action_edge(-1)  # other words: the best hit, not the one that was selected before
        found = bool(rows)
        self.query_one("#search-body").display = found
        self._state.display = not found
        if not found:
            self._input.focus()  # what had it may have gone with the last hit
        asked = bool(terms(self._query))
        self._state.update(text.content("No entry of any store holds all of these words." if asked else HOW))
        count = f"{len(rows)} hit{'' if len(rows) == 1 else 's'}" if asked else "Search everything"
        self.query_one(".dialog-title", Static).update(text.content_line(f"{count}  (Esc closes)"))
        self._read()

    def _draw(self, item: Any, width: int) -> list[Piece]:
        entry: Entry = item
        where = f"{entry.path.rsplit('/', 1)[-1]}:{entry.line}"
        kind = "candidate " if entry.candidate else "struck " if entry.struck else ""
        name = text.fit(where, 22) if width >= 60 else text.fit(where, 16)
        return [
            Piece(name, "dim"),
            Piece(" "),
            Piece(kind, "tag" if entry.candidate else "dim"),
            Piece(title(entry), "struck" if entry.struck else ""),
        ]

    @property
    def entry(self) -> Entry | None:
        """The selected hit."""
        item = self.lines.item
        return cast("Entry", item) if item is not None else None

    def _read(self) -> None:
        entry = self.entry
        words = tuple(terms(self._query))
        paras: list[Para] = entry_lines(entry, "", None, words) if entry is not None else []
        self.reading.show(paras, self.lines.key)
        if words and entry is not None:
            for index, para in enumerate(paras):
                line = "".join(piece.text for piece in para.pieces).casefold()
                if index > 1 and any(word in line for word in words):
                    self.call_after_refresh(self._at, self.lines.key, max(index - 2, 0))
                    break

    def _at(self, key: str, index: int) -> None:
        if key == self.lines.key and index > max(self.reading.size.height - 4, 0):
            self.reading.scroll_to_para(index)

    # Moving.

    @on(Lines.Moved)
    def _moved(self, event: Lines.Moved) -> None:
        event.stop()
        self._read()

    @on(Input.Submitted, "#search-words")
    def _entered(self, event: Input.Submitted) -> None:
        event.stop()
        if self.lines.count:
            self.lines.focus()

    @on(Lines.Opened)
    def _opened(self, event: Lines.Opened) -> None:
        """A candidate in the inbox, where it can be promoted; any other entry here, in full."""
        event.stop()
        entry = self.entry
        if entry is not None and entry.candidate:
            self.dismiss(entry.id)
        else:
            self.set_class(True, "-reading")
            self.reading.focus()

    @on(Reading.Left)
    def _left_reading(self) -> None:
        self.set_class(False, "-reading")
        self.lines.focus()

    def on_key(self, event: events.Key) -> None:
        if event.key == "down" and self._input.has_focus and self.lines.count:
            event.stop()
            self.lines.focus()
        elif event.key == "slash" and self.lines.has_focus:
            event.stop()
            self._input.focus()

    def action_back(self) -> None:
        """Out; from a hit in full the first goes back to the hits."""
        self.dismiss(None)

    # Verbs.

    def situation(self) -> Situation:
        """What the selected hit allows."""
        entry = self.entry
        ids = () if entry is None else (entry.id,)
        desk = self.bench.desk
        return self.bench.situation()._replace(
            pane="search", selected=len(ids), labels=named_anew(desk, ids), candidate=desk.promotable(ids)
        )

    def action_verb(self, ident: str) -> None:
        """Carry out an action on the selected hit, or say why not."""
        verb = verbs.BY_ID[ident]
        entry = self.entry
        why = verb.refuse(self.situation())
        if why:
            self.bench.let_keys_go()
            self.bench.say(why, "warning")
            return
        if verb.group == "Verdicts" and self.bench.key_time < self.lines.painted_at:
            return  # pressed before the entry that it would act on was on screen
        if entry is not None:
            self._act(ident, entry)

    def _act(self, ident: str, entry: Entry) -> None:
        if ident == "open":
            self.post_message(messages.OpenPath(entry.path, entry.line))
        elif ident == "copy":
            self.post_message(messages.CopyText(current_text(entry), f"“{heading(entry)}”"))
        elif ident == "copy-all":
            self.post_message(messages.CopyText(entry.text, f"“{heading(entry)}” with its history"))
        elif ident == "loads":
            from memdesk.tui.dialogs.loads import Loads

            self.bench.push_screen(Loads(entry.path, entry.line))
        elif ident == "timeline":
            from memdesk.tui.dialogs.timeline import open_timeline

            open_timeline(self.bench, self.bench.desk.subjects((entry.id,))[0])
        else:
            self.post_message(messages.VerdictAsked(ident, (entry.id,)))


def open_search(bench: Workbench) -> None:
    """Open the search; a candidate that is chosen there is selected in the inbox."""

    def closed(ident: str | None) -> None:
        if ident is not None:
            bench.show_pane("inbox")
            pane = bench.pane
            if pane is not None:
                bench.call_after_refresh(pane.return_to, ident)

    bench.push_screen(Search(), closed)
