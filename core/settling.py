"""How a person can settle a conflict: the choices for each, what each would write, and why one can't be made.

Pure, and no more than words: a choice is a request that the front end opens its own dialog with, so that nothing is
settled by looking at it, and what is written is seen first.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from memdesk.core import layouts, ranking
from memdesk.core.dismissing import held
from memdesk.core.judgments import PATH, find
from memdesk.core.layouts.texts import flat, shown
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
    sides = _Sides(conflict)
    maker = _MAKERS.get(conflict.kind, _between)
    return [*maker(workspace, sides), _dismiss(workspace, conflict)]


class _Sides:
    """A conflict's entries with what they are: `higher` wins over the others, where one does; `lower` are those that lose."""

    def __init__(self, conflict: Conflict) -> None:
        self.conflict = conflict
        self.entries = conflict.entries
        wins = {side.entry: weight.wins for side, weight in zip(conflict.sides, conflict.weights(), strict=True)}
        self.higher = next((entry for entry in self.entries if wins[entry]), None)
        self.lower = [entry for entry in self.entries if not wins[entry]]


def _between(workspace: Workspace, sides: _Sides) -> Iterator[Choice]:
    """Entries of memory that say different things of one matter."""
    higher, lower = sides.higher, sides.lower
    if higher is None:
        yield _no_higher(sides)
        for kept in sides.entries:
            others = [entry for entry in sides.entries if entry is not kept]
            if others:
                yield _strike("supersede", f"Keep {place(kept)}, strike the other", others, _instead(kept))
    else:
        yield _strike("follow", f"Follow {place(higher)}", lower, _instead(higher))
        yield _strike("supersede", f"Strike {place(higher)}: it no longer holds", [higher], _instead(lower[0]))
    yield _merge(sides)
    yield _narrow(higher if sides.conflict.kind == "tombstone" and higher is not None else sides.entries[-1])


def _versions(workspace: Workspace, sides: _Sides) -> Iterator[Choice]:
    """Lines of one thing: which of them holds is said in the file."""
    if len(sides.entries) > 1:
        yield from _between(workspace, sides)
        return
    yield _no_higher(sides)
    (entry,) = sides.entries
    lines = ", ".join(str(side.line) for side in sides.conflict.sides)
    consequence = f"Opens {place(entry)} in the editor: strike with ~~ ~~ what no longer holds of lines {lines}."
    yield _edit("merge", "Say which version holds", entry, entry.text, consequence)
    yield _narrow(entry)


_MAKERS = {"versions": _versions}


def _no_higher(sides: _Sides) -> Choice:
    name = ranking.rank(sides.entries[0]).name
    why = f"All sides are of one rank ({name}): none wins, a person must say which holds."
    return Choice("follow", "Follow the higher source", "Nothing.", "strike", (), {}, False, why)


def _strike(key: str, label: str, entries: list[Entry], reason: str) -> Choice:
    consequence = f"Strikes {_listed(entries)} in place, with the reason: {shown(reason, 120)}"
    why = next((why for entry in entries if (why := blocked(entry, "strike"))), "")
    if not why and len({id(entry.document.store) for entry in entries}) > 1:
        why = "They are of several stores: strike them one by one."
    if not why and (bare := [entry for entry in entries if entry.kind == "body"]):
        why = f"{place(bare[0])} is plain text without a heading or bullet, which can't be struck: amend it."
    return Choice(key, label, consequence, "strike", tuple(entry.id for entry in entries), {"reason": reason}, not why, why)


def _merge(sides: _Sides) -> Choice:
    """Both texts in the editor, in the entry that ranks higher or stands first."""
    into = sides.higher or sides.entries[0]
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
        why = f"{place(entry)} has no line for a scope: amend its wording."
        made = made._replace(possible=False, why_not=why, words={})
    return made


def _edit(key: str, label: str, entry: Entry, text: str, consequence: str) -> Choice:
    why = blocked(entry, "edit")
    return Choice(key, label, consequence, "edit", (entry.id,), {"text": text}, not why, why)


def _dismiss(workspace: Workspace, conflict: Conflict) -> Choice:
    consequence = f"Appends a judgment to {PATH}; it holds until one of these texts changes."
    known, fault = held(workspace)
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
        return f"{layout.title} has no {verb}."
    return ""


def place(entry: Entry) -> str:
    """Where an entry stands, as `docs/memory/decisions.md:3`."""
    return f"{entry.path}:{entry.line}"


def _listed(entries: list[Entry]) -> str:
    return " and ".join(map(place, entries))


def _instead(entry: Entry) -> str:
    """The reason of a strike: what holds instead."""
    title = shown(flat(entry.fields.get("title") or entry.heading), 60).rstrip(".")
    return f'"{title}" holds instead ({entry.path})'
