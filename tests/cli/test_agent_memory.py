"""The commands on a store of layout agent-memory, alone and beside another one."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.commands import Here
from tests.support.stores import FACTS, agent_memory_store, custodian_store, git_repo, put

NOTE = "memory/2026-11-28.md"
LESSON = "- [inferred] When sites report late, counts drift; a second pass fixed it\n"
NOTES = {
    NOTE: "# 2026-11-28\n\n- [observed] The backup took 11 minutes\n- [suggested] Keep backups for 30 days\n",
    "memory/2026-11-29.md": f"# 2026-11-29\n\n{LESSON}",
    "memory/2026-11-20.md": f"# 2026-11-20\n\n{LESSON}", "memory/2026-11-10.md": f"# 2026-11-10\n\n{LESSON}",
    "AGENTS.md": "# For agents\n\nMemory: MEMORY.md.\n\n- Be brief.\n",
}
WHO = ("--yes", "--as", "Ada")


@pytest.fixture
def memory(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Here:
    """Commands on a store of this layout, committed."""
    agent_memory_store(tmp_path / "repo", **NOTES)
    return Here(git_repo(tmp_path / "repo"), capsys, monkeypatch)


@pytest.fixture
def mixed(memory: Here) -> Here:
    """The same with a manifest-routed store beside it."""
    custodian_store(memory.root)
    return memory


def test_boot_is_the_index_and_the_instruction_files(memory: Here) -> None:
    found = memory("pack", "--task", "boot", "--format", "json")
    assert found.code == 0
    assert [(file["path"], file["required"], file["disposition"]) for file in found.json["files"]] == [
        ("MEMORY.md", True, "loaded"), ("AGENTS.md", False, "loaded")
    ]
    assert ["memory/people/ada.md", "it is recalled when a question asks for it"] in [
        [item["path"], item["reason"]] for item in found.json["not_loaded"]
    ]
    assert {item["path"] for item in found.json["not_loaded"]} == {
        path for path in (*FACTS, *NOTES) if path not in ("MEMORY.md", "AGENTS.md")
    }


def test_boot_without_an_index_is_incomplete(memory: Here) -> None:
    (memory.root / "MEMORY.md").unlink()
    found = memory("pack", "--task", "boot")
    assert found.code == 1
    assert "INCOMPLETE" in found.out


def test_another_task_or_a_module_is_refused(memory: Here) -> None:
    for words in (("--task", "planning"), ("--task", "boot", "--area", "storage")):
        found = memory("pack", *words)
        assert (found.code, found.out) == (2, "")


def test_an_index_over_its_cap_is_said(memory: Here) -> None:
    put(memory.root, "MEMORY.md", FACTS["MEMORY.md"] + "\n" * 400)
    assert "MEMORY.md is over its cap, " in memory("pack", "--task", "boot").out


def test_of_two_stores_the_one_that_knows_the_task_answers(mixed: Here) -> None:
    assert mixed("pack", "--task", "boot", "--names-only").out.splitlines() == ["MEMORY.md", "AGENTS.md"]
    assert "docs/memory/brief.md" in mixed("pack", "--task", "planning", "--names-only").out.splitlines()
    found = mixed("pack", "--task", "cooking")
    assert found.code == 2
    assert "Known: boot, planning" in found.err


def test_meters_in_characters_and_lines(memory: Here) -> None:
    (store,) = memory("stores", "--format", "json").json["stores"]
    chars, lines = (len(FACTS["MEMORY.md"]), FACTS["MEMORY.md"].count("\n"))
    assert store["budgets"][:2] == [
        {"path": "MEMORY.md", "unit": "chars", "used": chars, "cap": 15000},
        {"path": "MEMORY.md", "unit": "lines", "used": lines, "cap": 400},
    ]
    assert store["budgets"][-1] == {"path": ".", "unit": "chars", "used": chars, "cap": 60000}
    assert (store["layout"], store["writable"], store["candidates"]) == ("agent-memory", True, 5)


def test_the_inbox_says_how_many_signals_speak_for_a_lesson(memory: Here) -> None:
    found = memory("inbox", "--format", "json").json["candidates"]
    assert {item["path"]: item["signals"] for item in found if item["tag"] == "inferred"} == {
        "memory/2026-11-10.md": 3, "memory/2026-11-20.md": 3, "memory/2026-11-29.md": 3
    }
    assert {item["signals"] for item in found if item["tag"] != "inferred"} == {None}
    assert {item["date"] for item in found if item["path"] == NOTE} == {"2026-11-28"}


def test_add_prints_an_id_that_the_inbox_lists(memory: Here) -> None:
    added = memory("add", "Gulls are counted twice", "--source", "src/a.py:1")
    assert added.code == 0
    assert added.id in memory.ids("inbox")
    assert memory.text("memory/2026-11-30.md") == (
        "# 2026-11-30\n\n- [inferred] Gulls are counted twice (2026-11-30, from src/a.py:1)\n"
    )
    assert memory("add", "X", "--tag", "stated").code == 1


def test_a_promote_with_its_index_row_in_one_transaction(memory: Here) -> None:
    ident = memory.id("The backup took")
    done = memory("promote", ident, "--to", "project:backups", "--owns", "the backup", "--read-when", "before a restore", *WHO)
    assert done.code == 0
    assert memory.text("memory/projects/backups.md") == (
        "# Backups\n\n- [observed] The backup took 11 minutes (2026-11-28, from memory/2026-11-28.md)\n"
    )
    assert "- `memory/projects/backups.md`: the backup; read before a restore\n" in memory.text("MEMORY.md")
    assert "minutes → memory/projects/backups.md\n" in memory.text(NOTE)
    (transaction,) = memory("history", "--format", "json").json["transactions"]
    assert set(transaction["paths"]) == {"memory/projects/backups.md", "MEMORY.md", NOTE}
    assert memory("undo", "--yes").code == 0
    assert memory.text(NOTE) == NOTES[NOTE]
    assert not (memory.root / "memory/projects/backups.md").exists()
    assert memory.text("MEMORY.md") == FACTS["MEMORY.md"]


def test_the_gate_on_the_command_line(memory: Here) -> None:
    own = next(ident for ident in memory.ids("inbox") if "2026-11-29" in ident)
    others = [ident for ident in memory.ids("inbox") if "2026-11-20" in ident or "2026-11-10" in ident]
    below = memory("promote", own, "--to", "standing:AGENTS.md", *WHO)
    assert (below.code, memory.text("AGENTS.md")) == (1, NOTES["AGENTS.md"])
    assert "1 of 3 signals · 1 of 2 sessions" in below.err
    assert all(ident in below.err for ident in others)
    signals = [word for ident in others for word in ("--signal", ident)]
    assert memory("promote", own, "--to", "standing:AGENTS.md", *signals, *WHO).code == 0
    assert "; seen 2026-11-10 in memory/2026-11-10.md, 2026-11-20 in" in memory.text("AGENTS.md")


def test_a_person_s_statement_passes_the_gate(memory: Here) -> None:
    own = next(ident for ident in memory.ids("inbox") if "2026-11-29" in ident)
    assert memory("promote", own, "--to", "standing:AGENTS.md", "--tag", "stated", *WHO).code == 0
    assert "- [stated] When sites report late" in memory.text("AGENTS.md")


def test_strike_and_what_recall_and_the_check_say_of_it(memory: Here) -> None:
    ident = memory.id("tRPC")
    done = memory("strike", ident, "--with", "gRPC, chosen 2026-11-30", "--source", "the winter review", *WHO)
    assert done.code == 0
    (source,) = [
        each for each in memory("recall", "public API chosen", "--format", "json").json["sources"]
        if each["path"] == "memory/decisions/api.md"
    ]
    assert (source["tag"], source["date"], source["source"]) == ("stated", "2026-11-30", "the winter review")
    assert [item["date"] for item in source["history"]] == ["2026-01-14", "2026-04-22", "2026-08-19"]
    checked = memory("--check", "--format", "json").json
    assert checked["counts"]["errors"] == 0, checked["findings"]


def test_an_edit_says_whether_the_meaning_changes(memory: Here) -> None:
    ident = memory.id("Plans the spring counts")
    words = ("edit", ident, "--text", "- [stated] Plans spring counts (2026-02-01, from her letter)", *WHO)
    refused = memory(*words)
    assert refused.code == 1
    assert "--change" in refused.err or "meaning" in refused.err
    assert memory(*words, "--change", "wording").code == 0
    assert "Plans spring counts (2026-02-01" in memory.text("memory/people/ada.md")


def test_archive_moves_a_document_whole(memory: Here) -> None:
    assert memory("archive", memory.id("Plans the spring counts"), *WHO).code == 0
    assert memory.text("memory/archive/people/ada.md") == FACTS["memory/people/ada.md"]
    assert not (memory.root / "memory/people/ada.md").exists()
    assert "ada.md" not in memory.text("MEMORY.md")
    checked = memory("--check", "--format", "json").json
    assert checked["counts"]["errors"] == 0, checked["findings"]


@pytest.mark.parametrize("words", [("reject", "--reason", "noise"), ("strike", "--reason", "noise")])
def test_what_is_taken_out_of_the_inbox_stays_struck_in_its_note(memory: Here, words: tuple[str, ...]) -> None:
    verb, *rest = words
    assert memory(verb, memory.id("Keep backups"), *rest, *WHO).code == 0
    said = {"reject": "rejected", "strike": "struck"}[verb]
    assert f"- ~~[suggested] Keep backups for 30 days~~ {said} 2026-11-30: noise\n" in memory.text(NOTE)
    assert len(memory.ids("inbox")) == 4


def test_a_fresh_store_passes_its_own_check(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    root = git_repo(tmp_path / "new")
    here = Here(root, capsys, monkeypatch)
    assert here("init", "agent-memory", "--yes", "--agents").code == 0
    assert {path.name for path in root.iterdir()} == {".git", "AGENTS.md", "MEMORY.md", "memory-lint.json"}
    checked = here("--check", "--format", "json").json
    assert (checked["result"], checked["counts"]) == ("pass", {"errors": 0, "warnings": 0})
    assert here("init", "agent-memory", "--yes").code == 1
    assert here("add", "First").code == 0
    assert here("--check").code == 0


def test_a_second_store_in_a_subfolder(mixed: Here) -> None:
    assert mixed("init", "agent-memory", "--path", "assistant", "--yes").code == 0
    assert [(store["layout"], store["path"]) for store in mixed("stores", "--format", "json").json["stores"]] == [
        ("agent-memory", "."), ("agent-memory", "assistant"), ("custodian", "docs/memory")
    ]
    assert mixed("add", "Where does it go?").code == 2
    assert mixed("add", "There", "--store", "assistant").code == 0
    assert (mixed.root / "assistant/memory/2026-11-30.md").exists()


def test_the_guide_is_fit_for_an_instructions_file(memory: Here) -> None:
    found = memory("guide", "--layout", "agent-memory")
    assert found.code == 0
    for word in ("stated", "observed", "inferred", "suggested", "memdesk recall", "memdesk add", "struck", "three independent"):
        assert word in found.out
    put(memory.root, "AGENTS.md", found.out)
    rules = {rule["rule"]: rule["status"] for rule in memory("--check", "--format", "json").json["rules"]}
    assert (rules["guide-missing"], rules["entry-file"]) == ("pass", "pass")
