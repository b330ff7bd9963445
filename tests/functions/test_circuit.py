"""Circuits: equal gates are one, constants vanish, and what is built is what was meant."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from spaces import SPACES, alone, function_of, space_of

from knower.functions.circuit import FALSE, TRUE, Built, Circuits, Literal
from knower.functions.table import TableSpace
from strategies import cases

INPUTS = 4
ROWS = 1 << INPUTS
FULL = (1 << ROWS) - 1
#: The truth tables of the inputs.
TABLES = [sum(1 << row for row in range(ROWS) if row >> v & 1) for v in range(INPUTS)]


@pytest.fixture
def circuits() -> Circuits:
    return Circuits()


@pytest.fixture
def built(circuits: Circuits) -> Built:
    space = TableSpace(alone(range(INPUTS)))
    return Built(circuits, space, space.var)


# -- the same gate is the same literal -----------------------------------------------------------------


def test_equal_gates_are_made_once(circuits):
    a, b, c = map(circuits.input, range(3))
    made = [circuits.conj(a, b), circuits.disj(a, b), circuits.xor(a, b), circuits.ite(a, b, c)]
    size = len(circuits)
    assert [circuits.input(k) for k in range(3)] == [a, b, c]
    assert [circuits.conj(a, b), circuits.disj(a, b), circuits.xor(a, b), circuits.ite(a, b, c)] == made
    assert len(circuits) == size
    assert len({*made}) == 4


def test_the_order_of_operands_does_not_matter(circuits):
    for a, b in product(map(circuits.input, range(3)), repeat=2):
        assert circuits.conj(a, b ^ 1) == circuits.conj(b ^ 1, a)
        assert circuits.disj(a, b) == circuits.disj(b, a)
        assert circuits.xor(a, b) == circuits.xor(b, a)
        assert circuits.same(a, b) == circuits.same(b, a)


def test_negations_move_out_of_xor(circuits):
    a, b = circuits.input(0), circuits.input(1)
    whole = circuits.xor(a, b)
    assert [circuits.xor(a ^ 1, b), circuits.xor(a, b ^ 1), circuits.xor(a ^ 1, b ^ 1)] == [
        whole ^ 1,
        whole ^ 1,
        whole,
    ]
    assert circuits.same(a, b) == whole ^ 1


def test_a_negated_condition_exchanges_the_branches(circuits):
    a, b, c = map(circuits.input, range(3))
    assert circuits.ite(a ^ 1, b, c) == circuits.ite(a, c, b)


# -- constants -----------------------------------------------------------------------------------------


def test_constants_are_folded(circuits):
    a = circuits.input(0)
    size = len(circuits)
    for literal in (a, a ^ 1, FALSE, TRUE):
        assert circuits.conj(literal, FALSE) == circuits.conj(FALSE, literal) == FALSE
        assert circuits.conj(literal, TRUE) == circuits.conj(TRUE, literal) == literal
        assert circuits.disj(literal, TRUE) == circuits.disj(TRUE, literal) == TRUE
        assert circuits.disj(literal, FALSE) == circuits.disj(FALSE, literal) == literal
        assert circuits.xor(literal, FALSE) == circuits.xor(FALSE, literal) == literal
        assert circuits.xor(literal, TRUE) == circuits.xor(TRUE, literal) == literal ^ 1
        assert circuits.same(literal, TRUE) == circuits.same(TRUE, literal) == literal
    assert len(circuits) == size


def test_a_literal_with_itself_is_folded(circuits):
    a = circuits.input(0)
    size = len(circuits)
    assert (circuits.conj(a, a), circuits.conj(a, a ^ 1)) == (a, FALSE)
    assert (circuits.disj(a, a), circuits.disj(a ^ 1, a)) == (a, TRUE)
    assert (circuits.xor(a, a), circuits.xor(a, a ^ 1), circuits.same(a, a)) == (FALSE, TRUE, TRUE)
    assert len(circuits) == size


def test_choices_that_are_none_are_folded(circuits):
    a, b, c = map(circuits.input, range(3))
    size = len(circuits)
    assert (circuits.ite(TRUE, a, b), circuits.ite(FALSE, a, b)) == (a, b)
    assert circuits.ite(a, b, b) == b
    assert (circuits.ite(a, TRUE, FALSE), circuits.ite(a, FALSE, TRUE)) == (a, a ^ 1)
    assert len(circuits) == size
    assert circuits.ite(c, a, FALSE) == circuits.conj(c, a)
    assert circuits.ite(c, FALSE, a) == circuits.conj(c ^ 1, a)


def test_folded_choices_mean_the_same(circuits, built):
    """Each of the three operands constant, an input or its negation."""
    operands = [FALSE, TRUE, *(circuits.input(k) ^ negated for k in range(3) for negated in (0, 1))]
    for a, b, c in product(operands, repeat=3):
        x, y, z = map(built.function, (a, b, c))
        assert built.function(circuits.ite(a, b, c)) == x & y | ~x & z


# -- many operands -------------------------------------------------------------------------------------


def test_all_and_any_of_few(circuits):
    a, b = circuits.input(0), circuits.input(1)
    assert (circuits.all([]), circuits.any([])) == (TRUE, FALSE)
    assert circuits.all([a]) == circuits.any([a]) == a
    assert circuits.all(iter([a, b])) == circuits.conj(a, b)
    assert circuits.any(iter([a, b])) == circuits.disj(a, b)


@pytest.mark.parametrize("number", range(1, 12))
def test_all_and_any_of_many(circuits, number):
    """Over as many inputs: only one row satisfies `all`, only one does not satisfy `any`."""
    space = TableSpace(alone(range(number)))
    built = Built(circuits, space, space.var)
    literals = [circuits.input(k) for k in range(number)]
    assert built.function(circuits.all(literals)).bits == 1 << space.rows - 1
    assert built.function(circuits.any(literals)).bits == space.full - 1


def test_all_is_shallow(circuits):
    """A balanced tree: no path has more than eleven gates for 1,024 operands."""
    root = circuits.all(circuits.input(k) for k in range(1024))
    depth = 0
    level = {root >> 1}
    while level:
        depth += 1
        gates = [circuits._gates[place] for place in level]
        level = {operand >> 1 for kind, operands in gates if kind != "input" for operand in operands}
    assert depth == 11


# -- what is below a literal -----------------------------------------------------------------------------


def test_support(circuits):
    a, b, c, d = map(circuits.input, range(4))
    assert circuits.support(TRUE) == circuits.support(FALSE) == set()
    assert circuits.support(c) == circuits.support(c ^ 1) == {2}
    assert circuits.support(circuits.ite(a, circuits.xor(b, c), d) ^ 1) == {0, 1, 2, 3}
    assert circuits.support(circuits.conj(circuits.xor(a, a), d)) == set()


# -- random circuits -----------------------------------------------------------------------------------

OPERATIONS = ("conj", "disj", "xor", "same", "ite", "not", "constant")
programs = st.lists(
    st.tuples(st.sampled_from(OPERATIONS), *[st.integers(0, 63)] * 3), min_size=1, max_size=40
)


def _meant(operation: str, a: int, b: int, c: int, raw: int) -> int:
    """The truth table of an operation on truth tables."""
    match operation:
        case "conj":
            return a & b
        case "disj":
            return a | b
        case "xor":
            return a ^ b
        case "same":
            return FULL ^ a ^ b
        case "ite":
            return a & b | (FULL ^ a) & c
        case "not":
            return FULL ^ a
        case _:
            return FULL * (raw & 1)


def _made(circuits: Circuits, operation: str, a: Literal, b: Literal, c: Literal, raw: int) -> Literal:
    match operation:
        case "ite":
            return circuits.ite(a, b, c)
        case "not":
            return a ^ 1
        case "constant":
            return raw & 1
        case _:
            return getattr(circuits, operation)(a, b)


def run(circuits: Circuits, program: list[tuple[str, int, int, int]]) -> list[tuple[Literal, int]]:
    """Each operation takes earlier results: all literals with the truth tables that are meant."""
    found = [(circuits.input(k), TABLES[k]) for k in range(INPUTS)]
    for operation, *numbers in program:
        (a, x), (b, y), (c, z) = (found[number % len(found)] for number in numbers)
        literal = _made(circuits, operation, a, b, c, numbers[0])
        found.append((literal, _meant(operation, x, y, z, numbers[0])))
    return found


@cases(300)
@given(programs)
def test_what_is_built_is_what_is_meant(program):
    circuits, space = Circuits(), TableSpace(alone(range(INPUTS)))
    built = Built(circuits, space, space.var)
    for literal, table in reversed(run(circuits, program)):
        found = built.function(literal)
        assert found.bits == table
        assert space.support(found) <= circuits.support(literal)


@pytest.mark.parametrize("name", SPACES)
def test_every_space_builds_the_same(name):
    space = space_of(name, alone(range(INPUTS)))

    @cases(60)
    @given(programs)
    def same(program):
        circuits = Circuits()
        results = run(circuits, program)
        found = Built(circuits, space, space.var).functions([literal for literal, _ in results])
        assert found == [function_of(space, table, INPUTS) for _, table in results]

    same()


def test_each_input_is_asked_for_once_and_only_when_needed(circuits):
    asked: list[int] = []
    space = TableSpace(alone(range(INPUTS)))

    def look_up(number: int):
        asked.append(number)
        return space.var(number)

    built = Built(circuits, space, look_up)
    a, b, c, _ = map(circuits.input, range(4))
    both = circuits.conj(a, circuits.xor(a, b))
    built.function(both)
    assert sorted(asked) == [0, 1]
    built.functions([both ^ 1, circuits.ite(b, a, c)])
    assert sorted(asked) == [0, 1, 2]


def test_gates_made_later_can_be_built(circuits, built):
    a = circuits.input(0)
    assert built.function(a).bits == TABLES[0]
    assert built.function(circuits.conj(a, circuits.input(1))).bits == TABLES[0] & TABLES[1]


# -- depth ---------------------------------------------------------------------------------------------

DEPTH = 10_000


def test_a_deep_chain_is_built_without_recursion(circuits, built):
    whole, table = FALSE, 0
    for k in range(DEPTH):
        literal, bits = circuits.input(k % INPUTS), TABLES[k % INPUTS]
        if k % 3:
            whole, table = circuits.xor(whole, literal), table ^ bits
        else:
            whole, table = circuits.disj(whole, literal) ^ 1, FULL ^ (table | bits)
    assert len(circuits) > DEPTH / 2
    assert built.function(whole).bits == table
    assert circuits.support(whole) == {*range(INPUTS)}
