"""Plan to disk, all or nothing: lock, journal, commit, recovery, history, undo; and the personal state beside them.

`Transactions` is the door. Readers that must stay light import `state` alone.
"""

from __future__ import annotations

from memdesk.core.lean import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any

    from memdesk.core.transaction.files import REAL, Files
    from memdesk.core.transaction.history import Transaction
    from memdesk.core.transaction.kept import Kept
    from memdesk.core.transaction.lock import Busy, Cancelled, Holder, Waiter
    from memdesk.core.transaction.problems import WriteFailed
    from memdesk.core.transaction.recovery import Pending, Recovered
    from memdesk.core.transaction.state import Personal, interrupted, state_dir
    from memdesk.core.transaction.transactions import Effect, Transactions

__all__ = [
    "REAL", "Busy", "Cancelled", "Effect", "Files", "Holder", "Kept", "Pending", "Personal", "Recovered", "Transaction",
    "Transactions", "Waiter", "WriteFailed", "interrupted", "state_dir",
]

_HOMES = {
    "REAL": "files", "Files": "files", "Transaction": "history", "Busy": "lock", "Cancelled": "lock", "Holder": "lock",
    "Kept": "kept", "Waiter": "lock",
    "WriteFailed": "problems", "Pending": "recovery", "Recovered": "recovery", "Personal": "state", "interrupted": "state",
    "state_dir": "state", "Effect": "transactions", "Transactions": "transactions",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(name)
    from importlib import import_module

    return getattr(import_module(f"memdesk.core.transaction.{_HOMES[name]}"), name)
