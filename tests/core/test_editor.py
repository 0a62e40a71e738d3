"""Which words start the person's editor."""

from __future__ import annotations

import pytest

from memdesk.core.editor import command
from memdesk.core.errors import UsageError


@pytest.mark.parametrize(("editor", "words"), [
    ("vim", ["vim", "+7", "/r/a b.md"]),
    ("/usr/bin/nvim -p", ["/usr/bin/nvim", "-p", "+7", "/r/a b.md"]),
    ("emacsclient -t -a ''", ["emacsclient", "-t", "-a", "", "+7", "/r/a b.md"]),
    ("code", ["code", "--wait", "--goto", "/r/a b.md:7"]),
    ("code -w -n", ["code", "-w", "-n", "--goto", "/r/a b.md:7"]),
    ("'/opt/my editor/subl' --wait", ["/opt/my editor/subl", "--wait", "/r/a b.md:7"]),
    ("hx", ["hx", "/r/a b.md:7"]),
    ("kate", ["kate", "--block", "--line", "7", "/r/a b.md"]),
    ("unknown-editor --x", ["unknown-editor", "--x", "/r/a b.md"]),
    ("sh -c 'vi $1; rm x'", ["sh", "-c", "vi $1; rm x", "/r/a b.md"]),
])  # fmt: skip
def test_known_editors_open_at_the_line(editor: str, words: list[str]) -> None:
    assert command("/r/a b.md", 7, {"EDITOR": editor}) == words


def test_the_setting_beats_visual_beats_editor() -> None:
    environ = {"VISUAL": "vis", "EDITOR": "ed"}
    assert command("/a", None, environ, "nano -w") == ["nano", "-w", "/a"]
    assert command("/a", None, environ) == ["vis", "/a"]
    assert command("/a", None, {"VISUAL": "  ", "EDITOR": "ed"}) == ["ed", "/a"]
    assert command("/a", 3, {}) == ["vi", "+3", "/a"]


def test_the_first_line_needs_no_option() -> None:
    assert command("/a", 1, {"EDITOR": "vim"}) == ["vim", "/a"]
    assert command("/a", 1, {"EDITOR": "code"}) == ["code", "--wait", "/a"]


def test_a_name_is_never_an_option(monkeypatch: pytest.MonkeyPatch, tmp_path: object) -> None:
    monkeypatch.chdir(str(tmp_path))
    assert command("-c evil.md", 2, {"EDITOR": "vim"})[-1] == f"{tmp_path}/-c evil.md"


def test_what_is_no_command_is_named_with_its_place() -> None:
    with pytest.raises(UsageError, match=r"\$VISUAL cannot be read"):
        command("/a", 1, {"VISUAL": "vim 'x"})
    with pytest.raises(UsageError, match=r"editor\.command names no program"):
        command("/a", 1, {}, "'' -x")
