"""A draft of the memory without any model: a function of the materials and the time, and of nothing else.

Each entry goes, whole, to the section that it stands under in its fragment; what stands under none goes to Facts, what the
progress notes say to What Done & Why. Exact duplicates fold, also into what the memory has. What the memory holds keeps its
bytes and its order.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING

from memdesk.core import edits, markdown
from memdesk.core.compacting import keys
from memdesk.core.draft import editable
from memdesk.core.edits import Edit
from memdesk.core.layouts import spans, texts

if TYPE_CHECKING:
    from memdesk.core.compacting.form import Part
    from memdesk.core.compacting.materials import Materials, Noted
    from memdesk.core.markdown import Block, Page
    from memdesk.core.model import Document


def draft(materials: Materials, stamp: str, left: Collection[str] = ()) -> bytes:
    """The memory's bytes as they would be. `stamp`: the instant, UTC, for `updated_at`; `left`: ids of entries that are left
    out. Raises Refused for a memory that can't be edited."""
    memory = materials.memory
    carried = _carried(materials, frozenset(left))
    if memory is None:
        return _new(materials, stamp, carried).encode("utf-8", "surrogateescape")
    page = memory.page
    found = [*materials.form.front(memory, materials.feature, stamp), *_sections(materials, memory, carried)]
    for edit in found:
        editable(memory, edit.start, edit.end)
    return edits.apply(memory.data, found, page.newline).after


def text(data: bytes) -> str:
    """A memory's bytes as a person edits them: LF endings, without a byte order mark."""
    return data.decode("utf-8", "replace").removeprefix("\ufeff").replace("\r\n", "\n")


def fitted(materials: Materials, given: str, stamp: str) -> bytes:
    """An edited text as the memory's bytes: lines that stay keep theirs, and `updated_at` is set where the front matter can be
    read."""
    memory = materials.memory
    if memory is None:
        data = edits.lines(given)
    else:
        editable(memory, 0, 0)
        low = memory.page.bom
        changed = edits.changed_lines(memory.data[low:], given, low, memory.page.newline, edits.STRUCTURE)
        data = edits.apply(memory.data, changed, memory.page.newline).after
    made = document(materials, data)
    if made.page.front is None:
        return data
    from memdesk.core.errors import MemdeskError

    try:
        return edits.apply(data, materials.form.front(made, materials.feature, stamp), made.page.newline).after
    except MemdeskError:
        return data  # what is wrong with it `checking` says


def document(materials: Materials, data: bytes) -> Document:
    """The memory as it would be read with these bytes."""
    if materials.memory is not None:
        return materials.memory.after(data)
    from memdesk.core import layouts
    from memdesk.core.model import Document

    layout = layouts.get(materials.store.layout)
    place = layout.classify(materials.store, materials.path)
    assert place is not None  # the layout named the path
    return Document(materials.path, materials.store, place, data, layout.entries)


def rendered(noted: Noted, *, titled: bool = True) -> str:
    """An entry as one bullet with its source. What would not be read as just that is put into a fence, as it is."""
    said, source = keys.said(noted.entry).strip("\n"), noted.source(titled=titled)
    for body in (said, _fenced(said)):
        made = texts.bullet(keys.with_source(body, source))
        if _is_one(made, noted.key):
            return made
    return made


def _carried(materials: Materials, left: frozenset[str]) -> list[Noted]:
    """The entries that go into the memory: each text once, and none that it has already."""
    memory = materials.memory
    had = set() if memory is None or memory.problem is not None else set(keys.index(memory).current)
    found = []
    for noted in materials.entries:
        if noted.entry.struck or noted.key in had or (left and noted.entry.id in left):
            continue
        had.add(noted.key)
        found.append(noted)
    return found


def _place(materials: Materials, noted: Noted, extra: Iterable[str]) -> str:
    """The section that an entry goes to: its own, one of the same name that the memory has besides, else the usual one."""
    if noted.section:
        return noted.section
    if noted.title:
        known = next((name for name in extra if name.casefold() == noted.title.casefold()), None)
        if known is not None:
            return known
    return materials.form.notes if noted.note else materials.form.loose


def _grouped(materials: Materials, carried: list[Noted], extra: Collection[str] = ()) -> dict[str, list[str]]:
    """Section -> the bullets that come into it."""
    groups: dict[str, list[str]] = {}
    for noted in carried:
        place = _place(materials, noted, extra)
        groups.setdefault(place, []).append(rendered(noted, titled=place not in extra))
    return groups


def _new(materials: Materials, stamp: str, carried: list[Noted]) -> str:
    form = materials.form
    groups = _grouped(materials, carried)
    parts = [form.new(materials.feature, stamp).strip("\n")]
    for name in form.sections:
        parts += [f"## {name}", "\n".join(groups.get(name) or [form.empty])]
    return "\n\n".join(parts) + "\n"


def _sections(materials: Materials, memory: Document, carried: list[Noted]) -> list[Edit]:
    """The edits that put bullets into their sections, and make the sections that are missing."""
    form, page = materials.form, memory.page
    parts = form.parts(page)
    first: dict[str, Part] = {}
    for part in parts:
        first.setdefault(part.name, part)
    groups = _grouped(materials, carried, [name for name in first if name not in form.sections])
    found = []
    for name, bullets in groups.items():
        if name in first:
            found += _filled(materials, page, first[name], "\n".join(bullets))
    marks = "#" * (form.level(page) if parts else 2)
    missing: dict[int, list[str]] = {}
    for at, name in enumerate(form.sections):
        if name not in first:
            body = "\n".join(groups.get(name) or [form.empty])
            missing.setdefault(_spot(form.sections, at, first, page), []).append(f"{marks} {name}\n\n{body}")
    for offset, made in missing.items():
        found.append(Edit(offset, offset, edits.lines("\n\n".join(made), page.newline), "loose"))
    return found


def _spot(names: tuple[str, ...], at: int, first: dict[str, Part], page: Page) -> int:
    """Where a missing section goes: behind the one before it, else before the next one, else to the end."""
    before = next((first[name].end for name in reversed(names[:at]) if name in first), None)
    if before is not None:
        return before
    return next((first[name].heading.start for name in names[at + 1 :] if name in first), len(page.data))


def _filled(materials: Materials, page: Page, part: Part, bullets: str) -> list[Edit]:
    """Bullets at the end of a section, before headings within it. The line that said that there is none goes."""
    blocks = [block for block in page.blocks[spans.first_block(page, part.start) :] if block.start < part.end]
    blocks = [block for block in blocks if block.depth == 0]
    stop = next((at for at, block in enumerate(blocks) if block.kind == "heading"), len(blocks))
    own = blocks[:stop]
    stood_in = [block for block in own if _stands_in(materials, page, block)]
    gone = {block.start for block in stood_in}
    rest = [block for block in own if block.start not in gone]
    made = edits.lines(bullets, page.newline)
    if stood_in and not rest:
        first = stood_in[0]
        if not page.data[first.start : first.end].endswith(b"\n"):
            made = made.removesuffix(page.newline.encode())
        cuts = [(block.start, block.end) for block in stood_in[1:]]
        return [Edit(first.start, first.end, made), *edits.removals(page.data, cuts)]
    cuts = [(block.start, block.end) for block in stood_in]
    offset = rest[-1].end if rest else part.heading.end
    items = [block for block in rest if block.kind == "item"]
    tight = bool(rest) and rest[-1].kind == "item" and not spans.are_loose(page, items)
    return [Edit(offset, offset, made, "tight" if tight else "loose"), *edits.removals(page.data, cuts)]


def _stands_in(materials: Materials, page: Page, block: Block) -> bool:
    """Whether a block only says that there is nothing."""
    return block.kind in ("paragraph", "item") and materials.form.is_empty(
        page.data[slice(*block.inner)].decode("utf-8", "replace")
    )


def _is_one(made: str, key: str) -> bool:
    """Whether a text is read as one bullet that is found by this key."""
    page = markdown.parse(made.encode("utf-8", "surrogateescape"))
    top = [block for block in page.blocks if block.depth == 0]
    if len(top) != 1 or top[0].kind != "item" or page.unclosed is not None or page.front is not None:
        return False
    words = texts.dedented(made)
    from memdesk.core import strikes

    if strikes.is_struck(words):
        return False
    bare = keys.without_source(words)
    return key in (keys.key(bare), keys.key(keys.unfenced(bare)))


def _fenced(said: str) -> str:
    """A text within a fence that nothing in it ends."""
    longest = run = 0
    for char in said:
        run = run + 1 if char == "`" else 0
        longest = max(longest, run)
    fence = "`" * max(3, longest + 1)
    return f"{fence}\n{said}\n{fence}"
