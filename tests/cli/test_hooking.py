"""`memdesk init --hook`: the hook that it makes in real commits, and the hooks of others that it leaves alone."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from memdesk.core import gitsetup, hooks
from memdesk.core.git import discover
from tests.support.commands import Here, Terminal, environment, process
from tests.support.stores import MEMORY, custodian_store, git, git_repo, put

HOOK = ".git/hooks/pre-commit"
INBOX = f"{MEMORY}/inbox.md"
BROKEN = "# Decisions\n\n<<<<<<< HEAD\n- One\n=======\n- Other\n>>>>>>> side\n"


@pytest.fixture
def root(root: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The store of the commands' tests, in a repository without hooks; git starts memdesk with what this process has."""
    for name, value in environment().items():
        monkeypatch.setenv(name, value)
    shutil.rmtree(root / ".git/hooks", ignore_errors=True)
    return root


def commit(folder: Path, path: str = "", text: str = "", **more: str) -> tuple[bool, str]:
    """Whether git committed a change, and what was said."""
    if path:
        put(folder, path, text)
        git(folder, "add", "-A")
    done = subprocess.run(
        ["git", "commit", "-qm", "More", "--allow-empty"], cwd=folder, capture_output=True, check=False, text=True,
        env={**environment(), **more},
    )
    return done.returncode == 0, done.stdout + done.stderr


def test_it_refuses_what_breaks_a_rule_and_is_made_once(here: Here, root: Path) -> None:
    assert "hook          none ('memdesk init --hook' makes it)" in here("doctor").out
    asked = here("init", "--hook")
    assert (asked.code, (root / HOOK).exists()) == (1, False)
    assert "without a terminal, init takes --yes" in asked.err
    dry = here("init", "--hook", "--dry-run")
    assert (dry.code, (root / HOOK).exists()) == (0, False)
    assert '+"$@" --check --staged --quiet && exit 0\n' in dry.out
    made = here("init", "--hook", "--yes")
    assert (made.code, made.out) == (0, "")
    assert f"Made the hook {HOOK}" in made.err
    assert "To take it back, delete that file." in made.err
    assert os.access(root / HOOK, os.X_OK)
    assert [path.name for path in (root / HOOK).parent.iterdir()] == ["pre-commit"]
    committed, said = commit(root, f"{MEMORY}/decisions.md", BROKEN)
    assert not committed
    assert f"{MEMORY}/decisions.md:3: error " in said
    git(root, "reset", "-q", "--hard")
    assert commit(root, INBOX, "# Inbox\n\n## 2026-11-20\n\n- [observed] Retry sync\n")[0]
    before = (root / HOOK).stat()
    again = here("init", "--hook")
    assert (again.code, again.err) == (0, f"There is nothing to change: {HOOK} runs memdesk already.\n")
    assert f"hook          {HOOK} runs memdesk" in here("doctor").out
    assert (root / HOOK).stat().st_mtime_ns == before.st_mtime_ns


def test_its_json_shows_the_hook_and_whether_it_was_made(here: Here, root: Path) -> None:
    dry = here("init", "--hook", "--dry-run", "--format", "json").json
    assert (dry["applied"], dry["refused"], [edit["path"] for edit in dry["edits"]]) == (False, None, [HOOK])
    made = here("init", "--hook", "--yes", "--format", "json").json
    assert (made["applied"], made["edits"]) == (True, dry["edits"])
    again = here("init", "--hook", "--format", "json").json
    assert (again["applied"], again["edits"]) == (False, [])
    put(root, HOOK, "#!/bin/sh\n")
    refused = here("init", "--hook", "--yes", "--format", "json")
    assert (refused.code, refused.json["applied"]) == (1, False)
    assert "There is a hook already" in refused.json["refused"]


@pytest.mark.slow
def test_at_a_terminal_it_shows_the_hook_and_asks(root: Path) -> None:
    for answer, made in (("n\n", False), ("\n", True)):
        terminal = Terminal(root, "init", "--hook")
        assert "--check --staged --quiet" in terminal.until(f"Make the hook {HOOK}?")
        terminal.type(answer)
        assert terminal.end() == (0 if made else 1)
        assert (root / HOOK).exists() == made


# Where memdesk is not found


def script(root: Path, *program: str, shared: bool = False) -> Path:
    """A hook for a memdesk that is started in that way."""
    file = put(root, HOOK, hooks.script(program, shared=shared))
    file.chmod(0o755)
    return file


def bin_with(folder: Path, *programs: str, memdesk: bool = False) -> str:
    """A PATH with nothing else than these programs, and memdesk."""
    for program in programs:
        found = shutil.which(program)
        assert found is not None
        folder.mkdir(parents=True, exist_ok=True)
        (folder / program).symlink_to(found)
    if memdesk:
        put(folder, "memdesk", f'#!/bin/sh\nexec {sys.executable} -m memdesk "$@"\n').chmod(0o755)
    return str(folder)


def test_it_needs_no_path_to_memdesk_in_its_own_clone(root: Path, tmp_path: Path) -> None:
    """Programs with windows start git without what a shell's profile adds to the PATH."""
    script(root, sys.executable, "-m", "memdesk")
    path = bin_with(tmp_path / "bin", "git", "sh")
    committed, said = commit(root, f"{MEMORY}/decisions.md", BROKEN, PATH=path)
    assert (committed, "NOT checked" in said) == (False, False)
    assert "error " in said


def test_a_program_that_is_gone_is_looked_for_by_name(root: Path, tmp_path: Path) -> None:
    script(root, str(tmp_path / "gone" / "memdesk"))
    path = bin_with(tmp_path / "bin", "git", "sh", memdesk=True)
    assert not commit(root, f"{MEMORY}/decisions.md", BROKEN, PATH=path)[0]


@pytest.mark.parametrize("how", ["nowhere", "its Python is gone", "cannot be imported"])
def test_where_memdesk_cannot_run_the_commit_passes_and_says_that_it_was_not_checked(
    root: Path, tmp_path: Path, how: str
) -> None:
    program = [str(tmp_path / "gone" / "memdesk")]
    if how == "its Python is gone":
        put(tmp_path, "venv/memdesk", f"#!{tmp_path}/gone/python\n").chmod(0o755)
        program = [str(tmp_path / "venv" / "memdesk")]
    elif how == "cannot be imported":
        program = [sys.executable, "-I", "-S", "-m", "memdesk"]
    script(root, *program)
    committed, said = commit(root, f"{MEMORY}/decisions.md", BROKEN, PATH=bin_with(tmp_path / "bin", "git", "sh"))
    assert committed
    assert "the memory in this commit was NOT checked" in said
    assert f"or delete {HOOK}" in said


def test_a_program_in_an_odd_place_is_called_as_it_is(root: Path, tmp_path: Path) -> None:
    program = put(tmp_path, "it's $(touch x) 100% \"`y`\"/memdesk", f'#!/bin/sh\nexec {sys.executable} -m memdesk "$@"\n')
    program.chmod(0o755)
    text = script(root, str(program)).read_bytes()
    assert hooks.is_ours(text)
    assert not commit(root, f"{MEMORY}/decisions.md", BROKEN, PATH=bin_with(tmp_path / "bin", "git", "sh"))[0]
    assert not (root / "x").exists()


def test_what_cannot_be_checked_is_not_committed_but_for_a_branch_without_memory(root: Path) -> None:
    script(root, sys.executable, "-m", "memdesk")
    committed, said = commit(root, "memdesk.toml", "[stores\n")
    assert (committed, "memdesk.toml:1" in said) == (False, True)
    git(root, "reset", "-q", "--hard")
    git(root, "checkout", "-q", "--orphan", "pages")
    git(root, "rm", "-rqf", ".")
    committed, said = commit(root, "index.html", "<p>\n")
    assert (committed, "There is no store here" in said) == (True, True)


# Another's hook


@pytest.mark.parametrize(
    ("text", "remedy"),
    [
        ("#!/bin/sh\nnpm test\n", f"Add this line to it: {hooks.LINE}"),
        ("#!/bin/sh\n# memdesk --check would be good here\n", f"Add this line to it: {hooks.LINE}"),
        ("#!/usr/bin/env bash\n# File generated by pre-commit: https://pre-commit.com\n", "name memdesk in .pre-commit-config"),
        ("#!/bin/sh\ncall_lefthook run \"pre-commit\"\n", "add this call to its settings: memdesk --check --staged"),
        ("", f"Add this line to it: {hooks.LINE}"),
    ],
)
def test_another_s_hook_stays_and_is_told_what_it_needs(here: Here, root: Path, text: str, remedy: str) -> None:
    file = put(root, HOOK, text)
    file.chmod(0o755)
    found = here("init", "--hook", "--yes")
    assert (found.code, found.out) == (1, "")
    assert f"{HOOK}: There is a hook already, and it stays as it is." in found.err
    assert remedy in found.err
    assert "There is a hook already" in here("doctor").out
    assert (file.read_text(), file.stat().st_mode & 0o777) == (text, 0o755)


def test_a_hook_that_calls_memdesk_already_is_well_whoever_wrote_it(here: Here, root: Path) -> None:
    file = put(root, HOOK, f"#!/bin/sh\nnpm test\n{hooks.LINE}\n")
    found = here("init", "--hook", "--yes")
    assert (found.code, "chmod +x" in found.err) == (1, True)
    file.chmod(0o755)
    assert "runs memdesk already" in here("init", "--hook", "--yes").err
    put(root, HOOK, "#!/bin/sh\n# https://pre-commit.com\n")
    assert here("init", "--hook", "--yes").code == 1
    put(root, ".pre-commit-config.yaml", "repos:\n- repo: https://example.com/memdesk\n")
    assert "runs memdesk already" in here("init", "--hook", "--yes").err


@pytest.mark.parametrize("kind", ["a folder", "a link that leads nowhere", "a link to ours"])
def test_what_is_no_plain_hook_stays_too(here: Here, root: Path, kind: str) -> None:
    if kind == "a folder":
        (root / HOOK).mkdir(parents=True)
    else:
        (root / HOOK).parent.mkdir()
        (root / HOOK).symlink_to("../elsewhere")
        if kind == "a link to ours":
            put(root, ".git/elsewhere", hooks.script(["/old"], shared=False))
    found = here("init", "--hook", "--yes")
    assert (found.code, "stays as it is" in found.err) == (1, True)
    assert (root / HOOK).is_symlink() == (kind != "a folder")


def test_our_own_for_another_program_is_renewed_and_made_executable_again(here: Here, root: Path) -> None:
    wanted = hooks.script(gitsetup.program(), shared=False)
    for text, mode in ((hooks.script(["/old/venv/memdesk"], shared=False), 0o755), (wanted, 0o644)):
        put(root, HOOK, text).chmod(mode)
        assert here("init", "--hook", "--yes").code == 0
        assert (root / HOOK).read_bytes() == wanted
        assert os.access(root / HOOK, os.X_OK)
    edited = wanted.replace(b"--quiet", b"--strict")
    put(root, HOOK, edited)
    assert "runs memdesk already" in here("init", "--hook", "--yes").err
    assert (root / HOOK).read_bytes() == edited


def test_one_that_comes_meanwhile_stays(root: Path) -> None:
    from memdesk.core.errors import Refused
    from memdesk.core.transaction.files import REAL

    repository = discover(str(root))
    assert repository is not None
    hook = hooks.look(repository, ["memdesk"])
    put(root, HOOK, "#!/bin/sh\n")
    with pytest.raises(Refused, match="A hook came there meanwhile"):
        hooks.make(hook, REAL)
    assert [path.read_text() for path in (root / HOOK).parent.iterdir()] == ["#!/bin/sh\n"]


# Where git looks for hooks


def test_a_folder_of_hooks_in_the_checkout_gets_one_that_names_no_place_of_this_machine(
    here: Here, root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    git(root, "config", "core.hooksPath", "tools/hooks")
    made = here("init", "--hook", "--yes")
    assert "Made the hook tools/hooks/pre-commit" in made.err
    assert "commit it, and every clone has it" in made.err
    assert b"/" not in (root / "tools/hooks/pre-commit").read_bytes().split(b"\n")[2]
    assert not (root / ".git/hooks").exists()
    monkeypatch.setenv("PATH", bin_with(tmp_path / "bin", "git", "sh", memdesk=True))
    assert not commit(root, f"{MEMORY}/decisions.md", BROKEN)[0]
    (root / "src").mkdir()
    assert "runs memdesk already" in here("init", "--hook", "--root", "src").err


def test_hooks_that_are_not_this_repository_s_alone_are_left_alone(here: Here, root: Path, tmp_path: Path) -> None:
    git(root, "config", "core.hooksPath", str(tmp_path / "everywhere"))
    found = here("init", "--hook", "--yes")
    assert (found.code, (tmp_path / "everywhere").exists()) == (1, False)
    assert "outside of this repository: one there would run in others too" in found.err
    assert hooks.LINE in found.err
    git(root, "config", "core.hooksPath", "/dev/null")
    assert "git looks for hooks in /dev/null, which is no folder" in here("init", "--hook", "--yes").err
    git(root, "config", "--unset", "core.hooksPath")
    (tmp_path / "linked").mkdir()
    (root / ".git/hooks").symlink_to(tmp_path / "linked")
    assert here("init", "--hook", "--yes").code == 1
    assert list((tmp_path / "linked").iterdir()) == []


def test_husky_runs_the_hook_of_the_folder_above_its_own(here: Here, root: Path) -> None:
    runner = 'above=$(dirname "$(dirname "$0")")\n[ ! -f "$above/pre-commit" ] || exec sh -e "$above/pre-commit" "$@"\n'
    put(root, ".husky/_/h", runner)
    put(root, ".husky/_/pre-commit", '#!/usr/bin/env sh\n. "$(dirname "$0")/h"\n').chmod(0o755)
    git(root, "config", "core.hooksPath", ".husky/_")
    put(root, ".husky/pre-commit", "npm test\n")
    found = here("init", "--hook", "--yes")
    assert f".husky/pre-commit: There is a hook already, and it stays as it is. Add this line to it: {hooks.LINE}" in found.err
    put(root, ".husky/pre-commit", f"npm test\n{hooks.LINE}\n")
    assert "runs memdesk already" in here("init", "--hook").err
    (root / ".husky/pre-commit").unlink()
    assert here("init", "--hook", "--yes").code == 0
    text = (root / ".husky/pre-commit").read_text()
    put(root, ".husky/pre-commit", text.replace("set -- memdesk", f"set -- {sys.executable} -m memdesk"))
    assert not commit(root, f"{MEMORY}/decisions.md", BROKEN)[0]
    git(root, "reset", "-q", "--hard")
    assert commit(root)[0]


@pytest.mark.slow
def test_a_linked_worktree_and_its_repository_share_the_hook(here: Here, root: Path, tmp_path: Path) -> None:
    tree = tmp_path / "it's a tree"
    git(root, "worktree", "add", "-q", str(tree), "-b", "other")
    made = process(tree, "init", "--hook", "--yes")
    assert (made.returncode, f"Made the hook {root / HOOK}:" in made.stderr.decode()) == (0, True)
    assert "runs memdesk already" in here("init", "--hook").err
    assert not commit(tree, f"{MEMORY}/decisions.md", BROKEN)[0]
    assert commit(root)[0]


@pytest.mark.slow
def test_a_submodule_has_a_hook_of_its_own(root: Path, tmp_path: Path) -> None:
    above = git_repo(tmp_path / "above")
    git(above, "-c", "protocol.file.allow=always", "submodule", "add", "-q", str(root), "inner")
    git(above, "commit", "-qm", "Inner")
    inner = above / "inner"
    assert process(inner, "init", "--hook", "--yes").returncode == 0
    assert (above / ".git/modules/inner/hooks/pre-commit").is_file()
    assert not (above / HOOK).exists()
    assert not commit(inner, f"{MEMORY}/decisions.md", BROKEN)[0]
    assert process(above, "init", "--hook", "--yes").returncode == 1  # no store of its own


def test_without_a_checkout_or_a_store_none_is_made(tmp_path: Path) -> None:
    custodian_store(tmp_path / "plain")
    done = process(tmp_path / "plain", "init", "--hook", "--yes")
    assert (done.returncode, b"no git checkout" in done.stderr) == (2, True)
    subprocess.run(["git", "init", "-q", "--bare", "bare.git"], cwd=tmp_path, check=True)
    before = sorted(tmp_path.joinpath("bare.git/hooks").glob("*"))
    assert process(tmp_path / "bare.git", "init", "--hook", "--yes").returncode == 2
    assert sorted(tmp_path.joinpath("bare.git/hooks").glob("*")) == before
    done = process(git_repo(tmp_path / "empty"), "init", "--hook", "--yes")
    assert (done.returncode, b"There is no store here." in done.stderr) == (1, True)


@pytest.mark.slow
def test_init_makes_a_store_attributes_and_the_hook_in_one_go(tmp_path: Path) -> None:
    root = git_repo(tmp_path / "new")
    dry = process(root, "init", "records", "--git", "--hook", "--dry-run")
    assert (dry.returncode, git(root, "status", "--porcelain"), (root / HOOK).exists()) == (0, "", False)
    assert f"It would make the hook {HOOK}." in dry.stderr.decode()
    done = process(root, "init", "records", "--git", "--hook", "--yes", "--format", "json")
    assert (done.returncode, json.loads(done.stdout)["applied"], (root / HOOK).is_file()) == (0, True, True)
    (root / HOOK).unlink()
    again = process(root, "init", "--git", "--hook", "--yes")
    assert (again.returncode, (root / HOOK).is_file()) == (0, True)


def test_a_hook_that_stands_in_the_way_is_told_before_a_store_is_made(tmp_path: Path) -> None:
    root = git_repo(tmp_path / "new")
    put(root, HOOK, "#!/bin/sh\n")
    done = process(root, "init", "custodian", "--hook", "--yes")
    assert (done.returncode, (root / MEMORY).exists()) == (1, False)


@pytest.mark.slow
def test_a_folder_of_the_repository_that_is_called_memdesk_is_not_run_for_it(root: Path, tmp_path: Path) -> None:
    """git starts hooks and merge drivers at the top of a checkout, where Python would look first."""
    put(root, "memdesk/__main__.py", f"open('{tmp_path}/made', 'w')\n")
    put(root, "memdesk/__init__.py", f"open('{tmp_path}/made', 'w')\n")
    script(root, *gitsetup.program())
    assert not commit(root, f"{MEMORY}/decisions.md", BROKEN)[0]
    git(root, "reset", "-q", "--hard")
    assert process(root, "init", "--git", "--yes", python=["-P"]).returncode == 0
    text = "# Inbox\n\n## 2026-11-20\n\n- One\n"
    assert commit(root, INBOX, text)[0]
    git(root, "branch", "side")
    assert commit(root, INBOX, text + "- Ours\n")[0]
    git(root, "checkout", "-q", "side")
    assert commit(root, INBOX, text + "- Theirs\n")[0]
    git(root, "merge", "-q", "--no-edit", "main")
    assert "- Theirs\n- Ours\n" in (root / INBOX).read_text()
    assert not (tmp_path / "made").exists()
