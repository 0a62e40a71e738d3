"""Span edits over bytes: gaps, removals, endings, and where things went."""

from __future__ import annotations

from itertools import permutations

import pytest

from memdesk.core.edits import ADDED, Edit, apply, changed_lines, lines, removals


def result(data: bytes, *found: Edit, newline: str = "\n") -> bytes:
    return apply(data, found, newline).after


def test_nothing_to_do_gives_the_same_bytes() -> None:
    data = b"\xef\xbb\xbf# T\r\n\r\n- a  \n- b"
    assert result(data) == data


def test_spans_are_replaced_against_the_bytes_as_they_were_read() -> None:
    assert result(b"abcdef", Edit(4, 5, b"XYZ"), Edit(1, 2, b"")) == b"acdXYZf"


def test_insertions_at_one_offset_keep_their_order() -> None:
    assert result(b"ab", Edit(1, 1, b"1"), Edit(1, 1, b"2")) == b"a12b"


def test_overlapping_replacements_are_a_programming_error() -> None:
    with pytest.raises(ValueError, match="overlaps"):
        result(b"abcdef", Edit(0, 3, b"x"), Edit(2, 4, b"y"))
    with pytest.raises(ValueError, match="outside"):
        result(b"abc", Edit(2, 4, b"y"))


def test_deletions_may_overlap_and_hold_an_insertion() -> None:
    assert result(b"0123456789", Edit(2, 6), Edit(4, 8), Edit(3, 3, b"x")) == b"01x89"


@pytest.mark.parametrize(
    ("data", "after"),
    [
        (b"# T\n", b"# T\n\n- new\n"),
        (b"# T", b"# T\n\n- new"),
        (b"# T\n\n", b"# T\n\n- new\n"),
        (b"", b"- new\n"),
        (b"\xef\xbb\xbf", b"\xef\xbb\xbf- new\n"),
        (b"# T\n \t\n", b"# T\n \t\n- new\n"),
    ],
)
def test_a_loose_block_at_the_end(data: bytes, after: bytes) -> None:
    assert result(data, Edit(len(data), len(data), lines("- new"), "loose")) == after


def test_a_tight_block_ends_the_line_before_it() -> None:
    assert result(b"- a", Edit(3, 3, lines("- b"), "tight")) == b"- a\n- b"
    assert result(b"- a\n", Edit(4, 4, lines("- b"), "tight")) == b"- a\n- b\n"


def test_blocks_at_one_offset_have_one_blank_line_between_them() -> None:
    spot = 5
    after = result(b"# T\n\n## Old\n", Edit(spot, spot, b"## A\n", "loose"), Edit(spot, spot, b"- a\n", "loose", ADDED))
    assert after == b"# T\n\n## A\n\n- a\n\n## Old\n"


def test_text_that_joins_a_line_stays_on_it() -> None:
    line = Edit(3, 3, b"- b\n", "tight")
    assert result(b"- a", line, Edit(3, 3, b"~~")) == b"- a~~\n- b"
    assert result(b"T\n-\n", Edit(0, 0, b"~~"), Edit(0, 0, b"## N\n", "loose")) == b"## N\n\n~~T\n-\n"


def test_bullets_that_close_up_make_one_list() -> None:
    spot = 5
    found = [Edit(spot, spot, b"- a\n", "loose"), Edit(spot, spot, b"- b\n", "close"), Edit(spot, spot, b"- c\n", "close")]
    assert result(b"# T\n\n## Old\n", *found) == b"# T\n\n- a\n- b\n- c\n\n## Old\n"


def test_inserted_lines_take_the_ending_that_they_are_told() -> None:
    assert lines("- a\n  b", "\r\n") == b"- a\r\n  b\r\n"
    data = b"# T\r\n- x"
    assert result(data, Edit(len(data), len(data), lines("- y", "\r\n"), "loose"), newline="\r\n") == b"# T\r\n- x\r\n\r\n- y"


def test_a_block_in_place_of_the_last_lines() -> None:
    data = b"# T\n\n- old\n"
    found = [*removals(data, [(5, 11)]), Edit(5, 5, b"Nothing.\n", "loose")]
    assert result(data, *found) == b"# T\n\nNothing.\n"


@pytest.mark.parametrize(
    ("data", "gone", "after"),
    [
        (b"- a\n- b\n- c\n", [b"- b\n"], b"- a\n- c\n"),
        (b"# T\n\n- a\n\n- b\n", [b"- a\n"], b"# T\n\n- b\n"),
        (b"# T\n\n- a\n\n- b\n", [b"- b\n"], b"# T\n\n- a\n"),
        (b"# T\n\n- a\n\n- b\n", [b"- a\n", b"- b\n"], b"# T\n"),
        (b"# T\n\n- a\n- b\n\n## H\n", [b"- a\n", b"- b\n"], b"# T\n\n## H\n"),
        (b"# T\n- a\n\n## H\n", [b"- a\n"], b"# T\n\n## H\n"),
        (b"# T\n\n\n- a\n\n\n- b\n", [b"- a\n"], b"# T\n\n\n- b\n"),
        (b"# T\n\n- a\n\n\n- b\n\n- c\n", [b"- a\n", b"- b\n"], b"# T\n\n\n- c\n"),
        (b"# T\n\n- a\n\n\n- b\n", [b"- a\n", b"- b\n"], b"# T\n"),
        (b"\n- a\n\n\n- b\n", [b"- a\n"], b"\n- b\n"),
        (b"- a\n\n\n- b\n\n", [b"- b\n"], b"- a\n\n"),
        (b"\n- a\n \n\n", [b"- a\n"], b"\n \n\n"),
        (b"# T\n\n- a", [b"- a"], b"# T"),
        (b"# T\r\n\r\n- a\r\n\r\n- b", [b"- b"], b"# T\r\n\r\n- a"),
        (b"- a\n- b", [b"- a\n", b"- b"], b""),
        (b"- a\n\n- b\n", [b"- a\n"], b"- b\n"),
        (b"\xef\xbb\xbf- a\n\n- b\n", [b"- a\n"], b"\xef\xbb\xbf- b\n"),
    ],
)
def test_a_removal_leaves_the_longest_of_the_blank_runs_around_it(data: bytes, gone: list[bytes], after: bytes) -> None:
    spans = [(data.index(piece), data.index(piece) + len(piece)) for piece in gone]
    assert result(data, *removals(data, spans)) == after
    assert result(data, *removals(data, reversed(spans))) == after
    for order in permutations(gone):
        left = data
        for piece in order:
            start = left.index(piece.rstrip(b"\n"))
            left = result(left, *removals(left, [(start, min(start + len(piece), len(left)))]))
        assert left == after


def test_where_bytes_went() -> None:
    applied = apply(b"0123456789", [Edit(2, 4, b"xyz"), Edit(6, 8)])
    assert applied.after == b"01xyz4589"
    assert [applied.position(offset) for offset in (0, 1, 2, 4, 6, 8, 9, 10)] == [0, 1, None, 5, None, 7, 8, None]
    assert applied.places == [(2, 5), (7, 7)]
    assert applied.span(0, 3) == (0, 2)
    assert applied.span(3, 9) == (5, 8)
    assert applied.span(6, 8) is None


@pytest.mark.parametrize(
    ("before", "text", "after"),
    [
        (b"- a\r\n  b\n  c\r\n", "- a\n  B\n  c", b"- a\r\n  B\n  c\r\n"),
        (b"- a\n  b\n", "- a\n  B\n  C", b"- a\n  B\n  C\r\n"),
        (b"- a\n- b", "- a\n- c", b"- a\n- c"),
        (b"- a\n- b", "- a", b"- a"),
        (b"- a\n- b", "- a\n- b\n- c", b"- a\n- b\r\n- c"),
        (b"- a\n- b\n", "- a", b"- a\n"),
        (b"- a  \n", "- a  ", b"- a  \n"),
        (b"- a", "- b\n  c", b"- b\r\n  c"),
    ],
)
def test_lines_that_stay_keep_their_bytes(before: bytes, text: str, after: bytes) -> None:
    head, tail = b"# T\n", b"" if not before.endswith(b"\n") else b"\nend"
    found = changed_lines(before, text, len(head), "\r\n", 0)
    assert apply(head + before + tail, found).after == head + after + tail


def test_an_unchanged_text_gives_no_edit() -> None:
    assert changed_lines(b"- a\r\n  b  \r\n", "- a\n  b  \n", 0, "\n", 0) == []
