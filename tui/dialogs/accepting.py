"""Accepting proposals: the exact diff, the meters before and after, and a button that says the consequence. Where a proposal is
a set of entries that may be another one, the person takes them in and out first."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from textual import on
from textual.binding import Binding
from textual.widget import Widget

from memdesk.core.lean import NamedTuple
from memdesk.core.plan import Plan, Receipt
from memdesk.core.prune.budget import EDITED, choices, with_moves
from memdesk.core.prune.proposal import KINDS
from memdesk.tui import text
from memdesk.tui.dialogs.asking import Asking
from memdesk.tui.panes.entry_text import title
from memdesk.tui.widgets.lines import Lines, Row
from memdesk.tui.widgets.paint import Piece

if TYPE_CHECKING:
    from memdesk.core.model import Entry
    from memdesk.core.prune.proposal import Proposal
    from memdesk.tui.app import Workbench


class Pick(NamedTuple):
    """An entry of the file. `cost`: what the file is smaller by without it; `stays`: why it can't be in the set, or ""."""

    entry: Entry
    title: str
    chosen: bool
    cost: int
    unit: str
    stays: str = ""


class Accept(Asking):
    """One proposal, or several of one exact kind in one transaction."""

    BINDINGS = [Binding("space", "pick", "In or out", show=False), Binding("tab", "turn", show=False)]

    def __init__(self, proposals: Sequence[Proposal]) -> None:
        self._proposals = tuple(proposals)
        self._picked: set[str] | None = None  # ids of the entries that the person chose; None: as it was proposed
        self._asked: tuple[Sequence[Proposal], Mapping[str, str]] = self._proposals, {}  # of what the plan is
        super().__init__(_named(proposals), "accept", lambda: self.making()())
        self.picks = Lines(self._draw, id="accept-picks")

    def above(self) -> Iterable[Widget]:
        yield self.picks
        yield from super().above()

    async def begin(self) -> None:
        await super().begin()
        self.picks.display = False
        if self._editable:
            proposal = self._proposals[0]
            self.bench.work(
                lambda: _picks(proposal), self._offer, doing="look at its entries", group="picks", otherwise=lambda error: True,
            )

    @property
    def _editable(self) -> bool:
        return len(self._proposals) == 1 and self._proposals[0].kind in EDITED

    # The set.

    def _offer(self, picks: list[Pick]) -> None:
        """The entries that can be in the set; a set of one leaves nothing to choose."""
        if len(picks) > 1 and self.is_attached:
            self.picks.set_rows([Row(pick.entry.id, pick) for pick in picks])
            self.picks.select(next(pick.entry.id for pick in picks if pick.chosen))
            self.picks.display = True
            self.picks.styles.height = min(len(picks), max(self.size.height // 4, 3))
            self.query_one(".dialog").border_subtitle = "space in/out · ⏎ accept · Tab diff · Esc cancel"
            self.picks.focus()

    def _draw(self, pick: Any, width: int) -> list[Piece]:
        inside = pick.chosen if self._picked is None else pick.entry.id in self._picked
        size = text.clip(f" {text.line(pick.stays)}", max(width // 2, 1)) if pick.stays else f" {pick.cost} {pick.unit}"
        where = f"line {pick.entry.line:<5}"
        room = max(width - text.width(size) - len(where) - 11, 1)
        mark = "[x] goes  " if inside else " –  stays " if pick.stays else "[ ] stays "
        return [
            Piece(mark, "accent" if inside else "dim"), Piece(f"{where} ", "dim"),
            Piece(text.fit(pick.title, room), "" if inside else "dim"), Piece(size, "strong" if inside else "dim"),
        ]

    def action_pick(self) -> None:
        """Take the selected entry in or out of the set; the meters follow."""
        pick: Pick | None = self.picks.item
        if pick is None or self._committing:
            return
        if pick.stays:
            self.bench.say(f"It stays: {pick.stays}", "warning")
            return
        if self._picked is None:
            self._picked = {row.key for row in self.picks.rows if row.item.chosen}
        self._picked ^= {self.picks.key}
        self.picks.action_move(1)
        self.picks.refresh()
        self.make_again()

    # The plan.

    def making(self) -> Callable[[], Plan]:
        desk, proposals, picked, answers = self.bench.desk, self._proposals, self._picked, self.questions.words()

        def make() -> Plan:
            asked = proposals if picked is None else (_edited(proposals[0], picked),)
            self._asked = asked, answers
            return desk.accepting(asked, answers)

        return make

    def carry_out(self, plan: Plan) -> Receipt:
        desk = self.bench.desk
        proposals, answers = self._asked
        return desk.accept(proposals, answers, desk.who(), plan)

    @on(Lines.Opened)
    def _opened(self, event: Lines.Opened) -> None:
        event.stop()
        self.action_confirm()


def _picks(proposal: Proposal) -> list[Pick]:
    """Of a file over its budget all entries, in its order; else those that were proposed."""
    return [
        Pick(choice.entry, title(choice.entry), choice.chosen, choice.cost, choice.unit, choice.stays)
        for choice in choices(proposal) if choice.chosen or proposal.kind == "over-budget"
    ]


def _edited(proposal: Proposal, picked: Collection[str]) -> Proposal:
    """The proposal with another set of moves. It keeps its id: the session knows it by that."""
    made = with_moves(proposal, picked)
    return made._replace(entries=proposal.entries, changes=proposal.changes)


def _named(proposals: Sequence[Proposal]) -> str:
    first = proposals[0]
    if len(proposals) == 1:
        return f"Accept · {first.title}"
    return f"Accept {len(proposals)} together · {KINDS.get(first.kind, first.kind)}"


def open_accept(bench: Workbench, proposals: Sequence[Proposal]) -> None:
    """Ask for a yes to these; what comes of it goes the app's way."""
    if not proposals:
        bench.let_keys_go()
        return

    def closed(receipt: Receipt | None) -> None:
        if receipt is not None:
            bench.after_commit(receipt)

    bench.push_screen(Accept(proposals), closed)
