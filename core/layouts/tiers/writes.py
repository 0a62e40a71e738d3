"""What each verb writes in this layout: the halves that `actions.py` composes, into a Draft (docs/tiers.md)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from memdesk.core import stops
from memdesk.core.errors import Refused
from memdesk.core.layouts import inbox, naming, striking, texts
from memdesk.core.layouts.tiers import factform, facts, indexing, logging, places
from memdesk.core.layouts.tiers.kept import within

if TYPE_CHECKING:
    from memdesk.core.draft import Draft
    from memdesk.core.layouts.base import Change, Content, Destination, Outcome
    from memdesk.core.layouts.tiers.kept import Kept
    from memdesk.core.model import Document, Entry, Store

INBOX = b"# Inbox\n"


def add(draft: Draft, store: Store, content: Content) -> None:
    """A candidate bullet in the inbox under today's heading, newest first; the file is made where it is missing."""
    kept: Kept = store.settings
    path = store.join(kept.inbox)
    inbox.add(draft, draft.look(path) or draft.make(store, path, INBOX), content)


def put(draft: Draft, store: Store, destination: Destination, content: Content) -> None:
    """A new fact with its line in the index and one in the log; for the log, just a line there. Raises Refused."""
    words = content.words
    if destination.id == places.LOG:
        logging.append(draft, store, logging.noted(content.text), content.today, content.at)
        return
    description = words.get("description", "").strip() or words.get("title", "").strip() or factform.from_text(content.text)
    line = factform.described(description)
    name = destination.id.partition(":")[2] or words.get("fact", "")
    folder = places.facts_in(store)
    if name:
        found = naming.file_in(draft.workspace, folder, name, "fact")
        if not found.new or draft.workspace.tree.kind(found.path) != "none" or found.path in draft.works:
            raise Refused(
                f"There is a file {found.path} already.", path=found.path, field="fact",
                remedy="Merge the candidate into that fact, or choose another name.",
            )
    else:
        found = naming.free(draft, folder, words.get("title", "").strip() or line, "fact")
    spoken = re.sub(r"[-_]+", " ", found.name).strip() or found.name
    title = words.get("title", "").strip() or (spoken[:1].upper() + spoken[1:] if name else line)
    kind = words.get("type", "").strip() or (words["kind"] if words.get("kind") in places.TYPES else "")
    text = factform.new(found.name, title, content.text, {**words, "description": line, "type": kind}, content.today)
    draft.look(found.path)
    made = draft.make(store, found.path, b"")
    if made.place.role != "fact":
        what = f"{found.path} would be no fact of this store."
        raise Refused(what, path=found.path, field="fact", remedy="Choose another name.")
    draft.insert(made, 0, text, loose=False, entry=True)
    indexing.add(draft, store, made.after(text.encode("utf-8", "surrogateescape")))
    logging.append(draft, store, f"promoted fact {found.name}: {line}", content.today, content.at)


def take(draft: Draft, store: Store, entries: Sequence[Entry], outcome: Outcome) -> None:
    """The half that takes out, strikes in place, moves to the archive or forgets. A line of the log that was promoted stays
    as it is. Raises Refused."""
    if outcome.kind == "archived":
        _archive(draft, store, entries, outcome)
    elif outcome.kind == "forgotten":
        _forget(draft, store, entries, outcome)
    elif outcome.kind == "struck":
        for entry in entries:
            striking.strike(draft, entry, f"struck {outcome.today.isoformat()}", outcome.reason)
    else:
        _leave(draft, store, entries, outcome)


def amend(draft: Draft, store: Store, entry: Entry, change: Change) -> None:
    """A change of one entry in place; of a fact, its line in the index follows, and a correction is logged. Raises Refused."""
    if entry.role == "index":
        raise Refused(
            "A line of the index says what its fact says.", path=entry.path, line=entry.line,
            remedy="Correct or edit the fact; memdesk reindex mends the lines.",
        )
    if change.kind == "strike":
        striking.strike(draft, entry, f"struck {change.today.isoformat()}", change.words.get("reason", ""))
        return
    if entry.role != "fact":
        draft.rewrite(entry, change.text)
        return
    document = entry.document
    if change.kind == "replace":
        draft.rewrite(entry, change.text)
        _follow(draft, store, document)
        return
    words = change.words
    for key in ("reason", "source"):
        stops.values([(entry.path, words.get(key, ""))], key)
    made = factform.corrected(entry.text, change.text, words.get("reason", ""), words.get("description", ""), change.today)
    draft.rewrite(entry, made.text)
    _follow(draft, store, document)
    reason, what = words.get("reason", ""), f"corrected fact {facts.stem(document.path)}"
    said = logging.changed(what, made.was, made.now, reason, words.get("source", ""))
    logging.append(draft, store, said, change.today, change.at)


def _follow(draft: Draft, store: Store, document: Document) -> None:
    """The line of a fact that was rewritten says what the fact does now; where the fact is described as before, its line is
    left as it is, whatever it says. Raises Refused for a fact whose front matter was right, and would not be any more."""
    from memdesk.core.layouts.tiers.factrules import front_fault

    if document.path not in draft.works:
        return
    after = document.after(draft.works[document.path].apply().after)
    fault = front_fault(after.page)
    if fault is not None and front_fault(document.page) is None:
        line, message, remedy = fault
        raise Refused(message, path=document.path, line=line, field="text", remedy=remedy)
    was, now = facts.fact_of(document), facts.fact_of(after)
    if (was.name, was.description) != (now.name, now.description):
        indexing.follow(draft, store, after)


def _leave(draft: Draft, store: Store, entries: Sequence[Entry], outcome: Outcome) -> None:
    """Candidates go out whole; of what is rejected, or leaves the store, the log keeps a line."""
    words = outcome.words
    rejected = outcome.kind == "rejected"
    if rejected and words.get("tombstone") == "yes":
        raise Refused(
            "This layout keeps no tombstones: the log says what was rejected.", field="tombstone",
            remedy="Reject it with a reason.",
        )
    for entry in entries if rejected else ():
        if entry.role not in inbox.WAITING:
            raise Refused(
                "Only a candidate can be rejected.", path=entry.path, line=entry.line,
                remedy="Correct the fact, or archive it.",
            )
    for entry in entries:
        if entry.role == "log" and words.get("to") == places.LOG and outcome.kind == "promoted":
            raise Refused("It is in the log already.", path=entry.path, line=entry.line, field="to", remedy="Make it a fact.")
    if rejected:
        stops.values([(store.path, outcome.reason)], "reason")
    inbox.leave(draft, [entry for entry in entries if entry.role in inbox.WAITING])
    for entry in entries:
        if rejected:
            text = texts.dedented(entry.text) if entry.kind == "bullet" else entry.text
            logging.append(draft, store, logging.told("rejected", text, outcome.reason), outcome.today, outcome.at)
        elif outcome.kind == "moved":
            title = texts.shown(places.said(entry).title)
            logging.append(draft, store, f'promoted "{title}" to {outcome.to}', outcome.today, outcome.at)


def _archive(draft: Draft, store: Store, entries: Sequence[Entry], outcome: Outcome) -> None:
    """Facts and old logs to the archive, whole and to the byte; a fact's line goes from the index. Raises Refused."""
    kept: Kept = store.settings
    today = logging.path_of(store, outcome.today)
    for document, found in inbox.by_document(entries):
        role = document.place.role
        if role not in ("fact", "log"):
            what = {"archive": "It is in the archive already.", "index": "A line of the index goes with its fact."}
            raise Refused(
                what.get(role, "Only facts and old logs are archived."), path=document.path, line=found[0].line,
                remedy="Reject a candidate, or clear the working file." if role in inbox.WAITING else "",
            )
        if document.path == today:
            raise Refused("Today's log is still written to.", path=document.path, remedy="Archive it another day.")
        folder, _, name = store.join(f"{kept.archive}/{_inside(kept, store.named(document.path))}").rpartition("/")
        target = naming.beside(draft, folder, name.removesuffix(".md"))
        if role == "fact":
            indexing.remove(draft, store, document.path)
        draft.move(document, target)


def _inside(kept: Kept, inner: str) -> str:
    """A store-relative path without the folder of its tier: an archive keeps the folders below that."""
    for folder in (kept.facts, *kept.more, kept.log):
        if folder and within(inner, folder):
            return inner[len(folder) + 1 :]
    return inner.rpartition("/")[2]


def _forget(draft: Draft, store: Store, entries: Sequence[Entry], outcome: Outcome) -> None:
    """What holds the topic, whole: facts with their lines, archived ones too, candidates. Raises Refused but for a purge."""
    if outcome.words.get("mode") != "purge":
        raise Refused(
            "This layout forgets by purging alone: it keeps no tombstones.", field="mode",
            remedy="Use --mode purge, or archive or correct it.",
        )
    groups = inbox.by_document(entries)
    whole = {document.path for document, found in groups if any(entry.kind == "file" for entry in found)}
    for document, found in groups:
        if document.place.role == "index":
            for entry in found:
                leads = indexing.of_entry(draft, store, entry)
                if leads is None or leads.path not in whole:
                    indexing.rewrite(draft, store, entry)
        elif document.place.role == "fact":
            indexing.remove(draft, store, document.path)
        elif document.place.role in inbox.WAITING:
            inbox.leave(draft, found)
        elif document.path not in whole:
            for entry in found:
                draft.cut(entry)
    for path in sorted(whole):
        draft.delete(draft.workspace.documents[path])
