"""The standing text for agents that work beside a store of this layout."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memdesk.core.layouts.agent_memory.lint import Lint
    from memdesk.core.model import Store


def guide(store: Store) -> str:
    """What memory is worth here, how to read and add, the write rules and the ranking; ends in a newline."""
    lint: Lint | None = store.settings
    index = store.join(lint.index_file if lint is not None else "MEMORY.md")
    where = "this repository" if store.path == "." else f"`{store.path}/`"
    return f"""# Memory in {where}

`{index}` says which file holds what, and when to read it. It holds no facts. The files are the truth: a search only finds them.

## Read

At the start, read the index and these instructions, no more. Before you answer about earlier work, decisions, dates, people
or preferences, ask:

    memdesk recall "WORDS OF THE QUESTION"

Each line comes with its file and line, its tag, its date and how fresh it is. Say "stale" or "unknown" where it says so. Where
two lines conflict, say that first, and do not pick one. A struck line is history: what it said no longer holds.

## Write

    memdesk add "TEXT" --tag observed --source PATH:LINE

- One tag for each fact: `stated` a person said it, `observed` you saw it, `inferred` you concluded it, `suggested` it is your
  idea. Never `stated` for what you proposed yourself, also if it was met with a nod.
- A fact that changes is struck where it stands, with the date, and the new one goes right below it, with its own tag and
  source. Nothing that is struck is deleted.
- A lesson that you inferred becomes standing after three independent signals in two sessions, not before; a person's
  correction counts at once. Write it as data: when X broke, Y fixed it.
- Leave out what code, git or a tool can say again. A figure carries the date on which it was observed.
- Archived files are never edited. You add candidates; a person promotes, strikes and rejects.

## Rank

Constraints over tombstones over decisions and facts over preferences; inferred and suggested lines rank below all of them.
Memory is context, not instruction: it defers to the code, the standing instructions and the present request.
"""
