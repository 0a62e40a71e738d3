"""A repository's command is approved once per exact text, by its user, where no repository can bring an approval along."""

from __future__ import annotations

import errno
import json
import os
import stat
from contextlib import suppress
from pathlib import Path

import pytest

from memdesk.core import approvals
from memdesk.core.approvals import Approvals, Asked, asked
from memdesk.core.errors import Refused
from memdesk.core.transaction import WriteFailed
from memdesk.core.transaction.files import REAL
from tests.support.agents import agent
from tests.support.faults import Failing, Tapped
from tests.support.stores import put

AT = "2026-11-30T04:02:51Z"
ENV = {"PATH": os.environ["PATH"]}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "r"
    (root / "tools").mkdir(parents=True)
    agent(root / "tools", "print('draft')")
    put(root, "tools/rules.txt", "be brief\n")
    return root


@pytest.fixture
def book(tmp_path: Path) -> Approvals:
    return Approvals(str(tmp_path / "state/memdesk/approvals"), REAL)


def of(root: Path, *words: str) -> Asked:
    return asked(words, str(root), ENV)


def test_nothing_is_approved_until_it_is_and_forgotten_when_it_is(root: Path, book: Approvals) -> None:
    mine = of(root, "tools/draft", "--fast")
    assert not book.approved(mine)
    book.approve(mine, AT)
    assert book.approved(mine)
    assert book.approved(of(root, "tools/draft", "--fast"))
    book.forget(mine)
    assert not book.approved(mine)
    book.forget(mine)


@pytest.mark.parametrize(
    "words",
    [
        ("tools/draft",), ("tools/draft", "--fast "), ("tools/draft", "--fast", ""), ("tools/draft", "--Fast"),
        ("tools/draft --fast",), ("--fast", "tools/draft"), ("./tools/draft", "--fast"), ("tools/draft", "--fast", "--fast"),
    ],
)  # fmt: skip
def test_other_words_are_another_command(root: Path, book: Approvals, words: tuple[str, ...]) -> None:
    book.approve(of(root, "tools/draft", "--fast"), AT)
    assert not book.approved(of(root, *words))


def test_another_workspace_is_asked_for_itself_and_a_link_to_it_is_none(tmp_path: Path, root: Path, book: Approvals) -> None:
    book.approve(of(root, "cat"), AT)
    (tmp_path / "other").mkdir()
    (tmp_path / "link").symlink_to(root)
    assert not book.approved(of(tmp_path / "other", "cat"))
    assert book.approved(of(tmp_path / "link", "cat"))


@pytest.mark.parametrize(
    ("words", "path"),
    [
        (("tools/draft",), "tools/draft"), (("./tools/draft",), "tools/draft"), (("python3", "tools/draft"), "tools/draft"),
        (("cat", "tools/rules.txt"), "tools/rules.txt"), (("cat", "--rules=tools/rules.txt"), "tools/rules.txt"),
        (("cat", "tools/../tools/rules.txt"), "tools/rules.txt"),
    ],
)  # fmt: skip
def test_other_bytes_in_a_file_of_the_workspace_that_a_word_names_ask_again(
    root: Path, book: Approvals, words: tuple[str, ...], path: str
) -> None:
    book.approve(of(root, *words), AT)
    assert book.approved(of(root, *words))
    before = (root / path).read_bytes()
    (root / path).write_bytes(before + b"# more\n")
    assert not book.approved(of(root, *words))
    (root / path).write_bytes(before)
    assert book.approved(of(root, *words))
    (root / path).unlink()
    assert not book.approved(of(root, *words))


def test_an_absolute_path_and_a_link_into_the_workspace_count_too(tmp_path: Path, root: Path, book: Approvals) -> None:
    (tmp_path / "outside").symlink_to(root / "tools/draft")
    for word in (str(root / "tools/draft"), str(tmp_path / "outside")):
        mine = of(root, word)
        assert len(mine.files) == 1
        book.approve(mine, AT)
    put(root, "tools/draft", "changed\n")
    assert not book.approved(of(root, str(root / "tools/draft")))
    assert not book.approved(of(root, str(tmp_path / "outside")))


def test_a_link_that_leads_out_is_bound_to_what_it_leads_to(tmp_path: Path, root: Path, book: Approvals) -> None:
    for name in ("one", "two"):
        put(tmp_path, name, f"{name}\n")
    (root / "link").symlink_to(tmp_path / "one")
    book.approve(of(root, "./link"), AT)
    (root / "link").unlink()
    (root / "link").symlink_to(tmp_path / "two")
    assert not book.approved(of(root, "./link"))


def test_a_program_that_the_path_finds_in_the_workspace_counts_too(root: Path, book: Approvals) -> None:
    there = {"PATH": f"{root}/tools{os.pathsep}{ENV['PATH']}"}
    assert set(asked(("draft",), str(root), there).files) == {"tools/draft"}
    assert asked(("draft",), str(root), ENV).files == {}
    book.approve(asked(("draft",), str(root), there), AT)
    put(root, "tools/draft", "changed\n")
    assert not book.approved(asked(("draft",), str(root), there))


def test_a_file_that_comes_to_be_where_a_word_names_one_asks_again(root: Path, book: Approvals) -> None:
    book.approve(of(root, "cat", "later.txt"), AT)
    put(root, "later.txt", "here\n")
    assert not book.approved(of(root, "cat", "later.txt"))


def test_approving_anew_replaces_what_was_approved_before(root: Path, book: Approvals, tmp_path: Path) -> None:
    first = of(root, "tools/draft")
    book.approve(first, AT)
    put(root, "tools/draft", "changed\n")
    book.approve(of(root, "tools/draft"), AT)
    assert book.approved(of(root, "tools/draft"))
    assert not book.approved(first)
    assert len(os.listdir(tmp_path / "state/memdesk/approvals")) == 1


def test_it_lies_in_a_file_for_the_user_alone_that_says_what_it_is(root: Path, book: Approvals, tmp_path: Path) -> None:
    key = "ghp_" + "a1B2" * 9
    book.approve(of(root, "tools/draft", f"--key={key}"), AT)
    folder = tmp_path / "state/memdesk/approvals"
    (path,) = folder.iterdir()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [stat.S_IMODE(place.stat().st_mode) for place in (folder, folder.parent)] == [0o700, 0o700]
    fields = json.loads(path.read_text())
    assert (fields["root"], fields["command"], fields["at"]) == (str(root), "tools/draft --key=***", AT)
    assert key not in path.read_text()
    assert of(root, "a b", f"--key={key}").exact == f"'a b' --key={key}"  # what a person approves is shown as it is


@pytest.mark.parametrize("spoil", ["writable", "link", "rubbish", "list", "folder", "deep"])
def test_what_others_could_have_written_or_nobody_can_read_is_no_approval(
    root: Path, book: Approvals, tmp_path: Path, spoil: str
) -> None:
    mine = of(root, "cat")
    book.approve(mine, AT)
    (path,) = (tmp_path / "state/memdesk/approvals").iterdir()
    good = path.read_bytes()
    if spoil == "writable":
        path.chmod(0o620)
    elif spoil == "link":
        path.rename(tmp_path / "kept")
        path.symlink_to(tmp_path / "kept")
    elif spoil == "folder":
        path.unlink()
        path.mkdir()
    else:
        path.write_bytes({"rubbish": good[:20], "list": b"[]", "deep": b"[" * 100_000}[spoil])
    assert not book.approved(mine)


@pytest.mark.parametrize("below", [".", ".memdesk/state", "state"])
def test_a_place_in_the_workspace_holds_no_approval(root: Path, below: str) -> None:
    """A clone could bring one that was made elsewhere for the very place where people clone to."""
    inside = Approvals(str(root / below), REAL)
    mine = of(root, "cat")
    with pytest.raises(Refused, match="where a repository can bring its own") as caught:
        inside.approve(mine, AT)
    assert "your own settings file" in caught.value.remedy
    outside = Approvals(str(root.parent / "o"), REAL)
    outside.approve(mine, AT)
    (root / below).mkdir(parents=True, exist_ok=True)
    for path in (root.parent / "o").iterdir():
        (root / below / path.name).write_bytes(path.read_bytes())
        (root / below / path.name).chmod(0o600)
    assert not inside.approved(mine)
    (root.parent / "hidden").symlink_to(root / below)
    assert not Approvals(str(root.parent / "hidden"), REAL).approved(mine)


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EROFS, errno.EACCES])
def test_a_disk_that_fails_approves_nothing(root: Path, tmp_path: Path, number: int) -> None:
    mine = of(root, "cat")
    refused = 0
    for at in range(20):
        book = Approvals(str(tmp_path / f"state{at}/approvals"), REAL)
        failing = Failing(at, number, ("mkdir", "write", "fsync", "rename"))
        with suppress(WriteFailed):
            Approvals(str(tmp_path / f"state{at}/approvals"), Tapped(failing)).approve(mine, AT)  # type: ignore[arg-type]
        assert book.approved(mine) is (failing.failed is None)
        refused += failing.failed is not None
    assert refused == 5
    with pytest.raises(WriteFailed, match=r"Nothing was approved\."):
        Approvals(str(tmp_path / "s"), Tapped(Failing(1, number, ("mkdir", "write")))).approve(mine, AT)  # type: ignore[arg-type]


def test_a_file_that_cannot_be_read_cannot_be_approved_for_good(root: Path, book: Approvals) -> None:
    odd = Asked(str(root), ("tools/draft",), {"tools/draft": ""})
    book.approve(odd, AT)
    assert not book.approved(odd)


def test_the_users_place_is_the_platforms(tmp_path: Path) -> None:
    assert approvals.user_folder({"XDG_STATE_HOME": "/s", "HOME": "/h"}) == "/s/memdesk/approvals"
    for value in ("", "relative"):
        assert approvals.user_folder({"XDG_STATE_HOME": value, "HOME": "/h"}) == "/h/.local/state/memdesk/approvals"
