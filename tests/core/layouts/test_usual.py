"""What a layout answers that says nothing of its own."""

from __future__ import annotations

from pathlib import Path

import pytest

from memdesk.core.errors import Refused, UsageError
from memdesk.core.layouts import booting, usual
from memdesk.core.layouts.values import Destination, LoadRequest
from memdesk.core.model import Document, Entry, Place, Store, Workspace
from memdesk.core.worktree import WorkTree

STORE = Store("tiers", "notes", "a test says so")


def entry(text: str, kind: str = "bullet", /, **known: str) -> Entry:
    """The one entry of a document, with these fields."""

    def read(document: Document) -> list[Entry]:
        return [Entry(document, kind=kind, start=0, end=len(document.data), line=1, end_line=1, heading="x", fields=known)]

    return Document("notes/a.md", STORE, Place("notes", "durable"), text.encode(), read).entries[0]


@pytest.mark.parametrize(("kind", "into", "text", "merged"), [
    ("bullet", "- One", "two", "- One\n  two"),
    ("bullet", "- One (from a.py)", "two\n\nthree", "- One\n  two\n\n  three (from a.py)"),
    ("bullet", "- One (from a.py)", "two:\n\n- three", "- One\n  two:\n\n  - three\n\n  (from a.py)"),
    ("bullet", "- One (as ever)", "two", "- One (as ever)\n  two"),
    ("bullet", "10. One (from a.py)", "two", "10. One\n    two (from a.py)"),
    ("bullet", "- One (from a.py)", " ONE ", "- One (from a.py)"),
    ("section", "## One\n\nOne.", "two", "## One\n\nOne.\n\ntwo"),
])
def test_a_merge_keeps_what_stands_in_a_bracket_at_the_end(kind: str, into: str, text: str, merged: str) -> None:
    assert usual.merged(entry(into, kind), "one", text) == merged


def test_an_entry_says_what_its_fields_say() -> None:
    known = {"text": "Counts are CSV. And more", "reason": "so", "scope": "all", "for": "constraint", "from": "a"}
    said = usual.said(entry("- One", **known))
    assert said == ("Counts are CSV", "Counts are CSV. And more", {"reason": "so", "scope": "all", "kind": "constraint"})
    assert usual.said(entry("- One\n  two")).text == "One\ntwo"
    assert usual.said(entry("## One\n\ntwo", "section", title="One")) == ("One", "## One\n\ntwo", {})


def test_an_unknown_destination_is_refused_with_those_known() -> None:
    known = [Destination("notes", "the notes", "notes/a.md"), Destination("log", "the log", "notes/b.md")]
    assert usual.destination(known, "log") is known[1]
    with pytest.raises(Refused, match="There is no destination 'logs'") as caught:
        usual.destination(known, "logs")
    assert (caught.value.field, caught.value.remedy) == ("to", "Known: notes, log.")


def test_an_index_and_what_is_durable_load_and_the_rest_says_why_it_stays(tmp_path: Path) -> None:
    tiers = {"a.md": "durable", "b.md": "working", "c.md": "index", "d.md": "log", "e.md": "archive", "f.md": "durable"}
    documents = {
        f"notes/{name}": Document(f"notes/{name}", STORE, Place("any", tier), b"", lambda document: [])
        for name, tier in tiers.items()
    }
    workspace = Workspace(WorkTree(str(tmp_path)), [STORE], documents, [], [])
    route = booting.load(workspace, STORE, LoadRequest("boot"))
    assert [file.path for file in route.files] == ["notes/c.md", "notes/a.md", "notes/f.md"]
    assert [path for path, _ in route.not_loaded] == ["notes/b.md", "notes/d.md", "notes/e.md"]
    assert all(why for _, why in route.not_loaded)
    with pytest.raises(UsageError, match="Unknown task 'review': notes has no tasks"):
        booting.load(workspace, STORE, LoadRequest("review"))
