"""The command line's words: what is a command, what is a folder, what is close to one; and its reference."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from memdesk import __version__
from memdesk.tui.cli import arguments, check, parser, words
from tests.support.commands import Here
from tests.support.stores import MEMORY

DOCS = Path(__file__).parents[2] / "docs" / "cli.md"


def options_of(command: str) -> dict[str, bool]:
    """The visible options of a command: name -> whether it takes a value."""
    made = parser.made(command) if command else parser.workbench()
    return {
        name: action.nargs is None for action in made._actions for name in action.option_strings
        if action.help != "==SUPPRESS==" or name == "--base"
    }


def test_every_command_is_known_to_both_readers() -> None:
    assert set(arguments.COMMANDS) | {"check"} == words.COMMAND_NAMES


def test_options_before_the_command_take_their_values() -> None:
    valued = {name for command in arguments.COMMANDS for name, takes in options_of(command).items() if takes}
    valued |= {*check._VALUES, *check._LISTS} | {name for name, takes in options_of("").items() if takes}
    assert valued <= words.TAKES_VALUE
    flags = {name for command in ["", *arguments.COMMANDS] for name, takes in options_of(command).items() if not takes}
    assert flags & words.TAKES_VALUE == {"--explain"}  # of the check, a rule's name; of pack, a flag


@pytest.mark.parametrize(
    ("line", "command"),
    [
        (["pack"], "pack"), (["./pack"], None), (["--", "pack"], None), (["--root", "pack", "inbox"], "inbox"),
        (["--root=pack", "inbox"], "inbox"), (["--task", "planning", "pack"], "pack"), (["--root", "pack"], None),
        (["pack/"], None), (["-"], None), (["--quiet", "add", "pack"], "add"), (["prune"], "prune"), ([], None),
    ],
)
def test_a_command_s_name_wins_over_a_folder(line: list[str], command: str | None) -> None:
    assert words.first_word(line) == command


def test_a_folder_named_like_a_command_is_opened_by_its_path(here: Here, root: Path) -> None:
    (root / "pack").mkdir()
    assert "needs --task" in here("pack").err
    assert "needs a terminal" in here("./pack").err
    assert "needs a terminal" in here("--", "pack").err


@pytest.mark.parametrize(
    ("line", "says"),
    [
        (["stroes"], "'stroes' is neither a command nor a folder here. Did you mean 'memdesk stores'?"),
        (["qqq"], "See 'memdesk --help'"),
        (["pack", "--tsk", "x"], "memdesk pack has no option --tsk. Did you mean --task?"),
        (["pack", "--task", "planning", "--formt=json"], "Did you mean --format?"),
        (["--chekc"], "Did you mean --check?"),
        (["pack", "--task", "planning", "--format", "yaml"], "invalid choice: 'yaml'"),
        (["inbox", "extra"], "has no use for 'extra'"),
        (["add"], "required: TEXT"),
        (["add", "-x"], "Put '--' before a text that begins with a dash."),
        (["promote"], "required: ID"),
        (["add", "x", "--reason"], "--reason: expected one argument"),
        (["history", "--show", "a", "--forget", "b"], "not allowed with"),
        (["completion", "tcsh"], "invalid choice: 'tcsh'"),
        (["merge-driver", "a", "b"], "required: THEIRS, PATH"),
        (["merge-driver", "a", "b", "c", "d", "x"], "'x' is no size of a marker"),
        (["inbox", "--now", "yesterday"], "--now 'yesterday' is not a date"),
        (["inbox", "--now", "2026-11-30T10:00Z"], "is not a date"),
        (["inbox", "--now", "20261130"], "is not a date"),
        (["inbox", "--now", "2026-02-30"], "is not a date"),
        (["inbox", "--root", "nowhere"], "nowhere: There is no such folder"),
        (["--root", ".", "."], "ROOT and --root name the same thing"),
        (["--demo", "."], "--demo opens its own stores"),
        (["--pane", "attic"], "invalid choice: 'attic'"),
        (["inbox", "--config", "nowhere.toml"], "nowhere.toml"),
    ],
)
def test_wrong_words_are_2_and_say_what_is_near(here: Here, line: list[str], says: str) -> None:
    found = here(*line, now=None)
    assert (found.code, found.out) == (2, "")
    assert says in found.err
    assert found.err.startswith("memdesk: ")
    assert found.err.count("\n") == 1


def test_dashes_and_order(here: Here) -> None:
    here("add", "--tag", "observed", "--", "--no-verify skips the hooks")
    here("add", "- a bullet", "--tag", "observed")
    text = here.text(f"{MEMORY}/inbox.md")
    assert "- [observed] --no-verify skips the hooks\n" in text
    assert here("--quiet", "inbox", "--root", str(here.root)).err == ""
    assert here("--format", "json", "inbox").out.startswith("{")
    assert here("entries", "--grep=--no-verify").out.count("\n") == 1


def test_now_beats_the_environment(here: Here, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMDESK_NOW", "2026-11-25")
    assert here("inbox", "--format", "json", now=None).json["candidates"][0]["age_days"] == 5
    assert here("inbox", "--format", "json", now="2026-11-22T08:30").json["candidates"][0]["age_days"] == 2
    here("add", "Late", now="2026-11-30T23:59:59")
    (item,) = here("history", "--format", "json").json["transactions"]
    assert item["at"] == "2026-11-30T23:59:59Z"
    assert "## 2026-11-30\n\n- Late\n" in here.text(f"{MEMORY}/inbox.md")
    monkeypatch.setenv("MEMDESK_NOW", "soon")
    assert "MEMDESK_NOW 'soon' is not a date" in here("inbox", now=None).err


def test_timestamps_are_utc_and_dates_local(here: Here, monkeypatch: pytest.MonkeyPatch) -> None:
    import time

    monkeypatch.setenv("TZ", "Pacific/Auckland")
    time.tzset()
    try:
        here("add", "Early", now="2026-11-30T05:00")
        (item,) = here("history", "--format", "json").json["transactions"]
        assert item["at"] == "2026-11-29T16:00:00Z"
        assert "## 2026-11-30\n\n- Early\n" in here.text(f"{MEMORY}/inbox.md")
    finally:
        monkeypatch.undo()
        time.tzset()


def test_version_and_help(here: Here) -> None:
    for line in (["--version"], ["pack", "--version"], ["check", "--version"]):
        assert (here(*line, now=None).out, here(*line, now=None).code) == (f"memdesk {__version__}\n", 0)
    overview = here("--help").out
    for command in words.COMMAND_NAMES:
        assert re.search(rf"^  {command} ", overview, re.MULTILINE), command
        shown = here(command, "--help")
        assert (shown.code, shown.err) == (0, "")
        assert shown.out.startswith("usage: memdesk ")


def test_a_store_is_found_upwards_and_git_s_variables_play_no_part(
    here: Here, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (root / "src" / "deep").mkdir(parents=True)
    wanted = here("inbox").out
    monkeypatch.setenv("GIT_DIR", "/nowhere")
    monkeypatch.setenv("GIT_WORK_TREE", "/nowhere")
    assert here("inbox", "--root", str(root / "src" / "deep")).out == wanted
    assert here("inbox", "--root", str(root / MEMORY / "inbox.md")).out == wanted
    here.root = root / "src" / "deep"
    assert here("inbox").out == wanted
    assert here("add", "From below").id.startswith(f"{MEMORY}/inbox.md#")


# docs/cli.md


def test_the_reference_lists_every_command_and_option_and_no_other() -> None:
    text = DOCS.read_text(encoding="utf-8")
    sections = dict(re.findall(r"^### `memdesk ?([a-z-]*)[^`]*`\n(.*?)(?=^#|\Z)", text, re.MULTILINE | re.DOTALL))
    assert set(sections) == {"", "check", *arguments.COMMANDS}
    common = set(re.findall(r"^\| `(--[a-z-]+)", text.partition("### ")[0], re.MULTILINE))
    for command, section in sections.items():
        if command == "check":
            real = {name for name in (*check._VALUES, *check._LISTS, *check._FLAGS) if name.startswith("--")}
        else:
            real = {name for name in options_of(command) if name.startswith("--") and (name != "--base" or command == "pack")}
        said = set(re.findall(r"`(--[a-z-]+)", section))
        assert said <= real, command
        assert real <= said | common, command


def test_the_reference_names_every_environment_variable() -> None:
    text = DOCS.read_text(encoding="utf-8")
    for name in ("MEMDESK_NOW", "MEMDESK_AS", "NO_COLOR", "VISUAL", "EDITOR"):
        assert f"`{name}`" in text or f"`${name}`" in text, name
    assert os.path.getsize(DOCS) < 17_000
