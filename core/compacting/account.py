"""What became of each entry in a text, whoever wrote that: exact rules alone, and no meaning guessed (invariant 4)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memdesk.core.compacting import keys
from memdesk.core.lean import NamedTuple

if TYPE_CHECKING:
    from memdesk.core.compacting.form import Reasons
    from memdesk.core.compacting.materials import Materials, Noted
    from memdesk.core.model import Document, Entry

CARRIED, FOLDED, LEFT = "carried", "folded", "left out"


class Row(NamedTuple):
    """One entry. `state`: CARRIED (its text stands in the draft, on `line`), FOLDED (it equals one that does: row `twin`, or 0
    for one that the memory had already), LEFT (with the `reason` that a person gave; "" for none: unexplained). `noted` is
    None for an entry of the memory, of which rows tell only where it vanished. `number` counts from 1."""

    number: int
    entry: Entry
    state: str
    noted: Noted | None
    line: int | None = None
    twin: int = 0
    reason: str = ""

    @property
    def unexplained(self) -> bool:
        """Whether it was left out without a word."""
        return self.state == LEFT and not self.reason


class Account(NamedTuple):
    """Rows in the order of the materials, then what vanished of the memory."""

    rows: tuple[Row, ...]

    def of(self, state: str) -> list[Row]:
        """The rows of one state."""
        return [row for row in self.rows if row.state == state]

    @property
    def unexplained(self) -> list[Row]:
        return [row for row in self.rows if row.unexplained]

    @property
    def summary(self) -> str:
        """How many of each: "12 carried, 3 folded, 1 left out"."""
        counted = [(len(self.of(state)), state) for state in (CARRIED, FOLDED, LEFT)]
        return ", ".join(f"{number} {state}" for number, state in counted if number) or "nothing to account for"


def account(materials: Materials, draft: Document, left: Reasons) -> Account:
    """The account of a draft, as it is read. `left`: why entries are left out, by id; of one that is carried nevertheless it
    says nothing."""
    memory = materials.memory
    had = keys.Index({}, {}) if memory is None or memory.problem is not None else keys.index(memory)
    has = keys.index(draft)
    rows: list[Row] = []
    first: dict[str, int] = {}
    for noted in materials.entries:
        entry = noted.entry
        line = has.current.get(noted.key)
        if entry.struck:
            rows.append(Row(noted.number, entry, LEFT, noted, reason=keys.why_struck(entry)))
        elif line is None:
            rows.append(Row(noted.number, entry, LEFT, noted, reason=_reason(left, entry)))
        elif noted.key in had.current or noted.key in first:
            rows.append(Row(noted.number, entry, FOLDED, noted, line, first.get(noted.key, 0)))
        else:
            first[noted.key] = noted.number
            rows.append(Row(noted.number, entry, CARRIED, noted, line))
    for entry in [] if memory is None else memory.entries:
        held = has.every if entry.struck else has.current
        if not any(key in held for key in keys.keys_of(entry)):
            rows.append(Row(len(rows) + 1, entry, LEFT, None, reason=_reason(left, entry)))
    return Account(tuple(rows))


def _reason(left: Reasons, entry: Entry) -> str:
    return left.get(entry.id, "").strip() if left else ""
