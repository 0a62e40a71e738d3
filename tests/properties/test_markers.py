"""The sides of what git itself wrote, with its own merge of files."""

from __future__ import annotations

import subprocess
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memdesk.core.intake import problem
from memdesk.core.markers import Places, regions, sides

# Few different lines, so that many stand on both sides; some that resemble markers of another length.
LINES = st.sampled_from([
    "", "- one", "- two", "## A title", "text", "Title", "=====", "```", "<<<<<<<<< inner", "||||||||| c", "=========",
    ">>>>>>>>> inner", "> >>>>>>> quoted", "<<<<<<<glued", "end",
])
TEXTS = st.lists(LINES, max_size=14).map(lambda lines: "".join(f"{line}\n" for line in lines))
STYLES = ("", "--diff3", "--zdiff3")
ONCE = settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


class Bench:
    """Three files and git's merge of them."""

    def __init__(self, folder: Path, base: bytes, ours: bytes, theirs: bytes) -> None:
        self.folder = folder
        for name, data in (("base", base), ("ours", ours), ("theirs", theirs)):
            (folder / name).write_bytes(data)

    def merged(self, *options: str) -> tuple[bytes, int]:
        """What git writes, and how many conflicts it says there are."""
        command = ["git", "merge-file", "-p", "-q", *(option for option in options if option), "ours", "base", "theirs"]
        done = subprocess.run(command, cwd=self.folder, capture_output=True, check=False)
        assert done.returncode < 128, done.stderr
        return done.stdout, done.returncode


def checked(base: str, ours: str, theirs: str, newline: str, size: int) -> None:
    texts = [text.replace("\n", newline).encode() for text in (base, ours, theirs)]
    with tempfile.TemporaryDirectory(prefix="memdesk-tests-") as folder:
        bench = Bench(Path(folder), *texts)
        taken = {side: bench.merged(f"--{side}")[0] for side in ("ours", "theirs")}
        for style in STYLES:
            data, conflicts = bench.merged(style, f"--marker-size={size}")
            if not conflicts:
                continue
            assert problem(data) is not None
            found = regions(data)
            rebuilt = sides(data)
            assert len(found) == conflicts
            assert (rebuilt.ours, rebuilt.theirs) == (taken["ours"], taken["theirs"])
            assert (rebuilt.base is None) is (style == "")
            for side, text in (("ours", rebuilt.ours), ("theirs", rebuilt.theirs)):
                places = Places(found, side)
                assert all(data[places.at(at)] == byte for at, byte in enumerate(text))
            if style == "--diff3":  # the other style takes lines off that the sides begin and end with alike
                at = 0
                for region in found:
                    assert region.base is not None
                    at = texts[0].index(region.base, at) + len(region.base)


@pytest.mark.slow
@ONCE
@given(TEXTS, TEXTS, TEXTS, st.sampled_from(["\n", "\r\n"]), st.sampled_from([7, 7, 8, 15]))
def test_the_sides_of_what_git_wrote_are_what_git_would_have_taken(
    base: str, ours: str, theirs: str, newline: str, size: int
) -> None:
    checked(base, ours, theirs, newline, size)


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_the_sides_of_one_merge(newline: str) -> None:
    base = "# D\n\n## A\n\nold\n\n## B\n\nkept\n\n## C\n\nold\n"
    ours = base.replace("A\n\nold", "A\n\nours").replace("C\n\nold", "C\n\nours")
    theirs = base.replace("A\n\nold", "A\n\ntheirs").replace("## C\n\nold\n", "")
    checked(base, ours, theirs, newline, 7)


def test_where_all_that_differs_is_in_conflict_the_sides_are_the_files(tmp_path: Path) -> None:
    base, ours, theirs = (f"# D\n\n- {word}\n\n## B\n\nkept\n\n## C\n\n{word}\n".encode() for word in ("old", "ours", "theirs"))
    data, conflicts = Bench(tmp_path, base, ours, theirs).merged("--diff3")
    assert conflicts == 2
    assert sides(data) == (base, ours, theirs)
