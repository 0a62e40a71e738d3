"""Writing a file whose git conflicts are all answered: its exact diff, then whether to stage it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memdesk.tui.dialogs.confirm import Confirm
from memdesk.tui.dialogs.planned import Planned
from memdesk.tui.panes.conflict_marks import Answers, File, request

if TYPE_CHECKING:
    from memdesk.core.plan import Receipt
    from memdesk.tui.app import Workbench


def open_resolve(bench: Workbench, file: File, answers: Answers) -> None:
    """Show what the answers make of the file; once that is written, ask whether git shall know of it."""
    desk, asked = bench.desk, request(file)

    def closed(receipt: Receipt | None) -> None:
        if receipt is not None:
            answers.forget(file.path)
            bench.after_commit(receipt)
            if desk.git is not None and receipt.id is not None:
                ask_to_stage(bench, file.path)

    bench.push_screen(Planned(f"Resolve · {file.path}", f"resolve {file.path}", lambda: desk.plan(asked)), closed)


def ask_to_stage(bench: Workbench, path: str) -> None:
    """Whether to stage a file: for git its conflict is over only then."""
    words = (
        f"{path} is written, without markers.\n\nFor git its conflict is over once the file is staged (git add). Nothing else "
        "is staged, and nothing is committed."
    )
    desk = bench.desk

    def staged(paths: list[str]) -> None:
        bench.say(f"Staged {path}." if paths else f"Staged {path}: it is as it is in HEAD.")

    def answered(yes: bool | None) -> None:
        if yes:
            bench.work(lambda: desk.stage_paths([path]), staged, doing=f"stage {path}")
        else:
            bench.say(f"Not staged. git add {path} does it.")

    bench.push_screen(Confirm("Stage it?", words, f"Stage {path}"), answered)
