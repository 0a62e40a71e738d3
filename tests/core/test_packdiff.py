"""What packs gain and lose from one workspace to another, entry by entry."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date

import pytest

from memdesk.core.errors import StoreError, UsageError
from memdesk.core.layouts.base import LoadRequest
from memdesk.core.packdiff import Difference, RouteChange, Seen, compare
from tests.support.editing import example
from tests.support.sources import decision, memory
from tests.support.stores import CATEGORIES, manifest
from tests.support.trees import workspace

HOME = "docs/memory"
Files = Mapping[str, str]


SAID = {
    "One": "Sites are listed by name, north first.",
    "Two": "Counts go into files, never elsewhere.",
    "New": "Volunteers may sign in by letter.",
    "Three": "Maps show rivers and no roads.",
    "Four": "Owls count double at night.",
    "Five": "Each printed page ends with thanks.",
    "A": "a b c d", "B": "e f g h", "C": "i j k l", "D": "m n o p", "E": "q r s t",
}


def between(before: Files, after: Files, task: str = "history") -> Difference:
    """The difference of one task or module."""
    (found,) = [one for one in compare(workspace(before), workspace(after)) if (one.module or one.task) == task]
    return found


def heads(seen: tuple[Seen, ...]) -> list[str]:
    return [one.heading for one in seen]


def titled(*titles: str, budget: int | None = None, **more: str) -> dict[str, str]:
    """A store with these decisions, each of 22 to 25 tokens behind a title of 2."""
    files = memory(decisions="".join(decision(title, SAID[title]) for title in titles), **more)
    if budget is not None:
        areas = [name.removeprefix("areas__") for name in more if name.startswith("areas__")]
        files[f"{HOME}/manifest.md"] = manifest(budgets=[f"decisions.md: {budget} tokens max"], areas=areas)
    return files


def test_of_a_comparison_that_is_called_off_there_is_what_was_compared_until_then() -> None:
    before, after = workspace(titled("One", areas__maps="# Maps\n\n- Vectors.\n")), workspace(titled("One", "Two"))
    whole = compare(before, after)
    assert len(whole) == 8
    # It is asked before the tasks of each side, before each of the seven, and the same with the one module.
    for most, made in enumerate([0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 7, 7, 8]):
        answers = iter([False] * most)
        assert compare(before, after, stopped=lambda answers=answers: next(answers, True)) == whole[:made], most


def test_nothing_differs_from_itself() -> None:
    files = titled("One", "Two", areas__maps="# Maps\n\n- Vectors.\n")
    found = compare(workspace(files), workspace(files))
    assert [one.module or one.task for one in found] == [
        "planning", "implementation", "artifact", "preferences", "history", "maintenance", "general", "area:maps",
    ]
    assert all(one == Difference(one.store, one.task, one.module, one.tokens_before, one.tokens_before) for one in found)


def test_what_comes_and_goes_is_gained_and_lost_with_its_place_and_tokens() -> None:
    one = between(titled("One", "Two"), titled("New", "One"))
    text = decision("New", SAID["New"]).strip()
    assert one.gained == (Seen(f"{HOME}/decisions.md", 3, "2026-02-01 - New", 23, text, one.gained[0].id),)
    assert one.gained[0].id.startswith(f"{HOME}/decisions.md#")
    assert [(seen.heading, seen.line) for seen in one.lost] == [("2026-02-01 - Two", 11)]
    assert one.changed + one.moved + one.framing + one.routes == ()
    assert (one.tokens_before, one.tokens_after) == (6 + 2 + 25 + 24, 6 + 2 + 23 + 25)


def test_an_edit_is_a_change_of_one_entry() -> None:
    before = memory(decisions=decision("One") + decision("Two", "Counts are kept as CSV files."))
    after = memory(decisions=decision("One") + decision("Two", "Counts are kept as SQLite files."))
    one = between(before, after)
    assert [(pair.before.line, pair.after.line) for pair in one.changed] == [(11, 11)]
    assert "SQLite" in one.changed[0].after.text
    assert not one.gained
    assert not one.lost


def test_a_strike_is_a_change_and_a_retitled_entry_too() -> None:
    before = memory(constraints="- Runs without a network connection.\n- Keeps a copy of each count.\n")
    after = memory(constraints="- ~~Runs without a network connection.~~\n- Keeps two copies of each count.\n")
    one = between(before, after, "implementation")
    assert [pair.after.line for pair in one.changed] == [3, 4]


def test_a_bullet_between_two_files_of_one_pack_is_moved_and_else_lost_or_gained() -> None:
    before = memory(constraints="- Never deletes a count.\n")
    after = memory(preferences="# Preferences\n\n- Never deletes a count.\n")
    whole = between(before, after, "maintenance")
    (pair,) = whole.moved
    assert (pair.before.path, pair.after.path) == (f"{HOME}/constraints.md", f"{HOME}/preferences.md")
    assert not whole.gained
    assert not whole.lost
    assert heads(between(before, after, "implementation").lost) == ["Never deletes a count."]
    assert heads(between(before, after, "planning").gained) == ["Never deletes a count."]


def test_a_few_that_stand_elsewhere_are_moved_and_not_the_rest() -> None:
    one = between(titled("A", "B", "C", "D", "E"), titled("E", "A", "B", "C", "D"))
    assert [(pair.before.heading, pair.before.line, pair.after.line) for pair in one.moved] == [("2026-02-01 - E", 35, 3)]
    assert not one.changed
    assert not one.framing


def test_twins_are_counted() -> None:
    one = between(memory(constraints="- Keep it.\n- Keep it.\n"), memory(constraints="- Keep it.\n"), "implementation")
    assert heads(one.lost) == ["Keep it."]
    assert not one.moved


def test_what_a_tighter_budget_takes_out_is_newly_omitted() -> None:
    one = between(titled("One", "Two", budget=51), titled("One", "Two", budget=50))
    assert heads(one.newly_omitted) == ["2026-02-01 - Two"]
    assert not one.lost
    assert one.framing == (
        f"{HOME}/decisions.md: 1 omitted over the budget of 50 tokens; before: nothing omitted",
    )
    back = between(titled("One", "Two", budget=50), titled("One", "Two", budget=51))
    assert heads(back.no_longer_omitted) == ["2026-02-01 - Two"]
    assert not back.gained


def test_what_a_new_entry_pushes_out_is_newly_omitted_and_the_new_one_gained() -> None:
    one = between(titled("One", "Two", budget=51), titled("New", "One", "Two", budget=51))
    assert (heads(one.gained), heads(one.newly_omitted), one.lost) == (["2026-02-01 - New"], ["2026-02-01 - Two"], ())


def test_what_is_new_and_over_the_budget_at_once_is_newly_omitted_and_not_gained() -> None:
    one = between(titled("One", "Two", budget=51), titled("One", "Two", "Three", budget=51))
    assert (heads(one.newly_omitted), one.gained) == (["2026-02-01 - Three"], ())


def test_what_is_omitted_and_changes_or_goes_is_read_by_nobody() -> None:
    before = titled("One", "Two", "Three", "Four", budget=51)
    reworded = {
        path: text.replace("rivers and no", "roads and no") for path, text in before.items()}
    assert reworded != before
    assert between(before, reworded).empty
    swapped = between(before, titled("One", "Two", "Three", "Five", budget=51))
    assert swapped.empty
    assert swapped.notes == (
        f"{HOME}/decisions.md:27: 2026-02-01 - Five is new and omitted, as 2026-02-01 - Four was, which is gone",
    )
    gone = between(before, titled("One", "Two", "Three", budget=51))
    assert not gone.lost
    assert not gone.no_longer_omitted
    assert gone.framing == (
        f"{HOME}/decisions.md: 1 omitted over the budget of 51 tokens; before: 2 omitted over the budget of 51 tokens",
    )


def test_a_budget_that_changes_nothing_is_a_note() -> None:
    one = between(titled("One", budget=60), titled("One", budget=50))
    assert one.empty
    assert one.notes == (f"{HOME}/decisions.md: its budget is 50 tokens, before 60 tokens",)


def test_line_endings_change_nothing_and_blank_lines_are_said_as_such() -> None:
    files = titled("One", "Two")
    path = f"{HOME}/decisions.md"
    assert between(files, {**files, path: files[path].replace("\n", "\r\n")}).empty
    one = between(files, {**files, path: files[path].replace("\n\n## 2026-02-01 - Two", "\n\n\n## 2026-02-01 - Two")})
    assert one.framing == (f"{path}: blank lines differ, or where the text outside its entries stands",)
    assert not one.changed


def test_the_text_outside_entries_is_one_change() -> None:
    files = titled("One")
    path = f"{HOME}/decisions.md"
    one = between(files, {**files, path: files[path].replace("# Decisions", "# What was decided")})
    assert [(pair.after.heading, pair.after.whole, pair.after.id) for pair in one.changed] == [("What was decided", False, "")]


def test_the_text_outside_goes_by_its_title_behind_front_matter_too() -> None:
    files = titled("One")
    path = f"{HOME}/decisions.md"
    one = between(files, {**files, path: f"---\nkept: by hand\n---\n\n{files[path]}"})
    assert [(pair.after.heading, pair.after.line) for pair in one.changed] == [("Decisions", 5)]


def test_files_that_load_or_no_longer_load_come_with_the_reason() -> None:
    before = titled("One")
    after = {**before, f"{HOME}/changelog.md": "# Changelog\n\n- 2026-02-03: One was decided.\n"}
    one = between(before, after)
    assert one.files_added == (f"{HOME}/changelog.md",)
    assert heads(one.gained) == ["2026-02-03: One was decided."]  # its title the file's name says
    assert [route for route in one.routes if route.after and route.after.startswith("loads")] == [
        RouteChange(f"{HOME}/changelog.md", None, "loads: task history"),
    ]
    back = between(after, before)
    assert back.files_removed == (f"{HOME}/changelog.md",)
    assert [route.after for route in back.routes] == [None]


def test_a_route_of_another_order_is_said() -> None:
    heading, files = "Implementation / execution / debugging", ("decisions.md", "constraints.md", "do-not-use.md")
    texts = []
    for named in (files, (*files[1:], files[0])):
        rows = [(heading, named, ()) if row[0] == heading else row for row in CATEGORIES]
        texts.append({**memory(), f"{HOME}/manifest.md": manifest(categories=rows)})
    one = between(texts[0], texts[1], "implementation")
    assert one.reordered == (f"{HOME}/decisions.md",)
    assert not one.empty
    assert not one.moved


def test_a_module_that_has_another_name_is_lost_and_gained_and_says_so() -> None:
    area = "# Maps\n\n- Vectors.\n- No tiles.\n"
    found = compare(workspace(memory(areas__maps=area)), workspace(memory(areas__charts=area)))
    new, old = found[-2:]
    assert (new.module, heads(new.gained), new.tokens_before) == ("area:charts", ["Vectors.", "No tiles."], 0)
    assert (old.module, heads(old.lost), old.tokens_after) == ("area:maps", ["Vectors.", "No tiles."], 0)
    assert new.notes == ("2 of its 2 entries were in area:maps, which is gone",)
    assert old.notes == ("2 of its 2 entries are in area:charts now, which is new",)
    assert all(one.empty for one in found[:-2])


def test_paths_by_which_a_module_loads_are_a_note_of_it() -> None:
    row = "- `areas/maps.md`: for maps\n  - activation: path\n  - paths: "
    rows = [f"{row}`{glob}`" for glob in ("src/maps/**", "lib/*.py")]
    files = memory(areas__maps="# Maps\n\n- Vectors.\n")
    before, after = ({**files, f"{HOME}/manifest.md": manifest(version="0.7", areas=[row])} for row in rows)
    one = between(before, after, "area:maps")
    assert one.empty
    assert one.notes == ("the paths for which it loads by itself: lib/*.py; before: src/maps/**",)


def test_a_required_file_that_is_gone_makes_the_pack_incomplete() -> None:
    files = memory()
    one = between(files, {path: text for path, text in files.items() if not path.endswith("constraints.md")}, "implementation")
    assert one.incomplete
    assert one.files_removed == (f"{HOME}/constraints.md",)
    assert one.framing == (f"now: lacks {HOME}/constraints.md: task implementation: there is no such file",)


def test_a_side_that_cannot_be_routed_has_no_pack_and_the_other_tasks_have_theirs() -> None:
    files = titled("One")
    path = f"{HOME}/manifest.md"
    broken = {**files, path: files[path].replace("### Change history / recap", "### Something else")}
    found = compare(workspace(files), workspace(broken), names=("main", "here"))
    tasks = {one.task: one for one in found}
    assert list(tasks) == ["planning", "implementation", "artifact", "preferences", "history", "maintenance", "general"]
    assert [failure for one in found for failure in one.failures] == list(tasks["history"].failures)
    assert tasks["history"].failures[0].startswith(f"here: {path}:1: There is no section")
    assert heads(tasks["history"].lost) == ["It counts birds.", "2026-02-01 - One"]
    assert tasks["planning"].empty
    back = {one.task: one for one in compare(workspace(broken), workspace(files))}
    assert heads(back["history"].gained) == ["It counts birds.", "2026-02-01 - One"]
    assert back["history"].failures[0].startswith("before: ")


def test_a_store_of_one_side_is_gained_or_lost_as_a_whole() -> None:
    files, other = titled("One"), memory("pkg/docs/memory", decisions=decision("Two"))
    found = compare(workspace(files), workspace({**files, **other}))
    new = [one for one in found if one.store == "pkg/docs/memory"]
    assert [one.task for one in new] == [one.task for one in found if one.store == HOME]
    assert heads(new[4].gained) == ["It counts birds.", "2026-02-01 - Two"]
    gone = [one for one in compare(workspace({**files, **other}), workspace(files)) if one.store == "pkg/docs/memory"]
    assert [heads(one.lost) for one in gone] == [heads(one.gained) for one in new]
    assert {(one.tokens_after, one.incomplete) for one in gone} == {(0, False)}
    only = compare(workspace({**files, **other}), workspace(files), store="pkg/docs/memory")
    assert only == gone
    with pytest.raises(UsageError, match="no store at 'elsewhere'"):
        compare(workspace(files), workspace(other), store="elsewhere")


def test_one_request_alone_is_compared_for_what_it_asks() -> None:
    before = memory(areas__maps="# Maps\n\n- Vectors.\n")
    after = memory(areas__maps="# Maps\n\n- Tiles.\n")
    request = LoadRequest("planning", areas=("maps",))
    (one,) = compare(workspace(before), workspace(after), request)
    assert (one.task, heads(one.gained), heads(one.lost)) == ("planning", ["Tiles."], ["Vectors."])
    (gone,) = compare(workspace(before), workspace(memory()), request)
    assert gone.incomplete
    assert "area maps does not exist" in gone.framing[0]
    with pytest.raises(UsageError, match="Unknown task 'plan'"):
        compare(workspace(before), workspace(after), LoadRequest("plan"))
    broken = {**before, f"{HOME}/manifest.md": "# Manifest\n"}
    with pytest.raises(StoreError, match="no section `## Always load`"):
        compare(workspace(broken), workspace(broken), request)


def test_what_loads_by_its_date_loads_on_the_same_day_on_both_sides() -> None:
    files = example("tiers")
    path = next(path for path in files if "/log/" in path).rpartition("/")[0] + "/2026-11-30.md"
    sides = workspace(files), workspace({**files, path: b"# 2026-11-30\n\n- 09:00 It snowed.\n"})
    (one,) = compare(*sides, today=date(2026, 11, 30))
    assert heads(one.gained) == ["09:00 It snowed."]
    (other,) = compare(*sides, today=date(2026, 12, 24))
    assert other.empty


def test_values_are_masked_in_headings_and_exact_in_texts() -> None:
    secret = "ghp_" + "a1B2" * 9
    one = between(memory(), memory(constraints=f"- The token is {secret} for now.\n"), "implementation")
    assert secret not in one.gained[0].heading
    assert secret in one.gained[0].text
