"""What every session loads of this layout, and what stays out and why."""

from __future__ import annotations

from pathlib import Path

import pytest

from memdesk.core.clock import clock
from memdesk.core.desk import Desk
from memdesk.core.errors import UsageError
from memdesk.core.layouts.base import LoadRequest
from memdesk.core.packing import STANDING
from tests.support.stores import FRAGMENTS, fragment, jonggrang_store


def desk(root: Path) -> Desk:
    return Desk.open(str(root), clock=clock("2026-05-10T04:02:51"), user_config=None)


def test_the_project_s_memory_and_no_other(tmp_path: Path) -> None:
    old = ".ephemeral/memory/archive/counts/2026-05-09/task-001-2026-05-01T08-00-00Z.md"
    jonggrang_store(tmp_path, **{old: fragment(facts="- old")})
    pack = desk(tmp_path).pack(LoadRequest("boot"))
    assert [(file.path, file.required, file.disposition, file.reason) for file in pack.files] == [
        (".jonggrang/MEMORY.md", False, "loaded", "the project's memory"),
    ]
    assert dict(pack.not_loaded) == {
        ".jonggrang/.output/features/counts/MEMORY.md": "it is recalled on demand: memdesk recall QUERY --feature counts",
        ".jonggrang/.output/features/counts/progress.txt": "notes of a feature's tasks: they are recalled on demand",
        **dict.fromkeys(
            (f".jonggrang/{FRAGMENTS}/counts/{name}.md" for name in
             ("task-001-2026-05-07T10-15-00-000Z", "task-002-2026-05-08T16-40-12-345Z")),
            "it waits for compaction, and nobody has reviewed it",
        ),
        f".jonggrang/{old}": "it was compacted, and is kept for a while",
    }
    assert pack.status == "complete"
    assert pack.text.startswith(STANDING["memory"])
    assert "- The export of the county adds an empty last line" in pack.text


def test_an_empty_store_loads_nothing(tmp_path: Path) -> None:
    (tmp_path / ".jonggrang").mkdir()
    pack = desk(tmp_path).pack(LoadRequest("boot"))
    assert (pack.status, [file.disposition for file in pack.files], pack.tokens) == ("complete", ["missing-optional"], 0)


@pytest.mark.parametrize("task", ["work", "counts", ""])
def test_another_task_is_none(tmp_path: Path, task: str) -> None:
    jonggrang_store(tmp_path)
    with pytest.raises(UsageError):
        desk(tmp_path).pack(LoadRequest(task))
    with pytest.raises(UsageError, match="has no modules"):
        desk(tmp_path).pack(LoadRequest("boot", areas=("storage",)))
