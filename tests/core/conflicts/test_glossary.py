"""Terms that memory defines otherwise, words to avoid that it uses as titles, and what is neither."""

from __future__ import annotations

import pytest

from memdesk.core.conflicts import find
from memdesk.core.layouts.texts import to_avoid
from tests.support.sources import GLOSSARY, HOME, clashes, decision, memory, over

WORDS = {"CONTEXT.md": GLOSSARY}
SITE, COUNT = "CONTEXT.md:5", "CONTEXT.md:9"


@pytest.mark.parametrize(("files", "place"), [
    ({"constraints": "- **Site**: the web site.\n"}, "constraints.md:3"),
    ({"constraints": "- [stated] **Site** — the web site.\n"}, "constraints.md:3"),
    ({"constraints": "- **Site:** the web site.\n"}, "constraints.md:3"),
    ({"decisions": decision("site", "The web site.")}, "decisions.md:3"),
    ({"decisions": decision("Names", "We call it so:\n\n**Site**: the web site.")}, "decisions.md:8"),
    ({"preferences": "# Preferences\n\n## Site\n\nThe web site.\n"}, "preferences.md:3"),
])  # fmt: skip
def test_a_term_with_another_text_is_possible(files: dict[str, str], place: str) -> None:
    assert clashes(WORDS, memory(**files)) == [("term", False, [SITE, f"{HOME}/{place}"])]


@pytest.mark.parametrize("text", [
    "- **Site**: A place where birds are counted.\n",  # the same text
    "- **Site**: a place  where *birds* are counted\n",
    "- **Site**: A place where birds are counted. There are 40.\n",  # the glossary's, and more
    "- **Sites**: the web sites.\n",  # another word
    "- The **Site**: bold, but not at the start.\n",
    "- **Site** counts are weekly.\n",
    "- `**Site**`: the web site.\n",
    "- Words:\n\n  > **Site**: the web site.\n",
    "- Words:\n\n  ```\n  **Site**: the web site.\n  ```\n",
    "- ~~**Site**: the web site.~~ struck 2026-01-01\n",
    "- **Site**:\n",
])  # fmt: skip
def test_what_defines_no_term_otherwise(text: str) -> None:
    assert clashes(WORDS, memory(constraints=text)) == []


@pytest.mark.parametrize(("files", "place", "term"), [
    ({"decisions": decision("One spot for each bay")}, "decisions.md:3", SITE),
    ({"decisions": decision("A counting point, at each bay")}, "decisions.md:3", SITE),
    ({"decisions": decision("Tally by night")}, "decisions.md:3", COUNT),
    ({"preferences": "# Preferences\n\n## Spot\n\nSmall.\n"}, "preferences.md:3", SITE),
    ({"constraints": "- **Tally**: birds of a day.\n"}, "constraints.md:3", COUNT),
])  # fmt: skip
def test_a_word_to_avoid_in_a_title_is_exact(files: dict[str, str], place: str, term: str) -> None:
    assert clashes(WORDS, memory(**files)) == [("alias", True, [term, f"{HOME}/{place}"])]


@pytest.mark.parametrize("files", [
    {"decisions": decision("Spotlights at night")},
    {"decisions": decision("Say site and not `spot`")},
    {"decisions": decision('No more "spot" in the code')},
    {"decisions": decision("Counting at a point")},
    {"decisions": decision("One spot a bay").replace("## 2026", "## ~~2026").replace("bay\n", "bay~~\n", 1)},
    {"decisions": decision("Bays", "One spot for each bay; see the spot.")},  # no title
    {"preferences": "# Preferences\n\n## Spot colours\n\nSmall.\n"},  # a heading that is not the word, outside decisions
    {"constraints": "- One spot for each bay.\n"},
    {"inbox": "## 2026-11-20\n\n- **Tally**: what we have.\n"},
    {"do_not_use": "## Tombstone: Spot prices\n\nReason: none. Date: 2026-01-01.\n"},
])  # fmt: skip
def test_what_uses_no_word_to_avoid(files: dict[str, str]) -> None:
    assert clashes(WORDS, memory(**files)) == []


def test_a_word_of_a_longer_term_or_a_term_of_its_own_is_no_alias() -> None:
    more = GLOSSARY + "\n**Spot check**:\nA second count.\n\n**Tally**:\nMarks on paper.\n"
    texts = memory(decisions=decision("Every spot check is signed") + decision("A tally on paper"))
    assert clashes({"CONTEXT.md": more}, texts) == []


def test_the_nearest_glossary_holds_and_a_neighbour_s_does_not() -> None:
    words = {
        "CONTEXT.md": GLOSSARY, "packages/web/CONTEXT.md": "# Words\n\n**Site**:\nThe web site.\n",
        "packages/api/CONTEXT.md": "# Words\n\n**Route**:\nA way in.\n_Avoid_: path\n",
        "packages/web/package.json": "{}", "packages/api/package.json": "{}",
    }
    web = memory("packages/web/docs/memory", constraints="- **Site**: The web site.\n\n- **Route**: a page.\n")
    assert clashes(words, web) == []
    root = memory(constraints="- **Site**: The web site.\n", decisions=decision("One path in"))
    assert clashes(words, root) == [("term", False, ["CONTEXT.md:5", f"{HOME}/constraints.md:3"])]


def test_the_words_to_avoid_without_what_is_said_about_them() -> None:
    text = "# W\n\n**Site**:\nA place.\n_Avoid_: spot (it is paint), `point`; \"counting place\" or hide.\n"
    (entry,) = over({"CONTEXT.md": text}).documents["CONTEXT.md"].entries
    assert to_avoid(entry.fields["avoid"]) == ["spot", "point", "counting place", "hide"]


def test_what_is_said_of_it() -> None:
    (clash,) = find(over(WORDS, memory(decisions=decision("One spot for each bay"))))
    assert clash.reason == "it uses 'spot' in its title; the glossary's word is 'Site'"
    assert [(weight.wins, weight.rank.level) for weight in clash.weights()] == [(True, 2), (False, 3)]
