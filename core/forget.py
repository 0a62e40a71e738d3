"""Which entries a topic would take with it, and where it stands in text that is no entry (formats: docs/custodian.md)."""

from __future__ import annotations

from memdesk.core import compose, judgments, layouts
from memdesk.core.errors import Refused, StoreError, UsageError
from memdesk.core.lean import TYPE_CHECKING, NamedTuple
from memdesk.core.plan import YES, Question

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memdesk.core.compose import Action
    from memdesk.core.model import Document, Entry, Store, Workspace

MODES = ("soft", "hard", "purge")
SHORT = 4  # characters; a shorter topic needs a second confirmation


class Found(NamedTuple):
    """What a topic matches. `left`: documents that name it and that this mode does not touch."""

    entries: list[Entry]
    left: list[str]


def plan(action: Action) -> None:
    """The verb: what holds the topic goes, and what stays of it is said. Raises Refused, UsageError (no such mode)."""
    topic = action.words.get("topic", "").strip()
    mode = action.words.get("mode", "soft")
    if not topic:
        raise Refused("What should be forgotten?", remedy="Name the topic, as it is written.", field="topic")
    if mode not in MODES:
        raise UsageError(f"There is no way to forget {mode!r}.", remedy=f"Known: {', '.join(MODES)}.")
    found = matches(action.workspace, action.store, topic, mode)
    action.entries = found.entries
    outcome = action.outcome("forgotten", words={"topic": topic, "mode": mode})
    action.layout.take(action.draft, action.store, found.entries, outcome)
    count = compose.count(len(found.entries), "entry", "entries")
    named = f' about "{topic}"' if mode == "soft" else ""
    action.note([f"Forgot {count}{named}."])
    action.summary = f"Forgot {count}{named} ({mode})."
    action.label = f"Forget {count} ({mode})"
    action.warnings.append("Git history and other copies of these files are not touched.")
    if mode == "purge":
        action.warnings.append(
            "This can't be undone: memdesk's own history of these texts is cleared too. An earlier wording without the topic "
            "stays there (memdesk history --forget ID)."
        )
        if judged(action.workspace, topic):
            action.warnings.append(f"The topic stays in {judgments.PATH}.")
    named_so = [path for path in action.workspace.documents if topic.casefold() in path.casefold()]
    if mode != "soft" and named_so:
        action.warnings.append(f"The topic stays in the names of files: {', '.join(named_so)}.")
    action.warnings += left_naming(action)
    if found.left:
        action.warnings.append(f"The topic stays in {', '.join(action.name(path) for path in found.left)}.")
    confirmed = YES in (action.words.get("confirmed"), action.request.answers.get("confirmed"))
    if not confirmed and (len(topic) < SHORT or len(found.entries) > 1):
        several = len(found.entries) > 1
        short = f'"{topic}" is short and may match more than is meant. Forget it?'
        ask = f"{count} would go. Forget them?" if several else short
        action.questions.append(Question("confirmed", ask, (("no", "No"), (YES, "Yes"))))


def matches(workspace: Workspace, store: Store, topic: str, mode: str) -> Found:
    """The whole entries that hold `topic`, compared literally and without case.

    Soft leaves tombstones and logs; only purge goes into the archive; nothing goes into a log with a file a day. Raises
    Refused, naming file and line, for a match in a preamble or plain text, which only a person can rewrite, and where nothing
    matches.
    """
    entries: list[Entry] = []
    left: list[str] = []
    for document in workspace.documents_of(store):
        if not _holds(document.data.decode("utf-8", "replace"), topic):
            continue
        if not _reached(document, mode):
            left.append(document.path)
            continue
        found = [entry for entry in document.entries if entry.kind != "body" and _holds(entry.text, topic)]
        _block(document, topic, found)
        entries += found
    if not entries:
        where = f" It stands in {', '.join(left)}, which {mode} leaves." if left else ""
        raise Refused(f"No entry of this store holds that topic.{where}", remedy="Matches are literal.", field="topic")
    return Found(entries, left)


def left_naming(action: Action) -> list[str]:
    """Where entries that stay will name one of the action's, which goes for good."""
    return [
        f"{action.name(entry.path)}:{entry.line} says {kind.replace('-', ' ')} {target}, which goes: edit it then."
        for entry, kind, target in naming(action.workspace, action.store, action.entries)
    ]


def naming(workspace: Workspace, store: Store, going: Sequence[Entry]) -> list[tuple[Entry, str, str]]:
    """The entries that stay and name, by its id, one that goes as what they supersede or what came after them; with that."""
    ids = {ident.casefold() for entry in going if (ident := entry.fields.get("id"))}
    gone = set(going)
    if not ids:
        return []
    return [
        (entry, kind, target)
        for document in workspace.documents_of(store) if document.place.tier != "archive"
        for entry in document.entries if entry not in gone
        for kind, target in entry.relations if target.casefold() in ids
    ]


def judged(workspace: Workspace, topic: str) -> bool:
    """Whether what people decided about the store's findings holds the topic; no memory, and so not touched."""
    if workspace.tree.kind(judgments.PATH) == "none":
        return False
    try:
        return _holds(workspace.tree.read(judgments.PATH).decode("utf-8", "replace"), topic)
    except StoreError:
        return False


def _reached(document: Document, mode: str) -> bool:
    if document.place.tier == "log" and layouts.get(document.store.layout).daily:
        return False
    if document.place.tier == "archive":
        return mode == "purge"
    if mode == "soft":
        return document.place.role not in ("do-not-use", "manifest") and document.place.tier != "log"
    return True


def _holds(text: str, topic: str) -> bool:
    return topic.casefold() in text.casefold()


def _block(document: Document, topic: str, found: list[Entry]) -> None:
    """Raises Refused for a match outside the entries that would leave."""
    rest = bytearray(document.data)
    for entry in reversed(found):
        rest[entry.start : entry.end] = b"\n" * rest.count(b"\n", entry.start, entry.end)
    text = rest.decode("utf-8", "replace").casefold()
    at = text.find(topic.casefold())
    if at >= 0:
        raise Refused(
            "The topic stands in text that is no entry of its own, so it can't be taken out whole.", path=document.path,
            line=text.count("\n", 0, at) + 1, remedy="Rewrite that text first.", field="topic",
        )
