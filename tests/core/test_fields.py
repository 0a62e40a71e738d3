"""Tags, dates, strikes, labelled fields, one-line decisions, brackets, titles and names."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memdesk.core import fields
from memdesk.core.errors import Refused
from memdesk.core.strikes import mask_code


@pytest.mark.parametrize(
    ("text", "inner"),
    [
        ("~~a~~", "a"), ("~~a b~~ superseded 2026-04-12", "a b"), ("~~a~~ struck 2026-04-12: too broad", "a"),
        ("~~a\nb~~", "a\nb"),
        ("~~[stated] a~~ superseded 2026-04-12", "[stated] a"), ("~~a~~ (superseded by b)", "a"), ("~~a~~ — rejected", "a"),
        ("~~a~~ 2026-04-12", "a"), ("~~a~~ (2026-04-12)", "a"), ("~~a~~ → docs/x.md", "a"), ("~~a~~.", "a"),
        ("~~a~~\n  - nested", "a"),
        ("~~a~~\n      - nested", "a"), ("~~a~~\n1. nested", "a"), ("~~a~~\n\n  more", "a"), ("~~a `~~` b~~", "a `~~` b"),
        ("  ~~a~~", "a"),
        ("~~a `` ` `` b~~", "a `` ` `` b"), (r"~~a \~~ b~~", r"a \~~ b"), ("~~`a`~~", "`a`"), ("~~é 日~~", "é 日"),
        ("~~a~b~~", "a~b"),
        ("~~2026-05-02 | a. Reason: b~~ superseded 2026-06-01", "2026-05-02 | a. Reason: b"),
        ('~~a~~ superseded 2026-04-12 by "~~b~~"', "a"),
    ],
)  # fmt: skip
def test_struck(text: str, inner: str) -> None:
    span = fields.struck_span(text)
    assert span is not None
    assert text[slice(*span)] == inner
    assert fields.is_struck(text)
    assert fields.unstruck(text).startswith(inner)


@pytest.mark.parametrize(
    "text",
    [
        "", "a", "~~", "~~~~", "~~~~ ~~~~", "~~a", "a~~", "a ~~b~~", "~~a~~ b", "~~a~~ and ~~b~~",
        "~~Postgres~~ SQLite is used", "~~ a~~",
        "~~a ~~", "~~~a~~~", "~a~", "`~~a~~`", "~~a `b~~`", r"\~~a~~", r"~~a\~~", "~~a\n\nb~~", "~~a\n- b~~", "~~a~~b",
        "~~a~~\nand more",
        "~~a~~ (2026-04-12) b is used", "- ~~a~~",
    ],
)  # fmt: skip
def test_not_struck(text: str) -> None:
    assert fields.struck_span(text) is None
    assert not fields.struck(text)
    assert fields.unstruck(text) == text


def test_what_follows_the_struck_paragraph_stays_readable() -> None:
    assert fields.unstruck("~~a~~ superseded 2026-04-12\n  - nested") == "a\n  - nested"
    assert fields.unstruck("~~a~~ struck: why\n\n  more") == "a\n\n  more"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a", "~~a~~"), ("a\n  b\n", "~~a\n  b~~\n"), ("[observed] use `~~`", "~~[observed] use `~~`~~"), (" a ", " ~~a~~ "),
        ("a `b", "~~a `b~~"), ("x~y", "~~x~y~~"), ("**a**", "~~**a**~~"), (r"a \* b", r"~~a \* b~~"), ("a.", "~~a.~~"),
    ],
)  # fmt: skip
def test_strike(text: str, expected: str) -> None:
    assert fields.strike(text) == expected
    assert fields.is_struck(fields.strike(text))


@pytest.mark.parametrize("text", ["a ~~b~~ c", "~~a~~", "~~", "a ~~ b", "~~a", "~~~", "`a ~~b"])
def test_strike_refuses_text_that_holds_one(text: str) -> None:
    with pytest.raises(Refused, match="already holds ~~") as raised:
        fields.strike(text)
    assert raised.value.remedy.startswith("Edit it first")


@pytest.mark.parametrize("text", ["", " \n", "a\n\nb", "a\n- b", "a~", "~a", "a\\"])
def test_strike_refuses_what_would_not_read_back(text: str) -> None:
    with pytest.raises(Refused):
        fields.strike(text)


def test_a_title_is_struck_on_one_line() -> None:
    assert fields.strike_title("2026-05-02 - Use `~~`") == "~~2026-05-02 - Use `~~`~~"
    with pytest.raises(Refused, match="several lines"):
        fields.strike_title("a\nb")


@given(st.text(st.sampled_from("ab ~`\\*-1.\n"), max_size=14))
def test_a_strike_reads_back_as_exactly_that_text(text: str) -> None:
    try:
        struck = fields.strike(text)
    except Refused:
        return
    span = fields.struck_span(struck)
    assert span is not None
    assert struck[slice(*span)] == text.strip()
    with pytest.raises(Refused):
        fields.strike(struck)


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("a `b` c", "a     c"), ("``a ` b`` c", "          c"), ("`a", "`a"), ("`a ``b`", "       "), ("\\`a` b`", "\\`a    "),
        ("`a\\` b`", "     b`"),
        ("`a\n\nb`", "`a\n\nb`"), ("`a\nb`", "     "), ("", ""),
    ],
)  # fmt: skip
def test_code_is_masked_in_place(text: str, masked: str) -> None:
    assert mask_code(text) == masked


def test_masking_is_linear() -> None:
    text = "".join("`" * (number % 40 + 1) + " " for number in range(20_000))
    assert len(mask_code(text)) == len(text)


@pytest.mark.parametrize(
    ("text", "tag", "rest"),
    [
        ("[observed] a", "observed", "a"), ("[Stated]  a", "stated", "a"), ("[inferred]", "inferred", ""),
        ("[suggested] [x] a", "suggested", "[x] a"),
        ("[observed](x) a", None, "[observed](x) a"), ("[observed]: a", None, "[observed]: a"),
        ("[guessed] a", None, "[guessed] a"),
        ("a [observed]", None, "a [observed]"), ("", None, ""), ("[observed]a", "observed", "a"),
    ],
)  # fmt: skip
def test_tags(text: str, tag: str | None, rest: str) -> None:
    assert fields.split_tag(text) == (tag, rest)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2026-02-28", True), ("2024-02-29", True), ("2000-02-29", True), ("2026-02-29", False), ("1900-02-29", False),
        ("2026-04-31", False),
        ("2026-12-31", True), ("2026-13-01", False), ("2026-00-10", False), ("2026-01-00", False), ("0000-01-01", False),
        ("2026-1-1", False),
        ("2026-01-01 ", False), ("", False), ("２０２６-01-01", False), ("20260101", False),
    ],
)  # fmt: skip
def test_calendar_dates(text: str, expected: bool) -> None:
    assert fields.is_date(text) is expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("on 2026-01-02, then (2025-03-04).", ["2026-01-02", "2025-03-04"]), ("2026-02-30 and 2026-02-03", ["2026-02-03"]),
        ("archive/inbox-2026-01-02.md", []), ("2026-01-02-note", []), ("12026-01-02 2026-01-023", []),
        ("2026-01-02T10:00Z", ["2026-01-02"]),
        ("2026-01-02- Title", ["2026-01-02"]), ("am 2026-01-02に", ["2026-01-02"]), ("2026-01-02x", []), ("", []),
        ("2026-01-02", ["2026-01-02"]),
    ],
)  # fmt: skip
def test_dates_in_text(text: str, expected: list[str]) -> None:
    assert fields.dates(text) == expected
    assert fields.newest_date(text) == max(expected, default=None)


@pytest.mark.parametrize(
    ("title", "date", "rest"),
    [
        ("2026-05-02 - Use X", "2026-05-02", "Use X"), ("2026-05-02 — Use X", "2026-05-02", "Use X"),
        ("2026-05-02: Use X", "2026-05-02", "Use X"),
        ("2026-05-02 Use X", "2026-05-02", "Use X"), ("Use X", None, "Use X"), ("2026-15-02 - X", None, "2026-15-02 - X"),
        ("2026-05-02", "2026-05-02", ""), ("Use 2026-05-02", None, "Use 2026-05-02"), ("2026-05-02 - - X", "2026-05-02", "- X"),
    ],
)  # fmt: skip
def test_a_titles_date(title: str, date: str | None, rest: str) -> None:
    assert fields.split_date(title) == (date, rest)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", {}), ("Use X.", {"": "Use X."}),
        ("Decision:\nUse X.\n\nReason:\nSlow.\n", {"decision": "Use X.", "reason": "Slow."}),
        ("Decision: Use X.\nIt is\n  fast.\nReason: Slow.", {"decision": "Use X.\nIt is\n  fast.", "reason": "Slow."}),
        ("Reasoning: a", {"reason": "a"}), ("**Reason:** a", {"reason": "a"}), ("**Reason**: a", {"reason": "a"}),
        ("__Scope:__ a", {"scope": "a"}),
        ("REASON: a", {"reason": "a"}), ("Reason:a", {"": "Reason:a"}), ("Reason : a", {"": "Reason : a"}),
        ("Note: a", {"": "Note: a"}),
        ("The Reason: a", {"": "The Reason: a"}), ("Intro\n\nScope: a", {"": "Intro", "scope": "a"}),
        ("    Reason: code", {"": "Reason: code"}),
        ("Evidence:\n- user-confirmed\n- repo: x.py\n\nStatement: s",
         {"evidence": "- user-confirmed\n- repo: x.py", "statement": "s"}),
        ("Decision:\n- Reason: part of it\n- b", {"decision": "- Reason: part of it\n- b"}),
        ("- Reason: a\n- **Scope:** b", {"reason": "a", "scope": "b"}),
        ("Reason: a\nReason: b", {"reason": "a\nReason: b"}),
        ("Decision: a\n```\nReason: no\n```\nScope: s", {"decision": "a\n```\nReason: no\n```", "scope": "s"}),
        ("````\nReason: no\n```\nReason: no\n````\nReason: yes",
         {"": "````\nReason: no\n```\nReason: no\n````", "reason": "yes"}),
        ("Decision: a\n~~~ x\nReason: no", {"decision": "a\n~~~ x\nReason: no"}),
        ("```a`b\nReason: yes", {"": "```a`b", "reason": "yes"}),
        ("Candidate-Type: decision\nPromotion-Requirement: a test",
         {"candidate-type": "decision", "promotion-requirement": "a test"}),
        ('Superseded: 2026-05-02 by "Y"\n\nDecision:\nX', {"superseded": '2026-05-02 by "Y"', "decision": "X"}),
        ("Scope:", {"scope": ""}),
    ],
)  # fmt: skip
def test_labelled_fields(text: str, expected: dict[str, str]) -> None:
    assert fields.labelled(text) == expected


def test_labels_can_be_chosen() -> None:
    assert fields.labelled("When: a\nReason: b", ["when"]) == {"when": "a\nReason: b"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "Do not reintroduce this unless the user explicitly reverses it. Reason: slow; see `Date: x`. Date: 2026-01-02.\n"
            "Scope: api\nReconsider: 2027-01-01",
            {"reason": "slow; see `Date: x`.", "date": "2026-01-02", "scope": "api", "reconsider": "2027-01-01"},
        ),
        ("Reason: a\nb", {"reason": "a\nb"}),
        ("Reason: the Date: field is odd. Date: 2026-01-02.", {"reason": "the Date: field is odd.", "date": "2026-01-02"}),
        ("No. **Reason:** a Date: 2026-01-02", {"reason": "a", "date": "2026-01-02"}), ("xReason: a", {}), ("`Reason: a`", {}),
        ("", {}),
        ("Reason: a. Reason: b.", {"reason": "a. Reason: b."}), ("Date: 2026-02-30", {}),
        ("Reconsider: when X ships", {"reconsider": "when X ships"}),
    ],
)  # fmt: skip
def test_fields_in_running_text(text: str, expected: dict[str, str]) -> None:
    assert fields.inline_fields(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2026-05-02 | Use X. Reason: fast.", ("2026-05-02", "Use X.", "fast.")),
        ("2026-05-02 | a | b. Reason: c | d", ("2026-05-02", "a | b.", "c | d")),
        ("2026-05-02 | a. Reason: b. Reason: c", ("2026-05-02", "a.", "b. Reason: c")),
        ("2026-05-02 | a", ("2026-05-02", "a", "")),
        ("2026-05-02 | write `Reason: x`. Reason: y", ("2026-05-02", "write `Reason: x`.", "y")),
        ("2026-05-02|a", ("2026-05-02", "a", "")),
        ("2026-05-02 | a. Reason: `b`", ("2026-05-02", "a.", "`b`")),
        ("2026-05-02 | a.\n  Reason: b\n  c", ("2026-05-02", "a.", "b\n  c")),
        ("~~2026-05-02 | a. Reason: b~~ superseded 2026-06-01", ("2026-05-02", "a.", "b")),
        ("2026-05-02 | a. Reasoning: b", ("2026-05-02", "a.", "b")),
        ("2026-02-30 | a", None), ("a | b", None), ("2026-05-02 a", None), ("", None),
    ],
)  # fmt: skip
def test_one_line_decisions(text: str, expected: tuple[str, str, str] | None) -> None:
    assert fields.one_line(text) == expected


@pytest.mark.parametrize(
    ("text", "rest", "parts"),
    [
        ("a (for: constraint; from src/app.py:12)", "a", {"for": "constraint", "from": "src/app.py:12"}),
        ("a (from: x)", "a", {"from": "x"}),
        ("a (for: x)\n", "a", {"for": "x"}), ("a (b) (for: x; reason: y (z); w)", "a (b)", {"for": "x", "reason": "y (z); w"}),
        ("a\n  (area: storage; from docs/a b.md)", "a", {"area": "storage", "from": "docs/a b.md"}),
        ("a (from src/a(b).py)", "a", {"from": "src/a(b).py"}),
        ("a (for: x) b", "a (for: x) b", {}), ("a (fore: x)", "a (fore: x)", {}),
        ("a (for: x; for: y)", "a (for: x; for: y)", {}),
        ("a (x; for: y)", "a (x; for: y)", {}), ("a(for: x)", "a(for: x)", {}), ("a (for: )", "a (for: )", {}),
        ("a )", "a )", {}), ("", "", {}),
        ("(for: x)", "", {"for": "x"}), ("a (from x; y)", "a", {"from": "x; y"}),
    ],
)  # fmt: skip
def test_the_closing_bracket(text: str, rest: str, parts: dict[str, str]) -> None:
    assert fields.bracket(text) == (rest, parts)


def test_a_candidates_parts() -> None:
    found = fields.candidate("[observed] Retries double (at most 5).\n  See it (for: constraint; from src/app.py:12)")
    assert found[:4] == ("observed", "Retries double (at most 5).\n  See it", "constraint", "src/app.py:12")
    assert fields.candidate("plain")[:4] == (None, "plain", None, None)
    assert fields.candidate("~~[inferred] a (for: fact)~~ struck 2026-01-02: no")[:4] == ("inferred", "a", "fact", None)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []), ("a", ["a"]), ("- a\n- b", ["a", "b"]), ("- a\n  more\n* b\n\n+ c", ["a\nmore", "b", "c"]),
        ("intro\n- a", ["intro", "a"]),
    ],
)  # fmt: skip
def test_items(text: str, expected: list[str]) -> None:
    assert fields.items(text) == expected


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("2026-05-02 - Use REST!", "use  rest"), ("~~2026-05-02 - Use REST~~", "Use REST"), ("Use `REST`.", "use rest"),
        ("Straße", "STRASSE"),
        ("ＡＢＣ", "abc"), ("Use REST (2026-01-01)", "Use REST"), ("a-b", "A b"), ("é", "e\u0301"),
        ("~~a~~ superseded 2026-01-01", "a"),
    ],
)  # fmt: skip
def test_titles_that_are_the_same(one: str, two: str) -> None:
    assert fields.normal_title(one) == fields.normal_title(two)


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("C", "C++"), ("C#", "C"), ("Use 2", "Use 3"), ("日本", "日中"), ("!", "?"), ("a b", "ab"),
        ("2026-05-02", "2026-05-03"),
        ("कि", "का"), ("", "!"),
    ],
)  # fmt: skip
def test_titles_that_differ(one: str, two: str) -> None:
    assert fields.normal_title(one) != fields.normal_title(two)


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("Use REST, not GraphQL!", "use-rest-not-graphql"), ("C# für Ünïcode — 日本語", "c-für-ünïcode-日本語"),
        ("  --a__b--  ", "a-b"), ("!!!", ""), ("", ""),
        ("../../etc/passwd", "etc-passwd"), ("a\x00b\nc", "a-b-c"), ("e\u0301", "é"), ("१२ हिन्दी", "१२-हिन्दी"),
        ("a" * 100, "a" * 80), ("é" * 50, "é" * 40),
        ("日" * 40, "日" * 26), ("a" * 79 + " b", "a" * 79), ("\ud800a", "a"),
    ],
)  # fmt: skip
def test_names_from_titles(title: str, expected: str) -> None:
    assert fields.slug(title) == expected


@given(st.text(max_size=200))
def test_a_name_is_a_safe_part_of_a_path(title: str) -> None:
    name = fields.slug(title)
    assert len(name.encode()) <= 80
    assert not set(name) & set("/\\.:*?\"<>| \n\t\x00~")
    assert name == name.strip("-")
    assert "--" not in name
    assert fields.slug(name) == name
