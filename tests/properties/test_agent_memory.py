"""Layout agent-memory over made documents: a strike and its undo leave no trace; what is promoted carries its tag."""

from __future__ import annotations

import tempfile
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from memdesk.core.clock import clock
from memdesk.core.desk import Desk
from memdesk.core.errors import Refused
from memdesk.core.plan import Request
from tests.support.stores import agent_memory_store, git_repo, snapshot

WORDS = st.sampled_from([
    "gulls", "late", "`x ~~ y`", "*often*", "2026-01-14", "3 %", "日本", "(north)", "a_b", "→", "<b>", "\\~", "~~gone~~",
])
SENTENCE = st.lists(WORDS, min_size=1, max_size=6).map(" ".join)
TAG = st.sampled_from(["stated", "observed", "inferred"])
BULLET = st.builds(
    lambda marker, tag, text, nested: f"{marker} [{tag}] Sites {text}" + (f"\n  - [{tag}] {nested}" if nested else ""),
    st.sampled_from("-*"), TAG, SENTENCE, st.one_of(st.just(""), SENTENCE),
)
PARAGRAPH = st.builds(lambda text, tag: f"**Counts {text}** [{tag}]", SENTENCE, TAG)
SECTION = st.builds(lambda text, tag: f"## Route {text} [{tag}]\n\nBelow it.", SENTENCE, TAG)
BLOCKS = st.lists(st.one_of(BULLET, PARAGRAPH, SECTION, st.just("```\n- code\n```")), min_size=1, max_size=6)
ENDING = st.sampled_from(["\n", "\r\n"])


def desk(root: Path) -> Desk:
    return Desk.open(str(root), clock=clock("2026-11-30T04:02:51"), user_config=None)


@settings(max_examples=20)
@given(BLOCKS, ENDING, st.booleans(), st.integers(0, 5), st.one_of(st.just(""), SENTENCE))
def test_strike_then_undo_is_the_identity(blocks: list[str], ending: str, ended: bool, which: int, new: str) -> None:
    text = "# Made\n\n" + "\n\n".join(blocks) + ("\n" if ended else "")
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        agent_memory_store(root, **{"memory/decisions/made.md": text.replace("\n", ending)})
        opened = desk(root)
        found = [entry for entry in opened.workspace.entries() if entry.path.endswith("made.md") and not entry.struck]
        assume(found)
        entry = found[which % len(found)]
        before = snapshot(root)
        words = {"reason": "It changed"} | ({"with": f"Now {new}", "tag": "observed"} if new else {})
        try:
            opened.perform(Request("strike", (entry.id,), words, person=True), "Ada")
        except Refused:  # text that can't be struck as it stands
            assert snapshot(root) == {**before, **{path: data for path, data in snapshot(root).items() if ".memdesk" in path}}
            return
        after = (root / "memory/decisions/made.md").read_bytes()
        assert after != before["memory/decisions/made.md"]
        assert b"superseded 2026-11-30" in after if new else b"struck 2026-11-30" in after
        again = desk(root)
        again.commit(again.undo(), "Ada")
        kept = {path: data for path, data in snapshot(root).items() if not path.startswith(".memdesk/")}
        assert kept == before


@pytest.mark.slow
@settings(max_examples=20)
@given(st.lists(BULLET, min_size=1, max_size=4), TAG, st.sampled_from(["project:plover", "person:ada", "decision:new one"]))
def test_a_promoted_line_passes_the_provenance_rule(bullets: list[str], tag: str, to: str) -> None:
    """Before the first commit every line counts as added: nested ones too."""
    note = "# 2026-11-28\n\n" + "\n".join(bullets).replace(f"\n  - [{tag}]", "\n  -") + "\n"
    with tempfile.TemporaryDirectory() as folder:
        root = git_repo(Path(folder) / "repo", commit=False)
        agent_memory_store(root, **{"memory/2026-11-28.md": note})
        opened = desk(root)
        written = 0
        for entry in opened.candidates():
            with suppress(Refused):  # a text that can't stand in a bracket's line, or below the gate
                desk(root).perform(Request("promote", (entry.id,), {"to": to, "tag": "stated"}, person=True), "Ada")
                written += 1
        assume(written)
        report = desk(root).check(only=("disk-provenance",))
        assert [finding.message for finding in report.findings if finding.severity == "error"] == []
        (rule,) = report.rules
        assert rule.checked >= written + 2  # those of the store's own facts count as added too
