"""Entries that leave one by one, in any order, or all at once: the files are the same to the byte, logs aside."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memdesk.core import actions, config
from memdesk.core.errors import Refused
from memdesk.core.plan import Plan, Request
from memdesk.core.workspace import open_workspace
from tests.support.stores import MEMORY
from tests.support.trees import MemoryTree
from tests.support.written import documents, stores

TODAY = date(2026, 11, 30)
ARCHIVE = "archive/decisions-2026-11-30.md"
INBOX_ARCHIVE = "archive/inbox-2026-11-30.md"
LOG = f"{MEMORY}/changelog.md"
Case = tuple[dict[str, bytes], str, list[tuple[str, str]], list[int]]  # files, a verb, entries by path and text, their order


def planned(files: dict[str, bytes], verb: str, wanted: list[tuple[str, str]]) -> Plan:
    """The plan for the entries of these paths and texts, as they are now."""
    workspace = open_workspace(MemoryTree(files), config.defaults())
    ids = []
    for path, text in wanted:
        ids += [entry.id for entry in workspace.documents[path].entries if entry.text == text][:1]
    assert len(ids) == len(wanted)
    return actions.plan(workspace, Request(verb, tuple(ids), {}, {"whole": "yes"}, person=True), TODAY)


def applied(files: dict[str, bytes], plan: Plan) -> dict[str, bytes]:
    after = dict(files)
    for step in plan.steps:
        if step.kind == "delete":
            del after[step.path]
        elif step.kind != "mkdir":
            assert step.after is not None
            after[step.path] = step.after
    return after


def without_log(files: dict[str, bytes]) -> dict[str, bytes]:
    return {path: data for path, data in files.items() if path != LOG}


def leaves_alike(files: dict[str, bytes], verb: str, chosen: list[tuple[str, str]], order: list[int]) -> None:
    at_once = without_log(applied(files, planned(files, verb, chosen)))
    one_by_one = files
    for index in order:
        one_by_one = applied(one_by_one, planned(one_by_one, verb, [chosen[index]]))
    assert without_log(one_by_one) == at_once


DAYS = st.sampled_from(["2026-01-02", "2026-05-01", "2026-11-30"])
TITLES = st.sampled_from(["Sites", "sites", "Counts", "Éclair", "7"])


@st.composite
def mixed(draw: st.DrawFn) -> bytes:
    """Decisions in all their forms: sections and lines, dated, struck, or neither; spaced or not."""
    lines = ["# Decisions", ""]
    for number in range(draw(st.integers(0, 5))):
        body = draw(st.sampled_from(["{day} | {title} {n}. Reason: so.", "{title} {n}", "{title} {n} ({day})"]))
        body = body.format(day=draw(DAYS), title=draw(TITLES), n=number)
        lines.append(draw(st.sampled_from([f"- {body}", f"- ~~{body}~~ superseded {draw(DAYS)}", f"* {body}"])))
        lines += [""] if draw(st.integers(0, 2)) == 0 else []
    lines.append("")
    for number in range(draw(st.integers(0, 5))):
        title = draw(st.sampled_from([f"{draw(DAYS)} - {draw(TITLES)} {number}", f"{draw(TITLES)} {number}"]))
        if draw(st.booleans()):
            lines += [f"## ~~{title}~~", "", f"Superseded: {draw(DAYS)} by \"Other\"", ""]
        else:
            lines += [f"## {title}", ""]
        lines += ["Decision:", "It is so.", ""]
    return "\n".join(lines).encode()


@st.composite
def leaving(draw: st.DrawFn) -> Case:
    files = draw(stores())
    if draw(st.booleans()):
        files[f"{MEMORY}/decisions.md"] = draw(mixed())
    if draw(st.booleans()):
        files[f"{MEMORY}/{ARCHIVE}"] = draw(st.one_of(mixed(), documents("Archived", dated=False, sections=True)))
    if draw(st.booleans()):
        files[f"{MEMORY}/{INBOX_ARCHIVE}"] = draw(documents("Archived", dated=False, sections=False))
    ending = draw(st.sampled_from([b"\n", b"\r\n"]))  # of mixed ones, the new lines get that which most have: of what is left
    files = {path: data.replace(b"\r\n", b"\n").replace(b"\n", ending) for path, data in files.items()}
    workspace = open_workspace(MemoryTree(files), config.defaults())
    verb = draw(st.sampled_from(["archive", "archive", "reject"]))
    roles = ("decisions", "changelog") if verb == "archive" else ("decisions", "inbox")
    able = {
        (entry.path, entry.text): entry for entry in workspace.entries()
        if entry.role in roles and entry.kind in ("bullet", "section") and (entry.tier != "log" or verb == "archive")
        and not (entry.role == "inbox" and not entry.candidate)
    }
    texts = [(entry.path, entry.text) for entry in workspace.entries()]
    able = {key: entry for key, entry in able.items() if texts.count(key) == 1}
    if not able:
        return files, verb, [], []
    chosen = draw(st.lists(st.sampled_from(sorted(able)), min_size=1, max_size=6, unique=True))
    return files, verb, chosen, draw(st.permutations(range(len(chosen))))


@settings(max_examples=40)
@given(leaving())
def test_what_leaves_in_any_order_leaves_the_same_files(case: Case) -> None:
    if case[2]:
        leaves_alike(*case)


@pytest.mark.slow
@settings(max_examples=600)
@given(leaving())
def test_what_leaves_in_any_of_many_orders(case: Case) -> None:
    if case[2]:
        leaves_alike(*case)


Mixed = tuple[dict[str, bytes], list[tuple[str, str, str]], list[int]]  # files, path, text and verb of entries, an order


@st.composite
def mixed_verbs(draw: st.DrawFn) -> Mixed:
    """What a session accepts: some go to the archive, some are struck, candidates are rejected."""
    files, _, _, _ = draw(leaving())
    workspace = open_workspace(MemoryTree(files), config.defaults())
    kinds, tiers = ("bullet", "section"), ("durable", "working")
    every = [entry for entry in workspace.entries() if entry.kind in kinds and entry.tier in tiers]
    texts = [(entry.path, entry.text) for entry in every]
    able = []
    for entry in every:
        verbs = ["reject"] if entry.candidate else ["archive", "strike"]  # no proposal strikes a candidate of this layout
        if entry.role in ("constraints", "do-not-use"):
            verbs = ["strike"]
        if entry.struck:
            verbs = ["archive"]
        if texts.count((entry.path, entry.text)) == 1:
            able.append((entry.path, entry.text, draw(st.sampled_from(verbs))))
    chosen = draw(st.lists(st.sampled_from(able), min_size=2, max_size=6, unique=True)) if len(able) > 1 else []
    return files, chosen, list(draw(st.permutations(range(len(chosen)))))


def done_in_turn(files: dict[str, bytes], chosen: list[tuple[str, str, str]], order: list[int]) -> dict[str, bytes] | None:
    """The files after these actions; None where one of them is refused."""
    for index in order:
        path, text, verb = chosen[index]
        try:
            files = applied(files, planned(files, verb, [(path, text)]))
        except Refused:
            return None
    return without_log(files)


@pytest.mark.slow
@settings(max_examples=250)
@given(mixed_verbs())
def test_a_session_s_actions_in_any_order_give_the_same_files(case: Mixed) -> None:
    files, chosen, order = case
    first = done_in_turn(files, chosen, list(range(len(chosen))))
    other = done_in_turn(files, chosen, order)
    assert first is None or other is None or other == first
