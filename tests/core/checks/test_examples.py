"""Every rule has an example that fails and one that passes, and the check says so of each, laid out for real."""

from __future__ import annotations

import os
import tomllib
from difflib import ndiff
from pathlib import Path

import pytest

from memdesk.core import layouts
from memdesk.core.checks import examples, registry
from memdesk.core.checks.rule import Rule
from tests.support.examples import checked
from tests.support.stores import put

RULES = registry.rules()


def test_every_rule_has_examples_and_every_example_a_rule() -> None:
    written = {rule.name for rule in RULES if os.path.isfile(os.path.join(examples.folder(rule.layout), f"{rule.name}.toml"))}
    assert {rule.name for rule in RULES} == written
    files = [path.name for layout in ["", *layouts.names()] for path in Path(examples.folder(layout)).iterdir()]
    assert sorted(name for name in files if name != "base.toml") == sorted(f"{name}.toml" for name in written)


@pytest.mark.parametrize("layout", layouts.names())
def test_the_store_below_the_examples_is_in_order(layout: str, tmp_path: Path) -> None:
    empty = examples.Example("", layout, "", (), (), "", "none", examples.base(layout), (), (), (), ())
    assert checked(empty, (), tmp_path / "root") == []


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_the_failing_example_fails_there_and_by_nothing_else(rule: Rule, tmp_path: Path) -> None:
    example = examples.of(rule)
    found = checked(example, example.fails, tmp_path / "root")
    mine = [finding for finding in found if finding.rule == rule.name]
    assert [(finding.path, finding.line) for finding in mine] == [tuple(spot) for spot in example.findings]
    assert {finding.severity for finding in mine} == {rule.severity}, "the strongest that the rule reports"
    assert sorted({finding.rule for finding in found} - {rule.name}) == sorted(example.also), found


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_the_passing_example_passes_every_rule(rule: Rule, tmp_path: Path) -> None:
    example = examples.of(rule)
    assert checked(example, example.passes, tmp_path / "root") == []


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_the_two_differ_in_little_and_are_short(rule: Rule) -> None:
    example = examples.of(rule)
    parts = [file.part for file in (*example.before, *example.files, *example.fails, *example.passes)]
    assert example.fails != example.passes
    for part in parts:
        lines = (part.text or "").splitlines()
        assert len(lines) <= 40, f"{part.path}: too long to be read as an example"
        assert max(map(len, lines), default=0) <= 78, part.path
    assert 40 <= len(example.why) <= 500
    changed = [line for line in _diff(example.fails, example.passes) if line[:1] in "+-" and line[1:].strip()]
    assert 1 <= len(changed) <= 16, "one difference, not another store"


def test_the_examples_are_part_of_what_is_installed() -> None:
    project = tomllib.loads((Path(__file__).parents[3] / "pyproject.toml").read_text(encoding="utf-8"))
    data = project["tool"]["setuptools"]["package-data"]
    assert data["memdesk.core.checks"] == ["examples/*.toml"]
    assert {"*/*.py", "*/examples/*.toml"} <= set(data["memdesk.core.layouts"]), "of a layout that is yet to come too"


TOP = 'why = "because"\nfinding = "docs/memory/inbox.md:3"\n'
TEXT = '[fails]\n"docs/memory/inbox.md" = {}\n[passes]\n"docs/memory/inbox.md" = "# Inbox"\n'


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("why =", "Invalid value"),
        (TOP, r"missing keys: \['fails', 'passes'\]"),
        (TOP + "file = 1\n" + TEXT.format('"# Inbox"'), r"unknown keys: \['file'\]"),
        (TOP + TEXT.format('{ txt = "# Inbox" }'), "docs/memory/inbox.md: a file is text"),
        (TOP + TEXT.format('{ part = "gone" }'), "'gone' stands there 0 times"),
        (TOP + TEXT.format('{ part = "x", instead_of = "o" }'), "'o' stands there 4 times"),
        (TOP + TEXT.format("true"), "a file is text"),
        (TOP + TEXT.format('{ part = "x" }').replace("inbox", "none"), "docs/memory/none.md: there is no such file"),
        (TOP + 'layout = "custodia"\n' + TEXT.format("false"), "custodia"),
    ],
)
def test_a_file_that_is_not_in_form_is_told_with_its_path(tmp_path: Path, text: str, message: str) -> None:
    path = put(tmp_path, "some-rule.toml", text)
    with pytest.raises(ValueError, match=message) as caught:
        examples.read(str(path))
    assert str(caught.value).startswith(f"{path}: ")


def test_what_each_form_of_a_file_makes(tmp_path: Path) -> None:
    path = put(tmp_path, "some-rule.toml", """
why = "because"
finding = ["a.md:2", "b.md"]
[before]
"a.md" = "one\\ntwo\\nthree\\n"
[fails]
"a.md" = { part = "2 \\u0007\\n", instead_of = "two\\n" }
"b.md" = { text = "\u00e4", encoding = "Latin-1" }
"c.md" = { text = "# C\\n", each = "- {n}\\n", times = 4, end = "end\\n" }
[passes]
"a.md" = { part = "two" }
"b.md" = { link = "a.md" }
"c.md" = false
""")
    made = examples.read(str(path))
    assert (made.rule, made.layout, made.change) == ("some-rule", "custodian", "worktree")
    assert [str(spot) for spot in made.findings] == ["a.md:2", "b.md"]
    assert [made.line(spot) for spot in made.findings] == ["2 \\x07", ""]
    assert [file.data for file in made.fails] == [b"one\n2 \x07\nthree\n", b"\xe4\n", b"# C\n- 1\n- 2\n- 3\n- 4\nend\n"]
    assert [file.part.text for file in made.fails] == [
        "2 \\x07\n", "\u00e4\n", "# C\n- 1\n- 2\n\u2026 2 more like these \u2026\nend\n",
    ]
    assert [file.part.note for file in made.fails] == ["from line 2", "saved as Latin-1", ""]
    assert [(file.data, file.link, file.part.note) for file in made.passes] == [
        (b"one\ntwo\nthree\n", "", "from line 2"), (None, "a.md", "a symbolic link to a.md"), (None, "", "no such file"),
    ]


def _diff(fails: tuple[examples.File, ...], passes: tuple[examples.File, ...]) -> list[str]:
    """The lines that the shown files of two sides don't have in common."""
    sides = [
        [line for file in side for line in (file.part.path, file.part.note, *(file.part.text or "").splitlines())]
        for side in (fails, passes)
    ]
    return [line for line in ndiff(*sides) if line[:1] in "+-"]
