"""File systems that lack what the transactions would rather use."""

from __future__ import annotations

import errno

from memdesk.core.transaction.files import RealFiles, Unsupported


class WithoutExchange(RealFiles):
    """No `renameat2`: neither an exchange of names nor a rename that spares what is there."""

    def exchange(self, one: str, other: str) -> None:
        raise Unsupported(errno.ENOSYS, "no such call", one)

    def rename_new(self, source: str, target: str) -> None:
        self._rename_checked(source, target)


class WithoutLinks(WithoutExchange):
    """Nor hard links."""

    def link(self, source: str, target: str) -> None:
        raise OSError(errno.EPERM, "no links here", source)

    def rename_new(self, source: str, target: str) -> None:
        if self.stat(target) is not None:
            raise FileExistsError(errno.EEXIST, "it exists", target)
        self.rename(source, target)
