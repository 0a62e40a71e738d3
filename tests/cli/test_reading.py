"""The commands that read, from outside: text, JSON to the letter, exit codes."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from tests.support import shapes
from tests.support.commands import Here
from tests.support.stores import MEMORY, STANDARD, custodian_store, git_repo, manifest, put, records_store

KEY = "AKIA" + "QWERTYUIOPASDFGH"
INBOX = f"{MEMORY}/inbox.md"
DECISION = "Counts are stored as CSV files, one for each site."


def reaches(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, **files: str) -> Here:
    """Commands on a store of these files."""
    root = tmp_path / "other"
    custodian_store(root, **files)
    return Here(root, capsys, monkeypatch)


# pack


def test_a_pack_is_the_standing_line_and_the_files_whole(here: Here) -> None:
    found = here("pack", "--task", "planning")
    assert (found.code, found.err) == (0, "")
    assert found.out.startswith("Project memory: context, not instruction.")
    brief, decisions, tombstones = (STANDARD[name].strip() for name in ("brief.md", "decisions.md", "do-not-use.md"))
    assert found.out.index(brief) < found.out.index(decisions) < found.out.index(tombstones)
    assert "Retry sync" not in found.out
    assert here("pack", "--task", "ARCHITECTURE").out == found.out
    assert here("pack", "--task=planning", "--format=text").out == found.out


def test_a_pack_as_json_to_the_letter(here: Here) -> None:
    value = here("pack", "--task", "planning", "--format", "json").json
    assert shapes.faults(value, shapes.PACK) == []
    assert (value["layout"], value["store"], value["task"], value["category"]) == ("custodian", MEMORY, "planning", "planning")
    assert [(file["path"], file["disposition"], file["required"]) for file in value["files"]] == [
        (f"{MEMORY}/brief.md", "loaded", True), (f"{MEMORY}/decisions.md", "loaded", True),
        (f"{MEMORY}/do-not-use.md", "loaded", True), (f"{MEMORY}/preferences.md", "missing-optional", False),
    ]
    assert value["tokens"] == sum(file["tokens"] for file in value["files"])
    assert value["text"] == here("pack", "--task", "planning").out
    assert value["text"].startswith(value["standing"])
    assert {item["path"].rpartition("/")[2] for item in value["not_loaded"]} == {"constraints.md", "inbox.md", "manifest.md"}


def test_names_only_explain_and_markdown(here: Here) -> None:
    assert here("pack", "--task", "boot", "--names-only").out == f"{MEMORY}/brief.md\n"
    explained = here("pack", "--task", "boot", "--explain").out.splitlines()
    assert explained[0].startswith(f"boot (general) in {MEMORY}: complete, ")
    assert any(line.strip().startswith(f"{MEMORY}/decisions.md: not routed for general") for line in explained)
    table = here("pack", "--task", "boot", "--format", "markdown").out
    assert table.startswith("### Pack `boot`: complete, ")
    assert f"| {MEMORY}/brief.md | loaded |" in table


def test_an_omission_is_explained_and_masked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    units = f"# D\n\n## One\n\n{'word ' * 30}\n\n## Key {KEY}\n\n{'word ' * 30}\n"
    here = reaches(tmp_path, capsys, monkeypatch, decisions=units, budgets=["decisions.md: 40 tokens max"])
    lines = here("pack", "--task", "planning", "--explain").out
    assert "omitted: line 7: Key *** · " in lines
    assert KEY not in lines
    (omitted,) = here("pack", "--task", "planning", "--format", "json").json["files"][1]["omitted"]
    assert omitted["heading"] == "Key ***"


def test_an_unknown_task_and_no_task_are_2_with_the_known_ones(here: Here) -> None:
    for words in (["--task", "dancing"], [], ["--task", ""]):
        for more in ([], ["--format", "json"], ["--names-only"]):
            found = here("pack", *words, *more)
            assert (found.code, found.out) == (2, "")
            assert "planning" in found.err
            assert "boot" in found.err


@pytest.mark.parametrize("form", ["text", "json", "markdown"])
def test_an_incomplete_pack_is_1_and_named(here: Here, root: Path, form: str) -> None:
    (root / MEMORY / "decisions.md").unlink()
    found = here("pack", "--task", "planning", "--format", form)
    assert found.code == 1
    assert f"{MEMORY}/decisions.md: missing-required" in found.err
    assert "brief" in found.out
    asked = here("pack", "--task", "general", "--area", "nowhere", "--format", form)
    assert asked.code == 1
    assert "nowhere" in asked.err


def test_a_manifest_that_cannot_be_routed_is_2(here: Here, root: Path) -> None:
    put(root, f"{MEMORY}/manifest.md", manifest().replace("## Always load", "## Never load"))
    found = here("pack", "--task", "planning")
    assert (found.code, found.out) == (2, "")
    assert f"{MEMORY}/manifest.md" in found.err


def test_two_stores_need_a_choice(here: Here, root: Path) -> None:
    custodian_store(root, "docs/other")
    found = here("pack", "--task", "planning")
    assert (found.code, found.out) == (2, "")
    assert f"{MEMORY} (custodian), docs/other (custodian)" in found.err
    assert here("pack", "--task", "boot", "--store", "docs/other", "--names-only").out == "docs/other/brief.md\n"
    assert here("--store", f"{MEMORY}/", "pack", "--task", "boot", "--names-only").out == f"{MEMORY}/brief.md\n"
    assert here("pack", "--task", "boot", "--store", "docs/none").code == 2
    assert here("add", "Site 7 floods").code == 2
    assert here("add", "Site 7 floods", "--store", "docs/other/").id.startswith("docs/other/inbox.md#")


def test_a_pack_is_exact_and_warns_of_a_secret(here: Here, root: Path) -> None:
    put(root, f"{MEMORY}/constraints.md", f"# C\n\n- The key is {KEY}\n")
    for form in ("text", "json", "markdown"):
        found = here("pack", "--task", "implementation", "--format", form)
        assert KEY in found.out
        assert f"{MEMORY}/constraints.md holds what looks like" in found.err
        assert KEY not in found.err


def test_why(here: Here) -> None:
    found = here("pack", "--why", f"{MEMORY}/constraints.md")
    lines = found.out.splitlines()
    assert [line.split()[0] for line in lines if "  loads  " in line] == ["implementation", "maintenance"]
    assert lines[0].startswith(
        "planning        does not load  not routed for planning; loads for implementation, maintenance"
        f"  → {MEMORY}/manifest.md:"
    )
    assert lines[0].endswith("(below “- `do-not-use.md`” add “- `constraints.md`”)")
    assert found.err == f"{MEMORY}/constraints.md: 2 of 7 tasks load it\n"
    value = here("pack", "--why", f"{MEMORY}/constraints.md:3", "--format", "json").json
    assert (value["path"], value["line"], value["layout"], value["store"]) == (
        f"{MEMORY}/constraints.md", 3, "custodian", MEMORY,
    )
    assert (value["entry"]["heading"], value["entry"]["line"]) == ("Runs without a network connection.", 3)
    assert value["tasks"][1] == {"task": "implementation", "loads": True, "reason": "task implementation", "change": ""}
    assert here("pack", "--why", "src/app.py").code == 2
    assert here("pack", "--why", f"{MEMORY}/constraints.md:0").code == 2
    assert "has no line 99" in here("pack", "--why", f"{MEMORY}/constraints.md:99").err


def test_why_for_one_task_and_with_what_is_asked_for(here: Here, root: Path) -> None:
    put(root, f"{MEMORY}/areas/storage.md", "# Storage\n")
    rows = ("- `areas/storage.md`: s\n  - paths: `src/**`",)
    put(root, f"{MEMORY}/manifest.md", manifest(areas=rows))
    place = ("pack", "--why", f"{MEMORY}/areas/storage.md", "--task", "debugging")
    assert here(*place, "--path", "src/a.py").out == "debugging  loads          area storage: src/a.py matches src/**\n"
    assert here(*place, "--area", "storage").out == "debugging  loads          area storage requested\n"
    missed = here(*place, "--path", "lib/a.py")
    assert "not requested (--area storage), and no given path matches src/**  → " in missed.out
    assert missed.err == f"{MEMORY}/areas/storage.md: debugging does not load it\n"
    assert here(*place, "--area", "../x").code == 2
    assert here(*place, "--explain").err.startswith("memdesk: --explain doesn't go with --why.")
    assert here("pack", "--why", f"{MEMORY}/areas/storage.md", "--task", "nothing").code == 2


def test_why_as_markdown_is_one_inert_table(here: Here, root: Path) -> None:
    put(root, f"{MEMORY}/constraints.md", f"# C\n\n- Ask @ana about #12 | <b>`x`</b> {KEY}\n")
    text = here("pack", "--why", f"{MEMORY}/constraints.md:3", "--format", "markdown").out
    lines = text.rstrip("\n").split("\n")
    head = "“Ask @\u2060ana about \\#12 \\| \\<b\\>\\`x\\`\\</b\\>"
    assert lines[0].startswith(f"### What loads {MEMORY}/constraints.md:3 {head}")
    assert lines[2:6] == ["2 of 7 tasks load it.", "", "| task | | why | line to change |", "| --- | --- | --- | --- |"]
    assert [line.split(" | ")[0] for line in lines[6:]] == [f"| {task}" for task in (
        "planning", "implementation", "artifact", "preferences", "history", "maintenance", "general")]
    assert KEY not in text


def test_why_where_a_route_cannot_be_made(here: Here, root: Path) -> None:
    path = root / MEMORY / "manifest.md"
    path.write_text(path.read_text().replace("### Preferences", "### Other"))
    found = here("pack", "--why", f"{MEMORY}/constraints.md")
    assert found.code == 2
    assert "implementation  loads" in found.out
    assert "add `### Preferences`, `- constraints.md`)" in found.out


def test_a_pack_as_json_names_the_entries_that_budgets_keep_out(here: Here, root: Path) -> None:
    put(root, f"{MEMORY}/constraints.md", "# C\n\n" + "".join(f"- bullet {number} {'word ' * 90}\n" for number in range(6)))
    value = here("pack", "--task", "implementation", "--format", "json").json
    assert [(one["path"], one["line"], one["unit"]) for one in value["not_loaded_entries"]] == [
        (f"{MEMORY}/constraints.md", 7, 7), (f"{MEMORY}/constraints.md", 8, 8),
    ]
    assert value["not_loaded_entries"][1]["reason"].startswith("it comes after “bullet 4 word ")
    assert here("pack", "--task", "general", "--format", "json").json["not_loaded_entries"] == []


# guide, stores


def test_guide(here: Here) -> None:
    found = here("guide")
    assert found.code == 0
    assert found.out.startswith(f"# Project memory in {MEMORY}\n")
    for words in ("memdesk add", "memdesk pack", "constraints over tombstones over decisions over preferences"):
        assert words in found.out
    assert here("guide", "--layout", "custodian").out == found.out
    assert here("guide", "--format", "json").json["guides"][0]["text"] == found.out
    unknown = here("guide", "--layout", "custodia")
    assert unknown.code == 2
    assert "Did you mean custodian?" in unknown.err


def test_what_the_guide_of_records_tells_agents_to_run_works_beside_other_stores(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    custodian_store(tmp_path)
    records_store(tmp_path)
    records_store(tmp_path, "packages/web app")
    here = Here(git_repo(tmp_path), capsys, monkeypatch)
    lines = here("guide", "--layout", "records").out.split("\n")
    told = [line.strip() for line in lines if line.startswith("    memdesk pack")]
    assert len(told) == 2, "one for each store"
    for line in told:
        assert here(*shlex.split(line)[1:]).code == 0, line


def test_stores(here: Here, root: Path) -> None:
    put(root, "docs/notes/decisions.md", "# Decisions\n")
    put(root, "docs/notes/inbox.md", "# Inbox\n")
    value = here("stores", "--format", "json").json
    assert shapes.faults(value, shapes.STORES) == []
    (store,) = value["stores"]
    assert (store["path"], store["layout"], store["documents"], store["entries"]) == (MEMORY, "custodian", 6, 8)
    assert (store["candidates"], store["writable"]) == (4, True)
    assert {"path": f"{MEMORY}/decisions.md", "unit": "tokens", "used": 40, "cap": 800} in store["budgets"]
    assert [miss["path"] for miss in value["not_recognised"]] == ["docs/notes"]
    text = here("stores").out
    assert text.startswith(f"{MEMORY}  custodian  6 documents, 8 entries, 4 waiting\n")
    assert "not recognised: docs/notes: " in text


def test_no_store_is_2_with_what_was_looked_at(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    put(tmp_path, "docs/memory/decisions.md", "# Decisions\n")
    here = Here(git_repo(tmp_path), capsys, monkeypatch)
    for words in (["pack", "--task", "boot"], ["guide"], ["stores"], ["entries"], ["inbox"], ["add", "x"], ["forget", "topic"]):
        found = here(*words)
        assert found.code == 2, words
        assert "There is no store here" in found.err, words
        assert "docs/memory" in found.err, words
        assert "memdesk init" in found.err, words
    value = here("stores", "--format", "json")
    assert (value.code, value.json["stores"]) == (2, [])
    for words in (["history"], ["config"], ["doctor"], ["recover"]):
        assert here(*words).code == 0, words


# entries, inbox


def test_entries(here: Here) -> None:
    value = here("entries", "--format", "json").json
    assert shapes.faults(value, shapes.ENTRIES) == []
    assert [(item["path"].rpartition("/")[2], item["line"], item["heading"]) for item in value["entries"]] == [
        ("brief.md", 3, "Plover is a command-line tool that plans bird counts."),
        ("constraints.md", 3, "Runs without a network connection."),
        ("decisions.md", 3, "2026-05-02 - Store counts as CSV"),
        ("do-not-use.md", 3, "Tombstone: Cloud sync"),
        ("inbox.md", 5, "[observed] Retry sync 3 times (from src/sync.py:4)"),
        ("inbox.md", 6, "Keep forty sites in the cache"),
        ("inbox.md", 7, "Cloud sync"),
        ("inbox.md", 9, "Show the site's name"),
    ]
    lines = here("entries").out.splitlines()
    assert [line.split("  ")[0] for line in lines] == [item["id"] for item in value["entries"]]
    assert here("entries").err == "8 entries\n"
    assert here("entries", "--quiet").err == ""


def test_filters_of_entries(here: Here) -> None:
    assert len(here.ids("entries", "--role", "decisions")) == 1
    assert len(here.ids("entries", "--candidates")) == 4
    assert here.ids("entries", "--struck") == []
    assert [ident.split("#")[0].rpartition("/")[2] for ident in here.ids("entries", "--grep", "CLOUD sync")] == [
        "do-not-use.md", "inbox.md"
    ]
    unknown = here("entries", "--role", "decision")
    assert (unknown.code, unknown.out) == (0, "")
    assert "no file here has the role 'decision'" in unknown.err


def test_inbox(here: Here) -> None:
    value = here("inbox", "--format", "json").json
    assert shapes.faults(value, shapes.INBOX) == []
    first, second, cloud, section = value["candidates"]
    assert (first["tag"], first["source"], first["date"], first["age_days"]) == ("observed", "src/sync.py:4", "2026-11-20", 10)
    assert (second["tag"], second["kind"], second["source"]) == (None, None, None)
    assert [match["kind"] for match in cloud["matches"]] == ["tombstone"]
    assert (section["line"], section["title"], section["date"], section["age_days"]) == (9, "Show the site's name", None, None)
    lines = here("inbox").out.splitlines()
    assert lines[0] == f"{first['id']}  {INBOX}:5  observed  Retry sync 3 times (from src/sync.py:4)"


def test_lists_are_masked_and_ids_are_not(here: Here, root: Path) -> None:
    put(root, INBOX, f"# Inbox\n\n- The key is {KEY} for the bucket (from {KEY})\n- See /home/ana/notes\n")
    for words in (["inbox"], ["entries"], ["inbox", "--format", "json"], ["entries", "--format", "json"]):
        found = here(*words)
        assert KEY not in found.out + found.err, words
        assert "The key is ***" in found.out, words
    ident = here.ids("inbox")[0]
    put(root, INBOX, "# Inbox\n\n- The key is *** for the bucket (from ***)\n- See /home/ana/notes\n")
    assert here.ids("inbox")[0] != ident


# history, config, doctor


def test_history(here: Here) -> None:
    assert here("history", "--format", "json").json == {"schema": "memdesk.history/1", "transactions": []}
    added = here("add", "Site 7 floods", "--tag", "observed")
    value = here("history", "--format", "json").json
    assert shapes.faults(value, shapes.HISTORY) == []
    (item,) = value["transactions"]
    assert (item["verb"], item["by"], item["paths"], item["undoable"], item["reason"]) == ("add", "agent", [INBOX], True, None)
    assert (item["at"], item["summary"]) == ("2026-11-30T00:00:00Z", 'Added "Site 7 floods" to inbox.md.')
    listed = here("history")
    assert listed.out.startswith(f"{item['id']}  2026-11-30T00:00:00Z  agent  Added ")
    assert listed.err == "1 transaction\n"
    shown = here("history", "--show", item["id"][:8])
    assert "+- [observed] Site 7 floods" in shown.out
    both = here("history", "--show", item["id"], "--format", "json").json
    assert [edit["path"] for edit in both["edits"]] == [INBOX]
    assert added.id in here.ids("inbox")
    assert here("history", "--show", "nothing").code == 2


def test_history_forgets_when_told_to(here: Here) -> None:
    here("add", "Site 7 floods")
    (item,) = here("history", "--format", "json").json["transactions"]
    refused = here("history", "--forget", item["id"])
    assert refused.code == 1
    assert "--yes" in refused.err
    assert here("history", "--forget", item["id"], "--yes").code == 0
    assert here("history", "--format", "json").json["transactions"] == []
    assert here("history", "--forget", item["id"], "--yes").code == 2


def test_config_names_the_origin(here: Here, root: Path) -> None:
    put(root, "memdesk.toml", "[freshness]\ndays = 30\n")
    lines = here("config").out.splitlines()
    assert any(line.split() == ["freshness.days", "30", "#", "memdesk.toml:2"] for line in lines), lines
    rows = {row["key"]: row for row in here("config", "--format", "json").json["settings"]}
    assert (rows["freshness.days"]["value"], rows["budget.near"]["origin"]) == (30, "default")
    put(root, "memdesk.toml", "[freshness]\ndayz = 30\n")
    wrong = here("config")
    assert wrong.code == 2
    assert "memdesk.toml:2" in wrong.err
    assert "days" in wrong.err
    put(root, "memdesk.toml", "")
    assert here("config", "--config", "nowhere.toml").code == 2


def test_doctor(here: Here, root: Path) -> None:
    facts = {row["name"]: row["value"] for row in here("doctor", "--format", "json").json["facts"]}
    assert facts["workspace"] == str(root)
    assert facts["state folder"] == str(root / ".git" / "memdesk")
    assert facts["lock"] == "free"
    assert facts["git"].startswith("branch main, HEAD ")
    put(root, ".git/memdesk/holder", '{"pid": 1, "host": "h", "verb": "add", "at": "t"}')
    put(root, ".git/memdesk/lock", "")
    assert "lock free" in " ".join(here("doctor").out.split())  # what a killed holder left says nothing
