"""Edits taken back from texts that changed since: worked out by hand, and as properties."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memdesk.core.transaction.mapping import Moved, taken_back

LINES = st.lists(st.sampled_from([b"- a", b"- b", b"- c", b"", b"## H", b"x", b"y\r"]), max_size=12)


def text(*lines: str) -> bytes:
    return "".join(line + "\n" for line in lines).encode()


class TestByHand:
    def test_nothing_changed_since(self) -> None:
        assert taken_back(b"a\r\nb", b"a\r\nx\r\nb", b"a\r\nx\r\nb") == b"a\r\nb"

    def test_a_removed_line_comes_back_under_newer_ones(self) -> None:
        before, after = text("# I", "", "- x", "- z"), text("# I", "", "- z")
        assert taken_back(before, after, text("# I", "", "- new", "- z")) == text("# I", "", "- new", "- x", "- z")

    def test_a_line_removed_at_the_end_comes_back_above_what_was_appended(self) -> None:
        before, after = text("- w", "- x"), text("- w")
        assert taken_back(before, after, text("- w", "- y")) == text("- w", "- x", "- y")

    def test_a_line_comes_back_though_its_neighbours_left(self) -> None:
        """Two candidates next to each other were promoted one after the other; the first is undone."""
        before, after = text("# I", "- one", "- two", "- three"), text("# I", "- two", "- three")
        assert taken_back(before, after, text("# I", "- three")) == text("# I", "- one", "- three")

    @pytest.mark.parametrize("now", [text("# I"), text("# I", "", "x"), b"# I"])
    def test_the_end_of_a_file_is_no_blank_line_in_another(self, now: bytes) -> None:
        """What comes back to the end of a list that was emptied leaves the file's last line ending where it is."""
        before, after = text("# I", "", "- one", "- two"), text("# I", "", "- two")
        assert taken_back(before, after, now).endswith(b"\n") is now.endswith(b"\n")

    def test_an_inserted_section_leaves_from_under_a_newer_one(self) -> None:
        before, after = text("# D", "", "## Old"), text("# D", "", "## One", "", "1", "", "## Old")
        now = text("# D", "", "## Two", "", "2", "", "## One", "", "1", "", "## Old", "", "more")
        assert taken_back(before, after, now) == text("# D", "", "## Two", "", "2", "", "## Old", "", "more")

    def test_a_replaced_line_comes_back_where_it_stands_now(self) -> None:
        before, after = text("a", "- text", "b"), text("a", "- ~~text~~ struck", "b")
        now = text("new", "a", "- ~~text~~ struck", "b", "c")
        assert taken_back(before, after, now) == text("new", "a", "- text", "b", "c")

    def test_a_last_line_without_an_ending_is_the_same_line_with_one(self) -> None:
        assert taken_back(b"- w", b"- w\n- x", b"- w\n- x\n- y") == b"- w\n- y"
        assert taken_back(b"- w\n- x", b"- w", b"- w\n- y") == b"- w\n- x\n- y"

    def test_several_edits_of_one_file(self) -> None:
        before, after = text("a", "b", "c", "d", "e"), text("A", "b", "d", "e", "f")
        assert taken_back(before, after, text("A", "b", "new", "d", "e", "f", "g")) == text(
            "a", "b", "new", "c", "d", "e", "g"
        )

    def test_endings_of_lines_stay_as_they_are(self) -> None:
        before, after = b"a\r\n- x\r\nb\r\n", b"a\r\nb\r\n"
        assert taken_back(before, after, b"a\r\nb\r\nc\n") == b"a\r\n- x\r\nb\r\nc\n"

    def test_a_file_that_was_emptied(self) -> None:
        assert taken_back(b"all\n", b"", b"") == b"all\n"

    @pytest.mark.parametrize(
        ("now", "line"),
        [
            (text("# D", "", "## One, edited", "", "1", "", "## Old"), 3),
            (text("# D", "", "## One", "", "1 edited", "", "## Old"), 3),
            (text("# D", "", "## Old"), 3),
            (text("other"), 3),
        ],
    )
    def test_what_was_written_was_changed_since(self, now: bytes, line: int) -> None:
        before, after = text("# D", "", "## Old"), text("# D", "", "## One", "", "1", "", "## Old")
        with pytest.raises(Moved) as caught:
            taken_back(before, after, now)
        assert caught.value.line == line

    def test_something_was_put_between_what_was_written(self) -> None:
        before, after = text("# L"), text("# L", "## Today", "- one")
        with pytest.raises(Moved):
            taken_back(before, after, text("# L", "## Today", "- two", "- one"))

    def test_all_around_the_place_was_rewritten(self) -> None:
        before, after = text("a", "b", "- x", "c", "d"), text("a", "b", "c", "d")
        with pytest.raises(Moved):
            taken_back(before, after, text("quite", "another", "text"))


@given(LINES, LINES)
def test_every_byte_comes_back(old: list[bytes], made: list[bytes]) -> None:
    before, after = b"\n".join(old), b"\n".join(made)
    assert taken_back(before, after, after) == before


@given(LINES, LINES, st.lists(st.sampled_from([b"new 1", b"new 2", b"new 3"]), min_size=1, max_size=3))
def test_lines_above_and_below_stay_where_they_are(old: list[bytes], made: list[bytes], more: list[bytes]) -> None:
    """Others wrote at the top or at the end: the edit between comes back to the byte."""
    frame = [b"# Title"], [b"- last"]
    before, after = (b"\n".join([*frame[0], *lines, *frame[1]]) for lines in (old, made))
    added = b"\n".join(more)
    assert taken_back(before, after, added + b"\n" + after) == added + b"\n" + before
    assert taken_back(before, after, after + b"\n" + added) == before + b"\n" + added


@given(LINES, LINES, LINES)
def test_no_line_of_others_is_lost(old: list[bytes], made: list[bytes], present: list[bytes]) -> None:
    """Whatever happened since: refused, or each line of now is there but for those that the edit had made."""
    before, after, now = (b"\n".join(lines) for lines in (old, made, present))
    try:
        result = taken_back(before, after, now)
    except Moved:
        return
    if now == after:
        return
    left = result.split(b"\n")
    own = made.copy()
    for line in present:
        if line in left:
            left.remove(line)
        else:
            assert line in own
            own.remove(line)
