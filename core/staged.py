"""Memory files and git, as a desk has to do with both: what its actions changed is staged and committed, and nothing else;
what git could not merge is taken apart by entry."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from memdesk.core import gitcommit
from memdesk.core.errors import GitError, Refused, StoreError
from memdesk.core.opened import Opened

if TYPE_CHECKING:
    from memdesk.core.git import Git
    from memdesk.core.model import Document
    from memdesk.core.resolving import Marked, Part
    from memdesk.core.unmerged import UnderWay


class Staged(Opened):
    """A part of `desk.Desk`."""

    session: list[str]  # the ids of what this desk committed, oldest first

    def stage(self, idents: Sequence[str] | None = None) -> list[str]:
        """Stages just the paths of these transactions (None: of this session's) and returns those that differ from HEAD.
        Raises GitError, Refused (one has conflict markers)."""
        paths = self._paths(idents)
        self._whole(paths)
        return gitcommit.stage(self._repository(), paths)

    def stage_paths(self, paths: Sequence[str]) -> list[str]:
        """Stages just these files, which tells git that they are merged; returns those that differ from HEAD. Only when a
        person asks. Raises GitError with git's words, Refused for a file that holds markers still."""
        real = self._real(paths)
        self._whole(real)
        return gitcommit.stage(self._repository(), real)

    def touched(self) -> list[str]:
        """The files of this session's transactions, as `stage` and `commit_git` take them."""
        return self._paths(None)

    def commit_git(self, message: str, idents: Sequence[str] | None = None) -> str:
        """Stages and commits just those paths; hooks run. Returns the short hash. Raises GitError with git's words.
        What is committed is no longer this session's. In the middle of a merge, a rebase or the like: refused."""
        begun = self.under_way
        if begun is not None:
            raise GitError(
                f"{begun.what[0].upper()}{begun.what[1:]} is under way, and a commit now would be half of it.",
                remedy=f"Stage the files, then end it yourself: {begun.finish}.",
            )
        chosen = self._chosen(idents)
        paths = self._paths(idents)
        self._whole(paths)
        done = gitcommit.commit(self._repository(), paths, message)
        self.session = [ident for ident in self.session if ident not in chosen]
        return done

    def commit_message(self, idents: Sequence[str] | None = None) -> str:
        """A message made from the verdicts of these transactions (None: of this session's) that are in effect: one line
        that sums them up, and where there are several a line for each, oldest first. Values that look secret are masked."""
        from memdesk.core.verdicts import in_effect, message

        return message(in_effect(self.transactions.history(), self._chosen(idents)))

    @property
    def under_way(self) -> UnderWay | None:
        """What git is in the middle of here (a merge, a rebase): ending it is the person's, and no commit of ours."""
        from memdesk.core.unmerged import under_way

        return None if self.git is None else under_way(self.git)

    def marked(self) -> list[Document]:
        """The memory files that hold git's conflict markers: read-only to all but `resolve`."""
        from memdesk.core.resolving import marked

        return marked(self.workspace)

    def marks(self, path: str) -> Marked:
        """A marked file taken apart by entry: what a person has to choose, and how much needs no choice. Raises Refused (it
        holds no markers), StoreError (markers that are no whole conflict, with the line)."""
        from memdesk.core.resolving import parts

        return parts(self.workspace, path)

    def clashes(self, path: str) -> list[Part]:
        """Just the parts of `marks`: what `resolve` has to be told, by their numbers."""
        return list(self.marks(path).parts)

    def _repository(self) -> Git:
        if self.git is None:
            raise GitError("This workspace is not in a git repository.", remedy="Make one: git init.")
        return self.git

    def _chosen(self, idents: Sequence[str] | None) -> set[str]:
        return set(self.session) if idents is None else {self.transactions.find(ident).id for ident in idents}

    def _paths(self, idents: Sequence[str] | None) -> list[str]:
        """The files of transactions as git knows them: behind links inside the workspace. Undone ones count: their files
        may be as they were before, and then there is nothing to stage of them."""
        wanted = self._chosen(idents)
        paths = {path for item in self.transactions.history() if item.id in wanted for path in item.paths}
        return sorted(set(self._real(paths)))

    def _whole(self, paths: Iterable[str]) -> None:
        """Raises Refused for a file with conflict markers: staged, git would take it for merged."""
        from memdesk.core.intake import problem

        for path in paths:
            try:
                with open(os.path.join(self.root, path), "rb") as stream:
                    found = problem(stream.read())
            except FileNotFoundError:
                continue  # its removal is staged
            except OSError as error:
                raise StoreError(f"It cannot be read: {error.strerror}.", path=path) from None
            if found is not None and found.rule == "conflict-marker":
                raise Refused(found.message, path=path, line=found.line, remedy="Resolve it first.")

    def _real(self, paths: Iterable[str]) -> list[str]:
        return [os.path.relpath(os.path.realpath(os.path.join(self.root, path)), self.root) for path in paths]
