"""Random merges that git can't make, resolved entry by entry, against a model that knows entries alone."""

from __future__ import annotations

import subprocess
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from memdesk.core import intake
from memdesk.core.clock import clock
from memdesk.core.desk import Desk
from memdesk.core.errors import Refused
from memdesk.core.plan import Request
from tests.support.stores import MEMORY, custodian_store

PATH = f"{MEMORY}/constraints.md"
NAMES = ("herons", "gulls", "terns", "plovers", "dunlins", "curlews")  # one entry each, told apart by its words
Version = dict[str, int]  # name -> which wording

VERSIONS = st.dictionaries(st.sampled_from(NAMES), st.integers(0, 2))


def line(name: str, wording: int) -> str:
    """Wordings of an entry share most of their words, as edits do; lines of different ones do not."""
    said = {
        "herons": "Herons breed in the tall alders behind lock nine", "gulls": "Gulls follow every plough across wet fields",
        "terns": "Terns need bare shingle without people until August", "plovers": "Plovers run along edges that no map shows",
        "dunlins": "Dunlins come at dusk when water leaves mud", "curlews": "Curlews call from heather above our station",
    }
    return f"- {said[name]}, rule {wording}.\n"


def text(version: Version) -> str:
    return "# Constraints\n\n" + "".join(line(name, version[name]) for name in NAMES if name in version)


def git_merged(base: str, ours: str, theirs: str, style: str) -> str | None:
    """What git leaves; None where it merges by itself."""
    with tempfile.TemporaryDirectory(prefix="memdesk-tests-") as folder:
        for name, data in (("base", base), ("ours", ours), ("theirs", theirs)):
            (Path(folder) / name).write_text(data)
        command = ["git", "merge-file", "-p", "-q", *([style] if style else []), "ours", "base", "theirs"]
        done = subprocess.run(command, cwd=folder, capture_output=True, check=False)
    return done.stdout.decode() if done.returncode else None


def expected(base: Version, ours: Version, theirs: Version, taken: str) -> list[str]:
    """Each entry for itself: what one side changed, what is taken where both did, and all that was added."""
    found = []
    for name in NAMES:
        old, one, two = base.get(name), ours.get(name), theirs.get(name)
        if old is None:
            found += [line(name, wording) for wording in {one, two} if wording is not None]
            continue
        kept = two if one == old else one if two == old or one == two else (one if taken == "ours" else two)
        found += [] if kept is None else [line(name, kept)]
    return sorted(row.rstrip() for row in found)


def entries(data: bytes) -> list[str]:
    return sorted(row for row in data.decode().split("\n") if row.startswith("- "))


def desk_on(root: Path, marked: str) -> Desk:
    custodian_store(root, constraints=marked)
    return Desk.open(str(root), clock=clock("2026-11-30T04:02:51"), user_config=None)


@pytest.mark.slow
@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(VERSIONS, VERSIONS, VERSIONS, st.sampled_from(["ours", "theirs"]), st.sampled_from(["--diff3", "--zdiff3"]))
def test_every_entry_becomes_what_its_own_three_versions_say(
    base: Version, ours: Version, theirs: Version, taken: str, style: str
) -> None:
    marked = git_merged(text(base), text(ours), text(theirs), style)
    assume(marked is not None)
    assert marked is not None
    with tempfile.TemporaryDirectory(prefix="memdesk-tests-") as folder:
        desk = desk_on(Path(folder), marked)
        parts = desk.clashes(PATH)
        plan = desk.plan(Request("resolve", (PATH,), {str(part.number): taken for part in parts}))
        after = plan.steps[0].after
        assert after is not None
        assert intake.problem(after) is None
        assert entries(after) == expected(base, ours, theirs, taken)
        done = desk.commit(plan, "Ada")
        assert desk.commit(desk.undo(done.id), "Ada").id is not None
        assert (Path(folder) / PATH).read_text() == marked


@pytest.mark.slow
@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(VERSIONS, VERSIONS, VERSIONS, st.data())
def test_without_a_base_nothing_is_lost_that_was_not_chosen_away(
    base: Version, ours: Version, theirs: Version, data: st.DataObject
) -> None:
    marked = git_merged(text(base), text(ours), text(theirs), "")
    assume(marked is not None)
    assert marked is not None
    with tempfile.TemporaryDirectory(prefix="memdesk-tests-") as folder:
        desk = desk_on(Path(folder), marked)
        parts = desk.clashes(PATH)
        answers = {str(part.number): data.draw(st.sampled_from(["ours", "theirs", "both"])) for part in parts}
        request = Request("resolve", (PATH,), answers)
        if any(answers[str(part.number)] == "both" and not (part.ours and part.theirs) for part in parts):
            with pytest.raises(Refused, match=r"only (ours|theirs) has a text"):
                desk.plan(request)
            return
        plan = desk.plan(request)
        after = plan.steps[0].after
        assert after is not None
        left = {row for part in parts for row in _left(part.ours, part.theirs, answers[str(part.number)])}
        rows = {row for row in marked.split("\n") if row.startswith("- ")}
        assert rows - left <= set(entries(after)) <= rows
        assert len(entries(after)) == len(set(entries(after)))


def _left(ours: bytes, theirs: bytes, answer: str) -> set[str]:
    """The lines that an answer leaves out."""
    one, two = ({row for row in side.decode().split("\n") if row.startswith("- ")} for side in (ours, theirs))
    return {"ours": two - one, "theirs": one - two, "both": set()}[answer]
