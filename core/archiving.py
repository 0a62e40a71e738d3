"""The verb `archive`: whole entries, or whole files where a layout archives by file, go to the archive."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from memdesk.core import compose
from memdesk.core.plan import YES, Question

if TYPE_CHECKING:
    from memdesk.core.compose import Action
    from memdesk.core.model import Document


def archive(action: Action) -> None:
    """Composes it: where a layout archives by file, the file goes whole, once the person knows what goes with it."""
    action.layout.take(action.draft, action.store, action.entries, action.outcome("archived"))
    works = action.draft.works
    targets = [path for path, work in works.items() if work.made or (work.before is None and work.document.entries)]
    names = ", ".join(action.name(path) for path in targets)
    whole = [work.document for work in works.values() if work.removed]
    if whole:
        moved = ", ".join(action.name(document.path) for document in whole)
        lines = [f"Archived {action.name(document.path)}, whole{compose.because(action.words)}." for document in whole]
        action.note(lines)
        action.summary = lines[0] if len(lines) == 1 else f"Archived {len(lines)} files, whole."
        action.label = f"Move {moved} to {names}"
        _ask_for_the_rest(action, whole)
        return
    because = compose.because(action.words)
    logs = Counter(entry.path for entry in action.entries if entry.tier == "log")
    often = {path for path, number in logs.items() if number > 1}  # told line by line, a log would not get shorter
    lines = [
        f'Archived "{action.title(entry)}" from {action.name(entry.path)}{because}.'
        for entry in action.entries if entry.path not in often
    ]
    lines += [f"Archived {logs[path]} lines of {action.name(path)}{because}." for path in sorted(often)]
    action.note(lines)
    action.summary = compose.summary(action, "Archived", f"to {names}", lines)
    action.label = f"Archive{compose.several(action)} to {names}"


def _ask_for_the_rest(action: Action, documents: list[Document]) -> None:
    """Where whole files go, what goes with the entries that were named is said first."""
    named = {id(entry) for entry in action.entries}
    rest = sum(not entry.struck and id(entry) not in named for document in documents for entry in document.entries)
    if rest and action.request.answers.get("whole") != YES:
        others = compose.count(rest, "other entry goes", "other entries go")
        ask = f"{others} to the archive with the file. Move it?"
        action.questions.append(Question("whole", ask, (("no", "No"), (YES, "Yes"))))
