"""Text that is made to be slow, and stores that are large: neither holds up the reading of claims."""

from __future__ import annotations

import pytest

from memdesk.core.conflicts import find
from memdesk.core.layouts import claims
from tests.support.sources import GLOSSARY, HOME, RECORDS, adr, decision, memory, over


@pytest.mark.parametrize("unit", [
    "](", "[a](b", "ADR-", "adr 1 ", "~~", "**a", "**a**: ", "<!--", "see ", "`", "0001-", "[[", "ADR-0001 ",
])  # fmt: skip
def test_no_text_makes_the_reading_slow(unit: str) -> None:
    """A quadratic pattern would take minutes on these."""
    text = "- " + unit * (60_000 // len(unit)) + "\n"
    workspace = over(RECORDS, {"CONTEXT.md": GLOSSARY}, memory(constraints=text))
    document = workspace.documents[f"{HOME}/constraints.md"]
    for ground in claims.grounds(document)[:300]:
        ground.weighed()
    claims.definitions(document)
    find(workspace)


def test_ten_thousand_titles_are_not_compared_with_each_record(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only titles that share one of their rarest words are: counted, since a clock would tell of the machine."""
    from memdesk.core.conflicts import records

    rejected = {}
    for number in range(1, 41):
        rejected.update(adr(number, f"Keep part{number} kind{number} of table{number}", "Rejected"))
    looked: list[int] = []
    near = records._Index.near

    def counting(self: records._Index, title: str) -> object:
        own = records.words(title)
        looked.append(len({at for word in self._rarest(own) for at in self.holding.get(word, ())}))
        return near(self, title)

    monkeypatch.setattr(records._Index, "near", counting)
    text = "".join(decision(f"Keep part{number} kind{number} of table{number}") for number in range(400))
    found = find(over(rejected, memory(decisions=text)))
    assert (len(found), len(looked), max(looked)) == (40, 400, 1)
