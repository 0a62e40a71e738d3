"""Whether a new entry is one entry: looked at alone, before it is put anywhere, so that the refusal can say what is wrong
with the words (the plan as a whole is verified again, in its place)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memdesk.core import markdown
from memdesk.core.errors import Refused
from memdesk.core.strikes import mask_code

if TYPE_CHECKING:
    from memdesk.core.markdown import Block, Page

_KINDS = {
    "heading": "a heading", "rule": "a rule", "html": "an HTML block or comment", "quote": "a quote", "fence": "a code fence",
    "code": "an indented block", "definition": "a link definition", "item": "a list", "paragraph": "a new paragraph",
}


def words(text: str, field: str = "text") -> None:
    """Raises Refused for words that open something and don't close it, or hold a heading of their own at the left margin."""
    page = markdown.parse(text.encode("utf-8", "surrogateescape"))
    if page.unclosed is not None:
        raise Refused(
            f"Line {page.unclosed.line} of the {field} opens a {page.unclosed.kind} that never closes: it would swallow what "
            "comes after it.", remedy="Close it.", field=field,
        )
    masked = mask_code(text)
    at = masked.rfind("<!--")
    if at >= 0 and masked.find("-->", at) < 0 and not _in_code(page, len(text[:at].encode("utf-8", "surrogateescape"))):
        line = text.count("\n", 0, at) + 1
        message = f"Line {line} of the {field} opens a comment that never closes."
        raise Refused(message, remedy="Close it with -->.", field=field)


def is_paragraph(text: str) -> bool:
    """Whether words are one paragraph, which may stand on one line."""
    page = markdown.parse(text.encode("utf-8", "surrogateescape"))
    return [block.kind for block in page.blocks] == ["paragraph"]


def bullet(rendered: str, field: str = "text") -> str:
    """The bullet, if Markdown reads it as one, beginning with words and without a heading inside. Raises Refused."""
    page = markdown.parse(rendered.encode("utf-8", "surrogateescape"))
    top = [block for block in page.blocks if block.depth == 0]
    if not top or top[0].kind != "item":
        raise Refused("The text would not be read as a bullet.", remedy="Begin it with a word.", field=field)
    if len(top) > 1:
        raise _ends(top[1], field)
    inner = page.blocks[1:]
    if not inner or inner[0].kind != "paragraph":
        what = _KINDS[inner[0].kind] if inner else "nothing"
        raise Refused(f"The text begins with {what}.", remedy="Begin it with words.", field=field)
    heading = next((block for block in inner if block.kind == "heading"), None)
    if heading is not None:
        raise Refused(
            f"Line {heading.line} of the {field} would be a heading.", field=field,
            remedy="Take the # or the underline out, or put a backslash before it.",
        )
    return rendered


def section(rendered: str, field: str = "text") -> str:
    """The section, if its first line is its only heading of level 1 or 2. Raises Refused."""
    page = markdown.parse(rendered.encode("utf-8", "surrogateescape"))
    headings = [block for block in page.blocks if block.kind == "heading" and block.depth == 0 and block.level <= 2]
    if not headings or headings[0].start != 0 or not page.title(headings[0]).strip():
        raise Refused("The title would not be read as a heading.", remedy="Begin it with a word.", field="title")
    if len(headings) > 1:
        from memdesk.core.checks.secrets import brief

        raise Refused(
            f"Line {headings[1].line} of the new entry, {brief(page.title(headings[1]), 60)!r}, would be a heading too.",
            field=field, remedy="Take the # or the underline out, put a backslash before it, or fence it.",
        )
    return rendered


def _ends(block: Block, field: str) -> Refused:
    return Refused(
        f"Line {block.line} of the {field} would end the bullet with {_KINDS[block.kind]}.",
        remedy="Indent or reword that line.", field=field,
    )


def _in_code(page: Page, offset: int) -> bool:
    return any(block.kind in ("fence", "code") and block.start <= offset < block.end for block in page.blocks)
