"""What a baseline knows, it knows wherever it moves; what is new, it never hides."""

from __future__ import annotations

import subprocess
import tempfile
from collections import Counter
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memdesk.core.checks import baseline
from memdesk.core.errors import StoreError
from memdesk.core.model import Finding
from tests.support.baselines import NAME, against, done, lines, written
from tests.support.stores import custodian_store, put

KEY = "AKIA" + "QWERTYUIOPASDFGH"
MAIL = "ana.berg@corp.dev"
BULLETS = (
    "- Sites are counted at dawn.", "- Maps are in /home/ana/maps, by site.", f"- Ask {MAIL} for the sheets.",
    f"- The key is {KEY}, in /home/ana/keys.", "- Sites are\n  counted at dawn.", "* Sites are counted at dawn.",
    "- Data goes to /mnt/c/data\n  and to /home/ana/data.", "- Reports go out on Mondays.", "- Tides \u200bare checked.",
)
SECTIONS = (
    "## 2026-05-02 - Store counts\n\nDecision:\nAs files.", "## 2026-05-01 - Store counts\n\nDecision:\nIn a table.",
    "## 2026-04-02 - Use maps\n\nDecision:\nFrom /home/ana/maps.", "## 2026-04-01 - Plain\n\nDecision:\nX.\n\nReason:\nY.",
    "## 2026-03-01 - Say what\n\nDecision:\n" + "word " * 130, "## 2026-04-02 - Use maps\n\nDecision:\nFrom paper.",
)
MORE_BULLETS = ("- Rings are logged.", "- A ferry is booked ahead.", "- Gates are shut.")
MORE_SECTIONS = tuple(f"## 2026-02-0{number} - Plain {number}\n\nDecision:\nX.\n\nReason:\nY." for number in (1, 2, 3))
SIZES = ("near-budget", "over-budget")  # more entries can take a file to its budget
FEW = settings(max_examples=6, deadline=None)
MANY = settings(max_examples=120, deadline=None)


class Memory:
    """The entries of a store that may have debts."""

    def __init__(self, bullets: list[str], sections: list[str], todos: int) -> None:
        self.bullets = bullets
        self.sections = sections
        self.todos = todos

    def write(self, root: Path, *, gap: str = "\n", crlf: bool = False, top: str = "") -> Path:
        brief = "# Brief\n\n" + "".join(f"TODO: {number}\n" for number in range(self.todos)) + "It counts.\n"
        custodian_store(
            root, brief=_ended(brief, crlf), constraints=_ended(f"# C\n\n{top}" + gap.join(self.bullets) + "\n", crlf),
            decisions=_ended(f"# D\n\n{top}" + f"\n{gap}".join(self.sections) + "\n", crlf),
        )
        put(root, "AGENTS.md", "see docs/memory\n")
        return root


MEMORIES = st.builds(
    Memory, st.lists(st.sampled_from(BULLETS), max_size=8), st.lists(st.sampled_from(SECTIONS), max_size=5), st.integers(0, 2)
)


def moving_inserting_sorting_and_line_endings_never_unhide(
    memory: Memory, random: Random, crlf: bool, gap: str, shuffled: bool
) -> None:
    with tempfile.TemporaryDirectory() as name:
        root = memory.write(Path(name))
        written(root)
        known = lines(root)
        bullets, sections = list(memory.bullets), list(memory.sections)
        if shuffled:
            random.shuffle(bullets)
            random.shuffle(sections)
        for one in random.sample(MORE_BULLETS, random.randint(0, 2)):
            bullets.insert(random.randint(0, len(bullets)), one)
        for one in random.sample(MORE_SECTIONS, random.randint(0, 2)):
            sections.insert(random.randint(0, len(sections)), one)
        Memory(bullets, sections, memory.todos).write(root, gap=gap, crlf=crlf, top="Some words of prose.\n\n")
        found = against(root)
        assert found.sifted is not None
        assert [str(one) for one in found.findings if one.rule not in (*SIZES, "secret")] == []
        assert [one for one in found.sifted.gone if one.rule not in SIZES] == []
        assert found.sifted.known >= len(known) - 2


def one_more_of_the_same_is_never_hidden(memory: Memory, bullet: str, data: st.DataObject) -> None:
    with tempfile.TemporaryDirectory() as name:
        root = memory.write(Path(name))
        before = _counted(done(root).report.findings)
        written(root)
        memory.bullets.insert(data.draw(st.integers(0, len(memory.bullets))), bullet)
        memory.write(root)
        more = _counted(done(root).report.findings) - before
        hidden = against(root)
        assert more - _counted(hidden.findings) == Counter()
        elsewhere = {key[0] for key in more if key[1].endswith("constraints.md")}
        custodian_store(root, preferences=f"# P\n\n{bullet}\n")
        seen = {one.rule for one in against(root).findings if one.path.endswith("preferences.md")}
        assert elsewhere & {"machine-path", "control-character", "example-value", "secret"} <= seen


def the_file_parses_back_holds_no_value_and_is_the_same_in_any_order(
    memory: Memory, other: Memory, random: Random
) -> None:
    with tempfile.TemporaryDirectory() as name:
        root = memory.write(Path(name))
        written(root)
        raw = (root / NAME).read_bytes()
        known = lines(root)
        assert not any(value.encode() in raw for value in (KEY, MAIL, "maps", "/home/ana", "Store counts"))
        random.shuffle(known)
        assert baseline.render(known) == raw
        assert baseline.parse(raw.replace(b"\n", b"\r\n"), NAME) == sorted(known)
        other.write(root)
        written(root)
        fresh = (root / NAME).read_bytes()
        (root / NAME).unlink()
        written(root)  # what is mended leaves at the next write: nothing of before is left
        assert (root / NAME).read_bytes() == fresh
        found = against(root)
        assert found.sifted is not None
        assert (found.sifted.gone, {one.rule for one in found.findings} <= {"secret"}) == ((), True)


LAID = st.randoms(use_true_random=False), st.booleans(), st.sampled_from(["\n", "\n\n"]), st.booleans()
test_moving = FEW(given(MEMORIES, *LAID)(moving_inserting_sorting_and_line_endings_never_unhide))
test_moving_often = pytest.mark.slow(MANY(given(MEMORIES, *LAID)(moving_inserting_sorting_and_line_endings_never_unhide)))
test_more = FEW(given(MEMORIES, st.sampled_from(BULLETS), st.data())(one_more_of_the_same_is_never_hidden))
test_more_often = pytest.mark.slow(
    MANY(given(MEMORIES, st.sampled_from(BULLETS), st.data())(one_more_of_the_same_is_never_hidden))
)
SHUFFLED = st.randoms(use_true_random=False)
test_file = FEW(given(MEMORIES, MEMORIES, SHUFFLED)(the_file_parses_back_holds_no_value_and_is_the_same_in_any_order))
test_file_often = pytest.mark.slow(
    MANY(given(MEMORIES, MEMORIES, SHUFFLED)(the_file_parses_back_holds_no_value_and_is_the_same_in_any_order))
)


names = st.text(st.characters(exclude_characters="/\0"), min_size=1, max_size=12).map(
    lambda text: text.encode("utf-8", "surrogatepass").decode("utf-8", "surrogateescape")
)


@given(st.lists(st.tuples(st.binary(min_size=32, max_size=32), names, names), max_size=8, unique_by=lambda row: row[0]))
def test_any_name_is_one_word_of_a_line(rows: list[tuple[bytes, str, str]]) -> None:
    known = [baseline.Known(mark.hex(), "near-budget", store, path) for mark, store, path in rows]
    assert baseline.parse(baseline.render(known), NAME) == sorted(known)


def _ended(text: str, crlf: bool) -> str:
    return text.replace("\n", "\r\n") if crlf else text


def _counted(findings: tuple[Finding, ...]) -> Counter[tuple[str, str]]:
    return Counter((finding.rule, finding.path) for finding in findings)


MARKS = st.lists(st.binary(min_size=32, max_size=32), min_size=9, max_size=60, unique=True)


@FEW
@given(MARKS, st.randoms(use_true_random=False))
def test_git_merges_two_branches_to_what_both_hold_or_says_that_it_cannot(marks: list[bytes], random: Random) -> None:
    every = [baseline.Known(mark.hex(), "near-budget", "docs/memory", f"docs/memory/{mark[0]}.md") for mark in marks]
    new = every[: random.randint(0, 6)]
    old = every[len(new) :]
    ours_new, theirs_new = new[: len(new) // 2], new[len(new) // 2 :]
    gone = random.sample(old, random.randint(0, 4))
    ours_gone, theirs_gone = set(gone[::2]), set(gone[1::2])
    sides = {
        "base": old,
        "ours": [*(one for one in old if one not in ours_gone), *ours_new],
        "theirs": [*(one for one in old if one not in theirs_gone), *theirs_new],
    }
    with tempfile.TemporaryDirectory() as name:
        for side, known in sides.items():
            (Path(name) / side).write_bytes(baseline.render(known))
        command = ["git", "merge-file", "-p", "-q", "ours", "base", "theirs"]
        done = subprocess.run(command, cwd=name, capture_output=True, check=False)
    touched = [one.fingerprint[:2] for one in (*new, *gone)]
    if done.returncode:
        assert len(set(touched)) < len(touched)  # two changes between the same two marks
        with pytest.raises(StoreError, match="conflict markers"):
            baseline.parse(done.stdout, NAME)
    else:
        assert done.stdout == baseline.render([*(one for one in old if one not in gone), *new])
