"""What became of each entry in a text, by exact rules alone."""

from __future__ import annotations

import pytest

from memdesk.core.compacting import drafting, materials
from memdesk.core.compacting.account import Account, account
from memdesk.core.compacting.checking import check
from tests.core.compacting.test_drafting import FIRST, MEMORY, STAMP, gathered
from tests.support.stores import feature_memory

FRAGMENT = "- One\n- Two\n- ~~Bad~~ rejected 2026-05-09: it never was\n- ~~Worse~~ struck 2026-05-09\n"


def told(found: materials.Materials, text: str, **left: str) -> Account:
    return account(found, drafting.document(found, text.encode()), {_id(found, key): why for key, why in left.items()})


def _id(found: materials.Materials, key: str) -> str:
    memory = [] if found.memory is None else found.memory.entries
    return next(entry.id for entry in [*(one.entry for one in found.entries), *memory] if entry.heading == key)


def brief(made: Account) -> list[tuple[int, str, int | None, int, str]]:
    return [(row.number, row.state, row.line, row.twin, row.reason) for row in made.rows]


def test_rows_say_where_an_entry_is_and_what_it_is_folded_into() -> None:
    found = gathered(feature_memory(facts="- One"), FRAGMENT, "- Two\n- Three\n", notes="- Four\n")
    text = feature_memory(facts="- One\n- Two (from task-001, 2026-05-07)", lessons="- Four")
    made = told(found, text, Three="too narrow")
    at = text.split("\n").index
    assert brief(made) == [
        (1, "folded", at("- One") + 1, 0, ""), (2, "carried", at("- Two (from task-001, 2026-05-07)") + 1, 0, ""),
        (3, "left out", None, 0, "rejected 2026-05-09: it never was"), (4, "left out", None, 0, "struck 2026-05-09"),
        (5, "folded", at("- Two (from task-001, 2026-05-07)") + 1, 2, ""), (6, "left out", None, 0, "too narrow"),
        (7, "carried", at("- Four") + 1, 0, ""),
    ]
    assert made.summary == "2 carried, 2 folded, 3 left out"
    assert made.unexplained == []


@pytest.mark.parametrize(
    ("line", "carried"),
    [
        ("- Two", True), ("* Two", True), ("Two", True), ("1. Two", True), ("-   Two", True), ("- Two\n- Two", True),
        ("- Two (from task-001, 2026-05-07)", True), ("- More:\n  - Two\n  - else", True), ("- More:\n\n  Two", True),
        ("- Two\n  - with more below", True), ("- Two \u2192 promoted 2026-05-09", True),
        ("- two", False), ("- Two.", False), ("- Not Two", False), ("- Two and more", False),
        ("- ~~Two~~ struck 2026-05-09", False),
        ("- x\n\n<!-- Two -->", False), ("```\nTwo\n```", True), ("> Two", False), ("### Two", False), ("- `Two`", False),
        ("- x\n\n[Two]: two", False), ("- **Two**", False),
    ],
)
def test_a_text_stands_in_the_draft_or_does_not(line: str, carried: bool) -> None:
    found = gathered(None, "- Two\n")
    assert [row.state for row in told(found, feature_memory(facts=line)).rows] == ["carried" if carried else "left out"]


def test_an_entry_of_the_memory_that_vanishes_is_named() -> None:
    found = gathered(feature_memory(facts="- Own\n- ~~Old~~ struck 2026-05-01: no", promotion="- Up"), "- One\n")
    text = feature_memory(facts="- One", promotion="- Up \u2192 promoted 2026-05-09")
    made = told(found, text, Own="it was wrong")
    assert [(row.number, row.entry.path, row.entry.heading, row.reason) for row in made.of("left out")] == [
        (2, MEMORY, "Own", "it was wrong"), (3, MEMORY, "Old", ""),
    ]
    assert [row.entry.heading for row in made.unexplained] == ["Old"]


def test_one_that_comes_to_be_struck_counts_as_gone() -> None:
    found = gathered(feature_memory(facts="- Own"), "- One\n")
    made = told(found, feature_memory(facts="- ~~Own~~ struck 2026-05-09: no\n- One"))
    assert [row.entry.heading for row in made.unexplained] == ["Own"]


def test_notes_that_the_memory_has_or_had_are_not_asked_about_again() -> None:
    facts = "- a (from progress notes, 2026-05-07)\n- ~~b~~ struck 2026-05-09: no"
    memory = feature_memory(facts=facts, promotion="- c \u2192 promoted 2026-05-09")
    found = gathered(memory, notes="- a\n- b\n- c\n- d\n")
    assert [noted.key for noted in found.entries] == ["d"]


def test_a_reason_for_what_is_carried_says_nothing() -> None:
    found = gathered(None, "- One\n")
    assert [row.reason for row in told(found, feature_memory(facts="- One"), One="why not").rows] == [""]


def problems(text: str, memory: str | None = None, fragment: str = "- One\n", **left: str) -> list[tuple[int | None, str]]:
    found = gathered(memory, fragment)
    by_id = {_id(found, key): why for key, why in left.items()}
    return [(problem.line, problem.message) for problem in check(found, text.encode(), by_id).problems]


def test_a_good_draft_has_no_problems() -> None:
    assert problems(feature_memory(facts="- One")) == []
    assert problems(drafting.draft(gathered(None, "- One\n"), STAMP).decode()) == []
    marked = "<!--\na → promoted 2026-01-01\n- x"  # a mark that is the text's own, with a source behind it
    assert problems(drafting.draft(gathered(None, marked), STAMP).decode(), fragment=marked) == []


GOOD = feature_memory(facts="- One")
AWS = "AKIA" + "Q3EGRIDYX7PLMNOV"


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        (GOOD.replace("feature_id: counts", "feature_id: other"), 2,
         "The feature_id is 'other', and the folder is called 'counts'."),
        (GOOD.replace("tags: [import, csv]\n", ""), 1, "The front matter has no tags."),
        (GOOD.replace("2026-05-08T09:30:00Z", "today"), 5, "updated_at is no date and time (ISO 8601): 'today'."),
        (GOOD.partition("---\n\n")[2], 1, "The memory has no front matter."),
        (GOOD.replace("## Lessons Learned\n\n_(none yet)_\n", ""), None, "The section 'Lessons Learned' is missing."),
        (GOOD + "\n## Facts\n", 34, "The section 'Facts' is there already."),
        (GOOD.replace("- One", "- One\n- [x](.jonggrang/.ephemeral/memory/a.md)"), 17,
         "This links to what stays on this machine, and goes: .jonggrang/.ephemeral/memory/a.md."),
        (GOOD.replace("- One", "- One\n- \x1b[31mred"), 17, "The text holds U+001B escape at column 3."),
        (GOOD.replace("- One", f"- One\n- {AWS}"), 17, "The text holds what looks like a secret (AWS access key id)."),
        (GOOD.replace("- One", f"- One\n\n### {AWS}"), 18, "The text holds what looks like a secret (AWS access key id)."),
        (GOOD.replace("- One", f"<!--\nseen with {AWS}\n-->\n\n- One"), 17,
         "The text holds what looks like a secret (AWS access key id)."),
        (GOOD.replace("tags: [import, csv]", f"tags: [import, {AWS}]"), 4,
         "The text holds what looks like a secret (AWS access key id)."),
        (GOOD.replace("# ", "# a\u202eb ", 1), 8, "The text holds U+202E right-to-left override at column 4."),
        (GOOD + "\n```\nopen", 34, "A fence begins here that never closes."),
        (GOOD.replace("- One", "- Else"), None,
         f"{FIRST.removeprefix('.jonggrang/')}:1 is left out without a word: \u201cOne\u201d."),
    ],
)
def test_what_is_wrong_is_told_with_its_line(text: str, line: int | None, said: str) -> None:
    assert problems(text)[0] == (line, said)


@pytest.mark.parametrize(
    "link",
    [
        '<a href="/.jonggrang/.ephemeral/memory/a.md">x</a>', "<img src=.jonggrang/.ephemeral/a.png>", "<file:///w/.jonggrang/.ephemeral/a.md>",
        "[x](file:///w/.ephemeral/a.md)", "[x](.jonggrang/.&#101;phemeral/a.md)", "[x](.jonggrang/%2Eephemeral/a.md)",
        "[x](.jonggrang\\.ephemeral\\a.md)", "[x](.jonggrang/.EPHEMERAL/a.md)",
    ],
)
def test_a_link_to_what_goes_is_found_in_any_disguise(link: str) -> None:
    found = problems(GOOD.replace("- One", f"- One\n- {link}"))
    assert found
    assert {(line, said.partition(",")[0]) for line, said in found} == {(17, "This links to what stays on this machine")}
    for fine in ("The notes in .ephemeral/ go after a week", "[x](docs/ephemeral/a.md)", '<a href="docs/a.md">.ephemeral</a>'):
        assert problems(GOOD.replace("- One", f"- One\n- {fine}")) == []


def test_outside_of_entries_an_allowance_and_what_stood_there_already_are_no_problems() -> None:
    allowed = f"## Facts\n\n<!-- memdesk: allow secret of a closed account -->\n<!-- {AWS} -->"
    assert problems(GOOD.replace("## Facts", allowed)) == []
    old = GOOD.replace("## Facts", f"## Facts\n\n### {AWS}")
    assert problems(old, old) == []


def test_a_secret_is_not_repeated() -> None:
    (problem,) = problems(feature_memory(), fragment=f"- key {AWS} here\n")
    assert "is left out without a word" in problem[1]
    assert AWS not in problem[1]


def test_markup_of_a_screen_is_text() -> None:
    assert problems(GOOD.replace("- One", "- One\n- [bold red]x[/] [@click=app.quit]y[/]")) == []


def test_what_was_wrong_before_does_not_stand_in_the_way() -> None:
    bad = "- [x](.ephemeral/y.md)\n- One"
    memory = feature_memory(facts=bad) + "\n## Facts\n\n- Again\n"
    assert problems(memory, memory) == []
    assert problems(memory.replace("y.md", "z.md"), memory, **{"[x](.ephemeral/y.md)": "moved"})[0][0] == 16


def test_bytes_that_are_no_text_are_a_problem_of_their_own() -> None:
    found = gathered(None, "- One\n")
    assert [problem.message for problem in check(found, b"a\n\xff", {}).problems] == ["It is not UTF-8: byte 0xff."]
    large = check(found, b"a" * (8 << 20) + b"a", {})
    assert [problem.message for problem in large.problems] == ["The memory would have over 8 MB."]
