"""The lines of the Prune pane: groups by kind, what fell away and what was decided after them, how the session stands."""

from __future__ import annotations

import pytest

from memdesk.core.plan import BudgetChange, Plan, Request
from memdesk.core.prune.drawn import Drawn
from memdesk.core.prune.proposal import Proposal
from memdesk.core.prune.session import Session, Verdict
from memdesk.tui import text
from memdesk.tui.panes import prune_rows as rows
from memdesk.tui.panes import prune_shown as shown
from memdesk.tui.panes.prune_looks import Found
from memdesk.tui.panes.prune_rows import Case, Head
from memdesk.tui.widgets.paint import Piece
from memdesk.tui.widgets.tally import bar
from tests.support.fake_desk import FakeDesk

ENTRIES = FakeDesk([f"Text number {number}" for number in range(6)]).inbox.entries


def proposal(kind: str, *numbers: int, changes: int = 1, exact: bool = True, title: str = "") -> Proposal:
    entries = tuple(ENTRIES[number] for number in numbers)
    request = Request("archive", tuple(entry.id for entry in entries[:changes]))
    name = title or f"{kind} of {numbers[0]}"
    return Proposal(kind, exact, name, ("It is so.",), entries, changes, request, entries[0].document.store)


def case(kind: str, *numbers: int, **options: object) -> Case:
    return rows.case_of(proposal(kind, *numbers, **options))  # type: ignore[arg-type]


def plain(pieces: list[Piece]) -> str:
    return "".join(piece.text for piece in pieces)


def listed(found: list[rows.Row]) -> list[str]:
    return [" ".join(plain(rows.draw(row.item, 50, "A")).split()) for row in found]


def test_groups_stand_in_the_order_of_the_kinds_and_the_rest_after_them() -> None:
    open_ = [case("near-duplicate", 0, 1, exact=False), case("duplicate", 2, 3), case("duplicate", 4, 3)]
    fell = [case("struck", 5)._replace(stale="It is gone.")]
    decided = [Case("0" * 12, "struck", "Gone already", "custodian", verdict="accepted")]
    found = rows.rows_of(open_, fell)
    assert listed(found) == [
        "= Said twice 2 exact A accepts all",
        "= duplicate of 2 inbox.md:3",
        "= duplicate of 4 inbox.md:5",
        "? Nearly the same 1 possible",
        "? near-duplicate of 0 inbox.md:1",
        "~ Fell away 1",
        "~ struck of 5 inbox.md:6",
    ]
    assert listed(rows.rows_of([], fell, decided, ["No git history."]))[-4:] == [
        "✓ Decided 1", "✓ accepted Gone already custodian", "! Left out 1", "! No git history.",
    ]


def test_a_kind_that_is_only_possible_or_of_one_is_not_offered_as_a_whole() -> None:
    found = rows.rows_of([case("untouched", 0, exact=False), case("untouched", 1, exact=False), case("struck", 2)])
    assert not any("accepts all" in line for line in listed(found))


def test_two_of_the_same_texts_are_two_lines() -> None:
    found = rows.rows_of([case("struck", 0), case("struck", 0)])
    keys = [row.key for row in found if row.key]
    assert len(set(keys)) == 2
    assert keys[1].startswith(keys[0])


@pytest.mark.parametrize("width", [8, 20, 34, 60, 100])
def test_a_line_fits_and_keeps_the_beginning_of_its_title(width: int) -> None:
    long = case("struck", 0, title="存储 " * 40)
    drawn = plain(rows.draw(long, width))
    assert drawn.startswith("= ")
    assert width < 20 or "存储" in drawn
    assert text.width(drawn) <= max(width, 20)


@pytest.mark.parametrize(
    ("made", "state", "opens"),
    [
        (Case("a", "struck", "t", exact=True), "exact", True), (Case("a", "untouched", "t"), "possible", True),
        (Case("a", "struck", "t", exact=True, stale="gone"), "stale", False),
        (Case("a", "struck", "t", exact=True, stale="gone", verdict="rejected"), "rejected", False),
        (Case("a", "struck", "t", verdict="snoozed"), "snoozed", False), (Case("a", "left", "t"), "left", False),
    ],
)
def test_a_case_is_open_until_it_is_decided_or_falls_away(made: Case, state: str, opens: bool) -> None:
    assert (made.state, made.open) == (state, opens)


def test_the_filter_looks_at_kind_title_texts_and_state() -> None:
    hay = rows.haystack(case("duplicate", 2, 3))
    assert all(word in hay for word in ("exact", "said twice", "duplicate of 2", "text number 2", "text number 3", "inbox.md"))


def test_a_proposal_in_full_says_what_it_comes_to_and_what_speaks_for_it() -> None:
    one = case("duplicate", 2, 3)
    plan = Plan(
        Request("archive"), "", "", (), budgets=(BudgetChange("docs/memory/decisions.md", "tokens", 912, 640, 800),),
        warnings=("Two links lead here.",),
    )
    drawn = Drawn("Archive 1 copy: decisions.md 912 → 640 of 800 tokens", {"docs/memory/decisions.md": 272, "a/log.md": -20},
                  (("docs/memory/decisions.md", "--- a\n+++ b\n@@ -1 +0,0 @@\n-- Text\n"),), plan)
    lines = ["".join(piece.text for piece in para.pieces) for para in shown.reading(one, drawn, ENTRIES[3], 0.8)]
    assert lines[:5] == [
        "= exact · Said twice", "→ Archive 1 copy: decisions.md 912 → 640 of 800 tokens", "! Two links lead here.",
        "decisions.md 912 → 640 of 800 tokens ▇▇▇▇▇▇▇▁▁ ! near its cap",
        "frees 272 tokens: decisions.md 272 · adds 20 tokens: log.md 20",
    ]
    assert "· It is so." in lines
    assert "  docs/memory/inbox.md:3".replace("  ", "\u00a0\u00a0", 1) in lines
    assert "▸\u00a0docs/memory/inbox.md:4  stays" in lines
    assert lines[-1] == "- - Text"


def test_what_cannot_be_carried_out_says_why() -> None:
    one = case("struck", 0)
    texts = [
        shown.reading(one, None, None, 0.8), shown.reading(one, Drawn("x", {}, (), None, "The archive is frozen."), None, 0.8),
        shown.reading(one._replace(stale="inbox.md:1 is gone."), None, None, 0.8), shown.reading(one, None, None, 0.8, "Busy."),
    ]
    said = ["".join(piece.text for piece in paras[1].pieces) for paras in texts]
    assert said == ["⋯ making the diff", "✕ Not now: The archive is frozen.", "~ inbox.md:1 is gone.", "✕ Busy."]


def test_what_a_scan_came_to_is_said_in_a_line() -> None:
    def said(*left: str, stopped: bool = False, failed: bool = False, cases: tuple[Case, ...] = ()) -> list[str]:
        found = Found(cases, left, 0, (None, b""), {})  # type: ignore[arg-type]
        return [plain(list(ways[0])) for ways in shown.notes(found, "^r", "D", stopped=stopped, failed=failed)]

    assert said() == []
    assert said("No git history.", "b") == ["! 2 left out (D shows them): No git history."]
    assert said(stopped=True) == ["! Stopped. ^r looks again."]
    assert said(stopped=True, cases=(case("struck", 0),)) == ["! Stopped: not all of it was looked at. ^r looks again."]
    assert said(failed=True) == ["✕ Not looked through again; this is older than the files. ^r tries again."]


def test_how_the_session_stands_in_full_and_where_there_is_little_room() -> None:
    def given(ident: str, said: str, **more: object) -> Verdict:
        return Verdict(ident, "struck", said, "t", "custodian", **more)  # type: ignore[arg-type]

    session = Session("s", "2026-11-29T20:04:00Z", {}, (
        given("1", "accepted", frees={"a.md": 1200, "log.md": -40}), given("2", "accepted"), given("3", "rejected"),
        given("4", "snoozed", until="2026-12-07"),
    ))
    long, short = shown.session_line(session, 34, "2026-11-29 21:04")
    assert plain(list(long)) == (
        "Session of 2026-11-29 21:04 · ✓ 2 accepted · ✕ 1 rejected · z 1 snoozed · 34 left · 1160 tokens freed"
    )
    assert plain(list(short)) == "11-29 21:04 ✓2 ✕1 z1 34 left 1160 tokens freed"
    assert plain(list(shown.session_line(Session(), 1, "")[0])) == "No session yet: the first verdict begins one · 1 left"


def test_a_bar_is_full_at_the_end_and_empty_before_the_beginning() -> None:
    assert [plain(bar(done, total, 4)) for done, total in ((0, 0), (0, 9), (5, 9), (9, 9), (10, 9))] == [
        "▁▁▁▁", "▁▁▁▁", "▇▇▁▁", "▇▇▇▇", "▇▇▇▇",
    ]


def test_a_head_says_its_size() -> None:
    assert plain(rows.draw(Head("=", "tag", "Said twice", 3, "exact"), 40)) == "= Said twice  3 exact"


@pytest.mark.parametrize(("decided", "left", "said"), [
    (0, 0, "Nothing was decided or left out yet."), (1, 0, "Below the list: 1 decided."), (0, 2, "Below the list: 2 left out."),
    (3, 1, "Below the list: 3 decided, 1 left out."),
])  # fmt: skip
def test_what_comes_below_the_list_is_told_where_it_may_not_be_seen(decided: int, left: int, said: str) -> None:
    assert shown.further(decided, left) == said
