"""The rule over succession: what supersedes what, said on both sides, ending somewhere, and in one place."""

from __future__ import annotations

from memdesk.core.checks.rule import CheckContext, Checked, Rule
from memdesk.core.layouts.records import statuses, statuslines
from memdesk.core.layouts.records.index import Index
from memdesk.core.layouts.records.kept import NAME
from memdesk.core.layouts.records.read import relations_in
from memdesk.core.layouts.texts import shown
from memdesk.core.lean import TYPE_CHECKING

if TYPE_CHECKING:
    from memdesk.core.model import Entry, Finding


def adr_supersession(context: CheckContext) -> Checked:
    """Superseded without an existing successor; one side only; a cycle; two accepted successors of one record."""
    documents = [document for document in context.readable if document.place.role in ("record", "design")]
    index = Index.of(context.workspace, context.shared)
    entries = [document.entries[0] for document in documents if document.entries]
    found: list[Finding] = []
    for entry in entries:
        found += _named(entry, index)
    found += _cycles(entries, index)
    found += _twice(entries, index)
    found.sort(key=lambda finding: (finding.path, finding.line or 0))
    return Checked(len(entries), found)


def _named(entry: Entry, index: Index) -> list[Finding]:
    """What one record says of others, and they of it."""
    found = []
    after = [(target, index.find(entry, target)) for kind, target in entry.relations if kind == "superseded-by"]
    for target, other in after:
        if other is None:
            message = f"It says that {_shown(target)} supersedes it, and there is no such record."
        elif not _says(other, "supersedes", entry, index):
            message = f"It says that {other.path} supersedes it, and that one doesn't say so."
        else:
            continue
        found.append(_finding(entry, message, "superseded-by", target))
    if entry.status == "superseded" and not after:
        found.append(_finding(entry, "It is superseded and doesn't say by which record."))
    for kind, target in entry.relations:
        if kind != "supersedes":
            continue
        other = index.find(entry, target)
        if other is None:
            message = f"It supersedes {_shown(target)}, and there is no such record."
        elif entry.role == "record" and entry.status in _DECIDED and not _says(other, "superseded-by", entry, index):
            message = f"It supersedes {other.path}, and that one doesn't say so."
        else:
            continue
        found.append(_finding(entry, message, kind, target))
    return found


_DECIDED = statuses.CURRENT | {"superseded", "deprecated"}  # a proposal has superseded nothing yet


def _says(entry: Entry, kind: str, other: Entry, index: Index) -> bool:
    return any(one == kind and index.find(entry, target) is other for one, target in entry.relations)


def _cycles(entries: list[Entry], index: Index) -> list[Finding]:
    """Records that end up superseding themselves: each cycle once, at the record that comes first."""
    found = []
    done: set[int] = set()
    for entry in entries:
        path: list[Entry] = []
        at: dict[int, int] = {}
        one: Entry | None = entry
        while one is not None and id(one) not in done and id(one) not in at:
            at[id(one)] = len(path)
            path.append(one)
            one = index.successor(one)
        if one is not None and id(one) in at:
            cycle = path[at[id(one)] :]
            names = " \u2192 ".join(_name(each) for each in [*cycle, cycle[0]])
            first = min(cycle, key=lambda each: each.path)
            target = next(target for kind, target in first.relations if kind == "superseded-by")
            found.append(_finding(first, f"These supersede each other in a circle: {names}.", "superseded-by", target))
        done.update(id(each) for each in path)
    return found


def _twice(entries: list[Entry], index: Index) -> list[Finding]:
    found = []
    after: dict[int, list[tuple[Entry, str]]] = {}
    about: dict[int, Entry] = {}
    for entry in entries:
        if entry.role == "record" and entry.status in statuses.CURRENT:
            for kind, target in entry.relations:
                other = index.find(entry, target) if kind == "supersedes" else None
                if other is not None and all(entry is not one for one, _ in after.setdefault(id(other), [])):
                    after[id(other)].append((entry, target))
                    about[id(other)] = other
    for key, several in after.items():
        if len(several) > 1:
            names = ", ".join(_name(one) for one, _ in several[:-1]) + f" and {_name(several[-1][0])}"
            message = f"{names} supersede {about[key].path} alike, and are accepted: one alone can be its successor."
            found.append(_finding(several[1][0], message, "supersedes", several[1][1]))
    return found


def _finding(entry: Entry, message: str, kind: str = "", target: str = "") -> Finding:
    """A finding at the line that states the relation, else at the status."""
    lines = statuslines.find(entry.document)
    states = (line for line in lines.lines if (kind, target) in relations_in(entry.document, line))
    line = next(states, None) or lines.status
    return ADR_SUPERSESSION.finding(entry.path, entry.line if line is None else line.line, message)


def _name(entry: Entry) -> str:
    return entry.path if entry.number is None else _shown(str(entry.number))


def _shown(target: str) -> str:
    return f"ADR-{int(target):04}" if target.isascii() and target.isdigit() else repr(shown(target))


ADR_SUPERSESSION = Rule(
    "adr-supersession", "error",
    "a superseded record without an existing successor, a succession that one side alone states or that runs in a circle, two "
    "accepted successors of one record",
    "Name the record on both sides: `Superseded by ADR-NNNN` in the old one, `Supersedes ADR-NNNN` in the new one.", "records",
    adr_supersession, NAME,
)
RULES = (ADR_SUPERSESSION,)
