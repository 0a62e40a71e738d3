"""An inbox of protocol 0.8 by keyboard alone: each kind of candidate to its place, an owner superseded, the rest of the verbs;
the files compared to the byte, and all of it undone."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from memdesk.core.clock import Clock
from memdesk.core.desk import Desk
from memdesk.tui.app import Workbench
from memdesk.tui.widgets.choice import Choice
from memdesk.tui.widgets.form import Field, Fold, ManyLines
from tests.support import protocol_stores as stores
from tests.support.checking import report
from tests.support.pilots import play, press, screen_text, settle, toasts, type_
from tests.support.protocol import Written, faults
from tests.support.protocol_stores import FORMS, NETWORK, NEW, OLD, STORAGE, WAITING, entry, protocol_store, seen
from tests.support.stores import MEMORY, git, git_repo


class Person:
    """Somebody at the workbench on a committed store, with keys alone."""

    def __init__(self, root: Path, version: str = "0.8", *, changelog: str | None = stores.CHANGELOG) -> None:
        self.root = root
        self.folder = protocol_store(root, version, changelog=changelog)
        git_repo(root)
        desk = Desk.open(str(root), clock=Clock(datetime(2026, 11, 30, 9, 0)), user_config=None)
        self.app = Workbench(desk, environ={"TERM": "xterm-256color"})
        self.known = {one.id for one in seen(root).entries}
        self.pilot: Pilot[Any] | None = None

    def play(self, script: Any, size: tuple[int, int] = (120, 36)) -> None:
        async def run(pilot: Pilot[Any]) -> None:
            self.pilot = pilot
            await script()

        play(self.app, run, size)

    async def keys(self, *keys: str) -> None:
        assert self.pilot is not None
        await press(self.pilot, *keys)

    async def select(self, kind: str) -> None:
        """The candidate of that kind, by the arrow keys."""
        assert self.pilot is not None
        lines = self.app.pane.lines  # type: ignore[union-attr]
        at = next(number for number, row in enumerate(lines.rows) if WAITING[kind] in row.item.entry.text)
        await self.pilot.press("home", *["down"] * at)
        await settle(self.pilot)
        assert WAITING[kind] in lines.item.entry.text

    async def say(self, **words: str) -> None:
        """Goes to each field by Tab, and types or chooses there."""
        for name, value in words.items():
            field = await self.to(name)
            if isinstance(field.control, Choice):
                await self.choose(field.control, value)
            else:
                assert self.pilot is not None
                await self.pilot.press(*(("f7", "backspace") if isinstance(field.control, ManyLines) else ("end", "ctrl+u")))
                await type_(self.pilot, value)

    async def to(self, name: str) -> Field:
        """By Tab, through the fold where it is behind it."""
        assert self.pilot is not None
        for _ in range(60):
            focused = self.app.screen.focused
            field = next((one for one in focused.ancestors_with_self if isinstance(one, Field)), None) if focused else None
            if field is not None and field.ask.field == name:
                return field
            await self.pilot.press("enter" if isinstance(focused, Fold) else "tab")
            await self.pilot.pause()
        raise AssertionError(f"no field {name}: {screen_text(self.app)}")

    async def choose(self, choice: Choice, value: str) -> None:
        """By the arrow keys."""
        assert self.pilot is not None
        at = [pick.value for pick in choice._options].index(value)
        await self.pilot.press("home", *["right"] * at)
        await settle(self.pilot)
        assert choice.value == value

    async def place(self, value: str) -> None:
        """Where a promotion goes: the choice that the dialog opens on."""
        focused = self.app.screen.focused
        assert isinstance(focused, Choice)
        await self.choose(focused, value)

    async def done(self, words: str, below: int = 1) -> None:
        """Applies. `below`: screens that are left."""
        await self.keys("ctrl+s")
        assert len(self.app.screen_stack) == below, screen_text(self.app)
        assert words in toasts(self.app)[-1], toasts(self.app)[-1]

    def new(self, path: str) -> Written:
        """The one entry that is new in a file of the store."""
        (found,) = [one for one in seen(self.root).entries if one.path == path and one.id not in self.known]
        return found

    def text(self, path: str) -> str:
        return (self.folder / path).read_bytes().decode()


@pytest.mark.slow
def test_each_kind_of_candidate_to_its_place(tmp_path: Path) -> None:
    person = Person(tmp_path, changelog=None)
    read: list[str] = []

    async def script() -> None:
        app, say = person.app, person.say
        await person.select("decision")
        await person.keys("p")
        await person.place("decisions")
        read.append(screen_text(app))
        await say(requirement="yes", reason="Rain is missed.", subject="Entry forms", facet="workflow", evidence="pr:#7")
        await person.done("to decisions.md")
        await person.select("constraint")
        await person.keys("p")
        await person.place("constraints")
        await say(requirement="yes", subject="Storage", facet="interface", evidence="user-confirmed")
        await person.done("to constraints.md")
        await person.select("preference")
        await person.keys("p")
        await person.place("preferences")
        await say(requirement="yes", evidence="user-confirmed")
        await person.done("to preferences.md")
        await person.select("tombstone")
        await person.keys("p")
        await person.place("do-not-use")
        await say(requirement="yes", reason="It costs.", subject="Network", facet="lifecycle", reconsider="2027-05-01")
        await person.done("to do-not-use.md")
        await person.select("area")
        await person.keys("p")
        await person.place("area:storage")
        await say(requirement="yes", reason="Disks fill up.", evidence="user-confirmed")
        await person.done("to areas/storage.md")
        await person.select("rule")
        await person.keys("p")
        await person.place("rule:output")
        await say(requirement="yes", evidence="user-confirmed")
        await person.done("to rules/output.md")
        await person.select("profile")
        await person.keys("p")
        await person.place("profile:release")
        await say(requirement="yes", evidence="user-confirmed")
        await person.done("to profiles/release.md")
        read.append(screen_text(app))

    person.play(script, (160, 50))
    assert "Ask who draws the forms." in read[0]
    assert faults(seen(tmp_path)) == []
    assert report(tmp_path).findings == ()
    new = person.new
    decision = entry(
        new("decisions.md").id, "Forms ask for weather first", "Decision", "The form asks for the weather before the counts.",
        subject=FORMS, facet="workflow", evidence=("pr:#7",), reason="Rain is missed.",
    )
    assert person.text("decisions.md") == stores.DECISIONS.replace("first.\n\n", f"first.\n\n{decision}\n", 1)
    constraint = entry(
        new("constraints.md").id, "Codes of four letters", "Constraint", "A site has a code of four letters.", subject=STORAGE,
        facet="interface",
    )
    assert person.text("constraints.md") == stores.CONSTRAINTS.replace("# Constraints\n\n", f"# Constraints\n\n{constraint}\n")
    preference = entry(new("preferences.md").id, "Metric units", "Preference", "Distances are in metres.")
    assert person.text("preferences.md") == stores.PREFERENCES.replace("# Preferences\n\n", f"# Preferences\n\n{preference}\n")
    tombstone = entry(
        new("do-not-use.md").id, "Tombstone: No map server", "Rejected", "Maps are not drawn by a server of our own.",
        subject=NETWORK, facet="lifecycle", evidence=("test:tests/test_count.py",), reason="It costs. Reconsider: 2027-05-01",
    )
    assert person.text("do-not-use.md") == stores.DO_NOT_USE.replace("newest first.\n\n", f"newest first.\n\n{tombstone}\n")
    area = entry(
        new("areas/storage.md").id, "Retries are bounded", "Decision", "Saving is tried three times.", scope="area:storage",
        subject=STORAGE, facet="behavior", reason="Disks fill up.", more=("Entry-Type: decision",),
    )
    assert person.text("areas/storage.md") == stores.area("0.8").replace("counts.\n\n", f"counts.\n\n{area}\n")
    rule = entry(new("rules/output.md").id, "Say the year", "Rule", "Dates in output have a year.")
    assert person.text("rules/output.md") == f"{stores.RULE}\n{rule}"
    profile = entry(new("profiles/release.md").id, "Two reviewers", "Profile", "A release has two reviewers.")
    assert person.text("profiles/release.md") == f"{stores.PROFILE}\n{profile}"
    left = stores.INBOX[: stores.INBOX.index("## ")] + stores.INBOX[stores.INBOX.index(f"## {WAITING['do-not-use']}") :]
    assert person.text("inbox.md") == left
    assert person.text("subjects.md") == stores.SUBJECTS
    touched = {line[3:] for line in git(tmp_path, "status", "--short", "-uall").splitlines()}
    names = ["decisions", "constraints", "preferences", "do-not-use", "areas/storage", "rules/output", "profiles/release"]
    assert touched == {f"{MEMORY}/{name}.md" for name in (*names, "inbox")}


@pytest.mark.slow
def test_an_owner_is_superseded_the_other_verbs_and_all_of_it_undone(tmp_path: Path) -> None:
    person = Person(tmp_path, changelog=None)
    seen_by: list[str] = []

    async def script() -> None:
        app, say = person.app, person.say
        await person.select("decision")
        await person.keys("p")
        await person.place("decisions")
        await say(requirement="yes", reason="Quick.", subject="Storage", facet="data-model", evidence="user-confirmed")
        seen_by.append(screen_text(app))  # refused: there is an owner
        await person.keys("ctrl+s", "escape")
        await person.keys("ctrl+f")
        assert person.pilot is not None
        await type_(person.pilot, NEW)
        await person.keys("enter", "s")
        await say(reason="Quick.", evidence="user-confirmed", title="One database")
        await say(**{"with": "Counts are in one database."})
        await person.done("Struck", 2)
        await person.keys("escape")
        await person.select("constraint")
        await person.keys("r")
        await say(reason="Codes grow.")
        await person.done("Rejected")
        await person.select("rule")
        await person.keys("r")
        await say(reason="Years are noise.", tombstone="yes", subject="Entry forms", facet="interface")
        await say(evidence="user-confirmed")
        await person.done("Rejected")
        await person.select("preference")
        await person.keys("m")
        await say(requirement="yes")
        field = await person.to("into")
        assert isinstance(field.control, Choice)
        (into,) = [one for one in app.desk.workspace.entries() if one.fields.get("title") == "Short lines"]
        await person.choose(field.control, into.id)
        await person.done("Merged")
        await person.select("profile")
        await person.keys("e", "f7", "right")
        await type_(person.pilot, " Twice.")
        await person.done("Edited")
        seen_by.append(screen_text(app))
        stood.append({path.name: path.read_bytes() for path in person.folder.glob("*.md")})
        await person.keys("u", "u", "u", "u", "u")
        seen_by.append(git(tmp_path, "status", "--short", "-uall"))

    stood: list[dict[str, bytes]] = []
    person.play(script, (80, 24))
    assert f"{NEW} is the active owner" in " ".join(seen_by[0].replace("\u2502", " ").split())
    assert seen_by[2] == ""
    (after,) = stood
    decisions = after["decisions.md"].decode()
    assert decisions.count("Supersedes: MC-DEC") == 2
    assert decisions.count("Status: superseded\n") == 2
    assert f"## {NEW} \u2014 One table for each site\n\nStatus: superseded\nSuperseded-By: MC-DEC-20261130-" in decisions
    assert f"## {OLD} \u2014 One table for all sites\n\nStatus: superseded\nSuperseded-By: {NEW}\n" in decisions
    assert "Prefer lines of at most 80 characters in output.\n\nDistances are in metres.\n" in after["preferences.md"].decode()
    assert "Dates in output have a year." in after["do-not-use.md"].decode()
    assert "Years are noise." in after["do-not-use.md"].decode()
    assert after["subjects.md"].decode() == stores.SUBJECTS
    inbox = after["inbox.md"].decode()
    kept = [WAITING[kind] for kind in ("decision", "tombstone", "area", "profile", "do-not-use")]
    assert [ident for ident in WAITING.values() if ident in inbox] == kept
    assert inbox.count(" Twice.") == 1
    assert inbox.replace(" Twice.", "") == stores.INBOX.partition("## ")[0] + "".join(
        "## " + part for part in stores.INBOX.split("## ")[1:] if part.split(" ")[0] in kept
    )


@pytest.mark.slow
def test_a_new_subject_is_registered_with_the_entry(tmp_path: Path) -> None:
    person = Person(tmp_path, "0.7", changelog=None)

    async def script() -> None:
        await person.select("constraint")
        await person.keys("p")
        await person.place("constraints")
        await person.say(requirement="yes", new_subject="Site codes", facet="data-model", evidence="user-confirmed")
        assert "subjects.md" in screen_text(person.app)
        await person.done("to constraints.md")

    person.play(script)
    assert faults(seen(tmp_path)) == []
    one = person.new("subjects.md")
    made = stores.subject(one.id, "Site codes")
    assert person.text("subjects.md") == stores.SUBJECTS.replace("newest first.\n\n", f"newest first.\n\n{made}\n", 1)
    assert person.new("constraints.md").says("Subject") == one.id


@pytest.mark.slow
def test_escape_leaves_a_store_of_that_protocol_as_it_was(tmp_path: Path) -> None:
    person = Person(tmp_path)

    async def script() -> None:
        for key in "psrmaez":
            await person.keys(key, "escape")
            assert len(person.app.screen_stack) == 1, key
        await settle(person.pilot)  # type: ignore[arg-type]

    person.play(script, (80, 24))
    assert git(tmp_path, "status", "--short", "-uall") == ""
    assert person.app.desk.history() == []
