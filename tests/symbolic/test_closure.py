"""Many steps at once: the closure of a relation against fixpoints, and an engine that always uses it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from systems import LIBRARIES, SELECTORS, Sets, agent, encoding_of, model, space_for, successors, systems

import knower
from engines import Asker, computing
from knower import families
from knower.checking import temporal
from knower.checking.temporal import Paths
from knower.errors import LimitReached, NoInitialState
from knower.limits import Budget
from knower.options import Tuning
from knower.symbolic import closure as closure_module
from knower.symbolic import exploration
from knower.symbolic.closure import by_squaring
from knower.symbolic.decode import Decoder
from knower.symbolic.exploration import explored
from knower.symbolic.narrowing import starting_in
from knower.symbolic.partition import Partition
from knower.symbolic.relation import Relation
from knower.symbolic.system import TransitionSystem
from knower.symbolic.transition_parts import TransitionParts
from knower.syntax.formulas import parse_formula
from knower.syntax.tree import Names
from knower.system.explicit import Explicit
from knower.system.expressions import State
from knower.system.system import InterpretedSystem
from strategies import cases
from worlds import questions

pytestmark = pytest.mark.skipif(not LIBRARIES, reason="no library of decision diagrams is installed")


# -- against fixpoints -----------------------------------------------------------------------------------


class Explored:
    """A model, its states one by one, and who follows whom."""

    def __init__(
        self, system: InterpretedSystem, steps: TransitionParts[Any], *, loop: bool, split: bool
    ) -> None:
        with patch.multiple("knower.symbolic.relation", _LEAST_SPLIT=2, _SMALL_SHARE=2.0 * split):
            self.model = explored(TransitionSystem(steps, loops=loop), Budget())
        self.sets = Sets(steps)
        self.after: dict[State, set[State]] = {}
        explicit = Explicit(system)
        todo = list(explicit.initial_states())
        while todo:
            state = todo.pop()
            if state not in self.after:
                self.after[state] = successors(explicit, state) or ({state} if loop else set())
                todo += self.after[state]

    def beyond(self, start: State, hold: frozenset[State]) -> set[State]:
        """Where one or more steps that begin in a set lead."""
        found: set[State] = set()
        todo = [start]
        while todo:
            state = todo.pop()
            fresh = self.after[state] - found if state in hold else set()
            found |= fresh
            todo += fresh
        return found


@st.composite
def explored_systems(draw: st.DrawFn) -> Explored:
    """A random model; of several moves where an agent has a choice and `split` is drawn."""
    system = draw(systems(max_states=24))
    encoding = encoding_of(system, draw(st.sampled_from(SELECTORS)))
    steps = TransitionParts(encoding, space_for(encoding, draw(st.sampled_from(LIBRARIES))))
    try:
        return Explored(system, steps, loop=draw(st.booleans()), split=draw(st.booleans()))
    except NoInitialState:
        assume(False)
        raise


def some_states(data: st.DataObject, world: Explored, least: int = 0) -> frozenset[State]:
    """Any of the states, or all but a few."""
    everything = sorted(world.after, key=str)
    few = frozenset(data.draw(st.lists(st.sampled_from(everything), min_size=least, max_size=6)))
    return frozenset(everything) - few if data.draw(st.booleans()) else few


def closure(relation: Any, hold: Any) -> Any:
    """The closure itself, or None if it is too large."""
    return by_squaring(relation, hold, lambda found: found)


def test_what_is_reached_is_what_can_be_reached():
    moves = set[int]()

    @cases(30)
    @given(explored_systems())
    def agree(world):
        found, everywhere = world.model, world.model.space.true
        moves.add(len(found.relation.partitions))
        for relation in (found.relation, found.system.relation):
            assert closure(relation, everywhere).reached_from(found.initial) == found.reachable

    agree()
    assert moves >= {1, 2}


@cases(30)
@given(explored_systems(), st.data())
def test_states_lead_to_a_goal_or_are_reached(world, data):
    """By the plain fixpoint, and state by state."""
    hold, goal = some_states(data, world), some_states(data, world)
    found, holding, there = world.model, world.sets.of(hold), world.sets.of(goal)
    shortcut = closure(found.relation, holding)
    leading = [state for state in world.after if state in goal or world.beyond(state, hold) & goal]
    assert shortcut.leading_to(there) == world.sets.of(leading)
    assert shortcut.leading_to(there) == Paths(found, found.reachable).until(holding, there)
    ahead = set(goal).union(*(world.beyond(state, hold) for state in goal))
    assert shortcut.reached_from(there) == world.sets.of(ahead)


@cases(30)
@given(explored_systems(), st.data())
def test_steps_joined_with_the_states_lead_back_as_far(world, data):
    """From the first step on: what leads to a goal is the same among the states of the model."""
    holding, there = (world.sets.of(some_states(data, world)) for _ in range(2))
    plain = Paths(world.model, world.model.reachable).until(holding, there)
    with patch.object(temporal, "_FAR", 1), patch.object(Relation, "starting_in", _joined):
        joined = Paths(world.model, world.model.reachable).until(holding, there)
    assert world.model.agree(plain, joined)


def _joined(relation: Relation[Any], states: Any) -> Relation[Any]:
    """Even if there is but one cluster."""
    specs = [starting_in(relation.space, move.spec, states) for move in relation.partitions]
    return Relation(relation.space, [Partition(relation.space, spec) for spec in specs], relation.looped)


@cases(40)
@given(explored_systems(), st.data())
def test_cycles_meet_every_constraint(world, data):
    hold = some_states(data, world)
    constraints = [some_states(data, world, least=1) for _ in range(data.draw(st.integers(0, 2)))]
    after = {state: world.beyond(state, hold) for state in world.after}
    circles = {s: {s, *(t for t in after[s] if s in after[t])} for s in world.after if s in after[s]}
    fair = [state for state, circle in circles.items() if all(circle & wanted for wanted in constraints)]
    fairness = list(map(world.sets.of, constraints))
    holding, paths = world.sets.of(hold), Paths(world.model, world.model.reachable, fairness)
    found = closure(world.model.cyclic, holding).cycles(fairness)
    assert found == world.sets.of(fair)
    assert found & ~paths.cycles(holding) == world.model.space.false
    assert paths.until(holding, found) == paths.always(holding)


@pytest.mark.parametrize("loop", [False, True])
def test_a_deadlock_with_a_loop_is_a_cycle(loop):
    walker = agent(
        "A", "x : 0..3;", "x = x + 1 if Action = a;", sections="Protocol: x < 3 : {a}; end Protocol"
    )
    encoding = encoding_of(model(walker, initial="A.x = 0"), 100)
    steps = TransitionParts(encoding, space_for(encoding, LIBRARIES[0]))
    found = explored(TransitionSystem(steps, loops=loop), Budget())
    assert closure(found.cyclic, found.reachable).cycles([]) == Sets(steps).of([(3,)] if loop else [])


# -- an engine that always takes the short cut -----------------------------------------------------------


class Counted:
    """The function, and how often it was able to help."""

    def __init__(self) -> None:
        self.made = self.given_up = 0

    def __call__(self, relation: Any, hold: Any, ask: Callable[[Any], Any]) -> Any:
        found = by_squaring(relation, hold, ask)
        self.made += found is not None
        self.given_up += found is None
        return found


@contextmanager
def always_deep() -> Iterator[Counted]:
    """Every fixpoint is deep after one step."""
    counted = Counted()
    with (
        patch.multiple(exploration, DEEP=1, by_squaring=counted),
        patch.multiple(temporal, DEEP=1, by_squaring=counted),
    ):
        yield counted


def states_agree(logic: str, systems: int) -> None:
    """Of random formulas, with the reference; over relations of one move and of several."""

    @cases(systems)
    @given(questions(logic), st.sampled_from(LIBRARIES), st.booleans())
    def agree(question, library, split):
        reference, specs = question
        share = 2.0 if split else 0.0
        with patch.multiple("knower.symbolic.relation", _LEAST_SPLIT=2, _SMALL_SHARE=share):
            found = Asker("bdd", reference.system, computing(60), reference.reading, Tuning(library))
        decoder, nothing = Decoder(found.model), found.model.space.false
        assert found.states == len(reference.space)
        for spec in specs:
            reference.budget.seconds = reference.budget.elapsed + 5
            try:
                expected = reference.states_where(spec)
            except LimitReached:
                assume(False)
            holds = found.states_where(spec)
            codes = map(decoder.code, reference.space.states)
            assert {k for k, code in enumerate(codes) if code & holds != nothing} == expected, spec
            assert found.model.system.count(holds) == len(expected)

    agree()


@pytest.mark.parametrize("logic", ["CTLK", "LDL", "CDL*"])
def test_short_cuts_change_no_answer(logic):
    with always_deep() as shortcuts:
        states_agree(logic, systems=20)
    assert shortcuts.made > 50
    assert shortcuts.given_up == 0


# -- giving up -------------------------------------------------------------------------------------------


def ring(bits: int) -> InterpretedSystem:
    """Bits that go round: one step is said in a few nodes, any number of them is not."""
    names = [f"b{k}" for k in range(bits)]
    steps = " and ".join(f"{name} = {names[k - 1]}" for k, name in enumerate(names))
    start = " and ".join(f"Ring.{name} = {'true' if name == 'b0' else 'false'}" for name in names)
    variables = " ".join(f"{name} : boolean;" for name in names)
    return model(
        agent("Ring", variables, f"{steps} if Action = a;"),
        initial=start,
        evaluation=f"first if Ring.b0 = true; last if Ring.b{bits - 1} = true;",
    )


RING_NAMES = Names(frozenset({"Ring"}), frozenset(), frozenset({"first", "last"}))
RING_FORMULAS = {
    "AG EF first": True,
    "EG !last": False,
    "LTL G F last": True,
    "LTL F G !last": False,
    "CDL* E <(tt;tt)*>last": False,
}


def ring_verdicts(bits: int) -> dict[str, bool]:
    found = Asker("bdd", ring(bits), computing(60))
    assert found.states == bits
    specs = {text: parse_formula(text, RING_NAMES).specification for text in RING_FORMULAS}
    return {text: found.check(spec).verdict.value == "true" for text, spec in specs.items()}


def ring_relation(bits: int) -> Any:
    encoding = encoding_of(ring(bits), 100)
    return TransitionSystem(TransitionParts(encoding, space_for(encoding, LIBRARIES[0]))).relation


def test_squares_that_blow_up_are_given_up():
    relation = ring_relation(30)
    assert sum(map(relation.space.size, relation.partitions[0].clusters)) < 400
    assert closure(relation, relation.space.true) is None


#: What there is too little of.
SCANT: dict[str, Callable[[], Any]] = {
    "nothing is small": lambda: patch.object(closure_module, "_SMALL", 0),
    "no room, no time": lambda: patch.multiple(closure_module, _ROOM=1 << 10, _SECONDS=0.0),
}


@pytest.mark.parametrize("lack", SCANT)
def test_what_is_too_large_is_given_up(lack):
    relation = ring_relation(10)
    assert closure(relation, relation.space.true) is not None
    with SCANT[lack]():
        assert closure(relation, relation.space.true) is None


@pytest.mark.parametrize("lack", [None, *SCANT])
def test_verdicts_do_not_depend_on_short_cuts(lack):
    with always_deep() as shortcuts:
        if lack is None:
            assert ring_verdicts(10) == RING_FORMULAS
            assert shortcuts.made and not shortcuts.given_up
        else:
            with SCANT[lack]():
                assert ring_verdicts(10) == RING_FORMULAS
            assert shortcuts.given_up


# -- a deep model ----------------------------------------------------------------------------------------


def test_a_million_steps_take_no_time():
    made = families.instance("counter", n=1 << 20)
    found = knower.loads(made.ispl).check(evidence="none")
    assert found.states == 1 << 20
    assert [one.verdict.value == "true" for one in found] == list(made.expected)


def test_sets_that_are_too_large_are_given_up():
    """The relation is small, and so are its squares; the states that are asked for are not."""
    text = """
    Agent C Vars: k : 0..1100; end Vars Actions = {a}; Protocol: Other : {a}; end Protocol
      Evolution: k = k + 1 if k < 1100; end Evolution end Agent
    Agent M Vars: x : 0..63; y : 0..63; z : 0..3969; end Vars end Agent
    Evaluation top if C.k = 1100; end Evaluation
    InitStates C.k = 0 and M.x * M.y = M.z; end InitStates
    Formulae EF top; end Formulae
    """
    with patch.multiple(closure_module, _ROOM=1 << 11):
        (result,) = knower.loads(text).check(engine="bdd")
    assert result.verdict.value == "true"
