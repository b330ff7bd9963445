"""Values of expressions as circuits: numbers, symbols and truth values, and what is made of them.

Each has a literal for where it has no value: a division by zero, an index outside its range.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TypeAlias

from knower.functions.circuit import FALSE, TRUE, Circuits
from knower.functions.circuit import Literal as Bit
from knower.records import dataclass
from knower.symbolic.bits import Arithmetic as Calculator
from knower.symbolic.bits import Vector, constant, number_of
from knower.system.domains import Value


@dataclass(frozen=True)
class Number:
    """A fraction: a numerator and, unless it is 1, a denominator."""

    top: Vector
    bottom: Vector | None = None
    undefined: Bit = FALSE


@dataclass(frozen=True)
class Symbol:
    """A value out of a few, each with the condition for it: an enumeration, an action, a name."""

    cases: tuple[tuple[Value, Bit], ...]
    undefined: Bit = FALSE


@dataclass(frozen=True)
class Flag:
    """A truth value."""

    bit: Bit
    undefined: Bit = FALSE


@dataclass(frozen=True)
class Missing:
    """No value at all, of any type."""

    undefined: Bit = TRUE


Encoded: TypeAlias = Number | Symbol | Flag | Missing

#: Ranks of the terms of a sum are smaller than two to this power.
_HIGHEST = 40
_ONE = constant(1)


def _rank(term: Vector) -> int:
    return term[0]


class Values:
    """Calculates, compares and chooses."""

    def __init__(self, circuits: Circuits) -> None:
        self.circuits = circuits
        self.numbers = Calculator(circuits)

    def literal(self, value: Value) -> Encoded:
        if isinstance(value, bool):
            return Flag(TRUE if value else FALSE)
        if isinstance(value, int):
            return Number(constant(value))
        return Symbol(((value, TRUE),))

    # -- truth values -----------------------------------------------------------------------------------

    def opposite(self, a: Encoded) -> Flag:
        flag = _flag(a)
        return Flag(flag.bit ^ 1, flag.undefined)

    def gate(self, operator: str, a: Encoded, b: Encoded) -> Flag:
        gates = {"&": self.circuits.conj, "|": self.circuits.disj, "^": self.circuits.xor}
        left, right = _flag(a), _flag(b)
        return Flag(gates[operator](left.bit, right.bit), self._either_undefined(a, b))

    # -- arithmetic -------------------------------------------------------------------------------------

    def negated(self, a: Encoded) -> Number:
        number = _number(a)
        return replace(number, top=self.numbers.negate(number.top))

    def absolute(self, a: Encoded) -> Number:
        number = _number(a)
        bottom = None if number.bottom is None else self.numbers.absolute(number.bottom)
        return Number(self.numbers.absolute(number.top), bottom, number.undefined)

    def calculated(self, operator: str, operands: Sequence[Encoded]) -> Number:
        """An operator on two numbers, or a chain of them."""
        numbers = [_number(operand) for operand in operands]
        if operator == "+":
            return self._total(numbers)
        total = numbers[0]
        for number in numbers[1:]:
            total = self._operated(operator, total, number)
        return total

    def _operated(self, operator: str, a: Number, b: Number) -> Number:
        undefined = self._either_undefined(a, b)
        match operator:
            case "+" | "-":
                combine = self.numbers.add if operator == "+" else self.numbers.subtract
                left, right = self._over_one_bottom(a, b)
                return Number(combine(left, right), self._product(a.bottom, b.bottom), undefined)
            case "*":
                top = self.numbers.multiply(a.top, b.top)
                return Number(top, self._product(a.bottom, b.bottom), undefined)
            case "/":
                zero = self.numbers.equal(b.top, (FALSE,))
                top = a.top if b.bottom is None else self.numbers.multiply(a.top, b.bottom)
                return Number(top, self._product(a.bottom, b.top), self.circuits.disj(undefined, zero))
            case "%":
                return self._remainder(self.whole(a), self.whole(b))
            case "min" | "max":
                first = self._ordered("<=" if operator == "min" else ">=", a, b)
                return replace(self._number_chosen(first, a, b), undefined=undefined)
            case _:
                raise TypeError(f"not an operator on numbers: {operator}")

    def _remainder(self, a: Number, b: Number) -> Number:
        zero = self.numbers.equal(b.top, (FALSE,))
        undefined = self.circuits.disj(self._either_undefined(a, b), zero)
        return Number(self.numbers.modulo(a.top, b.top), None, undefined)

    def whole(self, number: Number) -> Number:
        """The number without a denominator; it has no value where it is a fraction."""
        if number.bottom is None:
            return number
        whole, exact = self.numbers.divide(number.top, number.bottom)
        return Number(whole, None, self.circuits.disj(number.undefined, exact ^ 1))

    def _total(self, terms: list[Number]) -> Number:
        """A sum, added up in an order that sums of nearly the same terms share."""
        if len(terms) == 2:
            return self._operated("+", *terms)
        whole = [term for term in terms if term.bottom is None and term.undefined == FALSE]
        total = Number(self._added(sorted((term.top for term in whole), key=_rank), _HIGHEST))
        for term in terms:
            if term.bottom is not None or term.undefined != FALSE:
                total = self._operated("+", total, term)
        return total

    def _added(self, terms: list[Vector], bit: int) -> Vector:
        """The terms whose ranks have the bit, and the others, added up apart."""
        if len(terms) <= 1 or bit < 0:
            total = constant(0)
            for term in terms:
                total = self.numbers.add(total, term)
            return total
        low = [term for term in terms if not _rank(term) >> bit & 1]
        high = [term for term in terms if _rank(term) >> bit & 1]
        if not low or not high:
            return self._added(terms, bit - 1)
        return self.numbers.add(self._added(low, bit - 1), self._added(high, bit - 1))

    def _product(self, a: Vector | None, b: Vector | None) -> Vector | None:
        if a is None or b is None:
            return b if a is None else a
        return self.numbers.multiply(a, b)

    # -- one of two values ------------------------------------------------------------------------------

    def chosen(self, condition: Bit, a: Encoded, b: Encoded) -> Encoded:
        """The first where the condition holds, else the second: bit by bit."""
        undefined = self.circuits.ite(condition, a.undefined, b.undefined)
        match a, b:
            case Missing(), _:
                return replace(b, undefined=undefined)
            case _, Missing():
                return replace(a, undefined=undefined)
            case Number(), Number():
                return replace(self._number_chosen(condition, a, b), undefined=undefined)
            case Flag(), Flag():
                return Flag(self.circuits.ite(condition, a.bit, b.bit), undefined)
            case Symbol(), Symbol():
                one, other, ite = dict(a.cases), dict(b.cases), self.circuits.ite
                cases = [(v, ite(condition, one.get(v, FALSE), other.get(v, FALSE))) for v in one | other]
                return Symbol(tuple(cases), undefined)
            case _:
                raise TypeError("elaboration checks types")

    def _number_chosen(self, condition: Bit, a: Number, b: Number) -> Number:
        top, bottom = self.numbers.choose(condition, a.top, b.top), None
        if a.bottom is not None or b.bottom is not None:
            bottom = self.numbers.choose(condition, a.bottom or _ONE, b.bottom or _ONE)
        return Number(top, bottom)

    # -- comparisons ------------------------------------------------------------------------------------

    def compared(self, operator: str, a: Encoded, b: Encoded) -> Bit:
        """Whether a comparison holds: it does not where a side has no value."""
        if isinstance(a, Missing) or isinstance(b, Missing):
            return FALSE
        if isinstance(a, Number) and isinstance(b, Number):
            found = self._ordered(operator, a, b)
        else:
            found = self._same(a, b) ^ (operator != "=")
        return self.circuits.conj(self._either_undefined(a, b) ^ 1, found)

    def _same(self, a: Encoded, b: Encoded) -> Bit:
        if isinstance(a, Flag) and isinstance(b, Flag):
            return self.circuits.same(a.bit, b.bit)
        if isinstance(b, Symbol) and isinstance(a, Number):
            a, b = b, a
        assert isinstance(a, Symbol), "elaboration checks types"
        if isinstance(b, Number):  # a selector of numbers
            b = Symbol(((number_of(b.top), TRUE),))
        assert isinstance(b, Symbol), "elaboration checks types"
        other = dict(b.cases)
        return self.circuits.any(self.circuits.conj(bit, other[v]) for v, bit in a.cases if v in other)

    def _ordered(self, operator: str, a: Number, b: Number) -> Bit:
        left, right = self._cross(a, b)
        match operator:
            case "=":
                return self.numbers.equal(left, right)
            case "!=":
                return self.numbers.equal(left, right) ^ 1
            case "<":
                return self.numbers.less(left, right)
            case ">":
                return self.numbers.less(right, left)
            case "<=":
                return self.numbers.less(right, left) ^ 1
            case ">=":
                return self.numbers.less(left, right) ^ 1
            case _:
                raise TypeError(f"not a comparison: {operator}")

    def _cross(self, a: Number, b: Number) -> tuple[Vector, Vector]:
        """Two fractions over one positive denominator: what is left to compare."""
        left, right = self._over_one_bottom(a, b)
        for bottom in (a.bottom, b.bottom):
            if bottom is not None:
                left = self.numbers.choose(bottom[-1], self.numbers.negate(left), left)
                right = self.numbers.choose(bottom[-1], self.numbers.negate(right), right)
        return left, right

    def _over_one_bottom(self, a: Number, b: Number) -> tuple[Vector, Vector]:
        left = a.top if b.bottom is None else self.numbers.multiply(a.top, b.bottom)
        right = b.top if a.bottom is None else self.numbers.multiply(b.top, a.bottom)
        return left, right

    def _either_undefined(self, a: Encoded, b: Encoded) -> Bit:
        return self.circuits.disj(a.undefined, b.undefined)


def _flag(part: Encoded) -> Flag:
    if isinstance(part, Missing):
        return Flag(FALSE, TRUE)
    assert isinstance(part, Flag), "elaboration checks types"
    return part


def _number(part: Encoded) -> Number:
    if isinstance(part, Missing):
        return Number((FALSE,), None, TRUE)
    assert isinstance(part, Number), "elaboration checks types"
    return part
