"""Log files never change but by lines added at their end: whatever is done, undone and redone, on whatever day."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memdesk.core import layouts
from memdesk.core.clearing import working
from memdesk.core.clock import Clock
from memdesk.core.desk import Desk
from memdesk.core.errors import MemdeskError
from memdesk.core.model import Entry
from memdesk.core.plan import Request
from tests.support.stores import TIERS, tiers_store

BEGIN = datetime(2026, 11, 28, 21, 0)
LOGS, ARCHIVE = "memory/log/", "memory/archive/"
VERBS = sorted(layouts.get("tiers").verbs - {"undo", "snooze", "init"})
TEXTS = st.sampled_from([
    "Herons nest late", "Count at dawn\n\n- first\n- then the gulls", "A fence:\n\n```\n## no heading\n```", "# A heading\n\nx",
    "Zo\u00eb's lamp is `~~broken~~`", "x <!-- y", "\u5b58\u50a8 first", "- a list",
])
SHAPES = st.sampled_from([
    "# {day}\n\n- 09:00 began\n", "# {day}\r\n\r\n- 09:00 began\r\n", "# {day}\n\n- began", "# {day}", "", "* a\n\n* b\n",
    "# {day}\n\nProse\n\n## Later\n", "\ufeff# {day}\n\n- a\n  - b", "# {day}\n\n```\nopen\n", "# {day}\n\n> quoted\n   ",
])


class Life:
    """A store of three tiers. Each step is hours after the last, from a desk of its own."""

    def __init__(self, root: Path, shapes: list[str]) -> None:
        self.root = root
        self.now = BEGIN
        days = [(BEGIN + timedelta(days=number)).date().isoformat() for number in range(-1, len(shapes) - 1)]
        logs = {f"log/{day}.md": shape.format(day=day) for day, shape in zip(days, shapes, strict=True)}
        more = {"working/task.md": "# Task\n\n- Try twice\n- The lock is held\n", "working/notes.md": "- Ask Ada\n"}
        tiers_store(root, **{**{name: None for name in TIERS if name.startswith("log/")}, **logs, **more})

    def desk(self, hours: int) -> Desk:
        self.now += timedelta(hours=hours)
        return Desk.open(str(self.root), clock=Clock(self.now), user_config=None)

    def logs(self) -> dict[str, bytes]:
        folder = self.root / LOGS
        return {name: (folder / name).read_bytes() for name in sorted(os.listdir(folder))} if folder.is_dir() else {}

    def archived(self) -> set[bytes]:
        folder = self.root / ARCHIVE
        return {path.read_bytes() for path in folder.rglob("*.md")} if folder.is_dir() else set()

    @property
    def today(self) -> str:
        return f"{self.now.date().isoformat()}.md"


def chosen(draw: st.DataObject, desk: Desk) -> Request | None:
    """A request that fits what is there."""

    def pick(strategy: st.SearchStrategy[object]) -> object:
        return draw.draw(strategy)

    def some(entries: list[Entry], most: int = 2) -> tuple[str, ...]:
        found = draw.draw(st.lists(st.sampled_from(entries), min_size=1, max_size=most, unique_by=id))
        return tuple(entry.id for entry in found)

    verb = draw.draw(st.sampled_from([*VERBS, "promote", "correct", "reject", "add", "archive"]))
    entries = list(desk.workspace.entries())
    candidates = desk.candidates()
    facts = [entry for entry in entries if entry.role == "fact"]
    old = [entry for entry in entries if entry.role in ("fact", "log")]
    text, reason = draw.draw(TEXTS), draw.draw(st.sampled_from(["", "so it is"]))
    words: dict[str, str] = {}
    ids: tuple[str, ...] = ()
    if verb == "add":
        words = {"text": text}
    elif verb == "promote":
        fit = [entry for entry in entries if layouts.get("tiers").promotable(entry)]
        if not fit:
            return None
        ids, words = some(fit), {"to": draw.draw(st.sampled_from(["fact:", "log"])), "reason": reason}
        if len(ids) == 1:
            words["description"] = draw.draw(st.sampled_from(["Late", "Something holds"]))
    elif verb in ("strike", "reject", "merge", "archive", "correct", "edit"):
        pool = {"merge": candidates, "reject": candidates, "correct": facts, "archive": old}.get(verb, entries)
        if not pool or (verb == "merge" and not facts):
            return None
        ids, words = some(pool, 2 if verb in ("reject", "archive") else 1), {"reason": reason}
        if verb == "merge":
            words["into"] = draw.draw(st.sampled_from(facts)).id
        elif verb == "edit":
            entry = next(entry for entry in pool if entry.id == ids[0])
            words["text"] = entry.text + draw.draw(st.sampled_from(["!", "\n\n  more"]))
        elif verb in ("correct", "strike"):
            words |= {"with": text, "description": "It says another thing"}
    elif verb == "forget":
        words = {"topic": draw.draw(st.sampled_from(["lock", "Counts", "promoted"])), "mode": "purge", "confirmed": "yes"}
    elif verb == "clear":
        files = [one.document.path for one in working(desk.workspace, desk.workspace.stores[0])]
        if not files:
            return None
        words = {"paths": draw.draw(st.sampled_from(files))}
    words = {key: value for key, value in words.items() if value}
    return Request(verb, ids, words, {"whole": "yes"}, person=True)


def step(life: Life, draw: st.DataObject) -> None:
    """One action, undo or redo, and what must hold of every log after it."""
    before, desk = life.logs(), life.desk(draw.draw(st.sampled_from([0, 1, 26])))
    doing = draw.draw(st.sampled_from(["act", "act", "act", "undo", "undo an old one"]))
    try:
        if doing == "act":
            request = chosen(draw, desk)
            if request is not None:
                desk.perform(request, "Ada")
        elif doing == "undo":
            desk.commit(desk.undo(), "Ada")
        else:
            known = [item.id for item in desk.history()]
            if known:
                desk.commit(desk.undo(draw.draw(st.sampled_from(known))), "Ada")
    except MemdeskError:
        assert life.logs() == before
        return
    after = life.logs()
    archived = life.archived()
    for name, data in before.items():
        if name not in after:
            assert data in archived, f"{name} went, and is not in the archive as it was"
            continue
        assert after[name].startswith(data), f"{name} changed otherwise than at its end"
        assert name == life.today or after[name] == data, f"{name} is no log of today and changed"
    for name, data in after.items():
        if name not in before:
            assert name == life.today or doing != "act", f"{name} was made on another day"
            assert data


@contextmanager
def lived(shapes: list[str]) -> Iterator[Life]:
    with tempfile.TemporaryDirectory() as folder:
        yield Life(Path(folder), shapes)


@settings(max_examples=8)
@given(st.lists(SHAPES, min_size=1, max_size=4), st.data())
def test_logs_only_grow(shapes: list[str], draw: st.DataObject) -> None:
    with lived(shapes) as life:
        for _ in range(7):
            step(life, draw)


@pytest.mark.slow
@settings(max_examples=120)
@given(st.lists(SHAPES, min_size=1, max_size=5), st.data())
def test_logs_only_grow_in_many_lives(shapes: list[str], draw: st.DataObject) -> None:
    with lived(shapes) as life:
        for _ in range(16):
            step(life, draw)
