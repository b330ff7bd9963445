"""Circuits as clauses, and one step of random systems against the definition."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knower.functions.circuit import Circuits
from knower.limits import Budget
from knower.sat.cnf import Stamp
from knower.sat.frames import Frames, Stamps
from knower.sat.solver import Clauses
from strategies import Choices, cases, drawn, modules
from worlds import explored

pytest.importorskip("pysat")

INPUTS = 4


def _circuit(choose: Choices, circuits: Circuits, depth: int) -> int:
    if depth == 0:
        return circuits.input(choose.below(INPUTS)) ^ choose.below(2)
    operands = [_circuit(choose, circuits, depth - 1) for _ in range(3)]
    made = choose.one((circuits.conj, circuits.disj, circuits.xor, circuits.ite))
    return made(*operands) if made == circuits.ite else made(*operands[:2])


def _value(circuits: Circuits, literal: int, values: tuple[bool, ...]) -> bool:
    if literal < 2:
        return bool(literal)
    kind, operands = circuits.gate(literal >> 1)
    if kind == "input":
        found = values[operands[0]]
    else:
        below = [_value(circuits, operand, values) for operand in operands]
        found = {"and": all, "xor": lambda b: b[0] ^ b[1], "ite": lambda b: b[1] if b[0] else b[2]}[kind](
            below
        )
    return found ^ bool(literal & 1)


@cases(60)
@given(st.data())
def test_a_stamp_can_be_true_exactly_where_its_circuits_are(data):
    circuits = Circuits()
    roots = [data.draw(drawn(lambda c: _circuit(c, circuits, 3))) for _ in range(2)]
    clauses = Clauses(Budget())
    inputs = clauses.several(INPUTS)
    own = Stamp(circuits, roots).stamped(clauses, inputs.__getitem__)
    for values in product((False, True), repeat=INPUTS):
        fixed = [variable if value else -variable for variable, value in zip(inputs, values, strict=True)]
        expected = all(_value(circuits, root, values) for root in roots)
        assert clauses.solve([own, *fixed]) == expected
        assert clauses.solve([-own, *fixed]), "only one direction is asked for"


@cases(40)
@given(modules(max_states=12))
def test_steps_and_deadlocks_are_those_of_the_definition(module):
    model = explored(module)
    frames = Frames(Stamps(model.system), Clauses(Budget()))
    before, after = frames.fresh(), frames.fresh()
    step, stuck = frames.step(before, after), frames.stuck(before)
    for state in model.space.states[:6]:
        found = {}
        here = frames.code(before, state)
        blocked = []
        while frames.clauses.solve([step, *here, *blocked]):
            following, joint = frames.state(after), frames.joint(before, after)
            found[following] = joint
            assert following in set(model.explicit.successors(state, joint))
            assert all(
                a in model.explicit.enabled(n.name, state)
                for n, a in zip(model.system.agents, joint, strict=True)
                if a
            )
            blocked.append(_unlike(frames, after, following))
        expected = {
            s for j in model.explicit.joint_actions(state) for s in model.explicit.successors(state, j)
        }
        assert set(found) == expected
        assert frames.clauses.solve([stuck, *here]) == (not expected)


def _unlike(frames: Frames, frame: int, state) -> int:
    other = frames.clauses.fresh()
    frames.clauses.add([-other, *(-literal for literal in frames.code(frame, state))])
    return other
