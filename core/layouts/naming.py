"""Names of files that are made from what a person typed (verbs.md); what every layout shares."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from memdesk.core import fields
from memdesk.core.errors import Refused
from memdesk.core.lean import NamedTuple

if TYPE_CHECKING:
    from memdesk.core.draft import Draft
    from memdesk.core.model import Workspace

LONGEST = 80  # bytes
_NAME = re.compile(r"[^\W_][\w.-]*")
_DEVICE = re.compile(r"(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\..*)?", re.IGNORECASE)  # no file can have it on Windows


class Named(NamedTuple):
    """A Markdown file by its name without ending, its workspace-relative path, and whether it is still to be made."""

    name: str
    path: str
    new: bool


def file_in(workspace: Workspace, folder: str, name: str, field: str) -> Named:
    """The file of that name in a workspace-relative folder. A name that isn't one is made into one: lower case, letters and
    digits kept; one that differs from a file's there in case alone is that file's. Raises Refused, for `field`."""
    name = name.removesuffix(".md")
    present = {path for document in workspace.documents.values() for path in (document.path, *document.aliases)}
    path = f"{folder}/{name}.md"
    if path in present:
        return Named(name, path, False)
    given = name
    if not _NAME.fullmatch(name):
        name = fields.slug(name)
    if not name or name.casefold() == "readme" or _DEVICE.fullmatch(name):
        remedy = "Use letters and digits, and no word of a system's own."
        raise Refused(f"{given!r} gives no name for a file.", remedy=remedy, field=field)
    if len(name.encode("utf-8", "surrogateescape")) > LONGEST:
        raise Refused(f"That name is longer than {LONGEST} bytes.", remedy="Choose a shorter one.", field=field)
    path = f"{folder}/{name}.md"
    twin = next((known for known in sorted(present) if known.casefold() == path.casefold()), None)
    if twin is None:
        return Named(name, path, True)
    return Named(twin.rpartition("/")[2].removesuffix(".md"), twin, False)


def free(draft: Draft, folder: str, title: str, field: str) -> Named:
    """A file that is still to be made, named after a title: `-2` behind the name where there is one, and so on. Raises
    Refused, for `field`, for a title that gives no name."""
    name = fields.slug(title)
    if not name:
        remedy = "Use letters or digits, or give it a name."
        raise Refused(f"{title!r} gives no name for a file.", remedy=remedy, field=field)
    path = beside(draft, folder, name, reserved=True)
    return Named(path.rpartition("/")[2].removesuffix(".md"), path, True)


def beside(draft: Draft, folder: str, name: str, *, reserved: bool = False) -> str:
    """The path of a Markdown file in a folder that nothing has yet, in whatever case: `-2` behind the name where there is one,
    and so on. `reserved`: nor one that means something else everywhere, such as README."""
    known = {one.casefold() for one in draft.names(folder)} if draft.workspace.tree.kind(folder) == "folder" else set()
    known |= {path.rpartition("/")[2].casefold() for path in draft.works if path.rpartition("/")[0] == folder}
    number = 1
    while True:
        tail = f"-{number}" if number > 1 else ""
        cut = name.encode("utf-8", "surrogateescape")[: LONGEST - len(tail)].decode("utf-8", "ignore") if reserved else name
        made = f"{cut.rstrip('-')}{tail}"
        taken = f"{made}.md".casefold() in known
        if not taken and not (reserved and (made.casefold() == "readme" or _DEVICE.fullmatch(made))):
            return f"{folder}/{made}.md" if folder != "." else f"{made}.md"
        number += 1
