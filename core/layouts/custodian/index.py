"""The module index of the manifest: a row for a new area, rule or profile, in the same transaction as its file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memdesk.core.errors import Refused
from memdesk.core.layouts import shape, spans
from memdesk.core.layouts.custodian import spots

if TYPE_CHECKING:
    from memdesk.core.draft import Draft
    from memdesk.core.layouts.custodian.manifest import Manifest
    from memdesk.core.markdown import Block, Page
    from memdesk.core.model import Store

ORDER = ("rules", "profiles", "areas")


def enable(draft: Draft, store: Store, folder: str, name: str, when: str) -> None:
    """Adds `` - `areas/storage.md`: when `` to `### Enabled areas`; nothing where the module is indexed already.

    `- None enabled.` goes; a section that is missing is made, in the order rules, profiles, areas.
    """
    manifest: Manifest = store.settings
    document = draft.look(store.join("manifest.md"))
    if document is None:
        path = store.join("manifest.md")
        raise Refused("There is no manifest to index the new file in.", path=path, remedy="Restore it first.")
    row = shape.bullet(f"- `{folder}/{name}.md`: {when}", "applies")
    work = draft.works.get(document.path)
    pending = [] if work is None else [edit.new.decode("utf-8", "replace") for edit in work.edits]
    if manifest.module(folder, name) or any(f"`{folder}/{name}.md`" in text for text in pending):
        return
    page = document.page
    parent = spots.heading(page, 2, "Optional module index")
    heading = spots.heading(page, 3, f"Enabled {folder}", parent)
    if heading is not None:
        bullets = spots.items_of(page, heading)
        rows = [*bullets, *spots.items_of(page, heading, "paragraph")]
        none = [block for block in rows if spans.words(page, block).strip("_*().").casefold() in ("none enabled", "none")]
        if none and not any(edit.start == none[0].start for edit in (work.edits if work else ())):
            # The last line's ending stays as it is.
            ended = len(document.data[none[0].start : none[0].end].rstrip(b"\r\n"))
            draft.patch(document, none[0].start, none[0].start + ended, row)
        elif none:
            draft.insert(document, none[0].end, row, loose=False)
        elif bullets:
            draft.insert(document, bullets[-1].end, row, loose=False)
        else:
            draft.insert(document, spots.prose_end(page, heading), row, loose=True)
        return
    section = f"### Enabled {folder}"
    if any(section in text for text in pending):  # made by an earlier row of this draft
        draft.insert(document, _spot(page, parent, folder), row, loose=False)
        return
    if parent is None and not any("## Optional module index" in text for text in pending):
        budget = spots.heading(page, 2, "Context budget")
        draft.insert(document, budget.start if budget else len(page.data), "## Optional module index", loose=True)
    draft.insert(document, _spot(page, parent, folder), section, loose=True)
    draft.insert(document, _spot(page, parent, folder), row, loose=True)


def _spot(page: Page, parent: Block | None, folder: str) -> int:
    """Where a missing `### Enabled ...` goes."""
    if parent is None:
        budget = spots.heading(page, 2, "Context budget")
        return budget.start if budget else len(page.data)
    for later in ORDER[ORDER.index(folder) + 1 :]:
        heading = spots.heading(page, 3, f"Enabled {later}", parent)
        if heading is not None:
            return heading.start
    return spots.section_end(page, parent)
