"""What comes from outside while the workbench is open: changed files, read-only places, interrupted transactions.

Changes are read as they happen and shown quietly; a burst of them makes one notice. Nothing depends on them: whoever
writes compares the files first.
"""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, cast

from textual import events, on
from textual.message_pump import MessagePump
from textual.timer import Timer

from memdesk.core.errors import MemdeskError
from memdesk.tui import messages
from memdesk.tui.widgets.banner import Banner

if TYPE_CHECKING:
    from memdesk.core.model import Document
    from memdesk.core.transaction import Kept
    from memdesk.tui.app import Workbench

QUIET = 0.3  # seconds without another change after which a burst is told of
LATER = 1.0  # seconds after the start at which watching begins: first comes what the person waits for
RANK = ("error", "warning", "info")


class Live(MessagePump):
    """Live reload and banners, mixed into the app so that `app.py` stays the frame."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._watching: asyncio.Task[None] | None = None
        self._changed: set[str] = set()
        self._quiet: Timer | None = None
        self._banners: dict[str, tuple[str, str]] = {}
        self._kept: set[Kept] = set()  # texts of others that were told of

    @property
    def _workbench(self) -> Workbench:
        return cast("Workbench", self)

    # Changes outside.

    def watch_stores(self) -> None:
        """Follow what others change, from now until the app ends."""
        self._workbench.set_timer(LATER, self._begin)

    def _begin(self) -> None:
        gc.freeze()  # what is there by now stays
        gc.enable()
        self._watching = asyncio.create_task(self._follow())
        self.reread(None)  # what changed before anyone watched

    async def on_unmount(self) -> None:
        if self._watching is not None:
            self._watching.cancel()
            await asyncio.gather(self._watching, return_exceptions=True)

    async def _follow(self) -> None:
        bench = self._workbench
        try:
            watcher = bench.desk.watcher(lambda words: self.banner("watch", words, "info"))
            async for paths in watcher.events():
                bench.post_message(messages.StoreChanged(frozenset(paths)))
        except (MemdeskError, OSError, RuntimeError) as error:
            self.banner("watch", f"Changes outside are not seen by themselves ({error}); ^r reads again.", "info")

    @on(messages.StoreChanged)
    def _store_changed(self, event: messages.StoreChanged) -> None:
        self.reread(event.paths)

    @on(events.AppFocus)
    def _came_back(self) -> None:
        """Whoever was away may have changed files that nothing told of."""
        self.reread(None)

    def reread(self, paths: Iterable[str] | None, then: Any = None) -> None:
        """Read what changed (None: look at all), and show it where anything differs."""
        bench, desk = self._workbench, self._workbench.desk
        chosen = None if paths is None else frozenset(paths)

        def show(found: tuple[bool, list[str]]) -> None:
            differs, names = found
            self.banner("unreadable", "")
            if differs:
                bench.refresh_panes()
                self._tell_of(names)
            if then is not None:
                then(differs)

        def read() -> tuple[bool, list[str]]:
            before = desk.workspace.documents
            differs = desk.refresh(chosen)
            after = desk.workspace.documents
            if not differs:
                return False, []
            return True, sorted(
                path for path in before.keys() | after.keys() if _data(before.get(path)) != _data(after.get(path))
            )

        bench.work(read, show, doing="read what changed", group="reread", otherwise=self._unreadable)

    def _unreadable(self, error: Exception) -> bool:
        """What was read before stays on screen, under a line that says what is wrong."""
        where = f"{error.path}:{error.line}: " if isinstance(error, MemdeskError) and error.path and error.line else ""
        remedy = f" {error.remedy}" if isinstance(error, MemdeskError) and error.remedy else ""
        words = error.message if isinstance(error, MemdeskError) else f"{type(error).__name__}: {error}"
        self.banner("unreadable", f"What is shown is older than the files. {where}{words}{remedy}", "error")
        return True

    def _tell_of(self, names: Iterable[str]) -> None:
        self._changed.update(names)
        if self._quiet is not None:
            self._quiet.stop()
        self._quiet = self._workbench.set_timer(QUIET, self._tell)

    def _tell(self) -> None:
        names = sorted(name.rsplit("/", 1)[-1] for name in self._changed)
        self._changed.clear()
        if names:
            shown = ", ".join(names[:3])
            more = f" and {len(names) - 3} more" if len(names) > 3 else ""
            self._workbench.say(f"Changed outside: {shown}{more}.")

    def look_for_kept(self) -> None:
        """Tell, once, of what an editor saved too late: to a file that had been replaced."""
        bench, desk = self._workbench, self._workbench.desk

        def show(found: list[Kept]) -> None:
            names = sorted({item.path.rsplit("/", 1)[-1] for item in found if item not in self._kept})
            self._kept |= set(found)
            if names:
                bench.say(f"Saved late, and kept apart: {', '.join(names)}. See History (6).", "warning")

        bench.work(desk.kept, show, doing="look at the history", group="kept", otherwise=lambda error: True)

    # Banners.

    def banner(self, cause: str, words: str, level: str = "warning") -> None:
        """A line at the top that stays until its cause says "". Of several the gravest shows, with how many more."""
        if words:
            self._banners[cause] = (words, level)
        else:
            self._banners.pop(cause, None)
        widgets = self._workbench.screen_stack[0].query(Banner) if self._workbench.screen_stack else ()
        for widget in widgets:
            if not self._banners:
                widget.say("")
                continue
            ranked = sorted(self._banners.values(), key=lambda item: RANK.index(item[1]))
            more = f"  (+{len(ranked) - 1} more)" if len(ranked) > 1 else ""
            widget.say(ranked[0][0] + more, ranked[0][1])


def _data(document: Document | None) -> bytes | None:
    return None if document is None else document.data
