"""What an entry rests on, as bullets under `Evidence:`. A person's word, a file of the project, an issue or a pull request
admit it; what an agent saw, or somebody said, only lets it wait."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from memdesk.core import fields
from memdesk.core.errors import Refused
from memdesk.core.layouts import texts

if TYPE_CHECKING:
    from memdesk.core.model import Entry, Store
    from memdesk.core.tree import Tree

CONFIRMED = "user-confirmed"
OBSERVED, UNCONFIRMED = "agent-observed", "conversation-unconfirmed"
WAITING = (OBSERVED, UNCONFIRMED)  # for candidates only
INHERITED = "legacy-unverified"  # what a migration writes; nobody else may
FORMS = "user-confirmed, repo:PATH, doc:PATH, test:PATH, issue:#N or pr:#N"

OFFERS = (CONFIRMED, "repo:", "doc:", "test:", "issue:#", "pr:#")  # how each of them begins

_PATH = re.compile(r"(repo|doc|test):[ \t]*([^@\s]+)(@[A-Za-z0-9._-]{1,64})?", re.IGNORECASE)
_NUMBER = re.compile(r"(issue|pr|pull request)[: \t]*#?([0-9]{1,12})", re.IGNORECASE)
_LINE = re.compile(r":[0-9]+(?:[-:][0-9]+)?\Z")
_MARKER = re.compile(r"\s*(?:[-*+][ \t]+)?")


def given(text: str) -> list[str]:
    """The items of a text with one a line, bullets or not, each once."""
    rows = (_MARKER.sub("", row, count=1).strip().strip("`").strip() for row in text.split("\n"))
    return list(dict.fromkeys(row for row in rows if row))


def own(entry: Entry) -> list[str]:
    """The items of an entry."""
    return [item for item in fields.items(entry.fields.get("evidence", "")) if item]


def admitting(items: Sequence[str]) -> list[str]:
    """Those that admit more than a candidate."""
    return [item for item in items if item.strip("`. ").casefold() not in (*WAITING, INHERITED)]


def checked(tree: Tree, store: Store, items: Sequence[str], *, candidate: bool = False) -> list[str]:
    """The items as they are written. Raises Refused, for `evidence`, for one that is none, that names no file of the
    workspace, or that admits nothing but candidates."""
    return list(dict.fromkeys(_checked(tree, store, item, candidate=candidate) for item in items))


def of_source(tree: Tree, store: Store, source: str) -> str:
    """`repo:PATH` for a source that is a file of the workspace; "" for any other. A line that it names stays with the text."""
    path = _LINE.sub("", source.strip().strip("`"))
    if not path or _unsafe(path) or " " in path or "@" in path:
        return ""
    return f"repo:{path}" if _there(tree, store, path) else ""


def names_line(source: str) -> bool:
    """Whether a source names a line of its file."""
    return _LINE.search(source.strip().strip("`")) is not None


def for_candidate(words: Mapping[str, str]) -> list[str]:
    """What a new candidate rests on where nobody named evidence: an observation, else words that nobody confirmed."""
    return [OBSERVED] if words.get("tag") == "observed" else [UNCONFIRMED]


def _checked(tree: Tree, store: Store, item: str, *, candidate: bool) -> str:
    plain = item.casefold()
    if plain == CONFIRMED:
        return CONFIRMED
    if plain in WAITING:
        if not candidate:
            raise Refused(
                f"{plain} lets a candidate wait, and admits nothing.", field="evidence",
                remedy=f"Say what confirms it: {FORMS}.",
            )
        return plain
    number = _NUMBER.fullmatch(item)
    if number is not None:
        return f"{'issue' if number[1].casefold() == 'issue' else 'pr'}:#{number[2]}"
    match = _PATH.fullmatch(item)
    if match is None:
        raise Refused(f"This is no evidence: {item[:80]!r}.", field="evidence", remedy=f"Known: {FORMS}.")
    path = match[2]
    fault = _unsafe(path)
    if fault:
        raise Refused(f"The evidence {item[:80]!r} names no file: {fault}.", field="evidence", remedy="Name it from the root.")
    if not _there(tree, store, path):
        line = " Leave the line out." if _LINE.search(path) and _there(tree, store, _LINE.sub("", path)) else ""
        raise Refused(
            f"The evidence names {texts.shown(path, 120)}, and there is no such file in the workspace.", field="evidence",
            remedy=f"Name one that is there, from the root.{line}",
        )
    return f"{match[1].casefold()}:{path}{match[3] or ''}"


def _there(tree: Tree, store: Store, path: str) -> bool:
    """Whether a file or folder is there, from the folder that holds the store's `docs/` or from the workspace's root."""
    base = store.path.partition("/docs/")[0] + "/" if "/docs/" in store.path else ""
    return any(tree.kind(one) in ("file", "folder") for one in dict.fromkeys((base + path, path)))


def _unsafe(path: str) -> str:
    if "\\" in path:
        return "it holds a backslash"
    if path.startswith("/") or re.match(r"[A-Za-z]:", path):
        return "it is absolute"
    if any(part in ("", ".", "..") for part in path.split("/")):
        return "it holds an empty part, `.` or `..`"
    if ".git" in path.casefold().split("/"):
        return "it is git's own"
    return ""
