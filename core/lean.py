"""What the check path uses of `typing`, without importing it: that takes longer than reading a small store.

For a type checker these are `typing`'s own. At run time a Protocol is any class, a cast is nothing, and a NamedTuple is what
`typing` makes of it, for a tenth of the time: no annotation is looked at, methods are shared, and constructors of one
length have their code in common, since compiling it is most of what one costs.
"""

from __future__ import annotations

TYPE_CHECKING = False  # a type checker takes the name for true

if TYPE_CHECKING:
    from typing import NamedTuple, Protocol, cast
else:
    Protocol = object

    def cast(kind, value):  # noqa: ANN001, ANN201, RUF100
        """The value, as it is."""
        return value

    try:
        from _collections import _tuplegetter as _field  # what collections.namedtuple uses: twice as fast as a property
    except ImportError:  # another Python than CPython

        def _field(index, doc):  # noqa: ANN001, ANN202, RUF100
            from operator import itemgetter

            return property(itemgetter(index), doc=doc)

    _constructors = {}  # number of fields -> a function that makes a tuple of so many

    def _constructor(fields, defaults):  # noqa: ANN001, ANN202, RUF100
        """A `__new__` that takes these fields, by place or by name."""
        made = _constructors.get(len(fields))
        if made is None:
            names = "".join(f"_{number}, " for number in range(len(fields)))
            made = eval(f"lambda _cls, {names}: _new(_cls, ({names}))", {"_new": tuple.__new__})  # noqa: S307, RUF100
            _constructors[len(fields)] = made
        code = made.__code__.replace(co_varnames=("_cls", *fields), co_name="__new__")
        return type(made)(code, made.__globals__, "__new__", defaults)

    class _Maker(type):
        def __new__(cls, name, bases, content):
            if bases == (tuple,):
                return super().__new__(cls, name, bases, content)
            fields = tuple(content.get("__annotations__", ()))
            defaults = {field: content.pop(field) for field in fields if field in content}
            if tuple(defaults) != fields[len(fields) - len(defaults) :]:
                raise TypeError(f"{name}: a field without a default follows one that has it.")
            content |= {
                "__slots__": (), "__new__": _constructor(fields, tuple(defaults.values())), "__match_args__": fields,
                "_fields": fields, "_field_defaults": defaults,
            }  # fmt: skip
            for index, field in enumerate(fields):
                content[field] = _field(index, None)
            return super().__new__(cls, name, bases, content)

    class NamedTuple(tuple, metaclass=_Maker):
        """A tuple with named fields, as `typing.NamedTuple` makes it."""

        __slots__ = ()

        @classmethod
        def _make(cls, values):
            return cls(*values)

        def _replace(self, /, **changes):
            return type(self)(**{**self._asdict(), **changes})

        def _asdict(self):
            return dict(zip(self._fields, self, strict=True))

        def __repr__(self):
            return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in self._asdict().items())})"

        def __getnewargs__(self):
            return tuple(self)


__all__ = ["TYPE_CHECKING", "NamedTuple", "Protocol", "cast"]
