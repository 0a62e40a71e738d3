"""What a verdict's dialog starts from, and a plan for what it asks: everything that a worker does for it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from memdesk.core.checks.secrets import heading
from memdesk.core.errors import MemdeskError, UnknownEntry
from memdesk.core.layouts.base import Ask, Destination
from memdesk.core.lean import TYPE_CHECKING, NamedTuple
from memdesk.core.plan import Plan, Request
from memdesk.tui import text
from memdesk.tui.dialogs.beside import Beside, beside
from memdesk.tui.dialogs.successor import Changed, successor

if TYPE_CHECKING:
    from memdesk.core.desk import Desk
    from memdesk.core.gate import Gate
    from memdesk.core.model import Entry

MERGE_TARGETS = 60  # entries that the chooser of a merge offers
OVERWRITING = ("correct",)  # verbs whose old and new text stand beside each other


class Ground(NamedTuple):
    """What the dialog starts from, read in a worker."""

    entries: tuple[Entry, ...]
    destinations: tuple[Destination, ...]
    asks: tuple[Ask, ...]
    labels: dict[str, str]  # what a person reads for a value that is an id
    targets: tuple[Entry, ...] = ()  # what a merge can go into, the nearest first
    gate: Gate | None = None  # before a single candidate
    passing: Mapping[str, str] = {}  # destination -> where the same store keeps what won't last
    rejected: bool = False  # none of them is struck by itself: what has no new text is rejected


class Outcome(NamedTuple):
    """A plan or why there is none, for the words of one version."""

    version: int
    plan: Plan | None
    error: MemdeskError | None
    moved: tuple[Changed, ...] = ()
    beside: Beside | None = None  # what is overwritten, old and new, where the verb asks for it


def ground_of(desk: Desk, verb: str, ids: Sequence[str]) -> Ground:
    """What the dialog of a verb starts from. Raises what the desk raises."""
    if verb == "dismiss":
        conflict = desk.conflict(ids[0])
        return Ground(tuple(conflict.entries), (), _dismissing(desk), {})
    if verb == "add":
        return Ground((), (), _ADDING, {})
    entries = tuple(desk.workspace.find(ident) for ident in ids)
    if verb == "promote":
        gate = desk.gate(entries[0]) if len(entries) == 1 else None
        return Ground(entries, tuple(desk.destinations(ids)), (), {}, gate=gate, passing=desk.passing(ids[0]))
    asks = desk.asks(verb, ids)
    if verb != "merge":
        return Ground(entries, (), asks, {}, rejected=verb == "strike" and desk.ends(ids) == "reject")
    near = [match.entry for match in desk.near(entries[0]) if not match.entry.candidate]
    store = entries[0].document.store
    near = [entry for entry in near if entry.document.store is store]
    other = [
        entry for document in desk.workspace.documents_of(store) if document.place.tier == "durable"
        for entry in document.entries if not entry.candidate and not entry.struck
    ]
    other.sort(key=lambda entry: entry.kind == "body")  # what introduces a file comes last
    targets = (near + [entry for entry in other if entry not in near])[:MERGE_TARGETS]
    labels = {entry.id: f"{entry.path.rsplit('/', 1)[-1]}: {text.clip(text.line(heading(entry)), 40)}" for entry in targets}
    first = near[0].id if near else ""  # without a near one the person chooses
    asks = tuple(ask._replace(choices=tuple(labels), default=first) if ask.field == "into" else ask for ask in asks)
    return Ground(entries, (), asks, labels, tuple(targets))


_ADDING = (
    Ask("title", "Title"), Ask("text", "Text", True, long=True), Ask("reason", "Reason", long=True),
)


def _dismissing(desk: Desk) -> tuple[Ask, ...]:
    """A judgment is kept for everyone: it says why, and whose it is."""
    why = "Why both can stand: whoever comes next reads it in the file."
    return Ask("reason", "Reason", True, hint=why), Ask("by", "By", True, desk.who(), hint="Whose judgment it is")


def beside_of(plan: Plan, entries: Sequence[Entry]) -> Beside | None:
    """Old and new text beside each other, of what a plan overwrites."""
    return beside(plan, entries[0].path) if plan.request.verb in OVERWRITING else None


def plan_of(desk: Desk, request: Request, version: int, entries: Sequence[Entry]) -> Outcome:
    """A plan for a request, or why there is none; where an entry changed, what became of it."""
    try:
        plan = desk.plan(request)
        return Outcome(version, plan, None, beside=beside_of(plan, entries))
    except UnknownEntry as error:
        moved = tuple(change for entry in entries if (change := successor(desk.workspace, entry)) is not None)
        return Outcome(version, None, error, moved)
    except MemdeskError as error:
        return Outcome(version, None, error)
