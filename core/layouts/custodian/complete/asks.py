"""What the dialogs ask for in a store of complete entries."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memdesk.core import layouts, questions
from memdesk.core.layouts import texts
from memdesk.core.layouts.base import Ask, Destination
from memdesk.core.layouts.custodian import forms, places
from memdesk.core.layouts.custodian.complete import evidence, kinds, owners
from memdesk.core.layouts.custodian.complete.heirs import heir
from memdesk.core.layouts.custodian.complete.kinds import FACETS, Kind
from memdesk.core.layouts.custodian.complete.subjects import NEW
from memdesk.core.layouts.custodian.complete.vouching import CONFIRMS, required
from memdesk.core.layouts.custodian.registry import registry
from memdesk.core.lean import NamedTuple

if TYPE_CHECKING:
    from memdesk.core.model import Entry, Store, Workspace

_WHY = {
    "Decision": "A decision without its why can't be re-evaluated.",
    "Rejected": "So that someone can tell when it no longer holds.",
}  # fmt: skip
_PLACES = {
    "decision": "decisions", "constraint": "constraints", "preference": "preferences", "tombstone": "do-not-use",
    "do-not-use": "do-not-use",
}  # fmt: skip


class _Known(NamedTuple):
    """What an entry says already, to be proposed."""

    title: str = ""
    text: str = ""
    reason: str = ""
    scope: str = ""
    kind: str = ""
    subject: str = ""
    facet: str = ""
    evidence: str = ""


def destinations(workspace: Workspace, store: Store, entry: Entry | None) -> list[Destination]:
    """As of the other protocols; each place asks for what makes an entry complete there."""
    known = _known(entry)
    subjects = registry(workspace, store)
    known = known._replace(subject=subjects.picked(known.subject))
    choices = subjects.choices()
    found = []
    fits = _fits(known)
    for place in places.destinations(workspace, store, entry):
        kind, colon, name = place.id.partition(":")
        named = [ask for ask in place.asks if ask.field in (kind, "applies")] if colon and not name else []
        asked = _area(choices, known) if kind == "area" else _entry(
            choices, kinds.of(place.id, {}), known, root=kind not in forms.FOLDERS
        )
        found.append(place._replace(asks=(*named, *asked, *questions.asks()), fits=place.id.casefold() == fits))
    return found


def informed(workspace: Workspace, verb: str, entry: Entry, asks: tuple[Ask, ...]) -> tuple[Ask, ...]:
    """Subjects are picked from the registry; and where what came after an entry is there, nothing need be said to strike it."""
    store = entry.document.store
    choices = registry(workspace, store).choices()
    if choices:
        asks = tuple(
            ask._replace(choices=choices, hint="", default=registry(workspace, store).picked(ask.default))
            if ask.field == "subject" else ask for ask in asks
        )
    if verb != "strike" or entry.candidate or not entry.fields.get("id"):
        return asks
    after = heir(entry, owners.active(workspace, store))
    if after is None:
        return asks
    name = f"{texts.titled(after, 40)} ({store.named(after.path)})"
    hint = f"A new text; empty: {name} is there, and both say so."
    return tuple(ask._replace(required=False, shown=True, hint=hint if ask.field == "with" else ask.hint) for ask in asks)


def asks(store: Store, verb: str, entry: Entry) -> tuple[Ask, ...]:
    """What the dialogs of the other verbs ask for."""
    if verb == "strike" and not entry.candidate:
        kind = kinds.of_entry(entry)
        why = kind.why if kind is not None else entry.role in ("decisions", "do-not-use")
        own = () if kind is not None else _subject(None, kinds.CONSTRAINT, _Known())
        hint = "The new text; the old one stays, and says so."
        what = Ask("with", "What holds now", required=kind is not None, long=True, hint=hint)
        reason = Ask("reason", "Reason", required=why, long=why, hint="Why the new one holds.")
        rest = _evidence("")._replace(required=kind is not None), Ask("title", "Title", hint="Made from the text where empty.")
        return (what, reason, *own, *rest)
    if verb == "reject":
        known = _known(entry)
        kept = _subject(None, kinds.TOMBSTONE, known)
        kept = tuple(ask._replace(required=False, shown=False, kept=True) for ask in (*kept, _evidence(known.evidence)))
        return (*places.asks(store, verb, entry), *kept)
    if verb == "merge":
        return (*vouched(entry), *places.asks(store, verb, entry))
    return places.asks(store, verb, entry)


def vouched(entry: Entry) -> tuple[Ask, ...]:
    """What a candidate says has to be so before it is taken up, as a question that a person answers."""
    what = texts.shown(required(entry), 200)
    if not what:
        return ()
    return (Ask(CONFIRMS, f"Needed first: {texts.sentence(what)} Is that done?", required=True, choices=("yes", "no")),)


def _fits(known: _Known) -> str:
    """The id of the place that a candidate is for, as it says itself; "" where it doesn't."""
    scope, colon, area = known.scope.partition(":")
    if colon and scope.strip().casefold() == "area":
        return f"area:{area.strip()}".casefold()
    return _PLACES.get(known.kind, "")


def _entry(choices: tuple[str, ...], kind: Kind, known: _Known, *, root: bool) -> tuple[Ask, ...]:
    reason = Ask(
        "reason", "Reason", required=kind.why, default=known.reason, long=True,
        hint=_WHY.get(kind.label, ""),
    )
    found = [reason] if kind.why else []
    found += [*_subject(choices, kind, known), _evidence(known.evidence)]
    found += [Ask("title", "Title", default=known.title), Ask("text", "Text", default=known.text, long=True)]
    found += [] if kind.why else [reason]
    if root and known.scope not in ("", "project"):
        found.append(Ask("scope", f"Scope (it says {texts.shown(known.scope, 40)})", required=True, choices=("project",)))
    if kind is kinds.TOMBSTONE:
        found.append(Ask("reconsider", "Reconsider", hint="YYYY-MM-DD, or a condition."))
    return tuple(found)


def _area(choices: tuple[str, ...], known: _Known) -> tuple[Ask, ...]:
    sorts = ("decision", "constraint", "preference", "tombstone")
    start = known.kind if known.kind in sorts else "tombstone" if known.kind == "do-not-use" else ""
    sort = Ask("kind", "As", required=True, choices=sorts, default=start)
    why = Ask("reason", "Reason", default=known.reason, long=True, hint="A decision or tombstone needs one.", shown=True)
    own = _subject(choices, kinds.CONSTRAINT, known)
    own = tuple(ask._replace(required=False, shown=True) for ask in own)
    return (
        sort, why, *own, _evidence(known.evidence), Ask("title", "Title", default=known.title),
        Ask("text", "Text", default=known.text, long=True),
    )


def _subject(registered: tuple[str, ...] | None, kind: Kind, known: _Known) -> tuple[Ask, ...]:
    """The subject, picked from the registry or a new one, and the facet; in sight where the entry needs them. `registered`
    None: what the registry holds is not at hand."""
    facet = Ask("facet", "Facet", required=kind.owns, default=known.facet, choices=FACETS)
    new = Ask(NEW, "New subject", hint="Its name, where none fits; it is registered.", shown=kind.owns)
    if registered is None:
        return Ask("subject", "Subject", default=known.subject, hint="By its name or id.", shown=kind.owns), new, facet
    if not registered:
        return new._replace(required=kind.owns, default=known.subject), facet
    return Ask("subject", "Subject", default=known.subject, choices=registered, shown=kind.owns), new, facet


def _evidence(default: str) -> Ask:
    hint = f"One a line (the right arrow completes): {evidence.FORMS}."
    return Ask("evidence", "Evidence", required=True, default=default, long=True, hint=hint, offers=evidence.OFFERS)


def _known(entry: Entry | None) -> _Known:
    if entry is None:
        return _Known()
    said = layouts.get(entry.layout).said(entry)
    words = said.words
    return _Known(
        said.title, said.text, words.get("reason", ""), words.get("scope", ""), words.get("kind", ""),
        words.get("subject", ""), words.get("facet", ""), words.get("evidence", ""),
    )
