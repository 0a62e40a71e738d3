"""Two versions of a memory merged, and what its entries rank as."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from memdesk.core import layouts, ranking
from memdesk.core.layouts.jonggrang.detect import classify
from memdesk.core.layouts.jonggrang.kept import Features
from memdesk.core.model import Document, Store
from tests.support.merging import merged
from tests.support.stores import FEATURE_SECTIONS, FRAGMENTS, JONGGRANG, feature_memory

STORE = Store("jonggrang", ".jonggrang", "a test", Features())
FEATURE = ".output/features/counts/MEMORY.md"
AT = "2026-05-08T09:30:00Z"
BASE = feature_memory(facts="- Each site sends one file", promotion="- By name\n- By night")


def reader(name: str = FEATURE) -> Callable[[bytes], Document]:
    path = f".jonggrang/{name}"
    place = classify(STORE, path)
    assert place is not None
    return lambda data: Document(path, STORE, place, data, layouts.get("jonggrang").entries)


def both(ours: str, theirs: str, base: str = BASE) -> str:
    return merged(reader(), base, ours, theirs)


def test_lines_that_both_sides_add_stay_ours_first_and_the_newer_day_holds() -> None:
    line = "- Each site sends one file\n"
    ours = BASE.replace(line, line + "- Ours\n").replace(AT, "2026-05-09T10:00:00Z")
    theirs = BASE.replace(line, line + "- Theirs\n").replace(AT, "2026-05-09T10:00:00+02:00")
    expected = BASE.replace(line, line + "- Ours\n- Theirs\n")
    assert both(ours, theirs) == expected.replace(AT, "2026-05-09T10:00:00Z")
    assert both(theirs, ours) == BASE.replace(line, line + "- Theirs\n- Ours\n").replace(AT, "2026-05-09T10:00:00Z")


def test_a_section_that_both_sides_begin() -> None:
    ours, theirs = (BASE.replace("_(none yet)_", f"- {word}", 1) for word in ("Ours", "Theirs"))
    assert both(ours, theirs) == BASE.replace("_(none yet)_", "- Ours\n- Theirs", 1)
    other = BASE.replace("Why\n\n_(none yet)_", "Why\n\n- Theirs")
    assert both(ours, other) == ours.replace("Why\n\n_(none yet)_", "Why\n\n- Theirs")


def test_a_line_that_one_side_promotes_where_the_other_adds() -> None:
    mark = "- By name \u2192 promoted 2026-05-09\n"
    theirs = BASE.replace("- By night\n", "- By night\n- By day\n")
    assert both(BASE.replace("- By name\n", mark), theirs) == theirs.replace("- By name\n", mark)


def test_another_field_and_the_day_change_on_two_sides() -> None:
    ours = BASE.replace(AT, "2026-05-09T10:00:00Z")
    theirs = BASE.replace("[import, csv]", "[import]")
    assert both(ours, theirs) == ours.replace("[import, csv]", "[import]")
    older = theirs.replace(AT, "2026-05-08T11:00:00Z")
    assert both(ours, older) == ours.replace("[import, csv]", "[import]")


@pytest.mark.parametrize("front", ["updated_at: soon", "updated_at:", "tags: []", "updated_at: [a]", "updated_at: 2026-05-10"])
def test_days_that_cannot_be_compared_are_left_to_a_person(front: str) -> None:
    ours = BASE.replace(f"updated_at: {AT}", front)
    theirs = BASE.replace(AT, "2026-05-09T10:00:00Z")
    found = both(ours, theirs)
    if front == "updated_at: 2026-05-10":
        assert found == ours
    else:
        assert "<<<<<<< ours" in found
        assert front in found
        assert "updated_at: 2026-05-09T10:00:00Z" in found


def test_a_file_that_both_sides_began() -> None:
    head = BASE.partition("- Each")[0]
    ours, theirs = (
        feature_memory(facts=f"- {word}", front=f"feature_id: counts\nfeature_name: Spring counts\ntags: [a]\nupdated_at: {at}")
        for word, at in (("Ours", "2026-05-08T10:00:00Z"), ("Theirs", "2026-05-09T10:00:00Z"))
    )
    found = merged(reader(), None, ours, theirs)
    assert "updated_at: 2026-05-09T10:00:00Z" in found.partition("<<<<<<<")[0]
    assert {"- Ours", "- Theirs"} <= set(found.split("\n"))
    assert head.count("## ") == 2


@pytest.mark.parametrize(
    ("section", "rank"), zip(FEATURE_SECTIONS, ("fact", "fact", "note", "note", "note", "note"), strict=True)
)
def test_what_a_feature_learned_is_a_soft_note_and_what_it_states_is_not(section: str, rank: str) -> None:
    text = feature_memory(**{section.split()[0].lower(): "- A"})
    (entry,) = reader()(text.encode()).entries
    assert ranking.kind(entry) == rank
    (inferred,) = reader()(text.replace("- A", "- [inferred] A").encode()).entries
    assert ranking.kind(inferred) == "note"


def test_the_project_s_memory_is_curated_and_what_agents_write_is_not() -> None:
    ranks = {ranking.kind(entry) for entry in reader("MEMORY.md")(str(JONGGRANG["MEMORY.md"]).encode()).entries}
    assert ranks == {"fact"}
    for name in (".output/features/counts/progress.txt", f"{FRAGMENTS}/counts/x.md", ".ephemeral/memory/archive/counts/x.md"):
        assert {ranking.kind(entry) for entry in reader(name)(b"## Facts\n\n- A\n").entries} == {"note"}


def test_a_line_is_the_same_after_its_promotion_and_another_in_another_section() -> None:
    layout = layouts.get("jonggrang")
    names = [
        layout.identity(reader()(feature_memory(**{key: text}).encode()).entries[0])
        for key, text in (("promotion", "- A"), ("promotion", "- A \u2192 promoted 2026-05-09"), ("facts", "- A"))
    ]
    assert names[0] == names[1] != names[2]
