"""The person's own editor: which words start it on a file at a line. Nothing is started here, and no shell is asked."""

from __future__ import annotations

import os
import shlex
from collections.abc import Mapping

from memdesk.core.errors import UsageError


def command(file: str, line: int | None, environ: Mapping[str, str], setting: str | None = None) -> list[str]:
    """The words that open `file` at `line` (1-based; None or 1: at its start) in the person's editor, and wait for it.

    The setting `editor.command` beats `$VISUAL` beats `$EDITOR` beats `vi`; each may carry arguments, split as a shell
    splits them. Graphical editors get their option to wait where it is missing. Raises UsageError for a command that
    cannot be split, naming where it comes from.
    """
    origin, text = _chosen(environ, setting)
    try:
        words = shlex.split(text)
    except ValueError as error:
        raise UsageError(f"{origin} cannot be read as a command: {error}.", remedy="Mend its quotes.") from None
    if not words or not words[0]:
        raise UsageError(f"{origin} names no program.", remedy="Set it to an editor, such as vim or 'code --wait'.")
    path = os.path.abspath(file)  # so that no name can be taken for an option
    name = os.path.basename(words[0]).lower().removesuffix(".exe")
    wait = _WAITS.get(name)
    if wait is not None and not set(words[1:]) & {wait, _SHORT.get(wait, wait)}:
        words.append(wait)
    if line is None or line <= 1:
        return [*words, path]
    if name in _PLUS:
        return [*words, f"+{line}", path]
    if name in _COLON:
        return [*words, f"{path}:{line}"]
    if name in _GOTO:
        return [*words, "--goto", f"{path}:{line}"]
    if name in _LINE:
        return [*words, "--line", str(line), path]
    return [*words, path]


_JETBRAINS = ("idea", "pycharm", "goland", "webstorm", "clion", "rubymine", "phpstorm", "rustrover")
_PLUS = frozenset({
    "vi", "vim", "nvim", "nvi", "view", "gvim", "mvim", "vis", "elvis", "nano", "pico", "emacs", "emacsclient", "kak", "joe",
    "jmacs", "jstar", "jove", "ne", "jed", "mg", "zile", "mcedit", "micro", "tilde", "gedit", "gnome-text-editor", "xed",
    "pluma", "mousepad",
})
_COLON = frozenset({"hx", "helix", "subl", "sublime_text", "zed", "zeditor", "lapce"})
_GOTO = frozenset({"code", "code-insiders", "codium", "vscodium", "cursor", "windsurf", "positron"})
_LINE = frozenset({"kate", "kwrite", "mate", *_JETBRAINS})
_WAITS = {
    **dict.fromkeys((*_GOTO, *_JETBRAINS, "subl", "zed", "zeditor", "mate", "gedit"), "--wait"),
    "gvim": "--nofork", "mvim": "--nofork", "kate": "--block",
}
_SHORT = {"--wait": "-w", "--nofork": "-f", "--block": "-b"}


def _chosen(environ: Mapping[str, str], setting: str | None) -> tuple[str, str]:
    if setting:
        return "The setting editor.command", setting
    for key in ("VISUAL", "EDITOR"):
        if environ.get(key, "").strip():
            return f"${key}", environ[key]
    return "The default editor", "vi"
