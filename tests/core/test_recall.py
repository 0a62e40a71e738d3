"""Recall: what answers a query, whole and with its history; what must be said first; what was left out, and why."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date

import pytest

from memdesk.core.errors import UsageError
from memdesk.core.recall import NAMED, Bounds, Recall, freshness, recall
from tests.support.stores import STANDARD, manifest
from tests.support.trees import workspace

HOME = "docs/memory"
TODAY = date(2026, 11, 30)
WIDE = Bounds(100, 1_000_000)

VERSIONS = """# Decisions

## 2026-08-19 - The public API is tRPC

Decision:
[stated] Clients call typed procedures.

Reason:
From the architecture review.

## ~~2026-04-22 - The public API is GraphQL~~

Superseded: 2026-08-19 by "The public API is tRPC"

Decision:
[stated] Clients send queries.

Reason:
From the client meeting.

## ~~2026-01-14 - The public API is REST~~

Superseded: 2026-04-22 by "The public API is GraphQL"

Decision:
[stated] Clients fetch resources.

Reason:
From the platform kickoff.
"""
STANDING_ALL = """# Decisions

## 2026-08-19 - Public API

Decision:
tRPC

Reason:
The review.

## 2026-04-22 - Public API

Decision:
GraphQL

Reason:
The meeting.

## 2026-01-14 - Public API

Decision:
REST

Reason:
The kickoff.
"""
FAST = "".join(
    f"\n## 2026-06-{day:02} - Fast look-ups {day}\n\nDecision:\nLook-ups for sessions are fast, fast, fast: look-ups {day}.\n\n"
    "Reason:\nSpeed.\n"
    for day in range(1, 9)
)
SQLITE = (
    "# Do not use\n\n## Tombstone: SQLite for session storage\n\n"
    "Do not reintroduce this unless the user explicitly reverses it. Reason: it locks on network shares, and the volunteers"
    " keep their counts there. Date: 2026-04-11.\n"
)


def asked(
    query: str, files: Mapping[str, str | bytes] | None = None, bounds: Bounds = WIDE, other: Mapping[str, str] | None = None,
) -> Recall:
    """The recall from the standard store with `files` (names in the store) over it, and `other` files of the workspace."""
    modules: dict[str, list[str]] = {"areas": [], "rules": [], "profiles": []}
    for name in files or {}:
        kind, slash, module = name.partition("/")
        if slash and kind in modules:
            modules[kind].append(module.removesuffix(".md"))
    content = {**STANDARD, "manifest.md": manifest(**modules), **(files or {})}  # type: ignore[arg-type]
    return recall(
        workspace({**{f"{HOME}/{name}": text for name, text in content.items()}, **(other or {})}), query, today=TODAY,
        bounds=bounds,
    )


def headings(made: Recall) -> list[str]:
    return [source.entry.heading for source in made.sources]


def left(made: Recall) -> list[tuple[str, str]]:
    return [(item.entry.heading, item.reason) for item in made.left_out]


def test_three_versions_of_a_decision_answer_with_the_current_one_and_its_history() -> None:
    made = asked("current public API", {"decisions.md": VERSIONS}, Bounds())
    (source,) = made.sources
    assert source.entry.heading == "2026-08-19 - The public API is tRPC"
    assert (source.entry.path, source.entry.line, source.entry.date) == (f"{HOME}/decisions.md", 3, "2026-08-19")
    assert (source.freshness, source.entry.struck) == ("current", False)
    assert [(past.line, past.date) for past in source.history] == [(11, "2026-04-22"), (21, "2026-01-14")]
    assert all(past.struck for past in source.history)
    assert "GraphQL" in source.history[0].text
    assert "REST" in source.history[1].text
    assert made.conflicts == ()
    assert made.left_out == ()


BULLETS = (
    "# Routes\n\n- ~~[stated] The public API is REST (2026-01-14, from the kickoff)~~ superseded 2026-04-22\n"
    "- ~~[stated] The public API is GraphQL (2026-04-22, from the meeting)~~ superseded 2026-08-19\n"
    "- [stated] The public API is tRPC (2026-08-19, from the architecture review)\n"
)


def test_versions_written_as_bullets_answer_with_tag_date_and_line() -> None:
    (source,) = asked("current public API", {"areas/routes.md": BULLETS}).sources
    assert (source.entry.line, source.entry.tag, source.entry.date) == (5, "stated", "2026-08-19")
    assert [(past.line, "REST" in past.text) for past in source.history] == [(3, True), (4, False)]
    standing = BULLETS.replace("~~", "").replace(" superseded 2026-04-22", "").replace(" superseded 2026-08-19", "")
    assert len(asked("current public API", {"areas/routes.md": standing}).sources) == 3


def test_a_query_that_only_the_struck_text_answers_finds_the_current_one() -> None:
    made = asked("platform kickoff", {"decisions.md": VERSIONS})
    assert headings(made) == ["2026-08-19 - The public API is tRPC"]
    assert len(made.sources[0].history) == 2


def test_versions_that_all_stand_are_a_conflict_with_all_sides_and_none_is_picked() -> None:
    made = asked("public API", {"decisions.md": STANDING_ALL}, Bounds(max_sources=1))
    named = {side.entry.line for clash in made.conflicts for side in clash.sides}
    assert named == {3, 11, 19}, "also those that are not returned"
    assert all(clash.exact for clash in made.conflicts)


def test_a_conflict_is_named_where_any_side_matches() -> None:
    assert asked("kickoff", {"decisions.md": STANDING_ALL}).conflicts
    assert not asked("sites", {"decisions.md": STANDING_ALL}).conflicts


def test_a_tombstone_that_ranks_low_is_named_among_what_binds() -> None:
    made = asked(
        "fast look-ups for sessions", {"decisions.md": f"# Decisions\n{FAST}", "do-not-use.md": SQLITE}, Bounds()
    )
    assert [entry.heading for entry in made.binding] == ["Tombstone: SQLite for session storage"]
    assert len(made.sources) == 5
    assert not any("SQLite" in source.entry.text for source in made.sources)


def test_what_is_returned_is_not_named_as_binding_again_and_struck_entries_bind_nobody() -> None:
    made = asked("SQLite sessions", {"do-not-use.md": SQLITE})
    assert headings(made) == ["Tombstone: SQLite for session storage"]
    assert made.binding == ()
    title = "Tombstone: SQLite for session storage"
    struck = SQLITE.replace(title, f"~~{title}~~\n\nStruck: 2026-06-01.")
    made = asked("SQLite sessions", {"do-not-use.md": struck}, Bounds(max_chars=1))
    assert made.binding == ()
    assert len(made.left_out) == 1


def test_constraints_come_before_tombstones_among_what_binds() -> None:
    made = asked(
        "sessions", {"do-not-use.md": SQLITE, "constraints.md": "# Constraints\n\n- Sessions stay on the machine.\n"},
        Bounds(max_chars=1),
    )
    assert [entry.role for entry in made.binding] == ["constraints", "do-not-use"]


def test_a_struck_entry_that_nothing_replaced_is_a_source_of_its_own() -> None:
    text = "# Decisions\n\n## ~~2026-04-01 - Counts in XML~~\n\nStruck: 2026-06-01. Nobody reads it.\n\nDecision:\nXML.\n"
    made = asked("XML counts", {"decisions.md": text})
    source = next(source for source in made.sources if "XML" in source.entry.text)
    assert source.entry.struck
    assert source.history == ()


def test_struck_entries_that_name_each_other_lose_nothing() -> None:
    text = (
        '# Decisions\n\n## ~~Red~~\n\nSuperseded: 2026-04-22 by "Blue"\n\nDecision:\nred zebra\n\n'
        '## ~~Blue~~\n\nSuperseded: 2026-04-23 by "Red"\n\nDecision:\nblue zebra\n'
    )
    made = asked("zebra", {"decisions.md": text})
    assert [(source.entry.heading, [past.heading for past in source.history]) for source in made.sources] == [("Blue", ["Red"])]


def test_an_inbox_and_pointers_are_no_evidence_and_archived_matches_are_named() -> None:
    files = {
        "inbox.md": "# Inbox\n\n## 2026-11-20\n\n- [observed] A zebra was seen\n",
        "archive/2025.md": "# 2025\n\n## Zebra crossing\n\nDecision:\nIt was painted.\n",
        "brief.md": "# Brief\n\nThe zebra project.\n",
        "changelog.md": "# Changelog\n\n- 2026-06-01: zebra added\n",
    }
    made = asked("zebra", files)
    assert {source.entry.path for source in made.sources} == {f"{HOME}/brief.md", f"{HOME}/changelog.md"}
    assert left(made) == [("Zebra crossing", "archived")]


@pytest.mark.parametrize(("bounds", "returned", "reasons"), [
    (Bounds(2, 1000), [0, 1], ["beyond the first 2 sources"]),
    (Bounds(5, 45), [0, 2], ["it would not fit: 20 + 30 of 45 characters"]),  # the next smaller one still fits
    (Bounds(5, 60), [0, 1, 2], []),
    (Bounds(5, 59), [0, 1], ["it would not fit: 50 + 10 of 59 characters"]),
    (Bounds(5, 5), [], [
        "it would not fit: 0 + 20 of 5 characters", "it would not fit: 0 + 30 of 5 characters",
        "it would not fit: 0 + 10 of 5 characters",
    ]),
])  # fmt: skip
def test_bounds_leave_out_whole_entries_and_name_them(bounds: Bounds, returned: list[int], reasons: list[str]) -> None:
    bullets = ["- zebra zebra zebra.", "- zebra zebra one two three 4.", "- zebra 5."]
    assert [len(bullet) for bullet in bullets] == [20, 30, 10]
    files = {"constraints.md": "# Constraints\n\n" + "\n".join(bullets) + "\n"}
    assert [source.entry.text for source in asked("zebra", files).sources] == bullets
    made = asked("zebra", files, bounds)
    assert [bullets.index(source.entry.text) for source in made.sources] == returned
    assert [item.reason for item in made.left_out] == reasons


def test_characters_are_code_points_and_history_counts() -> None:
    made = asked("public API", {"decisions.md": VERSIONS})
    whole = made.chars
    assert whole == sum(len(entry.text) for source in made.sources for entry in (source.entry, *source.history))
    assert asked("public API", {"decisions.md": VERSIONS}, Bounds(5, whole)).sources
    tight = asked("public API", {"decisions.md": VERSIONS}, Bounds(5, whole - 1))
    assert tight.sources == ()
    assert [item.chars for item in tight.left_out] == [whole], "a history is never cut off its line"


def test_of_very_many_matches_the_number_is_told() -> None:
    bullets = "".join(f"- zebra {number}\n" for number in range(NAMED + 20))
    made = asked("zebra", {"constraints.md": f"# Constraints\n\n{bullets}"}, Bounds(5, 2000))
    assert (len(made.sources), len(made.left_out), made.more) == (5, NAMED, 15)
    assert len(made.binding) == NAMED + 15, "what binds is always named"


def test_ties_go_to_the_narrowest_file() -> None:
    line = "- The zebra sleeps.\n"
    made = asked("zebra", {
        "constraints.md": f"# C\n\n{line}", "preferences.md": f"# P\n\nLong words to fill.\n\n{line}",
        "areas/stable.md": f"# S\n\n{line}", "rules/a/deep.md": f"# D\n\n{line}",
    })
    paths = [source.entry.path.removeprefix(f"{HOME}/") for source in made.sources]
    assert paths == ["rules/a/deep.md", "areas/stable.md", "constraints.md", "preferences.md"]


def test_the_headings_above_and_the_file_s_name_count_but_not_the_kind_of_file() -> None:
    files = {"areas/stable.md": "# Where horses live\n\n- One lamp.\n", "constraints.md": "# Constraints\n\n- Two lamps.\n"}
    assert headings(asked("stable", files)) == ["One lamp."]
    assert headings(asked("horse", files)) == ["One lamp."]
    assert not asked("constraint", files).found


def test_several_stores_all_answer() -> None:
    other = {f"docs/other/{name}": text for name, text in {**STANDARD, "manifest.md": manifest()}.items()}
    other["docs/other/brief.md"] = "# Brief\n\nA zebra here too.\n"
    made = asked("zebra", {"brief.md": "# Brief\n\nA zebra.\n"}, other=other)
    assert {source.entry.store for source in made.sources} == {HOME, "docs/other"}


@pytest.mark.parametrize(("day", "state"), [
    ("2026-11-30", "current"), ("2026-06-03", "current"), ("2026-06-02", "stale"), ("1999-01-01", "stale"), (None, "unknown"),
    ("2026-12-01", "current"), ("2026-12-02", "unknown"), ("9999-12-31", "unknown"),
])  # fmt: skip
def test_freshness(day: str | None, state: str) -> None:
    assert freshness(day, TODAY, 180) == state


def test_the_standing_line_says_what_notes_are_worth_where_there_are_some() -> None:
    files = {"changelog.md": "# Changelog\n\n- 2026-06-01: zebra added\n", "constraints.md": "# Constraints\n\n- No zebras.\n"}
    both = asked("zebra", files)
    assert [line.split(":")[0] for line in both.standing] == ["Project memory", "Soft notes"]
    assert [line.split(":")[0] for line in asked("added", files).standing] == ["Soft notes"]
    assert [line.split(":")[0] for line in asked("nothing like it", files).standing] == ["Project memory"]


def test_the_settings_wording_of_the_standing_line() -> None:
    there = workspace({f"{HOME}/{name}": text for name, text in {**STANDARD, "manifest.md": manifest()}.items()})
    made = recall(there, "network", today=TODAY, standing={"memory": "Ours.", "notes": "Theirs."})
    assert made.standing == ("Ours.",)


@pytest.mark.parametrize("query", ["", "  \n", "what is the", "!?"])
def test_a_query_without_a_word_to_look_for_is_refused(query: str) -> None:
    with pytest.raises(UsageError):
        asked(query)


@pytest.mark.parametrize("brief", ["# Brief\n\nPlover counts birds.\n", "# Brief\n\nPlover counts birds, naïvely.\n"])
def test_what_is_found_is_the_same_whatever_was_asked_before(brief: str) -> None:
    from weakref import WeakKeyDictionary

    there = workspace({
        f"{HOME}/{name}": text for name, text in {**STANDARD, "brief.md": brief, "manifest.md": manifest()}.items()
    })
    kept: WeakKeyDictionary = WeakKeyDictionary()  # type: ignore[type-arg]
    for query in ("network", "Counts", "site count", "naïvely", "network", "birds"):
        assert recall(there, query, today=TODAY, kept=kept) == recall(there, query, today=TODAY), query
    assert recall(there, "counts", today=TODAY, kept=kept).found
