"""Diffs of bytes: exact, with the numbers of the whole file, whatever was left out of the comparison."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memdesk.core.diff import hunks, unified


def applied(before: bytes, diff: str) -> bytes:
    """What a unified diff makes of a text, by its line numbers alone; context and removed lines must be there."""
    old = re.findall(rb"[^\n]*\n|[^\n]+\Z", before)
    out: list[bytes] = []
    done = 0
    lines = diff.split("\n")[2:-1] if diff else []
    for number, line in enumerate(lines):
        if line.startswith("\\"):
            continue
        if line.startswith("@@"):
            found = re.fullmatch(r"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@", line)
            assert found is not None
            start = int(found[1]) - (found[2] != "0")
            out += old[done:start]
            done = start
            assert len(out) == int(found[3]) - (found[4] != "0")
            continue
        bare = number + 1 < len(lines) and lines[number + 1].startswith("\\")
        text = line[1:].encode("utf-8", "surrogateescape") + (b"" if bare else b"\n")
        if line[0] != "+":
            assert old[done] == text
            done += 1
        if line[0] != "-":
            out.append(text)
    return b"".join([*out, *old[done:]])


@pytest.mark.slow
@given(
    st.lists(st.sampled_from([b"a", b"b", b"", b"@@ -1 +1 @@", b"-x", b"\\ No"]), max_size=12).map(b"\n".join),
    st.lists(st.sampled_from([b"a", b"b", b"", b"@@ -1 +1 @@", b"-x", b"\\ No"]), max_size=12).map(b"\n".join),
    st.sampled_from([0, 1, 3]),
)
def test_a_diff_makes_the_one_text_of_the_other(before: bytes, after: bytes, context: int) -> None:
    assert applied(before, unified("x", before, after, context)) == after


def test_one_line_among_ten_thousand() -> None:
    lines = [b"line %d\n" % number for number in range(10_000)]
    before, after = b"".join(lines), b"".join([*lines[:7000], b"new\n", *lines[7001:]])
    assert unified("a.md", before, after, 1) == (
        "--- a/a.md\n+++ b/a.md\n@@ -7000,3 +7000,3 @@\n line 6999\n-line 7000\n+new\n line 7001\n"
    )


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        (None, b"a\n", "--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n+a\n"),
        (b"a\n", None, "--- a/x\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n"),
        (b"a\nb", b"a\nb\n", "--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+b\n"),
        (b"a\n", b"a\n", ""),
        (b"a\n" * 9, b"a\n" * 8, "--- a/x\n+++ b/x\n@@ -6,4 +6,3 @@\n a\n a\n a\n-a\n"),
    ],
)
def test_the_ends(before: bytes | None, after: bytes | None, expected: str) -> None:
    assert unified("x", before, after) == expected


def test_hunks_are_equal_wherever_they_stand() -> None:
    one = hunks(b"a\nb\nc\n", b"a\nc\n")
    other = hunks(b"x\ny\na\nb\nc\n", b"x\ny\na\nc\n")
    assert one == other == "@@\n-b\n"
