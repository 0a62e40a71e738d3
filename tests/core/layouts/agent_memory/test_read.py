"""memory-lint.json: what each key sets, what stands for a missing one, and where exactly a wrong one is refused."""

from __future__ import annotations

import json
from typing import Any

import pytest

from memdesk.core.errors import StoreError
from memdesk.core.layouts.agent_memory.located import Malformed, parse
from memdesk.core.layouts.agent_memory.patterns import Pattern
from memdesk.core.layouts.agent_memory.read import defaults, plain_path, read
from memdesk.core.model import Cap

USUAL = {
    "index": "MEMORY.md", "tags": ["stated", "observed", "inferred", "suggested"],
    "tiers": {
        "rom": {"files": {"MEMORY.md": {"maxChars": 15000, "maxLines": 400}}, "totalMaxChars": 60000},
        "ram": {"dirs": ["memory/context"], "patterns": ["^memory/\\d{4}-\\d{2}-\\d{2}.*\\.md$"], "maxChars": 30000},
        "disk": {"dirs": ["memory/people", "memory/projects", "memory/decisions"]},
        "tape": {"dirs": ["memory/archive"]},
    },
}  # fmt: skip
FILE = "sub/memory-lint.json"


def lint(value: Any) -> Any:
    return read(FILE, json.dumps(value, indent=1).encode())


def test_the_usual_file_says_what_stands_without_one() -> None:
    made, usual = lint(USUAL), defaults()
    assert made.boot == {"MEMORY.md": (Cap("chars", 15000, FILE), Cap("lines", 400, FILE))}
    assert usual.boot == {"MEMORY.md": (Cap("chars", 15000, "default"), Cap("lines", 400, "default"))}
    assert made._replace(boot=None, file=None) == usual._replace(boot=None)
    assert (made.file, usual.file) == (FILE, None)


def test_for_each_missing_key_the_usual_value_stands() -> None:
    assert lint({})._replace(file=None) == defaults()
    assert lint({"tiers": {}, "tags": []}) == lint({})
    assert lint({"index": "INDEX.md"}).boot.keys() == {"INDEX.md"}
    assert lint({"tiers": {"disk": {}, "tape": {}}}) == lint({})


def test_a_cap_that_a_tier_leaves_out_or_sets_to_0_is_none() -> None:
    made = lint({"tiers": {"rom": {}, "ram": {"maxChars": 0}}})
    assert (made.boot, made.boot_chars, made.working_chars) == ({"MEMORY.md": ()}, None, None)
    assert (made.working, made.patterns) == (("memory/context",), defaults().patterns)
    assert lint({"tiers": {"rom": {"files": {"A.md": {"maxLines": 9}}}}}).boot == {"A.md": (Cap("lines", 9, FILE),)}


def test_what_is_set_counts() -> None:
    made = lint({
        "index": "./docs/INDEX.md", "tags": ["stated", "ingested"], "$schema": "x", "more": [1.5e3, None, True],
        "tiers": {
            "rom": {"files": {"docs/INDEX.md": {"maxChars": 9, "why": ""}, "AGENTS.md": {}}, "totalMaxChars": 99},
            "ram": {"dirs": ["tmp/"], "patterns": ["^x"], "maxChars": 7},
            "disk": {"dirs": ["a//b/", "a/b"]}, "tape": {"dirs": []}, "cloud": {},
        },
    })  # fmt: skip
    assert (made.index_file, made.tags, made.boot_chars) == ("docs/INDEX.md", ("stated", "ingested"), 99)
    assert made.boot == {"docs/INDEX.md": (Cap("chars", 9, FILE),), "AGENTS.md": ()}
    assert (made.working, made.patterns, made.working_chars) == (("tmp",), (Pattern("^x"),), 7)
    assert (made.durable, made.archive) == (("a/b",), ())


def test_windows_line_endings_and_a_bom_are_fine() -> None:
    data = b"\xef\xbb\xbf" + json.dumps(USUAL, indent=1).replace("\n", "\r\n").encode()
    assert read(FILE, data) == lint(USUAL)


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("", 1, "no JSON: it ends too early"),
        ('{\n"index": "a.md",\n}', 3, "a key in double quotes is expected"),
        ('{\n"index" "a.md"}', 2, "colon"),
        ('{"a": 1}\n{}', 2, "more text"),
        ('{\n"a": [1,\n2', 3, "comma"),
        ('{"a": [1 2]}', 1, "not '2'"),
        ('{"a": NaN}', 1, "a value is expected"),
        ('{"a": 01}', 1, "a value is expected"),
        ('{"a": "x\ny"}', 1, "not closed on its line"),
        ('{"a": "\\q"}', 1, "unknown escape"),
        ('{"a": 1,\n\n"a": 2}', 3, "the key 'a' is there twice"),
        ('{"a": ' + "9" * 400 + "}", 1, "too large"),
        ("[" * 60 + "]" * 60, 1, "more than 50 values"),
        ("// no\n{}", 1, "a value is expected"),
        ("[]", 1, "the file must be an object"),
        ('{\n"index": 3}', 2, "index must be a text"),
        ('{"index": ""}', 1, "index must be a text"),
        ('{"index": "../MEMORY.md"}', 1, r"index must be a path inside the store"),
        ('{"tags": "stated"}', 1, "tags must be a list"),
        ('{"tags": [\n"stated",\n"a.b"]}', 3, r"tags\[1\] must be a word"),
        ('{"tags": [null]}', 1, r"tags\[0\] must be a text"),
        ('{"tiers": []}', 1, "tiers must be an object"),
        ('{"tiers": {"rom": {"files": ["MEMORY.md"]}}}', 1, "tiers.rom.files must be an object"),
        ('{"tiers": {"rom": {"files": {"MEMORY.md": 9}}}}', 1, "tiers.rom.files.MEMORY.md must be an object"),
        ('{"tiers": {"rom": {"files": {"/etc/passwd": {}}}}}', 1, "'/etc/passwd' must be a path inside"),
        ('{"tiers": {"rom": {"files": {"a.md": {},\n"./a.md": {}}}}}', 2, "named twice"),
        ('{"tiers": {"rom": {"files": {"a.md": {"maxChars": true}}}}}', 1, "maxChars must be a whole number"),
        ('{"tiers": {"rom": {"totalMaxChars": -1}}}', 1, "totalMaxChars must be a whole number"),
        ('{"tiers": {"ram": {"maxChars": 1.5}}}', 1, "maxChars must be a whole number"),
        ('{"tiers": {"ram": {"maxChars": "9"}}}', 1, "maxChars must be a whole number"),
        ('{"tiers": {"ram": {"patterns": "^a"}}}', 1, "patterns must be a list"),
        ('{"tiers": {"ram": {"patterns": [\n"^a",\n"(?=x)"]}}}', 3, r"patterns\[1\]: the pattern '\(\?=x\)' uses a look"),
        ('{"tiers": {"ram": {"patterns": [' + ",".join(['"a"'] * 51) + "]}}}", 1, "at most 50"),
        ('{"tiers": {"disk": {"dirs": ["a\\u0000b"]}}}', 1, r"dirs\[0\] must be a path"),
        ('{"tiers": {"disk": {"dirs": ["a\\ud800b"]}}}', 1, r"dirs\[0\] must be a path"),
        ('{"tiers": {"disk": {"dirs": ["a\\\\b"]}}}', 1, r"dirs\[0\] must be a path"),
        ('{"tiers": {"disk": {"dirs": ["C:/b"]}}}', 1, r"dirs\[0\] must be a path"),
        ('{"tiers": {"tape": {"dirs": ["."]}}}', 1, r"dirs\[0\] must be a path"),
        ('{"tiers": {"tape": {"dirs": {}}}}', 1, "dirs must be a list"),
    ],
    ids=lambda value: str(value)[:30],
)
def test_what_is_wrong_is_refused_with_its_line(text: str, line: int, said: str) -> None:
    with pytest.raises(StoreError, match=said) as caught:
        read(FILE, text.encode())
    assert (caught.value.path, caught.value.line, caught.value.exit_code) == (FILE, line, 2)
    assert caught.value.remedy


def test_other_bytes_than_utf_8_are_named_with_their_line() -> None:
    with pytest.raises(StoreError, match="not UTF-8") as caught:
        read(FILE, b'{\n"index": "\xff"}')
    assert caught.value.line == 2


def test_escapes_are_read() -> None:
    value = ["\\/\b\f\n\r\t\"é😀", {"": []}, -0.5, 12]
    assert _plain(parse(json.dumps(value))) == value
    assert _plain(parse(r'"\ud83d\ude00\u00e9"')) == "😀é"
    with pytest.raises(Malformed):
        parse("'a'")


def _plain(node: Any) -> Any:
    if isinstance(node.value, dict):
        return {key: _plain(inner) for key, inner in node.value.items()}
    return [_plain(inner) for inner in node.value] if isinstance(node.value, list) else node.value


def test_paths() -> None:
    said = {text: plain_path(text) for text in ("a/b/", "./a", "a//b", ".", "", "..", "a/../b", "/a", "a\\b", "c:/x")}
    assert said == {
        "a/b/": "a/b", "./a": "a", "a//b": "a/b", ".": None, "": None, "..": None, "a/../b": None, "/a": None, "a\\b": None,
        "c:/x": None,
    }  # fmt: skip
