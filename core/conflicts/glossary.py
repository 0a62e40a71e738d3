"""Memory against the glossary: a term that it defines in other words, a word to avoid that it uses as a title."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from memdesk.core.conflicts.conflict import Conflict, whole
from memdesk.core.conflicts.library import covers, home, role_rank
from memdesk.core.fields import normal_title
from memdesk.core.layouts.base import Version
from memdesk.core.layouts.texts import shown, to_avoid
from memdesk.core.lean import TYPE_CHECKING
from memdesk.core.patterns import lazy

if TYPE_CHECKING:
    from memdesk.core.conflicts.library import Library
    from memdesk.core.model import Document, Entry


def terms(library: Library) -> Iterator[Conflict]:
    """Terms of the glossary that memory defines with another text. Whether it says something else, only a person can tell:
    possible. The glossary is the nearest one around the entry that has the term."""
    for document in library.memory if library.terms else ():
        for definition in library.definitions(document):
            term = nearest(library, definition.entry, library.normal(definition.term))
            if term is None or not definition.text or _same(term.fields.get("text", ""), definition.text):
                continue
            name = term.fields.get("term") or term.heading
            reason = f"it defines {shown(name)!r} in other words than the glossary"
            side = Version(definition.entry, definition.line, definition.entry.text)
            yield Conflict("term", False, reason, (whole(term), side), name)


def aliases(library: Library) -> Iterator[Conflict]:
    """Words to avoid that memory uses as a heading, a bold term, or in a decision's title. Words in code or quotation marks
    are talked about and not used; those of a longer term of the glossary are the term's."""
    avoided = _avoided(library)
    for document in library.memory if avoided else ():
        seen: set[tuple[Entry, Entry]] = set()
        for entry, line, title, part in _titles(library, document):
            for alias, term in _used(library, entry, title, part, avoided):
                if (entry, term) not in seen:
                    seen.add((entry, term))
                    name = term.fields.get("term") or term.heading
                    where = "in its title" if part else "as a heading"
                    reason = f"it uses {shown(alias)!r} {where}; the glossary's word is {shown(name)!r}"
                    yield Conflict("alias", True, reason, (whole(term), Version(entry, line, entry.text)), alias)


def nearest(library: Library, entry: Entry, term: str) -> Entry | None:
    """The definition of a term (normalised) that holds where an entry lies."""
    around = [one for one in library.terms.get(term, ()) if covers(home(one.document.store), entry.path)]
    return max(around, key=lambda one: len(home(one.document.store)), default=None)


_QUOTED = lazy(r"`[^`\n]{1,200}+`|\"[^\"\n]{1,200}+\"|“[^”\n]{1,200}+”|(?<!\w)'[^'\n]{1,200}+'(?!\w)|\]\([^()\n]{0,500}+\)")

Words = tuple[str, ...]
_Avoided = dict[str, list[tuple[Words, str, "Entry"]]]  # first word -> the alias in words, as written, and its term


def _avoided(library: Library) -> _Avoided:
    found: _Avoided = {}
    for several in library.terms.values():
        for term in several:
            for alias in to_avoid(term.fields.get("avoid", "")):
                key = normal_title(alias)
                if key not in library.terms:  # a term of its own too: that is the glossary's to settle
                    words = tuple(key.split())
                    found.setdefault(words[0], []).append((words, alias, term))
    return found


def _titles(library: Library, document: Document) -> Iterator[tuple[Entry, int, str, bool]]:
    """Entry, line and title where a word can be used as one; whether a part of the title is enough."""
    decides = role_rank(document) == "decision"
    for entry in document.entries:
        if not (entry.struck or entry.candidate) and entry.kind == "section":
            yield entry, entry.line, entry.fields.get("title") or entry.heading, decides
    if b"**" in document.data:
        for definition in library.definitions(document):
            if definition.line != definition.entry.line or definition.entry.kind != "section":
                yield definition.entry, definition.line, definition.term, False


def _used(library: Library, entry: Entry, title: str, part: bool, avoided: _Avoided) -> Iterator[tuple[str, Entry]]:
    bare = _QUOTED.sub(" , ", title) if any(mark in title for mark in "`\"'“[") else title
    words = library.normal(bare).split()
    if not any(word in avoided for word in words):
        return
    taken = _of_terms(library, words) if part else frozenset()
    for at, word in enumerate(words):
        for alias, written, term in avoided.get(word, ()):
            here = tuple(words[at : at + len(alias)]) == alias and (part or len(words) == len(alias))
            if here and taken.isdisjoint(range(at, at + len(alias))) and covers(home(term.document.store), entry.path):
                yield written, term


def _of_terms(library: Library, words: list[str]) -> frozenset[int]:
    """The positions of words that belong to a term of several words."""
    found: set[int] = set()
    for at in range(len(words)):
        for length in range(2, min(6, len(words) - at) + 1):
            if " ".join(words[at : at + length]) in library.terms:
                found.update(range(at, at + length))
    return frozenset(found)


def _same(one: str, other: str) -> bool:
    """Whether two definitions are one text, or one is the beginning of the other up to a sentence's end."""
    short, long = sorted((_flat(one), _flat(other)), key=len)
    return short == long or (bool(short) and long.startswith(short) and long[len(short)] in ".!?;")


def _flat(text: str) -> str:
    return " ".join(re.sub(r"[*_`]", "", text).split()).casefold().rstrip(".")


def all_of(library: Library) -> Iterable[Conflict]:
    """Both kinds."""
    yield from terms(library)
    yield from aliases(library)
