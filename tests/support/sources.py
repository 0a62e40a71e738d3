"""Workspaces in memory in which memory, records and a glossary stand beside each other."""

from __future__ import annotations

from collections.abc import Mapping

from memdesk.core.conflicts import Conflict, find
from memdesk.core.model import Workspace
from tests.support.stores import manifest
from tests.support.trees import workspace

HOME = "docs/memory"
GLOSSARY = "# Words\n\n## Language\n\n**Site**:\nA place where birds are counted.\n_Avoid_: spot, counting point\n\n" \
    "**Count**:\nBirds of one kind, seen at a site on one day.\n_Avoid_: tally\n"


def adr(number: int, title: str, status: str, folder: str = "docs/adr") -> dict[str, str]:
    """A record in Nygard's form, by its path."""
    name = title.lower().replace(" ", "-")
    text = f"# {number}. {title}\n\n## Status\n\n{status}\n\n## Context\n\nBirds move.\n\n## Decision\n\n{title}.\n"
    return {f"{folder}/{number:04}-{name}.md": text}


RECORDS = {
    **adr(1, "Keep counts as CSV", "Superseded by [ADR-0002](0002-keep-counts-in-sqlite.md)"),
    **adr(2, "Keep counts in SQLite", "Accepted\n\nSupersedes [ADR-0001](0001-keep-counts-as-csv.md)"),
    **adr(3, "Sync through a broker", "Rejected"),
    **adr(4, "Serve tiles from disk", "Deprecated"),
    **adr(5, "Draw maps with vectors", "Proposed"),
}


def decision(title: str, text: str = "It is so.", more: str = "") -> str:
    """A decision section of custodian memory."""
    return f"## 2026-02-01 - {title}\n\nDecision:\n{text}\n\nReason:\nIt works.\n{more}\n"


def memory(home: str = HOME, **files: str) -> dict[str, str]:
    """A custodian store with these files beside empty ones: `decisions`, `do_not_use`, `areas__maps`."""
    titles = {"decisions": "Decisions", "constraints": "Constraints", "do-not-use": "Do not use", "inbox": "Inbox"}
    names = {name.replace("__", "/").replace("_", "-"): text for name, text in files.items()}
    areas = [name.partition("/")[2] for name in names if name.startswith("areas/")]
    content = {name: f"# {title}\n\n{names.pop(name, '')}" for name, title in titles.items()}
    content |= {"brief": "# Brief\n\nIt counts birds.\n", "preferences": "# Preferences\n", **names}
    return {f"{home}/manifest.md": manifest(areas=areas), **{f"{home}/{name}.md": text for name, text in content.items()}}


def over(*parts: Mapping[str, str]) -> Workspace:
    """The workspace of these files."""
    files: dict[str, str] = {}
    for part in parts:
        files.update(part)
    return workspace(files)


def clashes(*parts: Mapping[str, str], kind: str = "") -> list[tuple[str, bool, list[str]]]:
    """Kind, exactness and places of what conflicts in the workspace of these files."""
    return [shown(clash) for clash in find(over(*parts)) if kind in ("", clash.kind)]


def shown(clash: Conflict) -> tuple[str, bool, list[str]]:
    return clash.kind, clash.exact, [f"{side.entry.path}:{side.line}" for side in clash.sides]
