"""Ordered BDDs by OxiDD: fast operations, a fixed variable order.

Plain BDDs, not those with complement edges: the latter's conjunction (OxiDD 0.13) took a minute on
operands of eighty nodes, parities of disjoint sets of variables in the dining cryptographers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TypeAlias
from weakref import WeakMethod

from oxidd.bdd import BDDFunction, BDDManager, BDDSubstitution
from oxidd.util import BooleanOperator, DDMemoryError

from knower.functions.addresses import can_address
from knower.functions.protocol import Littered, NoRoom, Order, Variable

Exchange: TypeAlias = BDDSubstitution | None

#: The nodes a manager has room for unless told otherwise; room that is not used costs nothing.
_MAX_NODES = 1 << 26
#: Half as many places in the cache, within these bounds: they are filled when a manager is made.
_LEAST_CACHE, _MOST_CACHE = 1 << 10, 1 << 22
#: In a room of so many nodes, a smaller one: with 2^19 places every model takes 8 MB more, and none of eight
#: is faster; with 2^16, six trains with counters of 20 take 5.5 s instead of 2.3.
_SMALL, _SMALL_CACHE = 1 << 20, 1 << 17
#: What a manager of OxiDD 0.13 addresses, in bytes, as seen in /proc/self/statm: the stack of its thread,
#: each node, each entry of the cache, and other things.
_STACK, _NODE, _ENTRY, _REST = 1 << 30, 16, 24, 1 << 26
_LEAST_NODES = 1 << 16
#: Several threads are used where there is room for so many nodes. On a Go-Back-N of 3e7 states two took 4.8 s
#: of computing each, beside 1.7 s of the main one, where one took 11.2 s; on 14 prisoners, in a small room,
#: two took 0.32 s for 0.15 s.
_LARGE = 1 << 21


def _cache(max_nodes: int) -> int:
    most = _MOST_CACHE if max_nodes > _SMALL else _SMALL_CACHE
    return min(max(max_nodes // 2, _LEAST_CACHE), most)


def fitting(max_nodes: int, threads: int = 1) -> int:
    """So many nodes, or fewer if this process may not address so many; raises `MemoryError` if hardly any.

    OxiDD asks for all addresses at once and, where it gets none (`ulimit -v`), ends the process with a panic.
    """
    while not can_address(*_addressed(max_nodes, threads)):
        max_nodes //= 2
        if max_nodes < _LEAST_NODES:
            raise MemoryError("no room for decision diagrams")
    return max_nodes


def _addressed(max_nodes: int, threads: int) -> tuple[int, ...]:
    """The pieces that a manager asks for."""
    stacks = [_STACK] * threads
    return *stacks, _NODE * max_nodes + _ENTRY * _cache(max_nodes), _REST


class OxiddSpace:
    """A manager with the variables of an order.

    There is no room beyond `max_nodes`, nor after so many garbage collections that more room would have been
    cheaper. So many `threads` work in a large one.
    """

    name = "oxidd"

    def __init__(
        self,
        order: Order,
        max_nodes: int = _MAX_NODES,
        max_collections: int | None = None,
        threads: int = 1,
    ) -> None:
        variables = [variable for group in order for variable in group]
        max_nodes = fitting(max_nodes, threads)
        cache = _cache(max_nodes)
        self._threads = threads if max_nodes >= _LARGE else 1
        self._manager = BDDManager(max_nodes, cache, self._threads)
        self._order = variables
        self._collect_at = max_nodes * 3 // 4
        self._full_at = max_nodes // 2
        self._idle_below = max_nodes // 64
        self._max_nodes = max_nodes
        self._collections_left = max_collections
        self._let_go: list[WeakMethod[Callable[[], None]]] = []
        self.true: BDDFunction = self._manager.true()
        self.false: BDDFunction = self._manager.false()
        with self.working():
            self._manager.add_vars(len(variables))
            self._manager.set_var_order(variables)
            self._vars = [self._manager.var(variable) for variable in range(len(variables))]

    @contextmanager
    def working(self) -> Iterator[None]:
        try:
            yield
        except DDMemoryError as error:
            raise NoRoom("all nodes are in use") from error

    def details(self) -> dict[str, str | int]:
        return {"threads": self._threads} if self._threads > 1 else {}

    def var(self, variable: Variable) -> BDDFunction:
        return self._vars[variable]

    def extend(self, count: int) -> list[Variable]:
        added = list(self._manager.add_vars(count))
        self._vars += [self._manager.var(variable) for variable in added]
        self._order += added
        return added

    def xor(self, left: BDDFunction, right: BDDFunction) -> BDDFunction:
        return left ^ right

    def ite(self, condition: BDDFunction, then: BDDFunction, otherwise: BDDFunction) -> BDDFunction:
        return condition.ite(then, otherwise)

    def quantified(self, variables: Iterable[Variable]) -> BDDFunction:
        cube = self.true
        for variable in sorted(variables, key=self._manager.var_to_level, reverse=True):
            cube = self._vars[variable] & cube
        return cube

    def exists(self, function: BDDFunction, variables: BDDFunction) -> BDDFunction:
        return function.exists(variables)

    def forall(self, function: BDDFunction, variables: BDDFunction) -> BDDFunction:
        return function.forall(variables)

    def and_exists(self, left: BDDFunction, right: BDDFunction, variables: BDDFunction) -> BDDFunction:
        self.make_room()
        return left.apply_exists(BooleanOperator.AND, right, variables)

    def make_room(self) -> None:
        if self._manager.approx_num_inner_nodes() > self._collect_at:
            self._sweep()
            self._count_sweep()

    def when_full(self, let_go: Callable[[], None]) -> None:
        self._let_go.append(WeakMethod(let_go))

    def _sweep(self) -> None:
        """Collect garbage before the room is full: OxiDD does not do it in time by itself."""
        self._manager.gc()
        if self._manager.num_inner_nodes() <= self._full_at:
            return
        for reference in self._let_go:
            let_go = reference()
            if let_go is not None:
                let_go()
        self._manager.gc()
        if self._manager.num_inner_nodes() > self._full_at:
            raise NoRoom("little of the room is garbage")

    def _count_sweep(self) -> None:
        """Where hardly anything is in use, there is little to compute again, and a sweep is not counted."""
        if self._collections_left is None or self._manager.num_inner_nodes() < self._idle_below:
            return
        if self._collections_left == 0:
            share = self._manager.num_inner_nodes() / self._max_nodes
            raise Littered("more room is cheaper than another garbage collection", share)
        self._collections_left -= 1

    def renaming(self, pairs: Mapping[Variable, Variable]) -> Exchange:
        both = {**pairs, **{after: before for before, after in pairs.items()}}
        if not both:
            return None
        return BDDFunction.make_substitution([(v, self._vars[other]) for v, other in both.items()])

    def rename(self, function: BDDFunction, renaming: Exchange) -> BDDFunction:
        return function if renaming is None else function.substitute(renaming)

    def simplify(self, function: BDDFunction, care: BDDFunction) -> BDDFunction:
        return function

    def count(self, function: BDDFunction, variables: Sequence[Variable]) -> int:
        return function.sat_count(len(self._order)) >> (len(self._order) - len(variables))

    def pick(self, function: BDDFunction, variables: Sequence[Variable]) -> dict[Variable, bool] | None:
        cube = function.pick_cube()
        return None if cube is None else {v: bool(cube[v]) for v in variables}

    def branches(self, function: BDDFunction) -> tuple[Variable, BDDFunction, BDDFunction]:
        variable, sides = function.node_var(), function.cofactors()
        assert variable is not None and sides is not None, "a constant has no branches"
        return variable, sides[1], sides[0]

    def support(self, function: BDDFunction) -> frozenset[Variable]:
        found: set[Variable | None] = set()
        seen: set[BDDFunction] = set()
        level = {function}
        while level:  # all nodes at a distance from the first
            seen |= level
            found.update([node.node_var() for node in level])
            sides = [node.cofactors() for node in level]
            level = {side for pair in sides if pair is not None for side in pair} - seen
        return frozenset(variable for variable in found if variable is not None)

    def size(self, function: BDDFunction) -> int:
        return function.node_count()

    def nodes(self) -> int:
        return self._manager.approx_num_inner_nodes()

    def order(self) -> list[Variable]:
        return list(self._order)
