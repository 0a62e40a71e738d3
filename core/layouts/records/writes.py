"""What each verb writes in this layout: the halves that `actions.py` composes, into a Draft (docs/records.md)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from memdesk.core import layouts, stops
from memdesk.core.errors import Refused
from memdesk.core.layouts import shape, texts
from memdesk.core.layouts.base import Content, Destination
from memdesk.core.layouts.records import asks, newrecord, restate, statuses, style, succession, termwrites

if TYPE_CHECKING:
    from memdesk.core.draft import Draft
    from memdesk.core.layouts.base import Change, Outcome
    from memdesk.core.model import Entry, Store

KINDS = ("adr", "decision", "term")  # what can be added here


def add(draft: Draft, store: Store, content: Content) -> None:
    """A proposed record; for a term, a line of those that await the glossary. Raises Refused for another kind."""
    kind = content.words.get("kind", "") or "adr"
    if kind not in KINDS:
        raise Refused(
            f"This layout keeps no {kind}: it has decision records and terms.", field="kind",
            remedy="Use --kind adr or --kind term, or name another store (--store PATH).",
        )
    if kind == "term":
        termwrites.wait(draft, store, content)
        return
    said = newrecord.given(texts.title_of(content.text), content.text, content.words)
    old = succession.numbered(draft, store, said.supersedes)
    newrecord.make(draft, store, said.title, "proposed", content.today, said.parts, old)


def put(draft: Draft, store: Store, destination: Destination, content: Content) -> None:
    """An entry at its destination: a proposed record of this store is accepted where it is; anything else becomes a record, a
    term or a part of a design note. Raises Refused."""
    own = _own(draft, store, content)
    if destination.id == asks.ADR:
        asks.stop(content.words)
        if own is not None and own.role == "record":
            _accept(draft, store, own, content)
        else:
            _record(draft, store, content)
    elif destination.id == asks.TERM:
        termwrites.define(draft, store, own, content)
    else:
        _design(draft, store, destination, content)


def take(draft: Draft, store: Store, entries: Sequence[Entry], outcome: Outcome) -> None:
    """The half that marks candidates where they are. A record is rejected, with date and reason, or was accepted by `put`; a
    word that awaited the glossary goes, or is struck."""
    for entry in entries:
        if not entry.candidate:
            raise Refused(
                "What was decided isn't taken back in place.", path=entry.path, line=entry.line,
                remedy=_WAY_ON if entry.role == "record" else "Edit it, or strike it.",
            )
        if entry.role == "terms":
            termwrites.take(draft, entry, outcome)
        elif outcome.kind != "promoted" or outcome.words.get("to", asks.ADR) != asks.ADR:
            _close(draft, entry, outcome)
        if outcome.kind == "rejected" and outcome.words.get("tombstone") == "yes":
            _tombstone(draft, store, entry, outcome)


def amend(draft: Draft, store: Store, entry: Entry, change: Change) -> None:
    """A change of one entry. "strike" supersedes an accepted record by a new one, and strikes a term;
    "replace" edits drafts, designs and terms, and of a record that was decided the status and relation lines alone."""
    if change.kind == "strike":
        if entry.role == "record":
            _supersede(draft, store, entry, change)
        else:
            if entry.role == "design":
                raise Refused(
                    "A design note isn't struck.", path=entry.path, line=entry.line,
                    remedy="Edit it, and give it the status rejected.",
                )
            termwrites.retire(draft, entry, change)
        return
    if entry.role == "record" and entry.status is not None and not entry.candidate:
        if "into" in change.words:
            raise Refused("A decided record takes nothing in.", path=entry.path, line=entry.line, remedy=_WAY_ON, field="into")
        _only_status(entry, change.text)
    if entry.role in ("glossary", "terms"):
        shape.words(change.text)
    draft.rewrite(entry, change.text)
    if entry.role == "record" and draft.works:
        _still_open(draft, entry)


_WAY_ON = "Supersede it by a new record: memdesk strike ID --with TEXT --reason WHY."


def _accept(draft: Draft, store: Store, entry: Entry, content: Content) -> None:
    """A proposed record becomes accepted, and what it supersedes superseded, all at once."""
    words = content.words
    given = [part for part in style.PARTS if words.get(part) and words[part] != entry.fields.get(part)]
    if words.get("title", entry.heading) != entry.heading or content.text.strip() != asks.said(entry).text.strip():
        raise Refused(
            "Accepting changes a record's status, not what it says.", path=entry.path, line=entry.line, field="text",
            remedy="Edit the draft first, then accept it.",
        )
    own = asks.said(entry).words.get("reason", "")
    for part in given:
        if entry.fields.get(part):
            raise Refused(
                f"The draft has its {part} already.", path=entry.path, line=entry.line, field=part,
                remedy="Edit the draft first, then accept it.",
            )
    if (work := draft.works.get(entry.path)) is not None and work.changed:
        raise Refused(
            "Another of these records supersedes it.", path=entry.path, line=entry.line, remedy="Accept them one by one."
        )
    why = words.get("context") or words.get("reason") or entry.fields.get("reason") or entry.fields.get("context")
    if not why:
        raise Refused(
            "The record says nothing of its context, so nobody can judge it later.", path=entry.path, line=entry.line,
            field="context", remedy="Give the context, or edit the draft first.",
        )
    if not entry.fields.get("context") and not entry.fields.get("reason") and "context" not in given:
        given.append("context")
    label = words.get("status", "accepted")
    if label != "accepted":
        raise Refused("It is proposed already.", path=entry.path, line=entry.line, field="status", remedy="Leave it as it is.")
    _fill(draft, entry, {part: words.get(part) or words.get("reason", "") for part in given})
    old = succession.named(draft, store, entry, words.get("supersedes", ""))
    said = words.get("reason", "") if own and words.get("reason") != own else ""  # what was said beside the record's own
    shape.words(said, "reason")
    restate.accept(draft, entry, content.today, said)
    new = [one for one in old if not succession.says(entry, one, draft)]
    restate.relate(draft, entry, "Supersedes", [newrecord.link(one, asks.folder_of(entry)) for one in new])
    _reads(draft, entry, "accepted", said)
    _scan(draft, entry)
    for one in old:
        if not succession.closed(one, entry, draft):
            succession.close(draft, one, content.today, newrecord.link(entry, asks.folder_of(one)))


def _record(draft: Draft, store: Store, content: Content) -> None:
    """A new record from another candidate, accepted or proposed; accepted, it supersedes at once."""
    words = content.words
    status = words.get("status", "accepted")
    if status not in ("accepted", "proposed"):
        raise Refused(f"A new record can't be {status!r}.", remedy="Choose accepted or proposed.", field="status")
    said = newrecord.given(content.title, content.text, words)
    if status == "accepted" and not said.parts.get("context"):
        raise Refused("A record needs its why.", remedy="Say what made the decision necessary.", field="reason")
    old = succession.numbered(draft, store, said.supersedes)
    made = newrecord.make(draft, store, said.title, status, content.today, said.parts, old)
    if status == "accepted":
        for one in old:
            succession.close(draft, one, content.today, made.link(asks.folder_of(one)))


def _supersede(draft: Draft, store: Store, entry: Entry, change: Change) -> None:
    """A new record that supersedes; in the old one only its status lines change."""
    words = change.words
    if entry.status in ("superseded", "rejected"):
        raise Refused(
            f"It is {entry.status} already.", path=entry.path, line=entry.line, remedy="Supersede the record that holds now."
        )
    succession.closable(entry)
    if not change.text.strip():
        raise Refused(
            "An accepted record ends only by another one.", path=entry.path, line=entry.line, field="with",
            remedy="Say what holds instead (--with), and why (--reason).",
        )
    if not (words.get("reason") or words.get("context")):
        raise Refused("A record needs its why.", remedy="Say what changed since then.", field="reason")
    said = newrecord.given(texts.title_of(change.text), change.text, words)
    made = newrecord.make(draft, store, said.title, "accepted", change.today, said.parts, [entry])
    succession.close(draft, entry, change.today, made.link(asks.folder_of(entry)))


def _close(draft: Draft, entry: Entry, outcome: Outcome) -> None:
    """A proposed record that is not accepted: rejected, with the date and why."""
    gone = {"promoted": "its text is in", "moved": "its text is in", "merged": "merged into"}.get(outcome.kind)
    reason = f"{gone} {outcome.to}" if gone else outcome.reason
    shape.words(reason, "reason")
    stops.values([(entry.path, reason)], "reason")
    restate.reject(draft, entry, outcome.today, reason)
    _reads(draft, entry, "rejected", reason)


def _design(draft: Draft, store: Store, destination: Destination, content: Content) -> None:
    """A design note: a new file, or a section at the end of one that is there."""
    shape.words(content.text)
    title = texts.flat(content.title).rstrip(".")
    if not title:
        raise Refused("It needs a title.", remedy="Say in a few words what it is about.", field="title")
    found = draft.look(destination.path)
    reason = content.words.get("reason", "").strip()
    body = f"{content.text.strip()}\n\nReason: {reason}" if reason and reason not in content.text else content.text.strip()
    if found is not None and found.entries:
        entry = found.entries[0]
        if entry.status in statuses.CURRENT | statuses.CLOSED:
            what = f"That design is {entry.status}."
            raise Refused(what, path=entry.path, line=entry.line, field="to", remedy="Name another.")
        stops.values([(entry.path, f"{title}\n\n{body}")])
        draft.below(entry, entry.end, f"## {title}\n\n{body}", loose=True)
        return
    document = draft.make(store, destination.path, b"")
    head = f"# {title}\n\n**Status:** draft\n\n**Date:** {content.today.isoformat()}"
    draft.insert(document, len(document.data), f"{head}\n\n{body}", loose=False, entry=True)


def _tombstone(draft: Draft, store: Store, entry: Entry, outcome: Outcome) -> None:
    """A tombstone in the store that keeps them. Raises Refused where there is none, or are several."""
    found = []
    for other in draft.workspace.stores:
        if other is not store and not other.read_only:
            try:
                place = layouts.get(other.layout).destination(draft.workspace, other, "do-not-use", outcome.words)
            except Refused:
                continue
            found.append((other, place))
    if len(found) != 1:
        why = "Several stores keep tombstones." if found else "No store here keeps tombstones."
        remedy = "Reject it with a reason: that stays in the record."
        raise Refused(why, path=entry.path, line=entry.line, field="tombstone", remedy=remedy)
    other, destination = found[0]
    said = asks.said(entry)
    kept = {key: outcome.words[key] for key in ("scope", "reconsider") if outcome.words.get(key)}
    title = outcome.words.get("title") or said.title
    content = Content(title, said.text, {**kept, "title": title, "reason": outcome.reason}, outcome.today)
    layouts.get(other.layout).put(draft, other, destination, content)


def _fill(draft: Draft, entry: Entry, parts: Mapping[str, str]) -> None:
    """Puts what was missing into a draft: below its empty heading, else in a section of its own at the end."""
    from memdesk.core.layouts.records.read import label_of

    page = entry.document.page
    own = style.of([entry.document])
    for part in style.PARTS:
        text = parts.get(part, "").strip()
        if not text:
            continue
        shape.words(text, part)
        section = next((one for one in page.sections(2) if label_of(page.title(one.heading)) == part), None)
        if section is None:
            draft.below(entry, entry.end, f"## {own.names[part]}\n\n{text}", loose=True)
        else:
            draft.below(entry, section.heading.end, text, loose=True)


def _only_status(entry: Entry, text: str) -> None:
    """Raises Refused where an edit of a decided record changes more than its status and relation lines."""
    from memdesk.core import edits
    from memdesk.core.layouts.records.immutable import frozen

    document = entry.document
    found = edits.changed_lines(entry.raw, text, entry.start, document.page.newline, entry.index)
    after = document.after(edits.apply(document.data, found, document.page.newline).after)
    if [line for _, line in frozen(document)] == [line for _, line in frozen(after)]:
        return
    raise Refused(
        f"This record is {entry.status}: what it says is not rewritten; only its status and relation lines may change.",
        path=entry.path, line=entry.line, field="text", remedy=_WAY_ON,
    )


def _still_open(draft: Draft, entry: Entry) -> None:
    """Raises Refused where an edit would decide a draft: that is a verdict of its own."""
    work = draft.works.get(entry.path)
    if work is None or not work.changed or not entry.candidate:
        return
    after = work.after(work.apply().after).entries
    if len(after) == 1 and not after[0].candidate:
        status = after[0].status or "unreadable"
        raise Refused(
            f"The edit would make the record's status {status}.", path=entry.path, line=entry.line, field="text",
            remedy="Leave its status as it is; promote accepts it, reject rejects it.",
        )


def _reads(draft: Draft, entry: Entry, status: str, reason: str) -> None:
    """Raises Refused where the new status would not be read as it is meant, or the reason as more than words."""
    if reason and statuses.relations(reason):
        raise Refused(
            "The reason would be read as what the record supersedes or is superseded by.", path=entry.path, line=entry.line,
            field="reason", remedy="Word it without that, such as: ADR-0007 decides it.",
        )
    work = draft.works[entry.path]
    after = work.after(work.apply().after).entries
    if len(after) != 1 or after[0].status != status:
        raise Refused(
            f"Its status would not be read as {status}.", path=entry.path, line=entry.line,
            remedy="Edit the status lines by hand first.",
        )


def _scan(draft: Draft, entry: Entry) -> None:
    """Example values and secrets in a draft stop its becoming a record that everyone reads."""
    work = draft.works[entry.path]
    stops.values([(entry.path, work.apply().after.decode("utf-8", "replace"))])


def _own(draft: Draft, store: Store, content: Content) -> Entry | None:
    """The candidate of this store that the content is of."""
    ident = content.words.get("own", "")
    if not ident:
        return None
    entry = draft.workspace.find(ident)
    return entry if entry.document.store is store else None
