"""What the verbs write of terms: the glossary, and the list of words that await it (docs/records.md)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memdesk.core import fields, stops, strikes
from memdesk.core.errors import Refused
from memdesk.core.layouts import shape, spans, striking, texts
from memdesk.core.layouts.records import asks, newterm
from memdesk.core.layouts.records.kept import GLOSSARY, TERMS

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import date

    from memdesk.core.draft import Draft
    from memdesk.core.layouts.base import Change, Content, Outcome
    from memdesk.core.model import Document, Entry, Store


def wait(draft: Draft, store: Store, content: Content) -> None:
    """A line of a word that awaits the glossary."""
    term = newterm.read(content.text)
    if term is None:
        raise Refused(
            "A term says the word and what it means.", field="text", remedy='Write it as "WORD: what it means here".'
        )
    if content.words.get("avoid"):
        term = term._replace(avoid=content.words["avoid"])
    newterm.check(term, _terms(draft, store))
    document = _waiting_list(draft, store)
    items = spans.top(document.page, "item")
    marker = spans.marker(document.page, items[-1].start) if items else "-"
    line = newterm.waiting(term, content.words, marker)
    draft.insert(document, len(document.data), line, loose=_is_loose(document), entry=True)


def define(draft: Draft, store: Store, own: Entry | None, content: Content) -> None:
    """A term in the glossary, which is made where there is none."""
    words = content.words
    term = newterm.Term(texts.flat(content.title), content.text, words.get("avoid", ""))
    if own is None or own.role != "terms":
        split = newterm.read(content.text)
        if split is not None and not words.get("title"):
            term = newterm.Term(split.name, split.text, words.get("avoid") or split.avoid)
        elif not words.get("title"):
            raise Refused("Which word is it?", remedy="Give the term itself (--title).", field="title")
    newterm.check(term, _terms(draft, store), own)
    if _given(words, own):
        said = term.text.rstrip()
        stop = "" if said[-1:] in ".!?。" else "."
        term = term._replace(text=f"{said}{stop} Why: {texts.flat(words['reason']).rstrip('.')}.")
    document = draft.make(store, store.join(GLOSSARY), b"# Words\n\n## Language\n")
    newterm.insert(draft, document, term, words.get("section", ""))


def _given(words: Mapping[str, str], own: Entry | None) -> bool:
    """Whether a reason comes with the promotion: one that only says why the word waits stays behind."""
    waited = {} if own is None or own.role != "terms" else fields.bracket(own.fields.get("text", ""))[1]
    return bool(words.get("reason")) and words["reason"] != waited.get("reason")


def take(draft: Draft, entry: Entry, outcome: Outcome) -> None:
    """A word leaves the list, or is struck on it, with date and reason. Raises Refused."""
    if outcome.kind in ("promoted", "moved", "merged"):
        draft.cut(entry)
    else:
        _strike(draft, entry, outcome.kind, outcome.today, outcome.reason)


def retire(draft: Draft, entry: Entry, change: Change) -> None:
    """A term is struck in the glossary, where it stays to be read. Raises Refused."""
    if entry.struck:
        raise Refused("It is struck already.", path=entry.path, line=entry.line)
    if change.text.strip():
        raise Refused(
            "A term has no replacement.", path=entry.path, line=entry.line, field="with",
            remedy="Edit its definition; or strike it, and add the other word.",
        )
    _strike(draft, entry, "struck", change.today, change.words.get("reason", ""))


def _strike(draft: Draft, entry: Entry, kind: str, today: date, reason: str) -> None:
    """Strikes a term in its own form: its bullet or paragraph, its heading, or the cell or line of the word."""
    shape.words(reason, "reason")
    stops.values([(entry.path, reason)], "reason")
    said = texts.flat(reason)
    remark = f"{kind} {today.isoformat()}" + (f": {said}" if said else "")
    document = entry.document
    if entry.kind == "bullet":
        striking.bullet(draft, entry, remark)
        return
    start, end = _spot(entry)
    if entry.kind == "row":
        remark = remark.replace("|", "\\|")
    rule = strikes.strike if entry.kind == "body" else strikes.strike_title
    striking.check(entry, document.data[start:end].decode("utf-8", "surrogateescape"), rule)
    draft.patch(document, start, start, "~~", entry)
    draft.patch(document, end, end, f"~~ {remark}", entry)


def _spot(entry: Entry) -> tuple[int, int]:
    """The span of what is struck of a term that is no bullet."""
    page = entry.document.page
    if entry.kind == "section":
        heading = spans.entry_heading(page, entry)
        return heading.inner if heading is not None else (entry.start, entry.end)
    block = page.blocks[spans.first_block(page, entry.start)] if entry.kind == "body" else None
    start, end = entry.start, entry.end
    first, newline, rest = page.text[start:end].partition("\n")
    if entry.kind == "row":
        start += len(first) - len(first.lstrip(" \t|"))
        end = page.text.find("|", start, entry.end)
    elif newline and rest.lstrip(" \t").startswith(": "):
        end = start + len(first)
    elif block is not None:
        end = block.end
    while end > start and page.text[end - 1] in " \t\r\n":
        end -= 1
    while start < end and page.text[start] in " \t":
        start += 1
    return start, end


def _terms(draft: Draft, store: Store) -> list[Entry]:
    """All terms of a store, those that await the glossary too; looking binds the plan."""
    found: list[Entry] = []
    for path in (store.join(GLOSSARY), f"{asks.design_folder(store)}/{TERMS}"):
        document = draft.look(path)
        found += document.entries if document is not None else []
    return found


def _waiting_list(draft: Draft, store: Store) -> Document:
    return draft.make(store, f"{asks.design_folder(store)}/{TERMS}", b"# Candidates for the glossary\n")


def _is_loose(document: Document) -> bool:
    items = spans.top(document.page, "item")
    return not items or spans.are_loose(document.page, items)
