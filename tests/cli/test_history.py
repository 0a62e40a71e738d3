"""`memdesk history`: of every verb the diffs that it shows give, applied to what was there, what is there."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from memdesk.core.clock import clock
from memdesk.core.desk import Desk
from memdesk.core.plan import Request
from tests.support.commands import NOW, Here
from tests.support.stores import MEMORY, custodian_store, git_repo, snapshot

INBOX = b"\xef\xbb\xbf# Inbox\r\n\r\n## 2026-11-12\r\n\r\n- Alpha waits  \r\n- Beta caf\xc3\xa9 waits\r\n- Gamma waits"
CHANGELOG = "# Changelog\n\n## 2026-11-02\n\n- Older line.\n"
SO = {"reason": "so"}
VERBS: dict[str, tuple[str, tuple[str, ...], dict[str, str]]] = {
    "add": ("add", (), {"text": "Delta\n\n- with a list"}),
    "promote": ("promote", ("Alpha",), {**SO, "to": "decisions", "title": "Alpha"}),
    "promote to a new area": ("promote", ("Beta",), {**SO, "to": "area:caf\u00e9", "title": "B"}),
    "promote several": ("promote", ("Alpha", "Gamma"), {**SO, "to": "constraints"}),
    "strike": ("strike", ("Gamma",), SO),
    "supersede": ("strike", ("Store counts",), {**SO, "with": "Counts are stored as JSON.", "title": "JSON"}),
    "reject": ("reject", ("Alpha", "Beta", "Gamma"), SO),
    "reject with a tombstone": ("reject", ("Beta",), {**SO, "tombstone": "yes", "title": "Beta"}),
    "merge": ("merge", ("Gamma",), {"into": "Runs without"}),
    "edit": ("edit", ("Alpha",), {"text": "- Alpha waits no more"}),
    "archive": ("archive", ("Store counts",), {}),
    "archive of the log": ("archive", ("Older line",), {}),
    "forget": ("forget", (), {"topic": "Gamma", "mode": "soft"}),
    "init": ("init", (), {"layout": "custodian", "path": "docs/deep/memory"}),
}
QUICK = {"promote to a new area", "archive", "forget"}  # a new file, a file moved, and several at once


@pytest.mark.parametrize(
    "name", [name if name in QUICK else pytest.param(name, marks=pytest.mark.slow) for name in VERBS]
)
def test_the_diffs_of_every_verb_and_of_its_undo_are_exact(tmp_path: Path, here: Here, name: str) -> None:
    custodian_store(here.root, inbox=INBOX, changelog=CHANGELOG)
    git_repo(here.root)
    verb, texts, words = VERBS[name]
    desk = Desk.open(str(here.root), clock=clock(NOW), user_config=None)

    def named(text: str) -> str:
        return next(entry.id for entry in desk.workspace.entries() if text in entry.text)

    words = words | ({"into": named(words["into"])} if "into" in words else {})
    states = [snapshot(here.root)]
    request = Request(verb, tuple(map(named, texts)), words, store=MEMORY if verb in ("add", "forget") else None, person=True)
    idents = [desk.perform(request, "Ada").id]
    states.append(snapshot(here.root))
    idents.append(desk.commit(desk.undo(), "Ada").id)
    states.append(snapshot(here.root))
    for number, ident in enumerate(idents):
        assert ident is not None
        shown = here("history", "--show", ident, "--format", "json").json
        (transaction,) = shown["transactions"]
        assert transaction["undoable"] is (number == 1)
        assert transaction["reason"] == (f"It was undone by {idents[1]}." if number == 0 else None)
        assert [edit["path"] for edit in shown["edits"]] == transaction["paths"]
        told = here("history", "--show", ident)
        for edit in shown["edits"]:
            assert edit["diff"] in told.out
        diffs = [edit["diff"] for edit in shown["edits"]]
        assert _applied(tmp_path / f"copy{number}", states[number], diffs) == states[number + 1]
    listed = json.loads(here("history", "--format", "json").out)["transactions"]
    assert [item["id"] for item in listed] == idents[::-1]


def _applied(folder: Path, files: dict[str, bytes], diffs: list[str]) -> dict[str, bytes]:
    for path, data in files.items():
        if not path.startswith(".memdesk"):
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_bytes(data)
    subprocess.run(["git", "init", "-q"], cwd=folder, check=True)
    text = "".join(diffs).encode("utf-8", "surrogateescape")
    done = subprocess.run(["git", "apply", "--whitespace=nowarn"], cwd=folder, input=text, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr
    return snapshot(folder)
