"""Search over every entry of a workspace: all words of the query, whole words before parts of words."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

if TYPE_CHECKING:
    from memdesk.core.model import Document, Entry, Workspace

Folded = WeakKeyDictionary["Document", list[str]]


def search(workspace: Workspace, query: str, folded: Folded) -> list[Entry]:
    """The entries, struck ones too, that hold every word of `query`, case aside, each anywhere in the entry or its path.

    First those where all stand as whole words, then the rest, both by path and line. A part in double quotes is one word.
    An empty query finds nothing. `folded` keeps the texts of documents between calls.
    """
    wanted = terms(query)
    if not wanted:
        return []
    whole = [re.compile(rf"(?<!\w){re.escape(word)}(?!\w)") for word in wanted]
    first: list[Entry] = []
    second: list[Entry] = []
    for document in workspace.documents.values():
        texts = folded.get(document)
        if texts is None:
            path = document.path.casefold()
            texts = folded[document] = [f"{' '.join(entry.text.casefold().split())}\n{path}" for entry in document.entries]
        for entry, text in zip(document.entries, texts, strict=True):
            if all(word in text for word in wanted):
                (first if all(pattern.search(text) for pattern in whole) else second).append(entry)
    return first + second


def terms(query: str) -> list[str]:
    """The words of a query, case folded; what stands in double quotes is one, its white space counted as one space."""
    found = re.findall(r'"([^"]+)"|([^\s"]+)', query.casefold())
    return [word for pair in found if (word := " ".join((pair[0] or pair[1]).split()))]
