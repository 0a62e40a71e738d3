'''Each rule's examples: one that fails, and one as close to it as can be that passes. Data, one file for each rule.

A common rule's file is `core/checks/examples/RULE.toml`, a layout's own `core/layouts/NAME/examples/RULE.toml`. The tests run
each for real; `--explain` and docs/rules.md print it. Its form:

    why = """
    One to three sentences: what goes wrong for agents and people where nobody heeds this rule."""
    finding = "docs/memory/constraints.md:4"    # where the failing example fails: PATH or PATH:LINE, or a list of them

    [fails]
    "docs/memory/constraints.md" = """
    # Constraints
    ..."""

    [passes]
    "docs/memory/constraints.md" = """
    ..."""

The files lie on top of a small valid store, which `core/layouts/NAME/examples/base.toml` holds under `[files]` (AGENTS.md is
one of them): the passing example must yield no finding at all, of any rule, the failing one just its own.

Where they are needed: `[files]` are in both (memdesk.toml among them, for a setting), shown before the two; `[before]` is what
HEAD holds on top of the base: the examples are then changes against it, in a git repository (a file of `[before]` that an
example doesn't name stays as it is; `change = "worktree"`: so too without `[before]`; `"base"`: checked with `--base main`;
`"staged"`: checked with `--staged` after `git add --all`). `today = "2026-06-01"`, where the day matters.
`layout = "custodian"` too, for a common rule. `also = ["RULE"]` names rules that can't but report the failing example with it.

A file is text (the line break that follows the opening quotes is TOML's own, and a last one is added where there is none), or
    false                                        no such file (one of the base or of `before` that is to be gone)
    { link = "../elsewhere.md" }                 a symbolic link
    { text = "...", encoding = "UTF-16" }        saved in another encoding
    { text = "...", each = "- Line {n}\n", times = 31, end = "..." }   lines in between that no reader needs to see all
    { part = "...", instead_of = "..." }         a file that is there, with one passage replaced: only the new one is shown
    { part = "..." }                             a file that is there as it is: only this passage is shown
Characters that can't be printed are written as TOML escapes ("\\u001B"), and shown so. Lines end within 78 columns.
'''

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence

from memdesk.core import layouts
from memdesk.core.lean import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from typing import Any

    from memdesk.core.checks.rule import Rule

KEYS = frozenset({"why", "finding", "layout", "today", "change", "also", "before", "files", "fails", "passes"})
KINDS: tuple[frozenset[str], ...] = tuple(
    map(frozenset, (("link",), ("text", "encoding"), ("text", "each", "times", "end"), ("part", "instead_of")))
)
TODAY = "2026-05-10"  # unless an example says another day
SHOWN = 2  # of the lines that an example has many of


class Spot(NamedTuple):
    """Where the failing example fails. `line` is None for a file as a whole."""

    path: str
    line: int | None

    def __str__(self) -> str:
        return self.path if self.line is None else f"{self.path}:{self.line}"


class Part(NamedTuple):
    """A file of an example as it is shown. `text` is None where there is none to show; `note` says what the text doesn't."""

    path: str
    text: str | None
    note: str = ""


class File(NamedTuple):
    """A file of an example. `data` is None where there is none; `link`: what a symbolic link holds."""

    part: Part
    data: bytes | None
    link: str = ""


class Example(NamedTuple):
    """The examples of one rule. `base` is the store that they lie on, `before` what a commit holds on top of it, `files` what
    both examples have. `change` is the mode of the check: "none", "worktree", "base" or "staged"; `today` is "" where the day
    is no matter."""

    rule: str
    layout: str
    why: str
    findings: tuple[Spot, ...]
    also: tuple[str, ...]
    today: str
    change: str
    base: tuple[File, ...]
    before: tuple[File, ...]
    files: tuple[File, ...]
    fails: tuple[File, ...]
    passes: tuple[File, ...]

    def line(self, spot: Spot) -> str:
        """What stands in the line at which the failing example fails; "" where none does."""
        held = next((file.data for file in reversed((*self.base, *self.before, *self.files, *self.fails))
                     if file.part.path == spot.path), None)
        if spot.line is None or held is None:
            return ""
        try:
            return escaped(held.decode("utf-8").split("\n")[spot.line - 1].strip())
        except UnicodeDecodeError:
            return ""


def of(rule: Rule) -> Example:
    """The examples of a rule; each has some. Raises ValueError, with the file, for one not in form."""
    return read(os.path.join(folder(rule.layout), rule.name + ".toml"), rule.layout)


def folder(layout: str) -> str:
    """Where the examples of a layout's rules lie; of the common ones for ""."""
    if not layout:
        return os.path.join(os.path.dirname(os.path.abspath(__file__)), "examples")
    module = __import__(layouts.LAYOUTS[layout], fromlist=["LAYOUT"])
    return os.path.join(os.path.dirname(os.path.abspath(module.__file__ or "")), "examples")


def read(path: str, layout: str = "") -> Example:
    """A file of examples. Raises ValueError, with the file and what is wrong, for one that is not in form."""
    try:
        return _example(os.path.basename(path).removesuffix(".toml"), _toml(path), layout)
    except (ValueError, KeyError) as error:
        raise ValueError(f"{path}: {error}") from error


def base(layout: str) -> tuple[File, ...]:
    """The files of the small valid store that a layout's examples lie on."""
    return _files(_toml(os.path.join(folder(layout), "base.toml"))["files"], ())


def escaped(text: str) -> str:
    """Text in which everything that can't be printed is an escape; line breaks aside."""
    return "".join(
        char if char.isprintable() or char == "\n" else char.encode("unicode_escape").decode("ascii") for char in text
    )


def _toml(path: str) -> dict[str, Any]:
    import tomllib

    with open(path, "rb") as file:
        return tomllib.load(file)


def _example(name: str, values: Mapping[str, Any], layout: str) -> Example:
    unknown = values.keys() - KEYS
    missing = {"why", "finding", "fails", "passes"} - values.keys()
    if unknown or missing:
        raise ValueError(f"unknown keys: {sorted(unknown)}; missing keys: {sorted(missing)}.")
    chosen = values.get("layout", layout or "custodian")
    founding = base(chosen)
    before = _files(values.get("before", {}), founding)
    files = _files(values.get("files", {}), (*founding, *before))
    under = (*founding, *before, *files)
    found = values["finding"]
    return Example(
        name, chosen, " ".join(values["why"].split()), tuple(map(_spot, [found] if isinstance(found, str) else found)),
        tuple(values.get("also", ())), values.get("today", ""), values.get("change", "worktree" if before else "none"),
        founding, before, files, _files(values["fails"], under), _files(values["passes"], under),
    )


def _spot(text: str) -> Spot:
    path, _, line = text.rpartition(":")
    return Spot(path, int(line)) if path and line.isdigit() else Spot(text, None)


def _files(table: Mapping[str, Any], under: Sequence[File]) -> tuple[File, ...]:
    return tuple(_file(path, value, under) for path, value in table.items())


def _file(path: str, value: Any, under: Sequence[File]) -> File:
    if value is False:
        return File(Part(path, None, "no such file"), None)
    if isinstance(value, str):
        return _text(path, value)
    if not isinstance(value, dict) or not any(value.keys() <= kind for kind in KINDS):
        raise ValueError(f"{path}: a file is text, false, or a table of one of the forms that core/checks/examples.py names.")
    if "link" in value:
        return File(Part(path, None, f"a symbolic link to {value['link']}"), None, value["link"])
    if "encoding" in value:
        made = _text(path, value["text"])
        data = (made.part.text or "").encode(value["encoding"])
        return File(made.part._replace(note=f"saved as {value['encoding']}"), data)
    if "times" in value:
        return _long(path, **value)
    return _passage(path, value["part"], value.get("instead_of"), under)


def _text(path: str, text: str) -> File:
    whole = text if text.endswith("\n") else text + "\n"
    shown = escaped(whole)
    note = "what can't be printed is written as an escape" if shown != whole else ""
    return File(Part(path, shown, note), whole.encode("utf-8"))


def _long(path: str, text: str, each: str, times: int, end: str = "") -> File:
    lines = [each.replace("{n}", str(number)) for number in range(1, times + 1)]
    more = f"… {times - SHOWN:,} more like these …\n"
    if "\n\n" in each:
        more += "\n"
    shown = escaped("".join([text, *lines[:SHOWN], more, end]).rstrip("\n") + "\n")
    return File(Part(path, shown, ""), "".join([text, *lines, end]).encode("utf-8"))


def _passage(path: str, part: str, instead: str | None, under: Sequence[File]) -> File:
    """A passage of a file that is there, in its place."""
    held = next((file.data for file in reversed(under) if file.part.path == path), None)
    if held is None:
        raise ValueError(f"{path}: there is no such file of which this could be a part.")
    old = held.decode("utf-8")
    sought = part if instead is None else instead
    if old.count(sought) != 1:
        raise ValueError(f"{path}: {sought!r} stands there {old.count(sought)} times; once is needed.")
    line = old[: old.index(sought)].count("\n") + 1
    note = f"from line {line}"
    shown = escaped(part if part.endswith("\n") else part + "\n")
    return File(Part(path, shown, note), old.replace(sought, part).encode("utf-8"))
