"""Whatever links a workspace holds: after a file moved they lead where they led, and all else is as it was."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memdesk.core import actions, config, layouts
from memdesk.core.links import Link
from memdesk.core.model import Document, Workspace
from memdesk.core.plan import Request
from memdesk.core.workspace import open_workspace
from tests.support.stores import MEMORY, STANDARD, manifest
from tests.support.trees import MemoryTree

TODAY = date(2026, 11, 30)
NAMES = ("boats", "wind", "old/boats", "Zoë tide", "a(b)")
TARGETS = st.sampled_from([
    "boats.md", "./boats.md#why", "facts/boats.md", "memory/facts/boats.md", "/memory/facts/boats.md", "../facts/boats.md",
    "old/boats.md", "wind.md", "Zo%C3%AB%20tide.md", "a(b).md", "a%28b%29.md?x=y", "gone.md", "../INDEX.md", "#boats",
    "boats.md:7", "../../memory/facts/boats.md",
    "https://x.example/boats.md", "../../../boats.md", "boats", "..", "javascript:boats.md",
])  # fmt: skip
FORMS = st.sampled_from([
    "[a]({})", "[a](<{}>)", "[a]({} \"T\")", "![i]({})", "[![i](p.png)]({})", "`[a]({})`", "~~[a]({})~~", "[[{}]]",
    "[[{}|text]]", "\\[a]({})", "[a [b] c]({})", "Übergröße [a]({})", "<!-- [a]({}) -->",
])  # fmt: skip
WIKI = st.sampled_from(["boats", "wind", "Boats title", "old/boats", "gone"])


@st.composite
def lines(draw: st.DrawFn) -> str:
    """Some text with links, and where that may stand reference definitions and quotes."""
    out = []
    for _ in range(draw(st.integers(0, 4))):
        form = draw(FORMS)
        link = form.format(draw(WIKI if "[[" in form else TARGETS))
        out.append(f"See {link}" + draw(st.sampled_from([".", "", " and so on\t"])))
    if draw(st.booleans()):
        out += ["", f"[r]: {draw(TARGETS)} 'T'", ""]
    if draw(st.booleans()):
        out += ["", f"> [q]({draw(TARGETS)})"]
    return "\n".join(out)


@st.composite
def workspaces(draw: st.DrawFn) -> dict[str, bytes]:
    files = {f"{MEMORY}/{name}": text for name, text in {**STANDARD, "manifest.md": manifest()}.items()}
    index = ["# Index", ""]
    for name in [*draw(st.lists(st.sampled_from(NAMES[1:]), unique=True)), "boats"]:
        front = f"---\nname: {draw(st.sampled_from(['', 'Boats title', name]))}\ndescription: On {name}.\n---\n\n# {name}\n\n"
        files[f"memory/facts/{name}.md"] = front + draw(lines()) + "\n\nWhy: so.\n"
        index.append(f"- [{name}](<facts/{name}.md>): On {name}.")
    files["memory/INDEX.md"] = "\n".join(index) + "\n\n" + draw(lines()) + "\n"
    files["memory/inbox.md"] = f"# Inbox\n\n- {draw(lines()).strip() or 'x'}\n".replace("\n\n", "\n  \n")
    files[f"{MEMORY}/decisions.md"] = f"# Decisions\n\n## 2026-05-02 - A\n\nDecision:\n{draw(lines())}\n"
    files["memory/log/2026-05-02.md"] = f"# 2026-05-02\n\n- 10:00 {draw(FORMS).format(draw(TARGETS))}\n"
    ending = draw(st.sampled_from(["\n", "\r\n"]))
    return {path: text.replace("\n", ending).encode() for path, text in files.items()}


def opened(files: dict[str, bytes]) -> Workspace:
    return open_workspace(MemoryTree(files), config.defaults())


def led(workspace: Workspace, document: Document) -> list[tuple[Link, bool, str | None]]:
    layout = layouts.get(document.store.layout)
    return [
        (link, struck, layout.resolve(workspace, document.store, document, link)) for link, struck in layout.mentions(document)
    ]


def bare(document: Document) -> bytes:
    """A document's bytes without its links, those in double brackets and those with a text alike."""
    out, done = b"", 0
    for link, _, _ in sorted((one for one in led(opened({}), document)), key=lambda one: one[0].start):
        if link.start >= done:
            out += document.data[done : link.start] + b"\0"
            done = link.end
    return out + document.data[done:]


def follows(files: dict[str, bytes]) -> None:
    before = opened(files)
    old = "memory/facts/boats.md"
    ident = before.documents[old].entries[0].id
    plan = actions.plan(before, Request("archive", (ident,), {}, {}, person=True, at="10:00"), TODAY)
    new = next(step.path for step in plan.steps if step.kind == "create" and step.path.endswith("boats.md"))
    after_files = {**files, **{step.path: step.after for step in plan.steps if step.after is not None}}
    del after_files[old]
    after = opened(after_files)
    told = " ".join(plan.warnings)
    for path, document in before.documents.items():
        if path == old or path.endswith("INDEX.md") or "/log/2026-11" in path:
            continue
        now = after.documents[path]
        links, later = led(before, document), led(after, now)
        if document.place.tier != "log" or "2026-05" in path:
            assert bare(now) == bare(document), path
        assert len(links) == len(later)
        for (link, struck, to), (_, _, then) in zip(links, later, strict=True):
            wanted = new if to == old else to
            if then != wanted:
                assert to == old
                assert struck or document.place.tier == "log"
                assert f"{path}:{link.line}" in told
            elif to != old and to is not None:
                assert then == to


@settings(max_examples=40)
@given(workspaces())
def test_links_lead_where_they_led(files: dict[str, bytes]) -> None:
    follows(files)


@pytest.mark.slow
@settings(max_examples=600)
@given(workspaces())
def test_links_of_many_workspaces_lead_where_they_led(files: dict[str, bytes]) -> None:
    follows(files)
