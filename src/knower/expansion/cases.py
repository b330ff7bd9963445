"""Expressions by cases, and conditions without operators that plain ISPL lacks.

An expression becomes a table of plain expressions, each with the condition under which it is the value: of
these conditions at most one holds, and none where there is no value. A comparison of tables is a disjunction.
So the innermost comparison around what has no value is false, as it should be.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import product
from math import prod
from typing import Any

from knower.expansion.tables import (
    MOST_CASES,
    Case,
    Table,
    TooManyCases,
    absolute,
    added,
    alternatives,
    bits,
    calculated,
    compared,
    difference,
    extreme,
    is_literal,
    joined,
    mapped,
    plain,
)
from knower.logic.fold import fold_more, subformulas
from knower.logic.node import Node
from knower.system.domains import Domain, RangeDomain
from knower.system.evaluation import compiled
from knower.system.expressions import (
    ARITHMETIC,
    FALSE,
    TRUE,
    Abs,
    ActionOf,
    Arithmetic,
    BitNot,
    Bits,
    Compare,
    Condition,
    Conj,
    Disj,
    Expression,
    IfElse,
    Iff,
    Literal,
    Minus,
    Negation,
    NoValue,
    Places,
    Truth,
    TruthOf,
    Undefined,
    Var,
    all_of,
    any_of,
    chained,
    has_fractions,
    none_of,
)  # fmt: skip
from knower.system.system import InterpretedSystem


class Splitter:
    """Takes apart the expressions and conditions of a system; each node once."""

    def __init__(self, system: InterpretedSystem) -> None:
        self.system = system
        self._done: dict[int, Any] = {}
        self._kept: list[Node] = []  # so that no `id` is given twice

    def condition(self, condition: Condition) -> Condition:
        """An equal condition of plain comparisons."""
        self._kept.append(condition)
        found: Condition = fold_more(condition, self._step, chained, self._done)
        return found

    def values(self, expression: Expression, domain: Domain) -> Table:
        """The plain values of an expression that is assigned to a variable of a domain."""
        self._kept.append(expression)
        found: Table = fold_more(expression, self._step, chained, self._done)
        return self._without_actions(found, domain)

    # -- one case per construct -------------------------------------------------------------------------

    def _step(self, item: Any, below: tuple[Any, ...]) -> Condition | Table:
        match item:
            case Truth():
                return item
            case Conj():
                return all_of(below)
            case Disj():
                return any_of(below)
            case Negation():
                return none_of(below[0])
            case Iff():
                left, right = below
                return any_of([all_of([left, right]), all_of([none_of(left), none_of(right)])])
            case Compare(operator):
                return self._comparison(operator, below[0], below[1])
            case _:
                return self._table(item, below)

    def _table(self, item: Any, below: tuple[Any, ...]) -> Table:
        match item:
            case Literal() | Var() | ActionOf():
                return plain(item)
            case Undefined():
                return Table({}, is_total=False)
            case TruthOf():
                made = Table()
                made.add(Literal(True), below[0])
                made.add(Literal(False), none_of(below[0]))
                return made
            case IfElse():
                return alternatives(below)
            case Minus() | BitNot():
                return mapped(item, below[0])
            case Abs():
                return absolute(below[0])
            case Bits(operator):
                return bits(operator, *below)
            case Arithmetic("+"):
                return added(below)
            case Arithmetic("min" | "max" as operator):
                return extreme("<" if operator == "min" else ">", below)
            case Arithmetic("%"):
                return self._remainders(*below)
            case Arithmetic(operator):
                return calculated(operator, *below)
            case _:
                raise TypeError(f"not an expression: {item!r}")

    def _comparison(self, operator: str, left: Table, right: Table) -> Condition:
        """Where the sides compare so; or the complement of where they do not, if that is shorter."""
        if not (is_literal(right) and is_literal(left)):
            left, right = self._beside(left, right), self._beside(right, left)
        holds: list[Condition] = []
        fails: list[Condition] = []
        for (first, second), condition in joined([left, right]):
            test = self._test(operator, first, second)
            holds.append(all_of([condition, test]))
            fails.append(condition if test == FALSE else all_of([condition, none_of(test)]))
        holds = [each for each in holds if each != FALSE]
        fails = [each for each in fails if each != FALSE]
        total = left.is_total and right.is_total
        return none_of(any_of(fails)) if total and len(fails) < len(holds) else any_of(holds)

    def _test(self, operator: str, left: Expression, right: Expression) -> Condition:
        """A comparison of cases: a variable is not compared with a name that it never has."""
        for item, other in ((left, right), (right, left)):
            match item, other:
                case Var(owner, name), Literal(str(value)) if value not in self.system.domains[owner, name]:
                    return Truth(operator == "!=")
                case _:
                    pass
        return compared(operator, left, right)

    def _beside(self, table: Table, other: Table) -> Table:
        """Actions are compared with names of actions only."""
        return table if is_literal(other) else self._without_actions(table)

    def _without_actions(self, table: Table, domain: Domain | None = None) -> Table:
        """Actions by their names; but one that may fall outside of a domain is not called by it."""
        if not any(isinstance(value, ActionOf) for value in table.cases):
            return table
        made = Table(is_total=table.is_total)
        for value, condition in table:
            actions = self.system.agent_named[value.agent].actions if isinstance(value, ActionOf) else ()
            if actions and (domain is None or all(action in domain for action in actions)):
                for action in actions:
                    name = Literal(action)
                    made.add(name, all_of([condition, Compare("=", value, name)]))
            else:
                made.add(value, condition)
        return made

    # -- remainders ---------------------------------------------------------------------------------------

    def _remainders(self, left: Table, right: Table) -> Table:
        made = Table(is_total=left.is_total and right.is_total)
        for (value, divisor), condition in joined([left, right]):
            if has_fractions(value, divisor):
                made.is_total = False
                cases: Iterable[Case] = self._tried(Arithmetic("%", value, divisor))
            else:
                made.is_total &= 0 not in self._range(divisor)
                cases = self._divided(value, divisor)
            for remainder, where in cases:
                made.add(remainder, all_of([condition, where]))
        return made

    def _divided(self, value: Expression, divisor: Expression) -> Iterator[Case]:
        """The remainder for each value of the divisor but 0."""
        for number in self._range(divisor):
            here = compared("=", divisor, Literal(number))
            if number != 0 and here != FALSE:
                for remainder, where in self._quotients(value, number):
                    yield remainder, all_of([here, where])

    def _quotients(self, value: Expression, divisor: int) -> Iterator[Case]:
        """`value - divisor * q` for each whole quotient that there may be."""
        if isinstance(value, Literal):
            yield Literal(value.value % divisor), TRUE
            return
        values = self._range(value)
        first, last = sorted((values[0] // divisor, values[-1] // divisor))
        for quotient in range(first, last + 1):
            start = quotient * divisor
            low, high = (start, start + divisor - 1) if divisor > 0 else (start + divisor + 1, start)
            where = [Compare(">=", value, Literal(low))] if low > values[0] else []
            where += [Compare("<=", value, Literal(high))] if high < values[-1] else []
            yield difference(value, start), all_of(where)

    def _range(self, item: Expression) -> range:
        """Numbers among which the value is."""
        low, high = self._bounds(item)
        if high - low > MOST_CASES:
            raise TooManyCases
        return range(low, high + 1)

    def _bounds(self, item: Expression) -> tuple[int, int]:
        match item:
            case Literal(int(value)):
                return value, value
            case Var(owner, name):
                domain = self.system.domains[owner, name]
                assert isinstance(domain, RangeDomain)
                return domain.low, domain.high
            case Minus(operand):
                low, high = self._bounds(operand)
                return -high, -low
            case Arithmetic(operator, left, right):
                ends = product(self._bounds(left), self._bounds(right))
                found = [ARITHMETIC[operator](first, second) for first, second in ends]
                return min(found), max(found)
            case _:
                raise TypeError(f"not a plain number: {item!r}")

    def _tried(self, item: Expression) -> Iterator[Case]:
        """The value for all values of what it is made of, where there is one."""
        keys = list(dict.fromkeys(part for part in subformulas(item) if isinstance(part, Var)))
        domains = [self.system.domains[key.owner, key.name].values for key in keys]
        if prod(map(len, domains)) > MOST_CASES:
            raise TooManyCases
        places = Places({(key.owner, key.name): k for k, key in enumerate(keys)}, {})
        evaluate = compiled(item, places)
        for state in product(*domains):
            try:
                value = evaluate(state, ())
            except NoValue:
                continue
            here = [Compare("=", key, Literal(each)) for key, each in zip(keys, state, strict=True)]
            yield Literal(int(value)), all_of(here)
