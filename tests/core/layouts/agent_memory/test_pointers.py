"""The index: what counts as a pointer, where it leads, which files have one, and what is no pointer."""

from __future__ import annotations

from pathlib import Path

import pytest

from memdesk.core.layouts.agent_memory.links import links
from tests.support.checking import findings, lines, ran, report
from tests.support.stores import agent_memory_store, git, git_repo, put

LINKS = [
    ("memory/people/ada.md", ["memory/people/ada.md"]), ("see memory/people/", ["memory/people/"]), ("`ada.md`", ["ada.md"]),
    ("[Ada](ada.md)", ["ada.md"]), ("(ada.md, bo.md)", ["ada.md"]), ("ada.md", []), ("[ada.md]", []), ("see ada.md", []),
    ("| memory/a.md|memory/b.md |", ["memory/a.md", "memory/b.md"]), ("[memory/a.md]", ["memory/a.md"]),
    ("Pairs w/ Sam", []), ("(w/ Sam)", []), ("(memory/)", ["memory/"]), ("see memory/", ["memory/"]),
    ("(b/)", ["b/"]), ("`b/`", ["b/"]), ("\ufeffmemory/a.md", ["memory/a.md"]), ("and/or", []), ("`memory/`", ["memory/"]),
    ("memory/YYYY-MM-DD.md", []), ("`memory/<name>.md`", []), ("memory/*.md", []), ("https://x.org/a.md", []),
    ("[x](https://x.org/a/)", []), ("mailto:a/b.md", []), ("memory/a.mdx", []), ("memory/a.md:12", ["memory/a.md"]),
    ("[x](memory/a.md#top)", ["memory/a.md"]), ("see memory/a.md.", ["memory/a.md"]), ("memory/ä-ö.md", ["memory/ä-ö.md"]),
    ("[x](memory/a%20b.md)", ["memory/a%20b.md"]), ("/etc/x.md", []), ("~/x/y.md", []), ("x\u00a0memory/a.md", ["memory/a.md"]),
    ("memory/a.md;", ["memory/a.md"]), ("\"memory/a.md\"", []), ("../docs/x.md", ["../docs/x.md"]), ("`.md`", []),
    ("memory/.md", []), ("`cat memory/a.md`", ["memory/a.md"]),
    ("**memory/a.md**", []), ("memory/a.md\r", ["memory/a.md"]), ("```\nmemory/a.md\n```", ["memory/a.md"]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "paths"), LINKS, ids=[repr(text) for text, _ in LINKS])
def test_what_a_pointer_is(text: str, paths: list[str]) -> None:
    assert [link.path for link in links(text)] == paths


def test_a_long_line_takes_no_time() -> None:
    assert list(links("a/" * 50_000 + "x `" + "b" * 50_000 + "` " + "`.md` " * 20_000)) == []


def test_each_must_lead_somewhere_from_the_root_or_the_index(tmp_path: Path) -> None:
    agent_memory_store(tmp_path, "bot", **{
        "MEMORY.md": (
            "# Index\n\n- `memory/people/ada.md`\n- memory/gone.md\n- [x](memory/people/)\n"
            "- ../outside.md and ../../far/away.md\n"
            "- [y](memory/a%20b.md) and memory/none/\n"
        ),
        "memory/a b.md": "x\n",
    })  # fmt: skip
    put(tmp_path, "outside.md", "x\n")
    assert lines(tmp_path, "index-links") == [("MEMORY.md", line, "error") for line in (4, 6, 7)]
    found = report(tmp_path, only=["index-links"])
    assert found.findings[0].message == "memory/gone.md leads nowhere."
    assert ran(found, "index-links").checked == 7


def test_from_an_index_in_a_folder(tmp_path: Path) -> None:
    agent_memory_store(tmp_path, lint='{"index": "memory/INDEX.md"}', **{
        "memory/INDEX.md": "- `people/ada.md`\n- `memory/projects/plover.md`\n- `decisions/gone.md`\n", "MEMORY.md": None,
    })  # fmt: skip
    assert [line for _, line, _ in lines(tmp_path, "index-links")] == [3]
    assert [one.path for one in findings(tmp_path, "index-missing")] == ["memory/decisions/api.md"]


def test_a_link_that_leads_to_nothing_is_dead(tmp_path: Path) -> None:
    agent_memory_store(tmp_path, **{"MEMORY.md": "- `memory/people/x.md`\n- `memory/people/y.md`\n"})
    (tmp_path / "memory/people/x.md").symlink_to("nowhere.md")
    (tmp_path / "memory/people/y.md").symlink_to("ada.md")
    assert [line for _, line, _ in lines(tmp_path, "index-links")] == [1]


def test_of_what_is_staged_the_index_decides(tmp_path: Path) -> None:
    agent_memory_store(tmp_path)
    git_repo(tmp_path)
    (tmp_path / "memory/people/ada.md").unlink()
    assert len(findings(tmp_path, "index-links", mode="worktree")) == 1
    assert findings(tmp_path, "index-links", mode="staged") == []
    git(tmp_path, "add", "-A")
    assert len(findings(tmp_path, "index-links", mode="staged")) == 1


def test_without_an_index(tmp_path: Path) -> None:
    agent_memory_store(tmp_path, **{"MEMORY.md": None})
    found = report(tmp_path, only=["index-links", "index-missing", "index-fact", "rom-caps"])
    assert [(one.rule, one.severity) for one in found.findings] == [("rom-caps", "warning")]
    assert {rule.rule: rule.status for rule in found.rules} == {
        "rom-caps": "warn", "index-links": "skip", "index-missing": "skip", "index-fact": "skip",
    }
    put(tmp_path, "memory-lint.json", '{"index": "INDEX.md", "tiers": {"rom": {"files": {}}}}')
    assert [(one.path, one.severity) for one in findings(tmp_path, "index-links")] == [("INDEX.md", "warning")]


def test_every_durable_file_has_a_row(tmp_path: Path) -> None:
    names = ["people/bo.md", "people/a b.md", "people/README.md", "archive/old.md", "context/x.md", "projects/q'uote.md"]
    index = "# Index\n\n- [Ada](memory/people/ada.md)\n| memory/projects/plover.md | x |\n- `memory/people/a b.md`\n"
    agent_memory_store(tmp_path, **{f"memory/{name}": "x\n" for name in names}, **{"MEMORY.md": index})
    found = findings(tmp_path, "index-missing")
    assert [(one.path, one.severity, one.possible) for one in found] == [
        (f"memory/{name}", "warning", False) for name in ("decisions/api.md", "people/bo.md", "projects/q'uote.md")
    ]
    put(tmp_path, "MEMORY.md", index + "`memory/people/bo.md`, `xmemory/decisions/api.md`, memory/projects/q'uote.md\n")
    assert [one.path for one in findings(tmp_path, "index-missing")] == ["memory/decisions/api.md"]


def test_an_index_that_states_facts_is_possible(tmp_path: Path) -> None:
    index = (
        "# Index\n\nPointers only.\n\n- `memory/people/ada.md`: Ada\n- [stated] Ships on Fridays, see memory/people/\n"
        "- Direct, concise replies\n1. Search first\n- ~~gone~~\n\n```\n- an example\n```\n"
    )
    agent_memory_store(tmp_path, **{"MEMORY.md": index})
    assert lines(tmp_path, "index-fact") == [("MEMORY.md", 6, "possible"), ("MEMORY.md", 7, "possible")]
    strict = report(tmp_path, strict=True, only=["index-fact"])
    assert {one.severity for one in strict.findings} == {"warning"}
