"""A workspace of 2,000 entries in which rot is planted, a dozen of each kind beside as many things that only look like it.

Every exact kind is found, with no false one; the possible kinds reach precision and recall of 0.9 (`-rP` prints them)."""

from __future__ import annotations

from datetime import date
from sys import stdout

import pytest

from memdesk.core import config
from memdesk.core.git import discover
from memdesk.core.model import Workspace
from memdesk.core.prune.drawn import draw
from memdesk.core.prune.proposal import EXACT, KINDS
from memdesk.core.prune.scan import Scan, scan
from memdesk.core.touched import Touched
from memdesk.core.workspace import open_workspace, work_tree
from tests.support.rot import TODAY, Rot, rot

pytestmark = pytest.mark.slow
DAY = date.fromisoformat(TODAY)
PLANTED = [kind for kind in KINDS if kind != "expired"]  # the layout with fragments plants its own
GOAL = 0.9


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Rot, Workspace, Scan]:
    planted = rot(tmp_path_factory.mktemp("rot"))
    settings = config.defaults()
    workspace = open_workspace(work_tree(str(planted.root), settings), settings)
    repository = discover(str(planted.root))
    assert repository is not None
    return planted, workspace, scan(workspace, settings, DAY, touched=Touched(repository, DAY))


def words(made: tuple[Rot, Workspace, Scan], kind: str) -> list[str]:
    """What the proposals of a kind are about."""
    planted, _, found = made
    texts = (
        " ".join([*(entry.text for entry in one.entries[: one.changes]), one.entries[0].path])
        for one in found.proposals if one.kind == kind
    )
    return [planted.word(text) for text in texts]


def test_it_is_as_large_as_it_says_over_all_layouts(made: tuple[Rot, Workspace, Scan]) -> None:
    planted, workspace, found = made
    assert sum(1 for _ in workspace.entries()) >= 2000
    assert {store.layout for store in workspace.stores} == {"custodian", "agent-memory", "records", "tiers"}
    assert {one.store.layout for one in found.proposals} == {store.layout for store in workspace.stores}
    assert set(planted.planted) == set(planted.fine) == set(PLANTED)
    assert min(map(len, (*planted.planted.values(), *planted.fine.values()))) >= 10


@pytest.mark.parametrize("kind", [kind for kind in PLANTED if kind in EXACT])
def test_every_exact_kind_is_found_with_no_false_one(made: tuple[Rot, Workspace, Scan], kind: str) -> None:
    found = words(made, kind)
    assert (set(found), len(found)) == (made[0].planted[kind], len(made[0].planted[kind]))
    assert all(one.exact for one in made[2].proposals if one.kind == kind)


@pytest.mark.parametrize("kind", [kind for kind in PLANTED if kind not in EXACT])
def test_the_possible_kinds_reach_precision_and_recall(made: tuple[Rot, Workspace, Scan], kind: str) -> None:
    found, planted = words(made, kind), made[0].planted[kind]
    right = [word for word in found if word in planted]
    precision, recall = len(right) / len(found), len(set(right)) / len(planted)
    stdout.write(f"{kind}: precision {precision:.2f}, recall {recall:.2f} of {len(planted)}\n")
    assert min(precision, recall) >= GOAL
    assert not any(one.exact for one in made[2].proposals if one.kind == kind)


def test_every_proposal_draws_a_plan_and_says_what_it_comes_to(made: tuple[Rot, Workspace, Scan]) -> None:
    _, workspace, found = made
    assert len({one.id for one in found.proposals}) == len(found.proposals)
    for one in found.proposals:
        drawn = draw(workspace, one, DAY, "09:00")
        assert (one.kind, one.title, drawn.refused) == (one.kind, one.title, "")
        assert drawn.plan is not None
        assert drawn.plan.questions == ()
        assert drawn.diff
        assert ": " in drawn.label
        assert one.evidence
