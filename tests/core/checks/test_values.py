"""Example values: real-looking ones are found, reserved ones and look-alikes aren't."""

from __future__ import annotations

import pytest

from memdesk.core.checks.values import values

FOUND = [
    ("mail ana@corp.dev today", "email address", "ana@corp.dev"),
    ("host 10.20.30.40 is up", "IP address", "10.20.30.40"),
    ("dns 81.2.69.160.", "IP address", "81.2.69.160"),
    ("at 2a00:1450:4001:81b::200e now", "IP address", "2a00:1450:4001:81b::200e"),
    ("call +49 30 1234567", "phone number", "+49 30 1234567"),
    ("call (212) 867-5309", "phone number", "(212) 867-5309"),
    ("in /home/ana/src/x", "person's home folder", "ana"),
    ("in /Users/Bo.Li/x", "person's home folder", "Bo.Li"),
    ("in C:\\Users\\bo\\x", "person's home folder", "bo"),
    ("see file:///home/ana/x", "person's home folder", "ana"),
    ("IBAN DE44 5001 0517 5407 3249 31", "bank account", "DE44 5001 0517 5407 3249 31"),
    ("card 4539 1488 0343 6467", "card number", "4539 1488 0343 6467"),
    ("customer no. 4711-2345", "account or customer number", "4711-2345"),
    ("Account ID: 99887766", "account or customer number", "99887766"),
]
HARMLESS = [
    "user@example.com, x@mail.example.org, a@host.test, b@localhost, c@db.invalid",
    "git@github.com:team/x.git",
    "logo@2x.png",
    "pkg@1.2.3 and @scope/pkg and name@latest",
    "192.0.2.7, 198.51.100.1, 203.0.113.9, 127.0.0.1, 0.0.0.0, 255.255.255.0",
    "10.0.0.0/8 is private",
    "v1.2.3.4 and version 10.2.3.4",
    "999.1.1.1 and 1.2.3.4.5",
    "2001:db8::1 and ::1 and fe80::1",
    "12:30:45 and std::vector and a::b::c",
    "2026-05-02 and 2026-05-02T10:00:00",
    "+1 202 555 0143",
    "555-0100",
    "/home/user/x, /home/runner/work, /Users/me/x, /home/<name>/x",
    "https://x.example.com/home/ana",
    "src/home/ana/x",
    "DE44 5001 0517 5407 3249 32",
    "4539 1488 0343 6468",
    "account number of the customer",
    "customer no. 12",
    "line 120, 1234 tokens, 10,000 entries in 400 files",
    "MC-DEC-20260502-1a2b3c4d",
]


@pytest.mark.parametrize(("text", "kind", "value"), FOUND)
def test_a_real_looking_value_is_found(text: str, kind: str, value: str) -> None:
    assert [(hit.kind, text[hit.start : hit.end]) for hit in values(text)] == [(kind, value)]


@pytest.mark.parametrize("text", HARMLESS)
def test_reserved_examples_and_look_alikes_are_fine(text: str) -> None:
    assert values(text) == []
