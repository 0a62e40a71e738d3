"""What a conflict is."""

from __future__ import annotations

from memdesk.core.layouts.base import Version
from memdesk.core.lean import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from memdesk.core.model import Entry
    from memdesk.core.ranking import Weight


class Conflict(NamedTuple):
    """Sides that cannot all be current. A side is an entry with the line and text in it that clash.

    `exact`: structure alone says so; else it is possible, and only a person can tell. `about`: what it is about: a title,
    a term, a subject. By `kind`, with the order of the sides:
      versions: lines that state versions of one thing      title: entries of one title in one scope
      tombstone: the tombstone, and what it forbids          owner: entries that own one subject
      ground: the record that does not stand (any more), the entry that names it as its ground, the record that came in its
        place where there is one
      term: the glossary's definition, the entry with another      alias: the term, the entry that uses a word to avoid
      design: design records that supersede one record; or the accepted record, and the design record that supersedes it
        without its number
      overlap: the record, and the entry with nearly its title
      differs: entries of nearly the same words with another number, date or negation; the record first, where one is
    """

    kind: str
    exact: bool
    reason: str
    sides: tuple[Version, ...]
    about: str = ""

    @property
    def id(self) -> str:
        """A name of 12 hex digits that lasts until one of the texts changes or moves to another file."""
        from hashlib import sha256

        parts = sorted(f"{side.entry.path}\0{side.entry.text}\0{side.text}" for side in self.sides)
        return sha256("\0".join((self.kind, *parts)).encode("utf-8", "surrogatepass")).hexdigest()[:12]

    @property
    def entries(self) -> list[Entry]:
        """Its entries, each once."""
        return list(dict.fromkeys(side.entry for side in self.sides))

    @property
    def digests(self) -> tuple[str, ...]:
        """What a judgment of it knows its texts by: of each entry, and of the lines in it that clash. Sorted."""
        from memdesk.core.judgments import digest

        texts = {side.entry.text for side in self.sides} | {side.text for side in self.sides}
        return tuple(sorted(map(digest, texts)))

    @property
    def subject(self) -> str:
        """What a judgment of it calls it: of one pair of texts one kind of conflict may be none, and another one."""
        return f"conflict:{self.kind}"

    def weights(self) -> list[Weight]:
        """The rank of each side, whether it wins, and why."""
        from memdesk.core.ranking import weigh

        return weigh([side.entry for side in self.sides], self.kind)


def whole(entry: Entry) -> Version:
    """An entry as a side of a conflict."""
    return Version(entry, entry.line, entry.text)
