"""The rule over succession: what supersedes what, said on both sides, ending somewhere, and in one place."""

from __future__ import annotations

from memdesk.core.checks.rule import CheckContext, Checked, Rule
from memdesk.core.layouts.records import statuses
from memdesk.core.layouts.records.index import Index
from memdesk.core.layouts.records.kept import NAME
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
    found = []
    after = [(target, index.find(entry, target)) for kind, target in entry.relations if kind == "superseded-by"]
    for target, other in after:
        if other is None:
            found.append(_finding(entry, f"It says that {_shown(target)} supersedes it, and there is no such record."))
        elif entry not in [index.find(other, named) for kind, named in other.relations if kind == "supersedes"]:
            found.append(_finding(entry, f"It says that {_name(other)} supersedes it, and that one doesn't say so."))
    if entry.status == "superseded" and not after:
        found.append(_finding(entry, "It is superseded and doesn't say by which record."))
    for kind, target in entry.relations:
        if kind != "supersedes":
            continue
        other = index.find(entry, target)
        if other is None:
            found.append(_finding(entry, f"It supersedes {_shown(target)}, and there is no such record."))
        elif entry.status in statuses.CURRENT and entry.role == "record" and entry not in [
            index.find(other, named) for back, named in other.relations if back == "superseded-by"
        ]:
            found.append(_finding(entry, f"It supersedes {_name(other)}, and that one doesn't say so."))
    return found


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
            found.append(_finding(min(cycle, key=lambda each: each.path), f"These supersede each other in a circle: {names}."))
        done.update(id(each) for each in path)
    return found


def _twice(entries: list[Entry], index: Index) -> list[Finding]:
    found = []
    after: dict[int, list[Entry]] = {}
    about: dict[int, Entry] = {}
    for entry in entries:
        if entry.role == "record" and entry.status in statuses.CURRENT:
            for kind, target in entry.relations:
                other = index.find(entry, target) if kind == "supersedes" else None
                if other is not None and entry not in after.setdefault(id(other), []):
                    after[id(other)].append(entry)
                    about[id(other)] = other
    for key, several in after.items():
        if len(several) > 1:
            names = " and ".join(_name(one) for one in several)
            found.append(_finding(several[1], f"{names} both supersede {_name(about[key])}, and both are accepted."))
    return found


def _finding(entry: Entry, message: str) -> Finding:
    from memdesk.core.layouts.records import statuslines

    lines = statuslines.find(entry.document)
    line = lines.status.line if lines.status else lines.relations[0].line if lines.relations else entry.line
    return ADR_SUPERSESSION.finding(entry.path, line, message)


def _name(entry: Entry) -> str:
    return f"{entry.path.rpartition('/')[2]}"


def _shown(target: str) -> str:
    return f"number {target}" if target.isdigit() else repr(shown(target))


ADR_SUPERSESSION = Rule(
    "adr-supersession", "error",
    "a superseded record without an existing successor, a succession that one side alone states, a circle, two accepted ones",
    "Name the record on both sides: `Superseded by ADR-NNNN` in the old one, `Supersedes ADR-NNNN` in the new one.", "records",
    adr_supersession, NAME,
)
RULES = (ADR_SUPERSESSION,)
