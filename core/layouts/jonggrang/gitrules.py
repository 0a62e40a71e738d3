"""The rules over git: what has to travel with the branch does, and what stays on one machine does not."""

from __future__ import annotations

from memdesk.core.checks.rule import CheckContext, Checked, Rule
from memdesk.core.errors import GitError
from memdesk.core.layouts.jonggrang import paths
from memdesk.core.layouts.jonggrang.kept import NAME
from memdesk.core.lean import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from memdesk.core.model import Finding

NO_GIT = "this is no git repository"
KEPT = frozenset({".gitignore", ".gitkeep", ".keep"})  # names of files that may be committed to have the folder, and ignore it


def fragment_tracked(context: CheckContext) -> Checked:
    """Paths under `.ephemeral/` and `locks/` that git tracks, or doesn't ignore."""
    listed = _listed(context)
    if isinstance(listed, Checked):
        return listed
    store = context.store
    found: list[Finding] = []
    for folder in (paths.EPHEMERAL, paths.LOCKS):
        prefix = store.join(folder) + "/"
        own = {path: tracked for path, tracked in listed.items() if path.startswith(prefix) and _name(path) not in KEPT}
        found += [
            FRAGMENT_TRACKED.finding(path, None, "This is committed, and is to stay on one machine.")
            for path, tracked in own.items() if tracked
        ]
        loose = sorted(path for path, tracked in own.items() if not tracked)
        if loose:
            more = f" and {len(loose) - 1} more" if len(loose) > 1 else ""
            message = f"git does not ignore {store.named(loose[0])}{more}."
            hint = f"Add /{folder}/ to {store.join('.gitignore')}."
            found.append(FRAGMENT_TRACKED.finding(prefix.rstrip("/"), None, message, hint, severity="warning"))
    looked = {document.path for document in context.documents if document.place.role in ("fragment", "archive")}
    looked |= {finding.path for finding in found if finding.severity == "error"}
    return Checked(len(looked), found)


def memory_ignored(context: CheckContext) -> Checked:
    """Memories that git ignores, and so leaves behind."""
    listed = _listed(context)
    if isinstance(listed, Checked):
        return listed
    documents = [document for document in context.documents if document.place.role in ("project", "feature", "progress")]
    found = [
        MEMORY_IGNORED.finding(document.path, None, "git ignores this, so that it does not travel with the branch.")
        for document in documents if document.path not in listed
    ]
    return Checked(len(documents), found)


def _name(path: str) -> str:
    return path.rpartition("/")[2]


def _listed(context: CheckContext) -> Mapping[str, bool] | Checked:
    """Path -> whether git tracks it, of all in the store's folder that git doesn't ignore; asked of git once in a check. What a
    rule says instead, where git can't tell."""
    if context.git is None:
        return Checked(0, skipped=NO_GIT)
    key = f"listed {context.store.path} {context.store.layout}"
    known: Mapping[str, bool] | GitError | None = context.shared.get(key)
    if known is None:
        from memdesk.core.gitdiff import name

        words = ["--literal-pathspecs", "ls-files", "-z", "-t", "--cached", "--others", "--exclude-standard"]
        try:
            raw = context.git.run([*words, "--", context.store.path], index=True)
            known = {name(one[2:]): one[:1] != b"?" for one in sorted(raw.split(b"\0"), reverse=True) if one}
        except GitError as error:
            known = error
        context.shared[key] = known
    if isinstance(known, GitError):
        context.shared.setdefault("failures", []).append(str(known))
        return Checked(0, skipped=str(known), failed=True)
    return known


FRAGMENT_TRACKED = Rule(
    "fragment-tracked", "error",
    "a path under .ephemeral/ or locks/ that is committed, or that git does not ignore (a warning)",
    "Take it out of git, `git rm -r --cached`, and add its folder to .gitignore.", "local files",
    fragment_tracked, NAME,
)
MEMORY_IGNORED = Rule(
    "memory-ignored", "error", "a memory that git ignores, so that it would not travel with the branch",
    "Take the pattern out that ignores it: `git check-ignore -v FILE` names it.", "memories", memory_ignored, NAME,
)
RULES = (FRAGMENT_TRACKED, MEMORY_IGNORED)
