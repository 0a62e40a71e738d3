"""Every hostile text as the words of a verb on records: refused as an error of ours, or written as what it was meant to be."""

from __future__ import annotations

from pathlib import Path

import pytest

from memdesk.core.clock import clock
from memdesk.core.desk import Desk
from memdesk.core.errors import MemdeskError
from memdesk.core.plan import Plan, Request
from tests.hostile.inputs import INPUTS
from tests.support.stores import record, records_store

PARTS = 24
FIRST, SECOND, WAITS = "docs/adr/0001-csv.md", "docs/adr/0002-xml.md", "docs/design/terms.md"


@pytest.mark.parametrize("part", [0, *(pytest.param(part, marks=pytest.mark.slow) for part in range(1, PARTS))])
def test_each_input_as_words(tmp_path: Path, part: int) -> None:
    """An old record keeps every line but that of its status, and the store reads as it was meant to: one entry more, or as
    many as before."""
    records_store(tmp_path, standard=False, **{
        FIRST: record(1, "CSV"), SECOND: record(2, "XML", "Proposed", options=""), WAITS: "# T\n\n- **Plot**: a part\n",
        "CONTEXT.md": "# W\n\n**Site**: A place.\n",
    })
    desk = Desk.open(str(tmp_path), clock=clock("2026-11-30T04:02:51"), user_config=None)
    ids = {entry.heading: entry.id for entry in desk.workspace.entries()}
    planned = 0
    for hostile in INPUTS[part::PARTS]:
        data = hostile.bytes(min(hostile.full, 2_000)) if hostile.sized else hostile.bytes()
        text = data.decode("utf-8", "surrogateescape")
        for request in (
            Request("add", (), {"text": text, "kind": "adr"}), Request("add", (), {"text": f"Ring: {text}", "kind": "term"}),
            Request("reject", (ids["XML"],), {"reason": text}), Request("reject", (ids["Plot"],), {"reason": text}),
            Request("promote", (ids["XML"],), {"to": "adr", "options": text}),
            Request("promote", (ids["XML"],), {"to": "adr", "supersedes": text}),
            Request("promote", (ids["Plot"],), {"to": "term", "avoid": text}),
            Request("promote", (ids["XML"],), {"to": "design:x", "text": text}),
            Request("strike", (ids["CSV"],), {"with": text, "reason": "It is old."}),
            Request("strike", (ids["CSV"],), {"with": "Use XML", "reason": text, "title": text}),
            Request("strike", (ids["Site"],), {"reason": text}),
        ):
            try:
                plan = desk.plan(request._replace(person=True))
            except MemdeskError:  # any other error fails the test
                continue
            planned += 1
            _kept(plan)
    assert planned > 10


def _kept(plan: Plan) -> None:
    for step in plan.steps:
        if step.path == FIRST:
            assert step.before is not None
            assert step.after is not None
            was, now = step.before.split(b"\n"), step.after.split(b"\n")
            assert len(was) == len(now)
            assert [line for line in zip(was, now, strict=True) if line[0] != line[1]] in (
                [(b"Accepted", now[was.index(b"Accepted")])], []
            )
            assert b"uperseded by [ADR-000" in step.after
