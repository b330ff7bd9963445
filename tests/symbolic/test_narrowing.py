"""Steps narrowed to the states they start in: the same from there, in fewer and smaller pieces."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from systems import LIBRARIES, agent, model, system_of
from test_relation import graph_of, graphs, model_of, take_for_large

from knower.functions.registry import new_space
from knower.symbolic import narrowing as narrowing_module
from knower.symbolic.encode import Encoding
from knower.symbolic.model import SymbolicModel
from knower.symbolic.narrowing import starting_in
from knower.symbolic.order import arranged
from knower.symbolic.partition import Partition
from knower.symbolic.transition_parts import TransitionParts
from strategies import cases

SELENE = Path(__file__).parents[3] / "shared" / "bench" / "strangers" / "selene_3_2_1_1_1_2.ispl"


@pytest.fixture(params=LIBRARIES)
def library(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture(params=["one cluster", "as many as before", "some"])
def limits(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Clusters that were not joined before, and up to which size they are now."""
    take_for_large(monkeypatch)
    if request.param != "one cluster":
        monkeypatch.setattr(narrowing_module, "_TIMES", 0)
        monkeypatch.setattr(narrowing_module, "_LEAST", 0 if request.param == "as many as before" else 30)


@pytest.mark.usefixtures("limits")
def test_steps_are_the_same_from_the_states(library):
    @cases(25)
    @given(graphs(library), st.data())
    def agree(graph, data):
        sets, space = graph.sets, graph.steps.space
        here = sets.of(data.draw(st.sets(st.sampled_from(list(graph.edges)), min_size=1)))
        names = data.draw(st.sets(st.sampled_from([each.name for each in graph.system.agents])))
        steps = graph.relations.of_coalition(names)
        narrow = Partition(space, starting_in(space, steps.spec, here))
        assert narrow.post(here) == steps.post(here)
        for state in graph.edges:
            target = sets.one(state)
            assert narrow.pre(target) & here == steps.pre(target) & here
            assert narrow.post(here & target) == steps.post(here & target)

    agree()


def test_what_others_do_is_eliminated_where_all_is_joined(library, monkeypatch):
    """Two decide together what changes: left alone, their actions are eliminated in every image."""
    take_for_large(monkeypatch)
    line = "x = true if Action = a and B.Action = a; x = false if B.Action = b;"
    both = [agent(name, "x : boolean;", line.replace("B", other), "a, b") for name, other in ["AB", "BA"]]
    graph = graph_of(model(*both, initial="A.x = false and B.x = false"), library)
    found = model_of(graph.steps, loop=False)
    wide, narrow = found.system.coalition(["A"]), found.coalition(["A"])
    actions = graph.steps.layout.action_bits
    assert len(wide.clusters) > 1
    (cluster,) = narrow.clusters
    assert not graph.steps.space.support(cluster) & {*actions["B"]}
    assert found.choices(["A"]) == [[narrow]]
    assert found.coalition(["A"]) is narrow, "made once"


def test_a_part_of_the_states_is_not_narrowed(library):
    graph = graph_of(model(agent("A", "x : boolean;", "x = true if Action = a;", "a, b")), library)
    found = model_of(graph.steps, loop=False)
    part = found.on(found.initial)
    assert part.coalition(["A"]) is part.system.coalition(["A"])


@pytest.mark.skipif(not SELENE.exists() or "oxidd" not in LIBRARIES, reason="../shared/bench is not here")
def test_a_voting_protocol_fits_into_one_cluster():
    """With no states of which nobody knows, no intermediate result is large."""
    encoding = Encoding(system_of(SELENE.read_text()))
    space = new_space("oxidd", arranged("replicas", encoding), max_nodes=1 << 22)
    found = model_of(TransitionParts(encoding, space), loop=False)
    steps, states = found.coalition(["Coercer"]), found.space.size(found.reachable)
    assert [found.space.size(cluster) < 8 * states for cluster in steps.clusters] == [True]
    assert _peak(found, found.system.coalition(["Coercer"])) > 20 * states
    assert _peak(found, steps) < 2 * states


def _peak(found: SymbolicModel[Any], steps: Partition[Any]) -> int:
    """The largest intermediate result on the way back from all states."""
    space, sizes = found.space, [0]
    states = space.exists(space.rename(found.reachable, steps._exchange), steps._pre.first)
    for stage in steps._pre.stages:
        states = space.and_exists(states, stage.cluster, stage.done)
        sizes.append(space.size(states))
    return max(sizes)
