"""What cannot all be current, by structure alone; and which side outranks the rest."""

from __future__ import annotations

import pytest

from memdesk.core import ranking
from memdesk.core.conflicts import Conflict, find
from memdesk.core.model import Workspace
from tests.support.stores import STANDARD, manifest
from tests.support.trees import workspace

HOME = "docs/memory"


def there(**files: str) -> Workspace:
    """The standard store with these files: `decisions`, `do_not_use`, or `areas__name`."""
    names = {name.replace("__", "/").replace("_", "-") + ".md": text for name, text in files.items()}
    areas = [name.split("/")[1].removesuffix(".md") for name in names if name.startswith("areas/")]
    content = {**STANDARD, "manifest.md": manifest(areas=areas), **names}
    return workspace({f"{HOME}/{name}": text for name, text in content.items()})


def sides(found: list[Conflict]) -> list[tuple[str, bool, list[tuple[str, int]]]]:
    return [
        (clash.kind, clash.exact, [(side.entry.path.removeprefix(f"{HOME}/"), side.line) for side in clash.sides])
        for clash in found
    ]


def decision(title: str, text: str = "It is so.") -> str:
    return f"## {title}\n\nDecision:\n{text}\n\nReason:\nIt works.\n\n"


def test_one_title_twice_in_one_scope() -> None:
    twice = decision("2026-05-01 - Colours") + decision("2026-06-01: colours", "Other.")
    found = find(there(decisions="# Decisions\n\n" + twice))
    assert sides(found) == [("title", True, [("decisions.md", 3), ("decisions.md", 11)])]


@pytest.mark.parametrize("second", [
    decision("~~2026-06-01 - Colours~~", "Other."),  # struck
    decision("2026-06-01 - Colors", "Other."),  # near, and not the same
    decision("2026-06-01 - Colours", "Other.\n\nScope:\narea:maps"),  # elsewhere
    decision("2026-05-01 - Colours"),  # the same text twice is a duplicate
])  # fmt: skip
def test_what_is_no_conflict(second: str) -> None:
    assert find(there(decisions="# Decisions\n\n" + decision("2026-05-01 - Colours") + second)) == []


def test_versions_that_all_stand_in_one_decision() -> None:
    text = "# Decisions\n\n## API\n\n- REST (2026-01-14)\n- GraphQL (2026-04-22)\n- ~~SOAP (2025-01-01)~~\n"
    (clash,) = find(there(decisions=text))
    assert sides([clash]) == [("versions", True, [("decisions.md", 5), ("decisions.md", 6)])]
    assert (clash.about, len(clash.entries)) == ("API", 1)


def test_an_entry_under_a_tombstone_s_title_but_no_candidate() -> None:
    inbox = "# Inbox\n\n## 2026-11-20\n\n- Cloud sync\n"
    found = find(there(decisions="# Decisions\n\n" + decision("Cloud sync"), inbox=inbox))
    assert sides(found) == [("tombstone", True, [("do-not-use.md", 3), ("decisions.md", 3)])]


def test_exact_ones_come_first_and_an_id_lasts_until_a_text_changes() -> None:
    decisions = "# Decisions\n\n" + decision("Colours") + decision("Colours", "Other.")
    preferences = "# Preferences\n\n## Fonts\n\nLarge.\n\n## Fonts\n\nSmall.\n"
    first = find(there(decisions=decisions, preferences=preferences))
    assert [clash.exact for clash in first] == [True, False]
    moved = find(there(decisions=decisions.replace("# Decisions\n", "# Decisions\n\nAll of them.\n"), preferences=preferences))
    assert [clash.id for clash in moved] == [clash.id for clash in first]
    changed = find(there(decisions=decisions.replace("Other.", "Others."), preferences=preferences))
    assert changed[0].id != first[0].id
    assert changed[1].id == first[1].id


@pytest.mark.parametrize(("files", "wins"), [
    (["decisions.md", "decisions.md"], [False, False]),
    (["do-not-use.md", "decisions.md"], [True, False]),
    (["constraints.md", "do-not-use.md"], [True, False]),
    (["brief.md", "decisions.md", "decisions.md"], [False, True, True]),  # both outrank the note, neither the other
])  # fmt: skip
def test_who_wins_by_rank(files: list[str], wins: list[bool]) -> None:
    entries = {name: there().documents[f"{HOME}/{name}"].entries[0] for name in set(files)}
    assert [side.wins for side in ranking.weigh([entries[name] for name in files])] == wins
