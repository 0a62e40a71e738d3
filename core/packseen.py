"""A packed file taken apart as agents read it: its entries, and what stands outside of them; what the pack holds, and what not.

All of a file is in one of the pieces, white space between them aside, so that nothing that changes in a pack goes unsaid.
"""

from __future__ import annotations

from memdesk.core.lean import TYPE_CHECKING, NamedTuple
from memdesk.core.packing import document_at, stripped
from memdesk.core.tokens import count

if TYPE_CHECKING:
    from memdesk.core.model import Document, Entry, Workspace
    from memdesk.core.packing import PackFile


class Seen(NamedTuple):
    """One entry as agents read it, or (`whole` False) the rest of a file outside its entries: its `heading` is then the rest's
    first line. `line` is 1-based; `heading` is masked, `text` exact with LF endings; `id` is the entry's, "" for the rest."""

    path: str
    line: int
    heading: str
    tokens: int
    text: str
    id: str = ""
    whole: bool = True


class Piece:
    """Something seen, whether the pack holds it, and the entry that it is (None: the rest). What only a report needs is read
    off when one asks: most pieces stay what they were."""

    __slots__ = ("_seen", "entry", "loaded", "path", "text")

    def __init__(self, path: str, text: str, loaded: bool, entry: Entry | None, seen: Seen | None = None) -> None:
        self.path = path
        self.text = text
        self.loaded = loaded
        self.entry = entry
        self._seen = seen

    @property
    def whole(self) -> bool:
        """Whether it is an entry."""
        return self.entry is not None

    @property
    def seen(self) -> Seen:
        """The same, to be told of."""
        if self._seen is None:
            entry = self.entry
            assert entry is not None
            self._seen = Seen(self.path, entry.line, _heading(entry), count(self.text), self.text, entry.id)
        return self._seen


def pieces(workspace: Workspace, file: PackFile) -> list[Piece]:
    """The pieces of a loaded file in source order, the rest of what is loaded first, that of what is omitted last."""
    document = document_at(workspace, file.path)
    if document is None or file.disposition != "loaded":
        return []
    cut = file.omitted[0].line if file.omitted else None
    end = len(document.data) if cut is None else _offset(document.data, cut)
    found: list[Piece] = []
    rests: tuple[list[tuple[int, int]], list[tuple[int, int]]] = ([], [])
    done = 0
    for entry in sorted(document.entries, key=lambda entry: (entry.start, -entry.end)):
        if entry.start < done:
            continue  # inside of the one before
        _rest(rests, done, entry.start, end)
        if entry.start < end < entry.end:
            _rest(rests, entry.start, entry.end, end)  # what a budget cuts in two is no entry there
        else:
            found.append(Piece(file.path, entry.text, entry.start < end, entry))
        done = entry.end
    _rest(rests, done, len(document.data), end)
    inside, outside = (_outside(document, file.path, spans) for spans in rests)
    return [
        *([Piece(file.path, inside.text, True, None, inside)] if inside is not None else ()), *found,
        *([Piece(file.path, outside.text, False, None, outside)] if outside is not None else ()),
    ]


def _rest(rests: tuple[list[tuple[int, int]], list[tuple[int, int]]], start: int, stop: int, end: int) -> None:
    """Notes a span outside the entries, cut where the pack ends."""
    if start < min(stop, end):
        rests[0].append((start, min(stop, end)))
    if max(start, end) < stop:
        rests[1].append((max(start, end), stop))


def _outside(document: Document, path: str, spans: list[tuple[int, int]]) -> Seen | None:
    from memdesk.core.checks.secrets import brief

    texts = [(start, text) for start, stop in spans if (text := stripped(document.data[start:stop]))]
    if not texts:
        return None
    start, first = texts[0]
    at = start + document.data[start:].find(first[:1].encode("utf-8"))
    line = document.data.count(b"\n", 0, at) + 1
    rows = first.split("\n")
    title = next((number for number, row in enumerate(rows) if row.startswith("# ")), 0)  # behind front matter, if any
    whole = "\n\n".join(text for _, text in texts)
    return Seen(path, line + title, brief(rows[title].lstrip("# "), 80), count(whole), whole, whole=False)


def _heading(entry: Entry) -> str:
    from memdesk.core.checks.secrets import heading

    return heading(entry)


def _offset(data: bytes, line: int) -> int:
    """Where a line begins, counted at LF from 1."""
    at = 0
    for _ in range(line - 1):
        at = data.find(b"\n", at) + 1
    return at
