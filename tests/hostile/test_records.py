"""Every hostile text in the files of a store of layout records, and texts whose reading could run away."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from memdesk.core import config
from memdesk.core.clock import clock
from memdesk.core.desk import Desk
from memdesk.core.errors import MemdeskError
from memdesk.core.layouts.base import LoadRequest
from memdesk.core.layouts.records.detect import detect
from memdesk.core.layouts.records.links import references
from memdesk.core.layouts.records.uses import forms
from memdesk.core.model import Place
from memdesk.core.plan import Request
from tests.hostile.inputs import INPUTS
from tests.hostile.test_linear import AGAIN, seconds, too_fast
from tests.support.recorded import RECORD, document
from tests.support.stores import record, records_store, snapshot
from tests.support.trees import MemoryTree

PARTS = 32
PLACES = ("docs/adr/0003-x.md", "CONTEXT.md", "docs/design/x.md", "CONTEXT-MAP.md", "docs/design/terms.md", ".adr-dir")
FRAMES = (
    "{}", "# {}\n\n## Status\n\n{}\n", "# X\n\n**Status:** {}\n",
    "## {}\n\n{}\n\n**{}**: {}\n\n| Term | x |\n|-|-|\n| {} | {} |\n",
)
VERBS: dict[str, dict[str, str]] = {
    "promote": {"to": "adr", "context": "x", "options": "y"}, "strike": {"reason": "no"}, "reject": {"reason": "no"},
    "edit": {"text": "other"},
}


@pytest.mark.parametrize("part", [0, *(pytest.param(part, marks=pytest.mark.slow) for part in range(1, PARTS))])
def test_each_input_in_each_file(tmp_path: Path, part: int) -> None:
    """A file for each input, another for the next, plain and as a title, a status, a term and a cell. Nothing is written by
    looking."""
    for number, hostile in enumerate(INPUTS[part::PARTS]):
        root = tmp_path / str(number)
        place = PLACES[number % len(PLACES)]
        data = hostile.bytes(min(hostile.full, 2_000)) if hostile.sized else hostile.bytes()
        frame = FRAMES[number % len(FRAMES)].encode()
        records_store(root, **{place: frame.replace(b"{}", data)})
        before = snapshot(root)
        desk = Desk.open(str(root), clock=clock("2026-11-30T04:02:51"), user_config=None)
        assert desk.check("none").stores
        _looked_at(desk)
        assert snapshot(root) == before


def _looked_at(desk: Desk) -> None:
    for act in (
        lambda: desk.recall("counts spreadsheet"), desk.conflicts, lambda: desk.pack(LoadRequest("boot")),
        lambda: [desk.destinations([entry.id]) for entry in desk.candidates()[:5]],
    ):
        with suppress(MemdeskError):  # any other error fails the test
            act()
    entries = list(desk.workspace.entries())
    for entry in entries:
        assert 0 <= entry.start < entry.end <= len(entry.document.data)
        assert entry.document.data[entry.start : entry.end].strip()
        assert desk.workspace.find(entry.id) is entry
    for verb, words in VERBS.items():
        for entry in [entry for entry in entries if entry.candidate == (verb in ("promote", "reject"))][:2]:
            with suppress(MemdeskError):
                desk.plan(Request(verb, (entry.id,), words, person=True))


MAPS = ("CONTEXT-MAP.md", ".adr-dir")
Text = Callable[[int], str]
TEXTS: dict[str, Text] = {
    "brackets": lambda n: "# X\n\n## Status\n\nSuperseded by " + "[" * n,
    "closing brackets": lambda n: "# X\n\n## Status\n\nSuperseded by " + "[](" * n,
    "kinds": lambda n: "# X\n\n## Status\n\n" + "superseded by " * n,
    "kinds in lines": lambda n: "# X\n\n## Status\n\n" + "Supersedes\n" * n,
    "numbers": lambda n: "# X\n\n## Status\n\nSupersedes " + "7, " * n,
    "records with commas": lambda n: "# X\n\n## Status\n\nSuperseded by " + "ADR-1, " * n,
    "kinds in a bracket": lambda n: "# X\n\n## Status\n\n[" + "supersedes " * n,
    "records": lambda n: "# X\n\n## Status\n\nSupersedes " + "ADR-0007 and " * n,
    "lines that go on": lambda n: "# X\n\n## Status\n\n" + "superseded by\n" * n,
    "labels": lambda n: "# X\n\n" + "**Supersedes:** ADR 3\n" * n,
    "open labels": lambda n: "# X\n\n" + "**Status: " * n,
    "bold": lambda n: "# X\n\nStatus: " + "**" * n,
    "strikes": lambda n: "# X\n\nStatus: " + "~~a" * n,
    "comments": lambda n: "# X\n\nStatus: " + "<!--" * n,
    "sections": lambda n: "# X\n\n" + "## Status\n\nAccepted\n\n" * n,
    "headings": lambda n: "# X\n" * n,
    "items": lambda n: "# X\n\n" + "* Status: accepted\n" * n,
    "nested": lambda n: "# X\n\n" + "".join("  " * (at % 90) + "- **a**: b\n" for at in range(n)),
    "front matter": lambda n: "---\n" + "supersedes:\n- 3\n" * min(n, 3000) + "---\n# X\n",
    "folders": lambda n: "# X\n\n## Status\n\nSupersedes " + "a/" * n + "0007-x.md",
    "digits": lambda n: "# " + "1" * n + "\n\n## Status\n\n" + "1" * n,
    "blanks": lambda n: "# X\n\nStatus:" + " " * n + "x\n\n**a" + " " * n + "b**\t:\n",
    "underscores": lambda n: "# X\n\n" + "_" * n + "Status" + "_" * n,
    "rows": lambda n: "| Term | x |\n|---|---|\n" + "| a | b |\n" * n,
    "pipes": lambda n: "| Term | x |\n|---|---|\n" + "|" * n + "\n" + "\\|" * n + "\n",
    "rules": lambda n: "| Term | x |\n|" + "-" * n + "|" + "- " * n + "\n",
    "definitions": lambda n: "Term\n: text\n" * n,
    "avoid": lambda n: "**a**: " + "_Avoid_: b " * n + "\n" + "Avoid:\n" * n,
    "bold terms": lambda n: "**a**: b\n\n" * n,
    "bold names": lambda n: "**" + "a " * n + "**: b\n\n" + "**a" * n,
    "struck": lambda n: "- ~~**a**: b~~\n" * n,
    "aliases": lambda n: "".join(f"- **a{at}**: b _Avoid_: c{at}, d{at}\n" for at in range(n)),
    "options": lambda n: "# X\n\n## Considered options\n\n" + "- \n" * n + "Reason" + ":" * n,
}


def stages(text: str) -> dict[str, float]:
    """Seconds for each way in which a text is read."""
    def read(place: Place, path: str) -> Callable[[], object]:
        return lambda: [(entry.fields, entry.relations) for entry in document(text, path, place).entries]

    return {
        "record": seconds(read(RECORD, "docs/adr/0007-x.md")),
        "glossary": seconds(read(Place("glossary", "durable"), "CONTEXT.md")),
        "references": seconds(lambda: references(text)),
        "map": seconds(lambda: detect(MemoryTree(dict.fromkeys(MAPS, text)), MAPS, config.defaults())),
        "forms": seconds(lambda: forms(text[:200])),
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
def test_a_thousand_records_that_supersede_each_other(tmp_path: Path) -> None:
    """A long line of successions, a wide one and a circle: each rule looks at each record once."""
    def checked(size: int) -> float:
        root = tmp_path / str(size)
        files = {
            f"docs/adr/{number:04}-x.md": record(
                number, f"Choice {number}", f"Superseded by ADR {number % size + 1}",
                more="Supersedes ADR 1\n\n" + f"Supersedes ADR {(number - 2) % size + 1}",
            )
            for number in range(1, size + 1)
        }
        records_store(root, standard=False, **files)
        desk = Desk.open(str(root), clock=clock("2026-11-30T04:02:51"), user_config=None)
        assert len(list(desk.workspace.entries())) == size
        return seconds(lambda: desk.check("none", only=("adr-supersession", "adr-number", "adr-status", "adr-why")))

    small, large = {"check": checked(300)}, {"check": checked(1_200)}
    for again in range(AGAIN):
        if not too_fast(small, large, 2):
            break
        (tmp_path / "300").rename(tmp_path / f"s{again}")
        (tmp_path / "1200").rename(tmp_path / f"l{again}")
        small = {"check": min(small["check"], checked(300))}
        large = {"check": min(large["check"], checked(1_200))}
    assert not too_fast(small, large, 2)
