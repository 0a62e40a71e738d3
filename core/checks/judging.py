"""What people dismissed, for the rules that report conflicts: a finding that a person gave a reason for is quiet, in CI too,
for as long as its texts stay what they were. Each rule says how many it left out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from memdesk.core.lean import TYPE_CHECKING

if TYPE_CHECKING:
    from memdesk.core.checks.rule import CheckContext
    from memdesk.core.conflicts import Conflict
    from memdesk.core.judgments import Judgment


class Judged:
    """The judgments for one rule in one store, and how many of its conflicts they dismissed."""

    def __init__(self, judgments: list[Judgment]) -> None:
        self._known = {(one.kind, one.digests) for one in judgments if one.verdict == "dismissed"}
        self._kinds = {one.kind for one in judgments}
        self.dismissed = 0

    def left(self, found: Iterable[Conflict]) -> Iterator[Conflict]:
        """Those that nobody dismissed."""
        for clash in found:
            if clash.subject in self._kinds and (clash.subject, clash.digests) in self._known:
                self.dismissed += 1
            else:
                yield clash

    def said(self) -> str:
        """How many were dismissed, for the rule's line of the report; "" for none."""
        return f"{self.dismissed} dismissed" if self.dismissed else ""


def of(context: CheckContext) -> Judged:
    """Those of the workspace that is checked; of a staged one its index's. A file that can't be read is a failure of the
    check, and nothing counts as dismissed."""
    known: list[Judgment] | None = context.shared.get("judgments")
    if known is None:
        from memdesk.core.judgments import held

        known, fault = held(context.workspace.tree)
        context.shared["judgments"] = known
        if fault is not None:
            context.shared.setdefault("failures", []).append(str(fault))
    return Judged(known)
