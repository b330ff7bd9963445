"""Reduced problems against another model checker, and invariants against the definitions."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from hypothesis import given
from outside_judge import ABC, agrees, reduced

from knower.pdr.cubes import values_of
from knower.pdr.prover import Safe
from knower.sat.machine import Spelling
from strategies import cases
from worlds import questions

pytest.importorskip("pysat")


@pytest.mark.skipif(ABC is None, reason="berkeley-abc is not installed")
@pytest.mark.parametrize("logic", ["CTLK", "LTLK"])
def test_another_checker_says_the_same(logic):
    tally: Counter[bool | None] = Counter()

    @cases(8)
    @given(questions(logic, 2))
    def agree(question):
        reference, specs = question
        for spec in specs:
            for problem, outcome, _ in reduced(reference, spec):
                told = agrees(problem, outcome)
                assert told is not False, spec
                tally[told] += 1

    agree()
    assert tally[True] > 5


def test_random_steps_keep_to_invariants():
    """States that the step function reaches are never in a cube that is said not to be reached."""
    walked = Counter[str]()

    @cases(60)
    @given(questions("CTLK", 3))
    def keep(question):
        reference, specs = question
        spelling = None
        for spec in specs:
            for problem, outcome, _ in reduced(reference, spec):
                if not (isinstance(outcome, Safe) and problem.plain):
                    continue
                spelling = spelling or Spelling(_encoding(reference))
                cubes = [values_of(cube) for cube in outcome.cubes]
                for state in _walk(reference, 40):
                    code = spelling.code(state)
                    assert not any(all(code[n] == v for n, v in cube.items()) for cube in cubes), spec
                    walked["states"] += 1
                walked["invariants"] += bool(cubes)

    keep()
    assert walked["states"] > 1000
    assert walked["invariants"] >= 2


def _encoding(reference):
    from knower.symbolic.encode import Encoding

    return Encoding(reference.system)


def _walk(reference, steps):
    """States on random walks from initial states."""
    explicit, choose = reference.explicit, random.Random(1)
    initial = list(explicit.initial_states())
    state = choose.choice(initial)
    for _ in range(steps):
        yield state
        joints = explicit.joint_actions(state)
        after = [each for joint in joints for each in explicit.successors(state, joint)]
        state = choose.choice(after or initial)
