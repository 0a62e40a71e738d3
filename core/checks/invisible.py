"""Characters that a reader can't see and a program obeys: controls, bidi, tags, joiners outside their legitimate use.

Sources: Unicode 16 (UAX 9, UAX 44 Default_Ignorable_Code_Point), UTS 51 for emoji sequences, The Unicode Standard 9.2
and 12 for joiners in scripts that join. Nothing is guessed from words; what a sequence legitimately needs is let through.
"""

from __future__ import annotations

from memdesk.core.lean import NamedTuple
from memdesk.core.patterns import lazy


class Hidden(NamedTuple):
    """One character that should not be there: its offset in the text and what it is."""

    at: int
    what: str


_SUSPECT = lazy(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e"
    "\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
_NAMES = {
    0x07: "bell", 0x08: "backspace", 0x0B: "vertical tab", 0x0C: "form feed", 0x1B: "escape", 0x7F: "delete",
    0x85: "next line", 0x9B: "control sequence introducer", 0xAD: "soft hyphen", 0x34F: "combining grapheme joiner",
    0x61C: "Arabic letter mark", 0x115F: "Hangul filler", 0x1160: "Hangul filler", 0x180E: "Mongolian vowel separator",
    0x200B: "zero width space", 0x200C: "zero width non-joiner", 0x200D: "zero width joiner", 0x200E: "left-to-right mark",
    0x200F: "right-to-left mark", 0x2028: "line separator", 0x2029: "paragraph separator", 0x202A: "left-to-right embedding",
    0x202B: "right-to-left embedding", 0x202C: "pop directional formatting", 0x202D: "left-to-right override",
    0x202E: "right-to-left override", 0x2060: "word joiner", 0x2066: "left-to-right isolate", 0x2067: "right-to-left isolate",
    0x2068: "first strong isolate", 0x2069: "pop directional isolate", 0x3164: "Hangul filler", 0xFEFF: "byte order mark",
    0xFFA0: "Hangul filler",
}
# Scripts whose letters join, and those of India and South-East Asia, where joiners choose between forms.
_JOINING = (
    (0x0600, 0x08FF), (0x0900, 0x0DFF), (0x0F00, 0x109F), (0x1700, 0x18AF), (0x1900, 0x1AAF), (0x1B00, 0x1C4F),
    (0xA840, 0xA8FF), (0xA930, 0xAADF), (0xABC0, 0xABFF), (0xFB50, 0xFDFF), (0xFE70, 0xFEFC), (0x10A00, 0x10FFF),
    (0x11000, 0x11FFF), (0x1E900, 0x1E95F),
)
_SPACELESS = ((0x0E00, 0x0EFF), (0x1000, 0x109F), (0x1780, 0x17FF), (0x1950, 0x19FF), (0xA9E0, 0xA9FF), (0xAA60, 0xAADF))
_RIGHT_TO_LEFT = lazy("[\u0590-\u061b\u061d-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]")
_PICTOGRAPHS = (
    (0x203C, 0x203C), (0x2049, 0x2049), (0x2122, 0x2122), (0x2139, 0x2139), (0x2190, 0x21FF), (0x2300, 0x23FF),
    (0x2460, 0x24FF), (0x25A0, 0x27BF), (0x2900, 0x297F), (0x2B00, 0x2BFF), (0x3030, 0x303D), (0x3297, 0x3299),
    (0x1F000, 0x1FAFF),
)
_IDEOGRAPHS = ((0x2E80, 0x2FDF), (0x3005, 0x3007), (0x3400, 0x9FFF), (0xF900, 0xFAFF), (0x20000, 0x3FFFF))
AROUND = 200  # characters on each side in which a directional mark must find a right-to-left letter of its line
_FLAG = "\U0001f3f4"
_REGIONS = ("gbeng", "gbsct", "gbwls")  # the only tag sequences that Unicode recommends (emoji-sequences.txt)


def hidden(text: str, most: int | None = None) -> list[Hidden]:
    """Each character of a text that should not be there, in its order, the first `most` of them. A byte order mark at its
    start is fine."""
    found: list[Hidden] = []
    for match in _SUSPECT.finditer(text):
        at = match.start()
        if most is not None and len(found) >= most:
            break
        if not _legitimate(text, at, ord(match[0])):
            found.append(Hidden(at, name(ord(match[0]))))
    return found


def name(code: int) -> str:
    """What a person calls it: `U+202E right-to-left override`."""
    if code in _NAMES:
        what = _NAMES[code]
    elif code < 32 or 127 <= code < 160:
        what = "control character"
    elif 0xE0000 <= code <= 0xE007F:
        what = "tag character"
    elif 0xFE00 <= code <= 0xFE0F or 0xE0100 <= code <= 0xE01EF or 0x180B <= code <= 0x180F:
        what = "variation selector"
    else:
        what = "invisible character"
    return f"U+{code:04X} {what}"


def _legitimate(text: str, at: int, code: int) -> bool:
    if code == 0xFEFF:
        return at == 0
    if code < 0xAE or code in (0x2028, 0x2029) or 0x202A <= code <= 0x202E or 0x2060 <= code <= 0x206F:
        return False
    before = ord(text[at - 1]) if at else 0
    after = ord(text[at + 1]) if at + 1 < len(text) else 0
    if code == 0x200D:
        return _joins_pictographs(text, at) or (_in(_base(text, at), _JOINING) and (_in(after, _JOINING) or not _letter(after)))
    if code == 0x200C:
        return _in(_base(text, at), _JOINING) and _in(after, _JOINING)
    if code == 0x200B:
        return _in(before, _SPACELESS) and _in(after, _SPACELESS)
    if code in (0x200E, 0x200F, 0x61C):
        return _line_is_right_to_left(text, at)
    if 0xFE00 <= code <= 0xFE0F:
        return _in(before, _PICTOGRAPHS) or _in(before, _IDEOGRAPHS) or (before != 0 and chr(before) in "0123456789#*©®™") or (
            code == 0xFE00 and 0x2200 <= before <= 0x22FF)
    if 0xE0100 <= code <= 0xE01EF:
        return _in(before, _IDEOGRAPHS)
    if 0xE0020 <= code <= 0xE007F:
        return _in_flag(text, at)
    if 0x180B <= code <= 0x180F:
        return 0x1800 <= before <= 0x18AF
    if code in (0x115F, 0x1160):
        return 0x1100 <= before <= 0x11FF or 0x1100 <= after <= 0x11FF
    return False


def _joins_pictographs(text: str, at: int) -> bool:
    """A joiner between two pictographs; the first may carry a skin tone, a variation selector or be a flag sequence."""
    index = at - 1
    while index >= 0 and (text[index] == "\ufe0f" or "\U0001f3fb" <= text[index] <= "\U0001f3ff"):
        index -= 1
    after = ord(text[at + 1]) if at + 1 < len(text) else 0
    return index >= 0 and _in(ord(text[index]), _PICTOGRAPHS) and _in(after, _PICTOGRAPHS)


def _in_flag(text: str, at: int) -> bool:
    """Whether a tag character is part of one of the recommended flags: a black flag, the region's letters, the cancel tag."""
    start = text.rfind(_FLAG, max(0, at - 7), at)
    if start < 0:
        return False
    return any(
        text.startswith("".join(chr(0xE0000 + ord(char)) for char in region) + "\U000e007f", start + 1)
        and at <= start + 1 + len(region)
        for region in _REGIONS
    )


def _line_is_right_to_left(text: str, at: int) -> bool:
    start = text.rfind("\n", max(0, at - AROUND), at) + 1 or max(0, at - AROUND)
    end = text.find("\n", at, at + AROUND)
    return _RIGHT_TO_LEFT.search(text, start, at + AROUND if end < 0 else end) is not None


def _base(text: str, at: int) -> int:
    """The code point before `at` of a letter or sign; 0 at the start of the text."""
    return ord(text[at - 1]) if at else 0


def _letter(code: int) -> bool:
    return code != 0 and chr(code).isalnum()


def _in(code: int, ranges: tuple[tuple[int, int], ...]) -> bool:
    return any(first <= code <= last for first, last in ranges)
