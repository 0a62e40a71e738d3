"""The standing text for agents that work beside a store of this layout."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from memdesk.core.layouts.records.kept import GLOSSARY, USUAL

if TYPE_CHECKING:
    from memdesk.core.layouts.records.kept import Kept
    from memdesk.core.model import Store


def guide(store: Store) -> str:
    """What records and words are worth here, how to read and add, the write rules and the ranking in one line; ends in a
    newline."""
    kept: Kept | None = store.settings
    folder = store.join(kept.records[0] if kept is not None and kept.records else USUAL[0])
    design = store.join(kept.design if kept is not None else "docs/design")
    where = "this repository" if store.path == "." else f"`{store.path}/`"
    return f"""# Words and decisions of {where}

`{store.join(GLOSSARY)}` says what the words of this project mean. `{folder}/` says what was decided, why, and what was given up
for it. `{design}/` holds the designs of work in progress.

Ranking: the design record of the work in progress, then the glossary and the accepted records, then memory; memory that says
otherwise is context, and loses.

## Read

Before you plan, read the words and the accepted records:

    memdesk pack --task boot --store {shlex.quote(store.path)}
    memdesk recall "WORDS OF THE QUESTION"

A record that is superseded or rejected is history. A draft or a proposal decides nothing yet.

## Write, in the change that does the work

    memdesk add --kind term "WORD: what it means here"
    memdesk add --kind adr "WHAT IS DECIDED" --reason "WHY" --source src/app.py:12

- A record is for a choice that is hard to reverse, surprising without its context, and a trade-off between options that have
  names. What fails one of the three goes to the design note of the work.
- A word goes in when it is settled, and something must use it.
- An accepted record is never rewritten: another one supersedes it. To go against one is a decision of its own: stop, say so,
  and propose the record.
- No values from the real world: no account, address, token or path of a person. Say what kind of thing it is.
- You propose. A person accepts, rejects and supersedes.
"""
