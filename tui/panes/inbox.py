"""The inbox: what waits for a decision, and the entry in full beside it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from textual.app import ComposeResult
from textual.containers import Container

from memdesk.core import layouts
from memdesk.core.checks.secrets import heading
from memdesk.core.model import UNPARSED
from memdesk.core.stops import held
from memdesk.tui import keymaps, messages, text
from memdesk.tui.allowed import Situation
from memdesk.tui.panes.base import Judging
from memdesk.tui.panes.entry_text import entry_lines, title
from memdesk.tui.panes.inbox_rows import Heading, Listing, Waiting, listing
from memdesk.tui.panes.listing import ListPane
from memdesk.tui.widgets.finder import Finder, Texts
from memdesk.tui.widgets.paint import Piece
from memdesk.tui.widgets.reading import Reading

if TYPE_CHECKING:
    from memdesk.core.desk import Desk
    from memdesk.core.model import Entry
    from memdesk.core.near import Match

TAG_CELLS = 9
NO_STORE = "There is no store here.\n\nmemdesk init makes one."
BY_FEATURE = "Nothing waits: the inbox is empty.\n\nmemdesk add TEXT --feature F --task-id T leaves a fragment here."
UNREAD = "What waits there is not shown until that is mended: see Health (5)."


class InboxPane(Judging, ListPane):
    """Candidates of all stores, one list and one reading pane."""

    name_ = "inbox"
    eager = True
    BINDINGS = keymaps.bindings("inbox")
    texts = Texts(
        empty="Nothing waits: the inbox is empty.\n\nmemdesk add TEXT puts a candidate here.",
        loading="Reading the inbox…",
        filtered="No candidate holds these words.\n\nEscape shows all again.",
    )

    def __init__(self) -> None:
        super().__init__()
        self._newest_first = False
        self._place_wanted = ""  # the candidate to select once it is there
        self._with_snoozed = False
        self._near: dict[str, tuple[Match, ...]] = {}  # by id, which changes with the text
        self._held: dict[str, list[str]] = {}  # secrets and example values, by id
        self._opposed: dict[str, str] = {}  # why it would be in conflict if it held, by id
        self._asked: set[str] = set()
        self._wanted: list[Waiting] = []
        self._compactable: frozenset[tuple[str, ...]] = frozenset()  # groups whose feature has files that wait
        self._unread: list[str] = []  # inboxes whose candidates cannot be shown, and why
        self.finder = Finder(self.draw, _haystack, texts=self.texts, id="inbox-list")
        self.reading = Reading(id="inbox-reading", classes="framed")
        self.finder.border_title = "Inbox"
        self.lines.at_move = self._selected

    def compose(self) -> ComposeResult:
        with Container(id="inbox-body"):
            yield self.finder
            yield self.reading

    # What the app asks.

    @property
    def selection(self) -> tuple[str, ...]:
        return self.lines.chosen

    @property
    def count(self) -> int | None:
        return self.lines.total if self.finder.loaded else None

    @property
    def entry(self) -> Entry | None:
        """The selected candidate."""
        item = self.lines.item
        return item.entry if isinstance(item, Waiting) else None

    def situation(self) -> Situation:
        item = self.lines.item
        found = super().situation()
        known = isinstance(item, Waiting) and item.group[:2] in self._compactable
        # Where promoting it is compacting, that key says so already.
        return found._replace(offered={"compact": ""}) if known and "promote" not in found.labels else found

    def painted_at(self) -> float:
        return self.lines.painted_at

    def place(self) -> Any:
        return self.lines.key

    def return_to(self, place: Any) -> None:
        if not self.lines.select(str(place)):
            self._place_wanted = str(place)  # once the list is read

    def refresh_from(self, desk: Desk) -> None:
        newest, snoozed = self._newest_first, self._with_snoozed

        def read() -> Listing:
            return listing(desk, newest_first=newest, with_snoozed=snoozed)

        self.bench.work(read, self._show, doing="read the inbox", group="inbox", exclusive=True, otherwise=self._failed)

    def _failed(self, error: Exception) -> bool:
        self.finder.fail(str(error))
        return True

    def _show(self, found: Listing) -> None:
        self._compactable = found.compactable
        self._asked.clear()
        self._near.clear()
        self._held.clear()
        self._opposed.clear()
        stores = self.bench.desk.workspace.stores
        by_feature = stores and all(layouts.get(store.layout).by_feature for store in stores)
        empty = self.nowhere() or (BY_FEATURE if by_feature else self.texts.empty if stores else NO_STORE)
        self.finder.texts = self.texts._replace(empty=empty)
        self._unread = unread(self.bench.desk)
        if self._unread:
            self.finder.texts = self.finder.texts._replace(empty="\n\n".join((*self._unread, UNREAD)))
        self.finder.set_rows(found.rows)
        if self._place_wanted:
            self.lines.select(self._place_wanted)
            self._place_wanted = ""
        self._titles()
        self._selected()
        self.changed()

    def _titles(self) -> None:
        paths = {row.item.entry.path for row in self.lines.rows if isinstance(row.item, Waiting)}
        where = f" ─ {next(iter(paths))}" if len(paths) == 1 else f" ─ {len(paths)} files" if paths else ""
        where = "" if self._unread else where  # there is room for one of them
        shown, total = self.lines.count, self.lines.total
        count = f"{shown} of {total} waiting" if self.lines.filter_words else f"{total} waiting"
        count += f" · {len(self._unread)} unread" if self._unread else ""
        marked = len(self.lines.marks)
        self.finder.border_title = text.content_line(f"Inbox{where} · {count}" + (f" · {marked} selected" if marked else ""))

    # The list.

    def draw(self, item: Any, width: int) -> list[Piece]:
        """A line of the list: age, tag, title, and at its end the flags."""
        if isinstance(item, Heading):
            return [Piece(f"{text.line(item.path)} · {item.size}", "dim")]
        entry = item.entry
        flags = self._flags(item)
        size = sum(text.width(flag.text) for flag in flags)
        narrow = width < 34
        lead = f"{item.age:>4} " if narrow else f"{item.age:>4}  {entry.tag or '·':<{TAG_CELLS}} "
        room = max(width - len(lead) - size - 1, 1)
        pieces = [Piece(lead[:6], "dim"), Piece(lead[6:], "tag" if entry.tag else "dim")]
        if item.snoozed:
            pieces.append(Piece("zZ ", "dim"))
            room -= 3
        return [*pieces, Piece(text.fit(title(entry), max(room, 1)), "dim" if item.snoozed else ""), Piece(" "), *flags]

    def _flags(self, item: Waiting) -> list[Piece]:
        """Near duplicates ≈, tombstones ⚑, conflicts ✕, secrets and example values ◈; asked for in a worker when the line is
        first drawn."""
        found = self._near.get(item.ident)
        if found is None:
            self._ask_near(item)
            return []
        same = sum(1 for match in found if match.kind in ("equal", "possible"))
        flags = [Piece(f"≈{same if same > 1 else ''} ", "warn")] if same else []
        if any(match.kind == "tombstone" for match in found):
            flags.append(Piece("⚑ ", "bad"))
        if item.ident in self._opposed:
            flags.append(Piece("✕ ", "bad"))
        if self._held.get(item.ident):
            flags.append(Piece("◈ ", "bad"))
        return flags

    def _ask_near(self, item: Waiting) -> None:
        """Remember that a line wants its flags; one worker looks for all that were drawn meanwhile."""
        if item.ident not in self._asked and self.is_mounted:
            self._asked.add(item.ident)
            self._wanted.append(item)
            if len(self._wanted) == 1:
                self.call_after_refresh(self._look_near)

    def _look_near(self) -> None:
        wanted, self._wanted = self._wanted, []
        desk = self.bench.desk

        def look() -> tuple[dict[str, tuple[Match, ...]], dict[str, list[str]], dict[str, str]]:
            return (
                {item.ident: tuple(desk.near(item.entry)) for item in wanted},
                {item.ident: held(item.entry.text) for item in wanted},
                desk.opposed([item.entry for item in wanted]),
            )

        def show(found: tuple[dict[str, tuple[Match, ...]], dict[str, list[str]], dict[str, str]]) -> None:
            near, holds, opposed = found
            self._near |= near
            self._held |= holds
            self._opposed |= opposed
            self.lines.refresh()
            if self.lines.key in near:
                self._selected()

        if wanted:
            self.bench.work(look, show, doing="look for what is near", group="near", otherwise=lambda error: True)

    def _selected(self) -> None:
        item = self.lines.item
        if not isinstance(item, Waiting):
            self.reading.border_title = None
            self.reading.show([])
            return
        entry = item.entry
        self.reading.border_title = text.content_line(title(entry))
        self.reading.show(entry_lines(
            entry, item.age, self._near.get(item.ident), self.lines.filter_words, self._held.get(item.ident, ()),
            self._opposed.get(item.ident, "")), item.ident)

    # Actions.

    def do_reject(self) -> None:
        self.verdict("reject")

    def do_merge(self) -> None:
        self.verdict("merge")

    def do_snooze(self) -> None:
        """Put aside; what is put aside already is woken."""
        chosen = set(self.selection)
        items = [self.lines.item] if len(chosen) == 1 else [row.item for row in self.lines.rows if row.key in chosen]
        if all(isinstance(item, Waiting) and item.snoozed for item in items):
            from memdesk.tui.dialogs.snooze import wake

            wake(self.bench, self.selection)
        else:
            self.verdict("snooze")

    def do_select(self) -> None:
        self.lines.toggle_mark()

    def do_select_all(self) -> None:
        self.lines.mark_all()

    def do_order(self) -> None:
        self._newest_first = not self._newest_first
        self.refresh_from(self.bench.desk)

    def do_snoozed(self) -> None:
        self._with_snoozed = not self._with_snoozed
        self.refresh_from(self.bench.desk)

    def do_read(self) -> None:
        if self.entry is not None:
            super().do_read()

    def do_copy(self) -> None:
        entry = self.entry
        if entry is not None:
            self.post_message(messages.CopyText(current_text(entry), f"“{heading(entry)}”"))

    def do_copy_all(self) -> None:
        entry = self.entry
        if entry is not None:
            self.post_message(messages.CopyText(entry.text, f"“{heading(entry)}” with its history"))

    def do_open(self) -> None:
        entry = self.entry
        if entry is not None:
            self.post_message(messages.OpenPath(entry.path, entry.line))


def unread(desk: Desk) -> list[str]:
    """Inboxes that are there and cannot be read, each with the reason: they are not empty."""
    return [
        f"{document.path} cannot be read: {document.problem.message}"
        for document in desk.workspace.documents.values()
        if document.place.role == "inbox" and document.problem is not None and document.problem.rule in UNPARSED
    ]


def current_text(entry: Entry) -> str:
    """An entry's text without lines that are struck as a whole."""
    kept = [line for line in entry.text.split("\n") if not _struck(line)]
    return "\n".join(kept)


def _struck(line: str) -> bool:
    body = line.strip().lstrip("-*+# ").strip()
    return body.startswith("~~") and body.find("~~", 2) > 2


def _haystack(item: Any) -> str:
    if isinstance(item, Waiting):
        return f"{item.entry.text}\n{item.entry.tag or ''} {item.entry.path}".lower()
    return ""
