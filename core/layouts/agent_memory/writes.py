"""What each verb writes in this layout: the halves that `actions.py` composes, into a Draft (docs/agent-memory.md)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from memdesk.core.errors import Refused
from memdesk.core.layouts import spans, striking
from memdesk.core.layouts.agent_memory import forms, rows, signals
from memdesk.core.layouts.agent_memory.entries import parts
from memdesk.core.layouts.agent_memory.lint import Lint

if TYPE_CHECKING:
    from memdesk.core.draft import Draft
    from memdesk.core.gate import Signal
    from memdesk.core.layouts.base import Change, Content, Destination, Outcome
    from memdesk.core.model import Document, Entry, Store


def add(draft: Draft, store: Store, content: Content) -> None:
    """A line at the end of today's note, which is made where there is none."""
    _bind(draft, store)
    day = content.today.isoformat()
    path = store.join(_note(store, day))
    document = draft.look(path) or draft.make(store, path, forms.new_file(day))
    marker, loose = _at_end(document)
    line = forms.candidate(content.text, content.words, content.today, _lint(store), marker)
    draft.insert(document, len(document.data), line, loose=loose, entry=True)


def put(draft: Draft, store: Store, destination: Destination, content: Content) -> None:
    """A fact line at its destination, behind its neighbours; a new file gets its row in the index. Raises Refused for an
    inferred lesson that the recurrence gate does not let pass."""
    _bind(draft, store)
    seen = _passed(draft, store, content)
    text = forms.lesson(content.words, content.text)
    path = destination.path
    document = draft.look(path)
    if document is None:
        name = path.rpartition("/")[2].removesuffix(".md")
        title = re.sub(r"[-_]+", " ", name).strip() or name
        document = draft.make(store, path, forms.new_file(title[:1].upper() + title[1:]))
        rows.add(draft, store, path, title, content.words)
    offset, marker, loose = _behind(document, content.words.get("section", ""))
    line = forms.fact(text, content.words, content.today, _lint(store), marker, seen)
    draft.insert(document, offset, line, loose=loose, entry=True)


def take(draft: Draft, store: Store, entries: Sequence[Entry], outcome: Outcome) -> None:
    """The half that marks lines where they stand: a pointer to where they went, or a strike; and that moves or forgets."""
    _bind(draft, store)
    if outcome.kind == "archived":
        _archive(draft, store, entries)
        return
    if outcome.kind == "forgotten" and outcome.words.get("mode") != "purge":
        raise Refused(
            "This layout forgets by purging alone: it keeps no tombstones.", field="mode", remedy="Use --mode purge, or strike."
        )
    for entry in entries:
        if outcome.kind in ("promoted", "moved", "merged"):
            _point(draft, entry, outcome.to)
        elif outcome.kind in ("struck", "rejected"):
            if outcome.kind == "rejected" and outcome.words.get("tombstone") == "yes":
                raise Refused(
                    "This layout keeps no tombstones: a rejected line stays in its note, struck.", field="tombstone",
                    remedy="Reject it with a reason.",
                )
            striking.inline(draft, entry, f"{outcome.kind} {outcome.today.isoformat()}", outcome.reason)
        else:
            draft.cut(entry)


def amend(draft: Draft, store: Store, entry: Entry, change: Change) -> None:
    """A change in place: "strike" supersedes a line, with a replacement right below it or without; "replace" makes its words
    others. Where a durable line's meaning changes, "replace" strikes it too. Raises Refused."""
    _bind(draft, store)
    if change.kind == "strike":
        _strike(draft, entry, change, change.text)
        return
    kind = change.words.get("change", "") if entry.tier == "durable" and "into" not in change.words else "wording"
    if kind == "meaning":
        said = parts(_unmarked(change.text), _lint(store).tags).text
        words = {"tag": "stated", **change.words}
        _strike(draft, entry, change._replace(words=words), said)
        return
    if kind != "wording":
        raise Refused(
            "Does the edit change what the line means, or its wording?", path=entry.path, line=entry.line, field="change",
            remedy="A new meaning strikes the old line and puts the new one below it.",
        )
    if entry.tag and parts(_unmarked(change.text), _lint(store).tags).tag is None:
        kept = ", ".join(f"[{tag}]" for tag in _lint(store).tags)
        raise Refused(
            "The line would lose its tag.", path=entry.path, line=entry.line, field="text", remedy=f"Keep one of {kept}."
        )
    draft.rewrite(entry, change.text)


def _strike(draft: Draft, entry: Entry, change: Change, text: str) -> None:
    day, reason = change.today.isoformat(), change.words.get("reason", "")
    if not text.strip():
        striking.inline(draft, entry, f"struck {day}", reason)
        return
    words = {"tag": "stated", **change.words}
    striking.inline(draft, entry, f"superseded {day}", reason)
    document = entry.document
    lint = _lint(document.store)
    if entry.kind == "bullet":
        new = forms.fact(text, words, change.today, lint, spans.marker(document.page, entry.start))
    elif entry.kind == "section":
        heading = spans.entry_heading(document.page, entry)
        new = forms.section(text, words, change.today, lint, heading.level if heading else 2)
    else:
        new = forms.version(text, words, change.today, lint)
    draft.insert(document, entry.end, new, loose=entry.kind != "bullet", entry=True)


def _archive(draft: Draft, store: Store, entries: Sequence[Entry]) -> None:
    """Whole documents to the archive, their rows out of the index. Raises Refused for what is no durable or working file."""
    folder = next(iter(_lint(store).archive), None)
    for document in {entry.path: entry.document for entry in entries}.values():
        if folder is None or document.place.tier not in ("durable", "working"):
            why = "This store names no archive (tape)." if folder is None else "Only durable and working files are archived."
            raise Refused(why, path=document.path)
        inner = store.named(document.path)
        name = inner.partition("/")[2] or inner
        draft.move(document, store.join(f"{folder}/{name}"))
        if document.place.tier == "durable":
            rows.remove(draft, store, document.path)


def _point(draft: Draft, entry: Entry, to: str) -> None:
    """` -> path` behind the first paragraph of a note's line, which then counts no more."""
    document = entry.document
    span = spans.first_paragraph(document.page, entry) if entry.kind == "bullet" else striking.paragraph(entry)
    if span is None:
        raise Refused("It doesn't begin with a paragraph.", path=entry.path, line=entry.line, remedy="Edit it first.")
    draft.patch(document, span[1], span[1], f" \u2192 {to}", entry)


def _passed(draft: Draft, store: Store, content: Content) -> Sequence[Signal]:
    """The signals that let an inferred lesson pass, whatever tag it is to get; none for what a person states. Raises Refused
    below the gate."""
    words = content.words
    if words.get("tag") == "stated":
        return ()
    if words.get("tag") == "inferred" and not words.get("own"):
        raise Refused(
            "An inferred lesson shows itself in this store's own notes before it becomes standing here.", field="tag",
            remedy="Add it as a note (memdesk add), or say that it was observed, or state it yourself.",
        )
    own = draft.workspace.find(words["own"]) if words.get("own") else None
    gate = None if own is None else signals.gate(draft.workspace, store, own, content.today)
    if own is None or gate is None:
        return ()
    chosen = words.get("signals", "").split()
    unknown = next((ident for ident in chosen if all(ident != signal.id for signal in gate.offered)), None)
    if unknown is not None:
        raise Refused(f"{unknown} is no signal for this lesson.", field="signals", remedy=_offer(gate.offered, gate.own))
    weighed = gate.weigh(chosen)
    if not gate.passed(weighed):
        raise Refused(
            f"The lesson has not shown itself often enough: {gate.meter(weighed)}.", field="signals",
            remedy=f"{_offer(gate.offered, gate.own)} Or state it yourself (--tag stated).",
        )
    for signal in weighed.counted:
        draft.look(signal.path)
    return weighed.counted


def _offer(offered: Sequence[Signal], own: str | None) -> str:
    others = [signal for signal in offered if signal.id != own]
    if not others:
        return "No other note holds a like line."
    listed = "; ".join(f"{signal.id} ({signal.date.isoformat()}, line {signal.line})" for signal in others)
    return f"Name those that are independent (--signal ID): {listed}."


def _bind(draft: Draft, store: Store) -> None:
    """Every write depends on what says how this store is laid out."""
    lint = _lint(store)
    path = lint.file or store.join("memory-lint.json")
    draft.reads[path] = draft.workspace.tree.digest(path)


def _note(store: Store, day: str) -> str:
    """The store-relative path of a day's note: where the settings' patterns look for one, else in the working folder."""
    lint = _lint(store)
    plain = f"memory/{day}.md"
    if any(pattern(plain) for pattern in lint.patterns):
        return plain
    for folder in lint.working:
        return f"{folder}/{day}.md"
    raise Refused(
        "This store's settings name no place for notes.", path=lint.file or store.path,
        remedy="Give ram a pattern that memory/YYYY-MM-DD.md matches, or a folder.",
    )


def _at_end(document: Document) -> tuple[str, bool]:
    """The marker of a line at the end of a document, and whether blank lines stand around it."""
    tops = [block for block in document.page.blocks if not block.depth]
    if tops and tops[-1].kind == "item":
        items = [block for block in tops if block.kind == "item"]
        return spans.marker(document.page, tops[-1].start), spans.are_loose(document.page, items)
    return "-", True


def _behind(document: Document, section: str) -> tuple[int, str, bool]:
    """Where a new fact goes: behind the last bullet under a heading (the last heading with bullets, where none is named)."""
    page = document.page
    tops = [block for block in page.blocks if not block.depth]
    headings = [block for block in tops if block.kind == "heading"]
    inside = [(entry.start, entry.end) for entry in document.entries if entry.kind == "section"]
    free = [block for block in tops if block.kind == "item" and not any(low <= block.start < high for low, high in inside)]
    if section:
        heading = next((block for block in headings if page.title(block) == section), None)
        if heading is None:
            raise Refused(f"There is no heading {section!r}.", path=document.path, field="section")
        stop = next((block.start for block in headings if block.start > heading.start), len(document.data))
        below = [block for block in free if heading.start < block.start < stop]
        if not below:
            ends = [block.end for block in tops if heading.start <= block.start < stop]
            return max(ends), "-", True
        free = below
    if free:
        return free[-1].end, spans.marker(page, free[-1].start), spans.are_loose(page, free)
    return (min(low for low, _ in inside) if inside else len(document.data)), "-", True


def _unmarked(text: str) -> str:
    return re.sub(r"\A\s*(?:[-*+]|\d{1,9}[.)])\s+", "", text, count=1)


def _lint(store: Store) -> Lint:
    lint: Lint = store.settings
    return lint
