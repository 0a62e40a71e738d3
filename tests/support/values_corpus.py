"""Secrets, example values and what only looks like them, as they turn up in notes: each labelled by what a careful reader
would say, whatever the detector does.

True values are put together at run time, from a seed and pieces, so that nothing here is a real one and no scanner of this
repository takes it for one.
"""

# ruff: noqa: E501 - tables of texts

from __future__ import annotations

import base64
import random
import string
from typing import NamedTuple

UPPER, LOWER, DIGITS = string.ascii_uppercase, string.ascii_lowercase, string.digits
HEX = "0123456789abcdef"
WORD = UPPER + LOWER + DIGITS
URL64 = WORD + "-_"
BASE64 = WORD + "+/"
SECRET, VALUE, HARMLESS = "secret", "example-value", ""


class Case(NamedTuple):
    """A line or a few of a memory file. `rule`: what it holds, "" for nothing; `value`: the part that must not be shown."""

    name: str
    rule: str
    text: str
    value: str


def made(alphabet: str, size: int, seed: str) -> str:
    """A value that a generator could have made: the same for the same seed, with a digit and a letter where it has both."""
    rng = random.Random(f"{seed}/{size}")
    value = [rng.choice(alphabet) for _ in range(size)]
    for wanted in (DIGITS, LOWER, UPPER):
        if set(wanted) & set(alphabet):
            value[rng.randrange(1, size - 1)] = rng.choice([char for char in wanted if char in alphabet])
    return "".join(value)


def card(start: str) -> str:
    """A number with the check digit that cards have (ISO/IEC 7812)."""
    total = sum(int(char) if index % 2 else sum(divmod(int(char) * 2, 10)) for index, char in enumerate(reversed(start)))
    return start + str(-total % 10)


def iban(country: str, account: str) -> str:
    """A number with the check digits that accounts have (ISO 13616)."""
    number = int("".join(str(int(char, 36)) for char in account + country + "00"))
    return f"{country}{98 - number % 97:02}{account}"


def secret(name: str, before: str, value: str, after: str = "") -> Case:
    return Case(name, SECRET, before + value + after, value)


def _issued() -> list[Case]:
    """Keys that say whose they are: an issuer's prefix, pieced together so that it stands nowhere in this file."""
    shapes = [
        # name, text before, prefix, alphabet, length, text after
        ("AWS key id", "- Deploys use ", "AK" + "IA", UPPER + "234567", 16, " of the CI user."),
        ("AWS temporary key id", "export AWS_ACCESS_KEY_ID=", "AS" + "IA", UPPER + "234567", 16, ""),
        ("GitHub token", "The mirror pushes with ", "gh" + "p_", WORD, 36, "."),
        ("GitHub OAuth token", "`", "gh" + "o_", WORD, 36, "` works too"),
        ("GitHub app token", "GITHUB_TOKEN: ", "gh" + "s_", WORD, 36, ""),
        ("GitLab token", "glab auth login -t ", "gl" + "pat-", URL64, 20, ""),
        ("GitLab runner token", "token = \"", "gl" + "rt-", URL64, 20, "\""),
        ("Stripe key", "Billing calls Stripe with ", "sk_" + "live_", WORD, 24, ""),
        ("Stripe restricted key", "| stripe | ", "rk_" + "live_", WORD, 24, " |"),
        ("Stripe webhook secret", "- the endpoint checks ", "wh" + "sec_", WORD, 32, ""),
        ("Google API key", "maps?key=", "AI" + "za", URL64, 35, "&v=3"),
        ("Google OAuth secret", "client secret ", "GOC" + "SPX-", URL64, 28, ""),
        ("Google access token", "curl -H 'x: ", "ya" + "29.", URL64, 64, "'"),
        ("Anthropic key", "ANTHROPIC_API_KEY=", "sk-" + "ant-api03-", URL64, 93, ""),
        ("OpenAI key", "The evals run with ", "sk-" + "proj-", URL64, 64, ""),
        ("OpenAI key, older", "openai.api_key = '", "sk" + "-", WORD, 48, "'"),
        ("Hugging Face token", "huggingface-cli login --token ", "h" + "f_", UPPER + LOWER, 34, ""),
        ("npm token", "//registry.npmjs.org/:_authToken=", "np" + "m_", WORD, 36, ""),
        ("PyPI token", "password = ", "py" + "pi-AgEIcHlwaS5vcmc", URL64, 120, ""),
        ("Twilio key", "- SMS goes out by ", "S" + "K", HEX, 32, ""),
        ("DigitalOcean token", "doctl auth init -t ", "do" + "p_v1_", HEX, 64, ""),
        ("Databricks token", "", "da" + "pi", HEX, 32, " opens the workspace"),
        ("Vault token", "VAULT_TOKEN=", "hv" + "s.", URL64, 90, ""),
        ("age key", "sops decrypts with ", "AGE-" + "SECRET-KEY-1", UPPER + DIGITS, 58, ""),
        ("Shopify token", "X-Shopify-Access-Token: ", "shp" + "at_", HEX, 32, ""),
        ("Square token", "payments: ", "sq0" + "atp-", URL64, 22, ""),
        ("Linear key", "The importer has ", "lin_" + "api_", WORD, 40, ""),
        ("Atlassian token", "jira: ", "ATA" + "TT3xFfGF0", URL64, 172, "=1A2B3C4D"),
        ("Grafana service token", "", "gl" + "sa_", WORD, 32, "_1a2b3c4d"),
        ("Grafana cloud token", "alloy: ", "gl" + "c_eyJ", WORD, 80, "="),
        ("New Relic key", "newrelic ", "NR" + "AK-", UPPER + DIGITS, 27, ""),
        ("Docker Hub token", "docker login -u ci -p ", "dckr" + "_pat_", URL64, 27, ""),
        ("Doppler token", "doppler run --token ", "dp" + ".pt.", WORD, 43, ""),
        ("Pulumi token", "PULUMI_ACCESS_TOKEN=", "pu" + "l-", HEX, 40, ""),
        ("Sentry token", "sentry-cli with ", "sntr" + "yu_", HEX, 64, ""),
        ("Supabase token", "supabase login: ", "sb" + "p_", HEX, 40, ""),
        ("Notion token", "notion sync uses ", "nt" + "n_", WORD, 46, ""),
        ("Figma token", "X-Figma-Token: ", "fi" + "gd_", URL64, 40, ""),
        ("Netlify token", "deploys: ", "nf" + "p_", WORD, 36, ""),
        ("PlanetScale token", "pscale --service-token ", "pscale" + "_tkn_", URL64, 43, ""),
        ("RubyGems key", "gem push uses ", "ruby" + "gems_", HEX, 48, ""),
        ("crates.io token", "cargo login ", "ci" + "o", WORD, 32, ""),
        ("Cloudflare origin key", "", "v1" + ".0-", HEX, 24, "-" + made(HEX, 146, "cf")),
        ("Tailscale key", "tailscale up --authkey ", "ts" + "key-auth-k", WORD, 16, "-" + made(WORD, 32, "ts")),
        ("Mailgun key", "mail is sent by ", "ke" + "y-", HEX, 32, ""),
        ("Groq key", "groq: ", "gs" + "k_", WORD, 52, ""),
        ("Perplexity key", "search has ", "pp" + "lx-", WORD, 48, ""),
        ("Replicate token", "replicate: ", "r" + "8_", WORD, 37, ""),
        ("xAI key", "", "xa" + "i-", WORD, 80, " is for grok"),
        ("Buildkite token", "", "bk" + "ua_", HEX, 40, ""),
        ("Azure client secret", "the app's secret ", made(WORD, 3, "az") + "8Q" + "~", WORD + "-_.", 34, ""),
        ("Okta token", "Authorization: SS" + "WS ", "0" + "0", URL64, 40, ""),
    ]
    found = []
    for name, before, prefix, alphabet, size, after in shapes:
        body = made(alphabet, size, name)
        found.append(Case(name, SECRET, before + prefix + body + after, body))
    team = f"T{made(UPPER + DIGITS, 10, 'team')}/B{made(UPPER + DIGITS, 10, 'bot')}"
    found += [
        secret("GitHub fine-grained token", "gh uses github_" + "pat_", f"{made(WORD, 22, 'a')}_{made(WORD, 59, 'b')}"),
        secret("Slack bot token", "SLACK_BOT_TOKEN=xo" + "xb-", f"2039481726153-{made(DIGITS, 13, 's')}-{made(WORD, 24, 's')}"),
        secret("Slack user token", "xo" + "xp-", f"{made(DIGITS, 12, 'p')}-{made(DIGITS, 12, 'q')}-{made(HEX, 32, 'r')}", " (Kim's)"),
        secret("Slack app token", "socket mode: xa" + "pp-", f"1-A{made(UPPER + DIGITS, 10, 't')}-{made(DIGITS, 13, 't')}-{made(HEX, 64, 't')}"),
        secret("Slack webhook", "alerts go to https://hooks." + "slack.com/services/", f"{team}/{made(WORD, 24, 'hook')}"),
        secret("Discord webhook", "https://discord.com/api/" + "webhooks/1029384756102938475/", made(URL64, 68, "discord")),
        secret("SendGrid key", "SENDGRID_API_KEY=S" + "G.", f"{made(URL64, 22, 'u')}.{made(URL64, 43, 'v')}"),
        secret("Telegram bot token", "the bot is 7391826450:A" + "A", made(URL64, 33, "tg")),
        secret("Postman key", "PM" + "AK-", f"{made(HEX, 24, 'w')}-{made(HEX, 34, 'x')}"),
        secret("Airtable token", "airtable pa" + "t", f"{made(WORD, 14, 'y')}.{made(HEX, 64, 'z')}"),
        secret("Mailchimp key", "The newsletter's key is ", f"{made(HEX, 32, 'mc')}-us" + "14"),
        secret("Terraform token", "terraform login: ", f"{made(WORD, 14, 'tf')}.atla" + f"sv1.{made(WORD, 67, 'tf')}"),
        secret("Azure storage key", "DefaultEndpointsProtocol=https;AccountName=logs;Account" + "Key=", made(BASE64, 86, "as") + "=="),
        secret("Azure SAS", "https://logs.blob.core.windows.net/a?sv=2024-11-04&se=2027-01-01&s" + "ig=", made(WORD, 41, "sas") + "%2B8%3D"),
    ]
    return found


def _framed() -> list[Case]:
    """Values that are secrets by where they stand: a URL, a header, a key file, an assignment."""
    encoded = base64.b64encode(b"deploy:" + made(WORD, 14, "basic").encode()).decode()
    header, claims = (base64.urlsafe_b64encode(part).decode().rstrip("=") for part in (
        b'{"alg":"HS256","typ":"JWT"}', b'{"sub":"4711","name":"Kim","exp":1790000000}'))
    body = "\n".join(made(BASE64, 64, f"pem{number}") for number in range(4))
    found = [
        secret("JWT", "- The test client sends ", f"{header}.{claims}.{made(URL64, 43, 'jwt')}"),
        secret("JWT in a header", "Authorization: Bearer ", f"{header}.{claims}.{made(URL64, 86, 'jwt2')}"),
        *(
            secret(f"private key, {kind or 'PKCS 8'}", f"The host key:\n\n-----BEGIN {kind}PRIVATE " + "KEY-----\n", body,
                    f"\n-----END {kind}PRIVATE " + "KEY-----\n")
            for kind in ("RSA ", "EC ", "OPENSSH ", "", "ENCRYPTED ")
        ),
        secret("PGP private key", "-----BEGIN PGP PRIVATE " + "KEY BLOCK-----\n\n", body, "\n-----END PGP PRIVATE " + "KEY BLOCK-----"),
        secret("PuTTY key", "PuTTY-User-" + "Key-File-3: ssh-ed25519\nEncryption: none\nPrivate-Lines: 1\n", made(BASE64, 48, "ppk")),
        secret("WireGuard key", "[Interface]\nPrivate" + "Key = ", made(BASE64, 43, "wg") + "="),
    ]
    urls = [
        ("postgres", "- Staging is postgres://app:", "@db.corp.dev:5432/app"),
        ("postgresql+asyncpg", "DATABASE_URL=postgresql+asyncpg://svc_orders:", "@db.corp.dev/orders"),
        ("mysql", "mysql://root:", "@db-2.corp.dev/shop?ssl=true"),
        ("mongodb", "mongodb+srv://plover:", "@cluster0.ab1cd.mongodb.net/test"),
        ("redis", "cache: redis://:", "@cache.corp.dev:6379/0"),
        ("amqp", "amqps://worker:", "@mq.corp.dev/%2f"),
        ("basic auth", "see https://kim:", "@reports.corp.dev/daily"),
        ("ftp", "ftp://upload:", "@files.corp.dev/in"),
        ("proxy", "HTTPS_PROXY=http://proxyuser:", "@proxy.corp.dev:3128"),
        ("smtp", "smtp://mailer:", "@mail.corp.dev:587"),
    ]
    found += [secret(f"{name} URL", before, made(WORD, 12, name), after) for name, before, after in urls]
    found.append(secret("password with a dollar in a URL", "postgres://app:", "Tr0ub4$or7x", "@db.corp.dev/app"))
    found.append(secret("token as the user of a git URL", "git clone https://", "gh" + "p_" + made(WORD, 36, "clone"), "@github.com/corp/app.git"))
    assigned = [
        ("env password", "DB_PASSWORD=", WORD, 16, ""),
        ("exported password", "export PGPASSWORD='", WORD + "!%", 14, "'"),
        ("YAML password", "    password: \"", WORD + "#!", 18, "\""),
        ("JSON client secret", '{"client_id": "app", "client_secret": "', WORD, 32, '"}'),
        ("AWS secret key", "aws_secret_access_key = ", BASE64, 40, ""),
        ("hex API key", "DD_API_KEY=", HEX, 32, ""),
        ("secret key base", "SECRET_KEY_BASE=", HEX, 128, ""),
        ("Python setting", "SECRET_KEY = 'django-insecure-", LOWER + DIGITS + "@#", 50, "'"),
        ("Cloudflare token", "CLOUDFLARE_API_TOKEN=", URL64, 40, ""),
        ("Twilio auth token", "TWILIO_AUTH_TOKEN: ", HEX, 32, ""),
        ("TypeScript constant", "const apiKey = \"", WORD, 40, "\";"),
        ("Java property", "spring.datasource.password=", WORD, 12, ""),
        ("SQL Server connection string", "Server=tcp:sql.corp.dev;Database=hr;User Id=sa;Password=", WORD, 15, ";Encrypt=true"),
        ("JDBC parameter", "jdbc:postgresql://db.corp.dev/app?user=app&password=", WORD, 14, ""),
        ("query token", "The hook is https://ci.corp.dev/build?token=", WORD, 24, ""),
        ("npmrc auth", "//npm.corp.dev/:_auth=", WORD, 40, ""),
        ("bearer header", "-H 'Authorization: Bearer ", WORD, 40, "'"),
        ("GitHub header", "Authorization: token ", HEX, 40, ""),
        ("API key header", "X-API-Key: ", WORD, 32, ""),
        ("signing secret", "SLACK_SIGNING_SECRET=", HEX, 32, ""),
        ("encryption key", "ENCRYPTION_KEY=", BASE64, 43, "="),
        ("passphrase", "BACKUP_PASSPHRASE=\"", WORD + "-", 20, "\""),
        ("session secret in a table", "| `SESSION_SECRET` | `", WORD, 32, "` |"),
        ("curl user", "curl -u deploy:", WORD, 16, " https://repo.corp.dev/x"),
        ("netrc", "machine repo.corp.dev login ci password ", WORD, 16, ""),
        ("sshpass", "sshpass -p '", WORD, 14, "' ssh jump uptime"),
        ("mysql flag", "mysqldump --user=root --password=", WORD, 14, " shop"),
        ("in prose", "- The staging admin password is ", WORD, 14, "."),
        ("in prose, in code", "- password for the demo account: `", WORD, 12, "`"),
    ]
    found += [secret(name, before, made(alphabet, size, name), after) for name, before, alphabet, size, after in assigned]
    found += [
        secret("basic header", "Authorization: Basic ", encoded),
        secret("Heroku key", "HEROKU_API_KEY=", "7d3f1c52-9a0b-4e6d-" + "8c41-5b2e9f0a7d13"),
        secret("short password in prose", "- root's password on the build box is ", "Sommer" + "2024!"),
        secret("words for a password", "WIFI_PASSWORD=", "correct-" + "Horse-battery-9"),
        secret("htpasswd line", "kim:$ap" + "r1$", f"{made(WORD, 8, 'salt')}${made(WORD, 22, 'hash')}"),
        secret("seed phrase", "wallet seed: ", " ".join(["ozone", "drill", "grab", "fiber", "curtain", "grace", "pudding", "thank",
                "cruise", "elder", "eight", "picnic"])),
    ]
    return found


def value_of(name: str, before: str, value: str, after: str = "") -> Case:
    return Case(name, VALUE, before + value + after, value)


def _values() -> list[Case]:
    """Personal and customers' data. Nobody's: made up, put together from pieces."""
    at = "@"
    mails = [
        ("plain", "- Ask ", "kim.lee" + at + "corp.dev", " first."),
        ("in angle brackets", "Kim Lee <", "kim" + at + "lee-consulting.de", ">"),
        ("mailto", "[write](mailto:", "sales" + at + "plover.io", ")"),
        ("plus", "login ", "kim+staging" + at + "gmail.com", ""),
        ("subdomain", "", "ops" + at + "mail.eu.plover.co.uk", " gets the alerts"),
        ("in a table", "| owner | ", "j.doe" + at + "plover.io", " |"),
        ("in code", "`git config user.email ", "ana" + at + "corp.dev", "`"),
        ("upper case", "", "KIM.LEE" + at + "CORP.DEV", ""),
        ("trailer", "Co-authored-by: Bo Li <", "bo.li" + at + "outlook.com", ">"),
        ("with apostrophe", "", "sean.o'neil" + at + "corp.ie", ""),
        ("umlaut domain", "Anfragen an ", "info" + at + "b\u00fccher-laden.de", ""),
        ("ends a sentence", "Reports go to ", "finance" + at + "corp.dev", ". Weekly."),
        ("with a port behind", "sip:", "bo" + at + "voice.corp.dev", ":5060"),
    ]
    addresses = [
        ("private host", "- The build box is ", "10.4.7.21", "."),
        ("home router", "ssh into ", "192.168.178.34", ""),
        ("172.16/12", "db at ", "172.20.3.9", ":5432"),
        ("public", "allowed from ", "81.2.69.160", " only"),
        ("in a URL", "http://", "93.184.215.14", ":8080/status"),
        ("in code", "`ping ", "185.199.108.153", "`"),
        ("network of one", "AllowedIPs = ", "10.66.4.3", "/32"),
        ("IPv6", "AAAA ", "2a00:1450:4001:81b::200e", ""),
        ("IPv6 in a URL", "http://[", "2606:2800:21f:cb07:6820:80da:af6b:8b2c", "]:443/"),
        ("IPv6, unique local", "the node ", "fd12:3456:789a:1::1", " answers"),
        ("IPv6, short", "resolver ", "2a01:4f8::2", "."),
        ("in a log line", "Failed login from ", "45.83.64.1", " port 55812"),
        ("with a user", "scp x deploy" + at, "49.12.33.8", ":/srv"),
    ]
    phones = [
        ("international, spaces", "- Call ", "+49 30 9018 2044", ""),
        ("international, dashes", "hotline ", "+1-212-867-5309", ""),
        ("international, together", "WhatsApp ", "+447911832147", ""),
        ("brackets", "", "(212) 867-5309", " before noon"),
        ("dashes", "Phone: ", "415-867-5309", ""),
        ("dots", "tel. ", "415.867.5309", ""),
        ("German, slash", "Tel.: ", "030/9018-2044", ""),
        ("German, zero", "Telefon ", "0171 2309485", ""),
        ("tel link", "[call](tel:", "+33612098745", ")"),
        ("zero in brackets", "", "+49 (0)89 2180 3344", ""),
        ("double zero", "Fax: ", "0041 44 632 1188", ""),
        ("French", "T\u00e9l : ", "01 42 68 53 00", ""),
        ("with extension", "", "+1 (650) 867-5309", " ext. 12"),
    ]
    homes = [
        ("Linux", "- Data lies in /home/", "klara", "/plover/data"),
        ("macOS", "`/Users/", "bo.li", "/src/app`"),
        ("Windows", "C:\\Users\\", "KimLee", "\\AppData\\Local"),
        ("Windows, slashes", "C:/Users/", "jdoe", "/project"),
        ("file URL", "[log](file:///home/", "ana", "/log.txt)"),
        ("WSL", "/mnt/c/Users/", "ksmith", "/Downloads"),
        ("environment", "GOPATH=/home/", "tomasz", "/go"),
        ("VS Code URL", "vscode://file/Users/", "marta", "/src/x.ts:3"),
        ("with a space", "\"C:\\Users\\", "Kim Lee", "\\Desktop\""),
        ("git bash", "/c/Users/", "hans", "/repo"),
        ("escaped", "path: \"C:\\\\Users\\\\", "olga", "\\\\x\""),
        ("scp", "host:/home/", "pieter", "/backup"),
    ]
    numbers = [
        ("customer", "- Customer no. ", "4711-2345", " pays late."),
        ("account id", "Account ID: ", "99887766", ""),
        ("AWS account", "AWS account ", "384920175536", ""),
        ("ARN", "arn:aws:iam::", "384920175536", ":role/deploy"),
        ("German", "Kundennummer: ", "30298471", ""),
        ("invoice", "invoice number ", "2024-118830", " was wrong"),
        ("contract", "Contract #", "88120394", ""),
        ("IBAN", "IBAN ", "DE44 5001 0517 5407 3249 31", ""),  # made up, with the right check digits
        ("IBAN, together", "pay to ", iban("NL", "ABNA0" + made(DIGITS, 9, "iban")), ""),
        ("card", "card ", "4539 1488 0343 6467", ""),
        ("card, together", "", card("532754" + made(DIGITS, 9, "card")), " was declined"),
        ("member", "member id = ", "A-2203948", ""),
        ("patient", "Patient ID 0", "0418822", ""),
        ("in code", "`customer_id=", "58203911", "`"),
        ("JSON", '"accountNumber": "', "001204885519", '"'),
        ("account, in words", "account number is ", "220498120", ""),
        ("in a table", "| Customer number | ", "58203911", " |"),
    ]
    groups = (("mail", mails), ("address", addresses), ("phone", phones), ("home", homes), ("number", numbers))
    return [value_of(f"{group}, {name}", *rest) for group, cases in groups for name, *rest in cases]


def _harmless() -> list[Case]:
    digest = made(HEX, 64, "digest")
    image = base64.b64encode(bytes(random.Random("png").randrange(256) for _ in range(120))).decode()
    texts = [
        # reserved names and ranges (RFC 2606, 5737, 3849, 6890), and addresses that everybody has
        "Write to user@example.com or ops@mail.example.org.", "admin@corp.test, root@localhost, a@db.invalid",
        "git clone git@github.com:corp/app.git", "ssh git@gitlab.com", "The server answers on 192.0.2.17.",
        "198.51.100.0/24 and 203.0.113.9 are for documents", "It listens on 127.0.0.1:8080 and 0.0.0.0.", "mask 255.255.255.0",
        "2001:db8::1 and 2001:db8:85a3::8a2e:370:7334", "::1 is this host; fe80::1 the link", "The pods use 10.0.0.0/8.",
        "We ask 8.8.8.8 and 1.1.1.1 for names.", "VPC 172.16.0.0/12, subnet 10.1.0.0/16", "multicast 224.0.0.251",
        "metadata comes from 169.254.169.254", "http://localhost:3000/callback?code=1",
        # phone numbers for fiction, and numbers that are none
        "Call 555-0100 or +1 202-555-0143.", "(212) 555-0199", "+44 20 7946 0958 is for drama", "ranges 10-20-30 and 100-200-300",
        "between 2024-01-01 and 2026-12-31", "at 2026-05-02T10:30:00+02:00", "1_000_000 rows, 10,000 entries, 1 500 000 bytes",
        "pages 212-867", "+1 for this, -2 for that", "+100 000 lines, -20 000 lines", "lines 120-180, 200-240",
        "timeout 30000 ms, 1500000000 ns", "Unix time 1790000000", "1790000000000 is in milliseconds", "0800 means eight",
        "ids 1001, 1002, 1003, 1004", "matrix 001 010 100 111", "10 20 30 40 50 60 70 80",
        # versions
        "v1.2.3.4 fixes it", "version 10.2.3.4 or later", "Chrome/120.0.6099.109", "pip install torch==2.1.0.1", "1.2.3.4.5",
        "released as 4.17.21", "needs libfoo >= 2.31.0.1", "net8.0, 4.8.1.0 of the runtime: assembly version 4.8.1.0",
        # identifiers and digests
        "commit 3f786850e387550fdab836ed7e6dc881de23001b", "see 3f78685", "id 123e4567-e89b-12d3-a456-426614174000",
        f"sha256:{digest}", f"image: app@sha256:{digest}", "md5 d41d8cd98f00b204e9800998ecf8427e",
        f'integrity="sha384-{made(BASE64, 64, "sri")}"', f"h1:{made(BASE64, 43, 'gosum')}=", f"![x](data:image/png;base64,{image})",
        "ETag: \"33a64df551425fcc55e4d42a148795d9f25f89d4\"", "MC-DEC-20260502-1a2b3c4d", "the run 17283940112 failed",
        f"ssh-ed25519 {'AAAAC3NzaC1lZDI1NTE5AAAA'}{made(BASE64, 44, 'pub')}", f"SHA256:{made(BASE64, 43, 'fp')} is the host's fingerprint",
        "-----BEGIN PUBLIC KEY-----\nMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE\n-----END PUBLIC KEY-----",
        "-----BEGIN CERTIFICATE-----\nMIIBszCCAVmgAwIBAgIU\n-----END CERTIFICATE-----", "arXiv:2401.04088 and doi:10.1145/3292500.3330701",
        "ISBN 978-0-13-468599-1", "ISBN 9780134685991", "RFC 4648, ISO 8601-1:2019", "JIRA-4711, #12345, PR 10293", "CVE-2024-3094123",
        "nanoid V1StGXR8_Z5jdHi6B-myT", "request id 01HV5Z3K8Q9RYJ2M4N6P8S0T2V", "locale zh-Hant-TW, base-64, UTF-8",
        # placeholders and references
        "API_KEY=YOUR_API_KEY", "token: ${TOKEN}", "Authorization: Bearer <token>", "password: ********", "SECRET_KEY=changeme-please-123",
        "export TOKEN=$(cat /run/secrets/token1)", "postgres://user:password@localhost/db", "https://ci:$CI_TOKEN@git.example.com/x",
        "redis://:<password>@cache", "mysql://root:${DB_PASS}@db/app", "AKIA" + "IOSFODNN7EXAMPLE", "gh" + "p_" + "x" * 36,
        "sk-" + "..." + " is what a key looks like", "sk_" + "test_...", "client_secret: {{ vault.client_secret_v2 }}", "password = getpass.getpass(prompt1)",
        "api_key=os.environ['API_KEY_2']", "token = request.headers.get(\"X-Token-2\")", "secret: ./secrets/prod.enc2.yaml",
        "secretName: app-tls-2026-cert", "The token is rotated every 90 days.", "- API key comes from env.APP_KEY_2",
        "password: correct-horse-battery-staple (the comic)", "tokens: 128000 in, 4096 out", "max_tokens=4096", "token_count: 1234567890123",
        "the password is stored in 1Password", "Password policy: 12 characters, 1 digit", "csrf_token = generate_csrf_token_v2()",
        "access_key: !Ref DeployAccessKey2", "private_key_path=/etc/ssl/private/app2.key", "Authorization: Basic base64(user:pass)",
        "passwordHash: string; tokenExpiresAt: Date", "PASSWORD_HASHERS = ['argon2id-v19-m65536']", "AccountKey=<storage-account-key>",
        "secret = sha256(seed)", "api_key: string (32 hex digits)", "use the token `kebab-case-name-2` for colours", "--token-color-2: #aabbcc",
        "The secret of speed: O(n) in place of O(n^2)", "key: primary-2024-index-a1", "Bearer tokens are opaque to clients",
        "eyJ is how a JWT begins", "token bucket: 100 req/s, burst 200",
        # paths
        "/home/user/project", "/Users/me/x and /Users/you/x", "$HOME/.config, ~/src and %USERPROFILE%\\x", "C:\\Users\\<name>\\x",
        "/home/runner/work/app", "https://plover.test/home/intro", "src/pages/home/index.tsx", "/home/$USER/x, /Users/${USER}/x", "/home/[name]/x",
        "GET /users/42 and POST /users/search", "/Users/Shared/x, C:\\Users\\Public\\x", "app/Users/list.php", "/home/vscode and /home/node/app",
        # code, files, looks
        "logo@2x.png, icon@3x.webp", "pkg@1.2.3, @scope/pkg@latest", "@app.route and @pytest.fixture", "colour #a1b2c3d4, #fff",
        "12:30:45 and 00:15", "std::vector<int>, a::b::c", "MAC-like aa:bb is no address", "x = a[1:2:3]; y = b[::2]", "http://[::1]:8080/",
        "user.name@{upstream}, HEAD@{1}, stash@{0}", "foo@bar", "camelCaseIdentifier2 and SCREAMING_SNAKE_CASE_3", "sk-learn-like estimators",
        "task-runner-2026-05-02-nightly-build-7", "account numbers are eight digits", "customer no. 12", "invoice number 2026-05-02", "Account ID: 12345678", "phone: 2026-05-02", "hotel 12345678 tells", "the account id of the tenant",
        "invoice number format: YYYY-NNNNNN", "client id comes from the settings", "port 5432, 6379 and 27017", "HTTP 404, 502, 503",
        "1111 2222 3333 4444", "test cards: 4242 4242 4242 4242 and 378282246310005", "arn:aws:iam::123456789012:role/x", "4111 1111 1111 1111 is the test card", "GB82 WEST 1234 5698 7654 32 is the standard's example",
        "0.1.2.3 in the drawing", "10.5.1 to 10.6.2.", "3.14159265358979", "-73.985428, 40.748817", "A4 210x297, 1920x1080", "$1,234,567.89",
        "AES-256-GCM with PBKDF2-HMAC-SHA512", "x-amz-server-side-encryption-aws-kms-key-id", "arn:aws:s3:::plover-logs/2026/05",
        "gs://plover-data/2026-05-02/part-00001", "https://docs.plover.test/a/b/c?page=2&sort=name-asc#section-3.2",
        "npm run build:prod2026 --workspace=@plover/app", "postgres:16.2-alpine3.19@main", "mongodb://localhost:27017/test",
    ]  # fmt: skip
    return [Case(text[:40].replace("\n", " "), HARMLESS, text, "") for text in texts]


SECRETS: tuple[Case, ...] = (*_issued(), *_framed())
VALUES: tuple[Case, ...] = tuple(_values())
LOOKALIKES: tuple[Case, ...] = tuple(_harmless())
TRUE: tuple[Case, ...] = (*SECRETS, *VALUES)
FIRST: tuple[Case, ...] = (*TRUE, *LOOKALIKES)
