"""Setting up a store: its files where they are missing, and on request the standing text for agents in AGENTS.md."""

from __future__ import annotations

import posixpath
from datetime import date
from typing import TYPE_CHECKING

from memdesk.core import compose, intake, layouts
from memdesk.core.errors import MemdeskError, Refused, UsageError
from memdesk.core.model import Store
from memdesk.core.plan import Plan, Request, Step

if TYPE_CHECKING:
    from collections.abc import Mapping

    from memdesk.core.model import Workspace
    from memdesk.core.tree import Tree

ENTRY_FILE = "AGENTS.md"


def plan(workspace: Workspace, request: Request, words: Mapping[str, str], today: date) -> Plan:
    """The files of a new store; those that are there stay as they are. `words`: layout, path, agents ("yes"); git
    ("yes"): the attributes by which git merges memory files too; "only": these, and no store.

    Raises UsageError (a layout or path that isn't), Refused (nothing is left to make; a place where no store would be seen;
    an AGENTS.md that can't be added to).
    """
    from memdesk.core import gitsetup

    if words.get("git") == "only":
        return gitsetup.plan(workspace, request)
    layout = layouts.get(words.get("layout", "custodian"))
    if "init" not in layout.verbs:
        raise Refused(f"{layout.title} can't be set up by memdesk.")
    path = _folder(request.store or words.get("path") or layout.init_path)
    agents = attributes = None
    if words.get("agents") == "yes":
        agents = _agents(workspace.tree, path, layout.guide(Store(layout.name, path, "set up")))
    files = layout.fresh(workspace, path, layout.template(path, today))
    store = _seen(workspace, layout.name, path, files)
    if words.get("git") == "yes":
        attributes = gitsetup.step(workspace, {path: [*files, *gitsetup.later(store)]})
    try:
        made = compose.new_files(workspace, request, path, files)
    except Refused:
        if agents is None and attributes is None:
            raise
        where = "the store here" if path == "." else path
        made = Plan(request, f"Pointed {ENTRY_FILE} at {where}.", f"Point {ENTRY_FILE} at {where}", ())
        if agents is None:
            made = gitsetup.plan(workspace, request)._replace(steps=())
    return made._replace(steps=(*made.steps, *(step for step in (agents, attributes) if step is not None)))


def _folder(given: str) -> str:
    """A folder of the workspace as a workspace-relative path. Raises UsageError."""
    path = posixpath.normpath(given)
    if path.startswith(("/", "..")) or "\\" in path or "\n" in path or path.split("/")[0] in (".git", ".memdesk"):
        raise UsageError(f"{given!r} is no folder for a store.", remedy="Give a path below the workspace's root.")
    return path


def _seen(workspace: Workspace, layout: str, path: str, files: Mapping[str, bytes]) -> Store:
    """The store as it will be. Raises Refused where memdesk itself would not find it: ignored by the settings, or not where
    its layout looks."""
    from memdesk.core.draft import OverlayTree
    from memdesk.core.globs import Ignore
    from memdesk.core.ownership import detect

    settings = workspace.reading.settings
    ignored = Ignore(settings.stores.ignore)
    tree = OverlayTree(workspace.tree, {name: data for name, data in files.items() if workspace.tree.kind(name) == "none"})
    paths = [name for name in tree.walk() if not ignored.path(name)]
    stores, _, _ = detect(tree, paths, settings, [])
    found = next((store for store in stores if (store.layout, store.path) == (layout, path)), None)
    if found is None:
        usual = layouts.get(layout).init_path
        raise Refused("A store made here would not be recognised.", path=path, remedy=f"Choose a folder such as {usual}.")
    return found


def _agents(tree: Tree, store: str, text: str) -> Step | None:
    """The step that puts the standing text into AGENTS.md, at its end; None where it names the store already."""
    kind = tree.kind(ENTRY_FILE)
    if kind == "none":
        return Step("create", ENTRY_FILE, None, text.encode("utf-8", "surrogateescape"))
    try:
        data = tree.read(ENTRY_FILE)
    except MemdeskError as error:
        raise Refused(f"The standing text can't be added: it {error.message}", path=ENTRY_FILE) from None
    named = store if store != "." else text.partition("\n")[0]  # a dot is in every text
    if named.encode("utf-8", "surrogateescape") in data:
        return None
    problem = intake.problem(data)
    if problem is not None:
        raise Refused(f"The standing text can't be added: {problem.message}", path=ENTRY_FILE, line=problem.line)
    from memdesk.core import markdown

    page = markdown.parse(data)
    if page.unclosed is not None:
        what = f"The standing text can't be added: the {page.unclosed.kind} that begins here never closes."
        raise Refused(what, path=ENTRY_FILE, line=page.unclosed.line, remedy="Close it first.")
    ending = page.newline.encode("ascii")
    before = data if not data or data.endswith(b"\n") else data + ending
    gap = b"" if not before.strip() or before.endswith(ending * 2) else ending
    added = text.replace("\n", page.newline).encode("utf-8", "surrogateescape")
    return Step("replace", ENTRY_FILE, data, before + gap + added)
