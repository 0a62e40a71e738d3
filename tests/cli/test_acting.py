"""The commands that write, from outside: what they print, what they ask for, what they leave in the files."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support import shapes
from tests.support.commands import Here
from tests.support.stores import MEMORY, STANDARD, custodian_store, git_repo, manifest, put, snapshot

INBOX = f"{MEMORY}/inbox.md"
RETRY, FORTY, CLOUD = "Retry sync", "Keep forty", "- Cloud sync"
ANA = ("--yes", "--as", "Ana")


# add


def test_add_prints_the_id_of_what_inbox_lists(here: Here, root: Path) -> None:
    before = here.text(INBOX)
    put(root, "src/app.py", "import sys\n")
    added = here("add", "Site 7 floods", "--tag", "observed", "--kind", "constraint", "--source", "src/app.py:12")
    assert (added.code, added.err) == (0, "")
    assert added.id in here.ids("inbox")
    line = "- [observed] Site 7 floods (for: constraint; from src/app.py:12)\n"
    assert here.text(INBOX) == before.replace("## 2026-11-20", f"## 2026-11-30\n\n{line}\n## 2026-11-20")
    value = here("inbox", "--format", "json").json["candidates"][0]
    assert (value["kind"], value["tag"], value["source"], value["age_days"]) == ("constraint", "observed", "src/app.py:12", 0)


def test_add_from_standard_input_and_as_json(here: Here) -> None:
    added = here("add", "-", "--format", "json", stdin="Größe zählt\n\nund mehr\n".encode())
    assert shapes.faults(added.json, shapes.ACTION) == []
    assert (added.code, added.json["applied"], added.json["refused"]) == (0, True, None)
    assert "- Größe zählt\n\n  und mehr\n" in here.text(INBOX)
    assert here.ids("inbox")[0] == added.json["ids"][0]
    wrong = here("add", "-", stdin=b"caf\xe9")
    assert wrong.code == 2
    assert "not UTF-8 (byte 3)" in wrong.err
    assert here("add", "-", stdin=b"").code == 1


def test_add_says_when_an_equal_entry_exists(here: Here) -> None:
    ident = here.id(FORTY)
    added = here("add", "keep  forty sites in the cache")
    assert added.code == 0
    assert f"Added; an equal entry exists: {ident}" in added.err
    assert [match["kind"] for match in here("inbox", "--format", "json").json["candidates"][0]["matches"]] == ["equal"]


@pytest.mark.parametrize(
    ("source", "missing"),
    [
        ("nofile.py:9", "nofile.py"), ("src/nofile.py", "src/nofile.py"), ("docs/memory/inbox.md:3", None), ("issue 4", None),
        ("https://example.org/x", None), ("Ana", None), ("docs", None), ("../outside.py:1", "../outside.py"),
    ],
)
def test_add_says_when_its_source_is_not_there(here: Here, source: str, missing: str | None) -> None:
    added = here("add", "A new thing", "--source", source)
    assert added.code == 0
    assert added.id in here.ids("inbox")
    assert added.err == ("" if missing is None else f"memdesk: The source names {missing}, and there is no such file.\n")


def test_add_never_states(here: Here, root: Path) -> None:
    before = snapshot(root)
    for words in (["x y z", "--tag", "stated"], ["[stated] x y z"]):
        for form in ("text", "json"):
            found = here("add", *words, "--format", form)
            assert found.code == 1, words
            assert "Only a person can state" in found.err
    assert here("add", "x", "--tag", "certain").code == 2
    assert here("add", "x", "--kind", "rumour").code == 2
    assert snapshot(root) == before


@pytest.mark.parametrize("kind", ["decision", "constraint", "preference", "tombstone", "fact", "adr", "term"])
def test_every_kind_makes_a_candidate(here: Here, kind: str) -> None:
    added = here("add", f"A {kind} to weigh", "--kind", kind, "--reason", "it was asked for", "--area", "storage")
    found = next(item for item in here("inbox", "--format", "json").json["candidates"] if item["id"] == added.id)
    assert found["kind"] == kind


def test_add_without_change(here: Here, root: Path) -> None:
    before = snapshot(root)
    shown = here("add", "Site 7 floods", "--dry-run")
    assert (shown.code, "+- Site 7 floods" in shown.out) == (0, True)
    value = here("add", "Site 7 floods", "--dry-run", "--format", "json").json
    assert (value["applied"], value["transaction"], len(value["ids"])) == (False, None, 1)
    assert snapshot(root) == before


# The rules of all actions


def requests(here: Here) -> list[list[str]]:
    """One request of each action."""
    return [
        ["promote", here.id(RETRY), "--to", "constraints"], ["strike", here.id(FORTY), "--reason", "gone"],
        ["reject", here.id(FORTY), "--reason", "no"], ["merge", here.id(RETRY), "--into", here.id("without a network")],
        ["edit", here.id(FORTY), "--text", "- Keep fifty"], ["archive", here.id("CSV")], ["forget", "forty"],
        ["snooze", here.id(FORTY), "--until", "2026-12-24"],
    ]


def test_without_a_terminal_nothing_is_applied(here: Here, root: Path) -> None:
    before = snapshot(root)
    for words in requests(here):
        found = here(*words)
        assert found.code == 1, words
        assert "nothing was changed" in found.err, words
        assert "--yes" in found.err, words
        assert found.out, words
        value = here(*words, "--format", "json")
        assert value.code == 1, words
        assert shapes.faults(value.json, shapes.ACTION) == [], words
        assert (value.json["applied"], value.json["refused"].startswith("not confirmed")) == (False, True), words
        dry = here(*words, "--dry-run")
        assert dry.code == 0, words
        assert dry.out == found.out, words
        assert here(*words, "--dry-run", "--format", "json").json["refused"] is None
    assert snapshot(root) == before
    assert here("history", "--format", "json").json["transactions"] == []


def test_what_decides_takes_a_name(here: Here, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = snapshot(root)
    named = {"promote", "strike", "reject", "merge", "forget"}
    for words in requests(here):
        if words[0] in named:
            found = here(*words, "--yes")
            assert found.code == 1, words
            assert "--as NAME" in found.err, words
    assert snapshot(root) == before
    monkeypatch.setenv("MEMDESK_AS", "Ben")
    assert here("reject", here.id(FORTY), "--yes").code == 0
    assert here("reject", here.id(RETRY), *ANA).code == 0
    assert [item["by"] for item in here("history", "--format", "json").json["transactions"]] == ["Ana", "Ben"]


def test_edit_and_archive_take_yes_alone_and_git_s_name(here: Here) -> None:
    edited = here("edit", here.id(FORTY), "--text", "- Keep fifty sites", "--yes")
    assert edited.code == 0
    assert edited.id in here.ids("inbox")
    assert here("archive", here.id("CSV"), "--yes").code == 0
    assert [item["by"] for item in here("history", "--format", "json").json["transactions"]] == ["Test Person", "Test Person"]


def test_every_action_as_json(here: Here) -> None:
    for words in requests(here):
        found = here(*words, *ANA, "--format", "json")
        assert found.code == 0, found.err
        assert shapes.faults(found.json, shapes.ACTION) == []
        assert (found.json["applied"], found.json["refused"]) == (True, None)
        if words[0] != "snooze":
            assert found.json["transaction"] is not None
            assert found.json["edits"]
            assert here("undo", "--yes", "--format", "json").json["applied"] is True


def test_a_vanished_or_ambiguous_id_is_refused_with_candidates(here: Here, root: Path) -> None:
    ident = here.id(FORTY)
    put(root, INBOX, here.text(INBOX).replace("forty", "fifty"))
    for verb, *rest in (("promote", "--to", "constraints"), ("edit", "--text", "x"), ("snooze", "--until", "2027-01-01")):
        words = [verb, ident, *rest]
        found = here(*words, *ANA)
        assert found.code == 1, words
        assert "names no entry" in found.err, words
        assert f"{INBOX}#" in found.err.partition("Candidates")[2], words
        assert here(*words, *ANA, "--format", "json").json["refused"] is not None
    assert here("strike", "nonsense", *ANA).code == 1
    assert here("strike", f"{INBOX}#12", *ANA).code == 1


# Each action

HELD = "- Retry sync 3 times (from src/sync.py:4)\n  Reason: it held\n"

@pytest.mark.parametrize(
    ("to", "path", "text"),
    [
        ("constraints", "constraints.md", f"- Runs without a network connection.\n{HELD}"),
        (
            "decisions", "decisions.md",
            "## 2026-11-30 - Retries\n\nDecision:\nRetry sync 3 times\n\nReason:\nit held\n\nSource:\nsrc/sync.py:4\n",
        ),
        ("preferences", "preferences.md", HELD),
        ("do-not-use", "do-not-use.md", "## Tombstone: Retries\n"),
        ("area:sync", "areas/sync.md", "Retry sync 3 times\n"),
        ("rule:sync", "rules/sync.md", HELD),
        ("profile:sync", "profiles/sync.md", HELD),
    ],
)
def test_promote_to_every_destination(here: Here, root: Path, to: str, path: str, text: str) -> None:
    before = snapshot(root)
    done = here("promote", here.id(RETRY), "--to", to, "--title", "Retries", "--reason", "it held", *ANA)
    assert done.code == 0, done.err
    assert text in here.text(f"{MEMORY}/{path}")
    assert RETRY not in here.text(INBOX)
    assert done.id == here.id("Retries" if to == "do-not-use" else RETRY)
    assert f"to {path}." in done.err
    if "/" in path:
        assert f"- `{path}`" in here.text(f"{MEMORY}/manifest.md")
    assert here("undo", "--yes").code == 0
    assert snapshot(root) == before


def test_promote_asks_for_what_is_missing(here: Here) -> None:
    nowhere = here("promote", here.id(RETRY), *ANA)
    assert nowhere.code == 1
    assert "Destinations: " in nowhere.err
    assert "decisions" in nowhere.err
    why = here("promote", here.id(FORTY), "--to", "decisions", *ANA)
    assert why.code == 1
    assert "reason" in why.err.lower()
    assert here("promote", here.id(FORTY), "--to", "moon", *ANA).code in (1, 2)
    assert here("promote", here.id("CSV"), "--to", "constraints", *ANA).code == 1


def test_promote_several_at_once_in_one_transaction(here: Here) -> None:
    ids = [here.id(FORTY), here.id(RETRY)]
    done = here("promote", ids[0], "--to", "constraints", ids[1], *ANA, "--format", "json").json
    assert len(done["ids"]) == 2
    assert here.text(f"{MEMORY}/constraints.md").endswith(
        "- Keep forty sites in the cache\n- Retry sync 3 times (from src/sync.py:4)\n"
    )
    assert len(here("history", "--format", "json").json["transactions"]) == 1


def test_several_do_not_become_stated_by_one_word(here: Here, root: Path) -> None:
    before = snapshot(root)
    ids = [here.id(FORTY), here.id(RETRY)]
    words = ["promote", *ids, "--to", "decisions", "--reason", "it held", "--tag", "stated", *ANA]
    found = here(*words)
    assert found.code == 1
    assert "--answer authority=one or authority=each" in found.err
    assert here(*words, "--answer", "authority=each").code == 1
    assert here(*words, "--answer", "authority").code == 2
    assert snapshot(root) == before
    assert here(*words, "--answer", "authority=one", "--title", "Both").code == 0
    assert here.text(f"{MEMORY}/decisions.md").count("## 2026-11-30 - ") == 1


def test_strike_with_and_without_a_replacement(here: Here) -> None:
    done = here(
        "strike", here.id("CSV"), "--with", "Counts are kept in SQLite.", "--title", "Counts in SQLite", "--reason=speed", *ANA
    )
    assert done.code == 0, done.err
    text = here.text(f"{MEMORY}/decisions.md")
    assert 'Superseded: 2026-11-30 by "Counts in SQLite"' in text
    assert "## ~~2026-05-02 - Store counts as CSV~~" in text
    assert here("strike", here.id(FORTY), "--reason", "too many", *ANA).code == 0
    assert "- ~~Keep forty sites in the cache~~ struck 2026-11-30: too many\n" in here.text(INBOX)
    assert here.id(FORTY) not in here.ids("inbox")
    assert here.ids("entries", "--struck") == [here.id("2026-05-02"), here.id(FORTY)]
    assert here("strike", here.id("without a network"), "--with", " ", *ANA).code == 2


def test_reject_with_and_without_a_tombstone(here: Here) -> None:
    assert here("reject", here.id(FORTY), "--reason", "too many", *ANA).code == 0
    assert "Keep forty sites" in here.text(f"{MEMORY}/archive/inbox-2026-11-30.md")
    assert here("reject", here.id(RETRY), "--tombstone", *ANA).code == 1
    done = here(
        "reject", here.id(RETRY), "--tombstone", "--reason=hides faults", "--title=Retries", "--reconsider=2027-06-01", *ANA
    )
    assert done.code == 0, done.err
    text = here.text(f"{MEMORY}/do-not-use.md")
    assert text.index("## Tombstone: Retries") < text.index("## Tombstone: Cloud sync")
    assert "Reason: hides faults. Date: 2026-11-30." in text
    assert "Reconsider: 2027-06-01" in text


def test_merge_works_the_text_in(here: Here) -> None:
    into = here.id("without a network")
    text = "- Runs without a network connection, and retries nothing.\n"
    done = here("merge", here.id(RETRY), "--into", into, "--text", "-", *ANA, stdin=text.encode())
    assert done.code == 0, done.err
    assert here.text(f"{MEMORY}/constraints.md") == f"# Constraints\n\n{text}"
    assert RETRY not in here.text(INBOX)
    assert done.id == here.id("retries nothing")
    assert here("merge", here.id(FORTY), *ANA).code == 2
    assert here("merge", here.id(FORTY), "--into", here.id(FORTY), *ANA).code == 1


def test_merge_without_a_text_puts_one_behind_the_other(here: Here) -> None:
    assert here("merge", here.id(RETRY), "--into", here.id("without a network"), *ANA).code == 0
    text = here.text(f"{MEMORY}/constraints.md")
    assert "Runs without a network connection." in text
    assert "Retry sync 3 times" in text


def test_edit_needs_a_text_without_a_terminal(here: Here, root: Path) -> None:
    found = here("edit", here.id(FORTY))
    assert found.code == 2
    assert "--text" in found.err
    before = snapshot(root)
    same = here("edit", here.id(FORTY), "--text", "- Keep forty sites in the cache", "--yes")
    assert (same.code, snapshot(root) == before) == (0, True)
    assert "nothing to change" in same.err
    assert here("edit", here.id(FORTY), "--text", "", "--yes").code == 1
    assert here("edit", here.id(FORTY), "--text", "- One\n- Two", "--yes").code == 1  # it would become two entries
    assert snapshot(root) == before


def test_snooze(here: Here, root: Path) -> None:
    before = snapshot(root)
    ident = here.id(FORTY)
    assert here("snooze", ident, "--until", "2026-12-24", "--yes").code == 0
    assert snapshot(root) == before
    assert "(snoozed until 2026-12-24)" in here("inbox").out
    (row,) = [item for item in here("inbox", "--format", "json").json["candidates"] if item["id"] == ident]
    assert row["snoozed_until"] == "2026-12-24"
    for day in ("2026-11-30", "2020-01-01", "tomorrow", "20261224", "2026-13-01"):
        assert here("snooze", ident, "--until", day, "--yes").code == 2, day
    assert here("snooze", here.id("CSV"), "--until", "2026-12-24", "--yes").code == 1
    assert here("snooze", ident).code == 2


def test_archive(here: Here) -> None:
    assert here("archive", here.id("CSV"), "--yes").code == 0
    assert "Store counts as CSV" in here.text(f"{MEMORY}/archive/decisions-2026-11-30.md")
    assert here("archive", here.id("Tombstone: Cloud"), "--yes").code == 1
    assert here("archive", here.id("without a network"), "--yes").code == 1


@pytest.mark.parametrize(("mode", "tombstone"), [("soft", "CSV"), ("hard", "Tombstone"), ("purge", None)])
def test_forget(here: Here, mode: str, tombstone: str | None) -> None:
    before = here.text(f"{MEMORY}/do-not-use.md")
    words = ["forget", "CSV", "--mode", mode, *ANA]
    first = here(*words)
    assert first.code == 1  # three characters: a second confirmation
    assert "--answer confirmed=no or confirmed=yes" in first.err
    done = here(*words, "--answer", "confirmed=yes")
    assert done.code == 0, done.err
    assert "Git history and other copies" in done.err
    assert "CSV" not in here.text(f"{MEMORY}/decisions.md")
    after = here.text(f"{MEMORY}/do-not-use.md")
    assert (tombstone is None) == (after == before)
    assert tombstone is None or tombstone in after
    assert (mode == "soft") == ("CSV" in after)
    if mode == "purge":
        assert "CSV" not in here("history").out
        assert "can't be undone" in done.err
        assert here("undo", "--yes").code == 1
    else:
        assert here("undo", "--yes").code == 0


def test_forget_says_when_nothing_matches(here: Here) -> None:
    found = here("forget", "unheard of", *ANA)
    assert found.code == 1
    assert "No entry of this store holds that topic" in found.err
    assert here("forget", "  ", *ANA).code == 1
    assert here("forget", "CSV", "--mode", "mild", *ANA).code == 2


def test_undo_the_newest_a_named_one_and_its_undo(here: Here, root: Path) -> None:
    before = snapshot(root)
    assert here("undo").code == 1
    assert "nothing to undo" in here("undo", "--yes").err
    for text in (RETRY, FORTY):
        assert here("strike", here.id(text), *ANA).code == 0
    second, first = (item["id"] for item in here("history", "--format", "json").json["transactions"])
    shown = here("undo")
    assert shown.code == 1
    assert "-- ~~Keep forty sites in the cache~~ struck 2026-11-30" in shown.out
    assert here("undo", first, "--yes").code == 0
    assert here.ids("entries", "--struck") == [here.id(FORTY)]
    assert here("undo", "--yes").code == 0
    assert snapshot(root) == before
    assert here("undo", second, "--yes").code == 1
    assert here("undo", "nothing", "--yes").code == 2


def test_undo_is_refused_where_its_text_changed(here: Here, root: Path) -> None:
    here("add", "One thing")
    put(root, INBOX, here.text(INBOX).replace("One thing", "One thing, and more"))
    found = here("undo", "--yes", "--format", "json")
    assert found.code == 1
    assert found.json["refused"]
    assert "and more" in here.text(INBOX)


def test_the_changelog_gets_its_line(here: Here, root: Path) -> None:
    put(root, f"{MEMORY}/changelog.md", "# Changelog\n")
    assert here("promote", here.id(RETRY), "--to", "constraints", *ANA).code == 0
    line = 'Promoted "Retry sync 3 times" from inbox.md to constraints.md.'
    assert f"## 2026-11-30\n\n- {line}\n" in here.text(f"{MEMORY}/changelog.md")


# init


def test_init_makes_a_store_that_its_own_commands_take(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    here = Here(git_repo(tmp_path), capsys, monkeypatch)
    assert here("init").code == 1
    assert list(tmp_path.glob("docs")) == []
    done = here("init", "custodian", "--yes", "--agents")
    assert done.code == 0, done.err
    assert "Now fill in brief.md (its TODO lines fail the check until then).\n" in done.err
    assert here("pack", "--task", "planning").code == 0
    assert here("add", "A first candidate").code == 0
    assert here.text("AGENTS.md") == here("guide").out
    check = here("--check", "--format", "json").json
    assert {finding["rule"] for finding in check["findings"]} == {"brief-scaffold"}


def test_init_never_overwrites(here: Here, root: Path) -> None:
    before = snapshot(root)
    found = here("init", "--yes")
    assert found.code == 1
    assert "nothing is overwritten" in found.err
    assert snapshot(root) == before
    (root / MEMORY / "constraints.md").unlink()
    again = here("init", "--yes")
    assert again.code == 0
    assert f"{MEMORY}/brief.md is there and stays as it is." in again.err
    assert here.text(f"{MEMORY}/brief.md") == STANDARD["brief.md"]
    assert "# Constraints" in here.text(f"{MEMORY}/constraints.md")


def test_init_adds_to_agents_md_and_only_once(here: Here, root: Path) -> None:
    put(root, "AGENTS.md", b"\xef\xbb\xbf# Agents\r\n\r\nBe kind.")
    assert here("init", "--yes", "--agents").code == 0
    guide = here("guide").out.replace("\n", "\r\n")
    assert (root / "AGENTS.md").read_bytes().decode() == f"\ufeff# Agents\r\n\r\nBe kind.\r\n\r\n{guide}"
    assert here("init", "--yes", "--agents").code == 1
    assert here("undo", "--yes").code == 0
    assert (root / "AGENTS.md").read_bytes() == b"\xef\xbb\xbf# Agents\r\n\r\nBe kind."


@pytest.mark.parametrize("data", [b"\xff\xfe#\0", b"# A\n\n```\nopen\n", b"<<<<<<< a\nx\n=======\ny\n>>>>>>> b\n"])
def test_init_leaves_an_agents_md_alone_that_it_cannot_read(here: Here, root: Path, data: bytes) -> None:
    put(root, "AGENTS.md", data)
    found = here("init", "--yes", "--agents")
    assert found.code == 1
    assert "AGENTS.md" in found.err
    assert (root / "AGENTS.md").read_bytes() == data


@pytest.mark.parametrize("path", ["/abs", "../out", ".git/memory", "docs/../../x", ".memdesk/m", "a\nb"])
def test_init_takes_a_folder_of_the_workspace(here: Here, path: str) -> None:
    assert here("init", "--path", path, "--yes").code == 2


@pytest.mark.parametrize("path", ["vendor/docs/memory", "notes"])
def test_init_makes_nothing_where_no_store_would_be_seen(here: Here, root: Path, path: str) -> None:
    before = snapshot(root)
    assert here("init", "--path", path, "--yes").code == 1
    assert snapshot(root) == before
    assert here("init", "nothing").code == 2


# Newer protocols


def test_a_newer_store_is_read_and_not_written(here: Here, root: Path) -> None:
    put(root, f"{MEMORY}/manifest.md", manifest(version="0.9"))
    before = snapshot(root)
    assert here("pack", "--task", "planning").code == 0
    assert here("stores", "--format", "json").json["stores"][0]["writable"] is False
    for words in (["add", "x"], *requests(here)[:-1]):
        found = here(*words, *(ANA if words[0] != "add" else ()))
        assert found.code == 2, words
        assert "0.9" in found.err, words
        assert here(*words, *(ANA if words[0] != "add" else ()), "--format", "json").json["refused"], words
    assert snapshot(root) == before


def test_an_old_store_is_written(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    custodian_store(tmp_path, version="0.4")
    here = Here(tmp_path, capsys, monkeypatch)
    assert here("add", "Site 7 floods").code == 0
    assert (tmp_path / ".memdesk" / "state").is_dir()
