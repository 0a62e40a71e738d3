"""After a life with everything in it a purge leaves its text in no file of memdesk's state, however it ends."""

from __future__ import annotations

import base64
import json
import os
import shutil
import signal
import zlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from memdesk.core.clock import clock
from memdesk.core.desk import Desk
from memdesk.core.errors import Refused
from memdesk.core.plan import Request
from tests.support.faults import Killing, Tapped
from tests.support.stores import MEMORY, custodian_store, git_repo, snapshot

PIECES = ("zanzibar", "spare key", "third stone", "Zo\u00eb's vault")
ADDED = "Zanzibar holds the spare key to Zo\u00eb's vault"
EDITED = f"- {ADDED}\n  it lies under the third stone of Zanzibar"
PURGE = Request("forget", (), {"topic": "zanzibar", "mode": "purge", "confirmed": "yes"}, store=MEMORY, person=True)


def desk(root: Path, **options: object) -> Desk:
    return Desk.open(str(root), clock=clock("2026-11-30T04:02:51"), user_config=None, **options)  # type: ignore[arg-type]


def done(root: Path, verb: str, contains: str = "", **words: str) -> str:
    opened = desk(root)
    ids = tuple(entry.id for entry in opened.workspace.entries() if contains and contains in entry.text)[:1]
    receipt = opened.perform(Request(verb, ids, words, store=None if ids else MEMORY, person=True), "Ada")
    assert receipt.id is not None
    return receipt.id


def undone(root: Path, ident: str) -> str:
    opened = desk(root)
    return opened.commit(opened.undo(ident), "Ada").id or ""


def killed(root: Path, request: Request, at: int) -> bool:
    """Carries out a request in a process that is killed before its n-th writing operation; whether it was."""
    child = os.fork()
    if child == 0:
        code = 1
        try:
            desk(root, files=Tapped(Killing(at))).perform(request, "Ada")
            code = 0
        finally:
            os._exit(code)
    ended = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    assert ended in (0, -signal.SIGKILL)
    return ended != 0


def life(root: Path) -> Path:
    """A store whose state holds the text in every way that it can get there; returns the state folder."""
    custodian_store(root, changelog="# Changelog\n", inbox="# Inbox\n\n- Other one\n- Another one\n")
    git_repo(root)
    done(root, "add", text=ADDED)
    first = done(root, "edit", "Zanzibar", text=EDITED)
    undone(root, undone(root, first))
    opened = desk(root)
    opened.snooze([entry.id for entry in opened.candidates() if "Zanzibar" in entry.text], clock("2026-12-24").today())
    ident = opened.candidates(snoozed=True)[0].id
    promote = Request("promote", (ident,), {"to": "decisions", "title": "Zanzibar", "reason": "Zo\u00eb"}, person=True)
    with (root / MEMORY / "inbox.md").open("ab") as late:
        assert killed(root, promote, 14)
        desk(root).recover()
        if any("Zanzibar" in entry.text for entry in desk(root).candidates(snoozed=True)):
            desk(root).perform(promote, "Ada")
        late.write(b"- zanzibar, written late\n")
    done(root, "add", text="Something about ZANZIBAR again")
    done(root, "reject", "ZANZIBAR again", reason="zanzibar is over", tombstone="yes", title="Zanzibar keys")
    state = root / ".git" / "memdesk"
    opened.transactions.personal.rewrite("pruning.json", lambda fields: {**fields, "zanzibar session": "x"})
    for place in ("txn/20261130T000000Z-aaaa.new", "history/20261130T000000Z-bbbb.new"):  # of processes that were killed
        (state / place).mkdir()
        (state / place / "s0").write_bytes(ADDED.encode())
    return state


def forms(piece: str) -> Iterator[bytes]:
    """A text as it might stand in a file: plain, escaped as JSON does, in UTF-16, in base64 at each offset."""
    for text in {piece, piece.capitalize(), piece.upper()}:
        data = text.encode()
        yield from (data, json.dumps(text)[1:-1].encode(), text.encode("utf-16-le"))
        for skip in range(3):
            yield base64.b64encode(b"\0" * skip + data + b"\0" * 3)[4 if skip else 0 : -8]


def found(state: Path, *more: Path) -> list[str]:
    """The files that hold a piece of the text in some form, packed parts unpacked; and such names."""
    out = []
    wanted = {form for piece in PIECES for form in forms(piece)}
    for path in (*state.rglob("*"), *more):
        told = [os.fsencode(path.name)]
        if path.is_file():
            data = path.read_bytes()
            told.append(data)
            for at in range(len(data)):
                if data[at] == 0x78:
                    try:
                        told.append(zlib.decompressobj().decompress(data[at:]))
                    except zlib.error:
                        continue
        out += [str(path.relative_to(state.parent)) for text in told if any(form in text for form in wanted)][:1]
    return out


@pytest.fixture(scope="module")
def lived(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("lived") / "store"


def lived_in(lived: Path, tmp_path: Path) -> tuple[Path, Path]:
    """A copy of one such life."""
    if not lived.exists():
        life(lived)
    root = tmp_path / "store"
    shutil.copytree(lived, root)
    return root, root / ".git" / "memdesk"


def test_nothing_of_it_is_left_and_another_desk_brings_nothing_back(lived: Path, tmp_path: Path) -> None:
    root, state = lived_in(lived, tmp_path)
    places = {name.rpartition("/")[2] for name in found(state)}
    assert {"journal", "s0", "pruning.json"} <= places, "the life holds it in all these"
    other = desk(root)
    past = other.history()
    shown = other.undo()
    desk(root).perform(PURGE, "Ada")
    assert found(state) == []
    now = other.history()
    assert [item.id for item in now][1:] == [item.id for item in past]
    assert "zanzibar" in str(past).lower()
    assert "zanzibar" not in str(now).lower(), "nor does what it remembered"
    with pytest.raises(Refused, match="Its texts were purged"):
        other.commit(shown, "Eve")
    other.refresh()
    other.snooze([other.candidates()[0].id], clock("2026-12-24").today())
    other.perform(Request("add", (), {"text": "Quite another"}, store=MEMORY), "Eve")
    other.recover()
    assert found(state) == []
    assert not [path for path, data in snapshot(root).items() if b"zanzibar" in data.lower()]


def test_it_says_first_what_it_cannot_reach(lived: Path, tmp_path: Path) -> None:
    root, _ = lived_in(lived, tmp_path)
    (root / ".memdesk").mkdir(exist_ok=True)
    (root / ".memdesk" / "judgments.toml").write_text('[[judgment]]\nreason = "Zanzibar is old"\n')
    told = " ".join(desk(root).plan(PURGE).warnings)
    assert "Git history and other copies of these files are not touched." in told
    assert ".memdesk/judgments.toml" in told
    assert "wording" in told


def _killed_at(lived: Path, tmp_path: Path, at: int) -> bool:
    root, state = lived_in(lived, tmp_path / str(at))
    before = snapshot(root / MEMORY)
    ended = killed(root, PURGE, at)
    desk(root).recover()
    done(root, "add", text="The next writer")
    if b"zanzibar" in (root / MEMORY / "decisions.md").read_bytes().lower():
        assert {**snapshot(root / MEMORY), "inbox.md": b""} == {**before, "inbox.md": b""}
        desk(root).perform(PURGE, "Ada")
    assert found(state) == [], at
    shutil.rmtree(tmp_path / str(at))
    return ended


def test_killed_in_the_middle_the_next_writer_finishes_it(lived: Path, tmp_path: Path) -> None:
    for at in range(3, 160, 31):
        if not _killed_at(lived, tmp_path, at):
            assert at > 40
            break


@pytest.mark.slow
def test_killed_at_every_step_the_next_writer_finishes_it(lived: Path, tmp_path: Path) -> None:
    at = 0
    while _killed_at(lived, tmp_path, at):
        at += 1
    assert at > 60
