"""Whatever two people make of one memory file, a merge loses no entry and doubles none, and never fails."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import cache
from random import Random
from typing import NamedTuple

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from memdesk.core import merging
from memdesk.core.linemerge import Clash, align, merge_lines
from memdesk.core.model import Document
from tests.support.merging import reader, texts

FILES = {"constraints.md": "# Constraints\n\nThey hold.\n", "inbox.md": "# Inbox\n", "decisions.md": "# Decisions\n"}
DAYS = ("2026-11-30", "2026-11-20", "2026-11-10")


class Line(NamedTuple):
    """An entry of a model file: the words that it is told by, the day that it stands under, what happened to it."""

    name: int
    day: str
    state: str = ""

    def text(self, path: str) -> str:
        words = f"{_words(self.name)} {self.name}"
        words = {"edited": f"{words} indeed", "otherwise": f"{words} or not", "struck": f"~~{words}~~"}.get(self.state, words)
        if path != "decisions.md":
            return f"- {words} struck 2026-11-30\n" if self.state == "struck" else f"- {words}\n"
        title = f"~~{self.day} - {words.strip('~')}~~" if self.state == "struck" else f"{self.day} - {words}"
        return f"## {title}\n\nDecision:\nIt is {_words(self.name + 1000)}.\n"


@cache
def _words(name: int) -> str:
    """Four words that no other entry has."""
    random = Random(name)
    return " ".join("".join(random.choices("abcdefghijklmnopqrstuvwxyz", k=7)) for _ in range(4))


_read = cache(reader)


class Sides(NamedTuple):
    path: str
    base: tuple[Line, ...]
    ours: tuple[Line, ...]
    theirs: tuple[Line, ...]

    def read(self) -> Callable[[bytes], Document]:
        return _read(self.path)

    def bytes(self, lines: tuple[Line, ...]) -> bytes:
        """A file with these entries, newest first, in the form of its role."""
        head, found = FILES[self.path], []
        if self.path == "inbox.md" and not lines:
            return (head + "\nNo unprocessed memory candidates.\n").encode()
        for day in sorted({line.day for line in lines}, reverse=True):
            own = [line.text(self.path) for line in lines if line.day == day]
            if self.path == "inbox.md":
                found.append(f"\n## {day}\n\n{''.join(own)}")
            elif self.path == "decisions.md":
                found += (f"\n{text}" for text in own)
        if self.path == "constraints.md" and lines:
            found = ["\n", *(line.text(self.path) for line in lines)]
        return (head + "".join(found)).encode()


@st.composite
def _sides(draw: st.DrawFn, *, apart: bool) -> Sides:
    """Two descendants of one file. `apart`: no entry is changed on both sides, but for what both take out."""
    path = draw(st.sampled_from(sorted(FILES)))
    base = [Line(name, draw(st.sampled_from(DAYS[1:]))) for name in range(draw(st.integers(0, 6)))]
    if path == "constraints.md":
        base = [line._replace(day=DAYS[1]) for line in base]
    base.sort(key=lambda line: line.day, reverse=True)
    ours, theirs = list(base), list(base)
    for line in base:
        fate = draw(st.sampled_from(["", "", "", "out", "edited", "struck"]))
        other = "" if apart else draw(st.sampled_from(["", "out", "otherwise", fate]))
        sides = draw(st.permutations([(ours, fate), (theirs, other)])) if fate else []
        for (_, state), side in zip([(ours, fate), (theirs, other)] if sides else [], [side for side, _ in sides], strict=True):
            at = side.index(line)
            side[at : at + 1] = [] if state == "out" else [line._replace(state=state)]
    for start, side in ((100, ours), (200, theirs)):
        for name in range(start, start + draw(st.integers(0, 3))):
            day = DAYS[1] if path == "constraints.md" else draw(st.sampled_from(DAYS))
            side.insert(draw(st.integers(0, len(side))) if path == "constraints.md" else 0, Line(name, day))
        side.sort(key=lambda line: line.day, reverse=True)
    if draw(st.booleans()):  # the same one on both
        day = DAYS[1] if path == "constraints.md" else DAYS[0]
        for side in (ours, theirs):
            side.insert(len(side) if path == "constraints.md" else 0, Line(300, day))
    return Sides(path, tuple(base), tuple(ours), tuple(theirs))


def _expected(sides: Sides) -> Counter[str]:
    base, ours, theirs = (Counter(line.text(sides.path).strip() for line in lines) for lines in sides[1:])
    found: Counter[str] = Counter()
    for key in {*base, *ours, *theirs}:
        came = max(ours[key] - base[key], theirs[key] - base[key], 0)
        found[key] = base[key] + came - max(base[key] - ours[key], base[key] - theirs[key], 0)
    return +found


@settings(max_examples=40)
@given(_sides(apart=True))
def test_what_each_side_did_is_in_the_merge_and_nothing_else(sides: Sides) -> None:
    read = sides.read()
    made = merging.merge(read, *(sides.bytes(lines) for lines in sides[1:]))
    assert made.clean, made.text("ours", "theirs", "base").decode()
    data = made.settled(1)
    assert Counter(texts(read, data)) == _expected(sides)
    days = [line for line in data.split(b"\n") if line.startswith(b"## 20")]
    if sides.path == "inbox.md":
        assert days == sorted(set(days), reverse=True)
        assert (b"No unprocessed" in data) == (not any(entry.candidate for entry in read(data).entries)) or b"~~" in data
    assert b"\n\n\n" not in data
    assert not data.endswith(b"\n\n")


@settings(max_examples=40)
@given(_sides(apart=False))
def test_either_side_of_every_clash_loses_nothing_of_that_side(sides: Sides) -> None:
    """What one side has new or changed is there when its side is chosen everywhere; nothing is there twice."""
    read = sides.read()
    made = merging.merge(read, *(sides.bytes(lines) for lines in sides[1:]))
    base = {line.text(sides.path).strip() for line in sides.base}
    for side, lines in ((1, sides.ours), (2, sides.theirs)):
        found = Counter(texts(read, made.settled(side)))
        own = {line.text(sides.path).strip() for line in lines}
        assert own - base <= set(found)
        assert max(found.values(), default=1) == 1


@settings(max_examples=40)
@given(_sides(apart=True))
def test_a_merge_is_the_same_from_either_side_and_again(sides: Sides) -> None:
    read = sides.read()
    base, ours, theirs = (sides.bytes(lines) for lines in sides[1:])
    there, back = merging.merge(read, base, ours, theirs), merging.merge(read, base, theirs, ours)
    assert Counter(texts(read, there.settled(1))) == Counter(texts(read, back.settled(1)))
    again = merging.merge(read, base, there.settled(1), theirs)
    assert again.clean
    assert again.settled(1) == there.settled(1)


LINES = st.sampled_from([
    "# Inbox", "## 2026-11-30", "## 2026-11-20", "### Small", "- one", "- two", "- three", "  more", "  - inner", "* star",
    "1. first", "Some text", "- [observed] x (from a)", "- ~~old~~ struck 2026-11-20", "", "", "", "```", "<!-- c -->", "<!--",
    "> quote", "---", "    code", "No unprocessed memory candidates.", "Status: candidate", "-", "[a]: b", "Decision:",
    "Reason: why", "- 2026-01-01 | x. Reason: y",
])
PATHS = st.sampled_from(["inbox.md", "decisions.md", "constraints.md", "areas/storage.md", "changelog.md", "manifest.md"])
SOUP = st.lists(LINES, max_size=14).map(lambda rows: "\n".join(rows)).flatmap(
    lambda text: st.sampled_from([text, text + "\n", text.replace("\n", "\r\n"), "\ufeff" + text])
)


@settings(max_examples=60)
@given(PATHS, SOUP, SOUP, SOUP)
@example("inbox.md", "- one", "- one\n- two", "- one\n- three")
def test_any_three_texts_merge_without_failing(path: str, base: str, ours: str, theirs: str) -> None:
    _soup(path, base, ours, theirs)


def _soup(path: str, base: str, ours: str, theirs: str) -> None:
    read = _read(path)
    versions = [text.encode() for text in (base, ours, theirs)]
    made = merging.merge(read, *versions)
    made.text("a", "b", "c")
    if made.clean and b"```" not in b"".join(versions) and b"<!--" not in b"".join(versions):
        base_lines, *sides, found = map(_rows, (*versions, made.settled(1)))
        for side in sides:  # no line that a side brought in is lost
            assert side - base_lines - _PASSING <= found


def _rows(data: bytes) -> set[bytes]:
    return {line.strip() for line in data.removeprefix(b"\xef\xbb\xbf").split(b"\n")}


_PASSING = {b"", b"No unprocessed memory candidates.", b"## 2026-11-30", b"## 2026-11-20"}  # go with candidates


@settings(max_examples=40)
@given(*[st.lists(st.sampled_from([b"a\n", b"b\n", b"c\n", b"\n"]), max_size=8)] * 3)
def test_a_merge_by_lines_follows_the_one_side_that_changed(
    base: list[bytes], ours: list[bytes], theirs: list[bytes]
) -> None:
    parts = merge_lines(b"".join(base), b"".join(ours), b"".join(theirs))
    settled = [b"".join(part[side] if isinstance(part, Clash) else part for part in parts) for side in (1, 2)]
    if base == theirs:
        assert settled[0] == settled[1] == b"".join(ours)
    pairs = align(ours, theirs)
    assert [one for one, _ in pairs] == sorted({one for one, _ in pairs})
    assert all(ours[one] == theirs[two] for one, two in pairs)


@pytest.mark.slow
@settings(max_examples=1500)
@given(PATHS, SOUP, SOUP, SOUP)
def test_any_three_texts_merge_without_failing_many_times(path: str, base: str, ours: str, theirs: str) -> None:
    _soup(path, base, ours, theirs)


@pytest.mark.slow
@settings(max_examples=1500)
@given(_sides(apart=True))
def test_what_each_side_did_is_in_the_merge_many_times(sides: Sides) -> None:
    read = sides.read()
    made = merging.merge(read, *(sides.bytes(lines) for lines in sides[1:]))
    assert made.clean
    assert Counter(texts(read, made.settled(1))) == _expected(sides)
