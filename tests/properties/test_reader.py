"""The reader against markdown-it-py on generated documents, and what must hold of any text at all."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from memdesk.core import markdown
from memdesk.core.blocks import scan
from tests.support.commonmark import outline, peer

# Documents made of nested blocks. Definitions are followed by a blank line, and no line is indented by more than its
# containers need: there markdown-it-py leaves the specification (`test_markdown.py` has such cases, decided by the
# reference implementation).

WORDS = st.sampled_from(["a", "text b", "**b** c", "`x` y", "2026-01-02 | z", "1x", "_u_", "#no", "|t|", "[x] y", "é 日"])
LEAVES = st.one_of(
    st.lists(WORDS, min_size=1, max_size=3),
    st.builds(lambda level, word: ["#" * level + " " + word], st.integers(1, 6), WORDS),
    st.builds(lambda word, mark: [word, mark], WORDS, st.sampled_from(["===", "---", "=", "-----"])),
    st.builds(
        lambda mark, info, body, end: [mark + info, *body, mark + end],
        st.sampled_from(["```", "~~~", "````", "~~~~~"]), st.sampled_from(["", " py", "md"]),
        st.lists(st.sampled_from(["x", "## Fake", "", "``", "~~", "- i", "<!--", "> q", "    y", "---"]), max_size=4),
        st.sampled_from(["", "  "]),
    ),
    st.sampled_from([["***"], ["- - -"], ["_____"], ["    code", "", "      more"], ["[r]: /u 'title'", ""]]),
    st.sampled_from([
        ["<!-- c", "", "## Fake -->"], ["<div>", "*a*", "</div>", ""], ["<script>", "", "- x", "</script>"], ["<b>", "t", ""],
    ]),
)  # fmt: skip


def _item(marker: str, gap: int, blocks: list[list[str]], loose: bool) -> list[str]:
    lines = _joined(blocks, loose) or [""]
    width = len(marker) + gap
    if lines[0].startswith("    "):
        lines = ["a", "", *lines]
    return [marker + " " * gap + lines[0], *(" " * width + line if line else "" for line in lines[1:])]


def _joined(blocks: list[list[str]], loose: bool) -> list[str]:
    lines: list[str] = []
    for block in blocks:
        indented = block[0].startswith("    ")
        if lines and lines[-1] and (loose or indented):
            lines.append("")
        lines += block
    return lines


def _nested(inner: st.SearchStrategy[list[str]]) -> st.SearchStrategy[list[str]]:
    blocks = st.lists(inner, min_size=1, max_size=3)
    items = st.builds(_item, st.sampled_from(["-", "*", "+", "1.", "1)", "10."]), st.integers(1, 4), blocks, st.booleans())
    quotes = st.builds(lambda parts, loose: [("> " + line).rstrip() for line in _joined(parts, loose)], blocks, st.booleans())
    return st.one_of(items, items, quotes)


TREES = st.recursive(LEAVES, _nested, max_leaves=12)
DOCUMENTS = st.builds(_joined, st.lists(TREES, min_size=1, max_size=4), st.booleans())


@pytest.mark.slow
@given(DOCUMENTS)
@settings(max_examples=200)
def test_nested_documents_have_the_blocks_of_markdown_it(lines: list[str]) -> None:
    text = "\n".join(lines) + "\n"
    assert outline(scan(text).blocks, definitions=False) == peer(text)


@given(st.lists(st.sampled_from(["-", "*", "1.", "2)", "> "]), min_size=5, max_size=15), LEAVES, LEAVES, st.booleans())
@settings(max_examples=100)
def test_documents_of_depth_fifteen(markers: list[str], first: list[str], second: list[str], loose: bool) -> None:
    lines = _joined([first, second], loose)
    for marker in reversed(markers):
        lines = [("> " + line).rstrip() for line in lines] if marker == "> " else _item(marker, 1, [lines], loose)
    text = "\n".join(lines) + "\nlast\n\nend\n"
    assert outline(scan(text).blocks, definitions=False) == peer(text)


# Lines of any kind in any order: markers pile up, things interrupt each other, little of it is well made.

MARKS = st.lists(st.sampled_from(["> ", ">", "- ", "* ", "+ ", "1. ", "2) ", "10. ", "- - "]), max_size=3).map("".join)
BODIES = st.sampled_from([
    "a", "b c", "# h", "## h ##", "###", "#no", "---", "***", "- - -", "===", "--", "=", "```", "````", "``` x`", "~~~",
    "~~~~ i", "<div>", "</div>", "<!-- c", "-->", "<!-- c -->", "<b>", "<b> x", "<script>", "</script>", "<?x", "?>", "<!X",
    "[x]", "-", "*", "1.", "", "", "  ", "**b**", "_x_", "* * *x", "__", "_ _ _", "\\# x", "1234567890. x", "1x", "|a|", "- x",
    "2. y",
])  # fmt: skip
LINES = st.builds(lambda indent, marks, body: " " * indent + marks + body, st.sampled_from([0, 0, 0, 1, 2, 3]), MARKS, BODIES)


@pytest.mark.slow
@given(st.lists(LINES, min_size=1, max_size=9))
@settings(max_examples=600)
@example(["+", "  #", "", "  x"])
@example(["-\t|", "  ="])
def test_lines_in_any_order_have_the_blocks_of_markdown_it(lines: list[str]) -> None:
    text = "\n".join(lines) + "\n"
    assert outline(scan(text).blocks, definitions=False) == peer(text)


# Any text: bytes, endings, marks.

SOUP = st.lists(
    st.sampled_from([
        "\n", "\r\n", "\r", "\t", " ", "    ", "- ", "> ", "# ", "```", "~~~", "<!--", "-->", "<div>", "---", "...", "[a]: /b",
        "'", "a", "é", "\u2028", "\x0c", "\x00", "1. ", "=", "a: b", "\ufeff", "***", "~~",
    ]),
    max_size=40,
).map("".join)  # fmt: skip


@given(st.one_of(st.binary(max_size=200), SOUP.map(str.encode), DOCUMENTS.map("\r\n".join).map(str.encode)))
@settings(max_examples=250)
def test_any_bytes_give_blocks_in_order_inside_the_text(data: bytes) -> None:
    page = markdown.parse(data)
    text = page.text.replace("\r\n", " \n").replace("\r", "\n")
    floor = page.bom if page.front is None else page.front[1]
    tops = 0
    for index, block in enumerate(page.blocks):
        assert floor <= block.start < block.end <= len(data)
        assert block.start == floor or text[block.start - 1] == "\n"  # whole lines
        assert block.end == len(data) or text[block.end - 1] == "\n"
        assert text[block.start : block.end].rstrip(" \t\n")
        last = text[: block.end].removesuffix("\n").rpartition("\n")[2]
        assert last.strip(" \t"), "ends with its last non-blank line"
        assert block.start <= block.inner[0] <= block.inner[1] <= block.end
        assert (block.line, block.end_line) == (page.line_of(block.start), page.line_of(block.end - 1))
        if block.depth == 0:
            assert block.start >= tops
            assert block.parent == -1
            tops = block.end
        else:
            parent = page.blocks[block.parent]
            assert block.parent < index
            assert parent.kind == "item"
            assert parent.depth == block.depth - 1
            assert parent.start <= block.start
            assert block.end <= parent.end


@given(st.one_of(SOUP, DOCUMENTS.map("\n".join)).filter(lambda text: "\r" not in text))
@settings(max_examples=120)
def test_crlf_gives_the_blocks_of_lf(text: str) -> None:
    lf, crlf = scan(text), scan(text.replace("\n", "\r\n"))
    assert outline(crlf.blocks) == outline(lf.blocks)
    assert (crlf.unclosed and crlf.unclosed[:2]) == (lf.unclosed and lf.unclosed[:2])


@given(DOCUMENTS, DOCUMENTS)
@settings(max_examples=60)
def test_what_stands_after_a_closed_text_and_a_heading_does_not_depend_on_it(one: list[str], two: list[str]) -> None:
    first, second = "\n".join(one) + "\n\n# Between\n", "\n".join(two) + "\n"
    if scan(first).unclosed:
        return
    alone = [block for block in outline(scan(second, line=first.count("\n") + 1).blocks).split(" ") if block]
    assert outline(scan(first + second).blocks).split(" ")[-len(alone) :] == alone


@pytest.mark.slow
@given(st.lists(LINES, min_size=1, max_size=14))
@settings(max_examples=2500)
def test_many_more_lines_in_any_order(lines: list[str]) -> None:
    text = "\n".join(lines) + "\n"
    assert outline(scan(text).blocks, definitions=False) == peer(text)
