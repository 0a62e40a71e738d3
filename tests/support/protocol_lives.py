"""Random verbs on stores of protocol 0.6 to 0.8: words that could break out of a field, and answers that are not all good."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from hypothesis import strategies as st

from memdesk.core.desk import Desk
from memdesk.core.layouts.base import Ask
from memdesk.core.model import Entry
from memdesk.core.plan import Request
from tests.support.protocol import FACETS, Store, Written
from tests.support.protocol_stores import EXPORT, FORMS, NETWORK, STORAGE
from tests.support.stores import MEMORY

VERBS = (
    "add", "promote", "promote", "promote", "promote", "strike", "strike", "reject", "merge", "merge", "edit", "archive",
    "forget",
)  # fmt: skip
# Labels, headings, bullets, fences, strikes, comments: what a field's text must not become.
TEXTS = st.sampled_from([
    "Herons nest late.", "Count at dawn\n\n- first\n- then the gulls", "Zo\u00eb's lamp is `~~broken~~`.", "x",
    "A fence:\n\n```\n## no heading\nStatus: none\n```", "Status: active", "First\nReason: hidden", "Evidence:\n- none",
    "\u5b58\u50a8 first", "a --> b",
    "## MC-DEC-20260101-00000000 \u2014 Not one", "Scope: project\nSubject: mine", "Look: at this", "> quoted\n> Reason: no",
    "Supersedes: MC-DEC-20260729-d0000003", "Candidate-Type: rule", "Title\n=====", "1. one\n2. two", "**Reason:** x",
    "  indented\n\n    code", "It was said.\n\nReason: because", "- Evidence:\n- Status: none",
])  # fmt: skip
TITLES = st.sampled_from([
    "", "", "A title of its own", "Tombstone: x", "MC-DEC-20260101-00000000 \u2014 y", "a # b #", "Zo\u00eb \u2014 z", "~~s~~",
    "b: c",
])  # fmt: skip
REASONS = st.sampled_from([
    "because", "because", "It was so: seen twice.", "Reason: again", "One.\n\nTwo.", "Status: active", "- a\n- b", "",
])  # fmt: skip
_GOOD = ("user-confirmed", "repo:src/count.py", "doc:docs/architecture.md", "test:tests/test_count.py", "issue:#7", "pr:#9")
_BAD = ("", "agent-observed", "repo:src/nowhere.py", "said so", "repo:../outside", "user-confirmed\nrumour")
_SEVERAL = st.lists(st.sampled_from(_GOOD), min_size=1, max_size=3, unique=True).map("\n".join)
EVIDENCE = st.one_of(_SEVERAL, _SEVERAL, _SEVERAL, st.sampled_from(_BAD))
SUBJECTS = st.sampled_from([
    STORAGE, EXPORT, NETWORK, FORMS, FORMS, "Entry forms", "Counts on disk", "MC-SUBJ-20260101-00000000", "Storge", "",
])  # fmt: skip
_ANSWERS: Mapping[str, st.SearchStrategy[str]] = {
    "title": TITLES, "reason": REASONS, "with": TEXTS, "subject": SUBJECTS, "facet": st.sampled_from([*FACETS, "colour", ""]),
    "new_subject": st.sampled_from(["", "", "", "Forms of paper", "network", "Zo\u00eb's \u2014 lamp"]), "evidence": EVIDENCE,
    "scope": st.sampled_from(["", "", "project", "area:storage"]), "lasting": st.just(""), "derivable": st.just(""),
    "reconsider": st.sampled_from(["", "2027-01-01", "when sites have a network", "Status: active"]),
    "tombstone": st.sampled_from(["no", "yes"]), "requirement": st.sampled_from(["yes", "yes", "yes", "no"]),
    "area": st.sampled_from(["fresh", "Zo\u00eb s"]), "rule": st.just("fresh"), "profile": st.just("fresh"),
    "applies": st.sampled_from(["", "when birds are counted", "Status: active"]),
}  # fmt: skip


def chosen(draw: st.DataObject, desk: Desk) -> Request | None:
    """A request that fits what is there; None where nothing is."""
    verb = draw.draw(st.sampled_from(VERBS), label="verb")
    candidates = desk.candidates()
    others = [entry for entry in desk.workspace.entries() if not entry.candidate and entry.role != "changelog"]
    holding = [entry for entry in others if not entry.struck and "id" in entry.fields and entry.role != "subjects"] or others

    def one(entries: list[Entry]) -> Entry:
        return draw.draw(st.sampled_from(entries), label="entry")

    if verb == "add":
        return Request(verb, (), _added(draw), store=MEMORY, person=draw.draw(st.booleans(), label="person"))
    if verb == "forget":
        words = {"topic": draw.draw(st.sampled_from(["herons", "network", "pickle", "spreadsheet"])), "confirmed": "yes"}
        words["mode"] = draw.draw(st.sampled_from(["soft", "hard"]))
        return Request(verb, (), words, store=MEMORY, person=True)
    if not candidates and verb in ("promote", "merge"):
        return None
    entry = one(candidates if verb in ("promote", "merge") else holding if verb == "strike" else [*candidates, *others])
    if verb == "promote":
        place = draw.draw(st.sampled_from(desk.destinations((entry.id,))), label="to")
        return Request(verb, (entry.id,), {**_answered(draw, place.asks), "to": place.id}, person=True)
    asks = [ask for ask in desk.asks(verb, (entry.id,)) if (verb, ask.field) not in {("merge", "into"), ("merge", "text")}]
    words = _answered(draw, asks)
    if verb == "merge":
        words["into"] = one(draw.draw(st.sampled_from([holding, holding, others]))).id
    if verb == "edit":
        more = st.sampled_from([" and more", "\n\nA paragraph.", "!", "\n\nStatus: none", "\nReason: more", "\n\nReason:\nx"])
        words["text"] = entry.text.rstrip("\n") + draw.draw(more)
    return Request(verb, (entry.id,), words, person=True)


def _answered(draw: st.DataObject, asks: Iterable[Ask]) -> dict[str, str]:
    words = {ask.field: draw.draw(_answer(ask), label=ask.field) for ask in asks}
    return {field: text for field, text in words.items() if text}


def _answer(ask: Ask) -> st.SearchStrategy[str]:
    if ask.field == "text":
        return st.one_of(st.just(ask.default), TEXTS)
    return _ANSWERS[ask.field] if ask.field in _ANSWERS else st.sampled_from(ask.choices or (ask.default, "x"))


def _added(draw: st.DataObject) -> dict[str, str]:
    choices = {
        "kind": ("", "decision", "constraint", "preference", "tombstone"), "tag": ("", "observed", "inferred"),
        "source": ("", "src/count.py:3", "issue 7"), "area": ("", "storage"), "subject": ("", "", "Storage"),
        "evidence": ("", "agent-observed", "user-confirmed", "repo:src/count.py", "rumour"), "facet": ("", "", "behavior"),
    }  # fmt: skip
    words = {"text": draw.draw(TEXTS), "reason": draw.draw(REASONS)}
    words |= {field: draw.draw(st.sampled_from(several), label=field) for field, several in choices.items()}
    return {field: text for field, text in words.items() if text}


def raw(store: Store, entry: Written) -> bytes:
    """An entry's own bytes, with the file's line endings."""
    lines = store.files[entry.path].split(b"\n")
    return b"\n".join(lines[entry.line - 1 : entry.line - 1 + len(entry.text.split("\n"))]).rstrip()
