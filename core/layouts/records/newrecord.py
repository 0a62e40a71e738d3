"""A new record: its number, its file, and what is put into it (docs/records.md)."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from memdesk.core import fields, markdown, stops
from memdesk.core.errors import Refused
from memdesk.core.layouts import shape
from memdesk.core.layouts.records import free, numbers, statuses, statuslines, style
from memdesk.core.layouts.texts import flat
from memdesk.core.lean import NamedTuple

if TYPE_CHECKING:
    from datetime import date

    from memdesk.core.draft import Draft
    from memdesk.core.layouts.records.kept import Kept
    from memdesk.core.model import Document, Entry, Store

_KEPT = 60  # bytes of a title in a file's name


class Made(NamedTuple):
    """A record that the draft makes: its document, and the digits of its number."""

    document: Document
    digits: str

    def link(self, folder: str) -> str:
        """How a file of that folder names it."""
        return _link(self.digits, self.document.path, folder)


def make(
    draft: Draft, store: Store, title: str, status: str, today: date, parts: Mapping[str, str],
    supersedes: Sequence[Entry] = (),
) -> Made:
    """Makes a record with the next free number, in the form of its folder. Raises Refused for a text that would not be read
    as what it is meant to be."""
    kept: Kept = store.settings
    folder = _joined(store, kept.records[0])
    title = flat(title).rstrip(".")
    if not title:
        raise Refused("A record needs a title.", remedy="Say in a few words what is decided.", field="title")
    stops.values([(folder, title)], "title")  # the file is named by it
    for part, text in parts.items():
        shape.words(text, part)
        _no_status(text)
    padded = free.next_number(*free.names(draft, store))
    path = posixpath.join(folder, f"{padded}-{_name(title)}.md") if folder != "." else f"{padded}-{_name(title)}.md"
    own = [
        document for document in draft.workspace.documents_of(store)
        if document.place.role == "record" and (posixpath.dirname(document.path) or ".") == folder
    ]
    linked = [link(entry, folder) for entry in supersedes]
    text = style.rendered(style.of(own), int(padded), title, status, today.isoformat(), parts, linked)
    document = draft.make(store, path, b"")
    draft.insert(document, 0, text, loose=False, entry=True)
    _check(draft, document, title, status)
    return Made(document, padded)


def link(entry: Entry, folder: str) -> str:
    """A record's link, as a file of the folder names it: `[ADR-0007](0007-x.md)`."""
    return _link(entry.fields.get("number") or f"{entry.number or 0:04}", entry.path, folder)


def _link(digits: str, path: str, folder: str) -> str:
    there = posixpath.relpath(path, folder)
    if re.search(r"[\s()<>\[\]]", there):
        from urllib.parse import quote

        there = quote(there, safe="/")
    return f"[ADR-{digits}]({there})"


class Given(NamedTuple):
    """What is said of a new record: `supersedes` as numbers with commas."""

    title: str
    parts: Mapping[str, str]
    supersedes: str


def given(title: str, text: str, words: Mapping[str, str]) -> Given:
    """A new record from what was said. A text may be a whole record; its parts are then those that are not said beside it.
    Raises Refused for one with parts that a new record has not."""
    whole = _whole(text)
    said = parts_of(text if whole is None else whole.parts["decision"], words)
    if whole is None:
        return Given(words.get("title") or title, said, words.get("supersedes", ""))
    parts = {part: said[part] or whole.parts.get(part, "") for part in style.PARTS}
    return Given(words.get("title") or whole.title, parts, words.get("supersedes") or whole.supersedes)


def _whole(text: str) -> Given | None:
    """A text that is a record itself: a title, and sections by the usual names, a decision among them. None for another."""
    from memdesk.core.layouts.records.read import sections

    page = markdown.parse(text.encode("utf-8", "surrogateescape"))
    heads = [block for block in page.blocks if block.kind == "heading" and not block.depth]
    if len(heads) < 2 or heads[0].level != 1 or page.unclosed is not None:
        return None
    parts = sections(page)
    if "decision" not in parts:
        return None
    others = [name for name in parts if name not in style.PARTS]
    if others:
        raise Refused(
            f"A new record has no section {others[0][:60]!r}.", field="text",
            remedy="Give context, considered options, decision and consequences; add the rest by editing the draft.",
        )
    lines = statuslines.in_page(page)
    for line in lines.statuses:
        if statuses.read(line.text).status not in statuses.OPEN:
            raise Refused(
                f"The text claims the status {line.text[:60]!r}.", field="text",
                remedy="Leave the status out; a person accepts a record.",
            )
    supersedes = []
    stated = [
        pair for line in lines.lines if line.kind != "date"
        for pair in statuses.relations(line.text, line.kind if line.label and line.kind != "status" else None)
    ]
    for kind, target in stated:
        if kind != "supersedes" or not target.isdigit():
            raise Refused(
                f"The text states a relation that a new record can't have: {kind} {target[:60]}.", field="text",
                remedy="Name the numbers of records that it supersedes; add the rest by editing the draft.",
            )
        supersedes.append(target)
    return Given(page.title(heads[0]).strip(), parts, ", ".join(supersedes))


def parts_of(text: str, words: Mapping[str, str]) -> dict[str, str]:
    """The sections of a new record from what was said: the text is the decision, the reason its context where none is given."""
    context, reason = words.get("context", "").strip(), words.get("reason", "").strip()
    found = {
        "context": context or reason, "options": words.get("options", "").strip(), "decision": text.strip(),
        "consequences": words.get("consequences", "").strip(),
    }
    if context and reason and reason != context:
        found["decision"] += f"\n\nReason: {reason}"
    scope = words.get("scope") or words.get("area", "")
    if scope:
        found["decision"] += f"\n\nScope: {flat(scope)}"
    seen = [flat(words[key]) for key in ("source", "tag") if words.get(key) and words[key] != "stated"]
    if seen:
        source = seen[0] if len(seen) == 1 else f"{seen[0]} ({seen[1]})"
        found["context"] = f"{found['context']}\n\nSource: {source}".strip()
    return found


def _no_status(text: str) -> None:
    """Raises Refused for a text with a status of its own, which a reader would take for the record's."""
    if "tatus" in text:
        lines = statuslines.in_page(markdown.parse(text.encode("utf-8", "surrogateescape")))
        if any(line.form in ("section", "heading") for line in lines.statuses):
            raise Refused(
                "The text has a status of its own.", field="text", remedy="Leave it out; memdesk writes the record's status."
            )


def _name(title: str) -> str:
    name = fields.slug(title).encode("utf-8")[:_KEPT].decode("utf-8", "ignore")
    if len(fields.slug(title).encode("utf-8")) > _KEPT and "-" in name:
        name = name.rpartition("-")[0]
    name = name.strip("-")
    if not name:
        raise Refused("The title gives no name for a file.", remedy="Use letters and digits.", field="title")
    return f"{name}-record" if numbers.is_other(name) else name


def _joined(store: Store, inner: str) -> str:
    return posixpath.normpath(posixpath.join(store.path, inner))


def _check(draft: Draft, document: Document, title: str, status: str) -> None:
    """Whether the new file is read as the record that was meant, and not by what its text claims."""
    work = draft.works[document.path]
    entries = work.after(work.apply().after).entries
    entry = entries[0] if len(entries) == 1 else None
    if entry is None or entry.status != status:
        raise Refused(
            f"The new record would not be read as {status}: its text says a status of its own.", path=document.path,
            field="text", remedy="Leave status lines out of the text; memdesk writes them.",
        )
    if flat(entry.heading) != title:
        raise Refused(
            f"The title would be read as {entry.heading[:60]!r}.", path=document.path, field="title",
            remedy="Begin it with a word.",
        )
