"""What each verb writes in this layout: the halves that `actions.py` composes, into a Draft (docs/jonggrang.md)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from memdesk.core.errors import MemdeskError, Refused
from memdesk.core.layouts import inbox, shape, striking, texts
from memdesk.core.layouts.jonggrang import forms, paths, starter, updating
from memdesk.core.layouts.jonggrang.compacted import features
from memdesk.core.layouts.jonggrang.tasks import tasks_of
from memdesk.core.plan import YES

if TYPE_CHECKING:
    from memdesk.core.draft import Draft
    from memdesk.core.layouts.base import Change, Content, Destination, Outcome
    from memdesk.core.model import Document, Entry, Store

_FIRST = "What a fragment says gets into the feature's memory first."
MOST = 999  # fragments of one task in one second


def add(draft: Draft, store: Store, content: Content) -> None:
    """One new fragment, a file of its own, named by feature, task and time. Raises Refused without a feature and task, with
    those that there are, and for ids that are none."""
    words = dict(content.words)
    feature, task = words.pop("feature", "").strip(), words.pop("task_id", "").strip()
    if not feature:
        known = ", ".join(features(draft.workspace, store))
        raise Refused(
            "Of which feature? A fragment is one task's.", field="feature",
            remedy=f"Name it (--feature F --task-id T). There is {known or 'none yet: any name of letters, digits, _ and -'}.",
        )
    if not task:
        known = _tasks(draft, store, feature)
        raise Refused("Of which task?", field="task_id", remedy=f"Name it (--task-id T), as in task-001.{known}")
    at = _instant(content)
    made = _fresh(draft, store, (paths.fragment_path(feature, task, at, number) for number in range(1, MOST + 1)))
    draft.insert(made, 0, inbox.candidate(content.text, words), loose=False, entry=True)


def _fresh(draft: Draft, store: Store, names: Iterable[str]) -> Document:
    """The first of these files that nothing is at: others add at the same time, so what was free a moment ago may not be."""
    tree = draft.workspace.tree
    path = ""
    for path in map(store.join, names):
        if tree.kind(path) != "none" or path in draft.works:
            continue
        try:
            return draft.make(store, path, b"")
        except Refused:
            if tree.kind(path) == "none":
                raise
    raise Refused("There are as many of this task and second as there are names.", path=path, remedy="Try again in a second.")


def put(draft: Draft, store: Store, destination: Destination, content: Content) -> None:
    """A line under a section of the project's memory, with its feature and the day. Raises Refused without the section, and
    without the word that the feature's review has passed."""
    words = content.words
    if words.get("compacted") == "no":
        raise _by_compaction(words.get("feature", ""), _FIRST)
    _reviewed(words.get("feature", ""), words)
    path = destination.path
    document = draft.look(path) or draft.make(store, path, starter.project(_stamp(content)))
    section = forms.section_of(document, words.get("section", ""))
    spot = forms.spot_in(draft, document, section)
    line = forms.line(store, content.text, words, content.today, spot.marker)
    draft.insert(document, spot.offset, line, loose=spot.loose, entry=True)
    updating.touch(draft, document, content.today, content.stamp)


def take(draft: Draft, store: Store, entries: Sequence[Entry], outcome: Outcome) -> None:
    """The half that marks lines where they stand, and forgets. What fragments say leaves them by compaction alone. Raises
    Refused."""
    if outcome.kind == "forgotten":
        _forget(draft, entries, outcome)
    else:
        for entry in entries:
            _mark(draft, store, entry, outcome)
    for document in {entry.path: entry.document for entry in entries}.values():
        updating.touch(draft, document, outcome.today, outcome.stamp)


def amend(draft: Draft, store: Store, entry: Entry, change: Change) -> None:
    """A change of one entry in place: "strike" supersedes it, with a replacement right below or without; "replace" makes its
    words others. Raises Refused."""
    if change.kind == "strike":
        _strike(draft, entry, change)
    else:
        if "into" in change.words and entry.role == "fragment":
            raise _by_compaction(entry.fields.get("feature", ""), "Nothing is merged into a fragment.", entry)
        draft.rewrite(entry, change.text)
    updating.touch(draft, entry.document, change.today, change.stamp)


def _strike(draft: Draft, entry: Entry, change: Change) -> None:
    day, reason = change.today.isoformat(), change.words.get("reason", "")
    if not change.text.strip():
        striking.inline(draft, entry, f"struck {day}", reason)
        return
    striking.inline(draft, entry, f"superseded {day}", reason)
    document = entry.document
    words = {key: change.words[key] for key in ("tag", "source") if change.words.get(key)}
    if entry.kind == "bullet":
        new = inbox.candidate(change.text.strip(), words, forms.marker_of(entry))
        draft.insert(document, entry.end, new, loose=forms.is_loose(entry), entry=True)
        return
    shape.words(change.text)
    draft.insert(document, entry.end, change.text.strip("\n"), loose=True, entry=True)


def _mark(draft: Draft, store: Store, entry: Entry, outcome: Outcome) -> None:
    """What becomes of one entry where it stands: a remark behind it, a strike, or nothing."""
    day, kind = outcome.today.isoformat(), outcome.kind
    to_project = outcome.to in (paths.PROJECT, store.join(paths.PROJECT))
    if kind == "rejected":
        if not entry.candidate:
            raise Refused(
                "Only a candidate can be rejected.", path=entry.path, line=entry.line, remedy="Strike what no longer holds.",
            )
        if outcome.words.get("tombstone") == YES:
            raise Refused(
                "This layout keeps no tombstones: a rejected line stays, struck.", field="tombstone",
                remedy="Reject it with a reason.",
            )
    if kind in ("struck", "rejected"):
        striking.inline(draft, entry, f"{kind} {day}", outcome.reason)
    elif entry.role == "fragment" and kind in ("promoted", "merged"):
        raise _by_compaction(entry.fields.get("feature", ""), _FIRST, entry)
    elif entry.role == "fragment":
        striking.inline(draft, entry, f"promoted {day} to {outcome.to}", "")
    elif entry.candidate and (kind in ("promoted", "moved") or to_project):
        if kind == "merged":
            _reviewed(entry.fields.get("feature", ""), outcome.words)
        forms.promoted(draft, entry, outcome.today)
    elif entry.candidate and kind == "merged":
        striking.inline(draft, entry, f"merged {day}", "")
    elif kind == "archived":
        raise _by_compaction(entry.fields.get("feature", ""), "Only fragments are archived here.", entry)


def _forget(draft: Draft, entries: Sequence[Entry], outcome: Outcome) -> None:
    """What holds the topic goes, whole; a fragment of which nothing is left goes as a file. Raises Refused but for a purge."""
    if outcome.words.get("mode") != "purge":
        raise Refused(
            "This layout forgets by purging alone: it keeps no tombstones.", field="mode", remedy="Use --mode purge, or strike."
        )
    for document, found in inbox.by_document(entries):
        if document.place.role in ("fragment", "archive") and len(found) == len(document.entries):
            draft.delete(document)
            continue
        for entry in found:
            draft.cut(entry)
        forms.emptied(draft, document, found)


def _reviewed(feature: str, words: Mapping[str, str]) -> None:
    """Raises Refused unless a person said that the review of a feature has passed; "" for what is of none."""
    if feature and words.get("reviewed") != YES:
        raise Refused(
            f"Has the review of {feature} passed? Only then is it taken for the project's.", field="reviewed",
            remedy="Confirm it (--answer reviewed=yes), or leave it with the feature.",
        )


def _by_compaction(feature: str, what: str, entry: Entry | None = None) -> Refused:
    remedy = f"memdesk compact {feature or 'FEATURE'} drafts it."
    if entry is None:
        return Refused(what, remedy=remedy, field="to")
    return Refused(what, path=entry.path, line=entry.line, remedy=remedy)


def _tasks(draft: Draft, store: Store, feature: str) -> str:
    """The tasks of a feature, for a message; "" for none that can be told."""
    try:
        found = tasks_of(draft.workspace.tree, store, feature) if paths.is_feature(feature) else ()
    except MemdeskError:
        return ""
    return f" There is {texts.named(texts.shown(task.id, 40) for task in found)}." if found else ""


def _instant(content: Content) -> datetime:
    """When a fragment is written; the day alone where nobody said when."""
    return datetime.fromisoformat(_stamp(content)).astimezone(UTC)


def _stamp(content: Content) -> str:
    return content.stamp or f"{content.today.isoformat()}T00:00:00Z"
