"""The verb `promote`: candidates go to where they will be loaded, with the person's words or their own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memdesk.core import across, asked, compose, layouts, questions
from memdesk.core.draft import writable
from memdesk.core.errors import Refused
from memdesk.core.plan import Question

if TYPE_CHECKING:
    from memdesk.core.compose import Action
    from memdesk.core.layouts.base import Content
    from memdesk.core.model import Entry, Store


def promote(action: Action) -> None:
    """Composes it: one entry for each candidate, or one for all that were approved as one decision. Raises Refused for an
    entry that waits for nothing, and for words that can't serve several."""
    asked.only(action, action.layout.promotable)
    if not action.words.get("to"):
        questions.stop(action.words, passing=action.layout.passing)
    goal = across.resolve(action.workspace, action.store, asked.destination(action), action.words)
    store, destination = goal
    layout = layouts.get(store.layout)
    questions.stop(action.words, destination.id, layout.passing)
    writable(store)
    groups = [[entry] for entry in action.entries]
    if len(action.entries) > 1:
        for key in ("title", "text"):
            if action.words.get(key) and action.request.answers.get("authority") != "one":
                several = len(action.entries)
                raise Refused(f"One {key} can't serve {several} entries.", remedy="Promote them one by one.", field=key)
        if action.words.get("tag") == "stated":
            groups = _authority(action)
    lines = []
    landed: list[str] = []
    for group in groups:
        content = _content(action, group, store)
        _warn_of_equals(action, destination.path, content.text)
        there = set(action.draft.works)
        layout.put(action.draft, store, destination, content)
        landed.append(compose.landed(action, destination.path, there))
        for entry in group:
            action.warnings += across.lost(action.workspace, entry, content.text, landed[-1])
            title = content.title if len(group) == 1 else action.title(entry)
            lines.append(compose.promoted(action, title, entry, landed[-1]))
    kind = "promoted" if store is action.store else "moved"
    outcome = action.outcome(kind, action.name(destination.path), words={**action.words, "to": destination.id})
    action.layout.take(action.draft, action.store, action.entries, outcome)
    action.note(lines, store)
    place = landed[0] if len(landed) == 1 else destination.path
    action.summary = compose.summary(action, "Promoted", f"to {action.name(place)}", lines)
    stays = action.entries[0].path == place
    action.label = f"Accept {action.name(place)}" if stays else f"Promote{compose.several(action)} to {action.name(place)}"
    action.named = place


def _authority(action: Action) -> list[list[Entry]]:
    """Several candidates can't all become `stated` by one keystroke (verbs.md, Authority)."""
    answer = action.request.answers.get("authority", "")
    if answer == "one":
        return [action.entries]
    if answer == "each":
        raise Refused("Promote them one by one, so that each is looked at.", field="tag")
    action.questions.append(
        Question(
            "authority", f"{len(action.entries)} candidates would become `stated` at once. What was approved?",
            (("one", "All of it, as one decision"), ("each", "Not all: go one by one")),
        )
    )
    return [[entry] for entry in action.entries]


def _content(action: Action, group: list[Entry], store: Store) -> Content:
    """What is put into a store for these candidates: the person's words, where they gave none the candidate's own."""
    own = [action.layout.said(entry) for entry in group]
    if store is not action.store:
        own = [across.carried(said) for said in own]
    known = {key: value for content in reversed(own) for key, value in content.words.items()}
    words = {**known, **action.words}
    text = words.get("text") or "\n\n".join(content.text for content in own)
    title = words.get("title") or own[0].title
    return action.content(title, text.strip(), words)


def _warn_of_equals(action: Action, path: str, text: str) -> None:
    """A second entry that says the same would be an error of the check."""
    document = action.workspace.documents.get(path)
    for entry in [] if document is None else compose.standing(document, [text]):
        action.warnings.append(f"An equal entry stands in {action.name(path)}:{entry.line}: merge or reject?")
