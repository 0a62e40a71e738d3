"""Three versions of a memory file merged entry by entry: for git's merge driver, and for taking conflict markers apart.

Pure: bytes in, parts out. What can't be merged by entry is merged by lines, as git would; what can't be decided is a
Clash, for a person.
"""

from __future__ import annotations

from collections.abc import Callable

from memdesk.core import intake, layouts
from memdesk.core.lean import TYPE_CHECKING, NamedTuple
from memdesk.core.linemerge import Clash, merge_lines
from memdesk.core.mergeslots import OURS, THEIRS, Slots
from memdesk.core.mergetext import Expected, write
from memdesk.core.mergeunits import NotByEntry, Outline, Unit, styled

if TYPE_CHECKING:
    from memdesk.core.model import Document

__all__ = ["Clash", "Merged", "merge"]


class Merged(NamedTuple):
    """A merged text in its parts, in order: bytes that are settled, and clashes."""

    parts: tuple[bytes | Clash, ...]

    @property
    def clean(self) -> bool:
        """Whether nothing is left to decide."""
        return not any(isinstance(part, Clash) for part in self.parts)

    def settled(self, side: int) -> bytes:
        """The text with every clash settled for one side: 1 for ours, 2 for theirs."""
        texts = ((part.ours if side == OURS else part.theirs) if isinstance(part, Clash) else part for part in self.parts)
        return b"".join(texts)

    def text(self, ours_label: str, theirs_label: str, base_label: str | None = None, size: int = 7) -> bytes:
        """The text with markers of `size` around each clash, on lines that end as the file's do. With `base_label` what was
        there before stands in between (git's diff3 style), where it is known."""
        texts = [text for part in self.parts for text in (part[1:] if isinstance(part, Clash) else (part,))]
        crlf = sum(text.count(b"\r\n") for text in texts)
        ending = b"\r\n" if crlf * 2 > sum(text.count(b"\n") for text in texts) else b"\n"
        out = bytearray()
        for part in self.parts:
            if not isinstance(part, Clash):
                out += part
                continue
            _end(out, ending)
            out += _marker(b"<", size, ours_label) + ending + _ended(part.ours, ending)
            if base_label is not None and part.base is not None:
                out += _marker(b"|", size, base_label) + ending + _ended(part.base, ending)
            out += b"=" * size + ending + _ended(part.theirs, ending) + _marker(b">", size, theirs_label) + ending
        return bytes(out)


def merge(
    document: Callable[[bytes], Document], base: bytes | None, ours: bytes, theirs: bytes
) -> Merged:
    """`ours` and `theirs` merged, both made from `base` (None: nobody knows what from). `document` reads bytes as the memory
    file that they are. Never raises for what is in a file: in doubt there is a clash."""
    if ours == theirs:
        return _made([ours])
    if base is not None and base in (ours, theirs):
        return _made([theirs if base == ours else ours])
    one = document(ours)
    newest = layouts.get(one.store.layout).order(one.place).newest
    if newest:
        from memdesk.core.mergefront import settle

        base, ours, theirs = settle(document, newest, (base, ours, theirs))
    try:
        found = _by_entry(document, base, ours, theirs)
    except NotByEntry:
        found = None
    return found or _by_line(base, ours, theirs)


def _by_entry(document: Callable[[bytes], Document], base: bytes | None, ours: bytes, theirs: bytes) -> Merged | None:
    """Raises NotByEntry for a file that has no entries to go by; None where what came of it is not read as it was meant."""
    outlines = (None if base is None else _outline(document, base), _outline(document, ours), _outline(document, theirs))
    one = outlines[1].document
    layout = layouts.get(one.store.layout)

    def name(unit: Unit) -> str:
        return "" if unit.entry is None else layout.identity(unit.entry)

    written = write(Slots(outlines, name, layout.order(one.place)))
    made = _made(written.parts)
    sides = (OURS,) if made.clean else (OURS, THEIRS)
    return made if all(_reads(document, made.settled(side), written.expected[side]) for side in sides) else None


def _outline(document: Callable[[bytes], Document], data: bytes) -> Outline:
    """Raises NotByEntry for what is no text, has markers in it, or is one entry as a whole."""
    if intake.problem(data) is not None:
        raise NotByEntry
    found = document(data)
    if any(entry.kind == "file" for entry in found.entries):
        raise NotByEntry
    return Outline(found)


def _reads(document: Callable[[bytes], Document], data: bytes, expected: list[Expected]) -> bool:
    """Whether bytes are read as just the entries that are expected, in their order and under their headings; a heading
    that lost what it grouped may be one more."""
    try:
        after = Outline(document(data))
    except NotByEntry:
        return False
    at = 0
    for unit in after.units:
        if unit.entry is None:
            continue
        if at < len(expected) and unit.text == expected[at].text and expected[at].path in (None, unit.path):
            at += 1
        elif not (unit.heads and unit.text.count(b"\n") == 0):
            return False
    return at == len(expected)


def _by_line(base: bytes | None, ours: bytes, theirs: bytes) -> Merged:
    """As git would, but that line endings which one side alone changed are not a change of every line."""
    texts = [text for text in (base, ours, theirs) if text is not None]
    if len({_style(text) for text in texts} - {None}) > 1 and all(_style(text) != b"" for text in texts):
        styles = [_style(text) or b"\n" for text in texts]
        style = styles[-1] if base is not None and styles[1] == styles[0] else styles[-2]
        texts = [styled(text, style) for text in texts]
    return _made(merge_lines(texts[0] if base is not None else None, texts[-2], texts[-1]))


def _style(data: bytes) -> bytes | None:
    """The one line ending that a text has; empty for several, None for no line at all."""
    feeds, crlf = data.count(b"\n"), data.count(b"\r\n")
    if not feeds:
        return None
    return b"\r\n" if crlf == feeds else b"" if crlf else b"\n"


def _made(parts: list[bytes | Clash]) -> Merged:
    return Merged(tuple(part for part in parts if isinstance(part, Clash) or part))


def _marker(sign: bytes, size: int, label: str) -> bytes:
    words = label.encode("utf-8", "surrogateescape")
    return sign * size + (b" " + words if words else b"")


def _end(out: bytearray, ending: bytes) -> None:
    if out and not out.endswith(b"\n"):
        out += ending


def _ended(text: bytes, ending: bytes) -> bytes:
    return text if not text or text.endswith(b"\n") else text + ending
