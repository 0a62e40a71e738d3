"""Which program reaches the system's clipboard, and that a broken one costs nothing but itself."""

from __future__ import annotations

from pathlib import Path

import pytest

from memdesk.tui import clipboard


@pytest.mark.parametrize(
    ("environ", "there", "command"),
    [
        ({"WAYLAND_DISPLAY": "w"}, {"wl-copy", "xclip"}, ("wl-copy",)),
        ({"DISPLAY": ":0"}, {"wl-copy", "xclip"}, ("xclip", "-selection", "clipboard")),
        ({"DISPLAY": ":0"}, {"xsel"}, ("xsel", "--clipboard", "--input")),
        ({}, {"wl-copy", "xclip", "xsel"}, None),
        ({}, {"pbcopy"}, ("pbcopy",)),
    ],
)
def test_the_program_fits_the_display(environ: dict[str, str], there: set[str], command: tuple[str, ...] | None) -> None:
    assert clipboard.program(environ, lambda name: name if name in there else None) == command


@pytest.mark.parametrize(("script", "by"), [("cat > \"$0.got\"", "wl-copy"), ("exit 1", "")])
def test_text_goes_through_as_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str, by: str) -> None:
    program = tmp_path / "wl-copy"
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    assert clipboard.copy("- [x] é $HOME\n", {"WAYLAND_DISPLAY": "w"}) == by
    if by:
        assert (tmp_path / "wl-copy.got").read_text() == "- [x] é $HOME\n"


def test_without_a_program_nothing_happens(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert clipboard.copy("x", {"DISPLAY": ":0"}) == ""
