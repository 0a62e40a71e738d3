"""The line that says where an entry holds, in each form; and what an entry alone may own."""

from __future__ import annotations

import pytest

from memdesk.core import layouts
from memdesk.core.layouts.base import Owned
from memdesk.core.model import Entry
from tests.support.sources import HOME, decision, memory, over


def first(name: str, text: str, version: str = "0.5") -> Entry:
    files = memory(**{name: text})
    files[f"{HOME}/manifest.md"] = files[f"{HOME}/manifest.md"].replace("protocol_version: 0.5", f"protocol_version: {version}")
    return over(files).documents[f"{HOME}/{name.replace('_', '-')}.md"].entries[0]


@pytest.mark.parametrize(("name", "text", "end"), [
    ("decisions", decision("Colours"), "It works.\n\nScope:\narea:maps"),
    ("decisions", "- 2026-01-01 | Use CSV. Reason: it opens\n", "Reason: it opens. Scope: area:maps"),
    ("constraints", "- Use CSV\n", "- Use CSV\n  Scope: area:maps"),
    ("do_not_use", "## Tombstone: SQLite\n\nReason: no. Date: 2026-01-01.\n", "Date: 2026-01-01.\nScope: area:maps"),
])  # fmt: skip
def test_a_scope_in_the_entry_s_own_form_is_read_as_one(name: str, text: str, end: str) -> None:
    entry = first(name, text)
    made = layouts.get("custodian").scoped(entry, "area:maps")
    assert made.startswith(entry.text[:10])
    assert made.endswith(end)
    again = first(name, made + "\n")
    if entry.kind == "section" or name == "decisions":
        assert again.fields["scope"].strip(".") == "area:maps"
    assert again.text == made


@pytest.mark.parametrize(("name", "text"), [
    ("decisions", decision("Colours", more="\nScope:\narea:web\n")), ("brief", "# Brief\n\nIt counts birds.\n"),
])  # fmt: skip
def test_none_where_there_is_one_or_no_place_for_it(name: str, text: str) -> None:
    assert layouts.get("custodian").scoped(first(name, text), "area:maps") == ""


def owned(text: str, version: str) -> Owned:
    entry = first("decisions", text, version)
    workspace = over({})
    return layouts.get("custodian").owned(workspace, entry.document.store)(entry)


def test_subjects_are_owned_from_protocol_0_6_on() -> None:
    text = "## MC-DEC-20260101-a — CSV\n\nSubject: `Storage`\nFacet: Format.\nStatement:\nCSV.\n\nReason:\nx\n"
    assert owned(text, "0.6").name == "project / Storage / format"
    assert owned(text, "0.5") == owned(decision("Colours"), "0.6") == Owned("", "")
