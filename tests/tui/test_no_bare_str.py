"""No widget is given a bare `str` that is not a literal: Textual would read it as markup, and pass its escapes on.

What may be given: a literal without brackets, or what the gate (`memdesk.tui.text`) or `Content` makes. The test reads the
source; a name is followed to its annotation or to what was assigned to it in the same function.
"""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import memdesk.tui

ROOT = Path(memdesk.tui.__file__).parent
HEADLESS = ("cli", "report")  # they print plain text and import no Textual
WIDGETS = {
    "Static",
    "Label",
    "Button",
    "Option",
    "ListItem",
    "Checkbox",
    "RadioButton",
    "Placeholder",
    "Collapsible",
    "Tab",
    "TabPane",
}
CONTENT_KEYWORDS = {"label", "prompt", "tooltip", "border_title", "border_subtitle"}
ATTRIBUTES = {"border_title", "border_subtitle", "tooltip", "label"}
METHODS = {"update": 0, "add_option": 0, "set_label": 0}
COLLECTIONS = {"words", "values", "found", "known", "taken", "digest", "dict", "environ", "paths", "names", "seen", "changed"}
GATE = {"content", "content_line", "rich"}
CONTENT_METHODS = {"assemble", "styled", "join", "blank", "highlight"}


def sources() -> list[Path]:
    return [path for path in sorted(ROOT.rglob("*.py")) if path.relative_to(ROOT).parts[0] not in HEADLESS]


def safe(node: ast.expr, known: dict[str, bool]) -> bool:
    """Whether an expression can be given to a widget."""
    if isinstance(node, ast.Constant):
        return (
            node.value is None or (isinstance(node.value, str) and "[" not in node.value) or isinstance(node.value, (int, bool))
        )
    if isinstance(node, ast.IfExp):
        return safe(node.body, known) and safe(node.orelse, known)
    if isinstance(node, ast.Call):
        name = (
            node.func.attr if isinstance(node.func, ast.Attribute) else node.func.id if isinstance(node.func, ast.Name) else ""
        )
        return name in GATE | CONTENT_METHODS | {"Content"}
    if isinstance(node, ast.Name):
        return known.get(node.id, False)
    return False


def known_names(function: ast.AST) -> dict[str, bool]:
    """Names of a function that hold Content: by annotation, or by each thing assigned to them."""
    known: dict[str, bool] = {}
    for node in ast.walk(function):
        if isinstance(node, ast.arg) and node.annotation is not None and ast.unparse(node.annotation) in {"Content", "Text"}:
            known[node.arg] = True
        if isinstance(node, ast.Assign):
            for target in node.targets:
                if isinstance(target, ast.Name):
                    known[target.id] = known.get(target.id, True) and safe(node.value, known)
    return known


def offences(source: str) -> list[str]:
    """`line: what` for each place where a widget gets what it must not get."""
    tree = ast.parse(source)
    found: list[str] = []
    scopes = [node for node in ast.walk(tree) if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))] or [tree]
    for scope in scopes:
        known = known_names(scope)
        for node in ast.walk(scope):
            if isinstance(node, ast.Call):
                found += _of_call(node, known)
            if isinstance(node, ast.Assign):
                for target in node.targets:
                    if isinstance(target, ast.Attribute) and target.attr in ATTRIBUTES and not safe(node.value, known):
                        found.append(f"{node.lineno}: .{target.attr} = {ast.unparse(node.value)}")
    return sorted(set(found))


def _of_call(node: ast.Call, known: dict[str, bool]) -> list[str]:
    name = node.func.attr if isinstance(node.func, ast.Attribute) else node.func.id if isinstance(node.func, ast.Name) else ""
    given: list[ast.expr] = []
    if name in WIDGETS and isinstance(node.func, ast.Name):
        given += node.args[:1]
    if name in METHODS and isinstance(node.func, ast.Attribute) and _is_widget_method(node):
        given += node.args[METHODS[name] : METHODS[name] + 1]
    if name in WIDGETS | {"Binding"} - {"Binding"}:
        given += [keyword.value for keyword in node.keywords if keyword.arg in CONTENT_KEYWORDS]
    out = [f"{node.lineno}: {name}({ast.unparse(each)})" for each in given if not safe(each, known)]
    if name == "notify":
        markup = next((keyword.value for keyword in node.keywords if keyword.arg == "markup"), None)
        if not (isinstance(markup, ast.Constant) and markup.value is False):
            out.append(f"{node.lineno}: notify without markup=False")
    if name in {"Hit", "DiscoveryHit"}:
        place = 1 if name == "Hit" else 0
        shown = [*node.args[place : place + 1], *(keyword.value for keyword in node.keywords if keyword.arg == "help")]
        out += [f"{node.lineno}: {name}({ast.unparse(each)})" for each in shown if not safe(each, known)]
    return out


def _is_widget_method(node: ast.Call) -> bool:
    """Whether the receiver may be a widget: `update` of a dict, a set or a hash is none, by its name."""
    receiver = ast.unparse(node.func.value) if isinstance(node.func, ast.Attribute) else ""
    return receiver.split(".")[-1].strip("_") not in COLLECTIONS


@pytest.mark.parametrize("path", sources(), ids=lambda path: str(path.relative_to(ROOT)))
def test_no_widget_gets_a_bare_str(path: Path) -> None:
    assert offences(path.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    "source",
    [
        "def f(name): return Static(name)",
        "def f(name): return Static(f'x {name}')",
        "def f(name): return Button('a ' + name)",
        "def f(name): self.border_title = name",
        "def f(name): self.query_one(Static).update(str(name))",
        "def f(name): self.notify('words')",
        "def f(name): self.notify('words', markup=True)",
        "def f(name): return Hit(1, name, run)",
        "def f(name): return Hit(1, content(name), run, help=name)",
        "def f(): return Static('[b]bold[/b]')",
        "def f(name):\n    shown = content(name)\n    shown = name\n    return Static(shown)",
    ],
)
def test_the_test_finds_what_it_is_for(source: str) -> None:
    assert offences(source) != []


@pytest.mark.parametrize(
    "source",
    [
        "def f(): return Static('plain words')",
        "def f(name): return Static(text.content(name))",
        "def f(name: Content): return Static(name)",
        "def f(name):\n    shown = text.content_line(name)\n    return Static(shown)",
        "def f(name): self.notify(name, markup=False)",
        "def f(words): words.update({'a': 'b'})",
        "def f(): self.border_title = None",
    ],
)
def test_the_test_lets_through_what_is_safe(source: str) -> None:
    assert offences(source) == []
