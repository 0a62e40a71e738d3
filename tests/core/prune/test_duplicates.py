"""What is said twice, and what only seems so."""

from __future__ import annotations

import pytest

from tests.support.proposing import proposed, shown
from tests.support.sources import decision, memory
from tests.support.stores import LINT

NOTE = {"m/memory-lint.json": LINT, "m/MEMORY.md": "# Index\n\n- `memory/projects/a.md`: a\n"}


def test_all_copies_of_a_decision_but_the_first_go_to_the_archive_at_once() -> None:
    text = decision("Colours") + decision("Sizes") + decision("Colours") + decision("Colours")
    (one,) = proposed("duplicate", memory(decisions=text, changelog="# Changelog\n"))
    assert (one.verb, one.places, one.proposal.exact) == ("archive", ["decisions.md:19", "decisions.md:27"], True)
    assert one.proposal.title == "Colours"
    assert one.after("decisions.md").count("Colours") == 1
    assert '+- Archived "Colours" from decisions.md: Said twice in decisions.md.' in one.diff
    assert one.drawn.label.startswith("Archive 2 copies: decisions.md ")
    assert one.drawn.label == "Archive 2 copies: decisions.md 82 → 42 of 800 tokens"
    assert dict(one.drawn.frees) == {"docs/memory/decisions.md": 40, "docs/memory/changelog.md": -41}


def test_a_constraint_that_holds_is_struck_and_a_candidate_rejected() -> None:
    twice = "- Runs offline.\n- {} small.\n- Runs offline.\n"
    found = proposed("duplicate", memory(constraints=twice.format("Is"), inbox="## 2026-11-01\n\n" + twice.format("Stays")))
    assert shown(found) == [("strike", ["constraints.md:5"]), ("merge", ["inbox.md:5", "inbox.md:7"])]
    (one,) = proposed("duplicate", memory(inbox="## 2026-11-01\n\n" + twice.format("Stays")))
    assert (one.verb, one.places) == ("reject", ["inbox.md:7"])
    assert "- ~~Runs offline.~~ struck 2026-11-30: Said twice in constraints.md\n" in found[0].after("constraints.md")


def test_a_candidate_that_an_entry_says_already_is_merged_into_it() -> None:
    (one,) = proposed("duplicate", memory(constraints="- Runs  offline.\n", inbox="- [observed] runs offline. (from a.md)\n"))
    assert (one.verb, one.places) == ("merge", ["inbox.md:3"])
    assert [step.path for step in one.drawn.plan.steps] == ["docs/memory/inbox.md"]  # type: ignore[union-attr]
    assert one.drawn.label.startswith("Merge 1 candidate into constraints.md: inbox.md ")


def test_all_copies_of_a_candidate_that_an_entry_says_go_together() -> None:
    inbox = "## 2026-11-02\n\n- Runs offline.\n- Stays.\n\n## 2026-11-01\n\n- Runs  offline.\n- Runs offline.\n- Stays.\n"
    found = proposed("duplicate", memory(constraints="- Runs offline.\n", inbox=inbox))
    assert shown(found) == [("merge", ["inbox.md:5", "inbox.md:10", "inbox.md:11"]), ("reject", ["inbox.md:12"])]


@pytest.mark.parametrize("files", [
    {"constraints": "- Runs offline.\n", "inbox": "- Runs offline. (for: preference)\n"},  # as something else
    {"areas__maps": "# Maps\n\n- Runs offline.\n", "inbox": "- Runs offline.\n"},  # for all of the project
    {"areas__maps": "# Maps\n\n- Runs offline.\n", "areas__mail": "# Mail\n\n- Runs offline.\n"},  # for each area
    {"preferences": "# P\n\n- ~~Runs offline.~~ struck 2026-11-01\n- Runs offline.\n"},  # history
    {"preferences": "# P\n\n## Maps\n\n- Runs offline.\n\n## Mail\n\n- Runs offline.\n"},  # of two things
    {"changelog": "# Changelog\n\n- Began.\n- Began.\n"},  # it happened twice
    {"constraints": "- Runs offline.\n", "do_not_use": "## Tombstone: Runs offline.\n\nReason: no.\n"},
])  # fmt: skip
def test_what_is_no_copy(files: dict[str, str]) -> None:
    assert proposed("duplicate", memory(**files)) == []


def test_notes_of_several_days_may_say_the_same_and_so_may_the_files_of_two_people() -> None:
    line = "- [observed] The relay drops mail (2026-10-01, from the log)\n"
    files = {f"m/memory/2026-11-0{day}.md": f"# Day\n\n{line}{line}" for day in (1, 2)}
    own = line.replace("[observed] The relay drops", "[stated] Sorts the")
    files |= {f"m/memory/people/{name}.md": f"# {name}\n\n{own}" for name in ("ada", "bo")}
    assert proposed("duplicate", NOTE, files, near=True) == []
    assert proposed("near-duplicate", NOTE, files, near=True) == []


def test_a_line_of_a_durable_file_is_struck_and_a_note_of_what_it_says_points_at_it() -> None:
    line = "- [stated] The relay drops mail (2026-10-01, from the log)\n"
    files = {"m/memory/projects/a.md": f"# A\n\n{line}{line}"}
    files["m/memory/2026-11-01.md"] = "# D\n\n- [observed] the relay drops mail\n"
    (merged,), (struck,) = (proposed(kind, NOTE, files) for kind in ("near-duplicate", "duplicate"))
    assert shown([merged, struck]) == [("merge", ["2026-11-01.md:3"]), ("strike", ["a.md:4"])]
    assert (merged.proposal.exact, struck.proposal.exact) == (False, True), "whether the note is about it, a person knows"
    assert "+- [observed] the relay drops mail → memory/projects/a.md\n" in merged.diff
    assert "(2026-10-01, from the log)~~ struck 2026-11-30: Said twice in memory/projects/a.md\n" in struck.diff


def test_an_equal_text_in_another_place_of_one_scope_is_only_possible() -> None:
    files = memory(preferences="# P\n\n- The relay drops old mail.\n", constraints="- The relay drops old mail.\n")
    (one,) = proposed("near-duplicate", files, near=True)
    assert (one.verb, one.places, one.proposal.exact) == ("archive", ["preferences.md:3"], False)
