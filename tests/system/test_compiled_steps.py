"""The compiled step function is the transcribed one, and looks at few lines and joint actions."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knower.limits import Budget
from knower.options import DeadlockPolicy
from knower.reference.space import explore
from knower.source import Source
from knower.syntax.ispl import parse_ispl
from knower.syntax.tree import Module
from knower.system import guards
from knower.system.compiled_steps import CompiledSteps
from knower.system.elaborate import elaborate
from knower.system.explicit import Explicit, Move, Options
from knower.system.expressions import JointAction, State
from knower.system.guards import Case
from strategies import cases, modules

#: How many cases of guards are tried one by one: with 0, those of small models are parted as well.
FEW = [0, guards._FEW]


def explicit_of(module: Module) -> Explicit:
    return Explicit(elaborate(module, Source("<random>", "")))


def read(text: str) -> Explicit:
    source = Source("test.ispl", text)
    return Explicit(elaborate(parse_ispl(source), source))


def all_states(explicit: Explicit) -> Iterator[State]:
    """Every state, reachable or not."""
    return product(*(variable.domain.values for variable in explicit.system.variables))


def taken_apart(move: Move) -> Iterator[tuple[JointAction, tuple[State, ...], tuple[object, ...]]]:
    """Each joint action of a move with its successors and overflows, in their order."""
    for joint in product(*move.options):
        yield joint, tuple(move.successors()), tuple(move.overflows())


def assert_same_moves(explicit: Explicit, compiled: CompiledSteps, state: State, options: Options) -> None:
    wanted = {joint: rest for move in explicit.moves(state, options) for joint, *rest in taken_apart(move)}
    moves = list(compiled.moves(state, options))
    found = [(joint, rest) for move in moves for joint, *rest in taken_apart(move)]
    assert dict(found) == wanted
    assert len(found) == len(wanted), "a joint action is in two moves"
    order = [joint for joint in wanted if joint in {move.joint for move in moves}]
    assert [move.joint for move in moves] == order


# -- the same steps ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("few", FEW)
@cases(150)
@given(st.data())
def test_every_state_has_the_same_moves(few, data):
    explicit = explicit_of(data.draw(modules(max_states=60)))
    with patch.object(guards, "_FEW", few):
        compiled = CompiledSteps(explicit)
        for state in all_states(explicit):
            options = explicit.options(state)
            assert compiled.options(state) == options
            assert_same_moves(explicit, compiled, state, options)
            for joint in compiled.joint_actions(state):
                assert list(compiled.successors(state, joint)) == list(explicit.successors(state, joint))


@cases(100)
@given(st.data())
def test_where_some_are_told_what_to_do(data):
    explicit = explicit_of(data.draw(modules(max_states=30)))
    compiled = CompiledSteps(explicit)
    for state in all_states(explicit):
        options = [
            data.draw(st.sampled_from([each, each[:1], each[-1:]])) for each in explicit.options(state)
        ]
        assert_same_moves(explicit, compiled, state, options)


@pytest.mark.parametrize("policy", [DeadlockPolicy.WARN, DeadlockPolicy.LOOP])
@cases(150)
@given(st.data())
def test_the_same_states_are_explored(policy, data):
    """With the same numbers, ways to them, and faults."""
    explicit = explicit_of(data.draw(modules()))
    compiled = explore(explicit, Budget(), policy, steps=CompiledSteps(explicit))
    wanted = explore(explicit, Budget(), policy)
    for what in ("states", "successors", "initial", "number", "parents", "deadlock", "overflow", "looped"):
        assert getattr(compiled, what) == getattr(wanted, what), what
    members = tuple(agent.name for agent in explicit.system.agents if data.draw(st.booleans()))
    for number in range(len(wanted)):
        found = compiled.coalition_moves(number, members)
        assert list(found.items()) == list(wanted.coalition_moves(number, members).items())


# -- what random models hardly have -----------------------------------------------------------------------

ODD = {
    "a division by zero in a line that is not enabled": (
        "x : 0..3;", "x = 1 if x = 3 and 4 / x = 2; x = 0 if x = 2 and B.Action = b and 1 / x > 0;",
    ),
    "a division by zero that only one action meets": (
        "x : 0..3;", "x = 1 if B.Action = a and 2 / (x - 1) = 2;",
    ),
    "no value at all": ("x : 0..3;", "x = 2 if x = 0 and x = 1; x = 3 if x = 1 or x = 1;"),
    "two variables": ("x : 0..3; y : 0..1;", "x = 2 if (x = 0 or x = 1) and y = 0; y = 1 if x = 2;"),
    "an action that is remembered": ("x : {a, b};", "x = B.Action if Action = a;"),
    "an action that is compared with the state": (
        "x : {a, b};", "x = a if Action = x; x = b if !(Action = x);",
    ),
    "actions that are compared": ("x : 0..3;", "x = x + 1 if Action = B.Action; x = 0 if Action <> a;"),
    "a disjunction": (
        "x : 0..3;", "x = 1 if (x = 0 and B.Action = b) or (x = 0 and Action = b) or x = 3;",
    ),
    "literals on the left": ("x : 0..3;", "x = 1 if 0 = x and a = Action; x = x + 1 if !(0 = x);"),
    "a line that always holds": ("x : 0..3;", "x = 1 if x >= 0; x = 5 if x = 2;"),
}  # fmt: skip


@pytest.mark.parametrize("semantics", ["MA", "SA"])
@pytest.mark.parametrize("odd", ODD)
@pytest.mark.parametrize("few", FEW)
def test_odd_guards(few, odd, semantics):
    variables, evolution = ODD[odd]
    explicit = read(
        f"Semantics = {semantics};\n"
        f"Agent A Vars: {variables} end Vars Actions = {{a, b}};\n"
        f"  Evolution: {evolution} end Evolution end Agent\n"
        f"Agent B Vars: z : boolean; end Vars Actions = {{a, b}};\n"
        f"  Protocol: z = true : {{a}}; Other : {{a, b}}; end Protocol end Agent\n"
    )
    with patch.object(guards, "_FEW", few):
        compiled = CompiledSteps(explicit)
        for state in all_states(explicit):
            assert_same_moves(explicit, compiled, state, explicit.options(state))


# -- few are looked at ------------------------------------------------------------------------------------


def game(size: int) -> str:
    """A game written state by state: a line for each state and joint action of two players."""
    lines = [
        f"s = {(7 * s + 3 * k + 1) % size} if s = {s} and P.Action = {p} and Q.Action = {q};"
        for s in range(size)
        for k, (p, q) in enumerate(product("ab", repeat=2))
    ]
    allowed = [f"s = {s} : {{go}};" for s in range(1, size)] + ["Other : {wait};"]
    player = "Vars: x : boolean; end Vars Actions = {a, b, c}; end Agent"
    return (
        f"Agent G Vars: s : 0..{size - 1}; end Vars Actions = {{go, wait}};"
        f"Protocol: {' '.join(allowed)} end Protocol Evolution: {' '.join(lines)} end Evolution end Agent\n"
        f"Agent P {player}\nAgent Q {player}\n"
        "InitStates G.s = 0 and P.x = false and Q.x = false; end InitStates"
    )


def test_guards_are_found_by_values():
    """As many lines are tried in a game of 200 states as each state has."""
    explicit = read(game(200))
    tried: list[Case] = []
    with patch.object(Case, "may_hold", lambda case, state: tried.append(case) or _may_hold(case, state)):
        space = explore(explicit, Budget(), steps=CompiledSteps(explicit))
    assert len(space) > 100
    # Four lines of Evolution, one of Protocol, and `Other` with the line it is the complement of.
    assert len(tried) <= 7 * len(space)


_may_hold = Case.may_hold


def test_joint_actions_that_nobody_tells_apart_are_one_move():
    explicit = read(game(20))
    compiled = CompiledSteps(explicit)
    state = (3, False, False)
    moves = list(compiled.moves(state, compiled.options(state)))
    # No line reads the third action of P or Q; Q is not even asked when P takes it.
    assert len(moves) == 3 + 3 + 1
    assert [move.options[1:] for move in moves if len(move.options[2]) > 1] == [[("c",), ("a", "b", "c")]]
