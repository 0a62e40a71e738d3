"""Globs: what matches, what does not, and that no pattern makes matching slow."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memdesk.core.globs import Glob, Ignore


@pytest.mark.parametrize(
    ("pattern", "path", "expected"),
    [
        ("src/**", "src/a/b.py", True),
        ("src/**", "src", True),
        ("src/**", "srcs/a.py", False),
        ("src/**", "a/src/b.py", False),
        ("**/fixtures/**", "tests/fixtures/store/x.md", True),
        ("**/fixtures/**", "fixtures/x.md", True),
        ("**/fixtures/**", "tests/my-fixtures/x.md", False),
        ("lib/*.py", "lib/a.py", True),
        ("lib/*.py", "lib/sub/a.py", False),
        ("lib/*.py", "lib/a.PY", False),
        ("Lib/*.py", "lib/a.py", False),
        ("lib/?.py", "lib/ä.py", True),
        ("lib/?.py", "lib/ab.py", False),
        ("*", ".hidden", True),
        ("*", "a/b", False),
        ("**", "any/thing/at/all", True),
        ("a/**/b/**/c", "a/b/c", True),
        ("a/**/b/**/c", "a/x/b/y/z/c", True),
        ("a/**/b/**/c", "a/x/c/b", False),
        ("a/**/b/**/b", "a/b", False),
        ("a/**/**/b", "a/b", True),
        ("a**b", "axxb", True),
        ("a**b", "a/b", False),
        ("[ab].md", "[ab].md", True),
        ("[ab].md", "a.md", False),
        ("./docs//memory/", "docs/memory", True),
        ("x*y*z", "xyz", True),
        ("x*y*z", "xzy", False),
        ("*ab", "aab", True),
        ("a*a", "a", False),
        ("*?*", "", False),
    ],
)
def test_matching(pattern: str, path: str, expected: bool) -> None:
    assert Glob(pattern).matches(path) is expected


@given(st.text("ab*?", max_size=8), st.text("ab", max_size=8))
def test_a_segment_matches_as_its_regular_expression_does(pattern: str, name: str) -> None:
    oracle = "".join(".*" if sign == "*" else "." if sign == "?" else re.escape(sign) for sign in pattern)
    assert Glob(f"c{pattern}").matches(f"c{name}") is (re.fullmatch(oracle, name) is not None)


@given(
    st.lists(st.sampled_from(["**", "a", "b", "*"]), min_size=1, max_size=6),
    st.lists(st.sampled_from("ab"), min_size=1, max_size=6),
)
def test_whole_paths_match_as_their_regular_expression_does(pattern: list[str], path: list[str]) -> None:
    oracle = "".join("(?:[^/]+/)*" if one == "**" else "[^/]+/" if one == "*" else one + "/" for one in pattern)
    assert Glob("/".join(pattern)).matches("/".join(path)) is (re.fullmatch(oracle, "/".join(path) + "/") is not None)


@pytest.mark.parametrize(
    ("pattern", "path"),
    [("*a" * 200 + "b", "a" * 20_000), ("/".join(["**", "a"] * 200) + "/b", "/".join(["a"] * 5_000)), ("?*" * 100, "x" * 50)],
)
def test_no_pattern_takes_exponential_time(pattern: str, path: str) -> None:
    assert Glob(pattern).matches(path) is False  # backtracking would outlive the universe


def test_ignore_leaves_out_folders_with_all_that_is_in_them() -> None:
    ignore = Ignore(["**/fixtures/**", "**/build*/**", "docs/old", "", "*.tmp"])
    assert ignore.path("tests/fixtures/docs/memory/manifest.md")
    assert ignore.path("build-3/a.md")
    assert ignore.path("docs/old/x/y.md")
    assert ignore.path("x.tmp")
    assert not ignore.path("a/x.tmp")
    assert not ignore.path("docs/older/x.md")
    assert not ignore.path("docs/memory/fixtures.md")
