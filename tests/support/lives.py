"""A store's life: random real verbs, each from a freshly opened desk, as over many restarts."""

from __future__ import annotations

import os
from collections.abc import Mapping
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from memdesk.core import actions
from memdesk.core.clock import Clock
from memdesk.core.desk import Desk
from memdesk.core.errors import MemdeskError
from memdesk.core.model import Entry
from memdesk.core.plan import Receipt, Request
from tests.support.stores import MEMORY

BEGIN = datetime(2026, 11, 28, 21, 0)
LOG = f"{MEMORY}/changelog.md"
VERBS = ("add", "archive", "edit", "forget", "init", "merge", "promote", "reject", "strike")
# About conflicts or proposals, or of another layout: no life here has them.
APART = {"dismiss", "resolve", "renumber", "correct", "reindex", "clear", "prune", "refuse", "session", "compact"}
assert set(actions.KNOWN) <= {*VERBS, *APART}, "a new verb belongs into these lives"

TEXTS = st.sampled_from([
    "Herons nest late", "Count at dawn\n\n- first\n- then the gulls", "Zo\u00eb's lamp is `~~broken~~`", "\u5b58\u50a8 first",
    "A fence:\n\n```\n## no heading\n```", "x", "two  spaces  stay", "Sites report late #1",
])
REASONS = st.sampled_from(["because", "It was so: seen twice.", "Zo\u00eb said"])
TAGS = st.sampled_from(["", "observed", "inferred", "stated"])


class Life:
    """A workspace with files as given. Every call opens a desk of its own, hours after the last."""

    def __init__(self, root: Path, files: Mapping[str, bytes]) -> None:
        self.root = root
        self.hours = 0
        for path, data in files.items():
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_bytes(data)

    def desk(self, **options: Any) -> Desk:
        self.hours += 2
        return Desk.open(str(self.root), clock=Clock(BEGIN + timedelta(hours=self.hours)), user_config=None, **options)

    def act(self, draw: st.DataObject) -> Receipt | None:
        """One random action; None where there was nothing to do, or it was refused and wrote nothing."""
        desk = self.desk()
        request = chosen(draw, desk)
        if request is None:
            return None
        before = self.files()
        try:
            receipt = desk.perform(request, "Ada")
        except MemdeskError:
            assert self.files() == before
            return None
        return receipt if receipt.id is not None else None

    def undo(self, ident: str | None = None) -> str:
        """Takes back one, or the newest in effect; gives the id of the undo. Raises Refused."""
        desk = self.desk()
        receipt = desk.commit(desk.undo(ident), "Ada")
        assert receipt.id is not None
        return receipt.id

    def files(self) -> dict[str, bytes]:
        """All files but memdesk's own, and each folder (as `path/`)."""
        found: dict[str, bytes] = {}
        for folder, folders, names in os.walk(self.root):
            folders[:] = [name for name in folders if name not in (".git", ".memdesk")]
            for name in folders:
                found[os.path.relpath(os.path.join(folder, name), self.root) + "/"] = b""
            for name in names:
                path = os.path.join(folder, name)
                found[os.path.relpath(path, self.root)] = Path(path).read_bytes()
        return found

    def memory(self) -> dict[str, bytes]:
        """`files` without the log."""
        return {path: data for path, data in self.files().items() if path != LOG}

    def log(self) -> bytes:
        return (self.root / LOG).read_bytes() if (self.root / LOG).exists() else b""


def chosen(draw: st.DataObject, desk: Desk) -> Request | None:
    """A request that fits what is there."""
    def pick(strategy: Any) -> Any:
        return draw.draw(strategy)

    def some(entries: list[Entry], most: int = 3) -> tuple[str, ...]:
        found = pick(st.lists(st.sampled_from(entries), min_size=1, max_size=most, unique_by=id))
        return tuple(entry.id for entry in found)

    verb = pick(st.sampled_from([*VERBS, "promote", "promote", "reject", "strike"]))
    candidates = desk.candidates()
    accepted = [entry for entry in desk.workspace.entries() if not entry.candidate and entry.tier != "archive"]
    entries = [*candidates, *accepted]
    words: dict[str, str] = {}
    ids: tuple[str, ...] = ()
    answers: dict[str, str] = {}
    if verb == "init":
        path = pick(st.sampled_from(["docs/other", "docs/deep/memory"]))
        return Request("init", (), {"layout": "custodian", "path": path}, person=True)
    if verb == "add":
        words = {"text": pick(TEXTS), "tag": pick(st.sampled_from(["", "observed"]))}
    elif verb == "forget":
        words = {"topic": pick(st.sampled_from(["herons", "site", "w1"])), "mode": pick(st.sampled_from(["soft", "hard"]))}
        words["confirmed"] = "yes"
    elif verb == "promote":
        if not candidates:
            return None
        ids = some(candidates)
        to = pick(st.sampled_from(desk.destinations(ids))).id
        name = pick(st.sampled_from(["fresh", "Zo\u00eb s"])) if to.endswith(":") else ""
        words = {"to": to + name, "reason": pick(REASONS)}
        words["tag"] = pick(TAGS) if len(ids) == 1 else ""
        if len(ids) == 1:
            words["title"] = pick(st.sampled_from(["", "A title of its own"]))
    elif verb == "merge":
        into = [entry for entry in accepted if not entry.struck]
        if not candidates or not into:
            return None
        ids, words = some(candidates, 2), {"into": pick(st.sampled_from(into)).id}
    elif verb == "edit":
        if not entries:
            return None
        entry = pick(st.sampled_from(entries))
        ids = (entry.id,)
        more = pick(st.sampled_from([" and more", "\n\n  a paragraph", "!"]))
        words = {"text": entry.text.rstrip("\n") + more}
    elif verb == "reject":
        if not entries:
            return None
        ids = some(candidates or entries)
        words = {"reason": pick(REASONS), "tombstone": pick(st.sampled_from(["no", "yes"]))}
    elif verb == "strike":
        if not entries:
            return None
        ids, words = some(entries, 2), {"reason": pick(REASONS)}
        if len(ids) == 1 and pick(st.booleans()):
            words["with"] = pick(TEXTS)
    elif verb == "archive":
        if not entries:
            return None
        ids = some(entries)
    words = {key: value for key, value in words.items() if value}
    return Request(verb, ids, words, answers, store=None if ids else MEMORY, person=True)
