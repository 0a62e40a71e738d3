"""The write-ahead record of one transaction: what it is, and the bytes before and after of every target.

One file. Its first line holds the format's version, and lengths and sha256 of the two parts that follow: a header in JSON
and the bytes themselves, packed. A list of transactions reads headers alone. A journal is never changed, but for a purge,
which writes a new one without bytes.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Mapping
from hashlib import sha256
from typing import Any

from memdesk.core.lean import NamedTuple

VERSION = 1
_MAGIC = b"memdesk-journal"
_HEAD = 4096  # enough for the first line, and for most headers
_SMALL = 512  # packing does not pay below


class Damaged(Exception):
    """A journal that does not match its checksums, or is no journal."""


class Newer(Exception):
    """A journal that a newer memdesk wrote."""


class Change(NamedTuple):
    """One target. `real` is the file behind `path` (a link inside the workspace); both workspace-relative.

    `before` and `after` are None where the file is absent. `mode`: permission bits to make the file with, where it must
    be made anew. The digests stay when a purge takes the bytes.
    """

    kind: str
    path: str
    real: str
    before: bytes | None
    after: bytes | None
    mode: int | None = None
    before_digest: str | None = None
    after_digest: str | None = None


class Journal(NamedTuple):
    """A transaction as it is written down. `made` are the folders that it makes, outermost first; `unmade` those that it
    takes away where they are empty; `at` is UTC; `head` git's commit when it was prepared; `undoes` an id."""

    id: str
    at: str
    by: str
    verb: str
    summary: str
    ids: tuple[str, ...] = ()
    new_ids: tuple[str, ...] = ()
    head: str | None = None
    undoes: str | None = None
    log_only: tuple[str, ...] = ()
    made: tuple[str, ...] = ()
    unmade: tuple[str, ...] = ()
    changes: tuple[Change, ...] = ()
    purges: tuple[str, ...] = ()  # texts that the history must lose once this is committed
    purged: bool = False

    @property
    def paths(self) -> list[str]:
        return [change.path for change in self.changes]


def change(kind: str, path: str, real: str, before: bytes | None, after: bytes | None, mode: int | None = None) -> Change:
    """A Change with its digests."""
    return Change(kind, path, real, before, after, mode, digest(before), digest(after))


def digest(data: bytes | None) -> str | None:
    return None if data is None else sha256(data).hexdigest()


def encode(journal: Journal) -> bytes:
    """The file's bytes."""
    import json

    body = bytearray()
    changes = []
    for item in journal.changes:
        entry: dict[str, Any] = {
            "kind": item.kind, "path": item.path, "real": item.real, "mode": item.mode,
            "before_sha256": item.before_digest, "after_sha256": item.after_digest,
        }
        for side, data in (("before", item.before), ("after", item.after)):
            entry[side] = None if data is None else _put(body, data)
        changes.append(entry)
    fields = {**journal._asdict(), "changes": changes}
    header = json.dumps(fields, separators=(",", ":")).encode()
    blobs = bytes(body)
    line = f" {VERSION} {len(header)} {sha256(header).hexdigest()} {len(blobs)} {sha256(blobs).hexdigest()}\n"
    return _MAGIC + line.encode() + header + blobs


def decode(data: bytes) -> Journal:
    """The journal with its bytes. Raises Damaged, Newer."""
    start, header, length, checksum = _header(data)
    blobs = data[start : start + length]
    if len(data) != start + length or sha256(blobs).hexdigest() != checksum:
        raise Damaged("its bytes do not match their checksum")
    journal = _journal(header, blobs)
    for item in journal.changes:
        for given, wanted in ((item.before, item.before_digest), (item.after, item.after_digest)):
            if given is not None and digest(given) != wanted:
                raise Damaged(f"the bytes of {item.path} do not match their checksum")
    return journal


def header_size(data: bytes) -> int:
    """How many bytes of the file `decode_header` needs, from its first 4096. Raises Damaged, Newer."""
    line, fields = _line(data)
    return line + int(fields[1])


def decode_header(data: bytes) -> Journal:
    """The journal without its bytes (every `before` and `after` is None). Raises Damaged, Newer."""
    return _journal(_header(data)[1], None)


def _put(body: bytearray, data: bytes) -> list[Any]:
    packed = zlib.compress(data, 1) if len(data) >= _SMALL else data
    raw = len(packed) >= len(data)
    start = len(body)
    body += data if raw else packed
    return [start, len(body) - start, "raw" if raw else "zlib"]


def _line(data: bytes) -> tuple[int, list[str]]:
    end = data.find(b"\n", 0, _HEAD)
    words = data[: max(end, 0)].decode("ascii", "replace").split(" ")
    if end < 0 or words[0] != _MAGIC.decode() or len(words) < 2 or not words[1].isdigit():
        raise Damaged("it has no journal's first line")
    if int(words[1]) > VERSION:
        raise Newer(f"its format is version {words[1]}; this memdesk knows {VERSION}")
    if len(words) != 6 or not (words[2].isdigit() and words[4].isdigit()):
        raise Damaged("its first line is incomplete")
    return end + 1, words[1:]


def _header(data: bytes) -> tuple[int, Mapping[str, Any], int, str]:
    """Where the bytes start, the header, how long the bytes are, and their checksum."""
    import json

    start, words = _line(data)
    end = start + int(words[1])
    header = data[start:end]
    if len(header) != int(words[1]) or sha256(header).hexdigest() != words[2]:
        raise Damaged("its header does not match its checksum")
    return end, json.loads(header), int(words[3]), words[4]


def _journal(fields: Mapping[str, Any], blobs: bytes | None) -> Journal:
    def data(entry: Mapping[str, Any], side: str) -> bytes | None:
        place = entry[side]
        if place is None or blobs is None:
            return None
        start, length, coding = place
        stored = blobs[start : start + length]
        try:
            return stored if coding == "raw" else zlib.decompress(stored)
        except zlib.error:
            raise Damaged(f"the bytes of {entry['path']} cannot be unpacked") from None

    changes = tuple(
        Change(
            entry["kind"], entry["path"], entry["real"], data(entry, "before"), data(entry, "after"), entry["mode"],
            entry["before_sha256"], entry["after_sha256"],
        )
        for entry in fields["changes"]
    )
    known = {name: _frozen(fields[name]) for name in Journal._fields if name in fields}
    return Journal(**{**known, "changes": changes})


def _frozen(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


def texts(journal: Journal) -> Iterable[bytes]:
    """Every text that it holds."""
    for item in journal.changes:
        yield from (data for data in (item.before, item.after) if data is not None)
