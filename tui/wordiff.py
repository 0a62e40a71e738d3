"""What differs between texts, word by word: spans to mark, for eyes and not for patches."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

Spans = list[tuple[int, int]]  # offsets of what differs, in order, not touching each other

LONG = 3000  # characters of all texts together: more are better compared in a thread
_MOST = 60_000  # pairs of words that are compared one by one; beyond, whole lines are first
SHORT, MUCH = 3, 3  # characters of a word that two texts may have by chance; words that differ on both its sides
_IDEOGRAPHS = "\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\uac00-\ud7a3"  # scripts without blanks: a sign is a word
_WORD = re.compile(rf"[{_IDEOGRAPHS}]|[^\W{_IDEOGRAPHS}]+|[^\w\s]")
_LINE = re.compile(r"[^\n]+")


def differences(texts: Sequence[str]) -> list[Spans]:
    """For each text the spans in it that differ from the first text; for the first: from any other. White space does not
    count, nor does it end a span where it stands between two words that differ."""
    first: set[tuple[int, int]] = set()
    found: list[Spans] = [[]]
    words = _words(texts[0]) if texts else []
    for text in texts[1:]:
        mine, theirs = _compare(texts[0], words, text, _words(text))
        first |= set(mine)
        found.append(_joined(text, theirs))
    found[0] = _joined(texts[0], sorted(first)) if texts else []
    return found[: len(texts)]


def long(texts: Sequence[str]) -> bool:
    """Whether the comparison may take longer than a frame of the screen."""
    return sum(map(len, texts)) > LONG


_Word = tuple[int, int]


def _words(text: str, start: int = 0, end: int | None = None) -> list[_Word]:
    return [match.span() for match in _WORD.finditer(text, start, len(text) if end is None else end)]


def _compare(one: str, ones: Sequence[_Word], other: str, others: Sequence[_Word]) -> tuple[list[_Word], list[_Word]]:
    """The words of both that have no counterpart."""
    head = 0
    most = min(len(ones), len(others))
    while head < most and _same(one, ones[head], other, others[head]):
        head += 1
    tail = 0
    while tail < most - head and _same(one, ones[-1 - tail], other, others[-1 - tail]):
        tail += 1
    ones, others = ones[head : len(ones) - tail], others[head : len(others) - tail]
    if not ones or not others:
        return list(ones), list(others)
    if len(ones) * len(others) > _MOST:
        return _by_lines(one, ones, other, others)
    left: list[_Word] = []
    right: list[_Word] = []
    runs = list(_unmatched([one[a:b] for a, b in ones], [other[a:b] for a, b in others]))
    for number, (start, end, begin, stop) in enumerate(runs):
        left += ones[start:end]
        right += others[begin:stop]
        following = runs[number + 1] if number + 1 < len(runs) else None
        if following is not None and _chance(one, ones[end : following[0]], runs[number], following):
            left += ones[end : following[0]]
            right += others[stop : following[2]]
    return left, right


def _chance(one: str, same: Sequence[_Word], before: tuple[int, int, int, int], after: tuple[int, int, int, int]) -> bool:
    """Whether both texts have a short word, or a sign, between much that differs: that tells nothing, and is no rest for the
    eye."""
    sizes = [max(end - start, stop - begin) for start, end, begin, stop in (before, after)]
    return len(same) == 1 and same[0][1] - same[0][0] <= SHORT and min(sizes) >= MUCH


def _by_lines(one: str, ones: Sequence[_Word], other: str, others: Sequence[_Word]) -> tuple[list[_Word], list[_Word]]:
    """The same, lines first: words are compared only in stretches of lines that differ, and not even there where these are
    too long."""
    rows = [match.span() for match in _LINE.finditer(one, ones[0][0], ones[-1][1])]
    lines = [match.span() for match in _LINE.finditer(other, others[0][0], others[-1][1])]
    left: list[_Word] = []
    right: list[_Word] = []
    if len(rows) * len(lines) > _MOST:
        return list(ones), list(others)
    for start, end, begin, stop in _unmatched([one[a:b].strip() for a, b in rows], [other[a:b].strip() for a, b in lines]):
        mine = _words(one, rows[start][0], rows[end - 1][1]) if start < end else []
        theirs = _words(other, lines[begin][0], lines[stop - 1][1]) if begin < stop else []
        if len(mine) * len(theirs) <= _MOST:
            mine, theirs = _compare(one, mine, other, theirs)
        left += mine
        right += theirs
    return left, right


def _unmatched(one: list[str], other: list[str]) -> Iterator[tuple[int, int, int, int]]:
    from difflib import SequenceMatcher

    for tag, start, end, begin, stop in SequenceMatcher(None, one, other, autojunk=False).get_opcodes():
        if tag != "equal":
            yield start, end, begin, stop


def _same(one: str, word: _Word, other: str, another: _Word) -> bool:
    return one[word[0] : word[1]] == other[another[0] : another[1]]


def _joined(text: str, words: Sequence[_Word]) -> Spans:
    """Words as spans: those with only blanks between them, on one line, are one."""
    spans: Spans = []
    for start, end in words:
        if spans and not text[spans[-1][1] : start].strip(" \t"):
            spans[-1] = (spans[-1][0], end)
        else:
            spans.append((start, end))
    return spans
