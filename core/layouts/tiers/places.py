"""Where a candidate can go in this layout, what each place and verb asks for, and what an entry says."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from memdesk.core import layouts, questions
from memdesk.core.errors import Refused
from memdesk.core.layouts import texts, usual
from memdesk.core.layouts.base import Ask, Destination, Said
from memdesk.core.layouts.tiers import factform

if TYPE_CHECKING:
    from memdesk.core.layouts.tiers.kept import Kept
    from memdesk.core.model import Entry, Store, Workspace

FACT, LOG = "fact", "log"
TYPES = ("decision", "constraint", "preference", "fact")  # what a candidate can say that it could become
SPAN = "six months"


def destinations(workspace: Workspace, store: Store, entry: Entry | None) -> list[Destination]:
    """A new fact, and the log for what won't last; a line of the log has that behind it."""
    title, text, known = ("", "", {}) if entry is None else layouts.get(entry.layout).said(entry)
    kind = known.get("kind", "") if known.get("kind") in TYPES else ""
    asked = (
        Ask(
            "description", "Description", required=True, default=factform.from_text(text) or title,
            hint="One line, good enough to decide by: it is what every session reads.",
        ),
        Ask("reason", "Why", default=known.get("reason", ""), long=True, shown=True, hint="A decision needs one."),
        Ask("type", "Type", default=kind, hint="decision, constraint, preference, fact ..."),
        Ask("fact", "Name", hint="Of the file; made from the description where empty."),
        Ask("tags", "Tags", hint="With commas."),
        Ask("owner", "Owner"),
        Ask("review_by", "Review by", hint="YYYY-MM-DD: when somebody should look whether it still holds."),
        Ask("source", "Source", default=known.get("source", "")),
        Ask("text", "Text", default=text, long=True),
    )
    judged = questions.asks(SPAN, filters=True)
    found = [Destination(f"{FACT}:", "a new fact …", f"{facts_in(store)}/", (*asked, *judged), True, usual=True)]
    own = entry is not None and entry.document.store is store and entry.role == "log"
    if not own:
        log = Ask("text", "Text", default=text, long=True)
        found.append(Destination(LOG, "today's log", _log(store), (log,)))
    return found


def resolve(workspace: Workspace, store: Store, to: str, words: Mapping[str, str]) -> Destination:
    """The destination that an id names: `fact:NAME`, `fact:` for one that is named by its description, or `log`. Raises
    Refused for an unknown one."""
    kind, _, name = to.partition(":")
    if to == LOG:
        return Destination(LOG, "today's log", _log(store))
    if kind != FACT:
        raise Refused(f"There is no destination {to!r}.", remedy=f"Known: {FACT}:NAME, {LOG}.", field="to")
    name = name.strip().removesuffix(".md")
    return Destination(f"{FACT}:{name}" if name else f"{FACT}:", "a new fact", facts_in(store), new=True)


def asks(store: Store, verb: str, entry: Entry) -> tuple[Ask, ...]:
    """What the dialogs of the other verbs ask for."""
    if verb in ("strike", "reject"):
        return (Ask("reason", "Reason", hint="" if verb == "strike" else "It goes into the log, with the text."),)
    if verb == "correct":
        said = entry.fields.get("description", "")
        text = factform.stated(entry.text) if entry.role == "fact" else ""
        return (
            Ask("with", "Text", required=True, default=text, long=True, hint="What holds now: it overwrites what it says."),
            Ask("description", "Description", default=said, shown=True, hint="One line; the index says it too."),
            Ask("reason", "Why", shown=True, hint="Why it holds now: for the fact, and for the log."),
            Ask("source", "Source", hint="Where you have it from, for the log."),
        )
    return usual.asks(verb, entry)


def said(entry: Entry) -> Said:
    """What an entry says; of a fact its text alone, of a line of the log where it is from."""
    found = entry.fields
    known = {key: found[key] for key in ("reason", "scope") if found.get(key)}
    if entry.kind == "file":
        known |= {key: found[key] for key in ("type", "tags", "owner", "review_by", "description") if found.get(key)}
        return Said(found.get("title") or entry.heading, factform.stated(entry.text), known)
    if found.get("for"):
        known["kind"] = found["for"]
    if entry.source or entry.role == "log":
        known["source"] = entry.source or entry.path
    if entry.kind == "section":
        body = entry.text.partition("\n")[2].strip("\n")
        return Said(found.get("title") or entry.heading, body or entry.heading, known)
    text = found.get("text") or (texts.dedented(entry.text) if entry.kind == "bullet" else entry.text)
    return Said(texts.title_of(text), text, known)


def merged(into: Entry, text: str) -> str:
    """An entry's text with another worked in: of a fact behind what it states, before its reason. Where both say the same,
    the entry's text as it is."""
    if " ".join(said(into).text.split()).casefold() == " ".join(text.split()).casefold():
        return into.text
    if into.kind == "file":
        return factform.worked_in(into.text, text)
    if into.kind != "bullet":
        return f"{into.text}\n\n{text}"
    pad = texts.inside(into.text)
    return into.text + "\n" + "\n".join(pad + row if row.strip() else "" for row in text.split("\n"))


def remarks(entry: Entry) -> list[str]:
    """Warnings about a fact that reads like a log: what was corrected is overwritten here, and why it holds is said."""
    if entry.role != FACT:
        return []
    from memdesk.core.layouts.tiers.factrules import updates

    found = []
    line = next(updates(entry.document), None)
    if line is not None:
        found.append(f"Line {line[0]} of the fact reads like an update: overwrite what it corrects.")
    if entry.fields.get("type") == "decision" and not entry.fields.get("reason"):
        found.append("A decision without its reason can't be re-evaluated.")
    return found


def facts_in(store: Store) -> str:
    """The workspace-relative folder of new facts."""
    kept: Kept = store.settings
    inner = kept.facts or kept.home
    return store.join(inner) if inner else store.path


def _log(store: Store) -> str:
    kept: Kept = store.settings
    return store.join(kept.log)
