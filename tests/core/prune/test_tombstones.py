"""Rejected paths: those whose day has come, and candidates that take one up."""

from __future__ import annotations

import pytest

from memdesk.core import conflicts
from memdesk.core.judgments import Judgment
from tests.support.proposing import proposed, scanned
from tests.support.sources import memory, over


def stone(title: str = "Paper maps", more: str = "") -> str:
    return f"## Tombstone: {title}\n\nDo not reintroduce this. Reason: they got wet. Date: 2026-01-01.\n{more}\n"


@pytest.mark.parametrize(("when", "due"), [
    ("2026-11-30", True), ("2026-11-29.", True), ("on 2026-01-02", True), ("After 2026-01-02, if it rains", True),
    ("2026-12-01", False), ("when it rains (asked 2026-01-02)", False), ("2026-02-30", False), ("2026-01-02x", False),
    ("", False),
])  # fmt: skip
def test_a_tombstone_whose_day_has_come_is_to_be_struck(when: str, due: bool) -> None:
    found = proposed("reconsider", memory(do_not_use=stone(more=f"Reconsider: {when}\n")))
    assert len(found) == due
    for one in found:
        assert (one.verb, one.places, one.proposal.exact) == ("strike", ["do-not-use.md:3"], False)
        assert one.proposal.evidence[1] == "It was rejected because: they got wet."
        assert "\nStruck: 2026-11-30. Reconsidered: the day set for it, " in one.after("do-not-use.md")


def test_a_struck_one_is_done_with() -> None:
    text = stone(more="Reconsider: 2026-01-02\n").replace("## Tombstone: Paper maps", "## ~~Tombstone: Paper maps~~")
    assert proposed("reconsider", memory(do_not_use=text)) == []


@pytest.mark.parametrize(("said", "how"), [
    ("Paper maps", "has the title of"), ("**paper maps**", "has the title of"), ("Print paper maps", "says little more than"),
    ("Paper maps for volunteers", "says little more than"), ("Maps", ""), ("Paper", ""),
    ("Take the box with old paper maps that stands behind the door to the office in town", ""),
])  # fmt: skip
def test_a_candidate_that_takes_one_up_is_to_be_rejected(said: str, how: str) -> None:
    found = proposed("tombstone", memory(do_not_use=stone(), inbox=f"- [inferred] {said}\n", changelog="# Changelog\n"))
    assert len(found) == bool(how)
    for one in found:
        assert (one.verb, one.places, one.proposal.exact) == ("reject", ["inbox.md:3"], False)
        assert how in one.proposal.evidence[0]
        assert ': Rejected before: tombstone "Paper maps".' in one.after("changelog.md")


def test_not_in_another_scope_nor_where_the_conflict_was_dismissed() -> None:
    scoped = memory(do_not_use=stone(more="Scope: the north\n"), inbox="- Paper maps\n")
    assert proposed("tombstone", scoped) == []
    workspace = over(memory(do_not_use=stone(), inbox="- Paper maps\n"))
    documents = conflicts.readable(workspace.documents.values())
    (clash,) = conflicts.tombstones(documents, {})
    judged = Judgment("dismissed", clash.subject, clash.digests, "Both.", "Ada", "2026-11-01")
    assert len(scanned(workspace).proposals) == 1
    assert scanned(workspace, judgments=[judged]).proposals == ()
