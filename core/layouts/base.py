"""What the rest of the program knows of a memory system: one small protocol, all over a Tree.

A layout answers questions and writes into a Draft; it never touches the file system, a clock or a terminal. Adding one
means a folder here, its page in docs/, its tests and a line in `layouts/__init__.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

from memdesk.core.layouts.values import (
    NOTHING,
    Advice,
    Ask,
    Change,
    Content,
    Destination,
    LoadRequest,
    Module,
    Order,
    Outcome,
    Owned,
    Reindexed,
    Renumbered,
    Route,
    RouteFile,
    Said,
    Scope,
    Version,
    Versions,
)
from memdesk.core.lean import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from datetime import date
    from typing import Any

    from memdesk.core.checks.rule import Rule
    from memdesk.core.compacting.form import Found
    from memdesk.core.config import Settings
    from memdesk.core.draft import Draft
    from memdesk.core.gate import Gate
    from memdesk.core.layouts.claims import Definition, Ground
    from memdesk.core.layouts.holding import Locks
    from memdesk.core.links import Link
    from memdesk.core.model import Budget, Document, Entry, NearMiss, Place, Store, Workspace
    from memdesk.core.prune.proposal import Proposal
    from memdesk.core.tree import Tree

__all__ = [
    "Advice", "Ask", "Change", "Content", "Destination", "Layout", "LoadRequest", "Module", "Order", "Outcome", "Owned",
    "Reindexed", "Renumbered", "Route", "RouteFile", "Said", "Scope", "Version", "Versions", "late",
]


class _Late:
    """A method that a function of that name (or `name`) answers, in a module of the layout's own folder, which is imported when
    it is asked: a check of one kind loads nothing that writes."""

    def __init__(self, module: str, name: str = "") -> None:
        self._module, self._name = module, name

    def __set_name__(self, owner: type, name: str) -> None:
        self._module = f"{owner.__module__}.{self._module}"
        self._name = self._name or name

    def __get__(self, layout: Layout | None, owner: type | None = None) -> Any:
        return self if layout is None else getattr(__import__(self._module, fromlist=[self._name]), self._name)


def late(module: str, name: str = "") -> Any:
    """An answer of a layout, as an attribute of its class; see `_Late`. A test holds the function's parameters against those
    of the method here."""
    return _Late(module, name)


class Layout(Protocol):
    """One memory system's rules. A layout inherits from it, and answers only what is not so by default (docs/extending.md)."""

    name: str
    title: str  # for people: "manifest-routed memory"
    verbs: frozenset[str]  # the verbs that it knows; others are refused with its name
    init_path: str  # where `init` makes a store when nobody says: "docs/memory"
    ranks: Mapping[str, str] = {}  # role -> the rank of its entries: see `ranking.RANKS`; a soft note where none is named

    def detect(self, tree: Tree, paths: Sequence[str], settings: Settings) -> tuple[list[Store], list[NearMiss]]:
        """The stores among `paths` (Tree.walk), with settings and reason; near misses with what is missing."""

    def classify(self, store: Store, path: str) -> Place | None:
        """Role, tier and cap of a workspace-relative path, or None: not memory."""

    def entries(self, document: Document) -> list[Entry]:
        """The entries of a document, candidates marked, in source order."""

    def tasks(self, store: Store) -> tuple[str, ...]:
        """The task names that a caller may use, or ("boot",)."""
        return ("boot",)

    def load(self, workspace: Workspace, store: Store, request: LoadRequest) -> Route:
        """The route. Raises UsageError for an unknown task, StoreError for a manifest that cannot be routed."""
        from memdesk.core.layouts import booting

        return booting.load(workspace, store, request)

    def advice(
        self, workspace: Workspace, store: Store, request: LoadRequest, document: Document, settings: Settings
    ) -> Advice | None:
        """The line to change so that a document loads which the route of a request leaves out, or can't be made for; None where
        no line decides. One step: what is said next, once it is done, may be another one."""
        return None

    def room(self, workspace: Workspace, store: Store, path: str, tokens: int) -> Advice | None:
        """The line by which a pack would take that many tokens of a file of the route; None where no budget is set."""
        return None

    def destinations(self, workspace: Workspace, store: Store, entry: Entry | None) -> list[Destination]:
        """Where a candidate, of this store or of another, can go in this one, most usual first, with what each place asks for.
        None: any candidate."""

    def asks(self, store: Store, verb: str, entry: Entry) -> tuple[Ask, ...]:
        """The fields of the other verbs' dialogs for this entry (strike, reject, ...)."""
        from memdesk.core.layouts import usual

        return usual.asks(verb, entry)

    def destination(self, workspace: Workspace, store: Store, to: str, words: Mapping[str, str]) -> Destination:
        """The destination that an id names, new ones included. Raises Refused, with those known, for another."""
        from memdesk.core.layouts import usual

        return usual.destination(self.destinations(workspace, store, None), to)

    def vouched(self, entry: Entry) -> tuple[Ask, ...]:
        """What a person has to answer before this candidate is taken up, wherever it goes."""
        return ()

    def informed(self, workspace: Workspace, verb: str, entry: Entry, asks: tuple[Ask, ...]) -> tuple[Ask, ...]:
        """What `asks` answered, with what only the whole workspace can tell: choices, and what need not be said."""
        return asks

    def said(self, entry: Entry) -> Said:
        """What an entry says, apart from its form."""
        from memdesk.core.layouts import usual

        return usual.said(entry)

    def merged(self, into: Entry, text: str) -> str:
        """The first draft of a merge, for the editor: an entry's text with another worked in."""
        from memdesk.core.layouts import usual

        return usual.merged(into, self.said(into).text, text)

    def grounded(self, into: Entry, text: str, candidates: Sequence[Entry]) -> str:
        """That draft with what the candidates rest on, where entries say it of themselves."""
        return text

    def add(self, draft: Draft, store: Store, content: Content) -> None:
        """A new candidate."""

    def take(self, draft: Draft, store: Store, entries: Sequence[Entry], outcome: Outcome) -> None:
        """The half of an action that removes, strikes in place or marks entries where they are."""

    def put(self, draft: Draft, store: Store, destination: Destination, content: Content) -> None:
        """The half that writes an entry to a destination, new files and their index rows included."""

    def amend(self, draft: Draft, store: Store, entry: Entry, change: Change) -> None:
        """A change of one entry in place. Raises Refused where the layout has another way (and names it)."""

    def rules(self) -> Sequence[Rule]:
        """Its own rules for the check; common ones attach to roles and tiers."""
        return ()

    def guide(self, store: Store) -> str:
        """The standing text for agents: what memory is worth here, how to add and recall, the write rules, the ranking."""
        from memdesk.core.layouts import usual

        return usual.guide(store, self.title, self.tasks(store))

    def template(self, path: str, today: date) -> Mapping[str, bytes]:
        """The files that `init` makes, by workspace-relative path."""

    def fresh(self, workspace: Workspace, path: str, files: Mapping[str, bytes]) -> Mapping[str, bytes]:
        """Those of the template's files that a new store at `path` is to have, beside what the workspace holds already."""
        return files

    # What a layout may have besides.

    marks: tuple[str, ...] = ()  # names of files, beside Markdown ones, that say that a store is here and how it is read
    unseen: tuple[str, ...] = ()  # globs of what comes and goes beside its memory and is none: nothing is read anew for it
    covers: frozenset[str] = frozenset()  # common rules whose work a rule of its own does
    kinds: frozenset[str] = frozenset()  # kinds of new candidates that come here, and no others, where there are more stores
    repeats: frozenset[str] = frozenset()  # roles in which a text may come again: what happened on one day and another
    general: frozenset[str] = frozenset()  # roles that say things in general: an example value there is an error
    standing: str = "memory"  # the kind of line that its packs begin with: see `packing.STANDING`
    by_path: bool = False  # whether the paths that a task touches add to its route
    passing: str = ""  # the id of the destination for what won't last: a "no" to the questions of promoting offers it
    cleared: frozenset[str] = frozenset()  # roles of files that may be cleared whole, between one task and the next
    apart: frozenset[str] = frozenset()  # verbs whose plan makes one file, in nobody's way: carried out without a lock
    by_feature: bool = False  # whether a new candidate is one of a feature and a task, and says of which
    singly: frozenset[str] = frozenset()  # verbs by which several candidates are judged one after the other, never at once
    daily: bool = False  # whether its log has a file a day, and none ever changes but by lines at its end: purge and undo too

    def modules(self, store: Store) -> Sequence[Module]:
        """What can be asked for by name, beside a task."""
        return ()

    def meters(self, workspace: Workspace, store: Store) -> list[Budget]:
        """Meters of the store as a whole, beside those of its documents; their path is the store's."""
        return []

    def folders(self, store: Store) -> tuple[str, ...]:
        """The folders that memory files of it lie in, present or not, workspace-relative; () where the files say so."""
        return ()

    def locks(self, store: Store) -> Locks | None:
        """The files by which the programs that write in a store tell each other so; None where there are none."""
        return None

    def pathspecs(self, store: Store) -> tuple[str, ...]:
        """What a change must be asked for beside Markdown files: git pathspecs, relative to the workspace."""
        return ()

    def versions(self, document: Document) -> Sequence[Versions]:
        """What a document states in several un-struck versions (common.md, two-versions), titles aside."""
        return ()

    def rank(self, entry: Entry) -> str:
        """What an entry ranks as where sources disagree, a key of `ranking.RANKS`; its role's, unless a layout knows better."""
        return self.ranks.get(entry.role, "note")

    def owned(self, workspace: Workspace, store: Store) -> Callable[[Entry], Owned]:
        """What a current entry of a store alone may own; two owners clash."""
        return lambda entry: NOTHING

    def grounds(self, document: Document) -> Sequence[Ground]:
        """The records that its current entries name, and which of them as their ground."""
        from memdesk.core.layouts import claims

        return claims.grounds(document)

    def definitions(self, document: Document) -> Sequence[Definition]:
        """The terms that its current entries define."""
        from memdesk.core.layouts import claims

        return claims.definitions(document)

    def scoped(self, entry: Entry, scope: str) -> str:
        """An entry's text with that scope in its own form, for the editor; "" where its form has no place for one."""
        return ""

    def renumber(self, draft: Draft, store: Store, entry: Entry, to: str) -> Renumbered:
        """Gives an entry another number (`to`; "" for the next free one), and changes what names it by the old one. Raises
        Refused."""
        from memdesk.core.errors import Refused

        raise Refused(f"{self.title} has no numbers.", path=entry.path, line=entry.line)

    def reindex(self, draft: Draft, store: Store) -> Reindexed:
        """Makes the lines of the index from what they name, in place. Raises Refused."""
        from memdesk.core.errors import Refused

        raise Refused(f"{self.title} has no index that can be made anew.", path=store.path)

    def promotable(self, entry: Entry) -> bool:
        """Whether an entry can be promoted: a candidate, unless a layout takes others too."""
        return entry.candidate

    def unpromoted(self, text: str) -> str:
        """The text of an entry without the mark that it was promoted, where this layout leaves one in its place."""
        return text

    def successors(self, document: Document) -> Mapping[int, int]:
        """Struck entry -> the entry of the same document that came in its place, both by index; the next struck one where
        that was struck in turn. Those without one are left out."""
        return {}

    def instead(self, verb: str, entry: Entry) -> str:
        """The verb that does for this entry what a person asks for by that one: a strike may be a correction, and so may
        "restore", which brings an old text back."""
        return "edit" if verb == "restore" else verb

    def stays(self, entry: Entry) -> str:
        """Why an entry can't go to an archive to make room, and the rest of its file stay, for people; "" where it can."""
        return f"Entries don't go to an archive one by one in this layout: {self.title}."

    def subject(self, workspace: Workspace, entry: Entry) -> Entry:
        """The entry that a person's verdict on this one is about: a line that only points at another has none of its own."""
        return entry

    def gate(self, workspace: Workspace, store: Store, entry: Entry, today: date) -> Gate | None:
        """The recurrence gate before a candidate, with the signals that may speak for it; None where none stands before it."""
        return None

    def identity(self, entry: Entry) -> str:
        """What an entry is known by while its text changes, for merging two versions of a file: its id, else its date and
        title, else its words without tag, source and strike. "" where only its whole text says which it is."""
        known = entry.fields.get("id") or entry.fields.get("term")
        if known or entry.kind != "section":
            return known or entry.fields.get("text", "")
        return f"{entry.date or ''} {entry.fields.get('title') or entry.heading}"

    def order(self, place: Place) -> Order:
        """How a file is kept, for merging two versions of it."""
        return Order()

    def remarks(self, entry: Entry) -> Sequence[str]:
        """Warnings about a new or changed entry: what the layout advises against and does not forbid."""
        return ()

    # What has rotted, and how it goes (docs/prune.md).

    pruned: str = "archive"  # the verb by which an entry that holds goes; "" where none goes by itself
    whole: bool = False  # whether its archive takes whole files, and no entry out of one
    wiki: bool = False  # whether `[[name]]` is a link in its files

    subjects: frozenset[str] = frozenset()  # roles whose files are each about something of its own: a person, a project

    def leaves(self, entry: Entry) -> str:
        """The verb by which an entry can go where it has rotted, candidates too; "" where none would be carried out."""
        if entry.tier in ("index", "log", "archive"):
            return ""
        if entry.candidate:
            return "reject"
        if entry.kind == "file":
            return "" if entry.struck else self.pruned
        if entry.struck or self.pruned == "archive":
            return "" if self.stays(entry) else "archive"
        return self.pruned if entry.kind != "body" else ""

    def ends(self, workspace: Workspace, entry: Entry, by: Entry | None = None) -> str:
        """The verb by which an entry goes that no longer holds and gets no new text: struck, or rejected where nothing can be
        struck by itself. `by`: the one that holds instead, where it is known."""
        return "strike"

    def group(self, entry: Entry) -> tuple[str, ...]:
        """What a candidate is listed under, the widest first (its feature, then its task); () where its file says enough."""
        return ()

    def waiting(self, workspace: Workspace, store: Store) -> Mapping[str, int]:
        """Feature -> how many files wait to be compacted into its memory; features that none wait for are left out."""
        return {}

    def features(self, workspace: Workspace, store: Store) -> Sequence[str]:
        """The features by which memory is kept here, in order; () in a layout that keeps none by feature."""
        return ()

    def scope_of(self, entry: Entry) -> Scope:
        """The feature and the task that an entry is of: another feature's stays out of a recall for one."""
        return Scope()

    def favours(self, phase: str) -> Collection[str]:
        """The sections (as `scope_of` names them) that count for more in a recall of that phase of the work; () for none."""
        return ()

    def compaction(self, workspace: Workspace, store: Store, feature: str) -> Found:
        """The files that a feature's memory is compacted from. Raises UsageError in a layout that compacts nothing."""
        from memdesk.core.errors import UsageError

        raise UsageError(f"Nothing is compacted in this layout: {self.title}.")

    def merges(self, entry: Entry) -> bool:
        """Whether a candidate can be worked into an entry, and not only by what else takes it in."""
        return True

    def mends(self, entry: Entry) -> bool:
        """Whether an entry's own text may be mended in place: a link that leads nowhere, a line that no longer holds."""
        return entry.tier not in ("index", "log", "archive")

    def links(self, document: Document) -> Sequence[Link]:
        """The links of a document that can lead to a file here."""
        from memdesk.core.links import links

        return [link for link in links(document) if link.path and (self.wiki or not link.wiki)]

    def mentions(self, document: Document) -> Iterable[tuple[Link, bool]]:
        """Each link of a document as it is rendered, and whether it is struck: what has to follow a file that moves."""
        from memdesk.core.links import every

        return (one for one in every(document) if self.wiki or not one[0].wiki)

    def resolve(self, workspace: Workspace, store: Store, document: Document, link: Link) -> str | None:
        """The workspace path that a link leads to; None where nothing is there."""
        from memdesk.core.links import resolve

        return resolve(workspace, store, document, link)

    def unreached(self, workspace: Workspace, store: Store) -> Sequence[tuple[str, str]]:
        """The documents that nobody is sent to, whatever the task: path and why, in a few words."""
        return []

    def proposals(self, workspace: Workspace, store: Store, today: date, settings: Settings) -> Sequence[Proposal]:
        """What only the layout can tell has rotted, as proposals like the others."""
        return []

    logged: frozenset[str] = frozenset()  # verbs that its halves write log lines of themselves: `note` isn't told of them

    def note(self, draft: Draft, store: Store, lines: Sequence[str], today: date, at: str) -> None:
        """Changelog or log lines of an action, where the store keeps one. `at`: the local time, HH:MM, or ""."""
        return
