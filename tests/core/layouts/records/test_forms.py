"""The matrix: every form of record, every spelling of a status, every spelling of a relation, read as what they say."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from memdesk.core.layouts.records import statuslines
from memdesk.core.layouts.records.read import status_of
from tests.support.recorded import record

BODY = "Context\n-------\n\nVolunteers open the counts in a spreadsheet.\n\n## Decision\n\nCSV, one file for each site.\n"
Relations = tuple[tuple[str, str], ...]

# (label, value) of a relation on a line of its own -> what it says.
LINES: Sequence[tuple[str, str, Relations]] = (
    ("Supersedes", "[ADR 0003](0003-use-x.md)", (("supersedes", "3"),)),
    ("Supersedes", "[4. Use X](0004-use-x.md)", (("supersedes", "4"),)),
    ("Superseded by", "[ADR-0012](0012-y.md)", (("superseded-by", "12"),)),
    ("Superceded by", "0012", (("superseded-by", "12"),)),
    ("Amends", "ADR-0005", (("amends", "5"),)),
    ("Amended by", "[12. Y](./0012-y.md#why)", (("amended-by", "12"),)),
    ("Supersedes", "ADR 3, ADR-0004 and 0005", (("supersedes", "3"), ("supersedes", "4"), ("supersedes", "5"))),
    ("Supersedes", "the wiki page on counts", (("supersedes", "the wiki page on counts"),)),
    ("Supersedes", "[the plan](../plans/old.md)", (("supersedes", "../plans/old.md"),)),
    ("Related to", "ADR 2", (("relates", "2"),)),
    ("Supersedes", "none", ()),
)


def nygard(status: str, lines: Sequence[tuple[str, str]]) -> str:
    below = "".join(f"\n{label} {value}\n" for label, value in lines)
    return f"# 7. Store counts as CSV\n\nDate: 2026-05-02\n\n## Status\n\n{status}\n{below}\n## {BODY}"


def setext(status: str, lines: Sequence[tuple[str, str]]) -> str:
    below = "".join(f"{label}: {value}\n" for label, value in lines)
    return f"ADR-0007: Store counts as CSV\n=============\n\nStatus\n------\n{status}\n\n{below}\n{BODY}"


def bulleted_section(status: str, lines: Sequence[tuple[str, str]]) -> str:
    below = "".join(f"* {label} {value}\n" for label, value in lines)
    return f"# ADR 7: Store counts as CSV\n\n## Status\n\n* {status}\n{below}\n{BODY}"


def madr2(status: str, lines: Sequence[tuple[str, str]]) -> str:
    below = "".join(f"* {label}: {value}\n" for label, value in lines)
    return (
        f"# Store counts as CSV\n\n* Status: {status}\n* Deciders: the volunteers\n{below}* Date: 2026-05-02\n\n"
        f"Technical Story: counts\n\n## Context and Problem Statement\n\nWhich?\n\n## Considered Options\n\n* CSV\n* XML\n"
    )


def madr3(status: str, lines: Sequence[tuple[str, str]]) -> str:
    below = "".join(f'{label.lower().replace(" ", "-")}: "{value}"\n' for label, value in lines)
    return f'---\nstatus: "{status}"\n{below}date: 2026-05-02\ndeciders: the volunteers\n---\n# Store counts as CSV\n\n{BODY}'


def madr4(status: str, lines: Sequence[tuple[str, str]]) -> str:
    below = "".join(f"{label.lower().replace(' ', '_')}:\n  - '{value}'\n" for label, value in lines)
    return (
        "---\n# These are optional metadata elements. Feel free to remove any of them.\n"
        f"status: '{status}' # as decided\ndate: 2026-05-02\ndecision-makers: the volunteers\n{below}---\n\n"
        f"# Store counts as CSV\n\n## Context and Problem Statement\n\nWhich?\n"
    )


def bold(status: str, lines: Sequence[tuple[str, str]]) -> str:
    below = "".join(f"**{label}:** {value}  \n" for label, value in lines)
    return f"# ADR-0007 - Store counts as CSV\n\n**Status:** {status}  \n**Date:** 2026-05-02  \n{below}\n## {BODY}"


def bold_outside(status: str, lines: Sequence[tuple[str, str]]) -> str:
    below = "".join(f"- **{label}**: {value}\n" for label, value in lines)
    return f"# 0007: Store counts as CSV\n\n- **Status**: {status}\n- **Date**: 2026-05-02\n{below}\n## {BODY}"


def bare(status: str, lines: Sequence[tuple[str, str]]) -> str:
    below = "".join(f"{label}: {value}\n" for label, value in lines)
    return f"Status: {status}\nDate: 2026-05-02\n{below}\n{BODY}"


FORMS: Sequence[tuple[Callable[[str, Sequence[tuple[str, str]]], str], str]] = (
    (nygard, "section"), (setext, "section"), (bulleted_section, "section"), (madr2, "bullet"), (madr3, "front"),
    (madr4, "front"), (bold, "bold"), (bold_outside, "bullet"), (bare, "bare"),
)

# As written -> the status, and what it says of other records besides.
STATUSES: Sequence[tuple[str, str, Relations]] = (
    ("Accepted", "accepted", ()),
    ("accepted", "accepted", ()),
    ("ACCEPTED.", "accepted", ()),
    ("Draft", "draft", ()),
    ("Proposed", "proposed", ()),
    ("proposed for the spring", "proposed", ()),
    ("On hold", "on hold", ()),
    ("on-hold until 2027", "on hold", ()),
    ("Implemented (phases 1-4) — 2026-05-29", "implemented", ()),
    ("Accepted - 2026-05-29", "accepted", ()),
    ("Accepted (2026-05-29)", "accepted", ()),
    ("Accepted 2026-05-29.", "accepted", ()),
    ("Rejected: nobody there can open one", "rejected", ()),
    ("Rejected, superseded by ADR-0012, 2026-06-01", "rejected", (("superseded-by", "12"),)),
    ("Deprecated", "deprecated", ()),
    ("_Accepted_", "accepted", ()),
    ("[accepted]", "accepted", ()),
    ("Superseded by [ADR-0012](0012-y.md)", "superseded", (("superseded-by", "12"),)),
    ("superseded by 0012", "superseded", (("superseded-by", "12"),)),
    ("Superseded by ADR 12 on 2026-06-01.", "superseded", (("superseded-by", "12"),)),
    ("Superceded by [12. Y](0012-y.md)", "superseded", (("superseded-by", "12"),)),
    ("Superseded", "superseded", ()),
    ("Accepted, supersedes [ADR-0003](0003-use-x.md)", "accepted", (("supersedes", "3"),)),
    ("Accepted (amended by ADR-0012)", "accepted", (("amended-by", "12"),)),
    ("Accepted; partially superseded by ADR-0012", "accepted", (("amended-by", "12"),)),
)

UNREADABLE: Sequence[str] = (
    "Ratified", "Approved", "Not accepted", "?", "Accepted?", "accepted | rejected", "{proposed | rejected | accepted}",
    "Proposed -> Accepted", "Proposed → Accepted", "Accepted/Rejected", "Partially superseded by ADR-0012", "2026-05-02",
    "In review", "Proposed, Accepted, Rejected, Deprecated",
    "[Proposed | Accepted | Superseded by ADR-XXX]", "Proposed ❓ | Accepted ✅",
    "accepted, deprecated", "acceptedness", "Accepted or rejected", "unaccepted", "akzeptiert", "Supersede", "(pending)",
)


NAMED = [pytest.param(form, name, id=form.__name__) for form, name in FORMS]
Form = Callable[[str, Sequence[tuple[str, str]]], str]


def read_as(text: str, name: str, read: str, relations: Relations) -> None:
    """Whether a record says that, in LF and in CRLF behind a byte order mark."""
    for newline, mark in (("\n", ""), ("\r\n", "\ufeff")):
        entry = record(mark + text.replace("\n", newline))
        lines = statuslines.find(entry.document)
        assert lines.form == name, text
        assert (entry.number, entry.fields["number"]) == (7, "0007"), text
        superseded = read in ("accepted", "implemented") and any(kind == "superseded-by" for kind, _ in relations)
        expected = "superseded" if superseded else read
        assert entry.status == expected, text
        assert sorted(entry.relations) == sorted(set(relations)), text
        assert entry.fields["title"].casefold() == "store counts as csv", text
        assert entry.heading == entry.fields["title"]
        assert entry.candidate == (read in ("draft", "proposed"))
        assert entry.struck == (expected in ("rejected", "deprecated", "superseded"))
        assert (entry.start, entry.end) == (len(mark.encode()), len(entry.document.data))
        for line in lines.lines:
            said = entry.document.data[line.start : line.end].decode().replace("\r\n", "\n")
            assert said in text
            assert entry.document.data[slice(*line.value)].decode() in said


@pytest.mark.parametrize(("form", "name"), NAMED)
def test_form_status_and_relation(form: Form, name: str) -> None:
    """Each status with one spelling of a relation, each spelling with some status: 225 files in two encodings."""
    for at, (status, read, beside) in enumerate(STATUSES):
        label, value, relations = LINES[at % len(LINES)]
        read_as(form(status, [(label, value)]), name, read, (*beside, *relations))


@pytest.mark.slow
@pytest.mark.parametrize(("form", "name"), NAMED)
def test_every_form_status_and_relation(form: Form, name: str) -> None:
    for status, read, beside in STATUSES:
        read_as(form(status, []), name, read, beside)
        for label, value, relations in LINES:
            read_as(form(status, [(label, value)]), name, read, (*beside, *relations))
        several = (LINES[0], LINES[4], LINES[9])
        every = (*beside, *(pair for _, _, pairs in several for pair in pairs))
        read_as(form(status, [(label, value) for label, value, _ in several]), name, read, every)


@pytest.mark.parametrize(("form", "name"), NAMED)
def test_what_cannot_be_read_is_quoted(form: Form, name: str) -> None:
    for status in UNREADABLE:
        entry = record(form(status, []))
        assert (entry.status, entry.candidate, entry.struck) == (None, False, False), status
        read = status_of(entry.document.page, statuslines.find(entry.document), {})
        assert (read.status, read.problem) == (None, f"The status {status!r} can't be read")
        assert read.line is not None
        assert status in entry.document.data.decode().split("\n")[read.line - 1]
