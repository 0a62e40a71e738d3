"""Markdown for a comment on a host: outside text stands in code, where nothing of it is read as Markdown or HTML, and no host
makes a mention, a reference or an address of it."""

from __future__ import annotations

import re

from memdesk.tui.inert import inert, line

LONGEST = 60_000  # characters of a comment: hosts refuse those of 65,536 and more


def code(value: str) -> str:
    """Outside text as a code span, on one line, whatever backticks it holds; "" for none."""
    said = line(value)
    fence = "`" * (1 + longest(said))
    pad = " " if said.startswith("`") or said.endswith("`") else ""
    return f"{fence}{pad}{said}{pad}{fence}" if said else ""


def html(value: str) -> str:
    """The same where Markdown is not read, as in a summary."""
    from html import escape

    return f"<code>{escape(line(value))}</code>"


def cell(value: str) -> str:
    """The same in a cell of a table, which a bar ends, in code too. One with a bar is HTML, around what is read as Markdown: so
    no sign in it stands as itself."""
    said = line(value)
    if "|" not in said:
        return code(said)
    return f"<code>{''.join(char if char.isalnum() or char == ' ' else f'&#{ord(char)};' for char in said)}</code>"


def fenced(value: str, language: str) -> str:
    """Outside text as it is, line by line, in a fence that none of its lines can close."""
    body = inert(value).rstrip("\n")
    fence = "`" * max(3, 1 + longest(body))
    return f"{fence}{language}\n{body}\n{fence}"


def longest(value: str) -> int:
    """The longest run of backticks."""
    return max(map(len, re.findall("`+", value)), default=0)
