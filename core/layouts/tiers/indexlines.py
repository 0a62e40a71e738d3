"""The lines of the index: `- [name](facts/name.md): description`, one for each fact."""

from __future__ import annotations

from memdesk.core.layouts.texts import flat
from memdesk.core.layouts.tiers.spelling import target_of, unescaped
from memdesk.core.lean import TYPE_CHECKING, NamedTuple
from memdesk.core.links import Link, destination
from memdesk.core.patterns import lazy

if TYPE_CHECKING:
    from memdesk.core.markdown import Page
    from memdesk.core.model import Document


class IndexLine(NamedTuple):
    """A bullet of the index that begins with a link to a file. `start` and `end` are byte offsets of its whole lines, ending
    included; `line` is 1-based. `target` is the link's as it is meant: without angle brackets, title, anchor, `%20` and
    `./`. `description` is what follows it, on one line; "" for none. `wiki`: it is written `[[target]]`."""

    start: int
    end: int
    line: int
    name: str
    target: str
    description: str
    wiki: bool = False


class Spans(NamedTuple):
    """Where a line says what, in bytes: the name that is shown, the end of the link, the description. What stands between
    the last two parts them; where there is no description, its span begins right behind the link."""

    name: tuple[int, int]
    link_end: int
    description: tuple[int, int]


def lines(document: Document) -> list[IndexLine]:
    """The lines of an index that name facts, in order."""
    return of_page(document.page)


def of_page(page: Page) -> list[IndexLine]:
    """The bullets of a page, also those inside of others, that begin with a link to a file here."""
    found = []
    blocks = page.blocks
    for index, block in enumerate(blocks):
        if block.kind != "item":
            continue
        below = next((at for at in range(index + 1, len(blocks)) if blocks[at].kind == "item"), None)
        nested = below is not None and blocks[below].start < block.end
        end = blocks[below].start if nested and below is not None else block.end
        read = _read(page.data[block.inner[0] : min(end, block.end)].decode("utf-8", "replace"))
        if read is not None:
            found.append(IndexLine(block.start, block.end, block.line, *read))
    return found


def spans(page: Page, at: int) -> Spans:
    """Where the item that is the page's block of that index, one of `lines`, says what."""
    block = page.blocks[at]
    stop = block.end
    for one in page.blocks[at + 1 :]:
        if one.start >= block.end or one.kind == "item":
            stop = min(one.start, block.end)
            break
    text = page.data[block.inner[0] : stop].decode("utf-8", "surrogateescape")
    match = _LINE.match(text)
    assert match is not None
    rest = match["rest"]
    start = match.start("rest") + len(rest) - len(rest.lstrip()) if rest.strip() else match.start("between")
    named = "name" if match["wiki"] is None else "wiki"
    places = (*match.span(named), match.start("between"), start, max(start, len(text.rstrip())))
    name, name_end, link_end, low, high = (
        block.inner[0] + len(text[:place].encode("utf-8", "surrogateescape")) for place in places
    )
    return Spans((name, name_end), link_end, (low, high))


def render(name: str, target: str, description: str) -> str:
    """The index's line for a fact, without its line ending. `target`: the path from the index's folder."""
    shown = "".join("\\" + char if char in "[]\\`<" else char for char in name)
    return f"- [{shown}]({destination(target)}): {description}" if description else f"- [{shown}]({destination(target)})"


def doubled(name: str) -> str:
    """`[[name]]`, where that is read as this name; "" for one that holds a `#`, a bracket or the like."""
    text = f"[[{name}]]"
    read = _read(text)
    return text if read is not None and read[1:] == (name, "", True) and Link(0, 0, 1, name, True, name).path == name else ""


def _read(text: str) -> tuple[str, str, str, bool] | None:
    """Name, target, description and form of an item's text, or None where it does not begin with a link to a file here."""
    match = _LINE.match(text)
    if match is None:
        return None
    wiki, rest = match["wiki"], flat(match["rest"])
    if wiki is not None:
        name = wiki.partition("#")[0].strip()
        return (flat(match["as"] or name), name, rest, True) if name else None
    angle = match["angle"]
    target = target_of(match["plain"] if angle is None else angle)
    return (flat(unescaped(match["name"])), target, rest, False) if target else None


# A link at the start of an item, its checkbox, emphasis and what comes between it and the description aside.
_LINE = lazy(
    r"(?:\[[ xX]\][ \t]+)?(?:\*\*|__)?"
    r"(?:\[\[(?P<wiki>[^\[\]|\n]{1,300}+)(?:\|(?P<as>[^\[\]\n]{0,300}+))?\]\]"
    r"|\[(?P<name>(?:[^\[\]\\\n]|\\.|\[[^\[\]\n]{0,200}+\]){0,300}+)\]"
    r"\([ \t\n]*(?:<(?P<angle>[^<>\n]{0,500}+)>|(?P<plain>(?:[^ \t\r\n()<>\\]|\\.|\([^ \t\r\n()]{0,200}+\)){1,500}+))"
    r"(?:[ \t\r\n]+(?:\"[^\"]{0,300}+\"|'[^']{0,300}+'|\([^()]{0,300}+\)))?[ \t\r\n]*\))(?:\*\*|__)?"
    r"(?P<between>[ \t]*(?:[:|\u2013\u2014]|--?(?=[ \t]))?(?:\*\*|__)?)(?P<rest>[^\0]*)"
)
