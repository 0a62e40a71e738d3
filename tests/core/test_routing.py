"""Whether a file loads, for which tasks, and why not."""

from __future__ import annotations

import pytest

from memdesk.core.errors import UsageError
from memdesk.core.routing import categories, why
from tests.support.stores import CATEGORIES, STANDARD, manifest
from tests.support.trees import workspace

HOME = "docs/memory"
FILES = {f"{HOME}/{name}": text for name, text in {**STANDARD, "manifest.md": manifest()}.items()}


def test_one_task_for_each_category() -> None:
    there = workspace(FILES)
    assert categories(there, there.stores[0]) == [
        "planning",
        "implementation",
        "artifact",
        "preferences",
        "history",
        "maintenance",
        "general",
    ]


def test_why_a_file_loads_or_not_for_every_task() -> None:
    answers = {answer.task: (answer.loads, answer.reason) for answer in why(workspace(FILES), f"{HOME}/constraints.md")}
    assert [task for task, (loads, _) in answers.items() if loads] == ["implementation", "maintenance"]
    assert answers["planning"] == (False, "not routed for planning; loads for implementation, maintenance")
    assert answers["implementation"] == (True, "task implementation")


def test_why_a_line_loads_or_not() -> None:
    text = "# Decisions\n\n## A\n\none\n\n## B\n\ntwo\n"
    files = {**FILES, f"{HOME}/decisions.md": text, f"{HOME}/manifest.md": manifest(budgets=("decisions.md: 6 tokens",))}
    there = workspace(files)

    def history(line: int) -> tuple[bool, str]:
        return next(
            (answer.loads, answer.reason) for answer in why(there, f"{HOME}/decisions.md", line) if answer.task == "history"
        )

    assert history(5)[0]
    loads, reason = history(9)
    assert not loads
    assert reason == "omitted from the pack: it would not fit: 6 + 4 of 6 tokens"


def test_a_route_that_cannot_be_made_is_the_answer_for_its_task() -> None:
    routes = [one for one in CATEGORIES if not one[0].startswith("Change")]
    there = workspace({**FILES, f"{HOME}/manifest.md": manifest(categories=routes)})
    answers = {answer.task: answer for answer in why(there, f"{HOME}/decisions.md")}
    assert answers["planning"].loads
    assert "no section" in answers["history"].reason


def test_a_path_that_is_no_memory_is_an_error() -> None:
    with pytest.raises(UsageError, match="no memory file"):
        why(workspace(FILES), "src/app.py")
