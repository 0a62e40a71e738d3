"""JavaScript regular expressions, as `memory-lint.json` holds them: the common subset, matched in time linear to the text.

A pattern comes from the repository, which may be hostile, so nothing here backtracks: the expression becomes a machine
whose states are followed all at once, and sets of states that were met before are looked up. Like JavaScript without
flags it works on UTF-16 code units, knows case, and `$` is the very end. What is outside the subset is refused by name.
"""

from __future__ import annotations

from memdesk.core.lean import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from typing import Any

LONGEST = 1000  # code units of a pattern
LARGEST = 1000  # instructions that it may come to, repetitions written out
DEEPEST = 40  # groups within each other
_KEPT = 500  # sets of states that are remembered

SPACE = (
    (0x09, 0x0D), (0x20, 0x20), (0xA0, 0xA0), (0x1680, 0x1680), (0x2000, 0x200A), (0x2028, 0x2029), (0x202F, 0x202F),
    (0x205F, 0x205F), (0x3000, 0x3000), (0xFEFF, 0xFEFF),
)  # fmt: skip
"""What `\\s` is in JavaScript, as ranges of code units."""


class Unsupported(ValueError):
    """A pattern that is broken, or outside the subset; says what of it."""


class Pattern:
    """One compiled expression. A value: two of the same source are equal. Raises Unsupported."""

    __slots__ = ("_program", "_states", "source")

    def __init__(self, source: str) -> None:
        self.source = source
        self._program = _compile(_Parser(source).parse())
        self._states: dict[_State, dict[str, _State | None]] = {}

    def test(self, text: str) -> bool:
        """Whether the expression matches anywhere in the text."""
        state: _State | None = _State(frozenset(), _START)
        for char in _units(text):
            known = self._states.get(state)  # type: ignore[arg-type]
            if known is None:
                if len(self._states) >= _KEPT:
                    self._states.clear()
                known = self._states.setdefault(state, {})  # type: ignore[arg-type]
            if char not in known:
                known[char] = self._step(state, char)  # type: ignore[arg-type]
            state = known[char]
            if state is None:
                return True
        assert state is not None
        return self._reached(state, "") is None

    __call__ = test

    def _step(self, state: _State, char: str) -> _State | None:
        """The state after one more character; None where the expression has matched before it."""
        here = self._reached(state, char)
        if here is None:
            return None
        code = ord(char)
        seeds = frozenset(at + 1 for at in here if _within(code, self._program[at][1]))
        return _State(seeds, _WORD if _is_word(char) else _OTHER)

    def _reached(self, state: _State, after: str) -> set[int] | None:
        """The instructions that wait for a character, this one coming next ("": the end); None where one is the match."""
        waiting: set[int] = set()
        seen: set[int] = set()
        todo = [0, *state.seeds]  # a search may begin anywhere
        while todo:
            at = todo.pop()
            if at in seen:
                continue
            seen.add(at)
            code, argument = self._program[at]
            if code == _CHAR:
                waiting.add(at)
            elif code == _MATCH:
                return None
            elif code == _SPLIT:
                todo += argument
            elif _holds(argument, state.before, after):
                todo.append(at + 1)
        return waiting

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Pattern) and self.source == other.source

    def __hash__(self) -> int:
        return hash(self.source)

    def __repr__(self) -> str:
        return f"Pattern({self.source!r})"


class _State(NamedTuple):
    seeds: frozenset[int]
    before: int


_START, _WORD, _OTHER = range(3)  # what stands before a place
_CHAR, _SPLIT, _ASSERT, _MATCH = range(4)

Ranges = tuple[tuple[int, int], ...]
Program = list[tuple[int, "Any"]]  # (_CHAR, ranges), (_SPLIT, targets), (_ASSERT, one of "^$bB"), (_MATCH, None)
Node = tuple["Any", ...]  # ("char", ranges), ("assert", sign), ("all", nodes), ("any", nodes), ("repeat", node, least, most)

_DIGIT: Ranges = ((48, 57),)
_WORDS: Ranges = ((48, 57), (65, 90), (95, 95), (97, 122))
_LINE_ENDS: Ranges = ((0x0A, 0x0A), (0x0D, 0x0D), (0x2028, 0x2029))
_CONTROLS = {"n": 10, "t": 9, "r": 13, "f": 12, "v": 11}
_NAMED = {
    "(?=": "a lookahead `(?=`", "(?!": "a negative lookahead `(?!`", "(?<=": "a lookbehind `(?<=`",
    "(?<!": "a negative lookbehind `(?<!`", "(?<": "a named group `(?<`",
}


def _units(text: str) -> str:
    """The text with each character beyond the first plane as the two code units that JavaScript sees."""
    if text.isascii() or max(text) < "\U00010000":
        return text
    data = text.encode("utf-16-le", "surrogatepass")
    return "".join(chr(data[at] | data[at + 1] << 8) for at in range(0, len(data), 2))


def _is_word(char: str) -> bool:
    return char == "_" or (char.isascii() and char.isalnum())


def _holds(sign: str, before: int, after: str) -> bool:
    if sign == "^":
        return before == _START
    if sign == "$":
        return not after
    return ((before == _WORD) != (bool(after) and _is_word(after))) == (sign == "b")


def _within(code: int, ranges: Ranges) -> bool:
    return any(low <= code <= high for low, high in ranges)


def _negated(ranges: Ranges) -> Ranges:
    found = []
    start = 0
    for low, high in sorted(ranges):
        if low > start:
            found.append((start, low - 1))
        start = max(start, high + 1)
    return (*found, (start, 0xFFFF)) if start <= 0xFFFF else tuple(found)


_CLASSES: dict[str, Ranges] = {
    "d": _DIGIT, "D": _negated(_DIGIT), "w": _WORDS, "W": _negated(_WORDS), "s": SPACE, "S": _negated(SPACE),
}
_ANY = _negated(_LINE_ENDS)


class _Parser:
    """One pass over a pattern's code units."""

    def __init__(self, source: str) -> None:
        self.text = _units(source)
        self.at = 0
        self.depth = 0
        if len(self.text) > LONGEST:
            raise Unsupported(f"is longer than {LONGEST} characters")

    def parse(self) -> Node:
        node = self.alternatives()
        if self.at < len(self.text):
            raise Unsupported("has a `)` that closes nothing")
        return node

    def alternatives(self) -> Node:
        found = [self.sequence()]
        while self.take("|"):
            found.append(self.sequence())
        return found[0] if len(found) == 1 else ("any", found)

    def sequence(self) -> Node:
        found: list[Node] = []
        while self.at < len(self.text) and self.text[self.at] not in "|)":
            node = self.atom()
            found.append(self.repeated(node))
        return ("all", found)

    def repeated(self, node: Node) -> Node:
        bounds = self.quantifier()
        if bounds is None:
            return node
        if node[0] == "assert":
            raise Unsupported("repeats a place such as `^` or `\\b`, which has no length")
        self.take("?")  # lazy: which match is found makes no difference to whether there is one
        if self.quantifier() is not None:
            raise Unsupported("has two quantifiers in a row")
        return ("repeat", node, *bounds)

    def quantifier(self) -> tuple[int, int | None] | None:
        for sign, bounds in (("*", (0, None)), ("+", (1, None)), ("?", (0, 1))):
            if self.take(sign):
                return bounds
        if not self.text.startswith("{", self.at):
            return None
        end = self.text.find("}", self.at)
        least, comma, most = self.text[self.at + 1 : max(end, self.at + 1)].partition(",")
        if not _number(least) or (most and not _number(most)):
            return None  # such a brace is a character
        self.at = end + 1
        low = _bounded(least)
        high = low if not comma else _bounded(most) if most else None
        if high is not None and high < low:
            raise Unsupported(f"repeats from {low} to {high} times")
        return low, high

    def atom(self) -> Node:
        char = self.text[self.at]
        if char in "*+?" or (char == "{" and self.quantifier() is not None):
            raise Unsupported(f"has a quantifier `{char}` with nothing to repeat")
        self.at += 1
        if char == "(":
            return self.group()
        if char == "[":
            return self.char_class()
        if char == "\\":
            return self.escape()
        if char in "^$":
            return ("assert", char)
        return ("char", _ANY if char == "." else _one(char))

    def group(self) -> Node:
        if self.text.startswith("?", self.at) and not self.take("?:"):
            start = self.text[self.at - 1 : self.at + 3]
            named = next((what for sign, what in _NAMED.items() if start.startswith(sign)), None)
            raise Unsupported(f"uses {named or f'flags or an unknown group `{start[:3]}`'}, which is not supported")
        self.depth += 1
        if self.depth > DEEPEST:
            raise Unsupported(f"nests more than {DEEPEST} groups")
        node = self.alternatives()
        if not self.take(")"):
            raise Unsupported("has a `(` that is never closed")
        self.depth -= 1
        return node if node[0] != "assert" else ("all", [node])

    def escape(self) -> Node:
        if self.text.startswith(("b", "B"), self.at):
            self.at += 1
            return ("assert", self.text[self.at - 1])
        return ("char", self.escaped(in_class=False))

    def escaped(self, *, in_class: bool) -> Ranges:
        """What an escape stands for; its backslash is behind us."""
        if self.at >= len(self.text):
            raise Unsupported("ends in a backslash")
        char = self.text[self.at]
        self.at += 1
        if char in _CLASSES:
            return _CLASSES[char]
        if char in _CONTROLS:
            return _one(chr(_CONTROLS[char]))
        if char == "b" and in_class:
            return _one("\b")
        if char == "0" and not self.text[self.at : self.at + 1].isdigit():
            return _one("\0")
        if char in "0123456789":
            what = "an octal escape" if char == "0" or in_class else "a backreference"
            raise Unsupported(f"uses {what} `\\{char}`, which is not supported")
        if char in "xu":
            return self.code(char)
        if char.isascii() and char.isalpha():
            known = {"p": "a Unicode property", "P": "a Unicode property", "k": "a named backreference",
                     "c": "a control escape"}.get(char, "the escape")  # fmt: skip
            raise Unsupported(f"uses {known} `\\{char}`, which is not supported")
        return _one(char)

    def code(self, char: str) -> Ranges:
        size = 2 if char == "x" else 4
        digits = self.text[self.at : self.at + size]
        if len(digits) != size or not all(digit in "0123456789abcdefABCDEF" for digit in digits):
            raise Unsupported(f"uses `\\{char}` without {size} hexadecimal digits, which is not supported")
        self.at += size
        return _one(chr(int(digits, 16)))

    def char_class(self) -> Node:
        negative = self.take("^")
        found: list[tuple[int, int]] = []
        while not self.take("]"):
            one = self.member()
            if not self.text.startswith("-", self.at) or self.text.startswith("-]", self.at):
                found += one
                continue
            self.at += 1
            other = self.member()
            if len(one) == len(other) == 1 and one[0][0] == one[0][1] and other[0][0] == other[0][1]:
                if other[0][0] < one[0][0]:
                    raise Unsupported("has a range in a class that runs backwards")
                found.append((one[0][0], other[0][0]))
            else:
                found += (*one, (45, 45), *other)  # beside a class such as `\d` a dash is itself
        ranges = tuple(found)
        return ("char", _negated(ranges) if negative else ranges)

    def member(self) -> Ranges:
        if self.at >= len(self.text):
            raise Unsupported("has a `[` that is never closed")
        char = self.text[self.at]
        self.at += 1
        return self.escaped(in_class=True) if char == "\\" else _one(char)

    def take(self, sign: str) -> bool:
        if not self.text.startswith(sign, self.at):
            return False
        self.at += len(sign)
        return True


def _one(char: str) -> Ranges:
    return ((ord(char), ord(char)),)


def _number(text: str) -> bool:
    return text.isascii() and text.isdigit()


def _bounded(digits: str) -> int:
    if len(digits.lstrip("0")) > 4 or int(digits) > LARGEST:
        raise Unsupported(f"repeats more than {LARGEST} times")
    return int(digits)


def _size(node: Node) -> int:
    """The instructions of a node, repetitions written out."""
    if node[0] == "all":
        return sum(map(_size, node[1]))
    if node[0] == "any":
        return sum(_size(one) + 2 for one in node[1])
    if node[0] == "repeat":
        _, inner, least, most = node
        each = max(1, _size(inner))  # what is empty takes its time too
        return int(least * each + (each + 2 if most is None else (most - least) * (each + 1)))
    return 1


def _compile(node: Node) -> Program:
    if _size(node) > LARGEST:
        raise Unsupported(f"comes to more than {LARGEST} steps once its repetitions are written out")
    program: Program = []
    _emit(node, program)
    program.append((_MATCH, None))
    return program


def _emit(node: Node, program: Program) -> None:
    kind = node[0]
    if kind == "char":
        program.append((_CHAR, node[1]))
    elif kind == "assert":
        program.append((_ASSERT, node[1]))
    elif kind == "all":
        for one in node[1]:
            _emit(one, program)
    elif kind == "any":
        _emit_any(node[1], program)
    else:
        _, inner, least, most = node
        for _ in range(least):
            _emit(inner, program)
        if most is None:
            start = len(program)
            program.append((_SPLIT, ()))
            _emit(inner, program)
            program.append((_SPLIT, (start,)))
            program[start] = (_SPLIT, (start + 1, len(program)))
            return
        splits = []
        for _ in range(most - least):
            splits.append(len(program))
            program.append((_SPLIT, ()))
            _emit(inner, program)
        for split in splits:
            program[split] = (_SPLIT, (split + 1, len(program)))


def _emit_any(nodes: list[Node], program: Program) -> None:
    start = len(program)
    program.append((_SPLIT, ()))
    starts, ends = [], []
    for node in nodes:
        starts.append(len(program))
        _emit(node, program)
        ends.append(len(program))
        program.append((_SPLIT, ()))
    program[start] = (_SPLIT, tuple(starts))
    for end in ends:
        program[end] = (_SPLIT, (len(program),))
