"""Three versions of a memory file merged entry by entry: for git's merge driver, and for taking conflict markers apart.

Pure: bytes in, parts out. What can't be merged by entry is merged by lines, as git would; what can't be decided is a
Clash, for a person.
"""

from __future__ import annotations

from collections.abc import Callable

from memdesk.core.lean import TYPE_CHECKING, NamedTuple
from memdesk.core.linemerge import Clash, merge_lines

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
    return Merged(tuple(merge_lines(base, ours, theirs)))


def _marker(sign: bytes, size: int, label: str) -> bytes:
    words = label.encode("utf-8", "surrogateescape")
    return sign * size + (b" " + words if words else b"")


def _end(out: bytearray, ending: bytes) -> None:
    if out and not out.endswith(b"\n"):
        out += ending


def _ended(text: bytes, ending: bytes) -> bytes:
    return text if not text or text.endswith(b"\n") else text + ending
