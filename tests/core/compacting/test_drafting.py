"""The draft without a model: what goes where, in which form, and that the memory's own bytes stay."""

from __future__ import annotations

import pytest

from memdesk.core.compacting import drafting, keys, materials
from memdesk.core.errors import Refused
from tests.support.stores import FRAGMENTS, feature_memory, fragment
from tests.support.trees import workspace

STAMP = "2026-11-30T04:02:51Z"
MEMORY = ".jonggrang/.output/features/counts/MEMORY.md"
NOTES = ".jonggrang/.output/features/counts/progress.txt"
FIRST = f".jonggrang/{FRAGMENTS}/counts/task-001-2026-05-07T10-15-00Z.md"
SECOND = f".jonggrang/{FRAGMENTS}/counts/task-002-2026-05-08T10-15-00Z.md"


def gathered(memory: str | None, *fragments: str, notes: str = "") -> materials.Materials:
    files = dict(zip((FIRST, SECOND), fragments, strict=False))
    files |= {MEMORY: memory} if memory is not None else {}
    files |= {NOTES: notes} if notes else {}
    space = workspace(files)
    return materials.gather(space, space.stores[0], "counts")


def section(text: str, name: str) -> str:
    return text.partition(f"## {name}\n")[2].partition("\n## ")[0].strip("\n")


def made(memory: str | None, *fragments: str, notes: str = "") -> str:
    return drafting.draft(gathered(memory, *fragments, notes=notes), STAMP).decode()


def test_a_first_memory_is_whole() -> None:
    assert made(None, "- Free\n\n## lessons learned\n\n- Learned\n", notes="2026-05-09 task-003: done\n") == (
        "---\nfeature_id: counts\nfeature_name: counts\ntags: []\nupdated_at: 2026-11-30T04:02:51Z\n---\n\n# counts\n\n"
        "## Context\n\n_(none yet)_\n\n## Facts\n\n- Free (from task-001, 2026-05-07)\n\n## What Done & Why\n\n"
        "- 2026-05-09 task-003: done (from progress notes, task-003, 2026-05-09)\n\n"
        "## Lessons Learned\n\n- Learned (from task-001, 2026-05-07)\n\n"
        "## Open Questions / What Next\n\n_(none yet)_\n\n## Promotion Candidates\n\n_(none yet)_\n"
    )


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize("bom", ["", "\ufeff"])
def test_only_what_comes_in_changes(newline: str, bom: str) -> None:
    before = (bom + feature_memory(facts="* One\n* Two  ", lessons="Text.\n\n### Deeper\n\n- Three")).replace("\n", newline)
    after = made(before, fragment(facts="- New", lessons="- Learned", open="- Why?"))
    assert after == (
        before.replace("2026-05-08T09:30:00Z", STAMP)
        .replace(f"* Two  {newline}", f"* Two  {newline}- New (from task-001, 2026-05-07){newline}")
        .replace(f"Text.{newline}", f"Text.{newline}{newline}- Learned (from task-001, 2026-05-07){newline}")
        .replace(
            f"What Next{newline}{newline}_(none yet)_", f"What Next{newline}{newline}- Why? (from task-001, 2026-05-07)",
        )
    )


def test_a_line_for_nothing_goes_and_a_missing_final_newline_stays_missing() -> None:
    before = feature_memory(facts="_(none so far)_\n\n- One").rstrip("\n")
    after = made(before, fragment(facts="- New", promotion="- Up"))
    assert section(after, "Facts") == "- One\n- New (from task-001, 2026-05-07)"
    assert after.endswith("## Promotion Candidates\n\n- Up (from task-001, 2026-05-07)")


def test_spaced_bullets_stay_spaced() -> None:
    after = made(feature_memory(facts="- One\n\n- Two"), fragment(facts="- New\n- Newer"))
    assert section(after, "Facts").startswith("- One\n\n- Two\n\n- New (from")


@pytest.mark.parametrize("title", ["What Done &amp; Why", "WHAT DONE AND WHY", "3. What done & why"])
def test_spellings_of_a_section_are_one(title: str) -> None:
    after = made(feature_memory(what="- Old"), f"## {title}\n\n- New\n")
    assert section(after, "What Done & Why") == "- Old\n- New (from task-001, 2026-05-07)"


def test_missing_sections_come_where_they_belong_and_extra_ones_stay() -> None:
    before = (
        "---\nfeature_id: counts\nfeature_name: C\ntags: [a]\nupdated_at: 2026-05-08T09:30:00Z\n---\n\n### Facts\n\n- One\n\n"
        "### By hand\n\n- Own\n"
    )
    after = made(before, "### By hand\n\n- Mine\n\n### Facts\n\n- Two\n")
    assert after.partition("---\n\n")[2] == (
        "### Context\n\n_(none yet)_\n\n### Facts\n\n- One\n- Two (from task-001, 2026-05-07)\n\n"
        "### What Done & Why\n\n_(none yet)_\n\n### Lessons Learned\n\n_(none yet)_\n\n"
        "### Open Questions / What Next\n\n_(none yet)_\n\n### Promotion Candidates\n\n_(none yet)_\n\n"
        "### By hand\n\n- Own\n- Mine (from task-001, 2026-05-07)\n"
    )


def test_the_words_of_headings_go_into_the_source() -> None:
    long = " ".join(["holds"] * 30)
    after = made(
        feature_memory(), "# Notes\n\n## Facts\n\n### Import\n\n- One\n\n## Gotchas\n\n- Two\n\n"
        "## Why does `parse()` fail on \"empty\" [input](a.py)?\n\n- Three\n\n## \u00c9t\u00e9: (1)\n\n- Four\n\n"
        f"## {long}\n\n- Five\n\n## ???\n\n- Six\n\n## ~~Gone~~\n\n- Seven\n\n"
        f"## about ~~\n\n- Seventh\n\n## {'x' * 300}\n\n- Eight\n",
    )
    assert section(after, "Facts").split("\n") == [
        "- One (from task-001, under Import, 2026-05-07)", "- Two (from task-001, under Gotchas, 2026-05-07)",
        "- Three (from task-001, under Why does parse fail on empty input a.py, 2026-05-07)",
        "- Four (from task-001, under \u00c9t\u00e9 1, 2026-05-07)",
        f"- Five (from task-001, under {' '.join(['holds'] * 19)} ..., 2026-05-07)", "- Six (from task-001, 2026-05-07)",
        "- Seven (from task-001, 2026-05-07)", "- Seventh (from task-001, under about, 2026-05-07)",
        f"- Eight (from task-001, under {'x' * 116} ..., 2026-05-07)",
    ]


def test_without_a_section_the_title_of_a_fragment_says_what_it_is_about() -> None:
    after = made(
        feature_memory(), "# Uploads retry forever on 503\n\n- Cap it at 5\n\n### In tests\n\n- Cap it at 1\n",
        "# Notes\n\n## Facts\n\n- Three\n\n# Later\n\n- Four\n",
    )
    assert section(after, "Facts").split("\n") == [
        "- Cap it at 5 (from task-001, under Uploads retry forever on 503, 2026-05-07)",
        "- Cap it at 1 (from task-001, under Uploads retry forever on 503 / In tests, 2026-05-07)",
        "- Three (from task-002, 2026-05-08)", "- Four (from task-002, under Later, 2026-05-08)",
    ]


@pytest.mark.parametrize(
    "title", ["Import", "Why does `parse()` fail?", "w " * 200, "x" * 300, "a, 2026-01-02", "(from task-1)"],
)
@pytest.mark.parametrize("task", ["task-001", "task-" + "1" * 40])
def test_a_source_is_read_as_one_whatever_the_heading(title: str, task: str) -> None:
    for note in (False, True):
        assert keys.without_source(f"One (that is) {keys.source(task, '2026-05-07', title, note=note)}") == "One (that is)"


def test_blanks_in_a_span_of_code_tell_two_texts_apart() -> None:
    after = made(
        feature_memory(facts="- Ends in `;  ;`"),
        "- Splits at `a  b`\n- Splits  at `a b`\n- Splits at\n  `a\n  b`\n- Ends in `; ;`\n- Ends in  `;  ;`\n"
        "- A ` b  c\n- A ` b c\n",
    )
    new = ("Splits at `a  b`", "Splits  at `a b`", "Ends in `; ;`", "A ` b  c")
    assert section(after, "Facts").split("\n") == [
        "- Ends in `;  ;`", *(f"- {text} (from task-001, 2026-05-07)" for text in new),
    ]


def test_each_text_is_carried_whole() -> None:
    texts = (
        "A paragraph\nof two lines.\n\nAnother with code:\n\n```py\nx = 1\n\ny  =  2\n```\n\n- A bullet\n  - nested\n\n"
        "    within  it\n\n<div>raw</div>\n\n- # odd\n\n### Deep\n\n    code  alone\n"
    )
    assert section(made(feature_memory(), texts), "Facts") == (
        "- A paragraph\n  of two lines. (from task-001, 2026-05-07)\n"
        "- Another with code:\n\n  ```py\n  x = 1\n\n  y  =  2\n  ```\n\n  (from task-001, 2026-05-07)\n"
        "- A bullet\n  - nested\n\n    within  it (from task-001, 2026-05-07)\n"
        "- <div>raw</div> (from task-001, 2026-05-07)\n"
        "- # odd (from task-001, 2026-05-07)\n- ```\n      code  alone\n  ```\n\n  (from task-001, under Deep, 2026-05-07)"
    )


def test_exact_duplicates_fold_and_no_others() -> None:
    memory = feature_memory(facts="- Known (from task-009, 2026-01-02)\n- Deep\n  - within\n- ~~Struck~~ struck 2026-05-01: no")
    after = made(
        memory, "- Known\n- New  text\n- within\n- Struck\n",
        "- New text\n- new text\n- New text.\n\n```\na b\n```\n\n```\na  b\n```\n",
    )
    new = [row for row in section(after, "Facts").split("\n") if "2026-05-0" in row and not row.startswith("- ~~")]
    assert new == [
        "- New  text (from task-001, 2026-05-07)", "- Struck (from task-001, 2026-05-07)",
        "- new text (from task-002, 2026-05-08)", "- New text. (from task-002, 2026-05-08)",
        "  (from task-002, 2026-05-08)", "  (from task-002, 2026-05-08)",
    ]


def test_what_is_struck_or_left_out_is_not_carried() -> None:
    found = gathered(feature_memory(), "- ~~Bad~~ rejected 2026-05-09: no\n- Left\n- Kept\n")
    left = next(noted.entry.id for noted in found.entries if noted.key == "Left")
    after = drafting.draft(found, STAMP, [left]).decode()
    assert section(after, "Facts") == "- Kept (from task-001, 2026-05-07)"


@pytest.mark.parametrize(
    ("front", "wanted"),
    [
        ("",
         "---\nfeature_id: counts\nfeature_name: counts\ntags: []\nupdated_at: 2026-11-30T04:02:51Z\n---\n\n# Spring counts"),
        ("# note\ntags: [b]  # own\nupdated_at: '2026-05-08'\nfeature_id: counts",
         "---\n# note\ntags: [b]  # own\nupdated_at: 2026-11-30T04:02:51Z\nfeature_id: counts\nfeature_name: counts\n---\n"),
    ],
)
def test_front_matter_is_made_where_it_is_missing_and_else_changed_in_one_place(front: str, wanted: str) -> None:
    assert made(feature_memory(front=front), "- New\n").startswith(wanted)


@pytest.mark.parametrize(
    ("memory", "line"),
    [
        ("---\nupdated_at:\n  - a\n---\n", 2), ("---\nfeature_id: a\nfeature_id: b\n---\n", 3), ("---\nkey: [\n---\n", 3),
        ("---\nfeature_id: x\n\n# T\n", 1), ("## Facts\n\n```\nopen\n", 3),
    ],
)
def test_a_memory_that_cannot_be_edited_is_refused_with_the_line(memory: str, line: int) -> None:
    with pytest.raises(Refused) as caught:
        made(memory, fragment(facts="- New", promotion="- Up"))
    assert (caught.value.path, caught.value.line) == (MEMORY, line)


def test_an_edited_text_keeps_the_bytes_of_the_lines_that_stay() -> None:
    before = "\ufeff" + feature_memory(facts="- One  \n- Two\t").replace("\n", "\r\n")
    found = gathered(before, "- New\n")
    text = drafting.text(before.encode()).replace("- Two\t", "- Two\t\n- Three")
    wanted = before.replace("- Two\t\r\n", "- Two\t\r\n- Three\r\n").replace("2026-05-08T09:30:00Z", STAMP)
    assert drafting.fitted(found, text, STAMP).decode() == wanted


def test_an_edited_text_without_front_matter_is_taken_as_it_is() -> None:
    assert drafting.fitted(gathered(None, "- New\n"), "# Mine\n- a", STAMP) == b"# Mine\n- a\n"


@pytest.mark.parametrize(
    ("said", "carried"),
    [
        ("One (from docs/a.md:3)", "One (from docs/a.md:3, task-001, 2026-05-07)"),
        ("[observed] One (reason: why)", "[observed] One (reason: why; from task-001, 2026-05-07)"),
        ("One (from task-009, 2026-01-02)", "One (from task-009, 2026-01-02, task-001, 2026-05-07)"),
        ("One (reason: why; from x, task-009)", "One (reason: why; from x, task-009, task-001, 2026-05-07)"),
        ("One (as it is)", "One (as it is) (from task-001, 2026-05-07)"),
        ("One (from x)\n  - two", "One (from x)\n  - two\n\n  (from task-001, 2026-05-07)"),
    ],
)
def test_a_source_goes_into_the_bracket_that_an_entry_has(said: str, carried: str) -> None:
    text = made(None, f"- {said}\n")
    assert section(text, "Facts") == f"- {carried}"
    found = gathered(text, f"- {said}\n")
    assert drafting.draft(found, STAMP).decode() == text, "it is found again, and folds"
    entry = next(entry for entry in drafting.document(found, text.encode()).entries if entry.fields["section"] == "Facts")
    assert entry.fields.get("reason") == ("why" if "why" in said else None)


def test_a_line_that_was_promoted_in_its_first_paragraph_is_found_again() -> None:
    text = made(feature_memory(promotion="- One \u2192 promoted 2026-05-09\n  - more"), "- One\n  - more\n")
    assert text.count("more") == 1
