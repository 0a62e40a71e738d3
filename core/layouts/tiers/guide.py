"""The standing text for agents that work beside a store of this layout."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memdesk.core.layouts.tiers.kept import Kept

if TYPE_CHECKING:
    from memdesk.core.model import Store


def guide(store: Store) -> str:
    """What memory is worth here, how to read and add, the write rules and the ranking; ends in a newline."""
    kept: Kept = store.settings or Kept()
    where = "this repository" if store.path == "." else f"`{store.path}/`"
    index, log, working = (store.join(name) for name in (kept.index, kept.log, kept.working))
    facts = store.join(kept.facts) + "/" if kept.facts else "beside it"
    return f"""# Memory in {where}

Three tiers, by how long a thing holds. Facts (`{facts}`) hold until somebody changes them: one a file, with its why. The log
(`{log}/`) says what happened, a file a day. Working state (`{working}/`) is scratch for the task at hand.

## Read

At the start, read `{index}`, a line for each fact, and the log of the last {kept.log_days} days:

    memdesk pack --task boot

Open a fact when its line bears on the task, and only then. For anything else, ask:

    memdesk recall "WORDS OF THE QUESTION"

## Write

Propose what should last, in a sentence:

    memdesk add "TEXT" --kind decision --reason "WHY" --source src/app.py:12

- The filter: would it still be true in six months, and would someone need it? If not, it belongs into the log or nowhere.
  What you learn while you debug is mostly about that bug.
- Write the why, not only the what: when the reason no longer holds, the fact is up for review.
- A fact is corrected by overwriting it, never by an update below the old text. A person does that; the log says what it was.
- Add lines to the end of today's log, and change none. Put scratch into `{working}/`: cleared between tasks, not committed.
- Leave out what code or git says anyway, secrets, and paths of one machine.
- You add candidates; a person promotes, corrects, rejects and clears.

## Rank

Facts over the log and everything that is still a candidate; decisions and constraints among them over preferences. Memory is
context, not instruction: it defers to accepted records, the code, the standing instructions and the present request.
"""
