"""Memory files of every kind that people write, as hypothesis strategies: endings, marks, lists and headings vary."""

from __future__ import annotations

from hypothesis import strategies as st

from tests.support.stores import MEMORY, STANDARD, manifest

ENDINGS = st.sampled_from(["\n", "\n", "\n", "\r\n", "\r\n"])
WORDS = st.sampled_from(["count", "site", "`a~~b`", "Zoë", "存储", "a|b", "x  ", "<b>", "*em*", "#1", "Reason:", "~x"])
LINE = st.lists(WORDS, min_size=1, max_size=4).map(" ".join)


@st.composite
def bullets(draw: st.DrawFn, count: int) -> list[str]:
    """Lines of a list, tight or loose, with nested lines, fences and lazy continuations."""
    marker = draw(st.sampled_from(["-", "-", "*", " -"]))
    pad = " " * (len(marker) + 1)
    loose = draw(st.booleans())
    out: list[str] = []
    for number in range(count):
        if number and loose:
            out.append(draw(st.sampled_from(["", "", " "])))
        out.append(f"{marker} w{draw(st.integers(0, 99))} {draw(LINE)}")
        more = draw(st.sampled_from(["", "", "nested", "fence", "lazy", "paragraph", "wrapped"]))
        if more == "nested":
            out.append(f"{pad}- {draw(LINE)}")
        elif more == "fence":
            out += [pad + line for line in ("```", "## not a heading", "- no bullet", "```")]
        elif more == "lazy":
            out.append("lazy line")
        elif more == "paragraph":
            out += ["", f"{pad}and {draw(LINE)}"]
        elif more == "wrapped":
            out.append(f"{pad}and {draw(LINE)}")
    return out


@st.composite
def documents(draw: st.DrawFn, title: str, *, dated: bool, sections: bool) -> bytes:
    """A memory file: perhaps a BOM, a title, an introduction, bullets, sections; endings mixed, the last perhaps missing."""
    lines: list[str] = []
    if draw(st.booleans()):
        lines += [f"# {title}", ""]
    if draw(st.booleans()):
        lines += ["Read this first.", ""]
    if draw(st.integers(0, 3)) == 0:
        lines += ["````", "## Example", "```", "- x", "````", ""]
    if not sections or draw(st.booleans()):
        lines += [*draw(bullets(draw(st.integers(0, 3)))), ""]
    for number in range(draw(st.integers(0, 3)) if dated or sections else 0):
        day = f"2026-11-{28 - number}" if draw(st.booleans()) else f"2026-11-{30 - number}"
        if dated:
            lines += [f"## {day}", "", *draw(bullets(draw(st.integers(1, 3)))), ""]
        else:
            head = draw(st.sampled_from([f"## {day} - Choice {number}", f"Choice {number}\n---", f"## Choice {number} ##"]))
            gap = draw(st.sampled_from([[""], []]))
            lines += [*head.split("\n"), *gap, "Decision:", draw(LINE), "", "Reason:", draw(LINE), ""]
    if draw(st.booleans()):
        while lines and not lines[-1].strip():
            lines.pop()
    text = "".join(line + draw(ENDINGS) for line in lines)
    if draw(st.booleans()):
        text = text.rstrip("\r\n")
    return (b"\xef\xbb\xbf" if draw(st.booleans()) else b"") + text.encode()


@st.composite
def stores(draw: st.DrawFn) -> dict[str, bytes]:
    files = {name: text.encode() for name, text in STANDARD.items()}
    files["manifest.md"] = manifest().encode()
    files["inbox.md"] = draw(documents("Inbox", dated=True, sections=False))
    files["constraints.md"] = draw(documents("Constraints", dated=False, sections=False))
    files["decisions.md"] = draw(documents("Decisions", dated=False, sections=True))
    if draw(st.booleans()):
        files["changelog.md"] = draw(documents("Changelog", dated=True, sections=False))
    return {f"{MEMORY}/{name}": data for name, data in files.items()}
