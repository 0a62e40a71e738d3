"""After a crash: what was prepared and not committed is finished or taken back, by the state of its targets alone.

None after: it never happened. All after: it is closed. A mix: it is completed (and where that fails, taken back). Someone
else's text among them: only what still equals our after goes back, nothing else is touched, every text is kept. Another
git HEAD than then, where files would have to be changed: a person decides. It can be killed anywhere and run again.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable

from memdesk.core.lean import NamedTuple
from memdesk.core.transaction.commit import Commit
from memdesk.core.transaction.ground import JOURNAL, PREPARING, Ground
from memdesk.core.transaction.journal import Damaged, Journal, Newer, decode
from memdesk.core.transaction.problems import Foreign, failure


class Pending(NamedTuple):
    """An interrupted transaction. `states`: each path with "before", "after" or "foreign" (someone else's text).

    `question` is "" where recovery needs nobody; else what a person has to settle, with one of `choices`:
    "complete" it, "restore" what was before, "keep" all files as they are and close it, or "later".
    """

    id: str
    at: str
    by: str
    verb: str
    summary: str
    states: tuple[tuple[str, str], ...]
    head: str | None
    question: str = ""
    choices: tuple[str, ...] = ()


class Recovered(NamedTuple):
    """What became of one. `outcome`: "discarded", "closed", "completed", "restored", "kept" or "left" (still pending).

    `person`: someone has to look at `foreign`, or to decide; the command line exits with 3.
    """

    id: str
    summary: str
    outcome: str
    message: str
    foreign: tuple[str, ...] = ()
    person: bool = False


Decide = Callable[[Pending], str]


def pending(ground: Ground, head: Callable[[], str | None]) -> list[Pending]:
    """What was interrupted, the oldest first. Raises OSError."""
    found = [_examine(ground, ident, head)[0] for ident in ground.prepared()]
    still = ground.prepared()  # callers hold no lock: one that was committed meanwhile was not interrupted
    return [item for item in found if item.id in still]


def recover(ground: Ground, head: Callable[[], str | None], decide: Decide | None) -> list[Recovered]:
    """Settles all that was interrupted. Callers hold the lock. Raises OSError."""
    for name in ground.names(ground.transactions):
        if name.endswith(PREPARING):
            _tidy(ground, name)
    return [_one(ground, ident, head, decide) for ident in ground.prepared()]


def outcome(kind: str, message: str, foreign: tuple[str, ...] = ()) -> bytes:
    """What a history folder says of a transaction that was not simply committed."""
    import json

    return json.dumps({"outcome": kind, "message": message, "foreign": list(foreign)}).encode()


def _tidy(ground: Ground, name: str) -> None:
    path = f"{ground.transactions}/{name}"
    found = ground.files.stat(path)
    if found is not None and found.kind == "folder":
        ground.remove(path)
    elif found is not None:
        ground.files.unlink(path)


def _one(ground: Ground, ident: str, head: Callable[[], str | None], decide: Decide | None) -> Recovered:
    found, journal = _examine(ground, ident, head)
    choice = "complete"
    if found.question:
        choice = decide(found) if decide is not None and found.choices else "later"
        if choice not in found.choices or choice == "later":
            return Recovered(ident, found.summary, "left", found.question, _foreign(found), True)
    if journal is None:
        ground.files.rename(f"{ground.transactions}/{ident}", f"{ground.history}/{ident}")
        ground.files.fsync_dir(ground.history)
        ground.files.fsync_dir(ground.transactions)
        return Recovered(ident, found.summary, "kept", "Its journal could not be read; no file was touched.", (), True)
    commit = Commit(ground, journal)
    if choice == "keep":
        return _keep(commit, found)
    if choice == "complete":
        commit.rescue()
        found, _ = _examine(ground, ident, head)  # a text that came back is someone else's
    states = {state for _, state in found.states}
    if "foreign" in states or choice == "restore":
        return _restore(commit, found)
    if "after" not in states and found.states:
        commit.roll_back()
        commit.discard()
        return Recovered(ident, found.summary, "discarded", "It had not begun; the store is as it was before.")
    return _complete(commit, found, "closed" if "before" not in states else "completed")


def _complete(commit: Commit, found: Pending, word: str) -> Recovered:
    try:
        commit.carry_out()
        commit.close()
    except Foreign:
        return _restore(commit, found)
    except OSError as error:
        with contextlib.suppress(OSError):
            if not commit.roll_back() and not commit.strangers():
                commit.discard()
                why = failure(error, None, "")
                return Recovered(found.id, found.summary, "discarded", f"It could not be completed and was taken back. {why}")
        raise
    said = "Every file had been written." if word == "closed" else "Half of its files had been written; now all are."
    return Recovered(found.id, found.summary, word, said)


def _restore(commit: Commit, found: Pending) -> Recovered:
    foreign = tuple(commit.roll_back())
    strangers = tuple(commit.strangers())
    if not foreign and not strangers:
        commit.discard()
        return Recovered(found.id, found.summary, "restored", "The store is as it was before.")
    names = ", ".join(dict.fromkeys((*foreign, *strangers)))
    message = f"{names} had been changed by someone else meanwhile and was not touched; the other files are as before."
    commit.close(outcome("restored", message, foreign))
    return Recovered(found.id, found.summary, "restored", message, foreign, True)


def _keep(commit: Commit, found: Pending) -> Recovered:
    message = "All files were kept as they are; the texts before and after are in the history."
    commit.close(outcome("kept", message, _foreign(found)))
    return Recovered(found.id, found.summary, "kept", message, _foreign(found), True)


def _examine(ground: Ground, ident: str, head: Callable[[], str | None]) -> tuple[Pending, Journal | None]:
    path = f"{ground.transactions}/{ident}/{JOURNAL}"
    try:
        journal = decode(ground.read(path) or b"")
    except Newer as error:
        newer = f"Transaction {ident} was interrupted, and {error}. Use that version to recover it."
        return Pending(ident, "", "", "", "", (), None, newer), None
    except Damaged as error:
        damaged = f"The journal of transaction {ident} is damaged ({error}). Compare the store with git before you go on."
        return Pending(ident, "", "", "", "", (), None, damaged, ("keep", "later")), None
    commit = Commit(ground, journal)
    states = tuple((item.path, commit.state(item)) for item in journal.changes)
    kinds = {state for _, state in states}
    question, choices = "", tuple[str, ...]()
    now = head()
    if now != journal.head and "after" in kinds and kinds != {"after"}:
        moved = f"from {_short(journal.head)} to {_short(now)}"
        question = f'"{journal.summary}" was interrupted, and since then git\'s HEAD moved {moved}.'
        choices = ("restore", "keep", "later") if "foreign" in kinds else ("complete", "restore", "keep", "later")
    facts = (journal.at, journal.by, journal.verb, journal.summary)
    return Pending(ident, *facts, states, journal.head, question, choices), journal


def _foreign(found: Pending) -> tuple[str, ...]:
    return tuple(path for path, state in found.states if state == "foreign")


def _short(head: str | None) -> str:
    return head[:9] if head else "none"
