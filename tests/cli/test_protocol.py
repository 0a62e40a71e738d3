"""Curating a store of protocol 0.6 to 0.8 from the command line: what is asked for, refused and written."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support import protocol_stores as stores
from tests.support import shapes
from tests.support.commands import Here, Ran
from tests.support.protocol import Written, faults
from tests.support.protocol_stores import FORMS, STORAGE, VERSIONS, WAITING, protocol_store, seen
from tests.support.sampling import sampled
from tests.support.stores import MEMORY, git_repo, put, snapshot

Made = Callable[..., Here]
ANA = ("--yes", "--as", "Ana")
SAID = {
    "--reason": "Volunteers asked for it.", "--subject": FORMS, "--facet": "interface", "--evidence": "user-confirmed",
    "--answer": "requirement=yes",
}  # fmt: skip
SHORT = {"--evidence": "user-confirmed", "--answer": "requirement=yes"}
PLACES = {  # kind of the candidate -> where it goes, what has to be said for it there, and the code of its new id
    "decision": ("decisions", SAID, "DEC"), "constraint": ("constraints", SAID, "CON"),
    "preference": ("preferences", SHORT, "PREF"), "tombstone": ("do-not-use", SAID, "DNU"),
    "area": ("area:storage", {**SAID, "--subject": STORAGE, "--facet": "behavior"}, "AREA"),
    "rule": ("rule:output", SHORT, "AREA"), "profile": ("profile:release", SHORT, "AREA"),
    "do-not-use": ("do-not-use", SAID, "DNU"),
}  # fmt: skip
NEEDED = {
    "decisions": ("reason", "subject", "facet", "evidence"), "constraints": ("subject", "facet", "evidence"),
    "preferences": ("evidence",), "do-not-use": ("reason", "subject", "facet", "evidence"),
    "area:storage": ("subject", "facet", "evidence"), "rule:output": ("evidence",),
    "profile:release": ("evidence",),
}  # fmt: skip


@pytest.fixture
def made(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Made:
    """Commands on a new store of that protocol, on 2026-11-30."""

    def make(version: str = "0.8", form: str = "plain", *, git: bool = False, **changed: str | None) -> Here:
        root = tmp_path / "a b"
        protocol_store(root, version, form=form, **changed)
        return Here(git_repo(root) if git else root, capsys, monkeypatch)

    return make


def options(said: dict[str, str], **instead: str | None) -> list[str]:
    """As a command line has them. `instead`: another value; None: without it."""
    chosen: dict[str, str | None] = {**said, **{f"--{name.replace('_', '-')}": value for name, value in instead.items()}}
    return [part for name, value in chosen.items() if value is not None for part in (name, value)]


def known(here: Here, ident: str) -> str:
    """The id by which memdesk knows the entry with that id."""
    (found,) = [one["id"] for one in here("entries", "--format", "json").json["entries"] if ident in one["heading"]]
    return str(found)


def waiting(here: Here, kind: str) -> str:
    return known(here, WAITING[kind])


def new(here: Here, before: set[str]) -> list[Written]:
    return [entry for entry in seen(here.root).entries if entry.id not in before]


def ids(here: Here) -> set[str]:
    return {entry.id for entry in seen(here.root).entries}


def stood(here: Here, *, log: bool = True) -> dict[str, bytes]:
    """Every file but memdesk's own; without the changelog, to which an undo adds its line, where asked."""
    return {
        path: data for path, data in snapshot(here.root).items()
        if not path.startswith(".memdesk") and (log or not path.endswith("changelog.md"))
    }


def refused(here: Here, *words: str, code: int = 1) -> str:
    """Runs a command that is refused with that code, as text and as JSON, and leaves everything as it was; its message."""
    before = snapshot(here.root)
    found: Ran = here(*words)
    assert (found.code, found.out) == (code, ""), found
    told = here(*words, "--format", "json")
    assert (told.code, told.json["applied"], told.json["transaction"]) == (code, False, None), words
    assert shapes.faults(told.json, shapes.ACTION) == []
    assert told.json["refused"], words
    assert snapshot(here.root) == before
    return found.err


# Promoting

KINDS = [(kind, version) for kind in PLACES for version in VERSIONS]


@pytest.mark.parametrize(("kind", "version"), sampled(KINDS, 5, rows=True))
def test_each_kind_goes_to_its_place_complete(made: Made, kind: str, version: str) -> None:
    here = made(version)
    before, known_ids = stood(here, log=False), ids(here)
    place, said, code = PLACES[kind]
    found = here("promote", waiting(here, kind), "--to", place, *options(said), *ANA, "--format", "json")
    assert (found.code, found.json["refused"], found.json["applied"]) == (0, None, True), found.err
    assert shapes.faults(found.json, shapes.ACTION) == []
    assert faults(seen(here.root)) == []
    (one,) = new(here, known_ids)
    assert one.id.startswith(f"MC-{code}-20261130-")
    assert known_ids - ids(here) == {WAITING[kind]}
    assert found.json["ids"] == [known(here, one.id)]
    assert here("check").code == 0
    assert here("undo", "--yes").code == 0
    assert stood(here, log=False) == before


def test_what_is_written_to_the_byte(made: Made) -> None:
    here = made("0.8", changelog=None)
    inbox, decisions = here.text(f"{MEMORY}/inbox.md"), here.text(f"{MEMORY}/decisions.md")
    said = options(SAID, evidence=None)
    evidence = ["--evidence", "repo:src/count.py@1a2b3c", "--evidence", "user-confirmed", "--evidence", "pr:#9"]
    words = ["--title", "Weather  comes first", "--text", "The form begins with the weather.\nThen come counts."]
    assert here("promote", waiting(here, "decision"), "--to", "decisions", *said, *evidence, *words, *ANA).code == 0
    (one,) = [entry for entry in seen(here.root).entries if entry.title == "Weather comes first"]
    assert here.text(f"{MEMORY}/decisions.md") == decisions.replace(
        "newest first.\n\n",
        f"newest first.\n\n## {one.id} \u2014 Weather comes first\n\nStatus: active\nScope: project\nSubject: {FORMS}\n"
        "Facet: interface\nEvidence:\n- repo:src/count.py@1a2b3c\n- user-confirmed\n- pr:#9\n\n"
        "Decision:\nThe form begins with the weather.\nThen come counts.\n\nReason:\nVolunteers asked for it.\n\n",
    )
    first, second = inbox.index("## MC-INBOX"), inbox.index("## MC-INBOX", inbox.index("## MC-INBOX") + 1)
    assert here.text(f"{MEMORY}/inbox.md") == inbox[:first] + inbox[second:]


MISSING = [(place, field) for place, fields in NEEDED.items() for field in fields]


@pytest.mark.parametrize(("place", "field"), sampled(MISSING, 4, rows=True))
def test_each_missing_field_is_named_with_its_option(made: Made, place: str, field: str) -> None:
    here = made()
    said = SAID if len(NEEDED[place]) > 1 else SHORT
    told = refused(here, "promote", waiting(here, "constraint"), "--to", place, *options(said, **{field: None}), *ANA)
    assert f"without {field}" in told or f"and {field}" in told, told
    assert f"--{field}" in told


def test_all_that_is_missing_is_named_at_once(made: Made) -> None:
    here = made()
    told = refused(here, "promote", waiting(here, "tombstone"), "--to", "do-not-use", "--answer", "requirement=yes", *ANA)
    assert "reason, subject and facet" in told
    assert "(--reason, --subject, --facet)" in told


NO_EVIDENCE = [
    ("agent-observed", "agent-observed lets a candidate wait"), ("repo:src/gone.py", "there is no such file"),
    ("said so", "This is no evidence: 'said so'"), ("", "not complete without evidence"),
    ("conversation-unconfirmed", "conversation-unconfirmed lets a candidate wait"), ("repo:../outside.py", "`..`"),
    ("test:tests/gone.py@1a2b", "there is no such file"), ("repo:/etc/passwd", "it is absolute"), ("repo:", "no evidence"),
    ("issue:twelve", "no evidence"), ("legacy-unverified", "no evidence"), ("user-confirmed, repo:src/count.py", "no evidence"),
]  # fmt: skip


@pytest.mark.parametrize(("evidence", "told"), sampled(NO_EVIDENCE, 3, rows=True))
def test_evidence_that_admits_nothing(made: Made, evidence: str, told: str) -> None:
    here = made()
    words = ["promote", waiting(here, "constraint"), "--to", "constraints", *options(SAID, evidence=evidence), *ANA]
    assert told in refused(here, *words)


EVIDENCE = {
    "Repo:src/count.py": "repo:src/count.py", "repo: `src/count.py`": "", "doc:docs": "doc:docs", "Issue #12": "issue:#12",
    "PR: 9": "pr:#9", "- user-confirmed": "user-confirmed", "test:tests/test_count.py@v1.2": "test:tests/test_count.py@v1.2",
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize(("given", "written"), EVIDENCE.items())
def test_evidence_is_written_in_one_form(made: Made, given: str, written: str) -> None:
    here = made()
    known_ids = ids(here)
    found = here("promote", waiting(here, "constraint"), "--to", "constraints", *options(SAID, evidence=given), *ANA)
    assert found.code == (0 if written else 1), found.err
    assert faults(seen(here.root)) == []
    assert [one.evidence for one in new(here, known_ids)] == ([(written,)] if written else [])


def test_a_link_out_of_the_workspace_is_no_evidence(made: Made, tmp_path: Path) -> None:
    here = made()
    put(tmp_path, "outside.py", "x\n")
    (here.root / "src/out.py").symlink_to(tmp_path / "outside.py")
    words = options(SAID, evidence="repo:src/out.py")
    assert "src/out.py" in refused(here, "promote", waiting(here, "decision"), "--to", "decisions", *words, *ANA)


def test_a_requirement_is_confirmed_first(made: Made) -> None:
    here = made()
    words = ["promote", waiting(here, "decision"), "--to", "decisions", *options(SAID, answer=None), *ANA]
    for more in ([], ["--answer", "requirement=no"]):
        told = refused(here, *words, *more)
        assert "Ask who draws the forms." in told
        assert "--answer requirement=yes" in told


def test_only_a_person_confirms(made: Made) -> None:
    here = made()
    words = ["promote", waiting(here, "decision"), "--to", "decisions", *options(SAID)]
    assert "the evidence says that one confirmed it" in refused(here, *words, "--dry-run")
    assert here(*words, "--dry-run", "--as", "Ana").code == 0
    other = ["promote", waiting(here, "decision"), "--to", "decisions", *options(SAID, evidence="pr:#4")]
    assert here(*other, "--dry-run").code == 0
    assert "the evidence says" in refused(here, "add", "Sites flood", "--evidence", "user-confirmed")


# Owners and subjects


@pytest.mark.parametrize(("version", "form"), sampled([("0.8", "spaced"), ("0.6", "plain"), ("0.7", "crlf")], 3, rows=True))
def test_a_second_owner_is_refused_with_the_first_and_the_way(made: Made, version: str, form: str) -> None:
    here = made(version, form)
    said = options(SAID, subject=STORAGE, facet="data-model")
    told = refused(here, "promote", waiting(here, "decision"), "--to", "decisions", *said, *ANA)
    assert f"{stores.NEW} is the active owner of project / Storage / data-model" in told
    assert known(here, stores.NEW) in told
    before = ids(here)
    words = ["--with", "Counts are in one database.", "--reason", "It is quick.", "--evidence", "user-confirmed"]
    assert here("strike", known(here, stores.NEW), *words, *ANA).code == 0
    assert faults(seen(here.root)) == []
    (one,) = new(here, before)
    old = next(entry for entry in seen(here.root).entries if entry.id == stores.NEW)
    assert (one.says("Supersedes"), old.says("Status"), old.says("Superseded-By")) == (stores.NEW, "superseded", one.id)
    assert (one.says("Subject"), one.says("Facet"), one.says("Scope")) == (STORAGE, "data-model", "project")
    assert "struck already" in refused(here, "strike", known(here, stores.NEW), *words, *ANA)


NAMES = ("Storage", "counts  on disk", "\u5b58\u50a8", STORAGE, STORAGE.upper(), "repo-path:src/count.py", f"`{STORAGE}`")


@pytest.mark.parametrize("name", sampled(NAMES, 4))
def test_a_subject_by_name_alias_or_id(made: Made, name: str) -> None:
    here = made()
    found = here("promote", waiting(here, "decision"), "--to", "decisions", *options(SAID, subject=name), *ANA)
    assert found.code == 0, found.err
    assert faults(seen(here.root)) == []
    assert here.text(f"{MEMORY}/subjects.md") == stores.SUBJECTS


def test_a_subject_that_is_nowhere(made: Made) -> None:
    here = made()
    for name in ("MC-SUBJ-20260101-00000000", "Storge"):
        told = refused(here, "promote", waiting(here, "decision"), "--to", "decisions", *options(SAID, subject=name), *ANA)
        assert f"There is no subject {name}" in told.replace("'", "")
    assert "Known: Entry forms, Network, Export, Storage." in told
    assert "--answer new_subject=Storge" in told


def test_a_new_subject_is_registered_where_that_is_said(made: Made) -> None:
    here = made()
    known_ids, before = ids(here), stood(here, log=False)
    words = [*options(SAID, subject=None), "--answer", "new_subject=Site codes"]
    found = here("promote", waiting(here, "constraint"), "--to", "constraints", *words, *ANA)
    assert (found.code, "The registry of subjects changes: Site codes." in found.err) == (0, True)
    assert faults(seen(here.root)) == []
    made_ones = {one.code: one for one in new(here, known_ids)}
    assert sorted(made_ones) == ["CON", "SUBJ"]
    subject = made_ones["SUBJ"]
    assert (subject.title, subject.says("Aliases"), subject.evidence) == ("Site codes", "- Site codes", ("user-confirmed",))
    assert made_ones["CON"].says("Subject") == subject.id
    assert here("undo", "--yes").code == 0
    assert stood(here, log=False) == before


# Newer, older


def test_a_newer_protocol_is_only_read(made: Made) -> None:
    here = made(manifest=stores.manifest().replace("protocol_version: 0.8", "protocol_version: 0.9"))
    assert here("pack", "--task", "planning").code == 0
    assert here("check").code == 0
    decision = known(here, stores.NEW)
    requests = [
        ["add", "Site 7 floods"], ["promote", waiting(here, "decision"), "--to", "decisions", *options(SAID), *ANA],
        ["strike", decision, "--with", "x", "--reason", "y", "--evidence", "user-confirmed", *ANA],
        ["reject", waiting(here, "rule"), "--reason", "no", *ANA], ["merge", waiting(here, "rule"), "--into", decision, *ANA],
        ["edit", decision, "--text", "x", "--yes"], ["archive", decision, "--yes"], ["forget", "table", *ANA],
    ]  # fmt: skip
    for words in requests:
        assert "protocol 0.9" in refused(here, *words, code=2), words


# Adding


ADDED = [(version, kind) for kind in ("decision", "", "constraint", "preference", "tombstone") for version in VERSIONS]


@pytest.mark.parametrize(("version", "kind"), sampled(ADDED, 5, rows=True))
def test_what_an_agent_adds_is_a_whole_candidate(made: Made, version: str, kind: str) -> None:
    here = made(version)
    before, inbox = ids(here), here.text(f"{MEMORY}/inbox.md")
    more = ["--kind", kind] if kind else []
    added = here("add", "Site 7 floods in spring", *more, "--tag", "observed", "--source", "src/count.py:1")
    assert (added.code, added.id) == (0, here.ids("inbox")[0]), added.err
    assert faults(seen(here.root)) == []
    (one,) = new(here, before)
    assert one.title == "Site 7 floods in spring"
    assert one.says("Statement").removeprefix("[observed] ") == "Site 7 floods in spring (from src/count.py:1)"
    assert set(one.evidence) == {"agent-observed", "repo:src/count.py"}
    value = here("inbox", "--format", "json").json["candidates"][0]
    assert value["kind"] == (kind or None)
    assert (value["tag"], value["source"], value["age_days"]) == ("observed", "src/count.py", 0)
    after = here.text(f"{MEMORY}/inbox.md")
    assert after.replace(one.text + "\n\n", "") == inbox


def test_the_id_of_a_preview_is_the_one_that_is_written_and_no_two_are_alike(made: Made) -> None:
    here = made()
    words = ["promote", waiting(here, "decision"), "--to", "decisions", *options(SAID)]
    told = here(*words, "--dry-run", "--as", "Ana").out
    assert here(*words, *ANA).code == 0
    (one,) = [entry for entry in seen(here.root).entries if entry.id.startswith("MC-DEC-20261130-")]
    assert f"+## {one.id} \u2014 " in told
    for _ in range(3):
        assert here("add", "Site 7 floods").code == 0
    assert len([entry for entry in seen(here.root).entries if entry.title == "Site 7 floods"]) == 3
    assert faults(seen(here.root)) == []


def test_an_area_says_its_scope(made: Made) -> None:
    here = made()
    before = ids(here)
    assert here("add", "Saving is slow", "--area", "storage", "--reason", "measured twice", "--evidence", "issue:#4").code == 0
    (one,) = new(here, before)
    assert (one.says("Scope"), one.evidence) == ("area:storage", ("issue:#4",))
    assert "measured twice" in one.text
    assert faults(seen(here.root)) == []


# The other verbs


def test_rejecting_says_why_and_a_tombstone_is_complete(made: Made) -> None:
    here = made(changelog=None)
    before, whole = stood(here), ids(here)
    kept = next(entry for entry in seen(here.root).entries if entry.id == WAITING["preference"])
    assert here("reject", waiting(here, "preference"), "--reason", "Feet are fine.", *ANA).code == 0
    archived = here.text(f"{MEMORY}/archive/inbox-2026-11-30.md")
    assert kept.text in archived
    assert "Feet are fine." in archived
    words = ["reject", waiting(here, "constraint"), "--tombstone", "--reason", "Codes grow.", "--reconsider", "2027-01-01"]
    assert "--subject" in refused(here, *words, *ANA)
    said = ["--subject", FORMS, "--facet", "interface", "--evidence", "user-confirmed"]
    assert here(*words, *said, *ANA).code == 0
    assert faults(seen(here.root)) == []
    (one,) = [entry for entry in new(here, whole) if entry.path == "do-not-use.md"]
    assert one.id.startswith("MC-DNU-20261130-")
    assert "A site has a code of four letters." in one.says("Rejected")
    assert "2027-01-01" in one.text
    assert here("check").code == 0
    assert [here("undo", "--yes").code for _ in range(2)] == [0, 0]
    assert stood(here) == before


@pytest.mark.slow
def test_merging_editing_archiving_forgetting(made: Made) -> None:
    here = made()
    before = stood(here, log=False)
    old = next(entry for entry in seen(here.root).entries if entry.id == stores.NEW)
    into = known(here, stores.NEW)
    assert here("merge", waiting(here, "rule"), "--into", into, "--answer", "requirement=yes", *ANA).code == 0
    one = next(entry for entry in seen(here.root).entries if entry.id == stores.NEW)
    assert one.says("Decision") == old.says("Decision") + "\n\nDates in output have a year."
    assert one.text.replace("\n\nDates in output have a year.", "") == old.text
    text = one.text.replace("for each site", "for every site")
    assert here("edit", known(here, stores.NEW), "--text", text, "--yes").code == 0
    for old_text, new_text in (
        ("Status: active\n", ""), (f"Subject: {STORAGE}\n", ""), ("- user-confirmed", "- rumour"), ("\nFacet: data-model", ""),
        ("MC-DEC-20260801-d0000002", "MC-DEC-20260801-d0000003"), ("Scope: project", "Scope: elsewhere"),
        (STORAGE, "MC-SUBJ-20260101-00000000"), ("Status: active", "Status: superseded"),
    ):
        broken = text.replace(old_text, new_text)
        assert broken != text
        refused(here, "edit", known(here, stores.NEW), "--text", broken, "--yes")
    assert here("archive", known(here, "MC-DEC-20260728-d0000001"), "--yes").code == 0
    assert here("archive", waiting(here, "profile"), "--yes").code == 0
    assert here("forget", "pickle", *ANA).code in (0, 1)
    assert faults(seen(here.root)) == []
    while here("undo", "--yes").code == 0:
        pass
    assert stood(here, log=False) == before


def test_a_decision_is_not_struck_without_what_holds_now(made: Made) -> None:
    here = made()
    told = refused(here, "strike", known(here, stores.NEW), "--reason", "gone", *ANA)
    assert "--with" in told
    words = ["strike", known(here, stores.NEW), "--with", "x", "--reason", "gone", "--evidence", "agent-observed", *ANA]
    assert "agent-observed" in refused(here, *words)
    told = refused(here, "strike", waiting(here, "rule"), "--reason", "gone", *ANA)
    assert "candidate" in told
