"""What happens around an open desk: files, folders, git and the clock become something else between two looks."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path

import pytest

from memdesk.core.clock import clock
from memdesk.core.desk import Desk
from memdesk.core.errors import MemdeskError, ReadOnly, Refused, UnknownEntry, UsageError
from memdesk.core.plan import Request
from tests.crash.test_desk import CHANGELOG, INBOX, _requests
from tests.support.faults import Tapped
from tests.support.sampling import sampled
from tests.support.stores import MEMORY, custodian_store, git, git_repo, snapshot

LATER = date(2026, 12, 24)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    custodian_store(tmp_path / "repo", inbox=INBOX, changelog=CHANGELOG)
    return git_repo(tmp_path / "repo")


@pytest.fixture(autouse=True)
def _never_held() -> Iterator[None]:
    """What waits for a FIFO fails instead of hanging the suite."""

    def held(*_: object) -> None:
        raise AssertionError("something waited for a file that is none")

    before = signal.signal(signal.SIGALRM, held)
    signal.alarm(30)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


def at(root: Path, now: str = "2026-11-30T04:02:51", **options: object) -> Desk:
    return Desk.open(str(root), clock=clock(now), user_config=None, **options)  # type: ignore[arg-type]


def a_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def a_fifo(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


def a_socket(path: Path) -> None:
    path.unlink()
    here = os.open(".", os.O_RDONLY)
    os.chdir(path.parent)  # a socket's name is short
    with socket.socket(socket.AF_UNIX) as made:
        made.bind(path.name)
    os.fchdir(here)
    os.close(here)


def a_device(path: Path) -> None:
    path.unlink()
    try:
        os.mknod(path, 0o20600, os.makedev(1, 5))
    except PermissionError:
        pytest.skip("only root makes devices")


def a_link_inside(path: Path) -> None:
    path.rename(path.with_name("elsewhere.md"))
    path.symlink_to("elsewhere.md")


def a_link_outside(path: Path) -> None:
    outside = path.parents[3] / "outside.md"
    outside.write_bytes(path.read_bytes())
    path.unlink()
    path.symlink_to(outside)


def a_link_to_itself(path: Path) -> None:
    path.unlink()
    path.symlink_to(path.name)


def hard_linked(path: Path) -> None:
    os.link(path, path.with_name("twin.txt"))


def nothing(path: Path) -> None:
    path.unlink()


CHANGES = [a_folder, a_fifo, a_socket, a_device, a_link_inside, a_link_outside, a_link_to_itself, hard_linked, nothing]


class TestTargets:
    """A target becomes something else between the preview and the commit."""

    @pytest.mark.parametrize("name", ["inbox.md", "manifest.md", "changelog.md"])
    @pytest.mark.parametrize("change", CHANGES)
    def test_it_is_refused_by_name_and_nothing_is_written(
        self, root: Path, change: Callable[[Path], None], name: str
    ) -> None:
        desk = at(root)
        plan = desk.plan(_requests(root)["promote"])
        change(root / MEMORY / name)
        before = snapshot(root.parent)
        with pytest.raises(MemdeskError) as caught:
            desk.commit(plan, "Ada")
        assert f"{MEMORY}/" in str(caught.value) or "new diff" in str(caught.value)
        assert "Traceback" not in str(caught.value)
        assert snapshot(root.parent) == before
        assert desk.pending() == []
        assert desk.history() == []
        desk.refresh()
        for entry in desk.candidates():
            desk.near(entry)
        desk.check()

    @pytest.mark.parametrize(
        ("change", "said"),
        [
            (a_folder, "its file is a folder now"), (a_fifo, "its file is no regular file now"),
            (a_link_outside, "leads out of the workspace"), (a_link_inside, f"its file is {MEMORY}/elsewhere.md now"),
            (nothing, "its file was removed"), (hard_linked, "has 2 hard links"),
        ],
    )
    def test_the_message_says_what_it_became(self, root: Path, change: Callable[[Path], None], said: str) -> None:
        desk = at(root)
        plan = desk.plan(_requests(root)["promote"])
        change(root / MEMORY / "inbox.md")
        with pytest.raises(Refused, match=said) as caught:
            desk.commit(plan, "Ada")
        assert "inbox.md" in str(caught.value)

    def test_a_file_that_is_no_memory_any_more_is_not_told_as_removed(self, root: Path) -> None:
        desk = at(root)
        plan = desk.plan(_requests(root)["promote"])
        (root / MEMORY / "manifest.md").unlink()
        with pytest.raises(UnknownEntry, match=r"belongs to no store any more.*manifest\.md is missing"):
            desk.commit(plan, "Ada")

    def test_the_folder_becomes_a_link_out_of_the_repository(self, root: Path) -> None:
        desk = at(root)
        plan = desk.plan(_requests(root)["promote"])
        outside = root.parent / "outside"
        shutil.move(root / MEMORY, outside)
        (root / MEMORY).symlink_to(outside)
        before = snapshot(root.parent)
        with pytest.raises(Refused, match=f"{MEMORY} is a link now"):
            desk.commit(plan, "Ada")
        with pytest.raises(MemdeskError):
            desk.perform(Request("add", (), {"text": "One more", "tag": "observed"}), "agent")
        assert snapshot(root.parent) == before

    @pytest.mark.parametrize("when", ["journal", "generation"])
    @pytest.mark.parametrize("folder", ["areas", ""])
    def test_a_folder_becomes_a_link_in_mid_commit(self, root: Path, when: str, folder: str) -> None:
        """After all was compared, before anything is put in place: nothing is written behind the link."""
        (root / MEMORY / "areas").mkdir()
        outside = root.parent / "outside"
        place = root / MEMORY / folder
        done = False

        def tap(name: str, arguments: tuple[object, ...]) -> None:
            nonlocal done
            if name == "write" and when in str(arguments[0]) and not done:
                done = True
                shutil.move(place, outside)
                place.symlink_to(outside)

        desk = at(root, files=Tapped(tap))
        text = {path.name: path.read_bytes() for path in (root / MEMORY).glob("*.md")}
        with pytest.raises(MemdeskError):
            desk.perform(_requests(root)["promote"], "Ada")
        assert done
        assert not list(outside.glob("**/reports.md"))
        assert {path.name: path.read_bytes() for path in (root / MEMORY).glob("*.md")} == text
        assert at(root).pending() == []

    @pytest.mark.parametrize("name", ["inbox.md", "manifest.md"])
    def test_it_vanishes_in_mid_commit(self, root: Path, name: str) -> None:
        done = False

        def tap(what: str, arguments: tuple[object, ...]) -> None:
            nonlocal done
            if what == "write" and "generation" in str(arguments[0]) and not done:
                done = True
                (root / MEMORY / name).unlink()

        before = snapshot(root)
        with pytest.raises(MemdeskError):
            at(root, files=Tapped(tap)).perform(_requests(root)["promote"], "Ada")
        del before[f"{MEMORY}/{name}"]
        assert snapshot(root) == before
        assert at(root).pending() == []

    @pytest.mark.parametrize("there", ["reports.md", "REPORTS.md", "Reports.md"])
    def test_an_area_whose_name_differs_in_case_is_that_area(self, root: Path, there: str) -> None:
        (root / MEMORY / "areas").mkdir()
        (root / MEMORY / "areas" / there).write_text("# Area: reports\n\nReports.\n")
        request = _requests(root)["promote"]
        request = request._replace(words={**request.words, "to": "area:Reports"})
        at(root).perform(request, "Ada")
        assert os.listdir(root / MEMORY / "areas") == [there]
        assert "Late sites" in (root / MEMORY / "areas" / there).read_text()

    def test_a_folder_whose_name_differs_in_case_is_refused(self, root: Path) -> None:
        (root / MEMORY / "Areas").mkdir()
        with pytest.raises(Refused, match=r"Areas is there already, and differs only in case. Rename one of the two"):
            at(root).perform(_requests(root)["promote"], "Ada")


class TestGone:
    """The store, the repository, its git folder or the folder that we are in disappears."""

    def test_the_store_goes_between_open_and_refresh_and_comes_back(self, root: Path) -> None:
        desk = at(root)
        plan = desk.plan(_requests(root)["promote"])
        shutil.move(root / MEMORY, root / "away")
        with pytest.raises(Refused, match=r"its file belongs to no store|its file was removed"):
            desk.commit(plan, "Ada")
        assert desk.refresh()
        assert (desk.workspace.stores[:1] and desk.workspace.stores[0].path) in ([], "away")
        desk.check()
        shutil.move(root / "away", root / MEMORY)
        assert desk.refresh()
        assert len(desk.candidates()) == 3
        desk.commit(desk.plan(_requests(root)["promote"]), "Ada")

    def test_nothing_makes_a_repository_anew_that_was_removed(self, root: Path) -> None:
        desk, requests = at(root), _requests(root)
        desk.perform(requests["add"], "agent")
        plan = desk.plan(requests["strike"])
        ident = desk.candidates()[0].id
        undo = desk.undo()
        shutil.rmtree(root)
        acts: list[Callable[[], object]] = [
            lambda: desk.commit(plan, "Ada"), lambda: desk.commit(undo, "Ada"), lambda: desk.snooze([ident], LATER),
            lambda: desk.unsnooze([ident]), lambda: desk.forget_history(desk.session[0]),
        ]
        for act in acts:
            with pytest.raises(ReadOnly, match="repo is not there any more"):
                act()
        assert (desk.recover(), desk.pending(), desk.history(), desk.snoozes()) == ([], [], [], [])
        assert desk.read_only == f"{root} is not there any more."
        desk.refresh()
        assert desk.candidates() == []
        assert not root.exists()

    @pytest.mark.parametrize("linked", [False, True])
    def test_nothing_makes_a_git_folder_anew(self, root: Path, linked: bool) -> None:
        if linked:
            git(root, "worktree", "add", "-q", str(root.parent / "linked"))
            root = root.parent / "linked"
        desk = at(root)
        plan = desk.plan(_requests(root)["promote"])
        git_dir = Path(desk.git.git_dir)  # type: ignore[union-attr]
        assert Path(desk.state).parent == git_dir
        shutil.rmtree(git_dir)
        before = snapshot(root)
        with pytest.raises(ReadOnly, match=r"git's own folder, .* is not there any more. Bring it back"):
            desk.commit(plan, "Ada")
        assert not git_dir.exists()
        assert snapshot(root) == before
        assert len(desk.candidates()) == 3  # reading goes on

    def test_a_worktree_that_is_removed_takes_its_state_with_it(self, root: Path) -> None:
        linked = root.parent / "linked"
        git(root, "worktree", "add", "-q", str(linked))
        desk = at(linked)
        desk.commit(desk.plan(_requests(linked)["promote"]), "Ada")
        assert desk.state == str(root / ".git" / "worktrees" / "linked" / "memdesk")
        undo = desk.undo()
        git(root, "worktree", "remove", "--force", str(linked))
        with pytest.raises(ReadOnly, match="linked is not there any more"):
            desk.commit(undo, "Ada")
        assert not linked.exists()
        assert not Path(desk.state).exists()
        assert at(root).history() == []  # the main checkout has a history of its own

    def test_the_folder_that_we_are_in_goes(self, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        inner = root / "inner"
        inner.mkdir()
        monkeypatch.chdir(inner)
        desk = Desk.open(".", clock=clock("2026-11-30"), user_config=None)
        inner.rmdir()
        desk.refresh()
        desk.commit(desk.plan(_requests(root)["promote"]), "Ada")
        assert desk.stage() != []
        with pytest.raises(UsageError, match=r"The folder that you are in is not there any more. Change to another"):
            Desk.open(".", clock=clock("2026-11-30"), user_config=None)


class TestClock:
    """The wall clock jumps; nothing but what a person reads goes by it."""

    def test_ids_order_and_undo_do_not_go_by_it(self, root: Path) -> None:
        requests = _requests(root)
        days = ["2026-11-30T10:00", "2026-11-29T10:00", "2016-01-01T10:00", "2036-01-01T10:00", "2026-11-30T11:00"]
        verbs = ["add", "strike", "reject", "promote"]
        made = [at(root, day).perform(requests[verb], "Ada").id for day, verb in zip(days, verbs, strict=False)]
        words = {"text": "One more", "tag": "observed"}
        made.append(at(root, days[4]).perform(Request("add", (), words), "agent").id)
        assert sorted(made) == made  # type: ignore[type-var]
        listed = at(root).history()
        assert [item.id for item in listed] == made[::-1]  # none is lost to the jump ahead
        assert [item.at[:4] for item in listed] == ["2026", "2036", "2016", "2026", "2026"]
        assert listed[0].undoable
        for ident in reversed(made[1:]):  # "the last" is the last that was done
            desk = at(root, "2020-02-02")
            plan = desk.undo()
            assert plan.undoes == ident
            desk.commit(plan, "Ada")

    def test_generation_counts_and_does_not_tell_the_time(self, root: Path) -> None:
        seen = []
        for number, now in enumerate(("2026-11-30", "2001-01-01", "2099-01-01", "2001-01-01")):
            desk = at(root, now)
            words = {"text": f"Number {number}", "tag": "observed"}
            desk.perform(Request("add", (), words), "agent")
            seen.append(int(desk.transactions.generation().split(" ")[0]))
        assert seen == sorted(set(seen))

    def test_a_snooze_lasts_by_the_day_that_it_is(self, root: Path) -> None:
        desk = at(root)
        ident = desk.candidates()[0].id
        desk.snooze([ident], LATER)
        for now, asleep in (("2026-12-23", 1), ("2026-12-24", 0), ("2016-01-01", 1), ("2099-01-01", 0), ("2026-11-30", 1)):
            assert len(at(root, now).snoozes()) == asleep, now  # a jump ahead wakes it and forgets nothing

    def test_a_lock_and_its_holder_have_no_age(self, root: Path) -> None:
        """A note from the future is a name to show, no reason to wait."""
        requests = _requests(root)
        desk = at(root)
        desk.perform(requests["add"], "agent")
        note = '{"pid": 1, "host": "h", "verb": "add", "at": "2099-01-01T00:00:00Z"}'
        (Path(desk.state) / "holder").write_text(note)
        at(root, "2026-11-30").perform(requests["strike"], "Ada")

    def test_a_file_from_the_future_is_read_again(self, root: Path) -> None:
        file = root / MEMORY / "inbox.md"
        os.utime(file, (4e9, 4e9))
        desk = at(root)
        file.write_bytes(file.read_bytes().replace(b"lamp", b"lens"))
        os.utime(file, (4e9, 4e9))
        assert desk.refresh()
        assert any("lens" in entry.text for entry in desk.candidates())


def _error(do: Callable[[], object]) -> MemdeskError | None:
    try:
        do()
    except MemdeskError as error:
        return error
    return None


def _said(do: Callable[[], object]) -> str:
    return str(_error(do) or "")


class TestState:
    """What is personal or derived lies in the state folder; rubbish there blocks nobody."""

    @pytest.mark.parametrize("kind", ["fifo", "folder", "link", "rubbish"])
    @pytest.mark.parametrize("name", sampled(["snoozes.json", "history", "txn", "txn/generation", "lock", "holder"], 3))
    def test_reading_goes_on_and_writing_works_or_names_it(self, root: Path, name: str, kind: str) -> None:
        place = root / ".git" / "memdesk" / name
        place.parent.mkdir(parents=True, exist_ok=True)
        if kind == "fifo":
            os.mkfifo(place)
        elif kind == "folder":
            place.mkdir()
        elif kind == "link":
            place.symlink_to("nowhere")
        else:
            place.write_bytes(b"rubbish\n")
        desk = at(root)
        assert len(desk.candidates(True)) == 3
        desk.check()
        said = [_said(look) for look in (desk.snoozes, desk.history, desk.pending, desk.transactions.holder)]
        before = snapshot(root)
        error = _error(lambda: desk.perform(_requests(root)["promote"], "Ada"))
        said.append("" if error is None else str(error))
        assert all(words == "" or name.rpartition("/")[2] in words for words in said), said
        if error is not None:
            assert error.remedy
            assert snapshot(root) == before
            assert name == "txn" or list((root / ".git/memdesk/txn").glob("2*")) == []

    def test_a_fifo_for_gits_head_holds_nobody(self, root: Path) -> None:
        (root / ".git" / "HEAD").unlink()
        os.mkfifo(root / ".git" / "HEAD")
        desk = at(root)
        assert len(desk.candidates()) == 3


class TestGit:
    """A rebase or a merge is under way."""

    def _conflict(self, root: Path, command: str) -> None:
        file = root / MEMORY / "inbox.md"
        git(root, "checkout", "-q", "-b", "side")
        file.write_text(INBOX.replace("Gulls are", "Gulls were"))
        git(root, "commit", "-q", "-am", "Side")
        git(root, "checkout", "-q", "main")
        file.write_text(INBOX.replace("Gulls are", "Terns are"))
        git(root, "commit", "-q", "-am", "Main")
        done = subprocess.run(["git", command, "side"], cwd=root, capture_output=True, check=False)
        assert done.returncode != 0
        assert b"<<<<<<<" in file.read_bytes()

    @pytest.mark.parametrize("command", ["merge", "rebase"])
    def test_a_file_in_conflict_is_not_written_and_others_are(self, root: Path, command: str) -> None:
        self._conflict(root, command)
        desk = at(root)
        before = snapshot(root)
        lamp = next(entry for entry in desk.candidates() if "lamp" in entry.text)
        with pytest.raises(Refused, match=r"inbox\.md:6: .*merge conflict that is not resolved"):
            desk.perform(Request("strike", (lamp.id,), {"reason": "no"}, person=True), "Ada")
        assert snapshot(root) == before
        decision = next(entry for entry in desk.workspace.entries() if "CSV" in entry.text)
        desk.perform(Request("strike", (decision.id,), {"reason": "no"}, person=True), "Ada")
        if command == "merge":
            with pytest.raises(MemdeskError, match="A merge is under way, and a commit now would be half of it"):
                desk.commit_git("Words")
        assert desk.session != []  # still to be committed
        desk.commit(desk.undo(), "Ada")
        assert (root / MEMORY / "decisions.md").read_bytes() == before[f"{MEMORY}/decisions.md"]
