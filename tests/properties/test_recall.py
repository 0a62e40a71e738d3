"""Recall over any small store: nothing cut, bounds kept, every match somewhere, and no text that passes for a header."""

from __future__ import annotations

import re
from datetime import date

from hypothesis import given, settings
from hypothesis import strategies as st

from memdesk.core.recall import Bounds, Recall, recall
from memdesk.core.scoping import PHASES, Within
from memdesk.tui.report import recall as report
from tests.support.stores import FRAGMENTS, STANDARD, feature_memory, fragment, manifest
from tests.support.trees import MemoryTree, workspace

HOME = "docs/memory"
NAMES = ["zebra", "lamp", "storm", "river", "copper"]
WORDS = st.lists(
    st.sampled_from([*NAMES, "zebras", "Lamp,", "**storm**", "===== x:1 · decision =====", "記憶"]), min_size=1, max_size=6
)
BODIES = st.lists(WORDS.map(" ".join), min_size=1, max_size=3).map("\n".join)
SECTIONS = st.lists(st.tuples(st.booleans(), st.integers(0, 5), BODIES), max_size=5)
BULLETS = st.lists(WORDS.map(lambda words: "- " + " ".join(words)), max_size=4)
SIZES = st.builds(Bounds, st.integers(1, 6), st.integers(1, 300))


def decisions(sections: list[tuple[bool, int, str]]) -> str:
    """Sections; a struck one names another as what came in its place, which may not be there, or be itself struck."""
    parts = ["# Decisions"]
    for number, (struck, by, body) in enumerate(sections):
        title = f"Choice {number}"
        past = f'Superseded: 2026-05-0{by + 1} by "Choice {by}"\n\n' if struck else ""
        parts.append(f"## {f'~~{title}~~' if struck else title}\n\n{past}Decision:\n{body}")
    return "\n\n".join(parts) + "\n"


@settings(max_examples=40)
@given(SECTIONS, BULLETS, BULLETS, BULLETS, st.lists(st.sampled_from(NAMES), min_size=1, max_size=3), SIZES)
def test_every_match_is_somewhere_and_whole(
    sections: list[tuple[bool, int, str]], constraints: list[str], area: list[str], archived: list[str], query: list[str],
    bounds: Bounds,
) -> None:
    files = {
        **STANDARD, "manifest.md": manifest(areas=["stable"]), "decisions.md": decisions(sections),
        "constraints.md": "\n".join(["# Constraints", "", *constraints]) + "\n",
        "areas/stable.md": "\n".join(["# Stable", "", *area]) + "\n",
        "archive/old.md": "\n".join(["# Old", "", *archived]) + "\n",
    }
    there = workspace({f"{HOME}/{name}": text for name, text in files.items()})
    made = recall(there, " ".join(query), today=date(2026, 11, 30), bounds=bounds)

    assert len(made.sources) <= bounds.max_sources
    returned = [entry for source in made.sources for entry in (*source.history, source.entry)]
    assert sum(len(entry.text) for entry in returned) == made.chars <= bounds.max_chars
    assert len(set(returned)) == len(returned)
    assert not {source.entry for source in made.sources} & {item.entry for item in made.left_out}
    assert not any(entry.tier == "archive" for entry in returned)
    heads = {entry: source.entry for source in made.sources for entry in (*source.history, source.entry)}
    named = {item.entry for item in made.left_out}
    for entry in there.entries():
        if not re.search(rf"(?<!\w)(?:{'|'.join(query)})s?(?!\w)", entry.text, re.IGNORECASE) or entry.role == "inbox":
            continue
        if entry.struck:  # alone, or the history of one that is returned or named
            assert entry in heads or entry in named or any(item.entry.document is entry.document for item in made.left_out)
        else:
            assert entry in heads or entry in named
            assert entry.role != "constraints" or entry in heads or entry in made.binding
    shown(made, there.tree)  # type: ignore[arg-type]


def shown(made: Recall, tree: MemoryTree) -> None:
    """The text has every returned text to the letter, each under a header that says where it is, and no other header."""
    text = report.text(made)
    heads = report.headers(made, text)
    for source in made.sources:
        for entry in (*source.history, source.entry):
            assert f"\n\n{entry.text}\n" in text
            assert entry.text in tree.files[entry.path].decode()
            assert sum(f" {entry.path}:{entry.line} · " in head for head in heads) == 1
    assert len(heads) == sum(1 + len(source.history) for source in made.sources)


FEATURES = ("auth", "billing")
SECTIONS_OF = ("context", "facts", "what", "lessons", "open", "promotion")
LONG = st.builds(lambda words, times: " ".join(words * times), WORDS, st.sampled_from([1, 3, 20, 60]))
KEPT = st.dictionaries(st.sampled_from(SECTIONS_OF), LONG.map("- {}".format), max_size=3)
LEFT = st.lists(st.tuples(st.sampled_from(FEATURES), st.integers(1, 3), st.integers(0, 59), KEPT), max_size=5)
WITHIN = st.builds(Within, st.sampled_from(["", *FEATURES]), st.just(""), st.sampled_from(["", *PHASES]))


@settings(max_examples=40)
@given(st.dictionaries(st.sampled_from(FEATURES), KEPT), LEFT, BULLETS, st.lists(
    st.sampled_from([*NAMES, "zebr", "amp", "stor"]), min_size=1, max_size=3), WITHIN)
def test_from_within_a_feature_the_bounds_hold_and_whole_words_answer(
    memories: dict[str, dict[str, str]], left: list[tuple[str, int, int, dict[str, str]]], constraints: list[str],
    query: list[str], within: Within,
) -> None:
    """With the bounds that hold where nobody sets others."""
    files = {f"{HOME}/{name}": text for name, text in {**STANDARD, "manifest.md": manifest()}.items()}
    files[f"{HOME}/constraints.md"] = "\n".join(["# Constraints", "", *constraints]) + "\n"
    for feature in FEATURES:
        files[f".jonggrang/.output/features/{feature}/MEMORY.md"] = feature_memory(feature, **memories.get(feature, {}))
    for feature, task, second, sections in left:
        name = f"{feature}/task-00{task}-2026-11-28T10-15-{second:02}Z.md"
        files[f".jonggrang/{FRAGMENTS}/{name}"] = fragment(**sections)
    there = workspace(files)
    made = recall(there, " ".join(query), today=date(2026, 11, 30), within=within)

    returned = [entry for source in made.sources for entry in (*source.history, source.entry)]
    assert len(made.sources) <= 5
    assert sum(len(entry.text) for entry in returned) <= 2000
    whole = re.compile(rf"(?<!\w)(?:{'|'.join(query)})s?(?!\w)", re.IGNORECASE)
    assert all(whole.search(entry.text) for entry in returned), "a part of a word is no word"
    every = set(there.entries())
    assert set(returned) <= every
    named = {item.entry for item in made.left_out}
    for entry in every:
        feature = entry.fields.get("feature", "")
        other = bool(within.feature and feature and feature != within.feature)
        if entry.role != "inbox" and whole.search(entry.text):
            assert (entry in named) if other else (entry in named or entry in returned or bool(made.more))
        if entry.role == "constraints" and whole.search(entry.text):
            assert entry in returned or entry in made.binding
    assert {item.entry.fields["feature"] for item in made.left_out if "another feature" in item.reason} <= {
        feature for feature in FEATURES if within.feature and feature != within.feature
    }
    shown(made, there.tree)  # type: ignore[arg-type]


@settings(max_examples=40)
@given(st.text(max_size=40), st.text(max_size=40))
def test_any_query_and_any_text_are_answered_alike_each_time(query: str, text: str) -> None:
    from memdesk.core.errors import UsageError

    body = "# Constraints\n\n- " + " ".join(text.split()) + "\n"
    there = workspace({
        f"{HOME}/{name}": data for name, data in {**STANDARD, "manifest.md": manifest(), "constraints.md": body}.items()
    })
    try:
        first = recall(there, query, today=date(2026, 11, 30))
    except UsageError:
        return
    assert recall(there, query, today=date(2026, 11, 30)) == first
    assert report.text(first).endswith("\n")
