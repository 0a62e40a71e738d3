"""The verb `correct`: a fact is overwritten in place, and the log says what it was, what it is and why."""

from __future__ import annotations

from pathlib import Path

import pytest

from memdesk.core.errors import Refused, UnknownEntry
from memdesk.core.plan import Plan
from tests.support.planning import Bench, TiersBench
from tests.support.stores import TIERS, fact

LOG, CSV, OFFLINE = "log/2026-11-30.md", "facts/counts-as-csv.md", "facts/offline.md"
PRICE = fact("The plan costs 10 euros a month", name="price", why="Hosting costs 7.", updated="2026-01-05", type="decision")
LINE = "- [price](facts/price.md): The plan costs 10 euros a month\n"


@pytest.fixture
def bench(tmp_path: Path) -> TiersBench:
    return TiersBench(tmp_path, **{"facts/price.md": PRICE, "INDEX.md": TIERS["INDEX.md"] + LINE})


def correct(bench: TiersBench, name: str = "facts/price.md", **words: str) -> Plan:
    return bench.plan("correct", [bench.entry(name)], **words)


def log(bench: TiersBench, plan: Plan) -> str:
    step = next(step for step in plan.steps if step.path == bench.path(LOG) and step.kind == "create")
    return (step.after or b"").decode().removeprefix("# 2026-11-30\n\n")


@pytest.mark.parametrize("form", ["lf", "crlf", "bare", "bom"])
def test_a_fact_its_line_and_the_log(tmp_path: Path, form: str) -> None:
    def formed(text: str) -> bytes:
        data = text.encode()
        return {
            "lf": data, "crlf": data.replace(b"\n", b"\r\n"), "bare": data.removesuffix(b"\n"), "bom": b"\xef\xbb\xbf" + data,
        }[form]

    files = {"facts/price.md": PRICE, "INDEX.md": TIERS["INDEX.md"] + LINE, LOG: "# 2026-11-30\n\n- 09:00 began\n"}
    bench = TiersBench(tmp_path, **{name: formed(text) for name, text in files.items()})
    plan = correct(bench, with_="The plan costs 20 euros a month.", reason="Hosting costs 14.", source="the invoice")
    wanted = PRICE.replace("10 euros", "20 euros").replace("costs 7", "costs 14").replace("2026-01-05", "2026-11-30")
    assert bench.after(plan, "facts/price.md") == formed(wanted)
    assert bench.after(plan, "INDEX.md") == formed(TIERS["INDEX.md"] + LINE.replace("10", "20"))
    said = (
        "- 14:05 corrected fact price. Reason: Hosting costs 14. (from the invoice) It was:\n"
        "  > The plan costs 10 euros a month.\n  >\n  > Why: Hosting costs 7.\n\n  It is:\n"
        "  > The plan costs 20 euros a month.\n"
    )
    assert bench.after(plan, LOG) == formed(files[LOG] + said)
    assert bench.names(plan) == ["facts/price.md", "INDEX.md", LOG]
    bench.apply(plan)
    assert [entry.line for entry in bench.entries(LOG)] == [3, 4]


def test_short_texts_stand_on_one_line(bench: TiersBench) -> None:
    plan = correct(bench, with_="The plan costs 20 euros a month.")
    assert log(bench, plan) == (
        "- 14:05 corrected fact price: The plan costs 10 euros a month \u2192 The plan costs 20 euros a month.\n"
    )
    assert "Why: Hosting costs 7." in bench.after(plan, "facts/price.md").decode()
    plan = correct(bench, CSV, with_="One file for each site and year.", reason="They got too long")
    wanted = TIERS[CSV].replace("site, see [[site-names]].", "site and year.").replace("2026-05-02", "2026-11-30")
    wanted = wanted.replace("Why: Volunteers open them in a spreadsheet.", "Why: They got too long")
    assert bench.after(plan, CSV).decode() == wanted


def test_the_description_alone(bench: TiersBench) -> None:
    plan = correct(bench, OFFLINE, description="Nothing opens a connection", reason="said better")
    assert log(bench, plan) == (
        "- 14:05 corrected fact offline: Everything runs without a network connection \u2192 Nothing opens a connection. "
        "Reason: said better.\n"
    )
    text = bench.after(plan, OFFLINE).decode()
    assert "description: Nothing opens a connection\n" in text
    assert "Everything runs without a network connection.\n" in text
    assert "(facts/offline.md): Nothing opens a connection\n" in bench.after(plan, "INDEX.md").decode()


def test_a_description_follows_where_it_would_be_wrong(bench: TiersBench) -> None:
    def line(plan: Plan) -> str:
        return bench.after(plan, "INDEX.md").decode().split("facts/price.md): ")[1]

    assert line(correct(bench, with_="It costs 20 euros now. Much more than before.")) == "It costs 20 euros now\n"
    assert line(correct(bench, with_="20", description="The plan costs 20")) == "The plan costs 20\n"
    assert "INDEX.md" not in bench.names(correct(bench, CSV, with_="One file for each site.")), "what went tells nothing of it"
    more = "The plan costs 10 euros a month, and 100 a year."
    assert "INDEX.md" not in bench.names(correct(bench, with_=more)), "it says nothing that went"
    for text in ("- 20 euros\n- more soon", "far " * 60 + "too long."):
        with pytest.raises(Refused, match="holds words that the fact no longer says") as caught:
            correct(bench, with_=text)
        assert caught.value.field == "description"


def test_a_reason_alone_comes_to_a_fact_that_has_none(tmp_path: Path) -> None:
    bench = TiersBench(tmp_path, **{"facts/x.md": fact("It is so", name="x", why="")})
    plan = correct(bench, "facts/x.md", with_="It is so.", reason="it has to")
    assert bench.after(plan, "facts/x.md").decode() == fact("It is so", name="x", why="it has to")
    assert log(bench, plan).endswith("It was:\n  > It is so.\n\n  It is:\n  > It is so.\n  >\n  > Why: it has to\n")


def test_a_text_with_its_own_reason_replaces_both(bench: TiersBench) -> None:
    words = {"with_": "The plan costs 20.\n\n**Why:** it does", "description": "The plan costs 20"}
    plan = correct(bench, reason="new contract", **words)
    text = bench.after(plan, "facts/price.md").decode()
    assert text.endswith("# price\n\nThe plan costs 20.\n\n**Why:** it does\n")
    assert "Reason: new contract. It was:\n  > The plan costs 10 euros a month.\n  >\n  > Why: Hosting" in log(bench, plan)


BODY = "---\ndescription: Names\n---\n\n{}\n"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("Old.", "New.\n\nWhy: since"), ("# T\n\nOld.", "# T\n\nNew.\n\nWhy: since"),
        ("# T\nOld.\n\n## Why\n\nIt was.\n\nAnd more.\n\n## See\n\nx", "# T\nNew.\n\n## Why\n\nsince\n\n## See\n\nx"),
        ("Old.\nWhy: it was", "New.\nWhy: since"), ("Why: it was\n\nOld.", "Why: since\n\nNew."),
        ("**Why:** it\nwas\n\n- Old\n- older", "**Why:** since\n\nNew."),
        ("Old.\n\nReason: it was\n\nSee [[x]].", "New.\n\nReason: since\n\nSee [[x]]."),
        ("- Old", "New.\n\nWhy: since"), ("Why: it was", "New.\n\nWhy: since"), ("# T", "# T\n\nNew.\n\nWhy: since"),
    ],
)
def test_what_stands_around_text_and_reason_stays(tmp_path: Path, before: str, after: str) -> None:
    bench = TiersBench(tmp_path, **{"facts/x.md": BODY.format(before)})
    plan = correct(bench, "facts/x.md", with_="New.", reason="since", description="Names")
    assert bench.after(plan, "facts/x.md").decode() == BODY.format(after)


def test_a_whole_file_comes_back(bench: TiersBench) -> None:
    earlier = PRICE.replace("10 euros", "8 euros")
    plan = correct(bench, with_=earlier, reason="the rise was taken back")
    assert bench.after(plan, "facts/price.md").decode() == earlier
    assert bench.after(plan, "INDEX.md").decode().endswith("The plan costs 8 euros a month\n")
    assert "  > description: The plan costs 10 euros a month\n" in log(bench, plan)
    own = correct(bench, with_="# The price\n\nThe plan costs 10 euros a month.")
    wanted = PRICE.replace("# price", "# The price").replace("2026-01-05", "2026-11-30")
    assert bench.after(own, "facts/price.md").decode() == wanted


def test_a_secret_that_was_there_is_masked_in_the_log_and_a_new_one_is_refused(tmp_path: Path) -> None:
    key = "AKIA" + "QWERTYUIOPASDFGH"
    bench = TiersBench(tmp_path, **{"facts/key.md": fact("The key", f"It is {key}.", why="")})
    plan = correct(bench, "facts/key.md", with_="It is in the vault.", description="Where the key is")
    assert "It is *** \u2192 It is in the vault." in log(bench, plan).replace("***.", "***")
    for words in ({"with_": f"It is {key}"}, {"with_": "x", "reason": key}, {"with_": "x", "source": key}):
        with pytest.raises(Refused, match="looks like a secret"):
            correct(bench, "facts/key.md", description="Where the key is", **words)


@pytest.mark.parametrize(
    ("words", "field"),
    [
        ({}, "with"), ({"with_": "The plan costs 10 euros a month."}, "with"), ({"with_": PRICE}, "with"),
        ({"with_": "```\nopen"}, "with"), ({"with_": "x <!-- y", "description": "z"}, "with"),
        ({"with_": "x", "description": "two\nlines"}, "description"), ({"with_": "x", "reason": "```"}, "reason"),
        ({"with_": "---\nname: x\n---\n\nno description"}, "text"),
        ({"with_": "The plan costs 10 euros a month.", "reason": "Hosting costs 7."}, "with"),
    ],
)
def test_what_is_no_correction(bench: TiersBench, words: dict[str, str], field: str) -> None:
    with pytest.raises(Refused) as caught:
        correct(bench, **words)
    assert caught.value.field == field


def test_a_description_that_can_t_be_spliced_is_refused(tmp_path: Path) -> None:
    folded = "---\ndescription: >\n  The plan\n  costs 10\n---\n\nThe plan costs 10.\n"
    bench = TiersBench(tmp_path, **{"facts/price.md": folded, "facts/none.md": "The plan costs 10.\n"})
    for name in ("facts/price.md", "facts/none.md"):
        with pytest.raises(Refused, match="front matter") as caught:
            correct(bench, name, with_="The plan costs 20.", description="The plan costs 20")
        assert caught.value.field == "description"


def test_only_a_fact_is_corrected(bench: TiersBench, tmp_path: Path) -> None:
    for name, says in (
        ("inbox.md", "Only a fact"), ("INDEX.md", "Only a fact"), ("log/2026-05-09.md", "only added to"),
    ):
        with pytest.raises(Refused, match=says):
            correct(bench, name, with_="x")
    with pytest.raises(Refused, match="one by one"):
        bench.plan("correct", [bench.entry(CSV), bench.entry(OFFLINE)], with_="x")
    with pytest.raises(UnknownEntry):
        bench.plan("correct", with_="x")
    other = Bench(tmp_path / "other")
    with pytest.raises(Refused, match="There is no correct in a store of this layout"):
        other.plan("correct", other.entries("decisions.md"), with_="x")


def test_striking_a_fact_corrects_it(bench: TiersBench) -> None:
    words = {"with_": "The plan costs 20 euros a month.", "reason": "Hosting costs 14."}
    struck = bench.plan("strike", [bench.entry("facts/price.md")], **words)
    assert struck == correct(bench, **words)
    assert struck.request.verb == "correct"


def test_an_update_that_is_appended_is_warned_of(bench: TiersBench) -> None:
    plan = correct(bench, with_="The plan costs 10 euros a month.\n\nUpdate: 20 by now.")
    assert any("reads like an update" in warning for warning in plan.warnings)
