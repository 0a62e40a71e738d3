"""What an entry alone may own, and the line that says where it holds."""

from __future__ import annotations

from memdesk.core.layouts import texts
from memdesk.core.lean import TYPE_CHECKING

if TYPE_CHECKING:
    from memdesk.core.layouts.custodian.manifest import Manifest
    from memdesk.core.model import Entry

NOT_OWNING = frozenset({"rule", "profile"})  # roles whose entries steer the work, and own nothing


def owner(entry: Entry) -> str:
    """Scope, subject and facet that an entry owns, as `project / storage / format`; "" for one without a subject, for rules
    and profiles, and before protocol 0.6."""
    subject = entry.fields.get("subject", "")
    manifest: Manifest = entry.document.store.settings
    if not subject or entry.role in NOT_OWNING or not manifest.complete:
        return ""
    scope = entry.fields.get("scope") or entry.document.place.scope or "project"
    parts = (_folded(scope), _folded(subject), _folded(entry.fields.get("facet", "")))
    return " / ".join(part for part in parts if part)


def scoped(entry: Entry, scope: str) -> str:
    """An entry's text with a scope: a section's below its last line, a line's at its end or as its continuation; "" where it
    names one already, or is plain text."""
    if entry.fields.get("scope") or entry.kind not in ("section", "bullet"):
        return ""
    text = entry.text
    if entry.kind == "bullet":
        if "decision" in entry.fields:
            return f"{texts.sentence(text)} Scope: {scope}"
        return f"{text}\n{texts.inside(text)}Scope: {scope}"
    if entry.role == "do-not-use":
        return f"{text}\nScope: {scope}"
    return f"{text}\n\nScope:\n{scope}"


def _folded(text: str) -> str:
    return " ".join(text.split()).strip("`.*").casefold()
