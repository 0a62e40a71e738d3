"""Texts for `rot`, written by hand: what only meaning tells apart. NAME stands for a made-up word, OTHER for another one."""

from __future__ import annotations

from collections.abc import Sequence

# Notes of one task that stand among durable entries.
NOTES: Sequence[str] = (
    "Debugging NAME: the upload still fails on Safari, rerun it tomorrow.",
    "TODO: rename the NAME column once #412 is merged.",
    "The NAME tests are red on this branch because the fixture is half-finished.",
    "For now the NAME job is switched off, waiting for PR 88.",
    "WIP: NAME parser, two of five cases done.",
    "I'm trying the older NAME driver today to see whether the leak goes away.",
    "Left to do in NAME: the empty state and the German labels.",
    "Ticket BIRD-731 for NAME is blocked by the certificate, check again next week.",
    "- [ ] split the NAME form into two pages",
    "Currently half of the NAME rows are migrated; the remaining ones fail with a timeout.",
    "Next step: wire the NAME button to the new endpoint.",
    "Yesterday's NAME run stopped at row 4,000, so I'll start from there.",
    "In this session we moved NAME to its own module; the imports are not fixed.",
    "The rebase of NAME onto main left a merge conflict in the lock file, to finish by Friday.",
    "Status: NAME is deployed to staging, production follows after lunch.",
    "NAME: reverted the cache change in this pull request until the flake is understood.",
    "Tried three ways to speed NAME up, none worked so far; see issue 57.",
    "The current ticket only needs the NAME export, so the import is stubbed.",
    "We're now on step four of the NAME migration, task-017 is still open.",
    "NAME is temporarily pinned to 2.3 while #933 is open.",
    "The NAME upload broke after the update, ask Jo when she is back.",
)

# Durable entries that use the same words, and hold beyond any one task.
FINE_NOTES: Sequence[str] = (
    "Never leave a TODO comment in NAME without the number of its ticket.",
    "Every pull request to NAME carries a line in the changelog.",
    "Branches of NAME are named after the ticket, such as BIRD-12.",
    "NAME shows today's sightings first, then those of yesterday.",
    "A NAME task must not touch more than one region.",
    "The status page of NAME lists what is in progress and what is done.",
    "NAME keeps the current season in one file and older ones apart.",
    "Work in NAME always starts from the oldest open ticket.",
    "The NAME form says \"not yet counted\" where a site has no number.",
    "Debugging output of NAME goes to standard error, so that pipes stay clean.",
    "NAME's next-step button stays grey until the form is complete.",
    "The retry of NAME waits ten seconds because the remaining quota resets by then.",
    "Decided against feature branches in NAME: the office works on one line.",
    "The word \"temporary\" in NAME's file names means that the nightly job may delete it.",
    "NAME follows ISO-8601 and RFC-3339 for dates, which all clients read.",
    "Only the warden may close a NAME session.",
    "NAME numbers its bugs from #1 each season, since the old tracker did so.",
    "Whoever finds NAME half finished asks its author before touching it.",
    "Status messages of NAME are one line long, as volunteers read them on a watch.",
    "The tomorrow tab of NAME is built from the tide table, not from the rota.",
    "NAME plots the tide of today from table #2 of the harbour office.",
)

# (first, second): one thing said twice in nearly the same words.
NEAR: Sequence[tuple[str, str]] = (
    ("The NAME gateway drops mail without a site code in its subject line.",
     "The NAME gateway drops mails without a site code in their subject line."),
    ("Sheets for NAME are printed on yellow paper so that they are found in the grass.",
     "Sheets for NAME are printed on yellow paper, so they are easily found in the grass."),
    ("The NAME team answers letters from schools before those from clubs.",
     "The NAME team answers letters from schools before the ones from clubs."),
    ("Photographs in NAME carry the name of the warden and of the hide.",
     "Photographs in NAME carry the names of the warden and the hide."),
    ("Visitors to NAME park behind the church and walk along the dyke.",
     "Visitors to NAME park behind the church and then walk along the dyke."),
    ("The NAME index is rebuilt each night from the sheets in the cabinet.",
     "Each night the NAME index is rebuilt from the sheets in the cabinet."),
    ("A ring that NAME cannot read is written down with question marks.",
     "A ring that NAME cannot read is noted down with question marks."),
    ("Boats of NAME keep clear of the sandbank while seals are resting there.",
     "Boats of NAME keep well clear of the sandbank while seals are resting there."),
    ("The NAME report lists rare species by the shore on which they were seen.",
     "The NAME report lists rare species by the shore where they were seen."),
    ("Keys to the NAME hide hang in the kitchen beside the barometer.",
     "The keys to the NAME hide hang in the kitchen, beside the barometer."),
    ("New helpers of NAME go out with somebody who knows the paths.",
     "New helpers of NAME go out together with somebody who knows the paths."),
    ("The NAME database stores heights above the lowest tide of the year.",
     "The NAME database stores heights over the lowest tide of the year."),
)

# (first, second): alike in their words, and another thing.
NEARLY: Sequence[tuple[str, str]] = (
    ("The NAME archive keeps the sheets of the coast for 9 years.",
     "The NAME archive keeps the sheets of the coast for 7 years."),
    ("Dogs are allowed on the NAME path in winter.", "Dogs are not allowed on the NAME path in winter."),
    ("The NAME count of the marsh was moved to 2026-03-01.", "The NAME count of the marsh was moved to 2026-04-01."),
    ("The importer of NAME writes one file for each site and day.",
     "The importer of OTHER writes one file for each site and day."),
    ("The west gate of NAME opens at sunrise for the early walkers.",
     "The east gate of NAME opens at sunset for the late walkers."),
    ("NAME sends letters to the schools of the district in spring.",
     "NAME sends boxes to the clubs of the district in autumn."),
    ("The NAME form has a field for wind.", "The NAME form has no field for wind."),
    ("Volunteers of NAME get their tea in the hut before the walk.",
     "Volunteers of OTHER get their soup in the hall after the walk."),
    ("The sheets of NAME are signed by the warden alone.", "The sheets of NAME are signed by two wardens together."),
    ("NAME accepts counts from the shore team until midnight.",
     "NAME never accepts counts from the shore team until midnight."),
    ("The upper hide of NAME is for people with a permit.", "The lower hide of OTHER is for people with a child."),
    ("NAME rounds wind speeds up to whole numbers.", "NAME rounds water levels down to whole numbers."),
)

# (a tombstone's title, a candidate that takes it up)
REPEATS: Sequence[tuple[str, str]] = (
    ("Counting NAME by drone", "Counting NAME by drone"),
    ("Paper maps for NAME", "Paper maps for NAME."),
    ("A NAME newsletter", "A NAME newsletter"),
    ("NAME in the cloud", "NAME in the cloud"),
    ("Live video from NAME", "**Live video from NAME**"),
    ("Open gates at NAME", "open gates at NAME"),
    ("Pagers for NAME wardens", "Use pagers for the NAME wardens"),
    ("Plastic rings at NAME", "We could use plastic rings at NAME again"),
    ("NAME on SQLite", "Keep NAME on SQLite"),
    ("Voice notes in NAME", "Allow voice notes in the NAME app"),
    ("NAME ferry tickets", "Sell NAME ferry tickets online"),
    ("Counting NAME from drones", "Let a small aircraft with a camera fly over NAME for the census"),
    ("Night walks around NAME", "Offer night walks around NAME to schools"),
)

# The same words in a candidate that takes up nothing.
FINE_REPEATS: Sequence[tuple[str, str]] = (
    ("Scanning NAME sheets",
     "The box with old sheets that someone was scanning for NAME stands in the hall and has to move out"),
    ("NAME by telephone",
     "Take the page about reaching NAME by telephone off the website, three visitors asked why nobody answers"),
    ("Feeding ducks at NAME", "The sign about feeding ducks at NAME is broken and the harbour office wants a new one of wood"),
    ("A shop at NAME", "The visitors of NAME ask for warm drinks"),
    ("NAME loyalty cards", "The cards of NAME fade in the sun"),
    ("Fences along NAME", "Walks along NAME are longest in June"),
    ("NAME by submarine", "Submarine cables end near the hut"),
    ("Robot wardens for NAME", "Wardens of NAME prefer bicycles"),
    ("Free parking at NAME", "Parking behind the church fills up by nine"),
    ("NAME sound system", "Sound clips of NAME need less noise from the road and from the generator behind the system cabinet"),
    ("Printing NAME daily", "Printing takes an hour"),
    ("The NAME night bus", "The night bus of NAME is late"),
    ("NAME gift vouchers",
     "Someone left vouchers for a gift shop in the drawer of the old NAME desk, with a note for the treasurer"),
)
