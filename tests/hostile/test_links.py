"""Links, archives and budgets of a size or form that nobody writes by hand: all of it linear, and none of it leads out."""

from __future__ import annotations

from datetime import date

import pytest

from memdesk.core import actions, config, inbound
from memdesk.core.model import Workspace
from memdesk.core.plan import Plan, Request
from memdesk.core.prune import budget
from memdesk.core.workspace import open_workspace
from tests.support.stores import MEMORY, STANDARD, manifest
from tests.support.trees import MemoryTree

TODAY = date(2026, 11, 30)
OLD, NEW = "memory/facts/boats.md", "memory/archive/boats.md"


def opened(**files: str) -> Workspace:
    tiers = {
        "memory/INDEX.md": "# Index\n\n- [boats](facts/boats.md): Boats.\n",
        OLD: "---\ndescription: Boats.\n---\n\n# Boats\n\nThey sail.\n",
    }
    store = {**STANDARD, "manifest.md": manifest(), **{name.replace("__", "/"): text for name, text in files.items()}}
    tiers |= {f"{MEMORY}/{name}": text for name, text in store.items() if not name.startswith("memory/")}
    tiers |= {name: text for name, text in store.items() if name.startswith("memory/")}
    return open_workspace(MemoryTree({path: text.encode() for path, text in tiers.items()}), config.defaults())


def archived(workspace: Workspace, path: str = OLD) -> Plan:
    entries = workspace.documents[path].entries
    return actions.plan(workspace, Request("archive", tuple(entry.id for entry in entries), person=True, at="10:00"), TODAY)


@pytest.mark.slow
@pytest.mark.parametrize("lines", [
    "- [a](../../memory/facts/boats.md)\n", "- [a](../../memory/facts/boats.md) and [b](../../memory/facts/boats.md#c)\n",
    "> [a](../../memory/facts/boats.md)\n", "- [a](boats.md)\n", "- [a](x/../../../memory/facts/boats.md)\n",
], ids=["a line", "two a line", "quote", "nowhere", "by way of"])  # fmt: skip
def test_a_hundred_thousand_links_follow_in_one_plan(lines: str) -> None:
    """Anything that looks at all links for each of them would take hours."""
    number = 50_000 if "and" in lines else 100_000
    text = "# Preferences\n\n" + lines * number
    plan = archived(opened(**{"preferences.md": text}))
    after = {step.path: step.after for step in plan.steps}.get(f"{MEMORY}/preferences.md")
    if "(boats.md)" in lines:
        assert after is None
    else:
        assert after is not None
        assert after.count(b"memory/archive/boats.md") == 100_000
        assert b"facts" not in after


@pytest.mark.slow
def test_a_hundred_thousand_that_stay_are_counted_and_not_listed() -> None:
    text = "# Old\n\n" + "- [a](../../../memory/facts/boats.md)\n" * 100_000
    (said,) = (one for one in archived(opened(archive__old="", **{"archive/old.md": text})).warnings if "link" in one)
    assert said.endswith(f"{MEMORY}/archive/old.md:10 and 99992 more.")


@pytest.mark.parametrize("target", [
    "..", "../..", "../../../../../../etc/passwd", "/etc/passwd", "//memory/facts/boats.md", "javascript:memory/facts/boats.md",
    "file:///memory/facts/boats.md", "data:text/html,boats.md", "%2e%2e/%2e%2e/boats.md", "%252e%252e/boats.md", "boats.md%00",
    "\\\\server\\boats.md", "C:boats.md", "memory/facts/boats.md/", "memory/facts/boats.md/..", "./" * 200 + "boats.md",
    "%25" * 160 + "boats.md", "<>", "", "boats.md" + "#" * 100, "../" * 160 + "boats.md",
])  # fmt: skip
def test_no_target_leads_out_or_is_written_anew_by_mistake(target: str) -> None:
    text = f"# Preferences\n\n- See [a]({target}) and [b](<{target}>).\n"
    plan = archived(opened(**{"preferences.md": text}))
    assert [step.path for step in plan.steps if step.path.startswith(MEMORY)] == []


def test_links_that_go_round_in_circles() -> None:
    text = "---\ndescription: F{0}.\n---\n\n# F{0}\n\nSee [n](f{1}.md), [[f{0}]], [b](boats.md).\n"
    facts = {f"memory/facts/f{at}.md": text.format(at, (at + 1) % 900) for at in range(900)}
    plan = archived(opened(**facts))
    assert sum(step.kind == "replace" and b"../archive/boats.md" in (step.after or b"") for step in plan.steps) == 900


def test_entries_of_a_megabyte_are_planned_and_archived() -> None:
    body = f"Superseded: 2026-02-01 by \"X\"\n\n{'word ' * 200_000}\n"
    entries = [f"## ~~2026-01-0{at} - Big {at}~~\n\n{body}" for at in (1, 2, 3)]
    workspace = opened(**{"decisions.md": "# Decisions\n\n" + "\n".join([*entries, "## 2026-05-02 - Kept\n\nText.\n"])})
    over = budget.look(workspace, TODAY, config.defaults())
    (proposal,) = over.proposals
    assert [entry.heading[-1] for entry in proposal.entries] == ["1", "2", "3"]
    plan = actions.plan(workspace, proposal.request, TODAY)
    archive = next(step.after for step in plan.steps if step.path.endswith("decisions-2026-11-30.md"))
    assert archive is not None
    assert [archive.index(b"Big %d" % at) for at in (3, 2, 1)] == sorted(archive.index(b"Big %d" % at) for at in (1, 2, 3))


@pytest.mark.slow
def test_tens_of_thousands_of_entries_are_planned() -> None:
    lines = "".join(f"- ~~Note {at}~~ superseded 2026-01-0{1 + at % 9}\n- Other {at}\n" for at in range(15_000))
    workspace = opened(**{"preferences.md": f"# Preferences\n\n{lines}"})
    (proposal,) = budget.look(workspace, TODAY, config.defaults()).proposals
    held = [entry for entry in workspace.documents[f"{MEMORY}/preferences.md"].entries if not entry.struck]
    assert len(held) - sum(not entry.struck for entry in proposal.entries) > 90, "300 tokens are left for those that hold"


def test_a_draft_without_a_move_looks_at_no_link() -> None:
    workspace = opened(**{"preferences.md": "# P\n\n" + "- [a](b.md)\n" * 10})
    from memdesk.core.draft import Draft

    draft = Draft(workspace)
    document = workspace.documents[f"{MEMORY}/preferences.md"]
    draft.insert(document, len(document.data), "- One more", loose=False, entry=True)
    assert inbound.follow(draft) == []
    assert "page" not in workspace.documents[f"{MEMORY}/constraints.md"].__dict__
