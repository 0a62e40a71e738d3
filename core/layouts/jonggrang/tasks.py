"""The tasks of a feature, by their file: ids and titles, as far as it can be read."""

from __future__ import annotations

from memdesk.core.errors import StoreError
from memdesk.core.layouts.jonggrang import paths
from memdesk.core.lean import TYPE_CHECKING, NamedTuple
from memdesk.core.patterns import lazy

if TYPE_CHECKING:
    from typing import Any

    from memdesk.core.model import Store
    from memdesk.core.tree import Tree

LARGEST = 1024 * 1024  # bytes of a file of tasks; a larger one isn't read
DEEPEST = 50  # values within each other


class Task(NamedTuple):
    """A task. `title` and `skill` are "" where it has none; `status` too."""

    id: str
    title: str
    skill: str = ""
    status: str = ""


def tasks_of(tree: Tree, store: Store, feature: str) -> tuple[Task, ...]:
    """The tasks of a feature, in the order of their file; () where there is no file. Raises StoreError, with file, line and
    remedy, for one that can't be read."""
    path = store.join(f"{paths.FEATURES}/{feature}/{paths.TASKS}")
    if tree.kind(path) == "none":
        return ()
    if tree.size(path) > LARGEST:
        raise StoreError(f"The tasks have over {LARGEST // 1024} KB.", path=path, remedy="Take out what is done.")
    return parse(tree.read(path), path)


def parse(data: bytes, path: str) -> tuple[Task, ...]:
    """The same from a file's bytes."""
    text = _text(data, path)
    deep = _too_deep(text)
    if deep is not None:
        message = f"The tasks have more than {DEEPEST} values within each other."
        raise StoreError(message, path=path, line=_line(text, deep), remedy=_FORM)
    from json import JSONDecodeError, loads

    try:
        loaded: Any = loads(text)
    except JSONDecodeError as error:
        raise StoreError(f"The tasks are no JSON: {error.msg}.", path=path, line=error.lineno, remedy=_FORM) from None
    except ValueError as error:  # a number of too many digits
        raise StoreError(f"The tasks are no JSON: {error}.", path=path, line=1, remedy=_FORM) from None
    listed = loaded.get("tasks") if isinstance(loaded, dict) else loaded
    if not isinstance(listed, list):
        raise StoreError("The tasks are no list.", path=path, line=1, remedy=_FORM)
    return tuple(_task(one, at, text, path) for at, one in enumerate(listed))


_FORM = 'Write it as {"tasks": [{"id": "task-001", "title": "..."}]}.'
_TOKEN = lazy(r'"(?:[^"\\]|\\.)*+"?|[\[\]{}]')
_LIST = lazy(r'"tasks"\s*:\s*\[|\A\s*\[')


def _text(data: bytes, path: str) -> str:
    try:
        return data.removeprefix(b"\xef\xbb\xbf").decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise StoreError("The tasks are not UTF-8.", path=path, line=line, remedy="Save the file as UTF-8.") from None


def _too_deep(text: str) -> int | None:
    """Where brackets outside of strings stand within more than DEEPEST others; None for nowhere."""
    depth = 0
    for match in _TOKEN.finditer(text):
        if match[0] in ("[", "{"):
            depth += 1
            if depth > DEEPEST:
                return match.start()
        elif match[0] in ("]", "}"):
            depth -= 1
    return None


def _task(one: Any, at: int, text: str, path: str) -> Task:
    known = one if isinstance(one, dict) else {}
    ident = known.get("id")
    if not isinstance(ident, str) or not ident.strip():
        raise StoreError(f"Task {at + 1} has no id.", path=path, line=_line_of(text, at), remedy=_FORM)
    words = [value if isinstance(value := known.get(key), str) else "" for key in ("id", "title", "skill", "status")]
    return Task(*(" ".join(word.encode("utf-8", "replace").decode().split()) for word in words))


def _line_of(text: str, at: int) -> int:
    """The line on which a task begins, by its place in the list; 1 where it isn't found."""
    from json import JSONDecoder

    begun = _LIST.search(text)
    if begun is None:
        return 1
    offset = begun.end()
    try:
        for _ in range(at):
            offset = _blank(text, JSONDecoder().raw_decode(text, _blank(text, offset))[1]) + 1  # behind its comma
    except ValueError:
        return 1
    return _line(text, _blank(text, offset))


def _blank(text: str, offset: int) -> int:
    while text[offset : offset + 1].isspace():
        offset += 1
    return offset


def _line(text: str, offset: int) -> int:
    return text.count("\n", 0, offset) + 1
