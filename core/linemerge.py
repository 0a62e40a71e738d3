"""Three texts merged by lines, as git does it: what stands between entries, and what is no entry at all.

Lines end at LF alone and are compared with their endings. Nothing here knows what a line means.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence

from memdesk.core.lean import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from typing import TypeAlias


class Clash(NamedTuple):
    """Two versions of one thing that a person has to choose from, each in whole lines; `base` is what it was before, None
    where nobody knows, empty where there was nothing."""

    base: bytes | None
    ours: bytes
    theirs: bytes


Parts: TypeAlias = "list[bytes | Clash]"


def merge_lines(base: bytes | None, ours: bytes, theirs: bytes) -> Parts:
    """The parts of the merged text, in order. Without a base all that differs is a clash."""
    if ours == theirs:
        return [ours] if ours else []
    if base is None:
        return _two_way(split(ours), split(theirs))
    if ours == base:
        return [theirs] if theirs else []
    if theirs == base:
        return [ours] if ours else []
    return _three_way(split(base), split(ours), split(theirs))


def split(data: bytes) -> list[bytes]:
    """Lines at LF, endings kept."""
    rows = data.split(b"\n")
    found = [row + b"\n" for row in rows[:-1]]
    return [*found, rows[-1]] if rows[-1] else found


def align(one: Sequence[Hashable], two: Sequence[Hashable]) -> list[tuple[int, int]]:
    """Pairs of positions of equal items, rising in both. What is there once in each holds first; the rest follows between."""
    found: list[tuple[int, int]] = []
    work = [(0, len(one), 0, len(two))]
    while work:
        low, high, other_low, other_high = work.pop()
        while low < high and other_low < other_high and one[low] == two[other_low]:
            found.append((low, other_low))
            low, other_low = low + 1, other_low + 1
        while low < high and other_low < other_high and one[high - 1] == two[other_high - 1]:
            high, other_high = high - 1, other_high - 1
            found.append((high, other_high))
        if low == high or other_low == other_high:
            continue
        anchors = _anchors(one, two, low, high, other_low, other_high)
        if not anchors:
            found += _common(one, two, low, high, other_low, other_high)
            continue
        ends = [*anchors, (high, other_high)]
        for at, other_at in ends:
            work.append((low, at, other_low, other_at))
            low, other_low = at, other_at
        # Each anchor begins the stretch that it was left in, where the prefix takes it up.
    return sorted(found)


def _anchors(
    one: Sequence[Hashable], two: Sequence[Hashable], low: int, high: int, other_low: int, other_high: int
) -> list[tuple[int, int]]:
    """The longest rising chain of items that are there exactly once in each stretch."""
    counts: dict[Hashable, int] = {}
    for at in range(low, high):
        counts[one[at]] = counts.get(one[at], 0) + 1
    places: dict[Hashable, int] = {}
    for at in range(other_low, other_high):
        places[two[at]] = -1 if two[at] in places else at
    pairs = [(at, places[one[at]]) for at in range(low, high) if counts[one[at]] == 1 and places.get(one[at], -1) >= 0]
    return rising(pairs)


def rising(pairs: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """The longest part of pairs (rising in the first) that rises in the second too."""
    from bisect import bisect_left

    tops: list[int] = []  # the smallest second that ends a chain of each length
    at: list[int] = []
    before: list[int] = []
    for index, (_, other) in enumerate(pairs):
        length = bisect_left(tops, other)
        before.append(at[length - 1] if length else -1)
        if length == len(tops):
            tops.append(other)
            at.append(index)
        else:
            tops[length] = other
            at[length] = index
    chain = []
    index = at[-1] if at else -1
    while index >= 0:
        chain.append(pairs[index])
        index = before[index]
    return chain[::-1]


def _common(
    one: Sequence[Hashable], two: Sequence[Hashable], low: int, high: int, other_low: int, other_high: int
) -> list[tuple[int, int]]:
    from difflib import SequenceMatcher

    matcher = SequenceMatcher(None, one[low:high], two[other_low:other_high])
    return [
        (low + first + at, other_low + second + at)
        for first, second, size in matcher.get_matching_blocks() for at in range(size)
    ]


def _three_way(base: list[bytes], ours: list[bytes], theirs: list[bytes]) -> Parts:
    in_ours, in_theirs = dict(align(base, ours)), dict(align(base, theirs))
    parts: Parts = []
    at = our_at = their_at = 0
    for stable in [*(line for line in range(len(base)) if line in in_ours and line in in_theirs), len(base)]:
        our_end, their_end = in_ours.get(stable, len(ours)), in_theirs.get(stable, len(theirs))
        if stable == len(base):
            our_end, their_end = len(ours), len(theirs)
        if (at, our_at, their_at) != (stable, our_end, their_end):
            parts += _chunk(base[at:stable], ours[our_at:our_end], theirs[their_at:their_end])
        if stable < len(base):
            parts.append(base[stable])
        at, our_at, their_at = stable + 1, our_end + 1, their_end + 1
    return joined(parts)


def _chunk(base: list[bytes], ours: list[bytes], theirs: list[bytes]) -> Iterator[bytes | Clash]:
    if ours == theirs or theirs == base:
        yield b"".join(ours)
    elif ours == base:
        yield b"".join(theirs)
    else:
        yield from _trimmed(base, ours, theirs)


def _two_way(ours: list[bytes], theirs: list[bytes]) -> Parts:
    parts: Parts = []
    at = their_at = 0
    for here, there in [*align(ours, theirs), (len(ours), len(theirs))]:
        if (at, their_at) != (here, there):
            parts.append(Clash(None, b"".join(ours[at:here]), b"".join(theirs[their_at:there])))
        if here < len(ours):
            parts.append(ours[here])
        at, their_at = here + 1, there + 1
    return joined(parts)


def _trimmed(base: list[bytes], ours: list[bytes], theirs: list[bytes]) -> Iterator[bytes | Clash]:
    """A clash without the lines that both sides begin or end with alike: those they agree on."""
    most = min(len(ours), len(theirs))
    first = next((at for at in range(most) if ours[at] != theirs[at]), most)
    last = next((at for at in range(most - first) if ours[-1 - at] != theirs[-1 - at]), most - first)
    yield b"".join(ours[:first])
    yield Clash(b"".join(base), b"".join(ours[first : len(ours) - last]), b"".join(theirs[first : len(theirs) - last]))
    yield b"".join(ours[len(ours) - last :])


def joined(parts: Sequence[bytes | Clash]) -> Parts:
    """The parts with neighbouring texts as one, and without empty ones."""
    found: Parts = []
    pieces: list[bytes] = []
    for part in parts:
        if not isinstance(part, Clash):
            pieces.append(part)
            continue
        if any(pieces):
            found.append(b"".join(pieces))
        pieces = []
        found.append(part)
    if any(pieces):
        found.append(b"".join(pieces))
    return found
