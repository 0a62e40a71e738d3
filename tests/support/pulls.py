"""A pull request that changes memory in several ways at once, on disk."""

from __future__ import annotations

from pathlib import Path

from tests.support.stores import MEMORY, custodian_store, git, git_repo, put

# Planning loads decisions, do-not-use and preferences; implementation decisions, constraints and do-not-use.
FILES = {
    "constraints": "# Constraints\n\n- Runs without a network connection.\n- Never deletes a count.\n",
    "preferences": "# Preferences\n\n- Short sentences.\n",
    "areas/storage": "# Storage\n\n- One file for each site.\n- CSV alone.\n",
    "decisions": (
        "# Decisions\n\n"
        "## 2026-05-02 - Store counts as CSV\n\nDecision:\nAs CSV files.\n\nReason:\nVolunteers open them.\n\n"
        "## 2026-04-01 - Sort by day\n\nDecision:\nThe newest day is first.\n\nReason:\nIt is read first.\n"
    ),
}
BUDGET = 52  # tokens: both decisions just fit
STONE = (
    "## Tombstone: One big table\n\nDo not reintroduce this unless the user explicitly reverses it."
    " Reason: nobody could open it. Date: 2026-06-01.\n"
)


def base(root: Path) -> Path:
    """A store in a repository, committed on main; returns the store's folder."""
    store = custodian_store(root, budgets=(f"decisions.md: {BUDGET} tokens max",), **FILES)
    git_repo(root)
    return store


def pull(root: Path) -> None:
    """The change, in the working tree: a bullet moves between two files, an area has another name, a budget is tighter by ten
    tokens, and a way is rejected."""
    store = root / MEMORY
    put(store, "constraints.md", "# Constraints\n\n- Runs without a network connection.\n")
    put(store, "preferences.md", FILES["preferences"] + "- Never deletes a count.\n")
    (store / "areas/storage.md").rename(store / "areas/files.md")
    manifest = (store / "manifest.md").read_text()
    manifest = manifest.replace("areas/storage.md", "areas/files.md").replace("touches storage", "touches files")
    put(store, "manifest.md", manifest.replace(f"{BUDGET} tokens", f"{BUDGET - 10} tokens"))
    stones = (store / "do-not-use.md").read_text()
    put(store, "do-not-use.md", stones.replace("## Tombstone: Cloud", f"{STONE}\n## Tombstone: Cloud"))


def commit(root: Path, message: str = "Change") -> str:
    """Commits all of it; the commit's hash."""
    git(root, "add", "-A")
    git(root, "commit", "-q", "--allow-empty", "-m", message)
    return git(root, "rev-parse", "HEAD").strip()
