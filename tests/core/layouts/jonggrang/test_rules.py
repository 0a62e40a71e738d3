"""The rules over memories and fragments: a rich store that is fine, each fault planted, and what only looks like one."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from tests.support.checking import TODAY, findings, ran, report
from tests.support.stores import FRAGMENTS, feature_memory, fragment, git_repo, jonggrang_store, put

GUIDE = "# Agents\n\nRecall from .jonggrang/ with memdesk recall. In memory, facts outrank notes.\n"
FEATURE = ".output/features/counts/MEMORY.md"
ARCHIVE = ".ephemeral/memory/archive"
NAMES = (
    "fragment-tracked", "memory-ignored", "memory-frontmatter", "memory-sections", "memory-link", "fragment-waiting",
    "archive-expired",
)


def rich(root: Path) -> None:
    """A store with all that a good one may hold."""
    project = (
        "---\nscope: project\ntags: []\nupdated_at: \"2026-05-01T10:00:00.123+02:00\"\n---\n\n# T\n\n"
        "## Whatever\n\n## Whatever\n\n"
        "- [counts](.jonggrang/.output/features/counts/MEMORY.md), [w](/src/app.py#L3), [x](https://example.com/.ephemeral/x),"
        " [y](#here), [z](src/app.py:12)\n- `[q](gone.md)` ~~[r](gone.md)~~\n\n```\n[s](.jonggrang/.ephemeral/x.md)\n```\n"
    )
    feature = feature_memory(
        front="# kept by hand\nfeature_id: other_1-b\nfeature_name: 'Other: one'\ntags:\n  - a\nupdated_at: 2026-05-08",
        facts="- one\n\n### Below\n\n- [p](.jonggrang/MEMORY.md) \\[t](gone.md)",
    ).replace("## What Done & Why", "## What done &amp; why").replace("\n## ", "\n##   ")
    jonggrang_store(root, **{
        "MEMORY.md": project, ".output/features/other_1-b/MEMORY.md": feature,
        ".output/features/empty/jonggrang-tasks.json": "{}", "locks/agent.lock": "{}", ".ephemeral/.gitkeep": "",
        f"{FRAGMENTS}/new/task-001-2026-05-03T23-59-59-999Z.md": fragment(facts="- on the edge"),
        f"{ARCHIVE}/counts/2026-05-03/task-001-2026-01-01T08-00-00Z.md": fragment(facts="- on the edge too"),
    })
    put(root, "src/app.py", "x = 1\n")
    put(root, "AGENTS.md", GUIDE)


def test_a_good_store_has_no_findings(tmp_path: Path) -> None:
    rich(tmp_path)
    git_repo(tmp_path)
    found = report(tmp_path, mode="worktree")
    assert found.findings == ()
    counted = {rule.rule: rule.checked for rule in found.rules if rule.rule in NAMES}
    assert counted == {
        "fragment-tracked": 4, "memory-ignored": 4, "memory-frontmatter": 3, "memory-sections": 2, "memory-link": 4,
        "fragment-waiting": 3, "archive-expired": 1,
    }
    assert [rule.rule for rule in found.rules if rule.status == "skip"] == ["prune-overdue"]


def told(tmp_path: Path, rule: str, today: date = TODAY, **files: str | bytes | None) -> list[tuple[str, int | None, str, str]]:
    """(path in the store, line, severity, message) of a rule's findings in the usual store with these files."""
    jonggrang_store(tmp_path, **files)
    found = findings(tmp_path, rule, today=today)
    return [(one.path.removeprefix(".jonggrang/"), one.line, one.severity, one.message) for one in found]


# Front matter


GOOD = "feature_id: counts\nfeature_name: N\ntags: [a]\nupdated_at: 2026-05-08T09:30:00Z"


@pytest.mark.parametrize(
    ("front", "line", "message"),
    [
        ("", 1, "The memory has no front matter."),
        (GOOD.replace("counts", "count"), 2, "The feature_id is 'count', and the folder is called 'counts'."),
        (GOOD.replace("feature_id: counts\n", ""), 1, "The front matter has no feature_id."),
        (GOOD.replace("feature_name: N\n", ""), 1, "The front matter has no feature_name."),
        (GOOD.replace("tags: [a]\n", ""), 1, "The front matter has no tags."),
        (GOOD.partition("\nupdated_at")[0], 1, "The front matter has no updated_at."),
        (GOOD.replace(": N", ":"), 3, "The feature_name says nothing."),
        (GOOD.replace(": N", ": [a]"), 3, "The feature_name says nothing."),
        (GOOD.replace("[a]", "a, b"), 4, "The tags are no list of words."),
        (GOOD.replace("[a]", ""), 4, "The tags are no list of words."),
        (GOOD.replace("[a]", "[a, [b]]"), 4, "The tags are no list of words."),
        (GOOD.replace("[a]", "{a: b}"), 4, "The tags are no list of words."),
        (GOOD.replace("-08T", "-38T"), 5, "updated_at is no date and time (ISO 8601): '2026-05-38T09:30:00Z'."),
        (GOOD.replace("2026-05-08T09:30:00Z", "soon"), 5, "updated_at is no date and time (ISO 8601): 'soon'."),
        (GOOD.replace("2026-05-08T09:30:00Z", "20260508"), 5, "updated_at is no date and time (ISO 8601): '20260508'."),
        (GOOD + "\ntags: [b]", 6, "The front matter has 'tags' twice."),
        (GOOD.replace(": N", ": N: M"), 3, "The front matter cannot be read: it is not YAML"),
        ("- a\n- b", 1, "The front matter cannot be read: it is no mapping"),
        (GOOD.replace("[a]", "&x [a]"), 4, "Front matter with anchors or aliases is not read."),
    ],
)
def test_front_matter_of_a_feature(tmp_path: Path, front: str, line: int, message: str) -> None:
    text = feature_memory(front=front) if front else "# No front matter\n"
    (found,) = told(tmp_path, "memory-frontmatter", **{FEATURE: text})
    assert found[:3] == (FEATURE, line, "error")
    assert message in found[3]


def test_front_matter_that_never_closes(tmp_path: Path) -> None:
    (found,) = told(tmp_path, "memory-frontmatter", **{FEATURE: f"---\n{GOOD}\n"})
    assert found[1:] == (1, "error", "The front matter never closes.")


@pytest.mark.parametrize(
    ("front", "messages"),
    [
        ("scope: project\ntags: []\nupdated_at: 2026-05-08", []),
        ("scope: feature\ntags: []\nupdated_at: 2026-05-08", ["The scope of the project's memory is 'feature', not project."]),
        ("tags: a", [
            "The front matter has no scope.", "The front matter has no updated_at.", "The tags are no list of words.",
        ]),
        (GOOD, ["The front matter has no scope."]),
    ],
)
def test_front_matter_of_the_project(tmp_path: Path, front: str, messages: list[str]) -> None:
    found = told(tmp_path, "memory-frontmatter", **{"MEMORY.md": f"---\n{front}\n---\n\n# T\n"})
    assert [one[3] for one in found] == messages


def test_a_folder_whose_name_is_no_feature_s_id(tmp_path: Path) -> None:
    text = feature_memory(front=GOOD.replace("counts", "a b"))
    (found,) = told(tmp_path, "memory-frontmatter", **{".output/features/a b/MEMORY.md": text})
    assert found[1:] == (2, "error", "'a b' is no feature's id: letters, digits, _ and - alone.")


# Sections


@pytest.mark.parametrize(
    ("old", "new", "found"),
    [
        ("## Facts\n\n_(none yet)_\n\n", "", [(None, "The memory has no section 'Facts'.")]),
        ("## Facts", "## Fact", [
            (None, "The memory has no section 'Facts'."), (14, "No section of a feature's memory is called 'Fact'."),
        ]),
        ("## Context", "## Facts", [
            (None, "The memory has no section 'Context'."), (14, "The section 'Facts' is there already, line 10."),
        ]),
        ("## Facts", "### Facts", [(None, "The memory has no section 'Facts'.")]),
        ("## Promotion", "## Notes\n\n- a\n\n## Promotion", [(30, "No section of a feature's memory is called 'Notes'.")]),
        ("## Facts\n", "## FACTS:\n", []), ("## Facts\n", "Facts\n-----\n", []), ("_(none yet)_", "", []),
    ],
)
def test_sections_of_a_feature(tmp_path: Path, old: str, new: str, found: list[tuple[int | None, str]]) -> None:
    text = feature_memory()
    assert old in text
    told_of = told(tmp_path, "memory-sections", **{FEATURE: text.replace(old, new)})
    assert [(line, message) for _, line, _, message in told_of] == found
    assert {severity for _, _, severity, _ in told_of} <= {"warning"}


def test_a_feature_without_any_section(tmp_path: Path) -> None:
    (found,) = told(tmp_path, "memory-sections", **{FEATURE: "# T\n\n- a\n"})
    assert found[3].startswith("The memory lacks sections: 'Context', 'Facts', ")


def test_what_markdown_makes_of_broken_front_matter_is_no_section(tmp_path: Path) -> None:
    text = feature_memory(front=GOOD.replace(": N", ": N: M"))
    assert told(tmp_path, "memory-sections", **{FEATURE: text}) == []
    assert len(findings(tmp_path, "memory-frontmatter")) == 1


# Links


GOES = "This leads to what stays on this machine, and goes: "
PATH = f".jonggrang/{FRAGMENTS}/counts/task-001-2026-05-07T10-15-00-000Z.md"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (f"[x]({PATH})", GOES + PATH[:79]), ("[x](/.jonggrang/.ephemeral/gone.md)", GOES + "/.jonggrang/.ephemeral/gone.md."),
        ("[x](.jonggrang/.ephemeral/)", GOES), ("![x](.jonggrang/./.ephemeral/a.png)", GOES), ("[x](.ephemeral/a.md)", GOES),
        ("[x](<.jonggrang/.output/../.ephemeral/a b.md>)", GOES), ("[x](.jonggrang/%2Eephemeral/a.md)", GOES),
        ("[x](../../../.ephemeral/a.md)", GOES), ("[x](apps/.jonggrang/.ephemeral/a.md)", GOES),
        ("[x][a]\n\n[a]: .jonggrang/.ephemeral/a.md", GOES), ("> [x](.jonggrang/.ephemeral/a.md)", GOES),
        ("[x](gone.md)", "This link leads nowhere: gone.md."), ("[x](src/gone.py)", "This link leads nowhere: src/gone.py."),
        ("[x](progress.txt)", "This link leads nowhere: progress.txt."),
        ("[x](../../../../gone.md)", "This link leads nowhere: "),
    ],
)
def test_a_link_that_leads_nowhere_or_to_what_goes(tmp_path: Path, text: str, message: str) -> None:
    found = told(tmp_path, "memory-link", **{FEATURE: feature_memory(facts=f"- one\n\n{text}")})
    assert [one[:3] for one in found] == [(FEATURE, 20 if "][a]" in text else 18, "error")]
    assert found[0][3].startswith(message)


def test_links_of_the_project_s_memory_too(tmp_path: Path) -> None:
    text = "# T\n\n- [a](gone.md)\n- [b](.ephemeral/x.md)\n- [c](.jonggrang/MEMORY.md)\n"
    assert [one[1] for one in told(tmp_path, "memory-link", **{"MEMORY.md": text})] == [3, 4]


def test_a_link_from_its_own_folder_is_told_how_to_be_written(tmp_path: Path) -> None:
    jonggrang_store(tmp_path, **{FEATURE: feature_memory(facts="- [x](progress.txt) [y](../../../MEMORY.md)")})
    found = findings(tmp_path, "memory-link")
    assert [(one.line, one.hint) for one in found] == [
        (16, "Links here are relative to the repository's root: write .jonggrang/.output/features/counts/progress.txt."),
        (16, "Links here are relative to the repository's root: write .jonggrang/MEMORY.md."),
    ]


def test_links_of_a_store_below_the_root(tmp_path: Path) -> None:
    """What works there alone takes the folder around the store for the root."""
    put(tmp_path, "apps/web/src/x.py", "x\n")
    text = feature_memory(facts="- [a](src/x.py) [b](apps/web/src/x.py) [c](.jonggrang/MEMORY.md) [d](web/src/x.py)")
    jonggrang_store(tmp_path, "apps/web/.jonggrang", **{FEATURE: text})
    assert [one.message for one in findings(tmp_path, "memory-link")] == ["This link leads nowhere: web/src/x.py."]


# Fragments


def test_fragments_that_wait_too_long(tmp_path: Path) -> None:
    files = {
        f"{FRAGMENTS}/old/task-001-2026-05-02T23-59-59Z.md": "- a\n",
        f"{FRAGMENTS}/old/task-002-2026-04-30T08-00-00Z.md": "- b\n",
        f"{FRAGMENTS}/old/task-003-2026-05-03T00-00-00Z.md": "- c\n", f"{FRAGMENTS}/older/task-001-2026-05-01.md": "- d\n",
        f"{FRAGMENTS}/older/notes.md": "- no date\n", f"{FRAGMENTS}/later/task-001-2026-05-11T08-00-00Z.md": "- to come\n",
        f"{FRAGMENTS}/older/dated.md": fragment(front="created_at: 2026-04-01T08:00:00Z", free="a"),
    }
    assert told(tmp_path, "fragment-waiting", **files) == [
        (f"{FRAGMENTS}/old/task-002-2026-04-30T08-00-00Z.md", None, "warning",
         "2 fragments of old wait for compaction, the oldest since 2026-04-30: 10 days."),
        (f"{FRAGMENTS}/older/dated.md", None, "warning",
         "2 fragments of older wait for compaction, the oldest since 2026-04-01: 39 days."),
    ]
    one = ran(report(tmp_path), "fragment-waiting")
    assert (one.checked, one.summary) == (9, "9 fragments checked, over 7 days; 1 without a date of their own: 2 warnings")


def test_the_settings_say_how_long_they_may(tmp_path: Path) -> None:
    put(tmp_path, "memdesk.toml", "[fragments]\nwaiting_days = 2\narchive_days = 30\n")
    files = {f"{ARCHIVE}/counts/2026-04-20/x.md": "a\n", f"{ARCHIVE}/counts/2026-04-09/y.md": "a\n"}
    assert [one[3] for one in told(tmp_path, "fragment-waiting", **files)] == [
        "A fragment of counts waits for compaction, since 2026-05-07: 3 days.",
    ]
    assert [(one.path.rpartition("/")[2], one.message) for one in findings(tmp_path, "archive-expired")] == [
        ("y.md", "An archived fragment of counts is past 30 days, archived since 2026-04-09."),
    ]


def test_a_fragment_of_no_feature(tmp_path: Path) -> None:
    files = {f"{FRAGMENTS}/loose.md": "- a\n", f"{FRAGMENTS}/a b/task-001-2026-04-30T08-00-00Z.md": "- b\n"}
    message = "No compaction takes this fragment: it is in no folder of a feature."
    assert told(tmp_path, "fragment-waiting", **files) == [
        (f"{FRAGMENTS}/a b/task-001-2026-04-30T08-00-00Z.md", None, "warning", message),
        (f"{FRAGMENTS}/loose.md", None, "warning", message),
    ]


def test_archived_fragments_that_were_kept_long_enough(tmp_path: Path) -> None:
    files = {
        f"{ARCHIVE}/counts/2026-05-02/task-001-2026-01-01T08-00-00Z.md": "a\n", f"{ARCHIVE}/counts/2026-05-03/x.md": "a\n",
        f"{ARCHIVE}/other/task-001-2026-04-30T08-00-00Z.md": "a\n", f"{ARCHIVE}/other/task-002-2026-05-01T08-00-00Z.md": "a\n",
        f"{ARCHIVE}/other/undated.md": "a\n",
    }
    assert [one[::3] for one in told(tmp_path, "archive-expired", **files)] == [
        (f"{ARCHIVE}/counts/2026-05-02/task-001-2026-01-01T08-00-00Z.md",
         "An archived fragment of counts is past 7 days, archived since 2026-05-02."),
        (f"{ARCHIVE}/other/task-001-2026-04-30T08-00-00Z.md",
         "2 archived fragments of other are past 7 days, archived since 2026-04-30."),
    ]


# What other rules make of it


def test_a_line_that_waits_to_be_promoted_repeats_no_line(tmp_path: Path) -> None:
    twice = feature_memory(facts="- A\n- A", lessons="- B", promotion="- A\n- B\n- B")
    found = told(tmp_path, "duplicate-entry", **{FEATURE: twice, f"{FRAGMENTS}/counts/x.md": "- A\n- A\n"})
    assert [(path, line) for path, line, _, _ in found] == [(FEATURE, 17), (FEATURE, 35)]
