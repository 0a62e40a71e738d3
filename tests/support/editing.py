"""Edits of a store's files as people and agents make them, from a few numbers each: what properties draw."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from hypothesis import strategies as st

Files = dict[str, bytes]
Edit = tuple[str, int, int, int]  # an operation, and what it chooses by

LAYOUTS = Path(__file__).parents[2] / "core" / "layouts"


def example(layout: str) -> Files:
    """The files of a layout's example store."""
    root = LAYOUTS / layout / "example"
    return {str(file.relative_to(root)): file.read_bytes() for file in sorted(root.rglob("*")) if file.is_file()}


def edited(files: Mapping[str, bytes], edits: Iterable[Edit]) -> Files:
    """The files after these edits; of what is there each number chooses one, whatever it is."""
    made = dict(files)
    for name, one, two, three in edits:
        if made:
            OPERATIONS[name](made, one, two, three)
    return made


def _at(files: Files, number: int) -> str:
    memory = sorted(path for path in files if path.endswith(".md")) or sorted(files)
    return memory[number % len(memory)]


def _blocks(data: bytes) -> list[bytes]:
    """Pieces that begin at a heading or a bullet, each with what follows it."""
    found: list[bytes] = [b""]
    for line in data.splitlines(keepends=True):
        if line.startswith((b"#", b"- ", b"* ")):
            found.append(b"")
        found[-1] += line
    return found


def _take(files: Files, one: int, two: int) -> bytes:
    path = _at(files, one)
    blocks = _blocks(files[path])
    at = two % len(blocks)
    files[path] = b"".join(blocks[:at] + blocks[at + 1 :])
    return blocks[at]


def _put(files: Files, block: bytes, one: int, two: int) -> None:
    path = _at(files, one)
    blocks = _blocks(files[path])
    at = 1 + two % len(blocks)
    files[path] = b"".join([*blocks[:at], block if block.endswith(b"\n") else block + b"\n", *blocks[at:]])


def _move(files: Files, one: int, two: int, three: int) -> None:
    _put(files, _take(files, one, two), three, two + three)


def _shuffle(files: Files, one: int, two: int, three: int) -> None:
    _put(files, _take(files, one, two), one, three)


def _drop(files: Files, one: int, two: int, three: int) -> None:
    _take(files, one, two)


def _twice(files: Files, one: int, two: int, three: int) -> None:
    blocks = _blocks(files[_at(files, one)])
    _put(files, blocks[two % len(blocks)], one, three)


def _add(files: Files, one: int, two: int, three: int) -> None:
    words = b"- Never more than %d of %d.\n" % (two % 7, three % 5)
    if three % 2:
        words = b"## 2026-05-0%d - Count %d\n\nDecision:\nIt is %d.\n\nReason:\nMeasured.\n\n" % (1 + two % 9, two % 4, three)
    _put(files, words, one, two)


def _stone(files: Files, one: int, two: int, three: int) -> None:
    path = next((path for path in sorted(files) if path.endswith("do-not-use.md")), _at(files, one))
    stone = b"## Tombstone: Way %d\n\nDo not reintroduce this. Reason: it failed. Date: 2026-04-1%d.\n\n" % (two % 3, three % 9)
    blocks = _blocks(files[path])
    files[path] = b"".join([*blocks[:2], stone, *blocks[2:]])


def _reword(files: Files, one: int, two: int, three: int) -> None:
    path = _at(files, one)
    words = files[path].split(b" ")
    words[two % len(words)] += b"%d" % (three % 3)
    files[path] = b" ".join(words)


def _strike(files: Files, one: int, two: int, three: int) -> None:
    path = _at(files, one)
    lines = files[path].split(b"\n")
    bullets = [at for at, line in enumerate(lines) if line.startswith((b"- ", b"## ")) and b"~~" not in line]
    if bullets:
        mark, _, text = lines[bullets[two % len(bullets)]].partition(b" ")
        lines[bullets[two % len(bullets)]] = b"%s ~~%s~~" % (mark, text)
    files[path] = b"\n".join(lines)


def _budget(files: Files, one: int, two: int, three: int) -> None:
    path = next((path for path in sorted(files) if path.endswith("manifest.md")), None)
    if path is not None:
        lines = files[path].split(b"\n")
        said = [at for at, line in enumerate(lines) if b" tokens max" in line]
        if said:
            at = said[one % len(said)]
            lines[at] = b"%s: %d tokens max" % (lines[at].partition(b":")[0], two % 200)
        files[path] = b"\n".join(lines)


def _endings(files: Files, one: int, two: int, three: int) -> None:
    path = _at(files, one)
    plain = files[path].replace(b"\r\n", b"\n")
    files[path] = plain if plain != files[path] else plain.replace(b"\n", b"\r\n")


def _blank(files: Files, one: int, two: int, three: int) -> None:
    path = _at(files, one)
    lines = files[path].split(b"\n")
    lines.insert(two % len(lines), b"  " if three % 3 == 0 else b"")
    files[path] = b"\n".join(lines)


def _rename(files: Files, one: int, two: int, three: int) -> None:
    path = _at(files, one)
    folder = path.rpartition("/")[0]
    to = f"{folder}/renamed-{two % 3}.md".lstrip("/")
    named, there = path.rpartition("/")[2].encode(), to.rpartition("/")[2].encode()
    files[to] = files.pop(path)
    if three % 2:  # with what names it, as a person does it
        for other in files:
            files[other] = files[other].replace(named, there)


def _delete(files: Files, one: int, two: int, three: int) -> None:
    del files[_at(files, one)]


OPERATIONS: Mapping[str, Callable[[Files, int, int, int], None]] = {
    "move": _move, "shuffle": _shuffle, "drop": _drop, "twice": _twice, "add": _add, "stone": _stone, "reword": _reword,
    "strike": _strike, "budget": _budget, "endings": _endings, "blank": _blank, "rename": _rename, "delete": _delete,
}
_NUMBERS = st.integers(min_value=0, max_value=999)
EDITS = st.lists(st.tuples(st.sampled_from(sorted(OPERATIONS)), _NUMBERS, _NUMBERS, _NUMBERS), max_size=6)
