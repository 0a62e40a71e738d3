"""Processes that act on one store at once, an editor that saves meanwhile, and the account of what came of it all."""

from __future__ import annotations

import json
import os
import random
import re
import selectors
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from memdesk.core.clock import clock
from memdesk.core.desk import Desk
from memdesk.core.errors import ReadOnly, Refused, StoreError, UsageError
from memdesk.core.model import Entry
from memdesk.core.plan import Receipt, Request
from memdesk.core.transaction.files import REAL, Files
from memdesk.core.transaction.journal import Journal
from tests.support.stores import MEMORY, custodian_store, git_repo, manifest, put

EDITED = ("inbox.md", "decisions.md", "manifest.md", "changelog.md")
IN_PLACE = ("append", "rewrite", "truncate", "held open")
MANNERS = (*IN_PLACE, "rename", "rename")
PLACES = ("decisions", "constraints", "preferences", "do-not-use", "area:storage", "area:new-{agent}")


class Deed(NamedTuple):
    """One action of a process: the text that it is about, and its transaction's id, or "" where it was refused, and why."""

    agent: str
    verb: str
    token: str
    transaction: str
    why: str


class Endless:
    """A waiter for processes that take as long as they take."""

    endless = True

    def waits(self, holder: object) -> None: ...

    def ends(self) -> None: ...

    def cancelled(self) -> bool:
        return False


def store(root: Path) -> Path:
    """A store with room for everything, and a file that nobody has to touch; in git."""
    inbox = "# Inbox\n\n## 2026-11-28\n\n- [observed] Sites report late\n- Gulls are counted twice\n"
    roomy = ("decisions.md", "constraints.md", "do-not-use.md", "preferences.md", "changelog.md")
    budgets = [*(f"{name}: 900000 tokens max" for name in roomy), "areas/*.md: 900000 tokens max per file, if present"]
    custodian_store(
        root, inbox=inbox, changelog="# Changelog\n\n## 2026-11-20\n\n- Added the brief.\n",
        preferences="# Preferences\n\n- Short.\n", manifest=manifest(areas=("storage",), budgets=budgets),
        **{"areas/storage": "# Storage\n\nLoad when the task touches storage.\n"},
    )
    put(root, "src/count.py", b"print('gulls')\r\n")
    return git_repo(root)


def open_desk(root: Path, files: Files = REAL) -> Desk:
    desk = Desk.open(str(root), clock=clock("2026-11-30T04:02:51"), user_config=None, files=files)
    desk.wait_with(Endless())
    return desk


class Agent:
    """Acts on texts of its own, which nobody else has."""

    def __init__(self, root: Path, number: int, files: Files) -> None:
        self.name = f"agent-{number}"
        self._number = number
        self._root = root
        self._files = files
        self._chance = random.Random(number)
        self._desk: Desk | None = None
        self._count = 0
        self._done: list[Deed] = []  # what can be undone

    def act(self) -> Deed:
        """One action on what is there now: an add where there is nothing to act on."""
        verb, token = "add", ""
        try:
            desk = self._opened()
            candidates = [entry for entry in self._own(desk) if entry.candidate]
            others = [entry for entry in self._own(desk) if not entry.candidate and not entry.struck]
            verb = self._chance.choice(["add", "promote", "promote", "reject", "strike", "edit", "undo", "add"])
            if (verb in ("promote", "reject") and not candidates) or (verb == "strike" and not others) or (
                verb == "edit" and not candidates + others) or (verb == "undo" and not self._done):
                verb = "add"
            chosen = None
            if verb in ("promote", "reject"):
                chosen = self._chance.choice(candidates)
            elif verb in ("strike", "edit"):
                chosen = self._chance.choice(others if verb == "strike" else candidates + others)
            token = _token(chosen.text) if chosen is not None else self._done[-1].token if verb == "undo" else self._new()
            receipt = self._do(desk, verb, token, chosen)
        except (Refused, ReadOnly, StoreError, UsageError) as error:  # the files are not what they were
            return Deed(self.name, verb, token, "", f"{type(error).__name__}: {error}")
        assert receipt.id is not None
        deed = Deed(self.name, verb, token, receipt.id, "")
        if verb == "undo":
            self._done.pop()
        else:
            self._done.append(deed)
        return deed

    def _opened(self) -> Desk:
        if self._desk is None:
            self._desk = open_desk(self._root, self._files)
        self._desk.refresh()
        return self._desk

    def _own(self, desk: Desk) -> list[Entry]:
        return [
            entry for entry in desk.workspace.entries()
            if re.search(rf"item {self._number}-\d+;", entry.text) and not entry.path.endswith("changelog.md")
        ]

    def _new(self) -> str:
        self._count += 1
        return f"item {self._number}-{self._count};"

    def _do(self, desk: Desk, verb: str, token: str, entry: Entry | None) -> Receipt:
        if verb == "undo":
            return desk.commit(desk.undo(self._done[-1].transaction), self.name)
        words = {"reason": f"Because of {self.name}."}
        if verb == "add":
            words = {"text": f"Bird {token}", "tag": "observed"}
        elif verb == "promote":
            words |= {"to": self._chance.choice(PLACES).format(agent=self._number), "title": f"Title {token}"}
        elif verb == "reject" and self._chance.random() < 0.5:
            words |= {"tombstone": "yes", "title": f"Title {token}"}
        elif verb == "edit":
            assert entry is not None
            words = {"text": entry.text.replace(token, f"{token} edited", 1)}
        ids = () if entry is None else (entry.id,)
        return desk.perform(Request(verb, ids, words, person=verb != "add"), self.name)


def _token(text: str) -> str:
    found = re.search(r"item \d+-\d+;", text)
    assert found is not None, text
    return found[0]


class Crowd:
    """Agents in processes of their own, from a common start on. What each did comes over a pipe."""

    def __init__(self, root: Path, processes: int, actions: int, files: Files = REAL) -> None:
        self._gate, self._opening = os.pipe()
        self._selector = selectors.DefaultSelector()
        self._children: list[int] = []
        for number in range(processes):
            out, into = os.pipe()
            child = os.fork()
            if child == 0:
                self._live(Agent(root, number, files), actions, into)
            os.close(into)
            self._children.append(child)
            self._selector.register(out, selectors.EVENT_READ, bytearray())
        os.close(self._gate)

    def deeds(self) -> Iterator[Deed]:
        """Lets them begin, and gives each action as it is done, until all have ended well."""
        os.close(self._opening)
        while self._selector.get_map():
            for key, _ in self._selector.select():
                data = os.read(key.fd, 65536)
                key.data.extend(data)
                *lines, rest = bytes(key.data).split(b"\n")
                key.data[:] = rest
                for line in lines:
                    yield Deed(*json.loads(line))
                if not data:
                    self._selector.unregister(key.fd)
                    os.close(key.fd)
        assert [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in self._children] == [0] * len(self._children)

    def _live(self, agent: Agent, actions: int, into: int) -> None:
        code = 1
        try:
            os.close(self._opening)
            os.read(self._gate, 1)  # returns when the parent opens the gate
            for _ in range(actions):
                os.write(into, json.dumps(agent.act()).encode() + b"\n")
            code = 0
        except BaseException:  # noqa: BLE001 - the child ends here; the parent sees its code, a person the words
            import traceback

            traceback.print_exc()
        finally:
            os._exit(code)


class Editor:
    """Another program, which knows nothing of locks: it reads a file, adds a text of its own at the end, and saves it whole."""

    def __init__(self, root: Path, manners: tuple[str, ...] = MANNERS) -> None:
        self._folder = root / MEMORY
        self._manners = manners
        self._handles: dict[str, int] = {}
        self.saved: dict[str, list[bytes]] = {name: [] for name in EDITED}  # the texts added, in their order
        self.versions: dict[str, list[bytes]] = {name: [] for name in EDITED}  # whole files as they were saved
        self._round = 0

    def save(self) -> None:
        """The next file, in the next manner."""
        name = EDITED[self._round % len(EDITED)]
        manner = self._manners[self._round // len(EDITED) % len(self._manners)]
        self._round += 1
        path = self._folder / name
        added = outside(name, self._round)
        if manner == "append":
            with path.open("ab") as stream:
                stream.write(added)
            self.saved[name].append(added)
            return
        held = self._handles.pop(name, None)
        new = path.read_bytes() + added
        self.versions[name].append(new)
        self.saved[name].append(added)
        if manner == "rename":
            beside = self._folder / f"{name}~"
            beside.write_bytes(new)
            os.replace(beside, path)
        elif manner == "held open" and held is not None:
            os.pwrite(held, new, 0)
            os.ftruncate(held, len(new))
        elif manner == "truncate":
            path.write_bytes(new)
        else:
            with path.open("r+b") as stream:
                stream.write(new)
                stream.truncate()
        if held is not None:
            os.close(held)
        self._handles[name] = os.open(path, os.O_RDWR)

    def close(self) -> None:
        for handle in self._handles.values():
            os.close(handle)
        self._handles.clear()

    def explains(self, name: str, text: bytes, before: bytes) -> bool:
        """Whether a file can be so by what memdesk left there and by what the editor did to it.

        Saved whole, being saved (truncated; written over and not cut yet), or with texts added at the end.
        """
        if text == before or text in self.versions[name] or text == b"":
            return True
        if any(text.startswith(version) for version in self.versions[name]):
            return True
        bare = _OUTSIDE[name].sub(b"", text)
        return any(bare == _OUTSIDE[name].sub(b"", base) for base in (before, b"", *self.versions[name]))


def outside(name: str, number: int) -> bytes:
    """What the editor adds to a file: a line or an entry, valid there."""
    return _TEXTS[name].format(number).encode()


_TEXTS = {
    "inbox.md": "- Outside {}.\n",
    "decisions.md": "\n## 2026-11-01 - Outside {}.\n\nDecision:\nAs it is.\n\nReason:\nSomebody says so.\n",
    "manifest.md": "<!-- Outside {}. -->\n",
    "changelog.md": "- Outside {}.\n",
}
_OUTSIDE = {
    name: re.compile(re.escape(words).replace(r"\{\}", r"\d+").encode()) for name, words in _TEXTS.items()
}


class Account:
    """What is on disk afterwards, against what was reported."""

    def __init__(self, root: Path, initial: dict[str, bytes]) -> None:
        self.root = root
        self.initial = initial
        self.desk = open_desk(root)
        self.journals: list[Journal] = []
        for item in reversed(self.desk.history()):
            if item.outcome == "committed":
                self.journals.append(self.desk.transactions._history.journal(item.id))

    def each_once_or_refused(self, deeds: list[Deed]) -> None:
        """Every transaction is one reported action, and does what its verb says to its own text."""
        applied = {deed.transaction: deed for deed in deeds if deed.transaction}
        assert len(applied) == sum(bool(deed.transaction) for deed in deeds)
        assert set(applied) == {journal.id for journal in self.journals}
        for journal in self.journals:
            deed = applied[journal.id]
            assert (journal.by, journal.verb) == (deed.agent, deed.verb), deed
            self._effect(journal, deed)
        assert all(deed.why for deed in deeds if not deed.transaction)

    def _effect(self, journal: Journal, deed: Deed) -> None:
        word = deed.token.encode()
        counts = {
            item.path.removeprefix(MEMORY + "/"): ((item.before or b"").count(word), (item.after or b"").count(word))
            for item in journal.changes if not item.path.endswith("changelog.md")
        }
        changed = {path: pair for path, pair in counts.items() if pair[0] != pair[1]}
        if deed.verb == "add":
            assert changed == {"inbox.md": (0, 1)}, (deed, counts)
        elif deed.verb == "promote":
            assert changed.pop("inbox.md") == (1, 0), (deed, counts)
            assert [pair[0] for pair in changed.values()] == [0], (deed, counts)
        elif deed.verb == "reject":
            assert changed.pop("inbox.md") == (1, 0), (deed, counts)
            assert list(changed) in ([], ["do-not-use.md"]), (deed, counts)
        elif deed.verb == "edit":
            assert sum((item.after or b"").count(word + b" edited") for item in journal.changes) == 1 + sum(
                (item.before or b"").count(word + b" edited") for item in journal.changes), deed

    def nothing_from_nowhere(self, editor: Editor) -> None:
        """File by file: what each transaction found is what the one before left, but for what the editor did; so is the end."""
        folder = self.root / MEMORY
        names = {item.path for journal in self.journals for item in journal.changes}
        for path in sorted(names):
            name = path.removeprefix(MEMORY + "/")
            last = self.initial.get(path)
            steps = [(journal.id, item.before, item.after) for journal in self.journals for item in journal.changes
                     if item.path == path]
            end = (folder / name).read_bytes() if (folder / name).exists() else None
            for ident, before, after in [*steps, ("the end", end, None)]:
                if name in EDITED:
                    assert editor.explains(name, before or b"", last or b""), (path, ident, last, before)
                else:
                    assert before == last, (path, ident)
                last = after

    def nobodys_text_is_lost(self, editor: Editor) -> int:
        """Every text that the editor saved is in the file, or kept where recover and History show it. How many are kept."""
        kept = {(item.path, self.desk.transactions.kept_text(item).data) for item in self.desk.kept()}
        shown = {(each.id, each.name) for item in self.desk.history() for each in item.kept}
        assert shown == {(item.id, item.name) for item in self.desk.kept()}
        apart = 0
        for name, texts in editor.saved.items():
            now = (self.root / MEMORY / name).read_bytes()
            here = [data for path, data in kept if path == f"{MEMORY}/{name}"]
            for text in texts:
                if text not in now:
                    assert any(text in data for data in here), (name, text, len(here))
                    apart += 1
        return apart

    def tidy(self, other: Callable[[Path], bool]) -> None:
        """Nothing is interrupted, no temporary is left, and the store reads back."""
        assert self.desk.pending() == []
        assert sorted(os.listdir(self.root / ".git/memdesk/txn")) == ["generation"]
        assert not [name for name in os.listdir(self.root / ".git/memdesk/history") if "." in name]
        strange = [path for path in self.root.rglob("*") if ".git" not in path.parts and path.is_file() and not other(path)]
        assert strange == []
        report = self.desk.check(mode="none")
        assert [item for item in report.findings if item.severity == "error"] == []
