"""Real shells that complete a line: bash and zsh at a pseudo-terminal, fish by its own question."""

from __future__ import annotations

import os
import pty
import select
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Self

from tests.support.commands import PATIENCE, environment

_START = {"bash": ["bash", "--norc", "--noprofile", "-i"], "zsh": ["zsh", "-f", "-i"]}
_SETTINGS = {
    "bash": "PS1=; shopt -u progcomp_alias",
    "zsh": (
        "PROMPT=; setopt no_beep; LISTMAX=1000; autoload -Uz compinit; compinit -D -u; zle -C every complete-word _generic; "
        "bindkey '^X*' every; zstyle ':completion:every:*' insert yes; "
        "zstyle ':completion:every::::' completer _all_matches _complete"
    ),
}
_EVERY = {"bash": "\x1b*", "zsh": "\x18*"}  # the key that puts in all that could stand at the cursor


class Shell:
    """A shell with memdesk's completions, in a folder; `memdesk` on its PATH is this very one. `tools`: a folder for it."""

    def __init__(self, name: str, folder: Path, tools: Path, env: Mapping[str, str] | None = None) -> None:
        self.name = name
        self._folder, self._tools = folder, tools
        self._env = {**environment(), "PATH": f"{tools}:{os.environ['PATH']}", "TERM": "dumb", **(env or {})}
        tools.mkdir(exist_ok=True)
        program = tools / "memdesk"
        program.write_text(f'#!/bin/sh\nexec {sys.executable} -m memdesk "$@"\n')
        program.chmod(0o755)
        made = subprocess.run([program, "completion", name], check=True, capture_output=True, env=self._env)
        self._script = tools / f"completion.{name}"
        self._script.write_bytes(made.stdout)
        self._pid = self._fd = -1

    def __enter__(self) -> Self:
        if self.name in _START:
            self._pid, self._fd = pty.fork()
            if self._pid == 0:  # pragma: no cover - the child
                os.chdir(self._folder)
                os.execvpe(self.name, _START[self.name], self._env)
            self._enter(f"{_SETTINGS[self.name]}; source '{self._script}'")
        return self

    def __exit__(self, *_: object) -> None:
        if self._pid > 0:
            os.kill(self._pid, signal.SIGKILL)
            os.waitpid(self._pid, 0)
            os.close(self._fd)

    def every(self, line: str) -> list[str]:
        """The words of the line once all that could stand at the cursor was put in, as the shell would hand them to a program;
        of fish: what it would offer, unquoted."""
        if self.name == "fish":
            code = f"source '{self._script}'; complete -C $argv[1]"
            words = ["fish", "--no-config", "-c", code, line]
            done = subprocess.run(words, cwd=self._folder, env=self._env, capture_output=True, check=True, timeout=PATIENCE)
            return [row.partition("\t")[0] for row in done.stdout.decode().splitlines()]
        return self._words(line + _EVERY[self.name])

    def tab(self, line: str, then: str = "") -> list[str]:
        """The words of the line after one Tab, and what is typed `then`, of bash and zsh."""
        return self._words(f"{line}\t{then}")

    def _words(self, keys: str) -> list[str]:
        """What the shell makes of a line that was typed so: nothing in it is run but the shell's own printf."""
        out = self._tools / "words"
        out.unlink(missing_ok=True)
        self._enter(f"{keys}\x01printf '%s\\0' \x05 > '{out}'")
        return out.read_text(encoding="utf-8", errors="surrogateescape").split("\0")[:-1]

    def _enter(self, keys: str) -> None:
        os.write(self._fd, f"{keys}; echo do''ne\n".encode())
        end, came = time.monotonic() + PATIENCE, b""
        while b"done\r\n" not in came:
            assert time.monotonic() < end, came.decode("utf-8", "replace")
            if select.select([self._fd], [], [], 0.5)[0]:
                came += os.read(self._fd, 65536)
