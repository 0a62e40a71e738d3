"""When an action is allowed: what the state of the workbench allows, and the reasons why something is not.

Each function here is a reason to refuse: it gives the words for a person, or "" where nothing stands in the way.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from memdesk.core.lean import NamedTuple


class Situation(NamedTuple):
    """What the state of the workbench allows. `read_only`: why nothing can be written, or "". `selected`: entries."""

    pane: str
    selected: int = 0
    read_only: str = ""
    undoable: bool = True
    git: bool = True
    candidate: bool = True  # the selection can be promoted
    place: bool = False  # a line of a file is selected that is no entry: it can be opened and copied
    pending: bool = False  # a transaction was interrupted
    offered: Mapping[str, str] = {}  # the ways to settle what is selected, by id, with why one can't be gone now or ""
    idle: Mapping[str, str] = {}  # actions that mean nothing as the pane stands, with why; the footer leaves them out
    labels: Mapping[str, str] = {}  # other words for actions, by id, where what is selected takes another by their key
    knows: frozenset[str] = frozenset()  # the verbs that some store here knows


def entry(situation: Situation) -> str:
    """An entry is selected."""
    return "" if situation.selected else "Nothing is selected."


def promotable(situation: Situation) -> str:
    """What is selected can be promoted."""
    return write(situation) or ("" if situation.candidate else "It waits for nothing: only a candidate is promoted.")


def place(situation: Situation) -> str:
    """An entry or a line of a file is selected."""
    return "" if situation.selected or situation.place else "Nothing is selected."


def write(situation: Situation) -> str:
    """An entry is selected, and can be written."""
    return situation.read_only or entry(situation)


def way(ident: str) -> Callable[[Situation], str]:
    """A way to settle a conflict: allowed where it is offered."""
    return lambda situation: (
        situation.read_only or place(situation) or situation.offered.get(ident, "That is no way to settle this.")
    )


def proposal(ident: str) -> Callable[[Situation], str]:
    """A verdict on a proposal of a prune session."""
    return lambda situation: write(situation) or situation.offered.get(ident, "")


def one(situation: Situation) -> str:
    """One entry is selected, and can be written."""
    return write(situation) or ("" if situation.selected == 1 else "It takes one entry at a time.")


def undo(situation: Situation) -> str:
    """Something can be undone."""
    return situation.read_only or ("" if situation.undoable else "Nothing to undo.")


def pending(situation: Situation) -> str:
    """Something was interrupted."""
    return "" if situation.pending else "Nothing was interrupted."


def known(verb: str, why: str) -> Callable[[Situation], str]:
    """Something that is done to a store: allowed where one knows it."""
    return lambda situation: situation.read_only or ("" if verb in situation.knows else why)


def idle(ident: str) -> Callable[[Situation], str]:
    """It means something as the pane stands."""
    return lambda situation: situation.idle.get(ident, "")


def git(situation: Situation) -> str:
    """There is a git repository."""
    return "" if situation.git else "There is no git repository here."
