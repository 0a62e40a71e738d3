"""One fact a file: what its front matter and its text say, the reason for it, and where its links lead."""

from __future__ import annotations

import posixpath
import re
from bisect import bisect_left

from memdesk.core.errors import MemdeskError
from memdesk.core.layouts.tiers.spelling import target_of, unescaped
from memdesk.core.layouts.texts import flat
from memdesk.core.lean import TYPE_CHECKING, NamedTuple
from memdesk.core.patterns import lazy
from memdesk.core.strikes import mask_code

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

    from memdesk.core.markdown import Page
    from memdesk.core.model import Document, Store, Workspace


class Fact(NamedTuple):
    """What a fact says. `name`: that of its front matter, else its title, else its file's. `body`: its text below the front
    matter, LF endings, without outer blank lines. Fields that are not there are "" or ()."""

    name: str
    description: str
    type: str
    tags: tuple[str, ...]
    owner: str
    updated: str
    review_by: str
    links: tuple[str, ...]
    body: str


class Link(NamedTuple):
    """A link in a document's text. `start` and `end` are its byte span, brackets included; `line` is 1-based. `target` is the
    path or name that it means; `wiki`: `[[name]]`. `text` is what is shown for it."""

    start: int
    end: int
    line: int
    target: str
    wiki: bool
    text: str


def fact_of(document: Document) -> Fact:
    """What a fact says, as far as it can be read: what is wrong with its front matter is left out."""
    page = document.page
    said = front_of(page)
    body = text_below(document)
    name = flat(_text(said.get("name"))) or title_of(document) or stem(document.path)
    return Fact(
        name, flat(_text(said.get("description"))), flat(_text(said.get("type"))), _list(said.get("tags")),
        flat(_text(said.get("owner"))), flat(_text(said.get("updated"))), flat(_text(said.get("review_by"))),
        _list(said.get("links")), body,
    )


def why_of(document: Document) -> str:
    """The reason that a fact gives: what stands under a heading or label that says so, else the first sentence that does; ""
    for none."""
    page = document.page
    for index, block in enumerate(page.blocks):
        if block.kind == "heading" and _WHY_HEADING.fullmatch(page.title(block).strip()):
            below = [one for one in page.blocks[index + 1 :] if one.kind == "heading" and one.level <= block.level]
            end = below[0].start if below else len(page.data)
            text = page.data[block.end : end].decode("utf-8", "replace").replace("\r\n", "\n").strip()
            if text:
                return text
    body = text_below(document)
    label = _WHY_LABEL.search(body)
    if label:
        return label[1].strip()
    sentence = _BECAUSE.search(flat(mask_code(body)))
    return sentence[0].strip() if sentence else ""


def links(document: Document) -> list[Link]:
    """The links of a document's text to files here, in order; what stands in code, comments and front matter is none."""
    page = document.page
    text = masked(page)
    found = []
    for match in _LINK.finditer(text):
        if match["wiki"] is not None:
            target = _utf8(match["wiki"]).strip()
            shown = _utf8(match["as"] or match["wiki"]).strip()
        else:
            spelled = match["angle"] if match["angle"] is not None else match["plain"] or match["to"] or ""
            target = target_of(_utf8(spelled))
            shown = flat(unescaped(_utf8(match["text"] or match["ref"] or "")))
        if target:
            found.append(Link(match.start(), match.end(), page.line_of(match.start()), target, match["wiki"] is not None, shown))
    return found


def resolve(workspace: Workspace, store: Store, document: Document, link: Link) -> str | None:
    """The workspace-relative path that a link leads to, or None where there is nothing: a relative one from the document's
    folder (or, failing that, from the store's), a `[[name]]` to the fact of that file name or name."""
    return Targets(workspace, store).of(document.path, link.target, link.wiki)


class Targets:
    """What links of a store can lead to; made once for many of them."""

    def __init__(self, workspace: Workspace, store: Store) -> None:
        self.workspace = workspace
        self.store = store
        self._stems: dict[str, str] | None = None
        self._names: dict[str, str] | None = None

    def of(self, path: str, target: str, wiki: bool) -> str | None:
        """The path that a target in the file at `path` leads to, or None."""
        if wiki:
            return self._wiki(path, target)
        return self._relative(path, target)

    def _relative(self, path: str, target: str) -> str | None:
        folders = [posixpath.dirname(path), "" if self.store.path == "." else self.store.path, ""]
        for folder in folders[-1:] if target.startswith("/") else folders:
            whole = posixpath.normpath(posixpath.join(folder, target.lstrip("/")))
            if whole == "." or whole.startswith("../") or whole == "..":
                continue
            if whole in self.workspace.documents or self.workspace.tree.kind(whole) in ("file", "folder", "link"):
                return whole
        return None

    def _wiki(self, path: str, name: str) -> str | None:
        name = name.removesuffix(".md")
        if "/" in name:
            return self._relative(path, name + ".md") or self._wiki(path, name.rpartition("/")[2])
        if self._stems is None:
            self._stems = _by(self._documents(), lambda document: [stem(document.path)])
        found = self._stems.get(name) or self._stems.get(name.casefold())
        if found is None:
            if self._names is None:
                facts = (document for document in self._documents() if document.place.role == "fact")
                self._names = _by(facts, lambda document: [fact_of(document).name, title_of(document)])
            found = self._names.get(name) or self._names.get(name.casefold())
        return found

    def _documents(self) -> list[Document]:
        """Those of the store, the facts first, what is archived last."""
        order = {"fact": 0, "archive": 2}
        return sorted(self.workspace.documents_of(self.store), key=lambda one: (order.get(one.place.role, 1), one.path))


def stem(path: str) -> str:
    """A file's name without ending."""
    return path.rpartition("/")[2].removesuffix(".md")


def title_of(document: Document) -> str:
    """A document's first level-1 title; "" for none."""
    page = document.page
    first = next((block for block in page.blocks if block.kind == "heading" and block.level == 1 and not block.depth), None)
    return "" if first is None else flat(page.title(first))


def front_of(page: Page) -> Mapping[str, Any]:
    """The fields of a page's front matter; {} where there is none that can be read."""
    from memdesk.core import frontmatter

    if page.front is None:
        return {}
    try:
        return frontmatter.read(page)
    except MemdeskError:
        return {}
    except Exception as error:  # what a YAML library says of a broken block is none of a reader's business
        if type(error).__module__.partition(".")[0] == "yaml":
            return {}
        raise


def text_below(document: Document) -> str:
    """A document's text without its front matter, LF endings, without outer blank lines."""
    from memdesk.core.model import plain

    page = document.page
    return plain(page.data[page.front[1] if page.front else page.bom :])


def masked(page: Page) -> str:
    """A page's text (latin-1, as `Page.text`) with front matter, code, HTML and comments blanked, of the same length."""
    text = page.text
    spans = [(block.start, block.end) for block in page.blocks if block.kind in ("fence", "code", "html")]
    if page.front is not None:
        spans.insert(0, page.front)
    out: list[str] = []
    done = 0
    for start, end in sorted(spans):
        if end > done:
            start = max(start, done)
            out += (text[done:start], _BLANK.sub(" ", text[start:end]))
            done = end
    out.append(text[done:])
    text = mask_code("".join(out))
    at = text.find("<!--")
    while at >= 0:
        end = text.find("-->", at)
        end = len(text) if end < 0 else end + 3
        text = text[:at] + _BLANK.sub(" ", text[at:end]) + text[end:]
        at = text.find("<!--", end)
    return text


_BLANK = lazy(r"[^\r\n]")
_LINK = lazy(
    r"(?<!\\)!?\[\[(?P<wiki>[^\[\]|#\r\n]{1,300}+)(?:#[^\[\]|\r\n]{0,300}+)?(?:\|(?P<as>[^\[\]\r\n]{0,300}+))?\]\](?!\()"
    r"|(?<![!\\])\[(?P<text>(?:[^\[\]\\]{1,200}+|\\.|\[[^\[\]\n]{0,200}+\]){0,12}+)\]\([ \t\r\n]*"
    r"(?:<(?P<angle>[^<>\r\n]{0,500}+)>|(?P<plain>(?:[^ \t\r\n()<>\\]{1,300}+|\\.|\([^ \t\r\n()]{0,200}+\)){1,12}+))"
    r"(?:[ \t\r\n]+(?:\"[^\"]{0,300}+\"|'[^']{0,300}+'|\([^()]{0,300}+\)))?[ \t\r\n]*\)"
    r"|^ {0,3}\[(?P<ref>[^\[\]\r\n^][^\[\]\r\n]{0,200}+)\]:[ \t]*<?(?P<to>[^ \t\r\n<>]{1,500}+)>?[ \t\r]*(?=[\"'(\n]|\Z)",
    re.MULTILINE,
)
_WHY_HEADING = lazy(r"(?:the )?(?:why|reasons?|reasoning|rationale|because|motivation)[ :?.]*", re.IGNORECASE)
_WHY_LABEL = lazy(
    r"^[ \t]*(?:[-*+][ \t]+)?(?:\*\*|__)?(?:the )?(?:why|reasons?|reasoning|rationale)(?:\*\*|__)?:(?:\*\*|__)?[ \t]*"
    r"([^\n]*(?:\n[ \t]*[^\s][^\n]*)*)", re.IGNORECASE | re.MULTILINE,
)
_BECAUSE = lazy(r"[^.!?]{0,400}\b(?:because|since|so that|in order to|due to|as otherwise)\b[^.!?]{0,400}[.!?]?", re.IGNORECASE)


def _by(documents: Iterable[Document], names: Any) -> dict[str, str]:
    """Name -> path, the first of a name; in lower case too, where nothing is called so exactly."""
    found: dict[str, str] = {}
    folded: dict[str, str] = {}
    for document in documents:
        for name in names(document):
            if name:
                found.setdefault(name, document.path)
                folded.setdefault(name.casefold(), document.path)
    return {**folded, **found}


def _utf8(text: str) -> str:
    return text.encode("latin-1").decode("utf-8", "replace")


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _list(value: Any) -> tuple[str, ...]:
    """A list of texts; one that is written as a text is split at its commas."""
    if isinstance(value, str):
        return tuple(part.strip() for part in value.split(",") if part.strip())
    if isinstance(value, list):
        return tuple(flat(part) for part in value if isinstance(part, str) and part.strip())
    return ()
