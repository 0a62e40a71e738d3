"""The frame around the panes: header, footer, meters, banner, themes; each in the cells it is given."""

from __future__ import annotations

from typing import Any

import pytest
from rich.cells import cell_len
from rich.style import Style
from textual.color import Color
from textual.pilot import Pilot

from memdesk.core.model import Budget
from memdesk.tui import themes
from memdesk.tui.app import Workbench
from memdesk.tui.dialogs.palette import Verbs
from memdesk.tui.widgets.footer import Footer
from memdesk.tui.widgets.header import Header, PaneTab
from memdesk.tui.widgets.meters import Meter, meter_pieces, pieces_of, short_name
from tests.support.fake_desk import FakeDesk
from tests.support.pilots import play, press, screen_text, settle, toasts


def meter(name: str, used: int, cap: int) -> Meter:
    return Meter(name, Budget(f"docs/memory/{name}.md", "tokens", used, cap))


@pytest.mark.parametrize(
    ("used", "cap", "drawn"),
    [
        (0, 500, " brief 0/500 ▁▁▁▁▁▁▁▁▁ "),
        (212, 500, " brief 212/500 ▇▇▇▇▁▁▁▁▁ "),
        (399, 500, " brief 399/500 ▇▇▇▇▇▇▇▁▁ "),
        (400, 500, " brief 400/500 ▇▇▇▇▇▇▇▁▁! "),
        (500, 500, " brief 500/500 ▇▇▇▇▇▇▇▇▇! "),
        (501, 500, " brief 501/500 ▇▇▇▇▇▇▇▇▇✕ "),
        (9999, 500, " brief 9999/500 ▇▇▇▇▇▇▇▇▇✕ "),
    ],
)
def test_a_meter_says_its_state_by_a_glyph_and_a_number(used: int, cap: int, drawn: str) -> None:
    assert "".join(piece.text for piece in meter_pieces(meter("brief", used, cap), 9, 0.8)) == drawn


@pytest.mark.parametrize("width", [10, 20, 40, 80, 120, 200])
def test_meters_fit_and_the_fullest_come_first_where_they_do_not(width: int) -> None:
    meters = [
        meter("brief", 10, 500),
        meter("decisions", 640, 800),
        meter("constraints", 500, 400),
        meter("areas/storage", 10, 600),
    ]
    drawn = "".join(piece.text for piece in pieces_of(meters, width, 0.8))
    assert cell_len(drawn) <= max(width, 23)
    assert "constraints 500/400" in drawn
    if width < 60:
        assert drawn.startswith(" constraints")


def test_documents_of_one_name_are_told_apart() -> None:
    budgets = [Budget(path, "tokens", 1, 2) for path in ("a/decisions.md", "b/decisions.md", "a/brief.md")]
    assert [short_name(budget, budgets) for budget in budgets] == ["a/decisions", "b/decisions", "brief"]


def test_several_budgets_of_one_document_and_that_of_a_store_are_told_apart() -> None:
    named = [("MEMORY.md", "chars"), ("MEMORY.md", "lines"), ("notes.md", "chars"), (".", "chars"), ("docs/assistant", "chars")]
    budgets = [Budget(path, unit, 1, 2) for path, unit in named]
    assert [short_name(budget, budgets) for budget in budgets] == [
        "MEMORY chars", "MEMORY lines", "notes", "all", "assistant all",
    ]


def open_bench(**options: Any) -> Workbench:
    return Workbench(FakeDesk(["One", "Two"], **options), environ={"TERM": "xterm-256color"})  # type: ignore[arg-type]


def test_header_and_footer_fit_and_keep_what_matters() -> None:
    app = open_bench()

    async def script(pilot: Pilot[Any]) -> None:
        tabs = tuple(
            PaneTab(name.lower(), n, name, c) for n, name, c in ((1, "Inbox", 12), (2, "Context", None), (5, "Health", 3))
        )
        for width in (20, 40, 60, 80, 120, 200):
            await pilot.resize_terminal(width, 12)
            app.query_one(Header).set_tabs(tabs, "inbox")
            await pilot.pause()
            first, *_, last = screen_text(app).split("\n")
            assert cell_len(first) == cell_len(last) == width
            assert "1 Inbox 12" in first or width < 40
            assert "2" in first
            assert "5" in first
            assert "? Help" in last
            assert "^p Palette" in last or width < 40
            assert not last.rstrip().endswith("…"), "keys are left out whole"

    play(app, script, (20, 12))


def test_a_click_on_the_footer_does_the_action() -> None:
    app = open_bench()

    async def script(pilot: Pilot[Any]) -> None:
        footer = app.query_one(Footer)
        last = screen_text(app).split("\n")[-1]
        await pilot.click(Footer, offset=(last.index("Help"), 0))
        await settle(pilot)
        assert "Verdicts" in screen_text(app)
        await press(pilot, "escape")
        assert [key.ident for key in footer.keys][-1] == "help"

    play(app, script, (120, 20))


@pytest.mark.slow
def test_keys_can_be_remapped_and_footer_and_help_show_the_real_ones() -> None:
    desk = FakeDesk(["One"])
    desk.settings.keymap = {"snooze": "x,f7", "quit": "f10"}
    app = Workbench(desk, environ={})  # type: ignore[arg-type]

    async def script(pilot: Pilot[Any]) -> None:
        assert "x Snooze" in screen_text(app)
        await press(pilot, "z")
        assert len(app.screen_stack) == 1
        for key in ("x", "f7"):
            await press(pilot, key)
            assert len(app.screen_stack) == 2
            await press(pilot, "escape")
        await press(pilot, "question_mark")
        assert "x, f7" in screen_text(app)

    play(app, script, (120, 40))


@pytest.mark.parametrize("key", ["q", "ctrl+q"])
def test_quit_is_always_there(key: str) -> None:
    app = open_bench()

    async def script(pilot: Pilot[Any]) -> None:
        if key == "ctrl+q":
            await press(pilot, "slash")  # in a field `q` is a letter
            await press(pilot, "q")
            assert app.return_value is None
        await pilot.press(key)
        for worker in list(app.workers):
            await worker.wait()
        await pilot.pause()
        assert app.return_value == 0

    play(app, script)


def test_the_palette_offers_what_is_allowed_by_name() -> None:
    app = open_bench(read_only="No permission.")

    async def script(pilot: Pilot[Any]) -> None:
        provider = Verbs(app.screen)
        hits = {str(hit.display): hit async for hit in provider.discover()}
        assert "Snooze (z)" in hits
        assert "Go to Inbox (1)" in hits
        assert not any(name.startswith(("Promote", "Strike")) for name in hits)
        assert [str(hit.text) async for hit in provider.search("snoo")][:1] == ["Snooze (z)"]
        await press(pilot, "ctrl+p")
        assert type(app.screen).__name__ == "CommandPalette"
        await press(pilot, "escape")
        hits["Snooze (z)"].command()
        await settle(pilot)
        assert "Snooze this candidate until" in screen_text(app)

    play(app, script, (100, 50))


@pytest.mark.parametrize(
    ("setting", "environ", "theme"),
    [
        (None, {"TERM": "xterm-256color"}, "dark"),
        ("light", {"TERM": "xterm"}, "light"),
        ("light", {"NO_COLOR": "1"}, "no-colour"),
        ("light", {"NO_COLOR": ""}, "light"),
        (None, {"TERM": "linux"}, "ansi-16"),
        (None, {"TERM": "screen"}, "ansi-16"),
        (None, {"TERM": "screen", "COLORTERM": "truecolor"}, "dark"),
        ("nonsense", {}, "dark"),
    ],
)
def test_the_theme_to_start_with(setting: str | None, environ: dict[str, str], theme: str) -> None:
    assert themes.choose(setting, environ) == theme


@pytest.mark.parametrize("theme", ["dark", "light", "high-contrast"])
def test_every_role_can_be_read_on_its_ground(theme: str) -> None:
    chosen = next(each for each in themes.THEMES if each.name == theme)
    for role in themes.ROLES:
        style = themes.look(theme, role, Style.parse(f"{chosen.foreground} on {chosen.background}"))
        assert style.color is not None
        assert style.bgcolor is not None
        front, back = Color.from_rich_color(style.color), Color.from_rich_color(style.bgcolor)
        ratio = _contrast(front, back)
        assert ratio >= 4.5, f"{role}: {ratio:.1f}"


def _contrast(one: Color, other: Color) -> float:
    """WCAG 2 contrast ratio."""

    def light(color: Color) -> float:
        parts = [value / 12.92 if value <= 0.03928 else ((value + 0.055) / 1.055) ** 2.4 for value in color.normalized]
        return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]

    low, high = sorted((light(one), light(other)))
    return (high + 0.05) / (low + 0.05)


def test_no_colour_draws_none() -> None:
    for role in themes.ROLES:
        style = themes.look("no-colour", role, Style())
        assert style.color is None
        assert style.bgcolor is None


def test_ctrl_t_goes_through_the_themes_and_redraws() -> None:
    app = open_bench()

    async def script(pilot: Pilot[Any]) -> None:
        seen = []
        for _ in themes.NAMES:
            await press(pilot, "ctrl+t")
            seen.append(app.theme)
            assert "One" in screen_text(app)
        assert sorted(seen) == sorted(themes.NAMES)
        assert toasts(app)[-1] == f"Theme: {app.theme}"

    play(app, script, (80, 20))


@pytest.mark.parametrize(("size", "shown"), [((40, 12), ["three"]), ((120, 36), ["one", "two", "three"])])
def test_on_a_low_screen_the_last_of_several_toasts_stands_alone(size: tuple[int, int], shown: list[str]) -> None:
    app = open_bench()

    async def script(pilot: Pilot[Any]) -> None:
        for words in ("one", "two", "three"):
            app.say(words)
        await settle(pilot)
        assert toasts(app) == shown
        assert [word for word in ("one", "two", "three") if f" {word} " in screen_text(app)] == shown

    play(app, script, size)
