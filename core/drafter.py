"""The command that drafts for one workspace: which it is, whether it may run, and a draft by it."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from memdesk.core import agent, approvals
from memdesk.core.agent import Command, DraftFailed
from memdesk.core.approvals import Approvals, Asked
from memdesk.core.lean import TYPE_CHECKING

if TYPE_CHECKING:
    from memdesk.core.config import Settings
    from memdesk.core.transaction.files import Files


class Unapproved(DraftFailed):
    """A command that the workspace's settings name, and nobody approved; `asked` is what there is to approve."""

    exit_code = 1

    def __init__(self, command: Command, asked: Asked) -> None:
        super().__init__(
            f"{command.origin} names a command for drafts that you have not approved ({command.shown}).",
            remedy="Nothing was run. Approve it in the workbench or at a terminal, or draft without it.",
        )
        self.asked = asked


class Drafter:
    """Drafts for the workspace at `root`. `environ`: memdesk's own, of which the command sees a part."""

    def __init__(
        self, root: str, settings: Settings, environ: Mapping[str, str], files: Files, folder: str | None = None
    ) -> None:
        """`folder`: where approvals are; None for the user's own place."""
        self._root = root
        self._settings = settings
        self._environ = environ
        self._approvals = Approvals(approvals.user_folder(environ) if folder is None else folder, files)

    @property
    def command(self) -> Command | None:
        """The command that the settings name; None where drafts are made without one."""
        return agent.configured(self._settings)

    def asked(self) -> Asked | None:
        """What a person has to approve before the command runs, as things are now; None where it may run, or there is none."""
        command = self.command
        if command is None or command.own:
            return None
        found = approvals.asked(command.words, self._root, self._surroundings(command))
        return None if self._approvals.approved(found) else found

    def approve(self, asked: Asked, at: str) -> None:
        """A person at a terminal approved exactly that; `at`: UTC. What changed since they were asked is asked anew. Raises
        Refused, WriteFailed."""
        self._approvals.approve(asked, at)

    def forget(self) -> None:
        """Takes the approval of the command back. Raises WriteFailed."""
        command = self.command
        if command is not None:
            self._approvals.forget(approvals.asked(command.words, self._root, self._surroundings(command)))

    def draft(self, prompt: str, stopped: Callable[[], bool] = lambda: False) -> str:
        """What the command makes of a prompt; see `agent.run`. It runs in the workspace's root, which relative words of it, and
        what it looks up, are meant from. Raises Unapproved, DraftStopped, DraftFailed; in all these cases nothing changed."""
        command = self.command
        if command is None:
            raise DraftFailed("The settings name no command for drafts (agent.command).", remedy="Draft without one.")
        asked = self.asked()
        if asked is not None:
            raise Unapproved(command, asked)
        limits = self._settings.agent
        return agent.run(
            command.words, prompt, cwd=self._root, environment=self._surroundings(command), timeout_s=limits.timeout_s,
            max_bytes=limits.max_bytes, stopped=stopped,
        )

    def _surroundings(self, command: Command) -> dict[str, str]:
        return agent.surroundings(self._environ, command.own)
