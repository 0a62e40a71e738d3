"""Whatever stands in fragments is found again after a compaction: in the memory, folded into an exact duplicate, or in the
archive; the memory's own text stays; and undo brings back all files."""

from __future__ import annotations

import shutil
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memdesk.core import actions
from memdesk.core.clock import clock
from memdesk.core.compacting import keys, materials, planning
from memdesk.core.compacting.account import CARRIED, FOLDED, LEFT
from memdesk.core.compacting.drafting import document
from memdesk.core.desk import Desk
from memdesk.core.model import Workspace
from memdesk.core.plan import Plan
from tests.support.stores import FRAGMENTS, feature_memory, put, snapshot
from tests.support.trees import workspace

TODAY = date(2026, 11, 30)
STAMP = "2026-11-30T04:02:51Z"
MEMORY = ".jonggrang/.output/features/counts/MEMORY.md"
NOTES = ".jonggrang/.output/features/counts/progress.txt"


WORDS = st.sampled_from([
    "site", "count", "- x", "* y", "1. z", "# h", "## Facts", "## facts", "## Gotchas", "### deep", "a *b*", "`c`", "`", "```",
    "~~~~", "```py", "    code", "\tcode", "> quote", "---", "===", "***", "<!-- c -->", "<!--", "-->", "<div>", "</div>",
    "[a]: b", "_(none yet)_", "(none)", "~~gone~~ rejected 2026-11-04: no", "- ~~gone~~ struck 2026-11-04", "a \\", "  two",
    "   three", "- [ ] do", "| a |", "(from task-1, 2026-01-02)", "x (from task-1)", "~~a", "a~~", "- - -", "-", "- ", "## ",
    "é ü", "## Lessons Learned", "- site", "  - nested", "[stated] s", "- [observed] o (from a.py:3)", "&amp;",
    "a \u2192 promoted 2026-01-01", "* * *", "",
])
TEXTS = st.lists(WORDS, max_size=12).map("\n".join)
ENDED = st.tuples(TEXTS, st.sampled_from(["", "\n"]), st.booleans(), st.booleans()).map(
    lambda given: (("\ufeff" if given[3] else "") + given[0] + given[1]).replace("\n", "\r\n" if given[2] else "\n")
)
BULLETS = st.lists(st.sampled_from([
    "- site", "- count", "  more", "* y", "text", "", "### deep", "_(none yet)_", "- ~~x~~ struck",
    "- site (from task-2, 2026-01-01)",
]), max_size=5).map("\n".join)


@st.composite
def memories(draw: st.DrawFn) -> str | None:
    if draw(st.integers(0, 5)) == 0:
        return None
    text = feature_memory(facts=draw(BULLETS), lessons=draw(BULLETS), promotion=draw(BULLETS))
    if draw(st.booleans()):
        text = text.replace("## What Done & Why\n\n_(none yet)_\n", draw(st.sampled_from(["", "## Gotchas\n\n- own\n"])))
    if draw(st.integers(0, 3)) == 0:
        text = text.partition("---\n\n")[2]
    text = text.rstrip("\n") if draw(st.booleans()) else text
    return (("\ufeff" if draw(st.booleans()) else "") + text).replace("\n", "\r\n" if draw(st.booleans()) else "\n")


@st.composite
def stores(draw: st.DrawFn) -> dict[str, str]:
    files = {
        f".jonggrang/{FRAGMENTS}/counts/task-{number:03}-2026-05-07T10-15-{number:02}Z.md": text
        for number, text in enumerate(draw(st.lists(ENDED, min_size=1, max_size=3)))
    }
    lines = st.sampled_from(["- 2026-05-07 task-001: did", "plain", "", "# P", "[10:20] task-2 x", "---"])
    notes = draw(st.lists(lines, max_size=4))
    memory = draw(memories())
    if notes:
        files[NOTES] = "\n".join(notes)
    if memory is not None:
        files[MEMORY] = memory
    return files


def planned(space: Workspace, **left: str) -> tuple[materials.Materials, Plan]:
    found = materials.gather(space, space.stores[0], "counts")
    request = planning.request(found, None, left)._replace(stamp=STAMP, person=True, answers={"authority": "one"})
    return found, actions.plan(space, request, TODAY)


@given(stores())
@settings(max_examples=150)
def test_every_entry_is_found_again_and_the_memory_s_own_text_stays(files: dict[str, str]) -> None:
    space = workspace(files)
    found, plan = planned(space)
    steps = {step.path: step for step in plan.steps if step.kind != "mkdir"}
    created = {step.after for step in plan.steps if step.kind == "create"}
    for fragment in found.fragments:
        assert steps[fragment.document.path].kind == "delete"
        assert fragment.document.data in created
    account = plan.details["account"]
    made = document(found, steps[MEMORY].after or b"")
    says = keys.index(made)
    assert [row.number for row in account.rows] == list(range(1, len(account.rows) + 1))
    for row in account.rows:
        key = keys.key_of(row.entry)
        assert row.state != LEFT or (row.entry.struck and row.noted is not None)
        assert row.state == LEFT or says.current[key] == row.line
        assert row.state != FOLDED or row.twin or (found.memory and key in keys.index(found.memory).current)
    new = [entry for entry in made.entries if "(from " in entry.text]
    assert len(new) >= len({keys.key_of(row.entry) for row in account.of(CARRIED)})
    if found.memory is not None:
        old = [entry.raw.rstrip(b"\r\n") for entry in found.memory.entries]
        kept = iter(entry.raw.rstrip(b"\r\n") for entry in made.entries)
        assert all(any(raw == one for one in kept) for raw in old)
        rows = iter(made.data.split(b"\n"))
        for row in found.memory.data.rstrip(b"\r\n").split(b"\n"):
            if not row.startswith(b"updated_at:") and b"(none yet)" not in row and row.strip(b"\r\xef\xbb\xbf"):
                assert any(row.strip(b"\r\xef\xbb\xbf") == one.strip(b"\r\xef\xbb\xbf") for one in rows), row
        assert (b"\r\n" in made.data) == (b"\r\n" in found.memory.data)
        assert made.data.startswith(b"\xef\xbb\xbf") == found.memory.data.startswith(b"\xef\xbb\xbf")


@given(stores())
@settings(max_examples=60)
def test_a_second_compaction_finds_nothing_left_to_do(files: dict[str, str]) -> None:
    _, plan = planned(workspace(files))
    after = {path: text.encode() for path, text in files.items()}
    for step in plan.steps:
        if step.kind == "delete":
            del after[step.path]
        elif step.kind != "mkdir":
            after[step.path] = step.after or b""
    found, again = planned(workspace(after))
    assert (found.entries, found.fragments, again.steps) == ((), (), ())


def without_state(root: Path) -> dict[str, bytes]:
    return {path: data for path, data in snapshot(root).items() if not path.startswith(".memdesk/state/")}


@pytest.mark.slow
@given(stores())
@settings(max_examples=25)
def test_undo_brings_back_all_files_to_the_byte(tmp_path_factory: pytest.TempPathFactory, files: dict[str, str]) -> None:
    root = Path(tmp_path_factory.mktemp("undo"))
    for path, text in files.items():
        put(root, path, text)
    desk = Desk.open(str(root), clock=clock("2026-11-30T04:02:51"), user_config=None)
    found = materials.gather(desk.workspace, desk.workspace.stores[0], "counts")
    before = without_state(root)
    request = planning.request(found)._replace(person=True, answers={"authority": "one"})
    desk.commit(desk.plan(request), "Ada")
    assert without_state(root) != before
    desk.commit(desk.undo(), "Ada")
    assert without_state(root) == before
    shutil.rmtree(root)
