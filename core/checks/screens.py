"""Rules over whole files, before anything is parsed: what can't be read, what can't be seen, what git left behind."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from memdesk.core.checks.rule import CheckContext, Checked, Rule
from memdesk.core.lean import TYPE_CHECKING
from memdesk.core.model import Document, Finding

if TYPE_CHECKING:
    from memdesk.core.checks.invisible import Hidden

_PLAIN = bytes(code for code in range(256) if code not in {*range(9), 11, 12, *range(14, 32), 127})  # all but C0 and DEL
COUNTED = 10_000  # hidden characters that are counted in one file
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
    return Checked(len(context.documents), _problems(context, LINK_OUTSIDE))


def name_clash(context: CheckContext) -> Checked:
    return Checked(len(context.documents), _problems(context, NAME_CLASH))


def store_tie(context: CheckContext) -> Checked:
    return Checked(1, _problems(context, STORE_TIE))


def control_characters(context: CheckContext) -> Checked:
    """Every control or invisible character outside its legitimate use, with code point, line and column (in characters)."""
    odd = [document for document in context.documents if not document.path.isprintable() or not clean(document.data)]
    found: list[Finding] = []
    if odd:
        from memdesk.core.checks.invisible import hidden

        for document in odd:
            signs = hidden(_without_surrogates(document.path))
            if signs:
                what = ", ".join(dict.fromkeys(sign.what for sign in signs))
                message = f"The file's name holds {what}."
                found.append(CONTROL_CHARACTER.finding(document.path, None, message, "Rename the file."))
            if document in context.readable:
                found += _hidden(document, hidden(document.data.decode("utf-8", "replace"), COUNTED))
    return Checked(len(context.documents), found)


def conflict_markers(context: CheckContext) -> Checked:
    """git's conflict markers on raw lines: an opening and a closing one in order, or a lone base or closing one."""
    found = []
    for document in context.documents:
        problem = document.problem
        if problem is not None and problem.rule == CONFLICT_MARKER.name:
            from memdesk.core.markers import reported

            for line, what in reported(document.data):
                found.append(CONFLICT_MARKER.finding(document.path, line, what))
    return Checked(len(context.documents), found)


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
        for _, line, message in page.faults:  # unclosed in an item, no front matter after all, nested too deeply
            if line not in lines:
                found.append(UNCLOSED_BLOCK.finding(document.path, line, message))
    return Checked(len(context.readable), found)


def positions(text: str, offsets: Iterable[int]) -> Iterator[tuple[int, int]]:
    """(line, column) of ascending offsets, both from 1; lines end at `\\n`, columns count characters."""
    line, done = 1, 0
    for at in offsets:
        line += text.count("\n", done, at)
        done = at
        yield line, at - text.rfind("\n", 0, at)


def clean(data: bytes) -> bool:
    """Whether bytes are ASCII without a control character: the usual file, told at memory speed."""
    return data.isascii() and not data.translate(None, _PLAIN)


def _hidden(document: Document, signs: list[Hidden]) -> list[Finding]:
    """The findings of one file's hidden characters, the first of them one by one."""
    found: list[Finding] = []
    text = document.data.decode("utf-8", "replace") if signs else ""
    several = _all_of(text, signs) if len(signs) > MOST else ""
    for sign, (line, column) in zip(signs[: MOST + 1], positions(text, (sign.at for sign in signs)), strict=False):
        message = f"{sign.what} at column {column}."
        if len(found) == MOST:
            more = "or more, from here on" if len(signs) == COUNTED else "more such characters from here on"
            message = f"{len(signs) - MOST} {more}."
        found.append(CONTROL_CHARACTER.finding(document.path, line, message, about=several))
    return found


def _all_of(text: str, signs: list[Hidden]) -> str:
    """What tells all of a file's hidden characters: which of many are named one by one, their order alone says."""
    lines = text.split("\n")
    held = {lines[line - 1] for line, _ in positions(text, (sign.at for sign in signs))}
    return "\n".join((str(len(signs)), *sorted(held)))


def _problems(context: CheckContext, rule: Rule) -> list[Finding]:
    """Why documents could not be read as text, for the rule that reports it, with what opening the workspace found."""
    found = _opening(context, rule)
    for document in context.documents:
        problem = document.problem
        if problem is not None and problem.rule == rule.name:
            found.append(rule.finding(document.path, problem.line, problem.message))
    return _unique(found)


def _opening(context: CheckContext, rule: Rule) -> list[Finding]:
    """Findings of opening the workspace that lie in this store, or are about it."""
    store = context.store
    return [
        finding if finding.hint else finding._replace(hint=rule.remedy)
        for finding in context.workspace.problems if finding.rule == rule.name
        and (finding.path == store.path or store.inner(finding.path) is not None)
    ]


def _unique(found: list[Finding]) -> list[Finding]:
    """Without repeats, such as of what opening the workspace found and a document says too."""
    return list(dict.fromkeys(found))


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
STORE_TIE = Rule(
    "store-tie", "error", "a folder that two layouts claim alike; it is read-only until the settings say which it is",
    "Name its layout under [stores.layout] in memdesk.toml.", "stores", store_tie,
)
RULES = (ENCODING, FILE_SIZE, CONTROL_CHARACTER, CONFLICT_MARKER, UNCLOSED_BLOCK, LINK_OUTSIDE, NAME_CLASH, STORE_TIE)
