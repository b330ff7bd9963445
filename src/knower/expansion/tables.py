"""Tables of plain expressions, each with the condition under which it is the value, and operators on them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import field
from itertools import product
from math import prod
from typing import Any, TypeAlias

from knower.records import dataclass
from knower.system.expressions import (
    ARITHMETIC,
    BIT_OPERATORS,
    COMPARISONS,
    FALSE,
    TRUE,
    Arithmetic,
    BitNot,
    Bits,
    Compare,
    Condition,
    Expression,
    Literal,
    Minus,
    Truth,
    all_of,
    any_of,
    has_fractions,
    none_of,
)  # fmt: skip

#: More cases than this make a text that nobody takes: each is a line or a disjunct of twenty characters.
MOST_CASES = 200_000
_TURNED = {"=": "=", "!=": "!=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}


class TooManyCases(Exception):
    """The cases of one expression alone are more than a text can have."""


def compared(operator: str, left: Expression, right: Expression) -> Condition:
    """A comparison of plain expressions, with the variable before the value."""
    if isinstance(left, Literal) and isinstance(right, Literal):
        return Truth(COMPARISONS[operator](left.value, right.value))
    if isinstance(left, Literal):
        return Compare(_TURNED[operator], right, left)
    return Compare(operator, left, right)


# -- tables --------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Table:
    """Plain expressions, and when each is the value. `is_total`: there always is one."""

    cases: dict[Expression, Condition] = field(default_factory=dict)
    is_total: bool = True

    def add(self, value: Expression, condition: Condition) -> None:
        if condition == FALSE:
            return
        before = self.cases.get(value)
        self.cases[value] = condition if before is None else any_of([before, condition])
        if len(self.cases) > MOST_CASES:
            raise TooManyCases

    @property
    def single(self) -> Expression | None:
        """The value, if there is one case only."""
        match list(self.cases.items()):
            case [(value, Truth(True))]:
                return value
            case _:
                return None

    def __iter__(self) -> Iterator[tuple[Expression, Condition]]:
        return iter(self.cases.items())


def plain(item: Expression) -> Table:
    return Table({item: TRUE}, not has_fractions(item))


Case: TypeAlias = tuple[Expression, Condition]


def joined(tables: Sequence[Table]) -> Iterator[tuple[list[Expression], Condition]]:
    """All combinations of cases."""
    if prod(len(table.cases) for table in tables) > MOST_CASES:
        raise TooManyCases
    for chosen in product(*tables):
        condition = all_of([condition for _, condition in chosen])
        if condition != FALSE:
            yield [value for value, _ in chosen], condition


def is_literal(table: Table) -> bool:
    return isinstance(table.single, Literal)


def difference(value: Expression, number: int) -> Expression:
    if number == 0:
        return value
    return Arithmetic("-", value, Literal(number)) if number > 0 else Arithmetic("+", value, Literal(-number))


# -- operators on tables --------------------------------------------------------------------------------


def alternatives(below: Sequence[Any]) -> Table:
    """Of conditions and tables by turns, the first whose condition holds, else the last."""
    conditions, tables = list(below[:-1:2]), [*below[1::2], below[-1]]
    apart = _exclude_each_other(conditions)
    made = Table(is_total=all(table.is_total for table in tables))
    for place, table in enumerate(tables):
        before = conditions[:place] if place == len(conditions) or not apart else []
        here = [none_of(each) for each in before] + conditions[place : place + 1]
        for value, condition in table:
            made.add(value, all_of([*here, condition]))
    return made


def _exclude_each_other(conditions: Sequence[Condition]) -> bool:
    """Whether they compare one thing with different values: then none needs the denial of the others."""
    seen: set[object] = set()
    for condition in conditions:
        match condition:
            case Compare("=", _, Literal(value)):
                seen.add(value)
            case _:
                return False
    return len(seen) == len(conditions) and len({each.left for each in conditions}) == 1  # type: ignore[attr-defined]


def mapped(item: Minus | BitNot, table: Table) -> Table:
    made = Table(is_total=table.is_total)
    for value, condition in table:
        match item, value:
            case Minus(), Literal(int(number)):
                made.add(Literal(-number), condition)
            case BitNot(), Literal(truth):
                made.add(Literal(not truth), condition)
            case _:
                made.add(type(item)(value), condition)
    return made


def absolute(table: Table) -> Table:
    made = Table(is_total=table.is_total)
    for value, condition in table:
        if isinstance(value, Literal):
            made.add(Literal(abs(value.value)), condition)  # type: ignore[arg-type]
        else:
            made.add(value, all_of([condition, Compare(">=", value, Literal(0))]))
            made.add(Minus(value), all_of([condition, Compare("<", value, Literal(0))]))
    return made


def bits(operator: str, left: Table, right: Table) -> Table:
    made = Table(is_total=left.is_total and right.is_total)
    for (first, second), condition in joined([left, right]):
        made.add(_bit(operator, first, second), condition)
    return made


def _bit(operator: str, left: Expression, right: Expression) -> Expression:
    if isinstance(left, Literal) and isinstance(right, Literal):
        return Literal(BIT_OPERATORS[operator](left.value, right.value))
    return Bits(operator, left, right)


def calculated(operator: str, left: Table, right: Table) -> Table:
    made = Table(is_total=left.is_total and right.is_total and operator != "/")
    for (first, second), condition in joined([left, right]):
        made.add(_number(operator, first, second), condition)
    return made


def _number(operator: str, left: Expression, right: Expression) -> Expression:
    match operator, left, right:
        case "/", _, Literal(0):
            pass
        case _, Literal(int(first)), Literal(int(second)):
            found = ARITHMETIC[operator](first, second)
            if found.denominator == 1:
                return Literal(int(found))
        case "+", Literal(0), other:
            return other
        case "+" | "-", other, Literal(0):
            return other
        case _:
            pass
    return Arithmetic(operator, left, right)


def added(tables: Sequence[Table]) -> Table:
    """What is plain stays a sum. The others are added by halves: a count of n conditions has n + 1 cases."""
    plain = [table for table in tables if table.single is not None]
    split = [table for table in tables if table.single is None]
    while len(split) > 1:
        pairs = zip(split[::2], split[1::2], strict=False)
        split = [calculated("+", *pair) for pair in pairs] + split[len(split) & ~1 :]
    whole = (plain or split)[0]
    for table in (*plain, *split)[1:]:
        whole = calculated("+", whole, table)
    return whole


def extreme(operator: str, tables: Sequence[Table]) -> Table:
    """The first of the least (or the greatest)."""
    made = Table(is_total=all(table.is_total for table in tables))
    for values, condition in joined(tables):
        for place, value in enumerate(values):
            others = [compared(operator, value, other) for other in values[:place]]
            others += [compared(f"{operator}=", value, other) for other in values[place + 1 :]]
            made.add(value, all_of([condition, *others]))
    return made
