"""Front matter: where it is, what it says, and where a value may be spliced.

It stands only at the start, after a byte order mark if there is one: `---`, at once a YAML mapping, then `---` or `...`.
Anything else there is body: a file may begin with a rule. YAML is imported only where a look doesn't settle it, every
scalar stays a string, and aliases are refused, so that no small block can stand for a huge one.
"""

from __future__ import annotations

import re

from memdesk.core import frontplain
from memdesk.core.errors import StoreError
from memdesk.core.lean import TYPE_CHECKING, NamedTuple
from memdesk.core.patterns import lazy

if TYPE_CHECKING:
    from typing import Any

    from memdesk.core.markdown import Page

LARGEST = 1 << 16  # bytes between the fence lines; more is body
DEEPEST = 20  # collections within each other
RULE = "front-matter"

_OPEN = lazy(r"---[ \t]*+\r?\n")
_CLOSE = lazy(r"^(?:---|\.\.\.)[ \t]*+\r?(?:\n|\Z)", re.MULTILINE)
_KEY = lazy(r"[A-Za-z_][A-Za-z0-9_.-]*+:(?=[ \t\r\n]|\Z)")
# Lines that are a mapping whatever YAML's finer rules say: comments, and keys with nothing or one plain word or phrase.
_SIMPLE = lazy(
    r"(?:#[ -~]*+\r?\n)*+(?:[A-Za-z_][A-Za-z0-9_-]*+:(?: ++[A-Za-z0-9/][A-Za-z0-9 _./,()+@=;!?'-]*+)?\r?\n|#[ -~]*+\r?\n)++\Z"
)
_LINE = lazy(r"^(?P<key>[A-Za-z_][A-Za-z0-9_.-]*+):[ \t]++(?P<value>[^\r\n]*+)", re.MULTILINE)
_TAIL = lazy(r"(?:[ \t]++(?:#.*+)?)?\Z")
_PLAIN = lazy(r"[A-Za-z0-9/.][A-Za-z0-9 _./,()+@;!?'-]*+")


class Found(NamedTuple):
    """`span`: of the block with both fence lines, or None. `unclosed`: it opens like front matter and never closes.
    `faults`: (rule, 1-based line, message)."""

    span: tuple[int, int] | None
    unclosed: bool = False
    faults: tuple[tuple[str, int, str], ...] = ()


def locate(text: str, start: int = 0) -> Found:
    """The front matter of a text, decoded as latin-1, whose first line begins at `start`."""
    opener = _OPEN.match(text, start)
    if opener is None:
        return Found(None)
    inner = opener.end()
    closer = _CLOSE.search(text, inner)
    if closer is None:
        return Found(None, unclosed=_KEY.match(text, inner) is not None)
    if closer.start() - inner > LARGEST:
        why: str | None = f"it is over {LARGEST // 1024} KB"
    elif not text[inner : text.find("\n", inner)].strip(" \t\r"):
        why = "a blank line follows the first ---"
    else:
        why = _why_no_mapping(text[inner : closer.start()])[1]
    if why is None:
        return Found((start, closer.end()))
    return Found(None, faults=((RULE, 1, f"What stands between the first --- lines is no front matter but text: {why}."),))


def fault_line(page: Page) -> int:
    """The 1-based line that makes what stands between the first `---` lines no front matter; 1 where no line alone does."""
    opener = _OPEN.match(page.text, page.bom)
    closer = None if opener is None else _CLOSE.search(page.text, opener.end())
    if opener is None or closer is None or closer.start() - opener.end() > LARGEST:
        return 1
    return _why_no_mapping(page.text[opener.end() : closer.start()])[0]


def fields(page: Page) -> dict[str, Any]:
    """The same as `read`, with {} for front matter that can't be read."""
    try:
        return read(page)
    except StoreError:
        return {}


def fault(page: Page, missing: str) -> tuple[int, str, str] | None:
    """Why front matter can't be read: line, message and what to do; `missing`, with nothing to do, where there is none."""
    if page.front is not None:
        try:
            read(page)
        except StoreError as error:
            return error.line or 1, error.message, error.remedy or ""
        return None
    if page.unclosed is not None and page.unclosed.kind == "front matter":
        return page.unclosed.line, "The front matter never closes.", "Close it with a line of its own: ---."
    found = next((one for one in page.faults if one[0] == RULE), None)
    if found is None:
        return 1, missing, ""
    hint = "Write it as keys and values, with quotes around a value that holds a colon."
    return fault_line(page), f"The front matter cannot be read: {found[2].partition(': ')[2]}", hint


def read(page: Page) -> dict[str, Any]:
    """The fields of a page's front matter, every scalar a string; {} where there is none.

    Raises StoreError, with the line in the file, for what is no YAML, for anchors and aliases, and for a key that comes twice.
    """
    block = _block(page)
    if block is None:
        return {}
    known = frontplain.read(block)
    if known is not None:
        return dict(known)
    from yaml import YAMLError

    try:
        return _read(block)
    except YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        line = 1 if mark is None else mark.line + 2
        raise StoreError("The front matter is not YAML.", line=line, remedy="Write it as keys and values.") from None


def _read(block: str) -> dict[str, Any]:
    """As `read`; raises YAMLError too."""
    from yaml import AliasEvent

    for event in _events(block):
        if isinstance(event, AliasEvent) or getattr(event, "anchor", None):
            line = event.start_mark.line + 2
            raise StoreError("Front matter with anchors or aliases is not read.", line=line, remedy="Write the values out.")
    keys = [match[0] for match in re.finditer(r"^[A-Za-z_][A-Za-z0-9_.-]*+:(?=\s|\Z)", block, re.MULTILINE)]
    counted = dict.fromkeys(keys, 0)
    for key in keys:
        counted[key] += 1
    twice = next((key for key, count in counted.items() if count > 1), None)
    if twice:
        line = [number for number, text in enumerate(block.split("\n"), 2) if text.startswith(twice)][1]
        raise StoreError(f"The front matter has {twice[:-1]!r} twice.", line=line, remedy="Keep one of them.")
    from frontmatter.default_handlers import YAMLHandler

    loaded = YAMLHandler().load(block, Loader=_loader())
    return {str(key): value for key, value in loaded.items()}


def value_span(page: Page, key: str) -> tuple[int, int] | None:
    """The byte span of a field's value, quotes included, where it can be spliced: a scalar that stands whole on the line of
    its key. None for anything else (lists, blocks, anchors, escapes, no value, no such key). Raises as `read` does."""
    if page.front is None or not isinstance(value := read(page).get(key), str):
        return None
    start, end = page.front
    for match in _LINE.finditer(page.text, start, end):
        if match["key"] == key:
            shown = _shown(match["value"])
            if shown is None or _read_scalar(shown) != value:
                return None
            return match.start("value"), match.start("value") + len(shown)
    return None


def scalar(text: str) -> str:
    """A string as a YAML scalar on one line, plain where that is safe, for a value that goes into a `value_span`. Raises
    StoreError for a text of several lines."""
    if any(char in text for char in "\n\r\x85\u2028\u2029"):
        raise StoreError("A front matter value has to be one line.", remedy="Write it without line breaks.")
    if _PLAIN.fullmatch(text) and text == text.strip():
        return text
    return '"' + "".join(_escaped(char) for char in text) + '"'


def _block(page: Page) -> str | None:
    """What stands between the fence lines, as UTF-8."""
    if page.front is None:
        return None
    start, end = page.front
    inner = page.text.index("\n", start) + 1
    last = [match.start() for match in _CLOSE.finditer(page.text, inner, end)]
    return page.data[inner : last[0]].decode("utf-8")


def _why_no_mapping(text: str) -> tuple[int, str | None]:
    """Why the text is no YAML mapping, behind the line in the file where it isn't; None if it is one."""
    if _SIMPLE.match(text) and _KEY.search(text):
        return 1, None
    try:
        block = text.encode("latin-1").decode("utf-8")
    except UnicodeDecodeError:
        return 1, "it is not UTF-8"
    if frontplain.read(block) is not None:
        return 1, None
    from yaml import MappingStartEvent, YAMLError

    try:
        root = next((event for event in _events(block) if type(event).__name__.endswith(("StartEvent", "ScalarEvent"))), None)
        if root is not None and not isinstance(root, MappingStartEvent):
            return 1, "it is no mapping of keys to values"
        return 1, None if root is not None else "it is empty"
    except YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        line = 1 if mark is None else mark.line + 2
        where = "" if mark is None else f" (line {line})"
        return line, f"it is not YAML: {getattr(error, 'problem', None) or 'unreadable'}{where}"
    except ValueError as error:
        return 1, str(error)


def _events(block: str) -> list[Any]:
    """The block's YAML events, between the stream's and the document's own; aliases stay aliases. Raises YAMLError, and
    ValueError for collections nested beyond DEEPEST or several documents."""
    import yaml

    events = []
    depth = documents = 0
    for event in yaml.parse(block, Loader=_loader()):
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
            if depth > DEEPEST:
                raise ValueError(f"it nests deeper than {DEEPEST} levels")
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1
        elif isinstance(event, yaml.DocumentStartEvent):
            documents += 1
            if documents > 1:
                raise ValueError("it holds several documents")
        if isinstance(event, (yaml.CollectionStartEvent, yaml.ScalarEvent, yaml.AliasEvent)):
            events.append(event)
    return events


def _loader() -> Any:
    """YAML's base loader, which resolves no types; libyaml's where it is present."""
    import yaml

    return getattr(yaml, "CBaseLoader", yaml.BaseLoader)


def _shown(value: str) -> str | None:
    """The scalar at the start of a line's rest, without what follows it, or None for what isn't one by its look."""
    if value[:1] in ("'", '"'):
        end = value.find(value[0], 1)
        while value[0] == "'" and end > 0 and value[end + 1 : end + 2] == "'":  # '' is a quote inside
            end = value.find("'", end + 2)
        if end < 0 or not _TAIL.match(value, end + 1) or (value[0] == '"' and "\\" in value[:end]):
            return None
        return value[: end + 1]
    if not value or value[0] in "&*!|>[{#%@`-?":
        return None
    return value.split(" #")[0].split("\t#")[0].rstrip(" \t")


def _read_scalar(shown: str) -> str | None:
    try:
        text = shown.encode("latin-1").decode("utf-8")
    except UnicodeDecodeError:
        return None
    return text[1:-1].replace("''", "'") if text[0] == "'" else text[1:-1] if text[0] == '"' else text


def _escaped(char: str) -> str:
    if char in '"\\':
        return "\\" + char
    return char if char.isprintable() else f"\\U{ord(char):08x}"
