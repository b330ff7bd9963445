"""Uniform strategies, found by counterexamples, against every strategy tried: games of hidden positions."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import knower
from engines import Asker
from hidden_games import game
from knower.functions.registry import PYSAT, available, is_here
from knower.limits import Budget
from knower.options import AtlReading, DeadlockPolicy, Reading
from strategies import cases

pytestmark = pytest.mark.skipif(not available(), reason="no library of decision diagrams is installed")

FORMULAS = [
    "<{g}>X {p}",
    "<{g}>F {p}",
    "<{g}>G {p}",
    "<{g}>(r U {p})",
    "<{g}>F (<{h}>X {p})",
    "AG (q -> <{g}>F {p})",
]


@pytest.mark.parametrize("fair", [False, True])
@pytest.mark.parametrize("shape", FORMULAS)
def test_what_uniform_strategies_can_do(shape, fair):
    if not is_here(PYSAT):
        pytest.skip("python-sat is not installed")
    groups, propositions = st.sampled_from(["P1", "P2", "two", "all"]), st.sampled_from(["p", "q", "!q", "r"])
    policies = st.sampled_from([DeadlockPolicy.WARN, DeadlockPolicy.LOOP])

    @cases(10)
    @given(st.randoms(use_true_random=False), groups, groups, propositions, policies)
    def agree(dice, g, h, p, policy):
        system = knower.loads(game(dice, fair=fair))
        reading = Reading(atl=AtlReading.UNIFORM, on_deadlock=policy)
        spec = system.parse(shape.format(g=g, h=h, p=p))
        reference = Asker("explicit", system.interpreted, Budget(), reading)
        model = Asker("bdd", system.interpreted, Budget(), reading)
        expected = [reference.holds_at(spec, state) for state in reference.space.states]
        assert model.check(spec).verdict is reference.check(spec).verdict
        assert [model.holds_at(spec, state) for state in reference.space.states] == expected

    agree()


MODELS = ["AG {p}", "AF {p}", "EF {p}", "AG (q -> K(P1, {p}))", "A(r U {p})", "<P1>F {p}", "AG EF {p}"]


@pytest.mark.parametrize("fair", [False, True])
def test_what_holds_in_some_uniform_model(fair):
    """Models that fail are excluded by what is done in them, or in their first steps."""
    groups, policies = st.sampled_from([None, "two", "P1"]), st.sampled_from(list(DeadlockPolicy))

    @cases(30)
    @given(
        st.randoms(use_true_random=False),
        st.sampled_from(MODELS),
        st.sampled_from(["p", "!q"]),
        groups,
        policies,
    )
    def agree(dice, shape, p, group, policy):
        system = knower.loads(game(dice, fair=fair))
        reading = Reading(atl=AtlReading.UNIFORM_MODELS, on_deadlock=policy, uniform_group=group)
        spec = system.parse(shape.format(p=p))
        reference = Asker("explicit", system.interpreted, Budget(), reading)
        model = Asker("bdd", system.interpreted, Budget(), reading)
        assert model.answer(spec).verdict is reference.answer(spec).verdict

    agree()


BLIND = """
Agent Environment
  Vars: x : 0..6; y : 0..6; end Vars
  Actions = {{none}}; Protocol: Other : {{none}}; end Protocol
  Evolution:
    x = x + 1 if Walker.Action = on and x < 6;
    y = y + 1 if Runner.Action = on and y < 6;
    x = 0 and y = 0 if Walker.Action = off and Runner.Action = off;
  end Evolution
end Agent
{agents}
Evaluation there if Environment.x = 6; both if Environment.x = 6 and Environment.y = 6; end Evaluation
InitStates Environment.x = 0 and Environment.y = 0; end InitStates
Groups g = {{Walker, Runner}}; end Groups
Formulae true; end Formulae
"""
WALKER = """
Agent {name}
  Lobsvars = {{}};
  Vars: idle : 0..0; end Vars
  Actions = {{on, off}}; Protocol: Other : {{on, off}}; end Protocol
  Evolution: end Evolution
end Agent
"""


@pytest.mark.parametrize("formula", ["<Walker>F there", "<g>F there", "<g>F both"])
def test_what_is_known_together_needs_no_search(formula, monkeypatch):
    """One choice for all states that look the same, kept up until it has led to the goal."""
    from knower.checking.uniform import Uniform

    def search(self, start):
        raise AssertionError("nothing has to be searched")

    monkeypatch.setattr(Uniform, "_search", search)
    monkeypatch.setattr(Uniform, "_one_wins", lambda self, states: False)
    agents = "".join(WALKER.format(name=name) for name in ("Walker", "Runner"))
    system = knower.loads(BLIND.format(agents=agents))
    model = Asker("bdd", system.interpreted, Budget(), Reading(atl=AtlReading.UNIFORM))
    assert model.check(system.parse(formula)).verdict.value == "true"
