"""The palette's commands: every action of the registry that is allowed now."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, cast

from textual.command import DiscoveryHit, Hit, Hits, Provider

from memdesk.tui import keymaps, panes, text, verbs
from memdesk.tui.dialogs.search import Search

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from memdesk.tui.app import Workbench


class Verbs(Provider):
    """Actions and panes. Hits are built of Content: a plain `str` would be read as markup."""

    def _offers(self) -> Iterator[tuple[str, str, Callable[[], None]]]:
        bench = cast("Workbench", self.app)
        search = self.screen
        if isinstance(search, Search):  # what is selected there, not what lies below
            for verb in verbs.VERBS:
                if "search" in verb.panes and not verb.refuse(search.situation()):
                    key = keymaps.shown_key(verb, bench.keymap_)
                    yield f"{verbs.label(verb, search.situation())} ({key})", verb.help, partial(search.action_verb, verb.id)
            return
        pane = bench.pane
        situation = pane.situation() if pane else bench.situation()
        for verb in verbs.of_pane(bench.current):
            if verb.id != "palette" and not verb.refuse(situation):
                key = keymaps.shown_key(verb, bench.keymap_)
                yield f"{verbs.label(verb, situation)} ({key})", verb.help, partial(bench.run_verb, verb.id)
        for seat in panes.SEATS:
            yield f"Go to {seat.title} ({seat.number})", "Show that pane.", partial(bench.show_pane, seat.name)

    async def discover(self) -> Hits:
        for label, words, run in self._offers():
            yield DiscoveryHit(text.content_line(label), run, text=label, help=text.content_line(words))  # type: ignore[arg-type]

    async def search(self, query: str) -> Hits:
        matcher = self.matcher(query)
        for label, words, run in self._offers():
            score = matcher.match(label)
            if score > 0:
                yield Hit(score, matcher.highlight(label), run, text=label, help=text.content_line(words))  # type: ignore[arg-type]
