"""The verb `dismiss`: a person's lasting answer to a conflict, with a reason, put into the tracked file of judgments."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date
from typing import TYPE_CHECKING

from memdesk.core import conflicts, judgments, stops, tracked
from memdesk.core.errors import Refused, UnknownEntry
from memdesk.core.judgments import PATH, Judgment
from memdesk.core.plan import Plan, Request, Step

if TYPE_CHECKING:
    from memdesk.core.conflicts import Conflict
    from memdesk.core.model import Entry, Workspace


def plan(workspace: Workspace, request: Request, words: Mapping[str, str], today: date) -> Plan:
    """The judgment at the end of the file of judgments. `words`: reason, and by: who decides.

    Bound to the texts that it is about: when one of them changes, there is no such conflict any more. Raises UnknownEntry
    (no such conflict, or several), Refused (no reason; it is dismissed already), StoreError (a file of judgments that can't
    be read or added to).
    """
    if len(request.ids) != 1:
        raise UnknownEntry("dismiss needs the id of one conflict.")
    clash = _clash(workspace, request.ids[0])
    reason = words.get("reason", "").strip()
    by = words.get("by", "").strip() or "unknown"
    steps = judged(workspace, Judgment("dismissed", clash.subject, clash.digests, reason, by, today.isoformat()))
    if not reason:
        raise Refused(
            "A conflict is dismissed with a reason.", field="reason",
            remedy="Say why both can stand: whoever comes next sees it in the file.",
        )
    where = places(clash)
    return Plan(
        request, f"Dismissed the conflict {clash.id} ({where}): {reason}", f"Dismiss, kept in {PATH}", steps,
        bound(clash.entries),
    )


def judged(workspace: Workspace, made: Judgment) -> tuple[Step, ...]:
    """The steps that put a judgment at the end of the file. Raises Refused (it was judged so already; a reason that must not
    be written), StoreError (a file of judgments that can't be read or added to)."""
    before = tracked.data(workspace.tree, PATH)
    known = None if before is None else judgments.find(judgments.parse(before), made.kind, made.digests)
    if known is not None and known.verdict == made.verdict:
        said, because = _SAID[made.verdict], f": {known.reason}" if known.reason else ""
        raise Refused(f"It is {said} already, by {known.by} on {known.date}{because}", path=PATH, line=known.line)
    stops.values([(PATH, made.reason)], "reason")
    return tracked.steps(workspace.tree, PATH, before, judgments.appended(before, made))


def bound(entries: Iterable[Entry]) -> dict[str, str | None]:
    """What a plan about these entries is made from: their files."""
    return tracked.bound((entry.path, entry.document.data) for entry in entries)


def places(clash: Conflict) -> str:
    """Where the sides of a conflict stand, each once."""
    return ", ".join(dict.fromkeys(f"{side.entry.path}:{side.line}" for side in clash.sides))


_SAID = {"dismissed": "dismissed", "refused": "rejected"}


def _clash(workspace: Workspace, ident: str) -> Conflict:
    """The conflict of an id; what takes long to be found is looked for only where the rest has no such id."""
    found = next((clash for clash in conflicts.find(workspace) if clash.id == ident), None)
    return found if found is not None else conflicts.named(conflicts.every(workspace), ident)
