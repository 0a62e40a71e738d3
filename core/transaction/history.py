"""What was done, newest first, for 90 days or 64 MB; forgetting one transaction, and purging a text from all of them."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime, timedelta

from memdesk.core.errors import StoreError, UsageError
from memdesk.core.lean import NamedTuple
from memdesk.core.transaction import journal as journals
from memdesk.core.transaction.ground import JOURNAL, OUTCOME, PREPARING, PURGING, UNDONE, Ground
from memdesk.core.transaction.journal import Damaged, Journal, Newer
from memdesk.core.transaction.kept import Keep, Kept, old_files

KEEP_DAYS = 90
KEEP_LEAST = 20  # of the newest, however old: one action under a clock that runs years ahead must not cost all undo
KEEP_BYTES = 64 * 1024 * 1024
LATE_SECONDS = 3600  # how long an old file stays for a program that holds it open and may still write to it
LATE_BYTES = 16 * 1024 * 1024  # and how much of them at most
WITHHELD = "(purged)"


class Transaction(NamedTuple):
    """One that was committed (or, where `outcome` isn't "committed", that recovery ended otherwise).

    `undoable`, with the `reason` where not. `at` is UTC. `undoes` is the id of the one that it took back. Older than the
    newest 100 the look at the files' present text is left out: `undo_plan` takes it.
    """

    id: str
    at: str
    by: str
    verb: str
    summary: str
    paths: tuple[str, ...]
    undoable: bool
    reason: str | None = None
    undoes: str | None = None
    outcome: str = "committed"
    new_ids: tuple[str, ...] = ()
    kept: tuple[Kept, ...] = ()  # texts of others that its folder keeps


class Past(NamedTuple):
    """A history folder as it was read: its journal's header, how it ended, the id of what undid it ("": forgotten since),
    and the id of the redo by which it is in effect again."""

    id: str
    journal: Journal | None
    outcome: str
    message: str | None
    undone_by: str | None
    redone_by: str | None = None
    kept: tuple[Kept, ...] = ()


class History:
    """The transactions in `history/`, oldest first, with a cache of headers: they change by a purge alone."""

    def __init__(self, ground: Ground) -> None:
        self.ground = ground
        self._headers: dict[str, tuple[tuple[int, int, int], Journal | None]] = {}
        self._keep = Keep(ground)

    def ids(self) -> list[str]:
        """The ids of all that is kept, the oldest first."""
        return [name.removesuffix(PURGING) for name in self.ground.names(self.ground.history) if not name.endswith(PREPARING)]

    def past(self) -> list[Past]:
        """All that is kept, newest first, with what is still in effect worked out."""
        names = [name for name in self.ground.names(self.ground.history) if not name.endswith(PREPARING)]
        self._headers = {name: header for name, header in self._headers.items() if name in names}
        undone: dict[str, str] = {}
        redone: dict[str, str] = {}
        found: list[Past] = []
        for name in reversed(names):
            ident = name.removesuffix(PURGING)
            header = self._header(name)
            kind, message = self._outcome(name)
            by = undone.get(ident)
            if by is None and self.ground.files.stat(f"{self.ground.history}/{name}/{UNDONE}") is not None:
                by = ""
            kept = self._keep.of(name, header)
            found.append(Past(ident, header, kind, message, by, redone.get(ident), kept))
            if header is not None and header.undoes and by:
                redone[header.undoes] = by
            # Only an undo that is itself in effect has undone anything: an undone undo is the redo.
            if header is not None and header.undoes and by is None and kind == "committed":
                undone[header.undoes] = ident
        return found

    def find(self, prefix: str) -> str:
        """The id that a beginning of it names. Raises UsageError for none or several."""
        ids = self.ids()
        found = [prefix] if prefix in ids else [ident for ident in ids if prefix and ident.startswith(prefix)]
        if len(found) == 1:
            return found[0]
        if found:
            raise UsageError(f"{prefix!r} begins several transactions.", remedy="Candidates: " + ", ".join(found[-8:]) + ".")
        raise UsageError(f"There is no transaction {prefix!r}.", remedy="memdesk history lists them.")

    def journal(self, ident: str) -> Journal:
        """One journal with its bytes. Raises StoreError for one that cannot be read."""
        for name in (ident, ident + PURGING):
            data = self.ground.read(f"{self.ground.history}/{name}/{JOURNAL}")
            if data is not None:
                try:
                    return journals.decode(data)
                except (Damaged, Newer) as error:
                    raise StoreError(
                        f"Transaction {ident} cannot be read: {error}.", remedy="The store is not affected."
                    ) from None
        raise StoreError(f"Transaction {ident} has no journal any more.")

    def forget(self, ident: str) -> None:
        """Takes one out, texts and all. What it had undone stays undone."""
        undone = {item.undone_by: item.id for item in self.past() if item.undone_by}
        files, folder = self.ground.files, f"{self.ground.history}/{ident}"
        if ident in undone:
            mark = f"{self.ground.history}/{undone[ident]}/{UNDONE}"
            if files.stat(mark) is None:
                files.write(mark, ident.encode())
                files.fsync(mark)
        files.rename(folder, folder + PREPARING)
        files.fsync_dir(self.ground.history)
        self.ground.remove(folder + PREPARING)

    def kept(self) -> list[Kept]:
        """Texts of others that lie in the history, those of the newest transaction first."""
        names = [name for name in self.ground.names(self.ground.history) if not name.endswith(PREPARING)]
        return [item for name in reversed(names) for item in self._keep.of(name, self._header(name))]

    def kept_text(self, item: Kept) -> bytes | None:
        """Its bytes; None where it is gone meanwhile."""
        return self.ground.read(f"{self.ground.history}/{item.id}/{item.name}")

    def tidy(self, now: datetime) -> None:
        """Lets go of what is too old or too much, of rests of a removal, and of old files that nobody wrote to late.

        A transaction that keeps a text of someone else stays, however old: only a person lets go of that (`forget`).
        Callers hold the lock. Raises OSError; nothing depends on it having come to its end.
        """
        for name in self.ground.names(self.ground.history):
            if name.endswith(PREPARING):
                self.ground.remove(f"{self.ground.history}/{name}")
        ids = self.ids()
        oldest = (now - timedelta(days=KEEP_DAYS)).strftime("%Y%m%dT%H%M%SZ")
        late = (now - timedelta(seconds=LATE_SECONDS)).strftime("%Y%m%dT%H%M%SZ")
        kept = waiting = 0
        for position, ident in enumerate(reversed(ids)):
            folder = f"{self.ground.history}/{ident}"
            names = self.ground.names(folder)
            waiting += sum(self._size(f"{folder}/{name}") for name in old_files(names))
            if position and old_files(names) and (ident < late or waiting > LATE_BYTES):
                self._let_go(ident)
                names = self.ground.names(folder)
            kept += sum(self._size(f"{folder}/{name}") for name in names if name not in old_files(names))
            if position and ((ident < oldest and position >= KEEP_LEAST) or kept > KEEP_BYTES):
                self._let_go(ident)
                if self._keep.of(ident, self._header(ident)):
                    continue
                self.ground.files.rename(folder, folder + PREPARING)
                self.ground.remove(folder + PREPARING)

    def purge(self, texts: Sequence[str]) -> int:
        """Clears every transaction that holds one of the texts (case aside): its bytes, summary and telling names go.

        Callers hold the lock. Returns how many it cleared. Can be killed and run again.
        """
        holds = _holding(texts)
        names = self.ground.names(self.ground.history)
        for name in names:
            if name.endswith(PREPARING):  # the rest of a removal
                self.ground.remove(f"{self.ground.history}/{name}")
        return sum(self._clear(name, holds) for name in names if not name.endswith(PREPARING))

    def finish_purges(self, elsewhere: Callable[[Sequence[str]], object]) -> None:
        """Carries through the purges of committed transactions that asked for one, `elsewhere` in the state too. Callers
        hold the lock."""
        for name in self.ground.names(self.ground.history):
            if not name.endswith(PURGING):
                continue
            folder = f"{self.ground.history}/{name}"
            header = self._header(name)
            if header is not None and header.purges:
                self.purge(header.purges)
                elsewhere(header.purges)
                self._clear(name, _holding(header.purges), last=True)
            self.ground.files.rename(folder, folder.removesuffix(PURGING))
            self.ground.files.fsync_dir(self.ground.history)

    def _clear(self, name: str, holds: Callable[[str], bool], last: bool = False) -> bool:
        """`last`: also what a purge that isn't through keeps to itself, the texts that it is after."""
        folder = f"{self.ground.history}/{name}"
        files = self.ground.files
        data = self.ground.read(f"{folder}/{JOURNAL}")
        if data is None:
            return False
        try:
            journal = journals.decode(data)
        except (Damaged, Newer):
            journal = None
        loose = [f"{folder}/{item}" for item in self.ground.names(folder) if item not in (JOURNAL, UNDONE)]
        kept = {f"{folder}/{item.name}" for item in self._keep.of(name, journal)}
        told = [_text(data)] if journal is None else [*map(_text, journals.texts(journal)), _words(journal)]
        told += [_text(files.read(path)) for path in loose if (found := files.stat(path)) is not None and found.kind == "file"]
        if not any(holds(text) for text in told):
            return False
        if journal is None:
            files.rename(folder, f"{self.ground.history}/{name}{PREPARING}")
            self.ground.remove(f"{self.ground.history}/{name}{PREPARING}")
            return True
        new = f"{folder}/{JOURNAL}{PREPARING}"
        # Before the journal: without its digests nobody could tell any more which of them are someone else's.
        for path in loose:
            if path not in kept or holds(_text(files.read(path))):
                with contextlib.suppress(FileNotFoundError):
                    files.unlink(path)
        files.write(new, journals.encode(_emptied(journal, holds, keep=name.endswith(PURGING) and not last)))
        files.fsync(new)
        files.rename(new, f"{folder}/{JOURNAL}")
        files.fsync_dir(folder)
        self._headers.pop(name, None)
        return True

    def _let_go(self, ident: str) -> None:
        """Removes the old texts that a commit took out, once they are known to be those of the journal."""
        folder = f"{self.ground.history}/{ident}"
        names = [name for name in self.ground.names(folder) if name[:1] in ("s", "p") and name[1:2].isdigit()]
        if not names:
            return
        try:
            known = set(journals.texts(self.journal(ident)))
        except StoreError:
            return
        for name in names:
            found = self.ground.files.stat(f"{folder}/{name}")
            if found is not None and found.kind == "file" and self.ground.files.read(f"{folder}/{name}") in known:
                self.ground.files.unlink(f"{folder}/{name}")

    def _size(self, path: str) -> int:
        found = self.ground.files.stat(path)
        return 0 if found is None else found.size

    def _header(self, name: str) -> Journal | None:
        path = f"{self.ground.history}/{name}/{JOURNAL}"
        try:
            found = self.ground.files.stat(path)
        except OSError:
            found = None
        # Another memdesk may have purged it since: what it lost must not live on in here.
        signature = (0, 0, 0) if found is None else (found.inode, found.size, found.modified)
        known = self._headers.get(name)
        if known is None or known[0] != signature:
            try:
                start = self.ground.files.read(path, 4096)
                size = journals.header_size(start)
                header = journals.decode_header(start if size <= 4096 else self.ground.files.read(path, size))
            except (OSError, Damaged, Newer):
                header = None
            known = self._headers[name] = (signature, header)
        return known[1]

    def _outcome(self, name: str) -> tuple[str, str | None]:
        import json

        data = None
        with contextlib.suppress(OSError):
            data = self.ground.read(f"{self.ground.history}/{name}/{OUTCOME}")
        if data is None:
            return "committed", None
        try:
            fields = json.loads(data)
            return str(fields["outcome"]), str(fields["message"])
        except (ValueError, KeyError, TypeError):
            return "kept", "How it ended cannot be read."


def _holding(texts: Sequence[str]) -> Callable[[str], bool]:
    wanted = [text.casefold() for text in texts if text.strip()]
    return lambda text: any(item in text for item in wanted)


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace").casefold()


def _words(journal: Journal) -> str:
    parts: Iterable[str] = (
        journal.summary, *journal.ids, *journal.new_ids, *journal.paths, *journal.made, *journal.unmade, *journal.purges,
    )
    return "\n".join(parts).casefold()


def _emptied(journal: Journal, holds: Callable[[str], bool], keep: bool) -> Journal:
    """Without texts. `keep`: what it purges stays written down, for the purge isn't through."""

    def named(name: str) -> str:
        return WITHHELD if holds(name.casefold()) and not keep else name

    changes = tuple(
        item._replace(
            path=named(item.path), real=named(item.real), before=None, after=None, before_digest=None, after_digest=None
        )
        for item in journal.changes
    )
    return journal._replace(
        summary=f"{journal.verb} {WITHHELD}", ids=(), new_ids=(), changes=changes, made=(), unmade=(), log_only=(), purged=True,
        purges=journal.purges if keep else (),
    )
