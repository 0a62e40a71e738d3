"""What a comparison of packs says of any edits, against the packs themselves, each made by itself."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from datetime import date

import pytest
from hypothesis import HealthCheck, given, settings

from memdesk.core import layouts
from memdesk.core.errors import MemdeskError
from memdesk.core.layouts.base import LoadRequest
from memdesk.core.model import Workspace
from memdesk.core.packdiff import Difference, Seen, compare
from memdesk.core.packing import Pack, PackFile, pack
from memdesk.core.tokens import count
from tests.support.editing import EDITS, Edit, edited, example
from tests.support.trees import workspace

TODAY = date(2026, 11, 30)
NAMES = ("custodian", "agent_memory", "records", "tiers", "jonggrang")
STORES = {name: example(name) for name in NAMES}
MANIFEST = "docs/memory/manifest.md"
TIGHT = dict(STORES["custodian"])
for told in (b"450", b"170", b"180", b"600"):
    TIGHT[MANIFEST] = TIGHT[MANIFEST].replace(told + b" tokens", told[:-1] + b" tokens")


def packs(there: Workspace) -> dict[tuple[str, str], Pack | None]:
    """By store and task: every pack as it is made alone; None where it can't be."""
    found: dict[tuple[str, str], Pack | None] = {}
    for store in there.stores:
        for task in layouts.get(store.layout).tasks(store):
            try:
                found[there.store_name(store), task] = pack(there, store, LoadRequest(task, today=TODAY))
            except MemdeskError:
                found[there.store_name(store), task] = None
        for module in layouts.get(store.layout).modules(store):
            name = f"{module.field[:-1]}:{module.name}"
            request = LoadRequest("boot", today=TODAY)._replace(**{module.field: (module.name,)})
            try:
                whole = pack(there, store, request)
            except MemdeskError:
                found[there.store_name(store), name] = None
                continue
            own = tuple(file for file in whole.files if file.path == module.path)
            tokens = sum(file.tokens for file in own)
            found[there.store_name(store), name] = whole._replace(files=own, tokens=tokens, text=repr(own))
    return found


def body(whole: Pack) -> str:
    return whole.text.removeprefix(whole.standing.strip())


def check(one: Difference, before: Pack | None, after: Pack | None) -> None:
    """One difference against the two packs."""
    if before is None or after is None:
        assert not (before and after)
        return
    if not one.module:
        assert (body(before) == body(after)) == one.empty
    assert (one.tokens_before, one.tokens_after) == (before.tokens, after.tokens)
    mine, theirs = ({file.path: file for file in whole.files if file.disposition == "loaded"} for whole in (before, after))
    for pair in one.moved:
        assert pair.before.text == pair.after.text
    for pair in one.changed:
        assert pair.before.text != pair.after.text
    old = [*one.lost, *(pair.before for pair in (*one.changed, *one.moved))]
    new = [*one.gained, *one.no_longer_omitted, *(pair.after for pair in (*one.changed, *one.moved))]
    for seen in (*old, *new, *one.newly_omitted):
        assert seen.tokens == count(seen.text)
    for sides, files in ((old, mine), (new, theirs)):
        places = Counter((seen.path, seen.line, seen.whole) for seen in sides)
        assert not places or max(places.values()) == 1
        for seen in sides:
            file = files[seen.path]
            assert not file.omitted or seen.line < file.omitted[0].line
            assert not seen.whole or seen.text.strip() in file.text
    for seen in one.newly_omitted:
        left = theirs[seen.path].omitted
        assert left
        assert not seen.whole or left[0].line <= seen.line
    assert one.files_added == tuple(path for path in theirs if path not in mine)
    assert one.files_removed == tuple(path for path in mine if path not in theirs)
    assert not {seen.text for seen in one.gained} & {seen.text for seen in one.lost}
    # Line by line: what was there, what is said to come and to go, and nothing else. What a budget took out now says so only
    # as it reads now, and the title of a file that is added, or removed, only by the file's name.
    came = lines([*one.gained, *one.no_longer_omitted, *(pair.after for pair in one.changed)])
    went = lines([*one.lost, *(pair.before for pair in one.changed)])
    left = lines(mine.values()) + came
    short = (went + lines(theirs.values())) - left
    over = left - (went + lines(theirs.values()))
    assert all(line.startswith("# ") for line in short)
    assert sum(short.values()) <= len(one.files_added)
    if not one.newly_omitted:
        assert all(line.startswith("# ") for line in over)
        assert sum(over.values()) <= len(one.files_removed)


def lines(texts: Iterable[Seen | PackFile]) -> Counter[str]:
    return Counter(line.strip() for one in texts for line in one.text.split("\n") if line.strip())


def agree(files: dict[str, bytes], edits: list[Edit]) -> None:
    after_files = edited(files, edits)
    found = compare(workspace(files), workspace(after_files), today=TODAY)
    before, after = packs(workspace(files)), packs(workspace(after_files))
    named = {(one.store, one.module or one.task) for one in found}
    assert len(named) == len(found)
    assert named <= {*before, *after}
    for one in found:
        key = one.store, one.module or one.task
        check(one, before.get(key), after.get(key))
        assert bool(one.failures) == (before.get(key, 0) is None or after.get(key, 0) is None)


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(edits=EDITS)
def test_a_difference_is_empty_just_where_the_packs_are_equal(name: str, edits: list[Edit]) -> None:
    agree(STORES[name], edits)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(edits=EDITS, first=EDITS)
def test_so_it_is_where_budgets_leave_entries_out(edits: list[Edit], first: list[Edit]) -> None:
    agree(edited(TIGHT, first), edits)
