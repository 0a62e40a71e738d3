"""The rules over the change: what is added says where it came from, what is struck stays, what is archived is frozen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from memdesk.core.checks.rule import CheckContext, Checked, Rule
from memdesk.core.layouts.agent_memory import facts
from memdesk.core.layouts.agent_memory.detect import NAME, within
from memdesk.core.layouts.agent_memory.lint import Lint
from memdesk.core.layouts.texts import shown
from memdesk.core.lean import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from memdesk.core.gitdiff import FileChange
    from memdesk.core.model import Finding, Store


def disk_provenance(context: CheckContext) -> Checked:
    """Added fact lines of durable files: each has a tag, or is struck."""
    if context.change is None:
        return context.without_change()
    lint: Lint = context.store.settings
    found: list[Finding] = []
    checked, files = 0, 0
    for change in context.change.files:
        if not change.added or not _durable(context, change.path):
            continue
        plain = list(facts.plain(change.added, lint.tags)) if lint.file else []
        strict = _added_facts(context, change)
        deciding = plain if lint.file else strict
        checked += len(deciding)
        files += bool(deciding)
        found += _bare(change.path, plain, strict, lint)
    return Checked(checked, found, also=_count(files, "file"))


def disk_history(context: CheckContext) -> Checked:
    """Struck lines that leave durable files and don't come again in a durable or archive file, as often as they left."""
    if context.change is None:
        return context.without_change()
    lint: Lint = context.store.settings
    lost = [gone for change in context.change.files for gone in _struck_gone(context, change, lint)]
    kept: Counter[str] = Counter()
    if lost:
        wanted = {gone.text for gone in lost}
        for change in context.change.files:
            for line in _came(context, change):
                text = facts.trimmed(line)
                if text in wanted:
                    kept[text] += 1
    found = []
    for gone in lost:
        if kept[gone.text] > 0:
            kept[gone.text] -= 1
            continue
        message = f"The change loses a struck line (line {gone.number} of {gone.was}): {shown(gone.text, 100)!r}."
        if lint.file and not gone.plain:
            hint = "Its tool doesn't see it, since the strike goes over several lines. " + DISK_HISTORY.remedy
            found.append(DISK_HISTORY.finding(gone.path, None, message, hint, severity="warning"))
        else:
            found.append(DISK_HISTORY.finding(gone.path, None, message))
    return Checked(len(lost), found)


def tape_frozen(context: CheckContext) -> Checked:
    """Files of the archive that the change edits, deletes or takes out. Adding one, or moving one in as it is, is fine."""
    if context.change is None:
        return context.without_change()
    lint: Lint = context.store.settings
    found: list[Finding] = []
    checked = 0
    for change in context.change.files:
        before = change.status != "added" and _archived(context.store, change.old_path or change.path, lint)
        after = change.status != "deleted" and _archived(context.store, change.path, lint)
        if not before and not after:
            continue
        checked += 1
        if change.status == "added":
            continue
        unchanged = not change.added and not change.removed
        if change.status == "renamed" and after and unchanged:
            continue
        line = change.added[0][0] if change.added and change.status != "retyped" else None
        found.append(TAPE_FROZEN.finding(change.path, line, f"The change {_deed(change, after, unchanged)}."))
    return Checked(checked, found)


def _added_facts(context: CheckContext, change: FileChange) -> list[facts.Fact]:
    """The facts of a file, by the strict reading, of which the change adds any line."""
    document = context.workspace.documents.get(change.path)
    if document is None:
        return []
    lines = {number for number, _ in change.added}
    return [
        fact for fact in facts.of(context, document)
        if fact.line in lines or (fact.line < fact.end_line and not lines.isdisjoint(range(fact.line, fact.end_line + 1)))
    ]


def _bare(path: str, plain: list[facts.Fact], strict: list[facts.Fact], lint: Lint) -> Iterator[Finding]:
    known = {line: fact for fact in strict for line in range(fact.line, fact.end_line + 1)}
    wrong = set()
    excused = {fact.line for fact in plain if not fact.bare}
    for fact in plain:
        if fact.bare:
            wrong.add(fact.line)
            seen = known.get(fact.line)
            hint = DISK_PROVENANCE.remedy
            if seen is None:
                hint += " By Markdown's reading this is no list item (code, a comment); the tool of memory-lint.json counts it."
            elif not seen.bare:
                hint += " The tool of memory-lint.json looks only at the line with the marker."
            yield DISK_PROVENANCE.finding(path, fact.line, f"An added fact has no tag: {shown(fact.text, 100)!r}.", hint)
    for fact in strict:
        if fact.bare and fact.line not in wrong:
            message = f"An added fact has no tag: {shown(fact.text, 100)!r}."
            if lint.file is None:
                yield DISK_PROVENANCE.finding(path, fact.line, message)
                continue
            hint = "What the tool of memory-lint.json takes for a tag or strike is none in Markdown: it is code or a comment."
            if fact.line in excused:
                yield DISK_PROVENANCE.finding(path, fact.line, message, hint, severity="warning")
            else:
                yield DISK_PROVENANCE.finding(path, fact.line, message, severity="warning")


class _Gone(NamedTuple):
    """A struck line that left: where the file is (or was) now, its old name and line, its text without outer space, and
    whether the plain reading sees it."""

    path: str
    was: str
    number: int
    text: str
    plain: bool


def _struck_gone(context: CheckContext, change: FileChange, lint: Lint) -> Iterator[_Gone]:
    """The struck lines that a change takes out of a durable file, or out of the durable files with it."""
    was = change.old_path or change.path
    if change.status == "added" or not _durable(context, was):
        return
    away = change.status == "renamed" and not _keeps(context, change.path)
    if not away and not any("~~" in text for _, text in change.removed):
        return
    old = _old_lines(context, change) if away or _needs_markdown(change, lint) else None
    removed = list(enumerate(old, 1)) if away and old is not None else list(change.removed)
    strict: set[int] = set()
    if old is not None:
        from memdesk.core import markdown

        strict = facts.struck_lines(markdown.parse("\n".join(old).encode("utf-8", "surrogateescape")))
    for number, text in removed:
        plain = facts.plainly_struck(text)
        if number in strict or (plain and lint.file is not None):
            yield _Gone(change.path, was, number, facts.trimmed(text), plain)


def _needs_markdown(change: FileChange, lint: Lint) -> bool:
    """Whether single lines don't settle it: without a settings file, or where a strike may go over several lines."""
    return lint.file is None or any("~~" in text and not facts.plainly_struck(text) for _, text in change.removed)


def _old_lines(context: CheckContext, change: FileChange) -> list[str]:
    """The lines of a file before the change."""
    from memdesk.core.gitdiff import before

    return before(change, _new_data(context, change))


def _new_lines(context: CheckContext, change: FileChange) -> list[str]:
    from memdesk.core.gitdiff import whole

    data = _new_data(context, change)
    return [] if data is None else [text for _, text in whole(change.path, data).added]


def _new_data(context: CheckContext, change: FileChange) -> bytes | None:
    from memdesk.core.errors import MemdeskError

    document = context.workspace.documents.get(change.path)
    try:
        return context.workspace.tree.read(change.path) if document is None else document.data
    except MemdeskError:
        return None


def _came(context: CheckContext, change: FileChange) -> Iterator[str]:
    """The lines that a change brings to durable and archive files."""
    if not _keeps(context, change.path):
        return
    if change.status == "renamed" and change.old_path is not None and not _keeps(context, change.old_path):
        yield from _new_lines(context, change)
    else:
        yield from (text for _, text in change.added)


def _durable(context: CheckContext, path: str) -> bool:
    lint: Lint = context.store.settings
    return path.endswith(".md") and _mine(context, path) and within(context.store.named(path), lint.durable)


def _keeps(context: CheckContext, path: str) -> bool:
    return _durable(context, path) or (_archived(context.store, path, context.store.settings) and _mine(context, path))


def _archived(store: Store, path: str, lint: Lint) -> bool:
    inner = store.inner(path)
    return inner is not None and within(inner, lint.archive)


def _mine(context: CheckContext, path: str) -> bool:
    """Whether a path, present or not, is of this store and not of one inside it."""
    document = context.workspace.documents.get(path)
    if document is not None:
        return document.store is context.store
    from memdesk.core import layouts

    own = context.store
    return own.inner(path) is not None and not any(
        store.path != own.path and own.inner(store.path) is not None and store.inner(path) is not None
        and layouts.get(store.layout).classify(store, path) is not None
        for store in context.workspace.stores if store is not own
    )


def _deed(change: FileChange, after: bool, unchanged: bool) -> str:
    if change.status == "deleted":
        return "deletes an archived file"
    if change.status == "renamed" and not after:
        return f"takes {change.old_path} out of the archive"
    if change.status == "renamed":
        return f"edits {change.old_path} as it moves into or within the archive"
    if change.status in ("retyped", "submodule"):
        return "changes what an archived file is (a file, a link, a repository)"
    if change.status == "mode":
        return "changes the permissions of an archived file"
    if unchanged:
        return "leaves an archived file in conflict"
    return f"edits an archived file: {_count(len(change.added), 'line')} added, {len(change.removed)} removed"


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"


DISK_PROVENANCE = Rule(
    "disk-provenance", "error", "an added fact line of a durable file with neither a tag nor a struck span",
    "Say where it came from: `[stated]`, `[observed]`, `[inferred]` or `[suggested]` (or the tags that memory-lint.json sets).",
    "added fact lines", disk_provenance, NAME, of_change=True,
)
DISK_HISTORY = Rule(
    "disk-history", "error", "a struck line gone from the durable files, and not in a durable or archive file instead",
    "Put the line back to the letter, or move it to the archive: what is superseded stays, struck.", "removed struck lines",
    disk_history, NAME, of_change=True,
)
TAPE_FROZEN = Rule(
    "tape-frozen", "error", "an archived file that the change edits, deletes, takes out or makes something else of",
    "Restore it: the archive is frozen. What is new goes into a new file.", "changed archive files", tape_frozen, NAME,
    of_change=True,
)
RULES = (DISK_PROVENANCE, DISK_HISTORY, TAPE_FROZEN)
