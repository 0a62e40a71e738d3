"""A status is changed on its own lines and in its own form; every other byte of the file stays."""

from __future__ import annotations

from pathlib import Path

import pytest

from memdesk.core import config
from memdesk.core.draft import Draft
from memdesk.core.errors import Refused
from memdesk.core.layouts.records import restate
from memdesk.core.layouts.records.kept import Kept
from memdesk.core.model import Entry
from memdesk.core.workspace import open_workspace, work_tree
from tests.support.planning import TODAY
from tests.support.stores import put

BODY = "## Context\n\nVolunteers open them.\n\n## Decision\n\nCSV.\n"
BY = "[ADR-0012](0012-xml.md)"
FILE = "docs/adr/0007-csv.md"

# name, the head of a file; what stands in place of the marked text: accepted, rejected for a reason, superseded.
FORMS: dict[str, tuple[str, str, str, str]] = {
    "section": (
        "# 7. CSV\n\nDate: 2026-05-02\n\n## Status\n\n«Proposed»\n\n",
        "Accepted", "Rejected, 2026-11-30: too plain", f"Superseded by {BY}, 2026-11-30",
    ),
    "section, undated": (
        "# 7. CSV\n\n## Status\n\n«Proposed»\n\n",
        "Accepted, 2026-11-30", "Rejected, 2026-11-30: too plain", f"Superseded by {BY}, 2026-11-30",
    ),
    "section, dated after a dash": (
        "# 7. CSV\n\n## Status\n\n«Proposed \u2014 2026-05-02»\n\n",
        "Accepted \u2014 2026-11-30", "Rejected \u2014 2026-11-30: too plain", f"Superseded by {BY} \u2014 2026-11-30",
    ),
    "section, dated in brackets": (
        "# 7. CSV\n\n## Status\n\n«Proposed (2026-05-02)»\n\n",
        "Accepted (2026-11-30)", "Rejected (2026-11-30): too plain", f"Superseded by {BY} (2026-11-30)",
    ),
    "section, with a remark": (
        "# 7. CSV\n\n## Status\n\n«Proposed (phases 1-4) \u2014 2026-05-02»\n\n",
        "Accepted \u2014 2026-11-30", "Rejected \u2014 2026-11-30: too plain", f"Superseded by {BY} \u2014 2026-11-30",
    ),
    "section, in bold": (
        "# 7. CSV\n\n## Status\n\n**«Proposed»**\n\n",
        "Accepted, 2026-11-30", "Rejected, 2026-11-30: too plain", f"Superseded by {BY}, 2026-11-30",
    ),
    "section, prose behind": (
        "# 7. CSV\n\n## Status\n\n«Proposed». We look again in spring.\n\n",
        "Accepted, 2026-11-30", "Rejected, 2026-11-30: too plain", f"Superseded by {BY}, 2026-11-30",
    ),
    "section, a relation in it": (
        "# 7. CSV\n\n## Status\n\n«Proposed», amends [ADR-0003](0003-x.md)\n\n",
        "Accepted, 2026-11-30", "Rejected, 2026-11-30: too plain", f"Superseded by {BY}, 2026-11-30",
    ),
    "heading": (
        "# 7. CSV\n\n## Status: «proposed»\n\n",
        "accepted, 2026-11-30", "rejected, 2026-11-30: too plain", f"superseded by {BY}, 2026-11-30",
    ),
    "setext": (
        "7. CSV\n======\n\nStatus\n------\n\n«Proposed»\n\n",
        "Accepted, 2026-11-30", "Rejected, 2026-11-30: too plain", f"Superseded by {BY}, 2026-11-30",
    ),
    "front": (
        "---\n# ours\nstatus: «proposed» # or so\ndate: 2026-05-02\ntags: [a, b]\n---\n\n# CSV\n\n",
        "accepted", '"rejected, 2026-11-30: too plain"', f'"superseded by {BY}, 2026-11-30"',
    ),
    "front, quoted": (
        "---\ndate: 2026-05-02\nstatus: «\"proposed\"»\n---\n\n# CSV\n\n",
        "accepted", '"rejected, 2026-11-30: too plain"', f'"superseded by {BY}, 2026-11-30"',
    ),
    "bullet": (
        "# CSV\n\n* Status: «proposed»\n* Deciders: Ada\n* Date: 2026-05-02\n\n",
        "accepted", "rejected, 2026-11-30: too plain", f"superseded by {BY}, 2026-11-30",
    ),
    "bold": (
        "# ADR 7: CSV\n\n**Status:** «Proposed \u2013 2026-05-02»\n\n**Deciders:** Ada\n\n",
        "Accepted \u2013 2026-11-30", "Rejected \u2013 2026-11-30: too plain", f"Superseded by {BY} \u2013 2026-11-30",
    ),
    "bold about all": (
        "# ADR 7: CSV\n\n**Status: «proposed».** Text goes on.\n**Date:** 2026-05-02\n\n",
        "accepted", "rejected, 2026-11-30: too plain", f"superseded by {BY}, 2026-11-30",
    ),
    "bare": (
        "# CSV\n\nStatus: «Draft»\nDate: 2026-05-02\n\n",
        "Accepted", "Rejected, 2026-11-30: too plain", f"Superseded by {BY}, 2026-11-30",
    ),
}


def read(root: Path, data: bytes, settings: str = "") -> tuple[Draft, Entry]:
    put(root, FILE, data)
    if settings:
        put(root, "memdesk.toml", settings)
    own = config.load(str(root))
    workspace = open_workspace(work_tree(str(root), own), own)
    return Draft(workspace), workspace.documents[FILE].entries[0]


def done(draft: Draft) -> bytes:
    after = draft.works[FILE].after_bytes()
    assert after is not None
    return after


def kept(entry: Entry) -> Kept:
    found: Kept = entry.document.store.settings
    return found


@pytest.mark.parametrize("ending", ["\r\n", pytest.param("\n", marks=pytest.mark.slow)], ids=["crlf", "lf"])
@pytest.mark.parametrize("name", FORMS)
def test_each_form_and_nothing_else(tmp_path: Path, name: str, ending: str) -> None:
    head, accepted, rejected, superseded = FORMS[name]
    start, end = head.index("«"), head.index("»")
    for number, (status, bom, last) in enumerate(((accepted, "", "\n"), (rejected, "\ufeff", ""), (superseded, "", " \n\n\n"))):
        before = bom + head.replace("«", "").replace("»", "") + BODY.rstrip("\n") + last
        after = bom + head[:start] + status + head[end + 1 :] + BODY.rstrip("\n") + last
        if status == accepted:
            after = after.replace("ate: 2026-05-02", "ate: 2026-11-30").replace("ate:** 2026-05-02", "ate:** 2026-11-30")
        draft, entry = read(tmp_path / str(number), before.replace("\n", ending).encode())
        assert entry.status in ("proposed", "draft")
        if status == accepted:
            restate.accept(draft, entry, TODAY)
        elif status == rejected:
            restate.reject(draft, entry, TODAY, "too plain")
        else:
            restate.supersede(draft, entry, TODAY, BY, kept(entry))
        assert done(draft).decode() == after.replace("\n", ending)
        again = draft.works[FILE].after(done(draft)).entries[0]
        assert again.status == ("accepted", "rejected", "superseded")[number]
        assert (("superseded-by", "12") in again.relations) == (status == superseded)
        assert again.date == "2026-11-30" or status != accepted


def test_front_matter_without_a_date_gets_one(tmp_path: Path) -> None:
    draft, entry = read(tmp_path, b"---\nstatus: proposed\nowner: Ada\n---\n# CSV\n")
    restate.accept(draft, entry, TODAY)
    assert done(draft) == b"---\nstatus: accepted\ndate: 2026-11-30\nowner: Ada\n---\n# CSV\n"


def test_a_word_of_the_settings_is_replaced_too(tmp_path: Path) -> None:
    draft, entry = read(
        tmp_path, b"# CSV\n\n## Status\n\nIn force since spring\n", '[records.statuses]\n"in force" = "accepted"\n'
    )
    assert entry.status == "accepted"
    restate.supersede(draft, entry, TODAY, BY, kept(entry))
    assert done(draft).decode() == f"# CSV\n\n## Status\n\nSuperseded by {BY}, 2026-11-30 since spring\n"


def test_the_setting_may_call_it_rejected(tmp_path: Path) -> None:
    draft, entry = read(tmp_path, b"# CSV\n\n## Status\n\nAccepted\n", '[records]\nsupersede_as = "rejected"\n')
    restate.supersede(draft, entry, TODAY, BY, kept(entry))
    assert done(draft).decode() == f"# CSV\n\n## Status\n\nRejected, superseded by {BY}, 2026-11-30\n"
    again = draft.works[FILE].after(done(draft)).entries[0]
    assert (again.struck, again.relations) == (True, (("superseded-by", "12"),))


@pytest.mark.parametrize(
    ("head", "line"),
    [
        ("# CSV\n\n**Status:** Accepted\n\n**Superseded by:**\n", f"**Superseded by:** {BY}\n"),
        ("# CSV\n\n* Status: accepted\n* Superseded by: none\n", f"* Superseded by: {BY}\n"),
    ],
)
def test_a_line_that_waits_for_the_successor_is_filled(tmp_path: Path, head: str, line: str) -> None:
    draft, entry = read(tmp_path, head.encode())
    restate.supersede(draft, entry, TODAY, BY, kept(entry))
    assert done(draft).decode().endswith(line)


def test_a_status_in_two_places_is_changed_in_both(tmp_path: Path) -> None:
    draft, entry = read(tmp_path, b"---\nstatus: proposed\n---\n# CSV\n\n## Status\n\nProposed\n")
    restate.reject(draft, entry, TODAY, "no")
    assert done(draft) == (
        b'---\nstatus: "rejected, 2026-11-30: no"\n---\n# CSV\n\n## Status\n\nRejected, 2026-11-30: no\n'
    )


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("# CSV\n\nNo status at all.\n", "The record has no status"),
        ("# CSV\n\n## Status\n\nMostly harmless\n", "can't be read"),
        ("---\nstatus:\n  - accepted\n---\n# CSV\n", "no word on the line of its key"),
        ("---\nstatus: &a accepted\n---\n# CSV\n", ""),
    ],
)
def test_what_cannot_be_changed_is_refused_with_the_way_on(tmp_path: Path, text: str, words: str) -> None:
    draft, entry = read(tmp_path, text.encode())
    with pytest.raises(Refused) as refused:
        restate.supersede(draft, entry, TODAY, BY, kept(entry))
    assert words in refused.value.message
    assert refused.value.path == FILE
    assert refused.value.remedy
    assert "proposed`" not in refused.value.remedy, "what stands is not made a proposal"


@pytest.mark.parametrize(
    ("head", "after"),
    [
        ("# CSV\n\n## Status\n\nAccepted\n\n## Why\n", "## Status\n\nAccepted\n\nSupersedes [ADR-0003](0003-x.md)\n\n## Why"),
        ("# CSV\n\n* Status: accepted\n* Date: x\n", "* Status: accepted\n* Supersedes: [ADR-0003](0003-x.md)\n* Date: x\n"),
        ("# CSV\n\n**Status:** Accepted\n\nA.\n", "**Status:** Accepted\n\n**Supersedes:** [ADR-0003](0003-x.md)\n\nA.\n"),
        ("# CSV\n\nStatus: accepted  \nDate: x\n", "Status: accepted  \nSupersedes: [ADR-0003](0003-x.md)  \nDate: x\n"),
        ("---\nstatus: accepted\n---\n# CSV\n", '---\nstatus: accepted\nsupersedes: "[ADR-0003](0003-x.md)"\n---\n'),
    ],
)
def test_what_a_draft_supersedes_besides_stands_in_its_form(tmp_path: Path, head: str, after: str) -> None:
    draft, entry = read(tmp_path, head.encode())
    restate.relate(draft, entry, "Supersedes", ["[ADR-0003](0003-x.md)"])
    assert after in done(draft).decode()
    assert draft.works[FILE].after(done(draft)).entries[0].relations == (("supersedes", "3"),)
