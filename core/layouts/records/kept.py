"""What a store of this layout is read by: its folders, and the statuses that its settings add."""

from __future__ import annotations

from collections.abc import Mapping

from memdesk.core.lean import NamedTuple

NAME = "records"
GLOSSARY = "CONTEXT.md"
MAP = "CONTEXT-MAP.md"
POINTER = ".adr-dir"
TERMS = "terms.md"  # in the design folder
USUAL = ("docs/adr", "doc/adr", "docs/decisions", "docs/architecture/decisions", "adr")


class Kept(NamedTuple):
    """`records`: its folders of decision records, the usual first; `design`: that of design records. All relative to the
    store. `statuses`: words of its own -> one of `statuses.KNOWN`. `supersede_as` is the setting of that name."""

    records: tuple[str, ...] = ()
    design: str = "docs/design"
    statuses: Mapping[str, str] = {}
    supersede_as: str = "superseded"
