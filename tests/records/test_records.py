"""Classes made by `records.dataclass` are like those of the standard decorator."""

from __future__ import annotations

import copy
import dataclasses
import inspect
import pickle
from dataclasses import FrozenInstanceError, field, fields, replace
from typing import ClassVar

import pytest

from knower import records

#: Options, as they are used.
SHAPES = [
    {"eq": eq, "frozen": frozen, "slots": slots, "repr": shown}
    for eq in (True, False)
    for frozen in (True, False)
    for slots in (True, False)
    for shown in (True, False)
]
shapes = pytest.mark.parametrize("shape", SHAPES, ids=str)


def both(shape, make):
    """The same class, made by either decorator."""
    return make(dataclasses.dataclass(**shape)), make(records.dataclass(**shape))


def point(decorate):
    @decorate
    class Point:
        """Somewhere."""

        kind: ClassVar[str] = "point"
        x: int
        y: int = 2
        tags: list[str] = field(default_factory=list, compare=False)
        seen: bool = field(default=False, init=False, repr=False)

    return Point


def derived(decorate):
    @decorate
    class Base:
        x: int

    @decorate
    class Derived(Base):
        z: int = 5
        total: int = field(init=False, compare=False)

        def __post_init__(self) -> None:
            object.__setattr__(self, "total", self.x + self.z)

    return Derived


def outcome(call):
    """What a call returns or raises; classes are told by their names."""
    try:
        return repr(call()).partition(" at 0x")[0]
    except Exception as error:
        return type(error).__name__


@shapes
@pytest.mark.parametrize("make", [point, derived])
@pytest.mark.parametrize(
    "call",
    [
        lambda cls: cls(1),
        lambda cls: cls(1, 3),
        lambda cls: cls(x=1),
        lambda cls: cls(),
        lambda cls: cls(1, 2, 3, 4, 5, 6),
        lambda cls: cls(nothing=1),
        lambda cls: cls(1) == cls(1),
        lambda cls: cls(1) == cls(2),
        lambda cls: cls(1).__eq__(1),
        lambda cls: isinstance(hash(cls(1)), int),
        lambda cls: setattr(cls(1), "x", 2),
        lambda cls: delattr(cls(1), "x"),
        lambda cls: replace(cls(1), x=7).x,
        lambda cls: [f.name for f in fields(cls)],
        lambda cls: cls.__match_args__,
        lambda cls: copy.copy(cls(4)).x,
        lambda cls: [str(p) for p in inspect.signature(cls).parameters.values()],
        lambda cls: [f.name for f in fields(cls(1)) if hasattr(cls(1), f.name)],
    ],
)
def test_it_is_as_the_standard_one(shape, make, call):
    standard, own = both(shape, make)
    assert outcome(lambda: call(own)) == outcome(lambda: call(standard))


@shapes
def test_what_the_class_writes_itself_stays(shape):
    def make(decorate):
        @decorate
        class Own:
            x: int

            def __eq__(self, other: object) -> bool:
                return True

            def __hash__(self) -> int:
                return 1

            def __repr__(self) -> str:
                return "own"

        return Own

    _, own = both(shape, make)
    assert (own(1), hash(own(2)), repr(own(3))) == (own(4), 1, "own")


@records.dataclass(frozen=True, slots=True)
class Pickled:
    x: int
    inner: Pickled | None = None


def test_frozen_instances_are_pickled_and_hashed_as_ever():
    item = Pickled(1, Pickled(2))
    again = pickle.loads(pickle.dumps(item))
    assert again == item
    assert hash(item) == hash((1, Pickled(2)))
    match again:
        case Pickled(x, Pickled(y)):
            assert (x, y) == (1, 2)
        case _:
            pytest.fail("not matched")


@shapes
def test_what_is_frozen_gets_no_other_attributes(shape):
    """Of classes with slots the standard one says so by a `TypeError`."""
    _, own = both(shape, point)
    if shape["frozen"] or shape["slots"]:
        with pytest.raises(AttributeError):
            own(1).other = 2
    else:
        own(1).other = 2


def test_a_plain_subclass_may_have_more_attributes():
    class Plain(point(records.dataclass(frozen=True))):
        pass

    item = Plain(1)
    item.other = 2
    del item.other
    with pytest.raises(FrozenInstanceError):
        item.x = 2
    with pytest.raises(FrozenInstanceError):
        del item.x


def test_nothing_is_compiled_before_the_first_instance():
    made = records.dataclass(frozen=True)(type("Made", (), {"__annotations__": {"x": "int"}}))
    before = made.__init__
    assert made(1).x == 1
    assert made.__init__ is not before
    assert made(2).x == 2
    with pytest.raises(FrozenInstanceError):
        made(1).x = 2


def test_a_class_without_docstring_has_none():
    assert records.dataclass(type("Made", (), {})).__doc__ is None
    assert point(records.dataclass).__doc__ == "Somewhere."
