"""A plain check with the standard library alone, to stand beside `memdesk --check` in one run.

An honest script of the kind that such a store often has: it reads every Markdown file of a folder, takes entries apart with
regular expressions, and looks at core files, budgets, duplicates, reasons, conflict markers and struck lines in git's diff.
It knows nothing of fences, scopes, spans or links.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
from pathlib import Path

CORE = ("manifest.md", "brief.md", "decisions.md", "constraints.md", "do-not-use.md", "inbox.md")
BUDGETS = {"brief.md": 500, "decisions.md": 800, "constraints.md": 400, "do-not-use.md": 400, "preferences.md": 300}
TOKEN = re.compile(r"[A-Za-z0-9_]+|[^\sA-Za-z0-9_]")
SECTION = re.compile(r"^## +(.*)$", re.MULTILINE)
BULLET = re.compile(r"^[-*+] +(.*)$", re.MULTILINE)
SECRET = re.compile(r"AKIA[A-Z0-9]{16}|gh[pousr]_[A-Za-z0-9]{36}|-----BEGIN [A-Z ]*PRIVATE KEY-----|://[^\s/:@]+:[^\s/@]+@")


def check(folder: Path) -> list[str]:
    """What is wrong in the store at `folder`."""
    found = [f"{name}: missing" for name in CORE if not (folder / name).is_file()]
    for path in sorted(folder.rglob("*.md")):
        text = path.read_text(encoding="utf-8")
        name = path.relative_to(folder).as_posix()
        if re.search(r"^(?:<{7}|>{7}) ", text, re.MULTILINE):
            found.append(f"{name}: conflict markers")
        if SECRET.search(text):
            found.append(f"{name}: a secret")
        budget = BUDGETS.get(name, 600 if name.startswith("areas/") else None)
        if budget is not None and len(TOKEN.findall(text)) > budget:
            found.append(f"{name}: over its budget of {budget}")
        seen = set()
        starts = list(SECTION.finditer(text))
        for index, match in enumerate(starts):
            end = starts[index + 1].start() if index + 1 < len(starts) else len(text)
            body = text[match.end() : end]
            key = (match[1], " ".join(body.split()))
            if key in seen:
                found.append(f"{name}: {match[1]}: twice")
            seen.add(key)
            if name == "decisions.md" and "Reason:" not in body:
                found.append(f"{name}: {match[1]}: no reason")
        bullets = BULLET.findall(text)
        if name != "manifest.md" and len(bullets) != len(set(bullets)):
            found.append(f"{name}: a bullet twice")
    diff = subprocess.run(["git", "diff", "HEAD", "-U0", "--", "*.md"], cwd=folder, capture_output=True, text=True, check=False)
    lost = [line for line in diff.stdout.splitlines() if line.startswith("-") and "~~" in line]
    return found + [f"struck line gone: {line}" for line in lost]


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    found = check(parser.parse_args().folder)
    for line in found:
        print(line)
    print("FAIL" if found else "OK")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
