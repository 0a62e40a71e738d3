"""Asking a person at the terminal: on stderr, so that stdout carries results alone."""

from __future__ import annotations

import sys

from memdesk.tui.cli.output import say


def at_terminal() -> bool:
    """Whether a person can be asked: standard input and standard error are a terminal."""
    return sys.stdin.isatty() and sys.stderr.isatty()


def confirm(question: str, *, default: bool) -> bool:
    """Yes or no; Enter takes the default, the end of input is no. Anything else is asked again."""
    while True:
        answer = ask(f"{question} [{'Y/n' if default else 'y/N'}] ")
        if answer is None:
            return False
        if answer == "":
            return default
        if answer.casefold() in ("y", "yes"):
            return True
        if answer.casefold() in ("n", "no"):
            return False


def choose(question: str, choices: tuple[tuple[str, str], ...]) -> str | None:
    """One of the choices by number or value, or None at the end of input."""
    say(question)
    for number, (value, label) in enumerate(choices, 1):
        say(f"  {number}  {label or value}")
    while True:
        answer = ask("> ")
        if answer is None:
            return None
        if answer.isdecimal() and 1 <= int(answer) <= len(choices):
            return choices[int(answer) - 1][0]
        if any(answer == value for value, _ in choices):
            return answer


def ask(prompt: str) -> str | None:
    """One line, without its outer blanks; None at the end of input."""
    from memdesk.tui.inert import inert

    sys.stdout.flush()
    sys.stderr.write(inert(prompt))
    sys.stderr.flush()
    line = sys.stdin.readline()
    return line.strip() if line else None
