"""A prune session: what could go, kind by kind, each with its evidence and exact diff; a person accepts, rejects or snoozes.

Nothing is looked for before the pane is opened, and a scan blocks no key: Escape stops it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Container

from memdesk.core.errors import UnknownEntry
from memdesk.tui import keymaps, messages, text, verbs
from memdesk.tui.allowed import Situation
from memdesk.tui.panes import prune_rows as rows
from memdesk.tui.panes import prune_shown as shown
from memdesk.tui.panes.inbox import current_text
from memdesk.tui.panes.listing import ListPane
from memdesk.tui.panes.prune_book import Book
from memdesk.tui.panes.prune_looks import Draws, Found, Of, Scans, Stand, stand
from memdesk.tui.panes.prune_rows import Case
from memdesk.tui.widgets.finder import Finder, Texts
from memdesk.tui.widgets.paint import Piece
from memdesk.tui.widgets.reading import Reading
from memdesk.tui.widgets.tally import Tally

if TYPE_CHECKING:
    from memdesk.core.desk import Desk
    from memdesk.core.model import Entry
    from memdesk.core.prune.proposal import Proposal

NO_STORE = "There is no store here.\n\nmemdesk init makes one."
NO_MORE = "It was decided already."
TOLD = "This is only told: there is nothing to decide."


class PrunePane(ListPane):
    """The list of proposals, the selected one in full, and above both how the session stands."""

    name_ = "prune"
    BINDINGS = [
        *keymaps.bindings("prune"),
        Binding("right", "entry(1)", "Next entry", show=False), Binding("left", "entry(-1)", "Next entry", show=False),
    ]
    texts = Texts(
        empty="✓ Nothing to prune.\n\nWhat waits is in the Inbox (1), what the check finds in Health (5).",
        loading="Looking for what could go…\n\nEscape stops.",
        filtered="No proposal holds these words.\n\nEscape shows all again.",
    )

    def __init__(self) -> None:
        super().__init__()
        self.book = Book()
        self._failed_ = self._again = False  # the last look failed; whoever reads again wants another
        self._with_decided = False
        self._told_of_resuming = False
        self._place_wanted = ""
        self._entry = 0  # which entry of the proposal is spoken of
        self._subject = ""
        self._scans = Scans(self._scanned, self._scan_failed, self._tell)
        self._draws = Draws(self._paint)
        self.tally = Tally(id="prune-tally")
        self.finder = Finder(self._draw, rows.haystack, texts=self.texts, id="prune-list")
        self.reading = Reading(id="prune-reading", classes="framed")
        self.finder.border_title = "Prune"
        self.lines.at_move = self._selected

    def compose(self) -> ComposeResult:
        yield self.tally
        with Container(id="prune-body"):
            yield self.finder
            yield self.reading

    # What the app asks.

    @property
    def case(self) -> Case | None:
        """What is selected."""
        item = self.lines.item
        return item if isinstance(item, Case) else None

    @property
    def entry(self) -> Entry | None:
        """The entry of the selected proposal that open, copy and history speak of, as it stands now where it still does."""
        entry = self._chosen(self.case)
        if entry is None:
            return None
        try:
            return self.bench.desk.workspace.find(entry.id)
        except UnknownEntry:
            return entry

    def _chosen(self, case: Case | None) -> Entry | None:
        entries = case.proposal.entries if case is not None and case.proposal is not None else ()
        return entries[self._entry % len(entries)] if entries else None

    @property
    def selection(self) -> tuple[str, ...]:
        entry = self.entry
        known = entry is not None and self.bench.desk.workspace.documents.get(entry.path) is entry.document
        return (entry.id,) if entry is not None and known else ()

    @property
    def spot(self) -> tuple[str, int] | None:
        entry = self.entry
        return None if entry is None else (entry.path, entry.line)

    @property
    def count(self) -> int | None:
        return len(self.book.open) if self.book.found is not None else None

    def situation(self) -> Situation:
        return super().situation()._replace(
            selected=len(self.lines.chosen), place=self.spot is not None, offered=self._offered()
        )

    def _offered(self) -> dict[str, str]:
        """Why each verdict can't be given now, "" where it can."""
        case = self.case
        if case is None:
            return {}
        now = case.stale or ("" if case.open else NO_MORE if case.verdict else TOLD)
        several = "It takes one proposal at a time: Escape unmarks." if len(self.lines.marks) > 1 else ""
        back = "" if case.verdict == "snoozed" else now
        together = now or shown.together(case)
        return {
            "accept": "" if self.lines.marks else now, "refuse": several or now, "put-off": several or back,
            "accept-kind": together, "select": together,
        }

    def painted_at(self) -> float:
        return self.lines.painted_at

    def place(self) -> Any:
        return self.lines.key

    def return_to(self, place: Any) -> None:
        """To a proposal by its id, or to one that is about the entry of that id; once it is found, where it is not yet."""
        self._place_wanted = str(place)
        self._go_back()

    def _go_back(self) -> None:
        wanted = self._place_wanted
        if not wanted:
            return
        for row in self.lines.rows:
            case = row.item
            if isinstance(case, Case) and case.open and (case.ident == wanted or wanted in _idents(case)):
                self.lines.select(row.key)
                self._place_wanted = ""
                return

    # The session and the scan.

    def refresh_from(self, desk: Desk) -> None:
        cases, of = self.book.open, self.book.of
        self.bench.work(
            lambda: stand(desk, cases, of), self._stands, doing="read the session", group="prune-session", exclusive=True,
            otherwise=self._failed,
        )

    def _failed(self, error: Exception) -> bool:
        self._failed_ = True
        self.finder.fail(f"The session cannot be read.\n\n{self.failure(error)}")
        return True

    def _stands(self, now: Stand) -> None:
        self.book.stands(now)
        self._tell_of_resuming()
        if self._needed(now.of):
            self._again = self._failed_ = self.book.stopped = False
            self._scans.begin(self.bench, now.of, self.book.open)
        self._arrange()

    def _needed(self, of: Of) -> bool:
        """Whether to look again: the files or what people judged are others, or the last look came to nothing."""
        if self._scans.progress is not None and self._scans.of == of:
            return False
        return self._again or self._failed_ or self.book.stopped or self.book.of != of

    def _scanned(self, found: Found) -> None:
        self.book.scanned(found)
        self._arrange()

    def _scan_failed(self, error: Exception) -> bool:
        self._failed_ = True
        self._tell()
        if self.book.found is None:
            self.finder.fail(f"The stores could not be looked through.\n\n{self.failure(error)}")
        else:
            self.bench.say(f"The stores could not be looked through again: {error}", "warning")
        return True

    def _arrange(self) -> None:
        """The list anew, from what was found, what was decided and what is to be shown."""
        book = self.book
        if book.found is not None:
            decided, left = reversed(book.given.values()), book.found.not_compared
            more = (decided, left) if self._with_decided else ()
            self.finder.texts = self.texts._replace(empty=self._nothing())
            self.finder.set_rows(rows.rows_of(book.open, book.fell.values(), *more))
        self._go_back()
        if self._scans.progress is None:
            self._place_wanted = ""
        self._titles()
        self._tell()
        self._selected()
        self.changed()

    def _nothing(self) -> str:
        """What to say where nothing is left to decide."""
        if not self.bench.desk.workspace.stores:
            return self.nowhere() or NO_STORE
        judged = self.book.found.judged if self.book.found is not None else 0
        keys = [self._key(ident) for ident in ("refresh", "end-session", "decided")]
        return shown.nothing(
            self.nowhere() or self.texts.empty, keys, stopped=self.book.stopped, decided=bool(self.book.given), judged=judged
        )

    def _key(self, ident: str) -> str:
        return keymaps.shown_key(verbs.BY_ID[ident], self.bench.keymap_)

    def _titles(self) -> None:
        if self.book.found is None:
            return
        words = f"{len(self.book.open)} open"
        if self.lines.filter_words:
            words = f"{self.lines.count} shown of {words}"
        marked = len(self.lines.marks)
        words += f" · {marked} selected" if marked else ""
        words += " · looked at before the change" if self.book.older else ""
        self.finder.border_title = text.content_line(f"Prune · {words}")

    def _tell(self) -> None:
        """How the session and the scan stand."""
        book, scans = self.book, self._scans
        lines = []
        if book.stand is not None:
            lines.append(shown.session_line(book.session, len(book.open), book.begun))
        if scans.stopping:
            lines.append(shown.note_line("⋯", "warn", "stopping…"))
        elif scans.progress is not None:
            lines.append(shown.progress_line(scans.progress))
        elif book.stopped or self._failed_ or book.found is not None:
            lines += shown.notes(
                book.found, self._key("refresh"), self._key("decided"), stopped=book.stopped, failed=self._failed_
            )
        self.tally.say(lines)

    def _tell_of_resuming(self) -> None:
        """Say once that a session of before goes on."""
        count = len(self.book.session.verdicts)
        if count and not self._told_of_resuming:
            given = f"{count} verdict{'' if count == 1 else 's'} given"
            self.bench.say(f"Session of {self.book.begun[:10]} resumed, {given}.")
        self._told_of_resuming = True

    def on_key(self, event: events.Key) -> None:
        """Escape unmarks; without marks it stops a scan."""
        if event.key != "escape":
            return
        if self.lines.marks:
            event.stop()
            self.lines.clear_marks()
        elif self._scans.stop():
            event.stop()
            self._tell()

    # The list and what is selected.

    def _draw(self, item: Any, width: int) -> list[Piece]:
        return rows.draw(item, width, keymaps.shown_key(verbs.BY_ID["accept-kind"], self.bench.keymap_))

    def _selected(self) -> None:
        """Another proposal is selected, or what is known of it is another."""
        if self.lines.key != self._subject:
            self._subject, self._entry = self.lines.key, 0
        self._draws.take(self.bench, self.case, self.lines.beside)
        self._paint()

    def _paint(self) -> None:
        case = self.case
        if case is None:
            self.reading.border_title = None
            self.reading.show([])
            return
        drawn, trouble = self._draws.of(case.ident)
        near = float(self.bench.desk.settings.budget.near)
        self.reading.border_title = text.content_line(case.title)
        self.reading.show(shown.reading(case, drawn, self._chosen(case), near, trouble), self._subject)

    def action_entry(self, by: int) -> None:
        """To another entry of the proposal: what open, copy, history and what loads it speak of."""
        case = self.case
        if case is not None and case.proposal is not None:
            self._entry = (self._entry + by) % len(case.proposal.entries)
            self._paint()
            self.changed()

    def do_entry(self) -> None:
        self.action_entry(1)

    # Verdicts.

    def do_accept(self) -> None:
        """The selected proposal, or the marked ones together."""
        marked = set(self.lines.marks)
        if marked:
            self._accept([row.item for row in self.lines.rows if row.key in marked])
        elif self.case is not None:
            self._accept([self.case])

    def do_accept_kind(self) -> None:
        """All of the selected proposal's kind that are shown; the kind is an exact one."""
        case = self.case
        if case is not None:
            self._accept(rows.of_kind(self.lines.shown, case.kind))

    def _accept(self, cases: Sequence[Case]) -> None:
        from memdesk.tui.dialogs.accepting import open_accept

        open_accept(self.bench, _proposals(cases))

    def do_refuse(self) -> None:
        from memdesk.tui.dialogs.refusing import open_refuse

        case = self.case
        if case is not None and case.proposal is not None:
            open_refuse(self.bench, case.proposal, self.book.rejected)

    def do_put_off(self) -> None:
        """Put aside; what is put aside already is taken up again."""
        from memdesk.tui.dialogs.snooze import open_put_off, take_up

        case = self.case
        if case is None:
            return
        if case.verdict == "snoozed":
            self.bench.let_keys_go()  # no dialog opens
            take_up(self.bench, case.ident)
        elif case.proposal is not None:
            open_put_off(self.bench, case.proposal)

    def do_select(self) -> None:
        """Mark for accepting together: of one kind, which is exact."""
        case, marks = self.case, set(self.lines.marks)
        kinds = {row.item.kind for row in self.lines.rows if row.key in marks}
        if case is not None and kinds and case.kind not in kinds:
            self.bench.say("Proposals of one kind are accepted together, not of several.", "warning")
            return
        self.lines.toggle_mark()

    def do_end_session(self) -> None:
        from memdesk.tui.dialogs.ending import open_ending

        open_ending(self.bench, len(self.book.open))

    # Other actions.

    def do_decided(self) -> None:
        self._with_decided = not self._with_decided
        self._arrange()
        if self._with_decided and self.book.found is not None:
            self.bench.say(shown.further(len(self.book.given), len(self.book.found.not_compared)))

    def do_refresh(self) -> None:
        """Read all files again, and look for proposals again, whatever was found; what fell away goes."""
        self._again = True
        self.book.forget_fallen()
        self.bench.do_refresh()

    def do_read(self) -> None:
        if self.case is not None:
            super().do_read()

    def do_copy(self) -> None:
        entry = self.entry
        if entry is not None:
            self.post_message(messages.CopyText(current_text(entry), f"{entry.path}:{entry.line}"))

    def do_copy_all(self) -> None:
        self.post_message(messages.CopyText(self.reading.plain, "the proposal, as shown"))


def _proposals(cases: Sequence[Case]) -> list[Proposal]:
    return [case.proposal for case in cases if case.proposal is not None and case.open]


def _idents(case: Case) -> set[str]:
    return set() if case.proposal is None else {entry.id for entry in case.proposal.entries}

