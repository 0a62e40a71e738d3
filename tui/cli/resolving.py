"""`memdesk resolve`: a memory file with git's conflict markers, entry by entry; answers from options, or asked one by one."""

from __future__ import annotations

import os
from argparse import Namespace
from typing import TYPE_CHECKING

from memdesk.core.errors import UsageError
from memdesk.core.plan import Request
from memdesk.tui.cli import deciding
from memdesk.tui.cli.asking import at_terminal, choose, confirm
from memdesk.tui.cli.output import cell, say

if TYPE_CHECKING:
    from memdesk.core.desk import Desk
    from memdesk.core.resolving import Marked, Part

SIDES = ("ours", "theirs", "both")


def resolve(desk: Desk, args: Namespace) -> int:
    """Resolves a file; stages it where that is asked for. Raises MemdeskError."""
    path = _path(desk, args.path)
    marked = desk.marks(path)
    words = {"of": marked.digest, **_answers(args, marked)}
    asking = at_terminal() and not args.yes and not args.dry_run
    for part in marked.parts if asking else ():
        if str(part.number) not in words and not _ask(desk, marked, part, words):
            return deciding.declined(args)
    code = deciding.act(desk, args, Request("resolve", (path,), words))
    done = desk.workspace.documents.get(path)
    if code != 0 or args.dry_run or done is None or done.problem is not None:
        return code
    ask = f"Stage it, so that git takes it for merged (git add {cell(path)})?"
    if args.stage or (asking and desk.git is not None and confirm(ask, default=False)):
        staged = desk.stage_paths([path])
        if not args.quiet:
            say(f"Staged {', '.join(map(cell, staged))}." if staged else "It is as it is in HEAD: nothing had to be staged.")
    return code


def _path(desk: Desk, given: str) -> str:
    """A memory file's path in the workspace, given as that or from here."""
    if given in desk.workspace.documents:
        return given
    here = os.path.relpath(os.path.realpath(given), os.path.realpath(desk.root)).replace(os.sep, "/")
    return here if here in desk.workspace.documents else given


def _answers(args: Namespace, marked: Marked) -> dict[str, str]:
    """The request's words by what the options say. Raises UsageError."""
    words: dict[str, str] = {}
    for item in args.part:
        number, separator, side = item.partition("=")
        if not separator or not number.isdecimal():
            raise UsageError(f"--part {item!r} is not N=SIDE.", remedy="Write --part 1=ours.")
        if side not in SIDES:
            known = f"Known: {', '.join(SIDES)}; a text of your own is --text N=TEXT."
            raise UsageError(f"--part {item!r}: there is no side {side!r}.", remedy=known)
        words[str(int(number))] = side
    for item in args.text:
        number, separator, text = item.partition("=")
        if not separator or not number.isdecimal():
            raise UsageError(f"--text {item!r} is not N=TEXT.", remedy="Write --text '1=- the new text'.")
        words |= {str(int(number)): "edited", f"text{int(number)}": text}
    if args.take is not None:
        words = {str(part.number): args.take for part in marked.parts} | words
    return words


def _ask(desk: Desk, marked: Marked, part: Part, words: dict[str, str]) -> bool:
    """Shows a part and asks for it; False where nobody answers."""
    title = cell(part.heading) or "text between entries"
    say("", f"{cell(marked.path)}:{part.line}  {title}  ({part.number} of {len(marked.parts)})")
    for side, label, data in (("ours", part.ours_label, part.ours), ("theirs", part.theirs_label, part.theirs)):
        say(f"{side} ({cell(label)}):" if data.strip() else f"{side} ({cell(label)}): not there")
        for line in _text(data).split("\n") if data.strip() else ():
            say(f"  │ {line}".rstrip())
    choices = [("ours", "take ours"), ("theirs", "take theirs"), ("both", "keep both, ours first"), ("edit", "edit the text")]
    if not (part.ours.strip() and part.theirs.strip()):
        del choices[2]
    answer = choose("What becomes of it?", tuple(choices))
    if answer is None:
        return False
    if answer == "edit":
        from memdesk.tui.editing import edit_text

        draft = "\n\n".join(text for text in (_text(part.ours), _text(part.theirs)) if text) + "\n"
        edited = edit_text(draft, desk.settings)
        words |= {str(part.number): "edited", f"text{part.number}": draft if edited is None else edited}
    else:
        words[str(part.number)] = answer
    return True


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace").replace("\r\n", "\n").strip("\n")
