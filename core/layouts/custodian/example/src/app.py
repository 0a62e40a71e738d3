"""night-notes: write a note, list notes, export a session."""

import sys

from export import export_session
from store import Session, load, save

HELP = "usage: night-notes add TEXT | list | export FILE"


def main(arguments: list[str]) -> int:
    if not arguments:
        print(HELP)
        return 2
    command, *rest = arguments
    session = load()
    if command == "add" and rest:
        save(Session([*session.notes, " ".join(rest)]))
        return 0
    if command == "list":
        print("\n".join(session.notes))
        return 0
    if command == "export" and len(rest) == 1:
        export_session(session, rest[0])
        return 0
    print(HELP)
    return 2


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
