"""Immutable trees that may be nested tens of thousands deep.

Formulas, syntax trees and typed expressions are all made of `Node`s. Hashes are computed once, and only of
nodes that are asked for theirs: most of a model never is. Hashing, comparison, pickling and `repr` use
explicit stacks, so no depth exhausts Python's own.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import Field, field, fields
from functools import cache
from inspect import get_annotations
from operator import attrgetter
from pickle import HIGHEST_PROTOCOL, Pickler
from typing import IO, Any, ClassVar, TypeAlias, TypeVar, dataclass_transform, get_args
from zlib import crc32

from knower.records import dataclass

_T = TypeVar("_T")


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def node(cls: type[_T]) -> type[_T]:
    """A frozen, slotted dataclass whose equality and hash are those of `Node`."""
    return _made(dataclass(frozen=True, slots=True, eq=False, repr=False)(cls))


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def light_node(cls: type[_T]) -> type[_T]:
    """A node that only the type checker keeps from being changed.

    For syntax trees, of which there are many and which nobody but the package sees: they are made in
    less than half of the time.
    """
    return _made(dataclass(slots=True, eq=False, repr=False)(cls))


def _made(made: type[_T]) -> type[_T]:
    """A dataclass with what `Node` knows of its fields."""
    given = [f for f in fields(made) if f.init]  # type: ignore[arg-type]
    made._fields = tuple(f.name for f in given)  # type: ignore[attr-defined]
    made._compared = tuple(f.name for f in given if f.compare)  # type: ignore[attr-defined]
    made._operands = staticmethod(_first_pick(made, given))  # type: ignore[attr-defined]
    made._kind = _stable_hash(made.__name__)  # type: ignore[attr-defined]
    return made


def _first_pick(cls: type, given: list[Field[Any]]) -> Callable[[Any], tuple[Node, ...]]:
    """Finds out at first use which fields are operands: unions of nodes are named before they are made."""

    def pick(item: Any) -> tuple[Node, ...]:
        names = [f.name for f in given if _is_node(_declared(cls, f.name))]
        picker = _picker(names)
        cls._labels = tuple(f.name for f in given if f.compare and f.name not in names)  # type: ignore[attr-defined]
        cls._slots = tuple(k for k, f in enumerate(given) if f.name in names)  # type: ignore[attr-defined]
        cls._operands = staticmethod(picker)  # type: ignore[attr-defined]
        return picker(item)

    return pick


def _declared(cls: type, name: str) -> object:
    """The type a field is declared to have. (`get_type_hints` takes ten times as long.)"""
    owner = next(base for base in cls.__mro__ if name in get_annotations(base))
    return _evaluated(get_annotations(owner)[name], owner.__module__)


@cache
def _evaluated(annotation: object, module: str) -> object:
    return eval(annotation, vars(sys.modules[module])) if isinstance(annotation, str) else annotation


def _picker(names: list[str]) -> Callable[[Any], tuple[Node, ...]]:
    """Picks the operands of an instance: the fields declared to hold a node."""
    if not names:
        return _no_operands
    if len(names) > 1:
        return attrgetter(*names)
    only = attrgetter(names[0])
    return lambda item: (only(item),)


def _no_operands(_: Any) -> tuple[Node, ...]:
    return ()


def _is_node(declared: object) -> bool:
    """Whether a type is that of nodes, or a union of such."""
    kinds = get_args(declared) or (declared,)
    return all(isinstance(kind, type) and issubclass(kind, Node) for kind in kinds)


class Node:
    """Children, a cached hash, structural equality (fields with `compare=False` do not count)."""

    __slots__ = ("_hash",)
    _fields: ClassVar[tuple[str, ...]] = ()
    _compared: ClassVar[tuple[str, ...]] = ()

    _operands: ClassVar[Any] = None
    # Known once operands have been asked for: the other fields that are compared, the places of operands.
    _labels: ClassVar[tuple[str, ...]] = ()
    _slots: ClassVar[tuple[int, ...]] = ()
    _kind: ClassVar[int] = 0

    _hash: int

    @property
    def children(self) -> tuple[Node, ...]:
        """The operands, in the order they are written."""
        return self._operands(self)  # type: ignore[no-any-return]

    @property
    def labels(self) -> tuple[object, ...]:
        """The compared fields that are not operands: names, values."""
        self._operands(self)
        return tuple([getattr(self, name) for name in self._labels])

    @property
    def identity(self) -> tuple[object, ...]:
        """The labels with their types: `Literal(True)` is not `Literal(1)`."""
        return tuple([(type(label), label) for label in self.labels])

    def with_children(self: _T, children: tuple[Any, ...]) -> _T:
        """The same operator on other operands."""
        if len(children) == len(self._fields):  # type: ignore[attr-defined]
            return type(self)(*children)
        fresh = iter(children)
        values = [getattr(self, name) for name in self._fields]  # type: ignore[attr-defined]
        return type(self)(*[next(fresh) if isinstance(value, Node) else value for value in values])

    def __hash__(self) -> int:
        try:
            return self._hash
        except AttributeError:
            _hash_below(self)
            return self._hash

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if not isinstance(other, Node):
            return NotImplemented
        return type(self) is type(other) and hash(self) == hash(other) and _same(self, other)

    def __reduce__(self) -> tuple[Any, ...]:
        return _unflatten, (_flatten(self),)

    def __repr__(self) -> str:
        pieces: list[str] = []
        todo: list[Node | str] = [self]
        while todo:
            item = todo.pop()
            if isinstance(item, str):
                pieces.append(item)
                continue
            values = [getattr(item, name) for name in item._compared]
            inner: list[Node | str] = [v if isinstance(v, Node) else repr(v) for v in values]
            spaced = [piece for value in inner for piece in (value, ", ")][:-1]
            todo += [")", *reversed(spaced), f"{type(item).__name__}("]
        return "".join(pieces)


def children_of(item: Node) -> tuple[Node, ...]:
    """The operands of a node, as `children` without the cost of a property: for what walks over many."""
    return item._operands(item)  # type: ignore[no-any-return]


def _stable_hash(value: object) -> int:
    """A hash that is the same in every process, so that sets of nodes are always read in the same order."""
    if isinstance(value, Node):
        return value._hash  # operands have theirs first
    return crc32(value.encode("utf-8", "surrogatepass")) if isinstance(value, str) else hash(value)


def _hash_below(root: Node) -> None:
    """Give a hash to a node, after its operands: each of them once, and without recursion."""
    todo = [root]
    while todo:
        item = todo[-1]
        waiting = [child for child in item._operands(item) if getattr(child, "_hash", None) is None]
        if waiting:
            todo += waiting
            continue
        todo.pop()
        values = [_stable_hash(getattr(item, name)) for name in item._compared]
        object.__setattr__(item, "_hash", hash((item._kind, *values)))


def _same(left: Node, right: Node) -> bool:
    """Structural equality of nodes that have their hashes, each pair of nodes compared once."""
    todo, seen = [(left, right)], set()
    while todo:
        a, b = todo.pop()
        if a is b or (id(a), id(b)) in seen:
            continue
        if type(a) is not type(b) or a._hash != b._hash or not _alike(a, b):
            return False
        below = a._operands(a)
        if below:
            seen.add((id(a), id(b)))
            todo += zip(below, b._operands(b), strict=True)
    return True


def _alike(a: Node, b: Node) -> bool:
    """Whether two nodes of one class have equal labels of the same types."""
    for name in a._labels:
        mine, other = getattr(a, name), getattr(b, name)
        if mine is not other and (type(mine) is not type(other) or mine != other):
            return False
    return True


#: For each node its class, the values of its fields, and which of them are places of operands among nodes.
_Flat: TypeAlias = list[tuple[type[Node], list[Any], tuple[int, ...]]]


def _flatten(root: Node, place: dict[int, int] | None = None) -> _Flat:
    """The nodes below `root` in post-order, operands replaced by their places; who has one is left out."""
    place = {} if place is None else place
    flat: _Flat = []
    todo = [root]
    while todo:
        item = todo[-1]
        below = item._operands(item)
        waiting = [child for child in below if id(child) not in place]
        if waiting:
            todo += reversed(waiting)
            continue
        todo.pop()
        if id(item) not in place:
            place[id(item)] = len(place)
            values = [getattr(item, name) for name in item._fields]
            for slot, child in zip(item._slots, below, strict=True):
                values[slot] = place[id(child)]
            flat.append((type(item), values, item._slots))
    return flat


def _unflatten(flat: _Flat) -> Node:
    return _more_nodes([], flat)[-1]


def _more_nodes(built: list[Node], flat: _Flat) -> list[Node]:
    """Nodes made of others that are there already."""
    for cls, values, slots in flat:
        for slot in slots:
            values[slot] = built[values[slot]]
        built.append(cls(*values))
    return built


class SharingPickler(Pickler):
    """Writes each node of some kinds once, however many others it is part of.

    Of these kinds are nodes whose labels hold no nodes: all of one are there before the next is read.
    """

    def __init__(self, file: IO[bytes], kinds: tuple[type[Node], ...]) -> None:
        super().__init__(file, HIGHEST_PROTOCOL)
        self._kinds = kinds
        self._written: list[Node] = []  # stands for those that are read
        self._place: dict[int, int] = {}

    def reducer_override(self, value: object) -> Any:
        if not isinstance(value, self._kinds):
            return NotImplemented
        fresh = _flatten(value, self._place)
        return _picked, (self._written, fresh, self._place[id(value)])


def _picked(built: list[Node], fresh: _Flat, place: int) -> Node:
    return _more_nodes(built, fresh)[place]
