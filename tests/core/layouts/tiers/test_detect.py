"""Which folders are stores of this layout, what each file in one is, and what is none."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from memdesk.core import config
from memdesk.core.layouts.tiers.kept import Kept
from memdesk.core.model import Store, Workspace
from memdesk.core.workspace import find_root, open_workspace
from tests.support.stores import TIERS, agent_memory_store, custodian_store, fact, git_repo, put, records_store, tiers_store
from tests.support.trees import MemoryTree

FACT = fact("Sites are named after villages")
LINE = "- [names](facts/names.md): Sites are named after villages\n"
INDEX = f"# Index\n\n{LINE}"
LOG = "memory/log/2026-05-01.md"


def opened(files: Mapping[str, str], toml: str = "") -> Workspace:
    tree = MemoryTree({**files, **({"memdesk.toml": toml} if toml else {})})
    return open_workspace(tree, config.load(".", tree))


def stores(files: Mapping[str, str], toml: str = "") -> list[str]:
    return [f"{store.layout} {store.path}" for store in opened(files, toml).stores]


def found(files: Mapping[str, str], toml: str = "") -> dict[str, str]:
    """Path -> role, of all documents of this layout."""
    documents = opened(files, toml).documents.values()
    return {document.path: document.place.role for document in documents if document.store.layout == "tiers"}


def store(files: Mapping[str, str], toml: str = "") -> Store:
    found = [one for one in opened(files, toml).stores if one.layout == "tiers"]
    assert len(found) == 1, found
    return found[0]


def kept(files: Mapping[str, str], toml: str = "") -> Kept:
    value = store(files, toml).settings
    assert isinstance(value, Kept)
    return value


def missed(files: Mapping[str, str]) -> dict[str, str]:
    return {miss.path: miss.why for miss in opened(files).near_misses}


# By what is there


def test_an_index_that_leads_to_described_facts_is_a_store() -> None:
    files = {
        "memory/INDEX.md": INDEX, "memory/facts/names.md": FACT, "memory/facts/deep/er.md": FACT, LOG: "- x\n",
        "memory/log/README.md": "How we log.\n", "memory/working/plan.md": "- y\n", "memory/working/a/b.md": "- y\n",
        "memory/inbox.md": "- z\n", "memory/archive/old.md": FACT, "memory/facts/README.md": "What facts are.\n",
        "memory/facts/names.txt": "no", "memory/notes.md": "no fact: it lies beside the index\n", "README.md": "no\n",
    }
    assert found(files) == {
        "memory/INDEX.md": "index", "memory/archive/old.md": "archive", "memory/facts/deep/er.md": "fact",
        "memory/facts/names.md": "fact", "memory/inbox.md": "inbox", "memory/log/2026-05-01.md": "log",
        "memory/working/a/b.md": "working", "memory/working/plan.md": "working",
    }
    tiers = {document.path: document.place.tier for document in opened(files).documents.values()}
    paths = ("memory/INDEX.md", "memory/facts/names.md", LOG, "memory/inbox.md", "memory/archive/old.md")
    assert [tiers[path] for path in paths] == ["index", "durable", "log", "working", "archive"]


@pytest.mark.parametrize(
    "line",
    [
        "- [names](facts/names.md): Sites", "* [names](./facts/names.md): Sites", "+ [names](<facts/names.md>) - Sites",
        '- [names](facts/names.md "All names"): Sites', "- [names](facts/na%6Des.md) — Sites", "1. [names](facts/names.md)",
        "- **[names](facts/names.md)**: Sites", "- [ ] [names](facts/names.md): Sites", "- [[names]]: Sites",
        "- [[facts/names|The names]]: Sites", "- Names:\n  - [names](facts/names.md): Sites",
        "- [names](facts/names.md#why): Sites", "- [all \\[of\\] them](facts/names.md): Sites",
    ],
)
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_every_spelling_of_a_line_leads_to_its_fact(line: str, newline: str) -> None:
    text = f"\ufeff# Index\n\n{line}\n".replace("\n", newline)
    assert stores({"memory/INDEX.md": text, "memory/facts/names.md": FACT.replace("\n", newline)}) == ["tiers memory"]


def test_the_index_may_be_called_memory_and_stand_anywhere() -> None:
    assert stores({"memory/MEMORY.md": INDEX, "memory/facts/names.md": FACT}) == ["tiers memory"]
    assert stores({"api/memory/INDEX.md": INDEX, "api/memory/facts/names.md": FACT}) == ["tiers api/memory"]
    assert stores({"notes/INDEX.md": INDEX, "notes/facts/names.md": FACT}) == ["tiers notes"]
    assert stores({"INDEX.md": INDEX, "facts/names.md": FACT}) == ["tiers ."]
    both = {"memory/INDEX.md": INDEX, "memory/MEMORY.md": "- [names](facts/names.md)\n", "memory/facts/names.md": FACT}
    assert found(both) == {"memory/INDEX.md": "index", "memory/facts/names.md": "fact"}


def test_facts_beside_the_index() -> None:
    files = {
        "memory/MEMORY.md": "- [Names](names.md) — where they come from\n- [Dates](dates.md) — how they are written\n",
        "memory/names.md": FACT, "memory/dates.md": FACT, "memory/unlisted.md": FACT, "memory/README.md": "no\n",
        LOG: "- x\n", "memory/inbox.md": "- y\n", "memory/other/thing.md": FACT, "memory/AGENTS.md": "no\n",
    }
    assert kept(files).facts == ""
    assert found(files) == {
        "memory/MEMORY.md": "index", "memory/dates.md": "fact", "memory/inbox.md": "inbox", "memory/log/2026-05-01.md": "log",
        "memory/names.md": "fact", "memory/unlisted.md": "fact",
    }
    at_the_root = {path.removeprefix("memory/"): text for path, text in files.items()}
    assert found({**at_the_root, "docs/x.md": FACT, "CHANGELOG.md": "no\n"}) == {
        "MEMORY.md": "index", "dates.md": "fact", "inbox.md": "inbox", "log/2026-05-01.md": "log", "names.md": "fact",
        "unlisted.md": "fact",
    }


def test_facts_in_folders_of_other_names() -> None:
    files = {
        "memory/INDEX.md": "- [a](people/a.md): x\n- [b](prices/b.md): x\n- [c](c.md): x\n- [log](log/2026-05-01.md): x\n",
        "memory/people/a.md": FACT, "memory/people/other.md": FACT, "memory/prices/b.md": FACT, "memory/c.md": FACT,
        "memory/log/2026-05-01.md": "- x\n", "memory/drafts/d.md": FACT,
    }
    assert {path for path, role in found(files).items() if role == "fact"} == {
        "memory/people/a.md", "memory/people/other.md", "memory/prices/b.md", "memory/c.md",
    }
    alone = {"kb/INDEX.md": "- [a](knowledge/a.md): x\n", "kb/knowledge/a.md": FACT, "kb/b.md": FACT}
    assert found(alone) == {"kb/INDEX.md": "index", "kb/knowledge/a.md": "fact"}


def test_the_index_above_its_memory_folder() -> None:
    files = {
        "MEMORY.md": "- [names](memory/facts/names.md): Sites\n", "memory/facts/names.md": FACT, LOG: "- x\n",
        "memory/working/y.md": "- y\n", "src/x.md": FACT,
    }
    assert found(files) == {
        "MEMORY.md": "index", "memory/facts/names.md": "fact", LOG: "log", "memory/working/y.md": "working",
    }
    del files[LOG], files["memory/working/y.md"]
    assert kept(files)[:6] == ("MEMORY.md", "memory/facts", "memory/log", "memory/working", "memory/inbox.md", "memory/archive")


def test_a_store_without_facts_is_known_by_its_log() -> None:
    files = {"memory/INDEX.md": "# Index\n", "memory/log/2026-05-01.md": "- x\n", "memory/inbox.md": "# Inbox\n"}
    assert stores(files) == ["tiers memory"]
    assert store(files).reason == "INDEX.md beside log/"
    assert stores({"memory/INDEX.md": "# Index\n", "memory/log/2026-05-01.md": "- x\n"}) == []
    assert stores({"memory/INDEX.md": "# Index\n", "memory/log/may.md": "- x\n", "memory/inbox.md": ""}) == []


def test_a_store_whose_facts_are_broken_is_still_one() -> None:
    files = {f"memory/{name}": text for name, text in TIERS.items() if isinstance(text, str)}
    broken = {path: text.partition("---\n\n")[2] or text if "/facts/" in path else text for path, text in files.items()}
    assert sorted(found(broken)) == sorted(files)


# What is none


LOOK_ALIKES: Mapping[str, Mapping[str, str]] = {
    "docs without front matter": {"docs/INDEX.md": "- [A](a.md): x\n- [B](b.md)\n", "docs/a.md": "x", "docs/b.md": ""},
    "a site's pages": {
        "docs/INDEX.md": "- [A](a.md): x\n", "docs/a.md": "---\ntitle: A\ndescription: About A\nsidebar_position: 1\n---\n",
    },
    "skills": {"skills/INDEX.md": "- [A](a/SKILL.md): x\n", "skills/a/SKILL.md": "---\nname: a\ndescription: Does a\n---\n"},
    "commands": {
        ".agent/INDEX.md": "- [A](cmd/a.md): x\n", ".agent/cmd/a.md": "---\ndescription: Does a\nallowed-tools: Bash\n---\n",
    },
    "one of many": {
        "docs/INDEX.md": "".join(f"- [{n}]({n}.md)\n" for n in "abcd"), "docs/a.md": FACT, "docs/b.md": "b", "docs/c.md": "c",
        "docs/d.md": "d",
    },
    "links in prose": {"docs/INDEX.md": "See [a](a.md), which says so.\n", "docs/a.md": FACT},
    "links in code": {"docs/INDEX.md": "```\n- [a](a.md): x\n```\n", "docs/a.md": FACT},
    "a list in a README": {"README.md": LINE, "facts/names.md": FACT},
    "addresses": {"docs/INDEX.md": "- [a](https://example.com/a.md): x\n- [b](mailto:b.md): x\n", "docs/a.md": FACT},
    "outside": {"docs/INDEX.md": "- [a](../a.md): x\n", "a.md": FACT},
    "dead": {"docs/INDEX.md": "- [a](a.md): x\n"},
    "numbered records": {"adr/INDEX.md": "- [1](0001-a.md): x\n", "adr/0001-a.md": "---\ndescription: x\n---\n# 1. A\n"},
    "a feature's": {".jonggrang/memory/INDEX.md": INDEX, ".jonggrang/memory/facts/names.md": FACT},
}


@pytest.mark.parametrize("files", LOOK_ALIKES.values(), ids=LOOK_ALIKES.keys())
def test_what_only_looks_like_one(files: Mapping[str, str]) -> None:
    assert [one for one in stores(files) if one.startswith("tiers")] == []


@pytest.mark.parametrize(
    "marker",
    [
        {"memory-lint.json": "{}"}, {"MEMORY.md": "# Index\n", "memory/people/ada.md": "# Ada\n"},
        {"MEMORY.md": "# Index\n", "memory/decisions/x.md": "# X\n"},
    ],
)
def test_where_the_marker_of_agent_memory_is_there_is_none(marker: Mapping[str, str]) -> None:
    files = {"memory/INDEX.md": INDEX, "memory/facts/names.md": FACT, "memory/log/2026-05-01.md": "- x\n", **marker}
    assert stores(files) == ["agent-memory ."]
    assert stores({**files, "other/memory/INDEX.md": INDEX, "other/memory/facts/names.md": FACT}) == [
        "agent-memory .", "tiers other/memory",
    ]
    assert stores({"manifest.md": "# An app's\n", "memory/INDEX.md": INDEX, "memory/facts/names.md": FACT}) == ["tiers memory"]
    assert "tiers memory" in stores(files, '[stores.layout]\n"memory" = "tiers"\n')


def test_other_layouts_keep_their_files(tmp_path: Path) -> None:
    custodian_store(tmp_path, **{"areas/storage": "# Storage\n\n- x\n"})
    put(tmp_path, "docs/memory/areas/INDEX.md", "- [storage](storage.md): x\n")
    put(tmp_path, "docs/memory/areas/storage.md", "---\ndescription: x\n---\n# Storage\n\n- x\n")
    records_store(tmp_path)
    agent_memory_store(tmp_path, "agent")
    put(tmp_path, "docs/adr/INDEX.md", "- [1](0001-store-counts-as-csv.md): x\n")
    put(tmp_path, "docs/adr/0001-store-counts-as-csv.md", "---\ndescription: x\nstatus: accepted\n---\n# X\n")
    tiers_store(tmp_path)
    workspace = open_workspace(MemoryTree({
        path.relative_to(tmp_path).as_posix(): path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()
    }), config.defaults())
    assert [f"{one.layout} {one.path}" for one in workspace.stores] == [
        "records .", "agent-memory agent", "custodian docs/memory", "tiers memory",
    ]
    assert not workspace.problems
    owners = {document.store.layout for path, document in workspace.documents.items() if not path.startswith("memory/")}
    assert owners == {"records", "agent-memory", "custodian"}


# Near misses


def test_what_is_missing_is_said() -> None:
    plain = {"memory/INDEX.md": INDEX, "memory/facts/names.md": "# Names\n"}
    assert missed(plain) == {
        "memory": "INDEX.md is here, but no file that its lines link to has a description in its front matter.",
    }
    unlinked = {"memory/INDEX.md": "# Index\n", "memory/facts/names.md": FACT}
    assert missed(unlinked) == {"memory": "INDEX.md is here beside facts/, but none of its lines links to a file there."}
    without = {"memory/facts/names.md": FACT, "memory/log/2026-05-01.md": "- x\n"}
    assert missed(without) == {"memory": "There are facts and a log, but no INDEX.md (or MEMORY.md) beside them."}
    assert missed({**without, "memory/index.md": INDEX}) == {
        "memory": "There are facts and a log, and a file index.md; this layout reads INDEX.md or MEMORY.md.",
    }
    few = missed(LOOK_ALIKES["one of many"])
    assert few == {"docs": "INDEX.md leads to 3 files that were looked at, and only 1 have a description in front matter."}


@pytest.mark.parametrize("name", ["docs without front matter", "a site's pages", "skills", "links in prose", "dead", "outside"])
def test_ordinary_folders_are_no_near_misses(name: str) -> None:
    assert missed(LOOK_ALIKES[name]) == {}


# By the settings


def test_folders_of_other_names_by_the_settings() -> None:
    toml = (
        '[tiers]\nfacts = "kb/knowledge"\nindex = "kb/START.md"\nlog = "kb/journal"\nworking = "kb/scratch"\n'
        'inbox = "kb/new.md"\narchive = "kb/old"\nlog_days = 3\nmax_facts = 20\n'
    )
    files = {
        "kb/START.md": "# Index\n", "kb/knowledge/a.md": FACT, "kb/journal/2026-05-01.md": "- x\n", "kb/scratch/y.md": "- y\n",
        "kb/new.md": "- z\n", "kb/old/b.md": FACT, "kb/other.md": "no\n",
    }
    assert found(files, toml) == {
        "kb/START.md": "index", "kb/knowledge/a.md": "fact", "kb/journal/2026-05-01.md": "log", "kb/scratch/y.md": "working",
        "kb/new.md": "inbox", "kb/old/b.md": "archive",
    }
    made = store(files, toml)
    assert (made.path, made.reason, made.marker) == ("kb", "the settings say so (tiers)", True)
    assert kept(files, toml)[:8] == ("START.md", "knowledge", "journal", "scratch", "new.md", "old", 3, 20)


def test_tiers_that_lie_apart_are_one_store_above_them() -> None:
    toml = '[tiers]\nfacts = "knowledge"\nlog = "docs/journal"\n'
    files = {"memory/INDEX.md": "# Index\n", "knowledge/a.md": FACT, "docs/journal/2026-05-01.md": "- x\n", "docs/a.md": "no\n"}
    assert found(files, toml) == {"memory/INDEX.md": "index", "knowledge/a.md": "fact", "docs/journal/2026-05-01.md": "log"}
    assert store(files, toml).path == "."


def test_a_limit_alone_makes_no_store_and_holds_for_those_that_are_there() -> None:
    toml = "[tiers]\nlog_days = 3\nmax_facts = 9\n"
    assert stores({"src/a.py": ""}, toml) == []
    made = kept({"memory/INDEX.md": INDEX, "memory/facts/names.md": FACT}, toml)
    assert (made.log_days, made.max_facts) == (3, 9)


def test_settings_for_what_is_not_there_make_no_store() -> None:
    assert stores({"src/a.py": ""}, '[tiers]\nfacts = "kb"\n') == []


def test_facts_beside_the_index_by_the_settings() -> None:
    toml = (
        '[tiers]\nfacts = "kb"\nindex = "kb/INDEX.md"\nlog = "kb/log"\nworking = "kb/w"\ninbox = "kb/in.md"\n'
        'archive = "kb/old"\n'
    )
    files = {
        "kb/INDEX.md": "# I\n", "kb/a.md": FACT, "kb/log/2026-05-01.md": "- x\n", "kb/in.md": "- x\n", "kb/w/y.md": "- y\n",
        "docs/a.md": FACT,
    }
    assert found(files, toml) == {
        "kb/INDEX.md": "index", "kb/a.md": "fact", "kb/log/2026-05-01.md": "log", "kb/in.md": "inbox", "kb/w/y.md": "working",
    }


def test_a_folder_that_the_settings_name() -> None:
    toml = '[stores.layout]\n"docs/notes" = "tiers"\n'
    files = {"docs/notes/a.txt": "", "docs/notes/facts/a.md": "no front matter\n", "docs/notes/MEMORY.md": "# Index\n"}
    assert found(files, toml) == {"docs/notes/facts/a.md": "fact", "docs/notes/MEMORY.md": "index"}
    assert stores({**files, "docs/notes/INDEX.md": INDEX}, '[stores.layout]\n"docs/notes" = "none"\n') == []
    assert stores({"memory/INDEX.md": INDEX, "memory/facts/names.md": FACT}, '[stores.layout]\n"memory" = "none"\n') == []


# On disk


def test_a_large_repository_is_not_read_to_find_one() -> None:
    """Of fifty thousand files only an index is read, and of what it leads to a few."""
    files = {f"docs/part-{number % 97}/page-{number}.md": FACT for number in range(50_000)}
    files |= {"memory/INDEX.md": "".join(f"- [{n}](facts/{n}.md): x\n" for n in range(400))}
    files |= {f"memory/facts/{n}.md": FACT for n in range(400)}
    files |= {"docs/INDEX.md": "".join(f"- [{n}](part-{n % 97}/page-{n}.md): x\n" for n in range(2_000))}
    tree = _Counting(files)
    from memdesk.core.layouts.tiers.detect import detect

    made, _ = detect(tree, tree.walk(), config.defaults())
    assert {one.path for one in made} >= {"memory"}
    assert len(tree.asked) < 110


class _Counting(MemoryTree):
    def __init__(self, files: Mapping[str, str]) -> None:
        super().__init__(files)
        self.asked: list[str] = []

    def read(self, path: str) -> bytes:
        self.asked.append(path)
        return super().read(path)


@pytest.mark.parametrize("git", [True, False])
@pytest.mark.parametrize("start", [".", "memory", "memory/log", "memory/facts"])
def test_the_root_is_the_same_from_every_folder(tmp_path: Path, start: str, git: bool) -> None:
    tiers_store(tmp_path)
    if git:
        git_repo(tmp_path)
    assert find_root(str(tmp_path / start)) == str(tmp_path.resolve())
