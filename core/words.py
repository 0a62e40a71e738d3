"""The words of a text, as texts are compared and searched by: whole words, in one form, whatever the script.

Case is folded, compatibility forms are one (NFKC), a plural's s is off, and the commonest words are left out, since nearly
every text has them. Runs of a script that does not part its words (Chinese, Japanese, Thai, Lao) count by pairs of
characters.
"""

from __future__ import annotations

import re

from memdesk.core.patterns import lazy

SHORT = 3  # a word of fewer characters tells two texts apart too badly to call them alike


def words(text: str) -> frozenset[str]:
    """The words to compare two texts by; short ones count only in a script that does not part its words."""
    return frozenset(terms(text, SHORT))


def terms(text: str, least: int = 1) -> list[str]:
    """The words of a text in its order, as often as they stand there. `least`: characters that a word must have, before
    its plural's s is taken off."""
    found: list[str] = []
    plain, pieces = _pieces(text)
    for word in pieces:
        if not plain and _UNPARTED.match(word):
            found += (word[at : at + 2] for at in range(max(1, len(word) - 1)))
        elif len(word) >= least and word not in _COMMON:
            found.append(word[:-1] if len(word) > 3 and word[-1] == "s" and word[-2] != "s" else word)
    return found


def parts(text: str, least: int = 1) -> tuple[list[str], list[str]]:
    """The same words, and beside them the runs of a script that does not part its words, each whole."""
    plain, pieces = _pieces(text)
    runs = [] if plain else [word for word in pieces if _UNPARTED.match(word)]
    return terms(" ".join(word for word in pieces if plain or not _UNPARTED.match(word)), least), runs


def _pieces(text: str) -> tuple[bool, list[str]]:
    """A text's words as they stand there, in one form; and whether it is plain ASCII."""
    plain = text.isascii()
    if not plain:
        from unicodedata import normalize

        text = normalize("NFKC", text)
    return plain, (_ASCII_WORD if plain else _WORD).findall(text.casefold())


_UNPARTED = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\u0e00-\u0eff\U00020000-\U0003ffff]")
# Marks that belong to the letter before them where no composed form exists: `\w` alone would end a word at each.
_MARK = (
    r"\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06ed\u0900-\u0963"
    r"\u0966-\u0dff"
)
_WORD = lazy(rf"{_UNPARTED.pattern}+|(?:(?!{_UNPARTED.pattern})[\w{_MARK}])+")
_ASCII_WORD = re.compile(r"\w+", re.ASCII)  # the same where there is nothing else, in half the time
_COMMON = frozenset(re.findall(r"\w+", """
    the and for with not are was were has have had this that these those from into onto over under than then when where
    which while will would should could can may must its our their your you they them his her but nor per via out off all
    any each use uses used using does did being been about after before because also only very more most some such there
    here what who how why
    a am an as at be by do he i if in is it me my no of on or s so t to up us we
"""))
