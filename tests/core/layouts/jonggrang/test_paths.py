"""What the paths of this layout say: role, feature, task, and when."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

from memdesk.core.errors import Refused
from memdesk.core.layouts.jonggrang import paths
from memdesk.core.model import Place

F = ".ephemeral/memory/fragments"
A = ".ephemeral/memory/archive"


@pytest.mark.parametrize(
    ("inner", "role", "tier", "scope"),
    [
        ("MEMORY.md", "project", "durable", ""),
        (".output/features/csv/MEMORY.md", "feature", "durable", "feature:csv"),
        (".output/features/csv/progress.txt", "progress", "log", "feature:csv"),
        (f"{F}/csv/task-001-2026-11-30T04-02-51-123Z.md", "fragment", "working", "feature:csv"),
        (f"{F}/csv/notes.md", "fragment", "working", "feature:csv"),
        (f"{F}/csv/deep/er.md", "fragment", "working", "feature:csv"),
        (f"{F}/loose.md", "fragment", "working", ""),
        (f"{A}/csv/task-001-2026-11-30T04-02-51-123Z.md", "archive", "archive", "feature:csv"),
        (f"{A}/csv/2026-11-30/x.md", "archive", "archive", "feature:csv"),
        (".output/features/no id/MEMORY.md", "feature", "durable", "feature:no id"),
    ],
)
def test_what_is_memory(inner: str, role: str, tier: str, scope: str) -> None:
    assert paths.place_of(inner) == Place(role, tier, scope=scope)
    assert paths.feature_of(inner) == scope.removeprefix("feature:")


@pytest.mark.parametrize(
    "inner",
    [
        "", "README.md", "memory.md", "a/MEMORY.md", ".output/MEMORY.md", ".output/features/MEMORY.md", ".output/features/csv/",
        ".output/features/csv/a/MEMORY.md", ".output/features/csv/plan.md", ".output/features/csv/jonggrang-tasks.json",
        ".output/features//MEMORY.md", "progress.txt", "locks/a.lock", "locks/a.md", f"{F}/csv/x.txt", f"{F}", f"{A}.md",
        ".ephemeral/x.md", ".ephemeral/memory/x.md", ".ephemeral/memory/fragmentsx/csv/x.md", "MEMORY.md/x.md",
    ],
)
def test_what_is_none(inner: str) -> None:
    assert paths.place_of(inner) is None
    assert paths.name_of(inner) is None
    assert paths.feature_of(inner) == ""


AT = datetime(2026, 11, 30, 4, 2, 51, tzinfo=UTC)


@pytest.mark.parametrize(
    ("name", "task", "stamp"),
    [
        ("task-001-2026-11-30T04-02-51Z", "task-001", AT),
        ("task-001-2026-11-30T04-02-51-123Z", "task-001", AT.replace(microsecond=123000)),
        ("task-001-2026-11-30T04-02-51-123456Z", "task-001", AT.replace(microsecond=123456)),
        ("task-001-2026-11-30T04-02-51-123456789Z", "task-001", AT.replace(microsecond=123456)),
        ("task-001-2026-11-30T04:02:51.123Z", "task-001", AT.replace(microsecond=123000)),
        ("task-001-2026-11-30T04-02-51", "task-001", AT),
        ("task-001-2026-11-30T04-02Z", "task-001", AT.replace(second=0)),
        ("task-001-2026-11-30T06-02-51+02-00", "task-001", AT),
        ("task-001-2026-11-30T06-02-51-500+0200", "task-001", AT.replace(microsecond=500000)),
        ("task-001-2026-11-29T23-02-51-05-00", "task-001", AT),
        ("task-001-2026-11-29T23-02-51-250-05-00", "task-001", AT.replace(microsecond=250000)),
        ("task-001-20261130T040251Z", "task-001", AT),
        ("task-001-2026-11-30", "task-001", datetime(2026, 11, 30, tzinfo=UTC)),
        ("task-001-2026-11-30T04-02-51-123Z-2", "task-001", AT.replace(microsecond=123000)),
        ("task-001-1796011371000", "task-001", datetime(2026, 11, 30, 4, 2, 51, tzinfo=UTC)),
        ("task-001-1796011371", "task-001", datetime(2026, 11, 30, 4, 2, 51, tzinfo=UTC)),
        ("task-001", "task-001", None),
        ("task-20261130", "task-20261130", None),  # a task's number is no date
        ("task-001_2026-11-30T04-02-51Z", "task-001", AT),
        ("notes-2026-11-30T04-02-51Z", "", AT),
        ("2026-11-30T04-02-51Z", "", AT),
        ("task-x-2026-11-30T04-02-51Z", "", AT),
        ("task-001-2026-13-30T04-02-51Z", "task-001", None),
        ("task-001-2026-02-30T04-02-51Z", "task-001", None),
        ("task-001-2026-11-30T24-02-51Z", "task-001", None),
        ("task-001-0000-01-01T00-00-00Z", "task-001", None),
        ("task-001-0001-01-01T00-00-00+10-00", "task-001", None),
        ("task-001-2026-11-30T04-02-51+99-00", "task-001", None),
        ("task-001-v2", "task-001", None),
    ],
)
def test_task_and_moment_of_a_fragment(name: str, task: str, stamp: datetime | None) -> None:
    for folder in (F, A):
        inner = f"{folder}/csv/{name}.md"
        assert (paths.task_of(inner), paths.stamp_of(inner)) == (task, stamp)


def test_a_path_that_is_made_is_read_back() -> None:
    stamp = AT.replace(microsecond=7000)
    inner = paths.fragment_path("csv_2-x", "task-007", stamp)
    assert inner == f"{F}/csv_2-x/task-007-2026-11-30T04-02-51-007Z.md"
    assert paths.name_of(inner) == ("fragment", "csv_2-x", "task-007", stamp, None)
    second = paths.fragment_path("csv_2-x", "task-007", stamp, 2)
    assert second != inner
    assert paths.name_of(second) == ("fragment", "csv_2-x", "task-007", stamp, None)


@pytest.mark.parametrize("feature", ["", ".", "..", "a/b", "a b", "../x", "ä", "a.b", "a\n"])
def test_a_feature_that_is_none_has_no_fragments(feature: str) -> None:
    with pytest.raises(Refused, match="is no feature's id") as caught:
        paths.fragment_path(feature, "task-001", AT)
    assert caught.value.field == "feature"


@pytest.mark.parametrize("task", ["", "1", "task-", "task-1a", "task-1/x", "Task-1", "task-1\n", "task-\u0661"])
def test_a_task_that_is_none_has_no_fragments(task: str) -> None:
    with pytest.raises(Refused, match="is no task's id"):
        paths.fragment_path("csv", task, AT)


def test_an_archived_fragment_says_when_it_was_archived() -> None:
    inner = f"{F}/csv/task-001-2026-11-20T04-02-51Z.md"
    archived = paths.archive_path(inner, date(2026, 11, 30))
    assert archived == f"{A}/csv/2026-11-30/task-001-2026-11-20T04-02-51Z.md"
    assert paths.archived_on(archived) == date(2026, 11, 30)
    assert paths.archive_path(f"{F}/csv/deep/x.md", date(2026, 11, 30)) == f"{A}/csv/2026-11-30/deep/x.md"


@pytest.mark.parametrize(
    ("inner", "day"),
    [
        (f"{A}/csv/task-001-2026-11-20T04-02-51Z.md", date(2026, 11, 20)),  # nothing says more
        (f"{A}/csv/2026-11-30T04-02-51-123Z/task-001-2026-11-20T04-02-51Z.md", date(2026, 11, 30)),
        (f"{A}/csv/2026-11-30/x.md", date(2026, 11, 30)),
        (f"{A}/csv/old/task-001-2026-11-20.md", date(2026, 11, 20)),
        (f"{A}/csv/x.md", None),
        (f"{A}/2026-11-30/x.md", None),  # a feature may be called so
        (f"{F}/csv/2026-11-30/x.md", None),
    ],
)
def test_archives_of_others_are_read_too(inner: str, day: date | None) -> None:
    assert paths.archived_on(inner) == day
