"""Which line of the manifest decides that a file stays out of a route or is cut short, and how it would have to read."""

from __future__ import annotations

import re

from memdesk.core.errors import StoreError
from memdesk.core.layouts import spans
from memdesk.core.layouts.advising import line_of
from memdesk.core.layouts.base import Advice
from memdesk.core.layouts.custodian import spots
from memdesk.core.layouts.custodian.manifest import FOLDERS, HEADINGS, Listing, Manifest, Module, is_name
from memdesk.core.layouts.custodian.route import category_of, kept_out, load, paths_within
from memdesk.core.lean import TYPE_CHECKING
from memdesk.core.patterns import lazy

if TYPE_CHECKING:
    from memdesk.core.config import Settings
    from memdesk.core.layouts.base import LoadRequest
    from memdesk.core.markdown import Block, Page
    from memdesk.core.model import Document, Store, Workspace


def advice(
    workspace: Workspace, store: Store, request: LoadRequest, document: Document, settings: Settings
) -> Advice | None:
    """One step towards loading a document for a request, or None: the manifest, the registry of subjects, the inbox and the
    archive load by no line, those two for maintenance aside."""
    manifest: Manifest = store.settings
    there = workspace.documents.get(manifest.path)
    category = category_of(request.task)
    if there is None or manifest.unreadable:
        return None
    if there.problem is not None:
        return Advice(manifest.path, there.problem.line or 0, "see", "mend it: nothing is routed until then")
    inners = [inner for path in (document.path, *document.aliases) if (inner := store.inner(path)) is not None]
    if not inners:
        return None
    advising = _Advising(there, manifest, category, inners[0])
    never = document.place.role in ("manifest", "subjects")
    barred = category != "maintenance" and bool(kept_out(inners[0], document.path))
    try:
        load(workspace, store, request)
    except StoreError as error:
        return advising.mended(error, listed=not never and not barred)
    if never or barred:
        return advising.named_in_vain()
    if document.place.role in FOLDERS.values():
        kind = next(kind for kind, role in FOLDERS.items() if role == document.place.role)
        found = advising.enabled(kind, inners)
        if found is not None:
            return found
        module = next(one for one in manifest.enabled(kind) if one.path in inners)
        if module.globs and (within := paths_within(store, request.paths)):
            return advising.glob(module, within[0]) or advising.listed()
    return advising.listed()


def room(workspace: Workspace, store: Store, path: str, tokens: int) -> Advice | None:
    """The budget line of a file, or the place of a new one, for that many tokens; None for a file without a budget."""
    manifest: Manifest = store.settings
    there, inner = workspace.documents.get(manifest.path), store.named(path)
    limit, origin = manifest.budget(inner)
    if there is None or limit is None:
        return None
    page = there.page
    if origin == "default":
        row = f"{inner}: {tokens} tokens max"
        heading = spots.heading(page, 2, "Context budget")
        if heading is None:
            return _at_end(there, f"## Context budget\n- {row}")
        rows = spots.items_of(page, heading)
        return _below(there, rows[-1].end_line if rows else heading.end_line, _bullet(page, rows[-1:], row))
    line = int(origin.rpartition(":")[2])
    block = next(block for block in page.blocks if block.kind == "item" and block.line == line)
    for number in range(block.line, block.end_line + 1):
        now = line_of(there, number)
        match = _TOKENS.search(now)
        if match is not None:
            return Advice(manifest.path, number, "instead", now[: match.start(1)] + str(tokens) + now[match.end(1) :], now)
    return Advice(manifest.path, line, "see", f"its budget: {tokens} tokens would do")


class _Advising:
    """For one document, by its path in the store, and one category."""

    def __init__(self, manifest: Document, said: Manifest, category: str, inner: str) -> None:
        self.manifest, self.page = manifest, manifest.page
        self.said = said
        self.category = category
        self.inner = inner

    def mended(self, error: StoreError, *, listed: bool) -> Advice | None:
        """What to do about a manifest that can't be routed; a section that is missing comes with the file in it."""
        row = [f"- {self.inner}"] if listed else ["Load:"]
        if not self.said.always:
            return _at_end(self.manifest, "\n".join(["## Always load", *row]))
        if len(self.said.always) == 1 and self.category in HEADINGS and not self.said.categories[self.category]:
            section = "\n".join([f"### {HEADINGS[self.category]}", *row])
            parent = spots.heading(self.page, 2, "Load by task")
            if parent is None:
                return _at_end(self.manifest, f"## Load by task\n{section}")
            return _below(self.manifest, self._last_line(parent), section)
        if error.path != self.manifest.path or error.line is None:
            return None
        block = next((one for one in self.page.blocks if one.kind == "item" and one.line == error.line), None)
        if block is not None:
            return self._out(block)
        return Advice(self.manifest.path, error.line, "see", error.remedy.rstrip("."))

    def named_in_vain(self) -> Advice | None:
        """The line that names the registry, or an inbox or archive file, where that has no effect."""
        listings = [*self.said.always, *self.said.categories.get(self.category, ())]
        line = next((file.line for one in listings for file in one.files if file.path == self.inner), None)
        return None if line is None else Advice(self.manifest.path, line, "see", "this line has no effect")

    def enabled(self, kind: str, inners: list[str]) -> Advice | None:
        """The row of the module index that a module lacks, or the one that can't stand; None for one that is enabled, and for
        a file that no row could name."""
        if any(one.path in inners for one in self.said.enabled(kind)):
            return None
        inner = next((one for one in inners if one.startswith(kind + "/")), self.inner)
        name = inner.removeprefix(kind + "/").removesuffix(".md")
        if not is_name(name):
            return self.listed()
        faulty = next((one for one in self.said.modules if one.path == inner), None)
        if faulty is not None:
            block = next(one for one in self.page.blocks if one.kind == "item" and one.line == faulty.line)
            return self._out(block)
        return self._row(kind, f"`{inner}`: when the task touches {name}")

    def glob(self, module: Module, path: str) -> Advice | None:
        """One more glob for an area that loads by path; None where no glob can be that path."""
        if any(char in path for char in "`,*?[]") or path != path.strip():
            return None
        block = next(one for one in self.page.blocks if one.kind == "item" and one.line == module.line)
        at = self.page.blocks.index(block)
        child = next(one for one in self.page.blocks[at + 1 :] if one.parent == at and one.kind == "item")
        first = line_of(self.manifest, child.line)
        lead = first[: len(first) - len(first.lstrip())]
        return _below(self.manifest, block.end_line, f"{lead}{child.marker} paths: `{path}`")

    def listed(self) -> Advice | None:
        """A line of the task's own section; for a task that has none, of the files that always load."""
        listings = self.said.categories.get(self.category) or self.said.always
        listing: Listing = listings[0]
        start = next(one for one in self.page.blocks if one.kind == "heading" and one.line == listing.line)
        stop = spans.stop_of(self.page, start)
        inside = [one for one in self.page.blocks if start.end <= one.start < stop and not one.depth]
        items = [one for one in inside if one.kind == "item"]
        required = _naming(items, {file.line for file in listing.files if file.required})
        naming = _naming(items, {file.line for file in listing.files})
        labels = [one for one in inside if one.kind == "paragraph" and _LABEL.search(line_of(self.manifest, one.end_line))]
        spot = (required[-1:] or labels[:1] or naming[-1:] or [start])[0]
        return _below(self.manifest, spot.end_line, _bullet(self.page, (required or naming or items)[-1:], self.inner))

    def _out(self, block: Block) -> Advice:
        also = "" if block.end_line == block.line else "and what goes on below it"
        return Advice(self.manifest.path, block.line, "out", also, line_of(self.manifest, block.line))

    def _row(self, kind: str, row: str) -> Advice:
        page = self.page
        parent = spots.heading(page, 2, "Optional module index")
        if parent is None:
            return _at_end(self.manifest, f"## Optional module index\n### Enabled {kind}\n- {row}")
        heading = spots.heading(page, 3, f"Enabled {kind}", parent)
        if heading is None:
            return _below(self.manifest, self._last_line(parent), f"### Enabled {kind}\n- {row}")
        rows = spots.items_of(page, heading)
        last = rows[-1] if rows else heading
        none = next((one for one in rows if _NONE.match(page.text, one.start, one.end)), None)
        if none is not None and none.line == none.end_line:
            return Advice(self.manifest.path, none.line, "instead", f"{none.marker} {row}", line_of(self.manifest, none.line))
        return _below(self.manifest, last.end_line, _bullet(page, rows[-1:], row, ticks=False))

    def _last_line(self, heading: Block) -> int:
        stop = spans.stop_of(self.page, heading)
        return max(one.end_line for one in self.page.blocks if heading.start <= one.start < stop)


_TOKENS = lazy(r"(?<![\d,_])(\d{1,9}(?:[,_ ]\d{3}){0,2}) ?tokens?\b", re.IGNORECASE)
_LABEL = lazy(r"load[ *_]{0,4}:[ *_]{0,4}\Z", re.IGNORECASE)
_NONE = lazy(r"\s*[-*+]\s+[(*_]*none\b", re.IGNORECASE)


def _naming(items: list[Block], lines: set[int]) -> list[Block]:
    """The bullets in which one of these lines is."""
    return [item for item in items if any(number in lines for number in range(item.line, item.end_line + 1))]


def _bullet(page: Page, like: list[Block], text: str, *, ticks: bool = True) -> str:
    """A bullet in the form of its neighbour: its marker, and backticks around the path where that has them."""
    marker = next((one.marker for one in like if one.marker in ("-", "*", "+")), "-")
    if ticks and any(page.data[one.inner[0] : one.inner[0] + 1] == b"`" for one in like):
        path, colon, rest = text.partition(":")
        text = f"`{path}`{colon}{rest}"
    return f"{marker} {text}"


def _below(manifest: Document, line: int, text: str) -> Advice:
    """A line below another, unless a block that never closes would take it in."""
    unclosed = manifest.page.unclosed
    if unclosed is not None and line >= unclosed.line:
        return Advice(manifest.path, unclosed.line, "see", f"close the {unclosed.kind} that begins here first")
    return Advice(manifest.path, line, "below", text, line_of(manifest, line))


def _at_end(manifest: Document, text: str) -> Advice:
    last = len(manifest.data.rstrip().split(b"\n")) if manifest.data.strip() else 0
    return _below(manifest, last, text) if last else Advice(manifest.path, 1, "instead", text)
