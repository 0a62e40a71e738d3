"""`memdesk conflicts` from outside: what it prints in each format, and `--dismiss` as an action like the others."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support import shapes
from tests.support.commands import Here, Terminal
from tests.support.sources import GLOSSARY, HOME, RECORDS, decision, memory
from tests.support.stores import put, snapshot

JUDGMENTS = ".memdesk/judgments.toml"
ANA = ("--yes", "--as", "Ana")


@pytest.fixture
def over(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Here:
    text = decision("Colours") + decision("Colours", "Other.")
    files = {**RECORDS, "CONTEXT.md": GLOSSARY, **memory(decisions=text, constraints="- Split by day (see ADR-0001).\n")}
    for path, data in files.items():
        put(tmp_path, path, data)
    monkeypatch.setenv("MEMDESK_AS", "")
    return Here(tmp_path, capsys, monkeypatch)


def ids(over: Here) -> list[str]:
    return [clash["id"] for clash in over("conflicts", "--format", "json").json["conflicts"]]


def test_as_json_to_the_letter_with_why_and_the_ways_on(over: Here) -> None:
    found = over("conflicts", "--format", "json")
    assert (found.code, found.err) == (0, "")
    assert shapes.faults(found.json, shapes.CONFLICTS) == []
    title, ground = sorted(found.json["conflicts"], key=lambda clash: str(clash["kind"]), reverse=True)
    assert (ground["kind"], ground["exact"], ground["dismissed"], ground["judgment"]) == ("ground", True, False, None)
    assert [(side["path"].rpartition("/")[2], side["line"], side["rank"], side["wins"]) for side in ground["entries"]] == [
        ("0001-keep-counts-as-csv.md", 1, 4, False), ("constraints.md", 3, 3, False),
        ("0002-keep-counts-in-sqlite.md", 1, 2, True),
    ]
    assert ground["entries"][1]["why"] == "constraint: rank 3, below accepted record: rank 2"
    assert [choice["key"] for choice in ground["choices"]] == ["follow", "amend", "supersede", "dismiss"]
    assert (title["choices"][0]["possible"], title["choices"][0]["why_not"][:25]) == (False, "All sides are of one rank")


def test_as_text_with_both_sides_whole_their_ranks_and_the_choices(over: Here) -> None:
    found = over("conflicts")
    assert found.err == "2 conflicts\n"
    rows = found.out.split("\n")
    assert rows[0].endswith("  ground  exact  it names ADR-0001 as its ground, which is superseded by ADR-0002")
    assert f"  {HOME}/constraints.md:3 · constraint" in rows
    assert "    constraint: rank 3, below accepted record: rank 2" in rows
    assert "    │ - Split by day (see ADR-0001)." in rows
    assert "  docs/adr/0002-keep-counts-in-sqlite.md:1 · accepted record · WINS" in rows
    assert "    │ ## Context" in rows, "a side is never cut"
    assert "  follow: Follow ADR-0002: strike the entry" in rows
    assert any(row.startswith(f"    Strikes {HOME}/constraints.md:3 in place") for row in rows)
    assert any(row.startswith("    Not possible: All sides are of one rank") for row in rows)


def test_as_markdown(over: Here) -> None:
    found = over("conflicts", "--format", "markdown").out
    assert found.startswith("## Conflicts\n\n2 found; none is dismissed.\n\n### it names ADR-0001 as its ground")
    assert "· constraint (constraint: rank 3, below accepted record: rank 2)\n\n  ```markdown\n  - Split by day" in found
    assert "- **follow**: Follow ADR-0002: strike the entry. Strikes docs/memory/constraints.md:3 in place" in found


def test_a_store_s_are_those_with_a_side_in_it(over: Here) -> None:
    assert over("conflicts", "--store", HOME).err == "2 conflicts\n"
    assert over("conflicts", "--store", ".").err == "1 conflict\n"


# --dismiss


def test_a_dismissal_shows_the_diff_and_needs_a_name(over: Here) -> None:
    ident = ids(over)[0]
    before = snapshot(over.root)
    for words, says in ((("--yes",), "dismiss takes --yes and --as NAME"), ((), "without a terminal, dismiss takes")):
        found = over("conflicts", "--dismiss", ident[:4], "--reason", "Old files stay.", *words)
        assert found.code == 1
        assert says in found.err
        assert '+reason = "Old files stay."' in found.out
    shown = over("conflicts", "--dismiss", ident, "--reason", "x", "--dry-run", "--as", "Ana")
    assert (shown.code, '+by = "Ana"' in shown.out) == (0, True)
    assert snapshot(over.root) == before


def test_what_is_dismissed_is_counted_listed_when_asked_and_true_in_json(over: Here) -> None:
    ident = ids(over)[0]
    done = over("conflicts", "--dismiss", ident[:4], "--reason", "Old files stay.", *ANA)
    assert (done.code, done.out) == (0, "")
    assert done.err.startswith(f"Dismissed the conflict {ident} (docs/adr/0001-keep-counts-as-csv.md:1, {HOME}/constraints.md:")
    assert 'by = "Ana"' in over.text(JUDGMENTS)
    found = over("conflicts")
    assert (ident in found.out, found.err) == (False, "1 conflict, and 1 dismissed (--dismissed)\n")
    every = over("conflicts", "--dismissed")
    assert every.err == "2 conflicts\n"
    assert "\n  dismissed by Ana on 2026-11-30: Old files stay.\n" in every.out
    assert every.out.index("title") < every.out.index(ident), "what is open comes first"
    judged = {clash["id"]: clash["dismissed"] for clash in over("conflicts", "--format", "json").json["conflicts"]}
    assert (judged.pop(ident), list(judged.values())) == (True, [False])
    markdown = over("conflicts", "--format", "markdown").out
    assert markdown.startswith("## Conflicts\n\n1 found; 1 dismissed and left out.\n")
    whole = over("conflicts", "--format", "markdown", "--dismissed").out
    assert "\n\nDismissed by Ana on 2026-11-30: Old files stay.\n" in whole


def test_a_dismissal_as_json_its_history_and_its_undo(over: Here) -> None:
    ident = ids(over)[0]
    value = over("conflicts", "--dismiss", ident, "--reason", "Old.", *ANA, "--format", "json").json
    assert shapes.faults(value, shapes.ACTION) == []
    assert (value["applied"], [edit["path"] for edit in value["edits"]]) == (True, [JUDGMENTS])
    (entry,) = over("history", "--format", "json").json["transactions"]
    assert (entry["verb"], entry["by"], entry["undoable"], entry["paths"]) == ("dismiss", "Ana", True, [JUDGMENTS])
    assert over("undo", "--yes").code == 0
    assert ident in over("conflicts").out


@pytest.mark.parametrize(("line", "code", "says"), [
    (["--dismiss", "ffff", "--reason", "x", *ANA], 1, "There is no conflict 'ffff'"),
    (["--dismiss", "fff", "--reason", "x", *ANA], 1, "too short"),
    (["--dismiss", "FIRST", *ANA], 1, "with a reason"),
    (["--dismiss", "FIRST", "--reason", " ", *ANA], 1, "with a reason"),
    (["--reason", "x"], 2, "--reason goes with --dismiss."),
    (["--yes"], 2, "--yes goes with --dismiss."),
    (["--as", "Ana"], 2, "--as goes with --dismiss."),
    (["--dry-run"], 2, "--dry-run goes with --dismiss."),
])  # fmt: skip
def test_what_is_refused(over: Here, line: list[str], code: int, says: str) -> None:
    words = [ids(over)[0] if word == "FIRST" else word for word in line]
    for form in ("text", "json"):
        found = over("conflicts", *words, "--format", form)
        assert (found.code, says in found.err) == (code, True), found
    assert not (over.root / JUDGMENTS).exists()


def test_a_dismissal_of_a_conflict_in_another_store(over: Here) -> None:
    title = next(clash["id"] for clash in over("conflicts", "--format", "json").json["conflicts"] if clash["kind"] == "title")
    assert over("conflicts", "--store", ".", "--dismiss", title, "--reason", "x", *ANA).code == 1
    assert over("conflicts", "--store", HOME, "--dismiss", title, "--reason", "x", *ANA).code == 0


def test_a_file_of_judgments_with_conflict_markers_is_2_and_everything_is_listed(over: Here) -> None:
    over("conflicts", "--dismiss", ids(over)[0], "--reason", "Old.", *ANA)
    put(over.root, JUDGMENTS, over.text(JUDGMENTS) + "<<<<<<< HEAD\n")
    line = over.text(JUDGMENTS).count("\n")
    for words in (["conflicts"], ["recall", "split"], ["--check"]):
        found = over(*words)
        assert found.code == 2
        assert f"{JUDGMENTS}:{line}: is not valid TOML" in found.err + found.out
    found = over("conflicts")
    assert found.err.startswith("2 conflicts\n")
    assert "Until then nothing counts as dismissed." in found.err
    refused = over("conflicts", "--dismiss", ids(over)[1], "--reason", "x", *ANA)
    assert (refused.code, f"{JUDGMENTS}:{line}" in refused.err) == (2, True)


def test_the_check_says_how_many_were_dismissed(over: Here) -> None:
    assert over("--check", "--no-diff", "--only", "rank-conflict").code == 1
    for ident in ids(over):
        over("conflicts", "--dismiss", ident, "--reason", "Old.", *ANA)
    found = over("--check", "--no-diff", "--only", "rank-conflict", "--only", "two-versions")
    assert found.code == 0
    assert found.out.count("checked, 1 dismissed") == 2


def test_what_is_alike_and_at_odds_is_listed_and_dismissed_and_no_matter_of_the_check(over: Here) -> None:
    text = "Old logs are kept for {} days on the server.\n"
    put(over.root, f"{HOME}/constraints.md", f"# Constraints\n\n- {text.format(30)}- {text.format(90)}- {'long ' * 3_000}\n")
    listed = over("conflicts", "--format", "json").json
    assert shapes.faults(listed, shapes.CONFLICTS) == []
    (clash,) = [clash for clash in listed["conflicts"] if clash["kind"] == "differs"]
    assert (clash["exact"], clash["reason"]) == (False, "nearly the same words, which differ in a number")
    assert [side["line"] for side in clash["entries"]] == [3, 4]
    left = f"Texts of more than 10,000 characters were compared with none: {HOME}/constraints.md:5."
    assert listed["not_compared"] == [left]
    plain = over("conflicts")
    assert f"{clash['id']}  differs  possible  nearly the same words, which differ in a number" in plain.out
    assert plain.err == f"2 conflicts\n{left}\n"
    assert left not in over("conflicts", "--quiet").err
    assert f"Not compared: {left}" in over("conflicts", "--format", "markdown").out
    assert over("conflicts", "--dismiss", clash["id"][:6], "--reason", "Two servers.", *ANA).code == 0
    assert over("conflicts").err.startswith("1 conflict, and 1 dismissed (--dismissed)\n")
    assert "differs" not in over("--check", "--no-diff").out + over("recall", "logs").out


@pytest.mark.slow
def test_at_a_terminal_the_reason_and_a_yes_are_asked_for(over: Here) -> None:
    ident = ids(over)[0]
    terminal = Terminal(over.root, "conflicts", "--dismiss", ident)
    assert "it names ADR-0001 as its ground" in terminal.until("Why can both stand? ")
    terminal.type("Old files stay.\n")
    assert '+reason = "Old files stay."' in terminal.until("[Y/n] ")
    terminal.type("y\n")
    assert terminal.end() == 0
    assert 'reason = "Old files stay."' in over.text(JUDGMENTS)
