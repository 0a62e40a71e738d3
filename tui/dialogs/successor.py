"""What became of an entry whose text changed under a dialog: ids go by text, so its id names nothing any more."""

from __future__ import annotations

from collections.abc import Sequence

from memdesk.core.errors import UnknownEntry
from memdesk.core.lean import TYPE_CHECKING, NamedTuple
from memdesk.tui.widgets.paint import Piece
from memdesk.tui.widgets.reading import Para, markdown, rule

if TYPE_CHECKING:
    from memdesk.core.model import Entry, Workspace

ALIKE = 0.5  # share of common text from which an entry is offered as the new form of another


class Changed(NamedTuple):
    """An entry as the dialog knew it, and as it is now; None: gone."""

    old: Entry
    new: Entry | None


def successor(workspace: Workspace, old: Entry) -> Changed | None:
    """The new form of an entry that is no longer there under its id; None where it is there."""
    import difflib

    try:
        workspace.find(old.id)
    except UnknownEntry:
        pass
    else:
        return None
    document = workspace.documents.get(old.path)
    known = set(old.document.ids)
    fresh = (
        [entry for entry in document.entries if entry.candidate == old.candidate and entry.id not in known] if document else []
    )
    best: tuple[float, Entry] | None = None
    for entry in fresh:
        ratio = difflib.SequenceMatcher(None, old.text[:2000], entry.text[:2000], autojunk=False).ratio()
        if ratio >= ALIKE and (best is None or ratio > best[0]):
            best = (ratio, entry)
    return Changed(old, best[1] if best else None)


def changed_lines(changes: Sequence[Changed]) -> list[Para]:
    """Both texts, for a person to choose again."""
    lines: list[Para] = []
    for change in changes:
        lines += [rule("as it was", "heading"), *markdown(change.old.text)]
        if change.new is None:
            lines.append(Para((Piece("✕ It is no longer there. Nothing was written; Escape closes.", "bad"),)))
        else:
            lines += [rule("as it is now", "heading"), *markdown(change.new.text)]
        lines.append(Para())
    return lines
