"""The table of field faults names tests that exist, and none of the faults that concern us is without one."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
TABLE = (ROOT / "tests" / "FIELD.md").read_text(encoding="utf-8")
# Those of the field notes that concern this layout, the writing of files or the screen.
CONCERNING = [f"F{number:02}" for number in (2, 3, 4, 5, 6, 7, 8, 9, 11, 13, 17, 18, 19, 21, *range(23, 32), 34)]
NAMED = re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", TABLE)


def test_each_fault_has_a_test() -> None:
    rows = dict(re.findall(r"^\| (F\d\d) \| [^|]+ \| (.*) \|$", TABLE, re.MULTILINE))
    assert list(rows) == CONCERNING
    assert [fault for fault, tests in rows.items() if "::test_" not in tests] == []


def test_each_test_that_it_names_is_there() -> None:
    sources = {path: (ROOT / path).read_text(encoding="utf-8") for path, _ in NAMED}
    assert [(path, name) for path, name in NAMED if f"def {name}(" not in sources[path]] == []
    assert len(NAMED) > 100


def test_no_test_of_a_fault_is_left_out() -> None:
    written = {
        (str(path.relative_to(ROOT)), name)
        for path in (ROOT / "tests").rglob("test_*.py")
        for name in re.findall(r"^(?:async )?def (test_f\d\d_\w+)\(", path.read_text(encoding="utf-8"), re.MULTILINE)
    }
    assert written - set(NAMED) == set()
