"""Front matter: where it is, what it says, and where a value may be spliced.

It stands only at the start, after a byte order mark if there is one: `---`, a YAML mapping, and `---` or `...`. Anything
else there is body. YAML is imported only where such a block has to be judged by more than a look.
"""

from __future__ import annotations

from typing import NamedTuple


class Found(NamedTuple):
    """`span`: of the block with both fence lines, or None. `unclosed`: it opens like front matter and never closes.
    `faults`: (rule, line, message)."""

    span: tuple[int, int] | None
    unclosed: bool = False
    faults: tuple[tuple[str, int, str], ...] = ()


def locate(text: str, start: int = 0) -> Found:
    """The front matter of a text decoded as latin-1 that begins at `start`."""
    if not text.startswith("---", start):
        return Found(None)
    return Found(None)
