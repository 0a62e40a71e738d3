"""The paths that the index names: what rules look up, and what rows are found by."""

from __future__ import annotations

from collections.abc import Iterator

from memdesk.core.lean import TYPE_CHECKING, NamedTuple
from memdesk.core.patterns import lazy

if TYPE_CHECKING:
    from memdesk.core.layouts.agent_memory.lint import Lint
    from memdesk.core.model import Store


class Link(NamedTuple):
    """A path that a text names, with its 1-based line, and where in that line it begins."""

    line: int
    path: str
    at: int = 0


def links(text: str) -> Iterator[Link]:
    """The path-like words of a text that end in `.md` or `/`, after white space, `|`, a backtick, `(` or `[`, or at a line's
    start; one without a slash in it only in backticks or parentheses. None with `YYYY`, `<`, `>`, `*` or a scheme, nor an
    abbreviation such as "w/"."""
    for number, line in enumerate(text.split("\n"), 1):
        if ".md" not in line and "/" not in line:
            continue
        for match in _WORD.finditer(line):
            path = _path(line, match.start(), match[0])
            if path is not None:
                yield Link(number, path, match.start())


def places(store: Store, path: str) -> list[str]:
    """Where a path of the index may lead, workspace-relative: as it is written and with %20 and its like read."""
    from posixpath import join, normpath

    lint: Lint = store.settings
    folders = [store.path, store.join(lint.index_file).rpartition("/")[0] or "."]
    spelled = [path]
    if "%" in path:
        from urllib.parse import unquote

        spelled.append(unquote(path, errors="surrogateescape"))
    return list(dict.fromkeys(normpath(join(folder, name)) for folder in folders for name in spelled))


ABBREVIATION = 3  # characters up to which a word such as "w/" is none of the paths it looks like
_WORD = lazy(r"[^\s\ufeff|`()\[\],;:]+")  # what may stand around a path and not in it
_PLAIN = lazy(r"[\w.%@+~&-]+(?:/[\w.%@+~&-]+)*(?:/|(?<=[^/]\.md))")


def _path(line: str, start: int, word: str) -> str | None:
    opener = line[start - 1] if start else ""
    if opener and not (opener.isspace() or opener in "\ufeff|`(["):
        return None
    path = word.partition("#")[0].rstrip(".!?")
    if "YYYY" in path or path == ".md" or not _PLAIN.fullmatch(path) or path.startswith("~"):
        return None
    closer = line[start + len(word) : start + len(word) + 1]
    if len(path) == len(word) and closer and not (closer.isspace() or closer in "\ufeff|`),:;]"):
        return None
    if "/" not in path and opener not in ("`", "("):
        return None
    if len(path) <= ABBREVIATION and opener != "`" and (opener, closer) != ("(", ")"):
        return None
    return path
