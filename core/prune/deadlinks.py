"""Links that lead nowhere, in entries that hold: each is led to the one file of that name, or becomes plain text."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from typing import TYPE_CHECKING

from memdesk.core import layouts
from memdesk.core.conflicts import QUIET_TIERS
from memdesk.core.links import destination
from memdesk.core.plan import Request
from memdesk.core.prune.look import Look, made, plural

if TYPE_CHECKING:
    from memdesk.core.links import Link
    from memdesk.core.model import Document, Entry
    from memdesk.core.prune.proposal import Proposal

KIND = "dead-link"


def dead_links(look: Look) -> Iterator[Proposal]:
    """One proposal for each entry. Not of candidates, nor of a day's notes: they tell what was, then. A link out of the
    workspace, an address and a pattern are none of ours."""
    names: dict[str, list[str]] = {}
    for path in look.workspace.documents:
        names.setdefault(posixpath.basename(path), []).append(path)
    for document in look.documents(KIND):
        layout = layouts.get(document.store.layout)
        if document.place.tier in ("log", "archive") or document.place.role in layout.repeats:
            continue
        if b"](" not in document.data and b"[[" not in document.data:
            continue
        dead = [link for link in layout.links(document) if _dead(look, document, link)]
        if document.place.tier in QUIET_TIERS:
            if dead and not document.entries:
                count = plural(len(dead), "link leads", "links lead")
                look.left.append(f"{document.path}: {count} nowhere (line {dead[0].line}), in no entry: mend the row by hand.")
            continue
        yield from _in(look, document, dead, names)


def _in(look: Look, document: Document, dead: list[Link], names: dict[str, list[str]]) -> Iterator[Proposal]:
    layout = layouts.get(document.store.layout)
    inside: dict[int, list[Link]] = {}
    for link in dead:
        entry = next((one for one in document.entries if one.start <= link.start < one.end), None)
        if entry is not None:
            inside.setdefault(entry.index, []).append(link)
    for index, links in inside.items():
        entry = document.entries[index]
        if entry.struck or entry.candidate:
            continue
        if not layout.mends(entry):
            count = plural(len(links), "link leads", "links lead")
            look.left.append(f"{entry.path}:{links[0].line}: {count} nowhere, in what was decided and is not rewritten.")
            continue
        text, evidence = _mended(entry, links, names)
        request = Request("edit", (entry.id,), {"text": text, "change": "wording"})
        yield made(KIND, [entry], [], request, "", evidence)


def _dead(look: Look, document: Document, link: Link) -> bool:
    path = link.target.partition("#")[0]
    if not link.wiki:
        leads = posixpath.normpath(posixpath.join(posixpath.dirname(document.path), path))
        if leads.startswith("..") or ("/" not in path and "." not in path):  # out of the workspace; `[a](b)` may be anything
            return False
    return layouts.get(document.store.layout).resolve(look.workspace, document.store, document, link) is None


def _mended(entry: Entry, links: list[Link], names: dict[str, list[str]]) -> tuple[str, list[str]]:
    """The entry's text without its dead links, and what speaks for each."""
    data = entry.document.data
    parts: list[bytes] = []
    evidence = []
    done = entry.start
    for link in links:
        file = posixpath.basename(link.target.partition("#")[0].partition("?")[0].rstrip("/"))
        if link.wiki and not file.endswith(".md"):
            file += ".md"
        there = names.get(file, [])
        if len(there) == 1 and there[0] != entry.path:
            to = destination(posixpath.relpath(there[0], posixpath.dirname(entry.path) or "."))
            new = f"[{link.text}]({to})"
            what = f"the one file of that name is {there[0]}"
        else:
            new = link.text or link.target
            what = f"{len(there)} files have that name" if len(there) > 1 else "no file here has that name"
        evidence.append(f"{entry.path}:{link.line}: {link.target} leads nowhere; {what}.")
        parts += (data[done : link.start], new.encode("utf-8", "surrogateescape"))
        done = link.end
    parts.append(data[done : entry.end])
    from memdesk.core.plaintext import plain

    return plain(b"".join(parts)), evidence
