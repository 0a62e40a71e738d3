"""What was superseded and still stands as if it held: an older version of one thing, an entry that another one supersedes by
name, one that says itself what came in its place."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from memdesk.core import conflicts, fields, layouts, strikes
from memdesk.core.plan import Request
from memdesk.core.prune.look import Look, made, name, place, spot

if TYPE_CHECKING:
    from memdesk.core.layouts.base import Version
    from memdesk.core.model import Entry, Store
    from memdesk.core.prune.proposal import Proposal

KIND = "superseded"


def superseded(look: Look) -> Iterator[Proposal]:
    """What structure and dates say is older. Of versions without a date, or of one date, a person has to say which holds: that
    is a conflict. What was dismissed as one is left alone."""
    documents = [document for document in look.spoken(KIND) if document.data]
    seen: set[Entry] = set()
    for clash in conflicts.versions(documents):
        if clash.exact and not look.dismissed(clash):
            for proposal in _versions(look, clash.sides):
                seen.update(proposal.entries[: proposal.changes])
                yield proposal
    for store in look.stores:
        own = [document for document in conflicts.readable(look.of(store)) if "strike" in layouts.get(store.layout).verbs]
        groups: dict[Entry, list[Entry]] = {}
        for clash in conflicts.same_title(own, look.titles):
            first, other = clash.entries
            if clash.exact and not look.dismissed(clash):
                groups.setdefault(first, [first]).append(other)
        for several in groups.values():
            for proposal in _titled(look, [entry for entry in several if entry not in seen]):
                seen.update(proposal.entries[: proposal.changes])
                yield proposal
        yield from _named(look, store, seen)


def _versions(look: Look, sides: Sequence[Version]) -> Iterator[Proposal]:
    dated = [(fields.newest_date(side.text) or side.entry.date or "", side) for side in sides]
    newest = _newest([day for day, _ in dated])
    if newest is None:
        return
    holds = next(side for day, side in dated if day == newest)
    older = [side for day, side in dated if day != newest]
    evidence = [f"{place(holds.entry, holds.line)}, of {newest}, is the newest version, and stays."]
    for day, side in dated:
        if day != newest:
            evidence.append(f"{place(side.entry, side.line)}, of {day}, is older and isn't struck.")
    whole = all(side.line == side.entry.line and side.entry.kind != "body" for side in older)
    entries = list(dict.fromkeys(side.entry for side in older))
    if whole and holds.entry not in entries and len(entries) == len(older):
        yield from _struck(look, entries, holds.entry, newest, evidence)
    elif len(entries) == 1:
        entry = entries[0]
        text = _with_struck_lines(entry, [side.line - entry.line for side in older], look.today.isoformat())
        if text and layouts.get(entry.layout).mends(entry):
            request = Request("edit", (entry.id,), {"text": text, "change": "wording"})
            beside = [] if holds.entry is entry else [holds.entry]
            yield made(KIND, [entry], beside, request, "", evidence)


def _titled(look: Look, several: list[Entry]) -> Iterator[Proposal]:
    newest = _newest([entry.date or "" for entry in several])
    if newest is None:
        return
    holds = next(entry for entry in several if entry.date == newest)
    older = [entry for entry in several if entry is not holds]
    evidence = [f"{spot(holds)}, of {newest}, has the same title in the same scope, and stays."]
    evidence += [f"{place(entry)}, of {entry.date}, is older and isn't struck." for entry in older]
    yield from _struck(look, older, holds, newest, evidence)


def _named(look: Look, store: Store, seen: set[Entry]) -> Iterator[Proposal]:
    """Entries that a current one supersedes by its relations, or that name what came in their place themselves."""
    current = [
        entry for document in conflicts.readable(look.of(store)) for entry in document.entries
        if not (entry.struck or entry.candidate) and entry.kind in ("section", "bullet")
    ]
    if not any(entry.relations for entry in current):
        return
    known: dict[str, list[Entry]] = {}
    for entry in current:
        for key in {entry.fields.get("id", ""), conflicts.title_key(entry, look.titles)} - {""}:
            known.setdefault(key, []).append(entry)
    for entry in current:
        for kind, target in entry.relations:
            found = known.get(target.strip("`\"“”. ")) or known.get(fields.normal_title(target), [])
            others = [one for one in found if one is not entry]
            old, new = (others[0] if len(others) == 1 else None, entry) if kind == "supersedes" else (entry, None)
            if kind not in ("supersedes", "superseded-by") or old is None or old in seen:
                continue
            if new is None:
                new = others[0] if len(others) == 1 else None
                evidence = [f"{spot(entry)} says itself that it was superseded, and isn't struck."]
                evidence += [f"{spot(new)} came in its place."] if new is not None else []
            else:
                evidence = [f"{spot(new)} says that it supersedes {place(old)}, which isn't struck."]
            seen.add(old)
            yield from _struck(look, [old], new, "", evidence)


def _struck(look: Look, older: list[Entry], holds: Entry | None, day: str, evidence: list[str]) -> Iterator[Proposal]:
    able = [entry for entry in older if layouts.get(entry.layout).leaves(entry) and entry.kind in ("bullet", "section")]
    if not able:
        return
    store = able[0].document.store
    since = f" of {day}" if day else ""
    reason = "superseded" if holds is None else f'superseded by "{name(holds)}"{since} in {store.named(holds.path)}'
    beside = [] if holds is None else [holds]
    by_verb: dict[str, list[Entry]] = {}
    for entry in able:
        by_verb.setdefault(layouts.get(entry.layout).ends(look.workspace, entry, holds), []).append(entry)
    for verb, going in by_verb.items():
        yield from look.propose(KIND, going, evidence, beside=beside, title=name(going[0]), reason=reason, verb=verb)


def _newest(days: Sequence[str]) -> str | None:
    """The newest of several days, where each is known and it is the only one of its kind."""
    if len(days) < 2 or "" in days:
        return None
    newest = max(days)
    return newest if days.count(newest) == 1 else None


def _with_struck_lines(entry: Entry, rows: list[int], day: str) -> str:
    """An entry's text with these of its lines struck, marker and indentation outside; "" where one can't be struck."""
    lines = entry.text.split("\n")
    for row in rows:
        if not 0 <= row < len(lines):
            return ""
        line = lines[row]
        marker = _marker(line)
        said = line[len(marker) :].rstrip()
        if not said or "~~" in said or strikes.struck_span(f"~~{said}~~ superseded {day}") is None:
            return ""
        lines[row] = f"{marker}~~{said}~~ superseded {day}"
    return "\n".join(lines)


def _marker(line: str) -> str:
    import re

    match = re.match(r"[ \t]*(?:(?:[-*+]|[0-9]{1,9}[.)])[ \t]+)?", line)
    return match[0] if match else ""
