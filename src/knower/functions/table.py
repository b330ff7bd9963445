"""Truth tables as integers: the reference implementation, for a dozen variables at most.

Bit `k` of a table is the function's value where variable `v` has bit `v` of `k`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext

from knower.functions.protocol import NoRoom, Order, Variable
from knower.records import dataclass


@dataclass(frozen=True, slots=True)
class Table:
    """A function of the variables of its space."""

    space: TableSpace
    bits: int

    def __and__(self, other: Table) -> Table:
        return self._with(other, self.bits & other.bits)

    def __or__(self, other: Table) -> Table:
        return self._with(other, self.bits | other.bits)

    def __invert__(self) -> Table:
        return Table(self.space, self.space.full & ~self.bits)

    def _with(self, other: Table, bits: int) -> Table:
        if self.space is not other.space:
            raise ValueError("functions of two spaces cannot be mixed")
        return Table(self.space, bits)


class TableSpace:
    """All functions of a few variables."""

    name = "table"

    def __init__(self, order: Order) -> None:
        self._order = [variable for group in order for variable in group]
        self.rows = 1 << len(self._order)
        self.full = (1 << self.rows) - 1
        self.true = Table(self, self.full)
        self.false = Table(self, 0)

    def working(self) -> AbstractContextManager[None]:
        return nullcontext()

    def var(self, variable: Variable) -> Table:
        return self._where(lambda row: bool(row >> variable & 1))

    def extend(self, count: int) -> list[Variable]:
        raise NoRoom("a truth table has all its variables from the start")

    def _where(self, holds: Callable[[int], bool]) -> Table:
        return Table(self, sum(1 << row for row in range(self.rows) if holds(row)))

    def xor(self, left: Table, right: Table) -> Table:
        return left & ~right | ~left & right

    def ite(self, condition: Table, then: Table, otherwise: Table) -> Table:
        return condition & then | ~condition & otherwise

    def quantified(self, variables: Iterable[Variable]) -> tuple[Variable, ...]:
        return tuple(variables)

    def exists(self, function: Table, variables: tuple[Variable, ...]) -> Table:
        for variable in variables:
            function = self._cofactor(function, variable, False) | self._cofactor(function, variable, True)
        return function

    def forall(self, function: Table, variables: tuple[Variable, ...]) -> Table:
        return ~self.exists(~function, variables)

    def _cofactor(self, function: Table, variable: Variable, value: bool) -> Table:
        bit = 1 << variable
        return self._where(lambda row: bool(function.bits >> (row | bit if value else row & ~bit) & 1))

    def and_exists(self, left: Table, right: Table, variables: tuple[Variable, ...]) -> Table:
        return self.exists(left & right, variables)

    def renaming(self, pairs: Mapping[Variable, Variable]) -> dict[Variable, Variable]:
        return {**pairs, **{after: before for before, after in pairs.items()}}

    def rename(self, function: Table, renaming: dict[Variable, Variable]) -> Table:
        def moved(row: int) -> int:
            return sum((row >> renaming.get(v, v) & 1) << v for v in self._order)

        return self._where(lambda row: bool(function.bits >> moved(row) & 1))

    def simplify(self, function: Table, care: Table) -> Table:
        return function

    def count(self, function: Table, variables: Sequence[Variable]) -> int:
        return function.bits.bit_count() >> (len(self._order) - len(variables))

    def pick(self, function: Table, variables: Sequence[Variable]) -> dict[Variable, bool] | None:
        rows = (row for row in range(self.rows) if function.bits >> row & 1)
        row = next(rows, None)
        return None if row is None else {v: bool(row >> v & 1) for v in variables}

    def branches(self, function: Table) -> tuple[Variable, Table, Table]:
        variable = min(self.support(function))
        return variable, self._cofactor(function, variable, False), self._cofactor(function, variable, True)

    def support(self, function: Table) -> frozenset[Variable]:
        def matters(variable: Variable) -> bool:
            return self._cofactor(function, variable, False) != self._cofactor(function, variable, True)

        return frozenset(variable for variable in self._order if matters(variable))

    def size(self, function: Table) -> int:
        return self.rows

    def nodes(self) -> int:
        return self.rows

    def order(self) -> list[Variable]:
        return list(self._order)
