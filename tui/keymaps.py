"""The keys of actions: as Textual binds them, as a person reads them, and as the configuration changes them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from memdesk.core.lean import TYPE_CHECKING
from memdesk.tui import verbs

if TYPE_CHECKING:
    from textual.binding import BindingType

    from memdesk.tui.verbs import Verb

# Kept whatever the keymap says, so that nobody is locked in.
ALWAYS_QUIT = "ctrl+q"


def keys(verb: Verb, keymap: Mapping[str, str]) -> str:
    """The keys of an action as Textual names them, separated by commas."""
    return keymap.get(verb.id, verb.key)


def shown_key(verb: Verb, keymap: Mapping[str, str]) -> str:
    """The first key of an action as a person reads it: `^p`, `space`, `/`."""
    return shown_keys(verb, keymap)[0]


def shown_keys(verb: Verb, keymap: Mapping[str, str]) -> list[str]:
    """All keys of an action as a person reads them."""
    named = [key.strip() for key in keys(verb, keymap).split(",")]
    return ["^" + key.removeprefix("ctrl+") if key.startswith("ctrl+") else _NAMES.get(key, key) for key in named]


def bindings(pane: str | None, keymap: Mapping[str, str] | None = None) -> list[BindingType]:
    """The bindings of a pane's own actions, or for None of those that are everywhere."""
    from textual.binding import Binding

    chosen = [verb for verb in verbs.VERBS if (pane in verb.panes if pane else not verb.panes)]
    return [
        Binding(
            keys(verb, keymap or {}), f"verb('{verb.id}')", verb.label, id=verb.id, tooltip=verb.help, show=bool(verb.footer)
        )
        for verb in chosen
    ]


def checked_keymap(keymap: Mapping[str, str]) -> dict[str, str]:
    """A keymap of the configuration, normalised. Raises UsageError, with the nearest name, for an id that does not exist,
    for an empty key and for two actions of one pane on one key."""
    from memdesk.core.errors import UsageError

    for ident, key in keymap.items():
        if ident not in verbs.BY_ID:
            raise UsageError(f"keymap.{ident}: no such action.", remedy=_nearest(ident))
        if not key.strip(" ,"):
            raise UsageError(f"keymap.{ident}: no key.", remedy="Write a key such as \"x\", \"ctrl+x\" or \"f2\".")
    taken: dict[tuple[str, str], str] = {}
    for verb in verbs.VERBS:
        for key in (part.strip() for part in keys(verb, keymap).split(",")):
            for pane in verb.panes or ("",):
                for where in (pane, "") if pane else ("", *verbs.ENTRIES):
                    other = taken.get((where, key))
                    if other and other != verb.id:
                        raise UsageError(
                            f"keymap: {key!r} is the key of both {other!r} and {verb.id!r}.",
                            remedy="Give one of them another key.",
                        )
                taken[pane, key] = verb.id
    return {ident: ",".join(part.strip() for part in key.split(",")) for ident, key in keymap.items()}


def documentation(chosen: Iterable[Verb] = verbs.VERBS) -> str:
    """A Markdown table of all actions, for the user guide."""
    rows = [
        f"| `{verb.id}` | `{shown_key(verb, {})}` | {verb.label} | {', '.join(verb.panes) or 'all'} | {verb.help} |"
        for verb in chosen
    ]
    return "\n".join(["| id | key | action | panes | does |", "| --- | --- | --- | --- | --- |", *rows]) + "\n"


def _nearest(ident: str) -> str:
    import difflib

    close = difflib.get_close_matches(ident, verbs.BY_ID, n=1, cutoff=0.4)
    return f"Did you mean {close[0]!r}?" if close else "Ids: " + ", ".join(verbs.BY_ID) + "."


_NAMES = {
    "less_than_sign": "<", "greater_than_sign": ">", "slash": "/", "question_mark": "?", "space": "space", "enter": "⏎",
    "escape": "esc",
}
