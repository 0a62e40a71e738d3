"""What each verb writes, to the byte, in the forms that the format page names."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from memdesk.core.actions import merged_text
from memdesk.core.errors import ReadOnly, Refused
from tests.support.planning import Bench
from tests.support.stores import MEMORY, STANDARD, manifest

INBOX = (
    "# Inbox\n\n## 2026-11-28\n\n- [observed] Counts drift after a restart. (for: decision; from src/app.py:12)\n- Second\n\n"
    "## 2026-11-20\n\n- Third\n"
)
EMPTY = STANDARD["inbox.md"]


def one(root: Path, text: str, **files: Any) -> Bench:
    """A store whose inbox holds one candidate."""
    return Bench(root, inbox=f"# Inbox\n\n## 2026-11-28\n\n{text}\n", **files)


# add


@pytest.mark.parametrize(
    ("inbox", "after"),
    [
        (EMPTY, "# Inbox\n\n## 2026-11-30\n\n- New\n"),
        ("# Inbox\n", "# Inbox\n\n## 2026-11-30\n\n- New\n"),
        ("", "## 2026-11-30\n\n- New\n"),
        ("# Inbox", "# Inbox\n\n## 2026-11-30\n\n- New"),
        (
            "# Inbox\n\nReview weekly.\n\n## 2026-11-28\n\n- Old\n",
            "# Inbox\n\nReview weekly.\n\n## 2026-11-30\n\n- New\n\n## 2026-11-28\n\n- Old\n",
        ),
        ("# Inbox\n\n## 2026-11-30\n\n- Old\n", "# Inbox\n\n## 2026-11-30\n\n- New\n- Old\n"),
        ("# Inbox\n\n## 2026-11-30\n- Old\n", "# Inbox\n\n## 2026-11-30\n- New\n- Old\n"),
        ("# Inbox\n\n## 2026-11-30\n\n* Old\n", "# Inbox\n\n## 2026-11-30\n\n* New\n* Old\n"),
        (
            "# Inbox\n\n## 2026-11-30\n\n- Old\n\n- Older\n",
            "# Inbox\n\n## 2026-11-30\n\n- New\n\n- Old\n\n- Older\n",
        ),
        ("# Inbox\n\n## 2026-11-30\n\n  - Old\n", "# Inbox\n\n## 2026-11-30\n\n  - New\n  - Old\n"),
        ("# Inbox\n\n- Undated\n", "# Inbox\n\n- Undated\n\n## 2026-11-30\n\n- New\n"),
        (
            "# Inbox\n\n## 2026-11-30\n\nWhole section of today.\n",
            "# Inbox\n\n## 2026-11-30\n\n- New\n\n## 2026-11-30\n\nWhole section of today.\n",
        ),
        (
            "# Inbox\r\n\r\n## 2026-11-28\r\n\r\n- Old\r\n",
            "# Inbox\r\n\r\n## 2026-11-30\r\n\r\n- New\r\n\r\n## 2026-11-28\r\n\r\n- Old\r\n",
        ),
        ("# Inbox\n\n_None yet._\n", "# Inbox\n\n## 2026-11-30\n\n- New\n"),
        (
            "# Inbox\n\n```\n## 2026-11-30\n```\n\n## 2026-11-28\n\n- Old\n",
            "# Inbox\n\n```\n## 2026-11-30\n```\n\n## 2026-11-30\n\n- New\n\n## 2026-11-28\n\n- Old\n",
        ),
    ],
)
def test_adding_goes_under_todays_heading_newest_first(tmp_path: Path, inbox: str, after: str) -> None:
    bench = Bench(tmp_path, inbox=inbox)
    plan = bench.plan("add", text="New", person=False)
    assert bench.after(plan, "inbox.md") == after.encode()
    assert bench.names(plan) == ["inbox.md"]
    bench.apply(plan)
    assert [entry.id for entry in bench.workspace.candidates() if entry.text.endswith("New")] == list(plan.new_ids)


def test_adding_with_all_that_is_known(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    plan = bench.plan(
        "add", text="Use WAL mode", tag="observed", kind="constraint", source="src/app.py:12", reason="it locks", area="storage"
    )
    line = b"- [observed] Use WAL mode (for: constraint; area: storage; reason: it locks; from src/app.py:12)\n"
    assert line in bench.after(plan, "inbox.md")
    bench.apply(plan)
    (candidate,) = bench.workspace.candidates()
    assert (candidate.tag, candidate.source, candidate.fields["for"], candidate.fields["reason"]) == (
        "observed", "src/app.py:12", "constraint", "it locks",
    )
    assert candidate.fields["text"] == "Use WAL mode"


def test_added_lines_become_the_bullets_continuation(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    plan = bench.plan("add", text="First\n\nSecond\n- nested\n\n```\n# code\n```")
    expected = "- First\n\n  Second\n  - nested\n\n  ```\n  # code\n  ```\n"
    assert bench.after(plan, "inbox.md").decode().endswith(expected)
    bench.apply(plan)
    assert len(bench.workspace.candidates()) == 1


def test_f06_a_missing_inbox_is_an_empty_one(tmp_path: Path) -> None:
    bench = Bench(tmp_path, inbox=None)
    assert bench.workspace.candidates() == []
    plan = bench.plan("add", text="New")
    assert [step.kind for step in plan.steps] == ["create"]
    assert bench.after(plan, "inbox.md") == b"# Inbox\n\n## 2026-11-30\n\n- New\n"
    assert f"{MEMORY}/manifest.md" in plan.reads


def test_a_bracket_that_would_not_be_read_back_is_refused(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    with pytest.raises(Refused) as caught:
        bench.plan("add", text="New", reason="one) two (")
    assert caught.value.field == "reason"


# promote to decisions


def test_promoting_to_decisions(tmp_path: Path) -> None:
    bench = Bench(tmp_path, inbox=INBOX)
    words = {"title": "Restart drift", "reason": "It lost data.", "scope": "the app"}
    plan = bench.plan("promote", bench.entries("inbox.md")[:1], to="decisions", **words)
    assert bench.after(plan, "decisions.md").decode() == STANDARD["decisions.md"].replace(
        "# Decisions\n\n",
        "# Decisions\n\n## 2026-11-30 - Restart drift\n\nDecision:\nCounts drift after a restart.\n\nReason:\nIt lost data.\n\n"
        "Scope:\nthe app\n\nSource:\nsrc/app.py:12\n\n",
    )
    assert bench.after(plan, "inbox.md").decode() == "# Inbox\n\n## 2026-11-28\n\n- Second\n\n## 2026-11-20\n\n- Third\n"
    assert bench.names(plan) == ["decisions.md", "inbox.md"]
    assert plan.summary == 'Promoted "Restart drift" from inbox.md to decisions.md.'
    assert plan.label == "Promote to decisions.md · 40 → 77 of 800 tokens · inbox 3 → 2"


def test_a_decision_without_its_why_is_refused(tmp_path: Path) -> None:
    bench = Bench(tmp_path, inbox=INBOX)
    with pytest.raises(Refused, match="re-evaluated") as caught:
        bench.plan("promote", bench.entries("inbox.md")[:1], to="decisions")
    assert caught.value.field == "reason"


def test_the_reason_that_a_candidate_gives_serves(tmp_path: Path) -> None:
    bench = one(tmp_path, "- Use WAL (for: decision; reason: it locks)")
    plan = bench.plan("promote", bench.entries("inbox.md"), to="decisions")
    assert b"Decision:\nUse WAL\n\nReason:\nit locks\n" in bench.after(plan, "decisions.md")


@pytest.mark.parametrize(
    ("decisions", "after"),
    [
        (
            "# Decisions\n\n- 2026-05-02 | Use CSV | TSV. Reason: spreadsheets. Reason: habit.\n",
            "# Decisions\n\n- 2026-11-30 | Use WAL. Reason: it locks.\n"
            "- 2026-05-02 | Use CSV | TSV. Reason: spreadsheets. Reason: habit.\n",
        ),
        (
            "# Decisions\n\nNewest first.\n\n- 2026-05-02 | Use CSV. Reason: x.\n\n## 2026-01-01 - Old\n\nText\n",
            "# Decisions\n\nNewest first.\n\n- 2026-11-30 | Use WAL. Reason: it locks.\n- 2026-05-02 | Use CSV. Reason: x.\n\n"
            "## 2026-01-01 - Old\n\nText\n",
        ),
        ("# Decisions\n", "# Decisions\n\n## 2026-11-30 - Use WAL\n\nDecision:\nUse WAL\n\nReason:\nit locks\n"),
        (
            "# Decisions\n\n## No date\n\nPlain text.\n",
            "# Decisions\n\n## 2026-11-30 - Use WAL\n\nDecision:\nUse WAL\n\nReason:\nit locks\n\n## No date\n\nPlain text.\n",
        ),
        (
            "Decisions\n=========\n\nOld one\n-------\n\nText\n",
            "Decisions\n=========\n\n## 2026-11-30 - Use WAL\n\nDecision:\nUse WAL\n\nReason:\nit locks\n\n"
            "Old one\n-------\n\nText\n",
        ),
        (
            "# Decisions\n\n````\n## Example\n```\n````\n\n## 2026-01-01 - Old\n",
            "# Decisions\n\n````\n## Example\n```\n````\n\n## 2026-11-30 - Use WAL\n\nDecision:\nUse WAL\n\n"
            "Reason:\nit locks\n\n## 2026-01-01 - Old\n",
        ),
    ],
)
def test_a_new_decision_follows_its_neighbours(tmp_path: Path, decisions: str, after: str) -> None:
    bench = one(tmp_path, "- Use WAL", decisions=decisions)
    plan = bench.plan("promote", bench.entries("inbox.md"), to="decisions", reason="it locks")
    assert bench.after(plan, "decisions.md").decode() == after


def test_a_text_of_several_blocks_is_not_put_on_one_line(tmp_path: Path) -> None:
    decisions = "# Decisions\n\n- 2026-05-02 | Use CSV. Reason: x.\n"
    bench = one(tmp_path, "- Run it\n  so:\n\n  ```\n  make\n  ```", decisions=decisions)
    plan = bench.plan("promote", bench.entries("inbox.md"), to="decisions", reason="it locks")
    assert bench.after(plan, "decisions.md").decode() == (
        "# Decisions\n\n- 2026-11-30 | Run it\n  so:\n\n  ```\n  make\n  ```\n\n  Reason: it locks.\n"
        "- 2026-05-02 | Use CSV. Reason: x.\n"
    )
    bench.apply(plan)
    assert bench.entries("decisions.md")[0].fields["reason"] == "it locks."


@pytest.mark.parametrize("title", ["Learn C #", "#", "C#", "Use ##"])
def test_a_title_keeps_its_signs(tmp_path: Path, title: str) -> None:
    bench = one(tmp_path, "- Use WAL")
    bench.apply(bench.plan("promote", bench.entries("inbox.md"), to="decisions", reason="x", title=title))
    assert bench.entries("decisions.md")[0].fields["title"].replace("\\", "") == title


def test_several_decisions_go_in_one_plan_in_the_order_in_which_they_are_named(tmp_path: Path) -> None:
    bench = Bench(tmp_path, inbox=INBOX)
    entries = bench.entries("inbox.md")
    plan = bench.plan("promote", entries[::-1], to="decisions", reason="Agreed.")
    text = bench.after(plan, "decisions.md").decode()
    assert [line for line in text.split("\n") if line.startswith("## ")] == [
        "## 2026-11-30 - Third", "## 2026-11-30 - Second", "## 2026-11-30 - Counts drift after a restart",
        "## 2026-05-02 - Store counts as CSV",
    ]
    assert bench.after(plan, "inbox.md").decode() == EMPTY


@pytest.mark.parametrize(
    ("to", "path", "text"),
    [
        ("decisions", "decisions.md", "Reason:\nwhy\n\nSource:\nsrc/app.py:1\n"),
        ("constraints", "constraints.md", "- One thing (from src/app.py:1)\n  Reason: why\n"),
        ("preferences", "preferences.md", "- One thing (from src/app.py:1)\n  Reason: why\n"),
        ("do-not-use", "do-not-use.md", "Date: 2026-11-30.\nSource: src/app.py:1\n"),
        ("area:new", "areas/new.md", "Reason:\nwhy\n\nSource:\nsrc/app.py:1\n"),
        ("rule:new", "rules/new.md", "- One thing (from src/app.py:1)\n  Reason: why\n"),
    ],
)
def test_the_source_of_a_candidate_goes_with_it(tmp_path: Path, to: str, path: str, text: str) -> None:
    bench = one(tmp_path, "- One thing (reason: why; from src/app.py:1)")
    plan = bench.plan("promote", bench.entries("inbox.md"), to=to)
    assert text in bench.after(plan, path).decode()
    other = bench.plan("promote", bench.entries("inbox.md"), to=to, source="issue 4")
    assert "issue 4" in bench.after(other, path).decode()
    assert "src/app.py" not in bench.after(other, path).decode()


def test_several_at_once_keep_each_its_own_source(tmp_path: Path) -> None:
    bench = one(tmp_path, "- [observed] One (from a.py:1)\n- [inferred] Two (from b.py:2)\n- Three")
    plan = bench.plan("promote", bench.entries("inbox.md"), to="constraints")
    lines = b"- One (from a.py:1)\n- Two (from b.py:2)\n- Three\n"
    assert bench.after(plan, "constraints.md").endswith(lines)
    plan = bench.plan("promote", bench.entries("inbox.md"), to="constraints", tag="suggested")
    assert bench.after(plan, "constraints.md").endswith(b"- [suggested] Two (from b.py:2)\n- [suggested] Three\n")


@pytest.mark.parametrize("to", ["constraints", "decisions", "do-not-use"])
def test_what_stands_at_the_destination_already_is_told(tmp_path: Path, to: str) -> None:
    texts = {
        "constraints": "runs without  a network connection.", "decisions": "Counts are stored as CSV files, one for each site.",
        "do-not-use": "Cloud sync",
    }
    bench = one(tmp_path, f"- {texts[to]}\n- Another")
    same, other = bench.entries("inbox.md")
    warned = bench.plan("promote", [same], to=to, reason="why").warnings
    if to != "do-not-use":  # a tombstone's title is told where candidates are looked at
        assert any(line.startswith(f"An equal entry stands in {to}.md:3: merge or reject?") for line in warned), warned
    assert bench.plan("promote", [other], to=to, reason="why").warnings == ()


def test_merging_what_is_said_already_leaves_it_as_it_is(tmp_path: Path) -> None:
    bench = one(tmp_path, "- [observed] runs without a network  connection. (from a.py:1)\n- Another")
    same, other = bench.entries("inbox.md")
    into = bench.entries("constraints.md")[0]
    assert merged_text(into, [same]) == into.text
    plan = bench.plan("merge", [same], into=into.id)
    assert bench.names(plan) == ["inbox.md"]
    assert merged_text(into, [other]) == "- Runs without a network connection.\n  Another"
    with pytest.raises(Refused, match="what it was"):
        bench.plan("merge", [other], into=into.id, text=into.text)


# promote to lines


@pytest.mark.parametrize(
    ("constraints", "after"),
    [
        ("# Constraints\n\n- Offline.\n", "# Constraints\n\n- Offline.\n- Use WAL\n"),
        ("# Constraints\n\n- Offline.", "# Constraints\n\n- Offline.\n- Use WAL"),
        ("# Constraints\n\n- Offline.\n\n\n", "# Constraints\n\n- Offline.\n- Use WAL\n\n\n"),
        ("# Constraints\n\n* A\n\n* B\n", "# Constraints\n\n* A\n\n* B\n\n* Use WAL\n"),
        ("# Constraints\n", "# Constraints\n\n- Use WAL\n"),
        ("", "- Use WAL\n"),
        ("# Constraints\n\n- A\n\n## Why\n\nProse.\n", "# Constraints\n\n- A\n- Use WAL\n\n## Why\n\nProse.\n"),
        ("# Constraints\n\n## Why\n\nProse.\n", "# Constraints\n\n- Use WAL\n\n## Why\n\nProse.\n"),
        ("# Constraints\n\n- A\n  - nested\n\n  more\n", "# Constraints\n\n- A\n  - nested\n\n  more\n- Use WAL\n"),
        ("# Constraints\r\n\r\n- A\r\n", "# Constraints\r\n\r\n- A\r\n- Use WAL\r\n"),
        ("# Constraints\n\n- A\nlazy\n", "# Constraints\n\n- A\nlazy\n- Use WAL\n"),
    ],
)
def test_a_constraint_is_appended(tmp_path: Path, constraints: str, after: str) -> None:
    bench = one(tmp_path, "- Use WAL", constraints=constraints)
    plan = bench.plan("promote", bench.entries("inbox.md"), to="constraints")
    assert bench.after(plan, "constraints.md").decode() == after


def test_a_missing_file_is_made_with_its_title(tmp_path: Path) -> None:
    bench = one(tmp_path, "- Short words", do_not_use=None)
    plan = bench.plan("promote", bench.entries("inbox.md"), to="preferences")
    assert bench.after(plan, "preferences.md") == b"# Preferences\n\n- Short words\n"
    assert [step.kind for step in plan.steps] == ["create", "replace"]
    plan = bench.plan("promote", bench.entries("inbox.md"), to="do-not-use", reason="no")
    assert bench.after(plan, "do-not-use.md").startswith(b"# Do not use\n\n## Tombstone: Short words\n")


def test_a_multi_line_candidate_stays_one_bullet(tmp_path: Path) -> None:
    bench = one(tmp_path, "- [inferred] First\n  second\n\n  third\n  - nested")
    plan = bench.plan("promote", bench.entries("inbox.md"), to="constraints")
    assert bench.after(plan, "constraints.md").endswith(b"- First\n  second\n\n  third\n  - nested\n")


def test_a_tag_that_a_person_gives_is_written(tmp_path: Path) -> None:
    bench = one(tmp_path, "- [inferred] Short words")
    plan = bench.plan("promote", bench.entries("inbox.md"), to="preferences", tag="stated", source="issue 4")
    assert b"- [stated] Short words (from issue 4)\n" in bench.after(plan, "preferences.md")


def test_a_section_candidate_goes_with_its_fields(tmp_path: Path) -> None:
    inbox = "# Inbox\n\n## Cache counts\n\nStatus: candidate\n\nDecision:\nKeep a cache.\n\nReason:\nIt is slow.\n\n- detail\n"
    bench = Bench(tmp_path, inbox=inbox)
    plan = bench.plan("promote", bench.entries("inbox.md"), to="decisions")
    assert "## 2026-11-30 - Cache counts\n\nDecision:\nKeep a cache.\n\nReason:\nIt is slow.\n\n- detail\n" in bench.after(
        plan, "decisions.md"
    ).decode()
    assert bench.after(plan, "inbox.md").decode() == EMPTY


# tombstones


def test_a_tombstone_with_all_its_fields(tmp_path: Path) -> None:
    bench = one(tmp_path, "- Use SQLite")
    plan = bench.plan(
        "promote", bench.entries("inbox.md"), to="do-not-use", reason="It locks.", scope="area:storage", reconsider="2027-06-01"
    )
    assert bench.after(plan, "do-not-use.md").decode() == STANDARD["do-not-use.md"].replace(
        "# Do not use\n\n",
        "# Do not use\n\n## Tombstone: Use SQLite\n\nDo not reintroduce this unless the user explicitly reverses it. "
        "Reason: It locks. Date: 2026-11-30.\nScope: area:storage\nReconsider: 2027-06-01\n\n",
    )
    bench.apply(plan)
    made = bench.entries("do-not-use.md")[0]
    assert (made.fields["reason"], made.fields["reconsider"], made.fields["scope"], made.date) == (
        "It locks.", "2027-06-01", "area:storage", "2026-11-30",
    )


def test_a_tombstone_behind_bullets_does_not_take_them_in(tmp_path: Path) -> None:
    bench = one(tmp_path, "- Use SQLite", do_not_use="# Do not use\n\n- Cloud sync. Reason: none.\n")
    plan = bench.plan("reject", bench.entries("inbox.md"), tombstone="yes", reason="It locks")
    after = bench.after(plan, "do-not-use.md").decode()
    assert after.startswith("# Do not use\n\n- Cloud sync. Reason: none.\n\n## Tombstone: Use SQLite\n")


# modules


def test_f03_a_new_area_is_made_and_indexed_in_one_plan_file_first(tmp_path: Path) -> None:
    bench = one(tmp_path, "- Use WAL")
    plan = bench.plan(
        "promote", bench.entries("inbox.md"), to="area:Session Storage", reason="it locks", applies="when sessions are stored"
    )
    assert [(step.kind, step.path) for step in plan.steps] == [
        ("mkdir", f"{MEMORY}/areas"), ("create", f"{MEMORY}/areas/session-storage.md"), ("replace", f"{MEMORY}/manifest.md"),
        ("replace", f"{MEMORY}/inbox.md"),
    ]
    assert bench.after(plan, "areas/session-storage.md").decode() == (
        "# Area: session storage\n\nApplies when sessions are stored.\n\n## 2026-11-30 - Use WAL\n\nDecision:\nUse WAL\n\n"
        "Reason:\nit locks\n"
    )
    before = bench.document("manifest.md").data.decode()
    head, _, tail = before.rpartition("- None enabled.\n")
    assert bench.after(plan, "manifest.md").decode() == (
        f"{head}- `areas/session-storage.md`: when sessions are stored\n{tail}"
    )
    bench.apply(plan)
    assert [module.name for module in bench.workspace.stores[0].settings.enabled("areas")] == ["session-storage"]


def test_an_area_that_is_there_but_not_enabled_gets_its_row(tmp_path: Path) -> None:
    bench = one(tmp_path, "- Use WAL", manifest=manifest(areas=("export",)), **{"areas/storage": "# Storage\n\n- A\n"})
    plan = bench.plan("promote", bench.entries("inbox.md"), to="area:storage", kind="constraint")
    assert bench.names(plan) == ["areas/storage.md", "manifest.md", "inbox.md"] or set(bench.names(plan)) == {
        "areas/storage.md", "manifest.md", "inbox.md",
    }
    assert bench.after(plan, "areas/storage.md") == b"# Storage\n\n- A\n- Use WAL\n"
    rows = b"- `areas/export.md`: when the task touches export\n- `areas/storage.md`: when a task touches storage\n"
    assert rows in bench.after(plan, "manifest.md")


def test_an_enabled_area_leaves_the_manifest_alone(tmp_path: Path) -> None:
    bench = one(tmp_path, "- Use WAL", **{"areas/storage": "# Storage\n\nWhen storing.\n\n## 2026-01-01 - A\n\nB\n\n- c\n"})
    plan = bench.plan("promote", bench.entries("inbox.md"), to="area:storage", reason="it locks")
    assert bench.names(plan) == ["areas/storage.md", "inbox.md"]
    assert bench.after(plan, "areas/storage.md").decode().startswith("# Storage\n\nWhen storing.\n\n## 2026-11-30 - Use WAL\n")


def test_f_a_constraint_in_an_area_is_not_swallowed_by_the_decision_above(tmp_path: Path) -> None:
    area = "# Storage\n\n## 2026-01-01 - A\n\nB\n"
    bench = one(tmp_path, "- Use WAL", **{"areas/storage": area})
    plan = bench.plan("promote", bench.entries("inbox.md"), to="area:storage", kind="constraint")
    assert bench.after(plan, "areas/storage.md").decode() == "# Storage\n\n- Use WAL\n\n## 2026-01-01 - A\n\nB\n"


@pytest.mark.parametrize("kind", ["rule", "profile"])
def test_new_rules_and_profiles(tmp_path: Path, kind: str) -> None:
    bench = one(tmp_path, "- Short words")
    plan = bench.plan("promote", bench.entries("inbox.md"), to=f"{kind}:writing")
    assert bench.names(plan) == [f"{kind}s/writing.md", "manifest.md", "inbox.md"]
    assert bench.after(plan, f"{kind}s/writing.md").decode() == (
        f"# {kind.capitalize()}: writing\n\nApplies when a task touches writing.\n\n- Short words\n"
    )
    after = bench.after(plan, "manifest.md").decode()
    assert f"### Enabled {kind}s\n\n- `{kind}s/writing.md`: when a task touches writing\n" in after
    assert after.count("None enabled") == 2


@pytest.mark.parametrize(
    ("index", "after"),
    [
        ("", "## Optional module index\n\n### Enabled areas\n\n- `areas/x.md`: when a task touches x\n\n## Context budget\n"),
        (
            "## Optional module index\n\n",
            "## Optional module index\n\n### Enabled areas\n\n- `areas/x.md`: when a task touches x\n\n## Context budget\n",
        ),
        (
            "## Optional module index\n\n### Enabled areas\n\n",
            "## Optional module index\n\n### Enabled areas\n\n- `areas/x.md`: when a task touches x\n\n## Context budget\n",
        ),
        (
            "## Optional module index\n\n### Enabled areas\n\nThese:\n\n",
            "### Enabled areas\n\nThese:\n\n- `areas/x.md`: when a task touches x\n\n## Context budget\n",
        ),
        (
            "## Optional module index\n\n### Enabled areas\n\n- `areas/a.md` - when\n  wrapped over lines\n\n",
            "### Enabled areas\n\n- `areas/a.md` - when\n  wrapped over lines\n- `areas/x.md`: when a task touches x\n\n"
            "## Context budget\n",
        ),
    ],
)
def test_a_missing_index_is_made(tmp_path: Path, index: str, after: str) -> None:
    text = manifest()
    start, end = text.index("## Optional module index"), text.index("## Context budget")
    bench = one(tmp_path, "- Use WAL", manifest=text[:start] + index + text[end:])
    plan = bench.plan("promote", bench.entries("inbox.md"), to="area:x", kind="constraint")
    assert after in bench.after(plan, "manifest.md").decode()


def test_a_rule_section_goes_before_the_areas(tmp_path: Path) -> None:
    text = manifest().replace("### Enabled rules\n\n- None enabled.\n\n", "")
    bench = one(tmp_path, "- Use WAL", manifest=text)
    plan = bench.plan("promote", bench.entries("inbox.md"), to="rule:x")
    after = bench.after(plan, "manifest.md").decode()
    row = "- `rules/x.md`: when a task touches x\n"
    assert f"## Optional module index\n\n### Enabled rules\n\n{row}\n### Enabled profiles\n" in after


@pytest.mark.parametrize(
    ("name", "path"),
    [("Zoë & Söhne", "areas/zoë-söhne.md"), ("../../etc", "areas/etc.md"), ("a/b", "areas/a-b.md"), ("存储", "areas/存储.md")],
)
def test_names_are_made_from_titles(tmp_path: Path, name: str, path: str) -> None:
    bench = one(tmp_path, "- Use WAL")
    plan = bench.plan("promote", bench.entries("inbox.md"), to=f"area:{name}", kind="constraint")
    assert path in bench.names(plan)


@pytest.mark.parametrize("to", ["area:", "area:...", "areas:x", "inbox", "manifest", ""])
def test_a_destination_that_is_none_is_refused(tmp_path: Path, to: str) -> None:
    bench = one(tmp_path, "- Use WAL")
    with pytest.raises(Refused) as caught:
        bench.plan("promote", bench.entries("inbox.md"), to=to)
    assert caught.value.field in ("to", "area")


# strike


@pytest.mark.parametrize(
    ("text", "after"),
    [
        ("- Text", "- ~~Text~~ struck 2026-11-30: why"),
        ("- [observed] Text (for: decision)", "- ~~[observed] Text (for: decision)~~ struck 2026-11-30: why"),
        ("- First\n  second\n\n  third", "- ~~First\n  second~~ struck 2026-11-30: why\n\n  third"),
        ("- First\n  - nested", "- ~~First~~ struck 2026-11-30: why\n  - nested"),
        ("- First  \n  ```\n  code\n  ```", "- ~~First~~ struck 2026-11-30: why  \n  ```\n  code\n  ```"),
        ("- Uses `a~~b` here", "- ~~Uses `a~~b` here~~ struck 2026-11-30: why"),
        ("1. First", "1. ~~First~~ struck 2026-11-30: why"),
    ],
)
def test_striking_a_candidate_in_place(tmp_path: Path, text: str, after: str) -> None:
    bench = one(tmp_path, text)
    plan = bench.plan("strike", bench.entries("inbox.md"), reason="why")
    assert bench.after(plan, "inbox.md").decode() == f"# Inbox\n\n## 2026-11-28\n\n{after}\n"
    assert plan.label == "Strike in inbox.md · inbox 1 → 0"
    bench.apply(plan)
    assert bench.workspace.candidates() == []


def test_striking_a_section_candidate(tmp_path: Path) -> None:
    bench = Bench(tmp_path, inbox="# Inbox\n\n## Cache counts\n\nStatus: candidate\n")
    plan = bench.plan("strike", bench.entries("inbox.md"), reason="why")
    assert bench.after(plan, "inbox.md") == b"# Inbox\n\n## ~~Cache counts~~\n\nStruck: 2026-11-30. why.\n\nStatus: candidate\n"


def test_text_that_holds_a_strike_is_refused_with_its_line(tmp_path: Path) -> None:
    bench = one(tmp_path, "- Use ~~x~~ y")
    with pytest.raises(Refused, match="already holds") as caught:
        bench.plan("strike", bench.entries("inbox.md"))
    assert caught.value.line == 5
    assert "Edit it first" in caught.value.remedy


@pytest.mark.parametrize(
    ("heading", "struck"),
    [
        ("## 2026-05-02 - Old\n\n", "## ~~2026-05-02 - Old~~\n\nSuperseded: 2026-11-30 by \"Use JSON\"\n\n"),
        ("## Old ##\n\n", "## ~~Old~~ ##\n\nSuperseded: 2026-11-30 by \"Use JSON\"\n\n"),
        ("##   Old\n", "##   ~~Old~~\n\nSuperseded: 2026-11-30 by \"Use JSON\"\n\n"),
        ("Old\n---\n\n", "~~Old~~\n---\n\nSuperseded: 2026-11-30 by \"Use JSON\"\n\n"),
        ("## C#\n\n", "## ~~C#~~\n\nSuperseded: 2026-11-30 by \"Use JSON\"\n\n"),
    ],
)
def test_f17_superseding_a_decision_edits_both_ends_and_only_these(tmp_path: Path, heading: str, struck: str) -> None:
    rest = "Decision:\nUse CSV.\n\nReason:\nIt was there.\n\n## 2026-01-01 - Older\n\nText"
    bench = Bench(tmp_path, decisions=f"# Decisions\n\n{heading}{rest}")
    plan = bench.plan("strike", bench.entries("decisions.md")[:1], with_="Use JSON.", reason="nested data")
    assert bench.after(plan, "decisions.md").decode() == (
        "# Decisions\n\n## 2026-11-30 - Use JSON\n\nDecision:\nUse JSON.\n\nReason:\nnested data\n\n" + struck + rest
    )
    bench.apply(plan)
    new, old, older = bench.entries("decisions.md")
    assert (new.struck, old.struck, older.struck) == (False, True, False)
    assert old.relations == (("superseded-by", "Use JSON"),)


def test_superseding_a_decision_needs_a_reason(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    with pytest.raises(Refused) as caught:
        bench.plan("strike", bench.entries("decisions.md"), with_="Use JSON.")
    assert caught.value.field == "reason"


def test_striking_a_decision_without_a_replacement(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    plan = bench.plan("strike", bench.entries("decisions.md"))
    assert b"## ~~2026-05-02 - Store counts as CSV~~\n\nStruck: 2026-11-30.\n\nDecision:\n" in bench.after(plan, "decisions.md")


def test_superseding_a_bullet_puts_the_new_one_below(tmp_path: Path) -> None:
    bench = Bench(tmp_path, constraints="# Constraints\n\n* Offline.\n  - even in CI\n* Other\n")
    plan = bench.plan("strike", bench.entries("constraints.md")[:1], with_="Offline but for updates.")
    assert bench.after(plan, "constraints.md").decode() == (
        "# Constraints\n\n* ~~Offline.~~ superseded 2026-11-30\n  - even in CI\n* Offline but for updates.\n* Other\n"
    )


def test_superseding_a_one_line_decision(tmp_path: Path) -> None:
    bench = Bench(tmp_path, decisions="# Decisions\n\n- 2026-05-02 | Use CSV. Reason: x.\n- 2026-01-01 | Other. Reason: y.\n")
    plan = bench.plan("strike", bench.entries("decisions.md")[:1], with_="Use JSON", reason="nested data")
    assert bench.after(plan, "decisions.md").decode() == (
        "# Decisions\n\n- ~~2026-05-02 | Use CSV. Reason: x.~~ superseded 2026-11-30\n"
        "- 2026-11-30 | Use JSON. Reason: nested data.\n- 2026-01-01 | Other. Reason: y.\n"
    )


def test_what_is_struck_is_not_struck_again(tmp_path: Path) -> None:
    bench = Bench(tmp_path, constraints="# Constraints\n\n- ~~A~~ superseded 2026-01-01\n")
    with pytest.raises(Refused, match="struck already"):
        bench.plan("strike", bench.entries("constraints.md"))


# reject


def test_rejecting_without_a_changelog_keeps_the_whole_text(tmp_path: Path) -> None:
    bench = Bench(tmp_path, inbox=INBOX.replace("- Second\n", "- Second\n  more\n  - nested\n"))
    plan = bench.plan("reject", bench.entries("inbox.md"), reason="too broad")
    assert bench.names(plan) == ["archive/inbox-2026-11-30.md", "inbox.md"]
    assert bench.after(plan, "archive/inbox-2026-11-30.md").decode() == (
        "# Archived from inbox.md, 2026-11-30\n\n"
        "- [observed] Counts drift after a restart. (for: decision; from src/app.py:12)\n  Rejected 2026-11-30: too broad\n"
        "- Second\n  more\n  - nested\n\n  Rejected 2026-11-30: too broad\n- Third\n  Rejected 2026-11-30: too broad\n"
    )
    assert bench.after(plan, "inbox.md").decode() == EMPTY


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("-", "-\n  Rejected 2026-11-30: r"),
        ("- A\n\n  ```\n  code\n  ```", "- A\n\n  ```\n  code\n  ```\n\n  Rejected 2026-11-30: r"),
        ("- A\n\n  | a |\n  |---|", "- A\n\n  | a |\n  |---|\n\n  Rejected 2026-11-30: r"),
        ("1. A", "1. A\n   Rejected 2026-11-30: r"),
        ("- A\n\n  B", "- A\n\n  B\n  Rejected 2026-11-30: r"),
    ],
)
def test_the_reason_is_no_part_of_a_table_a_fence_or_a_list(tmp_path: Path, text: str, kept: str) -> None:
    bench = one(tmp_path, text)
    plan = bench.plan("reject", bench.entries("inbox.md"), reason="r")
    assert bench.after(plan, "archive/inbox-2026-11-30.md").decode() == f"# Archived from inbox.md, 2026-11-30\n\n{kept}\n"


def test_rejections_of_one_day_stand_by_their_text(tmp_path: Path) -> None:
    bench = Bench(tmp_path, inbox=INBOX, **{"archive/inbox-2026-11-30": "# Archived\n\n- Old\n  Rejected 2026-11-30\n"})
    plan = bench.plan("reject", bench.entries("inbox.md")[1:2])
    assert bench.after(plan, "archive/inbox-2026-11-30.md").decode() == (
        "# Archived\n\n- Old\n  Rejected 2026-11-30\n- Second\n  Rejected 2026-11-30\n"
    )


def test_rejecting_with_a_changelog_says_it_there(tmp_path: Path) -> None:
    bench = Bench(tmp_path, inbox=INBOX, changelog="# Changelog\n\n## 2026-11-30\n\n- Earlier.\n")
    plan = bench.plan("reject", bench.entries("inbox.md")[1:2], reason="too broad")
    assert bench.names(plan) == ["inbox.md", "changelog.md"]
    assert bench.after(plan, "changelog.md").decode() == (
        '# Changelog\n\n## 2026-11-30\n\n- Rejected "Second" from inbox.md: too broad.\n- Earlier.\n'
    )


def test_rejecting_with_a_tombstone_needs_a_reason(tmp_path: Path) -> None:
    bench = Bench(tmp_path, inbox=INBOX)
    with pytest.raises(Refused) as caught:
        bench.plan("reject", bench.entries("inbox.md")[:1], tombstone="yes")
    assert caught.value.field == "reason"


def test_rejecting_an_entry_keeps_it_in_the_archive(tmp_path: Path) -> None:
    bench = Bench(tmp_path, changelog="# Changelog\n")
    plan = bench.plan("reject", bench.entries("decisions.md"), reason="wrong")
    assert bench.names(plan) == ["archive/decisions-2026-11-30.md", "decisions.md", "changelog.md"]
    assert bench.after(plan, "archive/decisions-2026-11-30.md").endswith(b"Scope:\nproject\n\nRejected 2026-11-30: wrong\n")


# inbox headings and the standard line


@pytest.mark.parametrize(
    ("inbox", "which", "after"),
    [
        ("# Inbox\n\n## 2026-11-28\n\n- A\n\n## 2026-11-20\n\n- B\n", [0], "# Inbox\n\n## 2026-11-20\n\n- B\n"),
        ("# Inbox\n\n## 2026-11-28\n\n- A\n\n## 2026-11-20\n\n- B\n", [1], "# Inbox\n\n## 2026-11-28\n\n- A\n"),
        ("# Inbox\n\n## 2026-11-28\n\n- A\n\n## 2026-11-20\n\n- B\n", [0, 1], EMPTY),
        ("# Inbox\n\n## 2026-11-28\n\n- A\n- B\n", [0], "# Inbox\n\n## 2026-11-28\n\n- B\n"),
        ("# Inbox\n\n- A\n", [0], EMPTY),
        ("# Inbox\n- A\n", [0], EMPTY),
        ("- A\n", [0], "No unprocessed memory candidates.\n"),
        (
            "# Inbox\n\n## 2026-11-28\n\n- ~~A~~ struck 2026-11-29\n- B\n", [1],
            "# Inbox\n\nNo unprocessed memory candidates.\n\n## 2026-11-28\n\n- ~~A~~ struck 2026-11-29\n",
        ),
        (
            "# Inbox\n\nReview weekly.\n\n## 2026-11-28\n\nSome words.\n\n- A\n", [0],
            "# Inbox\n\nReview weekly.\n\n## 2026-11-28\n\nSome words.\n",
        ),
        ("# Inbox\r\n\r\n- A", [0], "# Inbox\r\n\r\nNo unprocessed memory candidates."),
    ],
)
def test_the_last_candidate_takes_its_heading_and_leaves_the_standard_line(
    tmp_path: Path, inbox: str, which: list[int], after: str
) -> None:
    bench = Bench(tmp_path, inbox=inbox, changelog="# Changelog\n")
    entries = bench.entries("inbox.md")
    plan = bench.plan("reject", [entries[index] for index in which])
    assert bench.after(plan, "inbox.md").decode() == after


# archive


def test_archiving_moves_whole_entries_newest_first(tmp_path: Path) -> None:
    bench = Bench(
        tmp_path, decisions="# Decisions\n\n## 2026-05-02 - B\n\nText\n\n## 2026-05-01 - A\n\nText\n",
        **{"areas/storage": "# Storage\n\n- One\n- Two\n"},
    )
    plan = bench.plan("archive", [*bench.entries("decisions.md"), bench.entries("areas/storage.md")[0]])
    assert bench.after(plan, "archive/decisions-2026-11-30.md").decode() == (
        "# Archived from decisions.md, 2026-11-30\n\n## 2026-05-02 - B\n\nText\n\n## 2026-05-01 - A\n\nText\n"
    )
    assert bench.after(plan, "archive/area-storage-2026-11-30.md").decode() == (
        "# Archived from areas/storage.md, 2026-11-30\n\n- One\n"
    )
    assert bench.after(plan, "decisions.md") == b"# Decisions\n"
    assert bench.after(plan, "areas/storage.md") == b"# Storage\n\n- Two\n"


def test_setext_sections_and_one_line_decisions_are_archived_together(tmp_path: Path) -> None:
    decisions = "# Decisions\n\nB\n---\n\nText\n\nA\n---\n\nText\n\n- 2026-01-01 | C. Reason: x.\n"
    bench = Bench(tmp_path, decisions=decisions)
    plan = bench.plan("archive", bench.entries("decisions.md"))
    assert bench.after(plan, "archive/decisions-2026-11-30.md").decode() == (
        "# Archived from decisions.md, 2026-11-30\n\n- 2026-01-01 | C. Reason: x.\n\nA\n---\n\nText\n\nB\n---\n\nText\n"
    )


ARCHIVED = "archive/decisions-2026-11-30"


def test_the_archive_of_a_day_stands_newest_first_whenever_each_came(tmp_path: Path) -> None:
    decisions = (
        "# Decisions\n\n- ~~2026-02-01 | B. Reason: x.~~ superseded 2026-11-01\n- C\n- ~~A~~ struck 2026-10-05\n"
        "- 2026-09-01 | D. Reason: x.\n\n## Undated\n\nText\n\n## ~~Struck~~\n\nStruck: 2026-06-01. so\n\n"
        "## 2026-07-01 - Z\n\nText\n"
    )
    bench = Bench(tmp_path, decisions=decisions)
    for text in ("C", "Undated", "Z", "Struck", "A~~", "B. Reason", "D. Reason"):
        bench.apply(bench.plan("archive", [next(entry for entry in bench.entries("decisions.md") if text in entry.text)]))
    assert bench.document(f"{ARCHIVED}.md").data.decode() == (
        "# Archived from decisions.md, 2026-11-30\n\n- ~~A~~ struck 2026-10-05\n- 2026-09-01 | D. Reason: x.\n"
        "- ~~2026-02-01 | B. Reason: x.~~ superseded 2026-11-01\n- C\n\n"
        "## 2026-07-01 - Z\n\nText\n\n## ~~Struck~~\n\nStruck: 2026-06-01. so\n\n## Undated\n\nText\n"
    )
    assert bench.document("decisions.md").data == b"# Decisions\n"


def test_what_stands_in_an_archive_in_another_order_stays_so(tmp_path: Path) -> None:
    there = "# Archived\n\n## 2026-01-01 - Old\n\nText\n\n## 2026-08-01 - New\n\nText\n"
    decisions = "# Decisions\n\n## 2026-05-02 - B\n\nText\n\n## 2025-05-01 - A\n\nText\n"
    bench = Bench(tmp_path, decisions=decisions, **{ARCHIVED: there})
    plan = bench.plan("archive", bench.entries("decisions.md"))
    assert bench.after(plan, f"{ARCHIVED}.md").decode() == (
        "# Archived\n\n## 2026-05-02 - B\n\nText\n\n## 2026-01-01 - Old\n\nText\n\n## 2026-08-01 - New\n\nText\n\n"
        "## 2025-05-01 - A\n\nText\n"
    )


def test_lines_of_a_log_are_archived_under_the_heading_that_dates_them(tmp_path: Path) -> None:
    log = "# Changelog\n\n## 2026-06-02\n\n- B.\n- A.\n\n## 2026-05-01\n\n- Earlier.\n- Of 2026-04-01.\n"
    bench = Bench(tmp_path, changelog=log)
    at_once = bench.plan("archive", bench.entries("changelog.md"))
    assert bench.after(at_once, "archive/changelog-2026-11-30.md").decode() == (
        "# Archived from changelog.md, 2026-11-30\n\n- Of 2026-04-01.\n\n## 2026-06-02\n\n- A.\n- B.\n\n"
        "## 2026-05-01\n\n- Earlier.\n"
    )
    assert b"## 2026-11-30\n\n- Archived 4 lines of changelog.md.\n" in bench.after(at_once, "changelog.md")
    archive = bench.after(at_once, "archive/changelog-2026-11-30.md")
    for text in ("Earlier.", "Of 2026-04-01.", "A.", "B."):
        entry = next(entry for entry in bench.entries("changelog.md") if entry.text == f"- {text}")
        bench.apply(bench.plan("archive", [entry]))
    archived = bench.document("archive/changelog-2026-11-30.md")
    assert archived.data == archive
    assert [entry.date for entry in archived.entries] == ["2026-04-01", "2026-06-02", "2026-06-02", "2026-05-01"]


@pytest.mark.parametrize("verb", ["archive", "reject", "strike"])
def test_plain_text_is_edited_and_not_moved(tmp_path: Path, verb: str) -> None:
    bench = Bench(tmp_path)
    with pytest.raises(Refused, match="Edit it instead") as caught:
        bench.plan(verb, bench.entries("brief.md"))
    assert (caught.value.path, caught.value.line) == (f"{MEMORY}/brief.md", 3)


@pytest.mark.parametrize("name", ["do-not-use.md", "constraints.md"])
def test_tombstones_and_constraints_that_hold_are_not_archived(tmp_path: Path, name: str) -> None:
    bench = Bench(tmp_path)
    with pytest.raises(Refused, match="never archived"):
        bench.plan("archive", bench.entries(name))


def test_a_struck_constraint_is_archived(tmp_path: Path) -> None:
    bench = Bench(tmp_path, constraints="# Constraints\n\n- ~~A~~ superseded 2026-01-01\n- B\n")
    plan = bench.plan("archive", bench.entries("constraints.md")[:1])
    assert bench.after(plan, "constraints.md") == b"# Constraints\n\n- B\n"


# changelog


@pytest.mark.parametrize(
    ("changelog", "after"),
    [
        ("# Changelog\n", '# Changelog\n\n## 2026-11-30\n\n- LINE\n'),
        ("", "## 2026-11-30\n\n- LINE\n"),
        ("# Changelog\n\n## 2026-11-29\n\n- Old.\n", "# Changelog\n\n## 2026-11-30\n\n- LINE\n\n## 2026-11-29\n\n- Old.\n"),
        ("# Changelog\n\n- 2026-01-01: Old.\n", "# Changelog\n\n- 2026-01-01: Old.\n\n## 2026-11-30\n\n- LINE\n"),
        (
            "# Changelog\n\n## 2026-11-30\n\nStatus: busy\n",
            "# Changelog\n\n## 2026-11-30\n\n- LINE\n\n## 2026-11-30\n\nStatus: busy\n",
        ),
        ("# Changelog\n\n## 2026-11-30\n", "# Changelog\n\n## 2026-11-30\n\n- LINE\n"),
    ],
)
def test_the_changelog_gets_a_line_for_each_action(tmp_path: Path, changelog: str, after: str) -> None:
    bench = one(tmp_path, "- Use WAL", changelog=changelog)
    plan = bench.plan("promote", bench.entries("inbox.md"), to="constraints")
    line = 'Promoted "Use WAL" from inbox.md to constraints.md.'
    assert bench.after(plan, "changelog.md").decode() == after.replace("LINE", line)


# stores that may not be written


def test_a_newer_protocol_is_read_only(tmp_path: Path) -> None:
    bench = one(tmp_path, "- Use WAL", manifest=manifest(version="0.9"))
    with pytest.raises(ReadOnly, match=r"0\.9"):
        bench.plan("promote", bench.entries("inbox.md"), to="constraints")
    with pytest.raises(ReadOnly):
        bench.plan("add", text="New")


# headings that only group


@pytest.mark.parametrize(
    ("inbox", "after"),
    [
        ("# Inbox\n\n## Ideas\n\n- A\n", EMPTY),
        ("# Inbox\n\n## Ideas\n- A\n\n## 2026-11-20\n\n- B\n", "# Inbox\n\n## 2026-11-20\n\n- B\n"),
        ("# Inbox\n\nIdeas\n-----\n\n- A", "# Inbox\n\nNo unprocessed memory candidates."),
        (
            "# Inbox\n\n## Ideas\n\n<!-- Add below. -->\n\n- A\n",
            "# Inbox\n\n## Ideas\n\n<!-- Add below. -->\n\nNo unprocessed memory candidates.\n",
        ),
        ("# Inbox\n\n## Ideas\n\n- A\n- ~~B~~ struck 2026-01-01\n", None),
    ],
)
def test_a_heading_without_its_bullets_is_no_new_candidate(tmp_path: Path, inbox: str, after: str | None) -> None:
    bench = Bench(tmp_path, inbox=inbox, changelog="# Changelog\n")
    plan = bench.plan("reject", bench.entries("inbox.md")[:1])
    if after is not None:
        assert bench.after(plan, "inbox.md").decode() == after
    bench.apply(plan)
    assert [entry.heading for entry in bench.entries("inbox.md") if entry.candidate] == ["B"] * ("- B\n" in inbox)


@pytest.mark.parametrize("stood_in", ["None.", "- None.", "_Nothing yet._"])
def test_what_stood_in_under_a_heading_goes_with_it(tmp_path: Path, stood_in: str) -> None:
    bench = Bench(tmp_path, inbox=f"# Inbox\n\n## Pending\n\n{stood_in}\n")
    plan = bench.plan("add", text="New")
    assert bench.after(plan, "inbox.md") == b"# Inbox\n\n## 2026-11-30\n\n- New\n"


@pytest.mark.parametrize(
    ("constraints", "after"),
    [
        ("# Constraints\n\n## Storage\n\n- Uses WAL\n", "# Constraints\n\n## Storage\n"),
        (
            "# Constraints\n\n## Storage\n\nOn disk:\n\n- Uses WAL\n\n## Other\n\n- B\n",
            "# Constraints\n\n## Storage\n\nOn disk:\n\n## Other\n\n- B\n",
        ),
        ("# Constraints\n\n## 2026-05-01\n\n- Uses WAL\n\n## 2026-04-01\n\n- B\n", "# Constraints\n\n## 2026-04-01\n\n- B\n"),
    ],
)
@pytest.mark.parametrize("verb", ["reject", "forget"])
def test_the_last_bullet_of_a_group_can_leave(tmp_path: Path, verb: str, constraints: str, after: str) -> None:
    bench = Bench(tmp_path, constraints=constraints)
    words = {"topic": "Uses WAL"} if verb == "forget" else {}
    plan = bench.plan(verb, bench.entries("constraints.md")[: 1 - len(words)], **words)
    assert bench.after(plan, "constraints.md").decode() == after


def test_text_between_bullets_that_would_become_an_entry_is_named(tmp_path: Path) -> None:
    bench = Bench(tmp_path, **{"areas/storage": "# Storage\n\n- A\n\nSome words.\n\n- B\n"})
    with pytest.raises(Refused, match="text that stays would be read as an entry of its own: \u201cSome words") as caught:
        bench.plan("reject", bench.entries("areas/storage.md")[:1])
    assert "by hand first" in str(caught.value)


# what a person gives is written somewhere


@pytest.mark.parametrize(
    ("text", "words", "after"),
    [
        ("- Use WAL", {"reason": "Readers\nblock."}, "- Use WAL\n  Reason: Readers block."),
        (
            "- Use WAL (reason: readers block)", {"scope": "area:db", "source": "src/db.py:4"},
            "- Use WAL (from src/db.py:4)\n  Reason: readers block\n  Scope: area:db",
        ),
        ("- Use WAL:\n  - always", {"reason": "x"}, "- Use WAL:\n  - always\n\n  Reason: x"),
    ],
)
@pytest.mark.parametrize("to", ["constraints", "preferences", "rule:writing", "profile:reviewer"])
def test_a_reason_for_a_line_stands_below_it(
    tmp_path: Path, to: str, text: str, words: dict[str, str], after: str
) -> None:
    bench = one(tmp_path, text)
    plan = bench.plan("promote", bench.entries("inbox.md"), to=to, **words)
    path = next(name for name in bench.names(plan) if name not in ("inbox.md", "manifest.md"))
    assert bench.after(plan, path).decode().endswith(f"{after}\n")


def test_a_section_that_replaces_one_keeps_its_reason(tmp_path: Path) -> None:
    bench = Bench(tmp_path, constraints="# Constraints\n\n## Offline\n\nNo network.\n")
    plan = bench.plan("strike", bench.entries("constraints.md"), with_="Works online", reason="Sites have network.")
    assert bench.after(plan, "constraints.md").decode() == (
        "# Constraints\n\n## Works online\n\nWorks online\n\nReason:\nSites have network.\n\n"
        '## ~~Offline~~\n\nSuperseded: 2026-11-30 by "Works online"\n\nNo network.\n'
    )


def test_a_tombstone_that_replaces_one_keeps_all_that_was_said(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    text = "Cloud sync stays out. Backups may use it."
    plan = bench.plan("strike", bench.entries("do-not-use.md"), with_=text, reason="Some sites have network.")
    after = bench.after(plan, "do-not-use.md").decode()
    assert "## Tombstone: Cloud sync stays out\n" in after
    assert "Reason: Some sites have network. Date: 2026-11-30.\n\nCloud sync stays out. Backups may use it.\n\n## ~~" in after


@pytest.mark.parametrize("words", [{}, {"tombstone": "yes"}])
@pytest.mark.parametrize("verb", ["reject", "strike"])
def test_a_reason_that_opens_a_comment_is_refused(tmp_path: Path, verb: str, words: dict[str, str]) -> None:
    bench = one(tmp_path, "- A")
    with pytest.raises(Refused, match="comment that never closes") as caught:
        bench.plan(verb, bench.entries("inbox.md"), reason="see <!-- this", **words)
    assert caught.value.field == "reason"


# merging into bullets of any shape


@pytest.mark.parametrize(
    ("into", "after"),
    [
        ("- One", "- One\n  A"), ("1. One", "1. One\n   A"), ("10) One", "10) One\n    A"), ("-   One", "-   One\n    A"),
        ("-\tOne", "-\tOne\n    A"), (" * One\n\n   more", " * One\n\n   more\n   A"),
    ],
)
def test_a_merge_stays_inside_its_bullet(tmp_path: Path, into: str, after: str) -> None:
    bench = one(tmp_path, "- A", constraints=f"# Constraints\n\n{into}\n")
    plan = bench.plan("merge", bench.entries("inbox.md"), into=bench.entries("constraints.md")[0].id)
    assert bench.after(plan, "constraints.md").decode() == f"# Constraints\n\n{after}\n"


# names of new files


@pytest.mark.parametrize("name", ["CON", "nul", "com1", "Aux.x", "README", "..", "-", "a" * 81, "\u65e5" * 27])
def test_what_can_not_name_a_file_is_refused(tmp_path: Path, name: str) -> None:
    bench = one(tmp_path, "- A")
    with pytest.raises(Refused) as caught:
        bench.plan("promote", bench.entries("inbox.md"), to=f"area:{name}", reason="r")
    assert caught.value.field == "area"


@pytest.mark.parametrize(
    ("name", "path"),
    [
        ("storage.md", "areas/storage.md"), ("../../x", "areas/x.md"), (".hidden", "areas/hidden.md"),
        ("a\u2215b", "areas/a-b.md"), ("a/b", "areas/a-b.md"), ("a\nb", "areas/a-b.md"),
    ],
)
def test_a_name_stays_in_its_folder(tmp_path: Path, name: str, path: str) -> None:
    bench = one(tmp_path, "- A")
    plan = bench.plan("promote", bench.entries("inbox.md"), to=f"area:{name}", reason="r")
    assert set(bench.names(plan)) == {path, "manifest.md", "inbox.md"}


@pytest.mark.parametrize("text", ["[stated] Me", "[Stated] Me", "[observed] [stated] Me", "[inferred] [observed] [stated] Me"])
@pytest.mark.parametrize("tag", ["", "observed"])
def test_a_claim_to_be_stated_does_not_hide_behind_another_tag(tmp_path: Path, text: str, tag: str) -> None:
    bench = Bench(tmp_path)
    with pytest.raises(Refused, match="Only a person can state"):
        bench.plan("add", text=text, tag=tag, person=False)


def test_a_candidate_that_looks_like_a_status_leaves_its_neighbours_alone(tmp_path: Path) -> None:
    bench = one(tmp_path, "- Old")
    bench.apply(bench.plan("add", text="Status: candidate"))
    bench.apply(bench.plan("add", text="Next"))
    assert [entry.heading for entry in bench.entries("inbox.md")] == ["Next", "Status: candidate", "Old"]


def test_what_stands_in_the_bracket_is_on_one_line(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    plan = bench.plan("add", text="New", reason="One.\n\nTwo", source="src/a\n.py")
    assert bench.after(plan, "inbox.md") == b"# Inbox\n\n## 2026-11-30\n\n- New (reason: One. Two; from src/a .py)\n"


@pytest.mark.parametrize(
    "none", ["- None enabled.", "* None enabled.", "- _None enabled._", "None enabled.", "*None enabled.*", "- None", "(none)"]
)
def test_the_first_module_takes_the_place_of_none(tmp_path: Path, none: str) -> None:
    text = manifest().replace("### Enabled areas\n\n- None enabled.", f"### Enabled areas\n\n{none}")
    bench = one(tmp_path, "- A\n- B", manifest=text)
    plan = bench.plan("promote", bench.entries("inbox.md")[:1], to="area:storage", reason="r")
    row = "- `areas/storage.md`: when a task touches storage"
    assert bench.after(plan, "manifest.md").decode() == text.replace(f"areas\n\n{none}", f"areas\n\n{row}")
