"""Commands in a real pseudo-terminal: asking, refusing, drift, and nothing that steers the terminal."""

from __future__ import annotations

import os
import signal
import stat
from pathlib import Path

import pytest

from tests.support.commands import Here, Terminal
from tests.support.stores import MEMORY, put, snapshot

INBOX = f"{MEMORY}/inbox.md"
FORTY = "Keep forty sites in the cache"
EVIL = "Sites \x1b]0;owned\x07 say \x1b[31mred\x1b[0m, \u202eback\u202c, \x9b2J and \u200bnothing"


def editor(tmp_path: Path, script: str) -> dict[str, str]:
    """An editor for the environment: a shell script that gets the file as $1."""
    path = tmp_path / "editor"
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return {"VISUAL": str(path), "EDITOR": "false", "TMPDIR": str(tmp_path)}


def drafts(tmp_path: Path) -> list[Path]:
    return list(tmp_path.glob("memdesk-*.md"))


@pytest.mark.parametrize("answer", ["\n", "y\n", "YES\n", "what?\ny\n"])
def test_yes_applies_what_was_shown(here: Here, root: Path, answer: str) -> None:
    terminal = Terminal(root, "promote", here.id(FORTY), "--to", "constraints")
    shown = terminal.until("[Y/n] ")
    assert f"--- a/{INBOX}" in shown
    assert f"+- {FORTY}" in shown
    assert "Promote to constraints.md · " in shown
    terminal.type(answer)
    assert terminal.end() == 0
    assert 'Promoted "Keep forty sites in the cache" from inbox.md to constraints.md.' in terminal.text
    assert here.text(f"{MEMORY}/constraints.md").endswith(f"- {FORTY}\n")
    (item,) = here("history", "--format", "json").json["transactions"]
    assert item["by"] == "Test Person"


@pytest.mark.parametrize("answer", ["n\n", "no\n", "\x04", "maybe\nn\n"])
def test_no_changes_nothing(here: Here, root: Path, answer: str) -> None:
    before = snapshot(root)
    terminal = Terminal(root, "reject", here.id(FORTY), "--reason", "no")
    terminal.until("[Y/n] ")
    terminal.type(answer)
    assert terminal.end() == 1
    assert "Nothing was changed." in terminal.text
    assert snapshot(root) == before


def test_ctrl_c_while_asked_is_130(here: Here, root: Path) -> None:
    before = snapshot(root)
    terminal = Terminal(root, "reject", here.id(FORTY))
    terminal.until("[Y/n] ")
    os.kill(terminal.pid, signal.SIGINT)
    assert terminal.end() == 130
    assert "Traceback" not in terminal.text
    assert snapshot(root) == before


def test_what_changed_meanwhile_is_shown_and_asked_again(here: Here, root: Path) -> None:
    put(root, f"{MEMORY}/decisions.md", "# Decisions\n\n- 2026-05-02 | Counts are CSV. Reason: spreadsheets\n")
    terminal = Terminal(root, "promote", here.id(FORTY), "--to", "decisions", "--reason", "speed")
    assert "+- 2026-11-30 | Keep forty sites in the cache" in terminal.until("[Y/n] ")
    section = "## 2026-05-02 - CSV\n\nDecision:\nCounts are CSV.\n\nReason:\nspreadsheets\n"
    put(root, f"{MEMORY}/decisions.md", f"# Decisions\n\n{section}")
    terminal.type("y\n")
    again = terminal.until("[Y/n] ")
    assert "The files changed since you confirmed" in again
    assert "+## 2026-11-30 - Keep forty sites in the cache" in again
    terminal.type("y\n")
    assert terminal.end() == 0
    assert "## 2026-11-30 - Keep forty sites in the cache\n" in here.text(f"{MEMORY}/decisions.md")


def test_what_changed_elsewhere_is_planned_anew_without_a_word(here: Here, root: Path) -> None:
    terminal = Terminal(root, "promote", here.id(FORTY), "--to", "constraints")
    terminal.until("[Y/n] ")
    put(root, INBOX, here.text(INBOX).replace("# Inbox\n", "# Inbox\n\nWhat waits.\n"))
    terminal.type("y\n")
    assert terminal.end() == 0
    assert "What waits." in here.text(INBOX)
    assert FORTY not in here.text(INBOX)


def test_a_candidate_that_vanished_is_refused(here: Here, root: Path) -> None:
    terminal = Terminal(root, "promote", here.id(FORTY), "--to", "constraints")
    terminal.until("[Y/n] ")
    put(root, INBOX, here.text(INBOX).replace("forty", "fifty"))
    terminal.type("y\n")
    assert terminal.end() == 1
    assert f"{INBOX}#" in terminal.text.rpartition("[Y/n]")[2]
    assert "Keep fifty sites" in here.text(INBOX)


def test_forget_starts_on_no_and_asks_twice(here: Here, root: Path) -> None:
    before = snapshot(root)
    for answers in ("2\n\n", "1\n", "\x04"):
        terminal = Terminal(root, "forget", "CSV")
        shown = terminal.until("> ")
        assert "-## 2026-05-02 - Store counts as CSV" in shown
        assert "Git history and other copies of these files are not touched." in shown
        terminal.type(answers[:2] if "\n" in answers else answers)
        if answers == "2\n\n":
            terminal.until("[y/N] ")
            terminal.type("\n")
        assert terminal.end() == 1
        assert snapshot(root) == before
    terminal = Terminal(root, "forget", "CSV")
    terminal.until("> ")
    terminal.type("yes\n")
    terminal.until("[y/N] ")
    terminal.type("y\n")
    assert terminal.end() == 0
    assert "CSV files" not in here.text(f"{MEMORY}/decisions.md")


def test_json_at_a_terminal_asks_too(here: Here, root: Path) -> None:
    terminal = Terminal(root, "reject", here.id(FORTY), "--format", "json")
    terminal.until("[Y/n] ")
    terminal.type("n\n")
    assert terminal.end() == 1
    assert '"refused": "not confirmed"' in terminal.text


def test_snooze_undo_and_history_forget_ask(here: Here, root: Path) -> None:
    terminal = Terminal(root, "snooze", here.id(FORTY), "--until", "2026-12-24")
    terminal.until("Snooze? [Y/n] ")
    terminal.type("\n")
    assert terminal.end() == 0
    assert "(snoozed until 2026-12-24)" in here("inbox").out
    here("add", "One thing")
    terminal = Terminal(root, "undo")
    assert "-- One thing" in terminal.until("[Y/n] ")
    terminal.type("y\n")
    assert terminal.end() == 0
    ident = here("history", "--format", "json").json["transactions"][0]["id"]
    terminal = Terminal(root, "history", "--forget", ident)
    terminal.until("[y/N] ")
    terminal.type("y\n")
    assert terminal.end() == 0
    assert ident not in here("history").out


def test_init_lists_its_files_before_it_asks(tmp_path: Path) -> None:
    terminal = Terminal(tmp_path, "init")
    shown = terminal.until("AGENTS.md? [Y/n] ").replace("\r", "")
    assert f"  {MEMORY}/brief.md\n" in shown
    assert "+++" not in shown
    terminal.type("n\n")
    terminal.until("[Y/n] ")
    terminal.type("y\n")
    assert terminal.end() == 0
    assert "Now fill in brief.md" in terminal.text
    assert "TODO" in (tmp_path / MEMORY / "brief.md").read_text()


def test_the_workbench_names_the_terminal_that_it_cannot_use(root: Path) -> None:
    for term, named in (("dumb", "TERM=dumb can't"), ("", "without TERM it can't")):
        terminal = Terminal(root, env={"TERM": term})
        assert terminal.end() == 2
        assert named in terminal.text


# Editors


def test_edit_opens_the_editor_on_the_text(here: Here, root: Path, tmp_path: Path) -> None:
    env = editor(tmp_path, 'sed -i "s/forty/fifty/" "$1"')
    terminal = Terminal(root, "edit", here.id(FORTY), env=env)
    assert "+- Keep fifty sites in the cache" in terminal.until("[Y/n] ")
    terminal.type("y\n")
    assert terminal.end() == 0
    assert "- Keep fifty sites in the cache\n" in here.text(INBOX)
    assert drafts(tmp_path) == []


def test_merge_opens_the_editor_on_both(here: Here, root: Path, tmp_path: Path) -> None:
    env = editor(tmp_path, 'cp "$1" "$TMPDIR/seen"')
    terminal = Terminal(root, "merge", here.id(FORTY), "--into", here.id("without a network"), env=env)
    terminal.until("[Y/n] ")
    terminal.type("y\n")
    assert terminal.end() == 0
    seen = (tmp_path / "seen").read_text()
    assert seen.index("Runs without a network connection.") < seen.index(FORTY)
    assert FORTY in here.text(f"{MEMORY}/constraints.md")
    assert FORTY not in here.text(INBOX)


@pytest.mark.parametrize(
    ("script", "code", "says", "kept"),
    [
        ("exit 0", 0, "There is nothing to change", 0), ("exit 3", 2, "ended with 3", 0),
        ('echo "- more" > "$1"; exit 3', 2, "What was typed is kept in", 1), ('rm "$1"', 0, "There is nothing to change", 0),
        (r'printf "\377\376" > "$1"', 2, "is not UTF-8 (byte 0)", 1),
        ('kill -INT $PPID; printf -- "- Signalled" > "$1"', 1, "", 0),
    ],
)
def test_editors_that_fail_lose_nothing(
    here: Here, root: Path, tmp_path: Path, script: str, code: int, says: str, kept: int
) -> None:
    before = snapshot(root)
    terminal = Terminal(root, "edit", here.id(FORTY), env=editor(tmp_path, script))
    if "kill" in script:  # Ctrl-C is the editor's own business: memdesk goes on and asks
        assert "+- Signalled" in terminal.until("[Y/n] ")
        terminal.type("n\n")
    assert terminal.end() == code
    assert says in terminal.text
    assert len(drafts(tmp_path)) == kept
    assert snapshot(root) == before


def test_an_editor_that_is_not_there(here: Here, root: Path, tmp_path: Path) -> None:
    terminal = Terminal(root, "edit", here.id(FORTY), env={"VISUAL": "/no/such/editor", "TMPDIR": str(tmp_path)})
    assert terminal.end() == 2
    assert "The editor '/no/such/editor' can't be started" in terminal.text
    assert drafts(tmp_path) == []


# Hostile text


@pytest.mark.parametrize(
    "words",
    [
        ["inbox"], ["entries"], ["entries", "--format", "json"], ["inbox", "--format", "json"], ["--check"],
        ["pack", "--task", "maintenance"], ["pack", "--task", "maintenance", "--explain"], ["stores"],
        ["pack", "--task", "maintenance", "--format", "json"], ["pack", "--task", "maintenance", "--format", "markdown"],
        ["pack", "--task", EVIL.replace("\x9b", "")], ["entries", "--role", "\x1b[2J"], ["\x1b]0;x\x07"], ["add", "--\x1b[2J"],
        ["history", "--show", "\x1b[2J\u202e"], ["doctor"], ["config"], ["edit", "\x1b[2J#ffff", "--text", "x"],
    ],
    ids=lambda words: " ".join(words).encode("ascii", "backslashreplace").decode()[:40],
)
def test_nothing_from_outside_steers_the_terminal(root: Path, words: list[str]) -> None:
    put(root, INBOX, f"# Inbox\n\n- {EVIL}\n")
    put(root, f"{MEMORY}/areas/a\x1b[2J\u202e.md", f"# {EVIL}\n\n- {EVIL}\n")
    put(root, "docs/\x1b]0;x\x07/decisions.md", "# D\n")
    put(root, "docs/\x1b]0;x\x07/inbox.md", "# D\n")
    terminal = Terminal(root, *words)
    terminal.end()
    assert "Traceback" not in terminal.text
    hostile = set(terminal.text) & set("\x1b\x07\x9b\u202e\u202c\u200b\x00")
    assert not hostile, repr(terminal.text)


def test_a_diff_at_a_terminal_is_inert(here: Here, root: Path) -> None:
    put(root, INBOX, f"# Inbox\n\n- {EVIL}\n")
    terminal = Terminal(root, "reject", here.ids("inbox")[0])
    terminal.until("[Y/n] ")
    terminal.type("y\n")
    assert terminal.end() == 0
    assert "\x1b" not in terminal.text
    assert "␛]0;owned␇" in terminal.text
    assert EVIL in here.text(f"{MEMORY}/archive/inbox-2026-11-30.md")


def test_what_is_piped_is_exact(here: Here, root: Path) -> None:
    put(root, INBOX, f"# Inbox\n\n- {EVIL}\n")
    assert EVIL in here("pack", "--task", "maintenance").out
    assert here("pack", "--task", "maintenance", "--format", "json").json["text"].count(EVIL) == 1
    assert "\x1b" not in here("inbox").out  # a list is no memory: its lines are inert everywhere


def test_f08_diagnostics_are_inert_in_a_log_too(here: Here, root: Path) -> None:
    put(root, INBOX, "# Inbox\n\n- Red \x1b[31mtext\x1b]0;owned\x07 \u202e\n")
    done = here("reject", here.ids("inbox")[0], "--reason", "no", "--yes", "--as", "Ana")
    assert done.code == 0
    assert "Red ␛[31mtext␛]0;owned␇" in done.err
    assert not {"\x1b", "\x07", "\u202e"} & set(done.err)
