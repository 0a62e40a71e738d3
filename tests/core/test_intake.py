"""Whole-file screens: encodings, merge conflicts, links that were checked out as text."""

from __future__ import annotations

from pathlib import Path

import pytest

from memdesk.core.intake import link_as_text, problem
from memdesk.core.model import Problem
from memdesk.core.worktree import WorkTree
from tests.support.stores import put


@pytest.mark.parametrize(
    ("data", "line", "words"),
    [
        ("# Zoë\n".encode("utf-16"), 1, "UTF-16"),
        ("# Zoë\n".encode("utf-16-be"), 1, "NUL"),
        (b"\xfe\xff\x00#", 1, "UTF-16"),
        (b"a\nb\n\0", 3, "NUL"),
        (b"a\n\nZo\xeb\n", 3, "0xeb"),
        (b"a\r\nb\rc\r\n", 2, "carriage return"),
        (b"a\r\r\n", 1, "carriage return"),
        (b"\r", 1, "carriage return"),
        (b"\xed\xa0\x80", 1, "UTF-8"),  # a surrogate in disguise
    ],
)
def test_what_is_no_utf8_text_is_named_with_its_line(data: bytes, line: int, words: str) -> None:
    found = problem(data)
    assert found is not None
    assert (found.rule, found.line) == ("encoding", line)
    assert words in found.message


@pytest.mark.parametrize("data", [b"", b"\n", b"a\r\nb\r\n", b"\xef\xbb\xbf# T\n", "Zoë 鳥 🧑‍🚀\n".encode(), b"a\x0cb\n"])
def test_texts_are_texts(data: bytes) -> None:
    assert problem(data) is None


@pytest.mark.parametrize(
    ("data", "line"),
    [
        (b"a\n<<<<<<< HEAD\nx\n=======\ny\n>>>>>>> branch\n", 2),
        (b"a\r\n<<<<<<< HEAD\r\nx\r\n=======\r\ny\r\n>>>>>>> branch\r\n", 2),
        (b"```\n<<<<<<< HEAD\nx\n>>>>>>>\n```\n", 2),
        (b"a\nb\n>>>>>>> branch\n", 3),
        (b"a\n||||||| base\n", 2),
        (b"a\n|||||||", 2),
        (b"x\n<<<<<<< one\n<<<<<<< two\n>>>>>>> two", 2),
    ],
)
def test_a_conflict_is_named_where_it_begins(data: bytes, line: int) -> None:
    assert problem(data) == Problem("conflict-marker", line, "It holds a merge conflict that is not resolved.")


@pytest.mark.parametrize(
    "data",
    [
        b"=======\n", b"Title\n=======\n", b"<<<<<<< HEAD\nonly an opening one\n", b">>>>>>>> eight\n", b"> >>>>>>> quoted\n",
        b" >>>>>>> indented\n", b"text >>>>>>> branch\n", b"|||||||| a | b |\n", b">>>>>>>x\n",
    ],
)
def test_what_only_resembles_a_conflict_is_none(data: bytes) -> None:
    assert problem(data) is None


def test_a_link_that_was_checked_out_as_text_is_told_from_a_text(tmp_path: Path) -> None:
    put(tmp_path, "docs/shared/brief.md", "# Brief\n")
    tree = WorkTree(str(tmp_path))

    def judged(text: bytes) -> str | None:
        found = link_as_text(tree, "docs/memory/brief.md", text)
        return None if found is None else found.rule

    assert judged(b"../shared/brief.md") == "link-outside"
    assert judged(b"../shared/brief.md\n") is None  # an editor's text: git writes no line ending
    assert judged(b"../shared/gone.md") is None
    assert judged(b"../../../../etc/brief.md") is None
    assert judged(b"brief.md") is None  # itself
    assert judged(b"See ../shared/brief.md") is None
    assert judged(b"") is None
