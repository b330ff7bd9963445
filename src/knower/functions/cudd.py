"""Ordered BDDs by CUDD, through `dd`: complement edges, garbage collection, sifting."""

from __future__ import annotations

import ctypes
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import dd
from dd import cudd

from knower.functions.addresses import can_address
from knower.functions.counting import exact_count
from knower.functions.protocol import NoRoom, Order, Variable

#: What CUDD plans for when it starts; it grows as needed. A large estimate costs base memory.
_MEMORY_ESTIMATE = 64 * 2**20
#: Counts above this are not exact in CUDD's floating point numbers.
_EXACT_BITS = 53
#: The releases of `dd` whose manager object is laid out as `_Native` expects.
_KNOWN_LAYOUT = {"0.6.0"}
_MANAGER_OFFSET, _OBJECT_HEADER = 24, 16
#: CUDD's codes for having given up: no memory, too many nodes, too much memory, no time.
_GIVEN_UP = {1, 2, 3, 4}
#: What `dd` says then, for releases in which CUDD cannot be asked for its code.
_GIVEN_UP_WORDS = ("NULL", "run out of memory", "variable swap failed")


class CuddSpace:
    """A manager with the variables of an order."""

    name = "cudd"

    def __init__(self, order: Order) -> None:
        if not can_address(_MEMORY_ESTIMATE):  # CUDD ends the process then, with status 1
            raise MemoryError("no room for decision diagrams")
        self._bdd = cudd.BDD(memory_estimate=_MEMORY_ESTIMATE)
        self._bdd.configure(reordering=False)
        variables = [variable for group in order for variable in group]
        for variable in variables:  # CUDD puts a new variable at the bottom
            self._bdd.add_var(_name(variable))
        for group in order:
            if len(group) > 1:
                self._bdd.group({_name(group[0]): len(group)})
        self._vars = {variable: self._bdd.var(_name(variable)) for variable in variables}
        self._native = _Native(self._bdd)
        self.true: Any = self._bdd.true
        self.false: Any = self._bdd.false

    @contextmanager
    def working(self) -> Iterator[None]:
        try:
            yield
        except (ValueError, RuntimeError) as error:
            if not (_is_told_by_dd(error) and self._native.has_given_up(error)):
                raise
            raise NoRoom("CUDD has given up") from error

    def var(self, variable: Variable) -> Any:
        return self._vars[variable]

    def extend(self, count: int) -> list[Variable]:
        first = len(self._vars)
        added = list(range(first, first + count))
        for variable in added:
            self._bdd.add_var(_name(variable))
            self._vars[variable] = self._bdd.var(_name(variable))
        if count > 1:
            self._bdd.group({_name(first): count})
        return added

    def xor(self, left: Any, right: Any) -> Any:
        return self._bdd.apply("xor", left, right)

    def ite(self, condition: Any, then: Any, otherwise: Any) -> Any:
        return self._bdd.ite(condition, then, otherwise)

    def quantified(self, variables: Iterable[Variable]) -> frozenset[str]:
        return frozenset(_name(variable) for variable in variables)

    def exists(self, function: Any, variables: frozenset[str]) -> Any:
        return self._bdd.exist(variables, function) if variables else function

    def forall(self, function: Any, variables: frozenset[str]) -> Any:
        return self._bdd.forall(variables, function) if variables else function

    def and_exists(self, left: Any, right: Any, variables: frozenset[str]) -> Any:
        return cudd.and_exists(left, right, variables)

    def renaming(self, pairs: Mapping[Variable, Variable]) -> dict[str, str]:
        return {_name(before): _name(after) for before, after in pairs.items()}

    def rename(self, function: Any, renaming: dict[str, str]) -> Any:
        return self._bdd._swap(function, renaming) if renaming else function

    def simplify(self, function: Any, care: Any) -> Any:
        return function if care == self.false else cudd.restrict(function, care)

    def count(self, function: Any, variables: Sequence[Variable]) -> int:
        if len(variables) < _EXACT_BITS:
            return int(self._bdd.count(function, len(variables)))
        levels = sorted(self._bdd.level_of_var(_name(variable)) for variable in variables)
        place = {level: k for k, level in enumerate(levels)}

        def branch(node: Any) -> tuple[int, Any, Any] | bool:
            if node == self.true or node == self.false:
                return bool(node == self.true)
            level, low, high = self._sides(node)
            return place[level], low, high

        return exact_count(function, len(levels), branch)

    def _sides(self, node: Any) -> tuple[int, Any, Any]:
        """The level of a node, and its branches, complements carried down."""
        level, low, high = self._bdd.succ(node)
        return (level, ~low, ~high) if node.negated else (level, low, high)

    def pick(self, function: Any, variables: Sequence[Variable]) -> dict[Variable, bool] | None:
        found = self._bdd.pick(function)
        return None if found is None else {v: bool(found.get(_name(v), False)) for v in variables}

    def branches(self, function: Any) -> tuple[Variable, Any, Any]:
        level, low, high = self._sides(function)
        return int(self._bdd.var_at_level(level)[1:]), low, high

    def support(self, function: Any) -> frozenset[Variable]:
        return frozenset(int(name[1:]) for name in self._bdd.support(function))

    def size(self, function: Any) -> int:
        return len(function)

    def nodes(self) -> int:
        return self._native.nodes()

    def order(self) -> list[Variable]:
        return [int(self._bdd.var_at_level(level)[1:]) for level in range(len(self._vars))]

    def limit(self, seconds: float | None) -> bool:
        return self._native.limit(seconds)

    # -- improving the order ------------------------------------------------------------------------

    @property
    def reorderings(self) -> int:
        return self._native.reorderings()

    def reorder(self) -> None:
        cudd.reorder(self._bdd)

    def reorder_when(self, nodes: int | None) -> None:
        self._bdd.configure(reordering=nodes is not None)
        if nodes is not None:
            self._native.reorder_from(nodes)


def _name(variable: Variable) -> str:
    return f"v{variable}"


def _is_told_by_dd(error: Exception) -> bool:
    """Whether an exception was raised inside `dd`, which finds no node where CUDD gave up."""
    place = error.__traceback__
    while place is not None and place.tb_next is not None:
        place = place.tb_next
    return place is not None and place.tb_frame.f_globals.get("__name__") == cudd.__name__


class _Native:
    """What `dd` does not tell or set, asked of CUDD itself.

    `dd` exports CUDD's functions; its manager object keeps the pointer they want at a place that is
    known for some releases only. For others there are plain ways, slower or rougher.
    """

    def __init__(self, bdd: Any) -> None:
        self._bdd = bdd
        self._library: Any = None
        if getattr(dd, "__version__", "") in _KNOWN_LAYOUT and object.__basicsize__ == _OBJECT_HEADER:
            self._library = ctypes.CDLL(cudd.__file__)
            self._manager = ctypes.c_void_p.from_address(id(bdd) + _MANAGER_OFFSET)

    def nodes(self) -> int:
        if self._library is None:
            return int(self._bdd.statistics()["n_nodes"])
        return int(self._library.Cudd_ReadKeys(self._manager) - self._library.Cudd_ReadDead(self._manager))

    def reorderings(self) -> int:
        if self._library is None:
            return int(self._bdd.statistics()["n_reorderings"])
        return int(self._library.Cudd_ReadReorderings(self._manager))

    def reorder_from(self, nodes: int) -> None:
        if self._library is not None:
            self._library.Cudd_SetNextReordering(self._manager, ctypes.c_uint(nodes))

    def limit(self, seconds: float | None) -> bool:
        if self._library is None:
            return False
        self._library.Cudd_UnsetTimeLimit(self._manager)
        if seconds is not None:
            self._library.Cudd_ResetStartTime(self._manager)
            self._library.Cudd_SetTimeLimit(self._manager, ctypes.c_ulong(int(seconds * 1000)))
        return True

    def has_given_up(self, error: Exception) -> bool:
        """Whether that is why `dd` has raised this; asked once."""
        if self._library is None:
            return any(word in str(error) for word in _GIVEN_UP_WORDS)
        code = self._library.Cudd_ReadErrorCode(self._manager)
        self._library.Cudd_ClearErrorCode(self._manager)
        return code in _GIVEN_UP
