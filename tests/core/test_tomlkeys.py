"""Lines of keys: TOML in all its spellings, compared with what tomllib reads."""

from __future__ import annotations

import tomllib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memdesk.core.tomlkeys import key_lines

SAMPLE = '''# a comment with key = 1 and [table]
top = "a # no comment"
"quoted \\"key\\"" = 'x = 1'

[stores]
ignore = [
  "a", # one
  "b = 2",
]
layout."docs/v1.2" = "custodian"
layout . 'plain.x' = "none"

[ "tool" . 'memdesk' . budget ]
near = 0.5
text = """
[no.table]
nor = "a key"
\\""" still text
"""
raw = \'\'\'
[nor.this]
\'\'\'
inline = { a = 1, b.c = [ { d = 2 }, 3 ], "e" = "}" } # tail
when = 2024-01-02T03:04:05Z

[[judgment]]
kind = "x"

[[judgment]]
kind = "y"
digests = ["1", "2"]
[judgment.more]
z = 1
'''

EXPECTED = {
    ("top",): 2, ('quoted "key"',): 3, ("stores",): 5, ("stores", "ignore"): 6, ("stores", "layout", "docs/v1.2"): 10,
    ("stores", "layout", "plain.x"): 11, ("tool", "memdesk", "budget"): 13, ("tool", "memdesk", "budget", "near"): 14,
    ("tool", "memdesk", "budget", "text"): 15, ("tool", "memdesk", "budget", "raw"): 20,
    ("tool", "memdesk", "budget", "inline"): 23, ("tool", "memdesk", "budget", "inline", "b", "c"): 23,
    ("tool", "memdesk", "budget", "inline", "b", "c", 0, "d"): 23, ("tool", "memdesk", "budget", "inline", "e"): 23,
    ("tool", "memdesk", "budget", "when"): 24, ("judgment", 0): 26, ("judgment", 0, "kind"): 27, ("judgment", 1): 29,
    ("judgment", 1, "kind"): 30, ("judgment", 1, "digests"): 31, ("judgment", 1, "more", "z"): 33,
}


def paths(value: Any, above: tuple[str | int, ...] = ()) -> set[tuple[str | int, ...]]:
    """The paths of all keys of a parsed TOML document."""
    found: set[tuple[str | int, ...]] = set()
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, one in inner:
        found |= paths(one, (*above, key))
        if isinstance(key, str):
            found.add((*above, key))
    return found


@pytest.mark.parametrize("ending", ["\n", "\r\n"])
def test_every_spelling_of_a_key_is_found_on_its_line(ending: str) -> None:
    lines = key_lines(SAMPLE.replace("\n", ending))
    assert {key: lines.get(key) for key in EXPECTED} == EXPECTED
    assert ("no", "table") not in lines
    assert ("nor", "this") not in lines


@pytest.mark.parametrize("ending", ["\n", "\r\n"])
def test_all_keys_that_tomllib_reads_have_a_line_and_no_others(ending: str) -> None:
    text = SAMPLE.replace("\n", ending)
    found = {key for key in key_lines(text) if isinstance(key[-1], str)}
    assert found == paths(tomllib.loads(text))


@given(st.text('ab=[]{}"\'\\.#,\n 1', max_size=40))
def test_no_text_stops_it_or_finds_keys_that_are_not_there(text: str) -> None:
    lines = key_lines(text)
    assert all(1 <= line <= text.count("\n") + 1 for line in lines.values())
    try:
        parsed = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return
    assert {key for key in lines if isinstance(key[-1], str)} == paths(parsed)


@pytest.mark.slow
def test_deep_nesting_is_followed_without_recursion() -> None:
    depth = 5_000
    text = "a = " + "[" * depth + "]" * depth + "\nb = 1\n"
    assert key_lines(text)[("b",)] == 2
