"""`memdesk prune` from outside: what it prints in each format, that it changes nothing, and that no memory text acts in it."""

from __future__ import annotations

from pathlib import Path

import pytest
from markdown_it import MarkdownIt

from tests.support import shapes
from tests.support.commands import Here
from tests.support.sources import decision, memory
from tests.support.stores import MEMORY, custodian_store, git, git_repo, put, snapshot

SESSIONS, JUDGMENTS = ".memdesk/sessions.toml", ".memdesk/judgments.toml"
FILES = {
    **memory(decisions=decision("A") + decision("A"), constraints="- Runs offline.\n- ~~Old.~~ struck 2020-01-01\n"),
    **memory("pkg/docs/memory", preferences="# P\n\n- WIP: one of two\n"), f"{MEMORY}/changelog.md": "# Changelog\n",
}
HOSTILE = (
    "</details><script>alert(1)</script> ```` ``` ` | a | @octocat fixes #1, owner/repo#2 and GH-3 <!-- [x](http://a.example) "
    "www.a.example ![i](http://a.example/i.png) &lt; $x$ **b** a@b.example \x1b[31m \u202e"
)


@pytest.fixture
def over(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Here:
    for path, text in FILES.items():
        put(tmp_path, path, text)
    return Here(tmp_path, capsys, monkeypatch)


def test_as_json_to_the_letter(over: Here) -> None:
    found = over("prune", "--format", "json")
    assert (found.code, found.err) == (0, "")
    assert shapes.faults(found.json, shapes.PRUNE) == []
    assert (found.json["overdue"], found.json["last_session"], found.json["judged"]) == (False, None, 0)
    copy, struck, task = found.json["proposals"]
    assert [one["kind"] for one in (copy, struck, task)] == ["duplicate", "struck", "task-specific"]
    assert [one["exact"] for one in (copy, struck, task)] == [True, True, False]
    assert copy["label"] == "Archive 1 copy: decisions.md 42 → 22 of 800 tokens"
    archive = f"{MEMORY}/archive/decisions-2026-11-30.md"
    assert sorted(copy["paths"]) == [archive, f"{MEMORY}/changelog.md", f"{MEMORY}/decisions.md"]
    assert copy["frees"][f"{MEMORY}/decisions.md"] == 20
    assert copy["evidence"] == f"{MEMORY}/decisions.md:3: A says it first, and stays.\n{MEMORY}/decisions.md:11 says the same."
    assert copy["entries"] == over.ids("entries", "--role", "decisions", "--store", MEMORY)[::-1]
    assert copy["diff"].count("\n+++ b/") == 3


def test_the_log_that_a_proposal_writes_to_takes_nothing_from_what_it_frees(over: Here) -> None:
    copy = over("prune", "--format", "json").json["proposals"][0]
    assert copy["frees"] == {f"{MEMORY}/decisions.md": 20, f"{MEMORY}/changelog.md": -24}
    assert f"`{copy['id']}` · exact · frees 20 tokens\n" in over("prune", "--format", "markdown").out


def test_as_text_by_kind_with_evidence_and_diff(over: Here) -> None:
    found = over("prune")
    assert (found.code, found.err.split("\n")[0]) == (0, "3 proposals")
    assert "memdesk: not compared: There is no git history here" in found.err
    rows = found.out.split("\n")
    assert rows[0] == "Said twice (1)"
    assert rows[1].endswith("  exact  Archive 1 copy: decisions.md 42 → 22 of 800 tokens")
    assert f"    {MEMORY}/decisions.md:11 says the same." in rows
    assert f"    │ --- a/{MEMORY}/decisions.md" in rows
    assert "Struck, past their keep time (1)" in rows
    assert over("prune", "--quiet").err == ""


def test_as_markdown_with_folded_diffs(over: Here) -> None:
    out = over("prune", "--format", "markdown").out
    head = "## Prune\n\n3 proposals; nothing was changed. Prune sessions: none is on record."
    assert out.startswith(f"{head}\n\n### Said twice (1, exact)\n")
    assert "<details>\n<summary><code>Archive 1 copy: decisions.md 42 → 22 of 800 tokens</code></summary>\n\n`" in out
    where = f"{MEMORY}/decisions.md"
    assert f"\n\n- `{where}:3: A says it first, and stays.`\n- `{where}:11 says the same.`\n\n" in out
    assert out.count("<details>") == out.count("</details>") == 3
    assert out.count("\n```diff\n") == sum(len(one["paths"]) for one in over("prune", "--format", "json").json["proposals"])
    left = "There is no git history here: for how long files were not touched is not looked at."
    assert out.endswith(f"\n\nNot compared:\n\n- `{left}`\n")


def test_of_one_store(over: Here) -> None:
    assert [one["kind"] for one in over("prune", "--store", "pkg/docs/memory", "--format", "json").json["proposals"]] == [
        "task-specific"
    ]
    assert over("prune", "--store", "nowhere").code == 2


def test_nothing_changes_neither_the_files_nor_the_state(over: Here) -> None:
    git_repo(over.root)
    (over.root / "more.md").write_text("More.\n")
    before, files = _stamps(over.root), snapshot(over.root)
    for form in ("text", "json", "markdown"):
        assert over("prune", "--format", form).code == 0
    assert snapshot(over.root) == files
    assert _stamps(over.root) == before, "git's folder, with the state in it, among them"
    assert git(over.root, "status", "--porcelain") == "?? more.md\n"


def test_with_a_cadence_it_says_when_the_last_session_was_and_that_one_is_overdue(over: Here) -> None:
    put(over.root, "memdesk.toml", "[prune]\nevery_days = 30\n")
    found = over("prune", "--format", "json").json
    assert (found["overdue"], found["last_session"]) == (True, None)
    put(over.root, SESSIONS, _session("2026-10-30"))
    found = over("prune")
    assert "The last prune session was on 2026-10-30; the cadence is 30 days." in found.err
    assert "**A prune session is overdue**: the last one ended on 2026-10-30." in over("prune", "--format", "markdown").out
    put(over.root, SESSIONS, _session("2026-10-31"))
    found = over("prune", "--format", "json").json
    assert (found["overdue"], found["last_session"]) == (False, "2026-10-31")


def test_what_cannot_be_read_is_2_and_everything_else_is_listed(over: Here) -> None:
    put(over.root, SESSIONS, "<<<<<<< ours\n")
    put(over.root, JUDGMENTS, "<<<<<<< ours\n")
    found = over("prune", "--format", "json")
    assert (found.code, len(found.json["proposals"])) == (2, 3)
    assert f"memdesk: {SESSIONS}:1: " in found.err
    assert f"memdesk: {JUDGMENTS}:1: " in found.err
    put(over.root, "m/MEMORY.md", "- `memory/people/ada.md`: a\n")
    put(over.root, "m/memory/people/ada.md", "# Ada\n\n- [stated] Plans (2024-01-01, from us)\n")
    git_repo(over.root)
    (over.root / ".git/refs/heads/main").write_text("0" * 39 + "1\n")
    found = over("prune")
    assert (found.code, "git log failed" in found.err) == (2, True)


def test_without_a_store_and_with_one_that_is_in_order(tmp_path: Path, over: Here) -> None:
    assert over("prune", "--root", str(tmp_path / "docs"), "x").code == 2
    for path in FILES:
        (over.root / path).unlink()
    assert (over("prune").code, "There is no store here." in over("prune").err) == (2, True)
    custodian_store(over.root)
    found = over("prune")
    assert (found.code, found.out, found.err.split("\n")[0]) == (0, "", "0 proposals")
    assert "\n\nNothing is proposed. Prune sessions: none is on record.\n" in over("prune", "--format", "markdown").out


def test_values_are_masked_but_for_the_diffs_of_text_and_json_and_a_warning_says_so(over: Here) -> None:
    mail = "kim.lee" + "@" + "corp.dev"
    put(over.root, f"{MEMORY}/constraints.md", f"# C\n\n- Ask {mail} first.\n- Is small.\n- Ask {mail} first.\n")
    (one, *_) = over("prune", "--format", "json").json["proposals"]
    assert mail not in one["label"] + one["evidence"] + one["title"]
    assert mail in one["diff"]
    assert "Ask *** first." in one["evidence"]
    found = over("prune")
    assert f"{MEMORY}/constraints.md holds what looks like a secret or example value" in found.err
    assert all(mail not in row for row in found.out.split("\n") if "│" not in row)
    assert mail not in over("prune", "--format", "markdown").out


def test_no_memory_text_acts_in_the_report(over: Here) -> None:
    twice = f"- {HOSTILE}\n- Is small.\n- {HOSTILE}\n"
    put(over.root, f"{MEMORY}/preferences.md", f"# P\n\n{twice}")
    put(over.root, f"{MEMORY}/decisions.md", f"# D\n\n{decision(HOSTILE.replace('<!--', ''), HOSTILE)}{decision('B')}" * 2)
    out = over("prune", "--format", "markdown").out
    assert "octocat" in out
    assert "\x1b" not in out
    assert "\u202e" not in out
    outside = []
    for token in MarkdownIt("gfm-like", {"linkify": False}).parse(out):
        if token.type == "html_block":
            outside.append(token.content)
        for child in token.children or ():
            assert child.type in ("text", "code_inline", "strong_open", "strong_close", "softbreak"), child
            if child.type == "text":
                outside.append(child.content)
    for text in outside:
        bare = text.split("<code>")[0] + text.rpartition("</code>")[2]  # a summary's is escaped
        for word in ("octocat", "script", "a.example", "#1", "GH-3", "alert"):
            assert word not in bare, text
    assert out.count("<details>") == out.count("\n</details>\n") + out.endswith("</details>\n")
    assert "<script>" not in "".join(row for row in out.split("\n") if row.startswith("<summary>"))


def test_a_report_fits_into_a_comment_and_counts_what_it_leaves_out_whole(over: Here) -> None:
    text = "".join(decision(f"Number {number}", "word " * 700) * 2 for number in range(20))
    put(over.root, f"{MEMORY}/decisions.md", "# D\n\n" + text)
    out = over("prune", "--format", "markdown").out
    assert 40_000 < len(out) < 65_536
    assert "Left out, so that this fits into a comment: the diffs of " in out
    assert out.count("<summary>") >= 20, "each is listed while there is room"
    assert out.count("```") % 2 == 0


def _session(day: str) -> str:
    return f'[[session]]\nended = {day}\nby = "Ada"\naccepted = 1\nrejected = 0\nsnoozed = 0\nfreed = 10\n'


def _stamps(root: Path) -> dict[str, int]:
    return {str(path): path.stat().st_mtime_ns for path in root.rglob("*")}
