"""How entries leave a file of this layout: to a tombstone, to the archive, or forgotten."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date
from typing import TYPE_CHECKING

from memdesk.core import layouts
from memdesk.core.errors import Refused
from memdesk.core.layouts import inbox, shape, spans, texts
from memdesk.core.layouts.base import Content, Outcome
from memdesk.core.layouts.custodian import forms, shelving

if TYPE_CHECKING:
    from typing import TypeAlias

    from memdesk.core.draft import Draft
    from memdesk.core.model import Document, Entry, Store

    Rejected: TypeAlias = "Callable[[Draft, Store, Entry, Content], None]"  # writes the tombstone of an entry
    Forgotten: TypeAlias = "Callable[[Draft, Store, Content], None]"  # writes that of a topic


def reject(draft: Draft, store: Store, entries: Sequence[Entry], outcome: Outcome, tomb: Rejected) -> None:
    """What rejecting leaves behind: a tombstone where asked, which `tomb` writes; else, where there is no changelog to say it,
    and for entries that were accepted once, the whole text with the reason on its next line, in the archive."""
    words = outcome.words
    if words.get("tombstone") == "yes":
        for entry in entries:
            title = words.get("title", "") or layouts.get(entry.layout).said(entry).title
            tomb(draft, store, entry, Content(title, "", {**words, "reason": outcome.reason}, outcome.today))
        return
    shape.words(outcome.reason, "reason")
    logged = draft.look(store.join("changelog.md")) is not None
    kept = [entry for entry in entries if not (logged and entry.role == "inbox")]
    because = f": {texts.flat(outcome.reason)}" if outcome.reason.strip() else ""
    remark = f"{shelving.REJECTED} {outcome.today.isoformat()}{because}"
    _to_archive(draft, store, kept, outcome.today, remark)


def archive(draft: Draft, store: Store, entries: Sequence[Entry], today: date) -> None:
    """Whole entries to `archive/NAME-DATE.md`. Raises Refused for tombstones, constraints that hold, and what is there."""
    for entry in entries:
        refused = _kept(entry)
        if refused is not None:
            raise refused
    _to_archive(draft, store, entries, today, "")


def stays(entry: Entry) -> str:
    """Why an entry does not leave to make room: what is never archived, and what an area, or a rule, holds of the kind."""
    refused = _kept(entry)
    if refused is not None:
        return refused.message
    if entry.heading.casefold().startswith("tombstone:") or (entry.fields.get("id") and "rejected" in entry.fields):
        return "A tombstone is never archived: it keeps the rejected path from being rediscovered."
    above = {title.strip().casefold() for title in entry.heading_path}
    if not entry.struck and (entry.role == "rule" or "constraint" in entry.fields or above & {"constraints", "constraint"}):
        return "A constraint that holds is never archived."
    return ""


def forget(draft: Draft, store: Store, entries: Sequence[Entry], outcome: Outcome, tomb: Forgotten) -> None:
    """The tombstone that forgetting leaves, which `tomb` writes: soft, one that names the topic; hard, a single generic one;
    purge, none."""
    from memdesk.core.layouts.custodian import writes

    mode = outcome.words.get("mode", "soft")
    if mode == "purge":
        return
    title = outcome.words.get("topic", "") if mode == "soft" else forms.FORGOTTEN
    document = writes.core_file(draft, store, "do-not-use.md")
    gone = {entry.index for entry in entries if entry.document is document}
    for entry in document.entries:
        known = entry.fields.get("title", entry.heading).casefold()
        if entry.index not in gone and not entry.struck and known == title.casefold():
            return
    reason = "a topic was forgotten on request." if mode == "hard" else "forgotten on request."
    tomb(draft, store, Content(title, "", {"reason": reason}, outcome.today))


def archive_path(store: Store, document: Document, today: date) -> str:
    """`archive/decisions-2026-11-30.md`; of a module with its kind: `archive/area-storage-2026-11-30.md`."""
    name = document.path.rpartition("/")[2].removesuffix(".md")
    role = document.place.role
    stem = f"{role}-{name}" if role in forms.FOLDERS else name
    return store.join(f"archive/{stem}-{today.isoformat()}.md")


_WHOLE = ("bullet", "section")  # kinds of entries that can be moved by themselves


def _kept(entry: Entry) -> Refused | None:
    """Why an entry is never archived, as the refusal of doing it."""
    if entry.role == "do-not-use":
        return Refused(
            "A tombstone is never archived: it keeps the rejected path from being rediscovered.", path=entry.path,
            line=entry.line, remedy="Strike it if it no longer holds.",
        )
    if entry.role == "constraints" and not entry.struck:
        return Refused(
            "A constraint that holds is never archived.", path=entry.path, line=entry.line, remedy="Strike it first."
        )
    if entry.tier == "archive":
        return Refused("It is in the archive already.", path=entry.path, line=entry.line)
    return None if entry.kind in _WHOLE else _no_entry(entry)


def _no_entry(entry: Entry) -> Refused:
    return Refused(
        "Plain text without a heading or bullet is no entry that can be moved.", path=entry.path, line=entry.line,
        remedy="Edit it instead.",
    )


def _to_archive(draft: Draft, store: Store, entries: Sequence[Entry], today: date, remark: str) -> None:
    for source, moved in inbox.by_document(entries):
        for entry in moved:
            if entry.kind not in _WHOLE:
                raise _no_entry(entry)
        path = archive_path(store, source, today)
        name = store.named(source.path)
        document = draft.look(path) or draft.make(store, path, forms.title_file(forms.archive_title(name, today)))
        said = [_with_remark(entry, entry.text, remark) if remark else entry.text for entry in moved]
        shelving.shelve(draft, document, [shelving.Leaving(*pair) for pair in zip(moved, said, strict=True)])


def _with_remark(entry: Entry, text: str, remark: str) -> str:
    """The text with a line behind it; a bullet's is its continuation. After a fence, a list or a table it is a paragraph
    of its own, or it would become part of that."""
    if entry.kind != "bullet":
        return f"{text}\n\n{remark}"
    page = entry.document.page
    first, stop = spans.first_block(page, entry.start), spans.first_block(page, entry.end)
    inner = page.blocks[first:stop]
    item = inner[0]
    pad = " " * min(max(item.inner[0] - item.start, 2), 8)
    close = len(inner) == 1 or (inner[-1].kind == "paragraph" and inner[-1].depth == 1)
    close = close and not text.rpartition("\n")[2].lstrip().startswith("|")
    return f"{text}\n{pad}{remark}" if close else f"{text}\n\n{pad}{remark}"
