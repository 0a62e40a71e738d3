"""The choices for each kind of conflict: which there are, that what is said to be possible is, and that it settles."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date

import pytest

from memdesk.core import actions
from memdesk.core.conflicts import Conflict, find
from memdesk.core.dismissing import plan as dismissing
from memdesk.core.errors import Refused
from memdesk.core.model import Workspace
from memdesk.core.plan import Plan, Request
from memdesk.core.settling import Choice, choices
from tests.support.sources import GLOSSARY, HOME, RECORDS, adr, decision, memory
from tests.support.trees import MemoryTree, workspace

TODAY = date(2026, 11, 30)
WORDS = {"CONTEXT.md": GLOSSARY}
STONE = "## Tombstone: {}\n\nReason: no. Date: 2026-01-01.\n"
DESIGN = "# Plan {0}\n\n**Status:** Draft\n\n**Supersedes:** {1}\n\nA plan.\n"
Files = Mapping[str, str]

CASES: dict[str, tuple[Files, ...]] = {
    "ground superseded": (RECORDS, memory(constraints="- Split by day (see ADR-0001).\n")),
    "ground rejected": (RECORDS, memory(constraints="- Split by day (see ADR-0003).\n")),
    "term": (WORDS, memory(constraints="- **Site**: the web site.\n")),
    "term inside": (WORDS, memory(decisions=decision("Names", "We say:\n\n**Site**: the web site."))),
    "alias": (WORDS, memory(decisions=decision("One Spot for each bay"))),
    "tombstone record": (RECORDS, memory(do_not_use=STONE.format("Keep counts in SQLite"))),
    "tombstone entry": (memory(do_not_use=STONE.format("Cloud sync"), decisions=decision("Cloud sync")),),
    "overlap dead": (RECORDS, memory(decisions=decision("Sync through a broker"))),
    "overlap stone": (RECORDS, memory(do_not_use=STONE.format("Keep all counts in SQLite"))),
    "design title": (RECORDS, {"docs/design/a.md": DESIGN.format("a", "Keep counts in SQLite")}),
    "designs": (RECORDS, {f"docs/design/{name}.md": DESIGN.format(name, "ADR-0002") for name in "ab"}),
    "title": (memory(decisions=decision("Colours") + decision("Colours", "Other.")),),
    "versions": (memory(decisions="## API\n\n- REST (2026-01-14)\n- GraphQL (2026-04-22)\n"),),
}
KEYS = {
    "ground superseded": ["follow", "amend", "supersede", "dismiss"],
    "ground rejected": ["follow", "amend", "supersede", "dismiss"],
    "term": ["follow", "amend", "supersede", "dismiss"],
    "term inside": ["-follow", "amend", "supersede", "dismiss"],
    "alias": ["follow", "supersede", "dismiss"],
    "tombstone record": ["follow", "supersede", "narrow", "amend", "dismiss"],
    "tombstone entry": ["follow", "supersede", "merge", "narrow", "dismiss"],
    "overlap dead": ["follow", "supersede", "narrow", "amend", "dismiss"],
    "overlap stone": ["follow", "supersede", "narrow", "amend", "dismiss"],
    "design title": ["follow", "amend", "dismiss"],
    "designs": ["-follow", "supersede", "supersede", "merge", "dismiss"],
    "title": ["-follow", "supersede", "supersede", "merge", "narrow", "dismiss"],
    "versions": ["-follow", "merge", "narrow", "dismiss"],
}


def made(case: str) -> tuple[Workspace, Conflict]:
    files: dict[str, str] = {}
    for part in CASES[case]:
        files.update(part)
    there = workspace(files)
    (clash,) = find(there)
    return there, clash


def planned(there: Workspace, choice: Choice, **words: str) -> Plan:
    request = Request(choice.verb, choice.ids, {**choice.words, **words}, store=choice.store, person=True)
    return actions.plan(there, request, TODAY)


def after(there: Workspace, plan: Plan) -> Workspace:
    assert isinstance(there.tree, MemoryTree)
    files: dict[str, str | bytes] = dict(there.tree.files)
    files.update({step.path: step.after for step in plan.steps if step.after is not None})
    return workspace(files)


@pytest.mark.parametrize("case", KEYS)
def test_the_choices_of_each_kind_and_where_they_write(case: str) -> None:
    there, clash = made(case)
    found = choices(there, clash)
    assert [("" if choice.possible else "-") + choice.key for choice in found] == KEYS[case]
    for choice in found:
        assert choice.possible == (choice.why_not == "")
        assert "\n" not in choice.consequence + choice.label + choice.why_not
        if choice.possible:
            assert ".md" in choice.consequence or ".toml" in choice.consequence, choice
    assert (found[-1].verb, found[-1].ids) == ("dismiss", (clash.id,))


@pytest.mark.parametrize("case", [case for case, keys in KEYS.items() if "follow" in keys])
def test_following_the_higher_source_settles_it(case: str) -> None:
    there, clash = made(case)
    choice = choices(there, clash)[0]
    if case == "design title":  # a person writes the number
        choice = choice._replace(words={"text": choice.words["text"].replace("Keep counts in SQLite", "ADR-0002")})
    left = find(after(there, planned(there, choice)))
    assert left == []


def test_a_struck_entry_points_at_the_record_that_holds() -> None:
    there, clash = made("ground superseded")
    plan = planned(there, choices(there, clash)[0])
    (text,) = [step.after for step in plan.steps if step.path == f"{HOME}/constraints.md" and step.after]
    assert (
        "- ~~Split by day (see ADR-0001).~~ struck 2026-11-30: "
        "ADR-0002 came in place of ADR-0001 (docs/adr/0002-keep-counts-in-sqlite.md)\n"
    ) in text.decode()


def test_the_ground_s_successor_is_put_into_the_text() -> None:
    there, clash = made("ground superseded")
    amend = choices(there, clash)[1]
    assert amend.words["text"] == "- Split by day (see ADR-0002)."
    assert find(after(there, planned(there, amend))) == []


def test_the_glossary_s_word_in_the_title_and_nowhere_else() -> None:
    there, clash = made("alias")
    text = choices(there, clash)[0].words["text"]
    assert text.startswith("## 2026-02-01 - One Site for each bay\n")
    lower = workspace({**WORDS, **memory(decisions=decision("One spot for each bay", "A spot is a spot."))})
    (again,) = find(lower)
    assert choices(lower, again)[0].words["text"].startswith(
        "## 2026-02-01 - One site for each bay\n\nDecision:\nA spot is a spot."
    )


@pytest.mark.parametrize("case", ["ground superseded", "tombstone record", "overlap stone"])
def test_a_new_record_in_the_place_of_the_accepted_one(case: str) -> None:
    there, clash = made(case)
    (choice,) = [one for one in choices(there, clash) if one.key == "supersede"]
    text = {} if case == "ground superseded" else {"with": "Counts are kept as CSV."}  # a rejection says nothing of what holds
    assert ("with" in choice.words) is not bool(text)
    plan = planned(there, choice, reason="It is measured now.", **text)
    old, new = "docs/adr/0002-keep-counts-in-sqlite.md", [step.path for step in plan.steps if step.kind == "create"]
    assert [path.startswith("docs/adr/0006-") for path in new] == [True]
    assert old in plan.paths
    assert [one.kind for one in find(after(there, plan)) if one.kind != "ground"] == []


@pytest.mark.parametrize("case", ["ground rejected", "overlap dead"])
def test_a_drafted_record_beside_one_that_does_not_stand(case: str) -> None:
    there, clash = made(case)
    (choice,) = [one for one in choices(there, clash) if one.key == "supersede"]
    plan = planned(there, choice)
    assert [step.path.startswith("docs/adr/0006-") for step in plan.steps if step.kind == "create"] == [True]
    assert b"roposed" in (plan.steps[-1].after or b"")


@pytest.mark.parametrize("case", ["tombstone record", "overlap dead", "title", "tombstone entry"])
def test_a_narrower_scope_settles_it_once_it_is_filled_in(case: str) -> None:
    there, clash = made(case)
    (choice,) = [one for one in choices(there, clash) if one.key == "narrow"]
    text = choice.words["text"]
    assert text.endswith(("Scope: ", "Scope:\n"))
    with pytest.raises(Refused, match="The scope is still to be filled in"):  # an empty one narrows nothing
        planned(there, choice, text=text)
    assert find(after(there, planned(there, choice, text=text + "area:maps"))) == []


def test_either_of_two_with_one_title_can_be_kept() -> None:
    there, clash = made("title")
    ways = [one for one in choices(there, clash) if one.key == "supersede"]
    assert [one.ids for one in ways] == [(clash.sides[1].entry.id,), (clash.sides[0].entry.id,)]
    for way in ways:
        assert find(after(there, planned(there, way))) == []


def test_what_can_not_be_done_says_why() -> None:
    there, clash = made("ground superseded")
    clash.sides[1].entry.document.store.read_only = "a newer protocol"
    found = {choice.key: choice.why_not for choice in choices(there, clash)}
    said = f"The store {HOME} is read-only: a newer protocol"
    assert found == {"follow": said, "amend": said, "supersede": "", "dismiss": ""}
    there, clash = made("title")
    assert choices(there, clash)[0].why_not == "All sides are of one rank (decision): none wins, a person must say which holds."


def test_of_a_file_with_conflict_markers_nothing_is_offered() -> None:
    marked = "<<<<<<< HEAD\n- Split by day (see ADR-0001).\n=======\n- Split.\n>>>>>>> other\n"
    there = workspace({**RECORDS, **memory(constraints=marked)})
    for clash in find(there):
        for choice in choices(there, clash):
            if clash.sides[1].entry.id in choice.ids:
                assert not choice.possible
                assert "constraints.md can't be edited" in choice.why_not


def test_what_is_dismissed_already_and_a_broken_file() -> None:
    there, clash = made("title")
    plan = dismissing(there, Request("dismiss", (clash.id[:4],)), {"reason": "Two rooms.", "by": "Ada"}, TODAY)
    judged = after(there, plan)
    (again,) = find(judged)
    assert again.id == clash.id
    assert choices(judged, again)[-1].why_not == (
        "It is dismissed already, by Ada on 2026-11-30 (.memdesk/judgments.toml:4)."
    )
    with pytest.raises(Refused, match="dismissed already, by Ada on 2026-11-30: Two rooms"):
        dismissing(judged, Request("dismiss", (clash.id,)), {"reason": "Again.", "by": "Bo"}, TODAY)
    broken = workspace({**CASES["title"][0], ".memdesk/judgments.toml": "<<<<<<< HEAD\n"})
    assert "judgments.toml:1: is not valid TOML" in choices(broken, find(broken)[0])[-1].why_not


def test_a_record_without_a_number_has_its_file_s_name() -> None:
    records = {**adr(1, "Keep counts in SQLite", "Rejected")}
    there = workspace({**records, **memory(decisions=decision("Keep counts in SQLite"))})
    (clash,) = find(there)
    assert clash.about == "ADR-0001"
    assert choices(there, clash)[0].label == "Follow ADR-0001: strike the entry"
