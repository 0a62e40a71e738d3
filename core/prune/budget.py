"""Files over a cap, each with the smallest set of whole entries whose move to the archive brings it under (docs/prune.md)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import date
from typing import TYPE_CHECKING

from memdesk.core import actions, edits, layouts
from memdesk.core.errors import MemdeskError, Refused
from memdesk.core.lean import NamedTuple
from memdesk.core.model import Budget, Document, Entry, Workspace
from memdesk.core.plan import Request
from memdesk.core.prune.look import made, name, plural
from memdesk.core.prune.moves import Move, plan_moves
from memdesk.core.prune.proposal import Proposal
from memdesk.core.prune.struck import struck_on
from memdesk.core.tokens import measure

if TYPE_CHECKING:
    from memdesk.core.config import Settings

__all__ = ["Choice", "Move", "Over", "choices", "look", "over_budget", "plan_moves", "with_moves"]

EDITED = frozenset({"over-budget", "struck"})  # kinds of proposals whose set of moves a person may change
KIND = "over-budget"
WHOLE = "The archive of this layout takes whole files"
SMALLEST = "The smallest set that brings it under"
TRIES = 8  # plans that are made for one file: what leaves may take its heading along, or leave a line behind


class Over(NamedTuple):
    """A proposal for each file over a cap; and of each one that nothing can bring under, on one line, why."""

    proposals: tuple[Proposal, ...]
    left: tuple[str, ...]


class Choice(NamedTuple):
    """One entry of the file that a proposal is about: whether its plan moves it, what the file is smaller by without it, in
    `unit`; `stays`: why it can't be chosen, "" where it can."""

    entry: Entry
    chosen: bool
    cost: int
    unit: str
    stays: str


def over_budget(workspace: Workspace, today: date, settings: Settings) -> list[Proposal]:
    """The proposals for files over a cap, by path."""
    return list(look(workspace, today, settings).proposals)


def look(
    workspace: Workspace, today: date, settings: Settings, turn: Callable[[int, int], object] = lambda done, total: None
) -> Over:
    """The proposals for files over a cap, by path, and what can't be brought under. `turn` is called with each file."""
    proposals, left = [], []
    for done, document in enumerate(workspace.documents.values()):
        turn(done, len(workspace.documents))
        meters = [budget for budget in document.budgets() if budget.state() == "over"]
        if not meters:
            continue
        chosen, why = _smallest(workspace, document, meters, today)
        if chosen:
            proposals.append(_proposal(document, meters, chosen))
        else:
            left.append(f"{document.path}: {_use(meters)}. {why}")
    return Over(tuple(proposals), tuple(left))


def choices(proposal: Proposal) -> list[Choice]:
    """All entries of the file that such a proposal is about, in their order. Raises Refused for one of another kind."""
    document = _edited(proposal)
    unit = next((budget.unit for budget in document.budgets() if budget.state() == "over"), "tokens")
    going = {entry.index for entry in proposal.entries[: proposal.changes]}
    return [
        Choice(entry, entry.index in going, _cost(entry, unit), unit, _not_for(proposal, entry)) for entry in document.entries
    ]


def with_moves(proposal: Proposal, ids: Collection[str]) -> Proposal:
    """The proposal with the set of moves that a person made of it: entries of the same file, by their ids. Raises Refused for
    an empty set, for an entry that is none of the file's or can't be moved, and for a proposal of another kind."""
    document = _edited(proposal)
    if not ids:
        raise Refused("There is nothing left to move.", path=document.path, remedy="Choose an entry, or reject the proposal.")
    known = dict(zip(document.ids, document.entries, strict=True))
    unknown = next((ident for ident in ids if ident not in known), None)
    if unknown is not None:
        raise Refused(f"{unknown} is no entry of this file.", path=document.path, remedy="Scan again.")
    chosen = [entry for ident, entry in known.items() if ident in ids]
    for entry in chosen:
        why = _not_for(proposal, entry)
        if why:
            raise Refused(why, path=entry.path, line=entry.line, remedy="Choose another entry.")
    request = proposal.request._replace(ids=tuple(entry.id for entry in chosen))
    if proposal.kind == KIND:
        meters = [budget for budget in document.budgets() if budget.state() == "over"]
        return _proposal(document, meters, chosen, "Chosen by hand")._replace(request=request)
    told = {line.partition(",")[0]: line for line in proposal.evidence if line.startswith("Line ")}
    lines = [line for line in proposal.evidence if not line.startswith("Line ")]
    lines += [told.get(f"Line {entry.line}") or _line(entry) for entry in chosen]
    title = f"{document.store.named(document.path)}: {plural(len(chosen), 'struck entry', 'struck entries')}"
    return made(proposal.kind, chosen, (), request, title, lines, proposal.exact)


def _not_for(proposal: Proposal, entry: Entry) -> str:
    """Why a person can't choose an entry for a proposal; "" where they can."""
    return _stays(entry) or ("It isn't struck." if proposal.kind != KIND and not entry.struck else "")


def _smallest(
    workspace: Workspace, document: Document, meters: Sequence[Budget], today: date
) -> tuple[list[Entry], str]:
    """The smallest set that brings a file under all its caps, made sure of by its plan; or none, and why not."""
    if layouts.get(document.store.layout).whole:
        return _whole(workspace, document, today)
    stays = [_stays(entry) for entry in document.entries]
    able = [entry for entry, why in zip(document.entries, stays, strict=True) if not why]
    if document.problem is not None:
        return [], f"The file is read-only: {document.problem.message}"
    if not able:
        return [], next((why for why in stays if why), "There is no entry in it that could leave.")
    need = {meter.unit: meter.used - (meter.cap or 0) for meter in meters}
    for _ in range(TRIES):
        chosen = _chosen(able, need)
        if chosen is None:
            return [], _not_enough(able, len(stays) - len(able), meters)
        beyond = _beyond(workspace, document, chosen, today)
        if isinstance(beyond, str):
            return [], beyond
        if max(beyond.values(), default=0) <= 0:
            return _trimmed(workspace, chosen, beyond, today), ""
        need = {unit: need.get(unit, 0) + max(0, over) for unit, over in beyond.items() if over > 0 or unit in need}
    return [], "What its entries' leaving writes into it takes as much room as they do."


def _whole(workspace: Workspace, document: Document, today: date) -> tuple[list[Entry], str]:
    """All entries of a working file in which nothing waits any more: its archive takes whole files."""
    waits = next((entry for entry in document.entries if entry.candidate), None)
    if document.place.tier != "working" or not document.entries:
        return [], f"{WHOLE}, and this one is in use: shorten it."
    if waits is not None:
        return [], f"{WHOLE}, and line {waits.line} still waits: review it, or shorten the file."
    if today.isoformat() in document.path:
        return [], f"{WHOLE}, and this is today's: shorten it."
    beyond = _beyond(workspace, document, document.entries, today)
    return ([], beyond) if isinstance(beyond, str) else (list(document.entries), "")


def _chosen(able: Sequence[Entry], need: Mapping[str, int]) -> list[Entry] | None:
    """The smallest set for each unit by itself, all of them together; None where they are not enough for one."""
    found: set[int] = set()
    for unit, excess in need.items():
        moves = [Move(str(entry.index), _cost(entry, unit), _past(entry), entry.date or "") for entry in able]
        plan = plan_moves(moves, excess)
        if plan is None:
            return None
        found |= {int(move.key) for move in plan}
    return [entry for entry in able if entry.index in found]


def _beyond(workspace: Workspace, document: Document, chosen: Sequence[Entry], today: date) -> dict[str, int] | str:
    """How far the file is beyond each of its caps after the plan, below 0 where it has room; or why there is no plan."""
    try:
        plan = actions.plan(workspace, _request(chosen), today)
    except MemdeskError as error:
        return f"{error.message} {error.remedy or ''}".strip()
    return {
        meter.unit: meter.after - meter.cap for meter in plan.budgets if meter.path == document.path and meter.cap is not None
    }


def _trimmed(workspace: Workspace, chosen: list[Entry], beyond: Mapping[str, int], today: date) -> list[Entry]:
    """The set without what it doesn't need, where more was freed than its entries take: a heading left with its last one."""
    first = next(iter(beyond))
    for entry in sorted(chosen, key=lambda entry: (_past(entry), _cost(entry, first))):
        if len(chosen) == 1 or any(_cost(entry, unit) > -over for unit, over in beyond.items()):
            continue
        fewer = [other for other in chosen if other is not entry]
        after = _beyond(workspace, entry.document, fewer, today)
        if not isinstance(after, str) and max(after.values()) <= 0:
            chosen, beyond = fewer, after
    return chosen


def _stays(entry: Entry) -> str:
    """Why an entry is not to be moved out of its file to make room; "" where it may."""
    if entry.tier in ("index", "archive"):
        return f"Nothing is moved out of a file of the tier {entry.tier} by itself."
    if entry.candidate:
        return "A candidate is promoted or rejected, not moved away."
    if entry.kind == "file":
        return "It is the whole file."
    return layouts.get(entry.layout).stays(entry)


def _past(entry: Entry) -> bool:
    """Whether an entry holds no more: it is struck, or says what came in its place."""
    return entry.struck or any(kind == "superseded-by" for kind, _ in entry.relations)


def _cost(entry: Entry, unit: str) -> int:
    """What a file is smaller by without an entry, the blank line that goes with it included."""
    data = entry.document.data
    return sum(
        measure(data[edit.start : edit.end].decode("utf-8", "replace"), unit)
        for edit in edits.removals(data, [(entry.start, entry.end)])
    )


def _not_enough(able: Sequence[Entry], others: int, meters: Sequence[Budget]) -> str:
    freed = sum(_cost(entry, meters[0].unit) for entry in able)
    which = "The one entry that may leave frees" if len(able) == 1 else f"All {len(able)} entries that may leave free"
    stay = f" The other {others} stay." if others > 1 else " The other one stays." if others else ""
    return f"{which} {freed} {meters[0].unit}.{stay} Shorten what is there, or raise the cap."


def _proposal(document: Document, meters: Sequence[Budget], chosen: Sequence[Entry], what: str = SMALLEST) -> Proposal:
    held = sum(not _past(entry) for entry in chosen)
    entries = plural(len(chosen), "entry", "entries")
    which = "all struck or superseded" if not held else f"{held} of them current" if len(chosen) > held else "all current"
    first = f"{what}: {entries}, {which}."
    if layouts.get(document.store.layout).whole:
        first = f"The whole file goes, {entries}: nothing in it waits for review."
    unit = meters[0].unit if meters else "tokens"
    lines = [f"{_use(meters)}{_origin(document, meters)}.", first]
    lines += [f"{_line(entry)} ({_cost(entry, unit)} {unit})" for entry in chosen]
    title = f"{document.store.named(document.path)}: {_use(meters)}"
    return made(KIND, chosen, (), _request(chosen), title, lines)


def _request(chosen: Sequence[Entry]) -> Request:
    return Request("archive", tuple(entry.id for entry in chosen))


def _line(entry: Entry) -> str:
    day = struck_on(entry) or entry.date if _past(entry) else entry.date
    state = "struck" if entry.struck else "superseded" if _past(entry) else "current, of" if day else "current"
    return f"Line {entry.line}, {state}{f' {day}' if day else ''}: {name(entry)}"


def _use(meters: Sequence[Budget]) -> str:
    return ", ".join(f"{meter.used} of {meter.cap} {meter.unit}" for meter in meters)


def _origin(document: Document, meters: Sequence[Budget]) -> str:
    origins = {cap.origin for cap in document.place.caps if cap.unit in {meter.unit for meter in meters}} - {"default"}
    return f" (set in {', '.join(sorted(origins))})" if origins else ""


def _edited(proposal: Proposal) -> Document:
    if proposal.kind not in EDITED or layouts.get(proposal.store.layout).whole:
        raise Refused("The entries of this proposal belong together.", remedy="Accept it as it is, or reject it.")
    return proposal.entries[0].document
