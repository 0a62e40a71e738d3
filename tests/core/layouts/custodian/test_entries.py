"""What an entry is, in every form that the format page names."""

from __future__ import annotations

import pytest

from memdesk.core.model import Document, Entry
from tests.support.stores import STANDARD, manifest
from tests.support.trees import workspace

HOME = "docs/memory"


def document(name: str, text: str | bytes) -> Document:
    files: dict[str, str | bytes] = {f"{HOME}/{path}": content for path, content in STANDARD.items()}
    files[f"{HOME}/manifest.md"] = manifest()
    files[f"{HOME}/{name}"] = text
    return workspace(files).documents[f"{HOME}/{name}"]


def entries(name: str, text: str | bytes) -> list[Entry]:
    return document(name, text).entries


def lines(found: list[Entry]) -> list[tuple[str, int, int]]:
    return [(entry.kind, entry.line, entry.end_line) for entry in found]


# Decisions


def test_a_decision_with_labels() -> None:
    text = (
        "# Decisions\n\n## 2026-05-02 - Use CSV\n\nDecision:\nOne file a site.\n\nReason:\nPeople open it.\n\nScope:\nexports\n"
    )
    (entry,) = entries("decisions.md", text)
    assert (entry.kind, entry.heading, entry.date, entry.struck, entry.candidate) == (
        "section",
        "2026-05-02 - Use CSV",
        "2026-05-02",
        False,
        False,
    )
    assert entry.heading_path == ("Decisions",)
    assert dict(entry.fields) == {
        "decision": "One file a site.",
        "reason": "People open it.",
        "scope": "exports",
        "title": "Use CSV",
    }
    assert entry.text.startswith("## 2026-05-02 - Use CSV\n")
    assert entry.text.endswith("exports")


@pytest.mark.parametrize(
    ("body", "decision", "reason"),
    [
        ("Persist as JSON.\n\nReasoning:\n- read by hand\n- portable", "Persist as JSON.", "- read by hand\n- portable"),
        ("Decision: one line\nReason: another", "one line", "another"),
        ("**Decision:** one\n\n**Reason:** two", "one", "two"),
        ("- Decision: one\n- Reason: two", "one", "two"),
        ("Text alone.", "Text alone.", None),
        ("Decision:\n\n```\nReason: not here\n```\n\nReason:\nhere", "```\nReason: not here\n```", "here"),
    ],
)
@pytest.mark.parametrize("title", ["2026-05-02 - Title", "Title", "2026-05-02: Title"])
def test_forms_of_a_headed_decision(body: str, decision: str, reason: str | None, title: str) -> None:
    (entry,) = entries("decisions.md", f"# Decisions\n\n## {title}\n\n{body}\n")
    assert (entry.fields.get("decision"), entry.fields.get("reason"), entry.fields["title"]) == (decision, reason, "Title")


def test_one_line_decisions_may_hold_bars_and_reasons() -> None:
    text = (
        "# Decisions\n\n- 2026-05-02 | Pipe with `a | b`. Reason: short. Reason: kept.\n"
        "- 2026-05-01 | No reason | at all\n- ~~2026-04-01 | Old way. Reason: habit.~~ superseded 2026-05-01\n- undated line\n"
    )
    found = entries("decisions.md", text)
    assert [(entry.date, entry.fields.get("decision"), entry.fields.get("reason"), entry.struck) for entry in found] == [
        ("2026-05-02", "Pipe with `a | b`.", "short. Reason: kept.", False), ("2026-05-01", "No reason | at all", None, False),
        ("2026-04-01", "Old way.", "habit.", True), (None, None, None, False),
    ]
    assert [entry.kind for entry in found] == ["bullet"] * 4


def test_a_scope_at_the_end_of_a_one_line_decision_is_a_field() -> None:
    (entry,) = entries("decisions.md", "- 2026-05-02 | Use CSV. Reason: people. Scope: area:export\n")
    assert (entry.fields["reason"], entry.fields["scope"]) == ("people.", "area:export")


def test_a_store_that_mixes_both_forms() -> None:
    text = (
        "# Decisions\n\n- 2026-06-01 | First\n\n## 2026-05-02 - Headed\n\nDecision:\nText.\n\nReason:\nWhy.\n\n"
        "- 2026-04-03 | Last. Reason: older\n- 2026-04-02 | Very last\n"
    )
    found = entries("decisions.md", text)
    assert lines(found) == [("bullet", 3, 3), ("section", 5, 11), ("bullet", 13, 13), ("bullet", 14, 14)]
    assert found[1].fields["reason"] == "Why."
    assert found[2].heading_path == ("Decisions", "2026-05-02 - Headed")


def test_one_liners_below_a_grouping_heading() -> None:
    text = "# Decisions\n\n## Storage\n\n- 2026-04-03 | One\n- 2026-04-02 | Two\n\n## 2026-03-01\n\n- plain\n"
    found = entries("decisions.md", text)
    assert [(entry.heading, entry.heading_path[-1], entry.date) for entry in found] == [
        ("2026-04-03 | One", "Storage", "2026-04-03"),
        ("2026-04-02 | Two", "Storage", "2026-04-02"),
        ("plain", "2026-03-01", "2026-03-01"),
    ]


def test_dated_bullets_under_a_label_belong_to_the_decision() -> None:
    text = "## 2026-05-02 - Title\n\nDecision:\nText.\n\nReason:\n- 2026-04-01 | 30 ms\n- 2026-04-08 | 12 ms\n"
    (entry,) = entries("decisions.md", text)
    assert entry.end_line == 8


def test_an_undated_section_of_bullets_is_one_decision() -> None:
    (entry,) = entries("decisions.md", "# D\n\n## Use JSON\n\n- readable\n- portable\n")
    assert (entry.kind, entry.fields["title"]) == ("section", "Use JSON")


def test_a_struck_decision_names_what_replaced_it() -> None:
    text = '## ~~2026-05-02 - Old way~~\n\nSuperseded: 2026-06-01 by "New way"\n\nThe old text.\n\nReason:\nThen.\n'
    (entry,) = entries("decisions.md", text)
    assert (entry.struck, entry.heading, entry.date) == (True, "2026-05-02 - Old way", "2026-05-02")
    assert entry.relations == (("superseded-by", "New way"),)
    assert (entry.fields["decision"], entry.fields["title"]) == ("The old text.", "Old way")


@pytest.mark.parametrize("heading", ["## Not ~~wholly~~ struck", "## `~~code~~`", "## ~~a~~ and ~~b~~"])
def test_what_is_not_wholly_struck_still_holds(heading: str) -> None:
    (entry,) = entries("decisions.md", f"{heading}\n\nText.\n")
    assert not entry.struck


def test_the_introduction_is_no_entry_whatever_stands_below() -> None:
    intro = "# Decisions\n\nNewest first.\n\nMore words.\n"
    assert entries("decisions.md", intro) == []
    assert len(entries("decisions.md", intro + "\n## 2026-05-02 - A\n\nText.\n")) == 1


def test_f21_headings_that_are_none() -> None:
    text = (
        "# Decisions\n\n## 2026-05-02 - Real\n\n````\n```\n## 2026-01-01 - Fake\n```\n````\n\n~~~\n## Fake too\n~~~\n\n"
        "<!--\n## Hidden\n-->\n\n> ## Quoted\n\n    ## indented\n\n##NoSpace\n\nSecond\n------\n\ntext\n"
    )
    found = entries("decisions.md", text)
    assert [entry.heading for entry in found] == ["2026-05-02 - Real", "Second"]
    assert found[0].end_line == 23


# Lines


@pytest.mark.parametrize("name", ["constraints.md", "preferences.md"])
def test_lines_are_bullets_with_their_nested_lines(name: str) -> None:
    text = (
        "# Title\n\nWhat this is.\n\n- [stated] one\n  continued\n  - nested\n\n"
        "    more\n- ~~two~~ superseded 2026-05-02\n* three\n\n1. four\n"
    )
    found = entries(name, text)
    assert lines(found) == [("bullet", 5, 9), ("bullet", 10, 10), ("bullet", 11, 11), ("bullet", 13, 13)]
    assert [(entry.tag, entry.struck, entry.heading) for entry in found] == [
        ("stated", False, "[stated] one"), (None, True, "two"), (None, False, "three"), (None, False, "four"),
    ]


def test_headings_group_lines() -> None:
    text = "# C\n\n## Privacy\n\nWhy it matters.\n\n- one\n\n### Disk\n\n- two\n\n## Speed\n\n- three\n"
    found = entries("constraints.md", text)
    assert [(entry.heading, entry.heading_path) for entry in found] == [
        ("one", ("C", "Privacy")), ("two", ("C", "Privacy", "Disk")), ("three", ("C", "Speed")),
    ]


def test_a_section_with_fields_is_one_constraint() -> None:
    (entry,) = entries("constraints.md", "# C\n\n## Offline\n\nConstraint: works offline\n\nReason:\n- planes\n- cellars\n")
    assert (entry.kind, entry.fields["constraint"], entry.end_line) == ("section", "works offline", 9)


# Tombstones


def test_a_tombstone_and_its_fields() -> None:
    text = (
        "# Do not use\n\n## Tombstone: SQLite for sessions\n\n"
        "Do not reintroduce this unless the user explicitly reverses it. Reason: files could not be mended. Date: 2026-05-02.\n"
        "Scope: the session store\nReconsider: when relations are needed\n"
    )
    (entry,) = entries("do-not-use.md", text)
    assert (entry.heading, entry.date, entry.fields["title"]) == (
        "Tombstone: SQLite for sessions",
        "2026-05-02",
        "SQLite for sessions",
    )
    assert (entry.fields["reason"], entry.fields["scope"], entry.fields["reconsider"]) == (
        "files could not be mended.", "the session store", "when relations are needed",
    )


def test_tombstones_as_bullets() -> None:
    found = entries("do-not-use.md", "# Do not use\n\n- Curses. Reason: readers fail. Date: 2026-05-02.\n- plain\n")
    assert [(entry.date, entry.fields.get("reason")) for entry in found] == [("2026-05-02", "readers fail."), (None, None)]


# Inbox


def test_candidates_are_bullets_under_dates_or_under_none() -> None:
    text = (
        "# Inbox\n\nWhat waits.\n\n- none above\n\n## 2026-05-02\n\n- [observed] first (for: constraint; from src/app.py:12)\n"
        "  and on\n- second\n\n## 2026-05-01\n\n- [inferred] third\n"
    )
    found = entries("inbox.md", text)
    assert all(entry.candidate for entry in found)
    assert [(entry.line, entry.end_line, entry.date, entry.tag) for entry in found] == [
        (5, 5, None, None), (9, 10, "2026-05-02", "observed"), (11, 11, "2026-05-02", None), (15, 15, "2026-05-01", "inferred"),
    ]


def test_what_else_is_known_stands_in_one_bracket() -> None:
    text = (
        "-"
        " [observed] Keep it. (for: decision; area: storage; reason: it broke; from src/app.py:12)\n"
        "- A (plain) remark (as text)\n"
    )
    one, two = entries("inbox.md", text)
    assert dict(one.fields) == {
        "for": "decision",
        "area": "storage",
        "reason": "it broke",
        "from": "src/app.py:12",
        "text": "Keep it.",
    }
    assert (one.source, one.tag) == ("src/app.py:12", "observed")
    assert dict(two.fields) == {"text": "A (plain) remark (as text)"}


def test_a_date_in_a_candidate_does_not_make_it_older() -> None:
    (entry,) = entries("inbox.md", "## 2026-05-02\n\n- broken since 2024-01-01\n")
    assert entry.date == "2026-05-02"


def test_whole_sections_are_candidates() -> None:
    text = (
        "# Inbox\n\n## Encrypt exports\n\nMaybe.\n\n## With bullets\n\n"
        "Status: candidate\n\n- a\n- b\n\n## Only bullets\n\n- c\n\n## Bare title\n"
    )
    found = entries("inbox.md", text)
    assert [(entry.kind, entry.heading, entry.candidate) for entry in found] == [
        ("section", "Encrypt exports", True),
        ("section", "With bullets", True),
        ("bullet", "c", True),
        ("section", "Bare title", True),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\n",
        "# Inbox\n",
        "# Inbox\n\nNo unprocessed memory candidates.\n",
        "# Inbox\n\nEverything has been filed; well done.\n",
        "# Inbox\n\n_No candidates yet._\n",
        "No unprocessed memory candidates.\n",
        "# Inbox\n\n- None.\n",
        "# Inbox\n\n- No unprocessed memory candidates.\n",
        "# Inbox\n\n## 2026-05-02\n",
        "# Inbox\n\n## Candidates\n\nNone yet.\n",
        "# Inbox\n\n## 2026-05-02\n\nNo unprocessed memory candidates.\n",
        "# Inbox\n\n<!-- - a commented one -->\n",
        "# Inbox\n\n```\n- code\n```\n",
        "# Inbox\n\n> - quoted\n",
        "\ufeff# Inbox\r\n\r\nNo unprocessed memory candidates.\r\n",
    ],
)
def test_f06_an_inbox_without_candidates_has_none(text: str) -> None:
    assert entries("inbox.md", text) == []


@pytest.mark.parametrize(
    "text",
    [
        "No retries for 404 responses.",
        "Nothing but UTF-8 is read.",
        "None of the tests may use the network.",
        "Empty files are kept.",
    ],
)
def test_f06_a_candidate_that_begins_like_a_placeholder_is_one(text: str) -> None:
    assert [entry.heading for entry in entries("inbox.md", f"# Inbox\n\n- {text}\n")] == [text]


def test_f06_a_missing_inbox_has_no_candidates() -> None:
    files = {f"{HOME}/{path}": content for path, content in STANDARD.items() if path != "inbox.md"}
    assert workspace({**files, f"{HOME}/manifest.md": manifest()}).candidates() == []


def test_struck_and_settled_candidates_wait_no_more() -> None:
    text = (
        "# Inbox\n\n- ~~old idea~~ struck 2026-05-02: too broad\n- waiting\n\n## ~~Section~~\n\ntext\n\n"
        "## MC-INBOX-20260501-aa11bb22 — Settled\n\nStatus: promoted\n\nStatement: done\n"
    )
    found = entries("inbox.md", text)
    assert [(entry.candidate, entry.struck) for entry in found] == [(False, True), (True, False), (False, True), (False, True)]
    assert found[0].heading == "old idea"


def test_bullets_in_fences_belong_to_their_candidate() -> None:
    text = "# Inbox\n\n- one\n\n  ```\n- not in here: CommonMark ends the item\n\n- two\n  ```\n  - inside\n  ```\n"
    found = entries("inbox.md", text)
    assert [entry.line for entry in found] == [3, 6, 8]
    assert found[2].end_line == 11


# Protocol 0.6 and later

HEADED = """# Decisions

## MC-DEC-20260728-a1b2c3d4 — Use CSV

Status: active
Scope: area:export
Subject: export
Facet: format

Evidence:
- user-confirmed
- repo: src/export.py

Decision:
One file a site.

Reason:
People open it.

## MC-DEC-20260501-00ff00ff — Use XML

Status: superseded
Scope: area:export
Superseded-By: MC-DEC-20260728-a1b2c3d4

Decision: XML.
"""


def test_headed_entries_of_protocol_0_6() -> None:
    one, two = entries("decisions.md", HEADED)
    assert one.heading == "MC-DEC-20260728-a1b2c3d4 — Use CSV"
    assert (one.date, one.status, one.tag, one.source, one.struck) == ("2026-07-28", "active", "stated", "src/export.py", False)
    assert dict(one.fields) == {
        "status": "active", "scope": "area:export", "subject": "export", "facet": "format",
        "evidence": "- user-confirmed\n- repo: src/export.py", "decision": "One file a site.", "reason": "People open it.",
        "id": "MC-DEC-20260728-a1b2c3d4", "title": "Use CSV",
    }
    assert (two.status, two.struck, two.relations) == ("superseded", True, (("superseded-by", "MC-DEC-20260728-a1b2c3d4"),))


def test_a_tombstone_of_protocol_0_6_has_a_plain_title() -> None:
    text = (
        "# Do Not Use\n\nTombstones are newest first.\n\n"
        "## MC-DNU-20260630-b2c3d4e5 — Tombstone: Vector database\n\nStatus: active\n"
        "Scope: project\nEvidence:\n- user-confirmed\nSupersedes: MC-DEC-20260101-00000000\n\n"
        "Rejected:\nA database.\nReason:\nToo much.\n"
    )
    (entry,) = entries("do-not-use.md", text)
    assert (entry.fields["title"], entry.fields["id"], entry.fields["reason"]) == (
        "Vector database", "MC-DNU-20260630-b2c3d4e5", "Too much.",
    )
    assert (entry.tag, entry.relations) == ("stated", (("supersedes", "MC-DEC-20260101-00000000"),))


def test_bullets_right_below_a_date() -> None:
    text = "# Memory Inbox\n\nEntries are newest first.\n\n## 2026-05-02\n- one\n- two\n## Today\n- three\n"
    found = entries("inbox.md", text)
    assert [(entry.heading, entry.date) for entry in found] == [("one", "2026-05-02"), ("two", "2026-05-02"), ("three", None)]


def test_candidates_of_protocol_0_6() -> None:
    text = (
        "# Inbox\n\n## MC-INBOX-20260729-0a0b0c0d — Retry twice\n\nStatus: candidate\n"
        "Candidate-Type: Constraint\nScope: project\n\n"
        "Evidence:\n- agent-observed\n- test:tests/test_sync.py\n\nStatement:\n"
        "Retry twice.\n\nPromotion-Requirement:\nA person agrees.\n"
    )
    (entry,) = entries("inbox.md", text)
    assert (entry.candidate, entry.kind, entry.tag, entry.source, entry.date) == (
        True,
        "section",
        "observed",
        "tests/test_sync.py",
        "2026-07-29",
    )
    assert (entry.fields["for"], entry.fields["statement"], entry.fields["title"]) == (
        "constraint",
        "Retry twice.",
        "Retry twice",
    )


def test_a_constraint_of_protocol_0_6_is_a_section_among_bullets() -> None:
    text = "# C\n\n- old form\n\n## MC-CON-20260728-a1b2c3d4 — Offline\n\nStatus: active\n\nEvidence:\n- user-confirmed\n"
    assert lines(entries("constraints.md", text)) == [("bullet", 3, 3), ("section", 5, 10)]


# Everywhere


def test_other_files() -> None:
    assert lines(entries("brief.md", "# Brief\n\nWhat it is.\n\nHow.\n\n## Next\n\n- a\n")) == [
        ("body", 3, 5),
        ("section", 7, 9),
    ]
    assert lines(entries("changelog.md", "# Log\n\n## 2026-05-02\n\n- one\n- two\n")) == [("bullet", 5, 5), ("bullet", 6, 6)]
    assert [entry.date for entry in entries("changelog.md", "# Log\n\n## 2026-05-02\n\n- one\n")] == ["2026-05-02"]
    assert entries("manifest.md", manifest()) == []
    area = (
        "# Storage\n\nLoad when storing.\n\n- a line\n\n## 2026-05-02 - Choice\n\nText.\n"
        "\n- with\n- bullets\n\n## Limits\n\n- x\n"
    )
    assert lines(entries("areas/storage.md", area)) == [
        ("body", 3, 3),
        ("bullet", 5, 5),
        ("section", 7, 12),
        ("bullet", 16, 16),
    ]
    assert lines(entries("archive/decisions-2026.md", "# Old\n\n## 2026-05-02 - A\n\ntext\n")) == [("section", 3, 5)]


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize("final", [True, False])
@pytest.mark.parametrize("bom", ["", "\ufeff"])
def test_spans_are_whole_lines_in_any_file(newline: str, final: bool, bom: str) -> None:
    text = bom + newline.join(
        ["# D", "", "## 2026-05-02 - Größe", "", "日本 \u2028\x0c line", "", "", "## 2026-05-01 - B", "", "- x", ""]
    )
    data = (text if final else text.rstrip()).encode()
    found = entries("decisions.md", data)
    assert lines(found) == [("section", 3, 5), ("section", 8, 10)]
    first = found[0]
    assert first.raw == newline.join(["## 2026-05-02 - Größe", "", "日本 \u2028\x0c line", ""]).encode()
    assert found[1].raw == newline.join(["## 2026-05-01 - B", "", "- x", "" if final else "- x"][: 4 if final else 3]).encode()
    assert found[1].end == len(data)


def test_a_heading_is_the_first_line_cut_at_80_characters() -> None:
    (entry,) = entries("constraints.md", "# C\n\n- " + "wörd " * 40 + "\n")
    assert entry.heading == ("wörd " * 40)[:80]
    assert len(entry.heading) == 80


def test_an_item_whose_text_begins_on_the_next_line() -> None:
    (entry,) = entries("constraints.md", "# C\n\n-\n  text below\n  and on\n")
    assert entry.fields["text"] == "text below\nand on"


@pytest.mark.parametrize("name", ["decisions.md", "constraints.md", "do-not-use.md", "inbox.md", "brief.md"])
def test_hostile_text_takes_no_time(name: str) -> None:
    """Long runs, many headings, deep lists: all that a quadratic would show."""
    many = "".join(f"### {number}\n\n- x\n\n" for number in range(4000))
    run = f"## ~~2026-05-02 - A~~\n\nSuperseded: 2026-05-02 by a{' ' * 50_000}b\n\n"
    run += f"- {'no ' * 20_000}\n- {'(' * 50_000})\n- `{'`' * 50_000}\n"
    assert entries(name, "# T\n\n## G\n\n" + many)
    assert entries(name, run)


def test_a_status_inside_a_bullet_is_that_bullets_own() -> None:
    found = entries("inbox.md", "# Inbox\n\n## 2026-11-30\n\n- First\n  Status: candidate\n\n  Status: candidate\n- Second\n")
    assert [(entry.kind, entry.heading) for entry in found] == [("bullet", "First"), ("bullet", "Second")]
    (whole,) = entries("inbox.md", "# Inbox\n\n## Title\n\n- Status: candidate\n- Reason: x\n")
    assert (whole.kind, whole.heading) == ("section", "Title")


def test_a_heading_over_a_comment_is_no_candidate() -> None:
    assert entries("inbox.md", "# Inbox\n\n## Candidates\n\n<!-- Add below. -->\n") == []
