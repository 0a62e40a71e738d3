"""Where a candidate goes that an answer to the questions of promoting speaks against: to what won't last, or out."""

from __future__ import annotations

from textual.binding import Binding

from memdesk.core import questions
from memdesk.core.errors import MemdeskError, Refused
from memdesk.core.layouts.base import Destination
from memdesk.tui.dialogs.filled import Filled
from memdesk.tui.widgets.paint import Piece
from memdesk.tui.widgets.reading import Para


class Declined(Filled):
    """A form whose refusal may be the person's own answer: then two keys lead on."""

    BINDINGS = [
        Binding("ctrl+l", "pass_on", "What won't last", show=False), Binding("ctrl+r", "reject", "Reject instead", show=False),
    ]
    _declined = ""  # the question whose answer stands against promoting, while that is on screen

    def decline(self, error: MemdeskError) -> list[Para]:
        """The keys that lead on, where an answer is why there is no plan; else nothing."""
        field = error.field if isinstance(error, Refused) else None
        if self.rejected:
            return self.way_on()
        against = self.verb.id == "promote" and field in questions.AGAINST and self.request().words.get(field or "") != "unsure"
        self._declined = field or "" if against else ""
        if not against:
            return []
        passing = self._passing
        lines = [("^l", f"puts it in {passing.label} instead")] if passing is not None else []
        return [
            Para((Piece(f"  {key}  ", "key"), Piece(words)), hang=6) for key, words in [*lines, ("^r", "rejects it instead")]
        ]

    @property
    def rejected(self) -> bool:
        """Whether what is to be struck is rejected in its store, where nothing new is said."""
        return self._ground is not None and self._ground.rejected

    def way_on(self) -> list[Para]:
        """The key that leads on where nothing new holds."""
        return [Para((Piece("  ^r  ", "key"), Piece("rejects it instead: nothing holds in its place")), hang=6)]

    @property
    def _passing(self) -> Destination | None:
        """Where the store of the chosen place keeps what won't last."""
        if self._ground is None or self._to is None:
            return None
        ident = self._ground.passing.get(self._to.value or "", "")
        return next((place for place in self._ground.destinations if place.id == ident), None)

    def action_pass_on(self) -> None:
        """Put it where what won't last is kept, since an answer says that it won't."""
        passing = self._passing
        if self._declined and passing is not None and self._to is not None and self._ground is not None:
            self._to.choose([place.id for place in self._ground.destinations].index(passing.id))

    def action_reject(self) -> None:
        """Reject it instead; the answer is proposed as the reason."""
        if self._declined or self.rejected:
            from memdesk.tui.dialogs.verdict import open_verdict

            why = questions.AGAINST[self._declined][1] if self._declined else ""
            said = self.request().words.get("reason", "")
            bench, ids, words = self.bench, self.ids, {"reason": f"{why[0].upper()}{why[1:]}." if why else said}
            self.dismiss(None)
            bench.call_later(open_verdict, bench, "reject", ids, words)
