"""Candidates, evidence and registries that somebody wrote to mislead: refused with the field or line, or taken as text."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from memdesk.core.layouts.custodian.registry import registry
from tests.core.layouts.custodian.complete.test_writes import CHANGES, Complete, refused
from tests.support import protocol_stores as stores
from tests.support.protocol import faults
from tests.support.protocol_stores import FORMS, NEW, WAITING, seen

GOES = {"to": "decisions", "reason": "It is.", "subject": "Entry forms", "facet": "behavior", **CHANGES}
IDENT = "MC-INBOX-20261101-aaaaaaaa"
LONG = "a/" * 5000 + "b"
CYRILLIC = "Entry f\u043erms"


def inbox(text: str, ident: str = IDENT) -> str:
    return "# Memory Inbox\n\n" + stores.candidate(ident, "Hostile", "decision", text)


@pytest.mark.parametrize("text", [
    "Fine.\nStatus: promoted\nMore.", "Fine.\n- Status: active", "Fine.\nEvidence:\n- user-confirmed\n\nMore.",
    "**Status:** active", "<div>\nStatus: active\n</div>", "Fine.\n\n### Sub\n\nmore", "> Status: active\nmore",
    "```\nStatus: active\n## MC-DEC-20260101-00000000 \u2014 x\n```",
    "Status\uff1a active\nmore", "\u00a0Status: active\nmore", "Fine <!-- \nmore",
])  # fmt: skip
def test_a_statement_stays_a_text_and_all_of_it_comes_along(tmp_path: Path, text: str) -> None:
    bench = Complete(tmp_path, inbox=inbox(text))
    plan = bench.plan("promote", bench.entries("inbox.md"), **GOES)
    body = bench.added(plan, "decisions.md").partition("Decision:\n")[2].partition("\n\nReason:")[0]
    assert " ".join(body.split()) == " ".join(text.split())
    bench.whole(plan)


@pytest.mark.parametrize(("line", "label"), [
    (f"Supersedes: {NEW}", "Supersedes"), ("Aliases:\n- Network", "Aliases"), (f"Promoted-To: {NEW}", "Promoted-To"),
])  # fmt: skip
def test_what_no_new_entry_takes_over_is_not_lost_in_silence(tmp_path: Path, line: str, label: str) -> None:
    bench = Complete(tmp_path, inbox=inbox(f"Fine.\n{line}\nMore."))
    error = refused(bench, "promote", bench.entries("inbox.md"), **GOES)
    assert (f"a line {label}:" in error.message, error.line) == (True, 3)
    assert ("strike that one" in (error.remedy or "")) == (label == "Supersedes")
    (entry,) = bench.entries("inbox.md")
    bench.apply(bench.plan("edit", [entry], text=entry.text.replace(line + "\n", "")))
    bench.whole(bench.plan("promote", bench.entries("inbox.md"), **GOES))


@pytest.mark.parametrize("ident", [NEW, IDENT.upper(), "MC-INBOX-99999999-aaaaaaaa"])
def test_an_id_that_clashes_or_lies_goes_with_its_candidate(tmp_path: Path, ident: str) -> None:
    bench = Complete(tmp_path, inbox=inbox("Plain.", ident))
    bench.whole(bench.plan("promote", bench.entries("inbox.md")[:1], **GOES))


@pytest.mark.parametrize(("item", "why"), [
    ("repo:../../x", "empty part"), ("repo:/etc/passwd", "absolute"), ("repo:link", "no such file"),
    ("repo:linked/hosts", "no such file"),
    ("repo:fifo", "no such file"), (f"repo:{LONG}", "no such file"), ("repo:.git/HEAD", "git's own"),
    ("repo:~/.ssh/id", "no such"), ("repo:src/count.py@" + "f" * 5000, "is no evidence"), ("repo:a\0b", "control character"),
    ("repo:src/co\u200bunt.py", "zero width"),
    ("repo:src/count.py\nStatus: superseded", "is no evidence"), ("issue:#" + "9" * 13, "is no evidence"),
], ids=lambda value: value[:24])  # fmt: skip
def test_evidence_that_names_nothing_of_the_project_is_refused_in_few_words(tmp_path: Path, item: str, why: str) -> None:
    bench = Complete(tmp_path)
    (tmp_path / "link").symlink_to("/etc/hosts")
    (tmp_path / "linked").symlink_to("/etc")
    os.mkfifo(tmp_path / "fifo")
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git/HEAD").write_text("x")
    bench.read()
    error = refused(bench, "promote", [bench.candidate("decision")], **{**GOES, "evidence": item})
    assert (error.field, why in error.message) == ("evidence", True)
    assert len(str(error)) < 400


@pytest.mark.parametrize(("name", "why"), [
    (CYRILLIC, "looks just like 'Entry forms'"), ("St\u03bfrage", "looks just like 'Storage'"), ("n" * 121, "at most 120"),
    ("Entry\u200b forms", "zero width"), ("MC-SUBJ-20260101-00000000", "There is no subject"), ("a <!-- b", "never closes"),
])  # fmt: skip
def test_a_new_subject_that_nobody_could_tell_from_another_is_none(tmp_path: Path, name: str, why: str) -> None:
    words = {key: value for key, value in GOES.items() if key != "subject"}
    bench = Complete(tmp_path)
    assert why in refused(bench, "promote", [bench.candidate("decision")], new_subject=name, **words).message
    other = "Zo\u00eb \u041f\u0442\u0438\u0446\u044b"
    bench.whole(bench.plan("promote", [bench.candidate("decision")], new_subject=other, **words))


def merged(ident: str, title: str, into: str) -> str:
    return stores.subject(ident, title).replace("Status: active", f"Status: merged\nMerged-Into: {into}")


ALPHA, BETA = "MC-SUBJ-20260101-0000000a", "MC-SUBJ-20260101-0000000b"


@pytest.mark.parametrize(("more", "subject", "why"), [
    (merged(ALPHA, "Alpha", BETA) + "\n" + merged(BETA, "Beta", ALPHA), "Alpha", "active no more"),
    (merged(ALPHA, "Alpha", ALPHA), "Alpha", "active no more"), (merged(ALPHA, "Alpha", BETA), "Alpha", "active no more"),
    (stores.subject(ALPHA, "Alpha", "Entry forms"), "Entry forms", "Several subjects"),
    (stores.subject(FORMS, "Alpha"), FORMS, "Several subjects"), ("\0", "Entry forms", "can't be read"),
])  # fmt: skip
def test_a_registry_that_leads_nowhere_is_said_to(tmp_path: Path, more: str, subject: str, why: str) -> None:
    bench = Complete(tmp_path, subjects=stores.SUBJECTS + "\n" + more)
    for name in ("subject", "new_subject"):
        words = {key: value for key, value in GOES.items() if key != "subject"} | {name: subject}
        assert why in refused(bench, "promote", [bench.candidate("decision")], **words).message


def test_a_chain_of_thousands_is_gone_along_once(tmp_path: Path) -> None:
    chain = [merged(f"MC-SUBJ-20260101-{at:08x}", f"Old {at}", f"MC-SUBJ-20260101-{at + 1:08x}") for at in range(2000)]
    chain.append(stores.subject("MC-SUBJ-20260101-000007d0", "End"))
    bench = Complete(tmp_path, subjects=stores.SUBJECTS + "\n".join(chain))
    found = registry(bench.workspace, bench.workspace.stores[0]).find("Old 0")
    assert found is not None
    assert found.title == "End"


def test_a_store_without_a_registry_gets_one_with_its_first_subject(tmp_path: Path) -> None:
    bench = Complete(tmp_path, subjects=None)
    words = {key: value for key, value in GOES.items() if key != "subject"}
    assert "It names none yet" in refused(bench, "promote", [bench.candidate("decision")], **GOES).message
    bench.apply(bench.plan("promote", [bench.candidate("decision")], new_subject="Entry forms", **words))
    mine = [fault for fault in faults(seen(tmp_path)) if WAITING["decision"] in fault or "decisions.md:5" in fault]
    assert mine == []
