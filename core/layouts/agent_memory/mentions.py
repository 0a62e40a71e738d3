"""What has to follow a file that moves: links, and the paths that the index names in its rows, in a link or not."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from memdesk.core.layouts.agent_memory import links
from memdesk.core.links import Link, every

if TYPE_CHECKING:
    from memdesk.core.layouts.agent_memory.lint import Lint
    from memdesk.core.model import Document


def mentions(document: Document) -> Iterable[tuple[Link, bool]]:
    """The links of a document as it is rendered, and whether each is struck; of the index the paths of its rows too."""
    lint: Lint = document.store.settings
    rendered = [(link, struck) for link, struck in every(document) if not link.wiki]
    if document.path != document.store.join(lint.index_file):
        return rendered
    known = {link.low for link, _ in rendered}
    starts = [0, *(at + 1 for at, byte in enumerate(document.data) if byte == 0x0A)]
    rows = document.data.decode("utf-8", "surrogateescape").split("\n")
    for named in links.links("\n".join(rows)):
        low = starts[named.line - 1] + len(_raw(rows[named.line - 1][: named.at]))
        high = low + len(_raw(named.path))
        if low not in known:
            rendered.append((Link(low, high, named.line, named.path, False, named.path, low, high), False))
    return rendered


def _raw(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")
