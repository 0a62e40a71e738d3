"""Which numbers are taken, in the tree and on the default branch, and the next free one."""

from __future__ import annotations

import posixpath
from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING

from memdesk.core.layouts.records import numbers

if TYPE_CHECKING:
    from memdesk.core.draft import Draft
    from memdesk.core.layouts.records.kept import Kept
    from memdesk.core.model import Store

WIDTH = 4  # digits of the first number


def next_number(tree: Iterable[str], base: Iterable[str]) -> str:
    """The digits of the next number that none of these file names has, padded as they are: one above the highest, since a
    number that was given once names its record for good."""
    taken = [digits for name in (*tree, *base) if (digits := numbers.digits(name))]
    number = max((int(digits) for digits in taken), default=0) + 1
    return padded(number, taken)


def padded(number: int, others: Iterable[str]) -> str:
    """A number as digits, as wide as most others are; of two widths that are as frequent the wider one. A single name that was
    written otherwise leads no one astray."""
    widths = Counter(len(digits) for digits in others)
    width = max(widths, key=lambda one: (widths[one], one), default=WIDTH)
    return f"{number:0{width}}"


def names(draft: Draft, store: Store) -> tuple[list[str], list[str]]:
    """The paths in a store's folders of records, those that the draft makes included; and those that the default branch has
    besides. The listings bind the plan."""
    kept: Kept = store.settings
    tree: list[str] = []
    base: list[str] = []
    for inner in kept.records:
        folder = posixpath.normpath(store.join(inner))
        if draft.workspace.tree.kind(folder) == "none":
            draft.reads[folder] = None
        else:
            tree += [posixpath.normpath(f"{folder}/{name}") for name in draft.names(folder)]
        tree += [path for path, work in draft.works.items() if work.before is None and _in(path, folder) and path not in tree]
        base += [posixpath.normpath(f"{folder}/{name}") for name in draft.workspace.beside(folder)]
    return tree, [path for path in base if path not in tree]


def _in(path: str, folder: str) -> bool:
    return (posixpath.dirname(path) or ".") == folder
