"""The Markdown reader: the specification's sections, exact places, what can't be edited, and hostile texts."""

from __future__ import annotations

import time

import pytest

from memdesk.core import markdown
from memdesk.core.markdown import Block, Page
from tests.support.commonmark import EXAMPLES, outline, peer

SECTIONS: dict[str, list[tuple[str, str]]] = {}
for _section, _text, _expected in EXAMPLES:
    SECTIONS.setdefault(_section, []).append((_text, _expected))


def read(text: str) -> Page:
    return markdown.parse(text.encode())


def spans(page: Page) -> list[tuple[str, str]]:
    return [(block.kind, page.text[block.start : block.end]) for block in page.blocks]


def inners(page: Page, kind: str) -> list[str]:
    return [page.text[block.inner[0] : block.inner[1]] for block in page.blocks if block.kind == kind]


@pytest.mark.parametrize("section", SECTIONS)
def test_examples_of_every_section(section: str) -> None:
    for text, expected in SECTIONS[section]:
        assert (text, outline(read(text).blocks)) == (text, expected)
        assert (text, outline(read(text).blocks, definitions=False)) == (text, peer(text))


@pytest.mark.parametrize("section", SECTIONS)
def test_crlf_reads_as_lf_does(section: str) -> None:
    for text, expected in SECTIONS[section]:
        crlf = read(text.replace("\n", "\r\n"))
        assert (text, outline(crlf.blocks)) == (text, expected)
        for ours, theirs in zip(crlf.blocks, read(text).blocks, strict=True):
            for one, two in ((ours.start, theirs.start), (ours.end, theirs.end)):
                assert one == two + text.encode()[:two].count(b"\n")
            inner = crlf.text[slice(*ours.inner)].replace("\r\n", "\n")
            assert inner == text.encode().decode("latin-1")[slice(*theirs.inner)]


# Where markdown-it-py leaves the specification, the reference implementation decides.
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("> a\n        > b\n", "q:1-2", id="a lazy line may be indented"),
        pytest.param(">\n    >\n", "q:1 c:2", id="four columns before a quote mark are code"),
        pytest.param("-    a\n    <!--\n", "i:1-2 .p:1-2", id="an indented comment is lazy text"),
        pytest.param("* [a]: /b\nc\n", "i:1-2 .d:1 .p:2", id="what follows a definition lazily is the item's"),
        pytest.param("[a]: /b\n    c\n", "d:1 p:2", id="no code right after a definition"),
        pytest.param("> > a\n<b>\n    <!X\n", "q:1-3", id="a lone tag can't interrupt, not even lazily"),
    ],
)
def test_where_the_specification_decides(text: str, expected: str) -> None:
    assert outline(read(text).blocks) == expected


def test_spans_are_whole_lines_up_to_the_last_non_blank_one() -> None:
    page = read("# T\n\n- a\n  b\n\n\n- c\n\n  d\n\n\nend")
    assert spans(page) == [
        ("heading", "# T\n"), ("item", "- a\n  b\n"), ("paragraph", "- a\n  b\n"), ("item", "- c\n\n  d\n"),
        ("paragraph", "- c\n"),
        ("paragraph", "  d\n"), ("paragraph", "end"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("line", "inner"),
    [
        ("# a #", "a"), ("#  a b\t##  ", "a b"), ("## C#", "C#"), ("## Rule ##", "Rule"), ("# a \\#", "a \\#"), ("#", ""),
        ("# ##", ""),
        ("### é ✓", "é ✓"), ("# a # b", "a # b"), ("# ~~a~~", "~~a~~"),
    ],
)  # fmt: skip
def test_a_headings_text(line: str, inner: str) -> None:
    page = read(line + "\r\n")
    assert page.title(page.blocks[0]) == inner
    assert page.data[slice(*page.blocks[0].inner)].decode() == inner


def test_inner_spans() -> None:
    page = read(
        "A\n b\n==\n\n- one\n  two\n\n  three\n1) # H\n-\n  late\n\n```py\nx\n\n```\n\n~~~\n~~~\n\n    c\n\n\n[a]: /b\n"
    )
    assert inners(page, "heading") == ["A\n b", "H"]
    assert page.title(page.blocks[0]) == "A b"
    assert inners(page, "item") == ["one\n  two", "H", "late"]
    assert inners(page, "fence") == ["x\n\n", ""]
    assert inners(page, "code") == ["c"]
    assert inners(page, "definition") == ["[a]: /b"]


def test_markers_depths_and_parents() -> None:
    page = read("+ a\n  1) b\n\n     > q\n     > - hidden\n* c\n~~~~ x\n~~~~\n***\nS\n-\n<!-- c -->\n")
    found = [(block.kind, block.marker, block.depth, block.parent) for block in page.blocks]
    assert found == [
        ("item", "+", 0, -1), ("paragraph", "", 1, 0), ("item", "1)", 1, 0), ("paragraph", "", 2, 2), ("quote", ">", 2, 2),
        ("item", "*", 0, -1), ("paragraph", "", 1, 5), ("fence", "~~~~", 0, -1), ("rule", "*", 0, -1), ("heading", "-", 0, -1),
        ("html", "2", 0, -1),
    ]  # fmt: skip


def test_offsets_are_bytes_whatever_the_characters() -> None:
    page = read("# é\n\n- 日本語 🙂\n- \u0085 \u00a0 \u2028x\n")
    first, second = (block for block in page.blocks if block.kind == "item")
    assert page.data[first.start : first.end].decode() == "- 日本語 🙂\n"
    assert page.data[slice(*second.inner)].decode() == "\u0085 \u00a0 \u2028x"


def test_bytes_that_are_no_utf8_keep_their_places() -> None:
    page = markdown.parse(b"- a\xff\x85\n- \xa0b\n")
    assert [page.data[slice(*block.inner)] for block in page.blocks if block.kind == "item"] == [b"a\xff\x85", b"\xa0b"]


@pytest.mark.parametrize(
    ("text", "newline"),
    [("", "\n"), ("a", "\n"), ("a\nb\r\n", "\n"), ("a\r\nb\r\nc\n", "\r\n"), ("a\rb\rc\n", "\n"), ("a\r\n", "\r\n")],
)
def test_the_majority_newline(text: str, newline: str) -> None:
    assert read(text).newline == newline


def test_line_of_counts_line_feeds_alone() -> None:
    page = read("a\r\nb\rc\x0cd\u2028e\nf")
    assert [page.line_of(page.text.index(char)) for char in "abcdef"] == [1, 2, 2, 2, 2, 3]
    assert page.line_of(0) == 1
    assert page.line_of(len(page.text)) == 3


def test_sections_hold_their_subsections_and_end_at_text() -> None:
    page = read("intro\n\n# T\n\n## A\n\n- a\n\n### A1\n\nx\n\n\n## B\n\n- # inner\n\n# U\n\n## C")
    found = page.sections(2)
    assert [page.text[section.start : section.end] for section in found] == [
        "## A\n\n- a\n\n### A1\n\nx\n", "## B\n\n- # inner\n", "## C",
    ]  # fmt: skip
    assert [page.blocks[index].kind for index in found[0].blocks] == ["item", "paragraph", "heading", "paragraph"]
    assert [section.heading.line for section in page.sections(1)] == [3, 18]
    assert page.sections(4) == []


@pytest.mark.parametrize(
    ("text", "kind", "line", "start"),
    [
        ("# T\n\n```\n## Fake\n", "fence", 3, 5), ("~~~~\na\n~~~\n\n\n", "fence", 1, 0),
        ("a\n\n<!--\n## Fake\n", "comment", 3, 3),
        ("<script>\na\n\n# b\n", "html", 1, 0), ("- a\n\n<?x\n", "html", 3, 5), ("---\na: b\n\n# T\n", "front matter", 1, 0),
    ],
)  # fmt: skip
def test_what_never_closes(text: str, kind: str, line: int, start: int) -> None:
    page = read(text)
    assert page.unclosed == (kind, line, start)
    assert not any(block.kind == "heading" and block.start > start for block in page.blocks) or kind == "front matter"


@pytest.mark.parametrize(
    "text",
    [
        "```\na\n```", "<!-- a -->", "<!-->\n# a\n", "<div>\n# a", "a <!-- b\n", "> ```\n\na\n", "---\n\na\n",
    ],
)  # fmt: skip
def test_what_does_close(text: str) -> None:
    page = read(text)
    assert page.unclosed is None
    assert page.faults == []


def test_an_unclosed_fence_in_an_item_ends_with_it_and_is_reported() -> None:
    page = read("- ```\n  code\n- next\n")
    assert outline(page.blocks) == "i:1-2 .f:1-2 i:3 .p:3"
    assert page.unclosed is None
    assert [fault[:2] for fault in page.faults] == [("unclosed-block", 1)]


def test_nesting_beyond_a_hundred_is_one_locked_block() -> None:
    text = "# T\n\n" + "".join(" " * (2 * depth) + "- a\n" for depth in range(150)) + "\n- free\n"
    page = read(text)
    assert outline(page.blocks) == "h1:1 i:3-152 i:154 .p:154"
    assert page.locked == [(5, text.index("\n- free"))]
    assert [fault[:2] for fault in page.faults] == [("nesting", 103)]


def test_nesting_of_a_hundred_is_read() -> None:
    page = read("".join(" " * (2 * depth) + "- a\n" for depth in range(100)))
    assert page.locked == page.faults == []
    assert max(block.depth for block in page.blocks) == 100


def test_a_value_read_twice_is_equal() -> None:
    text = "".join(example for _, example, _ in EXAMPLES)
    assert read(text).blocks == read(text).blocks


def test_a_lone_cr_ends_blocks_and_counts_no_line() -> None:
    page = read("# a\r- b\r\r```\rc\r```\rd\n# e\n")
    assert [(block.kind, block.line) for block in page.blocks if not block.depth] == [
        ("heading", 1), ("item", 1), ("fence", 1), ("paragraph", 1), ("heading", 2),
    ]  # fmt: skip


# F19: front matter or a rule. `test_frontmatter.py` has the other half.


@pytest.mark.parametrize("head", ["---\na: b\n---\n", "\ufeff---\r\na: b\r\n---\r\n", "--- \na: b\n...\n"])
def test_f19_front_matter_is_no_block(head: str) -> None:
    page = read(head + "# T\n")
    assert page.front == (page.bom, len(head.encode()))
    assert outline(page.blocks) == "h1:4"
    assert page.faults == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("---\n\n## Only a rule\nnote: text\n---\n\n# T\n", "r:1 h2:3 h2:4-5 h1:7"),
        ("---\n- a\n---\n# T\n", "r:1 i:2 .p:2 r:3 h1:4"),
        ("---\nword\n---\n", "r:1 h2:2-3"), ("---\n---\n# T\n", "r:1 r:2 h1:3"), ("---\na: [\n---\n", "r:1 h2:2-3"),
    ],
)  # fmt: skip
def test_f19_what_is_no_mapping_is_body_with_a_fault(text: str, expected: str) -> None:
    page = read(text)
    assert page.front is None
    assert outline(page.blocks) == expected == peer(text)
    assert [fault[:2] for fault in page.faults] == [("front-matter", 1)]


@pytest.mark.parametrize(
    "text",
    [
        "----\na: b\n---\n", " ---\na: b\n---\n", "\n---\na: b\n---\n", "--- a\na: b\n---\n", "***\na: b\n***\n",
    ],
)  # fmt: skip
def test_f19_what_does_not_open_like_front_matter_is_body_without_a_fault(text: str) -> None:
    page = read(text)
    assert (page.front, page.unclosed, page.faults) == (None, None, [])
    assert outline(page.blocks) == peer(text)


def test_f19_a_bom_before_a_heading_hides_nothing() -> None:
    page = markdown.parse(b"\xef\xbb\xbf# T\n\n- a\n")
    assert page.bom == 3
    assert outline(page.blocks) == "h1:1 i:3 .p:3"
    assert page.blocks[0].start == 3


# F21: headings that are none, and sections that are.


@pytest.mark.parametrize(
    ("text", "titles"),
    [
        ("## A\n\n````\n```\n## Fake\n```\n## Fake\n````\n## B\n", ["A", "B"]),
        ("```\n~~~\n## Fake\n```\n## A\n~~~\n## Fake\n~~~\n", ["A"]),
        ("## A\n\n```\n## Fake\n", ["A"]),
        ("<!-- x\n## Fake\n\n## Fake\n-->\n## A\n", ["A"]),
        ("## Shown <!-- todo -->\n", ["Shown <!-- todo -->"]),
        ("Decisions\n---------\n\n- bullet\n---\n", ["Decisions"]),
        ("## Rule ##\n##NoSpace\n", ["Rule"]),
        ("    ## Code\n\n- a\n\n      ## Code\n\n> ## Quoted\n", []),
        ("## MC-DEC-1 - T\n\n```md\n## MC-DEC-1 - T\n```\n", ["MC-DEC-1 - T"]),
        ("- ```\n  ## Fake\n  ```\n- ~~~ info ```\n\n  ## Fake\n  ~~~\n## A\n", ["A"]),
        ("```a`b\n## A\n", ["A"]),
        ("\\## No\n\n&#35;# No\n", []),
        ("## A\n<div>\n## Fake\n</div>\n\n## B\n", ["A", "B"]),
    ],
)
def test_f21_only_real_headings_are_headings(text: str, titles: list[str]) -> None:
    for ending in ("\n", "\r\n"):
        page = read(text.replace("\n", ending))
        assert [page.title(section.heading) for section in page.sections(2)] == titles


# F23: what a line is, and the last newline.


def test_f23_only_line_feeds_end_lines() -> None:
    page = read("- a\u2028b\x0cc\x0b\u0085d\n- next\n")
    assert outline(page.blocks) == "i:1 .p:1 i:2 .p:2"
    assert page.data[page.blocks[2].start : page.blocks[2].end] == b"- next\n"


@pytest.mark.parametrize("text", ["", "\n", "\n\n\n", "  \n\t\n", "\r\n", "\r", "\ufeff", "\ufeff\n", " ", "\t"])
def test_f23_texts_without_a_block(text: str) -> None:
    page = read(text)
    assert page.blocks == []
    assert (page.unclosed, page.faults) == (None, [])


@pytest.mark.parametrize(
    "text",
    [
        "# a", "a", "- a", "- a\n  - b", "> a", "```\na\n```", "    a", "***", "a\n===", "[a]: /b", "<!-- a -->", "-",
    ],
)  # fmt: skip
def test_f23_a_missing_last_newline_stays_missing(text: str) -> None:
    without, having = read(text), read(text + "\n")
    assert outline(without.blocks) == outline(having.blocks)
    assert max(block.end for block in without.blocks) == len(text)
    assert max(block.end for block in having.blocks) == len(text) + 1


HOSTILE = {
    "items in a line": lambda n: "- " * n + "a\n", "quotes in a line": lambda n: "> " * n + "a\n",
    "both": lambda n: "> * - " * n,
    "one long line": lambda n: "a" * (9 * n), "blanks": lambda n: " " * (9 * n) + "x", "tabs": lambda n: "\t" * (9 * n) + "x",
    "blank lines": lambda n: "\n" * (9 * n), "an item and blank lines": lambda n: "- a\n" + "\n" * (9 * n) + "x",
    "almost a rule": lambda n: ("* " * 50 + "x\n") * (n // 50), "hashes": lambda n: "#" * (9 * n),
    "ticks": lambda n: "`" * (9 * n),
    "open comments": lambda n: "<!-- a\n" * n, "comments in items": lambda n: "- <!--\n" * n, "divs": lambda n: "<div>\n" * n,
    "attributes": lambda n: "<a " + "b=c " * n, "open quotes in tags": lambda n: "<a b='\n" * n,
    "definitions": lambda n: "[a]: /b\n" * n,
    "titles that never close": lambda n: "[a]: /b\n'c\n" * n, "brackets": lambda n: "[" * (9 * n),
    "parentheses": lambda n: "[a]: " + "(" * n,
    "lazy lines": lambda n: "> " * 90 + "a\n" + "=x\n" * n, "setext": lambda n: "a\n=\n" * n,
    "fences in items": lambda n: "- ```\n" * n,
    "deep and blank": lambda n: "- " * 90 + "a\n" + ("\n" + " " * 180 + "b\n") * (n // 90), "numbers": lambda n: "1" * (9 * n),
    "yaml brackets": lambda n: "---\na: " + "[" * n + "\n---\n", "lone carriage returns": lambda n: "- a\r" * n,
}  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_texts_take_linear_time(name: str) -> None:
    """Eight times the text may take no more than about eight times as long; a quadratic reader takes 64 times."""

    def seconds(size: int) -> float:
        text = HOSTILE[name](size)
        start = time.process_time()
        read(text)
        return time.process_time() - start

    small = max(min(seconds(500) for _ in range(3)), 0.0005)
    assert min(seconds(4000) for _ in range(2)) < 24 * small


def test_blocks_are_in_order_and_inside_their_parents() -> None:
    page = read("".join(f"{text}\n\n" for _, text, _ in EXAMPLES if "```" not in text and "<" not in text))
    before: Block | None = None
    for block in page.blocks:
        assert 0 <= block.start < block.end <= len(page.text)
        assert block.start <= block.inner[0] <= block.inner[1] <= block.end
        if before is not None:
            assert (before.start, before.depth) <= (block.start, block.depth) or before.end <= block.start
        if block.parent >= 0:
            parent = page.blocks[block.parent]
            assert parent.kind == "item"
            assert parent.start <= block.start
            assert block.end <= parent.end
            assert block.depth == parent.depth + 1
        before = block
