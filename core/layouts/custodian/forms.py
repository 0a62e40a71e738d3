"""The forms in which this layout writes entries, as text with LF endings (formats: docs/custodian.md)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date

from memdesk.core.layouts import shape
from memdesk.core.layouts.texts import bullet, ends_in_block, flat, sentence

TITLES = {
    "decisions.md": "Decisions", "constraints.md": "Constraints", "do-not-use.md": "Do not use",
    "preferences.md": "Preferences", "inbox.md": "Inbox",
}
FOLDERS = {"area": "areas", "rule": "rules", "profile": "profiles"}
FORGOTTEN = "Forgotten topic"  # title of the one generic tombstone that a hard forget leaves

_CLOSING = re.compile(r"((?:\A|\s))(#+)\Z")


def decision(title: str, text: str, words: Mapping[str, str], today: date, level: int = 2) -> str:
    """A decision section: dated title, `Decision:`, `Reason:`, where given `Scope:` and `Source:`."""
    parts = [heading(f"{today.isoformat()} - {title}", level), f"Decision:\n{tagged(text, words)}"]
    for key in ("reason", "scope", "source"):
        if words.get(key):
            shape.words(words[key], key)
            parts.append(f"{key.capitalize()}:\n{words[key].strip()}")
    shape.words(text)
    return shape.section("\n\n".join(parts))


def one_line_decision(text: str, words: Mapping[str, str], today: date, marker: str = "-") -> str:
    """A one-line decision: `- YYYY-MM-DD | text. Reason: text`. A text of several blocks (a list, code) stays as it is, and
    the reason stands below it."""
    reason = f"Reason: {sentence(flat(words['reason']))}"
    for key in ("scope", "source"):
        if words.get(key):
            reason += f" {key.capitalize()}: {sentence(flat(words[key]))}"
    body = tagged(text, words)
    body = f"{sentence(flat(body))} {reason}" if shape.is_paragraph(body) else f"{body}\n\n{reason}"
    shape.words(body)
    return shape.bullet(bullet(f"{today.isoformat()} | {body}", marker))


def heading(title: str, level: int = 2) -> str:
    """A heading of that text; a `#` at its end, which Markdown would take for a closing one, is escaped."""
    line = flat(title)
    shape.words(line, "title")
    return f"{'#' * level} " + _CLOSING.sub(lambda match: f"{match[1]}\\{match[2]}", line)


def tombstone(title: str, words: Mapping[str, str], today: date) -> str:
    """A tombstone section. `words`: reason; where given scope, source and reconsider, each on a line of its own."""
    reason = f"Reason: {sentence(flat(words['reason']))} " if words.get("reason") else ""
    lines = [
        heading(f"Tombstone: {title}"), "",
        f"Do not reintroduce this unless the user explicitly reverses it. {reason}Date: {today.isoformat()}.",
    ]
    lines += [f"{key.capitalize()}: {flat(words[key])}" for key in ("scope", "source", "reconsider") if words.get(key)]
    rendered = "\n".join(lines)
    shape.words(rendered, "reason")
    return shape.section(rendered, "reason")


def line(text: str, words: Mapping[str, str], marker: str = "-") -> str:
    """A constraint, preference, rule or profile line: `- text`, and below it, as its continuation, what was given beside."""
    body = tagged(text, words)
    block = ends_in_block(text)
    if words.get("source"):
        body += ("\n\n" if block else " ") + f"(from {flat(words['source'])})"
        block = False
    for key in ("reason", "scope"):
        if words.get(key):
            shape.words(words[key], key)
            body += ("\n\n" if block else "\n") + f"{key.capitalize()}: {flat(words[key])}"
            block = False
    shape.words(text)
    return shape.bullet(bullet(body, marker))


def applies(name: str, words: Mapping[str, str]) -> str:
    """When a module applies, for its file and its index row: as the person said it, or by its name."""
    return flat(words.get("applies") or f"when a task touches {name}")


def module(folder: str, name: str, when: str) -> bytes:
    """The first bytes of an area, rule or profile file: a title and one line on when it applies."""
    title = re.sub(r"[-_.]+", " ", name).strip() or name
    kind = {"areas": "Area", "rules": "Rule", "profiles": "Profile"}[folder]
    opening = f"Applies {when}" if when.split(" ", 1)[0] in ("when", "to", "if", "for", "where") else when
    return f"# {kind}: {title}\n\n{sentence(opening)}\n".encode()


def title_file(title: str) -> bytes:
    """The first bytes of a core file or an archive: its title."""
    return f"# {title}\n".encode()


def archive_title(name: str, today: date) -> str:
    return f"Archived from {name}, {today.isoformat()}"


def tagged(text: str, words: Mapping[str, str]) -> str:
    """A text with the provenance tag that a person gave it, where they gave one."""
    tag = words.get("tag", "")
    return f"[{tag}] {text.strip()}" if tag else text.strip("\n")
