"""The lines of the Prune pane's list: proposals by kind, then what fell away while it was looked at, then what was decided."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from memdesk.core.lean import NamedTuple
from memdesk.core.prune.proposal import EXACT, KINDS
from memdesk.tui import text
from memdesk.tui.widgets.lines import Row
from memdesk.tui.widgets.paint import Piece

if TYPE_CHECKING:
    from memdesk.core.prune.proposal import Proposal

WORDY = 60  # cells from which on a line has room for the word beside its glyph
TITLE = 12  # cells of a title that are kept before its place

LEFT = "left"  # the kind of what is no proposal: what a scan could not look at

# State -> glyph, role, word.
STATES = {
    "exact": ("=", "tag", "exact"), "possible": ("?", "warn", "possible"), "stale": ("~", "dim", "stale"),
    "accepted": ("✓", "good", "accepted"), "rejected": ("✕", "bad", "rejected"), "snoozed": ("z", "dim", "snoozed"),
    LEFT: ("!", "warn", "left out"),
}


class Case(NamedTuple):
    """A proposal as the list shows it. `verdict`: "accepted", "rejected", "snoozed", or "" while it is open; `word`: what more
    is known of the verdict. `stale`: why it can't be carried out any more, or "". Of what was accepted in a session of before
    only the title is known."""

    ident: str
    kind: str
    title: str
    places: str = ""
    exact: bool = False
    proposal: Proposal | None = None
    verdict: str = ""
    word: str = ""
    stale: str = ""

    @property
    def state(self) -> str:
        """One of STATES."""
        if self.kind == LEFT:
            return LEFT
        return self.verdict or ("stale" if self.stale else "exact" if self.exact else "possible")

    @property
    def open(self) -> bool:
        """Whether a verdict can be given."""
        return self.state in ("exact", "possible")


class Head(NamedTuple):
    """The line above a group: its glyph, what people read for it, how many and of what sort, whether they can go together."""

    glyph: str
    role: str
    title: str
    size: int
    sort: str = ""
    together: bool = False

    @property
    def words(self) -> str:
        return f"{self.size} {self.sort}".strip()


def case_of(proposal: Proposal) -> Case:
    """A proposal as a line. Its id is made from all its texts: for a worker."""
    return Case(proposal.id, proposal.kind, text.line(proposal.title), places_of(proposal), proposal.exact, proposal)


def places_of(proposal: Proposal) -> str:
    """Where the first entry that changes stands, and how many more there are."""
    first, more = proposal.entries[0], max(proposal.changes, 1) - 1
    return text.line(f"{first.path.rsplit('/', 1)[-1]}:{first.line}" + (f" +{more}" if more else ""))


def rows_of(
    cases: Iterable[Case], stale: Iterable[Case] = (), decided: Iterable[Case] = (), left: Iterable[str] = (),
) -> list[Row]:
    """The list. `cases`: open ones; `stale`: those that no longer fit; `decided`: with a verdict, the newest first; `left`:
    what was not looked at, each on a line."""
    groups: dict[str, list[Case]] = {kind: [] for kind in KINDS}
    for case in cases:
        groups.setdefault(case.kind, []).append(case)
    rows: list[Row] = []
    seen: set[str] = set()
    for kind, group in groups.items():
        if group:
            glyph, role, word = STATES["exact" if group[0].exact else "possible"]
            rows.append(Row("", Head(glyph, role, KINDS.get(kind, kind), len(group), word, kind in EXACT)))
            rows += _keyed(group, seen)
    told = [Case(f"{LEFT}:{line}", LEFT, text.line(line)) for line in left]
    rest = (("stale", "Fell away", [*stale]), ("accepted", "Decided", [*decided]), (LEFT, "Left out", told))
    for state, title, group in rest:
        if group:
            glyph, role, _ = STATES[state]
            rows.append(Row("", Head(glyph, role, title, len(group))))
            rows += _keyed(group, seen)
    return rows


def _keyed(cases: Iterable[Case], seen: set[str]) -> list[Row]:
    """A row for each; one of the same texts as another has a key of its own all the same."""
    rows = []
    for case in cases:
        key = case.ident
        while key in seen:
            key += "+"
        seen.add(key)
        rows.append(Row(key, case))
    return rows


def draw(item: object, width: int, key: str = "") -> list[Piece]:
    """A line of the list. `key`: what accepts a whole kind."""
    if isinstance(item, Head):
        together = f"  {key} accepts all" if key and item.together and item.size > 1 else ""
        return [
            Piece(f"{item.glyph} ", item.role), Piece(item.title, "heading"), Piece(f"  {item.words}{together}", "dim"),
        ]
    if not isinstance(item, Case):
        return []
    glyph, role, word = STATES[item.state]
    lead = f"{glyph} {word:<8} " if width >= WORDY or item.verdict else f"{glyph} "
    quiet = "" if item.open else "dim"
    room = width - text.width(lead)
    places = text.clip(item.places, max(room - TITLE, 0))
    title = text.fit(item.title, max(room - text.width(places) - 1, 0))
    return [Piece(lead, role), Piece(title, quiet), Piece(f" {places}", "dim")]


def haystack(item: object) -> str:
    """What the filter looks in."""
    if not isinstance(item, Case):
        return ""
    texts = "" if item.proposal is None else "\n".join(f"{entry.path} {entry.text}" for entry in item.proposal.entries)
    word = STATES[item.state][2]
    return f"{word} {KINDS.get(item.kind, '')} {item.title} {item.places}\n{texts}".lower()


def of_kind(rows: Sequence[Row], kind: str) -> list[Case]:
    """The open cases of a kind, in the order of the list."""
    return [row.item for row in rows if isinstance(row.item, Case) and row.item.open and row.item.kind == kind]
