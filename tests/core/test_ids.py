"""Ids of entries: what they depend on, how short they may be, and what is refused."""

from __future__ import annotations

from pathlib import PurePosixPath

import pytest

from memdesk.core import ids, markdown
from memdesk.core.errors import UnknownEntry
from memdesk.core.model import Document, Entry, Place, Store, Workspace

STORE = Store("custodian", "docs/memory", "test")


def document(text: str, path: str = "docs/memory/inbox.md", role: str = "inbox", aliases: tuple[str, ...] = ()) -> Document:
    """One entry for each top-level bullet, under the headings above it."""

    def read(doc: Document) -> list[Entry]:
        found: list[Entry] = []
        titles: list[str] = []
        page = markdown.parse(doc.data)
        for block in page.blocks:
            if block.kind == "heading" and not block.depth:
                titles = [*titles[: block.level - 1], page.title(block)]
            elif block.kind == "item" and not block.depth:
                found.append(Entry(
                    doc, kind="bullet", start=block.start, end=block.end, line=block.line, end_line=block.end_line,
                    heading=page.title(block), heading_path=tuple(titles),
                ))  # fmt: skip
        return found

    return Document(path, STORE, Place(role, "working"), text.encode(), read, aliases=aliases)


def workspace(*documents: Document) -> Workspace:
    return Workspace(None, [STORE], {doc.path: doc for doc in documents}, [], [])  # type: ignore[arg-type]  # no tree is read


def hashes(text: str, **more: str) -> list[str]:
    return [ident.rpartition("#")[2] for ident in ids.entry_ids(document(text, **more))]


def test_an_id_is_path_and_eight_hex_digits() -> None:
    (ident,) = ids.entry_ids(document("- a\n"))
    path, _, digits = ident.rpartition("#")
    assert PurePosixPath(path) == PurePosixPath("docs/memory/inbox.md")
    assert len(digits) == 8
    assert set(digits) <= set("0123456789abcdef")


def test_an_id_survives_edits_elsewhere() -> None:
    before = hashes("# I\n\n- a\n- b\n")
    assert hashes("# I\n\nintro\n\n- new\n- a\n\n\n- b\n- c\n")[1:3] == before
    assert hashes("# I\r\n\r\n- a\r\n- b") == before


@pytest.mark.parametrize(
    "text",
    [
        "- a b\n", "* a\n", "- a\n  - n\n", "# H\n\n- a\n", "- A\n", "- a\n\n# H\n\n- a\n", "- a\n- a\n",
    ],
)  # fmt: skip
def test_another_text_place_or_twin_is_another_id(text: str) -> None:
    assert hashes("- a\n")[0] not in hashes(text)


def test_role_counts_and_path_does_not() -> None:
    assert hashes("- a\n", role="decisions") != hashes("- a\n")
    assert hashes("- a\n", path="x.md") == hashes("- a\n")


def test_heading_path_and_text_can_not_run_into_each_other() -> None:
    deep = hashes("# A\n\n## B\n\n- c\n")
    flat = hashes("# A\n\n- c\n") + hashes("# A B\n\n- c\n") + hashes("# AB\n\n- c\n") + hashes("## B\n\n- c\n")
    assert len({*deep, *flat}) == 5


def test_a_stale_id_never_names_a_twin() -> None:
    three = document("- a\n- a\n- a\n")
    two = document("- a\n- a\n")
    assert len(set(three.ids)) == 3
    assert not set(three.ids) & set(two.ids)
    for ident in three.ids:
        with pytest.raises(UnknownEntry):
            ids.find(workspace(two), ident)


def test_find_by_id_prefix_and_alias() -> None:
    doc = document("- a\n- b\n", aliases=("AGENTS.md",))
    space = workspace(doc)
    for entry in doc.entries:
        digits = entry.id.rpartition("#")[2]
        assert ids.find(space, entry.id) is entry
        assert ids.find(space, entry.id[:-4]) is entry
        assert ids.find(space, f"AGENTS.md#{digits}") is entry
        assert ids.find(space, f"{doc.path}#{digits.upper()}") is entry
        assert space.find(entry.id) is entry


def test_a_path_may_hold_the_mark_itself() -> None:
    doc = document("- a\n", path="docs/c#/inbox.md")
    assert ids.find(workspace(doc), doc.ids[0]) is doc.entries[0]


def test_more_digits_where_eight_do_not_tell() -> None:
    same = "12345678"
    digests = [same + "a" * 56, same + "ab" * 28, "f" * 64, same + "b" * 56]
    assert ids._shortened(digests) == [same + "aa", same + "ab", "f" * 8, same + "b"]


def test_an_ambiguous_prefix_is_refused_with_what_it_could_mean() -> None:
    doc = document("".join(f"- entry {number}\n" for number in range(2500)))
    by_prefix: dict[str, list[str]] = {}
    for ident in doc.ids:
        by_prefix.setdefault(ident.rpartition("#")[2][:4], []).append(ident)
    prefix, several = next((prefix, found) for prefix, found in by_prefix.items() if len(found) > 1)
    with pytest.raises(UnknownEntry, match=f"names {len(several)} entries") as raised:
        ids.find(workspace(doc), f"{doc.path}#{prefix}")
    assert sorted(raised.value.candidates) == sorted(several)
    assert raised.value.exit_code == 1
    for ident in several:
        assert ids.find(workspace(doc), ident).id == ident


@pytest.mark.parametrize(
    "ident",
    [
        "", "#", "inbox.md", "docs/memory/inbox.md#", "docs/memory/inbox.md#abc", "docs/memory/inbox.md#wxyz",
    ],
)  # fmt: skip
def test_what_is_no_id_is_refused(ident: str) -> None:
    with pytest.raises(UnknownEntry, match="is no entry id"):
        ids.find(workspace(document("- a\n")), ident)


def test_a_bare_hash_is_refused_with_the_whole_id() -> None:
    doc = document("- a\n")
    with pytest.raises(UnknownEntry) as raised:
        ids.find(workspace(doc), doc.ids[0].rpartition("#")[2])
    assert raised.value.candidates == (doc.ids[0],)


def test_a_vanished_one_is_refused_with_what_is_there_now() -> None:
    old, now = document("- a\n- gone\n"), document("- a\n- new\n")
    with pytest.raises(UnknownEntry, match="names no entry: it was changed, moved or taken out") as raised:
        ids.find(workspace(now), old.ids[1])
    assert raised.value.candidates == tuple(now.ids)


def test_one_that_moved_is_refused_with_its_new_place() -> None:
    old, now = document("- a\n"), document("- a\n", path="docs/memory/areas/x.md")
    with pytest.raises(UnknownEntry, match="no memory file") as raised:
        ids.find(workspace(now), old.ids[0])
    assert raised.value.candidates == (now.ids[0],)
    assert now.ids[0] in str(raised.value)


def test_ten_thousand_entries_have_ten_thousand_ids() -> None:
    doc = document("".join(f"- entry {number % 5000}\n" for number in range(10_000)))
    assert len(set(doc.ids)) == 10_000
    space = workspace(doc)
    assert all(ids.find(space, doc.ids[index]).index == index for index in range(0, 10_000, 97))
