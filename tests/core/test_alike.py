"""Entries that say nearly the same, and those that are at odds: how well they are told apart, what is left out, and what it
costs where a store is made to be slow."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memdesk.core import alike as module
from memdesk.core.alike import Alike, alike
from memdesk.core.model import Entry, Workspace
from tests.support.alike_corpus import KNOWN, SECOND, THIRD, Row
from tests.support.sources import GLOSSARY, HOME, RECORDS, decision, memory, over
from tests.support.stores import FACTS, LINT

NEAR = 0.86
Found = dict[frozenset[str], str]  # the two texts -> what it is


def bullets(texts: Sequence[str], **more: str) -> Workspace:
    return over(memory(constraints="".join(f"- {text}\n" for text in texts), **more))


def run(workspace: Workspace, near: float = NEAR, **options: int) -> Alike:
    return alike(workspace.entries(), near, **options)


def pairs(found: Alike) -> list[tuple[str, str, str]]:
    """What differs, and both places."""
    return [(pair.differs, *(f"{entry.path.rpartition('/')[2]}:{entry.line}" for entry in pair[:2])) for pair in found.pairs]


def said(entry: Entry) -> str:
    return entry.text[2:]


# How well it tells.


def told(rows: Sequence[Row]) -> Found:
    """What all texts of these rows are said to be to each other, in one store."""
    texts = dict.fromkeys(text for row in rows for text in row[1:])
    found = run(bullets(list(texts)))
    assert found.left == ()
    return {frozenset((said(pair.first), said(pair.other))): pair.differs or "same" for pair in found.pairs}


def figures(rows: Sequence[Row], kinds: Sequence[str]) -> tuple[float, float]:
    """Precision and recall of these kinds: pairs that the rows don't name are among those that should not be found."""
    wanted = {frozenset(row[1:]): row[0] for row in rows if row[0] in kinds}
    found = {key: kind for key, kind in told(rows).items() if kind in kinds}
    right = sum(1 for key, kind in found.items() if wanted.get(key) == kind)
    return right / len(found), right / len(wanted)


@pytest.mark.parametrize("kinds", [("same",), ("number", "date", "polarity")], ids=["said twice", "at odds"])
@pytest.mark.parametrize("rows", [KNOWN, SECOND, THIRD], ids=["known", "second", "third"])
def test_natural_texts_are_told_apart(rows: Sequence[Row], kinds: Sequence[str]) -> None:
    precision, recall = figures(rows, kinds)
    print(f"\n{len(rows)} pairs: precision {precision:.2f}, recall {recall:.2f}")  # noqa: T201 - shown by -s
    assert precision >= 0.9
    assert recall >= 0.9


def test_the_corpus_holds_as_many_look_alikes_and_several_languages() -> None:
    rows = [*KNOWN, *SECOND, *THIRD]
    assert len(rows) >= 150
    assert sum(row[0] == "other" for row in rows) >= 50
    assert sum(not row[1].isascii() for row in rows) >= 30
    assert len({frozenset(row[1:]) for row in rows}) == len(rows)


def test_what_differs_is_never_a_duplicate_however_low_the_likeness_asked_for() -> None:
    rows = [row for row in (*KNOWN, *SECOND, *THIRD) if row[0] not in ("same", "other")]
    for kind, one, other in rows:
        found = run(bullets([one, other]), 0.5)
        assert [pair.differs for pair in found.pairs] == [kind], (one, other)


# What is compared with what.


def test_pairs_come_in_the_order_of_the_entries_with_their_likeness() -> None:
    found = run(bullets([
        "Old logs are kept for 90 days on the server.", "Sites report late during floods, and gauges freeze.",
        "During floods sites report late, and gauges freeze.", "Old logs are kept for 30 days on the server.",
    ]))
    assert pairs(found) == [
        ("number", "constraints.md:3", "constraints.md:6"), ("", "constraints.md:4", "constraints.md:5"),
    ]
    assert [pair.score for pair in found.pairs] == [1.0, 1.0]
    assert found.left == ()
    lower = run(bullets(["Sites report late during floods.", "Sites report late during floods and storms."]), 0.7)
    assert [0.7 <= pair.score < 1 for pair in lower.pairs] == [True]


def test_candidates_and_sections_of_all_stores_count() -> None:
    text = "The importer skips rows without a site code"
    files = memory(
        decisions=decision("Rows without a site", f"{text}."), constraints=f"- {text}, quietly.\n",
        inbox=f"## 2026-11-01\n\n- [observed] {text}. (from src/importer.py:3)\n- {text.replace('rows', 'every row')}\n",
        areas__maps=f"# Maps\n\nLoad when it matters.\n\n- {text} (always).\n",
    )
    agents = {**FACTS, "memory-lint.json": LINT, "memory/people/bo.md": f"- [stated] {text}! (2026-01-01, a call)\n"}
    found = run(over(files, agents))
    assert {place for pair in pairs(found) for place in pair[1:]} == {
        "maps.md:5", "constraints.md:3", "inbox.md:5", "inbox.md:6", "bo.md:1",
    }
    assert {pair[0] for pair in pairs(found)} == {""}


def test_history_and_the_same_text_twice_are_left_out() -> None:
    text = "The importer skips rows without a site code"
    found = run(over(
        memory(
            constraints=f"- {text}.\n- {text}.\n- ~~{text}, always.~~ (superseded 2026-02-01)\n",
            archive__old=f"# Old\n\n- {text} (always).\n", changelog=f"# Changelog\n\n- {text}, quietly.\n",
            inbox=f"## 2026-11-01\n\n- {text}.\n",
        ),
        {**FACTS, "memory-lint.json": LINT, "memory/2026-11-02.md": f"# Day\n\n- {text}, again.\n"},
    ))
    assert found.pairs == ()


def test_what_cannot_be_written_is_left_out() -> None:
    text = "- Old logs are kept for {} days on the server.\n"
    marks = f"<<<<<<< HEAD\n{text.format(30)}=======\n{text.format(90)}>>>>>>> other\n"
    assert run(over(memory(constraints=marks, preferences=f"# Preferences\n\n{text.format(60)}"))).pairs == ()


def test_a_rejected_path_is_no_duplicate_of_what_it_rejects() -> None:
    stone = "## Tombstone: {}\n\nDo not reintroduce this unless the user explicitly reverses it. Reason: {}. Date: {}.\n"
    stones = stone.format("Cloud sync of counts", "no network at sites", "2026-04-11")
    other = stone.format("Sync of the counts by cloud", "sites have no network", "2026-05-12")
    same = decision("Cloud sync of counts", "No network at sites.")
    found = run(over(memory(do_not_use=f"{stones}\n{other}", decisions=same)))
    assert pairs(found) == [("", "do-not-use.md:3", "do-not-use.md:7")]


def test_own_dates_and_sources_are_no_difference() -> None:
    text = "Counts are stored as CSV files, one for each site."
    first, second = decision("Store counts as CSV", text), decision("Store counts as CSV", text[:-1])
    found = run(over(memory(decisions=first + second.replace("2026-02-01", "2025-07-09"))))
    assert pairs(found) == [("", "decisions.md:3", "decisions.md:11")]
    agents = {**FACTS, "memory-lint.json": LINT}
    lines = (f"- [stated] {text} (2026-02-01, her letter)\n", f"- [observed] {text[:-1]} (2026-07-09, a call)\n")
    agents["memory/people/bo.md"] = "".join(lines)
    assert pairs(run(over(agents))) == [("", "bo.md:1", "bo.md:2")]


def test_a_number_that_only_one_has_is_no_other_number() -> None:
    found = run(bullets(["Old logs are kept on the archive server.", "Old logs are kept on the archive server for 30 days."]))
    assert [pair.differs for pair in found.pairs] == [""]


def test_a_row_of_things_is_no_conflict_and_its_equals_are_found() -> None:
    """Four or more that differ only in a number: the number says which, and not how many."""
    line = "Gauge {} reports the level of its pier to the office"
    three = run(bullets([line.format(number) for number in range(3)]))
    assert [pair.differs for pair in three.pairs] == ["number"] * 3
    row = [line.format(number) for number in range(10, 60)]
    assert run(bullets(row)).pairs == ()
    found = run(bullets([*row, "Gauge 33 reports the level of its piers to our office"]))
    assert pairs(found) == [("", f"constraints.md:{3 + 23}", f"constraints.md:{3 + 50}")]
    assert run(bullets([*row, f"{line.format(20)}, never by radio"])).pairs == ()


def test_a_row_says_the_opposite_of_one_of_its_own() -> None:
    line = "Gauge {} reports the level of its pier to the office"
    other = line.format(15).replace("reports", "does not report")
    found = run(bullets([*(line.format(number) for number in range(10, 20)), other]))
    assert pairs(found) == [("polarity", "constraints.md:8", "constraints.md:13")]


def test_short_texts_say_too_little() -> None:
    assert run(bullets(["Colours matter", "Colors matter", "Tone 1", "Tone 2", "记忆", "记忆。"])).pairs == ()


def test_the_same_each_time_whatever_the_order_of_hashes() -> None:
    texts = [text for row in KNOWN for text in row[1:]]
    random.Random(5).shuffle(texts)
    workspace = bullets(list(dict.fromkeys(texts)))
    first = run(workspace)
    assert run(workspace) == first
    again = run(bullets(list(dict.fromkeys(texts))))
    assert (pairs(again), [pair.score for pair in again.pairs]) == (pairs(first), [pair.score for pair in first.pairs])


# What is not compared.


def test_beyond_the_ceiling_it_says_what_was_left() -> None:
    chance = random.Random(2)
    words = [f"{first}{second}ter" for first in "abcdefgh" for second in "aeiou"][:20]
    workspace = bullets([" ".join(chance.sample(words, 12)) for _ in range(300)])
    found = run(workspace, ceiling=50)
    assert 0 < found.compared < 100
    assert len(found.left) == 1
    assert found.left[0].startswith(f"After {found.compared} pairs no more were compared: not those of {HOME}/constraints.md:")
    assert run(workspace, ceiling=0).compared == 0
    whole = run(workspace)
    assert "very many entries have" in whole.left[0], "each is compared with those that share most of its words"
    assert whole.compared <= 300 * module.NEAREST


def test_a_long_text_is_named_and_compared_with_none() -> None:
    long = "Sites report late during floods. " * 400
    found = run(bullets([long, f"{long}Indeed.", "x " * 600_000, "Sites report late during floods and storms."]))
    assert (found.pairs, found.compared) == ((), 0)
    places = ", ".join(f"{HOME}/constraints.md:{line}" for line in (3, 4, 5))
    assert found.left == (f"Texts of more than 10,000 characters were compared with none: {places}.",)


@pytest.mark.parametrize("after", [0, 3, 30])
def test_it_stops_when_it_is_told_to(after: int) -> None:
    texts = list(dict.fromkeys(text for row in KNOWN for text in row[1:]))
    asked = 0

    def stopped() -> bool:
        nonlocal asked
        asked += 1
        return asked > after

    found = alike(bullets(texts).entries(), NEAR, stopped=stopped)
    assert asked == after + 1
    assert found.left == ("It was stopped before all entries were compared.",)


def test_it_says_how_far_it_is() -> None:
    heard: list[tuple[int, int]] = []
    alike(bullets([text for row in KNOWN for text in row[1:]]).entries(), NEAR, progress=lambda *at: heard.append(at))
    assert heard == sorted(heard)
    assert heard[0][0] == 0
    assert heard[-1][0] == heard[-1][1] == heard[0][1]
    assert len(heard) > 10


def test_nothing_of_nothing() -> None:
    assert alike([], NEAR) == Alike((), 0, ())
    assert run(over(RECORDS, {"CONTEXT.md": GLOSSARY})).pairs == ()


# Stores that are made to be slow.

WORDS = [f"{first}{second}{third}n" for first in "bdgk" for second in "aei" for third in "lmr"]


def hostile() -> dict[str, list[str]]:
    chance = random.Random(1)
    return {
        "the same words, in any order": [" ".join(chance.sample(WORDS[:12], 12)) for _ in range(1_000)],
        "most words in common": [" ".join(chance.sample(WORDS[:20], 12)) for _ in range(1_000)],
        "many words in common": [" ".join(chance.sample(WORDS, 24)) for _ in range(1_000)],
        "a row": [f"Gauge {number} reports the level of its pier" for number in range(1_000)],
        "one script without spaces": ["".join(chance.choices("计数以格式保存每个站点一文件部署", k=30)) for _ in range(1_000)],
        "nothing but nots": ["not " * 1_000 + f"level of pier {number}" for number in range(40)],
        "nothing but numbers": ["1.5 " * 1_000 + f"level of pier number{number}" for number in range(40)],
        "long ones": [" ".join(chance.choices(WORDS, k=1_500)) for _ in range(60)],
        "control characters": [f"\x1b[3{number}m level\x07 of\x00 pier \u202e{number}" for number in range(100)],
        "empty ones": ["", " ", "-", "\u200b", "*"] * 20,
    }


@pytest.mark.parametrize("name", list(hostile()))
def test_work_is_bounded(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Counted, since a clock would tell of the machine: words that are looked at, and pairs that are compared."""
    looked = 0
    among = module._Run._among

    def counting(self: module._Run, text: object, likely: Sequence[object], need: int, more: int) -> None:
        nonlocal looked
        looked += len(likely)
        among(self, text, likely, need, more)  # type: ignore[arg-type]

    monkeypatch.setattr(module._Run, "_among", counting)
    texts = hostile()[name]
    found = run(bullets(texts), ceiling=2_000)
    assert looked <= 2_000 * module.LOOKS + 2 * module.REACH
    assert len(found.pairs) <= len(texts) + 2_000 / (1 + module.FOUND) + module.NEAREST


def test_natural_texts_are_hardly_compared() -> None:
    """Two thousand sentences: fewer pairs than sentences are compared, of two million, and every planted one is found."""
    from tests.benchmarks.alike import made

    found = run(made(2_000, 10, 100))
    assert found.left == ()
    assert found.compared < 300
    assert sum(1 for pair in found.pairs if not pair.differs) >= 40
    assert sum(1 for pair in found.pairs if pair.differs) >= 45


TEXT = st.text(st.characters(codec="utf-8", exclude_characters="\n\r"), max_size=60)


@settings(max_examples=30, deadline=None)
@given(st.lists(TEXT, max_size=6))
def test_any_texts_are_compared_and_each_with_itself_only_once(texts: list[str]) -> None:
    found = run(over({f"{HOME}/constraints.md": "# C\n\n" + "".join(f"- {text}\n" for text in texts)} | {
        path: text for path, text in memory().items() if not path.endswith("constraints.md")
    }))
    assert all(pair.first is not pair.other and NEAR <= pair.score <= 1 for pair in found.pairs)
    ends = [(id(pair.first), id(pair.other)) for pair in found.pairs]
    assert len(set(ends)) == len(ends)
