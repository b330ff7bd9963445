"""Immutable trees that may be nested tens of thousands deep.

Formulas, syntax trees and typed expressions are all made of `Node`s. Hashes are computed once;
comparison, pickling and `repr` use explicit stacks, so no depth exhausts Python's own.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import Field, dataclass, field, fields
from operator import attrgetter
from typing import Any, ClassVar, TypeAlias, TypeVar, dataclass_transform, get_args, get_type_hints
from zlib import crc32

_T = TypeVar("_T")


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def node(cls: type[_T]) -> type[_T]:
    """A frozen, slotted dataclass whose equality and hash are those of `Node`."""
    made = dataclass(frozen=True, slots=True, eq=False, repr=False)(cls)
    given = [f for f in fields(made) if f.init]  # type: ignore[arg-type]
    made._fields = tuple(f.name for f in given)  # type: ignore[attr-defined]
    made._compared = tuple(f.name for f in given if f.compare)  # type: ignore[attr-defined]
    made._operands = staticmethod(_first_pick(made, given))  # type: ignore[attr-defined]
    return made


def _first_pick(cls: type, given: list[Field[Any]]) -> Callable[[Any], tuple[Node, ...]]:
    """Finds out at first use which fields are operands: unions of nodes are named before they are made."""

    def pick(item: Any) -> tuple[Node, ...]:
        picker = _picker(cls, given)
        cls._operands = staticmethod(picker)  # type: ignore[attr-defined]
        return picker(item)

    return pick


def _picker(cls: type, given: list[Field[Any]]) -> Callable[[Any], tuple[Node, ...]]:
    """Picks the operands of an instance: the fields declared to hold a node."""
    declared = get_type_hints(cls)
    names = [f.name for f in given if _is_node(declared[f.name])]
    if len(names) > 1:
        return attrgetter(*names)
    return lambda item: tuple([getattr(item, name) for name in names])


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

    _hash: int

    def __post_init__(self) -> None:
        values = [_stable_hash(getattr(self, name)) for name in self._compared]
        object.__setattr__(self, "_hash", hash((_stable_hash(type(self).__name__), *values)))

    @property
    def children(self) -> tuple[Node, ...]:
        """The operands, in the order they are written."""
        return self._operands(self)  # type: ignore[no-any-return]

    @property
    def labels(self) -> tuple[object, ...]:
        """The compared fields that are not operands: names, values."""
        values = [getattr(self, name) for name in self._compared]
        return tuple(value for value in values if not isinstance(value, Node))

    @property
    def identity(self) -> tuple[object, ...]:
        """The labels with their types: `Literal(True)` is not `Literal(1)`."""
        return tuple([(type(label), label) for label in self.labels])

    def with_children(self: _T, children: tuple[Any, ...]) -> _T:
        """The same operator on other operands."""
        fresh = iter(children)
        values = [getattr(self, name) for name in self._fields]  # type: ignore[attr-defined]
        return type(self)(*[next(fresh) if isinstance(value, Node) else value for value in values])

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Node):
            return NotImplemented
        return _same(self, other)

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


def _stable_hash(value: object) -> int:
    """A hash that is the same in every process, so that sets of nodes are always read in the same order."""
    return crc32(value.encode("utf-8", "surrogatepass")) if isinstance(value, str) else hash(value)


def _same(left: Node, right: Node) -> bool:
    """Structural equality, each pair of nodes compared once."""
    todo, seen = [(left, right)], set()
    while todo:
        a, b = todo.pop()
        if a is b or (id(a), id(b)) in seen:
            continue
        if type(a) is not type(b) or a._hash != b._hash or a.identity != b.identity:
            return False
        seen.add((id(a), id(b)))
        todo += zip(a.children, b.children, strict=True)
    return True


@dataclass(frozen=True, slots=True)
class _Operand:
    """Stands for a node by its place in a flattened tree."""

    place: int


_Flat: TypeAlias = tuple[tuple[type[Node], tuple[object, ...]], ...]


def _flatten(root: Node) -> _Flat:
    """The nodes below `root` in post-order, operands replaced by their places."""
    place: dict[int, int] = {}
    flat: list[tuple[type[Node], tuple[object, ...]]] = []
    todo = [root]
    while todo:
        item = todo[-1]
        waiting = [child for child in item.children if id(child) not in place]
        if waiting:
            todo += reversed(waiting)
            continue
        todo.pop()
        if id(item) not in place:
            place[id(item)] = len(flat)
            values = [getattr(item, name) for name in item._fields]
            flat.append((type(item), tuple(_packed(value, place) for value in values)))
    return tuple(flat)


def _packed(value: object, place: dict[int, int]) -> object:
    return _Operand(place[id(value)]) if isinstance(value, Node) else value


def _unflatten(flat: _Flat) -> Node:
    built: list[Node] = []
    for cls, values in flat:
        built.append(cls(*[built[v.place] if isinstance(v, _Operand) else v for v in values]))
    return built[-1]
