"""One entry in the place of another, both ends saying so: `Supersedes:` in the new one, `Status: superseded` and
`Superseded-By:` in the old one."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from memdesk.core.errors import Refused
from memdesk.core.layouts import shape, striking, texts
from memdesk.core.layouts.base import Change, Content, Outcome
from memdesk.core.layouts.custodian.complete import admission, kinds, owners
from memdesk.core.layouts.custodian.complete.heirs import heir, supersedes
from memdesk.core.layouts.spans import first_block

if TYPE_CHECKING:
    from memdesk.core.draft import Draft
    from memdesk.core.model import Entry, Store

_STATUS = re.compile(rb"([ \t]*(?:[-*+][ \t]+)?)(\*\*|__)?Status(?:\*\*|__)?:(?:\*\*|__)?[ \t]*([^\s`*_]+)", re.IGNORECASE)


def supersede(draft: Draft, store: Store, entry: Entry, change: Change) -> None:
    """Supersedes an entry by a new one of its kind, with its scope, subject and facet. An entry without an id is struck as
    before; what takes its place is complete. Raises Refused."""
    if not change.text.strip():
        strike(draft, store, entry, Outcome("struck", change.today, reason=change.words.get("reason", "")))
        return
    striking.unstruck(entry)
    words = {name: value for name, value in change.words.items() if name not in ("with", "kind")}
    title = words.get("title") or texts.title_of(change.text)
    content = Content(title, change.text, words, change.today, change.at, change.stamp)
    scope = entry.fields.get("scope") or entry.document.place.scope or "project"
    if not entry.fields.get("id"):
        kind = _kind_of_line(entry)
        scope = entry.document.place.scope if entry.role == "area" else "project"
        ident = admission.write(draft, store, entry.document, kind, content, scope or "project", over=entry)
        _strike_line(draft, entry, change, ident)
        return
    kind = _kind_of(entry)
    if entry.status != "active":
        raise Refused(
            f"It is not active, but {entry.status or 'without a status'}.", path=entry.path, line=entry.line,
            remedy="Edit its Status line first.",
        )
    if kind.owns and not (entry.fields.get("subject") and entry.fields.get("facet")):
        raise Refused(
            "It names no subject and facet that a new entry could own after it.", path=entry.path, line=entry.line,
            remedy="Edit it first: give it a Subject and a Facet.",
        )
    ident = admission.write(draft, store, entry.document, kind, content, scope, over=entry)
    _end(draft, entry, ident)


def strike(draft: Draft, store: Store, entry: Entry, outcome: Outcome) -> None:
    """Strikes an entry without an id; of one with an id says, at both ends, by which one it is superseded, where that is there.
    Raises Refused where it isn't: nothing in the protocol is struck by itself."""
    if not entry.fields.get("id"):
        striking.strike(draft, entry, f"struck {outcome.today.isoformat()}", outcome.reason)
        return
    if entry.candidate:
        raise Refused(
            "In this protocol a candidate waits, or goes: it has no status for one that is struck.", path=entry.path,
            line=entry.line, remedy="Reject it, with a tombstone where the path should stay closed.",
        )
    striking.unstruck(entry)
    after = heir(entry, owners.standing(draft, store))
    if after is not None and entry.status == "active" and not _amended(draft, after):
        if not supersedes(after, entry):
            _say(draft, after, "", f"Supersedes:{{}} {entry.fields['id']}")
        _end(draft, entry, after.fields["id"])
        if outcome.reason.strip() and draft.look(store.join("changelog.md")) is None:
            shape.words(outcome.reason, "reason")
            remark = f"Superseded {outcome.today.isoformat()}: {texts.flat(outcome.reason)}"
            draft.below(entry, entry.end, remark, loose=True)
        return
    rest = "reject it: it goes to the archive with the reason"
    raise Refused(
        "In this protocol an entry ends by another that supersedes it.", path=entry.path, line=entry.line, field="with",
        remedy="Say what holds now (--with TEXT)" + (
            ", or edit it." if entry.role == "do-not-use" else f"; where nothing does, {rest}."
        ),
    )


def _amended(draft: Draft, entry: Entry) -> bool:
    """Whether this draft changes an entry already."""
    work = draft.works.get(entry.path)
    return work is not None and any(edit.owner == entry.index for edit in work.edits)


def _kind_of(entry: Entry) -> kinds.Kind:
    kind = kinds.of_entry(entry)
    if kind is None or kind is kinds.CANDIDATE:
        raise Refused(
            "This is no entry that another could supersede.", path=entry.path, line=entry.line, remedy="Edit it instead."
        )
    return kind


def _kind_of_line(entry: Entry) -> kinds.Kind:
    """The kind of entry that takes the place of one without an id, by the file that it stands in."""
    known = {
        "decisions": kinds.DECISION, "constraints": kinds.CONSTRAINT, "preferences": kinds.PREFERENCE,
        "do-not-use": kinds.TOMBSTONE, "rule": kinds.RULE, "profile": kinds.PROFILE,
        "area": kinds.CONSTRAINT if entry.kind == "bullet" and "decision" not in entry.fields else kinds.AREA,
    }
    if entry.role not in known:
        raise Refused("Nothing here is superseded.", path=entry.path, line=entry.line, remedy="Edit it instead.")
    return known[entry.role]


def _strike_line(draft: Draft, entry: Entry, change: Change, ident: str) -> None:
    day = change.today.isoformat()
    if entry.kind == "bullet":
        striking.bullet(draft, entry, f"superseded {day} by {ident}")
    else:
        striking.section(draft, entry, f"Superseded: {day} by {ident}")


def _end(draft: Draft, entry: Entry, ident: str) -> None:
    """Says in the old entry what came after it: its status, and a line below that."""
    _say(draft, entry, "superseded", f"Superseded-By:{{}} {ident}")


def _say(draft: Draft, entry: Entry, status: str, line: str) -> None:
    """Puts a line below an entry's status, in the form of that, with `{}` where bold would end; and another status."""
    document = entry.document
    page = document.page
    at = first_block(page, entry.start)
    while at < len(page.blocks) and page.blocks[at].start < entry.end:
        block = page.blocks[at]
        at += 1
        if block.kind not in ("paragraph", "item") or block.depth:
            continue
        start = block.start
        while start < block.end:
            stop = document.data.find(b"\n", start, block.end)
            stop = block.end if stop < 0 else stop + 1
            match = _STATUS.match(document.data, start, stop)
            if match:
                if status:
                    draft.patch(document, match.start(3), match.end(3), status, entry)
                bold = match[2].decode() if match[2] else ""
                draft.below(entry, stop, match[1].decode() + bold + line.format(bold), loose=False)
                return
            start = stop
    raise Refused("It has no Status line of its own.", path=entry.path, line=entry.line, remedy="Edit it first: give it one.")
