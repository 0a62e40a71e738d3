"""A prune session in processes that are killed for good: every verdict that was given is there at the next start, none twice.

Given is what a terminal said was done. Accepted ones stand in the files, rejected ones in the judgments, all in the session;
the three must always tell the same. Real files, real syncs.
"""

from __future__ import annotations

import os
import random
import re
import signal
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from memdesk.core import judgments
from memdesk.core.desk import Desk
from memdesk.core.plan import Drifted
from memdesk.core.prune import sessions
from memdesk.core.prune.proposal import Proposal
from tests.support.faults import Killing, Tapped
from tests.support.sessions import NOW, opened, rotten_store
from tests.support.stores import MEMORY

RULES = 60  # of one store, each said twice; when few are left the next one begins
FEW = 9
SAID = ("accepted", "rejected", "snoozed", "together")


def new_store(root: Path, rules: int = RULES) -> Path:
    text = "# Constraints\n\n" + "".join(f"- Rule {number} holds.\n" for number in range(rules)) * 2
    rotten_store(root, constraints=text, decisions="# Decisions\n")
    return root


def left(desk: Desk) -> list[Proposal]:
    return [proposal for proposal in desk.prune().proposals if proposal.kind == "duplicate"]


def number(proposal: Proposal) -> int:
    found = re.search(r"Rule (\d+)", proposal.title)
    assert found
    return int(found.group(1))


def decide(desk: Desk, proposals: list[Proposal]) -> list[int]:
    """A verdict on the first, or two together, by its number."""
    first = number(proposals[0])
    said = SAID[first % len(SAID)]
    if said == "rejected":
        desk.refuse(proposals[0], f"Because of {first}", "Ada")
    elif said == "snoozed":
        desk.put_off(proposals[0], None)
    else:
        chosen = proposals[: 2 if said == "together" else 1]
        desk.accept(chosen, {"share": "yes"}, "Ada")
        return [number(one) for one in chosen]
    return [first]


def work(root: Path, ready: int) -> None:
    """Verdict after verdict, until it is killed; says each that is given."""
    desk = opened(root)
    proposals = left(desk)
    while proposals:
        done = decide(desk, proposals)
        proposals = proposals[len(done) :]
        os.write(ready, b"".join(b"%04d" % one for one in done))


def agreed(root: Path, rules: int = RULES) -> dict[int, str]:
    """What was decided, by the session, by the files and by the judgments, all of which must say the same, and once each."""
    desk = opened(root)
    session = desk.prune_session()
    found = {number_of(verdict.title): verdict.said for verdict in session.verdicts}
    assert len(found) == len(session.verdicts), "a verdict is there twice"
    text = (root / MEMORY / "constraints.md").read_text()
    struck = [int(one) for one in re.findall(r"~~Rule (\d+) holds", text)]
    log = (root / MEMORY / "changelog.md").read_text()
    told = [int(one) for one in re.findall(r"Struck .Rule (\d+) holds", log)]
    refused = [int(one.reason.rpartition(" ")[2]) for one in judgments.read(desk.workspace.tree)]
    assert sorted(struck) == sorted(told) == sorted(one for one, said in found.items() if said == "accepted")
    assert sorted(refused) == sorted(one for one, said in found.items() if said == "rejected")
    assert len(session.snoozed) == sum(said == "snoozed" for said in found.values())
    assert [number(one) for one in left(desk)] == [one for one in range(rules) if one not in found]
    return found


def number_of(title: str) -> int:
    return int(re.findall(r"\d+", title)[0])


def kill_one(root: Path, after: int, share: float) -> list[int]:
    """Kills a worker after so many verdicts, when that share of the next is over if it takes as long as the last; the numbers
    of those that it said were given."""
    out, into = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.environ.pop("MEMDESK_FSYNC", None)
            work(root, into)
        finally:
            os._exit(1)
    os.close(into)
    given = b""
    moments = [time.monotonic()]
    for _ in range(after):
        given += os.read(out, 8)
        moments.append(time.monotonic())
    time.sleep(share * (moments[-1] - moments[-2]))
    os.kill(child, signal.SIGKILL)
    ended = os.waitpid(child, 0)[1]
    given += os.read(out, 1 << 16)
    os.close(out)
    assert os.waitstatus_to_exitcode(ended) == -signal.SIGKILL, "it came to its end"
    return [int(given[at : at + 4]) for at in range(0, len(given), 4)]


def kill_at_random(folder: Path, times: int, seed: int) -> int:
    """In how many cases a transaction was cut off, or lay between its notes."""
    chance = random.Random(seed)
    root, stores, cut = new_store(folder / "0"), 0, 0
    given: set[int] = set()
    for _ in range(times):
        given |= set(kill_one(root, chance.randint(1, 3), chance.random()))
        desk = opened(root)
        cut += any(name != "generation" for name in os.listdir(Path(desk.state) / "txn"))
        assert not any(item.person for item in desk.recover())
        found = agreed(root)
        assert given <= set(found), "a verdict that was given is lost"
        given = set(found)
        if len(found) > RULES - 12:
            end(root, found)
            stores += 1
            root, given = new_store(folder / str(stores)), set()
    end(root, agreed(root))
    return cut


def end(root: Path, found: dict[int, str]) -> None:
    desk = opened(root)
    desk.end_session("Ada")
    counts = [sum(said == one for said in found.values()) for one in ("accepted", "rejected", "snoozed")]
    assert [list(one[2:5]) for one in sessions.read(desk.workspace.tree)] == [counts]
    assert desk.prune_session().verdicts == ()


def test_killed_at_random_instants_no_verdict_is_lost_or_doubled(tmp_path: Path) -> None:
    kill_at_random(tmp_path, 12, 7)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_killed_at_many_random_instants_no_verdict_is_lost_or_doubled(tmp_path: Path, seed: int) -> None:
    """Two hundred in all."""
    assert kill_at_random(tmp_path, 50, 100 + seed) > 0, "the kills did not hit commits"


@pytest.mark.parametrize("killed", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_terminals_at_once_add_to_one_session(tmp_path: Path, killed: bool) -> None:
    """Three give verdicts on shares of the same list at the same time; one of them may be killed on the way."""
    root = new_store(tmp_path, 12)
    proposals = left(opened(root))
    children, given = [], {}
    for share in range(3):
        out, into = os.pipe()
        child = os.fork()
        if child == 0:
            code = 1
            try:
                desk = opened(root)
                for proposal in proposals[share::3]:
                    give(desk, proposal)
                    os.write(into, b"%04d" % number(proposal))
                code = 0
            finally:
                os._exit(code)
        os.close(into)
        children.append((child, out))
    if killed:
        given[0] = os.read(children[0][1], 4)
        os.kill(children[0][0], signal.SIGKILL)
    done: set[int] = set()
    for share, (child, out) in enumerate(children):
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) in ((0, -signal.SIGKILL) if killed and not share else (0,))
        said = given.get(share, b"") + os.read(out, 1 << 16)
        os.close(out)
        done |= {int(said[at : at + 4]) for at in range(0, len(said), 4)}
    opened(root).recover()
    found = set(agreed(root, 12))
    assert done <= found
    assert len(found) - len(done) <= (1 if killed else 0)
    assert len(done) == 12 or killed


def give(desk: Desk, proposal: Proposal) -> None:
    """A verdict by the proposal's number, tried again where the files changed meanwhile."""
    while True:
        try:
            decide(desk, [proposal])
            return
        except Drifted:
            desk.refresh()


def accept_two(desk: Desk) -> None:
    desk.accept(left(desk)[:2], {"share": "yes"}, "Ada")


def refuse_one(desk: Desk) -> None:
    desk.refuse(left(desk)[0], "Because of 0", "Ada")


def put_off_one(desk: Desk) -> None:
    desk.put_off(left(desk)[0], None)


def end_it(desk: Desk) -> None:
    desk.end_session("Ada")


@pytest.mark.slow
@pytest.mark.parametrize("act", [accept_two, refuse_one, put_off_one, end_it])
def test_killed_before_every_operation_on_the_disk(tmp_path: Path, act: Callable[[Desk], None]) -> None:
    """Either all of it is there, in the session too, or nothing; what was decided before stays."""
    seen = set()
    for at in range(200):
        root = new_store(tmp_path / str(at), FEW)
        first = opened(root)
        first.put_off(left(first)[5], None)
        first.accept(left(first)[5:6], {}, "Ada")
        child = os.fork()
        if child == 0:
            code = 1
            try:
                act(Desk.open(str(root), clock=first.clock, user_config=None, files=Tapped(Killing(at))))
                code = 0
            finally:
                os._exit(code)
        ended = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        assert ended in (0, -signal.SIGKILL)
        desk = opened(root, NOW)
        desk.recover()
        if act is end_it:
            held = sessions.read(desk.workspace.tree)
            seen.add(bool(held))
            assert [verdict.said for verdict in desk.prune_session().verdicts] == ([] if held else ["snoozed", "accepted"])
            assert list(desk.prune_session().snoozed.values()) == [""]
        else:
            found = agreed(root, FEW)
            assert set(found) >= {5, 6}
            seen.add(len(found) > 2)
            assert len(found) in (2, 4 if act is accept_two else 3)
        if ended == 0:
            break
    assert seen == {False, True}
    assert at >= (4 if act is put_off_one else 24)
