"""Where the links of this layout's files lead: relative paths, and names in double brackets, which are those of facts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from weakref import WeakKeyDictionary, ref

from memdesk.core import fields
from memdesk.core import links as linked
from memdesk.core.layouts.tiers.facts import fact_of, stem, title_of
from memdesk.core.layouts.tiers.indexlines import IndexLine, lines
from memdesk.core.layouts.tiers.kept import Kept
from memdesk.core.lean import TYPE_CHECKING
from memdesk.core.links import Link, destination

if TYPE_CHECKING:
    from memdesk.core.model import Document, Entry, Store, Workspace


def links(document: Document) -> Sequence[Link]:
    """The links of a document to files here, `[[name]]` among them."""
    return [link for link in linked.links(document) if link.path]


def resolve(workspace: Workspace, store: Store, document: Document, link: Link) -> str | None:
    """The workspace path that a link leads to: a relative one from its file's folder, else the store's; a `[[name]]` to the
    fact of that file name or name. None where nothing is there."""
    return names_of(workspace, store).find(document, link)


def unreached(workspace: Workspace, store: Store) -> Sequence[str]:
    """The paths of facts that no line of the index leads to, and no fact that one leads to links to. None without an index."""
    kept: Kept = store.settings
    index = workspace.documents.get(store.join(kept.index))
    if index is None or index.problem is not None:
        return []
    names = names_of(workspace, store)
    facts = {document.path: document for document in workspace.documents_of(store) if document.place.role == "fact"}
    for line in lines(index):
        facts.pop(names.line(index, line) or "", None)
    waiting = [one for one in workspace.documents_of(store) if one.place.tier != "archive" and one.path not in facts]
    while waiting and facts:
        document = waiting.pop()
        for link in links(document):
            to = facts.pop(names.find(document, link) or "", None)
            if to is not None:
                waiting.append(to)
    return list(facts)


def fact_of_line(workspace: Workspace, entry: Entry) -> Entry | None:
    """The fact that an entry of the index names; None for none."""
    names = names_of(workspace, entry.document.store)
    line = next((line for line in lines(entry.document) if line.start == entry.start), None)
    document = None if line is None else workspace.documents.get(names.line(entry.document, line) or "")
    return document.entries[0] if document is not None and document.place.role == "fact" and document.entries else None


def names_of(workspace: Workspace, store: Store) -> Names:
    """What links of a store's documents can lead to, made once for a reading of the workspace."""
    known = _KNOWN.get(workspace)
    if known is None or known.store is not store:
        known = _KNOWN[workspace] = Names(workspace, store)
    return known


class Names:
    """What links of a store's documents can lead to."""

    def __init__(self, workspace: Workspace, store: Store) -> None:
        self.store = store
        self._workspace = ref(workspace)
        self._stems: dict[str, str] | None = None
        self._titles: dict[str, str] | None = None

    def find(self, document: Document, link: Link) -> str | None:
        """The path that a link in a document leads to, or None."""
        found = linked.resolve(self.workspace, self.store, document, link)
        if found is None and link.wiki:
            found = self.named(link.path.rpartition("/")[2])
        return found

    def line(self, index: Document, line: IndexLine) -> str | None:
        """The path that a line of the index leads to, or None."""
        target = line.target if line.wiki else destination(line.target)
        return self.find(index, Link(line.start, line.end, line.line, target, line.wiki, line.name))

    def from_front(self, document: Document, target: str) -> str | None:
        """The path that an item of a fact's `links` leads to: a name, a path or `[[name]]`; "" for nowhere, None for what is no
        file here (an address)."""
        name = target.strip().removeprefix("[[").removesuffix("]]").partition("|")[0].strip()
        link = Link(0, 0, 1, name, "/" not in name and not name.endswith(".md"), name)
        if not link.path:
            return None
        return self.find(document, link) or self.named(link.path.rpartition("/")[2]) or ""

    def named(self, name: str) -> str | None:
        """The path of the document that a name in double brackets means: by its file, else by its own name or title."""
        name = name.strip().removesuffix(".md")
        if not name:
            return None
        if self._stems is None:
            self._stems = _by(self._documents(), lambda document: [stem(document.path)])
        found = self._stems.get(name) or self._stems.get(name.casefold())
        if found is None:
            if self._titles is None:
                facts = [document for document in self._documents() if document.place.role == "fact"]
                self._titles = _by(facts, lambda document: [fact_of(document).name, title_of(document)])
            found = self._titles.get(name) or self._titles.get(name.casefold()) or self._stems.get(fields.slug(name))
        return found

    @property
    def workspace(self) -> Workspace:
        found = self._workspace()
        assert found is not None  # whoever asks holds it
        return found

    def _documents(self) -> list[Document]:
        """Those of the store, the facts first, what is archived last."""
        order = {"fact": 0, "archive": 2}
        documents = self.workspace.documents_of(self.store)
        return sorted(documents, key=lambda one: (order.get(one.place.role, 1), one.path))


_KNOWN: WeakKeyDictionary[Workspace, Names] = WeakKeyDictionary()


def _by(documents: Iterable[Document], names: Callable[[Document], list[str]]) -> dict[str, str]:
    """Name -> path, the first of a name; in lower case too, where nothing is called so exactly."""
    found: dict[str, str] = {}
    folded: dict[str, str] = {}
    for document in documents:
        for name in names(document):
            if name:
                found.setdefault(name, document.path)
                folded.setdefault(name.casefold(), document.path)
    return {**folded, **found}
