"""The lines of the index: read in every spelling, and written so that they are read back."""

from __future__ import annotations

import pytest

from memdesk.core import markdown
from memdesk.core.layouts.tiers import indexlines
from memdesk.core.layouts.tiers.indexlines import IndexLine


def read(text: str) -> list[IndexLine]:
    return indexlines.of_page(markdown.parse(text.encode()))


def parts(line: str) -> tuple[str, str, str]:
    found = read(line + "\n")
    assert len(found) == 1, found
    return found[0][3:6]


@pytest.mark.parametrize(
    ("line", "name", "target", "description"),
    [
        ("- [a](facts/a.md): What it says", "a", "facts/a.md", "What it says"),
        ("- [a](facts/a.md) \u2014 What it says", "a", "facts/a.md", "What it says"),
        ("- [a](facts/a.md) \u2013 What it says", "a", "facts/a.md", "What it says"),
        ("- [a](facts/a.md) - What it says", "a", "facts/a.md", "What it says"),
        ("- [a](facts/a.md) -- What it says", "a", "facts/a.md", "What it says"),
        ("- [a](facts/a.md) | What it says", "a", "facts/a.md", "What it says"),
        ("* **[a](facts/a.md)**: What it says", "a", "facts/a.md", "What it says"),
        ("- **[a](facts/a.md):** What it says", "a", "facts/a.md", "What it says"),
        ("3. [a](./facts/a.md)", "a", "facts/a.md", ""),
        ("- [a](<facts/two words.md>): x", "a", "facts/two words.md", "x"),
        ("- [a](facts/two%20words.md): x", "a", "facts/two words.md", "x"),
        ("- [a](facts/a_(b).md): x", "a", "facts/a_(b).md", "x"),
        ('- [a](facts/a.md "A title: x"): x', "a", "facts/a.md", "x"),
        ("- [a](facts/a.md#why): x", "a", "facts/a.md", "x"),
        ("- [a \\[b\\] c](facts/a.md): x", "a [b] c", "facts/a.md", "x"),
        ("- [a [b] c](facts/a.md): x", "a [b] c", "facts/a.md", "x"),
        ("- [x] [a](facts/a.md): x", "a", "facts/a.md", "x"),
        ("- [a](facts/a.md): two\n  lines", "a", "facts/a.md", "two lines"),
        ("- [a](facts/a.md): -5 degrees", "a", "facts/a.md", "-5 degrees"),
        ("- [a](facts/a.md): see [b](b.md)", "a", "facts/a.md", "see [b](b.md)"),
        ("- [[a]]: x", "a", "a", "x"),
        ("- [[facts/a|The a]] - x", "The a", "facts/a", "x"),
        ("- [caf\u00e9](facts/caf\u00e9.md): \u00fcber", "caf\u00e9", "facts/caf\u00e9.md", "\u00fcber"),
        ("- [\u00e0 propos](facts/\u00e0.md): x", "\u00e0 propos", "facts/\u00e0.md", "x"),
    ],
)
def test_what_a_line_says(line: str, name: str, target: str, description: str) -> None:
    assert parts(line) == (name, target, description)
    assert parts(line.replace("\n", "\r\n")) == (name, target, description)


@pytest.mark.parametrize(
    "line",
    [
        "- See [a](facts/a.md)", "[a](facts/a.md): in a paragraph", "- [a](https://example.com/a.md): x", "- [a](#below): x",
        "- a.md", "- `[a](facts/a.md)`", "```\n- [a](facts/a.md)\n```", "- [a]: facts/a.md", "- ![a](a.png)",
        "- [a](mailto:x): y", "- [[#x]]",
    ],
)
def test_what_is_no_line_of_a_fact(line: str) -> None:
    assert read(line + "\n") == []


def test_where_lines_are() -> None:
    text = "\ufeff# Index\r\n\r\nIntro.\r\n\r\n- [a](a.md): x\r\n- Group\r\n  - [b](b.md): y\r\n    more\r\n\r\n- [c](c.md)"
    data = text.encode()
    found = indexlines.of_page(markdown.parse(data))
    assert [(line.name, line.line) for line in found] == [("a", 5), ("b", 7), ("c", 10)]
    assert [data[line.start : line.end].decode() for line in found] == [
        "- [a](a.md): x\r\n", "  - [b](b.md): y\r\n    more\r\n", "- [c](c.md)",
    ]
    assert found[1].description == "y more"


def test_a_line_that_holds_others_is_a_line_of_its_own() -> None:
    found = read("- [a](a.md): x\n  - [b](b.md): y\n- [c](c.md): z\n")
    assert [(line.name, line.description) for line in found] == [("a", "x"), ("b", "y"), ("c", "z")]


@pytest.mark.parametrize("name", ["a", "two words", "a [b]", "back\\slash", "\u00e0", "50%"])
@pytest.mark.parametrize("target", ["facts/a.md", "facts/two words.md", "facts/a(b.md", "50%20.md", "\u00e0/#1.md", "a?b.md"])
def test_what_is_written_is_read_back(name: str, target: str) -> None:
    assert parts(indexlines.render(name, target, "It says: x")) == (name, target, "It says: x")
    assert parts(indexlines.render(name, target, "")) == (name, target, "")


def test_the_usual_form() -> None:
    assert indexlines.render("a", "facts/a.md", "What it says") == "- [a](facts/a.md): What it says"
