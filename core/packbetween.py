"""What one pack has that another has not, piece by piece, under the names that `Difference` has for it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from memdesk.core.lean import TYPE_CHECKING
from memdesk.core.linemerge import rising
from memdesk.core.packmatch import Match, Matched, match
from memdesk.core.packseen import Piece, Seen
from memdesk.core.packvalues import Difference, Pair, RouteChange

if TYPE_CHECKING:
    from memdesk.core.layouts.values import Module
    from memdesk.core.packing import Pack, PackFile
    from memdesk.core.packmatch import Scores
    from memdesk.core.packsides import Answer, Side


MOSTLY = 0.5  # of the entries of the smaller one: as much as two modules share where one is the other under a new name
_SHARED = 20  # modules that one text is looked up in: one of more of them tells none from another


class Between:
    """Compares packs of one store."""

    def __init__(self, before: Side, after: Side, store: str, scores: Scores) -> None:
        self.before = before
        self.after = after
        self.store = store
        self.scores = scores

    def difference(self, task: str, module: str, mine: Answer, theirs: Answer) -> Difference:
        failures = tuple(
            f"{side.name}: {answer.error}" for side, answer in ((self.before, mine), (self.after, theirs)) if answer.error
        )
        old, new = mine.pack, theirs.pack
        made = Difference(
            self.store, task, module, old.tokens if old else 0, new.tokens if new else 0, routes=_routes(old, new),
            notes=(*_notes(old, new), *_asked(mine.module, theirs.module)),
            incomplete=new is not None and new.status != "complete", failures=failures,
        )
        found = self._sorted(_loaded(old), _loaded(new))
        began = () if module else _began(old, new)
        if old is not None and new is not None and _body(old) == _body(new):
            unread = (f"{seen.path}:{seen.line}: {seen.heading} is new and omitted" for seen in found.omitted)
            return made._replace(framing=began, notes=(*made.notes, *found.notes, *unread))
        return made._replace(
            gained=tuple(found.gained), lost=tuple(found.lost), changed=tuple(found.changed), moved=tuple(found.moved),
            newly_omitted=tuple(found.omitted), no_longer_omitted=tuple(found.back), files_added=found.added,
            files_removed=found.removed, reordered=_reordered(_loaded(old), _loaded(new)),
            framing=(*began, *_framing(old, new), *found.framing), notes=(*made.notes, *found.notes),
        )

    def _sorted(self, old: Mapping[str, PackFile], new: Mapping[str, PackFile]) -> _Sorted:
        touched = [path for path in {**new, **old} if _told(old.get(path)) != _told(new.get(path))]
        matched = match(
            {path: self.before.pieces(old[path]) for path in touched if path in old},
            {path: self.after.pieces(new[path]) for path in touched if path in new}, self.scores,
        )
        rewritten = [path for path in touched if path in old and path in new and old[path].text != new[path].text]
        added, removed = tuple(path for path in new if path not in old), tuple(path for path in old if path not in new)
        return _Sorted(matched, touched, added, removed, rewritten)


def renamed(modules: Sequence[Difference]) -> list[Difference]:
    """The same, where one that is gone and one that is new share most of their text, with a note for each that says so."""
    notes: dict[str, str] = {}
    gone = {one.module: one for one in modules if one.files_removed and not one.tokens_after}
    texts = {name: Counter(seen.text for seen in old.lost) for name, old in gone.items()}
    holding: dict[str, list[str]] = {}
    for name, several in texts.items():
        for text in several:
            holding.setdefault(text, []).append(name)
    for new in modules if gone else ():
        if not new.files_added or new.tokens_before:
            continue
        mine = Counter(seen.text for seen in new.gained)
        votes = Counter(name for text in mine for name in holding.get(text, ())[:_SHARED] if name not in notes)
        for name, _ in votes.most_common(1):
            shared, old = sum((mine & texts[name]).values()), gone[name]
            if shared >= MOSTLY * min(len(old.lost), len(new.gained)):
                notes[name] = f"{shared} of its {len(old.lost)} entries are in {new.module} now, which is new"
                notes[new.module] = f"{shared} of its {len(new.gained)} entries were in {name}, which is gone"
    return [one._replace(notes=(*one.notes, notes[one.module])) if one.module in notes else one for one in modules]


class _Sorted:
    """What became of the pieces, under the names that Difference has for it, by `order` of the files and by line."""

    def __init__(
        self, matched: Matched, order: Sequence[str], added: tuple[str, ...], removed: tuple[str, ...], rewritten: list[str]
    ) -> None:
        self.added, self.removed = added, removed
        self.changed: list[Pair] = []
        self.moved: list[Pair] = []
        self.omitted: list[Seen] = []
        self.back: list[Seen] = []
        self.notes: list[str] = []
        for pair in matched.pairs:
            self._pair(pair)
        gone = [piece for piece in matched.before if not piece.loaded]
        self._unread(gone, [piece for piece in matched.after if not piece.loaded])
        self.lost = [piece.seen for piece in matched.before if piece.loaded and not _titles(piece, removed)]
        self.gained = [piece.seen for piece in matched.after if piece.loaded and not _titles(piece, added)]
        places = {path: at for at, path in enumerate(order)}
        for seen in (self.omitted, self.back, self.lost, self.gained):
            seen.sort(key=lambda one: (places[one.path], one.line))
        for pairs in (self.changed, self.moved):
            pairs.sort(key=lambda pair: (places[pair.after.path], pair.after.line))
        paired = (one for pair in (*self.changed, *self.moved) for one in pair)
        paths = {seen.path for seen in (*self.gained, *self.lost, *self.omitted, *self.back, *paired)}
        still = (path for path in rewritten if path not in paths)
        self.framing = tuple(f"{path}: blank lines differ, or where the text outside its entries stands" for path in still)

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
        left: dict[str, list[Piece]] = {}
        for piece in reversed(gone):
            left.setdefault(piece.path, []).append(piece)
        for piece in new:
            if not left.get(piece.path):
                self.omitted.append(piece.seen)
                continue
            other = left[piece.path].pop()
            self.notes.append(
                f"{piece.path}:{piece.seen.line}: {piece.seen.heading} is new and omitted,"
                f" as {other.seen.heading} was, which is gone"
            )


def _titles(piece: Piece, files: tuple[str, ...]) -> bool:
    """Whether it is but the title of a file that is said to be added, or removed, as a whole."""
    return not piece.whole and piece.path in files and "\n" not in piece.text and piece.text.startswith("# ")


def _loaded(pack: Pack | None) -> dict[str, PackFile]:
    return {} if pack is None else {file.path: file for file in pack.files if file.disposition == "loaded"}


def _told(file: PackFile | None) -> object:
    """What a pack holds of a file, and leaves out of it."""
    return None if file is None else (file.text, [(unit.heading, unit.tokens) for unit in file.omitted])


def _body(pack: Pack) -> str:
    """The pack's text without the line that it begins with."""
    return pack.text[len(pack.standing.strip()) :]


def _reordered(old: Mapping[str, PackFile], new: Mapping[str, PackFile]) -> tuple[str, ...]:
    places = {path: at for at, path in enumerate(old)}
    pairs = [(at, places[path]) for at, path in enumerate(new) if path in places]
    stay = {at for at, _ in rising(pairs)}
    return tuple(path for at, path in enumerate(new) if path in places and at not in stay)


def _began(old: Pack | None, new: Pack | None) -> tuple[str, ...]:
    """The line that the pack begins with, where settings make it another one: what an agent reads first."""
    if old is None or new is None or old.standing == new.standing:
        return ()
    before, after = (" ".join(pack.standing.split()) for pack in (old, new))
    return (f"it begins with the line {after!r}; before: {before!r}",)


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
    if says != said and set(says) == set(said):
        found.append("what is missing, or noted, comes in another order")
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
    return [
        f"{path}: its budget is {_budget(file)}, before {_budget(before[path])}"
        for path, file in _loaded(new).items()
        if path in before and before[path].budget != file.budget and not (before[path].omitted or file.omitted)
    ]


def _asked(old: Module | None, new: Module | None) -> list[str]:
    """What the index says of a module otherwise now: for which paths it loads by itself."""
    if old is None or new is None or old.paths == new.paths:
        return []
    before, after = (", ".join(module.paths) or "none" for module in (old, new))
    return [f"the paths for which it loads by itself: {after}; before: {before}"]


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
