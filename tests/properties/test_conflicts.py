"""A dismissal holds for exactly the texts that it was given for: any change of one brings the conflict back, no other does."""

from __future__ import annotations

from datetime import date

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from memdesk.core import judgments
from memdesk.core.conflicts import Conflict, find
from memdesk.core.dismissing import plan
from memdesk.core.plan import Request
from tests.support.sources import HOME, RECORDS, decision, memory, over

TODAY = date(2026, 11, 30)
WORDS = st.text(st.characters(categories=("L", "N"), include_characters=" ,"), min_size=1, max_size=20).filter(str.strip)
FILES = {
    **RECORDS,
    **memory(
        constraints="- Split by day (see ADR-0001).\n\n- Others come later.\n",
        decisions=decision("Colours") + decision("Colours", "Other.") + decision("Sync through a broker"),
        do_not_use="## Tombstone: Keep counts in SQLite\n\nReason: no. Date: 2026-01-01.\n",
    ),
}
SIDES = [
    (f"{HOME}/constraints.md", "Split by day"), ("docs/adr/0001-keep-counts-as-csv.md", "Birds move."),
    (f"{HOME}/decisions.md", "It is so."), (f"{HOME}/decisions.md", "Other."),
    ("docs/adr/0003-sync-through-a-broker.md", "Birds move."), (f"{HOME}/do-not-use.md", "Reason: no"),
    ("docs/adr/0002-keep-counts-in-sqlite.md", "Birds move."),
]
JUDGED = dict(FILES)
for _clash in find(over(FILES)):
    for _step in plan(over(JUDGED), Request("dismiss", (_clash.id,)), {"reason": "Both hold.", "by": "Ada"}, TODAY).steps:
        if _step.after is not None:
            JUDGED[_step.path] = _step.after.decode()


def back(files: dict[str, str]) -> list[Conflict]:
    """The conflicts that no judgment speaks of."""
    there = over(files)
    known = judgments.read(there.tree)
    return [clash for clash in find(there) if judgments.find(known, clash.subject, clash.digests) is None]


def test_all_are_dismissed_to_begin_with() -> None:
    assert len(find(over(JUDGED))) == 4
    assert back(JUDGED) == []


@settings(max_examples=15)
@given(st.sampled_from(SIDES), WORDS)
def test_a_change_of_either_text_brings_back_each_conflict_with_it_and_no_other(side: tuple[str, str], word: str) -> None:
    path, old = side
    text = JUDGED[path]
    changed = text.replace(old, f"{old}{word.strip()} ".rstrip() if old.endswith(".") else f"{word.strip()} {old}", 1)
    assume(changed != text)
    files = {**JUDGED, path: changed}
    before = {entry.text for clash in find(over(JUDGED)) for entry in clash.entries}
    expected = {
        clash.id for clash in find(over(files)) if any(entry.text not in before for entry in clash.entries)
    }
    assert {clash.id for clash in back(files)} == expected
    assert expected, "nothing came back"


@settings(max_examples=8)
@given(st.sampled_from(sorted(path for path in FILES if path.startswith(HOME) and "manifest" not in path)), WORDS)
def test_text_elsewhere_in_a_file_changes_neither_judgments_nor_ids(path: str, word: str) -> None:
    title, newline, rest = JUDGED[path].partition("\n")
    files = {**JUDGED, path: f"{title}{newline}\n<!-- {word} -->\n{rest}"}
    ids = {clash.id for clash in find(over(JUDGED))}
    assert {clash.id for clash in find(over(files))} == ids
    assert back(files) == []


@settings(max_examples=5)
@given(st.permutations(range(4)))
def test_the_order_of_the_judgments_does_not_matter(order: list[int]) -> None:
    head, *each = JUDGED[judgments.PATH].split("[[judgment]]")
    text = head + "".join(f"[[judgment]]{each[at]}" for at in order)
    assert back({**JUDGED, judgments.PATH: text}) == []
