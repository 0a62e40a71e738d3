"""References to records in a text, and which record a relation names."""

from __future__ import annotations

import pytest

from memdesk.core.layouts.records.links import references
from memdesk.core.layouts.records.numbers import by_number, digits, number, resolve
from memdesk.core.model import Place
from tests.support.recorded import document


@pytest.mark.parametrize(("text", "found"), [
    ("see ADR-0007.", [(7, None, "ADR-0007")]),
    ("(ADR 7)", [(7, None, "ADR 7")]),
    ("adr7 and ADR #8", [(7, None, "adr7"), (8, None, "ADR #8")]),
    ("decision 0007", [(7, None, "decision 0007")]),
    ("Decision record #0012", [(12, None, "Decision record #0012")]),
    ("as in adr/0007-x.md", [(7, "adr/0007-x.md", "adr/0007-x.md")]),
    ("docs/adr/0007-x", [(7, "docs/adr/0007-x", "docs/adr/0007-x")]),
    ("0007-x.md.", [(7, "0007-x.md", "0007-x.md.")]),
    ("[why](../adr/0007-x.md#decision)", [(7, "../adr/0007-x.md", "[why](../adr/0007-x.md#decision)")]),
    ("[4. Use X](0004-use-x.md)", [(4, "0004-use-x.md", "[4. Use X](0004-use-x.md)")]),
    ('[x](0004-use-x.md "ADR-0009")', [(4, "0004-use-x.md", '[x](0004-use-x.md "ADR-0009")')]),
    ("[ADR-0007](https://example.com/docs/adr/0007-x.md)",
     [(7, "https://example.com/docs/adr/0007-x.md", "[ADR-0007](https://example.com/docs/adr/0007-x.md)")]),
    ("[ADR 7](why.md)", [(7, "why.md", "[ADR 7](why.md)")]),
    ("[the plan](why.md)", [(None, "why.md", "[the plan](why.md)")]),
    ("[[0007-x|seven]]", [(7, "0007-x", "[[0007-x|seven]]")]),
    ("[a%20b](0007-a%20b.md)", [(7, "0007-a b.md", "[a%20b](0007-a%20b.md)")]),
    ("[x](https://example.com)", []),
    ("on 2026-05-02, ADR 2026-05-02", []),
    ("a 1000-year flood, decision 5, record 12, 0007", []),
    ("quADR-7, ADR-7a, ADR-123456, ADR 0", []),
    ("2026-05-02-notes.md and ADR", []),
])  # fmt: skip
def test_references(text: str, found: list[tuple[int | None, str | None, str]]) -> None:
    assert [(ref.number, ref.path, text[ref.start : ref.end]) for ref in references(text)] == found


@pytest.mark.parametrize(("name", "read"), [
    ("0007-x.md", "0007"), ("007-x.md", "007"), ("00007-x.md", "00007"), ("1234-a.b-c.md", "1234"),
    ("0007-template-engine.md", "0007"), ("0007-email-template.md", "0007"),
    ("07-x.md", ""), ("000007-x.md", ""), ("0000-template.md", ""), ("0000-x.md", ""), ("0001-template.md", ""),
    ("0001-readme.md", ""),
    ("0002-adr-template.md", ""), ("2026-05-02-x.md", ""), ("2026-05-02.md", ""), ("0007-.md", ""),
    ("0007.md", ""), ("0007-x.txt", ""),
    ("0007_x.md", ""),
    ("README.md", ""), ("index.md", ""), ("x-0007-y.md", ""), ("0007-12-34.md", ""), ("0007-x.md.md", "0007"),
])  # fmt: skip
def test_digits_of_a_name(name: str, read: str) -> None:
    assert digits(f"docs/adr/{name}") == digits(name) == read
    assert number(name) == (int(read) if read else None)


def test_which_record_is_meant() -> None:
    documents = [
        document("# A\n", "docs/adr/0001-a.md"), document("# B\n", "docs/adr/0002-b.md"),
        document("# B\n", "docs/adr/002-c.md"),
        document("# D\n", "docs/design/0001-d.md", Place("design", "working")),
    ]
    first = documents[0].entries[0]
    assert {number: len(entries) for number, entries in by_number(documents).items()} == {1: 1, 2: 2}
    assert resolve(first, "1", documents) is first
    assert resolve(first, "2", documents) is None  # two bear it
    assert resolve(first, "3", documents) is None
    assert resolve(first, "../design/0001-d.md#why", documents) is documents[3].entries[0]
    assert resolve(first, "the plan", documents) is None
