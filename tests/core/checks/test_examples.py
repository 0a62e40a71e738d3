"""Every rule has an example that fails and one that passes, and the check says so of each, laid out for real."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from memdesk.core import layouts
from memdesk.core.checks import examples, registry
from memdesk.core.checks.rule import Rule
from tests.support.examples import checked

RULES = registry.rules()
WITHOUT = {  # nobody has written examples for these yet: a set that must shrink to none
    "rom-caps", "ram-caps", "disk-provenance", "disk-history", "tape-frozen", "index-links", "index-missing",
    "index-fact", "figure-undated", "stated-proposal", "adr-number", "adr-status", "adr-why", "adr-supersession",
    "adr-immutable", "term-duplicate", "term-unused", "record-sweep", "fact-frontmatter", "fact-single", "fact-appended",
    "fact-why", "fact-count", "index-complete", "link-dead", "log-append-only", "log-name", "working-tracked",
    "review-due", "fragment-tracked", "memory-ignored", "memory-frontmatter", "memory-sections", "memory-link",
    "fragment-waiting", "archive-expired",
}
WITH = [rule for rule in RULES if rule.name not in WITHOUT]


def test_every_rule_has_examples_and_every_example_a_rule() -> None:
    written = {rule.name for rule in RULES if os.path.isfile(os.path.join(examples.folder(rule.layout), f"{rule.name}.toml"))}
    assert {rule.name for rule in RULES} - written == WITHOUT
    files = [path.name for layout in ["", *layouts.names()] for path in Path(examples.folder(layout)).iterdir()]
    assert sorted(name for name in files if name != "base.toml") == sorted(f"{name}.toml" for name in written)


@pytest.mark.parametrize("layout", layouts.names())
def test_the_store_below_the_examples_is_in_order(layout: str, tmp_path: Path) -> None:
    empty = examples.Example("", layout, "", (), (), "", "none", examples.base(layout), (), (), (), ())
    assert checked(empty, (), tmp_path / "root") == []


@pytest.mark.parametrize("rule", WITH, ids=lambda rule: rule.name)
def test_the_failing_example_fails_there_and_by_nothing_else(rule: Rule, tmp_path: Path) -> None:
    example = written(rule)
    found = checked(example, example.fails, tmp_path / "root")
    mine = [finding for finding in found if finding.rule == rule.name]
    assert [(finding.path, finding.line) for finding in mine] == [tuple(spot) for spot in example.findings]
    assert {finding.severity for finding in mine} == {rule.severity}, "the strongest that the rule reports"
    assert sorted({finding.rule for finding in found} - {rule.name}) == sorted(example.also), found


@pytest.mark.parametrize("rule", WITH, ids=lambda rule: rule.name)
def test_the_passing_example_passes_every_rule(rule: Rule, tmp_path: Path) -> None:
    example = written(rule)
    assert checked(example, example.passes, tmp_path / "root") == []


@pytest.mark.parametrize("rule", WITH, ids=lambda rule: rule.name)
def test_the_two_differ_in_little_and_are_short(rule: Rule) -> None:
    example = written(rule)
    parts = [file.part for file in (*example.before, *example.files, *example.fails, *example.passes)]
    assert example.fails != example.passes
    for part in parts:
        lines = (part.text or "").splitlines()
        assert len(lines) <= 40, f"{part.path}: too long to be read as an example"
        assert max(map(len, lines), default=0) <= 78, part.path
    assert 40 <= len(example.why) <= 500


def written(rule: Rule) -> examples.Example:
    example = examples.of(rule)
    assert example is not None
    return example
