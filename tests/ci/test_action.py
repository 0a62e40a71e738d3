"""The action for GitHub (`action.yml`): its form by GitHub's schema, and its steps run as GitHub's runner runs them.

Only installing is replaced, by a `python3` on the PATH that makes the environment which pip would have filled.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support import runner
from tests.support.runner import Ran
from tests.support.stores import MEMORY, git, put

TOP = Path(__file__).parents[2]
ACTION = TOP / "action.yml"
DECISIONS, CONSTRAINTS = f"{MEMORY}/decisions.md", f"{MEMORY}/constraints.md"
MARKED = "# Decisions\n\n<<<<<<< HEAD\n- One\n=======\n- Other\n>>>>>>> side\n"
HOSTILE = "'; touch made; echo \"$(touch made)`touch made`\n::error::x\n${IFS}* -x"

Act = Callable[..., Ran]

_PYTHON = """\
#!/bin/sh
# Stands for the python3 of the runner, and for the one of the environment that it makes.
case "$*" in
"-c "*) exec {python} -c "$2" ;;
"-I -m venv "*) mkdir -p "$4/bin" && cp "$0" "$4/bin/python" ;;
"-I -m pip "*) shift 3; printf '%s\\n' "$@" > "{log}"
    printf '#!/bin/sh\\nexec {python} -m memdesk "$@"\\n' > "${{0%/*}}/memdesk"; chmod +x "${{0%/*}}/memdesk" ;;
*) exit 9 ;;
esac
"""


@pytest.fixture
def act(root: Path, tmp_path: Path, env: dict[str, str]) -> Act:
    """Runs the action in the repository, with inputs; `into`: the branch that a pull request goes to."""
    put(tmp_path, "runner/python3", _PYTHON.format(python=sys.executable, log=tmp_path / "pip")).chmod(0o755)
    (tmp_path / "tools" / "memdesk").unlink()  # it comes by the action alone

    def run(into: str = "", **inputs: str) -> Ran:
        around = {**env, "PATH": f"{tmp_path / 'runner'}:{env['PATH']}", "GITHUB_BASE_REF": into}
        return runner.run(ACTION, root, tmp_path / "temp", around, inputs)

    return run


@pytest.fixture
def topic(root: Path) -> Path:
    """The repository as a pull request checks it out: its branch is checked out, and main is the remote's and went on."""
    git(root, "checkout", "-qb", "topic")
    put(root, CONSTRAINTS, "# Constraints\n\n- Runs without a network connection.\n- Reports fit one page.\n")
    git(root, "commit", "-qam", "One more")
    git(root, "checkout", "-q", "main")
    put(root, DECISIONS, (root / DECISIONS).read_text() + "\nLater, on main.\n")
    git(root, "commit", "-qam", "Main goes on")
    git(root, "update-ref", "refs/remotes/origin/main", "main")
    git(root, "checkout", "-q", "topic")
    return root


def test_its_form_is_github_s() -> None:
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.github-actions", str(ACTION)]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, "ok -- validation done\n")


def test_every_input_reaches_a_script_by_the_environment_alone() -> None:
    said = runner.action(ACTION)
    steps = said["runs"]["steps"]
    assert all("${{" not in step["run"] for step in steps)
    by_environment = {text for step in steps for text in step.get("env", {}).values()}
    assert by_environment == {f"${{{{ inputs.{name} }}}}" for name in said["inputs"]}


@pytest.mark.slow
def test_a_pull_request_is_checked_against_where_its_branch_began(topic: Path, act: Act) -> None:
    ran = act("main")
    assert (ran.code, ran.outputs["result"], ran.outputs["exit-code"]) == (0, "pass", "0")
    assert "Reports fit one page" in ran.summary
    assert "Later, on main" not in ran.summary  # it is no change of this branch
    assert Path(ran.outputs["comment"]).read_text() == ran.summary
    put(topic, DECISIONS, MARKED)
    git(topic, "commit", "-qam", "Broken")
    ran = act("main")
    assert (ran.code, ran.outputs["result"], ran.outputs["exit-code"]) == (1, "fail", "1")
    errors = [properties for command, properties, _ in ran.commands if command == "error"]
    assert any(f"file={DECISIONS},line=3" in properties for properties in errors)
    assert Path(ran.outputs["report"]).read_text() in ran.log


@pytest.mark.slow
def test_without_a_base_the_memory_is_checked_as_it_is(root: Path, act: Act) -> None:
    ran = act()
    assert (ran.code, ran.summary, ran.outputs["comment"], ran.outputs["result"]) == (0, "", "", "pass")
    put(root, DECISIONS, MARKED)
    ran = act(format="text")
    assert (ran.code, ran.outputs["result"]) == (1, "fail")
    assert f"{DECISIONS}:3: error conflict-marker" in ran.log


@pytest.mark.slow
def test_a_checkout_without_the_base_is_an_error_that_says_what_to_do(topic: Path, act: Act, tmp_path: Path) -> None:
    git(topic, "update-ref", "-d", "refs/remotes/origin/main")
    ran = act("main")
    assert ran.code == 2
    assert ran.commands[-1][0] == "error"
    assert "give actions/checkout fetch-depth 0" in ran.commands[-1][2]


@pytest.mark.slow
def test_what_it_cannot_do_is_2_and_the_rest_is_reported(topic: Path, act: Act) -> None:
    put(topic, DECISIONS, MARKED)
    ran = act(base="nowhere")
    assert (ran.code, ran.outputs["result"]) == (2, "error")
    assert f"file={DECISIONS},line=3" in ran.log
    assert "git does not know the revision 'nowhere'" in ran.log
    ran = act(base="HEAD", packs="yes")
    assert (ran.code, ran.commands) == (2, [("error", "title=memdesk", "The input packs is true or false.")])


@pytest.mark.slow
def test_more_options_are_parted_by_blanks_and_never_expanded(root: Path, act: Act) -> None:
    put(root, DECISIONS, MARKED)
    ran = act(format="json", args="--only  conflict-marker\n\t--strict")
    assert (ran.code, '"rule": "conflict-marker"' in ran.log, '"rule": "secret"' in ran.log) == (1, True, False)
    ran = act(args="--only *")
    assert (ran.code, "There is no rule '*'" in ran.log) == (2, True)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["root", "base", "format", "args", "packs", "version"])
def test_a_hostile_input_is_a_value_that_is_refused(root: Path, act: Act, tmp_path: Path, name: str) -> None:
    ran = act(**{name: HOSTILE})
    assert ran.code == 2
    assert {command[:2] for command in ran.commands} <= {("error", "title=memdesk")}
    assert list(tmp_path.rglob("made*")) == []


@pytest.mark.slow
@pytest.mark.parametrize("format", ["text", "github", "sarif"])
def test_a_hostile_name_in_the_repository_is_no_command_to_the_runner(
    root: Path, act: Act, tmp_path: Path, format: str
) -> None:
    put(root, "docs/memory/areas/$(touch made)\n::add-path::x\n.md", MARKED + "\n::set-output name=x::y\n")
    put(root, DECISIONS, MARKED + "\n::error::not ours\n")
    ran = act(base="HEAD", format=format)
    assert ran.code in (1, 2)
    assert {command for command, _, _ in ran.commands} <= ({"error", "warning", "notice"} if format == "github" else set())
    assert all(text != "not ours" for _, _, text in ran.commands)
    assert list(tmp_path.rglob("made*")) == []


# Installing


def test_it_installs_its_own_checkout_or_the_version_asked_for(act: Act, tmp_path: Path) -> None:
    act(packs="maybe")
    asked = (tmp_path / "pip").read_text().splitlines()
    assert asked == ["install", "--quiet", "--disable-pip-version-check", str(TOP)]
    act(packs="maybe", version="1.2.0rc1")
    assert (tmp_path / "pip").read_text().splitlines()[-1] == "memdesk==1.2.0rc1"
    (tmp_path / "pip").unlink()
    ran = act(version="1.0 --index-url=https://example.com")
    assert (ran.code, (tmp_path / "pip").exists()) == (2, False)
    assert ran.commands == [("error", "title=memdesk", "The input version is no version.")]


@pytest.mark.slow
def test_what_a_repository_calls_venv_or_pip_is_not_run(root: Path, act: Act, tmp_path: Path) -> None:
    """A pull request can bring such files, and Python looks in the folder that it starts in first."""
    for name in ("venv", "pip", "ensurepip", "memdesk", "sitecustomize"):
        put(root, f"{name}.py", f"open('{tmp_path}/made-{name}', 'w')\n")
    real = f'#!/bin/sh\ncase "$*" in *venv*) set -- "$@" --without-pip ;; esac\nexec {sys.executable} "$@"\n'
    put(tmp_path, "runner/python3", real).chmod(0o755)
    ran = act()
    assert (ran.code, "No module named pip" in ran.log) == (1, True)  # as there is none here, the repository's aside
    assert list(tmp_path.glob("made*")) == []


def test_an_older_python_is_told_before_anything_is_installed(act: Act, tmp_path: Path) -> None:
    put(tmp_path, "runner/python3", "#!/bin/sh\nexit 1\n").chmod(0o755)
    ran = act()
    assert (ran.code, [command for command, _, _ in ran.commands]) == (2, ["error"])
    assert "actions/setup-python" in ran.log
