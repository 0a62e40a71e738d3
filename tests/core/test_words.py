"""Words: one form for each, whole words, every script."""

from __future__ import annotations

import pytest

from memdesk.core.words import terms, words


@pytest.mark.parametrize(("text", "expected"), [
    ("Sessions, look-ups and the SESSION's class", ["session", "look", "ups", "session", "class"]),
    ("JS v2 in 5 MB", ["js", "v2", "5", "mb"]),
    ("what is it", []),
    ("ﬁle ＡＰＩ", ["file", "api"]),
    ("nai\u0308ve na\u00efve", ["naïve", "naïve"]),  # composed or not
    ("हिन्दी भाषा।", ["हिन्दी", "भाषा"]),  # vowel signs belong to their word
    ("שָׁלוֹם", ["שָׁלוֹם"]),
    ("记忆 and ひら", ["记忆", "ひら"]),
    ("记忆库", ["记忆", "忆库"]),
    ("", []),
])  # fmt: skip
def test_terms(text: str, expected: list[str]) -> None:
    assert terms(text) == expected


def test_short_words_tell_nothing_of_likeness_but_can_be_looked_for() -> None:
    assert words("JS v2 tool") == {"tool"}
    assert terms("JS v2 tool") == ["js", "v2", "tool"]
