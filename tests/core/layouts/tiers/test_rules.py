"""The rules over facts, the index and links: a rich store that is fine, each fault planted, and what only looks like one."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from pathlib import Path

import pytest

from tests.support.checking import TODAY, findings, lines, ran, report
from tests.support.stores import TIERS, fact, git, git_repo, put, tiers_store

LONG = "A description may be long as long as it is one line since the index shows just that one line and nothing else of it"
CAFE = "'Counters meet at the ''Caf\u00e9'''"
GUIDE = "# Agents\n\nRead memory/INDEX.md at the start. In memory, facts outrank notes.\n"


def rich(root: Path) -> None:
    """A store with all that a good one may hold."""
    facts = {
        "prices": fact(
            "Prices: 12 euros a month, 120 a year", "| plan | euros |\n| --- | --- |\n| month | 12 |\n\nSee [[offline]].",
            name="prices", type="decision", why="A month is what a volunteer has left.", owner="Ada", updated="2026-05-01",
            review_by="2026-05-10", links="[offline, site-names.md, '[[counts-as-csv]]', https://example.com/prices]",
        ),
        "releases": fact(
            "Releases go out on Tuesdays", "The next ones:\n\n1. 2026-06-02\n\nUpdate the site before; edit: the notes too.\n\n"
            "```\nUpdate: in code\n```\n\n## What happens\n\nUpdates: none.\n\n## Who\n\nMira, since 2026-05-02.",
        ),
        "neon": "---\r\ndescription: We use Neon\r\ntype: Decision\r\n---\r\n\r\n# Neon\r\n\r\nUsed because it branches.\r\n",
        "caf\u00e9": "\ufeff" + fact(CAFE, "~~Nowhere~~ There. [x](#here), [y](mailto:a@example.com)."),
        "many-words": fact(LONG, "\\# no title\n\nA date, 2026-05-01, in a sentence, and 2026-05-02 in the next."),
    }
    broken = LONG.replace(" since", "\n  since")
    index = str(TIERS["INDEX.md"]) + (
        "\n## More\n\n- [Prices](facts/prices.md) \u2014 Prices: 12 euros a month, 120 a year\n"
        "- [releases](<facts/releases.md>): Releases go out on Tuesdays\n  - [[neon]]: We use Neon\n"
        "* **[caf\u00e9](facts/caf%C3%A9.md)**: Counters meet at the 'Caf\u00e9'\n\nThe log is in [log](log/).\n\n"
        f'- [many-words](facts/many-words.md "many"): {broken}\n- What else there is: nothing\n'
    )
    log = "# 2026-05-08\n\n- 09:00 it failed\n- 09:00 it failed\n- 10:00 it failed\n\n[x](gone.md) [[gone]]\n"
    tiers_store(root, **{f"facts/{name}.md": text for name, text in facts.items()}, **{
        "INDEX.md": index, "log/2026-05-08.md": log, "working/plan.md": "# Plan\n\n- try it\n- [x](gone.md)\n",
        "archive/old.md": fact("Prices: 10 euros", "See [[gone]]."), "archive/2026-01-02.md": "- old\n",
        "facts/README.md": "# What facts are\n\n# Really\n",
    })
    put(root, "AGENTS.md", GUIDE)
    put(root, ".gitignore", "memory/working/\n")


def test_a_good_store_has_no_findings(tmp_path: Path) -> None:
    rich(tmp_path)
    git_repo(tmp_path)
    found = report(tmp_path, mode="worktree")
    assert found.findings == ()
    counted = {rule.rule: rule.checked for rule in found.rules if rule.layout == "tiers"}
    assert {name: counted[name] for name in NAMES} == {
        "fact-frontmatter": 8, "fact-single": 8, "fact-appended": 8, "fact-why": 3, "fact-count": 8, "index-complete": 8,
        "link-dead": 7, "log-append-only": 3, "log-name": 3, "working-tracked": 1, "review-due": 2,
    }
    assert {rule.status for rule in found.rules} == {"pass", "skip"}
    assert [rule.rule for rule in found.rules if rule.status == "skip"] == ["prune-overdue"]


NAMES = (
    "fact-frontmatter", "fact-single", "fact-appended", "fact-why", "fact-count", "index-complete", "link-dead",
    "log-append-only", "log-name", "working-tracked", "review-due",
)


def one(tmp_path: Path, text: str, rule: str, today: date = TODAY) -> list[tuple[int | None, str, str]]:
    """(line, severity, message) of a rule's findings in one fact, which the index knows."""
    tiers_store(tmp_path, **{"facts/x.md": text})
    found = findings(tmp_path, rule, today=today)
    assert {finding.path for finding in found} <= {"memory/facts/x.md"}
    return [(one.line, "possible" if one.possible else one.severity, one.message) for one in found]


# Facts


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("# No front matter\n", 1, "The fact has no front matter, and so no description."),
        ("", 1, "The fact has no front matter, and so no description."),
        ("\n---\ndescription: d\n---\n", 1, "The fact has no front matter, and so no description."),
        ("---\nname: x\ndescription: It is: so\n---\n", 3, "cannot be read: it is not YAML: mapping values are not allowed"),
        ("---\nname: 'x\n---\n", 3, "cannot be read: it is not YAML"),
        ("---\n- a\n- b\n---\n", 1, "cannot be read: it is no mapping"),
        ("---\nname: x\n", 1, "The front matter never closes."),
        ("---\nname: x\n---\n", 1, "The front matter has no description."),
        ("---\nname: x\ndescription:\n---\n", 3, "The front matter has no description."),
        ("---\nname: x\ndescription: ''\n---\n", 3, "The front matter has no description."),
        ("---\nname: x\ndescription: '  '\n---\n", 3, "The description is no text."),
        ("---\ndescription: [a, b]\n---\n", 2, "The description is no text."),
        ("---\nname: x\ndescription: |\n  one\n  two\n---\n", 3, "The description is longer than a line."),
        ("---\nname: x\ndescription: >\n  one\n  two\n---\n", 3, "The description is longer than a line."),
        ("---\nname: x\ndescription: one\n  two\ntype: fact\n---\n", 3, "The description is longer than a line."),
        ('---\nname: x\ndescription: "one\\ntwo"\n---\n', 3, "The description is longer than a line."),
        ("---\ndescription: a\ndescription: b\n---\n", 3, "The front matter has 'description' twice."),
        ("---\nname: &x a\ndescription: *x\n---\n", 2, "Front matter with anchors or aliases is not read."),
    ],
)
def test_front_matter_that_does_not_describe(tmp_path: Path, text: str, line: int, message: str) -> None:
    (found,) = one(tmp_path, text, "fact-frontmatter")
    assert found[:2] == (line, "error")
    assert message in found[2]


@pytest.mark.parametrize(
    "front",
    ["description: >\n  one line\nname: x", "description: one # two", "description: |\n  one\n", "\ndescription: d".strip(),
     "# comment\ndescription: 'a: b'", 'description: "\\u00fc"', "description:   d  "],
)
def test_front_matter_that_does(tmp_path: Path, front: str) -> None:
    assert one(tmp_path, f"---\n{front}\n---\n", "fact-frontmatter") == []


def test_several_facts_in_one_file(tmp_path: Path) -> None:
    titles = fact("d", "x\n\n# Second\n\ny\n\n# Third\n")
    said = "3 facts in one file by their titles; the second is 'Second'."
    assert one(tmp_path, titles, "fact-single") == [(9, "error", said)]
    dated = fact("d", "x\n\n## 2026-01-02 - Use A\n\na\n\n## 2026-02-03: Use B\n\nb")
    assert one(tmp_path, dated, "fact-single") == [
        (13, "warning", "2 dated decisions in one file; the second is '2026-02-03: Use B'."),
    ]
    fields = fact("d", "x\n\n## Use A\n\nDecision: A.\nDate: 2026-01-02\n\n## Use B\n\nDecision: B, on 2026-02-03.")
    assert one(tmp_path, fields, "fact-single")[0][:2] == (14, "warning")


@pytest.mark.parametrize(
    "text",
    [
        "```\n# not\n```\n", "## One\n\n## Two\n\n## Three\n", "## 2026-01-02 - Use A\n\na\n\n## Why\n\nb\n", "    # not\n",
        "- # in a list\n", "> # quoted\n",
    ],
)
def test_one_fact_with_parts(tmp_path: Path, text: str) -> None:
    assert one(tmp_path, fact("d", text), "fact-single") == []


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("It costs 10.\n\nUpdate: 12.", 9), ("It costs 10.\nEdit: 12.", 8), ("x\n\n**Correction:** 12.", 9),
        ("x\n\n- UPDATE: 12", 9), ("x\n\n_Update 2026-05-01_: 12", 9), ("x\n\nupdate (2026-05-01): 12", 9),
        ("x\n\n## Update\n\n12", 9), ("x\n\n**Update**: 12", 9), ("x\n\n## Update 2026-05-01\n\n12", 9),
        ("- 2026-01-02: 10\n- 2026-05-01: 12", 8), ("x\n\n* **2026-01-02** - 10\n* **2026-05-01** - 12", 10),
        ("x\n\n### 2026-01-02\n\n10\n\n### 2026-05-01\n\n12", 13), ("- since 2026-01-02: 10\n- since 2026-05-01: 12", 8),
    ],
)
def test_what_was_appended(tmp_path: Path, text: str, line: int) -> None:
    (found,) = one(tmp_path, fact("d", text), "fact-appended")
    assert found[:2] == (line, "possible")


@pytest.mark.parametrize(
    "text",
    [
        "Update the site: then tell Mira.", "`Update: x`", "```\nUpdate: x\n- 2026-01-02: a\n- 2026-05-01: b\n```",
        "Updates: none.", "We update: daily.", "- 2026-01-02: the only one", "- a, 2026-01-02\n- b, 2026-05-01",
        "Edited by Ada.",
        "- 2026-01-02: a\n\n## More\n\n- 2026-05-01: b", "- Released 2026-01-02\n- Released 2026-05-01", "> Update: quoted",
        "- 2026-13-45: x\n- 2026-14-45: x", "Correction factor: 2",
    ],
)
def test_what_was_not(tmp_path: Path, text: str) -> None:
    assert one(tmp_path, fact("d", text), "fact-appended") == []


def test_a_decision_without_its_reason(tmp_path: Path) -> None:
    bare = fact("d", "We use Neon.", why="", name="x", type="decision")
    assert one(tmp_path, bare, "fact-why") == [(4, "warning", "The decision gives no reason.")]
    assert one(tmp_path, bare.replace("type: decision", "type: fact"), "fact-why") == []
    assert one(tmp_path, bare.replace("Neon.", "Neon, because it branches."), "fact-why") == []


def test_too_many_facts(tmp_path: Path) -> None:
    tiers_store(tmp_path)
    assert findings(tmp_path, "fact-count") == []
    put(tmp_path, "memdesk.toml", "[tiers]\nmax_facts = 2\n")
    (found,) = findings(tmp_path, "fact-count")
    assert (found.path, found.severity) == ("memory/INDEX.md", "warning")
    assert found.message == "3 facts; 2 are the most that are kept (set in memdesk.toml:2)."


@pytest.mark.parametrize(
    ("day", "message"),
    [
        ("2026-05-09", "The fact was to be reviewed by 2026-05-09."), ("2026-05-10", None), ("2027-01-01", None),
        ("2026-05-09T10:00:00Z", "The fact was to be reviewed by 2026-05-09."), ("spring", "review_by is no date: 'spring'."),
        ("2026-02-30", "review_by is no date: '2026-02-30'."),
    ],
)
def test_a_review_that_is_due(tmp_path: Path, day: str, message: str | None) -> None:
    expected = [] if message is None else [(4, "warning", message)]
    assert one(tmp_path, fact("d", name="x", review_by=day), "review-due") == expected


# The index


def index(tmp_path: Path, old: str, new: str, **more: str | None) -> list[tuple[str, int | None, str]]:
    """(path, line, message) of the findings where the index says something else."""
    text = str(TIERS["INDEX.md"])
    assert old in text
    tiers_store(tmp_path, **{"INDEX.md": text.replace(old, new), **more})
    return [(one.path, one.line, one.message) for one in findings(tmp_path, "index-complete")]


OFFLINE = "- [offline](facts/offline.md): Everything runs without a network connection\n"
INDEX = "memory/INDEX.md"


def test_a_fact_without_a_line(tmp_path: Path) -> None:
    lost = [("memory/facts/offline.md", 1, "INDEX.md has no line for this fact, so nobody finds it.")]
    assert index(tmp_path, OFFLINE, "") == lost
    assert index(tmp_path, OFFLINE, "\nSee [offline](facts/offline.md).\n") == lost


@pytest.mark.parametrize("line", ["- [gone](facts/gone.md): x\n", "- [[gone]]: x\n", "- [Off](facts/Offline.md): x\n"])
def test_a_line_that_leads_nowhere(tmp_path: Path, line: str) -> None:
    (found,) = index(tmp_path, OFFLINE, OFFLINE + line)
    assert found[:2] == (INDEX, 5)
    assert found[2].startswith("This line points at nothing: ")


@pytest.mark.parametrize("line", [OFFLINE, "- [a](./facts/offline.md): x\n", "- [[offline]]\n", "- [o](facts/off%6Cine.md)\n"])
def test_two_lines_for_one_fact(tmp_path: Path, line: str) -> None:
    assert index(tmp_path, OFFLINE, OFFLINE + line) == [(INDEX, 5, "facts/offline.md has a line already, line 4.")]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("- [offline](facts/offline.md): Everything runs with a network\n", "says 'Everything runs with a network'"),
        ("- [offline](facts/offline.md)\n", "gives no description"),
        ("- [[offline]]: everything runs with no network connection\n", "says 'everything runs with no network connection'"),
    ],
)
def test_another_description_than_the_facts_own(tmp_path: Path, line: str, said: str) -> None:
    assert index(tmp_path, OFFLINE, line) == [(
        INDEX, 4,
        f"This line {said}, and facts/offline.md describes itself as 'Everything runs without a network connection'.",
    )]


def test_a_fact_that_does_not_describe_itself_has_no_other_description(tmp_path: Path) -> None:
    assert index(tmp_path, OFFLINE, OFFLINE, **{"facts/offline.md": "# Offline\n"}) == []


def test_lines_to_what_is_no_fact_are_fine(tmp_path: Path) -> None:
    line = "- [log](log/2026-05-09.md): yesterday\n- [inbox](inbox.md): what waits\n- [web](https://example.com): x\n"
    assert index(tmp_path, OFFLINE, OFFLINE + line) == []


def test_no_index_at_all(tmp_path: Path) -> None:
    tiers_store(tmp_path, **{"INDEX.md": None})
    put(tmp_path, "memdesk.toml", '[stores.layout]\n"memory" = "tiers"\n')
    (found,) = findings(tmp_path, "index-complete")
    assert (found.path, found.message) == (INDEX, "The index is not there, so nobody finds the 3 facts.")


# Links


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (fact("d", "See [[gone]]."), 7), (fact("d", "See [x](gone.md)."), 7), (fact("d", "See [x](../gone/)."), 7),
        (fact("d", "a\nb [[gone|x]]"), 8), (fact("d", name="x", links="[offline, gone]"), 4),
        (fact("d", links="\n  - offline\n  - '[[gone|x]]'"), 5), (fact("d", links="'[[gone]], offline'"), 3),
        (fact("d", "See [x](../../../out.md)."), 7),
        (fact("d", "![x](gone.png)"), 7),
    ],
)
def test_a_link_that_leads_nowhere(tmp_path: Path, text: str, line: int) -> None:
    (found,) = one(tmp_path, text, "link-dead")
    assert found[:2] == (line, "error")


def test_links_of_the_index_that_are_no_lines_of_facts(tmp_path: Path) -> None:
    more = "\nSee [x](gone.md).\n\n- more: [y](gone.md)\n- [z](gone.md): x\n"
    tiers_store(tmp_path, **{"INDEX.md": f"{TIERS['INDEX.md']}{more}"})
    assert lines(tmp_path, "link-dead") == [("INDEX.md", 7, "error"), ("INDEX.md", 9, "error")]
    assert lines(tmp_path, "index-complete") == [("INDEX.md", 10, "error")]


# Working state


def test_working_state_that_is_committed(tmp_path: Path) -> None:
    tiers_store(tmp_path, **{"working/plan.md": "- x\n", "working/deep/er.md": "- y\n"})
    git_repo(tmp_path)
    put(tmp_path, "memory/working/new.md", "- z\n")
    assert lines(tmp_path, "working-tracked") == [("er.md", None, "warning"), ("plan.md", None, "warning")]
    assert ran(report(tmp_path), "working-tracked").checked == 3
    git(tmp_path, "rm", "-q", "--cached", "-r", "memory/working")
    assert lines(tmp_path, "working-tracked") == []
    git(tmp_path, "add", "memory/working/new.md")
    assert lines(tmp_path, "working-tracked", mode="staged") == [("new.md", None, "warning")]


@pytest.mark.parametrize("target", ["[[plan]]", "[x](../working/plan.md)", "[x](../working/gone.md)", "[x](../working/)"])
def test_links_into_working_state(tmp_path: Path, target: str) -> None:
    tiers_store(tmp_path, **{"working/plan.md": "- x\n", "facts/x.md": fact("d", f"See {target}.")})
    assert lines(tmp_path, "working-tracked") == [("x.md", 7, "error")]
    assert lines(tmp_path, "link-dead") == []
    found = ran(report(tmp_path), "working-tracked")
    assert found.summary == "1 working file checked, links alone: there is no git: 1 error"


def test_lines_of_the_index_into_working_state(tmp_path: Path) -> None:
    tiers_store(tmp_path, **{"working/plan.md": "- x\n", "INDEX.md": f"{TIERS['INDEX.md']}- [plan](working/plan.md): x\n"})
    assert lines(tmp_path, "working-tracked") == [("INDEX.md", 6, "error")]
    assert lines(tmp_path, "index-complete") == []


# In general


def test_an_allowance_in_a_fact_holds_for_it(tmp_path: Path) -> None:
    text = fact("d", "x\n\n<!-- memdesk: allow fact-appended the dates are of releases -->\n\n- 2026-01-02: a\n- 2026-05-01: b")
    assert one(tmp_path, text, "fact-appended") == []
    bare = f"<!-- memdesk: allow fact-frontmatter it is made by a tool -->\n{fact('d')}"
    assert one(tmp_path, bare, "fact-frontmatter") == []


def test_a_fault_costs_no_more_than_a_good_store(tmp_path: Path) -> None:
    """Five hundred facts that all miss their line, link nowhere and repeat a title: each is told once."""
    facts: Mapping[str, str] = {f"facts/f{n}.md": fact(f"d{n}", f"See [[gone-{n}]].", name="same") for n in range(500)}
    tiers_store(tmp_path, **facts)
    found = report(tmp_path, only=["index-complete", "link-dead"])
    assert len(found.findings) == 1_000
