"""What a record's file says, beside the matrix of forms: where statuses stand and where not, titles, sections, spans."""

from __future__ import annotations

import pytest

from memdesk.core.layouts.records import statuslines
from memdesk.core.layouts.records.read import status_of
from memdesk.core.model import Place
from tests.support.recorded import document, record


def problem(text: str) -> str:
    found = document(text)
    return status_of(found.page, statuslines.find(found), {}).problem


@pytest.mark.parametrize(("text", "status", "relations"), [
    ("# X\n\n**Status: accepted.** Text goes on\n", "accepted", ()),
    ("# X\n\n**Status: superseded by [9](0009-y.md).** Text goes on\n", "superseded", (("superseded-by", "9"),)),
    ("# X\n\n__Status__: Draft\n", "draft", ()),
    ("# X\n\n*Status:* Draft\n", "draft", ()),
    ("# X\n\n* **Status**: Rejected\n", "rejected", ()),
    ("# X\n\n1. Status: Rejected\n", None, ()),
    ("# X\n\n## Status: Accepted\n\nSupersedes ADR 3\n", "accepted", (("supersedes", "3"),)),
    ("# X\n\n### Status\n\nAccepted\n", "accepted", ()),
    ("# X\n\n# Status\n\nAccepted\n", "accepted", ()),
    ("# X\n\n## **Status**\n\n**Accepted**\n", "accepted", ()),
    ("# X\n\n## Status\n\n<!-- one of: rejected -->\n\nAccepted\n", "accepted", ()),
    ("# X\n\n## Status\n\nStatus: Accepted\nDate: 2026-01-02\n", "accepted", ()),
    ("# X\n\n## Status\n\n~~Proposed~~ Accepted\n", "accepted", ()),
    ("# X\n\n## Status\n\n✅ Accepted\n", "accepted", ()),
    ("# X\n\n## Status\n\nSupersedes ADR-0003.\n\nAccepted\n", "accepted", (("supersedes", "3"),)),
    ("# X\n\n## Status\n\nAccepted\n\nSuperseded by\n[4. Use\nX](0014-x.md)\n", "superseded", (("superseded-by", "14"),)),
    ("# X\n\n## Status\n\nAccepted\n\nSuperseded on 2026-05-01 by ADR-0012\n", "superseded", (("superseded-by", "12"),)),
    ("# X\n\n## Status\n\nSuperseded (2026-05-01) by ADR-0012\n", "superseded", (("superseded-by", "12"),)),
    ("# X\n\n## Status\n\nSuperseded by a better plan (ADR-0012).\n", "superseded", (("superseded-by", "12"),)),
    ("# X\n\n## Status\n\nAccepted after long talks, the last of which had been\nrejected\n", "accepted", ()),
    ("# X\n\n## Status\n\nAccepted. It was ADR 4 that first asked.\n", "accepted", ()),
    ("# X\n\n## Status\n\nAccepted\n\nSuperseded by: none\n", "accepted", ()),
    ("# X\n\n**Status:** Accepted\n**Superseded by:** —\n", "accepted", ()),
    ("# X\n\n**Status:** Accepted\n**Superseded by:** n/a\n", "accepted", ()),
    ("# X\n\n**Status:** Accepted\n\n## Decision\n\nYes.\n\n**Superseded by:** [ADR 9](0009-y.md)\n", "superseded",
     (("superseded-by", "9"),)),
    ("---\nstatus: accepted\nsupersedes: [3, 4]\n---\n# X\n", "accepted", (("supersedes", "3"), ("supersedes", "4"))),
    ("---\nstatus: accepted\nsupersedes:\n- ADR-0003\n- 0004-x.md\n---\n# X\n", "accepted",
     (("supersedes", "3"), ("supersedes", "4"))),
    ("---\nstatus: superseded by [ADR-0009](0009-y.md)\n---\n# X\n", "superseded", (("superseded-by", "9"),)),
    ("# X\n\n**Status:** Accepted · **Date:** 2026-05-02 · **Stretch:** no\n**Supersedes:** none · **Superseded by:** `null`\n",
     "accepted", ()),
    ("# X\n\n**Status:** Draft | **Supersedes:** 3 | **Amends:** ADR 4\n", "draft", (("supersedes", "3"), ("amends", "4"))),
    ("# X\n\n**Status:** Accepted\n**Superseded by:** [9](0009-y.md) (in part: only the start)\n", "accepted",
     (("amended-by", "9"),)),
    ("# X\n\n## Status\n\nSuperseded by `0003-x-y`\n", "superseded", (("superseded-by", "3"),)),
    ("# X\n\n## Status\n\nsuperseded by `specs/x.md`\n", "superseded", (("superseded-by", "specs/x.md"),)),
    ("# X\n\n* Status: SUPERSEDED by 004 <!-- optional -->\n", "superseded", (("superseded-by", "4"),)),
    ("# X\n\n## Status\n\nSuperseded by [9](0009-y.md)\n\n*Previously: Accepted (2026-05-02)*\n", "superseded",
     (("superseded-by", "9"),)),
    ("# X\n\n## Status\n\nAccepted. Builds on [ADR 3](./ADR%203.md) and [ADR 4](0004-x.md).\n", "accepted", ()),
    ("---\nstatus: accepted # 2026\n---\n# X\n\n* Status: accepted\n", "accepted", ()),
])  # fmt: skip
def test_status_and_relations(text: str, status: str | None, relations: tuple[tuple[str, str], ...]) -> None:
    entry = record(text)
    assert (entry.status, entry.relations) == (status, relations)


@pytest.mark.parametrize("text", [
    "# X\n\n```\n## Status\n\nAccepted\n```\n",
    "# X\n\n~~~\nStatus: accepted\n~~~\n",
    "# X\n\n    Status: accepted\n",
    "# X\n\n> Status: accepted\n",
    "# X\n\n<!--\n## Status\n\nAccepted\n-->\n",
    "# X\n\n<div>\nStatus: accepted\n</div>\n",
    "# X\n\n## Context\n\nStatus: accepted\n",
    "# X\n\nThe status: accepted by all\n",
])
def test_what_is_no_status(text: str) -> None:
    entry = record(text)
    assert (entry.status, entry.fields["status"]) == (None, "")
    assert problem(text) == "There is no status"


def test_two_places_that_disagree_are_not_read() -> None:
    text = "---\nstatus: accepted\n---\n# X\n\n## Status\n\nProposed\n"
    assert record(text).status is None
    assert problem(text) == "The status is 'accepted' here and 'Proposed' in line 8"
    assert problem("# X\n\n## Status\n\nProposed\n\nAccepted 2026-05-02\n") == (
        "The status is 'Proposed' here and 'Accepted 2026-05-02' in line 7"
    )
    assert problem("# X\n\n## Status\n\n## Context\n") == "The status section says none"
    assert problem("# X\n\n**Status:**\n") == "The status is empty"


def test_statuses_of_the_settings_own() -> None:
    own = {"in force": "accepted", "parked": "on hold", "accepted in part": "proposed"}
    for said, read in (("In force since May", "accepted"), ("Parked.", "on hold"), ("Accepted in part", "proposed")):
        assert record(f"# X\n\n## Status\n\n{said}\n", own).status == read
    assert record("# X\n\n## Status\n\nEnforced\n", own).status is None


@pytest.mark.parametrize(("heading", "title"), [
    ("# 7. Store counts", "Store counts"), ("# 0007 Store counts", "Store counts"), ("# 7 Sites", "7 Sites"),
    ("# 0007 - Store counts", "Store counts"), ("# 0007 · Store counts", "Store counts"),
    ("# ADR-0007: Store counts", "Store counts"), ("# ADR 7 — Store counts", "Store counts"),
    ("# ADR7 Store counts", "Store counts"),
    ("# [ADR-0007] Store counts", "[ADR-0007] Store counts"), ("# 3 ways to store", "3 ways to store"),
    ("# 2.5 times the sites", "2.5 times the sites"), ("# 10:30 is noon", "10:30 is noon"), ("# 7", "7"),
    ("Store\n=====", "Store"), ("text\n\n## Store `x` *y* ##", "Store `x` *y*"), ("## Context", "store counts as csv"),
    ("no heading", "store counts as csv"), ("```\n# 7. Not this\n```\n\n# 7. This", "This"),
])  # fmt: skip
def test_title(heading: str, title: str) -> None:
    assert record(heading + "\n\n## Status\n\nAccepted\n").heading == title


def test_sections_are_fields_under_one_label() -> None:
    entry = record(
        "# X\n\n## Status\n\nAccepted\n\n## Context and Problem Statement\n\nMany sites.\n\n### More\n\nMuch.\n\n"
        "## Considered Options\n\n* CSV\n* XML\n\n## Decision Outcome\n\nCSV.\n\n## Pros and Cons of the Options\n\nSome.\n"
    )
    assert dict(entry.fields) == {
        "title": "X", "status": "Accepted", "number": "0007", "context": "Many sites.\n\n### More\n\nMuch.",
        "options": "* CSV\n* XML", "decision": "CSV.", "pros and cons of the options": "Some.",
    }


def test_a_usual_name_counts_below_another_section() -> None:
    text = "# X\n\n## Decision\n\nYes.\n\n### Alternatives\n\nXML\n\n#### Cost\n\nMuch.\n\n### Notes\n\nn\n\n## Rest\n\nr\n"
    fields = record(text).fields
    assert (fields["options"], fields["rest"], "notes" in fields) == ("XML\n\n#### Cost\n\nMuch.", "r", False)
    assert record(text.replace("## Rest", "## Options")).fields["options"] == "r"


def test_labels_stand_for_sections() -> None:
    entry = record("# X\n\n**Status:** Accepted\n\nReason: it opens anywhere.\n\n**Scope:** counts\n\n**Decision:**\n\nCSV.\n")
    assert (entry.fields["reason"], entry.fields["scope"], entry.fields["decision"]) == ("it opens anywhere.", "counts", "CSV.")


def test_the_date_is_that_of_its_line_else_that_of_the_status() -> None:
    assert record("# X\n\nDate: 2026-05-02\n\n## Status\n\nAccepted 2026-06-03\n").date == "2026-05-02"
    assert record("# X\n\n## Status\n\nAccepted - 2026-06-03\n").date == "2026-06-03"
    assert record("# X\n\n## Status\n\nAccepted 2026-13-03\n").date is None
    assert record("# X\n\n## Status\n\nAccepted\n\n## Date\n\n2026-05-02\n").date == "2026-05-02"


def test_spans_of_the_status_lines() -> None:
    text = (
        "# X\n\nDate: 2026-05-02\n\n## Status\n\nAccepted\n\nSupersedes ADR 3\n\n## Decision\n\nYes.\n\n"
        "**Superseded by:** ADR 9\n\nMore.\n"
    )
    found = statuslines.find(document(text))
    assert [text[start:end] for start, end in found.spans] == [
        "Date: 2026-05-02\n", "Accepted\n\nSupersedes ADR 3\n", "**Superseded by:** ADR 9\n",
    ]
    assert found.status is not None
    assert found.date is not None
    assert [text[slice(*line.value)] for line in (found.status, found.date, *found.relations)] == [
        "Accepted", "2026-05-02", "Supersedes ADR 3", "ADR 9",
    ]
    front = '---\ntitle: x\nstatus: "accepted" # so\nsupersedes:\n  - 3\ndate: 2026-05-02\n---\n# X\n'
    found = statuslines.find(document(front))
    assert [front[start:end] for start, end in found.spans] == [front[13:-8]]
    assert found.status is not None
    assert (front[slice(*found.status.value)], found.status.text, found.status.line) == ('"accepted"', "accepted", 3)
    inside = "# X\n\n**Status: accepted.** Text goes on\n"
    found = statuslines.find(document(inside))
    assert found.status is not None
    assert inside[slice(*found.status.value)] == "accepted."


def test_a_file_without_text_has_no_entry_and_a_status_that_is_missing() -> None:
    for data in (b"", b"\n\n", b"\xef\xbb\xbf", b"\xef\xbb\xbf \r\n"):
        assert document(data).entries == []
    entry = record(b"\n\n# X\r\n\r\n## Status\r\n\r\nAccepted")
    assert (entry.start, entry.end, entry.line, entry.end_line) == (2, len(entry.document.data), 3, 7)


def test_a_design_record_has_no_number_and_is_no_candidate() -> None:
    [entry] = document("# X\n\nStatus: draft\n", "docs/design/0007-x.md", Place("design", "working")).entries
    assert (entry.number, entry.candidate, entry.status, "number" in entry.fields) == (None, False, "draft", False)
    assert document("# Map\n\n- [a](a/CONTEXT.md)\n", "CONTEXT-MAP.md", Place("map", "index")).entries == []
