"""The verb `refuse`: a proposal is rejected for good, in the tracked file of judgments, until one of its texts changes."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import TYPE_CHECKING

from memdesk.core.dismissing import bound, judged
from memdesk.core.errors import Refused
from memdesk.core.judgments import PATH, Judgment
from memdesk.core.plan import Plan, Request
from memdesk.core.prune.accepting import fit
from memdesk.core.prune.proposal import KINDS, Proposal

if TYPE_CHECKING:
    from memdesk.core.model import Workspace


def plan(workspace: Workspace, request: Request, words: Mapping[str, str], today: date) -> Plan:
    """The judgment at the end of the file of judgments. `words`: reason, which may be missing, and by: who decides.

    Raises Refused (not just one proposal; it no longer fits the files; it is rejected already), StoreError (a file of
    judgments that can't be read or added to).
    """
    if len(request.parts) != 1:
        raise Refused("Proposals are rejected one by one.")
    part = request.parts[0]
    fit(workspace, part)
    entries = tuple(workspace.find(ident) for ident in part.entries)
    if not entries:
        raise Refused("This proposal is about no single text, so none could bring it back.", remedy="Snooze it.")
    proposal = Proposal(part.kind, part.exact, part.title, (), entries, 0, part.request, entries[0].document.store)
    reason, by = words.get("reason", "").strip(), words.get("by", "").strip() or "unknown"
    steps = judged(workspace, Judgment("refused", proposal.subject, proposal.digests, reason, by, today.isoformat()))
    what = f"{KINDS.get(part.kind, part.kind).lower()}, {part.title}".rstrip(".")
    because = f": {reason}" if reason else "."
    return Plan(request, f"Rejected a proposal ({what}){because}", f"Reject, kept in {PATH}", steps, bound(entries))
