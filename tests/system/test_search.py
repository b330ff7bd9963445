"""Solutions of conditions: by hand, and against trying everything."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knower.errors import LimitReached
from knower.limits import Budget
from knower.reasons import TimeLimit
from knower.system.domains import Value
from knower.system.evaluation import compiled
from knower.system.expressions import (
    ActionOf,
    Arithmetic,
    BitNot,
    Bits,
    Compare,
    Condition,
    Conj,
    Disj,
    Expression,
    Literal,
    Minus,
    Negation,
    Places,
    Truth,
    Var,
    conjunction,
    disjunction,
)
from knower.system.search import Assignment, Unknown, combinations, solutions, substitute
from strategies import cases

X, Y, B, C, ACTION = Var("A", "x"), Var("A", "y"), Var("A", "b"), Var("A", "c"), ActionOf("A")
VALUES: dict[Unknown, Sequence[Value]] = {
    X: range(-1, 3), Y: range(3), B: (False, True), C: ("r", "g", "s"), ACTION: ("r", "g"),
}  # fmt: skip
PLACES = Places({("A", name): place for place, name in enumerate("xybc")}, {"A": 0})


def is_(left: Expression, value: Value) -> Condition:
    return Compare("=", left, Literal(value))


def solved(condition: Condition, budget: Budget | None = None) -> list[Assignment]:
    return list(solutions(condition, VALUES.__getitem__, budget))


# -- by hand --------------------------------------------------------------------------------------------


def test_what_is_always_true_has_one_solution_that_says_nothing() -> None:
    assert solved(Truth(True)) == [{}]
    assert solved(Compare("<", Literal(1), Literal(2))) == [{}]


def test_what_is_never_true_has_none() -> None:
    assert solved(Truth(False)) == []
    assert solved(Conj(is_(X, 1), is_(X, 2))) == []


def test_conjuncts_that_fix_a_value_are_taken_over() -> None:
    assert solved(conjunction([is_(X, 1), Compare("=", Literal(True), B), is_(C, "g")])) == [
        {X: 1, B: True, C: "g"}
    ]
    assert solved(conjunction([Compare("=", Y, Arithmetic("+", X, Literal(1))), is_(X, 1)])) == [{X: 1, Y: 2}]


def test_values_outside_the_domain_solve_nothing() -> None:
    assert solved(is_(X, 3)) == []
    assert solved(is_(X, -2)) == []
    assert solved(Compare("=", X, Arithmetic("/", Literal(5), Literal(2)))) == []


def test_unknowns_that_do_not_matter_are_left_out() -> None:
    assert solved(disjunction([is_(X, 1), is_(X, 2)])) == [{X: 1}, {X: 2}]
    assert solved(Disj(is_(B, True), is_(Y, 0))) == [{B: False, Y: 0}, {B: True}]


def test_actions_are_unknowns_too() -> None:
    assert solved(Compare("=", ACTION, C)) == [{ACTION: "r", C: "r"}, {ACTION: "g", C: "g"}]
    assert solved(Conj(is_(ACTION, "g"), Compare("!=", ACTION, Literal("r")))) == [{ACTION: "g"}]


def test_division_by_zero_satisfies_no_comparison() -> None:
    quotient = Arithmetic("/", Literal(2), Y)
    assert solved(Compare(">=", quotient, Literal(2))) == [{Y: 1}]
    assert solved(Negation(Compare(">=", quotient, Literal(2)))) == [{Y: 0}, {Y: 2}]
    assert solved(Compare("=", quotient, quotient)) == [{Y: 1}, {Y: 2}]
    assert solved(Compare("!=", quotient, X))[0] == {Y: 1, X: -1}
    assert solved(Compare("=", Minus(Arithmetic("*", quotient, Literal(0))), Literal(0))) == [{Y: 1}, {Y: 2}]


def test_values_found_are_values_of_the_domain() -> None:
    """`x = 4/2` gives the number 2, not the fraction 2/1."""
    (found,) = solved(Compare("=", X, Arithmetic("/", Literal(4), Literal(2))))
    assert [(type(value), value) for value in found.values()] == [(int, 2)]


def test_solutions_come_one_at_a_time() -> None:
    """A range of any length can be looked at, if only its first solutions are wanted."""
    huge = range(-(10**12), 10**12)
    first = next(iter(solutions(Compare(">=", X, Literal(-(10**12))), lambda unknown: huge)))
    assert first == {X: -(10**12)}


def test_a_fraction_is_refused_without_a_search() -> None:
    started = process_time()
    half = Compare("=", X, Arithmetic("/", Literal(5), Literal(2)))
    assert list(solutions(half, lambda unknown: range(3_000_000))) == []
    assert process_time() - started < 0.1


# -- limits ---------------------------------------------------------------------------------------------


def test_a_search_that_takes_too_long_is_given_up() -> None:
    hard = Negation(Compare("<", Arithmetic("+", X, Y), Literal(10)))
    assert solved(hard, Budget(states=10)) == []
    with pytest.raises(LimitReached, match="InitStates takes too long"):
        solved(hard, Budget(states=1))


def test_time_limits_hold() -> None:
    with pytest.raises(LimitReached) as limit:
        list(solutions(Compare("<", X, Y), lambda unknown: range(100_000), Budget(seconds=0)))
    assert limit.value.reason == TimeLimit(0)


# -- combinations ---------------------------------------------------------------------------------------


@cases(100)
@given(st.lists(st.lists(st.sampled_from([False, True, 0, 1, "r"]), max_size=3), max_size=4))
def test_combinations_are_the_product(pools: list[list[Value]]) -> None:
    assert list(combinations(pools)) == list(product(*pools))


def test_combinations_of_long_ranges_come_one_at_a_time() -> None:
    found = combinations([range(10**15), ("r", "g"), range(10**15)])
    assert [next(found) for _ in range(2)] == [(0, "r", 0), (0, "r", 1)]


# -- against trying everything ----------------------------------------------------------------------------

NUMBERS = st.recursive(
    st.sampled_from([X, Y]) | st.integers(-2, 3).map(Literal),
    lambda inner: st.builds(Minus, inner) | st.builds(Arithmetic, st.sampled_from("+-*/"), inner, inner),
    max_leaves=4,
)
BITS = st.recursive(
    st.sampled_from([B]) | st.booleans().map(Literal),
    lambda inner: st.builds(BitNot, inner) | st.builds(Bits, st.sampled_from("&^|"), inner, inner),
    max_leaves=3,
)
NAMES = st.sampled_from([C, ACTION]) | st.sampled_from(["r", "g", "s"]).map(Literal)
EQUALITY, ORDER = st.sampled_from(["=", "!="]), st.sampled_from(["=", "!=", "<", "<=", ">", ">="])
COMPARISONS = (
    st.builds(Compare, ORDER, NUMBERS, NUMBERS)
    | st.builds(Compare, EQUALITY, BITS, BITS)
    | st.builds(Compare, EQUALITY, NAMES, NAMES)
)
CONDITIONS = st.recursive(
    COMPARISONS | st.booleans().map(Truth),
    lambda inner: st.builds(Negation, inner) | st.builds(Conj, inner, inner) | st.builds(Disj, inner, inner),
    max_leaves=6,
)


def everything() -> Iterator[dict[Unknown, Value]]:
    for picked in product(*VALUES.values()):
        yield dict(zip(VALUES, picked, strict=True))


def holds(condition: Condition, whole: Mapping[Unknown, Value]) -> bool:
    return bool(compiled(condition, PLACES)(tuple(whole[u] for u in (X, Y, B, C)), (str(whole[ACTION]),)))


@cases(200)
@given(CONDITIONS)
def test_every_satisfying_assignment_extends_exactly_one_solution(condition: Condition) -> None:
    found = solved(condition)
    check = compiled(condition, PLACES)
    for whole in everything():
        extended = [part for part in found if part.items() <= whole.items()]
        satisfied = check(tuple(whole[u] for u in (X, Y, B, C)), (str(whole[ACTION]),))
        assert len(extended) == bool(satisfied)


@cases(200)
@given(CONDITIONS, st.sets(st.sampled_from(list(VALUES))), st.data())
def test_substitution_keeps_the_meaning(
    condition: Condition, some: set[Unknown], data: st.DataObject
) -> None:
    whole = {unknown: data.draw(st.sampled_from(list(values))) for unknown, values in VALUES.items()}
    assert holds(condition, whole) == (substitute(condition, whole) == Truth(True))
    rest = substitute(condition, {unknown: whole[unknown] for unknown in some})
    assert substitute(rest, whole) == substitute(condition, whole)
