"""Ids of new entries: `MC-DEC-20261130-1a2b3c4d`, the prefix by kind, the day, and eight hex digits of what it says.

They come of a digest and not of chance, so that a preview, what is committed after it, and a plan made anew under the lock
name the same entry; two branches that write different entries give different ids without knowing of each other (ADR 17).
"""

from __future__ import annotations

import re
from datetime import date
from hashlib import sha256
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memdesk.core.draft import Draft
    from memdesk.core.model import Store

DIGITS = 8
_ID = re.compile(rb"\bMC-[A-Z]{1,12}-[0-9]{8}-[0-9a-f]{8}\b", re.IGNORECASE)


def fresh(draft: Draft, store: Store, code: str, today: date, text: str) -> str:
    """An id for a new entry that says `text`, which nothing in the store has or names: neither what is there, nor what the
    archive keeps, nor what this draft writes. The plan is bound to all of that."""
    taken = _taken(draft, store)
    day = today.strftime("%Y%m%d")
    number = 0
    while True:
        said = "\0".join((code, day, text, str(number))).encode("utf-8", "surrogateescape")
        ident = f"MC-{code}-{day}-{sha256(said).hexdigest()[:DIGITS]}"
        if ident.casefold() not in taken:
            return ident
        number += 1


def _taken(draft: Draft, store: Store) -> set[str]:
    texts = [document.data for document in draft.workspace.documents_of(store) if draft.look(document.path) is not None]
    texts += [edit.new for work in draft.works.values() for edit in work.edits]
    texts += [work.document.data for work in draft.works.values() if work.before is None]
    return {found.decode("ascii").casefold() for text in texts if b"-" in text for found in _ID.findall(text)}
