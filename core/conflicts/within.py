"""What clashes in one store, by structure alone (common.md): versions of one thing that all stand, one title twice in one
scope, an entry under the title of a tombstone, two owners of one subject."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from memdesk.core import fields, layouts
from memdesk.core.conflicts.conflict import Conflict, whole
from memdesk.core.layouts.texts import shown, titled
from memdesk.core.layouts.values import NOTHING
from memdesk.core.lean import TYPE_CHECKING

if TYPE_CHECKING:
    from memdesk.core.model import Document, Entry, Store, Workspace

QUIET_TIERS = frozenset({"archive", "log", "index"})  # history and pointers repeat what is said elsewhere
SOURCES = frozenset({"record", "design", "term"})  # ranks of roles that are no memory, but what it must agree with
_WHOLE_PROJECT = frozenset({"", "project", "repo", "repository", "global", "all", "whole project"})


def versions(documents: Iterable[Document]) -> Iterator[Conflict]:
    """What documents state in several versions that all stand, as their layout reads them."""
    for document in documents:
        for several in layouts.get(document.store.layout).versions(document):
            about = shown(several.about)
            yield Conflict("versions", several.exact, f"several versions of {about!r} stand", several.lines, about)


def same_title(documents: Sequence[Document], titles: Titles) -> Iterator[Conflict]:
    """Entries with one normalised title in one scope, un-struck: exact among decisions, elsewhere possible. The same text
    twice is a duplicate, and no conflict."""
    first_of: dict[tuple[str, str, str], Entry] = {}
    told: set[tuple[str, tuple[str, str, str], bytes]] = set()
    for document in documents:
        rank = layouts.get(document.store.layout).ranks.get(document.place.role, "")
        if rank == "tombstone" or rank in SOURCES:  # what is said twice in these, their layout's own rules tell
            continue
        decides = rank == "decision"
        for entry in document.entries:
            if entry.struck or entry.candidate or entry.kind not in ("section", "bullet"):
                continue
            title = title_key(entry, titles)
            if not title:
                continue
            key = ("decision" if decides else document.place.role, scope_of(entry), title)
            first = first_of.setdefault(key, entry)
            if first is entry:
                continue
            text = text_key(entry)  # one that stands twice is a duplicate, not one more version: their order tells nothing
            if text != text_key(first) and (document.path, key, text) not in told:
                told.add((document.path, key, text))
                reason = f"the title {titled(entry)!r} stands twice in one scope"
                yield Conflict("title", decides, reason, (whole(first), whole(entry)))


def tombstones(documents: Sequence[Document], titles: Titles) -> Iterator[Conflict]:
    """Entries and candidates under the title of a tombstone whose scope covers them."""
    stones: dict[str, list[Entry]] = {}
    for document in documents:
        if is_tombstones(document):
            for entry in document.entries:
                if not entry.struck and (title := title_key(entry, titles)):
                    stones.setdefault(title, []).append(entry)
    for document in documents if stones else ():
        if is_tombstones(document):
            continue
        for entry in document.entries:
            named = () if entry.struck else stones.get(title_key(entry, titles), ())
            stone = next((stone for stone in named if scope_of(stone) in ("", scope_of(entry))), None)
            if stone is not None:
                reason = f"{titled(entry)!r} has the title of a tombstone"
                yield Conflict("tombstone", True, reason, (whole(stone), whole(entry)))


def owners(workspace: Workspace, store: Store, documents: Iterable[Document]) -> Iterator[Conflict]:
    """Current entries of a store that own one thing, where its layout says that only one may."""
    first_of: dict[str, Entry] = {}
    owned = layouts.get(store.layout).owned(workspace, store)
    for document in documents:
        for entry in document.entries:
            key, name = NOTHING if entry.struck or entry.candidate else owned(entry)
            if key:
                first = first_of.setdefault(key, entry)
                if first is not entry:
                    yield Conflict("owner", True, f"two active owners of {shown(name)}", (whole(first), whole(entry)), name)


def readable(documents: Iterable[Document]) -> list[Document]:
    """Those that state something themselves and can be read."""
    from memdesk.core.model import UNPARSED

    return [
        document for document in documents
        if document.place.tier not in QUIET_TIERS and (document.problem is None or document.problem.rule not in UNPARSED)
    ]


def is_tombstones(document: Document) -> bool:
    """Whether a document holds rejected paths."""
    return layouts.get(document.store.layout).ranks.get(document.place.role) == "tombstone"


def scope_of(entry: Entry) -> str:
    """The scope that an entry names, else its document's; "" for the whole project. Compared as it is written, folded."""
    named = entry.fields.get("scope", "")
    if named:
        named = " ".join(named.split()).strip("`.* ").casefold().replace(": ", ":")
        return "" if named in _WHOLE_PROJECT else named
    return entry.document.place.scope.casefold()


Titles = dict["Entry", str]  # what `title_key` made once


def title_key(entry: Entry, titles: Titles) -> str:
    """What an entry's title is compared by: without dates, ids, case and punctuation. Of a bullet: its text's first
    paragraph."""
    key = titles.get(entry)
    if key is None:
        title = entry.fields.get("title") or entry.fields.get("text") or entry.heading
        key = titles[entry] = fields.normal_title(title.partition("\n\n")[0])
    return key


def text_key(entry: Entry) -> bytes:
    """What an entry's text is compared by: white space and its bullet aside."""
    key = b" ".join(entry.raw.split())
    return key[1:].lstrip() if entry.kind == "bullet" and key[:1] in b"-*+" else key
