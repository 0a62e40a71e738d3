"""A reading that follows another one is what it would be alone, whatever changed between."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memdesk.core.layouts.custodian.entries import entries
from memdesk.core.model import Document, Entry, Place, Store

PIECES = (
    "# Title\n", "## 2026-05-02\n", "## 2026-05-02 - One\n", "## Two\n", "### Below\n", "Words\n---\n", "Words\n===\n",
    "- [observed] One (from src/a.py:1)\n", "- Two\n  more\n", "- ~~Three~~ struck 2026-05-03\n", "\n", "\n", "text\n",
    "- 2026-01-02 | Four. Reason: it is.\n", "Reason:\nit holds\n", "Status: candidate\n", "No candidates.\n",
    "```\n", "~~~\n## In code\n~~~\n", "<!--\n", "-->\n", "> quote\n", "1. one\n", "    code\n", "[label]: /target\n",
    "  - nested\n", "\t- tab\n",
)  # fmt: skip
TEXTS = st.lists(st.sampled_from(PIECES), max_size=14)
ROLES = ("inbox", "decisions", "constraints", "do-not-use", "brief", "area", "changelog", "archive", "preferences")
STORE = Store("custodian", "docs/memory", "for the test")


def read(role: str, text: str, follows: Document | None = None) -> Document:
    document = Document(f"docs/memory/{role}.md", STORE, Place(role, "durable"), text.encode(), entries)
    if follows is not None:
        document.follow(follows)
    return document


def facts(document: Document) -> list[tuple[object, ...]]:
    names = [name for name in Entry.__slots__ if name != "document"]
    return [tuple(getattr(entry, name) for name in names) for entry in document.entries]


@pytest.mark.slow
@given(st.sampled_from(ROLES), TEXTS, TEXTS, TEXTS, TEXTS, st.booleans())
def test_following_or_not_entries_are_the_same(
    role: str, head: list[str], old: list[str], new: list[str], tail: list[str], crlf: bool
) -> None:
    before, after = ("".join([*head, *middle, *tail]) for middle in (old, new))
    if crlf:
        before, after = before.replace("\n", "\r\n"), after.replace("\n", "\r\n")
    first = read(role, before)
    assert first.entries is first.entries
    second = read(role, after, first)
    assert facts(second) == facts(read(role, after))
    assert all(entry.document is second for entry in second.entries)
    assert second.ids == read(role, after).ids


@pytest.mark.parametrize("looked", [True, False])
def test_the_reading_before_is_let_go(looked: bool) -> None:
    first = read("inbox", "## 2026-05-02\n\n- One\n")
    assert len(first.entries) == 1
    second = read("inbox", "## 2026-05-02\n\n- One\n\n## 2026-05-03\n\n- Two\n", first)
    if looked:
        assert len(second.entries) == 2
        assert second.known is None
    third = read("inbox", "## 2026-05-03\n\n- Two\n", second)
    assert third.known is (second if looked else first)
    assert [(entry.heading, entry.line, entry.start) for entry in third.entries] == [("Two", 3, 15)]


def test_a_section_that_stayed_is_not_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    first = read("inbox", "# Inbox\n\n## 2026-05-02\n\n- One\n\n## 2026-05-03\n\n- Two\n")
    assert len(first.entries) == 2
    text = "# Inbox\n\n## 2026-05-01\n\n- Zero\n\n## 2026-05-02\n\n- One\n\n## 2026-05-03\n\n- Two and more\n"
    second = read("inbox", text, first)
    seen: list[str] = []
    from memdesk.core.layouts.custodian import entries as module

    text_of = module.item_text
    monkeypatch.setattr(module, "item_text", lambda document, block: seen.append(found := text_of(document, block)) or found)
    assert [entry.heading for entry in second.entries] == ["Zero", "One", "Two and more"]
    assert seen == ["Zero", "Two and more"]
