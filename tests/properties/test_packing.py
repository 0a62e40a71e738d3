"""Packing any text: whole units, within the budget, nothing lost, the same bytes each time."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from memdesk.core.layouts.base import LoadRequest
from memdesk.core.model import Cap, Document, Place, Store
from memdesk.core.packing import Taken, Units, pack, split, stripped, take
from memdesk.core.tokens import count
from tests.support.stores import STANDARD, manifest
from tests.support.trees import workspace

LINES = st.sampled_from(
    [
        "",
        "",
        "",
        "# Title",
        "# Again",
        "## Section",
        "## Other ##",
        "### Deep",
        "text",
        "two words",
        "- bullet",
        "- [x] task",
        "* star",
        "+ plus",
        "  - nested",
        "  continued",
        "1. numbered",
        "```",
        "````",
        "~~~",
        "<!--",
        "-->",
        "> quote",
        "> ## quoted",
        "---",
        "===",
        "    code",
        "\t- tabbed",
        "漢字かな",
        "[a]: /b",
        "<div>",
        "Reason:",
        "===== docs/memory/x.md =====",
        "\ufeff",
        "##",
        "-",
        "a\u2028b",
    ]
)
NEWLINES = st.sampled_from(["\n", "\n", "\n", "\r\n"])
TEXTS = st.builds(
    lambda lines, final: "".join(line + end for line, end in lines) + final, st.lists(st.tuples(LINES, NEWLINES), max_size=24),
    st.sampled_from(["", "last", "- last", "  "]),
)
BUDGETS = st.integers(min_value=0, max_value=40)


def document(text: str) -> Document:
    place = Place("decisions", "durable", Cap("tokens", 1, "test"))
    return Document("d.md", Store("custodian", ".", "test"), place, text.encode(), lambda _: [])


def pieces(text: str) -> tuple[str, Units]:
    found = document(text)
    return stripped(found.data), split(found)


@given(TEXTS)
@example("\ufeff# T\n\n## A\n")
@example("---\na: b\n---\n\n## A\n")
@example("    # code\n\n- a\n")
def test_title_and_units_are_the_whole_text_but_for_white_space(text: str) -> None:
    whole, units = pieces(text)
    at = 0
    for part in ([units.title] if units.title else []) + [unit.text for unit in units.units]:
        found = whole.index(part, at)
        assert not whole[at:found].strip()
        at = found + len(part)
    assert not whole[at:].strip()
    assert all(unit.text and unit.text == unit.text.strip() for unit in units.units)


@given(TEXTS)
def test_lines_of_units_are_where_they_say(text: str) -> None:
    _, units = pieces(text)
    lines = text.split("\n")
    for unit in units.units:
        assert lines[unit.line - 1].strip() == unit.text.partition("\n")[0].strip()


@given(TEXTS, BUDGETS)
def test_a_pack_is_within_the_budget_or_says_oversized(text: str, budget: int) -> None:
    whole, units = pieces(text)
    taken = take(units, whole, budget)
    assert taken.tokens == count(taken.text)
    assert taken.oversized == (taken.tokens > budget)


@given(TEXTS, BUDGETS)
def test_units_are_taken_whole_and_in_order(text: str, budget: int) -> None:
    whole, units = pieces(text)
    taken = take(units, whole, budget)
    kept = units.units[: len(units.units) - len(taken.omitted)]
    assert units.units == kept + taken.omitted
    if count(whole) <= budget:
        assert taken == Taken(whole, count(whole), False, ())
        return
    assert taken.text == "\n\n".join(([units.title] if units.title else []) + [unit.text for unit in kept])
    if taken.omitted and not taken.oversized:  # it stopped because the next would not fit
        assert taken.tokens + count(taken.omitted[0].text) > budget
    if taken.oversized and kept:  # what went over is the first unit, or the first after a preamble
        assert len(kept) == 1 or (len(kept) == 2 and kept[0].preamble)
        assert taken.tokens - count(kept[-1].text) <= budget or not kept[:-1]


@pytest.mark.slow
@given(TEXTS, BUDGETS)
def test_a_file_with_text_is_never_packed_to_nothing(text: str, budget: int) -> None:
    whole, units = pieces(text)
    assert bool(take(units, whole, budget).text) == bool(whole)


@given(TEXTS)
def test_without_a_budget_all_is_taken(text: str) -> None:
    whole, units = pieces(text)
    assert take(units, whole, None) == Taken(whole, count(whole), False, ())


@pytest.mark.slow
@given(TEXTS)
def test_units_begin_where_commonmark_has_sections_or_bullets(text: str) -> None:
    if text.startswith(("\ufeff", "---")) or "\u2028" in text or text != text.lstrip():
        return  # a mark and front matter are ours alone
    _, units = pieces(text)
    tokens = MarkdownIt("commonmark").parse(text.replace("\r\n", "\n"))
    headings = [
        token.map[0] + 1
        for token in tokens
        if token.type == "heading_open" and token.tag == "h2" and token.level == 0 and token.map
    ]
    bullets = []
    lists: list[str] = []
    for token in tokens:
        if token.type in ("bullet_list_open", "ordered_list_open"):
            lists.append(token.type)
        elif token.type in ("bullet_list_close", "ordered_list_close"):
            lists.pop()
        elif token.type == "list_item_open" and lists == ["bullet_list_open"] and token.level == 1 and token.map:
            bullets.append(token.map[0] + 1)
    starts = headings or bullets
    if starts:
        assert [unit.line for unit in units.units if not unit.preamble] == starts


@given(TEXTS, TEXTS, BUDGETS)
def test_same_files_same_bytes_and_no_text_passes_for_a_header(brief: str, decisions: str, budget: int) -> None:
    files: dict[str, str | bytes] = {f"docs/memory/{name}": text for name, text in STANDARD.items()}
    files["docs/memory/brief.md"] = brief.encode()
    files["docs/memory/decisions.md"] = decisions.encode()
    files["docs/memory/manifest.md"] = manifest(budgets=(f"decisions.md: {budget} tokens",))
    packs = []
    for _ in range(2):
        there = workspace(files)
        packs.append(pack(there, there.stores[0], LoadRequest("history")))
    assert packs[0] == packs[1]
    whole = packs[0]
    loaded = [file for file in whole.files if file.disposition == "loaded"]
    header = next(line for line in whole.text.split("\n") if line.endswith("=") and "docs/memory/brief.md" in line)
    bar = header.partition(" ")[0] + " "
    assert sum(line.startswith(bar) for line in whole.text.split("\n")) == len(loaded)
