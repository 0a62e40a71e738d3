"""Every hostile text in the files of a store of three tiers, and texts whose reading could run away."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from memdesk.core import layouts
from memdesk.core.clock import clock
from memdesk.core.desk import Desk
from memdesk.core.errors import MemdeskError
from memdesk.core.layouts.base import LoadRequest
from memdesk.core.layouts.tiers import crosslinks, facts, indexlines
from memdesk.core.layouts.tiers.kept import Kept
from memdesk.core.model import Document, Store
from memdesk.core.plan import Request
from tests.hostile.inputs import INPUTS
from tests.hostile.test_linear import AGAIN, seconds, too_fast
from tests.support.stores import fact, snapshot, tiers_store

PARTS = 24
PLACES = (
    "facts/x.md", "INDEX.md", "log/2026-11-29.md", "working/x.md", "inbox.md", "archive/x.md", "log/2026-11-30.md",
)
FRAMES = (
    "{}", "---\nname: {}\ndescription: {}\nlinks: [{}]\n---\n\n# {}\n\n{}\n\nWhy: {}\n", "# X\n\n- [{}](facts/{}.md): {}\n",
    "# X\n\n- 10:05 {}\n- [[{}]]\n", "# X\n\n## 2026-11-28\n\n- [observed] {} (from {})\n",
)
CHANGING = {
    "strike": {"reason": "no"}, "edit": {"text": "- other"}, "archive": {}, "correct": {"with": "Other.", "reason": "seen"},
}
WAITING = {"promote": {"to": "fact", "description": "One line", "reason": "seen"}, "reject": {"reason": "no"}}


@pytest.mark.parametrize("part", [0, *(pytest.param(part, marks=pytest.mark.slow) for part in range(1, PARTS))])
def test_each_input_in_each_file(tmp_path: Path, part: int) -> None:
    """A file for each input, another for the next. What is wrong is said as an error of ours; nothing is written by looking."""
    planned = 0
    for number, hostile in enumerate(INPUTS[part::PARTS]):
        root = tmp_path / str(number)
        place = PLACES[number % len(PLACES)]
        data = hostile.bytes(min(hostile.full, 2_000)) if hostile.sized else hostile.bytes()
        frame = FRAMES[number % len(FRAMES)].encode()
        tiers_store(root, **{"working/w.md": "# W\n\n- One more\n", place: frame.replace(b"{}", data)})
        before = snapshot(root)
        desk = Desk.open(str(root), clock=clock("2026-11-30T04:02:51"), user_config=None)
        assert desk.check("none").stores
        planned += _looked_at(desk)
        assert snapshot(root) == before
    assert planned > 20


def _looked_at(desk: Desk) -> int:
    """Recall, the boot load, and a plan of each verb for the first entries; how many plans there were."""
    planned = 0
    for act in (
        lambda: desk.recall("counts spreadsheet"), desk.conflicts, lambda: desk.pack(LoadRequest("boot")),
        lambda: [desk.destinations([entry.id]) for entry in desk.candidates()[:5]],
    ):
        with suppress(MemdeskError):  # any other error fails the test
            act()
    entries = list(desk.workspace.entries())
    for entry in entries:
        assert 0 <= entry.start < entry.end <= len(entry.document.data)
        assert desk.workspace.find(entry.id) is entry
        desk.subjects([entry.id])
    asked = [Request("reindex", person=True), Request("clear", words={"paths": "working/w.md"}, person=True)]
    for verbs, some in ((WAITING, [e for e in entries if e.candidate]), (CHANGING, [e for e in entries if e.tier != "log"])):
        some = list({entry.path: entry for entry in reversed(some)}.values())
        asked += [Request(verb, (entry.id,), words, person=True) for verb, words in verbs.items() for entry in some[:4]]
    for request in asked:
        with suppress(MemdeskError):
            planned += bool(desk.plan(request).steps)
    return planned


TEXTS: dict[str, Callable[[int], str]] = {
    "links": lambda n: "# X\n\n" + "[a](b.md) " * n,
    "open links": lambda n: "# X\n\n" + "[a](b" * n,
    "names": lambda n: "# X\n\n" + "[[a]] " * n,
    "open names": lambda n: "# X\n\n" + "[[a|" * n,
    "brackets": lambda n: "- " + "[" * n + "](x.md): y\n",
    "closing brackets": lambda n: "- [a" + "]" * n + "(x.md): y\n",
    "backslashes": lambda n: "- [" + "\\[" * n + "](x.md): y\n",
    "parentheses": lambda n: "- [a](" + "(" * n + "): y\n",
    "angles": lambda n: "- [a](<" + "<" * n + ">): y\n",
    "blanks": lambda n: "- [a](x.md)" + " " * n + ": y\n",
    "titles": lambda n: '- [a](x.md "' + "'" * n + '"): y\n',
    "lines": lambda n: "".join(f"- [a{at}](facts/a{at}.md): y\n" for at in range(n // 4)),
    "nested": lambda n: "# X\n\n" + "".join("  " * (at % 90) + f"- [a{at}](b.md): c\n" for at in range(n // 8)),
    "bold": lambda n: "- " + "**" * n + "[a](b.md)\n",
    "because": lambda n: "# X\n\n" + "because " * n,
    "because without an end": lambda n: "# X\n\n" + "a " * n + "because",
    "sentences": lambda n: "# X\n\n" + "So it is, since it was. " * n,
    "whys": lambda n: "# X\n\n" + "Why: \n" * n,
    "why headings": lambda n: "# X\n\n" + "## Why\n\n" * n,
    "blank lines": lambda n: "# X\n\nWhy:" + "\n" * n + "x\n",
    "front matter": lambda n: "---\nlinks:\n" + "- a\n" * min(n, 3000) + "---\n\n# X\n",
    "long description": lambda n: "---\ndescription: " + "a " * n + "\n---\n\n# X\n",
    "titles of level 1": lambda n: "# X\n" * n,
    "updates": lambda n: "# X\n\n" + "Update: 2026-01-02 x\n\n" * n,
    "dated versions": lambda n: "# X\n\n" + "- 2026-01-02: x\n" * n,
    "dated sections": lambda n: "# X\n\n" + "## 2026-01-02 - Decision\n\nx\n\n" * n,
    "times": lambda n: "# 2026-11-29\n\n" + "- 10:05 x\n" * n,
    "comments": lambda n: "# X\n\n" + "<!--" * n,
    "strikes": lambda n: "# X\n\n" + "~~a" * n,
    "fences": lambda n: "# X\n\n" + "```\n```\n" * n,
}


def read(path: str, text: str) -> Document:
    """A text as a file of a store at the workspace's root."""
    store = Store("tiers", ".", "INDEX.md", Kept())
    place = layouts.get("tiers").classify(store, path)
    assert place is not None
    return Document(path, store, place, text.encode(), layouts.get("tiers").entries)


def stages(text: str) -> dict[str, float]:
    """Seconds for each way in which a text is read."""
    def entries(path: str) -> Callable[[], object]:
        return lambda: [(entry.fields, entry.relations) for entry in read(path, text).entries]

    return {
        "fact": seconds(entries("facts/x.md")), "index": seconds(entries("INDEX.md")),
        "log": seconds(entries("log/2026-11-29.md")), "working": seconds(entries("working/x.md")),
        "why": seconds(lambda: facts.why_of(read("facts/x.md", text))),
        "links": seconds(lambda: crosslinks.links(read("facts/x.md", text))),
        "lines": seconds(lambda: indexlines.lines(read("INDEX.md", text))),
    }


@pytest.mark.slow
@pytest.mark.parametrize("name", TEXTS)
def test_reading_takes_time_in_proportion(name: str) -> None:
    make = TEXTS[name]
    small, large = stages(make(1_500)), stages(make(6_000))
    for _ in range(AGAIN):
        if not too_fast(small, large, 2):
            break
        small = {key: min(small[key], again) for key, again in stages(make(1_500)).items()}
        large = {key: min(large[key], again) for key, again in stages(make(6_000)).items()}
    assert not too_fast(small, large, 2)


@pytest.mark.slow
def test_a_thousand_facts_that_link_to_each_other(tmp_path: Path) -> None:
    """Each rule looks at each fact once."""
    def checked(size: int) -> float:
        root = tmp_path / str(size)
        files = {
            f"facts/f{number}.md": fact(
                f"Fact number {number}", f"See [[f{(number + 1) % size}]] and [[Fact number {number}]].", name=f"f{number}",
            )
            for number in range(size)
        }
        index = "# Index\n\n" + "".join(f"- [f{number}](facts/f{number}.md): Fact number {number}\n" for number in range(size))
        tiers_store(root, standard=False, **{"INDEX.md": index, **files})
        desk = Desk.open(str(root), clock=clock("2026-11-30T04:02:51"), user_config=None)
        lines = [entry.id for entry in desk.workspace.entries() if entry.role == "index"]
        assert len(lines) == size

        assert len(desk.subjects(lines[:20])) == 20
        return seconds(lambda: desk.check("none"))

    small, large = {"check": checked(250)}, {"check": checked(1_000)}
    for again in range(AGAIN):
        if not too_fast(small, large, 2):
            break
        (tmp_path / "250").rename(tmp_path / f"s{again}")
        (tmp_path / "1000").rename(tmp_path / f"l{again}")
        small = {"check": min(small["check"], checked(250))}
        large = {"check": min(large["check"], checked(1_000))}
    assert not too_fast(small, large, 2)
