"""A record gets another number: its file, its title, what refers to it; all else keeps its bytes, and undo gives it back."""

from __future__ import annotations

from pathlib import Path

import pytest

from memdesk.core import actions
from memdesk.core.errors import Refused
from memdesk.core.layouts.records import free
from memdesk.core.model import Entry
from memdesk.core.plan import Plan, Request
from tests.support.checking import TODAY, report
from tests.support.commands import Here
from tests.support.stores import (
    FACTS,
    LINT,
    MEMORY,
    RECORDS,
    STANDARD,
    git,
    git_repo,
    manifest,
    put,
    record,
    records_store,
    snapshot,
)  # fmt: skip
from tests.support.trees import workspace

FIRST = "docs/adr/0001-store-counts-as-csv.md"
OLD = "docs/adr/0002-sync-at-night.md"
NEW = "docs/adr/0003-sync-at-night.md"


class Held:
    """A workspace in memory, with a store of layout records and what a test puts beside it."""

    def __init__(self) -> None:
        self.files: dict[str, str | bytes] = dict(RECORDS)

    def entries(self, path: str) -> list[Entry]:
        return workspace(self.files).documents[path].entries

    def plan(self, *paths: str, **words: str) -> Plan:
        """The plan to renumber the records of these files."""
        opened = workspace(self.files)
        ids = tuple(opened.documents[path].entries[0].id for path in paths)
        return actions.plan(opened, Request("renumber", ids, words, person=True), TODAY)

    def renumber(self, **words: str) -> Plan:
        return self.plan(OLD, **words)

    def after(self, plan: Plan, path: str) -> str:
        """What a file holds after a plan."""
        made = [step.after for step in plan.steps if step.path == path and step.after is not None]
        found = made[0] if made else self.files[path]
        return found.decode() if isinstance(found, bytes) else found

    def became(self, text: str) -> str:
        """What this text, below the first record's, becomes when the second gets the next number."""
        head = record(1, "Store counts as CSV")
        self.files[FIRST] = head + text
        whole = self.after(self.renumber(), FIRST)
        assert whole.startswith(head)
        return whole.removeprefix(head)


@pytest.fixture
def bench() -> Held:
    return Held()


def test_the_next_number_is_above_all_of_tree_and_base() -> None:
    assert free.next_number([], []) == "0001"
    assert free.next_number(["0001-a.md", "0003-b.md", "README.md", "0000-template.md"], ["0007-x.md"]) == "0008"
    assert free.next_number(["001-a.md"], ["002-b.md"]) == "003"
    assert free.next_number(["00012-a.md"], ["0007-b.md"]) == "00013"
    assert free.next_number(["docs/adr/999-a.md"], []) == "1000"
    assert free.next_number(["0001-a.md", "0002-b.md", "00003-odd.md"], []) == "0004", "as most are, not as one is"
    assert free.next_number(["001-a.md", "002-b.md", "0003-odd.md"], []) == "004"


def test_the_file_and_its_title_get_the_next_free_number(bench: Held) -> None:
    plan = bench.renumber()
    assert [(step.kind, step.path) for step in plan.steps] == [("create", NEW), ("delete", OLD)]
    assert bench.after(plan, NEW) == record(3, "Sync at night", "Proposed", date="2026-06-01")
    assert plan.summary == f'Renumbered "Sync at night": {OLD} is {NEW} now.'
    assert plan.new_ids[0].startswith(f"{NEW}#")
    assert plan.warnings == ()
    bench.files[NEW] = bench.after(plan, NEW)
    assert bench.entries(NEW)[0].number == 3


@pytest.mark.parametrize(("title", "expected"), [
    ("# 2. Use X", "# 3. Use X"), ("# ADR-0002: Use X", "# ADR-0003: Use X"), ("# ADR 2: Use X", "# ADR 3: Use X"),
    ("# 0002 - Use X", "# 0003 - Use X"), ("# 2 \u2014 Use X", "# 3 \u2014 Use X"),
    ("ADR 2: Use X\n========", "ADR 3: Use X\n========"), ("2) Use X\n-----", "2) Use X\n-----"),
    ("# Use 2 birds", "# Use 2 birds"), ("# 2 birds are enough", "# 2 birds are enough"), ("# 12. Use X", "# 12. Use X"),
    ("---\nstatus: proposed\nid: 2\n---\n# Use X", "---\nstatus: proposed\nid: 3\n---\n# Use X"),
    ("---\nid: ADR-0002\n---\n# Use X", "---\nid: ADR-0003\n---\n# Use X"),
])  # fmt: skip
def test_a_title_s_number_in_each_form(bench: Held, title: str, expected: str) -> None:
    text = f"{title}\n\nStatus: proposed\n\nThis ADR-0002 stands, in 2 parts.\n"
    bench.files[OLD] = text
    changed = text.replace(title, expected).replace("This ADR-0002", "This ADR-0003")
    assert bench.after(bench.renumber(), NEW) == changed


@pytest.mark.parametrize(("text", "expected"), [
    ("[x](<0002-sync-at-night.md>)", "[x](<0003-sync-at-night.md>)"),
    ("[x][r]\n\n[r]: ./0002-sync-at-night.md 'T'", "[x][r]\n\n[r]: ./0003-sync-at-night.md 'T'"),
    ("See ADR-0002.", "See ADR-0003."), ("see ADR 2, too", "see ADR 3, too"), ("decision 0002", "decision 0003"),
    ("[ADR-0002](0002-sync-at-night.md)", "[ADR-0003](0003-sync-at-night.md)"),
    ("[2 birds](0002-sync-at-night.md#context)", "[2 birds](0003-sync-at-night.md#context)"),
    ("[2. Sync](./0002-sync-at-night.md)", "[3. Sync](./0003-sync-at-night.md)"),
    ("[x](../adr/0002-sync-at-night.md)", "[x](../adr/0003-sync-at-night.md)"),
    ("[[0002-sync-at-night]]", "[[0003-sync-at-night]]"),
    ("`docs/adr/0002-sync-at-night.md`", "`docs/adr/0003-sync-at-night.md`"),
    ("[x](0002-other.md) and 0002 and ADR-0021 and 2", "[x](0002-other.md) and 0002 and ADR-0021 and 2"),
    ("\u00dcber ADR-0002 \u2014 ADR-0002", "\u00dcber ADR-0003 \u2014 ADR-0003"),
])  # fmt: skip
def test_what_refers_to_it_follows(bench: Held, text: str, expected: str) -> None:
    assert bench.became(f"\n{text}\n") == f"\n{expected}\n"
    assert bench.became(f"\r\n{text}\r\n") == f"\r\n{expected}\r\n"


@pytest.mark.parametrize(("line", "expected"), [
    ("Superseded by 0002, 2026-02-02", "Superseded by 0003, 2026-02-02"),
    ("Superseded by 2, in 2 parts", "Superseded by 3, in 2 parts"),
    ("Superseded by [ADR-0002](0002-sync-at-night.md)", "Superseded by [ADR-0003](0003-sync-at-night.md)"),
    ("Accepted\n\nAmended by ADR 2 and 12", "Accepted\n\nAmended by ADR 3 and 12"), ("Accepted, 2 of 3", "Accepted, 2 of 3"),
])  # fmt: skip
def test_relation_lines_follow(bench: Held, line: str, expected: str) -> None:
    bench.files[FIRST] = record(1, "Store counts as CSV", line)
    assert bench.after(bench.renumber(), FIRST) == record(1, "Store counts as CSV", expected)


def test_relations_in_front_matter_follow(bench: Held) -> None:
    text = "---\nstatus: superseded by 0002\nsuperseded-by: 2\ndate: 2026-02-02\n---\n# Use X\n\n## Context\n\nx\n"
    bench.files[FIRST] = text
    wanted = text.replace("by 0002", "by 0003").replace("by: 2\n", "by: 3\n")
    assert bench.after(bench.renumber(), FIRST) == wanted


def test_there_and_back_again_every_byte_is_as_it_was(bench: Held) -> None:
    links = "[2. S](0002-sync-at-night.md \"t\"), `0002-sync-at-night.md`, [[0002-sync-at-night|n]]"
    text = f"\r\nADR-0002, ADR 2 \u2014 {links}, ~~ADR-2~~.\r\n"
    bench.files[FIRST] = record(1, "Store counts as CSV", "Superseded by 0002", more="Amended by ADR 2, 21") + text
    before = dict(bench.files)
    for old, to in ((OLD, "12"), ("docs/adr/0012-sync-at-night.md", "2")):
        plan = bench.plan(old, to=to)
        for step in plan.steps:
            if step.after is None:
                del bench.files[step.path]
            else:
                bench.files[step.path] = step.after
        assert len(plan.paths) == 3
    assert {path: data.decode() if isinstance(data, bytes) else data for path, data in bench.files.items()} == before


def test_design_records_the_glossary_and_other_memory_follow(bench: Held) -> None:
    bench.files["docs/design/sync.md"] = "# Sync\n\nStatus: draft\n\nBy [ADR-0002](../adr/0002-sync-at-night.md).\n"
    bench.files["CONTEXT.md"] = "# Words\n\n**Night**:\nWhen we sync (ADR-0002).\n"
    bench.files |= {f"{MEMORY}/{name}": text for name, text in STANDARD.items()} | {
        f"{MEMORY}/manifest.md": manifest(), f"{MEMORY}/changelog.md": "# Log\n\n- ADR-0002 came\n",
        f"{MEMORY}/brief.md": "# Brief\n\n- By docs/adr/0002-sync-at-night.md\n",
    }
    plan = bench.renumber()
    assert bench.after(plan, "docs/design/sync.md").endswith("By [ADR-0003](../adr/0003-sync-at-night.md).\n")
    assert bench.after(plan, "CONTEXT.md").endswith("When we sync (ADR-0003).\n")
    assert bench.after(plan, "docs/memory/brief.md") == "# Brief\n\n- By docs/adr/0003-sync-at-night.md\n"
    assert bench.after(plan, "docs/memory/changelog.md") == "# Log\n\n- ADR-0002 came\n"
    assert plan.warnings == ("These may mean this record and stay as they are: docs/memory/changelog.md:3.",)
    assert "what refers to it in 3 files" in plan.label


def test_what_is_struck_or_archived_stays(bench: Held) -> None:
    archived = "# Old\n\n- Was ADR-0002 (2026-01-01, from x)\n"
    bench.files |= {
        **FACTS, "memory-lint.json": LINT, "memory/archive/old.md": archived,
        "memory/people/ada.md": "# Ada\n\n- ~~Wrote ADR-0002 (2026-02-01, from x)~~\n",
    }
    plan = bench.renumber()
    assert plan.paths == [NEW, OLD]
    assert "memory/archive/old.md:3, memory/people/ada.md:3" in plan.warnings[0]


def test_a_number_that_two_records_have_names_neither(bench: Held) -> None:
    other = "docs/adr/0002-never-sync.md"
    text = "\nADR-0002, [a](0002-sync-at-night.md), [b](0002-never-sync.md), ADR-1.\n"
    bench.files[other] = record(2, "Never sync", "Proposed")
    assert bench.became(text) == text.replace("0002-sync", "0003-sync")
    plan = bench.renumber()
    assert plan.warnings == ("These may mean this record and stay as they are: docs/adr/0001-store-counts-as-csv.md:25.",)


def test_another_package_s_record_of_that_number_is_another(bench: Held) -> None:
    far = "../../../../docs/adr/0002-sync-at-night.md"
    text = record(1, "Store counts as CSV", more="Amended by 0002") + f"\nADR-0002, and {far}.\n"
    bench.files |= {"packages/one/package.json": "{}", f"packages/one/{FIRST}": text, f"packages/one/{OLD}": RECORDS[OLD]}
    plan = bench.renumber()
    after = bench.after(plan, "packages/one/docs/adr/0001-store-counts-as-csv.md")
    assert after == text.replace("0002-sync", "0003-sync")


def test_what_is_no_memory_is_named_in_a_warning_and_not_touched(bench: Held) -> None:
    bench.files["README.md"] = "# Plover\n\nSee docs/adr/0002-sync-at-night.md.\n"
    bench.files["src/sync.py"] = "# by ADR-2\n\n# and ADR-21\n"
    bench.files["src/other.py"] = "# ADR-21, 0002\n"
    bench.files["logo.png"] = b"\x89PNG ADR-2"
    bench.files[".cache/last"] = bench.files["src/.tool/names"] = "ADR-2\n"
    bench.files[".github/CODEOWNERS"] = "# ADR-2\n"
    plan = bench.renumber()
    named = ".github/CODEOWNERS:1, README.md:3, src/sync.py:1"
    assert plan.warnings == (f"Outside of memory these name it, and are not changed: {named}.",)
    assert plan.paths == [NEW, OLD]


def test_a_number_can_be_named_and_a_taken_one_is_refused(bench: Held) -> None:
    assert bench.renumber(to="12").paths[0] == "docs/adr/0012-sync-at-night.md"
    assert bench.renumber(to="ADR-0012").paths[0] == "docs/adr/0012-sync-at-night.md"
    assert bench.renumber(to="12345").paths[0] == "docs/adr/12345-sync-at-night.md"
    for to, why in (("1", "0001-store-counts-as-csv.md has that number"), ("2", "It has that number"), ("x", "no number"),
                    ("0", "no number"), ("123456", "no number"), ("-3", "")):  # fmt: skip
        if why:
            with pytest.raises(Refused, match=why) as refused:
                bench.renumber(to=to)
            assert refused.value.field == "to"


def test_what_is_no_record_has_no_number(bench: Held) -> None:
    with pytest.raises(Refused, match="Only a decision record has a number"):
        bench.plan("CONTEXT.md")
    with pytest.raises(Refused, match="one by one"):
        bench.plan(OLD, FIRST)
    bench.files |= {f"{MEMORY}/{name}": text for name, text in STANDARD.items()} | {f"{MEMORY}/manifest.md": manifest()}
    with pytest.raises(Refused, match="There is no renumber"):
        bench.plan("docs/memory/constraints.md")


def test_a_file_that_can_not_be_edited_is_left_and_named(bench: Held) -> None:
    bench.files["docs/design/sync.md"] = "# Sync\n\nStatus: draft\n\n```\nADR-0002\n"
    plan = bench.renumber()
    assert plan.paths == [NEW, OLD]
    assert plan.warnings == ("These may mean this record and stay as they are: docs/design/sync.md:6.",)


# On the command line, in git -------------------------------------------------------------------------------------------


@pytest.fixture
def parted(tmp_path: Path) -> Path:
    """Two branches that each gave number 3 away; work is checked out, and links to its own."""
    records_store(tmp_path)
    git_repo(tmp_path)
    git(tmp_path, "checkout", "-qb", "work")
    put(tmp_path, "docs/adr/0003-count-twice.md", record(3, "Count twice"))
    put(tmp_path, "docs/adr/0004-ring-birds.md", record(4, "Ring birds", "Proposed") + "\nAs ADR-0003 says.\n")
    git(tmp_path, "add", "-A")
    git(tmp_path, "commit", "-qm", "Work")
    git(tmp_path, "checkout", "-q", "main")
    put(tmp_path, "docs/adr/0003-never-ring.md", record(3, "Never ring"))
    put(tmp_path, "docs/adr/0005-no-paper.md", record(5, "No paper"))
    git(tmp_path, "add", "-A")
    git(tmp_path, "commit", "-qm", "Meanwhile")
    git(tmp_path, "checkout", "-q", "work")
    return tmp_path


def test_a_collision_is_found_settled_and_taken_back(
    parted: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    here = Here(parted, capsys, monkeypatch)
    before = snapshot(parted)
    assert "0003-never-ring.md on main too" in here("--check", "--base", "main", "--only", "adr-number").out
    [ident] = here.ids("entries", "--grep", "Count twice")
    shown = here("renumber", ident, "--dry-run")
    assert shown.code == 0
    assert snapshot(parted) == before
    done = here("renumber", ident, "--yes", "--format", "json").json
    assert done["ids"][0].startswith("docs/adr/0006-count-twice.md#")
    assert here.text("docs/adr/0006-count-twice.md").startswith("# 6. Count twice")
    assert "As ADR-0006 says." in here.text("docs/adr/0004-ring-birds.md")
    assert here("--check", "--base", "main", "--only", "adr-number").code == 0
    assert here("undo", "--yes").code == 0
    assert snapshot(parted) == before
    added = here("add", "--kind", "adr", "Sync twice a day", "--reason", "It is long").id  # a new record too skips both
    assert added.startswith("docs/adr/0006-")
    refused = here("renumber", ident, "--to", "5", "--yes")
    assert refused.code == 1
    assert "docs/adr/0005-no-paper.md on the default branch has that number" in refused.err


@pytest.mark.slow
def test_renumbering_an_accepted_record_keeps_every_accepted_text(
    parted: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    git(parted, "merge", "-q", "--no-edit", "main")
    links = "See [ADR-0003](0003-never-ring.md), [ADR 3](0003-count-twice.md)."
    put(parted, "docs/adr/0007-z.md", f"{record(7, 'Read aloud')}\n{links}\n")
    git(parted, "add", "-A")
    git(parted, "commit", "-qm", "All accepted")
    git(parted, "branch", "-qf", "main")
    here = Here(parted, capsys, monkeypatch)
    [ident] = here.ids("entries", "--grep", "Never ring.")
    assert here("renumber", ident, "--yes").code == 0
    assert "[ADR-0008](0008-never-ring.md), [ADR 3](0003-count-twice.md)" in here.text("docs/adr/0007-z.md")
    for staged in (False, True):
        found = report(parted, mode="staged" if staged else "worktree", only=["adr-immutable", "adr-number"])
        assert found.findings == ()
        git(parted, "add", "-A")
    text = here.text("docs/adr/0007-z.md")
    put(parted, "docs/adr/0007-z.md", text.replace("See", "Mind"))
    assert [one.line for one in report(parted, mode="worktree", only=["adr-immutable"]).findings] == [25]
