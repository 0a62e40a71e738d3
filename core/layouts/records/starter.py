"""The files that `init records` makes, and the demo's part of the repository: they lie beside this module."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date

from memdesk.core.layouts.files import below
from memdesk.core.layouts.records import numbers
from memdesk.core.layouts.records.kept import NAME
from memdesk.core.lean import TYPE_CHECKING

if TYPE_CHECKING:
    from memdesk.core.model import Workspace

_DAY = b"\nDate: DATE\n"  # in the first record: the day on which the store was made


def template(path: str, today: date) -> Mapping[str, bytes]:
    """A new store at a workspace-relative folder, by path: the glossary, and the record that says that there are records."""
    prefix = "" if path in ("", ".") else path.rstrip("/") + "/"
    day = f"\nDate: {today.isoformat()}\n".encode()
    return {prefix + name: data.replace(_DAY, day) for name, data in below(__file__, "template").items()}


def fresh(workspace: Workspace, path: str, files: Mapping[str, bytes]) -> Mapping[str, bytes]:
    """Without the first record where records are already: its number would be given away twice, or its folder be another."""
    store = next((one for one in workspace.stores if one.layout == NAME and one.path == path), None)
    if store is None or not any(document.place.role == "record" for document in workspace.documents_of(store)):
        return files
    return {name: data for name, data in files.items() if not numbers.digits(name)}


def example() -> Mapping[str, bytes]:
    """This layout's part of `memdesk --demo`, by workspace-relative path."""
    return below(__file__, "example")
