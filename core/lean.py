"""What the check path uses of `typing`, without importing it: that takes longer than reading a small store.

For a type checker these are `typing`'s own. At run time a NamedTuple is made without a look at its annotations (compiling
each of them is most of what one costs), a Protocol is any class, and a cast is nothing.
"""

from __future__ import annotations

from collections import namedtuple

TYPE_CHECKING = False  # a type checker takes the name for true

if TYPE_CHECKING:
    from typing import NamedTuple, Protocol, cast
else:
    Protocol = object

    def cast(kind, value):  # noqa: ANN001, ANN201, RUF100
        """The value, as it is."""
        return value

    class _Maker(type):
        def __new__(cls, name, bases, content):
            if not bases:
                return super().__new__(cls, name, bases, content)
            fields = content.get("__annotations__", {})
            defaults = [content.pop(field) for field in fields if field in content]
            made = namedtuple(name, fields, defaults=defaults, module=content["__module__"])
            made.__annotations__ = fields
            for key, value in content.items():
                if key not in ("__annotations__", "__module__", "__qualname__"):
                    setattr(made, key, value)
            return made

    class NamedTuple(metaclass=_Maker):
        """A tuple with named fields, as `typing.NamedTuple` makes it."""


__all__ = ["TYPE_CHECKING", "NamedTuple", "Protocol", "cast"]
