"""The rules of this layout (formats/common.md, its second table)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from memdesk.core import conflicts
from memdesk.core.checks import judging
from memdesk.core.checks.rule import CheckContext, Checked, Rule
from memdesk.core.errors import MemdeskError
from memdesk.core.layouts.custodian.manifest import CORE_FILES, DECISION_GUIDE, INBOX_GUIDE, Manifest
from memdesk.core.layouts.custodian.route import document_at, index_gaps, unreachable
from memdesk.core.layouts.texts import titled
from memdesk.core.lean import TYPE_CHECKING
from memdesk.core.patterns import lazy

if TYPE_CHECKING:
    from memdesk.core.model import Entry, Finding


def core_file(context: CheckContext) -> Checked:
    """The files that every store has."""
    found = []
    for name in CORE_FILES:
        path = context.store.join(name)
        if _missing(context, path):
            hint = "An empty inbox will do: `memdesk add` makes it." if name == "inbox.md" else ""
            found.append(CORE_FILE.finding(path, None, f"The core file {name} is missing.", hint))
    return Checked(len(CORE_FILES), found)


def protocol(context: CheckContext) -> Checked:
    """The manifest's protocol section and version."""
    manifest: Manifest = context.store.settings
    if manifest.unreadable:
        return Checked(0, skipped=f"{manifest.path} cannot be read ({manifest.unreadable})")
    return Checked(1, _faults(manifest, PROTOCOL))


def route(context: CheckContext) -> Checked:
    """Each category's section, once; each path in the manifest, safe and inside the store; no file twice on one route."""
    manifest: Manifest = context.store.settings
    found = _faults(manifest, ROUTE)
    for path, line in _named(manifest):
        problem = _outside(context, path)
        if problem:
            found.append(ROUTE.finding(manifest.path, line, f"`{path}` {problem}", "Put the file itself into the store."))
    return Checked(len(manifest.categories) + 1, found)


def route_file(context: CheckContext) -> Checked:
    """The required files of every route."""
    manifest: Manifest = context.store.settings
    found: list[Finding] = []
    seen: set[str] = set()
    for listings in (manifest.always, *manifest.categories.values()):
        for file in (file for listing in listings for file in listing.files):
            if not file.required or file.fault or file.path in seen:
                continue
            seen.add(file.path)
            path = context.store.join(file.path)
            if _missing(context, path):
                message = f"The route requires {file.path}, and there is no such file: its packs are incomplete."
                found.append(ROUTE_FILE.finding(manifest.path, file.line, message))
    return Checked(len(seen), found)


def module_index(context: CheckContext) -> Checked:
    """The index of rules, profiles and areas against the folders, both ways."""
    manifest: Manifest = context.store.settings
    found = _faults(manifest, MODULE_INDEX)
    for gap in index_gaps(context.workspace, context.store):
        if gap.orphan:
            row = f"- `{context.store.named(gap.path)}`: when to load it"
            hint = f"Add ``{row}`` to the index in {manifest.path}, or archive the file."
            found.append(MODULE_INDEX.finding(gap.path, gap.line, gap.message, hint))
        else:
            found.append(MODULE_INDEX.finding(manifest.path, gap.line, gap.message, "Take the row out, or restore the file."))
    files = sum(document.place.role in ("rule", "profile", "area") for document in context.documents)
    return Checked(len(manifest.modules) + files, found)


def decision_length(context: CheckContext) -> Checked:
    """Decisions against the guide of 120 tokens. Only those that could be over it are counted."""
    from memdesk.core.checks.budgets import at_most
    from memdesk.core.tokens import count

    found: list[Finding] = []
    checked = 0
    for entry in _decisions(context):
        checked += 1
        raw = entry.raw
        if at_most(raw) > DECISION_GUIDE and (tokens := count(raw.decode("utf-8", "replace"))) > DECISION_GUIDE:
            message = f"{tokens} tokens; the guide for one decision is {DECISION_GUIDE}: {_title(entry)!r}."
            found.append(DECISION_LENGTH.finding(entry.path, entry.line, message))
    return Checked(checked, found)


def decision_why(context: CheckContext) -> Checked:
    """Decisions without a reason."""
    found: list[Finding] = []
    checked = 0
    for entry in _decisions(context):
        checked += 1
        if not entry.fields.get("reason"):
            wide = not entry.fields.get("scope") and not entry.document.place.scope
            hint = DECISION_WHY.remedy + (" Without a scope it holds for the whole project." if wide else "")
            found.append(DECISION_WHY.finding(entry.path, entry.line, f"No reason is given: {_title(entry)!r}.", hint))
    return Checked(checked, found)


def brief_scaffold(context: CheckContext) -> Checked:
    """The brief's lines that the scaffold left to be written."""
    found = []
    documents = [document for document in context.readable if document.place.role == "brief"]
    for document in documents:
        for match in _TODO.finditer(document.data) if b"TODO" in document.data else ():
            line = document.data.count(b"\n", 0, match.end()) + 1
            found.append(BRIEF_SCAFFOLD.finding(document.path, line, "The brief still holds this line of its scaffold."))
    return Checked(len(documents), found)


def inbox_backlog(context: CheckContext) -> Checked:
    """The candidates that wait."""
    waiting = [entry for document in context.readable for entry in document.entries if entry.candidate]
    found = []
    if len(waiting) > INBOX_GUIDE:
        message = f"{len(waiting)} candidates wait for review; more than {INBOX_GUIDE} are a backlog."
        found.append(INBOX_BACKLOG.finding(waiting[0].path, waiting[INBOX_GUIDE].line, message, about="backlog"))
    return Checked(len(waiting), found)


def machine_path(context: CheckContext) -> Checked:
    """Absolute paths of one machine: a home folder, a drive. A URL is none."""
    from memdesk.core.checks.screens import positions

    found = []
    for document in context.readable:
        if not any(sign in document.data for sign in _SIGNS) and b":\\" not in document.data and b":/" not in document.data:
            continue
        text = document.data.decode("utf-8", "replace")
        matches = list(_MACHINE.finditer(text))
        for match, (line, column) in zip(matches, positions(text, (match.start() for match in matches)), strict=True):
            what = next(name for name, value in match.groupdict().items() if value is not None)
            message = f"The path of {_PLACES[what]} at column {column}: it is another one for everyone else."
            found.append(MACHINE_PATH.finding(document.path, line, message))
    return Checked(len(context.readable), found)


def not_reachable(context: CheckContext) -> Checked:
    """Files, with their entries, that no task's route can load."""
    if context.store.settings.unreadable:
        return Checked(0, skipped=f"{context.store.settings.path} cannot be read ({context.store.settings.unreadable})")
    found = []
    for path, reason in unreachable(context.workspace, context.store):
        document = context.workspace.documents[path]
        count = sum(not entry.struck for entry in document.entries)
        message = f"No task can load this file ({count} {'entry' if count == 1 else 'entries'}): {reason}."
        found.append(UNREACHABLE.finding(path, None, message))
    return Checked(len(context.documents), found)


def owner_clash(context: CheckContext) -> Checked:
    """Protocol 0.6 and later: one active entry for each Scope, Subject and Facet."""
    manifest: Manifest = context.store.settings
    if not manifest.complete:
        return Checked(0, skipped=f"protocol {manifest.version_text or 'unknown'} has no subjects (0.6 and later do)")
    found: list[Finding] = []
    judged = judging.of(context)
    for clash in judged.left(conflicts.owners(context.workspace, context.store, conflicts.readable(context.documents))):
        first, entry = clash.entries
        message = f"{first.path}:{first.line} is the active owner of {clash.about} too: {_title(first)!r}."
        found.append(OWNER_CLASH.finding(entry.path, entry.line, message, about=clash.about))
    checked = sum(bool(entry.fields.get("subject")) for entry in context.live())
    return Checked(checked, found, also=judged.said())


_TODO = lazy(rb"^[ \t]*(?:[-*+][ \t]+)?(?:\*\*)?TODO(?:\*\*)?:", re.MULTILINE)
_SIGNS = (b"/home/", b"/Users/", b"/root/", b"/Volumes/", b"/mnt/")
_MACHINE = lazy(
    r"(?:(?<![\w.~:/\\-])|(?<=file://))"
    r"(?:(?P<home>/(?:home|Users)/[\w.-]+|/root/[\w.-]+)|(?P<drive>/Volumes/[\w.-]+|/mnt/[a-z]/[\w.-]+))"
    r"|(?<![\w.~:/\\-])(?P<letter>[A-Za-z]:(?:\\[\w.\\-]+|/(?!/)[\w.-]+[/\\][\w.-]+))"
)
_PLACES = {"home": "a home folder", "drive": "a drive", "letter": "a drive"}


def _faults(manifest: Manifest, rule: Rule) -> list[Finding]:
    """What reading the manifest found, for one rule."""
    return [
        rule.finding(
            manifest.path, fault.line, fault.message, fault.hint, severity=fault.severity,
            about="" if fault.line else fault.message,  # one that is about a line is known by it
        )
        for fault in manifest.faults if fault.rule == rule.name
    ]


def _named(manifest: Manifest) -> Iterator[tuple[str, int]]:
    """Each sound path of the manifest once, with its first line."""
    listed = [
        *((file.path, file.line, file.fault) for listings in (manifest.always, *manifest.categories.values())
          for listing in listings for file in listing.files),
        *((module.path, module.line, module.fault) for module in manifest.modules),
    ]
    seen: set[str] = set()
    for path, line, fault in listed:
        if not fault and path not in seen:
            seen.add(path)
            yield path, line


def _missing(context: CheckContext, path: str) -> bool:
    """Whether there is no file at a path: nothing, or a folder. A link that leads nowhere is told with the files."""
    return document_at(context.workspace, path) is None and context.workspace.tree.kind(path) in ("none", "folder")


def _outside(context: CheckContext, inner: str) -> str:
    """How a path of the manifest leaves the store through a link, or "". A document under its own name doesn't."""
    path = context.store.join(inner)
    document = context.workspace.documents.get(path)
    tree = context.workspace.tree
    if (document is not None and document.problem is None and not document.aliases) or tree.kind(path) == "none":
        return ""
    try:
        real, home = tree.resolve(path), tree.resolve(context.store.path)
    except MemdeskError as error:
        return error.message
    return "" if home == "." or real.startswith(home + "/") else f"leads out of the store, to {real}."


def _decisions(context: CheckContext) -> Iterator[Entry]:
    """The decisions that hold: of decisions.md, and in areas what has a decision's form."""
    for document in context.readable:
        if document.place.role in ("decisions", "area"):
            for entry in document.entries:
                if not entry.struck and entry.kind != "body" and (document.place.role == "decisions" or _is_decision(entry)):
                    yield entry


def _is_decision(entry: Entry) -> bool:
    return "decision" in entry.fields and (entry.date is not None or "reason" in entry.fields)


def _title(entry: Entry) -> str:
    return titled(entry)


NAME = "custodian"
CORE_FILE = Rule(
    "core-file", "error", "a core file that is missing", "Restore it, or write it anew in the form of the others.", "files",
    core_file, NAME,
)
PROTOCOL = Rule(
    "protocol", "error", "no protocol section, or a version that can't be read (a warning: older than 0.5, newer than 0.8)",
    "Give the manifest `- protocol_version: 0.5` in its section `## MemoryCustodian Protocol`.", "manifests", protocol, NAME,
)
ROUTE = Rule(
    "route", "error",
    "no or several sections for a task category or for always-load; an unsafe path; a file twice along one route (a warning)",
    "Mend the manifest: its tasks can't be routed until then.", "sections", route, NAME,
)
ROUTE_FILE = Rule(
    "route-file", "error", "a required file of a route that is missing",
    "Restore it, take the line out, or move it below `Load if present:`.", "files", route_file, NAME,
)
MODULE_INDEX = Rule(
    "module-index", "error", "a file in rules, profiles or areas that isn't indexed, or the reverse",
    "Write ``- `areas/NAME.md`: when to load it``.", "modules", module_index, NAME,
)
DECISION_LENGTH = Rule(
    "decision-length", "warning", "a decision over 120 tokens",
    "Keep what was decided and why; move detail to the code or a design note.",
    "decisions", decision_length, NAME,
)
DECISION_WHY = Rule(
    "decision-why", "warning", "a decision without a reason", "Say why below `Reason:`: without it nobody can re-evaluate it.",
    "decisions", decision_why, NAME,
)
BRIEF_SCAFFOLD = Rule(
    "brief-scaffold", "error", "`TODO:` lines of the scaffold that the brief still holds",
    "Write what the line asks for, or take it out.", "files", brief_scaffold, NAME,
)
INBOX_BACKLOG = Rule(
    "inbox-backlog", "warning", "more than 30 candidates", "Triage the inbox: `memdesk`.", "candidates", inbox_backlog, NAME,
)
MACHINE_PATH = Rule(
    "machine-path", "warning", "an absolute path of a machine (a home folder, a drive; not a URL)",
    "Write it relative to the repository, or with `~` or a variable.", "files", machine_path, NAME,
)
UNREACHABLE = Rule(
    "unreachable", "warning", "an entry or module that no task's route can load",
    "Name the file in the manifest, index it, or archive it.", "files", not_reachable, NAME,
)
OWNER_CLASH = Rule(
    "owner-clash", "error", "two active owners of one scope, subject and facet (protocol 0.6 and later)",
    "Supersede one of them.", "owners", owner_clash, NAME,
)
RULES = (
    CORE_FILE, PROTOCOL, ROUTE, ROUTE_FILE, MODULE_INDEX, DECISION_LENGTH, DECISION_WHY, BRIEF_SCAFFOLD, INBOX_BACKLOG,
    MACHINE_PATH, UNREACHABLE, OWNER_CLASH,
)
