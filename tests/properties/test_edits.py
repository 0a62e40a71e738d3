"""Whatever a file looks like, an edit touches its span alone, and a plan keeps every entry that it does not name."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from itertools import groupby, pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memdesk.core import actions, config
from memdesk.core.edits import Edit, apply, changed_lines, removals
from memdesk.core.errors import MemdeskError
from memdesk.core.model import Workspace
from memdesk.core.plan import Plan, Request
from memdesk.core.workspace import open_workspace
from tests.support.stores import MEMORY
from tests.support.trees import MemoryTree
from tests.support.written import documents, stores

TODAY = date(2026, 11, 30)


def opened(files: dict[str, bytes]) -> Workspace:
    return open_workspace(MemoryTree(files), config.defaults())


def lines_of(data: bytes) -> list[bytes]:
    return data.split(b"\n")


def is_subsequence(some: list[bytes], of: list[bytes]) -> bool:
    rest: Iterator[bytes] = iter(of)
    return all(any(line == other for other in rest) for line in some)


@given(st.binary(max_size=60), st.lists(st.tuples(st.integers(0, 60), st.integers(0, 8), st.binary(max_size=4)), max_size=5))
def test_bytes_outside_the_edits_are_copied(data: bytes, raw: list[tuple[int, int, bytes]]) -> None:
    found: list[Edit] = []
    done = 0
    for start, length, new in sorted(raw):
        if done <= start and start + length <= len(data):
            found.append(Edit(start, start + length, new))
            done = start + length
    applied = apply(data, found)
    expected, at = b"", 0
    for edit in found:
        expected += data[at : edit.start] + edit.new
        at = edit.end
    assert applied.after == expected + data[at:]
    for offset in range(len(data)):
        place = applied.position(offset)
        assert place is None or applied.after[place] == data[offset]
        assert (place is None) == any(edit.start <= offset < edit.end for edit in found)


@given(documents("T", dated=True, sections=True), st.data())
def test_removals_take_whole_lines_and_leave_no_blank_run_longer_than_it_was(data: bytes, draw: st.DataObject) -> None:
    offsets = [0, *(at + 1 for at, byte in enumerate(data) if byte == 10)]
    spans = [(low, high) for low, high in pairwise(offsets) if data[low:high].strip()]
    gone = draw.draw(st.lists(st.sampled_from(spans), max_size=4, unique=True)) if spans else []
    after = apply(data, removals(data, gone)).after
    kept = [data[low:high] for low, high in pairwise([*offsets, len(data)]) if (low, high) not in gone]
    assert [line for line in after.splitlines(keepends=True) if line.strip(b"\xef\xbb\xbf \t\r\n")] == [
        line for piece in kept for line in piece.splitlines(keepends=True) if line.strip(b"\xef\xbb\xbf \t\r\n")
    ]
    assert blank_runs(after)[-1:] <= blank_runs(data)[-1:]


def blank_runs(data: bytes) -> list[int]:
    """The lengths of the runs of blank lines between others, in order of length."""
    lines = [line.strip(b"\xef\xbb\xbf \t\r\n") for line in lines_of(data)]
    return sorted(sum(1 for _ in run) for blank, run in groupby(lines, key=lambda line: not line) if blank)


@pytest.mark.slow
@given(documents("T", dated=True, sections=True), st.sampled_from(["\n", "\r\n"]))
def test_rewriting_a_text_as_it_is_changes_nothing(data: bytes, newline: str) -> None:
    text = data.decode().replace("\r\n", "\n")
    assert not changed_lines(data.strip(b"\r\n"), text.strip("\n"), 0, newline, 0)


@pytest.mark.slow
@settings(max_examples=60)
@given(stores(), st.data())
def test_a_plan_keeps_every_line_and_entry_that_it_does_not_name(files: dict[str, bytes], draw: st.DataObject) -> None:
    workspace = opened(files)
    candidates = workspace.candidates()
    constraints = workspace.documents[f"{MEMORY}/constraints.md"].entries
    decisions = workspace.documents[f"{MEMORY}/decisions.md"].entries
    verb = draw.draw(st.sampled_from(["add", "promote", "reject", "strike", "archive", "supersede"]))
    words: dict[str, str] = {"reason": "because"}
    chosen = candidates
    if verb == "add":
        words, chosen = {"text": "A new candidate\n\n- with a list"}, []
    elif verb == "promote":
        words["to"] = draw.draw(st.sampled_from(["decisions", "constraints", "do-not-use", "area:new"]))
    elif verb == "archive":
        chosen = decisions
    elif verb == "supersede":
        chosen, words["with"] = [*constraints, *decisions], "The new text"
    if verb != "add":
        if not chosen:
            return
        several = 1 if verb == "supersede" else 3
        chosen = draw.draw(st.lists(st.sampled_from(chosen), min_size=1, max_size=several, unique=True))
    request = Request("strike" if verb == "supersede" else verb, tuple(entry.id for entry in chosen), words, person=True)
    try:
        plan = actions.plan(workspace, request, TODAY)
    except MemdeskError as error:
        if not any(words in str(error) for words in ("already holds ~~", "can't be struck")):
            raise
        return
    _keeps_the_rest(workspace, plan, files)
    assert plan == actions.plan(opened(files), request, TODAY)


def _keeps_the_rest(workspace: Workspace, plan: Plan, files: dict[str, bytes]) -> None:
    after = {**files, **{step.path: step.after for step in plan.steps if step.after is not None}}
    for step in plan.steps:
        if step.kind != "replace":
            continue
        assert step.before is not None
        assert step.after is not None
        assert step.before != step.after
        assert step.after.startswith(b"\xef\xbb\xbf") == step.before.startswith(b"\xef\xbb\xbf")
        entries = [workspace.find(ident) for ident in plan.request.ids]
        named = [(entry.start, entry.end) for entry in entries if entry.path == step.path]
        at, rest = 0, b""
        for start, end in sorted(named):
            rest += step.before[at:start]
            at = end
        rest += step.before[at:]
        wanted = [line.strip(b"\r") if line is lines_of(rest)[-1] else line for line in lines_of(rest)]
        kept = [
            line.removeprefix(b"\xef\xbb\xbf") for line in wanted
            if line.strip(b"\xef\xbb\xbf \t\r") and not line.startswith(b"## 2026-11-") and b"None enabled" not in line
        ]
        step = step._replace(after=step.after.removeprefix(b"\xef\xbb\xbf"))
        assert step.after is not None
        loose = [line.rstrip(b"\r") for line in lines_of(step.after)]
        assert is_subsequence([line.rstrip(b"\r") for line in kept], loose), (step.path, step.before, step.after)
        exact = lines_of(step.after)
        assert is_subsequence(kept[:-1], exact), (step.path, step.before, step.after)
    again = opened(after)
    wanted_ids = {ident for ident in plan.new_ids if again.find(ident)}
    assert len(wanted_ids) == len(plan.new_ids)


@settings(max_examples=30)
@given(stores())
def test_an_edit_that_changes_nothing_is_no_edit(files: dict[str, bytes]) -> None:
    workspace = opened(files)
    for entry in workspace.entries():
        if entry.tier == "log":
            continue
        plan = actions.plan(workspace, Request("edit", (entry.id,), {"text": entry.text}, person=True), TODAY)
        assert plan.steps == ()


@pytest.mark.slow
@settings(max_examples=1500)
@given(stores(), st.data())
def test_many_plans_keep_what_they_do_not_name(files: dict[str, bytes], draw: st.DataObject) -> None:
    test_a_plan_keeps_every_line_and_entry_that_it_does_not_name.hypothesis.inner_test(files, draw)
