"""What every session loads of a store of records, and what stays out and why."""

from __future__ import annotations

from pathlib import Path

import pytest

from memdesk.core.clock import clock
from memdesk.core.desk import Desk
from memdesk.core.errors import UsageError
from memdesk.core.layouts.base import LoadRequest
from memdesk.core.packing import STANDING
from tests.support.stores import put, record, records_store


def desk(root: Path) -> Desk:
    return Desk.open(str(root), clock=clock("2026-11-30T04:02:51"), user_config=None)


def test_words_and_records_that_stand(tmp_path: Path) -> None:
    records_store(tmp_path, **{
        "docs/adr/00012-late.md": record(12, "Late", "Implemented"), "docs/adr/003-early.md": record(3, "Early"),
        "docs/adr/0004-x.md": record(4, "X", "Superseded by ADR 3"), "docs/adr/0005-x.md": record(5, "X", "Rejected"),
        "docs/adr/0006-x.md": record(6, "X", "Ratified"), "docs/adr/0007-x.md": record(7, "X", "On hold"),
        "docs/design/a.md": "# A\n\nStatus: draft\n", "docs/design/terms.md": "- **Nest**: x\n", "docs/design/b.md": "# B\n",
        "CONTEXT-MAP.md": "# Map\n\n- CONTEXT.md\n",
    })
    pack = desk(tmp_path).pack(LoadRequest("boot"))
    assert [file.path for file in pack.files] == [
        "CONTEXT-MAP.md", "CONTEXT.md", "docs/adr/0001-store-counts-as-csv.md", "docs/adr/003-early.md",
        "docs/adr/00012-late.md",
    ]
    assert [(file.required, file.reason) for file in pack.files][1:3] == [
        (True, "the glossary"), (False, "a record that stands (accepted)"),
    ]
    assert dict(pack.not_loaded) == {
        "docs/adr/0002-sync-at-night.md": "a record that is not decided (proposed)",
        "docs/adr/0004-x.md": "a record that does not stand (superseded by docs/adr/003-early.md)",
        "docs/adr/0005-x.md": "a record that does not stand (rejected)",
        "docs/adr/0006-x.md": "a record whose status is missing or can't be read",
        "docs/adr/0007-x.md": "a record that is not decided (on hold)",
        "docs/design/a.md": "a design record (draft): it is recalled when a question asks for it",
        "docs/design/b.md": "a design record (without a status): it is recalled when a question asks for it",
        "docs/design/terms.md": "words that are not settled: they await CONTEXT.md",
    }
    assert (pack.status, pack.standing) == ("complete", STANDING["records"])
    assert pack.text.startswith(STANDING["records"])


def test_packages_with_words_of_their_own_are_named(tmp_path: Path) -> None:
    records_store(tmp_path)
    records_store(tmp_path, "packages/api")
    root, package = desk(tmp_path).pack(LoadRequest("boot"), "."), desk(tmp_path).pack(LoadRequest("boot"), "packages/api")
    assert root.scope_notes == (
        "packages/api has words or records of its own: memdesk pack --task boot --store packages/api",
    )
    assert package.scope_notes == ()
    assert all(file.path.startswith("packages/api/") for file in package.files)


def test_the_settings_word_the_line_that_a_pack_begins_with(tmp_path: Path) -> None:
    records_store(tmp_path)
    put(tmp_path, "memdesk.toml", '[standing]\nrecords = "These hold."\n')
    assert desk(tmp_path).pack(LoadRequest("boot")).text.startswith("These hold.\n")


@pytest.mark.parametrize(("request_", "said"), [
    (LoadRequest("planning"), "Unknown task 'planning'"), (LoadRequest("boot", areas=("x",)), "--area x"),
    (LoadRequest("boot", rules=("x",)), "--module-rule x"), (LoadRequest("boot", profiles=("x",)), "--profile x"),
])
def test_there_are_no_tasks_and_modules(tmp_path: Path, request_: LoadRequest, said: str) -> None:
    records_store(tmp_path)
    with pytest.raises(UsageError, match=said):
        desk(tmp_path).pack(request_)
