"""The themes: dark, light, high contrast, ansi-16 and no-colour. Status is a glyph and a word, never a hue alone."""

from __future__ import annotations

from collections.abc import Mapping

from textual.theme import Theme

_ANSI = {
    "ansi-background": "ansi_black", "ansi-foreground": "ansi_white",
    "block-cursor-foreground": "ansi_black", "block-cursor-background": "ansi_white", "block-cursor-text-style": "bold",
    "border": "ansi_blue", "border-blurred": "ansi_bright_black", "input-cursor-background": "ansi_white",
    "input-cursor-foreground": "ansi_black", "input-cursor-text-style": "reverse", "input-selection-background": "ansi_bright_blue",
    "input-selection-foreground": "ansi_black", "screen-selection-background": "ansi_bright_blue",
    "screen-selection-foreground": "ansi_black", "scrollbar": "ansi_blue", "scrollbar-hover": "ansi_bright_blue",
    "scrollbar-active": "ansi_bright_blue", "scrollbar-background": "ansi_default", "scrollbar-corner-color": "ansi_default",
    "scrollbar-background-hover": "ansi_default", "scrollbar-background-active": "ansi_default",
}

THEMES: tuple[Theme, ...] = (
    Theme(
        name="dark", primary="#5fa8d3", secondary="#8fb8de", accent="#e0b354", warning="#e0a458", error="#f2777a", success="#8fc77f",
        foreground="#dde3ea", background="#12161c", surface="#171c24", panel="#232b36", dark=True,
        variables={"border": "#5fa8d3", "border-blurred": "#3a4656", "scrollbar": "#3a4656", "scrollbar-background": "#171c24"},
    ),
    Theme(
        name="light", primary="#0b5c8f", secondary="#35618a", accent="#8a5a00", warning="#8f5200", error="#b3261e", success="#256b2c",
        foreground="#1b232c", background="#f6f7f9", surface="#ffffff", panel="#e4e9ef", dark=False,
        variables={"border": "#0b5c8f", "border-blurred": "#b4bfcb", "scrollbar": "#b4bfcb", "scrollbar-background": "#eef1f5"},
    ),
    Theme(
        name="high-contrast", primary="#4fc3ff", secondary="#9ad8ff", accent="#ffe14d", warning="#ffcc33", error="#ff8080", success="#7dff7d",
        foreground="#ffffff", background="#000000", surface="#000000", panel="#1c1c1c", dark=True, text_alpha=1.0,
        variables={"border": "#ffffff", "border-blurred": "#a0a0a0", "scrollbar": "#ffffff", "scrollbar-background": "#000000"},
    ),
    Theme(
        name="ansi-16", ansi=True, primary="ansi_blue", secondary="ansi_cyan", accent="ansi_cyan", warning="ansi_yellow",
        error="ansi_red", success="ansi_green", foreground="ansi_default", background="ansi_default", surface="ansi_default",
        panel="ansi_default", boost="ansi_default", dark=True, luminosity_spread=0, text_alpha=1.0, variables=_ANSI,
    ),
    Theme(
        name="no-colour", ansi=True, primary="ansi_default", secondary="ansi_default", accent="ansi_default", warning="ansi_default",
        error="ansi_default", success="ansi_default", foreground="ansi_default", background="ansi_default", surface="ansi_default",
        panel="ansi_default", boost="ansi_default", dark=True, luminosity_spread=0, text_alpha=1.0,
        variables={name: "ansi_default" if "ansi" in value else value for name, value in _ANSI.items()},
    ),
)
NAMES = tuple(theme.name for theme in THEMES)


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
