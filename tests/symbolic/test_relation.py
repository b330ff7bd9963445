"""Steps forward and backward against the explicit ones, from every state of random systems."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, partialmethod
from itertools import product
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from systems import (
    LIBRARIES,
    SELECTORS,
    Sets,
    agent,
    all_states,
    encoding_of,
    model,
    space_for,
    successors,
    systems,
)

from knower.errors import NoInitialState
from knower.limits import Budget
from knower.symbolic import partition as moves_module
from knower.symbolic import relation as relation_module
from knower.symbolic.exploration import explored
from knower.symbolic.model import SymbolicModel
from knower.symbolic.order import ORDERS
from knower.symbolic.relation import Relation, RelationFactory
from knower.symbolic.system import TransitionSystem
from knower.symbolic.transition_parts import TransitionParts
from knower.system.explicit import Explicit
from knower.system.expressions import State
from knower.system.system import InterpretedSystem
from strategies import cases

#: What is done with large relations, done with small ones.
SPLIT = {"_LEAST_SPLIT": 2, "_SMALL_SHARE": 1.0}


def take_for_large(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every relation: no actions are eliminated, no parts are joined."""
    apart = partialmethod(TransitionParts.__init__, cluster_threshold=1)
    monkeypatch.setattr(TransitionParts, "__init__", apart)
    monkeypatch.setattr(moves_module, "_ELIMINATION_LIMIT", 0)


@dataclass(frozen=True)
class Graph:
    """A system's states and steps, explicit and as functions."""

    steps: TransitionParts[Any]

    @property
    def system(self) -> InterpretedSystem:
        return self.steps.encoding.system

    @cached_property
    def relations(self) -> RelationFactory[Any]:
        return RelationFactory(self.steps)

    @cached_property
    def explicit(self) -> Explicit:
        return Explicit(self.system)

    @cached_property
    def edges(self) -> dict[State, set[State]]:
        return {state: successors(self.explicit, state) for state in all_states(self.system)}

    @cached_property
    def sets(self) -> Sets:
        return Sets(self.steps)

    def before(self, state: State) -> set[State]:
        return {other for other, following in self.edges.items() if state in following}

    def beyond(self, state: State) -> set[State]:
        """The states that one step or more lead to."""
        found: set[State] = set()
        todo = [state]
        while todo:
            fresh = self.edges[todo.pop()] - found
            found |= fresh
            todo += fresh
        return found


def graph_of(system: InterpretedSystem, library: str, least: int = 100, order: str = "replicas") -> Graph:
    encoding = encoding_of(system, least)
    return Graph(TransitionParts(encoding, space_for(encoding, library, order)))


@st.composite
def graphs(draw: st.DrawFn, library: str) -> Graph:
    """Random ones, by any order of the variables."""
    order, least = draw(st.sampled_from(sorted(ORDERS))), draw(st.sampled_from(SELECTORS))
    return graph_of(draw(systems(max_states=20)), library, least, order)


@pytest.fixture(params=LIBRARIES)
def library(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture(params=["plain", "split", "split and large"])
def limits(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, number in SPLIT.items() if "split" in request.param else ():
        monkeypatch.setattr(relation_module, name, number)
    if "large" in request.param:
        take_for_large(monkeypatch)


def check_steps(graph: Graph, relation: Relation[Any]) -> None:
    sets, valid = graph.sets, graph.steps.valid
    for state, following in graph.edges.items():
        assert relation.post(sets.one(state)) == sets.of(following)
        assert relation.pre(sets.one(state)) & valid == sets.of(graph.before(state))


# -- the whole relation --------------------------------------------------------------------------------


@pytest.mark.usefixtures("limits")
def test_steps_from_and_to_every_state(library):
    @cases(25)
    @given(graphs(library))
    def agree(graph):
        check_steps(graph, graph.relations.whole)

    agree()


def test_steps_from_and_to_sets_of_states(library):
    @cases(25)
    @given(graphs(library), st.data())
    def agree(graph, data):
        some = data.draw(st.sets(st.sampled_from(list(graph.edges))))
        relation, sets = graph.relations.whole, graph.sets
        assert relation.post(sets.of(some)) == sets.of({t for s in some for t in graph.edges[s]})
        before = {s for s, following in graph.edges.items() if following & some}
        assert relation.pre(sets.of(some)) & graph.steps.valid == sets.of(before)

    agree()


LIGHTS = "abcde"


def lights(others: str) -> InterpretedSystem:
    """Each action of a player switches one light and does to all others what is said."""
    switch = [f"on_{name} = ~on_{name} if Action = {name} and Guard.Action = free;" for name in LIGHTS]
    rest = [f"on_{name} = {others} if !(Action = {name});" for name in LIGHTS] if others else []
    variables = " ".join(f"on_{name} : boolean;" for name in LIGHTS)
    player = agent("Player", variables, " ".join(switch + rest), ", ".join(LIGHTS))
    return model(player, agent("Guard", "", actions="free, hold"), semantics="SingleAssignment")


def test_a_relation_is_split_by_the_action_that_decides_what_moves(library):
    graph = graph_of(lights(others=""), library)
    relation = graph.relations.whole
    assert len(relation.partitions) == len(LIGHTS)
    check_steps(graph, relation)
    check_cyclic(graph)


def test_a_relation_is_not_split_where_everything_moves(library):
    graph = graph_of(lights(others="false"), library)
    relation = graph.relations.whole
    assert len(relation.partitions) == 1
    check_steps(graph, relation)


@pytest.mark.parametrize("actions", ["", "a", "a, b, c, d, e"])
def test_a_system_without_variables(library, actions):
    graph = graph_of(model(agent("A", "", actions=actions)), library)
    assert graph.edges == {(): {()}}
    check_steps(graph, graph.relations.whole)
    check_cyclic(graph)


def test_a_large_counter(library):
    """Its twenty bits are encoded as bits, not value by value."""
    counter = agent("Counter", "x : 0..1048575;", "x = x + 1 if Action = up and x < 1048575;", "up, rest")
    graph = graph_of(model(counter, initial="Counter.x = 0"), library)
    relation, sets = graph.relations.whole, graph.sets
    assert (
        sum(graph.steps.space.size(cluster) for move in relation.partitions for cluster in move.clusters)
        < 1000
    )
    for value in (0, 7, 524287, 1048574):
        assert relation.post(sets.one((value,))) == sets.of([(value,), (value + 1,)])
        assert relation.pre(sets.one((value + 1,))) == sets.of([(value,), (value + 1,)])
    assert relation.post(sets.one((1048575,))) == sets.one((1048575,))
    assert graph.relations.cyclic.post(sets.one((7,))) == sets.one((7,))


def test_a_large_counter_that_overflows(library):
    graph = graph_of(model(agent("Counter", "x : 0..1048575;", "x = x + 1 if true;")), library)
    relation, sets = graph.relations.whole, graph.sets
    assert relation.post(sets.one((1048574,))) == sets.one((1048575,))
    assert relation.post(sets.one((1048575,))) == graph.steps.space.false
    assert graph.steps.overflow == sets.one((1048575,))


# -- cycles --------------------------------------------------------------------------------------------


def check_cyclic(graph: Graph) -> None:
    """All steps between states that lead to each other are kept, and no step is new."""
    whole, cyclic, sets = graph.relations.whole, graph.relations.cyclic, graph.sets
    for state, following in graph.edges.items():
        found = cyclic.post(sets.one(state))
        on_a_cycle = {other for other in following if state in graph.beyond(other)}
        assert sets.of(on_a_cycle) & ~found == graph.steps.space.false
        assert found & ~whole.post(sets.one(state)) == graph.steps.space.false
        before = cyclic.pre(sets.one(state)) & graph.steps.valid
        assert before == sets.of(s for s in graph.before(state) if _leads(cyclic, sets, s, state))


def _leads(relation: Relation[Any], sets: Sets, state: State, following: State) -> bool:
    return relation.post(sets.one(state)) & sets.one(following) == sets.one(following)


@pytest.mark.usefixtures("limits")
def test_steps_on_cycles_are_kept(library):
    @cases(25)
    @given(graphs(library))
    def kept(graph):
        check_cyclic(graph)

    kept()


@pytest.mark.parametrize(("sign", "bound"), [("+", "stage < 3"), ("-", "stage > 0")])
def test_steps_that_lead_nowhere_back_are_left_out(library, sign, bound):
    """`stage` only grows, or only shrinks, and `turn` goes round: a cycle cannot change the stage."""
    lines = (
        f"stage = stage {sign} 1 and turn = ~turn if {bound} and Action = on; turn = ~turn if Action = off;"
    )
    system = model(agent("A", "stage : 0..3; turn : boolean;", lines, "on, off"))
    graph = graph_of(system, library)
    cyclic, sets = graph.relations.cyclic, graph.sets
    for stage, turn in product((1, 2), (False, True)):
        assert len(graph.edges[stage, turn]) == 2
        assert cyclic.post(sets.one((stage, turn))) == sets.one((stage, not turn))
    check_cyclic(graph)


# -- coalitions ----------------------------------------------------------------------------------------


def test_a_coalition_keeps_the_actions_of_its_members(library):
    @cases(20)
    @given(graphs(library))
    def kept(graph):
        for name in graph.steps.players:
            for number, action in enumerate(graph.system.agent_named[name].actions):
                check_action(graph, name, number, action)

    kept()


def check_action(graph: Graph, name: str, number: int, action: str) -> None:
    """Where the action can lead to a state, if the others help."""
    space, sets = graph.steps.space, graph.sets
    move = graph.relations.of_coalition([name])
    bits = space.quantified(graph.steps.layout.action_bits[name])
    for target in graph.edges:
        allowed = move.pre(sets.one(target)) & graph.steps.action(name, number) & graph.steps.valid
        expected = [state for state in graph.edges if _can(graph, name, action, state, target)]
        assert space.exists(allowed, bits) == sets.of(expected)


def _can(graph: Graph, name: str, action: str, state: State, target: State) -> bool:
    explicit, seat = graph.explicit, graph.explicit.seat[name]
    joints = [joint for joint in explicit.joint_actions(state) if joint[seat] == action]
    return any(target in explicit.successors(state, joint) for joint in joints)


def test_who_has_no_choice_has_no_bits(library):
    system = model(
        agent("Free", "x : boolean;", actions="a, b"),
        agent(
            "Bound",
            "y : boolean;",
            actions="a, b",
            sections="Protocol: y = true : {a}; Other : {b}; end Protocol",
        ),
    )
    graph = graph_of(system, library)
    assert list(graph.steps.players) == ["Free"]
    assert graph.relations.coalition_bits(["Free", "Bound"]) == {*graph.steps.layout.action_bits["Free"]}
    check_steps(graph, graph.relations.whole)


# -- deadlocks and overflows -----------------------------------------------------------------------------


@pytest.mark.parametrize("loop", [False, True])
def test_deadlocks(library, loop):
    @cases(25)
    @given(graphs(library))
    def agree(graph):
        found = model_of(graph.steps, loop)
        initial = set(graph.explicit.initial_states())
        reached = initial.union(*(graph.beyond(state) for state in initial))
        stuck = {state for state in reached if not graph.edges[state]}
        assert found.deadlocks == graph.sets.of(stuck)
        for state in stuck:
            only = graph.sets.one(state) if loop else graph.steps.space.false
            assert found.relation.post(graph.sets.one(state)) == only
            assert found.cyclic.post(graph.sets.one(state)) == only

    agree()


def model_of(steps: TransitionParts[Any], loop: bool) -> SymbolicModel[Any]:
    try:
        return explored(TransitionSystem(steps, loops=loop), Budget(seconds=60))
    except NoInitialState:
        assume(False)
        raise


def test_overflows(library):
    """Values outside their domain, and divisions by zero in guards: in the same states."""

    @cases(25)
    @given(graphs(library))
    def agree(graph):
        steps, explicit = graph.steps, graph.explicit
        wrong = steps.overflow
        for code in steps.encoding.agents:
            wrong = wrong | steps.function(code.step_fault)
        for guard in graph.relations.guards:
            wrong = wrong & guard
        for state in graph.edges:
            met = any(any(explicit.overflows(state, joint)) for joint in explicit.joint_actions(state))
            assert (wrong & graph.sets.one(state) != steps.space.false) == met

    agree()


def test_actions_that_are_never_enabled_together_share_a_code(library):
    """Five actions, two at a time: one bit is enough, and the state says which action it stands for."""
    protocol = "s = 0 : {a, b}; s = 1 : {c, d}; s = 2 : {b, e}; Other : {a};"
    lines = "s = s + 1 if s < 3 and (Action = a or Action = d or Action = e); s = 0 if Action = c;"
    walker = agent("W", "s : 0..3;", lines, "a, b, c, d, e", f"Protocol: {protocol} end Protocol")
    listener = agent("L", "heard : boolean;", "heard = true if W.Action = e; heard = false if W.Action = d;")
    graph = graph_of(model(walker, listener), library)
    assert len(graph.steps.choices["W"].bits) == 1
    check_steps(graph, graph.relations.whole)
    for number, action in enumerate("abcde"):
        check_action(graph, "W", number, action)


def test_who_may_take_most_actions_at_once_has_a_code_for_each(library):
    protocol = "s = 0 : {a, b, c}; Other : {d};"
    lines = "s = 1 if Action = a; s = 0 if Action = d;"
    graph = graph_of(
        model(agent("W", "s : 0..1;", lines, "a, b, c, d", f"Protocol: {protocol} end Protocol")), library
    )
    assert graph.steps.choices["W"].codes == {"a": 0, "b": 1, "c": 2, "d": 3}
    check_steps(graph, graph.relations.whole)
