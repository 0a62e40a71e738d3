"""Merging in tests: bytes read as the memory file of some role, without a store on disk."""

from __future__ import annotations

from collections.abc import Callable

from memdesk.core import layouts, markdown, merging
from memdesk.core.model import Document, Store
from tests.support.stores import MEMORY, manifest


def reader(path: str = "inbox.md", layout: str = "custodian") -> Callable[[bytes], Document]:
    """Reads bytes as a file of a small store, by its path in it."""
    store = _custodian() if layout == "custodian" else _agent_memory()
    place = layouts.get(layout).classify(store, store.join(path))
    assert place is not None
    return lambda data: Document(store.join(path), store, place, data, layouts.get(layout).entries)


def texts(read: Callable[[bytes], Document], data: bytes) -> list[str]:
    """The texts of the entries in bytes."""
    return [entry.text for entry in read(data).entries]


def merged(read: Callable[[bytes], Document], base: str | None, ours: str, theirs: str) -> str:
    """The merged text, with markers in the diff3 style where something clashes."""
    raw = [None if text is None else text.encode() for text in (base, ours, theirs)]
    assert raw[1] is not None
    assert raw[2] is not None
    return merging.merge(read, raw[0], raw[1], raw[2]).text("ours", "theirs", "base").decode()


def _custodian() -> Store:
    from memdesk.core.layouts.custodian.read import read

    areas = manifest(areas=("storage",))
    return Store("custodian", MEMORY, "a test", read(f"{MEMORY}/manifest.md", markdown.parse(areas.encode())))


def _agent_memory() -> Store:
    from memdesk.core.layouts.agent_memory.read import defaults

    return Store("agent-memory", ".", "a test", defaults())
