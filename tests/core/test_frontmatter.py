"""Front matter: where it is, what it says, and where a value may be spliced. `test_markdown.py` has the block side of F19."""

from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memdesk.core import frontmatter, markdown
from memdesk.core.errors import StoreError


def page(text: str) -> markdown.Page:
    return markdown.parse(text.encode())


@pytest.mark.parametrize(
    ("text", "span"),
    [
        ("---\na: b\n---\n", (0, 13)), ("---\na: b\n---", (0, 12)), ("---\na: b\n...\nx", (0, 13)),
        ("---\t \na: b\n--- \t\nx", (0, 17)),
        ("\ufeff---\r\na: b\r\n---\r\n# T", (3, 19)), ("---\nd: |\n  ---\n  x\n---\nb", (0, 23)),
        ("---\n# c\na:\n  - b\n---\n", (0, 21)),
        ("---\na: {b: c}\n---\n---\n", (0, 18)), ("---\n'a b': c\n---\n", (0, 17)), ("---\na: &x 1\nb: *x\n---\n", (0, 22)),
        ("---\na: b\r\nc: d\n---\n", (0, 19)), ("---\né: 日\n---\n", (0, 16)), ("---\n{a: b}\n---\n", (0, 15)),
    ],
)  # fmt: skip
def test_f19_where_it_is(text: str, span: tuple[int, int]) -> None:
    assert page(text).front == span
    assert page(text).faults == []


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("---\n\na: b\n---\n", "a blank line follows"), ("---\n \t\na: b\n---\n", "a blank line follows"),
        ("---\n---\n", "no front matter"),
        ("---\n# c\n---\n", "it is empty"), ("---\n- a\n---\n", "no mapping"), ("---\njust words\n---\n", "no mapping"),
        ("---\na: b\n c\nd: [\n---\n", "it is not YAML"), ("---\na: 'b\n---\n", "it is not YAML"),
        ("---\na: b: c\n---\n", "it is not YAML"),
        ("---\n\ta: b\n---\n", "it is not YAML"), ("---\na: " + "[" * 50 + "]" * 50 + "\n---\n", "nests deeper"),
        ("---\na: " + "b" * (1 << 16) + "\n---\n", "over 64 KB"), ("---\na: b\x07\n---\n", "it is not YAML"),
    ],
)  # fmt: skip
def test_f19_what_is_none_says_why(text: str, why: str) -> None:
    found = page(text)
    assert found.front is None
    ((rule, line, message),) = found.faults
    assert (rule, line) == ("front-matter", 1)
    assert why in message
    assert frontmatter.read(found) == {}


def test_f19_bytes_that_are_no_utf8_are_no_front_matter() -> None:
    found = markdown.parse(b"---\na: \xff\n---\n")
    assert found.front is None
    assert "not UTF-8" in found.faults[0][2]


@pytest.mark.parametrize("text", ["---\na: b\n", "---\na:\n\n# T\n---x\n", "---\na: b\n ---\n", "---\r\na: b\r\n"])
def test_f19_unclosed_front_matter_locks_the_file(text: str) -> None:
    found = page(text)
    assert found.front is None
    assert found.unclosed == ("front matter", 1, 0)


def test_every_scalar_stays_a_string() -> None:
    text = "---\na: yes\nb: 2026-01-02\nc: 1.10\nd:\ne: ~\nf: [1, no]\ng:\n  h: 0x10\n'i j': \"\\u00e9\"\nk: |\n  x\n  y\n---\n"
    assert frontmatter.read(page(text)) == {
        "a": "yes", "b": "2026-01-02", "c": "1.10", "d": "", "e": "~", "f": ["1", "no"], "g": {"h": "0x10"}, "i j": "é",
        "k": "x\ny\n",
    }  # fmt: skip


@pytest.mark.parametrize("body", ["a: &x 1\nb: *x", "a: 1\nb: &y [1]", "a: &a [x,x]\nb: &b [*a,*a,*a]\nc: [*b,*b,*b]"])
def test_anchors_and_aliases_are_refused_with_the_line(body: str) -> None:
    with pytest.raises(StoreError, match="anchors or aliases") as raised:
        frontmatter.read(page(f"---\n{body}\n---\n"))
    assert raised.value.line == (3 if body.startswith("a: 1") else 2)


def test_a_key_twice_is_refused_with_the_line() -> None:
    with pytest.raises(StoreError, match="'b' twice") as raised:
        frontmatter.read(page("---\na: 1\nb: 2\nc: 3\nb: 4\n---\n"))
    assert raised.value.line == 5


SPANNED = (
    "---\r\n# head\r\nname: x y # c\r\nq: 'it''s' # d\r\nd: \"é\"\r\nday: 2026-01-02\r\nurl: http://a/b#c\r\nlast: z\r\n"
    "---\r\nname: body\r\n"
)


@pytest.mark.parametrize(
    ("key", "value"),
    [("name", "x y"), ("q", "'it''s'"), ("d", '"é"'), ("day", "2026-01-02"), ("url", "http://a/b#c"), ("last", "z")],
)
def test_a_plain_value_can_be_spliced_and_nothing_else_moves(key: str, value: str) -> None:
    before = page(SPANNED)
    span = frontmatter.value_span(before, key)
    assert span is not None
    assert before.data[slice(*span)].decode() == value
    new = "a: b # ü"
    after = markdown.parse(before.data[: span[0]] + frontmatter.scalar(new).encode() + before.data[span[1] :])
    assert frontmatter.read(after) == {**frontmatter.read(before), key: new}
    assert after.data.decode() == SPANNED.replace(f"{key}: {value}", f'{key}: "a: b # ü"', 1)


@pytest.mark.parametrize(
    "line",
    [
        "k: [a]", "k: {a: b}", "k: |\n  a", "k: >\n  a", "k: a\n  b", "k:", "k:\n  a", "k: 'a\n  b'", 'k: "a\\tb"', "k: !t a",
        "'k': a", "k: # c", "j: a", "j:\n  k: a",
    ],
)  # fmt: skip
def test_what_can_not_be_spliced_safely_has_no_span(line: str) -> None:
    assert frontmatter.value_span(page(f"---\nx: y\n{line}\nz: z\n---\n"), "k") is None
    assert frontmatter.value_span(page("k: a\n"), "k") is None


@given(st.text(st.characters(blacklist_categories=["Cs"]), max_size=30))
def test_a_value_reads_back_as_written(value: str) -> None:
    try:
        written = frontmatter.scalar(value)
    except StoreError:
        assert set(value) & set("\n\r\x85\u2028\u2029")
        return
    found = page(f"---\nk: {written}\nz: z\n---\n")
    assert frontmatter.read(found) == {"k": value, "z": "z"}


def test_a_value_of_several_lines_is_refused() -> None:
    with pytest.raises(StoreError, match="one line"):
        frontmatter.scalar("a\nb")


def test_yaml_is_not_imported_where_a_look_settles_it() -> None:
    code = (
        "import sys; from memdesk.core import markdown; "
        "assert markdown.parse(b'---\\nname: x\\n# c\\ndate: 2026-01-02\\n---\\n# T\\n').front; "
        "assert markdown.parse(b'# T\\n\\n---\\n').front is None; "
        "print(sorted({'yaml', 'frontmatter', 'dataclasses', 'markdown_it', 'datetime', 'hashlib'} & set(sys.modules)))"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert out.stdout.strip() == "[]"



@pytest.mark.parametrize(
    ("text", "line", "says"),
    [
        ("---\na: b\n? [c]\n: d\n---\n", 3, "The front matter is not YAML."),
        ("---\na: b\na: c\n---\n", 3, "The front matter has 'a' twice."),
        ("---\na: &b c\n---\n", 2, "Front matter with anchors or aliases is not read."),
    ],
)
def test_what_can_t_be_read_is_a_fault_with_its_line_and_has_no_fields(text: str, line: int, says: str) -> None:
    broken = page(text)
    assert broken.front is not None
    with pytest.raises(StoreError) as caught:
        frontmatter.read(broken)
    assert (caught.value.line, caught.value.message) == (line, says)
    assert frontmatter.fault(broken, "none") == (line, says, caught.value.remedy)
    assert frontmatter.fields(broken) == {}


def test_what_is_no_front_matter_is_a_fault_too_and_none_is_what_the_caller_says() -> None:
    assert frontmatter.fault(page("---\na: b\n---\n"), "none") is None
    assert frontmatter.fault(page("text\n"), "none") == (1, "none", "")
    never = (1, "The front matter never closes.", "Close it with a line of its own: ---.")
    assert frontmatter.fault(page("---\na: b\n"), "none") == never
    line, message, hint = frontmatter.fault(page("---\na: b\nc: d: e\n---\n"), "none") or (0, "", "")
    assert (line, message.partition(": ")[0]) == (3, "The front matter cannot be read")
    assert hint
