"""Changes of memories taken back, from fresh desks: in turn to the byte, out of turn without what came later."""

from __future__ import annotations

import os
from datetime import datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st

from memdesk.core.clock import Clock
from memdesk.core.desk import Desk
from memdesk.core.errors import MemdeskError, Refused
from memdesk.core.plan import Request
from memdesk.core.transaction.stamps import aligned
from tests.support.stores import feature_memory, jonggrang_store

BEGIN = datetime(2026, 11, 28, 21, 0)
PROJECT, FEATURE = ".jonggrang/MEMORY.md", ".jonggrang/.output/features/counts/MEMORY.md"
LINES = "\n".join(f"- Lesson {word} holds" for word in ("one", "two", "three", "four"))
FILES = {FEATURE.removeprefix(".jonggrang/"): feature_memory(
    facts="- A\n- B", lessons=LINES, promotion=LINES.replace("holds", "waits"),
)}


def desk(root: Path, hours: int) -> Desk:
    return Desk.open(str(root), clock=Clock(BEGIN + timedelta(hours=5 * hours)), user_config=None)


def files(root: Path) -> dict[str, bytes]:
    return {
        os.path.relpath(os.path.join(folder, name), root): Path(folder, name).read_bytes()
        for folder, _, names in os.walk(root) for name in names if "/locks" not in folder and "/.memdesk" not in folder
    }


def perform(root: Path, hours: int, verb: str, text: str, **words: str) -> str:
    """One action on the entry that holds a text; the transaction's id."""
    bench = desk(root, hours)
    (entry,) = [entry for entry in bench.workspace.entries() if text in entry.text]
    receipt = bench.perform(Request(verb, (entry.id,), words, person=True), "Ada")
    assert receipt.id is not None
    return receipt.id


def promote(root: Path, hours: int, text: str) -> str:
    words = {"to": "project-memory", "section": "Conventions", "reviewed": "yes"}
    return perform(root, hours, "promote", text, **words)


def test_the_older_of_two_promotions_can_be_taken_back(tmp_path: Path) -> None:
    jonggrang_store(tmp_path, **FILES)
    before = files(tmp_path)
    first = promote(tmp_path, 1, "one waits")
    alone = files(tmp_path)
    second = promote(tmp_path, 12, "two waits")
    both = files(tmp_path)
    bench = desk(tmp_path, 20)
    bench.commit(bench.undo(first), "Ada")
    left = files(tmp_path)
    stamp = [b"updated_at: 2026-12-01T", b"one waits (from"]
    assert [part in left[PROJECT] for part in stamp] == [True, False]
    assert b"- Lesson one waits\n- Lesson two waits \xe2\x86\x92 promoted 2026-12-01\n" in left[FEATURE]
    bench = desk(tmp_path, 21)
    bench.commit(bench.undo(second), "Ada")
    assert files(tmp_path) == before
    assert alone[PROJECT] != both[PROJECT]


VERBS = st.sampled_from(["promote", "promote", "strike", "strike with", "reject", "edit", "merge"])


@settings(max_examples=12, deadline=None)
@given(st.data())
def test_undone_in_turn_every_byte_is_back(draw: st.DataObject) -> None:
    _lives(draw, 5, in_turn=True)


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(st.data())
def test_in_many_lives_undone_in_any_order_every_byte_is_back_in_the_end(draw: st.DataObject) -> None:
    _lives(draw, 7, in_turn=False)


def _lives(draw: st.DataObject, most: int, *, in_turn: bool) -> None:
    with TemporaryDirectory() as folder:
        root = Path(folder)
        jonggrang_store(root, **FILES)
        before, done = files(root), []
        for hours in range(draw.draw(st.integers(2, most))):
            ident = _act(draw, root, hours)
            done += [ident] if ident else []
        event(f"{len(done)} actions")
        hours = 30
        while done:
            hours += 1
            order = done[::-1] if in_turn else draw.draw(st.permutations(done))
            for ident in order:
                bench = desk(root, hours)
                try:
                    bench.commit(bench.undo(ident), "Ada")
                except Refused:
                    assert not in_turn
                    continue
                done.remove(ident)
                break
            else:
                pytest.fail("nothing can be taken back any more")
        assert files(root) == before


def _act(draw: st.DataObject, root: Path, hours: int) -> str | None:
    bench = desk(root, hours)
    verb = draw.draw(VERBS)
    entries = [entry for entry in bench.workspace.entries() if entry.role in ("feature", "project", "fragment")]
    chosen = draw.draw(st.sampled_from(entries))
    words = {"reason": draw.draw(st.sampled_from(["", "It was so"]))}
    if verb == "promote":
        section = draw.draw(st.sampled_from(["Conventions", "Known Pitfalls"]))
        words |= {"to": "project-memory", "section": section, "reviewed": "yes"}
    elif verb == "strike with":
        verb, words = "strike", {**words, "with": "What holds now"}
    elif verb == "edit":
        words = {"text": chosen.text + " and more"}
    elif verb == "merge":
        words = {"into": draw.draw(st.sampled_from(entries)).id, "reviewed": "yes"}
    try:
        return bench.perform(Request(verb, (chosen.id,), words, person=True), "Ada").id
    except MemdeskError:
        return None


def test_a_line_of_front_matter_that_says_when_is_neither_change_s() -> None:
    def text(day: str, *rest: str) -> bytes:
        return "\r\n".join(["---", "scope: project", f"updated_at: {day}", "---", "", *rest, ""]).encode()

    before, after, now = text("2026-01-01", "a"), text("'2026-02-02T01:02:03Z'", "a", "b"), text("2026-03-03", "a", "b", "c")
    assert aligned(before, after, now) == (text("2026-03-03", "a"), text("2026-03-03", "a", "b"))
    assert aligned(before, after, after) == (before, after)
    for other in (b"", b"updated_at: 2026-03-03\n", text("soon"), text("2026-03-03").replace(b"---\r\n\r\n", b"")):
        assert aligned(before, after, other) == (before, after)
