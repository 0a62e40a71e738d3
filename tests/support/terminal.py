"""The workbench in a pseudo-terminal: every byte that it writes is parsed and inspected, and a screen is kept of it.

`Output` takes the bytes apart as ECMA-48 does, and allows by name what Textual needs and nothing else. `Grid` is what a
person sees, under either of the two ways in which terminals count cells. `Bench` runs the program.
"""

from __future__ import annotations

import codecs
import fcntl
import os
import pty
import re
import select
import signal
import struct
import sys
import termios
import time
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple, Self

from rich.cells import cell_len

from tests.support.commands import environment

PATIENCE = 60.0  # seconds until a program is given up: never waited for where all is well
ESCAPE = "\x1b[27u"  # as terminals send it that can tell it from the start of a sequence: no wait for what may follow
QUIET = 0.03  # seconds in which a frame that is due is painted: several frames at 120 a second


class Token(NamedTuple):
    """A piece of output. `kind`: text, c0, c1, esc, csi, string (OSC, DCS, APC, PM, SOS) or broken."""

    kind: str
    data: str


def read(data: str) -> list[Token]:
    """The whole of an output taken apart."""
    return list(tokens(data))


def tokens(data: str) -> Iterator[Token]:
    """Output taken apart; an escape sequence that does not end is broken."""
    at = 0
    for match in _CONTROL.finditer(data):
        if match.start() > at:
            yield Token("text", data[at : match.start()])
        yield Token(match.lastgroup or "", match.group())
        at = match.end()
    if at < len(data):
        yield Token("text", data[at:])


def faults(found: Iterable[Token], *, workbench: bool = True) -> list[str]:
    """What no output may hold, each with its surroundings. `workbench` False: a plain command, which writes lines of text."""
    bad = []
    before = ""
    for token in found:
        if token.kind == "text":
            bad += [f"{what} in {token.data[max(0, where - 20) : where + 20]!r}" for where, what in unseen(token.data)]
            before = token.data
        elif token.data == "\r\n" or (not workbench and token.data in ("\n", "\t")):
            pass
        elif not (workbench and _allowed(token)):
            bad.append(f"{token.kind} {token.data!r} after {before[-60:]!r}")
    return bad


@lru_cache(4096)
def unseen(text: str) -> tuple[tuple[int, str], ...]:
    """Characters of a text without controls that an eye would not see or that turn the line around: where, and which."""
    if text.isascii():
        return ()
    found = []
    for at, char in enumerate(text):
        code = ord(char)
        if code < 0x300:
            bad = code == 0xAD
        else:
            before = unicodedata.category(text[at - 1]) if at else ""
            bad = code in _NEVER or unicodedata.category(char) in ("Cc", "Cs", "Zl", "Zp") or (
                unicodedata.category(char) == "Cf" and before not in ("Lo", "So", "Sk", "Mn", "Mc", "Cf")
            )
        if bad:
            found.append((at, f"U+{code:04X}"))
    return tuple(found)


@lru_cache(4096)
def by_character(text: str) -> list[tuple[str, int]]:
    """How xterm, VTE, tmux and Alacritty count: each character by itself, joiners and selectors change nothing."""
    cells: list[tuple[str, int]] = []
    for char in text:
        kind = unicodedata.category(char)
        if kind in ("Mn", "Me", "Cf") or 0x1160 <= ord(char) <= 0x11FF:
            size = 0
        elif kind == "Cn":
            size = 1  # an older terminal's table has nothing on it; Python's has it as wide
        else:
            size = 2 if unicodedata.east_asian_width(char) in "WF" else 1
        cells.append((char, size))
    return cells


@lru_cache(4096)
def by_grapheme(text: str) -> list[tuple[str, int]]:
    """How kitty, Ghostty, WezTerm and Windows Terminal count: a joined sequence is one sign, a selector can widen it."""
    cells: list[tuple[str, int]] = []
    for match in _CLUSTER.finditer(text):
        cells.append((match.group(), cell_len(match.group())))
    return cells


Counting = Callable[[str], list[tuple[str, int]]]


class Grid:
    """The cells of a terminal without automatic wrapping, as Textual sets it."""

    def __init__(self, columns: int, rows: int, counting: Counting = by_grapheme) -> None:
        self.columns, self.rows, self._counting = columns, rows, counting
        self._cells = [[" "] * columns for _ in range(rows)]
        self._x = self._y = 0
        self._saved = (0, 0)

    def feed(self, found: Iterable[Token]) -> None:
        for token in found:
            if token.kind == "text":
                self._write(token.data)
            elif token.data == "\r\n":
                self._x, self._y = 0, min(self._y + 1, self.rows - 1)
            elif token.data == "\x1b7":
                self._saved = (self._x, self._y)
            elif token.data == "\x1b8":
                self._x, self._y = self._saved
            elif token.kind == "csi":
                self._move(token.data)

    @property
    def lines(self) -> list[str]:
        """What is in each row, cell by cell: a wide sign is followed by no character of its own."""
        return ["".join(row) for row in self._cells]

    def cell(self, x: int, y: int) -> str:
        return self._cells[y][x]

    @property
    def text(self) -> str:
        return "\n".join(self.lines)

    def _write(self, text: str) -> None:
        row = self._cells[self._y]
        if len(text) <= self.columns - self._x and _SINGLE.issuperset(text):
            self._clear(row, self._x)
            self._clear(row, self._x + len(text) - 1)
            row[self._x : self._x + len(text)] = text
            self._x += len(text)
            return
        for sign, size in self._counting(text):
            if size == 0:
                at = self._x - 1
                while at > 0 and row[at] == "":
                    at -= 1
                if at >= 0:
                    row[at] += sign
                continue
            at = min(self._x, self.columns - size)
            for x in range(at, at + size):
                self._clear(row, x)
            row[at : at + size] = [sign] + [""] * (size - 1)
            self._x = min(at + size, self.columns)  # beyond the last column what comes is drawn over it

    @staticmethod
    def _clear(row: list[str], x: int) -> None:
        """What is left of a wide sign of which a cell is overwritten is blank."""
        if row[x] == "":
            at = x
            while at > 0 and row[at] == "":
                row[at] = " "
                at -= 1
            row[at] = " "
        at = x + 1
        while at < len(row) and row[at] == "":
            row[at] = " "
            at += 1

    def _move(self, sequence: str) -> None:
        final, numbers = sequence[-1], sequence[2:-1]
        if final == "H":
            y, _, x = numbers.partition(";")
            self._x, self._y = min(int(x or 1), self.columns) - 1, min(int(y or 1), self.rows) - 1
        elif final == "C":
            self._x = min(self._x + int(numbers or 1), self.columns - 1)
        elif final == "J" or sequence == "\x1b[?1049h":
            self._cells = [[" "] * self.columns for _ in range(self.rows)]


class Bench:
    """A memdesk in a terminal of `size` (columns, rows). What it writes is in `raw` and inspected as it comes, and both
    `grid` (signs counted by grapheme) and `old` (by character) show it."""

    def __init__(
        self, root: Path, *words: str, size: tuple[int, int] = (120, 36), env: Mapping[str, str] | None = None
    ) -> None:
        self.raw = b""
        self.faults: list[str] = []
        self.grid, self.old = Grid(*size), Grid(*size, by_character)
        self.took: list[tuple[str, float]] = []  # CPU seconds for each time that keys were answered
        self._decoder = codecs.getincrementaldecoder("utf-8")()
        self._rest = ""
        self._code: int | None = None
        self.pid, self._fd = pty.fork()
        if not self.pid:  # pragma: no cover - the child
            try:
                fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", size[1], size[0], 0, 0))
                os.chdir(root)
                full = {**environment(), "TERM": "xterm-256color", **(env or {})}
                os.execve(sys.executable, [sys.executable, "-m", "memdesk", *words], full)
            finally:
                os._exit(127)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        if self._code is None:
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
        os.close(self._fd)

    def until(self, *wanted: str) -> str:
        """Reads until all these texts are on the screen; the screen's text."""
        limit = time.monotonic() + PATIENCE
        while not all(text in self.grid.text for text in wanted):
            alive = self._read(1.0)
            assert alive, f"it ended without {wanted}:\n{self.grid.text}"
            assert time.monotonic() < limit, f"{wanted} did not come:\n{self.grid.text}"
        return self.grid.text

    def back(self, times: int) -> None:
        """Reads until the program has taken the screen that many times: at its start, and after each editor."""
        limit = time.monotonic() + PATIENCE
        while self.raw.count(b"\x1b[?1049h") < times:
            assert self._read(1.0), self.grid.text
            assert time.monotonic() < limit, self.grid.text
        self.settle()

    def press(self, keys: str) -> str:
        """Sends keys as a terminal does, and reads until they are answered; the screen's text."""
        before = self.cpu()
        os.write(self._fd, keys.encode("utf-8", "surrogateescape"))
        self.settle()
        self.took.append((keys, self.cpu() - before))
        return self.grid.text

    def settle(self) -> None:
        """Reads until the program has taken its keys, all its threads wait, and no frame is due that they would paint."""
        limit = time.monotonic() + PATIENCE
        last = None
        while True:
            assert time.monotonic() < limit, f"it does not come to rest:\n{self.grid.text}"
            if select.select([self._fd], [], [], 0)[0]:
                if not self._read(0):
                    return
                last = None
                continue
            now = self._at_rest()
            if now is not None and now == last:
                return
            last = now
            if select.select([self._fd], [], [], QUIET)[0]:
                last = None

    def end(self) -> int:
        """Reads to the end; the exit code."""
        limit = time.monotonic() + PATIENCE
        while self._read(1.0):
            assert time.monotonic() < limit, self.grid.text
        if self._code is None:
            self._code = os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
        self._take(self._decoder.decode(b"", True), last=True)
        return self._code

    def cpu(self) -> float:
        """CPU seconds that the program has used."""
        with open(f"/proc/{self.pid}/stat", encoding="ascii", errors="replace") as file:
            fields = file.read().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def _at_rest(self) -> str | None:
        """How often the thread that paints has been woken; None while any thread or a process of its own works."""
        status = ""
        for task in os.listdir(f"/proc/{self.pid}/task"):
            try:
                with open(f"/proc/{self.pid}/task/{task}/children", encoding="ascii") as file:
                    working = file.read()
                with open(f"/proc/{self.pid}/task/{task}/status", encoding="utf-8", errors="replace") as file:
                    found = file.read()
            except OSError:
                return None
            if working.strip() or "State:\tS" not in found:
                return None
            if task == str(self.pid):
                status = found[found.rindex("\nvoluntary_ctxt_switches") :]
        return status

    def _read(self, wait: float) -> bool:
        """Reads what comes within `wait` seconds; False at the end."""
        if not select.select([self._fd], [], [], wait)[0]:
            return True
        try:
            data = os.read(self._fd, 1 << 16)
        except OSError:  # how Linux tells that the other side is closed
            return False
        self.raw += data
        try:
            self._take(self._decoder.decode(data))
        except UnicodeDecodeError as error:
            self.faults.append(f"not UTF-8: {error.object[max(0, error.start - 20) : error.end + 20]!r}")
            self._decoder.reset()
        return bool(data)

    def _take(self, data: str, *, last: bool = False) -> None:
        data = self._rest + data
        cut = len(data) if last else _complete(data)
        self._rest = data[cut:]
        found = read(data[:cut])
        self.faults += faults(found)
        self.grid.feed(found)
        self.old.feed(found)


def _complete(data: str) -> int:
    """Where what may be the beginning of an escape sequence, or of a sign of several characters, starts at the end."""
    tail = _OPEN.search(data)
    return tail.start() if tail else len(data)


@lru_cache(4096)
def _allowed(token: Token) -> bool:
    if token.kind == "csi":
        if token.data.endswith("m"):
            return _plain_colours(token.data[2:-1])
        return _CSI.fullmatch(token.data) is not None
    return token.data in ("\x1b7", "\x1b8", "\x1b]22;default\x07", "\x1b]22;text\x07", "\x1b]22;pointer\x07")


def _plain_colours(parameters: str) -> bool:
    """Colours and emphasis. Nothing that hides or blinks, and no parameter beyond its range."""
    numbers = parameters.split(";")
    if not all(number.isascii() and number.isdigit() and int(number) < 256 for number in numbers):
        return parameters == ""
    at = 0
    while at < len(numbers):
        number = int(numbers[at])
        if number in (38, 48):
            at += {"5": 3, "2": 5}.get(numbers[at + 1] if at + 1 < len(numbers) else "", 1000)
            if at > len(numbers):
                return False
            continue
        if number not in _EMPHASIS:
            return False
        at += 1
    return True


# What takes one cell in every terminal: most of what is written, so it is not measured each time.
_SINGLE = frozenset(map(chr, (*range(0x20, 0x7F), *range(0xA0, 0xAD), *range(0xAE, 0x300), *range(0x2500, 0x25FD), 0x2026)))
_EMPHASIS = frozenset({0, 1, 2, 3, 4, 7, 9, 22, 23, 24, 27, 29, 39, 49, *range(30, 38), *range(40, 48), *range(90, 98),
                       *range(100, 108)})
_CSI = re.compile(
    r"\x1b\[(?:\d+;\d+H|\d+C|\?(?:7|25|1000|1003|1004|1006|1015|1049|2004|2026)[hl]|\?(?:2026|2048)\$p|>\d+u|<u)"
)
_CONTROL = re.compile(
    r"(?P<csi>\x1b\[[0-?]*[ -/]*[@-~])"
    r"|(?P<string>(?:\x1b[\]PX^_]|[\x90\x98\x9d\x9e\x9f])[^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c))"
    r"|(?P<esc>\x1b[ -/]*[0-OQ-WYZ\\`-~])"
    r"|(?P<broken>\x1b)"
    r"|(?P<c1>[\x7f-\x9f])"
    r"|(?P<c0>\r\n|[\x00-\x1f])"
)
_OPEN = re.compile(r"(?:\x1b(?:\[[0-?]*[ -/]*)?|\r|\x1b[\]PX^_][^\x07\x1b]*|[^\x00-\x7f]+)\Z")
_NEVER = frozenset({
    *range(0x202A, 0x202F), *range(0x2060, 0x2070), 0x200B, 0x2028, 0x2029, 0x3164, 0xFFA0, 0x115F, 0x1160, 0x034F, 0xFEFF,
    0x180E, 0xE0001,
})
_CLUSTER = re.compile(
    "[\U0001f1e6-\U0001f1ff]{2}|.(?:[\ufe0f\ufe0e\U0001f3fb-\U0001f3ff\u0300-\u036f]|\u200d.)*", re.DOTALL
)
