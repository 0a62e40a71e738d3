"""Example values: real-looking addresses, numbers and home folders, which shared memory says in general instead.

Reserved examples (example.com, 192.0.2.0/24, 2001:db8::/32, +1 555 0100 ...) and placeholders are fine: RFC 2606, 5737,
3849; numbers with a check digit count only if it is right.
"""

from __future__ import annotations

import re

from memdesk.core.checks.secrets import Hit, apart, odd_words
from memdesk.core.patterns import lazy

_EMAIL = lazy(
    r"(?<![\w.+/%-])(?<!\w')(?P<local>[^\W_][\w.%+'-]*)@(?P<host>(?:[^\W_][\w-]*\.)+(?P<top>[^\W\d_]{2,24}))(?![\w@/-])"
)
_IPV4 = lazy(
    r"(?<![\w.-])(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)\.){3}(?:25[0-5]|2[0-4]\d|1?\d?\d)(?![\w-]|\.\d|/(?!32\b)\d)", re.ASCII
)
_IPV6 = lazy(r"(?<![\w:.])[0-9A-Fa-f]{1,4}:[0-9A-Fa-f:]{3,34}(?![\w:]|\.\d)", re.ASCII)
_PHONE = lazy(
    r"(?<![\w.+/-])(?:\+[1-9]\d{0,2}[ .-]?(?:\(\d{1,4}\)[ .-]?)?\d{2,4}(?:[ .-]?\d{2,4}){1,4}"
    r"|\(\d{3}\) ?\d{3}[ .-]\d{4}|\d{3}-\d{3}-\d{4})(?![\w-]|\.\d)",
    re.ASCII,
)
# A number that a word says is one: "Tel.: 030/9018-2044".
_CALLED = lazy(
    r"(?<!\w)(?:tel(?:efon|ephone)?|t[ée]l|phone|mobile?|handy|fax|hotline|whatsapp)(?:[ _-]?(?:no|nr|number|nummer)\b)?"
    r"[.:=\"|]{0,3}[ \t\xa0]{0,3}[:=\"|]?[ \t\xa0]{0,3}(?P<value>[(0-9][0-9 ./()-]{6,24}[0-9])(?![\w-]|\.\d)",
    re.IGNORECASE,
)
_CALLED_WORDS = ("tel.", "tel:", "tel ", "t\xe9l", "telefon", "phone", "mobil", "handy", "fax", "hotline", "whatsapp")
_FICTION = lazy(r"55501\d\d\Z|(?:207946|1[1-6]\d496|191498|289649|292018|1632960|7700900|808157|909879|3069990)\d*\Z")
_DATE = lazy(r"(?:19|20)\d\d[-./ ]?(?:0[1-9]|1[0-2])[-./ ]?(?:[0-2]\d|3[01])")
_HOME = lazy(
    r"(?:(?<![\w.~/-])(?:(?:/mnt)?/[a-z](?=/Users/))?|(?<=file://)|(?<=://file)|(?<=://localhost))"
    r"(?:/home/|/Users/)(?P<posix>[\w.-]+)"
    r"|(?<![\w.~:/-])[A-Za-z]:(?:/|\\{1,2})(?:Users|Documents and Settings)(?:/|\\{1,2})"
    r"(?P<drive>[\w.-]{1,64}+(?: [\w.-]{1,64}+){1,2}(?=\\)|[\w.-]+)"
)
_IBAN = lazy(r"(?<!\w)[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,4})?(?!\w)", re.ASCII)
_CARD = lazy(r"(?<![\w./-])(?:[3-6]\d{3}(?:[ -]?\d{4}){3}|3[47]\d{2}[ -]?\d{6}[ -]?\d{5})(?![\w-]|\.\d)", re.ASCII)
_ACCOUNT = lazy(
    r"(?:(?:\b|_)(?:customer|account|client|contract|invoice|patient|member|order)[ _-]?(?:(?:no|nr|num|number|id)\b\.?|#)"
    r"|\b(?:kunden|konto|vertrags|rechnungs|mitglieds)-?(?:nummer|nr\b\.?))"
    r"[\"'`]?[ \t]{0,3}(?:[:=|]|is\b)?[ \t]{0,3}[\"'`#]{0,2}(?P<value>[A-Z]{0,3}-?\d[\d -]{4,30}\d)"
    r"|\baccount[ \t]{1,3}`?(?P<cloud>\d{12}|\d{4}-\d{4}-\d{4}|[0-9A-F]{6}-[0-9A-F]{6}-[0-9A-F]{6})(?![\w-])"
    r"|\barn:aws[a-z-]{0,10}:[a-z0-9-]{1,30}:[a-z0-9-]{0,20}:(?P<arn>\d{12}):",
    re.IGNORECASE,
)
# Anything that could begin a number worth a closer look, in a text of which only these bytes are left.
_GROUPS = lazy(rb"\+[1-9]|\(\d\d\d\)|\d\d\d-\d\d\d-|[A-Z]\d\d|\d\d\d\d[ -]?\d\d\d\d")
_NOT_NUMBERS = bytes(code for code in range(256) if chr(code) not in "0123456789+-() \nABCDEFGHIJKLMNOPQRSTUVWXYZ")
_ACCOUNT_WORDS = (
    "customer", "account", "client", "contract", "invoice", "patient", "member", "order n", "order #", "kunden", "konto",
    "vertrags", "rechnungs", "mitglieds", "arn:aws",
)

_RESERVED_HOST = lazy(
    r"(?:.*\.)?(?:example\.(?:com|net|org|edu)|example|test|invalid|localhost|local|localdomain)", re.IGNORECASE
)
_FILE_ENDINGS = frozenset({
    "bmp", "css", "gif", "html", "ico", "jpeg", "jpg", "js", "json", "jsx", "lock", "mjs", "png", "py", "rb", "rs", "sh", "svg",
    "toml", "ts", "tsx", "txt", "webp", "xml", "yaml", "yml",
})  # fmt: skip
_NOBODY = frozenset({"git", "hg", "svn"})
_PLACEHOLDER_NAMES = frozenset({
    "admin", "administrator", "app", "build", "builder", "ci", "circleci", "coder", "codespace", "container", "default",
    "deploy", "dev", "developer", "ec2-user", "example", "foo", "git", "gitpod", "jenkins", "jovyan", "linuxbrew", "me",
    "myself", "name", "nobody", "node", "nonroot", "pi", "postgres", "public", "root", "runner", "shared", "someone", "travis",
    "ubuntu", "user", "username", "users", "vagrant", "vscode", "whoever", "you", "your-name", "your_name", "yourname",
})  # fmt: skip
_VERSION_BEFORE = lazy(
    r"(?:\bv|version|release|build|section|chapter|clause|\boid|\xa7)[ \t:=]*\Z|\bto[ \t]\Z|[=<>~^!]=[ \t]?\Z|[A-Za-z]/\Z",
    re.IGNORECASE,
)
# Addresses that belong to everybody (public resolvers), and the one that people write for any.
_COMMON_ADDRESSES = frozenset({"8.8.8.8", "8.8.4.4", "1.1.1.1", "1.0.0.1", "9.9.9.9", "1.2.3.4", "4.3.2.1"})
# Test numbers that payment services publish, and the account ids of a cloud's own documents.
_TEST_NUMBERS = frozenset({
    "378282246310005", "371449635398431", "6011111111111117", "6011000990139424", "5555555555554444", "5105105105105100",
    "5200828282828210", "4012888888881881", "4000056655665556", "3566002020360505", "3530111333300000", "5425233430109903",
    "123456789012", "111122223333", "444455556666", "777788889999", "210987654321",
})  # fmt: skip


def values(text: str, words: list[str] | None = None) -> list[Hit]:
    """The example values in a text, in its order, none overlapping. Each shape is tried only where a cheap look says so.

    `words`: the text's `odd_words`, where the caller has them.
    """
    found: list[Hit] = []
    words = odd_words(text) if words is None else words
    if "@" in text:
        found += _hits("email address", [match.span() for match in _EMAIL.finditer(text) if _is_address(match)])
    if "/home/" in text or "Users" in text or "Documents and Settings" in text:
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
    if any(word in lower for word in _CALLED_WORDS):
        called = [match.span("value") for match in _CALLED.finditer(text) if _is_phone(match["value"], 7)]
        found += _hits("phone number", called)
    if any(word in lower for word in _ACCOUNT_WORDS):
        numbers = [match for match in _ACCOUNT.finditer(text) if _is_number(match[match.lastgroup or 0])]
        found += _hits("account or customer number", [match.span(match.lastgroup or 0) for match in numbers])
    return apart(found)


def _hits(kind: str, spans: list[tuple[int, int]]) -> list[Hit]:
    return [Hit("example-value", kind, start, end) for start, end in spans]


def _is_person(match: re.Match[str]) -> bool:
    name = (match["posix"] or match["drive"]).lower()
    return name not in _PLACEHOLDER_NAMES and name.rpartition(".")[2] not in _FILE_ENDINGS and name.strip(".") != ""


def _is_address(match: re.Match[str]) -> bool:
    if match["local"].lower() in _NOBODY or match["top"].lower() in _FILE_ENDINGS:
        return False
    return not _RESERVED_HOST.fullmatch(match["host"])


def _is_ipv4(text: str, match: re.Match[str]) -> bool:
    """Not loopback, unspecified, a mask, a network, multicast, link-local, a documentation range (RFC 5737), everybody's, or
    a version number."""
    parts = [int(part) for part in match[0].split(".")]
    if parts[0] in (0, 127, 255) or parts[0] >= 224 or parts[3] == 0 or match[0] in _COMMON_ADDRESSES:
        return False
    if match[0].startswith(("192.0.2.", "198.51.100.", "203.0.113.", "169.254.")):
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
                or value.lower().startswith(("2001:4860:4860::", "2606:4700:4700::", "2620:fe::"))  # public resolvers
                or address in ipaddress.IPv6Network("2001:db8::/32") or address in ipaddress.IPv6Network("3fff::/20"))


def _is_phone(value: str, least: int = 9) -> bool:
    """Nine to fifteen digits, and not of the numbers reserved for fiction (555-01xx; Ofcom's for drama); no date."""
    digits = "".join(char for char in value if char.isdigit())
    return least <= len(digits) <= 15 and not _FICTION.search(digits) and not _DATE.search(value)


def _is_number(value: str) -> bool:
    """An account's number: no date, no count from one, not one digit repeated, none of a document's own examples."""
    digits = "".join(char for char in value if char.isdigit())
    counted = digits in "012345678901234567890" or len(set(digits)) == 1
    return not counted and digits not in _TEST_NUMBERS and not _DATE.fullmatch(value)


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
    return total % 10 == 0 and len(set(digits)) > 4 and "".join(map(str, digits)) not in _TEST_NUMBERS
