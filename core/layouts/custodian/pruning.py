"""What has rotted in this layout, and how it goes (docs/prune.md)."""

from __future__ import annotations

from memdesk.core.lean import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memdesk.core.model import Entry, Store, Workspace


def leaves(entry: Entry) -> str:
    """The archive takes what is struck and what may make room; a constraint or tombstone that holds is struck where it is."""
    from memdesk.core.layouts.base import Layout
    from memdesk.core.layouts.custodian import LAYOUT
    from memdesk.core.layouts.custodian.leaving import stays

    verb = Layout.leaves(LAYOUT, entry)
    holds = not (entry.struck or entry.candidate) and entry.tier == "durable" and entry.kind in ("bullet", "section")
    return "strike" if not verb and holds and stays(entry) else verb


def unreached(workspace: Workspace, store: Store) -> Sequence[tuple[str, str]]:
    """The files that no route names and no module index enables; none where the manifest cannot be read."""
    from memdesk.core.layouts.custodian.route import unreachable

    return [] if store.settings.unreadable else [(file.path, file.reason) for file in unreachable(workspace, store)]
