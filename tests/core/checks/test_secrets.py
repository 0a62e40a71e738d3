"""Secrets by the shape of the value: what is one, what only looks like one, and that it never comes out again."""

from __future__ import annotations

import random
import string

import pytest

from memdesk.core.checks.secrets import MASK, mask, scan, secrets
from memdesk.core.checks.shapes import ISSUED

CAPITALS = "QWERTYUIOPASDFGH"
# Keys are put together here, so that no scanner of this repository takes them for real ones.
FOUND = {
    "AWS access key id": "- token AKIA" + CAPITALS,
    "password in a URL": "postgres://app:notreal@db/x",
    "private key": "-----BEGIN RSA " + "PRIVATE KEY-----\nMIIEow\n-----END RSA PRIVATE KEY-----",
    "GitHub token": "ghp" + "_16C7e42F292c6912E7710c838347Ae178B4a",
    "Stripe key": "sk" + "_live_51H8abcdefghijklmnopqrstu",
    "Slack token": "xoxb" + "-2039481726-abcDEF1234",
    "Google API key": "AIza" + "SyD3kq9Zx7Lw2Vb5Nn8Mm1Pp4Rr6Tt0Uu_x",
    "JSON Web Token": "eyJhbGciOiJIUzI1NiJ9" + ".eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9P",
    "Hugging Face token": "hf" + "_aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF3h",
    "Anthropic key": "sk-ant" + "-api03-aB3dE6gH9jK2mN5pQ8sT1vW4yZ",
    "GitLab token": "glpat" + "-aB3dE6gH9jK2mN5pQ8sT",
    "assigned secret": "API_SECRET = 'q8Zr3LmV9tX2kP5w'",
    "authorization header": "curl -H 'Authorization: Bearer 9f8Zq3LmV9tX2kP5wR7s'",
}
HARMLESS = [
    "- API key comes from env.APP_KEY",
    "commit 3f786850e387550fdab836ed7e6dc881de23001b",
    "id 123e4567-e89b-12d3-a456-426614174000",
    "lock sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "## MC-DEC-20260502-1a2b3c4d — Title",
    "- the password is in the team's vault",
    "SECRET_KEY=${SECRET_KEY}",
    "token: os.environ.TOKEN1",
    "password: correct-horse-battery-staple",
    "postgres://user:password@localhost/db",
    "https://ci:$TOKEN@git.example.com/x",
    "redis://:<password>@cache",
    "AKIAIOSFODNN7EXAMPLE",
    "ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
    "AKIA" + "X" * 16,
    "api_key = your-api-key-goes-here1",
    "secret: ./secrets/prod.enc2.yaml",
    "token=%(token)s12345678901234",
    "the tokens are counted in core/tokens.py:120",
    "sk-learn is fine, and so is task-runner-2026-05-02-nightly",
    "-----BEGIN PUBLIC KEY-----",
    "-----BEGIN CERTIFICATE-----",
    "https://docs.example.com/guide#token=x",
]


@pytest.mark.parametrize("kind", FOUND)
def test_f07_a_secret_is_found_by_its_shape_and_masked(kind: str) -> None:
    text = f"before {FOUND[kind]} after"
    hits = secrets(text)
    assert [hit.kind for hit in hits] == [kind]
    value = text[hits[0].start : hits[0].end]
    assert value not in mask(text)
    assert mask(text).startswith("before ")
    assert MASK in mask(text)


@pytest.mark.parametrize("text", HARMLESS)
def test_f07_text_that_only_mentions_a_secret_is_left_alone(text: str) -> None:
    assert secrets(text) == []
    assert mask(text) == text


def test_f07_of_a_url_only_the_password_is_masked() -> None:
    assert mask("postgres://app:notreal@db/x") == "postgres://app:***@db/x"


def test_a_private_key_is_masked_to_its_end_line() -> None:
    key = "-----BEGIN OPENSSH " + "PRIVATE KEY-----\nb3BlbnNzaC1r\nZXktdjEA\n-----END OPENSSH PRIVATE KEY-----"
    assert mask(f"a\n{key}\nb") == "a\n***\nb"


def test_a_private_key_without_an_end_is_masked_to_the_paragraphs_end() -> None:
    assert mask("-----BEGIN " + "PRIVATE KEY-----\nb3Blb\n\nnext") == "***\n\nnext"


def test_several_hits_are_in_order_and_apart() -> None:
    text = "user@corp.dev AKIA" + CAPITALS + " and 10.20.30.40"
    assert [hit.rule for hit in scan(text)] == ["example-value", "secret", "example-value"]
    assert mask(text) == "*** *** and ***"


def test_a_secret_wins_over_a_value_that_overlaps_it() -> None:
    assert [hit.kind for hit in scan("ftp://ann:Tr0ub4dor@files.corp.dev/x")] == ["password in a URL"]


def test_a_token_inside_a_longer_word_is_none() -> None:
    assert secrets("xAKIA" + CAPITALS) == []
    assert secrets("AKIA" + CAPITALS + "LONGER") == []


def test_every_issued_shape_is_a_pattern_that_finds_its_own_kind() -> None:
    """Each shape's own regular expression compiles, has a guard group of its own, and names are unique."""
    import re

    names: list[str] = []
    for _, pattern in ISSUED:
        groups = list(re.compile(pattern).groupindex)
        assert groups
        names += groups
    assert len(names) == len(set(names))
    assert len({kind for kind, _ in ISSUED}) == len(ISSUED)


def test_words_of_any_kind_are_never_a_secret() -> None:
    """Prose of random words, ids and numbers without structure: no false alarm in ten thousand lines."""
    rng = random.Random(7)
    for _ in range(300):
        words = ["".join(rng.choices(string.ascii_lowercase, k=rng.randint(1, 14))) for _ in range(30)]
        words.insert(rng.randint(0, 30), f"{rng.randint(0, 10**9)}")
        assert secrets(" ".join(words)) == []


def test_masking_is_idempotent() -> None:
    text = " | ".join(FOUND.values())
    assert mask(mask(text)) == mask(text)
    assert scan(mask(text)) == []


HOSTILE = {
    "dashes": "-eyJabcdefgh1", "urls": "a.b-c+d://", "names": "token-", "keys": "-----BEGIN PRIVATE KEY-----\n",
    "percent": "%a",
    "emails": "a@a.", "digits": "1-2 ", "spaces": "account no ", "blank": " " * 12, "quotes": 'secret="', "sk": "sk-1", "at": "://a:",
    "hosts": "hooks.slack.com/services/A/", "colons": "a:1:", "dots": "1.2.", "plus": "+1 (2", "jwt": "eyJ1.eyJ",
    "atlassian": "=ATATT3", "said": "password a ", "told": "secret a1 ", "words": "a ", "command": "-u a1:",
    "options": "--token a1", "bold": "password**:  ", "table": "token | ", "arn": "arn:aws:a:a:", "called": "tel. 01 ",
    "zeros": "tel 0", "accounts": "account 1", "homes": "C:\\Users\\ada lee ", "mounts": "/c/Users/", "local": "a'",
    "host": "a@" + "b" * 300, "dotted": "a@b" + ".c" * 40 + "1", "hash": "$6$", "sig": "&sig=", "atlas": "a.atlasv1.",
    "discord": "MTk4NjIyNDgzNDcxOTI1MjQ4.", "pats": "patA", "pgp": "-----BEGIN PGP PRIVATE KEY BLOCK-----\n\n",
    "begins": "-----BEGIN PRIVATE KEY-----", "headers": "Authorization: token ", "keys=": "_key=base64:", "pw": "pw is ",
}  # fmt: skip


@pytest.mark.parametrize("size", [20_000, pytest.param(300_000, marks=pytest.mark.slow)])
@pytest.mark.parametrize("kind", HOSTILE)
def test_f07_no_text_makes_the_scan_slow(kind: str, size: int) -> None:
    """A quadratic pattern would take minutes on the large ones."""
    unit = HOSTILE[kind]
    text = unit * (size // len(unit))
    assert len(mask(text)) <= len(text)
    assert isinstance(scan("account no password token Abc1 " + text), list)
