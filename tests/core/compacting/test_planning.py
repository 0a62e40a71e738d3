"""The verb `compact` on the disk: one transaction, bound to what was read, and taken back whole."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from memdesk.core import judgments
from memdesk.core.clock import clock
from memdesk.core.compacting import drafting, materials, planning
from memdesk.core.desk import Desk
from memdesk.core.errors import MemdeskError, Refused, UsageError
from memdesk.core.plan import Drifted, Plan, Request
from tests.support.stores import FRAGMENTS, feature_memory, git_repo, jonggrang_store, put, snapshot

HOME = ".jonggrang"
MEMORY = f"{HOME}/.output/features/counts/MEMORY.md"
NOTES = f"{HOME}/.output/features/counts/progress.txt"
FIRST = f"{HOME}/{FRAGMENTS}/counts/task-001-2026-05-07T10-15-00-000Z.md"
SECOND = f"{HOME}/{FRAGMENTS}/counts/task-002-2026-05-08T16-40-12-345Z.md"
LATE = f"{HOME}/{FRAGMENTS}/counts/task-003-2026-05-09T08-00-00Z.md"
ARCHIVE = f"{HOME}/.ephemeral/memory/archive/counts/2026-11-30"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    jonggrang_store(tmp_path)
    return git_repo(tmp_path)


def opened(root: Path) -> Desk:
    return Desk.open(str(root), clock=clock("2026-11-30T04:02:51"), user_config=None)


def gathered(desk: Desk, read: str = "", feature: str = "counts") -> materials.Materials:
    return materials.gather(desk.workspace, desk.workspace.stores[0], feature, read)


def asked(desk: Desk, text: str | None = None, **left: str) -> Request:
    found = gathered(desk)
    by_id = {noted.entry.id: left[key] for noted in found.entries for key in left if key in noted.key}
    return planning.request(found, text, by_id)._replace(person=True)


def text_of(desk: Desk) -> str:
    return drafting.text(drafting.draft(gathered(desk), "2026-11-30T04:02:51Z"))


def test_the_memory_is_replaced_and_the_fragments_go_to_the_archive_to_the_byte(root: Path) -> None:
    desk, before = opened(root), snapshot(root)
    plan = desk.plan(asked(desk))
    assert [(step.kind, step.path) for step in plan.steps] == [
        ("replace", MEMORY), ("mkdir", ARCHIVE.rpartition("/counts")[0]), ("mkdir", ARCHIVE.rpartition("/")[0]),
        ("mkdir", ARCHIVE), ("create", f"{ARCHIVE}/{FIRST.rpartition('/')[2]}"), ("delete", FIRST),
        ("create", f"{ARCHIVE}/{SECOND.rpartition('/')[2]}"), ("delete", SECOND),
    ]
    assert plan.summary == "Compacted counts: 5 carried; 2 fragments archived."
    receipt = desk.commit(plan, "Ada")
    now = snapshot(root)
    for path in (FIRST, SECOND):
        assert path not in now
        assert now[f"{ARCHIVE}/{path.rpartition('/')[2]}"] == before[path]
    assert b"- A file has at most 400 rows (from task-001, 2026-05-07)\n" in now[MEMORY]
    assert [desk.workspace.find(ident).path for ident in receipt.plan.new_ids] == [MEMORY] * 5
    assert gathered(desk).empty
    assert desk.plan(asked(desk)).steps == ()
    desk.commit(desk.undo(), "Ada")
    assert snapshot(root) == before


def test_a_first_memory_makes_its_folder(root: Path) -> None:
    put(root, f"{HOME}/{FRAGMENTS}/new_1/task-001-2026-05-07T10-15-00Z.md", "- One\n")
    desk = opened(root)
    plan = desk.plan(planning.request(gathered(desk, feature="new_1"))._replace(person=True))
    assert [(step.kind, step.path.removeprefix(HOME)) for step in plan.steps if "new_1" in step.path][:3] == [
        ("mkdir", "/.ephemeral/memory/archive/new_1"), ("mkdir", "/.ephemeral/memory/archive/new_1/2026-11-30"),
        ("mkdir", "/.output/features/new_1"),
    ]
    desk.commit(plan, "Ada")
    assert (root / HOME / ".output/features/new_1/MEMORY.md").read_text().startswith("---\nfeature_id: new_1\n")
    desk.commit(desk.undo(), "Ada")
    assert not (root / HOME / ".output/features/new_1").exists()


def test_a_name_that_the_archive_has_already_is_not_overwritten(root: Path) -> None:
    name = FIRST.rpartition("/")[2]
    put(root, f"{ARCHIVE}/{name}", "earlier\n")
    put(root, f"{ARCHIVE}/{name.removesuffix('.md')}-2.md", "earlier\n")
    desk = opened(root)
    desk.commit(desk.plan(asked(desk)), "Ada")
    assert "400 rows" in (root / ARCHIVE / f"{name.removesuffix('.md')}-3.md").read_text()
    assert (root / ARCHIVE / name).read_text() == "earlier\n"


@pytest.mark.parametrize("edited", [False, True])
def test_a_fragment_that_came_since_is_named_and_not_touched(root: Path, edited: bool) -> None:
    desk = opened(root)
    request = asked(desk, text_of(desk) if edited else None)
    plan = desk.plan(request)
    put(root, LATE, "- Late\n")
    receipt = desk.commit(plan, "Ada")
    assert receipt.plan.warnings == (f"{LATE.removeprefix(HOME + '/')} came since, and stays where it is.",)
    assert (root / LATE).read_text() == "- Late\n"
    assert "Late" not in (root / MEMORY).read_text()
    assert [noted.key for noted in gathered(desk).entries] == ["Late"]


def _changed(root: Path) -> None:
    put(root, FIRST, "- Other\n")


def _gone(root: Path) -> None:
    (root / FIRST).unlink()


def _edited(root: Path) -> None:
    put(root, MEMORY, (root / MEMORY).read_text() + "\n- Mine\n")


def _rewritten(root: Path) -> None:
    put(root, NOTES, "- other\n")


DRIFTS = {"changed": _changed, "gone": _gone, "memory": _edited, "notes": _rewritten}


@pytest.mark.parametrize("drift", DRIFTS)
def test_what_changed_since_is_shown_anew_and_a_text_made_from_it_is_refused(root: Path, drift: str) -> None:
    desk = opened(root)
    plain, edited = desk.plan(asked(desk)), desk.plan(asked(desk, text_of(desk) + "\n- Own words\n"))
    DRIFTS[drift](root)
    before = snapshot(root)
    if drift != "memory":  # what someone else wrote there stays, and the hunks are those that were confirmed
        with pytest.raises(Drifted):
            desk.commit(plain, "Ada")
    with pytest.raises(Refused, match="made from what has changed since"):
        desk.commit(edited, "Ada")
    assert snapshot(root) == before


def test_a_line_that_is_added_to_the_notes_waits_for_the_next_time(root: Path) -> None:
    desk = opened(root)
    plan = desk.plan(asked(desk, text_of(desk)))
    with (root / NOTES).open("a") as stream:
        stream.write("- 2026-05-10 task-003: more\n")
    desk.commit(plan, "Ada")
    assert [noted.key for noted in gathered(desk).entries] == ["2026-05-10 task-003: more"]


def test_two_compactions_of_one_feature_do_not_both_go_through(root: Path) -> None:
    one, other = opened(root), opened(root)
    plans = one.plan(asked(one)), other.plan(asked(other))
    one.commit(plans[0], "Ada")
    after = snapshot(root)
    with pytest.raises((Drifted, Refused)):
        other.commit(plans[1], "Bo")
    assert snapshot(root) == after


def test_what_is_left_out_is_written_down_with_its_reason(root: Path) -> None:
    desk = opened(root)
    plan = desk.plan(asked(desk, **{"400 rows": "not any more", "reads a file": "of no use"}))
    assert plan.details["account"].summary == "3 carried, 2 left out"
    desk.commit(plan, "Ada")
    made = judgments.parse((root / judgments.PATH).read_bytes())
    assert [(one.verdict, one.kind, one.reason, one.by, one.date) for one in made] == [
        ("refused", "compact counts", "not any more", desk.who(), "2026-11-30"),
        ("refused", "compact counts", "of no use", desk.who(), "2026-11-30"),
    ]
    assert "400 rows" not in (root / MEMORY).read_text()
    assert gathered(desk).entries == ()  # the note that stays where it is isn't asked about again


def test_an_edited_text_has_to_account_for_everything(root: Path) -> None:
    desk = opened(root)
    text = text_of(desk).replace("- A file has at most 400 rows (from task-001, 2026-05-07)\n", "- Files are small\n")
    with pytest.raises(Refused, match=r"left out without a word: “A file has at most 400 rows”") as caught:
        desk.plan(asked(desk, text))
    assert caught.value.field == "left"
    desk.commit(desk.plan(asked(desk, text, **{"400 rows": "reworded"})), "Ada")
    assert "- Files are small\n" in (root / MEMORY).read_text()


def test_what_goes_from_the_memory_is_named(root: Path) -> None:
    desk = opened(root)
    text = text_of(desk).replace("- Each site sends one file\n", "")
    request = asked(desk, text)
    with pytest.raises(Refused, match="Each site sends one file"):
        desk.plan(request)
    gone = next(entry.id for entry in desk.workspace.documents[MEMORY].entries if "Each site" in entry.text)
    plan = desk.plan(request._replace(words={**request.words, "left": json.dumps({gone: "they send two"})}))
    assert plan.warnings == (
        ".output/features/counts/MEMORY.md:16 goes from the memory: Each site sends one file (they send two)",
    )


def test_fragments_that_cannot_be_read_stay(root: Path) -> None:
    put(root, LATE, b"- \xff\n")
    put(root, SECOND, "- One\n\n<!-- never closed\n\n- Two\n")
    desk = opened(root)
    plan = desk.plan(asked(desk))
    assert plan.warnings[0].endswith(":3: a comment begins here that never closes; what is in it is one text, or none.")
    assert plan.warnings[1].endswith("Z.md stays where it is: It is not UTF-8: byte 0xff.")
    assert LATE not in plan.paths
    assert SECOND in plan.paths


def stated(root: Path, fragment: str) -> Desk:
    put(root, FIRST, fragment)
    return opened(root)


def test_what_claims_to_be_stated_needs_a_person_and_several_an_answer(root: Path) -> None:
    desk = stated(root, "- [stated] One\n- [stated] Two\n")
    with pytest.raises(Refused, match="Only a person can state"):
        desk.plan(asked(desk)._replace(person=False))
    assert [question.key for question in desk.plan(asked(desk)).questions] == ["authority"]
    assert desk.plan(asked(desk)._replace(answers={"authority": "one"})).questions == ()
    with pytest.raises(Refused, match="Leave out what was not approved"):
        desk.plan(asked(desk)._replace(answers={"authority": "each"}))
    assert desk.plan(asked(desk, Two="no")).questions == ()


def refusal(desk: Desk, **words: str) -> MemdeskError:
    with pytest.raises(MemdeskError) as caught:
        desk.plan(Request("compact", words=words, person=True))
    return caught.value


def test_refusals_say_what_to_do(root: Path) -> None:
    desk = opened(root)
    unknown = refusal(desk, feature="nope")
    assert isinstance(unknown, UsageError)
    assert str(unknown) == "There is no feature 'nope'. Known: counts."
    assert str(refusal(desk)) == "Which feature? Known: counts."
    assert "made from" in str(refusal(desk, feature="counts", read="{}"))
    assert '{"ID": "why", ...}' in str(refusal(desk, feature="counts", left="[1]"))
    assert "U+001B" in str(refusal(desk, feature="counts", left='{"a": "x\\u001bx"}'))
    assert "secret" in str(refusal(stated(root, f"- {'AKIA' + 'Q3EGRIDYX7PLMNOV'}\n"), feature="counts"))


@pytest.mark.parametrize(
    ("target", "hard"),
    [
        (".jonggrang/MEMORY.md", False), (".jonggrang/.output/features/counts/MEMORY.md", False),
        (".jonggrang/.output/features/counts/MEMORY.md", True),
    ],
)
def test_a_memory_that_is_another_s_by_a_link_is_refused_and_the_fragments_stay(root: Path, target: str, hard: bool) -> None:
    put(root, target, feature_memory())
    put(root, f".jonggrang/{FRAGMENTS}/paired/task-001-2026-05-07T10-15-00Z.md", "- One\n")
    link = root / ".jonggrang/.output/features/paired/MEMORY.md"
    link.parent.mkdir(parents=True)
    if hard:
        link.hardlink_to(root / target)
    else:
        link.symlink_to(os.path.relpath(root / target, link.parent))
    before = snapshot(root)
    found = refusal(opened(root), feature="paired")
    assert str(found).startswith(
        ".jonggrang/.output/features/paired/MEMORY.md: It is another name of "
        f"{target.removeprefix('.jonggrang/')}, which is not this feature's memory."
    )
    assert snapshot(root) == before


@pytest.mark.parametrize("ignored", [False, True])
def test_a_memory_that_was_not_read_is_not_to_be_moved_away(root: Path, ignored: bool) -> None:
    put(root, f".jonggrang/{FRAGMENTS}/paired/task-001-2026-05-07T10-15-00Z.md", "- One\n")
    path = ".jonggrang/.output/features/paired/MEMORY.md"
    if ignored:
        put(root, "memdesk.toml", f'[stores]\nignore = ["{path}"]\n')
        put(root, path, feature_memory())
    desk = opened(root)
    put(root, path, feature_memory())  # by another one, since this desk read
    assert str(refusal(desk, feature="paired")) == (
        f"{path}: There is a file that was not read: it came just now, or the settings leave it out. "
        "Try again, else see `memdesk config` (stores.ignore)."
    )


def test_equal_requests_on_equal_bytes_give_equal_plans(root: Path) -> None:
    plans: list[Plan] = [desk.plan(asked(desk)) for desk in (opened(root), opened(root))]
    assert plans[0].steps == plans[1].steps
    assert plans[0].request == plans[1].request
