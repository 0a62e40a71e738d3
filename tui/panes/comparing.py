"""What the Context pane does about a comparison of packs, in the place of the pack: mixed into it so that it stays short."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual import on

from memdesk import styles
from memdesk.core.errors import UnknownEntry
from memdesk.tui import messages
from memdesk.tui.allowed import Situation
from memdesk.tui.panes.against import Against
from memdesk.tui.panes.base import Judging

if TYPE_CHECKING:
    from memdesk.core.model import Entry

IDLE = dict.fromkeys(("choose", "path"), "That is for the pack; what every task's pack gains and loses is shown.")
LABELS = {"against": "The pack", "copy-pack": "Copy as a comment"}


class Comparing(Judging):
    """A pane that shows a pack, or in its place what a branch changes in every pack."""

    def __init__(self) -> None:
        super().__init__()
        self._comparison: Against | None = None  # made when it is first asked for
        self._behind = False  # the pack is older than the files: it was not shown as they changed

    @property
    def against(self) -> Against | None:
        """The comparison, while it is shown."""
        return self._comparison if self.has_class("-against") else None

    @property
    def task_name(self) -> str:
        """The task whose pack is shown: that is looked at first."""
        return ""

    def compared(self, against: Against) -> Entry | None:
        """The entry that is selected in a comparison, while it is in the reading at hand."""
        try:
            return self.bench.desk.workspace.find(against.ident) if against.ident else None
        except UnknownEntry:
            return None  # it is another by now: packs are compared anew

    def situation(self) -> Situation:
        found, against = super().situation(), self.against
        if against is None:
            return found
        place = bool(against.spot or against.gone or against.copied)
        return found._replace(place=place, idle=IDLE, labels={**found.labels, **LABELS}, offered={"base": ""})

    def do_against(self) -> None:
        if self.against is not None:
            self.show_pack()
            return
        self.remove_class("-evidence", "-reading")
        self.add_class("-against")
        if self._comparison is None:
            self.bench.read_styles(styles.paths(["against"]))
            self._comparison = Against(self.task_name)
            self.mount(self._comparison)
        else:
            self._comparison.open(self.task_name)
        self.changed()

    def do_base(self) -> None:
        if self.against is None:
            self.do_against()
        if self._comparison is not None:
            self._comparison.ask_base()

    @on(Against.Closed)
    def show_pack(self) -> None:
        """The pack in the place of a comparison, as it is by now."""
        if self.against is None:
            return
        self.against.close()
        self.remove_class("-against", "-reading")
        if self._behind:
            self.refresh_from(self.bench.desk)
        self.take_focus()
        self.changed()

    def look_again(self) -> bool:
        """Compare anew where a comparison is shown, and leave the pack for later; False where it is shown itself."""
        self._behind = self.against is not None
        if self.against is not None:
            self.against.begin()
        return self._behind

    def copy_comparison(self, against: Against) -> None:
        """The comment for a pull request."""
        from memdesk.tui.report.packdiff import markdown

        found = against.found
        if found is None or found.made is None or found.base is None:
            self.bench.say("There is no comparison to copy.", "warning")
            return
        name = f"the merge base with {found.base.name}" if found.base.left else found.base.name
        told = markdown(found.made._replace(base=name))
        self.post_message(messages.CopyText(told, f"what changes against {found.base.name}, for a pull request"))

    def do_open(self) -> None:
        if self.spot is not None:
            self.post_message(messages.OpenPath(*self.spot))
        else:
            self._say_gone()

    def do_loads(self) -> None:
        if self.spot is not None:
            self.bench.do_loads()
        else:
            self._say_gone()

    def _say_gone(self) -> None:
        """Why there is no place to go to."""
        if self.against is not None:
            self.bench.say(self.against.gone or "That is no place in a file.", "warning")
