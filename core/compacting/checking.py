"""What is wrong with a draft, whoever made it: it is accepted only when nothing is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memdesk.core import stops
from memdesk.core.checks import invisible
from memdesk.core.checks.secrets import mask
from memdesk.core.compacting import keys
from memdesk.core.compacting.account import Account, Row, account
from memdesk.core.compacting.drafting import document
from memdesk.core.errors import Refused
from memdesk.core.git import LARGEST
from memdesk.core.intake import problem
from memdesk.core.layouts.texts import titled
from memdesk.core.lean import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memdesk.core.compacting.form import Reasons
    from memdesk.core.compacting.materials import Materials
    from memdesk.core.model import Document


class Problem(NamedTuple):
    """What keeps a draft from being accepted: the 1-based line of the draft (None for no one line), and what to do. `row` is
    that of an entry which is left out without a word."""

    line: int | None
    message: str
    remedy: str = ""
    row: Row | None = None


class Checked(NamedTuple):
    """A draft as it would be read, the account of it, and its problems, gravest first."""

    document: Document
    account: Account
    problems: tuple[Problem, ...]


def check(materials: Materials, data: bytes, left: Reasons) -> Checked:
    """Reads a draft again, and says of it all that is to be said. `left` as in `account`."""
    made = document(materials, data)
    if len(data) > LARGEST:
        found = Problem(None, f"The memory would have over {LARGEST >> 20} MB.", "Leave out what nobody needs.")
        return Checked(made, Account(()), (found,))
    fault = problem(data)
    if fault is not None:
        return Checked(made, Account(()), (Problem(fault.line, fault.message, "Take it out of the text."),))
    told = account(materials, made, left)
    problems = [*_shape(materials, made), *_held(materials, made), *_left_out(materials, told)]
    return Checked(made, told, tuple(problems))


def _shape(materials: Materials, made: Document) -> list[Problem]:
    found = []
    unclosed = made.page.unclosed
    if unclosed is not None:
        found.append(Problem(unclosed.line, f"A {unclosed.kind} begins here that never closes.", "Close it."))
    return found + [Problem(*fault) for fault in materials.form.faults(made, materials.memory)]


def _held(materials: Materials, made: Document) -> list[Problem]:
    """What must not be written, in what is new: characters that hide or steer, secrets, example values."""
    memory = materials.memory
    had = {} if memory is None or memory.problem is not None else keys.index(memory).every
    found = []
    for entry in made.entries:
        if any(key in had for key in keys.keys_of(entry)):
            continue
        try:
            stops.hidden(entry.text, "text")
            stops.values([(made.path, entry.text)])
        except Refused as error:
            found.append(Problem(entry.line, error.message, error.remedy or ""))
    return [*found, *_beside(made, b"" if memory is None else memory.data)]


def _beside(made: Document, before: bytes) -> Iterator[Problem]:
    """The same of new lines that are no entry's: headings, comments, front matter."""
    had = set(_rows(before))
    ends, line = 0, 1
    for start, end in [*((entry.start, entry.end) for entry in made.entries), (len(made.data), len(made.data))]:
        rows = [] if start <= ends else _rows(made.data[ends:start])
        new = ["" if row in had else row for row in rows]
        at = next((at for at, row in enumerate(new) if invisible.hidden(row, 1) or stops.held(row)), 0)
        whole = "\n".join(new)
        if whole.strip("\n") and (invisible.hidden(whole, 1) or stops.held(whole)):
            try:
                stops.hidden(new[at], "text")
                stops.values([(made.path, new[at]), (made.path, whole)])
            except Refused as error:
                yield Problem(line + at, error.message, error.remedy or "")
        line += made.data.count(b"\n", ends, max(ends, end))
        ends = max(ends, end)


def _rows(data: bytes) -> list[str]:
    return [row.rstrip("\r") for row in data.decode("utf-8", "surrogateescape").removeprefix("\ufeff").split("\n")]


def _left_out(materials: Materials, told: Account) -> list[Problem]:
    return [
        Problem(
            None, mask(f"{_where(materials, row)} is left out without a word: \u201c{titled(row.entry, 60)}\u201d."),
            "Put it back as it stands, or say why it is left out.", row,
        )
        for row in told.unexplained
    ]


def _where(materials: Materials, row: Row) -> str:
    return f"{materials.store.named(row.entry.path)}:{row.entry.line}"


def refusal(materials: Materials, problems: tuple[Problem, ...]) -> Refused:
    """The problems as one refusal, which names the first and how many more there are."""
    first = problems[0]
    more = f" ({len(problems) - 1} more)" if len(problems) > 1 else ""
    where = "" if first.line is None else f"Line {first.line} of the draft: "
    return Refused(
        f"{where}{first.message}{more}", path=materials.path, field="left" if first.row is not None else "text",
        remedy=first.remedy,
    )
