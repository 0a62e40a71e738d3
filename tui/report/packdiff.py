"""What packs gain and lose, as CLI.md's JSON, as text for a reviewer, and as Markdown for a pull request. Each change is told
once, with the tasks that it is a change for: one entry loads for several."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from memdesk.core.checks.secrets import mask
from memdesk.core.diff import unified
from memdesk.core.lean import NamedTuple
from memdesk.tui.inert import cell, inert

if TYPE_CHECKING:
    from memdesk.core.against import Against
    from memdesk.core.packdiff import Difference, Seen

SIGNS = {
    "gained": "gained", "lost": "lost", "changed": "changed", "moved": "moved", "newly_omitted": "now omitted",
    "no_longer_omitted": "no longer omitted",
}
SAME = "the same"
OTHERWISE = "see below"
MOST = 12  # tasks and modules that one change is listed with by name


class Told(NamedTuple):
    """One change of an entry, and the tasks and modules for which it is one. `kind`: a key of SIGNS; of what is gained or back
    there is nothing before, of what is lost nothing after."""

    kind: str
    before: Seen | None
    after: Seen | None
    tasks: tuple[str, ...]

    @property
    def seen(self) -> Seen:
        """Where to look for it."""
        found = self.after or self.before
        assert found is not None
        return found


class Said(NamedTuple):
    """One line about a pack as a whole, and the tasks and modules for which it holds."""

    words: str
    tasks: tuple[str, ...]


def as_json(made: Against) -> dict[str, Any]:
    """`memdesk.packdiff/1`. Beyond the contract: the commits, the modules, and of each what is moved or comes in another order,
    why files load, what the pack says otherwise beside its entries, what no agent reads, and what could not be packed."""
    return {
        "schema": "memdesk.packdiff/1", "base": made.base, "head": made.head, "base_commit": made.base_commit,
        "head_commit": made.head_commit,
        "tasks": [{"task": one.task, **_json(one)} for one in made.differences if not one.module],
        "modules": [{"module": one.module, **_json(one)} for one in made.differences if one.module],
        "failures": list(made.failures), "warnings": warnings(made),
    }


def _json(one: Difference) -> dict[str, Any]:
    found: dict[str, Any] = {"store": one.store, "tokens_before": one.tokens_before, "tokens_after": one.tokens_after}
    for name in ("gained", "lost", "newly_omitted", "no_longer_omitted"):
        found[name] = [_entry(seen) for seen in getattr(one, name)]
    for name in ("changed", "moved"):
        found[name] = [{"before": _entry(pair.before), "after": _entry(pair.after)} for pair in getattr(one, name)]
    for name in ("files_added", "files_removed", "reordered", "framing", "notes", "failures"):
        found[name] = [mask(text) for text in getattr(one, name)]
    found["routes"] = [
        {"path": route.path, "before": _masked(route.before), "after": _masked(route.after)} for route in one.routes
    ]
    return found | {"same": one.empty, "incomplete": one.incomplete}


def _masked(reason: str | None) -> str | None:
    return None if reason is None else mask(reason)


def _entry(seen: Seen) -> dict[str, Any]:
    return {
        "path": seen.path, "line": seen.line, "heading": mask(seen.heading), "tokens": seen.tokens, "id": seen.id or None,
    }


def markdown(made: Against) -> str:
    """See `packcomment`."""
    from memdesk.tui.report.packcomment import markdown

    return markdown(made)


def warnings(made: Against) -> list[str]:
    """What to know before the differences are believed, and how to ask for this work alone."""
    alone = f" For this work alone: --base $(git merge-base {made.base} HEAD)." if made.gone_on else ""
    return [words + alone for words in made.warnings]


def text(made: Against) -> str:
    """The tasks in a table, then each change with where it is, and for what is changed its lines, behind a bar that no text can
    pass for a line of our own."""
    parts = [f"{cell(made.base)} -> {cell(made.head or 'the working tree')}"]
    stores = by_store(made.differences)
    for store, several in stores.items():
        if len(stores) > 1 and same(several):
            parts.append(f"{cell(store)}: {SAME} ({how_many(several)})")
            continue
        parts.append("\n".join(([f"{cell(store)}:"] if len(stores) > 1 else []) + _table(several)))
        told = [row for one in told_of(several) for row in _rows(one)]
        said = [f"{one.words}  ({named(one.tasks)})" for one in said_of(several)]
        parts += ["\n".join(rows) for rows in (told, said) if rows]
    return "\n\n".join(parts)


def _table(several: Sequence[Difference]) -> list[str]:
    rows = [("task", "tokens", *SIGNS.values())]
    rows += [(one.module or one.task, tokens(one), *counts(one)) for one in shown(several)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines = ["  ".join(part.ljust(width) for part, width in zip(row, widths, strict=True)).rstrip() for row in rows]
    hidden = len(several) - len(rows) + 1
    return lines + ([f"{hidden} modules are the same"] if hidden > 1 else ["1 module is the same"] if hidden else [])


def _rows(one: Told) -> Iterator[str]:
    where = cell(place(one.seen))
    if one.before is not None and one.after is not None and place(one.before) != where:
        where = f"{cell(place(one.before))} -> {where}"
    yield f"{SIGNS[one.kind]}  {where}  {cell(title(one.seen))}  {size(one)}  ({named(one.tasks)})"
    if one.kind == "changed":
        yield from (f"    │ {row}".rstrip() for row in inert(diff(one)).rstrip("\n").split("\n"))


def by_store(differences: Sequence[Difference]) -> dict[str, list[Difference]]:
    """The differences by the store that they are of, in their order."""
    found: dict[str, list[Difference]] = {}
    for one in differences:
        found.setdefault(one.store, []).append(one)
    return found


def counts(one: Difference) -> tuple[str, ...]:
    """How many entries of each kind differ, for a row of the table; words, where none does."""
    found = [len(getattr(one, name)) for name in SIGNS]
    if any(found):
        return tuple(str(number or "") for number in found)
    return (SAME if one.empty else OTHERWISE, *[""] * (len(found) - 1))


def same(several: Sequence[Difference]) -> bool:
    """Whether there is nothing to say of a store."""
    return all(one.empty and not one.incomplete for one in several) and not said_of(several)


def how_many(several: Sequence[Difference]) -> str:
    """The tasks and modules of a store, in words."""
    modules = sum(bool(one.module) for one in several)
    counts = [(len(several) - modules, "task"), (modules, "module")]
    return ", ".join(f"{number} {word}{'' if number == 1 else 's'}" for number, word in counts if number)


def shown(several: Sequence[Difference]) -> list[Difference]:
    """All tasks, and the modules that differ."""
    return [one for one in several if not one.module or not one.empty or one.failures]


def told_of(several: Sequence[Difference]) -> list[Told]:
    """Each change of an entry once, by kind."""
    found: dict[tuple[str, Seen | None, Seen | None], list[str]] = {}
    for kind in SIGNS:
        for one in several:
            for item in getattr(one, kind):
                before, after = (item.before, item.after) if kind in ("changed", "moved") else (None, item)
                if kind == "lost":
                    before, after = after, None
                found.setdefault((kind, before, after), []).append(one.module or one.task)
    return [Told(*key, tuple(tasks)) for key, tasks in found.items()]


def said_of(several: Sequence[Difference]) -> list[Said]:
    """Each change of a pack as a whole once: files that load now or no longer, what it says of itself, notes, failures."""
    found: dict[str, list[str]] = {}
    for one in several:
        for words in _sayings(one):
            found.setdefault(words, []).append(one.module or one.task)
    return [Said(words, tuple(tasks)) for words, tasks in found.items()]


def _sayings(one: Difference) -> Iterator[str]:
    routes = {route.path: route for route in one.routes}
    for path in one.files_added:
        yield _line(f"loads now: {path}")
    for path in one.files_removed:
        why = f" ({_why(routes[path].after)})" if path in routes else ""
        yield _line(f"no longer loads: {path}{why}")
    for path, before, after in one.routes:
        if before and after and before.startswith("loads") and after.startswith("loads"):
            yield _line(f"loads for another reason: {path} ({_why(after)}; before: {_why(before)})")
    yield from (_line(f"loads at another place: {path}") for path in one.reordered)
    yield from (_line(f"the pack says otherwise: {words}") for words in one.framing)
    yield from (_line(f"note: {words}") for words in one.notes)
    yield from (_line(f"no pack: {words}") for words in one.failures)
    if one.incomplete:
        yield "the pack is incomplete"


def _why(reason: str | None) -> str:
    return "there is no such file" if reason is None else reason.partition(": ")[2]


def _line(words: str) -> str:
    return cell(mask(words))


def named(tasks: Sequence[str]) -> str:
    """The tasks in a row, as far as they are worth a reader's while."""
    more = len(tasks) - MOST
    return ", ".join(tasks) if more <= 0 else f"{', '.join(tasks[:MOST])} and {more} more"


def tokens(one: Difference) -> str:
    """What the pack costs, before and after."""
    by = one.tokens_after - one.tokens_before
    return f"{one.tokens_before} -> {one.tokens_after} ({by:+d})" if by else str(one.tokens_after)


def size(one: Told) -> str:
    """The tokens of an entry, of a changed one before and after."""
    if one.kind == "changed" and one.before is not None and one.before.tokens != one.seen.tokens:
        return f"{one.before.tokens} -> {one.seen.tokens} tokens"
    return f"{one.seen.tokens} {'token' if one.seen.tokens == 1 else 'tokens'}"


def place(seen: Seen) -> str:
    """PATH:LINE."""
    return f"{seen.path}:{seen.line}"


def title(seen: Seen) -> str:
    """What an entry goes by in a list."""
    return mask(seen.heading) if seen.whole else f"{mask(seen.heading)} (text outside the entries)"


def diff(one: Told, *, masked: bool = False) -> str:
    """The lines of a changed entry that differ, with what is around them; "" where only masked values do."""
    assert one.before is not None
    assert one.after is not None
    before, after = (mask(seen.text) if masked else seen.text for seen in (one.before, one.after))
    rows = unified("x", _bytes(before), _bytes(after)).split("\n")[2:]
    return "\n".join(row for row in rows if not row.startswith("@@"))


def _bytes(value: str) -> bytes:
    return f"{value}\n".encode("utf-8", "surrogateescape")
