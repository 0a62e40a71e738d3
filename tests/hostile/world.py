"""The hostile store in a repository whose folder, branch, authors and messages mean harm too, with a past: what the
workbench is walked through on, and one that means no harm to compare it with."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterable
from datetime import datetime
from pathlib import Path

from memdesk.core.clock import Clock
from memdesk.core.desk import Desk
from memdesk.core.plan import Request
from tests.hostile.inputs import INPUTS, SMALL, Hostile
from tests.hostile.stores import together
from tests.support.stores import custodian_store, git

FOLDER = "w \x1b[31m[b] [@click=app.quit]x[b]\u202e\u200b $(touch owned)\n\U0001f468\u200d\U0001f469\u200d\U0001f467"
BRANCH = "b-$(touch${IFS}owned)`id`;'\"\u202e\u200b\udcff\x9b31m\U0001f44d\U0001f3fd"
AUTHOR = "Eve \x1b]0;owned\x07[@click=app.quit]x[/]\u202e \U0001f468\u200d\U0001f469"
NUMBERS = ("one", "three", "four", "five")
MESSAGE = "Fix \x1b[2J\x9b31m [link=file:///etc/passwd]x[/link] \u202e $(touch owned)\n\n\x1b]52;c;AA==\x07 body\n"
MARKUP = "[bold]b[/bold]"  # what is to be seen of the trap wherever there is room for it
WORDS = f"{MARKUP} [@click=app.quit]go[/] \U0001f44d\U0001f3fd\u0915\u093f\u093f"  # what a person may give for a reason
TRAP = f"{WORDS} \x1b]0;t\x07\x1b[2J\x9b31m\u202e\u200b"
MARKED = (
    f"# Marked\n\n- Kept.\n<<<<<<< {TRAP}\n- Lamps are lit at dusk {TRAP}\n||||||| base\n- Lamps are lit at ten {TRAP}\n"
    f"=======\n- Lamps are lit at noon {TRAP}\n>>>>>>> {TRAP}\n"
)


def world(folder: Path, inputs: Iterable[Hostile] = INPUTS, n: int = SMALL) -> Path:
    """The hostile workspace below `folder`; its root. Its files have two versions in git, and three actions were done."""
    root = folder / FOLDER
    root.mkdir(parents=True)
    store = together(root, inputs, n)
    _add(store / "decisions.md", f"\n## 2026-05-03 - {TRAP}\n\nDecision:\n{TRAP}\n\nReason:\n{TRAP}\n\nScope:\n{TRAP}\n")
    _add(store / "decisions.md", f"\n## 2026-05-04 - {TRAP}\n\nDecision:\nAnother {TRAP}\n\nReason:\n{TRAP}\n")
    _add(store / "do-not-use.md", f"\n## Tombstone: {TRAP}\n\nReason: {TRAP} Date: 2026-04-11.\n")
    _add(store / "areas" / "marked.md", MARKED)
    _add(store / "inbox.md", f"- two {WORDS}\n" + "".join(f"- {number} {TRAP}\n" for number in NUMBERS))
    subprocess.run(["git", "init", "-q", "-b", BRANCH], cwd=root, check=True)
    _commit(root, "Begin", AUTHOR)
    (store / "inbox.md").write_bytes((store / "inbox.md").read_bytes().replace(b"- four ", b"- fourth "))
    _commit(root, MESSAGE, AUTHOR)
    _past(root, WORDS, AUTHOR)
    return root


def benign(folder: Path, candidates: int, areas: int) -> Path:
    """A workspace of about as much that means no harm."""
    root = folder / "plain"
    texts = "".join(f"- Site {number} reports its counts late\n" for number in range(candidates - 5))
    texts += "".join(f"- {number} thing waits\n" for number in ("one", "two", "three", "four", "five"))
    names = {f"areas/part-{number}": f"# Part\n\n- Count {number}\n" for number in range(areas)}
    store = custodian_store(root, inbox=f"# Inbox\n\n{texts}", **names)
    subprocess.run(["git", "init", "-q", "-b", "main"], cwd=root, check=True)
    _commit(root, "Begin", "Ada")
    (store / "inbox.md").write_text((store / "inbox.md").read_text().replace("- four ", "- fourth "))
    _commit(root, "More", "Ada")
    _past(root, "no longer", "Ada")
    return root


def _past(root: Path, words: str, who: str) -> None:
    """A reject, a promotion and one that was taken back, with these words as reasons."""
    desk = Desk.open(str(root), clock=Clock(datetime(2026, 11, 29, 8, 0)), user_config=None)
    for verb, start, given in (
        ("reject", "- one ", {"reason": words}), ("promote", "- two ", {"to": "constraints"}), ("strike", "- three ", {}),
    ):
        entry = next(entry for entry in desk.candidates() if entry.text.startswith(start))
        receipt = desk.perform(Request(verb, (entry.id,), given, person=True), who)
    desk.commit(desk.undo(receipt.id), who)


def _add(path: Path, text: str) -> None:
    with open(path, "a", encoding="utf-8", newline="") as file:
        file.write(text)


def _commit(root: Path, message: str, author: str) -> None:
    git(root, "add", "-A")
    dated = dict.fromkeys(("GIT_AUTHOR_DATE", "GIT_COMMITTER_DATE"), "2026-11-01T08:00:00Z")
    subprocess.run(
        ["git", "commit", "-q", "-F", "-"], cwd=root, check=True, input=message.encode("utf-8", "surrogateescape"),
        env={**os.environ, "GIT_AUTHOR_NAME": author, "GIT_COMMITTER_NAME": author, **dated},
    )
