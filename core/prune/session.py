"""A prune session: what a person decided so far about the proposals, kept until the session is ended, over restarts.

It is personal state. What was accepted is in the files and the history, what was rejected in the judgments; without the
session's own file only what was snoozed comes back, and the report begins anew.

A verdict that makes a transaction is written down before it, and counts once the history has the transaction: no instant
at which a program can be killed lies between the two. Each verdict has a key of its own, so that two terminals add to one
session. All functions here are pure: from the fields of the state's file to fields.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from memdesk.core.lean import NamedTuple

if TYPE_CHECKING:
    from memdesk.core.transaction import Effect

FILE = "pruning.json"  # in the state folder
VERBS = frozenset({"prune", "refuse", "session"})  # of the transactions that sessions are about
ACCEPTED, REJECTED, SNOOZED = "accepted", "rejected", "snoozed"


class Verdict(NamedTuple):
    """What was decided about one proposal. `said`: "accepted", "rejected" or "snoozed"; `store`: `Workspace.store_name`.

    `title`: as the proposal's, values masked. `transaction`: what carried it out. `until`: the day on which a snoozed one
    comes back, "" where only another text brings it back. `frees`: path -> tokens freed, logs aside, and `taken`: store -> live
    entries that went, by the whole transaction; of several that were accepted together the first has them.
    """

    proposal: str
    kind: str
    said: str
    title: str
    store: str
    transaction: str = ""
    until: str = ""
    frees: Mapping[str, int] = {}
    taken: Mapping[str, int] = {}


class Session(NamedTuple):
    """The session that is open; one in which nothing was decided yet has no `id` and has not `begun` (a UTC stamp).

    `live`: store -> its live entries when it began. `verdicts`: those in effect, in the order in which they were given.
    `snoozed`: proposal id -> the day (or "") of every snooze that holds today, those of earlier sessions too.
    """

    id: str = ""
    begun: str = ""
    live: Mapping[str, int] = {}
    verdicts: tuple[Verdict, ...] = ()
    snoozed: Mapping[str, str] = {}

    def of(self, said: str) -> tuple[Verdict, ...]:
        """The verdicts of one kind."""
        return tuple(verdict for verdict in self.verdicts if verdict.said == said)

    def verdict(self, proposal: str) -> Verdict | None:
        """What was decided about a proposal, by its id."""
        return next((verdict for verdict in self.verdicts if verdict.proposal == proposal), None)

    @property
    def frees(self) -> dict[str, int]:
        """Path -> tokens freed so far, by path."""
        found: Counter[str] = Counter()
        for verdict in self.verdicts:
            found.update(verdict.frees)
        return {path: found[path] for path in sorted(found) if found[path]}

    @property
    def taken(self) -> dict[str, int]:
        """Store -> live entries that went so far."""
        found: Counter[str] = Counter()
        for verdict in self.verdicts:
            found.update(verdict.taken)
        return dict(found)


def held(fields: Mapping[str, str], effects: Sequence[Effect], today: str) -> Session:
    """The session that the state's fields tell of. `effects`: the transactions of `VERBS`, newest first; `today`: YYYY-MM-DD.
    """
    ends = [one for one in effects if one.verb == "session" and one.holds]
    undone = {one.id for one in effects if one.verb == "session" and not one.holds}
    begun = _read(fields.get(_SESSION, ""))
    if _ended(begun, undone) or any(begun.get("id", "") in one.ids for one in ends):
        begun = {}  # where the end wasn't noted, the program was killed before
    numbered = []
    for key, value in fields.items():
        record = _read(value)
        verdict = _verdict(key.removeprefix(_VERDICT), record, effects, today) if key.startswith(_VERDICT) else None
        if verdict is not None and not _ended(record, undone) and not _counted(verdict, record, ends):
            numbered.append((_number(record), verdict))
    asleep = {key.removeprefix(_SNOOZE): until for key, until in fields.items() if key.startswith(_SNOOZE)}
    return Session(
        str(begun.get("id", "")), str(begun.get("begun", "")), _numbers(begun.get("live")),
        tuple(verdict for _, verdict in sorted(numbered, key=lambda one: one[0])),
        {ident: until for ident, until in asleep.items() if not until or until > today},
    )


def begun(fields: Mapping[str, str], session: Session) -> dict[str, str]:
    """The fields with this session as the one that is open."""
    value = {"id": session.id, "begun": session.begun, "live": dict(session.live)}
    return {**fields, _SESSION: _written(value)}


def given(fields: Mapping[str, str], verdicts: Iterable[Verdict], since: str) -> dict[str, str]:
    """The fields with these verdicts. Those without a transaction count once the history has it; `since`: the id of the newest
    that it has now."""
    found = dict(fields)
    number = max((_number(_read(value)) for key, value in fields.items() if key.startswith(_VERDICT)), default=0)
    for count, verdict in enumerate(verdicts, number + 1):
        found[_VERDICT + verdict.proposal] = _written({**verdict._asdict(), "since": since, "number": count})
        found.pop(_SNOOZE + verdict.proposal, None)
        if verdict.said == SNOOZED:
            found[_SNOOZE + verdict.proposal] = verdict.until
    return found


def settled(fields: Mapping[str, str], proposals: Collection[str], transaction: str) -> dict[str, str]:
    """The fields once a transaction is known to have carried out the verdicts on these proposals: from now on they last
    longer than the history does."""
    found = dict(fields)
    for key in (_VERDICT + proposal for proposal in proposals):
        if key in found:
            found[key] = _written({**_read(found[key]), "transaction": transaction})
    return found


def taken_up(fields: Mapping[str, str], proposal: str) -> dict[str, str]:
    """The fields without the snooze of a proposal."""
    found = {key: value for key, value in fields.items() if key != _SNOOZE + proposal}
    if _read(found.get(_VERDICT + proposal, "")).get("said") == SNOOZED:
        del found[_VERDICT + proposal]
    return found


def ended(fields: Mapping[str, str], told: Collection[str], transaction: str) -> dict[str, str]:
    """The fields once a transaction has ended a session and `told` of it: of the ids of its request. The session and those
    verdicts are none any more, unless that is undone. From now on this lasts longer than the history does."""
    found = dict(fields)
    for key in (_SESSION, *(_VERDICT + ident for ident in told)):
        if key in found and (key != _SESSION or _read(found[key]).get("id") in told):
            found[key] = _written({**_read(found[key]), "ended": transaction})
    return found


def closed(fields: Mapping[str, str], effects: Sequence[Effect], today: str) -> dict[str, str]:
    """The fields without what was ended, was never carried out, or is past. Verdicts that came after the end stay, for the
    session that begins with them."""
    left = held(fields, effects, today)
    keep = {_VERDICT + verdict.proposal for verdict in left.verdicts} | {_SNOOZE + proposal for proposal in left.snoozed}
    return {key: value for key, value in fields.items() if key in keep or (key == _SESSION and left.id)}


_SESSION, _VERDICT, _SNOOZE = "session", "verdict ", "snooze "


def _verdict(proposal: str, record: Mapping[str, Any], effects: Sequence[Effect], today: str) -> Verdict | None:
    """A verdict that is in effect; None for one that was undone, not carried out, or whose day has come."""
    said, until = record.get("said"), str(record.get("until", ""))
    transaction = str(record.get("transaction", ""))
    if said == SNOOZED:
        if until and until <= today:
            return None
    elif said in _BY:
        found = _carried_out(proposal, _BY[said], transaction, str(record.get("since", "")), effects)
        if found is None:
            return None
        transaction = found
    else:
        return None
    return Verdict(
        proposal, str(record.get("kind", "")), str(said), str(record.get("title", "")), str(record.get("store", "")),
        transaction, until, _numbers(record.get("frees")), _numbers(record.get("taken")),
    )


_BY = {ACCEPTED: "prune", REJECTED: "refuse"}


def _carried_out(
    proposal: str, verb: str, transaction: str, since: str, effects: Sequence[Effect]
) -> str | None:
    """The transaction that carried a verdict out, where it is in effect. One that was noted and that the history lost since
    is taken to be."""
    known = {one.id: one for one in effects}
    if not transaction:
        own = (one.id for one in effects if one.verb == verb and one.id > since and proposal in one.ids)
        transaction = next(own, "")
        return transaction if transaction and known[transaction].holds else None
    return transaction if transaction not in known or known[transaction].holds else None


def _ended(record: Mapping[str, Any], undone: Collection[str]) -> bool:
    """Whether an end that was noted is in effect."""
    transaction = str(record.get("ended", ""))
    return bool(transaction) and transaction not in undone


def _counted(verdict: Verdict, record: Mapping[str, Any], ends: Iterable[Effect]) -> bool:
    """Whether a session that was ended has told of this verdict."""
    given = verdict.transaction or str(record.get("since", ""))
    return any(verdict.proposal in one.ids and given < one.id for one in ends)


def _read(value: str) -> dict[str, Any]:
    """A value of the file; what someone broke is empty."""
    try:
        found = json.loads(value)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _written(value: Mapping[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True)


def _numbers(value: Any) -> dict[str, int]:
    return {str(key): count for key, count in value.items() if type(count) is int} if isinstance(value, dict) else {}


def _number(record: Mapping[str, Any]) -> int:
    number = record.get("number")
    return number if type(number) is int else 0
