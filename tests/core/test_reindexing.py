"""The verb `reindex`: an index's lines from the facts, in place, and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from memdesk.core import config
from memdesk.core.checks.runner import check
from memdesk.core.errors import Refused
from memdesk.core.plan import Plan
from tests.support.planning import TODAY, Bench, TiersBench
from tests.support.sampling import sampled
from tests.support.stores import TIERS, fact

LOG = "log/2026-11-30.md"
A, B, C = "- [a](facts/a.md): Ay\n", "- [b](facts/b.md): Bee\n", "- [c](facts/c.md): See\n"
FACTS = {f"facts/{name}.md": fact(text, name=name) for name, text in (("a", "Ay"), ("b", "Bee"), ("c", "See"))}


def reindexed(root: Path, index: str | bytes, **files: str | bytes | None) -> tuple[TiersBench, Plan]:
    facts = {**FACTS, **files}
    bench = TiersBench(root, standard=False, **{"INDEX.md": index, "log/2026-11-29.md": "# 2026-11-29\n", **facts})
    return bench, bench.plan("reindex")


def test_a_right_index_stays_as_it_is(tmp_path: Path) -> None:
    bench = TiersBench(tmp_path)
    plan = bench.plan("reindex")
    assert (plan.steps, plan.summary) == ((), "The index is right already.")
    assert plan.reads[bench.path("INDEX.md")] is not None
    assert plan.reads[bench.path("facts/offline.md")] is not None, "a fact that changes meanwhile makes another plan"


OTHERS = (
    "## More\n\n- Not a fact\n{}- [site](https://example.org/x.md): Elsewhere\n- [readme](../README.md): Ours\n"
    "- [doc](facts/notes.txt): No Markdown\n\nThe end.\n"
)
INDEX = (
    "# Index\n\nRead this.\n\n- [a](facts/a.md): Old of a\n- [gone](facts/gone.md): Was\n- [b](./facts/b.md) \u2014 Bee\n\n"
    + OTHERS.format("- [a](facts/a.md): Ay again\n")
)
AFTER = (
    "# Index\n\nRead this.\n\n- [a](facts/a.md): Ay\n- [b](./facts/b.md) \u2014 Bee\n- [c](facts/c.md) \u2014 See\n\n"
    + OTHERS.format("")
)


@pytest.mark.parametrize("form", ["lf", "crlf", "bare", "bom"])
def test_lines_change_come_and_go_and_all_else_stays(tmp_path: Path, form: str) -> None:
    def formed(text: str) -> bytes:
        data = text.encode()
        return {
            "lf": data, "crlf": data.replace(b"\n", b"\r\n"), "bare": data.removesuffix(b"\n"), "bom": b"\xef\xbb\xbf" + data,
        }[form]

    (tmp_path / "README.md").write_text("# Read me\n")
    bench, plan = reindexed(tmp_path, formed(INDEX), **{"facts/notes.txt": "x\n"})
    assert bench.after(plan, "INDEX.md") == formed(AFTER)
    assert bench.names(plan) == ["INDEX.md", LOG]
    assert plan.summary == "Reindexed: 1 line changed, 1 line added, 2 lines taken out."
    log = next(step.after or b"" for step in plan.steps if step.path.endswith(LOG))
    assert log == b"# 2026-11-30\n\n- 14:05 Reindexed: 1 line changed, 1 line added, 2 lines taken out.\n"
    bench.apply(plan)
    assert not bench.plan("reindex").steps


@pytest.mark.parametrize(
    ("index", "after"),
    [
        (f"{A}- [b](facts/b.md)\n- [c](facts/c.md):\n", A + B + C),
        (f"- [a](facts/a.md): Old\n  goes on\n{B}{C}", A + B + C),
        (f"{A}  - [b](facts/b.md): Old\n  {C}", f"{A}  {B}  {C}"),
        (f"- [A name](facts/a.md): Ay\n{B}{C}", A + B + C),
        ("- **[a](facts/a.md)**: Old\n- [ ] [b](facts/b.md) - Bee\n- [c](<facts/c.md>): Old\n",
         "- **[a](facts/a.md)**: Ay\n- [ ] [b](facts/b.md) - Bee\n- [c](<facts/c.md>): See\n"),
        (f"{A}\n{B}", f"{A}\n{B}\n{C}"),
        ("- [[a]] - Old\n- [[b]] - Bee\n", "- [[a]] - Ay\n- [[b]] - Bee\n- [[c]] - See\n"),
        ("- [[a|The A]]: Ay\n- [[gone]]: x\n", "- [[a|The A]]: Ay\n- [[b]]: Bee\n- [[c]]: See\n"),
        (f"{A}{B}{C}- [doc](facts/notes.txt): gone\n", A + B + C),
        ("# I\n", f"# I\n\n{A}{B}{C}"),
        ("- [gone](facts/gone.md): x\n", A + B + C),
        ("", A + B + C),
    ],
)
def test_each_form_is_kept(tmp_path: Path, index: str, after: str) -> None:
    bench, plan = reindexed(tmp_path, index)
    assert bench.after(plan, "INDEX.md").decode() == after
    bench.apply(plan)
    assert not bench.plan("reindex").steps


def test_a_fact_without_a_description_leaves_its_line_alone(tmp_path: Path) -> None:
    index = "- [a](facts/a.md): By hand\n- [b](facts/b.md): Bee\n- [c](facts/c.md): See\n"
    _, plan = reindexed(tmp_path, index, **{"facts/a.md": "# a\n\nNo front matter.\n"})
    assert not plan.steps
    bench, plan = reindexed(tmp_path / "two", B, **{"facts/a.md": "# Ay it is\n", "facts/c.md": None})
    assert bench.after(plan, "INDEX.md").decode() == f"{B}- [Ay it is](facts/a.md)\n"


def test_a_new_line_goes_behind_those_of_its_folder(tmp_path: Path) -> None:
    index = f"- [x](facts/net/x.md): Ex\n\n## Others\n\n{A}{B}{C}"
    files = {"facts/net/x.md": fact("Ex", name="x"), "facts/net/y.md": fact("Why", name="y")}
    bench, plan = reindexed(tmp_path, index, **files)
    assert bench.after(plan, "INDEX.md").decode() == index.replace("Ex\n", "Ex\n- [y](facts/net/y.md): Why\n")


def test_names_and_paths_that_markdown_would_misread(tmp_path: Path) -> None:
    files = {"facts/a b.md": '---\nname: "[x] y"\ndescription: Blank\n---\n\nx\n', **dict.fromkeys(FACTS)}
    bench, plan = reindexed(tmp_path, "# I\n", **files)
    assert bench.after(plan, "INDEX.md").decode() == "# I\n\n- [\\[x\\] y](facts/a%20b.md): Blank\n"
    bench.apply(plan)
    assert not bench.plan("reindex").steps


def test_what_can_t_be_written_is_refused_with_the_fact(tmp_path: Path) -> None:
    with pytest.raises(Refused, match="can't stand in the index") as caught:
        reindexed(tmp_path, "# I\n", **{"facts/a.md": '---\ndescription: "x <!-- y"\n---\n\nx\n'})
    assert (caught.value.path, caught.value.field) == ("memory/facts/a.md", "description")
    with pytest.raises(Refused, match="others inside of it") as caught:
        reindexed(tmp_path / "two", "- [gone](facts/gone.md): x\n  - [a](facts/a.md): Ay\n")
    assert (caught.value.path, caught.value.line) == ("memory/INDEX.md", 1)


def test_a_store_without_one_has_no_such_verb(tmp_path: Path) -> None:
    with pytest.raises(Refused, match="There is no reindex in a store of this layout"):
        Bench(tmp_path).plan("reindex")


@pytest.mark.slow
def test_two_thousand_facts(tmp_path: Path) -> None:
    """Each line is looked at once: what is asked of the tree grows with the facts, and not with their square."""
    count = 2000
    names = [f"f{number:04}" for number in range(count)]
    files: dict[str, str] = {f"facts/{name}.md": fact(f"Fact {name}", name=name) for name in names}
    index = "# I\n\n" + "".join(f"- [{name}](facts/{name}.md): Old\n" for name in names[::2])
    bench = TiersBench(tmp_path, standard=False, **{"INDEX.md": index, "log/2026-11-29.md": "# x\n", **files})
    plan = bench.plan("reindex")
    assert plan.summary == "Reindexed: 1000 lines changed, 1000 lines added."
    bench.apply(plan)
    assert not bench.plan("reindex").steps


def test_other_lines_of_a_reader_are_no_facts(tmp_path: Path) -> None:
    text = TIERS["INDEX.md"] + "\n- plain bullet\n- see [offline](facts/offline.md)\n\n[offline]: facts/offline.md\n"
    assert not TiersBench(tmp_path, **{"INDEX.md": text}).plan("reindex").steps


NAMES = (
    "x#y", "a|b", "a]b", "[c]", "a?b", "w%20x", " a ", "n.m", "`c`", "a`b", "<b>", "(p", "a)b", "a\\b", "*x*", "a:b", "Zoë",
    "b.md", "deep/x#y", "!d", "a&amp;b",
)
FORMS = ("- [[a]]: Ay\n", "- [a](facts/a.md): Ay\n", "- [ ] **[a](facts/a.md)** | Ay\n", "* [a](<facts/a.md>) - Ay\n")


@pytest.mark.parametrize(("name", "form"), sampled([(name, form) for name in NAMES for form in FORMS], 7, rows=True))
def test_a_line_leads_to_its_fact_whatever_its_file_is_called(tmp_path: Path, name: str, form: str) -> None:
    index = f"# Index\n\n{form}{B}{C}" if "[[" not in form else f"# Index\n\n{B}{C}{form}"
    text = "---\ndescription: Odd, with a ` in it\n---\n\nIt is so.\n"
    bench, plan = reindexed(tmp_path, index, **{f"facts/{name}.md": text})
    bench.apply(plan)
    assert bench.plan("reindex").steps == ()
    found = check(bench.read(), None, only=["index-complete", "link-dead"], settings=config.defaults(), today=TODAY).findings
    assert [finding.message for finding in found] == []
