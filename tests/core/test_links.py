"""The links of a document: where each stands and what it names."""

from __future__ import annotations

import pytest

from memdesk.core.links import Link, anchor_of, destination, every, links, places, resolve
from tests.support.sampling import sampled
from tests.support.sources import HOME, memory, over


def found(text: str) -> list[Link]:
    return links(over(memory(constraints=text)).documents[f"{HOME}/constraints.md"])


def rendered(text: str) -> list[tuple[str, str, bool]]:
    """Each link with its target as it stands in the bytes, and whether it is struck."""
    document = over(memory(constraints=text)).documents[f"{HOME}/constraints.md"]
    return [
        (link.target, document.data[link.low : link.high].decode("utf-8", "surrogateescape"), struck)
        for link, struck in every(document)
    ]


@pytest.mark.parametrize(("text", "targets"), [
    ("- [a](b.md)\n", ["b.md"]), ("- [a](<b c.md> 'T')\n", ["b c.md"]), ("> [a](b.md)\n", ["b.md"]),
    ("- [![i](p.png)](b.md)\n", ["p.png", "b.md"]), ("- [a [b] c](b.md)\n", ["b.md"]), ("- [a](b_(c).md)\n", ["b_(c).md"]),
    ("- [a](b\\(c.md)\n", ["b\\(c.md"]), ("- [`x`](b.md) `[c](d.md)`\n", ["b.md"]), ("- [a](b.md#c \"(T\")\n", ["b.md#c"]),
    ("[a]: b.md\n[b]: <c d.md> \"T\"\n[c]:\n  e.md\n", ["b.md", "c d.md", "e.md"]), ("- x\n\n  [a]: b.md 'T'\n", ["b.md"]),
    ("```\n[a]: b.md\n[a](b.md)\n```\n<!-- [a](b.md) -->\n", []), ("- [[x]] [[ a/b |Text]]\n", ["x", "a/b"]),
    ("- [a][b]\n\n[b]: Zoë.md\n", ["Zoë.md"]),
    ("- [à la carte](voilà.md) [[Šà]]\n\n[b]: à.md\n", ["voilà.md", "Šà", "à.md"]), ("\\[a](b.md)\n", []), ("[a](b.md\n", []),
])  # fmt: skip
def test_what_is_rendered_as_a_link(text: str, targets: list[str]) -> None:
    found = rendered(text)
    assert [target for target, _, _ in found] == targets
    assert [bare.strip() for _, bare, _ in found] == targets


def test_which_are_struck() -> None:
    assert [(target, struck) for target, _, struck in rendered("- ~~see [a](b.md)~~ but [c](d.md)\n")] == [
        ("b.md", True), ("d.md", False),
    ]


@pytest.mark.parametrize("path", [
    "a.md", "a b.md", "a(b).md", "a%20b.md", "Zoë/存储.md", "a#b?.md", "a\\b.md", "<a>.md", "a&b;c.md", "a`b.md", "a'b\"c.md",
])  # fmt: skip
@pytest.mark.parametrize("angled", [False, True])
def test_a_path_is_written_so_that_it_is_read_back(path: str, angled: bool) -> None:
    written = destination(path, angled=angled)
    text = f"[x](<{written}>)" if angled else f"[x]({written})"
    document = over(memory(constraints=f"- {text}\n")).documents[f"{HOME}/constraints.md"]
    (link,) = links(document)
    assert link.path == path


@pytest.mark.parametrize(("title", "anchor"), [
    ("2026-05-02 - Counts, *per* site!", "2026-05-02-counts-per-site"), ("See [a](b.md) `c_d`", "see-a-c_d"),
    ("Über Größe", "über-größe"), ("~~Old~~", "old"), ("A — B", "a-b"), ("!!", ""),
])  # fmt: skip
def test_what_a_heading_is_linked_by(title: str, anchor: str) -> None:
    assert anchor_of(title) == anchor
    assert Link(0, 0, 1, f"x.md#{anchor}", False, "").anchor == anchor


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
    ["[\\", "[", "![", "[[", "](", "[a](", "[a](<", "[a](b \"", "`", "\\", "[a](b.md)", "<!--", "~~", "[[a]", "[a [", "[a](b(",
     "[a](b\\(", ")](", "[a](<\\", "\n[a]:", "> [a](b)\n"], 5,
))  # fmt: skip
def test_no_text_makes_it_slow(unit: str) -> None:
    """A quadratic pattern would take minutes on these."""
    for text in ("- " + unit * (200_000 // len(unit)) + "\n", "- " + (unit + "\n\n  ") * (60_000 // len(unit)) + "\n"):
        found(text)
        rendered(text)
