"""The sections of memories and fragments, and the lines that say that one is empty."""

from __future__ import annotations

from time import process_time

import pytest

from memdesk.core import markdown
from memdesk.core.layouts.jonggrang.sections import SECTIONS, is_empty_line, section_of, sections
from tests.support.stores import feature_memory


@pytest.mark.parametrize(
    ("title", "name"),
    [
        *((name, name) for name in SECTIONS), ("context", "Context"), ("FACTS:", "Facts"), ("**Lessons learned**", SECTIONS[3]),
        ("What Done &amp; Why", SECTIONS[2]), ("What done and why", SECTIONS[2]), ("What Done + Why", SECTIONS[2]),
        ("What Done&Why", SECTIONS[2]), ("Open Questions/What Next", SECTIONS[4]), ("open questions - what next?", SECTIONS[4]),
        ("3. What Done & Why", SECTIONS[2]), ("  Promotion   candidates ", SECTIONS[5]),
    ],
)
def test_a_section_in_whatever_spelling(title: str, name: str) -> None:
    assert section_of(title) == name


@pytest.mark.parametrize(
    "title", ["", "Fact", "Lessons", "Open Questions", "What Next", "Done", "Facts and Context", "F" * 500]
)
def test_other_words_name_another_section(title: str) -> None:
    assert section_of(title) is None


@pytest.mark.parametrize(
    "text",
    [
        "_(none yet)_", "*(none yet)*", "**(None yet)**", "_(none)_", "_(none so far, see the notes)_", "_(none yet (really))_",
        "_(None.)_", "(none yet)", "(none)", "None", "none yet.", "_none yet_", " _(none yet)_ ", "_(none yet)",
    ],
)
def test_a_line_that_says_that_there_is_none(text: str) -> None:
    assert is_empty_line(text)


@pytest.mark.parametrize(
    "text",
    [
        "", "none of the sites has a network", "(none of the sites has a network)", "_(nonempty)_", "_(none yet)_ but one",
        "_(none yet)_\n_(none yet)_", "Not yet", "nonesuch", "_none of it_", "_(some)_", "_(none " + "x" * 300 + ")_",
    ],
)
def test_a_line_that_says_something(text: str) -> None:
    assert not is_empty_line(text)


def of(text: str) -> list[tuple[str, str, str]]:
    page = markdown.parse(text.encode())
    return [(one.name, one.title, page.data[one.start : one.end].decode().strip()) for one in sections(page)]


def test_the_sections_of_a_memory() -> None:
    found = of(feature_memory(facts="- a\n\n### More\n\n- b"))
    assert [name for name, _, _ in found] == list(SECTIONS)
    assert found[1] == ("Facts", "Facts", "- a\n\n### More\n\n- b")


def test_unknown_sections_go_by_their_own_title() -> None:
    found = of("# T\n\n## Facts\n\na\n\n## Odd  one\n\nb\n\n# U\n\nc\n")
    assert found == [("Facts", "Facts", "a"), ("Odd one", "Odd one", "b")]


def test_sections_are_at_the_level_of_the_first_that_has_a_name() -> None:
    assert of("# Facts\n\na\n\n## Context\n\nb\n\n# Other\n\nc\n") == [
        ("Facts", "Facts", "a\n\n## Context\n\nb"), ("Other", "Other", "c"),
    ]
    assert of("# T\n\n### Facts\n\na\n\n## X\n\nb\n") == [("Facts", "Facts", "a")]
    assert of("- # Facts\n\n> ## Facts\n\n```\n## Facts\n```\n\n## X\n\na\n") == [("X", "X", "a")]
    assert of("Facts\n---\n\na\n\nContext\n---\n\nb\n") == [("Facts", "Facts", "a"), ("Context", "Context", "b")]


def test_thousands_of_sections_take_time_that_grows_with_them() -> None:
    def taken(number: int) -> float:
        page = markdown.parse(b"".join(b"## h%d\n\n### x\n\n" % at for at in range(number)))
        assert page.blocks
        started = process_time()
        assert len(sections(page)) == number
        return process_time() - started

    assert min(taken(8000) / taken(2000) for _ in range(3)) < 9  # 4 is linear, 16 quadratic
