"""How paths are spelled in the lines of the index: read as they are meant. (`core/links.py` writes them.)"""

from __future__ import annotations

from memdesk.core.patterns import lazy

_SCHEME = lazy(r"[A-Za-z][A-Za-z0-9+.-]{1,30}:|//")
_ESCAPE = lazy(r"\\([!-/:-@\[-`{-~])")


def target_of(spelled: str) -> str:
    """The path that a link's destination means: without backslashes, anchor, query, `%20` and `./`; "" for one that leads out
    of the files here (a web address, mail) or only to a place on the same page."""
    path = unescaped(spelled.strip())
    if _SCHEME.match(path):
        return ""
    path = path.partition("#")[0].partition("?")[0]
    if "%" in path:
        from urllib.parse import unquote

        path = unquote(path, errors="surrogateescape")
    while path.startswith("./"):
        path = path[2:].lstrip("/")
    return path


def unescaped(text: str) -> str:
    """A text without Markdown's backslash escapes."""
    return _ESCAPE.sub(r"\1", text) if "\\" in text else text
