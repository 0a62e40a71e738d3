"""What has rotted in this layout, and how it goes (docs/prune.md)."""

from __future__ import annotations

from memdesk.core.lean import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memdesk.core.model import Entry, Store, Workspace

KEPT = frozenset({"constraints", "do-not-use"})  # roles whose entries are struck while they hold, and never archived


def leaves(entry: Entry) -> str:
    """The archive takes what is struck and what may make room; a constraint or tombstone that holds is struck where it is."""
    from memdesk.core.layouts.base import Layout
    from memdesk.core.layouts.custodian import LAYOUT

    if entry.role in KEPT and not entry.struck and not entry.candidate:
        return "strike" if entry.kind in ("bullet", "section") else ""
    return Layout.leaves(LAYOUT, entry)


def unreached(workspace: Workspace, store: Store) -> Sequence[tuple[str, str]]:
    """The files that no route names and no module index enables; none where the manifest cannot be read."""
    from memdesk.core.layouts.custodian.route import unreachable

    return [] if store.settings.unreadable else [(file.path, file.reason) for file in unreachable(workspace, store)]
