"""The shapes of secrets: a value counts by its own form, never by a word beside it (docs/adr/0006-secret-shapes.md).

A shape is an issuer's prefix with its alphabet and length, or a frame (a private key's header, credentials in a URL, an
assignment to a name that says what it holds) whose value also looks random. Placeholders are no secrets.
"""

from __future__ import annotations

import re

from memdesk.core.patterns import lazy

# Issuers' own prefixes, as their documentation gives them. The part after the prefix is what a guard looks at.
ISSUED: tuple[tuple[str, str], ...] = (
    ("AWS access key id", r"(?:AKIA|ASIA|ABIA|ACCA)(?P<v01>[A-Z0-9]{16})"),
    ("GitHub token", r"gh[pousr]_(?P<v02>[A-Za-z0-9]{36,251})|github_pat_(?P<v03>[A-Za-z0-9]{22}_[A-Za-z0-9]{59})"),
    ("GitLab token", r"gl(?:pat|ptt|dt|rt|cbt|soat|ft|agent|imt|oas)-(?P<v04>[A-Za-z0-9_-]{20,})"),
    ("Slack token", r"xox[abeoprs](?:\.xox[bp])?-(?P<v05>[A-Za-z0-9-]{10,})|xapp-(?P<v06>\d-[A-Z0-9]+-\d+-[a-z0-9]+)"),
    ("Slack webhook", r"hooks\.slack\.com/(?:services|workflows|triggers)/(?P<v07>[A-Z0-9]+/[A-Z0-9]+/[A-Za-z0-9]{20,})"),
    ("Stripe key", r"(?:[sr]k_(?:live|test|prod)|whsec)_(?P<v08>[A-Za-z0-9]{16,})"),
    ("Google API key", r"AIza(?P<v09>[A-Za-z0-9_-]{35})"),
    ("Google OAuth secret", r"GOCSPX-(?P<v10>[A-Za-z0-9_-]{28})|ya29\.(?P<v11>[A-Za-z0-9_-]{30,})"),
    ("Anthropic key", r"sk-ant-(?P<v12>[A-Za-z0-9_-]{20,})"),
    ("OpenAI key", r"sk-(?:proj-|svcacct-|admin-)?(?P<v13>[A-Za-z0-9_-]{32,})"),
    ("Hugging Face token", r"hf_(?P<v14>[A-Za-z0-9]{34})"),
    ("npm token", r"npm_(?P<v15>[A-Za-z0-9]{36})"),
    ("PyPI token", r"pypi-(?P<v16>AgEIcHlwaS5vcmc[A-Za-z0-9_-]{50,})"),
    ("SendGrid key", r"SG\.(?P<v17>[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{43})"),
    ("Twilio key", r"SK(?P<v18>[0-9a-f]{32})"),
    ("Telegram bot token", r"[0-9]{8,10}:(?P<v19>AA[A-Za-z0-9_-]{33})"),
    ("DigitalOcean token", r"do[opr]_v1_(?P<v20>[0-9a-f]{64})"),
    ("Databricks token", r"dapi(?P<v21>[0-9a-f]{32})"),
    ("Vault token", r"hv[sbr]\.(?P<v22>[A-Za-z0-9_-]{24,})"),
    ("age key", r"AGE-SECRET-KEY-1(?P<v23>[0-9A-Z]{58})"),
    ("Shopify token", r"shp(?:at|ca|pa|ss)_(?P<v24>[0-9a-fA-F]{32})"),
    ("Square token", r"sq0(?:atp|csp)-(?P<v25>[A-Za-z0-9_-]{22,43})"),
    ("Linear key", r"lin_(?:api|oauth)_(?P<v26>[A-Za-z0-9]{40,})"),
    ("Atlassian token", r"ATATT3(?P<v27>[A-Za-z0-9_-]{100,}=?[0-9A-F]{0,8})"),
    ("Grafana token", r"glsa_(?P<v28>[A-Za-z0-9]{32}_[0-9a-f]{8})"),
    ("New Relic key", r"NRAK-(?P<v29>[A-Z0-9]{27})"),
    ("Postman key", r"PMAK-(?P<v30>[0-9a-f]{24}-[0-9a-f]{34})"),
    ("JSON Web Token", r"eyJ[A-Za-z0-9_-]{8,}\.eyJ(?P<v31>[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{16,})"),
    ("Azure storage key", r"AccountKey=(?P<v32>[A-Za-z0-9+/]{86}==)"),
)

_NAMES = (
    r"pass(?:word|wd|phrase)|pwd|secret|token|api[_-]?key|access[_-]?key|secret[_-]?(?:access[_-]?)?key|auth[_-]?key"
    r"|private[_-]?key|client[_-]?secret|credentials?"
)
# NAME = value, "name": "value", name: value; before the name may stand a prefix such as APP_ or aws_. In none of these can
# two starts read the same stretch again: a hostile file takes no longer than any other of its size.
ASSIGNED = lazy(
    rf"""(?<![A-Za-z0-9])(?:{_NAMES})["'`]?[ \t]*(?::=|=>|[:=])[ \t]*["'`]?"""
    r"""(?P<value>[A-Za-z0-9+/_=.~$!@#%^&*-]{12,})""",
    re.IGNORECASE,
)
BEARER = lazy(r"\b(?:Bearer|Basic)[ \t]+(?P<value>[A-Za-z0-9._~+/-]{20,}=*)")
IN_URL = lazy(r"(?<=[A-Za-z0-9])://[^\s/:@\"'<>`?#]{0,256}+:(?P<value>[^\s/@\"'`<>]{1,256}+)@[A-Za-z0-9\[<$]")
PRIVATE_KEY = lazy(r"-----BEGIN (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----|PuTTY-User-Key-File-[23]:")

_PLACEHOLDER = lazy(
    r"example|placeholder|redacted|changeme|change-me|dummy|your[-_]|[-_]your|_here\b|-here\b|x{4}|\*{3}|\.{3}|…", re.IGNORECASE
)
_STAND_IN = lazy(
    r"pass(?:word|wd|wort)?|pwd|secret|token|user(?:name)?|key|credentials?|postgres|root|admin|test|guest"
    r"|[\$%{\[<].*|.*[}\]>]|[x*.]+|[A-Z]+(?:_[A-Z]+)+",
    re.IGNORECASE,
)
_HEX = lazy(r"[0-9a-fA-F]+")
_UUID = lazy(r"[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}")
_REFERENCE = lazy(r"[$%@#&!]|[A-Za-z_][A-Za-z0-9_]*(?:[.][A-Za-z_][A-Za-z0-9_]*)+\Z|[./~]|[a-z]+(?:[-_/.][a-z]+)+\Z")


def random_looking(value: str, bits: float = 3.0) -> bool:
    """Whether a value has the entropy (bits a character, over its own letters) and the mix of a generated one."""
    if entropy(value) < bits or not any(char.isdigit() for char in value) or not any(char.isalpha() for char in value):
        return False
    return not _PLACEHOLDER.search(value)


def issued(value: str) -> bool:
    """Whether what follows an issuer's prefix can be a real one: no placeholder, not one character repeated."""
    return len(set(value)) > 1 and not _PLACEHOLDER.search(value)


def assigned(value: str) -> bool:
    """Whether an assigned value is itself the secret: no reference to where it is kept, no identifier, random-looking."""
    bare = value.rstrip("=.,;:)")
    if _REFERENCE.match(bare) or _UUID.fullmatch(bare) or len(bare) < 12:
        return False
    if _HEX.fullmatch(bare):
        return len(bare) >= 32 and entropy(bare) >= 2.5
    return random_looking(bare)


def password(value: str) -> bool:
    """Whether the password in a URL is one: no stand-in (`<password>`, `$PASS`, `PASSWORD`, `***`)."""
    return not _STAND_IN.fullmatch(value) and not _PLACEHOLDER.search(value)


def entropy(text: str) -> float:
    """Shannon entropy in bits for each character, over the text's own letters."""
    from math import log2

    size = len(text)
    if not size:
        return 0.0
    return -sum((share := text.count(char) / size) * log2(share) for char in set(text))
