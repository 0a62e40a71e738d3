"""The rules over memories: what their front matter says, which sections a feature's has, where their links lead."""

from __future__ import annotations

from memdesk.core import frontmatter
from memdesk.core.checks.rule import CheckContext, Checked, Rule
from memdesk.core.layouts.jonggrang import front, linking, paths, sections
from memdesk.core.layouts.jonggrang.kept import NAME
from memdesk.core.layouts.texts import flat, shown
from memdesk.core.lean import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from memdesk.core.model import Document, Finding


def memory_frontmatter(context: CheckContext) -> Checked:
    """Memories whose front matter is missing or broken, or lacks a field; and a feature's id that is not its folder's name."""
    documents = memories(context)
    found = [
        MEMORY_FRONTMATTER.finding(document.path, line, message, hint)
        for document in documents for line, message, hint in front_faults(document)
    ]
    return Checked(len(documents), found)


def memory_sections(context: CheckContext) -> Checked:
    """Sections that a feature's memory lacks, has twice, or that are none of the six."""
    found: list[Finding] = []
    documents = [document for document in memories(context) if document.place.role == "feature"]
    for document in documents:
        seen: dict[str, int] = {}
        broken = frontmatter.fault(document.page, "") is not None
        for section in sections.sections(document.page):
            line = section.heading.line
            if broken and section.heading.marker == "-":
                continue  # what Markdown makes of front matter that is none
            if section.name in seen:
                message = f"The section {section.name!r} is there already, line {seen[section.name]}."
                found.append(MEMORY_SECTIONS.finding(document.path, line, message, "Make one of the two."))
                continue
            seen[section.name] = line
            if section.name not in sections.SECTIONS:
                message = f"No section of a feature's memory is called {shown(section.title, 60)!r}."
                found.append(MEMORY_SECTIONS.finding(document.path, line, message))
        missing = [name for name in sections.SECTIONS if name not in seen]
        if missing:
            named = ", ".join(f"{name!r}" for name in missing)
            message = f"The memory has no section {named}." if len(missing) == 1 else f"The memory lacks sections: {named}."
            hint = f"An empty section says {sections.EMPTY}."
            found.append(MEMORY_SECTIONS.finding(document.path, None, message, hint, about=named))
    return Checked(len(documents), found)


def memory_link(context: CheckContext) -> Checked:
    """Links of memories into what stays on one machine, and links that lead nowhere."""
    from memdesk.core import links as linked

    found: list[Finding] = []
    checked = 0
    store = context.store
    for document in memories(context):
        live = {link.start for link in linked.links(document)}
        for link, struck in linked.every(document):
            if struck or link.wiki or not link.path:
                continue
            checked += 1
            places = linking.places(store, link)
            near = linking.beside(document, link)
            target = shown(link.target, 80)
            if any(linking.is_ephemeral(store, place) for place in (*places, near)):
                message = f"This leads to what stays on this machine, and goes: {target}."
                found.append(MEMORY_LINK.finding(document.path, link.line, message, _NAME))
            elif link.start in live and not any(linked.there(context.workspace.tree, place) for place in places):
                message = f"This link leads nowhere: {target}."
                hint = ""
                if near and linked.there(context.workspace.tree, near):
                    hint = f"Links here are relative to the repository's root: write {linked.destination(near)}."
                found.append(MEMORY_LINK.finding(document.path, link.line, message, hint))
    return Checked(checked, found)


def memories(context: CheckContext) -> list[Document]:
    """The memories of the store whose text can be looked at: the project's and those of features."""
    return [document for document in context.readable if document.place.role in ("project", "feature")]


def front_faults(document: Document) -> Iterator[tuple[int, str, str]]:
    """What is wrong with a memory's front matter: line, message and what to do."""
    page = document.page
    is_project = document.place.role == "project"
    form = _PROJECT if is_project else _FEATURE
    fault = frontmatter.fault(page, "The memory has no front matter.")
    if fault is not None:
        line, message, hint = fault
        yield line, message, hint or form
        return
    said = frontmatter.fields(page)
    for key in front.PROJECT if is_project else front.FEATURE:
        line = front.line_of(page, key)
        if key not in said:
            yield line, f"The front matter has no {key}.", form
        elif (why := _wrong(document, key, said)) is not None:
            yield line, why, form


def _wrong(document: Document, key: str, said: Mapping[str, Any]) -> str | None:
    """What is wrong with a field that is there; None for nothing."""
    value = said[key]
    if key == "tags":
        listed = isinstance(value, list) and all(isinstance(tag, str) and tag.strip() for tag in value)
        return None if listed else "The tags are no list of words."
    if not isinstance(value, str) or not value.strip():
        return f"The {key} says nothing."
    if key == "updated_at" and front.instant(value) is None:
        return f"updated_at is no date and time (ISO 8601): {shown(value, 40)!r}."
    if key == "scope" and value.strip() != "project":
        return f"The scope of the project's memory is {shown(value, 40)!r}, not project."
    if key == "feature_id":
        folder = paths.feature_of(document.store.inner(document.path) or "")
        if flat(value) != folder:
            return f"The feature_id is {shown(value, 60)!r}, and the folder is called {shown(folder, 60)!r}."
        if not paths.is_feature(folder):
            return f"{shown(folder, 60)!r} is no feature's id: letters, digits, _ and - alone."
    return None


_FEATURE = "Begin with `---`, feature_id, feature_name, tags: [a, b], updated_at (ISO 8601), `---`."
_PROJECT = "Begin with `---`, scope: project, tags: [a, b], updated_at (ISO 8601), `---`."
_NAME = "Name the task and the date in words; the fragment itself is archived, and then removed."
MEMORY_FRONTMATTER = Rule(
    "memory-frontmatter", "error",
    "a memory whose front matter is missing, broken or lacks a field, or whose feature_id is not its folder's name",
    "Correct the front matter.", "memories", memory_frontmatter, NAME,
)
MEMORY_SECTIONS = Rule(
    "memory-sections", "warning", "a feature's memory with a section that is missing, unknown or repeated",
    f"Give it each of these once: {'; '.join(sections.SECTIONS)}.", "feature memories", memory_sections, NAME,
)
MEMORY_LINK = Rule(
    "memory-link", "error", "a link of a memory into .ephemeral/, or to nothing (links are relative to the repository's root)",
    "Correct the link, or take it out.", "links", memory_link, NAME,
)
RULES = (MEMORY_FRONTMATTER, MEMORY_SECTIONS, MEMORY_LINK)
