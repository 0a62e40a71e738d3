"""The steps of a composite GitHub action, run as GitHub's runner does: its variables, its files, its commands in the log."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import yaml

_EXPRESSION = re.compile(r"\$\{\{\s*([\w.-]+)\s*\}\}")
_COMMAND = re.compile(r"::([a-z-]+)(?: ([^:]*))?::(.*)")
BASH = ["bash", "--noprofile", "--norc", "-eo", "pipefail"]  # how GitHub starts `shell: bash`


class Ran(NamedTuple):
    """What an action did. `log`: all that it printed; `outputs`: the action's; `summary`: the job's, in Markdown."""

    code: int
    log: str
    outputs: dict[str, str]
    summary: str

    @property
    def commands(self) -> list[tuple[str, str, str]]:
        """What the runner would obey in the log: (command, its properties, its text)."""
        found, stopped = [], ""
        for line in self.log.split("\n"):
            match = _COMMAND.match(line.strip())
            if stopped:
                stopped = "" if line.strip() == f"::{stopped}::" else stopped
            elif match and match[1] == "stop-commands":
                stopped = match[3]
            elif match:
                found.append((match[1], match[2] or "", match[3]))
        assert not stopped, "the runner obeys nothing any more"
        return found


def action(path: Path) -> dict[str, Any]:
    """What an action's file says."""
    found: dict[str, Any] = yaml.safe_load(path.read_text(encoding="utf-8"))
    return found


def run(path: Path, workspace: Path, temp: Path, env: Mapping[str, str], inputs: Mapping[str, str]) -> Ran:
    """Runs the action's steps one after the other, until one fails. `env`: what the job has around it."""
    said = action(path)
    values = {name: inputs.get(name, str(one.get("default", ""))) for name, one in said["inputs"].items()}
    temp.mkdir(parents=True, exist_ok=True)
    files = {name: temp / name for name in ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY", "GITHUB_PATH", "GITHUB_ENV")}
    outputs: dict[str, dict[str, str]] = {}
    log, code, added = "", 0, ""
    for number, step in enumerate(said["runs"]["steps"]):
        assert step["shell"] == "bash"
        for file in files.values():
            if file.name != "GITHUB_STEP_SUMMARY" or number == 0:
                file.write_text("")
        script = temp / f"step-{number}.sh"
        script.write_text(step["run"], encoding="utf-8")
        done = subprocess.run(
            [*BASH, str(script)], cwd=workspace, check=False, capture_output=True, text=True,
            env={
                **env, "PATH": added + env["PATH"], "GITHUB_ACTIONS": "true", "GITHUB_ACTION_PATH": str(path.parent),
                "GITHUB_WORKSPACE": str(workspace), "RUNNER_TEMP": str(temp), **{name: str(at) for name, at in files.items()},
                **{name: _filled(text, values) for name, text in step.get("env", {}).items()},
            },
        )
        log += done.stdout + done.stderr
        code = done.returncode
        outputs[step.get("id", "")] = dict(line.split("=", 1) for line in files["GITHUB_OUTPUT"].read_text().splitlines())
        added += "".join(f"{line}{os.pathsep}" for line in files["GITHUB_PATH"].read_text().splitlines())
        if code:
            break
    told = {name: _of_steps(one["value"], outputs) for name, one in said["outputs"].items()}
    return Ran(code, log, told, files["GITHUB_STEP_SUMMARY"].read_text())


def _filled(text: str, inputs: Mapping[str, str]) -> str:
    return _EXPRESSION.sub(lambda match: inputs[match[1].removeprefix("inputs.")], str(text))


def _of_steps(text: str, outputs: Mapping[str, Mapping[str, str]]) -> str:
    def value(match: re.Match[str]) -> str:
        _, step, _, name = match[1].split(".")
        return outputs.get(step, {}).get(name, "")

    return _EXPRESSION.sub(value, text)
