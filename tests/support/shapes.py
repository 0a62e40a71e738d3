"""The shapes of CLI.md's JSON, and a checker for them: keys may be added, never changed."""

from __future__ import annotations

import re
from typing import Any

DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
STAMP = re.compile(r"\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z")
ID = re.compile(r".+#[0-9a-f]{8,64}", re.DOTALL)
TAG = (None, "stated", "observed", "inferred", "suggested")
NUMBER = (None, int)

# A shape: a type; a value; a pattern for a whole string; a tuple of alternatives; a list of one shape; a mapping of shapes.
ACTION: Any = {
    "schema": "memdesk.action/1", "applied": bool, "transaction": (None, str), "ids": [ID],
    "edits": [{"path": str, "diff": str}], "refused": (None, str),
}
PACK: Any = {
    "schema": "memdesk.pack/1", "layout": str, "store": str, "task": str, "category": str, "status": ("complete", "incomplete"),
    "files": [{
        "path": str, "required": bool,
        "disposition": ("loaded", "skipped", "missing-required", "missing-optional", "missing-requested"),
        "reason": str, "budget": NUMBER, "tokens": int, "oversized": bool,
        "omitted": [{"heading": str, "line": int, "tokens": int, "reason": str}],
    }],
    "not_loaded": [{"path": str, "reason": str}], "tokens": int, "scope_notes": [str], "standing": str, "text": str,
}
INBOX: Any = {
    "schema": "memdesk.inbox/1",
    "candidates": [{
        "id": ID, "layout": str, "path": str, "line": int, "title": str, "text": str, "tag": TAG, "kind": (None, str),
        "source": (None, str), "date": (None, DATE), "age_days": NUMBER, "signals": NUMBER,
        "matches": [{"id": ID, "kind": ("equal", "possible", "tombstone")}],
    }],
}
ENTRIES: Any = {
    "schema": "memdesk.entries/1",
    "entries": [{
        "id": ID, "layout": str, "store": str, "path": str, "line": int, "end_line": int, "heading": str, "role": str,
        "tier": ("index", "working", "durable", "log", "archive"), "candidate": bool, "struck": bool, "status": (None, str),
        "tag": TAG, "date": (None, DATE), "number": NUMBER, "relations": [{"kind": str, "target": str}], "tokens": int,
        "chars": int,
    }],
}
HISTORY: Any = {
    "schema": "memdesk.history/1",
    "transactions": [{
        "id": str, "at": STAMP, "by": str, "verb": str, "summary": str, "paths": [str], "undoable": bool, "reason": (None, str),
    }],
}
RECALL: Any = {
    "schema": "memdesk.recall/1", "query": str,
    "scope": {"feature": (None, str), "task_id": (None, str), "phase": (None, "plan", "work", "review")},
    "conflicts": [{"id": str, "kind": str, "exact": bool, "reason": str, "entries": [ID]}],
    "binding": [{"path": str, "line": int, "heading": str}],
    "sources": [{
        "path": str, "line": int, "heading": str, "layout": str, "tag": TAG, "date": (None, DATE), "source": (None, str),
        "freshness": ("current", "stale", "unknown"), "struck": bool, "text": str,
        "timestamp": (None, re.compile(r"\d{4}-\d\d-\d\d(?:T\d\d:\d\d:\d\dZ)?")), "under": [str],
        "history": [{"line": int, "text": str, "date": (None, DATE)}],
    }],
    "left_out": [{"path": str, "line": int, "heading": str, "chars": int, "reason": str}],
}
CONFLICTS: Any = {
    "schema": "memdesk.conflicts/1",
    "conflicts": [{
        "id": str, "kind": str, "exact": bool, "reason": str, "dismissed": bool,
        "entries": [{
            "id": ID, "layout": str, "path": str, "line": int, "text": str, "tag": TAG, "date": (None, DATE), "rank": int,
            "wins": bool,
        }],
    }],
}
PRUNE: Any = {
    "schema": "memdesk.prune/1", "overdue": bool, "last_session": (None, DATE),
    "proposals": [{
        "id": re.compile(r"[0-9a-f]{12}"), "kind": str, "exact": bool, "label": str, "entries": [ID], "paths": [str],
        "frees": dict, "evidence": str, "diff": str,
    }],
}
STORES: Any = {
    "schema": "memdesk.stores/1",
    "stores": [{
        "layout": str, "path": str, "reason": str, "documents": int, "entries": int, "candidates": int, "writable": bool,
        "budgets": [{"path": str, "unit": ("tokens", "chars", "lines"), "used": int, "cap": NUMBER}],
    }],
    "not_recognised": [{"path": str, "why": str}],
}


def faults(value: Any, shape: Any, at: str = "$") -> list[str]:
    """Where a JSON value is not of a shape; keys beyond the shape's are fine."""
    if isinstance(shape, tuple):
        return [] if any(not faults(value, one, at) for one in shape) else [f"{at}: {value!r} is none of {shape}"]
    if isinstance(shape, dict):
        if not isinstance(value, dict):
            return [f"{at}: {value!r} is no object"]
        missing = [f"{at}.{key} is missing" for key in shape if key not in value]
        return missing + [fault for key in shape if key in value for fault in faults(value[key], shape[key], f"{at}.{key}")]
    if isinstance(shape, list):
        if not isinstance(value, list):
            return [f"{at}: {value!r} is no list"]
        return [fault for number, item in enumerate(value) for fault in faults(item, shape[0], f"{at}[{number}]")]
    if isinstance(shape, re.Pattern):
        return [] if isinstance(value, str) and shape.fullmatch(value) else [f"{at}: {value!r} is not like {shape.pattern}"]
    if isinstance(shape, type):
        return [] if type(value) is shape else [f"{at}: {value!r} is no {shape.__name__}"]
    return [] if type(value) is type(shape) and value == shape else [f"{at}: {value!r} is not {shape!r}"]
