"""What is asked of every hostile input: read, packed, checked, decided about and taken back, with the whole tree compared."""

from __future__ import annotations

import io
import os
import re
import stat
import sys
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import pytest

from memdesk.core.clock import clock
from memdesk.core.desk import Desk
from memdesk.core.errors import MemdeskError, Refused, UnknownEntry
from memdesk.core.layouts.base import LoadRequest
from memdesk.core.model import Entry
from memdesk.core.plan import Plan, Request
from memdesk.tui.cli import main
from tests.hostile.inputs import SMALL, Hostile
from tests.hostile.stores import FILES, place
from tests.support.stores import MEMORY

NOW = "2026-11-30"
OUTSIDE = "Nobody may read or write this"
STATE = ".memdesk/state"
TASKS = ("planning", "implementation", "artifact", "preferences", "history", "maintenance", "general")
COMMANDS = (
    ("inbox",), ("entries",), ("check", "--no-diff"), ("pack", "--task", "planning", "--area", "storage"),
    ("pack", "--task", "maintenance", "--explain"), ("stores",), ("history",), ("config",), ("entries", "--grep", "a"),
    ("pack", "--why", f"{MEMORY}/inbox.md"), ("guide",),
)
# What stands in for entries and goes when one comes, and what only heads them and goes with the last.
_STAND_INS = re.compile(rb"(?:- )?No unprocessed memory candidates\.|- None enabled\.|#{1,6} .*|\s*")
# Bidi controls, isolates and marks, tags, fillers, separators: none has a legitimate use in what these inputs hold.
_UNSEEN = {
    0xAD, 0x61C, 0x115F, 0x1160, 0x3164, 0xFFA0, 0xFEFF, 0x200B, 0x200E, 0x200F, *range(0x2028, 0x202F), *range(0x2060, 0x2070),
    *range(0xFFF9, 0xFFFC), *range(0xE0000, 0xE0080),
}


class Walk:
    """One input in a store of its own. Beside the workspace lies a file that nothing of it may read or write."""

    def __init__(self, folder: Path, hostile: Hostile, n: int = SMALL) -> None:
        self.outer = folder
        self.root = folder / "work"
        self.root.mkdir()
        (folder / "outside.md").write_text(f"# Outside\n\n- {OUTSIDE}\n", encoding="utf-8")
        self.hostile = hostile
        self.text = hostile.bytes(n).decode("utf-8", "surrogateescape")
        place(self.root, hostile, n)
        self.before = everything(folder)

    def desk(self) -> Desk | None:
        """The desk, or None where the input keeps the workspace from being opened: then the error says what and where."""
        try:
            return Desk.open(str(self.root), clock=clock(f"{NOW}T04:02:51"), user_config=None)
        except MemdeskError as error:
            said_well(error, placed=True)
            return None

    def unchanged(self) -> None:
        """Nothing outside memdesk's own state is other than it was, nor anything beside the workspace."""
        now = everything(self.outer)
        assert now == self.before, [path for path in {**now, **self.before} if now.get(path) != self.before.get(path)]


def read(walk: Walk, desk: Desk, tasks: Sequence[str] = TASKS) -> None:
    """Check, the packs, search, and all that a pane asks of an entry."""
    report = desk.check("none")
    assert report.rules or not desk.workspace.stores
    for finding in report.findings:
        assert OUTSIDE not in finding.message
        assert finding.line is None or finding.line >= 1
    for task in tasks:
        try:
            pack = desk.pack(LoadRequest(task, areas=("storage",), paths=("src/a.py",)))
            assert OUTSIDE not in pack.text
            assert "root:" not in pack.text
        except MemdeskError as error:
            said_well(error)
    for words in ("floods", walk.text[:200], ""):
        desk.search(words)
    for document in desk.workspace.documents.values():
        assert document.path.isprintable() or walk.hostile.where in ("name", "link"), document.path
        for entry in document.entries[:3]:
            assert document.data[entry.start : entry.end].strip(), entry.id
            assert OUTSIDE not in entry.text
    for entry in desk.candidates()[:3]:
        desk.near(entry)
        desk.destinations([entry.id])
        desk.asks("reject", [entry.id])
    walk.unchanged()


def requests(walk: Walk, desk: Desk) -> Iterator[Request]:
    """Every verb on the candidates round the input and the entries of what it stands in; and with the input as the words."""
    waiting = desk.candidates()
    around = [waiting[1]] if walk.hostile.where == "candidate" and len(waiting) > 2 else waiting[:1] + waiting[1:][-1:]
    rule = next(iter(_entries(desk, "constraints.md")), None)
    for entry in around:
        for to in ("decisions", "constraints", "preferences", "do-not-use", "area:storage", "area:new one", "rule:new"):
            yield Request("promote", (entry.id,), {"to": to, "reason": "Seen twice."}, person=True)
        yield Request("strike", (entry.id,), {"reason": "Not so."}, person=True)
        yield Request("reject", (entry.id,), {"reason": "Not so."}, person=True)
        yield Request("reject", (entry.id,), {"reason": "Not so.", "tombstone": "yes"}, person=True)
        yield Request("edit", (entry.id,), {"text": f"{entry.text} indeed"}, person=True)
        if rule is not None:
            yield Request("merge", (entry.id,), {"into": rule.id}, person=True)
    name = {"index": "areas/storage.md", **FILES}.get(walk.hostile.where)
    settled = [entry for entry in _entries(desk, name) if not entry.candidate]
    for entry in settled[:1] + settled[1:][-1:]:
        yield Request("strike", (entry.id,), {"reason": "Not so."}, person=True)
        yield Request("strike", (entry.id,), {"reason": "Better.", "with": "Counts are kept for ten years"}, person=True)
        yield Request("edit", (entry.id,), {"text": f"{entry.text} indeed"}, person=True)
        yield Request("archive", (entry.id,), person=True)
    yield Request("add", (), {"text": "Site 11 has no lamp", "tag": "observed"})
    if walk.hostile.where == "candidate" and waiting:
        yield from _as_words(walk.text, waiting, rule)


def _as_words(text: str, waiting: list[Entry], rule: Entry | None) -> Iterator[Request]:
    yield Request("add", (), {"text": text})
    yield Request("add", (), {"text": "Plain", "reason": text})
    first = (waiting[0].id,)
    for field in ("title", "reason", "scope", "text"):
        yield Request("promote", first, {"to": "decisions", "reason": "Seen twice.", field: text}, person=True)
    yield Request("promote", first, {"to": "constraints", "text": text}, person=True)
    yield Request("promote", first, {"to": "do-not-use", "reason": text, "reconsider": text}, person=True)
    yield Request("promote", first, {"to": "area:", "area": text, "reason": "Seen twice."}, person=True)
    yield Request("strike", first, {"reason": text}, person=True)
    yield Request("reject", first, {"reason": text}, person=True)
    yield Request("reject", first, {"reason": text, "title": text, "tombstone": "yes"}, person=True)
    yield Request("edit", first, {"text": text}, person=True)
    if rule is not None:
        yield Request("merge", first, {"into": rule.id, "text": text}, person=True)
        yield Request("strike", (rule.id,), {"with": text, "reason": text}, person=True)


def decide(walk: Walk, desk: Desk, request: Request, *, carry_out: bool) -> str:
    """Plans, and carries out and undoes what can be planned: "refused", "planned" or "done". Only the plan's own targets
    change, in them only the entry's own lines, every other entry reads as before, and undo brings back every byte."""
    if request.verb == "add":
        requested: list[Entry] = []
    else:
        requested = [desk.workspace.find(ident) for ident in request.ids]
        if "into" in request.words:
            requested.append(desk.workspace.find(request.words["into"]))
    try:
        plan = desk.plan(request)
    except MemdeskError as error:
        said_well(error)
        return "refused"
    owned(desk, plan, requested)
    if not carry_out or plan.questions:
        return "planned"
    texts = _texts(desk)
    try:
        receipt = desk.commit(plan, "Ana")
    except MemdeskError as error:
        said_well(error)
        walk.unchanged()
        return "refused"
    assert receipt.plan.steps == plan.steps
    assert everything(walk.outer) == expected(walk.before, plan)
    _others_stand(texts, _texts(desk), requested, request)
    desk.commit(desk.undo(), "Ana")
    walk.unchanged()
    return "done"


def owned(desk: Desk, plan: Plan, requested: list[Entry]) -> None:
    """The plan writes inside the store, and takes no line but those of its entries and of what stands in for entries."""
    own = {line.strip() for entry in requested for line in entry.document.data[entry.start : entry.end].splitlines()}
    for step in plan.steps:
        assert step.path.startswith(f"{MEMORY}/"), step.path
        assert ".." not in step.path.split("/")
        assert step.kind == "mkdir" or step.path.endswith(".md"), step
        if step.before is not None:
            assert step.before == desk.workspace.documents[step.path].data
        for line in _taken(step.before or b"", step.after or b""):
            assert line.strip() in own or _STAND_INS.fullmatch(line.strip()), (step.path, line)


def _taken(before: bytes, after: bytes) -> list[bytes]:
    """The lines that go, between what both begin with and what both end with."""
    old, new = before.splitlines(), after.splitlines()  # a last line without an ending gets one when more follows
    start = next((at for at, pair in enumerate(zip(old, new, strict=False)) if pair[0] != pair[1]), min(len(old), len(new)))
    end = 0
    while end < min(len(old), len(new)) - start and old[-1 - end] == new[-1 - end]:
        end += 1
    return [line for line in old[start : len(old) - end] if line not in new]


def expected(before: Mapping[bytes, object], plan: Plan) -> dict[bytes, object]:
    """The tree that a plan leads to: that before, with just its steps."""
    tree = dict(before)
    for step in plan.steps:
        path = b"work/" + os.fsencode(step.path)
        if step.kind == "delete":
            del tree[path]
        elif step.kind == "mkdir":
            tree[path] = "folder"
        else:
            tree[path] = step.after
    return tree


def _texts(desk: Desk) -> dict[str, Counter[str]]:
    return {path: Counter(entry.text for entry in document.entries) for path, document in desk.workspace.documents.items()}


def _others_stand(
    before: Mapping[str, Counter[str]], after: Mapping[str, Counter[str]], requested: list[Entry], request: Request
) -> None:
    """No entry is swallowed: only the requested ones read otherwise, and nothing comes but what was asked for."""
    for path, texts in before.items():
        if path.endswith("/manifest.md"):
            continue
        gone = texts - after.get(path, Counter())
        assert gone <= Counter(entry.text for entry in requested if entry.path == path), (path, request, gone)
        came = after.get(path, Counter()) - texts
        assert came.total() <= gone.total() + 1, (path, request, came)


def _entries(desk: Desk, name: str | None) -> list[Entry]:
    document = desk.workspace.documents.get(f"{MEMORY}/{name}")
    return document.entries if document is not None else []


def said_well(error: MemdeskError, *, placed: bool = False) -> None:
    """An error for a person: what, where it can be said where, and what to do or which field to mend. `placed`: with file
    and line."""
    assert error.message
    assert not placed or (error.path and error.line), str(error)
    assert "Traceback" not in str(error)
    assert error.line is None or error.line >= 1
    assert error.path is None or not error.path.startswith(("/", "..")), error.path
    assert error.path or error.remedy or isinstance(error, UnknownEntry) or (isinstance(error, Refused) and error.field), error
    assert OUTSIDE not in str(error)


class Teletype(io.TextIOWrapper):
    """Standard output or error that says it is a terminal."""

    def __init__(self, terminal: bool = True) -> None:
        super().__init__(io.BytesIO(), encoding="utf-8", errors="surrogateescape")
        self.terminal = terminal

    def isatty(self) -> bool:
        return self.terminal

    def said(self) -> str:
        self.flush()
        assert isinstance(self.buffer, io.BytesIO)
        return self.buffer.getvalue().decode("utf-8")


def command(walk: Walk, patch: pytest.MonkeyPatch, *words: str, terminal: bool = True) -> tuple[int, str]:
    """Runs a command line in this process on a terminal; its code and all that it showed, which must be inert."""
    out, err = Teletype(terminal), Teletype(terminal)
    with patch.context() as patched:
        patched.chdir(walk.root)
        patched.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"")))
        patched.setattr(sys, "stdout", out)
        patched.setattr(sys, "stderr", err)
        code = main(["--now", NOW, *words] if words[0] != "check" else [*words, "--now", NOW])
    assert code in (0, 1, 2), (words, code, err.said())
    assert "Traceback" not in err.said()
    assert OUTSIDE not in out.said()
    assert "root:x:" not in out.said()
    steering = acts_on_terminal(err.said()) or (acts_on_terminal(out.said()) if terminal else "")
    assert not steering, (words, steering)
    return code, out.said()


def acts_on_terminal(shown: str) -> str:
    """The characters of a text that a terminal would act on or an eye not see; this test's own list, not the program's."""
    return "".join(
        char for char in shown
        if char not in "\n\t" and (unicodedata.category(char) in ("Cc", "Cs", "Zl", "Zp") or ord(char) in _UNSEEN)
    )


def everything(folder: Path) -> dict[bytes, object]:
    """All below a folder but memdesk's own state: bytes of files, targets of links, and that a folder is one."""
    found: dict[bytes, object] = {}
    top = os.fsencode(folder)
    skipped = os.path.join(top, b"work", os.fsencode(STATE))
    places = [top]
    while places:
        for item in os.scandir(places.pop()):
            path = os.path.relpath(item.path, top)
            mode = item.stat(follow_symlinks=False).st_mode
            if item.path == skipped or path == b"work/.memdesk":
                if item.path == skipped:
                    continue
                places.append(item.path)
            elif stat.S_ISLNK(mode):
                found[path] = ("link", os.readlink(item.path))
            elif stat.S_ISDIR(mode):
                found[path] = "folder"
                places.append(item.path)
            else:
                with open(item.path, "rb") as file:
                    found[path] = file.read()
    return found
