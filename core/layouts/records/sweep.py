"""The last look before a branch is merged: what it opened and left open (docs/records.md)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from memdesk.core import layouts
from memdesk.core.checks.rule import CheckContext, Checked, Rule
from memdesk.core.errors import GitError
from memdesk.core.layouts.records import earlier, statuslines
from memdesk.core.layouts.records.kept import GLOSSARY, NAME
from memdesk.core.layouts.records.words import normal
from memdesk.core.layouts.texts import shown
from memdesk.core.lean import TYPE_CHECKING
from memdesk.core.patterns import lazy

if TYPE_CHECKING:
    from memdesk.core.gitdiff import Change
    from memdesk.core.model import Document, Entry, Finding


def record_sweep(context: CheckContext) -> Checked:
    """With `--base`: records of this branch that are still drafts, candidates that it added, words that it uses as terms."""
    if context.change is None:
        return context.without_change()
    if context.change.base is None:
        return Checked(0, skipped="it looks at a whole branch, with --base")
    try:
        since = earlier.since(context)
    except GitError as error:
        return earlier.failed(error)
    files = {file.path: file for file in since.change.files}
    touched = [document for document in context.readable if document.place.role == "record" and document.path in files]
    new = [document for document in touched if files[document.path].status == "added"]
    candidates = list(_candidates(context, since.change))
    found = [*_open(touched), *map(_waiting, candidates), *_undefined(context, new)]
    return Checked(len(touched) + len(candidates), found, also=earlier.against(since))


def _open(records: Iterable[Document]) -> Iterator[Finding]:
    for document in records:
        for entry in document.entries:
            if entry.candidate:
                line = statuslines.find(document).status
                message = f"The record is still {entry.status}: {shown(entry.heading, 60)!r}."
                hint = "Accept it as it was decided, or reject it, before this branch is merged."
                yield RECORD_SWEEP.finding(document.path, entry.line if line is None else line.line, message, hint)


def _waiting(entry: Entry) -> Finding:
    title = layouts.get(entry.layout).said(entry).title
    message = f"A candidate that this branch adds is not judged yet: {shown(title, 60)!r}."
    return RECORD_SWEEP.finding(entry.path, entry.line, message, "Promote or reject it before this branch is merged.")


def _candidates(context: CheckContext, change: Change) -> Iterator[Entry]:
    """Candidates of which the change adds a line: in this store, and in those of other layouts, which the first store of this
    one speaks for."""
    first = context.shared.setdefault("sweeps", context.store) is context.store
    for file in change.files:
        document = context.workspace.documents.get(file.path)
        if document is None or document.place.role == "record" or not file.added:
            continue
        if document.store is context.store or (first and document.store.layout != NAME):
            added = {number for number, _ in file.added}
            for entry in document.entries:
                if entry.candidate and not added.isdisjoint(range(entry.line, entry.end_line + 1)):
                    yield entry


_QUOTED = lazy(r"`[^`\n]*+`|<!--.*?-->", re.DOTALL)
# What structure alone can tell: a link into the glossary, and a bold name in the middle of a sentence.
_LINK = lazy(r"\[(?P<text>[^\[\]\n]{1,80})\]\((?P<to>[^()\s#]{0,300}+)(?:#[^()\s]{0,200}+)?\)")
_BOLD = lazy(r"(?<=[\w,;] )(?P<mark>\*\*|__)(?P<text>[^\W\d_][\w-]*+(?: [\w-]++){0,2})(?P=mark)(?![\w:])")


def _undefined(context: CheckContext, records: Iterable[Document]) -> Iterator[Finding]:
    """Words that new records use as terms and no glossary defines; each once in a record. Without a glossary: none."""
    glossaries = [document for document in context.workspace.documents.values() if document.place.role in ("glossary", "terms")]
    defined = {form for document in glossaries for entry in document.entries for form in _forms(entry.heading)}
    if not defined:
        return
    for document in records:
        seen: set[str] = set()
        for line, word in _used(document):
            forms = _forms(word)
            if defined.isdisjoint(forms) and seen.isdisjoint(forms):
                message = f"The record uses {word!r} like a term, and no glossary defines it."
                hint = f"Define it in {GLOSSARY} where it is one."
                yield RECORD_SWEEP.finding(document.path, line, message, hint, possible=True)
            seen |= forms


def _used(document: Document) -> Iterator[tuple[int, str]]:
    page = document.page
    spans = statuslines.find(document).spans
    for block in page.blocks:
        if block.kind != "paragraph" or any(start <= block.start < end for start, end in spans):
            continue
        text = document.data[slice(*block.inner)].decode("utf-8", "replace")
        text = _QUOTED.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), text)
        first = page.line_of(block.inner[0])
        for match in _LINK.finditer(text):
            if match["to"].rpartition("/")[2] == GLOSSARY and match["text"] != GLOSSARY:
                yield first + text.count("\n", 0, match.start()), match["text"]
        for match in _BOLD.finditer(text):
            if match["text"][:1].isupper():
                yield first + text.count("\n", 0, match.start()), match["text"]


def _forms(word: str) -> set[str]:
    """A word, and what it may be the plural of, to compare."""
    folded = normal(word)
    ends = (("ies", "y"), ("es", ""), ("s", ""))
    return {folded} | {folded[: -len(end)] + one for end, one in ends if folded.endswith(end) and len(folded) > len(end) + 2}


RECORD_SWEEP = Rule(
    "record-sweep", "warning",
    "with --base, of a branch: a record that is still a draft or proposed, a candidate that it adds, a word that a new record "
    "of it uses like a term and no glossary defines (possible)",
    "Settle it before this branch is merged.", "entries", record_sweep, NAME, of_change=True,
)
RULES = (RECORD_SWEEP,)
