"""Every action that a person can take: id, key, label, help, where, and when it is allowed.

The footer, the help, the palette, the keymap of the configuration and its documentation come from this registry alone.
An action is carried out by the method `do_ID` (dashes as underscores) of the pane it belongs to, or of the app.
"""

from __future__ import annotations

from collections.abc import Callable

from memdesk.core.lean import NamedTuple
from memdesk.tui import allowed
from memdesk.tui.allowed import Situation


class Verb(NamedTuple):
    """One action. `panes`: the panes that offer it, () for all. `refuse` says why it is not allowed now, or "".

    `footer`: its rank there, 0 to be left out. `start`: where a verdict's dialog starts: "confirm" for what can be undone.
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
        allowed.promotable,
        1,
        guest=True,
    ),
    Verb(
        "strike", "s", "Strike", "Strike it in place: visible history that counts no more. A fact in a file of its own is "
        "corrected.", VERDICTS, "Verdicts", allowed.write, 2,
    ),
    Verb(
        "reject",
        "r",
        "Reject",
        "Take the candidate out of the inbox; with a tombstone if asked.",
        ("inbox",),
        "Verdicts",
        allowed.write,
        3,
    ),
    Verb("merge", "m", "Merge", "Work the candidate's text into an entry that exists.", ("inbox",), "Verdicts", allowed.one, 4),
    Verb("edit", "e", "Edit", "Edit the entry's own text.", VERDICTS, "Verdicts", allowed.one, 5),
    Verb(
        "snooze",
        "z",
        "Snooze",
        "Hide the candidate until a date or until its text changes; nothing is written to memory.",
        ("inbox",),
        "Verdicts",
        allowed.entry,
        6,
    ),
    Verb("archive", "a", "Archive", "Move the whole entry to the archive.", VERDICTS, "Verdicts", allowed.write),
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
        "Verdicts", allowed.way("follow"),
    ),
    Verb(
        "supersede", "s", "Supersede", "Settle it against the ranking, or where no side wins: the chosen one holds.",
        CONFLICTS, "Verdicts", allowed.way("supersede"),
    ),
    Verb(
        "merge-sides", "m", "Merge", "Settle the conflict by one text of both, made in the editor.", CONFLICTS, "Verdicts",
        allowed.way("merge-sides"),
    ),
    Verb(
        "both", "b", "Keep both", "Keep both sides, one with a narrower scope; in a git conflict: one after the other.",
        CONFLICTS, "Verdicts", allowed.way("both"),
    ),
    Verb(
        "amend", "e", "Edit", "Change the text of one side; in a git conflict: write the entry in the editor.", CONFLICTS,
        "Verdicts", allowed.way("amend"),
    ),
    Verb(
        "dismiss", "d", "Dismiss", "Say with a reason that this is no conflict; it is kept for all until a text changes.",
        CONFLICTS, "Verdicts", allowed.way("dismiss"),
    ),
    Verb(
        "ours", "less_than_sign", "Ours", "In a git conflict: this entry as our side has it.", CONFLICTS, "Verdicts",
        allowed.way("ours"),
    ),
    Verb(
        "theirs", "greater_than_sign", "Theirs", "In a git conflict: this entry as the other side has it.", CONFLICTS,
        "Verdicts", allowed.way("theirs"),
    ),
    Verb(
        "resolve", "r", "Resolve", "Write the file without git's markers, once all its entries are answered.", CONFLICTS,
        "Verdicts", allowed.way("resolve"),
    ),
    Verb(
        "accept", "a", "Accept", "Carry out the proposal, after a look at its exact diff; those that are marked go together.",
        PRUNE, "Verdicts", allowed.proposal("accept"), 1,
    ),
    Verb(
        "refuse", "r", "Reject", "Say no, with a reason or without: it is kept for all, until a text changes.", PRUNE,
        "Verdicts", allowed.proposal("refuse"), 2,
    ),
    Verb(
        "put-off", "z", "Snooze", "Hide the proposal until a date; one that is snoozed is taken up again.", PRUNE, "Verdicts",
        allowed.proposal("put-off"), 3,
    ),
    Verb(
        "accept-kind", "A", "Accept all", "Accept every proposal of the selected kind that is shown, after one look. Exact "
        "kinds only.", PRUNE, "Verdicts", allowed.proposal("accept-kind"), 4,
    ),
    Verb(
        "end-session", "E", "End session", "End the session: its report on screen, then a line in the changelog or log.", PRUNE,
        "Session", lambda s: s.read_only, 5,
    ),
    Verb("undo", "u", "Undo", "Undo the newest action that is not undone yet.", (), "Verdicts", allowed.undo, 9),
    Verb(
        "select",
        "space",
        "Select",
        "Mark or unmark the entry and go to the next; verdicts act on all that are marked. Of proposals: those of one exact "
        "kind, to be accepted together.",
        ("inbox", "prune"),
        "List",
        lambda s: allowed.entry(s) or s.offered.get("select", ""),
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
        "side", "x", "Other side", "Go to the other side: what open, copy and history speak of.", CONFLICTS, "List",
        allowed.place, 1,
    ),
    Verb("dismissed", "D", "Show dismissed", "Show the conflicts that were dismissed too, or hide them.", CONFLICTS, "List",
         footer=2),
    Verb(
        "decided", "D", "Show decided", "Show what was decided in this session too, and what was left out; or hide both.",
        PRUNE, "List",
    ),
    Verb("entry", "x", "Next entry", "Go to the next entry of the proposal: what open, copy and history speak of.", PRUNE,
         "List", allowed.place),
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
        allowed.idle("choose"),
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
        allowed.idle("path"),
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
    Verb("open", "o", "Open in editor", "Open the file at this line in $VISUAL or $EDITOR.", ENTRIES, "Entry", allowed.place,
         7),
    Verb("copy", "y", "Copy", "Copy the entry's current text, without struck history.", ENTRIES, "Entry", allowed.place),
    Verb("copy-all", "Y", "Copy with history", "Copy the entry's text, struck history too.", ENTRIES, "Entry", allowed.place),
    Verb(
        "loads",
        "w",
        "What loads this",
        "Say for every task whether it loads this entry, why not, and which line to change.",
        ("inbox", "context", "conflicts", "prune", "health", "search"),
        "Entry",
        allowed.place,
    ),
    Verb(
        "timeline",
        "h",
        "Its history",
        "The entry's versions in git, with dates and authors.",
        ("inbox", "search", "context", "conflicts", "prune"),
        "Entry",
        lambda s: allowed.git(s) or allowed.entry(s),
    ),
    Verb(
        "compact", "M", "Compact", "Draft a feature's memory from the fragments that wait: every entry is accounted for, and "
        "the fragments go to the archive.", (), "Store",
        lambda s: (
            s.read_only or s.offered.get("compact") or allowed.known("compact", "No store here is made from fragments.")(s)
        ), 6, offered=True,
    ),
    Verb(
        "distil", "L", "Draft project lessons", "Have the command propose lines for the project's memory from a "
        "feature's; each is promoted by itself, or not.", (), "Store",
        allowed.known("compact", "No store here keeps memory by feature."),
    ),
    Verb(
        "reindex", "I", "Reindex", "Write the index's lines of facts anew, from the facts.", (), "Store",
        allowed.known("reindex", "No store here has an index of facts."),
    ),
    Verb(
        "clear", "C", "Clear working state…", "Go through the working files, each with what it holds, and delete those that "
        "you name.", (), "Store", allowed.known("clear", "No store here has working state."), 0, "cancel",
    ),
    Verb("search", "ctrl+f", "Search everything", "Search all entries of all stores, and open at the hit."),
    Verb(
        "commit",
        "c",
        "Stage and commit",
        "Stage just the files of this session's actions, and commit them.",
        (),
        "Everywhere",
        allowed.git,
    ),
    Verb("recover", "R", "Recover", "Finish or take back what was interrupted.", (), "Everywhere", allowed.pending),
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
