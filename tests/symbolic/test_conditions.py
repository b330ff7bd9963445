"""Conditions and values as circuits against their evaluation, in every state of random systems."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import TypeAlias

import pytest
from hypothesis import given
from hypothesis import strategies as st
from systems import SELECTORS, Point, agent, all_joints, all_states, encoding_of, model, systems

from knower.functions.circuit import FALSE, Built
from knower.functions.circuit import Literal as Bit
from knower.functions.registry import new_space
from knower.functions.table import TableSpace
from knower.logic.node import Node
from knower.symbolic.conditions import Assigned
from knower.symbolic.encode import Encoding, LineCode
from knower.symbolic.layout import Field, Key
from knower.system.evaluation import compiled, fault_in
from knower.system.explicit import Explicit
from knower.system.expressions import (
    COMPARISONS,
    Abs,
    Arithmetic,
    Compare,
    Conj,
    Disj,
    Expression,
    IfElse,
    Iff,
    JointAction,
    Literal,
    Minus,
    Negation,
    NoValue,
    State,
    TruthOf,
    Undefined,
    Var,
)
from knower.system.system import EvolutionLine, InterpretedSystem
from strategies import cases

Where: TypeAlias = tuple[State, JointAction]
layouts = st.sampled_from(SELECTORS)


# -- in each state -------------------------------------------------------------------------------------


@cases(50)
@given(systems(), layouts)
def test_propositions(system, least):
    encoding, explicit = encoding_of(system, least), Explicit(system)
    literals = {name: encoding.label(name) for name in system.propositions}
    faults = encoding.label_faults
    for state in all_states(system):
        point = Point(encoding, state)
        for name, condition in system.propositions.items():
            assert point.holds(literals[name]) == explicit.holds(name, state)
            fault = fault_in(condition, system.places)(state, ())
            assert point.holds(faults[name]) == (fault is not None)


@cases(50)
@given(systems(), layouts)
def test_protocols_and_red_states(system, least):
    encoding, explicit = encoding_of(system, least), Explicit(system)
    for state, code in product(all_states(system), encoding.agents):
        point = Point(encoding, state)
        enabled = [action for action, literal in code.enabled.items() if point.holds(literal)]
        assert enabled == list(explicit.enabled(code.name, state))
        assert point.holds(code.red) == explicit.is_red(code.name, state)
        faults = explicit.agents[explicit.seat[code.name]].faults(state)
        assert point.holds(code.state_fault) == (list(faults) != [])


@cases(50)
@given(systems(), layouts)
def test_initial_states(system, least):
    encoding, explicit = encoding_of(system, least), Explicit(system)
    initial = set(explicit.initial_states())
    for state in all_states(system):
        point = Point(encoding, state)
        assert point.holds(encoding.valid)
        assert point.holds(encoding.initial) == (state in initial)
        assert point.holds(encoding.initial_fault) == (list(explicit.initial_faults(state)) != [])


@cases(50)
@given(systems(), layouts)
def test_valid_codes_are_those_of_values(system, least):
    encoding = encoding_of(system, least)
    for field in encoding.layout.fields.values():
        codes = {field.code(value) for value in field.domain.values}
        found = _satisfying(encoding, encoding.conditions.valid(field), field)
        assert found == codes
        assert len(codes) == len(field.domain.values)


def _satisfying(encoding: Encoding, literal: Bit, field: Field) -> set[tuple[bool, ...]]:
    """The bits of a field that satisfy a literal of nothing else."""
    space = TableSpace([[place] for place, _ in enumerate(field.bits)])
    place = {variable: space.var(k) for k, variable in enumerate(field.now)}
    table = Built(encoding.circuits, space, place.__getitem__).function(literal).bits
    rows = [row for row in range(space.rows) if table >> row & 1]
    return {tuple(bool(row >> k & 1) for k, _ in enumerate(field.bits)) for row in rows}


# -- in each step --------------------------------------------------------------------------------------


@cases(40)
@given(systems(max_states=12), layouts)
def test_evolutions(system, least):
    """Guards, assigned values and where they leave their domain; what has no value in guards and values."""
    encoding = encoding_of(system, least)
    for where in product(all_states(system), all_joints(system)):
        point = Point(encoding, *where)
        for who, code in zip(system.agents, encoding.agents, strict=True):
            lines = [line for block in who.evolution for line in block.lines]
            assert point.holds(code.step_fault) == any(
                has_fault(root, system, where) for line in lines for root in reached(line, system, where)
            )
            found = [line for block in code.blocks for line in block.lines]
            for line, made in zip(lines, found, strict=True):
                check_line(encoding, who.name, line, made, where, point)


def reached(line: EvolutionLine, system: InterpretedSystem, where: Where) -> list[Node]:
    """The guard of a line and, where it holds, its values."""
    taken = compiled(line.condition, system.places)(*where)
    return [line.condition, *(value for _, value in line.assignments if taken)]


def has_fault(root: Node, system: InterpretedSystem, where: Where) -> bool:
    return fault_in(root, system.places)(*where) is not None


def check_line(
    encoding: Encoding, owner: str, line: EvolutionLine, made: LineCode, where: Where, point: Point
) -> None:
    guard = compiled(line.condition, encoding.system.places)
    assert point.holds(made.guard) == guard(*where)
    assert made.values.keys() == {(owner, target) for target, _ in line.assignments}
    for target, value in line.assignments:
        check_assigned(encoding, (owner, target), value, made.values[owner, target], where, point)


def check_assigned(
    encoding: Encoding, key: Key, value: Expression, made: Assigned, where: Where, point: Point
) -> None:
    """The code of the value, or an overflow if there is none."""
    try:
        expected = compiled(value, encoding.system.places)(*where)
    except NoValue:
        assert point.holds(made.overflow)
        return
    inside = expected in encoding.system.domains[key]
    assert point.holds(made.overflow) == (not inside)
    if inside:
        assert point.spelled(made.code) == encoding.layout.fields[key].code(expected)


# -- divisions by zero ---------------------------------------------------------------------------------

#: Where a division may stand, and the circuit that tells where it is by zero.
DIVIDING: dict[str, tuple[dict[str, str], Callable[[Encoding], Bit]]] = {
    "protocol": (
        {"sections": "Protocol: 3/x > 1 : {a}; Other : {a}; end Protocol"},
        lambda encoding: encoding.agents[0].state_fault,
    ),
    "red states": (
        {"sections": "RedStates: !(3/x > 1); end RedStates"},
        lambda encoding: encoding.agents[0].state_fault,
    ),
    "guard": ({"evolution": "x = 1 if 3/x = 1;"}, lambda encoding: encoding.agents[0].step_fault),
    "proposition": ({}, lambda encoding: encoding.label_faults["p"]),
    "initial states": ({}, lambda encoding: encoding.initial_fault),
}


@pytest.mark.parametrize("where", DIVIDING)
def test_divisions_by_zero_are_found_where_they_stand(where):
    """In the one state where `x` is zero; not by the circuits of the other places."""
    sections, _ = DIVIDING[where]
    system = model(
        agent("A", "x : -1..2;", **sections),
        evaluation="p if 3/A.x > 0;" if where == "proposition" else "p if A.x > 0;",
        initial="3/A.x < 5" if where == "initial states" else "A.x < 5",
    )
    encoding = Encoding(system)
    zero = {value: Point(encoding, (value,), ("a",)) for (value,) in all_states(system)}
    for _, fault in DIVIDING.values():
        found = {value for value, point in zero.items() if point.holds(fault(encoding))}
        assert found == ({0} if fault(encoding) == DIVIDING[where][1](encoding) else set())


# -- deep expressions ----------------------------------------------------------------------------------

NUMBERS = model(agent("A", "x : -2..3; y : 1..4; z : 0..1;", "x = x + y if z < x;"))


def _pair(below: st.SearchStrategy[Expression]) -> st.SearchStrategy[Expression]:
    operators = st.sampled_from(["+", "+", "-", "*", "/", "%", "%", "min", "max"])
    binary = st.builds(Arithmetic, operators, below, below)
    return st.one_of(binary, st.builds(Minus, below), st.builds(Abs, below), choices(below))


def choices(below: st.SearchStrategy[Expression]) -> st.SearchStrategy[Expression]:
    """`if`, with a comparison or two to choose by, and sometimes nothing to choose."""
    compared = st.builds(Compare, st.sampled_from(sorted(COMPARISONS)), below, below)
    joined = st.one_of(st.builds(kind, compared, compared) for kind in (Conj, Disj, Iff))
    conditions = st.one_of(compared, joined, st.builds(Negation, compared))
    truths = st.builds(Compare, st.just("="), st.builds(TruthOf, conditions), st.just(Literal(True)))
    return st.builds(IfElse, conditions | truths, below, below | st.just(Undefined()))


leaves = st.one_of(
    st.sampled_from([Var("A", name) for name in "xyz"]), st.builds(Literal, st.integers(-3, 4))
)
quotients = st.builds(Arithmetic, st.just("/"), leaves, leaves)
expressions = st.recursive(leaves, _pair, max_leaves=6)
POINTS: list[Where] = [(state, ("a",)) for state in all_states(NUMBERS)]


@cases(100)
@given(st.sampled_from(sorted(COMPARISONS)), expressions, expressions)
def test_comparisons_of_fractions(operator, left, right):
    encoding, condition = Encoding(NUMBERS), Compare(operator, left, right)
    literal, fault = encoding.conditions.condition(condition), encoding.conditions.fault(condition)
    expected = compiled(condition, NUMBERS.places)
    reference = fault_in(condition, NUMBERS.places)
    for where in POINTS:
        point = Point(encoding, *where)
        assert point.holds(literal) == expected(*where)
        assert point.holds(fault) == (reference(*where) is not None)


@cases(80)
@given(expressions, st.sampled_from("xyz"))
def test_assigned_fractions(value, target):
    encoding, key = Encoding(NUMBERS), ("A", target)
    assigned = encoding.conditions.assigned(encoding.layout.fields[key], value)
    for where in POINTS:
        check_assigned(encoding, key, value, assigned, where, Point(encoding, *where))


@cases(40)
@given(st.lists(leaves | quotients, min_size=3, max_size=7), st.integers(-9, 9))
def test_long_sums(terms, bound):
    """Their terms are added up in another order."""
    total = terms[0]
    for term in terms[1:]:
        total = Arithmetic("+", total, term)
    encoding, condition = Encoding(NUMBERS), Compare("<", total, Literal(bound))
    literal, expected = encoding.conditions.condition(condition), compiled(condition, NUMBERS.places)
    assert all(Point(encoding, *where).holds(literal) == expected(*where) for where in POINTS)


def test_sums_of_the_same_terms_share_their_circuit():
    """Whatever the order in which the terms are written."""
    parts = [Var("A", name) for name in "xyz"]
    sums = [
        Arithmetic("+", Arithmetic("+", parts[a], parts[b]), parts[c]) for a, b, c in ((0, 1, 2), (2, 0, 1))
    ]
    conditions = Encoding(NUMBERS).conditions
    first, second = (conditions.condition(Compare("=", total, Literal(3))) for total in sums)
    assert first == second


def test_a_count_of_thirty_conditions_is_added_up():
    """No case split: some gates for each condition, and a diagram of a few hundred nodes."""
    system = model(agent("A", " ".join(f"b{k} : boolean;" for k in range(30)), "b0 = true if b1 = true;"))
    terms = [
        IfElse(Compare("=", Var("A", f"b{k}"), Literal(True)), Literal(1), Literal(0)) for k in range(30)
    ]
    total: Expression = terms[0]
    for term in terms[1:]:
        total = Arithmetic("+", total, term)
    conditions = Encoding(system).conditions
    before = len(conditions.circuits)
    literal = conditions.condition(Compare("=", Arithmetic("%", total, Literal(7)), Literal(3)))
    assert len(conditions.circuits) - before < 30 * 12
    places = sorted(conditions.circuits.support(literal))
    space = new_space("oxidd", [[place] for place in range(len(places))])
    inputs = {variable: space.var(k) for k, variable in enumerate(places)}
    built = Built(conditions.circuits, space, inputs.__getitem__)
    assert space.size(built.function(literal)) < 30 * 14


# -- selectors -----------------------------------------------------------------------------------------

CALLS = """
  called = p1 if called = none;
  called = p2 if called = p1;
  called = none if called = p2 and !(count = 2);
  count = count + 1 if called = p1 and count < 2;
"""


def calls() -> InterpretedSystem:
    return model(
        agent("A", "called : {none, p1, p2}; count : 0..2; room : 5..8;", CALLS), initial="A.room > 5"
    )


def test_only_what_selects_is_a_selector():
    """`count` and `room` are compared by size or calculated with."""
    assert encoding_of(calls(), 2).layout.selectors == {("A", "called")}
    assert encoding_of(calls(), 3).layout.selectors == {("A", "called")}
    assert encoding_of(calls(), 4).layout.selectors == set()


def test_what_is_fixed_and_calculated_in_one_condition_is_no_selector():
    """The two `x` are one node: it is the comparisons that differ."""
    system = model(agent("A", "x : 3..6; y : 3..6;", "x = 5 if x = 3 and x = y; y = 4 if y = 3;"))
    condition = system.agents[0].evolution[0].lines[0].condition
    assert condition.left.left is condition.right.left
    assert encoding_of(system, 2).layout.selectors == set()


def test_numbers_can_select():
    system = model(agent("A", "x : -1..2; y : -1..2;", "x = 2 if x = 0; x = 7 if x = 1; y = x if y = 0;"))
    assert encoding_of(system, 2).layout.selectors == set()  # `y = x` calculates with both
    system = model(agent("A", "x : 3..6; y : 0..2;", "x = 5 if 3 = x; x = 7 if x != 4; y = 2 if y = 9;"))
    encoding = encoding_of(system, 2)
    assert encoding.layout.selectors == {("A", "x"), ("A", "y")}
    (code,) = encoding.agents
    lines = zip(system.agents[0].evolution[0].lines, code.blocks[0].lines, strict=True)
    for state, (line, made) in product(all_states(system), lines):
        where = state, ("a",)
        check_line(encoding, "A", line, made, where, Point(encoding, *where))


@pytest.mark.parametrize("least", SELECTORS)
def test_what_can_never_divide_has_no_fault(least):
    encoding = encoding_of(calls(), least)
    assert encoding.initial_fault == FALSE
    assert [(code.state_fault, code.step_fault) for code in encoding.agents] == [(FALSE, FALSE)]
