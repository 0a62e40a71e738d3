"""What each verb writes in a store of three tiers, to the byte."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from memdesk.core.errors import Refused
from memdesk.core.plan import Plan
from tests.support.planning import TiersBench
from tests.support.stores import TIERS, fact

LOG = "log/2026-11-30.md"
CSV, OFFLINE, NAMES = "facts/counts-as-csv.md", "facts/offline.md", "facts/site-names.md"
TITLE = "# 2026-11-30\n\n"
CANDIDATE = "- [observed] Sites 4 and 9 send their counts two days late (from the import)\n"
KEY = "AKIA" + "QWERTYUIOPASDFGH"
ENDINGS = ["lf", "crlf", "bare", "bom"]


@pytest.fixture
def bench(tmp_path: Path) -> TiersBench:
    return TiersBench(tmp_path)


def formed(text: str, form: str) -> bytes:
    """A text as a file in one of the forms that files have."""
    data = text.encode()
    return {
        "lf": data, "crlf": data.replace(b"\n", b"\r\n"), "bare": data.removesuffix(b"\n"), "bom": b"\xef\xbb\xbf" + data,
    }[form]


def made(bench: TiersBench, plan: Plan, name: str) -> str:
    """What a file holds after that the plan makes."""
    (step,) = [step for step in plan.steps if step.kind == "create" and step.path == bench.path(name)]
    assert step.after is not None
    return step.after.decode()


def logged(bench: TiersBench, plan: Plan) -> str:
    """What a plan adds to today's log, which it makes."""
    text = made(bench, plan, LOG)
    assert text.startswith(TITLE)
    return text.removeprefix(TITLE)


# add


@pytest.mark.parametrize("form", ENDINGS)
def test_add_puts_a_bullet_under_today_s_heading(tmp_path: Path, form: str) -> None:
    bench = TiersBench(tmp_path, **{"inbox.md": formed(TIERS["inbox.md"], form)})
    plan = bench.plan("add", text="Ask first", kind="constraint", reason="so", source="a.py:3", person=False)
    text = TIERS["inbox.md"].replace(
        "## 2026-05-09", "## 2026-11-30\n\n- Ask first (for: constraint; reason: so; from a.py:3)\n\n## 2026-05-09"
    )
    assert bench.after(plan, "inbox.md") == formed(text, form)
    assert bench.names(plan) == ["inbox.md"]
    (candidate,) = [entry for entry in bench.apply(plan).candidates() if "Ask" in entry.text]
    assert (candidate.id, candidate.fields["for"], candidate.date) == (plan.new_ids[0], "constraint", "2026-11-30")


def test_add_makes_the_inbox(tmp_path: Path) -> None:
    bench = TiersBench(tmp_path, **{"inbox.md": None})
    plan = bench.plan("add", text="Ask first", person=False)
    assert made(bench, plan, "inbox.md") == "# Inbox\n\n## 2026-11-30\n\n- Ask first\n"


# promote


FACT = (
    "---\nname: late-counts\ndescription: Sites 4 and 9 send their counts two days late\ntype: fact\n"
    "tags: [import, \"a: b\"]\nowner: Ada\nupdated: 2026-11-30\nreview_by: 2027-05-30\nsource: the import\n---\n\n"
    "# Late counts\n\nSites 4 and 9 send their counts two days late\n\nWhy: They have no network.\n"
)
LINE = "- [late-counts](facts/late-counts.md): Sites 4 and 9 send their counts two days late\n"
SAID = "- 14:05 promoted fact late-counts: Sites 4 and 9 send their counts two days late\n"


@pytest.mark.parametrize("form", ENDINGS)
def test_promote_makes_a_fact_its_line_and_a_log_line(tmp_path: Path, form: str) -> None:
    log = "# 2026-11-30\n\n- 09:00 began\n"
    files = {"inbox.md": TIERS["inbox.md"], "INDEX.md": TIERS["INDEX.md"], LOG: log}
    bench = TiersBench(tmp_path, **{name: formed(text, form) for name, text in files.items()})
    plan = bench.plan(
        "promote", [bench.entry("inbox.md")], to="fact:late-counts", reason="They have no network.", type="fact",
        tags="import, a: b", owner="Ada", review_by="2027-05-30",
    )
    assert bench.names(plan) == ["facts/late-counts.md", "INDEX.md", LOG, "inbox.md"]
    assert made(bench, plan, "facts/late-counts.md") == FACT
    assert bench.after(plan, "INDEX.md") == formed(TIERS["INDEX.md"] + LINE, form)
    assert bench.after(plan, LOG) == formed(log + SAID, form)
    assert bench.after(plan, "inbox.md") == formed("# Inbox\n\nNo unprocessed memory candidates.\n", form)
    after = bench.apply(plan)
    (new,) = [entry for entry in after.entries() if entry.path.endswith("late-counts.md")]
    assert plan.new_ids == (new.id,)
    assert (new.fields["description"], new.fields["reason"]) == (
        "Sites 4 and 9 send their counts two days late", "They have no network."
    )
    assert not after.candidates()


def test_the_usual_place_is_a_fact_that_is_named_by_its_description(bench: TiersBench) -> None:
    plan = bench.plan("promote", [bench.entry("inbox.md")])
    assert "facts/sites-4-and-9-send-their-counts-two-days-late.md" in bench.names(plan)
    assert "facts/late.md" in bench.names(bench.plan("promote", [bench.entry("inbox.md")], description="Late"))
    assert "facts/a-title.md" in bench.names(bench.plan("promote", [bench.entry("inbox.md")], title="A title"))


def test_a_clash_of_names_gets_a_number(tmp_path: Path) -> None:
    bench = TiersBench(tmp_path, **{"facts/Late.md": fact("Late"), "facts/late-2.md": fact("Late too")})
    plan = bench.plan("promote", [bench.entry("inbox.md")], description="Late!")
    assert made(bench, plan, "facts/late-3.md").startswith("---\nname: late-3\ndescription: ")


def test_a_name_that_is_there_is_no_new_fact(bench: TiersBench) -> None:
    for name in ("offline", "Offline", "offline.md"):
        with pytest.raises(Refused, match=r"facts/offline\.md already") as caught:
            bench.plan("promote", [bench.entry("inbox.md")], to=f"fact:{name}")
        assert caught.value.field == "fact"
        assert "Merge" in caught.value.remedy


@pytest.mark.parametrize(
    ("name", "path"),
    [
        ("../../etc/passwd", "facts/etc-passwd.md"), ("a b/c", "facts/a-b-c.md"), ("存储", "facts/存储.md"),
        ("Zoë's \u202e site", None), ("con", None), ("README", None), ("…", None), ("x" * 90, None),
    ],
)
def test_a_hostile_name_is_made_into_one_or_refused(bench: TiersBench, name: str, path: str | None) -> None:
    if path is None:
        with pytest.raises(Refused) as caught:
            bench.plan("promote", [bench.entry("inbox.md")], to=f"fact:{name}")
        assert caught.value.field in ("fact", "to")
        return
    assert path in bench.names(bench.plan("promote", [bench.entry("inbox.md")], to=f"fact:{name}"))


def test_a_description_of_reserved_words_makes_a_name_all_the_same(bench: TiersBench) -> None:
    assert "facts/con-2.md" in bench.names(bench.plan("promote", [bench.entry("inbox.md")], description="Con"))
    long = "Zoë " * 40
    plan = bench.plan("promote", [bench.entry("inbox.md")], description=long.strip())
    (path,) = [path for path in bench.names(plan) if path.startswith("facts/")]
    assert len(path.removeprefix("facts/").removesuffix(".md").encode()) <= 80


@pytest.mark.parametrize(
    ("words", "field"),
    [
        ({"description": "One line\nand another"}, "description"), ({"type": "decision"}, "reason"),
        ({"review_by": "next May"}, "review_by"), ({"description": "x <!-- y"}, "description"),
        ({"text": "```\nopen", "description": "x"}, "text"),
        ({"reason": "```\nopen"}, "reason"), ({"text": "- a list\n- is no sentence"}, "description"),
        ({"description": f"key {KEY}"}, "text"),
    ],
)
def test_what_a_fact_can_t_be_is_refused(bench: TiersBench, words: dict[str, str], field: str) -> None:
    with pytest.raises(Refused) as caught:
        bench.plan("promote", [bench.entry("inbox.md")], **words)
    assert caught.value.field == field


def test_a_text_of_several_blocks_is_the_fact_s(bench: TiersBench) -> None:
    text = "Sites are late:\n\n- 4\n- 9\n\n## Since when\n\nMay."
    words = {"text": text, "description": "4 and 9 are late", "scope": "one"}
    plan = bench.plan("promote", [bench.entry("inbox.md")], to="fact:late", **words)
    assert made(bench, plan, "facts/late.md").endswith(f"---\n\n# Late\n\n{text}\n\nScope: one\n")
    plan = bench.plan("promote", [bench.entry("inbox.md")], to="fact:late", text="# Own title\n\nLate.", description="Late")
    assert made(bench, plan, "facts/late.md").endswith("---\n\n# Own title\n\nLate.\n")


A = "[a](facts/offline.md)"
B = "[b](facts/site-names.md)"
# what the index is, what it becomes with the new line for {}, and the form of that line
INDEXES = {
    "neighbours": (f"# I\n\n* {A} \u2014 Old\n\nMore.\n", f"# I\n\n* {A} \u2014 Old\n{{}}\n\nMore.\n", "* {} \u2014 "),
    "loose": (f"- {A}: x\n\n- {B}: y\n", f"- {A}: x\n\n- {B}: y\n\n{{}}\n", "- {}: "),
    "none yet": ("# I\n\nOne line for each.\n", "# I\n\nOne line for each.\n\n{}\n", "- {}: "),
    "within others": (f"- Places:\n  - {A}: x\n\n# More\n", f"- Places:\n  - {A}: x\n{{}}\n\n# More\n", "- {}: "),
    "led nowhere": (f"- [old](facts/late.md): ?\n- {A}: x\n", f"{{}}\n- {A}: x\n", "- {}: "),
    "empty": ("", "{}\n", "- {}: "),
}


@pytest.mark.parametrize("name", INDEXES)
def test_a_new_line_stands_with_its_neighbours_in_their_form(tmp_path: Path, name: str) -> None:
    before, after, form = INDEXES[name]
    bench = TiersBench(tmp_path, **{"INDEX.md": before})
    plan = bench.plan("promote", [bench.entry("inbox.md")], to="fact:late", description="Some are late")
    line = form.format("[late](facts/late.md)") + "Some are late"
    assert bench.after(plan, "INDEX.md").decode() == after.format(line)


def test_facts_beside_the_index(tmp_path: Path) -> None:
    bench = TiersBench(
        tmp_path, standard=False, **{
            "INDEX.md": "- [a](a.md): First\n", "a.md": fact("First"), "inbox.md": TIERS["inbox.md"],
            "log/2026-11-29.md": "# x\n",
        },
    )
    plan = bench.plan("promote", [bench.entry("inbox.md")], to="fact:late", description="Late")
    assert bench.names(plan) == ["late.md", "INDEX.md", LOG, "inbox.md"]
    assert bench.after(plan, "INDEX.md") == b"- [a](a.md): First\n- [late](late.md): Late\n"
    for taken in ("inbox", "INDEX", "changelog"):
        with pytest.raises(Refused) as caught:
            bench.plan("promote", [bench.entry("inbox.md")], to=f"fact:{taken}", description="Late")
        assert caught.value.field in ("fact", None)


def test_a_line_of_the_log_becomes_a_fact_and_stays(bench: TiersBench) -> None:
    entry = bench.entry("log/2026-05-09.md", "late again")
    plan = bench.plan("promote", [entry], to="fact:late")
    assert bench.names(plan) == ["facts/late.md", "INDEX.md", LOG]
    assert "source: memory/log/2026-05-09.md\n" in made(bench, plan, "facts/late.md")
    assert "\n\ntwo sites were late again\n" in made(bench, plan, "facts/late.md")
    with pytest.raises(Refused, match="no candidate"):
        bench.plan("promote", [bench.entry(OFFLINE)])


def test_a_line_of_the_log_is_not_put_into_the_log_again(bench: TiersBench) -> None:
    with pytest.raises(Refused, match="in the log already"):
        bench.plan("promote", [bench.entry("log/2026-05-09.md")], to="log")


@pytest.mark.parametrize(
    ("answer", "why"),
    [("lasting", "it won't guide anyone for long"), ("needed", "nobody would need it")],
)
def test_what_the_filter_holds_back_may_go_to_the_log(bench: TiersBench, answer: str, why: str) -> None:
    with pytest.raises(Refused, match=f"By your answer {why}.") as caught:
        bench.plan("promote", [bench.entry("inbox.md")], **{answer: "no"})
    assert "--to log" in caught.value.remedy
    with pytest.raises(Refused, match="Unsure"):
        bench.plan("promote", [bench.entry("inbox.md")], **{answer: "unsure"})
    assert bench.names(bench.plan("promote", [bench.entry("inbox.md")], to="log", **{answer: "no"})) == [LOG, "inbox.md"]


def test_what_won_t_last_goes_to_the_log(bench: TiersBench) -> None:
    plan = bench.plan("promote", [bench.entry("inbox.md")], to="log", lasting="no")
    assert logged(bench, plan) == "- 14:05 Sites 4 and 9 send their counts two days late\n"
    assert bench.names(plan) == [LOG, "inbox.md"]
    assert plan.new_ids == ()
    plan = bench.plan("promote", [bench.entry("inbox.md")], to="log", text="Late:\n- 4\n- 9")
    assert logged(bench, plan) == "- 14:05 Late:\n  - 4\n  - 9\n"
    plan = bench.plan("promote", [bench.entry("inbox.md")], to="log", text="# Late\n\n- 4")
    assert logged(bench, plan) == "- 14:05 noted:\n  > # Late\n  >\n  > - 4\n"


WORKING = "# Task\n\nRead this.\n\n- Try twice\n- [inferred] The lock is held too long\n\n## Ideas\n\n- Ask Ada\n"


@pytest.mark.parametrize("form", ENDINGS)
def test_a_bullet_leaves_the_working_file_and_the_file_stays(tmp_path: Path, form: str) -> None:
    bench = TiersBench(tmp_path, **{"working/task.md": formed(WORKING, form)})
    plan = bench.plan("promote", [bench.entry("working/task.md", "lock")], to="fact:lock")
    assert bench.after(plan, "working/task.md") == formed(WORKING.replace("- [inferred] The lock is held too long\n", ""), form)
    plan = bench.plan("promote", [bench.entry("working/task.md", "Ada")], to="fact:ada")
    assert bench.after(plan, "working/task.md") == formed(WORKING.replace("\n## Ideas\n\n- Ask Ada\n", ""), form)


def test_several_become_facts_of_their_own(tmp_path: Path) -> None:
    bench = TiersBench(tmp_path, **{"inbox.md": "# Inbox\n\n- One is so\n- Two is so\n"})
    plan = bench.plan("promote", bench.entries("inbox.md"))
    assert bench.names(plan)[:2] == ["facts/one-is-so.md", "INDEX.md"]
    assert logged(bench, plan) == "- 14:05 promoted fact one-is-so: One is so\n- 14:05 promoted fact two-is-so: Two is so\n"
    assert bench.after(plan, "INDEX.md").decode() == TIERS["INDEX.md"] + (
        "- [one-is-so](facts/one-is-so.md): One is so\n- [two-is-so](facts/two-is-so.md): Two is so\n"
    )


# strike, reject


def test_strike_leaves_a_candidate_where_it_is(bench: TiersBench) -> None:
    plan = bench.plan("strike", [bench.entry("inbox.md")], reason="A test")
    struck = "- ~~[observed] Sites 4 and 9 send their counts two days late (from the import)~~ struck 2026-11-30: A test\n"
    assert bench.after(plan, "inbox.md").decode() == TIERS["inbox.md"].replace(CANDIDATE, struck)
    assert "14:05 Struck" in logged(bench, plan)
    assert not bench.apply(plan).candidates()


@pytest.mark.parametrize(
    ("candidate", "words", "line"),
    [
        ("- Sites drift", {}, "- 14:05 rejected: Sites drift\n"),
        ("- [suggested] Sites drift (from a)", {"reason": "they don't"},
         "- 14:05 rejected: [suggested] Sites drift (from a). Reason: they don't.\n"),
        ("- Sites drift\n  and more", {"reason": "no"}, "- 14:05 rejected. Reason: no.\n  > Sites drift\n  > and more\n"),
        ("## Sites drift\n\nThey do.\n\n```\n- x\n```", {"reason": "no"},
         "- 14:05 rejected. Reason: no.\n  > ## Sites drift\n  >\n  > They do.\n  >\n  > ```\n  > - x\n  > ```\n"),
        ("- " + "far " * 80, {}, "- 14:05 rejected.\n  > " + ("far " * 80).strip() + "\n"),
        ("- Open <!-- comment", {}, "- 14:05 rejected: Open &lt;!-- comment\n"),
        (f"- The key {KEY}", {}, "- 14:05 rejected: The key ***\n"),
        ("- A bell\x07 rings", {}, "- 14:05 rejected: A bell(U+0007) rings\n"),
    ],
)
def test_reject_takes_it_out_and_the_log_keeps_it_whole(
    tmp_path: Path, candidate: str, words: dict[str, str], line: str
) -> None:
    bench = TiersBench(tmp_path, **{"inbox.md": f"# Inbox\n\n{candidate}\n"})
    plan = bench.plan("reject", bench.entries("inbox.md"), **words)
    assert logged(bench, plan) == line
    assert bench.after(plan, "inbox.md") == b"# Inbox\n\nNo unprocessed memory candidates.\n"
    bench.apply(plan)
    assert len(bench.entries(LOG)) == 1


def test_what_can_t_be_rejected(bench: TiersBench) -> None:
    for words, name, says in (
        ({"tombstone": "yes", "reason": "no"}, "inbox.md", "no tombstones"), ({}, CSV, "Only a candidate"),
        ({}, "log/2026-05-09.md", "only added to"), ({}, "INDEX.md", "Only a candidate"),
    ):
        with pytest.raises(Refused, match=says):
            bench.plan("reject", [bench.entry(name)], **words)
    with pytest.raises(Refused, match="looks like a secret") as caught:
        bench.plan("reject", [bench.entry("inbox.md")], reason=KEY)
    assert caught.value.field == "reason"


# merge, edit


def test_merge_works_a_candidate_into_a_fact(bench: TiersBench) -> None:
    plan = bench.plan("merge", [bench.entry("inbox.md")], into=bench.entry(CSV).id)
    text = TIERS[CSV].replace(
        "see [[site-names]].\n", "see [[site-names]].\n\nSites 4 and 9 send their counts two days late\n"
    )
    assert bench.after(plan, CSV).decode() == text
    assert logged(bench, plan).startswith('- 14:05 Merged "Sites 4 and 9 send their counts two days late" from inbox.md into')
    assert bench.names(plan) == [CSV, "inbox.md", LOG]


def test_edit_of_a_fact_takes_its_line_with_it(bench: TiersBench) -> None:
    text = TIERS[OFFLINE].replace("Everything runs without a network", "Nothing needs a network")
    plan = bench.plan("edit", [bench.entry(OFFLINE)], text=text)
    assert bench.after(plan, OFFLINE).decode() == text
    assert bench.after(plan, "INDEX.md").decode() == TIERS["INDEX.md"].replace(
        "Everything runs without a network connection", "Nothing needs a network connection"
    )
    assert logged(bench, plan) == '- 14:05 Edited "offline" in facts/offline.md.\n'


def test_an_edit_that_describes_a_fact_as_before_leaves_its_line_alone(tmp_path: Path) -> None:
    index = TIERS["INDEX.md"].replace("Everything runs without a network connection", "An older description")
    bench = TiersBench(tmp_path, **{"INDEX.md": index})
    plan = bench.plan("edit", [bench.entry(OFFLINE)], text=TIERS[OFFLINE].rstrip("\n") + " It stays so.\n")
    assert [step.path for step in plan.steps] == [bench.path(OFFLINE), bench.path(LOG)]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("# Offline\n\nNo front matter.\n", "front matter"), ("---\nname: offline\n---\n\nx\n", "description"),
        ("---\ndescription: 'open\n---\n\nx\n", "front matter"),
    ],
)
def test_an_edit_that_leaves_no_fact_is_refused(bench: TiersBench, text: str, says: str) -> None:
    with pytest.raises(Refused, match=says) as caught:
        bench.plan("edit", [bench.entry(OFFLINE)], text=text)
    assert caught.value.field == "text"


def test_an_edit_of_other_files(tmp_path: Path) -> None:
    bench = TiersBench(tmp_path, **{"working/task.md": "- Try twice\n"})
    plan = bench.plan("edit", bench.entries("working/task.md"), text="- Try once")
    assert bench.after(plan, "working/task.md") == b"- Try once\n"
    for name, says in (("log/2026-05-09.md", "only added to"), ("INDEX.md", "what its fact says")):
        with pytest.raises(Refused, match=says):
            bench.plan("edit", [bench.entry(name)], text="- x")


# archive


@pytest.mark.parametrize("form", ENDINGS)
def test_a_fact_is_archived_whole_and_its_line_goes(tmp_path: Path, form: str) -> None:
    bench = TiersBench(tmp_path, **{OFFLINE: formed(TIERS[OFFLINE], form), "INDEX.md": formed(TIERS["INDEX.md"], form)})
    plan = bench.plan("archive", [bench.entry(OFFLINE)])
    line = "- [offline](facts/offline.md): Everything runs without a network connection\n"
    assert bench.after(plan, "INDEX.md") == formed(TIERS["INDEX.md"].replace(line, ""), form)
    steps = {bench.names(plan)[at]: step for at, step in enumerate(step for step in plan.steps if step.kind != "mkdir")}
    assert steps["archive/offline.md"].after == formed(TIERS[OFFLINE], form)
    assert steps[OFFLINE].kind == "delete"
    assert logged(bench, plan) == "- 14:05 Archived facts/offline.md, whole.\n"


def test_an_archive_keeps_folders_and_gives_a_number_on_a_clash(tmp_path: Path) -> None:
    bench = TiersBench(
        tmp_path,
        **{"facts/net/proxy.md": fact("Proxy"), "archive/net/Proxy.md": fact("Older"), "archive/offline.md": fact("x")},
    )
    assert "archive/net/proxy-2.md" in bench.names(bench.plan("archive", [bench.entry("facts/net/proxy.md")]))
    assert "archive/offline-2.md" in bench.names(bench.plan("archive", [bench.entry(OFFLINE)]))


def test_an_old_log_is_moved_unchanged(bench: TiersBench) -> None:
    plan = bench.plan("archive", bench.entries("log/2026-05-09.md"))
    assert bench.names(plan) == ["archive/2026-05-09.md", "log/2026-05-09.md", LOG]
    assert made(bench, plan, "archive/2026-05-09.md") == TIERS["log/2026-05-09.md"]
    plan = bench.plan("archive", bench.entries("log/2026-05-09.md")[:1])
    assert [question.key for question in plan.questions] == ["whole"]


def test_what_is_not_archived(tmp_path: Path) -> None:
    bench = TiersBench(tmp_path, **{LOG: "# 2026-11-30\n\n- 09:00 x\n", "archive/old.md": fact("Old"), "working/w.md": "- x\n"})
    for name, says in (
        ("inbox.md", "Only facts and old logs"), ("working/w.md", "Only facts and old logs"), (LOG, "still written to"),
        ("INDEX.md", "goes with its fact"), ("archive/old.md", "already"),
    ):
        with pytest.raises(Refused, match=says):
            bench.plan("archive", [bench.entry(name)])


# forget


def test_purge_takes_facts_lines_candidates_and_archived_facts_and_leaves_logs(tmp_path: Path) -> None:
    files: dict[str, Any] = {
        "archive/old.md": fact("Zoë's address"), "facts/zoe.md": fact("Zoë counts herons", name="zoe"),
        "INDEX.md": TIERS["INDEX.md"] + "- [zoe](facts/zoe.md): Counts herons\n- [names](facts/site-names.md): Zoë's names\n",
        "inbox.md": TIERS["inbox.md"] + "- Zoë moved\n", "log/2026-05-09.md": "# 2026-05-09\n\n- Zoë called\n",
        "archive/2026-01-01.md": "# 2026-01-01\n\n- Zoë began\n- other\n", "working/w.md": "- Ask Zoë\n",
    }
    bench = TiersBench(tmp_path, **files)
    plan = bench.plan("forget", topic="zoë", mode="purge", confirmed="yes")
    assert sorted(bench.names(plan)) == [
        "INDEX.md", "archive/2026-01-01.md", "archive/old.md", "facts/zoe.md", "inbox.md", LOG, "working/w.md",
    ]
    assert bench.after(plan, "INDEX.md").decode() == TIERS["INDEX.md"] + (
        "- [site-names](facts/site-names.md): Sites are named after the nearest village\n"
    )
    assert bench.after(plan, "inbox.md").decode() == TIERS["inbox.md"]
    assert bench.after(plan, "archive/2026-01-01.md") == b"# 2026-01-01\n\n- other\n"
    assert logged(bench, plan) == "- 14:05 Forgot 6 entries.\n"
    assert any("stays in log/2026-05-09.md" in warning for warning in plan.warnings)
    assert any("can't be undone" in warning for warning in plan.warnings)


def test_only_a_purge_forgets_here_and_only_with_its_safeguards(bench: TiersBench) -> None:
    with pytest.raises(Refused, match="purging alone") as caught:
        bench.plan("forget", topic="network", mode="soft")
    assert caught.value.field == "mode"
    assert [question.key for question in bench.plan("forget", topic="network", mode="purge").questions] == ["confirmed"]
    with pytest.raises(Refused, match=r"stands in memory/log/2026-05-10\.md, which purge leaves"):
        bench.plan("forget", topic="county", mode="purge")
    with pytest.raises(Refused, match="no entry of its own"):
        bench.plan("forget", topic="What Plover", mode="purge")


# across stores


def test_what_another_store_takes_is_said_in_the_log(tmp_path: Path) -> None:
    from tests.support.stores import custodian_store

    custodian_store(tmp_path, changelog="# Changelog\n")
    bench = TiersBench(tmp_path)
    plan = bench.plan("promote", [bench.entry("inbox.md")], to="constraints")
    line = '- 14:05 promoted "Sites 4 and 9 send their counts two days late" to docs/memory/constraints.md\n'
    assert logged(bench, plan) == line
    other = next(entry for entry in bench.workspace.entries() if entry.path == "docs/memory/constraints.md")
    assert not other.candidate


def test_another_store_s_candidate_becomes_a_fact(tmp_path: Path) -> None:
    from tests.support.stores import custodian_store

    custodian_store(tmp_path, inbox="# Inbox\n\n- [observed] Herons nest late (for: fact; reason: seen; from a walk)\n")
    bench = TiersBench(tmp_path)
    (candidate,) = [entry for entry in bench.workspace.candidates() if entry.path.startswith("docs/")]
    plan = bench.plan("promote", [candidate], to="fact:herons")
    text = made(bench, plan, "facts/herons.md")
    assert text == (
        "---\nname: herons\ndescription: Herons nest late\ntype: fact\nupdated: 2026-11-30\nsource: a walk\n---\n\n# Herons\n\n"
        "Herons nest late\n\nWhy: seen\n"
    )
