"""Regular expressions that are compiled at their first use.

A large pattern takes a millisecond or more to compile, and a check on a small store needs few of them.
"""

from __future__ import annotations

import re

from memdesk.core.lean import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from typing import Any, AnyStr

_METHODS = ("match", "search", "fullmatch", "finditer", "findall", "sub", "split")


def lazy(pattern: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """The pattern, compiled when it is first asked for anything. An invalid one is found then, so: one test uses each."""
    return cast("re.Pattern[AnyStr]", _Lazy(pattern, flags))


class _Lazy:
    def __init__(self, pattern: Any, flags: int) -> None:
        self._arguments = (pattern, flags)

    def __getattr__(self, name: str) -> Any:
        compiled = re.compile(*self._arguments)
        for method in _METHODS:  # from now on they are found on the instance
            setattr(self, method, getattr(compiled, method))
        return getattr(compiled, name)
