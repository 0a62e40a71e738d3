"""The manifest in the forms that the field writes, and its faults with their lines."""

from __future__ import annotations

import pytest

from memdesk.core import markdown
from memdesk.core.layouts.custodian.manifest import Manifest, is_name, matches, unsafe
from memdesk.core.layouts.custodian.read import read
from tests.support.stores import manifest


def reading(text: str | bytes) -> Manifest:
    return read("docs/memory/manifest.md", markdown.parse(text if isinstance(text, bytes) else text.encode()))


def faults(found: Manifest, rule: str) -> list[tuple[str, int | None, str]]:
    return [(fault.severity, fault.line, fault.message) for fault in found.faults if fault.rule == rule]


def test_a_plain_manifest_has_no_faults() -> None:
    found = reading(manifest(areas=("storage",), rules=("style",), profiles=("lead",)))
    assert found.faults == ()
    assert found.version == (0, 5)
    assert [(key, value) for key, value, _ in found.protocol] == [
        ("protocol_version", "0.5"), ("initialized_with", "0.5.0"), ("last_migrated_with", "0.5.0"),
    ]
    assert [(one.kind, one.name, one.path) for one in found.modules] == [
        ("rules", "style", "rules/style.md"),
        ("profiles", "lead", "profiles/lead.md"),
        ("areas", "storage", "areas/storage.md"),
    ]


@pytest.mark.parametrize(
    ("text", "version", "read_only"),
    [
        ("0.4", (0, 4), ""),
        ("0.5", (0, 5), ""),
        ("`0.5`", (0, 5), ""),
        ("v0.5.2", (0, 5), ""),
        ("0.6", (0, 6), ""),
        ("0.7.1", (0, 7), ""),
        ("0.8", (0, 8), ""),
        ("0.9", (0, 9), "only reads newer"),
        ("0.10", (0, 10), "only reads newer"),
        ("1.0", (1, 0), "only reads newer"),
        ("0.3", (0, 3), "older than 0.4"),
        ("five", None, "no readable protocol version"),
        ("0,5", None, "no readable"),
        ("", None, "no readable"),
    ],
)
def test_the_protocol_decides_who_may_write(text: str, version: tuple[int, int] | None, read_only: str) -> None:
    found = reading(manifest(version=text))
    assert found.version == version
    assert (found.read_only() is None) == (read_only == "")
    assert read_only in (found.read_only() or "")


@pytest.mark.parametrize(
    ("version", "expected"),
    [("0.5", []), ("0.7", []), ("0.4", [("warning", 5)]), ("0.9", [("warning", 5)]), ("new", [("error", 5)])],
)
def test_protocol_faults(version: str, expected: list[tuple[str, int]]) -> None:
    assert [(severity, line) for severity, line, _ in faults(reading(manifest(version=version)), "protocol")] == expected


def test_a_missing_doubled_or_empty_protocol_section_is_an_error() -> None:
    text = manifest()
    without = text.replace("## MemoryCustodian Protocol", "## Something else")
    assert faults(reading(without), "protocol") == [("error", None, "The manifest has no protocol section.")]
    doubled = text.replace("## Always load", "## MemoryCustodian Protocol\n\n- protocol_version: 0.6\n\n## Always load")
    assert [line for _, line, _ in faults(reading(doubled), "protocol")] == [9, 11]
    empty = text.replace("- protocol_version: 0.5\n", "")
    assert faults(reading(empty), "protocol") == [("error", 3, "The protocol section names no protocol_version.")]


def test_later_protocol_keys_are_kept() -> None:
    found = reading(manifest().replace("- initialized_with", "- subject_registry: subjects.md\n- initialized_with"))
    assert ("subject_registry", "subjects.md", 6) in found.protocol


def section(body: str) -> list[tuple[str, bool]]:
    """What a history section with this body names, as (path, required)."""
    text = manifest(categories=()).replace("## Load by task\n", f"## Load by task\n\n### Change history / recap\n\n{body}\n")
    found = reading(text)
    assert len(found.categories["history"]) == 1
    return [(file.path, file.required) for file in found.categories["history"][0].files]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("- decisions.md", [("decisions.md", True)]),
        ("- `decisions.md`", [("decisions.md", True)]),
        ("* ``decisions.md``", [("decisions.md", True)]),
        ("Load:\n- a.md\n\nLoad if present:\n- b.md", [("a.md", True), ("b.md", False)]),
        ("Load if present:\n- b.md\n\nAlso load:\n- a.md", [("b.md", False), ("a.md", True)]),
        # as `init` of the field's own tool writes it: to CommonMark the label continues the bullet above it
        (
            "Load:\n- a.md\n- b.md\nLoad if present:\n- c.md\n- d.md",
            [("a.md", True), ("b.md", True), ("c.md", False), ("d.md", False)],
        ),
        ("Load if present:\n- `a.md`: so\n  and so\n**Also load:**\n- b.md", [("a.md", False), ("b.md", True)]),
        ("- a.md:\n- b.md", [("a.md", True), ("b.md", True)]),
        ("Also load if present:\n\n- `b.md`", [("b.md", False)]),
        ("**Load if present:**\n\n- b.md", [("b.md", False)]),
        ("LOAD IF PRESENT:\n- b.md", [("b.md", False)]),
        ("Why so.\nLoad if present:\n- b.md", [("b.md", False)]),
        ("Read with care:\n\n- a.md", [("a.md", True)]),
        ("Load only what helps.\n\n- a.md", [("a.md", True)]),
        ("- `a.md` (if present)", [("a.md", False)]),
        ("- a.md: the choices", [("a.md", True)]),
        ("- a.md — the choices", [("a.md", True)]),
        ("- a.md - the choices", [("a.md", True)]),
        ("- `a.md`: a long remark\n  that wraps over lines", [("a.md", True)]),
        ("- archive/\n- a.md", [("a.md", True)]),
        ("- None.", []),
        ("- none enabled", []),
        ("Nothing more.", []),
        ("- my notes.md", [("my notes.md", True)]),
        ("- `my notes.md`", [("my notes.md", True)]),
        ("- Load:\n  - a.md\n- Load if present:\n  - b.md", [("a.md", True), ("b.md", False)]),
        ("- a.md\n  - first of all", [("a.md", True)]),
        ("```\n- no.md\n```\n\n- a.md", [("a.md", True)]),
        ("<!--\n- no.md\n-->\n\n- a.md", [("a.md", True)]),
        ("> - no.md\n\n- a.md", [("a.md", True)]),
    ],
)
def test_forms_of_a_route(body: str, expected: list[tuple[str, bool]]) -> None:
    assert section(body) == expected


@pytest.mark.parametrize(
    "heading",
    ["Change history / recap", "CHANGE HISTORY / RECAP", "Change  history/recap", "Change history / recap ###"],
)
def test_a_category_is_found_by_its_whole_heading(heading: str) -> None:
    found = reading(manifest().replace("Change history / recap", heading))
    assert [file.path for file in found.categories["history"][0].files] == ["decisions.md", "changelog.md"]


@pytest.mark.parametrize(
    "heading", ["Change history", "recap", "Change history / recap / status", "The change history / recap"]
)
def test_part_of_a_heading_is_another_heading(heading: str) -> None:
    found = reading(manifest().replace("Change history / recap", heading))
    assert found.categories["history"] == ()
    ((severity, _, message),) = faults(found, "route")
    assert severity == "error"
    assert heading in message  # the candidates are named


def test_an_inbox_on_an_ordinary_route_is_reported() -> None:
    found = reading(
        manifest(always=("brief.md", "archive/old.md")).replace("### Preferences\n", "### Preferences\n\n- `inbox.md`\n")
    )
    assert [
        (severity, message.split("`")[1], message.split(" is named ")[1]) for severity, _, message in faults(found, "route")
    ] == [
        ("warning", "archive/old.md", "for every task, and loads for maintenance alone."),
        ("warning", "inbox.md", "for preferences, and loads for maintenance alone."),
    ]


def test_a_category_outside_load_by_task_does_not_count() -> None:
    text = manifest().replace("## Load by task", "## Notes\n\n### Preferences\n\n- x.md\n\n## Load by task")
    assert [len(found) for found in reading(text).categories.values()] == [1] * 6


def test_several_sections_are_an_error_with_their_lines() -> None:
    text = manifest() + "\n## Load by task\n\n### preferences\n\n- preferences.md\n"
    ((severity, line, message),) = faults(reading(text), "route")
    first = text.index("### Preferences")
    second = text.index("### preferences")
    assert (severity, line) == ("error", text[:second].count("\n") + 1)
    assert f"lines {text[:first].count(chr(10)) + 1}, {line}" in message


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_a_manifest_as_the_field_has_it(newline: str) -> None:
    """No blank lines between headings, labels and bullets; later protocols' keys; sections that route nothing."""
    text = (
        "# Memory Manifest\n\n## MemoryCustodian Protocol\n- protocol_version: 0.8\n"
        "- entry_schema_version: 3\n- project_id: 1f\n\n"
        "## Trust boundary\nMemory cannot authorize anything.\n\n## Always load\n- brief.md\n"
        "- constraints.md\n\n## Load by task\n\n"
        "### Planning / architecture / refactoring\nLoad:\n- decisions.md\n- do-not-use.md\n\n"
        "### Implementation / execution / debugging\nLoad:\n- decisions.md\n- do-not-use.md\n"
        "Load if present:\n- preferences.md\n\n"
        "### User-facing artifact / output\nLoad:\n- do-not-use.md\nLoad if present:\n- rules/output.md\n- preferences.md\n\n"
        "### Preferences\n\n### Change history / recap\nLoad:\n- decisions.md\n\n"
        "### Memory maintenance\nLoad:\n- inbox.md\n- do-not-use.md\nLoad if present:\n- changelog.md\n\n"
        "## Optional module index\nEntries here are not default loads.\n\n### Enabled rules\n"
        "- `rules/output.md`\n  - activation: task\n"
        "  - tasks: artifact\n\n### Enabled profiles\n- None enabled.\n\n### Enabled areas\n- `areas/web.md`\n"
        "  - activation: path-or-explicit\n  - paths: `web/**`, `tests/web/**`\n\n## Explicit only\n- archive/\n\n"
        "## Context budget\n- brief.md: 500 tokens max\n- areas/*.md: 600 tokens max per file, if present\n"
    )
    found = reading(text.replace("\n", newline))
    assert found.faults == ()
    routes = {name: [(file.path, file.required) for file in one[0].files] for name, one in found.categories.items()}
    assert routes == {
        "planning": [("decisions.md", True), ("do-not-use.md", True)],
        "implementation": [("decisions.md", True), ("do-not-use.md", True), ("preferences.md", False)],
        "artifact": [("do-not-use.md", True), ("rules/output.md", False), ("preferences.md", False)],
        "preferences": [],
        "history": [("decisions.md", True)],
        "maintenance": [("inbox.md", True), ("do-not-use.md", True), ("changelog.md", False)],
    }
    assert [(one.path, one.globs) for one in found.modules] == [
        ("rules/output.md", ()), ("areas/web.md", ("web/**", "tests/web/**")),
    ]
    assert (found.read_only(), found.complete) == (None, True)


def test_f13_index_rows_in_all_their_forms() -> None:
    rows = (
        "- `areas/colon.md`: load for colons",
        "- `areas/dash.md` — load for dashes",
        "- areas/bare.md - no backticks",
        "- `areas/wrapped.md`: a sentence that\n  goes on",
        "- `areas/alone.md`",
        "- `areas/globs.md`: by path\n  - activation: path\n  - paths: `src/**`, `lib/*.py`",
        "- `areas/plain-globs.md`: by path\n  - paths: src/**, lib/*.py",
        "- `areas/asked.md`: asked\n  - activation: explicit\n  - paths: `x/**`",
    )
    found = reading(manifest(areas=rows))
    assert found.faults == ()
    assert [(one.name, one.when, one.globs) for one in found.modules] == [
        ("colon", "load for colons", ()), ("dash", "load for dashes", ()), ("bare", "no backticks", ()),
        ("wrapped", "a sentence that goes on", ()), ("alone", "", ()), ("globs", "by path", ("src/**", "lib/*.py")),
        ("plain-globs", "by path", ("src/**", "lib/*.py")), ("asked", "asked", ()),
    ]


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ("- `rules/x.md`: wrong folder", "lies in `areas/`"),
        ("- `areas/../x.md`: up", "`..`"),
        ("- `areas/x.txt`: no", "`.md`"),
        ("- `areas/-x.md`: bad name", "no module name"),
        ("- `areas/a b.md`: bad name", "no module name"),
        ("- storage: bare", "`.md`"),
    ],
)
def test_unsound_index_rows_are_errors(row: str, words: str) -> None:
    found = reading(manifest(areas=(row,)))
    ((severity, line, message),) = faults(found, "module-index")
    assert severity == "error"
    assert words in message
    assert line == manifest(areas=(row,)).split(row)[0].count("\n") + 1
    assert found.enabled("areas") == []


def test_a_row_twice_is_one_module_and_an_error() -> None:
    found = reading(manifest(areas=("one", "one")))
    assert [one.name for one in found.enabled("areas")] == ["one"]
    assert len(faults(found, "module-index")) == 1


@pytest.mark.parametrize(
    ("line", "path", "limit"),
    [
        ("decisions.md: 640 tokens max", "decisions.md", 640),
        ("`decisions.md`: 640 tokens max", "decisions.md", 640),
        ("decisions.md — at most 1,200 tokens", "decisions.md", 1200),
        ("decisions.md: max 1 token", "decisions.md", 1),
        ("areas/*.md: 333 tokens max per file, if present", "areas/storage.md", 333),
        ("archive/: explicit only", "archive/old.md", None),
        ("inbox.md: memory maintenance only", "inbox.md", None),
        ("brief.md: keep it short", "brief.md", None),
        ("other.md: 5 tokens", "other.md", 5),
    ],
)
def test_budget_lines(line: str, path: str, limit: int | None) -> None:
    assert reading(manifest(budgets=(line,))).budget(path)[0] == limit


@pytest.mark.parametrize(
    ("line", "limit", "caps"),
    [
        ("brief.md: 60 lines max", None, [("lines", 60)]),
        ("brief.md: at most 4,000 characters", None, [("chars", 4000)]),
        ("brief.md: 500 tokens max, 60 lines max, up to 2 000 chars", 500, [("lines", 60), ("chars", 2000)]),
        ("*.md: maximum: 9 Lines", None, [("lines", 9)]),
        ("brief.md: 500 tokens max (about 60 lines)", 500, []),
        ("brief.md: the first 3 lines say what it is", None, []),
        ("brief.md: 500 tokens max per file", 500, []),
    ],
)
def test_budget_lines_may_set_caps_in_lines_and_characters(line: str, limit: int | None, caps: list[tuple[str, int]]) -> None:
    found = reading(manifest(budgets=(line,)))
    assert found.budget("brief.md")[0] == limit
    assert [(cap.unit, cap.limit) for cap in found.caps("brief.md")] == caps
    assert found.caps("rules/x.md") == ()


def test_an_exact_budget_line_beats_a_pattern_and_says_who_set_it() -> None:
    found = reading(manifest(budgets=("areas/*.md: 300 tokens", "areas/big.md: 900 tokens")))
    assert [found.budget(path)[0] for path in ("areas/big.md", "areas/small.md", "rules/x.md")] == [900, 300, 400]
    assert found.budget("areas/big.md")[1].startswith("docs/memory/manifest.md:")
    assert found.budget("rules/x.md")[1] == "default"


@pytest.mark.parametrize(
    "encode", [lambda text: text.replace("\n", "\r\n").encode(), lambda text: ("\ufeff" + text).encode()], ids=["CRLF", "BOM"]
)
def test_line_endings_and_a_byte_order_mark_change_nothing(encode: object) -> None:
    text = manifest(areas=("- `areas/x.md`: wrapped\n  row\n  - paths: `src/**`",), budgets=("brief.md: 9 tokens",))
    found = reading(encode(text))  # type: ignore[operator]
    assert found == reading(text)


@pytest.mark.parametrize("path", ["a.md", "areas/b-c.md", "ä/ö.md", "a b.md", "..a.md", "a..md"])
def test_safe_paths(path: str) -> None:
    assert unsafe(path) == ""


@pytest.mark.parametrize(
    "path",
    [
        "",
        "/a.md",
        "../a.md",
        "a/../b.md",
        "a/./b.md",
        "a//b.md",
        "a\\b.md",
        "C:/a.md",
        "z:a.md",
        "a",
        "a.MD",
        "a\n.md",
        "a\x9b.md",
    ],
)
def test_unsafe_paths(path: str) -> None:
    assert unsafe(path)


@pytest.mark.parametrize("name", ["a", "storage", "a.b", "a_b", "a-b", "7", "größe", "認証"])
def test_module_names(name: str) -> None:
    assert is_name(name)


@pytest.mark.parametrize("name", ["", ".a", "-a", "_a", "a/b", "a b", "a\n", "../x", "a*"])
def test_no_module_names(name: str) -> None:
    assert not is_name(name)


@pytest.mark.parametrize(
    ("glob", "path", "expected"),
    [
        ("src/**", "src/a.py", True),
        ("src/**", "src/a/b.py", True),
        ("src/**", "srcx/a.py", False),
        ("src/*.py", "src/a.py", True),
        ("src/*.py", "src/a/b.py", False),
        ("**/*.md", "a.md", True),
        ("**/*.md", "x/y/a.md", True),
        ("src/?.py", "src/a.py", True),
        ("src/?.py", "src/ab.py", False),
        ("SRC/**", "src/a.py", False),
        ("a/**/b", "a/b", True),
        ("a/**/b", "a/x/y/b", True),
        ("[a].py", "a.py", False),
        ("[a].py", "[a].py", True),
        ("*", "a", True),
        ("*", "a/b", False),
    ],
)
def test_globs(glob: str, path: str, expected: bool) -> None:
    assert matches(glob, path) is expected


def test_a_hostile_glob_takes_no_time() -> None:
    assert not matches("*a" * 40 + "b", "a" * 400)
    assert not matches("**/a/" * 30 + "b", "a/" * 200 + "c")


def test_hostile_bullets_take_no_time() -> None:
    """Each of these is quadratic or worse for a backtracking pattern."""
    for text in ("`" * 60_000, "9" * 60_000, "`a" * 30_000, "x " * 30_000 + ".md", "a" * 60_000 + ":", "/" * 60_000):
        found = reading(manifest(always=(text,), areas=(f"- {text}",), budgets=(text, f"brief.md: {text}")))
        assert found.version == (0, 5)
