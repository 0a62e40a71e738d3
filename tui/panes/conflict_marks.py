"""Memory files that git left conflict markers in, entry by entry, and what a person answered so far."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from memdesk.core.errors import MemdeskError
from memdesk.core.lean import NamedTuple
from memdesk.core.plan import Request
from memdesk.core.resolving import heading
from memdesk.tui.inert import line

if TYPE_CHECKING:
    from memdesk.core.desk import Desk

VERB = "resolve"


class Answer(NamedTuple):
    """What becomes of one entry: `word` is "ours", "theirs", "both" or "edited"; of the last `text` is the text."""

    word: str
    text: str = ""


class Part(NamedTuple):
    """One entry of a file on which the sides disagree; `number` counts them from 1, `line` is where it stands in the file."""

    path: str
    number: int
    line: int
    title: str
    ours: str
    theirs: str
    base: str | None = None
    ours_label: str = ""
    theirs_label: str = ""
    both: str = ""  # the two one after the other
    answer: Answer | None = None

    @property
    def key(self) -> str:
        return f"git:{self.path}:{self.number}"

    @property
    def result(self) -> str | None:
        """What the entry will be, as far as it can be told before the plan; None while there is no answer."""
        if self.answer is None:
            return None
        return {"ours": self.ours, "theirs": self.theirs, "both": self.both}.get(self.answer.word, self.answer.text)


class File(NamedTuple):
    """A file with markers. Without `parts` nothing is left to be asked: by entry both sides fit together. `digest` names these
    very parts; `problem`: why the markers cannot be taken apart, or None."""

    path: str
    parts: tuple[Part, ...] = ()
    digest: str = ""
    problem: MemdeskError | None = None

    @property
    def key(self) -> str:
        return f"git:{self.path}"

    @property
    def answered(self) -> int:
        return sum(1 for part in self.parts if part.answer is not None)


def one_sided(part: Part) -> str:
    """Why an entry can't be kept twice, or ""."""
    return "" if part.ours.strip() and part.theirs.strip() else "Only one side has a text here."


class Answers:
    """The answers of this session. One is known by the texts that it chooses between, so that it outlives a change elsewhere
    in the file and not one of its own."""

    def __init__(self) -> None:
        self._given: dict[tuple[str, str, str, int], Answer] = {}

    def give(self, file: File, part: Part, answer: Answer) -> None:
        self._given[self._key(file.parts, part)] = answer

    def forget(self, path: str) -> None:
        """The file was resolved."""
        self._given = {key: answer for key, answer in self._given.items() if key[0] != path}

    def of(self, file: File) -> File:
        """The file with the answers that there are."""
        return file._replace(parts=tuple(
            part._replace(answer=self._given.get(self._key(file.parts, part))) for part in file.parts
        ))

    @staticmethod
    def _key(parts: tuple[Part, ...], part: Part) -> tuple[str, str, str, int]:
        twins = sum(1 for each in parts[: part.number - 1] if (each.ours, each.theirs) == (part.ours, part.theirs))
        return part.path, part.ours, part.theirs, twins


def files(desk: Desk) -> list[File]:
    """The files with markers, without answers. For a worker."""
    found = []
    for document in desk.marked():
        try:
            taken = desk.marks(document.path)
        except MemdeskError as error:
            found.append(File(document.path, problem=error))
            continue
        parts = tuple(
            Part(
                document.path, part.number, part.line, line(heading(part)) or "text between entries", _text(part.ours),
                _text(part.theirs), None if part.base is None else _text(part.base), part.ours_label, part.theirs_label,
                _text(b"".join(part.both())).strip("\n"),
            )
            for part in taken.parts
        )
        found.append(File(document.path, parts, taken.digest))
    return found


def waiting(found: Iterable[File]) -> int:
    """How many answers are asked for: of a file of which no entry is, one."""
    return sum(len(file.parts) or 1 for file in found)


def request(file: File) -> Request:
    """What to ask the desk for, once all entries of a file are answered."""
    words = {"of": file.digest}
    for part in file.parts:
        assert part.answer is not None
        words[str(part.number)] = part.answer.word
        if part.answer.word == "edited":
            words[f"text{part.number}"] = part.answer.text
    return Request(VERB, (file.path,), words, person=True)


def why_not(file: File) -> str:
    """Why a file can't be resolved yet, or ""."""
    left = [part for part in file.parts if part.answer is None]
    if file.problem is not None:
        return str(file.problem)
    if not left:
        return ""
    if len(file.parts) == 1:
        return "Answer its entry first."
    return f"{len(left)} of {len(file.parts)} entries still to be answered."




def _text(data: bytes) -> str:
    return data.decode("utf-8", "surrogateescape").replace("\r\n", "\n")
