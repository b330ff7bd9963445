"""Arithmetic by circuits against Python's: on constants, and on inputs for all their values at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knower.functions.circuit import FALSE, TRUE, Built, Circuits, Literal
from knower.functions.table import TableSpace
from knower.symbolic.bits import Arithmetic, Vector, constant, number_of, trimmed, unsigned
from strategies import cases

SMALL = range(-9, 10)
#: How many bits two operands have; the last is the sign.
WIDTHS = [(4, 4), (2, 5), (5, 2), (1, 4), (4, 1), (3, 3)]

#: Operations with a number for a result, and what they should give.
NUMBERS: dict[str, tuple[Callable[..., Vector], Callable[[int, int], int]]] = {
    "add": (Arithmetic.add, lambda a, b: a + b),
    "add with carry": (lambda numbers, a, b: numbers.add(a, b, TRUE), lambda a, b: a + b + 1),
    "subtract": (Arithmetic.subtract, lambda a, b: a - b),
    "multiply": (Arithmetic.multiply, lambda a, b: a * b),
    "negate": (lambda numbers, a, b: numbers.negate(a), lambda a, b: -a),
    "absolute": (lambda numbers, a, b: numbers.absolute(b), lambda a, b: abs(b)),
    "choose the first": (lambda numbers, a, b: numbers.choose(TRUE, a, b), lambda a, b: a),
    "choose the second": (lambda numbers, a, b: numbers.choose(FALSE, a, b), lambda a, b: b),
    "modulo": (
        lambda numbers, a, b: numbers.choose(numbers.equal(b, (FALSE,)), (FALSE,), numbers.modulo(a, b)),
        lambda a, b: a % b if b else 0,
    ),
    "choose the larger": (lambda numbers, a, b: numbers.choose(numbers.less(a, b), b, a), max),
}
TESTS: dict[str, tuple[Callable[..., Literal], Callable[[int, int], bool]]] = {
    "equal": (Arithmetic.equal, lambda a, b: a == b),
    "less": (Arithmetic.less, lambda a, b: a < b),
    "exact": (lambda numbers, a, b: numbers.divide(a, b)[1], lambda a, b: b != 0 and a % b == 0),
}


def quotient(a: int, b: int) -> int:
    """Rounded towards zero."""
    size = abs(a) // abs(b)
    return size if (a < 0) == (b < 0) else -size


@pytest.fixture
def numbers() -> Arithmetic:
    return Arithmetic(Circuits())


# -- vectors -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("value", [*SMALL, 2**31, -(2**31), 2**100 - 1, -(2**100) - 1])
def test_constants_are_what_they_say(value):
    assert number_of(constant(value)) == value
    assert number_of(trimmed(constant(value) + (constant(value)[-1],) * 3)) == value


def test_constants_are_as_wide_as_they_need_to_be():
    assert [len(constant(value)) for value in (0, 1, 2, 3, 4, -1, -2, -3)] == [1, 2, 3, 3, 4, 2, 3, 3]
    assert constant(0) == (FALSE,)
    assert trimmed(constant(-1)) == (TRUE,)
    assert trimmed((TRUE, FALSE, FALSE, FALSE)) == (TRUE, FALSE)


@pytest.mark.parametrize("bits", list(product((FALSE, TRUE), repeat=3)))
def test_bits_without_a_sign_are_not_negative(bits):
    assert number_of(unsigned(bits)) == bits[0] + 2 * bits[1] + 4 * bits[2]


# -- constants -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NUMBERS)
def test_numbers_from_constants(numbers, name):
    operate, expected = NUMBERS[name]
    for a, b in product(SMALL, repeat=2):
        assert number_of(operate(numbers, constant(a), constant(b))) == expected(a, b)


@pytest.mark.parametrize("name", TESTS)
def test_tests_of_constants(numbers, name):
    operate, expected = TESTS[name]
    for a, b in product(SMALL, repeat=2):
        assert operate(numbers, constant(a), constant(b)) == (TRUE if expected(a, b) else FALSE)


def test_quotients_of_constants(numbers):
    for a, b in product(SMALL, repeat=2):
        found, exact = numbers.divide(constant(a), constant(b))
        assert exact == (TRUE if b and a % b == 0 else FALSE)
        if b:
            assert number_of(found) == quotient(a, b)


def test_circuits_of_constants_have_no_gates(numbers):
    for operate, _ in (*NUMBERS.values(), *TESTS.values()):
        operate(numbers, constant(-7), constant(5))
    assert len(numbers.circuits) == len(Circuits())


large = st.integers(-(2**200), 2**200)


@cases(200)
@given(large, large)
def test_large_numbers(a, b):
    numbers = Arithmetic(Circuits())
    for operate, expected in NUMBERS.values():
        assert number_of(operate(numbers, constant(a), constant(b))) == expected(a, b)
    for name in ("equal", "less"):
        operate, expected = TESTS[name]
        assert operate(numbers, constant(a), constant(b)) == expected(a, b)
        assert operate(numbers, constant(a), constant(a)) == expected(a, a)


@cases(100)
@given(st.integers(-(2**64), 2**64), st.integers(-(2**40), 2**40), st.booleans())
def test_large_quotients(a, b, exactly):
    a = a * b if exactly else a
    found, exact = Arithmetic(Circuits()).divide(constant(a), constant(b))
    assert exact == (b != 0 and a % b == 0)
    if b:
        assert number_of(found) == quotient(a, b)


# -- inputs --------------------------------------------------------------------------------------------


class Everywhere:
    """Two operands made of inputs: what circuits give for each pair of their values."""

    def __init__(self, left: int, right: int) -> None:
        self.numbers = Arithmetic(Circuits())
        self.space = TableSpace([[variable] for variable in range(left + right)])
        inputs = [self.numbers.circuits.input(k) for k in range(left + right)]
        self.a, self.b = tuple(inputs[:left]), tuple(inputs[left:])
        self._built = Built(self.numbers.circuits, self.space, self.space.var)

    def values(self, vector: Sequence[Literal]) -> list[int]:
        """The numbers a vector stands for, row by row."""
        tables = [function.bits for function in self._built.functions(vector)]
        return [number_of([table >> row & 1 for table in tables]) for row in range(self.space.rows)]

    def holds(self, literal: Literal) -> list[bool]:
        table = self._built.function(literal).bits
        return [bool(table >> row & 1) for row in range(self.space.rows)]

    def pairs(self) -> list[tuple[int, int]]:
        return list(zip(self.values(self.a), self.values(self.b), strict=True))


@pytest.mark.parametrize(("left", "right"), WIDTHS)
def test_operands_take_all_their_values(left, right):
    everywhere = Everywhere(left, right)
    signed = [range(-(1 << width - 1), 1 << width - 1) for width in (left, right)]
    assert sorted(everywhere.pairs()) == list(product(*signed))


@pytest.mark.parametrize("name", NUMBERS)
@pytest.mark.parametrize(("left", "right"), WIDTHS)
def test_numbers_from_inputs(name, left, right):
    operate, expected = NUMBERS[name]
    everywhere = Everywhere(left, right)
    found = operate(everywhere.numbers, everywhere.a, everywhere.b)
    assert everywhere.values(found) == [expected(a, b) for a, b in everywhere.pairs()]


@pytest.mark.parametrize("name", TESTS)
@pytest.mark.parametrize(("left", "right"), WIDTHS)
def test_tests_of_inputs(name, left, right):
    operate, expected = TESTS[name]
    everywhere = Everywhere(left, right)
    found = operate(everywhere.numbers, everywhere.a, everywhere.b)
    assert everywhere.holds(found) == [expected(a, b) for a, b in everywhere.pairs()]


@pytest.mark.parametrize(("left", "right"), WIDTHS)
def test_quotients_of_inputs(left, right):
    everywhere = Everywhere(left, right)
    found, _ = everywhere.numbers.divide(everywhere.a, everywhere.b)
    for (a, b), value in zip(everywhere.pairs(), everywhere.values(found), strict=True):
        assert b == 0 or value == quotient(a, b)


@pytest.mark.parametrize("value", SMALL)
def test_an_input_and_a_constant(value):
    """Constants on one side are folded into the circuit: each operation, either way round."""
    everywhere = Everywhere(4, 0)
    fixed, numbers = constant(value), everywhere.numbers
    inputs = everywhere.values(everywhere.a)
    for operate, expected in NUMBERS.values():
        assert everywhere.values(operate(numbers, everywhere.a, fixed)) == [
            expected(a, value) for a in inputs
        ]
        assert everywhere.values(operate(numbers, fixed, everywhere.a)) == [
            expected(value, a) for a in inputs
        ]
    for operate, expected in TESTS.values():
        assert everywhere.holds(operate(numbers, everywhere.a, fixed)) == [expected(a, value) for a in inputs]
        assert everywhere.holds(operate(numbers, fixed, everywhere.a)) == [expected(value, a) for a in inputs]


def test_a_choice_by_an_input():
    everywhere = Everywhere(1, 4)
    (condition,) = everywhere.a
    found = everywhere.numbers.choose(condition, everywhere.b, constant(-3))
    assert everywhere.values(found) == [b if a else -3 for a, b in everywhere.pairs()]
