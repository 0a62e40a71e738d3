"""Whatever is done to a store of protocol 0.6 to 0.8: each entry in it is complete by an independent reading, ids and owners
are unique, everything else stays to the byte, the check finds nothing new, and undo brings every byte back."""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Mapping
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memdesk.core.clock import Clock
from memdesk.core.desk import Desk
from memdesk.core.errors import MemdeskError
from memdesk.core.plan import Receipt, Request
from tests.support.checking import report
from tests.support.protocol import Store, faults
from tests.support.protocol_lives import chosen, raw
from tests.support.protocol_stores import VERSIONS, protocol_store, seen
from tests.support.stores import MEMORY, snapshot

LOG = f"{MEMORY}/changelog.md"
# What random words bring about by themselves: the same text twice, a file that grows.
_OF_WORDS = {"near-budget", "over-budget", "decision-length", "tombstone-repeat", "two-versions", "duplicate-entry"}
STORES = st.tuples(st.sampled_from(VERSIONS), st.sampled_from(["plain", "crlf", "spaced"]), st.booleans())


@settings(max_examples=12)
@given(STORES, st.data())
def test_what_is_written_is_complete_and_goes_again(store: tuple[str, str, bool], draw: st.DataObject) -> None:
    _lived(store, draw, 2)


@pytest.mark.slow
@settings(max_examples=80)
@given(STORES, st.data())
def test_many_lives_stay_complete(store: tuple[str, str, bool], draw: st.DataObject) -> None:
    _lived(store, draw, 4)


def _lived(store: tuple[str, str, bool], draw: st.DataObject, steps: int) -> None:
    version, form, logged = store
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        protocol_store(root, version, form=form, **({} if logged else {"changelog": None}))
        undoable: list[Mapping[str, bytes]] = []
        forgotten = False
        for number in range(steps):
            desk = Desk.open(str(root), clock=Clock(datetime(2026, 11, 30, 9, number)), user_config=None)
            request = chosen(draw, desk)
            if request is None:
                continue
            before, was = _files(root), seen(root)
            receipt = _performed(desk, request)
            if receipt is None:
                assert _files(root) == before, request
                continue
            now = seen(root)
            forgotten = forgotten or request.verb == "forget"  # takes out what others may name
            assert [fault for fault in faults(now) if not forgotten or "which is nowhere" not in fault] == [], request
            _only_these_changed(was, now, request)
            _endings(before, _files(root))
            found = [one for one in report(root).findings if one.rule not in _OF_WORDS]
            assert found == [], request
            if receipt.id is not None:
                undoable.append(before)
        for number, stood in enumerate(reversed(undoable)):
            desk = Desk.open(str(root), clock=Clock(datetime(2026, 11, 30, 10) + timedelta(minutes=number)), user_config=None)
            desk.commit(desk.undo(None), "Ada")
            assert _unlogged(_files(root)) == _unlogged(stood)


def _performed(desk: Desk, request: Request) -> Receipt | None:
    """None: it was refused."""
    try:
        return desk.perform(request, "Ada")
    except MemdeskError:
        return None


def _only_these_changed(was: Store, now: Store, request: Request) -> None:
    """Entries with an id that the request is not about stand as they stood, wherever; new ones are as many as it makes."""
    before, after = ({one.id: (raw(store, one), one) for one in store.entries} for store in (was, now))
    changed = [
        ident for ident, (text, one) in before.items() if ident in after and after[ident][0] != text
        and not (after[ident][1].path != one.path and after[ident][1].text == one.text)  # in a file of other line endings
    ]
    gone, new = before.keys() - after.keys(), after.keys() - before.keys()
    # what is rejected without a changelog is in the archive, with the reason
    assert len(changed) <= (request.verb in ("strike", "merge", "edit", "reject")), request
    assert len(gone) <= (99 if request.verb == "forget" else request.verb in ("promote", "reject", "merge")), request
    kinds = Counter(ident.split("-")[1] for ident in new)
    assert kinds.pop("SUBJ", 0) <= (request.verb in ("promote", "reject")), request
    assert sum(kinds.values()) <= (request.verb in ("add", "promote", "strike", "reject", "forget")), request
    assert len(after) == len(now.entries), request


def _endings(before: Mapping[str, bytes], after: Mapping[str, bytes]) -> None:
    for path, data in after.items():
        old = before.get(path, b"")
        if old.count(b"\n") == old.count(b"\r\n") > 0:
            assert data.count(b"\n") == data.count(b"\r\n"), path


def _files(root: Path) -> dict[str, bytes]:
    return {path: data for path, data in snapshot(root).items() if not path.startswith(".memdesk")}


def _unlogged(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """Without the changelog, to which an undo adds its line."""
    return {path: data for path, data in files.items() if path != LOG}
