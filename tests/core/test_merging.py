"""Three versions of a memory file merged by entry: what becomes of each entry, and of what stands between them."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from memdesk.core import mergedriver, merging
from memdesk.core.linemerge import Clash, align, merge_lines
from memdesk.core.mergeunits import NotByEntry, Outline
from tests.support.merging import merged, reader, texts
from tests.support.stores import records_store

INBOX = "# Inbox\n\n## 2026-11-20\n\n- Alpha rests on the shore\n- Beta counts the reeds\n- Gamma maps the tide\n"
EMPTY = "# Inbox\n\nNo unprocessed memory candidates.\n"
CONSTRAINTS = "# Constraints\n\nThey hold.\n\n- Runs offline\n- Reads forty sites\n- Keeps names private\n"
CSV = "## 2026-05-02 - Store counts as CSV\n\nDecision:\nCounts are CSV files.\n\nReason:\nVolunteers open them.\n"
WEEKLY = "## 2026-04-01 - Report weekly\n\nDecision:\nReports go out on Mondays.\n\nReason:\nPlanners meet on Tuesdays.\n"
DECISIONS = f"# Decisions\n\nWhat was decided, newest first.\n\n{CSV}\n{WEEKLY}"
STRUCK = "- ~~Reads forty sites~~ struck 2026-11-30\n"
NOTE = "# 2026-11-20\n\n- [observed] Alpha rests on the shore\n- [observed] Beta counts the reeds\n"


def _inbox(base: str | None, ours: str, theirs: str) -> str:
    return merged(reader("inbox.md"), base, ours, theirs)


def _lines(base: str, ours: str, theirs: str) -> str:
    return merged(reader("constraints.md"), base, ours, theirs)


def _decisions(base: str, ours: str, theirs: str) -> str:
    return merged(reader("decisions.md"), base, ours, theirs)


# New entries


def test_new_candidates_of_both_sides_are_kept_ours_first_under_one_heading() -> None:
    ours = "# Inbox\n\n## 2026-11-30\n\n- Ours came later\n- Ours came first\n"
    theirs = "# Inbox\n\n## 2026-11-30\n\n- Theirs came\n"
    assert _inbox(EMPTY, ours, theirs) == (
        "# Inbox\n\n## 2026-11-30\n\n- Ours came later\n- Ours came first\n- Theirs came\n"
    )


@pytest.mark.parametrize("swap", [False, True])
def test_new_days_stand_newest_first_whoever_brought_them(swap: bool) -> None:
    sides = [INBOX.replace("# Inbox\n", f"# Inbox\n\n## {day}\n\n- On {day}\n") for day in ("2026-11-28", "2026-11-30")]
    found = _inbox(INBOX, *(reversed(sides) if swap else sides))
    assert [line for line in found.split("\n") if line.startswith("## ")] == ["## 2026-11-30", "## 2026-11-28", "## 2026-11-20"]
    assert found.count("- On") == 2


def test_a_file_without_blank_lines_stays_one() -> None:
    base = "# Inbox\n## 2026-11-20\n- Alpha rests on the shore\n"
    ours, theirs = (base.replace("## 2026", f"## {day}\n- On {day}\n## 2026") for day in ("2026-11-30", "2026-11-29"))
    assert _inbox(base, ours, theirs) == base.replace(
        "## 2026", "## 2026-11-30\n- On 2026-11-30\n## 2026-11-29\n- On 2026-11-29\n## 2026"
    )


def test_a_list_with_blank_lines_stays_one() -> None:
    base = "# Constraints\n\n- Runs offline\n\n- Reads forty sites\n"
    assert _lines(base, base + "\n- Ours\n", base + "\n- Theirs\n") == base + "\n- Ours\n\n- Theirs\n"


def test_new_decisions_stand_newest_first_and_of_one_day_ours_first() -> None:
    def new(day: str, title: str) -> str:
        return DECISIONS.replace(CSV, f"## {day} - {title}\n\nDecision:\n{title} it is.\n\nReason:\nr\n\n{CSV}")

    found = _decisions(DECISIONS, new("2026-11-29", "Heron"), new("2026-11-30", "Plover"))
    assert found.index("Plover") < found.index("Heron") < found.index("CSV")
    found = _decisions(DECISIONS, new("2026-11-30", "Heron"), new("2026-11-30", "Plover"))
    assert found.index("Heron") < found.index("Plover") < found.index("CSV")


def test_what_is_appended_on_both_sides_is_in_one_list() -> None:
    assert _lines(CONSTRAINTS, CONSTRAINTS + "- Ours\n", CONSTRAINTS + "- Theirs\n") == CONSTRAINTS + "- Ours\n- Theirs\n"


def test_notes_go_on_in_order() -> None:
    ours, theirs = "- [observed] Ours\n", "- [observed] Theirs\n"
    read = reader("memory/2026-11-20.md", "agent-memory")
    assert merged(read, NOTE, NOTE + ours, NOTE + theirs) == NOTE + ours + theirs


def test_the_same_new_entry_on_both_sides_is_one() -> None:
    new = INBOX.replace("- Alpha", "- Delta sees the dawn\n- Alpha")
    assert _inbox(INBOX, new, new.replace("- Beta counts the reeds\n", "")) == new.replace("- Beta counts the reeds\n", "")


def test_one_new_title_with_two_texts_is_a_clash() -> None:
    new = [DECISIONS.replace(CSV, f"## 2026-11-30 - Sync\n\nDecision:\n{text}\n\n{CSV}") for text in ("By hand.", "Each hour.")]
    found = _decisions(DECISIONS, *new)
    assert found == DECISIONS.replace(
        CSV,
        "<<<<<<< ours\n## 2026-11-30 - Sync\n\nDecision:\nBy hand.\n||||||| base\n=======\n"
        f"## 2026-11-30 - Sync\n\nDecision:\nEach hour.\n>>>>>>> theirs\n\n{CSV}",
    )


# Entries that go, change or move


def test_what_went_on_one_side_and_is_untouched_on_the_other_goes() -> None:
    ours, theirs = INBOX.replace("- Alpha rests on the shore\n", ""), INBOX.replace("- Gamma maps the tide\n", "")
    assert _inbox(INBOX, ours, theirs) == "# Inbox\n\n## 2026-11-20\n\n- Beta counts the reeds\n"
    assert _inbox(INBOX, INBOX, theirs) == theirs
    assert _inbox(INBOX, ours, INBOX) == ours


def test_what_is_struck_on_one_side_stays_struck_beside_other_changes() -> None:
    struck = "- ~~Runs offline~~ superseded 2026-11-30\n- Runs offline and on ferries\n"
    ours = CONSTRAINTS.replace("- Runs offline\n", struck)
    theirs = CONSTRAINTS.replace("- Reads forty sites\n", "").replace("- Keeps", "- Keeps all")
    assert _lines(CONSTRAINTS, ours, theirs) == f"# Constraints\n\nThey hold.\n\n{struck}- Keeps all names private\n"


def test_the_same_edit_on_both_sides_is_one() -> None:
    both = CONSTRAINTS.replace("forty", "fifty")
    assert _lines(CONSTRAINTS, both + "- Ours\n", both) == both + "- Ours\n"


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        ("- Reads fifty sites\n", "- Reads forty sites daily\n"), (STRUCK, "- Reads fifty sites\n"),
        ("", "- Reads fifty sites\n"), ("- Reads fifty sites\n", ""), (STRUCK, ""),
    ],
    ids=["edits", "strike and edit", "out and edit", "edit and out", "strike and out"],
)
def test_two_different_changes_are_a_clash_around_that_entry_alone(ours: str, theirs: str) -> None:
    old = "- Reads forty sites\n"
    found = _lines(CONSTRAINTS, CONSTRAINTS.replace(old, ours) + "- Ours\n", CONSTRAINTS.replace(old, theirs) + "- Theirs\n")
    around = f"<<<<<<< ours\n{ours}||||||| base\n{old}=======\n{theirs}>>>>>>> theirs\n"
    assert found == CONSTRAINTS.replace(old, around) + "- Ours\n- Theirs\n"


def test_a_section_is_known_by_its_title_however_its_text_changes() -> None:
    ours = DECISIONS.replace("Counts are CSV files.\n\nReason:\nVolunteers open them.", "All is new here.")
    theirs = DECISIONS.replace("Counts are CSV files.", "Nothing is as before.")
    found = _decisions(DECISIONS, ours, theirs)
    assert found.count("<<<<<<<") == 1
    assert found.split("<<<<<<<")[0] == DECISIONS.split("## 2026-05-02")[0]
    assert found.split(">>>>>>> theirs\n")[1] == "\n" + WEEKLY


def test_what_moved_on_one_side_and_was_edited_on_the_other_is_both() -> None:
    base = "# Constraints\n\n## Sites\n\n- Runs offline\n- Reads forty sites\n\n## Names\n\n- Keeps names private\n"
    ours = "# Constraints\n\n## Sites\n\n- Reads forty sites\n\n## Names\n\n- Keeps names private\n- Runs offline\n"
    assert _lines(base, ours, base.replace("Runs offline", "Runs offline always")) == ours.replace("offline", "offline always")


def test_what_moved_to_two_places_is_there_once() -> None:
    base = "# Constraints\n\n## A\n\n- One\n- Two\n\n## B\n\n- Three\n\n## C\n\n- Four\n"
    ours = base.replace("- One\n", "").replace("- Three\n", "- Three\n- One\n")
    theirs = base.replace("- One\n", "").replace("- Four\n", "- Four\n- One\n")
    assert _lines(base, ours, theirs) == ours


@pytest.mark.parametrize("swap", [False, True])
def test_an_order_that_one_side_changed_is_kept(swap: bool) -> None:
    turned = "# Constraints\n\nThey hold.\n\n- Keeps names private\n- Runs offline\n- Reads forty sites\n"
    sides = [turned, CONSTRAINTS.replace("forty", "fifty")]
    assert _lines(CONSTRAINTS, *(reversed(sides) if swap else sides)) == turned.replace("forty", "fifty")


def test_twins_are_neither_lost_nor_doubled() -> None:
    base = "# Constraints\n\n- Twice\n- Runs offline\n- Twice\n"
    first, last = "# Constraints\n\n- Runs offline\n- Twice\n", "# Constraints\n\n- Twice\n- Runs offline\n"
    assert _lines(base, first, base + "- New\n") == first + "- New\n"
    assert _lines(base, base + "- New\n", last) == last + "- New\n"
    assert _lines(base, last, last.replace("- Runs offline\n", "")).count("- Twice") == 1
    assert _lines(base, base + "- Twice\n", base + "- New\n").count("- Twice") == 3
    assert _lines(base, base + "- Twice\n", base + "- Twice\n").count("- Twice") == 3


def test_twins_that_went_on_different_sides_are_both_gone_or_one() -> None:
    """Which twin a side took out nobody can tell; of two that went one each, one is left at most."""
    base = "# Constraints\n\n- Twice\n- Runs offline\n- Twice\n"
    found = _lines(base, "# Constraints\n\n- Runs offline\n- Twice\n", "# Constraints\n\n- Twice\n- Runs offline\n")
    assert found == "# Constraints\n\n- Runs offline\n"


# Headings and the line that stands for none


def test_a_day_goes_with_its_last_candidate_though_each_side_took_one() -> None:
    base = INBOX + "\n## 2026-11-10\n\n- Delta sees the dawn\n- Epsilon hears it\n"
    ours, theirs = base.replace("- Delta sees the dawn\n", ""), base.replace("- Epsilon hears it\n", "")
    assert _inbox(base, ours, theirs) == INBOX


def test_a_day_stays_where_the_other_side_added_to_it() -> None:
    base = INBOX + "\n## 2026-11-10\n\n- Delta sees the dawn\n"
    assert _inbox(base, INBOX, base + "- Epsilon hears it\n") == INBOX + "\n## 2026-11-10\n\n- Epsilon hears it\n"
    assert _inbox(base, base + "- Epsilon hears it\n", INBOX) == INBOX + "\n## 2026-11-10\n\n- Epsilon hears it\n"


def test_the_line_for_no_candidates_comes_back_with_the_last_of_them() -> None:
    alpha, rest = "- Alpha rests on the shore\n", "- Beta counts the reeds\n- Gamma maps the tide\n"
    assert _inbox(INBOX, INBOX.replace(alpha, ""), INBOX.replace(rest, "")) == EMPTY


def test_the_line_for_no_candidates_goes_where_one_side_has_some() -> None:
    assert _inbox(INBOX, EMPTY, INBOX.replace("- Beta", "- New\n- Beta")) == "# Inbox\n\n## 2026-11-20\n\n- New\n"
    assert _inbox(EMPTY, EMPTY, INBOX) == INBOX


def test_the_line_for_no_candidates_does_not_stand_beside_a_clash() -> None:
    base = "# Inbox\n\n## 2026-11-20\n\n- Alpha rests on the shore\n"
    found = _inbox(base, EMPTY, base.replace("rests", "sleeps"))
    assert "No unprocessed" not in found
    assert found.startswith("# Inbox\n\n## 2026-11-20\n\n<<<<<<< ours\n||||||| base\n- Alpha rests")


def test_a_heading_renamed_on_one_side_takes_in_what_the_other_added() -> None:
    base = "# Constraints\n\n## Sites\n\n- Runs offline\n- Reads forty sites\n\n## Names\n\n- Keeps names private\n"
    found = _lines(base, base.replace("## Sites", "## Sites and ferries"), base.replace("- Reads", "- New\n- Reads"))
    assert found == base.replace("## Sites", "## Sites and ferries").replace("- Reads", "- New\n- Reads")


def test_what_follows_a_section_that_goes_stays() -> None:
    base = DECISIONS + "\n- 2026-03-01 | Use paper maps. Reason: rain\n"
    line = "- 2026-03-02 | Use boats. Reason: tide\n"
    read = reader("decisions.md")
    assert len(texts(read, base.encode())) == 3
    ours = base.replace(WEEKLY + "\n", "")
    for sides in ((ours, base + line), (base + line, ours)):
        made = merging.merge(read, base.encode(), *(side.encode() for side in sides))
        assert line.strip() in texts(read, made.settled(1))
        assert "- 2026-03-01 | Use paper maps. Reason: rain" in texts(read, made.settled(1))


# Text between entries


def test_text_between_entries_is_merged_by_lines() -> None:
    base = "# Constraints\n\nThey hold.\nAlways.\nFor all\nof us.\n\n- Runs offline\n"
    ours, theirs = base.replace("They hold.", "They all hold."), base.replace("of us.", "of you.") + "- New\n"
    assert _lines(base, ours, theirs) == "# Constraints\n\nThey all hold.\nAlways.\nFor all\nof you.\n\n- Runs offline\n- New\n"
    found = _lines(base, ours, base.replace("They hold.", "They held."))
    assert found == base.replace(
        "They hold.\n", "<<<<<<< ours\nThey all hold.\n||||||| base\nThey hold.\n=======\nThey held.\n>>>>>>> theirs\n"
    )


def test_different_text_in_one_place_is_a_clash_and_rows_of_a_list_are_not() -> None:
    read = reader("manifest.md")
    base = "# Manifest\n\n## Always load\n\n- `brief.md`\n"
    assert merged(read, base, base + "- `a.md`\n", base + "- `b.md`\n") == base + "- `a.md`\n- `b.md`\n"
    found = merged(read, base, base + "\nOurs here.\n", base + "\nTheirs here.\n")
    assert found == base + "\n<<<<<<< ours\nOurs here.\n||||||| base\n=======\nTheirs here.\n>>>>>>> theirs\n"


def test_front_matter_is_merged_by_lines() -> None:
    base = "---\nname: a\nowner: b\nuntil: c\n---\n\n" + CONSTRAINTS
    ours, theirs = base.replace("name: a", "name: x"), base.replace("until: c", "until: z") + "- New\n"
    assert _lines(base, ours, theirs) == base.replace("name: a", "name: x").replace("until: c", "until: z") + "- New\n"


# Bytes


def _merge(base: bytes | None, ours: bytes, theirs: bytes, path: str = "constraints.md") -> bytes:
    return merging.merge(reader(path), base, ours, theirs).text("ours", "theirs", "base")


@pytest.mark.parametrize("swap", [False, True])
def test_line_endings_that_one_side_changed_are_changed_and_nothing_clashes(swap: bool) -> None:
    base = CONSTRAINTS.encode()
    sides = [base.replace(b"\n", b"\r\n"), base.replace(b"forty", b"fifty") + b"- New\n"]
    found = _merge(base, *(reversed(sides) if swap else sides))
    assert found == (base.replace(b"forty", b"fifty") + b"- New\n").replace(b"\n", b"\r\n")


def test_markers_end_as_the_lines_of_the_file_do() -> None:
    base = CONSTRAINTS.replace("\n", "\r\n").encode()
    found = _merge(base, base.replace(b"forty", b"fifty"), base.replace(b"forty", b"sixty"))
    assert found.count(b"\n") == found.count(b"\r\n") == CONSTRAINTS.count("\n") + 6


def test_a_byte_order_mark_and_a_missing_final_newline_stay() -> None:
    base = b"\xef\xbb\xbf" + CONSTRAINTS.encode().rstrip(b"\n")
    found = _merge(base, base + b"\n- Ours", base.replace(b"forty", b"fifty"))
    assert found == base.replace(b"forty", b"fifty") + b"\n- Ours"
    assert _merge(base, base.replace(b"forty", b"fifty"), base[3:] + b"\n") == base[3:].replace(b"forty", b"fifty") + b"\n"


def test_bytes_that_nobody_touched_stay() -> None:
    odd = b"# Constraints\r\n\n\n\nThey hold.  \n\n\n*   Runs offline  \r\n\n*   Reads forty sites\n\n\n"
    ours, theirs = odd.replace(b"forty", b"fifty"), odd.replace(b"They", b"All")
    assert _merge(odd, ours, theirs) == ours.replace(b"They", b"All")


@pytest.mark.parametrize(
    "odd", [b"\xff\xfe", b"- caf\xe9\n", b"a\rb\n", b"- a\0b\n", b"<!-- never closed\n", b"```\nopen\n",
            b"<<<<<<< x\n- a\n=======\n- b\n>>>>>>> y\n"],
)
def test_what_cannot_be_taken_apart_is_merged_by_lines(odd: bytes) -> None:
    base = CONSTRAINTS.encode() + odd
    ours, theirs = base.replace(b"They hold", b"They held"), base + b"- Theirs\n"
    with pytest.raises(NotByEntry):
        Outline(reader("constraints.md")(CONSTRAINTS.encode() + b"```\nopen\n"))
    assert _merge(base, ours, theirs) == ours + b"- Theirs\n"
    clash = _merge(base, base.replace(b"- Runs offline\n", b"- Ours\n"), base.replace(b"- Runs offline\n", b"- Theirs\n"))
    assert clash == base.replace(
        b"- Runs offline\n", b"<<<<<<< ours\n- Ours\n||||||| base\n- Runs offline\n=======\n- Theirs\n>>>>>>> theirs\n"
    )


def test_an_entry_that_would_swallow_its_neighbour_falls_back() -> None:
    """Each side alone is well-formed; together the text of one would become part of the other."""
    base = "# Constraints\n\n- Runs offline\n"
    ours = "# Constraints\n\n- Runs offline\n\n  ```\n  code\n  ```\n"
    found = _lines(base, ours, base + "- New\n")
    assert texts(reader("constraints.md"), found.encode()) == ["- Runs offline\n\n  ```\n  code\n  ```", "- New"]


def test_without_a_base_nothing_that_differs_is_settled() -> None:
    made = merging.merge(reader("constraints.md"), None, CONSTRAINTS.encode() + b"- Ours\n", CONSTRAINTS.encode())
    assert not made.clean
    assert made.settled(1) == CONSTRAINTS.encode() + b"- Ours\n"
    assert [part for part in made.parts if isinstance(part, Clash)] == [Clash(None, b"- Ours\n", b"")]


def test_an_unchanged_side_gives_the_other_to_the_byte() -> None:
    ours, odd = CONSTRAINTS.encode(), b"\xff whatever\r- x"
    assert _merge(ours, ours, odd) == odd
    assert _merge(ours, odd, ours) == odd
    assert _merge(b"x", odd, odd) == odd


def test_labels_may_be_left_out_and_markers_have_the_size_asked_for() -> None:
    made = merging.Merged((b"a\n", Clash(b"b\n", b"c\n", b"d")))
    assert made.text("", "", None, 9) == b"a\n<<<<<<<<<\nc\n=========\nd\n>>>>>>>>>\n"


# Lines


def test_aligned_pairs_rise_and_are_equal() -> None:
    one, two = list("abcabcxyzabc"), list("bcaxabczyabca")
    pairs = align(one, two)
    assert all(one[at] == two[other] for at, other in pairs)
    assert pairs == sorted(pairs)
    assert len({other for _, other in pairs}) == len(pairs) >= 8


def test_lines_are_merged_as_git_does(tmp_path: Path) -> None:
    """Where both are clean, the same to the byte; no clash of git's is settled where a line changed on both sides."""
    from random import Random

    random = Random(7)
    agreed = 0
    for _ in range(25):
        base = [f"{random.choice('abcdefgh')}\n" for _ in range(random.randint(0, 12))]
        sides = [_changed(random, base, letters) for letters in ("uvw", "xyz")]
        versions = ["".join(lines).encode() for lines in (base, *sides)]
        names = [tmp_path / name for name in ("base", "ours", "theirs")]
        for name, data in zip(names, versions, strict=True):
            name.write_bytes(data)
        done = subprocess.run(["git", "merge-file", "-p", names[1], names[0], names[2]], capture_output=True, check=False)
        parts = merge_lines(*versions)
        clean = not any(isinstance(part, Clash) for part in parts)
        if clean and done.returncode == 0:
            assert b"".join(part for part in parts if isinstance(part, bytes)) == done.stdout
        agreed += clean == (done.returncode == 0)
    assert agreed >= 23


def _changed(random: object, base: list[str], letters: str) -> list[str]:
    from random import Random

    assert isinstance(random, Random)
    lines = list(base)
    for _ in range(random.randint(0, 2)):
        at = random.randint(0, len(lines))
        lines[at : at + random.randint(0, 1)] = [f"{random.choice(letters)}\n"] * random.randint(0, 1)
    return lines


# What other layouts call an entry


def test_tagged_lines_below_one_that_groups_them_are_merged_one_by_one() -> None:
    read = reader("memory/2026-11-20.md", "agent-memory")
    base = "# 2026-11-20\n\n- Sync\n\n  - [observed] One\n  - [observed] Two\n\n- [observed] Three  \n"
    ours = base.replace("  - [observed] One\n", "  - [observed] One\n  - [observed] Ours\n")
    theirs = base.replace("  - [observed] Two\n", "  - [observed] Two\n  - [observed] Theirs\n").replace("Three", "Four")
    assert merged(read, base, ours, theirs) == base.replace(
        "  - [observed] Two\n", "  - [observed] Ours\n  - [observed] Two\n  - [observed] Theirs\n"
    ).replace("Three", "Four")


TERMS = {
    "row": ("| Term | Meaning |\n| --- | --- |\n", "| {0} | What {0} is. |\n", ""),
    "bullet": ("Words of the project.\n\n", "- **{0}**: What {0} is.\n", ""),
    "section": ("", "## {0}\n\nWhat {0} is.\n", "\n"),
    "bold": ("## Language\n\n", "**{0}**:\nWhat {0} is.\n", "\n"),
}


@pytest.mark.parametrize("form", TERMS)
def test_terms_of_a_glossary_are_merged_one_by_one(tmp_path: Path, form: str) -> None:
    records_store(tmp_path)
    read = mergedriver.reader(str(tmp_path), "CONTEXT.md")
    assert read is not None
    head, term, between = TERMS[form]

    def glossary(*names: str, **instead: str) -> str:
        found = [term.format(name).replace(f"What {name} is", instead.get(name, f"What {name} is")) for name in names]
        return f"# Context\n\n{head}{between.join(found)}"

    base = glossary("Anchor", "Count", "Site")
    assert len(texts(read, base.encode())) == 3
    ours, theirs = glossary("Anchor", "Bird", "Count", "Site"), glossary("Anchor", "Count", "Site", "Tide", Count="A number")
    assert merged(read, base, ours, theirs) == glossary("Anchor", "Bird", "Count", "Site", "Tide", Count="A number")
    found = merged(read, base, glossary("Anchor", "Count", "Site", Count="How many"), theirs)
    assert found.count("<<<<<<<") == 1
    places = [found.index(text) for text in ("Anchor", "<<<<<<<", "How many", "A number", ">>>>>>>", "Site", "Tide")]
    assert places == sorted(places)


def test_a_record_is_merged_by_lines(tmp_path: Path) -> None:
    records_store(tmp_path)
    read = mergedriver.reader(str(tmp_path), "docs/adr/0007-x.md")
    assert read is not None
    base = "# 7. Use tides\n\nStatus: proposed\n\n## Context\n\nOne.\n\n## Decision\n\nTwo.\n"
    ours, theirs = base.replace("proposed", "accepted"), base.replace("One.", "One and a half.")
    assert merged(read, base, ours, theirs) == ours.replace("One.", "One and a half.")
    found = merged(read, base, ours, base.replace("proposed", "rejected"))
    assert found == base.replace(
        "Status: proposed\n",
        "<<<<<<< ours\nStatus: accepted\n||||||| base\nStatus: proposed\n=======\nStatus: rejected\n>>>>>>> theirs\n",
    )


def test_entries_that_both_sides_edited_clash_however_many_they_are() -> None:
    """More than can be compared one with another: each is still known, also where others before it went."""
    lines = [f"- Reads site {at} at low tide" for at in range(200)]
    base, ours, theirs = ("# Constraints\n\n" + "\n".join(line + end for line in lines[first:]) + "\n"
                          for first, end in ((0, ""), (0, " alone"), (50, " at dawn")))
    parts = merging.merge(reader("constraints.md"), base.encode(), ours.encode(), theirs.encode()).parts
    clashes = [part for part in parts if isinstance(part, Clash)]
    assert len(clashes) == 200
    assert sum(not clash.theirs for clash in clashes) == 50
    for clash in clashes[50:]:
        assert clash.ours.removesuffix(b" alone\n") == clash.theirs.removesuffix(b" at dawn\n") == (clash.base or b"").rstrip()
