"""Conflicts that a person dismissed: with a reason, on disk, until one of the texts changes; undone like any action."""

from __future__ import annotations

from pathlib import Path

import pytest

from memdesk.core.clock import clock
from memdesk.core.conflicts import Conflict
from memdesk.core.desk import Desk
from memdesk.core.errors import Refused, StoreError, UnknownEntry
from memdesk.core.judgments import PATH
from memdesk.core.plan import Drifted, Plan, Request
from tests.support.sources import HOME, RECORDS, decision, memory
from tests.support.stores import put

TWICE = decision("Colours") + decision("Colours", "Other.")


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    for path, text in {**RECORDS, **memory(decisions=TWICE, constraints="- Split by day (see ADR-0003).\n")}.items():
        put(tmp_path, path, text)
    return opened(tmp_path)


def opened(root: Path) -> Desk:
    return Desk.open(str(root), clock=clock("2026-11-30"), user_config=None)


def dismissed(desk: Desk, clash: Conflict, reason: str = "Two rooms.") -> Plan:
    return desk.plan(Request("dismiss", (clash.id,), {"reason": reason, "by": "Ada"}))


def of_kind(desk: Desk, kind: str) -> Conflict:
    return next(clash for clash in desk.conflicts() if clash.kind == kind)


def test_a_dismissal_is_one_small_edit_of_a_tracked_file(desk: Desk, tmp_path: Path) -> None:
    clash = of_kind(desk, "title")
    plan = dismissed(desk, clash)
    assert [step.kind for step in plan.steps] == ["mkdir", "create"]
    assert (plan.paths, plan.label) == ([PATH], f"Dismiss, kept in {PATH}")
    assert not (tmp_path / PATH).exists()
    desk.commit(plan, "Ada")
    judgment = desk.judgment(clash)
    assert judgment is not None
    assert (judgment.verdict, judgment.kind, judgment.reason, judgment.by, judgment.date) == (
        "dismissed", "conflict:title", "Two rooms.", "Ada", "2026-11-30",
    )
    assert [one.kind for one in desk.open_conflicts()] == ["ground"]
    assert [one.kind for one in desk.conflicts()] == ["ground", "title"]
    again = opened(tmp_path)
    assert again.judgment(of_kind(again, "title")) == judgment


def test_a_second_one_is_appended_and_undo_takes_one_back(desk: Desk, tmp_path: Path) -> None:
    desk.commit(dismissed(desk, of_kind(desk, "title")), "Ada")
    first = (tmp_path / PATH).read_bytes()
    desk.commit(dismissed(desk, of_kind(desk, "ground"), "It is kept for the old files."), "Bo")
    assert (tmp_path / PATH).read_bytes().startswith(first)
    assert desk.open_conflicts() == []
    desk.commit(desk.undo(), "Bo")
    assert (tmp_path / PATH).read_bytes() == first
    desk.commit(desk.undo(desk.session[0]), "Ada")
    assert not (tmp_path / PATH).exists()
    assert len(desk.open_conflicts()) == 2


@pytest.mark.parametrize(("path", "old", "new"), [
    (f"{HOME}/decisions.md", "Other.", "Another."), (f"{HOME}/decisions.md", "It is so.", "It was so."),
])  # fmt: skip
def test_it_ends_when_either_text_changes_and_not_by_edits_elsewhere(
    desk: Desk, tmp_path: Path, path: str, old: str, new: str
) -> None:
    desk.commit(dismissed(desk, of_kind(desk, "title")), "Ada")
    file = tmp_path / path
    file.write_text(file.read_text().replace("# Decisions\n", "# Decisions\n\n## Sounds\n\nLoud.\n\nReason:\nx\n"))
    desk.refresh()
    assert desk.judgment(of_kind(desk, "title")) is not None
    file.write_text(file.read_text().replace(old, new, 1))
    desk.refresh()
    assert desk.judgment(of_kind(desk, "title")) is None


def test_a_text_that_moves_to_another_file_stays_judged(desk: Desk, tmp_path: Path) -> None:
    desk.commit(dismissed(desk, of_kind(desk, "title")), "Ada")
    there = tmp_path / HOME / "decisions.md"
    (tmp_path / HOME / "areas").mkdir()
    put(tmp_path, f"{HOME}/areas/paint.md", there.read_bytes())
    there.write_text("# Decisions\n")
    desk.refresh()
    (clash,) = [one for one in desk.conflicts() if one.kind == "title"]
    assert clash.sides[0].entry.path == f"{HOME}/areas/paint.md"
    assert desk.judgment(clash) is not None


def test_of_one_pair_another_kind_is_another_question(desk: Desk, tmp_path: Path) -> None:
    """What was dismissed as alike in its title is told again as resting on what was rejected."""
    text = "# Decisions\n\n" + decision("Sync through a broker", "So (see ADR-0003).")
    put(tmp_path, f"{HOME}/decisions.md", text)
    desk.refresh()
    ground = next(one for one in desk.conflicts() if one.kind == "ground" and one.sides[1].entry.role == "decisions")
    assert desk.judgment(ground) is None
    desk.commit(dismissed(desk, ground), "Ada")
    assert desk.judgment(ground) is not None
    assert desk.judgment(ground._replace(kind="overlap")) is None


def test_what_is_refused(desk: Desk) -> None:
    clash = of_kind(desk, "title")
    for reason in ("", "  \n "):
        with pytest.raises(Refused, match="with a reason") as caught:
            dismissed(desk, clash, reason)
        assert caught.value.field == "reason"
    with pytest.raises(Refused, match="example value"):
        dismissed(desk, clash, "It is in the page of ada@birds.org.")
    with pytest.raises(Refused, match=r"U\+001B"):
        dismissed(desk, clash, "red \x1b[31m")
    for ident, words in ((clash.id[:3], "too short"), ("ffff", "There is no conflict"), ("", "too short")):
        with pytest.raises(UnknownEntry, match=words):
            desk.plan(Request("dismiss", (ident,), {"reason": "x"}))
    with pytest.raises(UnknownEntry, match="one conflict"):
        desk.plan(Request("dismiss", (), {"reason": "x"}))


def test_a_text_that_changed_while_the_dialog_was_open_is_no_longer_dismissed(desk: Desk, tmp_path: Path) -> None:
    plan = dismissed(desk, of_kind(desk, "title"))
    file = tmp_path / HOME / "decisions.md"
    file.write_text(file.read_text().replace("Other.", "Another."))
    with pytest.raises(UnknownEntry, match="settled, or one of its texts changed"):
        desk.commit(plan, "Ada")
    assert not (tmp_path / PATH).exists()


def test_another_s_judgment_meanwhile_is_kept(desk: Desk, tmp_path: Path) -> None:
    plan = dismissed(desk, of_kind(desk, "title"))
    other = opened(tmp_path)
    other.commit(dismissed(other, of_kind(other, "ground")), "Bo")
    with pytest.raises(Drifted) as caught:
        desk.commit(plan, "Ada")
    desk.commit(caught.value.plan, "Ada")
    assert (tmp_path / PATH).read_text().count("[[judgment]]") == 2


def test_who_judges_stands_in_the_file_where_nobody_said(desk: Desk) -> None:
    clash = of_kind(desk, "title")
    desk.perform(Request("dismiss", (clash.id[:6],), {"reason": "Two rooms."}), "Grace")
    judgment = desk.judgment(clash)
    assert judgment is not None
    assert judgment.by == "Grace"


@pytest.mark.parametrize(("data", "said"), [
    ("<<<<<<< HEAD\n[[judgment]]\n", r"judgments\.toml:1: is not valid TOML"),
    ('[[judgment]]\r\nverdict = "perhaps"\r\nkind = "x"\r\nreason = ""\r\nby = "a"\r\ndate = "b"\r\n', r":1: 'perhaps' is no"),
    (b"\xff\xfe", "is not UTF-8"),
])  # fmt: skip
def test_a_broken_file_is_said_and_nothing_counts_as_dismissed(
    desk: Desk, tmp_path: Path, data: str | bytes, said: str
) -> None:
    put(tmp_path, PATH, data)
    clash = of_kind(desk, "title")
    with pytest.raises(StoreError, match=said):
        desk.judgment(clash)
    with pytest.raises(StoreError, match=said):
        dismissed(desk, clash)
    fault = desk.judgments_fault()
    assert fault is not None
    assert fault.path == PATH
    assert len(desk.open_conflicts()) == 2
    assert desk.recall("colours").conflicts != ()


def test_windows_line_endings_stay(desk: Desk, tmp_path: Path) -> None:
    put(tmp_path, PATH, b"# ours\r\n# only\r\n")
    desk.commit(dismissed(desk, of_kind(desk, "title")), "Ada")
    data = (tmp_path / PATH).read_bytes()
    assert data.startswith(b"# ours\r\n# only\r\n\r\n[[judgment]]\r\n")
    assert data.count(b"\n") == data.count(b"\r\n")
    assert [one.kind for one in desk.open_conflicts()] == ["ground"]


def test_a_recall_leaves_out_what_was_dismissed(desk: Desk) -> None:
    assert [clash.kind for clash in desk.recall("colours").conflicts] == ["title"]
    desk.commit(dismissed(desk, of_kind(desk, "title")), "Ada")
    assert desk.recall("colours").conflicts == ()


def test_a_recall_tells_of_other_stores_first_and_holds_accepted_records(desk: Desk) -> None:
    made = desk.recall("day")
    assert [(clash.kind, clash.exact) for clash in made.conflicts] == [("ground", True)]
    made = desk.recall("sqlite counts", max_sources=1, max_chars=10)
    assert [entry.path for entry in made.binding] == ["docs/adr/0002-keep-counts-in-sqlite.md"]


def test_a_judgment_from_outside_is_a_change_and_one_s_own_is_none(desk: Desk, tmp_path: Path) -> None:
    assert PATH in desk.watcher()._files
    assert desk.known(PATH)
    desk.commit(dismissed(desk, of_kind(desk, "title")), "Ada")
    assert desk.known(PATH)
    assert not desk.refresh()
    (tmp_path / PATH).write_bytes(b"")
    assert not desk.known(PATH)
    assert desk.refresh([PATH])
    assert not desk.refresh([PATH])
    assert len(desk.open_conflicts()) == 2
