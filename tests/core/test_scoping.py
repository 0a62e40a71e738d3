"""A recall from within a feature, a task and a phase: what stays out and is named, what comes first, what binds anyway."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from memdesk.core.errors import UsageError
from memdesk.core.recall import Bounds, Recall, recall
from memdesk.core.scoping import NOWHERE, PHASES, Within, read
from tests.core.test_recall import HOME, TODAY, WIDE
from tests.support.stores import STANDARD, feature_memory, fragment, manifest
from tests.support.trees import workspace

FEATURES = ".jonggrang/.output/features"
FRAGMENTS = ".jonggrang/.ephemeral/memory/fragments"
ARCHIVE = ".jonggrang/.ephemeral/memory/archive"


FILES: Mapping[str, str] = {
    ".jonggrang/MEMORY.md": (
        "---\nscope: project\ntags: []\nupdated_at: 2026-11-01T00:00:00Z\n---\n\n## Conventions\n\n- Every kestrel is ringed.\n"
    ),
    f"{FEATURES}/auth/MEMORY.md": feature_memory(
        "auth", facts="- A kestrel token lasts an hour.",
        lessons="- The kestrel middleware hides errors. (from task-002, 2026-11-18)", open="- Who owns the kestrel key?",
    ),
    f"{FEATURES}/auth/jonggrang-tasks.json": '{"tasks": [{"id": "task-009", "title": "Not begun"}]}',
    f"{FEATURES}/billing/MEMORY.md": feature_memory("billing", facts="- A kestrel invoice has a number."),
    f"{FRAGMENTS}/auth/task-001-2026-11-28T10-15-00Z.md": fragment(facts="- The kestrel cookie is signed."),
    f"{FRAGMENTS}/auth/task-002-2026-11-29T10-15-00-250Z.md": "A kestrel session ends at midnight.\n",
    f"{FRAGMENTS}/billing/task-001-2026-11-28T10-15-00Z.md": "A kestrel refund takes a week.\n",
    f"{ARCHIVE}/auth/2026-11-20/task-002-2026-11-10T10-15-00Z.md": "- Kestrel: archived, and compacted.\n",
}
CUSTODIAN = {
    **{f"{HOME}/{name}": text for name, text in STANDARD.items()}, f"{HOME}/manifest.md": manifest(),
    f"{HOME}/constraints.md": "# Constraints\n\n- The kestrel key never leaves the vault.\n",
}


def asked(within: Within = NOWHERE, query: str = "kestrel", bounds: Bounds = WIDE, **files: str) -> Recall:
    return recall(workspace({**FILES, **files}), query, today=TODAY, bounds=bounds, within=within)


def texts(made: Recall) -> list[str]:
    return [source.entry.text.lstrip("- ") for source in made.sources]


def test_a_feature_s_own_the_project_s_and_other_stores_stay_in_and_other_features_are_named() -> None:
    made = asked(Within("auth"), **CUSTODIAN)
    for word in ("vault", "ringed", "token", "middleware", "owns", "cookie", "midnight"):
        assert sum(word in text for text in texts(made)) == 1, word
    assert len(made.sources) == 7
    out = [(item.entry.path, item.reason) for item in made.left_out if "feature" in item.reason]
    assert sorted(out) == [
        (f"{FRAGMENTS}/billing/task-001-2026-11-28T10-15-00Z.md", "of another feature: billing"),
        (f"{FEATURES}/billing/MEMORY.md", "of another feature: billing"),
    ]
    assert len(asked(**CUSTODIAN).sources) == 9, "without a feature all of them are asked"


def test_what_binds_is_told_however_narrow_the_scope() -> None:
    made = asked(Within("auth", "task-002"), bounds=Bounds(1, 2000), **CUSTODIAN)
    assert len(made.sources) == 1
    assert [entry.text for entry in made.binding] == ["- The kestrel key never leaves the vault."]


def test_a_task_s_own_come_first_compacted_ones_too() -> None:
    for within in (Within("auth", "task-002"), Within(task="task-002")):
        first = asked(within)
        assert sorted("midnight" in text for text in texts(first)[:2]) == [False, True]
        assert sorted("middleware" in text for text in texts(first)[:2]) == [False, True]
    assert "cookie" in texts(asked(Within("auth", "task-001")))[0], "and not that of another feature"
    assert len(asked(Within("auth", "task-009")).sources) == len(asked(Within("auth")).sources), "one that found nothing yet"


@pytest.mark.parametrize(
    ("phase", "first"), [("plan", "token"), ("work", "middleware"), ("review", "owns")],
)
def test_a_phase_weighs_sections_and_drops_nothing(phase: str, first: str) -> None:
    one = {f"{FEATURES}/auth/MEMORY.md": feature_memory(
        "auth", facts="- A kestrel lasts long: token", lessons="- A kestrel hides it: middleware",
        open="- A kestrel is whose: owns",
    )}
    favoured = {"plan": {"token"}, "work": {"token", "middleware"}, "review": {"middleware", "owns"}}[phase]
    made = asked(Within("auth", phase=phase), **one)
    order = [word for text in texts(made) for word in ("token", "middleware", "owns") if text.endswith(f": {word}")]
    assert set(order[: len(favoured)]) == favoured
    assert first in favoured
    assert sorted(texts(made)) == sorted(texts(asked(Within("auth"), **one)))


def test_what_answers_much_better_comes_before_what_a_phase_favours() -> None:
    found = asked(Within("auth", phase="review"), "cookie signed middleware")
    assert "cookie" in texts(found)[0]


def test_archived_fragments_are_named_and_not_returned() -> None:
    made = asked(Within("auth"), "archived")
    assert made.sources == ()
    assert [item.reason for item in made.left_out] == ["archived"]


@pytest.mark.parametrize(
    ("within", "message", "remedy"),
    [
        (Within("aut"), "There is no feature 'aut'.", "Did you mean auth? Known: auth, billing."),
        (Within("AUTH"), "There is no feature 'AUTH'.", "Known: auth, billing."),
        (Within("auth", "task-01"), "There is no task 'task-01' of auth.", "Known: task-001, task-002, task-009."),
        (Within("billing", "task-002"), "There is no task 'task-002' of billing.", "Known: task-001."),
        (Within(task="x"), "There is no task 'x'.", "Known: task-001, task-002, task-009."),
        (Within(phase="works"), "There is no phase 'works'.", "Did you mean work? Known: plan, work, review."),
    ],
)
def test_what_is_not_there_is_refused_with_what_is(within: Within, message: str, remedy: str) -> None:
    with pytest.raises(UsageError) as caught:
        asked(within)
    assert caught.value.message == message
    assert (caught.value.remedy or "").endswith(remedy)


def test_many_features_are_named_up_to_a_bound() -> None:
    many = {f"{FEATURES}/part-{number:02}/MEMORY.md": feature_memory(f"part-{number:02}") for number in range(30)}
    with pytest.raises(UsageError) as caught:
        asked(Within("zzz"), **many)
    assert (caught.value.remedy or "").endswith(", and 12 more.")


def test_a_store_without_features_cannot_be_asked_from_within_one() -> None:
    there = workspace(CUSTODIAN)
    for within, option in ((Within("auth"), "--feature"), (Within(task="t"), "--task-id"), (Within(phase="plan"), "--phase")):
        with pytest.raises(UsageError, match=f"{option} is for stores that keep memory by feature"):
            recall(there, "kestrel", today=TODAY, within=within)


def test_the_words_of_a_query_that_narrow_it() -> None:
    assert read("feature:auth kestrel phase:plan key") == ("kestrel key", Within("auth", "", "plan"))
    assert read("TASK:task-001 task-id:task-002") == ("", Within("", "task-002", ""))
    assert read("src/app.py: what: http://x feature:") == ("src/app.py: what: http://x feature:", NOWHERE)
    assert PHASES == ("plan", "work", "review")
