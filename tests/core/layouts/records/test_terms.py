"""The terms of a glossary in each of its forms."""

from __future__ import annotations

import pytest

from memdesk.core.model import Entry, Place
from tests.support.recorded import document

GLOSSARY = Place("glossary", "durable")


def terms(text: str, role: str = "glossary") -> list[Entry]:
    found = document(text, "CONTEXT.md", Place(role, "durable")).entries
    data = text.encode()
    for entry in found:
        assert data[entry.start : entry.end] == entry.raw
        assert entry.line == data.count(b"\n", 0, entry.start) + 1
        assert entry.end_line == data.count(b"\n", 0, len(data[: entry.end].rstrip())) + 1
    return found


def said(text: str) -> list[tuple[str, str, str, str]]:
    return [(entry.kind, entry.fields["term"], entry.fields["text"], entry.fields["avoid"]) for entry in terms(text)]


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize(("text", "kind"), [
    ("# Words\n\n## Site\n\nA place.\n\n## Count\n\nWhat was seen.\n\n_Avoid_: tally, sum\n", "section"),
    ("# Words\n\n## Language\n\n### Site\n\nA place.\n\n### Count\nWhat was seen.\n_Avoid_: tally, sum\n", "section"),
    ("# Words\n\nText.\n\nSite\n----\nA place.\n\nCount\n-----\nWhat was seen.\n\n- **Avoid**: tally, sum\n", "section"),
    ("# Words\n\n## Language\n\n**Site**:\nA place.\n\n**Count**:\nWhat was seen.\n_Avoid_: tally, sum\n", "body"),
    ("# Words\n\nHow we talk.\n\n**Site:** A place.\n\n**Count** — What was seen.\n\n_Avoid_: tally, sum\n", "body"),
    ("# Words\n\n__Site__: A place.\n\n__Count__ - What was seen.\n\nAvoid: tally, sum\n", "body"),
    ("**Site**: A place.\n\n---\n\n**Count**: What was seen. _Avoid_: tally, sum\n", "body"),
    ("# Words\n\n## All\n\nThese:\n\n- **Site**: A place.\n- **Count**: What was seen.\n  _Avoid_: tally, sum\n", "bullet"),
    ("* **Site** – A place.\n* **Count:** What was seen. (_Avoid_: tally, sum)\n", "bullet"),
    ("+ **Site**: A place.\n\n+ **Count**: What was seen.\n\n  - _Avoid_: tally, sum\n", "bullet"),
    ("| Term | Meaning |\n| --- | --- |\n| Site | A place. |\n| **Count** | What was seen. _Avoid_: tally, sum |\n", "row"),
    ("# Words\n\nWord | Means\n:--- | ---:\nSite | A place.\n`Count` | What was seen. *Avoid*: tally, sum\n", "row"),
    ("Site\n: A place.\n\nCount\n: What was seen.\n  Avoid: tally, sum\n", "body"),
    ("Site\n: A place.\n**Count**\n: What was seen.\n: Avoid: tally, sum\n", "body"),
])  # fmt: skip
def test_every_form(text: str, kind: str, newline: str) -> None:
    site, count = said(text.replace("\n", newline))
    assert site == (kind, "Site", "A place.", "")
    assert (count[0], count[1], count[2].rstrip(" (-\n"), count[3]) == (kind, "Count", "What was seen.", "tally, sum")


@pytest.mark.parametrize("text", [
    "# Site\n\nA place.\n",
    "# Words\n\n## Site\n\n## Count\n",
    "```\n**Site**: A place.\n```\n\n    **Site**: x\n\n> **Site**: x\n",
    "| Site | Meaning |\n| --- | --- |\n| Count | x |\n",
    "| Term | Meaning | More |\n| --- | --- | --- |\n| Count | x | y |\n",
    "**Site** is a place, **Count**: what was seen.\n",
    "text **Site**: x\n\n- an **Order**: y\n",
    "# W\n\n**Note**: no word of the domain.\n\n**Example:** x\n",
    "# W\n\n## Relationships\n\n- **Site** - has many counts\n\n### More\n\n**Count**: x\n\n## Example dialogue\n\nx\n",
])
def test_what_is_no_term(text: str) -> None:
    assert said(text) == []


def test_headings_group_terms_that_begin_by_themselves() -> None:
    text = (
        "# W\n\n## Language\n\nIntro.\n\n**Site**: x\n\n**Count**: y\n\n## Habits\n\nWe count in spring.\n\n## Time\n\n"
        "- **Day**: z\n"
    )
    assert [(entry.heading, entry.heading_path) for entry in terms(text)] == [
        ("Site", ("W", "Language")), ("Count", ("W", "Language")), ("Day", ("W", "Time")),
    ]


def test_a_bold_remark_does_not_make_a_heading_a_group() -> None:
    text = "# W\n\n## Site\n\nA place.\n\n**Note:** with one volunteer.\n\n#### More\n\nMuch.\n\n## Count\n\nSeen.\n"
    assert [(entry.heading, entry.line, entry.end_line) for entry in terms(text)] == [("Site", 3, 11), ("Count", 13, 15)]


def test_a_term_keeps_what_follows_it() -> None:
    text = "# W\n\n**Site**: A place.\n\nWith a volunteer:\n\n- one\n- two\n\n**Count**: y\n\n---\n\nThe end.\n"
    assert [(entry.heading, entry.end_line) for entry in terms(text)] == [("Site", 8), ("Count", 10)]


def test_struck_terms() -> None:
    text = (
        "- ~~**Site**: A place.~~ superseded 2026-05-02\n- **Count**: y\n\n| Term | Meaning |\n|---|---|\n| ~~Day~~ | x |\n\n"
        "~~**Night**: dark.~~\n"
    )
    assert [(entry.heading, entry.struck, entry.fields["text"][:8]) for entry in terms(text)] == [
        ("Site", True, "A place."), ("Count", False, "y"), ("Day", True, "x"), ("Night", True, "dark."),
    ]
    assert [(entry.heading, entry.struck) for entry in terms("## ~~Site~~\n\nA place.\n")] == [("Site", True)]


def test_words_that_await_the_glossary_are_candidates() -> None:
    assert [entry.candidate for entry in terms("- **Site**: x\n- ~~**Day**: y~~\n", "terms")] == [True, False]
    assert [entry.candidate for entry in terms("- **Site**: x\n")] == [False]


def test_pipes_in_rows() -> None:
    assert said("| Term | Meaning |\n|---|---|\n| a\\|b | x\\|y |\n| lone\n| | empty |\n") == [("row", "a|b", "x|y", "")]
