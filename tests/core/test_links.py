"""The links of a document: where each stands and what it names."""

from __future__ import annotations

import pytest

from memdesk.core.links import Link, links, places, resolve
from tests.support.sampling import sampled
from tests.support.sources import HOME, memory, over


def found(text: str) -> list[Link]:
    return links(over(memory(constraints=text)).documents[f"{HOME}/constraints.md"])


def test_spans_lines_targets_and_texts_to_the_byte() -> None:
    text = "- Über [die Seite](fort.md \"T\") und ![b](<a b.png>),\n  [[name|Text]] [[x]].\n"
    data = b"# Constraints\n\n" + text.encode()
    whole = [data[link.start : link.end].decode() for link in found(text)]
    assert whole == ["[die Seite](fort.md \"T\")", "![b](<a b.png>)", "[[name|Text]]", "[[x]]"]
    assert [(link.line, link.target, link.wiki, link.text) for link in found(text)] == [
        (3, "fort.md", False, "die Seite"), (3, "a b.png", False, "b"), (4, "name", True, "Text"), (4, "x", True, "x"),
    ]


@pytest.mark.parametrize(("target", "path"), [
    ("a.md", "a.md"), ("a.md#b", "a.md"), ("a.md?b=c", "a.md"), ("a.py:12-14", "a.py"), ("a%20b.md", "a b.md"), ("#a", ""),
    ("https://a.example/b.md", ""), ("mailto:a", ""), ("//a.example/b", ""), ("a-YYYY.md", ""), ("*.md", ""), ("a{b}.md", ""),
])  # fmt: skip
def test_what_a_target_names_as_a_path(target: str, path: str) -> None:
    assert Link(0, 0, 1, target, False, "").path == path


@pytest.mark.parametrize("text", [
    "`[a](b.md)`", "``[a](b.md) ` ``", "    [a](b.md)\n", "~~~\n[a](b.md)\n~~~\n", "> [a](b.md)\n", "<!-- [a](b.md) -->",
    "~~[a](b.md)~~", "\\[a](b.md)", "[a] (b.md)", "[a](b c.md)", "[a](b.md", "<div>\n[a](b.md)\n</div>\n", "[a]\n\n(b.md)",
])  # fmt: skip
def test_what_is_no_link(text: str) -> None:
    assert found(text) == []


def test_from_its_folder_then_the_store_s_then_the_root_and_never_out() -> None:
    workspace = over(memory(constraints="- [a](b.md)\n", areas__b="# B\n\n- [a](b.md)\n"), {"docs/b.md": "", "b.md": ""})
    document = workspace.documents[f"{HOME}/areas/b.md"]
    (link,) = links(document)
    assert places(document.store, document, link) == [f"{HOME}/areas/b.md", f"{HOME}/b.md", "b.md"]
    assert resolve(workspace, document.store, document, link) == f"{HOME}/areas/b.md"
    document = workspace.documents[f"{HOME}/constraints.md"]
    assert resolve(workspace, document.store, document, link) == "b.md"
    out = link._replace(target="../../../../b.md")
    assert places(document.store, document, out) == []
    assert resolve(workspace, document.store, document, link._replace(target="/docs/b.md")) == "docs/b.md"


@pytest.mark.parametrize("unit", sampled(
    ["[\\", "[", "![", "[[", "](", "[a](", "[a](<", "[a](b \"", "`", "\\", "[a](b.md)", "<!--", "~~"], 5,
))  # fmt: skip
def test_no_text_makes_it_slow(unit: str) -> None:
    """A quadratic pattern would take minutes on these."""
    found("- " + unit * (200_000 // len(unit)) + "\n")
    found("- " + (unit + "\n\n  ") * (60_000 // len(unit)) + "\n")
