"""The journal's file: what goes in comes out, and what was damaged is never believed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memdesk.core.transaction.journal import (
    Damaged,
    Journal,
    Newer,
    change,
    decode,
    decode_header,
    encode,
    header_size,
)

JOURNAL = Journal(
    "20261130T040251Z-k3f9", "2026-11-30T04:02:51Z", "Ada", "promote", 'Promoted "x".', ids=("inbox.md#1234",),
    new_ids=("decisions.md#5678",), head="a" * 40, undoes=None, log_only=("changelog.md",), made=("areas",),
    changes=(
        change("replace", "inbox.md", "inbox.md", b"a\r\n\xff" * 1000, b"", 0o644),
        change("create", "areas/\udce9.md", "areas/\udce9.md", None, b"new"), change("delete", "old.md", "real.md", b"", None),
    ),
)


def test_what_goes_in_comes_out() -> None:
    assert decode(encode(JOURNAL)) == JOURNAL


def test_equal_journals_are_equal_bytes_and_texts_are_packed() -> None:
    assert encode(JOURNAL) == encode(JOURNAL)
    assert len(encode(JOURNAL)) < 2000


def test_a_header_is_read_alone() -> None:
    data = encode(JOURNAL)
    header = decode_header(data[: header_size(data[:4096])])
    assert header.summary == JOURNAL.summary
    assert [item.before for item in header.changes] == [None, None, None]
    assert [item.after_digest for item in header.changes] == [item.after_digest for item in JOURNAL.changes]


@given(st.data())
def test_any_damage_is_noticed(data: st.DataObject) -> None:
    whole = encode(JOURNAL)
    place = data.draw(st.integers(0, len(whole) - 1))
    bit = data.draw(st.integers(0, 7))
    damaged = bytearray(whole)
    damaged[place] ^= 1 << bit
    with pytest.raises((Damaged, Newer)):
        decode(bytes(damaged))


@given(st.integers(0, 1500))
def test_any_cut_is_noticed(length: int) -> None:
    whole = encode(JOURNAL)
    if length < len(whole):
        with pytest.raises(Damaged):
            decode(whole[:length])


def test_a_newer_one_is_told_from_a_damaged_one() -> None:
    with pytest.raises(Newer, match="version 2; this memdesk knows 1"):
        decode(b"memdesk-journal 2 whatever comes then\n...")


@given(st.lists(st.tuples(st.binary(max_size=2000) | st.none(), st.binary(max_size=2000) | st.none()), max_size=4))
def test_any_bytes_come_back(pairs: list[tuple[bytes | None, bytes | None]]) -> None:
    changes = tuple(change("replace", f"{n}.md", f"{n}.md", before, after) for n, (before, after) in enumerate(pairs))
    assert decode(encode(JOURNAL._replace(changes=changes))).changes == changes
