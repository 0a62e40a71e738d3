"""What a candidate says has to be so before it is taken up, and a person's word that it is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from memdesk.core.errors import Refused
from memdesk.core.layouts import texts

if TYPE_CHECKING:
    from memdesk.core.model import Entry

CONFIRMS = "requirement"  # the word by which a person confirms it
SHOWN = 4  # requirements that a refusal of several quotes
REQUIRES = "requires"  # the word in which it goes with the candidate, within its store


def vouch(entries: Sequence[Entry], words: Mapping[str, str]) -> None:
    """Raises Refused for a candidate whose requirement nobody confirmed."""
    asked = {texts.flat(required(entry)): entry for entry in entries if required(entry)}
    if not asked:
        return
    if len(asked) > 1:
        each = "; ".join(f"{texts.shown(what, 80)} ({entry.path}:{entry.line})" for what, entry in list(asked.items())[:SHOWN])
        more = f"; and {len(asked) - SHOWN} more" if len(asked) > SHOWN else ""
        raise Refused(
            f"Each of them needs something else before it is taken up, and one answer can't stand for all: {each}{more}.",
            remedy="Take them up one by one, by one id each.", field=CONFIRMS,
        )
    what, entry = next(iter(asked.items()))
    if words.get(CONFIRMS) != "yes":
        raise unconfirmed(what, entry)


def unconfirmed(what: str, entry: Entry | None = None) -> Refused:
    """The refusal of what nobody confirmed."""
    return Refused(
        f"What it needs before it is taken up is not confirmed: {texts.shown(what, 300)}",
        path=None if entry is None else entry.path, line=None if entry is None else entry.line, field=CONFIRMS,
        remedy=f"Once it is so, answer yes (--answer {CONFIRMS}=yes); else leave it where it is.",
    )


def required(entry: Entry) -> str:
    """What a candidate says it needs before it is taken up."""
    return entry.fields.get("promotion-requirement", "").strip() if entry.candidate else ""
