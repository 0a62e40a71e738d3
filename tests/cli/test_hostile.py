"""Hostile input and weird stores, through the command line: what is written is listed, alone, and can be taken back."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest

from tests.support.commands import Here
from tests.support.sampling import sampled
from tests.support.stores import MEMORY, custodian_store, put, snapshot

INBOX = f"{MEMORY}/inbox.md"
TEXTS = (
    "plain", "# heading", "- bullet", "1. one", "> quote", "```\nopen", "<!-- open", "---", "a\n===", "text\n\n## H",
    "    code", "~~struck~~", "a ~~b~~ c", "[stated] x", "[observed] tagged", "[ref]: http://x", "<div>\nx", "x\r\ny",
    "x\ry", "\u2028sep", "a\\", "2026-11-30", "## 2026-11-30", "text\nStatus: rejected", "(from x)", "text (from a.py:1",
    "No unprocessed memory candidates.", "~~text~~ struck 2026-11-01: y", "`code", "text\n\n\n\nmore", "a\n\n    code",
    "a\n  - nested\n    - deep", "\ufeffbom", "x" * 5000,
    "a\n1. b", "text <!-- a", "superseded 2026-11-30", " ", "-", "\x1b[31mred", "\ud800",
)
INBOXES = {
    "placeholder": "# Inbox\n\nNo unprocessed memory candidates.\n", "empty": "", "a title": "# Inbox", "missing": None,
    "dated": "# Inbox\n\n## 2026-11-20\n\n- a\n- b\n  c\n", "today": "# Inbox\n\n## 2026-11-30\n\n- a\n",
    "CRLF": "# Inbox\r\n\r\n## 2026-11-20\r\n\r\n- a\r\n", "BOM": "\ufeff# Inbox\n\n- a\n", "no newline": "# Inbox\n\n- a",
    "section": "# Inbox\n\n## Thing\n\nStatus: candidate\n\nBody\n", "no heading": "- a\n- b",
    "front matter": "---\nx: 1\n---\n# Inbox\n\n- a\n", "stars": "# Inbox\n\n* a\n* b\n", "loose": "# Inbox\n\n- a\n\n- b\n",
    "setext": "Inbox\n=====\n\n2026-11-20\n----------\n\n- a\n", "intro": "# Inbox\n\nWhat waits.\nMore.\n\n- a\n",
    "fence": "# Inbox\n\n- a\n\n  ```\n  ## x\n  ```\n", "open fence": "# Inbox\n\n- a\n\n```\nopen",
    "both endings": "# Inbox\r\n\n- a\n- b\r\n",
    "blanks": "\n\n  # Inbox  \n\n- a   \n\n\n", "ordered": "# Inbox\n\n1. a\n2. b\n", "tabs": "# Inbox\n\n-\ta\n-\tb\n",
}
CASES = list(product(INBOXES, TEXTS))


def check_add(here: Here, root: Path, name: str, text: str) -> bool:
    """Adds one text to one inbox: it is refused and nothing changed, or listed beside all that was there, and undone."""
    path = root / INBOX
    data = INBOXES[name]
    path.unlink(missing_ok=True)
    if data is not None:
        put(root, INBOX, data)
    before = path.read_bytes() if path.exists() else None
    old = [item["text"] for item in here("inbox", "--format", "json").json["candidates"]]
    found = here("add", "-", stdin=text.encode("utf-8", "surrogatepass"))
    after = path.read_bytes() if path.exists() else None
    if found.code != 0:
        assert found.code in (1, 2), (name, text)
        assert after == before, (name, text)
        assert found.err.startswith("memdesk: "), (name, text)
        assert "Traceback" not in found.err, (name, text)
        return False
    listed = here("inbox", "--format", "json").json["candidates"]
    assert [item["text"] for item in listed if item["id"] != found.id] == old, (name, text)
    assert len(listed) == len(old) + 1, (name, text)
    assert here("undo", "--yes").code == 0, (name, text)
    assert (path.read_bytes() if path.exists() else None) == before, (name, text)
    return True


@pytest.mark.parametrize("part", sampled(range(4), 4))
def test_any_text_into_any_inbox(here: Here, root: Path, part: int) -> None:
    """A spread of the cases: each text and each inbox comes up; all of them is the slow test below."""
    assert sum(check_add(here, root, *case) for case in CASES[part * 9 :: 37]) > 3


@pytest.mark.slow
def test_every_text_into_every_inbox(here: Here, root: Path) -> None:
    for case in CASES:
        check_add(here, root, *case)


FOLDERS = ("docs/mem ory", "docs/-dash", "docs/--help", "docs/new\nline", "docs/a#b", "docs/ü日本", "docs/a\x1bb", "docs/a:3",
           "docs/quo'te\"$(x)", "docs/b\udcffd", "docs/deep/er/memory", "docs/pack")


@pytest.mark.parametrize("folder", sampled(FOLDERS, 4), ids=ascii)
def test_names_of_stores(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, folder: str
) -> None:
    custodian_store(tmp_path, folder, inbox="# Inbox\n\n- Alpha one\n- Beta two\n")
    here = Here(tmp_path, capsys, monkeypatch)
    (store,) = (item["path"] for item in here("stores", "--format", "json").json["stores"])
    assert store == folder.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    first, _ = here.ids("inbox")
    assert len(here("inbox").out.splitlines()) == 2
    assert "\x1b" not in here("inbox").out
    before = snapshot(tmp_path)
    assert here("promote", first, "--to", "constraints", "--yes", "--as", "Ana").code == 0
    assert here("add", "Gamma", "--store", store).code == 0
    assert len(here("pack", "--task", "planning", "--names-only", "--store", store).out.splitlines()) == 3
    assert len(here("history").out.splitlines()) == 2
    assert here("undo", "--yes").code == here("undo", "--yes").code == 0
    after = {name: data for name, data in snapshot(tmp_path).items() if not name.startswith(".memdesk/")}
    assert after == {name: data for name, data in before.items() if not name.startswith(".memdesk/")}


def test_a_store_in_a_store_and_one_by_a_link(here: Here, root: Path) -> None:
    custodian_store(root, f"{MEMORY}/docs/memory")
    (root / "docs" / "again").symlink_to("memory", target_is_directory=True)
    paths = [store["path"] for store in here("stores", "--format", "json").json["stores"]]
    assert MEMORY in paths
    assert "docs/again" not in paths
    found = here("add", "Site 7 floods", "--store", MEMORY)
    assert found.id.startswith(f"{INBOX}#")
    assert here("pack", "--task", "planning", "--store", MEMORY).code == 0


@pytest.mark.slow
def test_ten_thousand_candidates(here: Here, root: Path) -> None:
    put(root, INBOX, "# Inbox\n\n" + "".join(f"- Site {number} reports its counts late\n" for number in range(10_000)))
    lines = here("inbox").out.splitlines()
    assert len(lines) == len({line.split("  ")[0] for line in lines}) == 10_000
    added = here("add", "Site 10000 reports its counts late")
    assert added.code == 0
    assert here("reject", added.id, "--yes", "--as", "Ana").code == 0


@pytest.mark.parametrize("word", sampled(["\udcff", "x" * 100_000, "", "\n", "../..", "%s{}", "$(id)", "`id`"], 4))
def test_odd_words_everywhere(here: Here, root: Path, word: str) -> None:
    """Whatever a caller gives for an option: a message and a code, never a traceback."""
    before = snapshot(root)
    ident = here.ids("inbox")[0]
    for line in (
        ["pack", f"--task={word}"], ["pack", "--task=boot", f"--area={word}"], ["pack", "--task=planning", f"--path={word}"],
        ["pack", f"--why={word}"], ["entries", f"--grep={word}"], ["entries", f"--role={word}"], ["inbox", f"--store={word}"],
        ["history", f"--show={word}"], ["undo", "--yes", "--", word], ["strike", "--yes", "--as=Ana", "--", word],
        ["promote", ident, f"--to={word}"], ["promote", ident, f"--to=area:{word}"], ["merge", ident, f"--into={word}"],
        ["snooze", ident, f"--until={word}"], ["forget", "--", word], ["guide", f"--layout={word}"],
        ["add", "x", f"--kind={word}"], ["add", "x", f"--tag={word.strip() or 'y'}"], ["init", f"--path={word or '/'}"],
        ["inbox", f"--root={word or '/nowhere'}"],
        ["inbox", f"--config={word or '/nowhere'}"], ["inbox", f"--now={word or 'x'}"], ["--", word],
    ):
        found = here(*line, now=None)
        assert found.code in (0, 1, 2), line
        assert "Traceback" not in found.err, line
    assert snapshot(root) == before
