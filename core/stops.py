"""What stops a write until a person has dealt with it: control characters, secrets, example values, a claim to be stated."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from memdesk.core.errors import Refused, UsageError
from memdesk.core.fields import TAGS

# Inline allowance (records.md): in the text itself, naming the rule and why.
_ALLOWANCE = re.compile(r"<!--\s*memdesk:\s*allow\s+([a-z-]+)\s+(\S.*?)\s*-->")
_BIDI = frozenset([*range(0x202A, 0x202F), *range(0x2066, 0x206A), 0x200E, 0x200F, 0x061C])


def clean(text: str, field: str) -> str:
    """A person's or an agent's words with LF endings, trailing blank lines off.

    Raises Refused for characters that hide or steer: controls, escapes, bidi controls, tag characters, line and paragraph
    separators, half surrogates. They are refused and not stripped: what was meant, only the writer knows.
    """
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    line = column = 1
    for char in text:
        if char == "\n":
            line, column = line + 1, 1
            continue
        name = _unwanted(ord(char))
        if name:
            where = f"line {line}, column {column}" if "\n" in text else f"column {column}"
            raise Refused(
                f"The {field} holds {name} U+{ord(char):04X} at {where}.", field=field,
                remedy="Take it out, or write its name instead.",
            )
        column += 1
    return text.strip("\n").rstrip()


def words(given: Mapping[str, str]) -> dict[str, str]:
    """All words of a request, clean; empty ones left out. Raises Refused."""
    cleaned = {key: clean(value, key) for key, value in given.items()}
    return {key: value for key, value in cleaned.items() if value.strip()}


def tag(given: Mapping[str, str], person: bool) -> None:
    """Raises UsageError for an unknown tag, Refused for `stated` where no person confirms."""
    chosen = given.get("tag", "")
    if chosen and chosen not in TAGS:
        raise UsageError(f"There is no tag {chosen!r}.", remedy=f"Known: {', '.join(TAGS)}.")
    if chosen == "stated" and not person:
        raise Refused(
            "Only a person can state: the tag `stated` is set by a person's own action.",
            remedy="Use observed, inferred or suggested.", field="tag",
        )


def values(texts: Iterable[tuple[str, str]], field: str = "text") -> None:
    """Raises Refused where one of the (path, text) pairs that would be written holds a secret or an example value without
    an allowance for it. The value itself is not repeated."""
    from memdesk.core.checks.secrets import scan

    for path, text in texts:
        allowed = {match[1] for match in _ALLOWANCE.finditer(text)}
        for hit in scan(text):
            if hit.rule in allowed:
                continue
            line = text.count("\n", 0, hit.start) + 1
            where = f" in line {line} of the new text" if "\n" in text.strip() else ""
            kind = getattr(hit, "kind", "") or hit.rule
            allow = f"<!-- memdesk: allow {hit.rule} REASON -->"
            raise Refused(
                f"The text holds what looks like a {hit.rule.replace('-', ' ')} ({kind}){where}.", path=path, field=field,
                remedy=f"Put a placeholder in its place, or keep it with {allow} in the text.",
            )


def _unwanted(code: int) -> str:
    if code == 9 or 32 <= code < 127 or (0xA0 < code < 0x2000 and code not in (0xAD, 0x61C, 0x180E)):
        return ""
    if code < 32 or 127 <= code < 160:
        return "the control character"
    if code in _BIDI:
        return "the direction control"
    if 0xE0000 <= code <= 0xE007F:
        return "the tag character"
    if code in (0x2028, 0x2029):
        return "the line separator"
    if 0xD800 <= code <= 0xDFFF:
        return "half a character,"
    if code in (0xAD, 0x180E, 0x200B, 0x2060, 0xFEFF):
        return "the invisible character"
    return ""
