"""`--list-rules` and `--explain`: every rule, within 80 columns, with its examples, and no name that is none."""

from __future__ import annotations

from textwrap import indent

import pytest

from memdesk.core.checks import examples, registry
from tests.support.commands import Here


def test_the_list_has_every_rule_by_layout_within_80_columns(here: Here) -> None:
    listed = here("--check", "--list-rules")
    lines = listed.out.splitlines()
    assert (listed.code, listed.err) == (0, "")
    assert max(map(len, lines)) <= 80
    assert [line.split()[0] for line in lines if line[:1].islower()] == [rule.name for rule in registry.rules()]
    layouts = [line for line in lines if line[:1].isupper()]
    assert layouts == ["Every layout:", *(f"Layout {name}:" for name in registry.layouts.names())]
    told = {rule.name: rule for rule in registry.rules()}["two-versions"]
    start = next(number for number, line in enumerate(lines) if line.startswith("two-versions"))
    words = " ".join(" ".join(lines[start : start + 3]).split())
    assert words == f"two-versions error {told.title}"


def test_each_rule_is_explained_within_80_columns(here: Here) -> None:
    for rule in registry.rules():
        explained = here("check", "--explain", rule.name)
        assert (explained.code, explained.err) == (0, "")
        assert explained.out.startswith(f"{rule.name} ({rule.severity}; ")
        assert max(map(len, explained.out.splitlines())) <= 80, rule.name
        words = " ".join(explained.out.split())
        for part in (f"Reports: {rule.title}.", f"Remedy: {rule.remedy}"):
            assert " ".join(part.split()) in words
        assert _tells(explained.out, examples.of(rule)), rule.name


def test_what_is_shown_of_an_example(here: Here) -> None:
    told = here("check", "--explain", "owner-clash").out
    assert "In both examples:\n\n- `docs/memory/manifest.md` (from line 5):\n\n  ```markdown\n" in told
    assert "This fails, at `docs/memory/decisions.md:18`, `## MC-DEC-" in told
    told = here("check", "--explain", "control-character").out
    assert "what can't be printed is written as an escape" in told
    assert "\\u202evsc. files alone." in told
    assert all(char.isprintable() or char == "\n" for char in told)
    told = here("check", "--explain", "struck-lost").out
    assert told.index("Before the change:") < told.index("This fails, at") < told.index("This passes:")
    told = here("check", "--explain", "link-outside").out
    assert "- `docs/memory/preferences.md`: a symbolic link to ../../../notes/preferences.md\n" in told
    assert "(with a finding of `route` too):" in told
    told = here("check", "--explain", "inbox-backlog").out
    assert "… 29 more like these …" in told
    told = here("check", "--explain", "conflict-marker").out
    assert not any(line.startswith(("<<<", "===", ">>>")) for line in told.splitlines()), "not at the start of a line"


@pytest.mark.parametrize(
    ("name", "near"),
    [
        ("secretz", "secret?"), ("over-budgets", "over-budget?"), ("budget", "over-budget or near-budget?"), ("", None),
        ("x" * 300, None), ("a\nb\x1b[31m", None), ("--list-rules", None),
    ],
)  # fmt: skip
def test_a_name_that_is_no_rule_is_told_with_the_nearest_and_exit_2(here: Here, name: str, near: str | None) -> None:
    ran = here("--check", f"--explain={name}")
    words = " ".join(ran.err.split())
    assert (ran.code, ran.out) == (2, "")
    assert max(map(len, ran.err.splitlines())) <= 80
    assert words.startswith("memdesk: There is no rule ")
    assert (f"Did you mean {near}" in words) if near else ("Did you mean" not in words)
    assert words.endswith("`memdesk --check --list-rules` lists them.")
    assert "\x1b" not in ran.err


def _tells(out: str, example: examples.Example) -> bool:
    """Whether an explanation says why, and shows each file of the examples as it is."""
    parts = [file.part for file in (*example.files, *example.before, *example.fails, *example.passes)]
    texts = [indent(part.text.rstrip("\n"), "  ") for part in parts if part.text is not None]
    return f"Why: {example.why}" in " ".join(out.split()) and all(part.path in out for part in parts) and all(
        text in out for text in texts
    )
