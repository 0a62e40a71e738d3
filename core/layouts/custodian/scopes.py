"""What an entry alone may own, and the line that says where it holds."""

from __future__ import annotations

from memdesk.core.layouts import texts
from memdesk.core.layouts.values import NOTHING, Owned
from memdesk.core.lean import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from memdesk.core.layouts.custodian.manifest import Manifest
    from memdesk.core.layouts.custodian.registry import Registry
    from memdesk.core.model import Entry, Store, Workspace

NOT_OWNING = frozenset({"rule", "profile"})  # roles whose entries steer the work, and own nothing


def owned(workspace: Workspace, store: Store) -> Callable[[Entry], Owned]:
    """Scope, subject and facet that an entry of the store owns, as `project / Storage / format`, under whatever name of the
    registry the subject goes; nothing for one without a subject, for rules and profiles, and before protocol 0.6."""
    manifest: Manifest = store.settings
    if not manifest.complete:
        return lambda entry: NOTHING
    from memdesk.core.layouts.custodian.registry import registry

    known = registry(workspace, store)
    return lambda entry: owned_by(known, entry)


def owned_by(known: Registry, entry: Entry) -> Owned:
    """What an entry owns while it is active."""
    subject = entry.fields.get("subject", "")
    if not subject or entry.role in NOT_OWNING:
        return NOTHING
    scope = entry.fields.get("scope") or entry.document.place.scope or "project"
    return claim(known, scope, subject, entry.fields.get("facet", ""))


def claim(known: Registry, scope: str, subject: str, facet: str) -> Owned:
    """A scope, subject and facet as one thing to own."""
    parts = (_folded(scope), known.canonical(subject), _folded(facet))
    named = (parts[0], known.called(subject.strip("`.* ")), parts[2])
    return Owned("\0".join(parts), " / ".join(part for part in named if part))


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
