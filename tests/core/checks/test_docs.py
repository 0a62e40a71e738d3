"""docs/rules.md is what the registry says: written by `python -m tests.core.checks.test_docs`, kept current by this test."""

from __future__ import annotations

from pathlib import Path

from markdown_it import MarkdownIt

from memdesk.core.checks import examples, registry
from memdesk.core.checks.allow import NEVER
from memdesk.core.checks.rule import Rule
from memdesk.tui.report.rules import shown

PAGE = Path(__file__).parents[3] / "docs" / "rules.md"

HEAD = """\
# Rules of the check

`memdesk --check` runs these rules over every store of a workspace. Each says how much it looked at; a pass over nothing says
0, and a rule that could not look says why it was skipped. `memdesk --check --list-rules` prints the list, and
`memdesk --check --explain RULE` one of them. An error makes the check fail (exit 1). What only meaning can settle is marked
"possible": always a warning, even with `--strict`, which makes other warnings errors.

The examples are what the check is tested with. Their files lie on top of a small valid store (`core/layouts/NAME/examples/`,
base.toml): what fails yields that finding, what passes yields none at all. Both are as alike as can be.

"""

ALLOW = """\
## Allowing a finding

`<!-- memdesk: allow RULE reason -->` takes one rule's findings off one place. In an entry it holds for that entry; alone on
a line, for the block below it; right on top of a heading, for the entry under that heading; before the first entry of a
file, also for what is reported of the file as a whole, such as `over-budget` or `struck-lost`. The reason is required. In a
fence or a code span it is only an example of one. These can't be allowed: {never}.

## What no rule can check

Every report ends with this list, because a pass says nothing about it:

{not_checked}
"""


def page() -> str:
    """The text of docs/rules.md."""
    every = registry.rules()
    parts = [HEAD]
    for layout in dict.fromkeys(rule.layout for rule in every):
        mine = [rule for rule in every if rule.layout == layout]
        links = ", ".join(f"[{rule.name}](#{rule.name}-{rule.severity})" for rule in mine)
        title = f"Layout `{layout}`" if layout else "Every layout"
        parts += [f"## {title}\n\n{links}\n\n", *map(_entry, mine)]
    never = ", ".join(f"`{rule.name}`" for rule in every if rule.name in NEVER)
    parts.append(ALLOW.format(never=never, not_checked="\n".join(f"- {line}" for line in registry.NOT_CHECKED)))
    return "".join(parts)


def _entry(rule: Rule) -> str:
    parts = [f"### `{rule.name}` ({rule.severity})", f"Reports {rule.title}. {rule.remedy} Counts {rule.unit}."]
    example = examples.of(rule)
    parts += [example.why, "<details><summary>Examples</summary>", *shown(example), "</details>"]
    return "\n\n".join(parts) + "\n\n"


def test_the_page_is_current() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "run `python -m tests.core.checks.test_docs`"


def test_the_page_shows_the_files_of_the_examples_as_they_are() -> None:
    """A renderer of CommonMark finds each of them in a block of its own, to the letter, whatever it holds."""
    tokens = MarkdownIt("commonmark").parse(PAGE.read_text(encoding="utf-8"))
    found = [token.content for token in tokens if token.type in ("fence", "code_block")]
    written = [examples.of(rule) for rule in registry.rules()]
    sides = [(*one.files, *one.before, *one.fails, *one.passes) for one in written]
    assert found == [file.part.text for side in sides for file in side if file.part.text is not None]
    folds = [token.content.strip() for token in tokens if token.type == "html_block"]
    assert folds == ["<details><summary>Examples</summary>", "</details>"] * len(written)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
