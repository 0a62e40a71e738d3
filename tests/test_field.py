"""The table of field faults names tests that exist, and none of the faults that concern us is without one."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
TABLE = (ROOT / "tests" / "FIELD.md").read_text(encoding="utf-8")
# Those of the field notes that concern this layout, the writing of files or the screen.
CONCERNING = (
    "F02 F03 F04 F05 F06 F07 F08 F09 F11 F13 F17 F19 F21 F23 F24 F25 F26 F27 F28 F29 F30 F31 F34"
).split()
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
