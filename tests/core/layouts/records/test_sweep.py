"""The sweep before a merge: drafts, candidates and words that a branch left open, and nothing of before it."""

from __future__ import annotations

from pathlib import Path

import pytest

from memdesk.core.model import Finding
from tests.support.checking import findings, lines, ran, report
from tests.support.stores import custodian_store, git, git_repo, put, record, records_store

RULE = "record-sweep"
NEW = "docs/adr/0003-count-birds-twice.md"
INBOX = "# Inbox\n\n## 2026-05-01\n\n- [observed] Sites report late\n"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A branch without work on it: main has a proposed record and a candidate already."""
    records_store(tmp_path)
    custodian_store(tmp_path, inbox=INBOX)
    git_repo(tmp_path)
    git(tmp_path, "checkout", "-qb", "work")
    return tmp_path


def swept(root: Path) -> list[Finding]:
    return findings(root, RULE, mode="base", base="main")


def words(root: Path, text: str) -> list[str]:
    """The words that a new record with this context uses like terms."""
    put(root, NEW, record(3, "Count birds twice", context=text))
    return [finding.message.split("'")[1] for finding in swept(root) if finding.possible]


def test_what_was_open_before_is_no_matter_of_the_branch(root: Path) -> None:
    assert swept(root) == []
    assert ran(report(root, mode="base", base="main"), RULE).summary == "0 entries checked, against main"
    rule = ran(report(root, mode="worktree"), RULE)
    assert (rule.status, rule.reason) == ("skip", "it looks at a whole branch, with --base")


def test_a_draft_that_the_branch_adds_or_edits_is_still_open(root: Path) -> None:
    put(root, NEW, record(3, "Count birds twice", "Draft"))
    git(root, "add", "-A")
    git(root, "commit", "-qm", "Work")
    put(root, "docs/adr/0002-sync-at-night.md", record(2, "Sync at noon", "Proposed"))
    assert lines(root, RULE, mode="base", base="main") == [
        ("0002-sync-at-night.md", 7, "warning"), ("0003-count-birds-twice.md", 7, "warning"),
    ]
    assert swept(root)[1].message == "The record is still draft: 'Count birds twice'."
    put(root, NEW, record(3, "Count birds twice"))
    put(root, "docs/adr/0002-sync-at-night.md", record(2, "Sync at noon", "Rejected"))
    assert swept(root) == []


def test_a_candidate_that_the_branch_adds_is_not_judged(root: Path) -> None:
    put(root, "docs/memory/inbox.md", INBOX + "- [observed] Volunteers own no printer\n")
    put(root, "docs/design/terms.md", "# Terms\n\n**Round**:\nAll counts of one day.\n")
    assert [(finding.path, finding.line) for finding in swept(root)] == [
        ("docs/design/terms.md", 3), ("docs/memory/inbox.md", 6),
    ]
    assert swept(root)[1].message == "A candidate that this branch adds is not judged yet: 'Volunteers own no printer'."


@pytest.mark.slow
def test_what_the_base_settled_meanwhile_was_not_added_here(root: Path) -> None:
    git(root, "checkout", "-q", "main")
    put(root, "docs/memory/inbox.md", "# Inbox\n\nNo unprocessed memory candidates.\n")
    git(root, "rm", "-q", "docs/adr/0002-sync-at-night.md")
    git(root, "commit", "-qam", "Settled")
    git(root, "checkout", "-q", "work")
    put(root, "README.md", "x\n")
    git(root, "add", "-A")
    git(root, "commit", "-qm", "Work")
    assert swept(root) == []


@pytest.mark.slow
def test_two_packages_name_a_candidate_of_another_layout_once(root: Path) -> None:
    records_store(root, "packages/one", **{"package.json": "{}"})
    put(root, "docs/memory/inbox.md", INBOX + "- [observed] Volunteers own no printer\n")
    assert [finding.path for finding in swept(root)].count("docs/memory/inbox.md") == 1


def test_a_bold_name_within_a_sentence_is_used_like_a_term(root: Path) -> None:
    assert words(root, "We look at each **Site**, its **Counts** and the **Round** of a day.") == ["Round"]
    assert words(root, "So **Round trips** count, and the **Round trip** again, of a **Großer Kreis** too.") == [
        "Round trips", "Großer Kreis",
    ]
    assert swept(root)[0].hint == "Define it in CONTEXT.md where it is one."


def test_what_only_stresses_labels_or_quotes_is_no_term(root: Path) -> None:
    for text in (
        "It must **not** fail, **never**.", "**Round** begins here. **Never** do this.", "- **Good**, because it is fast",
        "Text, **Option**: one", "Code `a **Round** b` and ``x``.", "```\na **Round** b\n```", "So **2 Rounds**.",
        "See the **Site** and <!-- the **Round** -->.",
    ):
        assert words(root, text) == [], text


def test_a_link_into_the_glossary_that_names_no_term_of_it(root: Path) -> None:
    text = "See [Site](../../CONTEXT.md#site), [round](../../CONTEXT.md#round), [CONTEXT.md](../../CONTEXT.md), [x](y.md)."
    assert words(root, text) == ["round"]


def test_without_a_glossary_nothing_is_asked_of_words(root: Path) -> None:
    (root / "CONTEXT.md").unlink()
    assert words(root, "Each **Round** counts.") == []


@pytest.mark.slow
def test_a_draft_becomes_an_error_when_asked_and_a_word_never(root: Path) -> None:
    put(root, NEW, record(3, "Count birds twice", "Draft", context="Each **Round** counts."))
    found = report(root, mode="base", base="main", only=[RULE], strict=True).findings
    assert [(finding.line, finding.severity) for finding in found] == [(7, "error"), (11, "warning")]
