"""From a verb and the words that a person gave to the exact edits: composes what the layout offers into a Plan.

Pure: it reads the workspace, never a clock or the file system, and touches no file. Each verb is one function below, or
a module that it names; `plan` verifies and measures what came of it.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable
from datetime import date
from typing import TYPE_CHECKING

from memdesk.core import asked, compose, forget, layouts, stops
from memdesk.core.compose import Action
from memdesk.core.draft import writable
from memdesk.core.errors import Refused, UsageError
from memdesk.core.plan import YES, Plan, Request

if TYPE_CHECKING:
    from memdesk.core.model import Entry, Workspace

_TOMBSTONES = ("title", "scope", "reconsider")  # what only a tombstone says
_LINE_AT_END = re.compile(r":\d+(?:[-:]\d+)?\Z")
_SUFFIX = re.compile(r"\w\.[A-Za-z]\w{0,7}\Z")


def plan(workspace: Workspace, request: Request, today: date) -> Plan:
    """The edits that a request would make now. Equal requests on equal bytes give equal plans.

    Raises UnknownEntry, Refused (with the `field` that would mend it), ReadOnly, UsageError (an unknown verb or store).
    """
    if request.verb not in KNOWN:
        raise UsageError(f"There is no action {request.verb!r}.", remedy=f"Known: {', '.join(KNOWN)}.")
    words = stops.words(_used(request))
    stops.tag(words, request.person)
    if request.verb in _OF_NO_STORE:
        return _OF_NO_STORE[request.verb](workspace, request, words, today)
    entries = asked.entries(workspace, request)
    store = asked.store(workspace, request, entries)
    writable(store)
    layout = layouts.get(store.layout)
    if request.verb not in layout.verbs:
        what = f"There is no {request.verb} in a store of this layout: {layout.title}."
        raise Refused(what, path=store.path, remedy=f"There is {', '.join(sorted(layout.verbs))}.")
    action = Action(workspace, request, today, words, store, layout, entries)
    _VERBS[request.verb](action)
    return compose.finish(action)


def _used(request: Request) -> dict[str, str]:
    """The words that a verb will write. A reject without a tombstone writes no title: one that was proposed from the entry
    must not stand in the way of rejecting just what should never have been written."""
    spare = _TOMBSTONES if request.verb == "reject" and request.words.get("tombstone") != YES else ()
    return {key: value for key, value in request.words.items() if key not in spare}


def merged_text(into: Entry, candidates: list[Entry]) -> str:
    """What the editor opens with for a merge: the entry's text with that of the candidates behind it."""
    layout = layouts.get(into.layout)
    text = layout.merged(into, "\n\n".join(layout.said(candidate).text for candidate in candidates))
    return layout.grounded(into, text, candidates)


def _add(action: Action) -> None:
    text = action.words.pop("text", "").strip()
    if not text:
        raise Refused("There is no text to add.", remedy="Say what should be remembered.", field="text")
    for entry in compose.equal_entries(action.workspace, action.store, text):
        action.warnings.append(f"An equal entry exists: {entry.id} (line {entry.line}).")
    _warn_of_source(action)
    action.layout.add(action.draft, action.store, action.content(text, text, action.words))
    where = ", ".join(action.name(path) for path, work in action.draft.works.items() if work.made)
    action.summary = f'Added "{compose.short(text)}" to {where}.'
    action.label = f"Add to {where}"


def _strike(action: Action) -> None:
    if any(action.layout.instead("strike", entry) == "correct" for entry in action.entries):
        action.request = action.request._replace(verb="correct")
        _correct(action)
        return
    words = action.words
    text = words.get("with", "").strip()
    if text and len(action.entries) > 1:
        raise Refused("One replacement can't serve several entries.", remedy="Strike them one by one.", field="with")
    lines = []
    for entry in action.entries:
        asked.changeable(entry)
        if entry.candidate:
            if text:
                raise Refused("A candidate has no replacement.", remedy="Promote or edit it instead.", field="with")
            outcome = action.outcome("struck", reason=words.get("reason", ""))
            action.layout.take(action.draft, action.store, [entry], outcome)
        else:
            action.layout.amend(action.draft, action.store, entry, action.change("strike", text))
        by = f' for "{words.get("title") or compose.short(text)}"' if text else ""
        lines.append(f'Struck "{action.title(entry)}" in {action.name(entry.path)}{by}{compose.because(words)}.')
    action.note(lines)
    action.summary = compose.summary(action, "Struck", "", lines)
    where = {action.name(entry.path) for entry in action.entries}
    verb = "Supersede" if text else "Strike"
    action.label = f"{verb}{compose.several(action)} in {', '.join(sorted(where))}"


def _reject(action: Action) -> None:
    words = action.words
    tombstone = words.get("tombstone") == YES
    if tombstone and not words.get("reason"):
        raise Refused("A tombstone needs a reason.", remedy="Say why it was rejected.", field="reason")
    if tombstone and words.get("title") and len(action.entries) > 1:
        raise Refused("One title can't serve several tombstones.", remedy="Reject them one by one.", field="title")
    for entry in action.entries:
        if entry.role == "do-not-use":
            raise Refused(
                "A tombstone can't be rejected.", path=entry.path, line=entry.line, remedy="Strike it if it no longer holds."
            )
        asked.changeable(entry)
    action.warnings += forget.left_naming(action) if tombstone else []  # what leaves none goes to the archive
    outcome = action.outcome("rejected", reason=words.get("reason", ""))
    action.layout.take(action.draft, action.store, action.entries, outcome)
    lines = [
        f'Rejected "{action.title(entry)}" from {action.name(entry.path)}{compose.because(words)}.' for entry in action.entries
    ]
    action.note(lines)
    action.summary = compose.summary(action, "Rejected", "", lines)
    works = action.draft.works
    kept = next((path for path, work in works.items() if work.made and work.document.place.tier not in ("log", "index")), "")
    action.label = f"Reject{compose.several(action)}" + (f", kept in {action.name(kept)}" if kept else "")


def _merge(action: Action) -> None:
    into = _into(action)
    asked.only(action, lambda entry: entry.candidate)
    text = action.words.get("text") or merged_text(into, action.entries)
    equal = all(_says_the_same(action, into, entry) for entry in action.entries)
    if text.strip("\n") == into.text and not equal:
        remedy = "Work the candidate's text into it, or reject the candidate."
        raise Refused("The entry's text is what it was.", remedy=remedy, field="text")
    if text.strip("\n") != into.text:
        action.layout.amend(action.draft, action.store, into, action.change("replace", text))
    outcome = action.outcome("merged", action.name(into.path))
    action.layout.take(action.draft, action.store, action.entries, outcome)
    target = action.title(into)
    lines = [
        f'Merged "{action.title(entry)}" from {action.name(entry.path)} into "{target}" in {action.name(into.path)}.'
        for entry in action.entries
    ]
    action.note(lines)
    action.summary = compose.summary(action, "Merged", f'into "{target}"', lines)
    action.label = f"Merge{compose.several(action)} into {action.name(into.path)}"


def _edit(action: Action) -> None:
    if len(action.entries) != 1:
        raise Refused("Entries are edited one by one.")
    entry = action.entries[0]
    asked.changeable(entry)
    text = action.words.get("text", "")
    if not text.strip():
        raise Refused("The text is empty.", remedy="Strike or reject the entry instead.", field="text")
    stops.scope(text, action.layout.scoped(entry, ""))
    action.layout.amend(action.draft, action.store, entry, action.change("replace", text))
    if action.draft.works:
        action.note([f'Edited "{action.title(entry)}" in {action.name(entry.path)}.'])
    action.summary = f'Edited "{action.title(entry)}" in {action.name(entry.path)}.'
    action.label = f"Edit in {action.name(entry.path)}"


def _promote(action: Action) -> None:
    from memdesk.core.promoting import promote

    promote(action)


def _archive(action: Action) -> None:
    from memdesk.core.archiving import archive

    archive(action)


def _renumber(action: Action) -> None:
    from memdesk.core.renumbering import renumber

    renumber(action)


def _correct(action: Action) -> None:
    from memdesk.core.correcting import correct

    correct(action)


def _reindex(action: Action) -> None:
    from memdesk.core.reindexing import reindex

    reindex(action)


def _clear(action: Action) -> None:
    from memdesk.core.clearing import clear

    clear(action)


_VERBS: dict[str, Callable[[Action], None]] = {
    "add": _add, "promote": _promote, "strike": _strike, "reject": _reject, "merge": _merge, "edit": _edit,
    "archive": _archive, "forget": forget.plan, "renumber": _renumber, "correct": _correct, "reindex": _reindex,
    "clear": _clear,
}


def _init(workspace: Workspace, request: Request, words: dict[str, str], today: date) -> Plan:
    from memdesk.core import starting

    return starting.plan(workspace, request, words, today)


def _dismiss(workspace: Workspace, request: Request, words: dict[str, str], today: date) -> Plan:
    from memdesk.core import dismissing

    return dismissing.plan(workspace, request, words, today)


def _resolve(workspace: Workspace, request: Request, words: dict[str, str], today: date) -> Plan:
    from memdesk.core import resolving

    return resolving.plan(workspace, request, words)


def _compact(workspace: Workspace, request: Request, words: dict[str, str], today: date) -> Plan:
    from memdesk.core.compacting import planning

    return planning.plan(workspace, request, words, today)


def _pruning(workspace: Workspace, request: Request, words: dict[str, str], today: date) -> Plan:
    from memdesk.core.prune import accepting, ending, refusing

    plans = {"prune": accepting.plan, "refuse": refusing.plan, "session": ending.plan}
    return plans[request.verb](workspace, request, words, today)


# What no layout has a half of: a store that isn't there yet, a judgment, a file that is written as a whole.
_OF_NO_STORE: dict[str, Callable[[Workspace, Request, dict[str, str], date], Plan]] = {
    "init": _init, "dismiss": _dismiss, "resolve": _resolve, "prune": _pruning, "refuse": _pruning,
    "session": _pruning, "compact": _compact,
}
KNOWN = (*_VERBS, *_OF_NO_STORE)


def _warn_of_source(action: Action) -> None:
    """A source that looks like a file of the workspace and is none."""
    source = action.words.get("source", "").strip()
    path = _LINE_AT_END.sub("", source)
    named = path != source or "/" in path or _SUFFIX.search(path) is not None
    if not named or " " in path or ":" in path or path.startswith(("/", "~")):
        return  # words, an address, or a place elsewhere
    tree = action.workspace.tree
    path = posixpath.normpath(path)
    if path.startswith("..") or tree.kind(path) == "none":
        action.warnings.append(f"The source names {path}, and there is no such file.")


def _says_the_same(action: Action, one: Entry, other: Entry) -> bool:
    texts = [" ".join(action.layout.said(entry).text.split()).casefold() for entry in (one, other)]
    return texts[0] == texts[1]


def _into(action: Action) -> Entry:
    ident = action.words.get("into", "")
    if not ident:
        raise Refused("Into which entry?", remedy="Name it by its id.", field="into")
    into = action.workspace.find(ident)
    if into.document.store is not action.store:
        raise Refused("That entry is of another store.", path=into.path, line=into.line, field="into")
    if any(into is entry for entry in action.entries):
        raise Refused("A candidate can't be merged into itself.", path=into.path, line=into.line, field="into")
    asked.changeable(into)
    if into.struck:
        remedy = "Choose a current one."
        raise Refused("That entry no longer holds.", path=into.path, line=into.line, remedy=remedy, field="into")
    return into


