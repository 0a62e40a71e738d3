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
    ("Grafana token", r"glsa_(?P<v28>[A-Za-z0-9]{32}_[0-9a-f]{8})|glc_(?P<v33>[A-Za-z0-9+/]{32,400}={0,2})"),
    ("New Relic key", r"NRAK-(?P<v29>[A-Z0-9]{27})"),
    ("Postman key", r"PMAK-(?P<v30>[0-9a-f]{24}-[0-9a-f]{34})"),
    ("JSON Web Token", r"eyJ[A-Za-z0-9_-]{8,}\.eyJ(?P<v31>[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{16,})"),
    ("Azure storage key", r"AccountKey=(?P<v32>[A-Za-z0-9+/]{86}==)"),
    ("Azure client secret", r"[A-Za-z0-9_~.]{3}\dQ~(?P<v34>[A-Za-z0-9_~.-]{31,34})"),
    ("Azure signature", r"sig=(?P<v35>[A-Za-z0-9%+/]{40,100}(?:%3[Dd]|=))"),
    ("Docker Hub token", r"dckr_[po]at_(?P<v36>[A-Za-z0-9_-]{27,})"),
    ("Doppler token", r"dp\.(?:pt|st|ct|sa|scim|audit)\.(?P<v37>(?:[a-z0-9_-]{2,35}\.)?[A-Za-z0-9]{40,44})"),
    ("Pulumi token", r"pul-(?P<v38>[0-9a-f]{40})"),
    ("Sentry token", r"sntryu_(?P<v39>[0-9a-f]{64})|sntrys_(?P<v40>[A-Za-z0-9+/=_]{40,})"),
    ("Supabase token", r"sbp_(?P<v41>[0-9a-f]{40})|sb_secret_(?P<v42>[A-Za-z0-9_-]{22,})"),
    ("Notion token", r"(?:ntn|secret)_(?P<v43>[A-Za-z0-9]{43,50})"),
    ("Figma token", r"fig[dor]_(?P<v44>[A-Za-z0-9_-]{36,})"),
    ("Netlify token", r"nf[pcobu]_(?P<v45>[A-Za-z0-9]{36})"),
    ("PlanetScale token", r"pscale_(?:tkn|pw|oauth)_(?P<v46>[A-Za-z0-9_.=-]{32,})"),
    ("RubyGems key", r"rubygems_(?P<v47>[0-9a-f]{48})"),
    ("crates.io token", r"cio(?P<v48>[A-Za-z0-9]{32})"),
    ("Cloudflare key", r"v1\.0-(?P<v49>[0-9a-f]{24}-[0-9a-f]{146})"),
    ("Tailscale key", r"tskey-(?:auth|api|client|scim|webhook)-(?P<v50>[A-Za-z0-9]+-[A-Za-z0-9]{20,})"),
    ("Mailgun key", r"key-(?P<v51>[0-9a-f]{32})"),
    ("Mailchimp key", r"(?P<v52>[0-9a-f]{32}-us\d{1,2})"),
    ("Groq key", r"gsk_(?P<v53>[A-Za-z0-9]{52})"),
    ("Perplexity key", r"pplx-(?P<v54>[A-Za-z0-9]{48,})"),
    ("Replicate token", r"r8_(?P<v55>[A-Za-z0-9]{37})"),
    ("xAI key", r"xai-(?P<v56>[A-Za-z0-9]{70,})"),
    ("Buildkite token", r"bk(?:ua|aj|ct|pt)_(?P<v57>[0-9a-f]{40})"),
    ("Discord webhook", r"discord(?:app)?\.com/api/webhooks/\d{17,20}/(?P<v58>[A-Za-z0-9_-]{60,})"),
    ("Discord token", r"[MNO][A-Za-z0-9_-]{23,27}\.(?P<v59>[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,38})"),
    ("Airtable token", r"pat(?P<v60>[A-Za-z0-9]{14}\.[0-9a-f]{64})"),
    ("Terraform token", r"(?P<v61>[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_=-]{60,})"),
    ("HubSpot token", r"pat-(?:na|eu)\d-(?P<v62>[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})"),
    ("Fly.io token", r"fm[12][ar]?_(?P<v63>[A-Za-z0-9+/=_-]{60,})"),
    ("Sourcegraph token", r"sgp_(?P<v64>(?:[0-9a-f]{16}_|local_)?[0-9a-f]{40})"),
    ("Dynatrace token", r"dt0[a-z]\d\d\.(?P<v65>[A-Z0-9]{24}\.[A-Z0-9]{64})"),
    ("Alibaba key id", r"LTAI(?P<v66>[A-Za-z0-9]{20})"),
    ("password hash", r"\$(?:apr1|2[abxy]|5|6|y|argon2(?:id|i|d))\$(?P<v67>[A-Za-z0-9./$,=+]{22,})"),
)

_NAMES = (
    r"pass(?:word|wd|phrase)|pwd|secret|token|api[_-]?key|access[_-]?key|secret[_-]?(?:access[_-]?)?key|auth[_-]?key"
    r"|(?:private|encryption|signing|master|app|account|client|storage|shared|license)[_-]?key(?:-data)?|client[_-]?secret"
    r"|credentials?|(?<=_)pass|_auth"
)
# NAME = value, "name": "value", name: value, | name | value |; before the name may stand a prefix such as APP_ or aws, behind
# it which one it is. In none of these can two starts read the same stretch again: a hostile file takes no longer than any
# other of its size.
ASSIGNED = lazy(
    rf"""(?:{_NAMES})(?:_(?:base|value|prod|production|staging|dev|live|test|\d))?"""
    r"""["'`*]{0,3}[ \t]*(?::=|=>|[:=|])[ \t*]{0,8}["'`]?(?:base64:)?"""
    r"""(?P<value>[A-Za-z0-9+/_=.~$!@#%^&*-]{12,}+)(?![(\[])""",
    re.IGNORECASE,
)
# How people say it: "the admin password is ...", "password for the demo: `...`", `--password ...`.
SAID = lazy(
    r"""(?:pass(?:word|phrase|wd|code)|(?<![A-Za-z])pw)\b(?![ \t](?:manager|policy|hash|field|generator|store|vault))["'`]?"""
    r"""(?:(?:[ \t]+[a-z'-]{1,20}){0,8}?(?:[ \t]+(?:is|was|to)|[ \t]*[:=]))?[ \t*]{0,8}["'`]?"""
    r"""(?<![A-Za-z0-9])(?P<value>[A-Za-z0-9+/_=.~$!@#%^&*-]{8,128}+)(?![(\[/])""",
    re.IGNORECASE,
)
TOLD = lazy(
    r"""(?:token|secret|(?:access|api|secret|private)[ _-]key)["'`]?(?:[ \t]+[a-z'-]{1,20}){0,8}?[ \t]+(?:is|was)[ \t]*["'`]?"""
    r"""(?<![A-Za-z0-9])(?P<value>[A-Za-z0-9+/_=.~$!@#%^&*-]{20,256}+)(?![(\[])""",
    re.IGNORECASE,
)
COMMAND = lazy(
    r"""(?<![\w-])(?:(?:-u|--user)[ \t=]["']?[A-Za-z0-9._@-]{1,64}:|sshpass[ \t]+-p[ \t]*["']?|requirepass[ \t]+["']?"""
    r"""|ConvertTo-SecureString[ \t]+["']|--?(?:auth-?)?token[ \t=]["']?|--?(?:api|auth|access)-?key[ \t=]["']?"""
    r"""|aws_secret_access_key[ \t]+)"""
    r"""(?P<value>[^\s"'`]{8,256}+)"""
)
BEARER = lazy(
    r"\b(?:Bearer|Basic|SSWS|Authorization[\"']?[ \t]*[:=][ \t]*[\"']?(?:token|apikey)?)[ \t]+"
    r"(?P<value>[A-Za-z0-9._~+/-]{20,}+=*)"
)
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
_REFERENCE = lazy(
    r"[$%@#&!]|[A-Za-z_][A-Za-z0-9_]*(?:[.][A-Za-z_][A-Za-z0-9_]*)+\Z|[./~]|[a-z]+\d{0,2}(?:[-_/.][a-z]+\d{0,2}|/\d{1,4})+\Z"
)


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
    if _REFERENCE.match(bare) or len(bare) < 12:
        return False
    if _UUID.fullmatch(bare):
        return entropy(bare) >= 3.0 and not bare.startswith("123e4567-")  # the usual example
    if _HEX.fullmatch(bare):
        return len(bare) >= 32 and entropy(bare) >= 2.5
    return random_looking(bare)


def said(value: str) -> bool:
    """Whether a word that is said to be a password is one: it has what passwords must have, and no name looks so."""
    bare = value.rstrip("=.,;:)")
    mixed = any(char.islower() for char in bare) and any(char.isupper() for char in bare)
    return mixed and len(bare) >= 8 and not _REFERENCE.match(bare) and random_looking(bare, 2.5)


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
