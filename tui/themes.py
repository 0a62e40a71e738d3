"""The themes: dark, light, high contrast, ansi-16 and no-colour. Status is a glyph and a word, never a hue alone."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from rich.style import Style
from textual.theme import Theme

_ANSI = {
    "ansi-background": "ansi_black",
    "ansi-foreground": "ansi_white",
    "block-cursor-foreground": "ansi_black",
    "block-cursor-background": "ansi_white",
    "block-cursor-text-style": "bold",
    "border": "ansi_blue",
    "border-blurred": "ansi_bright_black",
    "input-cursor-background": "ansi_white",
    "input-cursor-foreground": "ansi_black",
    "input-cursor-text-style": "reverse",
    "input-selection-background": "ansi_bright_blue",
    "input-selection-foreground": "ansi_black",
    "screen-selection-background": "ansi_bright_blue",
    "screen-selection-foreground": "ansi_black",
    "scrollbar": "ansi_blue",
    "scrollbar-hover": "ansi_bright_blue",
    "scrollbar-active": "ansi_bright_blue",
    "scrollbar-background": "ansi_default",
    "scrollbar-corner-color": "ansi_default",
    "scrollbar-background-hover": "ansi_default",
    "scrollbar-background-active": "ansi_default",
}

THEMES: tuple[Theme, ...] = (
    Theme(
        name="dark",
        primary="#5fa8d3",
        secondary="#8fb8de",
        accent="#e0b354",
        warning="#e0a458",
        error="#f2777a",
        success="#8fc77f",
        foreground="#dde3ea",
        background="#12161c",
        surface="#171c24",
        panel="#232b36",
        dark=True,
        variables={"border": "#5fa8d3", "border-blurred": "#3a4656", "scrollbar": "#3a4656", "scrollbar-background": "#171c24"},
    ),
    Theme(
        name="light",
        primary="#0b5c8f",
        secondary="#35618a",
        accent="#8a5a00",
        warning="#8f5200",
        error="#b3261e",
        success="#256b2c",
        foreground="#1b232c",
        background="#f6f7f9",
        surface="#ffffff",
        panel="#e4e9ef",
        dark=False,
        variables={"border": "#0b5c8f", "border-blurred": "#b4bfcb", "scrollbar": "#b4bfcb", "scrollbar-background": "#eef1f5"},
    ),
    Theme(
        name="high-contrast",
        primary="#4fc3ff",
        secondary="#9ad8ff",
        accent="#ffe14d",
        warning="#ffcc33",
        error="#ff8080",
        success="#7dff7d",
        foreground="#ffffff",
        background="#000000",
        surface="#000000",
        panel="#1c1c1c",
        dark=True,
        text_alpha=1.0,
        variables={"border": "#ffffff", "border-blurred": "#a0a0a0", "scrollbar": "#ffffff", "scrollbar-background": "#000000"},
    ),
    Theme(
        name="ansi-16",
        ansi=True,
        primary="ansi_blue",
        secondary="ansi_cyan",
        accent="ansi_cyan",
        warning="ansi_yellow",
        error="ansi_red",
        success="ansi_green",
        foreground="ansi_default",
        background="ansi_default",
        surface="ansi_default",
        panel="ansi_default",
        boost="ansi_default",
        dark=True,
        luminosity_spread=0,
        text_alpha=1.0,
        variables=_ANSI,
    ),
    Theme(
        name="no-colour",
        ansi=True,
        primary="ansi_default",
        secondary="ansi_default",
        accent="ansi_default",
        warning="ansi_default",
        error="ansi_default",
        success="ansi_default",
        foreground="ansi_default",
        background="ansi_default",
        surface="ansi_default",
        panel="ansi_default",
        boost="ansi_default",
        dark=True,
        luminosity_spread=0,
        text_alpha=1.0,
        variables={name: "ansi_default" if "ansi" in value else value for name, value in _ANSI.items()},
    ),
)
NAMES = tuple(theme.name for theme in THEMES)

# How what we draw ourselves looks, by role: one line for each theme of colours, one for the terminal's own 16, one for none.
ROLES: Mapping[str, tuple[str, str, str, str, str]] = {
    #         dark               light              high contrast      ansi-16              no colour
    "accent": ("#e0b354", "#8a5a00", "#ffe14d", "cyan", "bold"),
    "added": ("#8fc77f", "#256b2c", "#7dff7d", "green", ""),
    "bad": ("bold #f2777a", "bold #b3261e", "bold #ff8080", "bold red", "bold"),
    "code": ("#8fb8de", "#35618a", "#9ad8ff", "cyan", ""),
    "cursor": ("bold on #2a3644", "bold on #d3dee9", "bold on #333333", "reverse", "reverse"),
    "differs": ("underline #ffd479", "underline #8a5a00", "underline #ffe14d", "underline yellow", "reverse"),
    "dim": ("#8592a3", "#5b6774", "#c4c4c4", "", ""),
    "good": ("#8fc77f", "#256b2c", "#7dff7d", "green", ""),
    "heading": ("bold #5fa8d3", "bold #0b5c8f", "bold #4fc3ff", "bold blue", "bold underline"),
    "hunk": ("#5fa8d3", "#0b5c8f", "#4fc3ff", "blue", ""),
    "key": ("bold #e0b354", "bold #8a5a00", "bold #ffe14d", "bold cyan", "bold"),
    "mark": ("bold #e0b354", "bold #8a5a00", "bold #ffe14d", "bold cyan", "bold"),
    "match": ("reverse", "reverse", "reverse", "reverse", "reverse"),
    "new": ("bold #12161c on #e0a458", "bold #ffffff on #8f5200", "bold #000000 on #ffcc33", "bold reverse", "bold reverse"),
    "quote": ("italic #a9b4c0", "italic #4a5561", "italic #dddddd", "italic", "italic"),
    "removed": ("#f2777a", "#b3261e", "#ff8080", "red", ""),
    "strong": ("bold", "bold", "bold", "bold", "bold"),
    "struck": ("strike #8592a3", "strike #5b6774", "strike #c4c4c4", "strike", "strike"),
    "tag": ("bold #8fb8de", "bold #35618a", "bold #9ad8ff", "bold cyan", "bold"),
    "warn": ("bold #e0a458", "bold #8f5200", "bold #ffcc33", "bold yellow", "bold"),
}


@lru_cache(maxsize=4096)
def look(theme: str, roles: str, base: Style) -> Style:
    """The look of roles, separated by blanks, on top of a base. A theme that is not ours looks like the dark one."""
    column = NAMES.index(theme) if theme in NAMES else 0
    for role in roles.split():
        base = base + Style.parse(ROLES[role][column])
    return base


def choose(setting: str | None, environ: Mapping[str, str]) -> str:
    """The theme to start with: NO_COLOR beats the setting; a terminal of 16 colours or fewer gets ansi-16."""
    if environ.get("NO_COLOR"):
        return "no-colour"
    if setting in NAMES:
        return setting
    term, depth = environ.get("TERM", ""), environ.get("COLORTERM", "")
    if depth in ("truecolor", "24bit") or "256color" in term or "direct" in term or "kitty" in term:
        return "dark"
    return "ansi-16" if term in ("linux", "screen", "vt100", "vt220", "ansi", "xterm-16color") else "dark"
