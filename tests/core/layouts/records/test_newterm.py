"""New terms in the glossary's own form and order, words that await it, and terms that no longer hold."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from memdesk.core.errors import Refused
from memdesk.core.layouts.records import newterm
from tests.support.planning import RecordsBench

WAITS = "docs/design/terms.md"
HEAD = "# Candidates for the glossary\n\n"
LINE = "- **Plot**: a part of a site (reason: two were mixed up; from docs/x.md)\n"

# name: (glossary, what it is after a term "Plot" with a word to avoid was put into it)
FORMS: dict[str, tuple[str, str]] = {
    "bold, meaning below": (
        "# W\n\n**Count**:\nWhat was seen.\n\n**Site**:\nA place.\n_Avoid_: spot\n",
        "# W\n\n**Count**:\nWhat was seen.\n\n**Plot**:\na part of a site\n_Avoid_: patch\n\n"
        "**Site**:\nA place.\n_Avoid_: spot\n",
    ),
    "bold, meaning behind": (
        "# W\n\n**Count**: What was seen.\n\n**Ring**: On a leg.",
        "# W\n\n**Count**: What was seen.\n\n**Plot**: a part of a site\n_Avoid_: patch\n\n**Ring**: On a leg.",
    ),
    "bold, with a dash": (
        "# W\n\n**Site** \u2014 A place.\n\n**Count** \u2014 What was seen.\n",
        "# W\n\n**Site** \u2014 A place.\n\n**Count** \u2014 What was seen.\n\n"
        "**Plot** \u2014 a part of a site\n_Avoid_: patch\n",
    ),
    "bullets": (
        "# W\n\n* **Count:** What was seen.\n* **Site:** A place.\n\nThe end.\n",
        "# W\n\n* **Count:** What was seen.\n* **Plot:** a part of a site\n  _Avoid_: patch\n"
        "* **Site:** A place.\n\nThe end.\n",
    ),
    "bullets with gaps": (
        "# W\n\n- **Site**: A place.\n\n- **Count**: What was seen.\n",
        "# W\n\n- **Site**: A place.\n\n- **Count**: What was seen.\n\n- **Plot**: a part of a site\n  _Avoid_: patch\n",
    ),
    "headings": (
        "# W\n\n### Count\n\nWhat was seen.\n\n### Site\n\nA place.\n",
        "# W\n\n### Count\n\nWhat was seen.\n\n### Plot\n\na part of a site\n\n_Avoid_: patch\n\n### Site\n\nA place.\n",
    ),
    "table": (
        "# W\n\n| Term | Meaning |\n| --- | --- |\n| Count | What was seen. |\n| Site | A place. |\n\nThe end.\n",
        "# W\n\n| Term | Meaning |\n| --- | --- |\n| Count | What was seen. |\n| Plot | a part of a site _Avoid_: patch |\n"
        "| Site | A place. |\n\nThe end.\n",
    ),
    "definitions": (
        "# W\n\nSite\n: A place.\n\nCount\n: What was seen.\n",
        "# W\n\nSite\n: A place.\n\nCount\n: What was seen.\n\nPlot\n: a part of a site\n: _Avoid_: patch\n",
    ),
    "nothing yet": ("# Words\n\n## Language\n", "# Words\n\n## Language\n\n**Plot**:\na part of a site\n_Avoid_: patch\n"),
}


def bench_of(root: Path, glossary: str | None, waiting: str = LINE) -> RecordsBench:
    return RecordsBench(root, **{"CONTEXT.md": glossary, WAITS: HEAD + waiting})


def waiting(bench: RecordsBench) -> Any:
    return bench.entries(WAITS)[0]


@pytest.mark.parametrize("ending", ["\r\n", pytest.param("\n", marks=pytest.mark.slow)], ids=["crlf", "lf"])
@pytest.mark.parametrize("name", FORMS)
def test_a_term_stands_in_the_form_and_the_order_of_its_file(tmp_path: Path, name: str, ending: str) -> None:
    before, after = (text.replace("\n", ending) for text in FORMS[name])
    bench = bench_of(tmp_path, before)
    plan = bench.plan("promote", [waiting(bench)], to="term", avoid="patch")
    assert bench.after(plan, "CONTEXT.md").decode() == after
    assert bench.after(plan, WAITS) == b"# Candidates for the glossary\n"
    bench.apply(plan)
    entry = bench.entry("Plot")
    assert (entry.fields["text"].rstrip(), entry.fields["avoid"].rstrip()) == ("a part of a site", "patch")
    assert not entry.candidate
    assert plan.new_ids == (entry.id,)


def test_among_groups_the_one_that_is_named_gets_it(tmp_path: Path) -> None:
    text = "# W\n\n## Places\n\n**Area**: x\n\n**Site**: x\n\n## Birds\n\n**Ring**: x\n"
    bench = bench_of(tmp_path, text)
    plan = bench.plan("promote", [waiting(bench)], to="term", section="Places")
    assert b"**Area**: x\n\n**Plot**: a part of a site\n\n**Site**: x\n" in bench.after(plan, "CONTEXT.md")
    plan = bench.plan("promote", [waiting(bench)], to="term")
    assert bench.after(plan, "CONTEXT.md").endswith(b"**Ring**: x\n\n**Plot**: a part of a site\n")
    with pytest.raises(Refused, match="no terms below 'Fish'"):
        bench.plan("promote", [waiting(bench)], to="term", section="Fish")


def test_a_glossary_is_made_for_the_first_term(tmp_path: Path) -> None:
    bench = bench_of(tmp_path, None)
    plan = bench.plan("promote", [waiting(bench)], to="term")
    made = {step.path: step.after for step in plan.steps}["CONTEXT.md"]
    assert made == b"# Words\n\n## Language\n\n**Plot**:\na part of a site\n"


def test_a_reason_that_is_given_stands_in_the_glossary(tmp_path: Path) -> None:
    bench = bench_of(tmp_path, "**Site**: x\n")
    plan = bench.plan("promote", [waiting(bench)], to="term", reason="Two were\nmixed up in May.")
    assert b"**Plot**: a part of a site. Why: Two were mixed up in May.\n" in bench.after(plan, "CONTEXT.md")


@pytest.mark.parametrize(
    ("glossary", "words", "field"),
    [
        ("**Plot**: x\n", {}, "title"), ("**plot**: x\n", {}, "title"), ("**Site**: x\n_Avoid_: plot, spot\n", {}, "title"),
        ("**Patch**: x\n", {"avoid": "field, patch"}, "avoid"), ("**Site**: x\n", {"title": "a `b`"}, "title"),
        ("**Site**: x\n", {"title": "Note"}, "title"), ("**Site**: x\n", {"text": "```\nopen"}, "text"),
        ("# A\n\n**Site**: x\n", {"text": "x\n\n**Other**: y"}, "text"),
    ],
)
def test_what_would_not_be_one_new_word_is_refused(
    tmp_path: Path, glossary: str, words: dict[str, str], field: str
) -> None:
    bench = bench_of(tmp_path, glossary)
    with pytest.raises(Refused) as refused:
        bench.plan("promote", [waiting(bench)], to="term", **words)
    assert (refused.value.field, bool(refused.value.remedy)) == (field, True)


def test_an_added_word_is_a_line_that_waits(tmp_path: Path) -> None:
    bench = RecordsBench(tmp_path)
    plan = bench.plan("add", text="Plot - a part of a site", kind="term", reason="two were mixed up", source="docs/x.md")
    assert [step.path for step in plan.steps] == ["docs/design", WAITS]
    assert plan.steps[-1].after == (HEAD + LINE).encode()
    bench.apply(plan)
    assert (waiting(bench).candidate, plan.new_ids) == (True, (waiting(bench).id,))
    again = bench.plan("add", text="**Ring**: on a leg\nAvoid: band", kind="term")
    assert bench.after(again, WAITS).decode() == f"{HEAD}{LINE}- **Ring**: on a leg\n  _Avoid_: band\n"
    for text in ("Plot", "plot: again", "Site: a place", "spot: a place"):
        with pytest.raises(Refused):
            bench.plan("add", text=text, kind="term")


@pytest.mark.parametrize("verb", ["reject", "strike"])
def test_a_word_that_is_not_taken_is_struck_where_it_waits(tmp_path: Path, verb: str) -> None:
    bench = bench_of(tmp_path, "**Site**: x\n")
    plan = bench.plan(verb, [waiting(bench)], reason="nobody says it")
    said = LINE[2:].rstrip("\n")
    word = {"reject": "rejected", "strike": "struck"}[verb]
    assert bench.after(plan, WAITS).decode() == f"{HEAD}- ~~{said}~~ {word} 2026-11-30: nobody says it\n"
    bench.apply(plan)
    assert (waiting(bench).struck, waiting(bench).candidate) == (True, False)


RETIRED = {
    "# W\n\n**Site**:\nA place.\n_Avoid_: spot\n": "# W\n\n~~**Site**:\nA place.\n_Avoid_: spot~~ struck 2026-11-30: old\n",
    "# W\n\n- **Site**: A place.\n- **Count**: x\n": "# W\n\n- ~~**Site**: A place.~~ struck 2026-11-30: old\n- **Count**: x\n",
    "# W\n\n### Site\n\nA place.\n": "# W\n\n### ~~Site~~ struck 2026-11-30: old\n\nA place.\n",
    "# W\n\n| Word | x |\n|---|---|\n| Site | A place. |\n": (
        "# W\n\n| Word | x |\n|---|---|\n| ~~Site~~ struck 2026-11-30: old | A place. |\n"
    ),
    "# W\n\nSite\n: A place.": "# W\n\n~~Site~~ struck 2026-11-30: old\n: A place.",
}


@pytest.mark.parametrize("before", RETIRED)
def test_a_term_that_no_longer_holds_is_struck_in_its_form(tmp_path: Path, before: str) -> None:
    bench = bench_of(tmp_path, before)
    plan = bench.plan("strike", [bench.entry("Site")], reason="old")
    assert bench.after(plan, "CONTEXT.md").decode() == RETIRED[before]
    bench.apply(plan)
    assert (bench.entry("Site").struck, bench.entry("Site").fields["avoid"]) == (True, "spot" if "Avoid" in before else "")
    with pytest.raises(Refused, match="struck already"):
        bench.plan("strike", [bench.entry("Site")])


def test_a_term_is_edited_freely(tmp_path: Path) -> None:
    bench = RecordsBench(tmp_path)
    site = bench.entry("Site")
    plan = bench.plan("edit", [site], text=site.text.replace("A place", "A marked place"))
    assert bench.after(plan, "CONTEXT.md") == site.document.data.replace(b"A place", b"A marked place")


@pytest.mark.parametrize(
    ("text", "term"),
    [
        ("Plot: a part", ("Plot", "a part", "")), ("**Plot**: a part", ("Plot", "a part", "")),
        ("**Plot:** a part", ("Plot", "a part", "")), ("Plot \u2014 a part\n_Avoid_: x, y", ("Plot", "a part", "x, y")),
        ("well-known: x", ("well-known", "x", "")), ("one word", None), ("", None),
    ],
)
def test_how_a_word_is_said(text: str, term: tuple[str, str, str] | None) -> None:
    assert newterm.read(text) == term
