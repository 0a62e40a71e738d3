"""What git remembers of an entry and of a budget."""

from __future__ import annotations

from pathlib import Path

import pytest

from memdesk.core.clock import clock
from memdesk.core.desk import Desk
from memdesk.core.errors import Refused
from memdesk.core.plan import Request
from memdesk.core.timeline import NOT_COMMITTED, Stage
from tests.support.stores import MEMORY, agent_memory_store, custodian_store, fact, git, git_repo, put, tiers_store

CSV = "## 2026-05-02 - Store counts as CSV\n\nDecision:\n{}\n\nReason:\nVolunteers open them.\n"


def versions(root: Path, path: str, *texts: str, newline: str = "\n") -> None:
    """Commit these texts of a file, a day after the other."""
    for day, text in enumerate(texts, 1):
        put(root, path, text.replace("\n", newline))
        git(root, "add", "-A")
        git(root, "-c", f"user.name=Author {day}", "commit", "-q", "-m", f"Change {day}", "--date", f"2026-06-0{day}T12:00:00Z")


def desk_of(root: Path) -> Desk:
    return Desk.open(str(root), clock=clock("2026-11-30"), user_config=None)


def stages(root: Path, text: str) -> list[Stage]:
    desk = desk_of(root)
    return desk.timeline(next(entry for entry in desk.workspace.entries() if text in entry.text))


@pytest.fixture
def root(tmp_path: Path) -> Path:
    custodian_store(tmp_path)
    return git_repo(tmp_path)


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_each_text_of_an_entry_with_the_commit_that_brought_it(root: Path, newline: str) -> None:
    first, second, third = (CSV.format(text) for text in ("One file.", "One file for each site.", "Parquet, one table."))
    other = "\n## 2026-05-01 - Another\n\nDecision:\nOther.\n\nReason:\nOther.\n"
    path = f"{MEMORY}/decisions.md"
    head = "# Decisions\n\n"
    versions(root, path, head + other, head + first + other, head + first, head + second + other, head + third, newline=newline)
    found = stages(root, "Parquet")
    assert [(stage.date, stage.author, stage.subject) for stage in found] == [
        ("2026-06-05", "Author 5", "Change 5"), ("2026-06-04", "Author 4", "Change 4"), ("2026-06-02", "Author 2", "Change 2"),
    ]
    assert [stage.text for stage in found] == [text.rstrip("\n") for text in (third, second, first)]
    assert {stage.path for stage in found} == {path}


def test_a_bullet_is_followed_through_its_strike_and_its_files_name(root: Path) -> None:
    filler = "".join(f"- A constraint of its own about matter {word}\n" for word in ("alpha", "beta", "gamma", "delta"))
    path = f"{MEMORY}/areas/storage.md"
    old = f"{MEMORY}/areas/store.md"
    versions(root, old, f"# Storage\n\n- Sites keep forty counts in the cache\n{filler}")
    git(root, "mv", old, path)
    versions(root, path, f"# Storage\n\n- Sites keep fifty counts in the cache\n{filler}")
    put(root, path, f"# Storage\n\n- ~~Sites keep fifty counts in the cache~~ superseded 2026-11-30\n{filler}")
    found = stages(root, "fifty")
    assert [(stage.rev == NOT_COMMITTED, stage.struck, stage.path) for stage in found] == [
        (True, True, path), (False, False, path), (False, False, old),
    ]
    assert "forty" in found[2].text


def test_a_version_is_restored_as_an_ordinary_action(root: Path) -> None:
    path = f"{MEMORY}/constraints.md"
    versions(root, path, "# Constraints\n\n- Sites keep forty counts\n", "# Constraints\n\n- Sites keep fifty counts\n")
    desk = desk_of(root)
    entry = next(entry for entry in desk.workspace.entries() if "fifty" in entry.text)
    before = desk.timeline(entry)[1]
    desk.commit(desk.plan(Request("edit", (entry.id,), {"text": before.text}, person=True)), "me")
    assert (root / path).read_text() == "# Constraints\n\n- Sites keep forty counts\n"


def test_without_git_history_there_is_the_present_text(root: Path, tmp_path: Path) -> None:
    plain = tmp_path / "plain"
    custodian_store(plain)
    for place in (plain, root):
        put(place, f"{MEMORY}/constraints.md", "# Constraints\n\n- Something wholly new\n")
        assert [(stage.rev, stage.text) for stage in stages(place, "wholly new")] == [(NOT_COMMITTED, "- Something wholly new")]
    versions(root, f"{MEMORY}/constraints.md", "# Constraints\n\0binary\n", "# Constraints\n\n- Something wholly new\n")
    assert [stage.subject for stage in stages(root, "wholly new")] == ["Change 2"]


def test_the_course_of_a_budget(root: Path) -> None:
    path = f"{MEMORY}/constraints.md"
    versions(root, path, "# C\n\n- one two\n", "# C\n\n- one two three\n")
    desk = desk_of(root)
    uses = desk.courses(path)["tokens"]
    assert [use.date for use in uses[1:]] == ["2026-06-01", "2026-06-02"]
    assert [use.used for use in uses[1:]] == [5, 6]
    put(root, path, "# C\n\n- one\n")
    desk.refresh()
    assert desk.courses(path)["tokens"][-1] == (NOT_COMMITTED, "", 4)
    assert len(desk.courses(path, limit=1)["tokens"]) == 2
    assert desk.courses(f"{MEMORY}/inbox.md") == {}


def test_the_courses_of_a_document_with_several_budgets(tmp_path: Path) -> None:
    agent_memory_store(tmp_path)
    git_repo(tmp_path)
    versions(tmp_path, "MEMORY.md", "# Index\n", "# Index\n\n\U0001f4c1\n")
    found = desk_of(tmp_path).courses("MEMORY.md")
    assert [use.used for use in found["chars"]][-2:] == [8, 12], "an astral character is two UTF-16 units"
    assert [use.used for use in found["lines"]][-2:] == [1, 3]


def test_a_file_that_is_one_entry_is_followed_whatever_became_of_its_words_and_its_name(tmp_path: Path) -> None:
    tiers_store(tmp_path)
    git_repo(tmp_path)
    old, new = "memory/facts/late.md", "memory/facts/early.md"
    texts = [
        fact("Sites are late", "They report on Mondays.", name="late"),
        fact("Nothing of it holds", "Ask.", name="late", why=""),
    ]
    versions(tmp_path, old, *texts)
    git(tmp_path, "mv", old, new)
    git(tmp_path, "commit", "-q", "-m", "Another name")
    found = stages(tmp_path, "Nothing of it holds")
    assert [(stage.subject, stage.path) for stage in found] == [("Change 2", old), ("Change 1", old)]
    assert [stage.text for stage in found] == [text.rstrip("\n") for text in reversed(texts)]


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_an_old_text_of_a_fact_comes_back_as_a_correction(tmp_path: Path, newline: str) -> None:
    tiers_store(tmp_path)
    git_repo(tmp_path)
    old, new = "memory/facts/late.md", "memory/facts/early.md"
    texts = [
        fact("Sites are late", "They report on Mondays.", name="late", updated="2026-05-01"),
        fact("Sites are early", "They report on Fridays.", name="late", updated="2026-05-02"),
    ]
    put(tmp_path, "memory/INDEX.md", "# Index\n\n- [late](facts/early.md): Sites are early\n")
    versions(tmp_path, old, *texts, newline=newline)
    git(tmp_path, "mv", old, new)
    git(tmp_path, "commit", "-q", "-m", "Another name")
    desk = desk_of(tmp_path)
    (entry,) = desk.workspace.documents[new].entries
    first = desk.timeline(entry)[-1]
    assert (first.path, first.subject) == (old, "Change 1")
    verb = desk.instead("restore", (entry.id,))
    assert verb == "correct"
    done = desk.perform(Request(verb, (entry.id,), {"with": first.text, "reason": "It was right"}, person=True), "me")
    assert done.id is not None
    now = (tmp_path / new).read_bytes().decode()
    assert now.replace("updated: 2026-11-30", "updated: 2026-05-01") == texts[0].replace("\n", newline)
    assert "Sites are late" in (tmp_path / "memory/INDEX.md").read_text()
    log = (tmp_path / "memory/log/2026-11-30.md").read_text()
    assert "corrected fact early" in log
    assert "It was right" in log
    desk.commit(desk.undo(done.id), "me")
    assert (tmp_path / new).read_bytes().decode() == texts[1].replace("\n", newline)


def test_an_old_text_of_another_entry_comes_back_as_an_edit(root: Path) -> None:
    path = f"{MEMORY}/decisions.md"
    versions(root, path, *("# Decisions\n\n" + CSV.format(text) for text in ("One file.", "One file for each site.")))
    desk = desk_of(root)
    entry = desk.workspace.documents[path].entries[0]
    verb = desk.instead("restore", (entry.id,))
    words = {"text": next(stage.text for stage in desk.timeline(entry) if stage.subject == "Change 1")}
    desk.perform(Request(verb, (entry.id,), words, person=True), "me")
    assert (verb, (root / path).read_text()) == ("edit", "# Decisions\n\n" + CSV.format("One file."))


def test_what_was_archived_whole_has_its_time_from_before(tmp_path: Path) -> None:
    tiers_store(tmp_path)
    git_repo(tmp_path)
    desk = desk_of(tmp_path)
    ident = desk.workspace.documents["memory/facts/offline.md"].entries[0].id
    desk.perform(Request("archive", (ident,), person=True), "me")
    git(tmp_path, "add", "-A")
    git(tmp_path, "commit", "-q", "-m", "Archived")
    entry = desk_of(tmp_path).workspace.documents["memory/archive/offline.md"].entries[0]
    (stage,) = desk_of(tmp_path).timeline(entry)
    assert stage.path == "memory/facts/offline.md"
    desk.refresh()
    request = Request(desk.instead("restore", (entry.id,)), (entry.id,), {"text": "New."}, person=True)
    with pytest.raises(Refused, match="archive"):
        desk.perform(request, "me")
