"""The words of each command: its title, and the options and other words that it takes, as CLI.md lists them."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from typing import Any

TEXT_JSON = ("text", "json")
KINDS = ("decision", "constraint", "preference", "tombstone", "fact", "adr", "term")


def _pack(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--task", metavar="T", help="the task's name; 'boot' for what a layout without tasks always loads")
    parser.add_argument("--area", action="append", default=[], metavar="A", help="an area by name (repeatable)")
    parser.add_argument(
        "--module-rule", "--rule", dest="rule", action="append", default=[], metavar="R", help="a rule by name (repeatable)"
    )
    parser.add_argument("--profile", action="append", default=[], metavar="P", help="a profile by name (repeatable)")
    parser.add_argument("--path", action="append", default=[], metavar="P", help="a path that the task touches (repeatable)")
    parser.add_argument("--explain", action="store_true", help="what loaded, what didn't, and why, instead of the text")
    parser.add_argument("--names-only", action="store_true", help="the paths that load, one a line")
    parser.add_argument("--why", metavar="PATH[:LINE]", help="for every task: whether it loads, and why not")
    parser.add_argument("--base", metavar="REV", help="what packs gain and lose since REV: of --task, or of every task")
    parser.add_argument("--head", metavar="REV", help="with --base: up to REV, instead of the working tree")
    _format(parser, ("text", "json", "markdown"))


def _recall(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("query", nargs="+", metavar="QUERY", help="what you want to know, in a few words")
    parser.add_argument("--max-sources", type=_whole, metavar="N", help="sources at most (default: 5, or the settings')")
    parser.add_argument(
        "--max-chars", type=_whole, metavar="N", help="characters of all text at most (default: 2000, or the settings')"
    )
    parser.add_argument("--feature", metavar="F", help="the feature at work, in a store that keeps memory by feature")
    parser.add_argument("--task-id", metavar="T", help="the task at work in it")
    parser.add_argument("--phase", choices=("plan", "work", "review"), help="what is being done there")
    _format(parser)


def _conflicts(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--dismissed", action="store_true", help="list those too that somebody dismissed")
    parser.add_argument("--dismiss", metavar="ID", help="settle one: both sides stand, until one of their texts changes")
    parser.add_argument("--reason", metavar="WHY", help="why both can stand; kept with the judgment")
    _acting(parser, ("text", "json", "markdown"))


def _prune(parser: argparse.ArgumentParser) -> None:
    _format(parser, ("text", "json", "markdown"))


def _guide(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--layout", metavar="L", help="for the stores of this layout alone")
    _format(parser)


def _stores(parser: argparse.ArgumentParser) -> None:
    _format(parser)


def _entries(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--role", metavar="ROLE", help="entries of this role only: decisions, inbox, ...")
    parser.add_argument("--struck", action="store_true", help="struck entries only")
    parser.add_argument("--candidates", action="store_true", help="candidates only")
    parser.add_argument("--grep", metavar="TEXT", help="entries that hold TEXT, in any case")
    _format(parser)


def _add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("text", metavar="TEXT", help="the candidate; '-' reads standard input")
    parser.add_argument("--tag", metavar="TAG", help="observed, inferred or suggested")
    parser.add_argument("--kind", choices=KINDS, metavar="KIND", help=f"what it could become: {', '.join(KINDS)}")
    parser.add_argument("--reason", metavar="WHY", help="why it holds")
    parser.add_argument("--source", metavar="PATH[:LINE]", help="where it was seen")
    parser.add_argument("--area", metavar="A", help="the part of the project that it is about")
    _complete(parser)
    _text(parser, "scope")
    _record(parser)
    parser.add_argument("--supersedes", metavar="NUMBERS", help="of a record: those that it is to supersede")
    parser.add_argument("--avoid", metavar="WORDS", help="of a term: other words for it, which are not to be used")
    parser.add_argument("--feature", metavar="F", help="the feature that it is about, in a store that keeps memory by feature")
    parser.add_argument("--task-id", metavar="T", help="the task of it that found it")
    parser.add_argument("--dry-run", action="store_true", help="print the plan, change nothing")
    _format(parser)


def _promote(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("ids", nargs="+", metavar="ID")
    parser.add_argument(
        "--to", metavar="DEST",
        help="decisions, constraints, preferences, do-not-use, area:NAME, rule:NAME, profile:NAME; person:NAME, project:NAME, "
        "decision:NAME, standing:FILE; adr, design:NAME, term; fact:NAME, log; project-memory",
    )
    _text(parser, "title", "reason", "scope", "tag", "area", "source")
    _complete(parser)
    parser.add_argument("--section", metavar="HEADING", help="the heading of the file under which it goes")
    parser.add_argument("--text", metavar="TEXT", help="its text, where it shall be another than its own ('-': standard input)")
    parser.add_argument("--observed", metavar="DATE", help="the date on which a figure was observed")
    parser.add_argument("--when", metavar="TEXT", help="of a lesson: when it showed itself")
    parser.add_argument("--fixed", metavar="TEXT", help="of a lesson: what fixed it")
    parser.add_argument("--signal", metavar="ID", action="append", default=[], help="a line that speaks for an inferred lesson")
    parser.add_argument("--owns", metavar="TEXT", help="of a new file: what it holds, for its row in the index")
    parser.add_argument("--read-when", metavar="TEXT", dest="when_read", help="of a new file: when to read it")
    _record(parser)
    parser.add_argument("--supersedes", metavar="NUMBERS", help="of a record: those that it supersedes, beside those it names")
    parser.add_argument("--status", metavar="STATUS", help="of a new record: accepted (the default) or proposed")
    parser.add_argument("--avoid", metavar="WORDS", help="of a term: other words for it, which are not to be used")
    parser.add_argument("--description", metavar="LINE", help="of a fact: its line in the index (default: its first sentence)")
    parser.add_argument("--type", metavar="TYPE", help="of a fact: decision, constraint, preference, fact ...")
    parser.add_argument("--tags", metavar="TAGS", help="of a fact: its tags, with commas")
    parser.add_argument("--owner", metavar="NAME", help="of a fact: who answers for it")
    parser.add_argument("--review-by", metavar="DATE", dest="review_by", help="of a fact: when to see whether it still holds")
    _acting(parser)


def _strike(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("ids", nargs=1, metavar="ID")
    parser.add_argument("--with", dest="replacement", metavar="TEXT", help="what replaces it")
    _text(parser, "reason", "tag", "source", "title")
    _complete(parser)
    _record(parser)
    _acting(parser)


def _reject(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("ids", nargs="+", metavar="ID")
    parser.add_argument("--tombstone", action="store_true", help="leave a tombstone; then a reason is required")
    _text(parser, "reason", "scope", "title")
    _complete(parser)
    parser.add_argument("--reconsider", metavar="DATE|TEXT", help="when to look at it again")
    _acting(parser)


def _merge(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("ids", nargs=1, metavar="ID")
    parser.add_argument("--into", required=True, metavar="ID", help="the entry that takes the candidate in")
    parser.add_argument("--text", metavar="TEXT", help="the merged entry ('-' reads standard input); else your editor opens")
    _acting(parser)


def _edit(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("ids", nargs=1, metavar="ID")
    parser.add_argument("--text", metavar="TEXT", help="the new text ('-' reads standard input); else your editor opens")
    parser.add_argument("--change", choices=("wording", "meaning"), help="what the edit changes, where a layout asks")
    _acting(parser)


def _snooze(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("ids", nargs="+", metavar="ID")
    parser.add_argument("--until", required=True, metavar="DATE", help="the day on which they come back, YYYY-MM-DD")
    _acting(parser)


def _archive(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("ids", nargs="+", metavar="ID")
    _acting(parser)


def _renumber(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("ids", nargs=1, metavar="ID")
    parser.add_argument("--to", metavar="N", help="its new number (default: the next free one, here and on the default branch)")
    _acting(parser)


def _correct(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("ids", nargs=1, metavar="ID")
    parser.add_argument("--with", dest="replacement", metavar="TEXT", help="what holds now ('-' reads standard input)")
    parser.add_argument("--reason", metavar="WHY", help="why it holds now: for the fact, and for the log")
    parser.add_argument("--description", metavar="LINE", help="what the index says of it now, where that changes too")
    parser.add_argument("--source", metavar="PATH[:LINE]", help="where the new text is from, for the log")
    _acting(parser)


def _reindex(parser: argparse.ArgumentParser) -> None:
    _acting(parser)


def _clear(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("paths", nargs="*", metavar="PATH", help="working files that go; without one, they are listed")
    _acting(parser)


def _compact(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("feature", nargs="?", metavar="FEATURE", help="the feature; without one, they are listed")
    parser.add_argument(
        "--draft", choices=("plain", "command"), default="plain",
        help="who drafts: plain, without any model; command, the one of the settings (agent.command)",
    )
    parser.add_argument("--text", metavar="FILE", help="the memory as you wrote it, instead of a draft ('-': standard input)")
    parser.add_argument("--edit", action="store_true", help="change the draft in the editor first")
    parser.add_argument(
        "--leave", action="append", default=[], metavar="N=REASON",
        help="leave an entry out, by its number in the account or its id, with the reason; N-M for several, 'rest' for all"
        " that the draft leaves out",
    )
    parser.add_argument("--print", action="store_true", help="print the draft alone, to be changed and given to --text")
    parser.add_argument(
        "--distil", action="store_true",
        help="have the command propose lines for the project's memory instead; promote takes each",
    )
    _acting(parser)


def _resolve(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("path", metavar="PATH", help="a memory file with git's conflict markers")
    sides = ("ours", "theirs", "both")
    parser.add_argument("--take", choices=sides, help="for all of its entries that nothing else answers")
    parser.add_argument("--part", action="append", default=[], metavar="N=SIDE", help="for the Nth entry: ours, theirs or both")
    parser.add_argument("--text", action="append", default=[], metavar="N=TEXT", help="a text of your own for the Nth")
    parser.add_argument("--stage", action="store_true", help="then git add just that file")
    _acting(parser)


def _forget(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("topic", metavar="TOPIC")
    parser.add_argument(
        "--mode", choices=("soft", "hard", "purge"), default="soft",
        help="soft leaves a tombstone that names the topic, hard one that doesn't, purge none (and takes the archive's too)",
    )
    _acting(parser)


def _undo(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("id", nargs="?", metavar="ID", help="a transaction (default: the newest not undone)")
    _acting(parser)


def _history(parser: argparse.ArgumentParser) -> None:
    group = parser.add_mutually_exclusive_group()
    group.add_argument("--show", metavar="ID", help="the diffs of one transaction")
    group.add_argument("--forget", metavar="ID", help="take one out of the history, texts and all")
    parser.add_argument("--yes", action="store_true", help="forget without asking")
    _format(parser)


def _recover(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--yes", action="store_true", help="finish or roll back without asking")
    choices = ("complete", "restore", "keep", "later")
    parser.add_argument("--choose", choices=choices, help="the answer where only a person can give one")
    _format(parser)


def _init(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("layout", nargs="?", metavar="LAYOUT", help="default: custodian")
    parser.add_argument("--path", metavar="DIR", help="where in the workspace (default: docs/memory)")
    parser.add_argument("--agents", action="store_true", help="also put the standing text for agents into AGENTS.md")
    parser.add_argument("--git", action="store_true", help="merge memory files by entry in git: attributes and merge driver")
    parser.add_argument("--hook", action="store_true", help="check what is staged before each commit: a pre-commit hook")
    _acting(parser)


def _merge_driver(parser: argparse.ArgumentParser) -> None:
    for name, sign, title in (
        ("base", "BASE", "%%O: what both sides had"), ("ours", "OURS", "%%A: our version, which takes the result"),
        ("theirs", "THEIRS", "%%B: their version"), ("path", "PATH", "%%P: the path that they are versions of"),
    ):
        parser.add_argument(name, metavar=sign, help=title)
    parser.add_argument("size", metavar="SIZE", nargs="?", default="7", help="%%L: the size of conflict markers")


def _config(parser: argparse.ArgumentParser) -> None:
    _format(parser)


def _completion(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("shell", choices=("bash", "zsh", "fish"), metavar="SHELL", help="bash, zsh or fish")


def _format(parser: argparse.ArgumentParser, choices: Sequence[str] = TEXT_JSON) -> None:
    parser.add_argument("--format", choices=choices, default="text")


def _acting(parser: argparse.ArgumentParser, formats: Sequence[str] = TEXT_JSON) -> None:
    parser.add_argument("--yes", action="store_true", help="apply without asking; planned under the lock")
    parser.add_argument("--as", dest="who", metavar="NAME", help="who decides; goes into the history (or MEMDESK_AS)")
    parser.add_argument("--dry-run", action="store_true", help="print the plan, change nothing")
    parser.add_argument("--answer", action="append", default=[], metavar="KEY=VALUE", help="an answer to one of its questions")
    _format(parser, formats)


def _text(parser: argparse.ArgumentParser, *names: str) -> None:
    for name in names:
        parser.add_argument(f"--{name}", metavar=_METAVARS.get(name, "TEXT"), help=_HELP[name])


def _complete(parser: argparse.ArgumentParser) -> None:
    """What an entry of protocol 0.6 and later has besides."""
    parser.add_argument("--subject", metavar="NAME", help="what it is about, by name or id of the registry")
    parser.add_argument("--facet", metavar="FACET", help="which side of its subject it is about, such as behavior")
    parser.add_argument(
        "--evidence", metavar="ITEM", action="append", default=[],
        help="what it rests on: user-confirmed, repo:PATH, doc:PATH, test:PATH, issue:#N, pr:#N; may come again",
    )


def _record(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--context", metavar="TEXT", help="of a record: what made a decision necessary (default: the reason)")
    parser.add_argument("--options", metavar="TEXT", help="of a record: the options that were considered")
    parser.add_argument("--consequences", metavar="TEXT", help="of a record: what follows from it")


_METAVARS = {"tag": "TAG", "area": "A", "source": "PATH[:LINE]", "reason": "WHY"}
_HELP = {
    "title": "its title (default: the candidate's first line)",
    "reason": "why",
    "scope": "what it holds for (default: the whole project)",
    "tag": "stated, observed, inferred or suggested",
    "area": "the area's name, with a destination that needs one",
    "source": "where it comes from",
}


def _whole(text: str) -> int:
    """A whole number from 1, of ASCII digits."""
    if text.isascii() and text.isdecimal() and 1 <= len(text) <= 9 and int(text) >= 1:
        return int(text)
    raise argparse.ArgumentTypeError(f"must be a whole number of 1 or more, not {text!r}")


COMMANDS: dict[str, tuple[str, Callable[[argparse.ArgumentParser], Any]]] = {
    "pack": ("what a task would load, and why", _pack),
    "recall": ("bounded evidence for a query, with its sources", _recall),
    "guide": ("the standing text for agents", _guide),
    "stores": ("the stores that are here, and what was not recognised", _stores),
    "entries": ("every entry of all stores", _entries),
    "inbox": ("the candidates of all stores, with their ids", _stores),
    "conflicts": ("entries that cannot all be current", _conflicts),
    "prune": ("what has rotted, and what could be done about it", _prune),
    "add": ("add a candidate", _add),
    "promote": ("take candidates to where they belong", _promote),
    "strike": ("supersede in place, with or without a replacement", _strike),
    "reject": ("take candidates out of the inbox", _reject),
    "merge": ("work a candidate into an entry", _merge),
    "edit": ("change an entry's own text", _edit),
    "snooze": ("put candidates aside until a date", _snooze),
    "archive": ("move whole entries to the archive", _archive),
    "renumber": ("give a decision record another number, with all that refers to it", _renumber),
    "correct": ("overwrite a fact in place, and say in the log what it was", _correct),
    "reindex": ("make the index's lines anew from the facts", _reindex),
    "clear": ("take working files out that served their task", _clear),
    "compact": ("make a feature's memory of its fragments and notes, and archive these", _compact),
    "resolve": ("resolve git's conflict markers entry by entry", _resolve),
    "forget": ("take a topic out: soft, hard or purge", _forget),
    "undo": ("take a transaction back", _undo),
    "history": ("the transactions, newest first", _history),
    "recover": ("finish or roll back an interrupted transaction", _recover),
    "init": ("make a store; never overwrites", _init),
    "merge-driver": ("what git calls to merge a memory file by entry", _merge_driver),
    "config": ("the effective settings with their origin", _config),
    "doctor": ("state folder, lock, git, watching, terminal, clipboard", _config),
    "completion": ("what teaches a shell to complete memdesk's words", _completion),
}
