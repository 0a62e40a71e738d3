"""Where links of this layout's files lead: they are relative to the repository's root."""

from __future__ import annotations

import posixpath

from memdesk.core.layouts.jonggrang import paths
from memdesk.core.lean import TYPE_CHECKING
from memdesk.core.links import there
from memdesk.core.patterns import lazy

if TYPE_CHECKING:
    from memdesk.core.links import Link
    from memdesk.core.model import Document, Store, Workspace


RAW = lazy(r"(?i)\b(?:href|src)\s*+=\s*+[\"']?+[^\"'\s>]++|\bfile:[^\s)>\]\"']++")  # what HTML leads to, and addresses of files


def resolve(workspace: Workspace, store: Store, document: Document, link: Link) -> str | None:
    """The workspace path that a link leads to; None where nothing is there."""
    return next((place for place in places(store, link) if there(workspace.tree, place)), None)


def places(store: Store, link: Link) -> list[str]:
    """Where a link may lead: from the workspace's root, and from the folder that the store lies in, which is the root for
    whoever works there alone. None for a target that is no path, or that leads out."""
    path = link.path.lstrip("/")
    if not path or link.wiki:
        return []
    joined = (posixpath.normpath(posixpath.join(base, path)) for base in ("", posixpath.dirname(store.path)))
    return [place for place in dict.fromkeys(joined) if place != ".." and not place.startswith("../")]


def beside(document: Document, link: Link) -> str:
    """Where a link would lead from its own file's folder, as links of other files do; "" for nowhere."""
    place = posixpath.normpath(posixpath.join(posixpath.dirname(document.path), link.path)) if link.path else ".."
    return "" if place == ".." or place.startswith(("../", "/")) else place


def is_ephemeral(store: Store, place: str) -> bool:
    """Whether a path is in the part of a store, of this one or another, that stays on one machine and goes after a while."""
    return f"/{paths.EPHEMERAL}/" in f"/{store.named(place)}/"


def names_ephemeral(target: str) -> bool:
    """Whether a target as it is written, in whatever disguise, names a file in that part: by entities, percent signs,
    backslashes or capitals."""
    from html import unescape
    from urllib.parse import unquote

    plain = unquote(unescape(target)).casefold()
    for separator in "\\=\"'":
        plain = plain.replace(separator, "/")
    return f"/{paths.EPHEMERAL}/" in f"/{plain}"
