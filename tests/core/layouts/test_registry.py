"""The registry of layouts."""

from __future__ import annotations

import inspect
import subprocess
import sys

import pytest

from memdesk.core import layouts
from memdesk.core.errors import UsageError
from memdesk.core.layouts.base import Layout, _Late


def test_every_layout_is_found_by_its_name() -> None:
    assert layouts.names() == ("custodian", "agent-memory", "records", "tiers", "jonggrang")
    for name in layouts.names():
        layout: Layout = layouts.get(name)
        assert layout.name == name
        assert layouts.get(name) is layout


def test_an_unknown_layout_is_named_with_the_nearest() -> None:
    with pytest.raises(UsageError, match=r"There is no layout 'custodain'\. Did you mean custodian\?"):
        layouts.get("custodain")
    with pytest.raises(UsageError, match=r"Known: custodian, agent-memory, records, tiers, jonggrang\."):
        layouts.get("")


def test_names_cost_no_import() -> None:
    code = "import sys; from memdesk.core import layouts as l; l.names(); print(l.LAYOUTS['custodian'] in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout.strip()) == (0, "False"), done.stderr


def _answers() -> list[tuple[str, str]]:
    return [
        (name, answer) for name in layouts.names() for answer, value in vars(type(layouts.get(name))).items()
        if isinstance(value, _Late)
    ]


@pytest.mark.parametrize(("name", "answer"), _answers())
def test_what_answers_for_a_layout_takes_and_gives_what_is_asked(name: str, answer: str) -> None:
    """A function in another module stands in for a method: a type checker doesn't see that, so this does."""
    asked = inspect.signature(getattr(Layout, answer))
    given = inspect.signature(getattr(layouts.get(name), answer))
    wanted = [(one.name, one.annotation) for one in list(asked.parameters.values())[1:]]
    assert [(one.name, one.annotation) for one in given.parameters.values()] == wanted
    narrower = {
        "Sequence[str]": "list[str]", "Sequence[Versions]": "list[Versions]", "Mapping[int, int]": "dict[int, int]",
        "Locks | None": "Locks",
    }
    assert given.return_annotation in (asked.return_annotation, narrower.get(asked.return_annotation))


def test_nothing_that_writes_is_imported_before_it_is_asked_for() -> None:
    for name in layouts.names():
        module = layouts.LAYOUTS[name]
        code = (
            f"import sys; from memdesk.core import layouts as l; one = l.get({name!r}); one.tasks; one.verbs\n"
            f"print([m for m in sys.modules if m.startswith({module + '.'!r})])"
        )
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
        assert (done.returncode, done.stdout.strip()) == (0, "[]"), done.stderr
