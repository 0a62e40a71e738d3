"""Ids of entries, `PATH#HASH`, and finding an entry by one (CLI.md, Ids).

HASH is the sha256 over role, heading path, text, the ordinal among equal texts of the document and how many there are;
8 hex digits, or as many more as tell it from every other id of the document. It survives edits elsewhere in the file,
and since it counts its twins, an id taken before one of them went can't name the other.
"""

from __future__ import annotations

from bisect import bisect_left
from itertools import pairwise
from weakref import WeakKeyDictionary

from memdesk.core.errors import UnknownEntry
from memdesk.core.lean import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from memdesk.core.model import Document, Entry, Workspace

SHORTEST = 8  # digits that an id shows at least
PREFIX = 4  # digits that a caller has to give at least
_OFFERED = 10  # candidates named in a refusal
_HEX = frozenset("0123456789abcdef")

_full: WeakKeyDictionary[Document, list[str]] = WeakKeyDictionary()
_sorted: WeakKeyDictionary[Document, list[tuple[str, int]]] = WeakKeyDictionary()


def entry_ids(document: Document) -> list[str]:
    """The ids of a document's entries, in their order."""
    return [f"{document.path}#{short}" for short in _shortened(_of(document))]


def find(workspace: Workspace, ident: str) -> Entry:
    """The entry that an id, or an id with its hash cut to 4 digits or more, names. `PATH` may be an alias.

    Raises UnknownEntry for one that is malformed, vanished or ambiguous; its `candidates` are the ids that it could
    mean: those that share the given digits, else for a vanished one the same hash in other documents, else what the
    document holds now.
    """
    path, mark, given = ident.rpartition("#")
    digits = given.lower()
    if not mark or len(digits) < PREFIX or not _HEX.issuperset(digits):
        raise UnknownEntry(
            f"{ident!r} is no entry id: write PATH#HASH, with {PREFIX} hex digits or more.", _like(workspace, digits or ident)
        )
    document = workspace.documents.get(path) or _by_alias(workspace, path) or _as_shown(workspace, path)
    if document is None:
        raise UnknownEntry(f"{ident!r}: there is no memory file {path!r}.", _like(workspace, digits))
    found = _matches(document, digits)
    if len(found) == 1:
        return document.entries[found[0]]
    if found:
        raise UnknownEntry(f"{ident!r} names {len(found)} entries.", tuple(document.ids[index] for index in found[:_OFFERED]))
    raise UnknownEntry(
        f"{ident!r} names no entry: it was changed, moved or taken out.",
        _like(workspace, digits) or tuple(document.ids[:_OFFERED]),
    )


def _of(document: Document) -> list[str]:
    """The digests of a document's entries, made once."""
    found = _full.get(document)
    if found is None:
        found = _full[document] = _digests(document.entries)
    return found


def _digests(entries: Iterable[Entry]) -> list[str]:
    """Full hex digests. Every part carries its length, so that no two different entries give the same bytes to hash."""
    from hashlib import sha256

    entries = list(entries)
    texts = [_sized(entry.text) for entry in entries]
    totals: dict[bytes, int] = {}
    for text in texts:
        totals[text] = totals.get(text, 0) + 1
    seen: dict[bytes, int] = {}
    digests = []
    places: dict[tuple[str, tuple[str, ...]], bytes] = {}  # role and headings, which many entries share
    for entry, text in zip(entries, texts, strict=True):
        where = entry.role, entry.heading_path
        place = places.get(where)
        if place is None:
            place = places[where] = b"".join(map(_sized, (entry.role, str(len(entry.heading_path)), *entry.heading_path)))
        total = totals[text]
        if total == 1:
            counted = _ALONE
        else:
            ordinal = seen[text] = seen.get(text, 0) + 1
            counted = _sized(str(ordinal)) + _sized(str(total))
        digests.append(sha256(place + text + counted).hexdigest())
    return digests


def _sized(part: str) -> bytes:
    data = part.encode("utf-8", "surrogatepass")
    return b"%d:%s" % (len(data), data)


_ALONE = _sized("1") * 2  # the first and only one of its text


def _shortened(digests: list[str]) -> list[str]:
    """Each digest cut to SHORTEST digits, or to the first that tells it from its neighbours in sorted order."""
    ordered = sorted(digests)
    needed = dict.fromkeys(ordered, SHORTEST)
    for one, two in pairwise(ordered):
        if one[:SHORTEST] == two[:SHORTEST] and one != two:
            shared = next(index for index in range(len(one)) if one[index] != two[index])
            needed[one] = max(needed[one], shared + 1)
            needed[two] = max(needed[two], shared + 1)
    return [digest[: needed[digest]] for digest in digests]


def _matches(document: Document, digits: str) -> list[int]:
    """Positions of the entries whose digest starts with `digits`."""
    ordered = _sorted.get(document)
    if ordered is None:
        ordered = _sorted[document] = sorted((digest, index) for index, digest in enumerate(_of(document)))
    found = []
    for position in range(bisect_left(ordered, (digits, -1)), len(ordered)):
        if not ordered[position][0].startswith(digits):
            break
        found.append(ordered[position][1])
    return sorted(found)


def _by_alias(workspace: Workspace, path: str) -> Document | None:
    return next((document for document in workspace.documents.values() if path in document.aliases), None)


def _as_shown(workspace: Workspace, path: str) -> Document | None:
    """The one document whose name is not UTF-8 and is shown like this, with replacement characters."""
    if "\ufffd" not in path:
        return None
    found = [
        document for name, document in workspace.documents.items()
        if name.encode("utf-8", "surrogateescape").decode("utf-8", "replace") == path
    ]
    return found[0] if len(found) == 1 else None


def _like(workspace: Workspace, digits: str) -> tuple[str, ...]:
    """Ids anywhere in the workspace with these digits, for a refusal."""
    if len(digits) < PREFIX or not _HEX.issuperset(digits):
        return ()
    found: list[str] = []
    for document in workspace.documents.values():
        found += (document.ids[index] for index in _matches(document, digits))
        if len(found) >= _OFFERED:
            break
    return tuple(found[:_OFFERED])
