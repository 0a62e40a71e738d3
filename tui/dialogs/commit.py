"""Stage and commit just the files of this session's actions, with a message made from the verdicts."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal, Vertical
from textual.screen import ModalScreen
from textual.widgets import Button, Static

from memdesk.core.errors import MemdeskError
from memdesk.core.lean import NamedTuple
from memdesk.tui import text
from memdesk.tui.widgets.diffview import DiffView, diff_lines
from memdesk.tui.widgets.form import ManyLines
from memdesk.tui.widgets.paint import Piece
from memdesk.tui.widgets.reading import Para, Reading

if TYPE_CHECKING:
    from memdesk.core.desk import Desk
    from memdesk.core.unmerged import UnderWay
    from memdesk.tui.app import Workbench


class Proposal(NamedTuple):
    """What would be committed: each file with its diff against HEAD, the message, and the branch. In the middle of a merge or
    the like (`begun`) nothing is, and the files can be staged alone."""

    diffs: tuple[tuple[str, str], ...]
    message: str
    branch: str
    begun: UnderWay | None = None


class Commit(ModalScreen[None]):
    """The message, the exact diff against HEAD, and what to do with it."""

    BINDINGS = [
        Binding("escape", "leave", "Cancel"),
        Binding("ctrl+s", "commit", "Commit"),
        Binding("pageup", "page(-1)", "Diff up", show=False),
        Binding("pagedown", "page(1)", "Diff down", show=False),
    ]

    def __init__(self, proposal: Proposal) -> None:
        super().__init__()
        self._proposal = proposal
        self._message = ManyLines(text.inert(proposal.message).rstrip("\n"), sends=False)
        self._message.id = "commit-message"
        self._busy = False

    @property
    def bench(self) -> Workbench:
        return cast("Workbench", self.app)

    def compose(self) -> ComposeResult:
        proposal = self._proposal
        files = f"{len(proposal.diffs)} file{'' if len(proposal.diffs) == 1 else 's'}"
        where = f" on {proposal.branch}" if proposal.branch else ""
        begun = proposal.begun
        with Vertical(classes="dialog large verdict commit"):
            title = f"Stage · {files}{where} · {begun.what} is under way" if begun else f"Stage and commit · {files}{where}"
            yield Static(text.content_line(title), classes="dialog-title")
            if begun is None:
                yield self._message
            yield DiffView(id="commit-diff")
            with Horizontal(classes="dialog-buttons"):
                if begun is None:
                    yield Button(
                        text.content_line(f"Commit {files}{where} (^s)"), id="commit-yes", variant="primary", compact=True
                    )
                yield Button("Stage only", id="commit-stage", compact=True)
                yield Button("Cancel (Esc)", id="commit-no", compact=True)

    def on_mount(self) -> None:
        begun = self._proposal.begun
        words = "Whole files are committed, nothing else: look for changes that are not yours."
        if begun is not None:
            words = f"Stage the files here, then end {begun.what} yourself: {begun.finish}. A commit now would be half of it."
        lines = [Para((Piece(words, "dim"),))]
        for path, diff in self._proposal.diffs:
            lines += [Para(), *diff_lines(path, diff)]
        self.query_one(DiffView).show(lines, "commit")
        self.query_one("#commit-yes" if begun is None else "#commit-stage", Button).focus()

    def action_commit(self) -> None:
        if self._proposal.begun is not None:
            self.bench.say(f"End it yourself: {self._proposal.begun.finish}.", "warning")
            return
        message = self._message.text
        if not message.strip():
            self._message.focus()
            self.bench.say("A commit needs a message.", "warning")
            return
        desk = self.bench.desk
        self._run(lambda: f"Committed as {desk.commit_git(message)}.", "commit")

    def action_stage(self) -> None:
        desk = self.bench.desk
        self._run(lambda: f"Staged {len(desk.stage())} files; nothing is committed.", "stage")

    def _run(self, do: object, doing: str) -> None:
        if self._busy:
            return
        self._busy = True

        def done(words: str) -> None:
            self.dismiss(None)
            self.bench.say(words)
            self.bench.refresh_panes()

        self.bench.work(do, done, doing=doing, group="git", otherwise=self._failed)  # type: ignore[arg-type]

    def _failed(self, error: Exception) -> bool:
        """The dialog stays, with the message as it was typed; the app says why, in git's or the hook's own words."""
        self._busy = False
        return False

    def action_page(self, by: int) -> None:
        view = self.query_one(DiffView)
        view.action_page_down() if by > 0 else view.action_page_up()

    @on(Reading.Left)
    def action_leave(self) -> None:
        if not self._busy:
            self.dismiss(None)

    @on(Button.Pressed)
    def _pressed(self, event: Button.Pressed) -> None:
        event.stop()
        acts = {"commit-yes": self.action_commit, "commit-stage": self.action_stage, "commit-no": self.action_leave}
        acts[event.button.id or ""]()


def proposal(desk: Desk) -> Proposal:
    """What this session's actions left to commit. Raises GitError."""
    import os

    from memdesk.core.diff import unified
    from memdesk.core.transaction import REAL

    assert desk.git is not None
    head = desk.git.head
    diffs: list[tuple[str, str]] = []
    for path in desk.touched():
        before = desk.git.show(head, path) if head is not None else None
        try:
            after: bytes | None = REAL.read(os.path.realpath(os.path.join(desk.root, path)))
        except FileNotFoundError:
            after = None
        except OSError as error:
            raise MemdeskError(f"It cannot be read: {error.strerror}.", path=path) from None
        if before != after:
            diffs.append((path, unified(path, before, after)))
    return Proposal(tuple(diffs), desk.commit_message(), desk.git.branch or "", desk.under_way)


def open_commit(bench: Workbench) -> None:
    """Read what there is to commit, and open the dialog on it, or say why there is nothing."""
    desk = bench.desk
    if not desk.session:
        bench.say("Nothing to commit: no action was carried out since memdesk was opened, or since the last commit.")
        return

    def show(found: Proposal) -> None:
        if found.diffs:
            bench.push_screen(Commit(found))
        else:
            bench.say("Nothing to commit: the files of this session's actions are as they are in HEAD.")

    bench.work(lambda: proposal(desk), show, doing="look at what there is to commit", group="git")
