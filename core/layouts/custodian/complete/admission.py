"""How a new entry is admitted: all that its kind needs is there, evidence is looked up, its subject is registered, and nobody
else owns what it is about."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from memdesk.core.errors import Refused
from memdesk.core.layouts import spans, texts
from memdesk.core.layouts.custodian import forms, writes
from memdesk.core.layouts.custodian.complete import evidence, ids, kinds, owners, rendering, subjects
from memdesk.core.layouts.custodian.complete.kinds import FACETS, Kind
from memdesk.core.layouts.custodian.manifest import Manifest, is_name
from memdesk.core.layouts.custodian.registry import normal

if TYPE_CHECKING:
    from memdesk.core.draft import Draft
    from memdesk.core.layouts.base import Content
    from memdesk.core.model import Document, Entry, Store


def write(
    draft: Draft, store: Store, document: Document, kind: Kind, content: Content, scope: str, *, over: Entry | None = None,
    leaving: Entry | None = None,
) -> str:
    """A new active entry, newest first in a document, and its id. `over`: the entry that it supersedes; `leaving`: one that
    goes by the same plan, and owns nothing then. Raises Refused."""
    writes.bind(draft, store)
    words = content.words
    if words.get("status", "active") != "active":
        raise Refused("A new entry is active.", field="status", remedy="A candidate waits in the inbox.")
    reason = words.get("reason", "").strip()
    tree = draft.workspace.tree
    from_source = evidence.of_source(tree, store, words.get("source", ""))
    items = evidence.given(words.get("evidence", ""))
    items += [from_source] if from_source else []
    named = _named(words, over)
    _whole(store, document, kind, reason=reason, subject=named[0], facet=named[1], items=items)
    items = evidence.checked(tree, store, items)
    replaced = "" if over is None else over.fields.get("id", "")
    subject, facet = named if replaced else (named[0], facet_of(named[1]))
    if subject and not replaced:
        new = bool(words.get(subjects.NEW, "").strip())
        subject = subjects.reference(draft, store, subject, evidence=items, today=content.today, new=new)
    if subject and document.place.role not in ("rule", "profile"):
        owners.refuse(draft, store, scope, subject, facet, besides=[one for one in (over, leaving) if one is not None])
    text = with_source(forms.tagged(content.text, words), words, from_source)
    if words.get("reconsider") and kind.label == "Rejected":
        reason = f"{texts.sentence(reason)} Reconsider: {texts.flat(words['reconsider'])}"
    title = texts.flat(content.title)

    def rendered(ident: str) -> str:
        return rendering.entry(
            ident, title, kind, text, scope=scope, evidence=items, subject=subject, facet=facet, reason=reason,
            supersedes=replaced, kind_named=document.place.role == "area" and kind.code == "AREA" and kinds.typed(store),
        )

    ident = ids.fresh(draft, store, kind.code, content.today, rendered(""))
    meant = {"id": ident, "status": "active", "scope": scope, "evidence": rendering.bullets(items), kind.label.casefold(): text}
    meant |= {name: value for name, value in (("subject", subject), ("facet", facet), ("supersedes", replaced)) if value}
    meant |= {"reason": reason} if reason else {}
    meant |= {"entry-type": kind.name} if "\nEntry-Type: " in rendered(ident) else {}
    rendering.read_back(document, rendered(ident), meant)
    draft.insert(document, spans.before_sections(document.page).offset, rendered(ident), loose=True, entry=True)
    return ident


def scope_of(given: str) -> str:
    """A scope as it is written. Raises Refused for one that is neither the project's nor an area's."""
    plain = texts.flat(given).strip("`.")
    if plain.casefold() == "project":
        return "project"
    kind, colon, name = plain.partition(":")
    if kind.casefold() == "area" and colon and is_name(name.strip()):
        return f"area:{name.strip()}"
    raise Refused(
        f"The scope {plain[:60]!r} is neither the project nor an area.", field="scope", remedy="Say project, or area:NAME."
    )


def facet_of(given: str) -> str:
    """A facet as it is written. Raises Refused for one that the protocol doesn't know."""
    if not given or given.casefold() in FACETS:
        return given.casefold()
    raise Refused(f"There is no facet {given!r}.", field="facet", remedy=f"Known: {', '.join(FACETS)}.")


def with_source(text: str, words: Mapping[str, str], as_evidence: str) -> str:
    """A text with its source behind it, where that is no file that could be evidence, or says the line too, which evidence has
    no place for."""
    source = texts.flat(words.get("source", ""))
    if not source or (as_evidence and not evidence.names_line(source)):
        return text
    closing = f"(from {source})"
    return text if closing in text else f"{text}\n\n{closing}" if texts.ends_in_block(text) else f"{text} {closing}"


def _whole(
    store: Store, document: Document, kind: Kind, *, reason: str, subject: str, facet: str, items: Sequence[str]
) -> None:
    """Raises Refused, with all that is missing, for an entry that would not be complete."""
    own = kind.owns or bool(subject or facet)
    found = [
        name for name, there in (
            ("reason", reason or not kind.why), ("subject", subject or not own), ("facet", facet or not own),
            ("evidence", items),
        ) if not there
    ]
    if not found:
        return
    settings: Manifest = store.settings
    options = ", ".join(f"--{name}" for name in found)
    what = ", ".join(found[:-1]) + (" and " if found[1:] else "") + found[-1]
    why = " A decision without its why can't be re-evaluated." if "reason" in found and kind.label == "Decision" else ""
    raise Refused(
        f"A {kind.name} of protocol {settings.version_text} is not complete without {what}.{why}", path=document.path,
        remedy=f"Fill it in ({options})." if len(found) == 1 else f"Fill them in ({options}).", field=found[0],
    )


def _named(words: Mapping[str, str], over: Entry | None) -> tuple[str, str]:
    """Subject and facet of a new entry; what supersedes an entry owns what that owned."""
    if over is None or not over.fields.get("id"):
        return (words.get(subjects.NEW) or words.get("subject", "")).strip(), words.get("facet", "").strip()
    own = over.fields.get("subject", ""), over.fields.get("facet", "")
    for name, value in zip(("subject", "facet"), own, strict=True):
        given = words.get(name, "").strip()
        if given and normal(given) != normal(value):
            raise Refused(
                f"What supersedes an entry keeps its {name}, {value or 'which it has none of'}.", field=name,
                remedy="Leave it out; another subject or facet is another entry: promote it.",
            )
    return own
