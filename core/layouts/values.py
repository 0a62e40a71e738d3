"""What is asked of a memory system, and what it answers: the values of the protocol in `base.py`."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from memdesk.core.lean import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from datetime import date

    from memdesk.core.model import Entry


class LoadRequest(NamedTuple):
    """What a caller asks to load: a task's name, and modules by name, and the paths that the task touches."""

    task: str
    areas: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()
    profiles: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    today: date | None = None  # for what loads by its date; whoever asks fills it in


class Module(NamedTuple):
    """What a caller can ask a route for by name. `field` is that of LoadRequest: "areas", "rules" or "profiles"."""

    field: str
    name: str
    path: str  # workspace-relative
    when: str = ""  # when to load it, as the store says
    paths: tuple[str, ...] = ()  # globs: it loads by itself for a task that touches such a path


class RouteFile(NamedTuple):
    """One file of a route. `path` is workspace-relative; `why` says what named it ("always load", "area storage ...").

    `requested`: a module the caller named; missing or not enabled, it makes the pack incomplete. `refused` says why a
    requested module does not load at all.
    """

    path: str
    required: bool
    why: str
    cap: int | None = None
    requested: bool = False
    refused: str | None = None


class Route(NamedTuple):
    """What a task loads, in order, each file once; and every other memory file with the reason it stays out."""

    store: str
    layout: str
    task: str
    category: str
    files: tuple[RouteFile, ...]
    not_loaded: tuple[tuple[str, str], ...]
    scope_notes: tuple[str, ...] = ()


NOW = 80  # characters of a line that is only named, by its number too


class Advice(NamedTuple):
    """The line by which something loads, or would. `line` is 1-based, 0 for none: of the file as a whole.

    `how`: "below" (`text`, one line or several, is added below it), "instead" (`text` takes its place), "out" (it goes; `text`
    says what else), "new" (the file is made, of `text`); or "see": it decides, and `text` says in words what is to do. `now` is
    what it reads.
    """

    path: str
    line: int
    how: str
    text: str = ""
    now: str = ""

    def told(self) -> str:
        """In one line: where, and what to write there."""
        where = f"{self.path}:{self.line}" if self.line else self.path
        new = ", ".join(quoted(line) for line in self.text.split("\n"))
        now = self.now.strip()
        old = quoted(now if len(now) <= NOW else now[: NOW - 1] + "…") if now else "this line"
        words = {
            "below": f"below {old} add {new}", "instead": f"instead of {old} write {new}",
            "out": f"take out {old}{', ' if self.text else ''}{self.text}", "new": f"a new file with {new}",
        }
        told = words.get(self.how, self.text)
        return f"{where} ({told})" if told else where


def quoted(text: str) -> str:
    """A line of a file in a sentence: in backticks, or in quotation marks where it holds some."""
    return f"“{text}”" if "`" in text else f"`{text}`"


class Ask(NamedTuple):
    """A field that a destination or a verb asks for. `choices` restrict it; `default` is proposed, never assumed."""

    field: str
    label: str
    required: bool = False
    default: str = ""
    choices: tuple[str, ...] = ()
    hint: str = ""
    long: bool = False  # several lines
    signals: bool = False  # answered by ticking those of `Layout.gate`: their ids, one a line
    shown: bool = False  # in sight though nothing requires it
    kept: bool = False  # in sight where a tombstone is left
    offers: tuple[str, ...] = ()  # lines that a text of several may hold, offered as one types


class Destination(NamedTuple):
    """Where a candidate can go. `id` as in CLI.md: decisions, area:storage, ...; `path` is the file it lands in."""

    id: str
    label: str
    path: str
    asks: tuple[Ask, ...] = ()
    new: bool = False  # the file is made by promoting to it
    usual: bool = False  # where it goes when nobody says another
    fits: bool = False  # what the candidate says of itself, so that a person is shown it first


class Owned(NamedTuple):
    """What an entry alone may own: the key it is compared by, and how people call it."""

    key: str
    name: str


NOTHING = Owned("", "")


class Content(NamedTuple):
    """What is put at a destination, in the words of Request; layouts give it their own form."""

    title: str
    text: str
    words: Mapping[str, str]
    today: date
    at: str = ""  # the local time, HH:MM, for logs that keep it
    stamp: str = ""  # the instant in UTC, as `Clock.stamp` gives it, for files that keep it


class Said(NamedTuple):
    """What an entry says, apart from its form; `words` is what it says of itself: reason, scope, kind, source, area."""

    title: str
    text: str
    words: Mapping[str, str]


class Outcome(NamedTuple):
    """Why entries leave where they are: `kind` is "promoted" (in their own store), "moved" (promoted to another store),
    "struck", "rejected", "merged", "archived" or "forgotten"."""

    kind: str
    today: date
    to: str = ""  # the path or title that it went to
    reason: str = ""
    words: Mapping[str, str] = {}
    at: str = ""  # as in Content
    stamp: str = ""


class Change(NamedTuple):
    """How an entry is amended in place: `kind` is "strike" (with a replacement in `text`, or none), "replace", or "correct"
    (overwritten by what holds now)."""

    kind: str
    today: date
    text: str = ""
    words: Mapping[str, str] = {}
    at: str = ""  # as in Content
    stamp: str = ""


class Reindexed(NamedTuple):
    """How many lines of an index were changed, put in and taken out."""

    changed: int
    added: int
    out: int


class Renumbered(NamedTuple):
    """What giving an entry another number came to: the path that it has now, and what could not be changed with it."""

    path: str
    warnings: tuple[str, ...] = ()


class Version(NamedTuple):
    """One line that states a version of something, un-struck: its entry, its 1-based line, its text without marker."""

    entry: Entry
    line: int
    text: str


class Versions(NamedTuple):
    """Versions of one thing that all stand un-struck. `exact`: structure alone says so; else only a person can tell."""

    exact: bool
    about: str  # the title of what they are versions of
    lines: tuple[Version, ...]


class Order(NamedTuple):
    """How a file of some role is kept, for merging two versions of it. `newest_first`: how its dated sections and entries
    follow each other (None: as people put them). `empty`: the line that stands in it for no candidates, "" for none;
    `is_empty` knows it in all its spellings. `groups`: a heading goes with the last entry under it; else a dated one alone.
    `newest`: fields of its front matter that only say when it was changed: the newer value holds."""

    newest_first: bool | None = None
    empty: str = ""
    is_empty: Callable[[str], bool] = lambda text: False
    groups: bool = False
    newest: tuple[str, ...] = ()


class Scope(NamedTuple):
    """What an entry is of: a feature, a task in it, the section that it stands in; "" for none."""

    feature: str = ""
    task: str = ""
    section: str = ""
