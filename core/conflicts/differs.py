"""Entries of nearly the same words that differ in a number, a date or a "not": possible conflicts, of which only a person can
tell.

All entries are compared for it (`alike`), which takes seconds where the rest takes milliseconds: who lists conflicts asks for
it, the check and a recall don't. It is done once for one reading of a workspace.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from weakref import WeakKeyDictionary

from memdesk.core.alike import Alike, Pair, alike
from memdesk.core.conflicts.conflict import Conflict, whole
from memdesk.core.conflicts.library import covers, home, role_rank
from memdesk.core.conflicts.within import is_tombstones, scope_of
from memdesk.core.lean import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from memdesk.core.model import Entry, Workspace


class Differing(NamedTuple):
    """The conflicts, by path and line, and in sentences what was not compared."""

    conflicts: tuple[Conflict, ...]
    left: tuple[str, ...]


def differing(
    workspace: Workspace, known: Iterable[Conflict], *, progress: Callable[[int, int], object] | None = None,
    stopped: Callable[[], bool] | None = None,
) -> Differing:
    """What is alike and at odds among the current entries of a workspace, by its setting `prune.near`. `known`: its other
    conflicts; two entries that are at odds already are not so again. `progress` and `stopped` as for `alike`."""
    found = _FOUND.get(workspace)
    if found is None:
        entries = (entry for entry in workspace.entries() if not entry.candidate and _may(entry))
        run = alike(entries, near(workspace), progress=progress, stopped=stopped)
        found = Differing(tuple(_conflicts(run, known)), run.left)
        if stopped is None or not stopped():
            _FOUND[workspace] = found
    return found


def near(workspace: Workspace) -> float:
    """The likeness from which on entries of a workspace are nearly the same."""
    if workspace.reading is not None:
        return float(workspace.reading.settings.prune.near)
    from memdesk.core import config

    return config.defaults().prune.near


_FOUND: WeakKeyDictionary[Workspace, Differing] = WeakKeyDictionary()
_WHAT = {"number": "a number", "date": "a date", "polarity": "what they negate"}
_FIRM = frozenset(("constraint", "record"))  # what an area can't refine, and so disagrees with


def _conflicts(run: Alike, known: Iterable[Conflict]) -> Iterator[Conflict]:
    told = {(one, other) for clash in known for one in clash.entries for other in clash.entries}
    for pair in run.pairs:
        if pair.differs and (pair.first, pair.other) not in told and _one_matter(pair):
            first, other = sorted((pair.first, pair.other), key=lambda entry: _rank(entry) != "record")
            reason = f"nearly the same words, which differ in {_WHAT[pair.differs]}"
            yield Conflict("differs", False, reason, (whole(first), whole(other)))


def _may(entry: Entry) -> bool:
    """Whether an entry can be at odds with another: a rejected path says what isn't, and design records, terms and records
    among themselves have kinds of their own."""
    return not is_tombstones(entry.document) and _rank(entry) not in ("design", "term")


def _one_matter(pair: Pair) -> bool:
    """Whether both speak of one place: what a package says is nothing to its neighbour, and what an area says refines the
    whole, unless that is firm."""
    one, other = pair.first, pair.other
    if _rank(one) == _rank(other) == "record":
        return False
    first, second = home(one.document.store), home(other.document.store)
    if not (covers(first, second) or covers(second, first)):
        return False
    scopes = scope_of(one), scope_of(other)
    if scopes[0] == scopes[1]:
        return True
    wide = [entry for entry, scope in zip((one, other), scopes, strict=True) if not scope]
    return bool(wide) and _rank(wide[0]) in _FIRM


def _rank(entry: Entry) -> str:
    return role_rank(entry.document)
