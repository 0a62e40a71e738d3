"""A workspace of 2,000 entries over all layouts in which rot is planted, a dozen of each kind, beside as many things that look
like it and are fine.

Every entry has a made-up word of its own, so that what a proposal is about can be told whatever else is in it. The texts are
the same each time.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from tests.support.benches import commit
from tests.support.rottexts import FINE_NOTES, FINE_REPEATS, NEAR, NEARLY, NOTES, REPEATS
from tests.support.stores import agent_memory_store, custodian_store, git_repo, manifest, put, record, records_store

TODAY = "2026-11-30"
LONG_AGO, LATELY = "2025-01-02", "2026-11-02"  # days of the two commits
HOME, OTHER, FACTS = "docs/memory", "assistant", "memory"
EACH = 12


class Rot(NamedTuple):
    """Kind -> the words of what is planted, and of what looks like it and is fine."""

    root: Path
    planted: Mapping[str, frozenset[str]]
    fine: Mapping[str, frozenset[str]]

    def word(self, text: str) -> str:
        """The first made-up word in a text."""
        known = frozenset().union(*self.planted.values(), *self.fine.values())
        found = re.findall(r"[A-Z][a-z]+", text)
        return next((one for one in found if one in known), next((one for one in found if _MADE.fullmatch(one)), ""))


def rot(root: Path, *, tiers: bool = True) -> Rot:
    """The workspace, in a repository with a past. `tiers`: with a store of that layout too."""
    made = _Made(root)
    made.custodian()
    made.agent_memory()
    made.records()
    if tiers:
        made.tiers()
    return made.commit()


_SYLLABLES = ("ba", "do", "fi", "gu", "ke", "lo", "mi", "nu", "po", "ra", "su", "te", "vi", "wo", "xa", "zu")
_MADE = re.compile(r"(?:Q|Z|X)(?:" + "|".join(_SYLLABLES) + r"){2,3}[kntrm]")
_WHO = (
    "The importer", "The export", "The nightly job", "The field app", "A volunteer", "The review board", "The map view",
    "The rota", "The archive", "The parser", "The mail gateway", "The ringing office", "The count sheet", "The weather feed",
    "The audit", "The sync client", "The species list", "The login page", "The print form", "The backup",
)
_DOES = (
    "reads", "keeps", "rejects", "merges", "rounds", "sorts", "publishes", "hides", "checks", "renames", "counts", "signs",
    "mirrors", "queues", "prints", "compresses", "groups", "labels", "stores", "translates",
)
_WHAT = (
    "late sightings", "empty rows", "site codes", "observer names", "nest records", "tide tables", "colour rings",
    "sound clips", "wind readings", "double counts", "photo links", "grid squares", "breeding codes", "route maps",
    "hide bookings", "training dates", "water levels", "moult scores", "trap hours", "permit numbers",
)
_HOW = (
    "before the morning walk", "in plain text", "one region at a time", "without asking twice", "by the site's own clock",
    "as the form has them", "since the old office worked so", "with a note in the margin", "after two people looked",
    "for the yearly report", "because phones lose their signal", "in the order of the shore", "until the season ends",
    "where the coast bends", "so that a newcomer can follow", "from the oldest sheet on", "once the tide is out",
    "when the warden agrees", "beside the paper copy", "under the region's name",
)


class _Made:
    """The stores while they are made."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.chance = random.Random(11)
        self.used: set[str] = set()
        self.planted: dict[str, set[str]] = {}
        self.fine: dict[str, set[str]] = {}
        self.old: list[str] = []  # paths that only the first commit changes

    # Words

    def word(self, kind: str = "", fine: bool = False) -> str:
        """A made-up word; of a kind, it is written down as planted there, or as looking like it."""
        while True:
            made = self.chance.choice("QZX") + "".join(self.chance.sample(_SYLLABLES, 3)) + self.chance.choice("kntrm")
            if made not in self.used:
                break
        self.used.add(made)
        if kind:
            (self.fine if fine else self.planted).setdefault(kind, set()).add(made)
        return made

    def said(self, word: str) -> str:
        """A sentence that no other is like."""
        pick = self.chance.choice
        return f"{pick(_WHO)} of {word} {pick(_DOES)} {pick(_WHAT)} and {pick(_DOES)} {pick(_WHAT)} {pick(_HOW)}."

    def day(self) -> str:
        return f"2026-{self.chance.randint(1, 10):02}-{self.chance.randint(1, 28):02}"

    def decision(self, word: str, *, day: str = "", title: str = "", more: str = "", text: str = "") -> str:
        said = text or self.said(word)
        name = title or f"{word} {self.chance.choice(_DOES)} {self.chance.choice(_WHAT)}"
        return f"## {day or self.day()} - {name}\n\nDecision:\n{said}\n\nReason:\nThe {word} wardens asked for it.\n{more}\n"

    # Stores

    def custodian(self) -> None:
        word, said, decision = self.word, self.said, self.decision
        files: dict[str, list[str]] = {}

        def area(name: str, *parts: str) -> None:
            files.setdefault(f"areas/{name}", []).extend(parts)

        for number in range(24):
            area(f"part-{number:02}", *(decision(word()) for _ in range(28)))
        # duplicate
        for number in range(5):
            twice = decision(word("duplicate"))
            area(f"part-{number:02}", twice, decision(word()), twice)
        lines = [f"- {said(word())}\n" for _ in range(60)]
        for _ in range(3):
            twice = f"- {said(word('duplicate'))}\n"
            lines = [twice, *lines, twice]
        files["constraints"] = lines
        for _ in range(6):  # each holds where its area does
            text = said(word("duplicate", fine=True))
            area("part-05", decision(word("duplicate", fine=True), text=text))
            area("part-06", decision(word("duplicate", fine=True), text=text))
        for _ in range(6):
            text = decision(word("duplicate", fine=True))
            area("part-07", text)
            area("part-08", text)
        inbox = [f"- [observed] {said(word())}\n" for _ in range(40)]
        preferences = []
        for _ in range(4):
            text = said(word("duplicate"))
            preferences.append(f"- {text}\n")
            inbox.append(f"- [observed] {text}\n")
        for _ in range(2):  # it is to be something else
            text = said(word("duplicate", fine=True))
            preferences.append(f"- {text}\n")
            inbox.append(f"- {text} (for: constraint)\n")
        # superseded
        for number in range(4):
            title = f"The {word('superseded')} register"
            for day in ("2025-03-04", "2026-05-06"):
                area(f"part-{number + 9:02}", decision(word(), day=day, title=title))
        for _ in range(3):  # other scopes, one day, one struck already
            title = f"The {word('superseded', fine=True)} ledger"
            area("part-13", decision(word(), day="2025-03-04", title=title, more="\nScope:\nthe north\n"))
            area("part-13", decision(word(), day="2026-03-04", title=title, more="\nScope:\nthe south\n"))
            title = f"The {word('superseded', fine=True)} roll"
            area("part-14", decision(word(), day="2026-03-04", title=title), decision(word(), day="2026-03-04", title=title))
            title = f"The {word('superseded', fine=True)} book"
            area("part-15", decision(word(), day="2026-03-04", title=title))
            area("part-15", struck(decision(word(), day="2026-01-04", title=title), f"Superseded: 2026-03-04 by \"{title}\""))
        for _ in range(3):
            old = word("superseded")
            area("part-16", decision(old, day="2025-02-03", title=f"Cards of {old}"))
            area("part-16", decision(word(), day="2026-02-03", more=f"\nSupersedes:\n- Cards of {old}\n"))
        # struck
        for number in range(EACH):
            gone, kept = decision(word("struck")), decision(word("struck", fine=True), day="2024-02-03")
            day = f"202{4 + number % 2}-0{1 + number % 9}-03"
            how = f"Superseded: {day} by \"{word()}\"" if number % 2 else f"Struck: {day}. Nobody asked."
            area(f"old-{number:02}", decision(word()), struck(gone, how))
            text = struck(kept, f"Struck: 2026-0{1 + number % 9}-03. Nobody needs it.")
            area(f"new-{number:02}", decision(word()), text, f"- {said(word())} It was `~~struck~~ 2020-01-01` once.\n")
        files["constraints"] += [f"- ~~{said(word('struck'))}~~ struck 2025-02-03: the old office\n"]
        preferences += [f"- ~~{said(word('struck', fine=True))}~~ superseded 2026-02-03\n"]
        # dead-link
        put(self.root, "src/app tools.py", "")
        put(self.root, "docs/guide.md", "# Guide\n")
        alive = (
            "[the guide](../../guide.md)", "[the guide](docs/guide.md)", "[the tools](../../../src/app%20tools.py)",
            "[above](#reason)", "[page](https://example.org/a.md)", "[mail](mailto:a)", "`[gone](gone.md)`",
            "<!-- [gone](gone.md) -->", "[next door](../../../../elsewhere/a.md)", "[notes](notes-YYYY.md)",
            "~~[gone](gone.md)~~", "[tools](</src/app tools.py>)", "[lines](../../guide.md#L3)", "\\[gone](gone.md)",
        )
        for number in range(6):
            target = ("gone.md", "../areas/gone.md", "docs/gone.md", "./gone/", "gone.md#part", "gone.md?a=1")[number]
            name = word("dead-link")
            area(f"part-{17 + number % 2}", decision(name, text=f"{said(name)} See [the page]({target}) for more."))
        for link in alive:
            name = word("dead-link", fine=True)
            area("part-19", decision(name, text=f"{said(name)} See {link} for more."))
        name = word("dead-link", fine=True)
        area("part-19", decision(name, text=f"{said(name)}\n\n```\n[gone](gone.md)\n```"))
        # unreachable
        listed = sorted(files)
        for _ in range(6):
            name = word("unreachable")
            area(f"lost-{name.lower()}", decision(name), decision(word()))
        files["areas/README"] = [f"- {said(word('unreachable', fine=True))}\n"]
        files["archive/decisions-2025-01-01"] = [decision(word("unreachable", fine=True))]
        # reconsider, tombstone
        stones = []
        days = ("2026-01-02", "2026-11-30", "on 2025-05-06", "after 2026-03-04.", "2026-02-03 or when the office moves")
        later = (
            "2027-01-02", "2026-12-01", "when the office moves (asked 2025-01-02)", "2026-02-30", "if 2025-01-01 comes again",
        )
        for number in range(EACH):
            stones.append(_stone(f"{word('reconsider')} by fax", days[number % len(days)]))
            stones.append(_stone(f"{word('reconsider', fine=True)} by pigeon", later[number % len(later)]))
        stones.append(_stone(f"~~{word('reconsider', fine=True)} by sea~~", "2025-01-01"))
        for title, text in REPEATS:
            name = word("tombstone")
            stones.append(_stone(title.replace("NAME", name)))
            inbox.append(f"- [inferred] {text.replace('NAME', name)}\n")
        for title, text in FINE_REPEATS:
            name = word("tombstone", fine=True)
            stones.append(_stone(title.replace("NAME", name)))
            inbox.append(f"- [inferred] {text.replace('NAME', name)}\n")
        # over-budget
        budgets = ["decisions.md: 90000 tokens max", "constraints.md: 90000 tokens max", "do-not-use.md: 90000 tokens max",
                   "preferences.md: 90000 tokens max", "areas/*.md: 90000 tokens max per file, if present"]
        for number in range(EACH):
            heavy, light = word("over-budget"), word("over-budget", fine=True)
            area(f"heavy-{number:02}", *(decision(heavy, title=f"{heavy} {part}") for part in ("one", "two", "three")))
            area(f"light-{number:02}", *(decision(light, title=f"{light} {part}") for part in ("one", "two", "three")))
            budgets += [f"areas/heavy-{number:02}.md: 100 tokens max", f"areas/light-{number:02}.md: 400 tokens max"]
        # task-specific
        for at, text in enumerate(NOTES[: len(NOTES) // 2]):
            name = word("task-specific")
            area(f"part-{20 + at % 2}", decision(name, text=text.replace("NAME", name)))
        for at, text in enumerate(FINE_NOTES[: len(FINE_NOTES) // 2]):
            name = word("task-specific", fine=True)
            area(f"part-{20 + at % 2}", decision(name, text=text.replace("NAME", name)))
        # near-duplicate
        for first, second in NEAR:
            name = word("near-duplicate")
            preferences += [f"- {first.replace('NAME', name)}\n", f"- {said(word())}\n", f"- {second.replace('NAME', name)}\n"]
        for first, second in NEARLY:
            name, other = word("near-duplicate", fine=True), word("near-duplicate", fine=True)
            preferences += [f"- {first.replace('NAME', name)}\n", f"- {second.replace('NAME', name).replace('OTHER', other)}\n"]
        self.chance.shuffle(preferences)
        for _ in range(3):
            text = said(word("near-duplicate"))
            files["constraints"].append(f"- {text}\n")
            preferences.append(f"- {text}\n")

        areas = [name.partition("/")[2] for name in [*listed, *files] if name.startswith("areas/") and "lost-" not in name]
        areas = [name for name in dict.fromkeys(areas) if name != "README"]
        files |= {"preferences": preferences, "do_not_use": stones, "decisions": [decision(word()) for _ in range(20)]}
        texts: dict[str, str | bytes | None] = {}
        for name, parts in files.items():
            when = "Load when it matters.\n\n" if name.startswith("areas/") else ""
            texts[name] = f"# {name}\n\n{when}" + "\n".join(sections(parts))
        inbox_text = "# Inbox\n\n## 2026-11-28\n\n" + "".join(inbox)
        custodian_store(
            self.root, HOME, budgets=budgets, inbox=inbox_text, manifest=manifest(areas=areas, budgets=budgets), **texts
        )
        put(self.root, f"{HOME}/changelog.md", "# Changelog\n\n## 2026-11-02\n\n- Began.\n- Began.\n")
        self.old += [f"{HOME}/areas/part-22.md", f"{HOME}/constraints.md"]  # decisions don't age

    def agent_memory(self) -> None:
        word, said = self.word, self.said
        files: dict[str, str] = {}
        rows = []

        def fact(name: str, tag: str = "stated", text: str = "") -> str:
            return f"- [{tag}] {(text or said(name)).rstrip('.')} ({self.day()}, from the {name} talks)\n"

        def file(path: str, *parts: str, row: bool = True) -> None:
            title = path.rpartition("/")[2].removesuffix(".md")
            files[path] = f"# {title}\n\n" + "".join(parts)
            if row:
                rows.append(f"- `{path}`: what {title} is about; read before it is touched\n")

        for number in range(22):
            file(f"memory/projects/part-{number:02}.md", *(fact(word()) for _ in range(19)))
        # duplicate
        twice = [fact(word("duplicate")) for _ in range(3)]
        file("memory/projects/twice.md", *twice, fact(word()), *twice)
        shared = fact(word("duplicate", fine=True))
        for name in ("ada", "bo"):  # each is about one person
            file(f"memory/people/{name}.md", fact(word()), shared)
        again = f"- [inferred] {said(word('duplicate', fine=True))}\n"
        for day in ("11-27", "11-28", "11-29"):
            notes = "".join(f"- [observed] {said(word())}\n" for _ in range(5))
            files[f"memory/2026-{day}.md"] = f"# 2026-{day}\n\n{again}{notes}- See [the gone page](gone.md).\n"
        # superseded
        for number in range(4):
            old, new = word("superseded"), word()
            text = f"{said(old).rstrip('.')}, chosen 2025-03-04\n\n**{said(new).rstrip('.')}, chosen 2026-03-04** [stated]\n"
            bullets = f"- {said(old).rstrip('.')}, chosen 2025-03-04\n- [stated] {said(new).rstrip('.')}, chosen 2026-03-04\n"
            file(f"memory/decisions/open-{number}.md", text if number < 1 else bullets)
        for number in range(4):  # struck already; struck lines stay beside the current one, however old they are
            old, new = word("superseded", fine=True), word("struck", fine=True)
            file(f"memory/decisions/closed-{number}.md", f"- ~~{said(old)}~~ superseded 2024-03-04\n",
                 f"- [stated] {said(new).rstrip('.')}, chosen 2024-03-04\n")
        # dead-link
        for number in range(4):
            name = word("dead-link")
            file(f"memory/projects/links-{number}.md", fact(name, text=f"{said(name)} It is in [the plan](plans/gone.md)"))
            name = word("dead-link", fine=True)
            files[f"memory/projects/links-{number}.md"] += fact(name, text=f"{said(name)} It is in [ada](../people/ada.md)")
        # unreachable
        for number in range(6):
            file(f"memory/projects/lost-{number}.md", fact(word("unreachable")), fact(word()), row=False)
            path = f"memory/projects/behind-{number}.md"
            file(path, fact(word("unreachable", fine=True)), row=False)
            files["memory/projects/part-00.md"] += f"- [stated] More is in [behind](behind-{number}.md) (2026-03-04, from us)\n"
        rows.append("- `memory/people/guests/`: one file for each guest; read before a visit\n")
        for number in range(3):
            file(f"memory/people/guests/one-{number}.md", fact(word("unreachable", fine=True)), row=False)
        # untouched
        for number in range(7):
            name = word("untouched")
            old = (fact(name) + fact(word())).replace("2026-", "2024-")
            file(f"memory/people/still-{number}.md", old)
            told = word("untouched", fine=True)
            file(f"memory/people/told-{number}.md", fact(told))
            changed = word("untouched", fine=True)
            file(f"memory/people/moved-{number}.md", fact(changed).replace("2026-", "2024-"))
            self.old += [f"{OTHER}/memory/people/{kind}-{number}.md" for kind in ("still", "told")]
        held = word("untouched", fine=True)
        file("memory/decisions/held.md", f"- [stated] {said(held).rstrip('.')}, chosen 2024-01-02\n")
        self.old.append(f"{OTHER}/memory/decisions/held.md")
        # task-specific
        for at, text in enumerate(NOTES[len(NOTES) // 2 :]):
            name = word("task-specific")
            files[f"memory/projects/part-{1 + at % 3:02}.md"] += fact(name, "observed", text.replace("NAME", name))
        for at, text in enumerate(FINE_NOTES[len(FINE_NOTES) // 2 :]):
            name = word("task-specific", fine=True)
            files[f"memory/projects/part-{1 + at % 3:02}.md"] += fact(name, "stated", text.replace("NAME", name))
        index = "# Index\n\n" + "".join(rows)
        agent_memory_store(self.root, OTHER, standard=False, **{"MEMORY.md": index}, **files)

    def records(self) -> None:
        word, said = self.word, self.said
        files: dict[str, str] = {}
        number = 0

        def adr(title: str, status: str = "Accepted", more: str = "", context: str = "") -> int:
            nonlocal number
            number += 1
            text = record(number, title, status, more=more, context=context or said(word()))
            files[f"docs/adr/{number:04}-choice-{number}.md"] = text
            return number

        for _ in range(40):
            adr(f"Keep {word()} whole")
        for _ in range(4):
            old = adr(f"Old {word('superseded')} way")
            adr(f"New {word()} way", more=f"Supersedes [ADR-{old:04}]({old:04}-choice-{old}.md)")
            old = adr(f"Old {word('superseded', fine=True)} way")  # not decided yet
            adr(f"New {word()} way", "Proposed", more=f"Supersedes [ADR-{old:04}]({old:04}-choice-{old}.md)")
            both = number + 2
            old = adr(f"Gone {word('superseded', fine=True)} way", f"Superseded by [ADR-{both:04}]({both:04}-choice-{both}.md)")
            adr(f"New {word()} way", more=f"Supersedes [ADR-{old:04}]({old:04}-choice-{old}.md)")
        for _ in range(2):  # what was decided is not rewritten
            adr(f"Keep {word('dead-link', fine=True)} whole", context=f"{said(word())} See [the plan](gone.md).")
            name = word("dead-link")
            files[f"docs/design/{name.lower()}.md"] = (
                f"# {name} plan\n\n**Status:** draft\n\n{said(name)} See [the old plan](gone/old.md).\n"
            )
        records_store(self.root, ".", standard=False, **{"CONTEXT.md": None}, **files)

    def tiers(self) -> None:
        word, said = self.word, self.said
        facts: dict[str, str] = {}
        lines = []

        def fact(name: str, text: str = "", *, more: str = "", listed: bool = True, description: str = "") -> str:
            stem = name.lower()
            said_of = description or f"how {name} {self.chance.choice(_DOES)} {self.chance.choice(_WHAT)}"
            body = text or f"{said(name)} {said(name)}"
            why = f"Why: the {name} wardens asked for it."
            facts[stem] = f"---\ndescription: {said_of}\n{more}---\n\n# {name}\n\n{body}\n\n{why}\n"
            if listed:
                lines.append(f"- [{name}](facts/{stem}.md): {said_of}\n")
            return stem

        for _ in range(110):
            fact(word(), more="updated: 2026-10-01\n")
        for number in range(EACH):
            fact(word("review"), more=f"review_by: 2026-0{1 + number % 9}-01\n")
            later = f"2027-0{1 + number % 9}-01" if number else TODAY
            fact(word("review", fine=True), more=f"review_by: {later}\n")
        for _ in range(5):
            self.old.append(f"{FACTS}/facts/{fact(word('untouched'))}.md")
            self.old.append(f"{FACTS}/facts/{fact(word('untouched', fine=True), more='review_by: 2027-01-01' + chr(10))}.md")
        for _ in range(3):
            name = word("dead-link")
            fact(name, f"{said(name)} It goes with [[{word().lower()}]].")
            name = word("dead-link", fine=True)
            fact(name, f"{said(name)} It goes with [[{next(iter(facts))}]].")
        put(self.root, f"{FACTS}/INDEX.md", "# Index\n\n" + "".join(lines))
        for stem, text in facts.items():
            put(self.root, f"{FACTS}/facts/{stem}.md", text)
        again = f"- 09:00 {said(word('duplicate', fine=True))}\n"
        for day in ("11-26", "11-27", "11-28"):
            put(self.root, f"{FACTS}/log/2026-{day}.md", f"# 2026-{day}\n\n{again}" + "".join(
                f"- 1{number}:00 {said(word())}\n" for number in range(8)))
        put(self.root, f"{FACTS}/inbox.md", "# Inbox\n\n## 2026-11-28\n\n" + "".join(f"- {said(word())}\n" for _ in range(10)))

    def commit(self) -> Rot:
        git_repo(self.root, commit=False)
        commit(self.root, "Begin", LONG_AGO)
        for path in sorted(self.root.rglob("*.md")):
            if path.relative_to(self.root).as_posix() not in self.old:
                path.write_bytes(path.read_bytes() + b"\n")
        commit(self.root, "Later", LATELY)
        return Rot(self.root, _frozen(self.planted), _frozen(self.fine))


def struck(decision: str, line: str) -> str:
    """A decision as striking leaves it."""
    return re.sub(r"\A## (.*)\n", rf"## ~~\1~~\n\n{line}\n", decision)


def sections(parts: list[str]) -> Iterator[str]:
    """Bullets first: behind a section they would be part of it."""
    yield from sorted(parts, key=lambda part: not part.startswith("- "))


def _stone(title: str, reconsider: str = "") -> str:
    more = f"Reconsider: {reconsider}\n" if reconsider else ""
    struck = title.startswith("~~")
    heading = f"## ~~Tombstone: {title.strip('~')}~~" if struck else f"## Tombstone: {title}"
    return (
        f"{heading}\n\nDo not reintroduce this unless the user explicitly reverses it. Reason: it failed twice. "
        f"Date: 2024-04-11.\n{more}\n"
    )


def _frozen(found: Mapping[str, set[str]]) -> dict[str, frozenset[str]]:
    return {kind: frozenset(words) for kind, words in found.items()}
