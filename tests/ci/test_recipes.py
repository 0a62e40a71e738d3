"""The page on CI: every YAML recipe by its host's schema, every line of shell in a real repository, as a runner would."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import yaml

from tests.support.runner import BASH
from tests.support.stores import MEMORY, git, put

TOP = Path(__file__).parents[2]
PAGE = (TOP / "docs" / "ci.md").read_text(encoding="utf-8")
DECISIONS, CONSTRAINTS = f"{MEMORY}/decisions.md", f"{MEMORY}/constraints.md"
MARKED = "# Decisions\n\n<<<<<<< HEAD\n- One\n=======\n- Other\n>>>>>>> side\n"
SCHEMAS = {".github/workflows/": "vendor.github-workflows", ".gitlab-ci.yml": "vendor.gitlab-ci"}


class Recipe(NamedTuple):
    """One block of the page. `file`: the path that it says it is of, "" for a script."""

    kind: str
    file: str
    text: str

    @property
    def value(self) -> Any:
        return yaml.safe_load(self.text)


def _recipes() -> list[Recipe]:
    found = re.findall(r"^```(\w+)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    return [Recipe(kind, re.match(r"(?:# (\S+)\n)?", text)[1] or "", text) for kind, text in found]  # type: ignore[index]


RECIPES = _recipes()
FORMS = [recipe for recipe in RECIPES if recipe.kind == "yaml"]
SCRIPTS = [recipe.text for recipe in RECIPES if recipe.kind == "sh"]


def workflow(name: str) -> Any:
    (found,) = (recipe.value for recipe in FORMS if recipe.file.endswith(name))
    return found["jobs"]["memory"]["steps"]


def test_the_page_has_recipes_of_every_kind_and_no_other() -> None:
    assert {recipe.kind for recipe in RECIPES} == {"yaml", "sh"}
    assert [recipe.file for recipe in FORMS] == [
        ".github/workflows/memory.yml", ".github/workflows/memory-plain.yml", ".gitlab-ci.yml", ".gitlab-ci.yml",
        ".pre-commit-config.yaml",
    ]
    assert len(SCRIPTS) == 4


@pytest.mark.slow
@pytest.mark.parametrize("number", range(len(FORMS)))
def test_a_recipe_has_the_form_that_its_host_reads(number: int, tmp_path: Path) -> None:
    recipe = FORMS[number]
    file = put(tmp_path, recipe.file, recipe.text)
    schema = next((name for start, name in SCHEMAS.items() if recipe.file.startswith(start)), None)
    if schema is None:
        command = [sys.executable, "-m", "pre_commit", "validate-config", str(file)]
    else:
        command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", schema, str(file)]
    env = {**os.environ, "PRE_COMMIT_HOME": str(tmp_path)}
    done = subprocess.run(command, check=False, capture_output=True, text=True, env=env)
    assert done.returncode == 0, done.stdout + done.stderr


def test_what_the_page_says_of_the_action_is_what_the_action_has() -> None:
    said = yaml.safe_load((TOP / "action.yml").read_text())
    table = PAGE.partition("| input |")[2].partition("\n\n")[0]
    assert re.findall(r"^\| `([a-z-]+)`", table, re.MULTILINE) == list(said["inputs"])
    outputs = re.search(r"^Outputs: (.*?)\. ", PAGE, re.MULTILINE | re.DOTALL)
    assert outputs is not None
    assert re.findall(r"`([a-z-]+)`", re.sub(r"\(.*?\)", "", outputs[1])) == list(said["outputs"])
    (use,) = (step for step in workflow("memory.yml") if "memdesk" in step.get("uses", ""))
    assert set(use["with"]) <= set(said["inputs"])
    (hook,) = yaml.safe_load((TOP / ".pre-commit-hooks.yaml").read_text())
    (config,) = (recipe.value for recipe in FORMS if recipe.file == ".pre-commit-config.yaml")
    assert config["repos"][0]["hooks"] == [{"id": hook["id"]}]


# Run


@pytest.fixture
def clone(root: Path, tmp_path: Path, env: dict[str, str]) -> Path:
    """A clone whose branch topic left main, which went on; `pip` and `gh` are programs that note how they are called."""
    git(root, "checkout", "-qb", "topic")
    put(root, CONSTRAINTS, "# Constraints\n\n- Runs without a network connection.\n- Reports fit one page.\n")
    git(root, "commit", "-qam", "One more")
    git(root, "checkout", "-q", "main")
    for number in range(3):
        put(root, DECISIONS, (root / DECISIONS).read_text() + f"\nLater, on main: {number}.\n")
        git(root, "commit", "-qam", "Main goes on")
    git(tmp_path, "clone", "-q", "--branch", "topic", str(root), "clone")
    for name in ("pip", "gh"):
        put(tmp_path, f"tools/{name}", f'#!/bin/sh\nprintf "%s\\n" "$@" > "{tmp_path}/{name}"\n').chmod(0o755)
    put(tmp_path, "tools/python3", f'#!/bin/sh\nexec {sys.executable} "$@"\n').chmod(0o755)
    return tmp_path / "clone"


def shell(folder: Path, text: str, env: dict[str, str], **more: str) -> subprocess.CompletedProcess[str]:
    words = [*BASH, "-c", text]
    return subprocess.run(words, cwd=folder, env={**env, **more}, check=False, capture_output=True, text=True)


def broken(clone: Path) -> None:
    put(clone, DECISIONS, MARKED)
    git(clone, "commit", "-qam", "Broken")


@pytest.mark.slow
def test_the_merge_base_is_compared_with(clone: Path, env: dict[str, str]) -> None:
    done = shell(clone, SCRIPTS[0], env)
    assert (done.returncode, "RESULT pass" in done.stdout) == (0, True), done.stderr
    assert "Reports fit one page" in done.stdout
    assert "Later, on main" not in done.stdout
    broken(clone)
    assert shell(clone, SCRIPTS[0], env).returncode == 1


@pytest.mark.slow
def test_a_shallow_clone_is_deepened_until_the_base_is_there(
    root: Path, clone: Path, tmp_path: Path, env: dict[str, str]
) -> None:
    git(tmp_path, "clone", "-q", "--depth=1", "--branch", "topic", f"file://{root}", "shallow")
    shallow = tmp_path / "shallow"
    early = shell(shallow, "memdesk --check --base origin/main", env)
    assert (early.returncode, "git fetch --unshallow --tags origin" in early.stderr) == (2, True)
    text = SCRIPTS[1].replace("--deepen=50", "--deepen=1")
    assert text != SCRIPTS[1]
    done = shell(shallow, text, env)
    assert (done.returncode, "RESULT pass" in done.stdout) == (0, True), done.stderr
    assert (shallow / "base").read_text().strip() == git(clone, "merge-base", "origin/main", "topic").strip()
    git(shallow, "checkout", "-q", "--orphan", "other")
    git(shallow, "commit", "-qm", "Nothing in common")
    assert shell(shallow, text, env).returncode == 2


@pytest.mark.slow
def test_the_script_of_any_host_tells_the_three_outcomes_apart(clone: Path, env: dict[str, str]) -> None:
    done = shell(clone, SCRIPTS[2], env)
    assert (done.returncode, done.stdout) == (0, "The memory breaks no rule.\n")
    broken(clone)
    done = shell(clone, SCRIPTS[2], env)
    assert (done.returncode, done.stdout) == (1, "A rule is broken: see memdesk.xml.\n")
    assert "conflict-marker" in (clone / "memdesk.xml").read_text()
    git(clone, "remote", "remove", "origin")
    done = shell(clone, SCRIPTS[2], env)
    assert (done.returncode, done.stdout) == (2, "Not all of it could be checked.\n")


@pytest.mark.slow
def test_the_hook_is_made_as_the_page_says(clone: Path, env: dict[str, str]) -> None:
    done = shell(clone, SCRIPTS[3], env)
    assert done.returncode == 0, done.stderr
    assert "hook          .git/hooks/pre-commit runs memdesk" in done.stdout
    put(clone, DECISIONS, MARKED)
    assert shell(clone, "git commit -qam Broken", env).returncode == 1


@pytest.mark.slow
def test_a_pull_request_s_comment_is_the_file_that_the_action_names(clone: Path, tmp_path: Path, env: dict[str, str]) -> None:
    (step,) = (step for step in workflow("memory.yml") if "run" in step)
    assert "${{" not in step["run"]
    assert shell(clone, step["run"], env, NUMBER="7", BODY="/x y/packs.md").returncode == 0
    asked = (tmp_path / "gh").read_text().splitlines()
    assert asked == ["pr", "comment", "7", "--edit-last", "--create-if-none", "--body-file", "/x y/packs.md"]


@pytest.mark.slow
def test_the_plain_workflow_s_steps(clone: Path, tmp_path: Path, env: dict[str, str]) -> None:
    steps = [step["run"] for step in workflow("memory-plain.yml") if "run" in step]
    variables = {"GITHUB_BASE_REF": "main", "GITHUB_STEP_SUMMARY": str(tmp_path / "summary")}
    for text in steps:
        assert "${{" not in text
        assert shell(clone, text, env, **variables).returncode == 0
    assert (tmp_path / "pip").read_text() == "install\ngit+https://github.com/your-org/memdesk\n"
    assert "Reports fit one page" in (tmp_path / "summary").read_text()
    broken(clone)
    assert shell(clone, steps[-1], env, **variables).returncode == 1
    results = json.loads((clone / "memdesk.sarif").read_text())["runs"][0]["results"]
    assert "conflict-marker" in {result["ruleId"] for result in results}


@pytest.mark.slow
def test_gitlab_s_jobs(clone: Path, env: dict[str, str]) -> None:
    junit, quality = (recipe.value["memory"] for recipe in FORMS if recipe.file == ".gitlab-ci.yml")
    base = git(clone, "merge-base", "origin/main", "topic").strip()
    script = "\n".join(junit["script"])
    assert shell(clone, script, env, CI_MERGE_REQUEST_DIFF_BASE_SHA=base).returncode == 0
    assert "Reports fit one page" in (clone / junit["artifacts"]["paths"][0]).read_text()
    assert "<testsuite" in (clone / junit["artifacts"]["reports"]["junit"]).read_text()
    assert shell(clone, "\n".join(quality["script"]), env).returncode == 0
    put(clone, f"{MEMORY}/areas/a b.md", MARKED)
    broken(clone)
    assert shell(clone, "\n".join(quality["script"]), env).returncode == 1
    found = json.loads((clone / quality["artifacts"]["reports"]["codequality"]).read_text())
    marked = [item for item in found if item["check_name"] == "conflict-marker"]
    assert {(item["location"]["path"], item["location"]["lines"]["begin"], item["severity"]) for item in marked} >= {
        (DECISIONS, 3, "major"), (f"{MEMORY}/areas/a b.md", 3, "major")
    }
    assert len({item["fingerprint"] for item in found}) == len(found)
