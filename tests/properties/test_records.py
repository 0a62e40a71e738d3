"""Records in made forms: a new status changes nothing outside the status lines, is read as it is meant, and undo leaves no
trace; a term goes into any glossary as one term more."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memdesk.core.clock import clock
from memdesk.core.desk import Desk
from memdesk.core.errors import Refused
from memdesk.core.layouts.records import statuslines
from memdesk.core.model import Document
from memdesk.core.plan import Request
from tests.support.stores import record, records_store, snapshot

FIRST, SECOND = "docs/adr/0001-csv.md", "docs/adr/0002-xml.md"
WORDS = st.sampled_from([
    "gulls", "late", "`x | y`", "*often*", "2026-01-14", "日本", "(north)", "accepted", "Status:", "ADR-0001", "<!-- c -->",
    "~~no~~", "**Date:**", "superseded by", "# no", "é\u0301", "\U0001f426",
])
LINE = st.lists(WORDS, min_size=1, max_size=5).map(lambda words: "It " + " ".join(words))
AFTER = st.sampled_from(["", ". Then more", " \u2014 2026-05-02", " (phases 1-4)", ", 2026-05-02", ", amends ADR-0001", "  "])
OPEN = st.sampled_from(["Proposed", "proposed", "Draft", "PROPOSED"])
FORMS = (
    "# XML\n\nDate: 2026-05-02\n\n## Status\n\n{}\n\n", "# XML\n\n## Status\n\n* {}\n\n", "# XML\n\n## Status: {}\n\n",
    "XML\n===\n\nStatus\n------\n{}\n\n", "# XML\n\n* Status: {}\n* Date: 2026-05-02\n\n", "# XML\n\n**Status:** {}\n\n",
    "# XML\n\n**Status: {}**\n\n", "# XML\n\nStatus: {}\nDate: 2026-05-02\n\n",
    "---\nowner: a # b\nstatus: '{}'\n# c\ndate: 2026-05-02\n---\n# XML\n\n", "---\nstatus: {}\n---\n\n# XML\n\n",
)
ENDS = st.sampled_from(["", "\n", "\n\n\n", "  \n"])


def desk(root: Path) -> Desk:
    return Desk.open(str(root), clock=clock("2026-11-30T04:02:51"), user_config=None)


def outside(document: Document) -> bytes:
    """A record without the lines of its status."""
    kept, at = b"", 0
    for start, end in statuslines.find(document).spans:
        kept += document.data[at:start]
        at = max(at, end)
    return kept + document.data[at:]


MADE = st.tuples(
    st.sampled_from(FORMS), OPEN, AFTER, st.lists(LINE, min_size=1, max_size=4), ENDS, st.booleans(), st.booleans(),
    st.sampled_from(["accepted", "rejected", "superseded"]),
)


@settings(max_examples=12)
@given(MADE)
def test_outside_the_status_lines_no_byte_changes(made: tuple[Any, ...]) -> None:
    changed(*made)


@pytest.mark.slow
@settings(max_examples=400)
@given(MADE)
def test_outside_the_status_lines_no_byte_changes_in_many(made: tuple[Any, ...]) -> None:
    changed(*made)


def changed(
    form: str, status: str, after: str, lines: list[str], ends: str, crlf: bool, bom: bool, becomes: str
) -> None:
    text = form.format(status + after) + "## Context\n\n" + "\n\n".join(lines) + ends
    data = ("\ufeff" * bom + (text.replace("\n", "\r\n") if crlf else text)).encode()
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        records_store(root, standard=False, **{FIRST: record(1, "CSV"), SECOND: data})
        opened = desk(root)
        before = opened.workspace.documents[SECOND]
        entry = before.entries[0]
        if not entry.candidate:  # such words as were made here are read as something else
            return
        images = snapshot(root)
        words = {"reason": "It is late"} if becomes == "rejected" else {"to": "adr"}
        try:
            if becomes == "superseded":  # as what another record is accepted instead of
                ident = opened.perform(
                    Request("add", (), {"text": "Use CBOR", "supersedes": "2", "reason": "It is short"}), "agent"
                ).plan.new_ids[0]
                request = Request("promote", (ident,), words, person=True)
            else:
                request = Request("reject" if becomes == "rejected" else "promote", (entry.id,), words, person=True)
            opened.perform(request, "Ada")
        except Refused:
            assert (root / SECOND).read_bytes() == data
            return
        now = opened.workspace.documents[SECOND]
        assert now.data != data
        assert outside(now) == outside(before)
        assert now.entries[0].status == becomes
        opened.commit(opened.undo(), "Ada")
        assert {path: snapshot(root)[path] for path in images} == images


TERMS = st.lists(
    st.sampled_from(["Site", "Count", "Ring", "Ärger", "north wind", "X-ray", "Zug"]), min_size=1, max_size=5, unique=True
)
KINDS = ("**{}**:\n{}\n\n", "**{}** \u2014 {}\n\n", "- **{}**: {}\n", "* **{}:** {}\n\n", "### {}\n\n{}\n\n", "{}\n: {}\n\n")


@settings(max_examples=12)
@given(TERMS, st.sampled_from(KINDS), LINE, st.booleans(), st.sampled_from(["", "\nThe end.\n", "\n## See also\n\nMore.\n"]))
def test_a_term_comes_in_as_one_more(terms: list[str], kind: str, text: str, crlf: bool, ends: str) -> None:
    head = "" if kind.startswith("#") else "# W\n\n## Language\n\n"
    before = head + "".join(kind.format(term, "It is one.") for term in terms) + ends
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        records_store(root, standard=False, **{
            "CONTEXT.md": before.replace("\n", "\r\n") if crlf else before,
            "docs/design/terms.md": f"# T\n\n- **Plot**: {text}\n",
        })
        opened = desk(root)
        images = snapshot(root)
        had = [entry.heading for entry in opened.workspace.documents["CONTEXT.md"].entries]
        (word,) = opened.candidates()
        try:
            opened.perform(Request("promote", (word.id,), {"to": "term"}, person=True), "Ada")
        except Refused:
            assert {path: snapshot(root)[path] for path in images} == images
            return
        now = [entry.heading for entry in opened.workspace.documents["CONTEXT.md"].entries]
        assert sorted(now) == sorted([*had, "Plot"])
        assert [name for name in now if name != "Plot"] == had
        kept = opened.workspace.documents["CONTEXT.md"].data
        assert (b"\n" in kept.replace(b"\r\n", b"")) is (not crlf)
        assert opened.candidates() == []
        opened.commit(opened.undo(), "Ada")
        assert {path: snapshot(root)[path] for path in images} == images
