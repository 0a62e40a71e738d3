"""Settings: every key read and checked, every error with file, line and remedy, every origin known."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from memdesk.core import config
from memdesk.core.configkeys import KEYS, OPEN
from memdesk.core.errors import MemdeskError, StoreError, UsageError
from memdesk.core.worktree import WorkTree
from tests.support.stores import put

ALL = """\
[stores]
ignore = ["old/**"]
layout."docs/memory" = "custodian"
layout."./docs/other/" = "none"

[state]
dir = "./.cache/memdesk/"

[budget]
near = 1

[freshness]
days = 90

[recall]
max_sources = 7
max_chars = 100

[gate]
signals = 4
sessions = 5
half_after_days = 0

[prune]
every_days = 14
keep_struck_days = 1
untouched_days = 2
near = 0.5

[fragments]
waiting_days = 3
archive_days = 4

[tiers]
facts = "m/facts"
index = "m/INDEX.md"
log = "m/log"
working = "m/working"
inbox = "m/inbox.md"
archive = "m/archive"
log_days = 3
max_facts = 10

[records]
design = "design"
sources = ["src", "lib/"]
supersede_as = "replaced"
statuses = { angenommen = "accepted" }

[standing]
memory = "Context, not instruction."
"""

USER = """\
[agent]
command = ["draft", "--fast"]
timeout_s = 5
max_bytes = 1024

[editor]
command = "vim -f"

[theme]
name = "light"

[keymap]
promote = "p,f2"
"""

STATUSES = 'statuses = { angenommen = "accepted" }'
EXPECTED: dict[str, Any] = {
    "stores.ignore": ("old/**",), "state.dir": ".cache/memdesk", "budget.near": 1.0, "freshness.days": 90,
    "recall.max_sources": 7, "recall.max_chars": 100, "gate.signals": 4, "gate.sessions": 5, "gate.half_after_days": 0,
    "prune.every_days": 14, "prune.keep_struck_days": 1, "prune.untouched_days": 2, "prune.near": 0.5,
    "fragments.waiting_days": 3, "fragments.archive_days": 4, "tiers.facts": "m/facts", "tiers.index": "m/INDEX.md",
    "tiers.log": "m/log", "tiers.working": "m/working", "tiers.inbox": "m/inbox.md", "tiers.archive": "m/archive",
    "tiers.log_days": 3, "tiers.max_facts": 10, "records.design": "design", "records.sources": ("src", "lib"),
    "records.supersede_as": "replaced", "agent.command": ("draft", "--fast"), "agent.timeout_s": 5, "agent.max_bytes": 1024,
    "editor.command": "vim -f", "theme.name": "light", "stores.layout.docs/memory": "custodian",
    "stores.layout.docs/other": "none", "records.statuses.angenommen": "accepted",
    "standing.memory": "Context, not instruction.", "keymap.promote": "p,f2",
}


def load(root: Path, text: str, **more: Any) -> config.Settings:
    put(root, "memdesk.toml", text)
    return config.load(str(root), **more)


def failure(root: Path, text: str | bytes, **more: Any) -> MemdeskError:
    put(root, "memdesk.toml", text)
    with pytest.raises(StoreError) as caught:
        config.load(str(root), **more)
    return caught.value


def test_the_defaults_are_those_of_the_format_page(tmp_path: Path) -> None:
    settings = config.load(str(tmp_path))
    assert settings == config.defaults()
    assert dict(settings.items()) == {
        "stores.ignore": ("**/fixtures/**", "**/node_modules/**", "**/vendor/**", ".git/**"), "state.dir": None,
        "budget.near": 0.8, "freshness.days": 180, "recall.max_sources": 5, "recall.max_chars": 2000, "gate.signals": 3,
        "gate.sessions": 2, "gate.half_after_days": 30, "prune.every_days": None, "prune.keep_struck_days": 365,
        "prune.untouched_days": 365, "prune.near": 0.86, "fragments.waiting_days": 7, "fragments.archive_days": 7,
        "tiers.facts": "memory/facts", "tiers.index": "memory/INDEX.md", "tiers.log": "memory/log",
        "tiers.working": "memory/working", "tiers.inbox": "memory/inbox.md", "tiers.archive": "memory/archive",
        "tiers.log_days": 7, "tiers.max_facts": 300, "records.design": "docs/design", "records.sources": None,
        "records.supersede_as": "superseded", "agent.command": None, "agent.timeout_s": 120, "agent.max_bytes": 262144,
        "editor.command": None, "theme.name": None,
    }
    assert {settings.origin(key) for key in (*KEYS, *OPEN)} == {"default"}
    assert settings.files == ()


def test_every_key_can_be_set_and_is_an_attribute_of_its_section(tmp_path: Path) -> None:
    user = put(tmp_path, "home/config.toml", USER)
    settings = load(tmp_path, ALL, user_file=str(user))
    assert dict(settings.items()) == EXPECTED
    for name in KEYS:
        section, _, key = name.partition(".")
        assert getattr(getattr(settings, section), key) == EXPECTED[name]
        assert key in type(getattr(settings, section)).__annotations__, name
    assert settings.stores.layout == {"docs/memory": "custodian", "docs/other": "none"}
    assert settings.records.statuses == {"angenommen": "accepted"}
    assert settings.standing == {"memory": "Context, not instruction."}
    assert settings.keymap == {"promote": "p,f2"}
    assert set(KEYS) | {key for key in EXPECTED if key not in KEYS} == set(EXPECTED)


def test_the_origin_of_every_key_is_its_file_and_line(tmp_path: Path) -> None:
    user = put(tmp_path, "home/config.toml", USER + "\n[budget]\nnear = 0.7\n")
    settings = load(tmp_path, ALL, user_file=str(user))
    lines = ALL.split("\n")
    assert settings.origin("budget.near") == f"memdesk.toml:{lines.index('near = 1') + 1}"
    assert settings.origin("stores.layout.docs/memory") == "memdesk.toml:3"
    assert settings.origin("stores.layout.docs/other") == "memdesk.toml:4"
    assert settings.origin("records.statuses.angenommen") == f"memdesk.toml:{lines.index(STATUSES) + 1}"
    assert settings.origin("keymap.promote") == f"{user}:13"
    assert settings.origin("keymap.strike") == "default"
    assert settings.files == (str(user), "memdesk.toml")
    with pytest.raises(UsageError, match=r"Did you mean budget\.near\?"):
        settings.origin("budget.naer")


def test_the_workspace_wins_over_the_user_and_the_user_over_the_defaults(tmp_path: Path) -> None:
    user = put(tmp_path, "home/config.toml", '[budget]\nnear = 0.7\n[freshness]\ndays = 9\n[stores.layout]\n"a" = "none"\n')
    settings = load(tmp_path, '[budget]\nnear = 0.9\n[stores.layout]\n"b" = "none"\n', user_file=str(user))
    assert (settings.budget.near, settings.freshness.days) == (0.9, 9)
    assert settings.stores.layout == {"a": "none", "b": "none"}
    assert settings.origin("budget.near") == "memdesk.toml:2"
    assert settings.origin("freshness.days") == f"{user}:4"


@pytest.mark.parametrize(
    ("text", "line", "words", "remedy"),
    [
        ("[budgets]\nnear = 1\n", 1, "'budgets'", "budget"),
        ("\n[budget]\n\nnaer = 1\n", 4, "'budget.naer'", "budget.near"),
        ("near = 0.5\n", 1, "'near'", "budget.near"),
        ('[agent]\ncomand = ["x"]\n', 2, "'agent.comand'", "agent.command"),
        ("[stores]\nignored = []\n", 2, "'stores.ignored'", "stores.ignore"),
        ("stores.ignor = []\n", 1, "'stores.ignor'", "stores.ignore"),
        ('budget = { near = 0.5,  "naer" = 1 }\n', 1, "'budget.naer'", "budget.near"),
        ("[zzz]\n", 1, "'zzz'", "memdesk config"),
        ("[standing]\nmemry = 'x'\n", 2, "'standing.memry'", "standing.memory"),
        ("[recall.max]\nchars = 3\n", 1, "'recall.max'", "recall.max_chars"),
        ('["stores"]\n# c\n"ign\\u006fr" = 1\n', 3, "'stores.ignor'", "stores.ignore"),
    ],
)
def test_an_unknown_key_is_named_with_its_line_and_the_nearest_one(
    tmp_path: Path, text: str, line: int, words: str, remedy: str
) -> None:
    error = failure(tmp_path, text)
    assert (error.path, error.line, error.exit_code) == ("memdesk.toml", line, 2)
    assert f"There is no setting {words}" in error.message
    assert remedy in error.remedy


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ('[budget]\nnear = "high"\n', 2, 'budget.near must be a number above 0 and up to 1, not "high".'),
        ("budget.near = true\n", 1, "budget.near must be a number above 0 and up to 1, not true."),
        ("budget.near = nan\n", 1, "budget.near must be a number above 0 and up to 1, not nan."),
        ("budget.near = 80\n", 1, "budget.near must be a number above 0 and up to 1, not 80."),
        ("recall.max_chars = true\n", 1, "recall.max_chars must be a whole number of 1 or more, not true."),
        ("recall.max_chars = 1.5\n", 1, "recall.max_chars must be a whole number of 1 or more, not 1.5."),
        ("freshness.days = -1\n", 1, "freshness.days must be a whole number of 1 or more, not -1."),
        ("prune.every_days = 2024-01-02\n", 1, "prune.every_days must be a whole number of 1 or more, not "),
        ('stores.ignore = "a"\n', 1, 'stores.ignore must be a list of texts, not "a".'),
        ("[stores]\nignore = [\n1]\n", 2, "stores.ignore must be a list of texts, not [1]."),
        ("stores = 3\n", 1, "stores must be a table."),
        ("stores.layout = []\n", 1, "stores.layout must be a table."),
        (
            '[stores.layout]\n"docs/x" = "custody"\n', 2,
            'stores.layout."docs/x" must be one of custodian, agent-memory, records, tiers, jonggrang, none, not "custody".',
        ),
        ('[stores.layout]\n"../x" = "none"\n', 2, 'stores.layout."../x" must be a path inside the workspace'),
        ('[stores.layout]\n"/x" = "none"\n', 2, 'stores.layout."/x" must be a path inside the workspace'),
        ('[stores.layout]\n"x" = "none"\n"./x/" = "none"\n', 3, 'stores.layout."./x/" names the folder x a second time.'),
        ('state.dir = "../x"\n', 1, "state.dir must be a folder inside the workspace, outside `.git`"),
        ('state.dir = "."\n', 1, "state.dir must be a folder inside the workspace"),
        ('state.dir = ".git/hooks"\n', 1, "state.dir must be a folder inside the workspace"),
        ('tiers.facts = "a\\\\b"\n', 1, "tiers.facts must be a path inside the workspace"),
        ('records.sources = "src"\n', 1, 'records.sources must be a list of paths, not "src".'),
        ("records.statuses.x = 1\n", 1, "records.statuses.x must be a text that is not empty, not 1."),
        ("standing.memory = ' '\n", 1, 'standing.memory must be a text that is not empty, not " ".'),
        ("[agent]\ntimeout_s = 1\n", 2, "agent.timeout_s may stand in the user's own file alone."),
        ('[agent]\ncommand = ["x"]\n\nmax_bytes = 9\n', 4, "agent.max_bytes may stand in the user's own file alone."),
        ("agent = 3\n", 1, "agent may stand in the user's own file alone."),
        ('[agent]\ncommand = "draft --fast"\n', 2, "agent.command must be a list of words, none of them empty: "),
        ("[agent]\ncommand = []\n", 2, "agent.command must be a list of words"),
        ('[agent]\ncommand = ["draft", ""]\n', 2, "agent.command must be a list of words"),
        ('[agent]\ncommand = ["draft", 3]\n', 2, "agent.command must be a list of words"),
        ('[agent]\ncommand = ["draft\\u0000"]\n', 2, "agent.command must be a list of words"),
        ("[editor]\n", 1, "editor may stand in the user's own file alone."),
        ("keymap.promote = 'p'\n", 1, "keymap may stand in the user's own file alone."),
        ("\n[theme]\nname = 'light'\n", 2, "theme may stand in the user's own file alone."),
    ],
)
def test_a_wrong_value_is_named_with_its_line_and_what_it_must_be(tmp_path: Path, text: str, line: int, words: str) -> None:
    error = failure(tmp_path, text)
    assert (error.path, error.line) == ("memdesk.toml", line)
    assert error.message.startswith(words)


@pytest.mark.parametrize(
    ("data", "line", "words"),
    [
        (b"[budget]\nnear = \n", 2, "is not valid TOML: Invalid value."),
        (b"[budget]\nnear = 1\nnear = 2\n", 3, "is not valid TOML: Cannot overwrite a value."),
        (b"[budget]\n[budget]\n", 2, "is not valid TOML: Cannot declare"),
        (b"a = 1\nb = [\n", 2, "is not valid TOML"),
        (b"a = 1\n\nx = 'Zo\xeb'\n", 3, "is not UTF-8."),
        (b"\xef\xbb\xbfa = 1\n", 1, "begins with a byte order mark."),
        (b"b = 1\na = " + b"[" * 20_000 + b"]" * 20_000, 2, "is nested too deeply."),
        (b"b = 1\na = " + b"1" * 5_000 + b"\n", 2, "is not valid TOML: a number has thousands of digits."),
    ],
)
def test_broken_toml_is_named_with_its_line(tmp_path: Path, data: bytes, line: int | None, words: str) -> None:
    error = failure(tmp_path, data)
    assert (error.path, error.line) == ("memdesk.toml", line)
    assert error.message.startswith(words)
    assert "\n" not in str(error)


def test_pyproject_holds_the_settings_instead(tmp_path: Path) -> None:
    put(tmp_path, "pyproject.toml", '[project]\nname = "x"\n\n[tool.memdesk.budget]\nnear = 0.6\n')
    settings = config.load(str(tmp_path))
    assert settings.budget.near == 0.6
    assert settings.origin("budget.near") == "pyproject.toml:5"
    put(tmp_path, "pyproject.toml", "[tool.memdesk.budget]\nnaer = 0.6\n")
    with pytest.raises(StoreError) as caught:
        config.load(str(tmp_path))
    assert (caught.value.path, caught.value.line, caught.value.remedy) == ("pyproject.toml", 2, "Did you mean budget.near?")


def test_both_files_at_once_are_an_error_even_when_one_is_empty(tmp_path: Path) -> None:
    put(tmp_path, "pyproject.toml", "[project]\nname = 'x'\n[tool.memdesk]\n")
    error = failure(tmp_path, "")
    assert str(error) == "pyproject.toml:3: [tool.memdesk] and memdesk.toml both hold settings. Keep one of them."
    put(tmp_path, "pyproject.toml", "[project]\nname = 'memdesk'\ndependencies = ['memdesk']\n[tool.other]\nx = 'memdesk'\n")
    assert load(tmp_path, "budget.near = 0.5\n").budget.near == 0.5


@pytest.mark.parametrize(
    "text",
    [
        "[tool.memdesk]\n", "[tool.memdesk.budget]\n", "[ tool . memdesk ]\n", '["tool".\'memdesk\']\n',
        "[tool]\nmemdesk.budget.near = 0.5\n", "tool = { memdesk = {} }\n", "tool.memdesk.budget.near = 0.5\n",
    ],
)
def test_every_spelling_of_the_table_is_seen(text: str) -> None:
    assert config.has_table(b"[project]\n" + text.encode())
    assert config.has_table(text.replace("\n", "\r\n").encode())


@pytest.mark.parametrize(
    "text", ["", "[tool.ruff]\n", "[project]\nname = 'memdesk'\n", "# [tool.memdesk]\n", "[tool.mem]\ndesk = 'memdesk'\n"]
)
def test_a_pyproject_of_others_is_not_parsed(tmp_path: Path, text: str) -> None:
    assert not config.has_table(text.encode())
    put(tmp_path, "pyproject.toml", text + "broken = = \n")
    assert config.load(str(tmp_path)) == config.defaults()


def test_an_explicit_file_replaces_that_of_the_workspace(tmp_path: Path) -> None:
    other = put(tmp_path, "ci/strict.toml", "budget.near = 0.5\n")
    settings = load(tmp_path, "this is = = broken", explicit=str(other))
    assert settings.budget.near == 0.5
    assert settings.origin("budget.near") == f"{other}:1"
    with pytest.raises(UsageError, match=r"none\.toml: There is no such settings file"):
        config.load(str(tmp_path), explicit=str(tmp_path / "none.toml"))
    with pytest.raises(StoreError, match="is a folder"):
        config.load(str(tmp_path), explicit=str(tmp_path / "ci"))
    put(tmp_path, "ci/strict.toml", "[agent]\ntimeout_s = 1\n")
    with pytest.raises(StoreError, match="the user's own file alone"):
        config.load(str(tmp_path), explicit=str(other))


def test_the_users_file_may_not_move_what_holds_for_everyone(tmp_path: Path) -> None:
    user = put(tmp_path, "home/config.toml", '[state]\ndir = "x"\n')
    with pytest.raises(StoreError, match="the workspace's file alone") as caught:
        config.load(str(tmp_path), user_file=str(user))
    assert (caught.value.path, caught.value.line) == (str(user), 2)


def test_a_workspace_may_offer_a_command_and_the_users_own_wins(tmp_path: Path) -> None:
    """What runs on a machine is its user's to say; both files are checked all the same."""
    offered = '[agent]\ncommand = ["tools/draft", "--fast"]\n'
    user = put(tmp_path, "home/config.toml", '[agent]\ntimeout_s = 5\n')
    settings = load(tmp_path, offered, user_file=str(user))
    assert (settings.agent.command, settings.agent.timeout_s) == (("tools/draft", "--fast"), 5)
    assert (settings.origin("agent.command"), settings.owner("agent.command")) == ("memdesk.toml:2", "workspace")
    assert (settings.owner("agent.timeout_s"), settings.owner("agent.max_bytes")) == ("user", "default")
    put(tmp_path, "home/config.toml", '[agent]\ncommand = ["mine"]\n')
    settings = load(tmp_path, offered, user_file=str(user))
    assert settings.agent.command == ("mine",)
    assert (settings.origin("agent.command"), settings.owner("agent.command")) == (f"{user}:2", "user")
    assert "must be a list of words" in str(failure(tmp_path, "[agent]\ncommand = 3\n", user_file=str(user)))
    with pytest.raises(UsageError, match="There is no setting"):
        settings.owner("agent.comand")


def test_a_project_may_offer_a_command_in_its_pyproject_and_a_named_file_counts_as_the_workspaces(tmp_path: Path) -> None:
    put(tmp_path, "pyproject.toml", '[project]\nname = "x"\n[tool.memdesk.agent]\ncommand = ["draft"]\n')
    settings = config.load(str(tmp_path))
    assert (settings.origin("agent.command"), settings.owner("agent.command")) == ("pyproject.toml:4", "workspace")
    named = put(tmp_path, "ci/other.toml", '[agent]\ncommand = ["other"]\n')
    assert config.load(str(tmp_path), explicit=str(named)).owner("agent.command") == "workspace"


def test_a_users_file_may_be_a_link_and_may_be_missing(tmp_path: Path) -> None:
    put(tmp_path, "dotfiles/memdesk.toml", "[theme]\nname = 'light'\n")
    (tmp_path / "config.toml").symlink_to("dotfiles/memdesk.toml")
    assert config.load(str(tmp_path), user_file=str(tmp_path / "config.toml")).theme.name == "light"
    assert config.load(str(tmp_path), user_file=str(tmp_path / "none.toml")) == config.defaults()


def test_the_workspaces_file_is_read_from_the_tree_that_is_given(tmp_path: Path) -> None:
    put(tmp_path, "elsewhere/memdesk.toml", "budget.near = 0.5\n")
    settings = config.load(str(tmp_path), WorkTree(str(tmp_path / "elsewhere")))
    assert settings.budget.near == 0.5


def test_a_settings_file_that_leads_out_of_the_workspace_is_refused(tmp_path: Path) -> None:
    put(tmp_path, "outside.toml", "budget.near = 0.5\n")
    (tmp_path / "root").mkdir()
    (tmp_path / "root/memdesk.toml").symlink_to("../outside.toml")
    with pytest.raises(StoreError, match=r"memdesk\.toml: leads out of the workspace"):
        config.load(str(tmp_path / "root"))


def test_the_users_file_is_in_the_platforms_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "xdg"))
    assert config.user_path() == str(tmp_path / "xdg/memdesk/config.toml")
    monkeypatch.setenv("HOME", str(tmp_path))
    for value in ("", "relative/folder"):  # the specification: a relative one counts as unset
        monkeypatch.setenv("XDG_CONFIG_HOME", value)
        assert config.user_path() == str(tmp_path / ".config/memdesk/config.toml")


def test_settings_know_whether_they_come_from_the_same_texts(tmp_path: Path) -> None:
    first = load(tmp_path, "budget.near = 0.5\n")
    moved = load(tmp_path, "\nbudget.near = 0.5\n")
    assert first == moved
    assert not first.same_files(moved)
    assert first.same_files(load(tmp_path, "budget.near = 0.5\n"))
    assert first != load(tmp_path, "budget.near = 0.4\n")


def test_without_a_file_nothing_is_imported_to_parse_one(tmp_path: Path) -> None:
    put(tmp_path, "pyproject.toml", "[project]\nname = 'memdesk'\n")
    code = (
        "import sys; before = set(sys.modules); from memdesk.core import config; config.load(sys.argv[1]);"
        "heavy = {'tomllib', 'difflib', 'pathlib', 'dataclasses', 'platformdirs', 'hashlib', 'datetime', 'subprocess', 'json'};"
        "print(sorted(heavy & (set(sys.modules) - before)))"
    )
    done = subprocess.run([sys.executable, "-c", code, str(tmp_path)], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout.strip()) == (0, "[]"), done.stderr


def test_no_message_shows_more_of_a_value_than_fits_a_line(tmp_path: Path) -> None:
    error = failure(tmp_path, "budget.near = '" + "x" * 5_000 + "'\n")
    assert len(str(error)) < 200
    error = failure(tmp_path, 'budget.near = """a\nb"""\n')
    assert re.search(r"\n", str(error)) is None
