"""The registry of actions: unique, documented, remappable, never without a way out."""

from __future__ import annotations

import pytest

from memdesk.core.errors import UsageError
from memdesk.tui import keymaps, verbs
from memdesk.tui.acts import Acts
from memdesk.tui.allowed import Situation
from memdesk.tui.panes import SEATS, make


def test_ids_and_keys_are_unique_where_they_meet() -> None:
    assert len(verbs.BY_ID) == len(verbs.VERBS)
    assert keymaps.checked_keymap({}) == {}
    for seat in SEATS:
        keys = [key.strip() for verb in verbs.of_pane(seat.name) for key in verb.key.split(",")]
        assert len(keys) == len(set(keys)), seat.name
        assert not set(keys) & {"j", "k", "g", "G", *"123456"}, "keys of every list and of the panes"


def test_no_action_hangs_on_a_key_that_terminals_swallow() -> None:
    for verb in verbs.VERBS:
        assert not set(verb.key.split(",")) <= {"ctrl+enter", "ctrl+i", "ctrl+m", "ctrl+h", "ctrl+j"}, verb.id


def test_every_action_has_words_and_someone_who_carries_it_out() -> None:
    panes = [make(seat) for seat in SEATS]
    for verb in verbs.VERBS:
        assert verb.label, verb.id
        assert verb.help.endswith("."), verb.id
        name = "do_" + verb.id.replace("-", "_")
        offered = [pane for pane in panes if not verb.panes or pane.name_ in verb.panes]
        if verb.panes and offered:
            assert all(hasattr(pane, name) or hasattr(Acts, name) for pane in offered), f"nobody carries out {verb.id}"


def test_verdicts_start_on_confirm_but_for_those_that_cannot_be_undone() -> None:
    assert {verb.id for verb in verbs.VERBS if verb.start == "cancel"} == {"forget", "clear"}


@pytest.mark.parametrize(
    ("keymap", "message", "remedy"),
    [
        ({"promot": "x"}, "keymap.promot: no such action.", "Did you mean 'promote'?"),
        ({"promote": " "}, "keymap.promote: no key.", "Write a key"),
        ({"promote": "s"}, "keymap: 's' is the key of both 'promote' and 'strike'.", "another key"),
        ({"search": "p"}, "is the key of both", "another key"),
        ({"zzzzzz": "x"}, "no such action", "Ids: promote, strike"),
    ],
)
def test_a_keymap_that_cannot_be_is_refused_with_the_remedy(keymap: dict[str, str], message: str, remedy: str) -> None:
    with pytest.raises(UsageError) as caught:
        keymaps.checked_keymap(keymap)
    assert message in caught.value.message
    assert remedy in caught.value.remedy


def test_keys_may_be_swapped() -> None:
    assert keymaps.checked_keymap({"promote": "s", "strike": "p"}) == {"promote": "s", "strike": "p"}


def test_shown_keys_are_the_real_ones() -> None:
    promote = verbs.BY_ID["promote"]
    assert keymaps.shown_key(promote, {}) == "p"
    assert keymaps.shown_keys(promote, {"promote": "x, ctrl+x"}) == ["x", "^x"]
    assert keymaps.shown_key(verbs.BY_ID["help"], {}) == "?"
    binding = next(each for each in keymaps.bindings("inbox", {"promote": "x"}) if each.id == "promote")
    assert (binding.key, binding.action) == ("x", "verb('promote')")


@pytest.mark.parametrize(
    ("ident", "situation", "why"),
    [
        ("promote", Situation("inbox", 1), ""),
        ("promote", Situation("inbox", 0), "Nothing is selected."),
        ("promote", Situation("inbox", 1, read_only="No permission."), "No permission."),
        ("merge", Situation("inbox", 2), "It takes one entry at a time."),
        ("snooze", Situation("inbox", 1, read_only="No permission."), ""),
        ("undo", Situation("inbox", undoable=False), "Nothing to undo."),
        ("commit", Situation("inbox", git=False), "There is no git repository here."),
        ("help", Situation("inbox"), ""),
    ],
)
def test_when_an_action_is_allowed(ident: str, situation: Situation, why: str) -> None:
    assert verbs.BY_ID[ident].refuse(situation) == why


def test_the_documentation_names_every_action() -> None:
    table = keymaps.documentation()
    assert all(f"| `{verb.id}` |" in table for verb in verbs.VERBS)
