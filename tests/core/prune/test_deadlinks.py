"""Links that lead nowhere."""

from __future__ import annotations

import pytest

from tests.support.proposing import proposed, scanned
from tests.support.sources import HOME, adr, decision, memory, over
from tests.support.stores import LINT

THERE = {"docs/guide.md": "# Guide\n", "src/my app.py": "", "docs/img/a(b).png": ""}


@pytest.mark.parametrize(("said", "mended"), [
    ("See [the page](gone.md).", "See the page."),
    ("See [the page](gone.md#part \"Its title\") and [that](<gone too.md>).", "See the page and that."),
    ("See ![a map](img/gone.png).", "See a map."),
    ("See [the guide](../guide/guide.md) and `code`.", "See [the guide](areas/guide.md) and `code`."),
    ("See [the\n  page](gone.md), `[b](b.md)`.", "See the\n  page, `[b](b.md)`."),
    ("**[Überblick](fort.md)** ist weg.", "**Überblick** ist weg."),
])  # fmt: skip
def test_a_dead_link_becomes_its_text_or_leads_to_the_one_file_of_its_name(said: str, mended: str) -> None:
    guide = memory(constraints=f"- Runs offline.\n- {said}\n", areas__guide="# Guide\n\n- Is short.\n")
    (one,) = proposed("dead-link", guide)
    assert (one.verb, one.places, one.proposal.exact) == ("edit", ["constraints.md:4"], True)
    assert one.after("constraints.md") == f"# Constraints\n\n- Runs offline.\n- {mended}\n"


@pytest.mark.parametrize("link", [
    "[a](../guide.md)", "[a](docs/guide.md)", "[a](/docs/guide.md)", "[a](../../src/my%20app.py)", "[a](<../../src/my app.py>)",
    "[a](../guide.md#x)", "[a](../guide.md:12)", "[a](#x)", "[a](https://x.example/gone.md)", "[a](mailto:x)", "[a](b)",
    "`[a](gone.md)`", "<!-- [a](gone.md) -->", "~~[a](gone.md)~~", "\\[a](gone.md)", "[a](../../../elsewhere/gone.md)",
    "[a](notes-YYYY.md)", "[a](<NAME>.md)", "[a](*.md)", "[[gone]]", "[a]: gone.md", "[a](../)", "//[a](//x.example/gone.md)",
])  # fmt: skip
def test_what_leads_somewhere_or_is_no_link_of_ours(link: str) -> None:
    assert proposed("dead-link", THERE, memory(constraints=f"- See {link} there.\n")) == []


def test_code_quotes_struck_entries_candidates_and_notes_are_left_alone() -> None:
    text = decision("A", "```\n[a](gone.md)\n```\n\n> [a](gone.md)\n")
    files = memory(decisions=text, constraints="- ~~[a](gone.md)~~ struck 2026-11-01\n", inbox="- See [a](gone.md).\n")
    note = {"m/memory-lint.json": LINT, "m/MEMORY.md": "# I\n"}
    note["m/memory/2026-11-01.md"] = "# D\n\n- [observed] See [a](gone.md)\n"
    assert proposed("dead-link", files, note) == []


def test_all_dead_links_of_one_entry_are_one_proposal() -> None:
    text = decision("A", "See [a](a.md), [b](b.md).") + decision("B", "See [c](c.md).")
    first, second = proposed("dead-link", memory(decisions=text))
    assert (first.drawn.label[:17], second.drawn.label[:16]) == ("Mend 2 dead links", "Mend 1 dead link")
    assert first.proposal.evidence == tuple(
        f"{HOME}/decisions.md:6: {name}.md leads nowhere; no file here has that name." for name in "ab"
    )


def test_what_was_decided_and_what_is_no_entry_is_said_and_not_proposed() -> None:
    record = {path: text.replace("Birds move.", "See [a](gone.md).") for path, text in adr(1, "One", "Accepted").items()}
    index = {"m/memory-lint.json": LINT, "m/MEMORY.md": "# I\n\n- [a](memory/projects/gone.md): a\n",
             "m/memory/projects/a.md": "# A\n\n- [stated] It is so (2026-10-01, from us)\n"}
    found = scanned(over(record, index))
    assert [one for one in found.proposals if one.kind == "dead-link"] == []
    assert found.not_compared[:2] == (
        "docs/adr/0001-one.md:9: 1 link leads nowhere, in what was decided and is not rewritten.",
        "m/MEMORY.md: 1 link leads nowhere (line 3), in no entry: mend the row by hand.",
    )
    draft = {path: text.replace("Birds move.", "See [a](gone.md).") for path, text in adr(1, "One", "Rejected").items()}
    assert proposed("dead-link", draft) == []


def test_a_fact_keeps_its_tag_and_source() -> None:
    files = {"m/memory-lint.json": LINT, "m/MEMORY.md": "# I\n\n- `memory/projects/a.md`: a\n",
             "m/memory/projects/a.md": "# A\n\n- [stated] See [the plan](plan.md) (2026-10-01, from us)\n"}
    (one,) = proposed("dead-link", files)
    assert one.after("a.md") == "# A\n\n- [stated] See the plan (2026-10-01, from us)\n"
