"""The links in a document: where each stands, what it names, and what that leads to; what code, a comment or a strike holds
is quoted or past, and no link.

One reading for every layout: what looks for dead links, what rewrites a link to a file that moved, and what follows a fact's.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator

from memdesk.core import strikes
from memdesk.core.errors import StoreError
from memdesk.core.lean import TYPE_CHECKING, NamedTuple
from memdesk.core.patterns import lazy

if TYPE_CHECKING:
    from memdesk.core.model import Document, Store, Workspace
    from memdesk.core.tree import Tree


class Link(NamedTuple):
    """A link of a document. `start` and `end` are its span in the document's bytes, brackets included; `line` is 1-based;
    `target` as it is written, title and angle brackets off; `wiki`: in the form `[[target]]` or `[[target|text]]`; `text`:
    what a reader sees of it."""

    start: int
    end: int
    line: int
    target: str
    wiki: bool
    text: str

    @property
    def path(self) -> str:
        """What it names as a path: without anchor, query and line number, %20 and its like read; "" for another kind of
        target (an address, an anchor alone, a pattern to be filled in)."""
        path = _LINE.sub("", self.target.partition("#")[0].partition("?")[0])
        if _SCHEME.match(path) or _OPEN.search(path):
            return ""
        if "%" in path:
            from urllib.parse import unquote

            path = unquote(path, errors="surrogateescape")
        return path


def links(document: Document) -> list[Link]:
    """The links of a document, in order; images too. None that a code span, a block of code or HTML, a quote, a comment, a
    strike or front matter holds."""
    data = document.data
    if b"](" not in data and b"[[" not in data:
        return []
    page = document.page
    text = page.text  # one character for each byte
    quoted = _Quoted(document)
    found: list[Link] = []
    for start, end in _paragraphs(text):
        part = text[start:end]
        if "](" not in part and "[[" not in part:
            continue
        bare = strikes.mask_code(part)
        for match in _LINK.finditer(bare):
            at = start + match.start()
            if at in quoted or text[at - 1 : at] == "\\":
                continue
            wiki = match["wiki"] is not None
            target = _utf8(match["wiki"] or match["angled"] or match["to"]).strip()
            shown = (match["shown"] or match["wiki"]) if wiki else part[match.start("text") : match.end("text")]
            found.append(Link(at, start + match.end(), page.line_of(at), target, wiki, _utf8(shown).strip()))
    return found


def resolve(workspace: Workspace, store: Store, document: Document, link: Link) -> str | None:
    """The workspace path that a link leads to: from its file's folder, the store's or the root; None where nothing is there,
    or for a target that is no path."""
    return next((place for place in places(store, document, link) if there(workspace.tree, place)), None)


def places(store: Store, document: Document, link: Link) -> list[str]:
    """Where a link may lead in the workspace, its own folder first; none for a target that is no path, or that leads out."""
    path = link.path
    if not path or (link.wiki and "/" not in path and "." not in path):
        path = f"{path}.md" if path and link.wiki else ""
    if not path:
        return []
    bases = [""] if path.startswith("/") else [posixpath.dirname(document.path), "" if store.path == "." else store.path, ""]
    joined = (posixpath.normpath(posixpath.join(base, path.lstrip("/"))) for base in bases)
    return [place for place in dict.fromkeys(joined) if place != ".." and not place.startswith("../")]


def there(tree: Tree, path: str) -> bool:
    """Whether something is at a path, behind a link too."""
    kind = tree.kind(path)
    if kind == "link":
        try:
            kind = tree.kind(tree.resolve(path))
        except StoreError:
            return False
    return kind != "none"


# Every run has an end, so that a text of nothing but beginnings takes no longer than another.
_LINK = lazy(
    r"\[\[(?P<wiki>[^\[\]|\n]{1,300}+)(?:\|(?P<shown>[^\[\]\n]{0,300}+))?\]\]"
    r"|!?\[(?P<text>(?:[^\[\]\\]|\\.){0,300}+)\]\([ \t]{0,8}(?:<(?P<angled>[^<>\n]{1,500}+)>|(?P<to>[^()\s<>]{1,500}+))"
    r"(?:\s{1,8}(?:\"[^\"]{0,200}\"|'[^']{0,200}'))?[ \t]{0,8}\)"
)
_SCHEME = lazy(r"[A-Za-z][A-Za-z0-9+.-]{1,20}:|//")
_OPEN = lazy(r"[<>*{}$|]|YYYY|NNNN|\.\.\.")  # a pattern, to be filled in
_LINE = lazy(r":[0-9]{1,7}(?:-[0-9]{1,7})?\Z")
_BLANK = lazy(r"\n[ \t]*\r?\n")


def _paragraphs(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    for gap in _BLANK.finditer(text):
        yield start, gap.start()
        start = gap.end()
    yield start, len(text)


class _Quoted:
    """The offsets of a document that are quoted, commented out or struck."""

    def __init__(self, document: Document) -> None:
        from memdesk.core.layouts.claims import quoted

        page = document.page
        self._spans = list(quoted(document))
        self._starts = [start for start, _ in self._spans]
        self._front = page.front[1] if page.front else 0

    def __contains__(self, offset: int) -> bool:
        from bisect import bisect_right

        near = bisect_right(self._starts, offset) - 1
        return offset < self._front or (near >= 0 and offset < self._spans[near][1])


def _utf8(text: str) -> str:
    return text.encode("latin-1", "replace").decode("utf-8", "replace")
