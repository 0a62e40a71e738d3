"""What is proposed over workspaces in memory, each proposal drawn: none may be refused."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import date
from typing import NamedTuple

from memdesk.core import config
from memdesk.core.judgments import Judgment
from memdesk.core.model import Workspace
from memdesk.core.prune.drawn import Drawn, draw
from memdesk.core.prune.proposal import Proposal
from memdesk.core.prune.scan import Scan, scan
from tests.support.sources import over

TODAY = date(2026, 11, 30)


class Found(NamedTuple):
    """A proposal with what it would come to."""

    proposal: Proposal
    drawn: Drawn

    @property
    def verb(self) -> str:
        return self.proposal.request.verb

    @property
    def places(self) -> list[str]:
        """File name and line of each entry that it changes."""
        changed = self.proposal.entries[: self.proposal.changes]
        return [f"{entry.path.rpartition('/')[2]}:{entry.line}" for entry in changed]

    def after(self, path: str) -> str:
        """A file's text after it; "" for one that goes."""
        assert self.drawn.plan is not None
        step = next(step for step in self.drawn.plan.steps if step.path.endswith(path))
        return (step.after or b"").decode()

    @property
    def diff(self) -> str:
        return "".join(diff for _, diff in self.drawn.diff)


def scanned(
    workspace: Workspace, *, touched: Callable[[str], date | None] | None = None, judgments: Sequence[Judgment] = (),
    near: bool = False, today: date = TODAY,
) -> Scan:
    return scan(workspace, config.defaults(), today, touched=touched, judgments=judgments, near=near)


def proposed(
    kind: str, *parts: Mapping[str, str], touched: Callable[[str], date | None] | None = None, near: bool = False
) -> list[Found]:
    """The proposals of one kind over these files; that none of any kind is refused is made sure of."""
    workspace = over(*parts)
    every = scanned(workspace, touched=touched, near=near).proposals
    found = [Found(one, draw(workspace, one, TODAY, "09:00")) for one in every]
    assert [(one.proposal.kind, one.places, one.drawn.refused) for one in found if one.drawn.refused] == []
    return [one for one in found if one.proposal.kind == kind]


def shown(found: Sequence[Found]) -> list[tuple[str, list[str]]]:
    return [(one.verb, one.places) for one in found]
