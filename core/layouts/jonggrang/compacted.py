"""What compaction asks of this layout: a feature's files, and how its memory is made up (docs/jonggrang.md, Compaction)."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, date, datetime
from typing import TYPE_CHECKING

from memdesk.core import frontmatter
from memdesk.core.compacting.form import Fault, Form, Found, Fragment, Part, Task
from memdesk.core.edits import Edit
from memdesk.core.errors import MemdeskError, Refused, StoreError
from memdesk.core.layouts.jonggrang import front, linking, memoryrules, paths, sections
from memdesk.core.layouts.jonggrang import tasks as listed
from memdesk.core.layouts.texts import shown

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from memdesk.core.markdown import Page
    from memdesk.core.model import Document, Store, Workspace


def features(workspace: Workspace, store: Store) -> Sequence[str]:
    """The features that have a folder, notes or fragments, in order; folders that can't be a feature's are none."""
    known = set(paths.features(store, [document.path for document in workspace.documents_of(store)]))
    folder = store.join(paths.FEATURES)
    if workspace.tree.kind(folder) == "folder":
        known |= {item.name for item in workspace.tree.list(folder) if item.kind == "folder"}
    return sorted(name for name in known if paths.is_feature(name))


def waiting(workspace: Workspace, store: Store) -> Mapping[str, int]:
    """Feature -> how many fragments of it wait, in order; what can't be a feature's name is left out."""
    found: dict[str, int] = {}
    for document in workspace.documents_of(store):
        if document.place.role == "fragment":
            feature = (document.place.scope or "").removeprefix("feature:")
            found[feature] = found.get(feature, 0) + 1
    return {feature: found[feature] for feature in sorted(found) if paths.is_feature(feature)}


def compaction(workspace: Workspace, store: Store, feature: str) -> Found:
    """The files of a feature."""
    memory = notes = None
    fragments = []
    for document in workspace.documents_of(store):
        role = document.place.role
        if role not in ("feature", "progress", "fragment") or document.place.scope != f"feature:{feature}":
            continue
        if role == "feature":
            memory = document
        elif role == "progress":
            notes = document
        else:
            named = front.named(document)
            fragments.append(Fragment(document, named.task, named.stamp))
    fragments.sort(key=lambda one: (one.stamp or _LAST, one.document.path))
    tasks: tuple[Task, ...] = ()
    faults: tuple[str, ...] = ()
    try:
        tasks = tuple(Task(one.id, one.title) for one in listed.tasks_of(workspace.tree, store, feature))
    except StoreError as error:
        faults = (f"The titles of tasks are not told: {error}",)
    path = store.join(paths.memory_path(feature)) if memory is None else memory.path
    return Found(path, memory, tuple(fragments), notes, tasks, FORM, _archived, faults)


def stamped(document: Document, feature: str, stamp: str) -> list[Edit]:
    """The edits that set a memory's `updated_at` and, where its front matter is missing or lacks a field, make that. All else
    in it stays as it is. Raises Refused for front matter that can't be read or changed."""
    page = document.page
    newline = page.newline
    line, message, _ = frontmatter.fault(page, "") or (1, "", "")
    if message:
        raise _unread(document, line, message)
    if page.front is None:
        made = "\n".join(["---", *_fields(feature, stamp), "---", "", ""])
        return [Edit(page.bom, page.bom, made.replace("\n", newline).encode())]
    said = frontmatter.fields(page)
    missing = [row for row in _fields(feature, stamp) if row.partition(":")[0] not in said]
    found = []
    if missing:
        end = _closing(page)
        found.append(Edit(end, end, "".join(row + newline for row in missing).encode()))
    if "updated_at" in said:
        span = frontmatter.value_span(page, "updated_at")
        if span is None:
            remedy = "Write it on one line: updated_at: 2026-11-30T04:02:51Z."
            line = front.line_of(page, "updated_at")
            raise Refused("updated_at can't be changed as it stands.", path=document.path, line=line, remedy=remedy)
        found.append(Edit(*span, stamp.encode()))
    return found


def faults(document: Document, before: Document | None) -> Iterator[Fault]:
    """What is wrong with a memory's text: front matter, sections that are missing or come twice, links into `.ephemeral/`. What
    is so already in `before` is told of the front matter alone."""
    for line, message, hint in memoryrules.front_faults(document):
        yield Fault(line, message, hint)
    had = Counter(() if before is None else (section.name for section in sections.sections(before.page)))
    seen: Counter[str] = Counter()
    for section in sections.sections(document.page):
        seen[section.name] += 1
        if seen[section.name] > max(1, had[section.name]):
            line = section.heading.line
            yield Fault(line, f"The section {shown(section.name, 60)!r} is there already.", "Make one of the two.")
    for name in sections.SECTIONS:
        if name not in seen:
            yield Fault(None, f"The section {name!r} is missing.", f"Write ## {name}; an empty one says {sections.EMPTY}.")
    old = set() if before is None else {target for target, _ in _ephemeral(before)}
    for target, line in _ephemeral(document):
        if target not in old:
            message = f"This links to what stays on this machine, and goes: {shown(target, 80)}."
            yield Fault(line, message, "Name the task and the date in words.")


def _ephemeral(document: Document) -> Iterator[tuple[str, int]]:
    """The links of a text into `.ephemeral/`: what each names, and its line."""
    from memdesk.core import links

    for link, _ in links.every(document):
        if not link.wiki and link.path:
            places = (*linking.places(document.store, link), linking.beside(document, link))
            if any(linking.is_ephemeral(document.store, place) for place in places) or linking.names_ephemeral(link.target):
                yield link.target, link.line
    text = document.data.decode("utf-8", "replace")
    line, at = 1, 0
    for found in linking.RAW.finditer(text):
        line, at = line + text.count("\n", at, found.start()), found.start()
        if linking.names_ephemeral(found[0]):
            yield found[0], line


def _new(feature: str, stamp: str) -> str:
    """What stands above the sections of a new memory."""
    return "\n".join(["---", *_fields(feature, stamp), "---", "", f"# {feature}"])


def _fields(feature: str, stamp: str) -> list[str]:
    name = frontmatter.scalar(feature)
    return [f"feature_id: {name}", f"feature_name: {name}", "tags: []", f"updated_at: {stamp}"]


def _closing(page: Page) -> int:
    """Where the line begins that closes the front matter."""
    assert page.front is not None
    end = len(page.data[: page.front[1]].rstrip(b"\r\n"))
    return page.data.rfind(b"\n", 0, end) + 1


def _archived(document: Document, today: date) -> str:
    inner = document.store.inner(document.path)
    assert inner is not None
    return document.store.join(paths.archive_path(inner, today))


def _parts(page: Page) -> list[Part]:
    return [Part(one.name, one.heading, one.start, one.end) for one in sections.sections(page)]


def _level(page: Page) -> int:
    return sections.level_of(page, [block for block in page.blocks if block.kind == "heading" and not block.depth])


def _unread(document: Document, line: int, message: str) -> MemdeskError:
    return Refused(message, path=document.path, line=line, remedy="Mend the memory's front matter first.")


_LAST = datetime.max.replace(tzinfo=UTC)
FORM = Form(
    sections.SECTIONS, sections.FACTS, sections.DONE, sections.EMPTY, sections.is_empty_line, sections.section_of, _parts,
    _level, stamped, _new, faults,
    _ephemeral,
)
