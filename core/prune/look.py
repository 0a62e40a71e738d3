"""What every family of proposals looks at, and how it says what it found."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from memdesk.core import conflicts, layouts
from memdesk.core.checks.secrets import heading, mask
from memdesk.core.layouts.texts import HEADING_WIDTH
from memdesk.core.patterns import lazy
from memdesk.core.plan import Request
from memdesk.core.prune.proposal import EXACT, KINDS, Proposal

if TYPE_CHECKING:
    from datetime import date

    from memdesk.core.config import Settings
    from memdesk.core.conflicts import Conflict, Titles
    from memdesk.core.judgments import Judgment
    from memdesk.core.model import Document, Entry, Store, Workspace

Progress = Callable[[str, int, int], None]
REASON = 200  # characters of a reason that is written


class Stopped(Exception):
    """A scan that was called off; what was found until then stands."""


class Look:
    """One scan of a workspace. `left`: what could not be compared, on one line each; `judged`: how many sets are smaller, as a
    person rejected some of it before. Every family takes its documents from `documents`, one after the other: that is where
    progress is told, and where a scan that was called off ends."""

    def __init__(
        self, workspace: Workspace, settings: Settings, today: date, *, stores: Sequence[Store] | None = None,
        touched: Callable[[str], date | None] | None = None, judgments: Sequence[Judgment] = (),
        progress: Progress | None = None, stopped: Callable[[], bool] | None = None,
    ) -> None:
        self.workspace = workspace
        self.settings = settings
        self.today = today
        self.touched = touched
        self.left: list[str] = []
        self.titles: Titles = {}
        self.judged = 0
        self._refused = [one for one in judgments if one.verdict == "refused"]
        self._dismissed = {(one.kind, one.digests) for one in judgments if one.verdict == "dismissed"}
        self._progress = progress
        self._stopped = stopped
        self.stores: list[Store] = []
        self._documents: dict[int, list[Document]] = {}
        for store in workspace.stores if stores is None else stores:
            if store.read_only or store.fault is not None:
                why = str(store.fault) if store.fault is not None else store.read_only or ""
                self.left.append(f"{store.path}: nothing is proposed in this store. {why}")
                continue
            self.stores.append(store)
            documents = workspace.documents_of(store)
            self._documents[id(store)] = [document for document in documents if document.problem is None]
            self.left += [
                f"{document.path}: {document.problem.message.rstrip('.')}; nothing is proposed in it."
                for document in documents if document.problem is not None
            ]
        self._total = sum(map(len, self._documents.values()))

    def documents(self, kind: str) -> Iterator[Document]:
        """Every document that can be changed, archives and logs too, store by store. Raises Stopped."""
        done = 0
        for store in self.stores:
            for document in self._documents[id(store)]:
                self.turn(kind, done, self._total)
                yield document
                done += 1
        self.turn(kind, done, self._total)

    def spoken(self, kind: str) -> Iterator[Document]:
        """Those that state something themselves: no index, log or archive. Raises Stopped."""
        return (document for document in self.documents(kind) if document.place.tier not in conflicts.QUIET_TIERS)

    def of(self, store: Store) -> list[Document]:
        """The documents of one store that can be changed."""
        return self._documents[id(store)]

    def turn(self, kind: str, done: int, total: int) -> None:
        """Tells how far a family is. Raises Stopped."""
        if self._stopped is not None and self._stopped():
            raise Stopped
        if self._progress is not None:
            self._progress(KINDS.get(kind, kind), done, total)

    def called_off(self) -> bool:
        """Whether a person called the scan off."""
        return self._stopped is not None and self._stopped()

    def dismissed(self, clash: Conflict) -> bool:
        """Whether a person said of this conflict that all its sides stand."""
        return bool(self._dismissed) and (clash.subject, clash.digests) in self._dismissed

    def refused(self, kind: str) -> frozenset[str]:
        """The digests of all texts of which a person rejected proposals of that kind."""
        return frozenset(digest for one in self._refused if one.kind == f"proposal:{kind}" for digest in one.digests)

    def propose(
        self, kind: str, going: Sequence[Entry], evidence: Iterable[str], *, beside: Sequence[Entry] = (), title: str = "",
        reason: str = "", verb: str = "", exact: bool | None = None,
    ) -> Iterator[Proposal]:
        """Proposals that these entries of one store go, by the verb that their layout has for it; one for each verb where they
        have several, none for those that can't. `beside`: the entries that it rests on."""
        by_verb: dict[str, list[Entry]] = {}
        for entry in going:
            by_verb.setdefault(verb or layouts.get(entry.layout).leaves(entry), []).append(entry)
        for chosen, entries in by_verb.items():
            if chosen:
                words = {"reason": plainly(reason)} if reason else {}
                request = Request(chosen, tuple(entry.id for entry in entries), words)
                yield made(kind, entries, beside, request, title, evidence, exact)


def made(
    kind: str, changed: Sequence[Entry], beside: Sequence[Entry], request: Request, title: str, evidence: Iterable[str],
    exact: bool | None = None,
) -> Proposal:
    """A proposal, its title (the first entry's where none is given) and evidence masked, each on one line."""
    entries = (*changed, *beside)
    named = _flat(mask(title)) if title else name(entries[0])
    sure = kind in EXACT if exact is None else exact
    told = tuple(_flat(mask(line)) for line in evidence)
    return Proposal(kind, sure, named, told, entries, len(changed), request, entries[0].document.store)


def answers(entry: Entry, candidate: Entry) -> bool:
    """Whether an entry, if it says the same, is all that a candidate asks for: in its scope, and as what it is to be."""
    area = candidate.fields.get("area", "")
    wanted = f"area:{area}".casefold() if area else conflicts.scope_of(candidate)
    return conflicts.scope_of(entry) in ("", wanted) and fits(entry, candidate)


def fits(entry: Entry, candidate: Entry) -> bool:
    """Whether an entry is of the kind that a candidate is to be."""
    kind = candidate.fields.get("for", "")
    rank = layouts.get(entry.layout).rank(entry)
    return not kind or kind == _KIND_FOR.get(rank, rank)


def name(entry: Entry) -> str:
    """What an entry is called on one line, masked."""
    own = entry.fields.get("title")
    cut = "" if own or len(entry.heading) < HEADING_WIDTH else "…"
    return _flat(mask(own) if own else heading(entry)) + cut


def place(entry: Entry, line: int | None = None) -> str:
    """Where an entry stands, as `docs/memory/decisions.md:3`."""
    return f"{entry.path}:{line or entry.line}"


def spot(entry: Entry) -> str:
    """Where an entry stands and what it is called, for evidence."""
    return f"{place(entry)}: {name(entry)}"


def plainly(text: str) -> str:
    """A reason as it can be written into any form: masked, on one line, without signs that Markdown reads."""
    said = " ".join(_SIGNS.sub("", mask(text)).split())
    said = said[:1].upper() + said[1:]
    return said if len(said) <= REASON else said[: REASON - 1].rsplit(" ", 1)[0] + "…"


def ago(days: int) -> str:
    """A number of days, in words."""
    return f"{days} {'day' if days == 1 else 'days'}"


def plural(number: int, one: str, several: str) -> str:
    return f"{number} {one if number == 1 else several}"


_KIND_FOR = {"record": "adr"}  # rank -> the kind of a candidate for it, where that is called differently
_SIGNS = lazy(r"[`~<>*_\[\]|\\#\x00-\x1f\x7f]|\ufeff")


def _flat(text: str) -> str:
    return " ".join(text.split())
