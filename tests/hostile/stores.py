"""Stores that hold hostile input: one alone in its place, or all that can stand beside each other in one store."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from tests.hostile.inputs import INPUTS, SMALL, Hostile
from tests.support.stores import MEMORY, custodian_store, manifest, put

FILES = {"inbox": "inbox.md", "decisions": "decisions.md", "do-not-use": "do-not-use.md", "manifest": "manifest.md",
         "area": "areas/storage.md"}
AREA = "# Storage\n\nLoad when storage is touched.\n\n- Counts are kept for nine years\n"


def bullet(text: bytes) -> bytes:
    """A text as a bullet, its other lines nested: what it opens ends with the bullet."""
    return b"- " + text.replace(b"\r\n", b"\n").replace(b"\n", b"\n  ") + b"\n"


def place(root: Path, hostile: Hostile, n: int = SMALL) -> Path:
    """A small valid store in `root` with one input in its place; the store's folder. What stands in a candidate's place
    has a candidate before and one behind it."""
    data = hostile.bytes(n)
    store = custodian_store(root, inbox="# Inbox\n\n- Site 7 floods\n- Site 9 reports late\n", **{"areas/storage": AREA})
    if hostile.where == "candidate":
        put(root, f"{MEMORY}/inbox.md", b"# Inbox\n\n- Site 7 floods\n" + bullet(data) + b"- Site 9 reports late\n")
    elif hostile.where in FILES:
        put(root, f"{MEMORY}/{FILES[hostile.where]}", data)
    elif hostile.where == "route":
        line = b"- `" + data + b"`\n" if b"`" not in data else b"- " + data + b"\n"
        whole = manifest(areas=["storage"]).encode()
        put(root, f"{MEMORY}/manifest.md", whole.replace(b"- `brief.md`\n", b"- `brief.md`\n" + line, 1))
    elif hostile.where == "index":
        whole = manifest(areas=["- @"]).encode()
        put(root, f"{MEMORY}/manifest.md", whole.replace(b"- @", data, 1))
    elif hostile.where == "name":
        _named(store, data, AREA)
    elif hostile.where == "link":
        _link(store, "link.md", data)
        if b"loop-b" in data:
            _link(store, "loop-b.md", b"link.md")
    elif hostile.where == "judgments":
        put(root, ".memdesk/judgments.toml", data)
    else:
        put(root, hostile.where, data)
    return store


def together(root: Path, inputs: Iterable[Hostile] = INPUTS, n: int = SMALL) -> Path:
    """One store that holds all the inputs that do not keep a whole store from being read: candidates and names and links
    as they are, whole files (an inbox, decisions, a manifest) as areas, paths and index bullets as constraints."""
    bullets, constraints, areas = [b"# Inbox\n\n"], [b"# Constraints\n\n"], ["storage"]
    store = custodian_store(root, **{"areas/storage": AREA})
    for number, hostile in enumerate(inputs):
        data = hostile.bytes(n)
        if hostile.where == "candidate":
            bullets.append(_readable(bullet(data)))
        elif hostile.where in ("route", "index"):
            constraints.append(_readable(bullet(data)))
        elif hostile.where == "name":
            _named(store, b"" if data in (b"manifest.md", b"README.md") else data, AREA)
        elif hostile.where == "link":
            _link(store, f"link-{number}.md", data)
        elif hostile.where in FILES:
            areas.append(f"whole-{number}")
            put(root, f"{MEMORY}/areas/whole-{number}.md", data)
    put(root, f"{MEMORY}/inbox.md", b"".join(bullets))
    put(root, f"{MEMORY}/constraints.md", b"".join(constraints))
    put(root, f"{MEMORY}/manifest.md", manifest(areas=areas))
    return store


def _readable(data: bytes) -> bytes:
    """Without what would make a whole file read-only, or unread: NUL, lone CR, and what is no UTF-8."""
    return data.replace(b"\0", b"\\0").replace(b"\r", b"\\r").decode("utf-8", "backslashreplace").encode()


def _named(store: Path, name: bytes, data: str) -> None:
    if name:
        path = os.path.join(os.fsencode(store), b"areas", name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(data)


def _link(store: Path, name: str, target: bytes) -> None:
    (store / "areas").mkdir(parents=True, exist_ok=True)
    os.symlink(target, os.path.join(os.fsencode(store), b"areas", os.fsencode(name)))
