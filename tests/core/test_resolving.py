"""Conflict markers resolved entry by entry: what is asked, what is written, what is refused, and the way back."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from memdesk.core.clock import clock
from memdesk.core.desk import Desk
from memdesk.core.errors import GitError, MemdeskError, ReadOnly, Refused, StoreError, UsageError
from memdesk.core.linemerge import merge_lines
from memdesk.core.merging import Merged
from memdesk.core.plan import Plan, Request
from memdesk.core.unmerged import UnderWay
from tests.support.merges import conflicting, git_fails
from tests.support.stores import MEMORY, agent_memory_store, custodian_store, git, git_repo, manifest, put, snapshot

DECISIONS = f"{MEMORY}/decisions.md"


def decision(title: str, text: str, day: int = 1) -> str:
    return f"## 2026-05-0{day} - {title}\n\nDecision:\n{text}\n\nScope:\nproject\n"


def decisions(*entries: str) -> str:
    return "\n".join(["# Decisions\n", *entries])


BASE = decisions(decision("Format", "CSV files."), decision("Names", "By site.", 2), decision("Years", "One folder each.", 3))
OURS = decisions(decision("Format", "Parquet files."), decision("Names", "By site.", 2), decision("Years", "One file each.", 3))
THEIRS = decisions(decision("Format", "SQLite files."), decision("Names", "By site.", 2), decision("Years", "No folders.", 3))


def open_desk(root: Path) -> Desk:
    return Desk.open(str(root), clock=clock("2026-11-30T04:02:51"), user_config=None)


@pytest.fixture
def marked(tmp_path: Path) -> Callable[[str], Desk]:
    """A desk on a store whose decisions are this text, without git."""

    def make(text: str) -> Desk:
        custodian_store(tmp_path, decisions=text)
        return open_desk(tmp_path)

    return make


def marks(ours: str, theirs: str, base: str | None = None) -> str:
    before = "" if base is None else f"||||||| base\n{base}"
    return f"<<<<<<< HEAD\n{ours}{before}=======\n{theirs}>>>>>>> topic\n"


def merged(root: Path, base: str = BASE, ours: str = OURS, theirs: str = THEIRS) -> Desk:
    """A desk on a store whose decisions are as git leaves them where it shows the base."""
    parts = merge_lines(base.encode(), ours.encode(), theirs.encode())
    custodian_store(root, decisions=Merged(tuple(parts)).text("HEAD", "topic", "base"))
    return open_desk(root)


def from_git(root: Path, base: str = BASE, ours: str = OURS, theirs: str = THEIRS) -> Desk:
    """A desk on a store in whose decisions git could not merge two branches; the base is in its index alone."""
    custodian_store(root, decisions=base)
    conflicting(root, {DECISIONS: (ours, theirs)})
    return open_desk(root)


def memory(root: Path) -> dict[str, bytes]:
    """Every file but memdesk's own."""
    return {path: data for path, data in snapshot(root).items() if not path.startswith(".memdesk/")}


def request(desk: Desk, *answers: str, path: str = DECISIONS, person: bool = True, **words: str) -> Request:
    given = {str(number): answer for number, answer in enumerate(answers, 1)}
    return Request("resolve", (path,), {**given, **words}, person=person)


def after(plan: Plan) -> str:
    (step,) = plan.steps
    assert step.after is not None
    return step.after.decode()


# What is asked


def test_each_entry_that_both_sides_changed_is_asked_whole(tmp_path: Path) -> None:
    desk = from_git(tmp_path)
    (document,) = desk.marked()
    found = desk.marks(document.path)
    assert [(part.number, part.heading, part.ours_label, part.theirs_label) for part in found.parts] == [
        (1, "2026-05-01 - Format", "HEAD", "topic"), (2, "2026-05-03 - Years", "HEAD", "topic"),
    ]
    first = found.parts[0]
    assert (first.ours.decode(), first.theirs.decode()) == (
        decision("Format", "Parquet files."), decision("Format", "SQLite files.")
    )
    assert (first.base or b"").decode() == decision("Format", "CSV files.")  # git's index has it
    lines = document.data.decode().split("\n")
    assert [lines[part.line - 1] for part in found.parts] == [
        "## 2026-05-01 - Format", "## 2026-05-03 - Years",
    ]
    assert (found.conflicts, found.decided) == (2, 0)
    assert desk.clashes(document.path) == list(found.parts)


def test_what_is_no_conflict_by_entry_is_not_asked(tmp_path: Path) -> None:
    """Both added a decision at one place: git can't tell, entries can."""
    ours, theirs = (BASE + "\n" + decision(title, "New.", 4) for title in ("Ours", "Theirs"))
    desk = from_git(tmp_path, BASE, ours, theirs)
    found = desk.marks(DECISIONS)
    assert (found.parts, found.conflicts, found.decided) == ((), 1, 1)
    plan = desk.plan(request(desk))
    assert after(plan) == BASE + "\n" + decision("Ours", "New.", 4) + "\n" + decision("Theirs", "New.", 4)
    assert plan.summary == "Resolved 1 conflict in decisions.md."


def test_a_base_between_the_markers_is_enough(marked: Callable[[str], Desk]) -> None:
    ours, theirs, base = (decision("Format", text) for text in ("Parquet.", "SQLite.", "CSV."))
    desk = marked(decisions(marks(ours + "\n" + decision("New", "Ours.", 2), theirs, base)))
    (part,) = desk.clashes(DECISIONS)
    assert (part.base or b"").decode() == base
    assert after(desk.plan(request(desk, "theirs"))) == decisions(theirs, decision("New", "Ours.", 2))


def test_without_a_base_what_one_side_alone_has_is_asked_too(marked: Callable[[str], Desk]) -> None:
    """It may be new here, or deleted there."""
    names = decision("Names", "By site.", 2)
    desk = marked(decisions(marks(decision("Format", "CSV.") + "\n" + names, decision("Format", "SQLite."))))
    first, second = desk.clashes(DECISIONS)
    assert (first.base, second.base) == (None, None)
    assert (second.heading, second.ours.decode(), second.theirs) == ("2026-05-02 - Names", names, b"")
    assert after(desk.plan(request(desk, "theirs", "ours"))) == decisions(decision("Format", "SQLite."), names)
    assert after(desk.plan(request(desk, "theirs", "theirs"))) == decisions(decision("Format", "SQLite."))


@pytest.mark.slow
def test_the_index_is_not_taken_for_a_file_that_was_worked_on(tmp_path: Path) -> None:
    desk = from_git(tmp_path)
    file = tmp_path / DECISIONS
    file.write_bytes(file.read_bytes().replace(b"By site.", b"By site and day."))
    desk.refresh()
    assert [part.base for part in desk.clashes(DECISIONS)] == [None, None]
    assert "By site and day." in after(desk.plan(request(desk, "ours", "theirs")))


@pytest.mark.slow
def test_both_added_the_file(tmp_path: Path) -> None:
    custodian_store(tmp_path, decisions=None)
    conflicting(tmp_path, {DECISIONS: (decisions(decision("Format", "CSV.")), decisions(decision("Names", "By site.")))})
    desk = open_desk(tmp_path)
    assert desk.marks(DECISIONS).parts == ()
    assert after(desk.plan(request(desk))) == decisions(decision("Format", "CSV."), decision("Names", "By site."))


def test_markers_in_a_fence_are_markers(marked: Callable[[str], Desk]) -> None:
    fenced = marks("a = 1\n", "a = 2\n")
    desk = marked(decisions(decision("Format", f"```\n{fenced}```")))
    (part,) = desk.clashes(DECISIONS)
    assert part.heading == "2026-05-01 - Format"
    assert after(desk.plan(request(desk, "theirs"))) == decisions(decision("Format", "```\na = 2\n```"))


# What is written


def test_each_part_is_taken_from_the_side_that_was_chosen(tmp_path: Path) -> None:
    desk = merged(tmp_path)
    plan = desk.plan(request(desk, "ours", "theirs"))
    names = decision("Names", "By site.", 2)
    assert after(plan) == decisions(decision("Format", "Parquet files."), names, decision("Years", "No folders.", 3))
    assert (plan.summary, plan.label) == ("Resolved 2 conflicts in decisions.md.", "Resolve 2 conflicts in decisions.md")
    assert plan.paths == [DECISIONS]
    ids = desk.commit(plan, "Ada").plan.new_ids
    assert [desk.workspace.find(ident).heading for ident in ids] == ["2026-05-01 - Format", "2026-05-03 - Years"]
    assert desk.marked() == []
    assert (tmp_path / DECISIONS).read_text() == after(plan)


def test_both_are_two_entries_ours_first(tmp_path: Path) -> None:
    desk = merged(tmp_path)
    plan = desk.plan(request(desk, "both", "ours"))
    assert after(plan) == decisions(
        decision("Format", "Parquet files."), decision("Format", "SQLite files."), decision("Names", "By site.", 2),
        decision("Years", "One file each.", 3),
    )
    assert plan.warnings == ("“2026-05-01 - Format” now stands there more than once: supersede one of them.",)


def test_an_edited_text_stands_in_place_of_the_part(tmp_path: Path) -> None:
    desk = merged(tmp_path)
    text = decision("Format", "Parquet for counts, SQLite for sites.").strip()
    plan = desk.plan(request(desk, "edited", "ours", text1=f"\n{text}\n\n"))
    assert after(plan) == OURS.replace("Parquet files.", "Parquet for counts, SQLite for sites.")


def test_crlf_stays(tmp_path: Path) -> None:
    def crlf(text: str) -> str:
        return text.replace("\n", "\r\n")

    desk = from_git(tmp_path, crlf(BASE), crlf(OURS), crlf(THEIRS))
    assert len(desk.clashes(DECISIONS)) == 2
    plan = desk.plan(request(desk, "edited", "theirs", text1=decision("Format", "Both.")))
    assert after(plan) == crlf(THEIRS.replace("SQLite files.", "Both."))


@pytest.mark.slow
def test_bullets_of_a_note_stay_one_list(tmp_path: Path) -> None:
    path = "memory/people/ada.md"
    plans = "# Ada\n\n- [stated] Plans counts (2026-02-01, letter)\n"
    days = ("Monday", "Friday", "Sunday")
    base, ours, theirs = (f"- [observed] Sends her counts on {day}s (2026-02-02, mail)\n" for day in days)
    agent_memory_store(tmp_path, **{path: plans + base})
    conflicting(tmp_path, {path: (plans + ours, plans + theirs)})
    desk = open_desk(tmp_path)
    (part,) = desk.clashes(path)
    assert (part.ours.decode(), part.theirs.decode()) == (ours, theirs)
    plan = desk.plan(request(desk, "both", path=path))
    assert after(plan) == plans + ours + theirs
    assert plan.warnings == ()


def test_undo_brings_the_markers_back_to_the_byte(tmp_path: Path) -> None:
    desk = merged(tmp_path)
    before = memory(tmp_path)
    plan = desk.plan(request(desk, "theirs", "edited", text2=decision("Years", "Anew.", 3)))
    done = desk.commit(plan, "Ada")
    assert desk.history()[0].summary == "Resolved 2 conflicts in decisions.md."
    undone = desk.commit(desk.undo(), "Ada")
    assert memory(tmp_path) == before
    assert [document.path for document in desk.marked()] == [DECISIONS]
    desk.commit(desk.undo(undone.id), "Ada")
    assert (tmp_path / DECISIONS).read_text() == after(plan)
    assert done.id is not None


def test_an_entry_that_came_since_outlives_the_undo(tmp_path: Path) -> None:
    desk = merged(tmp_path)
    desk.commit(desk.plan(request(desk, "ours", "ours")), "Ada")
    file = tmp_path / DECISIONS
    file.write_text(file.read_text() + "\n" + decision("Later", "Added.", 9))
    desk.refresh()
    desk.commit(desk.undo(), "Ada")
    assert file.read_text().endswith(decision("Later", "Added.", 9))
    assert len(desk.clashes(DECISIONS)) == 2


# What is refused


def test_every_part_needs_an_answer(tmp_path: Path) -> None:
    desk = merged(tmp_path)
    with pytest.raises(Refused, match=r"1 of 2 conflict is not decided: 2 \(line \d+, 2026-05-03 - Years\)") as caught:
        desk.plan(request(desk, "ours"))
    assert caught.value.field == "2"
    with pytest.raises(Refused, match=r"2 conflicts are not decided: 1 \(line 3, 2026-05-01 - Format\), 2 "):
        desk.plan(request(desk))


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ({"1": "mine", "2": "ours"}, "'mine' is no answer"),
        ({"1": "ours", "2": "ours", "3": "ours"}, "There is no conflict 3"),
    ],
)
def test_answers_that_are_none_are_named(tmp_path: Path, words: dict[str, str], message: str) -> None:
    desk = merged(tmp_path)
    with pytest.raises(UsageError, match=message):
        desk.plan(Request("resolve", (DECISIONS,), words))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "There is no text"),
        (decision("Format", "Both.\n\n```\nopen"), "never close"),
        (f"{decision('Format', 'One.')}\n<<<<<<< HEAD\na\n=======\nb\n>>>>>>> b", "still hold a conflict marker"),
        ("just words", "run together|not be read as an entry|read as something else"),
        (decision("Names", "By site.", 2), "would stand there twice"),
        (decision("Format", "Token ghp_1234567890abcdefghijklmnopqrstuvwxyz"), "looks like a secret"),
        ("# Other title\n\n" + decision("Format", "Both."), "something else|no longer be read"),
    ],
)
def test_an_edited_text_has_to_mean_what_it_says(tmp_path: Path, text: str, message: str) -> None:
    desk = merged(tmp_path)
    before = memory(tmp_path)
    with pytest.raises(Refused, match=message) as caught:
        desk.plan(request(desk, "edited", "ours", text1=text))
    assert caught.value.path == DECISIONS
    assert memory(tmp_path) == before


def test_only_a_person_can_state_in_an_edited_text(tmp_path: Path) -> None:
    base, ours, theirs = (f"# Inbox\n\n- [observed] The count was {word}\n" for word in ("late", "early", "lost"))
    path = f"{MEMORY}/inbox.md"
    parts = merge_lines(base.encode(), ours.encode(), theirs.encode())
    custodian_store(tmp_path, inbox=Merged(tuple(parts)).text("HEAD", "topic", "base"))
    desk = open_desk(tmp_path)
    words = {"1": "edited", "text1": "- [stated] The count was found"}
    with pytest.raises(Refused, match="Only a person can state"):
        desk.plan(Request("resolve", (path,), words))
    assert after(desk.plan(Request("resolve", (path,), words, person=True))) == "# Inbox\n\n- [stated] The count was found\n"


def test_both_is_refused_where_one_side_has_nothing(marked: Callable[[str], Desk]) -> None:
    desk = marked(decisions(marks("", decision("Format", "CSV."), decision("Format", "Old."))))
    with pytest.raises(Refused, match="only theirs has a text"):
        desk.plan(request(desk, "both"))


def test_a_file_without_markers_and_one_that_is_no_memory(tmp_path: Path) -> None:
    desk = merged(tmp_path)
    with pytest.raises(Refused, match="holds no conflict markers"):
        desk.plan(request(desk, path=f"{MEMORY}/brief.md"))
    with pytest.raises(Refused, match="no memory file"):
        desk.plan(request(desk, path="README.md"))
    with pytest.raises(UsageError, match="one file at a time"):
        desk.plan(Request("resolve"))


def test_broken_markers_are_named_with_their_line(marked: Callable[[str], Desk]) -> None:
    desk = marked(decisions(decision("Format", "CSV."), ">>>>>>> topic\n"))
    for ask in (lambda: desk.clashes(DECISIONS), lambda: desk.plan(request(desk))):
        with pytest.raises(StoreError, match="beginning is gone") as caught:
            ask()
        assert (caught.value.path, caught.value.line) == (DECISIONS, 11)


def test_a_store_that_is_read_only_stays_so(tmp_path: Path) -> None:
    custodian_store(tmp_path, decisions=decisions(marks("a\n", "b\n")), manifest=manifest(version="9.0"))
    desk = open_desk(tmp_path)
    with pytest.raises(ReadOnly):
        desk.plan(request(desk, "ours"))


def test_a_request_for_other_parts_is_refused(tmp_path: Path) -> None:
    desk = merged(tmp_path)
    of = desk.marks(DECISIONS).digest
    assert desk.plan(request(desk, "ours", "ours", of=of)).steps
    file = tmp_path / DECISIONS
    file.write_bytes(file.read_bytes().replace(b"SQLite", b"DuckDB"))
    with pytest.raises(Refused, match="others by now"):
        desk.perform(request(desk, "ours", "ours", of=of), "Ada")


def test_what_changed_under_the_dialog_is_looked_at_again(tmp_path: Path) -> None:
    """What was chosen is no line of the diff: it stays. All the same it is what the person saw that they chose."""
    desk = merged(tmp_path)
    plan = desk.plan(request(desk, "ours", "theirs"))
    file = tmp_path / DECISIONS
    file.write_bytes(file.read_bytes().replace(b"No folders.", b"No folders at all."))
    before = memory(tmp_path)
    with pytest.raises(Refused, match="others by now"):
        desk.commit(plan, "Ada")
    assert memory(tmp_path) == before


def test_other_verbs_leave_a_marked_file_alone(tmp_path: Path) -> None:
    desk = merged(tmp_path)
    entry = next(entry for entry in desk.workspace.entries() if entry.path == DECISIONS)
    with pytest.raises(MemdeskError, match="read-only"):
        desk.plan(Request("strike", (entry.id,), {"reason": "no"}, person=True))


# git, afterwards


def test_staging_is_asked_for_and_ends_the_conflict(tmp_path: Path) -> None:
    desk = from_git(tmp_path)
    put(tmp_path, "other.txt", "mine\n")
    with pytest.raises(Refused, match="not resolved"):
        desk.stage_paths([DECISIONS])
    desk.commit(desk.plan(request(desk, "theirs", "ours")), "Ada")
    assert git(tmp_path, "status", "--porcelain") == f"UU {DECISIONS}\n?? other.txt\n"  # nothing by itself
    assert desk.stage_paths([DECISIONS]) == [DECISIONS]
    assert git(tmp_path, "status", "--porcelain") == f"M  {DECISIONS}\n?? other.txt\n"
    git(tmp_path, "commit", "-q", "--no-edit")
    assert desk.under_way is None


@pytest.mark.slow
def test_what_holds_markers_again_is_not_staged_with_the_session(tmp_path: Path) -> None:
    desk = from_git(tmp_path)
    desk.commit(desk.plan(request(desk, "ours", "ours")), "Ada")
    desk.commit(desk.undo(), "Ada")
    with pytest.raises(Refused, match="not resolved"):
        desk.stage()


@pytest.mark.slow
def test_what_git_says_where_it_refuses_to_stage(tmp_path: Path) -> None:
    desk = from_git(tmp_path)
    desk.commit(desk.plan(request(desk, "ours", "ours")), "Ada")
    put(tmp_path, ".git/index.lock", "")
    with pytest.raises(GitError, match=r"index\.lock"):
        desk.stage_paths([DECISIONS])


@pytest.mark.parametrize(
    "way", ["merge", pytest.param("rebase", marks=pytest.mark.slow), pytest.param("cherry-pick", marks=pytest.mark.slow)]
)
def test_half_a_merge_is_never_committed(tmp_path: Path, way: str) -> None:
    custodian_store(tmp_path, decisions=BASE)
    conflicting(tmp_path, {DECISIONS: (OURS, THEIRS)}, way=way)
    desk = open_desk(tmp_path)
    head = git(tmp_path, "rev-parse", "HEAD")
    desk.commit(desk.plan(request(desk, "ours", "ours")), "Ada")
    assert desk.under_way == UnderWay(f"a {way}", f"git {way} --continue")
    with pytest.raises(GitError, match=rf"A {way} is under way.*git {way} --continue"):
        desk.commit_git("Half of it")
    assert git(tmp_path, "rev-parse", "HEAD") == head
    assert desk.session  # still to be committed, by the person


def test_without_git_there_is_nothing_to_stage(marked: Callable[[str], Desk]) -> None:
    desk = marked(decisions(marks(decision("A", "x"), decision("A", "y"))))
    desk.commit(desk.plan(request(desk, "ours")), "Ada")
    assert desk.under_way is None
    with pytest.raises(GitError, match="not in a git repository"):
        desk.stage_paths([DECISIONS])


@pytest.mark.slow
def test_a_link_to_a_marked_file_is_resolved_behind_it(tmp_path: Path) -> None:
    custodian_store(tmp_path, decisions=None)
    put(tmp_path, "shared/decisions.md", decisions(marks(decision("A", "x"), decision("A", "y"))))
    (tmp_path / DECISIONS).symlink_to("../../shared/decisions.md")
    git_repo(tmp_path)
    desk = open_desk(tmp_path)
    desk.commit(desk.plan(request(desk, "theirs")), "Ada")
    assert (tmp_path / DECISIONS).is_symlink()
    assert (tmp_path / "shared/decisions.md").read_text() == decisions(decision("A", "y"))
    assert desk.stage_paths([DECISIONS]) == ["shared/decisions.md"]


# What real git leaves


RECORD = (
    "# 1. Store counts as CSV\n\nDate: 2026-05-02\n\n## Status\n\n{status}\n\n## Context\n\n{context}\n\n"
    "## Decision\n\n{decision}\n"
)


def record(status: str = "Accepted", context: str = "Sites count birds.", decision: str = "CSV.") -> str:
    return RECORD.format(status=status, context=context, decision=decision)


@pytest.mark.slow
def test_a_record_is_one_entry_and_is_asked_where_it_differs(tmp_path: Path) -> None:
    path = "docs/adr/0001-store-counts-as-csv.md"
    put(tmp_path, path, record())
    put(tmp_path, "CONTEXT.md", "# Plover\n\nCounts birds.\n\n## Language\n\n**Site**:\nA place where birds are counted.\n")
    ours = record("Deprecated", "Sites count birds by hand.")
    theirs = record("Rejected", decision="SQLite.")
    conflicting(tmp_path, {path: (ours, theirs)})
    desk = open_desk(tmp_path)
    (part,) = desk.clashes(path)
    assert part.heading.endswith("Store counts as CSV")
    assert (part.ours, part.theirs, part.base) == (b"Deprecated\n", b"Rejected\n", b"Accepted\n")
    plan = desk.plan(request(desk, "theirs", path=path))
    assert after(plan) == record("Rejected", "Sites count birds by hand.", "SQLite.")  # what git merged by itself stays
    plan = desk.plan(request(desk, "edited", path=path, text1="Deprecated: nobody counts any more."))
    assert "## Status\n\nDeprecated: nobody counts any more.\n\n## Context\n" in after(plan)
    desk.commit(plan, "Ada")
    assert desk.marked() == []


@pytest.mark.slow
@pytest.mark.parametrize("style", ["merge", "diff3", "zdiff3"])
def test_branches_that_merged_each_other(tmp_path: Path, style: str) -> None:
    """Their common ancestor is a merge of its own, with longer markers in it."""
    custodian_store(tmp_path, decisions=BASE)
    git_repo(tmp_path)
    git(tmp_path, "config", "merge.conflictStyle", style)

    def write(text: str, message: str) -> None:
        put(tmp_path, DECISIONS, text)
        git(tmp_path, "commit", "-q", "-a", "-m", message)

    git(tmp_path, "branch", "topic")
    write(OURS, "ours")
    first = git(tmp_path, "rev-parse", "HEAD").strip()
    git(tmp_path, "checkout", "-q", "topic")
    write(THEIRS, "theirs")
    second = git(tmp_path, "rev-parse", "HEAD").strip()
    for branch, other, text in (("main", second, OURS), ("topic", first, THEIRS)):
        git(tmp_path, "checkout", "-q", branch)
        git(tmp_path, "merge", "-q", "--no-commit", "-s", "ours", other)
        write(text.replace("files.", f"files, says {branch}."), f"merged on {branch}")
    git(tmp_path, "checkout", "-q", "main")
    git_fails(tmp_path, "merge", "topic")
    marked = (tmp_path / DECISIONS).read_text()
    assert ("<<<<<<<<< " in marked) is (style != "merge")
    desk = open_desk(tmp_path)
    parts = desk.clashes(DECISIONS)
    assert [part.heading for part in parts] == ["2026-05-01 - Format", "2026-05-03 - Years"]
    plan = desk.plan(request(desk, "ours", "theirs"))
    desk.commit(plan, "Ada")
    text = (tmp_path / DECISIONS).read_text()
    assert "Parquet files, says main." in text
    assert "No folders." in text
    assert not desk.marked()
    desk.commit(desk.undo(), "Ada")
    assert (tmp_path / DECISIONS).read_text() == marked


@pytest.mark.slow
def test_the_way_out_of_a_conflict_that_reads_in_two_ways(tmp_path: Path) -> None:
    """As the message says it: longer markers, written anew."""
    base, ours, theirs = (f"# Brief\n\n{word}\n=======\n\nBirds.\n" for word in ("Counts", "Plover", "Avocet"))
    path = f"{MEMORY}/brief.md"
    custodian_store(tmp_path, brief=base)
    conflicting(tmp_path, {path: (ours.replace("Birds", "Ours"), theirs.replace("Birds", "Theirs"))})
    desk = open_desk(tmp_path)
    with pytest.raises(StoreError, match="nobody can tell") as caught:
        desk.clashes(path)
    assert "conflict-marker-size=9" in caught.value.remedy
    put(tmp_path, ".gitattributes", f"{path} conflict-marker-size=9\n")
    git(tmp_path, "checkout", "--merge", "--", path)
    desk.refresh()
    assert [document.path for document in desk.marked()] == [path]
    answers = ["theirs"] * len(desk.clashes(path))
    desk.commit(desk.plan(request(desk, *answers, path=path)), "Ada")
    assert (tmp_path / path).read_text() == theirs.replace("Birds", "Theirs")


@pytest.mark.slow
def test_in_a_worktree_and_below_the_top_of_the_repository(tmp_path: Path) -> None:
    top = tmp_path / "top"
    custodian_store(top / "app", decisions=BASE)
    put(top, "app/memdesk.toml", "")
    conflicting(top, {f"app/{DECISIONS}": (OURS, THEIRS)})
    git(top, "merge", "--abort")
    git(top, "worktree", "add", "-q", str(tmp_path / "side"), "main", "--detach")
    git_fails(tmp_path / "side", "merge", "topic")
    desk = open_desk(tmp_path / "side/app")
    path = next(document.path for document in desk.marked())
    assert all(part.base for part in desk.clashes(path))
    assert desk.under_way == UnderWay("a merge", "git merge --continue")
    desk.commit(desk.plan(request(desk, "ours", "theirs", path=path)), "Ada")
    assert desk.stage_paths([path]) == [path]
