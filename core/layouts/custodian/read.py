"""From `manifest.md` to what it says, read tolerantly and without losing a fault.

Reading never fails. What is wrong becomes a `Fault` with its line; `route.py` refuses to route over those that concern
the route, and the rules `protocol`, `route` and `module-index` report all of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from memdesk.core.layouts.custodian.manifest import (
    BASELINE,
    FOLDERS,
    HEADINGS,
    NEWEST,
    BudgetLine,
    Fault,
    Listing,
    Manifest,
    Module,
    Named,
    is_name,
    unsafe,
)
from memdesk.core.lean import TYPE_CHECKING
from memdesk.core.patterns import lazy

if TYPE_CHECKING:
    from memdesk.core.markdown import Block, Page


def read(path: str, page: Page) -> Manifest:
    """The manifest at the workspace-relative `path`."""
    reading = _Reading(page)
    protocol = tuple(reading.protocol())
    text = next((value for key, value, _ in protocol if key == "protocol_version"), "")
    version = _version(text)
    reading.judge_protocol(protocol, text, version)
    always = tuple(reading.listing(start, end) for start, end in reading.sections(2, {"always load"}))
    tasks = [pair for start, end in reading.sections(2, {"load by task"}) for pair in reading.sections(3, None, start, end)]
    headings = tuple((reading.title(start), reading.page.blocks[start].line) for start, _ in tasks)
    categories = {
        category: tuple(reading.listing(start, end) for start, end in tasks if _fold(reading.title(start)) == _fold(heading))
        for category, heading in HEADINGS.items()
    }
    reading.judge_routes(always, categories, headings)
    modules = tuple(reading.modules())
    budgets = tuple(reading.budgets())
    return Manifest(
        path, "", version, text, protocol, always, categories, headings, modules,
        budgets, tuple(reading.faults), reading.titles(2),
    )


class _Reading:
    """One pass over a page's blocks, collecting faults on the way."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.faults: list[Fault] = []

    def title(self, index: int) -> str:
        start, end = self.page.blocks[index].inner
        return " ".join(self.page.data[start:end].decode("utf-8", "replace").split())

    def titles(self, level: int) -> frozenset[str]:
        blocks = self.page.blocks
        found = [index for index, block in enumerate(blocks) if block.kind == "heading" and block.level == level]
        return frozenset(_fold(self.title(index)) for index in found)

    def sections(self, level: int, titles: set[str] | None, start: int = -1, end: int | None = None) -> list[tuple[int, int]]:
        """(index of heading, index after its last block) of each section of that level within [start, end)."""
        blocks = self.page.blocks
        end = len(blocks) if end is None else end
        found = []
        for index in range(start + 1, end):
            block = blocks[index]
            if block.kind != "heading" or block.depth or block.level != level:
                continue
            if titles is not None and _fold(self.title(index)) not in titles:
                continue
            stop = index + 1
            while stop < end and (blocks[stop].kind != "heading" or blocks[stop].depth or blocks[stop].level > level):
                stop += 1
            found.append((index, stop))
        return found

    def items(self, start: int, end: int) -> Iterator[tuple[int, Block, str]]:
        """Each list item within (start, end) with its own text on one line: nested items are left out of it."""
        for index in range(start + 1, end):
            block = self.page.blocks[index]
            if block.kind == "item":
                yield index, block, self._own_text(index)

    def protocol(self) -> Iterator[tuple[str, str, int]]:
        for start, end in self.sections(2, {"memorycustodian protocol"}):
            for _, block, text in self.items(start, end):
                key, colon, value = text.partition(":")
                if colon:
                    yield key.strip().strip("`*").casefold(), value.strip().strip("`\"'"), block.line

    def judge_protocol(self, protocol: tuple[tuple[str, str, int], ...], text: str, version: tuple[int, int] | None) -> None:
        sections = self.sections(2, {"memorycustodian protocol"})
        remedy = "Give it a section `## MemoryCustodian Protocol` with the bullet `- protocol_version: 0.5`."
        lines = [line for key, _, line in protocol if key == "protocol_version"]
        if not sections:
            self._fault("protocol", "error", None, "The manifest has no protocol section.", remedy)
        elif len(sections) > 1:
            second = self.page.blocks[sections[1][0]].line
            self._fault("protocol", "error", second, "The manifest has several protocol sections.", "Keep one of them.")
        elif not lines:
            line = self.page.blocks[sections[0][0]].line
            self._fault("protocol", "error", line, "The protocol section names no protocol_version.", remedy)
        if not lines:
            return
        if len({value for key, value, _ in protocol if key == "protocol_version"}) > 1:
            self._fault("protocol", "error", lines[1], "protocol_version is given twice and differs.", "Keep one of them.")
        if version is None:
            self._fault("protocol", "error", lines[0], f"The protocol version {text!r} cannot be read.", "Write it as `0.5`.")
        elif version < BASELINE:
            self._fault("protocol", "warning", lines[0], f"Protocol {text} is older than 0.5.", "Migrate the store to 0.5.")
        elif version > NEWEST:
            self._fault(
                "protocol", "warning", lines[0],
                f"Protocol {text} is newer than 0.8: memdesk reads this store and does not write to it.",
                "Look for a newer memdesk.",
            )

    def listing(self, start: int, end: int) -> Listing:
        """The files of a section. Bullets are required until a line says `Load if present:`."""
        files = []
        required = True
        blocks = self.page.blocks
        for index in range(start + 1, end):
            block = blocks[index]
            if block.kind == "paragraph" and not block.depth:
                for line in self._text(block.start, block.end).split("\n"):
                    required = _mode(line, required)
            elif block.kind == "item":
                own, after = self._before_label(index)
                named = self._named(block, own, required)
                if named is not None:
                    files.append(named)
                required = _mode(after or own, required)
        return Listing(self.title(start), blocks[start].line, tuple(files))

    def _named(self, block: Block, text: str, required: bool) -> Named | None:
        """The file that a bullet names; None for one that names none."""
        path, tail = _leading_path(text)
        if path.endswith("/") or _NONE.match(text) or _is_label(text):
            return None
        if block.depth and not path.endswith(".md"):
            return None  # a remark below a path
        fault = unsafe(path)
        if fault:
            message = f"`{path}` is no path that can be loaded: {fault}."
            self._fault("route", "error", block.line, message, _PATH_REMEDY)
        return Named(path, required and not (tail and _IF_PRESENT.search(tail)), block.line, fault)

    def _before_label(self, index: int) -> tuple[str, str]:
        """A bullet's own text, and the label that follows it without a blank line: to CommonMark such a `Load if
        present:` continues the bullet, to whoever wrote it, it heads the next ones."""
        lines = self._own_lines(index)
        for number, line in enumerate(lines[1:], 1):
            if line[:1].strip() and _is_label(line):
                return " ".join(" ".join(lines[:number]).split()), line
        return " ".join(" ".join(lines).split()), ""

    def judge_routes(
        self, always: tuple[Listing, ...], categories: dict[str, tuple[Listing, ...]], headings: tuple[tuple[str, int], ...]
    ) -> None:
        self._once("`## Always load`", always, "Keep one, with the files that every task needs.", "")
        known = ", ".join(f"`{title}` (line {line})" for title, line in headings)
        there = f" The headings there: {known}." if known else " No `###` heading is there."
        for category, listings in categories.items():
            what = f"`### {HEADINGS[category]}` under `## Load by task`"
            self._once(what, listings, f"The task category {category} needs exactly one.", there)
        for category, listings in (("", always), *categories.items()):
            for file in (file for listing in listings for file in listing.files):
                if category != "maintenance" and (file.path == "inbox.md" or file.path.startswith("archive/")):
                    message = f"`{file.path}` is named for {category or 'every task'}, and loads for maintenance alone."
                    self._fault("route", "warning", file.line, message, "Take the line out.")
        first = {file.path: file.line for file in always[0].files} if always else {}
        for listing in (*always, *(listing for several in categories.values() for listing in several)):
            seen = {} if listing in always else dict(first)
            for file in listing.files:
                if file.path in seen:
                    self._fault(
                        "route", "warning", file.line,
                        f"`{file.path}` is named twice along the route {listing.heading!r} (line {seen[file.path]} too).",
                        "It loads once, required if either says so. Take one out.",
                    )
                else:
                    seen[file.path] = file.line

    def modules(self) -> Iterator[Module]:
        seen: dict[str, int] = {}
        for start, end in self.sections(2, {"optional module index"}):
            for kind in FOLDERS:
                for first, last in self.sections(3, {f"enabled {kind}"}, start, end):
                    for index, block, text in self.items(first, last):
                        if block.depth or _NONE.match(text):
                            continue
                        module = self._module(kind, index, block, text)
                        if module.path in seen and not module.fault:
                            module = module._replace(fault=f"it is indexed twice (line {seen[module.path]} too)")
                        seen.setdefault(module.path, block.line)
                        if module.fault:
                            message = f"Index row `{module.path}`: {module.fault}."
                            self._fault("module-index", "error", block.line, message, _ROW_REMEDY)
                        yield module

    def budgets(self) -> Iterator[BudgetLine]:
        for start, end in self.sections(2, {"context budget"}):
            for _, block, text in self.items(start, end):
                path, tail = _leading_path(text)
                number = _TOKENS.search(tail)
                if number:
                    yield BudgetLine(path, _number(number[1]), block.line, _caps(tail))
                elif path.endswith((".md", "/")):
                    yield BudgetLine(path, None, block.line, _caps(tail))  # `- inbox.md: memory maintenance only`

    def _module(self, kind: str, index: int, block: Block, text: str) -> Module:
        path, tail = _leading_path(text)
        folder, _, file = path.rpartition("/")
        name = file.removesuffix(".md")
        fault = unsafe(path)
        if not fault and folder != kind:
            fault = f"a file of this list lies in `{kind}/`"
        if not fault and not is_name(name):
            fault = f"{name!r} is no module name: letters, digits, `.`, `_` and `-`, beginning with a letter or digit"
        globs: list[str] = []
        activation = ""
        for _, _, nested in self._children(index):
            key, _, value = nested.partition(":")
            if key.strip().casefold() == "activation":
                activation = value.strip().strip("`").casefold()
            elif key.strip().casefold() == "paths":
                globs += _globs(value)
        if kind != "areas" or (activation and "path" not in activation.split("-")):  # also `path-or-explicit`
            globs = []
        return Module(kind, name, path, block.line, tail, tuple(globs), fault)

    def _children(self, index: int) -> Iterator[tuple[int, Block, str]]:
        blocks = self.page.blocks
        for child in range(index + 1, len(blocks)):
            if blocks[child].start >= blocks[index].end:
                return
            if blocks[child].kind == "item" and blocks[child].parent == index:
                yield child, blocks[child], self._own_text(child)

    def _own_text(self, index: int) -> str:
        """An item's text without its marker and without its nested items, on one line."""
        return " ".join(" ".join(self._own_lines(index)).split())

    def _own_lines(self, index: int) -> list[str]:
        block = self.page.blocks[index]
        end = next((child.start for _, child in self._direct(index)), block.end)
        return self._text(block.inner[0], max(end, block.inner[0])).split("\n")

    def _direct(self, index: int) -> Iterator[tuple[int, Block]]:
        blocks = self.page.blocks
        for child in range(index + 1, len(blocks)):
            if blocks[child].start >= blocks[index].end:
                return
            if blocks[child].kind == "item":
                yield child, blocks[child]

    def _once(self, what: str, listings: tuple[Listing, ...], remedy: str, there: str) -> None:
        if not listings:
            self._fault("route", "error", None, f"The manifest has no section {what}.{there}", remedy)
        elif len(listings) > 1:
            lines = ", ".join(str(listing.line) for listing in listings)
            self._fault("route", "error", listings[1].line, f"The manifest has several sections {what}: lines {lines}.", remedy)

    def _fault(self, rule: str, severity: str, line: int | None, message: str, hint: str) -> None:
        self.faults.append(Fault(rule, severity, line, message, hint))

    def _text(self, start: int, end: int) -> str:
        return self.page.data[start:end].decode("utf-8", "replace")


_PATH_REMEDY = "A path here is relative to the store, with `/` between its parts, and ends in `.md`."
_ROW_REMEDY = "Write ``- `areas/NAME.md`: when to load it``."
_NONE = lazy(r"[(*_]*none\b", re.IGNORECASE)
_IF_PRESENT = lazy(r"\b(?:if|when) (?:it is |they are )?(?:present|it exists|they exist)\b|\(optional\)", re.IGNORECASE)
_REQUIRED = lazy(r"(?:also )?load", re.IGNORECASE)
_OPTIONAL = lazy(r"(?:also )?load (?:if|when) present", re.IGNORECASE)
_TOKENS = lazy(r"(?<![\d,_])(\d{1,9}(?:[,_ ]\d{3}){0,2}) ?tokens?\b", re.IGNORECASE)
# `60 lines max`, `at most 4,000 characters`; not `(about 60 lines)`.
_CAPS = lazy(
    r"(?P<before>\b(?:max(?:imum)?|at most|up to)[ :]{1,3})?(?<![\d,_])(?P<number>\d{1,9}(?:[,_ ]\d{3}){0,2}) ?"
    r"(?P<unit>lines?|chars?|characters?)\b(?P<after>[ ,]{1,3}(?:max|at most|or (?:less|fewer)))?", re.IGNORECASE,
)
_TICKS = lazy(r"`+")
_PLAIN_PATH = lazy(r"(\S*?(?:\.md|/))(?=$|[\s:;,(])\s*(.*)", re.DOTALL)
_SEPARATORS = ":;,—–-"


def _caps(tail: str) -> tuple[tuple[str, int], ...]:
    """The limits in lines and characters that a line of the budgets sets, each unit once."""
    found: dict[str, int] = {}
    for match in _CAPS.finditer(tail):
        if match["before"] or match["after"]:
            found.setdefault("lines" if match["unit"][0] in "lL" else "chars", _number(match["number"]))
    return tuple(found.items())


def _number(text: str) -> int:
    return int(re.sub(r"[,_ ]", "", text))


def _fold(title: str) -> str:
    return re.sub(r"\s*/\s*", "/", " ".join(title.split())).casefold()


def _mode(line: str, required: bool) -> bool:
    """Whether the bullets below a line are required; most lines leave it as it is."""
    words = _label(line)
    if words and _OPTIONAL.fullmatch(words):
        return False
    return True if words and _REQUIRED.fullmatch(words) else required


def _is_label(line: str) -> bool:
    words = _label(line)
    return bool(words and (_OPTIONAL.fullmatch(words) or _REQUIRED.fullmatch(words)))


def _label(line: str) -> str:
    """The words before the colon that ends a line, without emphasis; "" where none ends it."""
    words = line.strip().strip("*_ ")
    return " ".join(words.rstrip(":").strip("*_ ").split()) if words.endswith(":") else ""


def _leading_path(text: str) -> tuple[str, str]:
    """The path that a bullet begins with, in backticks or bare, and what follows its separator (colon, dash, nothing)."""
    code = _code_span(text)
    plain = None if code else _PLAIN_PATH.match(text)
    if code:
        path, tail = code
    elif plain is None or (text.endswith(".md") and plain.group(2) and plain.group(2)[0] not in _SEPARATORS):
        path, tail = text, ""  # a name with spaces, or no path at all
    else:
        path, tail = plain.group(1), plain.group(2)
    return path, tail.lstrip(_SEPARATORS).strip()


def _code_span(text: str) -> tuple[str, str] | None:
    """The code span that a text begins with, and what follows it."""
    ticks = len(text) - len(text.lstrip("`"))
    if not ticks:
        return None
    for run in _TICKS.finditer(text, ticks):
        if len(run[0]) == ticks:
            return text[ticks : run.start()].strip(), text[run.end() :].strip()
    return None


def _globs(value: str) -> list[str]:
    quoted = re.findall(r"`([^`]+)`", value)
    return [glob.strip() for glob in quoted] if quoted else [part.strip() for part in value.split(",") if part.strip()]


def _version(text: str) -> tuple[int, int] | None:
    found = re.fullmatch(r"v?(\d{1,4})\.(\d{1,4})(?:\.\d{1,4})?", text.strip(), re.ASCII)
    return (int(found.group(1)), int(found.group(2))) if found else None
