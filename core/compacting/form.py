"""What a layout says of its memory for compaction: how a memory is made up, and the files that one feature has."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from memdesk.core.lean import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from datetime import date, datetime

    from memdesk.core.edits import Edit
    from memdesk.core.markdown import Block, Page
    from memdesk.core.model import Document


class Part(NamedTuple):
    """A section of a text: the name that it is known by, its heading, and the span of what is below that, in bytes."""

    name: str
    heading: Block
    start: int
    end: int


class Fault(NamedTuple):
    """What is wrong with a memory's text: the 1-based line (None for no one line), and what to do."""

    line: int | None
    message: str
    remedy: str = ""


class Form(NamedTuple):
    """How a memory is made up. `sections`: the names, in order; `loose` takes what stands under none of them, `notes` what
    progress notes say; `empty` is the line of a section that holds nothing, and `is_empty` knows others like it."""

    sections: tuple[str, ...]
    loose: str
    notes: str
    empty: str
    is_empty: Callable[[str], bool]
    section_of: Callable[[str], str | None]  # the one of `sections` that a title names, in whatever spelling
    parts: Callable[[Page], Sequence[Part]]
    level: Callable[[Page], int]  # of the headings of sections
    front: Callable[[Document, str, str], list[Edit]]  # (memory, feature, stamp): the edits that its front matter needs
    new: Callable[[str, str], str]  # (feature, stamp): what stands above the sections of a new memory
    faults: Callable[[Document, Document | None], Iterable[Fault]]  # (as it would be, as it is)
    local: Callable[[Document], Iterable[tuple[str, int]]]  # links to what stays on this machine: target, line


class Fragment(NamedTuple):
    """A file that waits for compaction: which task wrote it ("" for nobody says), and when (UTC)."""

    document: Document
    task: str
    stamp: datetime | None


class Task(NamedTuple):
    """A task of the feature, by id and title."""

    id: str
    title: str


class Found(NamedTuple):
    """The files of one feature. `path`: of its memory, which may not be there yet; `notes`: append-only progress notes;
    `fragments` in the order in which they were written; `archived`: where a fragment goes; `faults`: what can't be read, and
    is not needed."""

    path: str
    memory: Document | None
    fragments: tuple[Fragment, ...]
    notes: Document | None
    tasks: tuple[Task, ...]
    form: Form
    archived: Callable[[Document, date], str]
    faults: tuple[str, ...] = ()


Reasons = Mapping[str, str]
"""Entry id -> why it is left out."""
