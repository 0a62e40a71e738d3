"""What counts as a fact, a tag and a struck line, by the plain reading of single lines and by Markdown's."""

from __future__ import annotations

import pytest

from memdesk.core import markdown
from memdesk.core.layouts.agent_memory import facts


def plain(text: str) -> list[tuple[int, tuple[str, ...], bool]]:
    lines = enumerate(text.split("\n"), 1)
    return [(fact.line, fact.tags, fact.struck) for fact in facts.plain(lines)]


def strict(text: str) -> list[tuple[int, int, tuple[str, ...], bool]]:
    found = facts.strict(markdown.parse(text.encode()))
    return [(fact.line, fact.end_line, fact.tags, fact.struck) for fact in found]


ONE = [
    # text, lines that the plain reading takes for facts, lines that Markdown does
    ("- a", [1], [1]), ("* a", [1], [1]), ("+ a", [1], [1]), ("1. a", [1], [1]), ("12) a", [1], [1]), ("-a", [], []),
    ("- ", [], []), ("-\ta", [1], [1]), ("- a\n  - b\n    1. c", [1, 2, 3], [1, 2, 3]), ("- - -", [1], []), ("* * *", [1], []),
    ("- - x", [1], [1]), ("```\n- a\n```", [2], []), ("<!--\n- a\n-->", [2], []), ("    - a", [1], []), ("> - a", [], []),
    ("- ```\n  x\n  ```", [1], []), ("- # Title", [1], [1]), ("- > q", [1], []), ("text\n- a", [2], [2]),
    ("- a\r\n- b\r", [1, 2], [1, 2]),
    ("---\ntags:\n  - a\n---\n\n- b", [3, 6], [6]), ("\ufeff- a", [1], [1]), ("1234567890. a", [1], []), ("-\u00a0a", [1], []),
    ("a\n\n  - b", [3], [3]), ("- <!-- note -->", [1], []), ("- [ ] todo", [1], [1]), ("~~~\n- a", [2], []),
]  # fmt: skip


@pytest.mark.parametrize(("text", "by_line", "by_markdown"), ONE, ids=[repr(text) for text, _, _ in ONE])
def test_what_a_fact_line_is(text: str, by_line: list[int], by_markdown: list[int]) -> None:
    assert [line for line, _, _ in plain(text)] == by_line
    assert sorted({line for line, _, _, _ in strict(text)}) == by_markdown


def test_a_tag_or_strike_counts_on_the_line_or_in_the_first_paragraph() -> None:
    text = (
        "- a [stated]\n"
        "- b\n  goes on [observed]\n"
        "- c\n\n  later [stated]\n"
        "- d `[stated]`\n"
        "- e [stated](x.md)\n"
        "- f <!-- [stated] -->\n"
        "- g ~~old~~ new\n"
        "- h `~~x~~`\n"
        "- i ~~over\n  two~~ lines\n"
        "- j ~~~~\n"
        "- k \\~~x\\~~\n"
        "- l [stated] [inferred]\n"
        "- m [guessed]\n"
        "- n\n  - o [stated]\n"
        "- p [stated]: q\n"
    )
    assert plain(text) == [
        (1, ("stated",), False), (2, (), False), (4, (), False), (7, ("stated",), False), (8, ("stated",), False),
        (9, ("stated",), False), (10, (), True), (11, (), True), (12, (), False), (14, (), True), (15, (), True),
        (16, ("stated", "inferred"), False), (17, (), False), (18, (), False), (19, ("stated",), False),
        (20, ("stated",), False),
    ]  # fmt: skip
    assert strict(text) == [
        (1, 1, ("stated",), False), (2, 3, ("observed",), False), (4, 4, (), False), (7, 7, (), False), (8, 8, (), False),
        (9, 9, (), False), (10, 10, (), True), (11, 11, (), False), (12, 13, (), True), (14, 14, (), False),
        (15, 15, (), False),
        (16, 16, ("stated", "inferred"), False), (17, 17, (), False), (18, 18, (), False), (19, 19, ("stated",), False),
        (20, 20, (), False),
    ]  # fmt: skip


def test_the_tags_can_be_others() -> None:
    assert [fact.tags for fact in facts.plain([(1, "- a [ingested] [stated]")], ("ingested",))] == [("ingested",)]
    assert [fact.tags for fact in facts.strict(markdown.parse(b"- a [ingested] [stated]"), ("ingested",))] == [("ingested",)]


def test_struck_lines_by_markdown() -> None:
    text = "~~a~~\n\n# ~~b~~\n\n- c ~~d\n  e~~ f\n- `~~g~~`\n\n~~~\n~~h~~\n~~~\n\nx\n~~i~~\n\n> ~~j~~\n\n~~k\n\nl~~\n"
    assert facts.struck_lines(markdown.parse(text.encode())) == {1, 3, 5, 6, 14}
    assert facts.struck_lines(markdown.parse("- é ~~ü~~\n".encode())) == {1}
    assert [facts.plainly_struck(line) for line in ("~~a~~", "~~~~", "~~~", "~~", "a ~~b", "`~~g~~`")] == [
        True, True, False, False, False, True,
    ]


def test_a_long_text_takes_no_time_to_mask() -> None:
    assert facts.outside("<!-- " * 3).strip() == ""
    text = "- " + "<!-- a --> b " * 5000
    assert len(facts.outside(text)) == len(text)
