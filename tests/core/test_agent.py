"""The command that drafts: real programs that behave and misbehave, and nothing of them left afterwards."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from memdesk.core import agent as agents
from memdesk.core import config
from memdesk.core.agent import DraftFailed, DraftStopped, run
from tests.support.agents import agent, gone, late, nothing_left, numbers, said
from tests.support.sampling import sampled
from tests.support.stores import put

ENV = {"PATH": os.environ["PATH"]}
LONG = "é line of the prompt\n" * 100_000  # two megabytes, far more than a pipe holds


def draft(folder: Path, body: str, prompt: str = "prompt", **more: Any) -> str:
    words = agent(folder, body)
    given = {"cwd": str(folder), "environment": ENV, "timeout_s": 60, "max_bytes": 100_000, "grace": 0.0, **more}
    return run(words, prompt, **given)


def failure(folder: Path, body: str, prompt: str = "prompt", **more: Any) -> DraftFailed:
    with pytest.raises(DraftFailed) as caught:
        draft(folder, body, prompt, **more)
    assert caught.value.exit_code == 2
    return caught.value


def test_the_prompt_goes_in_and_the_draft_comes_out(tmp_path: Path) -> None:
    body = "data = sys.stdin.buffer.read(); sys.stdout.write('# Draft\\r\\n\\r\\n' + str(len(data)) + '\\tü\\n')"
    with nothing_left(tmp_path):
        assert draft(tmp_path, body, LONG) == f"# Draft\n\n{len(LONG.encode())}\tü\n"


def test_it_runs_in_its_folder_with_its_words_and_no_more_of_the_environment(tmp_path: Path) -> None:
    body = "print(os.getcwd(), sys.argv[1:], os.environ['WORD'], sorted(name for name in os.environ if name.isupper()))"
    words = [*agent(tmp_path, body), "$(id)", "a b", "*"]
    out = run(words, "", cwd=str(tmp_path), environment={**ENV, "WORD": "w"}, timeout_s=60, max_bytes=1000)
    assert out.startswith(f"{tmp_path} ['$(id)', 'a b', '*'] w ['")
    assert "'HOME'" not in out


def test_it_has_no_terminal_and_a_session_of_its_own(tmp_path: Path) -> None:
    body = """
try:
    open("/dev/tty")
except OSError as error:
    print(error.errno, os.getsid(0) == os.getpid())
"""
    assert draft(tmp_path, body) == "6 True\n"  # ENXIO


@pytest.mark.parametrize("body", ["print('ok')", "os.close(0); print('ok')", "sys.stdin.read(1); print('ok')"])
def test_a_command_that_does_not_read_on_gets_a_long_prompt(tmp_path: Path, body: str) -> None:
    with nothing_left(tmp_path):
        assert draft(tmp_path, body, LONG) == "ok\n"


def test_both_streams_and_a_long_prompt_at_once(tmp_path: Path) -> None:
    """Each side would wait for the other for ever, were one of them left waiting."""
    body = """
sys.stderr.write('e' * 3_000_000)
sys.stdout.write('o' * 90_000)
sys.stdout.flush()
sys.stdin.read()
sys.stderr.write('e' * 3_000_000)
sys.stdout.write('o' * 9_000)
"""
    with nothing_left(tmp_path):
        assert draft(tmp_path, body, LONG) == "o" * 99_000


def test_output_that_was_closed_before_the_end_is_waited_for(tmp_path: Path) -> None:
    body = "os.write(1, b'ok'); os.close(1); os.close(2); sys.stdin.read(); say('done'); os._exit(0)"
    with nothing_left(tmp_path):
        assert draft(tmp_path, body) == "ok"
    assert len(numbers(tmp_path)) == 1


@pytest.mark.parametrize(
    ("body", "files"),
    [
        ("say(); hang()", ("up",)),
        ("signal.signal(signal.SIGTERM, signal.SIG_IGN); say(); hang()", ("up",)),
        ("os.close(1); os.close(2); say(); hang()", ("up",)),
        ("os.fork() or (say('child'), hang()); say(); hang()", ("up", "child")),
        ("signal.signal(signal.SIGTERM, signal.SIG_IGN); os.fork() or (say('child'), hang()); say(); hang()", ("up", "child")),
        ("os.fork() or (os.setsid(), say('child'), hang()); say(); hang()", ("up", "child")),
        ("os.fork() or (os.setsid(), os.fork() and os._exit(0), say('daemon'), hang()); say(); hang()", ("up", "daemon")),
        ("os.fork() or os.execve('/bin/sh', ['sh', '-c', 'echo $$ > c; mv c child; exec sleep 600'], {}); say(); hang()",
         ("up", "child")),
        ("say(); os.kill(os.getpid(), signal.SIGSTOP); hang()", ("up",)),
    ],
    ids=["hangs", "ignores", "closed", "child", "both ignore", "session", "daemon", "no environment", "stopped"],
)  # fmt: skip
@pytest.mark.parametrize("how", ["late", pytest.param("called off", marks=pytest.mark.slow)])
def test_what_hangs_is_ended_with_all_that_it_started(tmp_path: Path, body: str, files: tuple[str, ...], how: str) -> None:
    with nothing_left(tmp_path):
        if how == "late":
            error = failure(tmp_path, body, now=late(tmp_path, *files), timeout_s=7)
            assert error.message == "The command did not end within 7 s, and was ended."
            assert error.remedy == "Nothing was changed; try again, or draft without it."
        else:
            error = failure(tmp_path, body, stopped=said(tmp_path, *files))
            assert isinstance(error, DraftStopped)
            assert error.called_off
        assert len(numbers(tmp_path)) == len(files)


def test_its_time_is_that_of_a_clock_that_nobody_sets_back(tmp_path: Path) -> None:
    with nothing_left(tmp_path):
        assert "did not end within 0.001 s" in failure(tmp_path, "hang()", timeout_s=0.001).message


def test_it_is_asked_to_end_before_it_is_killed(tmp_path: Path) -> None:
    body = "signal.signal(signal.SIGTERM, lambda *_: (say('asked', 'politely'), sys.exit(0))); say(); hang()"
    with nothing_left(tmp_path):
        failure(tmp_path, body, stopped=said(tmp_path, "up"), grace=60)
    assert (tmp_path / "asked").read_text() == "politely"


def test_a_flood_is_ended(tmp_path: Path) -> None:
    body = "say()\nwhile True: os.write(1, b'x' * 4096)"
    with nothing_left(tmp_path):
        error = failure(tmp_path, body, max_bytes=100_000)
    assert error.message == "The command printed more than 100000 bytes, and was ended."


def test_exactly_as_much_as_may_be_is_no_flood(tmp_path: Path) -> None:
    assert len(draft(tmp_path, "sys.stdout.write('x' * 4096)", max_bytes=4096)) == 4096
    assert "more than 4095 bytes" in failure(tmp_path, "sys.stdout.write('x' * 4096)", max_bytes=4095).message


def test_a_flood_of_messages_ends_in_time_and_is_not_kept(tmp_path: Path) -> None:
    body = "os.write(2, b'first words\\n'); say()\nwhile True: os.write(2, b'x' * 65536)"
    with nothing_left(tmp_path):
        error = failure(tmp_path, body, now=late(tmp_path, "up"))
    assert error.message.startswith("The command did not end within 60 s, and was ended. It said: first words")
    assert len(error.message) < 400


@pytest.mark.parametrize("start", ["", "os.setsid(); "], ids=["child", "session"])
def test_a_child_that_holds_the_output_open_is_not_waited_for(tmp_path: Path, start: str) -> None:
    body = f"""
ready, signs = os.pipe()
if os.fork() == 0:
    {start}say('child')
    os.write(signs, b'!')
    hang()
os.read(ready, 1)
say()
print('draft')
"""
    with nothing_left(tmp_path):
        assert draft(tmp_path, body) == "draft\n"
        assert len(numbers(tmp_path)) == 2


@pytest.mark.parametrize("stream", [1, 2])
def test_a_child_that_prints_on_and_on_after_the_end_does_not_hold_us(tmp_path: Path, stream: int) -> None:
    body = f"""
ready, signs = os.pipe()
if os.fork() == 0:
    say('child')
    for block in range({256 if stream == 1 else 0}):  # 16 MB: more than a draft may have, whoever of the two is the quicker
        os.write({stream}, b'x' * 65536)
    os.write(signs, b'!')
    while True:
        os.write({stream}, b'x' * 65536)
os.read(ready, 1)
print('draft')
"""
    with nothing_left(tmp_path):
        if stream == 1:
            assert "more than" in failure(tmp_path, body).message
        else:
            assert draft(tmp_path, body) == "draft\n"


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("sys.exit(3)", "ended with exit code 3."),
        ("print('half a draft'); sys.exit('no key is set')", "ended with exit code 1. It said: no key is set"),
        ("os.kill(os.getpid(), signal.SIGSEGV)", "ended with signal 11 (SIGSEGV)."),
        ("os.write(2, b'\\x1b[31mred\\x07\\xff \\xe2\\x80\\xae\\nnext'); sys.exit(1)",
         "It said: ‹U+001B›[31mred‹U+0007›\ufffd ‹U+202E› next"),
        ("sys.exit('token ghp_' + 'a1B2' * 9)", "It said: token ***"),
        ("sys.exit('w ' * 10_000)", "w w w…"),
    ],
)
def test_a_failure_says_what_the_command_said_inert_and_masked(tmp_path: Path, body: str, words: str) -> None:
    error = failure(tmp_path, body)
    assert words in error.message
    assert len(error.message) < 600
    assert error.remedy == agents.REMEDY


@pytest.mark.parametrize(
    ("output", "words"),
    [
        (b"", "printed nothing."),
        (b" \n\t\r\n", "printed nothing."),
        (b"# Draft\n\xff\n", "not UTF-8 (byte 8, line 2)."),
        (b"\xed\xa0\x80", "not UTF-8 (byte 0, line 1)."),
        ("# Größe".encode("utf-16"), "not UTF-8 (byte 0, line 1)."),
        (b"# Draft\n\nab\0c\n", "U+0000 control character at line 3, column 3."),
        (b"\x1b[31m# Draft\n", "U+001B escape at line 1, column 1. Switch off its colours."),
        ("one\u202etwo\n".encode(), "U+202E right-to-left override at line 1, column 4."),
    ],
)
def test_output_that_is_no_text_is_no_draft(tmp_path: Path, output: bytes, words: str) -> None:
    error = failure(tmp_path, f"os.write(1, {output!r})")
    assert error.message.endswith(words)
    assert error.remedy == agents.REMEDY


def test_line_endings_become_one_and_a_byte_order_mark_is_no_part_of_the_draft(tmp_path: Path) -> None:
    assert draft(tmp_path, "os.write(1, b'\\xef\\xbb\\xbf# Draft\\r\\n\\rone\\rtwo\\n')") == "# Draft\n\none\ntwo\n"


def _plain(folder: Path) -> str:
    return str(put(folder, "plain", "text\n"))


def _shebang(folder: Path) -> str:
    path = put(folder, "lost", "#!/no/such/interpreter\n")
    path.chmod(0o755)
    return str(path)


def _rubbish(folder: Path) -> str:
    path = put(folder, "rubbish", "\0\1\2")
    path.chmod(0o755)
    return str(path)


@pytest.mark.parametrize(
    ("word", "words"),
    [
        (lambda folder: "memdesk-no-such-program", "'memdesk-no-such-program' is not on the PATH."),
        (lambda folder: "./none", "'./none' is not there."),
        (lambda folder: str(folder), "cannot be executed (chmod +x)."),
        (_plain, "plain' cannot be executed (chmod +x)."),
        (_shebang, "lost' cannot be started: No such file or directory."),
        (_rubbish, "rubbish' cannot be started: Exec format error."),
    ],
)
def test_what_is_no_program_is_named(tmp_path: Path, word: Callable[[Path], str], words: str) -> None:
    with nothing_left(tmp_path), pytest.raises(DraftFailed) as caught:
        run([word(tmp_path)], "", cwd=str(tmp_path), environment=ENV, timeout_s=60, max_bytes=1000)
    assert caught.value.message.endswith(words)
    assert caught.value.remedy == agents.REMEDY


def test_a_relative_folder_of_the_path_is_not_looked_into(tmp_path: Path) -> None:
    """What a repository holds must not be taken for the program that was meant."""
    agent(tmp_path, "print('of the repository')", "sort-of-draft")
    for path in (".", "", f"bin{os.pathsep}."):
        with pytest.raises(DraftFailed, match="not on the PATH"):
            run(["sort-of-draft"], "", cwd=str(tmp_path), environment={"PATH": path}, timeout_s=60, max_bytes=1000)
    there = {"PATH": f"{tmp_path}{os.pathsep}."}
    for word, cwd, environment in (("sort-of-draft", "/", there), ("./sort-of-draft", str(tmp_path), {})):
        assert run([word], "", cwd=cwd, environment=environment, timeout_s=60, max_bytes=1000) == "of the repository\n"


@pytest.mark.parametrize("number", sampled([signal.SIGINT, signal.SIGTERM, signal.SIGHUP], 3))
def test_a_signal_that_ends_memdesk_ends_the_command_first(tmp_path: Path, number: signal.Signals) -> None:
    words = agent(tmp_path, "os.fork() or (say('child'), hang()); say(); hang()")
    code = (
        "import sys; from memdesk.core.agent import run\n"
        "run(sys.argv[2:], '', cwd=sys.argv[1], environment={}, timeout_s=600, max_bytes=9, grace=0.0)"
    )
    caller = subprocess.Popen([sys.executable, "-c", code, str(tmp_path), *words], stderr=subprocess.PIPE)
    while not said(tmp_path, "up", "child")():
        assert caller.poll() is None
    caller.send_signal(number)
    caller.communicate()
    assert caller.returncode == -number
    assert [gone(pid) for pid in numbers(tmp_path)] == [True, True]


def test_it_can_run_in_a_worker_thread(tmp_path: Path) -> None:
    found: list[object] = []

    def work() -> None:
        try:
            draft(tmp_path, "os.fork() or (say('child'), hang()); say(); hang()", stopped=said(tmp_path, "up", "child"))
        except DraftStopped as error:
            found.append(error.message)

    with nothing_left(tmp_path):
        worker = threading.Thread(target=work)
        worker.start()
        worker.join()
    assert found == ["The draft was called off; the command was ended."]


def test_what_the_settings_name_with_its_place(tmp_path: Path) -> None:
    assert agents.configured(config.load(str(tmp_path))) is None
    put(tmp_path, "memdesk.toml", '[agent]\ncommand = ["draft", "a b", "--key=ghp_' + "a1B2" * 9 + '"]\n')
    found = agents.configured(config.load(str(tmp_path)))
    assert found is not None
    assert (found.words[1], found.origin, found.own) == ("a b", "memdesk.toml:2", False)
    assert found.shown == "draft 'a b' --key=***"


def test_a_command_of_a_repository_sees_less_of_the_environment() -> None:
    given = dict.fromkeys(("PATH", "HOME", "LC_ALL", "XDG_STATE_HOME", "API_KEY", "GIT_DIR", "MEMDESK_NOW"), "/x")
    assert sorted(agents.surroundings(given, own=True)) == ["API_KEY", "HOME", "LC_ALL", "PATH", "XDG_STATE_HOME"]
    assert sorted(agents.surroundings(given, own=False)) == ["HOME", "LC_ALL", "PATH", "XDG_STATE_HOME"]
