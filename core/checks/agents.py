"""Rules over what agents read first, AGENTS.md and its like, and over the cadence of prune sessions."""

from __future__ import annotations

import re

from memdesk.core.checks.rule import CheckContext, Checked, Rule
from memdesk.core.errors import MemdeskError
from memdesk.core.lean import NamedTuple
from memdesk.core.model import Finding
from memdesk.core.patterns import lazy

ENTRY_FILES = ("AGENTS.md", "CLAUDE.md", "GEMINI.md")
INSTRUCTIONS = "instructions"  # the role of a store's own files that agents read at the start
POLICY = 500  # tokens of memory policy that an entry file may hold
SHORTEST_COPY = 40  # bytes of a line; shorter ones are often the same by chance
_RANKING = lazy(r"\b(?:outranks?|ranks?|ranking|precedence|takes? priority|wins? over)\b", re.IGNORECASE)


class EntryFile(NamedTuple):
    """A file that agents read at the start, at the workspace root."""

    path: str
    data: bytes


def guide_missing(context: CheckContext) -> Checked:
    """Whether any entry file points at the store, by its path, or states how memory ranks. The store's own instruction files
    are read at the start too. Of a store without any memory there is nothing to load."""
    if not context.documents:
        return Checked(0)
    files = _entry_files(context)
    files = [*files, *(file for file in _instructions(context) if all(file.path != other.path for other in files))]
    found: list[Finding] = []
    if not any(_points(context, file) or _ranks(context, file) or _names_part(context, file) for file in files):
        seen = ", ".join(file.path for file in files)
        store = f"this store ({context.store.path})"
        what = f"None of {seen} names {store} or says" if files else f"No agent entry file names {store} or says"
        what = f"{seen} neither names {store} nor says" if len(files) == 1 else what
        message = f"{what} how its memory ranks, so agents don't load it."
        where = files[0].path if files else ENTRY_FILES[0]
        found.append(GUIDE_MISSING.finding(where, None, message, about=context.store.path))
    return Checked(len(files), found)


def entry_file(context: CheckContext) -> Checked:
    """Entry files that repeat lines of the store's entries, or hold more memory policy than they should."""
    files = _entry_files(context)
    found: list[Finding] = []
    for file in files:
        found += _copies(context, file)
        tokens, line = _policy(context, file)
        if tokens > POLICY:
            message = f"About {tokens} tokens of memory policy; {POLICY} are enough to point at the store."
            found.append(ENTRY_FILE.finding(file.path, line, message, about=f"policy {context.store.path}"))
    return Checked(len(files), found)


def prune_overdue(context: CheckContext) -> Checked:
    """Whether the last prune session that the checked files know of (`.memdesk/sessions.toml`) is older than the cadence that
    is set. A file that can't be read is a failure of the check."""
    days = context.settings.prune.every_days
    if days is None:
        return Checked(0, skipped="no cadence is set (prune.every_days)")
    from memdesk.core.prune import cadence

    try:
        last = cadence.last_session(context.workspace.tree)
    except MemdeskError as error:
        context.shared.setdefault("failures", []).append(str(error))
        return Checked(0, skipped="the sessions that were held can't be read", failed=True)
    if not cadence.overdue(last, days, context.today()):
        return Checked(1)
    place = context.settings.place("prune.every_days")
    path, line = (place.file, place.line) if place else (context.store.path, None)
    return Checked(1, [PRUNE_OVERDUE.finding(path, line, cadence.told(last, days, context.today()))])


def _entry_files(context: CheckContext) -> list[EntryFile]:
    """The entry files that are there and can be read, each physical file once."""
    known: list[EntryFile] | None = context.shared.get("entry files")
    if known is None:
        known = []
        tree = context.workspace.tree
        reached = set()
        for name in ENTRY_FILES:
            if tree.kind(name) not in ("file", "link"):
                continue
            try:
                real = tree.resolve(name)
                if real not in reached:
                    known.append(EntryFile(name, tree.read(name)))
                reached.add(real)
            except MemdeskError as error:
                context.shared.setdefault("failures", []).append(str(error))
        context.shared["entry files"] = known
    return known


def _instructions(context: CheckContext) -> list[EntryFile]:
    """The files of the store that its layout says agents start with, its index aside."""
    return [
        EntryFile(document.path, document.data) for document in context.readable if document.place.role == INSTRUCTIONS
    ]


def _points(context: CheckContext, file: EntryFile) -> bool:
    """Whether a file names the store's folder, or from inside the store its index."""
    path = context.store.path
    names = [] if path == "." else [path]
    if path == "." or file.path.startswith(path + "/"):
        indexes = (document for document in context.documents if document.place.tier == "index")
        names += [document.path.rpartition("/")[2] for document in indexes if document.place.role != INSTRUCTIONS]
    return any(name.encode("utf-8", "surrogateescape") in file.data for name in names)


def _names_part(context: CheckContext, file: EntryFile) -> bool:
    """Whether a file names a part of a store that has no folder of its own, and may have no index: one of its files, such as
    `CONTEXT.md`, or a folder that they lie in, such as `docs/adr`."""
    if context.store.path != ".":
        return False
    paths = [document.path for document in context.documents if document.place.role != INSTRUCTIONS]
    names = {path.rpartition("/")[0] for path in paths} - {""}
    names = {name if "/" in name else name + "/" for name in names} | {path for path in paths if "/" not in path}
    return any(name.encode("utf-8", "surrogateescape") in file.data for name in names)


def _ranks(context: CheckContext, file: EntryFile) -> bool:
    """A line that speaks of both memory and rank: the standing text has one."""
    text = file.data.decode("utf-8", "replace")
    return any("memory" in line.lower() and _RANKING.search(line) for line in text.split("\n"))


def _copies(context: CheckContext, file: EntryFile) -> list[Finding]:
    """Lines of an entry file that are lines of the store's entries too, one finding for each document they come from."""
    lines: dict[bytes, int] = {}
    for number, line in enumerate(file.data.split(b"\n"), 1):
        line = _bare(line)
        if len(line) >= SHORTEST_COPY:
            lines.setdefault(line, number)
    if not lines:
        return []
    found = []
    for document in context.readable:
        if document.place.role in ("manifest", "index", "archive", INSTRUCTIONS):
            continue
        shared = lines.keys() & {_bare(line) for line in document.data.split(b"\n")}
        entries = document.entries if shared else []
        held = sorted(line for line in shared if any(line in entry.raw for entry in entries))
        copied = sorted(lines[line] for line in held)
        if copied:
            more = f" (and {len(copied) - 1} more lines)" if len(copied) > 1 else ""
            message = f"This line{more} is copied from {document.path}: the two will drift apart."
            about = "\n".join((document.path, *(line.decode("utf-8", "replace") for line in held)))
            found.append(ENTRY_FILE.finding(file.path, copied[0], message, about=about))
    return found


def _policy(context: CheckContext, file: EntryFile) -> tuple[int, int | None]:
    """(tokens, first line) of the sections whose heading speaks of memory or that name the store."""
    from memdesk.core import markdown, tokens

    if b"memory" not in file.data.lower() and context.store.path.encode("utf-8", "surrogateescape") not in file.data:
        return 0, None
    page = markdown.parse(file.data)
    headings = [block for block in page.blocks if block.kind == "heading" and not block.depth and block.level <= 2]
    total, first = 0, None
    for index, heading in enumerate(headings):
        end = headings[index + 1].start if index + 1 < len(headings) else len(file.data)
        section = file.data[heading.start : end]
        title = file.data[heading.inner[0] : heading.inner[1]].lower()
        if b"memory" in title or (heading.level == 2 and _points(context, EntryFile(file.path, section))):
            total += tokens.count(section.decode("utf-8", "replace"))
            first = first or heading.line
    return total, first


def _bare(line: bytes) -> bytes:
    return line.strip(b" \t\r-*+")


GUIDE_MISSING = Rule(
    "guide-missing", "warning",
    "agent entry files (AGENTS.md, CLAUDE.md, GEMINI.md) of which none points at the store, or none states the ranking",
    "Add the text that `memdesk guide` prints to AGENTS.md.", "entry files", guide_missing,
)
ENTRY_FILE = Rule(
    "entry-file", "warning",
    "an entry file that copies memory instead of pointing at it, or is over 500 tokens of memory policy",
    "Point at the store and let agents load it; `memdesk guide` prints a short text.", "entry files", entry_file,
)
PRUNE_OVERDUE = Rule(
    "prune-overdue", "warning", "a last prune session that is older than the cadence (prune.every_days)",
    "Hold a prune session, or change the cadence.", "cadences", prune_overdue,
)
RULES = (GUIDE_MISSING, ENTRY_FILE, PRUNE_OVERDUE)
