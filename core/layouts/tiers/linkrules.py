"""The rules over links: cross-links lead somewhere, and none leads into working state, which is not kept."""

from __future__ import annotations

from memdesk.core import links as linked
from memdesk.core.checks.rule import CheckContext, Checked, Rule
from memdesk.core.errors import GitError
from memdesk.core.layouts.texts import shown
from memdesk.core.layouts.tiers import crosslinks, facts, indexlines
from memdesk.core.layouts.tiers.kept import NAME, Kept, within
from memdesk.core.lean import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from memdesk.core.model import Document


class Led(NamedTuple):
    """A link of a fact or the index with where it leads (None: nowhere) and whether that is working state."""

    document: Document
    line: int
    target: str
    to: str | None
    working: bool


def link_dead(context: CheckContext) -> Checked:
    """Links of facts that lead nowhere, those of their front matter too; and of the index, but for its lines of facts."""
    links = _links(context)
    found = [
        LINK_DEAD.finding(one.document.path, one.line, f"This link leads nowhere: {shown(one.target, 80)}.")
        for one in links if one.to is None and not one.working
    ]
    return Checked(len(links), found)


def working_tracked(context: CheckContext) -> Checked:
    """Working files that git tracks, and links of facts and the index into working state."""
    kept: Kept = context.store.settings
    documents = [document for document in context.documents if document.place.role == "working"]
    found = [
        WORKING_TRACKED.finding(
            one.document.path, one.line, f"This leads into working state, which is cleared: {shown(one.target, 80)}.",
            "Promote what it leads to, and link to that fact; or take the link out.",
        )
        for one in _links(context, index_lines=True) if one.working
    ]
    also = ""
    if context.git is None:
        also = "links alone: there is no git"
    elif documents:
        folder = context.store.join(kept.working)
        try:
            raw = context.git.run(["--literal-pathspecs", "ls-files", "-z", "--cached", "--", folder], index=True)
        except GitError as error:
            context.shared.setdefault("failures", []).append(str(error))
            return Checked(0, found, skipped=str(error), failed=True)
        from memdesk.core.gitdiff import name

        tracked = {name(one) for one in raw.split(b"\0") if one}
        found += [
            WORKING_TRACKED.finding(document.path, None, "Working state is committed.", severity="warning")
            for document in documents if document.path in tracked
        ]
    return Checked(len(documents), found, also=also)


def _links(context: CheckContext, *, index_lines: bool = False) -> list[Led]:
    """The links of the facts and of the index. `index_lines`: those too by which it names facts (index-complete's)."""
    key = f"links {context.store.path} {context.store.layout}"
    known: tuple[list[Led], list[Led]] | None = context.shared.get(key)
    if known is None:
        known = context.shared[key] = _read(context)
    return [*known[0], *known[1]] if index_lines else known[0]


def _read(context: CheckContext) -> tuple[list[Led], list[Led]]:
    names = crosslinks.names_of(context.workspace, context.store)
    others: list[Led] = []
    lines: list[Led] = []
    for document in context.readable:
        if document.place.role not in ("fact", "index"):
            continue
        named = {line.line: line for line in indexlines.lines(document)} if document.place.role == "index" else {}
        for link in crosslinks.links(document):
            to = names.find(document, link)
            places = [to] if to else linked.places(context.store, document, link)
            working = any(_works(context, place) for place in places)
            led = Led(document, link.line, link.target, to, working)
            line = named.get(link.line)
            (lines if line is not None and link.start <= line.start + _LEAD else others).append(led)
        if document.place.role == "fact":
            others += _of_front(context, names, document)
    return others, lines


def _of_front(context: CheckContext, names: crosslinks.Names, document: Document) -> list[Led]:
    """The `links` of a fact's front matter."""
    targets = facts.fact_of(document).links
    lines = facts.lines_of(document.page, "links") if targets else {}
    found = []
    for target in targets:
        to = names.from_front(document, target)
        if to is not None:
            line = lines.get(target.strip("[] ").partition("|")[0].strip(), lines[""])
            found.append(Led(document, line, target, to or None, bool(to) and _works(context, to)))
    return found


def _works(context: CheckContext, path: str) -> bool:
    """Whether a path is that of working state, or of its folder."""
    kept: Kept = context.store.settings
    inner = context.store.inner(path) or ""
    return inner == kept.working or within(inner, kept.working)


_LEAD = 12  # bytes that may stand before the link that a line of the index is about: its marker, a checkbox, emphasis
LINK_DEAD = Rule(
    "link-dead", "error", "a link in a fact or the index that leads nowhere", "Correct the link, or take it out.", "links",
    link_dead, NAME,
)
WORKING_TRACKED = Rule(
    "working-tracked", "error", "working state that is committed (a warning), or a fact or the index that links into it",
    "Keep it out of git: add its folder to .gitignore, and `git rm --cached` it.", "working files", working_tracked, NAME,
)
RULES = (LINK_DEAD, WORKING_TRACKED)
