"""`memdesk --check --format github|sarif|junit` from outside: to the letter, the same in each, and nothing of memory taken for
a command, a link or a tag."""

from __future__ import annotations

import io
import json
import os
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from memdesk import __version__
from memdesk.core.checks import registry
from memdesk.tui.cli import main
from tests.hostile import stores as hostile_stores
from tests.hostile.inputs import INPUTS
from tests.hostile.walking import Teletype, acts_on_terminal
from tests.support.commands import process
from tests.support.hosts import Case, Command, Result, junit_cases, sarif_log, shown_message, steps_log
from tests.support.stores import MEMORY, agent_memory_store, custodian_store, git, git_repo, put, tiers_store

Run = Callable[..., tuple[int, str, str]]
HOSTED = ("github", "sarif", "junit")
FORMATS = ("text", "json", *HOSTED)
KEY = "AKIA" + "QWERTYUIOPASDFGH"


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with an error and a warning, in a repository; nothing is committed after them."""
    root = tmp_path_factory.mktemp("begun") / "repo"
    custodian_store(root, brief="# Brief\n\nTODO: 100% of it, ::now\n", constraints="# C\n\n- Runs offline\n- Runs offline.\n")
    put(root, "AGENTS.md", "see docs/memory\n")
    return git_repo(root)


@pytest.fixture
def root(begun: Path, tmp_path: Path) -> Path:
    """The same, for one test."""
    return shutil.copytree(begun, tmp_path / "a b # ü")


@pytest.fixture
def run(root: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """A check in `root`, on a fixed day: (exit code, stdout, stderr)."""

    def call(*words: str, where: Path = root) -> tuple[int, str, str]:
        monkeypatch.chdir(where)
        capsys.readouterr()
        code = main(["--check", "--now", "2026-05-10", *words])
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return call


def github(output: str) -> tuple[list[Command], str]:
    commands, (summary,) = steps_log(output)
    return commands, summary


def failed(cases: list[Case]) -> list[str]:
    return [case.name for case in cases if case.how in ("failure", "error")]


def test_annotations_to_the_letter(run: Run) -> None:
    code, out, err = run("--format", "github")
    assert (code, err) == (1, "")
    assert out.splitlines() == [
        f"::error file={MEMORY}/brief.md,line=3,title=memdesk brief-scaffold::brief-scaffold: {MEMORY}/brief.md:3: "
        "The brief still holds this line of its scaffold. Write what the line asks for, or take it out.",
        f"::warning file={MEMORY}/constraints.md,line=4,title=memdesk two-versions::two-versions: {MEMORY}/constraints.md:4: "
        "Possible: The same title as line 3, in the same scope: 'Runs offline.'. Strike the one that no longer holds, with the "
        "date; or give them titles or scopes that tell them apart.",
        f"RESULT fail (1 errors, 1 warnings): {len(registry.rules('custodian')) - 2} rules over 1 store, 2 skipped.",
    ]
    quiet = run("--format", "github", "--quiet")[1].splitlines()
    assert quiet[0].endswith("brief-scaffold: docs/memory/brief.md:3: The brief still holds this line of its scaffold.")


def test_errors_come_first_and_a_step_s_limit_is_named(run: Run, root: Path) -> None:
    put(root, f"{MEMORY}/constraints.md", "# C\n\n" + "".join(f"- see /home/ana/x{number}\n" for number in range(12)))
    put(root, f"{MEMORY}/preferences.md", "# P\n\n" + "- Tabs\n" * 12)
    commands, summary = github(run("--format", "github")[1])
    names = [command.name for command in commands]
    assert names == sorted(names, key=lambda name: name != "error")
    assert names.count("error") >= 12
    assert names.count("warning") >= 12
    assert summary.endswith("GitHub shows 10 errors and 10 warnings of a step; this log has all.")


def test_sarif_to_the_letter(run: Run) -> None:
    code, out, err = run("--format", "sarif")
    assert (code, err) == (1, "")
    log, results = sarif_log(out)
    driver = log["tool"]["driver"]
    assert (driver["name"], driver["version"]) == ("memdesk", __version__)
    assert [rule["id"] for rule in driver["rules"]] == [rule.name for rule in registry.rules("custodian")]
    assert log["columnKind"] == "unicodeCodePoints"
    assert [one._replace(message="", fingerprint=None) for one in results] == [
        Result("brief-scaffold", "error", f"{MEMORY}/brief.md".encode(), 3, "", None),
        Result("two-versions", "warning", f"{MEMORY}/constraints.md".encode(), 4, "", None),
    ]
    assert results[0].message.startswith("The brief still holds this line of its scaffold. Write what")
    assert log["results"][1]["properties"] == {"possible": True}
    (invocation,) = log["invocations"]
    assert (invocation["executionSuccessful"], invocation["exitCode"]) == (True, 1)
    assert invocation["toolExecutionNotifications"] == []
    skipped = [notice["associatedRule"]["id"] for notice in invocation["toolConfigurationNotifications"]]
    assert skipped == ["prune-overdue", "owner-clash"]
    ran = {rule["rule"]: rule["summary"] for rule in log["properties"]["rules"]}
    assert ran["struck-lost"] == "0 struck texts checked"
    assert log["properties"]["notChecked"] == list(registry.NOT_CHECKED)


def test_a_fingerprint_stays_while_lines_move(run: Run, root: Path) -> None:
    before = sarif_log(run("--format", "sarif")[1])[1]
    put(root, f"{MEMORY}/brief.md", "# Brief\n\nA plan.\n\nTODO: 100% of it, ::now\n")
    after = sarif_log(run("--format", "sarif")[1])[1]
    assert (before[0].line, after[0].line) == (3, 5)
    assert [one.fingerprint for one in before] == [one.fingerprint for one in after]


@pytest.mark.parametrize("layout", ["custodian", "agent-memory", "records", "tiers", "jonggrang"])
def test_every_rule_is_described(layout: str) -> None:
    from memdesk.core.checks.runner import ChangeReport, Report, RuleReport
    from memdesk.tui.report import sarif

    rules = tuple(RuleReport(rule.name, layout, ".", "pass", 0, rule.unit, "0 checked") for rule in registry.rules(layout))
    nothing = ChangeReport("none", None, 0, 0, 0, None)
    log, _ = sarif_log(json.dumps(sarif.value(Report((), nothing, rules, (), ()))))
    for described, rule in zip(log["tool"]["driver"]["rules"], registry.rules(layout), strict=True):
        assert described["id"] == rule.name
        assert described["defaultConfiguration"]["level"] == rule.severity
        assert shown_message(described["fullDescription"]["text"]) == f"Reports {rule.title}."
        assert shown_message(described["help"]["text"]).startswith(rule.remedy)
        assert shown_message(described["shortDescription"]["text"])[0] == rule.title[0].upper()


def test_junit_to_the_letter(run: Run) -> None:
    code, out, err = run("--format", "junit")
    assert (code, err) == (1, "")
    lines = out.splitlines()
    assert lines[0] == '<?xml version="1.0" encoding="UTF-8"?>'
    total = len(registry.rules("custodian")) + 1
    assert lines[1] == f'<testsuites name="memdesk" tests="{total}" failures="1" errors="0" skipped="2">'
    at = lines.index('    <testcase classname="memdesk.custodian.docs/memory" name="brief-scaffold">')
    said = "The brief still holds this line of its scaffold. Write what the line asks for, or take it out."
    assert lines[at + 1 : at + 4] == [
        f'      <failure message="{MEMORY}/brief.md:3: {said}" type="brief-scaffold">{MEMORY}/brief.md:3: {said}</failure>',
        "      <system-out>1 file checked: 1 error</system-out>",
        "    </testcase>",
    ]
    cases = {case.name: case for case in junit_cases(out)}
    assert list(cases) == ["check", *(rule.name for rule in registry.rules("custodian"))]
    assert failed(list(cases.values())) == ["brief-scaffold"]
    warned = cases["two-versions"].output.splitlines()
    assert (cases["two-versions"].how, len(warned)) == ("passed", 2)
    assert warned[1].startswith("docs/memory/constraints.md:4: warning: Possible: The same title as line 3")
    assert cases["prune-overdue"].how == "skipped"
    assert cases["prune-overdue"].message
    assert cases["struck-lost"].output == "0 struck texts checked"
    assert cases["check"].output.splitlines()[0] == "change (worktree): 0 files, +0 -0 lines"
    assert "Not checked: whether a tag is honest" in cases["check"].output


def test_two_stores_have_a_suite_each_and_one_list_of_rules(run: Run, root: Path) -> None:
    agent_memory_store(root, "assistant")
    tiers_store(root)
    value = json.loads(run("--format", "json")[1])
    cases = junit_cases(run("--format", "junit")[1])
    suites = list(dict.fromkeys(case.suite for case in cases))
    assert suites == ["memdesk", *(f"{store['path']} ({store['layout']})" for store in value["stores"])]
    assert len(suites) == 4
    ended = {"pass": "passed", "warn": "passed", "fail": "failure", "skip": "skipped"}
    assert [(case.group, case.name, case.how) for case in cases[1:]] == [
        (f"memdesk.{rule['layout']}.{rule['store']}", rule["rule"], ended[rule["status"]]) for rule in value["rules"]
    ]
    log, _ = sarif_log(run("--format", "sarif")[1])
    assert [rule["id"] for rule in log["tool"]["driver"]["rules"]] == list(dict.fromkeys(one["rule"] for one in value["rules"]))


ASKED: list[tuple[list[str], int, str]] = [
    ([], 1, ""), (["--skip", "brief-scaffold"], 0, ""), (["--only", "two-versions", "--strict"], 0, ""),
    (["--base", "no-such-rev"], 2, "no-such-rev"), (["--only", "secrets"], 2, "Did you mean secret?"),
    (["--store", "docs/other"], 2, "The stores here: docs/memory."), (["--root", "nowhere"], 2, "nowhere"),
    (["--config", "gone.toml"], 2, "no such settings file"), (["--now", "soon"], 2, "'soon' is not a date"),
]


@pytest.mark.parametrize(("words", "code", "says"), ASKED, ids=lambda value: " ".join(value) if isinstance(value, list) else "")
def test_every_format_has_the_same_exit_code_and_shows_what_could_not_be_done(
    run: Run, words: list[str], code: int, says: str
) -> None:
    ran = {name: run(*words, "--format", name) for name in FORMATS}
    assert len({(code, err) for code, _, err in ran.values()}) == 1
    assert ran["text"][0] == code
    _, out, err = ran["github"]
    commands, summary = github(out)
    told = [command.data for command in commands if command.properties["title"] == "memdesk"]
    log, _ = sarif_log(ran["sarif"][1])
    (invocation,) = log["invocations"]
    whole = junit_cases(ran["junit"][1])[0]
    assert invocation["exitCode"] == ran["text"][0]
    assert summary.startswith(f"RESULT {'pass' if ran['text'][0] == 0 else 'fail'} ")
    if not says:
        assert (told, err, whole.how, invocation["executionSuccessful"]) == ([], "", "passed", True)
        return
    assert [says in text for text in told] == [True]
    assert commands[0].data == told[0]
    (notice,) = [one for one in invocation["toolExecutionNotifications"] if "associatedRule" not in one]
    assert (notice["level"], invocation["executionSuccessful"]) == ("error", False)
    assert says in notice["message"]["text"]
    assert whole.how == "error"
    assert says in whole.message
    assert says in whole.said
    assert err.startswith("memdesk: ")
    assert says in err


def test_broken_settings_and_no_store_are_whole_documents_too(run: Run, tmp_path: Path) -> None:
    nothing = tmp_path / "nothing"
    put(nothing, "docs/x.md", "hello\n")
    broken = tmp_path / "broken"
    custodian_store(broken)
    put(broken, "memdesk.toml", "[budget]\nnaer = 0.5\n")
    for where, says in ((nothing, "memdesk init"), (broken, "memdesk.toml:2: ")):
        assert run("--format", "json", where=where)[:2] == (2, "")
        code, out, _ = run("--format", "github", where=where)
        commands, _ = github(out)
        assert (code, [says in command.data for command in commands]) == (2, [True])
        log, results = sarif_log(run("--format", "sarif", where=where)[1])
        assert (results, log["tool"]["driver"]["rules"], log["invocations"][0]["exitCode"]) == ([], [], 2)
        (case,) = junit_cases(run("--format", "junit", where=where)[1])
        assert (case.how, says in case.message) == ("error", True)


def test_a_rule_that_git_failed_for_is_an_error_and_not_skipped(run: Run) -> None:
    words = ("--base", "gone", "--only", "struck-lost")
    case = junit_cases(run(*words, "--format", "junit")[1])[1]
    assert (case.name, case.how) == ("struck-lost", "error")
    assert case.message.startswith("git does not know the revision 'gone'")
    log, _ = sarif_log(run(*words, "--format", "sarif")[1])
    levels = [notice["level"] for notice in log["invocations"][0]["toolExecutionNotifications"]]
    assert levels == ["error", "error"]


def test_files_are_named_from_the_top_of_the_repository(run: Run, tmp_path: Path) -> None:
    """Where `.git` is none of git's, the workspace begins below the repository that git sees."""
    top = git_repo(tmp_path / "top")
    inner = top / "50% off, x"
    custodian_store(inner, brief="# Brief\n\nTODO: x\n")
    (inner / ".git").mkdir()
    words = ("--only", "brief-scaffold", "--no-diff")
    (command,), _ = github(run(*words, "--format", "github", where=inner)[1])
    assert command.properties["file"] == f"50% off, x/{MEMORY}/brief.md"
    assert "file=50%25 off%2C x/docs" in command.raw
    (result,) = sarif_log(run(*words, "--format", "sarif", where=inner)[1])[1]
    assert result.file == f"50% off, x/{MEMORY}/brief.md".encode()
    case = junit_cases(run(*words, "--format", "junit", where=inner)[1])[1]
    assert case.message.startswith(f"50% off, x/{MEMORY}/brief.md:3: The brief")
    assert json.loads(run(*words, "--format", "json", where=inner)[1])["findings"][0]["path"] == f"{MEMORY}/brief.md"


def test_a_finding_of_a_whole_file_has_no_line(run: Run, root: Path) -> None:
    (root / "AGENTS.md").unlink()
    words = ("--only", "guide-missing", "--no-diff")
    (command,), _ = github(run(*words, "--format", "github")[1])
    (result,) = sarif_log(run(*words, "--format", "sarif")[1])[1]
    assert (command.properties.get("line"), result.line) == (None, None)
    assert command.properties["file"] == result.file.decode() == "AGENTS.md"


def test_a_baseline_s_findings_are_counted_in_each(run: Run, root: Path) -> None:
    assert run("--write-baseline", str(root / "known"))[0] == 0
    for name in HOSTED:
        code, out, _ = run("--baseline", str(root / "known"), "--format", name)
        assert (code, "Baseline: 2 known findings are left out." in out) == (0, True)
        assert "brief-scaffold: docs" not in out
    cases = junit_cases(run("--baseline", str(root / "known"), "--format", "junit")[1])
    assert failed(cases) == []


def test_f07_no_secret_in_any(run: Run, root: Path) -> None:
    put(root, f"{MEMORY}/constraints.md", f"# C\n\n- {KEY}\n- {KEY}\n")
    for name in HOSTED:
        code, out, err = run("--format", name)
        assert (code, "duplicate-entry" in out, KEY in out + err) == (1, True, False)


NAMES = [
    b"x\n::error::owned\n.md", b"::error file=x::owned.md", b"##[error]owned.md", b"]]><failure>.md", b"a%0Ab%25.md",
    b"a,b:c;d=e.md",
    b"\xff\xfe.md", b"e\x1b[31m\x07.md", "\u202eexe.md".encode(), "\ufeffx\u200b.md".encode(), b"-->&<!--.md", b"{0}[x](y).md",
    b"x\r::warning::owned\r.md", "\U000e0041\u2028.md".encode(), b'"quoted" \'x\' \\.md', b" blank .md",
]
TITLES = [
    "::error::owned", "##[stop-commands]x", "]]>", "[x](https://a.example)", "{0} of {1}", "%0A::warning::owned", "&lt;<b>",
    "a\x1b[2Jb",
]


def hostile(root: Path) -> Path:
    """A store of hostile names and texts, each of which is reported."""
    custodian_store(root)
    areas = os.path.join(os.fsencode(root), MEMORY.encode(), b"areas")
    os.makedirs(areas)
    for name in NAMES:
        with open(os.path.join(areas, name), "wb") as file:
            file.write(b"# Area\n\n" + b"".join(f"## {title}\n\nx\n\n## {title}\n\ny\n\n".encode() for title in TITLES))
    return root


def agreed(run: Run, where: Path) -> int:
    """That all formats say the same, in ways that their hosts can't mistake; how many findings there are."""
    code, out, _ = run("--format", "json", where=where)
    findings = json.loads(out)["findings"]
    expected = Counter((one["rule"], one["severity"], one["line"]) for one in findings)
    ran = {name: run("--format", name, where=where) for name in HOSTED}
    assert {code for code, _, _ in ran.values()} == {code}
    commands, _ = github(ran["github"][1])
    commands = [command for command in commands if command.properties["title"] != "memdesk"]
    assert Counter(
        (command.properties["title"].removeprefix("memdesk "), command.name, int(command.properties.get("line", 0)) or None)
        for command in commands
    ) == expected
    assert steps_log(ran["github"][2])[0] == []
    results = sarif_log(ran["sarif"][1])[1]
    assert Counter((one.rule, one.level, one.line) for one in results) == expected
    assert len({one.fingerprint for one in results}) == len(results)
    cases = junit_cases(ran["junit"][1])
    told = [line for case in cases[1:] for line in (*case.said.splitlines(), *case.output.splitlines()[1:])]
    assert len(told) == len(findings)
    for name in ("github", "junit"):
        assert not acts_on_terminal(ran[name][1]), name
    return len(findings)


def test_hostile_names_and_texts_come_through_each(run: Run, tmp_path: Path) -> None:
    where = hostile(tmp_path / "hostile")
    assert agreed(run, where) > len(NAMES) * len(TITLES)
    results = sarif_log(run("--format", "sarif", where=where)[1])[1]
    named = {one.file for one in results}
    assert {f"{MEMORY}/areas/".encode() + name for name in NAMES} <= named
    files = {command.properties["file"] for command in github(run("--format", "github", where=where)[1])[0]}
    for name in (b"x\n::error::owned\n.md", b"x\r::warning::owned\r.md", b"a%0Ab%25.md", b"a,b:c;d=e.md", b"]]><failure>.md"):
        assert f"{MEMORY}/areas/{name.decode()}" in files


def test_every_hostile_input_at_once_comes_through_each(run: Run, tmp_path: Path) -> None:
    hostile_stores.together(tmp_path / "all", INPUTS)
    assert agreed(run, tmp_path / "all") > 100


@pytest.mark.slow
def test_ten_thousand_findings_come_through_each(run: Run, tmp_path: Path) -> None:
    where = tmp_path / "many"
    custodian_store(where)
    put(where, f"{MEMORY}/constraints.md", "# C\n\n" + "".join(f"- see /home/ana/x{number}\n" for number in range(10_000)))
    assert agreed(run, where) > 10_000


@pytest.mark.parametrize("name", ["github", "junit", pytest.param("sarif", marks=pytest.mark.slow)])
def test_on_a_terminal_too_nothing_steers_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.chdir(hostile(tmp_path / "hostile"))
    out, err = Teletype(True), Teletype(True)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"")))
    monkeypatch.setattr(sys, "stdout", out)
    monkeypatch.setattr(sys, "stderr", err)
    assert main(["--check", "--format", name]) == 1
    assert not acts_on_terminal(out.said() + err.said())
    {"github": github, "sarif": sarif_log, "junit": junit_cases}[name](out.said())  # type: ignore[operator]


def test_what_goes_wrong_is_told_on_one_line_whatever_the_names(run: Run, tmp_path: Path) -> None:
    """A runner takes lines of stderr for commands too, and in any format."""
    where = tmp_path / "none"
    put(where, "x\n::error::owned\n##[error]y/memory-lint.json", "{")
    put(where, "x\n::error::owned\n##[error]y/docs/memory/manifest.md", b"# M\n\xff\n")
    for name in FORMATS:
        code, out, err = run("--format", name, where=where)
        assert code == 2
        assert (err.count("\n"), steps_log(err)[0]) == (err.count("memdesk: "), [])
        if name == "github":
            assert {command.name for command in github(out)[0]} <= {"error", "warning"}


def test_what_people_read_is_no_command_to_a_runner_either(run: Run, root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A step may print the text into its log, where a folder's name would begin a line."""
    names = ("::error file=x::owned", "::stop-commands::x", "##[add-mask]x", "##vso[task.setvariable variable=x]y")
    text = "# C\n\n- ##[error]Twice.\n- ##[error]Twice.\n"
    for name in names:
        custodian_store(root, f"{name}/{MEMORY}", constraints=text)
    for words in ((), ("--quiet",)):
        code, out, _ = run(*words)
        assert (code, steps_log(out)[0], "##vso[" in out) == (1, [], False)
        assert all(name.lstrip(":#") in out for name in names)
    main(["pack", "--base", "HEAD"])
    out = capsys.readouterr().out
    assert "[error]Twice." in out
    assert (steps_log(out)[0], "##vso[" in out) == ([], False)


@pytest.mark.slow
def test_a_report_is_the_same_each_time(root: Path) -> None:
    for name in HOSTED:
        first, again = (process(root, "--check", "--format", name, env={"PYTHONHASHSEED": seed}) for seed in "12")
        assert (first.returncode, first.stderr) == (1, b"")
        assert first.stdout == again.stdout


HEAVY = {
    "textual", "rich", "watchfiles", "markdown_it", "dataclasses", "argparse", "yaml", "filelock", "platformdirs", "rapidfuzz",
    "pathlib", "subprocess",
}
OWN = {
    "github": {"json", "urllib", "xml", "hashlib"}, "sarif": {"xml"}, "junit": {"json", "urllib.parse", "hashlib"},
    "text": {"json", "urllib", "xml", "hashlib"},
}


@pytest.mark.parametrize("name", ["text", "github", *(pytest.param(each, marks=pytest.mark.slow) for each in HOSTED[1:])])
def test_a_format_is_imported_where_it_is_asked_for(root: Path, name: str) -> None:
    code = (
        "import sys; from memdesk.tui.cli import main; main(sys.argv[1:]);"
        " print(*(name for name in sys.modules if not name.startswith('encodings')), file=sys.stderr)"
    )
    words = [sys.executable, "-c", code, "--check", "--format", name, "--skip", "brief-scaffold"]
    done = subprocess.run(words, cwd=root, capture_output=True, text=True, check=True)
    loaded = set(done.stderr.split())
    assert [each for each in HOSTED if f"memdesk.tui.report.{each}" in loaded] == [each for each in HOSTED if each == name]
    assert {each.partition(".")[0] for each in loaded} & HEAVY == set()
    assert loaded & OWN[name] == set()


def test_staged_and_changed_only_are_told_alike(run: Run, root: Path) -> None:
    put(root, f"{MEMORY}/preferences.md", "# P\n\n- Tabs\n- Tabs\n")
    git(root, "add", "-A")
    assert agreed_on(run, "--staged") == {"brief-scaffold", "two-versions", "duplicate-entry"}
    assert agreed_on(run, "--staged", "--changed-only") == {"duplicate-entry"}


def agreed_on(run: Run, *words: str) -> set[str]:
    """The rules whose findings each format shows."""
    value = {one["rule"] for one in json.loads(run(*words, "--format", "json")[1])["findings"]}
    commands, _ = github(run(*words, "--format", "github")[1])
    assert {command.properties["title"].removeprefix("memdesk ") for command in commands} == value
    assert {one.rule for one in sarif_log(run(*words, "--format", "sarif")[1])[1]} == value
    return value
