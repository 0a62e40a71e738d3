"""How a line begins a block: the patterns of CommonMark (0.31), on text whose only line ending is `\\n`.

White space is the space and the tab alone: the text is decoded as latin-1, where `\\s` would take parts of UTF-8
characters for blanks. Repeats are possessive, so that no line is tried in more than one way.
"""

from __future__ import annotations

import re

from memdesk.core.patterns import lazy

_EOL = r"(?=\n|\Z)"
_GAP = r"(?=[ \t\n]|\Z)"

INDENT = lazy(r"[ \t]*+")
BLANK_LINES = lazy(r"(?:[ \t]*+\n)*+(?:[ \t]++\Z)?")
HEADING = lazy(r"#{1,6}+" + _GAP)
UNDERLINE = lazy(r"(?:=++|-++)[ \t]*+" + _EOL)
RULE = {char: lazy(rf"[{char} \t]*+") for char in "*_-"}  # what a rule of that character may hold
NUMBER = lazy(r"([0-9]{1,9}+)[.)]" + _GAP)
FENCE = lazy(r"(?:(`{3,}+)[^`\n]*+|(~{3,}+)[^\n]*+)" + _EOL)
FENCE_END = lazy(r"(`{3,}+|~{3,}+)[ \t]*+" + _EOL)
FENCE_END_LINE = lazy(r"\n {0,3}+(`{3,}+|~{3,}+)[ \t]*+" + _EOL)  # from the line ending before it
BLANK_LINE = lazy(r"\n[ \t]*+" + _EOL)

# The line ending before a line that may be something else than the continuation of the paragraph above it: a blank line,
# or one whose first character could begin a block. Wrong hits cost time alone.
_SPECIAL = (
    r"\n|\Z|[>=<]|#{1,6}+[ \t\n]|[-+*][ \t\n]|--|\*[ \t]*+\*[ \t]*+\*|_[ \t]*+_[ \t]*+_|```|~~~|[0-9]{1,9}+[.)]|[-+*#]++\Z"
)
PARAGRAPH_END = lazy(rf"\n[ \t]*+(?={_SPECIAL})")

# An item at the margin that holds one paragraph and nothing else, up to the line ending before the next such item or
# heading, or the end. Most lines of a memory file are these; what isn't taken here is read line by line.
_PLAIN = (
    r"(?:[^ \t\n#>`~<=\-_*+0-9\[]|\[[^\[\]\\\n]*+\](?!:)|\*\*[^ \t\n*]|``?+[^`\n]|~~[^~\n]|[0-9]++[^0-9.)\n])"
)
_MARK = r"(?:[-*+]|[0-9]{1,9}+[.)]) "
PLAIN_ITEM = lazy(
    rf"({_MARK}){_PLAIN}[^\n]*+(?:\n(?![ \t]*+(?:{_SPECIAL}))[^\n]*+)*+"
    rf"(?=\n(?:[ \t]*+\n)*+(?:{_MARK}{_PLAIN}|#{{1,6}} |\Z)|\Z)"
)
PLAIN_PARAGRAPH = lazy(rf"{_PLAIN}[^\n]*+(?:\n(?![ \t]*+(?:{_SPECIAL}))[^\n]*+)*+(?=\n(?:[ \t]*+\n|#{{1,6}} )|\n?\Z)")
NO_DEFINITION = lazy(r"\[[^\[\]\\\n]*+\](?!:)")

_BLOCK_TAGS = (
    "address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|dl|dt|fieldset"
    "|figcaption|figure|footer|form|frame|frameset|h1|h2|h3|h4|h5|h6|head|header|hr|html|iframe|legend|li|link|main|menu"
    "|menuitem|nav|noframes|ol|optgroup|option|p|param|search|section|summary|table|tbody|td|tfoot|th|thead|title|tr|track|ul"
)
_S = r"[ \t\f\v]"  # white space inside a tag, on one line
_ATTRIBUTE = rf"""{_S}++[A-Za-z_:][A-Za-z0-9:._-]*+(?:{_S}*+={_S}*+(?:[^"'=<>`\x00-\x20]++|'[^'\n]*+'|"[^"\n]*+"))?+"""
_TEXT_TAGS = r"(?:script|pre|textarea|style)"

# The seven kinds of HTML blocks, in their order, and what ends the first five; a blank line ends 6 and 7.
_HTML = (
    lazy(rf"<{_TEXT_TAGS}(?=[ \t\n>]|\Z)", re.IGNORECASE),
    lazy(r"<!--"),
    lazy(r"<\?"),
    lazy(r"<![A-Za-z]"),
    lazy(r"<!\[CDATA\["),
    lazy(rf"</?+(?:{_BLOCK_TAGS})(?=[ \t\n]|/?>|\Z)", re.IGNORECASE),
    lazy(rf"(?:<[A-Za-z][A-Za-z0-9-]*+(?:{_ATTRIBUTE})*+{_S}*+/?>|</[A-Za-z][A-Za-z0-9-]*+{_S}*+>)[ \t]*+{_EOL}"),
)
HTML_END = (
    lazy(rf"</{_TEXT_TAGS}>", re.IGNORECASE),
    lazy(r"-->"),
    lazy(r"\?>"),
    lazy(r">"),
    lazy(r"\]\]>"),
)


def html_kind(text: str, at: int) -> int:
    """Which of the seven kinds of HTML block the `<` at `at` begins; 0 for none."""
    for number, pattern in enumerate(_HTML, 1):
        if pattern.match(text, at):
            return number
    return 0


def columns(text: str, start: int, end: int, column: int) -> int:
    """The column after the white space text[start:end] that begins at `column`; tabs stop at each fourth."""
    blanks = text[start:end]
    if "\t" not in blanks:
        return column + end - start
    shift = column % 4
    return column - shift + len((" " * shift + blanks).expandtabs(4))
