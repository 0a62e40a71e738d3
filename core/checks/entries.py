"""Rules over entries: said twice, said in two versions, said although a tombstone forbids it.

Only exact equality is an error here: the same text, or the same normalised title in one scope; `conflicts.py` says what
clashes, and these rules report it.
"""

from __future__ import annotations

from memdesk.core import conflicts, layouts
from memdesk.core.checks import judging
from memdesk.core.checks.rule import CheckContext, Checked, Rule
from memdesk.core.layouts.texts import titled
from memdesk.core.lean import TYPE_CHECKING
from memdesk.core.model import Finding

if TYPE_CHECKING:
    from memdesk.core.model import Document, Entry


def duplicate_entries(context: CheckContext) -> Checked:
    """The same text, white space and bullet aside, twice un-struck: in one document an error, across documents a warning.
    Notes may say again what happened again, and what was promoted from them."""
    found: list[Finding] = []
    elsewhere: dict[bytes, Entry] = {}
    checked = 0
    repeats = layouts.get(context.store.layout).repeats
    for document in _spoken(context):
        if document.place.role in repeats:
            continue
        here: dict[tuple[bytes, bool], Entry] = {}  # a candidate may say what an entry says: it is to go elsewhere
        for entry in document.entries:
            if entry.struck or entry.kind not in ("section", "bullet"):
                continue
            checked += 1
            key = conflicts.text_key(entry)
            first = here.setdefault((key, entry.candidate), entry)
            if first is not entry:
                message = f"The same text as in line {first.line}: {_title(entry)!r}."
                found.append(DUPLICATE_ENTRY.finding(document.path, entry.line, message, about=_said(key)))
            elif not entry.candidate:
                other = elsewhere.setdefault(key, entry)
                if other is not entry:
                    message = f"The same text as {other.path}:{other.line}: {_title(entry)!r}."
                    hint = "Keep it in the wider scope, or strike one of them."
                    found.append(
                        DUPLICATE_ENTRY.finding(
                            document.path, entry.line, message, hint, severity="warning", about=_said(key)
                        )
                    )
    return Checked(checked, found)


def two_versions(context: CheckContext) -> Checked:
    """Two un-struck versions of one thing: version lines in one decision, or one title twice in one scope."""
    documents = _spoken(context)
    found: list[Finding] = []
    judged = judging.of(context)
    for clash in judged.left(conflicts.versions(documents)):
        path = clash.sides[0].entry.path
        lines = [side.line for side in clash.sides]
        numbers = " and ".join([", ".join(map(str, lines[:-1])), str(lines[-1])])
        message = f"Versions in lines {numbers} of {clash.about!r} all stand: only one can hold."
        about = "\n".join((clash.about, *sorted(side.text for side in clash.sides)))
        found.append(TWO_VERSIONS.finding(path, lines[1], message, possible=not clash.exact, about=about))
    titles = _titles(context)
    for clash in judged.left(conflicts.same_title(documents, titles)):
        first, entry = clash.entries
        where = f"line {first.line}" if first.document is entry.document else f"{first.path}:{first.line}"
        message = f"The same title as {where}, in the same scope: {_title(entry)!r}."
        about = conflicts.title_key(entry, titles)  # which of them comes first, their order alone says
        found.append(TWO_VERSIONS.finding(entry.path, entry.line, message, possible=not clash.exact, about=about))
    checked = sum(
        not (entry.struck or entry.candidate) and entry.kind in ("section", "bullet")
        for document in documents if not conflicts.is_tombstones(document) for entry in document.entries
    )
    return Checked(checked, found, also=judged.said())


def tombstone_repeats(context: CheckContext) -> Checked:
    """An entry or candidate under the title of a tombstone whose scope covers it."""
    documents = _spoken(context)
    found: list[Finding] = []
    judged = judging.of(context)
    for clash in judged.left(conflicts.tombstones(documents, _titles(context))):
        stone, entry = clash.entries
        what = "A candidate" if entry.candidate else "An entry"
        message = f"{what} has the title of a tombstone ({stone.path}:{stone.line}): {_title(entry)!r}."
        severity = "warning" if entry.candidate else None
        found.append(TOMBSTONE_REPEAT.finding(entry.path, entry.line, message, severity=severity))
    stones = any(not entry.struck for document in documents if conflicts.is_tombstones(document) for entry in document.entries)
    looked = [document for document in documents if stones and not conflicts.is_tombstones(document)]
    checked = sum(not entry.struck for document in looked for entry in document.entries)
    return Checked(checked, found, also=judged.said())


def _spoken(context: CheckContext) -> list[Document]:
    return conflicts.readable(context.documents)


def _titles(context: CheckContext) -> conflicts.Titles:
    titles: conflicts.Titles = context.shared.setdefault("titles", {})
    return titles


def _said(key: bytes) -> str:
    return key.decode("utf-8", "replace")


def _title(entry: Entry) -> str:
    return titled(entry)


DUPLICATE_ENTRY = Rule(
    "duplicate-entry", "error", "the same text twice un-struck in one document (a warning across documents)",
    "Strike or take out one of them.", "entries", duplicate_entries,
)
TWO_VERSIONS = Rule(
    "two-versions", "error",
    "two un-struck version lines in one decision, or the same title un-struck twice in one scope (outside decisions: possible)",
    "Strike the one that no longer holds, with the date; or give them titles or scopes that tell them apart.", "entries",
    two_versions,
)
TOMBSTONE_REPEAT = Rule(
    "tombstone-repeat", "error", "an active entry with a tombstone's title in its scope (a warning for a candidate)",
    "Strike or reject the entry; if the rejection no longer holds, strike the tombstone first, with the reason.", "entries",
    tombstone_repeats,
)
RULES = (DUPLICATE_ENTRY, TWO_VERSIONS, TOMBSTONE_REPEAT)
