"""stores, entries, inbox and history as CLI.md's JSON, and their text."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from datetime import date
from typing import TYPE_CHECKING, Any

from memdesk.core import layouts
from memdesk.core.checks.secrets import heading, mask

if TYPE_CHECKING:
    from memdesk.core.desk import Desk
    from memdesk.core.model import Entry, Store
    from memdesk.core.transaction import Kept, Transaction


def stores(desk: Desk, chosen: Sequence[Store]) -> dict[str, Any]:
    """The stores and their budgets, and what was looked at and not recognised."""
    rows = []
    for store in chosen:
        documents = desk.workspace.documents_of(store)
        found = [entry for document in documents for entry in document.entries]
        rows.append({
            "layout": store.layout, "path": store.path, "reason": store.reason, "documents": len(documents),
            "entries": len(found), "candidates": sum(entry.candidate for entry in found),
            "writable": store.read_only is None and desk.read_only is None,
            "why_read_only": store.read_only or desk.read_only,
            "budgets": [
                {"path": budget.path, "unit": budget.unit, "used": budget.used, "cap": budget.cap}
                for budget in [
                    *(budget for document in documents for budget in document.budgets()),
                    *layouts.get(store.layout).meters(desk.workspace, store),
                ]
            ],
        })
    misses = [{"path": miss.path, "why": miss.why} for miss in desk.workspace.near_misses]
    return {"schema": "memdesk.stores/1", "stores": rows, "not_recognised": misses}


def stores_text(value: dict[str, Any]) -> list[str]:
    """The same for people, a line each."""
    from memdesk.tui.report.check import count

    lines: list[str] = []
    for store in value["stores"]:
        lines.append(
            f"{store['path']}  {store['layout']}  {count(store['documents'], 'document', 'documents')}, "
            f"{count(store['entries'], 'entry', 'entries')}, "
            f"{store['candidates']} waiting"
        )
        lines.append(f"  because {store['reason']}")
        if not store["writable"]:
            lines.append(f"  read-only: {store['why_read_only']}")
        for budget in store["budgets"]:
            cap = "no cap" if budget["cap"] is None else f"of {budget['cap']}"
            lines.append(f"  {budget['used']:>6} {cap} {budget['unit']}  {budget['path']}")
    for miss in value["not_recognised"]:
        lines.append(f"not recognised: {miss['path']}: {miss['why']}")
    return lines


def entries(chosen: Iterable[Entry]) -> dict[str, Any]:
    """Entries with their ids, spans and measures."""
    from memdesk.core.tokens import count

    return {"schema": "memdesk.entries/1", "entries": [
        {
            "id": entry.id, "layout": entry.layout, "store": entry.store, "path": entry.path, "line": entry.line,
            "end_line": entry.end_line, "heading": heading(entry), "role": entry.role, "tier": entry.tier,
            "candidate": entry.candidate, "struck": entry.struck, "status": entry.status, "tag": entry.tag, "date": entry.date,
            "number": entry.number,
            "relations": [{"kind": kind, "target": mask(target)} for kind, target in entry.relations],
            "tokens": count(entry.text), "chars": len(entry.text),
        }
        for entry in chosen
    ]}


def inbox(desk: Desk, chosen: Iterable[Entry]) -> dict[str, Any]:
    """Candidates, their age in days, and what is near each."""
    today = desk.clock.today()
    snoozed = {snooze.id: snooze.until.isoformat() for snooze in desk.snoozes()}
    return {"schema": "memdesk.inbox/1", "candidates": [
        {
            "id": entry.id, "layout": entry.layout, "path": entry.path, "line": entry.line, "title": heading(entry),
            "text": mask(entry.text), "tag": entry.tag, "kind": entry.fields.get("for"),
            "source": None if entry.source is None else mask(entry.source),
            "date": entry.date, "age_days": age(entry, today),
            "signals": None if (gate := desk.gate(entry)) is None else len(gate.offered),
            "matches": [{"id": match.entry.id, "kind": match.kind} for match in desk.near(entry)],
            "snoozed_until": snoozed.get(entry.id),
        }
        for entry in chosen
    ]}


def age(entry: Entry, today: date) -> int | None:
    """Whole days since the entry's date; None without one. A date in the future is 0 days old."""
    return None if entry.date is None else max(0, (today - date.fromisoformat(entry.date)).days)


def history(desk: Desk, found: Iterable[Transaction]) -> dict[str, Any]:
    """Transactions, newest first. `kept`: texts of others that lie with one."""
    return {"schema": "memdesk.history/1", "transactions": [
        {
            "id": item.id, "at": item.at, "by": item.by, "verb": item.verb, "summary": mask(item.summary),
            "paths": list(item.paths), "undoable": item.undoable, "reason": item.reason,
            "kept": [kept(desk, each) for each in item.kept],
        }
        for item in found
    ]}


def transaction_line(item: Transaction) -> str:
    """One transaction for people."""
    why = "" if item.undoable or not item.reason else f"  ({item.reason})"
    late = ", ".join(dict.fromkeys(each.path for each in item.kept))
    return f"{item.id}  {item.at}  {item.by}  {mask(item.summary)}{why}" + (f"  (keeps someone else's {late})" if late else "")


def kept(desk: Desk, item: Kept) -> dict[str, Any]:
    """A text of someone else that the history keeps: the file it was for, when it was saved, and where it lies."""
    file = os.path.relpath(desk.transactions.kept_file(item), desk.root).replace(os.sep, "/")
    return {"transaction": item.id, "path": item.path, "at": item.at, "bytes": item.size, "file": file}


def kept_line(desk: Desk, item: Kept) -> str:
    """The same for people, with what they can do."""
    return (
        f"Kept: {item.path}  Someone saved this at {item.at} to the file that memdesk was just replacing, or had replaced "
        f"({item.size} bytes). It lies in {desk.transactions.kept_file(item)}; memdesk history --show {item.id} shows what it "
        f"changed, --forget {item.id} lets go of it."
    )
