"""Every way to settle every kind of conflict opens a dialog that shows a plan, or says what is still to be filled in."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from memdesk.tui.app import Workbench
from memdesk.tui.dialogs.verdict import Verdict
from memdesk.tui.panes.conflict_rows import Clash
from memdesk.tui.panes.conflicts import ConflictsPane
from memdesk.tui.verbs import BY_ID
from memdesk.tui.widgets.diffview import DiffView
from tests.support.benches import bench
from tests.support.pilots import inspected, play, press, settle
from tests.support.sources import GLOSSARY, RECORDS, decision, memory
from tests.support.stores import git_repo, put, snapshot

SAME = ("dismiss",)  # the same for all kinds, and walked elsewhere
DESIGN = "# {0}\n\n**Status:** Draft\n\n**Supersedes:** {1}\n\nA plan.\n"


def everything(root: Path) -> None:
    """Records, design records, a glossary and memory that disagree in every way."""
    files = {
        **RECORDS,
        **memory(
            decisions=decision("Sync through a broker") + decision("Count once") + decision("Count once", "No, twice."),
            constraints="- Files are split by day (see ADR-0001).\n- Tiles are on disk (see ADR-0004).\n"
            "- **Site**: the web site.\n",
            do_not_use="## Tombstone: Keep counts in SQLite\n\nReason: no. Date: 2026-01-01.\n",
            areas__maps="# Maps\n\n## The tally of a day\n\nIt is drawn.\n",
        ),
        "CONTEXT.md": GLOSSARY,
        "docs/design/a.md": DESIGN.format("A", "ADR-0002"), "docs/design/b.md": DESIGN.format("B", "ADR-0002"),
        "docs/design/c.md": DESIGN.format("C", "Keep counts in SQLite"),
    }
    for path, text in files.items():
        put(root, path, text)
    git_repo(root)


def pane_of(app: Workbench) -> ConflictsPane:
    assert isinstance(app.pane, ConflictsPane)
    return app.pane


@pytest.mark.slow
def test_every_way_opens_its_dialog(tmp_path: Path) -> None:
    everything(tmp_path)
    before = snapshot(tmp_path)
    app = bench(tmp_path, "conflicts")
    kinds: set[str] = set()
    opened: set[tuple[str, str]] = set()
    refused: list[tuple[str, str, str]] = []

    async def script(pilot: Pilot[Any]) -> None:
        pane = pane_of(app)
        for row in list(pane.lines.rows):
            if not isinstance(row.item, Clash):
                continue
            pane.lines.select(row.key)
            await settle(pilot)
            kinds.add(row.item.conflict.kind)
            inspected(app, row.item.conflict.kind)
            for line in [line for line in pane._options if not line.why_not and line.ident not in SAME]:
                await press(pilot, BY_ID[line.ident].key)
                screen = app.screen
                assert isinstance(screen, Verdict), (row.item.conflict.kind, line)
                inspected(app, line.label)
                view = screen.query_one(DiffView)
                if view.subject == "refused" and "The scope is still to be filled in" not in view.plain:
                    refused.append((row.item.conflict.kind, line.label, view.plain))
                opened.add((row.item.conflict.kind, line.ident))
                await press(pilot, "escape")
                assert len(app.screen_stack) == 1

    play(app, script, (120, 36))
    assert kinds >= {"title", "tombstone", "ground", "term", "alias", "design", "overlap"}
    assert {("ground", "supersede"), ("tombstone", "supersede"), ("alias", "follow"), ("design", "amend")} <= opened
    assert refused == []
    assert snapshot(tmp_path) == before
