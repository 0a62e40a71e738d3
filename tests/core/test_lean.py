"""A lean NamedTuple is what `typing` makes of the same class."""

from __future__ import annotations

import copy
import inspect
import pickle
import typing

import pytest

from memdesk.core import lean


class Lean(lean.NamedTuple):
    """A place."""

    path: str
    line: int | None = None
    words: tuple[str, ...] = ()

    @property
    def where(self) -> str:
        return f"{self.path}:{self.line}"

    def at(self, line: int) -> Lean:
        return self._replace(line=line)


class Typed(typing.NamedTuple):
    """A place."""

    path: str
    line: int | None = None
    words: tuple[str, ...] = ()


class Single(lean.NamedTuple):
    value: int


class Empty(lean.NamedTuple):
    pass


def test_made_by_place_and_by_name() -> None:
    assert Lean("a.md") == ("a.md", None, ())
    assert Lean("a.md", words=("x",)) == ("a.md", None, ("x",)) == Lean(words=("x",), path="a.md")
    assert Single(value=3) == (3,)
    assert Empty() == ()


def test_wrong_arguments_are_refused_as_by_any_function() -> None:
    with pytest.raises(TypeError, match="missing 1 required positional argument: 'path'"):
        Lean()  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="unexpected keyword argument 'lines'"):
        Lean("a.md", lines=3)  # type: ignore[call-arg]
    with pytest.raises(TypeError):
        Single(1, 2)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="unexpected keyword argument 'lines'"):
        Lean("a.md")._replace(lines=3)
    with pytest.raises(TypeError):
        Lean._make(())


def test_as_typing_makes_it() -> None:
    one, other = Lean("a.md", 3), Typed("a.md", 3)
    assert one == other
    assert repr(one) == repr(other).replace("Typed", "Lean")
    assert one._asdict() == other._asdict()
    assert one._replace(line=4) == other._replace(line=4)
    assert type(one._replace(line=4)) is Lean
    assert (Lean._fields, Lean._field_defaults) == (Typed._fields, Typed._field_defaults)
    assert Lean._make(["b.md", 1, ()]) == ("b.md", 1, ())
    assert Lean.__match_args__ == Typed.__match_args__
    assert str(inspect.signature(Lean)) == "(path, line=None, words=())"
    assert (Lean.__doc__, Lean.__module__, Lean.__qualname__) == ("A place.", __name__, "Lean")


def test_properties_and_methods_stay_and_nothing_can_be_set() -> None:
    one = Lean("a.md", 3)
    assert one.where == "a.md:3"
    assert one.at(9).where == "a.md:9"
    with pytest.raises(AttributeError):
        one.path = "b.md"  # type: ignore[misc]
    with pytest.raises(AttributeError):
        one.other = 1  # type: ignore[attr-defined]


def test_copies_and_pickles() -> None:
    one = Lean("a.md", 3)
    assert copy.deepcopy(one) == one
    back = pickle.loads(pickle.dumps(one))
    assert back == one
    assert type(back) is Lean


def test_matches_by_place() -> None:
    match Lean("a.md", 3):
        case Lean(path, line):
            assert (path, line) == ("a.md", 3)


def test_classes_of_one_length_keep_their_own_names() -> None:
    class One(lean.NamedTuple):
        left: int
        right: int = 2

    class Two(lean.NamedTuple):
        top: int
        bottom: int

    assert One(left=1) == (1, 2)
    assert Two(bottom=1, top=2) == (2, 1)
    with pytest.raises(TypeError, match="'bottom'"):
        Two(1)  # type: ignore[call-arg]


def test_a_default_before_a_field_without_one_is_a_fault_of_the_class() -> None:
    with pytest.raises(TypeError, match="Wrong: a field without a default"):
        type(lean.NamedTuple)("Wrong", (lean.NamedTuple,), {"__annotations__": {"a": "int", "b": "int"}, "a": 1})
