"""JavaScript patterns: the subset means what it means there, the rest is refused by name, and nothing takes long."""

from __future__ import annotations

import re
import shutil
import subprocess
from time import perf_counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memdesk.core.layouts.agent_memory.patterns import Pattern, Unsupported

NOTES = r"^memory/\d{4}-\d{2}-\d{2}.*\.md$"
CASES = [
    (NOTES, "memory/2026-01-02-kickoff.md", True),
    (NOTES, "memory/2026-01-02.md", True),
    (NOTES, "a/memory/2026-01-02.md", False),
    (NOTES, "memory/2026-01-02.md.bak", False),
    (NOTES, "memory/2026-01-02.md\n", False),  # `$` is the very end, unlike in Python
    (NOTES, "memory/٢٠٢٦-01-02.md", False),  # `\d` is ASCII
    ("b", "abc", True), ("B", "abc", False), ("", "", True), ("^$", "", True), ("^$", "\n", False),
    ("^.$", "\u2028", False), ("^[^]$", "\u2028", True), ("[]", "a", False), ("^.$", "é", True),
    ("^.$", "😀", False), ("^..$", "😀", True), ("^😀$", "😀", True),  # two code units
    (r"\s", "\ufeff", True), (r"\s", "\u1680", True), (r"\s", "\x85", False), (r"\w", "é", False), (r"^\W$", "é", True),
    (r"\bcat\b", "a cat!", True), (r"\bcat\b", "concat", False), (r"\Bcat", "concat", True), (r"[\b]", "\b", True),
    (r"^\x41\u00e9\0\t\n\r\f\v$", "Aé\0\t\n\r\f\v", True), (r"^a\/\.\-\]$", "a/.-]", True),
    ("^(?:ab|c)+?d$", "abcabd", True), ("^(?:ab|c)+?d$", "abcad", False), ("^(|a)b$", "b", True), ("a||b", "", True),
    ("^a{2}$", "aa", True), ("^a{2,}$", "a", False), ("^a{0,2}$", "aaa", False), ("^a{,2}$", "a{,2}", True),
    ("^{$", "{", True), ("^a{x}$", "a{x}", True), ("^]}$", "]}", True), (r"^[\d-z]+$", "4-z", True), (r"^[\d-z]+$", "y", False),
    ("^[a-]+$", "a-", True), ("^[^a-c]$", "b", False), ("^[^a-c]$", "d", True), (r"^[\]\\^]+$", "]\\^", True),
    ("^(a?){20}a{20}$", "a" * 20, True), ("(?:)*x", "x", True), ("(a*)*b", "aab", True), ("^(\\b|a)+$", "a", True),
    (r"^\_$", "_", True), ("\udc80", "\udc80", True),
]


@pytest.mark.parametrize(("source", "text", "matches"), CASES)
def test_the_subset_means_what_it_means_in_javascript(source: str, text: str, matches: bool) -> None:
    assert Pattern(source).test(text) is matches


def test_node_says_the_same() -> None:
    node = shutil.which("node")
    if node is None:
        pytest.skip("needs node")
    import json

    code = "console.log(JSON.stringify(JSON.parse(require('fs').readFileSync(0)).map(([s, t]) => new RegExp(s).test(t))))"
    pairs = json.dumps([(source, text) for source, text, _ in CASES])
    done = subprocess.run([node, "-e", code], input=pairs, capture_output=True, text=True, check=True)
    assert json.loads(done.stdout) == [matches for _, _, matches in CASES]


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("(?=a)", "lookahead"), ("a(?!b)", "negative lookahead"), ("(?<=a)b", "lookbehind"), ("(?<!a)b", "negative lookbehind"),
        ("(?<year>a)", "named group"), ("(?i:a)", "flags"), ("(?i)a", "flags"), (r"(a)\1", r"backreference `\\1`"),
        (r"\k<year>", "named backreference"), (r"\p{L}", "Unicode property"), (r"\P{L}", "Unicode property"),
        (r"\cA", "control escape"), (r"\a", r"escape `\\a`"), (r"\01", "octal"), (r"[\1]", "octal"), (r"\x4", "hexadecimal"),
        (r"\u{1F600}", "hexadecimal"), ("(", "never closed"), ("a)", "closes nothing"), ("[a", "never closed"),
        ("\\", "backslash"),
        ("*a", "nothing to repeat"), ("a|*", "nothing to repeat"), ("{2}", "nothing to repeat"), ("a**", "two quantifiers"),
        ("a{2}{3}", "two quantifiers"), ("^*", "no length"), (r"\b+", "no length"), ("[b-a]", "backwards"),
        ("a{3,2}", "3 to 2"),
        ("a{1001}", "more than 1000 times"), ("a{" + "9" * 5000 + "}", "longer than 1000"),
        ("a{99999}", "more than 1000 times"),
        ("((a{100}){100}){100}", "more than 1000 steps"),
        ("((?:){1000}){1000}", "more than 1000 steps"), ("(" * 41 + ")" * 41, "more than 40 groups"), ("a" * 1001, "longer"),
    ],
    ids=lambda value: value[:20],
)
def test_the_rest_is_refused_by_name(source: str, said: str) -> None:
    with pytest.raises(Unsupported, match=said):
        Pattern(source)


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("^(a+)+$", "a" * 20_000 + "b"), ("(a|a)*b", "a" * 20_000), ("(.*)(.*)(.*)(.*)x", "a" * 20_000),
        ("^(a?){200}a{200}$", "a" * 199), ("([ab]*a[ab]{12})$", "ab" * 1000 + "c"),
    ],
    ids=range(5),
)
def test_no_pattern_takes_long(source: str, text: str) -> None:
    pattern = Pattern(source)
    begun = perf_counter()
    assert not pattern.test(text)
    assert perf_counter() - begun < 5  # by backtracking: centuries


def test_patterns_are_values() -> None:
    assert Pattern("a") == Pattern("a") != Pattern("b")
    assert len({Pattern("a"), Pattern("a")}) == 1


ATOMS = st.sampled_from(["a", "b", "-", ".", r"\d", r"\w", r"\W", r"\D", "[ab]", "[^a]", "[0-9b]", r"\.", r"[\d-]"])
EXPRESSIONS = st.recursive(
    ATOMS,
    lambda inner: st.one_of(
        st.tuples(inner, inner).map("".join),
        st.tuples(inner, inner).map(lambda two: f"(?:{two[0]}|{two[1]})"),
        st.tuples(inner, st.sampled_from(["*", "+", "?", "{2}", "{1,}", "{0,3}", "*?", "+?", "??"])).map(
            lambda two: f"({two[0]}){two[1]}"
        ),
        inner.map(lambda one: f"^{one}"), inner.map(lambda one: rf"(?:{one}\b)"), inner.map(lambda one: rf"(?:\B{one})"),
    ),
    max_leaves=8,
)


@given(EXPRESSIONS, st.booleans(), st.text("ab1-._ \n", max_size=8))
def test_it_finds_what_python_finds(source: str, ended: bool, text: str) -> None:
    theirs = re.compile(source + (r"\Z" if ended else ""), re.ASCII)
    if "\r" not in text:
        assert Pattern(source + ("$" if ended else "")).test(text) is (theirs.search(text) is not None)
