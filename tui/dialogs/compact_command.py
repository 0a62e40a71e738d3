"""A draft by the external command: asked about once where a repository names it, run in a thread of its own, called off by
Escape. It changes nothing but what is on screen, and that only where it gave a draft."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from textual.worker import get_current_worker

from memdesk.tui import text
from memdesk.tui.dialogs.confirm import Confirm

if TYPE_CHECKING:
    from memdesk.core.agent import Command
    from memdesk.core.approvals import Asked
    from memdesk.core.drafter import Drafter
    from memdesk.tui.app import Workbench

NONE = "No command drafts here: name one in your own settings ([agent] command). The draft without a model needs none."


class Drafting:
    """One run of the command. `then` gets its text, `failed` why there is none; `words` says how it goes, until it is over.
    `given`: what it gets to read, in a few words for whoever approves it."""

    def __init__(
        self, bench: Workbench, then: Callable[[str], object], failed: Callable[[Exception], bool], given: str
    ) -> None:
        self._bench, self._then, self._failed, self._given = bench, then, failed, given
        self._stop = threading.Event()
        self._since = 0.0
        self._command: Command | None = None

    @property
    def running(self) -> bool:
        return self._since > 0

    @property
    def words(self) -> str:
        """How it goes, for a line on screen."""
        if self._stop.is_set():
            return "⋯ Ending the command…"
        name = "" if self._command is None else self._command.shown
        most = self._bench.desk.settings.agent.timeout_s
        return f"⋯ {time.monotonic() - self._since:.0f} s of at most {most:g}: {name} drafts. Esc calls it off."

    def stop(self) -> None:
        """Call it off; the command is ended, with all that it started."""
        self._stop.set()

    def start(self, prompt: Callable[[], str], begun: Callable[[], object]) -> None:
        """Look which command it is, have it approved where it must be, and run it. `begun` is called when it runs; `prompt` in
        the worker."""
        bench = self._bench
        drafter = bench.desk.drafter(bench.environ)

        def found(asked: Asked | None) -> None:
            self._command = drafter.command
            if self._command is None:
                bench.say(NONE, "warning")
            elif asked is None:
                self._run(drafter, prompt, begun)
            else:
                run = partial(self._run, drafter, prompt, begun)
                ask_approval(bench, drafter, self._command, asked, run, self._given)

        bench.work(drafter.asked, found, doing="look at the command for drafts", group="drafter")

    def _run(self, drafter: Drafter, prompt: Callable[[], str], begun: Callable[[], object]) -> None:
        self._since = time.monotonic()
        self._stop.clear()

        def run() -> str:
            worker = get_current_worker()
            return drafter.draft(prompt(), lambda: self._stop.is_set() or worker.is_cancelled)

        def done(given: str) -> None:
            self._since = 0.0
            self._then(given)

        def failed(error: Exception) -> bool:
            self._since = 0.0
            return self._failed(error)

        self._bench.work(run, done, doing="draft by the command", group="drafter", otherwise=failed, turn=False)
        begun()


def ask_approval(
    bench: Workbench, drafter: Drafter, command: Command, asked: Asked, then: Callable[[], object], given: str
) -> None:
    """Show exactly what would run, and note the person's yes; without one nothing runs."""
    # Each on one line of its own: no word of a command can pass for ours.
    files = "".join(f"\n    {text.line(name)}  {digest[:16] or 'it cannot be read'}" for name, digest in asked.files.items())
    words = (
        f"{text.line(command.origin)} names a command for drafts. It would run on this machine as you, in "
        f"{text.line(asked.root)}, with {given} as its input:\n\n    {text.line(asked.exact)}\n"
        + (f"\nFiles of the workspace that it names, by what they hold now:{files}\n" if files else "")
        + "\nOnce approved, exactly this runs whenever you ask for a draft. Anything else is asked about anew."
    )

    def answered(yes: bool | None) -> None:
        if not yes:
            bench.say("Nothing was run.")
            return
        at = bench.desk.clock.stamp()
        bench.work(lambda: drafter.approve(asked, at), lambda nothing: then(), doing="note the approval", group="drafter")

    title = "Run a command that the repository names?"
    bench.push_screen(Confirm(title, words, "Approve and run it", start="cancel"), answered)
