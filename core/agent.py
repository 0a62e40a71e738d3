"""The external command that drafts: a prompt on its input, Markdown on its output, and limits to all that it does.

It is a program like any other, run without a shell and without a terminal. It writes no memory: what it prints is a text
that is checked and shown. However it ends, nothing that it started is left (see `processgroup` for what can't be promised).
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from time import monotonic

from memdesk.core.errors import MemdeskError
from memdesk.core.lean import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from memdesk.core.config import Settings
    from memdesk.core.processgroup import Group

REMEDY = "Nothing was changed; try again, or draft without it."
GRACE = 2.0  # seconds between the request to end and the end
LOOK = 0.05  # seconds between two looks at whether the draft is still wanted
ERRORS = 65_536  # bytes of its messages that are kept
TOLD = 300  # characters of them that an error repeats
_PIECE = 1 << 16
_PIPE = 1 << 20  # bytes that a pipe can hold
_ENDING = ("SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT")
_SHARED = frozenset({
    "PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "LANGUAGE", "TZ", "TMPDIR", "TEMP", "TMP", "TERM", "NO_COLOR",
})  # what a command of a repository sees, with LC_* and XDG_*: no token that happens to lie in the environment
_REPOSITORY = ("GIT_", "MEMDESK_")  # what belongs to this run of git or memdesk, and would mislead another


class DraftFailed(MemdeskError):
    """The command gave no draft that could be used. Nothing was changed."""


class DraftStopped(DraftFailed):
    """The draft was called off, and the command ended."""

    called_off = True


class Command(NamedTuple):
    """The command that the settings name. `origin`: file and line; `own`: the user's own file names it."""

    words: tuple[str, ...]
    origin: str
    own: bool

    @property
    def shown(self) -> str:
        """See `shown`."""
        return shown(self.words)


def configured(settings: Settings) -> Command | None:
    """The command that drafts, or None where the settings name none."""
    words = settings.agent.command
    if words is None:
        return None
    return Command(words, settings.origin("agent.command"), settings.owner("agent.command") == "user")


def shown(words: Sequence[str]) -> str:
    """A command as a person would type it, secrets masked; for an approval it is shown exactly (`approvals.Asked.exact`). Made
    inert where it is shown, as any text is."""
    import shlex

    from memdesk.core.checks.secrets import mask

    return mask(shlex.join(words))


def surroundings(environ: Mapping[str, str], own: bool) -> dict[str, str]:
    """The environment that a command gets. The user's own sees all but what belongs to this run of git and memdesk; one that
    a repository names sees no more than programs need to run."""
    kept = {name: value for name, value in environ.items() if not name.startswith(_REPOSITORY)}
    if own:
        return kept
    return {name: value for name, value in kept.items() if name in _SHARED or name.startswith(("LC_", "XDG_"))}


def program(words: Sequence[str], cwd: str, environment: Mapping[str, str]) -> str:
    """The absolute path of the program that the first word names: below `cwd`, or on the absolute folders of PATH. Raises
    DraftFailed where there is none."""
    import shutil

    name = words[0]
    if "/" in name:
        path = os.path.join(cwd, name)
        if not os.path.exists(path):
            raise _failed(f"The command {_quoted(name)} is not there.")
        if os.path.isdir(path) or not os.access(path, os.X_OK):
            raise _failed(f"The command {_quoted(name)} cannot be executed (chmod +x).")
        return path
    places = [place for place in environment.get("PATH", os.defpath).split(os.pathsep) if os.path.isabs(place)]
    found = shutil.which(name, path=os.pathsep.join(places)) if places else None
    if found is None:
        raise _failed(f"The command {_quoted(name)} is not on the PATH.")
    return found


def run(
    words: Sequence[str], prompt: str, *, cwd: str, environment: Mapping[str, str], timeout_s: float, max_bytes: int,
    stopped: Callable[[], bool] = lambda: False, now: Callable[[], float] = monotonic, grace: float = GRACE,
) -> str:
    """What the command drafts from the prompt: text with LF endings, without characters that hide or steer.

    It is given `timeout_s` seconds by the clock `now` and may print `max_bytes`; `stopped` is asked meanwhile, and a signal
    that would end memdesk ends it too. Its own end counts: what else holds its output open is not waited for. `grace`: see
    `Group.end`. Raises DraftFailed with the reason, DraftStopped.
    """
    from memdesk.core.processgroup import Group
    from memdesk.core.transaction.signals import held

    file = program(words, cwd, environment)
    with held(_ENDING) as noted:
        try:
            group = Group(words, file, cwd, environment)
        except (OSError, ValueError) as error:
            why = getattr(error, "strerror", None) or str(error)
            raise _failed(f"The command {_quoted(words[0])} cannot be started: {why}.") from None
        try:
            said = _exchange(
                group, prompt.encode("utf-8", "replace"), _Limits(now() + timeout_s, timeout_s, max_bytes), now,
                lambda: bool(noted) or stopped(),
            )
        finally:
            code = group.end(grace)
    if code != 0:
        raise _failed(f"The command {_quoted(words[0])} ended with {_ending(code)}.{_told(said.errors)}")
    return _text(said.output, said.errors)


class _Limits(NamedTuple):
    deadline: float
    seconds: float
    most: int


class _Said(NamedTuple):
    output: bytes
    errors: bytes


def _exchange(group: Group, prompt: bytes, limits: _Limits, now: Callable[[], float], stopped: Callable[[], bool]) -> _Said:
    """Gives the prompt and takes what comes, all at once, until the program has ended. Raises DraftFailed, DraftStopped."""
    import select

    rest = memoryview(prompt)
    output, errors = bytearray(), bytearray()
    poll = select.poll()
    open_pipes = {group.stdout, group.stderr}
    for pipe in open_pipes:
        poll.register(pipe, select.POLLIN)
    poll.register(group.stdin, select.POLLOUT)
    pause, late = 0.001, 0  # late: bytes that were read after its end, of what may be printed on and on by others
    while True:
        ended = group.ended()  # before the reading: what it printed is in the pipes by then
        if stopped():
            raise DraftStopped("The draft was called off; the command was ended.", remedy="Nothing was changed.")
        if now() >= limits.deadline and not ended:
            raise _failed(f"The command did not end within {limits.seconds:g} s, and was ended.{_told(bytes(errors))}")
        # With both pipes closed nothing tells of the end; it is a moment away, as a rule.
        pause = LOOK if open_pipes else min(pause * 2, LOOK)
        events = poll.poll(0 if ended else pause * 1000)
        for pipe, _ in events:
            if pipe == group.stdin:
                rest = _give(pipe, rest)
                if not rest:
                    poll.unregister(pipe)
                    group.close_stdin()
                continue
            piece = _take(pipe)
            if piece is None:
                poll.unregister(pipe)
                open_pipes.discard(pipe)
                continue
            late += len(piece) if ended else 0
            if pipe == group.stdout:
                output += piece
            else:
                errors += piece[: ERRORS - len(errors)]
        if len(output) > limits.most:
            raise _failed(f"The command printed more than {limits.most} bytes, and was ended.")
        if ended and (late > 2 * _PIPE or not any(pipe in open_pipes for pipe, _ in events)):
            return _Said(bytes(output), bytes(errors))


def _give(pipe: int, rest: memoryview) -> memoryview:
    """What is left to be written; nothing where the program does not read on."""
    try:
        return rest[os.write(pipe, rest[:_PIECE]) :] if rest else rest
    except BlockingIOError:
        return rest
    except OSError:
        return rest[:0]


def _take(pipe: int) -> bytes | None:
    """What has come; None at the end."""
    try:
        return os.read(pipe, _PIECE) or None
    except BlockingIOError:
        return b""


def _text(data: bytes, errors: bytes) -> str:
    """The output as a draft. Raises DraftFailed where it is none."""
    from memdesk.core.checks import invisible

    try:
        text = data.decode("utf-8").removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise _failed(f"The command printed what is not UTF-8 (byte {error.start}, line {line}).") from None
    if not text.strip():
        raise _failed(f"The command printed nothing.{_told(errors)}")
    for spot in invisible.hidden(text, 1):
        line, column = text.count("\n", 0, spot.at) + 1, spot.at - text.rfind("\n", 0, spot.at)
        hint = " Switch off its colours." if text[spot.at] == "\x1b" else ""
        raise _failed(f"The command printed {spot.what} at line {line}, column {column}.{hint}")
    return text


def _ending(code: int) -> str:
    if code >= 0:
        return f"exit code {code}"
    with suppress(ValueError):
        return f"signal {-code} ({signal.Signals(-code).name})"
    return f"signal {-code}"


def _told(errors: bytes) -> str:
    """The beginning of what it said about a failure, on one line, masked and inert; "" for nothing."""
    from memdesk.core.checks.secrets import brief, mask

    text = brief(_inert(mask(errors.decode("utf-8", "replace"))), TOLD)
    return f" It said: {text}" if text else ""


def _quoted(word: str) -> str:
    from memdesk.core.checks.secrets import brief

    return repr(brief(_inert(word), TOLD))


def _inert(text: str) -> str:
    """What can't be seen, spelled: errors go to logs too, past any screen."""
    return "".join(char if char.isprintable() or char in "\n\t " else f"‹U+{ord(char):04X}›" for char in text)


def _failed(message: str) -> DraftFailed:
    return DraftFailed(message, remedy=REMEDY)
