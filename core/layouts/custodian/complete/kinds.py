"""What kind of entry each place takes: its prefix, the label of its body, and what it can't be without."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from memdesk.core.layouts.custodian import forms
from memdesk.core.layouts.custodian.entries import UNKNOWN_TYPE as UNKNOWN_TYPE
from memdesk.core.lean import NamedTuple

if TYPE_CHECKING:
    from memdesk.core.layouts.custodian.manifest import Manifest
    from memdesk.core.model import Entry, Store

# The facets of the protocol: which side of its subject an entry is about.
FACETS = (
    "adoption-policy", "version-policy", "architecture", "behavior", "compatibility", "security", "performance", "data-model",
    "interface", "workflow", "lifecycle",
)  # fmt: skip
TYPES = ("decision", "constraint", "preference", "tombstone", "rule", "profile", "area")  # what a candidate can be one of
SCHEMA_WITH_TYPES = 3  # the entry schema (protocol 0.8) in which an area's entry says what it is


class Kind(NamedTuple):
    """`code` is that of its ids, `label` that of its body. `owns`: it has a subject and a facet, and is the only active one
    for both in its scope; `why`: it needs a reason."""

    name: str
    code: str
    label: str
    owns: bool = True
    why: bool = False


DECISION = Kind("decision", "DEC", "Decision", why=True)
CONSTRAINT = Kind("constraint", "CON", "Constraint")
PREFERENCE = Kind("preference", "PREF", "Preference", owns=False)
TOMBSTONE = Kind("tombstone", "DNU", "Rejected", why=True)
FORGOTTEN = Kind("forgotten", "TOMB", "Rejected", owns=False, why=True)
AREA = Kind("decision", "AREA", "Decision", why=True)
RULE = Kind("rule", "AREA", "Rule", owns=False)
PROFILE = Kind("profile", "AREA", "Profile", owns=False)
CANDIDATE = Kind("candidate", "INBOX", "Statement", owns=False)

_FILES = {"decisions": DECISION, "constraints": CONSTRAINT, "preferences": PREFERENCE, "do-not-use": TOMBSTONE}
_OF_AREA = {
    "constraint": CONSTRAINT, "preference": PREFERENCE, "tombstone": TOMBSTONE, "do-not-use": TOMBSTONE,
}  # fmt: skip
_CODES = {kind.code: kind for kind in (DECISION, CONSTRAINT, PREFERENCE, TOMBSTONE, FORGOTTEN, CANDIDATE)}


def of(destination: str, words: Mapping[str, str]) -> Kind:
    """The kind of entry that goes to a destination; in an area `kind` of the words says which, a decision where it doesn't."""
    place, _, _ = destination.partition(":")
    if place not in forms.FOLDERS:
        return _FILES[place]
    if place == "area":
        return _OF_AREA.get(words.get("kind", ""), AREA)
    return RULE if place == "rule" else PROFILE


def of_entry(entry: Entry) -> Kind | None:
    """The kind of an entry with an id; None for one without, or with the id of something else."""
    code = entry.fields.get("id", "").upper().split("-")[1:2]
    if code == ["AREA"]:
        return {"rule": RULE, "profile": PROFILE}.get(entry.role, AREA)
    return _CODES.get(code[0]) if code else None


def typed(store: Store) -> bool:
    """Whether entries of an area say what they are in a field of their own."""
    manifest: Manifest = store.settings
    text = next((value for key, value, _ in manifest.protocol if key == "entry_schema_version"), "")
    return text.isdecimal() and int(text) >= SCHEMA_WITH_TYPES
