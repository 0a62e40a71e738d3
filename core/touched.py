"""The day on which git last saw a file change: asked once for all files, when the first of them is asked for."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

from memdesk.core.errors import GitError

if TYPE_CHECKING:
    from memdesk.core.git import Git

MOST = 20_000  # commits that are looked through; of a file that only older ones changed nothing is said
PATIENCE = 60.0  # seconds


class Touched:
    """Path -> the day of the last commit that changed it: today where the working tree changed it since, None for one that was
    never committed, and for all where git fails; `fault` then says how. Merges change nothing themselves. None too, with a
    `fault`, for a file that nothing changed since the history of a shallow clone is cut."""

    def __init__(self, git: Git, today: date) -> None:
        self._git = git
        self._today = today
        self._days: dict[str, date] | None = None
        self._untold: set[str] = set()
        self.fault: GitError | None = None

    def __call__(self, path: str) -> date | None:
        if self._days is None:
            try:
                self._days = self._read()
            except GitError as error:
                self._days, self.fault = {}, error
        if path in self._untold and self.fault is None:
            from memdesk.core.gitfaults import cut

            self.fault = cut(self._git, f"it is not known here when {path} was last changed, and maybe not of others")
        return self._days.get(path)

    def _read(self) -> dict[str, date]:
        from memdesk.core.git import MEMORY
        from memdesk.core.gitdiff import name
        from memdesk.core.gitfaults import ends

        git = self._git
        if git.head is None:
            return {}
        words = ["log", f"-n{MOST}", "--no-merges", "--no-renames", "--name-only", "--relative", "-z", "--date=format:%Y-%m-%d"]
        out = git.run([*words, "--format=%x01%H %cd", "HEAD", "--", *MEMORY], timeout=PATIENCE)
        found: dict[str, date] = {}
        cut_off = ends(git)
        for commit in out.split(b"\x01")[1:]:
            said, *names = commit.replace(b"\n", b"\0", 1).split(b"\0")
            rev, _, when = said.decode("ascii", "replace").partition(" ")
            if rev in cut_off:  # it looks as if it had made all that is in it
                self._untold.update(name(raw.strip(b"\n")) for raw in names)
                continue
            try:
                day = date.fromisoformat(when)
            except ValueError:
                continue  # a year that no calendar here has
            for raw in names:
                if raw.strip(b"\n"):
                    found.setdefault(name(raw.strip(b"\n")), day)
        changed = git.run(["diff", "--name-only", "--no-renames", "--relative", "-z", "HEAD", "--", *MEMORY], timeout=PATIENCE)
        found.update((name(raw), self._today) for raw in changed.split(b"\0") if raw)
        self._untold.difference_update(found)
        return found
