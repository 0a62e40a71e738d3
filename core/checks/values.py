"""Example values: real-looking addresses, numbers and home folders, which shared memory says in general instead.

Reserved examples (example.com, 192.0.2.0/24, 2001:db8::/32, +1 555 0100 ...) and placeholders are fine: RFC 2606, 5737,
3849; numbers with a check digit count only if it is right.
"""

from __future__ import annotations

import re

from memdesk.core.checks.secrets import Hit, apart, odd_words
from memdesk.core.patterns import lazy

_EMAIL = lazy(
    r"(?<![\w.+/%-])(?P<local>[A-Za-z0-9][A-Za-z0-9._%+-]*)@(?P<host>(?:[A-Za-z0-9-]+\.)+(?P<top>[A-Za-z]{2,24}))(?![\w@/-])"
)
_IPV4 = lazy(r"(?<![\w.-])(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)\.){3}(?:25[0-5]|2[0-4]\d|1?\d?\d)(?![\w-]|\.\d|/\d)", re.ASCII)
_IPV6 = lazy(r"(?<![\w:.])[0-9A-Fa-f]{1,4}:[0-9A-Fa-f:]{3,34}(?![\w:]|\.\d)", re.ASCII)
_PHONE = lazy(
    r"(?<![\w.+/-])(?:\+[1-9]\d{0,2}[ .-]?(?:\(\d{1,4}\)[ .-]?)?\d{2,4}(?:[ .-]?\d{2,4}){1,4}"
    r"|\(\d{3}\) ?\d{3}[ .-]\d{4}|\d{3}-\d{3}-\d{4})(?![\w-]|\.\d)",
    re.ASCII,
)
_HOME = lazy(
    r"(?:(?<![\w.~:/-])|(?<=file://))(?:/home/|/Users/)(?P<posix>[A-Za-z0-9._-]+)"
    r"|(?<![\w.~:/-])[A-Za-z]:[\\/]Users[\\/](?P<drive>[A-Za-z0-9._-]+)"
)
_IBAN = lazy(r"(?<!\w)[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,4})?(?!\w)", re.ASCII)
_CARD = lazy(r"(?<![\w.-])(?:[3-6]\d{3}(?:[ -]?\d{4}){3}|3[47]\d{2}[ -]?\d{6}[ -]?\d{5})(?![\w-]|\.\d)", re.ASCII)
_ACCOUNT = lazy(
    r"\b(?:customer|account|client|contract|invoice|patient|member)[ _-]?"
    r"(?:(?:no|nr|num|number|id)\b\.?|#)[ \t]{0,3}(?:[:=]|is\b)?[ \t]{0,3}#?(?P<value>[A-Z]{0,3}-?\d[\d -]{4,30}\d)",
    re.IGNORECASE,
)
# Anything that could begin a number worth a closer look, in a text of which only these bytes are left.
_GROUPS = lazy(rb"\+[1-9]|\(\d\d\d\)|\d\d\d-\d\d\d-|[A-Z]\d\d|\d\d\d\d[ -]?\d\d\d\d")
_NOT_NUMBERS = bytes(code for code in range(256) if chr(code) not in "0123456789+-() \nABCDEFGHIJKLMNOPQRSTUVWXYZ")
_ACCOUNT_WORDS = ("customer", "account", "client", "contract", "invoice", "patient", "member")

_RESERVED_HOST = lazy(
    r"(?:.*\.)?(?:example\.(?:com|net|org|edu)|example|test|invalid|localhost|local|localdomain)", re.IGNORECASE
)
_FILE_ENDINGS = frozenset({
    "bmp", "css", "gif", "html", "ico", "jpeg", "jpg", "js", "json", "jsx", "lock", "mjs", "png", "py", "rb", "rs", "sh", "svg",
    "toml", "ts", "tsx", "txt", "webp", "xml", "yaml", "yml",
})  # fmt: skip
_NOBODY = frozenset({"git", "hg", "svn"})
_PLACEHOLDER_NAMES = frozenset({
    "app", "dev", "developer", "example", "foo", "linuxbrew", "me", "myself", "name", "node", "public", "runner", "shared",
    "someone", "ubuntu", "user", "username", "users", "vagrant", "vscode", "whoever", "you", "your-name", "your_name",
    "yourname",
})  # fmt: skip
_VERSION_BEFORE = lazy(r"(?:\bv|version|release|build)[ \t:=]*\Z", re.IGNORECASE)


def values(text: str, words: list[str] | None = None) -> list[Hit]:
    """The example values in a text, in its order, none overlapping. Each shape is tried only where a cheap look says so.

    `words`: the text's `odd_words`, where the caller has them.
    """
    found: list[Hit] = []
    words = odd_words(text) if words is None else words
    if "@" in text:
        found += _hits("email address", [match.span() for match in _EMAIL.finditer(text) if _is_address(match)])
    if "/home/" in text or "Users" in text:
        people = [match for match in _HOME.finditer(text) if _is_person(match)]
        found += _hits("person's home folder", [match.span(match.lastgroup or 0) for match in people])
    if any(word.count(".") > 2 for word in words):
        found += _hits("IP address", [match.span() for match in _IPV4.finditer(text) if _is_ipv4(text, match)])
    if any(word.count(":") > 1 for word in words):
        found += _hits("IP address", [match.span() for match in _IPV6.finditer(text) if _is_ipv6(match[0])])
    if _GROUPS.search(text.encode("utf-8", "replace").translate(None, _NOT_NUMBERS)):
        found += _hits("phone number", [match.span() for match in _PHONE.finditer(text) if _is_phone(match[0])])
        found += _hits("bank account", [match.span() for match in _IBAN.finditer(text) if _is_iban(match[0])])
        found += _hits("card number", [match.span() for match in _CARD.finditer(text) if _luhn(match[0])])
    lower = text.lower()
    if any(word in lower for word in _ACCOUNT_WORDS):
        found += _hits("account or customer number", [match.span("value") for match in _ACCOUNT.finditer(text)])
    return apart(found)


def _hits(kind: str, spans: list[tuple[int, int]]) -> list[Hit]:
    return [Hit("example-value", kind, start, end) for start, end in spans]


def _is_person(match: re.Match[str]) -> bool:
    return (match["posix"] or match["drive"]).lower() not in _PLACEHOLDER_NAMES


def _is_address(match: re.Match[str]) -> bool:
    if match["local"].lower() in _NOBODY or match["top"].lower() in _FILE_ENDINGS:
        return False
    return not _RESERVED_HOST.fullmatch(match["host"])


def _is_ipv4(text: str, match: re.Match[str]) -> bool:
    """Not loopback, unspecified, a mask, multicast, a documentation range (RFC 5737), or a version number."""
    parts = [int(part) for part in match[0].split(".")]
    if parts[0] in (0, 127, 255) or parts[0] >= 224 or match[0].startswith(("192.0.2.", "198.51.100.", "203.0.113.")):
        return False
    return not _VERSION_BEFORE.search(text, max(0, match.start() - 12), match.start())


def _is_ipv6(value: str) -> bool:
    """A real address by the standard library's reading, outside loopback, link-local and documentation ranges."""
    if sum(map(bool, value.split(":"))) < 3 or not any(char.isdigit() for char in value):
        return False  # a::b and 12:30 are other things
    import ipaddress

    try:
        address = ipaddress.IPv6Address(value)
    except ValueError:
        return False
    return not (address.is_loopback or address.is_unspecified or address.is_link_local or address.is_multicast
                or address in ipaddress.IPv6Network("2001:db8::/32") or address in ipaddress.IPv6Network("3fff::/20"))


def _is_phone(value: str) -> bool:
    """Nine to fifteen digits, and not of the numbers reserved for fiction (555-01xx)."""
    digits = "".join(char for char in value if char.isdigit())
    return 9 <= len(digits) <= 15 and digits[-7:-2] != "55501"


def _is_iban(value: str) -> bool:
    """ISO 13616: the check digits are right, and it is not the standard's own example."""
    compact = value.replace(" ", "")
    if not 15 <= len(compact) <= 34:
        return False
    number = int("".join(str(int(char, 36)) for char in compact[4:] + compact[:4]))
    return number % 97 == 1 and compact not in ("GB82WEST12345698765432", "DE89370400440532013000")


def _luhn(value: str) -> bool:
    """ISO/IEC 7812: the check digit is right, and it is no issuer's test number."""
    digits = [int(char) for char in value if char.isdigit()]
    total = sum(digit if index % 2 == 0 else sum(divmod(digit * 2, 10)) for index, digit in enumerate(reversed(digits)))
    return total % 10 == 0 and len(set(digits)) > 4
