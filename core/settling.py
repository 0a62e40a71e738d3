"""How a person can settle a conflict: the choices for each, what each would write, and why one can't be made.

Pure, and no more than words: a choice is a request that the front end opens its own dialog with, so that nothing is
settled by looking at it, and what is written is seen first.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from memdesk.core import layouts, ranking
from memdesk.core.conflicts.library import record_name
from memdesk.core.judgments import PATH, find, held
from memdesk.core.layouts.texts import shown, titled
from memdesk.core.lean import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from memdesk.core.conflicts import Conflict
    from memdesk.core.model import Entry, Workspace


class Choice(NamedTuple):
    """One way to settle a conflict.

    `key`: "follow", "supersede", "merge", "narrow", "amend" or "dismiss"; several choices may have one key, where either
    side could be kept. `label` says what the person does, `consequence` what will be written, in one line with file and
    line. `verb`, `ids`, `words` and `store` prefill a Request. `why_not` says why it can't be made, where `possible` is
    False.
    """

    key: str
    label: str
    consequence: str
    verb: str
    ids: tuple[str, ...]
    words: Mapping[str, str] = {}
    possible: bool = True
    why_not: str = ""
    store: str | None = None


def choices(workspace: Workspace, conflict: Conflict) -> list[Choice]:
    """The choices for a conflict, what its ranking says first, dismissing it last."""
    sides = _Sides(workspace, conflict)
    maker = _MAKERS.get(conflict.kind, _between)
    return [*maker(sides), _dismiss(workspace, conflict)]


class _Sides:
    """A conflict's entries with what they are: `higher` wins over the others, where one does; `lower` are those that lose."""

    def __init__(self, workspace: Workspace, conflict: Conflict) -> None:
        self.workspace = workspace
        self.conflict = conflict
        self.entries = conflict.entries
        wins = {side.entry: weight.wins for side, weight in zip(conflict.sides, conflict.weights(), strict=True)}
        self.higher = next((entry for entry in self.entries if wins[entry]), None)
        self.lower = [entry for entry in self.entries if not wins[entry]]


def _between(sides: _Sides) -> Iterator[Choice]:
    """Entries of memory that say different things of one matter."""
    higher, lower = sides.higher, sides.lower
    if higher is None:
        yield _no_higher(sides)
        for kept in sides.entries:
            others = [entry for entry in sides.entries if entry is not kept]
            yield _strike(sides, "supersede", f"Keep {place(kept)}, strike the other", others, _instead(kept), kept)
    else:
        yield _strike(sides, "follow", f"Follow {place(higher)}", lower, _instead(higher), higher)
        yield _strike(sides, "supersede", f"Strike {place(higher)}: it no longer holds", [higher], _instead(lower[0]), lower[0])
    yield _merge(sides.higher or sides.entries[0], sides)
    yield _narrow(higher if sides.conflict.kind == "tombstone" and higher is not None else sides.entries[-1])


def _versions(sides: _Sides) -> Iterator[Choice]:
    """Lines of one thing: which of them holds is said in the file."""
    if len(sides.entries) > 1:
        yield from _between(sides)
        return
    yield _no_higher(sides)
    (entry,) = sides.entries
    lines = ", ".join(str(side.line) for side in sides.conflict.sides)
    consequence = f"Opens {place(entry)} in the editor: strike with ~~ ~~ what no longer holds of lines {lines}."
    yield _edit("merge", "Say which version holds", entry, entry.text, consequence)
    yield _narrow(entry)


def _ground(sides: _Sides) -> Iterator[Choice]:
    """An entry on a record that does not stand; where one came in its place, on that."""
    dead, entry, *after = sides.entries
    gone, state = record_name(dead), dead.status or "closed"
    if after:
        now = record_name(after[0])
        reason = f"{now} came in place of {gone} ({after[0].path})"
        yield _strike(sides, "follow", f"Follow {now}: strike the entry", [entry], reason)
        text = entry.text.replace(_file(dead), _file(after[0])).replace(gone, now)
        consequence = f"Opens {place(entry)} in the editor, with {now} in place of {gone}: see that it still says what holds."
        yield _edit("amend", f"Amend it: its ground is {now}", entry, text, consequence)
        yield _supersede(after[0], entry)
    else:
        reason = f"Its ground {gone} is {state} ({dead.path})"
        yield _strike(sides, "follow", f"Follow {gone}: strike the entry", [entry], reason)
        consequence = f"Opens {place(entry)} in the editor, to give it another ground or none."
        yield _edit("amend", "Amend it: name another ground", entry, entry.text, consequence)
        yield _new_record(sides, dead, entry)


def _term(sides: _Sides) -> Iterator[Choice]:
    """A term that memory defines in other words."""
    term, entry = sides.entries
    name = _title(term)
    inside = sides.conflict.sides[1].line != entry.line
    reason = f'the glossary defines "{name}" ({term.path})'
    follow = _strike(sides, "follow", "Follow the glossary: strike the entry", [entry], reason)
    if inside and follow.possible:
        follow = follow._replace(possible=False, why_not="It is one line of an entry that says more: amend that line.")
    yield follow
    consequence = f"Opens {place(entry)} in the editor, to say it in the glossary's words or to leave the term out."
    yield _edit("amend", "Amend the entry", entry, entry.text, consequence)
    consequence = f"Opens {place(term)} in the editor, to define the term anew; {place(entry)} stays as it is."
    yield _edit("supersede", f"Define {name} anew in the glossary", term, term.text, consequence)


def _alias(sides: _Sides) -> Iterator[Choice]:
    """A word to avoid in a title."""
    term, entry = sides.entries
    alias, name = sides.conflict.about, _title(term)
    line = sides.conflict.sides[1].line - entry.line
    rows = entry.text.split("\n")
    if 0 <= line < len(rows):
        rows[line] = _with_word(rows[line], alias, name)
    consequence = f"Opens {place(entry)} in the editor, with the glossary's word in its title."
    yield _edit("follow", f"Follow the glossary: say {name}", entry, "\n".join(rows), consequence)
    consequence = f"Opens {place(term)} in the editor: take {alias} off the words to avoid."
    yield _edit("supersede", f"Allow {alias} in the glossary", term, term.text, consequence)


def _tombstone(sides: _Sides) -> Iterator[Choice]:
    """A tombstone against an entry of memory, or against a record, to which it gives way."""
    stone, other = sides.entries
    if ranking.kind(other) != "record":
        yield from _between(sides)
        return
    name = record_name(other)
    yield _strike(sides, "follow", f"Follow {name}: strike the tombstone", [stone], f"{name} holds ({other.path})")
    yield _supersede(other, stone, rejects=True)
    yield _narrow(stone)
    yield _amend(stone, name)


def _design(sides: _Sides) -> Iterator[Choice]:
    """Design records: one that does not name the record by its number, or several for one record."""
    first, second = sides.entries[:2]
    if ranking.kind(first) == "record":
        name = record_name(first)
        consequence = f"Opens {place(second)} in the editor: write Supersedes {name}."
        yield _edit("follow", f"Name {name} by its number", second, second.text, consequence)
        consequence = f"Opens {place(second)} in the editor: take out that it supersedes anything."
        yield _edit("amend", f"Leave {name} as it is", second, second.text, consequence)
        return
    yield _no_higher(sides)
    about = sides.conflict.about
    for kept in sides.entries:
        others = [entry for entry in sides.entries if entry is not kept]
        consequence = f"Opens {place(others[0])} in the editor: take out that it supersedes {about}."
        yield _edit("supersede", f"Only {kept.path} supersedes {about}", others[0], others[0].text, consequence)
    yield _merge(first, sides)


def _overlap(sides: _Sides) -> Iterator[Choice]:
    """Nearly one title, and opposite status."""
    record, entry = sides.entries
    name, state = record_name(record), record.status or "closed"
    stands = ranking.kind(record) == "record"
    reason = f"{name} holds ({record.path})" if stands else f"{name} is {state} ({record.path})"
    yield _strike(sides, "follow", f"Follow {name}: strike the entry", [entry], reason)
    yield _supersede(record, entry, rejects=True) if stands else _new_record(sides, record, entry)
    yield _narrow(entry)
    yield _amend(entry, name)


def _differs(sides: _Sides) -> Iterator[Choice]:
    """Nearly the same words, at odds: of memory, or with a record."""
    yield from (_overlap if ranking.kind(sides.entries[0]) == "record" else _between)(sides)


_MAKERS = {
    "versions": _versions, "ground": _ground, "term": _term, "alias": _alias, "tombstone": _tombstone, "design": _design,
    "overlap": _overlap, "differs": _differs,
}


def _no_higher(sides: _Sides) -> Choice:
    name = ranking.rank(sides.entries[0]).name
    why = f"All sides are of one rank ({name}): none wins, a person must say which holds."
    return Choice("follow", "Follow the higher source", "Nothing is written.", "strike", (), {}, False, why)


def _strike(sides: _Sides, key: str, label: str, entries: list[Entry], reason: str, by: Entry | None = None) -> Choice:
    """`by`: the entry that holds instead, where it is one of the sides."""
    verbs = {layouts.get(entry.layout).ends(sides.workspace, entry, by) for entry in entries}
    verb = "reject" if verbs == {"reject"} else "strike"
    what = f"Strikes {_listed(entries)} in place" if verb == "strike" else f"Moves {_listed(entries)} to the archive"
    consequence = f"{what}, with the reason: {shown(reason, 120)}"
    if verb == "reject":
        label = label.replace("strike", "reject").replace("Strike", "Reject")
    why = next((why for entry in entries if (why := blocked(entry, verb))), "")
    if not why and len(verbs) > 1:
        why = "Not all of them are struck, some are rejected: take them one by one."
    if not why and len({id(entry.document.store) for entry in entries}) > 1:
        why = "They are of several stores: strike them one by one."
    if not why and (bare := [entry for entry in entries if entry.kind == "body"]):
        why = f"{place(bare[0])} is plain text without a heading or bullet, which can't be struck: amend it."
    return Choice(key, label, consequence, verb, tuple(entry.id for entry in entries), {"reason": reason}, not why, why)


def _supersede(record: Entry, entry: Entry, *, rejects: bool = False) -> Choice:
    """A new record, with what the entry says, in the place of one that stands. One that rejects the record's way says
    nothing of what holds instead: that a person writes."""
    name = record_name(record)
    said = layouts.get(entry.layout).said(entry)
    words = {"title": f"Not: {said.title}"} if rejects else {"with": said.text, "title": said.title}
    if said.words.get("reason"):
        words["reason"] = said.words["reason"]
    why = blocked(record, "strike")
    what = "what holds instead, which you write" if rejects else f"what {place(entry)} says"
    consequence = f"Writes a new record with {what}, and in {record.path} only the status: superseded by the new one."
    return Choice("supersede", f"Supersede {name} by a new record", consequence, "strike", (record.id,), words, not why, why)


def _new_record(sides: _Sides, record: Entry, entry: Entry) -> Choice:
    """A new record, with what the entry says, beside one that does not stand."""
    said = layouts.get(entry.layout).said(entry)
    words = {"text": said.text, "title": said.title, "kind": "adr"}
    if said.words.get("reason"):
        words["reason"] = said.words["reason"]
    why = blocked(record, "add")
    folder = record.path.rpartition("/")[0]
    consequence = f"Drafts a record in {folder} with what {place(entry)} says; {record.path} stays as it is."
    store = sides.workspace.store_name(record.document.store)
    return Choice("supersede", "Draft a new record for it", consequence, "add", (), words, not why, why, store)


def _merge(into: Entry, sides: _Sides) -> Choice:
    """Both texts in the editor, in the entry that ranks higher or stands first."""
    others = [entry for entry in sides.entries if entry is not into]
    texts = [layouts.get(entry.layout).said(entry).text for entry in others]
    text = layouts.get(into.layout).merged(into, "\n\n".join(texts))
    stay = f"{_listed(others)} {'stays' if len(others) == 1 else 'stay'} until struck."
    consequence = f"Opens {place(into)} in the editor with the other text worked in; {stay}"
    return _edit("merge", f"Merge into {place(into)}", into, text, consequence)


def _narrow(entry: Entry) -> Choice:
    """The entry with a line for its scope, to be filled in."""
    label = f"Keep both, with a narrower scope for {place(entry)}"
    text = layouts.get(entry.layout).scoped(entry, "")
    consequence = f"Opens {place(entry)} in the editor with a line for its scope: say where it holds."
    made = _edit("narrow", label, entry, text, consequence)
    if not text and made.possible:
        scope = entry.fields.get("scope", "")
        why = f"It names a scope already ({shown(scope, 40)})" if scope else f"{place(entry)} has no line for a scope"
        made = made._replace(possible=False, why_not=f"{why}: amend its wording.", words={})
    return made


def _amend(entry: Entry, name: str) -> Choice:
    consequence = f"Opens {place(entry)} in the editor, to say what is meant beside {name}."
    return _edit("amend", "Amend its wording", entry, entry.text, consequence)


def _edit(key: str, label: str, entry: Entry, text: str, consequence: str) -> Choice:
    why = blocked(entry, "edit")
    return Choice(key, label, consequence, "edit", (entry.id,), {"text": text}, not why, why)


def _dismiss(workspace: Workspace, conflict: Conflict) -> Choice:
    consequence = f"Appends a judgment to {PATH}; it holds until one of these texts changes."
    known, fault = held(workspace.tree)
    already = find(known, conflict.subject, conflict.digests)
    why = ""
    if fault is not None:
        why = str(fault)
    elif already is not None:
        why = f"It is dismissed already, by {already.by} on {already.date} ({PATH}:{already.line})."
    return Choice("dismiss", "Dismiss it, with a reason", consequence, "dismiss", (conflict.id,), {}, not why, why)


def blocked(entry: Entry, verb: str) -> str:
    """Why an entry can't be changed by a verb, before anyone tries; "" where nothing stands against it."""
    document = entry.document
    store = document.store
    if entry.tier == "archive":
        return f"{entry.path} is in the archive, which is frozen."
    if entry.tier == "log":
        return f"{entry.path} is a log, which is only added to."
    if store.read_only:
        return f"The store {store.path} is read-only: {store.read_only}"
    if document.problem is not None:
        return f"{entry.path} can't be edited: {document.problem.message}"
    layout = layouts.get(store.layout)
    if verb not in layout.verbs:
        return f"There is no {verb} in a store of this layout: {layout.title}."
    return ""


def place(entry: Entry) -> str:
    """Where an entry stands, as `docs/memory/decisions.md:3`."""
    return f"{entry.path}:{entry.line}"


def _listed(entries: list[Entry]) -> str:
    return " and ".join(map(place, entries))


def _instead(entry: Entry) -> str:
    """The reason of a strike: what holds instead."""
    return f'"{_title(entry)}" holds instead ({entry.path})'


def _title(entry: Entry) -> str:
    return titled(entry, 60).rstrip(".")


def _file(record: Entry) -> str:
    return record.path.rpartition("/")[2]


def _with_word(row: str, alias: str, name: str) -> str:
    """A title with the glossary's word in place of one to avoid, its first letter as it was."""
    match = re.search(rf"(?<!\w){re.escape(alias)}(?!\w)", row, re.IGNORECASE)
    if match is None:
        return row
    word = name if match[0][:1].isupper() else name[:1].lower() + name[1:]
    return row[: match.start()] + word + row[match.end() :]
