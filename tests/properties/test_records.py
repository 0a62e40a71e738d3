"""Whatever a record or a glossary holds: its spans are whole lines in order, and line endings change nothing that it says."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memdesk.core.layouts.records import statuses, statuslines
from memdesk.core.model import Document, Entry, Place
from tests.support.recorded import RECORD, document

GLOSSARY = Place("glossary", "durable")
LINES = st.sampled_from([
    "", "", "# 7. Title", "## Status", "## Status: Draft", "Status", "------", "## Context", "### Options", "Accepted",
    "Superseded by",
    "[ADR-0009](0009-y.md)", "Superseded by ADR 9, 2026-05-02", "Supersedes [4. Use", "X](0004-use-x.md)", "Amends ADR 3 and 4",
    "* Status: accepted", "- **Supersedes**: 3", "**Status:** Rejected", "**Status: draft.** Text", "**Superseded by:** none",
    "Date: 2026-05-02", "status: accepted", "supersedes:", "  - 3", "---", "```", "~~~", "<!--", "-->", "> quote", "    code",
    "text",
    "**Site**: A place.", "- **Count** — seen", "_Avoid_: a, b", "| Term | x |", "|---|---|", "| Day | long |",
    "Night", ": dark",
    "## ~~Old~~", "- ~~**Gone**: x~~", "## Language", "### Word", "**Reason:** why", "\u2028", "é ~~x~~", "1. Status: accepted",
])  # fmt: skip
FRONTS = st.sampled_from([
    "", "", "---\nstatus: accepted # x\nsupersedes:\n  - 3\n  - ADR-0004\n---\n",
    "---\nStatus: 'superseded by [9](0009-y.md)'\n---\n",
    "---\ndate: 2026-05-02\nsuperseded_by: 9\n...\n",
])  # fmt: skip
TEXTS = st.tuples(FRONTS, st.lists(LINES, max_size=24).map("\n".join)).map("".join)


def whole_lines(found: Document, start: int, end: int) -> bool:
    data = found.data
    first = 3 if data.startswith(b"\xef\xbb\xbf") else 0
    begins = start == first or data[start - 1 : start] == b"\n"
    return begins and (end == len(data) or data[end - 1 : end] == b"\n") and start < end


def said(entry: Entry) -> tuple[object, ...]:
    marks = (entry.struck, entry.candidate, entry.line)
    return (entry.heading, entry.status, entry.relations, entry.date, dict(entry.fields), *marks)


def looked_at(text: str) -> None:
    for place, path in ((RECORD, "docs/adr/0007-x.md"), (GLOSSARY, "CONTEXT.md")):
        found = document(text, path, place)
        last = 0
        for entry in found.entries:
            assert whole_lines(found, entry.start, entry.end)
            assert last <= entry.start
            last = entry.end
            assert entry.status is None or entry.status in statuses.KNOWN
            assert all(kind in statuses.KINDS and target for kind, target in entry.relations)
        for other in (text.replace("\n", "\r\n"), "\ufeff" + text):
            again = document(other, path, place)
            assert [said(entry) for entry in again.entries] == [said(entry) for entry in found.entries], other
            assert all(whole_lines(again, entry.start, entry.end) for entry in again.entries)
    lines = statuslines.find(document(text))
    for line in lines.lines:
        assert whole_lines(document(text), line.start, line.end)
        assert line.start <= line.value[0] <= line.value[1] <= line.end
    spans = lines.spans
    assert all(one[1] < two[0] for one, two in pairwise(spans))
    text = text.removeprefix("---\n")
    hidden = document(f"`````\n{text}\n`````\n")
    assert [entry.status for entry in hidden.entries] == [None]
    assert [entry.relations for entry in hidden.entries] == [()]
    assert document(f"`````\n{text}\n`````\n", "CONTEXT.md", GLOSSARY).entries == []


@given(TEXTS)
@settings(max_examples=25, deadline=None)
def test_records_and_glossaries(text: str) -> None:
    looked_at(text)


@pytest.mark.slow
@given(TEXTS)
@settings(max_examples=600, deadline=None)
def test_many_records_and_glossaries(text: str) -> None:
    looked_at(text)
