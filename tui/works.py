"""The one way that work goes to a thread and comes back.

Handlers own the widgets; a worker only calls the desk and posts what came of it. All desk calls take their turn under
one lock, since a Desk belongs to one thread at a time.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar, cast

from textual import on
from textual.message_pump import MessagePump
from textual.worker import Worker, get_current_worker

from memdesk.tui import messages
from memdesk.tui.widgets.header import Header

if TYPE_CHECKING:
    from memdesk.tui.app import Workbench

Result = TypeVar("Result")
SLOW = 0.2  # seconds after which work shows itself (UX.md)


class Works(MessagePump):
    """Work in threads, mixed into the app so that `app.py` stays the frame."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._works: dict[int, tuple[str, Worker[None]]] = {}
        self._work_number = 0

    def work(
        self,
        do: Callable[[], Result],
        then: Callable[[Result], object],
        *,
        doing: str,
        group: str = "desk",
        exclusive: bool = False,
        otherwise: Callable[[Exception], bool] | None = None,
        turn: bool = True,
    ) -> Worker[None]:
        """Call `do` in a thread, and `then` with its result here. `doing` completes "Could not ...".

        `then` is no coroutine: one that mounts widgets goes through `call_later` of the widget that owns them.

        An exception goes to `otherwise`, and where that returns False (or there is none) to a dialog. With `exclusive`
        an older work of the same group is forgotten: its result goes nowhere. `turn` False: it only reads what a reading of the
        workspace holds (or git's history), and so need not wait until others are done with the desk, nor they for it.
        """
        app = self._bench
        self._work_number += 1
        number = self._work_number

        def job() -> None:
            worker = get_current_worker()
            answer: messages.Finished | messages.Failed
            try:
                with app.turn if turn else contextlib.nullcontext():
                    if worker.is_cancelled:
                        return
                    answer = messages.Finished(then, do())
            except Exception as error:  # noqa: BLE001 - the one edge at which a worker's failure becomes a message
                answer = messages.Failed(error, doing, otherwise)
            finally:
                app.call_later(self._ended, number)  # there alone what runs is written down: the header reads it meanwhile
            if not worker.is_cancelled:
                app.post_message(answer)

        app.set_timer(SLOW, self._show_works)
        worker = app.run_worker(job, thread=True, group=group, exclusive=exclusive, exit_on_error=False, name=doing)
        self._works[number] = doing, worker
        return worker

    def _ended(self, number: int) -> None:
        self._works.pop(number, None)
        self._show_works()

    def _show_works(self) -> None:
        """What still runs. One that was cancelled before its thread began never says that it ended."""
        for number, (_, worker) in list(self._works.items()):
            if worker.is_finished or worker.is_cancelled:
                self._works.pop(number, None)
        doing = next((words for words, _ in self._works.values()), "")
        stack = self._bench.screen_stack
        for header in stack[0].query(Header) if stack else ():
            header.set_working(doing)

    @on(messages.Finished)
    def _finished(self, event: messages.Finished) -> None:
        event.then(event.result)

    @on(messages.Failed)
    def _failed(self, event: messages.Failed) -> None:
        if event.otherwise is None or not event.otherwise(event.error):
            self._bench.show_error(event.error, event.doing)

    @property
    def _bench(self) -> Workbench:
        return cast("Workbench", self)
