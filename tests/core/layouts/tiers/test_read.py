"""What an entry is in each file of this layout."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from memdesk.core import layouts
from memdesk.core.layouts.tiers.detect import classify
from memdesk.core.layouts.tiers.kept import Kept
from memdesk.core.model import Document, Entry, Store
from tests.support.stores import TIERS, fact

STORE = Store("tiers", "memory", "a test", Kept())


def read(name: str, text: str | bytes) -> Sequence[Entry]:
    path = f"memory/{name}"
    place = classify(STORE, path)
    assert place is not None
    data = text if isinstance(text, bytes) else text.encode()
    return Document(path, STORE, place, data, layouts.get("tiers").entries).entries


def brief(entries: Sequence[Entry]) -> list[tuple[str, int, str, bool]]:
    """Kind, line, what it says in short, and whether it waits."""
    return [(entry.kind, entry.line, entry.heading, entry.candidate) for entry in entries]


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize("bom", ["", "\ufeff"])
def test_a_fact_is_one_entry(newline: str, bom: str) -> None:
    text = bom + str(TIERS["facts/counts-as-csv.md"]).replace("\n", newline) + newline * 2
    (only,) = read("facts/counts-as-csv.md", text)
    assert (only.kind, only.heading, only.line, only.end_line) == ("file", "counts-as-csv", 1, 14)
    assert (only.date, only.candidate, only.struck) == ("2026-05-02", False, False)
    assert only.raw.decode() == bom * 0 + text.removeprefix(bom).rstrip() + newline
    assert {key: only.fields[key] for key in ("title", "name", "description", "type", "tags", "owner", "reason")} == {
        "title": "counts-as-csv", "name": "counts-as-csv", "type": "decision", "tags": "storage", "owner": "Ada",
        "description": "Counts are stored as CSV files, one for each site", "reason": "Volunteers open them in a spreadsheet.",
    }
    assert only.fields["text"].startswith("# counts-as-csv\n\nOne file")


def test_a_fact_without_a_day_of_its_own_has_that_of_its_text() -> None:
    assert read("facts/a.md", fact("d", "Agreed on 2026-02-03, first heard 2025-01-01."))[0].date == "2026-02-03"
    assert read("facts/a.md", fact("d", "x", review_by="2027-01-01"))[0].date is None
    assert read("facts/a.md", fact("d", "On 2026-02-03.", updated="soon"))[0].date == "2026-02-03"


@pytest.mark.parametrize("text", ["", "\n \n", "\ufeff", "\ufeff\r\n"])
@pytest.mark.parametrize("name", ["facts/a.md", "INDEX.md", "inbox.md", "working/a.md", "log/2026-05-01.md", "archive/a.md"])
def test_an_empty_file_has_none(name: str, text: str) -> None:
    assert read(name, text) == []


def test_lines_of_the_index() -> None:
    found = read("INDEX.md", "# Index\n\nIntro.\n\n- [a](facts/a.md): What a says\n- not one\n\n## More\n\n- [b](facts/b.md)\n")
    assert brief(found) == [("bullet", 5, "a", False), ("bullet", 10, "b", False)]
    said = [(entry.fields["to"], entry.fields["text"]) for entry in found]
    assert said == [("facts/a.md", "What a says"), ("facts/b.md", "b")]


def test_lines_and_paragraphs_of_a_log() -> None:
    found = read("log/2026-05-01.md", (
        "# 2026-05-01\n\n- 09:30 began\n- **10:05** built\n  - in 5 s\n- without a time, on 2026-04-01\n\n## Later\n\n"
        "It broke:\n\n```\n- no line\n```\n\n* [observed] 11:15: mended\n\n<!-- no line -->\n"
    ))
    assert brief(found) == [
        ("bullet", 3, "09:30 began", False), ("bullet", 4, "**10:05** built", False),
        ("bullet", 6, "without a time, on 2026-04-01", False), ("body", 10, "It broke:", False),
        ("bullet", 16, "[observed] 11:15: mended", False),
    ]
    assert {entry.date for entry in found} == {"2026-05-01"}
    assert [entry.fields.get("at") for entry in found] == ["09:30", "10:05", None, None, None]
    assert [entry.fields["text"] for entry in found][:2] == ["began", "built\n- in 5 s"]
    assert (found[3].end_line, found[3].heading_path, found[4].tag) == (14, ("2026-05-01", "Later"), "observed")


def test_candidates_of_the_inbox() -> None:
    found = read("inbox.md", (
        "# Inbox\n\nWhat waits here.\n\n- first\n\n## 2026-05-09\n\n- [observed] second (for: decision; from src/a.py)\n"
        "- ~~third~~ struck 2026-05-09: no.\n\n## A whole one\n\nIt says so.\n\nSource: Ada\n\n## 2026-05-01\n"
    ))
    assert brief(found) == [
        ("bullet", 5, "first", True), ("bullet", 9, "[observed] second (for: decision; from src/a.py)", True),
        ("bullet", 10, "third", False), ("section", 12, "A whole one", True),
    ]
    assert (found[1].tag, found[1].date, found[1].source, found[1].fields["for"]) == (
        "observed", "2026-05-09", "src/a.py", "decision",
    )
    assert (found[2].struck, found[3].source) == (True, "Ada")


@pytest.mark.parametrize(
    "text",
    ["# Inbox\n\nNo unprocessed memory candidates.\n", "# Inbox\n\n- (none)\n", "# Inbox\n\n## 2026-05-01\n\nNothing here.\n"],
)
def test_what_stands_for_none_is_none(text: str) -> None:
    assert read("inbox.md", text) == []
    assert not any(entry.candidate for entry in read("working/a.md", text))


def test_working_state() -> None:
    found = read("working/plan.md", (
        "# The plan\n\nWhat is left to do.\n\n- [inferred] it needs a lock\n- ask Ada\n\n## Found out\n\n"
        "The file is read twice.\n\n### More\n\nBoth times whole.\n"
    ))
    assert brief(found) == [
        ("body", 3, "What is left to do.", False), ("bullet", 5, "[inferred] it needs a lock", True),
        ("bullet", 6, "ask Ada", True), ("section", 8, "Found out", True),
    ]
    assert found[3].end_line == 14
    scratch = read("working/a.md", "It needs a lock.\n\n```\nx\n```\n\nAnd it is slow.\n")
    assert brief(scratch) == [("body", 1, "It needs a lock.", True), ("body", 7, "And it is slow.", True)]
    assert scratch[0].end_line == 5


def test_what_is_archived_is_read_as_what_it_was() -> None:
    assert brief(read("archive/a.md", fact("d", name="a"))) == [("file", 1, "a", False)]
    assert brief(read("archive/2026-05-01.md", "# 2026-05-01\n\n- 09:30 began\n")) == [("bullet", 3, "09:30 began", False)]
    assert read("archive/2026-05-01.md", "- 09:30 began\n")[0].date == "2026-05-01"
