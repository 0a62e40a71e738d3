"""From a draft to a plan: verification, stops, meters before and after, the words on the button."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from datetime import date
from typing import TYPE_CHECKING

from memdesk.core import fields, inbound, layouts, opposing, stops
from memdesk.core.draft import Draft
from memdesk.core.errors import Refused
from memdesk.core.layouts.base import Change, Content, Outcome
from memdesk.core.plan import BudgetChange, Plan, Question, Request, Step
from memdesk.core.verify import Verified, verify

if TYPE_CHECKING:
    from memdesk.core.layouts.base import Layout
    from memdesk.core.model import Document, Entry, Store, Workspace

TITLE = 80  # characters of an entry's title in a summary or a changelog line
_SCANNED = frozenset({"add", "promote", "strike", "merge", "edit", "correct"})  # verbs that stop at secrets and example values


class Action:
    """One verb on its way to a plan."""

    def __init__(
        self, workspace: Workspace, request: Request, today: date, words: dict[str, str], store: Store, layout: Layout,
        entries: list[Entry],
    ) -> None:
        self.workspace = workspace
        self.request = request
        self.today = today
        self.words = words
        self.store = store
        self.layout = layout
        self.entries = entries
        self.draft = Draft(workspace)
        self.warnings: list[str] = []
        self.questions: list[Question] = []
        self.summary = ""
        self.label = ""
        self.named = ""  # the path that the label names, so that its meter needs no name

    def name(self, path: str) -> str:
        """A path as people say it: relative to the store."""
        return self.store.named(path)

    def title(self, entry: Entry) -> str:
        """An entry's title for a summary or a changelog line: on one line, short, values masked."""
        return short(self.layout.said(entry).title)

    def outcome(self, kind: str, to: str = "", reason: str = "", words: Mapping[str, str] | None = None) -> Outcome:
        """How its entries leave, at the time of the request; its own words where none are given."""
        said = self.words if words is None else words
        return Outcome(kind, self.today, to, reason, said, self.request.at, self.request.stamp)

    def change(self, kind: str, text: str) -> Change:
        """How an entry is amended, at the time of the request."""
        return Change(kind, self.today, text, self.words, self.request.at, self.request.stamp)

    def content(self, title: str, text: str, words: Mapping[str, str]) -> Content:
        """What is put somewhere, at the time of the request."""
        return Content(title, text, words, self.today, self.request.at, self.request.stamp)

    def note(self, lines: Sequence[str], other: Store | None = None) -> None:
        """Changelog or log lines, values masked; in the other store too, where one takes part. Not where a layout's own half
        of the action says it."""
        masked = [_masked(line) for line in lines]
        for store in dict.fromkeys([self.store, other or self.store]):
            layout = layouts.get(store.layout)
            if self.request.verb not in layout.logged:
                layout.note(self.draft, store, masked, self.today, self.request.at)


def finish(action: Action) -> Plan:
    """The plan of an action's draft. Raises Refused where it would not mean what it says, or writes what must not be."""
    draft = action.draft
    followed = inbound.follow(draft, " ".join(action.warnings))
    changed = {path: verify(work) for path, work in draft.works.items() if work.changed and not work.removed}
    for path, verified in changed.items():
        _stop(action, path, verified)
    budgets = _budgets(action, changed)
    ids = [
        entry.id for kind in ("made", "amended") for verified in changed.values()
        if verified.document.place.tier not in ("log", "index") for entry in getattr(verified, kind)
    ]
    opposed = opposing.refuse(action.workspace, list(changed.values())) if action.request.verb == "promote" else []
    warnings = [*action.warnings, *followed, *opposed, *_remarks(changed), *_meters(action, budgets)]
    label = " · ".join([_masked(action.label), *_meter_words(action, budgets)])
    return Plan(
        request=action.request, summary=_masked(action.summary), label=label,
        steps=draft.steps(), reads=draft.bound(), budgets=tuple(budgets), warnings=tuple(warnings),
        questions=tuple(action.questions), new_ids=tuple(ids),
        log_only=frozenset(path for path, verified in changed.items() if verified.document.place.tier == "log"),
    )


def new_files(workspace: Workspace, request: Request, folder: str, files: Mapping[str, bytes]) -> Plan:
    """The plan that makes files which are not there; those that are stay as they are. Raises Refused when none is left."""
    tree = workspace.tree
    steps: list[Step] = []
    made: set[str] = set()
    reads: dict[str, str | None] = {}
    kept = []
    for path, data in files.items():
        if tree.kind(path) != "none":
            kept.append(path)
            reads[path] = tree.digest(path)
            continue
        missing = []
        parent = path.rpartition("/")[0]
        while parent and parent not in made and tree.kind(parent) == "none":
            made.add(parent)
            missing.append(Step("mkdir", parent))
            parent = parent.rpartition("/")[0]
        steps += [*reversed(missing), Step("create", path, None, data)]
    created = sum(step.kind == "create" for step in steps)
    if not created:
        raise Refused("All files of a new store are there already; nothing is overwritten.", path=folder)
    warnings = tuple(f"{path} is there and stays as it is." for path in kept)
    words = f"a store {'here' if folder == '.' else f'in {folder}'} ({count(created, 'file', 'files')})"
    return Plan(request, f"Made {words}.", f"Make {words}", tuple(steps), reads, warnings=warnings)


def landed(action: Action, path: str, before: Collection[str]) -> str:
    """The file that a promoted text went to: the destination's own, or the first that was made or changed in that folder."""
    folder = "" if path == "." else path + "/"
    inside = (one for one in action.draft.works if one not in before and one.startswith(folder))
    return path if path in action.draft.works else next(inside, path)


def promoted(action: Action, title: str, entry: Entry, path: str) -> str:
    """What a promotion did, for the summary and the changelog; a candidate may be accepted where it stands."""
    if path == entry.path:
        return f'Accepted "{title}" in {action.name(path)}.'
    return f'Promoted "{title}" from {action.name(entry.path)} to {action.name(path)}.'


def short(text: str) -> str:
    """A text on one line, cut at a word where it is longer than a title may be; values are masked before that."""
    line = " ".join(text.split())
    if len(line) <= TITLE:
        return line
    line = _masked(line)
    if len(line) <= TITLE:
        return line
    return line[: TITLE - 1].rsplit(" ", 1)[0].rstrip(" ,;:") + "…" if " " in line[:TITLE] else line[: TITLE - 1] + "…"


def because(words: Mapping[str, str]) -> str:
    """The reason that was given, behind what was done, on one line."""
    reason = " ".join(words.get("reason", "").split()).rstrip(".")
    return f": {reason}" if reason else ""


def count(number: int, one: str, several: str) -> str:
    return f"{number} {one if number == 1 else several}"


def several(action: Action) -> str:
    """How many entries an action is about, to stand in its label; "" for one."""
    return f" {len(action.entries)} entries" if len(action.entries) > 1 else ""


def summary(action: Action, verb: str, tail: str, lines: Sequence[str]) -> str:
    """What an action did in one sentence: its only line, or how many entries, where from and (`tail`) where to."""
    if len(lines) == 1:
        return lines[0]
    source = sorted({action.name(entry.path) for entry in action.entries})
    end = f" {tail}" if tail else ""
    return f"{verb} {len(action.entries)} entries from {', '.join(source)}{end}."


def _stop(action: Action, path: str, verified: Verified) -> None:
    """What must not be written, whoever writes it (verbs.md: Authority; example values and secrets)."""
    verb = action.request.verb
    work = action.draft.works[path]
    fresh = list(verified.made)
    old_tags = {entry.tag for entry in work.document.entries}
    if verb in ("edit", "merge", "correct"):
        fresh += verified.amended
    if not action.request.person:
        for entry in [*verified.made, *verified.amended]:
            stated = "stated" in _tags(entry)
            claimed = stated and ("stated" not in old_tags or entry in verified.made)
            if claimed and verb in _SCANNED:
                evidence = "[stated" not in entry.text.casefold()  # that a person confirmed it, which counts as the tag
                raise Refused(
                    "Only a person can state: " + (
                        "the evidence says that one confirmed it." if evidence else "the text claims the tag `stated`."
                    ),
                    path=path, line=entry.line, field="evidence" if evidence else "tag",
                    remedy="Name other evidence; or a person says it (--as NAME)." if evidence
                    else "Use observed, inferred or suggested.",
                )
    if verb in ("add", "promote", "strike"):
        for entry in verified.made:
            if entry.struck or (verb == "add" and entry.role == "inbox" and not entry.candidate):
                raise Refused(
                    "The text would be read as struck or closed already.", path=path, line=entry.line, field="text",
                    remedy="Take the ~~ or the status out.",
                )
    tombstones = verb == "reject" and verified.document.place.tier == "durable"
    if verb in _SCANNED or tombstones:
        for entry in fresh:
            stops.hidden(entry.text, "text", path)
        stops.values((path, entry.text) for entry in fresh if entry.tier != "log")
    if verb in ("strike", "reject"):
        stops.values(((path, edit.new.decode("utf-8", "replace")) for edit in work.edits if edit.owner >= 0), "reason")


def _tags(entry: Entry) -> list[str]:
    """The tags that an entry begins with: one behind another would be the first once that is taken off."""
    found = [entry.tag] if entry.tag else []
    tag, rest = fields.split_tag(entry.fields.get("text", ""))
    while tag:
        found.append(tag)
        tag, rest = fields.split_tag(rest)
    return found


def _budgets(action: Action, changed: Mapping[str, Verified]) -> list[BudgetChange]:
    """Meters of what is touched and has a cap, and how many candidates wait before and after."""
    found = []
    for path, verified in changed.items():
        work = action.draft.works[path]
        old = {budget.unit: budget.used for budget in work.document.budgets()} if work.before is not None else {}
        found += [
            BudgetChange(path, after.unit, old.get(after.unit, 0), after.used, after.cap)
            for after in verified.document.budgets() if after.cap is not None
        ]
        waiting = _waiting(work.document), _waiting(verified.document)
        if waiting[0] != waiting[1]:
            found.append(BudgetChange(path, "candidates", *waiting, None))
    return found


def _waiting(document: Document) -> int:
    return sum(entry.candidate for entry in document.entries)


def _meter_words(action: Action, budgets: Sequence[BudgetChange]) -> list[str]:
    """The meters as the button says them: `640 → 671 of 800 tokens`, `inbox 12 → 11`."""
    out = []
    for change in sorted(budgets, key=lambda change: (change.cap is None, change.path != action.named)):
        name = action.name(change.path).rpartition("/")[2].removesuffix(".md")
        if change.cap is None and _is_candidate(action, change.path):
            continue  # the label says what becomes of it
        if change.cap is None:
            out.append(f"{name} {change.before} → {change.after}")
        elif name != "changelog" and change.before != change.after:
            prefix = "" if action.name(change.path) in action.label else f"{name} "
            out.append(f"{prefix}{change.before} → {change.after} of {change.cap} {change.unit}")
    return out


def _is_candidate(action: Action, path: str) -> bool:
    """Whether a file is one candidate as a whole, so that there is nothing in it to count."""
    document = action.workspace.documents.get(path)
    return document is not None and [entry.kind for entry in document.entries] == ["file"]


def _meters(action: Action, budgets: Sequence[BudgetChange]) -> list[str]:
    """Warnings of meters that grow to their cap, or near it."""
    reading = getattr(action.workspace, "reading", None)
    near = reading.settings.budget.near if reading is not None else 0.8
    out = []
    for change in budgets:
        if change.cap is None or change.after <= change.before:
            continue
        name, use = action.name(change.path), f"{change.after} of {change.cap} {change.unit}"
        if change.after > change.cap:
            lost = "A pack leaves out what doesn't fit." if change.unit == "tokens" else "What is past its cap is not read."
            out.append(f"{name} goes over its budget: {use}. {lost}")
        elif change.after >= near * change.cap:
            out.append(f"{name} comes near its budget: {use}.")
    return out


def _remarks(changed: Mapping[str, Verified]) -> list[str]:
    return [
        remark for verified in changed.values() for entry in [*verified.made, *verified.amended]
        for remark in layouts.get(entry.layout).remarks(entry)
    ]


def _masked(text: str) -> str:
    from memdesk.core.checks.secrets import mask

    return mask(text)


def standing(document: Document, texts: Sequence[str]) -> list[Entry]:
    """The entries of a document that hold and say just what one of these texts says; white space and case aside."""
    from memdesk.core.near import signature

    wanted = {" ".join(text.split()).casefold() for text in texts}
    longest = [max(re.findall(r"[A-Za-z0-9]+", text), key=len, default="").lower().encode("ascii") for text in texts]
    data = document.data.lower()
    if not any(word in data for word in longest):
        return []  # spares the parsing of what can't hold them
    return [
        entry for entry in document.entries
        if not (entry.struck or entry.candidate) and not wanted.isdisjoint(signature(entry).texts)
    ]


def equal_entries(workspace: Workspace, store: Store, text: str) -> list[Entry]:
    """Entries of a store that say just this; tags, brackets, case and white space aside. Files without its longest word
    aren't parsed."""
    from memdesk.core.near import stated

    wanted = " ".join(text.split()).casefold()
    longest = max(re.findall(r"[A-Za-z0-9]+", text), key=len, default="").lower().encode("ascii")
    return [
        entry for document in workspace.documents_of(store) if longest in document.data.lower() for entry in document.entries
        if any(
            " ".join(one.split()).casefold() == wanted
            for one in (entry.fields.get("text", fields.split_date(entry.heading)[1]), *stated(entry))
        )
    ]
