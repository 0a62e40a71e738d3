"""What an entry is: bullets, paragraphs, version headings; tags, dates, sources, pointers; candidates."""

from __future__ import annotations

from pathlib import Path

import pytest

from memdesk.core.layouts.agent_memory.entries import parts
from tests.support.planning import MemoryBench
from tests.support.stores import LINT


@pytest.mark.parametrize(
    ("text", "said", "tag", "date", "source", "struck"),
    [
        ("[stated] New (2026-04-12, from the client meeting)", "New", "stated", "2026-04-12", "the client meeting", False),
        ("~~[stated] old~~ superseded 2026-04-12", "old", "stated", "2026-04-12", None, True),
        ("~~REST, chosen 2026-01-14~~ superseded 2026-04-22", "REST, chosen 2026-01-14", None, "2026-01-14", None, True),
        (
            "**tRPC, chosen 2026-08-19, from the architecture review** [stated]",
            "tRPC, chosen 2026-08-19, from the architecture review", "stated", "2026-08-19", "the architecture review", False,
        ),
        ("Counts late [observed]", "Counts late", "observed", None, None, False),
        ("a `[stated]` in code", "a `[stated]` in code", None, None, None, False),
        ("[stated](x.md) is a link", "[stated](x.md) is a link", None, None, None, False),
        ("[OBSERVED] Upper", "[OBSERVED] Upper", None, None, None, False),
        ("[observed] X (from src/app.py:12)", "X (from src/app.py:12)", "observed", None, "src/app.py:12", False),
        ("[observed] X (2026-11-01; for: constraint; reason: it broke)", "X", "observed", "2026-11-01", None, False),
        ("Not ~~struck~~ whole", "Not ~~struck~~ whole", None, None, None, False),
        ("", "", None, None, None, False),
    ],
)
def test_a_fact_s_parts(text: str, said: str, tag: str | None, date: str | None, source: str | None, struck: bool) -> None:
    found = parts(text)
    assert (found.text, found.tag, found.date, found.source, found.struck) == (said, tag, date, source, struck)


def test_what_a_bracket_says_besides() -> None:
    found = parts("[observed] X (2026-11-01, from a.py; for: constraint; reason: it broke)")
    assert (found.kind, found.reason, found.source) == ("constraint", "it broke", "a.py")


@pytest.mark.parametrize(
    ("text", "pointer"),
    [
        ("[inferred] X → memory/people/ada.md", "memory/people/ada.md"), ("X → `AGENTS.md`", "AGENTS.md"),
        ("X → memory/people/", "memory/people/"), ("moves A → B", None), ("X → memory/a.md and more", None),
    ],
)
def test_a_pointer(text: str, pointer: str | None) -> None:
    assert parts(text).pointer == pointer


NOTE = """# 2026-11-20

- [observed] One
- ~~[observed] Two~~ rejected 2026-11-21: no
- [inferred] Three → memory/people/ada.md
- No tag
- Session:
  - [inferred] Nested one
  - plain nested
- [suggested] Parent with a tag
  - [observed] belongs to it

[observed] A paragraph.

```
- [observed] in code
```

- Not a candidate: `[observed]`
"""


def test_the_candidates_of_a_note(tmp_path: Path) -> None:
    bench = MemoryBench(tmp_path, **{"memory/2026-11-20.md": NOTE, "memory/context/x.md": "- [inferred] In context\n"})
    found = [(entry.line, entry.heading, entry.candidate) for entry in bench.entries("memory/2026-11-20.md")]
    assert found == [
        (3, "One", True), (4, "Two", False), (5, "Three", False), (6, "No tag", False), (8, "Nested one", True),
        (9, "plain nested", False), (10, "Parent with a tag", True), (13, "A paragraph.", True),
        (19, "Not a candidate: `[observed]`", False),
    ]
    nested = bench.candidate("memory/2026-11-20.md", "Nested")
    assert nested.heading_path == ("2026-11-20", "Session:")
    assert nested.raw == b"  - [inferred] Nested one\n"
    assert {entry.date for entry in bench.entries("memory/2026-11-20.md")} == {"2026-11-20", "2026-11-21"}
    (context,) = bench.entries("memory/context/x.md")
    assert (context.candidate, context.date) == (True, None)


def test_a_code_block_belongs_to_what_stands_above_it(tmp_path: Path) -> None:
    bench = MemoryBench(tmp_path, **{"memory/projects/x.md": "# X\n\nRun it so:\n\n```\nx\n```\n\n- [stated] Fact\n"})
    one, two = bench.entries("memory/projects/x.md")
    assert one.raw == b"Run it so:\n\n```\nx\n```\n"
    assert two.heading == "Fact"


def test_durable_items_stay_whole_with_what_is_nested(tmp_path: Path) -> None:
    bench = MemoryBench(tmp_path, **{"memory/projects/x.md": "- Group\n  - [stated] a\n  - [stated] b\n"})
    (entry,) = bench.entries("memory/projects/x.md")
    assert (entry.line, entry.end_line, entry.candidate) == (1, 3, False)


def test_version_headings_take_in_what_is_below_them(tmp_path: Path) -> None:
    text = (
        "# API\n\n## ~~REST~~ superseded 2026-04-22\n\nSimple.\n\n### Why\n\nx\n\n## tRPC [stated]\n\nTyped.\n\n"
        "## Other\n\n- [stated] y\n"
    )
    bench = MemoryBench(tmp_path, **{"memory/decisions/x.md": text})
    entries = bench.entries("memory/decisions/x.md")
    found = [(entry.kind, entry.heading, entry.struck, entry.line, entry.end_line) for entry in entries]
    assert found == [("section", "REST", True, 3, 9), ("section", "tRPC", False, 11, 13), ("bullet", "y", False, 17, 17)]


def test_an_index_states_nothing(tmp_path: Path) -> None:
    assert MemoryBench(tmp_path).entries("MEMORY.md") == []


def test_the_tags_of_the_settings_are_tags(tmp_path: Path) -> None:
    lint = LINT.replace('"stated", "observed", "inferred", "suggested"', '"stated", "seen-twice"')
    note = "- [seen-twice] One\n- [stated] Two\n- [observed] No tag here\n"
    bench = MemoryBench(tmp_path, lint=lint, **{"memory/2026-11-20.md": note})
    found = [(entry.tag, entry.candidate) for entry in bench.entries("memory/2026-11-20.md")]
    assert found == [("seen-twice", True), ("stated", True), (None, False)]
