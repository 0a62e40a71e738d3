"""The verb `dismiss`: a person's lasting answer to a conflict, with a reason, put into the tracked file of judgments."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import TYPE_CHECKING

from memdesk.core import conflicts, judgments, stops
from memdesk.core.errors import Refused, UnknownEntry
from memdesk.core.judgments import PATH, Judgment
from memdesk.core.plan import Plan, Request, Step

if TYPE_CHECKING:
    from memdesk.core.conflicts import Conflict
    from memdesk.core.model import Workspace


def plan(workspace: Workspace, request: Request, words: Mapping[str, str], today: date) -> Plan:
    """The judgment at the end of the file of judgments. `words`: reason, and by: who decides.

    Bound to the texts that it is about: when one of them changes, there is no such conflict any more. Raises UnknownEntry
    (no such conflict, or several), Refused (no reason; it is dismissed already), StoreError (a file of judgments that can't
    be read or added to).
    """
    if len(request.ids) != 1:
        raise UnknownEntry("dismiss needs the id of one conflict.")
    clash = conflicts.named(conflicts.find(workspace), request.ids[0])
    reason = words.get("reason", "").strip()
    before = data(workspace)
    known = None if before is None else judgments.find(judgments.parse(before), clash.subject, clash.digests)
    if known is not None and known.verdict == "dismissed":
        because = f": {known.reason}" if known.reason else ""
        raise Refused(f"It is dismissed already, by {known.by} on {known.date}{because}", path=PATH, line=known.line)
    if not reason:
        raise Refused(
            "A conflict is dismissed with a reason.", field="reason",
            remedy="Say why both can stand: whoever comes next sees it in the file.",
        )
    stops.values([(PATH, reason)], "reason")
    by = words.get("by", "").strip() or "unknown"
    made = Judgment("dismissed", clash.subject, clash.digests, reason, by, today.isoformat())
    after = judgments.appended(before, made)
    steps: list[Step] = []
    if before is None:
        folder = PATH.rpartition("/")[0]
        if workspace.tree.kind(folder) == "none":
            steps.append(Step("mkdir", folder))
        steps.append(Step("create", PATH, None, after))
    else:
        steps.append(Step("replace", PATH, before, after, workspace.tree.mode(PATH)))
    where = places(clash)
    return Plan(
        request, f"Dismissed the conflict {clash.id} ({where}): {reason}", f"Dismiss, kept in {PATH}", tuple(steps),
        _bound(clash),
    )


def data(workspace: Workspace) -> bytes | None:
    """The bytes of the file of judgments; None without one. Raises StoreError."""
    if workspace.tree.kind(PATH) == "none":
        return None
    return workspace.tree.read(PATH)


def places(clash: Conflict) -> str:
    """Where the sides of a conflict stand, each once."""
    return ", ".join(dict.fromkeys(f"{side.entry.path}:{side.line}" for side in clash.sides))


def _bound(clash: Conflict) -> dict[str, str | None]:
    from hashlib import sha256

    return {entry.path: sha256(entry.document.data).hexdigest() for entry in clash.entries}
