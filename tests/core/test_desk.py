"""The desk on real files and real repositories: what both front ends hold."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest

from memdesk.core.clock import clock
from memdesk.core.desk import Desk, Snooze
from memdesk.core.errors import GitError, ReadOnly, Refused, StoreError, UnknownEntry, UsageError
from memdesk.core.layouts.base import LoadRequest
from memdesk.core.plan import Drifted, Plan, Request
from memdesk.core.watch import folders
from tests.support.stores import MEMORY, custodian_store, git, git_repo, put, snapshot

INBOX = "# Inbox\n\n## 2026-11-20\n\n- [observed] Retry sync 3 times\n- Keep forty sites in the cache\n- Cloud sync for all\n"
RETRY, FORTY, CLOUD = "Retry sync", "Keep forty", "Cloud sync for all"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A store in a repository, committed; the folder's name has what breaks naive code."""
    root = tmp_path / "a b # ü"
    custodian_store(root, inbox=INBOX)
    return git_repo(root)


def desk_of(root: Path, now: str = "2026-11-30") -> Desk:
    return Desk.open(str(root), clock=clock(now), user_config=None)


def ident(desk: Desk, text: str) -> str:
    return next(entry.id for entry in desk.workspace.entries() if text in entry.text)


def promote(desk: Desk, *texts: str, to: str = "constraints", **words: str) -> Plan:
    ids = tuple(ident(desk, text) for text in texts)
    return desk.plan(Request("promote", ids, {"to": to, "reason": "it holds", **words}, person=True))


def text_of(root: Path, name: str) -> str:
    return (root / MEMORY / name).read_text()


# Opening and reading ------------------------------------------------------------------------------------------------


def test_it_opens_from_a_folder_or_a_file_in_the_workspace(root: Path) -> None:
    for start in (root, root / MEMORY, root / MEMORY / "inbox.md"):
        desk = desk_of(start)
        assert desk.root == str(root)
        assert [store.path for store in desk.workspace.stores] == [MEMORY]
    assert desk.git is not None
    assert desk.git.branch == "main"
    assert desk.read_only is None
    assert not (root / ".git/memdesk").exists()
    with pytest.raises(UsageError, match="no such folder"):
        desk_of(root / "nowhere")


def test_without_git_and_without_a_store_it_still_opens(tmp_path: Path) -> None:
    desk = desk_of(tmp_path)
    assert desk.git is None
    assert desk.candidates() == desk.search("x") == desk.history() == desk.pending() == []
    with pytest.raises(UsageError, match=r"no store here.*memdesk init"):
        desk.store(None)
    for act in (lambda: desk.stage(), lambda: desk.commit_git("x")):
        with pytest.raises(GitError, match="not in a git repository"):
            act()
    made = desk.commit(desk.plan(Request("init", words={"layout": "custodian"}, person=True)), "me")
    assert made.id is not None
    assert desk.store(None).path == MEMORY
    assert (tmp_path / ".memdesk/state/history").is_dir()


def test_one_of_several_stores_is_named(root: Path) -> None:
    custodian_store(root, "docs/other")
    desk = desk_of(root)
    with pytest.raises(UsageError, match=r"several stores: docs/memory \(custodian\), docs/other \(custodian\)"):
        desk.store(None)
    for name in ("docs/other", "docs/other/", "./docs/../docs/other", str(root / "docs/other")):
        assert desk.store(name).path == "docs/other"
    with pytest.raises(UsageError, match=r"no store at 'docs'.*docs/memory"):
        desk.store("docs")
    with pytest.raises(UsageError, match="several"):
        desk.pack(LoadRequest("planning"))
    assert desk.pack(LoadRequest("planning"), "docs/other").store == "docs/other"


def test_a_refresh_says_whether_anything_differs(root: Path) -> None:
    desk = desk_of(root)
    kept = desk.workspace
    assert desk.refresh() is False
    assert desk.workspace is kept
    inbox = root / MEMORY / "inbox.md"
    before = inbox.stat()
    inbox.write_text(INBOX.replace("Cloud sync", "Clout sync"))
    os.utime(inbox, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert desk.refresh([f"{MEMORY}/decisions.md"]) is False
    assert desk.refresh() is True
    assert "Clout" in desk.candidates()[2].text
    assert desk.workspace.documents[f"{MEMORY}/decisions.md"] is kept.documents[f"{MEMORY}/decisions.md"]
    put(root, f"{MEMORY}/areas/new.md", "# New\n\n- A line\n")
    assert desk.refresh([f"{MEMORY}/areas/new.md"]) is True
    (root / MEMORY / "areas/new.md").unlink()
    assert desk.refresh([f"{MEMORY}/areas/new.md"]) is True
    assert f"{MEMORY}/areas/new.md" not in desk.workspace.documents


def test_settings_are_read_again_and_broken_ones_leave_the_old_reading(root: Path) -> None:
    desk = desk_of(root)
    put(root, "memdesk.toml", "[budget]\nnear = 0.5\n")
    assert desk.refresh() is True
    assert desk.settings.budget.near == 0.5
    put(root, "memdesk.toml", "[budget]\nnear = 7\n")
    with pytest.raises(StoreError, match=r"memdesk\.toml:2"):
        desk.refresh(["memdesk.toml"])
    assert desk.settings.budget.near == 0.5
    assert len(desk.candidates()) == 3
    (root / "memdesk.toml").unlink()
    assert desk.refresh(["memdesk.toml"]) is True
    assert desk.settings.budget.near == 0.8


def test_the_users_own_settings_and_an_explicit_file(root: Path, tmp_path: Path) -> None:
    user = put(tmp_path, "user.toml", '[editor]\ncommand = "nano"\n')
    explicit = put(tmp_path, "explicit.toml", "[budget]\nnear = 0.25\n")
    put(root, "memdesk.toml", "[budget]\nnear = 0.5\n")
    desk = Desk.open(str(root), clock=clock(None), config=str(explicit), user_config=str(user))
    assert (desk.settings.editor.command, desk.settings.budget.near) == ("nano", 0.25)
    assert desk.refresh() is False
    own = put(Path(os.environ["XDG_CONFIG_HOME"]), "memdesk/config.toml", '[editor]\ncommand = "ed"\n')
    assert own.exists()
    assert Desk.open(str(root), clock=clock(None)).settings.editor.command == "ed"


def test_near_and_search_follow_the_reading(root: Path) -> None:
    desk = desk_of(root)
    cloud = desk.candidates()[2]
    assert [(match.kind, match.entry.heading) for match in desk.near(cloud)] == [("tombstone", "Tombstone: Cloud sync")]
    assert [entry.path for entry in desk.search("cloud sync")] == [f"{MEMORY}/do-not-use.md", f"{MEMORY}/inbox.md"]
    put(root, f"{MEMORY}/do-not-use.md", "# Do not use\n")
    desk.refresh()
    assert desk.near(desk.candidates()[2]) == []
    assert [entry.path for entry in desk.search("cloud sync")] == [f"{MEMORY}/inbox.md"]


def test_a_pack_and_its_standing_line(root: Path) -> None:
    put(root, "memdesk.toml", '[standing]\nmemory = "Only context."\n')
    desk = desk_of(root)
    made = desk.pack(LoadRequest("implementation"))
    assert (made.status, made.standing) == ("complete", "Only context.")
    assert [file.path for file in made.files][:2] == [f"{MEMORY}/brief.md", f"{MEMORY}/decisions.md"]
    with pytest.raises(UsageError, match="planning"):
        desk.pack(LoadRequest("nonsense"))


def test_a_reading_never_shows_half_a_commit(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    desk = desk_of(root)
    answers = iter(["7+", "7", "8", "8", "8"])  # under way; then a commit in the middle of the reading; then none
    monkeypatch.setattr("memdesk.core.transaction.state.generation", lambda state: next(answers))
    seen: list[str] = []
    real = desk.workspace

    def reading(*_: object) -> object:
        seen.append("read")
        return real

    monkeypatch.setattr("memdesk.core.workspace.refresh", reading)
    desk.refresh()
    assert seen == ["read", "read"]
    assert list(answers) == []


# Acting -------------------------------------------------------------------------------------------------------------


def test_a_plan_touches_nothing_and_a_commit_just_its_files(root: Path) -> None:
    desk = desk_of(root)
    before = snapshot(root)
    plan = promote(desk, RETRY, FORTY)
    assert snapshot(root) == before
    receipt = desk.commit(plan, "Zoë")
    after = snapshot(root)
    assert {path for path in after if after[path] != before.get(path)} == {f"{MEMORY}/constraints.md", f"{MEMORY}/inbox.md"}
    assert [entry.text for entry in desk.candidates()] == ["- Cloud sync for all"]
    assert receipt.id == desk.history()[0].id == desk.session[0]
    assert (desk.history()[0].by, desk.history()[0].verb) == ("Zoë", "promote")
    assert [desk.workspace.find(new).path for new in receipt.plan.new_ids] == [f"{MEMORY}/constraints.md"] * 2
    assert desk.refresh() is False


def test_one_entrys_reason_is_not_proposed_for_all(root: Path) -> None:
    put(root, f"{MEMORY}/inbox.md", "# Inbox\n\n- Alpha holds (for: decision; reason: the first one's)\n- Beta holds\n")
    desk = desk_of(root)
    alpha, beta = ident(desk, "Alpha"), ident(desk, "Beta")

    def proposed(*ids: str) -> str:
        decisions = next(place for place in desk.destinations(ids) if place.id == "decisions")
        return next(ask.default for ask in decisions.asks if ask.field == "reason")

    assert proposed(alpha) == "the first one's"
    assert proposed(alpha, beta) == ""
    assert proposed(beta, alpha) == ""


def test_destinations_and_questions_of_several_entries(root: Path) -> None:
    desk = desk_of(root)
    one = [place.id for place in desk.destinations([ident(desk, RETRY)])]
    assert one[:2] == ["decisions", "constraints"]
    assert [place.id for place in desk.destinations([ident(desk, RETRY), ident(desk, FORTY)])] == one
    assert "reason" in {ask.field for ask in desk.asks("reject", [ident(desk, RETRY), ident(desk, FORTY)])}
    with pytest.raises(UsageError, match="does not know 'dance'"):
        desk.asks("dance", [ident(desk, RETRY)])
    with pytest.raises(UnknownEntry):
        desk.destinations(["docs/memory/inbox.md#00000000"])
    with pytest.raises(UsageError, match="No entry"):
        desk.asks("reject", [])


def test_an_open_question_refuses_and_names_the_answer(root: Path) -> None:
    desk = desk_of(root)
    request = Request("forget", words={"topic": "sync", "mode": "soft"}, person=True)
    plan = desk.plan(request)
    assert plan.questions
    before = snapshot(root)
    for act in (lambda: desk.commit(plan, "me"), lambda: desk.perform(request, "me")):
        with pytest.raises(Refused) as caught:
            act()
        assert caught.value.field == plan.questions[0].key
    assert snapshot(root) == before
    desk.perform(request._replace(answers={plan.questions[0].key: "yes"}), "me")
    assert "sync" not in text_of(root, "inbox.md")


def test_add_says_its_id_and_a_second_desk_sees_it(root: Path) -> None:
    desk, other = desk_of(root), desk_of(root)
    receipt = desk.perform(Request("add", words={"text": "New thing", "tag": "observed"}), "agent")
    assert [desk.workspace.find(new).text for new in receipt.plan.new_ids] == ["- [observed] New thing"]
    assert other.refresh([f"{MEMORY}/inbox.md"]) is True
    assert other.workspace.find(receipt.plan.new_ids[0]).candidate


ADD = """
import sys
from memdesk.core.clock import clock
from memdesk.core.desk import Desk
from memdesk.core.plan import Request
desk = Desk.open(sys.argv[1], clock=clock("2026-11-30"), user_config=None)
sys.stdin.read()
for number in range(int(sys.argv[3])):
    desk.perform(Request("add", words={"text": f"candidate {sys.argv[2]}.{number}"}), "agent")
"""


@pytest.mark.slow
@pytest.mark.parametrize(("writers", "each"), [(3, 4), pytest.param(20, 1, marks=pytest.mark.slow)])
def test_f02_many_writers_at_once_lose_nothing(root: Path, writers: int, each: int) -> None:
    words = [[sys.executable, "-c", ADD, str(root), str(number), str(each)] for number in range(writers)]
    running = [subprocess.Popen(command, stdin=subprocess.PIPE) for command in words]
    for process in running:
        assert process.stdin is not None
        process.stdin.close()
    assert [process.wait(120) for process in running] == [0] * writers
    desk = desk_of(root)
    found = {entry.heading for entry in desk.candidates() if entry.heading.startswith("candidate")}
    assert found == {f"candidate {number}.{turn}" for number in range(writers) for turn in range(each)}
    assert len(desk.history()) == writers * each
    assert desk.pending() == []


# What others do meanwhile -------------------------------------------------------------------------------------------


def test_what_was_planned_is_not_parsed_again_once_it_is_there(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    desk = desk_of(root)
    plan = promote(desk, FORTY)
    from memdesk.core import markdown

    parsed: list[bytes] = []
    parse = markdown.parse
    monkeypatch.setattr(markdown, "parse", lambda data: parsed.append(data) or parse(data))
    desk.commit(plan, "me")
    assert [entry.heading for entry in desk.candidates()] == ["[observed] Retry sync 3 times", CLOUD]
    assert [data for data in parsed if b"# Inbox" in data or b"# Constraints" in data] == []
    assert desk.refresh() is False


def test_what_was_planned_is_nothing_where_the_file_came_out_otherwise(root: Path) -> None:
    desk = desk_of(root)
    promote(desk, FORTY)
    inbox = text_of(root, "inbox.md")
    put(root, f"{MEMORY}/inbox.md", inbox.replace("- Keep forty sites in the cache\n", "- Something else\n"))
    desk.refresh()
    assert [entry.heading for entry in desk.candidates()] == ["[observed] Retry sync 3 times", "Something else", CLOUD]
    promote(desk, "Something else")
    put(root, f"{MEMORY}/inbox.md", inbox)
    desk.refresh()
    assert [entry.heading for entry in desk.candidates()][1] == "Keep forty sites in the cache"


def test_f02_an_outside_append_to_both_files_is_kept(root: Path) -> None:
    desk = desk_of(root)
    plan = promote(desk, FORTY)
    for name in ("inbox.md", "constraints.md"):
        with (root / MEMORY / name).open("a") as stream:
            stream.write("- [observed] build cache lives in tmp\n")
    assert [step.path for step in plan.steps if step.before != (root / step.path).read_bytes()] == plan.paths
    try:
        receipt = desk.commit(plan, "me")
    except Drifted as drifted:  # the place of the new bullet moved: the person looks once more
        receipt = desk.commit(drifted.plan, "me")
    assert receipt.id is not None
    rest = INBOX.replace(f"- {FORTY} sites in the cache\n", "")
    assert text_of(root, "inbox.md") == rest + "- [observed] build cache lives in tmp\n"
    lines = text_of(root, "constraints.md").splitlines()
    assert "- [observed] build cache lives in tmp" in lines
    assert "- Keep forty sites in the cache" in lines


def test_f02_an_edit_elsewhere_is_planned_anew_and_applied(root: Path) -> None:
    desk = desk_of(root)
    plan = promote(desk, RETRY, to="decisions")
    put(root, f"{MEMORY}/inbox.md", INBOX.replace("Cloud sync for all", "Cloud sync for nobody"))
    old = text_of(root, "decisions.md")
    put(root, f"{MEMORY}/decisions.md", old + "\nA line from outside.\n")
    desk.commit(plan, "me")
    assert "Cloud sync for nobody" in text_of(root, "inbox.md")
    assert RETRY not in text_of(root, "inbox.md")
    assert "A line from outside." in text_of(root, "decisions.md")
    assert "## 2026-11-30 - Retry sync 3 times" in text_of(root, "decisions.md")


def test_f26_other_hunks_are_refused_with_the_new_plan(root: Path) -> None:
    desk = desk_of(root)
    plan = desk.plan(Request("reject", (ident(desk, CLOUD),), {"reason": "no"}, person=True))
    put(root, f"{MEMORY}/changelog.md", "# Changelog\n")
    before = snapshot(root)
    with pytest.raises(Drifted) as caught:
        desk.commit(plan, "me")
    assert snapshot(root) == before
    assert caught.value.plan.hunks() != plan.hunks()
    assert f"{MEMORY}/changelog.md" in caught.value.plan.paths
    assert desk.history() == []
    desk.refresh()
    desk.commit(caught.value.plan, "me")
    assert CLOUD in text_of(root, "changelog.md")


def _gone(root: Path) -> None:
    put(root, f"{MEMORY}/inbox.md", INBOX.replace("- [observed] Retry sync 3 times\n", ""))


def _changed(root: Path) -> None:
    put(root, f"{MEMORY}/inbox.md", INBOX.replace("3 times", "4 times"))


def _deleted(root: Path) -> None:
    (root / MEMORY / "inbox.md").unlink()


def _renamed(root: Path) -> None:
    (root / MEMORY / "inbox.md").rename(root / MEMORY / "inbox.old")


def _folder(root: Path) -> None:
    _deleted(root)
    (root / MEMORY / "inbox.md").mkdir()


def _emptied(root: Path) -> None:
    (root / MEMORY / "inbox.md").write_bytes(b"")


def _store_gone(root: Path) -> None:
    (root / MEMORY).rename(root / "elsewhere")


def _branch(root: Path) -> None:
    git(root, "checkout", "-q", "other")


@pytest.mark.parametrize(
    "act", [_gone, _changed, _deleted, _folder, _emptied, _store_gone, _branch, pytest.param(_renamed, marks=pytest.mark.slow)]
)
def test_f26_an_entry_that_went_away_meanwhile_is_refused_and_both_texts_stay(root: Path, act: Callable[[Path], None]) -> None:
    git(root, "checkout", "-q", "-b", "other")
    _gone(root)
    git(root, "commit", "-qam", "without it")
    git(root, "checkout", "-q", "main")
    desk = desk_of(root)
    plan = promote(desk, RETRY)
    act(root)
    before = snapshot(root)
    for attempt in (lambda: desk.commit(plan, "me"), lambda: desk.perform(plan.request, "me")):
        with pytest.raises(Refused) as caught:
            attempt()
        assert caught.value.exit_code == 1
        assert "Retry sync 3 times" in str(caught.value)
        assert "Nothing was written" in str(caught.value)
        assert "yours is kept" in str(caught.value)
    assert snapshot(root) == before
    assert plan.request.words["reason"] == "it holds"
    desk.refresh()
    assert all(entry.text != "- [observed] Retry sync 3 times" for entry in desk.candidates())
    if act is _changed:
        assert isinstance(caught.value, UnknownEntry)
        assert caught.value.candidates == (ident(desk, "4 times"),)


def test_f26_a_changed_target_of_a_merge_is_told(root: Path) -> None:
    desk = desk_of(root)
    words = {"into": ident(desk, "Runs without"), "text": "- Runs without a network connection, and retries."}
    plan = desk.plan(Request("merge", (ident(desk, RETRY),), words, person=True))
    put(root, f"{MEMORY}/constraints.md", "# Constraints\n\n- Runs with a network.\n")
    with pytest.raises(UnknownEntry, match="Runs without a network connection") as caught:
        desk.commit(plan, "me")
    desk.refresh()
    assert caught.value.candidates == (ident(desk, "Runs with a network"),)


def test_f26_an_undo_is_refused_when_the_file_moved_on(root: Path) -> None:
    desk = desk_of(root)
    desk.commit(promote(desk, FORTY), "me")
    undo = desk.undo()
    put(root, f"{MEMORY}/constraints.md", text_of(root, "constraints.md").replace("forty sites", "fifty sites"))
    before = snapshot(root)
    with pytest.raises(Refused, match="changed since"):
        desk.commit(undo, "me")
    with pytest.raises(Refused, match="changed since"):
        desk.undo()
    assert snapshot(root) == before
    assert [(item.undoable, item.reason is None) for item in desk.history()] == [(False, False)]


# History ------------------------------------------------------------------------------------------------------------


def test_undo_and_redo_work_in_another_desk(root: Path) -> None:
    desk = desk_of(root)
    before = snapshot(root)
    receipt = desk.commit(promote(desk, RETRY, to="decisions"), "me")
    after = snapshot(root)
    desk = desk_of(root)
    assert receipt.id is not None
    undone = desk.commit(desk.undo(), "you")
    assert snapshot(root) == before
    assert desk.refresh() is False
    assert [RETRY in entry.text for entry in desk.candidates()] == [True, False, False]
    assert undone.id is not None
    assert desk.show(undone.id).undoes == receipt.id
    with pytest.raises(Refused, match="undone"):
        desk.undo(receipt.id)
    with pytest.raises(Refused, match="nothing to undo"):
        desk.undo()
    desk.commit(desk.undo(undone.id), "me")
    assert snapshot(root) == after


def test_what_is_forgotten_cannot_be_undone(root: Path) -> None:
    desk = desk_of(root)
    receipt = desk.commit(promote(desk, RETRY), "me")
    assert receipt.id is not None
    desk.forget_history(receipt.id)
    assert desk.history() == []
    with pytest.raises(UsageError, match="no transaction"):
        desk.show(receipt.id)
    with pytest.raises(Refused, match="nothing to undo"):
        desk.undo()


def test_an_interrupted_commit_is_pending_and_recovered(root: Path) -> None:
    desk = desk_of(root)
    plan = promote(desk, RETRY)
    child = os.fork()
    if child == 0:
        try:
            from memdesk.core.transaction.commit import Commit

            Commit.close = lambda *_: os._exit(9)  # type: ignore[method-assign]
            desk.commit(plan, "me")
        finally:
            os._exit(1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 9
    desk = desk_of(root)
    assert [pending.verb for pending in desk.pending()] == ["promote"]
    assert [done.outcome for done in desk.recover()] == ["closed"]
    assert desk.pending() == []
    assert len(desk.candidates()) == 2
    assert desk.recover() == []


# Snoozing -----------------------------------------------------------------------------------------------------------


def test_a_snooze_lasts_until_its_day_or_until_the_text_changes(root: Path) -> None:
    desk = desk_of(root)
    before = snapshot(root)
    retry, forty = ident(desk, RETRY), ident(desk, FORTY)
    desk.snooze([retry, forty[:-3]], date(2026, 12, 5))
    assert snapshot(root) == before
    assert desk.snoozes() == sorted([Snooze(retry, date(2026, 12, 5)), Snooze(forty, date(2026, 12, 5))])
    assert [entry.text for entry in desk.candidates()] == ["- Cloud sync for all"]
    assert len(desk.candidates(snoozed=True)) == 3
    assert len(desk_of(root, "2026-12-04").candidates()) == 1
    assert len(desk_of(root, "2026-12-05").candidates()) == 3
    put(root, f"{MEMORY}/inbox.md", INBOX.replace("3 times", "4 times"))
    desk.refresh()
    assert len(desk.candidates()) == 2
    desk.unsnooze([forty, retry])
    assert len(desk.candidates()) == 3
    assert desk.snoozes() == []


def test_what_cannot_be_snoozed(root: Path) -> None:
    desk = desk_of(root)
    with pytest.raises(UsageError, match="not to come"):
        desk.snooze([ident(desk, RETRY)], date(2026, 11, 30))
    with pytest.raises(Refused, match="Only a candidate"):
        desk.snooze([ident(desk, "Runs without")], date(2026, 12, 30))
    with pytest.raises(UnknownEntry):
        desk.snooze(["docs/memory/inbox.md#ffffffff"], date(2026, 12, 30))
    assert desk.snoozes() == []


# Places that cannot be written --------------------------------------------------------------------------------------


@pytest.mark.parametrize("place", [".git", MEMORY])
def test_a_place_that_cannot_be_written_is_named_and_reading_goes_on(
    root: Path, place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = os.access
    closed = str(root / place)

    def access(path: object, mode: int, **options: object) -> bool:
        if mode & os.W_OK and os.fsdecode(path) == closed:  # type: ignore[arg-type]
            return False
        return real(path, mode, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(os, "access", access)
    desk = desk_of(root)
    assert desk.read_only is not None
    assert place in desk.read_only
    plan = promote(desk, RETRY)
    before = snapshot(root)
    for act in (
        lambda: desk.commit(plan, "me"), lambda: desk.perform(plan.request, "me"),
        lambda: desk.snooze([ident(desk, RETRY)], date(2027, 1, 1)),
    ):
        with pytest.raises(ReadOnly, match="cannot be written"):
            act()
    assert snapshot(root) == before
    assert len(desk.candidates()) == 3
    assert desk.check().result == "pass"


def test_the_default_name(root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert desk_of(root).who() == "Test Person"
    monkeypatch.setenv("LOGNAME", "zoe")
    plain = tmp_path / "plain"
    custodian_store(plain)
    assert desk_of(plain).who() == "zoe"


# Checking -----------------------------------------------------------------------------------------------------------


def test_a_check_looks_at_the_change_that_is_asked_for(root: Path) -> None:
    desk = desk_of(root)
    assert desk.check().change[:5] == ("worktree", None, 0, 0, 0)
    desk.commit(promote(desk, RETRY, FORTY), "me")
    assert desk.check().change[:5] == ("worktree", None, 2, 4, 2)  # each line has its reason below it
    assert desk.check("none").change.skipped is not None
    assert desk.check("base", "HEAD").change[:5] == ("base", "HEAD", 2, 4, 2)
    assert desk.check("staged").change[:5] == ("staged", None, 0, 0, 0)
    with pytest.raises(UsageError):
        desk.check(only=["no-such-rule"])
    with pytest.raises(UsageError, match="no store"):
        desk.check(store="docs")


def test_a_check_of_what_is_staged_reads_the_index(root: Path) -> None:
    put(root, f"{MEMORY}/constraints.md", "# Constraints\n\n- Twice\n- Twice\n")
    git(root, "add", "-A")
    put(root, f"{MEMORY}/constraints.md", "# Constraints\n\n- Once\n")
    desk = desk_of(root)
    assert [finding.rule for finding in desk.check("staged", only=["duplicate-entry"]).findings] == ["duplicate-entry"]
    assert desk.check("worktree", only=["duplicate-entry"]).findings == ()


def test_a_check_that_git_fails_is_a_failure_not_a_pass(root: Path, tmp_path: Path) -> None:
    report = desk_of(root).check("base", "origin/main")
    assert (report.result, report.exit_code) == ("fail", 2)
    assert "git does not know the revision 'origin/main'. Fetch it first" in report.failures[0]
    assert {rule.status for rule in report.rules if rule.rule == "struck-lost"} <= {"fail", "skip"}
    assert any(rule.checked for rule in report.rules)
    plain = tmp_path / "plain"
    custodian_store(plain)
    assert desk_of(plain).check().failures == ()
    assert desk_of(plain).check("staged").exit_code == 2


# Stage and commit ---------------------------------------------------------------------------------------------------


def test_just_the_files_of_the_session_are_committed(root: Path) -> None:
    put(root, "other.txt", "mine\n")
    put(root, f"{MEMORY}/brief.md", "# Brief\n\nEdited by hand.\n")
    desk = desk_of(root)
    assert desk.commit_message() == ""
    desk.commit(promote(desk, RETRY), "me")
    assert desk.commit_message() == 'Promoted "Retry sync 3 times" from inbox.md to constraints.md\n'
    desk.perform(Request("reject", (ident(desk, CLOUD),), {"reason": "no network"}, person=True), "me")
    message = desk.commit_message()
    assert message.splitlines()[0] == "Curate memory: 1 promoted, 1 rejected"
    assert message.splitlines()[2].startswith('- Promoted "Retry sync 3 times"')
    assert message.splitlines()[3].startswith('- Rejected "Cloud sync for all"')
    staged = desk.stage()
    assert {f"{MEMORY}/constraints.md", f"{MEMORY}/inbox.md"} <= set(staged)
    short = desk.commit_git(message)
    assert git(root, "log", "-1", "--format=%B").strip() == message.strip()
    assert git(root, "rev-parse", "HEAD").startswith(short)
    status = git(root, "status", "--porcelain").splitlines()
    assert status == [f" M {MEMORY}/brief.md", "?? other.txt"]
    assert desk.session == []
    with pytest.raises(GitError, match="nothing to commit"):
        desk.commit_git("again")


def test_verdicts_that_were_undone_are_not_in_the_message(root: Path) -> None:
    desk = desk_of(root)
    first = desk.commit(promote(desk, RETRY), "me")
    desk.commit(promote(desk, FORTY), "me")
    undo = desk.commit(desk.undo(), "me")
    assert "Keep forty" not in desk.commit_message()
    assert RETRY in desk.commit_message()
    assert undo.id is not None
    assert first.id is not None
    desk.commit(desk.undo(undo.id), "me")
    assert "2 promoted" in desk.commit_message()
    assert desk.commit_message([first.id]) == 'Promoted "Retry sync 3 times" from inbox.md to constraints.md\n'
    assert desk_of(root).commit_message() == ""


def test_an_undo_after_the_commit_is_a_verdict_of_its_own(root: Path) -> None:
    desk = desk_of(root)
    desk.commit(promote(desk, RETRY), "me")
    desk.commit_git(desk.commit_message())
    desk.commit(desk.undo(), "me")
    assert desk.commit_message().startswith('Undone: Promoted "Retry sync 3 times"')
    desk.commit_git(desk.commit_message())
    assert git(root, "status", "--porcelain") == ""


def test_a_long_title_and_a_secret_in_a_message(root: Path) -> None:
    key = "AKIA" + "QX7PLM2ZTRNVW4KD"
    put(root, f"{MEMORY}/inbox.md", f"# Inbox\n\n- Use the key {key} for {'very ' * 20}long uploads\n")
    desk = desk_of(root)
    desk.perform(Request("reject", (ident(desk, "very"),), {"reason": "no"}, person=True), "me")
    message = desk.commit_message()
    assert key not in message
    assert len(message.splitlines()[0]) <= 72
    assert message.splitlines()[0].endswith("…")


def test_files_behind_a_link_are_staged_where_they_are(tmp_path: Path) -> None:
    custodian_store(tmp_path, "docs/memory", inbox=INBOX)
    real = tmp_path / "kept" / "inbox.md"
    real.parent.mkdir()
    (tmp_path / MEMORY / "inbox.md").rename(real)
    (tmp_path / MEMORY / "inbox.md").symlink_to("../../kept/inbox.md")
    git_repo(tmp_path)
    desk = desk_of(tmp_path)
    desk.commit(promote(desk, RETRY), "me")
    assert (tmp_path / MEMORY / "inbox.md").is_symlink()
    assert desk.stage() == ["docs/memory/constraints.md", "kept/inbox.md"]


def test_f28_the_index_lock_of_another_git_leaves_the_verdict_and_is_kept(root: Path) -> None:
    desk = desk_of(root)
    (root / ".git/index.lock").touch()
    desk.commit(promote(desk, RETRY), "me")
    with pytest.raises(GitError, match=r"index\.lock"):
        desk.stage()
    assert (root / ".git/index.lock").exists()
    assert desk.check().failures == ()


# Watching -----------------------------------------------------------------------------------------------------------


def test_what_the_desk_wrote_or_read_is_known(root: Path) -> None:
    desk = desk_of(root)
    inbox = f"{MEMORY}/inbox.md"
    desk.commit(promote(desk, RETRY), "me")
    assert desk.known(inbox)
    assert desk.known("memdesk.toml")
    assert desk.known(f"{MEMORY}/4913")
    put(root, inbox, INBOX)
    put(root, "memdesk.toml", "[budget]\nnear = 0.5\n")
    put(root, f"{MEMORY}/rules/new.md", "# New\n")
    assert [desk.known(path) for path in (inbox, "memdesk.toml", f"{MEMORY}/rules", f"{MEMORY}/rules/new.md")] == [False] * 4
    assert len(desk.candidates()) == 2
    desk.refresh()
    assert [desk.known(path) for path in (inbox, "memdesk.toml", f"{MEMORY}/rules", f"{MEMORY}/rules/new.md")] == [True] * 4


def test_f27_the_watcher_tells_of_others_edits_alone(root: Path) -> None:
    desk = desk_of(root)

    async def run() -> set[str]:
        watcher = desk.watcher()
        events = watcher.events()
        receipt = desk.commit(promote(desk, RETRY), "me")
        watcher.push(receipt.plan.paths)
        put(root, f"{MEMORY}/decisions.md", "# Decisions\n")
        watcher.push([f"{MEMORY}/decisions.md"])
        try:
            async with asyncio.timeout(10):
                return await anext(events)
        finally:
            await events.aclose()  # type: ignore[attr-defined]

    assert asyncio.run(run()) == {f"{MEMORY}/decisions.md"}


def test_the_folders_that_are_watched(root: Path) -> None:
    custodian_store(root, "docs/deep/er/other")
    found = folders(desk_of(root).workspace)
    assert found.deep == {MEMORY, "docs/deep/er/other"}
    assert found.flat == {".", "docs", "docs/deep", "docs/deep/er", ".memdesk"}
