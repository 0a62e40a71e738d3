"""The lines of what differs: each task with its tokens before and after and how much is another, and the account of one, by
file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from memdesk.core.checks.secrets import mask
from memdesk.core.lean import NamedTuple
from memdesk.tui import text
from memdesk.tui.panes.against_found import Found, key_of
from memdesk.tui.panes.context_rows import Head, short
from memdesk.tui.widgets.lines import Row
from memdesk.tui.widgets.paint import Piece

if TYPE_CHECKING:
    from memdesk.core.packdiff import Difference, RouteChange, Seen

GRAVE = ("bad", "warn")
ROOM = 22  # cells beside a task's name and tokens that what changes takes, with blanks between


class Kind(NamedTuple):
    """How a change of an entry looks: a sign with a role, and the word."""

    sign: str
    role: str
    word: str


KINDS: Mapping[str, Kind] = {  # by the names of Difference
    "gained": Kind("+", "added", "gained"), "lost": Kind("−", "removed", "lost"), "changed": Kind("~", "warn", "changed"),
    "moved": Kind("→", "accent", "moved"), "newly_omitted": Kind("✕", "bad", "now omitted"),
    "no_longer_omitted": Kind("✓", "good", "no longer omitted"),
}


class TaskRow(NamedTuple):
    """A task, or a module. `pad` and `wide`: cells that names take in this list, and tokens before and after."""

    one: Difference
    pad: int
    wide: int

    @property
    def name(self) -> str:
        return self.one.module or self.one.task


class FileRow(NamedTuple):
    """A file in the account. `name` is relative to its store; `words` what became of it as a whole, in few; `route` why it
    loads, where that changed. `here`: it is in the working tree."""

    path: str
    name: str
    words: str
    role: str
    route: RouteChange | None
    here: bool


class EntryRow(NamedTuple):
    """A change of one entry. Of what is gained there is nothing before, of what is lost nothing after. `why`: what stopped one
    that is left out; `here`: where the same text as one that is lost is in the working tree."""

    kind: str
    before: Seen | None
    after: Seen | None
    why: str = ""
    here: tuple[str, int] | None = None

    @property
    def seen(self) -> Seen:
        found = self.after or self.before
        assert found is not None
        return found


class SaidRow(NamedTuple):
    """A line about the pack as a whole: `word` says of what sort."""

    sign: str
    role: str
    word: str
    words: str


def task_rows(differences: Sequence[Difference]) -> list[Row]:
    """All tasks, and the modules that differ, under the store where there are several."""
    rows: list[Row] = []
    stores = list(dict.fromkeys(one.store for one in differences))
    told = [one for one in differences if _told(one)]
    pad = max((text.width(one.module or one.task) for one in told), default=0)
    wide = max((len(_size(one)) for one in told if not one.empty), default=0)
    for store in stores:
        own = [one for one in differences if one.store == store]
        if len(stores) > 1:
            rows.append(Row("", Head(store)))
        rows += [Row(task_key(one), TaskRow(one, pad, wide)) for one in own if not one.module]
        modules = [one for one in own if one.module]
        same = sum(not _told(one) for one in modules)
        if modules:
            words = f"{same} {'is' if same == 1 else 'are'} the same" if same else ""
            rows.append(Row("", Head("Can be asked for", words)))
        rows += [Row(task_key(one), TaskRow(one, pad, wide)) for one in modules if _told(one)]
    return rows


def _size(one: Difference) -> str:
    return f"{one.tokens_before} → {one.tokens_after}"


def task_key(one: Difference) -> str:
    """A difference's identity in the list."""
    return f"{one.store}\n{one.module}\n{one.task}"


def _told(one: Difference) -> bool:
    return not one.module or not one.empty or bool(one.failures)


def counts(one: Difference) -> list[tuple[Kind, int]]:
    """How many entries of each kind differ; kinds of which none does are left out."""
    return [(kind, number) for name, kind in KINDS.items() if (number := len(getattr(one, name)))]


def draw_task(item: object, width: int) -> list[Piece]:
    """A line of the list of tasks."""
    if isinstance(item, Head):
        return [Piece(item.title, "heading"), Piece(f"  {item.words}" if item.words else "", "dim")]
    if not isinstance(item, TaskRow):
        return []
    one = item.one
    if one.failures:
        return [Piece("✕ ", "bad"), Piece(text.fit(item.name, item.pad), "strong"), Piece("  no pack", "bad")]
    tail = [Piece("  ! incomplete", "warn")] if one.incomplete else []
    if one.empty:
        also = "the same" if not one.notes else "the same, see its notes"
        return [Piece("= ", "dim"), Piece(f"{text.fit(item.name, item.pad)}  {one.tokens_after}  {also}", "dim"), *tail]
    roomy = width >= item.pad + item.wide + ROOM
    size = f"  {_size(one).ljust(item.wide)}  " if roomy else f" {one.tokens_before}→{one.tokens_after} "
    pieces = [Piece("≠ ", "accent"), Piece(text.fit(item.name, item.pad), "strong"), Piece(size)]
    for kind, number in counts(one):
        pieces.append(Piece(f"{kind.sign}{number}{' ' if roomy else ''}", kind.role))
    return [*pieces, *tail]


def accounts(found: Found) -> dict[str, list[Row]]:
    """The account of each difference, by its key in the list of tasks."""
    return {} if found.made is None else {task_key(one): account_rows(one, found) for one in found.made.differences}


def account_rows(one: Difference, found: Found) -> list[Row]:
    """The account of a difference: why there is no pack, each file with its entries, then what stays out anyway, and what is
    said of the pack as a whole."""
    said = [Row(f"said:{row.word}:{number}", row) for number, row in enumerate(_said(one))]
    rows = [row for row in said if row.item.role in GRAVE]
    entries: dict[str, list[EntryRow]] = {}
    for row in _entries(one, found):
        entries.setdefault(row.seen.path, []).append(row)
    routes = {route.path: route for route in one.routes}
    loads = {*entries, *one.files_added, *one.files_removed, *one.reordered}
    known: dict[str, int] = {}
    for path in sorted({*loads, *routes}, key=lambda path: (path not in loads, path)):
        rows.append(Row(f"file:{path}", _file(one, path, routes.get(path))))
        for row in sorted(entries.get(path, ()), key=lambda row: row.seen.line):
            key = f"{row.kind}:{path}:{row.seen.id or row.seen.heading}"
            known[key] = known.get(key, 0) + 1
            rows.append(Row(f"{key}:{known[key]}", row))
    return rows + [row for row in said if row.item.role not in GRAVE]


def _said(one: Difference) -> Iterator[SaidRow]:
    for words in one.failures:
        yield SaidRow("✕", "bad", "no pack", mask(words))
    if one.incomplete:
        yield SaidRow("!", "warn", "incomplete", "the pack lacks a file that it needs")
    for words in one.framing:
        yield SaidRow("≠", "accent", "the pack", mask(words))
    for words in one.notes:
        yield SaidRow("·", "dim", "note", mask(words))


def _entries(one: Difference, found: Found) -> Iterator[EntryRow]:
    for kind in KINDS:
        for item in getattr(one, kind):
            if kind in ("changed", "moved"):
                yield EntryRow(kind, item.before, item.after)
            elif kind == "lost":
                yield EntryRow(kind, item, None, here=found.here.get(item.text))
            else:
                yield EntryRow(kind, None, item, found.why.get(key_of(one, item), ""))


def _file(one: Difference, path: str, route: RouteChange | None) -> FileRow:
    words, role = "", ""
    if path in one.files_added:
        words, role = "loads now", "added"
    elif path in one.files_removed:
        words, role = "no longer loads", "removed"
    elif path in one.reordered:
        words, role = "at another place", "accent"
    elif route is not None and route.before is None:
        words, role = "is new, and stays out", "dim"
    elif route is not None and route.after is None:
        words, role = "is gone", "dim"
    elif route is not None:
        words, role = "for another reason", "dim"
    here = not (path in one.files_removed and (route is None or route.after is None)) and not (route and route.after is None)
    return FileRow(path, short(path, one.store), words, role, route, here)


def draw_account(item: object, width: int) -> list[Piece]:
    """A line of the account."""
    if isinstance(item, FileRow):
        return [Piece(item.name, "strong"), Piece(f"  {item.words}" if item.words else "", item.role)]
    if isinstance(item, SaidRow):
        return [Piece(f"{item.sign} ", item.role), Piece(f"{item.word} · ", item.role), Piece(text.line(item.words))]
    if not isinstance(item, EntryRow):
        return []
    kind = KINDS[item.kind]
    tail = f" {kind.word}"
    size = f" {tokens(item)}"
    room = max(width - 4 - text.width(tail) - len(size), 1)
    return [
        Piece("  "), Piece(f"{kind.sign} ", kind.role), Piece(text.fit(title(item.seen), room)), Piece(tail, kind.role),
        Piece(size, "dim"),
    ]


def title(seen: Seen) -> str:
    """What an entry goes by in a list."""
    return text.line(seen.heading) if seen.whole else f"{text.line(seen.heading)} (outside the entries)"


def tokens(item: EntryRow) -> str:
    """The tokens of an entry, of a changed one before and after."""
    if item.before is not None and item.after is not None and item.before.tokens != item.after.tokens:
        return f"{item.before.tokens}→{item.after.tokens}"
    return str(item.seen.tokens)


def place(seen: Seen) -> str:
    """PATH:LINE."""
    return f"{seen.path}:{seen.line}"


def explained(item: object, base: str) -> str:
    """A line of either list in full words. `base`: what people call what is compared with."""
    if isinstance(item, TaskRow):
        one = item.one
        if one.failures:
            return f"{item.name} · no pack: {'; '.join(one.failures)}"
        found = ", ".join(f"{number} {kind.word}" for kind, number in counts(one))
        same = "an agent reads the same as at " + base if one.empty else "no entry differs: see what the pack says"
        by = one.tokens_after - one.tokens_before
        size = f"{one.tokens_before} → {one.tokens_after} tokens ({by:+d})" if by else f"{one.tokens_after} tokens"
        return f"{item.name} · {size}: {found or same}.{' The pack is incomplete.' if one.incomplete else ''}"
    if isinstance(item, FileRow):
        return f"{item.name} · {item.words or 'loads, as before'}{_routed(item.route)}"
    if isinstance(item, EntryRow):
        return f"{where(item, base)} · {KINDS[item.kind].word} · {tokens(item)} tokens{f': {item.why}' if item.why else ''}."
    return f"{item.word} · {item.words}" if isinstance(item, SaidRow) else ""


def _routed(route: RouteChange | None) -> str:
    if route is None:
        return "."
    before, after = (reason or "there is no such file" for reason in (route.before, route.after))
    return f": {after}; before: {before}."


def where(item: EntryRow, base: str) -> str:
    """Where the entry is: on both sides, where these differ; of what is lost with the side that has it."""
    if item.after is None:
        return f"{place(item.seen)} in {base}"
    before, after = item.before, item.after
    if before is None or place(before) == place(after):
        return place(after)
    return f"{place(before)} → {after.line if before.path == after.path else place(after)}"


def haystack(item: object) -> str:
    """What a filter looks in."""
    if isinstance(item, TaskRow):
        words = "the same" if item.one.empty else " ".join(kind.word for kind, _ in counts(item.one))
        return f"{item.name} {words}".lower()
    if isinstance(item, EntryRow):
        texts = "\n".join(seen.text for seen in (item.before, item.after) if seen is not None)
        return f"{texts}\n{item.seen.path} {KINDS[item.kind].word}".lower()
    return explained(item, "").lower()
