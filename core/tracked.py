"""The tracked files of `.memdesk/`: lists of TOML tables that people may mend by hand, to which memdesk adds at the end alone.

What is read names file and line of what is wrong; what is added leaves every byte before it as it was.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from memdesk.core.errors import StoreError
from memdesk.core.lean import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from typing import Any

    from memdesk.core.plan import Step
    from memdesk.core.tree import Tree

MEND = "Mend that entry or remove it."


class Table(NamedTuple):
    """One table of a list, and the 1-based line of its header where that could be found."""

    fields: dict[str, Any]
    line: int | None


def data(tree: Tree, path: str) -> bytes | None:
    """The bytes of such a file; None without one. Raises StoreError."""
    return None if tree.kind(path) == "none" else tree.read(path)


def tables(path: str, name: str, found: bytes) -> list[Table]:
    """The tables `[[name]]` of a file, which holds nothing else. Raises StoreError with the line of what is wrong."""
    from memdesk.core.configfile import parse_toml
    from memdesk.core.tomlkeys import key_lines

    text, content = parse_toml(path, found)
    lines = key_lines(text)
    for other in content:
        if other != name:
            raise StoreError(f"{other!r} is no {name}.", path=path, line=lines.get((other,)), remedy=f"Write [[{name}]].")
    items = content.get(name, [])
    if not isinstance(items, list):
        raise StoreError(f"{name} is no list.", path=path, line=lines.get((name,)), remedy=f"Write [[{name}]].")
    rows = [Table(item, lines.get((name, index))) for index, item in enumerate(items)]
    for item, line in rows:
        if not isinstance(item, dict):
            raise StoreError(f"A {name} must be a table.", path=path, line=line, remedy=f"Write [[{name}]].")
    return rows


def appended(
    path: str, name: str, before: bytes | None, header: str, tables: Sequence[Sequence[str]],
    parse: Callable[[bytes], list[Any]], made: Sequence[Any],
) -> bytes:
    """The file with more tables at its end, in the file's own line endings; `header`: the comment of a new file. `made` is what
    the rows of `tables` say: read again, the file must hold that beside what it held. Raises StoreError for one that is broken,
    or whose tables stand in a form that nothing can be added to."""
    held = b"" if before is None else before
    wanted = [*parse(held), *made]
    after = held
    for rows in tables:
        after = _grown(after, header, name, rows)
    try:
        found = parse(after)
    except StoreError:
        found = []
    if [one._replace(line=None) for one in found] != [one._replace(line=None) for one in wanted]:
        raise StoreError("cannot be added to.", path=path, remedy=f"Write its entries as [[{name}]] tables.")
    return after


def steps(tree: Tree, path: str, before: bytes | None, after: bytes) -> tuple[Step, ...]:
    """The steps of a plan that write such a file, its folder included."""
    from memdesk.core.plan import Step

    if before is not None:
        return (Step("replace", path, before, after, tree.mode(path)),)
    folder = path.rpartition("/")[0]
    made = (Step("mkdir", folder),) if tree.kind(folder) == "none" else ()
    return (*made, Step("create", path, None, after))


def quoted(text: str) -> str:
    """A basic string of TOML, on one line."""
    shown = text.encode("utf-8", "replace").decode("utf-8").replace("\\", "\\\\").replace('"', '\\"')
    return '"' + "".join(f"\\u{ord(one):04x}" if ord(one) < 32 or ord(one) == 127 else one for one in shown) + '"'


def bound(paths: Iterable[tuple[str, bytes]]) -> dict[str, str | None]:
    """What a plan was made from, path by path, for `Plan.reads`."""
    from hashlib import sha256

    return {path: sha256(found).hexdigest() for path, found in paths}


def _grown(held: bytes, header: str, name: str, rows: Sequence[str]) -> bytes:
    ending = b"\r\n" if held.count(b"\r\n") * 2 > held.count(b"\n") else b"\n"
    head = (header.encode() + b"\n") if not held else b"" if held.endswith(b"\n") else ending
    gap = ending if held.strip() else b""
    return held + head + gap + ending.join(row.encode() for row in (f"[[{name}]]", *rows)) + ending
