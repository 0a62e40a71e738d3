"""The Markdown reader beside markdown-it-py's parser, on the same texts in the same run: MB/s and the ratio.

Processor time, the best of several rounds. The peer reads a part of each text, since it takes long; both are linear.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from random import Random

from markdown_it import MarkdownIt

from memdesk.core import markdown

_TEXT = """the store keeps every decision with its reason so that a colleague can read why we chose this `path/file.py`
over **that** one, and what would make us reconsider it later; 日本 words and — dashes — come too"""
_PEER_BYTES = 150_000


def run() -> list[tuple[str, float, float]]:
    """Prints a table; returns (text, our MB/s, the peer's MB/s)."""
    peer = MarkdownIt("commonmark")
    rows = []
    print(f"{'text':12} {'size':>8} {'blocks':>7} {'MB/s':>6} {'peer':>6} {'ratio':>6}")
    for name, text in _texts().items():
        data = text.encode()
        part = data[:_PEER_BYTES].rpartition(b"\n")[0].decode()
        ours = len(data) / _seconds(lambda data=data: markdown.parse(data), 7) / 1e6  # type: ignore[misc]
        theirs = len(part.encode()) / _seconds(lambda part=part: peer.parse(part), 2) / 1e6  # type: ignore[misc]
        rows.append((name, ours, theirs))
        size = f"{len(data) / 1e6:.1f} MB"
        print(f"{name:12} {size:>8} {len(markdown.parse(data).blocks):7} {ours:6.1f} {theirs:6.2f} {ours / theirs:5.0f}x")
    return rows


def _seconds(action: Callable[[], object], rounds: int) -> float:
    best = float("inf")
    for _ in range(rounds):
        start = time.process_time()
        action()
        best = min(best, time.process_time() - start)
    return best


def _texts() -> dict[str, str]:
    random, vocabulary = Random(1), _TEXT.split()

    def words(count: int) -> str:
        return " ".join(random.choices(vocabulary, k=count))

    decisions = "# Decisions\n\n" + "".join(
        f"## 2026-0{number % 9 + 1}-1{number % 9} - {words(6)}\n\nDecision:\n{words(25)}\n{words(14)}\n\n"
        f"Reason:\n{words(18)}\n\n"
        for number in range(4000)
    )
    inbox = "# Inbox\n" + "".join(
        ("\n## 2026-05-02\n\n" if number % 20 == 0 else "")
        + f"- [observed] {words(14)} (for: constraint; from src/app.py:{number})\n"
        + (f"  - {words(8)}\n" if number % 5 == 0 else "")
        for number in range(10_000)
    )
    constraints = "# Constraints\n\n" + "".join(f"- {words(16)}\n" for _ in range(10_000))
    mixed = "".join(
        f"# {words(4)}\n\n{words(30)}\n{words(20)}\n\n```py\n{words(9)}\n{words(8)}\n```\n\n> {words(20)}\n\n"
        f"1. {words(12)}\n2. {words(11)}\n   {words(10)}\n\n   - {words(9)}\n\n<!-- {words(5)} -->\n\n"
        f"- {words(15)}\n  {words(14)}\n- {words(12)}\n\n{words(5)}\n---\n\n"
        for _ in range(900)
    )
    return {
        "decisions": decisions, "inbox": inbox, "constraints": constraints, "mixed": mixed,
        "mixed, CRLF": mixed.replace("\n", "\r\n"),
    }  # fmt: skip


if __name__ == "__main__":
    run()
