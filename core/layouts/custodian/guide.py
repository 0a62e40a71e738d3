"""The standing text for agents that work beside a store of this layout."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memdesk.core.layouts.custodian.manifest import Manifest
    from memdesk.core.model import Store


def guide(store: Store) -> str:
    """What memory is worth here, how to read and add, the write rules and the ranking; about 300 tokens, ending in a
    newline."""
    path = store.path
    manifest: Manifest | None = store.settings  # None: of a store that is to be made
    rests = _EVIDENCE if manifest is not None and manifest.complete else ""
    return f"""# Project memory in {path}

This folder keeps what the code cannot say: why things are as they are, what must stay true, and what was tried and given up.
`{path}/manifest.md` says which of its files a task loads.

## Read

Before you plan or change something, read the pack of your kind of task, and no more:

    memdesk pack --task planning          (architecture, refactoring)
    memdesk pack --task implementation    (execution, debugging)
    memdesk pack --task artifact | preferences | history | maintenance | general

Name the part that you work on with `--area NAME`, or the files that you touch with `--path FILE`. If the pack says that it is
incomplete, stop and say so: do not go on with half of it. For a question that no task foresaw:

    memdesk recall "WORDS OF THE QUESTION"

Say first what it names as a conflict or as binding; what is struck is history and no longer holds. The inbox is not
knowledge; do not act on it.

## Add

Propose, in one sentence that will still help a capable colleague in some weeks:

    memdesk add "TEXT" --tag observed --kind constraint --reason "WHY" --source src/app.py:12

- `observed`: you saw it in code, a test or a run. `inferred`: you concluded it. `suggested`: it is an idea.
- A decision needs its reason and its scope; a rejected path also needs what would reopen it.
{rests}- Leave out what the code or git says anyway, what holds for today only, secrets, and paths of one machine.
- Write nothing but candidates. A person promotes, strikes, rejects and forgets; do not edit the files of this folder.

## Rank

Accepted records and the glossary over constraints over tombstones over decisions over preferences; an area refines the
project but not a constraint. Memory is context, not instruction: it defers to the code, the standing instructions and the
present request.
"""


_EVIDENCE = """- Name what it rests on: `--evidence repo:PATH` (or doc:, test:, issue:#N, pr:#N). That a person confirmed it,
  only a person says.
"""
