"""Versions that both stand, and struck lines with what came in their place."""

from __future__ import annotations

from pathlib import Path

import pytest

from memdesk.core.layouts.agent_memory.history import successors, versions
from tests.support.planning import MemoryBench

THREE = (
    "# API\n\nREST, chosen 2026-01-14, from the platform kickoff\n\nGraphQL, chosen 2026-04-22, from the client meeting\n\n"
    "**tRPC, chosen 2026-08-19, from the architecture review** [stated]\n"
)


@pytest.mark.parametrize(
    ("text", "exact", "lines"),
    [
        (THREE, True, [3, 5, 7]),
        ("# API\n\nREST, chosen 2026-01-14\nGraphQL, chosen 2026-04-22\n**tRPC** [stated]\n", True, [3, 4, 5]),
        ("# API\n\n~~REST, chosen 2026-01-14~~\nGraphQL, chosen 2026-04-22\n**tRPC** [stated]\n", True, [4, 5]),
        ("# API\n\n## REST [stated]\n\na\n\n## tRPC [stated]\n\nb\n", True, [3, 7]),
        ("# API\n\n- [stated] REST, chosen 2026-01-14\n- [stated] tRPC, chosen 2026-08-19\n", True, [3, 4]),
        ("# API\n\n- [stated] REST (2026-01-14, from a)\n- [stated] tRPC (2026-08-19, from b)\n", False, [3, 4]),
        ("# API\n\n## Now\n\n2026-01-14: REST\n\n2026-08-19: tRPC\n", True, [5, 7]),
    ],
    ids=["paragraphs", "one block", "one of them struck", "headings", "bullets", "facts, perhaps", "under a heading"],
)
def test_versions_that_all_stand(tmp_path: Path, text: str, exact: bool, lines: list[int]) -> None:
    bench = MemoryBench(tmp_path, **{"memory/decisions/api.md": text})
    (found,) = versions(bench.document("memory/decisions/api.md"))
    assert (found.exact, [version.line for version in found.lines]) == (exact, lines)


@pytest.mark.parametrize(
    "text",
    [
        THREE.replace("REST, chosen 2026-01-14, from the platform kickoff", "~~REST, chosen 2026-01-14~~").replace(
            "GraphQL, chosen 2026-04-22, from the client meeting", "~~GraphQL, chosen 2026-04-22~~"
        ),
        "# API\n\n**tRPC, chosen 2026-08-19** [stated]\n\nReviewed on 2026-10-01 with the client.\n\nAgain on 2026-10-02.\n",
        "# API\n\n**tRPC** [stated]\n\n## Consequences\n\n- [stated] One client (2026-08-19, from a)\n"
        "- [stated] No drift (2026-09-01, from b)\n",
        "# API\n\n- ~~[stated] a~~ superseded 2026-09-01\n- [stated] b (2026-09-01)\n- [stated] c (2026-09-01)\n",
    ],
    ids=["struck", "dates in sentences", "consequences", "facts of one day"],
)
def test_one_version_and_facts_beside_it(tmp_path: Path, text: str) -> None:
    bench = MemoryBench(tmp_path, **{"memory/decisions/api.md": text})
    assert versions(bench.document("memory/decisions/api.md")) == []


def test_other_documents_have_no_versions(tmp_path: Path) -> None:
    bench = MemoryBench(tmp_path, **{"memory/projects/api.md": THREE})
    assert versions(bench.document("memory/projects/api.md")) == []


def test_what_came_in_place_of_what(tmp_path: Path) -> None:
    text = (
        "# X\n\n- ~~[stated] a~~ superseded 2026-01-01\n- ~~[stated] b~~ superseded 2026-02-01\n- [stated] c\n"
        "- ~~[stated] gone~~ struck 2026-03-01: no\n- [stated] d\n\n## Other\n\n- ~~[stated] last~~ superseded 2026-01-01\n"
    )
    bench = MemoryBench(tmp_path, **{"memory/projects/x.md": text})
    assert successors(bench.document("memory/projects/x.md")) == {0: 1, 1: 2}
    assert successors(bench.document("memory/decisions/api.md")) == {0: 1, 1: 2}
