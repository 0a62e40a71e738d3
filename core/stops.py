"""What stops a write until a person has dealt with it: control characters, secrets, example values, a claim to be stated."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from memdesk.core.errors import Refused, UsageError
from memdesk.core.fields import TAGS
from memdesk.core.plaintext import without_outer_blanks

# Inline allowance (records.md): in the text itself, naming the rule and why.
# Every run in it has an end, so that a text of nothing but beginnings takes no longer than another.
_NAMES = {"secret": "a secret", "example-value": "an example value"}
_ALLOWANCE = re.compile(r"<!--\s{0,8}memdesk:\s{0,8}allow\s{1,8}([a-z-]{1,40})\s{1,8}(?!-->)\S.{0,500}?-->")


def clean(text: str, field: str) -> str:
    """A person's or an agent's words with LF endings, outer blank lines off.

    Raises Refused for characters that hide or steer. They are refused and not stripped: what was meant, only the writer
    knows.
    """
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    hidden(text, field)
    return without_outer_blanks(text)


def scope(text: str, offered: str) -> None:
    """Raises Refused for a text that has a line for its scope as it was `offered` to be filled in, with nothing on it."""
    if offered and text.strip() == offered.strip():
        raise Refused("The scope is still to be filled in.", remedy="Say behind `Scope:` where it holds.", field="text")


def hidden(text: str, field: str, path: str | None = None) -> None:
    """Raises Refused, with code point, line and column, for controls, escapes, bidi controls, tag characters and the like,
    and for text that is no text (half a surrogate pair, a byte that wasn't UTF-8)."""
    from memdesk.core.checks import invisible

    found = [(spot.at, spot.what) for spot in invisible.hidden(text)]
    found += [(at, f"U+{ord(char):04X}, which is no character") for at, char in enumerate(text) if "\ud800" <= char <= "\udfff"]
    if not found:
        return
    at, what = min(found)
    line, column = text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at)
    where = f"line {line}, column {column}" if "\n" in text else f"column {column}"
    raise Refused(
        f"The {field} holds {what} at {where}.", path=path, field=field, remedy="Take it out, or write its name instead."
    )


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


def held(text: str) -> list[str]:
    """What a text holds that would stop its being written: "example value (email address)", ..., each once; the values
    themselves are not repeated, and what the text allows with a reason is left out."""
    from memdesk.core.checks.secrets import scan

    allowed = {match[1] for match in _ALLOWANCE.finditer(text)}
    kinds = (f"{hit.rule.replace('-', ' ')} ({hit.kind})" for hit in scan(text) if hit.rule not in allowed)
    return list(dict.fromkeys(kinds))


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
            allow = f"<!-- memdesk: allow {hit.rule} REASON -->"
            raise Refused(
                f"The text holds what looks like {_NAMES[hit.rule]} ({hit.kind}){where}.", path=path, field=field,
                remedy=f"Put a placeholder in its place, or keep it with {allow} in the text.",
            )
