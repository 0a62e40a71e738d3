"""The end of a prune session: what it came to, and the verb `session`, which writes that down.

A line in the changelog or log of each store that keeps one and in which something was decided, and an entry in the tracked
file of sessions, whose newest date is what `--check` goes by.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from datetime import date
from typing import TYPE_CHECKING

from memdesk.core.errors import Refused
from memdesk.core.lean import NamedTuple
from memdesk.core.plan import Plan, Request
from memdesk.core.prune.session import ACCEPTED, REJECTED, SNOOZED, Session, Verdict

if TYPE_CHECKING:
    from memdesk.core.model import Workspace

_LINE = "line "  # what a word begins with, before the name of the store whose changelog or log it is for
_COUNTS = ("accepted", "rejected", "snoozed", "left", "freed")


class Ending(NamedTuple):
    """What a session came to. `began` and `ended`: days; `left`: proposals that nobody decided; `frees`: path -> tokens freed,
    below 0 for a file that grew."""

    session: str
    began: str
    ended: str
    accepted: tuple[Verdict, ...]
    rejected: tuple[Verdict, ...]
    snoozed: tuple[Verdict, ...]
    left: int
    frees: Mapping[str, int]

    @property
    def freed(self) -> int:
        """Tokens freed in all."""
        return sum(self.frees.values())

    @property
    def verdicts(self) -> tuple[Verdict, ...]:
        return (*self.accepted, *self.rejected, *self.snoozed)


def ending(session: Session, left: int, today: date) -> Ending:
    """What a session has come to so far."""
    began = session.begun[:10] or today.isoformat()
    of = session.of
    return Ending(session.id, began, today.isoformat(), of(ACCEPTED), of(REJECTED), of(SNOOZED), left, session.frees)


def request(workspace: Workspace, done: Ending) -> Request:
    """The request that ends a session. Its ids are the session's and those of the proposals that it counts; its words: how many
    were accepted, rejected, snoozed and left, the tokens freed, and a line for each store in which something was decided."""
    words = {
        "accepted": len(done.accepted), "rejected": len(done.rejected), "snoozed": len(done.snoozed), "left": done.left,
        "freed": done.freed,
    }
    lines = {_LINE + name: _line(workspace, done, name) for name in dict.fromkeys(one.store for one in done.verdicts)}
    ids = (done.session, *(verdict.proposal for verdict in done.verdicts))
    return Request("session", ids, {name: str(count) for name, count in words.items()} | lines, person=True)


def plan(workspace: Workspace, request: Request, words: Mapping[str, str], today: date) -> Plan:
    """The lines and the entry. `words` besides those of `request`: by, who ends it. Raises Refused (no counts; a log that can't
    be written to), StoreError (a file of sessions that can't be read or added to)."""
    from memdesk.core import layouts, tracked
    from memdesk.core.checks.secrets import mask
    from memdesk.core.draft import Draft
    from memdesk.core.prune import sessions
    from memdesk.core.verify import verify

    if not request.ids or any(not words.get(name, "").lstrip("-").isdigit() for name in _COUNTS):
        raise Refused("A session is ended with what it came to.", remedy="Ask for its report first.")
    counts = {name: int(words[name]) for name in _COUNTS}
    draft = Draft(workspace)
    for store in workspace.stores:
        line = words.get(_LINE + workspace.store_name(store))
        if line and not store.read_only:
            layouts.get(store.layout).note(draft, store, [mask(line)], today, request.at)
    changed = {path: verify(work) for path, work in draft.works.items() if work.changed}
    before = tracked.data(workspace.tree, sessions.PATH)
    by = words.get("by", "").strip() or "unknown"
    held = {name: counts[name] for name in ("accepted", "rejected", "snoozed", "freed")}
    after = sessions.appended(before, sessions.Ended(today, by, **held))
    said = said_of(**counts)
    return Plan(
        request, f"Ended a prune session: {said}.", f"End the session: {said}",
        (*draft.steps(), *tracked.steps(workspace.tree, sessions.PATH, before, after)), draft.bound(),
        log_only=frozenset(path for path, verified in changed.items() if verified.document.place.tier == "log"),
    )


def said_of(accepted: int, rejected: int, snoozed: int, freed: int, left: int | None = None) -> str:
    """The counts on a line: `3 accepted, 1 rejected, 2 snoozed, 4 left; 512 tokens freed`."""
    rest = "" if left is None else f", {left} left"
    return f"{accepted} accepted, {rejected} rejected, {snoozed} snoozed{rest}; {freed_words(freed)}"


def freed_words(freed: int) -> str:
    """A number of tokens freed, as people read it."""
    tokens = f"{abs(freed)} token{'' if abs(freed) == 1 else 's'}"
    return f"{tokens} freed" if freed >= 0 else f"{tokens} more than before"


def _line(workspace: Workspace, done: Ending, store: str) -> str:
    """What a session came to in one store."""
    accepted, rejected, snoozed = (
        sum(one.store == store for one in some) for some in (done.accepted, done.rejected, done.snoozed)
    )
    own: Counter[str] = Counter()
    for verdict in done.accepted:
        for path, freed in verdict.frees.items():
            document = workspace.documents.get(path)  # None: the whole file went
            if store == (verdict.store if document is None else workspace.store_name(document.store)):
                own[path if document is None else document.store.named(path)] += freed
    where = ", ".join(f"{name} {freed}" for name, freed in sorted(own.items()) if freed)
    files = f" ({where})" if len(own) > 1 else ""
    return f"Prune session: {said_of(accepted, rejected, snoozed, sum(own.values()))}{files}."
