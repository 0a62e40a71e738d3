"""No list, report or message repeats a secret or an example value; packs, recalls and diffs are exact, and say so."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.support.commands import Here
from tests.support.sampling import sampled
from tests.support.stores import (
    MEMORY,
    agent_memory_store,
    custodian_store,
    fact,
    feature_memory,
    git_repo,
    jonggrang_store,
    put,
    record,
    records_store,
    tiers_store,
)
from tests.support.values_corpus import SECRET, TRUE, Case
from tests.support.values_unseen import MISSED, UNSEEN

CASES = [case for case in (*TRUE, *UNSEEN) if case.rule and case.name not in MISSED]
MAIL = "kim.lee" + "@" + "corp.dev"
KEY = "AKIA" + "QWERTYUIOPASDFGH"
TIERS, JONGGRANG = "tiers/memory", "phone/.jonggrang"
CUT = 80  # where a heading is cut
JSON = ("--format", "json")
LISTS: Sequence[tuple[str, ...]] = (
    ("inbox",), ("inbox", *JSON), ("entries",), ("entries", *JSON), ("entries", "--struck"), ("stores",), ("stores", *JSON),
    ("conflicts",), ("conflicts", *JSON), ("conflicts", "--format", "markdown"), ("history",), ("history", *JSON),
    ("--check",), ("--check", *JSON), ("--check", "--staged"), ("--check", "--strict"),
    ("pack", "--task", "planning", "--explain", "--store", MEMORY), ("config",), ("doctor",), ("entries", "--store", TIERS),
    ("entries", "--store", JONGGRANG), ("compact", *JSON),
)  # fmt: skip


def bullet(case: Case) -> str:
    return "- " + case.text.strip().replace("\n", "\n  ") + "\n"


def across(case: Case) -> str:
    """The text with the value in the middle of where a heading is cut."""
    at = case.text.index(case.value) + len(case.value) // 2
    return "x" * max(CUT - at - 1, 0) + " " + case.text


def parts(case: Case) -> list[str]:
    """What must not be shown of a value: each of its lines; of a short one, such as a name, with what is before it."""
    at = case.text.index(case.value)
    return case.value.split("\n") if len(case.value) >= 8 else [case.text[at - 5 : at + len(case.value)]]


@pytest.fixture(scope="module", params=[9, pytest.param(1, marks=pytest.mark.slow)], ids=["some", "all"])
def workspace(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Every value (or each ninth) as a candidate, a constraint, a title, a tombstone, a fact, a term, a record, a log line;
    twice in some places, so that conflicts and findings name it; and in the middle of where a heading is cut."""
    root = tmp_path_factory.mktemp("values")
    cases = CASES[:: request.param]
    lines = [case for case in cases if "\n" not in case.text]
    texts = [case.text for case in lines]
    bullets = "".join(map(bullet, cases))
    custodian_store(
        root, budgets=("decisions.md: 300 tokens max",),
        inbox="# Inbox\n\n" + bullets + "".join(f"- {across(case)}\n" for case in lines),
        constraints="# C\n\n" + bullets * 2 + "".join(f"- ~~{text}~~\n" for text in texts),
        decisions="# D\n\n" + "".join(f"## 2026-05-02 - {text}\n\nDecision:\n{text}\n\n" for text in texts) * 2,
        do_not_use="# N\n\n" + "".join(f"## Tombstone: {text}\n\nReason: {text}. Date: 2026-04-11.\n\n" for text in texts),
    )
    facts = "".join(f"- [stated] {across(case)} (2026-02-01, from a call)\n- proposed: {case.text}\n" for case in lines)
    agent_memory_store(root / "agent", **{"memory/people/ada.md": "# Ada\n\n" + facts})
    records = {f"docs/adr/{number:04}-x.md": record(number, text, text) for number, text in enumerate(texts[::9], 10)}
    terms = "".join(f"**{text}**:\n{text}\n_Avoid_: {text}\n\n" for text in texts[::3])
    records_store(root / "app", **{"CONTEXT.md": "# Words\n\n" + terms, **records})
    some = list(enumerate(lines[::9]))
    each = {f"facts/{number}.md": fact(across(case), case.text, name=f"n{number}") for number, case in some}
    tiers_store(root / "tiers", **each, **{
        "INDEX.md": "# Index\n\n" + "".join(f"- [{case.text}](facts/{number}.md): {across(case)}\n" for number, case in some),
        "log/2026-11-29.md": "# 2026-11-29\n\n" + "".join(f"- 09:10 {case.text}\n" for case in lines),
        "working/w.md": "# W\n\n" + bullets, "inbox.md": "# Inbox\n\n" + "".join(f"- {across(case)}\n" for case in lines),
    })
    line = "".join(f"- {across(case)}\n- {case.text}\n" for case in lines)
    jonggrang_store(root / "phone", **{
        "MEMORY.md": f"---\nscope: project\ntags: []\n---\n\n## {texts[0]}\n\n{line}",
        ".output/features/counts/MEMORY.md": feature_memory(facts=line, promotion=line + bullets),
        ".output/features/counts/progress.txt": line,
        ".ephemeral/memory/fragments/counts/task-001-2026-11-01T10-15-00Z.md": f"{texts[0]}\n\n{bullets}",
        ".ephemeral/memory/archive/counts/2026-11-02/task-001-2026-11-01T10-15-00Z.md": line,
    })
    git_repo(root)
    put(root, f"{MEMORY}/changelog.md", "# Log\n\n" + bullets)
    return root


@pytest.mark.parametrize("words", sampled(LISTS, 4), ids=" ".join)
def test_no_list_repeats_a_value(
    workspace: Path, words: tuple[str, ...], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    ran = Here(workspace, capsys, monkeypatch)(*words)
    assert ran.code in (0, 1), ran.err
    said = ran.out + ran.err
    assert [case.name for case in CASES if any(part in said for part in parts(case))] == []
    keys = [case for case in CASES if case.rule == SECRET and len(case.value) >= 24 and "\n" not in case.value]
    assert [case.name for case in keys if case.value[: len(case.value) // 2 - 1] in said] == []
    if words[0] in ("inbox", "entries"):
        assert "***" in said


@pytest.mark.slow
def test_what_stands_around_the_diffs_of_proposals_repeats_no_value(
    workspace: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    ran = Here(workspace, capsys, monkeypatch)("prune", "--store", TIERS)
    assert ran.code in (0, 1), ran.err
    said = "\n".join(line for line in ran.out.split("\n") if not line.lstrip().startswith("│")) + ran.err
    assert [case.name for case in CASES if any(part in said for part in parts(case))] == []
    assert "***" in said


@pytest.fixture
def here(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Here:
    """A store in which a key stands in a constraint, and an address in a candidate."""
    custodian_store(tmp_path, constraints=f"# C\n\n- Deploys use {KEY}\n", inbox=f"# Inbox\n\n- Ask {MAIL} about deploys\n")
    return Here(git_repo(tmp_path), capsys, monkeypatch)


@pytest.mark.parametrize(("words", "value"), [
    (("pack", "--task", "implementation"), KEY),
    (("recall", "deploys"), KEY),
    (("recall", "deploys", *JSON), KEY),
    (("strike", "CONSTRAINT", "--reason", "Keyless now.", "--dry-run"), KEY),
    (("reject", "CANDIDATE", "--dry-run"), MAIL),
])  # fmt: skip
def test_what_is_exact_warns_on_stderr_without_the_value(here: Here, words: Sequence[str], value: str) -> None:
    ids = {"CONSTRAINT": here.id(KEY), "CANDIDATE": here.id(MAIL)}
    ran = here(*(ids.get(word, word) for word in words))
    assert ran.code == 0, ran.err
    assert value in ran.out
    assert "holds what looks like a secret or example value" in ran.err
    assert value not in ran.err


def test_the_history_shows_a_diff_exactly_with_a_warning_and_lists_it_masked(here: Here) -> None:
    assert here("strike", here.id(KEY), "--reason", "Keyless now.", "--yes", "--as", "kim").code == 0
    listed = here("history")
    assert (KEY in listed.out, "***" in listed.out) == (False, True)
    ident = listed.out.split()[0]
    ran = here("history", "--show", ident)
    assert KEY in ran.out
    assert KEY not in ran.err
    assert "secret or example value" in ran.err


@pytest.mark.parametrize("value", [KEY, MAIL])
def test_a_refused_write_names_the_rule_and_not_the_value(here: Here, value: str) -> None:
    for more in ([], [*JSON]):
        ran = here("add", f"Deploys now use {value}", *more)
        assert ran.code == 1
        assert value not in ran.out + ran.err
        assert "memdesk: allow" in ran.out + ran.err


def test_an_allowed_value_is_written_and_stays_masked_in_lists(here: Here) -> None:
    text = f"Questions go to {MAIL}, a role account <!-- memdesk: allow example-value a role account -->"
    assert here("add", text).code == 0
    ran = here("inbox")
    assert ran.out.count("***") == 2
    assert MAIL not in ran.out + here("history").out
    found = here("--check", *JSON).json["findings"]
    assert [finding["line"] for finding in found if finding["rule"] == "example-value"] == [3]
    assert not [finding for finding in found if finding["rule"] == "allow-unused"]
