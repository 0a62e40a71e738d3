"""The log: a file a day, and a line at its end whatever its shape is."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from pathlib import Path

import pytest

from memdesk.core.clock import Clock
from memdesk.core.desk import Desk
from memdesk.core.draft import Draft
from memdesk.core.errors import Refused
from memdesk.core.layouts.tiers import logging
from memdesk.core.plan import Request
from memdesk.core.verify import verify
from tests.support.planning import TODAY, TiersBench
from tests.support.stores import tiers_store

LOG = "log/2026-11-30.md"
YESTERDAY = "log/2026-11-29.md"


def noted(root: Path, log: str | bytes | None, *lines: str, at: str = "14:05", today: date = TODAY) -> bytes:
    """Today's log after these lines; what is read again must have just them as new entries."""
    bench = TiersBench(root, **{LOG: log, YESTERDAY: "# 2026-11-29\n\n- x\n"})
    store = bench.workspace.stores[0]
    draft = Draft(bench.workspace)
    logging.note(draft, store, lines or ("Said so",), today, at)
    (work,) = draft.works.values()
    verified = verify(work)
    assert len(verified.made) == len(lines or ("",))
    assert not verified.amended
    before = work.before or b""
    assert verified.document.data.startswith(before)
    return verified.document.data


@pytest.mark.parametrize(
    ("log", "after"),
    [
        (None, "# 2026-11-30\n\n- 14:05 Said so\n"),
        ("", "- 14:05 Said so\n"),
        ("# 2026-11-30\n", "# 2026-11-30\n\n- 14:05 Said so\n"),
        ("# 2026-11-30", "# 2026-11-30\n\n- 14:05 Said so"),
        ("# D\n\n- 09:00 a\n", "# D\n\n- 09:00 a\n- 14:05 Said so\n"),
        ("# D\n\n- 09:00 a", "# D\n\n- 09:00 a\n- 14:05 Said so"),
        ("# D\n\n* a\n\n* b\n", "# D\n\n* a\n\n* b\n\n* 14:05 Said so\n"),
        ("# D\r\n\r\n- a\r\n", "# D\r\n\r\n- a\r\n- 14:05 Said so\r\n"),
        ("# D\n\n- a\n  - b\n    - c\n", "# D\n\n- a\n  - b\n    - c\n- 14:05 Said so\n"),
        ("# D\n\n- a\n\n  more\n", "# D\n\n- a\n\n  more\n- 14:05 Said so\n"),
        (" - a\n", " - a\n - 14:05 Said so\n"),
        ("1. a\n2. b\n", "1. a\n2. b\n- 14:05 Said so\n"),
        ("# D\n\n- a\n\n## Later\n", "# D\n\n- a\n\n## Later\n\n- 14:05 Said so\n"),
        ("# D\n\nProse\nand more\n", "# D\n\nProse\nand more\n\n- 14:05 Said so\n"),
        ("# D\n\n```\n- code\n```\n", "# D\n\n```\n- code\n```\n\n- 14:05 Said so\n"),
        ("# D\n\n> quoted\n", "# D\n\n> quoted\n\n- 14:05 Said so\n"),
        ("# D\n\n<!-- closed -->\n", "# D\n\n<!-- closed -->\n\n- 14:05 Said so\n"),
        ("# D\n\n| a |\n| - |\n", "# D\n\n| a |\n| - |\n\n- 14:05 Said so\n"),
        ("# D\n\n- a\n\n\n\n", "# D\n\n- a\n\n\n\n- 14:05 Said so\n"),
        ("# D\n\n- a\n   ", "# D\n\n- a\n   \n- 14:05 Said so"),
        ("---\nday: x\n---\n", "---\nday: x\n---\n\n- 14:05 Said so\n"),
        ("\ufeff# D\n", "\ufeff# D\n\n- 14:05 Said so\n"),
        ("\ufeff", "\ufeff- 14:05 Said so\n"),
        ("- \n", "- \n- 14:05 Said so\n"),
    ],
    ids=repr,
)
def test_a_line_goes_to_the_end_whatever_stands_there(tmp_path: Path, log: str | None, after: str) -> None:
    assert noted(tmp_path, log) == after.encode()


def test_lines_stand_below_each_other_and_without_a_time_too(tmp_path: Path) -> None:
    assert noted(tmp_path, None, "One", "Two\nlines", at="") == b"# 2026-11-30\n\n- One\n- Two lines\n"
    loose = "# D\n\n- a\n\n- b\n"
    assert noted(tmp_path, loose, "One", "Two") == f"{loose}\n- 14:05 One\n\n- 14:05 Two\n".encode()


@pytest.mark.parametrize(
    ("log", "line"),
    [
        ("# D\n\n```\nopen\n", 3), ("# D\n\n- a\n\n~~~~\nx\n~~~\n", 5), ("# D\n\n<!-- open\n", 3), ("---\nday: x\n\n- a\n", 1),
        ("<<<<<<< a\n- x\n=======\n- y\n>>>>>>> b\n", 1), (b"# D\n\n- \xff\n", 3),
    ],
    ids=repr,
)
def test_where_a_line_would_be_lost_it_is_refused_with_the_line(tmp_path: Path, log: str | bytes, line: int) -> None:
    with pytest.raises(Refused) as caught:
        noted(tmp_path, log)
    assert (caught.value.path, caught.value.line) == (f"memory/{LOG}", line)
    assert caught.value.remedy


def test_a_log_of_another_day_is_never_touched(tmp_path: Path) -> None:
    others = {YESTERDAY: "# 2026-11-29\n\n```\nopen\n", "log/2026-12-01.md": "# 2026-12-01\n"}
    bench = TiersBench(tmp_path, **others)
    draft = Draft(bench.workspace)
    logging.note(draft, bench.workspace.stores[0], ["x"], TODAY, "14:05")
    assert list(draft.works) == ["memory/" + LOG]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("Plain", "- 14:05 Plain"), ("Two\nlines", "- 14:05 Two\n  lines"),
        ("A list:\n- a\n- b", "- 14:05 A list:\n  - a\n  - b"),
        ("# Heading", "- 14:05 noted:\n  > # Heading"), ("- list", "- 14:05 noted:\n  > - list"),
        ("Text\n\n---\n\nmore", "- 14:05 Text\n\n  ---\n\n  more"), ("```\nopen", "- 14:05 noted:\n  > ```\n  > open"),
        ("Text\n===", "- 14:05 noted:\n  > Text\n  > ==="), ("x <!-- y", "- 14:05 noted:\n  > x &lt;!-- y"),
    ],
)
def test_a_text_is_a_bullet_or_quoted(tmp_path: Path, text: str, line: str) -> None:
    bench = TiersBench(tmp_path)
    draft = Draft(bench.workspace)
    logging.append(draft, bench.workspace.stores[0], logging.noted(text), TODAY, "14:05")
    logging.append(draft, bench.workspace.stores[0], "after it", TODAY, "14:06")
    (work,) = draft.works.values()
    verified = verify(work)
    assert [entry.text for entry in verified.made] == [line, "- 14:06 after it"]


def test_what_was_said_and_what_is_said() -> None:
    assert logging.told("rejected", "A text") == "rejected: A text"
    assert logging.told("rejected", "A text.", "no") == "rejected: A text. Reason: no."
    assert logging.changed("x", "Old.", "New") == "x: Old \u2192 New"
    assert logging.changed("x", "Old.", "New", "so", "a letter") == "x: Old \u2192 New. Reason: so. (from a letter)"
    long = "far " * 70
    assert logging.changed("x", long, "New") == f"x. It was:\n> {long.strip()}\n\nIt is:\n> New"
    with pytest.raises(Refused) as caught:
        logging.told("x", "text", "```")
    assert caught.value.field == "reason"


class Ticking(Clock):
    """A clock that goes on by a minute whenever somebody looks."""

    def now(self) -> datetime:
        self.minutes = getattr(self, "minutes", 0) + 1
        return super().now() + timedelta(minutes=self.minutes)


def test_what_was_confirmed_keeps_its_time(tmp_path: Path) -> None:
    """A plan that waits for its confirmation is not another one a minute later: an undo's neither."""
    tiers_store(tmp_path)
    desk = Desk.open(str(tmp_path), clock=Ticking(datetime(2026, 11, 30, 14, 0)), user_config=None)
    plan = desk.plan(Request("reject", (desk.candidates()[0].id,), {"reason": "no"}, person=True))
    desk.commit(plan, "Ada")
    undo = desk.undo()
    desk.commit(undo, "Ada")
    desk.commit(desk.undo(desk.history()[0].id), "Ada")
    lines = (tmp_path / "memory" / LOG).read_text().splitlines()[2:]
    assert [line[8:17] for line in lines] == ["rejected:", "Undone: R", "Redone: R"]
    assert f"- {plan.request.at} rejected" in lines[0]
    assert f"- {undo.request.at} Undone" in lines[1]
