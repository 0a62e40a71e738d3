"""How paths are spelled in links: read as they are meant, and written so that Markdown reads them back."""

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


def destination(path: str) -> str:
    """A path as a link's destination, in angle brackets or percent-encoded where it must be."""
    if not any(char in path for char in " \t()<>%#?\\"):
        return path
    from urllib.parse import quote

    return quote(path, safe="/!$&'*+,;=:@~", errors="surrogateescape")
