"""Where the words of glossaries are used: as whole words, in prose and in names of code, with common inflections.

Each file is read once for all glossaries of a workspace, and no more of them once every word has been found.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from memdesk.core.errors import MemdeskError
from memdesk.core.lean import TYPE_CHECKING, NamedTuple
from memdesk.core.patterns import lazy

if TYPE_CHECKING:
    from memdesk.core.model import Document, Workspace
    from memdesk.core.tree import Tree

LARGEST = 1 << 20  # bytes of a source file: what is larger was made by a machine
MOST = 64 << 20  # bytes of all that is read; beyond, nothing is said of a word that was not found


class Uses(NamedTuple):
    """`unused`: the terms, as written, that nothing uses. `files` were read, `left` were not (too large, binary or
    unreadable); `stopped`: there was more than MOST. `missing`: source folders that are not there."""

    unused: frozenset[str]
    files: int
    left: int
    stopped: bool
    missing: tuple[str, ...]


def find(terms: Iterable[str], workspace: Workspace, sources: Sequence[str]) -> Uses:
    """Which of the terms are used, in records, design records and the source folders or files (workspace-relative)."""
    wanted = _Wanted(terms)
    texts = 0
    for document in workspace.documents.values():
        if wanted.open and document.place.role in ("record", "design") and document.store.layout == "records":
            wanted.look(document.data.decode("utf-8", "replace"))
            texts += 1
    paths, missing = _below(workspace, sources)
    left = total = 0
    stopped = False
    for path in paths:
        if not wanted.open:
            break
        data = _read(workspace.tree, path)
        if data is None:
            left += 1
            continue
        total += len(data)
        if total > MOST:
            stopped = True
            break
        texts += 1
        wanted.look(data.decode("utf-8", "replace"))
    return Uses(frozenset(wanted.open), texts, left, stopped, missing)


def forms(word: str) -> set[str]:
    """A word in lower case and its common inflections: of a noun, of a verb; of a plural also the singular."""
    stems = {word}
    if word.endswith("ies") and len(word) > 4:
        stems.add(word[:-3] + "y")
    if word.endswith("es") and len(word) > 4:
        stems.add(word[:-2])
    if word.endswith("s") and not word.endswith("ss") and len(word) > 3:
        stems.add(word[:-1])
    found = set(stems)
    for stem in stems:
        found |= {stem + end for end in ("s", "es", "d", "ed", "ing")}
        if stem.endswith("y"):
            found |= {stem[:-1] + "ies", stem[:-1] + "ied"}
        if stem.endswith("e"):
            found.add(stem[:-1] + "ing")
        if len(stem) > 2 and stem[-1] not in "aeiouwxy" and stem[-2] in "aeiou":
            found |= {stem + stem[-1] + end for end in ("ed", "ing")}
    return found


class _Wanted:
    """The terms that have not been found yet."""

    def __init__(self, terms: Iterable[str]) -> None:
        self.open: set[str] = set()
        self.seen: set[str] = set()  # words of texts that were looked at
        self.single: dict[str, list[str]] = {}  # a form -> the terms of one word that it is of
        self.several: dict[str, list[tuple[str, re.Pattern[str]]]] = {}  # first word -> (term, pattern of the whole)
        self.parts: list[tuple[str, str]] = []  # (term, text) in a script that does not part its words
        for term in dict.fromkeys(terms):
            parts = [part.casefold() for part in _PARTS.findall(term)]
            if not parts:
                continue
            self.open.add(term)
            if _UNPARTED.search(term):
                self.parts.append((term, " ".join(term.split())))
            elif len(parts) == 1:
                for form in forms(parts[0]):
                    self.single.setdefault(form, []).append(term)
            else:
                self.several.setdefault(parts[0], []).append((term, _pattern(parts)))

    def look(self, text: str) -> None:
        """Takes off what the text uses."""
        here = set(_WORD.findall(text))
        for word in here - self.seen:
            self.seen.add(word)
            for part in _parts(word):
                for term in self.single.get(part, ()):
                    self.open.discard(term)
        if self.several:
            starts = {part for word in here for part in _parts(word) if part in self.several}
            for start in starts:
                for term, pattern in self.several[start]:
                    if term in self.open and pattern.search(text):
                        self.open.discard(term)
        for term, written in self.parts:
            if term in self.open and written in text:
                self.open.discard(term)


_WORD = lazy(r"\w+")
_PARTS = lazy(r"[^\W_]+")
# The parts of a name in code: `orderLine`, `ORDER_LINE`, `HTTPServer`.
_NAME = lazy(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
_UNPARTED = lazy("[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\u0e00-\u0eff]")


def _parts(word: str) -> Iterator[str]:
    yield word.casefold()
    if not word.islower() and word.isascii():
        yield from (part.lower() for part in _NAME.findall(word))
    elif "_" in word:
        yield from word.casefold().split("_")


def _pattern(parts: Sequence[str]) -> re.Pattern[str]:
    """A term of several words: what parts them in prose or in a name may stand between, inflections at its end."""
    first = parts[0]
    head = rf"(?:(?<![^\W\d_]){re.escape(first[0])}|{re.escape(first[0].upper())})(?i:{re.escape(first[1:])}"
    middle = "".join(rf"[\W_]{{0,8}}{re.escape(part)}" for part in parts[1:-1])
    ends = "|".join(re.escape(form) for form in sorted(forms(parts[-1]), key=len, reverse=True))
    return re.compile(rf"{head}{middle}[\W_]{{0,8}}(?:{ends}))(?![a-z])")


def _below(workspace: Workspace, sources: Sequence[str]) -> tuple[list[str], tuple[str, ...]]:
    """The files in the source folders, each once, without glossaries and what has been read already."""
    known: dict[str, Document] = dict(workspace.documents)
    paths = [path for path in workspace.tree.walk() if path not in known or known[path].store.layout != "records"]
    found: dict[str, None] = {}
    missing = []
    for source in sources:
        folder = source.strip("/").removeprefix("./") or "."
        if workspace.tree.kind(folder) == "none":
            missing.append(source)
        inside = folder + "/"
        found.update(dict.fromkeys(path for path in paths if folder == "." or path == folder or path.startswith(inside)))
    return list(found), tuple(missing)


def _read(tree: Tree, path: str) -> bytes | None:
    try:
        if tree.kind(path) != "file" or tree.size(path) > LARGEST:
            return None
        data = tree.read(path)
    except MemdeskError:
        return None
    return None if b"\0" in data[:8192] else data
