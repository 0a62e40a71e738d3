"""The Conflicts pane: the list, the sides beside each other, who wins, and every way to settle it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from memdesk.core.blame import Blame
from memdesk.core.clock import clock
from memdesk.core.desk import Desk
from memdesk.tui.app import Workbench
from memdesk.tui.dialogs.verdict import Verdict
from memdesk.tui.panes import conflict_rows
from memdesk.tui.panes.conflict_marks import Answer, Part, files, request
from memdesk.tui.panes.conflict_rows import Clash, Head
from memdesk.tui.panes.conflicts import ConflictsPane
from tests.support.benches import bench
from tests.support.clashing import clashing, unmerged
from tests.support.pilots import play, press, screen_text, settle, toasts, type_
from tests.support.stores import MEMORY, custodian_store, git, put


def pane_of(app: Workbench) -> ConflictsPane:
    assert isinstance(app.pane, ConflictsPane)
    return app.pane


def listed(pane: ConflictsPane) -> list[str]:
    """The list in short: headings, kinds with names, entries with their answer."""
    found = []
    for row in pane.lines.rows:
        item = row.item
        if isinstance(item, Head):
            found.append(f"{item.glyph} {item.title}")
        elif isinstance(item, Clash):
            found.append(f"{item.conflict.kind}: {item.name}")
        elif isinstance(item, Part):
            found.append(f"{item.title}: {'open' if item.answer is None else item.answer.word}")
        else:
            found.append(f"{item.path}: {item.problem}")
    return found


def offered(pane: ConflictsPane) -> dict[str, str]:
    return pane.situation().offered  # type: ignore[return-value]


def test_exact_before_possible_and_the_sides_say_what_they_are(tmp_path: Path) -> None:
    clashing(tmp_path)
    app = bench(tmp_path, "conflicts")

    async def script(pilot: Pilot[Any]) -> None:
        pane = pane_of(app)
        assert listed(pane) == [
            "✕ Exact", "title: Store counts as CSV", "tombstone: Cloud sync", "? Possible", "title: Tone",
        ]
        assert pane.count == 3
        assert "[3 Conflicts 3]" in screen_text(app)
        assert pane.spot == (f"{MEMORY}/decisions.md", 11)
        shown = pane.reading.plain
        assert "✕ exact · title · the title 'Store counts as CSV' stands twice in one scope" in shown
        assert "= No side wins by its rank: a person has to settle it." in shown
        assert f"{MEMORY}/decisions.md:22" in shown
        assert "rank 3, decision · 2026-03-14" in shown
        assert shown.count("by Test Person, 2026-11-02, " + git(tmp_path, "rev-parse", "HEAD")[:9]) == 2
        beside = next(line for line in screen_text(app).split("\n") if "decisions.md:11  " in line)
        assert "decisions.md:22" in beside, "side by side"
        await press(pilot, "j")
        assert "✓ do-not-use.md:3 wins: tombstone: rank 3, before decision within it." in pane.reading.plain
        assert "✓ wins · rank 3, tombstone · 2026-04-11" in pane.reading.plain

    play(app, script)


@pytest.mark.slow
def test_words_that_differ_are_marked_in_any_theme(tmp_path: Path) -> None:
    clashing(tmp_path)
    app = bench(tmp_path, "conflicts")

    async def script(pilot: Pilot[Any]) -> None:
        def marked() -> list[str]:
            strips = app.screen._compositor.render_strips()
            return [
                segment.text.strip() for strip in strips for segment in strip
                if segment.style is not None and (segment.style.underline or segment.style.reverse) and segment.text.strip()
            ]

        assert {"05", "02", "Volunteers open them in a"} < set(marked())
        for _ in range(4):
            await press(pilot, "ctrl+t")
            assert "Volunteers open them in a" in marked(), app.theme

    play(app, script)


@pytest.mark.slow
@pytest.mark.parametrize(("size", "beside"), [((100, 30), True), ((99, 30), False), ((40, 12), False)])
def test_sides_stand_below_each_other_where_it_is_narrow(tmp_path: Path, size: tuple[int, int], beside: bool) -> None:
    clashing(tmp_path)
    app = bench(tmp_path, "conflicts")

    async def script(pilot: Pilot[Any]) -> None:
        pane = pane_of(app)
        await press(pilot, "enter")
        assert pane.reading.has_focus
        assert pane.reading.beside is beside
        await press(pilot, "G")
        assert ("Queries over all sites." in screen_text(app)) or size[0] == 40
        await press(pilot, "escape")
        assert pane.lines.has_focus

    play(app, script, size)


@pytest.mark.slow
def test_a_click_and_the_keys_choose_the_side_that_is_spoken_of(tmp_path: Path) -> None:
    clashing(tmp_path)
    app = bench(tmp_path, "conflicts")

    async def script(pilot: Pilot[Any]) -> None:
        pane = pane_of(app)
        assert "Keep decisions.md:11, strike the other (x: the other side)" in pane.options.plain
        await press(pilot, "x")
        assert pane.spot == (f"{MEMORY}/decisions.md", 22)
        assert "Keep decisions.md:22, strike the other" in pane.options.plain
        await press(pilot, "left")
        assert pane.spot == (f"{MEMORY}/decisions.md", 11)
        await press(pilot, "y")
        assert app.clipboard.startswith("## 2026-05-02 - Store counts as CSV")
        await press(pilot, "right", "h")
        assert "Store counts as CSV" in screen_text(app)
        await press(pilot, "escape", "w")
        assert len(app.screen_stack) == 2
        await press(pilot, "escape")
        line = next(number for number, row in enumerate(screen_text(app).split("\n")) if " d  Dismiss it" in row)
        await pilot.click(offset=(pane.options.region.x + 8, line))
        await settle(pilot)
        assert isinstance(app.screen, Verdict)
        assert app.screen.verb.id == "dismiss"

    play(app, script)


def test_what_cannot_be_chosen_says_why(tmp_path: Path) -> None:
    clashing(tmp_path)
    app = bench(tmp_path, "conflicts")

    async def script(pilot: Pilot[Any]) -> None:
        pane = pane_of(app)
        why = "All sides are of one rank (decision): none wins, a person must say which holds."
        assert offered(pane)["follow"] == why
        assert f"Follow the higher source – not now: {why}" in pane.options.plain
        await press(pilot, "f")
        assert toasts(app) == [why]
        await press(pilot, "less_than_sign")
        assert toasts(app)[-1] == "That is no way to settle this."
        app.read_only = "No permission."
        await press(pilot, "s")
        assert toasts(app)[-1] == "No permission."

    play(app, script)


@pytest.mark.slow
def test_dismissed_ones_are_hidden_until_they_are_asked_for(tmp_path: Path) -> None:
    clashing(tmp_path)
    app = bench(tmp_path, "conflicts")

    async def script(pilot: Pilot[Any]) -> None:
        pane = pane_of(app)
        await press(pilot, "G", "d")
        assert "reason first" in screen_text(app)
        await type_(pilot, "two readers")
        await press(pilot, "enter")
        assert listed(pane) == ["✕ Exact", "title: Store counts as CSV", "tombstone: Cloud sync"]
        assert pane.count == 2
        assert pane.lines.item.name == "Cloud sync", "the next one, or the last"
        await press(pilot, "D", "G")
        assert listed(pane)[-2:] == ["– Dismissed", "title: Tone"]
        assert "– dismissed 2026-11-30 by Test Person: two readers" in pane.reading.plain
        assert "It is dismissed already" in offered(pane)["dismiss"]
        await press(pilot, "u")
        assert listed(pane)[-2:] == ["? Possible", "title: Tone"]
        assert pane.lines.item.name == "Tone", "what came back is selected"

    play(app, script)
    assert not (tmp_path / ".memdesk/judgments.toml").exists()


@pytest.mark.slow
def test_a_change_from_outside_keeps_selection_side_and_scroll(tmp_path: Path) -> None:
    folder = clashing(tmp_path)
    app = bench(tmp_path, "conflicts")

    async def script(pilot: Pilot[Any]) -> None:
        pane = pane_of(app)
        await press(pilot, "x", "enter", "j", "j")
        before = pane.lines.key, pane.reading.scroll_offset.y
        assert before[1] == 2
        text = (folder / "decisions.md").read_text()
        (folder / "decisions.md").write_text(text.replace("# Decisions\n", "# Decisions\n\nWhat was decided.\n"))
        await press(pilot, "ctrl+r")
        assert (pane.lines.key, pane.reading.scroll_offset.y) == before
        assert pane.spot == (f"{MEMORY}/decisions.md", 24)
        assert "not committed yet" not in pane.reading.plain
        text = (folder / "decisions.md").read_text()
        (folder / "decisions.md").write_text(text.replace("## 2026-03-14 - Store", "## 2026-03-14 - ~~Store~~ Keep"))
        await press(pilot, "ctrl+r")
        assert listed(pane)[:2] == ["✕ Exact", "tombstone: Cloud sync"]

    play(app, script, (80, 24))


@pytest.mark.slow
def test_a_filter_finds_by_text_kind_and_place(tmp_path: Path) -> None:
    clashing(tmp_path)
    app = bench(tmp_path, "conflicts")

    async def script(pilot: Pilot[Any]) -> None:
        pane = pane_of(app)
        for words, names in (
            ("sqlite", ["Store counts as CSV"]), ("tombstone", ["Cloud sync"]), ("possible", ["Tone"]), ("zebra", []),
        ):
            await press(pilot, "slash")
            await type_(pilot, words)
            assert [row.item.name for row in pane.lines._shown if row.key] == names
            await press(pilot, "escape")
        assert pane.count == 3

    play(app, script)


def test_without_git_or_with_a_git_that_fails_nobody_is_blamed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    custodian_store(tmp_path, preferences="# Preferences\n\n## Tone\n\nShort.\n\n## Tone\n\nLong.\n")
    app = bench(tmp_path, "conflicts")

    async def script(pilot: Pilot[Any]) -> None:
        assert "undated\n\n## Tone" in pane_of(app).reading.plain

    play(app, script)


@pytest.mark.slow
def test_what_is_not_committed_yet_says_so_and_one_git_call_serves_a_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = clashing(tmp_path)
    with (folder / "preferences.md").open("a") as file:
        file.write("\n## Tone\n\nDry.\n")
    asked: list[tuple[str, int | None]] = []
    real = Desk.blame

    def blame(self: Desk, entry: Any, line: int | None = None, stopped: Any = None) -> Blame | None:
        asked.append((entry.path.rsplit("/", 1)[-1], line))
        return real(self, entry, line, stopped)

    monkeypatch.setattr(Desk, "blame", blame)
    app = bench(tmp_path, "conflicts")

    async def script(pilot: Pilot[Any]) -> None:
        pane = pane_of(app)
        await press(pilot, "G")
        assert pane.reading.plain.count("not committed yet") == 1
        assert pane.reading.plain.count("by Test Person") == 1
        await press(pilot, "k", "G", "x", "D")
        assert len(asked) == len(set(asked))

    play(app, script)


def test_nothing_in_conflict_says_what_to_do_next(tmp_path: Path) -> None:
    custodian_store(tmp_path)
    app = bench(tmp_path, "conflicts")

    async def script(pilot: Pilot[Any]) -> None:
        assert "✓ No two sources disagree." in screen_text(app)
        assert pane_of(app).count == 0
        await press(pilot, "f", "enter", "x", "o", "y")
        assert toasts(app)[0] == "Nothing is selected."

    play(app, script)


@pytest.mark.slow
def test_without_a_store_it_says_how_to_make_one(tmp_path: Path) -> None:
    app = bench(tmp_path, "conflicts")

    async def script(pilot: Pilot[Any]) -> None:
        assert "memdesk init makes one." in screen_text(app)

    play(app, script)


def test_judgments_that_cannot_be_read_hide_nothing_and_are_told(tmp_path: Path) -> None:
    clashing(tmp_path)
    put(tmp_path, ".memdesk/judgments.toml", "[[judgment]]\nverdict = 1\n")
    app = bench(tmp_path, "conflicts")

    async def script(pilot: Pilot[Any]) -> None:
        pane = pane_of(app)
        assert pane.count == 3
        assert ".memdesk/judgments.toml:1" in screen_text(app)
        assert ".memdesk/judgments.toml:1" in offered(pane)["dismiss"]

    play(app, script)


@pytest.mark.slow
def test_the_tab_counts_before_the_pane_is_open_and_after_it_was_left(tmp_path: Path) -> None:
    folder = unmerged(tmp_path)
    app = bench(tmp_path)

    async def script(pilot: Pilot[Any]) -> None:
        assert app.count("conflicts") is None
        app._count_now()
        await settle(pilot)
        found = app.count("conflicts")
        assert found is not None
        assert f"3 Conflicts {found}" in screen_text(app)
        await press(pilot, "3")
        assert pane_of(app).count == found, "the pane counts as the tab did"
        await press(pilot, "1")
        (folder / "preferences.md").write_text("# Preferences\n")
        await press(pilot, "ctrl+r")
        app._count_now()
        await settle(pilot)
        assert app.count("conflicts") == found - 1

    play(app, script)


@pytest.mark.slow
def test_ten_thousand_are_drawn_a_screen_at_a_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    texts = "".join(f"## Tone {number}\n\nShort.\n\n## Tone {number}\n\nLong.\n\n" for number in range(10_000))
    custodian_store(tmp_path, preferences=f"# Preferences\n\n{texts}")
    drawn: list[object] = []
    real = conflict_rows.draw

    def draw(item: object, width: int) -> Any:
        drawn.append(item)
        return real(item, width)

    monkeypatch.setattr(conflict_rows, "draw", draw)
    app = bench(tmp_path, "conflicts")

    async def script(pilot: Pilot[Any]) -> None:
        pane = pane_of(app)
        assert pane.count == 10_000
        await press(pilot, "G", "pageup", "pageup", "k")
        assert "Tone 99" in screen_text(app)
        assert len(drawn) < 1000

    play(app, script)


# Conflicts of git.


def test_an_entry_with_markers_is_answered_and_its_file_shown_before_it_is_written(tmp_path: Path) -> None:
    marks = "<<<<<<< HEAD\n- Logs are kept for {}.\n||||||| base\n- Logs are kept for {}.\n=======\n- {}.\n>>>>>>> other\n"
    text = "# Constraints\n\n- One.\n" + marks.format("two days", "a day", "Logs are kept for three days")
    fits = "# Preferences\n\n- One.\n" + marks.format("a day", "a day", "Answers in English")
    folder = custodian_store(tmp_path, constraints=text, preferences=fits)
    app = bench(tmp_path, "conflicts")

    async def script(pilot: Pilot[Any]) -> None:
        pane = pane_of(app)
        assert listed(pane) == [
            "⎇ git constraints.md", "Logs are kept for two days.: open",
            "⎇ git preferences.md", f"{MEMORY}/preferences.md: None",
        ]
        assert offered(pane)["resolve"] == "Answer its entry first."
        await press(pilot, "greater_than_sign")
        assert listed(pane)[1] == "Logs are kept for two days.: theirs"
        assert "─ the result: theirs \n- Logs are kept for three days." in pane.reading.plain
        await press(pilot, "r")
        assert "Resolve 1 conflict in constraints.md" in screen_text(app)
        await press(pilot, "escape", "j")
        assert "nothing is left to decide, and the file can be resolved" in pane.reading.plain
        await press(pilot, "r")
        assert "Resolve 1 conflict in preferences.md" in screen_text(app)

    play(app, script)
    assert (folder / "constraints.md").read_text() == text


@pytest.mark.slow
def test_entries_with_markers_come_first_and_are_answered_one_by_one(tmp_path: Path) -> None:
    folder = unmerged(tmp_path, "diff3")
    app = bench(tmp_path, "conflicts")

    async def script(pilot: Pilot[Any]) -> None:
        pane = pane_of(app)
        assert listed(pane)[:6] == [
            "⎇ git constraints.md", "Old logs are kept for six months.: open",
            "⎇ git decisions.md", "2026-08-19 - The public API is tRPC: open", "2026-05-02 - Store counts as CSV: open",
            "✕ Exact",
        ]
        assert pane.count == 3 + sum(1 for row in pane.lines.rows if isinstance(row.item, Clash))
        assert "ours: HEAD" in pane.reading.plain
        assert "theirs: other" in pane.reading.plain
        assert "─ before both (base) \n- Old logs are kept for a year." in pane.reading.plain
        await press(pilot, "j")
        await press(pilot, "r")
        assert toasts(app)[-1] == "2 of 2 entries still to be answered."
        await press(pilot, "greater_than_sign")
        assert pane.lines.item.title == "2026-05-02 - Store counts as CSV", "the next that waits"
        await press(pilot, "b")
        assert "the result: both" in pane.reading.plain
        assert listed(pane)[3:5] == ["2026-08-19 - The public API is tRPC: theirs", "2026-05-02 - Store counts as CSV: both"]
        await press(pilot, "less_than_sign", "ctrl+r")
        assert listed(pane)[4] == "2026-05-02 - Store counts as CSV: ours"
        await press(pilot, "r")
        assert "Resolve 2 conflicts in decisions.md" in screen_text(app)
        await press(pilot, "escape")
        assert listed(pane)[4] == "2026-05-02 - Store counts as CSV: ours"

    before = (folder / "decisions.md").read_bytes()
    play(app, script)
    assert (folder / "decisions.md").read_bytes() == before


@pytest.mark.slow
def test_an_answer_ends_when_its_texts_change_and_not_before(tmp_path: Path) -> None:
    folder = unmerged(tmp_path)
    app = bench(tmp_path, "conflicts")

    async def script(pilot: Pilot[Any]) -> None:
        pane = pane_of(app)
        await press(pilot, "j", "less_than_sign", "less_than_sign")
        text = (folder / "decisions.md").read_text()
        (folder / "decisions.md").write_text(text.replace("kept for six", "kept for seven"))
        await press(pilot, "ctrl+r")
        assert listed(pane)[3:5] == ["2026-08-19 - The public API is tRPC: ours", "2026-05-02 - Store counts as CSV: open"]

    play(app, script)


@pytest.mark.slow
def test_an_entry_is_written_in_the_editor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    unmerged(tmp_path)
    put(tmp_path, "ed.sh", "#!/bin/sh\necho '- Old logs are kept for nine months.' > \"$1\"\n")
    os.chmod(tmp_path / "ed.sh", 0o755)
    monkeypatch.setenv("EDITOR", str(tmp_path / "ed.sh"))
    app = bench(tmp_path, "conflicts")

    async def script(pilot: Pilot[Any]) -> None:
        pane = pane_of(app)
        await press(pilot, "e")
        assert listed(pane)[1].endswith(": edited")
        assert "- Old logs are kept for nine months." in pane.reading.plain
        await press(pilot, "r")
        assert "+ - Old logs are kept for nine months." in screen_text(app)

    play(app, script)


def test_markers_that_are_no_whole_conflict_say_where_and_what_to_do(tmp_path: Path) -> None:
    broken = "# Constraints\n\n- One.\n<<<<<<< HEAD\n- Two.\n=======\n- Three.\n>>>>>>> a\n>>>>>>> b\n"
    custodian_store(tmp_path, constraints=broken)
    app = bench(tmp_path, "conflicts")

    async def script(pilot: Pilot[Any]) -> None:
        pane = pane_of(app)
        assert pane.count == 1
        assert pane.spot == (f"{MEMORY}/constraints.md", 9)
        assert "This is the end of a merge conflict whose beginning is gone." in pane.reading.plain
        assert "→ Mend the markers by hand" in pane.reading.plain
        await press(pilot, "r", "less_than_sign", "enter", "escape")
        assert toasts(app)[-1] == "That is no way to settle this."

    play(app, script)


@pytest.mark.parametrize(
    "form", ["## Logs are kept for {}\n\nDecision:\nSo.\n", "- Logs are kept for {}\n"], ids=["section", "bullet"]
)
def test_an_entry_with_markers_is_named_masked_and_both_is_what_would_be_written(tmp_path: Path, form: str) -> None:
    ours, base, theirs = (form.format(f"{days} days, ask ops@" + "night-mail.dev") for days in ("ten", "five", "nine"))
    name = "decisions.md" if form.startswith("#") else "constraints.md"
    marked = f"# X\n\n<<<<<<< HEAD\n{ours}||||||| b\n{base}=======\n{theirs}>>>>>>> other\n"
    custodian_store(tmp_path, **{name: marked})
    desk = Desk.open(str(tmp_path), clock=clock("2026-11-30"), user_config=None)
    [file] = files(desk)
    [part] = file.parts
    assert part.title == "Logs are kept for ten days, ask ***"
    assert part.both == (ours + theirs if name == "constraints.md" else f"{ours}\n{theirs}").strip()
    [step] = desk.plan(request(file._replace(parts=(part._replace(answer=Answer("both")),)))).steps
    assert (step.after or b"").decode() == f"# X\n\n{part.both}\n"
