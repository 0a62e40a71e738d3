"""The form of a fact's file, as text with LF endings: how a new one is written, and how one is overwritten in place
(docs/tiers.md)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

from memdesk.core import fields, frontmatter, markdown
from memdesk.core.errors import MemdeskError, Refused
from memdesk.core.layouts import shape, texts
from memdesk.core.layouts.tiers import facts
from memdesk.core.lean import NamedTuple

if TYPE_CHECKING:
    from datetime import date

    from memdesk.core.markdown import Block, Page

FIELDS = ("description", "type", "tags", "owner", "updated", "review_by", "source")  # in the order in which they are written


class Corrected(NamedTuple):
    """A fact's file overwritten: its text, and what it said before and says now, where that differs; the descriptions where
    only these do."""

    text: str
    was: str
    now: str


class _Body(NamedTuple):
    """Where a fact's file says what, as byte offsets into its text: the fact, below the title, and the reason for it (None
    where it gives none in a paragraph or section of its own)."""

    page: Page
    stated: tuple[int, int]
    why: tuple[int, int] | None


def new(name: str, title: str, text: str, words: Mapping[str, str], today: date) -> str:
    """A new fact's file. `words`: description, which has to be there; reason, type, tags, owner, review_by, source, scope.
    Raises Refused for what one line, one date or one text can't be."""
    said = {**words, "updated": today.isoformat(), "description": described(words.get("description", ""))}
    kind = texts.flat(words.get("type", ""))
    if kind == "decision" and not words.get("reason", "").strip():
        raise Refused("A decision without its reason can't be re-evaluated.", remedy="Say why (--reason).", field="reason")
    front = [f"name: {frontmatter.scalar(name)}"]
    for key in FIELDS:
        value = texts.flat(said.get(key, ""))
        if key == "review_by" and value and not fields.is_date(value):
            raise Refused("That is no date.", remedy="Write it as YYYY-MM-DD.", field=key)
        if key == "tags" and value:
            listed = [part.strip() for part in value.split(",") if part.strip()]
            front.append(f"tags: [{', '.join(_item(part) for part in listed)}]")
        elif value:
            front.append(f"{key}: {frontmatter.scalar(value)}")
    shape.words(text)
    parts = [text.strip("\n")]
    if not _begins_with_title(markdown.parse(_bytes(text))):
        parts.insert(0, f"# {texts.flat(title)}")
    if words.get("reason", "").strip():
        parts.append(_why(words["reason"]))
    if words.get("scope", "").strip():
        parts.append(f"Scope: {texts.flat(words['scope'])}")
    return "\n".join(["---", *front, "---", "", "\n\n".join(parts), ""])


def corrected(old: str, text: str, reason: str, description: str, today: date) -> Corrected:
    """A fact's file, overwritten in place: what it states by `text` ("": it stays), its reason by `reason` ("": it stays), its
    description by `description` ("": it stays, if it says nothing of what went). A text with front matter is the whole file, as
    an earlier one that comes back. Raises Refused where the fact would say what it says already, or its description be
    wrong."""
    shape.words(text, "with")
    shape.words(reason, "reason")
    whole = markdown.parse(_bytes(text)) if text.startswith("---") else None
    if whole is not None and whole.front is not None:
        if text.strip("\n") == old.strip("\n"):
            raise _same()
        return Corrected(text, old, text)
    body = _body(old)
    data = body.page.data
    stated = _text(data, body.stated)
    edits: list[tuple[int, int, str]] = []
    was, now = stated, text.strip("\n") or stated
    if text.strip():
        given = markdown.parse(_bytes(text))
        own = _why_span(given, 0) is not None
        low, high = body.stated
        if own and body.why is not None:
            low, high = min(low, body.why[0]), max(high, body.why[1])
            was = _text(data, (low, high))
        if _begins_with_title(given) and _begins_with_title(body.page):
            low = min(low, body.page.blocks[0].start)
        edits.append((low, high, _fitted(data, low, high, now)))
        if reason.strip() and not own:
            was, now, edits = _with_reason(body, reason, was, now, edits)
    if was.strip() == now.strip():
        was = now = ""
    changed = _spliced(data, edits)
    fresh = facts_of(changed)
    before = texts.flat(str(facts_of(old).get("description") or ""))
    if description.strip():
        wanted = described(description)
    elif not text.strip() or not stale(before, stated, text):
        wanted = before
    else:
        wanted = _from_text(text)
    if wanted != before:
        changed = _with_field(changed, "description", wanted)
        if not was and not now:
            was, now = before, wanted
    if not was and not now:
        raise _same()
    if fresh.get("updated"):
        changed = _with_field(changed, "updated", today.isoformat())
    return Corrected(changed, was, now)


def worked_in(old: str, text: str) -> str:
    """A fact's file with another text worked in behind what it states, before its reason."""
    body = _body(old)
    stated = _text(body.page.data, body.stated).rstrip("\n")
    low, high = body.stated
    return _spliced(body.page.data, [(low, high, _fitted(body.page.data, low, high, f"{stated}\n\n{text}".strip("\n")))])


def stated(text: str) -> str:
    """What a fact's file states: its text without front matter, title and the reason that stands for itself."""
    body = _body(text)
    return _text(body.page.data, body.stated).strip("\n")


def described(description: str) -> str:
    """A description as one line. Raises Refused for none, and for more than one."""
    line = description.strip()
    if not line:
        raise Refused(
            "A fact is found by its description.", field="description", remedy="Say it in one line, good enough to decide by."
        )
    if "\n" in line:
        raise Refused("A description is one line.", field="description", remedy="Put the rest into the text.")
    shape.words(line, "description")
    return texts.flat(line)


def from_text(text: str) -> str:
    """A description taken from a text: what it begins with, as far as that is a sentence on one line; "" for a text that
    begins with none."""
    first = next((row.strip() for row in text.split("\n") if row.strip()), "")
    if not first or not shape.is_paragraph(text.split("\n\n")[0]):
        return ""
    line = texts.flat(text.split("\n\n")[0])
    sentence = _SENTENCE.split(line, maxsplit=1)[0]
    return "" if len(sentence) > LONGEST else sentence.rstrip(".")


def stale(description: str, was: str, now: str) -> bool:
    """Whether a description holds a number or a word of some length that a text had, and has no more."""
    gone = set(_WORD.findall(was.casefold())) - set(_WORD.findall(now.casefold()))
    telling = {word for word in gone if len(word) >= TELLING or any(char.isdigit() for char in word)}
    return not telling.isdisjoint(_WORD.findall(description.casefold()))


def facts_of(text: str) -> Mapping[str, object]:
    """The fields of a fact's front matter; {} where it has none that can be read."""
    return frontmatter.fields(markdown.parse(_bytes(text)))


LONGEST = 160  # characters of a description that is taken from a text
TELLING = 4  # characters from which a word without a digit tells what a text is about
_SENTENCE = re.compile(r"(?<=[.!?])\s")
_WORD = re.compile(r"\w+")
_PLAIN_ITEM = re.compile(r"[\w][\w ./+@-]*")


def _same() -> Refused:
    return Refused("The fact says that already.", remedy="Say what holds instead.", field="with")


def _from_text(text: str) -> str:
    line = from_text(text)
    if not line:
        raise Refused(
            "The description holds words that the fact no longer says, and the index shows it to everyone.",
            field="description", remedy="Say in one line what holds now (--description).",
        )
    return line


def _why(reason: str) -> str:
    shape.words(reason, "reason")
    return f"Why: {reason.strip()}"


def _with_reason(
    body: _Body, reason: str, was: str, now: str, edits: list[tuple[int, int, str]]
) -> tuple[str, str, list[tuple[int, int, str]]]:
    """The reason in place of the one that the fact gives, under its own heading or label, which then belongs to what it said;
    behind the text where it gives none."""
    if body.why is None:
        low, high, text = edits[-1]
        bare = text.rstrip("\n")
        more = f"\n\n{_why(reason)}"
        return was, now.rstrip("\n") + more, [*edits[:-1], (low, high, bare + more + text[len(bare) :])]
    data, (low, high) = body.page.data, body.why
    old = _text(data, body.why)
    head = facts.WHY_LABEL.match(old)
    if head is not None:
        text = old[: head.start("why")].rstrip() + f" {reason.strip()}"
    else:
        title, _, _ = old.partition("\n")
        text = f"{title}\n\n{reason.strip()}"
    if texts.flat(text) == texts.flat(old):
        return was, now, edits
    return f"{was.rstrip()}\n\n{old.strip()}", now, [*edits, (low, high, _fitted(data, low, high, text))]


def _with_field(text: str, key: str, value: str) -> str:
    """A field of the front matter, spliced in; a new line at its end where it isn't there. Raises Refused where it stands in a
    form that can't be spliced."""
    page = markdown.parse(_bytes(text))
    try:
        spelled = frontmatter.scalar(value)
        span = frontmatter.value_span(page, key)
        known = frontmatter.read(page)
    except MemdeskError as error:
        raise Refused(error.message, line=error.line, remedy=error.remedy, field=key) from None
    if span is not None:
        return _spliced(page.data, [(*span, spelled)])
    if page.front is None or key in known:
        what = f"The {key} can't be replaced where it stands." if page.front else "The file has no front matter."
        raise Refused(what, field=key, remedy="Write the front matter by hand first, each field on one line.")
    end = page.data.rfind(b"\n", 0, page.front[1] - 1) + 1
    return _spliced(page.data, [(end, end, f"{key}: {spelled}\n")])


def _body(text: str) -> _Body:
    page = markdown.parse(_bytes(text))
    start = page.front[1] if page.front else page.bom
    tops = [block for block in page.blocks if not block.depth]
    below = start
    if tops and tops[0].kind == "heading" and tops[0].level == 1:
        below = tops[0].end
    why = _why_span(page, below)
    if why is None:
        return _Body(page, _trimmed(page.data, below, len(page.data)), None)
    before = _trimmed(page.data, below, why[0])
    if before[0] == before[1] and why[1] < len(page.data.rstrip()):
        before = _trimmed(page.data, why[1], len(page.data))
    return _Body(page, before, why)


def _why_span(page: Page, below: int) -> tuple[int, int] | None:
    """The span of the reason: a section whose heading says so, else what stands behind a label that does, to the end of its
    paragraph."""
    tops = [block for block in page.blocks if not block.depth and block.start >= below]
    for at, block in enumerate(tops):
        if block.kind == "heading" and facts.WHY_HEADING.fullmatch(page.title(block).strip()):
            after = (one.start for one in tops[at + 1 :] if one.kind == "heading" and one.level <= block.level)
            return _trimmed(page.data, block.start, next(after, len(page.data)))
    for block in tops:
        if block.kind == "paragraph":
            found = _labelled(page, block)
            if found is not None:
                return found
    return None


def _labelled(page: Page, block: Block) -> tuple[int, int] | None:
    text = page.data[block.start : block.end].decode("utf-8", "surrogateescape")
    match = facts.WHY_LABEL.search(text)
    if match is None or not match["why"].strip():
        return None
    return _trimmed(page.data, block.start + len(_bytes(text[: match.start()])), block.end)


def _begins_with_title(page: Page) -> bool:
    first = next((block for block in page.blocks if not block.depth), None)
    return first is not None and first.kind == "heading" and first.level == 1


def _fitted(data: bytes, low: int, high: int, text: str) -> str:
    """A text for a span of whole paragraphs, with the blank lines that it needs around it: where nothing stood, and before a
    line that it would take in."""
    before, after = data[:low], data[high:]
    if low == high:
        gap = "" if not before.strip(b"\n") or before.endswith(b"\n\n") else "\n" if before.endswith(b"\n") else "\n\n"
        return f"{gap}{text}" + ("\n\n" if after.strip(b"\n") else "")
    touches = after.startswith(b"\n") and after[1:2] not in (b"\n", b"")
    return f"{text}\n" if touches and not shape.is_paragraph(text) else text


def _trimmed(data: bytes, start: int, end: int) -> tuple[int, int]:
    while start < end and data[start : start + 1] in (b"\n", b"\r"):
        start += 1
    while end > start and data[end - 1 : end] in (b" ", b"\t", b"\n", b"\r"):
        end -= 1
    return start, end


def _spliced(data: bytes, edits: list[tuple[int, int, str]]) -> str:
    for start, end, text in sorted(edits, reverse=True):
        data = data[:start] + _bytes(text) + data[end:]
    return data.decode("utf-8", "surrogateescape")


def _item(text: str) -> str:
    """A tag in a list on one line: quoted where it could be read as anything else."""
    return text if _PLAIN_ITEM.fullmatch(text) else '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _text(data: bytes, span: tuple[int, int]) -> str:
    return data[slice(*span)].decode("utf-8", "surrogateescape")


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")
