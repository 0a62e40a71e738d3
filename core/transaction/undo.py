"""The inverse of a transaction as a plan, mapped through what changed since."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence

from memdesk.core.errors import Refused
from memdesk.core.plan import Plan, Request, Step
from memdesk.core.transaction.chain import first
from memdesk.core.transaction.ground import Ground
from memdesk.core.transaction.history import History, Past
from memdesk.core.transaction.journal import Change, Journal
from memdesk.core.transaction.mapping import Moved, keeping, stays, taken_back
from memdesk.core.transaction.stamps import aligned, level

Read = Callable[[str], bytes | None]
"""(path) -> the bytes that are there now; None where nothing is."""

Note = Callable[[str, Read, str], Sequence[Step] | None]
"""(path of a log, how to read, text of a line) -> the steps that put it into the log as it is kept today (core/undoing.py)."""

Intact = Callable[[str, bytes, bytes, bytes, bytes], bool]
"""(path, before, after, now, result) -> whether `result` is `now` without what made `after` of `before` (core/undoing.py)."""

CHECKED = 100  # transactions whose files a listing looks at
READ = 1 << 18  # bytes that it reads again, entry by entry, where lines alone don't tell


def plan(
    history: History, ident: str | None, today: str, note: Note | None = None, intact: Intact | None = None
) -> Plan:
    """The inverse of a transaction (None: the newest that is in effect and no undo).

    Raises Refused where it was undone already, its texts are gone, or the files changed where it would have to, or so
    that it would not be `intact` any more, with what to undo first; UsageError for an unknown id.
    """
    past = history.past()
    if ident is None:
        chosen = _newest(past)
    else:
        full = history.find(ident)
        known = {item.id: item for item in past}
        chosen = known[full]
        while chosen.redone_by is not None:  # it is in effect by its redo: that is what has to be taken back
            chosen = known[chosen.redone_by]
    reason = obstacle(chosen)
    if reason:
        raise Refused(reason, remedy="memdesk history shows what can be undone.")
    journal = history.journal(chosen.id)
    if journal.purged:  # this very moment
        raise Refused(_PURGED, remedy="memdesk history shows what can be undone.")
    redo = _depth(journal, past) % 2 == 1
    said = _said(journal.summary, redo)
    steps: list[Step] = []
    warnings: list[str] = []
    logs: set[str] = set()
    for item in journal.changes:
        logged = item.path in journal.log_only
        try:
            if logged:
                found = _logged(history.ground, item, said, today, note, intact)
            else:
                step = _inverse(history.ground, item, intact)
                found = [] if step is None else [_exact(step, item, history, past, chosen)]
        except Uprooted as error:
            raise _told(error, _later(history, past, chosen, item, intact)) from None
        steps += (step for step in found if step.path not in logs)
        if logged:
            logs |= {step.path for step in found}
        if not found:
            warnings.append(f"{item.path} already is as it was before.")
    if not [step for step in steps if step.path not in logs] and not set(journal.paths) <= set(journal.log_only):
        raise Refused(_ALREADY, remedy="There is nothing to undo.")
    files = sum(step.kind != "mkdir" for step in steps)
    return Plan(
        request=Request("undo", words={"id": chosen.id}, person=True), summary=said,
        label=("Redo" if redo else "Undo") + f" · {files} file" + ("s" if files != 1 else ""), steps=tuple(steps),
        warnings=tuple(warnings), undoes=chosen.id, log_only=frozenset(logs),
    )


def _exact(step: Step, item: Change, history: History, past: list[Past], chosen: Past) -> Step:
    """The step that leaves just the bytes that were there, where nothing is left of all that was done to the file since."""
    if step.kind != "replace" or step.before is None or step.before == item.after:
        return step
    found = first(history, past, chosen, item.real, step.before)
    return step if found is None else step._replace(after=found)


class Uprooted(Refused):
    """What a change made, or what stood around it, isn't what it was: by a later transaction, or by hand."""


def obstacle(past: Past) -> str | None:
    """Why a transaction can't be undone, as far as the history alone tells; None otherwise."""
    if past.journal is None:
        return "Its journal cannot be read."
    if past.outcome != "committed":
        return past.message or "It was interrupted and not committed."
    if past.undone_by is not None:
        return f"It was undone by {past.undone_by}." if past.undone_by else "It was undone already."
    if past.journal.purged:
        return _PURGED
    return None


def changed_since(ground: Ground, journal: Journal, intact: Intact | None = None) -> str | None:
    """Why it can't be taken back any more, for one journal with its bytes: what `plan` would say, but for what to undo
    first. None: it can."""
    steps = 0
    try:
        for item in journal.changes:
            if item.path not in journal.log_only:
                steps += _inverse(ground, item, intact) is not None
            elif not _only_adds(item.before or b"", item.after or b""):
                _logged(ground, item, "", "", None, intact)
    except Refused as error:
        return str(error)
    except OSError as error:
        return f"{error.filename or 'A file'} cannot be read: {error.strerror}."
    return _ALREADY if not steps and not set(journal.paths) <= set(journal.log_only) else None


def quick(intact: Intact) -> Intact:
    """`intact` for a listing: what stays below its heading is taken to be, and what is beyond `READ` bytes in all too."""
    left = READ

    def judge(path: str, before: bytes, after: bytes, now: bytes, result: bytes) -> bool:
        nonlocal left
        if stays(before, after, now):
            return True
        left -= len(now)
        return left < 0 or intact(path, before, after, now, result)

    return judge


def _newest(past: list[Past]) -> Past:
    known = {item.id: item for item in past}
    for item in past:
        if item.journal is not None and item.outcome == "committed" and item.undone_by is None:
            depth, at = 0, item.journal
            while at.undoes is not None:
                depth += 1
                below = known.get(at.undoes)
                if below is None or below.journal is None:
                    break
                at = below.journal
            if depth % 2 == 0:
                return item
    raise Refused("There is nothing to undo.", remedy="memdesk history lists what was done here.")


def _depth(journal: Journal, past: list[Past]) -> int:
    known = {item.id: item.journal for item in past}
    depth = 0
    at: Journal | None = journal
    while at is not None and at.undoes is not None:
        depth += 1
        at = known.get(at.undoes)
    return depth


def _told(error: Uprooted, later: Past | None) -> Refused:
    """The refusal, with the transaction to undo first where one is to blame."""
    if later is None or later.journal is None:
        return error
    return Refused(
        f"{error.message.rstrip('.')}: undo {later.id} first ({later.journal.summary.rstrip('.')}).", path=error.path,
        line=error.line,
    )


def _later(history: History, past: list[Past], chosen: Past, item: Change, intact: Intact | None) -> Past | None:
    """The first later transaction in effect after which the change could no longer be taken back from its file."""
    newer = past[: next(number for number, one in enumerate(past) if one.id == chosen.id)]
    mutual = {one.id for one in newer if one.undone_by is not None}  # with what undid them, they changed nothing
    for one in reversed(newer):
        header = one.journal
        if header is None or one.outcome != "committed" or one.undone_by is not None or header.undoes in mutual:
            continue
        if header.purged or item.real not in {change.real for change in header.changes}:
            continue
        theirs = next(change for change in history.journal(one.id).changes if change.real == item.real)
        if theirs.after is None or not _can_go(item, theirs.after, intact):
            return one
    return None


def _can_go(item: Change, now: bytes, intact: Intact | None) -> bool:
    if item.before is None or item.after is None:
        return now == item.after
    before, after = aligned(item.before, item.after, now)
    try:
        result = taken_back(before, after, now)
    except Moved:
        return False
    return intact is None or now == item.after or _means_it(intact, item, now, result)


def _inverse(ground: Ground, item: Change, intact: Intact | None = None) -> Step | None:
    """The step that takes one change back; None where the file is as before already. Raises Refused, OSError."""
    path = ground.target(item.real)
    found = ground.files.stat(path)
    if found is not None and found.kind != "file":
        raise Refused("This is no regular file any more.", path=item.path, remedy="Move it out of the way.")
    now = None if found is None else ground.files.read(path)
    if now == item.before:
        return None
    if item.before is None:
        if now is None or now == item.after:
            return None if now is None else Step("delete", item.path, now, None)
        raise Uprooted("The file was made by it, and was changed since.", path=item.path, remedy="Take it out by hand.")
    if item.after is None:
        if now is None:
            return Step("create", item.path, None, item.before, item.mode)
        raise Refused("A new file has the name of the one that it deleted.", path=item.path, remedy="Move that one away first.")
    if now is None:
        raise Refused("The file was deleted since.", path=item.path, remedy="Bring it back with git, then undo.")
    before, after = aligned(item.before, item.after, now)
    try:
        result = taken_back(before, after, now)
    except Moved as error:
        raise Uprooted("What it wrote was changed since.", path=item.path, line=error.line, remedy=_BY_HAND) from None
    if intact is not None and now != item.after and not _means_it(intact, item, now, result):
        raise Uprooted("Its surroundings changed since.", path=item.path, remedy=_BY_HAND)
    return None if result == now else Step("replace", item.path, now, result)


def _means_it(intact: Intact, item: Change, now: bytes, result: bytes) -> bool:
    """Whether a result is what is there now without the change, the line aside that says when the file was changed: from that
    entries without a date have theirs."""
    assert item.before is not None
    assert item.after is not None
    return intact(item.path, level(item.before, now), level(item.after, now), now, level(result, now))


_PURGED = "Its texts were purged."
_ALREADY = "All files are already as they were before it."
_BY_HAND = "Edit the file instead; the old texts are in the history."
_BOM = b"\xef\xbb\xbf"
_DATED = re.compile(rb"^##[ \t]+(\d{4}-\d\d-\d\d)[ \t]*\r?$", re.M)


def _logged(
    ground: Ground, item: Change, said: str, today: str, note: Note | None, intact: Intact | None
) -> list[Step]:
    """An append-only log keeps its lines and gets one more: that of today, where a day has a file. If its own lines were
    taken out, they come back instead."""
    now = ground.read(ground.target(item.real))
    if now is not None and item.after is not None and not _only_adds(item.before or b"", item.after):
        step = _restored(item, now, intact)
        return [] if step is None else [step]
    steps = None if note is None else note(item.path, lambda path: _there(ground, path), said)
    if steps is not None:
        return list(steps)
    if now is None or item.after is None:
        return []
    return [Step("replace", item.path, now, _with_line(now, item, said, today))]


def _there(ground: Ground, path: str) -> bytes | None:
    """What is read at a workspace-relative path now; None where no file is."""
    real = ground.files.resolve(ground.target(path))
    found = ground.files.stat(real)
    return ground.files.read(real) if found is not None and found.kind == "file" else None


def _only_adds(before: bytes, after: bytes) -> bool:
    """Whether all lines of before are there after. A byte order mark is no part of the line that it happens to stand in."""
    texts = (before.removeprefix(_BOM), after.removeprefix(_BOM))
    lines = [Counter(line.rstrip() for line in data.split(b"\n") if line.strip()) for data in texts]
    return lines[0] <= lines[1]


def _restored(item: Change, now: bytes, intact: Intact | None) -> Step | None:
    """A log without the change. The day's heading that the change made stays where other lines have come under it."""
    before, after = item.before or b"", item.after or b""
    line = 0
    for wanted in (before, keeping(before, after, _DATED)):
        try:
            result = taken_back(wanted, after, now)
        except Moved as error:
            line = error.line
            continue
        if intact is None or now == after or intact(item.path, before, after, now, result):
            return None if result == now else Step("replace", item.path, now, result)
    if line:
        raise Uprooted("What it wrote was changed since.", path=item.path, line=line, remedy=_BY_HAND)
    raise Uprooted("Its surroundings changed since.", path=item.path, remedy=_BY_HAND)


def _with_line(now: bytes, item: Change, said: str, today: str) -> bytes:
    """A bullet where the log's newest are: under today's heading at the top of one with dated headings, else at the end."""
    ending = b"\r\n" if now.count(b"\r\n") * 2 > now.count(b"\n") else b"\n"
    bullet = b"- " + " ".join(said.split()).encode("utf-8", "surrogateescape") + ending
    dated = _DATED.search(now)
    before = item.before or b""
    # One that had dated headings and took the line at its end grows there; one that got its first heading tells nothing.
    at_end = _DATED.search(before) is not None and (item.after or b"").startswith(before.rstrip(b"\r\n"))
    if dated is None or at_end:
        gap = b"" if not now or now.endswith(b"\n") else ending
        return now + gap + bullet
    if dated.group(1).decode() != today:
        heading = b"## " + today.encode() + ending + ending
        return now[: dated.start()] + heading + bullet + ending + now[dated.start() :]
    start = now.find(b"\n", dated.start()) + 1 or len(now)
    while now[start : start + 2] == b"\r\n" or now[start : start + 1] == b"\n":
        start += 2 if now[start : start + 1] == b"\r" else 1
    return now[:start] + bullet + now[start:]


def _said(summary: str, redo: bool) -> str:
    """`Undone: ...`, and `Redone: ...` for an undo that is undone; never both before one text."""
    for word in ("Undone: ", "Redone: "):
        summary = summary.removeprefix(word)
    return ("Redone: " if redo else "Undone: ") + summary
