"""Unified diffs of bytes, split at `\\n` alone as git does."""

from __future__ import annotations


def unified(path: str, before: bytes | None, after: bytes | None, context: int = 3) -> str:
    """A unified diff as text (UTF-8, surrogate escapes for other bytes); `/dev/null` stands for an absent side."""
    import difflib

    old, new = _lines(before), _lines(after)
    # What is equal at both ends is left out but for the context: of 10,000 lines most are.
    same = _equal(old, new)
    left = max(0, same - context)
    rest = min(len(old), len(new)) - same
    right = max(0, min(rest, _equal(old[::-1], new[::-1])) - context)
    old, new = old[left : len(old) - right], new[left : len(new) - right]
    names = ("/dev/null" if before is None else f"a/{path}", "/dev/null" if after is None else f"b/{path}")
    out: list[str] = []
    for line in difflib.unified_diff(old, new, *names, n=context):
        if line.startswith("@@"):
            out.append(_moved(line, left))
        elif line.endswith("\n"):
            out.append(line)
        elif line.startswith(("--- ", "+++ ")) and len(out) < 2:
            out.append(line + "\n")
        else:
            out.append(line + "\n\\ No newline at end of file\n")
    if not out and (before is None) != (after is None):  # an empty file has no lines to tell of, but it came or went
        out = [f"--- {names[0]}\n", f"+++ {names[1]}\n"]
    return "".join(out)


def hunks(before: bytes | None, after: bytes | None) -> str:
    """The removed and added lines alone, hunk by hunk: equal for the same edit at another place of a changed file."""
    lines = unified("x", before, after, context=0).split("\n")[2:]
    return "\n".join("@@" if line.startswith("@@") else line for line in lines)


def _equal(old: list[str], new: list[str]) -> int:
    """How many lines are equal from the start on."""
    return next((at for at, (one, other) in enumerate(zip(old, new, strict=False)) if one != other), min(len(old), len(new)))


def _moved(header: str, lines: int) -> str:
    """The header of a hunk, so many lines further down: `@@ -1,2 +1 @@`."""
    ranges = []
    for part in header.split()[1:3]:
        start, comma, count = part[1:].partition(",")
        ranges.append(f"{part[0]}{int(start) + lines}{comma}{count}")
    return f"@@ {' '.join(ranges)} @@\n"


def _lines(data: bytes | None) -> list[str]:
    if not data:
        return []
    parts = data.decode("utf-8", "surrogateescape").split("\n")
    lines = [part + "\n" for part in parts[:-1]]
    return [*lines, parts[-1]] if parts[-1] else lines
