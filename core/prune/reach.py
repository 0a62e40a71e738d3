"""Entries that no route reaches: whatever the task, nobody reads them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from memdesk.core import layouts
from memdesk.core.plan import Request
from memdesk.core.prune.look import Look, made, plural

if TYPE_CHECKING:
    from memdesk.core.prune.proposal import Proposal

KIND = "unreachable"


def unreached(look: Look) -> Iterator[Proposal]:
    """One proposal for each file: its entries go to the archive. What may not go there (tombstones, constraints that hold)
    needs a route, which only a person can give it: that is said."""
    for store in look.stores:
        layout = layouts.get(store.layout)
        found = layout.unreached(look.workspace, store)
        for done, (path, why) in enumerate(found):
            look.turn(KIND, done, len(found))
            document = look.workspace.documents[path]
            if document.problem is not None:
                continue
            if layout.whole:
                going = list(document.entries)
            else:
                going = [entry for entry in document.entries if layout.leaves(entry) == "archive"]
            if not going:
                if document.entries:
                    look.left.append(f"{path}: {why}, and what is in it can't be archived: give it a route.")
                continue
            title = f"{store.named(path)}: {plural(len(going), 'entry', 'entries')}"
            evidence = [f"{path}: {why}.", "Name the file where tasks find it instead, if they should read it."]
            yield made(KIND, going, [], Request("archive", tuple(entry.id for entry in going)), title, evidence)
