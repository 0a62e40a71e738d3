"""Stores on disk for tests: small, complete and valid ones, to which a test adds the one thing that it is about."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

MEMORY = "docs/memory"

STANDARD: Mapping[str, str] = {
    "brief.md": "# Brief\n\nPlover is a command-line tool that plans bird counts.\n",
    "decisions.md": (
        "# Decisions\n\n"
        "## 2026-05-02 - Store counts as CSV\n\n"
        "Decision:\nCounts are stored as CSV files, one for each site.\n\n"
        "Reason:\nVolunteers open them in a spreadsheet.\n\nScope:\nproject\n"
    ),
    "constraints.md": "# Constraints\n\n- Runs without a network connection.\n",
    "do-not-use.md": (
        "# Do not use\n\n"
        "## Tombstone: Cloud sync\n\n"
        "Do not reintroduce this unless the user explicitly reverses it. Reason: sites have no network. Date: 2026-04-11.\n"
    ),
    "inbox.md": "# Inbox\n\nNo unprocessed memory candidates.\n",
}

CATEGORIES: Sequence[tuple[str, Sequence[str], Sequence[str]]] = (
    ("Planning / architecture / refactoring", ("decisions.md", "do-not-use.md"), ("preferences.md",)),
    ("Implementation / execution / debugging", ("decisions.md", "constraints.md", "do-not-use.md"), ()),
    ("User-facing artifact / output", (), ("preferences.md",)),
    ("Preferences", (), ("preferences.md",)),
    ("Change history / recap", ("decisions.md",), ("changelog.md",)),
    ("Memory maintenance", ("decisions.md", "constraints.md", "do-not-use.md", "inbox.md"), ("changelog.md", "preferences.md")),
)


def manifest(
    *, version: str = "0.5", always: Sequence[str] = ("brief.md",), areas: Sequence[str] = (), rules: Sequence[str] = (),
    profiles: Sequence[str] = (), budgets: Sequence[str] = (),
    categories: Sequence[tuple[str, Sequence[str], Sequence[str]]] = CATEGORIES,
) -> str:
    """A manifest of that protocol version. `areas`, `rules`, `profiles`: names ("storage"), or whole bullets ("- `...").

    `budgets`: lines such as "decisions.md: 800 tokens max". `categories`: (heading, required files, optional files).
    """
    lines = [
        "# Memory manifest", "", "## MemoryCustodian Protocol", "",
        f"- protocol_version: {version}", "- initialized_with: 0.5.0", "- last_migrated_with: 0.5.0", "",
        "## Always load", "", *(f"- `{name}`" for name in always), "", "## Load by task", "",
    ]
    for heading, required, optional in categories:
        lines += [f"### {heading}", ""]
        if required:
            lines += ["Also load:", "", *(f"- `{name}`" for name in required), ""]
        if optional:
            lines += ["Load if present:", "", *(f"- `{name}`" for name in optional), ""]
        if not required and not optional:
            lines += ["Nothing more.", ""]
    lines += ["## Optional module index", ""]
    for folder, names in (("rules", rules), ("profiles", profiles), ("areas", areas)):
        lines += [f"### Enabled {folder}", ""]
        lines += [name if name.startswith("- ") else f"- `{folder}/{name}.md`: when the task touches {name}" for name in names]
        lines += [""] if names else ["- None enabled.", ""]
    lines += ["## Context budget", "", *(f"- {line}" for line in budgets)]
    return "\n".join(lines).rstrip("\n") + "\n"


def put(root: Path, path: str, data: str | bytes) -> Path:
    """Write one file below `root`, its folders included; the text as UTF-8, to the byte."""
    target = root / path
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(data if isinstance(data, bytes) else data.encode("utf-8", "surrogateescape"))
    return target


def custodian_store(
    root: Path, folder: str = MEMORY, *, budgets: Sequence[str] = (), version: str = "0.5", **files: str | bytes | None
) -> Path:
    """A valid custodian store below `root`; returns its folder.

    `files` replace or add: `inbox="..."`, `do_not_use="..."`, `**{"areas/storage": "..."}` (`.md` is added, `_` becomes
    `-` in the core files' names); None leaves a file out. Modules that are given are indexed in the manifest, unless
    `manifest=` is given too.
    """
    content: dict[str, str | bytes | None] = dict(STANDARD)
    for key, data in files.items():
        name = key if "/" in key else key.replace("_", "-")
        content[name if name.endswith(".md") else name + ".md"] = data
    modules: dict[str, list[str]] = {"areas": [], "rules": [], "profiles": []}
    for name, data in content.items():
        kind, slash, module = name.partition("/")
        if slash and data is not None and kind in modules and module != "README.md":
            modules[kind].append(module.removesuffix(".md"))
    content.setdefault("manifest.md", manifest(version=version, budgets=budgets, **modules))  # type: ignore[arg-type]
    for name, data in content.items():
        if data is not None:
            put(root, f"{folder}/{name}", data)
    return root / folder


LINT = (
    '{"index": "MEMORY.md", "tags": ["stated", "observed", "inferred", "suggested"],\n "tiers": {\n'
    '  "rom":  {"files": {"MEMORY.md": {"maxChars": 15000, "maxLines": 400}}, "totalMaxChars": 60000},\n'
    '  "ram":  {"dirs": ["memory/context"], "patterns": ["^memory/\\\\d{4}-\\\\d{2}-\\\\d{2}.*\\\\.md$"], "maxChars": 30000},\n'
    '  "disk": {"dirs": ["memory/people", "memory/projects", "memory/decisions"]},\n'
    '  "tape": {"dirs": ["memory/archive"]}}}\n'
)
FACTS: Mapping[str, str] = {
    "MEMORY.md": (
        "# Index\n\n## People\n\n- `memory/people/ada.md`: who plans the counts; read before a change of dates\n\n"
        "## Projects\n\n- `memory/projects/plover.md`: the counting tool; read when a question is about it\n\n"
        "## Decisions\n\n- `memory/decisions/api.md`: the public API; read before its routes change\n"
    ),
    "memory/people/ada.md": "# Ada\n\n- [stated] Plans the spring counts (2026-02-01, from her letter)\n",
    "memory/projects/plover.md": "# Plover\n\n- [observed] Reads 400 sites in 2 s (2026-10-30, from the load test)\n",
    "memory/decisions/api.md": (
        "# API\n\n~~REST, chosen 2026-01-14, from the platform kickoff~~\n\n~~GraphQL, chosen 2026-04-22, from the client"
        " meeting~~\n\n**tRPC, chosen 2026-08-19, from the architecture review** [stated]\n"
    ),
}


def agent_memory_store(
    root: Path, folder: str = ".", *, lint: str | None = LINT, standard: bool = True, **files: str | bytes | None
) -> Path:
    """A valid store of layout agent-memory; returns its folder. `files` replace or add, by their path in the store; None
    leaves one out. `lint` is its memory-lint.json, None for none; without `standard` only `files` are written."""
    content: dict[str, str | bytes | None] = {**(FACTS if standard else {}), "memory-lint.json": lint, **files}
    for name, data in content.items():
        if data is not None:
            put(root, name if folder == "." else f"{folder}/{name}", data)
    return root if folder == "." else root / folder


GLOSSARY = (
    "# Plover\n\nThe words of this project.\n\n## Language\n\n"
    "**Site**:\nA place where birds are counted, with one volunteer.\n_Avoid_: location, spot\n\n"
    "**Count**:\nWhat one volunteer saw at one site on one day.\n_Avoid_: tally\n"
)


def record(
    number: int, title: str, status: str = "Accepted", *, more: str = "", date: str = "2026-05-02",
    context: str = "Volunteers open the counts in a spreadsheet.", options: str = "- A database: nobody there can open one.",
) -> str:
    """A decision record in the form that `memdesk init records` uses; `more` are further lines of its status section."""
    below = f"{status}\n\n{more}\n" if more else f"{status}\n"
    return (
        f"# {number}. {title}\n\nDate: {date}\n\n## Status\n\n{below}\n## Context\n\n{context}\n\n"
        f"## Considered options\n\n{options}\n\n## Decision\n\n{title}.\n\n## Consequences\n\nOne file for each site.\n"
    )


RECORDS: Mapping[str, str] = {
    "CONTEXT.md": GLOSSARY,
    "docs/adr/0001-store-counts-as-csv.md": record(1, "Store counts as CSV"),
    "docs/adr/0002-sync-at-night.md": record(2, "Sync at night", "Proposed", date="2026-06-01"),
}


def records_store(root: Path, folder: str = ".", *, standard: bool = True, **files: str | bytes | None) -> Path:
    """A valid store of layout records, with a glossary, an accepted record and a proposed one; returns its folder. `files`
    replace or add, by their path in the store; None leaves one out; without `standard` only they are written."""
    content: dict[str, str | bytes | None] = {**(RECORDS if standard else {}), **files}
    for name, data in content.items():
        if data is not None:
            put(root, name if folder == "." else f"{folder}/{name}", data)
    return root if folder == "." else root / folder


def fact(
    description: str, text: str = "", *, name: str = "", why: str = "Volunteers asked for it.", **fields: str | Sequence[str]
) -> str:
    """A fact's file of layout tiers, in the form that promoting writes. `text`: what it says, the description by default;
    `why` "" leaves the reason out; `fields` are further ones of its front matter: type, tags, owner, updated, review_by,
    links."""
    quoted = f'"{description}"' if ": " in description and description[0] not in "\"'" else description
    front = {**({"name": name} if name else {}), "description": quoted, **fields}
    lines = [
        f"{key}: {value if isinstance(value, str) else '[' + ', '.join(value) + ']'}" for key, value in front.items()
    ]
    body = f"# {name or description}\n\n{text or description + '.'}\n" + (f"\nWhy: {why}\n" if why else "")
    return "---\n" + "\n".join(lines) + f"\n---\n\n{body}"


TIERS: Mapping[str, str] = {
    "INDEX.md": (
        "# What Plover knows\n\n"
        "- [counts-as-csv](facts/counts-as-csv.md): Counts are stored as CSV files, one for each site\n"
        "- [offline](facts/offline.md): Everything runs without a network connection\n"
        "- [site-names](facts/site-names.md): Sites are named after the nearest village\n"
    ),
    "facts/counts-as-csv.md": fact(
        "Counts are stored as CSV files, one for each site", "One file for each site, see [[site-names]].",
        name="counts-as-csv", why="Volunteers open them in a spreadsheet.", type="decision", tags=("storage",), owner="Ada",
        updated="2026-05-02",
    ),
    "facts/offline.md": fact(
        "Everything runs without a network connection", name="offline", why="Sites have none.", type="constraint",
        updated="2026-04-11", review_by="2027-04-11",
    ),
    "facts/site-names.md": fact(
        "Sites are named after the nearest village", "Two of one village are numbered, as in [the files](counts-as-csv.md).",
        name="site-names", why="Maps differ in the names of the sites themselves.", updated="2026-03-20",
    ),
    "log/2026-05-09.md": "# 2026-05-09\n\n- 09:30 imported the counts of April\n- 16:05 two sites were late again\n",
    "log/2026-05-10.md": "# 2026-05-10\n\n- 10:00 began the report for the county\n",
    "inbox.md": "# Inbox\n\n## 2026-05-09\n\n- [observed] Sites 4 and 9 send their counts two days late (from the import)\n",
}


def tiers_store(root: Path, folder: str = "memory", *, standard: bool = True, **files: str | bytes | None) -> Path:
    """A valid store of layout tiers, on 2026-05-10, with three facts, two days of log and a candidate; returns its folder.
    `files` replace or add, by their path in the store; None leaves one out; without `standard` only they are written."""
    content: dict[str, str | bytes | None] = {**(TIERS if standard else {}), **files}
    for name, data in content.items():
        if data is not None:
            put(root, name if folder == "." else f"{folder}/{name}", data)
    return root if folder == "." else root / folder


def feature_memory(
    feature: str = "counts", *, name: str = "Spring counts", front: str | None = None, title: str = "",
    **sections: str,
) -> str:
    """A feature's memory of layout jonggrang. `sections`: what stands in one, by the first word of its name in lower case
    ("facts", "what", "open" ...); others are empty. `front` takes the place of its front matter's lines."""
    lines = front if front is not None else (
        f"feature_id: {feature}\nfeature_name: {name}\ntags: [import, csv]\nupdated_at: 2026-05-08T09:30:00Z"
    )
    parts = [f"---\n{lines}\n---\n\n# {title or name}\n"] if lines else [f"# {title or name}\n"]
    parts += [f"\n## {section}\n\n{sections.get(section.split()[0].lower(), '_(none yet)_')}\n" for section in FEATURE_SECTIONS]
    return "".join(parts)


def fragment(*, front: str = "", free: str = "", **sections: str) -> str:
    """A fragment of layout jonggrang: `free` text, then sections as in `feature_memory`, those alone that are given."""
    parts = [f"---\n{front}\n---\n"] if front else []
    parts += [free.rstrip("\n") + "\n"] if free else []
    given = ((section, sections.get(section.split()[0].lower(), "")) for section in FEATURE_SECTIONS)
    return "\n".join([*parts, *(f"## {section}\n\n{text}\n" for section, text in given if text)])


FEATURE_SECTIONS = (
    "Context", "Facts", "What Done & Why", "Lessons Learned", "Open Questions / What Next", "Promotion Candidates",
)
FRAGMENTS = ".ephemeral/memory/fragments"
JONGGRANG: Mapping[str, str] = {
    "MEMORY.md": (
        "---\nscope: project\ntags: [plover]\nupdated_at: 2026-04-20T08:00:00Z\n---\n\n# What Plover knows\n\n"
        "## Conventions\n\n- Dates are written as 2026-05-02, in every file\n\n"
        "## Known Pitfalls\n\n- The export of the county adds an empty last line\n"
    ),
    ".output/features/counts/MEMORY.md": feature_memory(
        context="The counts of spring come in as spreadsheets.", facts="- Each site sends one file",
        lessons="- Read the header by name, never by place", promotion="- Read the header by name, never by place",
    ),
    ".output/features/counts/progress.txt": (
        "# Progress\n\n- 2026-05-07 task-001: reads a file\n- 2026-05-08 task-002: two files had no header\n"
    ),
    ".output/features/counts/jonggrang-tasks.json": (
        '{"tasks": [\n  {"id": "task-001", "title": "Read a file", "skill": "python"},\n'
        '  {"id": "task-002", "title": "Read all files", "skill": "python"}\n]}\n'
    ),
    f"{FRAGMENTS}/counts/task-001-2026-05-07T10-15-00-000Z.md": fragment(
        facts="- A file has at most 400 rows", lessons="- The header may stand in the second row",
    ),
    f"{FRAGMENTS}/counts/task-002-2026-05-08T16-40-12-345Z.md": fragment(
        free="Two sites leave the header out; their files are read by place.",
    ),
    ".gitignore": "/.ephemeral/\n/locks/\n",
}


def jonggrang_store(
    root: Path, folder: str = ".jonggrang", *, standard: bool = True, **files: str | bytes | None
) -> Path:
    """A valid store of layout jonggrang, on 2026-05-10, with a project memory, and a feature with notes, tasks and two
    fragments; returns its folder. `files` replace or add, by their path in the store; None leaves one out; without `standard`
    only they are written."""
    content: dict[str, str | bytes | None] = {**(JONGGRANG if standard else {}), **files}
    for name, data in content.items():
        if data is not None:
            put(root, f"{folder}/{name}", data)
    return root / folder


def big_store(root: Path, entries: int = 10_000, files: int = 400, folder: str = MEMORY) -> Path:
    """A store of about `entries` entries in `files` files: one decision file for each area, all indexed."""
    areas = max(1, files - 6)
    each = max(1, entries // areas)
    modules: dict[str, str | bytes | None] = {}
    for area in range(areas):
        parts = [f"# Area {area}\n\nLoad when the task touches part {area}.\n"]
        for number in range(each):
            parts.append(
                f"\n## 2026-0{1 + number % 9}-1{number % 10} - Choice {number} of area {area}\n\n"
                f"Decision:\nPart {area} keeps table {number} sorted by site and day.\n\n"
                f"Reason:\nReports read it in that order, run {area * each + number}.\n"
            )
        modules[f"areas/part-{area:03}"] = "".join(parts)
    return custodian_store(root, folder, **modules)


def big_inbox(root: Path, candidates: int = 10_000, folder: str = MEMORY) -> Path:
    """A store whose inbox holds that many candidates, in dated sections of a hundred."""
    parts = ["# Inbox\n"]
    for number in range(candidates):
        if number % 100 == 0:
            back = number // 100
            parts.append(f"\n## 20{25 - back // 336:02}-{12 - back // 28 % 12:02}-{28 - back % 28:02}\n\n")
        late = f"Site {number} reports its counts {number % 7} days late"
        parts.append(f"- [observed] {late} (from src/site_{number}.py:{number % 90})\n")
    return custodian_store(root, folder, inbox="".join(parts))


def git(root: Path, *arguments: str) -> str:
    """Run git in `root`; its output. Fails the test when git fails."""
    done = subprocess.run(["git", *arguments], cwd=root, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode("utf-8", "replace")
    return os.fsdecode(done.stdout)


def git_repo(root: Path, *, commit: bool = True) -> Path:
    """Make `root` a git repository on branch main with all that is in it committed."""
    root.mkdir(parents=True, exist_ok=True)
    git(root, "init", "-q", "-b", "main")
    if commit:
        git(root, "add", "-A")
        git(root, "commit", "-q", "--allow-empty", "-m", "Begin")
    return root


def snapshot(root: Path) -> dict[str, bytes]:
    """Every file below `root` but git's own, by POSIX path: to compare before and after."""
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in sorted(root.rglob("*"))
        if path.is_file() and ".git" not in path.relative_to(root).parts
    }
