"""`memdesk --check`: its own reading of its words, since CI waits for it and argparse alone takes longer than a small store."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from memdesk.core.errors import MemdeskError, UsageError
from memdesk.core.lean import TYPE_CHECKING
from memdesk.tui.cli.output import json_result, readable, result, say
from memdesk.tui.cli.words import command_position
from memdesk.tui.report import check as report

if TYPE_CHECKING:
    from datetime import date

    from memdesk.core.checks.runner import Report
    from memdesk.core.model import Workspace

HELP = """\
usage: memdesk --check [ROOT]      (or: memdesk check [ROOT])

Runs the rules over the memory of the workspace that contains ROOT (default: here).
Exit codes: 0 nothing wrong, 1 errors found, 2 it could not do all that was asked.

  --staged            check what is staged, against HEAD
  --base REV          check the working tree, against REV
  --no-diff           look at no change; the rules about it are skipped
  --changed-only      report findings in changed files, and those elsewhere that the change caused (every rule still
                      runs over everything); the rest is counted
  --only RULE         run this rule (repeatable)
  --skip RULE         leave this rule out (repeatable)
  --baseline FILE     leave out the findings that FILE knows; say how many, and how many of it are gone
  --write-baseline FILE   write FILE: what is found now, and what it knows of rules and stores that don't run
  --strict            warnings are errors; what is only possible stays a warning
  --format FORMAT     text, json; for hosts of CI: github (annotations), sarif, junit
  --list-rules        print every rule
  --explain RULE      print what a rule reports, why, the remedy, and examples
  --root DIR          the same as ROOT
  --store PATH        one store among several
  --config FILE       a settings file instead of the workspace's own
  --now DATE          today, YYYY-MM-DD[THH:MM[:SS]]
  --quiet             findings and the result alone
  --version, --help
"""


class Words:
    """The command line, read. A plain class: a NamedTuple of this size takes two milliseconds to make."""

    def __init__(self) -> None:
        self.root: str | None = None
        self.store: str | None = None
        self.config: str | None = None
        self.format = "text"
        self.now: str | None = None
        self.base: str | None = None
        self.explain: str | None = None
        self.baseline: str | None = None
        self.write_baseline: str | None = None
        self.only: list[str] = []
        self.skip: list[str] = []
        self.staged = False
        self.no_diff = False
        self.changed_only = False
        self.strict = False
        self.quiet = False
        self.list_rules = False
        self.help = False
        self.version = False
        self.check = False


_VALUES = {
    "--root": "root", "--store": "store", "--config": "config", "--format": "format", "--now": "now", "--base": "base",
    "--explain": "explain", "--baseline": "baseline", "--write-baseline": "write_baseline",
}
_LISTS = {"--only": "only", "--skip": "skip"}
_FLAGS = {
    "--staged": "staged", "--no-diff": "no_diff", "--changed-only": "changed_only", "--strict": "strict", "--quiet": "quiet",
    "--list-rules": "list_rules", "--help": "help", "-h": "help", "--version": "version", "--check": "check",
}


def main(argv: Sequence[str]) -> int:
    """Runs a check as the words say and prints its report; the exit code."""
    import gc

    words = list(argv)
    position = command_position(words)
    if position is not None:
        del words[position]
    collecting = gc.isenabled()
    gc.disable()  # the process ends with the check: what is thrown away on the way isn't worth looking for
    try:
        return run(read(words))
    except MemdeskError as error:
        sys.stdout.flush()  # what could be done comes before what could not
        _tell(str(error))
        return error.exit_code
    finally:
        if collecting:
            gc.enable()


def run(asked: Words) -> int:
    """Prints what was asked for; the exit code."""
    if asked.help:
        result(HELP)
        return 0
    if asked.version:
        from memdesk import __version__

        result(f"memdesk {__version__}")
        return 0
    if asked.list_rules or asked.explain is not None:
        return _rules(asked)
    return _check(asked)


def read(argv: Sequence[str]) -> Words:
    """The words of a check. Raises UsageError for one that is unknown (with the nearest), incomplete or at odds."""
    asked = Words()
    roots: list[str] = []
    words = list(argv)
    while words:
        word = words.pop(0)
        if word == "--":
            roots += words
            break
        if not word.startswith("-") or word == "-":
            roots.append(word)
            continue
        name, equals, given = word.partition("=")
        if name in _VALUES or name in _LISTS:
            if not equals and not words:
                raise UsageError(f"{name} needs a value.", remedy="See `memdesk check --help`.")
            text = given if equals else words.pop(0)
            if name in _LISTS:
                getattr(asked, _LISTS[name]).append(text)
            else:
                setattr(asked, _VALUES[name], text)
        elif name in _FLAGS and not equals:
            setattr(asked, _FLAGS[name], True)
        else:
            raise _unknown(name if name not in _FLAGS else word)
    if len(roots) > 1:
        raise UsageError(f"A check takes one ROOT, not {len(roots)}: {', '.join(roots)}.", remedy="Use --store for one store.")
    if roots:
        asked.root = roots[0]
    if asked.staged + asked.no_diff + (asked.base is not None) > 1:
        raise UsageError("--staged, --base and --no-diff exclude each other.")
    _known_format(asked.format)
    return asked


def _rules(asked: Words) -> int:
    """Prints the list of the rules, or one with its examples; a name that is none with the nearest, within 80 columns too."""
    from memdesk.core.checks import examples, registry
    from memdesk.tui.report import rules

    if asked.list_rules:
        result(rules.listing(registry.rules()))
        return 0
    try:
        rule = registry.find(asked.explain or "")
    except UsageError as error:
        say(*rules.wrapped(f"memdesk: {error}").split("\n"))
        return error.exit_code
    result(rules.explanation(rule, examples.of(rule)))
    return 0


def _check(asked: Words) -> int:
    from memdesk.core.checks import session

    mode = "staged" if asked.staged else "base" if asked.base is not None else "none" if asked.no_diff else "worktree"
    request = session.Asked(
        start=asked.root or ".", mode=mode, base=asked.base, only=asked.only, skip=asked.skip, strict=asked.strict,
        changed_only=asked.changed_only, store=asked.store, config=asked.config, baseline=asked.baseline,
        write_baseline=asked.write_baseline,
    )
    given = asked.now or os.environ.get("MEMDESK_NOW")
    try:
        done = session.check(request, _day(given) if given else _day)
    except MemdeskError as error:
        if asked.format in report.HOSTED:  # an empty file would be read as a check that found nothing, or not at all
            from memdesk.core.checks import runner

            _print(asked, runner.undone(error))
        raise
    _print(asked, done.report, done.workspace, done.prefix)
    for told in (*done.notices, *done.report.failures):
        _tell(told)
    return done.report.exit_code


def _print(asked: Words, found: Report, opened: Workspace | None = None, prefix: str = "") -> None:
    """The report in the format that is asked for."""
    if asked.format == "json":
        json_result(report.value(found))
    elif asked.format == "github":
        from memdesk.tui.report import github

        result(github.text(found, prefix, quiet=asked.quiet))
    elif asked.format == "sarif":
        from memdesk.tui.report import sarif

        json_result(sarif.value(found, opened, prefix))
    elif asked.format == "junit":
        from memdesk.tui.report import junit

        result(junit.text(found, prefix))
    else:
        readable(report.text(found, quiet=asked.quiet))


def _tell(text: str) -> None:
    """What could not be done, or is worth knowing."""
    say(f"memdesk: {text}")


def _day(given: str | None = None) -> date:
    """Today, or the given day. Most checks never ask: importing the calendar takes longer than many rules."""
    from memdesk.core.clock import clock

    return clock(given).today()


def _known_format(name: str) -> None:
    if name not in report.FORMATS:
        raise UsageError(f"There is no format {name!r}.", remedy=f"Use one of: {', '.join(report.FORMATS)}.")


def _unknown(name: str) -> MemdeskError:
    from difflib import get_close_matches

    near = get_close_matches(name, [*_VALUES, *_LISTS, *_FLAGS], n=1)
    return UsageError(
        f"A check has no option {name}.", remedy=(f"Did you mean {near[0]}? " if near else "") + "See `memdesk check --help`."
    )
