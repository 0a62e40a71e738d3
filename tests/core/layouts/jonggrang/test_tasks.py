"""The tasks of a feature: as far as the file can be read, and what is said of one that can't."""

from __future__ import annotations

import pytest

from memdesk.core.errors import StoreError
from memdesk.core.layouts.jonggrang.kept import Features
from memdesk.core.layouts.jonggrang.tasks import LARGEST, Task, parse, tasks_of
from memdesk.core.model import Store
from tests.support.stores import JONGGRANG
from tests.support.trees import MemoryTree

STORE = Store("jonggrang", ".jonggrang", "a test", Features())
PATH = ".jonggrang/.output/features/counts/jonggrang-tasks.json"


def of(data: bytes) -> tuple[Task, ...]:
    return tasks_of(MemoryTree({PATH: data}), STORE, "counts")


def test_tasks_in_their_order() -> None:
    assert of(str(JONGGRANG[".output/features/counts/jonggrang-tasks.json"]).encode()) == (
        Task("task-001", "Read a file", "python"), Task("task-002", "Read all files", "python"),
    )


def test_no_file_is_no_task() -> None:
    assert tasks_of(MemoryTree({}), STORE, "counts") == ()


@pytest.mark.parametrize(
    ("data", "tasks"),
    [
        (b'{"tasks": []}', ()), (b'[{"id": "a"}]', (Task("a", ""),)),
        (b'\xef\xbb\xbf{"tasks": [{"id": "a"}]}', (Task("a", ""),)),
        (b'{"tasks": [{"id": "a", "title": 3, "skill": null, "status": "done", "more": {}}]}', (Task("a", "", "", "done"),)),
        (b'{"tasks": [{"id": "a", "title": "one\\n two\\u001b"}]}', (Task("a", "one two\x1b"),)),
        (b'{"tasks": [{"id": "a", "title": "\\ud800"}]}', (Task("a", "?"),)),
    ],
)
def test_what_can_be_read(data: bytes, tasks: tuple[Task, ...]) -> None:
    assert of(data) == tasks


DEEP = b'{"tasks": [' + b'{"id": "a"},\n' * 3 + b"[" * 100_000
OBJECTS = b'{"tasks": ' + b'{"a":' * 60 + b"1" + b"}" * 60 + b"}"


@pytest.mark.parametrize(
    ("data", "line", "message"),
    [
        (b"", 1, "The tasks are no JSON"), (b"{", 1, "The tasks are no JSON"),
        (b'{\n"tasks": [,]}', 2, "The tasks are no JSON"), (b'{"tasks": {}}', 1, "The tasks are no list."),
        (b"3", 1, "The tasks are no list."), (b"null", 1, "The tasks are no list."),
        (b'{"tasks": [\n{"id": "a"},\n{"title": "b"}]}', 3, "Task 2 has no id."),
        (b'{"tasks": [\n{"id": "a"},\n\n7]}', 4, "Task 2 has no id."),
        (b'{"x": "\\"tasks\\": [", "tasks": [{"id": ""}]}', 1, "Task 1"),
        (b'{"tasks": [\n{"id": " "}]}', 2, "Task 1 has no id."), (b'{"tasks":\n"\xff"}', 2, "The tasks are not UTF-8."),
        (b"9" * 5000, 1, "The tasks are no JSON"), (DEEP, 4, "more than 50 values within each other"),
        (OBJECTS, 1, "more than 50 values within each other"), (b" " * (LARGEST + 1), None, "The tasks have over 1024 KB."),
        (b'{"tasks": "\n' + b"[" * 100 + b'"}', 1, "The tasks are no JSON"),
    ],
)
def test_what_can_not_is_told_with_file_and_line(data: bytes, line: int | None, message: str) -> None:
    with pytest.raises(StoreError, match=message) as caught:
        of(data)
    assert (caught.value.path, caught.value.line) == (PATH, line)
    assert caught.value.remedy


def test_brackets_in_strings_are_none() -> None:
    assert parse(b'[{"id": "a", "title": "' + b"[{" * 200 + b'\\""}]', PATH) == (Task("a", "[{" * 200 + '"'),)
