"""Secrets and example values in text: where they are, and the text with them masked.

`scan` and `mask` are what everything uses that stops a write or shows a text in a list. A whole text is screened by a few
cheap looks first, so that the usual file, which holds nothing of the kind, costs next to nothing.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from functools import cache

from memdesk.core.lean import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from memdesk.core.model import Entry

MASK = "***"
_NAMED = ("passw", "passphrase", "passcode", "_pass", "pwd", "pw ", "secret", "token", "key", "credential")
CUT = 80  # characters at which a heading may be cut (CLI.md)
LONGEST_KEY = 16_384  # characters of a private key


class Hit(NamedTuple):
    """A value that should not be kept: `rule` is "secret" or "example-value", `kind` says what it looks like.

    `start` and `end` are code point offsets into the text that was scanned.
    """

    rule: str
    kind: str
    start: int
    end: int


def scan(text: str) -> list[Hit]:
    """All hits of both rules in a text, in its order, none overlapping; where two do, the secret counts."""
    from memdesk.core.checks.values import values

    words = odd_words(text)
    found = secrets(text, words)
    starts = [hit.start for hit in found]  # in order and apart: the last that begins before a value's end says it all
    kept = list(found)
    for hit in values(text, words):
        before = bisect_left(starts, hit.end) - 1
        if before < 0 or found[before].end <= hit.start:
            kept.append(hit)
    return sorted(kept, key=lambda hit: hit.start)


def mask(text: str) -> str:
    """The text with every hit replaced by `***`; as it is where there is none."""
    out: list[str] = []
    done = 0
    for hit in scan(text):
        out += (text[done : hit.start], MASK)
        done = hit.end
    return "".join(out) + text[done:] if out else text


def heading(entry: Entry) -> str:
    """An entry's heading, masked. One that is its first line may be cut in the middle of a value: what that is, only the whole
    text says."""
    text, shown = entry.text, entry.heading
    at = text.find(shown) if len(shown) >= CUT else -1
    if at < 0:
        return mask(shown)
    kept = shown
    for hit in reversed(scan(text)):
        if hit.start < at + len(shown) and at < hit.end:
            kept = kept[: max(hit.start - at, 0)] + MASK + kept[max(hit.end - at, 0) :]
    return mask(kept)


def brief(text: str, most: int) -> str:
    """A text on one line for a message, masked, and only then cut at `most` characters."""
    line = mask(" ".join(text.split()))
    return line if len(line) <= most else line[: most - 1] + "…"


def secrets(text: str, words: list[str] | None = None) -> list[Hit]:
    """The secrets in a text, in its order, none overlapping.

    Nearly all are inside one long word, and looking for such a word is ten times faster than trying the shapes. `words`: the
    text's `odd_words`, where the caller has them.
    """
    words = odd_words(text) if words is None else words
    long = any(len(word) >= 16 and _generated(word) for word in words) or _spoken_of(text, words)
    url, key = "://" in text and "@" in text, "PRIVATE KEY" in text or "PuTTY-User-Key-File" in text
    if not (long or url or key):
        return []
    from memdesk.core.checks import shapes

    found: list[Hit] = []
    if long:
        for match in _issued().finditer(text):
            name, value = next((name, value) for name, value in match.groupdict().items() if value is not None)
            if shapes.issued(value):
                found.append(Hit("secret", _kinds()[name], match.start(), match.end()))
        framed = (
            ("assigned secret", shapes.ASSIGNED, shapes.assigned),
            ("authorization header", shapes.BEARER, shapes.random_looking),
            ("password", shapes.SAID, shapes.said),
            ("secret", shapes.TOLD, shapes.said),
            ("password in a command", shapes.COMMAND, shapes.random_looking),
        )
        for kind, pattern, guard in framed:
            found += [Hit("secret", kind, *match.span("value")) for match in pattern.finditer(text) if guard(match["value"])]
    if url:
        for match in shapes.IN_URL.finditer(text):
            if shapes.password(match["value"]):
                found.append(Hit("secret", "password in a URL", *match.span("value")))
    if key:
        end = 0
        while header := shapes.PRIVATE_KEY.search(text, end):
            start, end = _key_block(text, header)
            found.append(Hit("secret", "private key", start, end))
    return apart(found)


def _generated(word: str) -> bool:
    """Whether a long word has a digit or a capital: a key without either isn't known."""
    return not word.islower() or any(char.isdigit() for char in word)


def _spoken_of(text: str, words: list[str]) -> bool:
    """Whether a text names a secret and has a word that could be a short one."""
    if not any(len(word) >= 8 and _generated(word) for word in words):
        return False
    lower = text.lower()
    return any(name in lower for name in _NAMED)


def odd_words(text: str) -> list[str]:
    """The words that could hold a value: seven characters or more, not letters alone but for capitals."""
    return [word for word in text.split() if len(word) > 6 and (not word.isalpha() or word.isupper())]


def apart(found: list[Hit]) -> list[Hit]:
    """Hits in order; of overlapping ones the first, and of equal starts the longest."""
    kept: list[Hit] = []
    for hit in sorted(found, key=lambda hit: (hit.start, -hit.end)):
        if not kept or hit.start >= kept[-1].end:
            kept.append(hit)
    return kept


def _key_block(text: str, match: re.Match[str]) -> tuple[int, int]:
    """A private key's header with what follows it, up to its end line; up to the end of the paragraph where it has none."""
    most = match.end() + LONGEST_KEY
    end = text.find("-----END", match.end(), most)
    if end >= 0 and "-----BEGIN" not in text[match.end() : end]:
        close = text.find("\n", end)
        return match.start(), len(text) if close < 0 else close
    stop = text.find("\n\n", match.end(), most)
    return match.start(), min(most, len(text)) if stop < 0 else stop


@cache
def _issued() -> re.Pattern[str]:
    from memdesk.core.checks.shapes import ISSUED

    return re.compile(r"(?<![A-Za-z0-9_-])(?:" + "|".join(pattern for _, pattern in ISSUED) + r")(?![A-Za-z0-9_])")


@cache
def _kinds() -> dict[str, str]:
    from memdesk.core.checks.shapes import ISSUED

    return {name: kind for kind, pattern in ISSUED for name in re.findall(r"\(\?P<(\w+)>", pattern)}
