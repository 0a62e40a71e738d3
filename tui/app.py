"""The workbench: its frame, its panes, and how an action reaches the one that carries it out."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Mapping, Sequence
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, NamedTuple

from textual import events, on
from textual.app import App, ComposeResult
from textual.binding import Binding
from textual.containers import Container
from textual.driver import Driver
from textual.filter import Monochrome, NoColor

from memdesk import styles
from memdesk.core import layouts
from memdesk.core.errors import MemdeskError
from memdesk.tui import anchor, keymaps, messages, panes, text, themes, verbs
from memdesk.tui.acts import Acts, Given
from memdesk.tui.ahead import Ahead
from memdesk.tui.allowed import Situation
from memdesk.tui.counting import Counting
from memdesk.tui.live import Live
from memdesk.tui.panes.base import Pane
from memdesk.tui.waiting import Waiter, Waits
from memdesk.tui.widgets.banner import Banner
from memdesk.tui.widgets.footer import Footer, Key
from memdesk.tui.widgets.header import Header, PaneTab
from memdesk.tui.widgets.meters import Meters
from memdesk.tui.widgets.paint import Painter
from memdesk.tui.works import Works

if TYPE_CHECKING:
    from memdesk.core.desk import Desk
    from memdesk.core.model import Budget
    from memdesk.core.transaction import Pending
    from memdesk.tui.dialogs.compact_sheet import Wanted
    from memdesk.tui.dialogs.lessons import Lessons

FULL_HEIGHT = 24  # lines of a screen on which toasts may stand above each other


class Around(NamedTuple):
    """What the frame shows: git's branch, the budgets, why nothing can be written, what can be undone, what was interrupted.

    `unread`: the files and folders that could not be read; `trouble`: why history and transactions could not.
    """

    branch: str
    budgets: Sequence[Budget]
    read_only: str
    undoable: bool
    pending: Sequence[Pending]
    unread: Sequence[MemdeskError] = ()
    trouble: str = ""


class Workbench(Acts, Live, Ahead, Works, Waits, Counting, App[int]):
    """memdesk on one workspace. `desk` is open already; what is slow to read is read after the first paint.

    `watch`: follow what others change (tests say what changed themselves).
    """

    CSS_PATH = list[str | PurePath](styles.paths())
    TITLE = "memdesk"
    ENABLE_COMMAND_PALETTE = False  # `do_palette` opens it, with our own commands alone
    HORIZONTAL_BREAKPOINTS = [(0, "-tiny"), (60, "-narrow"), (100, "-wide")]
    BINDINGS = [
        *keymaps.bindings(None),
        *(Binding(str(seat.number), f"pane('{seat.name}')", seat.title, show=False) for seat in panes.SEATS),
        Binding(keymaps.ALWAYS_QUIT, "verb('quit')", "Quit", show=False, priority=True),
    ]

    def __init__(
        self, desk: Desk, pane: str | None = None, environ: Mapping[str, str] = os.environ, watch: bool = False
    ) -> None:
        super().__init__()
        self.watch_outside = watch
        self.desk = desk
        self.environ = environ
        self.turn = threading.RLock()  # held by whoever calls the desk
        self.waiter = Waiter(self)
        desk.wait_with(self.waiter)
        self.current = pane if pane and panes.seat_of(pane) else panes.SEATS[0].name
        self.fault: BaseException | None = None  # what ended the app
        self.at_hangup: list[Callable[[], object]] = []  # what has to be removed where the terminal goes away
        self.key_time = 0.0  # when the newest key was pressed, monotonic
        self.other_keys = 0  # keys pressed so far that were not Enter
        self.branch = ""
        self.undoable = True
        self.lessons: dict[tuple[str, str, str], Lessons] = {}  # what a command proposed, by store and feature
        self.drafts: dict[tuple[str, str, str], Wanted] = {}  # of memories, by store and feature: what was not accepted yet
        self.given: list[Given] = []  # the verdicts of this session that are not taken back, oldest first
        self.around: Around | None = None
        self.read_only = ""  # why nothing can be written, as it was when it was last looked at
        self.pending = False  # a transaction was interrupted
        for theme in themes.THEMES:
            self.register_theme(theme)
        self.theme = themes.choose(_theme(desk), environ)
        if self.no_color:  # Textual's grey is not "no colour": it is unreadable (research: tui-anchors 6.9)
            self._filters = [NoColor() if isinstance(each, Monochrome) else each for each in self._filters]
        self.keymap_: dict[str, str] = keymaps.checked_keymap(dict(getattr(desk.settings, "keymap", None) or {}))
        self.set_keymap(self.keymap_)

    # The frame.

    def get_driver_class(self) -> type[Driver]:
        return anchor.driver(super().get_driver_class())

    def compose(self) -> ComposeResult:
        yield Header()
        yield Banner(id="banner")
        yield Container(id="panes")
        yield Meters(near=_near(self.desk))
        yield Footer()

    def on_mount(self) -> None:
        self.theme_changed_signal.subscribe(self, self._repaint)
        if not self.is_headless:
            self.obey_signals()
        self.show_pane(self.current)
        if self.watch_outside:
            self.watch_stores()

    def _repaint(self, theme: object) -> None:
        """What we draw ourselves knows no stylesheet: draw it again in the new theme."""
        for screen in self.screen_stack:
            for widget in screen.query("*"):
                if isinstance(widget, Painter):
                    widget.refresh()

    def look_around(self) -> None:
        """Read the branch, the budgets and what stands in the way of writing; then the frame shows them."""
        desk = self.desk

        def read() -> Around:
            branch = (desk.git.branch or "") if desk.git is not None else ""
            workspace, why = desk.workspace, why_read_only(desk)
            found = Around(branch, workspace.budgets(), why, False, (), workspace.unreadable())
            try:
                undoable = any(each.undoable and each.undoes is None for each in desk.history())
                return found._replace(undoable=undoable, pending=desk.pending())
            except MemdeskError as error:  # memory can be read and judged all the same
                return found._replace(trouble=str(error))

        def show(found: Around) -> None:
            self.around = found
            self.branch, self.undoable, self.read_only, self.pending = (
                found.branch,
                found.undoable,
                found.read_only,
                bool(found.pending),
            )
            self.query_one(Header).set_place(os.path.basename(os.path.abspath(desk.root)) or desk.root, self.branch)
            self.query_one(Meters).set_budgets(found.budgets)
            self.banner("read-only", f"Read-only: {self.read_only}" if self.read_only else "")
            names = "; ".join(item.summary or item.id for item in found.pending)
            key = keymaps.shown_key(verbs.BY_ID["recover"], self.keymap_)
            again = keymaps.shown_key(verbs.BY_ID["refresh"], self.keymap_)
            more = f" (and {len(found.unread) - 1} more)" if len(found.unread) > 1 else ""
            self.banner("unread", f"Not read ({again} tries again): {found.unread[0]}{more}" if found.unread else "", "error")
            self.banner("state", f"The history cannot be read: {found.trouble}" if found.trouble else "", "error")
            self.banner("pending", f"Interrupted ({key} recovers it): {names}" if names else "", "error")
            self.refresh_frame()
            self.count_soon()

        self.work(read, show, doing="read the workspace", group="look")
        self.look_for_kept()

    def refresh_frame(self) -> None:
        """Tabs and footer, from what is selected and allowed now."""
        tabs = tuple(PaneTab(seat.name, seat.number, seat.title, self.count(seat.name)) for seat in panes.SEATS)
        self.query_one(Header).set_tabs(tabs, self.current)
        pane = self.pane
        situation = pane.situation() if pane else self.situation()
        self.query_one(Footer).set_keys(tuple(
            Key(verb.id, keymaps.shown_key(verb, self.keymap_), verbs.label(verb, situation), not verb.refuse(situation))
            for verb in verbs.in_footer(self.current, situation)
        ))

    # Panes.

    @property
    def pane(self) -> Pane | None:
        """The pane that is shown."""
        return (
            next(iter(self.screen_stack[0].query(f"#pane-{self.current}").results(Pane)), None) if self.screen_stack else None
        )

    def show_pane(self, name: str) -> None:
        """Show a pane; it is made when it is first asked for."""
        seat = panes.seat_of(name)
        if seat is None:
            return
        self.current = name
        holder = self.query_one("#panes", Container)
        for other in holder.query(Pane):
            other.display = other.name_ == name
        pane = self.pane
        if pane is None:
            pane = panes.make(seat)
            self.read_styles(styles.paths([name]))
            holder.mount(pane)
            self.call_later(self._first_look, pane)
        else:
            if pane.stale:
                self.freshen(pane)
            pane.take_focus()
        self.refresh_frame()

    def freshen(self, pane: Pane) -> None:
        """Let a pane show what the desk holds now."""
        pane.stale = False
        pane.refresh_from(self.desk)

    def _first_look(self, pane: Pane) -> None:
        self.freshen(pane)
        if self.around is None:
            self.look_around()  # after what the person waits for

    def refresh_panes(self) -> None:
        """Let every pane show what the desk holds now."""
        for pane in self.screen_stack[0].query(Pane):
            if pane.display or pane.eager:
                pane.refresh_from(self.desk)
            else:
                pane.stale = True
        self.look_around()
        for screen in self.screen_stack[1:]:
            stores_changed = getattr(screen, "stores_changed", None)
            if stores_changed is not None:
                stores_changed()

    def read_styles(self, paths: Sequence[str]) -> None:
        """Read stylesheets that are not read yet, before what they style is mounted."""
        new = [path for path in paths if not self.stylesheet.has_source(path)]
        for path in new:
            self.stylesheet.read(path)

    def push_screen(self, *args: Any, **kwargs: Any) -> Any:
        """Every dialog comes by here: their stylesheets are read with the first."""
        if self._screen_stack:  # the first is the frame's own
            self.clear_notifications()  # a toast would lie on the dialog's buttons
            self.read_styles(styles.others(seat.name for seat in panes.SEATS))
            if self.waiter.told:
                self.call_later(self.show_wait)
        return super().push_screen(*args, **kwargs)

    def action_pane(self, name: str) -> None:
        self.show_pane(name)

    @on(Header.Chosen)
    def _tab_clicked(self, event: Header.Chosen) -> None:
        self.run_verb("help") if event.name == "?" else self.show_pane(event.name)

    @on(Footer.Chosen)
    def _footer_clicked(self, event: Footer.Chosen) -> None:
        self.run_verb(event.ident)

    @on(messages.SituationChanged)
    def _situation_changed(self) -> None:
        self.refresh_frame()

    # Actions.

    def situation(self) -> Situation:
        """What the state of the whole workbench allows."""
        return Situation(
            self.current, read_only=self.read_only, undoable=self.undoable or bool(self.given), git=self.desk.git is not None,
            pending=self.pending, knows=known(self.desk),
        )

    def action_verb(self, ident: str) -> None:
        self.run_verb(ident)

    def run_verb(self, ident: str) -> None:
        """Carry out an action of the registry, or say why not."""
        verb, pane = verbs.BY_ID[ident], self.pane
        if verb.panes and (pane is None or self.current not in verb.panes):
            return
        situation = pane.situation() if pane else self.situation()
        why = verb.refuse(situation)
        if why:
            self.let_keys_go()
            self.say(why, "warning")
            return
        if verb.group == "Verdicts" and verb.panes and pane is not None and self.key_time < pane.painted_at():
            self.let_keys_go()
            return  # pressed before the entry that it would act on was on screen
        name = "do_" + ident.replace("-", "_")
        method = getattr(pane, name, None) or getattr(self, name, None)
        if method is not None:
            method()

    async def on_event(self, event: events.Event) -> None:
        if self.calls_off(event) or self.keeps(event):
            return
        if isinstance(event, (events.Key, events.MouseDown)):
            self.key_time = event.time
            self.other_keys += not (isinstance(event, events.Key) and event.key == "enter")
        opens = self.opens(event)
        await super().on_event(event)
        if opens:
            self.hold_keys()

    async def deliver(self, key: events.Key) -> None:
        """Give a key that was put aside to what has the focus now."""
        self.other_keys += key.key != "enter"
        await super().on_event(key)

    # What is told.

    def show_error(self, error: Exception, doing: str) -> None:
        """What happened, where, and what to do, in a dialog."""
        from memdesk.tui.dialogs.confirm import Notice

        if isinstance(error, MemdeskError):
            if error.called_off:
                self.say(f"Called off: could not {doing}. Nothing was written.")
                return
            where = "" if error.path is None else f"{error.path}:{error.line}" if error.line else error.path
            self.push_screen(Notice(f"Could not {doing}", error.message, where, error.remedy))
        else:
            words = f"{type(error).__name__}: {error}"
            self.push_screen(
                Notice(f"Could not {doing}", words, "", "Nothing was written. This is a fault of memdesk; please report it.")
            )

    def _fatal_error(self) -> None:
        """A fault of our own in a handler: leave in order; `workbench.run` says it in words, without a traceback."""
        self.fault = self._exception
        self._close_messages_no_wait()

    def say(self, words: str, level: str = "information") -> None:
        """A toast. On a low screen it takes the place of the one before it: two would cover all."""
        if self.size.height < FULL_HEIGHT:
            self.call_later(self.clear_notifications)  # in its turn: one that was said a moment ago is still on its way
        severity = "warning" if level == "warning" else "error" if level == "error" else "information"
        self.notify(text.line(words), severity=severity, timeout=4, markup=False)  # type: ignore[arg-type]


def known(desk: Desk) -> frozenset[str]:
    """The verbs that some store knows."""
    return frozenset[str]().union(*(layouts.get(store.layout).verbs for store in desk.workspace.stores))


def why_read_only(desk: Desk) -> str:
    """Why nothing can be written: the place, or each of the stores by itself; "" where something can."""
    stores = desk.workspace.stores
    why = desk.read_only or ""
    if not why and stores and all(store.read_only for store in stores):
        why = stores[0].read_only or ""
    return why


def _near(desk: Desk) -> float:
    return float(getattr(getattr(desk.settings, "budget", None), "near", 0.8))


def _theme(desk: Desk) -> str | None:
    name: str | None = getattr(getattr(desk.settings, "theme", None), "name", None)
    return name
