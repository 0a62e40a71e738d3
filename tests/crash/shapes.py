"""The shapes of plans that the crash model explores, how a transaction is told to be of one, and what five stand for.

A shape is a multiset of words: one for each file ("create", "replace", "delete"; "deep" for one made in a folder that the
plan makes; with "far-" on another file system than the state folder), "mkdir" for each folder made, "rmdir" for each that
an undo takes away, "purge" where the history has to lose texts. The order of a plan's steps is no part of it: the
transaction layer carries them out in an order of its own.
"""

from __future__ import annotations

import itertools
import os
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from memdesk.core.plan import Plan, Request, Step
from memdesk.core.transaction import targets
from memdesk.core.transaction.commit import Commit
from memdesk.core.transaction.ground import Ground
from memdesk.core.transaction.journal import Journal
from tests.crash.model import BLOCK, File, ModelFiles, disk

Shape = tuple[str, ...]

ROOT, STATE = "/w", "/w/.git/memdesk"
FAR = f"{ROOT}/far"
IDENT = "20261130T040251Z-k3f9"
FILES_MOST = 5  # files of a plan that the model explores; what more come to: `reduced`
FOLDERS_MOST = 2
SECRET = "the harbour master's telephone number"


def _text(words: str) -> bytes:
    """Text of several blocks."""
    return "".join(f"{words}, line {number}\n" for number in range(BLOCK * 3 // len(words))).encode()


OTHERS: Mapping[str, File] = {
    f"{ROOT}/other.md": File(b"not of any plan\n", 0o640), f"{FAR}/other.md": File(b"far too\n"),
    f"{ROOT}/.git/HEAD": File(b"ref: refs/heads/main\n"),
    f"{STATE}/history/20261129T040251Z-aaaa/journal": File(b"what was done before\n"),
}
"""What no plan touches."""

FILES: Mapping[str, File] = {
    **{f"{ROOT}/old{n}.md": File(_text(f"{n} as before"), (0o644, 0o600, 0o664)[n % 3]) for n in range(12)},
    **{f"{FAR}/old{n}.md": File(_text(f"{n}, far"), 0o604) for n in range(12)},
    **{f"{folder}/alone{n}/only.md": File(_text("alone")) for n in range(5) for folder in (ROOT, FAR)},
    **{f"{folder}/full/memory/old{n}.md": File(_text("full")) for n in range(5) for folder in (ROOT, FAR)},
    **{f"{folder}/topic.md": File(_text(SECRET)) for folder in (ROOT, FAR)},
}
"""What plans replace and delete."""


def _replace(path: str) -> Step:
    return Step("replace", path, FILES[f"{ROOT}/{path}"].data, _text(f"{path} after"))


def _delete(path: str) -> Step:
    return Step("delete", path, FILES[f"{ROOT}/{path}"].data, None)


def _create(path: str) -> Step:
    return Step("create", path, None, _text(f"{path} made"))


def _purge(path: str) -> Step:
    return Step("replace", path, FILES[f"{ROOT}/{path}"].data, b"# Topic\n")


STEPS: Mapping[str, Callable[[int], Step]] = {
    "create": lambda n: _create(f"new{n}.md"), "replace": lambda n: _replace(f"old{n}.md"),
    "delete": lambda n: _delete(f"old{n}.md"), "mkdir": lambda n: Step("mkdir", f"folder{n}"),
    "deep": lambda n: _create(f"fresh/new{n}.md"), "nested": lambda n: _create(f"fresh{n}/in/new.md"),
    "own": lambda n: _create(f"own{n}/new.md"), "far-own": lambda n: _create(f"far/own{n}/new.md"),
    "farther": lambda n: _create(f"far/new{n}.md"), "far": lambda n: _replace(f"far/old{n}.md"),
    "away": lambda n: _delete(f"far/old{n}.md"), "far-deep": lambda n: _create(f"far/fresh/new{n}.md"),
    "whole": lambda n: _create(f"store/memory/new{n}.md"), "far-whole": lambda n: _create(f"far/store/memory/new{n}.md"),
    "emptied": lambda n: _delete(f"full/memory/old{n}.md"),  # and both folders
    "far-emptied": lambda n: _delete(f"far/full/memory/old{n}.md"),
    "bare": lambda n: _delete(f"alone{n}/only.md"),  # and its folder
    "far-bare": lambda n: _delete(f"far/alone{n}/only.md"),
    "purge": lambda n: _purge("topic.md"),  # and the history loses the text
    "far-purge": lambda n: _purge("far/topic.md"),
    "erased": lambda n: _delete("topic.md"),  # the same, of a text that was all of its file
    "far-erased": lambda n: _delete("far/topic.md"),
}


EMPTIED: Mapping[str, Sequence[str]] = {
    "bare": ("alone{}",), "far-bare": ("far/alone{}",), "emptied": ("full", "full/memory"),
    "far-emptied": ("far/full", "far/full/memory"),
}
"""Folders that go with what is deleted."""
PURGES = {"purge", "far-purge", "erased", "far-erased"}


def multisets(words: Iterable[str], sizes: Iterable[int]) -> list[Shape]:
    """All of these sizes."""
    known = tuple(words)
    return [shape for size in sizes for shape in itertools.combinations_with_replacement(known, size)]


BASIC = ("create", "replace", "delete", "mkdir")
QUICK: list[Shape] = [
    *multisets(BASIC, (1, 2)), *((word,) for word in ("deep", "nested", "far", "farther", "away", "bare", "purge")),
    ("deep", "replace"), ("far", "replace"), ("bare", "replace"),
]
"""Those that the fast tests explore."""

REST: list[Shape] = [
    *(shape for shape in multisets(BASIC, (3, 4, 5)) if shape not in QUICK),
    # A verb's new file, its folder, and what points at it; and their undo.
    *(("deep", *rest) for rest in multisets(("create", "deep", "replace", "delete"), (2, 3, 4))),
    *(("nested", *rest) for rest in multisets(("replace", "nested"), (1, 2, 3))),
    *(("bare", *rest) for rest in multisets(("replace", "delete", "bare"), (1, 2))),
    *(("bare", *rest) for rest in multisets(("replace", "delete"), (3, 4))),
    *(("purge", *rest) for rest in multisets(("replace",), (1, 2, 3, 4))),
    # A file moved back whence it came, and the folders that went with it.
    *((word, "create", *rest) for word in ("bare", "emptied") for rest in multisets(("replace",), (0, 1, 2))),
    *((word, "farther", *rest) for word in ("far-bare", "far-emptied") for rest in multisets(("far",), (0, 1, 2))),
    *((word, "delete", "create", *rest) for word in ("bare", "emptied") for rest in multisets(("create", "replace"), (1, 2))),
    # Several at once, to and from folders of their own.
    *(("own", "own", "delete", *rest) for rest in multisets(("delete", "replace"), (1, 2))),
    *(("far-own", "far-own", "away", *rest) for rest in multisets(("away", "far"), (1, 2))),
    ("own", "own", "delete", "create", "replace"), ("far-own", "far-own", "away", "farther", "far"),  # proposals of all kinds
    *(("bare", "bare", "create", *rest) for rest in multisets(("create", "replace"), (1, 2))),
    *(("far-bare", "far-bare", "farther", *rest) for rest in multisets(("farther", "far"), (1, 2))),
    ("deep", "delete"), *(("far-deep", "away", *rest) for rest in multisets(("far", "farther", "away"), (0, 1, 2, 3))),
    *((word, "away", "farther", *rest) for word in ("far-bare", "far-emptied")
      for rest in multisets(("farther", "far"), (1, 2))),
    # Another file system for all, or for some.
    *multisets(("farther", "far", "away"), (2, 3, 4)), *multisets(("far", "farther"), (5,)), ("away", *("far",) * 4),
    *(("away",) * many + ("far",) * (5 - many) for many in (2, 3)),  # several drafts that became a place elsewhere, undone
    ("farther", "away", *("far",) * 3),  # a file under another name, and what refers to it
    *((word, *rest) for word in ("far-bare", "far-purge") for rest in multisets(("far",), (0, 1, 2, 3, 4))),
    *(("far-deep", *rest) for rest in multisets(("far",), (0, 1, 2, 3, 4))), *(("far-deep", "farther", *rest) for rest in
      multisets(("far",), (1, 2, 3))), ("farther", "far", "replace", "delete"), ("replace", "create", "delete", "deep", "far"),
    # A whole store: made, and its making undone; beside it a file for agents, made or changed.
    *(((word,) * (5 - len(rest)) + rest) for word, agents in (("whole", ("create", "replace")), ("emptied", ("replace",)),
      ("far-whole", ("farther", "far")), ("far-emptied", ("far",))) for rest in ((), *((agent,) for agent in agents))),
    # A store whose files lie in several places: the same.
    *((word, one, *rest) for word, one, more in (("whole", "create", "replace"), ("emptied", "delete", "replace"),
      ("far-whole", "farther", "far"), ("far-emptied", "away", "far")) for rest in ((), (one,), (more,))),
    ("deep",) * 8,
    # Facts that are files: taken out of all history, archived, promoted several at once, and their undo.
    *((word, *rest, new, *(one,) * many) for word, away, new, one in (
      ("erased", "delete", "create", "replace"), ("far-erased", "away", "farther", "far")
    ) for rest, many in (((), 0), ((), 2), ((away,), 2), ((away, away), 1))),
    ("farther", "farther", "away", "away", "far"), (*("far-deep",) * 3, "far", "far"),
    ("far-bare", "away", "away", "far", "far"),
    *((word,) * 4 for word in ("whole", "emptied", "far-whole", "far-emptied")),
    # A memory that is made from fragments, which all go to a new archive, beside it reasons that are
    # kept; and its undo.
    *(((word,) * 2 + (more, gone, gone)) for word, gone, reasons in (
      ("whole", "delete", "create"), ("emptied", "create", "delete"), ("far-whole", "away", "farther"),
      ("far-emptied", "farther", "away"),
    ) for more in (word, reasons)),
    (*("far-deep",) * 2, "away", "away", "far"),
    ("whole", "delete", "replace"), ("far-whole", "away", "far"),
    # Made in one folder, unmade, and taken out of all history.
    ("deep", "deep"), ("far-deep", "far-deep"), ("farther", "far-deep", "far-deep"),
    ("far-bare", "away"), ("far-bare", "away", "away"),
    ("erased", "delete", "delete"), ("far-erased", "away", "away"),
    ("erased", *("replace",) * 4), ("far-erased", *("far",) * 4),
]
"""Those that the slow tests explore beside them."""

SHAPES = [*QUICK, *REST]


def plan(shape: Shape) -> Plan:
    return Plan(Request("promote"), "s", "l", tuple(STEPS[word](number) for number, word in enumerate(shape)))


def start(shape: Shape, **options: Any) -> ModelFiles:
    """The disk before a commit of this shape."""
    paths = {f"{ROOT}/{step.path}" for step in plan(shape).steps}
    files = OTHERS | {path: file for path, file in FILES.items() if path in paths}
    return ModelFiles(disk(files, (f"{STATE}/txn", f"{STATE}/history")), far=(FAR,), **options)


def prepared(files: ModelFiles, shape: Shape) -> Commit:
    """The commit of a plan of this shape."""
    ground = Ground(files, ROOT, STATE)
    changes, made = targets.changes(ground, plan(shape))
    unmade = tuple(dict.fromkeys(
        folder.format(number) for number, word in enumerate(shape) for folder in EMPTIED.get(word, ())
    ))
    purges = (SECRET,) if PURGES & set(shape) else ()
    facts = (IDENT, "2026-11-30T04:02:51Z", "Ada", "promote", "s")
    return Commit(ground, Journal(*facts, made=tuple(made), unmade=unmade, changes=tuple(changes), purges=purges))


def projected(journal: Journal, far: Callable[[str], bool] = lambda path: False) -> Shape:
    """The shape of a transaction. `far`: whether a path is on another file system than the state folder."""
    words = ["mkdir"] * len(journal.made) + ["rmdir"] * len(journal.unmade) + ["purge"] * bool(journal.purges)
    for item in journal.changes:
        word = "deep" if item.kind == "create" and os.path.dirname(item.real) in journal.made else item.kind
        words.append(f"far-{word}" if far(item.real) else word)
    return tuple(sorted(words))


def explored() -> set[Shape]:
    """The shapes of all plans that the model explores."""
    found = set()
    for shape in SHAPES:
        found.add(projected(prepared(start(shape), shape).journal, lambda path: path.startswith("far/")))
    return found


def reduced(shape: Shape) -> Shape:
    """The shape of at most five files, and two folders made or taken away, that stands for this one.

    What is many becomes fewer; `test_one_target_more_is_the_same_once_more` shows why that will do.
    """
    words = Counter(shape)
    for word in ("mkdir", "rmdir"):
        words[word] = min(words[word], FOLDERS_MOST)
    folders = ("mkdir", "rmdir", "purge")
    while sum(count for word, count in words.items() if word not in folders) > FILES_MOST:
        most = max((word for word in words if word not in folders), key=lambda word: (words[word], word))
        words[most] -= 1
    return tuple(sorted(words.elements()))
