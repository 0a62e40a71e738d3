"""Numbers that two branches each gave to a record of their own: found before they meet."""

from __future__ import annotations

from memdesk.core.checks.rule import CheckContext
from memdesk.core.layouts.records import earlier, numbers
from memdesk.core.lean import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from memdesk.core.gitdiff import Change


class Collision(NamedTuple):
    """A record of this branch, by its path, and one that the base got meanwhile, with one number."""

    path: str
    number: int
    other: str
    base: str


def collisions(context: CheckContext) -> list[Collision]:
    """The collisions with `--base`; none without it. Raises GitError.

    What one of the two sides moved or deleted collides with nothing: only what each added since they parted is compared.
    """
    change = context.change
    if change is None or change.base is None:
        return []
    found = earlier.since(context)
    ours, theirs = _came(found.change), _gone(change)
    if found.change is change:  # nothing is known of where they parted, or the base is as it was
        if not found.note:
            return []
        same = {file.old_path for file in change.files if file.status == "renamed" and not file.added and not file.removed}
        theirs -= same
    else:
        theirs -= _gone(found.change)
    taken: dict[int, str] = {}
    for path in sorted(theirs):
        number = numbers.number(path)
        if number is not None and earlier.is_record(context.store, path):
            taken.setdefault(number, path)
    return [
        Collision(path, number, taken[number], change.base)
        for path in sorted(ours)
        if (number := numbers.number(path)) is not None and number in taken and earlier.is_record(context.store, path)
    ]


def _came(change: Change) -> set[str]:
    return {file.path for file in change.files if file.status in ("added", "renamed")}


def _gone(change: Change) -> set[str]:
    return {file.old_path or file.path for file in change.files if file.status in ("deleted", "renamed")}
