"""The second confirmation: a session in which more than a quarter of a store's live entries would go asks once more."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from memdesk.core.plan import YES, Question

if TYPE_CHECKING:
    from memdesk.core.model import Document, Workspace
    from memdesk.core.plan import Step
    from memdesk.core.prune.session import Session

KEY = "share"
PARTS = 4  # more than one of so many is much
_LIVE, _TAKEN = "live ", "taken "  # what words begin with, before a store's name


def live(workspace: Workspace) -> dict[str, int]:
    """Store -> how many entries it has that hold: neither struck nor candidates, in files that are no log, index or archive."""
    found = {workspace.store_name(store): 0 for store in workspace.stores}
    for document in workspace.documents.values():
        found[workspace.store_name(document.store)] += _live(document)
    return found


def taken(workspace: Workspace, steps: Iterable[Step]) -> dict[str, int]:
    """Store -> how many live entries these steps take out of its files; those that lose none are left out. What is moved to
    another file counts: nobody finds it where it was."""
    found: dict[str, int] = {}
    for step in steps:
        document = workspace.documents.get(step.path)
        if document is None:
            continue
        after = 0 if step.after is None else _live(document.after(step.after))
        name = workspace.store_name(document.store)
        found[name] = found.get(name, 0) + _live(document) - after
    return {name: count for name, count in found.items() if count > 0}


def words(workspace: Workspace, session: Session) -> dict[str, str]:
    """What the request of a prune carries of its session: what each store had when it began, and what went since."""
    began = session.live or live(workspace)
    found = {_LIVE + name: str(count) for name, count in began.items()}
    return found | {_TAKEN + name: str(count) for name, count in session.taken.items() if count > 0}


def questions(given: Mapping[str, str], answers: Mapping[str, str], going: Mapping[str, int]) -> list[Question]:
    """The question, where a store loses more than its share by this plan and what came before it. `given`: the words of the
    request; `going`: what this plan takes. Asked of every further plan too; none that takes nothing."""
    much = []
    for name, count in going.items():
        began = given.get(_LIVE + name)
        gone = count + int(given.get(_TAKEN + name, "0"))
        if began is not None and gone * PARTS > int(began):
            much.append(f"{gone} of the {began} live entries of {name}")
    if not much or answers.get(KEY) == YES:
        return []
    ask = f"With this, the session takes {' and '.join(much)}: more than a quarter of what was there when it began. Go on?"
    return [Question(KEY, ask, (("no", "No"), (YES, "Yes")))]


def _live(document: Document) -> int:
    if document.problem is not None or document.place.tier in ("archive", "log", "index"):
        return 0
    return sum(not entry.struck and not entry.candidate for entry in document.entries)
