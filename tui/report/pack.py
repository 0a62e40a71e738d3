"""A pack as CLI.md's JSON, as an explanation for people, and as Markdown."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memdesk.core.checks.secrets import heading, mask

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memdesk.core.packing import Pack, PackFile
    from memdesk.core.routing import Left


def as_json(pack: Pack, left: Sequence[Left] = ()) -> dict[str, Any]:
    """`memdesk.pack/1`. `left`: the entries that budgets keep out of files that load."""
    return {
        "schema": "memdesk.pack/1", "layout": pack.layout, "store": pack.store, "task": pack.task, "category": pack.category,
        "status": pack.status,
        "files": [
            {
                "path": file.path, "required": file.required, "disposition": file.disposition, "reason": file.reason,
                "budget": file.budget, "tokens": file.tokens, "oversized": file.oversized,
                "omitted": [omitted._asdict() | {"heading": mask(omitted.heading)} for omitted in file.omitted],
            }
            for file in pack.files
        ],
        "not_loaded": [{"path": path, "reason": reason} for path, reason in pack.not_loaded],
        "not_loaded_entries": [
            {
                "id": entry.id, "path": entry.path, "line": entry.line, "heading": heading(entry), "unit": omitted.line,
                "reason": omitted.reason,
            }
            for entry, omitted in left
        ],
        "tokens": pack.tokens, "scope_notes": list(pack.scope_notes), "standing": pack.standing, "text": pack.text,
    }


def names(pack: Pack) -> list[str]:
    """The paths that load, in their order."""
    return [file.path for file in pack.files if file.disposition == "loaded"]


def explain(pack: Pack) -> list[str]:
    """What loaded, what each file cost, what was omitted and why, and what stayed out, a line each."""
    lines = [f"{pack.task.strip()} ({pack.category}) in {pack.store}: {pack.status}, {pack.tokens} tokens"]
    lines.extend(f"note: {note}" for note in pack.scope_notes)
    for file in pack.files:
        lines.append(_file_line(file))
        lines.extend(
            f"    omitted: line {omitted.line}: {mask(omitted.heading)} · {omitted.tokens} tokens · {omitted.reason}"
            for omitted in file.omitted
        )
    if pack.not_loaded:
        lines.append("not loaded:")
        lines.extend(f"  {path}: {reason}" for path, reason in pack.not_loaded)
    return lines


def markdown(pack: Pack) -> str:
    """The pack under a table of what it holds, fit for a comment or an issue."""
    rows = [
        f"| {_cell(file.path)} | {file.disposition} | {file.tokens} | {'' if file.budget is None else file.budget} "
        f"| {len(file.omitted)} | {_cell(file.reason)} |"
        for file in pack.files
    ]
    fence = "`" * max(3, _longest_run(pack.text, "`") + 1)
    return "\n".join([
        f"### Pack `{pack.task}`: {pack.status}, {pack.tokens} tokens", "",
        "| file | | tokens | budget | omitted | why |", "| --- | --- | ---: | ---: | ---: | --- |", *rows, "",
        *(f"- {note}" for note in pack.scope_notes), *([""] if pack.scope_notes else []),
        "<details><summary>Text</summary>", "", fence + "markdown", pack.text.rstrip("\n"), fence, "", "</details>",
    ])


def complaints(pack: Pack) -> list[str]:
    """Why it is incomplete, and what is oversized, for stderr."""
    lines = [f"{file.path}: {file.disposition}: {file.reason}" for file in pack.missing]
    lines.extend(
        f"warning: {file.path}: its first unit alone is over the budget of {file.budget} tokens; it is kept whole"
        for file in pack.files if file.oversized
    )
    return lines


def _file_line(file: PackFile) -> str:
    budget = "" if file.budget is None else f" of {file.budget}"
    size = f"  {file.tokens}{budget} tokens" if file.disposition == "loaded" else ""
    oversized = "  oversized: its first unit is kept whole" if file.oversized else ""
    return f"  {file.disposition}  {file.path}{size}  ({file.reason}){oversized}"


def _cell(text: str) -> str:
    return text.replace("\\", "\\\\").replace("|", "\\|").replace("\n", " ")


def _longest_run(text: str, character: str) -> int:
    longest = run = 0
    for each in text:
        run = run + 1 if each == character else 0
        longest = max(longest, run)
    return longest
