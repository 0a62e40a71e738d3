"""One transaction on the disk: prepared, carried out, rolled back, closed (DESIGN, Transactions).

Every change of a target is one atomic step after which the disk is looked at again: what came out from under a name must
be what was expected there, else it goes back and nothing of it is lost. Nothing is remembered between two steps but the
journal, so that a rollback after an error and a recovery after a crash are the same code.
"""

from __future__ import annotations

import contextlib
import errno
import os
from collections.abc import Iterator

from memdesk.core.transaction.files import Unsupported
from memdesk.core.transaction.ground import ASIDE, GENERATION, JOURNAL, OUTCOME, PREPARING, PURGING, Ground
from memdesk.core.transaction.journal import Change, Journal, encode
from memdesk.core.transaction.problems import Foreign
from memdesk.core.transaction.staging import Staging


class Commit(Staging):
    """The steps of one journal. Callers hold the lock. All raise OSError; Foreign where someone else's text was met."""

    def __init__(self, ground: Ground, journal: Journal) -> None:
        super().__init__(ground, journal)
        self.written: set[str] = set()  # paths that this process brought to their after

    def prepare(self) -> None:
        """Writes journal and new texts, lastingly; from its end on a crash is recovered from. Leaves nothing if it fails."""
        new = self.folder + PREPARING
        try:
            self.files.mkdir(new, 0o700)
            for number, item in enumerate(self.journal.changes):
                if item.after is not None and not self._aside(item):
                    with self._about(item):
                        self._write(f"{new}/s{number}", item, item.after)
            self.files.write(f"{new}/{JOURNAL}", encode(self.journal))
            self.files.fsync(f"{new}/{JOURNAL}")
            self.files.fsync_dir(new)
            self.files.rename(new, self.folder)
            self.files.fsync_dir(self.ground.transactions)
        except BaseException:
            with contextlib.suppress(OSError):
                if self.files.stat(self.folder) is not None:
                    self.files.rename(self.folder, new)
                self.ground.remove(new)
            raise

    def carry_out(self) -> None:
        """Brings every target that is as before to its after. What is after already stays."""
        self._announce()
        for folder in self.journal.made:
            self._mkdir(folder)
        for number, item in enumerate(self.journal.changes):
            state = self.state(item)
            if state == "foreign":
                raise Foreign(item.path)
            if state == "before":
                self._put(number, item, item.before, item.after)
                self.written.add(item.path)
        self._unmake(self.journal.unmade)
        late = self.strangers()  # old texts that were still written to after they had been taken out
        if late:
            raise Foreign(late[0])
        self._settle()

    def roll_back(self) -> list[str]:
        """Brings every target that is as after back to its before, and returns the paths that hold someone else's text."""
        self.rescue()
        foreign: list[str] = []
        for number, item in reversed(list(enumerate(self.journal.changes))):
            state = self.state(item)
            if state == "after":
                try:
                    self._put(number, item, item.after, item.before)
                except Foreign:
                    foreign.append(item.path)
            elif state == "foreign":
                foreign.append(item.path)
        self._unmake(self.journal.made)
        for folder in self.journal.unmade:
            with contextlib.suppress(Foreign):
                self._parents(f"{folder}/x")
        self._settle()
        return foreign[::-1]

    def rescue(self) -> None:
        """Brings back under their names texts of others that a step took out and could not look at any more."""
        for number, item in enumerate(self.journal.changes):
            for text in self._strangers(number, item):
                target = self.ground.target(item.real)
                if self.state(item) != "after":
                    continue  # its name is taken by something newer: it stays with us, and close() keeps it
                self._touch(target)
                if item.after is None:
                    with contextlib.suppress(FileExistsError):
                        self.files.rename_new(text, target)
                else:
                    self._swap(number, item, text, target)

    def close(self, outcome: bytes | None = None) -> None:
        """The mark of a committed transaction: its folder becomes history. With `outcome` it says how it ended instead."""
        if outcome is not None:
            path = f"{self.folder}/{OUTCOME}"
            if self.files.stat(path) is not None:
                self.files.unlink(path)
            self.files.write(path, outcome)
            self.files.fsync(path)
            self.files.fsync_dir(self.folder)
        suffix = PURGING if self.journal.purges and outcome is None else ""
        self.files.rename(self.folder, f"{self.ground.history}/{self.journal.id}{suffix}")
        with contextlib.suppress(OSError):  # the targets last already: if the mark does not, recovery sets it again
            self.files.fsync_dir(self.ground.history)
            self.files.fsync_dir(self.ground.transactions)

    def discard(self) -> None:
        """Forgets a transaction whose targets are all as before."""
        new = self.folder + PREPARING
        self.files.rename(self.folder, new)
        # A journal that lost its texts before its name would look like a damaged one.
        self.files.fsync_dir(self.ground.transactions)
        with contextlib.suppress(OSError):
            self.ground.remove(new)  # what is left of it counts for nothing, and the next writer removes it

    def state(self, item: Change) -> str:
        """Whether a target is "before", "after" or "foreign"."""
        target = self.ground.target(item.real)
        found = self.files.stat(target)
        if self.files.resolve(target) != target:
            return "foreign"  # it, or a folder above it, is a link now: what is behind it is none of ours
        if found is None:
            return "before" if item.before is None else "after" if item.after is None else "foreign"
        if found.kind != "file":
            return "foreign"
        data = self.files.read(target)
        return "after" if data == item.after else "before" if data == item.before else "foreign"

    def strangers(self) -> list[str]:
        """Paths of which a text that is neither before nor after lies in our folder."""
        return [item.path for number, item in enumerate(self.journal.changes) if any(self._strangers(number, item))]

    def _announce(self) -> None:
        """Tells readers that targets are about to change: whoever read meanwhile reads again."""
        path = f"{self.ground.transactions}/{GENERATION}"
        temporary = path + PREPARING
        if self.files.stat(temporary) is not None:
            self.files.unlink(temporary)
        previous = self.ground.read(path) or b""
        count = int(previous.split(b" ")[0]) + 1 if previous[:1].isdigit() else 1
        self.files.write(temporary, f"{count} {self.journal.id}".encode())
        self.files.rename(temporary, path)

    def _put(self, number: int, item: Change, expected: bytes | None, new: bytes | None) -> None:
        """One target from `expected` to `new`. Raises Foreign when something else was there, which then is there again."""
        with self._about(item):
            self._bring(number, item, expected, new)

    def _bring(self, number: int, item: Change, expected: bytes | None, new: bytes | None) -> None:
        target = self.ground.target(item.real)
        if new is None:
            self._take_out(number, item, target, expected)
            return
        self._parents(item.real)
        staged = self._staged(number, item, new)
        if self.files.resolve(target) != target:
            raise Foreign(item.path)
        try:
            self._place(number, item, staged, target, expected)
        except OSError as error:
            if error.errno != errno.EXDEV or os.path.dirname(staged) != self.folder:
                raise
            self._place(number, item, self._stage(number, item, new, aside=True), target, expected)
        self._touch(target)

    @contextlib.contextmanager
    def _about(self, item: Change) -> Iterator[None]:
        """An error names the file that it is about, not our name for its text."""
        try:
            yield
        except OSError as error:
            error.filename, error.filename2 = self.ground.target(item.path), None
            raise

    def _place(self, number: int, item: Change, staged: str, target: str, expected: bytes | None) -> None:
        if expected is None:
            try:
                self.files.rename_new(staged, target)
            except FileExistsError:
                raise Foreign(item.path) from None
            return
        try:
            self.files.exchange(staged, target)
        except FileNotFoundError:
            raise Foreign(item.path) from None
        except Unsupported:
            self._replace(number, item, staged, target, expected)
            return
        self._touch(target)
        if not self._holds(staged, expected):
            self.files.exchange(staged, target)
            raise Foreign(item.path)

    def _replace(self, number: int, item: Change, staged: str, target: str, expected: bytes) -> None:
        """Without an exchange of names: the old file keeps a second name with us, so that its text can be looked at after."""
        if not self._holds(target, expected):
            raise Foreign(item.path)
        new = self.files.read(staged)
        kept = self._over(number, item, staged, target)
        self._touch(target)
        if kept is not None and not self._holds(kept, expected):
            if self._holds(target, new):  # else a third text has the name by now; this one stays with us, and close() keeps it
                self._over(number, item, kept, target)
            raise Foreign(item.path)

    def _over(self, number: int, item: Change, text: str, target: str) -> str | None:
        """Gives a text the target's name, without an exchange. What had it keeps a second name with us, which is returned;
        None where there are no links.

        What a rename puts under the name between the two steps is lost: docs/trust.md says so.
        """
        kept: str | None = self._free(number, os.path.dirname(text) != self.folder, item)
        assert kept is not None
        try:
            self.files.link(target, kept)
        except FileNotFoundError:
            raise Foreign(item.path) from None
        except OSError as error:
            if error.errno not in (errno.EPERM, errno.ENOTSUP, errno.EMLINK, errno.ENOSYS):
                raise
            kept = None
        self.files.rename(text, target)
        return kept

    def _take_out(self, number: int, item: Change, target: str, expected: bytes | None) -> None:
        out = self._free(number, False, item)
        try:
            try:
                self.files.rename(target, out)  # nothing has that name: a plain rename overwrites nothing
            except OSError as error:
                if error.errno != errno.EXDEV:
                    raise
                out = self._free(number, True, item)
                self.files.rename(target, out)
        except FileNotFoundError:
            raise Foreign(item.path) from None
        self._touch(target)
        if expected is None or not self._holds(out, expected):
            with contextlib.suppress(FileExistsError):
                self.files.rename_new(out, target)
            raise Foreign(item.path)

    def _swap(self, number: int, item: Change, text: str, target: str) -> None:
        """Puts a stranger's text back under its name, ours out."""
        try:
            try:
                self.files.exchange(text, target)
            except Unsupported:
                with contextlib.suppress(Foreign):  # nothing has the name any more: it stays with us
                    self._over(number, item, text, target)
        except OSError as error:
            if error.errno != errno.EXDEV or os.path.dirname(text) != self.folder:
                raise
            self.files.rename(self._stage(number, item, self.files.read(text), aside=True), target)
            self.files.unlink(text)

    def _parents(self, real: str) -> None:
        """Makes the folders that a file needs and that are gone (an undo's restore)."""
        missing: list[str] = []
        folder = os.path.dirname(real)
        while folder and self.files.stat(self.ground.target(folder)) is None:
            missing.append(folder)
            folder = os.path.dirname(folder)
        for name in reversed(missing):
            self._mkdir(name)

    def _mkdir(self, folder: str) -> None:
        path = self.ground.target(folder)
        if self.files.resolve(path) != path:
            raise Foreign(folder)  # not through a link that came between
        with contextlib.suppress(FileExistsError):
            self.files.mkdir(path)
        self._touch(path)
        self._touched.setdefault(path)

    def _unmake(self, folders: tuple[str, ...]) -> None:
        """Takes folders away where they are empty, innermost first."""
        for folder in sorted(folders, key=len, reverse=True):
            path = self.ground.target(folder)
            found = self.files.stat(path)
            if found is not None and found.kind == "folder" and not self._names_beside(path):
                self._sweep(path)
                with contextlib.suppress(OSError):  # an empty folder more is no harm
                    self.files.rmdir(path)
                self._touch(path)
                self._touched.pop(path, None)

    def _names_beside(self, folder: str) -> list[str]:
        mine = f"{ASIDE}{self.journal.id}-"
        return [name for name in self.files.list(folder) if not name.startswith(mine)]

    def _settle(self) -> None:
        """Takes away what lies beside the targets (someone else's text moves to our folder), and syncs what was touched."""
        for number, item in enumerate(self.journal.changes):
            for path in self._texts(number, item):
                found = self.files.stat(path)
                if os.path.dirname(path) == self.folder or found is None or found.kind != "file":
                    continue
                data = self.files.read(path)
                if data not in (item.before, item.after):
                    kept = self._free(number, False, item)
                    self.files.write(kept, data)
                    self.files.fsync(kept)
                    self.files.fsync_dir(self.folder)
        # Not only what this process touched: the one before it may have been killed with nothing synced.
        for item in self.journal.changes:
            self._touch(self.ground.target(item.real))
        for name in (*self.journal.made, *self.journal.unmade):
            self._touch(self.ground.target(name))
        self._touched.setdefault(self.folder)
        for folder in list(self._touched):
            if folder != self.folder:
                self._sweep(folder)
        for folder in list(self._touched):
            if self.files.stat(folder) is not None:
                self.files.fsync_dir(folder)
        self._touched.clear()
