"""Every hostile input alone: through the reader, check, packs, search, the listings and every verb, and back by undo.

Fast: each input is read, checked and planned for; what is packed, carried out and run as a command takes turns. Slow:
every verb is planned with each, more is carried out, and those that have a size are read at their full one.
"""

from __future__ import annotations

import json
from itertools import islice
from pathlib import Path

import pytest

from memdesk.core import markdown
from tests.hostile import walking
from tests.hostile.inputs import INPUTS, Hostile
from tests.hostile.walking import COMMANDS, Walk
from tests.support.sampling import sampled

PARTS = 8
KINDS = sorted({hostile.kind for hostile in INPUTS})


def test_the_inputs_are_many_and_each_is_another() -> None:
    assert len(INPUTS) >= 150
    assert len({hostile.name for hostile in INPUTS}) == len(INPUTS)
    assert len({(hostile.where, hostile.bytes()) for hostile in INPUTS}) == len(INPUTS)


def reader(data: bytes) -> None:
    """What holds of any bytes: blocks in order, inside the text and inside their parents; nothing else is promised of them."""
    page = markdown.parse(data)
    before = -1
    for block in page.blocks:
        assert before <= block.start <= block.inner[0] <= block.inner[1] <= block.end <= len(data)
        before = block.start
        if block.parent >= 0:
            assert page.blocks[block.parent].start <= block.start
            assert block.end <= page.blocks[block.parent].end
        assert page.line_of(block.start) == block.line
    for rule, line, message in page.faults:
        assert rule
        assert 1 <= line <= data.count(b"\n") + 1
        assert message


@pytest.mark.parametrize("part", sampled(range(PARTS), 3))
def test_each_input_through_reader_check_and_plans(tmp_path: Path, part: int) -> None:
    """A verb for each input, another for the next; every sixth is carried out and undone. Every other one is packed and
    searched too."""
    done = 0
    for number, hostile in enumerate(INPUTS[part::PARTS]):
        walk = _walk(tmp_path, number, hostile)
        reader(hostile.bytes())
        desk = walk.desk()
        if desk is not None:
            if number % 2:
                walking.read(walk, desk, walking.TASKS[number % 7 :: 7])
            else:
                desk.check("none")
            every = list(walking.requests(walk, desk))
            done += walking.decide(walk, desk, every[number % len(every)], carry_out=number % 6 == part % 6) == "done"
        walk.unchanged()
    assert done > 2


@pytest.mark.parametrize("part", range(PARTS))
def test_what_commands_show_of_an_input_is_inert(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, part: int) -> None:
    """Every fourth input with one command, another for the next."""
    for number, hostile in enumerate(INPUTS[part :: 4 * PARTS]):
        walk = _walk(tmp_path, number, hostile)
        shown(walk, monkeypatch, COMMANDS[(number + part) % len(COMMANDS)])
        walk.unchanged()


def shown(walk: Walk, patch: pytest.MonkeyPatch, words: tuple[str, ...]) -> None:
    """One command on a terminal, as text and as JSON, and as JSON into a pipe."""
    code, _ = walking.command(walk, patch, *words)
    again, out = walking.command(walk, patch, *words, "--format", "json")
    assert again == code
    if out:
        json.loads(out)
    _, piped = walking.command(walk, patch, *words, "--format", "json", terminal=False)
    assert bool(piped) == bool(out)
    if piped:
        assert json.loads(piped) == json.loads(out)


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_each_input_through_every_verb_and_at_its_full_size(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    """Every verb is planned and every third carried out, in turn; so with the commands."""
    for number, hostile in enumerate(hostile for hostile in INPUTS if hostile.kind == kind):
        walk = _walk(tmp_path, number, hostile)
        for words in COMMANDS[number % 3 :: 3]:
            shown(walk, monkeypatch, words)
        desk = walk.desk()
        if desk is not None:
            for turn, request in enumerate(list(walking.requests(walk, desk)), number):
                walking.decide(walk, desk, request, carry_out=turn % 3 == 0)
        walk.unchanged()
        if hostile.sized:
            big = Walk(_folder(tmp_path, f"{number} in full"), hostile, hostile.full)
            reader(hostile.bytes(hostile.full))
            desk = big.desk()
            if desk is not None:
                walking.read(big, desk)
                for request in islice(walking.requests(big, desk), number % 7, None, 7):
                    walking.decide(big, desk, request, carry_out=True)
            big.unchanged()


def _walk(tmp_path: Path, number: int, hostile: Hostile) -> Walk:
    return Walk(_folder(tmp_path, str(number)), hostile)


def _folder(tmp_path: Path, name: str) -> Path:
    folder = tmp_path / name
    folder.mkdir()
    return folder
