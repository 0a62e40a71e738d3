"""What an entry names its subject by, and how a new one is registered."""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence
from datetime import date
from typing import TYPE_CHECKING

from memdesk.core.errors import Refused
from memdesk.core.layouts import spans, texts
from memdesk.core.layouts.custodian import forms
from memdesk.core.layouts.custodian.complete import ids, rendering
from memdesk.core.layouts.custodian.registry import FILE, Registry, looks, normal, registry

if TYPE_CHECKING:
    from memdesk.core.draft import Draft
    from memdesk.core.model import Store

TITLE = "Subject Registry"
PREFIX = "SUBJ"
NEW = "new_subject"  # the word in which a person says that a subject is to be registered
LONGEST = 120  # characters of a new name
SORT = "concept"  # of a new one: what a person types is no dependency, path or service until somebody says so
_LOOKS_LIKE_ID = re.compile(r"MC-[A-Za-z]+-[0-9].*", re.IGNORECASE)
_NEW = re.compile(rf"^## (MC-{PREFIX}-[0-9]{{8}}-[0-9a-f]{{8}}) — (.+)$", re.MULTILINE)


def reference(draft: Draft, store: Store, name: str, *, evidence: Sequence[str], today: date, new: bool = False) -> str:
    """What an entry names the subject of that name by; a `new` one that nobody registered is added to the registry, newest
    first. Raises Refused for one that is active no more, for an id that nothing has, and for a name that is there for nothing
    and wasn't said to be new: a slip of the pen would be another subject, which owns for itself."""
    document = draft.look(store.join(FILE))
    if document is not None and document.problem is not None:
        raise Refused(
            f"The subjects can't be read: {document.problem.message.rstrip('.')}.", path=document.path,
            line=document.problem.line, field="subject", remedy="Mend that file first.",
        )
    known = registry(draft.workspace, store)
    found = known.find(name)
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
    if new and not made:
        _distinct(known, title)
    if not made and not new:
        there = known.choices()
        names = f"Known: {texts.named(there)}." if there else "It names none yet."
        raise Refused(
            f"There is no subject {title!r} in {FILE}. {names}", field="subject",
            remedy=f"Choose one of it; a new one is registered where that is said (--answer {NEW}={shlex.quote(title)}).",
        )
    return made or _register(draft, store, title, evidence, today)


def _distinct(known: Registry, title: str) -> None:
    """Raises Refused for a new name that is no name, or that nobody could tell from one that is there."""
    if len(title) > LONGEST:
        raise Refused(
            f"The name of a subject has at most {LONGEST} characters, not {len(title)}.", field=NEW, remedy="Shorten it.",
        )
    like = looks(title)
    twin = next((subject for subject in known if any(looks(name) == like for name in subject.names)), None)
    if twin is not None:
        raise Refused(
            f"{title!r} looks just like {twin.title!r}, and has letters of another script.", path=twin.entry.path,
            line=twin.entry.line, field=NEW, remedy="Choose that one, or give the new one a name of its own.",
        )


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
