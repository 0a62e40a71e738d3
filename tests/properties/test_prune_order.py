"""Proposals accepted in any order leave the same files, logs aside, or the later one is shown as stale; all of them together
do as one by one; undone again, in any order that undo allows, they leave the first bytes."""

from __future__ import annotations

import random
import shutil
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st

from memdesk.core import actions, config, layouts
from memdesk.core.clock import clock
from memdesk.core.desk import Desk
from memdesk.core.errors import Refused
from memdesk.core.model import Workspace
from memdesk.core.plan import Part, Plan, Request
from memdesk.core.prune.accepting import unfit
from memdesk.core.prune.proposal import EXACT, Proposal
from memdesk.core.prune.scan import scan
from memdesk.core.workspace import open_workspace
from tests.support.rot import rot
from tests.support.stores import FACTS, LINT, MEMORY, STANDARD, feature_memory, manifest, record
from tests.support.trees import MemoryTree

TODAY = date(2026, 11, 30)
Files = dict[str, bytes]
ANSWERS = {"share": "yes", "whole": "yes"}

WORDS = st.sampled_from(["gulls", "terns", "maps", "Zo\u00eb's lamp", "\u5b58\u50a8", "boats", "rings"])
DAYS = st.sampled_from(["2024-01-02", "2025-05-01", "2026-05-01", "2026-11-30"])
BULLET = st.tuples(WORDS, st.sampled_from(["- {} are counted.", "- {} rest at night.\n  - nested"])).map(
    lambda pair: pair[1].format(pair[0])
)


@st.composite
def sections(draw: st.DrawFn, most: int = 6) -> list[str]:
    """Decisions, some of one title, some of one text, some struck."""
    found = []
    for _ in range(draw(st.integers(0, most))):
        day, word = draw(DAYS), draw(WORDS)
        head = draw(st.sampled_from([f"{day} - Count {word}", f"{day} - Count {word}", f"Count {word}"]))
        if draw(st.integers(0, 3)) == 0:
            found.append(f"## ~~{head}~~\n\nSuperseded: {day} by \"Other\"\n\nDecision:\nIt was so.\n")
        else:
            link = draw(st.sampled_from(["", " See [there](gone.md).", " See [[gone]]."]))
            found.append(f"## {head}\n\nDecision:\n{draw(st.sampled_from(['So.', 'So it is.']))}{link}\n\nReason:\nSeen.\n")
    return found


@st.composite
def bullets(draw: st.DrawFn, most: int = 6, form: str = "{}") -> list[str]:
    """Lines of which several say the same, and some are struck."""
    found = []
    for line in draw(st.lists(BULLET, max_size=most)):
        text = form.format(line.removeprefix("- "))
        first, *more = text.split("\n")
        struck = "\n".join([f"- ~~{first}~~ superseded {draw(DAYS)}", *more])
        found.append(struck if draw(st.integers(0, 4)) == 0 else f"- {text}")
    return found


def lines(title: str, *parts: Sequence[str]) -> str:
    return f"# {title}\n" + "".join("\n" + "\n".join(part) + "\n" for part in parts if part)


@st.composite
def custodian(draw: st.DrawFn) -> dict[str, str]:
    waiting = draw(bullets(3))
    files = {
        **STANDARD, "decisions.md": lines("Decisions", draw(bullets(2)), draw(sections())),
        "constraints.md": lines("Constraints", draw(bullets())), "preferences.md": lines("Preferences", draw(bullets(4))),
        "areas/lost.md": lines("Lost", draw(sections(2))), "areas/here.md": lines("Here", draw(bullets(2)), draw(sections(3))),
        "manifest.md": manifest(areas=["here"], budgets=[f"preferences.md: {draw(st.sampled_from([9, 30, 500]))} tokens max"]),
    }
    if waiting:
        files["inbox.md"] = lines("Inbox", ["## 2026-11-20", "", *waiting])
    if draw(st.booleans()):
        files["changelog.md"] = "# Changelog\n"
    return {f"{MEMORY}/{name}": text for name, text in files.items()}


@st.composite
def agent_memory(draw: st.DrawFn) -> dict[str, str]:
    form = "[stated] {} (2026-02-01, from us)"
    files = {
        **FACTS, "memory-lint.json": LINT,
        "memory/people/ada.md": lines("Ada", draw(bullets(4, form))),
        "memory/projects/plover.md": lines("Plover", draw(bullets(4, form))),
        "memory/projects/lost.md": lines("Lost", draw(bullets(2, form))),
        "memory/2026-11-20.md": lines("2026-11-20", draw(bullets(4, "[observed] {}"))),
        "memory/decisions/open.md": lines("Open", [f"- {draw(WORDS)}, chosen {year}-03-04" for year in (2025, 2026)]),
    }
    return dict(files)


@st.composite
def records(draw: st.DrawFn) -> dict[str, str]:
    status = st.sampled_from(["Accepted", "Accepted", "Proposed"])
    files = {}
    for number in range(1, draw(st.integers(2, 5))):
        more = f"Supersedes [ADR-{number - 1:04}]({number - 1:04}-r.md)" if number > 1 and draw(st.booleans()) else ""
        files[f"docs/adr/{number:04}-r.md"] = record(number, f"Count {draw(WORDS)}", draw(status), more=more)
    for number in range(draw(st.integers(0, 2))):
        files[f"docs/design/d{number}.md"] = "# Plan\n\n**Status:** draft\n\nSee [it](gone.md) and [that](gone/b.md).\n"
    terms = "".join(f"\n**{draw(WORDS)}**:\n{draw(st.sampled_from(['A bird.', 'See [it](gone.md).']))}\n" for _ in range(3))
    return {**files, "CONTEXT.md": f"# Words\n\n## Language\n{terms}"}


@st.composite
def tiers(draw: st.DrawFn) -> dict[str, str]:
    files, index = {}, []
    for number in range(draw(st.integers(1, 5))):
        more = draw(st.sampled_from(["", "review_by: 2026-05-01\n", "updated: 2026-11-01\n"]))
        link = draw(st.sampled_from(["", " See [[gone]].", " See [[f0]].", " See [it](gone.md)."]))
        files[f"memory/facts/f{number}.md"] = (
            f"---\nname: f{number}\ndescription: about {number}\n{more}---\n\n# f{number}\n\nCount {draw(WORDS)}.{link}\n\n"
            "Why: so.\n"
        )
        index.append(f"- [f{number}](facts/f{number}.md): about {number}")
    index += draw(st.sampled_from([[], ["- [gone](facts/gone.md): nothing"], index[:1]]))
    return {
        **files, "memory/INDEX.md": lines("Index", index), "memory/inbox.md": lines("Inbox", draw(bullets(3))),
        "memory/log/2026-11-29.md": lines("2026-11-29", ["- 09:00 began"]),
    }


@st.composite
def jonggrang(draw: st.DrawFn) -> dict[str, str]:
    said = ["_(none yet)_"]
    files = {
        ".jonggrang/MEMORY.md": "---\nscope: project\ntags: []\nupdated_at: 2026-11-01T00:00:00Z\n---\n\n"
        + lines("Project", ["## Conventions", "", *(draw(bullets(4)) or said), "", "## Known Pitfalls", "", *draw(bullets(2))]),
        ".jonggrang/.output/features/a/MEMORY.md": feature_memory(
            "a", facts="\n".join(draw(bullets(4)) or said), promotion="\n".join(draw(bullets(3)) or said),
            lessons=draw(st.sampled_from(["- See [it](gone.md).", "- ~~Old~~ struck 2024-05-01: no\n- New"])),
        ),
    }
    for number in range(draw(st.integers(0, 3))):
        day = draw(DAYS)
        folder = draw(st.sampled_from(["fragments/a", f"archive/a/{day}", f"archive/b/{day}"]))
        name = f"task-00{number}-{day}T10-00-00-000Z.md"
        files[f".jonggrang/.ephemeral/memory/{folder}/{name}"] = "\n".join(draw(bullets(3))) + "\n"
    return files


LAYOUTS: Mapping[str, Callable[[], st.SearchStrategy[dict[str, str]]]] = {
    "custodian": custodian, "agent-memory": agent_memory, "records": records, "tiers": tiers,
    "jonggrang": jonggrang,
}
assert set(LAYOUTS) == set(layouts.names()), "a new layout belongs here"


class Case(NamedTuple):
    files: Files
    chosen: list[Proposal]
    order: list[int]


@st.composite
def cases(draw: st.DrawFn, layout: str) -> Case:
    """A store, some of what is proposed in it, and another order of these."""
    ending = draw(st.sampled_from(["\n", "\n", "\r\n"]))
    files = {path: text.replace("\n", ending).encode() for path, text in draw(LAYOUTS[layout]()).items()}
    proposals = found(read(files))
    if not proposals:
        return Case(files, [], [])
    chosen = draw(st.lists(st.sampled_from(proposals), min_size=min(3, len(proposals)), max_size=6, unique_by=_id))
    return Case(files, chosen, draw(st.permutations(range(len(chosen)))))


def _id(proposal: Proposal) -> str:
    return proposal.id


def read(files: Files) -> Workspace:
    return open_workspace(MemoryTree(files), config.defaults())


def found(workspace: Workspace) -> list[Proposal]:
    return list(scan(workspace, config.defaults(), TODAY, touched=lambda path: date(2024, 3, 4)).proposals)


def part(proposal: Proposal) -> Part:
    return Part(
        proposal.id, proposal.kind, proposal.exact, proposal.title, tuple(entry.id for entry in proposal.entries),
        proposal.request,
    )


def accepting(workspace: Workspace, *proposals: Proposal) -> Plan:
    ids = tuple(one.id for one in proposals)
    request = Request("prune", ids, {}, ANSWERS, person=True, at="10:00", parts=tuple(map(part, proposals)))
    return actions.plan(workspace, request, TODAY)


def applied(files: Files, plan: Plan) -> Files:
    after = dict(files)
    for step in plan.steps:
        if step.kind == "delete":
            assert after.pop(step.path) == step.before
        elif step.kind != "mkdir":
            assert after.get(step.path) == step.before
            assert step.after is not None
            after[step.path] = step.after
    return after


def one_by_one(files: Files, proposals: Sequence[Proposal]) -> tuple[Files, set[str]]:
    """The files after these in turn, and which of them were shown as stale or refused on the way."""
    stale = set()
    for proposal in proposals:
        workspace = read(files)
        if unfit(workspace, part(proposal)):
            stale.add(proposal.id)
            continue
        try:
            files = applied(files, accepting(workspace, proposal))
        except Refused:
            stale.add(proposal.id)
    return files, stale


def memory(files: Files) -> Files:
    """The files without logs."""
    workspace = read(files)
    logs = {path for path, document in workspace.documents.items() if document.place.tier == "log"}
    return {path: data for path, data in files.items() if path not in logs}


def log_lines(files: Files) -> list[bytes]:
    """All lines of the logs, in no order."""
    workspace = read(files)
    logs = [document.data for document in workspace.documents.values() if document.place.tier == "log"]
    return sorted(line.strip() for data in logs for line in data.split(b"\n") if line.strip())


def any_order(case: Case) -> None:
    first, stale = one_by_one(case.files, case.chosen)
    other, lost = one_by_one(case.files, [case.chosen[index] for index in case.order])
    event(f"{len(case.chosen) - len(stale)} accepted")
    if not stale and not lost:
        assert memory(first) == memory(other)
        assert log_lines(first) == log_lines(other)
    exact = [one for one in case.chosen if one.exact and one.kind in EXACT]
    exact.sort(key=lambda one: one.request.verb != "merge")  # as they go together: what only leaves the inbox first
    if len(exact) > 1:
        alone, stale = one_by_one(case.files, exact)
        workspace = read(case.files)
        if stale:
            with pytest.raises(Refused):
                accepting(workspace, *exact)
        else:
            plan = accepting(workspace, *exact)
            assert applied(case.files, plan) == alone
            assert plan.log_only == {path for path in plan.paths if path in alone and path not in memory(alone)}


@pytest.mark.parametrize("layout", LAYOUTS)
def test_accepted_in_any_order_the_files_are_the_same(layout: str) -> None:
    @settings(max_examples=25)
    @given(cases(layout))
    def holds(case: Case) -> None:
        any_order(case)

    holds()


@pytest.mark.slow
@pytest.mark.parametrize("layout", LAYOUTS)
def test_accepted_in_any_of_many_orders_the_files_are_the_same(layout: str) -> None:
    @settings(max_examples=150)
    @given(cases(layout))
    def holds(case: Case) -> None:
        any_order(case)

    holds()


@contextmanager
def on_disk(files: Files) -> Iterator[Callable[[], Desk]]:
    """A workspace with these files, opened anew with each call, a minute later each time."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        for path, data in files.items():
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_bytes(data)
        minutes = iter(range(10, 60))
        yield lambda: Desk.open(str(root), clock=clock(f"2026-11-30T10:{next(minutes)}"), user_config=None)


def on(root: str) -> Files:
    base = Path(root)
    return {
        path.relative_to(base).as_posix(): path.read_bytes() for path in base.rglob("*")
        if path.is_file() and not {".memdesk", ".git"} & set(path.parts)
    }


def undone_again(case: Case, draw: st.DataObject) -> None:
    """Takes them back in any order in which undo lets it be done, over restarts."""
    with on_disk(case.files) as opened:
        done = []
        for index in case.order:
            desk = opened()
            before = on(desk.root)
            if desk.stale(case.chosen[index]):
                continue
            try:
                done.append(desk.accept([case.chosen[index]], ANSWERS, "Ada").id)
            except Refused:
                assert on(desk.root) == before
        event(f"{len(done)} undone")
        assert {verdict.transaction for verdict in opened().prune_session().verdicts} == set(done)
        while done:
            for ident in draw.draw(st.permutations(done)):
                desk = opened()
                why = undone(desk, ident or "")
                assert not why or any(other and other in why for other in done), why
                if not why:
                    done.remove(ident)
                    break
            else:
                raise AssertionError("none of them can be undone")
        desk = opened()
        assert memory(on(desk.root)) == memory(case.files)
        assert desk.prune_session().verdicts == ()


def undone(desk: Desk, ident: str) -> str:
    """Takes one back, or says why it can't be."""
    try:
        desk.commit(desk.undo(ident), "Ada")
    except Refused as error:
        return str(error)
    return ""


@pytest.mark.parametrize("layout", LAYOUTS)
def test_undone_again_the_first_bytes_are_back(layout: str) -> None:
    @settings(max_examples=4)
    @given(cases(layout), st.data())
    def holds(case: Case, draw: st.DataObject) -> None:
        undone_again(case, draw)

    holds()


@pytest.mark.slow
@pytest.mark.parametrize("layout", LAYOUTS)
def test_undone_again_in_many_lives_the_first_bytes_are_back(layout: str) -> None:
    @settings(max_examples=30)
    @given(cases(layout), st.data())
    def holds(case: Case, draw: st.DataObject) -> None:
        undone_again(case, draw)

    holds()


@pytest.mark.slow
def test_on_2000_entries_all_exact_ones_at_once_and_one_by_one_and_back(tmp_path: Path) -> None:
    """In a shuffled order; then all of the single ones are undone, in another."""
    chance = random.Random(3)
    roots = [tmp_path / "once", tmp_path / "single"]
    roots[0].mkdir()
    rot(roots[0])
    shutil.copytree(roots[0], roots[1])
    before = memory(on(str(roots[1])))
    desk, other = (Desk.open(str(root), clock=clock("2026-11-30T10:00"), user_config=None) for root in roots)
    exact = [proposal for proposal in desk.prune().proposals if proposal.exact]
    desk.accept(exact, ANSWERS, "Ada")
    singles = [proposal for proposal in other.prune().proposals if proposal.exact]
    assert {one.id for one in singles} == {one.id for one in exact}
    chance.shuffle(singles)
    done = [other.accept([proposal], ANSWERS, "Ada").id or "" for proposal in singles]
    assert memory(on(str(roots[0]))) == memory(on(str(roots[1])))
    assert len(desk.prune_session().verdicts) == len(other.prune_session().verdicts) == len(done) > 60
    chance.shuffle(done)
    while done:
        ready = [ident for ident in done if not undone(other, ident)]
        assert ready, "none of them can be undone"
        done = [ident for ident in done if ident not in ready]
    assert memory(on(str(roots[1]))) == before
