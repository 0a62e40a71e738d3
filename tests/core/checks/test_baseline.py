"""The baseline: what its lines say, what it takes, what it keeps and drops, and every way in which its file can be wrong."""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path
from time import process_time

import pytest

from memdesk.core.checks import baseline, baselinefile, examples, registry, session
from memdesk.core.checks.fingerprint import fingerprints
from memdesk.core.errors import UsageError
from memdesk.core.model import Finding
from tests.support.baselines import NAME, against, done, lines, rules, written
from tests.support.examples import asked as made_for
from tests.support.examples import day, lay_out, stage
from tests.support.sampling import sampled
from tests.support.stores import custodian_store, git_repo, put

KEY = "AKIA" + "QWERTYUIOPASDFGH"
TODO = "# Brief\n\nTODO: one\nTODO: two\n"
MARK = "ab" * 32


@pytest.fixture
def root(tmp_path: Path) -> Path:
    custodian_store(tmp_path, brief=TODO, constraints="# C\n\n- Maps are in /home/ana/maps.\n- Twice.\n- Twice.\n")
    put(tmp_path, "AGENTS.md", "see docs/memory\n")
    return tmp_path


def test_what_was_found_once_is_left_out_and_what_is_new_is_not(root: Path) -> None:
    made = written(root)
    assert made.notices == ("baseline.txt: written: 5 findings (5 new, 0 gone).",)
    found = against(root)
    assert (found.exit_code, found.findings, found.sifted and found.sifted.known) == (0, (), 5)
    put(root, "docs/memory/brief.md", TODO + "TODO: three\n")
    assert [(one.rule, one.line) for one in against(root).findings] == [("brief-scaffold", 5)]
    put(root, "docs/memory/brief.md", "# Brief\n\nTODO: one\nTODO: one\n")
    found = against(root)
    assert [(one.rule, one.line) for one in found.findings] == [("brief-scaffold", 4)]
    assert [one.rule for one in found.sifted.gone] == ["brief-scaffold"]  # type: ignore[union-attr]


def test_what_is_mended_leaves_at_the_next_write_and_is_new_when_it_comes_again(root: Path) -> None:
    written(root)
    put(root, "docs/memory/brief.md", "# Brief\n\nTODO: two\n")
    assert len(against(root).sifted.gone) == 1  # type: ignore[union-attr]
    assert written(root).notices == ("baseline.txt: written: 4 findings (0 new, 1 gone).",)
    stamp = os.stat(root / NAME)
    assert written(root).notices == ("baseline.txt: is as it was: 4 findings (0 new, 0 gone).",)
    assert os.stat(root / NAME).st_mtime_ns == stamp.st_mtime_ns
    put(root, "docs/memory/brief.md", TODO)
    assert rules(against(root).findings) == {"brief-scaffold": 1}


def test_the_form_of_the_file(root: Path) -> None:
    written(root)
    text = (root / NAME).read_text()
    rows = text.splitlines()
    assert rows[0] == "# memdesk baseline 1"
    marks = [row for row in rows if len(row) == 4]
    assert (marks[0], marks[-1], len(marks)) == ("# 00", "# ff", 256)
    known = [row for row in rows if not row.startswith("#")]
    assert known == sorted(known)
    assert {tuple(row.split(" ")[1:]) for row in known} == {
        ("brief-scaffold", "docs/memory", "docs/memory/brief.md"),
        ("duplicate-entry", "docs/memory", "docs/memory/constraints.md"),
        ("example-value", "docs/memory", "docs/memory/constraints.md"),
        ("machine-path", "docs/memory", "docs/memory/constraints.md"),
    }
    beside = root / "beside.txt"
    beside.touch()
    assert os.stat(root / NAME).st_mode == os.stat(beside).st_mode, "the umask decides"


@pytest.mark.parametrize(
    ("name", "data", "rule"),
    [
        ("constraints", "# C\n\n<<<<<<< ours\n- a\n=======\n- b\n>>>>>>> theirs\n", "conflict-marker"),
        ("constraints", b"# C\n\n- \xff\n", "encoding"),
        ("constraints", f"# C\n\n- {KEY}\n", "secret"),
        ("constraints", "# C\n\n- a <!-- memdesk: allow secret because -->\n", "allow-unused"),
    ],
)
def test_what_no_baseline_takes_stays(tmp_path: Path, name: str, data: str | bytes, rule: str) -> None:
    custodian_store(tmp_path, **{name: data})
    put(tmp_path, "AGENTS.md", "see docs/memory\n")
    made = written(tmp_path)
    assert rules(made.report.findings) == {rule: 1}
    assert rule in made.notices[-1]
    assert rules(against(tmp_path).findings) == {rule: 1}
    assert lines(tmp_path) == []


def test_a_line_of_such_a_rule_that_someone_wrote_hides_nothing(tmp_path: Path) -> None:
    custodian_store(tmp_path, constraints=f"# C\n\n- {KEY}\n")
    found = done(tmp_path)
    at = [one.rule for one in found.report.findings].index("secret")
    mark = fingerprints(found.workspace, found.report.findings)[at]
    put(tmp_path, NAME, baseline.render([baseline.Known(mark, "secret", "docs/memory", "docs/memory/constraints.md")]))
    left = against(tmp_path)
    assert rules(left.findings)["secret"] == 1
    assert [one.rule for one in left.sifted.gone] == ["secret"]  # type: ignore[union-attr]


@pytest.mark.parametrize("word", ["rule", "path"])
def test_a_line_that_says_another_rule_or_path_than_its_finding_s_hides_nothing(root: Path, word: str) -> None:
    """Whoever reviews the file reads these words: a fingerprint beside them tells a person nothing."""
    written(root)
    known = lines(root)
    put(root, NAME, baseline.render(one._replace(**{word: "near-budget"}) for one in known))
    found = against(root)
    assert Counter((one.rule, one.path) for one in found.findings) == Counter((one.rule, one.path) for one in known)
    assert (found.sifted.known, len(found.sifted.gone)) == (0, len(known))  # type: ignore[union-attr]
    assert written(root).notices == (f"baseline.txt: written: {len(known)} findings ({len(known)} new, {len(known)} gone).",)
    assert lines(root) == known


def test_what_a_change_does_is_in_no_baseline(tmp_path: Path) -> None:
    custodian_store(tmp_path, constraints="# C\n\n- ~~gone~~\n- a\n")
    put(tmp_path, "AGENTS.md", "see docs/memory\n")
    git_repo(tmp_path)
    put(tmp_path, "docs/memory/constraints.md", "# C\n\n- a\n")
    assert rules(written(tmp_path, mode="worktree").report.findings) == {"struck-lost": 1}
    assert lines(tmp_path) == []


@pytest.mark.parametrize(
    ("asked", "kept"),
    [
        ({"only": ["machine-path"]}, 5), ({"skip": ["brief-scaffold", "duplicate-entry"]}, 3), ({"store": "b/docs/memory"}, 5),
        ({"changed_only": True, "mode": "worktree"}, 0),
    ],
)  # fmt: skip
def test_a_partial_check_keeps_the_lines_of_what_did_not_run(root: Path, asked: dict[str, object], kept: int) -> None:
    custodian_store(root, "b/docs/memory")
    git_repo(root)
    written(root)
    before = lines(root)
    made = written(root, **asked)
    assert lines(root) == before
    assert made.report.sifted is not None
    assert (made.report.sifted.unseen, made.report.sifted.gone) == (kept, ())
    found = against(root, **asked)
    assert (found.findings, found.sifted and found.sifted.gone) == ((), ())


def test_a_partial_write_drops_what_it_looked_for_and_adds_what_it_found(root: Path) -> None:
    written(root)
    put(root, "docs/memory/constraints.md", "# C\n\n- Logs are in /mnt/c/logs.\n- Twice.\n- Twice.\n")
    put(root, "docs/memory/brief.md", "# Brief\n\nIt counts.\n")
    made = written(root, only=["machine-path"])
    assert made.notices == ("baseline.txt: written: 5 findings (1 new, 1 gone, 4 kept of what was not looked at).",)
    assert rules(against(root).findings) == {}
    assert len(against(root).sifted.gone) == 3  # type: ignore[union-attr]


def test_lines_of_a_file_that_cannot_be_read_now_are_kept(root: Path) -> None:
    written(root)
    put(root, "docs/memory/constraints.md", "# C\n\n<<<<<<< ours\n- a\n=======\n- b\n>>>>>>> theirs\n")
    assert written(root).report.sifted.unseen == 3  # type: ignore[union-attr]
    put(root, "docs/memory/constraints.md", "# C\n\n- Maps are in /home/ana/maps.\n- Twice.\n- Twice.\n")
    assert against(root).findings == ()


def test_lines_of_a_store_or_rule_that_is_no_more_are_gone(root: Path) -> None:
    put(root, NAME, baseline.render([baseline.Known(MARK, "old-rule", "docs/memory", "docs/memory/brief.md"),
                                     baseline.Known("cd" * 32, "near-budget", "old", "old/brief.md")]))
    assert len(against(root, only=["machine-path"]).sifted.gone) == 2  # type: ignore[union-attr]
    assert written(root).report.sifted.unseen == 0  # type: ignore[union-attr]


def test_of_two_stores_each_has_its_own(tmp_path: Path) -> None:
    for folder in ("a/docs/memory", "b/docs/memory"):
        custodian_store(tmp_path, folder)
    written(tmp_path, only=["guide-missing"], store="a/docs/memory")
    found = against(tmp_path, only=["guide-missing"])
    assert [one.about for one in found.findings] == ["b/docs/memory"]
    written(tmp_path, only=["guide-missing"], store="b/docs/memory")
    assert [(one.store, one.path) for one in sorted(lines(tmp_path), key=lambda one: one.store)] == [
        ("a/docs/memory", "AGENTS.md"), ("b/docs/memory", "AGENTS.md"),
    ]  # fmt: skip


def test_after_a_check_that_could_not_do_all_nothing_is_written(root: Path) -> None:
    git_repo(root)
    made = written(root, mode="base", base="no-such-revision")
    assert (made.report.exit_code, len(made.report.findings)) == (2, 5)
    assert "baseline.txt: The baseline is not written" in made.report.failures[-1]
    assert not (root / NAME).exists()


def test_strict_and_allowances_go_with_it(root: Path) -> None:
    written(root)
    assert against(root, strict=True).findings == ()
    text = "# C\n\n- Maps are in /home/ana/maps. <!-- memdesk: allow machine-path they are everyone's -->\n"
    put(root, "docs/memory/constraints.md", text)
    written(root)
    assert rules(against(root).findings) == {}


HEAD = b"# memdesk baseline 1\n"
ROW = f"{MARK} near-budget docs/memory docs/memory/brief.md\n".encode()


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (None, "baseline.txt: There is no such baseline."),
        (b"", "baseline.txt:1: This is no baseline"),
        (b"# Notes\n", "baseline.txt:1: This is no baseline"),
        (b"# memdesk baseline 2\n", "baseline.txt:1: The baseline is of format 2; this version of memdesk reads format 1. Up"),
        (b"# memdesk baseline 0\n", "format 0; this version of memdesk reads format 1. Write it anew"),
        (HEAD + ROW + b"# x\n" + ROW, "baseline.txt:4: This line is that of line 2 again."),
        (HEAD + b"<<<<<<< HEAD\n" + ROW + b"=======\n>>>>>>> x\n", "baseline.txt:2: git's conflict markers are in"),
        (b"<<<<<<< HEAD\n" + HEAD, "baseline.txt:1: git's conflict markers are in the baseline."),
        (HEAD + b"\n" + ROW[1:], "baseline.txt:3: This line can't be read."),
        (HEAD + ROW.replace(b" docs/memory/", b"  docs/memory/"), "baseline.txt:2: This line can't be read."),
        (HEAD + ROW.strip() + b" more\n", "baseline.txt:2: This line can't be read."),
        (HEAD + b"\xff\xfe\n", "baseline.txt:2: This line can't be read."),
    ],
)  # fmt: skip
def test_what_is_no_baseline_is_2_with_its_line_and_hides_nothing(root: Path, data: bytes | None, said: str) -> None:
    if data is not None:
        put(root, NAME, data)
    found = against(root)
    assert (found.exit_code, found.sifted, len(found.findings)) == (2, None, 5)
    assert said in found.failures[-1]
    if data is not None:
        made = written(root)  # nor is it written over: it may be somebody's notes
        assert (made.report.exit_code, (root / NAME).read_bytes()) == (2, data)


def test_line_endings_a_bom_and_no_last_one_are_read(root: Path) -> None:
    one = baseline.Known(MARK, "near-budget", "docs/memory", "docs/memory/brief.md")
    for data in (HEAD + ROW, (HEAD + ROW).replace(b"\n", b"\r\n"), b"\xef\xbb\xbf" + HEAD + ROW.rstrip()):
        assert baseline.parse(data, NAME) == [one]


@pytest.mark.parametrize("word", ["baseline", "write_baseline"])
def test_places_where_no_baseline_may_be(tmp_path: Path, word: str, monkeypatch: pytest.MonkeyPatch) -> None:
    root = tmp_path / "root"
    custodian_store(root)
    git_repo(root)
    put(root, "real.txt", HEAD)
    (root / "link.txt").symlink_to("real.txt")
    (root / "out").symlink_to(tmp_path)
    os.mkfifo(root / "pipe")
    monkeypatch.chdir(root / "docs")
    for name, said in {
        "../../x.txt": "is not in the workspace", "/x.txt": "is not in the workspace", "": "is not in the workspace",
        "../link.txt": "link.txt: The baseline is a link.", "../out/x.txt": "is not in the workspace",
        "../.git/x.txt": "git's own folder", "memory": "docs/memory: The baseline is no file.", "../pipe": "pipe: The baseline",
    }.items():  # fmt: skip
        with pytest.raises(UsageError) as raised:
            done(root, **{word: name})
        assert said in str(raised.value), name
    assert not (tmp_path / "x.txt").exists()
    if word == "write_baseline":
        with pytest.raises(UsageError, match="would be a memory file"):
            done(root, write_baseline="memory/inbox2.md")
        with pytest.raises(UsageError, match="name two files"):
            done(root, write_baseline="a.txt", baseline="b.txt")
        made = done(root, write_baseline="a.txt", baseline="../docs/a.txt")
        assert (made.report.exit_code, (root / "docs/a.txt").exists()) == (0, True)


@pytest.mark.skipif(os.geteuid() == 0, reason="root writes everywhere")
def test_permissions(root: Path) -> None:
    written(root)
    (root / NAME).chmod(0)
    assert "cannot be read: Permission denied" in against(root).failures[-1]
    (root / "shut").mkdir()
    (root / "shut").chmod(0o555)
    made = written(root, "shut/b.txt")
    assert "shut/b.txt: The baseline cannot be written: Permission denied" in made.report.failures[-1]


def test_a_folder_that_is_missing_or_a_file(root: Path) -> None:
    put(root, "file", "x")
    for name, said in {"gone/b.txt": "No such file or directory. Make its folder", "file/b.txt": "Not a directory"}.items():
        made = written(root, name)
        assert (made.report.exit_code, said in made.report.failures[-1]) == (2, True), made.report.failures
        assert (len(made.report.findings), made.report.sifted) == (5, None)  # known to nothing, and so reported
        assert not list(root.rglob(".memdesk-baseline-*"))


def test_its_mode_stays_and_another_name_of_it_does_not_change(root: Path) -> None:
    written(root)
    (root / NAME).chmod(0o640)
    os.link(root / NAME, root / "other.txt")
    before = (root / "other.txt").read_bytes()
    put(root, "docs/memory/brief.md", "# Brief\n\nIt counts.\n")
    written(root)
    assert os.stat(root / NAME).st_mode & 0o777 == 0o640
    assert (root / "other.txt").read_bytes() == before != (root / NAME).read_bytes()


def test_a_file_without_end_is_refused(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(baselinefile, "LIMIT", 1_000_000)
    put(root, NAME, HEAD + b"# x\n" * 300_000)
    assert "The baseline has over 1 MB." in against(root).failures[-1]


def test_a_secret_beside_a_finding_is_in_no_fingerprint(tmp_path: Path) -> None:
    def marks(key: str) -> list[str]:
        custodian_store(tmp_path, constraints=f"# C\n\n- Keys: {key} in /home/ana/keys\n")
        found = done(tmp_path)
        return fingerprints(found.workspace, found.report.findings)

    assert marks(KEY) == marks("AKIA" + "ZXCVBNMASDFGHJKL")
    block = "-----BEGIN PRIVATE KEY-----\n" + "QmFzZTY0\n" * 3 + "-----END PRIVATE KEY-----"
    texts = [block.replace("QmFz", other) for other in ("QmFz", "UnVi")]
    found = []
    for text in texts:
        custodian_store(tmp_path, constraints=f"# C\n\n{text}\n")
        opened = done(tmp_path).workspace
        found.append(fingerprints(opened, [Finding("x", "error", "docs/memory/constraints.md", 5, "in the middle of it")]))
    assert found[0] == found[1]


def test_fingerprints_tell_apart_what_differs_and_count_what_is_equal(tmp_path: Path) -> None:
    custodian_store(tmp_path, constraints="# C\n\n- a\n- b\n-  a\n")
    opened = done(tmp_path).workspace
    path = "docs/memory/constraints.md"
    one, two, three = (Finding("x", "error", path, line, "m") for line in (3, 4, 5))
    first = fingerprints(opened, [one, two, three])
    assert len(set(first)) == 3
    assert fingerprints(opened, [three, one, two]) == [first[2], first[0], first[1]]
    assert fingerprints(opened, [three]) == [first[0]]  # of two equal ones one is left: which, nobody can tell
    others = [
        one._replace(rule="y"), one._replace(path="docs/memory/gone.md"), one._replace(line=None), one._replace(about="z"),
        one._replace(line=99),
    ]  # fmt: skip
    assert len({*first, *(fingerprints(opened, [other])[0] for other in others)}) == 8
    same = [one._replace(message="n"), one._replace(severity="warning"), one._replace(possible=True), one._replace(hint="h")]
    assert {fingerprints(opened, [other])[0] for other in same} == {first[0]}


@pytest.mark.parametrize("rule", sampled(registry.rules(), 6), ids=lambda rule: rule.name)
def test_each_rules_finding_is_known_with_other_line_endings_and_further_down(rule: registry.Rule, tmp_path: Path) -> None:
    example = examples.of(rule)
    lay_out(example, example.fails, tmp_path)

    def asked(**more: str) -> session.Done:
        word = made_for(example, tmp_path)._replace(only=[rule.name])
        return session.check(word._replace(**more), day(example))

    made = asked(write_baseline=str(tmp_path / NAME))
    if rule.name in baseline.NEVER or rule.of_change:
        assert rules(made.report.findings) == {rule.name: len(example.findings)}
        return
    assert made.report.findings == ()
    assert len(lines(tmp_path)) >= 1
    for path in tmp_path.rglob("*.md"):
        data = path.read_bytes()
        if not path.is_symlink() and b"\0" not in data and rule.name not in ("over-cap", "rom-caps", "ram-caps"):
            path.write_bytes(data.replace(b"\n\n", b"\n\n\n", 1).replace(b"\r\n", b"\n").replace(b"\n", b"\r\n"))
    stage(example, tmp_path)
    found = asked(baseline=str(tmp_path / NAME)).report
    assert (found.findings, found.sifted and found.sifted.gone) == ((), ())


def test_many_findings_in_one_line_take_time_that_grows_with_them(tmp_path: Path) -> None:
    def spent(count: int) -> float:
        custodian_store(tmp_path, constraints="# C\n\n- a" + "<!-- memdesk: allow secret x -->" * count + "\n")
        found = done(tmp_path, only=["secret", "allow-unused"])
        assert len(found.report.findings) == count
        best = []
        for _ in range(3):
            start = process_time()
            assert len(set(fingerprints(found.workspace, found.report.findings))) == count
            best.append(process_time() - start)
        return min(best)

    assert spent(4000) < 10 * spent(1000)  # 4 is linear, 16 is quadratic
