"""Writing an index anew from what it lists: its exact diff first."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from memdesk.core.plan import Request
from memdesk.tui import verbs
from memdesk.tui.dialogs.planned import Planned
from memdesk.tui.dialogs.which import ask_which

if TYPE_CHECKING:
    from memdesk.core.model import Store
    from memdesk.core.plan import Receipt
    from memdesk.tui.app import Workbench


def open_reindexing(bench: Workbench) -> None:
    """Show what the index of a store would be, to be confirmed."""
    ask_which(bench, verbs.BY_ID["reindex"], partial(_open, bench))


def _open(bench: Workbench, store: Store) -> None:
    desk = bench.desk
    asked = Request("reindex", store=store.path, person=True)

    def closed(receipt: Receipt | None) -> None:
        if receipt is not None:
            bench.after_commit(receipt)

    name = desk.workspace.store_name(store)
    bench.push_screen(Planned(f"Reindex · {name}", "reindex", lambda: desk.plan(asked)), closed)
