"""Many processes act on one store while an editor saves: each action is done once or refused, and nobody's text is lost."""

from __future__ import annotations

from pathlib import Path

import pytest

from memdesk.core.transaction.files import REAL, Files
from tests.support.fallback import WithoutExchange
from tests.support.races import IN_PLACE, MANNERS, Account, Crowd, Deed, Editor, store
from tests.support.stores import MEMORY, git, snapshot

KNOWN = ("manifest", "brief", "decisions", "constraints", "do-not-use", "inbox", "changelog", "preferences")


def _race(
    root: Path, processes: int, actions: int, files: Files = REAL, manners: tuple[str, ...] = MANNERS
) -> tuple[list[Deed], Editor, int]:
    store(root)
    before = snapshot(root)
    crowd, editor, deeds = Crowd(root, processes, actions, files), Editor(root, manners), []
    for deed in crowd.deeds():
        deeds.append(deed)
        editor.save()
    editor.close()
    assert len(deeds) == processes * actions
    account = Account(root, before)
    account.each_once_or_refused(deeds)
    account.nothing_from_nowhere(editor)
    kept = account.nobodys_text_is_lost(editor)
    account.tidy(lambda path: path.name.removesuffix(".md") in KNOWN or path.parent.name in ("areas", "src"))
    changed = git(root, "status", "--porcelain", "--untracked-files=all").split("\n")
    assert all(line[3:].startswith(f"{MEMORY}/") for line in changed if line)
    assert (root / "src/count.py").read_bytes() == before["src/count.py"]
    assert (root / MEMORY / "brief.md").read_bytes() == before[f"{MEMORY}/brief.md"]
    return deeds, editor, kept


def test_a_few_processes_and_an_editor(tmp_path: Path) -> None:
    deeds, editor, _ = _race(tmp_path, 4, 6)
    assert sum(bool(deed.transaction) for deed in deeds) >= 8
    assert sum(map(len, editor.saved.values())) == 24


def test_a_few_processes_without_the_exchange_of_names(tmp_path: Path) -> None:
    """The fallback promises this to whoever edits in place."""
    _race(tmp_path, 3, 6, WithoutExchange(), IN_PLACE)


@pytest.mark.slow
@pytest.mark.parametrize(("files", "manners"), [(REAL, MANNERS), (WithoutExchange(), IN_PLACE)], ids=["exchange", "fallback"])
def test_eight_processes_with_fifty_actions_each_and_an_editor(
    tmp_path: Path, files: Files, manners: tuple[str, ...]
) -> None:
    deeds, editor, kept = _race(tmp_path, 8, 50, files, manners)
    applied = [deed for deed in deeds if deed.transaction]
    assert {deed.verb for deed in applied} == {"add", "promote", "reject", "strike", "edit", "undo"}
    assert len(applied) > 200
    assert sum(map(len, editor.saved.values())) == 400
    assert kept >= 0  # how many of them were saved late depends on the run; where they are was asserted for each
