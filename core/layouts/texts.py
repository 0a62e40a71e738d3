"""How the texts of entries are read off their blocks and put into lines again; what every layout shares."""

from __future__ import annotations

import re

from memdesk.core.lean import TYPE_CHECKING
from memdesk.core.patterns import lazy

if TYPE_CHECKING:
    from collections.abc import Iterable

    from memdesk.core.markdown import Block
    from memdesk.core.model import Document, Entry

HEADING_WIDTH = 80  # characters that stand for an entry without a heading
TITLE_WIDTH = 72  # characters of a title that is taken from a text


def one_line(document: Document, block: Block) -> str:
    """A heading's text, or an item's first content, on one line."""
    start, end = block.inner
    return " ".join(document.data[start:end].decode("utf-8", "replace").split())


def item_text(document: Document, block: Block) -> str:
    """An item's text without its marker, LF endings, continuation lines without the item's indentation."""
    if block.line == block.end_line:
        return document.data[block.inner[0] : block.end].decode("utf-8", "replace").rstrip()
    raw = document.data[block.start : block.end].decode("utf-8", "replace").replace("\r\n", "\n").rstrip()
    width = max(block.inner[0] - block.start, 0)
    if b"\n" in document.data[block.start : block.inner[0]]:  # the marker stands alone on its line
        width = len(raw) - len(raw.lstrip()) + len(block.marker) + 1
    first, newline, rest = raw.partition("\n")
    first = first[width:]
    if not newline:
        return first
    return "\n".join([first, *(line[min(width, len(line) - len(line.lstrip(" "))) :] for line in rest.split("\n"))]).strip("\n")


def bullet(text: str, marker: str = "-") -> str:
    """A text as one bullet: later lines are indented as its continuation, blank ones stay blank."""
    first, *rest = text.strip("\n").split("\n")
    pad = " " * (len(marker) + 1)
    return "\n".join([f"{marker} {first}", *(pad + line if line.strip() else "" for line in rest)])


def dedented(text: str) -> str:
    """What a bullet says: its text without the marker, continuation lines moved left by the marker's width."""
    match = _MARKER.match(text)
    if match is None:
        return text
    width = len(match[0]) if len(match[1]) <= 4 else len(match[0]) - len(match[1]) + 1
    first, *rest = text.split("\n")
    return "\n".join([first[width:].strip(), *(_moved(row, width) for row in rest)]).strip("\n")


def inside(text: str) -> str:
    """The blanks that put a line into a bullet of this text."""
    match = _MARKER.match(text)
    if match is None:
        return "  "
    marker = match[0][: len(match[0]) - len(match[1])]
    width = len(match[0].expandtabs(4))
    return " " * (width if 1 <= width - len(marker) <= 4 else len(marker) + 1)


def title_of(text: str) -> str:
    """A title taken from a text: its first sentence or line, cut within TITLE_WIDTH characters, at a comma, semicolon or
    colon in its second half where there is one, else at a word."""
    first = next((part.strip() for part in text.split("\n") if part.strip()), "")
    first = re.sub(r"\A(?:#{1,6}|>|[-*+]|\d+[.)])\s+", "", first)
    sentence_end = _SENTENCE.split(first, maxsplit=1)[0]
    title = sentence_end if len(sentence_end) >= 8 else first
    if len(title) > TITLE_WIDTH:
        cut = title[: TITLE_WIDTH + 1].rsplit(" ", 1)[0] if " " in title[: TITLE_WIDTH + 1] else title[:TITLE_WIDTH]
        clause = max(cut.rfind(mark, TITLE_WIDTH // 2) for mark in (", ", "; ", ": "))
        title = cut[: clause if clause > 0 else None].rstrip(" ,;:-–—")
        if title.count("`") % 2:
            title = title.replace("`", "")
    return re.sub(r"(?<!\.)[.:;,]\Z", "", title)


def shown(text: str, most: int = HEADING_WIDTH) -> str:
    """A text on one line, cut for a message at `most` characters; values are masked before they could be cut in two."""
    text = flat(text)
    if len(text) <= most:
        return text
    from memdesk.core.checks.secrets import mask

    text = mask(text)
    return text if len(text) <= most else text[: most - 1] + "…"


def titled(entry: Entry, most: int = HEADING_WIDTH) -> str:
    """An entry's title for a message, on one line. Of one that is named by its first line, what the cut goes through is masked
    too."""
    own = entry.fields.get("title")
    if own or len(entry.heading) < HEADING_WIDTH:
        return shown(own or entry.heading, most)
    from memdesk.core.checks.secrets import heading

    return shown(heading(entry), most)


def flat(text: str) -> str:
    """A text on one line."""
    return " ".join(text.split())


def named(places: Iterable[str], most: int = 8) -> str:
    """Places for a message, each once, and how many more there are."""
    several = list(dict.fromkeys(places))
    more = f" and {len(several) - most} more" if len(several) > most else ""
    return ", ".join(several[:most]) + more


def to_avoid(listed: str) -> list[str]:
    """The words that a term of a glossary says to avoid, from what stands behind the label: each as it is written, without
    what is said about it in brackets."""
    parts = (part.strip().strip("*_`\"'\u201c\u201d.").strip() for part in _LIST.split(_ASIDE.sub(" ", listed)))
    return [part for part in parts if any(char.isalnum() for char in part)]


def sentence(text: str) -> str:
    """A text that ends in a full stop, or in what stands for one."""
    text = text.strip()
    return text if not text or _END.search(text) else f"{text}."


def ends_in_block(text: str) -> bool:
    """Whether a text's last line is such that words put behind it would not be its paragraph's."""
    rows = text.rstrip().split("\n")
    if len(rows) == 1:
        return False
    return _BLOCK.match(rows[-1]) is not None


_ASIDE = lazy(r"\([^()\n]{0,500}+\)")
_LIST = lazy(r"[,;/]|\s(?:and|or)\s")
_END = lazy(r"[.!?…。！？](?:[\"')\]”’»`*_]*)\Z")
_BLOCK = lazy(r"\s*(?:```|~~~|[-*+]\s|\d+[.)]\s|>|\||#| {4})")
_MARKER = lazy(r" {0,3}(?:[-*+]|\d{1,9}[.)])([ \t]*)")
_SENTENCE = lazy(r"(?<=[.!?])\s")


def _moved(row: str, width: int) -> str:
    column = index = 0
    while index < len(row) and column < width and row[index] in " \t":
        column += 4 - column % 4 if row[index] == "\t" else 1
        index += 1
    return " " * max(0, column - width) + row[index:]
