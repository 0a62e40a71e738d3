"""Where stores of this layout are, and what each file in one is."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Sequence

from memdesk.core.errors import MemdeskError, StoreError
from memdesk.core.layouts.records import numbers
from memdesk.core.layouts.records.kept import GLOSSARY, MAP, NAME, POINTER, TERMS, USUAL, Kept
from memdesk.core.lean import TYPE_CHECKING
from memdesk.core.model import NearMiss, Place, Store
from memdesk.core.patterns import lazy

if TYPE_CHECKING:
    from memdesk.core.config import Settings
    from memdesk.core.tree import Tree

# Files that say that a folder is a package of its own: a CONTEXT.md beside one is a glossary.
PACKAGES = frozenset({
    "package.json", "pyproject.toml", "setup.py", "setup.cfg", "Cargo.toml", "go.mod", "pom.xml", "build.gradle",
    "build.gradle.kts", "composer.json", "Gemfile", "mix.exs", "pubspec.yaml", "Package.swift", "deno.json", "dbt_project.yml",
})  # fmt: skip
_MAPPED = lazy(r"(?<![\w./-])(?:\./)?((?:[\w.@+-]{1,100}+/){0,20}+CONTEXT\.md)(?![\w/-])")


def detect(tree: Tree, paths: Sequence[str], settings: Settings) -> tuple[list[Store], list[NearMiss]]:
    """Stores: folders with a CONTEXT.md (the root, a package, one that CONTEXT-MAP.md names), or with numbered records in a
    usual folder or where `.adr-dir` points; and those that the settings name."""
    found = _Found()
    for path in paths:
        folder, _, name = path.rpartition("/")
        if name in _MARKS or name in PACKAGES:
            found.names.setdefault(folder or ".", set()).add(name)
        elif name.endswith(".md"):
            if name[:1].isdigit() and numbers.digits(name):
                found.numbered.add(folder or ".")
            elif folder.endswith(USUAL):
                found.plain.setdefault(folder, []).append(name)
    marked = found.numbered or found.plain or any(_MARKS & names for names in found.names.values())
    if not marked and NAME not in settings.stores.layout.values():
        return [], []
    return _stores(tree, settings, found)


def classify(store: Store, path: str) -> Place | None:
    """Role and tier of a workspace-relative path; None: not memory of this store."""
    inner = store.inner(path)
    if inner is None or not inner.endswith(".md"):
        return None
    kept: Kept = store.settings
    if inner == GLOSSARY:
        return Place("glossary", "durable")
    if inner == MAP:
        return Place("map", "index")
    folder, _, name = inner.rpartition("/")
    if (folder or ".") in kept.records and numbers.digits(name):
        return Place("record", "durable")
    if kept.design and inner.startswith(kept.design + "/"):
        if inner == f"{kept.design}/{TERMS}":
            return Place("terms", "working")
        stem = name.removesuffix(".md")
        return None if numbers.is_other(stem) or stem.startswith(("0000-", "000-", "00000-")) else Place("design", "working")
    return None


class _Found:
    """What the names alone say. `names`: folder -> those of our files that it holds."""

    def __init__(self) -> None:
        self.names: dict[str, set[str]] = {}
        self.numbered: set[str] = set()  # folders with numbered records
        self.plain: dict[str, list[str]] = {}  # usual folders -> what they hold without a number


_MARKS = frozenset({GLOSSARY, MAP, POINTER})
_NAMED = "are named 0001-title.md, with 3 to 5 digits"
_LIKE = lazy(r"(?:adr|rfc|decision)?[-_ ]?[0-9]", re.IGNORECASE)  # how records are named elsewhere: by a date, ADR-7, 12_x


def _stores(tree: Tree, settings: Settings, found: _Found) -> tuple[list[Store], list[NearMiss]]:
    misses: list[NearMiss] = []
    folders: dict[str, list[str]] = {}  # store -> its record folders, relative to it
    reasons: dict[str, str] = {}
    configured = [
        folder.strip("/").removeprefix("./") or "." for folder, layout in settings.stores.layout.items() if layout == NAME
    ]
    for folder in sorted(found.numbered):
        home = next((one for one in configured if one != "." and f"{folder}/".startswith(one + "/")), None)
        usual = _usual(folder)
        if home is None and usual is not None:
            home = folder[: -len(usual)].rstrip("/") or "."
            reasons.setdefault(home, f"numbered records in {usual}/")
        if home is not None:
            folders.setdefault(home, []).append(folder if home == "." else folder[len(home) + 1 :] or ".")
    for folder in sorted(one for one, names in found.names.items() if POINTER in names):
        _pointed(tree, folder, found, folders, reasons, misses)
    mapped: set[str] = set()
    for folder, names in sorted(found.names.items()):
        if MAP in names:
            named = _mapped(tree, folder)
            gone = [path for path in named if GLOSSARY not in found.names.get(path, ()) and path.split("/")[0] != ".."]
            misses += [NearMiss(path, f"{_in(folder, MAP)} names a {GLOSSARY} here, and there is none.") for path in gone]
            mapped.update(named)
    for folder, names in sorted(found.names.items()):
        if MAP in names:
            reasons[folder] = MAP
        if GLOSSARY in names:
            if folder == "." or folder in reasons or names & PACKAGES or folder in mapped:
                reasons[folder] = GLOSSARY
            else:
                why = f"{GLOSSARY} is here, but no package and no records: name it in a {MAP}, or in stores.layout."
                misses.append(NearMiss(folder, why))
    reasons |= dict.fromkeys(configured, "the settings say so")
    for folder, plain in sorted(found.plain.items()):
        usual = _usual(folder)
        if usual is None:
            continue
        home = folder[: -len(usual)].rstrip("/") or "."
        if home in reasons:
            folders.setdefault(home, [usual])  # where the first record will be
            if passed := [name for name in plain if _LIKE.match(name) and not name.startswith("000")]:
                others = f" and {len(passed) - 1} more are" if len(passed) > 1 else " is"
                misses.append(NearMiss(folder, f"{passed[0]}{others} not read: records {_NAMED}."))
        elif not all(numbers.is_other(name.removesuffix(".md")) or name.startswith("000") for name in plain):
            misses.append(NearMiss(folder, f"It holds no numbered record: those {_NAMED}."))
    try:
        own, fault = _statuses(settings), None
    except StoreError as error:
        own, fault = {}, error
    stores = []
    for home, reason in sorted(reasons.items()):
        kept = Kept(tuple(folders.get(home, ())) or USUAL[:1], settings.records.design, own, settings.records.supersede_as)
        stores.append(Store(NAME, home, reason, kept, None if fault is None else str(fault), marker=False, fault=fault))
    return stores, [miss for miss in misses if miss.path not in reasons]


def _usual(folder: str) -> str | None:
    """The usual folder of records that a path ends in, with what folders of documentation are above it."""
    for usual in USUAL:
        if folder == usual:
            return usual
        if folder.endswith("/" + usual):
            home = folder[: -len(usual)].rstrip("/").split("/")
            above = len(home)
            while above and home[above - 1] in _DOCUMENTS:
                above -= 1
            return "/".join([*home[above:], usual])
    return None


_DOCUMENTS = frozenset({"docs", "doc", "documentation", "architecture"})


def _pointed(
    tree: Tree, folder: str, found: _Found, folders: dict[str, list[str]], reasons: dict[str, str], misses: list[NearMiss]
) -> None:
    """The folder that a `.adr-dir` names: that of a record store, if it lies in the repository."""
    where = _in(folder, POINTER)
    try:
        lines = tree.read(where).decode("utf-8").strip().splitlines()
    except (MemdeskError, UnicodeDecodeError):
        misses.append(NearMiss(folder, f"{where} cannot be read."))
        return
    named = lines[0].strip() if lines else ""
    target = posixpath.normpath(posixpath.join("" if folder == "." else folder, named.replace("\\", "/")))
    if not named or named.startswith(("/", "\\", "~")) or named[1:2] == ":" or target == ".." or target.startswith("../"):
        misses.append(NearMiss(folder, f"{where} points to {named[:80]!r}, which is no folder of this repository."))
        return
    if folder == ".":
        home, inner = ".", target
    elif target == folder or target.startswith(folder + "/"):
        home, inner = folder, target[len(folder) + 1 :] or "."
    else:
        home, inner = ".", target
    if tree.kind(target) != "folder":
        misses.append(NearMiss(folder, f"{where} points to {named[:80]!r}, and there is no such folder."))
        return
    known = folders.setdefault(home, [])
    if inner not in known:
        known.insert(0, inner)
    reasons.setdefault(home, f"{where} points to {target}/")


def _in(folder: str, name: str) -> str:
    return name if folder == "." else f"{folder}/{name}"


def _mapped(tree: Tree, folder: str) -> list[str]:
    """The folders whose CONTEXT.md a map names."""
    where = _in(folder, MAP)
    try:
        text = tree.read(where).decode("utf-8", "replace")
    except MemdeskError:
        return []
    base = "" if folder == "." else folder
    return [posixpath.dirname(posixpath.normpath(posixpath.join(base, match[1]))) or "." for match in _MAPPED.finditer(text)]


def _statuses(settings: Settings) -> dict[str, str]:
    """The statuses of the settings' own. Raises StoreError for one that is made to mean no known status."""
    from memdesk.core.layouts.records.statuses import KNOWN

    found = {}
    for word, meaning in settings.records.statuses.items():
        known = " ".join(meaning.casefold().replace("-", " ").split())
        if known not in KNOWN:
            place = settings.place(f"records.statuses.{word}")
            raise StoreError(
                f"records.statuses says that {word!r} means {meaning!r}, which is no status.",
                remedy=f"Known: {', '.join(KNOWN)}.", path=place.file if place else None, line=place.line if place else None,
            )
        found[" ".join(word.casefold().split())] = known
    return found
