"""What a task would load: the exact pack as an agent gets it, its account by file, and what did not load, and why; and in
the pack's place, when asked for, what a recall returns, or what a branch changes in every pack."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from textual import events, on
from textual.app import ComposeResult
from textual.containers import Container
from textual.widgets import Input, Static

from memdesk.core.checks.secrets import heading
from memdesk.core.layouts.base import LoadRequest
from memdesk.tui import keymaps, messages, text
from memdesk.tui.allowed import Situation
from memdesk.tui.panes import context_rows as rows
from memdesk.tui.panes.comparing import Comparing
from memdesk.tui.panes.context_pack import Answer, Asked, answer, headers
from memdesk.tui.panes.evidence import Evidence
from memdesk.tui.panes.inbox import current_text
from memdesk.tui.widgets.finder import Finder, Texts
from memdesk.tui.widgets.form import OneLine
from memdesk.tui.widgets.lines import Lines
from memdesk.tui.widgets.paint import Piece
from memdesk.tui.widgets.reading import Reading

if TYPE_CHECKING:
    from memdesk.core.desk import Desk
    from memdesk.core.model import Entry

NO_STORE = "There is no store here.\n\nmemdesk init makes one; then come back."


class ContextPane(Comparing):
    """Choices, account and pack."""

    name_ = "context"
    BINDINGS = keymaps.bindings("context")

    def __init__(self) -> None:
        super().__init__()
        self._asked = Asked()
        self._answer: Answer | None = None
        self.choices = Finder(
            rows.draw_choice,
            rows.haystack,
            id="context-choices",
            texts=Texts(
                empty=NO_STORE,
                loading="Reading what can be loaded…",
                filtered="No task, module or path holds these words.\n\nEscape shows all.",
            ),
        )
        self.ledger = Finder(
            self._draw,
            rows.haystack,
            id="context-ledger",
            texts=Texts(
                empty="Nothing is packed.\n\nChoose a task: t takes the next one.",
                loading="Packing…",
                filtered="No file or entry holds these words.\n\nEscape shows all.",
            ),
        )
        self.reading = Reading(id="context-pack", classes="framed")
        self.evidence = Evidence()
        self.choices.border_title = "Load"
        self.ledger.border_title = "Account"
        self._path = OneLine(placeholder="src/app.py: a path that the task touches", compact=True, id="context-path")
        self._why = Static("", id="context-why")

    def compose(self) -> ComposeResult:
        with Container(id="context-body"):
            with Container(id="context-left"):
                with Container(id="context-ask"):
                    yield self.choices
                    yield self._path
                with Container(id="context-account"):
                    yield self.ledger
                    yield self._why
            yield self.reading
            yield self.evidence

    def on_mount(self) -> None:
        self._path.display = False

    # What the app asks.

    @property
    def entry(self) -> Entry | None:
        """The entry that is selected in the account, while it or the pack has the focus."""
        if self.against is not None:
            return self.compared(self.against)
        item = self.ledger.lines.item
        return item.entry if isinstance(item, rows.EntryItem) and not self._choosing else None

    @property
    def _choosing(self) -> bool:
        return self.choices.has_focus_within or self.evidence.has_focus_within

    @property
    def selection(self) -> tuple[str, ...]:
        entry = self.entry
        return () if entry is None else (entry.id,)

    @property
    def task_name(self) -> str:
        return self._asked.request.task

    @property
    def spot(self) -> tuple[str, int] | None:
        if self.against is not None:
            return self.against.spot
        return None if self._choosing else rows.place_of(self.ledger.lines.item)

    def situation(self) -> Situation:
        found = super().situation()
        candidate = self.bench.desk.promotable(self.selection)
        return found._replace(place=found.place or self.spot is not None, candidate=candidate)

    def painted_at(self) -> float:
        return (self.ledger if self.against is None else self.against.account).lines.painted_at

    def take_focus(self) -> None:
        (self.against or self.choices).take_focus()

    def refresh_from(self, desk: Desk) -> None:
        if self.look_again():
            return
        if self.has_class("-evidence"):
            self.evidence.ask()
        asked = self._asked
        self.bench.work(
            lambda: answer(desk, asked),
            self._show,
            doing="pack what the task loads",
            group="pack",
            exclusive=True,
            otherwise=self._failed,
        )

    def _failed(self, error: Exception) -> bool:
        self.ledger.fail(self.failure(error))
        return True

    def _show(self, found: Answer) -> None:
        self._answer, self._asked = found, found.asked
        self.choices.texts = self.choices.texts._replace(empty=self.nowhere() or NO_STORE)
        self.choices.set_rows(
            rows.choice_rows(found.stores, found.asked.store, found.tasks, found.modules, found.asked.request, found.by_path)
            if found.stores
            else []
        )
        self.ledger.set_rows(found.ledger)
        self.reading.show(found.text, repr(found.asked))
        if not found.stores:
            self.ledger.fail(self.nowhere() or "There is no store here.")
        elif found.error is not None:
            where = f"{found.error.path}:{found.error.line}" if found.error.line else found.error.path or ""
            self.ledger.fail(f"{where}\n\n{found.error.message}".strip())
        self._titles()
        self._explain()
        self.changed()

    def _titles(self) -> None:
        found = self._answer
        if found is None:
            return
        pack = found.pack
        self.choices.border_title = text.content_line(f"Load · {found.asked.store}" if found.asked.store else "Load")
        if pack is None:
            self.ledger.border_title = "Account"
            self.reading.border_title = "Pack · cannot be made" if found.error else "Pack"
            return
        loaded = sum(1 for file in pack.files if file.disposition == "loaded")
        left = sum(len(file.omitted) for file in pack.files)
        state = "✓ complete" if pack.status == "complete" else "✕ incomplete"
        omitted = f" · ✕ {left} omitted" if left else ""
        self.ledger.border_title = text.content_line(f"Account · {loaded} files · {pack.tokens} tokens{omitted}")
        self.reading.border_title = text.content_line(f"Pack · {pack.task} · {state} · {pack.tokens} tokens")

    def _draw(self, item: Any, width: int) -> list[Piece]:
        return rows.draw_ledger(item, width, float(self.bench.desk.settings.budget.near))

    def _explain(self) -> None:
        words = rows.explained(self.ledger.lines.item)
        self._why.update(text.content_line(words))
        self._why.display = bool(words)

    # The lists.

    @on(Lines.Moved)
    def _moved(self, event: Lines.Moved) -> None:
        event.stop()
        if event.lines is self.ledger.lines:
            self._explain()
        self.changed()

    @on(events.DescendantFocus)
    def _focused(self) -> None:
        self.changed()

    @on(Lines.Opened)
    def _opened(self, event: Lines.Opened) -> None:
        event.stop()
        if event.lines is self.choices.lines:
            self.do_choose()
        else:
            self.do_read()

    @on(Finder.Changed)
    def _filtered(self, event: Finder.Changed) -> None:
        event.stop()
        self._explain()

    @on(Reading.Left)
    def _left_reading(self) -> None:
        self.remove_class("-reading")
        self.ledger.take_focus()

    # Recall.

    def do_recall(self) -> None:
        self.show_pack()
        self.add_class("-evidence")
        self.remove_class("-reading")
        self.evidence.open()

    @on(Evidence.Closed)
    def _close_recall(self) -> None:
        self.remove_class("-evidence")
        self.choices.take_focus()

    # Choosing.

    def ask(self, asked: Asked) -> None:
        """Show another pack."""
        self._asked = asked
        self.refresh_from(self.bench.desk)

    def do_choose(self) -> None:
        item = self.choices.lines.item
        request = self._asked.request
        if isinstance(item, rows.StoreItem):
            self.ask(Asked(item.path, LoadRequest("")))
        elif isinstance(item, rows.TaskItem):
            self.ask(self._asked._replace(request=request._replace(task=item.task)))
        elif isinstance(item, rows.ModuleItem):
            field, name = item.module.field, item.module.name
            now = getattr(request, field)
            chosen = tuple(each for each in now if each != name) if item.chosen else (*now, name)
            changed: dict[str, Any] = {field: chosen}
            self.ask(self._asked._replace(request=request._replace(**changed)))
        elif isinstance(item, rows.PathItem) and item.path:
            self.ask(
                self._asked._replace(request=request._replace(paths=tuple(path for path in request.paths if path != item.path)))
            )
        elif isinstance(item, rows.PathItem):
            self.do_path()

    def do_task(self) -> None:
        if self.against is not None:
            self.against.next_task()
            return
        tasks = self._answer.tasks if self._answer else ()
        if tasks:
            request = self._asked.request
            place = tasks.index(request.task) if request.task in tasks else -1
            self.ask(self._asked._replace(request=request._replace(task=tasks[(place + 1) % len(tasks)])))

    def do_path(self) -> None:
        if self._answer is not None and not self._answer.by_path:
            self.bench.say("Touched paths change nothing here: this store loads the same at every start.", "warning")
            return
        self._path.display = True
        self._path.focus()

    @on(Input.Submitted, "#context-path")
    def _path_typed(self, event: Input.Submitted) -> None:
        event.stop()
        path = self._path.value.strip()
        self._close_path()
        request = self._asked.request
        if path and path not in request.paths:
            self.ask(self._asked._replace(request=request._replace(paths=(*request.paths, path))))

    def _close_path(self) -> None:
        self._path.value = ""
        self._path.display = False
        self.choices.take_focus()

    def on_key(self, event: events.Key) -> None:
        if event.key == "escape" and self._path.has_focus:
            event.stop()
            self._close_path()

    # Actions.

    def do_read(self) -> None:
        """The pack at the selected file or entry; in a narrow terminal alone on the screen."""
        if self.evidence.has_focus_within:
            return
        if self.against is not None:
            if self.against.difference is not None:
                self.add_class("-reading")
                self.against.reading.focus()
            return
        self.remove_class("-evidence")
        self.add_class("-reading")
        self.reading.focus()
        self.call_after_refresh(self._jump, self.ledger.lines.item)

    def _jump(self, item: object) -> None:
        """Scroll the pack to a file, or to an entry of it."""
        if self._answer is None or self._answer.pack is None:
            return
        file = (
            item.file.path if isinstance(item, rows.FileItem) else item.entry.path if isinstance(item, rows.EntryItem) else ""
        )
        paras = ["".join(piece.text for piece in para.pieces) for para in self._answer.text]
        heads = headers(self._answer.pack)
        start = next((index for index, line in enumerate(paras) if heads.get(line) == file), None)
        if start is None:
            return
        if isinstance(item, rows.EntryItem) and item.omitted is None:
            first = text.inert(item.entry.text.split("\n")[0]).strip().expandtabs(4)
            for index in range(start + 1, len(paras)):
                if paras[index] in heads:
                    break
                if paras[index].strip() == first:
                    start = index
                    break
        self.reading.scroll_to_para(start)

    def do_filter(self) -> None:
        if self.evidence.has_focus_within:
            self.evidence.query_line.focus()
            return
        self._list.open_filter()

    def do_next_match(self) -> None:
        self._list.step(1)

    def do_previous_match(self) -> None:
        self._list.step(-1)

    @property
    def _list(self) -> Finder:
        """The list that filters and steps are about."""
        if self.against is not None:
            return self.against.list_
        return self.choices if self._choosing else self.ledger

    def do_copy_pack(self) -> None:
        if self.against is not None:
            self.copy_comparison(self.against)
            return
        if self.has_class("-evidence") and self.evidence.found.text:
            self.post_message(messages.CopyText(self.evidence.found.text, f"the recall, {self.evidence.found.title}"))
            return
        pack = self._answer.pack if self._answer else None
        if pack is None:
            self.bench.say("There is no pack to copy.", "warning")
        else:
            self.post_message(messages.CopyText(pack.text, f"the pack of {pack.task}, {pack.tokens} tokens"))

    def do_copy(self) -> None:
        if self.against is not None:
            if self.against.copied is not None:
                self.post_message(messages.CopyText(*self.against.copied))
            return
        entry, spot = self.entry, self.spot
        if entry is not None:
            self.post_message(messages.CopyText(current_text(entry), f"“{heading(entry)}”"))
        elif spot is not None:
            self.post_message(messages.CopyText(rows.explained(self.ledger.lines.item), "the line of the account"))

    def do_copy_all(self) -> None:
        if self.against is not None:
            self.post_message(messages.CopyText(self.against.reading.plain, "what is shown"))
            return
        entry = self.entry
        if entry is not None:
            self.post_message(messages.CopyText(entry.text, f"“{heading(entry)}” with its history"))
        else:
            self.do_copy()
