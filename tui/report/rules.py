"""What there is to say of the rules: the list of them, and one in full with its examples; docs/rules.md shows these too."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Sequence

from memdesk.core.checks.examples import Example, File, Spot
from memdesk.core.lean import TYPE_CHECKING

if TYPE_CHECKING:
    from memdesk.core.checks.rule import Rule

WIDTH = 80
LONGEST = 76  # characters of a line that is quoted where an example fails
INDENT = "  "  # of the files: nothing in them begins a line of the page, a conflict's markers least of all
_CHECKED = {
    "base": "Checked with `--base main`. ",
    "staged": "Checked with `--staged`, after `git add --all`. ",
}
_LANGUAGES = {"md": "markdown", "toml": "toml", "json": "json", "py": "python"}


def listing(rules: Sequence[Rule]) -> str:
    """Every rule with its strongest severity and what it reports, by layout, within 80 columns: each begins a line, and no
    other line begins with a small letter."""
    width = max(len(rule.name) for rule in rules)
    parts: list[str] = []
    layout = None
    for rule in rules:
        if rule.layout != layout:
            layout = rule.layout
            parts.append(f"\nLayout {layout}:\n\n" if layout else "Every layout:\n\n")
        first = f"{rule.name:<{width}}  {rule.severity:<7}  "
        parts.append(wrapped(first + rule.title, after=" " * len(first)) + "\n")
    return "".join(parts)


def explanation(rule: Rule, example: Example) -> str:
    """One rule in full, within 80 columns: what it reports and looks at, why, what to do, and its examples."""
    layout = f"layout {rule.layout}" if rule.layout else "every layout"
    parts = [f"{rule.name} ({rule.severity}; {layout}; counts {rule.unit})", wrapped(f"Reports: {rule.title}.")]
    body = " ".join((rule.run.__doc__ or "").split())
    parts += [wrapped(f"Looks at: {body}")] if body else []
    parts += [wrapped(f"Why: {example.why}"), wrapped(f"Remedy: {rule.remedy}")]
    parts += [part if "\n" in part else wrapped(part) for part in shown(example)]
    return "\n\n".join(parts) + "\n"


def shown(example: Example) -> Iterator[str]:
    """The examples of a rule as paragraphs of Markdown: lines of text, and files as indented fenced blocks."""
    dated = f"On {example.today}. " if example.today else ""
    based = _CHECKED.get(example.change, "")
    if example.files:
        yield f"{dated}In both examples:"
        yield from _files(example.files)
        dated = ""
    if example.before:
        yield f"{dated}{based}Before the change:"
        yield from _files(example.before)
        dated = based = ""
    also = " and ".join(f"of `{name}`" for name in example.also)
    told = f" (with a finding {also} too)" if also else ""
    where = ", and at ".join(_place(example, spot) for spot in example.findings)
    yield f"{dated}{based}This fails, at {where}{told}:"
    yield from _files(example.fails)
    yield "This passes:"
    yield from _files(example.passes)


def wrapped(text: str, *, after: str = "") -> str:
    """One paragraph within 80 columns; `after` begins all lines but the first. Words are never cut at a hyphen."""
    return textwrap.fill(" ".join(text.split()) if not after else text, WIDTH, subsequent_indent=after, break_on_hyphens=False)


def code(text: str) -> str:
    """Text as a code span, whatever backticks it holds."""
    if "`" not in text:
        return f"`{text}`"
    fence = "`" * (_longest_run(text) + 1)
    return f"{fence} {text} {fence}"


def _files(files: Iterable[File]) -> Iterator[str]:
    """The files of one side: those that are shown, and a line for one that there is not, or that is a link."""
    for file in files:
        part = file.part
        if part.text is None:
            yield f"- {code(part.path)}: {part.note}"
            continue
        note = f" ({part.note})" if part.note else ""
        fence = "`" * max(3, _longest_run(part.text) + 1)
        language = _LANGUAGES.get(part.path.rpartition(".")[2], "text")
        lines = [fence + language, *part.text.rstrip("\n").split("\n"), fence]
        yield f"- {code(part.path)}{note}:\n\n" + "\n".join(INDENT + line if line else "" for line in lines)


def _place(example: Example, spot: Spot) -> str:
    """Where an example fails, with what stands there."""
    line = example.line(spot)
    if not line:
        return code(str(spot))
    return f"{code(str(spot))}, {code(line if len(line) <= LONGEST else line[:LONGEST].rstrip() + '…')}"


def _longest_run(text: str) -> int:
    """The longest run of backticks."""
    longest = run = 0
    for char in text:
        run = run + 1 if char == "`" else 0
        longest = max(longest, run)
    return longest
