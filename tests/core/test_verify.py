"""An edit means what it says: text that would swallow its neighbours, or pass for more than one entry, is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from memdesk.core.draft import Draft
from memdesk.core.errors import Refused
from memdesk.core.verify import verify
from tests.support.planning import Bench
from tests.support.stores import MEMORY

SWALLOWING = {
    "unclosed fence": "Text\n\n```\ncode",
    "unclosed tilde fence": "Text\n~~~~\ncode\n~~~",
    "unclosed comment": "Text <!-- until later",
    "unclosed comment block": "Text\n\n<!-- hidden\nmore",
    "heading first": "# Heading",
    "heading of a level below": "## Heading",
    "heading later": "Text\n\n## Heading",
    "setext underline": "Text\n---",
    "double setext underline": "Text\n===",
    "only a rule": "---",
    "fence first": "```\ncode\n```",
    "a list first": "- x",
    "a numbered list first": "1. x",
    "a quote first": "> quoted",
    "html first": "<div>\nText",
    "a definition": "[a]: b",
    "nothing but blanks": " \n ",
}


@pytest.mark.parametrize("text", SWALLOWING.values(), ids=SWALLOWING.keys())
def test_added_text_that_would_not_be_one_bullet_is_refused(tmp_path: Path, text: str) -> None:
    bench = Bench(tmp_path, inbox="# Inbox\n\n## 2026-11-28\n\n- Old\n")
    with pytest.raises(Refused) as caught:
        bench.plan("add", text=text)
    assert caught.value.field == "text"
    assert caught.value.remedy


@pytest.mark.parametrize(
    "text",
    [
        "Text\n\n## 2026-01-01 - Injected\n\nDecision: x", "Text\n---", "Text\n\n```\nopen", "Text\n\n<!-- open", "---",
        "Text\n\nInjected\n========", "# Injected",
    ],
)
def test_a_decision_can_not_bring_another_entry_along(tmp_path: Path, text: str) -> None:
    bench = Bench(tmp_path, inbox="# Inbox\n\n- x\n")
    with pytest.raises(Refused) as caught:
        bench.plan("promote", bench.entries("inbox.md"), to="decisions", reason="because", text=text)
    assert caught.value.field == "text"
    with pytest.raises(Refused):
        bench.plan("promote", bench.entries("inbox.md"), to="decisions", text="Fine", reason=text)


@pytest.mark.parametrize(
    ("field", "value"), [("title", "One\n## Two"), ("title", "One\n---"), ("reason", "It is\n- so"), ("scope", "a\n\nb")]
)
def test_words_for_one_line_are_put_on_one(tmp_path: Path, field: str, value: str) -> None:
    bench = Bench(tmp_path, inbox="# Inbox\n\n- x\n")
    bench.apply(bench.plan("promote", bench.entries("inbox.md"), to="do-not-use", **{"reason": "because", field: value}))
    assert len(bench.entries("do-not-use.md")) == 2
    assert " ".join(value.split()) in bench.entries("do-not-use.md")[0].text


def test_a_title_can_not_open_a_comment(tmp_path: Path) -> None:
    bench = Bench(tmp_path, inbox="# Inbox\n\n- x\n")
    for to in ("do-not-use", "decisions"):
        with pytest.raises(Refused, match="comment that never closes"):
            bench.plan("promote", bench.entries("inbox.md"), to=to, reason="because", title="One <!-- x")


def test_a_fence_in_the_file_keeps_its_example(tmp_path: Path) -> None:
    decisions = "# Decisions\n\n````\n```\n## Fake\n```\n````\n\n## 2026-01-01 - Real\n\n~~~\n## Fake\n```\n~~~\n\nText\n"
    bench = Bench(tmp_path, decisions=decisions, inbox="# Inbox\n\n- x\n")
    assert [entry.heading for entry in bench.entries("decisions.md")] == ["2026-01-01 - Real"]
    plan = bench.plan("reject", bench.entries("decisions.md"))
    assert bench.after(plan, "decisions.md").decode() == "# Decisions\n\n````\n```\n## Fake\n```\n````\n"


def test_f21_nothing_after_an_unclosed_block_is_edited(tmp_path: Path) -> None:
    constraints = "# Constraints\n\n- A\n\n```\n- B\n"
    bench = Bench(tmp_path, constraints=constraints, inbox="# Inbox\n\n- x\n")
    plan = bench.plan("promote", bench.entries("inbox.md"), to="constraints")
    assert bench.after(plan, "constraints.md").decode() == "# Constraints\n\n- A\n- x\n\n```\n- B\n"
    bench = Bench(tmp_path, constraints="# Constraints\n\n```\n- B\n", inbox="# Inbox\n\n- x\n")
    with pytest.raises(Refused, match="never closes") as caught:
        bench.plan("promote", bench.entries("inbox.md"), to="constraints")
    assert (caught.value.path, caught.value.line) == (f"{MEMORY}/constraints.md", 3)


@pytest.mark.parametrize("opening", ["```", "~~~", "<!-- open", "<pre>"])
def test_an_append_behind_an_unclosed_block_names_its_line(tmp_path: Path, opening: str) -> None:
    bench = Bench(tmp_path, decisions=f"# Decisions\n\n{opening}\ntext\n", inbox="# Inbox\n\n- x\n")
    with pytest.raises(Refused, match="never closes") as caught:
        bench.plan("promote", bench.entries("inbox.md"), to="decisions", reason="because")
    assert (caught.value.path, caught.value.line) == (f"{MEMORY}/decisions.md", 3)


def test_an_edit_above_an_unclosed_block_is_fine(tmp_path: Path) -> None:
    bench = Bench(tmp_path, decisions="# Decisions\n\n## A\n\nText\n\n## B\n\n```\nopen\n", inbox="# Inbox\n\n- x\n")
    plan = bench.plan("strike", bench.entries("decisions.md")[:1])
    assert bench.after(plan, "decisions.md").endswith(b"\n\nText\n\n## B\n\n```\nopen\n")


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("- A\n- B", 4), ("A", 3), ("- A\n\n## New", 5), ("- A\n```\nopen", 4), ("- A\n\nparagraph", 3),
        ("- A\n\n<!-- open", 5), ("## A", 3),
    ],
)
def test_an_edit_must_leave_one_entry(tmp_path: Path, text: str, line: int) -> None:
    bench = Bench(tmp_path, constraints="# Constraints\n\n- First\n- Second\n")
    with pytest.raises(Refused) as caught:
        bench.plan("edit", bench.entries("constraints.md")[:1], text=text)
    assert (caught.value.path, caught.value.field) == (f"{MEMORY}/constraints.md", "text")
    assert caught.value.line in (line, line + 1, line - 1)


def test_what_the_edits_say_must_be_what_is_read(tmp_path: Path) -> None:
    bench = Bench(tmp_path, constraints="# Constraints\n\n- First\n- Second\n")
    document = bench.document("constraints.md")
    draft = Draft(bench.workspace)
    draft.insert(document, document.entries[1].start, "  - nested, not an entry", loose=False, entry=True)
    with pytest.raises(Refused, match=r"First|one entry"):
        verify(draft.works[document.path])
    draft = Draft(bench.workspace)
    draft.insert(document, document.entries[1].start, "- undeclared", loose=False)
    with pytest.raises(Refused, match="one more entry"):
        verify(draft.works[document.path])
    draft = Draft(bench.workspace)
    draft.cut_lines(document, document.entries[0].start, document.entries[0].end)
    with pytest.raises(Refused, match="First"):
        verify(draft.works[document.path])
    draft = Draft(bench.workspace)
    draft.patch(document, document.entries[0].start, document.entries[0].start, "Not a title\n---\n")
    with pytest.raises(Refused):
        verify(draft.works[document.path])


def test_a_heading_that_would_vanish_is_noticed(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    document = bench.document("manifest.md")
    at = document.data.index(b"## Always load")
    draft = Draft(bench.workspace)
    draft.patch(document, at, at, "    ")
    with pytest.raises(Refused, match="no longer be one"):
        verify(draft.works[document.path])
    draft = Draft(bench.workspace)
    at = document.data.index(b"- protocol_version")
    draft.patch(document, at - 1, at - 1, "text\n")
    verify(draft.works[document.path])
