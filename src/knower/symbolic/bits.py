"""Whole numbers and fractions as vectors of bits: arithmetic and comparison as circuits.

A `Vector` is a two's complement number, least significant bit first; its last bit is the sign.
Vectors have the width they need, so nothing wraps round.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from knower.functions.circuit import FALSE, TRUE, Circuits, Literal
from knower.records import dataclass

Vector: TypeAlias = tuple[Literal, ...]


def constant(value: int) -> Vector:
    width = value.bit_length() + 1
    return tuple(TRUE if value >> k & 1 else FALSE for k in range(width))


def unsigned(bits: Sequence[Literal]) -> Vector:
    """Bits without a sign as a number."""
    return (*bits, FALSE)


def trimmed(vector: Vector) -> Vector:
    """The same number without superfluous copies of its sign."""
    width = len(vector)
    while width > 1 and vector[width - 1] == vector[width - 2]:
        width -= 1
    return vector[:width]


def _widened(vector: Vector, width: int) -> Vector:
    return vector + (vector[-1],) * (width - len(vector))


def number_of(vector: Vector) -> int:
    """The value of a constant."""
    value = sum(bit << place for place, bit in enumerate(vector[:-1]))
    return value - (vector[-1] << (len(vector) - 1))


@dataclass(frozen=True)
class Arithmetic:
    """Circuits that calculate."""

    circuits: Circuits

    def add(self, a: Vector, b: Vector, carry: Literal = FALSE) -> Vector:
        width = max(len(a), len(b)) + 1
        total: list[Literal] = []
        for x, y in zip(_widened(a, width), _widened(b, width), strict=True):
            either = self.circuits.xor(x, y)
            total.append(self.circuits.xor(either, carry))
            carry = self.circuits.ite(either, carry, x)
        return trimmed(tuple(total))

    def subtract(self, a: Vector, b: Vector) -> Vector:
        width = max(len(a), len(b))
        return self.add(_widened(a, width), tuple(bit ^ 1 for bit in _widened(b, width)), TRUE)

    def negate(self, a: Vector) -> Vector:
        return self.subtract((FALSE,), a)

    def multiply(self, a: Vector, b: Vector) -> Vector:
        """Shift and add; the sign bit of the second counts negatively."""
        if len(a) < len(b):
            a, b = b, a
        total: Vector = (FALSE,)
        for shift, bit in enumerate(b):
            row = (FALSE,) * shift + tuple(self.circuits.conj(bit, x) for x in a)
            total = self.subtract(total, row) if shift == len(b) - 1 else self.add(total, row)
        return total

    def absolute(self, a: Vector) -> Vector:
        return self.choose(a[-1], self.negate(a), a)

    def choose(self, condition: Literal, a: Vector, b: Vector) -> Vector:
        width = max(len(a), len(b))
        pairs = zip(_widened(a, width), _widened(b, width), strict=True)
        return trimmed(tuple(self.circuits.ite(condition, x, y) for x, y in pairs))

    def equal(self, a: Vector, b: Vector) -> Literal:
        width = max(len(a), len(b))
        pairs = zip(_widened(a, width), _widened(b, width), strict=True)
        return self.circuits.all(self.circuits.same(x, y) for x, y in pairs)

    def less(self, a: Vector, b: Vector) -> Literal:
        """From the least significant bit up; a negative sign makes the number less."""
        width = max(len(a), len(b))
        a, b = _widened(a, width), _widened(b, width)
        found = FALSE
        for x, y in zip(a[:-1], b[:-1], strict=True):
            found = self.circuits.ite(self.circuits.xor(x, y), y, found)
        return self.circuits.ite(self.circuits.xor(a[-1], b[-1]), a[-1], found)

    def modulo(self, a: Vector, b: Vector) -> Vector:
        """`a - b * floor(a / b)`, for b other than zero: the remainder grows by one bit of a after the other.

        The sign bit of a counts negatively: -1 leaves `b - 1` of a positive b.
        """
        turned, divisor = b[-1], self.absolute(b)
        number = self.choose(turned, self.negate(a), a)
        less = self.subtract(divisor, constant(1))
        rest = self.choose(number[-1], less, (FALSE,))
        for bit in reversed(number[:-1]):
            rest = (bit, *rest)
            fits = self.less(less, rest)
            rest = self.choose(fits, self.subtract(rest, divisor), rest)
            rest = unsigned(rest[: len(divisor) - 1])  # it is less than the divisor
        return self.choose(turned, self.negate(rest), rest)

    def divide(self, a: Vector, b: Vector) -> tuple[Vector, Literal]:
        """The quotient of two numbers and whether it is exact; by zero it never is."""
        dividend, divisor = self.absolute(a), self.absolute(b)
        rest: Vector = (FALSE,)
        quotient: list[Literal] = []
        for bit in reversed(dividend):
            rest = (bit, *rest)
            fits = self.less(rest, divisor) ^ 1
            quotient.append(fits)
            rest = self.choose(fits, self.subtract(rest, divisor), rest)
        exact = self.circuits.conj(self.equal(rest, (FALSE,)), self.equal(b, (FALSE,)) ^ 1)
        size = unsigned(tuple(reversed(quotient)))
        return self.choose(self.circuits.xor(a[-1], b[-1]), self.negate(size), size), exact
