"""The registry of subjects, `subjects.md`: what entries are about has one id there, whatever it is called."""

from __future__ import annotations

import re
import shlex
import unicodedata
from collections.abc import Sequence
from datetime import date
from typing import TYPE_CHECKING

from memdesk.core import fields
from memdesk.core.errors import Refused
from memdesk.core.layouts import spans, texts
from memdesk.core.layouts.custodian import forms
from memdesk.core.layouts.custodian.complete import ids, rendering
from memdesk.core.lean import NamedTuple

if TYPE_CHECKING:
    from memdesk.core.draft import Draft
    from memdesk.core.model import Entry, Store, Workspace

FILE = "subjects.md"
TITLE = "Subject Registry"
PREFIX = "SUBJ"
NEW = "new_subject"  # the word in which a person says that a subject is to be registered
SORT = "concept"  # of a new one: what a person types is no dependency, path or service until somebody says so
_NAMED = 8  # subjects that a refusal names
_LOOKS_LIKE_ID = re.compile(r"MC-[A-Za-z]+-[0-9].*", re.IGNORECASE)
_NEW = re.compile(rf"^## (MC-{PREFIX}-[0-9]{{8}}-[0-9a-f]{{8}}) — (.+)$", re.MULTILINE)


class Subject(NamedTuple):
    """`reference` is what entries name it by: its id, or its title where the registry gives it none."""

    reference: str
    title: str
    names: frozenset[str]  # all that it is called, normal
    active: bool
    into: str  # the subject that it was merged into, or ""
    entry: Entry


def normal(name: str) -> str:
    """A name to compare by: case, width and white space set aside, nothing else."""
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split()).strip("`")


def registry(workspace: Workspace, store: Store) -> list[Subject]:
    """All subjects, in the registry's order."""
    document = workspace.documents.get(store.join(FILE))
    return [] if document is None else [as_subject(entry) for entry in document.entries if entry.kind == "section"]


def choices(workspace: Workspace, store: Store) -> tuple[str, ...]:
    """What a person picks from: the titles of active subjects; their ids where a title is another's too."""
    active = [subject for subject in registry(workspace, store) if subject.active]
    titles = [normal(subject.title) for subject in active]
    return tuple(
        subject.title if titles.count(normal(subject.title)) == 1 else subject.reference for subject in active
    )


def picked(workspace: Workspace, store: Store, name: str) -> str:
    """The one of `choices` that a name or id stands for; the name itself where it is none."""
    named = [one for one in registry(workspace, store) if one.active]
    offered = dict(zip((one.reference for one in named), choices(workspace, store), strict=True))
    found = next((one for one in named if normal(name) in {normal(one.reference), *one.names}), None)
    return name if found is None else offered.get(found.reference, name)


def find(known: Sequence[Subject], name: str) -> Subject | None:
    """The subject of that id, title, alias or reference; of one that was merged, the one that it went into. Raises Refused
    where several are called so."""
    wanted = normal(name)
    found = [one for one in known if normal(one.reference) == wanted] or [one for one in known if wanted in one.names]
    found = [one for one in found if one.active] or found
    if len(found) > 1:
        several = ", ".join(one.reference for one in found)
        raise Refused(f"Several subjects are called {name!r}: {several}.", field="subject", remedy="Name one by its id.")
    for _ in known:
        if not found or not found[0].into:
            break
        found = [one for one in known if normal(one.reference) == normal(found[0].into)]
    return found[0] if found else None


def reference(draft: Draft, store: Store, name: str, *, evidence: Sequence[str], today: date, new: bool = False) -> str:
    """What an entry names the subject of that name by; a `new` one that nobody registered is added to the registry, newest
    first. Raises Refused for one that is active no more, for an id that nothing has, and for a name that is there for nothing
    and wasn't said to be new: a slip of the pen would be another subject, which owns for itself."""
    draft.look(store.join(FILE))
    found = find(registry(draft.workspace, store), name)
    if found is not None:
        if not found.active:
            raise Refused(
                f"The subject {found.title!r} is active no more.", path=found.entry.path, line=found.entry.line,
                remedy="Choose another.", field="subject",
            )
        return found.reference
    title = texts.flat(name).strip("`")
    if _LOOKS_LIKE_ID.fullmatch(title):
        raise Refused(
            f"There is no subject {title} in {FILE}.", field="subject", remedy="Choose one of it, or name a new one in words."
        )
    made = _made(draft, store, title)
    if not made and not new:
        there = [*choices(draft.workspace, store)]
        more = f" and {len(there) - _NAMED} more" if there[_NAMED:] else ""
        known = f"Known: {', '.join(there[:_NAMED])}{more}." if there else "It names none yet."
        raise Refused(
            f"There is no subject {title!r} in {FILE}. {known}", field="subject",
            remedy=f"Choose one of it; a new one is registered where that is said (--answer {NEW}={shlex.quote(title)}).",
        )
    return made or _register(draft, store, title, evidence, today)


def canonical(known: Sequence[Subject], name: str) -> str:
    """What a subject is compared by, as an entry names it."""
    try:
        found = find(known, name)
    except Refused:
        found = None
    return normal(name.strip("`.*")) if found is None else normal(found.reference)


def called(known: Sequence[Subject], name: str) -> str:
    """A subject's title, for people; the name itself where nothing is registered under it."""
    try:
        found = find(known, name)
    except Refused:
        found = None
    return name if found is None else found.title


def as_subject(entry: Entry) -> Subject:
    """What an entry of the registry says."""
    title = texts.flat(entry.fields.get("title") or entry.heading)
    ident = entry.fields.get("id", "")
    aliases = fields.items(entry.fields.get("aliases", ""))
    names = frozenset(normal(name) for name in (title, entry.fields.get("canonical-ref", ""), *aliases) if name.strip())
    into = entry.fields.get("merged-into", "").strip("` ")
    active = not into and not entry.struck and entry.status in (None, "active")
    return Subject(ident or title, title, names, active, into, entry)


def _made(draft: Draft, store: Store, title: str) -> str:
    """The id of a subject that this draft registers under that title already; "" where it does not."""
    work = draft.works.get(store.join(FILE))
    for edit in work.edits if work is not None else ():
        match = _NEW.search(edit.new.decode("utf-8", "replace").replace("\r\n", "\n"))
        if match and normal(match[2]) == normal(title):
            return match[1]
    return ""


def _register(draft: Draft, store: Store, title: str, evidence: Sequence[str], today: date) -> str:
    path = store.join(FILE)
    document = draft.look(path) or draft.make(store, path, forms.title_file(TITLE))
    ident = ids.fresh(draft, store, PREFIX, today, title)
    text = rendering.subject(ident, title, SORT, evidence)
    meant = {"id": ident, "title": title, "status": "active", "kind": SORT, "aliases": f"- {title}"}
    rendering.read_back(document, text, meant | {"evidence": rendering.bullets(evidence)}, "subject")
    draft.insert(document, spans.before_sections(document.page).offset, text, loose=True, entry=True)
    return ident
