"""What a fact says: its front matter, its text, its reason; and where links lead."""

from __future__ import annotations

import pytest

from memdesk.core import config, layouts
from memdesk.core.layouts.tiers import crosslinks, facts
from memdesk.core.model import Document, Workspace
from memdesk.core.workspace import open_workspace
from tests.support.stores import TIERS, fact
from tests.support.trees import MemoryTree

OFFLINE = "facts/offline.md"


def opened(**more: str) -> Workspace:
    files = {f"memory/{name}": str(text) for name, text in {**TIERS, **more}.items()}
    return open_workspace(MemoryTree(files), config.defaults())


def document(text: str) -> Document:
    return opened(**{"facts/x.md": text}).documents["memory/facts/x.md"]


def test_all_that_a_fact_says() -> None:
    text = fact(
        '"Prices: 12 euros a month"', "It costs 12 euros.", name="prices", type="decision", tags=("sales", "web"), owner="Ada",
        updated="2026-05-02", review_by="2026-11-01", links="[offline, '[[site-names]]', [[counts-as-csv]], counts-as-csv.md]",
    )
    said = facts.fact_of(document(text))
    assert said[:8] == (
        "prices", "Prices: 12 euros a month", "decision", ("sales", "web"), "Ada", "2026-05-02", "2026-11-01",
        ("offline", "[[site-names]]", "counts-as-csv", "counts-as-csv.md"),
    )
    assert said.body == "# prices\n\nIt costs 12 euros.\n\nWhy: Volunteers asked for it."
    assert facts.fact_of(document("\ufeff" + text.replace("\n", "\r\n"))) == said


def test_what_is_missing_is_empty_and_the_name_is_the_title_or_the_files() -> None:
    said = facts.fact_of(document("Text alone.\n"))
    assert said == ("x", "", "", (), "", "", "", (), "Text alone.")
    assert facts.fact_of(document("---\ndescription: d\n---\n# The *title*\n")).name == "The *title*"
    assert facts.fact_of(document("---\ntags: a, b\ndescription: [1]\n---\n"))[1:4] == ("", "", ("a", "b"))
    assert facts.fact_of(document("---\na: b: c\n---\n# T\n")).name == "T"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("Why: They asked.\n", "They asked."), ("**Why:** They\nasked.\n\nMore.\n", "They\nasked."),
        ("- Reason: They asked.\n", "They asked."), ("## Why\n\nThey asked.\n\n## Else\n\nx\n", "They asked."),
        ("## Rationale\n\nThey asked.\n", "They asked."), ("### The reason for it\n\n- a\n- b\n", "- a\n- b"),
        ("We use Neon because branching is cheap. It is fast.\n", "We use Neon because branching is cheap."),
        ("It is fast. We use it, since nothing else runs offline.\n", "We use it, since nothing else runs offline."),
        ("Reasoning: x\n", "x"), ("_Why_: x\n", "x"),
    ],
)
def test_the_reason(text: str, why: str) -> None:
    assert facts.why_of(document(f"---\ndescription: d\n---\n# T\n\n{text}")) == why


@pytest.mark.parametrize(
    "text",
    ["We use Neon.\n", "Since 2026 we use Neon.\n", "`because` is a keyword.\n", "## Why\n\n## How\n\nx\n", "Why:\n"],
)
def test_no_reason(text: str) -> None:
    assert facts.why_of(document(f"---\ndescription: d\n---\n# T\n\n{text}")) == ""


@pytest.mark.parametrize(
    ("link", "path"),
    [
        ("[[offline]]", OFFLINE), ("[[Offline]]", OFFLINE), ("[[offline|the net]]", OFFLINE), ("[[offline#why]]", OFFLINE),
        ("[[offline.md]]", OFFLINE), ("[[facts/offline]]", OFFLINE), ("[[2026-05-09]]", "log/2026-05-09.md"),
        ("[[The title of y]]", "facts/y.md"), ("[[Site Names]]", "facts/site-names.md"), ("[x](offline.md)", OFFLINE),
        ("[x](./offline.md#why)", OFFLINE), ("[x](<offline.md>)", OFFLINE), ('[x](offline.md "t")', OFFLINE),
        ("[x](off%6Cine.md)", OFFLINE), ("[x](facts/offline.md)", OFFLINE), ("[x](/memory/facts/offline.md)", OFFLINE),
        ("[x](../log/2026-05-09.md)", "log/2026-05-09.md"), ("[x](../log/)", "log"),
        ("[[nowhere]]", None), ("[x](nowhere.md)", None), ("[x](Offline.md)", None), ("[[facts/nowhere]]", None),
    ],
)
def test_where_a_link_leads(link: str, path: str | None) -> None:
    workspace = opened(**{"facts/x.md": f"See {link}.\n", "facts/y.md": fact("d", name="The title of y")})
    own = workspace.documents["memory/facts/x.md"]
    layout = layouts.get("tiers")
    (only,) = layout.links(own)
    assert layout.resolve(workspace, own.store, own, only) == (path and f"memory/{path}")


def test_what_is_no_link() -> None:
    text = (
        "`[[a]]` and \\[a](b.md) and [mail](mailto:x) and <https://example.com/a.md> and [web](https://example.com/a.md) "
        "and [here](#why)\n\n```\n[[a]]\n```\n\n<!-- [[a]] -->\n"
    )
    assert list(layouts.get("tiers").links(document(text))) == []


def test_facts_that_nothing_leads_to() -> None:
    lost, linked = fact("d"), fact("d", "See [[lost-and-linked]].")
    more = {"facts/lost.md": linked, "facts/lost-and-linked.md": lost, "facts/found.md": lost, "inbox.md": "See [[found]].\n"}
    workspace = opened(**more)
    found = crosslinks.unreached(workspace, workspace.stores[0])
    assert found == ["memory/facts/lost-and-linked.md", "memory/facts/lost.md"]
