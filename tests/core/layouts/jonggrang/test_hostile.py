"""Every hostile text in the files of this layout, and texts whose reading could run away."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from memdesk.core import layouts
from memdesk.core.clock import clock
from memdesk.core.desk import Desk
from memdesk.core.errors import MemdeskError, StoreError
from memdesk.core.layouts.base import LoadRequest
from memdesk.core.layouts.jonggrang import sections, tasks
from memdesk.core.layouts.jonggrang.kept import Features
from memdesk.core.model import Document, Store
from tests.hostile.inputs import INPUTS
from tests.hostile.test_linear import AGAIN, seconds, too_fast
from tests.support.stores import FRAGMENTS, jonggrang_store, snapshot

PARTS = 24
STORE = Store("jonggrang", ".jonggrang", "a test", Features())
FEATURE, NOTES = ".output/features/counts/MEMORY.md", ".output/features/counts/progress.txt"
FRAGMENT = f"{FRAGMENTS}/counts/task-003-2026-05-09T10-15-00-000Z.md"
PLACES = (FRAGMENT, FEATURE, NOTES, "MEMORY.md", ".ephemeral/memory/archive/counts/2026-05-09/task-004.md")
FRAMES = (
    "{}", "---\nfeature_id: {}\nfeature_name: {}\ntags: [{}]\nupdated_at: {}\n---\n\n# {}\n\n## Facts\n\n- {}\n\n{}\n",
    "## {}\n\n{}\n\n## Promotion Candidates\n\n- {}\n- [{}]({}) \u2192 promoted 2026-05-09\n",
    "[2026-05-08] task-001: {}\n{}\n---\n{}\n",
)


@pytest.mark.parametrize("part", [0, *(pytest.param(part, marks=pytest.mark.slow) for part in range(1, PARTS))])
def test_each_input_in_each_file(tmp_path: Path, part: int) -> None:
    """A file for each input, another for the next. What is wrong is said as an error of ours; nothing is written by looking."""
    for number, hostile in enumerate(INPUTS[part::PARTS]):
        root = tmp_path / str(number)
        data = hostile.bytes(min(hostile.full, 2_000)) if hostile.sized else hostile.bytes()
        frame = FRAMES[number % len(FRAMES)].encode()
        tasked = b'{"tasks": [{"id": "task-001", "title": "' + data + b'"}]}'
        jonggrang_store(root, **{
            PLACES[number % len(PLACES)]: frame.replace(b"{}", data), ".output/features/counts/jonggrang-tasks.json": tasked,
        })
        before = snapshot(root)
        desk = Desk.open(str(root), clock=clock("2026-05-10T04:02:51"), user_config=None)
        assert desk.check("none").stores[0].layout == "jonggrang"
        for act in (
            lambda desk=desk: desk.recall("counts spreadsheet"), lambda desk=desk: desk.conflicts(),
            lambda desk=desk: desk.pack(LoadRequest("boot")),
            lambda desk=desk: tasks.tasks_of(desk.workspace.tree, desk.workspace.stores[0], "counts"),
        ):
            with suppress(MemdeskError):  # any other error fails the test
                act()
        for entry in desk.workspace.entries():
            assert 0 <= entry.start < entry.end <= len(entry.document.data)
            assert desk.workspace.find(entry.id) is entry
        assert snapshot(root) == before


TEXTS: dict[str, Callable[[int], str]] = {
    "fences": lambda n: "## Facts\n\n" + "```\n```\n" * n,
    "quotes": lambda n: "Words\n\n" + "> a\n\n" * n,
    "headings": lambda n: "## Facts\n" * n,
    "headings alone": lambda n: "### a\n\n" * n,
    "underlines": lambda n: "a\n---\n" * n,
    "bullets": lambda n: "## Promotion Candidates\n\n" + "- a \u2192 promoted 2026-05-09\n" * n,
    "arrows": lambda n: "## Promotion Candidates\n\n- " + "\u2192 promoted " * n + "\n",
    "lines of notes": lambda n: "2026-05-09 a\n" * n,
    "dates": lambda n: "- " + "2026-05-09 " * n + "\n",
    "tasks": lambda n: "- " + "task-" * n + "1" * n + "x\n",
    "one heading of many words": lambda n: "## " + "& " * n + "\n\n- a\n",
    "none": lambda n: "_(none " + "(" * n + ")_\n",
    "comments in a line": lambda n: "<!---->" * n + "\n",
    "comments": lambda n: "<!-- a -->\n\n" * n,
    "open comments": lambda n: "<!--" * n + "\n",
    "definitions": lambda n: "".join(f"[a{at}]: b.md\n" for at in range(n)),
    "front matter": lambda n: "---\n" + "tags: a\n" * min(n, 6000) + "---\n",
    "strikes": lambda n: "- " + "~~a" * n + "\n",
    "brackets": lambda n: "- a " + "(from a" * n + ")" * n + "\n",
}


def stages(text: str) -> dict[str, float]:
    """Seconds for each way in which a text is read."""
    def read(inner: str) -> Document:
        layout = layouts.get("jonggrang")
        place = layout.classify(STORE, f".jonggrang/{inner}")
        assert place is not None
        return Document(f".jonggrang/{inner}", STORE, place, text.encode(), layout.entries)

    def entries(inner: str) -> Callable[[], object]:
        return lambda: [(entry.fields, entry.heading_path) for entry in read(inner).entries]

    return {
        "fragment": seconds(entries(FRAGMENT)), "feature": seconds(entries(FEATURE)), "notes": seconds(entries(NOTES)),
        "sections": seconds(lambda: sections.sections(read(FEATURE).page)),
    }


@pytest.mark.slow
@pytest.mark.parametrize("name", TEXTS)
def test_reading_takes_time_in_proportion(name: str) -> None:
    make = TEXTS[name]
    small, large = stages(make(1_500)), stages(make(6_000))
    for _ in range(AGAIN):
        if not too_fast(small, large, 2):
            break
        small = {key: min(small[key], again) for key, again in stages(make(1_500)).items()}
        large = {key: min(large[key], again) for key, again in stages(make(6_000)).items()}
    assert not too_fast(small, large, 2)


@pytest.mark.slow
@pytest.mark.parametrize(
    "make",
    [
        lambda n: '{"tasks": [' + ", ".join('{"id": "a"}' for _ in range(n)) + ', {"id": ""}]}',
        lambda n: '{"tasks": [' * n, lambda n: '"' * n, lambda n: '"\\' * n, lambda n: '{"tasks": "' + "[" * n,
        lambda n: '{"tasks": [{"id": "' + "a" * n + '"}]}' + " " * n + "x", lambda n: "1" * n, lambda n: '"tasks": [' * n,
    ],
)
def test_reading_tasks_takes_time_in_proportion(make: Callable[[int], str]) -> None:
    def taken(size: int) -> dict[str, float]:
        def act() -> None:
            with suppress(StoreError):
                tasks.parse(make(size).encode(), "x.json")

        return {"tasks": seconds(act)}

    assert any(not too_fast(taken(20_000), taken(80_000), 2) for _ in range(AGAIN))
