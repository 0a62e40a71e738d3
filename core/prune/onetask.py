"""Notes of one task in durable files. Only meaning can tell, so forms alone are a hint: what points at a moment (`today`,
`this branch`), at one piece of work (a ticket, a checkbox), or at what is still to be done."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from memdesk.core import conflicts, layouts, strikes
from memdesk.core.near import stated
from memdesk.core.patterns import lazy
from memdesk.core.prune.look import Look, place

if TYPE_CHECKING:
    from memdesk.core.model import Entry
    from memdesk.core.prune.proposal import Proposal

KIND = "task-specific"
LONGEST = 10_000  # bytes of an entry; a longer one is no note
ENOUGH = 2  # signs of different kinds before one entry is proposed; a strong one is enough by itself


def of_one_task(look: Look) -> Iterator[Proposal]:
    """Entries of durable files that read as a note of one task. A rule about such notes, which says what is always or never
    done, is none; nor is a tombstone, nor a quoted word."""
    for document in look.spoken(KIND):
        layout = layouts.get(document.store.layout)
        if document.place.tier != "durable" or conflicts.is_tombstones(document) or not layout.pruned:
            continue
        for entry in document.entries:
            if entry.struck or entry.candidate or entry.end - entry.start > LONGEST or not _SCREEN.search(entry.raw):
                continue
            found = signs(_said(entry)) if layout.leaves(entry) else []
            if found:
                quoted = ", ".join(f"“{' '.join(said.split())}”" for said in found)
                evidence = [f"{place(entry)} says {quoted}: it may be of one task only."]
                yield from look.propose(KIND, [entry], evidence, reason="a note of one task")


def signs(text: str) -> list[str]:
    """What in a text speaks for a note of one task, where that is enough; else nothing."""
    plain = _QUOTED.sub(" ", strikes.mask_code(text))
    strong = _STRONG.search(plain)
    hits = [match for pattern in (_MOMENT, _WORK, _UNDONE, _SELF) if (match := pattern.search(plain))]
    if (strong is None and len(hits) < ENOUGH) or _GENERAL.search(plain):
        return []
    return [match[0].strip() for match in ([strong] if strong is not None else hits)]


_QUOTED = lazy(r"\"[^\"\n]{1,200}\"|“[^”\n]{1,200}”|'[^'\n]{1,80}'(?!\w)")
# What holds of every task is a rule, whatever it is about.
_GENERAL = lazy(
    r"\b(?:never|always|every|each|must(?: not)?|don't|do not|should|only|any|all|whenever|no one|nobody|needs?|may(?: not)?)\b"
    r"|\bare (?:named|called|kept|written|closed|tagged|marked|forbidden|allowed)\b|\bnot? (?:longer )?(?:used|allowed|kept)\b",
    re.IGNORECASE,
)
_STRONG = lazy(
    r"(?:^|\n)[ \t]*(?:[-*+][ \t]+)?\[ \][ \t]"
    r"|\b(?:this|the current) (?:branch|pull request|pr|ticket|task|session|sprint|commit)\b"
    r"|\b(?:wip|work in progress)\b:?|\b(?:left to do|still to do|to be continued|pick up (?:here|from here|tomorrow))\b"
    r"|(?:^|\n)[ \t]*(?:[-*+][ \t]+)?(?:todo|fixme|next step|next up|status)\b[ \t]*:", re.IGNORECASE,
)
_MOMENT = lazy(
    r"\b(?:today|tomorrow|yesterday|right now|for now|at the moment|currently|this (?:morning|afternoon|week|evening)"
    r"|last night|next week|by (?:monday|tuesday|wednesday|thursday|friday)|so far|not yet|temporarily)\b", re.IGNORECASE,
)
_WORK = lazy(
    r"(?<![\w/])#[0-9]{1,6}\b|\b(?:[Pp][Rr]|[Ii]ssue|[Tt]icket|[Tt]ask|[Pp]ull request|[Bb]ug)[ -]?#?[0-9]{1,6}\b"
    r"|\b(?!ADR|RFC|ISO|UTF|SHA|MC)[A-Z]{2,8}-[0-9]{1,6}\b|\bbranch \w"
)
_UNDONE = lazy(
    r"\b(?:todo|still (?:fails?|failing|broken|missing|open|need)|remaining|half[- ]finished|unfinished|in progress|debugging"
    r"|trying|tried|to finish|waiting for|blocked (?:on|by)|rerun|re-run|rebase|merge conflict|check again|revert this)\b",
    re.IGNORECASE,
)
_SELF = lazy(r"\b(?:i'm|i am|i've|i'll|we're (?:now|about)|we are now|let me|my (?:branch|change|fix|patch))\b", re.IGNORECASE)
_SCREEN = lazy(
    rb"(?i)\[ \]|#[0-9]|this |current|\bwip\b|work in|todo|fixme|\bnext\b|status|to(?:day|morrow)|yesterday|\bnow\b|moment"
    rb"|last night|so far|yet\b|temporar|[a-z][- ]#?[0-9]|(?:pr|issue|ticket|task|request|bug)[0-9]|branch|still"
    rb"|remaining|finish|progress|debugging|\btr(?:y|ied)"
    rb"|waiting|blocked|re-?run|rebase|conflict|again|revert|\bi'|\bi am|to do\b|continued|pick up|we'?re|we are|let me|\bmy "
)


def _said(entry: Entry) -> str:
    """What an entry says, without its tag and the bracket that says where it is from. Of one with an id, what stands below the
    labels of all of them, such as `Status:`, says nothing of it."""
    if entry.fields.get("id") and (said := stated(entry)):
        return "\n\n".join((*said, entry.fields.get("reason", "")))
    return entry.fields.get("text") or entry.text
