"""Time grows with size and no faster: every sized input, at a size, twice and four times it, through every stage.

What is compared is the process's own CPU time, so that a busy machine fails nothing, and ratios alone. What takes less than
FLOOR in all is not judged; what seems to grow too fast is measured again, and the best counts.
"""

from __future__ import annotations

import gc
import re
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path

import pytest

from memdesk.core import fields, markdown, tokens
from memdesk.core.checks import invisible, secrets
from memdesk.core.desk import Desk
from memdesk.core.errors import MemdeskError
from memdesk.core.layouts.base import LoadRequest
from memdesk.core.plan import Request
from memdesk.tui import inert, text
from tests.hostile.inputs import INPUTS, Hostile
from tests.hostile.walking import Walk

FLOOR = 0.03  # seconds of CPU
GROWTH = 3.0  # for each doubling: 2 is linear, 4 is quadratic
AGAIN = 3
PART = 16  # of the full size, at the most: what is quadratic shows long before
SIZED = [hostile for hostile in INPUTS if hostile.sized]

Stage = Callable[[], object]


def stages(walk: Walk, data: bytes) -> Mapping[str, Stage]:
    """What is measured, in this order: on the bytes alone, and then on a desk that holds them."""
    said = data.decode("utf-8", "replace")
    desks: list[Desk] = []

    def opened() -> None:
        desk = walk.desk()
        desks.extend([desk] if desk is not None else [])

    def entries(desk: Desk) -> object:
        return [entry.fields for document in desk.workspace.documents.values() for entry in document.entries]

    def verb(verb: str, **words: str) -> Callable[[Desk], object]:
        def planned(desk: Desk) -> object:
            waiting = desk.candidates()
            plans = [desk.plan(Request(verb, (entry.id,), words, person=True)) for entry in waiting[:1] + waiting[1:2]]
            return [(plan.diffs(), plan.hunks()) for plan in plans]

        return planned

    on_text: dict[str, Callable[[str], object]] = {
        "tokens": tokens.count, "inert": inert.inert, "one line": inert.line, "hidden": invisible.hidden,
        "secrets": secrets.mask, "labels": fields.labelled, "inline fields": fields.inline_fields,
        "candidate": fields.candidate, "title": fields.normal_title,
        "wrap": lambda said: [text.wrap(row, 80) for row in said.split("\n")],
    }
    on_desk: dict[str, Callable[[Desk], object]] = {
        "entries": entries, "check": lambda desk: desk.check("none"),
        "pack": lambda desk: desk.pack(LoadRequest("maintenance", areas=("storage",), paths=("a" * 40 + "/b.py",))),
        "search": lambda desk: desk.search("floods"), "alike": lambda desk: desk.differing(),
        "near": lambda desk: [desk.near(entry) for entry in desk.candidates()[:2]],
        "promote": verb("promote", to="decisions", reason="Seen twice."), "strike": verb("strike", reason="Not so."),
        "reject": verb("reject", reason="Not so.", tombstone="yes"), "edit": verb("edit", text="Something else"),
        "add": lambda desk: desk.plan(Request("add", (), {"text": said})),
    }

    def on(act: Callable[[Desk], object]) -> Stage:
        def done() -> None:
            for desk in desks:
                with suppress(MemdeskError):
                    act(desk)

        return done

    return {
        "reader": lambda: markdown.parse(data), **{name: lambda act=act: act(said) for name, act in on_text.items()},
        "open": opened, **{name: on(act) for name, act in on_desk.items()},
    }


def measured(folder: Path, hostile: Hostile, n: int) -> dict[str, float]:
    """Seconds of CPU that each stage takes at one size."""
    folder.mkdir(parents=True)
    walk = Walk(folder, hostile, n)
    taken = {}
    for name, stage in stages(walk, hostile.bytes(n)).items():
        taken[name] = seconds(stage)
    return taken


def seconds(stage: Stage) -> float:
    gc.collect()
    gc.disable()
    try:
        begun = time.process_time()
        stage()
        return time.process_time() - begun
    finally:
        gc.enable()


def too_fast(small: Mapping[str, float], large: Mapping[str, float], doublings: int) -> dict[str, tuple[float, float]]:
    """The stages whose time grew by more than GROWTH for each doubling: (before, after)."""
    return {
        name: (small[name], taken) for name, taken in large.items()
        if taken > FLOOR and taken > GROWTH**doublings * small[name]
    }


@pytest.mark.slow
@pytest.mark.parametrize("hostile", SIZED, ids=lambda hostile: hostile.name)
def test_time_is_linear_in_size(tmp_path: Path, hostile: Hostile) -> None:
    sizes = [hostile.full // PART // 4, hostile.full // PART // 2, hostile.full // PART]
    taken = [measured(tmp_path / str(n), hostile, n) for n in sizes]
    for turn in range(AGAIN):
        if not too_fast(taken[0], taken[2], 2):
            break
        for size, known in zip(sizes, taken, strict=True):
            again = measured(tmp_path / f"{size} again {turn}", hostile, size)
            known.update({name: min(known[name], again[name]) for name in known})
    assert not too_fast(taken[0], taken[2], 2), taken[1]


def test_what_is_quadratic_is_caught() -> None:
    """A pattern that looks for the end from each line break, which stood here once."""
    ends = re.compile(r"(?:\n[ \t]*)+\Z")
    small, large = ({"ends": seconds(lambda n=n: ends.search("a" + "\n" * n + "b"))} for n in (1_500, 6_000))
    assert too_fast(small, large, 2)
