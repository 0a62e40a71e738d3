"""Undo when the world around it moved: git, other terminals, other people, files that went, time."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path

import pytest

from memdesk.core.clock import Clock
from memdesk.core.desk import Desk
from memdesk.core.errors import Refused, UsageError
from memdesk.core.plan import Request
from memdesk.core.transaction import history as histories
from tests.support.commands import process, without_rights
from tests.support.stores import MEMORY, custodian_store, git, git_repo, snapshot

INBOX = "# Inbox\n\n## 2026-11-19\n\n- Alpha goes\n- Beta goes\n\n## 2026-10-30\n\n- Gamma goes\n"
NOW = datetime(2026, 11, 30, 9, 0)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    custodian_store(tmp_path / "work", inbox=INBOX)
    return git_repo(tmp_path / "work")


def desk(root: Path, days: int = 0) -> Desk:
    return Desk.open(str(root), clock=Clock(NOW + timedelta(days=days)), user_config=None)


def act(root: Path, verb: str, *texts: str, days: int = 0, who: str = "Ada", **words: str) -> str:
    opened = desk(root, days)
    ids = tuple(next(entry.id for entry in opened.workspace.candidates() if text in entry.text) for text in texts)
    receipt = opened.perform(Request(verb, ids, {"reason": "so", **words}, store=None if ids else MEMORY, person=True), who)
    assert receipt.id is not None
    return receipt.id


def undo(root: Path, ident: str | None = None, who: str = "Ada", days: int = 0) -> str:
    opened = desk(root, days)
    return opened.commit(opened.undo(ident), who).id or ""


def commit(root: Path, message: str) -> None:
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", message)


class TestGit:
    def test_after_the_commit_it_is_undone_in_the_files_and_the_commit_stays(self, root: Path) -> None:
        before = snapshot(root)
        done = act(root, "promote", "Alpha goes", to="area:reports", title="Alpha")
        commit(root, "Verdict")
        undo(root, done)
        assert snapshot(root) == before
        assert not (root / MEMORY / "areas").exists()
        assert git(root, "log", "--format=%s").split("\n")[0] == "Verdict"
        assert f" D {MEMORY}/areas/reports.md" in git(root, "status", "--porcelain").split("\n")

    def test_on_a_branch_without_it_there_is_nothing_to_undo_and_back_again_there_is(self, root: Path) -> None:
        before = snapshot(root)
        git(root, "checkout", "-q", "-b", "work")
        done = act(root, "reject", "Alpha goes", tombstone="yes", title="Alpha")
        after = snapshot(root)
        commit(root, "Verdict")
        git(root, "checkout", "-q", "main")
        assert snapshot(root) == before
        with pytest.raises(Refused, match="already as they were before"):
            undo(root, done)
        assert desk(root).show(done).undoable is False
        assert snapshot(root) == before
        git(root, "checkout", "-q", "work")
        assert snapshot(root) == after
        undo(root, done)
        assert snapshot(root) == before

    def test_after_a_rebase_onto_others_work_their_lines_stay(self, root: Path) -> None:
        git(root, "checkout", "-q", "-b", "work")
        done = act(root, "reject", "Gamma goes", tombstone="yes", title="Gamma")
        commit(root, "Verdict")
        git(root, "checkout", "-q", "main")
        (root / MEMORY / "inbox.md").write_text(INBOX.replace("- Alpha goes\n", "- Alpha goes, said differently\n"))
        (root / MEMORY / "brief.md").write_text("# Brief\n\nAnother.\n")
        theirs = snapshot(root)
        commit(root, "Theirs")
        git(root, "checkout", "-q", "work")
        git(root, "rebase", "-q", "main")
        undo(root, done)
        assert snapshot(root) == theirs


class TestFiles:
    def test_one_that_was_deleted_outside_is_named_and_nothing_written(self, root: Path) -> None:
        done = act(root, "promote", "Alpha goes", to="constraints")
        (root / MEMORY / "inbox.md").unlink()
        left = snapshot(root)
        with pytest.raises(Refused, match=r"was deleted since\. Bring it back with git") as caught:
            undo(root, done)
        assert caught.value.path == f"{MEMORY}/inbox.md"
        assert snapshot(root) == left
        git(root, "checkout", "-q", "--", ".")
        with pytest.raises(Refused, match="already as they were"):
            undo(root, done)

    def test_one_that_was_moved_outside_is_named_and_undone_once_it_is_back(self, root: Path) -> None:
        before = snapshot(root)
        done = act(root, "promote", "Alpha goes", to="constraints")
        (root / MEMORY / "inbox.md").rename(root / "elsewhere.md")
        with pytest.raises(Refused, match=r"inbox\.md: The file was deleted since"):
            undo(root, done)
        (root / "elsewhere.md").rename(root / MEMORY / "inbox.md")
        undo(root, done)
        assert snapshot(root) == before

    def test_one_that_it_made_and_that_was_deleted_outside_is_no_obstacle(self, root: Path) -> None:
        before = snapshot(root)
        done = act(root, "reject", "Alpha goes")
        (made,) = [path for path in snapshot(root) if path not in before]
        (root / made).unlink()
        undo(root, done)
        assert snapshot(root) == before

    @pytest.mark.slow
    @pytest.mark.parametrize("what", ["file", "folder"])
    def test_one_that_turned_read_only_is_named(self, root: Path, what: str) -> None:
        done = act(root, "promote", "Alpha goes", to="constraints")
        place = root / MEMORY / ("inbox.md" if what == "file" else "")
        left = snapshot(root)
        mode = place.stat().st_mode
        place.chmod(mode & ~0o222)
        try:
            refused = process(root, "undo", done, "--yes", "--as", "Ada", before=without_rights)
        finally:
            place.chmod(mode)
        assert refused.returncode != 0
        assert (f"{MEMORY}/inbox.md" if what == "file" else MEMORY).encode() in refused.stderr
        assert snapshot(root) == left
        undo(root, done)
        assert "Alpha goes" in (root / MEMORY / "inbox.md").read_text()


class TestTime:
    def test_what_was_cleared_away_is_no_transaction_and_the_rest_is_undone(
        self, root: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(histories, "KEEP_LEAST", 0, raising=False)
        old = act(root, "reject", "Alpha goes")
        middle = act(root, "reject", "Gamma goes", days=60)
        left = snapshot(root)
        newest = act(root, "add", text="Much later", days=100)
        assert [item.id for item in desk(root, 100).history()] == [newest, middle]
        with pytest.raises(UsageError, match="no transaction"):
            undo(root, old, days=100)
        undo(root, newest, days=100)
        assert snapshot(root) == left
        undo(root, middle, days=100)
        assert "Gamma goes" in (root / MEMORY / "inbox.md").read_text()

    def test_an_undo_outlives_what_it_undid_and_is_undone(self, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(histories, "KEEP_LEAST", 0, raising=False)
        old = act(root, "promote", "Alpha goes", to="area:reports", title="A")
        after = snapshot(root)
        back = undo(root, old, days=80)
        act(root, "add", text="Much later", days=100)
        assert old not in [item.id for item in desk(root, 100).history()]
        undo(root, days=100)
        undo(root, back, days=100)
        assert snapshot(root) == after

    def test_the_newest_stays_however_big(self, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(histories, "KEEP_BYTES", 10)
        first = act(root, "reject", "Alpha goes")
        before = snapshot(root)
        second = act(root, "reject", "Gamma goes")
        assert first not in [item.id for item in desk(root).history()]
        undo(root, second)
        assert snapshot(root) == before


class TestPeople:
    def test_anyone_may_undo_and_the_history_says_who(self, root: Path) -> None:
        done = act(root, "reject", "Alpha goes", who="Ada")
        undo(root, done, who="Eve")
        assert [(item.by, item.undoes) for item in desk(root).history()] == [("Eve", done), ("Ada", None)]

    def test_of_two_terminals_that_undo_one_action_one_wins(self, root: Path) -> None:
        before = snapshot(root)
        done = act(root, "promote", "Alpha goes", to="constraints")
        one, two = desk(root), desk(root)
        plans = one.undo(done), two.undo(done)
        first = one.commit(plans[0], "Ada").id
        with pytest.raises(Refused, match=f"It was undone by {first}"):
            two.commit(plans[1], "Eve")
        assert snapshot(root) == before
        assert [item.undoes for item in two.history()] == [done, None]

    def test_of_two_terminals_that_undo_different_actions_both_do(self, root: Path) -> None:
        before = snapshot(root)
        first, second = act(root, "reject", "Gamma goes"), act(root, "promote", "Alpha goes", to="constraints")
        one, two = desk(root), desk(root)
        plans = one.undo(first), two.undo(second)
        one.commit(plans[0], "Ada")
        two.commit(plans[1], "Eve")
        assert snapshot(root) == before


@pytest.mark.parametrize("verb", ["promote", "reject", "strike", "archive"])
def test_several_at_once_come_back_at_once(root: Path, verb: str) -> None:
    before = snapshot(root)
    done = act(root, verb, "Gamma goes", "Alpha goes", "Beta goes", to="constraints")
    after = snapshot(root)
    assert len(desk(root).candidates()) == 0
    back = undo(root, done)
    assert snapshot(root) == before
    again = undo(root, back)
    assert snapshot(root) == after
    undo(root, again)
    assert snapshot(root) == before


def test_a_snooze_is_no_action_and_outlives_an_undo(root: Path) -> None:
    opened = desk(root)
    (beta,) = [entry.id for entry in opened.candidates() if "Beta" in entry.text]
    done = act(root, "reject", "Alpha goes")
    opened.refresh()
    opened.snooze([beta], (NOW + timedelta(days=3)).date())
    assert opened.undo().undoes == done, "the newest action, not the snooze"
    undo(root)
    assert [snooze.id for snooze in desk(root).snoozes()] == [beta]
    assert [entry.heading for entry in desk(root).candidates()] == ["Alpha goes", "Gamma goes"]
