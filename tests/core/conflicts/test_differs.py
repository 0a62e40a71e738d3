"""Entries of nearly the same words that differ in a number, a date or a negation: which are possible conflicts, who wins, how
they are settled and dismissed, and who does not ask for them."""

from __future__ import annotations

from pathlib import Path

import pytest

from memdesk.core import conflicts
from memdesk.core.clock import clock
from memdesk.core.conflicts import find
from memdesk.core.conflicts.differs import Differing, differing, near
from memdesk.core.desk import Desk
from memdesk.core.errors import UnknownEntry
from memdesk.core.model import Workspace
from memdesk.core.plan import Plan, Request
from tests.support.sources import GLOSSARY, HOME, decision, memory, over, shown
from tests.support.stores import FACTS, LINT, put

THIRTY, NINETY = "Old logs are kept for 30 days on the server.", "Old logs are kept for 90 days on the server."
PLACES = [f"{HOME}/constraints.md:3", f"{HOME}/preferences.md:3"]


def at_odds(*parts: dict[str, str]) -> list[tuple[str, bool, list[str]]]:
    return [shown(clash) for clash in found(over(*parts)).conflicts]


def found(workspace: Workspace) -> Differing:
    return differing(workspace, find(workspace))


def two(one: str = THIRTY, other: str = NINETY) -> dict[str, str]:
    return memory(constraints=f"- {one}\n", preferences=f"# Preferences\n\n- {other}\n")


def record(text: str, title: str = "Keep logs for a while", status: str = "Accepted") -> dict[str, str]:
    body = f"# 1. {title}\n\n## Status\n\n{status}\n\n## Context\n\nThe disk is small.\n\n## Decision\n\n{text}\n"
    return {"docs/adr/0001-keep-logs-for-a-while.md": body}


@pytest.mark.parametrize(("one", "other", "what"), [
    (THIRTY, NINETY, "a number"), (THIRTY, f"Never: {THIRTY}", "what they negate"),
    ("The old API goes on 2026-06-30 for all.", "The old API goes on 2026-09-30 for all.", "a date"),
])  # fmt: skip
def test_each_difference_is_a_possible_conflict(one: str, other: str, what: str) -> None:
    workspace = over(two(one, other))
    (clash,) = found(workspace).conflicts
    assert shown(clash) == ("differs", False, PLACES)
    assert clash.reason == f"nearly the same words, which differ in {what}"
    assert clash.subject == "conflict:differs"
    assert conflicts.every(workspace) == [*find(workspace), clash]


@pytest.mark.parametrize("parts", [
    [two(THIRTY, "Old logs are kept on the server for 30 days!")],  # said twice
    [memory(constraints=f"- {THIRTY}\n", inbox=f"## 2026-11-01\n\n- {NINETY}\n")],  # a candidate holds nothing yet
    [memory(constraints=f"- {THIRTY}\n- ~~{NINETY}~~ (superseded 2026-02-01)\n")],
    [memory(decisions=decision("Keep logs", THIRTY) + decision("Keep logs", NINETY))],  # one title: another kind tells of it
    [memory(constraints=f"- {THIRTY}\n", do_not_use=f"## Tombstone: Old logs\n\n{NINETY} Reason: no. Date: 2026-01-01.\n")],
    [memory("api/docs/memory", constraints=f"- {THIRTY}\n"), memory("web/docs/memory", constraints=f"- {NINETY}\n")],
    [memory(areas__maps=f"# Maps\n\nLoad when.\n\n- {THIRTY}\n", areas__tides=f"# Tides\n\nLoad when.\n\n- {NINETY}\n")],
    [memory(areas__maps=f"# Maps\n\nLoad when.\n\n- {THIRTY}\n", preferences=f"# Preferences\n\n- {NINETY}\n")],  # it refines
    [record(THIRTY), {path.replace("0001", "0002"): text for path, text in record(NINETY, "Keep logs for long").items()}],
    [{"CONTEXT.md": f"{GLOSSARY}\n**Log**:\n{THIRTY}\n\n**Journal**:\n{NINETY}\n"}, memory(constraints=f"- {NINETY}\n")],
], ids=lambda parts: "")  # fmt: skip
def test_what_is_none(parts: list[dict[str, str]]) -> None:
    assert at_odds(*parts) == []


def test_an_area_cannot_refine_a_constraint() -> None:
    files = memory(areas__maps=f"# Maps\n\nLoad when it matters.\n\n- {NINETY}\n", constraints=f"- {THIRTY}\n")
    assert [kind for kind, _, _ in at_odds(files)] == ["differs"]


def test_across_stores_and_layouts() -> None:
    agents = {**FACTS, "memory-lint.json": LINT, "memory/people/bo.md": f"- [stated] {NINETY} (2026-02-01, a call)\n"}
    assert at_odds(agents, memory(constraints=f"- {THIRTY}\n")) == [
        ("differs", False, [f"{HOME}/constraints.md:3", "memory/people/bo.md:1"]),
    ]


def test_a_record_stands_first_and_wins() -> None:
    text = "Old logs are kept for {} days on the server, since the disk is small and nobody reads them later."
    own = decision("Keep logs for a while", text.format(90)).replace("It works", "The disk is small")
    (clash,) = found(over(record(text.format(30)), memory(decisions=own))).conflicts
    assert [side.entry.layout for side in clash.sides] == ["records", "custodian"]
    assert [weight.wins for weight in clash.weights()] == [True, False]


def test_it_is_looked_for_once_in_a_reading_and_not_kept_when_stopped() -> None:
    workspace = over(two())
    stopped = differing(workspace, [], stopped=lambda: True)
    assert (stopped.conflicts, len(stopped.left)) == ((), 1)
    first = found(workspace)
    assert len(first.conflicts) == 1
    assert differing(workspace, [], stopped=lambda: True) is first


def opened(root: Path, *parts: dict[str, str], settings: str = "") -> Desk:
    for part in parts:
        for path, text in part.items():
            put(root, path, text)
    if settings:
        put(root, "memdesk.toml", settings)
    return Desk.open(str(root), clock=clock("2026-11-30"), user_config=None)


def test_the_setting_says_how_near(tmp_path: Path) -> None:
    texts = two("Old logs are kept for 30 days on the archive server.", "Old logs are kept for 90 days on our server.")
    desk = opened(tmp_path, texts, settings="[prune]\nnear = 0.95\n")
    assert near(desk.workspace) == 0.95
    assert desk.differing().conflicts == ()
    put(tmp_path, "memdesk.toml", "[prune]\nnear = 0.7\n")
    assert len(opened(tmp_path).differing().conflicts) == 1


def test_who_asks_for_it_and_who_does_not(tmp_path: Path) -> None:
    desk = opened(tmp_path, two())
    assert (desk.conflicts(), desk.open_conflicts(), desk.recall("logs").conflicts) == ([], [], ())
    assert {finding.rule for finding in desk.check("none").findings}.isdisjoint({"two-versions", "rank-conflict"})
    (clash,) = desk.conflicts(alike=True)
    assert desk.conflicts("docs/memory", alike=True) == [clash]
    assert desk.judged(alike=True) == [(clash, None)]
    assert desk.conflict(clash.id) is clash
    assert desk.conflict(clash.id[:4]) is clash
    assert desk.open_conflicts() == [], "whoever asked before"
    with pytest.raises(UnknownEntry):
        desk.conflict("0000")


def test_a_person_dismisses_it_until_a_text_changes(tmp_path: Path) -> None:
    desk = opened(tmp_path, two())
    (clash,) = desk.conflicts(alike=True)
    plan = desk.plan(Request("dismiss", (clash.id,), {"reason": "Two servers.", "by": "Ada"}))
    assert isinstance(plan, Plan)
    desk.commit(plan, "Ada")
    judgment = desk.judgment(clash)
    assert judgment is not None
    assert (judgment.kind, judgment.reason) == ("conflict:differs", "Two servers.")
    assert [one is not None for _, one in opened(tmp_path).judged(alike=True)] == [True]
    put(tmp_path, PLACES[0].partition(":")[0], "# Constraints\n\n- Old logs are kept for 60 days on the server.\n")
    assert [one for _, one in opened(tmp_path).judged(alike=True)] == [None]


def test_ways_to_settle_it(tmp_path: Path) -> None:
    desk = opened(tmp_path, memory(constraints=f"- {THIRTY}\n- {NINETY}\n"))
    (clash,) = desk.conflicts(alike=True)
    choices = desk.choices(clash)
    assert [(choice.key, choice.possible) for choice in choices] == [
        ("follow", False), ("supersede", True), ("supersede", True), ("merge", True), ("narrow", True), ("dismiss", True),
    ]
    keep = choices[1]
    desk.commit(desk.plan(Request(keep.verb, keep.ids, dict(keep.words), person=True)), "Ada")
    assert desk.conflicts(alike=True) == []


def test_a_record_is_followed_or_superseded(tmp_path: Path) -> None:
    text = "Old logs are kept for {} days on the server, since the disk is small and nobody reads them later."
    own = decision("Keep logs for a while", text.format(90)).replace("It works", "The disk is small")
    desk = opened(tmp_path, record(text.format(30)), memory(decisions=own))
    (clash,) = [clash for clash in desk.conflicts(alike=True) if clash.kind == "differs"]
    choices = desk.choices(clash)
    assert [(choice.key, choice.verb) for choice in choices] == [
        ("follow", "strike"), ("supersede", "strike"), ("narrow", "edit"), ("amend", "edit"), ("dismiss", "dismiss"),
    ]
    assert choices[0].ids == (clash.sides[1].entry.id,)
