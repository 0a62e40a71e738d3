"""The pre-commit hook of a clone: where git looks for it, what it says, and whether it may be made. Another's hook is never
touched: the line that it needs is named instead.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from memdesk.core.errors import Refused
from memdesk.core.plan import Plan, Request, Step

if TYPE_CHECKING:
    from memdesk.core.git import Git
    from memdesk.core.transaction.files import Files

NAME = "pre-commit"
CALL = "memdesk --check --staged --quiet"
LINE = f"{CALL} || exit 1"  # what a hook of somebody else needs
LARGEST = 1 << 20  # bytes of a hook that are looked at

_HEAD = """\
#!/bin/sh
# memdesk: checks the memory that is to be committed. 'memdesk init --hook' made this file; delete it to take that back.
"""
_FIRST = "set -- "
_FALLBACK = '[ -x "$1" ] || set -- memdesk\n'
_REST = """\
"$@" --check --staged --quiet && exit 0
code=$?
if ! "$@" --version >/dev/null 2>&1; then
    echo "memdesk can't be run here, so the memory in this commit was NOT checked." >&2
    echo "Install it, then run 'memdesk init --hook' again; or delete $0." >&2
    exit 0
fi
if [ "$code" -eq 2 ]; then  # a branch without any memory may be committed to
    case $("$@" stores --format json 2>/dev/null) in
    *'"stores": []'*'"not_recognised": []'*) exit 0 ;;
    esac
fi
exit "$code"
"""
# Programs that make hooks themselves: what their hook says, and where the call belongs instead.
_MANAGERS = (
    (b"pre-commit.com", "pre-commit", (".pre-commit-config.yaml",), "name memdesk in .pre-commit-config.yaml (docs/ci.md)"),
    (
        b"lefthook", "lefthook", ("lefthook.yml", ".lefthook.yml", "lefthook.yaml", ".lefthook.yaml", "lefthook.toml"),
        f"add this call to its settings: {CALL}",
    ),
)


class Hook(NamedTuple):
    """The hook that is to be. `path`: absolute; `shown`: for people, from the checkout's top where it is below it; `before`:
    what is there and memdesk's own, None for nothing; `runs`: it calls memdesk already, so that nothing is left to do;
    `shared`: it lies in the checkout, so that a commit takes it to other clones."""

    path: str
    shown: str
    before: bytes | None
    after: bytes
    runs: bool
    shared: bool

    def plan(self, request: Request) -> Plan:
        """What would be written, to be shown. It is no transaction: git's own folder is not the workspace's."""
        if self.runs:
            return Plan(request, f"{self.shown} runs memdesk already.", "Nothing to change", ())
        step = Step("create" if self.before is None else "replace", self.shown, self.before, self.after)
        return Plan(request, f"Made the hook {self.shown}.", f"Make the hook {self.shown}", (step,))


def look(git: Git, program: Sequence[str]) -> Hook:
    """The hook of a checkout. `program`: how memdesk is started here. Raises Refused where somebody else's is, or where git's
    hooks are not this repository's alone; GitError where git can't be asked."""
    named = os.fsdecode(git.run(["rev-parse", "--git-path", f"hooks/{NAME}"]).rstrip(b"\n"))
    folder = os.path.normpath(os.path.dirname(os.path.join(git.root, named)))
    if os.path.lexists(folder) and not os.path.isdir(folder):
        raise Refused(
            f"git looks for hooks in {folder}, which is no folder: it runs none here.",
            remedy="See where that comes from: git config --show-origin --get core.hooksPath.",
        )
    handed_on = os.path.basename(folder) == "_" and os.path.isfile(os.path.join(folder, "h"))
    if handed_on:  # husky: its own hooks in there run those of the folder above, executable or not
        folder = os.path.dirname(folder)
    real = os.path.realpath(folder)
    own = _inside(real, os.path.realpath(git.common_dir))
    shared = not own and _inside(real, os.path.realpath(git.toplevel))
    if not own and not shared:
        raise Refused(
            f"git looks for hooks in {folder}, outside of this repository: one there would run in others too.",
            remedy=f"Give this one hooks of its own (git config core.hooksPath .git/hooks), or add there: {LINE}",
        )
    path = os.path.join(folder, NAME)
    shown, after = _shown(git, path), script(program, shared=shared)
    if not os.path.lexists(path):
        return Hook(path, shown, None, after, False, shared)
    before = _read(path)
    run = handed_on or os.access(path, os.X_OK)
    ours = before is not None and is_ours(before) and not os.path.islink(path)
    if before is not None and run and (before == after if ours else _calls(git, before)):
        return Hook(path, shown, before, after, True, shared)
    if before is None or not ours:
        raise Refused("There is a hook already, and it stays as it is.", path=shown, remedy=_remedy(before))
    return Hook(path, shown, before, after, False, shared)


def script(program: Sequence[str], *, shared: bool) -> bytes:
    """The hook's text. That of one clone names memdesk by its absolute path, since programs with windows often start git
    without the PATH of a shell; one that other clones get by its name alone."""
    from shlex import quote

    first = "set -- memdesk\n" if shared else f"{_FIRST}{' '.join(quote(word) for word in program)}\n{_FALLBACK}"
    return os.fsencode(_HEAD + first + _REST)


def is_ours(text: bytes) -> bool:
    """Whether memdesk wrote all of it: for whichever program, and nobody changed it since."""
    if text == script((), shared=True):
        return True
    head, rest = os.fsencode(_HEAD + _FIRST), os.fsencode(_FALLBACK + _REST)
    middle = text[len(head) : len(text) - len(rest)]
    return text.startswith(head) and text.endswith(rest) and middle.endswith(b"\n") and middle.count(b"\n") == 1


def make(hook: Hook, files: Files) -> None:
    """Writes the hook, whole and executable. One that came in between stays: raises Refused then, and WriteFailed."""
    from contextlib import suppress

    from memdesk.core.transaction.problems import failure

    folder = os.path.dirname(hook.path)
    temporary = f"{hook.path}.memdesk-{os.getpid()}"
    try:
        os.makedirs(folder, exist_ok=True)
        with suppress(OSError):
            files.unlink(temporary)  # of a memdesk that was killed
        files.write(temporary, hook.after, 0o777)
        files.fsync(temporary)
        if hook.before is None:
            files.rename_new(temporary, hook.path)
        else:
            files.rename(temporary, hook.path)
        files.fsync_dir(folder)
    except FileExistsError:
        raise Refused("A hook came there meanwhile, and it stays as it is.", path=hook.shown, remedy="Try again.") from None
    except OSError as error:
        raise failure(error, hook.shown, "No hook was made.") from error
    finally:
        with suppress(OSError):
            files.unlink(temporary)


def _calls(git: Git, text: bytes) -> bool:
    """Whether a hook of somebody else, or what it reads, names memdesk's check."""
    if _names(text):
        return True
    files = next((files for sign, _, files, _ in _MANAGERS if sign in text), ())
    return any(b"memdesk" in (_read(os.path.join(git.toplevel, file)) or b"") for file in files)


def _names(text: bytes) -> bool:
    rows = (row.strip() for row in text.split(b"\n"))
    return any(b"memdesk" in row and b"check" in row for row in rows if not row.startswith(b"#"))


def _remedy(text: bytes | None) -> str:
    if text is not None and _names(text):
        return "It runs memdesk, but git runs a hook only where it is executable: chmod +x."
    made = next(((name, remedy) for sign, name, _, remedy in _MANAGERS if sign in (text or b"")), None)
    return f"{made[0]} made it: {made[1]}." if made else f"Add this line to it: {LINE}"


def _read(path: str) -> bytes | None:
    """A hook's text, its links followed; None where it is no file that can be read."""
    try:
        if not os.path.isfile(path):
            return None
        with open(path, "rb") as stream:
            return stream.read(LARGEST)
    except OSError:
        return None


def _inside(path: str, folder: str) -> bool:
    return path.startswith(folder.rstrip(os.sep) + os.sep) or path == folder


def _shown(git: Git, path: str) -> str:
    return os.path.relpath(path, git.toplevel) if _inside(path, git.toplevel) else path
