"""Judgments: read, matched by digest, added at the end and nowhere else."""

from __future__ import annotations

import errno
import hashlib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memdesk.core import judgments
from memdesk.core.errors import StoreError
from memdesk.core.judgments import Judgment
from memdesk.core.worktree import WorkTree
from tests.support.faults import reading_fails
from tests.support.stores import put

A = judgments.digest("Use CSV.")
B = judgments.digest("Use JSON.")
ONE = Judgment("dismissed", "conflict", (A, B), "They speak of different files.", "Ada", "2026-05-02")
TWO = Judgment("refused", "proposal", (A,), "", "Grace", "2026-06-01")


def plain(found: list[Judgment]) -> list[Judgment]:
    return [one._replace(line=None, digests=tuple(sorted(one.digests))) for one in found]


def test_a_digest_is_that_of_the_entrys_text() -> None:
    assert judgments.digest("Zoë\n鳥") == hashlib.sha256("Zoë\n鳥".encode()).hexdigest()
    assert judgments.digest("zo\udceb") == hashlib.sha256(b"zo\xeb").hexdigest()


def test_no_file_is_no_judgments(tmp_path: Path) -> None:
    assert judgments.read(WorkTree(str(tmp_path))) == []


def test_what_is_appended_is_read_again_and_what_was_there_stays_to_the_byte(tmp_path: Path) -> None:
    first = judgments.appended(None, ONE)
    second = judgments.appended(first, TWO)
    assert second.startswith(first)
    assert first.startswith(b"# ")
    put(tmp_path, judgments.PATH, second)
    found = judgments.read(WorkTree(str(tmp_path)))
    assert plain(found) == plain([ONE, TWO])
    lines = second.decode().split("\n")
    assert [lines[one.line - 1] for one in found if one.line] == ["[[judgment]]", "[[judgment]]"]
    assert judgments.appended(None, ONE) == first


@pytest.mark.parametrize(
    ("before", "added"),
    [
        (b"# mine", b"\n\n[[judgment]]\n"),
        (b"# mine\n", b"\n[[judgment]]\n"),
        (b"# mine\r\n# too\r\n", b"\r\n[[judgment]]\r\n"),
        (b"\n\n", b"[[judgment]]\n"),
    ],
)
def test_the_files_own_line_endings_and_missing_last_newline_are_kept(before: bytes, added: bytes) -> None:
    after = judgments.appended(before, TWO)
    assert after.startswith(before + added)
    assert after.endswith(b"\r\n") is before.endswith(b"\r\n")
    assert plain(judgments.parse(after)) == plain([TWO])


@given(st.text(max_size=60), st.text(min_size=1, max_size=20))
def test_any_reason_and_name_come_back_as_they_were(reason: str, name: str) -> None:
    encodable = reason.encode("utf-8", "replace").decode(), name.encode("utf-8", "replace").decode()
    after = judgments.appended(judgments.appended(None, ONE), TWO._replace(reason=reason, by=name))
    found = judgments.parse(after)
    assert (found[1].reason, found[1].by) == encodable
    assert plain(found[:1]) == plain([ONE])


def test_the_newest_judgment_of_that_kind_about_exactly_these_texts_is_found() -> None:
    later = TWO._replace(verdict="dismissed", date="2026-07-01")
    held = plain([ONE, TWO, later])
    assert judgments.find(held, "proposal", [A]) == later
    assert judgments.find(held, "conflict", [A]) is None
    assert judgments.find(held, "conflict", [B, A]) == plain([ONE])[0]
    assert judgments.find(held, "proposal", [A, B]) is None
    assert judgments.find(held, "proposal", []) is None
    assert judgments.find(held, "proposal", [judgments.digest("Use CSV!")]) is None


GOOD = judgments.appended(None, ONE).decode()


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        (GOOD + "broken = = 1\n", GOOD.count("\n") + 1, "is not valid TOML"),
        ("<<<<<<< HEAD\n" + GOOD, 1, "is not valid TOML"),
        (GOOD.replace('"dismissed"', '"perhaps"'), 4, "'perhaps' is no verdict"),
        (GOOD.replace('by = "Ada"', "by = 3"), 4, "needs by, a text"),
        (GOOD.replace('by = "Ada"\n', ""), 4, "needs by, a text"),
        (GOOD.replace('kind = "conflict"', 'kind = ""'), 4, "needs kind, a text"),
        (GOOD.replace(A, "abc"), 4, "needs digests"),
        (GOOD.replace(f'["{min(A, B)}", "{max(A, B)}"]', "[]"), 4, "needs digests"),
        ("\n[judgment]\nverdict = 'dismissed'\n", 2, "is no list"),
        ("# c\njudgments = 1\n", 2, "'judgments' is no judgment"),
        ("judgment = [\n 1]\n", 2, "must be a table"),
    ],
)
def test_a_broken_file_is_named_with_its_line(tmp_path: Path, text: str, line: int, words: str) -> None:
    put(tmp_path, judgments.PATH, text)
    with pytest.raises(StoreError, match=words) as caught:
        judgments.read(WorkTree(str(tmp_path)))
    assert (caught.value.path, caught.value.line) == (judgments.PATH, line)
    with pytest.raises(StoreError):  # and nothing is added to it
        judgments.appended(text.encode(), TWO)


def test_a_list_on_one_line_cannot_be_added_to() -> None:
    rest = 'reason = "", by = "Ada", date = "2026-01-01"'
    text = f'judgment = [{{verdict = "refused", kind = "x", digests = ["{A}"], {rest}}}]\n'
    assert len(judgments.parse(text.encode())) == 1
    with pytest.raises(StoreError, match=r"judgments\.toml"):
        judgments.appended(text.encode(), TWO)


def test_keys_of_a_later_version_are_left_alone() -> None:
    text = GOOD + 'note = "later"\n'
    assert plain(judgments.parse(text.encode())) == plain([ONE])
    assert judgments.appended(text.encode(), TWO).startswith(text.encode())


@pytest.mark.parametrize("calls", [("open",), ("read",)])
def test_a_file_that_the_disk_does_not_give_is_no_empty_one(tmp_path: Path, calls: tuple[str, ...]) -> None:
    """What people decided would be asked again, or a new judgment written over the old ones."""
    put(tmp_path, judgments.PATH, b"")
    tree = WorkTree(str(tmp_path))
    with (
        reading_fails(errno.EIO, lambda path: path.endswith("judgments.toml"), calls),
        pytest.raises(StoreError, match=r"judgments\.toml: cannot be (opened|read): Input/output error"),
    ):
        judgments.read(tree)
    assert judgments.read(WorkTree(str(tmp_path))) == []


def test_a_file_that_changed_is_read_again(tmp_path: Path) -> None:
    tree = WorkTree(str(tmp_path))
    for held in ([ONE], [ONE, TWO], [TWO]):
        data = b""
        for one in held:
            data = judgments.appended(data, one)
        put(tmp_path, judgments.PATH, data)
        assert plain(judgments.read(tree)) == plain(held)
        judgments.read(tree).clear()  # what a caller does with its list is no matter to the next


def test_several_at_once_are_the_same_as_one_after_the_other() -> None:
    several = [Judgment("refused", "x", (f"{number:064x}",), f"why {number}", "Ada", "2026-11-30") for number in range(3)]
    data = None
    for one in several:
        data = judgments.appended(data, one)
    assert judgments.appended(None, *several) == data
    assert judgments.appended(judgments.appended(None, several[0]), *several[1:]) == data
