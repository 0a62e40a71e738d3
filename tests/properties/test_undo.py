"""Whatever was done, from whatever desk, undone in turn every byte is back; what came between stays, or the reason is true."""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memdesk.core.errors import Refused
from memdesk.core.transaction import Transaction
from tests.support.lives import Life
from tests.support.written import stores


@contextmanager
def life(files: dict[str, bytes]) -> Iterator[Life]:
    with tempfile.TemporaryDirectory() as folder:
        yield Life(Path(folder), files)


@settings(max_examples=18)
@given(stores(), st.data())
def test_undone_in_turn_every_byte_is_back_across_restarts(files: dict[str, bytes], draw: st.DataObject) -> None:
    _in_turn(files, draw, 6)


@pytest.mark.slow
@settings(max_examples=120)
@given(stores(), st.data())
def test_many_lives_are_undone_in_turn(files: dict[str, bytes], draw: st.DataObject) -> None:
    _in_turn(files, draw, 10)


@pytest.mark.slow
@settings(max_examples=18)
@given(stores(), st.data())
def test_what_came_between_stays_or_the_reason_is_true(files: dict[str, bytes], draw: st.DataObject) -> None:
    _between(files, draw, 7)


@pytest.mark.slow
@settings(max_examples=80)
@given(stores(), st.data())
def test_in_many_lives_what_came_between_stays_or_the_reason_is_true(files: dict[str, bytes], draw: st.DataObject) -> None:
    _between(files, draw, 12)


class Stood(NamedTuple):
    """How a store stood before an action: its memory and its log; and the log after it."""

    memory: dict[str, bytes]
    log: bytes
    after: bytes = b""

    @property
    def logged(self) -> bool:
        """It wrote lines of its own there, and took none out."""
        return self.log != self.after and not self.took

    @property
    def took(self) -> bool:
        return bool(Counter(lines(self.log)) - Counter(lines(self.after)))


def _in_turn(files: dict[str, bytes], draw: st.DataObject, steps: int) -> None:
    """A stack of states is the model: an action puts one on it, an undo takes one off, a redo puts it back."""
    with life(files) as it:
        stack: list[Stood] = []
        redo: list[tuple[str, Stood, dict[str, bytes]]] = []  # of the undo just done: its id, before what, and after what
        for _ in range(steps):
            now, log = it.memory(), it.log()
            doing = draw.draw(st.sampled_from(["act", "act", "act", "undo", "redo"]))
            if doing == "act":
                if it.act(draw) is not None:
                    stack.append(Stood(now, log, it.log()))
                    redo = []
            elif doing == "undo" and stack:
                stood = stack.pop()
                redo = [(it.undo(), stood, now)]
                _is_back(it, stood, log, b"Undone: ")
            elif doing == "redo" and redo:
                ident, stood, after = redo.pop()
                it.undo(ident)
                assert it.memory() == after
                _told(stood, log, it.log(), b"Redone: ")
                stack.append(stood)
        while stack:
            log = it.log()
            it.undo()
            _is_back(it, stack.pop(), log, b"Undone: ")
        with pytest.raises(Refused, match="nothing to undo"):
            it.undo()


def _is_back(it: Life, stood: Stood, log: bytes, word: bytes) -> None:
    assert it.memory() == stood.memory
    _told(stood, log, it.log(), word)
    gone = Counter(lines(stood.log)) - Counter(lines(it.log()))
    assert not gone, "what the action took out of the log came back"


def _told(stood: Stood, before: bytes, after: bytes, word: bytes) -> None:
    """The log has its lines as they were, and one that says what was done; perhaps under a new heading of the day."""
    if stood.took:
        return
    if not stood.logged:
        assert before == after
        return
    old, new = Counter(lines(before)), Counter(lines(after))
    more = sorted((new - old).elements())
    assert not old - new, (before, after)
    assert [line for line in more if word in line] == more[-1:], (before, after)
    assert more[:-1] == [line for line in more if line.startswith(b"## 2026-1")][:1], (before, after)


def lines(data: bytes) -> list[bytes]:
    return [line.rstrip(b"\r") for line in data.removeprefix(b"\xef\xbb\xbf").split(b"\n") if line.strip()]


def _between(files: dict[str, bytes], draw: st.DataObject, steps: int) -> None:
    with life(files) as it:
        outside: dict[str, int] = {}  # paths that others wrote to, and how many transactions there had been by then
        for number in range(steps):
            doing = draw.draw(st.sampled_from(["act", "act", "outside", "undo"]))
            past = it.desk().history()
            if doing == "act":
                it.act(draw)
            elif doing == "outside":
                path = _edit(it, draw, number)
                outside[path] = len(past)
            elif past:
                _undo(it, draw.draw(st.sampled_from(past)).id, outside)
        if not outside:
            for item in it.desk().history():
                _undo(it, item.id, outside)


def _edit(it: Life, draw: st.DataObject, number: int) -> str:
    """Somebody writes into a file: a line more, one less, another one; or the file goes."""
    files = sorted(path for path in it.memory() if path.endswith(".md") and not path.endswith("manifest.md"))
    path = draw.draw(st.sampled_from(files))
    data = (it.root / path).read_bytes()
    found = data.split(b"\n")
    at = draw.draw(st.integers(0, len(found) - 1))
    doing = draw.draw(st.sampled_from(["insert", "insert", "replace", "delete", "remove"]))
    if doing == "remove":
        (it.root / path).unlink()
        return path
    found[at : at if doing == "insert" else at + 1] = [] if doing == "delete" else [b"- outside %d" % number]
    (it.root / path).write_bytes(b"\n".join(found))
    return path


def _undo(it: Life, ident: str, outside: dict[str, int]) -> None:
    """Undone, each file has the lines that it had, without those of the action and with those that it took; or refused,
    with a file that did change, and the list knew it."""
    now, log = it.memory(), it.log()
    desk = it.desk()
    past = desk.history()
    listed = next(item for item in past if item.id == ident)
    shown = desk.show(ident)
    changes = {item.path: item for item in desk.transactions._history.journal(ident).changes}
    refused = None
    try:
        it.undo(ident)
    except Refused as error:
        refused = error
    if refused is not None:
        assert (it.memory(), it.log()) == (now, log)
        assert not listed.undoable
        assert not shown.undoable
        assert shown.reason in (str(refused), refused.message)
        _true(it, refused, ident, past, outside)
        return
    assert listed.undoable, listed
    assert shown.undoable, shown
    after = it.memory()
    for path in {path for path in (*now, *after) if not path.endswith("/")}:
        change = changes.get(path)
        wanted = _counted(now.get(path))
        if change is not None:
            wanted.subtract(_counted(change.after))
            wanted.update(_counted(change.before))
        wanted.subtract(_counted(after.get(path)))
        assert not any(wanted.values()), (path, listed)


def _true(it: Life, refused: Refused, ident: str, past: list[Transaction], outside: dict[str, int]) -> None:
    """It names a file that did change, and what to undo first where that would mend it."""
    if refused.path is None:
        assert refused.message.startswith(("It was undone by", "All files are already")), refused
        return
    change = next(item for item in it.desk().transactions._history.journal(ident).changes if item.path == refused.path)
    assert it.files().get(refused.path) != change.after, refused
    position = [item.id for item in past].index(ident)
    first = next((item for item in past[:position] if f"undo {item.id} first" in refused.message), None)
    if first is None:
        assert "undo 2" not in refused.message
        assert outside.get(refused.path, -1) >= len(past) - position, "nobody else wrote there since"
    else:
        assert refused.path in first.paths
        assert f"{first.summary.rstrip('.')})" in refused.message


def _counted(data: bytes | None) -> Counter[bytes]:
    return Counter() if data is None else Counter(data.split(b"\n"))
