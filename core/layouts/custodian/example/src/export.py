"""Export: plain text that any editor opens."""

import os

from store import Session


def export_session(session: Session, target: str) -> None:
    """Writes the notes to a new file. Raises FileExistsError rather than overwrite."""
    descriptor = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        for note in session.notes:
            file.write(note.rstrip() + "\n\n")


def preview(session: Session, lines: int = 3) -> str:
    """The first notes, as the export would have them; shown before the question."""
    return "\n".join(session.notes[:lines])
