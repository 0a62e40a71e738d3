"""What every session loads of three tiers, and what stays out and why."""

from __future__ import annotations

from pathlib import Path

import pytest

from memdesk.core import routing
from memdesk.core.clock import clock
from memdesk.core.desk import Desk
from memdesk.core.errors import UsageError
from memdesk.core.layouts.base import LoadRequest
from tests.support.stores import fact, put, tiers_store

DAYS = ("2026-04-30", "2026-05-03", "2026-05-04", "2026-05-10", "2026-05-11")


def desk(root: Path, at: str = "2026-05-10T04:02:51") -> Desk:
    return Desk.open(str(root), clock=clock(at), user_config=None)


def store(root: Path) -> None:
    logs = {f"log/{day}.md": f"- on {day}\n" for day in DAYS}
    tiers_store(root, **logs, **{
        "log/2026-05-09.md": None, "log/may.md": "- no date\n", "working/plan.md": "- a plan\n", "archive/old.md": fact("old"),
    })


def test_the_index_and_the_log_of_today_and_the_six_days_before(tmp_path: Path) -> None:
    store(tmp_path)
    pack = desk(tmp_path).pack(LoadRequest("boot"))
    assert [(file.path, file.required, file.reason) for file in pack.files] == [
        ("memory/INDEX.md", True, "the index"), ("memory/log/2026-05-04.md", False, "the log of the last 7 days"),
        ("memory/log/2026-05-10.md", False, "the log of today"),
    ]
    later = "it is recalled when a question asks for it"
    assert dict(pack.not_loaded) == {
        **dict.fromkeys(
            (f"memory/facts/{name}.md" for name in ("counts-as-csv", "offline", "site-names")),
            "a fact: it is opened when its line in the index bears on the task",
        ),
        "memory/log/2026-04-30.md": f"older than the last 7 days: {later}",
        "memory/log/2026-05-03.md": f"older than the last 7 days: {later}",
        "memory/log/2026-05-11.md": "its date is still to come",
        "memory/log/may.md": "its name is no date, so nobody can tell whether it is recent",
        "memory/inbox.md": "candidates, which nobody has reviewed",
        "memory/working/plan.md": "working state of a task: it is opened by whoever works on that",
        "memory/archive/old.md": "it is archived, and kept for the record",
    }
    assert pack.status == "complete"
    assert "on 2026-05-04" in pack.text
    assert "on 2026-05-03" not in pack.text


@pytest.mark.parametrize(
    ("days", "loaded"),
    [(1, ["2026-05-10"]), (7, ["2026-05-04", "2026-05-10"]), (8, ["2026-05-03", "2026-05-04", "2026-05-10"])],
)
def test_how_many_days_load_is_set(tmp_path: Path, days: int, loaded: list[str]) -> None:
    store(tmp_path)
    put(tmp_path, "memdesk.toml", f"[tiers]\nlog_days = {days}\n")
    pack = desk(tmp_path).pack(LoadRequest("boot"))
    assert [file.path[11:-3] for file in pack.files[1:]] == loaded


def test_the_day_is_the_desks_and_why_says_the_same(tmp_path: Path) -> None:
    store(tmp_path)
    later = desk(tmp_path, "2026-05-17T00:10:00")
    assert [file.path[11:-3] for file in later.pack(LoadRequest("boot")).files[1:]] == ["2026-05-11"]
    today = later.clock.today()
    found = [routing.why(later.workspace, f"memory/log/{day}.md", None, today)[0] for day in DAYS]
    assert [one.loads for one in found] == [False, False, False, False, True]
    assert found[4] == routing.Why("boot", True, "the log of the last 7 days")
    assert not routing.why(later.workspace, "memory/log/2026-05-11.md")[0].loads


def test_an_index_that_is_missing_makes_the_pack_incomplete(tmp_path: Path) -> None:
    tiers_store(tmp_path, **{"INDEX.md": None})
    put(tmp_path, "memdesk.toml", '[stores.layout]\n"memory" = "tiers"\n')
    pack = desk(tmp_path).pack(LoadRequest("boot"))
    assert (pack.status, pack.files[0].disposition) == ("incomplete", "missing-required")


def test_there_is_but_one_load(tmp_path: Path) -> None:
    tiers_store(tmp_path)
    with pytest.raises(UsageError, match=r"memory has no tasks"):
        desk(tmp_path).pack(LoadRequest("implementation"))
    with pytest.raises(UsageError, match="has no modules"):
        desk(tmp_path).pack(LoadRequest("boot", areas=("storage",)))


def test_facts_are_metered_against_their_most(tmp_path: Path) -> None:
    tiers_store(tmp_path)
    put(tmp_path, "memdesk.toml", "[tiers]\nmax_facts = 2\n")
    (meter,) = desk(tmp_path).workspace.budgets()
    assert (meter, meter.state()) == (("memory", "facts", 3, 2), "over")


def test_recall_finds_facts_and_older_logs(tmp_path: Path) -> None:
    store(tmp_path)
    put(tmp_path, "memory/log/2025-01-02.md", "- 09:00 the ferry was late\n\nThe bridge was closed for the ferry.\n")
    put(tmp_path, "memory/facts/ferry.md", fact("The ferry goes twice a day", type="constraint", updated="2026-05-01"))
    put(tmp_path, "memory/INDEX.md", "- [ferry](facts/ferry.md): The ferry goes twice a day\n")
    put(tmp_path, "memory/inbox.md", "- the ferry is blue\n")
    found = desk(tmp_path).recall("ferry")
    assert [(one.entry.path, one.freshness) for one in found.sources] == [
        ("memory/facts/ferry.md", "current"), ("memory/log/2025-01-02.md", "stale"), ("memory/log/2025-01-02.md", "stale"),
    ]
    assert found.sources[0].entry.date == "2026-05-01"
