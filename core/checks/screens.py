"""Rules over whole files, before anything is parsed: what can't be read, what can't be seen, what git left behind."""

from __future__ import annotations

import re
from collections.abc import Iterator

from memdesk.core.checks.rule import CheckContext, Checked, Rule
from memdesk.core.model import Document, Finding

MOST = 20  # findings of one kind in one file; the rest are counted


def encoding(context: CheckContext) -> Checked:
    """Files that are not UTF-8 text with LF or CRLF lines, and names that are not UTF-8."""
    found = _problems(context, ENCODING)
    for document in context.documents:
        if not document.path.isprintable() and _surrogates(document.path):
            found.append(ENCODING.finding(document.path, None, "The file's name is not UTF-8.", "Rename the file."))
    return Checked(len(context.documents), found)


def file_size(context: CheckContext) -> Checked:
    return Checked(len(context.documents), _problems(context, FILE_SIZE))


def link_outside(context: CheckContext) -> Checked:
    """Links out of the repository or in a circle, and files whose whole text is the path of a link (git's own stand-in
    where a checkout can't make links)."""
    found = _problems(context, LINK_OUTSIDE)
    reported = {finding.path for finding in found}
    for document in context.readable:
        target = _link_text(document.data)
        if target and document.path not in reported:
            folder = document.path.rpartition("/")[0]
            if context.workspace.tree.kind(_joined(folder, target)) != "none":
                message = f"The file holds nothing but the path {target!r}: a link that was checked out as text."
                hint = "Check it out again with core.symlinks on, or put the text itself here."
                found.append(LINK_OUTSIDE.finding(document.path, 1, message, hint))
    return Checked(len(context.documents), found)


def control_characters(context: CheckContext) -> Checked:
    """Every control or invisible character outside its legitimate use, with code point, line and column (in characters)."""
    from memdesk.core.checks.invisible import clean, hidden

    found: list[Finding] = []
    for document in context.documents:
        if not document.path.isprintable() and (signs := hidden(_without_surrogates(document.path))):
            what = ", ".join(dict.fromkeys(sign.what for sign in signs))
            found.append(CONTROL_CHARACTER.finding(document.path, None, f"The file's name holds {what}.", "Rename the file."))
    for document in context.readable:
        if clean(document.data):
            continue
        text = document.data.decode("utf-8", "replace")
        signs = hidden(text)
        for sign in signs[:MOST]:
            line, column = position(text, sign.at)
            found.append(CONTROL_CHARACTER.finding(document.path, line, f"{sign.what} at column {column}."))
        if len(signs) > MOST:
            line, _ = position(text, signs[MOST].at)
            more = f"{len(signs) - MOST} more such characters from here on."
            found.append(CONTROL_CHARACTER.finding(document.path, line, more))
    return Checked(len(context.documents), found)


def conflict_markers(context: CheckContext) -> Checked:
    """git's conflict markers on raw lines: an opening and a closing one in order, or a lone base or closing one."""
    found = []
    for document in context.readable:
        if b"<<<<<<<" in document.data or b">>>>>>>" in document.data or b"|||||||" in document.data:
            for line, what in _conflicts(document.data):
                found.append(CONFLICT_MARKER.finding(document.path, line, what))
    return Checked(len(context.readable), found)


def unclosed_blocks(context: CheckContext) -> Checked:
    """Fences, comments and front matter that never close, and what else the reader found amiss in a file's structure."""
    found = []
    for document in context.readable:
        page = document.page
        lines = set()
        if page.unclosed is not None:
            lines.add(page.unclosed.line)
            message = f"A {page.unclosed.kind} that opens here never closes; nothing from here on is edited."
            found.append(UNCLOSED_BLOCK.finding(document.path, page.unclosed.line, message))
        for fault in page.faults:
            if fault.rule == UNCLOSED_BLOCK.name and fault.line not in lines:
                found.append(UNCLOSED_BLOCK.finding(document.path, fault.line, fault.message))
    return Checked(len(context.readable), found)


def name_clash(context: CheckContext) -> Checked:
    """Names that differ only in case or in Unicode form, and one file under two names that both are memory."""
    found = _opening(context, NAME_CLASH)
    seen: dict[str, str] = {}
    for document in context.documents:
        folded = _folded(document.path)
        if folded in seen:
            message = f"The name differs only in case or form from {seen[folded]}: one of them is lost on some machines."
            found.append(NAME_CLASH.finding(document.path, None, message, "Rename or merge one of them."))
        seen.setdefault(folded, document.path)
        for alias in document.aliases:
            if _is_memory(context, alias):
                message = f"The same file is here as {alias} too, and both names are memory."
                found.append(NAME_CLASH.finding(document.path, None, message, "Keep one name."))
    return Checked(len(context.documents), _unique(found))


def position(text: str, at: int) -> tuple[int, int]:
    """(line, column) of an offset, both from 1; lines end at `\\n`, columns count characters."""
    return text.count("\n", 0, at) + 1, at - (text.rfind("\n", 0, at) + 1) + 1


def _problems(context: CheckContext, rule: Rule) -> list[Finding]:
    """Why documents could not be read as text, for the rule that reports it, with what opening the workspace found."""
    found = _opening(context, rule)
    for document in context.documents:
        problem = document.problem
        if problem is not None and problem.rule == rule.name:
            found.append(rule.finding(document.path, problem.line, problem.message))
    return _unique(found)


def _opening(context: CheckContext, rule: Rule) -> list[Finding]:
    """Findings of opening the workspace that lie in this store."""
    prefix = "" if context.store.path == "." else context.store.path + "/"
    return [
        finding if finding.hint else finding._replace(hint=rule.remedy)
        for finding in context.workspace.problems if finding.rule == rule.name and finding.path.startswith(prefix)
    ]


def _unique(found: list[Finding]) -> list[Finding]:
    """One finding for each place, the first."""
    return list({(finding.path, finding.line): finding for finding in reversed(found)}.values())[::-1]


_MARKER = re.compile(rb"^(<{7}|\|{7}|>{7})(?![<|>])(?:[ \t].*)?\r?$", re.MULTILINE)


def _conflicts(data: bytes) -> Iterator[tuple[int, str]]:
    """(line, words) of each conflict. An opening marker alone is text."""
    opened: int | None = None
    base: int | None = None
    for match in _MARKER.finditer(data):
        line = data.count(b"\n", 0, match.start()) + 1
        sign = match[1][:1]
        if sign == b"<":
            opened = line
        elif sign == b"|":
            base = line
        else:
            if opened is not None:
                yield opened, f"A merge conflict, up to line {line}."
            else:
                yield base or line, "The end of a merge conflict whose beginning is gone."
            opened = base = None
    if base is not None:
        yield base, "A part of a merge conflict (`|||||||`)."


def _link_text(data: bytes) -> str:
    """The path that a file consists of, as git writes a link it could not make: one line, no ending; "" for a text."""
    if not data or len(data) > 1024 or b"\n" in data or not data.endswith(b".md"):
        return ""
    text = data.decode("utf-8", "replace")
    return "" if any(char.isspace() for char in text) or text.startswith(("#", "-", "[", "`")) else text


def _joined(folder: str, target: str) -> str:
    parts: list[str] = [] if target.startswith("/") or not folder else folder.split("/")
    for part in target.split("/"):
        if part == ".." and parts:
            parts.pop()
        elif part not in ("", ".", ".."):
            parts.append(part)
    return "/".join(parts) or "."


def _folded(path: str) -> str:
    if path.isascii():
        return path.lower()
    from unicodedata import normalize

    return normalize("NFC", path).casefold()


def _is_memory(context: CheckContext, path: str) -> bool:
    from memdesk.core import layouts

    return layouts.get(context.store.layout).classify(context.store, path) is not None


def _surrogates(path: str) -> bool:
    return any("\ud800" <= char <= "\udfff" for char in path)


def _without_surrogates(path: str) -> str:
    return path.encode("utf-8", "replace").decode("utf-8")


def text_of(context: CheckContext, document: Document) -> str:
    """A document's text, decoded once in a check."""
    texts: dict[str, str] = context.shared.setdefault("texts", {})
    text = texts.get(document.path)
    if text is None:
        text = texts[document.path] = document.data.decode("utf-8", "replace")
    return text


ENCODING = Rule(
    "encoding", "error",
    "a file that is not UTF-8 text (UTF-16, NUL, a lone CR), or a name that is not UTF-8; it is read-only here",
    "Save it as UTF-8 with LF or CRLF line endings.", "files", encoding,
)
FILE_SIZE = Rule(
    "file-size", "warning", "a file over 8 MB: it is not parsed", "Split it, or move old parts to the archive.", "files",
    file_size,
)
CONTROL_CHARACTER = Rule(
    "control-character", "error",
    "escape and control characters, bidi overrides, tag characters, and invisible characters outside their legitimate use",
    "Remove the character; if the text is about it, write it as U+XXXX.", "files", control_characters,
)
CONFLICT_MARKER = Rule(
    "conflict-marker", "error", "git's conflict markers; the file is read-only until they are resolved",
    "Resolve the conflict and remove the markers.", "files", conflict_markers,
)
UNCLOSED_BLOCK = Rule(
    "unclosed-block", "warning", "a fence, comment or front matter that never closes; nothing after it is edited",
    "Close it.", "files", unclosed_blocks,
)
LINK_OUTSIDE = Rule(
    "link-outside", "error", "a memory file that is a link out of the repository, a loop, or a link checked out as text",
    "Put the file itself here, or a link to a file inside the repository.", "files", link_outside,
)
NAME_CLASH = Rule(
    "name-clash", "warning", "two files whose names differ only in case, or one file under two names that both load",
    "Rename or merge one of them.", "files", name_clash,
)
RULES = (ENCODING, FILE_SIZE, CONTROL_CHARACTER, CONFLICT_MARKER, UNCLOSED_BLOCK, LINK_OUTSIDE, NAME_CLASH)
