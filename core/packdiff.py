"""Two workspaces in, differences out: entry by entry, what every task's pack gains and loses from one to the other.

Where the texts of two packs are equal, the line that they begin with aside, there is no difference; where they aren't, some
part of it says so. A text is packed once, however many tasks load it, and only files that pack to another text are taken apart.
"""

from __future__ import annotations

from collections.abc import Mapping

from memdesk.core.errors import UsageError
from memdesk.core.lean import TYPE_CHECKING
from memdesk.core.linemerge import rising
from memdesk.core.packmatch import Match, Matched, match
from memdesk.core.packseen import Piece, Seen
from memdesk.core.packsides import NOTHING, Answer, Side
from memdesk.core.packvalues import Difference, Pair, RouteChange

if TYPE_CHECKING:
    from datetime import date

    from memdesk.core.layouts.values import LoadRequest
    from memdesk.core.model import Store, Workspace
    from memdesk.core.packing import Kept, Pack, PackFile
    from memdesk.core.packmatch import Scores

__all__ = ["Difference", "Pair", "RouteChange", "Seen", "compare"]


def compare(
    before: Workspace, after: Workspace, request: LoadRequest | None = None, *, store: str | None = None,
    today: date | None = None, names: tuple[str, str] = ("before", "after"),
    standing: tuple[Mapping[str, str], Mapping[str, str]] = ({}, {}),
) -> list[Difference]:
    """The differences of every store, or of those that are called `store` on either side: for each task, then for each module
    that can be asked for on either side. With a `request`: of that one alone.

    `today`: for what loads by its date. `names`: what people call the two sides. `standing`: each side's settings for the lines
    that packs begin with. Raises UsageError for a store that neither has.
    """
    kept: Kept = {}
    one, two = (
        Side(workspace, name, lines, today, kept)
        for workspace, name, lines in zip((before, after), names, standing, strict=True)
    )
    scores: Scores = {}
    found = []
    for mine, theirs in _stores(before, after, store):
        name = after.store_name(theirs) if theirs is not None else before.store_name(mine) if mine is not None else ""
        between = _Between(one, two, name, scores)
        if request is not None:
            found.append(between.difference(request.task, "", *(
                NOTHING if own is None else side.answer(own, request) for side, own in ((one, mine), (two, theirs))
            )))
            continue
        tasks = [{} if own is None else side.tasks(own) for side, own in ((one, mine), (two, theirs))]
        for task in _union(*tasks):
            found.append(between.difference(task, "", *(answers.get(task, NOTHING) for answers in tasks)))
        modules = [{} if own is None else side.modules(own) for side, own in ((one, mine), (two, theirs))]
        for module in _union(*modules):
            found.append(between.difference("", module, *(answers.get(module, NOTHING) for answers in modules)))
    return found


def _stores(before: Workspace, after: Workspace, name: str | None) -> list[tuple[Store | None, Store | None]]:
    """The stores of both sides, each with the one of its layout at its path on the other."""
    mine = before.stores if name is None else before.stores_named(name)
    theirs = after.stores if name is None else after.stores_named(name)
    if name is not None and not mine and not theirs:
        known = ", ".join(dict.fromkeys([*map(after.store_name, after.stores), *map(before.store_name, before.stores)]))
        raise UsageError(f"There is no store at {name!r}, before or after.", remedy=f"The stores are: {known}.")
    left = {(store.path, store.layout): store for store in mine}
    found: list[tuple[Store | None, Store | None]] = [(left.pop((store.path, store.layout), None), store) for store in theirs]
    return found + [(store, None) for store in left.values()]


def _union(before: Mapping[str, Answer], after: Mapping[str, Answer]) -> list[str]:
    return [*after, *(name for name in before if name not in after)]


class _Between:
    """Compares packs of one store."""

    def __init__(self, before: Side, after: Side, store: str, scores: Scores) -> None:
        self.before = before
        self.after = after
        self.store = store
        self.scores = scores

    def difference(self, task: str, module: str, mine: Answer, theirs: Answer) -> Difference:
        failures = tuple(
            f"{side.name}: {answer.failure}" for side, answer in ((self.before, mine), (self.after, theirs)) if answer.failure
        )
        old, new = mine.pack, theirs.pack
        made = Difference(
            self.store, task, module, old.tokens if old else 0, new.tokens if new else 0, routes=_routes(old, new),
            notes=tuple(_notes(old, new)), incomplete=new is not None and new.status != "complete", failures=failures,
        )
        if old is not None and new is not None and _body(old) == _body(new):
            return made
        return self._filled(made, _loaded(old), _loaded(new), tuple(_framing(old, new)))

    def _filled(
        self, made: Difference, old: dict[str, PackFile], new: dict[str, PackFile], framing: tuple[str, ...]
    ) -> Difference:
        touched = [path for path in {**old, **new} if _told(old.get(path)) != _told(new.get(path))]
        matched = match(
            {path: self.before.pieces(old[path]) for path in touched if path in old},
            {path: self.after.pieces(new[path]) for path in touched if path in new}, self.scores,
        )
        sorted_out = _Sorted(matched, [path for path in old if path not in new], [path for path in new if path not in old])
        for path in touched:
            if path in old and path in new and old[path].text != new[path].text and path not in sorted_out.paths:
                framing += (f"{path}: blank lines differ, or where the text outside its entries stands",)
        return made._replace(
            gained=tuple(sorted_out.gained), lost=tuple(sorted_out.lost), changed=tuple(sorted_out.changed),
            moved=tuple(sorted_out.moved), newly_omitted=tuple(sorted_out.omitted), no_longer_omitted=tuple(sorted_out.back),
            files_added=tuple(sorted_out.added), files_removed=tuple(sorted_out.removed), reordered=_reordered(old, new),
            framing=framing, notes=(*made.notes, *sorted_out.notes),
        )


class _Sorted:
    """What became of the pieces, under the names that Difference has for it. `paths`: the files that something is said of."""

    def __init__(self, matched: Matched, removed: list[str], added: list[str]) -> None:
        self.removed, self.added = removed, added
        self.gained: list[Seen] = []
        self.lost: list[Seen] = []
        self.changed: list[Pair] = []
        self.moved: list[Pair] = []
        self.omitted: list[Seen] = []
        self.back: list[Seen] = []
        self.notes: list[str] = []
        for pair in matched.pairs:
            self._pair(pair)
        gone = [piece for piece in matched.before if not piece.loaded]
        new = [piece for piece in matched.after if not piece.loaded]
        self._unread(gone, new)
        self.lost += [piece.seen for piece in matched.before if piece.loaded and not _titles(piece, removed)]
        self.gained += [piece.seen for piece in matched.after if piece.loaded and not _titles(piece, added)]
        paired = (seen for pair in (*self.changed, *self.moved) for seen in pair)
        self.paths = {seen.path for seen in (*self.gained, *self.lost, *self.omitted, *self.back, *paired)}

    def _pair(self, pair: Match) -> None:
        before, after = pair.before, pair.after
        if before.loaded and after.loaded:
            if not pair.same:
                self.changed.append(Pair(before.seen, after.seen))
            elif not pair.still:
                self.moved.append(Pair(before.seen, after.seen))
        elif before.loaded:
            self.omitted.append(after.seen)
        elif after.loaded:
            self.back.append(after.seen)

    def _unread(self, gone: list[Piece], new: list[Piece]) -> None:
        """What was left out and is gone, and what is new and left out: for agents one is in the place of the other, and only
        a file that leaves out more than before says so."""
        for piece in new:
            other = next((one for one in gone if one.seen.path == piece.seen.path), None)
            if other is None:
                self.omitted.append(piece.seen)
            else:
                gone.remove(other)
                self.notes.append(
                    f"{piece.seen.path}:{piece.seen.line}: {piece.seen.heading} is new and omitted,"
                    f" as {other.seen.heading} was, which is gone"
                )


def _titles(piece: Piece, files: list[str]) -> bool:
    """Whether it is but the title of a file that is said to be added, or removed, as a whole."""
    seen = piece.seen
    return not seen.whole and seen.path in files and "\n" not in seen.text and seen.text.startswith("# ")


def _loaded(pack: Pack | None) -> dict[str, PackFile]:
    return {} if pack is None else {file.path: file for file in pack.files if file.disposition == "loaded"}


def _told(file: PackFile | None) -> object:
    """What a pack holds of a file, and leaves out of it."""
    return None if file is None else (file.text, [(unit.heading, unit.line, unit.tokens) for unit in file.omitted])


def _body(pack: Pack) -> str:
    """The pack's text without the line that it begins with."""
    return pack.text[len(pack.standing.strip()) :]


def _reordered(old: Mapping[str, PackFile], new: Mapping[str, PackFile]) -> tuple[str, ...]:
    places = {path: at for at, path in enumerate(old)}
    pairs = [(at, places[path]) for at, path in enumerate(new) if path in places]
    stay = {at for at, _ in rising(pairs)}
    return tuple(path for at, path in enumerate(new) if path in places and at not in stay)


def _framing(old: Pack | None, new: Pack | None) -> list[str]:
    """The lines of the text beside its entries that differ."""
    before, after = _loaded(old), _loaded(new)
    found = []
    for path, file in after.items():
        if path in before and _left(before[path]) != _left(file):
            found.append(f"{path}: {_left(file)}; before: {_left(before[path])}")
        elif path not in before and file.omitted:
            found.append(f"{path}: {_left(file)}")
    said, says = _sayings(old), _sayings(new)
    found += [f"now: {line}" for line in says if line not in said]
    found += [f"no longer: {line}" for line in said if line not in says]
    return found


def _left(file: PackFile) -> str:
    return f"{len(file.omitted)} omitted over the budget of {file.budget} tokens" if file.omitted else "nothing omitted"


def _sayings(pack: Pack | None) -> list[str]:
    if pack is None:
        return []
    return [*(f"lacks {file.path}: {file.reason}" for file in pack.missing), *pack.scope_notes]


def _notes(old: Pack | None, new: Pack | None) -> list[str]:
    if old is None or new is None:
        return []
    before = _loaded(old)
    found = [
        f"{path}: its budget is {_budget(file)}, before {_budget(before[path])}"
        for path, file in _loaded(new).items() if path in before and before[path].budget != file.budget
    ]
    if old.standing != new.standing:
        found.append("the line that the pack begins with is another one")
    return found


def _budget(file: PackFile) -> str:
    return "none" if file.budget is None else f"{file.budget} tokens"


def _routes(old: Pack | None, new: Pack | None) -> tuple[RouteChange, ...]:
    """The files that load on one side at least and for another reason on the other, and those that only one side has."""
    before, after = _reasons(old), _reasons(new)
    found = []
    for path in {**before, **after}:
        mine, theirs = before.get(path), after.get(path)
        loads = any(reason is not None and reason.startswith("loads") for reason in (mine, theirs))
        if mine != theirs and (loads or mine is None or theirs is None):
            found.append(RouteChange(path, mine, theirs))
    return tuple(found)


def _reasons(pack: Pack | None) -> dict[str, str]:
    if pack is None:
        return {}
    found = {path: f"stays out: {reason}" for path, reason in pack.not_loaded}
    for file in pack.files:
        if not file.disposition.startswith("missing"):
            found[file.path] = f"{'loads' if file.disposition == 'loaded' else 'stays out'}: {file.reason}"
    return found
