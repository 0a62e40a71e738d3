"""What the entries of one document are searched by: their words, and what came in place of which.

A query has few words and most entries have none of them, so an entry is taken apart only when its bytes hold one.
"""

from __future__ import annotations

from collections.abc import Mapping

from memdesk.core import layouts
from memdesk.core.bm25 import Bag, bag
from memdesk.core.lean import TYPE_CHECKING
from memdesk.core.words import terms

if TYPE_CHECKING:
    from memdesk.core.model import Document


class EntryWords:
    """The words of a document's entries, as far as any query asked for them. It is kept by document (see `recall.Kept`) and
    so is given it with each call: it must not keep it alive.

    To an entry's own words come those that say what it is about: of the headings above it and of the file's name, without
    what only names the kind of file ("decisions"). A text is as long as itself alone, in code points, so that one text is
    as good in a file with a long name as in any other.
    """

    __slots__ = ("_about", "_bags", "_heads", "_read", "place")

    def __init__(self, document: Document) -> None:
        self._about = _about(document)  # one for each entry
        self._bags = [Bag(_NONE, len(entry.text)) for entry in document.entries]
        self._read = [False] * len(self._bags)
        self._heads: Mapping[int, int] | None = None
        # How narrow the file is: one with a scope of its own comes first, then a deeper one, then a smaller one.
        self.place = not document.place.scope, -document.path.count("/"), len(document.data), document.path

    def bags(self, document: Document, wanted: frozenset[str]) -> list[Bag]:
        """The bags of its entries; those of entries that hold none of the words may be empty."""
        low = document.data.lower()
        # In plain ASCII a word stands in the bytes as it is; any other text has to be brought into one form first.
        plain = low.isascii()
        looked = [word.encode() for word in wanted if word.isascii()] if plain else [b""]
        looked = [word for word in looked if word in low]
        for index, entry in enumerate(document.entries):
            if self._read[index]:
                continue
            own = low[entry.start : entry.end] if looked else b""
            if any(word in own for word in looked) or not wanted.isdisjoint(self._about[index]):
                self._read[index] = True
                self._bags[index] = bag([*terms(entry.text), *self._about[index]], self._bags[index].length)
        return self._bags

    def heads(self, document: Document) -> Mapping[int, int]:
        """Struck entry -> the entry that its chain of successors ends in, both by index."""
        if self._heads is None:
            self._heads = _heads(layouts.get(document.store.layout).successors(document))
        return self._heads


def _about(document: Document) -> list[tuple[str, ...]]:
    place = document.place
    kind = {*terms(place.role), *terms(place.scope.partition(":")[0])}
    name = document.path.rsplit("/", 1)[-1].removesuffix(".md")
    names = terms(f"{name} {place.scope.partition(':')[2]}".replace("_", " "))
    known: dict[tuple[str, ...], tuple[str, ...]] = {}
    found = []
    for entry in document.entries:
        above = entry.heading_path
        if above not in known:
            titles = [word for title in above for word in terms(title)]
            known[above] = tuple(word for word in dict.fromkeys((*names, *titles)) if word not in kind)
        found.append(known[above])
    return found


def _heads(follows: Mapping[int, int]) -> dict[int, int]:
    found: dict[int, int] = {}
    for index in follows:
        path = [index]
        while path[-1] in follows and follows[path[-1]] not in path:
            path.append(follows[path[-1]])
        if path[-1] in follows:  # a ring: its texts name each other, so none of them is the newest; the last one stands
            path = [index, max(path)]
        if path[-1] != index:
            found[index] = path[-1]
    return found


_NONE: Mapping[str, int] = {}
