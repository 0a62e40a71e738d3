"""Completions: what could come next, and what real shells make of it."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from memdesk.core.layouts import names
from memdesk.tui.cli import arguments, bashwords, check, completing, parser
from memdesk.tui.cli.words import COMMAND_NAMES
from tests.support.commands import Here
from tests.support.shells import Shell
from tests.support.stores import MEMORY, agent_memory_store, custodian_store, git, put

ODD = "it's a $(touch made) \"`touch made`\" & ! é"  # a name as any that a store can hold
TASKS = ["planning", "preferences"]


def offered(*line: str) -> list[str]:
    """The words that could come after a line, the last of which is begun."""
    return [value for value, _ in completing.complete(line[:-1], line[-1]).found if value.startswith(line[-1])]


@pytest.fixture
def store(root: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The store of the commands' tests, with an area, as the folder that we are in."""
    shutil.rmtree(root / MEMORY)
    inbox = "# Inbox\n\n## 2026-11-20\n\n- [observed] Retry sync 3 times\n- Keep forty sites\n"
    custodian_store(root, inbox=inbox, **{"areas/storage": "# Storage\n\n- CSV alone.\n"})
    monkeypatch.chdir(root)
    return root


_made: list[Path] = []


@pytest.fixture
def still(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The same, made once, for tests that only ask."""
    if not _made:
        _made.append(request.getfixturevalue("store"))
    monkeypatch.chdir(_made[0])
    return _made[0]


# What could come


def test_commands_and_options_are_those_that_there_are(still: Path) -> None:
    assert set(offered("")) == COMMAND_NAMES
    assert offered("pr") == ["prune", "promote"]
    for command in arguments.COMMANDS:
        made = parser.made(command)
        visible = {
            name for action in made._actions if action.help != "==SUPPRESS==" for name in action.option_strings
            if name.startswith("--")
        }
        assert set(offered(command, "--")) == visible, command
        assert all(told for _, told in completing.complete([command], "--").found if _ != "--format"), command
    wanted = {name for name in (*check._VALUES, *check._LISTS, *check._FLAGS) if name.startswith("--")} - {"--check"}
    assert set(offered("check", "-")) == set(offered("--check", "--")) == wanted
    assert "--pane" in offered("--")


@pytest.mark.parametrize(
    ("line", "found"),
    [
        (["pack", "--task", "p"], TASKS), (["--task", "p"], TASKS),
        (["pack", "--task=p"], [f"--task={task}" for task in TASKS]),
        (["pack", "--task", "planning", "--ta"], []), (["pack", "--area", "a", "--ar"], ["--area"]),
        (["pack", "--area", ""], ["storage"]), (["pack", "--profile", ""], []),
        (["check", "--format", "j"], ["json", "junit"]), (["--check", "--only", "struck-l"], ["struck-lost"]),
        (["check", "--skip", "secret", "--sk"], ["--skip"]), (["check", "--staged", "--st"], ["--store", "--strict"]),
        (["--pane", "h"], ["health", "history"]), (["--store", "d"], [MEMORY]), (["entries", "--role", "in"], ["inbox"]),
        (["guide", "--layout", ""], list(names())), (["init", ""], list(names())),
        (["completion", ""], ["bash", "zsh", "fish"]),
        (["add", "x", "--tag", "s"], ["suggested"]), (["promote", "x", "--tag", "s"], ["stated", "suggested"]),
        (["add", "--kind", "a"], ["adr"]), (["check", "--base", ""], ["HEAD", "main"]), (["undo", ""], []),
        (["inbox", "x"], []), (["completion", "bash", ""], []), (["recall", "x"], []), (["--", "pr"], []),
        (["nonsense", ""], []),
        (["add", "--", "--ta"], []), (["pack", "--", "--ta"], []), (["pack", "--now", ""], []),
    ],
)
def test_values_are_those_of_the_option_before(still: Path, line: list[str], found: list[str]) -> None:
    assert offered(*line) == found


@pytest.mark.parametrize(
    ("line", "mode"),
    [
        (["--root", ""], "folders"), (["pack", "--config", ""], "files"), (["add", "x", "--source", ""], "files"),
        (["--root=d"], "folders"), (["check", ""], "folders"), (["./d"], "folders"), (["do"], "words"), (["doc/"], "folders"),
        (["resolve", ""], "files"), (["clear", "a", ""], "files"), (["init", "--path", ""], "folders"), (["--", ""], "folders"),
        (["compact", "x", "--text", ""], "files"), (["edit", "x", "--text", ""], "words"), (["merge-driver", "a", ""], "files"),
    ],
)
def test_where_a_path_is_asked_for_the_shell_completes_it(still: Path, line: list[str], mode: str) -> None:
    assert completing.complete(line[:-1], line[-1]).mode == mode


def test_ids_are_those_that_the_command_takes_each_once(here: Here, store: Path) -> None:
    waiting, entries = here.ids("inbox"), here.ids("entries")
    assert offered("promote", "") == offered("merge", "") == waiting
    assert offered("promote", waiting[0], "") == waiting[1:]
    assert offered("strike", "") == entries
    assert offered("merge", waiting[0], "--into", "") == [ident for ident in entries if ident != waiting[0]]
    assert dict(completing.complete(["promote"], "").found)[waiting[0]] == "[observed] Retry sync 3 times"
    assert offered("promote", waiting[0], "--to", "area:") == ["area:storage", "area:"]
    here("add", "--tag", "observed", "Sites report late")
    (done,) = here("history", "--format", "json").json["transactions"]
    assert offered("undo", "") == offered("history", "--show", "") == [done["id"]]


def test_a_line_s_own_root_and_store_count(tmp_path: Path, store: Path) -> None:
    other = tmp_path / "other"
    custodian_store(other, **{"areas/routing": "# Routing\n\n- One.\n"})
    agent_memory_store(other, "bot")
    assert offered("--root", str(other), "pack", "--area", "") == ["routing"]
    assert offered("pack", f"--root={other}", "--store", "") == ["bot", MEMORY]
    assert offered("pack", f"--root={other}", "--store", "bot", "--task", "") == ["boot"]
    assert offered("check", str(other), "--store", "b") == ["bot"]


@pytest.mark.parametrize("line", [
    ["pack", "--root", "nowhere", "--task", ""], ["pack", "--config", "memdesk.toml", "--task", ""],
    ["promote", "x", "--to", ""], ["pack", "--store", "nowhere", "--task", ""],
])
def test_what_is_wrong_with_a_line_offers_nothing_and_says_nothing(here: Here, store: Path, line: list[str]) -> None:
    put(store, "memdesk.toml", "[stores\n")
    found = here("completion", "--", "words", *line, now=None)
    assert (found.code, found.out, found.err) == (0, "words\n", "")
    assert here("completion", "--", now=None).out == here("completion", "--", "bash", now=None).out == ""


def test_there_is_too_much_memory_for_ids_at_a_tab(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    size = sum(path.stat().st_size for path in (store / MEMORY).rglob("*.md"))
    monkeypatch.setattr(completing, "LARGEST", size - 1)
    assert offered("promote", "") == []
    monkeypatch.setattr(completing, "LARGEST", size)
    assert len(offered("promote", "")) == 2


def test_what_a_terminal_would_not_show_as_it_is_is_left_out(store: Path) -> None:
    put(store, f"{MEMORY}/inbox.md", "# Inbox\n\n## 2026-11-20\n\n- \x1b]0;x\x07 key AKIA4XQZ7WDNB3TPLK2M\n")
    (value, told), = completing.complete(["promote"], "").found
    assert value.startswith(f"{MEMORY}/inbox.md#")
    assert "\x1b" not in told
    assert "AKIA4XQZ7WDNB3TPLK2M" not in told
    git(store, "branch", "right\u202eleft")
    git(store, "branch", "good")
    assert offered("check", "--base", "") == ["HEAD", "good", "main"]


def test_a_name_that_would_be_taken_for_an_option_is_left_out(store: Path) -> None:
    odd = "--as=eve/docs/memory"
    custodian_store(store, odd, inbox="# Inbox\n\n## 2026-11-20\n\n- Count at dawn\n")
    assert {value.partition("#")[0] for value in offered("promote", "")} == {f"{MEMORY}/inbox.md"}
    assert offered("entries", "--store", "") == [MEMORY]
    assert [value.partition("#")[0] for value in offered("promote", "--", odd)] == [f"{odd}/inbox.md"]


def test_a_tab_starts_no_workbench_and_other_commands_no_completing(store: Path) -> None:
    code = (
        "import sys; from memdesk.tui.cli import main; main({!r}); "
        "print(sorted(m for m in sys.modules if {}), file=sys.stderr)"
    )
    for words, unwanted in (
        (["completion", "--", "words", "pack", "--task", ""], "'textual' in m or 'rich' == m"),
        (["inbox"], "'complet' in m or 'bashwords' in m"), (["--check"], "'complet' in m or 'argparse' in m"),
    ):
        run = [sys.executable, "-c", code.format(words, unwanted)]
        done = subprocess.run(run, cwd=store, capture_output=True, check=True, text=True)
        assert done.stderr.splitlines()[-1] == "[]"


# A line as bash takes it apart


@pytest.mark.parametrize(
    "line",
    [
        "memdesk pack --task p", "memdesk 'a b' \"c $\" e\\ f g", 'memdesk "a\\"b\\$c\\n" x\\\\y z', "memdesk '' x",
        "memdesk a''b \"\"c d",
        "memdesk it\\'s 'it'\\''s' x", "memdesk --root=a#b c~/y 100% z", "memdesk\tx  y", "memdesk é 'ü ö' ñ",
    ],
)
def test_a_line_is_taken_apart_as_a_shell_would(line: str) -> None:
    split = bashwords.split(line)
    done = subprocess.run(["bash", "--norc", "-c", f"printf '%s\\0' {line}"], check=True, capture_output=True)
    assert [*split.words, split.current] == done.stdout.decode().split("\0")[:-1]
    assert split.quote == ""


@pytest.mark.parametrize(
    ("line", "words", "current", "quote"),
    [
        ("memdesk ", ("memdesk",), "", ""), ("memdesk 'a b", ("memdesk",), "a b", "'"),
        ('memdesk x "a', ("memdesk", "x"), "a", '"'),
        ("memdesk a\\", ("memdesk",), "a\\", ""), ("memdesk ''", ("memdesk",), "", ""), ("", (), "", ""),
    ],
)
def test_a_line_may_end_anywhere(line: str, words: tuple[str, ...], current: str, quote: str) -> None:
    split = bashwords.split(line)
    assert (split.words, split.current, split.quote) == (words, current, quote)


@pytest.mark.parametrize("word", [ODD, "~x", "#x", "^x", "a#b", "-x", "a\\b", "*?[x]{a,b}", "<>|;()", "100%", "a=b:c", "é ü"])
def test_a_word_is_quoted_so_that_bash_reads_it_back(word: str) -> None:
    shown = subprocess.run(
        ["bash", "--norc", "-c", f"printf %s {bashwords.escaped(word)}"], check=True, capture_output=True, text=True
    ).stdout
    assert shown == word


@pytest.mark.parametrize(
    ("line", "found", "replies"),
    [
        ("x --format=js", ["--format=json"], ["json"]), ("x a\\:b:c", ["a:b:c d"], ["c\\ d"]),
        ("x 'a", ["a b", "a'b"], ["a b"]),
        ('x "a', ["a b", "a$(x)", 'a"', "a`"], ["a b"]), ("x --t='p", ["--t=p q"], ["p q"]),
    ],
)
def test_bash_is_given_what_follows_the_last_break(line: str, found: list[str], replies: list[str]) -> None:
    assert bashwords.replies(bashwords.split(line), " \t\n\"'><=;|&(:", found) == replies


# Real shells


@pytest.fixture(params=["bash", pytest.param("zsh", marks=pytest.mark.slow), pytest.param("fish", marks=pytest.mark.slow)])
def shell(request: pytest.FixtureRequest, store: Path, tmp_path: Path) -> Shell:
    if shutil.which(request.param) is None:
        pytest.skip(f"{request.param} is not installed on this machine")
    put(store, "docs/a b/x", "")
    put(store, "notes.txt", "")
    return Shell(request.param, store, tmp_path / "tools")


def added(shell: Shell, line: str) -> list[str]:
    """What a shell offers for the last word of a line, which holds no quotes."""
    found = shell.every(line)
    return found if shell.name == "fish" else found[len(line[: line.rfind(" ")].split()) :]


def test_a_shell_offers_commands_options_values_and_files(shell: Shell, here: Here) -> None:
    waiting = here.ids("inbox")
    with shell:
        assert added(shell, "memdesk pr") in (["promote", "prune"], ["prune", "promote"])
        assert added(shell, "memdesk pack --na") == ["--names-only"]
        assert added(shell, "memdesk pack --task p") == TASKS
        assert added(shell, "memdesk check --only struck-l") == ["struck-lost"]
        assert [word.removeprefix("--format=") for word in added(shell, "memdesk check --format=ju")] == ["junit"]
        assert sorted(added(shell, f"memdesk promote {MEMORY}/in")) == sorted(waiting)
        assert added(shell, f"memdesk promote {waiting[0]} --to area:s") == ["area:storage"]
        assert [word.rstrip("/") for word in added(shell, "memdesk --root do")] == ["docs"]
        assert added(shell, "memdesk pack --config no") == ["notes.txt"]


def test_a_hostile_name_reaches_the_line_as_itself_and_is_not_run(shell: Shell, store: Path) -> None:
    branch = "$(touch${IFS}made)`touch${IFS}made`;touch${IFS}made;'\"!x"
    odd = f"{ODD}/docs/memory"
    custodian_store(store, odd)
    put(store, f"{odd}/inbox.md", "# Inbox\n\n## 2026-11-20\n\n- $(touch made) `touch made` %F{red} \\e[31m\n")
    git(store, "update-ref", f"refs/heads/{branch}", "HEAD")
    with shell:
        assert branch in added(shell, "memdesk check --base ")
        assert added(shell, "memdesk --store i") == [odd]
        assert [word.rstrip("/") for word in added(shell, "memdesk --root i")] == [ODD]
        (ident,) = added(shell, "memdesk promote it")
        assert ident.startswith(f"{odd}/inbox.md#")
        if shell.name != "fish":  # one Tab, and in open quotes
            assert shell.tab("memdesk --store i") == ["memdesk", "--store", odd]
            assert shell.tab("memdesk --store 'doc") == shell.tab('memdesk --store "doc') == ["memdesk", "--store", MEMORY]
        if shell.name == "bash":  # what the open quotes would not keep from being run is not put in
            assert shell.tab('memdesk check --base "$', '"') == ["memdesk", "check", "--base", "$"]
            assert shell.tab("memdesk --store 'i", "'") == ["memdesk", "--store", "i"]
    assert list(store.parent.rglob("made*")) == []
