"""The ways to reach all states: one answer."""

from __future__ import annotations

import sys
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from systems import LIBRARIES, SELECTORS, Sets, agent, encoding_of, model, space_for, successors, systems

from knower.errors import LimitReached, NoInitialState
from knower.functions.protocol import NoRoom
from knower.limits import Budget
from knower.options import REACH
from knower.symbolic import exploration as exploration_module
from knower.symbolic import relation as relation_module
from knower.symbolic.exploration import Exploration, explored
from knower.symbolic.order import ORDERS
from knower.symbolic.relation import Relation
from knower.symbolic.solo import SoloMoves
from knower.symbolic.system import TransitionSystem
from knower.symbolic.transition_parts import TransitionParts
from knower.system.explicit import Explicit
from knower.system.expressions import State
from knower.system.system import InterpretedSystem
from strategies import cases

COUNTER = agent("A", "x : 0..40; done : boolean;", "x = x + 2 if x < 39; done = true if x = 40;")


def steps_of(
    system: InterpretedSystem, library: str, order: str = "replicas", least: int = 100
) -> TransitionParts[Any]:
    encoding = encoding_of(system, least)
    return TransitionParts(encoding, space_for(encoding, library, order))


def reached(system: InterpretedSystem) -> set[State]:
    explicit = Explicit(system)
    found = set(explicit.initial_states())
    todo = list(found)
    while todo:
        fresh = successors(explicit, todo.pop()) - found
        found |= fresh
        todo += fresh
    return found


@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize("split", [False, True])
def test_all_ways_reach_the_same_states(library, split, monkeypatch):
    if split:  # several moves, to be chained
        monkeypatch.setattr(relation_module, "_LEAST_SPLIT", 2)
        monkeypatch.setattr(relation_module, "_SMALL_SHARE", 1.0)

    @cases(30)
    @given(systems(max_states=60), st.sampled_from(sorted(ORDERS)), st.sampled_from(SELECTORS))
    def agree(system, order, least):
        expected = reached(system)
        assume(expected)
        steps = steps_of(system, library, order, least)
        states = Sets(steps).of(expected)
        for method in REACH:
            assert explored(TransitionSystem(steps), Budget(), method).reachable == states

    agree()


@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize("narrow", [False, True])
def test_steps_between_reachable_states(library, narrow, monkeypatch):
    """A relation may be narrowed to what matters there, and is right about nothing else."""
    monkeypatch.setattr(relation_module, "_WORTH_WHILE", 2.0 if narrow else 0.0, raising=False)

    @cases(25)
    @given(systems(), st.sampled_from(SELECTORS))
    def agree(system, least):
        explicit = Explicit(system)
        edges = {state: successors(explicit, state) for state in reached(system)}
        assume(edges)
        found = explored(TransitionSystem(steps_of(system, library, least=least)), Budget())
        sets = Sets(found.steps)
        for state, following in edges.items():
            assert found.relation.post(sets.one(state)) == sets.of(following)
            before = sets.of(other for other in edges if state in edges[other])
            assert found.relation.pre(sets.one(state)) & found.reachable == before

    agree()


# -- step by step ----------------------------------------------------------------------------------------


def within(system: InterpretedSystem, steps: int) -> set[State]:
    """The states that so many steps, or fewer, lead to."""
    explicit = Explicit(system)
    found = set(explicit.initial_states())
    for _ in range(steps):
        found |= {following for state in found for following in successors(explicit, state)}
    return found


@pytest.mark.parametrize("split", [False, True])
@pytest.mark.parametrize("method", REACH)
def test_a_step_goes_one_step_further(method, split, monkeypatch):
    """Exactly one, or one at least where moves are chained; the last one finds nothing."""
    if split:
        monkeypatch.setattr(relation_module, "_LEAST_SPLIT", 2)
        monkeypatch.setattr(relation_module, "_SMALL_SHARE", 1.0)

    @cases(20)
    @given(systems(max_states=40), st.sampled_from(LIBRARIES))
    def agree(system, library):
        assume(reached(system))
        steps = steps_of(system, library)
        sets, nothing = Sets(steps), steps.space.false
        found = Exploration(TransitionSystem(steps), Budget(), method)
        while not found.complete:
            near, before = sets.of(within(system, found.depth)), found.reached
            if found.strategy == "chained":
                assert near & ~found.reached == nothing
            else:
                assert near == found.reached
            behind = found.reached & ~found.frontier
            assert found.system.relation.post(behind) & ~found.reached == nothing
            found.advance()
            assert before & ~found.reached == nothing
            assert found.complete == (found.reached == before)
        assert found.reached == sets.of(reached(system))
        assert found.frontier == nothing

    agree()


@pytest.mark.parametrize("method", REACH)
def test_who_is_stopped_can_go_on(method, monkeypatch):
    """Between the moves of a step even: what has unknown successors is still in the frontier."""
    monkeypatch.setattr(relation_module, "_LEAST_SPLIT", 2)
    monkeypatch.setattr(relation_module, "_SMALL_SHARE", 1.0)

    @cases(20)
    @given(systems(max_states=40), st.integers(2, 3))
    def agree(system, patience):
        assume(reached(system))
        looks = []

        def stopped(_):
            looks.append(None)
            if len(looks) % patience == 0:
                raise LimitReached("for now")

        steps = steps_of(system, LIBRARIES[0])
        found = Exploration(TransitionSystem(steps), Budget(progress=stopped), method)
        for _ in range(30):  # a step of many moves never ends with little patience
            with suppress(LimitReached):
                found.advance()
            behind = found.reached & ~found.frontier
            assert found.system.relation.post(behind) & ~found.reached == steps.space.false
        assert not found.complete or found.reached == Sets(steps).of(reached(system))

    agree()


@pytest.mark.parametrize("method", REACH)
def test_what_others_have_explored_is_taken_over(method):
    """All but one state, say: from there it goes on."""
    system = model(COUNTER, initial="A.x = 0 and A.done = false")
    found = Exploration(TransitionSystem(steps_of(system, LIBRARIES[0])), Budget(), method)
    sets = Sets(found.system.steps)
    found.learn(sets.of(within(system, 9)), sets.of(within(system, 9) - within(system, 8)))
    assert (found.depth, found.complete) == (1, False)
    assert found.frontier == sets.of(within(system, 9) - within(system, 8))
    while not found.complete:
        found.advance()
    assert found.reached == sets.of(reached(system))


def test_a_system_seen_through_a_part_of_its_states():
    """Steps that leave it are not taken; deadlocks are those of the whole system."""
    walker = agent(
        "A", "x : 0..3;", "x = x + 1 if Action = a;", sections="Protocol: x < 3 : {a}; end Protocol"
    )
    system = model(walker, initial="A.x = 0")
    for loops in (False, True):
        whole = explored(TransitionSystem(steps_of(system, LIBRARIES[0]), loops=loops), Budget())
        sets = Sets(whole.steps)
        part, end = whole.on(sets.of([(0,), (1,)])), whole.on(sets.of([(2,), (3,)]))
        nothing = whole.space.false
        assert [each.states for each in (whole, part, end)] == [4, 2, 2]
        assert [each.is_part for each in (whole, part, end)] == [False, True, True]
        assert [each.deadlocks for each in (whole, part, end)] == [sets.one((3,)), nothing, sets.one((3,))]
        assert (part.stuck, end.stuck) == (sets.one((1,)), nothing if loops else sets.one((3,)))
        assert whole.stuck == (nothing if loops else sets.one((3,)))
        assert part.relation.looped == nothing
        assert end.relation.looped == (sets.one((3,)) if loops else nothing)


# -- all of them -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize("method", REACH)
def test_a_model_explored(library, method):
    system = model(COUNTER, initial="A.x = 0 and A.done = false")
    found = explored(TransitionSystem(steps_of(system, library)), Budget(), method)
    assert found.states == len(reached(system)) == 22
    assert found.reachable == Sets(found.steps).of(reached(system))


@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize("method", REACH)
def test_the_search_minds_its_budget(library, method):
    system = model(COUNTER, initial="A.x = 0")
    with pytest.raises(LimitReached):
        explored(TransitionSystem(steps_of(system, library)), Budget(seconds=0), method)


@pytest.mark.parametrize("library", LIBRARIES)
def test_a_model_without_initial_states(library):
    with pytest.raises(NoInitialState):
        TransitionSystem(steps_of(model(COUNTER, initial="A.x = 1 and A.x = 2"), library))


# -- one agent at a time ---------------------------------------------------------------------------------


@pytest.mark.parametrize("library", LIBRARIES)
def test_agents_that_move_one_by_one_take_steps_of_the_system(library):
    @cases(30)
    @given(systems(max_states=60), st.sampled_from(SELECTORS))
    def agree(system, least):
        expected = reached(system)
        assume(expected)
        found = TransitionSystem(steps_of(system, library, "replicas", least))
        solo = SoloMoves(found.relations).reached_from(found.initial, lambda move, at: move.post(at), 10**6)
        assert solo & ~Sets(found.steps).of(expected) == found.space.false

    agree()


@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize("roomy", [True, False], ids=["at once", "in pieces"])
def test_moving_one_by_one_on_the_way_changes_nothing(library, roomy, monkeypatch):
    """Nor does it where the successors of all that is reached have no room but in pieces."""
    if not roomy:
        monkeypatch.setattr(exploration_module, "_SPLIT", 3)
        monkeypatch.setattr(Relation, "post", _cramped(Relation.post))
    monkeypatch.setattr(exploration_module, "_LARGE_FRONTIER", -1)
    monkeypatch.setattr(exploration_module, "_LIKE_ALL", 0)
    monkeypatch.setattr(exploration_module, "_PLAYERS", 0)

    @cases(30)
    @given(systems(max_states=60), st.sampled_from(SELECTORS))
    def agree(system, least):
        expected = reached(system)
        assume(expected)
        found = explored(TransitionSystem(steps_of(system, library, "replicas", least)), Budget())
        assert found.reachable == Sets(found.steps).of(expected)

    agree()


def _cramped(usual: Any) -> Any:
    """No room for the step that is tried once agents were moved one by one."""

    def post(relation: Any, states: Any) -> Any:
        if sys._getframe(2).f_code.co_name == "_go_solo":
            raise NoRoom("for a test")
        return usual(relation, states)

    return post


def gossips(number: int) -> InterpretedSystem:
    """A teller reaches all hearers over one line, one after the other; who is told may forget it at once."""
    places = range(1, number + 1)
    told = "".join(f" line = {k} if Action = pick{k}; line = 0 if Action = tell{k};" for k in places)
    picks = ", ".join(["rest", *(f"pick{k}" for k in places)])
    tells = "".join(f" line = {k} : {{tell{k}}};" for k in places)
    actions = ", ".join([picks, *(f"tell{k}" for k in places)])
    protocol = f"Protocol: line = 0 : {{{picks}}};{tells} end Protocol"
    keeps = "knows = true if Action = keep and Teller.Action = tell{0};"
    hearers = [agent(f"H{k}", "knows : boolean;", keeps.format(k), "keep, forget") for k in places]
    nobody = " and ".join(f"H{k}.knows = false" for k in places)
    return model(
        agent("Teller", f"line : 0..{number};", told, actions, protocol),
        *hearers,
        initial=f"Teller.line = 0 and {nobody}",
    )


@pytest.mark.parametrize("library", LIBRARIES)
def test_what_is_reached_one_by_one_does_not_count_steps(library):
    """Each set on the way is smaller than what breadth first search needs half-way."""
    system = TransitionSystem(steps_of(gossips(14), library))
    widest, breadth = 0, Exploration(system, Budget(), "frontier")
    while not breadth.complete:
        breadth.advance()
        widest = max(widest, system.space.size(breadth.reached))
    solo = SoloMoves(system.relations).reached_from(
        system.initial, lambda move, at: move.post(at), widest // 2
    )
    assert solo == breadth.reached
