"""How complete entries are written, as text with LF endings, and whether such a text reads as what was meant.

A body must hold no line that a reader of the protocol takes for one of its own: a label at the left margin, a bullet, a
heading. Where one does, the whole body is moved in by one blank, which Markdown doesn't see.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from memdesk.core.errors import Refused
from memdesk.core.layouts import shape, texts
from memdesk.core.layouts.custodian import forms
from memdesk.core.layouts.custodian.entries import BODIES

if TYPE_CHECKING:
    from memdesk.core.layouts.custodian.complete.kinds import Kind
    from memdesk.core.model import Document, Entry

TO_CONFIRM = "A person confirms it, or a source of the project shows it."  # what a candidate needs, where nobody said

_OWN = re.compile(r"[A-Za-z][A-Za-z-]*:|[-*+][ \t]|#{1,6}[ \t]")  # what would be the protocol's own at the left margin
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})([^\n]*)")
_FIELD = re.compile(r"[A-Za-z][A-Za-z-]*:")
_LABEL = re.compile(r" {0,3}(?:[-*+][ \t]+)?(?:\*\*|__)?([A-Za-z][A-Za-z-]*):")
_TOMBSTONE = re.compile(r"\s*tombstone\s*:\s*", re.IGNORECASE)


def entry(
    ident: str, title: str, kind: Kind, text: str, *, scope: str, evidence: Sequence[str], subject: str = "", facet: str = "",
    reason: str = "", supersedes: str = "", kind_named: bool = False,
) -> str:
    """An active entry. `kind_named`: it says in a field of its own what it is."""
    if kind.label == "Rejected":
        title = f"Tombstone: {_TOMBSTONE.sub('', title, count=1)}"
    rows = [heading(ident, title), "", "Status: active"]
    rows += [f"Entry-Type: {kind.name}"] if kind_named else []
    rows += [f"Scope: {scope}"]
    rows += [f"{label}: {value}" for label, value in (("Subject", subject), ("Facet", facet)) if value]
    rows += ["Evidence:", *(f"- {item}" for item in evidence)]
    rows += [f"Supersedes: {supersedes}"] if supersedes else []
    rows += ["", f"{kind.label}:", body(text)]
    rows += ["", "Reason:", body(reason)] if reason.strip() else []
    return "\n".join(rows)


def candidate(
    ident: str, title: str, sort: str, text: str, *, scope: str, evidence: Sequence[str], reason: str = "",
    provisional: tuple[str, str] | None = None,
) -> str:
    """A candidate of the inbox. `provisional`: the subject and facet that it would have."""
    rows = [heading(ident, title), "", "Status: candidate", f"Candidate-Type: {sort}", f"Scope: {scope}"]
    if provisional is not None:
        rows += [f"Provisional-Subject: {provisional[0]}", f"Provisional-Facet: {provisional[1]}"]
    rows += ["Evidence:", *(f"- {item}" for item in evidence), "", "Statement:", body(text)]
    rows += ["", "Reason:", body(reason)] if reason.strip() else []
    return "\n".join([*rows, "", "Promotion-Requirement:", TO_CONFIRM])


def subject(ident: str, title: str, sort: str, evidence: Sequence[str]) -> str:
    """A subject of the registry, with its title as its first alias."""
    rows = [heading(ident, title), "", "Status: active", f"Kind: {sort}", "Evidence:", *(f"- {item}" for item in evidence)]
    return "\n".join([*rows, "", "Aliases:", f"- {title}"])


def heading(ident: str, title: str) -> str:
    """The heading of an entry with an id."""
    if not title.strip():
        raise Refused("It has no title.", remedy="Give it one.", field="title")
    return forms.heading(f"{ident} \u2014 {title}")


def bullets(items: Sequence[str]) -> str:
    """Items as they are read below their label."""
    return "\n".join(f"- {item}" for item in items)


def body(text: str) -> str:
    """A text as the body below a label."""
    rows = text.strip("\n").split("\n")
    if not any(_OWN.match(row) for row, seen in zip(rows, shown(rows), strict=True) if seen):
        return "\n".join(rows)
    return "\n".join(" " + row if row.strip() else row for row in rows)


def unmoved(text: str) -> str:
    """What a body says, without the blank by which it was moved in."""
    rows = text.split("\n")
    later = [row for row in rows[1:] if row.strip()]
    return "\n".join([rows[0], *(row[1:] for row in rows[1:])]) if later and all(row.startswith(" ") for row in later) else text


def label_of(row: str) -> str:
    """The field whose label a line begins with, in lower case; "" for any other line."""
    match = _LABEL.match(row)
    return match[1].casefold() if match is not None and match[1].casefold() in _LABELS else ""


def looks_like_label(row: str) -> bool:
    """Whether a line begins, at the left margin, like the label of a field, whatever it is called."""
    return _FIELD.match(row) is not None


def shown(rows: Sequence[str]) -> list[bool]:
    """For each line whether it stands outside fences."""
    fence = ""
    found = []
    for row in rows:
        match = _FENCE.match(row)
        if fence:
            if match and match[1].startswith(fence) and not match[2].strip():
                fence = ""
            found.append(False)
        elif match and not (match[1][0] == "`" and "`" in match[2]):
            fence = match[1]
            found.append(False)
        else:
            found.append(True)
    return found


def read_back(document: Document, text: str, meant: Mapping[str, str], field: str = "text") -> Entry:
    """The entry that a text is read as in a document of that place. Raises Refused, for `field`, where it is none, or says
    another thing than was `meant`: fields by their names, as they are read."""
    shape.section(text, field)
    found = probe(document, text)
    if len(found) != 1 or found[0].kind != "section":
        raise Refused("The new text would not be read as one entry of its own.", remedy="Reword it.", field=field)
    read = found[0].fields
    for name, value in meant.items():
        if texts.flat(read.get(name, "")) != texts.flat(value):
            raise Refused(
                f"A line of the text would be read as a field of the entry: its {label(name)} would be "
                f"{texts.shown(read.get(name, ''), 60)!r}.", field=field,
                remedy="Reword the line that begins with a label, such as `Reason:`, or put it into a sentence.",
            )
    more = next((name for name in read if name in _LABELS and name not in meant), None)
    if more is not None:
        raise Refused(
            f"A line of the text would be read as the field {label(more)} of the entry.", field=field,
            remedy="Put that line into a sentence.",
        )
    return found[0]


def probe(document: Document, text: str) -> list[Entry]:
    """The entries that a text alone would be read as in the place of a document."""
    from memdesk.core import layouts
    from memdesk.core.model import Document

    data = (text.rstrip("\n") + "\n").encode("utf-8", "surrogateescape")
    layout = layouts.get(document.store.layout)
    return Document(document.path, document.store, document.place, data, layout.entries).entries


_LABELS = frozenset({
    "status", "scope", "subject", "facet", "evidence", "supersedes", "superseded-by", "superseded", "struck", "reason",
    "candidate-type", "promotion-requirement", "promoted-from", "promoted-to", "entry-type", "exception-to", "kind",
    "canonical-ref", "aliases", "merged-into", "provisional-subject", "provisional-facet", *BODIES,
})  # fmt: skip


def label(name: str) -> str:
    """A field's label as it is written."""
    return "-".join(part.capitalize() for part in name.split("-"))
