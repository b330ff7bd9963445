"""`dataclass` as in the standard library, but its `__init__` is compiled when the first instance is made.

The standard decorator compiles up to six functions for each class (0.9 ms, against 0.1 ms here). A check of a
small model imports 260 such classes and makes instances of few: that was half of its start-up. The fields are
found by the standard decorator, so `fields`, `replace` and `match` know these classes as well; methods other
than `__init__` need no compiling to be as fast.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable
from operator import attrgetter
from reprlib import recursive_repr
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
else:

    def dataclass(
        cls=None,
        /,
        *,
        init=True,
        repr=True,  # noqa: A002
        eq=True,
        unsafe_hash=False,
        frozen=False,
        slots=False,
    ):
        """The decorator, with those options of the standard one that are used."""

        def decorate(cls):
            hashed = frozen or unsafe_hash
            return _made(cls, init=init, shows=repr, eq=eq, hashed=hashed, frozen=frozen, slots=slots)

        return decorate if cls is None else decorate(cls)


def _made(cls: type, *, init: bool, shows: bool, eq: bool, hashed: bool, frozen: bool, slots: bool) -> type:
    text = cls.__doc__
    cls.__doc__ = text or "-"  # or else its signature would be written there, which takes long to find
    made: Any = dataclasses.dataclass(init=False, repr=False, eq=False, slots=slots)(cls)
    made.__doc__ = text
    if init:
        _add(made, {"__init__": _init_at_first(made, frozen), "__signature__": _Signature()})
    if shows:
        _add(made, {"__repr__": _repr})
    if eq:
        _add_equality(made, hashed)
    if frozen:
        _add(made, {"__setattr__": _kept_from_setting, "__delattr__": _kept_from_deleting})
    if frozen and slots:
        _add(made, _carried(tuple(each.name for each in dataclasses.fields(made))))
    return made  # type: ignore[no-any-return]


def _add(cls: type, methods: dict[str, object]) -> None:
    """What the class has written itself stays."""
    for name, method in methods.items():
        if name not in cls.__dict__:
            setattr(cls, name, method)


# -- __init__ ---------------------------------------------------------------------------------------------


class _Absent:
    """Stands for what a factory will make, among the defaults of a signature."""

    def __repr__(self) -> str:
        return "<factory>"


_ABSENT = _Absent()


def _init_at_first(cls: Any, frozen: bool) -> Callable[..., None]:
    """An `__init__` that puts the compiled one in its place."""

    def compile_init() -> Callable[..., None]:
        cls.__init__ = _compiled_init(cls, frozen)
        return cls.__init__  # type: ignore[no-any-return]

    def __init__(self: object, *args: object, **given: object) -> None:  # noqa: N807
        compile_init()(self, *args, **given)

    __init__.compiled = compile_init  # type: ignore[attr-defined]
    return __init__


def _compiled_init(cls: Any, frozen: bool) -> Callable[..., None]:
    names: dict[str, Any] = {"__name__": cls.__module__, "_set": object.__setattr__, "_absent": _ABSENT}
    parameters, lines = ["self"], ["pass"]
    for field in dataclasses.fields(cls):
        parameter, value = _read(field, names)
        parameters += [parameter] if parameter else []
        if value:
            lines.append(f"_set(self, {field.name!r}, {value})" if frozen else f"self.{field.name} = {value}")
    if getattr(cls, "__post_init__", None) is not None:
        lines.append("self.__post_init__()")
    exec(f"def __init__({', '.join(parameters)}):\n " + "\n ".join(lines), names)
    init = names["__init__"]
    init.__qualname__ = f"{cls.__qualname__}.__init__"
    init.__annotations__ = {each.name: each.type for each in dataclasses.fields(cls) if each.init}
    return init  # type: ignore[no-any-return]


def _read(field: dataclasses.Field[Any], names: dict[str, Any]) -> tuple[str, str]:
    """How a field stands among the parameters, and its value; what that needs is added to the names."""
    name, default = field.name, f"_default_{field.name}"
    if field.default_factory is not dataclasses.MISSING:
        names[default] = field.default_factory
        made = f"{default}()"
        return (f"{name}=_absent", f"{made} if {name} is _absent else {name}") if field.init else ("", made)
    if field.default is not dataclasses.MISSING:
        names[default] = field.default
        return (f"{name}={default}", name) if field.init else ("", default)
    return (name, name) if field.init else ("", "")


class _Signature:
    """What `inspect` asks a class for: people who look want to see the parameters of the compiled one."""

    def __get__(self, instance: object, cls: Any) -> object:
        from inspect import signature

        if instance is not None:
            raise AttributeError("__signature__")
        compiled = getattr(cls.__init__, "compiled", None)
        found = signature(cls.__init__ if compiled is None else compiled())
        return found.replace(parameters=list(found.parameters.values())[1:])


# -- the other methods ------------------------------------------------------------------------------------


@recursive_repr()
def _repr(self: Any) -> str:
    shown = [f"{each.name}={getattr(self, each.name)!r}" for each in dataclasses.fields(self) if each.repr]
    return f"{type(self).__qualname__}({', '.join(shown)})"


def _add_equality(cls: Any, hashed: bool) -> None:
    """Equal are instances of one class with equal fields; what is changed now and then has no hash."""
    compared = _values_of([each.name for each in dataclasses.fields(cls) if each.compare])

    def __eq__(self: object, other: object) -> bool:  # noqa: N807
        if other.__class__ is not self.__class__:
            return NotImplemented
        return compared(self) == compared(other)

    def __hash__(self: object) -> int:  # noqa: N807
        return hash(compared(self))

    own_hash = cls.__dict__.get("__hash__")  # None where the class has an `__eq__` of its own
    _add(cls, {"__eq__": __eq__})
    if own_hash is None:
        cls.__hash__ = __hash__ if hashed else None


def _values_of(names: list[str]) -> Callable[[object], tuple[object, ...]]:
    if len(names) > 1:
        return attrgetter(*names)
    if names:
        only = attrgetter(names[0])
        return lambda item: (only(item),)
    return lambda _: ()


def _kept_from_setting(self: Any, name: str, value: object) -> None:
    """A subclass that is no dataclass may have more attributes."""
    if "__dataclass_fields__" in type(self).__dict__ or name in self.__dataclass_fields__:
        raise dataclasses.FrozenInstanceError(f"cannot assign to field {name!r}")
    object.__setattr__(self, name, value)


def _kept_from_deleting(self: Any, name: str) -> None:
    if "__dataclass_fields__" in type(self).__dict__ or name in self.__dataclass_fields__:
        raise dataclasses.FrozenInstanceError(f"cannot delete field {name!r}")
    object.__delattr__(self, name)


def _carried(names: tuple[str, ...]) -> dict[str, object]:
    """How frozen instances with slots are pickled: the values of their fields, one after the other."""
    state, put = _values_of(list(names)), object.__setattr__

    def __getstate__(self: Any) -> tuple[object, ...]:  # noqa: N807
        return state(self)

    def __setstate__(self: Any, values: Iterable[object]) -> None:  # noqa: N807
        for name, value in zip(names, values, strict=True):
            put(self, name, value)

    return {"__getstate__": __getstate__, "__setstate__": __setstate__}
