"""Sessions on disk: one JSON file, written beside the old one and then renamed over it."""

import json
import os
from typing import NamedTuple

FOLDER = os.path.expanduser("~/.night-notes")
CURRENT = os.path.join(FOLDER, "session.json")


class Session(NamedTuple):
    notes: list[str]


def load() -> Session:
    """The current session; an empty one before the first note."""
    try:
        with open(CURRENT, encoding="utf-8") as file:
            return Session(list(json.load(file)["notes"]))
    except FileNotFoundError:
        return Session([])


def save(session: Session) -> None:
    """Writes the whole session; a crash leaves the old file or the new one."""
    os.makedirs(FOLDER, exist_ok=True)
    beside = CURRENT + ".new"
    with open(beside, "w", encoding="utf-8") as file:
        json.dump({"notes": session.notes}, file, ensure_ascii=False, indent=2)
        file.flush()
        os.fsync(file.fileno())
    os.replace(beside, CURRENT)
