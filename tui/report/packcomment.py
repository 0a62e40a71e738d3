"""What packs gain and lose, as Markdown for a pull request: a short table of the tasks first, what changes folded below it.
Memory text stands in code; values are masked; what doesn't fit into a comment is left out whole, and counted."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from memdesk.core.checks.secrets import mask
from memdesk.core.lean import NamedTuple
from memdesk.tui.report import packdiff
from memdesk.tui.report.comment import LONGEST, cell, code, fenced, html
from memdesk.tui.report.packdiff import SIGNS, Told

if TYPE_CHECKING:
    from memdesk.core.against import Against
    from memdesk.core.packdiff import Difference

TABLE = 25_000  # characters of the table: a repository may have any number of stores and modules
FAILED = 5_000  # and of what is said above it
_LEAST = 40  # characters that the lines of a changed entry take at least
_TAIL = 300  # characters that are kept for what is said of what was left out


class _Part(NamedTuple):
    """Rows under a summary that fold together, and the changed entries whose lines may follow them."""

    summary: str
    rows: Sequence[tuple[str, Told | None]]


def markdown(made: Against) -> str:
    """The comment, of at most LONGEST characters."""
    head = "\n\n".join(_head(made))
    parts = [part for store, several in packdiff.by_store(made.differences).items() for part in _parts(store, several)]
    room = LONGEST - len(head) - _TAIL - sum(len(part.summary) + 60 for part in parts)
    chosen, left, folded = _fitting(parts, room)
    below = [
        "\n\n".join([f"<details><summary>{part.summary}</summary>", "\n".join(rows), "</details>"])
        for part, rows in zip(parts, chosen, strict=True) if rows
    ]
    if left or folded:
        gone = [_count(left, "change", "changes")] if left else []
        gone += [f"the lines of {_count(folded, 'change', 'changes')}"] if folded else []
        below.append(f"Left out, so that this fits into a comment: {' and '.join(gone)}. `memdesk pack --base` prints all.")
    return "\n\n".join([head, *below]) + "\n"


def _head(made: Against) -> Iterator[str]:
    yield "### Memory: what every task's pack gains and loses"
    after = "the working tree" if made.head is None else _rev(made.head, made.head_commit)
    tasks = [one for one in made.differences if not one.module]
    differ = sum(not one.empty for one in tasks)
    modules = sum(not one.empty for one in made.differences if one.module)
    says = f"{differ} of {_count(len(tasks), 'task', 'tasks')} read otherwise" if differ else "no task reads otherwise"
    more = f", and {_count(modules, 'module', 'modules')} that can be asked for" if modules else ""
    yield f"{_rev(made.base, made.base_commit)} → {after}: {says}{more}."
    said = [f"> **Not packed**: {code(mask(failure))}" for failure in made.failures]
    yield from _within([*said, *(f"> **Note**: {code(warning)}" for warning in made.warnings)], FAILED)
    stores = packdiff.by_store(made.differences)
    still = [store for store, several in stores.items() if len(stores) > 1 and packdiff.same(several)]
    rows = [
        _row(one, store if len(stores) > 1 else "")
        for store, several in stores.items() if store not in still for one in packdiff.shown(several)
    ]
    titles = [*(["store"] if len(stores) > 1 else []), "task", "tokens", *SIGNS.values()]
    table = ["| " + " | ".join(titles) + " |", "| " + " | ".join([*["---"] * (len(titles) - 6), *["---:"] * 6]) + " |"]
    if rows:
        yield "\n".join([*table, *_within(rows, TABLE)])
    if still:
        listed = [f"- {code(store)}: {packdiff.SAME} ({packdiff.how_many(stores[store])})" for store in still]
        yield "\n".join(_within(listed, FAILED))


def _within(rows: Sequence[str], room: int) -> list[str]:
    """The rows that there is room for, and how many are left out."""
    kept: list[str] = []
    for row in rows:
        room -= len(row) + 2
        if room < 0:
            return [*kept, f"\n{_count(len(rows) - len(kept), 'line', 'lines')} left out."]
        kept.append(row)
    return kept


def _rev(name: str, commit: str | None) -> str:
    return code(name) if commit is None or commit.startswith(name) else f"{code(name)} ({commit[:9]})"


def _row(one: Difference, store: str) -> str:
    mark = " (incomplete)" if one.incomplete else " (not packed)" if one.failures else ""
    cells = [f"{cell(one.module or one.task)}{mark}", packdiff.tokens(one), *packdiff.counts(one)]
    return "| " + " | ".join([cell(store), *cells] if store else cells) + " |"


def _parts(store: str, several: Sequence[Difference]) -> Iterator[_Part]:
    """What changes, by its kind."""
    told = packdiff.told_of(several)
    for kind, sign in SIGNS.items():
        rows = [(_entry(one), one if kind == "changed" else None) for one in told if one.kind == kind]
        if rows:
            yield _Part(f"{sign} ({len(rows)}) in {html(store)}", rows)
    said = [(f"- {code(one.words)}: {_for(one.tasks)}", None) for one in packdiff.said_of(several)]
    if said:
        yield _Part(f"files, budgets and notes ({len(said)}) in {html(store)}", said)


def _entry(one: Told) -> str:
    where = code(packdiff.place(one.seen))
    if one.before is not None and one.after is not None and packdiff.place(one.before) != packdiff.place(one.after):
        where = f"{code(packdiff.place(one.before))} → {where}"
    return f"- {where} {code(packdiff.title(one.seen))}, {packdiff.size(one)}: {_for(one.tasks)}"


def _for(tasks: Sequence[str]) -> str:
    return packdiff.named([code(task) for task in tasks])


def _lines(one: Told) -> str:
    """The lines that differ, as part of the item of a list."""
    rows = packdiff.diff(one, masked=True)
    if not rows:
        return "  Only masked values differ."
    return "\n".join(f"  {row}" if row else "" for row in fenced(rows, "diff").split("\n"))


def _fitting(parts: Sequence[_Part], room: int) -> tuple[list[list[str]], int, int]:
    """The rows of each part as far as there is room: the short ones of all first, then their lines. How many rows are left out,
    and the lines of how many."""
    chosen: list[list[str]] = [[] for _ in parts]
    left = folded = 0
    for rows, part in zip(chosen, parts, strict=True):
        for short, _ in part.rows:
            if len(short) + 1 > room:
                left += 1
                continue
            room -= len(short) + 1
            rows.append(short)
    for rows, part in zip(chosen, parts, strict=True):
        lines = dict(part.rows)
        for at, short in enumerate(rows):
            told = lines[short]
            if told is None:
                continue
            more = _lines(told) if room > _LEAST else ""
            if len(more) + 1 > room or not more:
                folded += 1
                continue
            room -= len(more) + 1
            rows[at] = f"{short}\n{more}"
    return chosen, left, folded


def _count(number: int, one: str, several: str) -> str:
    return f"{number} {one if number == 1 else several}"
