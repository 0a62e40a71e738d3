"""What should not be kept stops every verb that would write it, in every layout and whichever field it is in."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pytest

from memdesk.core import layouts
from memdesk.core.checks.runner import Report
from memdesk.core.errors import Refused
from tests.support.checking import report
from tests.support.planning import Bench, JonggrangBench, MemoryBench, RecordsBench, TiersBench

MAIL = "kim.lee" + "@" + "corp.dev"
KEY = "AKIA" + "QWERTYUIOPASDFGH"
ALLOWED = " <!-- memdesk: allow {rule} a made-up one -->"
RULES = {MAIL: "example-value", KEY: "secret"}
NOTE, PERSON = "memory/2026-11-29.md", "memory/people/ada.md"
FACT = "facts/offline.md"
FEATURE = ".output/features/counts/MEMORY.md"
FRAGMENT = ".ephemeral/memory/fragments/counts/task-001-2026-05-07T10-15-00-000Z.md"
TO_PROJECT = {"to": "project-memory", "section": "Conventions", "reviewed": "yes"}
DRAFT, RECORD = "docs/adr/0002-sync-at-night.md", "docs/adr/0001-store-counts-as-csv.md"
# Verbs that write no words of their own: they move what is there, take it out, or make what the program brings.
WORDLESS = {"snooze", "archive", "forget", "undo", "init", "renumber", "reindex", "clear"}
DRAFTED = {"compact"}  # its draft is checked as a whole: tests/core/compacting/

Make = Callable[[Path], Bench]
# layout -> (verb, the file whose first entry it is about, the words; {} is where the value stands)
TABLE: Mapping[str, tuple[Make, Sequence[tuple[str, str, Mapping[str, str]]]]] = {
    "custodian": (lambda root: Bench(root, inbox="# Inbox\n\n- Sites report late\n"), (
        ("add", "", {"text": "Ask {} first"}),
        ("add", "", {"text": "Ask first", "source": "{}"}),
        ("add", "", {"text": "Ask first", "reason": "said {}"}),
        ("promote", "inbox.md", {"to": "constraints", "text": "Ask {} first"}),
        ("promote", "inbox.md", {"to": "decisions", "reason": "said {}"}),
        ("promote", "inbox.md", {"to": "decisions", "reason": "so", "title": "Ask {}"}),
        ("promote", "inbox.md", {"to": "decisions", "reason": "so", "scope": "{}"}),
        ("edit", "constraints.md", {"text": "- Ask {} first"}),
        ("strike", "constraints.md", {"with": "Ask {} first"}),
        ("strike", "constraints.md", {"reason": "said {}"}),
        ("merge", "inbox.md", {"into": "constraints.md", "text": "- Ask {} first"}),
        ("reject", "inbox.md", {"tombstone": "yes", "reason": "said {}"}),
        ("reject", "inbox.md", {"tombstone": "yes", "reason": "no", "title": "Ask {}"}),
        ("reject", "inbox.md", {"tombstone": "yes", "reason": "no", "reconsider": "when {} says so"}),
    )),
    "agent-memory": (lambda root: MemoryBench(root, **{NOTE: "# Day\n\n- [suggested] Keep backups for 10 days\n"}), (
        ("add", "", {"text": "Ask {} first"}),
        ("promote", NOTE, {"to": "person:ada", "tag": "stated", "text": "Ask {} first", "source": "a call"}),
        ("promote", NOTE, {"to": "person:ada", "tag": "stated", "source": "a call from {}"}),
        ("reject", NOTE, {"reason": "said {}"}),
        ("merge", NOTE, {"into": PERSON, "text": "- [stated] Ask {} first (2026-02-01, from her letter)"}),
        ("edit", NOTE, {"text": "- [suggested] Ask {} first"}),
        ("edit", PERSON, {"text": "- [stated] Ask {} first (2026-02-01, from her letter)", "change": "wording"}),
        ("edit", PERSON, {"text": "- [stated] Ask {} first (2026-02-01, from her letter)", "change": "meaning"}),
        ("strike", PERSON, {"with": "Ask {} first", "source": "a call"}),
        ("strike", PERSON, {"reason": "said {}"}),
    )),
    "records": (lambda root: RecordsBench(root), (
        ("add", "", {"text": "Sync by hand\n\nAsk {} first.", "kind": "adr"}),
        ("promote", DRAFT, {"to": "design:night", "text": "Ask {} first."}),
        ("promote", DRAFT, {"to": "term", "title": "Night", "text": "Ask {} first."}),
        ("merge", DRAFT, {"into": "CONTEXT.md", "text": "**Count**: Ask {} first."}),
        ("reject", DRAFT, {"reason": "said {}"}),
        ("strike", RECORD, {"with": "Store as JSON", "reason": "said {}"}),
        ("edit", DRAFT, {"text": "# 2. Sync at night\n\nDate: 2026-06-01\n\n## Status\n\nProposed\n\n## Context\n\nAsk {}.\n"}),
    )),
    "tiers": (lambda root: TiersBench(root), (
        ("add", "", {"text": "Ask {} first"}),
        ("promote", "inbox.md", {"to": "fact", "description": "Late sites", "text": "Ask {} first."}),
        ("promote", "inbox.md", {"to": "fact", "description": "Ask {} first"}),
        ("promote", "inbox.md", {"to": "fact", "description": "Late sites", "reason": "said {}"}),
        ("promote", "inbox.md", {"to": "fact", "description": "Late sites", "owner": "{}"}),
        ("reject", "inbox.md", {"reason": "said {}"}),
        ("strike", "inbox.md", {"reason": "said {}"}),
        ("merge", "inbox.md", {"into": FACT, "text": "---\ndescription: Offline\n---\n\nAsk {} first.\n"}),
        ("edit", "inbox.md", {"text": "- Ask {} first"}),
        ("edit", FACT, {"text": "---\ndescription: Offline\n---\n\nAsk {} first.\n"}),
        ("correct", FACT, {"with": "Ask {} first.", "description": "Offline"}),
        ("correct", FACT, {"with": "Ask first.", "description": "Ask {}"}),
        ("correct", FACT, {"with": "Ask first.", "description": "Offline", "reason": "said {}"}),
        ("strike", FACT, {"with": "Ask {} first.", "description": "Offline"}),
    )),
    "jonggrang": (lambda root: JonggrangBench(root), (
        ("add", "", {"text": "Ask {} first", "feature": "counts", "task_id": "task-003"}),
        ("add", "", {"text": "Ask first", "feature": "counts", "task_id": "task-003", "source": "{}"}),
        ("promote", FEATURE, {**TO_PROJECT, "text": "Ask {} first"}),
        ("promote", FEATURE, {**TO_PROJECT, "reason": "said {}"}),
        ("promote", FEATURE, {**TO_PROJECT, "source": "a call from {}"}),
        ("strike", FEATURE, {"with": "Ask {} first"}),
        ("strike", FEATURE, {"reason": "said {}"}),
        ("strike", FRAGMENT, {"reason": "said {}"}),
        ("reject", FRAGMENT, {"reason": "said {}"}),
        ("merge", FEATURE, {"into": "MEMORY.md", "text": "- Ask {} first", "reviewed": "yes"}),
        ("edit", FRAGMENT, {"text": "- Ask {} first"}),
        ("edit", "MEMORY.md", {"text": "- Ask {} first"}),
    )),
}  # fmt: skip
CASES = [(layout, *row) for layout, (_, rows) in TABLE.items() for row in rows]
NAMES = [f"{layout} {verb} {next(key for key, word in words.items() if '{}' in word)}" for layout, verb, _, words in CASES]


def asked(bench: Bench, verb: str, file: str, words: Mapping[str, str], value: str) -> Callable[[], object]:
    """The plan, not made yet."""
    filled = {key: word.replace("{}", value) for key, word in words.items()}
    if "into" in filled:
        filled["into"] = bench.entries(filled["into"])[0].id
    entries = [entry for entry in bench.entries(file) if verb != "merge" or entry.candidate][:1] if file else []
    return lambda: bench.plan(verb, entries, **filled)


@pytest.mark.parametrize("value", [MAIL, KEY], ids=["address", "key"])
@pytest.mark.parametrize(("layout", "verb", "file", "words"), CASES, ids=NAMES)
def test_a_value_stops_the_verb_and_an_allowance_lets_it_through(
    tmp_path: Path, layout: str, verb: str, file: str, words: Mapping[str, str], value: str
) -> None:
    bench = TABLE[layout][0](tmp_path)
    with pytest.raises(Refused, match="looks like") as caught:
        asked(bench, verb, file, words, value)()
    assert value not in f"{caught.value} {caught.value.remedy}"
    assert RULES[value] in caught.value.remedy
    asked(bench, verb, file, words, value + ALLOWED.format(rule=RULES[value]))()
    other = next(rule for rule in RULES.values() if rule != RULES[value])
    with pytest.raises(Refused, match=r"looks like (a secret|an example value) \("):
        asked(bench, verb, file, words, value + ALLOWED.format(rule=other))()


@pytest.mark.parametrize("layout", layouts.names())
def test_the_table_has_every_verb_that_writes_words(layout: str) -> None:
    missing = layouts.get(layout).verbs - WORDLESS - DRAFTED - {verb for verb, _, _ in TABLE[layout][1]}
    assert missing == set()


def test_an_allowance_that_is_not_needed_is_reported(tmp_path: Path) -> None:
    bench = Bench(tmp_path, inbox="# Inbox\n\n- Sites report late\n")
    text = f"Ask first{ALLOWED.format(rule='example-value')}"
    bench.apply(bench.plan("add", text=text))
    found: Report = report(tmp_path, only=["allow-unused", "example-value"])
    assert [finding.rule for finding in found.findings] == ["allow-unused"]


def test_what_holds_a_value_already_can_be_struck_and_rejected(tmp_path: Path) -> None:
    bench = MemoryBench(tmp_path, **{NOTE: f"# Day\n\n- [suggested] Use {KEY}\n", PERSON: f"# Ada\n\n- [stated] {MAIL}\n"})
    for verb, file in (("reject", NOTE), ("strike", PERSON)):
        plan = bench.plan(verb, bench.entries(file)[:1], reason="Not to be kept.")
        assert plan.steps
        assert KEY not in plan.summary + plan.label
        assert MAIL not in plan.summary + plan.label
