"""What is followed along evidence is never wrong, though only a part of the model may be known."""

from __future__ import annotations

import pytest

import knower
from engines import Asker, has_solver
from knower import families
from knower.functions.registry import available

SYSTEM = knower.loads(families.generate("train-gate", n=2, type=2, max=3, depth=2))
CRASH = "AG (!train1_in_tunnel or !train2_in_tunnel)"
PROPOSITION = "train1_in_tunnel"
UNIVERSAL = "AG !train1_in_tunnel"
EXISTENTIAL = "M(Train1, train2_in_tunnel)"
NEITHER = "AG EF train1_in_tunnel"

needs_diagrams = pytest.mark.skipif(not available(), reason="no library of decision diagrams is installed")
needs_solver = pytest.mark.skipif(not has_solver, reason="python-sat is not installed")


@pytest.fixture(scope="module")
def reference():
    return Asker("explicit", SYSTEM.interpreted)


def told_and_true(reference, formula, method):
    """The values of a formula along a counterexample, as they are told and as they are."""
    (result,) = SYSTEM.check(CRASH, method=method, follow=[formula])
    (found,), states = result.evidence.followed, result.evidence.cases[0].proof.run.states
    assert len(states) > 3
    told = [None if state in found.unknown else state in found.states for state in states]
    return told, [reference.holds_at(SYSTEM.parse(formula), state) for state in states]


@needs_diagrams
@pytest.mark.parametrize("formula", [PROPOSITION, UNIVERSAL, EXISTENTIAL, NEITHER])
def test_all_is_known_of_a_whole_model(reference, formula):
    told, true = told_and_true(reference, formula, "full")
    assert told == true


@needs_diagrams
@pytest.mark.parametrize(
    ("formula", "values"),
    [
        (PROPOSITION, {True, False}),
        (UNIVERSAL, {False, None}),
        (EXISTENTIAL, {True, None}),
        (NEITHER, {None}),
    ],
)
def test_what_is_said_of_a_part_is_true_of_the_whole(reference, formula, values):
    told, true = told_and_true(reference, formula, "bmc")
    assert set(told) <= values
    assert all(said in (None, is_so) for said, is_so in zip(told, true, strict=True))


@needs_solver
@pytest.mark.parametrize("formula", [PROPOSITION, UNIVERSAL])
def test_a_solver_sees_propositions(reference, formula):
    told, true = told_and_true(reference, formula, "sat")
    assert told == (true if formula == PROPOSITION else [None] * len(true))
