"""Judgments: people's lasting answers to findings, conflicts and proposals, in a tracked file that clones and CI see.

Each is keyed by the digests of the texts that it is about, so that it ends by itself when one of them changes. Writing
goes through a plan: `appended` gives the file's new bytes, in which only the end differs.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from memdesk.core import tracked
from memdesk.core.errors import StoreError
from memdesk.core.lean import TYPE_CHECKING, NamedTuple
from memdesk.core.tracked import MEND, quoted

if TYPE_CHECKING:
    from typing import Any

    from memdesk.core.tree import Tree

PATH = ".memdesk/judgments.toml"
VERDICTS = ("dismissed", "refused")

_HEADER = "# What people decided for good about findings, conflicts and proposals of memdesk. Each entry holds until\n" \
    "# one of the texts that it is about changes. Entries may be removed by hand.\n"


class Judgment(NamedTuple):
    """One answer. `kind`: what was judged ("conflict", "proposal", or the rule's name); `verdict`: "dismissed" or "refused".

    `digests`: of the texts that it is about, sorted. `date`: YYYY-MM-DD. `line`: where it stands in the file, else None.
    """

    verdict: str
    kind: str
    digests: tuple[str, ...]
    reason: str
    by: str
    date: str
    line: int | None = None


def digest(text: str) -> str:
    """What a judgment knows a text by: sha256 in hex of the entry's text (`Entry.text`: LF endings, outer blank lines off)."""
    from hashlib import sha256

    return sha256(text.encode("utf-8", "surrogateescape")).hexdigest()


def find(judgments: Iterable[Judgment], kind: str, digests: Iterable[str]) -> Judgment | None:
    """The newest judgment of that kind about exactly these texts."""
    wanted = tuple(sorted(digests))
    found = None
    for judgment in judgments:
        if judgment.kind == kind and judgment.digests == wanted:
            found = judgment
    return found


def read(tree: Tree) -> list[Judgment]:
    """All judgments, in the file's order; none without the file. Raises StoreError naming the line of a broken one. The same
    bytes are parsed once, since each conflict asks."""
    if tree.kind(PATH) == "none":
        return []
    return list(_parsed(tree.read(PATH)))


def held(tree: Tree) -> tuple[list[Judgment], StoreError | None]:
    """The judgments; and, where the file can't be read, none with what is wrong: what they would quiet is told again."""
    try:
        return read(tree), None
    except StoreError as error:
        return [], error


@lru_cache(maxsize=2)
def _parsed(data: bytes) -> tuple[Judgment, ...]:
    return tuple(parse(data))


def parse(data: bytes) -> list[Judgment]:
    """The same from the file's bytes."""
    return [_judgment(item, line) for item, line in tracked.tables(PATH, "judgment", data)]


def appended(data: bytes | None, *judgments: Judgment) -> bytes:
    """The file with more judgments at its end; `data` None: a new file. Raises StoreError for one that is broken."""
    made = [judgment._replace(digests=tuple(sorted(judgment.digests))) for judgment in judgments]
    return tracked.appended(PATH, "judgment", data, _HEADER, list(map(_rows, made)), parse, made)


def _rows(judgment: Judgment) -> list[str]:
    return [
        f"verdict = {quoted(judgment.verdict)}",
        f"kind = {quoted(judgment.kind)}",
        "digests = [" + ", ".join(map(quoted, judgment.digests)) + "]",
        f"reason = {quoted(judgment.reason)}",
        f"by = {quoted(judgment.by)}",
        f"date = {quoted(judgment.date)}",
    ]


def _judgment(item: dict[str, Any], line: int | None) -> Judgment:
    texts: dict[str, str] = {}
    for name in ("verdict", "kind", "reason", "by", "date"):
        value = item.get(name)
        if not isinstance(value, str) or (not value and name != "reason"):
            raise StoreError(f"A judgment needs {name}, a text.", path=PATH, line=line, remedy=MEND)
        texts[name] = value
    if texts["verdict"] not in VERDICTS:
        raise StoreError(
            f"{texts['verdict']!r} is no verdict.", path=PATH, line=line, remedy=f"Known: {', '.join(VERDICTS)}."
        )
    digests = item.get("digests")
    if not isinstance(digests, list) or not digests or not all(_is_digest(one) for one in digests):
        raise StoreError("A judgment needs digests, a list of sha256 in hex.", path=PATH, line=line, remedy=MEND)
    return Judgment(digests=tuple(sorted(digests)), line=line, **texts)


def _is_digest(value: Any) -> bool:
    return isinstance(value, str) and len(value) == 64 and not set(value) - set("0123456789abcdef")
