"""What a prune session came to, as Markdown: fit for a pull request's comment, and for the screen that ends it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memdesk.core.prune.ending import freed_words
from memdesk.core.prune.proposal import KINDS
from memdesk.tui.inert import cell, literal

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memdesk.core.prune.ending import Ending
    from memdesk.core.prune.session import Verdict


def markdown(done: Ending) -> str:
    """The counts, what was freed by file, then every verdict by kind. Titles are masked already, and stand as plain words."""
    days = done.began if done.began == done.ended else f"{done.began} to {done.ended}"
    lines = [f"# Prune session, {days}", ""]
    counts = (("accepted", done.accepted), ("rejected", done.rejected), ("snoozed", done.snoozed))
    lines += [f"- {said}: {len(some)}" for said, some in counts]
    lines += [f"- left for the next: {done.left}", f"- {freed_words(done.freed)}", ""]
    if done.frees:
        lines += ["| file | tokens freed |", "| --- | ---: |"]
        lines += [f"| {_plain(path)} | {freed} |" for path, freed in done.frees.items()]
        lines.append("")
    for said, some in counts:
        if some:
            lines += [f"## {said.capitalize()}", "", *_listed(some), ""]
    return "\n".join(lines).rstrip("\n") + "\n"


def _listed(some: Sequence[Verdict]) -> list[str]:
    kinds: dict[str, list[Verdict]] = {}
    for verdict in some:
        kinds.setdefault(verdict.kind, []).append(verdict)
    order = {kind: at for at, kind in enumerate(KINDS)}
    return [
        f"- {KINDS.get(kind, _plain(kind))}: {_plain(verdict.title)}" + (f" (until {verdict.until})" if verdict.until else "")
        for kind in sorted(kinds, key=lambda kind: order.get(kind, len(order))) for verdict in kinds[kind]
    ]


def _plain(value: str) -> str:
    return literal(cell(value))
