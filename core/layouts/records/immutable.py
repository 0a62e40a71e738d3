"""An accepted record stays as it was decided: only its status and relation lines change (docs/records.md)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from memdesk.core.checks.rule import CheckContext, Checked, Rule
from memdesk.core.errors import GitError
from memdesk.core.layouts.records import earlier, links, numbers, statuses, statuslines
from memdesk.core.layouts.records.kept import NAME
from memdesk.core.layouts.records.read import title_of
from memdesk.core.layouts.texts import shown
from memdesk.core.lean import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from memdesk.core.gitdiff import FileChange
    from memdesk.core.model import Document, Finding

Lines = list[tuple[int, str]]  # (1-based line, text)
ALIKE = 0.6  # the part of two files' lines that is the same, from which on one is the other, renamed


def adr_immutable(context: CheckContext) -> Checked:
    """Records that were accepted where the branch began: their text is what it was."""
    if context.change is None:
        return context.without_change()
    try:
        found = earlier.since(context)
    except GitError as error:
        return earlier.failed(error)
    changes = list(found.change.files)
    if context.change.base is not None:
        # The base's newest text counts, of the files that this branch touched: others it merely does not have yet.
        touched = {change.old_path or change.path for change in changes if change.status != "added"}
        changes = [change for change in context.change.files if not touched.isdisjoint(_paths(change))]
    changed = {path for change in (*changes, *found.change.files) for path in _paths(change)}
    checked = sum(
        document.path not in changed and bool(document.entries) and document.entries[0].status in statuses.CURRENT
        for document in context.documents if document.place.role == "record"
    )
    accepted = list(_accepted(context, changes))
    moves = _moves(context, accepted, changes)
    findings = [finding for one in accepted if (finding := _judged(context, one, moves)) is not None]
    return Checked(checked + len(accepted), findings, also=earlier.against(found))


class _Accepted(NamedTuple):
    """A record that was accepted, and that the change touches."""

    change: FileChange
    document: Document  # as it was


def _paths(change: FileChange) -> set[str]:
    return {change.path, change.old_path or change.path}


def _accepted(context: CheckContext, changes: Iterable[FileChange]) -> Iterator[_Accepted]:
    for change in changes:
        path = change.old_path or change.path
        if change.status in ("added", "mode", "submodule") or not earlier.is_record(context.store, path):
            continue
        document = earlier.old(context, change)
        if document.entries and document.entries[0].status in statuses.CURRENT:
            yield _Accepted(change, document)


def _moves(context: CheckContext, accepted: list[_Accepted], changes: Iterable[FileChange]) -> dict[str, str]:
    """Old path -> new path of each file that went: as git tells, else by its text or title among those that came."""
    changes = list(changes)
    moves = {
        change.old_path: change.path for change in changes
        if change.status == "renamed" and change.old_path and earlier.is_record(context.store, change.old_path)
    }
    gone = [one.document for one in accepted if one.document.path not in moves]
    gone = [document for document in gone if earlier.data(context, document.path) is None]
    if not gone:
        return moves
    came: dict[str, list[str]] = {}
    for change in changes:
        if change.status == "added" and earlier.is_record(context.store, change.path):
            data = earlier.data(context, change.path) or b""
            came[change.path] = [text for _, text in frozen(earlier.record(context.store, change.path, data))]
    for document in gone:
        to = _found_again(document, came)
        if to is not None:
            moves[document.path] = to
            del came[to]
    return moves


def _found_again(document: Document, came: dict[str, list[str]]) -> str | None:
    """The path among those that came at which a file that went is now: one of its text, of its title, of most of its lines."""
    body = [text for _, text in frozen(document)]
    for path, text in came.items():
        if text == body:
            return path
    for path in came:
        if _slug(path) == _slug(document.path):
            return path
    from difflib import SequenceMatcher

    matcher = SequenceMatcher(None, b=body, autojunk=False)
    for path, text in came.items():
        if 2 * min(len(text), len(body)) < ALIKE * (len(text) + len(body)):
            continue
        matcher.set_seq1(text)
        if matcher.quick_ratio() >= ALIKE and matcher.ratio() >= ALIKE:
            return path
    return None


def _judged(context: CheckContext, one: _Accepted, moves: dict[str, str]) -> Finding | None:
    path = one.document.path
    now = moves.get(path, path)
    data = earlier.data(context, now)
    was = "" if now == path else f" (it was {path})"
    if data is None:
        deed = "is no file any more" if one.change.status == "retyped" else "is deleted"
        return ADR_IMMUTABLE.finding(path, None, f"An accepted record {deed}.", _GONE)
    if not earlier.is_record(context.store, now):
        return ADR_IMMUTABLE.finding(path, None, f"An accepted record is no record any more: it went to {now}.", _GONE)
    place = _difference(one.document, earlier.record(context.store, now, data), moves)
    if place is None:
        return None
    line, before, after = place
    if not before:
        words = f"{shown(after, 60)!r} came in"
    elif not after:
        words = f"{shown(before, 60)!r} went"
    else:
        words = f"{shown(before, 60)!r} became {shown(after, 60)!r}"
    return ADR_IMMUTABLE.finding(now, line, f"The text of an accepted record changed{was}: {words}.")


def _difference(old: Document, new: Document, moves: dict[str, str]) -> tuple[int, str, str] | None:
    """Where the texts first differ: (line now, the text before, the text now). A record that was moved has another number
    in its title, and those that refer to it name it anew: that alters nothing that was decided."""
    renumbered = numbers.number(old.path) != numbers.number(new.path)
    before, after = frozen(old, renumbered), frozen(new, renumbered)
    for (_, one), (line, other) in zip(before, after, strict=False):
        if one != other and _follow(one, moves) != _follow(other, moves):
            return line, one, other
    if len(before) > len(after):
        return (after[-1][0] if after else 1), _first(before[len(after) :])[1], ""
    if len(after) > len(before):
        line, text = _first(after[len(before) :])
        return line, "", text
    return None


def _first(lines: Lines) -> tuple[int, str]:
    """The first of some lines that is not blank; there is one, since a text doesn't end with blank lines."""
    return next((line, text) for line, text in lines if text.strip())


def frozen(document: Document, untitled: bool = False) -> Lines:
    """The lines of a record that nothing may change once it is accepted: without those of status, date and relations, and
    line endings; several blank lines are one. `untitled`: without the number in its title."""
    page = document.page
    spans = statuslines.in_page(page).spans
    title = next((block for block in page.blocks if block.kind == "heading" and not block.depth), None)
    found: Lines = []
    at, line = page.bom, 0
    blank = True
    while at < len(document.data):
        stop = document.data.find(b"\n", at)
        stop = len(document.data) if stop < 0 else stop + 1
        line += 1
        if not any(start <= at < end for start, end in spans):
            text = document.data[at:stop].decode("utf-8", "surrogateescape").rstrip("\r\n")
            if untitled and title is not None and title.line == line:
                text = title_of(document, numbers.digits(document.path))
            if text.strip() or not blank:
                found.append((line, text))
            blank = not text.strip()
        at = stop
    while found and not found[-1][1].strip():
        found.pop()
    return found


def _follow(text: str, moves: dict[str, str]) -> str:
    """A line in which what refers to a record that was moved names it as it is called now."""
    out = []
    at = 0
    for ref in links.references(text):
        said = text[ref.start : ref.end]
        for old, new in moves.items():
            number, now = numbers.number(old), numbers.number(new)
            said = said.replace(old.rpartition("/")[2], new.rpartition("/")[2])
            if number is not None and now is not None:
                said = re.sub(rf"(?<![0-9])0*(?:{number}|{now})(?![0-9])", str(now), said)
        out += [text[at : ref.start], said]
        at = ref.end
    return "".join((*out, text[at:]))


def _slug(path: str) -> str:
    return path.rpartition("/")[2].lstrip("0123456789")


_GONE = "Bring it back. What no longer holds is superseded by a new record; the old one stays, to be read."
ADR_IMMUTABLE = Rule(
    "adr-immutable", "error", "an accepted record whose text changed since the branch began, its status and relations aside",
    "Put the text back, and write a new record that supersedes this one.", "accepted records", adr_immutable, NAME,
    of_change=True,
)
RULES = (ADR_IMMUTABLE,)
