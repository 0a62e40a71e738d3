"""Which folders are stores of this layout, and what each file in one is."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from memdesk.core import config
from memdesk.core.layouts.records.kept import USUAL
from memdesk.core.model import Workspace
from memdesk.core.workspace import open_workspace
from tests.support.checking import report
from tests.support.stores import agent_memory_store, custodian_store, git_repo, put, records_store
from tests.support.trees import MemoryTree

TERM = "# Words\n\n**Site**:\nA place.\n"
RECORD = "# 1. X\n\n## Status\n\nAccepted\n"


def opened(files: Mapping[str, str], toml: str = "") -> Workspace:
    tree = MemoryTree({**files, **({"memdesk.toml": toml} if toml else {})})
    return open_workspace(tree, config.load(".", tree))


def found(files: Mapping[str, str], toml: str = "") -> dict[str, str]:
    """Path -> role, of all documents of this layout, the store before it."""
    documents = opened(files, toml).documents.values()
    return {
        f"{document.store.path} {document.path}": document.place.role
        for document in documents if document.store.layout == "records"
    }


def missed(files: Mapping[str, str]) -> dict[str, str]:
    return {miss.path: miss.why for miss in opened(files).near_misses}


@pytest.mark.parametrize("folder", [*USUAL, "docs/architecture/adr"])
def test_numbered_records_in_a_usual_folder_are_a_store(folder: str) -> None:
    assert found({f"{folder}/0001-x.md": RECORD, f"{folder}/012-y.md": RECORD, f"{folder}/00013-z.md": RECORD}) == {
        f". {folder}/0001-x.md": "record", f". {folder}/012-y.md": "record", f". {folder}/00013-z.md": "record",
    }
    assert found({f"packages/api/{folder}/0001-x.md": RECORD}) == {f"packages/api packages/api/{folder}/0001-x.md": "record"}


def test_what_is_no_record() -> None:
    names = (
        "0000-template.md", "0000-use-records.md", "README.md", "index.md", "template.md", "notes.md", "12-x.md", "0001-x.txt",
        "2026-05-02-x.md", "0001-template.md", "sub/0003-x.md",
    )
    files = {f"docs/adr/{name}": RECORD for name in names}
    assert found(files) == {}
    assert found({**files, "docs/adr/0002-x.md": RECORD}) == {". docs/adr/0002-x.md": "record"}


def test_the_glossary_of_the_root_and_of_a_package() -> None:
    files = {"CONTEXT.md": TERM, "packages/api/package.json": "{}", "packages/api/CONTEXT.md": TERM, "src/x/CONTEXT.md": TERM}
    assert found(files) == {". CONTEXT.md": "glossary", "packages/api packages/api/CONTEXT.md": "glossary"}
    assert list(missed(files)) == ["src/x"]
    assert found({**files, "src/x/docs/adr/0001-x.md": RECORD})["src/x src/x/CONTEXT.md"] == "glossary"


def test_a_map_names_glossaries() -> None:
    files = {
        "CONTEXT-MAP.md": (
            "# Map\n\n- [Ordering](./src/ordering/CONTEXT.md): orders\n- `src/billing/CONTEXT.md`\n- ../out/CONTEXT.md\n"
            "- src/gone/CONTEXT.md\n"
        ),
        "src/ordering/CONTEXT.md": TERM, "src/billing/CONTEXT.md": TERM, "src/other/CONTEXT.md": TERM,
    }
    assert found(files) == {
        ". CONTEXT-MAP.md": "map", "src/billing src/billing/CONTEXT.md": "glossary",
        "src/ordering src/ordering/CONTEXT.md": "glossary",
    }
    assert missed(files) == {
        "src/gone": "CONTEXT-MAP.md names a CONTEXT.md here, and there is none.",
        "src/other": "CONTEXT.md is here, but no package and no records: name it in a CONTEXT-MAP.md, or in stores.layout.",
    }


@pytest.mark.parametrize(("name", "told"), [
    ("20200101-by-date.md", True), ("2020-01-01-by-date.md", True), ("12-short.md", True), ("0012_underscore.md", True),
    ("ADR-0012-named.md", True), ("adr_12.md", True), ("overview.md", False), ("template.md", False), ("0000-start.md", False),
])
def test_what_looks_like_a_record_and_is_not_read_is_told(name: str, told: bool) -> None:
    """A folder in which no file has our kind of name, and one in which just some have not."""
    there = missed({f"docs/adr/{name}": RECORD})
    assert ("docs/adr" in there) is (told or name == "overview.md")
    some = missed({f"docs/adr/{name}": RECORD, "docs/adr/0001-x.md": RECORD})
    assert some == ({"docs/adr": f"{name} is not read: records are named 0001-title.md, with 3 to 5 digits."} if told else {})


def test_several_that_are_not_read_are_counted() -> None:
    files = {"docs/adr/0001-x.md": RECORD} | {f"docs/adr/2020010{day}-x.md": RECORD for day in (1, 2, 3)}
    assert missed(files)["docs/adr"].startswith("20200101-x.md and 2 more are not read:")


def test_design_records_and_words_that_await_the_glossary() -> None:
    files = {
        "CONTEXT.md": TERM, "docs/design/x.md": "# X\n", "docs/design/deep/y.md": "# Y\n", "docs/design/terms.md": TERM,
        "docs/design/README.md": "# R\n", "docs/design/0000-template.md": "# T\n", "docs/design/x.png": "",
    }
    assert found(files) == {
        ". CONTEXT.md": "glossary", ". docs/design/x.md": "design", ". docs/design/deep/y.md": "design",
        ". docs/design/terms.md": "terms",
    }
    assert found({**files, "specs/z.md": "# Z\n"}, '[records]\ndesign = "specs"\n') == {
        ". CONTEXT.md": "glossary", ". specs/z.md": "design",
    }
    del files["CONTEXT.md"]
    assert found(files) == {}


@pytest.mark.parametrize(("pointer", "where"), [
    ("rfc\n", "rfc"), ("./rfc/", "rfc"), ("docs\\rfc", "docs/rfc"), ("docs/../rfc", "rfc"), (".", "."),
])
def test_a_pointer_says_where_records_are(pointer: str, where: str) -> None:
    folder = "" if where == "." else where + "/"
    assert found({".adr-dir": pointer, f"{folder}0001-x.md": RECORD}) == {f". {folder}0001-x.md": "record"}


@pytest.mark.parametrize("pointer", ["../rfc", "/rfc", "a/../../rfc", "~/rfc", "C:\\rfc", "", "\n", "..", "\\\\host\\x"])
def test_a_pointer_cannot_leave_the_repository(pointer: str) -> None:
    files = {".adr-dir": pointer, "rfc/0001-x.md": RECORD}
    assert found(files) == {}
    assert missed(files)["."].endswith("which is no folder of this repository.")


def test_a_pointer_of_a_package() -> None:
    files = {"packages/api/.adr-dir": "rfc", "packages/api/rfc/0001-x.md": RECORD, "docs/rfc/0001-y.md": RECORD}
    assert found(files) == {"packages/api packages/api/rfc/0001-x.md": "record"}
    assert found({**files, "packages/api/.adr-dir": "../../docs/rfc"}) == {". docs/rfc/0001-y.md": "record"}
    assert missed({".adr-dir": "gone", "x.md": ""})["."] == ".adr-dir points to 'gone', and there is no such folder."


def test_the_settings_name_a_store() -> None:
    files = {"teams/db/choices/0001-x.md": RECORD, "teams/db/0002-y.md": RECORD, "tutorial/001-start.md": "# S\n"}
    assert found(files) == {}
    assert found(files, '[stores.layout]\n"teams/db" = "records"\n') == {
        "teams/db teams/db/choices/0001-x.md": "record", "teams/db teams/db/0002-y.md": "record",
    }
    assert found({"docs/adr/0001-x.md": RECORD}, '[stores.layout]\n"docs/adr" = "none"\n') == {}


def test_a_folder_that_is_nearly_one_is_named() -> None:
    assert missed({"docs/decisions/use-csv.md": RECORD, "docs/adr/0001-x.md": RECORD}) == {}
    assert missed({"docs/decisions/use-csv.md": RECORD, "packages/a/docs/adr/0001-x.md": RECORD}) == {
        "docs/decisions": "It holds no numbered record: those are named 0001-title.md, with 3 to 5 digits.",
    }
    assert missed({"docs/adr/README.md": "", "docs/adr/0000-template.md": ""}) == {}


def test_the_first_record_goes_where_its_template_is() -> None:
    [store] = opened({"CONTEXT.md": TERM, "docs/decisions/template.md": RECORD}).stores
    assert store.settings.records == ("docs/decisions",)
    [store] = opened({"CONTEXT.md": TERM}).stores
    assert store.settings.records == ("docs/adr",)


def test_other_stores_stay_as_they_are(tmp_path: Path) -> None:
    custodian_store(tmp_path)
    agent_memory_store(tmp_path, "bot")
    put(tmp_path, "docs/design/x.md", "# X\n")
    git_repo(tmp_path)
    before = report(tmp_path)
    assert [store.layout for store in before.stores] == ["agent-memory", "custodian"]
    records_store(tmp_path)
    git_repo(tmp_path)
    after = report(tmp_path)
    assert [store.layout for store in after.stores] == ["records", "agent-memory", "custodian"]
    assert after.exit_code == 0


def test_a_status_that_the_settings_make_mean_nothing_known(tmp_path: Path) -> None:
    records_store(tmp_path)
    put(tmp_path, "memdesk.toml", '[records.statuses]\n"in force" = "valid"\n')
    done = report(tmp_path)
    assert done.exit_code == 2
    [failure] = done.failures
    said = "memdesk.toml:2: records.statuses says that 'in force' means 'valid', which is no status. Known: draft, proposed,"
    assert failure.startswith(said)
    assert {rule.status for rule in done.rules if rule.rule.startswith(("adr-", "term-"))} == {"skip"}
