"""The links in a document: where each stands, what it names, and what that leads to; what code, a comment or a strike holds
is quoted or past, and no link.

One reading for every layout: what looks for dead links, what rewrites a link to a file that moved, and what follows a fact's.
"""

from __future__ import annotations

import posixpath
import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator

from memdesk.core.errors import StoreError
from memdesk.core.lean import TYPE_CHECKING, NamedTuple
from memdesk.core.patterns import lazy
from memdesk.core.strikes import mask_code

if TYPE_CHECKING:
    from memdesk.core.model import Document, Store, Workspace
    from memdesk.core.tree import Tree


class Link(NamedTuple):
    """A link of a document. `start` and `end` are its span in the document's bytes, brackets included; `line` is 1-based;
    `target` as it is written, title and angle brackets off; `wiki`: in the form `[[target]]` or `[[target|text]]`; `text`:
    what a reader sees of it. `low` and `high` are the span of the target alone; `angled`: it stands in angle brackets."""

    start: int
    end: int
    line: int
    target: str
    wiki: bool
    text: str
    low: int = 0
    high: int = 0
    angled: bool = False

    @property
    def path(self) -> str:
        """What it names as a path: without anchor, query and line number, %20 and its like read; "" for another kind of
        target (an address, an anchor alone, a pattern to be filled in)."""
        path = self.written
        if _SCHEME.match(path) or _OPEN.search(path):
            return ""
        if "\\" in path:
            path = _ESCAPED.sub(r"\1", path)
        if "%" in path:
            from urllib.parse import unquote

            path = unquote(path, errors="surrogateescape")
        return path

    @property
    def written(self) -> str:
        """The part of the target that its path is written in; behind it are query, anchor and line number."""
        return _LINE.sub("", self.target.partition("#")[0].partition("?")[0])

    @property
    def anchor(self) -> str:
        """The heading that it names in its file, as `anchor_of` gives it; "" for none."""
        mark = self.target.partition("#")[2]
        if "%" in mark:
            from urllib.parse import unquote

            mark = unquote(mark, errors="replace")
        return anchor_of(mark)


def links(document: Document) -> list[Link]:
    """The links of a document, in order; images too. None that a code span, a block of code or HTML, a quote, a comment, a
    strike or front matter holds."""
    from memdesk.core.layouts.claims import quoted

    if b"](" not in document.data and b"[[" not in document.data:
        return []
    return [link for link in _inline(document, _Spans(document, quoted(document))) if document.data[link.start] != 0x5D]


def every(document: Document) -> Iterator[tuple[Link, bool]]:
    """Each link of a document as it is rendered, and whether it is struck: those of `links`, and in quotes, in strikes and
    around an image too, and what reference definitions name. None in code, comments and front matter."""
    from memdesk.core.layouts.claims import quoted, strikes

    data = document.data
    if b"](" not in data and b"[[" not in data and b"]:" not in data:
        return
    code = _Spans(document, quoted(document, code=True))
    struck = _Spans(document, strikes(document))
    for link in _inline(document, code):
        yield link, link.start in struck
    page = document.page
    for block in page.blocks if b"]:" in data else ():
        match = _DEFINED.match(page.text, block.start, block.end) if block.kind == "definition" else None
        if match is not None:
            group = "angled" if match["angled"] is not None else "to"
            target = _utf8(match[group])
            yield Link(
                match.start(), match.end(), page.line_of(match.start(group)), target, False, block.marker, *match.span(group),
                group == "angled",
            ), False


def _inline(document: Document, passed: _Spans) -> Iterator[Link]:
    page = document.page
    text = page.text  # one character for each byte
    for start, end in _paragraphs(text):
        part = text[start:end]
        if "](" not in part and "[[" not in part:
            continue
        bare = mask_code(part)
        for match in _LINK.finditer(bare):
            at = start + match.start()
            if at in passed or text[at - 1 : at] == "\\":
                continue
            group = "wiki" if match["wiki"] is not None else "angled" if match["angled"] is not None else "to"
            low, high = match.span(group)
            target = _utf8(match[group])
            shown = match["shown"] or match["wiki"] or part[slice(*match.span("text"))]
            yield Link(
                at, start + match.end(), page.line_of(at), target.strip(), group == "wiki", _utf8(shown).strip(), start + low,
                start + high, group == "angled",
            )


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


def destination(path: str, *, angled: bool = False) -> str:
    """A path as the target of a link, so that Markdown and `Link.path` read it back."""
    if angled:
        return destination(path) if _ODD.search(path) else path.replace("\\", "\\\\")
    if not _SPELLED.search(path):
        return path
    from urllib.parse import quote

    return quote(path, safe="/!&'+,;=:@~", errors="surrogateescape")


def anchor_of(title: str) -> str:
    """What a heading is linked by, in a form to compare: in lower case, and a single `-` for all that parts words."""
    if "](" in title:
        title = _LINKED.sub(r"\1", title)
    return _PARTED.sub("-", _DROPPED.sub("", title.strip().lower())).strip("-")


def there(tree: Tree, path: str) -> bool:
    """Whether something is at a path, behind a link too."""
    kind = tree.kind(path)
    if kind == "link":
        try:
            kind = tree.kind(tree.resolve(path))
        except StoreError:
            return False
    return kind != "none"


# Every run has an end, so that a text of nothing but beginnings takes no longer than another. Around an image only the end of a
# link is looked for: its beginning went with the image's.
# Text is read a byte at a time here: of some letters a byte would be white space, were it not for re.ASCII.
_TARGET = (
    r"(?:<(?P<angled>(?:[^<>\n\\]|\\.){1,500}+)>|(?P<to>(?:[^()\s<>\\]|\\[^\s]|\([^()\s<>]{0,100}+\)){1,500}+))"
    r"(?:\s{1,8}(?:\"[^\"]{0,200}\"|'[^']{0,200}'))?[ \t]{0,8}"
)
_LINK = lazy(
    r"\[\[(?P<wiki>[^\[\]|\n]{1,300}+)(?:\|(?P<shown>[^\[\]\n]{0,300}+))?\]\]"
    r"|(?:!?\[(?P<text>(?:[^\[\]\\]|\\.|(?<!!)\[[^\[\]]{0,100}+\]){0,300}+)|(?<=\)))\]\([ \t]{0,8}" + _TARGET + r"\)", re.ASCII
)
_DEFINED = lazy(
    r"[ \t]{0,3}+\[(?:[^\[\]\\]|\\.){1,999}+\]:[ \t]*+(?:\r?\n[ \t>]*+)?"
    r"(?:<(?P<angled>[^<>\n]{1,500}+)>|(?P<to>[^\s<]\S{0,500}+))", re.ASCII
)
_SPELLED = lazy(r"[\s()<>*{}$|%#?\\\x00-\x1f\x7f\udc80-\udcff]")
_ODD = lazy(r"[<>*{}$|%#?\x00-\x1f\x7f]|:[0-9]+(?:-[0-9]+)?\Z")  # what must be encoded in angle brackets too
_LINKED = lazy(r"!?\[([^\[\]]{0,300}+)\]\([^()\s]{0,500}+\)")
_DROPPED = lazy(r"[^\w\s-]+")
_PARTED = lazy(r"[\s-]+")
_ESCAPED = lazy(r"\\([!-/:-@\[-`{-~])")
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


class _Spans:
    """Offsets of a document that are passed over: spans that don't overlap, and front matter."""

    def __init__(self, document: Document, spans: Iterable[tuple[int, int]]) -> None:
        self._spans = list(spans)
        self._starts = [start for start, _ in self._spans]
        self._front = document.page.front[1] if document.page.front else 0

    def __contains__(self, offset: int) -> bool:
        near = bisect_right(self._starts, offset) - 1
        return offset < self._front or (near >= 0 and offset < self._spans[near][1])


def _utf8(text: str) -> str:
    return text.encode("latin-1", "replace").decode("utf-8", "replace")
