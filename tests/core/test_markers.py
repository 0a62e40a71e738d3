"""What a conflict marker is, the regions between them, and the sides that a text with markers was made from."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from memdesk.core.errors import StoreError
from memdesk.core.intake import problem
from memdesk.core.markers import Places, Region, Sides, regions, reported, sides

PLAIN = b"# T\n\n<<<<<<< ours\none\n=======\ntwo\n>>>>>>> theirs\n\nend\n"
BASED = b"# T\n\n<<<<<<< HEAD\none\n||||||| 1f2e3d4\nzero\n=======\ntwo\n>>>>>>> topic\n\nend\n"


def size(data: bytes, signs: int) -> bytes:
    """The same with longer markers."""
    for sign in b"<|=>":
        data = data.replace(bytes([sign]) * 7, bytes([sign]) * signs)
    return data


@pytest.mark.parametrize("signs", [7, 8, 9, 32])
@pytest.mark.parametrize("newline", [b"\n", b"\r\n"])
def test_the_sides_of_a_conflict(signs: int, newline: bytes) -> None:
    plain, based = (size(data, signs).replace(b"\n", newline) for data in (PLAIN, BASED))
    ours, theirs, base = (b"# T\n\n%s\n\nend\n".replace(b"\n", newline) % word for word in (b"one", b"two", b"zero"))
    assert sides(plain) == Sides(None, ours, theirs)
    assert sides(based) == Sides(base, ours, theirs)
    assert problem(plain) is not None


def test_a_region_says_where_it_stands_and_whose_its_parts_are() -> None:
    (region,) = regions(BASED)
    assert region == Region(
        5, BASED.index(b"\nend"), 3, b"one\n", b"zero\n", b"two\n", "HEAD", "topic", BASED.index(b"one"), BASED.index(b"two"),
        7,
    )


def test_markers_may_come_without_labels_and_parts_be_empty() -> None:
    data = b"<<<<<<<\n=======\nonly theirs\n>>>>>>>\n<<<<<<<\nonly ours\n|||||||\n=======\n>>>>>>>"
    first, second = regions(data)
    assert (first.ours, first.base, first.theirs, first.ours_label) == (b"", None, b"only theirs\n", "")
    assert (second.ours, second.base, second.theirs, second.line) == (b"only ours\n", b"", b"", 5)
    assert sides(data) == Sides(None, b"only ours\n", b"only theirs\n")


def test_one_conflict_without_its_base_leaves_no_base_to_the_whole() -> None:
    assert sides(PLAIN + BASED).base is None
    assert sides(BASED + PLAIN).base is None
    assert sides(BASED + BASED).base == b"# T\n\nzero\n\nend\n" * 2


def test_what_is_longer_in_a_base_is_its_text() -> None:
    inner = size(BASED, 9)
    data = b"<<<<<<< a\none\n||||||| merged common ancestors\n" + inner + b"=======\ntwo\n>>>>>>> b\n"
    (region,) = regions(data)
    assert (region.ours, region.base, region.theirs) == (b"one\n", inner, b"two\n")
    assert [line for line, _ in reported(data)] == [1]


def test_what_is_shorter_in_a_longer_one_is_its_text() -> None:
    data = size(b"<<<<<<< a\none\n||||||| base\n@=======\ntwo\n>>>>>>> b\n", 9).replace(b"@", BASED)
    (region,) = regions(data)
    assert (region.size, region.base) == (9, BASED)
    assert [line for line, _ in reported(data)] == [1]


def test_what_is_as_long_in_a_base_belongs_together() -> None:
    data = b"<<<<<<< a\none\n||||||| base\n" + BASED + b"=======\ntwo\n>>>>>>> b\n"
    (region,) = regions(data)
    assert (region.ours, region.base, region.theirs) == (b"one\n", BASED, b"two\n")


def test_an_underlined_title_above_a_base_is_ours() -> None:
    (region,) = regions(b"<<<<<<< a\nBasalt.\n=======\n||||||| base\n=======\nGranite\n>>>>>>> b\n")
    assert (region.ours, region.base, region.theirs) == (b"Basalt.\n=======\n", b"", b"Granite\n")


def test_a_fence_protects_nothing() -> None:
    assert sides(b"```\n" + PLAIN + b"```\n").ours == b"```\n# T\n\none\n\nend\n```\n"


def test_what_only_resembles_markers_stays_text() -> None:
    text = b"> <<<<<<< a\n <<<<<<< b\n<<<<<<<c\n<<<<<<<< d\n||||||||\n>>>>>>>> e\nTitle\n=======\n======= x\n"
    assert regions(text) == []
    assert regions(text + PLAIN) == [region._replace(
        start=region.start + len(text), end=region.end + len(text), line=region.line + 9,
        ours_at=region.ours_at + len(text), theirs_at=region.theirs_at + len(text),
    ) for region in regions(PLAIN)]


@pytest.mark.parametrize(
    ("data", "line", "words"),
    [
        (b"a\n>>>>>>> b\n", 2, "whose beginning is gone"),
        (b"a\n||||||| b\n=======\n", 2, "the base of a merge conflict whose beginning is gone"),
        (PLAIN + b"x\n>>>>>>> b\n", 11, "whose beginning is gone"),
        (b"<<<<<<< a\none\n>>>>>>> b\n", 3, "conflict of line 1 ends here without"),
        (b"<<<<<<< a\n||||||| c\nzero\n>>>>>>> b\n", 4, "conflict of line 1 ends here without"),
        (b"<<<<<<< a\none\n" + PLAIN, 5, "inside of that of line 1"),
        (PLAIN + b"<<<<<<< a\none\n=======\ntwo\n", 10, "has no end"),
        (b"<<<<<<< a\n||||||| c\n||||||| d\n=======\n>>>>>>> b\n", 3, "two bases"),
        (b"<<<<<<< a\nTitle\n=======\n=======\nOther\n>>>>>>> b\n", 1, "line 3 or 4"),
        (b"<<<<<<< a\n||||||| c\nTitle\n=======\n=======\nOther\n>>>>>>> b\n", 1, "line 4 or 5"),
        (b"<<<<<<< a\none\n||||||| c\n=======\n<<<<<<< d\n>>>>>>> b\n", 5, "inside of that of line 1"),
    ],
)
@pytest.mark.parametrize("ask", [regions, sides])
def test_a_broken_conflict_is_named_with_its_line_and_what_to_do(
    ask: Callable[[bytes, str | None], object], data: bytes, line: int, words: str
) -> None:
    with pytest.raises(StoreError, match=words) as caught:
        ask(data, "docs/memory/decisions.md")
    assert (caught.value.path, caught.value.line) == ("docs/memory/decisions.md", line)
    assert "git checkout --merge" in caught.value.remedy


def test_what_is_reported_is_what_is_found() -> None:
    data = PLAIN + BASED + size(PLAIN, 12)
    assert [line for line, _ in reported(data)] == [region.line for region in regions(data)] == [3, 12, 23]
    assert next(reported(PLAIN)) == (3, "A merge conflict, up to line 7.")


def test_a_place_of_a_side_is_found_among_the_markers() -> None:
    data = BASED + PLAIN
    found = regions(data)
    texts = sides(data)
    for side, text in (("ours", texts.ours), ("theirs", texts.theirs)):
        places = Places(found, side)
        assert bytes(data[places.at(offset)] for offset in range(len(text))) == text


def test_many_markers_take_no_longer_than_their_number() -> None:
    lone = b"<<<<<<<< a\n" * 20_000 + b"=======\n" * 20_000
    assert regions(lone + PLAIN)[0].line == 40_003
    assert len(regions(PLAIN * 5_000)) == len(list(reported(PLAIN * 5_000))) == 5_000
