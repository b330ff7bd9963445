"""SAT solvers: which of them are fit, and that they all say the same."""

from __future__ import annotations

import random

import pytest

from knower.errors import UsageError
from knower.functions.solvers import NoSolver, Solver, fit, is_fit
from knower.limits import Budget
from knower.options import SOLVERS
from knower.sat import solver as sat_solver
from knower.sat.solver import Clauses

pytest.importorskip("pysat")


@pytest.mark.parametrize("name", SOLVERS[1:])
def test_those_on_offer_are_fit(name):
    assert is_fit(name)


@pytest.mark.parametrize("name", ["kissat404", "lingeling", "nobody"])
def test_others_are_not(name):
    """One ignores assumptions, one has no limit, one does not exist."""
    assert not is_fit(name)
    assert fit([name]) == ()


def test_who_is_not_fit_is_refused(monkeypatch):
    monkeypatch.setattr(sat_solver, "is_fit", lambda name: False)
    with pytest.raises(UsageError) as refused:
        Clauses(Budget(), "glucose3")
    assert "one of: " in refused.value.diagnostics[0].cure


def test_who_is_not_there():
    with pytest.raises(NoSolver):
        Solver("nobody")


def test_all_say_the_same():
    dice = random.Random(3)
    solvers = [Solver(name) for name in SOLVERS[1:]]
    for _ in range(60):
        clause = [dice.choice([-1, 1]) * number for number in dice.sample(range(1, 13), 3)]
        assumed = [dice.choice([-1, 1]) * number for number in dice.sample(range(1, 13), 4)]
        for each in solvers:
            each.add([clause])
        answers = {each.solve(assumed) for each in solvers}
        assert len(answers) == 1
        for each in solvers if answers == {False} else []:
            core = list(each.core())
            assert set(core) <= set(assumed)
            assert solvers[0].solve(core) is False


def test_limits_are_looked_at_between_slices():
    looked = []
    solver = Solver("glucose4", lambda: looked.append(1))
    holes = 9
    solver.add([[pigeon * holes + hole + 1 for hole in range(holes)] for pigeon in range(holes + 1)])
    for hole in range(holes):
        pairs = [(a, b) for a in range(holes + 1) for b in range(a)]
        solver.add([(-(a * holes + hole + 1), -(b * holes + hole + 1)) for a, b in pairs])
    assert solver.solve([], 6000) is None
    assert len(looked) >= 1
