"""Rules over what should never have been written down: secrets, and real values where an example would do."""

from __future__ import annotations

from memdesk.core import layouts
from memdesk.core.checks.rule import CheckContext, Checked, Rule
from memdesk.core.checks.screens import positions, text_of
from memdesk.core.checks.secrets import Hit, scan
from memdesk.core.model import Document, Finding


def secret(context: CheckContext) -> Checked:
    """Every secret in every readable file, the archive and logs too. The value is never shown."""
    return _report(context, SECRET, "{kind}: {what}. Git's history keeps it after it is gone here.")


def example_value(context: CheckContext) -> Checked:
    """Every example value; an error where the layout says that a file speaks in general, a warning elsewhere."""
    return _report(context, EXAMPLE_VALUE, "{kind}: {what}.")


def _report(context: CheckContext, rule: Rule, words: str) -> Checked:
    found: list[Finding] = []
    documents = [document for document in context.documents if document.data]  # one that isn't UTF-8 can hold them too
    for document in documents:
        hits = [hit for hit in _hits(context, document) if hit.rule == rule.name]
        if not hits:
            continue
        text = text_of(context, document)
        mild = rule is EXAMPLE_VALUE and document.place.role not in layouts.get(context.store.layout).general
        severity = "warning" if mild else rule.severity
        for hit, (line, column) in zip(hits, positions(text, (hit.start for hit in hits)), strict=True):
            what = f"{hit.end - hit.start} characters at column {column}, masked"
            message = words.format(kind=_upper(hit.kind), what=what)
            found.append(rule.finding(document.path, line, message, severity=severity))
    return Checked(len(documents), found)


def _hits(context: CheckContext, document: Document) -> list[Hit]:
    """Both rules look at the same hits: a file is scanned once."""
    known: dict[str, list[Hit]] = context.shared.setdefault("hits", {})
    hits = known.get(document.path)
    if hits is None:
        hits = known[document.path] = scan(text_of(context, document))
    return hits


def _upper(text: str) -> str:
    return text[:1].upper() + text[1:]


SECRET = Rule(
    "secret", "error", "a password, token or key, by the shape of the value; the finding masks it",
    "Revoke it, take it out and write where it is kept. If it is no secret, allow it inline with the reason.", "files", secret,
)
EXAMPLE_VALUE = Rule(
    "example-value", "error",
    "an email address, account or customer number, IP address, phone number or person's home path (outside glossaries and "
    "decision records a warning); reserved examples are fine",
    "Say it in general, or use a reserved example (user@example.com, 192.0.2.1).", "files", example_value,
)
RULES = (SECRET, EXAMPLE_VALUE)
