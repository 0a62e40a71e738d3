"""Which store a path belongs to, with layouts made up for it: configuration, then markers, then depth; a tie is said."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType

import pytest

from memdesk.core import config, layouts
from memdesk.core.config import Settings
from memdesk.core.errors import StoreError
from memdesk.core.layouts.base import Layout
from memdesk.core.model import Document, Entry, NearMiss, Place, Store, Workspace
from memdesk.core.tree import Tree
from memdesk.core.workspace import open_workspace, refresh, work_tree
from tests.support.stores import put


class Marked(Layout):
    """A layout of folders that hold a file of some name; `.md` files below are memory."""

    def __init__(self, name: str, sign: str, *, marker: bool = True) -> None:
        self.name = name
        self.sign = sign
        self.marker = marker
        self.init_path = f"docs/{name}"

    def detect(self, tree: Tree, paths: Sequence[str], settings: Settings) -> tuple[list[Store], list[NearMiss]]:
        stores = []
        for path in paths:
            folder, _, name = path.rpartition("/")
            if name == self.sign:
                stores.append(Store(self.name, folder or ".", path, tree.read(path), marker=self.marker))
        return stores, []

    def classify(self, store: Store, path: str) -> Place | None:
        return Place("notes", "durable") if path.endswith(".md") else None

    def entries(self, document: Document) -> list[Entry]:
        return []


class Broken(Marked):
    def detect(self, tree: Tree, paths: Sequence[str], settings: Settings) -> tuple[list[Store], list[NearMiss]]:
        raise StoreError("is no configuration.", path="broken.json", line=3, remedy="Mend it.")


@pytest.fixture
def known(monkeypatch: pytest.MonkeyPatch) -> None:
    """Layouts "one" (sign one.cfg), "two" (two.cfg) and "shape" (shape.cfg, no marker), instead of the real ones."""
    made: dict[str, str] = {}
    for layout in (Marked("one", "one.cfg"), Marked("two", "two.cfg"), Marked("shape", "shape.cfg", marker=False)):
        module = ModuleType(f"memdesk_test_layout_{layout.name}")
        module.LAYOUT = layout  # type: ignore[attr-defined]
        monkeypatch.setitem(sys.modules, module.__name__, module)
        made[layout.name] = module.__name__
    monkeypatch.setattr(layouts, "LAYOUTS", made)


def opened(root: Path) -> Workspace:
    settings = config.load(str(root))
    return open_workspace(work_tree(str(root), settings), settings)


def owners(space: Workspace) -> dict[str, str]:
    return {path: f"{document.store.layout} {document.store.path}" for path, document in space.documents.items()}


@pytest.mark.usefixtures("known")
def test_the_deepest_root_owns_a_path(tmp_path: Path) -> None:
    for path in ("one.cfg", "a.md", "in/two.cfg", "in/b.md", "in/deep/c.md", "in-not/d.md"):
        put(tmp_path, path, "")
    space = opened(tmp_path)
    assert owners(space) == {"a.md": "one .", "in/b.md": "two in", "in/deep/c.md": "two in", "in-not/d.md": "one ."}
    assert space.problems == []


@pytest.mark.usefixtures("known")
def test_a_marker_beats_a_deeper_shape(tmp_path: Path) -> None:
    for path in ("docs/one.cfg", "docs/a.md", "docs/in/shape.cfg", "docs/in/b.md", "shape.cfg", "c.md"):
        put(tmp_path, path, "")
    assert owners(opened(tmp_path)) == {"docs/a.md": "one docs", "docs/in/b.md": "one docs", "c.md": "shape ."}


@pytest.mark.usefixtures("known")
def test_the_configuration_beats_both(tmp_path: Path) -> None:
    for path in ("docs/one.cfg", "docs/in/two.cfg", "docs/in/b.md", "docs/shape.cfg", "docs/a.md"):
        put(tmp_path, path, "")
    put(tmp_path, "memdesk.toml", '[stores.layout]\n"docs" = "shape"\n')
    space = opened(tmp_path)
    assert owners(space) == {"docs/a.md": "shape docs", "docs/in/b.md": "shape docs"}
    assert space.problems == []
    put(tmp_path, "memdesk.toml", '[stores.layout]\n"docs" = "shape"\n"docs/in" = "two"\n')
    assert owners(opened(tmp_path)) == {"docs/a.md": "shape docs", "docs/in/b.md": "two docs/in"}


@pytest.mark.usefixtures("known")
def test_none_hides_a_folder_from_all_layouts_but_not_what_is_named_below_it(tmp_path: Path) -> None:
    for path in ("old/one.cfg", "old/a.md", "old/keep/two.cfg", "old/keep/b.md", "one.cfg", "c.md"):
        put(tmp_path, path, "")
    put(tmp_path, "memdesk.toml", '[stores.layout]\n"old" = "none"\n"old/keep" = "two"\n')
    space = opened(tmp_path)
    assert {(store.layout, store.path) for store in space.stores} == {("one", "."), ("two", "old/keep")}
    assert owners(space)["old/keep/b.md"] == "two old/keep"
    assert "old/a.md" not in owners(space)


@pytest.mark.usefixtures("known")
def test_a_tie_is_a_finding_and_read_only_until_it_is_configured(tmp_path: Path) -> None:
    for path in ("docs/one.cfg", "docs/two.cfg", "docs/a.md", "docs/b.md", "else/one.cfg", "else/c.md"):
        put(tmp_path, path, "")
    space = opened(tmp_path)
    assert [(found.rule, found.severity, found.path) for found in space.problems] == [("store-tie", "error", "docs")]
    assert '"docs" = "one"' in space.problems[0].hint
    assert {store.path: bool(store.read_only) for store in space.stores} == {"docs": True, "else": False}
    assert set(space.documents) == {"docs/a.md", "docs/b.md", "else/c.md"}  # still shown
    assert refresh(space) is space  # and it stays so
    put(tmp_path, "docs/a.md", "changed")
    again = refresh(space, ["docs/a.md"])
    assert [store.read_only for store in again.stores] == [store.read_only for store in space.stores]
    put(tmp_path, "memdesk.toml", '[stores.layout]\n"docs" = "two"\n')
    settled = refresh(space, ["memdesk.toml"], config.load(str(tmp_path)))
    assert settled.problems == []
    assert all(store.read_only is None for store in settled.stores)
    assert owners(settled)["docs/a.md"] == "two docs"


@pytest.mark.usefixtures("known")
def test_two_shapes_at_one_root_without_a_common_file_are_no_tie(tmp_path: Path) -> None:
    put(tmp_path, "docs/one.cfg", "")
    put(tmp_path, "docs/two.cfg", "")
    space = opened(tmp_path)
    assert space.problems == []
    assert len(space.stores) == 2


@pytest.mark.usefixtures("known")
def test_a_configured_layout_that_does_not_recognise_its_folder_is_an_error(tmp_path: Path) -> None:
    put(tmp_path, "docs/a.md", "")
    put(tmp_path, "memdesk.toml", '[stores]\nlayout = { "docs" = "one" }\n')
    with pytest.raises(StoreError, match="that layout does not recognise it") as caught:
        opened(tmp_path)
    assert (caught.value.path, caught.value.line) == ("memdesk.toml", 2)
    put(tmp_path, "memdesk.toml", '[stores.layout]\n"docs/a.md" = "one"\n')
    with pytest.raises(StoreError, match="it is a file"):
        opened(tmp_path)


@pytest.mark.usefixtures("known")
def test_what_a_layout_looked_at_reopens_the_workspace_when_it_changes(tmp_path: Path) -> None:
    for path in ("docs/one.cfg", "docs/a.md"):
        put(tmp_path, path, "1")
    space = opened(tmp_path)
    put(tmp_path, "docs/one.cfg", "2")
    new = refresh(space, ["docs/one.cfg"])
    assert (space.stores[0].settings, new.stores[0].settings) == (b"1", b"2")
    assert new.documents["docs/a.md"].store is new.stores[0]
    assert refresh(new, ["docs/one.cfg"]) is new


@pytest.mark.usefixtures("known")
def test_a_layout_that_fails_is_a_finding_and_the_others_still_open(tmp_path: Path) -> None:
    module = sys.modules["memdesk_test_layout_two"]
    module.LAYOUT = Broken("two", "two.cfg")  # type: ignore[attr-defined]
    put(tmp_path, "docs/one.cfg", "")
    put(tmp_path, "docs/a.md", "")
    space = opened(tmp_path)
    assert [store.layout for store in space.stores] == ["one"]
    assert [tuple(found)[:4] for found in space.problems] == [("unreadable", "error", "broken.json", 3)]


@pytest.mark.usefixtures("known")
def test_a_link_in_the_place_of_a_stores_folder_is_said(tmp_path: Path) -> None:
    put(tmp_path, "root/shared/one.cfg", "")
    (tmp_path / "outside").mkdir()
    (tmp_path / "root/docs").mkdir()
    (tmp_path / "root/docs/one").symlink_to("../shared")
    (tmp_path / "root/docs/two").symlink_to(tmp_path / "outside")
    misses = opened(tmp_path / "root").near_misses
    assert [miss.path for miss in misses] == ["docs/one", "docs/two"]
    assert "link to the folder shared" in misses[0].why
    assert "leads out of the workspace" in misses[1].why
