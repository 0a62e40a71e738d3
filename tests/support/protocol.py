"""What an entry of protocol 0.6 to 0.8 has to be, read without memdesk's own reader.

From formats/custodian.md, and from what tools of that protocol accept in the field: one heading with an id, fields at the
line's beginning, one body that fits the id and the place, evidence that admits it, a subject of the registry, and one
active owner for a scope, subject and facet. Where both differ in strictness, the stricter.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from typing import NamedTuple

FACETS = (
    "adoption-policy", "version-policy", "architecture", "behavior", "compatibility", "security", "performance", "data-model",
    "interface", "workflow", "lifecycle",
)  # fmt: skip
KINDS = ("dependency", "repo-path", "area", "api", "service", "feature", "concept")
CANDIDATE_TYPES = (
    "decision", "constraint", "preference", "tombstone", "do-not-use", "area", "rule", "profile", "inbox", "subject",
)  # fmt: skip
ID = re.compile(r"MC-(?P<code>[A-Z]+)-(?P<day>\d{8})-[0-9a-f]{8}")
HEADING = re.compile(r"## (?P<id>MC-[A-Z]+-\d{8}-[0-9a-f]{8}) \u2014 (?P<title>\S.*)")
NEARLY = re.compile(r"##[ \t]+.*\bMC-[A-Za-z]+-\d", re.IGNORECASE)
FIELD = re.compile(r"(?P<name>[A-Z][A-Za-z]*(?:-[A-Z][A-Za-z]*)*):(?:[ \t]+(?P<value>.*))?")
EVIDENCE = re.compile(r"user-confirmed|legacy-unverified|(?:repo|doc|test):[^@\s]+(?:@[A-Za-z0-9._-]+)?|(?:issue|pr):#\d+")
OBSERVED = ("agent-observed", "conversation-unconfirmed")
SCOPE = re.compile(r"project|area:[^\W_][\w.-]*")
BODIES = {
    "DEC": "Decision", "CON": "Constraint", "DNU": "Rejected", "TOMB": "Rejected", "PREF": "Preference", "INBOX": "Statement",
}  # fmt: skip
BY_TYPE = {"decision": "Decision", "constraint": "Constraint", "preference": "Preference", "do-not-use": "Rejected"}
TYPED = {*BODIES.values(), "Rule", "Profile"}
SCALARS = (
    "Status", "Scope", "Subject", "Facet", "Entry-Type", "Candidate-Type", "Provisional-Subject", "Provisional-Facet",
    "Supersedes", "Superseded-By", "Promoted-From", "Promoted-To", "Exception-To", "Kind", "Canonical-Ref", "Merged-Into",
)  # fmt: skip
KNOWN = {*SCALARS, *TYPED, "Evidence", "Reason", "Promotion-Requirement", "Aliases"}
CODES = {
    "decisions.md": ("DEC",), "constraints.md": ("CON",), "do-not-use.md": ("DNU", "TOMB"), "preferences.md": ("PREF",),
    "inbox.md": ("INBOX",), "subjects.md": ("SUBJ",),
}  # fmt: skip
FOLDERS = {"areas": ("AREA", "DEC", "CON", "DNU", "PREF"), "rules": ("AREA",), "profiles": ("AREA",)}
OWNING = ("DEC", "CON", "DNU", "AREA")  # codes whose active entries own a scope, subject and facet


class Written(NamedTuple):
    """One entry with an id as it stands in a file. `fields`: each occurrence of a field with its text, in order."""

    path: str  # in the store
    line: int
    id: str
    title: str
    fields: tuple[tuple[str, str], ...]
    evidence: tuple[str, ...]
    text: str

    @property
    def code(self) -> str:
        return self.id.split("-")[1]

    def says(self, name: str) -> str:
        """What its first field of that name says, or ""."""
        return next((value for field, value in self.fields if field == name), "")

    @property
    def active(self) -> bool:
        return self.says("Status") == "active"

    @property
    def owns(self) -> tuple[str, str, str] | None:
        """Scope, subject and facet that nobody else may own beside it."""
        free = not self.active or self.code not in OWNING or self.path.startswith(("rules/", "profiles/"))
        if free or not self.says("Subject"):
            return None
        return (self.says("Scope").casefold(), self.says("Subject").casefold(), self.says("Facet").casefold())


def read(path: str, data: bytes) -> list[Written]:
    """The entries with an id of one file; code in fences and comments is text."""
    found: list[Written] = []
    lines = data.decode().removeprefix("\ufeff").replace("\r\n", "\n").split("\n")
    shown = list(_shown(lines))
    starts = [number for number, line in enumerate(lines) if shown[number] and re.match(r"#{1,2}[ \t]", line)]
    for start, end in zip(starts, [*starts[1:], len(lines)], strict=True):
        heading = HEADING.fullmatch(lines[start].rstrip())
        if heading is None:
            continue
        while not lines[end - 1].strip():
            end -= 1
        fields, evidence = _fields(lines[start + 1 : end], shown[start + 1 : end])
        text = "\n".join(lines[start:end])
        found.append(Written(path, start + 1, heading["id"], heading["title"], fields, evidence, text))
    return found


def _shown(lines: list[str]) -> Iterator[bool]:
    """Whether each line is one that a reader of Markdown would look at for headings and fields."""
    fence, comment = "", False
    for line in lines:
        opening = re.match(r" {0,3}(`{3,}|~{3,})(.*)", line)
        if fence:
            if opening and opening[1].startswith(fence) and not opening[2].strip():
                fence = ""
            yield False
        elif comment:
            comment = "-->" not in line
            yield False
        elif opening and not (opening[1][0] == "`" and "`" in opening[2]):
            fence = opening[1]
            yield False
        elif line.startswith("<!--"):
            comment = "-->" not in line
            yield False
        else:
            yield True


def _fields(lines: list[str], shown: list[bool]) -> tuple[tuple[tuple[str, str], ...], tuple[str, ...]]:
    fields: list[tuple[str, list[str]]] = []
    evidence: list[str] = []
    for line, seen in zip(lines, shown, strict=True):
        match = FIELD.fullmatch(line.rstrip()) if seen else None
        if match is not None:
            fields.append((match["name"], [match["value"] or ""]))
        elif fields:
            if fields[-1][0] == "Evidence" and seen and line.startswith("- "):
                evidence.append(line[2:].strip())
            fields[-1][1].append(line)
    return tuple((name, "\n".join(body).strip("\n ")) for name, body in fields), tuple(evidence)


class Store(NamedTuple):
    """A store's files by their name in it, and the paths of the whole workspace that evidence may name."""

    files: Mapping[str, bytes]
    paths: Collection[str]

    @property
    def entries(self) -> list[Written]:
        return [entry for path in sorted(self.files) for entry in read(path, self.files[path])]

    @property
    def version(self) -> tuple[int, int]:
        found = re.search(rb"protocol_version: (\d+)\.(\d+)", self.files["manifest.md"])
        assert found is not None
        return int(found[1]), int(found[2])

    @property
    def subjects(self) -> dict[str, Written]:
        """The registry's active subjects by id."""
        return {entry.id: entry for entry in read("subjects.md", self.files.get("subjects.md", b"")) if entry.active}


def faults(store: Store) -> list[str]:
    """Everything wrong with a store's entries, each as `path:line: what`; [] where all are as the protocol has them."""
    found = [fault for entry in store.entries for fault in entry_faults(store, entry)]
    return found + list(_headings(store)) + list(_alone(store)) + list(_relations(store)) + list(_registry(store))


def entry_faults(store: Store, entry: Written) -> list[str]:
    """What is wrong with one entry by itself, and with where it stands."""
    if entry.path.startswith("archive/"):
        return []
    found = (*_form(entry), *_place(store, entry), *_admitted(store, entry))
    return [f"{entry.path}:{entry.line}: {entry.id}: {fault}" for fault in found]


def _form(entry: Written) -> Iterator[str]:
    names = [name for name, _ in entry.fields]
    for name in dict.fromkeys(names):
        if names.count(name) > 1:
            yield f"{name} stands {names.count(name)} times"
        if name not in KNOWN:
            yield f"there is no field {name}"
    for name in ("Status", "Scope", "Evidence"):
        if entry.code == "SUBJ" and name == "Scope":
            continue
        if not entry.says(name):
            yield f"it has no {name}"
    for name, value in entry.fields:
        if name in SCALARS and ("\n" in value or not value):
            yield f"{name} is not one line: {value!r}"
    if not entry.evidence:
        yield "its Evidence has no bullet"
    if entry.says("Evidence") != "\n".join(f"- {item}" for item in entry.evidence):
        yield f"its Evidence holds more than bullets: {entry.says('Evidence')!r}"
    if not re.fullmatch(r"\d{4}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])", entry.id.split("-")[2]):
        yield "its id has no date"


def _place(store: Store, entry: Written) -> Iterator[str]:
    folder, slash, name = entry.path.partition("/")
    known = FOLDERS.get(folder, ()) if slash else CODES.get(entry.path, ())
    if entry.code not in known:
        yield f"an entry {entry.code} does not stand in {entry.path}"
    if entry.code == "SUBJ":
        return
    wanted = BODIES.get(entry.code) or {"rules": "Rule", "profiles": "Profile"}.get(folder, "")
    if entry.code == "AREA" and folder == "areas":
        kind = entry.says("Entry-Type")
        if store.version >= (0, 8) and kind not in BY_TYPE:
            yield f"an entry AREA of protocol 0.8 says its Entry-Type, not {kind!r}"
        wanted = BY_TYPE.get(kind, "Decision")
    if not entry.says(wanted):
        yield f"it has no {wanted}"
    yield from (f"it has a {name}, but a {entry.code} has a {wanted}" for name, _ in entry.fields if name in TYPED - {wanted})
    if not SCOPE.fullmatch(entry.says("Scope")):
        yield f"Scope is {entry.says('Scope')!r}"
        return
    own = f"area:{name.removesuffix('.md')}" if folder == "areas" else "project"
    if entry.code != "INBOX" and entry.says("Scope") != own:
        yield f"Scope is {entry.says('Scope')!r} in {entry.path}"


def _admitted(store: Store, entry: Written) -> Iterator[str]:
    status = {"SUBJ": ("active", "merged"), "INBOX": ("candidate", "promoted")}.get(entry.code, ("active", "superseded"))
    if entry.says("Status") not in status:
        yield f"Status is {entry.says('Status')!r}"
    for item in entry.evidence:
        if item in OBSERVED:
            if entry.code != "INBOX":
                yield f"{item} admits nothing but candidates"
        elif not EVIDENCE.fullmatch(item):
            yield f"this is no evidence: {item!r}"
        elif item.startswith(("repo:", "doc:", "test:")) and item.partition(":")[2].partition("@")[0] not in store.paths:
            yield f"there is no {item.partition(':')[2]}"
    for ended, by in (("superseded", "Superseded-By"), ("promoted", "Promoted-To"), ("merged", "Merged-Into")):
        if (entry.says("Status") == ended) != bool(entry.says(by)):
            yield f"it is {entry.says('Status')}, and {by} is {entry.says(by)!r}"
    if entry.code == "INBOX":
        if entry.says("Candidate-Type") not in CANDIDATE_TYPES:
            yield f"Candidate-Type is {entry.says('Candidate-Type')!r}"
        if not entry.says("Promotion-Requirement"):
            yield "it has no Promotion-Requirement"
        if bool(entry.says("Provisional-Subject")) != bool(entry.says("Provisional-Facet")):
            yield "a provisional subject and facet go together"
        return
    if entry.says("Candidate-Type") or entry.says("Promotion-Requirement"):
        yield "it is no candidate, and has a candidate's fields"
    if entry.code == "SUBJ":
        if entry.says("Kind") not in KINDS:
            yield f"Kind is {entry.says('Kind')!r}"
    elif entry.active and not entry.path.startswith(("rules/", "profiles/")):
        if entry.code in OWNING or entry.says("Subject") or entry.says("Facet"):
            if entry.says("Subject") not in store.subjects:
                yield f"its Subject is {entry.says('Subject')!r}, which is no active one of subjects.md"
            if entry.says("Facet") not in FACETS:
                yield f"Facet is {entry.says('Facet')!r}"
        if entry.code == "DEC" and not entry.says("Reason"):
            yield "it has no Reason"


def _headings(store: Store) -> Iterator[str]:
    for path, data in store.files.items():
        lines = data.decode().removeprefix("\ufeff").replace("\r\n", "\n").split("\n")
        for number, (line, seen) in enumerate(zip(lines, _shown(lines), strict=True), 1):
            if seen and NEARLY.match(line) and not HEADING.fullmatch(line.rstrip()):
                yield f"{path}:{number}: this is nearly the heading of an entry: {line!r}"


def _alone(store: Store) -> Iterator[str]:
    ids: dict[str, Written] = {}
    owners: dict[tuple[str, str, str], Written] = {}
    for entry in store.entries:
        first = ids.setdefault(entry.id.casefold(), entry)
        if first is not entry:
            yield f"{entry.path}:{entry.line}: {entry.id} stands at {first.path}:{first.line} too"
        if entry.owns is not None and not entry.path.startswith("archive/"):
            owner = owners.setdefault(entry.owns, entry)
            if owner is not entry:
                yield f"{entry.path}:{entry.line}: {owner.id} owns {' / '.join(entry.owns)} too"


def _relations(store: Store) -> Iterator[str]:
    """Both ends of a relation say it, and what supersedes owns what the superseded one owned."""
    entries = store.entries
    known = {entry.id: entry for entry in entries}
    ends = {"Supersedes": "Superseded-By", "Promoted-From": "Promoted-To"}
    ends |= {back: name for name, back in ends.items()}
    for entry in entries:
        for name, back in ends.items():
            other = known.get(entry.says(name))
            if not entry.says(name):
                continue
            where = f"{entry.path}:{entry.line}: {entry.id}: {name} {entry.says(name)}"
            if other is None:
                yield f"{where}, which is nowhere"
            elif other.says(back) != entry.id:
                yield f"{where}, whose {back} is {other.says(back)!r}"
            elif name == "Supersedes" and any(entry.says(own) != other.says(own) for own in ("Scope", "Subject", "Facet")):
                yield f"{where}, which owned something else"


def _registry(store: Store) -> Iterator[str]:
    """No two active subjects of one name or one reference."""
    names: dict[str, str] = {}
    for entry in store.subjects.values():
        aliases = [line.removeprefix("- ") for line in entry.says("Aliases").split("\n") if line.strip()]
        called = (entry.title, entry.says("Canonical-Ref"), *aliases)
        for name in {" ".join(text.split()).casefold() for text in called if text}:
            if names.setdefault(name, entry.id) != entry.id:
                yield f"subjects.md:{entry.line}: {entry.id} is called {name!r}, and so is {names[name]}"
