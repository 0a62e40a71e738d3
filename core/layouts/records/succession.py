"""Which records a new one supersedes, and how they are closed."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from memdesk.core.checks.secrets import brief
from memdesk.core.errors import Refused
from memdesk.core.layouts.records import links, numbers, restate, statuses

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date

    from memdesk.core.draft import Draft
    from memdesk.core.layouts.records.kept import Kept
    from memdesk.core.model import Document, Entry, Store


def named(draft: Draft, store: Store, entry: Entry, more: str) -> list[Entry]:
    """The records that a draft says it supersedes, and those of `more`. Raises Refused for one that is not there, or that
    another record supersedes already."""
    found = []
    documents = _records(draft)
    for kind, target in entry.relations:
        if kind == "supersedes":
            old = numbers.resolve(entry, target, documents)
            if old is None or old.role != "record":
                raise Refused(
                    f"It says that it supersedes {target!r}, and no one record is that.", path=entry.path, line=entry.line,
                    remedy="Mend the reference in the draft first.",
                )
            found.append(old)
    found += numbered(draft, store, more)
    chosen = list({id(old): old for old in found}.values())
    for old in chosen:
        if old is entry:
            raise Refused(
                "A record can't supersede itself.", path=entry.path, line=entry.line, field="supersedes",
                remedy="Name the record that no longer holds.",
            )
        _free(entry, old, documents)
    return chosen


def numbered(draft: Draft, store: Store, said: str) -> list[Entry]:
    """The records whose numbers are said: `7`, `ADR-0007, 9`. Raises Refused."""
    found = []
    known = numbers.by_number(document for document in _records(draft) if document.store is store)
    for word in re.split(r"[,;\s]+", said.strip()) if said.strip() else ():
        digits = re.sub(r"\A(?:adr)?[-#]?", "", word, flags=re.IGNORECASE)
        refs = [ref.number for ref in links.references(word) if ref.number is not None]
        number = int(digits) if digits.isascii() and digits.isdigit() and len(digits) <= 5 else refs[0] if refs else None
        records = known.get(number, []) if number is not None else []
        if len(records) != 1:
            what = f"There is no record {word!r}." if not records else f"Several records have the number {number}."
            raise Refused(what, field="supersedes", remedy="Give the number of a record of this store.")
        found.append(records[0])
    return found


def says(entry: Entry, old: Entry, draft: Draft) -> bool:
    """Whether a record says itself that it supersedes another."""
    return any(
        kind == "supersedes" and numbers.resolve(entry, target, _records(draft)) is old for kind, target in entry.relations
    )


def closed(old: Entry, by: Entry, draft: Draft) -> bool:
    """Whether a record says already that this one supersedes it."""
    return old.struck and any(
        kind == "superseded-by" and numbers.resolve(old, target, _records(draft)) is by for kind, target in old.relations
    )


def closable(entry: Entry) -> None:
    """Raises Refused for a record that has no status which could be changed."""
    if entry.status is None:
        written = entry.fields.get("status", "")
        what = f"Its status {brief(written, 60)!r} can't be read" if written else "It has no status"
        remedy = "Give it one first, such as a section `## Status` with the word `Accepted` below it."
        if written:
            remedy = f"Begin it with one of: {', '.join(statuses.KNOWN)}; or say what its word means in records.statuses."
        raise Refused(f"{what}, so it can't be marked as superseded.", path=entry.path, line=entry.line, remedy=remedy)


def close(draft: Draft, old: Entry, today: date, link: str) -> None:
    """The old record says what supersedes it, and nothing else of it changes."""
    closable(old)
    if (work := draft.works.get(old.path)) is not None and work.changed:
        raise Refused(
            "Two records can't supersede one, and what is accepted is not superseded at once.", path=old.path, line=old.line,
            field="supersedes", remedy="Take them one by one.",
        )
    kept: Kept = old.document.store.settings
    restate.supersede(draft, old, today, link, kept)
    work = draft.works[old.path]
    after = work.after(work.apply().after).entries
    if len(after) != 1 or not after[0].struck or not any(kind == "superseded-by" for kind, _ in after[0].relations):
        raise Refused(
            "Its status would not be read as superseded.", path=old.path, line=old.line,
            remedy="Edit its status lines by hand first.",
        )


def _free(entry: Entry, old: Entry, documents: Sequence[Document]) -> None:
    """Raises Refused where another record supersedes the old one already."""
    for kind, target in old.relations:
        if kind == "superseded-by":
            other = numbers.resolve(old, target, documents)
            if other is not entry:
                raise Refused(
                    f"It would supersede {old.path}, which says that {target!r} did.", path=old.path, line=old.line,
                    field="supersedes", remedy="Supersede the record that holds now.",
                )


def _records(draft: Draft) -> list[Document]:
    return [document for document in draft.workspace.documents.values() if document.place.role in ("record", "design")]
