"""What a plan may be written to: its steps as changes of real files, or the reason why not (invariants 2 and 6)."""

from __future__ import annotations

import os
import unicodedata
from collections.abc import Mapping

from memdesk.core.plan import Plan, Step
from memdesk.core.transaction.ground import ASIDE, Ground
from memdesk.core.transaction.journal import Change, change, digest
from memdesk.core.transaction.problems import Stale, refusal

NAME_MAX = 255  # bytes of a name, on every file system in use


def changes(ground: Ground, plan: Plan) -> tuple[list[Change], list[str]]:
    """The plan's changes in the order in which they are carried out, and the folders that it makes, outermost first.

    Creates come first and deletes last, so that whoever reads in between sees a text twice rather than never. Raises
    Refused for a target that is not written to, Stale for one that is not what the plan was made from, OSError.
    """
    found: list[Change] = []
    folders: list[str] = []
    seen: set[str] = set()
    for step in plan.steps:
        real = _real(ground, step.path)
        if step.kind == "mkdir":
            folders += [folder for folder in _missing(ground, real, step.path) if folder not in folders]
            continue
        if real in seen:
            raise refusal(step.path, "The plan changes this file twice.", "Split it into two actions.")
        seen.add(real)
        if step.before == step.after:
            continue
        if step.kind == "create":
            item = _create(ground, step, real, folders)
        elif step.kind in ("replace", "delete"):
            item = _existing(ground, step, real)
        else:
            raise ValueError(f"no such step: {step.kind}")
        found.append(item)
    order = {"create": 0, "replace": 1, "delete": 2}
    return sorted(found, key=lambda item: order[item.kind]), folders


def compare(ground: Ground, reads: Mapping[str, str | None]) -> None:
    """Compares what else the plan was made from with the disk. Raises Stale, naming the first that differs."""
    for path, wanted in reads.items():
        if digest_at(ground, path) != wanted:
            raise Stale(path)


def digest_at(ground: Ground, path: str) -> str | None:
    """As Tree.digest: sha256 of a file's bytes, of a folder's names, or None."""
    real = ground.files.resolve(ground.target(path) if path != "." else ground.root)
    found = ground.files.stat(real) if _inside(ground, real) else None
    if found is None or found.kind not in ("file", "folder"):
        return None
    if found.kind == "file":
        return digest(ground.files.read(real))
    names = [name for name in ground.files.list(real) if not name.startswith(ASIDE)]
    return digest(b"\0".join(os.fsencode(name) for name in sorted(names)))


def _real(ground: Ground, path: str) -> str:
    """The workspace-relative file behind a path."""
    parts = path.split("/")
    if not path or path.startswith("/") or "\0" in path or any(part in ("", ".", "..") for part in parts):
        raise refusal(path, "This is no path inside the workspace.", "Name a file below its root.")
    real = ground.files.resolve(ground.target(path))
    if not _inside(ground, real):
        raise refusal(
            path, "A link leads out of the repository; nothing is written there.", "Replace the link by the file itself."
        )
    relative = real[len(ground.root) :].lstrip("/")
    inner = relative.split("/")
    if inner[0] == ".git" or real == ground.state or real.startswith(ground.state + "/"):
        raise refusal(path, "git's and memdesk's own files are no memory.", "Choose another path.")
    return relative


def _inside(ground: Ground, real: str) -> bool:
    return real == ground.root or real.startswith(ground.root.rstrip("/") + "/")


def _existing(ground: Ground, step: Step, real: str) -> Change:
    path, files = ground.target(real), ground.files
    found = files.stat(path)
    if found is None:
        raise Stale(step.path)
    if found.kind != "file":
        kind = {"folder": "a folder", "link": "a link that leads nowhere"}.get(found.kind, "no regular file")
        raise refusal(step.path, f"This is {kind}; only regular files are written.", "Move it out of the way.")
    if found.links > 1:
        raise refusal(
            step.path, f"The file has {found.links} hard links; a new version would part it from the others.",
            "Make it a file of its own: copy it, then move the copy over it.",
        )
    if not found.mode & 0o200 or not files.writable(path):
        raise refusal(step.path, "The file is read-only.", f"Make it writable (chmod u+w) if memdesk may edit it; its mode is "
                      f"{found.mode:04o}.")
    if files.mounted(path):
        raise refusal(step.path, "Something is mounted on this very file.", "Edit the file behind the mount instead.")
    _folder(ground, os.path.dirname(path), step.path)
    _clash(ground, real, step.path)
    if files.read(path) != step.before:
        raise Stale(step.path)
    return change(step.kind, step.path, real, step.before, step.after, found.mode)


def _create(ground: Ground, step: Step, real: str, folders: list[str]) -> Change:
    if any(len(os.fsencode(part)) > NAME_MAX for part in real.split("/")):
        raise refusal(step.path, "The name is too long for a file.", "Choose a shorter one.")
    if ground.files.stat(ground.target(real)) is not None:
        raise Stale(step.path)
    parent = os.path.dirname(real)
    if parent:
        folders += [folder for folder in _missing(ground, parent, step.path) if folder not in folders]
    if parent not in folders:
        _folder(ground, os.path.dirname(ground.target(real)), step.path)
        _clash(ground, real, step.path)
    return change("create", step.path, real, None, step.after, step.mode)


def _missing(ground: Ground, folder: str, path: str) -> list[str]:
    """The folders that have to be made for `folder` to be there, outermost first."""
    out: list[str] = []
    while folder and ground.files.stat(ground.target(folder)) is None:
        out.append(folder)
        folder = os.path.dirname(folder)
    above = ground.target(folder) if folder else ground.root
    found = ground.files.stat(above)
    if found is None or found.kind != "folder":
        raise refusal(path, f"{folder or 'The root'} is no folder.", "Move it out of the way.")
    if out:
        _folder(ground, above, path)
        _clash(ground, out[-1], path)
    return out[::-1]


def _folder(ground: Ground, folder: str, path: str) -> None:
    if not ground.files.writable(folder):
        raise refusal(path, "Its folder cannot be written to.", "Check who may write there (ls -ld), and how it is mounted.")


def _clash(ground: Ground, real: str, path: str) -> None:
    """A name that is another's but for its case or composition would be that other file on the next person's disk."""
    folder, name = os.path.split(ground.target(real))
    for other in ground.files.list(folder):
        if other != name and _folded(other) == _folded(name):
            raise refusal(path, f"{other} is there already, and differs only in case.", "Rename one of the two.")


def _folded(name: str) -> str:
    return unicodedata.normalize("NFC", name).casefold()
