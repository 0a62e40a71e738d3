"""From verbs and words to plans: labels, meters, warnings, questions, stops, ids, order."""

from __future__ import annotations

from pathlib import Path

import pytest

from memdesk.core import actions, layouts
from memdesk.core.errors import Refused, UnknownEntry, UsageError
from memdesk.core.plan import BudgetChange, Request
from tests.support.planning import TODAY, Bench
from tests.support.stores import MEMORY, STANDARD, custodian_store, manifest, put

INBOX = (
    "# Inbox\n\n## 2026-11-28\n\n- [observed] Sites keep a journal.\n- Counts are daily.\n\n"
    "## 2026-11-20\n\n- [inferred] Retry three times.\n"
)
KEY = "AKIA" + "Q7ZKX2MPLR4TVBN9"  # made up


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path, inbox=INBOX)


# Values of a plan


def test_equal_requests_on_equal_bytes_give_equal_plans(bench: Bench) -> None:
    entries = bench.entries("inbox.md")
    first = bench.plan("promote", entries, to="area:journal", reason="agreed")
    assert first == bench.plan("promote", entries, to="area:journal", reason="agreed")
    bench.read()
    assert first == bench.plan("promote", entries, to="area:journal", reason="agreed")
    given = bench.plan("archive", bench.entries("decisions.md"))
    assert given == bench.plan("archive", bench.entries("decisions.md")[::-1])._replace(request=given.request)


def test_the_label_and_the_meters_tell_the_consequence(bench: Bench) -> None:
    plan = bench.plan("promote", bench.entries("inbox.md")[1:2], to="constraints")
    assert plan.label == "Promote to constraints.md · 9 → 14 of 400 tokens · inbox 3 → 2"
    assert plan.summary == 'Promoted "Counts are daily" from inbox.md to constraints.md.'
    assert plan.budgets == (
        BudgetChange(f"{MEMORY}/constraints.md", "tokens", 9, 14, 400),
        BudgetChange(f"{MEMORY}/inbox.md", "candidates", 3, 2, None),
    )
    assert plan.warnings == ()
    plan = bench.plan("reject", bench.entries("inbox.md")[:1], tombstone="yes", reason="no")
    assert plan.label == "Reject, kept in do-not-use.md · 36 → 67 of 400 tokens · inbox 3 → 2"


def test_the_new_ids_name_the_new_entries(bench: Bench) -> None:
    plan = bench.plan("promote", bench.entries("inbox.md")[1:], to="constraints")
    bench.apply(plan)
    texts = [bench.workspace.find(ident).text for ident in plan.new_ids]
    assert texts == ["- Counts are daily.", "- Retry three times."]
    plan = bench.plan("strike", bench.entries("constraints.md")[:1], with_="Offline")
    bench.apply(plan)
    assert [bench.workspace.find(ident).text for ident in plan.new_ids] == [
        "- Offline", "- ~~Runs without a network connection.~~ superseded 2026-11-30",
    ]


def test_a_plan_is_bound_to_the_manifest_and_to_absences(bench: Bench) -> None:
    plan = bench.plan("reject", bench.entries("inbox.md")[:1])
    assert plan.reads == {
        f"{MEMORY}/changelog.md": None, f"{MEMORY}/manifest.md": bench.workspace.tree.digest(f"{MEMORY}/manifest.md"),
    }


def test_over_and_near_a_budget_is_said_before_the_write(tmp_path: Path) -> None:
    bench = Bench(tmp_path, inbox=INBOX, budgets=("constraints.md: 13 tokens max",))
    plan = bench.plan("promote", bench.entries("inbox.md")[1:2], to="constraints")
    assert plan.warnings == ("constraints.md goes over its budget: 14 of 13 tokens. A pack leaves out what doesn't fit.",)
    bench = Bench(tmp_path, inbox=INBOX, budgets=("constraints.md: 15 tokens max",))
    plan = bench.plan("promote", bench.entries("inbox.md")[1:2], to="constraints")
    assert plan.warnings == ("constraints.md comes near its budget: 14 of 15 tokens.",)


def test_a_long_decision_is_warned_of(bench: Bench) -> None:
    plan = bench.plan("promote", bench.entries("inbox.md")[:1], to="decisions", reason="because " * 130)
    assert plan.warnings[0].startswith("This decision has ")
    assert "guide for one is 120" in plan.warnings[0]


# Entries


def test_unknown_and_stale_ids_are_refused(bench: Bench) -> None:
    ident = bench.entries("inbox.md")[0].id
    for wrong in ("nope", f"{MEMORY}/inbox.md#00000000", ident.replace("inbox", "index")):
        with pytest.raises(UnknownEntry):
            actions.plan(bench.workspace, Request("reject", (wrong,)), TODAY)
    with pytest.raises(UnknownEntry):
        actions.plan(bench.workspace, Request("reject"), TODAY)
    with pytest.raises(UsageError):
        actions.plan(bench.workspace, Request("frobnicate"), TODAY)


def test_an_id_given_twice_counts_once(bench: Bench) -> None:
    entry = bench.entries("inbox.md")[0]
    assert bench.plan("reject", [entry, entry]).budgets == bench.plan("reject", [entry]).budgets


def test_only_candidates_are_promoted_and_merged(bench: Bench) -> None:
    for verb, words in (("promote", {"to": "constraints"}), ("merge", {"into": bench.entries("constraints.md")[0].id})):
        with pytest.raises(Refused, match="no candidate"):
            bench.plan(verb, bench.entries("decisions.md"), **words)


def test_f06_a_struck_candidate_counts_no_more(bench: Bench) -> None:
    bench.apply(bench.plan("strike", bench.entries("inbox.md")[:1]))
    assert len(bench.workspace.candidates()) == 2
    with pytest.raises(Refused, match="no candidate"):
        bench.plan("promote", bench.entries("inbox.md")[:1], to="constraints")


def test_entries_of_several_stores_are_taken_one_store_at_a_time(bench: Bench) -> None:
    custodian_store(bench.root, "sub/docs/memory", inbox="# Inbox\n\n- x\n")
    bench.read()
    with pytest.raises(Refused, match="several stores"):
        bench.plan("reject", bench.workspace.candidates())
    with pytest.raises(UsageError, match="Which store") as caught:
        bench.plan("add", text="x")
    assert "docs/memory, sub/docs/memory" in caught.value.remedy
    plan = actions.plan(bench.workspace, Request("add", words={"text": "x"}, store="sub/docs/memory"), TODAY)
    assert plan.paths == ["sub/docs/memory/inbox.md"]
    with pytest.raises(UsageError, match="no store at"):
        actions.plan(bench.workspace, Request("add", words={"text": "x"}, store="nope"), TODAY)


def test_no_store_at_all(tmp_path: Path) -> None:
    bench = Bench.__new__(Bench)
    bench.root = tmp_path
    bench.read()
    with pytest.raises(UsageError, match="no store") as caught:
        bench.plan("add", text="x")
    assert "init" in caught.value.remedy


# Authority


def test_stated_takes_a_person(bench: Bench) -> None:
    entries = bench.entries("inbox.md")[:1]
    with pytest.raises(Refused) as caught:
        bench.plan("promote", entries, person=False, to="constraints", tag="stated")
    assert caught.value.field == "tag"
    assert b"- [stated] Sites" in bench.after(bench.plan("promote", entries, to="constraints", tag="stated"), "constraints.md")
    with pytest.raises(UsageError, match="no tag"):
        bench.plan("promote", entries, to="constraints", tag="certain")


def test_stated_can_not_be_smuggled_in_by_the_text(bench: Bench) -> None:
    for verb, entries, words in (
        ("add", [], {"text": "[stated] Trust me"}),
        ("add", [], {"text": "[STATED] Trust me"}),
        ("edit", bench.entries("inbox.md")[:1], {"text": "- [stated] Sites keep a journal."}),
    ):
        with pytest.raises(Refused, match="Only a person") as caught:
            bench.plan(verb, entries, person=False, **words)
        assert caught.value.field == "tag"


def test_several_do_not_become_stated_by_one_keystroke(bench: Bench) -> None:
    entries = bench.entries("inbox.md")
    plan = bench.plan("promote", entries, to="decisions", reason="agreed", tag="stated")
    (question,) = plan.questions
    assert question.key == "authority"
    assert [value for value, _ in question.choices] == ["one", "each"]
    words = {"reason": "agreed", "tag": "stated", "title": "The week"}
    plan = bench.plan("promote", entries, to="decisions", answers={"authority": "one"}, **words)
    assert plan.questions == ()
    bench.apply(plan)
    made = bench.entries("decisions.md")[0]
    assert made.text == (
        "## 2026-11-30 - The week\n\nDecision:\n[stated] Sites keep a journal.\n\nCounts are daily.\n\nRetry three times.\n\n"
        "Reason:\nagreed"
    )
    assert bench.workspace.candidates() == []
    with pytest.raises(Refused):
        bench.plan("promote", [], to="decisions")


def test_going_one_by_one_is_left_to_the_person(bench: Bench) -> None:
    with pytest.raises(Refused, match="one by one"):
        bench.plan(
            "promote", bench.entries("inbox.md"), to="decisions", reason="agreed", tag="stated", answers={"authority": "each"}
        )


@pytest.mark.parametrize("key", ["title", "text"])
def test_one_title_does_not_serve_several(bench: Bench, key: str) -> None:
    with pytest.raises(Refused, match="one by one") as caught:
        bench.plan("promote", bench.entries("inbox.md"), to="decisions", reason="agreed", **{key: "Same"})
    assert caught.value.field == key


# Questions


@pytest.mark.parametrize(
    ("answers", "field"),
    [
        ({"lasting": "no"}, "lasting"), ({"lasting": "unsure"}, "lasting"), ({"derivable": "yes"}, "derivable"),
        ({"derivable": "unsure"}, "derivable"),
    ],
)
def test_an_answer_that_says_no_or_unsure_stops_a_promotion(bench: Bench, answers: dict[str, str], field: str) -> None:
    with pytest.raises(Refused) as caught:
        bench.plan("promote", bench.entries("inbox.md")[:1], to="constraints", **answers)
    assert caught.value.field == field
    assert caught.value.remedy


def test_the_questions_are_offered_and_not_forced(bench: Bench) -> None:
    layout = layouts.get("custodian")
    places = layout.destinations(bench.workspace, bench.workspace.stores[0], bench.entries("inbox.md")[0])
    for place in places:
        offered = {ask.field: ask for ask in place.asks}
        assert not offered["lasting"].required
        assert not offered["derivable"].required
    plan = bench.plan("promote", bench.entries("inbox.md")[:1], to="constraints", lasting="yes", derivable="no")
    assert plan.steps == bench.plan("promote", bench.entries("inbox.md")[:1], to="constraints").steps
    assert b"lasting" not in bench.after(plan, "constraints.md")


def test_the_destinations_that_are_there_come_with_what_they_ask(bench: Bench) -> None:
    bench.apply(bench.plan("promote", bench.entries("inbox.md")[:1], to="area:journal", kind="constraint"))
    layout = layouts.get("custodian")
    found = layout.destinations(bench.workspace, bench.workspace.stores[0], bench.entries("inbox.md")[0])
    places = {place.id: place for place in found}
    assert list(places) == [
        "decisions", "constraints", "preferences", "do-not-use", "area:journal", "area:", "rule:", "profile:",
    ]
    reason = next(ask for ask in places["decisions"].asks if ask.field == "reason")
    assert reason.required
    assert next(ask for ask in places["decisions"].asks if ask.field == "text").default == "Counts are daily."
    assert [place.id for place in places.values() if place.new] == ["preferences", "area:", "rule:", "profile:"]
    plan = bench.plan("promote", bench.entries("inbox.md")[:1], area="journal", kind="constraint")
    assert bench.names(plan) == ["areas/journal.md", "inbox.md"]


# Example values, secrets, hidden characters


@pytest.mark.parametrize("value", [KEY, "postgres://app:pr0d-s3cret@db.internal/x", "anna.berg@corp-mail.org"])
def test_f07_what_should_not_be_kept_stops_the_write(bench: Bench, value: str) -> None:
    for verb, entries, words in (
        ("add", [], {"text": f"Use {value} for it"}),
        ("promote", bench.entries("inbox.md")[:1], {"to": "constraints", "text": f"Use {value}"}),
        ("promote", bench.entries("inbox.md")[:1], {"to": "decisions", "reason": f"See {value} there"}),
        ("edit", bench.entries("constraints.md"), {"text": f"- Use {value}"}),
        ("strike", bench.entries("constraints.md"), {"with": f"Use {value}"}),
        ("strike", bench.entries("constraints.md"), {"reason": f"see {value} there"}),
        ("merge", bench.entries("inbox.md")[:1], {"into": bench.entries("constraints.md")[0].id, "text": f"- Use {value}"}),
        ("reject", bench.entries("inbox.md")[:1], {"tombstone": "yes", "reason": f"leaks {value} often"}),
    ):
        with pytest.raises(Refused, match="looks like") as caught:
            bench.plan(verb, entries, **words)
        assert value not in str(caught.value), verb
        assert "memdesk: allow" in caught.value.remedy


def test_f07_an_allowance_in_the_text_lets_it_through(bench: Bench) -> None:
    text = f"Use {KEY} here <!-- memdesk: allow secret a made-up key -->"
    plan = bench.plan("add", text=text)
    assert KEY.encode() in bench.after(plan, "inbox.md")
    assert KEY not in plan.summary + plan.label
    bench.apply(plan)
    entry = next(entry for entry in bench.workspace.candidates() if KEY in entry.text)
    plan = bench.plan("promote", [entry], to="constraints")
    assert KEY not in plan.summary + plan.label
    assert KEY.encode() in bench.after(plan, "constraints.md")
    with pytest.raises(Refused):
        bench.plan("add", text=f"Use {KEY} here <!-- memdesk: allow secret -->")
    with pytest.raises(Refused):
        bench.plan("add", text=f"Use {KEY} here <!-- memdesk: allow example-value other rule -->")


def test_f07_a_candidate_with_a_secret_can_be_rejected_and_is_not_repeated(tmp_path: Path) -> None:
    bench = Bench(tmp_path, inbox=f"# Inbox\n\n- Use {KEY} for it\n", changelog="# Changelog\n")
    plan = bench.plan("reject", bench.entries("inbox.md"), reason="no")
    assert KEY.encode() not in bench.after(plan, "changelog.md")
    assert KEY not in plan.summary
    with pytest.raises(Refused, match="looks like"):
        bench.plan("promote", bench.entries("inbox.md"), to="constraints")


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("a\x1b[31mb", "U+001B"), ("a\x07b", "U+0007"), ("a\x9bb", "U+009B"), ("a\u202eb", "U+202E"), ("a\u200bb", "U+200B"),
        ("a\U000e0041b", "U+E0041"), ("a\u2028## b", "U+2028"), ("a\x0c## b", "U+000C"), ("a\udc80b", "U+DC80"),
        ("a\x85b", "U+0085"),
    ],
)
def test_f08_characters_that_hide_or_steer_are_refused(bench: Bench, text: str, name: str) -> None:
    with pytest.raises(Refused, match=name.replace("+", r"\+")) as caught:
        bench.plan("add", text=text, person=False)
    assert caught.value.field == "text"
    assert "column 2" in str(caught.value)
    with pytest.raises(Refused) as caught:
        bench.plan("promote", bench.entries("inbox.md")[:1], to="decisions", reason=text)
    assert caught.value.field == "reason"


def test_f08_hidden_characters_do_not_move_into_durable_memory(tmp_path: Path) -> None:
    bench = Bench(tmp_path, inbox="# Inbox\n\n- Use\u202e this\n")
    with pytest.raises(Refused, match=r"U\+202E"):
        bench.plan("promote", bench.entries("inbox.md"), to="constraints")
    bench.plan("reject", bench.entries("inbox.md"))


def test_f08_joined_emoji_and_joining_scripts_are_fine(bench: Bench) -> None:
    for text in ("An \U0001f469\u200d\U0001f680 counts", "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645", "Wide 存储 text"):
        assert text.encode() in bench.after(bench.plan("add", text=text), "inbox.md")


def test_line_endings_of_the_caller_do_not_reach_the_file(bench: Bench) -> None:
    assert b"\r" not in bench.after(bench.plan("add", text="one\r\ntwo\rthree"), "inbox.md")


def test_text_that_would_not_be_a_candidate_is_refused(bench: Bench) -> None:
    for text in ("~~gone~~", "None.", "No unprocessed memory candidates."):
        with pytest.raises(Refused):
            bench.plan("add", text=text)


def test_an_equal_entry_is_named(bench: Bench) -> None:
    assert bench.plan("add", text="counts are  daily.").warnings[0].startswith("An equal entry exists: ")
    assert bench.plan("add", text="Counts are hourly.").warnings == ()
    plan = bench.plan("add", text="Counts are daily.")
    assert plan.warnings == (f"An equal entry exists: {bench.entries('inbox.md')[1].id} (line 6).",)
    plan = bench.plan("add", text="Sites keep a journal.", tag="inferred")
    assert bench.entries("inbox.md")[0].id in plan.warnings[0]


# Merge and edit


def test_merging_proposes_both_texts(bench: Bench) -> None:
    into = bench.entries("decisions.md")[0]
    plan = bench.plan("merge", bench.entries("inbox.md")[:2], into=into.id)
    assert bench.after(plan, "decisions.md").decode() == STANDARD["decisions.md"].replace(
        "one for each site.\n", "one for each site.\n\nSites keep a journal.\n\nCounts are daily.\n"
    )
    assert plan.summary == 'Merged 2 entries from inbox.md into "Store counts as CSV".'
    bullet = bench.entries("constraints.md")[0]
    plan = bench.plan("merge", bench.entries("inbox.md")[:1], into=bullet.id)
    assert bench.after(plan, "constraints.md").endswith(b"- Runs without a network connection.\n  Sites keep a journal.\n")


def test_merging_writes_what_the_person_worked_out(bench: Bench) -> None:
    into = bench.entries("constraints.md")[0]
    plan = bench.plan("merge", bench.entries("inbox.md")[:1], into=into.id, text="- Runs offline, with a journal.")
    assert bench.after(plan, "constraints.md") == b"# Constraints\n\n- Runs offline, with a journal.\n"
    assert bench.names(plan) == ["constraints.md", "inbox.md"]
    with pytest.raises(Refused, match="what it was") as caught:
        bench.plan("merge", bench.entries("inbox.md")[:1], into=into.id, text=into.text)
    assert caught.value.field == "text"


def test_a_merge_into_nothing_itself_or_the_past_is_refused(bench: Bench) -> None:
    entry = bench.entries("inbox.md")[0]
    for words in ({}, {"into": entry.id}):
        with pytest.raises(Refused) as caught:
            bench.plan("merge", [entry], **words)
        assert caught.value.field == "into"
    bench.apply(bench.plan("strike", bench.entries("constraints.md")))
    with pytest.raises(Refused, match="no longer holds"):
        bench.plan("merge", [entry], into=bench.entries("constraints.md")[0].id)


def test_merging_into_another_candidate(bench: Bench) -> None:
    first, second, _ = bench.entries("inbox.md")
    bench.apply(bench.plan("merge", [second], into=first.id))
    assert [entry.text for entry in bench.workspace.candidates()] == [
        "- [observed] Sites keep a journal.\n  Counts are daily.", "- [inferred] Retry three times.",
    ]


def test_an_edit_changes_its_lines_alone(tmp_path: Path) -> None:
    bench = Bench(tmp_path, constraints="# C\r\n\r\n- A  \r\n  b\n  c  \n- D")
    plan = bench.plan("edit", bench.entries("constraints.md")[:1], text="- A  \n  B\n  c  ")
    assert bench.after(plan, "constraints.md") == b"# C\r\n\r\n- A  \r\n  B\n  c  \n- D"
    plan = bench.plan("edit", bench.entries("constraints.md")[1:], text="- E\n  f")
    assert bench.after(plan, "constraints.md") == b"# C\r\n\r\n- A  \r\n  b\n  c  \n- E\r\n  f"


def test_an_edit_without_a_change_writes_nothing(tmp_path: Path) -> None:
    bench = Bench(tmp_path, changelog="# Changelog\n")
    for entry in [*bench.entries("decisions.md"), *bench.entries("constraints.md"), *bench.entries("brief.md")]:
        assert bench.plan("edit", [entry], text=entry.text).steps == ()


def test_an_edit_to_nothing_is_refused(bench: Bench) -> None:
    with pytest.raises(Refused) as caught:
        bench.plan("edit", bench.entries("constraints.md"), text=" \n ")
    assert caught.value.field == "text"


def test_a_log_is_only_added_to(tmp_path: Path) -> None:
    bench = Bench(tmp_path, changelog="# Changelog\n\n## 2026-11-29\n\n- Promoted something.\n")
    for verb, words in (("edit", {"text": "- B"}), ("reject", {}), ("strike", {})):
        with pytest.raises(Refused, match="only added to"):
            bench.plan(verb, bench.entries("changelog.md"), **words)
    plan = bench.plan("archive", bench.entries("changelog.md"))
    assert b"- Promoted something." in bench.after(plan, "archive/changelog-2026-11-30.md")


def test_the_archive_is_frozen(tmp_path: Path) -> None:
    bench = Bench(tmp_path, **{"archive/decisions-2026-01-01": "# Archived\n\n## A\n\nText\n"})
    entry = bench.entries("archive/decisions-2026-01-01.md")
    for verb, words in (("edit", {"text": "## B"}), ("reject", {}), ("archive", {}), ("strike", {})):
        with pytest.raises(Refused):
            bench.plan(verb, entry, **words)


# Forget


def test_forgetting_softly_leaves_a_tombstone_that_names_the_topic(tmp_path: Path) -> None:
    bench = Bench(tmp_path, changelog="# Changelog\n\n## 2026-11-29\n\n- Promoted CSV.\n")
    plan = bench.plan("forget", topic="spreadsheet")
    assert bench.names(plan) == ["do-not-use.md", "decisions.md", "changelog.md"]
    assert bench.after(plan, "decisions.md") == b"# Decisions\n"
    assert b"## Tombstone: spreadsheet\n\nDo not reintroduce this" in bench.after(plan, "do-not-use.md")
    assert b'- Forgot 1 entry about "spreadsheet".\n' in bench.after(plan, "changelog.md")
    assert plan.questions == ()
    assert "Git history and other copies of these files are not touched." in plan.warnings


def test_forgetting_hard_names_the_topic_nowhere(tmp_path: Path) -> None:
    bench = Bench(
        tmp_path, inbox="# Inbox\n\n## 2026-11-28\n\n- Cloud sync again?\n",
        changelog="# Changelog\n\n## 2026-11-29\n\n- Cloud sync out.\n",
    )
    with_question = bench.plan("forget", topic="CLOUD sync", mode="hard")
    assert [question.key for question in with_question.questions] == ["confirmed"]
    plan = bench.plan("forget", topic="CLOUD sync", mode="hard", confirmed="yes")
    assert plan.questions == ()
    assert plan.steps == with_question.steps
    bench.apply(plan)
    assert not any("cloud sync" in document.data.decode().casefold() for document in bench.workspace.documents.values())
    assert "cloud" not in plan.summary.casefold() + plan.label.casefold()
    assert [entry.fields["title"] for entry in bench.entries("do-not-use.md")] == ["Forgotten topic"]
    assert bench.document("inbox.md").data == STANDARD["inbox.md"].encode()
    plan = bench.plan("forget", topic="spreadsheet", mode="hard")
    assert "do-not-use.md" not in bench.names(plan)  # one generic tombstone is enough


def test_purging_reaches_the_archive_and_leaves_no_tombstone(tmp_path: Path) -> None:
    archived = {"archive/decisions-2026-01-01": "# Archived\n\n## Cloud sync\n\nText\n\n## Other\n\nText\n"}
    bench = Bench(tmp_path, **archived)
    soft = bench.plan("forget", topic="spreadsheet")
    assert "archive" not in "".join(bench.names(soft))
    plan = bench.plan("forget", topic="Cloud sync", mode="purge", confirmed="yes")
    assert bench.after(plan, "archive/decisions-2026-01-01.md") == b"# Archived\n\n## Other\n\nText\n"
    assert bench.after(plan, "do-not-use.md") == b"# Do not use\n"
    assert any("can't be undone" in warning for warning in plan.warnings)


def test_a_topic_in_a_files_name_is_said(tmp_path: Path) -> None:
    text = "# Area\n\n- Otters use dams.\n"
    bench = Bench(tmp_path, manifest=manifest(), **{"areas/otters": text})
    plan = bench.plan("forget", topic="otters", mode="hard")
    assert f"The topic stays in the names of files: {MEMORY}/areas/otters.md." in plan.warnings
    bench = Bench(tmp_path, **{"areas/otters": text})
    with pytest.raises(Refused) as caught:  # the manifest names it too
        bench.plan("forget", topic="otters", mode="hard")
    assert caught.value.path == f"{MEMORY}/manifest.md"


@pytest.mark.parametrize("topic", ["CSV", "\u5b58"])
def test_a_short_topic_is_asked_about(tmp_path: Path, topic: str) -> None:
    bench = Bench(tmp_path, constraints="# Constraints\n\n- Keep \u5b58 short.\n")
    plan = bench.plan("forget", topic=topic)
    assert [question.key for question in plan.questions] == ["confirmed"]
    assert bench.plan("forget", topic=topic, answers={"confirmed": "yes"}).questions == ()
    assert bench.plan("forget", topic=topic, answers={"confirmed": "no"}).questions


def test_a_topic_in_plain_text_blocks_with_its_place(tmp_path: Path) -> None:
    bench = Bench(tmp_path, decisions="# Decisions\n\nAbout beavers.\n\n## A\n\nBeavers swim.\n")
    with pytest.raises(Refused, match="no entry of its own") as caught:
        bench.plan("forget", topic="beaver")
    assert (caught.value.path, caught.value.line) == (f"{MEMORY}/decisions.md", 3)
    with pytest.raises(Refused) as caught:
        bench.plan("forget", topic="bird counts")
    assert caught.value.path == f"{MEMORY}/brief.md"


def test_a_topic_that_nothing_holds_is_refused(bench: Bench) -> None:
    with pytest.raises(Refused) as caught:
        bench.plan("forget", topic="walrus")
    assert caught.value.field == "topic"
    with pytest.raises(Refused):
        bench.plan("forget")
    with pytest.raises(UsageError):
        bench.plan("forget", topic="walrus", mode="gently")


def test_forgetting_matches_literally(tmp_path: Path) -> None:
    bench = Bench(tmp_path, constraints="# C\n\n- a.b\n- axb\n")
    plan = bench.plan("forget", topic="a.b", confirmed="yes")
    assert bench.after(plan, "constraints.md") == b"# C\n\n- axb\n"


# Init


def test_init_makes_a_store_that_opens(tmp_path: Path) -> None:
    bench = Bench.__new__(Bench)
    bench.root = tmp_path
    bench.read()
    plan = bench.plan("init", layout="custodian")
    assert [step.path for step in plan.steps[:2]] == ["docs", "docs/memory"]
    assert {step.kind for step in plan.steps} == {"mkdir", "create"}
    bench.apply(plan)
    assert [store.path for store in bench.workspace.stores] == ["docs/memory"]
    bench.apply(bench.plan("add", text="First"))
    assert len(bench.workspace.candidates()) == 1


def test_init_overwrites_nothing(tmp_path: Path) -> None:
    bench = Bench.__new__(Bench)
    bench.root = tmp_path
    put(tmp_path, f"{MEMORY}/brief.md", "# Mine\n")
    bench.read()
    plan = bench.plan("init")
    assert f"{MEMORY}/brief.md" not in plan.paths
    assert plan.reads == {f"{MEMORY}/brief.md": bench.workspace.tree.digest(f"{MEMORY}/brief.md")}
    assert plan.warnings == (f"{MEMORY}/brief.md is there and stays as it is.",)
    bench.apply(plan)
    with pytest.raises(Refused, match="nothing is overwritten"):
        bench.plan("init")
    with pytest.raises(UsageError):
        bench.plan("init", path="../elsewhere")


# Other people's edits


def test_f02_a_plan_made_anew_keeps_what_came_in_between(bench: Bench) -> None:
    entry = bench.entries("inbox.md")[0]
    first = bench.plan("promote", [entry], to="constraints")
    for name in ("inbox.md", "constraints.md"):
        path = bench.root / MEMORY / name
        path.write_bytes(path.read_bytes() + b"- [observed] build cache lives in tmp\n")
    bench.read()
    again = bench.plan("promote", [entry], to="constraints")
    assert b"build cache" in bench.after(again, "inbox.md")
    assert bench.after(again, "constraints.md").endswith(b"- [observed] build cache lives in tmp\n- Sites keep a journal.\n")
    assert [path for path, _ in again.hunks()] == [path for path, _ in first.hunks()]
    assert again.hunks()[1] == first.hunks()[1]
    assert again.steps != first.steps


def test_f02_a_candidate_that_changed_is_gone_for_its_id(bench: Bench) -> None:
    entry = bench.entries("inbox.md")[1]
    path = bench.root / MEMORY / "inbox.md"
    path.write_bytes(path.read_bytes().replace(b"daily", b"hourly"))
    bench.read()
    with pytest.raises(UnknownEntry):
        bench.plan("promote", [entry], to="constraints")


# The tools that exist: the same faults, not here


def test_an_entry_leaves_alone_when_a_fence_looks_like_the_next_one(tmp_path: Path) -> None:
    decisions = "# Decisions\n\n## A\n\n````\n## B\n```\n````\n\n- x\n\n## C\n\nText\n"
    bench = Bench(tmp_path, decisions=decisions)
    assert len(bench.entries("decisions.md")) == 2
    plan = bench.plan("forget", topic="## B")
    assert bench.after(plan, "decisions.md") == b"# Decisions\n\n## C\n\nText\n"


def test_adding_rewrites_nothing_else(tmp_path: Path) -> None:
    inbox = (
        "\ufeff# Inbox\r\n\r\nIntro\u2028## no heading\x0c  \r\n\r\n````\r\n## 2026-11-30\r\n```\r\n````\r\n\r\n"
        "## 2026-11-28\r\n\r\n- Old\u2028- x  \r\n- Last"
    )
    bench = Bench(tmp_path, inbox=inbox)
    plan = bench.plan("add", text="New")
    assert bench.after(plan, "inbox.md").decode() == inbox.replace(
        "````\r\n\r\n## 2026-11-28", "````\r\n\r\n## 2026-11-30\r\n\r\n- New\r\n\r\n## 2026-11-28"
    )


def test_f23_lines_are_gits_lines(tmp_path: Path) -> None:
    bench = Bench(tmp_path, inbox="# Inbox\n\n- a\u2028b\x0cc\n- next")
    entry = bench.entries("inbox.md")[1]
    assert entry.line == 4
    plan = bench.plan("strike", [entry])
    assert bench.after(plan, "inbox.md").decode() == "# Inbox\n\n- a\u2028b\x0cc\n- ~~next~~ struck 2026-11-30"


@pytest.mark.slow
def test_ten_thousand_candidates_are_one_plan(tmp_path: Path) -> None:
    inbox = "# Inbox\n" + "".join(
        f"\n## 2026-01-{1 + section % 28:02}\n\n" + "".join(f"- Candidate {section}-{number}\n" for number in range(100))
        for section in range(100)
    )
    bench = Bench(tmp_path, inbox=inbox)
    entries = bench.entries("inbox.md")
    assert len(entries) == 10_000
    plan = bench.plan("reject", entries, reason="spring cleaning")
    assert bench.after(plan, "inbox.md").decode() == STANDARD["inbox.md"]
    assert bench.after(plan, "archive/inbox-2026-11-30.md").count(b"\n- Candidate") == 10_000
