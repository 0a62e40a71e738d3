"""The rules over the index: it points, its pointers lead somewhere, and every durable file has one."""

from __future__ import annotations

from memdesk.core.checks.rule import CheckContext, Checked, Rule
from memdesk.core.layouts.agent_memory import facts
from memdesk.core.layouts.agent_memory.detect import NAME
from memdesk.core.layouts.agent_memory.links import links, places
from memdesk.core.layouts.agent_memory.lint import Lint
from memdesk.core.layouts.texts import shown
from memdesk.core.lean import TYPE_CHECKING
from memdesk.core.links import there
from memdesk.core.patterns import lazy

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memdesk.core.model import Document, Store, Workspace
    from memdesk.core.tree import Tree


def index_links(context: CheckContext) -> Checked:
    """The paths that the index names, from the store's root or from the index's own folder."""
    text = _index(context)
    if text is None:
        return _without_index(context)
    tree = context.workspace.tree
    path = _index_path(context)
    found = []
    checked = 0
    for link in links(text):
        checked += 1
        if not any(_exists(tree, place) for place in places(context.store, link.path)):
            found.append(INDEX_LINKS.finding(path, link.line, f"{link.path} leads nowhere."))
    return Checked(checked, found)


def index_missing(context: CheckContext) -> Checked:
    """The durable files, each of which a row of the index should name."""
    text = _index(context)
    if text is None:
        return Checked(0, skipped=f"there is no {context.store.settings.index_file}")
    found = []
    checked = 0
    missing = set(_without_row(context.workspace, context.store, text))
    for document in _durable(context.workspace, context.store):
        checked += 1
        if document in missing:
            inner = context.store.named(document.path)
            hint = f"Add a row to {context.store.settings.index_file}: what `{inner}` holds, and when to read it."
            message = f"{context.store.settings.index_file} has no row for this file, so nobody is sent to it."
            found.append(INDEX_MISSING.finding(document.path, None, message, hint))
    return Checked(checked, found)


def index_fact(context: CheckContext) -> Checked:
    """The items of the index that bear a tag, or that point at nothing."""
    document = context.workspace.documents.get(_index_path(context))
    if document is None or document.store is not context.store:
        return Checked(0, skipped=f"there is no {context.store.settings.index_file}")
    found = []
    checked = 0
    for fact in facts.of(context, document):
        checked += 1
        if fact.struck and not fact.tags:
            continue
        if fact.tags:
            message = f"The index states a fact with its tag: {shown(fact.text)!r}."
        elif _POINTS.search(fact.text) or not _is_bullet(document, fact.line):
            continue
        else:
            message = f"The index states something and points nowhere: {shown(fact.text)!r}."
        found.append(INDEX_FACT.finding(document.path, fact.line, message, possible=True))
    return Checked(checked, found)


def unreached(workspace: Workspace, store: Store) -> Sequence[tuple[str, str]]:
    """The durable files that no row of the index names, by its folder either, and that nothing which one names links to. None
    without an index."""
    lint: Lint = store.settings
    index = workspace.documents.get(store.join(lint.index_file))
    if index is None or index.problem is not None or store.fault is not None:
        return []
    from memdesk.core.links import links as linked
    from memdesk.core.links import resolve

    text = index.data.decode("utf-8", "replace")
    folders = tuple(place + "/" for link in links(text) if link.path.endswith("/") for place in places(store, link.path))
    missing = {
        document.path: document for document in _without_row(workspace, store, text) if not document.path.startswith(folders)
    }
    waiting = [document for document in workspace.documents_of(store) if document.path not in missing] if missing else []
    while waiting:
        document = waiting.pop()
        if document.place.tier == "archive":
            continue
        for link in linked(document):
            to = missing.pop(resolve(workspace, store, document, link) or "", None)
            if to is not None:
                waiting.append(to)
    return [(path, f"{lint.index_file} has no row for it, and no file that it names links to it") for path in missing]


_POINTS = lazy(r"/|\.md\b|\]\(|\[\[")


def _durable(workspace: Workspace, store: Store) -> list[Document]:
    return [
        document for document in workspace.documents_of(store)
        if document.place.tier == "durable" and document.path.rpartition("/")[2].lower() != "readme.md"
    ]


def _without_row(workspace: Workspace, store: Store, text: str) -> list[Document]:
    """The durable files that no row of the index, whose text is given, names."""
    lint: Lint = store.settings
    named = {place for link in links(text) for place in places(store, link.path)}
    folder = store.join(lint.index_file).rpartition("/")[0]
    found = []
    for document in _durable(workspace, store):
        spelled = {store.named(document.path), document.path.removeprefix(folder + "/" if folder else "")}
        if document.path not in named and not any(_spells(text, name) for name in spelled):
            found.append(document)
    return found


def _exists(tree: Tree, path: str) -> bool:
    return not path.startswith("../") and path != ".." and there(tree, path)


def _spells(text: str, name: str) -> bool:
    """Whether a text names a path in a form that `links` doesn't know, such as one with spaces."""
    at = text.find(name)
    while at >= 0:
        before = text[at - 1 : at] if at else ""
        if not (before.isalnum() or before in ("/", "-", "_", ".")) or text[at - 2 : at] == "./":
            return True
        at = text.find(name, at + 1)
    return False


def _index_path(context: CheckContext) -> str:
    lint: Lint = context.store.settings
    return context.store.join(lint.index_file)


def _index(context: CheckContext) -> str | None:
    from memdesk.core.layouts.agent_memory.limits import text_of

    return text_of(context, _index_path(context))


def _without_index(context: CheckContext) -> Checked:
    lint: Lint = context.store.settings
    if lint.index_file in lint.boot:
        return Checked(0, skipped=f"there is no {lint.index_file}")  # rom-caps reports it
    message = f"The index {lint.index_file} is not there."
    hint = f"Write it, or name the right one in {lint.file}."
    return Checked(0, [INDEX_LINKS.finding(_index_path(context), None, message, hint, severity="warning")])


def _is_bullet(document: Document, line: int) -> bool:
    """Whether the item on a line is a bullet: numbered ones are steps, which point at nothing."""
    return any(block.kind == "item" and block.line == line and block.marker in "-*+" for block in document.page.blocks)


INDEX_LINKS = Rule(
    "index-links", "error", "a path in the index that exists neither from the store's root nor from the index's folder",
    "Correct the path, restore the file, or take the row out.", "links", index_links, NAME,
)
INDEX_MISSING = Rule(
    "index-missing", "warning", "a durable file without a row in the index", "Add a row: what it holds, and when to read it.",
    "durable files", index_missing, NAME,
)
INDEX_FACT = Rule(
    "index-fact", "warning", "a line of the index that states a fact instead of pointing (possible)",
    "Move the fact to the file that owns it, with its tag and date, and leave a pointer.", "index items", index_fact, NAME,
)
RULES = (INDEX_LINKS, INDEX_MISSING, INDEX_FACT)
