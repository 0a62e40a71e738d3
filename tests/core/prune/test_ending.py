"""The end of a session: what it came to, the line in the log, the tracked file of sessions, and when the next is due."""

from __future__ import annotations

import shutil
from datetime import date
from pathlib import Path

import pytest

from memdesk.core.checks import session as checks
from memdesk.core.desk import Desk
from memdesk.core.errors import Refused, StoreError
from memdesk.core.plan import Request
from memdesk.core.prune import cadence, sessions
from memdesk.core.prune.session import Session
from memdesk.core.prune.sessions import PATH, Ended
from memdesk.core.worktree import WorkTree
from tests.support.sessions import accepted, opened, proposed, rotten_store
from tests.support.stores import MEMORY, git, git_repo, put, records_store, snapshot

COPY, OTHER, BOATS, PAST = "Runs offline.", "Runs small.", "Boats", "decisions.md: 2 struck entries"


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    rotten_store(tmp_path)
    return opened(tmp_path)


def decide(desk: Desk) -> None:
    found = proposed(desk)
    accepted(desk, found[PAST], found[BOATS])
    desk.refuse(found[COPY], "On purpose", "Ada")
    desk.put_off(found[OTHER], date(2026, 12, 24))


def test_the_report_counts_what_was_decided_and_what_is_left(desk: Desk, tmp_path: Path) -> None:
    found = proposed(desk)
    accepted(desk, found[PAST])
    desk.put_off(found[OTHER], None)
    for one in (desk, opened(tmp_path, "2026-12-02")):
        done = one.ending()
        assert ([item.title for item in done.accepted], [item.title for item in done.snoozed]) == ([PAST], [OTHER])
        assert (done.rejected, done.left, done.began) == ((), 2, "2026-11-30")
        assert (done.frees, done.freed) == ({f"{MEMORY}/decisions.md": 60}, 60)
    assert (done.ended, desk.ending(7).left) == ("2026-12-02", 7)


def test_it_is_written_into_the_changelog_and_the_tracked_file_in_one_transaction(desk: Desk, tmp_path: Path) -> None:
    decide(desk)
    before = snapshot(tmp_path)
    plan = desk.closing()
    said = "2 accepted, 1 rejected, 1 snoozed, 0 left; 85 tokens freed"
    assert (plan.label, plan.summary) == (f"End the session: {said}", f"Ended a prune session: {said}.")
    assert plan.paths == [f"{MEMORY}/changelog.md", PATH]
    receipt = desk.end_session("Grace", confirmed=None)
    assert desk.history()[0].id == receipt.id
    log = (tmp_path / MEMORY / "changelog.md").read_text()
    assert log.split("\n")[4] == "- Prune session: 2 accepted, 1 rejected, 1 snoozed; 85 tokens freed."
    assert sessions.read(WorkTree(str(tmp_path))) == [Ended(date(2026, 11, 30), "Grace", 2, 1, 1, 85, 4)]
    assert desk.last_session() == date(2026, 11, 30)
    assert desk.prune_session().verdicts == ()
    undo = desk.commit(desk.undo(receipt.id), "Ada")
    assert undo.id
    assert not (tmp_path / PATH).exists()
    after = snapshot(tmp_path)
    changed = {path for path in after.keys() | before.keys() if after.get(path) != before.get(path)}
    assert {path for path in changed if "/state/" not in path} == {f"{MEMORY}/changelog.md"}
    assert "Undone: Ended a prune session: 2 accepted" in (tmp_path / MEMORY / "changelog.md").read_text()


def test_an_end_that_is_undone_opens_the_session_again(desk: Desk, tmp_path: Path) -> None:
    decide(desk)
    was = desk.prune_session()
    for _ in range(2):
        receipt = desk.end_session("Ada")
        assert opened(tmp_path).prune_session() == desk.prune_session() == Session(snoozed=was.snoozed)
        desk.commit(desk.undo(receipt.id), "Ada")
        assert opened(tmp_path).prune_session() == desk.prune_session() == was
    desk.commit(desk.undo(desk.history()[0].id), "Ada")
    assert desk.prune_session() == Session(snoozed=was.snoozed), "the end came back"


def test_an_end_that_the_history_forgot_holds(desk: Desk, tmp_path: Path) -> None:
    decide(desk)
    was = desk.prune_session()
    receipt = desk.end_session("Ada")
    desk.forget_history(receipt.id or "")
    assert opened(tmp_path).prune_session() == Session(snoozed=was.snoozed)


def test_an_end_that_is_undone_after_the_next_began_leaves_that_alone(desk: Desk, tmp_path: Path) -> None:
    found = proposed(desk)
    accepted(desk, found[PAST])
    first = desk.end_session("Ada")
    accepted(desk, found[BOATS])
    now = desk.prune_session()
    desk.commit(desk.undo(first.id), "Ada")
    assert desk.prune_session() == now
    assert [verdict.title for verdict in now.verdicts] == [BOATS]


def test_a_second_one_is_added_below_the_first_to_the_byte(desk: Desk, tmp_path: Path) -> None:
    decide(desk)
    desk.end_session("Ada")
    first = (tmp_path / PATH).read_bytes()
    again = opened(tmp_path, "2026-12-24")
    accepted(again, proposed(again)[OTHER])
    again.end_session("Bo")
    assert (tmp_path / PATH).read_bytes().startswith(first)
    assert [(one.ended.isoformat(), one.by) for one in sessions.read(again.workspace.tree)] == [
        ("2026-11-30", "Ada"), ("2026-12-24", "Bo"),
    ]


def test_a_session_in_which_nothing_was_decided_is_held_all_the_same(desk: Desk, tmp_path: Path) -> None:
    plan = desk.closing()
    assert plan.paths == [PATH]
    desk.end_session("Ada")
    assert sessions.read(desk.workspace.tree) == [Ended(date(2026, 11, 30), "Ada", line=4)]
    assert (tmp_path / MEMORY / "changelog.md").read_text() == "# Changelog\n"


def test_a_line_for_each_store_with_what_was_decided_there(tmp_path: Path) -> None:
    """A store without a log has none; one in which nothing was decided none either."""
    rotten_store(tmp_path)
    shutil.copytree(tmp_path / "docs" / "memory", tmp_path / "lib" / "docs" / "memory")
    shutil.copytree(tmp_path / "docs" / "memory", tmp_path / "app" / "docs" / "memory")
    records_store(tmp_path)
    desk = opened(tmp_path)
    found = {(one.store.path, one.title): one for one in desk.prune().proposals}
    accepted(desk, found["docs/memory", PAST], found["lib/docs/memory", PAST], found["lib/docs/memory", BOATS])
    desk.put_off(found["docs/memory", COPY], None)
    desk.end_session("Ada")
    lines = {
        store: [line for line in (tmp_path / store / "changelog.md").read_text().split("\n") if "Prune" in line]
        for store in ("docs/memory", "lib/docs/memory", "app/docs/memory")
    }
    assert lines == {
        "docs/memory": ["- Prune session: 1 accepted, 0 rejected, 1 snoozed; 60 tokens freed."],
        "lib/docs/memory": ["- Prune session: 2 accepted, 0 rejected, 0 snoozed; 85 tokens freed."],
        "app/docs/memory": [],
    }
    assert sessions.read(desk.workspace.tree)[0][2:6] == (3, 0, 1, 145)


def test_a_file_that_grew_is_told_as_that(desk: Desk) -> None:
    accepted(desk, proposed(desk)[COPY])
    assert desk.ending().freed < 0
    assert "tokens more than before" in desk.closing().summary


def test_ended_and_killed_before_that_was_noted_it_is_ended(desk: Desk, tmp_path: Path) -> None:
    decide(desk)
    state = Path(desk.state) / "pruning.json"
    kept = state.read_bytes()
    desk.end_session("Ada")
    state.write_bytes(kept)
    again = opened(tmp_path)
    assert (again.prune_session().id, again.prune_session().verdicts) == ("", ())
    assert again.prune_session().snoozed != {}
    again.end_session("Ada")
    assert [one[2:5] for one in sessions.read(again.workspace.tree)] == [(2, 1, 1), (0, 0, 0)]


def test_what_cannot_be_ended_is_refused_and_the_session_stays(desk: Desk, tmp_path: Path) -> None:
    decide(desk)
    with pytest.raises(Refused, match="what it came to"):
        desk.plan(Request("session", ("x",), {"accepted": "many"}))
    with pytest.raises(Refused, match="what it came to"):
        desk.plan(Request("session"))
    put(tmp_path, PATH, "[[session]]\nended = 2026-11-30\n")
    with pytest.raises(StoreError, match=r"sessions\.toml:1: A session needs by"):
        desk.end_session("Ada")
    assert len(desk.prune_session().verdicts) == 4


def test_a_log_that_cannot_be_written_to_is_named(tmp_path: Path) -> None:
    rotten_store(tmp_path, changelog=b"# Changelog\n\n- caf\xe9\n")
    desk = opened(tmp_path)
    desk.put_off(proposed(desk)[COPY], None)
    with pytest.raises(Refused, match=r"changelog\.md"):
        desk.end_session("Ada")
    assert not (tmp_path / PATH).exists()


@pytest.mark.parametrize(("text", "said"), [
    ("[[session]]\nended = 2026-11-30\n", ":1: A session needs by, a text. Mend that entry or remove it."),
    ("\n[[session]]\nended = \"2026-11-30\"\nby = \"a\"\n", ":2: A session needs ended, a date: ended = 2026-11-30."),
    ("[[session]]\nended = 2026-11-30T10:00:00\nby = \"a\"\n", ":1: A session needs ended, a date"),
    ("[[session]]\nended = 2026-11-30\nby = \"a\"\naccepted = 1.5\n", ":1: A session needs accepted, a whole number."),
    ("[[judgment]]\nx = 1\n", ":1: 'judgment' is no session. Write [[session]]."),
    ("session = 3\n", ":1: session is no list."), ("session = [1]\n", "A session must be a table."),
    ("<<<<<<< HEAD\n", ":1: is not valid TOML"), ("ended = 2026-13-45\n", ":1: is not valid TOML"),
])  # fmt: skip
def test_a_broken_file_names_line_and_remedy(text: str, said: str) -> None:
    with pytest.raises(StoreError) as caught:
        sessions.parse(text.encode())
    assert str(caught.value).startswith(PATH)
    assert said in str(caught.value)


def test_what_cannot_be_added_to_is_refused_and_any_name_comes_back() -> None:
    with pytest.raises(StoreError, match=r"cannot be added to\. Write its entries as \[\[session\]\] tables"):
        sessions.appended(b"session = []\n", Ended(date(2026, 1, 1), "Ada"))
    made = sessions.appended(b"# ours\r\n# too\r\n", Ended(date(2026, 1, 1), 'Zoë "\\ \t', 1, 2, 3, -4))
    assert made.startswith(b"# ours\r\n# too\r\n\r\n[[session]]\r\nended = 2026-01-01\r\n")
    assert made.count(b"\n") == made.count(b"\r\n")
    assert sessions.parse(made) == [Ended(date(2026, 1, 1), 'Zoë "\\ \t', 1, 2, 3, -4, 4)]


@pytest.mark.parametrize(("last", "every", "due"), [
    (None, None, False), (None, 30, True), ("2026-05-01", 30, False), ("2026-04-10", 30, False), ("2026-04-09", 30, True),
    ("2026-04-09", None, False), ("2026-05-10", 1, False), ("2026-05-11", 30, True),
])  # fmt: skip
def test_when_the_next_is_due(last: str | None, every: int | None, due: bool) -> None:
    assert cadence.overdue(last and date.fromisoformat(last), every, date(2026, 5, 10)) is due  # type: ignore[arg-type]


def test_the_check_goes_by_the_files_it_checks(tmp_path: Path) -> None:
    """A session that is not staged yet is none for what is about to be committed; a clone has what was."""
    root = tmp_path / "w"
    rotten_store(root)
    put(root, "memdesk.toml", "[prune]\nevery_days = 30\n")
    git_repo(root)
    desk = opened(root)
    assert desk.overdue()
    desk.end_session("Ada")
    assert not desk.overdue()

    def overdue(mode: str, at: Path = root) -> int:
        asked = checks.Asked(start=str(at), mode=mode, only=["prune-overdue"])
        return checks.check(asked, date(2026, 12, 1)).report.warnings

    assert (overdue("worktree"), overdue("staged")) == (0, 1)
    git(root, "add", PATH)
    assert overdue("staged") == 0
    git(root, "commit", "-q", "-m", "Session")
    git(tmp_path, "clone", "-q", str(root), "clone")
    assert overdue("worktree", tmp_path / "clone") == 0


def test_a_session_from_outside_is_a_change_and_one_s_own_is_none(desk: Desk, tmp_path: Path) -> None:
    desk.end_session("Ada")
    assert desk.known(PATH)
    assert not desk.refresh()
    other = opened(tmp_path)
    other.end_session("Bo")
    assert not desk.known(PATH)
    assert desk.refresh([PATH])
    assert not desk.refresh([PATH])
