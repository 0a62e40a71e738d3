"""Whatever was done, from whatever desk, undone in turn every byte is back; what came between stays, or the reason is true."""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from memdesk.core.errors import Refused
from tests.support.lives import Life
from tests.support.written import stores


@contextmanager
def life(files: dict[str, bytes]) -> Iterator[Life]:
    with tempfile.TemporaryDirectory() as folder:
        yield Life(Path(folder), files)


@settings(max_examples=8)
@given(stores(), st.data())
def test_undone_in_turn_every_byte_is_back_across_restarts(files: dict[str, bytes], draw: st.DataObject) -> None:
    _in_turn(files, draw, 6)


@pytest.mark.slow
@settings(max_examples=200, phases=[Phase.generate], report_multiple_bugs=True)
@given(stores(), st.data())
def test_many_lives_are_undone_in_turn(files: dict[str, bytes], draw: st.DataObject) -> None:
    _in_turn(files, draw, 10)


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
