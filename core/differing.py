"""What tells two texts apart though their words are alike: numbers, dates, and what is negated.

A text is taken apart into these signs and the rest, by closed lists of words of a few languages. Whether two texts really
contradict each other nobody can tell by words (invariant 4): where signs differ, it is a hint for a person, and all that it
decides is that the two are not called one text.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from memdesk.core import fields
from memdesk.core.lean import NamedTuple
from memdesk.core.patterns import lazy
from memdesk.core.signwords import (
    AMOUNTS,
    ARTICLES,
    BEFORE_MONTH,
    DAYS,
    EMPTY,
    NEGATIONS,
    OPPOSITES,
    ORDINAL,
    UNITS,
    UNSURE,
)

Scope = frozenset[str]  # the words that a "not" stands before; empty: any


class Signs(NamedTuple):
    """Numbers with their units, dates, the scope of each negation, and words that have an opposite ("+before", "-before" for
    "after"); in an order that doesn't depend on the text's."""

    numbers: tuple[str, ...] = ()
    dates: tuple[str, ...] = ()
    negated: tuple[Scope, ...] = ()
    poles: tuple[str, ...] = ()


def differs(one: Signs, other: Signs) -> str:
    """What tells them apart: "polarity", "date", "number", or "". "Not allowed" and "forbidden" are no difference."""
    if _negated(one.negated, other.negated) != _opposed(one.poles, other.poles):
        return "polarity"
    if _others(one.dates, other.dates):
        return "date"
    return "number" if _others(one.numbers, other.numbers) else ""


def signs(text: str) -> tuple[Signs, str]:
    """The signs of a text, and the text without them: a word that says the opposite of another is that other one in it."""
    if not text.isascii():
        from unicodedata import normalize

        text = normalize("NFKC", text)
    reading = _Reading(text.casefold())
    reading.read()
    numbers, dates = tuple(sorted(reading.numbers)), tuple(sorted(reading.dates))
    negated = tuple(sorted(reading.negated, key=sorted))
    return Signs(numbers, dates, negated, tuple(sorted(reading.poles))), "".join(reading.rest)


class _Reading:
    """One pass over a text's words."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.rest: list[str] = []
        self.numbers: list[str] = []
        self.dates: list[str] = []
        self.negated: list[Scope] = []
        self.poles: list[str] = []
        self._before = ""  # the word before
        self._open: list[str] | None = None  # the scope of a negation that is not full yet
        self._number = ""  # one whose unit may follow
        self._article = False  # whether one stood there that a unit may follow: "a year"

    def read(self) -> None:
        at = 0
        for match in _TOKEN.finditer(self.text):
            between = self.text[at : match.start()]
            if between and not between.isspace() and between != "-":  # a 30-day limit is one of 30 days
                self._settle()
                if any(mark in _STOPS for mark in between):
                    self._close()
            self.rest.append(between or " ")
            if match["number"]:
                self._settle()
                self._figure(match["number"], match["unit"].strip())
            elif match["run"]:
                self._settle()
                self._run(match["run"])
            else:
                self._word(match[0])
            at = match.end()
        self.rest.append(self.text[at:])
        self._settle()
        self._close()

    def _word(self, word: str) -> None:
        if self._number or self._article:
            unit = UNITS.get(word)
            if self._article and unit is not None and len(word) > 2:
                self._number = "1"
            self._settle(unit)
            if unit is not None:
                return
        self._article = word in ARTICLES
        if word.endswith(("n't", "n’t")) or word in NEGATIONS:
            self._negate()
            return
        if word in EMPTY:
            self._before = word
            return
        if word in AMOUNTS:
            known = AMOUNTS[word]
            if known.isdecimal():
                self._number = known
            else:
                self.numbers.append(known)
            return
        day = DAYS.get(word) or DAYS.get(word[:-1] if word.endswith("s") else word)
        before, self._before = self._before, word
        if day is not None and (word not in UNSURE or before in BEFORE_MONTH):
            self.dates.append(day)
            return
        pole = OPPOSITES.get(word)
        if pole is not None:
            self.poles.append(pole)
            word = pole[1:]
        self.rest.append(word)
        if self._open is not None and len(word) > 2:
            self._open.append(word)
            if len(self._open) == REACH:
                self._close()

    def _negate(self) -> None:
        self._settle()
        self._close()
        self._open = []

    def _close(self) -> None:
        if self._open is not None:
            self.negated.append(frozenset(self._open))
            self._open = None

    def _figure(self, digits: str, suffix: str) -> None:
        if fields.is_date(digits) and not suffix:
            self.dates.append(digits)
        elif not suffix:
            self._number = digits.replace(",", "") if _THOUSANDS.fullmatch(digits) else digits
        elif suffix in UNITS:
            self._number = digits
            self._settle(UNITS[suffix])
        elif suffix in ORDINAL:
            self.numbers.append(digits)
        else:
            self.rest.append(digits + suffix)  # a name, such as 2fa

    def _settle(self, unit: tuple[str, int] | None = None) -> None:
        """A number whose unit has come, or won't come."""
        if self._number:
            self.numbers.append(self._number if unit is None else _measure(self._number, *unit))
        self._number, self._article = "", False

    def _run(self, run: str) -> None:
        """A run of a script that doesn't part its words."""
        at = 0
        for match in _IN_RUN.finditer(run):
            self.rest.append(run[at : match.start()])
            if match["not"]:
                self.negated.append(frozenset())
            elif match["day"]:
                self.dates.append(match["day"])
            else:
                self.numbers.append(match[0])
            at = match.end()
        self.rest.append(run[at:])


def _measure(digits: str, name: str, factor: int) -> str:
    """An amount in the smallest unit of its kind: an hour and 60 minutes are one."""
    try:
        value = float(digits.replace(",", "."))
    except ValueError:
        return digits + name
    return f"{value * factor:.10g}{name}"


def _others(one: Sequence[str], other: Sequence[str]) -> bool:
    """Whether each has one that the other lacks: one text may well say more than the other."""
    mine, theirs = Counter(one), Counter(other)
    return bool(mine - theirs and theirs - mine)


def _opposed(one: Sequence[str], other: Sequence[str]) -> bool:
    """Whether one says "before" where the other says "after": a word that just one of them has sets nothing against it."""
    more = Counter(one)
    more.subtract(other)
    return any(count * more["-" + pole[1:]] < 0 for pole, count in tuple(more.items()) if pole[0] == "+")


def _negated(one: Sequence[Scope], other: Sequence[Scope]) -> bool:
    """Whether what one negates is not what the other negates; of many negations their number must do."""
    if len(one) != len(other) or len(one) > MOST:
        return len(one) != len(other)
    left = list(other)
    for scope in one:
        fit = next((at for at, known in enumerate(left) if not scope or not known or scope & known), None)
        if fit is None:
            return True
        del left[fit]
    return False


MOST = 20  # negations of a text that are compared one by one
REACH = 3  # words behind a "not" that it is taken to speak of
_STOPS = frozenset(",;.:!?()，。；：、！？（）")
_UNPARTED = "\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\u0e00-\u0eff\U00020000-\U0003ffff"
# Each piece is taken whole and never given back, so that a text of nothing but beginnings is read once.
_TOKEN = lazy(
    rf"v?+(?P<number>[0-9]++(?:[.,:/-][0-9]++)*+)(?P<unit>[ ]?+%|小时|分钟|秒钟|个月|ヶ月|時間|年間|週間|[天日周週月年分秒]|"
    rf"(?:(?![{_UNPARTED}])\w)*+)|(?P<run>[{_UNPARTED}]++)|(?:(?![{_UNPARTED}])\w)++(?:['’](?:(?![{_UNPARTED}])\w)++)?+"
)
_IN_RUN = lazy(
    r"(?P<not>不|没有|没|沒|未|无|無|勿|禁止|避免|ません|ない(?![るら])|なく|ず(?=に))|"
    r"(?P<day>(?:星期|周|週)[一二三四五六日天]|[月火水木金土日]曜)|[二三四五六七八九十百千两]{1,8}+(?=[天周週月年个次小分秒回時個台名人倍])"
)
_THOUSANDS = lazy(r"[0-9]{1,3}(?:,[0-9]{3})+")
