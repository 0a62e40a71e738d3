"""Where a candidate can go in a store of three tiers, what each place and verb asks for, and what an entry says."""

from __future__ import annotations

from pathlib import Path

import pytest

from memdesk.core import layouts
from memdesk.core.errors import Refused
from memdesk.core.layouts.tiers import places
from memdesk.core.questions import AGAINST
from tests.support.planning import TiersBench
from tests.support.stores import TIERS, fact


@pytest.fixture
def bench(tmp_path: Path) -> TiersBench:
    inbox = "# Inbox\n\n- [observed] Sites are late. Much too late (for: decision; reason: no network; from a.py:3)\n"
    return TiersBench(tmp_path, **{"inbox.md": inbox, "working/w.md": "## A thought\n\nNot more.\n"})


def test_a_candidate_can_become_a_fact_or_a_line_of_the_log(bench: TiersBench) -> None:
    store = bench.workspace.stores[0]
    found = places.destinations(bench.workspace, store, bench.entry("inbox.md"))
    assert [(place.id, place.path, place.new, place.usual) for place in found] == [
        ("fact:", "memory/facts/", True, True), ("log", "memory/log", False, False)
    ]
    asked = {ask.field: ask for ask in found[0].asks}
    assert [field for field, ask in asked.items() if ask.required] == ["description"]
    assert {field: asked[field].default for field in ("description", "reason", "type", "source", "text")} == {
        "description": "Sites are late", "reason": "no network", "type": "decision", "source": "a.py:3",
        "text": "Sites are late. Much too late",
    }
    assert "six months" in asked["lasting"].label
    assert asked["needed"].label == "Would someone need it?"
    assert [ask.field for ask in asked.values() if ask.field in AGAINST] == ["lasting", "needed", "derivable"]
    assert (asked["lasting"].shown, asked["needed"].shown, asked["derivable"].shown) == (True, True, False)
    assert [ask.field for ask in found[1].asks] == ["text"]
    log = places.destinations(bench.workspace, store, bench.entry("log/2026-05-09.md"))
    assert [place.id for place in log] == ["fact:"]
    assert [place.id for place in places.destinations(bench.workspace, store, None)] == ["fact:", "log"]


def test_what_an_id_names(bench: TiersBench) -> None:
    store = bench.workspace.stores[0]
    for to, ident, path in (
        ("fact:late", "fact:late", "memory/facts"), ("fact: late.md ", "fact:late", "memory/facts"),
        ("fact:", "fact:", "memory/facts"), ("fact", "fact:", "memory/facts"), ("log", "log", "memory/log"),
    ):
        place = places.resolve(bench.workspace, store, to, {})
        assert (place.id, place.path) == (ident, path)
    for to in ("decisions", "log:x", "facts", ""):
        with pytest.raises(Refused, match="no destination") as caught:
            places.resolve(bench.workspace, store, to, {})
        assert caught.value.remedy == "Known: fact:NAME, log."


def test_what_entries_say(bench: TiersBench) -> None:
    said = places.said(bench.entry("inbox.md"))
    assert said == ("Sites are late", "Sites are late. Much too late", {
        "reason": "no network", "kind": "decision", "source": "a.py:3",
    })
    said = places.said(bench.entry("facts/counts-as-csv.md"))
    assert (said.title, said.text) == ("counts-as-csv", "One file for each site, see [[site-names]].")
    assert said.words == {
        "reason": "Volunteers open them in a spreadsheet.", "type": "decision", "tags": "storage", "owner": "Ada",
        "description": "Counts are stored as CSV files, one for each site",
    }
    said = places.said(bench.entry("log/2026-05-09.md"))
    assert said == ("imported the counts of April", "imported the counts of April", {"source": "memory/log/2026-05-09.md"})
    assert places.said(bench.entry("working/w.md"))[:2] == ("A thought", "Not more.")


def test_what_the_other_dialogs_ask_for(bench: TiersBench) -> None:
    store = bench.workspace.stores[0]

    def fields(verb: str, name: str) -> dict[str, str]:
        return {ask.field: ask.default for ask in places.asks(store, verb, bench.entry(name))}

    csv = "facts/counts-as-csv.md"
    assert fields("correct", csv) == {
        "with": "One file for each site, see [[site-names]].", "reason": "", "source": "",
        "description": "Counts are stored as CSV files, one for each site",
    }
    assert fields("edit", csv) == {"text": TIERS[csv].rstrip("\n")}
    assert fields("forget", csv) == {"topic": "", "mode": "purge"}
    assert list(fields("merge", "inbox.md")) == ["into", "text"]
    assert list(fields("reject", "inbox.md")) == list(fields("strike", "inbox.md")) == ["reason"]
    assert fields("archive", csv) == {}


@pytest.mark.parametrize(
    ("into", "after"),
    [
        (fact("A", "Text.", name="a"), fact("A", "Text.\n\nNew.", name="a")),
        (fact("A", "Text.", name="a", why=""), fact("A", "Text.\n\nNew.", name="a", why="")),
        ("---\ndescription: A\n---\n\n## Why\n\nSo.\n", "---\ndescription: A\n---\n\nNew.\n\n## Why\n\nSo.\n"),
    ],
)
def test_a_merge_s_draft_keeps_the_reason_behind_the_text(tmp_path: Path, into: str, after: str) -> None:
    bench = TiersBench(tmp_path, **{"facts/a.md": into})
    assert places.merged(bench.entry("facts/a.md"), "New.") == after.rstrip("\n")
    if "Text." in into:
        assert places.merged(bench.entry("facts/a.md"), "text.") == into.rstrip("\n"), "it says that already"


def test_a_merge_into_a_candidate(bench: TiersBench) -> None:
    assert places.merged(bench.entry("inbox.md"), "New.\n\nMore.").endswith("from a.py:3)\n  New.\n\n  More.")
    assert places.merged(bench.entry("working/w.md"), "New.") == "## A thought\n\nNot more.\n\nNew."


@pytest.mark.parametrize(
    ("text", "type_", "says"),
    [
        ("Text.\n\nUpdate: 20 by now.", "fact", ["reads like an update"]), ("- **Edit:** x", "fact", ["reads like an update"]),
        ("Correction (2026-01-02): x", "fact", ["reads like an update"]), ("The update: it works", "fact", []),
        ("It is so.", "decision", ["reason"]), ("It is so because it works.", "decision", []), ("It is so.", "fact", []),
    ],
)
def test_what_is_advised_against(tmp_path: Path, text: str, type_: str, says: list[str]) -> None:
    bench = TiersBench(tmp_path, **{"facts/a.md": fact("A", text, name="a", why="", type=type_)})
    found = places.remarks(bench.entry("facts/a.md"))
    assert len(found) == len(says)
    assert all(part in remark for part, remark in zip(says, found, strict=True))


def test_only_facts_are_struck_by_correcting_them(bench: TiersBench) -> None:
    tiers = layouts.get("tiers")
    for name, verb, promotable in (
        ("facts/offline.md", "correct", False), ("inbox.md", "strike", True), ("log/2026-05-09.md", "strike", True),
        ("INDEX.md", "strike", False),
    ):
        entry = bench.entry(name)
        assert (tiers.instead("strike", entry), tiers.promotable(entry)) == (verb, promotable)
