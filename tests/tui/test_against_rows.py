"""The account of a comparison says all that a difference holds, each once, under a name of its own, in any width."""

from __future__ import annotations

import pytest

from memdesk.core.against import Against
from memdesk.core.packdiff import compare
from memdesk.tui import text
from memdesk.tui.panes import against_rows as rows
from memdesk.tui.panes.against_found import Base, Found
from tests.support.sources import decision, memory
from tests.support.stores import manifest
from tests.support.trees import workspace

TWINS = "# Constraints\n\n- Kept.\n- Twice.\n- Twice.\n- Gone.\n"
LONG = "Counts go into files, never elsewhere, whatever a volunteer says. " * 4
BOTH = decision("One", LONG) + decision("Two", LONG)
BEFORE = memory(constraints=TWINS, decisions=BOTH, areas__maps="# Maps\n\n- Vectors.\n")
AFTER = {
    **memory(constraints="# Constraints\n\n- New.\n- New.\n- Kept.\n", decisions=BOTH),
    "docs/memory/manifest.md": manifest(budgets=["decisions.md: 90 tokens max"], areas=["maps"]),
}


def found() -> Found:
    made = Against("main", None, "0" * 40, None, tuple(compare(workspace(BEFORE), workspace(AFTER))), (), ())
    return Found("", Base("main", "0" * 40, left=True), made)


def test_every_change_has_one_line_with_a_key_of_its_own() -> None:
    kinds = set()
    whole = found()
    assert whole.made is not None
    for one in whole.made.differences:
        account = rows.account_rows(one, whole)
        keys = [row.key for row in account]
        assert len(set(keys)) == len(keys), one.task or one.module
        entries = [row.item for row in account if isinstance(row.item, rows.EntryRow)]
        assert sorted(entry.kind for entry in entries) == sorted(
            name for name in rows.KINDS for _ in getattr(one, name)
        )
        kinds |= {entry.kind for entry in entries}
        said = [row.item.words for row in account if isinstance(row.item, rows.SaidRow)]
        assert said == [*one.failures, *["the pack lacks a file that it needs"] * one.incomplete, *one.framing, *one.notes]
        files = {row.item.path for row in account if isinstance(row.item, rows.FileRow)}
        assert files >= {*one.files_added, *one.files_removed, *one.reordered, *(route.path for route in one.routes)}
    assert kinds >= {"gained", "lost", "newly_omitted"}


@pytest.mark.parametrize("width", [200, 70, 36])
def test_the_line_of_an_entry_fills_its_width_and_no_more(width: int) -> None:
    whole = found()
    assert whole.made is not None
    for one in whole.made.differences:
        for row in rows.account_rows(one, whole):
            if isinstance(row.item, rows.EntryRow):
                assert sum(text.width(piece.text) for piece in rows.draw_account(row.item, width)) == width
            assert rows.explained(row.item, "main")
            assert rows.haystack(row.item) == rows.haystack(row.item).lower() != ""
