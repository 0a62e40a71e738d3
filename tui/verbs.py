"""Every action that a person can take: id, key, label, help, where, and when it is allowed.

The footer, the help, the palette, the keymap of the configuration and its documentation come from this registry alone.
An action is carried out by the method `do_ID` (dashes as underscores) of the pane it belongs to, or of the app.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from memdesk.core.lean import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from textual.binding import BindingType


class Situation(NamedTuple):
    """What the state of the workbench allows. `read_only`: why nothing can be written, or "". `selected`: entries."""

    pane: str
    selected: int = 0
    read_only: str = ""
    undoable: bool = True
    git: bool = True
    busy: bool = False
    candidate: bool = True  # the selection can be promoted
    place: bool = False  # a line of a file is selected that is no entry: it can be opened and copied
    pending: bool = False  # a transaction was interrupted
    offered: Mapping[str, str] = {}  # the ways to settle what is selected, by id, with why one can't be gone now or ""
    idle: Mapping[str, str] = {}  # actions that mean nothing as the pane stands, with why; the footer leaves them out
    labels: Mapping[str, str] = {}  # other words for actions, by id, where what is selected takes another by their key
    knows: frozenset[str] = frozenset()  # the verbs that some store here knows


class Verb(NamedTuple):
    """One action. `panes`: the panes that offer it, () for all. `refuse` says why it is not allowed now, or "".

    `footer`: its rank there, 0 to be left out. `end`: where a verdict's dialog starts: "confirm" for what can be undone.
    """

    id: str
    key: str
    label: str
    help: str
    panes: tuple[str, ...] = ()
    group: str = "Everywhere"
    refuse: Callable[[Situation], str] = lambda situation: ""
    footer: int = 0
    start: str = "confirm"
    guest: bool = False  # outside its first pane the footer shows it only while it can be done
    offered: bool = False  # the footer shows it only where what is selected offers it


def _entry(situation: Situation) -> str:
    return "" if situation.selected else "Nothing is selected."


def _promotable(situation: Situation) -> str:
    return _write(situation) or ("" if situation.candidate else "It waits for nothing: only a candidate is promoted.")


def _place(situation: Situation) -> str:
    return "" if situation.selected or situation.place else "Nothing is selected."


def _write(situation: Situation) -> str:
    return situation.read_only or _entry(situation)


def _way(ident: str) -> Callable[[Situation], str]:
    """A way to settle a conflict: allowed where it is offered."""
    return lambda situation: (
        situation.read_only or _place(situation) or situation.offered.get(ident, "That is no way to settle this.")
    )


def _proposal(ident: str) -> Callable[[Situation], str]:
    """A verdict on a proposal of a prune session."""
    return lambda situation: _write(situation) or situation.offered.get(ident, "")


def _one(situation: Situation) -> str:
    return _write(situation) or ("" if situation.selected == 1 else "It takes one entry at a time.")


def _undo(situation: Situation) -> str:
    return situation.read_only or ("" if situation.undoable else "Nothing to undo.")


def _pending(situation: Situation) -> str:
    return "" if situation.pending else "Nothing was interrupted."


def _known(verb: str, why: str) -> Callable[[Situation], str]:
    """Something that is done to a store: allowed where one knows it."""
    return lambda situation: situation.read_only or ("" if verb in situation.knows else why)


def _idle(ident: str) -> Callable[[Situation], str]:
    return lambda situation: situation.idle.get(ident, "")


def _git(situation: Situation) -> str:
    return "" if situation.git else "There is no git repository here."


ENTRIES = ("inbox", "context", "conflicts", "prune", "history", "health", "search")
CONFLICTS = ("conflicts",)
PRUNE = ("prune",)
VERDICTS = ("inbox", "context", "search")

VERBS: tuple[Verb, ...] = (
    Verb(
        "promote",
        "p",
        "Promote",
        "Move the candidate to where it will be loaded, with its reason; from a log a line is taken up.",
        VERDICTS,
        "Verdicts",
        _promotable,
        1,
        guest=True,
    ),
    Verb(
        "strike", "s", "Strike", "Strike it in place: visible history that counts no more. A fact in a file of its own is "
        "corrected.", VERDICTS, "Verdicts", _write, 2,
    ),
    Verb(
        "reject",
        "r",
        "Reject",
        "Take the candidate out of the inbox; with a tombstone if asked.",
        ("inbox",),
        "Verdicts",
        _write,
        3,
    ),
    Verb("merge", "m", "Merge", "Work the candidate's text into an entry that exists.", ("inbox",), "Verdicts", _one, 4),
    Verb("edit", "e", "Edit", "Edit the entry's own text.", VERDICTS, "Verdicts", _one, 5),
    Verb(
        "snooze",
        "z",
        "Snooze",
        "Hide the candidate until a date or until its text changes; nothing is written to memory.",
        ("inbox",),
        "Verdicts",
        _entry,
        6,
    ),
    Verb("archive", "a", "Archive", "Move the whole entry to the archive.", VERDICTS, "Verdicts", _write),
    Verb(
        "forget",
        "f",
        "Forget",
        "Take a topic out of memory: soft, hard or purge. Git history is not touched.",
        VERDICTS,
        "Verdicts",
        lambda s: s.read_only,
        0,
        "cancel",
    ),
    Verb(
        "follow", "f", "Follow", "Settle the conflict by the source that ranks higher: strike what it outranks.", CONFLICTS,
        "Verdicts", _way("follow"),
    ),
    Verb(
        "supersede", "s", "Supersede", "Settle it against the ranking, or where no side wins: the chosen one holds.",
        CONFLICTS, "Verdicts", _way("supersede"),
    ),
    Verb(
        "merge-sides", "m", "Merge", "Settle the conflict by one text of both, made in the editor.", CONFLICTS, "Verdicts",
        _way("merge-sides"),
    ),
    Verb(
        "both", "b", "Keep both", "Keep both sides, one with a narrower scope; in a git conflict: one after the other.",
        CONFLICTS, "Verdicts", _way("both"),
    ),
    Verb(
        "amend", "e", "Edit", "Change the text of one side; in a git conflict: write the entry in the editor.", CONFLICTS,
        "Verdicts", _way("amend"),
    ),
    Verb(
        "dismiss", "d", "Dismiss", "Say with a reason that this is no conflict; it is kept for all until a text changes.",
        CONFLICTS, "Verdicts", _way("dismiss"),
    ),
    Verb(
        "ours", "less_than_sign", "Ours", "In a git conflict: this entry as our side has it.", CONFLICTS, "Verdicts",
        _way("ours"),
    ),
    Verb(
        "theirs", "greater_than_sign", "Theirs", "In a git conflict: this entry as the other side has it.", CONFLICTS,
        "Verdicts", _way("theirs"),
    ),
    Verb(
        "resolve", "r", "Resolve", "Write the file without git's markers, once all its entries are answered.", CONFLICTS,
        "Verdicts", _way("resolve"),
    ),
    Verb(
        "accept", "a", "Accept", "Carry out the proposal, after a look at its exact diff; those that are marked go together.",
        PRUNE, "Verdicts", _proposal("accept"), 1,
    ),
    Verb(
        "refuse", "r", "Reject", "Say no, with a reason or without: it is kept for all, until a text changes.", PRUNE,
        "Verdicts", _proposal("refuse"), 2,
    ),
    Verb(
        "put-off", "z", "Snooze", "Hide the proposal until a date; one that is snoozed is taken up again.", PRUNE, "Verdicts",
        _proposal("put-off"), 3,
    ),
    Verb(
        "accept-kind", "A", "Accept all", "Accept every proposal of the selected kind that is shown, after one look. Exact "
        "kinds only.", PRUNE, "Verdicts", _proposal("accept-kind"), 4,
    ),
    Verb(
        "end-session", "E", "End session", "End the session: its report on screen, then a line in the changelog or log.", PRUNE,
        "Session", lambda s: s.read_only, 5,
    ),
    Verb("undo", "u", "Undo", "Undo the newest action that is not undone yet.", (), "Verdicts", _undo, 9),
    Verb(
        "select",
        "space",
        "Select",
        "Mark or unmark the entry and go to the next; verdicts act on all that are marked. Of proposals: those of one exact "
        "kind, to be accepted together.",
        ("inbox", "prune"),
        "List",
        lambda s: _entry(s) or s.offered.get("select", ""),
        7,
    ),
    Verb("select-all", "A", "Select all", "Mark every entry that is shown, or unmark them all.", ("inbox",), "List"),
    Verb(
        "filter",
        "slash",
        "Filter",
        "Show only the lines that hold every word typed. Escape shows all again.",
        (),
        "List",
        footer=8,
    ),
    Verb("next-match", "n", "Next match", "Go to the next line that the filter found.", (), "List"),
    Verb("previous-match", "N", "Previous match", "Go to the line before that the filter found.", (), "List"),
    Verb("order", "v", "Oldest or newest first", "Turn the order of the list around.", ("inbox",), "List"),
    Verb(
        "snoozed",
        "Z",
        "Show snoozed",
        "Show what is snoozed too, or hide it; Snooze on such a line wakes it.",
        ("inbox",),
        "List",
    ),
    Verb(
        "side", "x", "Other side", "Go to the other side: what open, copy and history speak of.", CONFLICTS, "List", _place, 1,
    ),
    Verb("dismissed", "D", "Show dismissed", "Show the conflicts that were dismissed too, or hide them.", CONFLICTS, "List",
         footer=2),
    Verb(
        "decided", "D", "Show decided", "Show what was decided in this session too, and what was left out; or hide both.",
        PRUNE, "List",
    ),
    Verb("entry", "x", "Next entry", "Go to the next entry of the proposal: what open, copy and history speak of.", PRUNE,
         "List", _place),
    Verb(
        "read",
        "enter",
        "Read",
        "Open the reading pane (in a narrow terminal), or go to it.",
        ("inbox", "context", "conflicts", "prune", "health", "history"),
        "List",
    ),
    Verb(
        "choose",
        "space",
        "Choose",
        "Choose the task, or turn the area, rule or profile on or off; on a path: take it out.",
        ("context",),
        "Pack",
        _idle("choose"),
        1,
    ),
    Verb(
        "task", "t", "Next task", "Show the pack of the next task; of a comparison go to the next that differs.", ("context",),
        "Pack", footer=2,
    ),
    Verb(
        "against", "v", "Against main", "Show what the work at hand adds to and takes from every task's pack since it left the "
        "main branch; or the pack again.", ("context",), "Pack", footer=3,
    ),
    Verb(
        "base", "b", "Another base", "Name the branch, tag or commit to compare with; `REV...` is where this left it.",
        ("context",), "Pack", footer=4, offered=True,
    ),
    Verb(
        "path",
        "i",
        "Add a path",
        "Name a path that the task touches; areas with such paths load.",
        ("context",),
        "Pack",
        _idle("path"),
        5,
    ),
    Verb(
        "recall",
        "r",
        "Recall",
        "Ask all stores a question in a few words, and see the evidence that an agent gets.",
        ("context",),
        "Pack",
        footer=4,
    ),
    Verb(
        "copy-pack",
        "P",
        "Copy the pack",
        "Copy the whole pack, or the recall that is shown, as an agent gets it; a comparison as a comment for a pull request.",
        ("context",),
        "Pack",
        footer=6,
    ),
    Verb("open", "o", "Open in editor", "Open the file at this line in $VISUAL or $EDITOR.", ENTRIES, "Entry", _place, 7),
    Verb("copy", "y", "Copy", "Copy the entry's current text, without struck history.", ENTRIES, "Entry", _place),
    Verb("copy-all", "Y", "Copy with history", "Copy the entry's text, struck history too.", ENTRIES, "Entry", _place),
    Verb(
        "loads",
        "w",
        "What loads this",
        "Say for every task whether it loads this entry, why not, and which line to change.",
        ("inbox", "context", "conflicts", "prune", "health", "search"),
        "Entry",
        _place,
    ),
    Verb(
        "timeline",
        "h",
        "Its history",
        "The entry's versions in git, with dates and authors.",
        ("inbox", "search", "context", "conflicts", "prune"),
        "Entry",
        lambda s: _git(s) or _entry(s),
    ),
    Verb(
        "compact", "M", "Compact", "Draft a feature's memory from the fragments that wait: every entry is accounted for, and "
        "the fragments go to the archive.", (), "Store",
        lambda s: s.read_only or s.offered.get("compact") or _known("compact", "No store here is made from fragments.")(s), 6,
        offered=True,
    ),
    Verb(
        "distil", "L", "Draft project lessons", "Have the command propose lines for the project's memory from a "
        "feature's; each is promoted by itself, or not.", (), "Store",
        _known("compact", "No store here keeps memory by feature."),
    ),
    Verb(
        "reindex", "I", "Reindex", "Write the index's lines of facts anew, from the facts.", (), "Store",
        _known("reindex", "No store here has an index of facts."),
    ),
    Verb(
        "clear", "C", "Clear working state…", "Go through the working files, each with what it holds, and delete those that "
        "you name.", (), "Store", _known("clear", "No store here has working state."), 0, "cancel",
    ),
    Verb("search", "ctrl+f", "Search everything", "Search all entries of all stores, and open at the hit."),
    Verb(
        "commit",
        "c",
        "Stage and commit",
        "Stage just the files of this session's actions, and commit them.",
        (),
        "Everywhere",
        _git,
    ),
    Verb("recover", "R", "Recover", "Finish or take back what was interrupted.", (), "Everywhere", _pending),
    Verb("refresh", "ctrl+r", "Read again", "Read all files again."),
    Verb("theme", "ctrl+t", "Theme", "Change to the next theme."),
    Verb("palette", "ctrl+p", "Palette", "Every action, by name.", footer=10),
    Verb("help", "question_mark", "Help", "The keys of this pane.", footer=11),
    Verb("quit", "q", "Quit", "Leave memdesk."),
)

BY_ID: dict[str, Verb] = {verb.id: verb for verb in VERBS}
# What a dialog is opened for, and no key of its own: a way to settle, and what a strike may be.
ADD = Verb("add", "", "Draft", "Write a candidate, or a record that is proposed.")
CORRECT = Verb("correct", "", "Correct", "Overwrite it, and say in the log what changed and why.")
# Kept whatever the keymap says, so that nobody is locked in.
ALWAYS_QUIT = "ctrl+q"


def named(ident: str) -> Verb:
    """A verb that a dialog is opened for."""
    return BY_ID.get(ident) or next(verb for verb in (ADD, CORRECT) if verb.id == ident)


def of_pane(pane: str) -> list[Verb]:
    """The actions that a pane offers, its own first."""
    own = [verb for verb in VERBS if pane in verb.panes]
    return own + [verb for verb in VERBS if not verb.panes]


def in_footer(pane: str, situation: Situation) -> list[Verb]:
    """The actions that a pane's footer shows, by their rank."""
    return sorted(
        (
            verb for verb in of_pane(pane)
            if verb.footer and verb.id not in situation.idle
            and not (verb.guest and verb.panes[:1] != (pane,) and verb.refuse(situation))
            and not (verb.offered and situation.offered.get(verb.id) != "")
        ),
        key=lambda verb: verb.footer,
    )


def label(verb: Verb, situation: Situation) -> str:
    """What an action is called for what is selected."""
    return situation.labels.get(verb.id, verb.label)


def keys(verb: Verb, keymap: Mapping[str, str]) -> str:
    """The keys of an action as Textual names them, separated by commas."""
    return keymap.get(verb.id, verb.key)


def shown_key(verb: Verb, keymap: Mapping[str, str]) -> str:
    """The first key of an action as a person reads it: `^p`, `space`, `/`."""
    return shown_keys(verb, keymap)[0]


def shown_keys(verb: Verb, keymap: Mapping[str, str]) -> list[str]:
    """All keys of an action as a person reads them."""
    named = [key.strip() for key in keys(verb, keymap).split(",")]
    return ["^" + key.removeprefix("ctrl+") if key.startswith("ctrl+") else _NAMES.get(key, key) for key in named]


def bindings(pane: str | None, keymap: Mapping[str, str] | None = None) -> list[BindingType]:
    """The bindings of a pane's own actions, or for None of those that are everywhere."""
    from textual.binding import Binding

    chosen = [verb for verb in VERBS if (pane in verb.panes if pane else not verb.panes)]
    return [
        Binding(
            keys(verb, keymap or {}), f"verb('{verb.id}')", verb.label, id=verb.id, tooltip=verb.help, show=bool(verb.footer)
        )
        for verb in chosen
    ]


def checked_keymap(keymap: Mapping[str, str]) -> dict[str, str]:
    """A keymap of the configuration, normalised. Raises UsageError, with the nearest name, for an id that does not exist,
    for an empty key and for two actions of one pane on one key."""
    from memdesk.core.errors import UsageError

    for ident, key in keymap.items():
        if ident not in BY_ID:
            raise UsageError(f"keymap.{ident}: no such action.", remedy=_nearest(ident))
        if not key.strip(" ,"):
            raise UsageError(f"keymap.{ident}: no key.", remedy="Write a key such as \"x\", \"ctrl+x\" or \"f2\".")
    taken: dict[tuple[str, str], str] = {}
    for verb in VERBS:
        for key in (part.strip() for part in keys(verb, keymap).split(",")):
            for pane in verb.panes or ("",):
                for where in (pane, "") if pane else ("", *ENTRIES):
                    other = taken.get((where, key))
                    if other and other != verb.id:
                        raise UsageError(
                            f"keymap: {key!r} is the key of both {other!r} and {verb.id!r}.",
                            remedy="Give one of them another key.",
                        )
                taken[pane, key] = verb.id
    return {ident: ",".join(part.strip() for part in key.split(",")) for ident, key in keymap.items()}


def documentation(verbs: Iterable[Verb] = VERBS) -> str:
    """A Markdown table of all actions, for the user guide."""
    rows = [
        f"| `{verb.id}` | `{shown_key(verb, {})}` | {verb.label} | {', '.join(verb.panes) or 'all'} | {verb.help} |"
        for verb in verbs
    ]
    return "\n".join(["| id | key | action | panes | does |", "| --- | --- | --- | --- | --- |", *rows]) + "\n"


def _nearest(ident: str) -> str:
    import difflib

    close = difflib.get_close_matches(ident, BY_ID, n=1, cutoff=0.4)
    return f"Did you mean {close[0]!r}?" if close else "Ids: " + ", ".join(BY_ID) + "."


_NAMES = {
    "less_than_sign": "<", "greater_than_sign": ">", "slash": "/", "question_mark": "?", "space": "space", "enter": "⏎",
    "escape": "esc",
}
