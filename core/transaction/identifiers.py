"""Ids of transactions: the second in UTC and four signs, such as `20261130T040251Z-k3f9`. They sort as they were made."""

from __future__ import annotations

import os
from collections.abc import Iterable

_SIGNS = "0123456789abcdefghijklmnopqrstuvwxyz"
_ROOM = len(_SIGNS) ** 4


def new(stamp: str, taken: Iterable[str]) -> str:
    """An id for `stamp` (2026-11-30T04:02:51Z) that sorts after all that are taken, even if the clock was set back."""
    second = stamp.replace("-", "").replace(":", "")
    last = max((name for name in taken if name[:8].isdigit()), default="")
    newest, _, signs = last.partition("-")
    if newest < second or not signs:
        return f"{second}-{_spelled(int.from_bytes(os.urandom(4), 'big') % (_ROOM // 2))}"
    number = _number(signs) + 1
    return f"{newest}-{_spelled(number)}" if number < _ROOM else f"{newest}0-{_spelled(0)}"


def _spelled(number: int) -> str:
    out = ""
    for _ in range(4):
        number, digit = divmod(number, len(_SIGNS))
        out = _SIGNS[digit] + out
    return out


def _number(signs: str) -> int:
    try:
        return int(signs[:4], 36)
    except ValueError:
        return 0
