"""What the Prune pane knows: the proposals that a scan found, those that were decided, and those that fell away since. Each
reading and each scan is entered; what can be decided is worked out anew."""

from __future__ import annotations

from memdesk.core.prune.ending import freed_words
from memdesk.core.prune.proposal import EXACT
from memdesk.core.prune.session import Session, Verdict
from memdesk.tui import text
from memdesk.tui.panes.history import local
from memdesk.tui.panes.prune_looks import Found, Of, Stand
from memdesk.tui.panes.prune_rows import Case


class Book:
    """`open`: what can be decided. `given`: what was decided in this session, by the proposal's id, oldest first. `fell`: what
    was open and no longer fits, with the reason, until `forget_fallen`."""

    def __init__(self) -> None:
        self.stand: Stand | None = None
        self.found: Found | None = None
        self.open: list[Case] = []
        self.given: dict[str, Case] = {}
        self.fell: dict[str, Case] = {}
        self.stopped = False  # the last scan was
        self._known: dict[str, Case] = {}  # what was found; of what later scans leave out what was decided
        self._own = False  # the judgments are others by what was rejected here

    @property
    def session(self) -> Session:
        return self.stand.session if self.stand is not None else Session()

    @property
    def begun(self) -> str:
        """When the session began, in local time; "" where none has."""
        return local(self.session.begun) if self.session.begun else ""

    @property
    def older(self) -> bool:
        """Whether what was found is older than the files or the judgments."""
        return self.found is not None and self.stand is not None and self.found.of != self.stand.of

    @property
    def of(self) -> Of | None:
        """What the last whole scan looked at."""
        return None if self.found is None else self.found.of

    def rejected(self) -> None:
        """A proposal was: the judgments are others by that alone, which is no reason to look through everything again."""
        self._own = True

    def forget_fallen(self) -> None:
        self.fell.clear()

    def stands(self, now: Stand) -> None:
        """The session, or the files, are others."""
        ended = self.session.id not in ("", now.session.id)
        self.stand = now
        found = self.found
        if found is not None:
            if ended:  # what was decided in it is nothing that fell away
                found = found._replace(cases=tuple(case for case in found.cases if case.ident not in self.given))
            if self._own and found.of[0] is now.of[0]:
                found = found._replace(of=now.of)
            stale = now.stale
            self.fell |= {case.ident: case._replace(stale=stale[case.ident]) for case in found.cases if case.ident in stale}
            self.found = found
        self._own = False
        self._recount()

    def scanned(self, found: Found) -> None:
        """A scan ended. Of one that was stopped nothing counts where something was known before."""
        self.stopped = not found.whole
        if found.whole or self.found is None:
            before = {case.ident: case for case in self.open}
            self.fell |= {ident: before[ident]._replace(stale=why) for ident, why in found.fell.items() if ident in before}
            kept = {ident: case for ident, case in self._known.items() if ident in self.given}
            self.found, self._known = found, kept | {case.ident: case for case in found.cases}
            for case in found.cases:
                self.fell.pop(case.ident, None)  # it is proposed again
        self._recount()

    def _recount(self) -> None:
        self.given = {
            one.proposal: self._known.get(one.proposal, _bare(one))._replace(verdict=one.said, word=_word(one))
            for one in self.session.verdicts
        }
        self.fell = {ident: case for ident, case in self.fell.items() if ident not in self.given}
        found = self.found.cases if self.found is not None else ()
        self.open = [case for case in found if case.ident not in self.given and case.ident not in self.fell]


def _bare(verdict: Verdict) -> Case:
    """A verdict of before, of which no more is known than its words."""
    return Case(verdict.proposal, verdict.kind, text.line(verdict.title), text.line(verdict.store), verdict.kind in EXACT)


def _word(verdict: Verdict) -> str:
    """What else is known of a verdict."""
    if verdict.until:
        return f"until {verdict.until}"
    freed = sum(verdict.frees.values())
    return freed_words(freed) if freed else ""
