"""What a manifest says, as values: protocol, routes, module index, budgets, and what is wrong with it (docs/custodian.md).

`read.py` makes them from the file.
"""

from __future__ import annotations

import re

from memdesk.core.globs import Glob
from memdesk.core.lean import NamedTuple
from memdesk.core.model import Cap

CORE_FILES = ("manifest.md", "brief.md", "decisions.md", "constraints.md", "do-not-use.md", "inbox.md")
FOLDERS = {"rules": "rule", "profiles": "profile", "areas": "area"}  # folder -> role

# category -> its `###` heading under `## Load by task`; the category `general` has none (the always-load files alone)
HEADINGS = {
    "planning": "Planning / architecture / refactoring",
    "implementation": "Implementation / execution / debugging",
    "artifact": "User-facing artifact / output",
    "preferences": "Preferences",
    "history": "Change history / recap",
    "maintenance": "Memory maintenance",
}
# task name that a caller may use -> category
TASKS = {
    "planning": "planning", "architecture": "planning", "refactoring": "planning",
    "implementation": "implementation", "execution": "implementation", "debugging": "implementation",
    "artifact": "artifact", "output": "artifact",
    "preferences": "preferences",
    "history": "history", "recap": "history", "status": "history",
    "maintenance": "maintenance", "compact": "maintenance", "forget": "maintenance",
    "general": "general", "default": "general",
}
CATEGORIES = (*HEADINGS, "general")

DEFAULT_BUDGETS = {
    "brief.md": 500, "decisions.md": 800, "constraints.md": 400, "do-not-use.md": 400, "preferences.md": 300,
    "changelog.md": 800, "rules/*.md": 400, "profiles/*.md": 500, "areas/*.md": 600,
}
DECISION_GUIDE = 120  # tokens of a single decision entry
INBOX_GUIDE = 30  # candidates

BASELINE = (0, 5)
OLDEST, NEWEST = (0, 4), (0, 8)  # protocol versions in the field: read
COMPLETE = (0, 6)  # from here on entries have an id and the fields that make them complete


class Fault(NamedTuple):
    """Something wrong in the manifest: the rule that reports it, its severity ("error" or "warning"), 1-based line."""

    rule: str
    severity: str
    line: int | None
    message: str
    hint: str = ""


class Named(NamedTuple):
    """A file that a route names. `path` is relative to the store; `fault` says why it may not be loaded at all."""

    path: str
    required: bool
    line: int
    fault: str = ""


class Listing(NamedTuple):
    """One section that names files: `## Always load`, or a category under `## Load by task`."""

    heading: str
    line: int
    files: tuple[Named, ...]


class Module(NamedTuple):
    """A row of the module index. `kind` is "rules", "profiles" or "areas"; `globs` activate an area by path."""

    kind: str
    name: str
    path: str
    line: int
    when: str = ""
    globs: tuple[str, ...] = ()
    fault: str = ""


class BudgetLine(NamedTuple):
    """A line of `## Context budget`: a path or pattern relative to the store, and tokens at most (None: no budget).

    `caps`: limits in other units, "lines" or "chars", each with its number. A pack doesn't cut there; the check reports them.
    """

    pattern: str
    limit: int | None
    line: int
    caps: tuple[tuple[str, int], ...] = ()


class Manifest(NamedTuple):
    """All that a manifest says. Sections that may occur once are kept as lists, so that several can be reported."""

    path: str  # workspace-relative
    unreadable: str  # why it could not be read, or ""
    version: tuple[int, int] | None
    version_text: str
    protocol: tuple[tuple[str, str, int], ...]  # key, value, line
    always: tuple[Listing, ...]
    categories: dict[str, tuple[Listing, ...]]
    task_headings: tuple[tuple[str, int], ...]  # every `###` under `## Load by task`, known or not
    modules: tuple[Module, ...]
    budgets: tuple[BudgetLine, ...]
    faults: tuple[Fault, ...]
    headings: frozenset[str] = frozenset()  # its level-2 headings, folded

    def read_only(self) -> str | None:
        """Why memdesk does not write to this store, or None."""
        if self.unreadable:
            return f"{self.path} cannot be read ({self.unreadable}), so it is not known which protocol the store follows."
        if self.version is None:
            return f"{self.path} has no readable protocol version; add `- protocol_version: 0.5` to its protocol section."
        number = self.version_text
        if self.version > NEWEST:
            return f"The store follows protocol {number}; this version of memdesk knows 0.4 to 0.8 and only reads newer ones."
        if self.version < OLDEST:
            return f"The store follows protocol {number}, which is older than 0.4, the oldest that memdesk writes."
        return None

    @property
    def complete(self) -> bool:
        """Whether new entries have an id and all fields of the protocol (0.6 and later)."""
        return self.version is not None and self.version >= COMPLETE

    def enabled(self, kind: str) -> list[Module]:
        """The sound rows of the index for "rules", "profiles" or "areas", in order."""
        return [module for module in self.modules if module.kind == kind and not module.fault]

    def module(self, kind: str, name: str) -> Module | None:
        """The first sound row for a module, or None: not enabled."""
        return next((module for module in self.enabled(kind) if module.name == name), None)

    def named(self) -> set[str]:
        """Every store-relative path that a route or the index names."""
        listings = [*self.always, *(listing for several in self.categories.values() for listing in several)]
        return {file.path for listing in listings for file in listing.files} | {module.path for module in self.modules}

    def budget(self, path: str) -> tuple[int | None, str]:
        """Tokens at most for a store-relative path (None: no cap) and who says so."""
        line = self._budget_line(path)
        if line is not None:
            return line.limit, f"{self.path}:{line.line}"
        folder, _, name = path.rpartition("/")
        if folder.startswith("archive") or path == "inbox.md":
            return None, "default"
        return DEFAULT_BUDGETS.get(path if not folder else f"{folder}/*.md" if name.endswith(".md") else path), "default"

    def caps(self, path: str) -> tuple[Cap, ...]:
        """The limits of a store-relative path in lines or characters, where its line of the budgets sets them."""
        line = self._budget_line(path)
        return () if line is None else tuple(Cap(unit, limit, f"{self.path}:{line.line}") for unit, limit in line.caps)

    def _budget_line(self, path: str) -> BudgetLine | None:
        """The line that speaks of a path: an exact one beats a pattern."""
        exact = (line for line in self.budgets if line.pattern == path)
        globs = (line for line in self.budgets if "*" in line.pattern and matches(line.pattern, path))
        return next(exact, None) or next(globs, None)


def unreadable(path: str, why: str) -> Manifest:
    """The manifest of a store whose manifest is missing or cannot be read as text."""
    fault = Fault("route", "error", None, f"The manifest cannot be read: {why}.", "Restore it: without it nothing is routed.")
    empty: dict[str, tuple[Listing, ...]] = dict.fromkeys(HEADINGS, ())
    return Manifest(path, why, None, "", (), (), empty, (), (), (), (fault,))


def unsafe(path: str) -> str:
    """Why a path in a manifest may not be followed, or "" (links are looked at where it is loaded)."""
    if any(ord(char) < 32 or 127 <= ord(char) < 160 for char in path):
        return "it holds control characters"
    if "\\" in path:
        return "it holds a backslash; paths here are POSIX"
    if path.startswith("/"):
        return "it is absolute"
    if re.match(r"[A-Za-z]:", path):
        return "it names a drive"
    if any(part in ("", ".", "..") for part in path.split("/")):
        return "it holds an empty part, `.` or `..`"
    if not path.endswith(".md"):
        return "it does not end in `.md`"
    return ""


def matches(glob: str, path: str) -> bool:
    """Whether a case-sensitive POSIX glob matches: `*` and `?` within one segment, `**` for whole segments, none included."""
    return Glob(glob).matches(path)


def is_name(name: str) -> bool:
    """Whether it can name a rule, profile or area: letters, digits, `.`, `_`, `-`, not beginning with punctuation."""
    return bool(name) and name[0].isalnum() and all(char.isalnum() or char in "._-" for char in name)
