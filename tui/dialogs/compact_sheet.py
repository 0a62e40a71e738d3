"""What a compaction's screen shows: a draft as a person has it so far, read again and accounted for. All of it is made in a
worker, and touches no widget."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING

from memdesk.core.compacting import checking, drafting, planning
from memdesk.core.compacting.account import CARRIED, Row
from memdesk.core.compacting.materials import gather
from memdesk.core.errors import UsageError
from memdesk.core.lean import NamedTuple

if TYPE_CHECKING:
    from memdesk.core.compacting.checking import Checked, Problem
    from memdesk.core.compacting.form import Part
    from memdesk.core.compacting.materials import Materials
    from memdesk.core.desk import Desk
    from memdesk.core.model import Entry, Store
    from memdesk.core.plan import Request

PLAIN = "made without a model"


class Wanted(NamedTuple):
    """What a person has of a draft: the text as it was edited or drafted by a command (None: the one that is made without a
    model), why entries are left out by id, the materials that it is bound to ("" for all that is there), and who made it."""

    text: str | None = None
    left: Mapping[str, str] = {}
    read: str = ""
    maker: str = PLAIN


class Sheet(NamedTuple):
    """A draft on screen. `stamp`: the instant that it was made at; `arrived`: the entries of fragments that came since and
    aren't in it; `stale`: files that a text was made from and that changed since: it can't be accepted as it is."""

    wanted: Wanted
    materials: Materials
    stamp: str
    text: str
    checked: Checked
    arrived: tuple[Entry, ...] = ()
    files: int = 0  # how many fragments those stand in
    stale: tuple[str, ...] = ()

    @property
    def problems(self) -> tuple[Problem, ...]:
        return self.checked.problems

    @property
    def rows(self) -> tuple[Row, ...]:
        return self.checked.account.rows


def sheet(desk: Desk, store: Store, feature: str, wanted: Wanted, stamp: str) -> Sheet:
    """The draft as it is wanted, over the files as they are read now. A text that was made from what has changed since stays
    bound to that; one without a model is made anew. Raises UsageError (the feature or store is gone), Refused (a memory that
    can't be edited)."""
    materials = gather(desk.workspace, _store(desk, store), feature, wanted.read)
    text = wanted.text
    data = drafting.draft(materials, stamp, wanted.left) if text is None else drafting.fitted(materials, text, stamp)
    checked = checking.check(materials, data, wanted.left)
    known = {fragment.document.path for fragment in materials.fragments}
    others = [] if materials.found is None else [
        one.document for one in materials.found.fragments if one.document.path not in known and one.document.problem is None
    ]
    stale = materials.changed if text is not None else ()
    kept = wanted._replace(read=wanted.read if stale else materials.read)
    arrived = tuple(entry for document in others for entry in document.entries)
    return Sheet(kept, materials, stamp, drafting.text(data), checked, arrived, len(others), stale)


def request(shown: Sheet) -> Request:
    """What accepting the draft that is shown asks for."""
    wanted = shown.wanted
    asked = planning.request(shown.materials, wanted.text, wanted.left)
    return asked._replace(person=True, stamp=shown.stamp)


def edited(shown: Sheet, text: str, maker: str) -> Wanted:
    """The draft with another text."""
    return shown.wanted._replace(text=text, maker=maker)


def without(shown: Sheet, rows: Sequence[Row], reason: str) -> Wanted:
    """The draft with entries left out, each for that reason. Out of a text that somebody wrote goes what says one; what stands
    there within another text stays, and the account says so."""
    wanted = shown.wanted._replace(left={**shown.wanted.left, **{row.entry.id: reason for row in rows}})
    if wanted.text is None:
        return wanted
    document = shown.checked.document
    at = {entry.line: entry for entry in document.entries if not entry.struck}
    lines = shown.text.split("\n")
    for row in sorted((row for row in rows if row.state == CARRIED), key=lambda row: -(row.line or 0)):
        entry = at.get(row.line or 0)
        if entry is not None:
            del lines[entry.line - 1 : entry.end_line]
    return wanted._replace(text="\n".join(lines))


def with_again(shown: Sheet, rows: Sequence[Row]) -> Wanted:
    """The draft with entries of the materials taken back in, each under its section; what is in it stays as it is. Raises
    Refused for a text that can't be edited, as one with broken front matter."""
    ids = {row.entry.id for row in rows}
    wanted = shown.wanted._replace(left={ident: why for ident, why in shown.wanted.left.items() if ident not in ids})
    if wanted.text is None:
        return wanted
    others = {noted.entry.id for noted in shown.materials.entries} - ids
    return wanted._replace(text=_joined(shown, shown.materials, others))


def taken_in(desk: Desk, shown: Sheet) -> Wanted:
    """The draft over all that is there now: what came is taken in, and what was written stays. Raises as `with_again` does."""
    wanted = shown.wanted._replace(read="")
    if wanted.text is None:
        return wanted
    materials = gather(desk.workspace, _store(desk, shown.materials.store), shown.materials.feature)
    before = {noted.entry.id for noted in shown.materials.entries}
    return wanted._replace(text=_joined(shown, materials, before | set(wanted.left)))


def where(row: Row, parts: Sequence[Part]) -> str:
    """Where an entry went, or what says the same as it: the line of the draft and its section (of `parts`); else why it is left
    out."""
    if row.line is None:
        return row.reason or "no reason yet"
    above = [part.name for part in parts if part.heading.line <= row.line]
    return f"{row.line} {above[-1]}" if above else f"line {row.line}"


def _store(desk: Desk, store: Store) -> Store:
    """The store as it was read last."""
    for one in desk.workspace.stores:
        if (one.path, one.layout) == (store.path, store.layout):
            return one
    raise UsageError(f"The store {store.path} is gone.", remedy="Read again (^r) and look where it went.")


def _joined(shown: Sheet, materials: Materials, left: Collection[str]) -> str:
    """The text that is shown with those entries of the materials put in that it lacks and that aren't among `left`."""
    document = shown.checked.document
    return drafting.text(drafting.draft(materials._replace(memory=document), shown.stamp, left))
