"""The verb `compact`: the memory is replaced, and the fragments that were read go to the archive, in one transaction."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import date
from hashlib import sha256
from typing import TYPE_CHECKING

from memdesk.core import asked, compose, judgments, layouts, stops, tracked
from memdesk.core.checks.secrets import mask
from memdesk.core.compacting import checking, drafting, keys
from memdesk.core.compacting.account import CARRIED, LEFT, Account, Row
from memdesk.core.compacting.checking import Checked
from memdesk.core.compacting.materials import Materials, features, gather, subject
from memdesk.core.draft import Draft, writable
from memdesk.core.errors import Refused
from memdesk.core.layouts.texts import titled
from memdesk.core.plan import Plan, Question, Request, Step

if TYPE_CHECKING:
    from memdesk.core.compacting.form import Reasons
    from memdesk.core.model import Workspace


def request(materials: Materials, text: str | None = None, left: Reasons | None = None) -> Request:
    """The request for these very materials. `text`: the draft as a person edited it or a command made it; None: the one that
    is made without a model, without what is `left` out."""
    words = {"feature": materials.feature, "read": materials.read}
    if text is not None:
        words["text"] = text
    if left:
        words["left"] = json.dumps(dict(left), sort_keys=True)
    return Request("compact", words=words, store=materials.store.path)


def plan(workspace: Workspace, request: Request, words: Mapping[str, str], today: date) -> Plan:
    """`words`: feature; text, read, left as `request` has them; by: who decides. What came since the materials were read is
    left alone, and named in the warnings.

    Raises UsageError (an unknown feature), Refused (a draft with a problem, see `checking`; a text that was made from what has
    changed since), ReadOnly, StoreError.
    """
    store = asked.store(workspace, request, [])
    writable(store)
    layout = layouts.get(store.layout)
    if request.verb not in layout.verbs:
        what = f"There is no {request.verb} in a store of this layout: {layout.title}."
        raise Refused(what, path=store.path, remedy=f"There is {', '.join(sorted(layout.verbs))}.")
    feature = words.get("feature", "").strip()
    if not feature:
        known = ", ".join(features(workspace, store))
        raise Refused("Which feature?", remedy=f"Known: {known}." if known else "There is none yet.", field="feature")
    materials = gather(workspace, store, feature, words.get("read", ""))
    text = words.get("text")
    if text is not None and materials.changed:
        named = ", ".join(map(store.named, materials.changed))
        raise Refused(f"The draft was made from what has changed since: {named}.", remedy="Draft again.", field="read")
    left = reasons(words.get("left", ""))
    stamp = request.stamp or f"{today.isoformat()}T00:00:00Z"
    bound = request._replace(words={**request.words, "read": materials.read})
    if text is None and materials.empty:
        return Plan(bound, f"There is nothing to compact in {feature}.", f"Nothing to compact in {feature}", ())
    data = drafting.draft(materials, stamp, left) if text is None else drafting.fitted(materials, text, stamp)
    checked = checking.check(materials, data, left)
    if checked.problems:
        raise checking.refusal(materials, checked.problems)
    draft = _moved(workspace, materials, today)
    steps = [*_memory(workspace, materials, data, draft), *_judged(workspace, materials, checked.account, words, today)]
    fragments = compose.count(len(materials.fragments), "fragment", "fragments")
    done = f"{checked.account.summary}; {fragments} archived"
    return Plan(
        bound, f"Compacted {feature}: {done}.", f"Compact {feature}: {done}", tuple(steps), _reads(materials, draft),
        warnings=(*materials.warnings, *_said(materials, checked)), questions=tuple(_asks(materials, checked, request)),
        new_ids=_made(checked), details={"account": checked.account},
    )


def reasons(given: str) -> dict[str, str]:
    """Why entries are left out, by id, from the word `left`. Raises Refused for what is none, or holds what hides or steers."""
    if not given.strip():
        return {}
    try:
        found = json.loads(given)
        fit = isinstance(found, dict) and all(isinstance(value, str) for value in found.values())
    except (ValueError, RecursionError):
        fit = False
    if not fit:
        raise Refused("What is left out is not told in a known form.", remedy='Write {"ID": "why", ...}.', field="left")
    return {ident: " ".join(stops.clean(why, "reason").split()) for ident, why in found.items() if why.strip()}


# Below: the steps


def _moved(workspace: Workspace, materials: Materials, today: date) -> Draft:
    """The fragments that were read, each on its way to the archive, to the byte."""
    draft = Draft(workspace)
    for fragment in materials.fragments:
        path = materials.archived(fragment.document, today)
        stem, number = path.removesuffix(".md"), 1
        while path in draft.works or workspace.tree.kind(path) != "none":
            number += 1
            path = f"{stem}-{number}.md"
        draft.move(fragment.document, path)
    return draft


def _memory(workspace: Workspace, materials: Materials, data: bytes, draft: Draft) -> Sequence[Step]:
    """The memory first, then what it was made from."""
    memory = materials.memory
    if memory is None:
        if workspace.tree.kind(materials.path) == "file" and draft.look(materials.path) is None:
            what = "There is a file that was not read: it came just now, or the settings leave it out."
            raise Refused(what, path=materials.path, remedy="Try again, else see `memdesk config` (stores.ignore).")
        made = draft.make(materials.store, materials.path, data)
        if made.path != materials.path:  # by a link or a second name: what was drafted would stand nowhere
            what = f"It is another name of {materials.store.named(made.path)}, which is not this feature's memory."
            raise Refused(what, path=materials.path, remedy="Put a file of its own there, or take the link away.")
        steps = draft.steps()
        folders = [step for step in steps if step.kind == "mkdir"]
        memories = [step for step in steps if step.path == materials.path]
        return [*folders, *memories, *(step for step in steps if step.kind != "mkdir" and step.path != materials.path)]
    if data == memory.data:
        return draft.steps()
    return [Step("replace", memory.path, memory.data, data, workspace.tree.mode(memory.path)), *draft.steps()]


def _judged(
    workspace: Workspace, materials: Materials, account: Account, words: Mapping[str, str], today: date
) -> Sequence[Step]:
    """The reasons for what was left out, in the tracked file of judgments: the archive is kept for a while alone, and progress
    notes, which stay where they are, would be asked about again."""
    groups: dict[str, list[str]] = {}
    for row in account.of(LEFT):
        known_by = [keys.key_of(row.entry)] if row.noted is not None else keys.keys_of(row.entry)
        groups.setdefault(row.reason, []).extend(map(judgments.digest, known_by))
    if not groups:
        return ()
    before = tracked.data(workspace.tree, judgments.PATH)
    known = [] if before is None else judgments.parse(before)
    by = words.get("by", "").strip() or "unknown"
    made = []
    for why, digests in groups.items():
        stops.values([(judgments.PATH, why)], "reason")
        wanted = tuple(sorted(set(digests)))
        if not any(one.reason == why and one.kind == subject(materials.feature) and one.digests == wanted for one in known):
            made.append(judgments.Judgment("refused", subject(materials.feature), wanted, why, by, today.isoformat()))
    if not made:
        return ()
    return tracked.steps(workspace.tree, judgments.PATH, before, judgments.appended(before, *made))


def _reads(materials: Materials, draft: Draft) -> dict[str, str | None]:
    """What else the plan was made from: the progress notes, and absences."""
    reads = draft.bound()
    if materials.notes is not None:
        reads[materials.notes.path] = sha256(materials.notes.data).hexdigest()
    if materials.memory is not None:
        reads.pop(materials.memory.path, None)
    return reads


# Below: what is said of it


def _said(materials: Materials, checked: Checked) -> list[str]:
    """What vanishes of the memory, named."""
    name = materials.store.named
    return [
        mask(f"{name(row.entry.path)}:{row.entry.line} goes from the memory: {titled(row.entry, 60)} ({row.reason})")
        for row in checked.account.of(LEFT) if row.noted is None
    ]


def _asks(materials: Materials, checked: Checked, request: Request) -> list[Question]:
    """What agents wrote as `stated` only a person can state, and not several at once by one key (verbs.md, Authority)."""
    claimed = _claimed(checked)
    if not claimed:
        return []
    if not request.person:
        raise Refused(
            "Only a person can state: what would be carried claims the tag `stated`.", path=materials.path,
            line=claimed[0].entry.line, field="tag", remedy="Confirm it at a terminal, or with --as NAME.",
        )
    answer = request.answers.get("authority", "")
    if answer == "each":
        raise Refused("Leave out what was not approved, with a reason.", path=materials.path, field="left")
    if len(claimed) < 2 or answer == "one":
        return []
    what = f"{len(claimed)} entries would become `stated` at once. Were they approved?"
    return [Question("authority", what, (("one", "All of them"), ("each", "Not all")))]


def _claimed(checked: Checked) -> list[Row]:
    return [row for row in checked.account.of(CARRIED) if row.entry.tag == "stated"]


def _made(checked: Checked) -> tuple[str, ...]:
    """The ids of what is carried, as it stands in the memory."""
    lines = {row.line for row in checked.account.of(CARRIED)}
    return tuple(entry.id for entry in checked.document.entries if entry.line in lines)
