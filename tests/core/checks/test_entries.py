"""Said twice, said in two versions, said although it was rejected: exact equality only."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.checking import findings, lines, ran, report
from tests.support.stores import custodian_store

DECISION = "## {date} - {title}\n\nDecision:\n{text}\n\nReason:\nIt is cheap.\n"


def decisions(*parts: str) -> str:
    return "# Decisions\n\n" + "\n".join(parts)


def decision(title: str, text: str = "We do so.", date: str = "2026-05-02") -> str:
    return DECISION.format(title=title, text=text, date=date)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("- Deploy on Tuesdays\n- Deploy on Tuesdays\n", [("constraints.md", 4, "error")]),
        ("- Deploy on Tuesdays\n* Deploy  on\n  Tuesdays\n", [("constraints.md", 4, "error")]),
        ("- Deploy on Tuesdays\r\n- Deploy on Tuesdays\r\n", [("constraints.md", 4, "error")]),
        ("- Deploy on Tuesdays\n- Do not deploy on Tuesdays\n- deploys happen Tuesdays.\n", []),
        ("- Deploy on Tuesdays\n- ~~Deploy on Tuesdays~~ superseded 2026-05-01\n", []),
        ("- a\n- b\n- a\n- a\n", [("constraints.md", 5, "error"), ("constraints.md", 6, "error")]),
        ("- x\n\n```\n- x\n```\n", []),
    ],
)
def test_f04_the_same_text_twice_in_one_document(tmp_path: Path, text: str, expected: list[tuple[str, int, str]]) -> None:
    custodian_store(tmp_path, constraints="# Constraints\n\n" + text)
    assert lines(tmp_path, "duplicate-entry") == expected


def test_f04_the_same_text_in_two_scopes_is_a_warning(tmp_path: Path) -> None:
    area = "# {}\n\nLoad when it matters.\n\n- Answers come within a second\n"
    custodian_store(tmp_path, **{"areas/api": area.format("Api"), "areas/web": area.format("Web")})
    assert lines(tmp_path, "duplicate-entry") == [("web.md", 5, "warning")]


def test_f06_a_candidate_equal_to_a_live_entry_is_no_duplicate_yet(tmp_path: Path) -> None:
    custodian_store(tmp_path, constraints="# C\n\n- Runs offline\n", inbox="# Inbox\n\n## 2026-05-01\n\n- Runs offline\n")
    assert findings(tmp_path, "duplicate-entry") == []


def test_repeated_log_lines_and_archived_texts_are_no_duplicates(tmp_path: Path) -> None:
    log = '# Changelog\n\n## 2026-05-01\n\n- Promoted "A".\n- Promoted "A".\n'
    custodian_store(
        tmp_path, changelog=log, **{"archive/constraints-2026-01-01": "# Old\n\n- Runs without a network connection.\n"}
    )
    assert findings(tmp_path, "duplicate-entry") == []


def test_duplicate_says_how_many_entries_it_looked_at(tmp_path: Path) -> None:
    custodian_store(tmp_path, constraints="# C\n\n- a\n- b\n- ~~c~~ superseded 2026-01-01\n")
    assert ran(report(tmp_path), "duplicate-entry").checked == 4  # two constraints, a decision, a tombstone


def test_two_versions_the_same_title_twice_in_one_scope(tmp_path: Path) -> None:
    custodian_store(
        tmp_path,
        decisions=decisions(decision("Use CSV", date="2026-05-02"), decision("use csv!", "Not any more.", "2026-04-01")),
    )
    [finding] = findings(tmp_path, "two-versions")
    assert (finding.line, finding.severity, finding.possible) == (11, "error", False)
    assert "line 3" in finding.message


def test_two_versions_ids_and_dates_are_not_part_of_a_title(tmp_path: Path) -> None:
    text = decisions(
        decision("Use CSV", "One.").replace("## 2026-05-02 - ", "## MC-DEC-20260502-1a2b3c4d — "),
        decision("Use CSV", "Two.").replace("## 2026-05-02 - ", "## MC-DEC-20260401-99999999 — "),
    )
    custodian_store(tmp_path, decisions=text, version="0.6")
    assert lines(tmp_path, "two-versions") == [("decisions.md", 11, "error")]


@pytest.mark.parametrize(
    "second",
    [
        decision("Use CSV", "Two.").replace("2026-05-02 - Use CSV", "~~2026-05-02 - Use CSV~~"),
        decision("Use CSV files", "Two."),
        decision("Use C#", "Two."),
        decision("Use CSV", "Two.") + "\nScope:\narea:export\n",
    ],
)
def test_two_versions_not_for_struck_other_titles_or_other_scopes(tmp_path: Path, second: str) -> None:
    custodian_store(tmp_path, decisions=decisions(decision("Use CSV", "One."), second))
    assert findings(tmp_path, "two-versions") == []


def test_f04_the_same_title_in_an_area_refines_the_root(tmp_path: Path) -> None:
    area = "# Export\n\nLoad for export.\n\n" + decision("Use CSV", "Only for export.")
    custodian_store(tmp_path, decisions=decisions(decision("Use CSV", "One.")), **{"areas/export": area})
    assert findings(tmp_path, "two-versions") == []


def test_two_versions_outside_decisions_are_only_possible(tmp_path: Path) -> None:
    custodian_store(tmp_path, constraints="# C\n\n- Runs offline\n- Runs offline.\n")
    assert lines(tmp_path, "two-versions") == [("constraints.md", 4, "possible")]


@pytest.mark.parametrize(
    ("body", "line"),
    [
        ("- [stated] Tuesdays (2026-01-02)\n- [stated] Fridays (2026-04-02)\n", 6),
        ("- [stated] Tuesdays\n- [observed] Fridays\n", 6),
        ("2026-01-02: Tuesdays\n2026-04-02: Fridays\n", 6),
        ("Decision:\n- 2026-01-02 Tuesdays\n- 2026-04-02 Fridays\n\nReason:\nx\n", 7),
        ("- [stated] Fridays\n- ~~[stated] Tuesdays~~ superseded 2026-04-02\n", None),
        ("Decision:\nFridays.\n\nEvidence:\n- 2026-01-02 seen\n- 2026-04-02 seen\n", None),
        ("- [stated] Fridays\n- see [stated](x.md)\n", None),
        ("Decision:\nFridays (2026-01-02), then (2026-02-02).\n", None),
        ("```\n- [stated] a\n- [stated] b\n```\n", None),
    ],
)
def test_two_versions_of_one_decision(tmp_path: Path, body: str, line: int | None) -> None:
    custodian_store(tmp_path, decisions="# Decisions\n\n## Deploy day\n\n" + body)
    assert [finding.line for finding in findings(tmp_path, "two-versions")] == ([] if line is None else [line])


def test_one_line_decisions_are_entries_and_not_versions_of_each_other(tmp_path: Path) -> None:
    custodian_store(
        tmp_path, decisions="# Decisions\n\n- 2026-05-02 | Use CSV. Reason: x\n- 2026-04-02 | Use UTF-8. Reason: y\n"
    )
    assert findings(tmp_path, "two-versions") == []


STONE = "# Do not use\n\n## Tombstone: Cloud sync\n\nDo not reintroduce. Reason: no network. Date: 2026-04-11.\n"


def test_tombstone_repeat_by_an_active_entry_is_an_error(tmp_path: Path) -> None:
    custodian_store(tmp_path, do_not_use=STONE, decisions=decisions(decision("Cloud Sync")))
    [finding] = findings(tmp_path, "tombstone-repeat")
    assert (finding.path, finding.line, finding.severity) == ("docs/memory/decisions.md", 3, "error")
    assert "docs/memory/do-not-use.md:3" in finding.message


def test_f06_tombstone_repeat_by_a_candidate_is_a_warning(tmp_path: Path) -> None:
    custodian_store(tmp_path, do_not_use=STONE, inbox="# Inbox\n\n## 2026-05-01\n\n- [observed] Cloud sync (for: decision)\n")
    assert lines(tmp_path, "tombstone-repeat") == [("inbox.md", 5, "warning")]


def test_a_tombstone_counts_only_in_its_scope(tmp_path: Path) -> None:
    area = "# {}\n\nLoad for it.\n\n" + decision("Cloud sync")
    custodian_store(
        tmp_path,
        do_not_use=STONE + "Scope: area:export\n",
        decisions=decisions(decision("Cloud sync")),
        **{"areas/export": area.format("Export"), "areas/web": area.format("Web")},
    )
    assert lines(tmp_path, "tombstone-repeat") == [("export.md", 5, "error")]


def test_a_struck_tombstone_or_entry_repeats_nothing(tmp_path: Path) -> None:
    custodian_store(
        tmp_path,
        do_not_use=STONE.replace("Tombstone: Cloud sync", "~~Tombstone: Cloud sync~~"),
        decisions=decisions(decision("Cloud sync")),
    )
    assert findings(tmp_path, "tombstone-repeat") == []
    custodian_store(
        tmp_path,
        do_not_use=STONE,
        decisions=decisions(decision("Cloud sync").replace("2026-05-02 - Cloud sync", "~~2026-05-02 - Cloud sync~~")),
    )
    assert findings(tmp_path, "tombstone-repeat") == []
