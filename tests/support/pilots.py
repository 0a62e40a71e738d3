"""Driving the workbench without a terminal: play a script of keys, and wait for work instead of for time."""

from __future__ import annotations

import asyncio
import unicodedata
from collections.abc import Awaitable, Callable
from typing import Any

from textual.app import App
from textual.pilot import Pilot
from textual.worker import WorkerError

A_DAY = 86_400.0  # seconds that a toast stays
Script = Callable[[Pilot[Any]], Awaitable[None]]


async def settle(pilot: Pilot[Any]) -> None:
    """Until no worker runs and no message waits."""
    while True:
        await pilot.pause()
        running = [worker for worker in pilot.app.workers if not worker.is_finished]
        if not running:
            await pilot.pause()
            if all(worker.is_finished for worker in pilot.app.workers):
                return
        for worker in running:
            try:
                await worker.wait()
            except WorkerError:  # cancelled by a newer one of its group
                continue


async def press(pilot: Pilot[Any], *keys: str) -> None:
    """Press keys one by one as a person does: each after the screen has settled."""
    for key in keys:
        await pilot.press(key)
        await settle(pilot)


async def type_(pilot: Pilot[Any], words: str) -> None:
    """Type words; only the end waits."""
    names = {" ": "space", "-": "minus", ".": "full_stop", ":": "colon", "/": "slash", ",": "comma"}
    await pilot.press(*(names.get(character, character) for character in words))
    await settle(pilot)


def play(app: App[Any], script: Script, size: tuple[int, int] = (120, 36)) -> None:
    """Run an app without a terminal, let it settle, and play a script."""

    notify = app.notify

    def stay(message: str, **options: Any) -> None:
        notify(message, **{**options, "timeout": A_DAY})

    app.notify = stay  # type: ignore[method-assign]  # no test's outcome hangs on how fast the machine is

    async def run() -> None:
        async with app.run_test(size=size, notifications=True) as pilot:
            await settle(pilot)
            await script(pilot)

    asyncio.run(run())


def screen_text(app: App[Any]) -> str:
    """What is on screen, line by line."""
    strips = app.screen._compositor.render_strips()
    return "\n".join("".join(segment.text for segment in strip) for strip in strips[: app.size.height])


def inspected(app: App[Any], where: str) -> str:
    """The screen's text, after a look at every cell: nothing that a terminal acts on, no link or action of memory's own,
    and every line as wide as the screen."""
    for strip in app.screen._compositor.render_strips():
        assert strip.cell_length == app.size.width, where
        for segment in strip:
            bad = [char for char in segment.text if unicodedata.category(char) in ("Cc", "Cs") or char == "\u202e"]
            assert not bad, f"{where}: {bad!r} in {segment.text!r}"
            if segment.style is not None:
                assert segment.style.link is None, where
                assert "@click" not in segment.style.meta, where
    return screen_text(app)


def toasts(app: App[Any]) -> list[str]:
    """The words of the toasts, oldest first."""
    return [notification.message for notification in app._notifications]
