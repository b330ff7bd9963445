"""What coalitions can enforce: each kind of goal, each reading, every coalition, against the reference."""

from __future__ import annotations

from functools import reduce
from itertools import chain, combinations
from operator import or_
from typing import Any, NamedTuple
from unittest.mock import patch

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from test_engines import symbolic, where, worlds_of

import knower
from engines import Asker
from knower.checking.evaluate import Evaluator
from knower.errors import LimitReached
from knower.functions.registry import available
from knower.logic.formula import members_of
from knower.logic.goal import Goal, goal_of
from knower.options import AtlReading, DeadlockPolicy, Tuning
from knower.reference.strategic import objective, objective_fair, uniform
from knower.source import Source
from knower.symbolic.decode import Decoder
from knower.symbolic.partition import Partition
from knower.syntax.formulas import parse_formula
from knower.syntax.ispl import parse_ispl
from knower.system.elaborate import elaborate
from strategies import cases, modules, names_of
from worlds import explored, fair_worlds, state_sets

pytestmark = pytest.mark.skipif(not available(), reason="no library of decision diagrams is installed")

METHODS = {
    AtlReading.OBJECTIVE: objective,
    AtlReading.OBJECTIVE_FAIR: objective_fair,
    AtlReading.UNIFORM: uniform,
}
SHAPES = {"X": {"soon": True}, "F": {}, "U": {}, "G": {"weak": True}}
#: Clusters that stay apart, and such as are joined to one; undecided states asked who leads to them, and
#: candidates asked where they lead.
JOINED = st.sampled_from([0, 20_000])
FEW = st.sampled_from([0, 1, 1 << 20])


class Case(NamedTuple):
    """A model by the reference and by diagrams, and a goal for both."""

    reference: Asker
    expected: Any
    found: Evaluator
    goal: Goal[frozenset[int]]

    def set(self, numbers: frozenset[int]) -> Any:
        """The same states as a diagram."""
        model = self.found.model
        code, states = Decoder(model).code, self.reference.space.states
        return reduce(or_, (code(states[number]) for number in numbers), model.space.false)

    @property
    def symbolic_goal(self) -> Goal[Any]:
        return Goal(self.set(self.goal.hold), self.set(self.goal.end), self.goal.weak, self.goal.soon)

    def numbers(self, states: Any) -> frozenset[int]:
        return where(self.found.model, states, self.reference)


@st.composite
def games(draw: st.DrawFn, shape: str, atl: AtlReading) -> Case:
    policy = draw(st.sampled_from([DeadlockPolicy.WARN, DeadlockPolicy.LOOP]))
    reference = explored(draw(modules(max_states=24)), policy)
    expected = fair_worlds(reference, atl)
    assume(expected.universe)
    split, joined = draw(st.booleans()), draw(JOINED)
    with patch.multiple("knower.symbolic.narrowing", _TIMES=0, _LEAST=joined):
        found = worlds_of(symbolic(reference, Tuning(available()[0], "replicas"), 3, split), reference, atl)
        for members in coalitions(reference):
            found.model.coalition(members)
    sets = state_sets(expected.universe)
    hold = draw(sets) if shape in "UG" else expected.universe if shape == "F" else frozenset[int]()
    end = draw(sets) if shape != "G" else frozenset[int]()
    return Case(reference, expected, found, Goal(hold, end, **SHAPES[shape]))


def coalitions(reference: Asker) -> list[tuple[str, ...]]:
    """All of them: nobody, everybody, and those between."""
    names = [agent.name for agent in reference.system.agents]
    every = chain.from_iterable(combinations(names, count) for count in range(len(names) + 1))
    return [tuple(members) for members in every]


@pytest.mark.parametrize("atl", METHODS)
@pytest.mark.parametrize("shape", SHAPES)
def test_every_coalition_wins_what_the_reference_says(shape, atl):
    @cases(12)
    @given(games(shape, atl), FEW)
    def agree(case, few):
        case.expected.budget.seconds = case.expected.budget.elapsed + 5
        for members in coalitions(case.reference):
            try:
                won = METHODS[atl](case.expected.games, members, case.goal)
            except LimitReached:
                assume(False)
            with patch("knower.checking.arena._FEW", few):
                states = case.found.strategies.enforce(members, case.symbolic_goal, case.found.universe)
            assert case.numbers(states) == won, members

    agree()


@pytest.mark.parametrize("shape", ["F", "U", "G"])
def test_layers_are_those_of_the_definition(shape):
    """Whether they were kept or not: from the end on, or from all that may be held."""

    @cases(12)
    @given(games(shape, AtlReading.OBJECTIVE), st.booleans())
    def agree(case, asked_before):
        goal = case.symbolic_goal
        for members in coalitions(case.reference):
            arena = case.found.strategies.arena(members)
            won = arena.won(goal) if asked_before else None
            layers = arena.layers(goal)
            assert layers[0] == (goal.hold | goal.end if goal.weak else goal.end)
            assert won in (None, layers[-1])
            following = [goal.end | (goal.hold & arena.force(layer)) for layer in layers]
            assert following == [*layers[1:], layers[-1]]
            assert len(set(layers)) == len(layers)

    agree()


#: A climbs if nobody holds it back; B has so many chances to do that.
CLIMBER = """
Agent A
  Vars: x : 0..100; end Vars
  Actions = {up, down};
  Protocol: Other : {up, down}; end Protocol
  Evolution:
    x = x + 1 if Action = up and x < 100 and B.Action = rest;
    x = x - 1 if Action = down and x > 0;
  end Evolution
end Agent
Agent B
  Vars: left : 0..3; end Vars
  Actions = {block, rest};
  Protocol: left > 0 : {block, rest}; Other : {rest}; end Protocol
  Evolution: left = left - 1 if Action = block; end Evolution
end Agent
Evaluation top if A.x = 100; end Evaluation
InitStates A.x = 0 and B.left = 3; end InitStates
Groups a = {A}; b = {B}; end Groups
"""


@pytest.mark.parametrize(("text", "verdict", "rounds"), [("<a>F top", True, 100), ("<b>G !top", False, 100)])
def test_deep_fixpoints_look_at_what_is_new(text, verdict, rounds, monkeypatch):
    """A few images for each round, and none for layers that were kept."""
    source = Source("climber.ispl", CLIMBER)
    module = parse_ispl(source)
    asker = Asker("bdd", elaborate(module, source))
    asked = asker.query(parse_formula(text, names_of(module)).specification)
    evaluator = asker.engine.evaluator(asked)
    images: list[int] = []
    pre = Partition.pre
    monkeypatch.setattr(Partition, "pre", lambda self, states: images.append(1) or pre(self, states))
    assert evaluator.holds(asked.formula) is verdict
    assert rounds <= len(images) <= 3 * rounds
    sets = [evaluator.states(asked.formula.sub)]
    goal = goal_of(asked.formula, sets, true=evaluator.universe, false=evaluator.model.space.false)
    before = len(images)
    assert len(evaluator.strategies.arena(members_of(asked.formula.group)).layers(goal)) > rounds
    assert len(images) == before


#: C chooses the short way to the bottom or the long one; there is no other.
SLOPE = """
Agent C
  Vars: at : 0..3; end Vars
  Actions = {short, long};
  Protocol: at = 0 : {short, long}; Other : {long}; end Protocol
  Evolution:
    at = 1 if at = 0 and Action = short or at = 2;
    at = 2 if at = 0 and Action = long;
    at = 3 if at = 1;
  end Evolution
end Agent
Evaluation bottom if C.at = 3; end Evaluation
InitStates C.at = 0; end InitStates
Groups none = {}; end Groups
Fairness bottom or !bottom; end Fairness
"""


@pytest.mark.parametrize("atl", ["objective", "objective-fair", "uniform"])
def test_choices_may_be_lost_in_different_rounds(atl):
    system = knower.loads(SLOPE)
    found = system.check(
        "<C>F bottom", "<C>G !bottom", "<none>F bottom", "<none>G !bottom", atl=atl, evidence="none"
    )
    assert [each.verdict.value for each in found] == ["true", "false", "true", "false"]
