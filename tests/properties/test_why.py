"""Whatever a manifest looks like: following what `why` advises, word by word, makes a file or an entry load."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.following import World, loading
from tests.support.stores import CATEGORIES, STANDARD

HOME = "docs/memory"
TASKS = ("planning", "implementation", "artifact", "preferences", "history", "maintenance", "general")
NAMES = (
    "brief.md", "decisions.md", "constraints.md", "do-not-use.md", "preferences.md", "changelog.md", "stray.md",
    "areas/storage.md", "areas/a-b.md", "areas/deep/er.md", "rules/writing.md", "profiles/lead.md",
)
LONGER = ("decisions.md", "areas/storage.md", "stray.md")
BUDGETS = (
    "", "- decisions.md: 60 tokens", "* `areas/*.md`: 100 tokens, if present", "- decisions.md: about\n  70 tokens max",
    "Words.",
)
LONG = "# Long\n\nIntroduction.\n\n" + "".join(f"## Part {number}\n\n{'word ' * 40}\n\n- a\n- b\n\n" for number in range(9))

bullets = st.builds(
    lambda name, marker, ticks, tail: f"{marker} {'`' if ticks else ''}{name}{'`' if ticks else ''}{tail}",
    st.sampled_from((*NAMES, "inbox.md", "archive/", "../out.md", "gone.md")), st.sampled_from("-*+"), st.booleans(),
    st.sampled_from(("", "", "", ": what it is", " — goes on\n  in the next line", " if present", "\n  - a remark below it")),
)
labels = st.sampled_from(("", "Load:", "Also load:", "Load if present:", "**Load:**", "Some words.", "Load:\nLoad if present:"))


@st.composite
def listings(draw: st.DrawFn) -> str:
    parts = [part for _ in range(draw(st.integers(0, 3))) for part in (draw(labels), *draw(st.lists(bullets, max_size=2)))]
    return draw(st.sampled_from(("\n", "\n\n"))).join(part for part in parts if part)


@st.composite
def manifests(draw: st.DrawFn) -> str:
    parts = ["# Manifest", "## MemoryCustodian Protocol\n\n- protocol_version: 0.5"]
    if draw(st.integers(0, 9)):
        parts += ["## Always load", draw(listings())]
    if draw(st.integers(0, 9)):
        parts.append("## Load by task")
        for heading, _, _ in CATEGORIES:
            if draw(st.integers(0, 9)):
                parts += [f"### {heading}", draw(listings())]
    if draw(st.integers(0, 5)):
        parts.append("## Optional module index")
        for folder in ("rules", "profiles", "areas"):
            row = draw(st.sampled_from(("", "", "- None enabled.", "(none)", "* `areas/storage.md`: when", "- areas/a-b.md",
                                        "- `rules/writing.md`: x\n  - activation: path\n  - paths: `src/**`")))
            if draw(st.booleans()):
                parts += [f"### Enabled {folder}", row]
    if draw(st.booleans()):
        parts += ["## Context budget", draw(st.sampled_from(BUDGETS))]
    text = draw(st.sampled_from(("\n\n", "\n"))).join(part for part in parts if part) + "\n" * draw(st.integers(0, 2))
    return text.replace("\n", "\r\n") if draw(st.booleans()) else text


@given(manifests(), st.sampled_from(NAMES), st.sampled_from(TASKS))
@settings(max_examples=120, deadline=None)
def test_following_the_advice_makes_a_file_load(text: str, name: str, task: str) -> None:
    files = {**STANDARD, **dict.fromkeys(NAMES, "# A\n\n- b\n"), "manifest.md": text}
    world = World({f"{HOME}/{one}": data for one, data in files.items()})
    found, _ = loading(world, f"{HOME}/{name}", task)
    assert found.loads, found


@given(manifests(), st.sampled_from(LONGER), st.sampled_from(TASKS), st.integers(1, 67))
@settings(max_examples=80, deadline=None)
def test_following_the_advice_makes_an_entry_load(text: str, name: str, task: str, line: int) -> None:
    files = {**STANDARD, **dict.fromkeys(NAMES, LONG), "manifest.md": text}
    world = World({f"{HOME}/{one}": data for one, data in files.items()})
    found, _ = loading(world, f"{HOME}/{name}", task, line=line)
    assert found.loads, found
