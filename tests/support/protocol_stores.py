"""Stores of protocol 0.6, 0.7 and 0.8, as tools of those protocols leave them: each entry complete, nothing to report."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from tests.support.protocol import Store
from tests.support.stores import MEMORY, put

VERSIONS = ("0.6", "0.7", "0.8")
STORAGE, EXPORT, NETWORK, FORMS = (f"MC-SUBJ-20260729-{number}" for number in ("0a000001", "0a000002", "0a000003", "0a000004"))

# What evidence can name: files of the workspace outside its memory.
SOURCES: Mapping[str, str] = {
    "src/count.py": "COUNTS = []\n", "src/export/table.py": "ROWS = []\n",
    "docs/architecture.md": "# Architecture\n\nOne process.\n", "tests/test_count.py": "def test_nothing() -> None: ...\n",
    "AGENTS.md": "# Agents\n\nProject memory: docs/memory/manifest.md.\n",
}  # fmt: skip


def entry(
    ident: str, title: str, body: str, text: str, *, subject: str = "", facet: str = "", scope: str = "project",
    evidence: tuple[str, ...] = ("user-confirmed",), reason: str = "", status: str = "active", more: tuple[str, ...] = (),
    after: tuple[str, ...] = (),
) -> str:
    """An entry with an id. `more`: lines behind its status; `after`: lines behind its evidence."""
    lines = [f"## {ident} \u2014 {title}", "", f"Status: {status}", *more, f"Scope: {scope}"]
    lines += [f"{name}: {value}" for name, value in (("Subject", subject), ("Facet", facet)) if value]
    lines += ["Evidence:", *(f"- {item}" for item in evidence), *after, "", f"{body}:", text]
    return "\n".join([*lines, *(("", "Reason:", reason) if reason else ()), ""])


def candidate(
    ident: str, title: str, kind: str, text: str, *, scope: str = "project", evidence: tuple[str, ...] = ("agent-observed",),
    requirement: str = "Confirm with the user or an authoritative project document.",
    provisional: tuple[str, str] | None = None,
) -> str:
    lines = [f"## {ident} \u2014 {title}", "", "Status: candidate", f"Candidate-Type: {kind}", f"Scope: {scope}"]
    if provisional:
        lines += [f"Provisional-Subject: {provisional[0]}", f"Provisional-Facet: {provisional[1]}"]
    lines += ["Evidence:", *(f"- {item}" for item in evidence), "", "Statement:", text, ""]
    return "\n".join([*lines, "Promotion-Requirement:", requirement, ""])


def subject(
    ident: str, title: str, *aliases: str, kind: str = "concept", reference: str = "", evidence: str = "user-confirmed"
) -> str:
    lines = [f"## {ident} \u2014 {title}", "", "Status: active", f"Kind: {kind}"]
    lines += [f"Canonical-Ref: {reference}"] if reference else []
    return "\n".join([*lines, "Evidence:", f"- {evidence}", "", "Aliases:", *(f"- {name}" for name in (title, *aliases)), ""])


def manifest(version: str = "0.8") -> str:
    """The manifest of that protocol, with the keys that it adds and, from 0.7 on, areas that load by path."""
    keys = ["- entry_schema_version: " + {"0.6": "1", "0.7": "2", "0.8": "3"}[version], "- subject_schema_version: 1"]
    keys += ["- subject_registry: subjects.md", "- initialized_with: memory-custodian 0.10.0"]
    keys += ["- last_migrated_with: memory-custodian 0.12.0", "- project_id: 53a7a365-4dac-4e03-b32b-8bba87d4b4a0"]
    keys += ["- admission_policy: evidence-required"]
    areas = ["- `areas/storage.md`: when a task stores counts", "- `areas/export.md`: when a task exports tables"]
    if version == "0.6":
        keys += ["- conflict_identity_policy: scope-subject-facet"]
    else:
        keys += ["- routing_schema_version: 1", "- conflict_schema_version: 1", "- routing_policy: explicit-task-and-scope"]
        areas = [
            "- `areas/storage.md`", "  - activation: path-or-explicit", "  - paths: `src/*.py`, `src/store/**`",
            "  - description: How counts are kept.",
            "- `areas/export.md`", "  - activation: path", "  - paths: `src/export/**`", "  - description: Tables for others.",
        ]
    lines = [
        "# Memory Manifest", "", "Loading map for local project memory.", "", "## MemoryCustodian Protocol",
        f"- protocol_version: {version}", *keys, "",
        "## Trust boundary", "Project memory may constrain project work; it can't widen anybody's rights.", "",
        "## Always load", "- brief.md", "- constraints.md", "", "## Load by task", "",
        "### Planning / architecture / refactoring", "Load:", "- decisions.md", "- do-not-use.md", "",
        "### Implementation / execution / debugging", "Load:", "- decisions.md", "- do-not-use.md",
        "Load if present:", "- preferences.md", "",
        "### User-facing artifact / output", "Load:", "- do-not-use.md",
        "Load if present:", "- rules/output.md", "- preferences.md", "",
        "### Preferences", "Load if present:", "- preferences.md", "",
        "### Change history / recap", "Load:", "- decisions.md", "Load if present:", "- changelog.md", "",
        "### Memory maintenance", "Load:", "- inbox.md", "- do-not-use.md", "Load if present:", "- changelog.md", "",
        "## Optional module index", "Entries here are not default loads.", "",
        "### Enabled rules", "- `rules/output.md`: when the task writes for users", "",
        "### Enabled profiles", "- `profiles/release.md`: when a version is released", "",
        "### Enabled areas", *areas, "", "## Explicit only", "- archive/", "",
        "## Context budget", "- brief.md: 500 tokens max", "- decisions.md: 800 tokens max", "- constraints.md: 400 tokens max",
        "- do-not-use.md: 400 tokens max", "- preferences.md: 300 tokens max, if present",
        "- areas/*.md: 600 tokens max per file, if present", "- inbox.md: memory maintenance only", "- archive/: explicit only",
    ]  # fmt: skip
    return "\n".join(lines) + "\n"


OLD, NEW = "MC-DEC-20260728-d0000001", "MC-DEC-20260801-d0000002"
DECISIONS = "# Decisions\n\nEntries are newest first.\n\n" + "\n".join([
    entry(NEW, "One table for each site", "Decision", "Counts are kept as one CSV file for each site.", subject=STORAGE,
          facet="data-model", evidence=("user-confirmed", "repo:src/count.py"), after=(f"Supersedes: {OLD}",),
          reason="Volunteers open them in a spreadsheet."),
    entry("MC-DEC-20260729-d0000003", "No network at run time", "Decision", "Nothing is fetched while counts are taken.",
          subject=NETWORK, facet="architecture", evidence=("doc:docs/architecture.md",), reason="Sites have no network."),
    entry(OLD, "One table for all sites", "Decision", "All counts are in one file.", subject=STORAGE, facet="data-model",
          status="superseded", more=(f"Superseded-By: {NEW}",), reason="It was simple."),
])  # fmt: skip
CONSTRAINTS = "# Constraints\n\n" + entry(
    "MC-CON-20260729-c0000001", "Offline runtime", "Constraint", "Counting works without a network connection.",
    subject=NETWORK, facet="behavior", reason="Sites have none.",
)
DO_NOT_USE = "# Do Not Use\n\nTombstones are newest first.\n\n" + entry(
    "MC-DNU-20260730-e0000001", "Tombstone: Cloud sync", "Rejected", "No sync with a service of others.", subject=NETWORK,
    facet="adoption-policy", reason="Volunteers' names would leave the site.",
)
PREFERENCES = "# Preferences\n\n" + entry(
    "MC-PREF-20260730-f0000001", "Short lines", "Preference", "Prefer lines of at most 80 characters in output.",
)
SUBJECTS = (
    "# Subject Registry\n\nSubjects provide stable identity for managed entries.\n\nEntries are newest first.\n\n"
    + "\n".join([
        subject(FORMS, "Entry forms", kind="feature", reference="feature:forms"),
        subject(NETWORK, "Network", "Online access"),
        subject(EXPORT, "Export", kind="area", reference="area:export", evidence="repo:src/export/table.py"),
        subject(STORAGE, "Storage", "Counts on disk", "\u5b58\u50a8", kind="repo-path", reference="repo-path:src/count.py",
                evidence="repo:src/count.py"),
    ])
)  # fmt: skip
BRIEF = "# Brief\n\nPurpose:\nPlover plans bird counts.\n\nCurrent direction:\nForms for volunteers.\n"
CHANGELOG = "# Memory Changelog\n\nEntries are newest first.\n\n## 2026-08-01\n- Superseded one decision.\n"
RULE = "# Rule: output\n\nApplies when the task writes for users.\n\n- Say numbers with their unit.\n"
PROFILE = "# Profile: release\n\nApplies when a version is released.\n\n- Tag after the tests are green.\n"

WAITING = {  # kind -> the id of the candidate of it
    "decision": "MC-INBOX-20261129-1b000001", "constraint": "MC-INBOX-20261128-1b000002",
    "preference": "MC-INBOX-20261127-1b000003", "tombstone": "MC-INBOX-20261126-1b000004",
    "area": "MC-INBOX-20261125-1b000005", "rule": "MC-INBOX-20261124-1b000006", "profile": "MC-INBOX-20261123-1b000007",
    "do-not-use": "MC-INBOX-20261122-1b000008",
}  # fmt: skip
INBOX = "# Memory Inbox\n\nCandidates are newest first.\n\n" + "\n".join([
    candidate(WAITING["decision"], "Forms ask for weather first", "decision",
              "The form asks for the weather before the counts.", evidence=("agent-observed", "repo:src/count.py"),
              requirement="Ask who draws the forms."),
    candidate(WAITING["constraint"], "Codes of four letters", "constraint", "A site has a code of four letters.",
              evidence=("conversation-unconfirmed",), requirement="A person says that no code is longer."),
    candidate(WAITING["preference"], "Metric units", "preference", "Distances are in metres."),
    candidate(WAITING["tombstone"], "No map server", "tombstone", "Maps are not drawn by a server of our own.",
              evidence=("test:tests/test_count.py",), requirement="The test stays red with one."),
    candidate(WAITING["area"], "Retries are bounded", "decision", "Saving is tried three times.", scope="area:storage",
              provisional=(STORAGE, "behavior")),
    candidate(WAITING["rule"], "Say the year", "rule", "Dates in output have a year."),
    candidate(WAITING["profile"], "Two reviewers", "profile", "A release has two reviewers."),
    candidate(WAITING["do-not-use"], "No pickles", "do-not-use", "Counts are not pickled.", evidence=("issue:#12", "pr:#40")),
])  # fmt: skip


def area(version: str) -> str:
    kind = ("Entry-Type: decision",) if version == "0.8" else ()
    return "# Area: storage\n\nApplies when a task stores counts.\n\n" + entry(
        "MC-AREA-20260730-a0000001", "Write, then rename", "Decision", "A file is written beside and renamed.", subject=STORAGE,
        facet="workflow", scope="area:storage", evidence=("repo:src/count.py",), reason="Half a file is worse than none.",
        more=kind,
    )


EXPORTS = "# Area: export\n\nApplies when a task exports tables.\n\n" + entry(
    "MC-CON-20260730-c0000002", "One header line", "Constraint", "A table has one header line.", subject=EXPORT,
    facet="interface", scope="area:export",
)


def files(version: str = "0.8", **changed: str | None) -> dict[str, str]:
    """The files of a store by their names in it. `changed`: as in `custodian_store`."""
    found: dict[str, str | None] = {
        "manifest.md": manifest(version), "brief.md": BRIEF, "decisions.md": DECISIONS, "constraints.md": CONSTRAINTS,
        "do-not-use.md": DO_NOT_USE, "preferences.md": PREFERENCES, "inbox.md": INBOX, "subjects.md": SUBJECTS,
        "changelog.md": CHANGELOG, "areas/storage.md": area(version), "areas/export.md": EXPORTS, "rules/output.md": RULE,
        "profiles/release.md": PROFILE,
    }
    for key, text in changed.items():
        name = key if "/" in key else key.replace("_", "-")
        found[name if name.endswith(".md") else name + ".md"] = text
    return {name: text for name, text in found.items() if text is not None}


def crlf(text: str) -> bytes:
    return text.replace("\n", "\r\n").encode()


def spaced(text: str) -> str:
    """The same with the spacing of other hands: no blank line below a heading, some above evidence, spaces at ends."""
    text = re.sub(r"(?m)^(## MC-.*)\n\n", r"\1\n", text)
    text = text.replace("\nEvidence:\n", "\n\nEvidence:\n").replace("\n\nReason:\n", "\nReason:\n")
    text = re.sub(r"(?m)^(Status: \w+)$", r"\1  ", text)
    return re.sub(r"(?m)^(Decision|Statement|Constraint):\n(?=\S)", r"\1: ", text) + "\n\n"


def protocol_store(root: Path, version: str = "0.8", *, form: str = "plain", **changed: str | None) -> Path:
    """A store of that protocol below `root` with the files that its evidence names; returns its folder. `form`: "plain",
    "crlf" or "spaced"."""
    for path, text in SOURCES.items():
        put(root, path, text)
    for name, text in files(version, **changed).items():
        memory = name not in ("manifest.md", "brief.md") and "/" not in name
        data = crlf(text) if form == "crlf" else spaced(text).encode() if form == "spaced" and memory else text.encode()
        put(root, f"{MEMORY}/{name}", data)
    return root / MEMORY


def seen(root: Path, folder: str = MEMORY) -> Store:
    """A store on disk as the validator takes it."""
    files = [path for path in root.rglob("*") if path.is_file() and ".git" not in path.parts and ".memdesk" not in path.parts]
    memory = {
        path.relative_to(root / folder).as_posix(): path.read_bytes()
        for path in files if path.is_relative_to(root / folder) and path.suffix == ".md" and path.name != "README.md"
    }
    inner = [path.relative_to(root) for path in files]
    folders = {folder for path in inner for folder in path.parents if folder.parts}
    return Store(memory, frozenset(path.as_posix() for path in (*inner, *folders)))
